"""Photos as they come: every kind of file either is read or is refused with one clear sentence."""

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from calibration import PhotoProblem, load_photo
from calibration import photo as photos
from calibration.photo import LONG_SIDE


def encoded(image: Image.Image, form: str, **more: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, form, **more)
    return buffer.getvalue()


def gradient(width: int = 400, height: int = 300) -> Image.Image:
    y, x = np.mgrid[:height, :width]
    pixels = np.stack([x * 255 // width, y * 255 // height, np.full_like(x, 40)], axis=-1)
    return Image.fromarray(pixels.astype(np.uint8))


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds next to no pixels."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1000)))


def refusal(source: bytes | Path) -> str:
    with pytest.raises(PhotoProblem) as problem:
        load_photo(source)
    sentence = str(problem.value)
    assert "{" not in sentence
    assert sentence.endswith(".")
    return problem.value.key


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "TIFF", "BMP", "HEIF"])
def test_every_usual_format_is_read(form: str) -> None:
    photo = load_photo(encoded(gradient(), form))
    assert photo.pixels.shape == (300, 400, 3)
    blue, green, red = photo.pixels[150, 399].astype(int)
    assert red > 230
    assert abs(green - 127) < 20
    assert blue < 70


def test_a_large_jpeg_is_scaled_while_decoding() -> None:
    photo = load_photo(encoded(gradient(4000, 3000), "JPEG"))
    assert photo.pixels.shape == (1500, 2000, 3)
    assert photo.scale == 2.0


def test_an_odd_size_stays_near_the_long_side() -> None:
    photo = load_photo(encoded(gradient(5001, 1201), "PNG"))
    assert photo.pixels.shape[1] == LONG_SIDE
    assert photo.scale == pytest.approx(5001 / LONG_SIDE)


def test_exif_turns_the_photo_upright() -> None:
    image = gradient()
    exif = Image.Exif()
    exif[0x0112] = 6
    photo = load_photo(encoded(image, "JPEG", exif=exif))
    assert photo.pixels.shape == (400, 300, 3)
    # Orientation 6: the file's left edge is the upright picture's top, so red grows downwards.
    assert photo.pixels[390, 150, 2] > photo.pixels[10, 150, 2] + 150


def test_exif_tells_the_focal_length() -> None:
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0xA405] = 26
    photo = load_photo(encoded(gradient(4000, 3000), "JPEG", exif=exif))
    assert photo.focal == pytest.approx(2000 * 26 / 36)


@pytest.mark.parametrize("millimetres", [0, 7, 401, 60_000])
def test_a_focal_length_that_no_phone_has_is_none(millimetres: int) -> None:
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0xA405] = millimetres
    assert load_photo(encoded(gradient(), "JPEG", exif=exif)).focal is None


def test_transparency_becomes_white() -> None:
    photo = load_photo(encoded(Image.new("RGBA", (300, 300), (0, 0, 0, 0)), "PNG"))
    assert (photo.pixels == 255).all()


@pytest.mark.parametrize("mode", ["L", "P", "1", "LA", "CMYK", "I;16", "RGBA"])
def test_every_mode_becomes_three_channels(mode: str) -> None:
    if mode == "I;16":
        image = Image.fromarray(np.linspace(0, 65535, 300 * 300).reshape(300, 300).astype(np.uint16))
    else:
        image = gradient().convert(mode)
    photo = load_photo(encoded(image, "TIFF" if mode == "CMYK" else "PNG"))
    assert photo.pixels.ndim == 3
    assert int(photo.pixels.max()) - int(photo.pixels.min()) > 150


def test_no_such_file(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nothing.jpg") == "no_file"
    assert refusal(tmp_path) == "folder"


def test_not_an_image() -> None:
    assert refusal(b"hello, this is text") == "not_image"
    assert refusal(b"") == "empty"


def test_a_truncated_jpeg_is_refused() -> None:
    whole = encoded(gradient(1200, 900), "JPEG")
    assert refusal(whole[: len(whole) * 2 // 3]) == "damaged"


def test_a_huge_picture_is_refused_by_its_header() -> None:
    assert refusal(png_header(50_000, 50_000)) == "too_large"
    assert refusal(png_header(9_000, 9_000)) == "too_large"


def test_what_must_be_decoded_whole_is_refused_earlier(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a progressive JPEG all pixels are in memory at once, of another one only those of a smaller copy."""
    monkeypatch.setattr(photos, "PIXELS_AT_MOST", 400 * 300 - 1)
    monkeypatch.setattr(photos, "DRAWN_AT_MOST", 400 * 300 - 1)
    assert load_photo(encoded(gradient(), "JPEG")).pixels.shape == (300, 400, 3)
    assert refusal(encoded(gradient(), "JPEG", progressive=True)) == "too_large"
    assert refusal(encoded(gradient(), "PNG")) == "too_large"


def test_a_jpeg_is_held_whole_whose_only_scan_leaves_others_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """A progressive one that is cut after its first scan, and one whose scan has not all components."""
    monkeypatch.setattr(photos, "PIXELS_AT_MOST", 400 * 300 - 1)
    progressive, usual = (encoded(gradient(), "JPEG", progressive=kind) for kind in (True, False))
    second = progressive.index(b"\xff\xda", progressive.index(b"\xff\xda") + 2)
    assert refusal(progressive[:second] + b"\xff\xd9") == "too_large"
    scan = usual.index(b"\xff\xda")
    only_light = b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00"
    assert refusal(usual[:scan] + only_light + usual[scan + 14 :]) == "too_large"


def test_what_no_phone_writes_may_be_half_as_large() -> None:
    assert refusal(png_header(7_000, 5_000)) == "too_large"


def parts(jpeg: bytes) -> tuple[bytes, bytes, bytes]:
    """What comes before the last scan of a progressive JPEG, that scan with its table, and the end."""
    scan, end = jpeg.rfind(b"\xff\xda"), jpeg.rfind(b"\xff\xd9")
    table = jpeg.rfind(b"\xff\xc4", 0, scan)
    return jpeg[:table], jpeg[table:end], jpeg[end:]


@pytest.mark.parametrize("times", [1, 40])
def test_a_progressive_jpeg_may_have_many_scans(times: int) -> None:
    before, scan, end = parts(encoded(gradient(), "JPEG", progressive=True))
    assert load_photo(before + times * scan + end).pixels.shape == (300, 400, 3)


def test_a_jpeg_that_takes_longer_than_its_size_tells_is_refused_at_once() -> None:
    """Endless scans of a hundred bytes, each decoded for the whole picture; segments of nothing; fill bytes."""
    before, scan, end = parts(encoded(gradient(), "JPEG", progressive=True))
    assert refusal(before + 20_000 * scan + end) == "not_image"
    start, rest = before[:2], before[2:] + scan + end
    assert refusal(start + 5_000_000 * b"\xff\xfe\x00\x02" + rest) == "not_image"
    assert refusal(start + 20_000_000 * b"\xff" + rest) == "not_image"


def test_no_scans_hide_behind_a_marker_that_has_no_length() -> None:
    before, scan, end = parts(encoded(Image.new("RGB", (400, 300), "red"), "JPEG", progressive=True))
    assert 300 * len(scan) < 0xFFFE
    assert refusal(before + b"\xff\x01\xff\xfe\x00\x02" + 300 * scan + end) == "not_image"


def test_what_follows_the_picture_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Phones append a film to a photo: so many bytes hold every marker by chance."""
    monkeypatch.setattr(photos, "SEGMENTS_AT_MOST", 100)
    film = np.random.default_rng(1).bytes(3_000_000)
    assert film.count(b"\xff\xda") > 20
    assert load_photo(encoded(gradient(), "JPEG") + film).pixels.shape == (300, 400, 3)


def test_a_file_that_never_ends_is_too_big() -> None:
    assert refusal(Path("/dev/zero")) == "too_heavy"


def test_too_big_a_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    whole = encoded(gradient(), "PNG")
    (file := tmp_path / "photo.png").write_bytes(whole)
    monkeypatch.setattr(photos, "BYTES_AT_MOST", len(whole))
    assert load_photo(file).pixels.shape == load_photo(whole).pixels.shape == (300, 400, 3)
    monkeypatch.setattr(photos, "BYTES_AT_MOST", len(whole) - 1)
    monkeypatch.setattr(Path, "read_bytes", None)  # it is not even read
    assert refusal(file) == refusal(whole) == "too_heavy"


def test_a_tiny_picture_is_refused() -> None:
    assert refusal(encoded(gradient(120, 90), "PNG")) == "too_small"


def test_a_strip_is_refused_before_nothing_is_left_of_it() -> None:
    assert refusal(encoded(gradient(30_000, 200), "PNG")) == "too_narrow"


@given(st.data())
def test_mutated_files_never_raise_anything_else(data: st.DataObject) -> None:
    """Bytes changed anywhere in a file: it is read or refused, nothing else happens."""
    form = data.draw(st.sampled_from(["JPEG", "PNG", "WEBP", "TIFF", "BMP", "HEIF"]))
    whole = bytearray(encoded(gradient(240, 220), form))
    for _ in range(data.draw(st.integers(1, 8))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        photo = load_photo(bytes(whole[: data.draw(st.integers(1, len(whole)))]))
    except PhotoProblem:
        return
    assert photo.pixels.dtype == np.uint8
    assert photo.pixels.shape[2] == 3
