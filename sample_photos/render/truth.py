"""What is written beside a photo: the state, what can be seen of it, where the board lies in the picture."""

import random
from math import degrees
from typing import TYPE_CHECKING, Any

import panels
from boards import Board, Hex, Point, center, corners, hex_depth
from camera import between
from layout import Spot
from panels import Panel

if TYPE_CHECKING:
    from make import Shot
    from scene import Scene

FORMAT = "masinfira/mini-express/truth/1"
UNSEEN = 0.6
TAPS = 6


def shown(state: dict[str, Any], board: Board) -> dict[str, Any]:
    """The parts of a full state JSON that lie on the map."""
    bot, spike = state.get("bot"), state.get("golden_spike")
    return {
        "track": state["track"],
        "demand": state["demand"],
        "bot": {"target": bot["target"]} if bot else None,
        "spikes": [board.spike] if spike and spike["status"] == "waiting" else [],
    }


def setup(board: Board, rng: random.Random) -> dict[str, Any]:
    """The known set-up: a train of each company on its start city, tiles on the others (R2.2, R2.3)."""
    companies = ("brown", "gray", "orange", "white")
    pairs = [[a, b] for i, a in enumerate(companies) for b in companies[i + 1 :]] * 4
    pairs += [[c, c] for c in companies] + [[c, "wild"] for c in companies]
    rng.shuffle(pairs)
    track = {company: [list(board.starts[company].at)] for company in companies}
    return {"track": track, "demand": {str(n): pairs[n - 1] for n in sorted(board.by_number)}, "bot": None}


def conditions(shot: "Shot") -> dict[str, Any]:
    """How the photo was taken, for figures per condition."""
    photo = shot.photo
    return {
        "light": photo["light"],
        "tilt": photo["tilt"],
        "rotation": photo["rotation"] % 360,
        "covered": bool(photo["cover"]),
        "clutter": bool(photo["clutter"]),
        "toppled": photo["toppled"],
        "size": list(shot.camera.size),
        "reach": photo["reach"],
        "held_out": shot.table.get("held_out", False),
    }


def truth(shot: "Shot", spots: list[Spot], scene: "Scene") -> dict[str, Any]:
    """The whole truth JSON of a photo of a game."""
    assert shot.game is not None
    matrix = between(shot.reference, shot.camera)
    return {
        "format": FORMAT,
        "table": shot.photo["table"],
        "board": shot.board.id,
        "surfaces": [shot.photo["surface"], *(laid.panel.id for laid in shot.beside)],
        **(of_panel(shot, scene, shot.panel) if shot.panel else of_map(shot, spots, scene)),
        **(of_beside(shot, scene) if shot.beside else {}),
        "conditions": conditions(shot),
        **{key: shot.game[key] for key in ("before", "action", "state") if key in shot.game},
        "homography": [[float(f"{v:.9g}") for v in row] for row in matrix],
    }


def of_map(shot: "Shot", spots: list[Spot], scene: "Scene") -> dict[str, Any]:
    """What lies on the map, which hexes cannot be seen, and where the hexes are in the photo."""
    assert shot.game is not None
    shares, unseen = hidden(shot, spots, scene)
    return {
        **{key: shot.game[key] for key in ("track", "demand", "bot")},
        **({"spikes": shot.game["spikes"]} if shot.game.get("spikes") else {}),
        "pieces": [told(spot) for spot in spots],
        "unseen": [list(at) for at in unseen],
        "hidden": {f"{q},{r}": share for (q, r), share in shares.items()},
        "hex_px": {f"{q},{r}": _rounded(shot.camera.on_board(center((q, r)))) for q, r in shot.board.at},
    }


def told(spot: Spot) -> dict[str, Any]:
    """Where one piece lies, in the board frame: mm, and degrees from east towards south."""
    return {
        "kind": spot.kind,
        "look": list(spot.look),
        "at": _rounded(spot.at),
        "angle": round(degrees(spot.angle) % 360),
        "toppled": spot.toppled,
    }


def of_panel(shot: "Shot", scene: "Scene", panel: Panel) -> dict[str, Any]:
    """The same for the tracks or the assets; cells instead of hexes."""
    assert shot.game is not None
    shares = {name: scene.hidden_share(shot.camera, outline) for name, outline in panel.cells.items()}
    return {
        **panels.shown(panel, shot.game["state"]),
        "marker": shot.table["marker"],
        "unseen": [name for name, share in shares.items() if share > UNSEEN],
        "cell_px": {name: _rounded(shot.camera.on_board(panel.middle(name))) for name in panel.cells},
    }


def of_beside(shot: "Shot", scene: "Scene") -> dict[str, Any]:
    """The same for the panels beside the map, of which nothing may be hidden."""
    assert shot.game is not None
    for laid in shot.beside:
        for name, outline in laid.panel.cells.items():
            share = scene.hidden_share(shot.camera, [laid.on_map(point) for point in outline])
            assert share <= UNSEEN, f"{name} cannot be seen"
    return {**panels.shown_beside(shot.beside, shot.game["state"]), "marker": shot.table["marker"]}


def hidden(shot: "Shot", spots: list[Spot], scene: "Scene") -> tuple[dict[Hex, float], list[Hex]]:
    """How much of each hex is outside the picture or behind a cover (0 left out), and the unseen hexes.

    Unseen is a hex with more than `UNSEEN` of its area hidden, or with a piece that is hidden as much.
    """
    shares, unseen = {}, []
    for at in sorted(shot.board.at):
        area = [corner for k in range(1, 5) for corner in corners(at, k / 4.5)] + [center(at)]
        pieces = [[*spot.corners(-2), spot.at] for spot in spots if hex_depth(spot.at, at) > 0]
        share, *of_pieces = (scene.hidden_share(shot.camera, points) for points in (area, *pieces))
        if share:
            shares[at] = round(share, 2)
        if max(share, *of_pieces, 0) > UNSEEN:
            unseen.append(at)
    return shares, unseen


def tapped(shot: "Shot") -> dict[str, Any]:
    """A points file: what a person taps in the photo of the empty surface, some pixels off."""
    if shot.panel:
        return tapped_panel(shot, shot.panel)
    chosen = far_apart(shot.board)
    return {"image_points": [{"hex": list(at), "px": _tap(shot, center(at))} for at in chosen]}


def tapped_panel(shot: "Shot", panel: Panel) -> dict[str, Any]:
    """The board's corners and size, the ends of each track, the corners of each area, the sizes of the pieces."""
    left, top, right, bottom = panel.bounds
    rim = [(left, top), (right, top), (right, bottom), (left, bottom)]
    rows = panels.tracks_of(panel)
    areas = {name: [_tap(shot, p) for p in outline] for name, outline in panels.areas_of(panel).items()}
    used = {name.partition("/")[0] for name in panel.cells}
    return {
        "corners": [_tap(shot, corner) for corner in rim],
        "size_mm": [right - left, bottom - top],
        "pieces_mm": {sort: size for sort, size in panels.PIECES_MM.items() if sort in used},
        "tracks": {
            name: {
                "at": [0, len(cells) - 1],
                "px": [_tap(shot, panel.middle(c)) for c in (cells[0], cells[-1])],
            }
            for name, cells in rows.items()
        },
        "areas": areas,
    }


def far_apart(board: Board) -> list[Hex]:
    """Hexes all over the map, as many as a person should tap."""
    chosen = [min(board.at, key=lambda at: center(at)[0] + center(at)[1])]
    while len(chosen) < TAPS:
        chosen.append(max(board.at, key=lambda at: min(_apart(at, other) for other in chosen)))
    return chosen


def _tap(shot: "Shot", point: Point) -> list[int]:
    return [round(v + shot.rng.gauss(0, 1.8)) for v in shot.camera.on_board(point)]


def _apart(a: Hex, b: Hex) -> float:
    (x, y), (u, v) = center(a), center(b)
    return ((x - u) ** 2 + (y - v) ** 2) ** 0.5


def _rounded(point: tuple[float, float]) -> list[float]:
    return [round(point[0], 1), round(point[1], 1)]
