"""Take an SVG with placeholders, make a template that can be filled, or report every fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePath

from msgspec import Struct

from generator.art.drawing import Drawing, Fault, names_of
from generator.art.editors import say_plainly
from generator.art.effort import depth_faults, effort_faults
from generator.art.embedded import embed_drawings
from generator.art.families import record_stand_ins
from generator.art.icons import ICON
from generator.art.measure import frame_of
from generator.art.mending import drop_lost_effects, mend
from generator.art.misdrawn import find_misdrawn
from generator.art.parsing import MAX_BYTES, read_drawing
from generator.art.picture import refuse
from generator.art.rendering import render_misdrawn
from generator.art.svg import document_faults, element_faults, frame_faults
from generator.basics.errors import MisfitError, PnpError, Problem, did_you_mean, fail, quote
from generator.basics.files import read_within
from generator.basics.geometry import Size
from generator.basics.place import Place
from generator.faces.templating.filling import Filling, bare, pixels_of
from generator.faces.templating.naming import Headings
from generator.faces.templating.nodes import Node
from generator.faces.templating.reading import NodeReader, find_layer
from generator.faces.templating.sandbox import Expression, value_of
from generator.faces.templating.writing import MAX_ELEMENTS, Settings
from generator.model import Art, Column, FlawedFaceError, Value
from generator.tables.fields import Resources
from generator.tables.filled import Filled
from generator.text import FontBook
from generator.text.icons import find_icon, house_icons

_MAX_LOOKED_AT = 200


def read_template(
    folder: Path,
    file: str,
    resources: Resources,
    spec_place: Place,
    layers: Mapping[str, bool | Expression],
    headings: Headings = tuple,
) -> SvgTemplate:
    """Reads the template in `file`. Raises PnpError with every fault except those of filling.

    `spec_place` is the line of the spec that names the file. Layers that are false in `layers` are
    removed; those with an expression are drawn if it is true. `headings` gives those of the table.
    """
    template = parse_template(folder, file, resources, spec_place, layers, headings)
    template.check()
    return template


def parse_template(
    folder: Path,
    file: str,
    resources: Resources,
    spec_place: Place,
    layers: Mapping[str, bool | Expression],
    headings: Headings = tuple,
) -> SvgTemplate:
    """Reads a template without the proof that its drawing is harmless, which one of this package
    needs only in tests. Raises PnpError with its other faults."""
    if not file.lower().endswith(".svg"):
        what, hint = f"{quote(file)} is not an SVG", "save the drawing as plain SVG"
        if not PurePath(file).suffix:
            hint = f"write its ending: {quote(f'{file}.svg')}"
        raise fail(spec_place, what, hint)
    content = read_within(folder, file, MAX_BYTES, spec_place)
    place = Place.in_folder(folder, file)
    drawing = read_drawing(content, place)
    refuse(document_faults(drawing), place)
    faults = list(islice(frame_faults(drawing), _MAX_LOOKED_AT))
    faults += islice(embed_drawings(drawing), _MAX_LOOKED_AT)
    refuse(faults, place)
    if next(islice(drawing.elements(), MAX_ELEMENTS, None), None) is not None:
        what = f"the template has more than {MAX_ELEMENTS:,} elements"
        raise fail(place.at_line(1), what, "move parts that are the same in all rows to [art]")
    refuse(depth_faults(drawing), place)
    names = frozenset(name for group in drawing.elements("g") for name in names_of(group))
    drawing.drop([one for one in drawing.elements("g") if find_layer(one, layers) is False])
    mend(drawing)
    record_stand_ins(resources.stand_ins, say_plainly(drawing, resources.fonts), place)
    reading = NodeReader(drawing, place, layers, headings)
    root = reading.node(drawing.root, frozenset())
    refuse(reading.faults, place)
    try:
        size, unit = frame_of(drawing.root)
    except MisfitError as error:
        raise fail(place.at_line(drawing.line(drawing.root)), str(error), error.hint) from None
    return SvgTemplate(
        resources,
        folder,
        file,
        drawing.content,
        root,
        reading.columns,
        size,
        unit,
        names,
        reading.braces,
    )


class WithResources(Struct, frozen=True):
    """The resources of the game that drawing a face needs."""

    resources: Resources

    @property
    def fonts(self) -> FontBook:
        return self.resources.fonts

    @property
    def palette(self) -> Mapping[str, str]:
        return self.resources.palette

    @property
    def icons(self) -> Mapping[str, Art]:
        return self.resources.icons


class SvgTemplate(WithResources, frozen=True, dict=True):
    """A parsed template; implements filled.Template, and filled.Templates as the only one."""

    folder: Path
    file: str
    content: bytes
    root: Node
    by_name: Mapping[str, Column]  # the columns that it reads
    size: Size
    unit: float  # mm of its user unit
    layers: frozenset[str]  # the names of its groups
    braces: Mapping[str, int]  # the lines of words in single braces

    @cached_property
    def place(self) -> Place:
        return Place.in_folder(self.folder, self.file).at_line(self.root.line)

    @cached_property
    def tolerated(self) -> frozenset[Fault]:
        """The findings about the drawing in its editor, which every row shares."""
        return frozenset(one for one in element_faults(self._unfilled, self.fonts) if one.rule)

    @cached_property
    def has_misdrawn(self) -> bool:
        """Whether another engine must draw a part of it."""
        return next(find_misdrawn(self._unfilled), None) is not None

    @cached_property
    def _unfilled(self) -> Drawing:
        return bare(self).drawing(self.root)

    @cached_property
    def proven(self) -> set[bytes]:
        """Digests of harmless drawings without the colours that rows fill in: most rows share
        one."""
        return set()

    @cached_property
    def settings(self) -> Settings:
        return {}

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
            return find_icon(icon, self.icons, f"draw it as icons/{icon}.svg")
        if not name.strip():
            hint = 'to leave out images without a picture, set pnp:if="art"'
            raise MisfitError("the name of the picture is empty", hint)
        if "." not in name:
            hint = did_you_mean(name, self.resources.art) or "name it in [art] first"
            raise MisfitError(f"unknown art {quote(name)}", hint)
        return self._picture(name)

    def _picture(self, file: str) -> Art:
        try:
            return self.resources.read_art(file, Place(file))
        except PnpError as error:
            first = error.problems[0]
            path = PurePath(file)
            if str(path.parent) == "icons" and path.stem in house_icons():
                hint = f"write {ICON}{path.stem} for the built-in icon"
                raise MisfitError(first.what, hint) from None
            own = f"{first.place}: " if first.place != Place(file) else ""
            raise MisfitError(f"{own}{first.what}", first.hint) from None

    def columns(self) -> Sequence[Column]:
        return list(self.by_name.values())

    def reads(self, _: Mapping[str, Value]) -> Sequence[str]:
        return tuple(self.by_name)

    def choose(self, _: Mapping[str, Value]) -> SvgTemplate:
        return self

    def fill(self, row: Mapping[str, Value]) -> Filled:
        return self._filling(row).fill(self.root)

    def draw(self, row: Mapping[str, Value]) -> Drawing:
        """The filled drawing of a template of this package, not proven harmless."""
        return self._filling(row).draw(self.root)

    def _filling(self, row: Mapping[str, Value]) -> Filling:
        return Filling(self, {name: value_of(row[name]) for name in self.by_name})

    def check(self) -> None:
        """Raises PnpError if the unfilled template is not harmless or lacks a box."""
        place = self.place.at_line(0)
        filling = bare(self)
        try:
            drawing = filling.drawing(self.root)
        except FlawedFaceError as error:  # too large before any row fills it
            faulty = (Problem(one.place or place, one.clause, one.hint) for one in error.faults)
            raise PnpError(list(faulty)) from None
        faults = list(islice(element_faults(drawing, self.fonts), _MAX_LOOKED_AT))
        findings = self.resources.findings
        refuse(faults, place, findings)
        drop_lost_effects(drawing)
        refuse(effort_faults(drawing), place)
        refuse(filling.box_faults(drawing), place)
        if self.has_misdrawn:
            refuse(render_misdrawn(drawing, self.fonts, pixels_of(self)), place, findings)
