"""The faces of a game with little ink."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from lxml import etree
from msgspec import Struct
from msgspec.structs import replace

from generator.art.areas import find_images, picture_key, root_map
from generator.art.lightening import Lightener, lightness
from generator.basics.geometry import Affine
from generator.basics.safe_xml import xml_parser
from generator.basics.shapes import area
from generator.model import Face, FaceKey, Layer, LowInk

_GROUND = 0.08  # of a piece: a larger area is a ground
_LEAST = 20.0  # mm²: a smaller one is a symbol
_LEAST_PICTURE = 120.0  # mm², in all its places: a smaller one is a symbol
_PICTURE = 0.15  # of a piece: a picture that covers more, in all its places, is large


class LighterFaces(Struct, frozen=True):
    """The faces with little ink; by component, the colours of lines, and what each becomes."""

    faces: dict[FaceKey, Face]
    lines: dict[str, dict[str, str]]


def lighten(faces: Mapping[FaceKey, Face], kept: LowInk) -> LighterFaces:
    """The faces with little ink. What covers little of its piece stays as it is, and so does what
    the game keeps."""
    lightened = LighterFaces({}, {})
    for component in dict.fromkeys(component for component, _, _ in faces):
        own = {key: face for key, face in faces.items() if key[0] == component}
        distinct = {face.id: face for face in own.values()}
        pictures = {key for face in distinct.values() for key in _find_large(face)}
        lighter, lines = _lighten(distinct.values(), pictures, kept, {})
        if any(len(new) > 1 for new in lines.values()):
            alike = {colour: min(new, key=lightness) for colour, new in lines.items()}
            lighter, _ = _lighten(distinct.values(), pictures, kept, alike)
        lightened.lines[component] = {one: min(new, key=lightness) for one, new in lines.items()}
        for key, face in own.items():
            lightened.faces[key] = replace(lighter[face.id], name=face.name)
    return lightened


def _lighten(
    faces: Iterable[Face], pictures: set[tuple[str, str]], kept: LowInk, alike: Mapping[str, str]
) -> tuple[dict[str, Face], dict[str, set[str]]]:
    """The faces by their usual ids, and what the colours of their lines become, if they are not to
    become `alike`."""
    lighter: dict[str, Face] = {}
    lines: dict[str, set[str]] = {}
    for face in faces:
        large = max(_GROUND * area(face.outline), _LEAST)
        lightener = Lightener(large, pictures, kept, alike, lines=lines)
        lighter[face.id] = _lighten_layers(face, lightener)
    return lighter, lines


def _lighten_layers(face: Face, lightener: Lightener) -> Face:
    layers = []
    for placed in face.layers:
        layer = placed.layer
        svg = lightener.lighten(layer.svg, placed.place @ _map(layer))
        layers.append(placed._replace(layer=Layer.of(layer.name, svg, layer.size, layer.lacking)))
    return face.with_layers(layers)


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
    images = find_images(root, _map(layer))
    return [(picture_key(image, place), _space(image, place)) for image, place in images]


def _space(image: etree._Element, place: Affine) -> float:
    width, height = (float(image.get(side, "0")) for side in ("width", "height"))
    return width * height * abs(place.a * place.d - place.b * place.c)


def _map(layer: Layer) -> Affine:
    return root_map(etree.fromstring(layer.art.encode(), xml_parser()), layer.size.width)
