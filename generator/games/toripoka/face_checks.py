"""Take Toripoka's cards, reference cards and pyramids, find faults of their faces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, quote
from generator.basics.keys import describe
from generator.checks import colours
from generator.checks.looks import Faults, Looks, Shown, ShownRows, SideLook, always, named
from generator.checks.table import list_names
from generator.games.toripoka.checks import CLASSES, RANKS, SUITS, Hand, classify
from generator.model import Column

Pips = Annotated[
    Literal[1, 2, 3],
    describe("the number of pips on each: 1 for the small ones, 3 for large"),
]
WildSums = Annotated[bool, describe("whether a wild may take part in a sum or a product")]
_PIPS_OF = {"hearts": "heart", "spades": "spade"}
_GREAT = {suit: f"great-{pip}" for suit, pip in _PIPS_OF.items()}
_INKS = {"hearts": "red", "spades": "black"}
_COURTS = {"J": "wagtail", "Q": "crane", "K": "eagle"}
_SIGN = "low-or-high"  # of the heart Ace
_HIGH = len(RANKS)  # the step after the King: the high Ace, which no wild reaches
_STEPS = ("reached", "beyond", "never")
POINTS: Mapping[str, int] = {  # "Final scoring"
    "a tree of one colour": 7,
    "a tree of mixed colours": 5,
    "each other pyramid": 1,
}
_FITS = ("Exact fit", "Tight fit", "Loose fit")  # "Hand fitting", the smaller gap first
_PICTURES = {
    "solid": "tree-solid",
    "mixed": "tree-mixed",
    "single": "pyramid",
    "black": "tree-black",
}
_PICTURE_OF = {**dict(zip(POINTS, _PICTURES, strict=False)), "as much, below zero": "black"}


class Cards(ShownRows, frozen=True, kw_only=True):
    """Each card shows its rank and its suit: the pips of the rank or its court, the sign of the
    heart Ace, and on a wild the ranks in its range. The columns are `rank` and `suit`."""

    kind = "toripoka.cards"
    fronts = [
        Shown("rank", "rank"),
        Shown("suit", named("suit", _PIPS_OF), "art", _PIPS_OF.values()),
        Shown("ink", named("suit", _INKS), "colour", _INKS.values()),
    ]

    def columns(self) -> list[Column]:
        return [Column("rank"), Column("suit")]

    def find_more(self, looks: Looks, faults: Faults) -> None:
        for look in looks.of("front"):
            rank, suit = str(look.piece.row["rank"]), str(look.piece.row["suit"])
            if rank in SUITS.get(suit, ()):  # the check of the deck reports others
                is_ace = (suit, rank) == ("hearts", "A")
                faults.expect(look, "sign", _SIGN if is_ace else "")
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
        what = f"the steps are {list_names(words)}, not {', '.join(RANKS)} and {RANKS[0]}"
        faults.add(look, what, "steps")
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
    pips: Pips

    def columns(self) -> list[Column]:
        return [Column("colour")]

    def find_more(self, looks: Looks, faults: Faults) -> None:
        """Other pips than those of the size; grounds and patterns of another colour."""
        names = {str(piece.row["colour"]) for piece in looks.design.component.pieces}
        for look in looks.of("front"):
            colour = str(look.piece.row["colour"])
            faults.expect_art(look, "mark", f"pips-{self.pips}", [f"pips-{n}" for n in (1, 2, 3)])
            if colour in colours.NAMES:
                others = [name for name in colours.NAMES if name in names]
                faults.expect_colour(look, "ground", colour, others)
            for pattern in look.all("pattern"):
                of = pattern.value.partition("-")[0]
                if of != colour and of in names:
                    what = f"the pattern is the art {quote(pattern.value)}, of {of}"
                    faults.add(look, what, pattern.option)


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
        *(
            Shown(f"suit {suit[0]}", always(pip), "art", _PIPS_OF.values())
            for suit, pip in _PIPS_OF.items()
        ),
        *(
            Shown(f"picture {name}", always(art), "art", _PICTURES.values(), may_lack=True)
            for name, art in _PICTURES.items()
        ),
    ]
    wild_sums: WildSums = True

    def columns(self) -> list[Column]:
        return []

    def find_more(self, looks: Looks, faults: Faults) -> None:
        for look in looks.of("front"):
            self._check_hands(look, faults)
        for look in looks.of("back"):
            self._check_fits(look, faults)
            _check_points(look, faults)

    def _check_hands(self, look: SideLook, faults: Faults) -> None:
        lines = list(_lines(look))
        order = [_class_of(line) for line in lines]
        due = list(reversed(CLASSES))
        if order != due:
            pairs = zip(lines, order, due, strict=False)
            wrong = next((line.option for line, is_, should in pairs if is_ != should), "lines")
            faults.add(look, f"the hands are {list_names(order)}, not {list_names(due)}", wrong)
        for line in lines:
            what = self._misfit(line)
            if what:
                faults.add(look, what, line.option)

    def _misfit(self, line: _CardLine) -> str:
        """Why a line's example is not of its class; "" if it is."""
        try:
            hand = self._least(line.cards.split())
        except MisfitError as error:
            return f"{line}: {error}"
        due = _class_of(line)
        return "" if hand.rank == due else f"{line}: {line.cards} is {quote(hand.rank)}"

    def _least(self, cards: list[str]) -> Hand:
        """The hand of three cards, or the least hand of two with any third. Raises MisfitError for
        invalid cards."""
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
    if match and hand.wilds.get(f"{match[1]}s") != _value(match[2]):
        stands = [f"the {name[:-1]} stands for {value}" for name, value in hand.wilds.items()]
        return f"in {line.cards} {list_names(stands or ['no card stands for another'])}"
    if bool(gaps) != bool(hand.gap) or (gaps and hand.gap <= max(gaps)):
        return f"{line.cards} has a gap of {hand.gap}"
    return ""


def _value(word: str) -> int:
    return RANKS.index(word) + 1 if word in RANKS else 0


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


def _class_of(line: _CardLine) -> str:
    """The name of a class as in CLASSES."""
    with_wilds = {"without wilds": " (no wilds)", "with wilds": " (with wilds)"}
    return f"{line.name}{with_wilds.get(line.note, '')}"
