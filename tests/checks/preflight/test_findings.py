"""Every fault is planted once and found, and a sound face beside it is not."""

from __future__ import annotations

import pytest

from generator.basics.geometry import IDENTITY, Point, Rect, translation
from generator.basics.shapes import Shape, box_of, carried, circle, hexagon, polygon, trihex
from generator.checks.preflight import drift_of
from generator.layout.folds import FoldLine, fold_flat
from generator.model import Side
from tests.checks.preflight.planted import CARD, check, full, rules

SHAPES = [CARD, hexagon(40, "corner"), hexagon(40, "edge"), trihex(24), circle(40)]
INK, GOLD = "#1f3f8c", "#e0b020"


def within(shape: Shape, by: float, colour: str) -> str:
    """The piece, its edges moved in (out, when negative) by so many mm."""
    corners = " ".join(f"{x},{y}" for x, y in shape.placed(IDENTITY, by=-float(by)))
    return f'<polygon points="{corners}" fill="{colour}"/>'


def box(rect: Rect, colour: str = INK) -> str:
    return f'<rect x="{rect.x0}" y="{rect.y0}" width="{rect.width}" height="{rect.height}" fill="{colour}"/>'


def word(x: float, y: float, text: str = "Hx", turn: float = 0.0) -> str:
    """Text whose baseline begins there; an H is 2.7 mm high."""
    return (
        f'<text transform="translate({x} {y}) rotate({turn})" font-family="Alegreya Sans" '
        f'font-size="4" fill="#000">{text}</text>'
    )


def hatch(start: float, end: float) -> str:
    """Lines across a card, 1.2 mm apart."""
    lines = (start + 0.5 + 1.2 * number for number in range(int((end - start) / 1.2)))
    return "".join(box(Rect(-9, y, 49, y + 0.2)) for y in lines)


SOUND = {
    "blank": "",
    "one colour": full(GOLD),
    "art in the middle": full(GOLD) + within(CARD, 4, INK),
    "a wide border": full("#ffffff") + within(CARD, 2.5, INK),
    "text in the middle": word(15, 30),
    "a picture to the end of the bleed": full(GOLD)
    + "".join(f'<path d="M-9 {y} L60 {y + 9} v4 L-9 {y + 4}z"/>' for y in range(-20, 70, 9)),
    "a shading": '<defs><linearGradient id="g"><stop stop-color="#fff"/><stop offset="1" '
    'stop-color="#009"/></linearGradient></defs><rect x="-3" y="-3" width="46" height="66" '
    'fill="url(#g)"/>',
    "paper with a grain": full("#f4efe2")
    + "".join(f'<circle cx="{(i * 37) % 40}" cy="{(i * 23) % 60}" r="0.4" fill="#efe8d8"/>' for i in range(200)),
    "motifs that cross the trim": "".join(
        f'<circle cx="{x}" cy="{y}" r="3" fill="{INK}"/>'
        for x in (-0.5, 10, 20, 30, 40.5)
        for y in (-0.5, 8, 17, 26, 35, 44, 53, 60.5)
    ),
    "motifs that just reach over the trim": "".join(
        f'<ellipse cx="{x}" cy="{y}" rx="3" ry="4.4" fill="{INK}"/>' for x in (2.7, 37.3) for y in range(-5, 70, 10)
    ),
    "a tab that reaches the trim": full(GOLD) + box(Rect(16, -9, 22, 6)),
    "lines along the trim": hatch(-3, 63),
    "dots in rows along the trim": "".join(
        f'<circle cx="{x * 2.1 + y % 2 * 1.05}" cy="{y * 1.82 + 0.9}" r="0.27" fill="{INK}"/>'
        for x in range(-2, 22)
        for y in range(-2, 35)
    ),
    "a texture on a pale ground": full("#f9f8f5") + within(CARD, -1, "#d2d2d3"),
    "art beyond the trim only": full(GOLD) + box(Rect(5, -3, 35, -1.5)),
}


@pytest.mark.parametrize("name", SOUND)
@pytest.mark.parametrize("side", ["front", "back"])
def test_sound_face_is_not_found(name: str, side: Side) -> None:
    assert check([SOUND[name]], side=side, drift=drift_of(side, None), radius=3.0) == []


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind)
def test_sound_face_of_any_shape(shape: Shape) -> None:
    assert check([full(GOLD), full(GOLD) + within(shape, 3.3, INK), ""], shape) == []


def test_bleed_smaller_than_the_drift() -> None:
    (found,) = check([full(GOLD), ""], bleed=0.5)
    assert (found.level, found.rule, str(found.place)) == ("warning", "drift.bleed", "game.toml:9")
    assert found.what.startswith("the back of 1: art reaches the trim, and its bleed of 0.5 mm")
    assert found.hint.startswith("set back_bleed = '3mm'")
    assert check([full(GOLD)], bleed=0.5, drift=0.5) == []
    (found,) = check([full(GOLD)], bleed=0.0, side="front", drift=0.5)
    assert found.hint.startswith("set bleed = '3mm'")


def test_bleed_that_may_become_smaller_than_the_drift() -> None:
    (found,) = check([full(GOLD), ""], least_bleed=0.5)
    assert found.rule == "drift.bleed"
    assert found.what.startswith("the back of 1: art reaches the trim, and its least bleed of 0.5")
    assert found.hint.startswith("set least_bleed = '1mm'")
    assert check([full(GOLD), ""], least_bleed=1.0) == []


@pytest.mark.parametrize("width", [0.4, 1.2, 1.7])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind)
def test_narrow_border(shape: Shape, width: float) -> None:
    (found,) = check([full("#ffffff") + within(shape, width, INK)], shape)
    assert found.rule == "drift.border"
    told = float(found.what.split("a border about ")[1].split(" mm")[0])
    assert told == pytest.approx(width, abs=0.16)


def test_border_says_how_it_comes_out() -> None:
    (found,) = check([full(GOLD) + within(CARD, 1.25, INK)], radius=3.0)
    told = "a border about 1.2 mm wide comes out 0.2 and 2.2 mm wide at a drift of 1 mm"
    assert found.what == f"the back of 1: {told}"
    (found,) = check([full(GOLD) + within(CARD, 0.5, INK)])
    assert " comes out 0 and 1." in found.what
    assert found.hint.startswith("make it at least 2 mm wide")


def test_a_border_beyond_the_safe_zone_is_seen() -> None:
    """A printer that is far astray spoils one of up to twice its drift."""
    (found,) = check([full(GOLD) + within(CARD, 3.0, INK)], safe=0.5, drift=2.0)
    assert "a border about 3 mm wide" in found.what


def test_border_of_two_sides_is_one_and_of_one_side_is_none() -> None:
    left, right = Rect(1.2, -9, 20, 70), Rect(20, -9, 38.8, 70)
    assert rules(check([full(GOLD) + box(left) + box(right)])) == ["drift.border"]
    assert "drift.border" not in rules(check([full(GOLD) + box(Rect(1.2, -9, 60, 70))]))


def test_border_with_rounder_corners_is_one() -> None:
    inner = f'<rect x="1.2" y="1.2" width="37.6" height="57.6" rx="5" fill="{INK}"/>'
    assert rules(check([full(GOLD) + inner], radius=3.0)) == ["drift.border"]


def test_what_a_front_stands() -> None:
    """It is cut true: 1.2 mm are more than twice what the hand is astray."""
    art = full(GOLD) + within(CARD, 1.2, INK)
    assert check([art], side="front", drift=drift_of("front", None)) == []
    art = full(GOLD) + within(CARD, 0.6, INK)
    assert rules(check([art], side="front", drift=drift_of("front", 2.0))) == ["drift.border"]


@pytest.mark.parametrize(
    ("art", "distance"),
    [
        (word(2, 30), 2.3),  # H begins 0.3 mm after its origin
        (word(20, 58.5), 1.5),
        (word(20, 4.2), 1.5),
        (word(1.5, 30, turn=-90), None),
        (word(37, 57), None),
    ],
)
def test_text_near_the_trim(art: str, distance: float | None) -> None:
    (found,) = check([full(GOLD) + art])
    assert found.rule == "drift.text"
    if distance is not None:
        told = float(found.what.split("text is ")[1].split(" mm")[0])
        assert told == pytest.approx(distance, abs=0.15)


def test_notch_that_reaches_towards_a_large_letter() -> None:
    """Its bar is near the notch in the middle, its ends are not near anything."""
    shape = polygon([Point(0, 0), Point(20, 14), Point(40, 0), Point(40, 40), Point(0, 40)])
    letter = '<text x="20" y="{}" text-anchor="middle" font-family="Alegreya Sans" '
    letter += 'font-size="{}" fill="#000">T</text>'
    assert rules(check([full(GOLD) + letter.format(34.0, 29)], shape)) == ["drift.text"]
    assert check([full(GOLD) + letter.format(36.5, 29)], shape) == []


def test_text_in_a_rounded_corner() -> None:
    corner = word(3.2, 6.0)
    assert check([full(GOLD) + corner]) == []
    assert rules(check([full(GOLD) + corner], radius=8.0)) == ["drift.text"]


def test_text_that_reaches_over_the_trim() -> None:
    (found,) = check([full(GOLD) + word(-1.0, 30, "HH")])
    assert found.rule == "drift.text"
    told = float(found.what.split("text is cut: it reaches ")[1].split(" mm")[0])
    assert told == pytest.approx(0.7, abs=0.15), "H begins 0.3 mm after its origin"
    assert found.hint == "keep 3 mm from the trim", "no safe zone helps what is cut"
    (near,) = check([full(GOLD) + word(2.3, 30, "HH")])
    assert near.hint == "keep 3 mm from the trim; or set the component's safe zone: safe = '2mm'"


@pytest.mark.parametrize(
    ("art", "found"),
    [
        ("", []),
        (word(9, 30), ["drift.text"]),  # 1 mm from the hole
        (word(16, 30, "x"), ["drift.text"]),  # wholly cut away
        (word(4, 53), []),
        ('<circle cx="20" cy="39.5" r="1" fill="#000"/>', ["drift.art"]),
    ],
)
def test_a_hole_is_a_trim_too(art: str, found: list[str]) -> None:
    hole = tuple(carried(circle(14.0).outline, translation(13.0, 23.0)))
    shape = Shape("rectangle", CARD.outline, (hole,))
    problems = check([full(GOLD) + art], shape)
    assert rules(problems) == found
    assert all("the hole" in problem.what for problem in problems)
    assert rules(check([full(GOLD) + art])) == []


def test_text_on_a_fold_is_noted() -> None:
    line = FoldLine(Point(20.0, -1.0), Point(20.0, 61.0), 0.0)
    shape = fold_flat(CARD, CARD.outline, [line])
    (found,) = check([full(GOLD) + word(18.5, 30, "M")], shape)
    assert (found.rule, found.level) == ("fold.text", "note")
    assert check([full(GOLD) + word(21, 30, "M")], shape) == []


def test_text_in_the_bleed_is_cut_away() -> None:
    assert check([full(GOLD) + word(10, -0.3, "x")]) == []


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind)
def test_art_near_the_trim(shape: Shape) -> None:
    """A strip along a part of the outline."""
    start, end = shape.outline[0], shape.outline[1]
    if shape.kind == "circle":
        start, end = shape.outline[-4], shape.outline[4]
    middle = box_of(shape.outline)
    centre = (middle.x1 / 2, middle.y1 / 2) if shape.kind != "trihex" else (24.0, 24 / 3**0.5)

    def inward(x: float, y: float, share: float) -> str:
        return f"{x + (centre[0] - x) * share},{y + (centre[1] - y) * share}"

    a, b = (
        ((start.x * 2 + end.x) / 3, (start.y * 2 + end.y) / 3),
        ((start.x + end.x * 2) / 3, (start.y + end.y * 2) / 3),
    )
    corners = " ".join([inward(*a, 0.08), inward(*b, 0.08), inward(*b, 0.4), inward(*a, 0.4)])
    patch = f'<polygon points="{corners}" fill="{INK}"/>'
    assert rules(check([full(GOLD) + patch], shape)) == ["drift.art"]


def test_art_says_how_near_and_keeps_to_the_safe_zone() -> None:
    art = full(GOLD) + box(Rect(20, 2.2, 26, 10))
    (found,) = check([art])
    assert found.what == "the back of 1: art is about 2.2 mm from the trim and does not reach it"
    assert "keep 3 mm" in found.hint
    assert check([art], safe=2.0) == []
    assert rules(check([art], safe=2.0, drift=2.6)) == ["drift.art"]


def test_art_that_ends_before_the_bleed_does() -> None:
    for beyond in (1.0, 2.0):
        (found,) = check([within(CARD, -beyond, INK), full(INK)])
        assert found.rule == "drift.bare"
        told = found.what.removeprefix("the back of 1: art ends about ").partition(" mm")[0]
        assert float(told) == pytest.approx(beyond, abs=0.16)
    (found,) = check([within(CARD, 0, INK), full(INK)])
    assert found.what == "the back of 1: art ends at the trim, but the bleed is 3 mm wide"


def test_texture_that_ends_before_the_bleed_does() -> None:
    assert rules(check([hatch(-0.4, 60), hatch(-3, 63)])) == ["drift.bare"]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind)
def test_art_that_ends_with_a_piece_of_any_shape(shape: Shape) -> None:
    assert rules(check([within(shape, 0, INK)], shape)) == ["drift.bare"]


def test_panel_that_ends_with_the_trim_is_enough() -> None:
    panel = box(Rect(5, 0, 35, 12))
    assert rules(check([panel])) == ["drift.bare"]
    assert check([box(Rect(5, -9, 35, 12))]) == []


def test_pieces_are_named_together() -> None:
    art = [full(GOLD) + within(CARD, width, INK) for width in (1.6, 1.2, 1.4)]

    def whose(count: int, sound: int) -> str:
        (found,) = check([art[i % 3] for i in range(count)] + [full(GOLD)] * sound)
        return found.what.partition(":")[0]

    assert whose(1, 1) == "the back of 1"
    assert whose(2, 1) == "the backs of 1 and 2"
    assert whose(4, 1) == "the backs of 1, 2, 3 and 4"
    assert whose(5, 1) == "the backs of 1, 2, 3 and 2 more"
    assert whose(5, 0) == "the backs of all 5"


def test_worst_is_reported() -> None:
    (found,) = check([full(GOLD) + within(CARD, width, INK) for width in (1.65, 1.25)])
    assert "a border about 1.2 mm wide" in found.what


def test_drift_of_a_side() -> None:
    assert drift_of("back", None) == 1.0
    assert drift_of("back", 0.7) == 0.7
    assert drift_of("front", None) == drift_of("front", 2.0) == 0.5
