"""What counts as changed is what prints: no more, and no less."""

from __future__ import annotations

import csv
import random
import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generator import faces as faces_of
from generator import pipeline
from generator.basics.errors import Place
from generator.model import Design, Piece, Side
from generator.pipeline.comparing import edition
from generator.pipeline.game import draw
from generator.pipeline.sheets import silent
from generator.review import Changes, Edition, Group, choose_reprints, compare, describe_changes, group_changes
from generator.review.changes import Cell
from tests.bad_specs.games import HERE
from tests.support.editing import edit
from tests.support.printing import alone

ROOT = Path(__file__).parents[2]
FONT = ROOT / "tests/fonts/noto-sans"
Face = tuple[str, str, str]


def read(folder: Path) -> Edition:
    loaded = pipeline.read(str(folder))
    return edition(loaded.game, draw(loaded, silent))


@cache
def published() -> Edition:
    with tempfile.TemporaryDirectory() as folder:
        return read(alone(Path(folder)))


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    return alone(tmp_path)  # whose box is as large as the cards are many


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    shutil.copytree(HERE / "_tiny", tmp_path / "tiny")
    return tmp_path / "tiny"


@cache
def tiny_cards() -> Design:
    (cards,) = pipeline.read(str(HERE / "_tiny")).designs
    return cards


def faces(changes: Changes) -> set[Face]:
    return {(pair.kind, pair.piece, pair.side) for pair in changes.faces}


def changed(old: Edition, folder: Path) -> set[Face]:
    return faces(compare(old, read(folder)))


def both(kind: str, *pieces: object) -> set[Face]:
    return {(kind, str(piece), side) for piece in pieces for side in ("front", "back")}


def table(folder: Path) -> list[dict[str, str]]:
    with (folder / "cards.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def write(folder: Path, rows: list[dict[str, str]]) -> None:
    with (folder / "cards.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


COLUMNS = {f"{kind}{name}": side for name in ("yellow", "azure", "sky", "red")
           for kind, side in (("order_", "front"), ("", "back"))}  # fmt: skip


@settings(max_examples=12)
@given(st.integers(0, 17), st.sampled_from(sorted(COLUMNS)), st.integers(1, 3))
def test_a_cell_changes_exactly_the_face_that_reads_it(row: int, column: str, value: int) -> None:
    """What reads which column is told here once more, by the words of the spec."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = alone(Path(temporary))
        rows = table(folder)
        before, rows[row][column] = rows[row][column], str(value)
        write(folder, rows)
        changes = compare(published(), read(folder))
    if before == str(value):
        assert changes == Changes((), ())
        return
    (pair,) = changes.faces
    assert (pair.piece, pair.side, pair.kind) == (rows[row]["id"], COLUMNS[column], "changed")
    assert [(c.column, c.old, c.new) for c in pair.cells] == [(column, int(before), value)]


@settings(max_examples=8)
@given(st.randoms(use_true_random=False))
def test_rows_added_and_taken_out(dice: random.Random) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = alone(Path(temporary))
        rows = table(folder)
        gone = {row["id"] for row in dice.sample(rows, dice.randint(0, 17))}
        kept = [row for row in rows if row["id"] not in gone]
        new = [{**dice.choice(rows), "id": f"new {n}"} for n in range(dice.randint(0, 3))]
        mixed = [*kept, *new]
        dice.shuffle(mixed)
        write(folder, mixed)
        found = changed(published(), folder)
    assert found == both("removed", *gone) | both("added", *(row["id"] for row in new))


def test_art_changes_all_that_use_it(deck: Path) -> None:
    red = [row["id"] for row in table(deck) if row["red"] != "0"]
    every = [row["id"] for row in table(deck)]
    edit(deck / "art/red.svg", "<title>", "<!-- a remark --><title>")
    assert changed(published(), deck) == set()
    (deck / "art/red.svg").write_bytes((deck / "art/sky.svg").read_bytes())
    fronts = {("changed", id_, "front") for id_ in every}
    assert changed(published(), deck) == fronts | {("changed", id_, "back") for id_ in red}
    shutil.copy(ROOT / "templates/talavera/art/red.svg", deck / "art/red.svg")
    (deck / "art/star.svg").write_bytes((deck / "art/sky.svg").read_bytes())
    assert changed(published(), deck) == {("changed", id_, "back") for id_ in every}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('title = "Cards"', 'title = "Other cards"'),
        ("# Talavera, 18 cards.", "# Another remark."),
        ('designer = "Jon Ericson"', 'designer = "Somebody"'),
        ("[variant.balanced]", "[variant.other]"),
    ],
)
def test_what_does_not_print_is_no_change(deck: Path, old: str, new: str) -> None:
    edit(deck / "game.toml", old, new)
    (deck / "cards.csv").write_bytes((deck / "cards.csv").read_bytes().replace(b"\n", b"\r\n"))
    (deck / "notes.txt").write_text("not read")
    assert changed(published(), deck) == set()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('corner_radius = "3mm"', 'corner_radius = "2mm"'),
        ('bleed = "3mm"', 'bleed = "2mm"'),
        ('size = ["63.5mm", "88.9mm"]', 'size = ["63.5mm", "89mm"]'),
    ],
)
def test_where_it_is_cut_is_a_change(deck: Path, old: str, new: str) -> None:
    edit(deck / "game.toml", old, new)
    assert changed(published(), deck) == both("changed", *range(1, 19))


def test_an_inch_is_what_it_is_in_millimetres(tiny: Path) -> None:
    edit(tiny / "game.toml", '"60mm"', '"88.9mm"')
    before = read(tiny)
    edit(tiny / "game.toml", '"88.9mm"', '"3.5in"')
    after = read(tiny)
    assert before.components[0].size != after.components[0].size  # by a hair of arithmetic
    assert compare(before, after) == Changes((), ())


def test_a_bleed_of_the_back_alone(deck: Path) -> None:
    edit(deck / "game.toml", 'bleed = "3mm"', 'bleed = "3mm"\nback_bleed = "4mm"')
    assert changed(published(), deck) == {("changed", str(n), "back") for n in range(1, 19)}


def test_a_back_that_came_and_went(tiny: Path) -> None:
    without = read(tiny)
    spec = (tiny / "game.toml").read_text()
    front = spec[spec.index("[component.front]") : spec.index("[[component.rule]]")]
    edit(tiny / "game.toml", front, front + front.replace("front", "back"))
    with_back = read(tiny)
    backs = {str(n) for n in (1, 2, 3)}
    assert faces(compare(without, with_back)) == {("added", id_, "back") for id_ in backs}
    assert faces(compare(with_back, without)) == {("removed", id_, "back") for id_ in backs}


def test_a_font_of_the_games_own(tiny: Path) -> None:
    """Its letters change, and no drawing that names it does."""
    house = read(tiny)
    (tiny / "fonts").mkdir()
    source = next(iter(sorted(FONT.rglob("*.ttf"))))
    own = tiny / "fonts/own.ttf"
    shutil.copy(source, own)
    assert changed(house, tiny) == set()  # nobody names it
    edit(tiny / "game.toml", 'number_font = "Alegreya Sans"', 'number_font = "Noto Sans"')
    before = read(tiny)
    own.write_bytes(source.read_bytes() + b"\0\0\0\0")
    assert changed(before, tiny) == {("changed", str(n), "front") for n in (1, 2, 3)}
    edit(tiny / "game.toml", 'number_font = "Noto Sans"', 'number_font = "Alegreya Sans"')
    plain = read(tiny)
    shutil.copy(source, own)
    assert changed(plain, tiny) == set()


def test_rows_without_ids_are_known_by_what_they_print(tiny: Path) -> None:
    """The number of the row is on no face here, so a row put in between is one new card."""
    spec = (tiny / "game.toml").read_text()
    spec = spec.replace('size = ["40mm", "60mm"]', 'size = ["40mm", "60mm"]\nbleed = "0mm"')
    front = spec[spec.index("[component.front]") :]
    (tiny / "game.toml").write_text(spec.replace(front, '[component.front]\ntemplate = "t.svg"\n'))
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="40mm" height="60mm" viewBox="0 0 40 60">'
        '<rect x="{{ x }}" width="5" height="5"/></svg>'
    )
    (tiny / "t.svg").write_text(drawing)
    (tiny / "cards.csv").write_text("x\n1\n2\n3\n4\n")
    before = read(tiny)
    (tiny / "cards.csv").write_text("x\n1\n9\n2\n3\n4\n")
    after = read(tiny)
    assert faces(compare(before, after)) == {("added", "2", "front")}
    assert faces(compare(after, before)) == {("removed", "2", "front")}
    (tiny / "cards.csv").write_text("x\n1\n2\n8\n4\n")
    assert changed(before, tiny) == {("changed", "3", "front")}


@given(st.lists(st.integers(0, 4), min_size=4, max_size=4), st.lists(st.integers(0, 4), min_size=4,
       max_size=4), st.sets(st.integers(0, 3)))  # fmt: skip
def test_copies_to_print_anew(old: list[int], new: list[int], moved: set[int]) -> None:
    """Against what a person would count: a new face is wanted as often as it is there, a face
    that stayed as often as it is there more."""
    whole = tiny_cards()

    def laid(counts: list[int], dots: set[int]) -> Edition:
        pieces = tuple(
            Piece(str(i), {"id": str(i), "dot": int(i in dots)}, count, Place("")) for i, count in enumerate(counts)
        )
        part = replace(whole, component=replace(whole.component, pieces=pieces))
        front: Side = "front"
        drawn = {("cards", p.id, front): face for p, face in faces_of.draw(part, front)}
        return Edition([part.component], drawn)

    was, now = laid(old, set()), laid(new, moved)
    changes = compare(was, now)
    (part,) = choose_reprints(now.components, changes, {("cards", "front"), ("cards", "back")})
    wanted = [
        count if i in moved or not before else max(count - before, 0)
        for i, (before, count) in enumerate(zip(old, new, strict=True))
    ]
    assert [piece.copies for piece in part.pieces] == wanted


def test_message(deck: Path) -> None:
    rows = table(deck)
    rows[2]["red"], rows[2]["order_sky"] = "2", "4"
    write(deck, rows)
    (deck / "art/star.svg").write_bytes((deck / "art/sky.svg").read_bytes())
    changes = compare(published(), read(deck))
    same, *others = describe_changes(changes)
    assert same == (
        "cards 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18 · back: changed"
        " (the cells it reads are unchanged)"
    )
    assert others == ["cards 3 · front: changed (order_sky 2 → 4)", "cards 3 · back: changed (red 0 → 2)"]
    assert len(group_changes(changes.faces)) == len(changes.faces)  # each back has a number of its own


def test_faces_that_changed_alike_are_shown_once(deck: Path) -> None:
    """A back that all share is one thing to look at, and was one change."""
    edit(deck / "game.toml", 'renderer = "talavera.tiles"', 'renderer = "playing.back"')
    spec = (deck / "game.toml").read_text()
    back = spec[spec.index("[component.back]") : spec.index("# What must hold of the deck.")]
    rules = spec[spec.index("# What must hold of the deck.") :]
    plain = '[component.back]\ntemplate = "back.svg"\n'
    (deck / "game.toml").write_text(spec.replace(back, plain).replace(rules, ""))
    shutil.copy(ROOT / "tests/templates/quest/back.svg", deck / "back.svg")
    edit(deck / "game.toml", 'template = "back.svg"', 'template = "back.svg"\nedge = "#3b3f73"')
    write(deck, [{k: v for k, v in row.items() if k == "id" or "_" in k} for row in table(deck)])
    before = read(deck)
    edit(deck / "game.toml", "#3b3f73", "#3b3f74")
    (group,) = group_changes(compare(before, read(deck)).faces)
    assert group.pieces == tuple(str(n) for n in range(1, 19))
    assert group.side == "back"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("", 3, "(empty) → 3"),
        (None, "a", "(no column) → a"),
        ("two\n lines", "one", "two lines → one"),
        (
            "First draw two cards, then " + "discard " * 20,
            "First draw three cards, then " + "discard " * 20,
            "First draw two cards, then disca… → First draw three cards, then disca…",
        ),
        ("a" * 60 + "b", "a" * 60, f"…{'a' * 16}b → …{'a' * 16}"),
        ("a" * 900, "b" * 900, f"{'a' * 96}… → {'b' * 96}…"),
    ],
)
def test_of_a_long_text_the_difference_is_reported(old: str, new: str, said: str) -> None:
    group = Group("cards", "front", "changed", ("1",), None, None, (Cell("text", old, new),))
    assert group.description == f"text {said}"
