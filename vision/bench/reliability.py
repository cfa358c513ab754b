"""Whether probabilities mean what they say, as a picture: what was said against what was so, on log odds."""

from collections.abc import Mapping, Sequence
from math import log

SIZE, RIM, REACH = 420, 56, 7.5
MARKS = (0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999)


def reliability_svg(bins: Sequence[Mapping[str, float]], title: str) -> str:
    """An SVG of the bins of `bench vision`: a dot each, its bar two standard errors; on the line all is well."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" font-family="sans-serif" font-size="11">',
        f'<rect width="{SIZE}" height="{SIZE}" fill="white"/>',
        f'<text x="{SIZE / 2}" y="20" text-anchor="middle" font-size="13">{title}</text>',
        _line(_x(-REACH), _y(-REACH), _x(REACH), _y(REACH), "#999"),
    ]
    for p in MARKS:
        odds = log(p / (1 - p))
        parts.append(_line(_x(odds), _y(-REACH), _x(odds), _y(REACH), "#eee"))
        parts.append(_line(_x(-REACH), _y(odds), _x(REACH), _y(odds), "#eee"))
        parts.append(f'<text x="{_x(odds):.1f}" y="{SIZE - RIM + 16}" text-anchor="middle">{p:g}</text>')
        parts.append(f'<text x="{RIM - 6}" y="{_y(odds) + 4:.1f}" text-anchor="end">{p:g}</text>')
    parts += [_dot(bin_) for bin_ in bins]
    parts.append(f'<text x="{SIZE / 2}" y="{SIZE - 14}" text-anchor="middle">said: a train is there</text>')
    parts.append(
        f'<text transform="translate(14 {SIZE / 2}) rotate(-90)" text-anchor="middle">was there</text>'
    )
    return "\n".join([*parts, "</svg>\n"])


def _dot(bin_: Mapping[str, float]) -> str:
    """The rate seen, as log odds with half a reading added either way so that none is infinite."""
    n = bin_["readings"]
    hits = bin_["true"] * n
    said = log(bin_["said"] / (1 - bin_["said"])) if 0 < bin_["said"] < 1 else REACH
    odds = log((hits + 0.5) / (n - hits + 0.5))
    error = 2 * (1 / (hits + 0.5) + 1 / (n - hits + 0.5)) ** 0.5
    bar = _line(_x(said), _y(odds - error), _x(said), _y(odds + error), "#1f4e79")
    return f'{bar}<circle cx="{_x(said):.1f}" cy="{_y(odds):.1f}" r="4" fill="#1f4e79"><title>{n:.0f}</title></circle>'


def _line(x0: float, y0: float, x1: float, y1: float, ink: str) -> str:
    return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{ink}"/>'


def _x(odds: float) -> float:
    return RIM + (max(-REACH, min(REACH, odds)) / REACH + 1) / 2 * (SIZE - 2 * RIM)


def _y(odds: float) -> float:
    return SIZE - _x(odds)
