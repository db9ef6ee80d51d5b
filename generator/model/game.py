"""A game as its folder tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, NamedTuple

from generator.errors import Level
from generator.geometry import Rect, Size, translation
from generator.model.face import Side
from generator.outlines import Outline, Shape, carried
from generator.place import Place

Value = str | int
# neighbours touch; a gutter holds both bleeds; which fits
Cuts = Literal["shared", "double", "auto"]

DRAWN, MIRROR = "drawn", "mirror"
LEAFLETS = COVER, RULEBOOK = "cover", "rules"  # the parts of a kit that are read


@dataclass(frozen=True, slots=True)
class TranslatedCell:
    """A filled cell of a column that has others beside it in other languages ("name.de"): the
    languages, and whether their cell is filled too."""

    place: Place
    languages: Mapping[str, bool]


@dataclass(frozen=True, slots=True)
class Piece:
    """One row of a table: a physical piece, `copies` times."""

    id: str
    row: Mapping[str, Value]
    copies: int
    place: Place
    texts: tuple[TranslatedCell, ...] = ()

    def number(self, column: str) -> int:
        """The whole number in a column that was declared as one."""
        value = self.row[column]
        assert isinstance(value, int), f"{column} was not declared as a number"
        return value


class Merged(NamedTuple):
    """What an expansion made of a component: copies before, come and gone; rows in whose place
    stand others."""

    base: int
    added: int
    removed: int
    replaced: int

    def __str__(self) -> str:
        total = self.base + self.added - self.removed
        rows = f", {self.replaced} of the rows replaced" if self.replaced else ""
        return f"base {self.base} + {self.added} - {self.removed} = {total} pieces{rows}"


@dataclass(frozen=True, slots=True)
class Art:
    """A designer's picture, proven harmless: SVG, PNG or JPEG as a data URI. `file` is where it
    comes from, within the game's folder; empty for the house's own."""

    name: str
    uri: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class Component:
    """All pieces of one shape and one pair of faces.

    As its front is seen; `from_behind` gives it as the back is.
    """

    id: str
    title: str
    shape: Shape
    corner_radius: float  # of a rectangle
    bleed: float
    back_bleed: float
    safe: float  # what keeps so far from the cut is not cut off
    cuts: Cuts
    columns: Mapping[Side, tuple[str, ...]]  # that each printed side is drawn from
    pieces: tuple[Piece, ...]
    place: Place
    merged: Merged | None = None  # None without an expansion
    # what is past the trim: DRAWN by the renderer, as where none is told, MIRROR, or a colour
    edges: Mapping[Side, str] = field(default_factory=dict)
    # where an option of a side ("back.line"), or an art ("art.star"), stands
    places: Mapping[str, Place] = field(default_factory=dict)

    def copies(self) -> list[Piece]:
        """The physical pieces: each row as often as its count says."""
        return [piece for piece in self.pieces for _ in range(piece.copies)]

    def find_place(self, key: str) -> Place:
        """Where an option or an art stands; where what holds it does, if it is left out."""
        while key and key not in self.places:
            key = key.rpartition(".")[0]
        return self.places.get(key, self.place)

    @property
    def has_back(self) -> bool:
        """Whether its backs are printed."""
        return "back" in self.columns

    @property
    def is_plain_edged(self) -> bool:
        """Whether all edges of a side are of one colour, so that neighbours may share a bleed."""
        return all(self.edges.get(side, DRAWN) not in (DRAWN, MIRROR) for side in self.columns)

    def from_behind(self) -> Component:
        """The same pieces turned over: the outline mirrored, the bleed that of the back."""
        return replace(self, shape=self.shape.mirrored(), bleed=self.back_bleed)

    @property
    def size(self) -> Size:
        """Of the box around a cut piece."""
        return self.shape.size

    @property
    def bleed_size(self) -> Size:
        """Of the box that a face is drawn on."""
        return Size(self.size.width + 2 * self.bleed, self.size.height + 2 * self.bleed)

    @property
    def trim(self) -> Rect:
        """The box around the cut piece in face coordinates."""
        width, height = self.size
        return Rect(self.bleed, self.bleed, self.bleed + width, self.bleed + height)

    @property
    def outline(self) -> Outline:
        """The cut piece in face coordinates."""
        return carried(self.shape.outline, translation(self.bleed, self.bleed))


@dataclass(frozen=True, slots=True)
class Booklet:
    """The text of a rule booklet, as it was written, and how it is to look."""

    place: Place  # its file
    text: str
    title_font: str  # families
    text_font: str
    fallback: tuple[str, ...]  # for signs that these lack
    size: float  # mm
    accent: str
    icons: Mapping[str, Art]  # pictures that stand among words
    palette: Mapping[str, str]
    has_cover: bool  # a sheet that says what is in the kit and how to make it


@dataclass(frozen=True, slots=True)
class Accept:
    """A finding that may stay, and the reason.

    finding: its kind.
    on: the components ("cards") and pieces ("cards/3") that it is about; none: the whole game.
    found: its figures.
    level: the gravest that may stay.
    is_due: whether it is itself a finding when nothing needs it.
    """

    finding: str
    on: tuple[str, ...]
    found: str
    reason: str
    level: Level
    place: Place
    is_due: bool = True


@dataclass(frozen=True, slots=True)
class Game:
    """A game as its folder tells it; `name` includes the variant ("talavera-balanced") and the
    language, "" for the plain one."""

    name: str
    title: str
    designer: str
    about: str
    components: tuple[Component, ...]
    font_folders: tuple[Path, ...]
    booklet: Booklet | None = None
    palette: Mapping[str, str] = field(default_factory=dict)
    accepts: tuple[Accept, ...] = ()
    language: str = ""
    spoken: tuple[str, ...] = ()  # languages that the titles or the rules are there in

    @property
    def languages(self) -> list[str]:
        """Those, and those that some cell has a translation's column for."""
        pieces = (piece for component in self.components for piece in component.pieces)
        texts = (text for piece in pieces for text in piece.texts)
        return sorted({*self.spoken, *(one for text in texts for one in text.languages)})
