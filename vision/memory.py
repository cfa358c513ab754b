"""Memory: what is free is used again, so that a photo is read within 600 MB."""

import ctypes
import os
from typing import Any

_LIBC: Any = ctypes.CDLL(None) if os.name == "posix" else None
_ARENA_MAX = -8
"""`M_ARENA_MAX` of malloc.h."""

# Otherwise glibc gives each thread its own store, and what is free in one is of no use to the others: up
# to 240 MB more after a few photos.
if hasattr(_LIBC, "mallopt"):
    _LIBC.mallopt(_ARENA_MAX, 1)


def give_back_memory() -> None:
    """What has been freed and glibc keeps for later."""
    if hasattr(_LIBC, "malloc_trim"):
        _LIBC.malloc_trim(0)
