"""Take gradients and patterns that are measured by the box of what they fill, measure them by the
box of a text: that is the box of its lines, not that of the ink of its outlines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element

from generator.art.measure import user_units
from generator.art.transforms import transform_of
from generator.errors import MisfitError
from generator.export.svg.cascade import SVG
from generator.export.svg.setting import Cluster
from generator.geometry import Affine, Point, Rect, decimal
from generator.outlines import box_of

HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
LINK = re.compile(r"url\(\s*[\"']?#([^\"')]+)[\"']?\s*\)")
_PLACES = {
    f"{SVG}linearGradient": {"x1": "0", "y1": "0", "x2": "1", "y2": "0"},
    f"{SVG}radialGradient": {"cx": "0.5", "cy": "0.5", "r": "0.5", "fx": "", "fy": ""},
}
_DEEPEST = 20  # gradients that refer to each other


class Paints:
    """The paint of texts in one drawing; `made` are those of boxes that it had to make."""

    def __init__(self, by_id: Mapping[str, Element]) -> None:
        self.made: list[Element] = []
        self._by_id = by_id

    def measure(self, value: str, clusters: Sequence[Cluster]) -> str:
        """What a text of these clusters is to be painted with instead of `value`."""
        link = LINK.match(value)
        paint = self._by_id.get(link[1]) if link else None
        if link is None or paint is None or not clusters:
            return value
        if paint.tag == f"{SVG}pattern":
            return self._keep(self._pattern(paint, _box(clusters)), value, link)
        if paint.tag in _PLACES:
            return self._keep(self._gradient(paint, _box(clusters)), value, link)
        return value

    def _keep(self, made: Element | None, value: str, link: re.Match[str]) -> str:
        if made is None:
            return value
        id_ = f"{link[1]}-{len(self.made) + 1}"
        made.set("id", id_)
        made.set(HREFS[1], f"#{link[1]}")
        self.made.append(made)
        return f"url(#{id_}){value[link.end() :]}"

    def _gradient(self, paint: Element, box: Rect) -> Element | None:
        if self._read_inherited(paint, "gradientUnits", "objectBoundingBox") != "objectBoundingBox":
            return None
        found = Element(paint.tag, {"gradientUnits": "userSpaceOnUse"})
        for name, usual in _PLACES[paint.tag].items():
            if told := self._read_inherited(paint, name, usual):
                found.set(name, decimal(_fraction(told), 6))
        moved = transform_of(self._read_inherited(paint, "gradientTransform", ""))
        carry = Affine(a=box.width, d=box.height, e=box.x0, f=box.y0) @ moved
        found.set("gradientTransform", f"matrix({carry.to_text()})")
        return found

    def _pattern(self, paint: Element, box: Rect) -> Element | None:
        if self._read_inherited(paint, "patternUnits", "objectBoundingBox") != "objectBoundingBox":
            return None
        names = ("x", "y", "width", "height")
        x, y, width, height = (_fraction(self._read_inherited(paint, name, "0")) for name in names)
        x, y = box.x0 + x * box.width, box.y0 + y * box.height
        measures = (x, y, width * box.width, height * box.height)
        found = Element(paint.tag, {"patternUnits": "userSpaceOnUse"})
        for name, measure in zip(names, measures, strict=True):
            found.set(name, decimal(measure, 6))
        return found

    def _read_inherited(self, paint: Element, name: str, usual: str) -> str:
        """What a paint, or the nearest that it refers to, says."""
        found: Element | None = paint
        for _ in range(_DEEPEST):
            if found is None:
                break
            if name in found.attrib:
                return found.attrib[name]
            target = next((found.attrib[href] for href in HREFS if href in found.attrib), "")
            found = self._by_id.get(target.strip().removeprefix("#"))
        return usual


def _fraction(text: str) -> float:
    try:
        return float(text[:-1]) / 100 if text.endswith("%") else user_units(text)
    except (MisfitError, ValueError):
        return 0.0


def _box(clusters: Sequence[Cluster]) -> Rect:
    """The box around the room that the letters of a text take."""
    rooms: list[Point] = []
    for cluster in clusters:
        font, size = cluster.letter.font, cluster.letter.look.size
        room = Rect(0.0, -font.ascent * size, cluster.advance, font.descent * size)
        rooms += cluster.place.apply_rect(room).corners()
    return box_of(rooms)
