"""The colours of the pages can be told apart by day and by night (WCAG 2.2: 1.4.3 text, 1.4.11 what is no text)."""

import re
from pathlib import Path

import pytest

import webui

STYLE = (Path(webui.__file__).parent / "static" / "base.css").read_text(encoding="utf-8")
TEXT = [
    *[(ink, ground) for ink in ("ink", "soft", "accent") for ground in ("paper", "card")],
    *[("map-ink", ground) for ground in ("land", "town", "port", "sea")],
    ("on-accent", "accent"),
    ("warn", "warn-paper"),
]
SHAPES = [
    *[(shape, ground) for shape in ("edge", "focus") for ground in ("paper", "card")],
    *[(mark, ground) for mark in ("open", "last") for ground in ("land", "sea")],
]


def colours(theme: str) -> dict[str, str]:
    """The named colours of a theme, those of the night over those of the day."""
    day, night = (
        dict(re.findall(r"--([\w-]+): #(\w+)", root)) for root in re.findall(r":root {(.*?)}", STYLE, re.S)
    )
    return day if theme == "day" else {**day, **night}


def luminance(colour: str) -> float:
    whole = colour if len(colour) == 6 else "".join(digit * 2 for digit in colour)
    shares = [int(whole[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["day", "night"])
@pytest.mark.parametrize(("pairs", "least"), [(TEXT, 4.5), (SHAPES, 3.0)], ids=["text", "shapes"])
def test_what_is_to_be_seen_stands_out(theme: str, pairs: list[tuple[str, str]], least: float) -> None:
    named = colours(theme)
    weak = {pair: round(contrast(*(named[name] for name in pair)), 2) for pair in pairs}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < least} == {}


def test_black_on_white_has_the_greatest_contrast() -> None:
    assert contrast("000", "ffffff") == pytest.approx(21)
