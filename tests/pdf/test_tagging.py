"""The file tells those who do not see it what is on its pages, and names them."""

from __future__ import annotations

import ctypes
import io
import re
import shutil
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pypdfium2.raw as pdfium
import pytest
from lxml import etree

from generator import print_game
from generator.model import Way
from tests.conftest import Pnp
from tests.support.hearing import alternatives
from tests.support.printing import deck, kit, print_decks

QUEST = Path(__file__).parents[1] / "templates/quest"
MARKS = {"BMC", "BDC", "EMC"}
PAINTING = {"Do", "S", "f", "f*", "B", "Tj", "TJ", "sh", "'", '"'}


def opened(pdf: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(pdf))


def marked(page: pikepdf.Page) -> Iterator[tuple[str, int]]:
    """Tag and number of each marked content of a page; whatever paints lies in one or is an
    artifact."""
    depth = 0
    for step in pikepdf.parse_content_stream(page):
        operator = str(step.operator)
        if operator in PAINTING:
            assert depth == 1, operator
        if operator in MARKS:
            depth += -1 if operator == "EMC" else 1
        if operator == "BDC" and str(step.operands[0]) != "/Artifact":
            yield str(step.operands[0]), int(step.operands[1].MCID)
    assert depth == 0


def elements(node: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """All that has content, in the order of reading."""
    kids = node.K if isinstance(node.K, pikepdf.Array) else [node.K]
    for kid in kids:
        if isinstance(kid, pikepdf.Dictionary):
            assert kid.P.objgen == node.objgen
            yield from elements(kid)
        else:
            yield node


def parents(document: pikepdf.Pdf) -> dict[int, list[pikepdf.Object]]:
    numbers = list(document.Root.StructTreeRoot.ParentTree.Nums)
    return {int(n): list(kids) for n, kids in zip(numbers[::2], numbers[1::2], strict=True)}


@pytest.mark.parametrize("way", ["long", "fold"])
def test_tree_and_pages_agree(way: Way) -> None:
    with opened(kit(way=way)) as document:
        assert document.Root.MarkInfo.Marked
        by_page = parents(document)
        assert len(by_page) == len(document.pages)
        found: set[tuple[int, int]] = set()
        for page in document.pages:
            own = by_page[int(page.obj.StructParents)]
            numbers = list(marked(page))
            assert [number for _, number in numbers] == list(range(len(own)))
            for (tag, number), element in zip(numbers, own, strict=True):
                assert (str(element.S), int(element.K)) == (tag, number)
                assert element.Pg.objgen == page.obj.objgen
                found.add(element.objgen)
        read = [element.objgen for element in elements(document.Root.StructTreeRoot)]
        assert len(read) == len(found) > 40
        assert set(read) == found


def test_figures_have_words_and_readers_hear_them() -> None:
    """As pdfium reads them, on a page of fronts and on the one behind."""
    heard = list(alternatives(kit()))
    assert [f"Cards {number}, front" for number in range(1, 10)] in heard
    assert sorted(f"Cards {number}, back" for number in range(1, 10)) in map(sorted, heard)
    assert any("Box box, front" in page for page in heard)


def test_folded_sheets_tell_both_sides() -> None:
    heard = [mark for page in alternatives(kit(way="fold")) for mark in page]
    for number in range(1, 19):
        assert heard.count(f"Cards {number}, front") == heard.count(f"Cards {number}, back") == 1


def test_pieces_without_names_are_called_as_their_faces() -> None:
    heard = list(alternatives(print_decks([deck(2)]).pdf))
    assert heard == [["front 0", "front 1"], ["back 0", "back 1"]]


@pytest.mark.skipif(not shutil.which("pdfinfo"), reason="no pdfinfo")
def test_rules_are_read_in_the_order_of_their_pages(tmp_path: Path) -> None:
    """Which is not that of the sheets, as poppler reads them: it is slow, so the rules are short."""
    sections = ["What you do", "Set up", "Turns", "Cards", "Fights", "Inns", "End of the game", "Alone"]
    game = tmp_path / "quest"
    shutil.copytree(QUEST, game)
    parts = (f"## {section}\n\n{'Beat the dragon. ' * 150}\n\n### Again\n\nOnce more." for section in sections)
    (game / "rules.md").write_text("\n\n".join(["# Quest", *parts]), "utf-8")
    with (game / "game.toml").open("a", encoding="utf-8") as spec:
        spec.write("\n[booklet]\n")
    print_game(game, tmp_path / "rules.pdf", only=["rules"])
    with pikepdf.open(tmp_path / "rules.pdf") as pdf:
        assert len(pdf.pages) > 2  # several sheets
    command = ["pdfinfo", "-struct-text", str(tmp_path / "rules.pdf")]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert '\n  Part "Rules"\n    H1 ' in text
    places = [text.index(f'"{section}') for section in sections]
    assert places == sorted(places)
    assert all(re.search(rf'H1 \(block\)\s+"{section}', text) for section in sections)
    assert "H2 (block)" in text


def test_the_file_says_what_it_is() -> None:
    """In its metadata (XMP), with what a checker of PDF/UA asks of layers and headings."""
    with opened(kit()) as document:
        said = etree.fromstring(document.Root.Metadata.read_bytes())
        assert said.findtext(".//{http://purl.org/dc/elements/1.1/}title//{*}li") == str(document.docinfo.Title)
        assert said.findtext(".//{http://www.aiim.org/pdfua/ns/id/}part") == "1"
        assert document.Root.OCProperties.D.Name
        parts = document.Root.StructTreeRoot.K.K
        assert all("/H1" in [str(element.S) for element in part.K] for part in parts if part.T != "Cover")


def test_no_artifact_lies_in_what_is_tagged() -> None:
    with opened(kit()) as document:
        forms = [pdf_object for pdf_object in document.objects if isinstance(pdf_object, pikepdf.Stream)]
        drawn = [form for form in forms if form.get("/Subtype") == "/Form"]
        assert len(drawn) > 100
        for form in drawn:
            for step in pikepdf.parse_content_stream(form):
                assert str(step.operator) != "BMC" or step.operands[0] != "/Artifact"


LABELS = {
    "long": ["Cover front", "Cover back", "Rules 1 front", "Rules 1 back", "Rules 2 front"],
    "fold": ["Cover", "Rules 1", "Rules 2", "Rules 3", "Rules 4"],
}


@pytest.mark.parametrize("way", ["long", "fold"])
def test_pages_have_names(way: Way) -> None:
    """As pdfium tells a viewer."""
    pdf = kit(way=way)
    document = pdfium.FPDF_LoadMemDocument(pdf, len(pdf), None)
    buffer = ctypes.create_string_buffer(200)
    names = []
    for number in range(pdfium.FPDF_GetPageCount(document)):
        size = pdfium.FPDF_GetPageLabel(document, number, buffer, len(buffer))
        names.append(buffer.raw[: size - 2].decode("utf-16-le"))
    pdfium.FPDF_CloseDocument(document)
    assert names[:5] == LABELS[way]
    assert len(set(names)) == len(names)


def test_packed_streams_are_whole() -> None:
    """What is put before one leaves its check sum true: zlib looks at it, few readers do."""
    with opened(kit()) as document:
        streams = [pdf_object for pdf_object in document.objects if isinstance(pdf_object, pikepdf.Stream)]
        forms = [stream for stream in streams if stream.get("/Subtype") == "/Form"]
        assert len(forms) > 100
        for form in forms:
            assert str(form.Filter) == "/FlateDecode" or list(form.Filter) == ["/FlateDecode"]
            assert zlib.decompress(form.read_raw_bytes()) == form.read_bytes()


def test_mixed_sheets_of_several_titles_are_several_parts(pnp: Pnp, tmp_path: Path) -> None:
    output = tmp_path / "mixed.pdf"
    assert pnp("build", "toripoka", "-o", output).exit_code == 0
    with pikepdf.open(output) as document:
        parts = [str(part.T) for part in document.Root.StructTreeRoot.K.K]
        labels = [str(num.P) for num in list(document.Root.PageLabels.Nums)[1::2]]
    mixed = [part for part in parts if "," in part or " more" in part]
    assert len(mixed) == 3
    assert all(any(label.startswith(part) for label in labels) for part in mixed)
