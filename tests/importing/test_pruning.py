"""A card's part of a page is a page of its own, without what lies outside."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest

from generator.basics.geometry import Rect
from generator.importing import page_worker
from generator.importing.reading import FaceRequest
from tests.importing.old_pdfs import A4, OldPdf
from tests.importing.test_finding import NINE


def cut(content: bytes, folder: Path, cell: Rect = NINE[4]) -> bytes:
    """The operators of a card, by default the middle one."""
    path = folder / "sheet.pdf"
    path.write_bytes(content)
    _, faces = page_worker.bind([FaceRequest(str(path), 0, cell, A4, 4.0)])
    with pikepdf.open(io.BytesIO(faces)) as pdf:
        (page,) = pdf.pages
        return page.Contents.read_bytes() + str(page.Resources.keys()).encode()


def sheet(operators: bytes = b"") -> bytes:
    pdf, saved = OldPdf(), io.BytesIO()
    pdf.cards(NINE)
    with pikepdf.open(io.BytesIO(pdf.finish())) as old:
        old.pages[0].contents_add(operators)
        old.pages[0].Resources.Properties = pikepdf.Dictionary(P=pikepdf.Dictionary(ActualText="hidden"))
        old.save(saved)
    return saved.getvalue()


def test_notes_on_words_stay_behind(tmp_path: Path) -> None:
    content = cut(sheet(b"/P BDC EMC /Span <</ActualText (hidden)>> BDC EMC"), tmp_path)
    assert content.count(b"(card 5)") == 5
    assert b"hidden" not in content
    assert b"BDC" not in content
    assert b"/Properties" not in content


@pytest.mark.parametrize(
    ("operators", "why"),
    [
        (b"BT /F1 9 Tf 260 420 Td (" + b"on and " * 20 + b") Tj ET", "its words begin or go on outside"),
        (
            b"BT /F1 9 Tf 120 420 Td (" + b"begun far left" * 3 + b") Tj (inside) Tj ET",
            "its words begin or go on outside",
        ),
        (b"q Q " * 2_200_000, "too many operators"),
    ],
)
def test_what_cannot_be_parted_is_refused(operators: bytes, why: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=why):
        cut(sheet(operators), tmp_path)


def test_lines_of_words_keep_their_places(tmp_path: Path) -> None:
    """A ' begins a line, also where the words before it are dropped."""
    content = cut(sheet(b"BT /F1 9 Tf 300 TL 260 720 Td (above) Tj (inside) ' ET"), tmp_path)
    assert b"(above)" not in content
    assert b"T*" in content
    assert b"(inside) Tj" in content
