"""The finished file as a print dialog and a print shop see it."""

from __future__ import annotations

import io
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pytest

from generator.model import Way
from tests.support import oracles, paper
from tests.support.printing import CARD, deck, face_of, mark, print_decks, published, run_of, with_copies

MM_PER_PT = paper.MM_PER_PT
BASE_14 = ("Courier", "Helvetica", "Times", "Symbol", "ZapfDingbats")
LETTER = (215.9, 279.4)
A4 = (210.0, 297.0)


def opened(pdf: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(pdf))


def box(page: pikepdf.Page, name: str) -> list[float]:
    """A box of a page in mm."""
    return [float(value) * MM_PER_PT for value in page.obj[name]]


def streams(document: pikepdf.Pdf, subtype: str) -> list[pikepdf.Stream]:
    return [
        thing for thing in document.objects if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == subtype
    ]


def placed_forms(document: pikepdf.Pdf) -> Iterator[tuple[int, int]]:
    """The object that each placement draws."""
    for page in document.pages:
        for step in pikepdf.parse_content_stream(page):
            if str(step.operator) == "Do" and "face-" in str(step.operands[0]):
                yield page.obj.Resources.XObject[str(step.operands[0])].objgen


@pytest.mark.parametrize(("name", "size"), [("letter", LETTER), ("a4", A4)])
def test_boxes(name: str, size: tuple[float, float]) -> None:
    block = (3 * CARD.size.width, 3 * CARD.size.height)
    x, y = ((whole - part) / 2 for whole, part in zip(size, block, strict=True))
    with opened(published(name)) as document:
        assert len(document.pages) == 4
        for page in document.pages:
            trim = [x, y, x + block[0], y + block[1]]
            assert box(page, "/MediaBox") == pytest.approx([0, 0, *size], abs=0.001)
            assert box(page, "/TrimBox") == pytest.approx(trim, abs=0.001)
            bleed = [trim[0] - 3, trim[1] - 3, trim[2] + 3, trim[3] + 3]
            assert box(page, "/BleedBox") == pytest.approx(bleed, abs=0.001)


def test_bleed_box_ends_with_the_paper() -> None:
    printed = print_decks([deck(2, bleed=12.0)], "letter")
    pdf, (width, height) = printed.pdf, printed.sheets[0].paper
    with opened(pdf) as document:
        page = document.pages[0]
        x0, y0, x1, y1 = box(page, "/BleedBox")
        trim = box(page, "/TrimBox")
    assert (x0, y0) == pytest.approx((max(trim[0] - 12, 0), max(trim[1] - 12, 0)), abs=0.001)
    assert x1 <= width + 0.001
    assert y1 <= height + 0.001


@pytest.mark.parametrize(
    ("way", "duplex", "pages"),
    [
        ("long", "/DuplexFlipLongEdge", 4),
        ("short", "/DuplexFlipShortEdge", 4),
        ("fold", "/Simplex", 5),
        ("single", "/Simplex", 4),
    ],
)
def test_print_dialog_opens_right(way: Way, duplex: str, pages: int) -> None:
    with opened(published("letter", way)) as document:
        preferences = document.Root.ViewerPreferences
        assert preferences.PrintScaling == "/None"
        assert preferences.Duplex == duplex
        assert len(document.pages) == pages


def test_fronts_only_game_is_simplex() -> None:
    with opened(print_decks([deck(4, backs=None)], way="short").pdf) as document:
        assert document.Root.ViewerPreferences.Duplex == "/Simplex"
        assert len(document.pages) == 1


def test_duplex_is_set_when_any_sheet_has_a_back() -> None:
    decks = [deck(2, name="tokens", backs=None), deck(2)]
    with opened(print_decks(decks, way="short").pdf) as document:
        assert document.Root.ViewerPreferences.Duplex == "/DuplexFlipShortEdge"
        assert len(document.pages) == 4


def test_what_the_file_says_of_itself() -> None:
    with opened(published()) as document:
        assert document.docinfo["/Title"] == "Talavera"
        assert document.docinfo["/Author"] == "Jon Ericson"
        assert document.Root.Lang == "en"
        assert document.Root.ViewerPreferences.DisplayDocTitle


def test_outline_has_an_entry_for_each_sheet() -> None:
    with opened(published()) as document, document.open_outline() as outline:
        pages = [page.obj.objgen for page in document.pages]
        entries = [(str(item.title), target(item)) for item in outline.root]
    assert entries == [("Cards: sheet 1 of 2", pages[0]), ("Cards: sheet 2 of 2", pages[2])]


def target(item: pikepdf.OutlineItem) -> tuple[int, int]:
    destination = item.destination
    assert isinstance(destination, pikepdf.Array)
    return destination[0].objgen


def test_marks_that_are_alike_on_several_pages_are_one_form() -> None:
    pdf = print_decks([deck(40)], "letter").pdf
    with opened(pdf) as document:
        drawn = [{form.objgen for _, form in page.obj.Resources.XObject.items()} for page in document.pages]
        fronts = set.intersection(*drawn[0:8:2]), set.union(*drawn[0:8:2])
    assert len(drawn) == 10
    alike = 1 + 1 + 3  # the cut marks of four full sheets, the scale, labels without a number
    assert len(fronts[0]) == alike
    assert len(fronts[1]) == 36 + 4 + alike, "their faces, a number each"


@pytest.mark.parametrize("copies", [1, 7])
def test_each_distinct_face_is_one_form(copies: int) -> None:
    printed_deck = with_copies(deck(3, backs=lambda number: number // 2), copies)
    with opened(print_decks([printed_deck], "a4").pdf) as document:
        drawn = Counter(placed_forms(document))
        forms = streams(document, "/Form")
    assert sum(drawn.values()) == 2 * 3 * copies
    assert sorted(drawn.values()) == sorted([copies] * 3 + [2 * copies, copies])
    assert Counter(map(switch_of, forms))["Art"] == len(drawn)
    assert Counter(map(switch_of, forms))[None] == 0, "no form that only shows another"


def switch_of(form: pikepdf.Object) -> str | None:
    """The layer of the viewer that shows or hides a form."""
    group = form.get("/OC")
    return None if group is None else str(group.Name)


@pytest.mark.parametrize(
    ("way", "switches"),
    [("long", ["Art", "Cut marks", "Labels"]), ("fold", ["Art", "Cut marks", "Fold lines", "Labels"])],
)
def test_each_kind_of_thing_can_be_switched_off(way: Way, switches: list[str]) -> None:
    with opened(published("letter", way)) as document:
        groups = document.Root.OCProperties
        assert [str(group.Name) for group in groups.OCGs] == switches
        assert [str(group.Name) for group in groups.D.ON] == switches
        front = document.pages[0]
        drawn = [step for step in pikepdf.parse_content_stream(front) if str(step.operator) == "Do"]
        forms = [front.obj.Resources.XObject[str(step.operands[0])] for step in drawn]
        found = {switch_of(form) for form in forms}
        painting = {str(step.operator) for step in pikepdf.parse_content_stream(front)}
    assert found == set(switches)
    assert not painting & {"S", "f", "f*", "B", "Tj", "TJ"}, "ink outside of every layer"


def test_talavera_faces_are_one_form_each() -> None:
    with opened(published()) as document:
        drawn = Counter(placed_forms(document))
    assert list(drawn.values()) == [1] * 36


def test_fonts_are_embedded_once_as_subsets() -> None:
    with opened(published()) as document:
        fonts = [
            thing
            for thing in document.objects
            if isinstance(thing, pikepdf.Dictionary) and thing.get("/Type") == "/Font"
        ]
        leaves = [font for font in fonts if "/DescendantFonts" not in font]
        names = [str(font.BaseFont).removeprefix("/") for font in leaves]
        programs = [font.FontDescriptor.FontFile2.objgen for font in leaves]
        mapped = [font for font in fonts if "/ToUnicode" in font]
    families = sorted(name.partition("+")[2] for name in names)
    assert families == ["AbrilFatface-Regular", "AlegreyaSans-Bold", "AlegreyaSans-Regular"]
    assert all(len(name.partition("+")[0]) == 6 for name in names), "a subset has a tag"
    assert len(set(programs)) == len(programs) == 3
    assert len(mapped) == 3, "text of every font can be copied"
    assert not [name for name in names if name.startswith(BASE_14)]


def test_subset_is_smaller_than_its_font() -> None:
    with opened(published()) as document:
        sizes = [
            len(thing.FontFile2.read_bytes())
            for thing in document.objects
            if isinstance(thing, pikepdf.Dictionary) and "/FontFile2" in thing
        ]
    assert len(sizes) == 3
    assert max(sizes) < 30_000


def test_no_page_is_a_picture() -> None:
    with opened(published()) as document:
        assert streams(document, "/Image") == []
        steps = [step for page in document.pages for step in pikepdf.parse_content_stream(page)]
    assert "BI" not in {str(step.operator) for step in steps}


def test_a_picture_would_be_noticed() -> None:
    """The search for pictures can find one."""
    pixel = (
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMB"
        "AQDJ/pLvAAAAAElFTkSuQmCC"
    )
    printed_deck = deck(1, backs=None)
    content = mark("x", "#fff") + f'<image href="{pixel}" width="9" height="9"/>'
    front = face_of("front", CARD, 3.0, content)
    item = type(printed_deck.run.items[0])("a", front.id, None)
    drawn = type(printed_deck)(run_of(CARD, 3.0, (item,)), (front,))
    with opened(print_decks([drawn]).pdf) as document:
        assert len(streams(document, "/Image")) == 1


@pytest.mark.parametrize("way", ["long", "short", "fold", "single"])
def test_qpdf_finds_nothing(way: Way, tmp_path: Path) -> None:
    qpdf = oracles.need("qpdf")
    file = tmp_path / "talavera.pdf"
    file.write_bytes(published("letter", way))
    done = subprocess.run([qpdf, "--check", str(file)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "No syntax or stream encoding errors found" in done.stdout
