"""What a phone does to the light it gets: white balance, exposure, noise, tone curve, sharpening, JPEG."""

from math import cos, log, radians, sin
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike
from PIL import Image, ImageFilter


def linear(codes: ArrayLike) -> np.ndarray:
    """sRGB codes 0 to 255 → linear 0 to 1."""
    shares = np.asarray(codes, np.float64) / 255
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def kelvin(temperature: float) -> np.ndarray:
    """Linear sRGB of a black body, its greatest part 1. Source: Tanner Helland's fit, 1000-40000 K."""
    t = temperature / 100
    if t <= 66:
        rgb = [255, 99.47 * log(t) - 161.12, 138.52 * log(t - 10) - 305.04 if t > 19 else 0]
    else:
        rgb = [329.7 * (t - 60) ** -0.1332, 288.12 * (t - 60) ** -0.0755, 255]
    return linear(np.clip(rgb, 0, 255))


def develop(light: np.ndarray, illuminant: np.ndarray, phone: dict, seed: int) -> Image.Image:
    """The picture a phone makes of linear RGB light (height, width, 3) with this main illuminant.

    `phone`: `balance` (share of the illuminant's colour that is taken out), `exposure` (stops off the
    automatic one), `iso` (noise, relative to a good day), `sharpen`, `softness` (blur in pixels), `shake` (how far
    the hand moved while the shutter was open: pixels, and the way in degrees).
    """
    rng = np.random.default_rng(seed)
    light = light / (illuminant / illuminant[1]) ** phone["balance"]
    light = light * _automatic(light) * 2.0 ** phone["exposure"]
    light = light * _vignette(light.shape[:2])
    light = _soft(_shaken(light, *phone.get("shake", (0, 0))), phone["softness"])
    light = (
        light
        + rng.normal(size=light.shape) * np.sqrt(np.maximum(light, 0) * 0.00012 + 0.000004) * phone["iso"]
    )
    codes = np.clip(_tone(np.maximum(light, 0)) * 255 + rng.uniform(-0.5, 0.5, light.shape), 0, 255)
    picture = Image.fromarray(np.round(codes).astype(np.uint8))
    return picture.filter(ImageFilter.UnsharpMask(1.2, round(phone["sharpen"] * 100), 2))


def save(picture: Image.Image, path: Path, quality: int) -> None:
    picture.save(path, quality=quality, subsampling="4:2:0", optimize=True)


def _automatic(light: np.ndarray) -> float:
    """A gain that brings the picture to a mid tone without burning much of it, blind to what lies there."""
    height, width = light.shape[:2]
    grey = light[height // 6 : -height // 6, width // 6 : -width // 6] @ np.array([0.21, 0.72, 0.07])
    mean = float(np.exp(np.log(np.maximum(grey, 1e-4)).mean()))
    return min(0.20 / mean, 1.1 / float(np.percentile(grey, 99)))


def _vignette(shape: tuple[int, int]) -> np.ndarray:
    y, x = (np.linspace(-1, 1, n) for n in shape)
    return 1 - 0.07 * (x[None, :, None] ** 2 + y[:, None, None] ** 2) ** 1.5


def _soft(light: np.ndarray, radius: float) -> np.ndarray:
    """Gaussian blur with `radius` (sigma) in pixels, separable."""
    if radius <= 0:
        return light
    reach = int(3 * radius) + 1
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / radius) ** 2)
    for axis in (0, 1):
        padded = np.pad(light, [(reach, reach) if a == axis else (0, 0) for a in range(3)], "edge")
        size = light.shape[axis]
        light = sum(w / weights.sum() * padded.take(range(k, k + size), axis) for k, w in enumerate(weights))
    return light


def _shaken(light: np.ndarray, length: float, way: float) -> np.ndarray:
    """The mean of the picture on its way of `length` pixels in the direction `way`."""
    steps = [t - length / 2 for t in range(round(length) + 1)]
    c, s = cos(radians(way)), sin(radians(way))
    return sum(np.roll(light, (round(t * s), round(t * c)), (0, 1)) for t in steps) / len(steps)


def _tone(light: np.ndarray) -> np.ndarray:
    """Linear → display in [0, 1]: the sRGB curve, a shoulder above 0.5, some more contrast."""
    high = np.where(light > 0.5, 0.5 + 0.5 * (1 - np.exp(-(light - 0.5) / 0.5)), light)
    srgb = np.where(high <= 0.0031308, 12.92 * high, 1.055 * np.maximum(high, 1e-9) ** (1 / 2.4) - 0.055)
    return srgb + 0.10 * srgb * (1 - srgb) * (2 * srgb - 1) * 2
