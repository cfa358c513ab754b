"""The picture of how far probabilities are true."""

import xml.etree.ElementTree as ET

from vision.bench import reliability_svg

SVG = "{http://www.w3.org/2000/svg}"


def dot(said: float, true: float) -> tuple[float, float]:
    """Where the one dot of a picture lies."""
    picture = ET.fromstring(reliability_svg([{"readings": 10_000, "said": said, "true": true}], "title"))
    circle = next(picture.iter(f"{SVG}circle"))
    return float(circle.get("cx", "")), float(circle.get("cy", ""))


def test_what_is_as_often_so_as_said_lies_on_the_diagonal() -> None:
    for p in (0.01, 0.3, 0.9, 0.99):
        x, y = dot(p, p)
        assert abs((420 - y) - x) < 1


def test_what_is_said_too_boldly_lies_below_it_and_the_picture_has_room_for_all() -> None:
    x, y = dot(0.99, 0.9)
    assert 420 - y < x
    for said, true in ((0.0, 0.0), (1.0, 1.0), (1.0, 0.0)):
        assert all(0 < v < 420 for v in dot(said, true))
