"""Memory: what is free is used again, so that a photo is read within 600 MB."""

import ctypes
import os
from typing import Any

_ARENA_MAX = -8
"""`M_ARENA_MAX` of malloc.h."""


def use_one_store() -> None:
    """Let all threads take memory from one store, where the C library is glibc.

    By itself it gives each thread its own, and what is free in one is of no use to the others: up to 250 MB more after
    a few photos.
    """
    libc: Any = ctypes.CDLL(None) if os.name == "posix" else None
    if hasattr(libc, "mallopt"):
        libc.mallopt(_ARENA_MAX, 1)
