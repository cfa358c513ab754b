"""From photos of the table to what is on it, with probabilities, and from there to a state the rules allow.

    found = scan(["game.jpg"], Profile.load("table"), before=state)
    found.actions, found.state, found.doubtful, found.unseen
    picture = annotate(found)
    whole = scan_table(["everything.jpg"], Profile.load("table"))

`read_cells` is the plain reader underneath: any surface with cells and kinds of pieces, no rules.
"""

from .annotate import annotate
from .bench import BenchProblem, bench_vision
from .decode import Decoded, Doubt, decode
from .figures import Figure
from .observation import Observation
from .panel_bench import bench_panels
from .panels import PanelReading, read_panel
from .reading import Reading, examine, read_cells
from .scan import Scan, scan
from .successor import Conflict, Successor, find_successor
from .table import TableScan, scan_table

__all__ = [
    "BenchProblem",
    "Conflict",
    "Decoded",
    "Doubt",
    "Figure",
    "Observation",
    "PanelReading",
    "Reading",
    "Scan",
    "Successor",
    "TableScan",
    "annotate",
    "bench_panels",
    "bench_vision",
    "decode",
    "examine",
    "find_successor",
    "read_cells",
    "read_panel",
    "scan",
    "scan_table",
]
