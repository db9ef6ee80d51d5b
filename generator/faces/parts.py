"""The parts of a face that a template draws: where each lies on it, and what can be set of each.

A part is an element of the template's own file, by its number in the order of the file: lxml and
expat count alike. It is measured in the template as a row fills it, with its texts set.
"""

from collections.abc import Iterator, Mapping, Sequence

from lxml import etree
from msgspec import Struct, field
from msgspec.structs import replace

from generator.art.areas import UNSEEN, frame_of, root_map
from generator.art.cascade import extent_of, inline_styles
from generator.art.css import declarations, links
from generator.art.drawing import MAX_BYTES, PREFIX, SVG, Drawing, link_of, local, names_of, read_drawing, user_units
from generator.art.measure import Extents, place_of, transform_of
from generator.art.setting import set_runs
from generator.art.texts import LetterStyle, LetterStyles, TextReader
from generator.basics.errors import MisfitError, Place, fail, quote, try_read
from generator.basics.files import read_within
from generator.basics.geometry import MM_PER_PT, Affine, Point, Rect, Size, translation
from generator.basics.shapes import box_of
from generator.faces import turn_of
from generator.faces.template import FaceTexts, FromTemplate, SetText, seat
from generator.faces.templating.nodes import Node, Wording
from generator.faces.templating.reading import PART
from generator.model import DRAWN, Design, Side
from generator.text import FontBook

_SIDES = ("x", "y", "width", "height")
_PLACES: Mapping[str, Sequence[str]] = {  # what says where an element lies
    "rect": _SIDES, "image": _SIDES, "text": ("x", "y"), "use": ("x", "y"),
    "circle": ("cx", "cy", "r"), "ellipse": ("cx", "cy", "rx", "ry"),
    "line": ("x1", "y1", "x2", "y2"), "path": (), "polygon": (), "polyline": (), "g": (),
}  # fmt: skip
_INHERITED = (
    "fill", "stroke", "font-family", "font-size", "font-weight", "text-anchor", "text-align",
)  # fmt: skip
_OWN = ("stroke-width", "opacity", "display", "transform")
_DIRECTIVES = (
    "if", "for", "box", "least", "valign", "size", "text", "fit", "qr", "focus", "zoom", "href",
    "fill", "stroke",
)  # fmt: skip
_NESTED = f"{SVG}svg"
_WITHIN = (f"{SVG}a", f"{SVG}g", _NESTED, f"{SVG}switch")
_ASCENT, _DESCENT = 0.75, 0.25  # ems of a line of words
_MOST_LETTERS = 80  # of a name


class TextSize(Struct, frozen=True):
    """The size of a text in its box (pt), the size that was asked for and the least one, and the
    mm by which it is too long."""

    size: float
    asked: float
    least: float
    over: float


class Part(Struct, frozen=True):
    """An element of a template.

    boxes: where each copy lies, as the row fills it (mm of the bleed box); none if it is not drawn.
    matrix: maps the units in which its place is set to mm of the bleed box.
    frame: the number of the box of a text; -1 for any other.
    within: the number of the group around it, or -1.
    values: what its file says, inherited looks included; `places` are numbers in user units.
    fixed: what cannot be set, with the reason.
    """

    number: int
    kind: str
    name: str
    within: int
    boxes: Sequence[Rect]
    matrix: Affine
    frame: int
    places: Mapping[str, float]
    values: Mapping[str, str]
    fixed: Mapping[str, str]
    words: str | None  # None: it has no words, or holds other elements
    lettering: TextSize | None


class FaceParts(Struct, frozen=True):
    """The template of a face and its parts, in the order in which they are painted, and the
    families that its texts may have."""

    file: str
    content: bytes
    families: Sequence[str]
    parts: Sequence[Part]


def find_parts(design: Design, side: Side, id_: str) -> FaceParts | None:
    """The parts of the face of a piece; None if no template draws it. There is no content and no
    part if the file has changed since. Raises PnpError if the row cannot be filled."""
    renderer, other = design.renderer(side), design.renderer("back" if side == "front" else "front")
    component = design.component if side == "front" else design.component.from_behind()
    piece = next((piece for piece in component.pieces if piece.id == id_), None)
    if not isinstance(renderer, FromTemplate) or piece is None:
        return None
    try:
        chosen = renderer.templates.choose(piece.row)
        if chosen is None or chosen.is_picture:
            return None
        content = read_within(chosen.folder, chosen.file, MAX_BYTES, chosen.place)
        if not chosen.content.startswith(content):
            return FaceParts(chosen.file, b"", [], [])
        template = replace(chosen, root=_numbered(chosen.root))
        filled = template.fill(piece.row)
        lying = component.of(piece).unturned(turn_of(renderer, piece, component.of(piece), side))
        is_bled = component.edges.get(side, DRAWN) == DRAWN
        at, size = seat(template, lying if is_bled else replace(lying, bleed=0.0))
        by = 0.0 if is_bled else lying.bleed
        own = replace(renderer, templates=template).beside(other, design.rows or component.pieces)
        texts = own.set_texts(filled, piece)
        texts.write()
    except MisfitError as error:
        raise fail(piece.place, str(error), error.hint) from None
    inline_styles(filled.root)
    found = _Measured(texts, template.resources.fonts)
    place = translation(at.x + by, at.y + by) @ root_map(filled.root, size.width)
    found.measure(filled.root, place)
    drawing = read_drawing(content, Place(chosen.file))
    asked = {each.element: each.style.size for each in filled.boxes}
    parts = list(_parts(drawing, found, asked, place))
    return FaceParts(chosen.file, content, template.resources.fonts.families(), parts)


def _numbered(node: Node) -> Node:
    """A node that writes the number of each element as an attribute of it."""
    attributes = {**node.attributes, PART: Wording((str(node.number),))}
    children = [_numbered(child) for child in node.children]
    copy = replace(node, attributes=attributes, children=children, elements=1, plain={}, drawn=None)
    copy.settle()
    return copy


class _Measured(Struct, eq=False):
    """Where the elements of a filled template lie, by their numbers."""

    texts: FaceTexts
    fonts: FontBook
    boxes: dict[int, list[Rect]] = field(default_factory=dict)
    places: dict[int, Affine] = field(default_factory=dict)  # of the first copy
    elements: dict[int, etree._Element] = field(default_factory=dict)

    def measure(self, element: etree._Element, place: Affine) -> Rect | None:
        """The box around an element (mm); None if nothing of it is seen. `place` maps what is in it."""
        text = self.texts.texts.get(element)
        box: Rect | None = None
        if text:
            around = place @ transform_of(element.get("transform", "")).inverse()
            box = (around @ transform_of(text.box.motion)).apply_rect(text.box.box)
        elif element.tag == f"{SVG}text":
            box = self._letters(element, place)
        elif element.tag in _WITHIN:
            inner = [
                self.measure(child, own @ frame_of(child) if child.tag == _NESTED else own)
                for child in element.iterchildren(etree.Element)
                if local(child) not in UNSEEN
                for own in [place_of(child, place)]
            ]
            boxes = [each for each in inner if each]
            box = box_of([corner for each in boxes for corner in each.corners()]) if boxes else None
            if element.tag == _NESTED and element.getparent() is not None:  # it hides what is over
                _, frame = extent_of(element)
                box = place.apply_rect(Rect(*frame[:2], frame[0] + frame[2], frame[1] + frame[3]))
        elif extent := Extents().of(element):
            box = place.apply_rect(extent)
        number = int(element.get(PART, "-1"))
        self.elements.setdefault(number, element)
        self.places.setdefault(number, place)
        if box:
            self.boxes.setdefault(number, []).append(box)
        return box

    def _letters(self, text: etree._Element, place: Affine) -> Rect | None:
        """The box around the lines of a text without a box."""
        styles, look = LetterStyles(self.fonts), LetterStyle()
        for around in reversed(list(text.iterancestors())):
            look = styles.within(look, [(str(name), str(own)) for name, own in around.items()])
        corners: list[Point] = []
        for letter in set_runs(TextReader(styles, Size(0.0, 0.0), {}).read(text, look)):
            size = letter.run.look.size
            box = Rect(0.0, -_ASCENT * size, letter.advance, _DESCENT * size)
            corners += map((place @ letter.place).apply, box.corners())
        return box_of(corners) if corners else None


def _parts(drawing: Drawing, found: _Measured, asked: Mapping[etree._Element, float], whole: Affine) -> Iterator[Part]:
    numbers = {element: at for at, element in enumerate(drawing.root.iter(etree.Element))}
    frames = {
        text: numbers[drawing.by_id[id_][0]]
        for text in drawing.elements("text")
        if (id_ := _frame_of(drawing, text)) in drawing.by_id
    }
    texts = {frame: numbers[text] for text, frame in frames.items()}
    for element, number in numbers.items():
        name = local(element)
        is_unseen = any(local(up) in UNSEEN for up in element.iterancestors())
        if name not in _PLACES or (is_unseen and number not in texts):
            continue
        at = texts[number] if is_unseen else number
        filled = found.elements.get(at)
        place = found.places.get(at, whole)
        names = () if any({"x", "y"} & {*line.attrib} for line in element) else _PLACES[name]
        if not names:  # its place is a transform, in the units around it
            place = place @ transform_of(element.get("transform", "")).inverse()
        values = {key: value for key, value in _values(drawing, element) if value}
        lengths = {key: try_read(user_units, element.get(key, "0")) for key in names}
        places = {key: None if length is None else round(length, 4) for key, length in lengths.items()}
        words = "".join(element.itertext()).strip() if name == "text" else ""
        yield Part(
            number,
            _kind(element, values, number in texts),
            next(iter((*names_of(element), words or link_of(element) or name)))[:_MOST_LETTERS],
            numbers.get(element.getparent(), -1),
            found.boxes.get(at, ()),
            place,
            frames.get(element, -1),
            {key: length for key, length in places.items() if length is not None},
            values,
            dict(_fixed(drawing, element, places)),
            words if name == "text" and not len(element) else None,
            _lettering(found.texts.texts.get(filled), asked) if name == "text" else None,
        )


def _directive(element: etree._Element, name: str) -> str:
    return str(element.get(f"{{{element.nsmap.get(PREFIX)}}}{name}", ""))


def _frame_of(drawing: Drawing, text: etree._Element) -> str:
    """The id of the box of a text; "" without one."""
    flowed = next(iter(links(drawing.styles.of(text).get("shape-inside", ""))), "")
    return str(_directive(text, "box") or flowed).strip().removeprefix("#")


def _lettering(text: SetText | None, asked: Mapping[etree._Element, float]) -> TextSize | None:
    if text is None or text.flow is None:
        return None
    sizes = text.flow.size, asked[text.box.element], text.box.style.least
    size, wanted, least = (round(each / MM_PER_PT, 2) for each in sizes)
    return TextSize(size, wanted, least, text.fault.over if text.fault else 0.0)


def _kind(element: etree._Element, values: Mapping[str, str], is_frame: bool) -> str:
    if "pnp:qr" in values:
        return "code"
    if is_frame:
        return "box"
    is_layer = any(str(name).endswith("}groupmode") for name in element.attrib)
    kinds = {"g": "layer" if is_layer else "group", "text": "text", "image": "picture"}
    return kinds.get(local(element), "shape")


def _values(drawing: Drawing, element: etree._Element) -> Iterator[tuple[str, str]]:
    for name in _INHERITED:
        yield name, drawing.find_inherited(element, name)
    for name in _OWN:
        yield name, drawing.find_own(element, name)
    yield "href", link_of(element)
    for name in _DIRECTIVES:
        yield f"{PREFIX}:{name}", _directive(element, name)


def _fixed(drawing: Drawing, element: etree._Element, places: Mapping[str, float | None]) -> Iterator[tuple[str, str]]:
    """What cannot be set of an element, with the reasons."""
    written = declarations(element.get("style", ""))
    styles = drawing.styles.of(element)
    for name in (*places, *_INHERITED, "href", "transform"):
        given, by_row = element.get(name, ""), _directive(element, name)
        if by_row:
            yield name, f"pnp:{name} says it for each row: {by_row}"
        elif "{{" in given:
            yield name, f"the row fills it: {given}"
        elif name in places and places[name] is None:
            yield name, f"{quote(given)} is no plain number"
        elif name in styles and name not in written and name not in element.attrib:
            yield name, "a style sheet in the drawing says it"
    holder = element.getparent()
    if _directive(element, "fit"):
        yield "height", "it is as high as its text: pnp:fit"
    if holder is not None and _directive(holder, "stack"):
        yield "y", "it lies in a stack: pnp:stack"
