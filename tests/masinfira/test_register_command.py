"""`masinfira register`: where a board lies in a photo."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from command_line import call, refused
from sample_tables import SAMPLES

from masinfira.main import run


@pytest.mark.slow
def test_how_exactly_it_lies_is_told_in_pixels_of_the_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, study: list[str]
) -> None:
    """The photo is read at half the size of its file; 0.08 px of what is read are 0.2 of the file."""
    table = SAMPLES / "study"
    whole = cv2.imread(str(table / "early_day.jpg"))
    grow = 4000 / max(whole.shape[:2])
    cv2.imwrite(str(large := tmp_path / "large.jpg"), cv2.resize(whole, None, fx=grow, fy=grow))
    of_file = call(capsys, "register", str(large), *study)
    assert run(["register", str(large), *study]) == 0
    assert f" points agree to {of_file['residual_px']:.1f} px." in capsys.readouterr().out
    as_it_was = np.array(call(capsys, "register", str(table / "early_day.jpg"), *study)["homography"])
    middle = np.linalg.inv(as_it_was) @ [whole.shape[1] / 2, whole.shape[0] / 2, 1]
    x, y, z = np.array(of_file["homography"]) @ middle
    assert (x / z, y / z) == pytest.approx((2000, 2000 * whole.shape[0] / whole.shape[1]), abs=3)


def test_a_photo_of_something_else_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, study: list[str]
) -> None:
    cv2.imwrite(str(gray := tmp_path / "gray.png"), np.full((300, 400, 3), 128, np.uint8))
    assert "gray.png" in refused(capsys, "register", str(gray), *study)
