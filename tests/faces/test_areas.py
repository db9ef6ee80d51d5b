"""Advaya's and Atreya's tiles: a line behind each line, sides coloured, names in their areas."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Any

import pytest
from lxml import etree
from msgspec.structs import replace
from PIL import Image, ImageOps, ImageStat

from generator import faces, pipeline
from generator.basics.errors import PnpError
from generator.basics.geometry import Point, Rect
from generator.basics.shapes import hexagon, rectangle
from generator.faces.areas import Lined, Ringed
from generator.model import Design, Face, Piece, Side
from tests.faces.test_oracle import difference, resvg
from tests.support.designs import change

PX = 8.0  # per mm
ACROSS = 26.73
RADIUS = ACROSS / 3**0.5
SIDES: tuple[Side, Side] = ("front", "back")
RGB = {"B": (0, 0, 0), "W": (255, 255, 255)}
Stroke = frozenset[tuple[float, float]]


@cache
def tiles(game: str) -> Design:
    return pipeline.read(game).designs[0]


@cache
def drawn(game: str, side: Side) -> dict[str, Face]:
    return {piece.id: face for piece, face in faces.draw(tiles(game), side)}


def pieces(game: str) -> dict[str, Piece]:
    return {piece.id: piece for piece in tiles(game).component.pieces}


def columns(side: Side) -> str:
    return "back_" if side == "back" else ""


def at(face: Face, angle: float, radius: float) -> Point:
    """A point by its degrees counterclockwise from the right, and its mm from the middle."""
    x, y = face.size.width / 2, face.size.height / 2
    return Point(x + radius * cos(angle * pi / 180), y - radius * sin(angle * pi / 180))


def strokes(face: Face) -> set[Stroke]:
    """The stretches of the lines, from the middle of the face, y up."""
    found = set()
    for path in paths(face):
        for line in path.split("M")[1:]:
            points = [tuple(map(float, pair.split())) for pair in line.replace("Z", "").split("L")]
            points += points[:1] if "Z" in line else []
            for ends in pairwise(points):
                x, y = face.size.width / 2, face.size.height / 2
                found.add(frozenset((round(px - x, 2), round(y - py, 2)) for px, py in ends))
    return found


def paths(face: Face) -> list[str]:
    found = []
    for placed in face.layers:
        for path in etree.fromstring(placed.layer.svg).iter("{*}path"):
            if path.get("stroke"):
                found.append(str(path.get("d")))
    return found


def mirrored(lines: set[Stroke]) -> set[Stroke]:
    return {frozenset((-x, y) for x, y in line) for line in lines}


def picture(face: Face, *, without: str = "") -> Image.Image:
    """The face as resvg draws it, `without` elements of a kind."""
    width, height = (round(length * PX) for length in face.size)
    whole = Image.new("RGBA", (width, height), "white")
    for placed in face.layers:
        root = etree.fromstring(placed.layer.svg)
        for element in list(root.iter(f"{{*}}{without}")) if without else []:
            element.getparent().remove(element)
        whole.alpha_composite(resvg(etree.tostring(root), width, height))
    return whole.convert("RGB")


def pixel(image: Image.Image, point: Point) -> tuple[int, ...]:
    found = image.getpixel((round(point.x * PX), round(point.y * PX)))
    assert isinstance(found, tuple)
    return found


def nearest(image: Image.Image, point: Point, *colours: str) -> str:
    """Which of the colours is seen there."""
    seen = pixel(image, point)

    def off(colour: str) -> int:
        channels = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
        return sum(abs(a - b) for a, b in zip(seen, channels, strict=True))

    return min(colours, key=off)


def changed(game: str, **options: Any) -> Design:
    design = tiles(game)
    assert isinstance(design.front, Lined | Ringed)
    return replace(design, front=replace(design.front, **options))


def with_row(game: str, **cells: str) -> Design:
    """The tiles with nothing but their first, changed."""
    design = tiles(game)
    first = design.component.pieces[0]
    return change(design, pieces=(replace(first, row={**first.row, **cells}),))


def told(design: Design) -> list[str]:
    with pytest.raises(PnpError) as caught:
        faces.draw(design, "front")
    return [problem.what for problem in caught.value.problems]


@pytest.mark.parametrize("game", ["advaya", "atreya"])
def test_every_line_lies_behind_its_own(game: str) -> None:
    fronts, backs = drawn(game, "front"), drawn(game, "back")
    for number, front in fronts.items():
        assert strokes(front)
        assert mirrored(strokes(front)) == strokes(backs[number]), number


def test_a_line_that_is_not_behind_its_own_is_seen() -> None:
    fronts, backs = drawn("advaya", "front"), drawn("advaya", "back")
    assert mirrored(strokes(fronts["4"])) != strokes(backs["5"])
    assert strokes(fronts["4"]) != strokes(backs["4"])


@pytest.mark.parametrize("side", SIDES)
def test_sides_have_their_colours_out_to_the_end_of_the_bleed(side: Side) -> None:
    for number, face in drawn("advaya", side).items():
        sides = str(pieces("advaya")[number].row[columns(side) + "sides"])
        image = picture(face)
        for k, colour in enumerate(sides):
            for apart in (-2.0, -0.3, 0.0, 0.3, 2.0):
                point = at(face, 30 + 60 * k, ACROSS / 2 + apart)
                assert pixel(image, point) == RGB[colour], (number, k, apart)


@pytest.mark.parametrize("side", SIDES)
def test_every_segment_is_drawn(side: Side) -> None:
    """Its colour is met a little beside its middle, where a double line has not its gap."""
    renderer = tiles("advaya").renderer(side)
    assert isinstance(renderer, Lined)
    for number, face in drawn("advaya", side).items():
        image = picture(face)
        for segment in str(pieces("advaya")[number].row[columns(side) + "segments"]).split():
            ends = [at(face, 60 * int(n), 0 if n == "6" else RADIUS) for n in segment.split("-")]
            (x0, y0), (x1, y1) = ends
            length, aside = hypot(x1 - x0, y1 - y0), renderer.line_width * RADIUS / 3
            x, y = x0 + 0.4 * (x1 - x0), y0 + 0.4 * (y1 - y0)
            for way in (-aside, aside):
                point = Point(x - way * (y1 - y0) / length, y + way * (x1 - x0) / length)
                seen = nearest(image, point, renderer.line, *renderer.colours.values())
                assert seen == renderer.line, (number, segment)


@pytest.mark.parametrize("side", SIDES)
def test_a_name_stands_in_one_area_and_off_the_trim(side: Side) -> None:
    renderer = tiles("advaya").renderer(side)
    assert isinstance(renderer, Lined)
    for number, face in drawn("advaya", side).items():
        (placed,) = face.layers
        (text,) = etree.fromstring(placed.layer.svg).iter("{*}text")
        ink = renderer.name_font.ink(str(text.text), renderer.name_size)
        x, y = float(text.get("x", "")), float(text.get("y", ""))
        box = Rect(x + ink.x0, y + ink.y0, x + ink.x1, y + ink.y1)
        for corner in box.corners():
            dx, dy = corner.x - face.size.width / 2, corner.y - face.size.height / 2
            reach = max(abs(dy), abs(dx * 3**0.5 + dy) / 2, abs(dx * 3**0.5 - dy) / 2)
            assert reach <= ACROSS / 2 - renderer.margin + 0.01, number
        under = picture(face, without="text").crop(
            tuple(round(value * PX) for value in box.grown(0.2))  # type: ignore[arg-type]
        )
        ((_, colour),) = under.getcolors() or [(0, 0)]
        assert {colour, RGB["W" if text.get("fill") == "#ffffff" else "B"]} == set(RGB.values())


def test_only_the_start_tile_is_marked() -> None:
    for side in SIDES:
        marked = [n for n, face in drawn("advaya", side).items() if "<image" in svg_of(face)]
        assert marked == ["1"]
        marks = [n for n, face in drawn("atreya", side).items() if "art start" in names_of(face)]
        assert marks == [n for n, piece in pieces("atreya").items() if piece.row["start"] == "yes"]
        assert len(marks) == 3


def svg_of(face: Face) -> str:
    return "".join(placed.layer.svg for placed in face.layers)


def names_of(face: Face) -> list[str]:
    return [placed.layer.name for placed in face.layers]


def one_face(design: Design, number: str) -> Face:
    return next(face for piece, face in faces.draw(design, "front") if piece.id == number)


def core(face: Face) -> Image.Image:
    """The tile's lines and colours in the middle half of its width, always as large."""
    x, y = at(face, 0, 0)
    across, down = face.trim.width / 4, face.trim.height / 2
    box = tuple(round(value * PX) for value in (x - across, y - down, x + across, y + down))
    return picture(face, without="text").crop(box).resize((200, 346))  # type: ignore[arg-type]


@pytest.mark.parametrize(("game", "options"), [("advaya", {"marks": {}}), ("atreya", {"textures": {}})])
def test_all_follows_the_size(game: str, options: dict[str, Any]) -> None:
    design = change(changed(game, **options), pieces=tiles(game).component.pieces[:40])
    larger = change(design, shape=hexagon(2 * ACROSS, "edge"))
    for number in ("2", "20", "40"):
        one, other = core(one_face(design, number)), core(one_face(larger, number))
        assert difference(one, other) < 4.0
        assert difference(one, core(one_face(larger, "30"))) > 10.0


@pytest.mark.parametrize("side", SIDES)
def test_parts_have_their_colours_and_lines_only_between_two(side: Side) -> None:
    bare = changed("atreya", textures={}, mark=None)
    assert isinstance(bare.back, Ringed)
    bare = replace(bare, back=replace(bare.back, textures={}, mark=None))
    assert isinstance(bare.front, Ringed)
    inks, line = bare.front.colours, bare.front.line
    for piece, face in faces.draw(bare, side)[::7]:
        image = picture(face)
        sides, centre = (str(piece.row[columns(side) + name]) for name in ("sides", "centre"))

        def seen(angle: float, radius: float, image: Image.Image = image, face: Face = face) -> str:
            return nearest(image, at(face, angle, radius), line, *inks.values())

        assert seen(0, 0) == inks[centre]
        for k, colour in enumerate(sides):
            for radius in (0.375 * ACROSS, ACROSS / 2 + 2):
                assert seen(30 + 60 * k, radius) == inks[colour]
            rim = line if colour != centre else inks[colour]
            assert seen(30 + 60 * k, ACROSS / 4) == rim
            spoke = line if colour != sides[k - 1] else inks[colour]
            assert seen(60 * k, 0.75 * RADIUS) == seen(60 * k, RADIUS + 0.5) == spoke


def test_textures_are_light_to_draw() -> None:
    """Parts are drawn once for all tiles, each with few shapes."""
    every = [placed.layer for face in drawn("atreya", "front").values() for placed in face.layers]
    parts = {layer.id: layer for layer in every if " part " in layer.name}
    assert len(parts) <= 7 * 3
    for layer in parts.values():
        swatches = layer.svg.count("<image")
        shapes = 2 if layer.name.endswith("G") else 1
        assert swatches * shapes <= 70, layer.name


def test_three_colours_are_three_tones() -> None:
    """As printed, textures and all; the middle of a tile of each colour, in steps of L*."""
    tones = []
    for number in ("1", "2", "3"):
        face = drawn("atreya", "back")[number]
        image = picture(face, without="text").convert("L")
        x, y = at(face, 180, 5.2)
        around = image.crop(tuple(round(v * PX) for v in Rect(x, y, x, y).grown(1.8)))  # type: ignore[arg-type]
        grey = ImageStat.Stat(around).mean[0] / 255
        tones.append(116 * grey ** (2.2 / 3) - 16)
    low, mid, high = sorted(tones)
    assert mid - low > 12
    assert high - mid > 12


def test_what_cannot_be_drawn_is_reported() -> None:
    tile = tiles("advaya")
    assert told(change(tile, shape=rectangle(tile.component.size)))[0].endswith("the piece is not a hexagon")
    assert "no corner at its left" in told(change(tile, shape=hexagon(ACROSS, "corner")))[0]
    assert "'0-1' is not a line" in told(with_row("advaya", segments="0-1"))[0]
    assert "'6-6' is not a line" in told(with_row("advaya", segments="6-6"))[0]
    assert "'0-3-5' is not a line" in told(with_row("advaya", segments="0-3-5"))[0]
    assert "'07' is not a line" in told(with_row("advaya", segments="07"))[0]
    assert "without a side" in told(with_row("advaya", segments="0-2 1-6 0-6"))[0]
    assert "sides 0 and 1 and 2 belong to one" in told(with_row("advaya", sides="BWBWWW"))[0]
    assert "unknown colour 'X'" in told(with_row("advaya", sides="XXXWWW"))[0]
    assert "six sides" in told(with_row("advaya", sides="BBB"))[0]
    assert "no area has room for the name" in told(with_row("advaya", name="A very long name"))[0]
    assert "no area has room for the mark" in told(changed("advaya", mark_size=20.0))[0]
    assert "no area has room for the name" in told(changed("advaya", margin=40.0))[0]
    assert "inks has no colour" in told(changed("advaya", inks={}))[0]
    assert "unknown colour 'X'" in told(with_row("atreya", centre="X"))[0]
    assert "swatches has no size" in told(changed("atreya", swatches={}))[0]
    tiny = dict.fromkeys("GB", (1.0, 0.1))
    assert "too many swatches" in told(changed("atreya", swatches=tiny))[0]


def areas_of(image: Image.Image) -> list[int | None]:
    """Pixels that are black, white or neither."""
    known: dict[object, int] = {RGB["B"]: 0, RGB["W"]: 1}
    width, height = image.size
    return [known.get(image.getpixel((x, y))) for y in range(height) for x in range(width)]


def is_inverted(front: Face, back: Face) -> bool:
    inverted = areas_of(ImageOps.mirror(ImageOps.invert(core(back))))
    pairs = [p for p in zip(areas_of(core(front)), inverted, strict=True) if None not in p]
    assert len(pairs) > 40_000
    return all(one == other for one, other in pairs)


def test_the_back_inverts_the_front() -> None:
    """Where neither has a line or a name."""
    fronts, backs = drawn("advaya", "front"), drawn("advaya", "back")
    assert all(is_inverted(fronts[number], backs[number]) for number in ("4", "20", "38"))
    assert not is_inverted(fronts["4"], backs["5"])
    assert not is_inverted(fronts["20"], backs["21"])
