"""Take lines of words and hands of cards, make a reference card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from generator.basics.errors import MisfitError, did_you_mean, quote
from generator.basics.geometry import Point, Rect
from generator.basics.keys import Before, Custom, Keys, describe, matching, strip
from generator.faces.canvas import Canvas
from generator.faces.playing import Margins
from generator.model import Column, Component, Feature, Piece, PlacedLayer
from generator.tables.fields import (
    ArtName,
    Colour,
    Extent,
    FontFamily,
    Length,
    Name,
    PositiveLength,
    Text,
)
from generator.text import Font

Letter = Annotated[str, matching(r"^[a-z]$", "must be one letter, a to z")]
Note = Custom[str, Before(strip), Meta(max_length=200)]
Lines = Annotated[
    tuple[tuple[Text, Note, Note], ...],
    describe("lines of a name, a note, and cards as '2h 10s'; both may be ''", min_length=1),
]
Pictures = Annotated[dict[Name, ArtName], describe("name = art that may replace a card")]


class Hands(Keys, frozen=True, kw_only=True):
    """A title and lines below it: words at the left, a hand of tiny cards at the right.

    A line is a name, a note (may be empty) and its cards, each a rank and the letter of its suit:
    ["Straight", "no wilds", "2h 3h 4h"]. The name of a picture may replace a card. The lines share
    the height below the title evenly.
    """

    title: Annotated[Text, describe("the title above the lines")]
    lines: Lines
    ground: Colour
    ink: Colour  # of the words
    margin: Margins
    title_font: FontFamily
    title_size: PositiveLength
    name_font: FontFamily
    name_size: PositiveLength
    note_font: FontFamily
    note_size: PositiveLength
    suits: Annotated[dict[Letter, ArtName], describe("letter = pip")]
    inks: Annotated[dict[Letter, Colour], describe("letter = colour")]
    pictures: Pictures = {}
    card: Extent  # of a tiny card
    card_gap: Length
    card_corner: Length
    card_line: Length
    card_font: FontFamily
    card_type: PositiveLength
    card_pip: PositiveLength

    def columns(self) -> list[Column]:
        return []

    def draw(self, piece: Piece, component: Component) -> list[PlacedLayer]:
        canvas = Canvas(component.bleed_size)
        canvas.rect(Rect(0.0, 0.0, *component.bleed_size), self.ground)
        box, (across, down) = component.trim, self.margin
        box = Rect(box.x0 + across, box.y0 + down, box.x1 - across, box.y1 - down)
        base = box.y0 + _capitals(self.title_font, self.title_size)
        title = Point(box.x0, base)
        _write(canvas, self.title, self.title_font, self.title_size, title, box.width, self.ink)
        top = base + self.title_size / 2
        pitch = (box.y1 - top) / len(self.lines)
        if pitch < self.card[1]:
            raise MisfitError(
                "the lines do not fit on the card", "use fewer lines, or a smaller `card`"
            )
        for number, line in enumerate(self.lines):
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


def _write(
    canvas: Canvas, text: str, font: Font, size: float, start: Point, width: float, ink: str
) -> None:
    """Write a line of text. Raises MisfitError if it is wider than `width` mm."""
    if font.width(text, size) > width:
        raise MisfitError(f"{quote(text)} is too long for its line", "shorten the text")
    canvas.write(text, font, size, start, ink)
