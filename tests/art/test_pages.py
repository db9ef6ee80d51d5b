"""A page of a PDF as art: the press prints the page with its words, all else its drawing."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from random import Random

import pikepdf
import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from generator.art.pages import PageArt, hold_page, read_page, split_page
from generator.art.picture import ArtReader
from generator.basics.errors import Place
from generator.text import FontBook
from tests.conftest import Pnp
from tests.support import deck

FONT = Path("fonts/ibm-plex-sans/IBMPlexSans-SemiBold.ttf").absolute()
MM = 72 / 25.4
_SPEC = f'{deck.SPEC}edge = "mirror"\n'
_FRONT = """<svg xmlns="http://www.w3.org/2000/svg" width="63.5mm" height="88.9mm" viewBox="0 0 63.5 88.9">
  <image href="cards.pdf#{{ page }}" width="63.5" height="88.9"/></svg>"""


def pages(
    count: int, *, font: str = "Plex", colour: tuple[float, ...] = (0.9, 0.8, 0.3), picture: ImageReader | None = None
) -> bytes:
    """A PDF of cards, as a drawing program exports them."""
    pdfmetrics.registerFont(TTFont("Plex", str(FONT)))
    stream = io.BytesIO()
    canvas = Canvas(stream, (63.5 * MM, 88.9 * MM), invariant=True)
    for number in range(1, count + 1):
        canvas.setFillColor(colour)
        canvas.rect(0, 0, 63.5 * MM, 88.9 * MM, stroke=0, fill=1)
        if picture:
            canvas.drawImage(picture, 20, 20, 100, 100)
        canvas.setFillGray(0)
        canvas.setFont(font, 14)
        canvas.drawString(20, 200, f"Words of card {number}")
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def words_of(content: bytes) -> list[str]:
    with pypdfium2.PdfDocument(content) as pdf:
        return [page.get_textpage().get_text_range() for page in pdf]


def test_a_page_is_printed_with_its_words_once(tmp_path: Path, pnp: Pnp) -> None:
    """In mirrored edges there is only its drawing, and in inks the words stay words, too."""
    (tmp_path / "game.toml").write_text(_SPEC)
    (tmp_path / "front.svg").write_text(_FRONT)
    (tmp_path / "cards.csv").write_text("id,page\none,1\ntwo,2\n")
    (tmp_path / "cards.pdf").write_bytes(pages(2))
    for colour in ("rgb", "cmyk"):
        kit = tmp_path / f"{colour}.pdf"
        printed = pnp("build", str(tmp_path), "--only", "cards", "--colour", colour, "-o", str(kit))
        assert printed.exit_code == 0, printed.output
        (text,) = words_of(kit.read_bytes())
        assert [text.count(f"Words of card {number}") for number in (1, 2)] == [1, 1]
        with pikepdf.open(kit) as pdf:
            fonts = [str(thing.BaseFont) for thing in pdf.objects if isinstance(thing, pikepdf.Dictionary)
                     and thing.get("/Type") == "/Font"]  # fmt: skip
        assert any("IBMPlexSans" in font for font in fonts)
        assert "/Helvetica" not in fonts  # ReportLab names it on each page


def test_only_the_page_travels() -> None:
    """No scripts, files, notes or other pages."""
    stream = io.BytesIO()
    with pikepdf.open(io.BytesIO(pages(3))) as pdf:
        pdf.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=pikepdf.String("app.alert(1)"))
        pdf.attachments["secret.txt"] = b"secret"
        pdf.pages[1].obj.Annots = pikepdf.Array([pikepdf.Dictionary(Subtype=pikepdf.Name.Text, Contents="note")])
        pdf.save(stream)
    page = read_page(stream.getvalue(), "2").pdf
    (text,) = words_of(page)
    assert text.strip() == "Words of card 2"
    with pikepdf.open(io.BytesIO(page)) as alone:
        assert set(alone.Root.keys()) == {"/Type", "/Pages"}
        assert "/Annots" not in alone.pages[0]


@pytest.mark.parametrize(
    ("content", "why"),
    [(pages(1, font="Helvetica"), "a font that is not in the file"), (pages(1, colour=(0.1, 0.2, 0.3, 0.1)), "inks")],
)
def test_what_would_print_otherwise_elsewhere_is_a_drawing(content: bytes, why: str) -> None:
    page = read_page(content, "1")
    assert page.svg.startswith(b"<svg"), why
    assert not page.pdf, why


def test_what_is_too_large_for_a_drawing_becomes_pixels(tmp_path: Path) -> None:
    """And says so, as these pixels are printed: the page is in CMYK."""
    noise = Image.frombytes("RGB", (1100, 1100), Random(1).randbytes(1100 * 1100 * 3))
    (tmp_path / "inks.pdf").write_bytes(pages(1, picture=ImageReader(noise), colour=(0.1, 0.2, 0.3, 0.1)))
    reader = ArtReader(tmp_path, FontBook([]))
    uri, page = split_page(reader.read("inks.pdf", Place("game.toml")).uri)
    assert not page
    assert b"data:image/jpeg" in base64.b64decode(uri.partition(",")[2])
    (found,) = reader.findings
    assert found.what == "page 1 is too large to stay sharp, so it is printed as pixels"


@pytest.mark.parametrize(
    ("content", "number", "words"),
    [
        (pages(2), "3", "it has no more than 2 pages"),
        (pages(2), "0", "a page has a number, as in cards.pdf#3"),
        (b"%PDF-1.7\n" + b"\xff" * 3000, "1", "this is not a readable PDF"),
        (b"", "1", "this is not a readable PDF"),
    ],
)
def test_what_is_no_page_is_refused(content: bytes, number: str, words: str) -> None:
    assert read_page(content, number) == PageArt(fault=words)


def test_a_drawing_holds_its_page() -> None:
    uri = "data:image/svg+xml;base64,PHN2Zy8+"
    assert split_page(hold_page(uri, b"%PDF")) == (uri, b"%PDF")
    assert split_page(uri) == (uri, b"")
    assert hold_page(uri, b"") == uri
    assert PageArt().pdf == b""
