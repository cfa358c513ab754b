"""Reading a registered photo: for every cell and kind of piece, how probable it is that one stands there.

straighten → bring into the reference's light → ┬ boxes, a reader that was taught nothing ───────┬ log odds added up
                                                └ colours of the home pieces → network ─┐        │
                                                  colours of all pieces found → network ┴ by cells

They err in different places. Cards, markers and what is hidden only the network tells.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.faces import Face
from calibration.photo import Photo, Pixels, of_pixels
from calibration.profile import check_sound
from calibration.registration.register import Registration, RegistrationProblem
from calibration.surface import Matrix, Surface, inverse, transform

from .boxes import box_odds
from .colours import (
    Colours,
    Float,
    assumed_colours,
    colour_of_top,
    colours_at_home,
    colours_of_pieces,
    with_white_by_home,
)
from .faces import Compared, compared, face_at, fits_of_symbols, looks_of
from .network import GRID_PX, OddsMaps, common_layers, look, look_closely
from .odds import CERTAIN, Odds, probability
from .sight import SCALE, Sight
from .together import Shown, colours_together

# What log odds are multiplied by and what is added, so that they mean what they say: by logistic regression on photos
# of the sample tables that are not held out (`training.weigh`). Symbols instead so that the probabilities of whole
# tiles do, which are laid out all together (`demand`).
OF_BOXES, PIECES, CARDS, MARKERS, SYMBOLS = 0.31, (1.51, -0.18), (1.53, -0.21), (1.42, -0.44), (1.0, 0.7)
# What the network is not sure of, by its weighed log odds, it looks at once more.
UNSURE = 2.0
# Where the log odds of a card are less than this, none lies to be told; where they are more than the second, one that
# nothing covers.
NO_CARD, PLAIN_CARD = -4.0, 2.0
# A cell of which this share or more seems covered or outside the photo has not been seen: the network rather says too
# little. And how probable it is that a piece of a certain kind stands where nobody can look.
HIDDEN_SHARE, BEHIND = 0.12, 1 / 12
# A card in plain view may lie in a cell of which less than this share is hidden.
HALF = 0.5
# A piece is where the log odds on the grid are at least this; those of a whole cell are higher.
PROBABLE = -0.3
# Two pieces of one kind are at least this far apart: of all places within it the likeliest counts.
APART_MM = 6.0
# Odds are summed over a cell; what is below this is nothing.
NOTHING = 1e-6


@dataclass(frozen=True)
class Piece:
    """A piece of the kind with index `kind`: `at` mm in the plane, in the cell with index `cell` or in none, -1.

    `colour` (3,) is what it shows on top, as in `colours`; None where little of it shows.
    """

    cell: int
    kind: int
    at: tuple[float, float]
    colour: Float | None


@dataclass(frozen=True, eq=False)
class Reading:
    """What one photo shows.

    `odds` (cells, kinds) natural log odds of a piece in a cell; `card`, `marker` (cells,) the same for a card lying
    there and for a piece of no kind, such as a player's; `symbols` (cells, kinds + 1) what the network says, if a card
    lies there, for the symbols printed on it: one for each kind, then the wild card. `hidden` (cells,) in [0, 1]: the
    share of a cell that is covered or outside the photo; `pieces` whatever was found anywhere; `shown` what is to be
    seen where a card most probably lies, by the index of each cell where one may; `camera` where the photo was taken
    from, mm in the plane's frame.
    """

    surface: Surface
    odds: Odds
    card: Odds
    marker: Odds
    symbols: Odds
    hidden: NDArray[np.float64]
    pieces: list[Piece]
    shown: dict[int, Face]
    camera: NDArray[np.float64]

    @cached_property
    def seen(self) -> NDArray[np.bool_]:
        """(cells,): which cells are neither covered nor outside the photo."""
        return in_sight(self.hidden)

    @cached_property
    def card_seen(self) -> NDArray[np.bool_]:
        """(cells,): where a card would be seen: a cell in which one plainly lies may be hidden in part."""
        return self.seen | (self.card > PLAIN_CARD) & (self.hidden < HALF)

    @cached_property
    def faces(self) -> Odds:
        """(cells, pairs): log-likelihoods of what can be on a card (`pairs_of`), if one lies there, the best being 0.

        Worked out when first asked for: where the state before is known, nobody asks.
        """
        scale, more = SYMBOLS
        faces = fits_of_symbols(scale * self.symbols + more)
        if (learnt := self._compared.learnt) is not None:
            faces[self._cards] += learnt
        best: Odds = faces.max(axis=1, keepdims=True)
        return faces - best

    @cached_property
    def agreement(self) -> Odds:
        """(cells, cells): how well what may be cards in each two cells agrees, a correlation; 0 where none lies."""
        agreement = np.zeros((len(self.card),) * 2)
        agreement[np.ix_(self._cards, self._cards)] = self._compared.each_other
        return agreement

    @cached_property
    def _cards(self) -> list[int]:
        """The cells in which a card may lie."""
        return [cell for cell in self.shown if self.card[cell] > NO_CARD]

    @cached_property
    def _compared(self) -> Compared:
        """These cards with each other and with those learnt."""
        return compared([self.shown[cell] for cell in self._cards], looks_of(self.surface))


def read_cells(photo: Pixels | Photo, registration: Registration, surface: Surface) -> NDArray[np.float64]:
    """(cells, kinds) float64 in [0, 1]: the probability that a piece of that kind stands in that cell.

    `photo` (H, W, 3) uint8 BGR; `registration` as `calibration.register` gave it for this photo. A cell that
    cannot be seen gets whatever its place looks like; `examine` tells which those are. Raises RegistrationProblem
    where the surface was not found or in another photo, PhotoProblem, ProfileProblem where the surface is unsound.
    """
    taken = photo if isinstance(photo, Photo) else of_pixels(photo)
    check_sound(surface)
    if registration.problem:
        raise registration.problem
    size = taken.pixels.shape[1::-1]
    if registration.size not in (None, size):
        expected = " × ".join(map(str, registration.size or ()))
        raise RegistrationProblem("other_photo", found=" × ".join(map(str, size)), expected=expected)
    return probability(examine(taken, registration, surface).odds)


def examine(
    photo: Photo, registration: Registration, surface: Surface, beside: Executor | None = None
) -> Reading:
    """Read a registered photo, with all that is found on the way.

    `beside` does a part of the work meanwhile, else a thread of its own.
    """
    sight = with_white_by_home(Sight.of(registration.straight(photo), registration, surface))
    # They work outside Python's lock, so they go on at once; the boxes are ready when the network wants both cores.
    with ThreadPoolExecutor(1) as own:
        boxes = (beside or own).submit(box_odds, sight)
        learned = _by_network(sight)
    odds = OF_BOXES * boxes.result() + learned.odds
    if surface.card is None:
        odds = where_no_card(odds, learned.card)
    return replace(learned, odds=though_hidden(odds, learned.hidden))


def where_no_card(odds: Odds, card: Odds) -> Odds:
    """(cells, kinds): log odds of pieces once it is known that the table has no cards; `card` (cells,) were theirs.

    The network takes flat discs for cards. Where there are none, what it gave them is shared by a piece and nothing.
    """
    return np.asarray(odds + np.logaddexp(0, card)[:, None], np.float64)


def though_hidden(odds: Odds, hidden: NDArray[np.float64]) -> Odds:
    """(cells, kinds): log odds of pieces, if whatever stands in the `hidden` share (cells,) of a cell does not show."""
    share = hidden[:, None]
    there = (1 - share) * probability(odds) + share * BEHIND
    gone = (1 - share) * probability(-odds) + share * (1 - BEHIND)
    return np.asarray(np.log(there) - np.log(gone), np.float64)


def _by_network(sight: Sight) -> Reading:
    """What the network says by itself."""
    layers = common_layers(sight)
    return _by_cells(sight, layers, pieces_seen(sight, layers))


def pieces_seen(sight: Sight, layers: Float) -> OddsMaps:
    """What the network finds in its `layers`, at a closer look that knows the colours better."""
    return look_closely(layers, _colours_seen(sight, layers), partial(_unsure, sight))


def _colours_seen(sight: Sight, layers: Float) -> Colours:
    """The kinds' colours by all pieces that a first look finds."""
    at_home, pieces = _first_look(sight, layers)
    better = _by_pieces(at_home, pieces)
    together = colours_together(_shown_of(sight, at_home, better, pieces))
    if together is None:
        return better
    # The pieces were looked for by wrong colours, so others may be found by these.
    again = look(layers, together)
    return _by_pieces(together, _teaching(sight, layers, again, in_sight(hidden_shares(sight, again))))


def _first_look(sight: Sight, layers: Float) -> tuple[Colours, list[Piece]]:
    """The colours that the home cells show, and the pieces found by these that teach theirs."""
    kinds = sight.surface.kinds
    learnt = np.array([kind.home is not None for kind in kinds])
    while True:
        colours, learnt = colours_at_home(sight, layers, learnt)
        found = look(layers, colours)
        seen = in_sight(hidden_shares(sight, found))
        hidden = np.array([kind.home is not None and not seen[kind.home] for kind in kinds])
        if not (learnt & hidden).any():
            return colours, _teaching(sight, layers, found, seen)
        # What hides a home cell has been taken for its piece.
        learnt &= ~hidden


def _by_pieces(colours: Colours, pieces: Iterable[Piece]) -> Colours:
    return colours_of_pieces(colours, ((piece.kind, piece.colour) for piece in pieces))


def _shown_of(sight: Sight, at_home: Colours, now: Colours, pieces: Sequence[Piece]) -> Shown:
    """What the pieces and the home cells show of the kinds' colours."""
    tops = [(piece.colour, piece.cell) for piece in pieces if piece.colour is not None]
    homes = {kind.home: k for k, kind in enumerate(sight.surface.kinds)}
    return Shown(
        assumed=assumed_colours(sight.surface),
        at_home=at_home,
        now=now,
        tops=np.array([colour for colour, _ in tops], np.float32).reshape(-1, 3),
        home_of=np.array([homes.get(cell, -1) for _, cell in tops], np.int64),
    )


def _unsure(sight: Sight, found: OddsMaps) -> NDArray[np.bool_]:
    """(h, w): the cells in sight, on the network's grid, that it is not sure of.

    Until the table's cards have been learnt that is everywhere, for only the network tells what they show; on boards
    without cards too, for it was taught on boards that have them.
    """
    if not sight.surface.faces:
        return np.ones(found.card.shape, bool)
    pieces, cards = _weighed(sight, found.kinds, PIECES), _weighed(sight, found.card[None], CARDS)
    unsure = (np.abs(pieces) < UNSURE).any(axis=1)
    unsure |= (np.abs(cards[:, 0]) < UNSURE) & sight.surface.card_cells
    cells = np.flatnonzero(unsure & in_sight(hidden_shares(sight, found)))
    return np.isin(_on_grid(sight.cell_of), cells)


def _teaching(sight: Sight, layers: Float, found: OddsMaps, seen: NDArray[np.bool_]) -> list[Piece]:
    """The pieces found that lie in plain sight, by the cells `seen`, where such a piece can be."""
    surface = sight.surface
    return [
        piece
        for piece in _pieces(sight, layers, found)
        if piece.cell >= 0
        and seen[piece.cell]
        and surface.kinds[piece.kind].may_be_in(surface.cells[piece.cell].id)
    ]


def _by_cells(sight: Sight, layers: Float, found: OddsMaps) -> Reading:
    """Gather what was found by cells."""
    return Reading(
        sight.surface,
        odds=_weighed(sight, found.kinds, PIECES),
        card=_weighed(sight, found.card[None], CARDS)[:, 0],
        marker=_weighed(sight, found.marker[None], MARKERS)[:, 0],
        symbols=odds_in_cells(sight, found.symbols),
        hidden=hidden_shares(sight, found),
        pieces=_pieces(sight, layers, found),
        shown=_shown(sight, found),
        camera=sight.camera,
    )


def _shown(sight: Sight, found: OddsMaps) -> dict[int, Face]:
    """What is to be seen at the likeliest place of a card in each cell where one may lie."""
    cell_of, to_plane, shown = _on_grid(sight.cell_of), inverse(sight.frame.to_px), {}
    for cell in np.flatnonzero(sight.surface.card_cells).tolist():
        rows, columns = np.nonzero(cell_of == cell)
        if len(rows):
            weights = probability(found.card[rows, columns])
            weights = (weights / weights.max()) ** 2
            x, y = (float(np.average(at, weights=weights)) for at in (columns, rows))
            shown[cell] = face_at(sight, _in_plane(x, y, to_plane))
    return shown


def _in_plane(column: float, row: float, to_plane: Matrix) -> tuple[float, float]:
    """The middle of a place on the network's grid, mm in the plane."""
    at = transform([((column + 0.5) * GRID_PX - 0.5, (row + 0.5) * GRID_PX - 0.5)], to_plane)[0]
    return float(at[0]), float(at[1])


def hidden_shares(sight: Sight, found: OddsMaps) -> NDArray[np.float64]:
    """(cells,): the share of each cell that is covered or outside the photo."""
    gone = np.where(_on_grid(sight.visible), probability(found.hidden), 1.0)
    return _mean(gone, _on_grid(sight.cell_of), len(sight.surface.cells))


def in_sight(hidden: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(cells,): which cells count as seen, by the shares of them that are hidden."""
    return hidden < HIDDEN_SHARE


def _on_grid(layer: NDArray[Any]) -> NDArray[Any]:
    """A layer of the sight at the middles of the network's output."""
    height, width = (size // GRID_PX * GRID_PX for size in layer.shape)
    return layer[GRID_PX // 2 : height : GRID_PX, GRID_PX // 2 : width : GRID_PX]


def _weighed(sight: Sight, layers: Float, weights: tuple[float, float]) -> Odds:
    """(cells, layers): the same so that they mean what they say."""
    return weights[0] * odds_in_cells(sight, layers) + weights[1]


def odds_in_cells(sight: Sight, layers: Float) -> Odds:
    """(cells, layers): what layers of the network (layers, h, w) say of whole cells, log odds within `CERTAIN`."""
    count, cell_of = len(sight.surface.cells), _on_grid(sight.cell_of)
    summed = np.stack([_summed(layer, cell_of, count) for layer in layers], axis=-1)
    return np.clip(summed, -CERTAIN, CERTAIN)


def _summed(layer: Float, cell_of: NDArray[np.int32], count: int) -> Odds:
    """(cells,) log of the summed odds in each cell, as the network was taught."""
    inside = cell_of >= 0
    each: Odds = np.exp(np.minimum(layer[inside], 30.0).astype(np.float64))
    return np.asarray(np.log(np.bincount(cell_of[inside], each, count) + NOTHING), np.float64)


def _mean(layer: Odds, cell_of: NDArray[np.int32], count: int) -> Odds:
    inside = cell_of >= 0
    size = np.bincount(cell_of[inside], minlength=count)
    mean: Odds = np.bincount(cell_of[inside], layer[inside], count) / np.maximum(size, 1)
    return mean


def places_in_cell(sight: Sight, layer: Float, cell: int, apart: float) -> list[float]:
    """Log odds of every place in a cell where one kind may stand by its `layer`, `apart` mm, the likeliest first."""
    places = _places(layer, apart) & (_on_grid(sight.cell_of) == cell)
    return sorted(layer[places].tolist(), reverse=True)


def _places(layer: Float, apart: float) -> NDArray[np.bool_]:
    """(h, w): where a piece is likelier than anywhere nearer than about `apart` mm."""
    side = 2 * int(apart * SCALE / GRID_PX) + 1
    return np.asarray(layer >= cv2.dilate(layer, np.ones((side, side), np.uint8)))


def _pieces(sight: Sight, layers: Float, found: OddsMaps) -> list[Piece]:
    """Every probable piece, and those that are in their home cells however little they look like it."""
    cell_of, to_plane = _on_grid(sight.cell_of), inverse(sight.frame.to_px)
    likeliest, pieces = found.kinds.max(axis=0), []
    for kind, layer in enumerate(found.kinds):
        peaks = _places(layer, APART_MM) & (layer > PROBABLE) & (layer >= likeliest)
        if (home := sight.surface.kinds[kind].home) is not None:
            at_home = cell_of == home
            peaks |= at_home & (layer >= layer[at_home].max(initial=-np.inf))
        for row, column in np.argwhere(peaks).tolist():
            x, y = (column + 0.5) * GRID_PX - 0.5, (row + 0.5) * GRID_PX - 0.5
            top = colour_of_top(sight, layers, x, y)
            pieces.append(Piece(int(cell_of[row, column]), kind, _in_plane(column, row, to_plane), top))
    return pieces
