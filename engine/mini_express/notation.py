"""The compact notation: one line for each action, for logs and for pasting a game into a message.

draft b                      a first share of brown (b, g, o, w are the companies, * is wild)
share g                      a share of gray
build o 1,0 2,0 wild=g       track for orange, hex by hex; port=0,5 and west=o where there is a choice
draw 2/1                     Mašinfíra's tile with 2 city and 1 company moves; draw refresh
pass
"""

import re

from ..hexgrid import Hex
from .actions import Action, Build, Draft, Draw, Pass, TakeShare
from .errors import Malformed
from .names import COMPANIES, REFRESH, WILD, BotTile, Pair, pair

LETTERS = {company[0]: company for company in COMPANIES} | {"*": WILD}
EXAMPLE = "build o 1,0 2,0"


def action_to_text(action: Action) -> str:
    """One line; `action_from_text` reads it back."""
    match action:
        case Draft(company):
            return f"draft {company[0]}"
        case TakeShare(company):
            return f"share {company[0]}"
        case Draw(tile):
            return f"draw {tile}" if isinstance(tile, str) else f"draw {tile[0]}/{tile[1]}"
        case Pass():
            return "pass"
    words = ["build", action.company[0], *map(hex_to_text, action.route)]
    words += [f"wild={action.wild[0]}"] if action.wild else []
    words += [f"port={hex_to_text(action.port)}"] if action.port else []
    words += [f"west={action.western[0]}"] if action.western else []
    return " ".join(words)


def action_from_text(line: str) -> Action:
    """Read one line of notation. Raises Malformed."""
    match line.split():
        case ["draft", letter]:
            return Draft(_company(letter, line))
        case ["share", letter]:
            return TakeShare(_company(letter, line))
        case ["draw", word] if (tile := tile_from_text(word)) is not None:
            return Draw(tile)
        case ["pass"]:
            return Pass()
        case ["build", letter, *words] if words:
            return _build(_company(letter, line), words, line)
    raise _wrong(line)


def _build(company: str, words: list[str], line: str) -> Build:
    chosen = [word for word in words if "=" in word]
    choices = dict(word.split("=", 1) for word in chosen)
    route = tuple(_hex(word, line) for word in words if "=" not in word)
    if not route or len(choices) < len(chosen) or choices.keys() - {"wild", "port", "west"}:
        raise _wrong(line)
    wild, west = (_company(choices[key], line) if key in choices else None for key in ("wild", "west"))
    return Build(company, route, wild, _hex(choices["port"], line) if "port" in choices else None, west)


def _company(letter: str, line: str) -> str:
    company = LETTERS.get(letter, letter)
    if company not in COMPANIES:
        raise _wrong(line)
    return company


def _hex(word: str, line: str) -> Hex:
    if (at := hex_from_text(word)) is None:
        raise _wrong(line)
    return at


def _wrong(line: str) -> Malformed:
    return Malformed("notation", line=line.strip()[:60], example=EXAMPLE)


def hex_to_text(at: Hex) -> str:
    """A hex as "q,r"."""
    return f"{at[0]},{at[1]}"


def hex_from_text(text: str) -> Hex | None:
    """The hex of "q,r"; None when it is not one."""
    found = re.fullmatch(r"(-?\d{1,3}),(-?\d{1,3})", text, re.ASCII)
    return (int(found[1]), int(found[2])) if found else None


def tile_from_text(text: str) -> BotTile | None:
    """Mašinfíra's tile of "2/1", "2,1" or "refresh"; None when it is not one."""
    if text == REFRESH:
        return REFRESH
    found = re.fullmatch(r"(\d)[/,](\d)", text, re.ASCII)
    return (int(found[1]), int(found[2])) if found else None


def pair_to_text(tile: Pair) -> str:
    """A demand tile in two letters, "bg" or "o*"."""
    return "".join("*" if symbol == WILD else symbol[0] for symbol in tile)


def pair_from_text(text: str) -> Pair | None:
    """The demand tile of two letters; None when it is not one."""
    if len(text) != 2 or any(letter not in LETTERS for letter in text) or text == "**":
        return None
    return pair(LETTERS[text[0]], LETTERS[text[1]])
