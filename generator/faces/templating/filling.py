"""Take a template's nodes and a row, make the drawing, and prove the filled drawing harmless."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import islice
from typing import Any

from generator.art.cascade import inline_styles
from generator.art.drawing import Drawing, Fault
from generator.art.editors import is_sharp
from generator.art.effort import effort_faults
from generator.art.families import fall_back, find_lacking
from generator.art.measure import colour_of
from generator.art.mending import drop_lost_effects
from generator.art.parts import read_part, seat_part
from generator.art.pixels import sharpen
from generator.art.rendering import DPI, render_misdrawn
from generator.art.svg import element_faults
from generator.basics.errors import MisfitError
from generator.basics.geometry import decimal
from generator.basics.units import MM_PER_INCH
from generator.faces.templating.nodes import Node, Scope
from generator.faces.templating.seats import Seats, TextSetting
from generator.faces.templating.writing import BoxedText, TemplateSource, Writer, flaw, name_node
from generator.model import FaceFault, FlawedFaceError, LackingWords
from generator.tables.filled import Filled, TextBox
from generator.text.icons import colour_picture

_MOST_FAULTS = 100  # of a filled drawing that are told


class Filling:
    """Fills a template from one row; without a scope, leaves it unfilled, with each loop once."""

    def __init__(self, template: TemplateSource, scope: Scope | None) -> None:
        self._template = template
        self._written = Writer(template, scope)
        self._seats = Seats(template.resources, template.unit)

    def fill(self, root: Node) -> Filled:
        """Fills the template. Raises MisfitError if the result is not harmless, or too large."""
        drawing, written = self.drawing(root), self._written
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
        for element, name, icon in written.icons:
            element.set(name, colour_picture(icon, colour_of(drawing, element)).uri)
        for node, code in written.codes:
            self._work(node, lambda one=code: one.draw(drawing, self._template.unit))
        if self._template.has_misdrawn:
            self._render(drawing)
        boxes = tuple(
            TextBox(boxed.element, boxed.text, *setting, name_node(boxed.node), place)
            for boxed, setting in zip(written.boxed, settings, strict=True)
            for place in [self._template.place.at_line(boxed.node.line)]
        )
        faults = tuple(written.faults.values())
        return Filled(drawing.root, boxes, tuple(dict.fromkeys(lacking)), faults)

    def draw(self, root: Node) -> Drawing:
        """The filled drawing, not proven, without its pictures and the texts of its boxes."""
        drawing = self.drawing(root)
        self._colour(drawing)
        return drawing

    def _colour(self, drawing: Drawing) -> None:
        for coloured in self._written.colours:
            drawing.set(coloured.element, coloured.name, coloured.colour)

    def _show_pictures(self, drawing: Drawing) -> Iterator[LackingWords]:
        """Puts the pictures into a proven drawing; yields what the fonts of their texts lack."""
        if any(art.part for _, _, art in self._written.pictures):
            inline_styles(drawing.root)  # its style sheets are not those of the parts
        for element, name, art in self._written.pictures:
            element.set(name, sharpen(art.uri) if is_sharp(drawing, element) else art.uri)
            if art.part:
                seat_part(element, read_part(art))
                yield from art.lacking

    def _render(self, drawing: Drawing) -> None:
        """Raises MisfitError for a part that another engine must draw, and cannot."""
        template = self._template
        fonts = template.resources.fonts
        for line, what, hint, rule in render_misdrawn(drawing, fonts, pixels_of(template)):
            if not rule:
                raise flaw(what, hint, place=template.place.at_line(line))
        for boxed in self._written.boxed:
            top = [boxed.element, *boxed.element.iterancestors()][-1]
            if top is not drawing.root:
                what = "a text in a box is drawn wrong in this paint"
                raise self._written.fault_at(boxed.node, what, "use a plain colour")

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
        colours = tuple(one.colour for one in self._written.colours)
        key = digest, colours, tuple(one.node for one in boxed)
        if key not in known:
            known[key] = tuple(
                self._work(one.node, lambda one=one: self._seat(drawing, one)) for one in boxed
            )
        return known[key]

    def _judge(self, faults: Iterable[Fault]) -> tuple[FaceFault, ...]:
        """The faults that are the row's, each once."""
        rest = (one for one in faults if one not in self._template.tolerated)
        place = self._template.place
        own: dict[str, FaceFault] = {}
        for line, what, hint, _ in islice(rest, _MOST_FAULTS):
            own.setdefault(what, FaceFault(what, hint, place=place.at_line(line)))
        return tuple(own.values())

    def _seat(self, drawing: Drawing, boxed: BoxedText) -> TextSetting:
        return self._seats.find(drawing, boxed.element, boxed.node)

    def drawing(self, root: Node) -> Drawing:
        """The filled drawing, not yet proven harmless."""
        element = self._written.write_root(root)
        width, height = map(decimal, self._template.size)
        element.attrib.update({"width": f"{width}mm", "height": f"{height}mm"})
        element.attrib.pop("preserveAspectRatio", None)
        drawing = Drawing(element, self._template.content)
        resources = self._template.resources
        fall_back(drawing, resources.fonts, resources.fallback)
        return drawing

    def box_faults(self, drawing: Drawing) -> Iterator[Fault]:
        for boxed in self._written.boxed:
            try:
                self._seat(drawing, boxed)
            except MisfitError as error:
                yield Fault(boxed.node.line, f"<text>: {error}", error.hint)

    def _work(self, node: Node, work: Any) -> Any:
        """Calls `work`, and names the element in its faults."""
        try:
            return work()
        except MisfitError as error:
            raise self._written.fault_at(node, str(error), error.hint) from None


def pixels_of(template: TemplateSource) -> float:
    """The pixels for a user unit in the parts that become pictures."""
    return template.unit * DPI / MM_PER_INCH


def bare(template: TemplateSource) -> Filling:
    """A template without a row, with nothing filled in."""
    return Filling(template, None)
