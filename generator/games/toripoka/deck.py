"""Take the pieces of Toripoka's components, read the cards and pyramids of its engine."""

from __future__ import annotations

from collections.abc import Sequence

from generator.basics.errors import PnpError, Problem, quote
from generator.basics.place import Place
from generator.games.toripoka.checks import RANKS
from generator.games.toripoka.hands import PokerCard
from generator.games.toripoka.trees import Pyramid
from generator.model import Piece
from generator.play.decks import name_pieces, pieces_of
from generator.play.engine import Decks

CARDS = "cards"
SIZES = ("large", "medium", "small")  # the components of the pyramids
LEAST_CARDS = 17  # 3 aside, 2 public, 6 laid by each of two
_MOST_PIECES = 100  # cards, and pyramids; of more, the ways to lay them take too much memory


class Pieces:
    """What is in the box.

    cards: as hands count them. ids, names: of the cards. pyramids: their colours and the places of
    their sizes; pyramid_ids, pyramid_names: of these.
    """

    def __init__(self, decks: Decks) -> None:
        """Raises PnpError with every component, card and pyramid that is missing or unreadable."""
        self._problems: list[Problem] = []
        pieces = self._pieces(decks, CARDS)
        self.ids, self.names = [piece.id for piece in pieces], name_pieces(pieces)
        self.cards = [self._card(piece) for piece in pieces]
        self.pyramids: list[Pyramid] = []
        self.pyramid_ids: list[str] = []
        self.pyramid_names: list[str] = []
        for place, size in enumerate(SIZES):
            sized = self._pieces(decks, size)
            self.pyramids += [(self._colour(piece), place) for piece in sized]
            self.pyramid_ids += [piece.id for piece in sized]
            self.pyramid_names += [f"{size} {name}" for name in name_pieces(sized)]
        if pieces and len(pieces) < LEAST_CARDS:
            self._need(CARDS, f"a round needs {LEAST_CARDS} cards, there are {len(pieces)}")
        if len(self.pyramids) < 2:
            what = "is 1" if self.pyramids else "are none"
            self._need(SIZES[0], f"a round needs 2 pyramids, there {what}")
        for component, count in ((CARDS, len(pieces)), (SIZES[0], len(self.pyramids))):
            if count > _MOST_PIECES:
                kind = "cards" if component == CARDS else "pyramids"
                self._need(component, f"there are {count} {kind}, its engine takes {_MOST_PIECES}")
        if self._problems:
            raise PnpError(self._problems)

    def _pieces(self, decks: Decks, component: str) -> Sequence[Piece]:
        try:
            return pieces_of(decks, component)
        except PnpError as error:
            self._problems += error.problems
            return ()

    def _need(self, component: str, what: str) -> None:
        self._problems.append(Problem(Place(component), what))

    def _card(self, piece: Piece) -> PokerCard:
        rank, covers = str(piece.row.get("rank", "")), str(piece.row.get("covers", ""))
        if rank not in RANKS:
            what = f"rank is {quote(rank)}, its engine needs one of {' '.join(RANKS)}"
            self._problems.append(Problem(piece.place.at_column("rank"), what))
            return PokerCard(1)
        if covers in ("", "-"):
            return PokerCard(_number(rank))
        first, _, last = covers.partition("-")
        if first not in RANKS or last not in RANKS or _number(first) > _number(last):
            what = f"covers is {quote(covers)}, its engine needs a range of ranks, the lower first"
            self._problems.append(Problem(piece.place.at_column("covers"), what, "write A-4"))
            return PokerCard(1)
        return PokerCard(_number(rank), tuple(range(_number(first), _number(last) + 1)))

    def _colour(self, piece: Piece) -> str:
        colour = str(piece.row.get("colour", ""))
        if not colour:
            what = "colour is empty, its engine needs one"
            self._problems.append(Problem(piece.place.at_column("colour"), what))
        return colour


def _number(rank: str) -> int:
    return RANKS.index(rank) + 1
