"""Links from a page: to the same one in another language, and back from a refusal."""

import re
from urllib.parse import urlencode, urlsplit

from flask import current_app, request, url_for
from werkzeug.exceptions import HTTPException

from .kept.games import GAME_ID
from .services import games

# The pages whose form can be filled in from their address, by what takes the form; what is no part of it, and how long
# an address may be.
FILLED_IN = (
    "starting.create",
    "laying.begin",
    "counting.read_tracks",
    "calibrating.send",
    "underway.begin",
    "underway.tell",
    "underway.look",
    "underway.remove",
    "underway.go_on",
)
NOT_FILLED_IN = ("token", "version", "was")
ADDRESS_AT_MOST = 4000
# What a visitor wanted to see is sent along with the code, which may not be long.
WANTED_AT_MOST = 500


def in_language(code: str) -> str:
    """The same page in another language; of a form that was refused with all that was filled in."""
    return f"{_here()}?{urlencode({**_asked(), 'lang': code}, doseq=True)}"


def _here() -> str:
    """The page to show in another language: this one, or where there is none to ask for, the one it leads back to."""
    return request.path if _is_page(request.path) else back()


def page_of_ours(address: str) -> str:
    """The address, a path with a query, of a page that can be asked for here; for anything else that of all games."""
    # Browsers read a backslash as a slash, and leave out tabs and line ends.
    here = re.fullmatch(r"/(?!/)[^\s\\\x00-\x1f]*", address) and len(address) <= WANTED_AT_MOST
    return address if here and _is_page(urlsplit(address).path) else url_for("starting.home")


def _is_page(path: str) -> bool:
    """Whether a path can be asked for, not only sent to."""
    try:
        current_app.url_map.bind("here").match(path, method="GET")
    except HTTPException:
        return False
    return True


def _asked() -> dict[str, list[str]]:
    """What the address says of the page, or would say after a form."""
    if request.method == "GET":
        return request.args.to_dict(flat=False)
    return _filled_in() if request.endpoint in FILLED_IN else {}


def _filled_in() -> dict[str, list[str]]:
    """What the form says, {} where that is no form of ours: too big to be read, or for an address."""
    try:
        form = request.form.to_dict(flat=False)
    except HTTPException:
        return {}
    said = {name: values for name, values in form.items() if name not in NOT_FILLED_IN}
    return said if len(urlencode(said, doseq=True)) <= ADDRESS_AT_MOST else {}


def back() -> str:
    """Where to go on from a page that refused: the game, the position or the boards it is of, else all games."""
    game = _game_in_path()
    if game and games().holds(game) and request.path != (table := url_for("playing.table", id=game)):
        return table
    if position := re.match(r"(/underway/[0-9a-f]{16})/", request.path):
        return position[1]
    if request.path.startswith(("/calibrate/", "/copy/")):
        return url_for("calibrating.overview")
    return url_for("starting.home")


def _game_in_path() -> str | None:
    """The id of the game that the page asked for is of."""
    found = re.match(rf"/game/({GAME_ID})", request.path)
    return found[1] if found else None
