"""Saving pictures, by itself: what needs only the rules should not wait for OpenCV."""

from pathlib import Path

import cv2
from numpy import uint8
from numpy.typing import NDArray

from engine.sentences import Phrase

from .files import FileProblem
from .saving import DRAWN, write_atomically

JPEG_QUALITY = 90


def save_jpeg(path: Path, pixels: NDArray[uint8]) -> None:
    """Write a BGR picture, (H, W, 3), as JPEG with no metadata but whose it is. Raises FileProblem."""
    done, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise FileProblem("unwritable", file=str(path), reason=Phrase("encoding failed"))
    jpeg = data.tobytes()
    begun = 4 + int.from_bytes(jpeg[4:6])  # its first segment says what it is and has to stay the first
    write_atomically(path, jpeg[:begun] + DRAWN + jpeg[begun:])
