"""Photos as they come from phones, made into upright pixels of a bounded size, whatever the file holds."""

import io
import re
import threading
import warnings
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import ExifTags, Image, ImageOps

from engine.files import UNREAD, read_bytes, reading
from engine.sentences import N_, Phrase, Problem

from .features import PHOTO_FEATURES, Features, find_features

Pixels = NDArray[np.uint8]
"""(height, width, 3) uint8, blue-green-red as OpenCV has it."""

LONG_SIDE = 2000
SHORT_SIDE_AT_LEAST = 200
# No camera takes a picture so many times as long as wide; made small, it would have no pixels left.
LONGER_AT_MOST = 10
# Where so many of 100 pixels differ by no more than this between their colours, of 255, there are none.
GRAY_PERCENT, GRAY = 99.5, 6
BYTES_AT_MOST = 80_000_000
# Pillow itself refuses headers beyond 179 megapixels; what must be decoded whole is refused earlier, and what no phone
# writes, which takes more memory a pixel, still earlier.
PIXELS_AT_MOST, DRAWN_AT_MOST = 64_000_000, 32_000_000
FROM_PHONES = ("JPEG", "MPO", "HEIF")
# Cameras write a JPEG in one scan, programs in about ten; each takes its time however short it is. So does each of
# the segments before it, about fifty with large metadata, and each byte of junk between these.
SCANS_AT_MOST, SEGMENTS_AT_MOST, JUNK_AT_MOST = 64, 4000, 100_000
ENDLESS = SCANS_AT_MOST + 1
# What is not a part of a scan itself: no stuffed zero, nothing without a length, no restart, no fill byte.
_MARKER = re.compile(rb"\xff([^\x00\x01\xff\xd0-\xd7])")
_JPEG, _SCAN, _END = b"\xff\xd8", b"\xda", b"\xd9"
# Frames with all components in each scan, and the others.
_SEQUENTIAL, _PROGRESSIVE = b"\xc0\xc1", b"\xc2\xc3\xc5\xc6\xc7\xc9\xca\xcb\xcd\xce\xcf"
PAINT = 128
"""What is painted over has this in all colours."""
THE_PHOTO = Phrase("the photo")  # where it has no name of its own
FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF", "HEIF", "AVIF")

# Several boards are looked for in one photo at once: its features are found once.
_finding = threading.Lock()

pillow_heif.register_heif_opener()
# Without this Pillow knows only the formats of photos opened before.
Image.init()


class PhotoProblem(Problem):
    """A photo that cannot be read; says why and what to do."""

    sentences = {
        **UNREAD,
        "empty": N_("{file} is empty: take or send the photo again."),
        "not_image": N_("{file} is not a picture this program can read: use JPEG, PNG, WebP or HEIC."),
        "damaged": N_("{file} is damaged or cut short: send the photo again."),
        "too_large": N_("{file} has too many pixels: use a photo of at most {limit} megapixels."),
        "too_heavy": N_("{file} is too big a file: use a photo of at most {limit} megabytes."),
        "too_small": N_(
            "{file} is only {width} × {height} pixels: at least {least} on the short side are needed."
        ),
        "colourless": N_(
            "{file} has no colours, and by them the pieces are known: take it without a black-and-white filter."
        ),
        "pixels": N_("{file} must be an array (height, width, 3) of uint8, not {found}."),
        "too_narrow": N_("{file} is a strip and no photo of a board: take or choose another one."),
    }


@dataclass(frozen=True, eq=False)
class Photo:
    """An upright photo, at most about `LONG_SIDE` px long.

    `scale` is how many pixels of the original file one pixel here stands for; `focal` is the focal
    length in pixels here where the file tells it, else None.
    """

    pixels: Pixels
    scale: float = 1.0
    focal: float | None = None
    name: Phrase | str = THE_PHOTO

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, px."""
        height, width = self.pixels.shape[:2]
        return width, height

    def features(self, shrink: float) -> Features:
        """The features of a copy made smaller by this factor, points in its px; found once, as several boards ask."""
        with _finding:
            if shrink not in self._found:
                small = cv2.resize(self.pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
                self._found[shrink] = find_features(np.asarray(small, np.uint8), PHOTO_FEATURES)
        return self._found[shrink]

    def without(self, outline: NDArray[np.float64]) -> "Photo":
        """The photo with what lies within a convex outline, (n, 2) px, painted over; features outside stay found."""
        mask = np.zeros(self.pixels.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.rint(outline).astype(np.int32), 1)
        left = replace(self, pixels=np.where(mask[..., None] > 0, np.uint8(PAINT), self.pixels))
        left._found.update({shrink: found.outside(mask, shrink) for shrink, found in self._found.items()})
        return left

    @cached_property
    def _found(self) -> dict[float, Features]:
        return {}


def of_pixels(pixels: Pixels) -> Photo:
    """Pixels that were not loaded from a file, as a photo. Raises PhotoProblem where they are none."""
    if not isinstance(pixels, np.ndarray) or pixels.dtype != np.uint8 or pixels.shape[2:] != (3,):
        found = f"{pixels.dtype} {pixels.shape}" if isinstance(pixels, np.ndarray) else type(pixels).__name__
        raise PhotoProblem("pixels", file=THE_PHOTO, found=found)
    return Photo(pixels)


def load_photo(source: str | Path | bytes, name: Phrase | str = "") -> Photo:
    """Read a photo from a file or from its bytes, turned upright, scaled down while decoding.

    What is wrong with it is said of `name`; without one, of the file's name or "the photo".

    A JPEG is decoded at half, a quarter or an eighth of its size where that suffices (libjpeg's scaled
    inverse DCT), so that 12 megapixels take the time of three. Raises PhotoProblem.
    """
    name = name or (THE_PHOTO if isinstance(source, bytes) else Path(source).name)
    data = source if isinstance(source, bytes) else _read_file(Path(source))
    if not data:
        raise PhotoProblem("empty", file=name)
    if len(data) > BYTES_AT_MOST:
        raise PhotoProblem("too_heavy", file=name, limit=BYTES_AT_MOST // 10**6)
    image = _open(data, name)
    try:
        return _decode(image, name)
    except Exception as reason:  # a decoder fed with garbage may raise anything
        raise PhotoProblem("damaged", file=name) from reason


def in_colour(photo: Photo) -> Photo:
    """The photo itself. Raises PhotoProblem where something is to be seen, but in black and white."""
    few = photo.pixels[::8, ::8].astype(np.int16)
    if np.percentile(np.ptp(few, axis=2), GRAY_PERCENT) <= GRAY < few.std():
        raise PhotoProblem("colourless", file=photo.name)
    return photo


def jpeg(pixels: Pixels, quality: int) -> bytes:
    """A picture, (height, width, 3) uint8 BGR, as the bytes of a JPEG file without any metadata."""
    done, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done  # it refuses only pictures of no pixels, or of more than 65,500 on a side
    return data.tobytes()


def of_jpeg(data: bytes) -> Pixels:
    """The pixels of a file that `jpeg` made; of no other one, for it may be slow or large. Raises PhotoProblem."""
    if _scans(data) != (1, False):
        raise PhotoProblem("not_image", file=THE_PHOTO)
    width, height = _header(data, THE_PHOTO).size
    if width * height > PIXELS_AT_MOST:
        raise PhotoProblem("too_large", file=THE_PHOTO, limit=PIXELS_AT_MOST // 10**6)
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if pixels is None:
        raise PhotoProblem("damaged", file=THE_PHOTO)
    return np.asarray(pixels, np.uint8)


def _read_file(path: Path) -> bytes:
    """The bytes of a file. Raises PhotoProblem."""
    with reading(str(path), PhotoProblem):
        return read_bytes(path, BYTES_AT_MOST)


def _open(data: bytes, name: Phrase | str) -> Image.Image:
    """Read the header only, and refuse by what it says before anything is decoded."""
    scans, whole = _scans(data)
    if scans > SCANS_AT_MOST:
        raise PhotoProblem("not_image", file=name)
    image = _header(data, name)
    width, height = image.size
    most = PIXELS_AT_MOST if image.format in FROM_PHONES else DRAWN_AT_MOST
    if whole and width * height > most:
        raise PhotoProblem("too_large", file=name, limit=most // 10**6)
    if min(width, height) < SHORT_SIDE_AT_LEAST:
        raise PhotoProblem("too_small", file=name, width=width, height=height, least=SHORT_SIDE_AT_LEAST)
    if max(width, height) > LONGER_AT_MOST * min(width, height):
        raise PhotoProblem("too_narrow", file=name)
    return image


def _header(data: bytes, name: Phrase | str) -> Image.Image:
    """A picture of which only the header is read yet."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return Image.open(io.BytesIO(data), formats=FORMATS)
        except Image.DecompressionBombError:
            raise PhotoProblem("too_large", file=name, limit=PIXELS_AT_MOST // 10**6) from None
        except Exception as reason:
            raise PhotoProblem("not_image", file=name) from reason


def _scans(data: bytes) -> tuple[int, bool]:
    """How many scans the (first) picture of a JPEG file has, 0 of others, ENDLESS where it hardly gets to them.

    Also whether all its pixels are held until the last of them, whatever the size it is decoded at.
    """
    if not data.startswith(_JPEG):
        return 0, True
    at, scans, junk, components, whole = len(_JPEG), 0, 0, b"", False
    for _ in range(SEGMENTS_AT_MOST):
        marker = _MARKER.search(data, at)
        if marker is None or marker[1] == _END:
            return scans, whole
        junk += 0 if scans else marker.start() - at
        if junk > JUNK_AT_MOST:
            break
        segment = data[marker.end() : marker.end() + 8]
        if marker[1] in _SEQUENTIAL + _PROGRESSIVE:
            components, whole = segment[7:8], whole or marker[1] in _PROGRESSIVE
        elif marker[1] == _SCAN:
            scans, whole = scans + 1, whole or scans > 0 or segment[2:3] < components
        at = marker.end() + int.from_bytes(segment[:2])
    return ENDLESS, True


def _decode(image: Image.Image, name: Phrase | str) -> Photo:
    original = max(image.size)
    focal = _focal(image, original)
    image.draft(None, _target(image.size))
    image.load()
    ImageOps.exif_transpose(image, in_place=True)  # a copy would hold all pixels twice
    upright = _eight_bit(image)
    # Only a photo a good deal too large is scaled: a few per cent are not worth the blur.
    if max(upright.size) > 1.1 * LONG_SIDE:
        upright = upright.resize(_target(upright.size), Image.Resampling.BILINEAR, reducing_gap=2.0)
    scale = original / max(upright.size)
    pixels = np.asarray(cv2.cvtColor(np.asarray(_rgb(upright)), cv2.COLOR_RGB2BGR), np.uint8)
    return Photo(pixels, scale, focal and focal / scale, name)


def _target(size: tuple[int, int]) -> tuple[int, int]:
    shrink = min(1.0, LONG_SIDE / max(size))
    return max(1, round(size[0] * shrink)), max(1, round(size[1] * shrink))


def _eight_bit(image: Image.Image) -> Image.Image:
    """16- and 32-bit grays as 8 bits, palettes as colours; other modes are as they should be."""
    if image.mode.startswith(("I", "F")):
        step = max(1, max(image.size) // LONG_SIDE)
        values = np.asarray(image)[::step, ::step].astype(np.float32)
        deep = image.mode.startswith("I") and values.max(initial=0) > 255
        top = 65535.0 if deep else max(float(values.max(initial=1)), 1.0)
        return Image.fromarray(np.clip(values * (255.0 / top), 0, 255).astype(np.uint8))
    return image.convert("RGBA") if image.mode in ("P", "PA", "LA") else image


def _rgb(image: Image.Image) -> Image.Image:
    """Three channels; what is transparent becomes white."""
    if image.mode == "RGBA":
        white = Image.new("RGBA", image.size, "white")
        return Image.alpha_composite(white, image).convert("RGB")
    return image if image.mode == "RGB" else image.convert("RGB")


def _focal(image: Image.Image, long_side: int) -> float | None:
    """Focal length in pixels of the original, from EXIF's 35-mm equivalent (film is 36 mm wide)."""
    try:
        tags: dict[int, Any] = image.getexif().get_ifd(ExifTags.IFD.Exif)
        millimetres = float(tags.get(ExifTags.Base.FocalLengthIn35mmFilm, 0))
    except Exception:  # broken EXIF must not cost us the photo
        return None
    return long_side * millimetres / 36 if 8 <= millimetres <= 400 else None
