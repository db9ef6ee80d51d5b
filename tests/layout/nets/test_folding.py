"""Every net folded in space by other geometry: faces meet, tabs lie inside, boxes close."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely.geometry import Polygon

from generator.basics.geometry import mirror_x
from generator.basics.shapes import edges
from generator.layout import nets, solids
from generator.layout.nets import Net, Panel
from tests.layout.nets.space import Plane, Points, Solid, along, beyond, fold, normal, outer

CLOSE = 0.2  # mm between faces that meet
SLIVER = 1e-6  # mm²
measures = st.floats(8.0, 120.0).map(lambda value: round(value, 2))


@st.composite
def pyramids(draw: st.DrawFn) -> Net:
    base = draw(measures)
    return solids.pyramid(base, base * draw(st.floats(0.5, 4.0)))


boxes = st.builds(
    solids.tuckbox, measures.filter(lambda w: w >= 20), measures.filter(lambda h: h >= 20), st.floats(5, 90)
)
tents = st.builds(solids.tent, measures, measures, measures)
houses = st.builds(solids.house, measures, measures, measures, st.floats(5.0, 60.0))
thrown = st.builds(solids.die, st.sampled_from(solids.SIDES), measures)
standees = st.builds(solids.standee, measures, measures, st.floats(8, 20), has_slot=st.booleans())
trays = st.builds(solids.tray, measures, measures, measures, is_lid=st.booleans())
envelopes = st.builds(solids.envelope, measures, measures, st.floats(8, 30))
closed = st.one_of(pyramids(), boxes, tents, houses, thrown, trays)
every = st.one_of(closed, standees, envelopes)
few = settings(max_examples=40)


def is_open(name: str, net: Net, points: Points) -> NDArray[np.bool_]:
    """Which points of a standing piece's edges need no neighbour: its foot; the thumb notch; the
    gables that a tent has not; the rim of a tray."""
    x, y, z = np.asarray(points).T
    names = {panel.name for panel in net.panels}
    if "gable-1" not in names and "roof-1" in names:
        return np.asarray(y < y.max() - 1e-6)
    if "face-1" in names:
        return np.zeros(len(y), dtype=bool)
    if "tab-4" in names and "bottom" in names:
        return np.asarray(y >= max(corners[:, 1].max() for corners in upright(net).values()) - 1e-6)
    if "tuck" in names:
        is_before = (name == "front") | (np.abs(z) < 1e-6)
        width, height = net.panel("front").size
        is_notch = (np.abs(x - width / 2) < width / 5 + 1e-6) & (y > -height / 3)
        return np.asarray(is_before & is_notch & (name in ("front", "top")))
    foot = min(corners[:, 1].min() for corners in upright(net).values())
    return np.asarray(y <= foot + 1e-6)


def upright(net: Net) -> Solid:
    """Folded, its first panel's box at the origin, and leaning back as it stands (y up)."""
    solid = fold(net)
    place = net.panels[0].place
    turn = np.array([[place.a, place.b, 0], [place.c, place.d, 0], [0, 0, 1]])
    flip = np.diag([1.0, -1.0, 1.0])
    lean = np.radians(net.lean)
    back = np.array([[1, 0, 0], [0, np.cos(lean), np.sin(lean)], [0, -np.sin(lean), np.cos(lean)]])
    origin = np.array([place.e, -place.f, 0.0])
    motion = back @ flip @ turn @ flip
    return {name: (corners - origin) @ motion.T for name, corners in solid.items()}


@few
@given(every)
def test_panels_do_not_overlap_on_the_paper_and_are_cut_out_in_one(net: Net) -> None:
    flat = [Polygon(panel.outline) for panel in net.panels]
    assert all(panel.is_valid for panel in flat)
    for one, other in combinations(flat, 2):
        assert shapely.intersection(one, other, grid_size=1e-7).area < SLIVER
    assert Polygon(net.outline).is_valid
    assert net.area == pytest.approx(sum(panel.area for panel in flat), abs=1e-4)
    assert min(x for x, _ in net.outline) == pytest.approx(0.0, abs=1e-9)
    assert min(y for _, y in net.outline) == pytest.approx(0.0, abs=1e-9)


@few
@given(every)
def test_folds_lie_on_the_edges_of_both_panels(net: Net) -> None:
    assert {net.panels[0].name, *(a_fold.to for a_fold in net.folds)} == {p.name for p in net.panels}
    for a_fold in net.folds:
        for name in (a_fold.of, a_fold.to):
            rim = shapely.LinearRing(net.panel(name).outline)
            line = shapely.LineString([a_fold.start, a_fold.end])
            assert line.length > 1.0
            assert rim.buffer(1e-6).contains(line)


@few
@given(closed)
def test_faces_meet(net: Net) -> None:
    solid = upright(net)
    planes = {panel.name: Plane(solid[panel.name]) for panel in outer(net)}
    for name in planes:
        points = along(solid[name])
        points = points[~is_open(name, net, points)]
        near = np.min([p.distance(points) for other, p in planes.items() if other != name], axis=0)
        assert (near < CLOSE).all(), name


@few
@given(closed)
def test_the_printed_side_is_outside(net: Net) -> None:
    solid = upright(net)
    middle = np.concatenate([solid[panel.name] for panel in outer(net)]).mean(axis=0)
    for panel in outer(net):
        corners = solid[panel.name]
        assert normal(corners) @ (corners.mean(axis=0) - middle) > 0, panel.name


@few
@given(every)
def test_tabs_and_flaps_lie_within_what_they_lie_behind(net: Net) -> None:
    solid = fold(net)
    for panel in net.panels:
        if panel.behind:
            plane, corners = Plane(solid[panel.behind]), solid[panel.name]
            assert plane.off(corners).max() < CLOSE, panel.name
            cover = plane.panel.convex_hull.buffer(1e-6)  # with the thumb notch
            assert cover.contains(Polygon(plane.on(corners))), panel.name


@few
@given(every)
def test_what_the_house_folds_is_what_is_folded_here(net: Net) -> None:
    solid, frames = upright(replace(net, lean=0.0)), nets.fold_net(net)
    for panel in net.panels:
        own = np.array([frames[panel.name].at(point) for point in panel.outline])
        assert np.abs(own * [1, -1, -1] - solid[panel.name]).max() < 1e-6, panel.name


@few
@given(every)
def test_a_mirrored_net_folds_too(net: Net) -> None:
    behind = net.mirrored()
    assert behind.outline == net.outline or behind.area == pytest.approx(net.area)
    solid, other = fold(net), fold(behind)
    width = net.size.width
    for panel, seen in zip(net.panels, behind.panels, strict=True):
        ends = [mirror_x(width).apply(point) for point in panel.outline]
        assert np.array(sorted(ends)) == pytest.approx(np.array(sorted(seen.outline)))
        assert np.sort(solid[panel.name][:, 2]) == pytest.approx(np.sort(other[panel.name][:, 2]), abs=1e-6)


@few
@given(measures.filter(lambda w: w >= 20), measures.filter(lambda h: h >= 20), st.floats(5.0, 90.0))
def test_a_box_closes_around_its_measures(width: float, height: float, depth: float) -> None:
    net = solids.tuckbox(width, height, depth)
    solid = upright(net)
    corners = np.concatenate([solid[panel.name] for panel in outer(net)])
    assert corners.max(axis=0) - corners.min(axis=0) == pytest.approx([width, height, depth])
    normals = {tuple(np.round(normal(solid[p.name]), 6) + 0.0) for p in outer(net)}
    assert len(normals) == 6
    tuck = solid["tuck"]
    assert tuck.max(axis=0)[1] == pytest.approx(0.0, abs=1e-6), "it hangs from the lid's front edge"
    assert (tuck[:, 2] <= CLOSE).all(), "inside, not before the front"


# H. S. M. Coxeter, Regular Polytopes, table I; a ten-sided die is not regular
DIHEDRAL = {4: 70.5288, 6: 90.0, 8: 109.4712, 12: 116.5651, 20: 138.1897}
CORNERS = {4: 4, 6: 8, 8: 6, 10: 12, 12: 20, 20: 12}


@pytest.mark.parametrize("sides", solids.SIDES)
def test_a_die_closes(sides: int) -> None:
    """Its faces meet in the corners of the solid; each edge has a tab, or is folded; opposite faces
    add up; it lies on a face."""
    net = solids.die(sides, 16.0)
    solid = upright(net)
    faces = {p.name: solid[p.name] for p in net.panels if not p.is_glued}
    assert set(faces) == {f"face-{number}" for number in range(1, sides + 1)}
    corners = np.concatenate(list(faces.values()))
    apart = np.linalg.norm(corners[:, None] - corners[None], axis=2)
    assert not ((apart > 1e-6) & (apart < 1.0)).any(), "they meet, or are an edge apart"
    assert len(np.unique(np.round(corners, 5) + 0.0, axis=0)) == CORNERS[sides]
    assert len(net.folds) == CORNERS[sides] + sides - 2, "Euler: one for each edge"
    out = {name: normal(face) for name, face in faces.items()}
    for number in range(1, sides + 1) if sides > 4 else ():
        assert out[f"face-{number}"] == pytest.approx(-out[f"face-{sides + 1 - number}"])
    if sides in DIHEDRAL:
        assert {round(180 - a_fold.angle, 4) for a_fold in net.folds} == {DIHEDRAL[sides]}
    foot = corners[:, 1].min()
    assert sum((face[:, 1] < foot + 1e-6).all() for face in faces.values()) == 1


def test_one_two_and_three_of_a_cube_are_counterclockwise() -> None:
    solid = upright(solids.die(6, 16.0))
    one, two, three = (normal(solid[f"face-{number}"]) for number in (1, 2, 3))
    assert np.cross(one, two) @ three == pytest.approx(1.0), "seen from outside"


def test_neighbours_of_a_twenty_sided_die_are_the_usual() -> None:
    """Those of spheres of numbers that dice makers print: 20 beside 2, 8 and 14, and so on."""
    usual = {20: {2, 8, 14}, 3: {16, 17, 19}, 9: {6, 11, 19}, 10: {8, 12, 17}, 5: {13, 15, 18}}
    solid = {
        int(name[5:]): set(map(tuple, np.round(corners, 5) + 0.0))
        for name, corners in upright(solids.die(20, 16.0)).items()
        if name.startswith("face")
    }
    for face, beside in usual.items():
        assert {n for n in solid if len(solid[n] & solid[face]) == 2} == beside


def test_a_standee_stands_on_its_base_and_in_a_slot() -> None:
    flap, slot = (solids.standee(25.0, 40.0, 10.0, has_slot=way) for way in (False, True))
    solid = upright(flap)
    for name in ("base-1", "base-2"):
        assert normal(solid[name]) == pytest.approx([0.0, 1.0, 0.0]), "printed side up"
    assert solid["base-1"][:, 2].max() == pytest.approx(10.3, abs=1e-3), "before the front"
    assert solid["base-2"][:, 2].min() == pytest.approx(-10.3, abs=1e-3), "behind the back"
    assert normal(solid["front"])[2] == pytest.approx(1.0, abs=1e-3)
    assert normal(solid["back"])[2] == pytest.approx(-1.0, abs=1e-3)
    foot = upright(slot)["back"]
    assert np.ptp(foot[foot[:, 1] < foot[:, 1].min() + 1.0][:, 0]) == pytest.approx(0.76 * 25)
    assert slot.panel("front").size == (25.0, 40.0), "art ends above what is in the slot"


@given(measures, measures, measures)
@few
def test_a_lid_goes_over_its_tray(width: float, depth: float, height: float) -> None:
    low, high = (upright(solids.tray(width, depth, height, is_lid=is_lid)) for is_lid in (False, True))
    for solid, name, up in ((low, "bottom", -1.0), (high, "top", 1.0)):
        assert normal(solid[name]) == pytest.approx([0.0, up, 0.0])
        walls = np.concatenate([solid[wall] for wall in ("front", "back", "left", "right")])
        assert np.ptp(walls, axis=0) == pytest.approx([width, height, depth])
        assert normal(solid["left"])[0] == pytest.approx(-1.0)


@pytest.mark.parametrize(
    "net",
    [
        solids.die(4, 16),
        solids.die(20, 16),
        solids.tray(66, 92, 20),
        solids.envelope(66, 92, 20),
        solids.pyramid(36, 52),
        solids.pyramid(24, 24),
        solids.house(13, 13, 26, 8),
        solids.tuckbox(66, 92, 8),
    ],
)
def test_tabs_hold(net: Net) -> None:
    """At least 5 mm for a fingertip, and as long as the edge nearly."""
    for panel in net.panels:
        if panel.is_glued:
            assert panel.size.height >= 5.0, panel.name


def planted(net: Net, name: str, angle: float) -> Net:
    folds = tuple(replace(a_fold, angle=angle) if a_fold.to == name else a_fold for a_fold in net.folds)
    return replace(net, folds=folds)


def test_the_measures_can_fail() -> None:
    """A fold by a degree too few; a tab too wide; panels that overlap."""
    box = solids.tuckbox(66, 92, 20)
    bent = planted(box, "right", 88.0)
    for test, net in (
        (test_faces_meet, bent),
        (test_tabs_and_flaps_lie_within_what_they_lie_behind, planted(box, "tuck", 85.0)),
        (test_the_printed_side_is_outside, planted(box, "back", -90.0)),
        (test_panels_do_not_overlap_on_the_paper_and_are_cut_out_in_one, wide(box, "tab")),
        (test_tabs_and_flaps_lie_within_what_they_lie_behind, wide(box, "seat")),
    ):
        with pytest.raises(AssertionError):
            test.hypothesis.inner_test(net)  # type: ignore[attr-defined]


def wide(net: Net, name: str) -> Net:
    """A panel twice as large about its middle."""

    def twice(panel: Panel) -> Panel:
        x, y = (sum(v) / len(v) for v in zip(*panel.outline, strict=True))
        grown = tuple(p._replace(x=2 * p.x - x, y=2 * p.y - y) for p in panel.outline)
        return replace(panel, outline=grown)

    panels = tuple(twice(p) if p.name == name else p for p in net.panels)
    return replace(net, panels=panels)


def thick(solid: Solid, names: list[str], by: float) -> list[tuple[Points, float]]:
    """The planes of panels, each moved outward."""
    return [(n, float(n @ solid[name][0]) + by) for name in names for n in [normal(solid[name])]]


SIDES = [f"side-{number}" for number in range(1, 5)]
PAPER = 0.3


def test_toripokas_pyramids_stand_in_each_other_and_on_each_other() -> None:
    from generator import pipeline

    shapes = {c.id: c.shape for c in pipeline.read("toripoka").game.components}
    trio = [shapes[id_] for id_ in ("large", "medium", "small")]
    for larger, smaller in pairwise(trio):
        assert isinstance(larger, Net)
        assert isinstance(smaller, Net)
        outside, inside = centred(larger), centred(smaller)
        points = np.concatenate([inside[name] for name in SIDES])
        for n, reach in thick(outside, SIDES, -PAPER):
            assert (points @ n).max() < reach - PAPER, "room for both papers"
        assert seen_below(outside, inside) > 10.0, "the pips of the lower one are seen"


def centred(net: Net) -> Solid:
    """Standing on a table: its foot around the origin."""
    solid = upright(net)
    points = np.concatenate([solid[name] for name in SIDES])
    low = points[points[:, 1] < points[:, 1].min() + 1e-6]
    return {name: corners - low.mean(axis=0) for name, corners in solid.items()}


def seen_below(lower: Solid, upper: Solid) -> float:
    """How high the upper one rests on the lower: its inner foot meets the lower's sides, and there
    its apex is clear of the lower one's."""
    foot = max(abs(float(p[0])) for name in SIDES for p in upper[name]) - PAPER
    n, reach = next((n, r) for n, r in thick(lower, SIDES, 0.0) if n[0] > 0.1)
    high = (reach - n[0] * foot) / n[1]
    tip, top = (max(float(s[name][:, 1].max()) for name in SIDES) for s in (upper, lower))
    assert high + tip > top + PAPER
    return float(high)


@pytest.mark.parametrize(
    "net", [solids.pyramid(36, 52), solids.tent(15, 13, 12), solids.house(13, 13, 26, 8), solids.tuckbox(66, 92, 20)]
)
def test_a_standing_piece_is_seen_the_nearest_last(net: Net) -> None:
    """From another projection: wherever two panels lie over each other, the later is the nearer."""
    yaw, pitch = np.radians(32.0), np.radians(28.0)
    turn = np.array([[np.cos(yaw), 0, -np.sin(yaw)], [0, 1, 0], [np.sin(yaw), 0, np.cos(yaw)]])
    tip = np.array([[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]])
    solid = {name: corners @ turn.T @ tip.T for name, corners in upright(net).items()}
    seen = nets.standing(net)
    assert [p.name for p in outer(net)] == sorted(
        (panel.panel.name for panel in seen if not panel.panel.behind), key=[p.name for p in net.panels].index
    )
    shift = np.array(seen[0].outline[0]) - solid[seen[0].panel.name][0, :2] * [1, -1]
    pairs = 0
    for panel in seen:
        corners = solid[panel.panel.name]
        assert np.abs(corners[:, :2] * [1, -1] + shift - np.array(panel.outline)).max() < 1e-6
        assert (normal(corners)[2] < 1e-9) == panel.is_inside
        moved = [panel.motion.apply(point) for point in panel.panel.outline]
        assert np.array(moved) == pytest.approx(np.array(panel.outline))
    for i, one in enumerate(seen):
        for other in seen[i + 1 :]:
            common = Polygon(one.outline).intersection(Polygon(other.outline))
            if common.area > 0.5:
                spot = np.array(common.representative_point().coords[0])
                pairs += 1
                below, above = (depth(solid[s.panel.name], (spot - shift) * [1, -1]) for s in (one, other))
                assert above > below - 1e-6, (one.panel.name, other.panel.name)
    assert pairs, "something lies behind something"


def depth(corners: Points, spot: Points) -> float:
    """How near a panel's plane is to the eye at a spot of the picture."""
    n = normal(corners)
    return float((n @ corners[0] - n[:2] @ spot) / n[2]) if abs(n[2]) > 1e-9 else 0.0


def test_nothing_hangs_on_a_tab() -> None:
    for net in (solids.pyramid(36, 52), solids.house(13, 13, 26, 8), solids.tuckbox(66, 92, 20)):
        for panel in net.panels:
            assert not panel.is_glued or beyond(net, panel.name) == [panel.name]
            assert len(list(edges(panel.outline))) >= 3
