"""The finished PDF of nets: cut lines on the whole outline, fold lines on theirs, nothing else."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import pairwise

import pikepdf
import pytest
import shapely
from shapely.geometry import LineString, Point

from generator.basics.errors import Place
from generator.basics.geometry import Point as Spot
from generator.basics.geometry import Size
from generator.basics.shapes import edges
from generator.layout import Blank, Item, Printing, PrintRun, impose, solids
from generator.layout.nets import Net
from generator.model import Sheet
from tests.support.printing import FONTS, Deck, built, face_of, print_decks

MM = 25.4 / 72
SHAPES = {
    "pyramid": solids.pyramid(36, 52),
    "tent": solids.tent(15, 13, 12),
    "house": solids.house(13, 13, 26, 8),
    "box": solids.tuckbox(66, 92, 8),
}


def deck_of(net: Net, count: int) -> Deck:
    faces = [face_of(f"net {i}", net, 1.5, f"<!-- {i} -->") for i in range(count)]
    items = tuple(Item(f"p{i}", face.id, None) for i, face in enumerate(faces))
    run = PrintRun("nets", "Nets", Blank(net, 1.5, 1.5), "double", items, Place("here"))
    return Deck(run, tuple(faces))


def strokes(pdf: bytes, kind: str) -> list[LineString]:
    """The dark lines in the form of a kind of marks on the first page, mm from the top left."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        page = document.pages[0]
        height = float(page.mediabox[3])
        forms = [form for name, form in page.Resources.XObject.items() if f".{kind}-" in name]
        (form,) = forms
        return list(_strokes(form, height))


def _strokes(form: pikepdf.Object, height: float) -> Iterator[LineString]:
    is_dark, start = False, (0.0, 0.0)
    for step in pikepdf.parse_content_stream(form):
        values = [float(v) for v in step.operands] if str(step.operator) in ("m", "l", "RG") else []
        match str(step.operator):
            case "RG":
                is_dark = max(values) < 0.5
            case "m":
                start = values[0] * MM, (height - values[1]) * MM
            case "l":
                end = values[0] * MM, (height - values[1]) * MM
                if is_dark:
                    yield LineString([start, end])
                start = end


@pytest.mark.parametrize("name", SHAPES)
def test_the_outline_is_cut_and_the_folds_are_dashed(name: str) -> None:
    net = SHAPES[name]
    printed = print_decks([deck_of(net, 1)])
    (placement,) = printed.sheets[0].pages[0].placements
    place = placement.affine

    def on_page(x: float, y: float) -> tuple[float, float]:
        return place.apply(Spot(x + 1.5, y + 1.5))

    rim = shapely.LinearRing([on_page(*corner) for corner in net.outline])
    # of a rectangle, ticks beside it extend the edges
    lines = [line for line in strokes(printed.pdf, "cut") if rim.buffer(0.05).covers(line)]
    cut = shapely.union_all(lines)
    assert cut.hausdorff_distance(rim) < 0.05
    piece = shapely.Polygon(rim).buffer(0.02)
    dashes = [line for line in strokes(printed.pdf, "fold") if piece.covers(line)]
    for fold in net.folds:
        line = LineString([on_page(*fold.start), on_page(*fold.end)])
        on_it = [dash for dash in dashes if line.buffer(0.02).contains(dash)]
        assert 0.4 * line.length < sum(dash.length for dash in on_it) < 0.95 * line.length
        for end in line.coords:
            assert min(dash.distance(Point(end)) for dash in on_it) < 0.02, "a dash at both ends"
    folds = shapely.union_all([LineString([on_page(*fold.start), on_page(*fold.end)]) for fold in net.folds])
    assert all(folds.buffer(0.02).contains(dash) for dash in dashes), "and nowhere else"


@pytest.mark.parametrize("name", SHAPES)
def test_a_ruler_lies_from_tick_to_tick_along_every_fold(name: str) -> None:
    """A tick lies on an extended fold, off the bleed, wherever that leaves the piece at once."""
    net = SHAPES[name]
    printed = print_decks([deck_of(net, 1)])
    place = printed.sheets[0].pages[0].placements[0].affine

    def on_page(x: float, y: float) -> tuple[float, float]:
        return place.apply(Spot(x + 1.5, y + 1.5))

    piece = shapely.Polygon([on_page(*corner) for corner in net.outline])
    ticks = [line for line in strokes(printed.pdf, "fold") if not piece.intersects(line)]
    assert ticks
    assert all(piece.distance(tick) > 0.99 and tick.length > 0.99 for tick in ticks)
    rays = [ray for fold in net.folds for ray in beyond(on_page(*fold.start), on_page(*fold.end))]
    assert all(any(ray.buffer(0.02).contains(tick) for ray in rays) for tick in ticks)
    for ray in rays:
        leaves = ray.interpolate(2.5).distance(piece) > 1.6 and ray.interpolate(7).distance(piece)
        if leaves > 1.6:
            assert any(ray.buffer(0.02).contains(tick) for tick in ticks)


def beyond(one: tuple[float, float], other: tuple[float, float]) -> Iterator[LineString]:
    """The 12 mm of a line past either end."""
    for (x, y), (u, v) in ((one, other), (other, one)):
        far = 12 / Point(x, y).distance(Point(u, v))
        yield LineString([(u, v), (u + far * (u - x), v + far * (v - y))])


def test_ticks_keep_off_every_neighbour() -> None:
    """On a full sheet they are shorter, and some lie on bleed, but none comes near a trim."""
    deck = deck_of(SHAPES["tent"], 60)
    (sheet, *_) = imposed(deck)
    page = sheet.pages[0]
    outline = deck.run.blank.shape.outline
    trims = shapely.union_all(
        [shapely.Polygon([p.affine.apply(Spot(x + 1.5, y + 1.5)) for x, y in outline]) for p in page.placements]
    )
    lines = [LineString([mark.start, mark.end]) for mark in page.marks if mark.kind == "fold"]
    ticks = [line for line in lines if not trims.buffer(0.02).covers(line)]
    assert len(page.placements) > 30
    assert len(ticks) >= 2 * 30
    assert min(trims.distance(tick) for tick in ticks) > 0.99


def test_marks_are_layers_that_can_be_switched_off() -> None:
    with pikepdf.open(io.BytesIO(print_decks([deck_of(SHAPES["box"], 1)]).pdf)) as document:
        names = [str(group.Name) for group in document.Root.OCProperties.OCGs]
    assert names == ["Art", "Cut marks", "Fold lines", "Labels"]


def test_nets_lie_apart_with_their_bleeds() -> None:
    deck = deck_of(SHAPES["house"], 12)
    for sheet in imposed(deck):
        clips = [shapely.Polygon(p.clip) for p in sheet.pages[0].placements]
        assert len(clips) > 1
        for one, other in pairwise(clips):
            assert shapely.intersection(one, other, grid_size=1e-6).area < 1e-3


def imposed(deck: Deck) -> list[Sheet]:
    return impose("Toy", [deck.run], Printing(Size(215.9, 279.4), "long"), FONTS)


def test_no_marks_when_none_are_asked_for_but_folds() -> None:
    from generator.layout import parse_marks

    deck = deck_of(SHAPES["tent"], 1)
    printing = Printing(Size(215.9, 279.4), "long", marking=parse_marks("none"))
    (sheet,) = impose("Toy", [deck.run], printing, FONTS)
    assert {line.kind for line in sheet.pages[0].marks} == {"fold", "slug"}


def test_a_kit_with_its_box_ends_with_it() -> None:
    with pikepdf.open(io.BytesIO(built("talavera", only=("cards", "box")))) as document:
        with document.open_outline() as outline:
            titles = [str(item.title) for item in outline.root]
        assert titles == ["Cards: sheet 1 of 2", "Cards: sheet 2 of 2", "Box: sheet 1 of 1"]
        assert len(document.pages) == 6, "an empty back: no card is printed behind the box"


def test_edges_of_a_box_have_no_gap() -> None:
    """The outline is closed and crosses itself nowhere, so that scissors can follow it."""
    for net in SHAPES.values():
        ring = shapely.LinearRing(net.outline)
        assert ring.is_simple
        assert min(LineString(edge).length for edge in edges(net.outline)) > 0.1
