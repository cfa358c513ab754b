"""Reading a registered photo: for every cell and kind of piece, how probable it is that one stands there.

straighten → bring into the reference's light → ┬ boxes, a reader that was taught nothing ───────┬ log odds added up
                                                └ colours of the home pieces → network ─┐        │
                               colours of all pieces found, or of those known → network ┴ by cells

They err in different places. Cards, markers and what is hidden only the network tells.
"""

from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from calibration.faces import Face
from calibration.photo import Photo, Pixels, of_pixels
from calibration.profile import check_sound
from calibration.registration.register import Registration, RegistrationProblem
from calibration.surface import Surface, inverse
from engine.sentences import N_, Problem

from .boxes import box_odds
from .colours import Colours, Float, with_white_by_home
from .faces import Compared, compared, face_at, fits_of_symbols, looks_of
from .first_look import NOTHING_KNOWN, KnownPieces, colours_seen
from .network import OddsMaps, common_layers, look_closely
from .odds import Odds, probability
from .places import Piece, hidden_shares, in_plane, in_sight, odds_in_cells, on_output, pieces_in
from .sight import Sight

# What log odds are multiplied by and what is added, so that they mean what they say: by logistic regression on photos
# of the sample tables that are not held out (`training.weigh`). Symbols instead so that the probabilities of whole
# tiles do, which are laid out all together (`demand`).
OF_BOXES, PIECES, CARDS, MARKERS, SYMBOLS = 0.31, (1.51, -0.18), (1.53, -0.21), (1.42, -0.44), (1.0, 0.7)
# What the network is not sure of, by its weighed log odds, it looks at once more.
UNSURE = 2.0
# Where the log odds of a card are less than this, none lies to be told; where they are more than the second, one that
# nothing covers.
NO_CARD, PLAIN_CARD = -4.0, 2.0
# A photo is overexposed where more than this share of all colours in its cells is burnt out. The sample photos have
# 0.011 at most, as a vivid phone makes them 0.081; made brighter, those with errors that nobody is asked about and
# no other problem have 0.20 and more.
OVEREXPOSED = 0.15
# How probable it is that a piece of a certain kind stands where nobody can look.
BEHIND = 1 / 12
# A card in plain view may lie in a cell of which less than this share is hidden.
HALF = 0.5


class HardPhoto(Problem):
    """A photo of which a person would have to answer more than anybody will."""

    sentences = {
        "many": N_(
            "{n} readings are doubtful: add a second photo from another side, or take it again, more from above, "
            "without glare or shadow."
        ),
        "still_many": N_(
            "{n} readings are doubtful even so: take the photos again, more from above, without glare or shadow."
        ),
        "burnt": N_(
            "There is too much light in {photo}: tap the board in the camera so that it is shown darker, and take the "
            "photo again."
        ),
        "alike": N_(
            "In this photo trains of {companies} may be taken for each other: add a second photo in other light, or "
            "look once more at each of them."
        ),
    }


@dataclass(frozen=True, eq=False)
class Reading:
    """What one photo shows.

    `odds` (cells, kinds) natural log odds of a piece in a cell; `card`, `marker` (cells,) the same for a card lying
    there and for a piece of no kind, such as a player's; `symbols` (cells, kinds + 1) what the network says, if a card
    lies there, for the symbols printed on it: one for each kind, then the wild card. `hidden` (cells,) in [0, 1]: the
    share of a cell that is covered or outside the photo; `pieces` whatever was found anywhere; `shown` what is to be
    seen where a card most probably lies, by the index of each cell where one may; `camera` where the photo was taken
    from, mm in the plane's frame; `alike` the indices of two kinds that may be taken for each other, all their pieces;
    `burnt` the share of the colours of all cells in the photo that are burnt out.
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
    alike: tuple[int, int] | None
    burnt: float

    @cached_property
    def seen(self) -> NDArray[np.bool_]:
        """(cells,): which cells are neither covered nor outside the photo."""
        return in_sight(self.hidden)

    @property
    def overexposed(self) -> bool:
        """Whether so much is burnt out that wood may look like other wood, or like print."""
        return self.burnt > OVEREXPOSED

    @cached_property
    def card_seen(self) -> NDArray[np.bool_]:
        """(cells,): where a card would be seen: a cell in which one plainly lies may be hidden in part."""
        return self.seen | (self.card > PLAIN_CARD) & (self.hidden < HALF)

    @cached_property
    def faces(self) -> Odds:
        """(cells, pairs): log-likelihoods of what can be on a card (`pairs_of`), if one lies there, the best being 0.

        The less of a card shows, for a piece stands on it, the less they say.
        Worked out when first asked for: where the state before is known, nobody asks.
        """
        scale, more = SYMBOLS
        faces = fits_of_symbols(scale * self.symbols + more)
        if (learnt := self._compared.learnt) is not None:
            faces[self._cards] += learnt
        best: Odds = faces.max(axis=1, keepdims=True)
        return (faces - best) * probability(self.card + PLAIN_CARD)[:, None]

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
    if registration.size not in (None, taken.size):
        expected = " × ".join(map(str, registration.size or ()))
        raise RegistrationProblem("other_photo", found=" × ".join(map(str, taken.size)), expected=expected)
    return probability(examine(taken, registration, surface).odds)


def examine(
    photo: Photo,
    registration: Registration,
    surface: Surface,
    beside: Executor | None = None,
    known_pieces: KnownPieces = NOTHING_KNOWN,
) -> Reading:
    """Read a registered photo, with all that is found on the way.

    `beside` does a part of the work meanwhile, else a thread of its own. The `known_pieces` tell what the kinds
    look like in this photo; the odds are what the photo shows all the same.
    """
    sight = with_white_by_home(Sight.of(registration.straight(photo), registration, surface))
    # They work outside Python's lock, so they go on at once; the boxes are ready when the network wants both cores.
    with ThreadPoolExecutor(1) as own:
        boxes = (beside or own).submit(box_odds, sight)
        learned = _by_network(sight, known_pieces)
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


def _by_network(sight: Sight, known_pieces: KnownPieces) -> Reading:
    """What the network says by itself."""
    layers = common_layers(sight)
    colours, alike = colours_seen(sight, layers, known_pieces)
    return _by_cells(sight, layers, _closely(sight, layers, colours), alike)


def pieces_seen(sight: Sight, layers: Float) -> OddsMaps:
    """What the network finds in its `layers`, at a closer look that knows the colours better."""
    return _closely(sight, layers, colours_seen(sight, layers, NOTHING_KNOWN).colours)


def _closely(sight: Sight, layers: Float, colours: Colours) -> OddsMaps:
    return look_closely(layers, colours, partial(_unsure, sight))


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
    return np.isin(on_output(sight.cell_of), cells)


def _by_cells(sight: Sight, layers: Float, found: OddsMaps, alike: tuple[int, int] | None) -> Reading:
    """Gather what was found by cells."""
    return Reading(
        sight.surface,
        odds=_weighed(sight, found.kinds, PIECES),
        card=_weighed(sight, found.card[None], CARDS)[:, 0],
        marker=_weighed(sight, found.marker[None], MARKERS)[:, 0],
        symbols=odds_in_cells(sight, found.symbols),
        hidden=hidden_shares(sight, found),
        pieces=pieces_in(sight, layers, found),
        shown=_shown(sight, found),
        camera=sight.camera,
        alike=alike,
        burnt=sight.burnt,
    )


def _shown(sight: Sight, found: OddsMaps) -> dict[int, Face]:
    """What is to be seen at the likeliest place of a card in each cell where one may lie."""
    cell_of, to_plane, shown = on_output(sight.cell_of), inverse(sight.frame.to_px), {}
    for cell in np.flatnonzero(sight.surface.card_cells).tolist():
        rows, columns = np.nonzero(cell_of == cell)
        if len(rows):
            weights = probability(found.card[rows, columns])
            weights = (weights / weights.max()) ** 2
            x, y = (float(np.average(at, weights=weights)) for at in (columns, rows))
            shown[cell] = face_at(sight, in_plane(x, y, to_plane))
    return shown


def _weighed(sight: Sight, layers: Float, weights: tuple[float, float]) -> Odds:
    """(cells, layers): the same so that they mean what they say."""
    return weights[0] * odds_in_cells(sight, layers) + weights[1]
