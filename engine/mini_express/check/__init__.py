"""What is wrong with a position.

every broken invariant, for which a state is refused (`invariants`, `turn`), and what no play leads to, which is only
told (`play`); each with its sentence (`broken`)
"""

from .broken import Broken, Unknown
from .invariants import check
from .play import unplayed

__all__ = ["Broken", "Unknown", "check", "unplayed"]
