"""The keys of a [[component]] in game.toml, and of its sides.

Also the shape of a component, or that of each row: from its `size`, its `outline` or its
[component.shape]. A measure may be a text with placeholders, "{{ wide }}mm": then each row has a
shape of its own, read as if its game.toml held the filled text.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from msgspec import Meta, Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, Place
from generator.basics.geometry import Size
from generator.basics.keys import After, Custom, KeyMisfitError, KeyPath, Keys, describe
from generator.basics.shapes import Outline, Shape, rectangle
from generator.game import shapes
from generator.game.spec import Raw, Source, replaced, walk
from generator.model import DRAWN, Column, Cuts, Joint, Piece, Turn
from generator.tables import fields

if TYPE_CHECKING:
    from generator.faces.templating.choosing import RowText

MAX_BLEED_MM = 20.0  # print shops ask for 3 to 5
USUAL_BLEED_MM = 3.0
USUAL_SAFE_MM = 3.0
# Faults of cells are reported with their columns, when rows are read.
Cell = Annotated[
    Any,
    Meta(extra_json_schema={"type": ["string", "number", "boolean", "array"], "items": {"type": ["string", "number"]}}),
]
Layers = Annotated[
    dict[str, fields.FlagOrText], describe("layer = false (never drawn), or its condition: night = \"time == 'night'\"")
]

Columns = Annotated[
    dict[str, fields.Words],
    describe(
        "the column for a name in the drawing, if it is headed otherwise: title = 'Card Name'; "
        "'' for none; or a text: picture = 'art/{{ id }}.png'"
    ),
]
# the keys of a [[component]] that its shape is made of
MEASURES = ("size", "outline", "shape", "folds", "holes", "cutouts")
_OPENING = "{{"
_FILLED = ("size", "outline", "folds", "holes", "cutouts")  # of no use before rows fill them
_FLAT = ("size", "corner_radius", "folds", "holes", "cutouts")


def _sane(bleed: float | Literal["auto"]) -> float | Literal["auto"]:
    if bleed != "auto" and bleed > MAX_BLEED_MM:
        raise MisfitError(f"a bleed of {bleed:g} mm is far too much", f"at most {MAX_BLEED_MM:g}mm; 3mm is usual")
    return bleed


_SaneBleed = Custom[fields.Bleed, After(_sane)]
_SaneLength = Custom[fields.Length, After(_sane)]


class LookupTable(Keys, frozen=True, kw_only=True):
    """[component.lookup.COLUMN]: the table whose rows the cells of a column name"""

    table: fields.FileName | None = None
    row: list[dict[str, Cell]] = []
    key: fields.Text = "id"

    def __post_init__(self) -> None:
        if self.table and self.row:
            raise MisfitError("both a table and rows are given", "keep one of them")


class ComponentTable(Keys, frozen=True, kw_only=True):
    """[[component]]: pieces of one size, their faces, their table and its rules"""

    id: fields.Name
    title: fields.Title
    table: fields.FileName | None = None
    row: list[dict[str, Cell]] = []
    where: fields.Text | None = None
    every: dict[str, fields.Values] = {}
    sort: fields.Text | None = None
    default: dict[str, Cell] = {}
    lookup: dict[str, LookupTable] = {}
    size: Annotated[shapes.PieceSize | None, shapes.SIZE] = None
    outline: fields.FileName | None = None
    shape: dict[str, Any] | None = None
    corner_radius: fields.Length = 0.0
    folds: Annotated[list[shapes.FoldTable], Meta(max_length=shapes.MOST_FOLDS)] = []
    holes: Annotated[list[shapes.HoleTable], Meta(max_length=shapes.MOST_HOLES)] = []
    cutouts: Annotated[list[shapes.CutoutTable], Meta(max_length=shapes.MOST_HOLES)] = []
    bleed: _SaneBleed = USUAL_BLEED_MM
    back_bleed: _SaneLength | None = None
    least_bleed: fields.Length | None = None
    safe: fields.Length = USUAL_SAFE_MM
    cuts: Cuts | None = None
    tile: bool | Joint | None = None
    paper: fields.Text | None = None
    # these three are validated by the renderer or check that they name
    front: dict[str, Any]
    back: dict[str, Any] | None = None
    rule: list[dict[str, Any]] = []

    def __post_init__(self) -> None:
        """Checks keys that exclude each other."""
        self._check_form()
        self._check_cuts()
        if self.table and self.row:
            raise MisfitError("both a table and rows are given", "keep one of them")
        if self.back_bleed is not None and self.back_bleed < self.bleed_length:
            raise MisfitError("back_bleed is less than bleed", "leave it out if both are equal")
        if self.least_bleed is not None and self.least_bleed > self.bleed_length:
            raise MisfitError("least_bleed is more than bleed", "make it less, or leave it out")

    def _check_form(self) -> None:
        most = min(self.size) / 2 if self.size else self.corner_radius
        if self.corner_radius > most:
            what = f"a radius of {self.corner_radius:g} mm is more than half the piece"
            raise KeyMisfitError("corner_radius", what, f"at most {most:g}mm")
        if self.size and self.shape:
            raise MisfitError("both size and shape are given", "size is for rectangles: keep one")
        if self.outline and (self.size or self.shape):
            other = "size" if self.size else "shape"
            raise MisfitError(f"both outline and {other} are given", "keep one of them")
        if (self.outline or self.shape) and self.corner_radius:
            raise MisfitError("corner_radius is for rectangles", "leave it out beside a shape")
        if self.tile and (self.shape or self.outline):
            what = "only a rectangle is printed in panels, with straight joints"
            raise KeyMisfitError("tile", what, "leave it out beside a shape")

    def _check_cuts(self) -> None:
        """Raises MisfitError for cuts that such pieces cannot have."""
        if self.bleed == "auto" and self.cuts:
            raise MisfitError("bleed = 'auto' chooses the cuts itself", "leave out cuts, or give bleed a length")
        kind = (self.shape or {}).get("kind")  # of any type
        if kind in [*shapes.SHAPES] and kind not in shapes.MAY_SHARE and self.cuts in ("shared", "auto"):
            hint = "rectangles, hexagons, trihexes, tents and triangles do; leave out cuts"
            hint += ", or put 'squares'" if kind in shapes.IN_SQUARES else ""
            raise MisfitError(f"pieces of the kind {kind!r} cannot share cuts", hint)
        if self.cuts == "squares" and not self.outline and kind not in shapes.IN_SQUARES:
            hint = "discs, outlines and other flat pieces with corners do; leave out cuts"
            raise MisfitError("these pieces cannot lie in squares", hint)

    @property
    def bleed_length(self) -> float:
        return USUAL_BLEED_MM if self.bleed == "auto" else self.bleed


class SideTable(Keys, frozen=True, kw_only=True):
    """The keys of [component.front] and [component.back] beside their renderer's options."""

    edge: fields.EdgeArt = DRAWN
    turn: Turn | None = None
    turn_by: fields.ColumnName | None = None

    def __post_init__(self) -> None:
        if self.turn is not None and self.turn_by is not None:
            raise KeyMisfitError("turn_by", "both turn and turn_by are given", "keep one of them")

    @property
    def turned(self) -> Turn | str | None:
        """The turn of all faces, or the column that has it; None if their templates say it."""
        return self.turn_by if self.turn is None else self.turn


class TemplateTable(Keys, frozen=True, kw_only=True):
    """The keys of [component.front] and [component.back] without a renderer."""

    template: fields.FileName
    layers: Layers = {}
    columns: Columns = {}


class LayoutTable(Keys, frozen=True, kw_only=True):
    """The keys of [component.front] and [component.back] with a layout of pnp."""

    layout: fields.Text
    columns: Columns = {}


class _FlatTable(Keys, frozen=True, kw_only=True):
    """The keys of a [[component]] that say what is done to a flat piece."""

    size: Annotated[shapes.PieceSize | None, shapes.SIZE] = None
    corner_radius: fields.Length = 0.0
    folds: list[shapes.FoldTable] = []
    holes: list[shapes.HoleTable] = []
    cutouts: list[shapes.CutoutTable] = []


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


def read_shape(source: Source, resources: fields.Resources, raw: Raw, path: KeyPath) -> Shape | None:
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
    cuts: list[tuple[KeyPath, shapes.HoleTable | shapes.CutoutTable | Outline]] = [
        *(((key,), hole) for hole in shape.holes),
        *((("holes", number), hole) for number, hole in enumerate(flat.holes)),
        *((("cutouts", number), cutout) for number, cutout in enumerate(flat.cutouts)),
    ]

    def report(at: KeyPath, error: MisfitError) -> None:
        source.report((*path, *at), str(error), error.hint)

    return shapes.work_on(shape, flat.corner_radius, flat.folds, cuts, report)


def _read_kind(source: Source, resources: fields.Resources, table: Raw, path: KeyPath) -> Shape | None:
    kind = source.validate_tagged("kind", shapes.SHAPES, table, path, resources)
    if kind is None:
        return None
    if isinstance(kind, shapes.DrawnTable):
        return source.collect(kind.draw, source.folder, source.place(path))
    return source.collect(kind.shape, at=path)


class RowMeasures(Struct, frozen=True):
    """The measures of a component that its rows fill: the texts by their paths in its table."""

    source: Source
    resources: fields.Resources
    raw: Raw
    path: KeyPath
    texts: Mapping[KeyPath, "RowText"]

    @classmethod
    def of(
        cls, source: Source, resources: fields.Resources, raw: Raw, path: KeyPath, headings: Callable[[], Sequence[str]]
    ) -> Self | None:
        """The measures of a component by row; None if it has none. Reports a text that is at fault."""
        measures = {key: raw[key] for key in MEASURES if key in raw}
        gaps = dict(_find_gaps(measures))
        if not gaps:
            return None
        from generator.faces.templating.choosing import RowText

        texts: dict[KeyPath, RowText] = {}
        for at, text in gaps.items():
            place = source.place((*path, *at))
            if read := source.collect(RowText, text, place, headings, str(at[-1]), at=place):
                texts[at] = read
        return cls(source, resources, raw, path, texts)

    def columns(self) -> list[Column]:
        """The columns that the measures read."""
        return [column for text in self.texts.values() for column in text.columns]

    def measure(self, pieces: Sequence[Piece]) -> tuple[Piece, ...]:
        """The pieces, each with its shape; without those whose fault is reported at their cell."""
        known: dict[tuple[str, ...], Shape | None] = {}
        measured = []
        for piece in pieces:
            if not piece.copies:
                measured.append(piece)
                continue
            key = self.source.collect(self._measures, piece, at=self._cell(piece))
            if key is None:
                continue
            if key not in known:
                known[key] = self._read(piece, dict(zip(self.texts, key, strict=True)))
            if shape := known[key]:
                measured.append(replace(piece, shape=shape))
        return tuple(measured)

    def _measures(self, piece: Piece) -> tuple[str, ...]:
        return tuple(text.text(piece.row) for text in self.texts.values())

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
    found = (piece.shape for piece in pieces if piece.shape)
    return max(found, key=lambda shape: max(shape.size), default=None)
