"""What phones make of their pictures before anybody sees them: tone curve, colours, local contrast, sharpening.

Every phone has its own way and tells nobody. The renders have one way only, so these are laid over them: by lot for
teaching the network, and a few fixed ones for measuring what another phone costs.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.photo import Pixels

GRID, CLIP = (8, 8), 2.5
SHARP_PX = 1.5


@dataclass(frozen=True)
class Phone:
    """How strongly a phone works on its pictures; all ones and noughts leave them as they are.

    `contrast` is the exponent of a curve that leaves black, white and what lies half-way; `gamma` of the whole;
    `saturation` multiplies what sets a pixel apart from gray; `local`, 0 to 1, is the share of a picture made even by
    parts (CLAHE, Zuiderveld 1994), as phones do for high dynamic range; `sharpen` is the share of an unsharp mask.
    """

    contrast: float = 1.0
    gamma: float = 1.0
    saturation: float = 1.0
    local: float = 0.0
    sharpen: float = 0.0

    def picture(self, photo: Pixels) -> Pixels:
        """The picture, (H, W, 3) uint8, that this phone makes where another made `photo`."""
        toned = np.asarray(cv2.LUT(photo, self._curve()), np.uint8)
        evened = _evened(toned, self.local).astype(np.float32)
        gray = evened @ np.array([0.114, 0.587, 0.299], np.float32)
        coloured = gray[..., None] + self.saturation * (evened - gray[..., None])
        sharp = coloured + self.sharpen * (coloured - cv2.GaussianBlur(coloured, (0, 0), SHARP_PX))
        return np.asarray(np.clip(np.rint(sharp), 0, 255), dtype=np.uint8)

    def _curve(self) -> NDArray[np.uint8]:
        level = (np.arange(256) / 255) ** self.gamma
        up, down = level**self.contrast, (1 - level) ** self.contrast
        return np.asarray(np.rint(255 * up / (up + down)), dtype=np.uint8)


AS_IT_IS = Phone()
PHONES = {
    "vivid": Phone(contrast=1.3, saturation=1.25, local=0.5, sharpen=0.5),
    "flat": Phone(contrast=0.8, gamma=0.85, saturation=0.85, local=0.3),
}


def drawn(rng: np.random.Generator) -> Phone:
    """A phone by lot, wilder than most."""
    return Phone(
        contrast=float(np.exp(np.clip(rng.normal(0.12, 0.25), -0.4, 0.6))),
        gamma=float(np.exp(rng.normal(0, 0.15))),
        saturation=float(np.exp(rng.normal(0.08, 0.2))),
        local=float(rng.uniform(0, 1)) if rng.random() < 0.5 else 0.0,
        sharpen=float(rng.uniform(0, 0.9)) if rng.random() < 0.5 else 0.0,
    )


def _evened(photo: Pixels, share: float) -> Pixels:
    """The picture with its lightness made even by parts, to this share."""
    if not share:
        return photo
    lab = cv2.cvtColor(photo, cv2.COLOR_BGR2LAB)
    even = cv2.createCLAHE(CLIP, GRID).apply(lab[..., 0])
    lab[..., 0] = cv2.addWeighted(even, share, lab[..., 0], 1 - share, 0)
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR), np.uint8)
