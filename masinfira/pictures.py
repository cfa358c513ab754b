"""Saving pictures, by itself: what needs only the rules should not wait for OpenCV."""

from pathlib import Path

from calibration.photo import Pixels, jpeg

from .saving import DRAWN, write_atomically

JPEG_QUALITY = 90


def save_jpeg(path: Path, pixels: Pixels) -> None:
    """Write a BGR picture, (H, W, 3), as JPEG with no metadata but whose it is. Raises FileProblem."""
    data = jpeg(pixels, JPEG_QUALITY)
    begun = 4 + int.from_bytes(data[4:6])  # its first segment says what it is and has to stay the first
    write_atomically(path, data[:begun] + DRAWN + data[begun:])
