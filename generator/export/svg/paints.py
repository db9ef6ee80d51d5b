"""Take gradients and patterns in units of the filled element's box, convert them to the box of a
text: that of its lines, not that of its outlines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element

from generator.art.drawing import SVG, XLINK_HREF, link_of, user_units
from generator.art.parts import LINK
from generator.art.setting import Cluster
from generator.art.transforms import transform_of
from generator.errors import MisfitError
from generator.geometry import Affine, Point, Rect, decimal
from generator.outlines import box_of

_PLACES = {
    f"{SVG}linearGradient": {"x1": "0", "y1": "0", "x2": "1", "y2": "0"},
    f"{SVG}radialGradient": {"cx": "0.5", "cy": "0.5", "r": "0.5", "fx": "", "fy": ""},
}
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
        if link is None or paint is None or not clusters:
            return value
        if paint.tag == f"{SVG}pattern":
            return self._keep(self._pattern(paint, _box(clusters)), value, link)
        if paint.tag in _PLACES:
            return self._keep(self._gradient(paint, _box(clusters)), value, link)
        return value

    def _keep(self, paint: Element | None, value: str, link: re.Match[str]) -> str:
        if paint is None:
            return value
        id_ = f"{link[1]}-{len(self.converted) + 1}"
        paint.set("id", id_)
        paint.set(XLINK_HREF, f"#{link[1]}")
        self.converted.append(paint)
        return f"url(#{id_}){value[link.end() :]}"

    def _gradient(self, paint: Element, box: Rect) -> Element | None:
        if self._read_inherited(paint, "gradientUnits", "objectBoundingBox") != "objectBoundingBox":
            return None
        converted = Element(paint.tag, {"gradientUnits": "userSpaceOnUse"})
        for name, default in _PLACES[paint.tag].items():
            if value := self._read_inherited(paint, name, default):
                converted.set(name, decimal(_fraction(value), 6))
        moved = transform_of(self._read_inherited(paint, "gradientTransform", ""))
        carry = Affine(a=box.width, d=box.height, e=box.x0, f=box.y0) @ moved
        converted.set("gradientTransform", f"matrix({carry.to_text()})")
        return converted

    def _pattern(self, paint: Element, box: Rect) -> Element | None:
        if self._read_inherited(paint, "patternUnits", "objectBoundingBox") != "objectBoundingBox":
            return None
        names = ("x", "y", "width", "height")
        x, y, width, height = (_fraction(self._read_inherited(paint, name, "0")) for name in names)
        x, y = box.x0 + x * box.width, box.y0 + y * box.height
        measures = (x, y, width * box.width, height * box.height)
        converted = Element(paint.tag, {"patternUnits": "userSpaceOnUse"})
        for name, measure in zip(names, measures, strict=True):
            converted.set(name, decimal(measure, 6))
        return converted

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
