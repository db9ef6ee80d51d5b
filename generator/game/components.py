"""Designs of components and boxes, read from their raw tables.

A [[box]] is made to hold the components of the game. In a draft, a placeholder stands for a side of
a component whose template or renderer has faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import nsmallest
from itertools import permutations
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import (
    MisfitError,
    Place,
    PnpError,
    Problem,
    did_you_mean,
    nearest,
    quote,
)
from generator.basics.geometry import HAIR, Shape
from generator.basics.keys import KeyPath, Keys, describe
from generator.basics.papers import Paper, parse_paper
from generator.game.document import ComponentTable, Document, SideTable, find_paper, raw_words
from generator.game.measuring import RowMeasures, largest, read_shape
from generator.game.pieces import Tables, TemplateReader
from generator.game.shapes import SHARING
from generator.game.spec import Source, table_of
from generator.layout.folds import put_away
from generator.layout.nets import Net
from generator.layout.solids import LEAST_DEPTH, envelope, tray, tuckbox
from generator.model import (
    LEAFLETS,
    SIDES,
    Check,
    Column,
    Component,
    Cuts,
    Design,
    Feature,
    Game,
    Joint,
    Merged,
    Piece,
    PlacedCheck,
    PlacedLayer,
    Renderer,
    Side,
    divided,
)
from generator.tables.fields import FoldLength, Length, Name, Resources, Templates, Text
from generator.tables.schema import NUMBERS, OWN, REMARK, fold, is_translation
from generator.text import HOUSE_FAMILY

RENDERER = "net.panels"  # [[box]] also takes its options
BLEED = 1.5  # mm
CARD = 0.3  # mm, the thickness of the box's own paper
LAYERS = (2, 5, 3)  # of card across the width, the height (lid, flaps, bottom), the depth (a tab)
MOST_STACKS = 6  # of the pieces of one component
_KEPT = 40  # the best arrangements so far, to which the next component is added
_TAB = 15.0  # mm, about: the tabs and flaps of a net beside its walls
_TITLING = ("title", "titles", "title_font")
_EASE = 0.4  # mm between a tray and its lid, both sides together
_LEAST_DEEP = 8.0  # mm: a lower wall cannot be folded
_LEAST_WALL = 20.0  # mm, wide and high: a smaller wall cannot be folded
_SLIMMEST = 4.0  # times as high as wide: fingers reach to the bottom of no slimmer box
_OF_SIDE = SideTable.__struct_fields__
T = TypeVar("T")
_SAFE = 0.0  # a pattern that bleeds is always near the cut


def _no_columns(_: Source) -> Mapping[str, Sequence[Column]]:
    return {}


class RoomTable(Struct, Generic[T], frozen=True):
    """A table of game.toml that another room reads: [play], [[odds]], [scene].

    kinds: its class of keys; of an array of tables, the classes by the `kind` that each names.
    read: makes its value when the components are read; None after it has reported the faults.
    columns: those that it reads, by the id of the component, before any rows are read.
    """

    name: str
    kinds: type[Keys] | Mapping[str, type[Keys]]
    read: Callable[[Source, Sequence[Component], Resources], T | None]
    columns: Callable[[Source], Mapping[str, Sequence[Column]]] = _no_columns

    def of(self, game: Game) -> T | None:
        """The value in a game; None if it has no such table."""
        return cast("T | None", game.tables.get(self.name))


class Kinds(Struct, frozen=True):
    """The renderers and checks that a spec may name, each a class of keys: its options; and the
    tables of it that other rooms read."""

    renderers: Mapping[str, type[Renderer]]
    checks: Mapping[str, type[Check]]
    of_template: Callable[[Templates], Renderer]
    tables: Mapping[str, RoomTable[Any]]


class ComponentParts(Struct, frozen=True):
    """The parts of a [[component]]; None where a fault was reported."""

    shape: Shape | None
    front: Renderer | None
    back: Renderer | None
    sides: Mapping[Side, SideTable]
    places: Mapping[str, Place]
    checks: tuple[PlacedCheck, ...]
    pieces: tuple[Piece, ...]
    merged: Merged | None
    paper: Paper | None


class BoxTable(Keys, frozen=True, kw_only=True):
    """[[box]]: a box for pieces; it also takes the options of net.panels"""

    kind: Annotated[
        Literal["tuckbox", "lid", "tray", "envelope"],
        describe("'tuckbox'; 'lid': a tray with a lid; 'tray': open at its top; 'envelope'"),
    ] = "tuckbox"
    id: Annotated[Name, describe("a short name for files and messages: 'box'")] = "box"
    holds: Annotated[list[Name] | None, describe("ids of components; all flat ones by default")] = (
        None
    )
    thickness: Annotated[
        Length,
        describe("the thickness of a printed piece: 0.3mm is one sheet of card, or two glued"),
    ] = 0.3
    room: Annotated[Length, describe("free space around the pieces, in each direction")] = 1.0
    split: Annotated[
        int,
        describe("the number of equal boxes that share the pieces", ge=1, le=20),
    ] = 1
    paper: Annotated[Text | None, describe("the paper, if it is not that of the pieces: 'a3'")] = (
        None
    )
    lid: Annotated[
        FoldLength | None, describe("the height of a lid; half of that of its tray by default")
    ] = None


class _Box(Struct, frozen=True):
    """A validated [[box]]."""

    table: BoxTable
    face: Renderer
    path: KeyPath
    paper: Paper | None


class ComponentReader(Struct, frozen=True):
    """Reads the components and boxes of a spec, one after another."""

    source: Source
    kinds: Kinds
    resources: Resources
    tables: Tables
    templates: TemplateReader
    asked: Mapping[str, Sequence[Column]]  # columns that tables of other rooms read
    reads_all: bool  # every column is read

    def parts(self, raw: Mapping[str, Any], path: KeyPath) -> ComponentParts:
        front = self._face(raw, path, "front")
        back = self._face(raw, path, "back")
        is_whole = not any(isinstance(side, Unread) for side in (front, back))
        checks = tuple(self._checks(raw, path)) if is_whole else ()
        sides = {side: self._side(raw, path, side) for side in SIDES if side in raw}
        readers = [check for check in (front, back, *(placed.check for placed in checks)) if check]
        declared = 1 + ("back" in raw) + len(list(_rules(raw, path)))
        drawn = (column for side in (front, back) if side for column in side.columns())
        read = [_at_side(column, self.source.place(path)) for column in drawn]
        read += [column for placed in checks for column in placed.check.columns()]
        read += [Column(side.turn_by) for side in sides.values() if side.turn_by]
        read += self.asked.get(str(raw.get("id")), ())
        if self.reads_all:
            read += _name_columns(self.tables.headings(raw, path), self.source.place(path))
        is_all = is_whole and len(readers) == declared
        headings = partial(self.tables.headings, raw, path)
        measures = RowMeasures.of(self.source, self.resources, raw, path, headings)
        read += measures.columns() if measures else ()
        pieces, merged = self.tables.read(raw, path, read, is_all=is_all)
        places = dict(self._places(raw, path))
        if measures:
            pieces = measures.measure(pieces)
        shape = largest(pieces) if measures else read_shape(self.source, self.resources, raw, path)
        paper = self._paper(raw, path)
        return ComponentParts(shape, front, back, sides, places, checks, pieces, merged, paper)

    def _paper(self, raw: Mapping[str, Any], path: KeyPath) -> Paper | None:
        """The paper that a component names, which may be one of the game's own; None without one,
        and if a fault is reported."""
        name = raw.get("paper")
        if not isinstance(name, str):
            return None
        if name in table_of(self.source.raw, "paper"):
            return self.source.collect(lambda: find_paper(self.source, name))
        try:
            return parse_paper(name)
        except PnpError as error:
            (problem,) = error.problems
            what = f"{problem.place}: {problem.what}"
            self.source.report((*path, "paper"), what, problem.hint)
            return None

    def _places(self, raw: Mapping[str, Any], path: KeyPath) -> Iterator[tuple[str, Place]]:
        """The options of both sides and all art, each with its line."""
        tables = [(side, (*path, side), raw.get(side)) for side in SIDES]
        for name, key, value in (*tables, ("art", ("art",), self.source.raw.get("art"))):
            yield from self._places_within(name, key, value)

    def _places_within(
        self, name: str, path: KeyPath, value: object
    ) -> Iterator[tuple[str, Place]]:
        yield name, self.source.place(path)
        items = value.items() if isinstance(value, dict) else ()
        for key, inner in enumerate(value) if isinstance(value, list) else items:
            yield from self._places_within(f"{name}.{key}", (*path, key), inner)

    def box(self, raw: Mapping[str, Any], path: KeyPath) -> _Box | None:
        """A [[box]], by default with the game's title; None if a fault is reported. An empty title
        is none."""
        keys = BoxTable.__struct_fields__
        own = {key: value for key, value in raw.items() if key in keys}
        table = self.source.validate(BoxTable, own, path, self.resources)
        words = raw_words(self.source, self.resources.language)
        title = words.get("title") or table_of(self.source.raw, "game").get("title")
        title = title if isinstance(title, str) else ""
        on = "top" if raw.get("kind") == "lid" else "front"
        options: dict[str, Any] = {"renderer": RENDERER, "titles": {on: 0.5}, "title": title}
        options["title_font"] = self._family_for(raw.get("title", title))
        options = {key: value for key, value in options.items() if value}
        options |= {key: value for key, value in raw.items() if key not in own}
        if raw.get("title") == "":
            options = {key: value for key, value in options.items() if key not in _TITLING}
        kinds = self.kinds.renderers
        face = self.source.validate_tagged("renderer", kinds, options, path, self.resources, keys)
        if face is not None and face.columns():
            name = face.columns()[0].name
            what = f"a box has no table, and so no column {quote(name)}"
            self.source.report(path, what, "leave out the keys that end in _by, and '{{'")
            return None
        paper = self._paper(own, path)
        return _Box(table, face, path, paper) if table and face else None

    def _family_for(self, title: object) -> str:
        """The font of the sheets; where it cannot set a title, one of the game's that can."""
        fonts, text = self.resources.fonts, str(title)
        families = (HOUSE_FAMILY, *fonts.own_families())
        able = (family for family in families if not fonts.find(family).missing(text))
        return next(able, HOUSE_FAMILY)

    def _side(self, raw: Mapping[str, Any], path: KeyPath, side: Side) -> SideTable:
        own = {key: value for key, value in table_of(raw, side).items() if key in _OF_SIDE}
        return self.source.validate(SideTable, own, (*path, side), self.resources) or SideTable()

    def _face(self, raw: Mapping[str, Any], path: KeyPath, side: str) -> Renderer | None:
        """The renderer of a side; None without one, and if it has faults, except in a draft."""
        table = raw.get(side)
        if not isinstance(table, dict):
            return None
        before = set(self.source.problems)
        renderer = self._renderer(table, raw, path, side)
        if renderer is not None or not self.tables.is_draft:
            return renderer
        file = f"/{table.get('template')}"
        found = (
            problem
            for problem in self.source.problems
            if problem not in before or file in problem.place.file
        )
        return Unread(frozenset(found))

    def _renderer(
        self, table: Mapping[str, Any], raw: Mapping[str, Any], path: KeyPath, side: str
    ) -> Renderer | None:
        options = {key: value for key, value in table.items() if key not in _OF_SIDE}
        if "template" in options:
            templates = self.templates.read(options, (*path, side), raw)
            return self.kinds.of_template(templates) if templates else None
        if not any(nearest(key, ["renderer"]) for key in options):
            self.templates.report_none(options, (*path, side), self._likely(options))
            return None
        return self.source.validate_tagged(
            "renderer",
            self.kinds.renderers,
            options,
            (*path, side),
            self.resources,
            SideTable.__struct_fields__,
        )

    def _likely(self, options: Mapping[str, Any]) -> str:
        """The renderer that has the most of some options, "" if none has any."""
        kinds: Mapping[str, type[Any]] = self.kinds.renderers
        shared = {
            name: len(options.keys() & set(kinds[name].__struct_fields__)) for name in sorted(kinds)
        }
        return max((name for name in shared if shared[name]), key=shared.__getitem__, default="")

    def _checks(self, raw: Mapping[str, Any], path: KeyPath) -> Iterator[PlacedCheck]:
        kinds = self.kinds.checks
        for rule, place in _rules(raw, path):
            check = self.source.validate_tagged("kind", kinds, rule, place, self.resources)
            if check is not None:
                yield PlacedCheck(check, self.source.place(place))


def _at_side(column: Column, place: Place) -> Column:
    """A column of a side; one that a text in its options reads is read at the component."""
    return replace(column, reader=place) if column.reader == Place("") else column


def _name_columns(headings: Sequence[str], reader: Place) -> list[Column]:
    """The columns of a table, as expressions name them. Two of one name are left out: neither is
    meant."""
    names = [name for name in headings if not name.startswith(REMARK) and not is_translation(name)]
    folded = [fold(name) for name in names]
    return [
        Column(name, reader=reader)
        for name in dict.fromkeys(folded)
        if name and folded.count(name) == 1 and name not in (*OWN, *NUMBERS)
    ]


def _rules(raw: Mapping[str, Any], path: KeyPath) -> Iterator[tuple[Mapping[str, Any], KeyPath]]:
    rules = raw.get("rule")
    for index, rule in enumerate(rules if isinstance(rules, list) else ()):
        if isinstance(rule, dict):
            yield rule, (*path, "rule", index)


def make_boxes(
    source: Source, boxes: Sequence[_Box], components: Sequence[Component]
) -> list[Design]:
    """The boxes around components. Reports every box that cannot be made."""
    designs: list[Design] = []
    taken = {component.id for component in components}
    for wanted_box in boxes:
        if wanted_box.table.id in taken:
            continue  # reported before
        taken.add(wanted_box.table.id)
        try:
            made = box(wanted_box.table, components, source.place(wanted_box.path))
            designs.append(Design(replace(made, paper=wanted_box.paper), wanted_box.face))
        except MisfitError as error:
            source.report(wanted_box.path, str(error), error.hint)
    return designs


def make_designs(
    source: Source, document: Document, parts: Sequence[ComponentParts]
) -> Iterator[Design]:
    """The components without those that have a fault, or the id of another part."""
    ids = set(LEAFLETS) if document.booklet is not None else set()
    tables = source.tables("component")
    for table, part, (raw, path) in zip(document.component, parts, tables, strict=True):
        is_faced = part.front and (part.back or "back" not in raw)
        _check_corners(source, table, part.pieces)
        _check_sharing(source, table, part, path)
        is_whole = is_faced and part.shape and any(piece.copies for piece in part.pieces)
        if is_whole and table.id not in ids:
            ids.add(table.id)
            yield _design(table, part, source.place(path))


def _check_corners(source: Source, table: ComponentTable, pieces: Sequence[Piece]) -> None:
    """Reports the rows whose own size is too small for the rounded corners."""
    for piece in pieces:
        most = min(piece.shape.size) / 2 if piece.shape else table.corner_radius
        if table.corner_radius > most:
            what = f"a corner_radius of {table.corner_radius:g} mm is more than half the piece"
            source.add([Problem(piece.place, what, f"at most {most:g}mm")])


def _check_sharing(
    source: Source, table: ComponentTable, part: ComponentParts, path: KeyPath
) -> None:
    """Reports polygons that are to share their cuts and cannot."""
    if table.cuts not in ("shared", "auto") or part.shape is None:
        return
    own = {piece.shape: piece.place for piece in part.pieces if piece.shape}
    shapes = own or {part.shape: source.place((*path, "cuts"))}
    for shape, place in shapes.items():
        if shape.kind in ("polygon", "outline") and not _tiles(shape):
            what = "pieces of this outline cannot share cuts"
            hint = (
                "triangles, convex quadrilaterals, and hexagons whose opposite sides are equal do"
            )
            source.add([Problem(place, what, f"{hint}; leave out cuts")])


def _tiles(shape: Shape) -> bool:
    from generator.layout.nest import find_tiling  # loads pyclipper

    return shape.kind == "polygon" and find_tiling(shape) is not None


def _design(table: ComponentTable, parts: ComponentParts, place: Place) -> Design:
    assert parts.front is not None, "a fault of the front was reported before"
    columns: dict[Side, tuple[str, ...]] = {"front": _names(parts, "front")}
    if parts.back is not None:
        columns["back"] = _names(parts, "back")
    component = _component(table, parts, columns, place)
    return Design(component, parts.front, parts.back, parts.checks)


def _names(parts: ComponentParts, side: Side) -> tuple[str, ...]:
    renderer = parts.front if side == "front" else parts.back
    names = [column.name for column in renderer.columns()] if renderer else []
    turn_by = parts.sides[side].turn_by
    return tuple(dict.fromkeys([*names, turn_by] if turn_by else names))


def _component(
    table: ComponentTable,
    parts: ComponentParts,
    columns: Mapping[Side, tuple[str, ...]],
    place: Place,
) -> Component:
    assert parts.shape is not None, "its fault was reported before"
    bleed = table.bleed_length
    return Component(
        id=table.id,
        title=table.title,
        shape=parts.shape,
        corner_radius=table.corner_radius,
        bleed=bleed,
        back_bleed=bleed if table.back_bleed is None else table.back_bleed,
        least_bleed=table.least_bleed,
        tile=_tile(table.tile),
        safe=table.safe,
        cuts=_cuts(table, parts.shape),
        edges={side: table.edge for side, table in parts.sides.items()},
        turns={
            side: table.turned for side, table in parts.sides.items() if table.turned is not None
        },
        places=parts.places,
        columns=columns,
        pieces=parts.pieces,
        merged=parts.merged,
        place=place,
        paper=parts.paper,
    )


def _tile(given: bool | Joint | None) -> Joint | Literal["auto"] | None:
    if given is None:
        return "auto"
    return given if isinstance(given, str) else "butt" if given else None


def _cuts(table: ComponentTable, shape: Shape) -> Cuts:
    """Pieces that are not rectangles are by default cut out one by one."""
    is_box = shape.kind == "rectangle"
    if table.bleed == "auto" and (is_box or (table.shape or {}).get("kind") in SHARING):
        return "auto"
    return table.cuts or ("shared" if is_box else "double")


class PieceBlock(NamedTuple):
    """Stacks of pieces: the size of all together in mm, the shortest side first."""

    depth: float
    width: float
    height: float
    stacks: int


class PieceStack(Struct, frozen=True):
    """Equal pieces: the width, height and thickness of one in mm, and their number."""

    width: float
    height: float
    pieces: int
    thickness: float


def box(table: BoxTable, components: Sequence[Component], place: Place) -> Component:
    """Makes a box. Raises MisfitError if it holds nothing, or pieces that are not flat."""
    lots = []
    for part in divided(held(table, components)):
        (width, height), layers = put_away(part.shape)
        count = -(-len(part.copies()) // table.split)
        lots.append(PieceStack(width, height, count, layers * table.thickness))
    title = "Box" if table.id == "box" else f"Box {table.id}"
    shapes = wrap(smallest(lots), table)
    pieces = tuple(
        Piece(f"{table.id}{name}", {}, table.split, place, shape=shape if name else None)
        for name, shape in shapes.items()
    )
    return Component(
        id=table.id,
        title=title if len(shapes) == 1 else f"{title} parts",
        shape=max(shapes.values(), key=lambda shape: max(shape.size)),
        corner_radius=0.0,
        bleed=BLEED,
        back_bleed=BLEED,
        safe=_SAFE,
        cuts="double",
        columns={"front": ()},
        pieces=pieces,
        place=place,
    )


def held(table: BoxTable, components: Sequence[Component]) -> list[Component]:
    """The components in a box. Raises MisfitError if there are none or one is not flat."""
    flat = {component.id: component for component in components if component.shape.kind != "net"}
    for name in table.holds or ():
        if name not in flat:
            is_there = any(name == component.id for component in components)
            what = "is not flat" if is_there else "is not a component"
            raise MisfitError(f"holds: {quote(name)} {what}", did_you_mean(name, flat))
    names = flat if table.holds is None else dict.fromkeys(table.holds)
    if not names:
        raise MisfitError("there is nothing for the box to hold", "list flat components")
    return [flat[name] for name in names]


def wrap(block: PieceBlock, table: BoxTable) -> dict[str, Net]:
    """The nets that hold a block, by what their names add to that of the box."""
    if table.kind == "tuckbox":
        return {"": around(block, table.room)}
    width, high = (
        max(side + 2 * CARD + table.room, _LEAST_WALL) for side in (block.width, block.height)
    )
    deep = max(block.depth + CARD + table.room, _LEAST_DEEP)
    if table.kind == "envelope":
        out = max(_LEAST_DEEP, high / 4)
        return {"": envelope(width + block.depth, high + block.depth, out)}
    if table.kind == "tray":
        return {"": tray(high, width, deep)}
    past = 2 * CARD + _EASE
    lid = tray(high + past, width + past, table.lid or max(deep / 2, _LEAST_DEEP), is_lid=True)
    return {"-lid": lid, "-tray": tray(high, width, deep)}


def around(block: PieceBlock, room: float = 0.0) -> Net:
    """The box that has room for a block."""
    across, up, deep = (layers * CARD + room for layers in LAYERS)
    return tuckbox(
        max(block.width + across, _LEAST_WALL),
        max(block.height + up, _LEAST_WALL),
        max(block.depth + deep, LEAST_DEPTH),
    )


def smallest(lots: Iterable[PieceStack]) -> PieceBlock:
    """Arranges all pieces so that their box takes the least paper. Every stack adds a fifth to
    it, and so much more the slimmer a box is than one that is filled with ease.

    The pieces of a lot form up to six stacks side by side, in rows and columns. Lots lie next to
    or on top of each other, turned any way. The depth of the box is the shortest side of the
    block, its height the longest.
    """
    first, *others = lots
    blocks = nsmallest(_KEPT, set(_stacks(first)), key=_cost)
    for lot in others:
        stacks = set(_stacks(lot))
        joined = {both for one in blocks for other in stacks for both in _join(one, other)}
        blocks = nsmallest(_KEPT, joined, key=_cost)
    return blocks[0]


def _cost(block: PieceBlock) -> tuple[float, PieceBlock]:
    across = 2 * (block.width + block.depth) + _TAB
    up = block.height + 2 * block.depth + _TAB
    slim = max(block.height / _SLIMMEST, block.width) / max(block.width, HAIR)
    return round(across * up * (1 + block.stacks / 5) * slim, 3), block


def _stacks(lot: PieceStack) -> Iterator[PieceBlock]:
    for stacks in range(1, min(MOST_STACKS, lot.pieces) + 1):
        high = -(-lot.pieces // stacks) * lot.thickness
        for columns in (n for n in range(1, stacks + 1) if stacks % n == 0):
            yield _block(columns * lot.width, stacks // columns * lot.height, high, stacks)


def _join(one: PieceBlock, other: PieceBlock) -> Iterator[PieceBlock]:
    """Both side by side, along each axis, with the other turned each way."""
    a, b, c, stacks = *one[:3], one.stacks + other.stacks
    for x, y, z in permutations(other[:3]):
        yield _block(a + x, max(b, y), max(c, z), stacks)
        yield _block(max(a, x), b + y, max(c, z), stacks)
        yield _block(max(a, x), max(b, y), c + z, stacks)


def _block(a: float, b: float, c: float, stacks: int) -> PieceBlock:
    depth, width, height = sorted((a, b, c))
    return PieceBlock(depth, width, height, stacks)


class Unread(Struct, frozen=True):
    """Implements Renderer; its faces are empty. `problems` are the faults of the side."""

    problems: frozenset[Problem]

    def columns(self) -> Sequence[Column]:
        return ()

    def draw(self, _piece: Piece, _component: Component) -> Sequence[PlacedLayer]:
        return ()

    def features(self, _piece: Piece, _component: Component) -> Iterable[Feature]:
        return ()


def name_faces(problems: Iterable[Problem], designs: Sequence[Design]) -> Iterator[Problem]:
    """The problems; those of unread sides with the faces that they prevent."""
    unread = [
        (renderer.problems, [(design.component.id, piece.id, side) for piece in _printed(design)])
        for design in designs
        for side in SIDES
        if isinstance(renderer := design.renderer(side), Unread)
    ]
    for problem in problems:
        faces = [face for faults, of_side in unread if problem in faults for face in of_side]
        yield replace(problem, faces=(*problem.faces, *faces)) if faces else problem


def _printed(design: Design) -> list[Piece]:
    return [piece for piece in design.component.pieces if piece.is_drawn]
