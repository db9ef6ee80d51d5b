"""A part of a page as a drawing: paths stay paths, pictures keep their files, letters become paths.

typst draws the whole page as an SVG. What lies outside the part is left out of it, words too, so
that nobody finds them there. A drawing that does not print like the page is none.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from ctypes import create_string_buffer
from hashlib import sha256
from math import hypot
from pathlib import Path
from typing import Literal

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
import typst
from lxml import etree
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image

from generator.art.measure import hull_of, transform_of
from generator.basics.geometry import IDENTITY, Affine, Point, Rect, decimal
from generator.basics.shapes import box_of
from generator.basics.units import PT_PER_MM

_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_LINK = re.compile(r"url\(#([\w-]+)\)")
_JPEG = b"\xff\xd8\xff"
_PNG = "data:image/png;base64,"
_DRAWING = re.compile(rb'data:image/svg\+xml;base64,([^"]+)')
_PAGE = "#set page(width: {}pt, height: {}pt, margin: 0pt, fill: none)\n#image({}, width: 100%)"
_MOST_MARKED = 0.004  # of the pixels of a face, that differ from all next to them in the page
_DEEPEST = 12  # forms within forms
_STARK = 48  # levels of grey
_HIDDEN = 0.05  # pt: neighbours that reach no further into a part are not seen
_PLACED = ("d", "transform", "width", "height", "clip-path", _HREF)


class TracedPart(Struct, frozen=True):
    """An SVG; what is equal for parts that look alike, and where their points are (mm)."""

    svg: bytes
    key: bytes
    points: list[float]


class PageTracing:
    """The drawing of a page. Raises ValueError if typst cannot make one."""

    def __init__(self, path: Path, page: int, source: pypdfium2.PdfPage) -> None:
        self._folder = path.parent
        fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False)
        compiler = typst.Compiler(root=str(self._folder), font_paths=fonts)
        width, height = source.get_size()
        request = _PAGE.format(width, height, f'"{path.name}", page: {page + 1}')
        found = _DRAWING.search(_compile(compiler, request, "svg"))
        if not found:
            raise ValueError("the page is not drawn")
        self._compiler = compiler
        # its pictures may be huge; typst has written it, so nothing in it is hostile
        parser = etree.XMLParser(resolve_entities=False, huge_tree=True)
        self.root = etree.fromstring(base64.b64decode(found[1]), parser)
        self._by_id = {element.get("id"): element for element in self.root.iter(f"{_SVG}*")}
        self._points: dict[etree._Element, list[Point]] = {}
        self._jpegs = list(_read_jpegs(source))
        self._images = {element: number for number, element in enumerate(self.root.iter(f"{_SVG}image"))}

    def cut(self, box: Rect, *, is_turned: bool) -> TracedPart:
        """A box of the page (mm), upside down if it `is_turned`. Raises ValueError for a picture
        that reaches far out of it."""
        part = Rect(*(side * PT_PER_MM for side in box))
        width, height = (decimal(side) for side in (box.width, box.height))
        view = " ".join(decimal(side) for side in (part.x0, part.y0, part.width, part.height))
        names = {None: _SVG[1:-1], "xlink": _HREF[1:].partition("}")[0]}
        root = etree.Element(f"{_SVG}svg", nsmap=names)
        root.attrib.update({"width": f"{width}mm", "height": f"{height}mm", "viewBox": view})
        holder = root
        if is_turned:
            x, y = (decimal(side) for side in part.centre)
            holder = etree.SubElement(root, f"{_SVG}g", transform=f"rotate(180 {x} {y})")
        copier = _Copier(self, part)
        for child in self.root:
            copier.copy(child, holder, IDENTITY)
        links = list(dict.fromkeys(_links_of(root)))
        for link in links:
            copied = deepcopy(self._by_id[link])
            links += [name for name in _links_of(copied) if name not in links]
            root.insert(0, copied)
        key = f"{width} {height} {is_turned}\n" + "\n".join(copier.key)
        return TracedPart(etree.tostring(root), sha256(key.encode()).digest(), copier.points)

    def find_clip(self, group: etree._Element, place: Affine) -> Rect | None:
        """The box of what the clip of a group shows."""
        found = _LINK.fullmatch(group.get("clip-path", ""))
        shapes = list(self._by_id[found[1]].iter(f"{_SVG}path")) if found else []
        points = [
            place.apply(transform_of(shape.get("transform", "")).apply(point))
            for shape in shapes
            for point in hull_of(shape.get("d", ""))
        ]
        return box_of(points) if points else None

    def find_glyph(self, use: etree._Element) -> etree._Element:
        """What a glyph is drawn with."""
        return self._by_id[use.get(_HREF, "").removeprefix("#")]

    def find_points(self, element: etree._Element, place: Affine) -> list[Point]:
        """The points of a path, a picture or a glyph, on the page. All parts ask for them."""
        if element not in self._points:
            if element.tag == f"{_SVG}image":
                size = float(element.get("width", "0")), float(element.get("height", "0"))
                points: Iterable[Point] = Rect(0.0, 0.0, *size).corners()
            else:
                path = element if element.tag == f"{_SVG}path" else self.find_glyph(element)
                points = hull_of(path.get("d", ""))
            self._points[element] = [place.apply(point) for point in points]
        return self._points[element]

    def settle_picture(self, copied: etree._Element, element: etree._Element, ink: Rect, part: Rect) -> None:
        """Give a picture its own file, if that is a JPEG without transparency. Raises ValueError if
        it shows more than the part."""
        copied.attrib.pop("style", None)
        if ink.width * ink.height > 1.5 * part.width * part.height:
            raise ValueError("a picture is larger than the part")
        number = self._images[element]
        jpeg = self._jpegs[number] if len(self._jpegs) == len(self._images) else b""
        if jpeg and (file := element.get(_HREF, "")).startswith(_PNG):
            with Image.open(io.BytesIO(base64.b64decode(file[len(_PNG) :]))) as png:
                size, is_opaque = png.size, not png.has_transparency_data
            with Image.open(io.BytesIO(jpeg)) as own:
                if own.size == size and is_opaque and own.mode in ("L", "RGB"):
                    copied.set(_HREF, f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}")

    def prints_like(self, svg: bytes, seen: Image.Image, box: Rect) -> bool:
        """Whether a drawing of a box (mm) prints like a picture of it."""
        (self._folder / "part.svg").write_bytes(svg)
        size = box.width * PT_PER_MM, box.height * PT_PER_MM
        printed = _compile(self._compiler, _PAGE.format(*size, '"part.svg"'), "pdf")
        with pypdfium2.PdfDocument(printed) as document:
            drawn = document[0].render(scale=seen.width / size[0]).to_pil().resize(seen.size)
        greys = np.asarray(seen.convert("L")), np.asarray(drawn.convert("L"))
        return _share_apart(*greys) <= _MOST_MARKED


class _Copier:
    """Copies what inks a part of a page; `key` and `points` are those of a `TracedPart`."""

    def __init__(self, page: PageTracing, part: Rect) -> None:
        self.key: list[str] = []
        self.points: list[float] = []
        self._page, self._part = page, part
        self._seen = part.grown(-_HIDDEN)

    def copy(self, element: etree._Element, holder: etree._Element, place: Affine) -> None:
        """Copy an element, if it inks the part, into a holder."""
        place = place @ transform_of(element.get("transform", ""))
        match etree.QName(element).localname:
            case "g":
                self._copy_group(element, holder, place)
            case "path" | "image" | "use":
                points = self._page.find_points(element, place)
                if points and box_of(points).grown(_line_width(element, place)).overlaps(self._seen):
                    self._copy_shape(element, holder, points)

    def _copy_group(self, group: etree._Element, holder: etree._Element, place: Affine) -> None:
        clip = self._page.find_clip(group, place)
        if clip and not clip.overlaps(self._seen):
            return
        copied = etree.SubElement(holder, group.tag, dict(group.attrib))
        self.key.append(" ".join(("g", *_paints(group))))
        for child in group:
            self.copy(child, copied, place)
        if not len(copied):
            holder.remove(copied)
            self.key.pop()

    def _copy_shape(self, shape: etree._Element, holder: etree._Element, points: Sequence[Point]) -> None:
        copied = _with_path(shape, self._page.find_glyph(shape)) if shape.tag == f"{_SVG}use" else deepcopy(shape)
        if shape.tag == f"{_SVG}image":
            self._page.settle_picture(copied, shape, box_of(points), self._part)
        holder.append(copied)
        for x, y in points:
            self.points += (x - self._part.x0) / PT_PER_MM, (y - self._part.y0) / PT_PER_MM
        picture = sha256(copied.get(_HREF, "").encode()).hexdigest()
        self.key.append(" ".join((copied.tag, *_paints(copied), picture, str(len(points)))))


def _compile(compiler: typst.Compiler, request: str, kind: Literal["svg", "pdf"]) -> bytes:
    """What typst makes of a page. Raises ValueError."""
    try:
        made = compiler.compile(input=request.encode(), format=kind, timestamp=0)
    except typst.TypstError as error:
        raise ValueError(str(error)) from None
    assert isinstance(made, bytes)
    return made


def _share_apart(seen: NDArray[np.uint8], drawn: NDArray[np.uint8]) -> float:
    """The share of inner pixels that differ from all next to them in the other picture."""
    inner, levels = seen[1:-1, 1:-1].astype(np.int16), drawn.astype(np.int16)
    high, wide = levels.shape
    near = [levels[down : high - 2 + down, across : wide - 2 + across] for down in range(3) for across in range(3)]
    differs = (inner < np.min(near, axis=0) - _STARK) | (inner > np.max(near, axis=0) + _STARK)
    return float(differs.mean())


def _read_jpegs(page: pypdfium2.PdfPage) -> Iterator[bytes]:
    """The file of each picture of a page that is a JPEG, empty for others."""
    for thing in page.get_objects([pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=_DEEPEST):
        name, content = create_string_buffer(32), b""
        last = pdfium.FPDFImageObj_GetImageFilterCount(thing) - 1
        pdfium.FPDFImageObj_GetImageFilter(thing, max(last, 0), name, len(name))
        if name.value == b"DCTDecode":
            length = pdfium.FPDFImageObj_GetImageDataDecoded(thing, None, 0)
            buffer = create_string_buffer(length)
            pdfium.FPDFImageObj_GetImageDataDecoded(thing, buffer, length)
            content = buffer.raw if buffer.raw.startswith(_JPEG) else b""
        yield content


def _links_of(element: etree._Element) -> Iterator[str]:
    yield from _LINK.findall(etree.tostring(element, encoding="unicode"))


def _with_path(use: etree._Element, glyph: etree._Element) -> etree._Element:
    """A glyph in place of what shows it."""
    path = etree.Element(f"{_SVG}path", {k: v for k, v in use.items() if k != _HREF})
    path.set("d", glyph.get("d", ""))
    return path


def _paints(element: etree._Element) -> list[str]:
    """The attributes that say how an element looks."""
    return [f"{name}={value}" for name, value in sorted(element.items()) if name not in _PLACED]


def _line_width(element: etree._Element, place: Affine) -> float:
    """Half the width of the line around an element."""
    if element.get("stroke", "none") == "none":
        return 0.0
    width = float(element.get("stroke-width", "1"))
    return width * max(hypot(place.a, place.b), hypot(place.c, place.d)) / 2
