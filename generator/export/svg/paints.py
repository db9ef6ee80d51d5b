"""Take gradients and patterns in units of the filled element's box, convert them to the box of a
text: that of its lines, not that of its outlines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element

from generator.art.drawing import SVG, XLINK_HREF, link_of, user_units
from generator.art.parts import LINK
from generator.art.setting import Cluster
from generator.art.transforms import transform_of
from generator.basics.errors import MisfitError
from generator.basics.geometry import Affine, Point, Rect, decimal
from generator.basics.outlines import box_of

_PATTERN = f"{SVG}pattern"
_PLACES = {
    f"{SVG}linearGradient": {"x1": "0", "y1": "0", "x2": "1", "y2": "0"},
    f"{SVG}radialGradient": {"cx": "0.5", "cy": "0.5", "r": "0.5", "fx": "", "fy": ""},
    _PATTERN: {"x": "0", "y": "0", "width": "0", "height": "0"},
}
_OF_BOX = "objectBoundingBox"
_DEEPEST = 20  # gradients that refer to each other


class Paints:
    """The paints of texts in one drawing; `converted` are those for their boxes."""

    def __init__(self, by_id: Mapping[str, Element]) -> None:
        self.converted: list[Element] = []
        self._by_id = by_id

    def measure(self, value: str, clusters: Sequence[Cluster]) -> str:
        """The paint for a text of these clusters, instead of `value`."""
        link = LINK.match(value)
        paint = self._by_id.get(link[1]) if link else None
        if link is None or paint is None or paint.tag not in _PLACES or not clusters:
            return value
        is_pattern = paint.tag == _PATTERN
        units = "patternUnits" if is_pattern else "gradientUnits"
        if self._read_inherited(paint, units, _OF_BOX) != _OF_BOX:
            return value
        fill = self._pattern if is_pattern else self._gradient
        id_ = f"{link[1]}-{len(self.converted) + 1}"
        own = {"id": id_, XLINK_HREF: f"#{link[1]}", units: "userSpaceOnUse"}
        self.converted.append(Element(paint.tag, own | fill(paint, _box(clusters))))
        return f"url(#{id_}){value[link.end() :]}"

    def _gradient(self, paint: Element, box: Rect) -> dict[str, str]:
        """The places of a gradient in fractions of the box, which its transform enlarges."""
        moved = transform_of(self._read_inherited(paint, "gradientTransform", ""))
        carry = Affine(a=box.width, d=box.height, e=box.x0, f=box.y0) @ moved
        places = {name: decimal(number, 6) for name, number in self._fractions(paint)}
        return places | {"gradientTransform": f"matrix({carry.to_text()})"}

    def _pattern(self, paint: Element, box: Rect) -> dict[str, str]:
        """The place of a pattern in user units."""
        x, y, width, height = (number for _, number in self._fractions(paint))
        sides = box.width, box.height
        own = (box.x0 + x * sides[0], box.y0 + y * sides[1], width * sides[0], height * sides[1])
        return {name: decimal(n, 6) for name, n in zip(_PLACES[_PATTERN], own, strict=True)}

    def _fractions(self, paint: Element) -> Iterator[tuple[str, float]]:
        """The places of a paint, in sides of its box."""
        for name, default in _PLACES[paint.tag].items():
            value = self._read_inherited(paint, name, default)
            if value or default:
                yield name, _fraction(value)

    def _read_inherited(self, paint: Element, name: str, default: str) -> str:
        """The attribute of a paint, or of the nearest paint to which it refers."""
        source: Element | None = paint
        for _ in range(_DEEPEST):
            if source is None:
                break
            if name in source.attrib:
                return source.attrib[name]
            source = self._by_id.get(link_of(source).strip().removeprefix("#"))
        return default


def _fraction(text: str) -> float:
    try:
        return float(text[:-1]) / 100 if text.endswith("%") else user_units(text)
    except (MisfitError, ValueError):
        return 0.0


def _box(clusters: Sequence[Cluster]) -> Rect:
    """The box around the em boxes of a text's letters."""
    rooms: list[Point] = []
    for cluster in clusters:
        font, size = cluster.run.font, cluster.run.look.size
        room = Rect(0.0, -font.ascent * size, cluster.advance, font.descent * size)
        rooms += cluster.place.apply_rect(room).corners()
    return box_of(rooms)
