"""From photos of the table to what is on it, with probabilities, and from there to a state the rules allow.

    found = scan(["game.jpg"], Profile.load("table"), before=state)
    found.actions, found.state, found.doubtful, found.unseen
    picture = annotate(found)

    watcher = Watcher(Profile.load("table"), state)
    for seconds, frame in camera_frames(0):
        for event in watcher.see(frame, seconds): …

`read_cells` is the plain reader underneath: any surface with cells and kinds of pieces, no rules.
"""

from .annotate import annotate
from .bench import BenchProblem, bench_vision
from .decode import Decoded, Doubt, decode
from .observation import Observation
from .reading import Reading, examine, read_cells
from .reliability import reliability_svg
from .scan import Scan, scan
from .successor import Conflict, Successor, find_successor
from .teach import LessonProblem, setup_shown, teach
from .video import VideoProblem, camera_frames, video_frames
from .watch import BoardSeen, Turn, Unclear, Watcher, WatchEvent

__all__ = [
    "BenchProblem",
    "BoardSeen",
    "Conflict",
    "Decoded",
    "Doubt",
    "LessonProblem",
    "Observation",
    "Reading",
    "Scan",
    "Successor",
    "Turn",
    "Unclear",
    "VideoProblem",
    "WatchEvent",
    "Watcher",
    "annotate",
    "bench_vision",
    "camera_frames",
    "decode",
    "examine",
    "find_successor",
    "read_cells",
    "reliability_svg",
    "scan",
    "setup_shown",
    "teach",
    "video_frames",
]
