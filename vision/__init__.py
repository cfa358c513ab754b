"""From photos of the table to what is on it, with probabilities, and from there to a state the rules allow.

    found = scan(["game.jpg"], Profile.load("table"), before=state)
    found.actions, found.state, found.doubtful, found.unseen
    picture = annotate(found)
    whole = scan_table(["everything.jpg"], Profile.load("table"))

    watcher = Watcher(Profile.load("table"), state)
    for seconds, frame in camera_frames(0):
        for event in watcher.see(frame, seconds): …

`read_cells` is the reader underneath: any surface with cells and kinds of pieces, no rules.
"""

from .annotate import annotate, annotate_proposal
from .bench import BenchProblem, bench_vision
from .decode import Conflict, Decoded, Doubt, decode
from .figures import Figure
from .observation import Observation
from .panel_bench import bench_panels
from .panels import PanelReading, read_panel
from .phones import PHONES
from .reading import Reading, examine, read_cells
from .register_bench import bench_register
from .reliability import reliability_svg
from .scan import Scan, scan
from .share_bench import bench_shares
from .shares import NoShares, ShareReader
from .successor import Successor, find_successor
from .table import TableScan, scan_table
from .teach import LessonProblem, setup_shown, teach
from .turns import BoardSeen, Turn, Unclear, WatchEvent
from .video import VideoProblem, camera_frames, video_frames
from .watch import Watcher
from .watch_bench import bench_watch

__all__ = [
    "PHONES",
    "BenchProblem",
    "BoardSeen",
    "Conflict",
    "Decoded",
    "Doubt",
    "Figure",
    "LessonProblem",
    "NoShares",
    "Observation",
    "PanelReading",
    "Reading",
    "Scan",
    "ShareReader",
    "Successor",
    "TableScan",
    "Turn",
    "Unclear",
    "VideoProblem",
    "WatchEvent",
    "Watcher",
    "annotate",
    "annotate_proposal",
    "bench_panels",
    "bench_register",
    "bench_shares",
    "bench_vision",
    "bench_watch",
    "camera_frames",
    "decode",
    "examine",
    "find_successor",
    "read_cells",
    "read_panel",
    "reliability_svg",
    "scan",
    "scan_table",
    "setup_shown",
    "teach",
    "video_frames",
]
