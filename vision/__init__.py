"""From photos of the table to what is on it, with probabilities, and from there to a state the rules allow.

    found = scan(["game.jpg"], Profile.load("table"), before=state)
    found.actions, found.state, found.doubtful, found.unseen
    picture = annotate(found)

`read_cells` is the plain reader underneath: any surface with cells and kinds of pieces, no rules.
"""

from .annotate import annotate
from .bench import BenchProblem, bench_vision
from .decode import Decoded, Doubt, decode
from .observation import Observation
from .reading import Reading, examine, read_cells
from .scan import Scan, scan
from .successor import Conflict, Successor, find_successor
from .teach import LessonProblem, setup_shown, teach

__all__ = [
    "BenchProblem",
    "Conflict",
    "Decoded",
    "Doubt",
    "LessonProblem",
    "Observation",
    "Reading",
    "Scan",
    "Successor",
    "annotate",
    "bench_vision",
    "decode",
    "examine",
    "find_successor",
    "read_cells",
    "scan",
    "setup_shown",
    "teach",
]
