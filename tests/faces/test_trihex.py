"""Tiles of three hexagons: what lies where, how far its art reaches, and what a change changes."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import sqrt

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops

from generator.basics.errors import Place
from generator.basics.geometry import Point
from generator.basics.shapes import grown, rectangle, trihex
from generator.faces.trihex import TriHexBack, TriHexFields
from generator.games.taluva.checks import TERRAINS
from generator.model import Design, Face, Piece, PlacedLayer, Side
from tests.faces import shaped
from tests.faces.test_oracle import CLOSE, difference
from tests.support.designs import change

COARSE = 4  # pixels a mm: enough for the mean of a field, and drawn in a sixth of the time
VOLCANIC = 0.12  # the least share of black, and of white, on a volcano
LEAST_STEP = 12.0  # of L*, between terrains in the order of their tones
TONES = ("jungle", "rock", "lake", "clearing", "sand")


@cache
def tiles() -> Design:
    return shaped.design("taluva", "tiles")


def of_width(across: float) -> Design:
    return change(tiles(), shape=trihex(across))


def joint(face: Face) -> Point:
    """Where the three hexagons meet."""
    return Point(face.size.width / 2, face.trim.y0 + face.trim.width / sqrt(3))


def middles(face: Face) -> dict[str, Point]:
    """The middles of the three hexagons, reckoned from the outline alone."""
    (x, y), across = joint(face), face.trim.width / 2
    down = across / sqrt(3)
    return {
        "top": Point(x, y - down),
        "left": Point(x - across / 2, y + down / 2),
        "right": Point(x + across / 2, y + down / 2),
    }


def hexagon(middle: Point, across: float, by: float = 0.0) -> tuple[Point, ...]:
    """By hand: a corner at the top, grown by so many mm."""
    half, radius = across / 2 + by, (across / 2 + by) * 2 / sqrt(3)
    x, y = middle
    corners = ((0.0, -1.0), (1.0, -0.5), (1.0, 0.5), (0.0, 1.0), (-1.0, 0.5), (-1.0, -0.5))
    return tuple(Point(x + a * half, y + b * radius) for a, b in corners)


@cache
def picture_of(face: Face) -> Image.Image:
    return shaped.stacked(face, fine=COARSE)


def tone(face: Face, place: str) -> float:
    """The mean L* of a field, its rim aside."""
    picture = picture_of(face).copy()
    field = hexagon(middles(face)[place], face.trim.width / 2, -0.5)
    picture.putalpha(shaped.mask(picture.size, field, COARSE))
    return shaped.lightness(picture)


@cache
def tones() -> dict[str, float]:
    """Of each terrain."""
    some = shaped.drawn(tiles())
    return {name: tone(some[f"{name}-{name}"], "left") for name in TONES}


@pytest.mark.parametrize("across", [25.0, 40.0, 55.0])
def test_fields_lie_where_the_table_says(across: float) -> None:
    """Left is the lower left field, right the lower right one, the volcano is on top."""
    for id_, face in shaped.drawn(of_width(across)).items():
        left, _, right = id_.partition("-")
        assert extreme(face, "top") > VOLCANIC, id_
        for place, name in (("left", left), ("right", right)):
            found = tone(face, place)
            assert min(tones(), key=lambda n: abs(tones()[n] - found)) == name, (id_, place)


def test_all_pairs_were_looked_at() -> None:
    assert set(shaped.drawn(tiles())) == {f"{a}-{b}" for a in TERRAINS for b in TERRAINS}


@pytest.mark.parametrize("across", [25.0, 40.0, 55.0])
def test_a_field_stays_within_its_hexagon(across: float) -> None:
    """Past an inner edge by a lap at most, past the rim by the bleed; the last drawn by no lap."""
    face = shaped.drawn(of_width(across))["rock-sand"]
    size = tuple(round(side * shaped.PIXELS_PER_MM) for side in face.size)
    for placed, place in zip(face.layers, ("left", "right", "top"), strict=False):
        alpha = shaped.stacked(replace(face, layers=(placed,))).getchannel("A")
        middle = middles(face)[place]
        inside = shaped.mask(size, hexagon(middle, across, -0.2))  # type: ignore[arg-type]
        assert ImageChops.subtract(inside, alpha).getextrema() == (0, 0), f"{place} is full"
        for other in {"left", "right", "top"} - {place}:
            lap = 0.4 if place != "top" else 0.2
            theirs = hexagon(middles(face)[other], across, -lap)
            foreign = shaped.mask(size, theirs)  # type: ignore[arg-type]
            assert ImageChops.multiply(foreign, alpha).getextrema() == (0, 0), (place, other)


def test_a_field_that_is_moved_is_seen_to_leave_its_hexagon() -> None:
    """The measure can fail."""
    face = shaped.drawn(tiles())["rock-sand"]
    left = face.layers[0]
    aside = PlacedLayer(left.layer, Point(left.at.x + 1.0, left.at.y))
    alpha = shaped.stacked(replace(face, layers=(aside,))).getchannel("A")
    foreign = shaped.mask(alpha.size, hexagon(middles(face)["right"], 40.0, -0.4))
    assert ImageChops.multiply(foreign, alpha).getextrema() != (0, 0)


@pytest.mark.parametrize("across", [25.0, 40.0, 55.0])
def test_the_bleed_is_full(across: float) -> None:
    design = of_width(across)
    for side, of in (("front", design.component), ("back", design.component.from_behind())):
        face = shaped.drawn(design, side)["rock-sand"]  # type: ignore[arg-type]
        picture = shaped.stacked(face)
        reach = shaped.mask(picture.size, grown(of.outline, of.bleed - 0.2))
        lacking = ImageChops.subtract(reach, picture.getchannel("A"))
        assert lacking.getextrema() == (0, 0), side


def test_lava_reaches_the_joint() -> None:
    """The volcano's direction is read at the foot of its hexagon."""
    design = tiles()
    assert isinstance(design.front, TriHexFields)
    bare = replace(design, front=replace(design.front, seam=0.0))
    face = shaped.drawn(bare)["lake-lake"]
    x, y = joint(face)
    lava = shaped.around(shaped.stacked(face), Point(x, y - 2.0), 0.5).convert("RGB")
    red, _, blue = lava.resize((1, 1)).getpixel((0, 0))  # type: ignore[misc]
    assert red > 3 * blue


def test_terrains_differ_in_tone() -> None:
    found = [tones()[name] for name in TONES]
    assert min(high - low for low, high in pairwise(found)) >= LEAST_STEP, found


def test_volcanoes_are_told_by_their_contrast() -> None:
    """Without colours too: a black cone within white ash, which no terrain has."""
    some = shaped.drawn(tiles())
    extremes = {name: extreme(some[f"{name}-{name}"], "left") for name in TERRAINS} | {
        f"volcano of {id_}": extreme(face, "top") for id_, face in some.items()
    }
    for name, share in extremes.items():
        assert (share > VOLCANIC) == name.startswith("volcano"), (name, share)
    assert len({next(reversed(face.layers[:-1])).layer.id for face in some.values()}) == 3


def extreme(face: Face, place: str) -> float:
    """The share of a field that is black, or that is white: the smaller of them."""
    picture = picture_of(face)
    field = hexagon(middles(face)[place], face.trim.width / 2, -0.5)
    within = shaped.mask(picture.size, field, COARSE)
    counts = picture.convert("L").histogram(within)
    return min(sum(counts[:50]), sum(counts[230:])) / sum(counts)


def test_few_layers_make_all_tiles() -> None:
    """Each terrain left and right, three volcanoes, the seams; and one back."""
    for side, layers in (("front", 2 * len(TERRAINS) + 4), ("back", 1)):
        some = shaped.drawn(tiles(), side).values()  # type: ignore[arg-type]
        assert len({placed.layer.id for face in some for placed in face.layers}) == layers
    assert len({face.id for face in shaped.drawn(tiles(), "back").values()}) == 1


def test_the_back_looks_the_same_after_a_third_of_a_turn() -> None:
    """So that it does not tell where the volcano is."""
    face = shaped.drawn(tiles(), "back")["rock-sand"]
    art = shaped.around(shaped.stacked(face, "#ffffffff").convert("RGB"), joint(face), 30.0)
    turned = [art.rotate(angle, Image.Resampling.BICUBIC, fillcolor="#fff") for angle in (120, 60)]
    middle = [shaped.around(picture, Point(30.0, 30.0), 20.0) for picture in (art, *turned)]
    assert difference(middle[0], middle[1]) < CLOSE
    assert difference(middle[0], middle[2]) > 2 * CLOSE, "the measure can fail"


def test_printed_as_another_engine_draws_it() -> None:
    some = [shaped.drawn(tiles())[id_] for id_ in ("jungle-rock", "lake-clearing", "sand-jungle")]
    some.append(shaped.drawn(tiles(), "back")["rock-sand"])
    pictures = shaped.printed(some)
    for face, picture in zip(some, pictures, strict=True):
        assert difference(picture, shaped.trimmed(face, picture)) < CLOSE, face.name
    aside = shaped.trimmed(some[1], pictures[0])
    assert difference(pictures[0], aside) > 3 * CLOSE, "the measure can fail"


def test_a_field_that_is_not_there() -> None:
    piece = Piece("x", {"left": "jungel", "right": "sand", "crater": ""}, 1, Place("here"))
    ((what, hint),) = shaped.told(change(tiles(), pieces=(piece,)))
    assert "unknown field 'jungel'" in what
    assert hint == "did you mean 'jungle'?"


@pytest.mark.parametrize("side", ["front", "back"])
def test_pieces_of_another_shape(side: Side) -> None:
    square = change(tiles(), shape=rectangle(tiles().component.size))
    for what, hint in shaped.told(square, side):
        assert "the pieces are not trihexes: their shape is a rectangle" in what
        assert "kind = 'trihex'" in hint


def test_bleed_past_the_art() -> None:
    design = change(of_width(20.0), bleed=5.0, back_bleed=9.0)
    assert isinstance(design.back, TriHexBack)
    for side in ("front", "back"):
        for what, hint in shaped.told(design, side):
            assert "the bleed reaches past the art" in what
            assert "a smaller bleed" in hint
