"""Texts of a face set in their boxes, and what follows them: text that goes on in another box,
panels as high as a text, stacks of parts as high as their content."""

from collections.abc import Callable, Collection, Iterable, Sequence
from math import ceil
from typing import NamedTuple

from lxml import etree
from msgspec.structs import replace

from generator.art import css
from generator.art.drawing import local
from generator.art.measure import Extents, place_of, transform_of
from generator.basics.errors import MisfitError, did_you_mean, quote
from generator.basics.geometry import IDENTITY, Affine, Rect, decimal, translation
from generator.model import FaceFault
from generator.tables.fields import Filled, Follower, TextBox
from generator.text.flow import Compositor, Flow, OverfullError
from generator.text.markup import TextBlock, copy_of
from generator.text.shape import Style

_SLACK = 1e-6  # mm: the rounding error of a sum of lengths
_SPARE = {"top": 0.0, "middle": 0.5, "bottom": 1.0}
_DRAWN = ("circle", "ellipse", "g", "image", "line", "path", "polygon", "polyline", "rect")


class SetText(NamedTuple):
    """A text in its box, past its end if it is too long, and its fault; no flow if it cannot be set."""

    box: TextBox
    flow: Flow | None
    fault: FaceFault | None = None


class FaceTexts:
    """The texts of one side of a piece, and the places and heights of what follows them. `others`
    gives the texts of the other side, `known` are the ids of those of both, in any row."""

    def __init__(
        self,
        compositor: Compositor,
        filled: Filled,
        others: Callable[[], Sequence[TextBox]] = tuple,
        known: Collection[str] = (),
    ) -> None:
        self._compositor = compositor
        self._guides = filled.guides
        self._boxes = filled.boxes
        self._others = others
        self._known = known
        self._stacks = [each for each in filled.followers if each.layout.stack]
        self._panels = {each.element: each for each in filled.followers if each.layout.fit}
        self._open: set[etree._Element] = set()  # panels whose content is being measured
        self._extents = Extents()
        self._moves: dict[etree._Element, float] = {}  # down, in user units around the element
        self.texts = {box.element: self._set(box) for box in filled.boxes}

    def _set(self, box: TextBox) -> SetText:
        try:
            words, style = self._find_words(box)
            style = replace(style, goes_on=self._goes_on(box))
            return SetText(box, self._compositor.set(words, box.box, style))
        except OverfullError as error:
            over = max(error.over)
            fault = FaceFault(str(error), error.hint, over, box.name, box.place)
            return SetText(box, error.flow, fault)
        except MisfitError as error:
            fault = FaceFault(str(error), error.hint, part=box.name, place=box.place)
        try:  # without its marks
            return SetText(box, self._compositor.set(copy_of(box.text), box.box, box.style), fault)
        except OverfullError as error:
            return SetText(box, error.flow, fault)
        except MisfitError:
            return SetText(box, None, fault)

    def _goes_on(self, box: TextBox) -> bool:
        """Whether another box has what is left of a text."""
        return bool(box.id) and any(box.id == other.layout.continues for other in self._all())

    def _all(self) -> Sequence[TextBox]:
        return *self._boxes, *self._others()

    def _find_words(self, box: TextBox, *after: TextBox) -> tuple[str | Sequence[TextBlock], Style]:
        """The words of a box and their style; of one that continues a text, what is left of that,
        in the same size. Raises MisfitError if there is no such text, or it cannot be set."""
        id_ = box.layout.continues
        if not id_:
            return box.text, box.style
        if id_ not in self._known:
            raise MisfitError(f"there is no text {quote(id_)}", did_you_mean(id_, self._known))
        if box in after or sum(id_ == each.layout.continues for each in self._boxes) > 1:
            what = f"it continues {quote(id_)}, which goes on elsewhere"
            raise MisfitError(what, "let each text go on in one box, and none in itself")
        before = next((each for each in self._all() if each.id == id_), None)
        if before is None:  # this row hides it
            return (), box.style
        words, style = self._find_words(before, box, *after)
        flow = self._compositor.set(words, before.box, replace(style, goes_on=True))
        return flow.left, replace(box.style, size=flow.size, least=flow.size)

    def write(self) -> tuple[list[tuple[TextBox, Flow]], list[FaceFault]]:
        """Gives panels and parts of stacks their places. Returns the texts that can be set, and the faults."""
        over = [fault for stack in self._stacks if (fault := self._fill(stack))]
        fitted = [(panel.element, self._fit(panel)) for panel in self._panels.values()]
        for element, box in fitted:
            _write_height(element, box)
        for element, by in self._moves.items():
            element.set("transform", f"{_down(by)} {element.get('transform', '')}".strip())
        texts = self.texts.values()
        moves = ((text, self._moves.get(text.box.element)) for text in texts)
        flows = [
            (replace(box, motion=f"{_down(by)} {box.motion}") if by else box, text.flow)
            for text, by in moves
            if text.flow
            for box in [text.box]
        ]
        return flows, [text.fault for text in texts if text.fault] or over

    def _fill(self, stack: Follower) -> FaceFault | None:
        """Lays a stack. Returns a fault if it is higher than its box."""
        by = self._lay(stack)
        if by <= _SLACK:
            return None
        what = f"the stack is {ceil(by * 10) / 10:.1f} mm higher than its box"
        return FaceFault(what, "give it more room, smaller gaps, or smaller texts", by, stack.name, stack.place)

    def _lay(self, stack: Follower) -> float:
        """Lays the parts of a stack below each other. Returns the mm by which it is too high."""
        for part in stack.element:
            self._moves.pop(part, None)
        extents = [(part, self._cover([part])) for part in stack.element]
        parts = [(part, extent) for part, extent in extents if extent]
        gap = stack.layout.gap / stack.unit
        height = sum(extent.height for _, extent in parts) + gap * max(len(parts) - 1, 0)
        assert stack.target is not None, "a stack has a box"
        room = self._box_within(stack.element, stack.target)
        assert room is not None, "a box has a size"
        y = room.y0 + (room.height - height) * _SPARE[stack.valign]
        for part, extent in parts:
            self._moves[part] = y - extent.y0
            y += extent.height + gap
        return (height - room.height) * stack.unit

    def _fit(self, panel: Follower) -> Rect | None:
        """The box of a panel in its user units; None if there is nothing in it."""
        if panel.target is None or panel.element in self._open:
            return None
        self._open.add(panel.element)  # it is no part of a group around it
        extent = self._box_within(panel.element, panel.target)
        self._open.remove(panel.element)
        pad = panel.layout.pad / panel.unit
        return extent and extent._replace(y0=extent.y0 - pad, y1=extent.y1 + pad)

    def _box_within(self, holder: etree._Element, element: etree._Element) -> Rect | None:
        """The box of an element in the user units of another."""
        extent = self._extent(element)
        return (self._map(holder).inverse() @ self._map(element.getparent())).apply_rect(extent) if extent else None

    def _extent(self, element: etree._Element) -> Rect | None:
        """The box of an element in the units around it; None if nothing of it is seen."""
        moved = translation(0.0, self._moves.get(element, 0.0))
        if element in self.texts:
            box, flow = self.texts[element].box, self.texts[element].flow
            if not flow or not flow.lines:
                return None
            block = box.box._replace(y0=flow.top, y1=flow.top + flow.height)
            return (moved @ transform_of(box.motion)).apply_rect(block)
        if element in self._panels:
            extent = self._fit(self._panels[element])
        else:
            extent = self._cover(element) if local(element) == "g" else self._extents.of(element)
        return place_of(element, moved).apply_rect(extent) if extent else None

    def _cover(self, elements: Iterable[etree._Element]) -> Rect | None:
        """The box around some elements, without words that have no box."""
        drawn = (e for e in elements if e in self.texts or local(e) in _DRAWN)
        extents = [box for e in drawn if e not in self._guides and (box := self._extent(e))]
        return Rect.around(*extents) if extents else None

    def _map(self, element: etree._Element | None) -> Affine:
        """The map of what is in an element to the face."""
        if element is None:
            return IDENTITY
        moved = translation(0.0, self._moves.get(element, 0.0))
        return self._map(element.getparent()) @ place_of(element, moved)


def _down(by: float) -> str:
    return f"translate(0 {decimal(by)})"


def _write_height(panel: etree._Element, box: Rect | None) -> None:
    """Gives a panel the top and bottom of a box; without one, it is not drawn."""
    if box is None:
        panel.set("display", "none")
        return
    is_round = local(panel) == "ellipse"
    values = {"cy": box.centre.y, "ry": box.height / 2} if is_round else {}
    for name, value in (values or {"y": box.y0, "height": box.height}).items():
        css.pop_property(panel, name)
        panel.set(name, decimal(value))
