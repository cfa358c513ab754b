"""How well and how fast sample photos of known truth are read; loaded only when somebody measures."""

from .maps import bench_vision
from .panels import bench_panels
from .register import bench_register
from .reliability import reliability_svg
from .shares import bench_shares
from .watch import bench_watch

__all__ = [
    "bench_panels",
    "bench_register",
    "bench_shares",
    "bench_vision",
    "bench_watch",
    "reliability_svg",
]
