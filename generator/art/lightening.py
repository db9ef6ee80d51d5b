"""Drawings and faces with little ink: large areas become tints with thin outlines.

Lines, words and small symbols keep their colours; those that no longer stand out from the ground
below them become as dark as that ground was. Equal lines of a component change alike.

Also the lightness of colours.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Self

from lxml import etree
from msgspec import Struct, field
from msgspec.structs import replace

from generator.art import areas, css
from generator.art.cascade import LINK, View, extent_of, inline_styles
from generator.art.drawing import HREFS, SVG, link_of, local
from generator.art.measure import numbers_in, transform_of
from generator.basics.colours import channels, contrast, read_colour, tint
from generator.basics.errors import try_read
from generator.basics.files import xml_parser
from generator.basics.geometry import Affine, Point, Rect, decimal, scaling, translation
from generator.basics.shapes import Outline, area, box_of, carried, holds_point
from generator.model import Art, Face, FaceKey, Layer, LowInk

_TEXTURE = 0.06  # the more of it, of something small and darker than its ground
_LINE = 0.27  # of the ink of a line in a picture
_EDGE, _EDGE_SHARE = 0.18, 0.65  # mm and share of ink: the outline of a ground
_FINE, _FINE_SHARE = 0.14, 0.4  # the same, within a picture
_LEAST = 20.0  # mm²: a smaller area gets no outline, and is no ground of words
_SYMBOL = 0.25  # of the least ground: a light area that is larger stays light on any ground
_DARK = 0.62  # of white: an area that is lighter needs no outline
_INK = "#1f1c19"
_ART = 20.0  # mm, about the width of art in a poster
_SVG_URI = re.compile(r"data:image/svg\+xml;base64,", re.IGNORECASE)
_SHAPES = ("rect", "circle", "ellipse", "polygon", "polyline", "path", "line")
_PAINTS = ("fill", "stroke", "fill-opacity", "opacity", "stroke-width")
_GROUND, _LIGHT_GROUND = 0.12, 0.16  # of its ink, which a black area keeps; a light one keeps more
_CONTRAST = 3.1  # of words to their ground: WCAG asks for 3 for large ones
_SEEN = 2.0  # contrast of a line or a symbol that still stands out from its ground
_PALE = 1.3  # contrast to paper of a line that shows only on a ground
_GROUND_PART = 0.08  # of a piece: a larger area is a ground
_LEAST_GROUND = 20.0  # mm²: a smaller one is a symbol
_LEAST_PICTURE = 120.0  # mm², in all its places: a smaller one is a symbol
_PICTURE = 0.15  # of a piece: a picture that covers more, in all its places, is large
Rings = tuple[Outline, ...]


class Ground(Struct, frozen=True):
    """An area that was painted, in mm of a face, its usual colour and the one it prints in."""

    rings: Rings
    before: str
    after: str
    box: Rect

    @classmethod
    def of(cls, rings: Rings, before: str, after: str) -> Self:
        """The area within some rings."""
        return cls(rings, before, after, box_of(at for ring in rings for at in ring))

    def holds(self, point: Point) -> bool:
        """Whether a point of the face is in the area."""
        x0, y0, x1, y1 = self.box
        if not (x0 <= point.x <= x1 and y0 <= point.y <= y1):
            return False
        return sum(holds_point(ring, point) for ring in self.rings) % 2 == 1

    def moved(self, by: Affine) -> Ground:
        """The ground, mapped."""
        rings = tuple(carried(ring, by) for ring in self.rings)
        return Ground.of(rings, self.before, self.after)


class _AreaPaints(Struct, frozen=True):
    """The paints that an element inherits, who declares each, and whether a clone shows it."""

    paints: Mapping[str, str]
    holders: Mapping[str, etree._Element]
    is_cloned: bool = False

    def within(self, element: etree._Element) -> _AreaPaints:
        own = {name: value for name in _PAINTS if (value := areas.own_style(element, name)) not in ("", "inherit")}
        holders = {**self.holders, **dict.fromkeys(own, element)}
        return _AreaPaints({**self.paints, **own}, holders, self.is_cloned)


_OUTSIDE = _AreaPaints({"fill": "black", "stroke": "none"}, {})


class Lightener(Struct):
    """Lightens the layers of one face, the lowest first.

    large: the least area of a ground, in mm². pictures: the large ones, by `picture_key`.
    """

    large: float
    pictures: Collection[tuple[str, str]]
    kept: LowInk
    alike: Mapping[str, str] = field(default_factory=dict)  # colours of lines, and their new ones
    grounds: list[Ground] = field(default_factory=list)
    lines: dict[str, set[str]] = field(default_factory=dict)  # the new colours of lines, by colour
    # the topmost, by points
    strokes: dict[Rings, Ground] = field(default_factory=dict)

    def lighten(self, svg: str, place: Affine, *, is_picture: bool = False) -> str:
        """A drawing with little ink; `place` maps its user units to the face."""
        root = etree.fromstring(svg.encode(), xml_parser())
        inline_styles(root)
        _Tinter(self, root, is_picture).walk(root, _OUTSIDE.within(root), place)
        return str(etree.tostring(root, encoding="unicode"))

    def find_ground(self, point: Point) -> Ground | None:
        """The topmost area at a point of the face."""
        return next((ground for ground in reversed(self.grounds) if ground.holds(point)), None)


class _Tinter:
    def __init__(self, lightener: Lightener, root: etree._Element, is_picture: bool) -> None:
        self._of = lightener
        self._is_picture = is_picture
        self._by_id = {element.get("id"): element for element in root.iter() if element.get("id")}
        self._tinted: set[str] = set()  # the ids of gradients and patterns
        self._settled: set[tuple[etree._Element, str]] = set()

    def walk(self, parent: etree._Element, look: _AreaPaints, place: Affine) -> None:
        for child in parent.iterchildren(etree.Element):
            if local(child) not in areas.UNSEEN:
                own = place @ transform_of(child.get("transform", ""))
                self._visit(child, look.within(child), own)

    def _visit(self, element: etree._Element, look: _AreaPaints, place: Affine) -> None:
        match local(element):
            case "image":
                self.lighten_image(element, place)
            case "use":
                target = self._by_id.get(link_of(element)[1:])
                x, y = (areas.number_in(element, name) for name in "xy")
                if target is not None and target is not element:
                    self._walk_target(target, look, place @ translation(x, y))
            case "text":
                self._lighten_text(element, look, place)
            case "svg":
                self.walk(element, look, place @ areas.frame_of(element))
            case name if name in _SHAPES:
                self._lighten_shape(element, look, place)
            case _:
                self.walk(element, look, place)

    def _walk_target(self, target: etree._Element, look: _AreaPaints, place: Affine) -> None:
        own = place @ transform_of(target.get("transform", ""))
        show = self.walk if local(target) == "symbol" else self._visit
        show(target, replace(look.within(target), is_cloned=True), own)

    def _lighten_shape(self, shape: etree._Element, look: _AreaPaints, place: Affine) -> None:
        rings = tuple(carried(ring, place) for ring in areas.rings_of(shape))
        fill, stroke = look.paints["fill"], look.paints["stroke"]
        colour = _colour(fill)
        if rings and fill != "none":
            is_large = self._is_picture or areas.area_of(rings) >= self._of.large
            if is_large and (link := LINK.match(fill)):
                self._tint_definition(link[1])
            elif colour and is_large:
                self._tint(shape, look, colour, rings, place)
            elif colour:
                self._keep(shape, look, colour, rings)
        if line := _colour(stroke):
            points = rings or (carried(areas.ends_of(shape), place),)
            if self._is_picture:
                self._set(shape, look, "stroke", self._tinted_line(line, points))
            elif any(points):
                self._set(shape, look, "stroke", self._line(line, points))

    def _tint(self, shape: etree._Element, look: _AreaPaints, colour: str, rings: Rings, place: Affine) -> None:
        space = areas.area_of(rings)
        lighter = self._tinted_colour(colour, self._share(colour, rings, space))
        self._set(shape, look, "fill", lighter)
        if _is_opaque(look):
            self._of.grounds.append(Ground.of(rings, colour, lighter))
        is_plain = look.paints["stroke"] == "none" and lighter != colour
        if space >= _LEAST and is_plain and lightness(colour) < _DARK:
            width, share = (_FINE, _FINE_SHARE) if self._is_picture else (_EDGE, _EDGE_SHARE)
            shape.set("stroke", self._tinted_colour(colour, share))
            shape.set("stroke-width", decimal(width / (place.enlargement or 1.0)))

    def _share(self, colour: str, rings: Rings, space: float) -> float:
        """The share of its ink that an area keeps: more for a small one darker than its ground, to stay visible."""
        if space >= _LEAST:
            return share_of(colour)
        ground = self._of.find_ground(areas.middle_of(rings))
        is_dark = lightness(colour) < (lightness(ground.before) if ground else 1.0)
        return share_of(colour) + (_TEXTURE if is_dark else 0.0)

    def _tinted_line(self, colour: str, points: Sequence[Outline]) -> str:
        """The colour of a line in a picture: lighter than its ground, if it was."""
        ground = self._of.find_ground(areas.middle_of(points)) if any(points) else None
        is_light = ground and lightness(colour) > lightness(ground.before)
        return self._tinted_colour(colour, share_of(colour) if is_light else _LINE)

    def _keep(self, shape: etree._Element, look: _AreaPaints, colour: str, rings: Rings) -> None:
        new = colour
        if areas.area_of(rings) < _SYMBOL * self._of.large:
            new = self._on_ground(colour, self._of.find_ground(areas.middle_of(rings)), _SEEN)
        self._set(shape, look, "fill", new)
        if _is_opaque(look):
            self._of.grounds.append(Ground.of(rings, colour, new))

    def _line(self, colour: str, points: Rings) -> str:
        """The colour of a line, which all equal ones of the component get. Its ground may be a line
        below it, through the same points."""
        ground = self._of.strokes.get(points) or self._of.find_ground(areas.middle_of(points))
        new = self._on_ground(colour, ground, _SEEN)
        if contrast(colour, "#ffffff") >= _PALE:
            self._of.lines.setdefault(colour, set()).add(new)
            new = self._of.alike.get(colour, new)
        self._of.strokes[points] = Ground(points, colour, new, Rect(0.0, 0.0, 0.0, 0.0))
        return new

    def _on_ground(self, colour: str, ground: Ground | None, least: float) -> str:
        """The new colour of a small shape. It changes only if it was lighter than its ground and
        would have less than the `least` contrast with the new ground."""
        if ground is None or ground.before == ground.after or colour in self._of.kept.colours:
            return colour
        is_darker = lightness(colour) < lightness(ground.before) + 0.1
        if is_darker or contrast(colour, ground.after) >= least:
            return colour
        return ground.before if lightness(ground.before) < 0.45 else _INK

    def _lighten_text(self, text: etree._Element, look: _AreaPaints, place: Affine) -> None:
        point: Point | None = None
        for element in text.iter(f"{SVG}text", f"{SVG}tspan"):
            inner = look.within(element) if element is text else _OUTSIDE.within(element)
            x, y = (numbers_in(element.get(name, "")) for name in "xy")
            if x or y:
                last = point or Point(0.0, 0.0)
                point = Point(x[0] if x else last.x, y[0] if y else last.y)
            colour = _colour(inner.paints["fill"])
            if point and colour and (element is text or "fill" in inner.holders):
                size = areas.letter_size(text)
                at = place.apply(Point(point.x + size / 4, point.y - size / 4))
                new = self._on_ground(colour, self._of.find_ground(at), _CONTRAST)
                self._set(element, replace(inner, is_cloned=False), "fill", new)

    def lighten_image(self, image: etree._Element, place: Affine) -> None:
        uri = link_of(image)
        if uri in self._of.kept.pictures or (image, "href") in self._settled:
            return  # or a clone shows it again
        self._settled.add((image, "href"))
        is_picture = self._is_picture or areas.picture_key(image, place) in self._of.pictures
        if not _SVG_URI.match(uri):
            if is_picture:
                image.set("opacity", decimal(_LINE * float(image.get("opacity", "1"))))
            return
        seat = place @ areas.seat_of(image, _view_of(uri))
        scale = seat.enlargement
        ground = None if is_picture else self._of.find_ground(areas.centre_of(image, place))
        under = (ground.before, ground.after) if ground else None
        alike = tuple(sorted(self._of.alike.items()))
        key = uri, decimal(scale, 6), is_picture, under, self._of.large, alike
        if key not in _LIGHTENED:
            inner = Lightener(self._of.large, self._of.pictures, self._of.kept, self._of.alike)
            if under:
                inner.grounds.append(Ground.of((_EVERYWHERE,), *under))
            svg = inner.lighten(_decode(uri), scaling(scale), is_picture=is_picture)
            encoded = base64.b64encode(svg.encode()).decode()
            own = inner.grounds[bool(under) :]
            of_words = [ground for ground in own if areas.area_of(ground.rings) > _LEAST]
            if len(_LIGHTENED) >= _MOST_LIGHTENED:
                _LIGHTENED.clear()
            _LIGHTENED[key] = f"data:image/svg+xml;base64,{encoded}", of_words, inner.lines
        new, grounds, lines = _LIGHTENED[key]
        for colour, found in lines.items():
            self._of.lines.setdefault(colour, set()).update(found)
        turn = seat @ scaling(1 / scale)
        self._of.grounds += (ground.moved(turn) for ground in grounds)
        for name in HREFS:
            if image.get(name):
                image.set(name, new)

    def _tint_definition(self, name: str) -> None:
        """Tint the stops of a gradient, or what a pattern repeats."""
        definition = self._by_id.get(name)
        if definition is None or name in self._tinted:
            return
        self._tinted.add(name)
        if link := link_of(definition):
            self._tint_definition(link[1:])
        for element in definition.iter(etree.Element):
            for paint in ("stop-color", "fill", "stroke"):
                colour = _colour(areas.own_style(element, paint))
                if colour:
                    _write(element, paint, self._tinted_colour(colour, share_of(colour)))

    def _tinted_colour(self, colour: str, share: float) -> str:
        return colour if colour in self._of.kept.colours else tint(colour, share)

    def _set(self, shape: etree._Element, look: _AreaPaints, name: str, new: str) -> None:
        """Set a paint: of the shape, or of the element around it that declares it for clones."""
        holder = look.holders.get(name, shape) if look.is_cloned else shape
        if (holder, name) not in self._settled:
            self._settled.add((holder, name))
            _write(holder, name, new)


_EVERYWHERE: Outline = Rect(-1e5, -1e5, 1e5, 1e5).corners()
_MOST_LIGHTENED = 256  # pictures
_LIGHTENED: dict[object, tuple[str, list[Ground], dict[str, set[str]]]] = {}


def _decode(uri: str) -> str:
    return base64.b64decode(uri.partition(",")[2]).decode()


@lru_cache(4096)
def _view_of(uri: str) -> View:
    return extent_of(etree.fromstring(_decode(uri).encode(), xml_parser()))[1]


def _is_opaque(look: _AreaPaints) -> bool:
    return all(look.paints.get(name, "1") in ("1", "") for name in ("fill-opacity", "opacity"))


def _write(element: etree._Element, name: str, value: str) -> None:
    style = css.declarations(element.get("style", "")) if element.get("style") else {}
    if name in style:
        element.set("style", css.write_declarations({**style, name: value}))
    else:
        element.set(name, value)


def _colour(paint: str) -> str:
    """A paint as "#rrggbb", "" if it is not a plain colour."""
    if not paint or paint == "none" or paint.startswith("url("):
        return ""
    return try_read(read_colour, paint) or ""


def lighten_art(art: Art, kept: LowInk) -> Art:
    """A drawing that is part of a large picture, with little ink."""
    if not _SVG_URI.match(art.uri) or art.uri in kept.pictures:
        return art
    image = etree.Element(f"{SVG}image", {"href": art.uri, "width": "1", "height": "1"})
    walk = _Tinter(Lightener(0.0, (), kept), image, is_picture=True)
    walk.lighten_image(image, Affine(a=_ART, d=_ART))
    return replace(art, uri=link_of(image))


def share_of(colour: str) -> float:
    """The share of its ink that an area keeps: a light one keeps more, or it would vanish."""
    return _GROUND + _LIGHT_GROUND * lightness(colour) ** 2


def lightness(colour: str) -> float:
    """The lightness of a colour, 0 to 1, as an eye sees it."""
    red, green, blue = (part / 255 for part in channels(colour))
    return 0.3 * red + 0.59 * green + 0.11 * blue


class LighterFaces(Struct, frozen=True):
    """The faces with little ink; by component, the colours of lines, and what each becomes."""

    faces: dict[FaceKey, Face]
    lines: dict[str, dict[str, str]]


def lighten(faces: Mapping[FaceKey, Face], kept: LowInk) -> LighterFaces:
    """The faces with little ink. What covers little of its piece stays as it is, and so does what the game keeps."""
    lightened = LighterFaces({}, {})
    for component in dict.fromkeys(component for component, _, _ in faces):
        own = {key: face for key, face in faces.items() if key[0] == component}
        distinct = {face.id: face for face in own.values()}
        pictures = {key for face in distinct.values() for key in _find_large(face)}
        lighter, lines = _lighten_faces(distinct.values(), pictures, kept, {})
        alike = {colour: min(new, key=lightness) for colour, new in lines.items()}
        if any(len(new) > 1 for new in lines.values()):
            lighter, _ = _lighten_faces(distinct.values(), pictures, kept, alike)
        lightened.lines[component] = alike
        for key, face in own.items():
            lightened.faces[key] = replace(lighter[face.id], name=face.name)
    return lightened


def _lighten_faces(
    faces: Iterable[Face], pictures: set[tuple[str, str]], kept: LowInk, alike: Mapping[str, str]
) -> tuple[dict[str, Face], dict[str, set[str]]]:
    """The faces by their usual ids, and what the colours of their lines become, if they are not to become `alike`."""
    lighter: dict[str, Face] = {}
    lines: dict[str, set[str]] = {}
    for face in faces:
        large = max(_GROUND_PART * area(face.outline), _LEAST_GROUND)
        lightener = Lightener(large, pictures, kept, alike, lines=lines)
        layers = []
        for placed in face.layers:
            layer = placed.layer
            svg = lightener.lighten(layer.svg, placed.place @ _map_of(layer))
            layers.append(placed._replace(layer=Layer.of(layer.name, svg, layer.size, layer.lacking)))
        lighter[face.id] = face.with_layers(layers)
    return lighter, lines


def _find_large(face: Face) -> Iterator[tuple[str, str]]:
    """The pictures that cover much of a face."""
    shares: dict[tuple[str, str], float] = {}
    whole = area(face.outline)
    for placed in face.cut_out:
        for key, space in _images(placed.layer):
            shares[key] = shares.get(key, 0.0) + space / whole
    least = max(_PICTURE, _LEAST_PICTURE / whole)
    return (key for key, share in shares.items() if share >= least)


@lru_cache(4096)
def _images(layer: Layer) -> list[tuple[tuple[str, str], float]]:
    """The pictures of a layer, each with the mm² of its box."""
    if "<image" not in layer.art:
        return []
    root = etree.fromstring(layer.art.encode(), xml_parser())
    images = areas.find_images(root, _map_of(layer))
    return [(areas.picture_key(image, place), _space(image, place)) for image, place in images]


def _space(image: etree._Element, place: Affine) -> float:
    width, height = (areas.number_in(image, side) for side in ("width", "height"))
    return width * height * abs(place.a * place.d - place.b * place.c)


def _map_of(layer: Layer) -> Affine:
    return areas.root_map(etree.fromstring(layer.art.encode(), xml_parser()), layer.size.width)
