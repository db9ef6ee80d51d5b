"""Take a template's nodes and a row, make the drawing, and prove the filled drawing harmless."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from copy import deepcopy
from hashlib import blake2b
from itertools import islice
from typing import Any, NamedTuple, Protocol

from lxml import etree

from generator.art import css
from generator.art.cascade import inline_styles
from generator.art.drawing import HREFS, SVG, Drawing, Fault
from generator.art.editors import is_sharp
from generator.art.effort import effort_faults
from generator.art.families import fall_back, find_lacking
from generator.art.icons import ICON, PROVEN
from generator.art.measure import box_of, colour_of
from generator.art.mending import drop_lost_effects
from generator.art.missing import crossed
from generator.art.parts import read_part, seat_part
from generator.art.pixels import sharpen
from generator.art.rendering import DPI, render_misdrawn
from generator.art.svg import element_faults
from generator.errors import MisfitError
from generator.fields import Resources
from generator.files import MEGABYTE
from generator.filled import Filled, TextBox
from generator.geometry import Size, decimal
from generator.model import Art, FaceFault, FlawedFaceError, LackingWords
from generator.place import Place
from generator.templating.nodes import Node, Scope, Wording
from generator.templating.qr import SeatedCode, make_code, make_holder
from generator.templating.seats import Seats, TextSetting
from generator.templating.values import LENGTHS, check_value, stand_in_for
from generator.text.icons import colour_picture
from generator.units import MM_PER_INCH

MAX_ELEMENTS = 10_000  # of one face, including those that loops skip
MAX_FILLED = 16 * MEGABYTE  # of texts and pictures filled into one face
_MOST_LINES = 0xFFFF  # the largest line number that lxml accepts
MAX_BOXED = 20_000  # characters set in boxes
_FILE = re.compile(r"[^:#?]{1,300}\.[A-Za-z]{3,4}(#[^#]{0,60})?")  # not an address
_MOST_FAULTS = 100  # of a filled drawing that are told
_NO_WORDS = "?"  # stands in for a text whose expression fails


class TemplateSource(Protocol):
    """The parts of a template that filling needs."""

    @property
    def place(self) -> Place: ...

    @property
    def content(self) -> bytes: ...

    @property
    def size(self) -> Size: ...

    @property
    def unit(self) -> float: ...

    @property
    def resources(self) -> Resources: ...

    @property
    def proven(self) -> Proven: ...

    @property
    def has_misdrawn(self) -> bool: ...

    @property
    def tolerated(self) -> Collection[Fault]: ...

    def art(self, name: str) -> Art: ...


# The settings of texts in harmless drawings, by a digest of the drawing and the nodes of the texts.
# Most rows differ only in texts, so that most drawings are proven once.
Proven = dict[tuple[bytes, tuple[Node, ...]], tuple[TextSetting, ...]]


class _Boxed(NamedTuple):
    element: etree._Element
    node: Node
    text: str


class Filling:
    """Fills a template from one row; without a scope, leaves it unfilled, with each loop once."""

    def __init__(self, template: TemplateSource, scope: Scope | None) -> None:
        self._template = template
        self._scope = scope
        self._left = MAX_ELEMENTS
        self._pictures: list[tuple[etree._Element, str, Art]] = []
        self._icons: list[tuple[etree._Element, str, Art]] = []
        self._codes: list[tuple[Node, SeatedCode]] = []
        self._bytes = self._letters = 0
        self._boxed: list[_Boxed] = []
        self._faults: dict[str, FaceFault] = {}  # the first of each, by its words
        self._seats = Seats(template.resources, template.unit)

    def fill(self, root: Node) -> Filled:
        """Fills the template. Raises MisfitError if the result is not harmless, or too large."""
        drawing = self.drawing(root)
        digest = blake2b(drawing.svg(), digest_size=16).digest()
        key = digest, tuple(boxed.node for boxed in self._boxed)
        proven = self._template.proven
        if key not in proven:
            proven[key] = self._prove(drawing)
        if self._template.tolerated:
            drop_lost_effects(drawing)
        lacking = list(find_lacking(drawing, self._template.resources.fonts))
        lacking += self._show_pictures(drawing)
        for element, name, icon in self._icons:
            element.set(name, colour_picture(icon, colour_of(drawing, element)).uri)
        for node, code in self._codes:
            self._work(node, lambda one=code: one.draw(drawing, self._template.unit))
        if self._template.has_misdrawn:
            self._render(drawing)
        settings = zip(self._boxed, proven[key], strict=True)
        boxes = (
            TextBox(boxed.element, boxed.text, *setting, _name(boxed.node), self._place(boxed.node))
            for boxed, setting in settings
        )
        return Filled(
            drawing.root, tuple(boxes), tuple(dict.fromkeys(lacking)), tuple(self._faults.values())
        )

    def _show_pictures(self, drawing: Drawing) -> Iterator[LackingWords]:
        """Puts the pictures into a proven drawing; yields what the fonts of their texts lack."""
        if any(art.part for _, _, art in self._pictures):
            inline_styles(drawing.root)  # its style sheets are not those of the parts
        for element, name, art in self._pictures:
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
                raise _flaw(what, hint, place=template.place.at_line(line))
        for boxed in self._boxed:
            top = [boxed.element, *boxed.element.iterancestors()][-1]
            if top is not drawing.root:
                what = "a text in a box is drawn wrong in this paint"
                raise self._fault(boxed.node, what, "use a plain colour")

    def _prove(self, drawing: Drawing) -> tuple[TextSetting, ...]:
        """The settings of its texts. Raises MisfitError if the drawing is not harmless."""
        fonts = self._template.resources.fonts
        faults = self._judge(element_faults(drawing, fonts)) or self._judge(effort_faults(drawing))
        if faults:  # a stand-in may be unsuitable
            raise FlawedFaceError(tuple(self._faults.values()) or faults, ())
        return tuple(
            self._work(boxed.node, lambda one=boxed: self._seat(drawing, one))
            for boxed in self._boxed
        )

    def _judge(self, faults: Iterable[Fault]) -> tuple[FaceFault, ...]:
        """The faults that are the row's, each once."""
        rest = (one for one in faults if one not in self._template.tolerated)
        place = self._template.place
        own: dict[str, FaceFault] = {}
        for line, what, hint, _ in islice(rest, _MOST_FAULTS):
            own.setdefault(what, FaceFault(what, hint, place=place.at_line(line)))
        return tuple(own.values())

    def _seat(self, drawing: Drawing, boxed: _Boxed) -> TextSetting:
        return self._seats.find(drawing, boxed.element, boxed.node)

    def drawing(self, root: Node) -> Drawing:
        """The filled drawing, not yet proven harmless."""
        element = etree.Element(root.tag, nsmap={None: SVG[1:-1]})
        self._dress(element, root, self._scope)
        width, height = map(decimal, self._template.size)
        element.attrib.update({"width": f"{width}mm", "height": f"{height}mm"})
        element.attrib.pop("preserveAspectRatio", None)
        drawing = Drawing(element, self._template.content)
        resources = self._template.resources
        fall_back(drawing, resources.fonts, resources.fallback)
        return drawing

    def box_faults(self, drawing: Drawing) -> Iterator[Fault]:
        for boxed in self._boxed:
            try:
                self._seat(drawing, boxed)
            except MisfitError as error:
                yield Fault(boxed.node.line, f"<text>: {error}", error.hint)

    def _write(self, parent: etree._Element, node: Node, scope: Scope | None) -> None:
        """Writes the content of an element: texts, and each child as often as it is drawn."""
        last, words = None, [self._fill_words(node, node.text, scope)]
        for child in node.children:
            if self._put(parent, child, scope):
                _write_behind(last, parent, words)
                last, words = parent[-1], []
            words.append(self._fill_words(child, child.tail, scope))
        _write_behind(last, parent, words)

    def _put(self, parent: etree._Element, node: Node, scope: Scope | None) -> bool:
        """Draws an element as often as its loop says. Returns False if it is not drawn at all."""
        if node.drawn is None:
            return self._draw(parent, node, scope)
        self._count(node, node.elements)
        parent.append(deepcopy(node.drawn))
        return True

    def _count(self, node: Node, elements: int) -> None:
        """Raises MisfitError if the face has too many elements."""
        self._left -= elements
        if self._left < 0:
            what = f"the face has more than {MAX_ELEMENTS:,} elements"
            raise self._fault(node, what, "repeat fewer elements, and put less into loops")

    def _draw(self, parent: etree._Element, node: Node, scope: Scope | None) -> bool:
        is_drawn = False
        for number, inner in enumerate(self._turns(node, scope)):
            self._count(node, 1)
            if inner is None or all(self._try(node, one.value, inner, False) for one in node.only):
                across, down = (number * step for step in node.step)
                holder = parent
                if across or down:
                    moved = {"transform": f"translate({decimal(across)} {decimal(down)})"}
                    holder = etree.SubElement(parent, f"{SVG}g", moved)
                element = etree.SubElement(holder, node.tag)
                self._dress(element, node, inner)
                is_drawn = True
                if node.is_still:
                    node.drawn = deepcopy(element)
        return is_drawn

    def _turns(self, node: Node, scope: Scope | None) -> Iterator[Scope | None]:
        if node.repeat is None or scope is None:
            yield scope
            return
        name, expression = node.repeat
        items = self._try(node, expression.items, scope, ())
        for index, item in enumerate(items):
            loop = {
                "index": index + 1,
                "index0": index,
                "length": len(items),
                "first": index == 0,
                "last": index == len(items) - 1,
            }
            yield {**scope, name: item, "loop": loop}

    def _dress(self, element: etree._Element, node: Node, scope: Scope | None) -> None:
        """Writes the attributes and the content of an element."""
        element.sourceline = min(node.sourceline, _MOST_LINES)
        for name, wording in node.attributes.items():
            if name not in HREFS or not ("href" in node.overrides or node.code):
                self._say(element, node, name, wording, scope)
        for name, wording in node.overrides.items():
            if name == "href" or scope is not None:  # otherwise keep what the editor shows
                css.pop_property(element, name)
                self._say(element, node, name, wording, scope)
        if node.code:
            self._code(element, node, node.code, scope)
            return
        if node.box:
            words = self._words(node, scope)
            self._boxed.append(_Boxed(element, node, words))
            return
        self._write(element, node, scope)

    def _say(
        self, element: etree._Element, node: Node, name: str, wording: Wording, scope: Scope | None
    ) -> None:
        """Sets an attribute of an element."""
        if node.name == "image" and name in HREFS and _is_linked(node, name, wording):
            self._picture(element, node, name, wording, scope)
        elif wording.is_plain:
            element.set(name, wording.bare)
        elif scope is not None:
            value = self._fill_value(node, name, wording, scope)
            if value is not None:
                element.set(name, value)
        elif name in LENGTHS:
            element.set(name, "1")  # any length, because it differs in each row

    def _code(
        self, element: etree._Element, node: Node, wording: Wording, scope: Scope | None
    ) -> None:
        """Makes an element the path of a QR code, which is drawn once the rest is proven."""
        if scope is not None:
            text = self._fill_words(node, wording, scope)
            code = self._try(node, lambda _: make_code(text, node.level), scope, None)
            box = self._try(node, lambda _: box_of(element), scope, None)
            if code and box:
                self._weigh(node, len(code.path))
                self._codes.append((node, SeatedCode(element, code, box)))
        make_holder(element)

    def _words(self, node: Node, scope: Scope | None) -> str:
        """The text of a box, without the editor's division into lines."""
        holder = etree.Element(node.tag)
        self._write(holder, node, scope)
        words = "".join(holder.itertext()).strip()
        self._letters += len(words)
        if self._letters > MAX_BOXED:
            what = f"the texts in boxes have more than {MAX_BOXED:,} characters"
            raise self._fault(node, what, "shorten the texts")
        return words

    def _picture(
        self, element: etree._Element, node: Node, name: str, wording: Wording, scope: Scope | None
    ) -> None:
        element.set(name, PROVEN)
        if scope is None:
            return
        missing = Art("", crossed(""))
        words: str | None = self._try(node, wording.text, scope, None)
        art = missing
        if words is not None:
            art = self._try(node, lambda _: self._template.art(words), scope, missing)
        self._weigh(node, len(art.part or art.uri))
        of_kind = self._icons if words and words.startswith(ICON) else self._pictures
        of_kind.append((element, name, art))

    def _fill_words(self, node: Node, wording: Wording, scope: Scope | None) -> str:
        if wording.is_plain:
            return wording.bare
        words: str = self._try(node, wording.text, scope, _NO_WORDS)
        self._weigh(node, len(words))
        return words

    def _fill_value(self, node: Node, name: str, wording: Wording, scope: Scope) -> str | None:
        """The value of an attribute; None to leave it out."""
        stand_in = stand_in_for(name)
        words: str | None = self._try(node, wording.text, scope, None)
        if words is None:
            return stand_in
        self._weigh(node, len(words))
        resources = self._template.resources
        value: str | None = self._try(
            node, lambda _: check_value(name, words, resources), scope, stand_in
        )
        return value

    def _weigh(self, node: Node, size: int) -> None:
        """Raises MisfitError if too much is filled into the face."""
        self._bytes += size
        if self._bytes > MAX_FILLED:
            what = f"more than {MAX_FILLED // MEGABYTE} MB are filled in"
            raise self._fault(node, what, "use smaller or fewer pictures")

    def _work(self, node: Node, work: Any) -> Any:
        """Calls `work`, and names the element in its faults."""
        try:
            return work()
        except MisfitError as error:
            raise self._fault(node, str(error), error.hint) from None

    def _try(self, node: Node, work: Any, scope: Scope | None, stand_in: Any) -> Any:
        """Calls `work` with a scope; notes its fault and returns `stand_in` if it fails."""
        try:
            return work(scope)
        except MisfitError as error:
            fault = FaceFault(str(error), error.hint, part=_name(node), place=self._place(node))
            self._faults.setdefault(str(error), fault)
            return stand_in

    def _fault(self, node: Node, what: str, hint: str) -> FlawedFaceError:
        return _flaw(what, hint, _name(node), self._place(node))

    def _place(self, node: Node) -> Place:
        return self._template.place.at_line(node.line)


def _flaw(what: str, hint: str, part: str = "", place: Place | None = None) -> FlawedFaceError:
    """A fault for which nothing of the face can be drawn."""
    return FlawedFaceError([FaceFault(what, hint, part=part, place=place)], ())


def _name(node: Node) -> str:
    """An element, for messages."""
    source = next(node.sources(), "") if node.box else ""
    of = f" {{{{ {source} }}}}" if source else ""
    return f"<{node.name}>{of}"


def _is_linked(node: Node, name: str, wording: Wording) -> bool:
    """Whether an image depends on the row, or links to a file beside the template, as drawing
    programs do."""
    if name in node.overrides or not wording.is_plain:
        return True
    return wording.bare.startswith(ICON) or _FILE.fullmatch(wording.bare) is not None


def pixels_of(template: TemplateSource) -> float:
    """The pixels for a user unit in the parts that become pictures."""
    return template.unit * DPI / MM_PER_INCH


def bare(template: TemplateSource) -> Filling:
    """A template without a row, with nothing filled in."""
    return Filling(template, None)


def _write_behind(last: etree._Element | None, parent: etree._Element, words: list[str]) -> None:
    """Writes words behind the last child of an element, or before all children."""
    if last is None:
        parent.text = "".join(words)
    else:
        last.tail = "".join(words)
