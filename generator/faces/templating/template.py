"""Templates from an SVG with placeholders, or a report of every fault.

A template's nodes and a row make a drawing, and the filled drawing is proven harmless.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from itertools import islice
from pathlib import Path, PurePath
from typing import Any, Self

from lxml import etree
from msgspec import Struct
from msgspec.structs import replace

from generator.art.cascade import inline_styles, read_part, seat_part
from generator.art.drawing import MAX_BYTES, SVG, Drawing, Fault, read_drawing
from generator.art.families import fall_back, find_lacking
from generator.art.measure import colour_of, frame_of, is_painted
from generator.art.mending import drop_lost_effects, is_sharp
from generator.art.picture import ICON, refuse
from generator.art.pixels import FORMATS, find_upright_size, sharpen
from generator.art.rendering import DPI, find_misdrawn, render_misdrawn
from generator.art.svg import effort_faults, element_faults
from generator.basics.errors import MisfitError, Place, PnpError, Problem, at_most, did_you_mean, fail, quote, raise_all
from generator.basics.files import read_within
from generator.basics.geometry import MM_PER_INCH, Size, decimal
from generator.faces.templating.loading import DrawingLoader
from generator.faces.templating.nodes import Headings, Node, Scope, Wording, read_expression, read_wording
from generator.faces.templating.pictures import FACE, CropWindow, crop_picture
from generator.faces.templating.reading import NodeReader
from generator.faces.templating.sandbox import Expression, LoopScope, RowCells, value_of
from generator.faces.templating.writing import BoxedText, Seats, Settings, TextSetting, Writer, flaw, name_node
from generator.model import Art, Column, FaceFault, FlawedFaceError, LackingWords, Value
from generator.tables.fields import Filled, Follower, Resources, TextBox, TextLayout
from generator.text.shape import colour_picture, find_icon, house_icons

_MAX_LOOKED_AT = 200
_MOST_PROBLEMS = 20
_MOST_FAULTS = 100  # of a filled drawing that are reported
MAX_TEMPLATES = 100  # for one side of a component


def read_template(
    folder: Path,
    file: str,
    resources: Resources,
    spec_place: Place,
    layers: Mapping[str, bool | Expression],
    headings: Headings = tuple,
    *,
    is_own: bool = False,
) -> SvgTemplate:
    """Reads the template in `file`, which may be a picture. Raises PnpError with every fault except those of filling.

    `spec_place` is the line of the spec that names the file. Layers that are false in `layers` are
    removed; those with an expression are drawn if it is true. `headings` gives those of the table.
    A drawing of this package, `is_own`, needs the proof that it is harmless only in tests.
    """
    if PurePath(file).suffix.lower() in FORMATS:
        return _show_picture(folder, file, resources, spec_place)
    if not file.lower().endswith(".svg"):
        what, hint = f"{quote(file)} is no drawing and no picture", "save the drawing as plain SVG"
        if not PurePath(file).suffix:
            hint = f"write its ending: {quote(f'{file}.svg')}"
        raise fail(spec_place, what, hint)
    loader = DrawingLoader(folder, resources, layers)
    drawing, place = loader.load(file, spec_place)
    reading = NodeReader(drawing, place, layers, headings, resources.read_rows)
    root = reading.node(drawing.root)
    raise_all(at_most(_MOST_PROBLEMS, dict.fromkeys(reading.problems)))
    try:
        size, unit = frame_of(drawing.root)
    except MisfitError as error:
        raise fail(place.at_line(drawing.line(drawing.root)), str(error), error.hint) from None
    read = drawing.content, root, reading.columns, size, unit, frozenset(loader.names), reading.braces, place
    tables = tuple(reading.tables)
    template = SvgTemplate(resources, folder, file, *read, tables=tables, reads_row=reading.reads_row)
    if not is_own:
        template.check()
    return template


def _show_picture(folder: Path, file: str, resources: Resources, spec_place: Place) -> SvgTemplate:
    """A template that shows a picture alone. Its size is that of the picture in pixels, until it is
    fitted to a piece. Raises PnpError."""
    resources.read_art(file, spec_place)
    size = Size(*find_upright_size(read_within(folder, file, MAX_BYTES, spec_place)))
    root = etree.Element(f"{SVG}svg", {"viewBox": f"0 0 {size.width} {size.height}"})
    whole = {"width": "100%", "height": "100%", "preserveAspectRatio": "xMidYMid slice"}
    etree.SubElement(root, f"{SVG}image", whole)
    place = Place.in_folder(folder, file)
    drawing = read_drawing(etree.tostring(root), place)
    reading = NodeReader(drawing, place, {}, tuple, resources.read_rows)
    node = reading.node(drawing.root)
    node.children[0].overrides["href"] = Wording((file,))  # as it is, whatever its signs
    content, nothing = drawing.content, frozenset[str]()
    return SvgTemplate(resources, folder, file, content, node, {}, size, 1.0, nothing, {}, place, is_picture=True)


class WithResources(Struct, frozen=True):
    """The resources of the game that drawing a face needs."""

    resources: Resources

    def art(self, name: str) -> Art:
        """The art of a name in [art], an icon ("icon:heart"), or a picture in the game's folder.
        Raises MisfitError without one."""
        if name in self.resources.art:
            return self.resources.art[name]
        if name.startswith(ICON):
            icon = name.removeprefix(ICON)
            if not icon:
                hint = f'for example: href="{ICON}heart"; to leave it out, set pnp:if'
                raise MisfitError("the name of the icon is empty", hint)
            return find_icon(icon, self.resources.icons, f"draw it as icons/{icon}.svg")
        if not name.strip():
            hint = 'to leave out images without a picture, set pnp:if="art"'
            raise MisfitError("the name of the picture is empty", hint)
        if "." not in name and "/" not in name:
            hint = did_you_mean(name, self.resources.art) or "name it in [art] first"
            if name.startswith(FACE):
                hint = 'write href="face:{{ … }}" in the template, and the rest in the cell'
            raise MisfitError(f"unknown art {quote(name)}", hint)
        return self._picture(name)

    def _picture(self, file: str) -> Art:
        try:
            return self.resources.read_art(file, Place(file))
        except PnpError as error:
            first = error.problems[0]
            path = PurePath(file)
            if str(path.parent) == "icons" and path.stem in house_icons():
                raise MisfitError(first.what, f"write {ICON}{path.stem} for the built-in icon") from None
            own = f"{first.place}: " if first.place != Place(file) else ""
            raise MisfitError(f"{own}{first.what}", first.hint) from None


class SvgTemplate(WithResources, frozen=True, dict=True):
    """A parsed template, proven harmless before it is filled; also Templates, as the only one.
    Its size is in mm, or in pixels if it is a picture alone."""

    folder: Path
    file: str
    content: bytes
    root: Node
    by_name: Mapping[str, Column]  # the columns that it reads
    size: Size
    unit: float  # mm of its user unit
    layers: frozenset[str]  # the names of its groups
    braces: Mapping[str, int]  # the lines of words in single braces
    lines: Place  # gives those of its drawing, and of the drawings within it
    given: Mapping[str, str] = {}  # the headings of the columns of its names, if others
    bound: Mapping[str, Wording] = {}  # what fills these names
    is_picture: bool = False  # nothing else: it is as large as the face
    tables: tuple[str, ...] = ()  # the digests of those over whose rows it repeats
    reads_row: bool = False  # by the names of its columns

    @cached_property
    def place(self) -> Place:
        return self.lines if self.is_picture else self.lines.at_line(self.root.line)

    def fitted(self, size: Size) -> SvgTemplate:
        """A picture as large as a face (mm), which it fills: it is cut if its sides are in another proportion."""
        return replace(self, size=size)

    def with_columns(self, given: Mapping[str, str], place: Place, headings: Headings) -> Self:
        """The template whose names read the columns of these headings, "" for none, or are filled
        by texts with placeholders; NAME_heading is such a heading itself. `place` is where they are
        given. Raises MisfitError if one is not valid."""
        bound = {}
        named = self.by_name.keys() | {name.removesuffix("_heading") for name in self.by_name}
        for name, words in given.items():
            if name not in named:  # of another template of the side
                continue
            if words and "{{" not in words:
                bound[name] = Wording((read_expression(words, headings),))
            else:
                bound[name] = read_wording(words, headings)
        for name in self.by_name.keys() - given.keys():
            shown, _, end = name.rpartition("_")
            if end == "heading" and shown in given:
                bound[name] = Wording((given[shown],))
        read = {name: column for name, column in self.by_name.items() if name not in bound}
        for name in sorted(frozenset[str]().union(*(wording.names for wording in bound.values()))):
            read.setdefault(name, Column(name, reader=place))
        return replace(self, by_name=read, given=given, bound=bound)

    def shown_columns(self) -> Iterator[tuple[str, bool]]:
        """The columns in its texts, each with whether it is in a box."""
        for name, is_boxed in self.root.texts():
            names = self.bound[name].names if name in self.bound else (name,)
            yield from ((column, is_boxed) for column in names)

    @cached_property
    def tolerated(self) -> frozenset[Fault]:
        """The findings about the drawing in its editor, which every row shares."""
        faults = element_faults(self._unfilled, self.resources.fonts)
        return frozenset(fault for fault in faults if fault.rule)

    @cached_property
    def has_misdrawn(self) -> bool:
        """Whether another engine must draw a part of it."""
        return next(find_misdrawn(self._unfilled), None) is not None

    @cached_property
    def _unfilled(self) -> Drawing:
        return Filling(self, None).drawing()

    @cached_property
    def proven(self) -> set[bytes]:
        """Digests of harmless drawings without the colours that rows fill in: most rows share one."""
        return set()

    @cached_property
    def settings(self) -> Settings:
        return {}

    @cached_property
    def _shows_faces(self) -> bool:
        return self.root.shows_faces

    def art(self, name: str) -> Art:
        if self._shows_faces and name.startswith(FACE):
            return self.resources.faces.show(name.removeprefix(FACE))
        return super().art(name)

    @property
    def sources(self) -> Sequence[str]:
        """Digests of the tables and the pieces on which its faces depend, beside their rows."""
        faces = (self.resources.faces.digest(),) if self._shows_faces else ()
        return (*self.tables, *faces)

    def columns(self) -> Sequence[Column]:
        return list(self.by_name.values())

    @cached_property
    def texts(self) -> Sequence[tuple[str, TextLayout]]:
        boxed = (node for node in self.root.walk() if node.box)
        return [(node.attributes.get("id", Wording(())).bare, node.layout) for node in boxed]

    def reads(self, _: Mapping[str, Value]) -> Sequence[str]:
        return tuple(self.by_name)

    def choose(self, _: Mapping[str, Value]) -> SvgTemplate:
        return self

    def fill(self, row: Mapping[str, Value]) -> Filled:
        """Fills it. Raises MisfitError if an expression fails or the result is not harmless."""
        return self._filling(row).fill()

    def draw(self, row: Mapping[str, Value]) -> Drawing:
        """The filled drawing of a template of this package, not proven harmless."""
        return self._filling(row).draw()

    def _filling(self, row: Mapping[str, Value]) -> Filling:
        scope = LoopScope({name: value_of(row[name]) for name in self.by_name})
        scope.update({name: wording.value(scope) for name, wording in self.bound.items()})
        if self.reads_row:
            scope["row"] = RowCells(scope)
        return Filling(self, scope)

    def check(self) -> None:
        """Raises PnpError if the unfilled template is not harmless or lacks a box."""
        place = self.lines
        filling = Filling(self, None)
        try:
            drawing = filling.drawing()
        except FlawedFaceError as error:  # too large before any row fills it
            found = ((fault.place or place, fault.clause, fault.hint) for fault in error.faults)
            raise PnpError(Problem(*each) for each in found) from None
        faults = list(islice(element_faults(drawing, self.resources.fonts), _MAX_LOOKED_AT))
        findings = self.resources.findings
        refuse(faults, place, findings)
        drop_lost_effects(drawing)
        refuse(effort_faults(drawing), place)
        refuse(filling.box_faults(drawing), place)
        if self.has_misdrawn:
            refuse(render_misdrawn(drawing, self.resources.fonts, pixels_of(self)), place, findings)


class Filling:
    """Fills a template from one row; without a scope, leaves it unfilled, with each loop once."""

    def __init__(self, template: SvgTemplate, scope: Scope | None) -> None:
        self._template = template
        self._written = Writer(template.lines, template.resources, template.art, scope)
        self._seats = Seats(template.resources, template.unit, self._written.pads)

    def fill(self) -> Filled:
        """Fills the template. Raises MisfitError if the result is not harmless, or too large."""
        drawing, written = self.drawing(), self._written
        digest = blake2b(drawing.svg(), digest_size=16).digest()
        if digest not in self._template.proven:
            self._prove(drawing)
            self._template.proven.add(digest)
        self._colour(drawing)
        settings = self._settings(drawing, digest)
        if self._template.tolerated:
            drop_lost_effects(drawing)
        lacking = list(find_lacking(drawing, self._template.resources.fonts))
        lacking += self._show_pictures(drawing)
        for element, name, icon, node, window in written.icons:
            element.set(name, colour_picture(icon, colour_of(drawing, element)).uri)
            self._crop(element, icon, node, window)
        for node, code in written.codes:
            self._work(node, code.draw, drawing, self._template.unit)
        if self._template.has_misdrawn:
            self._render(drawing)
        boxes = tuple(
            TextBox(boxed.element, boxed.text, *setting, name_node(node), place, node.layout)
            for boxed, setting in zip(written.boxed, settings, strict=True)
            for node in [boxed.node]
            for place in [self._template.lines.at_line(node.line)]
        )
        faults = tuple(written.faults.values())
        followers = tuple(self._followers(drawing))
        guides = frozenset(self._guides(drawing) if followers else ())
        lacking = list(dict.fromkeys(lacking))
        return Filled(drawing.root, boxes, tuple(lacking), faults, followers, guides)

    def _followers(self, drawing: Drawing) -> Iterator[Follower]:
        """Panels and stacks, inner ones first. Raises MisfitError for one that cannot be used."""
        for element, node in reversed(self._written.following.items()):
            yield self._work(node, self._seats.follow, drawing, element, node, self._template.lines.at_line(node.line))

    def _guides(self, drawing: Drawing) -> Iterator[etree._Element]:
        """The boxes of its texts and stacks that are not painted."""
        stacks = {node.layout.stack for node in self._written.following.values()}
        for id_ in stacks.union(boxed.node.box for boxed in self._written.boxed):
            shapes = drawing.by_id.get(id_, ())
            yield from (shape for shape in shapes if not is_painted(drawing, shape))

    def draw(self) -> Drawing:
        """The filled drawing, not proven, without its pictures and the texts of its boxes."""
        drawing = self.drawing()
        self._colour(drawing)
        return drawing

    def _colour(self, drawing: Drawing) -> None:
        for coloured in self._written.colours:
            drawing.set(coloured.element, coloured.name, coloured.colour)

    def _show_pictures(self, drawing: Drawing) -> Iterator[LackingWords]:
        """Puts the pictures into a proven drawing; yields what the fonts of their texts lack."""
        if any(seated.art.part for seated in self._written.pictures):
            inline_styles(drawing.root)  # its style sheets are not those of the parts
        for element, name, art, node, window in self._written.pictures:
            element.set(name, sharpen(art.uri) if is_sharp(drawing, element) else art.uri)
            self._crop(element, art, node, window)
            if art.part:
                seat_part(element, read_part(art))
                yield from art.lacking

    def _crop(self, element: etree._Element, art: Art, node: Node, window: CropWindow | None) -> None:
        if window:
            self._work(node, crop_picture, element, art, window)

    def _render(self, drawing: Drawing) -> None:
        """Raises MisfitError for a part that another engine must draw, and cannot."""
        template = self._template
        fonts = template.resources.fonts
        for line, what, hint, rule in render_misdrawn(drawing, fonts, pixels_of(template)):
            if not rule:
                raise flaw(what, hint, place=template.lines.at_line(line))
        written = self._written
        boxed = ((boxed.element, boxed.node, "a text in a box") for boxed in written.boxed)
        following = ((*each, "what follows a text") for each in written.following.items())
        for element, node, name in (*boxed, *following):
            if [element, *element.iterancestors()][-1] is not drawing.root:
                raise written.fault_at(node, f"{name} is drawn wrong in this paint", "use a plain colour")

    def _prove(self, drawing: Drawing) -> None:
        """Raises MisfitError if the drawing is not harmless."""
        fonts = self._template.resources.fonts
        faults = self._judge(element_faults(drawing, fonts)) or self._judge(effort_faults(drawing))
        if faults:  # a stand-in may be unsuitable
            raise FlawedFaceError(tuple(self._written.faults.values()) or faults, ())

    def _settings(self, drawing: Drawing, digest: bytes) -> tuple[TextSetting, ...]:
        """The settings of its texts, which the colours around them may change. Raises MisfitError
        if one cannot be set."""
        boxed, known = self._written.boxed, self._template.settings
        if not boxed:
            return ()
        colours = tuple(colour.colour for colour in self._written.colours)
        key = digest, colours, tuple(box.node for box in boxed)
        if key not in known:
            known[key] = tuple(self._work(box.node, self._seat, drawing, box) for box in boxed)
        return known[key]

    def _judge(self, faults: Iterable[Fault]) -> tuple[FaceFault, ...]:
        """The faults that are the row's, each once."""
        rest = (fault for fault in faults if fault not in self._template.tolerated)
        place = self._template.lines
        own: dict[str, FaceFault] = {}
        for line, what, hint, _ in islice(rest, _MOST_FAULTS):
            own.setdefault(what, FaceFault(what, hint, place=place.at_line(line)))
        return tuple(own.values())

    def _seat(self, drawing: Drawing, boxed: BoxedText) -> TextSetting:
        return self._seats.find(drawing, boxed.element, boxed.node)

    def drawing(self) -> Drawing:
        """The filled drawing, not yet proven harmless."""
        template, resources = self._template, self._template.resources
        element = self._written.write_root(template.root)
        width, height = map(decimal, template.size)
        element.attrib.update({"width": f"{width}mm", "height": f"{height}mm"})
        if template.is_picture:
            element.set("viewBox", f"0 0 {width} {height}")
        element.attrib.pop("preserveAspectRatio", None)
        drawing = Drawing(element, template.content)
        fall_back(drawing, resources.fonts, resources.fallback)
        return drawing

    def box_faults(self, drawing: Drawing) -> Iterator[Fault]:
        for boxed in self._written.boxed:
            try:
                self._seat(drawing, boxed)
            except MisfitError as error:
                yield Fault(boxed.node.line, f"<text>: {error}", error.hint)

    def _work(self, node: Node, work: Callable[..., Any], *values: object) -> Any:
        """The result of work on some values; its faults name the element."""
        try:
            return work(*values)
        except MisfitError as error:
            raise self._written.fault_at(node, str(error), error.hint) from None


def pixels_of(template: SvgTemplate) -> float:
    """The pixels for a user unit in the parts that become pictures."""
    return template.unit * DPI / MM_PER_INCH
