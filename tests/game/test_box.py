"""Boxes: [[box]] is one more component, as large as what it holds, whatever that is."""

from __future__ import annotations

from itertools import permutations, product
from math import floor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import pipeline
from generator.basics.errors import PnpError
from generator.faces.net import Panels
from generator.game.boxes import CARD, LAYERS, PieceStack, around, smallest
from generator.layout.nets import Net
from generator.model import Component
from tests.conftest import Pnp
from tests.support.printing import TEMPLATES, unboxed

GAMES = ("advaya", "atreya", "talavera", "taluva", "toripoka")
ROOM = 1.0
lots = st.builds(
    PieceStack,
    st.floats(8, 160).map(lambda v: round(v, 1)),
    st.floats(8, 160).map(lambda v: round(v, 1)),
    st.integers(1, 200),
    st.sampled_from([0.2, 0.3, 0.5, 2.0]),
)


def inside(net: Net) -> tuple[float, float, float]:
    """Width, height and depth between the walls, less the sheets of card that lie there."""
    front, side = net.panel("front").size, net.panel("left").size
    outer = (front.width, front.height, side.width)
    width, height, depth = (o - n * CARD for o, n in zip(outer, LAYERS, strict=True))
    return width, height, depth


def fitting(lot: PieceStack, room: tuple[float, float, float]) -> int:
    """The most pieces of a size that stacks in rows and columns hold, in any direction."""

    def count(a: float, b: float, c: float) -> int:
        return floor(a / lot.width + 1e-9) * floor(b / lot.height + 1e-9) * floor(c / lot.thickness + 1e-9)

    return max(count(*sides) for sides in permutations(room))


@settings(max_examples=60)
@given(lots)
def test_pieces_of_one_size_fit_with_room(lot: PieceStack) -> None:
    width, height, depth = inside(around(smallest([lot]), ROOM))
    assert fitting(lot, (width - ROOM, height - ROOM, depth - ROOM)) >= lot.pieces


@settings(max_examples=15)
@given(st.lists(lots, min_size=2, max_size=4))
def test_pieces_of_several_sizes_fit(held: list[PieceStack]) -> None:
    """No less room than they fill, and each of them fits by itself."""
    room = inside(around(smallest(held), ROOM))
    width, height, depth = room
    filled = sum(lot.width * lot.height * lot.thickness * lot.pieces for lot in held)
    assert width * height * depth > filled
    assert all(fitting(lot, room) >= lot.pieces for lot in held)


def test_one_stack_where_it_costs_little() -> None:
    assert smallest([PieceStack(63.5, 88.9, 54, 0.3)]) == pytest.approx((16.2, 63.5, 88.9, 1))
    assert smallest([PieceStack(20.0, 20.0, 800, 0.3)]).stacks > 1, "no pole of 240 mm"


def boxes(game: str) -> list[Component]:
    return [
        design.component
        for design in pipeline.read(game).designs
        if isinstance(design.component.shape, Net) and not design.checks
    ]


@pytest.mark.parametrize(("game", "paper"), [*product(GAMES, ("letter", "a4"))])
def test_every_game_has_a_box_that_fits_the_paper(game: str, paper: str, pnp: Pnp) -> None:
    (box,) = boxes(game)
    told = pnp("build", game, "--plan", "--only", "box", "--paper", paper).output
    assert told.startswith("box: 1 piece on 1 sheet")
    assert box.pieces[0].copies == 1


@pytest.mark.parametrize("game", GAMES)
def test_every_box_holds_its_game(game: str) -> None:
    (box,) = boxes(game)
    assert isinstance(box.shape, Net)
    flat = [component for component in pipeline.read(game).game.components if not isinstance(component.shape, Net)]
    width, height, depth = inside(box.shape)
    for panel in flat:
        lot = PieceStack(*panel.shape.size, len(panel.copies()), 0.3)
        assert fitting(lot, (width - ROOM, height - ROOM, depth - ROOM)) >= lot.pieces


def with_box(folder: Path, text: str, game: str = "advaya") -> str:
    copy = unboxed(game, folder)
    with (copy / "game.toml").open("a", encoding="utf-8") as spec:
        spec.write(f"\n{text}\n")
    return str(copy)


def test_one_line_is_enough(tmp_path: Path) -> None:
    (box,) = boxes(with_box(tmp_path, "[[box]]"))
    assert (box.id, box.title) == ("box", "Box")
    assert isinstance(box.shape, Net)


def test_split_and_several(tmp_path: Path) -> None:
    text = '[[box]]\nsplit = 2\nholds = ["tiles"]\n[[box]]\nid = "more"\nholds = ["tokens", "track"]'
    tiles, more = boxes(with_box(tmp_path, text))
    assert (tiles.pieces[0].copies, more.title) == (2, "Box more")
    (whole,) = boxes(with_box(tmp_path / "whole", '[[box]]\nholds = ["tiles"]'))
    halves, all_ = (inside(box.shape) for box in (tiles, whole) if isinstance(box.shape, Net))
    assert halves[0] * halves[1] * halves[2] < all_[0] * all_[1] * all_[2]


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        ('holds = ["tile"]', "'tile' is not a component", "did you mean 'tiles'?"),
        ("holds = []", "nothing for the box to hold", "list flat components"),
        ('thickness = "thick"', "'thick' is not a length", ""),
        ("split = 0", "split", ""),
        ('id = "tiles"', "the id 'tiles' is taken", ""),
        ('grond = "white"', "unknown key 'grond'", "did you mean 'ground'?"),
        ('ground_by = "player"\ngrounds = {}', "no column 'player'", "_by"),
        ("box = 1", "unknown key 'box'", "known: arts, ground, ground_by, grounds, holds, id, kind"),
        ('thicknes = "2mm"', "unknown key 'thicknes'", "did you mean 'thickness'?"),
        ('kind = "chest"', "kind must be 'tuckbox', 'lid', 'tray' or 'envelope'", ""),
        ('kind = "lid"\nlid = "2mm"', "too small to fold", "least: 8mm"),
        ('texts = { top = "{{ id }}" }', "no column 'id'", "'{{'"),
    ],
)
def test_what_is_wrong_is_reported(text: str, what: str, hint: str, tmp_path: Path) -> None:
    with pytest.raises(PnpError) as caught:
        pipeline.read(with_box(tmp_path, f"[[box]]\n{text}"))
    (problem,) = caught.value.problems
    assert what in problem.what
    assert hint in problem.hint
    assert "advaya/game.toml:" in str(problem.place)


def test_a_lid_a_tray_and_an_envelope_hold_the_pieces(tmp_path: Path) -> None:
    """Between their walls, each of one sheet of card; a lid goes over its tray."""
    text = '[[box]]\nkind = "{}"\nholds = ["tiles"]'
    made = {
        kind: pipeline.read(with_box(tmp_path / kind, text.format(kind))).game.components
        for kind in ("lid", "tray", "envelope")
    }
    tiles = made["tray"][0]
    block = smallest([PieceStack(*tiles.shape.size, len(tiles.copies()), CARD)])
    nets = {
        piece.id: of.shape_of(piece.id) for components in made.values() for of in components[-1:] for piece in of.pieces
    }
    lid_and_tray = made["lid"][-1]
    assert [part.title for part in lid_and_tray.alike()] == ["Box parts"] * 2, "their ids name them"
    assert [lid_and_tray.name_piece(piece.id) for piece in lid_and_tray.pieces] == [
        "Box parts box lid",
        "Box parts box tray",
    ]
    assert made["tray"][-1].name_piece("box") == "Box"
    lid, low, alone = (nets[id_] for id_ in ("box-lid", "box-tray", "box"))
    assert len(nets) == 3
    assert isinstance(lid, Net)
    assert isinstance(low, Net)
    assert isinstance(alone, Net)
    floor, deep = low.panel("bottom").size, low.panel("front").size.height
    room = (floor.width - 2 * CARD, floor.height - 2 * CARD, deep - CARD)
    assert room == pytest.approx((block.height + ROOM, block.width + ROOM, block.depth + ROOM))
    top = lid.panel("top").size
    for over, under in zip(top, floor, strict=True):
        assert 2 * CARD < over - under < 2 * CARD + 1.0
    assert lid.panel("front").size.height < deep
    assert alone.panel("back").size.width > block.width + block.depth, "the last, an envelope"


def test_a_box_may_be_without_a_title(tmp_path: Path) -> None:
    designs = [
        pipeline.read(with_box(tmp_path / name, f"[[box]]\n{text}")).designs[-1]
        for name, text in (("with", ""), ("without", 'title = ""'), ("lid", 'kind = "lid"'))
    ]
    titled, bare, lid = (design.front for design in designs)
    assert isinstance(titled, Panels)
    assert isinstance(bare, Panels)
    assert isinstance(lid, Panels)
    assert (titled.title, bare.title, list(lid.titles)) == ("Advaya", None, ["top"])
    variant = pipeline.read("taluva-60").designs[-1].front
    assert isinstance(variant, Panels)
    assert variant.title == "Taluva 60"


def test_a_box_that_no_paper_holds_says_what_to_do(tmp_path: Path, pnp: Pnp) -> None:
    game = with_box(tmp_path, '[[box]]\nthickness = "9mm"')
    result = pnp("build", game, "-o", tmp_path / "out.pdf")
    assert result.exit_code == 1
    assert "does not fit on paper" in result.output
    assert "`split = 2`" in result.output
    assert not (tmp_path / "out.pdf").exists()


def test_the_measures_can_fail() -> None:
    card = PieceStack(63.5, 88.9, 54, 0.3)
    assert fitting(card, (63.4, 88.9, 16.2)) == 0
    assert fitting(card, (63.5, 88.9, 16.0)) == 53
    assert TEMPLATES.is_dir()
