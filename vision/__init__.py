"""From photos of the table to what is on it, with probabilities, and from there to a state the rules allow.

    found = scan(["game.jpg"], Profile.load("table"), before=state)
    found.actions, found.state, found.doubtful, found.unseen
    picture = annotate(found)
    whole = scan_table(["everything.jpg"], Profile.load("table"))

    watcher = Watcher(Profile.load("table"), state)
    for seconds, frame in camera_frames(0):
        for event in watcher.see(frame, seconds): …

`read_cells` is the reader underneath: any surface with cells and kinds of pieces, no rules; `BoardReading` says what a
person should look at there. How well all this is done `vision.bench` measures.
"""

from .agreed import Agreed
from .annotate import annotate, annotate_cells, annotate_proposal
from .any_board import BoardReading
from .cells.reading import Reading, examine, read_cells
from .figure import Figure
from .live.turns import BoardSeen, Turn, Unclear, WatchEvent
from .live.video import VideoProblem, camera_frames, video_frames
from .live.watch import Watcher
from .memory import use_one_store
from .panels.reading import PanelReading
from .scan import Scan, scan
from .shares.reading import NoShares
from .state.decode import Conflict, Doubt, decode
from .state.observation import Observation
from .state.successor import find_successor
from .table import TableScan, scan_table
from .teach import LessonProblem, setup_shown, teach

use_one_store()  # before the first thread starts

__all__ = [
    "Agreed",
    "BoardReading",
    "BoardSeen",
    "Conflict",
    "Doubt",
    "Figure",
    "LessonProblem",
    "NoShares",
    "Observation",
    "PanelReading",
    "Reading",
    "Scan",
    "TableScan",
    "Turn",
    "Unclear",
    "VideoProblem",
    "WatchEvent",
    "Watcher",
    "annotate",
    "annotate_cells",
    "annotate_proposal",
    "camera_frames",
    "decode",
    "examine",
    "find_successor",
    "read_cells",
    "scan",
    "scan_table",
    "setup_shown",
    "teach",
    "video_frames",
]
