"""The ways of printing and the printers, as a person types them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pypdfium2
import pytest

from generator.model import Face
from generator.pdf import Press
from tests.conftest import Pnp
from tests.game.tiny import tiny, write
from tests.support import paper

BLEED = 3.0
LANTERNS = Path(__file__).parent / "templates/lanterns"
TWELVE_TENTHS_RIGHT = ["E60", "E0"] * 4  # across 1.2 mm, down 0 at each corner


@pytest.fixture(autouse=True)
def own_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No profile of the person who runs the tests is read or lost."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "18 pieces on 2 sheets of 215.9 x 279.4 mm, 9 per sheet (by area at most 9), 84%"),
        (["--paper", "a4"], "9 per sheet (by area at most 9), 81%"),
        (["--no-mix", "--margin", "safe"], "18 pieces on 3 sheets of 279.4 x 215.9 mm, 8 per sheet"),
        (["--no-mix", "--gap", "2mm"], "cards: 18 pieces on 3 sheets of 279.4 x 215.9 mm, 8 per sheet"),
        (["--gap", "2mm", "--paper", "a4"], "9 per sheet (by area at most 9), 81%"),
        (["--scale", "75%"], "16 per sheet (by area at most 17), 84%"),
        (["--sides", "fold"], "16 pieces on 4 sheets of 279.4 x 215.9 mm, 4 per sheet"),
        (["--paper", "tabloid"], "18 pieces on 1 sheet of"),
        (["--margin", "safe"], "mixed: Cards, Rule cards together on 1 sheet"),
    ],
)
def test_plan_tells_how_the_paper_is_filled(pnp: Pnp, options: list[str], told: str) -> None:
    parts = "cards,rule-cards,box"  # the rules need no setting for it
    result = pnp("build", "talavera", "--plan", "--only", parts, *options)
    assert result.exit_code == 0
    assert told in result.output
    assert not Path("output").exists()


@pytest.mark.parametrize("options", [[], ["--draft"]])
def test_warnings_do_not_stop_a_build(options: list[str], tmp_path: Path, pnp: Pnp) -> None:
    game = write(tiny(tmp_path / "tiny"), '<circle r="9"/>')
    (game / "cards.csv").write_text("id,Copies,x,t\na,3,7,some words\n", "utf-8")
    run = pnp("build", str(game), *options, "-o", "x.pdf")
    assert run.exit_code == 0
    assert "warning: tiny/cards.csv:1: nothing reads the column 'Copies'" in run.stderr
    assert run.stdout == "x.pdf\n"


def test_accepted_warnings_are_not_repeated(pnp: Pnp) -> None:
    """Talavera accepts several."""
    assert not pnp("build", "talavera", "--only", "cover", "-o", "x.pdf").stderr


def test_only_the_parts_that_are_asked_for_are_printed(pnp: Pnp) -> None:
    result = pnp("build", "taluva", "--only", "huts, towers", "--plan")
    assert [line.partition(":")[0] for line in result.output.splitlines()] == ["huts", "towers", "all"]


def test_what_is_not_asked_for_is_not_drawn(pnp: Pnp, tmp_path: Path) -> None:
    """One part cannot be drawn; the others print."""
    folder = Path(shutil.copytree(LANTERNS, tmp_path / "lanterns"))
    spec, rows = (folder / "game.toml"), (folder / "cards.csv").read_text("utf-8").splitlines()
    component = spec.read_text("utf-8").partition("[[component]]")[2]
    others = component.replace('"cards"', '"others"').replace("cards.csv", "others.csv")
    spec.write_text(f"{spec.read_text('utf-8')}\n[[component]]{others}", "utf-8")
    (folder / "cards.csv").write_text("\n".join(rows[:3]), "utf-8")
    (folder / "others.csv").write_text(f"{rows[0]}\n1,{'W' * 60},boat,moss,x\n", "utf-8")
    whole = pnp("build", folder, "-o", tmp_path / "out.pdf")
    assert whole.exit_code == 1
    assert "wider than its box" in whole.output
    assert pnp("build", folder, "--only", "cards", "-o", tmp_path / "out.pdf").exit_code == 0


def test_only_the_pieces_that_are_asked_for_are_drawn_and_printed(pnp: Pnp, tmp_path: Path) -> None:
    """A card that cannot be drawn keeps no other from being printed."""
    folder = Path(shutil.copytree(LANTERNS, tmp_path / "lanterns"))
    rows = (folder / "cards.csv").read_text("utf-8").splitlines()
    rows[1:] = [f"1,{'W' * 60},boat,moss,x", *rows[2:4]]
    (folder / "cards.csv").write_text("\n".join(rows), "utf-8")
    two, three = (row.partition(",")[0] for row in rows[2:])
    build = ("build", folder, "--only", f"cards/{two}, cards/{three}", "--copies", "4")
    assert pnp(*build, "-o", tmp_path / "out.pdf").exit_code == 0
    assert pnp(*build, "--plan").output.startswith("cards: 8 pieces on 1 sheet")
    assert pnp("build", folder, "--only", "cards/1", "--plan").exit_code == 1


def test_copies_are_of_each_piece_of_each_part(pnp: Pnp) -> None:
    told = pnp("build", "talavera", "--copies", "3", "--no-mix", "--plan").output
    assert "\ncards: 54 pieces on 6 sheets" in told
    assert "\nbox: 3 pieces on" in told
    assert "\nrules: 2 sheets\n" in told


@pytest.mark.parametrize(
    ("options", "what", "hint"),
    [
        (["--only", "cards/ 3"], "no piece ' 3' among the cards", "did you mean '3'?"),
        (["--only", "rules/1"], "the rules are printed as a whole", "--only rules"),
        (["--copies", "0"], "copies 0: a piece can be printed 1 to 100 times", ""),
        (["--copies", "101"], "copies 101: a piece can be printed 1 to 100 times", ""),
        (["--gap", "2"], "gap '2': the length '2' has no unit", "2mm"),
        (["--gap=-2mm"], "gap '-2mm': the length '-2mm' is negative", ""),
        (["--gap", "2,5mm"], "gap '2,5mm': '2,5mm' is not a length", "did you mean '2.5mm'?"),
        (["--only", "3"], "has no part '3'", "write cards/3"),
        (["--scale", "0%"], "scale '0%': pieces can be printed at 10 % to 400 %", "75%"),
        (["--paper", "210x297"], "paper '210x297': the size '210x297' has no unit", "'210x297mm'"),
        (["--paper", "a44"], "paper 'a44': there is no such paper", "did you mean 'a4'?"),
        (["--gap", "0mm,wide"], "gap 'wide': 'wide' is not a length", "2mm"),
        (["--gap", "0mm,3mm", "--paper", "avery-5371"], "gap 3 mm: the sheet avery-5371 is", ""),
        (["--gap", "wide"], "gap 'wide': 'wide' is not a length", "2mm"),
        (["--gap", "6cm"], "gap '6cm': the gap is wider than 50 mm", ""),
        (["--gap", "2mm", "--paper", "avery-5371"], "gap 2 mm: the sheet avery-5371 is", "letter"),
        (["--scale", "75"], "scale '75': this is not a percentage", "75%"),
        (["--scale", "401%"], "scale '401%': pieces can be printed at 10 % to 400 %", ""),
        (["--scale", "9%"], "scale '9%': pieces can be printed at 10 % to 400 %", ""),
        (["--scale", "50%", "--paper", "avery-5371"], "scale 50 %: the sheet avery-5371 is", ""),
        (["--scale", "400%"], "a piece of 254 x 355.6 mm does not fit on paper", "than at 400 %"),
    ],
)
def test_options_that_will_not_do(options: list[str], what: str, hint: str, pnp: Pnp) -> None:
    result = pnp("build", "talavera", "--plan", *options)
    assert result.exit_code == 1
    assert what in result.output
    assert hint in result.output


def test_a_picture_is_no_name_of_a_pdf(tmp_path: Path, pnp: Pnp) -> None:
    result = pnp("build", "talavera", "--only", "cards", "-o", tmp_path / "cards.PNG")
    assert result.exit_code == 1
    assert "cards.PNG: a PDF is written here" in result.output
    assert "pnp export" in result.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("how", "parts"),
    [
        (("--only", "cards"), {"cards front", "cards back"}),
        (("--only", "cards", "--sides", "single"), {"cards front"}),
        (("--only", "cards", "--sides", "separate"), {"cards front"}),
        (("--only", "rules"), set()),
    ],
)
def test_press_begins_with_nothing_that_it_does_not_print(
    how: tuple[str, ...], parts: set[str], pnp: Pnp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A face that cannot be drawn and is not printed keeps no other from being printed."""
    begun: set[str] = set()

    def begin(_: Press, face: Face, __: object) -> None:
        begun.add(" ".join(face.name.split(" ")[::2]))

    monkeypatch.setattr(Press, "begin", begin)
    result = pnp("build", "talavera", *how, "-o", tmp_path / "out.pdf")
    assert result.exit_code == 0, result.output
    assert begun == parts


def test_part_that_is_none_is_reported(pnp: Pnp) -> None:
    result = pnp("build", "taluva", "--only", "hots,tiles", "-o", "taluva.pdf")
    assert result.exit_code == 1
    assert "--only: Taluva has no part 'hots'" in result.output
    assert "did you mean 'huts'" in result.output
    assert not Path("taluva.pdf").exists()


def test_margin_that_is_none_is_reported(pnp: Pnp) -> None:
    result = pnp("build", "talavera", "--margin", "tigth")
    assert result.exit_code == 1
    assert "did you mean 'tight'" in result.output


def test_printer_is_measured_used_and_forgotten(pnp: Pnp) -> None:
    assert pnp("printer", "set", "laser", *TWELVE_TENTHS_RIGHT, "--default").exit_code == 0
    assert pnp("printer", "list").output == "laser (default)\n"
    assert "+1.20 mm across and +0.00 mm down" in pnp("printer", "show", "laser").output
    build = ("build", "talavera", "--only", "cards")
    assert pnp(*build, "-o", "true.pdf").exit_code == 0
    assert pnp(*build, "--printer", "none", "-o", "plain.pdf").exit_code == 0
    true, plain = (paper.meetings(Path(name).read_bytes(), BLEED, "long") for name in ("true.pdf", "plain.pdf"))
    assert paper.worst(plain) < 0.01
    assert {round(meeting.drift, 2) for meeting in true} == {1.2}
    assert "printer laser" in slug(Path("true.pdf"))
    assert "printer" not in slug(Path("plain.pdf"))
    assert pnp("printer", "remove", "laser").exit_code == 0
    assert pnp("printer", "list").output.startswith("no printers yet: ")


def slug(file: Path) -> str:
    with pypdfium2.PdfDocument(file) as document:
        return str(document[1].get_textpage().get_text_bounded())


def test_readings_are_asked_for_one_by_one(pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(TWELVE_TENTHS_RIGHT)
    monkeypatch.setattr("click.prompt", lambda _: next(answers))
    assert "+1.20 mm across" in pnp("printer", "set", "inkjet-2").output


def test_flip_is_the_printers_by_default(pnp: Pnp) -> None:
    pnp("printer", "set", "short", *TWELVE_TENTHS_RIGHT, "--flip", "short")
    build = ("build", "talavera", "--only", "cards", "--printer", "short")
    assert pnp(*build).exit_code == 0
    result = pnp(*build, "--flip", "long")
    assert result.exit_code == 1
    assert "flipped on the short edge" in result.output


@pytest.mark.parametrize("what", ["sheet", "proof"])
def test_sheets_to_measure_with(pnp: Pnp, what: str) -> None:
    pnp("printer", "set", "laser", *TWELVE_TENTHS_RIGHT)
    name = ["laser"] if what == "proof" else []
    result = pnp("printer", what, *name, "--paper", "a4")
    assert result.exit_code == 0
    assert len(paper.paper_sizes(Path(result.output.strip()).read_bytes())) == 2


def test_a_printer_that_shrinks_pages_is_told_once(pnp: Pnp) -> None:
    """On its paper, a card is as wide as it should be, and in the same place."""
    assert "prints 98.4% of a page's size" in pnp("printer", "set", "small", "--ruler", "49.2mm", "--default").output
    assert "10 mm; it prints" in pnp("printer", "set", "small", *["E0"] * 8, "--margin", "safe").output
    build = ("build", "talavera", "--only", "cards", "--sides", "single")
    for name in ("small", "none"):
        assert pnp(*build, "--margin", "usual", "--printer", name, "-o", f"{name}.pdf").exit_code == 0
    small, true = (paper.placements(Path(f"{name}.pdf").read_bytes(), 0.0)[0] for name in ("small", "none"))
    middle = 215.9 / 2, 279.4 / 2
    for sent, meant in zip(small, true, strict=True):
        landed = [(at - half) * 0.984 + half for at, half in zip(sent.trim.box(), middle * 2, strict=True)]
        assert landed == pytest.approx(meant.trim.box(), abs=0.001)
    assert pnp("build", "talavera", "--test-sheet").output == "output/test-sheet.pdf\n"
    assert len(paper.paper_sizes(Path("output/test-sheet.pdf").read_bytes())) == 2
    assert "the profile was measured" in pnp("build", "talavera", "--test-sheet", "--flip", "short").stderr
    assert "no backs to test" in pnp("build", "talavera", "--test-sheet", "--sides", "single").stderr
    assert "is too small for the words" in pnp("build", "talavera", "--test-sheet", "--paper", "photo-4x6").stderr
    wrong = pnp("printer", "set", "small", "--ruler", "40mm")
    assert "ruler '40mm': that is 80% of its length" in wrong.stderr
    refused = pnp(*build, "--cutter", "contour")
    assert "the printer small does not" in refused.stderr


def test_a_printer_knows_what_it_leaves_bare(pnp: Pnp) -> None:
    """Told once, it holds for every sheet, folded ones too; --margin says otherwise."""
    readings = ["E0"] * 8
    assert pnp("printer", "set", "laser", *readings, "--margin", "safe", "--default").exit_code == 0
    assert "its unprintable edge is 10 mm" in pnp("printer", "show", "laser").output
    plan = ("build", "talavera", "--plan", "--only", "cards")
    plans = {
        told: pnp(*plan, *told.split()).output for told in ("", "--margin usual", "--sides fold", "--printer none")
    }
    assert "8 per sheet" in plans[""]
    assert "9 per sheet" in plans["--margin usual"]
    assert "9 per sheet" in plans["--printer none"]
    folded = pnp(*plan, "--sides", "fold", "--margin", "safe").output
    assert plans["--sides fold"] == folded


def test_many_sheets_are_written_in_volumes(pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    cards = ("build", "talavera", "--only", "cards", "--paper", "letter", "--no-mix")
    assert pnp(*cards, "-o", "whole.pdf").exit_code == 0
    whole = read_words("whole.pdf")
    monkeypatch.setattr("generator.pipeline.printing._SHEETS_A_VOLUME", 1)
    result = pnp(*cards, "-o", "cards.pdf")
    assert result.exit_code == 0, result.output
    assert "cards.pdf is written in 2 volumes: it has more than 1 sheets" in result.output
    assert not Path("cards.pdf").exists()
    volumes = [read_words(f"cards-{number}.pdf") for number in (1, 2)]
    assert [len(pages) for pages in volumes] == [2, 2]
    assert volumes[0] + volumes[1] == whole


def test_separate_backs_have_volumes_of_their_own(pnp: Pnp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("generator.pipeline.printing._SHEETS_A_VOLUME", 1)
    cards = ("build", "talavera", "--only", "cards", "--no-mix", "--sides", "separate")
    assert pnp(*cards, "-o", "cards.pdf").exit_code == 0
    names = ["cards-1.pdf", "cards-2.pdf", "cards-backs-1.pdf", "cards-backs-2.pdf"]
    assert sorted(path.name for path in tmp_path.glob("*.pdf")) == names


def test_a_volume_replaces_no_folder(pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.pipeline.printing._SHEETS_A_VOLUME", 1)
    Path("cards-2.pdf").mkdir()
    result = pnp("build", "talavera", "--only", "cards", "--no-mix", "-o", "cards.pdf")
    assert result.exit_code == 1
    assert "cards-2.pdf: this is a folder, which is never replaced" in result.output
    assert not Path("cards-1.pdf").exists()


def read_words(path: str) -> list[str]:
    """The words of each page."""
    with pypdfium2.PdfDocument(path) as document:
        return [page.get_textpage().get_text_range() for page in document]
