"""Take a text and its box in a filled template, make its place and style."""

from __future__ import annotations

from typing import NamedTuple

from lxml import etree
from msgspec.structs import replace

from generator.art.drawing import SVG, Drawing
from generator.art.measure import box_of, enlarge, motion, style_of
from generator.basics.errors import MisfitError, did_you_mean, quote
from generator.basics.geometry import Rect
from generator.faces.templating.nodes import Node
from generator.tables.fields import Resources
from generator.text.breaks import has_hyphens
from generator.text.style import Style, Valign

_EVEN = 1e-6  # a unit that differs less from 1 mm counts as 1 mm


class TextSetting(NamedTuple):
    """The place and style of a text: a TextBox without its text."""

    box: Rect
    style: Style
    motion: str


class Seats:
    """The boxes of a drawing; `unit` is the mm of its user unit."""

    def __init__(self, resources: Resources, unit: float) -> None:
        self._resources = resources
        self._unit = unit
        # rectangles by their ids: the first within each element
        self._boxes: dict[str, dict[etree._Element, etree._Element]] = {}

    def find(self, drawing: Drawing, element: etree._Element, node: Node) -> TextSetting:
        """The setting of a text. Raises MisfitError if its box or style cannot be used."""
        rect = self._nearest(drawing, element, node.box)
        if rect is None:
            ids = [id_ for id_, same in drawing.by_id.items() if same[0].tag == f"{SVG}rect"]
            raise MisfitError(
                f"there is no <rect> {quote(node.box)} for this text", did_you_mean(node.box, ids)
            )
        # Inkscape's hidden rectangles are measured in the units of the text
        is_hidden = next(rect.iterancestors(f"{SVG}defs"), None) is not None
        letter_unit = self._unit * enlarge(element)
        unit = letter_unit if is_hidden else self._unit * enlarge(rect)
        box = Rect(*(side * unit for side in box_of(rect)))
        style = self._apply_directives(
            style_of(drawing, element, self._resources, letter_unit), node
        )
        transform = element.get("transform", "") if is_hidden else motion(element, rect)
        if abs(unit - 1.0) > _EVEN:
            transform = f"{transform} scale({1 / unit:.9g})".strip()
        return TextSetting(box, style, transform)

    def _nearest(
        self, drawing: Drawing, element: etree._Element, id_: str
    ) -> etree._Element | None:
        """The rectangle with that id; in a loop, that of the same copy."""
        if id_ not in self._boxes:
            first: dict[etree._Element, etree._Element] = {}
            self._boxes[id_] = first
            for rect in drawing.by_id.get(id_, ()):
                if rect.tag == f"{SVG}rect":
                    for holder in rect.iterancestors():
                        first.setdefault(holder, rect)
        boxes = self._boxes[id_]
        return next((boxes[one] for one in element.iterancestors() if one in boxes), None)

    def _apply_directives(self, style: Style, node: Node) -> Style:
        """A style with the pnp: attributes of its node."""
        valigns: dict[str, Valign] = {"middle": "middle", "bottom": "bottom"}
        language = self._resources.language or node.hyphens
        is_hyphenated = node.hyphens and has_hyphens(language)
        return replace(
            style,
            least=node.least,
            valign=valigns.get(node.valign, "top"),
            hyphens=language if is_hyphenated else "",
        )
