"""A self-contained SVG of a face in mm, with Inkscape's layers, by svgwrite.

Each layer becomes a part of the file, with inline styles and unique ids. Each `use` of text is
replaced by a copy: its letters then inherit the font, size and colour of the `use`.
"""

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from itertools import groupby
from typing import Literal
from urllib.parse import unquote
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

import svgwrite
import svgwrite.base
from msgspec import Struct
from svgwrite.extensions import Inkscape

from generator.art import cascade
from generator.art.drawing import HREFS, SPACE, SVG, XLINK_HREF, link_of, user_units
from generator.art.texts import read_properties
from generator.basics.errors import try_read
from generator.basics.geometry import Affine, Size, decimal
from generator.basics.shapes import Outline, area
from generator.export.svg.lettering import Embedder, Outliner
from generator.model import Face, Layer, PlacedLayer
from generator.text import Font, FontBook
from generator.text.fonts import subset

_WHOLE = 1e-3  # mm²
_BLEED = "bleed"

Text = Literal["outlines", "fonts"]
_DRAWING = re.compile(r"\s*data:image/svg\+xml;base64,", re.IGNORECASE)
_CLOSE = 1e-6
_NAMES = {**dict.fromkeys(HREFS, "xlink:href"), SPACE: "xml:space"}
_USE, _SYMBOL, _TEXT = f"{SVG}use", f"{SVG}symbol", f"{SVG}text"
_SCOPE = ("x", "y", "width", "height", *HREFS)
_DEEPEST = 20  # uses within each other


class _XmlPart(svgwrite.base.BaseElement):  # type: ignore[misc]
    """An svgwrite element of existing XML."""

    def __init__(self, part: Element) -> None:
        self._part = part

    def get_xml(self) -> Element:
        return self._part


class FaceDocument:
    """The SVG of a face, with the size of its bleed box, clipped to `bleed`."""

    def __init__(self, face: Face, bleed: Outline, fonts: FontBook, text: Text) -> None:
        width, height = map(decimal, face.size)
        self._face, self._bleed, self._cut_out = face, bleed, face.cut_out
        self._letterer = Embedder(fonts) if text == "fonts" else Outliner(fonts)
        self._inliner = Inliner(self._letterer)
        self._seen: dict[str, int] = {}
        self._clips: dict[Outline, str] = {}
        self._drawing = svgwrite.Drawing(
            size=(f"{width}mm", f"{height}mm"), viewBox=f"0 0 {width} {height}", debug=False
        )
        self._inkscape = Inkscape(self._drawing)

    def content(self) -> bytes:
        """The content of the file. The same face gives the same bytes."""
        face, drawing = self._face, self._drawing
        drawing.set_desc(title=face.name)
        named = groupby(face.layers, lambda placed: placed.layer.name if placed in self._cut_out else _BLEED)
        layers = [self._layer(name, [*placed]) for name, placed in named]
        for picture in self._inliner.pictures:
            drawing.defs.add(_XmlPart(picture))
        if isinstance(self._letterer, Embedder) and self._letterer.used:
            drawing.embed_stylesheet("\n".join(_faces(self._letterer.used)))
        for layer in layers:
            drawing.add(layer)
        return f'<?xml version="1.0" encoding="utf-8"?>\n{drawing.tostring()}\n'.encode()

    def _layer(self, name: str, placed_layers: Iterable[PlacedLayer]) -> svgwrite.base.BaseElement:
        layer = self._inkscape.layer(label=name)
        width, height = self._face.size
        if abs(abs(area(self._bleed)) - width * height) > _WHOLE:
            layer["clip-path"] = self._clip(self._bleed)
        for placed in placed_layers:
            layer.add(self._place(placed))
        return layer

    def _place(self, placed: PlacedLayer) -> svgwrite.base.BaseElement:
        """The drawing of a layer at its first place, and a clone of it everywhere else."""
        part: svgwrite.base.BaseElement
        number = self._seen.get(placed.layer.id)
        if number is None:
            number = self._seen[placed.layer.id] = len(self._seen) + 1
            part = self._drawing.g(id=f"l{number}")
            part.add(_XmlPart(self._inliner.layer(placed.layer, number)))
        else:
            part = self._drawing.use(f"#l{number}")
        if placed.place != Affine():
            part = self._wrap(part, transform=f"matrix({placed.place.to_text()})")
        if placed.clip is not None:
            part = self._wrap(part, clip_path=self._clip(placed.clip))
        return part

    def _wrap(self, part: svgwrite.base.BaseElement, **how: str) -> svgwrite.base.BaseElement:
        group = self._drawing.g(**how)
        group.add(part)
        return group

    def _clip(self, outline: Outline) -> str:
        if outline not in self._clips:
            id_ = self._clips[outline] = f"c{len(self._clips) + 1}"
            corners = " L".join(f"{decimal(x)} {decimal(y)}" for x, y in outline)
            clip = self._drawing.defs.add(self._drawing.clipPath(id=id_))
            clip.add(self._drawing.path(f"M{corners} Z"))
        return f"url(#{self._clips[outline]})"


def _faces(used: dict[Font, set[str]]) -> Iterator[str]:
    """The rule of each font, with only its used glyphs."""
    for font, characters in sorted(used.items(), key=lambda item: str(item[0].path)):
        content = base64.b64encode(subset(font, characters)).decode()
        slope = "italic" if font.italic else "normal"
        yield (
            f"@font-face{{font-family:{cascade.quote_name(font.family)};font-style:{slope};font-weight:{font.weight};"
            f"src:url(data:font/ttf;base64,{content}) format('truetype')}}"
        )


class _StoredPicture(Struct, frozen=True):
    """A picture in the file, with its id."""

    id: str
    size: Size  # in user units, as its root says
    view: cascade.View


class Inliner:
    """Makes parts of one file; `pictures` are their pictures, without duplicates."""

    def __init__(self, letterer: Embedder | Outliner) -> None:
        self.pictures: list[Element] = []
        self._letterer = letterer
        self._pictures: dict[tuple[str, frozenset[str]], _StoredPicture] = {}
        self._count = 0

    def layer(self, layer: Layer, number: int) -> Element:
        """A layer as an <svg> with its size in mm, and with ids that begin with its number."""
        root = self._read(layer.svg, f"l{number}-")
        size, view = cascade.extent_of(root)
        grow = max(layer.size.width / size.width, layer.size.height / size.height)
        box = Size(size.width * grow, size.height * grow)  # typst covers the page with it
        aside = Size((layer.size.width - box.width) / 2, (layer.size.height - box.height) / 2)
        fit = root.get("preserveAspectRatio")
        cascade.set_frame(root, box, view)
        if fit:
            root.set("preserveAspectRatio", fit)
        if abs(aside.width) > _CLOSE or abs(aside.height) > _CLOSE:
            root.set("x", decimal(aside.width))
            root.set("y", decimal(aside.height))
        return _plain(root)

    def _read(self, svg: str | bytes, prefix: str) -> Element:
        root = ElementTree.fromstring(svg)
        cascade.inline_styles(root)
        cascade.own_ids(root, prefix)
        by_id = {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}
        _copy_used_texts(root, by_id, _DEEPEST)
        _, (_, _, width, height) = cascade.extent_of(root)
        self._letterer.letter(root, Size(width, height))
        self._inline_pictures(root, frozenset())
        return root

    def _inline_pictures(self, element: Element, inherited: frozenset[str]) -> None:
        inherited |= read_properties(element.attrib).keys() & cascade.INITIAL.keys()
        for child in element:
            if child.tag == f"{SVG}image":
                self._inline(child, inherited)
            else:
                self._inline_pictures(child, inherited)

    def _inline(self, image: Element, inherited: frozenset[str]) -> None:
        """Replaces an image of a drawing by a use of that; images of pixels stay."""
        uri = link_of(image)
        match = _DRAWING.match(uri)
        if match is None:
            return
        inherited |= read_properties(image.attrib).keys() & cascade.INITIAL.keys()
        picture = self._pictures.get((uri, inherited))
        if picture is None:
            content = base64.b64decode(unquote(uri[match.end() :]))
            picture = self._pictures[uri, inherited] = self._picture(content, inherited)
        cascade.measure(image, picture.size)
        frame = {name: image.attrib[name] for name in cascade.FRAME if name in image.attrib}
        rest = {n: v for n, v in image.attrib.items() if n not in (*cascade.FRAME, *HREFS)}
        shown = Element(f"{SVG}svg", {**frame, "viewBox": cascade.write_view(picture.view)})
        SubElement(shown, f"{SVG}use", {XLINK_HREF: f"#{picture.id}"})
        image.attrib.clear()
        image.tag, image.attrib = (f"{SVG}g", rest) if rest else (shown.tag, shown.attrib)
        image.extend([shown] if rest else list(shown))

    def _picture(self, content: bytes, inherited: frozenset[str]) -> _StoredPicture:
        """A picture, clipped to its frame, that inherits nothing from the drawing around it."""
        number = self._count = self._count + 1
        root = self._read(content, f"p{number}-")
        size, view = cascade.extent_of(root)
        clip = Element(f"{SVG}clipPath", {"id": f"p{number}-"})
        content_group = Element(f"{SVG}g", {n: v for n, v in root.items() if n not in cascade.FRAME})
        if abs(size.width * view[3] / (size.height * view[2]) - 1) > _CLOSE:
            content_group.tag = f"{SVG}svg"
            cascade.set_frame(content_group, size, view)
            content_group.set("preserveAspectRatio", root.get("preserveAspectRatio", "xMidYMid"))
            view = (0.0, 0.0, *size)
        x, y, width, height = map(decimal, view, (6,) * 4)
        SubElement(clip, f"{SVG}rect", {"x": x, "y": y, "width": width, "height": height})
        content_group.extend(list(root))
        whole = Element(f"{SVG}g", {name: cascade.INITIAL[name] for name in sorted(inherited)})
        whole.attrib |= {"id": f"p{number}", "clip-path": f"url(#p{number}-)"}
        whole.extend([content_group] if content_group.attrib else list(content_group))
        self.pictures += [_plain(clip), _plain(whole)]
        return _StoredPicture(f"p{number}", size, view)


def _plain(root: Element) -> Element:
    """Renames elements and attributes for a file with SVG as its default namespace."""
    for element in root.iter():
        element.tag = element.tag.removeprefix(SVG)
        named = sorted(element.attrib.items(), reverse=True)  # of two links, `href` counts
        element.attrib = {_NAMES.get(name, name): value for name, value in named if name in _NAMES or "}" not in name}
    return root


def _copy_used_texts(element: Element, by_id: Mapping[str, Element], depth: int) -> None:
    """Copies used texts; other uses stay. Nothing in the drawing may refer to itself."""
    for at, child in enumerate(element):
        target = _target(child, by_id) if child.tag == _USE and depth else None
        if target is not None and _holds_text(target, by_id, depth):
            element[at] = child = _copy(child, target)
            _copy_used_texts(child, by_id, depth - 1)
        else:
            _copy_used_texts(child, by_id, depth)


def _target(use: Element, by_id: Mapping[str, Element]) -> Element | None:
    link = link_of(use)
    return by_id.get(link.strip().removeprefix("#"))


def _holds_text(element: Element, by_id: Mapping[str, Element], depth: int) -> bool:
    for inner in element.iter():
        if inner.tag == _TEXT:
            return True
        target = _target(inner, by_id) if inner.tag == _USE and depth else None
        if target is not None and _holds_text(target, by_id, depth - 1):
            return True
    return False


def _copy(use: Element, target: Element) -> Element:
    """A group with the attributes of the use and a copy of its target, without ids."""
    own = {name: value for name, value in use.attrib.items() if name not in _SCOPE}
    x, y = (try_read(user_units, use.get(name, "0")) or 0.0 for name in ("x", "y"))
    own["transform"] = f"{own.get('transform', '')} translate({x} {y})".strip()
    group = Element(f"{SVG}g", own)
    copy = deepcopy(target)
    copy.tail = None
    for element in copy.iter():
        element.attrib.pop("id", None)
    if copy.tag in (_SYMBOL, f"{SVG}svg"):
        copy.tag = f"{SVG}svg"
        for side in ("width", "height"):
            if side in use.attrib:
                copy.set(side, use.attrib[side])
    group.append(copy)
    return group
