"""Components on a paper of their own: a file for each paper, made and named together."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pypdfium2
import pytest

import generator
from tests.conftest import Pnp
from tests.support import paper
from tests.support.editing import edit

GAME = Path(__file__).parents[1] / "recipes/board-on-a3"
A3, A4 = (297, 420), (210, 297)
NOTE = "board: on A3, as the game says; to print it on A4: --paper a4,board=a4"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The game as `./kit`, in the working folder."""
    monkeypatch.chdir(tmp_path)
    return copytree(GAME, tmp_path / "kit")


def sizes(path: str) -> set[tuple[int, ...]]:
    """Those of the pages, upright."""
    return {tuple(sorted(map(round, size))) for size in paper.paper_sizes(Path(path).read_bytes())}


def words(path: str, page: int = 0) -> str:
    with pypdfium2.PdfDocument(path) as document:
        text: str = document[page].get_textpage().get_text_bounded()
        return " ".join(text.split())


def test_a_build_makes_a_file_for_each_paper(pnp: Pnp) -> None:
    result = pnp("build", "./kit", "--paper", "a4", "-o", "kit.pdf")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == ["kit.pdf", "kit-a3.pdf"]
    assert NOTE in result.stderr
    assert (sizes("kit.pdf"), sizes("kit-a3.pdf")) == ({A4}, {A3})
    cover = words("kit.pdf")
    assert "page 1–2 of the A3 file" in cover.replace("pages", "page")
    assert "Laid out for A4 and A3 paper" in cover
    assert "A3, thick paper, print on both sides" in words("kit-a3.pdf")
    board = Path("kit-a3.pdf").read_bytes()
    assert paper.worst(paper.meetings(board, 3.0, "long")) < 0.01
    again = pnp("build", "./kit", "--paper", "letter", "-o", "again.pdf")
    assert again.exit_code == 0
    assert Path("again-a3.pdf").read_bytes() == board, "the usual paper changes nothing there"


@pytest.mark.parametrize(
    ("options", "files"),
    [
        ("--paper a3", {"kit.pdf": A3}),
        ("--paper 420x297mm", {"kit.pdf": A3}),
        ("--paper a4,board=a2", {"kit.pdf": A4, "kit-a2.pdf": (420, 594)}),
        ("--paper a4,board=a4 --only board", {"kit.pdf": A4}),  # in panels
        ("--paper goods=a4,board=a4 --only goods", {"kit.pdf": A4}),
        ("--paper a4 --only board", {"kit.pdf": A3}),
        ("--paper a4 --only board,cover", {"kit.pdf": A4, "kit-a3.pdf": A3}),
        ("--paper a4 --sides separate --only goods,board", {"kit.pdf": A4, "kit-a3.pdf": A3, "kit-a3-backs.pdf": A3}),
        ("--paper a4 --cutter laser --only board,goods", {"kit.pdf": A4, "kit-a3.pdf": A3}),
    ],
)
def test_files_by_the_papers_asked_for(options: str, files: dict[str, tuple[int, int]], pnp: Pnp) -> None:
    result = pnp("build", "./kit", *options.split(), "-o", "kit.pdf")
    assert result.exit_code == 0, result.output
    assert {path.name: sizes(path.name) for path in Path().glob("*.pdf")} == {
        name: {size} for name, size in files.items()
    }
    if "laser" in options:
        cut = {path.name.partition("-")[0] for path in Path("kit-cut").glob("*.svg")}
        assert cut == {"board", "goods"}


def test_components_on_one_paper_share_its_file(own_folder: Path) -> None:
    """However they write it; a box may have a paper too."""
    spec = own_folder / "game.toml"
    edit(spec, 'size = "poker"\n', 'size = "poker"\npaper = "420 x 297 mm"\n')
    spec.write_text(f'{spec.read_text("utf-8")}[[box]]\nholds = ["goods"]\npaper = "A2"\n', "utf-8")
    (own_folder / "rules.md").write_text("# Two Rivers\n\nCarry grain.\n", "utf-8")
    printed = generator.print_game("./kit", "kit.pdf", paper="a4")
    assert [path.name for path in printed.paths] == ["kit.pdf", "kit-a3.pdf", "kit-a2.pdf"]
    assert (sizes("kit-a3.pdf"), sizes("kit-a2.pdf")) == ({A3}, {(420, 594)})
    assert "Goods" in words("kit-a3.pdf", 2)


def test_a_component_may_name_a_paper_of_the_game(own_folder: Path, pnp: Pnp) -> None:
    """A precut sheet by its measures: the pieces lie where it is cut."""
    spec = own_folder / "game.toml"
    edit(spec, 'size = "poker"\n', 'size = "poker"\npaper = "large-badges"\n')
    table = 'size = "200x120mm"\npiece = "63.5x88.9mm"\ncolumns = 2\nrows = 1\nleft = "20mm"\n'
    text = f'{spec.read_text("utf-8")}[paper.large-badges]\n{table}top = "15mm"\n'
    spec.write_text(text, "utf-8")
    options = "--paper", "a4", "--only", "goods,board"
    result = pnp("build", "./kit", *options, "-o", "kit.pdf")
    assert result.stdout.splitlines() == ["kit-a3.pdf", "kit-large-badges.pdf"], result.output
    assert sizes("kit-large-badges.pdf") == {(120, 200)}
    result = pnp("build", "./kit", "--paper", "a4,board=large-badges", "--only", "board")
    assert "the sheet large-badges is cut to 63.5 x 88.9 mm" in result.output


@pytest.mark.parametrize(
    ("options", "what", "hint"),
    [
        ("--paper a4,bord=a4", "Two Rivers has no component 'bord'", "did you mean 'board'?"),
        ("--only godos --paper a4,bord=a4", "Two Rivers has no component 'bord'", "did you mean 'board'?"),
        ("--paper a4,board=a33", "paper 'a33': there is no such paper", "did you mean 'a3'?"),
        ("--paper a4,a3,board=a4", "only one paper can be the usual one", "a4,board=a3"),
        ("--paper a4,board=a4", "a piece of 380 x 270 mm does not fit", "--paper board=a3"),
        ("--paper a4,goods=a4,board=a5", "a piece of 380 x 270 mm", "--paper board=a3"),
        ("--paper a3,goods=50x90mm", "a piece of 63.5 x 88.9 mm", "--paper goods=photo-4x6"),
        ("--paper a4,board=avery-5371 --gap 2mm", "the sheet avery-5371 is already cut", "uncut"),
    ],
)
def test_check_and_build_refuse_alike(options: str, what: str, hint: str, own_folder: Path, pnp: Pnp) -> None:
    for line in ('paper = "a3"\n', 'size = "poker"\n'):
        edit(own_folder / "game.toml", line, f"{line}tile = false\n")
    for command in ("check", "build"):
        result = pnp(command, "./kit", *options.split())
        assert result.exit_code == 1, result.output
        assert what in result.output
        assert hint in result.output
    assert not Path("output").exists()


def test_several_games_in_one_file_share_the_files_of_their_papers(pnp: Pnp) -> None:
    copytree("kit", "more")
    result = pnp("build", "./kit", "./more", "--paper", "a4", "-o", "both.pdf")
    assert result.stdout.splitlines() == ["both.pdf", "both-a3.pdf"], result.output
    assert len(paper.paper_sizes(Path("both-a3.pdf").read_bytes())) == 4
    assert "A3, thick paper" in words("both.pdf"), "pages have no numbers there"


def test_a_batch_keeps_all_files_of_a_build(pnp: Pnp) -> None:
    batch = ("batch", "./kit", "--paper", "a4", "-o", "out")
    names = ["kit-a4-duplex-a3.pdf", "kit-a4-duplex.pdf"]
    assert pnp(*batch).stdout.splitlines()[:2] == [f"out/{name}" for name in names]
    assert [*json.loads(Path("out/batch.json").read_text("utf-8"))] == names
    assert "0 built, 2 there already" in pnp(*batch).output
    (Path("out") / names[0]).unlink()
    assert "2 built, 0 there already" in pnp(*batch).output
