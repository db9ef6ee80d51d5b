"""Plain words and pictures of a layer, split from its art in their order of painting.

The press sets plain words itself. A picture that many drawings show is drawn once.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from functools import cached_property, lru_cache
from sys import intern

from lxml import etree
from msgspec import Struct, field

from generator.art.areas import UNSEEN
from generator.art.cascade import extent_of
from generator.art.drawing import SVG, XLINK_HREF, link_of, new_drawing, put_in_place
from generator.art.measure import Extents, place_of
from generator.art.pages import split_page
from generator.art.texts import LetterStyle
from generator.art.words import PlainWords, WordReader, WordSetter, changes_letters, number_of
from generator.basics.files import xml_parser
from generator.basics.geometry import IDENTITY, Affine, Rect, Size, decimal, steady, translation
from generator.model import WORDS_MARK, Layer, SetLine, write_words
from generator.text import FontBook

_FRAME = frozenset({"baseProfile", "height", "version", "viewBox", "width"})
_APART = re.compile(rf"<(?:(?:\w+:)?(?:text|image)|\?{WORDS_MARK})\b")
_TEXT, _IMAGE, _MARK = f"{SVG}text", f"{SVG}image", etree.ProcessingInstruction
_MOST_TIERS = 12  # of one drawing; more would take longer than the letters
_OF_PICTURE = frozenset({"height", "href", "id", "transform", "width", "x", "y", XLINK_HREF})
# Elements that show nothing where they are; each part of a drawing keeps them.
_UNSEEN = frozenset(f"{SVG}{name}" for name in UNSEEN)
_TARGET = re.compile(r"""#([^"')#]*)""")  # the id in a reference; a colour is no id
_STROKE = re.compile(r"stroke-width[=:]\s*[\"']?\s*([\d.]+)")
_EFFECTS = ("filter", "marker")
_RELATIVE_STROKE = re.compile('stroke-width[^;"]*(?:%|em|ex)')
_MITRE = 4.0  # the default limit of a mitre, in widths of its line
_LONGEST = 4_000_000  # characters of a drawing; more is a photograph, with few words if any
_OUTSIDE = LetterStyle()
_SQUARE = 1e-6  # how far the sides of viewBox and page may differ in proportion


class PlacedDrawing(Struct, frozen=True):
    """A drawing of a size (mm) without plain words; `place` maps it to its layer. The press prints
    the `page` of a PDF in its place, if it has one."""

    svg: str
    size: Size
    place: Affine = IDENTITY
    page: bytes = b""

    @property
    def room(self) -> Rect:
        """The box around it, on its layer (mm)."""
        return self.place.apply_rect(Rect(0.0, 0.0, *self.size))

    def touches(self, box: Rect) -> bool:
        """Whether it reaches into a box of its layer (mm)."""
        return self.room.overlaps(box)


Part = PlacedDrawing | list[PlainWords]


class _Tier(Struct):
    """Elements of art, the pictures above them, and the words above those."""

    art: list[etree._Element] = field(default_factory=list)
    pictures: list[PlacedDrawing] = field(default_factory=list)
    words: list[PlainWords] = field(default_factory=list)


class Splitter:
    """Splits layers."""

    def __init__(self, fonts: FontBook) -> None:
        self._reader = WordReader(fonts)
        self._setter = WordSetter(fonts)

    def split(self, layer: Layer) -> list[Part]:
        """The parts of a layer, the lowest first."""
        return self._split(layer) or [PlacedDrawing(layer.svg, layer.size)]

    def _split(self, layer: Layer) -> list[Part]:
        """The parts of a layer; none if it cannot be divided."""
        svg, size = layer.art, layer.size
        if len(svg) > _LONGEST or not _APART.search(svg) or "mix-blend-mode" in svg:
            return []
        root = etree.fromstring(svg.encode(), xml_parser())
        place = _place(root, size)
        own = {name: value for name, value in root.attrib.items() if name not in _FRAME}
        look = self._reader.style(_OUTSIDE, own.items())
        if place is None or look is None or next(root.iter(f"{SVG}style"), None) is not None:
            return []
        sorter = _Sorter(self._reader, self._setter, svg, layer.lines)
        tiers = sorter.sort(root, look, place)
        if len(tiers) > 1 and (len(tiers) > _MOST_TIERS or sorter.has_shared_art):
            return []
        if not any(tier.words or tier.pictures for tier in tiers):
            return []
        return list(_parts(root, tiers, size))


class _Sorter:
    """Sorts the elements of one drawing into tiers of art with the words above them.

    Art goes as low as it can without changing what covers what, so that most drawings are one tier.
    """

    def __init__(self, reader: WordReader, setter: WordSetter, svg: str, lines: Sequence[SetLine]) -> None:
        self._reader, self._setter = reader, setter
        self._svg = svg
        self._lines = lines
        self._targets = set(_TARGET.findall(svg))
        self._tiers = [_Tier()]
        self._extents = Extents()

    def sort(self, root: etree._Element, look: LetterStyle, place: Affine) -> list[_Tier]:
        """The tiers, the lowest first; takes the words out of the drawing."""
        self._walk(root, look, place)
        self._write_words(root)
        return self._tiers

    def _walk(self, element: etree._Element, look: LetterStyle, place: Affine) -> None:
        for child in list(element):
            tag = child.tag
            if tag in _UNSEEN or not (isinstance(tag, str) or _is_mark(child)):
                continue
            if tag is _MARK:
                self._add_line(child, look, place)
            elif tag == _TEXT:
                self._add_text(child, look, place)
            elif tag == _IMAGE and (picture := self._read_picture(child, place)):
                self._add_picture(child, picture)
            elif inner := self._style_within(child, look):
                self._walk(child, inner, place_of(child, place))
            else:
                self._add_art(child, look, place)

    def _style_within(self, element: etree._Element, look: LetterStyle) -> LetterStyle | None:
        """The style in a plain group with texts or pictures; None for any other element."""
        if element.tag != f"{SVG}g" or self._is_target(element):
            return None
        apart = next(element.iter(_TEXT, _IMAGE, _MARK), None)
        return None if apart is None else self._reader.style(look, element.items())

    def _is_target(self, element: etree._Element) -> bool:
        """Whether something in the drawing refers to the element."""
        return bool(self._targets) and element.get("id") in self._targets

    def _add_line(self, mark: etree._Element, look: LetterStyle, place: Affine) -> None:
        line = self._lines[int(mark.text or "")]
        words = None if changes_letters(look) else self._setter.set(line, place)
        if words is None:
            self._add_text(_write_words(mark, line), look, place)
        else:
            self._tiers[-1].words += words
            _remove(mark)

    def _write_words(self, element: etree._Element) -> None:
        """Write the words within an element as texts of the drawing."""
        for mark in filter(_is_mark, list(element.iter(_MARK))):
            _write_words(mark, self._lines[int(mark.text or "")])

    def _add_text(self, text: etree._Element, look: LetterStyle, place: Affine) -> None:
        words = None if self._is_target(text) else self._reader.lines(text, look, place)
        if words is None:
            self._add_art(text, look, place)
        else:
            self._tiers[-1].words += words
            _remove(text)

    def _read_picture(self, element: etree._Element, place: Affine) -> PlacedDrawing | None:
        """An <image> without effects, as a drawing of its own; None for any other <image>."""
        if not _OF_PICTURE.issuperset(element.keys()):
            return None
        numbers = [number_of(element, name, 0.0) for name in ("x", "y", "width", "height")]
        x, y, width, height = (number or 0.0 for number in numbers)
        own = place_of(element, place)
        scale = own.enlargement
        size = Size(steady(width * scale), steady(height * scale))
        if None in numbers or min(size) <= 0 or self._is_target(element):
            return None
        seat = own @ translation(x, y) @ Affine(a=1 / scale, d=1 / scale)
        link, page = split_page(link_of(element))
        return PlacedDrawing(_write_picture(link, size), size, seat, page)

    def _add_picture(self, element: etree._Element, picture: PlacedDrawing) -> None:
        if any(words.touches(picture.room) for words in self._tiers[-1].words):
            self._tiers.append(_Tier())
        self._tiers[-1].pictures.append(picture)
        _remove(element)

    def _add_art(self, element: etree._Element, look: LetterStyle, place: Affine) -> None:
        self._write_words(element)
        last = self._tiers[-1]
        above: list[PlacedDrawing | PlainWords] = [*last.pictures, *last.words]
        if above and not self._is_free(element, look, place, above):
            self._tiers.append(_Tier([element]))
        else:
            last.art.append(element)

    def _is_free(
        self, element: etree._Element, look: LetterStyle, place: Affine, above: Iterable[PlacedDrawing | PlainWords]
    ) -> bool:
        """Whether an element touches none of these, so that it can go beneath them."""
        box = self._extents.of(element)
        reach = self._reach(element, look)
        if box is None or reach is None:
            return False
        own = place_of(element, place)
        seat = own.apply_rect(box.grown(reach))
        return not any(upper.touches(seat) for upper in above)

    def _reach(self, element: etree._Element, look: LetterStyle) -> float | None:
        """How far an element reaches past its box, in user units; None if it is not known."""
        if self._is_beyond_boxes:
            return None
        is_stroked = "stroke" in dict(look.paint) or any(
            "stroke" in value or "stroke" in name
            for part in element.iter(etree.Element)
            for name, value in part.attrib.items()
        )
        return self._half_of_widest * _MITRE if is_stroked else 0.0

    @cached_property
    def _is_beyond_boxes(self) -> bool:
        has_effects = any(name in self._svg for name in _EFFECTS)
        return has_effects or _RELATIVE_STROKE.search(self._svg) is not None

    @property
    def has_shared_art(self) -> bool:
        """Whether art is drawn again elsewhere in the drawing, or paints something there."""
        art = (element for tier in self._tiers for element in tier.art)
        return any(self._is_target(part) for element in art for part in element.iter(etree.Element))

    @cached_property
    def _half_of_widest(self) -> float:
        """Half the width of the widest line; 1 is the default."""
        return max([1.0, *map(float, _STROKE.findall(self._svg))]) / 2


def _place(root: etree._Element, size: Size) -> Affine | None:
    """The map from user units of a drawing to mm of its layer; None if it is not a plain one."""
    own, (x, y, width, height) = extent_of(root)
    is_plain = not set(root.attrib) & {"preserveAspectRatio", "transform"}
    if not is_plain or not (width > 0 and height > 0):
        return None
    if abs(own.width * height / (own.height * width) - 1) > _SQUARE:
        return None
    scale = max(size.width / width, size.height / height)  # the engine covers the page with it
    aside = translation((size.width - width * scale) / 2, (size.height - height * scale) / 2)
    return aside @ Affine(a=scale, d=scale) @ translation(-x, -y)


def _parts(root: etree._Element, tiers: Sequence[_Tier], size: Size) -> Iterator[Part]:
    """The tiers as parts; `root` has lost its words and pictures."""
    for tier in tiers:
        if tier.art:
            others = [element for other in tiers if other is not tier for element in other.art]
            svg = _write(_without(root, others) if others else root)
            yield PlacedDrawing(intern(svg), size)
        yield from tier.pictures
        if tier.words:
            yield tier.words


@lru_cache(maxsize=256)  # a deck shows the same pictures on each card
def _write_picture(link: str, size: Size) -> str:
    """A drawing that shows a picture and nothing else."""
    root, (width, height) = new_drawing(size), map(decimal, size)
    etree.SubElement(root, f"{SVG}image", {"width": width, "height": height, "href": link})
    return _write(root)


def _without(root: etree._Element, elements: Iterable[etree._Element]) -> etree._Element:
    tree = root.getroottree()
    paths = [tree.getelementpath(element) for element in elements]
    copy = deepcopy(root)
    for element in [copy.find(path) for path in paths]:
        if element is not None:
            _remove(element)
    return copy


def _write(root: etree._Element) -> str:
    return str(etree.tostring(root, encoding="unicode"))


def _is_mark(node: etree._Element) -> bool:
    """Whether something that is no element is the mark of a line."""
    return isinstance(node, etree._ProcessingInstruction) and node.target == WORDS_MARK


def _write_words(mark: etree._Element, line: SetLine) -> etree._Element:
    """Put a line of words in the place of its mark, as a <text>."""
    text = etree.fromstring(f'<svg xmlns="{SVG[1:-1]}">{write_words(line)}</svg>')[0]
    put_in_place(text, mark)
    return text


def _remove(element: etree._Element) -> None:
    parent = element.getparent()
    assert parent is not None, "the root is never removed"
    element.tail = None
    parent.remove(element)
