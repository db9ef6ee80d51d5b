"""Faces from a designer's template: filled with the values of a row, its texts set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from typing import TYPE_CHECKING

from lxml import etree
from msgspec import Struct
from msgspec.structs import replace

from generator import model
from generator.art.drawing import SVG, put_in_place
from generator.basics.errors import MisfitError, Problem, quote
from generator.basics.geometry import MM_PER_PT, ORIGIN, Point, Size
from generator.basics.shapes import DrawnShape
from generator.faces.canvas import Canvas
from generator.tables.fields import Filled, TextBox
from generator.text.fonts import lacks_bold

if TYPE_CHECKING:  # a template without a text in a box does not load it
    from generator.faces.following import FaceTexts
    from generator.faces.templating.choosing import Templates
    from generator.faces.templating.template import SvgTemplate
    from generator.text.flow import Compositor, Flow

_MOST_COSTS = 3  # pieces that a note names
_CLOSE = 0.1  # mm; drawing programs round
MOST_LOST = 0.5  # mm of a picture, on each of two sides

_OF_TEXTS = {"text-anchor": "start", "letter-spacing": "normal", "word-spacing": "normal", "font-style": "normal"}


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
        from generator.faces.following import FaceTexts

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
        from generator.faces.following import FaceTexts

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
