"""What players agree on before a game, as forms ask and say it."""

import random
from collections.abc import Collection
from typing import Any

from engine.mini_express import DIFFICULTIES, MODULES, SEATS, Pack, Setup, State, new
from engine.mini_express.names import MASINFIRA
from engine.mini_express.setup import WITH_BOT, has_room_for

from ..forms import Form, players
from ..services import games, pack_in_use, reader

# So many players have a colour before anybody chose, should more play this time.
SEATS_SHOWN = 3


def agreed_so_far(said: Form) -> dict[str, Any]:
    """What a form for a game begins with: what was said in it or its address, else what was agreed last."""
    last = agreed_last()
    if "mode" not in said:
        return last
    seats = [said.get(f"seat{n}", "") for n in range(len(SEATS))]
    fields = {field: said.get(field, last[field]) for field in ("board", "mode", "difficulty")}
    rulings = {"korean_start": "korean_start" in said, "tiles": said.get("tiles")}
    return {**fields, **rulings, "seats": seats, "modules": said.getlist("module")}


def agreed_last() -> dict[str, Any]:
    """What was agreed for the newest game; for the first, that it is played alone."""
    kept = games().newest()
    if kept is None:
        first = {"board": _first_board(), "mode": "solo", "difficulty": DIFFICULTIES[0]}
        return {**first, "seats": SEATS[:SEATS_SHOWN], "modules": ()}
    newest = kept.state.setup
    others = [seat for seat in SEATS if seat not in newest.humans]
    return {
        "board": newest.board.id,
        "mode": newest.mode,
        "difficulty": newest.difficulty or DIFFICULTIES[0],
        "seats": [*newest.humans, *others[: max(0, SEATS_SHOWN - len(newest.humans))]],
        "modules": newest.modules,
    }


def _first_board() -> str:
    """The only map of which photos can be read, if there is just one."""
    known = [board.id for board in pack_in_use().boards.values() if reader().profiles.know(board)]
    return known[0] if len(known) == 1 else "usa"


def agreed(form: Form) -> dict[str, list[str]]:
    """What a game is set up by, as it was filled in."""
    seats = (f"seat{i}" for i in range(len(SEATS)))
    fields = ("board", "mode", "difficulty", "module", "korean_start", *seats)
    return {field: form.getlist(field) for field in fields if field in form}


def new_state(form: Form, pack: Pack) -> State:
    """A new game, dealt by lot. Raises what the engine refuses together."""
    mode, difficulty, seats = players(form)
    return new(
        board=form.get("board", "")[:40],
        mode=mode,
        difficulty=difficulty,
        seats=seats,
        modules=modules_in(form, pack),
        rng=random.SystemRandom(),
        pack=pack,
        korean_start="korean_start" in form and mode in WITH_BOT,
    )


def modules_in(form: Form, pack: Pack) -> list[str]:
    """Those that were ticked; not those that the form hides since the map has no room for them."""
    board = pack.boards.get(form.get("board", ""))
    ticked = [module[:40] for module in form.getlist("module")[: len(MODULES)]]
    return [module for module in ticked if board is None or has_room_for(board, module)]


def forgotten(setup: Setup, colours: Collection[str]) -> list[str]:
    """The colours on the tracks that nobody is said to play; one may be Mašinfíra's."""
    more = [colour for colour in colours if colour not in setup.seats]
    return more if len(more) > (MASINFIRA in setup.seats) else []
