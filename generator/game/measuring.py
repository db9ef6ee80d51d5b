"""The shape of a component, or that of each row: from its `size`, its `outline` or its
[component.shape].

A measure may be a text with placeholders, "{{ wide }}mm": then each row has a shape of its own,
read as if its game.toml held the filled text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, Place, Problem
from generator.basics.geometry import Size
from generator.basics.keys import KeyPath, Keys
from generator.basics.shapes import Outline, Shape, rectangle
from generator.game.shapes import SHAPES, SIZE, CutoutTable, DrawnTable, FoldTable, HoleTable, PieceSize, work_on
from generator.game.spec import Raw, Source, replaced, walk
from generator.model import Column, Piece
from generator.tables.fields import Length, Resources

if TYPE_CHECKING:
    from generator.faces.templating.choosing import RowText

# the keys of a [[component]] that its shape is made of
MEASURES = ("size", "outline", "shape", "folds", "holes", "cutouts")
_OPENING = "{{"
_FILLED = ("size", "outline", "folds", "holes", "cutouts")  # of no use before rows fill them
_FLAT = ("size", "corner_radius", "folds", "holes", "cutouts")


class _FlatTable(Keys, frozen=True, kw_only=True):
    """The keys of a [[component]] that say what is done to a flat piece."""

    size: Annotated[PieceSize | None, SIZE] = None
    corner_radius: Length = 0.0
    folds: list[FoldTable] = []
    holes: list[HoleTable] = []
    cutouts: list[CutoutTable] = []


def without_row_measures(raw: Raw) -> Raw:
    """A game.toml without the measures that rows fill, which are none yet."""
    components = raw.get("component")
    if not isinstance(components, list):
        return raw
    kept = [
        {k: value for k, value in table.items() if k not in _FILLED or not any(_find_gaps(value))}
        if isinstance(table, dict)
        else table
        for table in components
    ]
    return {**raw, "component": kept}


def _find_gaps(value: object) -> Iterator[tuple[KeyPath, str]]:
    """The texts with placeholders within a value, each with its path."""
    for path, text in walk(value):
        if isinstance(text, str) and _OPENING in text:
            yield path, text


def read_shape(source: Source, resources: Resources, raw: Raw, path: KeyPath) -> Shape | None:
    """The shape of a component without placeholders; None if a fault is reported."""
    own = {key: raw[key] for key in _FLAT if key in raw}
    flat = source.validate(_FlatTable, own, path, resources)
    if isinstance(file := raw.get("outline"), str):
        drawing = {"kind": "outline", "file": file}
        shape = _read_kind(source, resources, drawing, (*path, "outline"))
    elif isinstance(table := raw.get("shape"), dict):
        shape = _read_kind(source, resources, table, (*path, "shape"))
    else:
        shape = rectangle(Size(*flat.size)) if flat and flat.size else None
        if not {*MEASURES[:3]} & {*raw}:
            hint = "width and height of a cut piece, or a [component.shape]"
            source.report((*path, "size"), "the key 'size' is missing", hint)
    if shape is None or flat is None:
        return None
    key = "outline" if "outline" in raw else "shape"
    cuts: list[tuple[KeyPath, HoleTable | CutoutTable | Outline]] = [
        *(((key,), hole) for hole in shape.holes),
        *((("holes", number), hole) for number, hole in enumerate(flat.holes)),
        *((("cutouts", number), cutout) for number, cutout in enumerate(flat.cutouts)),
    ]

    def report(at: KeyPath, error: MisfitError) -> None:
        source.report((*path, *at), str(error), error.hint)

    return work_on(shape, flat.corner_radius, flat.folds, cuts, report)


def _read_kind(source: Source, resources: Resources, table: Raw, path: KeyPath) -> Shape | None:
    kind = source.validate_tagged("kind", SHAPES, table, path, resources)
    if kind is None:
        return None
    if isinstance(kind, DrawnTable):
        return source.collect(partial(kind.draw, source.folder, source.place(path)))
    try:
        return kind.shape()
    except MisfitError as error:
        source.report(path, str(error), error.hint)
        return None


class RowMeasures(Struct, frozen=True):
    """The measures of a component that its rows fill: the texts by their paths in its table."""

    source: Source
    resources: Resources
    raw: Raw
    path: KeyPath
    texts: Mapping[KeyPath, RowText]

    @classmethod
    def of(
        cls, source: Source, resources: Resources, raw: Raw, path: KeyPath, headings: Callable[[], Sequence[str]]
    ) -> RowMeasures | None:
        """None if the component has no such measure. Reports a text that is at fault."""
        measures = {key: raw[key] for key in MEASURES if key in raw}
        gaps = dict(_find_gaps(measures))
        if not gaps:
            return None
        from generator.faces.templating.choosing import RowText

        texts: dict[KeyPath, RowText] = {}
        for at, text in gaps.items():
            place = source.place((*path, *at))
            try:
                texts[at] = RowText(text, place, headings, str(at[-1]))
            except MisfitError as error:
                source.report((*path, *at), str(error), error.hint)
        return cls(source, resources, raw, path, texts)

    def columns(self) -> list[Column]:
        """The columns that the measures read."""
        return [column for text in self.texts.values() for column in text.columns]

    def measure(self, pieces: Sequence[Piece]) -> tuple[Piece, ...]:
        """The pieces, each with its shape; without those whose fault is reported at their cell."""
        shapes: dict[tuple[str, ...], Shape | None] = {}
        measured = []
        for piece in pieces:
            if not piece.copies:
                measured.append(piece)
                continue
            try:
                key = tuple(text.text(piece.row) for text in self.texts.values())
            except MisfitError as error:
                self.source.add([Problem(self._cell(piece), str(error), error.hint)])
                continue
            if key not in shapes:
                shapes[key] = self._read(piece, dict(zip(self.texts, key, strict=True)))
            if shape := shapes[key]:
                measured.append(replace(piece, shape=shape))
        return tuple(measured)

    def _read(self, piece: Piece, texts: Mapping[KeyPath, str]) -> Shape | None:
        """The shape of a row; its faults are those of the row."""
        aside, raw = self.source.aside(), self.raw
        for path, text in texts.items():
            raw = replaced(raw, path, text)
        shape = read_shape(aside, self.resources, raw, self.path)
        cell, spec = self._cell(piece), self.source.spec.file
        self.source.add(
            replace(problem, place=cell) if problem.place.file == spec else problem for problem in aside.problems
        )
        return shape

    def _cell(self, piece: Piece) -> Place:
        """The cell that the measures read, or the row if they read several."""
        (first, *others) = self.texts.values()
        return piece.place if others else first.cell(piece)


def largest(pieces: Sequence[Piece]) -> Shape | None:
    shapes = (piece.shape for piece in pieces if piece.shape)
    return max(shapes, key=lambda shape: max(shape.size), default=None)
