"""Texts of a drawing, as paths or as texts in fonts that the file contains.

Gradients and patterns in units of the filled element's box are converted to the box of a text: that
of its lines, not that of its outlines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element

from generator.art import css
from generator.art.cascade import LINK, quote_name
from generator.art.css import read_declarations
from generator.art.drawing import SPACE, SVG, XLINK_HREF, link_of, user_units
from generator.art.measure import transform_of
from generator.art.setting import Cluster, set_runs
from generator.art.texts import LETTERING, LetterStyle, LetterStyles, Run, TextReader, read_properties
from generator.basics.errors import MisfitError
from generator.basics.geometry import Affine, Point, Rect, Size, decimal
from generator.basics.shapes import box_of
from generator.text import Font, FontBook
from generator.text.fonts import metric, outline

_OF_TEXT = {"x", "y", "dx", "dy", "rotate", "textLength", "lengthAdjust", SPACE}
_SPANS = (f"{SVG}tspan", f"{SVG}a", f"{SVG}textPath")
_UNSET = {"white-space", "inline-size", "shape-inside", "shape-padding", "line-height"}
_ABOVE = {"": 1, "line-through": 2}  # letters, and the lines above them
_DIGITS = 5  # of coordinates, relative to the letter's size: 0.0001 mm for one of 3 mm
_PATTERN = f"{SVG}pattern"
_PLACES = {
    f"{SVG}linearGradient": {"x1": "0", "y1": "0", "x2": "1", "y2": "0"},
    f"{SVG}radialGradient": {"cx": "0.5", "cy": "0.5", "r": "0.5", "fx": "", "fy": ""},
    _PATTERN: {"x": "0", "y": "0", "width": "0", "height": "0"},
}
_OF_BOX = "objectBoundingBox"
_DEEPEST = 20  # gradients that refer to each other


class Outliner:
    """Makes paths of texts."""

    def __init__(self, fonts: FontBook) -> None:
        self._styles = LetterStyles(fonts)

    def letter(self, drawing: Element, view: Size) -> None:
        """Replace each text by its outlines, and remove all names of fonts."""
        by_id = {e.attrib["id"]: e for e in drawing.iter() if "id" in e.attrib}
        reader, paints = TextReader(self._styles, view, by_id), Paints(by_id)
        for parent, text, around in list(_texts(drawing, LetterStyle(), self._styles)):
            runs = reader.read(text, around)
            own = dict(self._styles.within(around, text.items()).paint)
            paths = list(_paint(set_runs(runs), runs, own, paints))
            is_group = len(paths) > 1 and parent.tag != f"{SVG}clipPath"
            at = list(parent).index(text)
            parent[at : at + 1] = _replace_text(text, runs, paths, is_group=is_group)
        if paints.converted:
            drawing.insert(0, Element(f"{SVG}defs"))
            drawing[0].extend(paints.converted)
        for element in drawing.iter():
            _drop_lettering(element, LETTERING - {"font-size"})


class Embedder:
    """Keeps texts, and records the characters that they use of each font."""

    def __init__(self, fonts: FontBook) -> None:
        self._styles = LetterStyles(fonts)
        self.used: dict[Font, set[str]] = {}

    def letter(self, drawing: Element, view: Size) -> None:
        """Name in each text exactly the font in which it is set."""
        reader = TextReader(self._styles, view, {})
        for _, text, around in list(_texts(drawing, LetterStyle(), self._styles)):
            for run in reader.read(text, around):
                self.used.setdefault(run.font, set()).update(run.characters)
            self._name_font(text, around)

    def _name_font(self, text: Element, around: LetterStyle) -> None:
        look = self._styles.within(around, text.items())
        font = self._styles.font(look)
        _drop_lettering(text, _UNSET | {"font", "-inkscape-font-specification"})
        style = {name: value for name, value, _ in read_declarations(text.get("style", ""))}
        style |= {
            "font-family": quote_name(font.family),
            "font-size": f"{decimal(look.size, 6)}px",
            "font-style": "italic" if font.italic else "normal",
            "font-synthesis": "none",
            "font-weight": str(font.weight),
        }
        if raised := look.raised - around.raised:  # browsers have their own shifts
            style["baseline-shift"] = f"{decimal(raised, 6)}px"
        if look.spacing:  # browsers would separate letters that the press joins
            style["font-feature-settings"] = "'liga','clig'"
        for name in ("font-family", "font-size", "font-style", "font-weight"):
            text.attrib.pop(name, None)
        text.set("style", css.write_declarations(style))
        for child in text:
            if child.tag in _SPANS:
                self._name_font(child, look)


def _texts(
    element: Element, around: LetterStyle, styles: LetterStyles
) -> Iterator[tuple[Element, Element, LetterStyle]]:
    """The texts in an element, the last first, each with its parent and the style around it."""
    look = styles.within(around, element.items())
    for child in reversed(element):
        if child.tag == f"{SVG}text":
            yield element, child, look
        else:
            yield from _texts(child, look, styles)


def _paint(
    clusters: Sequence[Cluster], runs: Iterable[Run], own: Mapping[str, str], paints: Paints
) -> Iterator[Element]:
    """The paths of a text, for each of its styles in turn: the lines beneath, the letters, the lines above."""
    for look in dict.fromkeys(run.look for run in runs):
        same = [cluster for cluster in clusters if cluster.run.look == look]
        letters = " ".join(filter(None, map(_letters, same)))
        lines = [(kind, _line(kind, same), paint) for kind, paint in look.lines]
        parts = [
            (kind, d, {name: paints.measure(value, clusters) for name, value in paint})
            for kind, d, paint in [("", letters, look.paint), *lines]
        ]
        for _, d, paint in sorted(parts, key=lambda part: _ABOVE.get(part[0], 0)):
            if d:
                yield _path(d, look.size, paint, own)


def _replace_text(text: Element, runs: Iterable[Run], paths: Sequence[Element], *, is_group: bool) -> list[Element]:
    """Paths in place of a text, with its attributes except those of lettering."""
    shared = _drop_lettering(text, LETTERING | _OF_TEXT).attrib
    if not is_group:
        return [_on(path, shared) for path in paths]
    label = "".join(run.characters for run in runs)
    group = Element(f"{SVG}g", {**shared, "aria-label": label})
    group.extend(paths)
    return [group]


def _path(d: str, size: float, paint: Mapping[str, str], own: Mapping[str, str]) -> Element:
    path = Element(f"{SVG}path", {"d": d})
    style = {name: value for name, value in paint.items() if own.get(name) != value}
    if any(value.endswith(("em", "ex")) for value in paint.values()):
        style["font-size"] = f"{decimal(size, 6)}px"
    if style:
        path.set("style", css.write_declarations(style))
    return path


def _letters(cluster: Cluster) -> str:
    places = _places(cluster.run.look.size)
    return " ".join(
        command + " ".join(_point(place.apply(Point(*point)), places) for point in points)
        for glyph, place in cluster.each()
        for command, points in outline(cluster.run.font, glyph)
    )


def _line(kind: str, clusters: Sequence[Cluster]) -> str:
    """A bar for each cluster; those that touch look like one."""
    parts = []
    for cluster in clusters:
        font, size = cluster.run.font, cluster.run.look.size
        middle = font.ascent if kind == "overline" else metric(font, kind)
        half = metric(font, "thickness") / 2
        top, bottom = (-middle - half) * size, (-middle + half) * size
        bar = [(0.0, top), (cluster.advance, top), (cluster.advance, bottom), (0.0, bottom)]
        corners = (_point(cluster.place.apply(Point(*corner)), _places(size)) for corner in bar)
        parts.append(f"M{' L'.join(corners)} Z")
    return " ".join(parts)


def _point(point: Point, places: int) -> str:
    return f"{decimal(point.x, places)} {decimal(point.y, places)}"


def _places(size: float) -> int:
    return min(max(_DIGITS - math.ceil(math.log10(max(size, 1e-6))), 1), 9)


def _on(path: Element, shared: Mapping[str, str]) -> Element:
    """A path with the attributes of its text; the path's own style takes precedence."""
    style = {n: v for n, v, _ in read_declarations(shared.get("style", ""))}
    style |= {n: v for n, v, _ in read_declarations(path.get("style", ""))}
    merged = Element(path.tag, {**shared, **path.attrib})
    if style:
        merged.set("style", css.write_declarations(style))
    return merged


def _drop_lettering(element: Element, names: Iterable[str]) -> Element:
    """Removes properties from the attributes and the style, but keeps the size of a `font`."""
    gone = set(names)
    if "font" in gone and "font-size" not in gone and "font:" in element.get("style", ""):
        size = read_properties(element.attrib).get("font-size")
        element.set("style", f"{element.get('style', '')};font-size:{size}")
    for name in gone & element.attrib.keys():
        del element.attrib[name]
    if "style" in element.attrib:
        style = {n: v for n, v, _ in read_declarations(element.get("style", "")) if n not in gone}
        element.set("style", css.write_declarations(style))
        if not style:
            del element.attrib["style"]
    return element


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
