"""Faces from a designer's template: filled with the values of a row, its texts set in their boxes.

Also what follows its texts: text that goes on in another box, panels as high as a text, stacks of
parts as high as their content.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree
from msgspec import Struct
from msgspec.structs import replace

from generator import model
from generator.art import css
from generator.art.drawing import SVG, local, put_in_place
from generator.art.measure import Extents, place_of, transform_of
from generator.basics.errors import MisfitError, Problem, did_you_mean, quote
from generator.basics.geometry import IDENTITY, MM_PER_PT, ORIGIN, Affine, Point, Rect, Size, decimal, translation
from generator.basics.shapes import DrawnShape
from generator.faces.canvas import Canvas
from generator.tables.fields import Filled, Follower, TextBox
from generator.text.fonts import lacks_bold
from generator.text.markup import TextBlock, copy_of
from generator.text.shape import Style

if TYPE_CHECKING:  # a template without a text in a box loads no ICU
    from generator.faces.templating.choosing import Templates
    from generator.faces.templating.template import SvgTemplate
    from generator.text.flow import Compositor, Flow

_MOST_COSTS = 3  # pieces that a note names
_CLOSE = 0.1  # mm; drawing programs round
MOST_LOST = 0.5  # mm of a picture, on each of two sides

_OF_TEXTS = {"text-anchor": "start", "letter-spacing": "normal", "word-spacing": "normal", "font-style": "normal"}
_SLACK = 1e-6  # mm: the rounding error of a sum of lengths
_SPARE = {"top": 0.0, "middle": 0.5, "bottom": 1.0}
_DRAWN = ("circle", "ellipse", "g", "image", "line", "path", "polygon", "polyline", "rect")


class FromTemplate(Struct, frozen=True, dict=True):
    """Draws a side of a piece as the designer's SVG says."""

    templates: Templates
    other: FromTemplate | None = None  # the other side of its pieces, if texts go on there
    rows: Sequence[model.Piece] = ()  # all pieces of its component

    def beside(self, other: object, rows: Sequence[model.Piece]) -> FromTemplate:
        """The same with what its texts may depend on besides their row."""
        own = replace(self, rows=rows)
        if isinstance(other, FromTemplate):
            texts = *self.templates.texts, *other.templates.texts
            if any(layout.continues for _, layout in texts):
                return replace(own, other=replace(other, rows=rows))
        return own

    def columns(self) -> list[model.Column]:
        return list(self.templates.columns())

    def reads(self, piece: model.Piece) -> Sequence[str]:
        """The names of the columns on which the face of a piece depends."""
        own = self.templates.reads(piece.row)
        return [*own, *self.other.reads(piece)] if self.other else own

    @cached_property
    def deck_sizes(self) -> Mapping[str, Sequence[tuple[float, str]]]:
        """For each box whose texts have one size in all rows, the size (mm) that each piece could
        have alone, the smallest first."""
        sizes: dict[str, list[tuple[float, str]]] = {}
        decks = [layout.deck for _, layout in self.templates.texts if layout.deck]
        for piece in self.rows if decks else ():
            with suppress(MisfitError):  # which drawing reports
                filled = self._fill(piece)
                texts = FaceTexts(self._compositor, filled).texts if filled else {}
                for text in texts.values():
                    if text.flow and text.box.layout.deck:
                        each = text.flow.size, piece.id
                        sizes.setdefault(text.box.layout.deck, []).append(each)
        return {box: sorted(each) for box, each in sizes.items()}

    def _fill(self, piece: model.Piece) -> Filled | None:
        """The filled template of a piece; None for a back that stays blank."""
        template = self.templates.choose(piece.row)
        return template.fill(piece.row) if template else None

    def find_costs(self, component: model.Component, side: model.Side) -> Iterator[Problem]:
        """A note on each box whose texts have one size in all rows: the pieces that make it small."""
        for box, sizes in self.deck_sizes.items():
            own = {piece: size / MM_PER_PT for size, piece in reversed(sizes)}
            first = sorted(own.items(), key=lambda each: (each[1], each[0]))
            costs = [(piece, size) for piece, size in first[:_MOST_COSTS] if size < first[-1][1]]
            if costs:
                named = ", ".join(f"{piece} ({size:.1f} pt)" for piece, size in costs)
                what = f"the texts in {quote(box)} on the {side} are {costs[0][1]:.1f} pt on all "
                what += f"{component.title}, for the sake of {named}"
                hint = f"shorten these; the others could have {first[len(costs)][1]:.1f} pt"
                yield Problem(component.place, what, hint, "note", "text.deck")

    def _resize(self, filled: Filled) -> Filled:
        """A filled template whose texts of one size in all rows have that."""
        sizes = {box: each[0][0] for box, each in self.deck_sizes.items()}
        boxes = (
            replace(box, style=replace(box.style, size=size, least=size)) if size else box
            for box in filled.boxes
            for size in [sizes.get(box.layout.deck)]
        )
        return replace(filled, boxes=tuple(boxes)) if sizes else filled

    def set_texts(self, filled: Filled, piece: model.Piece) -> FaceTexts:
        """The texts of a face in their boxes, before what follows them gets its place."""
        other = self.other
        known = {id_ for side in (self, other) if side for id_, _ in side.templates.texts if id_}

        @cache
        def find_others() -> Sequence[TextBox]:
            behind = other._fill(piece) if other else None
            return other._resize(behind).boxes if other and behind else ()

        return FaceTexts(self._compositor, self._resize(filled), find_others, known)

    def sources(self, piece: model.Piece) -> Sequence[str]:
        """Digests of all else in tables on which the face of a piece depends."""
        template = self._choose(piece)
        return template.sources if template else ()

    def _choose(self, piece: model.Piece) -> SvgTemplate | None:
        """The template of a piece; None if its back stays blank, or drawing reports a fault."""
        with suppress(MisfitError):
            return self.templates.choose(piece.row)
        return None

    def turn(self, piece: model.Piece, component: model.Component) -> model.Turn:
        """How a face lies: 90 if its template is as large as the turned piece, with its bleed or without."""
        template = self._choose(piece)
        if template is None:
            return 0
        size = template.size
        sizes = component.bleed_size, component.size
        is_turned = any(_are_close(size, each.turned()) for each in sizes)
        is_upright = any(_are_close(size, each) for each in sizes)
        can_turn = component.shape.kind != "net" and not isinstance(component.shape, DrawnShape)
        return 90 if is_turned and not is_upright and can_turn else 0

    def draw(self, piece: model.Piece, component: model.Component) -> list[model.PlacedLayer]:
        template = self.templates.choose(piece.row)
        if template is None:
            return []
        start, size = seat(template, component)
        if template.is_picture:
            template = template.fitted(size)
        filled = template.fill(piece.row)
        canvas = Canvas(size, filled.root)
        canvas.lack(filled.lacking)
        is_set = filled.boxes or filled.followers
        texts, faults = self.set_texts(filled, piece).write() if is_set else ((), ())
        faults = [*filled.faults, *faults]
        for box, flow in texts:
            self._put(canvas, flow, box)
        layers = [model.PlacedLayer(canvas.layer(f"{component.id} {piece.id}"), start)]
        if faults:
            raise model.FlawedFaceError(faults, layers)
        return layers

    def features(self, _: model.Piece, _component: model.Component) -> Iterator[model.Feature]:
        """No features: a template does not say what its drawing means."""
        yield from ()

    @cached_property
    def _compositor(self) -> Compositor:
        from generator.text.flow import Compositor

        of = self.templates.resources
        return Compositor(of.fonts, of.icons, of.palette, of.notation)

    def _put(self, canvas: Canvas, flow: Flow, box: TextBox) -> None:
        """Replace the element of a box with its text."""
        group = etree.Element(f"{SVG}g")
        if box.motion:
            group.set("transform", box.motion)
        put_in_place(group, box.element)
        for name, value in _OF_TEXTS.items():
            if any(_may_set(name, around) for around in group.iterancestors()):
                group.set(name, value)  # its lines have been set, with what they inherit
        canvas.flow(flow.lines, group)
        canvas.lack(self._find_lacking(box))

    def _find_lacking(self, box: TextBox) -> Iterator[model.LackingWords]:
        """The words of a box whose family lacks its style."""
        style = box.style
        font = self.templates.resources.fonts.find(style.family, style.weight, italic=style.italic)
        lost = {"bold": lacks_bold(style.weight, font), "italic": style.italic and not font.italic}
        if box.text and any(lost.values()):
            lacks = " ".join(name for name, is_lost in lost.items() if is_lost)
            yield model.LackingWords(box.text, font.title, lacks)


def _may_set(name: str, element: etree._Element) -> bool:
    """Whether texts in an element may inherit a property from it."""
    return name in element.attrib or "class" in element.attrib or name in element.get("style", "")


def seat(template: SvgTemplate, component: model.Component) -> tuple[Point, Size]:
    """The place of a template in the bleed box, and its size: that of the box, or of the page on
    which the outline of the piece is drawn. Raises FlawedFaceError for another size."""
    size, whole, shape = template.size, component.bleed_size, component.shape
    if isinstance(shape, DrawnShape):
        page = shape.page.moved(component.bleed, component.bleed)
        if template.is_picture:
            by = min(page.width / size.width, page.height / size.height)
            size = Size(size.width * by, size.height * by)
            x, y = page.centre
            return Point(x - size.width / 2, y - size.height / 2), size
        if _are_close(size, Size(page.width, page.height)):
            return Point(page.x0, page.y0), size
    if template.is_picture:
        _check_proportions(template, component)
        return ORIGIN, whole
    if _are_close(size, whole):
        return ORIGIN, whole
    what = f"the template is {size}, not {whole}"
    give = f'give <svg> width="{whole.width:g}mm" height="{whole.height:g}mm", or a viewBox in mm'
    bleed = (size.width - component.size.width) / 2
    if _are_close(size, whole.turned()):
        hint = "leave out turn and turn_by: a template of the turned piece's size lies turned"
    elif _are_close(size, component.size):
        hint = "extend it past the cut, or set edge = 'mirror' or edge = a colour in game.toml"
    elif any(edge != model.DRAWN for edge in component.edges.values()):
        hint = f"{give}; with an edge in game.toml, a template ends at the cut"
    else:
        hint = f"the piece is {component.size}, {whole} with its bleed: {give}"
        if bleed > 0 and abs(size.height - component.size.height - 2 * bleed) < 2 * _CLOSE:
            hint += f"; or set bleed = '{bleed:.2f}mm' in game.toml"
    raise model.FlawedFaceError([model.FaceFault(what, hint, place=template.place)], ())


def _check_proportions(template: SvgTemplate, component: model.Component) -> None:
    """Raises FlawedFaceError if a picture that fills the piece and its bleed loses too much."""
    pixels, whole = template.size, component.bleed_size
    lost = cut_off(pixels, whole)
    if lost <= MOST_LOST:
        return
    what = f"the picture, {pixels.width:g} × {pixels.height:g} pixels, is of another proportion "
    what += f"than {whole}: {lost:.1f} mm of two sides would be cut off"
    hint = "crop it, or show a part of it: <image preserveAspectRatio='xMidYMid slice' … /> in a "
    hint += "drawing, which is the template then"
    if cut_off(pixels.turned(), whole) <= MOST_LOST:
        hint = "it lies on its side: turn it"
    elif component.bleed and cut_off(pixels, component.size) <= MOST_LOST:
        hint = "it ends at the cut: set edge = 'mirror' or edge = a colour in game.toml"
    elif any(edge != model.DRAWN for edge in component.edges.values()):
        hint = "with an edge in game.toml, a picture ends at the cut; without, at the bleed"
    raise model.FlawedFaceError([model.FaceFault(what, hint, place=template.place)], ())


def cut_off(picture: Size, whole: Size) -> float:
    """The mm that a picture loses on each of two sides if it fills a box."""
    scale = max(whole.width / picture.width, whole.height / picture.height)
    over = picture.width * scale - whole.width, picture.height * scale - whole.height
    return max(over) / 2


def _are_close(size: Size, other: Size) -> bool:
    return abs(size.width - other.width) < _CLOSE and abs(size.height - other.height) < _CLOSE


class SetText(NamedTuple):
    """A text in its box, past its end if it is too long, and its fault; no flow if it cannot be set."""

    box: TextBox
    flow: Flow | None
    fault: model.FaceFault | None = None


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
        from generator.text.flow import OverfullError

        try:
            words, style = self._find_words(box)
            style = replace(style, goes_on=self._goes_on(box))
            return SetText(box, self._compositor.set(words, box.box, style))
        except OverfullError as error:
            over = max(error.over)
            fault = model.FaceFault(str(error), error.hint, over, box.name, box.place)
            return SetText(box, error.flow, fault)
        except MisfitError as error:
            fault = model.FaceFault(str(error), error.hint, part=box.name, place=box.place)
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

    def write(self) -> tuple[list[tuple[TextBox, Flow]], list[model.FaceFault]]:
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

    def _fill(self, stack: Follower) -> model.FaceFault | None:
        """Lays a stack. Returns a fault if it is higher than its box."""
        by = self._lay(stack)
        if by <= _SLACK:
            return None
        what = f"the stack is {ceil(by * 10) / 10:.1f} mm higher than its box"
        return model.FaceFault(what, "give it more room, smaller gaps, or smaller texts", by, stack.name, stack.place)

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
