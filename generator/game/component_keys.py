"""The keys of a [[component]] in game.toml, and of its sides."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from generator.basics.errors import MisfitError
from generator.basics.keys import After, Custom, KeyMisfitError, Keys, describe
from generator.game import shapes
from generator.model import DRAWN, Cuts, Joint, Turn
from generator.tables import fields

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
