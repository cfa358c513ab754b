"""The map, the score and the moves, drawn in the terminal."""

import re
from collections.abc import Collection, Iterable, Mapping

from rich.table import Table
from rich.text import Text

from engine import mini_express as game
from engine.hexgrid import Hex
from engine.mini_express.board import City
from engine.mini_express.building import origin_of
from engine.mini_express.places import place
from engine.mini_express.scoring import CompanyScore
from engine.mini_express.state import Bot, Setup
from engine.sentences import N_, P_

from .console import Console, company_style

CELL = 4

Letter = tuple[str, str]
"""A letter with its style."""
Letters = list[Letter]
Track = Mapping[str, Collection[Hex]]
"""The hexes with a train of each company."""


def draw_position(console: Console, state: game.State) -> None:
    """All that lies on the table, and whose turn it is."""
    draw_map(console, state)
    draw_summary(console, state)
    draw_turn(console, state)


def draw_map(console: Console, state: game.State) -> None:
    """Hexes in a line each: a city's three letters and capacity (- where no tile lies), then the trains there."""
    console.print(map_of(state))


def map_of(state: game.State) -> Text:
    """The map of a whole state as text."""
    track = {company: state.hexes(company) for company in game.COMPANIES}
    return map_text(state.board, track, {n for n in state.board.numbered if state.demand[n]})


def map_text(board: game.Board, track: Track, tiles: Collection[int], unseen: Collection[Hex] = ()) -> Text:
    """The map as text, `tiles` being the numbers of the cities with a demand tile; `unseen` hexes get a question mark.

    Every second column stands half a hex lower, as on the board. So a line holds every second column only, and a hex
    may reach into the column beside it: its trains stand behind its own name, and the next name of that line is two
    columns away.
    """
    rows = {at: 2 * at[1] + at[0] for at in board.index}
    left, top = min(q for q, _ in rows), min(rows.values())
    lines: list[Letters] = [[] for _ in range(max(rows.values()) - top + 1)]
    names = short_names(city.name for city in board.city_at.values())
    for at, row in sorted(rows.items()):
        line = lines[row - top]
        line += [(" ", "")] * ((at[0] - left) * CELL - len(line))
        trains = [company for company in game.COMPANIES if at in track[company]]
        ground = _city(city, names, tiles) if (city := board.city_at.get(board.index[at])) else _land(trains)
        line += [*(_unseen(ground) if at in unseen else ground), *map(_train, trains)]
    return Text().join(Text.assemble(*line, "\n") for line in lines)


def _train(company: str) -> Letter:
    return company[0], f"bold {company_style(company)}"


def _land(trains: Collection[str]) -> Letters:
    """Before at most four trains."""
    return [(" ", "")] if trains else [(" ", ""), ("·", "dim")]


def _city(city: City, names: Mapping[str, str], tiles: Collection[int]) -> Letters:
    """Four letters, before at most three trains."""
    has_tile = city.number in tiles
    name = names[city.name] + (str(city.capacity) if has_tile else "-")
    style = f"underline {company_style(city.start)}" if city.start else "bold" if has_tile else "dim"
    return [(letter, style) for letter in name]


def _unseen(ground: Letters) -> Letters:
    """What is not known ends in a question mark."""
    return [*ground[: max(1, len(ground) - 1)], ("?", "dim")]


def short_names(cities: Iterable[str]) -> dict[str, str]:
    """Three letters for each city, no two alike: of Omaha "Oma", of New York "NYo", of Salt Lake City "SLC"."""
    short: dict[str, str] = {}
    for name in cities:
        *first, last = re.findall(r"\w+", name) or [name]
        letters = "".join(word[0] for word in first) + last
        # Where two begin alike, one shows a letter from farther on.
        ways = [letters[:2] + letter for letter in letters[2:]] or [letters]
        short[name] = next((way for way in ways if way not in short.values()), ways[0])
    return short


def draw_summary(console: Console, state: game.State) -> None:
    """The numbers beside the map: companies, influence and shares of each seat, Mašinfíra's markers."""
    say = console.texts.say
    table = _table_of_seats(console, state.setup, say("value"), say("reservoir"), say("supply"), say("offer"))
    for c, company in enumerate(game.COMPANIES):
        numbers = (state.value[c], state.reservoir[c], state.supply[c], state.offer[c])
        seats = [
            say("{shares} sh., infl. {influence}", shares=state.shares[s][c], influence=state.influence[s][c])
            for s in range(len(state.setup.seats))
        ]
        table.add_row(_named(console, company), *map(str, numbers), *seats)
    console.print(table)
    if state.bot is not None:
        _draw_markers(console, state.board, state.bot)


def _table_of_seats(console: Console, setup: Setup, *columns: str) -> Table:
    """A column for the names of the companies, these, and one for each seat."""
    table = console.table("", *columns)
    for seat in setup.seats:
        table.add_column(console.texts.word(seat), style=company_style(seat))
    return table


def _named(console: Console, company: str) -> Text:
    return Text(console.texts.word(company), style=company_style(company))


def _draw_markers(console: Console, board: game.Board, bot: Bot) -> None:
    company = game.COMPANIES[bot.company]
    if city := board.numbered.get(bot.target):
        sentence = N_("Mašinfíra: target city {city} ({number}), company marker on {company}.")
        console.say(sentence, city=city.name, number=bot.target, company=company)
    else:
        sentence = N_("Mašinfíra: target city marker off the map, company marker on {company}.")
        console.say(sentence, company=company)


def draw_turn(console: Console, state: game.State) -> None:
    """Whose turn it is."""
    if state.phase == "over":
        console.say("The game is over.", style="bold")
    elif state.phase == "draft":
        console.say("{seat} takes a first share.", seat=state.seat, style="bold")
    else:
        console.say("{seat} is to move.", seat=state.seat, style="bold")


def draw_score(console: Console, state: game.Scored) -> None:
    """Every share's worth to every seat, the totals and the winner."""
    score = game.score(state)
    table = _table_of_seats(console, state.setup)
    for company in game.COMPANIES:
        cells = [_worth(console, score["seats"][seat]["companies"][company]) for seat in state.setup.seats]
        table.add_row(_named(console, company), *cells)
    totals = [str(score["seats"][seat]["total"]) for seat in state.setup.seats]
    table.add_row(console.texts.say("total"), *totals, style="bold")
    console.print(table)
    by = {"columns": state.setup.columns_rule, "winner": state.setup.winner_rule}
    console.say("The column is by {columns}, the worth by R6.2, the winner by {winner}.", style="dim", **by)
    if state.phase == "over":
        console.say("{seat} wins.", seat=score["winner"], style="bold")
    else:
        console.say("{seat} would win now.", seat=score["winner"])
    if tie := game.tie_break(state):
        console.log([tie])


def _worth(console: Console, part: CompanyScore) -> str:
    """For example "2 × 8 = 16 (first)"; the clause of the rules where a share is worth nothing."""
    shares, worth = part["shares"], part["worth"]
    why = console.texts.word(part["column"]) if part["column"] else part["rule"]
    return f"{shares} × {worth} = {shares * worth} ({why})"


def draw_moves(console: Console, state: game.State, *, notation: bool = True) -> None:
    """The legal actions, the builds between two places together; below them the line of `notation` for each."""
    actions = game.legal_actions(state)
    together: dict[tuple[str, str], list[game.Action]] = {}
    for action in actions:
        together.setdefault(_move(console, state, action), []).append(action)
    for (company, what), alike in together.items():
        ways = console.texts.say(P_(" ({n} way)", " ({n} ways)"), n=len(alike)) if len(alike) > 1 else ""
        console.print(Text.assemble(_named(console, company), "  " if company else "", what, ways))
        for action in alike if notation else ():
            console.print(f"    {game.action_to_text(action)}")
    console.say(P_("{n} legal action.", "{n} legal actions."), n=len(actions))


def draw_advice(console: Console, state: game.State, advice: Iterable[game.Advice]) -> None:
    """The best few legal actions, each with its line of notation, what came of it and what it changes."""
    best = game.best_of_each(advice)
    for rank, each in enumerate(best[: game.BEST_SHOWN], 1):
        company, what = _move(console, state, each.action)
        name = _named(console, company)
        console.print(Text.assemble(f"{rank}. ", name, "  " if company else "", what), style="bold")
        console.print(f"    {game.action_to_text(each.action)}")
        console.say(each.outlook.sentence, **each.outlook.values)
        console.log(game.reasons(state, each.action))
    if (more := len(best) - game.BEST_SHOWN) > 0:
        console.say("And {n} more: --json lists them.", n=more)


def _move(console: Console, state: game.State, action: game.Action) -> tuple[str, str]:
    """The company of an action, if it has one, and what is done, without the way of a build and its choices."""
    say = console.texts.say
    match action:
        case game.Build(company):
            return company, _build_in_words(console, state, action)
        case game.TakeShare(company):
            cost = state.reservoir[game.COMPANIES.index(company)]
            return company, say("take a share for {cost} influence", cost=cost)
        case game.Draft(company):
            return company, say("take a first share")
        case game.Draw(tile):
            return "", say("draw {tile}", tile=tile)
    return "", say("pass")


def _build_in_words(console: Console, state: game.State, build: game.Build) -> str:
    """From where to which city, with how many trains, and what its demand tile gives."""
    city = state.board.city_of(build)
    origin = place(state.board, origin_of(state, build))
    way = P_("{origin} → {city}, {n} train", "{origin} → {city}, {n} trains")
    what = console.texts.say(way, origin=origin, city=city.name, n=len(build.route))
    gains = "/".join(map(console.texts.word, state.demand[city.number] or ()))
    return f"{what} · {gains}"
