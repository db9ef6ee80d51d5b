"""Checks of Toripoka: faults of its deck, and the best hand of three cards.

Also faults of the faces of its cards, reference cards and pyramids.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Annotated, Literal

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, Problem, did_you_mean, list_names, quote
from generator.basics.keys import describe
from generator.checks import NAMES, Faults, Looks, Shown, ShownRows, SideLook, always, named
from generator.checks.table import Declared, doubles, label
from generator.model import Component, Piece

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")  # the Ace is low
WILDS = ("4", "7", "10", "K")  # of spades ("The Toripoka deck")
HIGH_ACE = 14
SUITS = {"hearts": RANKS, "spades": WILDS}

# "Game-play": three cards aside, three dealt to each of two players, two face up. Each player plays
# three cards at both pyramids, and so draws three more, which exhausts the stock.
ASIDE, DEALT, PUBLIC, PLAYERS, PLAYED = 3, 3, 2, 2, 6
STOCK = PLAYERS * (PLAYED - DEALT)
Card = tuple[str, str]  # suit and rank
BLACK = "black"  # scores below zero ("Final scoring")
COLOURS = 5  # of a Treehouse set: one trio each ("Number of colors", "Trios per color")
CLASSES = (  # the lowest first
    "High card",
    "Sum",
    "Multiplication",
    "Two of a kind",
    "Straight (with wilds)",
    "Three of a kind",
    "Mini Royal (with wilds)",
    "Straight (no wilds)",
    "Mini Royal (no wilds)",
)
Pips = Annotated[Literal[1, 2, 3], describe("the number of pips on each: 1 for the small ones, 3 for large")]
WildSums = Annotated[bool, describe("whether a wild may take part in a sum or a product")]
_PIPS_OF = {"hearts": "heart", "spades": "spade"}
_GREAT = {suit: f"great-{pip}" for suit, pip in _PIPS_OF.items()}
_INKS = {"hearts": "red", "spades": "black"}
_COURTS = {"J": "wagtail", "Q": "crane", "K": "eagle"}
_HIGH = len(RANKS)  # the step after the King: the high Ace, which no wild reaches
_STEPS = ("reached", "beyond", "never")
POINTS: Mapping[str, int] = {  # "Final scoring"
    "a tree of one colour": 7,
    "a tree of mixed colours": 5,
    "each other pyramid": 1,
}
_FITS = ("Exact fit", "Tight fit", "Loose fit")  # "Hand fitting", the smaller gap first
_PICTURES = {"solid": "tree-solid", "mixed": "tree-mixed", "single": "pyramid", "black": "tree-black"}
_PICTURE_OF = {**dict(zip(POINTS, _PICTURES, strict=False)), "as much, below zero": "black"}


@dataclass(frozen=True, order=True)
class Hand:
    """The value of three cards: of two hands, the greater wins.

    rank: one of CLASSES.
    wilds: the value that each wild stands for, 1 for the low Ace.
    gap: the sum by which the wilds' own ranks exceed these values; 0 is an exact fit.
    """

    strength: tuple[int, ...] = field(repr=False)
    rank: str = field(compare=False)
    wilds: Mapping[str, int] = field(compare=False)
    gap: int = field(compare=False)


def classify(hand: Sequence[str], *, wild_sums: bool = True) -> Hand:
    """The best hand of three cards, written like "Qh" (hearts) and "10s" (spades, all wild).

    The rules name nine classes and leave much open; this is our reading:

    - The heart Ace is 1 or high, one at a time ("The Ace"). A wild is any value from 1 to its
      rank, never a high Ace; it may be a low Ace beside the heart as a high one.
    - A Mini Royal is Q K and the high Ace. A straight is three values in a row, from A 2 3 to
      J Q K: it does not wrap around (K A 2), and Q K A is the Mini Royal. With a wild, either is
      "with wilds", even if the wild stands for its own rank (picture: 2 3 and the wild 4).
    - Two and three of a kind are cards of one value; a low and a high Ace are not. They need a
      wild, because there is only one other suit.
    - Multiplication and Sum: two values make the third (pictures: 2 3 6, 2 3 5). J Q K are 11, 12
      and 13, the Ace is 1; a high Ace has no number. The rules do not say whether a wild may take
      part; `wild_sums` allows it, because they do not forbid it.
    - Every other hand is a High card.
    - Within a class the values decide, those of the pair first, then the highest, with the high
      Ace above all. Hands still equal are "effectively the same", and the smaller gap wins
      ("Hand fitting"; pictures: 2 4 with the wild 4 as 3 has gap 1, with the wild 10 gap 7).
      So a wild stands for the value that gives the best class, then the highest values.
    - A rank is the printed one, without pyramids that move it.

    Raises MisfitError for cards that are not in the deck, for doubles, or for other than three cards.
    """
    if len(hand) != 3 or len(set(hand)) != 3:
        raise MisfitError(f"{', '.join(hand)} are not three different cards", "write them like Qh 2h 10s")
    cards = [_card(name) for name in hand]
    every = product(*map(_values, cards))
    return max(_as_values(hand, cards, values, wild_sums) for values in every)


def _card(name: str) -> Card:
    """Parses a card. Raises MisfitError if the deck does not have it."""
    suit = {"h": "hearts", "s": "spades"}.get(name[-1:], "")
    if suit and name[:-1] in SUITS[suit]:
        return suit, name[:-1]
    hint = f"hearts are Ah to Kh; spades {', '.join(rank + 's' for rank in WILDS)}"
    raise MisfitError(f"{quote(name)} is not a card of the deck", hint)


def number_of(rank: str) -> int:
    """The value of a rank, 1 for the low Ace."""
    return RANKS.index(rank) + 1


def _values(card: Card) -> Sequence[int]:
    suit, rank = card
    if suit == "spades":
        return range(1, number_of(rank) + 1)
    return (1, HIGH_ACE) if rank == "A" else (number_of(rank),)


def _as_values(names: Sequence[str], cards: Sequence[Card], values: Sequence[int], wild_sums: bool) -> Hand:
    wilds = {n: v for n, (suit, _), v in zip(names, cards, values, strict=True) if suit == "spades"}
    rank = find_class(sorted(values), bool(wilds), wild_sums)
    gap = sum(number_of(name[:-1]) - value for name, value in wilds.items())
    # values of a pair decide before single values
    decisive = sorted(values, key=lambda value: (values.count(value), value), reverse=True)
    return Hand((CLASSES.index(rank), *decisive, -gap), rank, wilds, gap)


def find_class(values: Sequence[int], is_wild: bool, wild_sums: bool) -> str:
    """The class of values in ascending order."""
    low, middle, high = values
    suffix = "(with wilds)" if is_wild else "(no wilds)"
    if (low, middle, high) == (12, 13, HIGH_ACE):
        return f"Mini Royal {suffix}"
    if low == high:
        return "Three of a kind"
    if (middle, high) == (low + 1, low + 2):
        return f"Straight {suffix}"
    if middle in (low, high):
        return "Two of a kind"
    is_counted = high != HIGH_ACE and (wild_sums or not is_wild)
    if is_counted and low * middle == high:
        return "Multiplication"
    if is_counted and low + middle == high:
        return "Sum"
    return "High card"


class ToripokaDeck(Declared, frozen=True, kw_only=True):
    """Thirteen hearts, the wild spades 4 7 10 K, and a deal for two that leaves the right stock.

    The columns are `rank`, `suit` ("hearts", "spades") and `covers`, the range of a wild: "A-4",
    from the low Ace to its own rank ("Wild cards"), empty for hearts. The one Ace of hearts is
    both low and high, and no wild is a high Ace ("The Ace").
    """

    kind = "toripoka.deck"
    reads = ("rank", "suit", "covers")

    def check(self, component: Component) -> Iterator[Problem]:
        keyed = []
        for piece in component.pieces:
            card = str(piece.row["suit"]), str(piece.row["rank"])
            if foreign := _foreign(*card):
                yield self.problem(piece.place, f"{_label(piece)} {foreign}")
                continue
            keyed += [(card, piece)] if piece.copies else []
            if fault := _range_fault(*card, str(piece.row["covers"])):
                yield self.problem(piece.place.at_column("covers"), f"{_label(piece)} {fault}")
        yield from (self.problem(*double) for double in doubles(keyed, _label, "card"))
        for suit, ranks in SUITS.items():
            for rank in ranks:
                if (suit, rank) not in {card for card, _ in keyed}:
                    yield self.problem(component.place, f"the {rank} of {suit} is missing")
        yield from self._deal(component)

    def _deal(self, component: Component) -> Iterator[Problem]:
        count, needed = len(component.copies()), ASIDE + PLAYERS * DEALT + PUBLIC
        if count < needed:
            yield self.problem(component.place, f"a deal for two needs {needed} cards, there are {count}")
        elif count - needed != STOCK:
            yield self.problem(component.place, f"a deal for two leaves a stock of {count - needed} cards, not {STOCK}")


class PyramidSet(Declared, frozen=True, kw_only=True):
    """One pyramid in each of five colours, including black; a set for each of the three sizes. The
    column is `colour`."""

    kind = "toripoka.pyramids"
    reads = ("colour",)

    def check(self, component: Component) -> Iterator[Problem]:
        keyed = [(str(piece.row["colour"]), piece) for piece in component.pieces if piece.copies]
        found = doubles(keyed, lambda piece: label(piece, str(piece.row["colour"])), "pyramid")
        yield from (self.problem(*double) for double in found)
        colours = dict.fromkeys(colour for colour, _ in keyed)
        if len(colours) != COLOURS:
            names = list_names(colours)
            yield self.problem(component.place, f"there are pyramids in {len(colours)} colours, not {COLOURS}: {names}")
        if BLACK not in colours:
            yield self.problem(component.place, "the black pyramid is missing")


def _label(piece: Piece) -> str:
    return label(piece, f"{piece.row['rank']} of {piece.row['suit']}")


def _foreign(suit: str, rank: str) -> str:
    """Why a card is not in the deck; "" if it is."""
    if suit not in SUITS:
        return f"has a suit that is not in the deck; {did_you_mean(suit, SUITS)}"
    if rank not in SUITS[suit]:
        return f"is not in the deck: its {suit} are {list_names(SUITS[suit])}"
    return ""


def _range_fault(suit: str, rank: str, covers: str) -> str:
    is_nothing = covers in ("", "-")
    if suit == "hearts":
        return "" if is_nothing else f"covers {quote(covers)}, but only a wild stands for other ranks"
    if is_nothing:
        return "is a wild, but covers nothing"
    first, _, last = covers.partition("-")
    if first not in RANKS or last not in RANKS:
        return f"covers {quote(covers)}, which is not a range of ranks: write A-{rank}"
    if last == "A" != first:
        return f"covers {covers}: no wild stands for the high Ace"
    if first != "A":
        return f"covers {covers}, which begins at {first}, not at the low Ace"
    return "" if last == rank else f"covers {covers}, which does not end at its own rank"


class Cards(ShownRows, frozen=True, kw_only=True):
    """Each card shows its rank and its suit: the pips of the rank or its court, the sign of the
    heart Ace, and on a wild its range and the ranks in it. The columns are `rank` and `suit`."""

    kind = "toripoka.cards"
    reads = ("rank", "suit")
    fronts = [
        Shown("rank", "rank"),
        Shown("suit", named("suit", _PIPS_OF), "art", _PIPS_OF.values()),
        Shown("ink", named("suit", _INKS), "colour", _INKS.values()),
    ]

    def find_more(self, looks: Looks, faults: Faults) -> None:
        for look in looks.of("front"):
            rank, suit = str(look.piece.row["rank"]), str(look.piece.row["suit"])
            if rank in SUITS.get(suit, ()):  # the check of the deck reports others
                sign = f"range-{rank.lower()}" if suit == "spades" else "low-or-high" if rank == "A" else ""
                faults.expect(look, "sign", sign)
                _check_middle(look, rank, suit, faults)


def _check_middle(look: SideLook, rank: str, suit: str, faults: Faults) -> None:
    if suit == "spades":
        _check_steps(look, rank, faults)
    if suit == "spades" or rank == "A":
        faults.expect_art(look, "great", _GREAT[suit], _GREAT.values())
    elif rank in _COURTS:
        faults.expect_art(look, "court", _COURTS[rank], _COURTS.values())
    else:
        faults.expect(look, "pips", rank)


def _check_steps(look: SideLook, rank: str, faults: Faults) -> None:
    steps = look.all("step")
    words = [step.value for step in steps]
    if words != [*RANKS, RANKS[0]]:
        faults.add(look, f"the steps are {list_names(words)}, not {', '.join(RANKS)} and {RANKS[0]}", "steps")
        return
    reached, beyond, never = _STEPS
    for number, step in enumerate(steps):
        is_reached = number <= RANKS.index(rank)
        due = never if number == _HIGH else reached if is_reached else beyond
        feather = replace(step, part=f"step that is {due}", option=f"step_{due}")
        faults.check_art(look, feather, f"feather-{due}", [f"feather-{name}" for name in _STEPS])


class PyramidFaces(ShownRows, frozen=True, kw_only=True):
    """Each pyramid has the colour named in `colour`, the pattern of that colour, and the pips of
    its size on every side."""

    kind = "toripoka.sizes"
    reads = ("colour",)
    pips: Pips

    def find_more(self, looks: Looks, faults: Faults) -> None:
        """Other pips than those of the size; grounds and patterns of another colour."""
        names = {str(piece.row["colour"]) for piece in looks.design.component.pieces}
        for look in looks.of("front"):
            colour = str(look.piece.row["colour"])
            faults.expect_art(look, "mark", f"pips-{self.pips}", [f"pips-{n}" for n in (1, 2, 3)])
            if colour in NAMES:
                others = [name for name in NAMES if name in names]
                faults.expect_colour(look, "ground", colour, others)
            for pattern in look.all("pattern"):
                of = pattern.value.partition("-")[0]
                if of != colour and of in names:
                    faults.add(look, f"the pattern is the art {quote(pattern.value)}, of {of}", pattern.option)


class _CardLine(Struct, frozen=True):
    """A line of a reference card, and the option that contains it."""

    name: str
    note: str
    cards: str
    option: str

    def __str__(self) -> str:
        return quote(f"{self.name}, {self.note}" if self.note else self.name)


class Reference(ShownRows, frozen=True, kw_only=True):
    """The reference cards are right: all hands, the best on top, each with an example of its class
    (see `toripoka.classify`); the fits, the smaller gap first; the points.

    An example of two cards must be of its class or better with every third card.
    """

    kind = "toripoka.reference"
    fronts = backs = [
        *(Shown(f"suit {suit[0]}", always(pip), "art", _PIPS_OF.values()) for suit, pip in _PIPS_OF.items()),
        *(
            Shown(f"picture {name}", always(art), "art", _PICTURES.values(), may_lack=True)
            for name, art in _PICTURES.items()
        ),
    ]
    wild_sums: WildSums = True

    def find_more(self, looks: Looks, faults: Faults) -> None:
        for look in looks.of("front"):
            self._check_hands(look, faults)
        for look in looks.of("back"):
            self._check_fits(look, faults)
            _check_points(look, faults)

    def _check_hands(self, look: SideLook, faults: Faults) -> None:
        lines = list(_lines(look))
        order = [_class_of_line(line) for line in lines]
        due = list(reversed(CLASSES))
        if order != due:
            pairs = zip(lines, order, due, strict=False)
            wrong = next((line.option for line, is_, should in pairs if is_ != should), "lines")
            faults.add(look, f"the hands are {list_names(order)}, not {list_names(due)}", wrong)
        for line in lines:
            if what := self._misfit(line):
                faults.add(look, what, line.option)

    def _misfit(self, line: _CardLine) -> str:
        """Why a line's example is not of its class; "" if it is."""
        try:
            hand = self._least(line.cards.split())
        except MisfitError as error:
            return f"{line}: {error}"
        due = _class_of_line(line)
        return "" if hand.rank == due else f"{line}: {line.cards} is {quote(hand.rank)}"

    def _least(self, cards: list[str]) -> Hand:
        """The hand of three cards, or the least hand of two with any third. Raises MisfitError for invalid cards."""
        if len(cards) != 2:
            return classify(cards, wild_sums=self.wild_sums)
        deck = [f"{rank}{suit[0]}" for suit, ranks in SUITS.items() for rank in ranks]
        thirds = [card for card in deck if card not in cards]
        return min(classify([*cards, third], wild_sums=self.wild_sums) for third in thirds)

    def _check_fits(self, look: SideLook, faults: Faults) -> None:
        gaps: list[int] = []
        lines = {line.name: line for line in _lines(look)}
        for name in _FITS:
            if name not in lines:
                faults.add(look, f"the line {quote(name)} is missing", "lines")
                continue
            line = lines[name]
            try:
                hand = classify(line.cards.split(), wild_sums=self.wild_sums)
            except MisfitError as error:
                faults.add(look, f"{line}: {error}", line.option)
                continue
            if what := _misfitting(line, hand, gaps):
                faults.add(look, f"{line}: {what}", line.option)
            gaps.append(hand.gap)


def _misfitting(line: _CardLine, hand: Hand, gaps: list[int]) -> str:
    """The fault of a line of a fit, after those with smaller gaps; "" if there is none."""
    match = re.search(r"the (\w+) stands for (\w+)", line.note)
    due = number_of(match[2]) if match and match[2] in RANKS else 0
    if match and hand.wilds.get(f"{match[1]}s") != due:
        stands = [f"the {name[:-1]} stands for {value}" for name, value in hand.wilds.items()]
        return f"in {line.cards} {list_names(stands or ['no card stands for another'])}"
    if bool(gaps) != bool(hand.gap) or (gaps and hand.gap <= max(gaps)):
        return f"{line.cards} has a gap of {hand.gap}"
    return ""


def _check_points(look: SideLook, faults: Faults) -> None:
    lines = {line.note: line for line in _lines(look)}
    for note, points in POINTS.items():
        line = lines.get(note)
        if line is None:
            faults.add(look, f"the points for {note} are missing", "lines")
        elif line.name.split()[0] != str(points):
            faults.add(look, f"{line}: it gives {points} points", line.option)
    for note, picture in _PICTURE_OF.items():
        if note in lines and lines[note].cards != picture:
            line = lines[note]
            faults.add(look, f"{line} has the picture {quote(line.cards)}", line.option)


def _lines(look: SideLook) -> Iterator[_CardLine]:
    parts = (look.all(part) for part in ("name", "note", "cards"))
    for name, note, cards in zip(*parts, strict=True):
        yield _CardLine(name.value, note.value, cards.value, name.option)


def _class_of_line(line: _CardLine) -> str:
    with_wilds = {"without wilds": " (no wilds)", "with wilds": " (with wilds)"}
    return f"{line.name}{with_wilds.get(line.note, '')}"
