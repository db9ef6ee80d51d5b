"""Templates that a column chooses."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from generator import faces, game, pipeline
from generator.faces.templating import template
from tests.conftest import Pnp
from tests.game.tiny import GAME, HEAD, drawn, problems, text, tiny, words

RED, GREEN, BLUE, YELLOW = (200, 30, 30), (30, 150, 60), (30, 60, 170), (220, 200, 40)
ROWS = "id,kind,name,cost\na,ship,Sloop,1\nb,port,Cadiz,2\nc,ship,Sloop,3\nd,port,Faro,2\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game with two kinds of cards: ships read their name, ports their cost."""
    folder = tiny(tmp_path / "game")
    spec = GAME.replace('"front.svg"', '"art/{{ kind }}.svg"')
    (folder / "game.toml").write_text(spec, "utf-8")
    (folder / "cards.csv").write_text(ROWS, "utf-8")
    (folder / "art").mkdir()
    draw(folder, "ship", text("ship {{ name }}"))
    draw(folder, "port", text("port {{ cost }}"))
    return folder


def draw(folder: Path, kind: str, body: str, head: str = HEAD) -> None:
    (folder / f"art/{kind}.svg").write_text(f"{head}{body}</svg>", "utf-8")


def test_each_row_has_the_template_that_it_names(folder: Path) -> None:
    shown = {id_: words(face) for id_, face in drawn(folder).items()}
    assert shown == {"a": "ship Sloop", "b": "port 2", "c": "ship Sloop", "d": "port 2"}


def test_a_face_depends_on_what_its_own_template_reads(folder: Path) -> None:
    loaded = game.read(folder, "", pipeline.KINDS)
    known: faces.Known = {}
    list(faces.draw_each(loaded.designs[0], "front", known))
    assert sorted(known) == [(None, "port", "2"), (None, "ship", "Sloop")]


def test_a_template_is_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    original = template.read_template

    def counted(*args: object) -> object:
        read.append(str(args[1]))
        return original(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(template, "read_template", counted)
    drawn(folder)
    assert sorted(read) == ["art/port.svg", "art/ship.svg"]


def test_a_back_is_chosen_too(folder: Path, pnp: Pnp) -> None:
    with (folder / "game.toml").open("a", encoding="utf-8") as spec:
        spec.write('[component.back]\ntemplate = "art/{{ kind }}.svg"\nedge = "red"\n')
    loaded = game.read(folder, "", pipeline.KINDS)
    backs = {piece.id: words(face) for piece, face in faces.draw(loaded.designs[0], "back")}
    assert backs["a"] == "ship Sloop"
    assert pnp("check", folder).exit_code == 0


def _backs(folder: Path) -> dict[str, str | None]:
    """The words of the backs; None for a blank one."""
    loaded = game.read(folder, "", pipeline.KINDS)
    made = faces.draw(loaded.designs[0], "back")
    return {piece.id: words(face) if face.layers else None for piece, face in made}


@pytest.mark.parametrize("edge", ["drawn", "red"])
def test_a_row_may_have_no_back(edge: str, folder: Path, pnp: Pnp, tmp_path: Path) -> None:
    """Its cell is empty or says none; unless there is a drawing of that name."""
    with (folder / "game.toml").open("a", encoding="utf-8") as spec:
        spec.write(f'[component.back]\ntemplate = "art/{{{{ back }}}}.svg"\nedge = "{edge}"\n')
    size = 'width="46mm" height="66mm" viewBox="0 0 46 66"'
    for name in ("port", "none"):
        head = HEAD.replace('viewBox="0 0 40 60"', size) if edge == "drawn" else HEAD
        draw(folder, name, text(name), head)
    rows = "id,kind,name,cost,back\na,ship,x,1,\nb,ship,x,1,port\nc,ship,x,1,None\n"
    (folder / "cards.csv").write_text(rows, "utf-8")
    (folder / "art/none.svg").rename(folder / "art/None.svg")
    assert _backs(folder) == {"a": None, "b": "port", "c": "none"}
    (folder / "art/None.svg").unlink()
    assert _backs(folder) == {"a": None, "b": "port", "c": None}
    result = pnp("export", folder, "--to", "png", "--dpi", "50", "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    with Image.open(tmp_path / "out/faces/cards/c-back.png") as face:
        assert face.convert("L").getextrema() == (255, 255), "white to its edges"


def test_a_template_that_no_row_names_is_not_read(folder: Path, pnp: Pnp) -> None:
    draw(folder, "none", "<script/>")
    rows = "id,kind,name,cost,count\na,ship,Sloop,1,1\nb,none,Ghost,1,0\n"
    (folder / "cards.csv").write_text(rows, "utf-8")
    assert pnp("check", folder).exit_code == 0


def test_a_missing_template_is_reported_once_with_its_cells(folder: Path, pnp: Pnp) -> None:
    (folder / "cards.csv").write_text(f"{ROWS}e,prt,x,1\nf,prt,x,1\n", "utf-8")
    result = pnp("check", folder)
    assert result.output.count("error:") == 1
    assert "game/cards.csv:6 column kind: the file 'art/prt.svg' does not exist" in result.output
    assert "also: game/cards.csv:7 column kind" in result.output
    assert "did you mean 'art/port.svg'?" in result.output


def test_every_template_is_proven(folder: Path) -> None:
    draw(folder, "ship", "<script/>")
    draw(folder, "port", text("{{ cost | safe }}"))
    told = [f"{problem.place}: {problem.what}" for problem in problems(folder)]
    assert len(told) == 2
    assert any("art/ship.svg:2: <script> is not printed" in message for message in told)
    assert any("art/port.svg:2: <text>: there is no filter 'safe'" in message for message in told)


def test_every_template_has_the_size_of_the_piece(folder: Path) -> None:
    draw(folder, "port", text("{{ cost }}"), HEAD.replace("0 0 40 60", "0 0 41 60"))
    (told,) = problems(folder)
    assert "art/port.svg:1: the template is 41 × 60 mm, not 40 × 60 mm" in told.what


def test_a_layer_is_in_one_of_them(folder: Path, pnp: Pnp) -> None:
    spec = (folder / "game.toml").read_text("utf-8")
    (folder / "game.toml").write_text(f"{spec}layers = {{ sea = false, see = false }}\n", "utf-8")
    draw(folder, "ship", '<g id="sea"/>' + text("{{ name }}"))
    result = pnp("check", folder)
    assert result.output.count("error:") == 1
    assert "art/{{ kind }}.svg has no layer 'see'" in result.output


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("{{ kind.svg", "'{{' is opened here and not closed"),
        ("{{ kind | safe }}.svg", "there is no filter 'safe'"),
        ("{{ knid }}.svg", "game.toml:18: the column 'knid' is missing from game/cards.csv:1"),
        ("{{ kind }}.psd", "'ship.psd' is no drawing and no picture"),
    ],
)
def test_a_name_at_fault_ends_in_a_message(folder: Path, name: str, told: str, pnp: Pnp) -> None:
    (folder / "game.toml").write_text(GAME.replace("front.svg", name), "utf-8")
    result = pnp("check", folder)
    assert told in result.output
    assert "pnp itself" not in result.output
    assert result.exit_code == 1


def test_an_expression_may_name_a_template_for_an_empty_cell(folder: Path) -> None:
    chosen = "art/{{ kind if kind else 'port' }}.svg"
    (folder / "game.toml").write_text(GAME.replace("front.svg", chosen), "utf-8")
    (folder / "cards.csv").write_text("id,kind,name,cost\ne,,x,7\nf,ship,Sloop,1\n", "utf-8")
    assert {id_: words(face) for id_, face in drawn(folder).items()} == {"e": "port 7", "f": "ship Sloop"}


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("", "column kind: the cell is empty, so it names no template"),
        ("../../etc/passwd", "leaves the game's folder"),
        ("a" * 9_000, "cannot be read"),
        ("..", "does not exist"),
        ("{{ name }}", "does not exist"),
    ],
)
def test_a_hostile_cell_ends_in_a_message(folder: Path, cell: str, told: str, pnp: Pnp) -> None:
    (folder / "cards.csv").write_text(f"{ROWS}e,{cell},x,1\n", "utf-8")
    result = pnp("check", folder)
    assert told in result.output
    assert "pnp itself" not in result.output
    assert result.exit_code == 1


def test_many_templates_end_in_a_message(folder: Path, pnp: Pnp) -> None:
    rows = "".join(f"r{number},k{number},x,1\n" for number in range(101))
    (folder / "cards.csv").write_text(f"id,kind,name,cost\n{rows}", "utf-8")
    assert "the rows name 101 templates" in pnp("check", folder).output


def quarters(size: tuple[int, int], turn: int = 0) -> Image.Image:
    """A picture of four colours, turned by so many degrees."""
    small = Image.new("RGB", (2, 2))
    small.putdata([RED, GREEN, BLUE, YELLOW])
    return small.resize(size, Image.Resampling.NEAREST).rotate(turn, expand=True)


@pytest.mark.parametrize("edge", ['edge = "mirror"', ""])
def test_a_picture_is_a_face(edge: str, folder: Path, tmp_path: Path, pnp: Pnp) -> None:
    """Whatever its name, and as its camera was held; it fills the bleed, or with an edge the card.
    Even of a hundred and more rows each may have its own."""
    rows = "id,pic\na,Blue Elf (50%) #1.png\nb,turned.jpg\n"
    more = [f"p{number}.png" for number in range(101)]
    rows += "".join(f"{name.removesuffix('.png')},{name}\n" for name in more)
    (folder / "cards.csv").write_text(rows, "utf-8")
    spec = GAME.replace('"front.svg"', '"art/{{ pic }}"').replace('edge = "red"', edge)
    (folder / "game.toml").write_text(spec, "utf-8")
    size = (400, 600) if edge else (460, 660)
    for name in ("Blue Elf (50%) #1.png", *more):
        quarters(size).save(folder / "art" / name)
    exif = Image.Exif()
    exif[0x0112] = 6  # its camera was turned by a quarter
    quarters(size, 90).save(folder / "art/turned.jpg", exif=exif, quality=95)
    result = pnp("export", folder, "--to", "png", "--dpi", "50", "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    for name in ("a", "b", "p100"):
        with Image.open(tmp_path / f"out/faces/cards/{name}-front.png") as face:
            places = [(x, y) for y in (20, face.height - 20) for x in (10, face.width - 10)]
            shown = [face.convert("RGB").getpixel(place) for place in places]
        for colour, expected in zip(shown, (RED, GREEN, BLUE, YELLOW), strict=True):
            assert colour == pytest.approx(expected, abs=8), name


@pytest.mark.parametrize(
    ("size", "edge", "told"),
    [
        ((400, 600), "", "1.5 mm of two sides would be cut off"),
        ((400, 600), "", "it ends at the cut: set edge = 'mirror'"),
        ((660, 460), "", "it lies on its side: turn it"),
        ((500, 500), "", "crop it, or show a part of it"),
        ((460, 660), 'edge = "mirror"', "with an edge in game.toml, a picture ends at the cut"),
    ],
)
def test_a_picture_of_another_proportion_is_refused(
    size: tuple[int, int], edge: str, told: str, folder: Path, pnp: Pnp
) -> None:
    spec = GAME.replace("front.svg", "art/face.png").replace('edge = "red"', edge)
    (folder / "game.toml").write_text(spec, "utf-8")
    quarters(size).save(folder / "art/face.png")
    result = pnp("check", folder)
    assert result.exit_code == 1
    assert told in result.output
    assert result.output.count("error:") == 1
