"""Take the size of a face, make an SVG drawing in millimetres; what all renderers share."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from generator.geometry import Point, Rect, Size
from generator.model import Art
from generator.text import Font

_SVG = "http://www.w3.org/2000/svg"


class Canvas:
    """An SVG whose user unit is the millimetre."""

    def __init__(self, size: Size) -> None:
        width, height = map(number, size)
        self._root = etree.Element(f"{{{_SVG}}}svg", nsmap={None: _SVG})
        _set(
            self._root,
            width=f"{width}mm",
            height=f"{height}mm",
            viewBox=f"0 0 {width} {height}",
        )
        self._definitions = self._add(self._root, "defs")

    def rect(self, box: Rect, fill: str, corner: float = 0.0) -> None:
        """A filled rectangle, its corners rounded by `corner`."""
        _set(self._add_rect(self._root, box, corner), fill=fill)

    def outline(self, box: Rect, stroke: str, width: float, corner: float = 0.0) -> None:
        """The outline of a rectangle, `width` mm wide, half of it outside the box."""
        shape = self._add_rect(self._root, box, corner)
        shape.set("stroke-width", number(width))
        _set(shape, fill="none", stroke=stroke)

    def define_tile(self, art: Art, side: float, corner: float) -> None:
        """Make `art` a square tile that `tiles` can lay under the art's name."""
        box = Rect(0.0, 0.0, side, side)
        clip = self._add(self._definitions, "clipPath", id=f"clip-{art.name}")
        self._add_rect(clip, box, corner)
        tile = self._add(self._definitions, "g", id=art.name)
        tile.set("clip-path", f"url(#clip-{art.name})")
        self._add_image(tile, art, box)

    def tiles(self, art: Art, corners: Iterable[Point]) -> None:
        """Lay the defined tile with its top left corner at each point."""
        for corner in corners:
            self._add(self._root, "use", href=f"#{art.name}", x=corner.x, y=corner.y)

    def image(self, art: Art, box: Rect) -> None:
        self._add_image(self._root, art, box)

    def text(self, text: str, font: Font, size: float, centre: Point, fill: str) -> None:
        """A line of text whose ink is centred on a point."""
        ink = font.ink(text, size)
        x = centre.x - (ink.x0 + ink.x1) / 2
        y = centre.y - (ink.y0 + ink.y1) / 2
        line = self._add(self._root, "text", x=x, y=y, fill=fill)
        line.set("font-family", font.family)
        line.set("font-weight", str(font.weight))
        line.set("font-size", number(size))
        line.text = text

    def svg(self) -> str:
        return str(etree.tostring(self._root, encoding="unicode"))

    def _add_rect(self, parent: etree._Element, box: Rect, corner: float) -> etree._Element:
        rect = self._add(parent, "rect", **_place(box))
        if corner:
            _set(rect, rx=corner)
        return rect

    def _add_image(self, parent: etree._Element, art: Art, box: Rect) -> None:
        self._add(parent, "image", href=art.uri, **_place(box))

    def _add(self, parent: etree._Element, tag: str, **attributes: str | float) -> etree._Element:
        return _set(etree.SubElement(parent, f"{{{_SVG}}}{tag}"), **attributes)


def number(length: float) -> str:
    """A length as it stands in the SVG: 0.1 µm is finer than any printer, and short."""
    return f"{length:.4f}".rstrip("0").rstrip(".")


def _place(box: Rect) -> dict[str, float]:
    return {"x": box.x0, "y": box.y0, "width": box.width, "height": box.height}


def _set(element: etree._Element, **attributes: str | float) -> etree._Element:
    for name, value in attributes.items():
        element.set(name, value if isinstance(value, str) else number(value))
    return element
