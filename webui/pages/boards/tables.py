"""My copy of the tables: what a share is worth, Mašinfíra's tiles, how many demand tiles there are of each pair."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations_with_replacement

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.mini_express import COMPANIES, Pack, PackProblem
from engine.mini_express.names import REFRESH, WILD, Pair, pair
from engine.mini_express.pack.writing import tiles_toml, values_toml
from engine.mini_express.scoring import COLUMNS
from engine.sentences import Problem

from ...forms import Form, in_short, whole_number
from ...kept.packs import WRITTEN, about_own_copy
from ...problems import WebProblem, status_of
from ...services import pack_in_use, packs

tables = Blueprint("tables", __name__)

PAIRS: list[Pair] = [
    *(pair(*symbols) for symbols in combinations_with_replacement(COMPANIES, 2)),
    *(pair(company, WILD) for company in COMPANIES),
]
DIGITS = {"value": 2, "bot": 1, "count": 2}


@dataclass(frozen=True)
class Numbers:
    """The tables as a form shows them: `values` rows of (first, second, other), `bot` tiles of (city, company)."""

    values: list[tuple[int, ...]]
    bot: list[tuple[int, int]]
    refresh: int
    demand: dict[Pair, int]

    @staticmethod
    def of(pack: Pack) -> "Numbers":
        bot = [tile for tile in pack.bot_tiles if isinstance(tile, tuple)]
        counts = Counter(pack.demand_tiles)
        demand = {pair: counts[pair] for pair in PAIRS}
        return Numbers([*pack.values], bot, pack.bot_tiles.count(REFRESH), demand)

    @staticmethod
    def sent(form: Form, shown: "Numbers") -> "Numbers":
        """What was written into the form that showed `shown`. Raises WebProblem."""
        return Numbers(
            [
                tuple(whole_number(form, f"{column}.{row}", DIGITS["value"]) for column in COLUMNS)
                for row in range(len(shown.values))
            ],
            [
                (
                    whole_number(form, f"city.{n}", DIGITS["bot"]),
                    whole_number(form, f"company.{n}", DIGITS["bot"]),
                )
                for n in range(len(shown.bot))
            ],
            shown.refresh,
            {pair: whole_number(form, f"count.{'-'.join(pair)}", DIGITS["count"]) for pair in PAIRS},
        )

    def files(self) -> dict[str, str]:
        """As the files of a pack."""
        return {
            "values.toml": values_toml(self.values),
            "tiles.toml": tiles_toml(self.bot, self.refresh, self.demand),
        }


@tables.get("/copy/tables")
def show() -> str:
    """The tables in use, to be corrected."""
    packs().check_may_change()
    return _page(Numbers.of(pack_in_use()))


@tables.post("/copy/tables")
def keep() -> ResponseReturnValue:
    """They are as printed: new games are played with them."""
    packs().check_may_change()
    shown = Numbers.of(pack_in_use())
    written = Numbers.sent(request.form, shown)

    def files(in_use: Pack) -> dict[str, str]:
        if request.form.get("seen") != in_short(Numbers.of(in_use)):
            raise WebProblem("tables_changed")
        return written.files()

    try:
        packs().change(files)
    except PackProblem as problem:
        return _refused(written, about_own_copy(problem))
    except WebProblem as problem:
        return _refused(written, problem)
    return redirect(url_for("calibrating.overview"), 303)


def _refused(written: Numbers, problem: Problem) -> ResponseReturnValue:
    return _page(written, problem), status_of(problem)


def _page(numbers: Numbers, problem: Problem | None = None) -> str:
    in_use = pack_in_use()
    return render_template(
        "boards/tables.html",
        numbers=numbers,
        columns=COLUMNS,
        digits=DIGITS,
        problem=problem,
        seen=in_short(Numbers.of(in_use)),
        reconstructed=any(entry.file in WRITTEN for entry in in_use.reconstructed()),
    )
