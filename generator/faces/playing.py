"""Faces of a playing card, from its rank and suit; it reads the same either way up.

Pips are in the traditional places of playing cards. A reference card has lines of words and hands of cards.
"""

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Annotated

from msgspec import Meta

from generator.basics.errors import MisfitError, did_you_mean, look_up, quote
from generator.basics.geometry import ORIGIN, Point, Rect, Size, steady
from generator.basics.keys import Before, Custom, Keys, describe, matching, strip
from generator.faces.canvas import Canvas
from generator.model import Art, Column, Component, Feature, Piece, PlacedLayer
from generator.tables import fields
from generator.text import Font

Rank = Annotated[str, matching(r"^\S{1,3}$", "must be one to three characters without a space")]
ArtOfSuit = Annotated[dict[fields.Name, fields.ArtName], describe("suit = art")]
InkOfSuit = Annotated[dict[fields.Name, fields.Colour], describe("suit = colour")]
ArtOfRank = Annotated[dict[fields.Name, dict[Rank, fields.ArtName]], describe("suit = { rank = art }, for some ranks")]
Margins = Annotated[
    tuple[fields.Length, fields.Length], describe("distances from the left and the top edge of the cut card")
]
Steps = Annotated[tuple[Rank, ...], describe("the ranks that a wild may cover, low to high")]
_MOST_MOTIFS = 2_000  # on a back
_SIDES = (-1.0, 1.0)

# The rows of the two outer columns, and of the middle one: -1 is the top of the field, 1 the foot.
_ROWS: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "2": ((), (-1, 1)),
    "3": ((), (-1, 0, 1)),
    "4": ((-1, 1), ()),
    "5": ((-1, 1), (0,)),
    "6": ((-1, 0, 1), ()),
    "7": ((-1, 0, 1), (-1 / 2,)),
    "8": ((-1, 0, 1), (-1 / 2, 1 / 2)),
    "9": ((-1, -0.4, 0.4, 1), (0,)),  # room for the middle one
    "10": ((-1, -1 / 3, 1 / 3, 1), (-2 / 3, 2 / 3)),
}
RANKS = tuple(_ROWS)
_LARGER = 1.15  # pips of cards that have up to four, which look empty
Letter = Annotated[str, matching(r"^[a-z]$", "must be one letter, a to z")]
Note = Custom[str, Before(strip), Meta(max_length=200)]
Lines = Annotated[
    tuple[tuple[fields.Text, Note, Note], ...],
    describe("lines of a name, a note, and cards as '2h 10s'; both may be ''", min_length=1),
]
Pictures = Annotated[dict[fields.Name, fields.ArtName], describe("name = art that may replace a card")]


class Card(Keys, frozen=True, kw_only=True):
    """Indices in two corners, and between them pips, a court, or one large pip.

    The columns are `rank` and `suit`, and with `steps` also `covers`: "A-7" makes the card a wild
    that shows its range, "-" an ordinary card. All positions are measured from the edges of the
    cut card, so they adapt to another size of card.
    """

    renderer = "playing.card"
    ground: fields.Colour
    suits: ArtOfSuit  # the pips
    inks: InkOfSuit  # of the indices
    index_font: fields.FontFamily
    index_size: fields.PositiveLength
    index_margin: Margins  # to the ink of the index
    index_width: fields.PositiveLength  # of the column of rank, pip and sign
    index_gap: fields.Length  # between them, and from them to the range
    index_pip: fields.PositiveLength
    pip_size: fields.PositiveLength
    pip_margin: Margins  # to the outermost pips
    great: ArtOfSuit = {}  # the large pip, if it differs from the others
    great_size: fields.PositiveLength
    courts: ArtOfRank = {}  # the upright half of each
    court_margin: fields.Length = 0.0  # from every edge of the cut card
    signs: ArtOfRank = {}  # below the index
    sign_size: fields.PositiveLength = 3.0
    steps: Steps = ()  # no wild reaches a rank the second time that it is named
    step_reached: fields.MaybeArt = None
    step_beyond: fields.MaybeArt = None
    step_never: fields.MaybeArt = None
    step_height: fields.PositiveLength = 8.0
    step_gap: fields.Length = 0.0  # from the motif to its rank
    step_font: fields.MaybeFont = None  # by default, the font of the index
    step_type: fields.PositiveLength = 2.5

    def columns(self) -> list[Column]:
        return [Column(name) for name in ("rank", "suit", *(["covers"] if self.steps else []))]

    def draw(self, piece: Piece, component: Component) -> list[PlacedLayer]:
        rank, suit = str(piece.row["rank"]), str(piece.row["suit"])
        pip = look_up(self.suits, suit, "suit")
        ground, half = Canvas(component.bleed_size), Canvas(component.bleed_size)
        ground.rect(Rect(0.0, 0.0, *component.bleed_size), self.ground)
        covers = str(piece.row["covers"]) if self.steps else "-"
        is_wild = covers not in ("", "-")
        court = None if is_wild else self.courts.get(suit, {}).get(rank)
        if court is not None:
            half.image(court, component.trim.grown(-self.court_margin))
        self._draw_index(half, rank, suit, component.trim)
        if is_wild:
            self._draw_range(half, self._reach(covers), suit, component.trim)
        half.double()
        return [
            PlacedLayer(ground.layer(f"{component.id} ground"), ORIGIN),
            PlacedLayer(half.layer(f"{component.id} {piece.id}"), ORIGIN),
            *([] if court else self._pips(rank, suit, pip, component.trim, is_wild)),
        ]

    def features(self, piece: Piece, _: Component) -> Iterator[Feature]:
        rank, suit = str(piece.row["rank"]), str(piece.row["suit"])
        covers = str(piece.row["covers"]) if self.steps else "-"
        is_wild = covers not in ("", "-")
        court = None if is_wild else self.courts.get(suit, {}).get(rank)
        yield Feature("rank", rank)
        yield Feature.of("suit", look_up(self.suits, suit, "suit"), f"suits.{suit}")
        yield Feature("ink", look_up(self.inks, suit, "suit"), f"inks.{suit}")
        if rank in self.signs.get(suit, {}):
            yield Feature.of("sign", self.signs[suit][rank], f"signs.{suit}.{rank}")
        if court is not None:
            yield Feature.of("court", court, f"courts.{suit}.{rank}")
        elif is_wild or rank == "A":
            great = self.great.get(suit, self.suits[suit])
            yield Feature.of("great", great, f"great.{suit}")
        else:
            count = len(list(place_pips(rank))) if rank in RANKS else 0
            yield Feature("pips", str(count))
        if is_wild:
            yield from self._features_of_range(self._reach(covers))

    def _features_of_range(self, reach: range) -> Iterator[Feature]:
        """Each step by its rank, and its picture, which shows whether a wild reaches it."""
        for step, rank in enumerate(self.steps):
            art = self._step_art(step, reach)
            yield Feature("step", rank, f"steps.{step}", art=art)

    def _pips(self, rank: str, suit: str, pip: Art, trim: Rect, is_wild: bool) -> Iterator[PlacedLayer]:
        if is_wild or rank == "A":
            great = self.great.get(suit, pip)
            yield _motif(great, Size(self.great_size, self.great_size), trim.centre, False)
            return
        if rank not in RANKS:
            hint = f"give it a court, or use: A, {', '.join(RANKS)}"
            raise MisfitError(f"there are no pips for the rank {quote(rank)}", hint)
        side = self.pip_size * (_LARGER if rank in ("2", "3", "4") else 1.0)
        size, places = Size(side, side), _inset(trim, self.pip_margin).grown(-side / 2)
        for place in place_pips(rank):
            x = trim.centre.x + place.x * places.width / 2
            y = trim.centre.y + place.y * places.height / 2
            yield _motif(pip, size, Point(x, y), place.y > 0)

    def _draw_index(self, canvas: Canvas, rank: str, suit: str, trim: Rect) -> None:
        ink = look_up(self.inks, suit, "suit")
        x = trim.x0 + self.index_margin[0] + self.index_width / 2
        y = trim.y0 + self.index_margin[1]
        high = self.index_font.ink("K", self.index_size).height  # puts all ranks on one line
        canvas.stand(rank, self.index_font, self.index_size, Point(x, y + high), ink)
        y += high + self.index_gap
        sign = self.signs.get(suit, {}).get(rank)
        below = [(self.suits[suit], self.index_pip), *([(sign, self.sign_size)] if sign else [])]
        for art, side in below:
            canvas.image(art, Rect(x - side / 2, y, x + side / 2, y + side))
            y += side + self.index_gap

    def _reach(self, covers: str) -> range:
        """The steps that a wild covers. Raises MisfitError if `covers` is not a range of steps."""
        ends = covers.split("-")
        unknown = [end for end in ends if end not in self.steps]
        if len(ends) != 2 or unknown:
            hint = "write two steps with '-' between them, as in 'A-7'"
            raise MisfitError(f"covers: {quote(covers)} is not a range of the steps", hint)
        first, last = (self.steps.index(end) for end in ends)
        if last < first:
            raise MisfitError(f"covers: {quote(covers)} runs backwards", "put the lower step first")
        return range(first, last + 1)

    def _draw_range(self, canvas: Canvas, reach: range, suit: str, trim: Rect) -> None:
        """The steps in a row, from the index to the opposite margin."""
        font = self.step_font or self.index_font
        left = trim.x0 + self.index_margin[0] + self.index_width + self.index_gap
        pitch = (trim.x1 - self.index_margin[0] - left) / len(self.steps)
        top = trim.y0 + self.index_margin[1]
        foot = top + self.step_height
        label = foot + self.step_gap + font.ink("K", self.step_type).height
        for step, rank in enumerate(self.steps):
            x = left + (step + 0.5) * pitch
            motif = self._step_art(step, reach)
            if motif is not None:
                canvas.image(motif, Rect(x - pitch / 2, top, x + pitch / 2, foot))
            canvas.stand(rank, font, self.step_type, Point(x, label), self.inks[suit])

    def _step_art(self, step: int, reach: range) -> Art | None:
        if self.steps.index(self.steps[step]) < step:
            return self.step_never
        return self.step_reached if step in reach else self.step_beyond


class CardBack(Keys, frozen=True, kw_only=True):
    """A motif repeated past all edges, every second column upside down: it has no top or bottom."""

    renderer = "playing.back"
    ground: fields.Colour
    motif: fields.ArtName
    motif_size: fields.Extent
    step: fields.Extent  # from motif to motif, across and down

    def columns(self) -> list[Column]:
        return []

    def draw(self, piece: Piece, component: Component) -> list[PlacedLayer]:
        size, (across, down) = component.bleed_size, self.step
        motif = Size(*self.motif_size)
        columns = ceil(steady((size.width + motif.width) / 2 / across))
        rows = ceil(steady((size.height + motif.height) / 2 / down))
        if 4 * columns * rows > _MOST_MOTIFS:
            raise MisfitError("the back has too many motifs", "make `step` larger")
        ground = Canvas(size)
        ground.rect(Rect(0.0, 0.0, *size), self.ground)
        layers = [PlacedLayer(ground.layer(f"{component.id} {piece.id} back"), ORIGIN)]
        for column in range(-columns, columns):
            is_turned = column % 2 == 1
            x = size.width / 2 + (column + 0.5) * across
            for row in range(-rows - 1, rows + 1):
                # a quarter and three quarters of a step: column -1 - n is column n upside down
                y = size.height / 2 + (row + (0.75 if is_turned else 0.25)) * down
                layers.append(_motif(self.motif, motif, Point(x, y), is_turned))
        return layers

    def features(self, _: Piece, _component: Component) -> Iterator[Feature]:
        yield Feature.of("motif", self.motif, "motif")


def _inset(box: Rect, margins: tuple[float, float]) -> Rect:
    """The box without its margins. Raises MisfitError if nothing is left."""
    across, down = margins
    inner = Rect(box.x0 + across, box.y0 + down, box.x1 - across, box.y1 - down)
    if inner.width <= 0 or inner.height <= 0:
        raise MisfitError("the margins leave nothing of the card", "make the margins smaller")
    return inner


def _motif(art: Art, size: Size, centre: Point, is_turned: bool) -> PlacedLayer:
    """A picture in a separate layer, so that it is typeset once for all its places."""
    canvas = Canvas(size)
    canvas.image(art, Rect(0.0, 0.0, *size))
    if is_turned:
        canvas.half_turn()
    name = f"art {art.name}" + (" turned" if is_turned else "")
    corner = Point(centre.x - size.width / 2, centre.y - size.height / 2)
    return PlacedLayer(canvas.layer(name), corner)


def place_pips(rank: str) -> Iterator[Point]:
    """The places of the pips of a rank in RANKS; x and y run from -1 to 1, y down.

    Pips below the middle (y > 0) are upside down.
    """
    outer, middle = _ROWS[rank]
    yield from (Point(x, y) for y in outer for x in _SIDES)
    yield from (Point(0.0, y) for y in middle)


class Hands(Keys, frozen=True, kw_only=True):
    """A title and lines below it: words at the left, a hand of tiny cards at the right.

    A line is a name, a note (may be empty) and its cards, each a rank and the letter of its suit: ["Straight", "no
    wilds", "2h 3h 4h"]. The name of a picture may replace a card. The lines share the height below the title evenly.
    """

    renderer = "playing.hands"
    title: Annotated[fields.Text, describe("the title above the lines")]
    lines: Lines
    words: Annotated[
        fields.ColumnName | None,
        describe("a column: its lines, if there are any, replace the title and each 'name; note'"),
    ] = None
    ground: fields.Colour
    ink: fields.Colour  # of the words
    margin: Margins
    title_font: fields.FontFamily
    title_size: fields.PositiveLength
    name_font: fields.FontFamily
    name_size: fields.PositiveLength
    note_font: fields.FontFamily
    note_size: fields.PositiveLength
    suits: Annotated[dict[Letter, fields.ArtName], describe("letter = pip")]
    inks: Annotated[dict[Letter, fields.Colour], describe("letter = colour")]
    pictures: Pictures = {}
    card: fields.Extent  # of a tiny card
    card_gap: fields.Length
    card_corner: fields.Length
    card_line: fields.Length
    card_font: fields.FontFamily
    card_type: fields.PositiveLength
    card_pip: fields.PositiveLength

    def columns(self) -> list[Column]:
        return [Column(self.words)] if self.words else []

    def _reworded(self, piece: Piece) -> tuple[str, Sequence[tuple[str, str, str]]]:
        """The title and the lines, in the words of the row if it has some."""
        words = str(piece.row[self.words]).strip() if self.words else ""
        if not words:
            return self.title, self.lines
        title, *names = words.split("\n")
        if len(names) != len(self.lines):
            what = f"{self.words} has {len(names)} lines below its title, not {len(self.lines)}"
            raise MisfitError(what, "write a line for each of `lines`: 'name; note'")
        parts = (name.partition(";") for name in names)
        return title, [
            (name.strip(), note.strip(), hand) for (name, _, note), (_, _, hand) in zip(parts, self.lines, strict=True)
        ]

    def draw(self, piece: Piece, component: Component) -> list[PlacedLayer]:
        canvas = Canvas(component.bleed_size)
        canvas.rect(Rect(0.0, 0.0, *component.bleed_size), self.ground)
        words, lines = self._reworded(piece)
        box, (across, down) = component.trim, self.margin
        box = Rect(box.x0 + across, box.y0 + down, box.x1 - across, box.y1 - down)
        base = box.y0 + _capitals(self.title_font, self.title_size)
        _write(canvas, words, self.title_font, self.title_size, Point(box.x0, base), box.width, self.ink)
        top = base + self.title_size / 2
        pitch = (box.y1 - top) / len(self.lines)
        if pitch < self.card[1]:
            raise MisfitError("the lines do not fit on the card", "use fewer lines, or a smaller `card`")
        for number, line in enumerate(lines):
            row = Rect(box.x0, top + pitch * number, box.x1, top + pitch * (number + 1))
            self._draw_line(canvas, line, row)
        return [PlacedLayer(canvas.layer(f"{component.id} {piece.id}"), Point(0.0, 0.0))]

    def features(self, _: Piece, _component: Component) -> Iterator[Feature]:
        """The features; all parts of a line have one option, its number."""
        for number, line in enumerate(self.lines):
            for part, value in zip(("name", "note", "cards"), line, strict=True):
                yield Feature(part, value, f"lines.{number}")
        for letter, art in self.suits.items():
            yield Feature.of(f"suit {letter}", art, f"suits.{letter}")
        for name, art in self.pictures.items():
            yield Feature.of(f"picture {name}", art, f"pictures.{name}")

    def _draw_line(self, canvas: Canvas, line: tuple[str, str, str], row: Rect) -> None:
        name, note, hand = line
        middle, pitch = (row.y0 + row.y1) / 2, self.card[0] + self.card_gap
        left = row.x1 - max(len(hand.split()) for _, _, hand in self.lines) * pitch
        for place, card in enumerate(hand.split()):
            x, y = left + self.card_gap + place * pitch, middle - self.card[1] / 2
            self._draw_card(canvas, card, Rect(x, y, x + self.card[0], y + self.card[1]))
        left = left if hand else row.x1
        high = _capitals(self.name_font, self.name_size)
        low = _capitals(self.note_font, self.note_size) + self.name_size / 2 if note else 0.0
        start, width = Point(row.x0, middle + (high - low) / 2), left - row.x0
        _write(canvas, name, self.name_font, self.name_size, start, width, self.ink)
        start = Point(row.x0, start.y + low)
        _write(canvas, note, self.note_font, self.note_size, start, width, self.ink)

    def _draw_card(self, canvas: Canvas, card: str, box: Rect) -> None:
        if card in self.pictures:
            canvas.image(self.pictures[card], box)
            return
        rank, suit = card[:-1], card[-1]
        if not rank or suit not in self.suits or suit not in self.inks:
            hint = f"write a rank and the letter of a suit; {did_you_mean(suit, self.suits)}"
            raise MisfitError(f"{quote(card)} is not a card", hint)
        ink, half = self.inks[suit], self.card_pip / 2
        canvas.outline(box.grown(-self.card_line / 2), ink, self.card_line, self.card_corner)
        high = _capitals(self.card_font, self.card_type)
        x, space = (box.x0 + box.x1) / 2, (box.height - high - self.card_pip) / 3
        foot = Point(x, box.y0 + space + high)
        canvas.stand(rank, self.card_font, self.card_type, foot, ink)
        pip = box.y1 - space - half
        canvas.image(self.suits[suit], Rect(x, pip, x, pip).grown(half))


def _capitals(font: Font, size: float) -> float:
    return font.ink("H", size).height


def _write(canvas: Canvas, text: str, font: Font, size: float, start: Point, width: float, ink: str) -> None:
    """Write a line of text. Raises MisfitError if it is wider than `width` mm."""
    if font.width(text, size) > width:
        raise MisfitError(f"{quote(text)} is too long for its line", "shorten the text")
    canvas.write(text, font, size, start, ink)
