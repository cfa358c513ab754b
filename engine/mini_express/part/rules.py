"""What the rules make certain of a position that is known in part.

Every rule here yields (path, value, clause) only where no other value is possible in any game: the counts of R1.2,
what a new game begins with, a value that can be counted on the map. What is merely likely is not derived.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...hexgrid import Hex
from .. import setup as setups
from ..actions import tile_to_json
from ..agreed import mode_of, setup_of
from ..board import Board
from ..check import Broken
from ..fields import Known, Path
from ..golden_spike import BONUS
from ..names import COMPANIES, MASINFIRA, SEATS, SHARES, TOP_VALUE, TRAINS
from ..notation import hex_from_text
from ..shares import value_of_left, value_with
from ..state import Setup

if TYPE_CHECKING:
    from .position import Part

Certain = Iterator[tuple[Path, Any, str]]
Rule = Callable[["Part", Known], Certain]
UNDER_WAY = ("play", "over")


def derived(part: "Part") -> tuple[Known, dict[Path, str]]:
    """What is told and everything that follows from it, and by which clauses.

    Raises Broken where that cannot be (R1.2, R3.2, R10.1).
    """
    known, clauses = {**part.told}, dict[Path, str]()
    if mode_of(known) in setups.WITHOUT_BOT:
        _drop_bot(known)
    if _without_spike(part, known) and any(path.startswith("golden_spike.") for path in known):
        raise Broken("spike_extra", rule="R10.1")
    _refuse_islands(part, known)
    grows = True
    while grows:
        fresh = [found for rule in RULES for found in rule(part, known) if found[0] not in known]
        for path, value, clause in fresh:
            known[path], clauses[path] = value, clause
        grows = bool(fresh)
    if part.players:
        known["seats"] = list(part.players)
    return known, clauses


def _drop_bot(known: dict[Path, Any]) -> None:
    """Who says that no target marker lies on the map says nothing against a game without Mašinfíra."""
    told = {path for path in known if path.startswith("bot.")}
    if told - {"bot.target"} or known.get("bot.target"):
        raise Broken("bot_extra", rule="R7.2")
    for path in told:
        del known[path]


def agreed(part: "Part", known: Known) -> Certain:
    """What the mode, the map and the modules leave no choice in."""
    if mode := mode_of(known):
        yield "mode", mode, ""
        if mode != "solo":
            yield "difficulty", None, "R7.13"
        if mode not in setups.WITH_BOT:
            yield "bot", None, "R7.2"
    if _without_spike(part, known):
        yield "golden_spike", None, "R10.1"


def _without_spike(part: "Part", known: Known) -> bool:
    no_place = part.board is not None and part.board.spike is None
    return no_place or "golden_spike" not in known.get("modules", ("golden_spike",))


def _turn(_: "Part", known: Known) -> Certain:
    """R9.2: only experts have turns of two actions. R7.6: only in its own turn Mašinfíra draws again."""
    mode, phase = known.get("mode"), known.get("phase")
    if (mode and mode != "experts") or phase == "draft":
        yield "actions_left", 1, "R9.2"
        yield "used", None, "R9.2"
    if known.get("actions_left") == 2:
        yield "used", None, "R9.2"
    if mode in setups.WITH_BOT and (
        phase in ("draft", "over") or known.get("to_move", MASINFIRA) != MASINFIRA
    ):
        yield "bot.redraw", False, "R7.6"


def _new_game(part: "Part", known: Known) -> Certain:
    """R2: during the draft nothing but shares has moved."""
    setup = _setup(part, known)
    if setup is None or known.get("phase") != "draft":
        return
    start = setups.starting_state(setup, ())
    for c, company in enumerate(COMPANIES):
        for count in ("value", "reservoir", "supply", "offer", "out"):
            clause = setups.DEALT_BY[setup.mode] if count in ("offer", "out") else "R2.2"
            yield f"companies.{company}.{count}", getattr(start, count)[c], clause
        yield f"track.{company}", [list(at) for at in start.hexes(company)], "R2.2"
        for seat, row in zip(setup.seats, start.influence, strict=True):
            yield f"influence.{seat}.{company}", row[c], _influence_clause(setup, seat)


def _influence_clause(setup: Setup, seat: str) -> str:
    """The clause that says with how much influence a seat begins."""
    if setup.from_difficulty("railwayman"):
        return "R7.17"
    return "R7.2" if seat == MASINFIRA else "R2.6"


def _setup(part: "Part", known: Known) -> Setup | None:
    """What is agreed before a game, where all of it is known."""
    if not part.players or any(path not in known for path in ("board", "mode", "difficulty", "modules")):
        return None
    return setup_of({**known, "seats": part.players}, part.pack)


def _after_draft(_: "Part", known: Known) -> Certain:
    """R2.5: once the draft is over nothing is aside. R3.2: without supply nothing is offered."""
    for company in COMPANIES:
        if known.get("phase") in UNDER_WAY:
            yield f"companies.{company}.aside", 0, "R2.5"
        if known.get(f"companies.{company}.supply") == 0:
            if known.get(f"companies.{company}.offer"):
                raise Broken("exhausted", rule="R3.2", company=company)
            yield f"companies.{company}.offer", 0, "R3.2"


def _trains(part: "Part", known: Known) -> Certain:
    """R1.2: 25 trains on the map, in the reservoir, in the supply and on the Golden Spike tile."""
    for company in COMPANIES:
        on_map, on_tile = _on_map(part, known, company), _on_tile(known, company)
        if on_map is not None and on_tile is not None:
            counts = [f"companies.{company}.{count}" for count in ("reservoir", "supply")]
            yield from _rest(known, counts, TRAINS - len(on_map) - on_tile, "trains", company)


def _on_map(part: "Part", known: Known, company: str) -> list[list[int]] | None:
    """The hexes with its trains, where the photos left none open."""
    return None if open_hexes(part) else known.get(f"track.{company}")


def open_hexes(part: "Part") -> list[Hex]:
    """The hexes that photos left open."""
    hexes = (hex_from_text(path.removeprefix("track.")) for path in part.unsure)
    return [at for at in hexes if at]


def _refuse_islands(part: "Part", known: Known) -> None:
    """R1.2b: every piece of track has a start in it, where the photos left no hex open. Raises Broken."""
    for broken in islands(part, known) if not open_hexes(part) else ():
        raise broken


def islands(part: "Part", known: Known) -> Iterator[Broken]:
    """R1.2b: track without its start, or one that R10.3 or R11.2 may have begun, whatever lies on open hexes."""
    board = part.board
    if board is None or "modules" not in known:
        return
    more = board.port_mask if board.ports_closed else 0
    if board.spike and not _without_spike(part, known):
        more |= 1 << board.city_named[board.spike.west].bit
    left_open = mask_of(board, open_hexes(part))
    for company in COMPANIES:
        track = mask_of(board, known.get(f"track.{company}", ())) & ~left_open
        linked = board.piece(track | left_open, more | 1 << board.starts[company].bit)
        if island := track & ~linked:
            yield Broken("island", rule="R1.2b", company=company, hexes=board.hexes(island))


def too_many_trains(part: "Part", known: Known) -> Iterator[Broken]:
    """R1.2: more than 25 trains of a company are told, those on open hexes not counted."""
    left_open = open_hexes(part)
    for company in COMPANIES:
        on_map = [at for at in known.get(f"track.{company}", ()) if (at[0], at[1]) not in left_open]
        counts = [known.get(f"companies.{company}.{count}", 0) for count in ("reservoir", "supply")]
        found = len(on_map) + sum(counts) + (_on_tile(known, company) or 0)
        if found > TRAINS:
            yield Broken("trains", rule="R1.2", company=company, found=found)


def too_many_shares(known: Known) -> Iterator[Broken]:
    """R1.2: more than 9 shares of a company are told, whoever plays."""
    for company in COMPANIES:
        counts = [f"companies.{company}.{count}" for count in ("offer", "aside", "out")]
        held = [f"shares.{seat}.{company}" for seat in (*SEATS, MASINFIRA)]
        found = sum(known.get(path, 0) for path in (*counts, *held))
        if found > SHARES:
            yield Broken("shares", rule="R1.2", company=company, found=found)


def mask_of(board: Board, hexes: Sequence[Sequence[int]]) -> int:
    """The mask of these hexes. Hexes not on this map are skipped; `Part.state` reports them."""
    return board.mask([(q, r) for q, r in hexes if (q, r) in board.index])


def _on_tile(known: Known, company: str) -> int | None:
    """Its trains on the Golden Spike tile."""
    if "golden_spike" in known:
        return 0
    sides = [known.get(f"golden_spike.{side}", ...) for side in ("eastern", "western")]
    return None if ... in sides else sides.count(company)


def _shares(part: "Part", known: Known) -> Certain:
    """R1.2: 9 shares in the offer, held, aside and out of the game."""
    if not part.players or mode_of(known) is None:
        return
    for company in COMPANIES:
        counts = [f"companies.{company}.{count}" for count in ("offer", "aside", "out")]
        counts += [f"shares.{seat}.{company}" for seat in part.players]
        yield from _rest(known, counts, SHARES, "shares", company)


def _rest(known: Known, counts: list[Path], total: int, key: str, company: str) -> Certain:
    """The one number that is not known is what the others leave of the total. Raises Broken where they exceed it."""
    unknown = [path for path in counts if path not in known]
    left = total - sum(known[path] for path in counts if path in known)
    if left < 0:
        whole = {"trains": TRAINS, "shares": SHARES}[key]
        raise Broken(key, rule="R1.2", company=company, found=whole - left)
    if len(unknown) == 1:
        yield unknown[0], left, "R1.2"


def _out(part: "Part", known: Known) -> Certain:
    """R2.5, R8.1, R9.1: what leaves the game after the draft; as long as there is a supply nothing follows it."""
    setup = _setup(part, known)
    if setup is None or known.get("phase") not in UNDER_WAY or setup.mode == "solo":
        return
    box = setups.shares_dealt(setup.mode, len(setup.seats)).box
    for company in COMPANIES:
        if known.get(f"companies.{company}.supply"):
            if setup.mode != "standard":
                yield f"companies.{company}.out", box, setups.DEALT_BY[setup.mode]
            elif (left := _left_aside(part, known, setup, company)) is not None:
                yield f"companies.{company}.out", box + left, "R2.5"


def _left_aside(part: "Part", known: Known, setup: Setup, company: str) -> int | None:
    """R2.5: how many shares were left aside, as far as the value shows that there were."""
    value, built = known.get(f"companies.{company}.value"), _value_built(part, known, company)
    if value is None or built is None or value >= TOP_VALUE or value < built:
        return None
    left, odd = divmod(value - built, value_of_left(len(setup.seats)))
    return None if odd else left


def _values(part: "Part", known: Known) -> Certain:
    """R5.5: a value is the landscape that was built on, and what the draft (R2.5) and the spike (R10.5) add."""
    setup = _setup(part, known)
    if setup is None or known.get("phase") not in UNDER_WAY:
        return
    box = setups.shares_dealt(setup.mode, len(setup.seats)).box
    for company in COMPANIES:
        built, left = _value_built(part, known, company), 0
        if setup.mode == "standard":
            if f"companies.{company}.out" not in known or not known.get(f"companies.{company}.supply"):
                continue  # shares out of the game need not have been left aside
            left = known[f"companies.{company}.out"] - box
        if built is not None and left >= 0:
            value = value_with(built, left, len(setup.seats))
            yield f"companies.{company}.value", value, "R5.5"


def _value_built(part: "Part", known: Known, company: str) -> int | None:
    """The value but for what the draft gave."""
    hexes, on_tile = _on_map(part, known, company), _on_tile(known, company)
    status = known.get("golden_spike.status") if on_tile else "none"
    if hexes is None or on_tile is None or status is None or part.board is None:
        return None
    landscape = mask_of(part.board, hexes) & part.board.landscape
    return landscape.bit_count() + (BONUS if status == "linked" else 0)


def _bot(part: "Part", known: Known) -> Certain:
    """R7.4: once the game is under way every tile is in the bag or beside it."""
    if known.get("mode") in setups.WITH_BOT and known.get("phase") in UNDER_WAY:
        for here, there in (("bot.bag", "bot.drawn"), ("bot.drawn", "bot.bag")):
            tiles: list[Any] = [*map(tile_to_json, part.pack.bot_tiles)]
            elsewhere = known.get(there, [None])
            if all(tile in tiles for tile in elsewhere):
                for tile in elsewhere:
                    if tile in tiles:
                        tiles.remove(tile)
                yield here, tiles, "R7.4"


def _spike(part: "Part", known: Known) -> Certain:
    """R10: the spike waits until Omaha or San Francisco is reached; only a race that is on has companies."""
    if "golden_spike" not in known.get("modules", ()) or part.board is None or part.board.spike is None:
        return
    tracks = [_on_map(part, known, company) for company in COMPANIES]
    ends = [list(part.board.city_named[name].at) for name in part.board.spike[:2]]
    if all(track is not None and not any(end in track for end in ends) for track in tracks):
        yield "golden_spike.status", "waiting", "R10.3"
    status = known.get("golden_spike.status")
    if status in ("waiting", "off"):
        yield "golden_spike.eastern", None, "R10.3"
    if status in ("waiting", "off", "building"):
        yield "golden_spike.western", None, "R10.4"


RULES: tuple[Rule, ...] = (
    agreed, _turn, _new_game, _after_draft, _trains, _shares, _out, _values, _bot, _spike,
)  # fmt: skip
