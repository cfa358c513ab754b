"""The Ports module of the Europe map (R11)."""

from ..hexgrid import Hex
from .actions import Build
from .board import City
from .compensation import supply_after
from .names import INDEX, RESERVOIR_SIZE, WILD
from .places import place
from .state import State
from .table import Table


def free_ports(state: State, action: Build) -> tuple[Hex, ...]:
    """The ports to choose from when this build is the first to a wild tile; () without a port event (R11.2).

    Compensation comes first and may take the last train of the tile's company.
    """
    city = state.board.city_of(action)
    tile = state.demand[city.number]
    if not state.board.ports_closed or not tile or tile[1] != WILD:
        return ()
    c = INDEX[tile[0]]
    # Only a supply that small can be used up by the compensation, which costs time to work out.
    left = state.supply[c] if state.supply[c] > RESERVOIR_SIZE else supply_after(state, action)[c]
    if state.companies_at(city.bit) or not left:
        return ()
    return tuple(state.board.hex_of[bit] for bit in unused_ports(state))


def unused_ports(state: State) -> list[int]:
    """The bits of the ports without a train, most eastern first, then most northern."""
    used = state.track[0] | state.track[1] | state.track[2] | state.track[3]
    return [bit for bit in state.board.ports if not used >> bit & 1]


def open_port(table: Table, company: str, port: Hex | None) -> None:
    """A train from the supply onto the port, one more start of the company (R11.2)."""
    c = INDEX[company]
    if port is None or not table.use_supply(c, 1):
        table.note("port_skipped", "R11.2", company=company)
        return
    table.track[c] |= 1 << table.board.index[port]
    table.note("port_opened", "R11.2", company=company, port=port, place=place(table.board, port))


def bot_port(state: State, action: Build, city: City) -> Hex | None:
    """Mašinfíra's port (R11.3): nearest to its target city, then to the company's track, then eastern."""
    free, tile = free_ports(state, action), state.demand[city.number]
    if not free or not tile or state.bot is None:
        return None
    board = state.board
    from_target = board.steps_from(board.numbered[state.bot.target].bit) if state.bot.target else {}
    # The port comes after the track that was built (R11.2).
    built = board.mask(action.route) if action.company == tile[0] else 0
    track = state.track[INDEX[tile[0]]] | built

    def far(port: Hex) -> tuple[int, int]:
        bit = board.index[port]
        from_port = board.steps_from(bit)
        to_track = min((steps for b, steps in from_port.items() if track >> b & 1), default=999)
        return from_target.get(bit, 999), to_track

    return min(free, key=far)
