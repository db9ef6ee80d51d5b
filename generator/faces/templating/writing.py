"""Elements of a drawing, written from a template's nodes and a row; they are not yet proven.

The value of an attribute is made fit for the engine, or its fault reported. A text gets its place
and style from its box in the filled template.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any, NamedTuple

from lxml import etree
from msgspec import Struct
from msgspec.structs import replace

from generator.art import css
from generator.art.drawing import HREFS, NUMBER, SVG, Drawing, local, user_units
from generator.art.families import write_families
from generator.art.measure import box_of, enlarge, is_round, motion, style_of
from generator.art.picture import ICON, crossed
from generator.art.pixels import PROVEN
from generator.basics.colours import find_colour
from generator.basics.errors import MisfitError, Place, did_you_mean, quote
from generator.basics.files import MEGABYTE
from generator.basics.geometry import Rect, decimal
from generator.faces.templating.nodes import Node, Scope, Wording
from generator.faces.templating.pictures import FACE, CropWindow, SeatedCode, make_code, make_holder, read_window
from generator.faces.templating.sandbox import LoopScope
from generator.model import Art, FaceFault, FlawedFaceError
from generator.tables.fields import Follower, Resources, font_hint
from generator.text import HOUSE_FAMILY
from generator.text.galley import has_hyphens
from generator.text.shape import Style, Valign

MAX_ELEMENTS = 10_000  # of one face, including those that loops skip
MAX_FILLED = 16 * MEGABYTE  # of texts and pictures filled into one face
MOST_LINES = 0xFFFF  # the largest line number that lxml accepts
MAX_BOXED = 20_000  # characters set in boxes
_FILE = re.compile(r"[^:#?]{1,300}\.[A-Za-z]{3,4}(#[^#]{0,60})?")  # not an address
_NO_WORDS = "?"  # stands in for a text whose expression fails
COLOURS = ("fill", "stroke", "stop-color")
LENGTHS = (
    "cx", "cy", "height", "r", "rx", "ry", "stroke-width", "width", "x", "x1", "x2", "y", "y1",
    "y2",
)  # fmt: skip
_NEVER_NEGATIVE = ("height", "r", "rx", "ry", "stroke-width", "width")
_FAR = 1e5  # user units, larger than any drawing
_MAX_TRANSFORM = 300  # characters of a transform
_TRANSFORM = re.compile(
    rf"\s*((matrix|translate|scale|rotate|skew[XY])\(\s*{NUMBER}([\s,]+{NUMBER}){{0,5}}\s*\)[\s,]*)*"
)
_FAULTY_COLOUR, _FAULTY_LENGTH = "#999999", "1"
BOXES = ("rect", "circle", "ellipse")
_VALIGNS: dict[str, Valign] = {"": "top", "top": "top", "middle": "middle", "bottom": "bottom"}
_EVEN = 1e-6  # a unit that differs less from 1 mm counts as 1 mm


class TextSetting(NamedTuple):
    """The place and style of a text: a TextBox without its text."""

    box: Rect
    style: Style
    motion: str


# The settings of texts, by a digest of the drawing without the colours that a row fills in, by
# these colours, and by the nodes of the texts. Most rows differ only in texts.
Settings = dict[tuple[bytes, tuple[str, ...], tuple[Node, ...]], tuple[TextSetting, ...]]
_ANY_COLOUR = "#000000"  # with which a drawing is proven in place of each


class BoxedText(Struct, frozen=True):
    """A text with a box: its element, which stays empty, and its words."""

    element: etree._Element
    node: Node
    text: str


class SeatedArt(NamedTuple):
    """A picture for an attribute of an element, which is proven without it. `window` is the part of
    it that the element shows, all of it if that is None."""

    element: etree._Element
    name: str
    art: Art
    node: Node
    window: CropWindow | None


class SeatedColour(Struct, frozen=True):
    """A colour for an attribute of an element; as none is harmful, the drawing is proven with another."""

    element: etree._Element
    name: str
    colour: str


class Writer(Struct):
    """Writes elements from one row; without a scope, as they are, with each loop once.

    What is drawn or set once the rest is proven is kept beside them: pictures, icons, codes, colours and texts in
    boxes. `_lines` gives the places of the template's lines, `_find_art` its pictures by their names.
    """

    _lines: Place
    _resources: Resources
    _find_art: Callable[[str], Art]
    _scope: Scope | None
    pictures: list[SeatedArt] = []
    icons: list[SeatedArt] = []
    codes: list[tuple[Node, SeatedCode]] = []
    colours: list[SeatedColour] = []
    boxed: list[BoxedText] = []
    following: dict[etree._Element, Node] = {}  # panels and stacks
    pads: dict[etree._Element, float] = {}  # of panels
    faults: dict[str, FaceFault] = {}  # the first of each, by its words
    _left: int = MAX_ELEMENTS
    _bytes: int = 0
    _letters: int = 0

    def write_root(self, root: Node) -> etree._Element:
        """Writes a whole drawing. Raises FlawedFaceError if it is too large."""
        element = etree.Element(root.tag, root.plain, nsmap={None: SVG[1:-1]})
        self._dress(element, root, self._scope)
        return element

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
            raise self.fault_at(node, what, "repeat fewer elements, and put less into loops")

    def _draw(self, parent: etree._Element, node: Node, scope: Scope | None) -> bool:
        is_drawn = False
        for number, inner in enumerate(self._turns(node, scope)):
            self._count(node, 1)
            only = (self._try(node, False, condition.value, inner) for condition in node.only)
            if inner is None or all(only):
                across, down = (number * step for step in node.step)
                holder = parent
                if across or down:
                    moved = {"transform": f"translate({decimal(across)} {decimal(down)})"}
                    holder = etree.SubElement(parent, f"{SVG}g", moved)
                element = etree.SubElement(holder, node.tag, node.plain)
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
        items = self._try(node, (), expression.items, scope)
        for index, item in enumerate(items):
            loop = {
                "index": index + 1,
                "index0": index,
                "length": len(items),
                "first": index == 0,
                "last": index == len(items) - 1,
            }
            yield LoopScope({**scope, name: item, "loop": loop})

    def _dress(self, element: etree._Element, node: Node, scope: Scope | None) -> None:
        """Writes the attributes, but for the plain ones, and the content of an element."""
        element.sourceline = min(node.sourceline, MOST_LINES)
        for name, wording in node.attributes.items() if not node.plain else ():
            if name not in HREFS or not ("href" in node.overrides or node.code):
                self._say(element, node, name, wording, scope)
        for name, wording in node.overrides.items():
            if name == "href" or scope is not None:  # otherwise keep what the editor shows
                css.pop_property(element, name)
                self._say(element, node, name, wording, scope)
        if node.layout.fit or node.layout.stack:
            self.following[element], self.pads[element] = node, node.layout.pad
        if node.code:
            self._code(element, node, node.code, scope)
            return
        if node.box:
            words = "" if node.layout.continues else self._words(node, scope)
            self.boxed.append(BoxedText(element, node, words))
            return
        self._write(element, node, scope)

    def _say(self, element: etree._Element, node: Node, name: str, wording: Wording, scope: Scope | None) -> None:
        if node.name == "image" and name in HREFS and _is_linked(node, name, wording):
            self._picture(element, node, name, wording, scope)
        elif wording.is_plain:
            element.set(name, wording.bare)
        elif scope is not None:
            value = self._fill_value(node, name, wording, scope)
            if value is not None and name in COLOURS and value != "none":
                self.colours.append(SeatedColour(element, name, value))
                value = _ANY_COLOUR
            if value is not None:
                element.set(name, value)
        elif name in LENGTHS:
            element.set(name, "1")  # any length, because it differs in each row

    def _code(self, element: etree._Element, node: Node, wording: Wording, scope: Scope | None) -> None:
        """Makes an element the path of a QR code, which is drawn once the rest is proven."""
        if scope is not None:
            text = self._fill_words(node, wording, scope)
            code = self._try(node, None, make_code, text, node.level)
            box = self._try(node, None, box_of, element)
            if code and box:
                self._weigh(node, len(code.path))
                self.codes.append((node, SeatedCode(element, code, box)))
        make_holder(element)

    def _words(self, node: Node, scope: Scope | None) -> str:
        """The text of a box, without the editor's division into lines."""
        if node.children:
            holder = etree.Element(node.tag)
            self._write(holder, node, scope)
            words = "".join(holder.itertext()).strip()
        else:
            words = self._fill_words(node, node.text, scope).strip()
        self._letters += len(words)
        if self._letters > MAX_BOXED:
            what = f"the texts in boxes have more than {MAX_BOXED:,} characters"
            raise self.fault_at(node, what, "shorten the texts")
        return words

    def _picture(self, element: etree._Element, node: Node, name: str, wording: Wording, scope: Scope | None) -> None:
        element.set(name, PROVEN)
        if scope is None:
            return
        words: str | None = self._try(node, None, wording.text, scope)
        art: Art | None = None
        if words is not None:
            art = self._try(node, None, self._find_art, words)
        window: CropWindow | None = None
        if node.crop:
            window = self._try(node, None, self._window, node, scope)
        art = art or Art("", crossed(""))
        self._weigh(node, len(art.part or art.uri))
        of_kind = self.icons if words and words.startswith(ICON) else self.pictures
        of_kind.append(SeatedArt(element, name, art, node, window))

    def _window(self, node: Node, scope: Scope) -> CropWindow:
        """Raises MisfitError if the row does not say which part of a picture is shown."""
        return read_window(**{name: wording.text(scope) for name, wording in node.crop.items()})

    def _fill_words(self, node: Node, wording: Wording, scope: Scope | None) -> str:
        if wording.is_plain:
            return wording.bare
        words: str = self._try(node, _NO_WORDS, wording.text, scope)
        self._weigh(node, len(words))
        return words

    def _fill_value(self, node: Node, name: str, wording: Wording, scope: Scope) -> str | None:
        """The value of an attribute; None to leave it out."""
        stand_in = stand_in_for(name)
        words: str | None = self._try(node, None, wording.text, scope)
        if words is None:
            return stand_in
        self._weigh(node, len(words))
        value: str | None = self._try(node, stand_in, check_value, name, words, self._resources)
        return value

    def _weigh(self, node: Node, size: int) -> None:
        """Raises MisfitError if too much is filled into the face."""
        self._bytes += size
        if self._bytes > MAX_FILLED:
            what = f"more than {MAX_FILLED // MEGABYTE} MB are filled in"
            raise self.fault_at(node, what, "use smaller or fewer pictures")

    def _try(self, node: Node, stand_in: Any, work: Callable[..., Any], *values: object) -> Any:
        """The result of work on some values; notes its fault and returns `stand_in` if it fails."""
        try:
            return work(*values)
        except MisfitError as error:
            fault = FaceFault(str(error), error.hint, part=name_node(node), place=self._lines.at_line(node.line))
            self.faults.setdefault(str(error), fault)
            return stand_in

    def fault_at(self, node: Node, what: str, hint: str) -> FlawedFaceError:
        """A fault of an element for which nothing of the face can be drawn."""
        return flaw(what, hint, name_node(node), self._lines.at_line(node.line))


def flaw(what: str, hint: str, part: str = "", place: Place | None = None) -> FlawedFaceError:
    """A fault for which nothing of the face can be drawn."""
    return FlawedFaceError([FaceFault(what, hint, part=part, place=place)], ())


def name_node(node: Node) -> str:
    """An element, for messages."""
    source = next(node.sources(), "") if node.box else ""
    of = f" {{{{ {source} }}}}" if source else ""
    return f"<{node.name}>{of}"


def _is_linked(node: Node, name: str, wording: Wording) -> bool:
    """Whether an image depends on the row, or links to a file beside the template, as drawing programs do."""
    if name in node.overrides or not wording.is_plain:
        return True
    return wording.bare.startswith((ICON, FACE)) or _FILE.fullmatch(wording.bare) is not None


def _write_behind(last: etree._Element | None, parent: etree._Element, words: list[str]) -> None:
    """Writes words behind the last child of an element, or before all children."""
    if last is None:
        parent.text = "".join(words)
    else:
        last.tail = "".join(words)


def stand_in_for(name: str) -> str | None:
    """The value to draw in place of a faulty one; None to leave the attribute out."""
    if name in COLOURS:
        return _FAULTY_COLOUR
    return HOUSE_FAMILY if name == "font-family" else _FAULTY_LENGTH if name in LENGTHS else None


def check_value(name: str, value: str, resources: Resources) -> str:
    """The value of an attribute for the engine. Raises MisfitError for values that the engine silently ignores."""
    if name in COLOURS:
        if value == "none" or (value == "transparent" and name != "stop-color"):
            return "none"
        return find_colour(value, resources.palette)
    if name == "font-family":
        return _family(value, resources)
    if name in LENGTHS and not value.endswith("%"):
        length = user_units(value)
        if abs(length) > _FAR or (length < 0 and name in _NEVER_NEGATIVE):
            raise MisfitError(f"{name} is {quote(value)}", "use a length within the drawing")
    if name == "transform" and (len(value) > _MAX_TRANSFORM or not _TRANSFORM.fullmatch(value)):
        hint = "for example: rotate(90 31.75 44.45), translate(5 0), scale(2)"
        raise MisfitError(f"{quote(value)} is not a transform", hint)
    return value


def _family(value: str, resources: Resources) -> str:
    choice = resources.fonts.choose(css.families({"font-family": value}))
    if choice is None or choice.stands_for or choice.style:
        raise MisfitError(f"there is no font family {quote(value)}", font_hint(value, resources.fonts))
    return write_families(choice)


class Seats(Struct):
    """The boxes of a drawing."""

    _resources: Resources
    _unit: float  # mm of its user unit
    _pads: Mapping[etree._Element, float]  # mm within boxes
    # elements by their ids: the first within each element
    _named: dict[str, dict[etree._Element, etree._Element]] = {}

    def find(self, drawing: Drawing, element: etree._Element, node: Node) -> TextSetting:
        """The setting of a text. Raises MisfitError if its box or style cannot be used."""
        rect = self._nearest(drawing, element, node.box)
        if rect is None or local(rect) not in BOXES:
            ids = [id_ for id_, same in drawing.by_id.items() if local(same[0]) in BOXES]
            raise MisfitError(f"there is no <rect> {quote(node.box)} for this text", did_you_mean(node.box, ids))
        # Inkscape's hidden rectangles are measured in the units of the text
        is_hidden = next(rect.iterancestors(f"{SVG}defs"), None) is not None
        letter_unit = self._unit * enlarge(element)
        unit = letter_unit if is_hidden else self._unit * enlarge(rect)
        box = Rect(*(side * unit for side in box_of(rect))).grown(-self._pads.get(rect, 0.0))
        if min(box.width, box.height) <= 0.0:
            raise MisfitError("the pad leaves no room for the text", "set a smaller pnp:pad")
        fonts, fallback = self._resources.fonts, self._resources.fallback
        style = style_of(drawing, element, fonts, fallback, letter_unit)
        style = self._apply_directives(style, node)
        if is_round(rect):
            if node.valign not in ("", "middle"):
                raise MisfitError("a text in a circle is in its middle", "leave out pnp:valign")
            style = replace(style, align="centre", valign="middle", is_round=True)
        transform = element.get("transform", "") if is_hidden else motion(element, rect)
        if abs(unit - 1.0) > _EVEN:
            transform = f"{transform} scale({1 / unit:.9g})".strip()
        return TextSetting(box, style, transform)

    def _nearest(self, drawing: Drawing, element: etree._Element, id_: str) -> etree._Element | None:
        """The element with that id; in a loop, that of the same copy."""
        if id_ not in self._named:
            first: dict[etree._Element, etree._Element] = {}
            self._named[id_] = first
            for named in drawing.by_id.get(id_, ()):
                for holder in named.iterancestors():
                    first.setdefault(holder, named)
        of_id = self._named[id_]
        return next((of_id[holder] for holder in element.iterancestors() if holder in of_id), None)

    def follow(self, drawing: Drawing, element: etree._Element, node: Node, place: Place) -> Follower:
        """A panel or a stack. Raises MisfitError for a stack whose box this row hides."""
        target = self._nearest(drawing, element, node.layout.fit or node.layout.stack)
        if target is None and node.layout.stack:
            raise MisfitError("the box of this stack is not drawn", "hide both, or none")
        unit, valign = self._unit * enlarge(element), _VALIGNS[node.valign]
        return Follower(element, target, node.layout, valign, unit, name_node(node), place)

    def _apply_directives(self, style: Style, node: Node) -> Style:
        language = self._resources.language or node.hyphens
        is_hyphenated = node.hyphens and has_hyphens(language)
        return replace(style, least=node.least, valign=_VALIGNS[node.valign], hyphens=language if is_hyphenated else "")
