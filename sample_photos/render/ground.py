"""What lies under all that is drawn: land, sea and shore with their texture, or plain printed paper."""

import numpy as np
from boards import Board, corners
from canvas import Canvas, Style
from PIL import Image, ImageFilter


def noise(size: tuple[int, int], cell: float, seed: int, octaves: int = 4) -> np.ndarray:
    """Smooth fractal noise in [0, 1], shape (height, width); `cell` is the coarsest wavelength in pixels."""
    rng = np.random.default_rng(seed)
    total = np.zeros((size[1], size[0]), np.float32)
    for octave in range(octaves):
        wave = max(cell / 2**octave, 1)
        small = rng.random((int(size[1] / wave) + 2, int(size[0] / wave) + 2)).astype(np.float32)
        layer = Image.fromarray(small).resize(size, Image.Resampling.BICUBIC)
        total += np.asarray(layer) / 2**octave
    low, high = np.percentile(total, (1, 99))
    return np.clip((total - low) / (high - low), 0, 1)


def ground(board: Board, style: Style, size: tuple[int, int], scale: float) -> Image.Image:
    """Land and sea with their texture and the shore, before any drawing on them."""
    low = size[0] // 4, size[1] // 4
    soft = height_above_sea(board, style, low, scale / 4)
    land = np.clip((soft - 0.45) * 12, 0, 1)[..., None]
    shore = np.clip(1 - np.abs(soft - 0.42) * 9, 0, 1)[..., None]
    broad = noise(low, 60 * scale / 4, style["seed"] + 1)[..., None]
    fine = noise(low, 3 * scale / 4, style["seed"] + 2, 3)[..., None]
    earth = blend(style["land"], broad) * (1 + style["grain"] * (fine - 0.5))
    water = blend(style["sea"], broad) * (1 + 0.6 * style["grain"] * (fine - 0.5))
    picture = land * earth + (1 - land) * water
    picture = picture * (1 - 0.6 * shore) + 0.6 * shore * colour(style["shore"])
    return Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8)).resize(size, Image.Resampling.BICUBIC)


def height_above_sea(board: Board, style: Style, size: tuple[int, int], scale: float) -> np.ndarray:
    """About 1 on the hexes and 0 off them, with a ragged slope between; shape (height, width)."""
    shape = Canvas(board, Image.new("RGB", size), scale)
    for place in board.places:
        shape.polygon(corners(place.at, 1.12), "#ffffff")
    soft = shape.picture.convert("L").filter(ImageFilter.GaussianBlur(2.4 * scale))
    return np.asarray(soft, np.float32) / 255 + 0.5 * (noise(size, 9 * scale, style["seed"], 3) - 0.5)


def colour(name: str) -> np.ndarray:
    return np.array([int(name[i : i + 2], 16) for i in (1, 3, 5)], np.float32)


def blend(pair: tuple[str, str], amount: np.ndarray) -> np.ndarray:
    return colour(pair[0]) * (1 - amount) + colour(pair[1]) * amount


def paper(style: Style, size: tuple[int, int], scale: float) -> Image.Image:
    """The land's texture alone, for a board without a map."""
    low = size[0] // 4, size[1] // 4
    broad, fine = (noise(low, wave * scale / 4, style["seed"] + 3)[..., None] for wave in (80, 3))
    picture = blend(style["land"], broad) * (1 + style["grain"] * (fine - 0.5))
    return Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8)).resize(size, Image.Resampling.BICUBIC)
