"""The finished files: text is text, in its order; every way of printing has all pages."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pikepdf
import pytest
import zxingcpp

from generator.model import FLIPS, SEPARATE, Way
from generator.pdf.raster import rasterise
from generator.pipeline.request import Binding
from tests.booklet.talavera import folder_with, printed, words_of
from tests.conftest import Pnp
from tests.game.tiny import HEAD, tiny, write
from tests.support import paper
from tests.support.printing import request_of

DOC = Path(__file__).parents[2] / "docs" / "booklets.md"
RULES = """# Talavera

First words, **bold ones** and *others* beside them.

## A section

::: face cards 3
The caption of a face
:::

- one item
- another item

> An aside.

| Head | Of |
|---|---|
| a | table |

---

The end of it all.
"""
IN_ORDER = (
    "First words, bold ones and others beside them. A section The caption of a face "
    "• one item • another item An aside. Head Of a table"
).replace(" ", "")


@pytest.mark.parametrize(
    ("way", "binding", "pages", "paper_size"),
    [
        ("long", "off", [0, 1, 2], (215.9, 279.4)),
        ("short", "off", [0, 1, 2], (215.9, 279.4)),
        ("single", "off", [0, 1, 2], (215.9, 279.4)),
        ("fold", "off", [0, 1, 2], (215.9, 279.4)),
    ],
)
def test_plain_pages_come_one_by_one(
    way: Way, binding: Binding, pages: list[int], paper_size: tuple[float, float], tmp_path: Path
) -> None:
    folder = folder_with(RULES, tmp_path / "talavera")
    (pdf,) = printed(request_of(str(folder), "letter", way, booklet=binding), tmp_path / "out.pdf")
    title, text, end = (words_of(pdf, page) for page in pages)
    if way == "short":  # the back lies upside down, to be read when it is turned
        text = ""
    assert "Rulesofplay" in title
    assert not text or text.startswith(IN_ORDER)
    assert end.startswith("Theendofitall.")
    assert paper.paper_sizes(pdf)[0] == pytest.approx(paper_size, abs=0.1)
    sides = [paper.pages_on(paper.placements(pdf, 0.0)[page]) for page in pages]
    assert [len(side) for side in sides] == [1, 1, 1]
    left, top, right, bottom = sides[0][0].trim.box()
    assert (right - left, bottom - top) == pytest.approx((180.79, 279.4), abs=0.1)


def test_the_rules_to_read_are_upright_pages_in_order(tmp_path: Path) -> None:
    folder = folder_with(RULES, tmp_path / "talavera")
    kit, pdf = printed(request_of(str(folder), booklet="screen"), tmp_path / "out.pdf")
    assert "Rulesofplay" in words_of(kit, 0)
    title, text, end = (words_of(pdf, page) for page in range(3))
    assert "Rulesofplay" in title
    assert text.startswith(IN_ORDER)
    assert end.startswith("Theendofitall.")
    assert paper.paper_sizes(pdf) == [pytest.approx((139.7, 215.9), abs=0.1)] * 3


@pytest.mark.parametrize("way", ["single", "fold"])
def test_leaves_printed_on_one_side_are_sheets_to_fold(way: Way, tmp_path: Path) -> None:
    """Folded with the print outside, the left half is the front of the leaf: the fold is to the
    right of the one and to the left of the other."""
    folder = folder_with(RULES, tmp_path / "talavera")
    (pdf,) = printed(request_of(str(folder), "letter", way), tmp_path / "out.pdf")
    first, second = map(paper.pages_on, paper.placements(pdf, 0.0)[:2])
    assert paper.paper_sizes(pdf)[:2] == [pytest.approx((279.4, 215.9), abs=0.1)] * 2
    boxes = [placed.trim.box() for placed in (*first, *second)]
    halves = [(0.0, 139.7), (139.7, 279.4), (0.0, 139.7)]
    assert [(box[0], box[2]) for box in boxes] == [pytest.approx(half, abs=0.1) for half in halves]
    title, text, end = (words_of(pdf, 0), words_of(pdf, 0), words_of(pdf, 1))
    assert title.index("Rulesofplay") < text.index(IN_ORDER)
    assert end.startswith("foldhere,printoutsideTheendofitall.")


@pytest.mark.parametrize("way", SEPARATE)
def test_backs_in_the_other_file_lie_behind_a_stack_turned_once(way: Way, tmp_path: Path) -> None:
    folder = folder_with(RULES, tmp_path / "talavera")
    request = request_of(str(folder), "a4", way)
    fronts, backs = printed(request, tmp_path / "out.pdf")
    assert "Rulesofplay" in words_of(fronts, 0)
    assert "Firstwords" in words_of(backs, 0)
    assert "sheet1of1·BACK" in words_of(backs, 0)
    sizes = paper.paper_sizes(fronts)
    assert len({width > height for width, height in sizes}) == 2
    assert paper.paper_sizes(backs) == sizes
    pages = paper.placements(fronts, 0.0), paper.placements(backs, 0.0)
    for front, back, size in zip(*pages, sizes, strict=True):
        if len(front) == len(back):  # the box has no back
            assert paper.worst([*paper.sheet_meetings(front, back, size, FLIPS[way])]) < 0.01
    for pdf in (fronts, backs):
        with pikepdf.open(io.BytesIO(pdf)) as document:
            assert document.Root.ViewerPreferences.Duplex == "/Simplex"


def test_faces_in_figures_are_the_forms_of_the_pieces(tmp_path: Path) -> None:
    """A drawing that is shown on a card, and thrice in the rules, is in the file once."""
    figure = "::: row\ncards 3\ncards 3 turn 90\ncards 3 back\n:::\n"
    bare, shown = (
        printed(request_of(str(folder)), tmp_path / f"{name}.pdf")[0]
        for name, text in (("bare", "Words.\n"), ("shown", figure))
        for folder in [folder_with(text, tmp_path / name)]
    )
    counts = [count_of_forms(pdf) for pdf in (bare, shown)]
    assert counts[1] - counts[0] <= 4  # the edges of pieces, and the page itself
    assert len(shown) - len(bare) < 20_000


def count_of_forms(pdf: bytes) -> int:
    import io

    with pikepdf.open(io.BytesIO(pdf)) as document:
        return sum(
            isinstance(pdf_object, pikepdf.Stream) and pdf_object.get("/Subtype") == "/Form"
            for pdf_object in document.objects
        )


def test_every_example_of_the_documentation_can_be_printed(pnp: Pnp, tmp_path: Path) -> None:
    examples = re.findall(r"^```\n(:::.*?)^```$", DOC.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert len(examples) == 4
    folder = folder_with("\n\n".join(examples), tmp_path / "talavera")
    result = pnp("build", folder, "-o", tmp_path / "out.pdf")
    assert result.exit_code == 0, result.output


def test_pages_are_exported_as_pictures(pnp: Pnp, tmp_path: Path) -> None:
    folder = folder_with(RULES, tmp_path / "talavera")
    result = pnp("export", folder, "--to", "png", "--dpi", "30", "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in (tmp_path / "out" / "rules").iterdir()) == ["1.png", "2.png", "3.png"]


@pytest.mark.parametrize(("paper_name", "parts"), [("avery-5371", 1), ("letter", 2)])
def test_paper_that_is_cut_already_gets_no_rules(paper_name: str, parts: int, pnp: Pnp, tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny")
    (folder / "rules.md").write_text(RULES.replace("cards 3", "cards a"), "utf-8")
    spec = (folder / "game.toml").read_text("utf-8").replace('"40mm", "60mm"', '"3.5in", "2in"')
    spec = spec.replace('bleed = "3mm"', 'bleed = "0mm"') + '[booklet]\nfile = "rules.md"\n'
    (folder / "game.toml").write_text(spec, "utf-8")
    write(folder, "", head=HEAD.replace("0 0 40 60", "0 0 88.9 50.8"))
    result = pnp("build", folder, "--paper", paper_name, "--plan")
    assert result.exit_code == 0, result.output
    assert len(re.findall(r"^(?:cards|rules): ", result.output, re.MULTILINE)) == parts


def test_paper_that_is_too_small_for_a_page_is_reported(pnp: Pnp, tmp_path: Path) -> None:
    folder = folder_with(RULES, tmp_path / "talavera")
    result = pnp("build", folder, "--paper", "photo-4x6", "-o", tmp_path / "out.pdf")
    assert result.exit_code == 1
    assert "is too small for the booklet" in result.output
    assert not (tmp_path / "out.pdf").exists()


@pytest.mark.parametrize(("only", "sheets"), [("rules", 1), ("cards", 2), ("rules,cards", 3)])
def test_rules_are_a_part_of_the_kit(only: str, sheets: int, pnp: Pnp, tmp_path: Path) -> None:
    folder = folder_with(RULES, tmp_path / "talavera")
    result = pnp("build", folder, "--only", only, "-o", tmp_path / "out.pdf")
    assert result.exit_code == 0, result.output
    assert len(paper.paper_sizes((tmp_path / "out.pdf").read_bytes())) == 2 * sheets


LINKED = """## Watch

See [a video](https://example.com/v?a=1) and [the end](#end), and write to <us@example.com>.

| Game | Page |
|---|---|
| One | [**here**](https://example.com/one) |

- An item.[^1]

[^1]: Its [source](https://example.com/source).
"""
ADDRESSES = ["https://example.com/v?a=1", "mailto:us@example.com", "https://example.com/one"]
ADDRESSES += ["https://example.com/source"]


@pytest.mark.parametrize("links", ["text", "qr"])
def test_paper_shows_the_codes_of_links_if_asked(links: str, tmp_path: Path) -> None:
    folder = folder_with(LINKED, tmp_path / "talavera")
    spec = folder / "game.toml"
    table = f'[booklet]\nlinks = "{links}"'
    spec.write_text(spec.read_text("utf-8").replace("[booklet]", table), "utf-8")
    request = request_of(str(folder), booklet="off", only=["rules"])
    (pdf,) = printed(request, tmp_path / "out.pdf")
    words = words_of(pdf, 1)
    assert words.startswith("WatchSeeavideoandtheend,andwritetous@example.com.")
    codes = zxingcpp.read_barcodes(rasterise(pdf, 200)[1])
    expected = ADDRESSES if links == "qr" else []
    assert sorted(code.text for code in codes) == sorted(expected)
    for address in ADDRESSES[0], ADDRESSES[-1]:
        assert words.count(address) == (links == "qr")
