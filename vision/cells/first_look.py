"""The colours of the kinds in one photo: by a first look, which knows the home pieces, and by all that it finds.

Where some pieces are known to stand, these tell it best. Most of what is lost on hard photos is lost to wrong colours,
by which all pieces of one kind pass for another's or for none; and pieces that are not found cannot tell theirs.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .colours import Colours, Float, assumed_colours, colour_of_top, colours_at_home, colours_of_pieces
from .network import OddsMaps, look
from .places import Piece, hidden_shares, in_sight, middle_px, on_output, pieces_in
from .sight import Sight
from .together import Shown, colours_of_known, colours_together, hardly_apart

KnownPieces = Mapping[int, int]
"""Where a piece is known to stand, one only: the index of its cell → that of its kind."""
NOTHING_KNOWN: KnownPieces = {}


class ColoursSeen(NamedTuple):
    """The kinds' colours, and two kinds of which each may as well be the other, if any."""

    colours: Colours
    alike: tuple[int, int] | None = None


def colours_seen(sight: Sight, layers: Float, known_pieces: KnownPieces) -> ColoursSeen:
    """The kinds' colours by the pieces that are known to stand there, else by all that a first look finds."""
    at_home, found, seen = _first_look(sight, layers)
    known = colours_of_known(at_home, _tops_of_known(sight, layers, found, seen, known_pieces))
    if known is not None:
        return ColoursSeen(known)
    pieces = _teaching(sight, layers, found, seen)
    shown = _shown_of(sight, at_home, at_home, pieces)
    if (together := colours_together(shown)) is not None:
        # The pieces were looked for by wrong colours, so others may be found by these.
        again = look(layers, together)
        pieces = _teaching(sight, layers, again, in_sight(hidden_shares(sight, again)))
        shown = _shown_of(sight, at_home, together, pieces)
    return ColoursSeen(shown.now, hardly_apart(shown))


def _tops_of_known(
    sight: Sight, layers: Float, found: OddsMaps, seen: NDArray[np.bool_], known_pieces: KnownPieces
) -> list[tuple[int, Float | None]]:
    """Kind and colour of the `known_pieces` in plain sight: where it looks most like a piece of any kind."""
    likeliest, cell_of, tops = found.kinds.max(axis=0), on_output(sight.cell_of), []
    for cell, kind in known_pieces.items():
        rows, columns = np.nonzero((cell_of == cell) & seen[cell])
        if len(rows):
            best = likeliest[rows, columns].argmax()
            tops.append((kind, colour_of_top(sight, layers, *middle_px(columns[best], rows[best]))))
    return tops


def _first_look(sight: Sight, layers: Float) -> tuple[Colours, OddsMaps, NDArray[np.bool_]]:
    """The colours that the home cells show, what is found by these, and (cells,) which are in sight."""
    kinds = sight.surface.kinds
    learnt = np.array([kind.home is not None for kind in kinds])
    while True:
        colours, learnt = colours_at_home(sight, layers, learnt)
        found = look(layers, colours)
        seen = in_sight(hidden_shares(sight, found))
        hidden = np.array([kind.home is not None and not seen[kind.home] for kind in kinds])
        if not (learnt & hidden).any():
            return colours, found, seen
        # What hides a home cell has been taken for its piece.
        learnt &= ~hidden


def _by_pieces(colours: Colours, pieces: Iterable[Piece]) -> Colours:
    return colours_of_pieces(colours, ((piece.kind, piece.colour) for piece in pieces))


def _shown_of(sight: Sight, at_home: Colours, before: Colours, pieces: Sequence[Piece]) -> Shown:
    """What the pieces and the home cells show of the kinds' colours, which were taken for these `before`."""
    tops = [(piece.colour, piece.cell) for piece in pieces if piece.colour is not None]
    homes = {kind.home: k for k, kind in enumerate(sight.surface.kinds)}
    return Shown(
        assumed=assumed_colours(sight.surface),
        at_home=at_home,
        now=_by_pieces(before, pieces),
        tops=np.array([colour for colour, _ in tops], np.float32).reshape(-1, 3),
        home_of=np.array([homes.get(cell, -1) for _, cell in tops], np.int64),
    )


def _teaching(sight: Sight, layers: Float, found: OddsMaps, seen: NDArray[np.bool_]) -> list[Piece]:
    """The pieces found that lie in plain sight, by the cells `seen`, where such a piece can be."""
    surface = sight.surface
    return [
        piece
        for piece in pieces_in(sight, layers, found)
        if piece.cell >= 0
        and seen[piece.cell]
        and surface.kinds[piece.kind].may_be_in(surface.cells[piece.cell].id)
    ]
