"""`pnp import`: a PDF of another program becomes a game that prints the same faces."""

from __future__ import annotations

import csv
import io
import shlex
import tomllib
from functools import reduce
from hashlib import sha256
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest
from PIL import Image

from generator.basics.errors import PnpError
from generator.basics.geometry import Rect, Size
from generator.importing.folder import ImportOptions, import_pdf
from generator.pdf.raster import rasterise
from tests.conftest import Pnp
from tests.importing import old_pdfs
from tests.importing.old_pdfs import OldPdf, comb, grid
from tests.importing.test_backs import OFF_CENTRE, mirrored, pdf_of
from tests.importing.test_finding import APART, NINE, POKER, text_page
from tests.support import deck

DPI = 150.0


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "cards.csv").open() as file:
        return list(csv.DictReader(file))


def spec_of(folder: Path) -> dict[str, object]:
    (component,) = tomllib.loads((folder / "game.toml").read_text())["component"]
    return dict(component)


def assert_alike(seen: Image.Image, true: Image.Image) -> None:
    """The same picture, but for the edges of shapes within a pixel."""
    ours, theirs = (np.asarray(image.convert("L"), np.int16) for image in (seen, true))
    high, wide = (min(a, b) - 4 for a, b in zip(ours.shape, theirs.shape, strict=True))
    near = [theirs[y + 1 : y + 1 + high, x + 1 : x + 1 + wide] for y in range(3) for x in range(3)]
    inner = ours[2 : 2 + high, 2 : 2 + wide]
    apart = (inner < reduce(np.minimum, near) - 40) | (inner > reduce(np.maximum, near) + 40)
    assert apart.mean() < 0.004
    assert np.std(theirs) > 10  # not blank


def crop(page: Image.Image, cell: Rect) -> Image.Image:
    return page.crop([round(side * DPI / 25.4) for side in cell])  # type: ignore[arg-type]


def test_a_deck_with_backs_prints_anew(here: Path, pnp: Pnp) -> None:
    """Vector art and words, seven cards of which two are alike, and mirrored backs."""
    fronts = [1, 2, 3, 4, 5, 1]

    def draw(pdf: OldPdf, number: int, cell: Rect) -> None:
        is_front = pdf.canvas.getPageNumber() == 1
        pdf.fill(cell, fronts[number - 1] if is_front else 9)

    old = pdf_of(OFF_CENTRE, mirrored(OFF_CENTRE), draw=draw)
    Path("old cards.pdf").write_bytes(old)
    result = pnp("import", "old cards.pdf")
    assert result.exit_code == 0, result.output
    assert result.stdout == "old-cards\n"
    folder = here / "old-cards"
    rows = rows_of(folder)
    assert [row["count"] for row in rows] == ["2", "1", "1", "1", "1"]
    assert [row["front"] for row in rows] == [f"faces.pdf#{page}" for page in (1, 3, 4, 5, 6)]
    assert {row["back"] for row in rows} == {"faces.pdf#2"}
    assert [row["#place"] for row in rows] == ["1", "2", "3", "4", "5"]
    assert spec_of(folder)["size"] == "63.5x88.9mm"
    assert "SHA-256" in (folder / "CREDITS.md").read_text()
    assert [path.name for path in (folder / "art").iterdir()] == ["faces.pdf"]
    assert pnp("build", "./old-cards", "--paper", "a4", "-o", "new.pdf").exit_code == 0
    assert pnp("export", "./old-cards", "--to", "png", "--dpi", "150", "-o", "faces").exit_code == 0
    page = rasterise(old, DPI)[0]
    for row in rows:
        with Image.open(here / f"faces/faces/cards/{row['id']}-front.png") as face:
            assert_alike(face, crop(page, OFF_CENTRE[int(row["#place"]) - 1]))
    again = next(line for line in result.stderr.splitlines() if line.startswith("again: "))
    words = shlex.split(again.removeprefix("again: pnp "))
    assert words[-6:] == ["--size", "63.5x88.9mm", "--pages", "1-2", "--backs", "next"]
    assert pnp(*words, "-o", "same").exit_code == 0
    for path in (file for file in folder.rglob("*") if file.is_file()):
        same = Path("same") / path.relative_to(folder)
        assert path.name == "game.toml" or same.read_bytes() == path.read_bytes(), path


def test_backs_are_in_a_second_file(here: Path, pnp: Pnp) -> None:
    """Mirrored on as many pages; one card for all, in a file whose owner is asked; of no other size."""
    Path("old.pdf").write_bytes(pdf_of(OFF_CENTRE, OFF_CENTRE[:3]))
    behind = (mirrored(cells) for cells in (OFF_CENTRE, OFF_CENTRE[:3]))
    Path("backs.pdf").write_bytes(pdf_of(*behind, draw=lambda pdf, number, cell: pdf.fill(cell, number + 10)))
    result = pnp("import", "old.pdf", "--backs", "backs.pdf")
    assert result.exit_code == 0, result.output
    assert "again: pnp import old.pdf --size 63.5x88.9mm --pages 1-2 --backs backs.pdf\n" in result.stderr
    with pikepdf.open("old/art/faces.pdf") as fronts, pikepdf.open("old/art/backs.pdf") as backs:
        assert [len(fronts.pages), len(backs.pages)] == [6, 6]
    assert [(row["back"], row["#page"], row["#place"]) for row in rows_of(here / "old")] == [
        (f"backs.pdf#{number}", "1", str(number)) for number in range(1, 7)
    ]
    credit = (here / "old/CREDITS.md").read_text()
    for name in ("old.pdf", "backs.pdf"):
        assert f"{name}, 2 pages, SHA-256 {sha256(Path(name).read_bytes()).hexdigest()}" in credit
    with pypdfium2.PdfDocument("old/art/backs.pdf") as faces:  # the first front's is at the right
        assert "card 11" in faces[0].get_textpage().get_text_range()
    whole = Size(69.5, 94.9)
    one = OldPdf(whole)
    one.fill(Rect(0, 0, *whole), 9)
    Path("ONE.PDF").write_bytes(locked(one.finish(), copies=False))
    refused = pnp("import", "old.pdf", "--backs", "ONE.PDF", "-o", "one")
    assert "'ONE.PDF': its owner does not allow" in refused.stderr
    assert pnp("import", "old.pdf", "--backs", "ONE.PDF", "--i-may", "-o", "one").exit_code == 0
    assert {row["back"] for row in rows_of(here / "one")} == {"backs.pdf#1"}
    Path("small.pdf").write_bytes(pdf_of(grid(3, 3, Size(44, 68), (20, 20))))
    result = pnp("import", "old.pdf", "--backs", "small.pdf", "-o", "bad")
    assert "'small.pdf': it shows no backs of 63.5 × 88.9 mm" in result.stderr
    assert (result.exit_code, Path("bad").exists()) == (1, False)


def test_hexagons_stay_hexagons(here: Path, pnp: Pnp) -> None:
    """Cut to their shape, of which neighbours are a part of the box."""
    pdf = OldPdf()
    old_pdfs.shaped(pdf, comb(3, 3, Size(44.0, 50.807), (15.0, 12.0)))
    Path("old.pdf").write_bytes(pdf.finish())
    result = pnp("import", "old.pdf", "--shape", "hexagon")
    assert result.exit_code == 0, result.output
    assert "--size 44x50.8068mm --shape hexagon --pages 1" in result.stderr
    component = spec_of(here / "old")
    assert component["shape"] == {"kind": "hexagon", "across": "44mm", "top": "corner"}
    assert 'points="22,0 44,12.7017 44,38.1051 22,50.8068 0,38.1051 0,12.7017"' in Path("old/front.svg").read_text()
    assert pnp("check", "./old").exit_code == 0
    refused = pnp("import", "old.pdf", "--shape", "hexagon", "--size", "40x40mm", "-o", "other")
    assert "error: --size: no hexagon is 40 × 40 mm\n    hint: of the box around it" in refused.stderr


def test_a_scan_is_imported_when_a_person_confirms(here: Path, pnp: Pnp) -> None:
    """The message has the command. Backs at the mirror image of the places are found by it."""
    cells = grid(3, 2, POKER, (12.0, 9.0), gap=3.0)
    Path("old.pdf").write_bytes(old_pdfs.flattened(pdf_of(cells, mirrored(cells))))
    refused = pnp("import", "old.pdf")
    assert (refused.exit_code, Path("old").exists()) == (1, False)
    hint = "    hint: if --picture found.png shows them right: pnp "
    (command,) = (line.removeprefix(hint) for line in refused.stderr.splitlines() if line.startswith(hint))
    assert command.startswith("import old.pdf --size 63.5x88.9mm --at ")
    result = pnp(*shlex.split(command), "--dpi", "72")
    assert result.exit_code == 0, result.output
    assert [row["back"] for row in rows_of(here / "old")] == [f"p2-{n}.png" for n in (2, 1, 4, 3, 6, 5)]


def test_a_photograph_keeps_its_file(here: Path, pnp: Pnp) -> None:
    """A JPEG on each card: the bytes that the old file has."""
    pdf, photographs = OldPdf(), []
    for number, cell in enumerate(APART):
        image, stream = Image.new("RGB", (300, 420), old_pdfs.COLOURS[number]), io.BytesIO()
        image.paste((250, 240, 200), (30, 30, 270, 90 + 70 * number))
        image.save(stream, "JPEG", quality=90)
        photographs.append(stream.getvalue())
        Path(f"{number}.jpg").write_bytes(stream.getvalue())
        pdf.canvas.drawImage(f"{number}.jpg", *pdf.box(cell))
    Path("old.pdf").write_bytes(pdf.finish())
    assert pnp("import", "old.pdf").exit_code == 0
    kept = [io.BytesIO() for _ in photographs]
    with pikepdf.open(here / "old/art/faces.pdf") as faces:
        for page, stream in zip(faces.pages, kept, strict=True):
            (picture,) = page.get_images().values()
            assert isinstance(picture, pikepdf.Stream)
            pikepdf.PdfImage(picture).extract_to(stream=stream)
    assert [stream.getvalue() for stream in kept] == photographs


def test_nothing_travels_that_a_card_does_not_show(here: Path, pnp: Pnp) -> None:
    """Neither the neighbours nor a picture of the whole sheet."""
    pdf = OldPdf()
    pdf.canvas.drawImage(old_pdfs.pictured(2, (900, 1200)), *pdf.box(Rect(10, 15, 200, 285)))
    old_pdfs.framed(pdf, NINE)
    Path("old.pdf").write_bytes(pdf.finish())
    result = pnp("import", "old.pdf", "--dpi", "100")
    assert result.exit_code == 0, result.output
    assert "9 faces of 9 can only be pixels" in result.stderr
    with Image.open(here / "old/art/p1-1.png") as face:
        assert face.size == (250, 350)
    for name, is_form in (("words", False), ("form", True)):
        Path(f"{name}.pdf").write_bytes(sheet_of_words(is_form=is_form))
        assert pnp("import", f"{name}.pdf").exit_code == 0
        with pypdfium2.PdfDocument(here / name / "art/faces.pdf") as faces:
            words = [{*page.get_textpage().get_text_range().split("\r\n")} for page in faces]
            things = [len(list(page.get_objects(max_depth=9))) for page in faces]
        assert words == [{f"card {number}"} for number in range(1, 10)]
        assert things == [7 + is_form] * 9  # two areas, five lines, and the form of the sheet


def sheet_of_words(*, is_form: bool) -> bytes:
    """Nine cards; all are one form, as programs write that put several pages on one."""
    pdf = OldPdf()
    if is_form:
        pdf.canvas.beginForm("sheet")
    pdf.cards(NINE)
    if is_form:
        pdf.canvas.endForm()
        pdf.canvas.doForm("sheet")
    return pdf.finish()


def test_bleed_of_the_old_file_is_kept(here: Path, pnp: Pnp) -> None:
    pdf = OldPdf()
    old_pdfs.bled(pdf, APART)
    Path("old.pdf").write_bytes(pdf.finish())
    assert pnp("import", "old.pdf").exit_code == 0
    component = spec_of(here / "old")
    assert component["front"] == {"template": "front.svg"}  # no mirrored edge
    front = (here / "old/front.svg").read_text()
    assert 'viewBox="-3 -3 69.5 94.9"' in front
    assert pnp("check", "./old").exit_code == 0


@pytest.mark.parametrize(
    "how",
    [
        "--sides=duplex --paper=a4",
        "--sides=single --paper=letter",
        "--gap=8mm --paper=letter",
        "--sides=fold --gap=8mm --paper=a4",
    ],
)
def test_a_kit_of_our_own_comes_back(how: str, here: Path, pnp: Pnp) -> None:
    """Game to PDF to game, as if another program had made the PDF: the same size, places and faces,
    without any option."""
    Path("deck").mkdir()
    Path("deck/front.svg").write_text(_FRONT)
    Path("deck/back.svg").write_text(_FRONT.replace("{{ id }}", "back").replace("orange", "navy"))
    Path("deck/cards.csv").write_text("id\none\ntwo\nthree\nfour\nfive\n")
    Path("deck/game.toml").write_text(_DECK)
    built = pnp("build", "./deck", "--only", "cards", *how.split(), "-o", "own.pdf")
    assert built.exit_code == 0, built.output
    assert "pnp made this PDF" in pnp("import", "own.pdf").stderr
    with pikepdf.open("own.pdf") as own:
        del own.docinfo["/Creator"]
        own.save("strange.pdf")
    result = pnp("import", "strange.pdf")
    assert result.exit_code == 0, result.output
    rows = rows_of(here / "strange")
    assert [row["count"] for row in rows] == ["1"] * 5
    assert len({row.get("back") for row in rows}) == 1
    assert spec_of(here / "strange")["size"] == "63.5x88.9mm"
    assert ("back" in rows[0]) == ("single" not in how)
    for folder in ("deck", "strange"):
        assert pnp("export", f"./{folder}", "--to", "png", "--dpi", "150", "-o", f"{folder}-faces").exit_code == 0
    fronts = [_open_faces(Path(f"{folder}-faces"), "front") for folder in ("deck", "strange")]
    for seen in fronts[1]:  # 0.2 mm are a pixel: a cell further off is another picture
        assert sum(_is_alike(seen, true) for true in fronts[0]) == 1


def _open_faces(folder: Path, side: str) -> list[Image.Image]:
    files = sorted((folder / "faces/cards").glob(f"*-{side}.png"))
    assert len(files) == 5
    return [Image.open(file).copy() for file in files]


def _is_alike(seen: Image.Image, true: Image.Image) -> bool:
    try:
        assert_alike(seen, true)
    except AssertionError:
        return False
    return True


_FRONT = """<svg xmlns="http://www.w3.org/2000/svg" width="69.5mm" height="94.9mm"
  viewBox="-3 -3 69.5 94.9"><rect x="-3" y="-3" width="69.5" height="94.9" fill="orange"/>
  <text x="5" y="50" font-family="Alegreya Sans" font-size="24">{{ id }}</text></svg>"""
_DECK = f'{deck.SPEC}[component.back]\ntemplate = "back.svg"\n'


def locked(content: bytes, *, password: str = "", copies: bool = True) -> bytes:
    saved = io.BytesIO()
    allow = pikepdf.Permissions(extract=copies)
    with pikepdf.open(io.BytesIO(content)) as pdf:
        pdf.save(saved, encryption=pikepdf.Encryption("owner", password, allow=allow))
    return saved.getvalue()


def test_owner_and_password_are_heeded(here: Path, pnp: Pnp) -> None:
    cards = pdf_of(NINE)
    Path("a.pdf").write_bytes(locked(cards, copies=False))
    result = pnp("import", "a.pdf")
    assert result.exit_code == 1
    assert "its owner does not allow to copy from it\n    hint: if you may, add --i-may" in result.stderr
    assert not (here / "a").exists()
    assert pnp("import", "a.pdf", "--i-may").exit_code == 0
    Path("b.pdf").write_bytes(locked(cards, password="secret"))
    result = pnp("import", "b.pdf")
    assert result.exit_code == 1
    assert "it needs a password" in result.stderr


def test_who_orders_the_faces_of_others_is_told(here: Path, pnp: Pnp) -> None:
    Path("old.pdf").write_bytes(pdf_of(NINE))
    assert pnp("import", "old.pdf").exit_code == 0
    for text, is_told in ((None, True), ("All by me.", False)):
        if text:
            (here / "old/CREDITS.md").write_text(text, "utf-8")
        result = pnp("export", "./old", "--to", "shop", "--for", "makeplayingcards", "-o", "out")
        assert result.exit_code == 0, result.output
        assert ("note: old/CREDITS.md: its faces are from an imported PDF" in result.stderr) == is_told


@pytest.mark.parametrize("unit", [0, -3, 10**9, pikepdf.String("x")])
def test_a_unit_that_no_page_has_is_told(unit: object, here: Path, pnp: Pnp) -> None:
    with pikepdf.open(io.BytesIO(pdf_of(NINE))) as pdf:
        pdf.pages[0].UserUnit = unit
        pdf.save("old.pdf")
    told = pnp("import", "old.pdf")
    assert told.stderr.startswith("error: 'old.pdf' page 1: it cannot be read: ")
    assert (told.exit_code, (here / "old").exists()) == (1, False)


@pytest.mark.parametrize(
    ("password", "copies", "why"),
    [("secret", True, ""), ("Secret", True, "this is not its password"), ("secret", False, "does not allow to copy")],
)
def test_a_password_is_asked_for(here: Path, password: str, copies: bool, why: str) -> None:
    file = Path("b.pdf")
    file.write_bytes(locked(pdf_of(NINE), password="secret", copies=copies))
    asked: list[str] = []

    def ask(_file: str) -> str:
        asked.append(password)
        return password

    if why:
        with pytest.raises(PnpError, match=why):
            import_pdf(file, ImportOptions(), asked.append, ask)
    else:
        made = import_pdf(file, ImportOptions(), lambda _: None, ask)
        Path("plain.pdf").write_bytes(pdf_of(NINE))
        plain = import_pdf(Path("plain.pdf"), ImportOptions(), lambda _: None)
        assert made.files["cards.csv"] == plain.files["cards.csv"]
        assert pikepdf.open(io.BytesIO(made.files["art/faces.pdf"])).is_encrypted is False
    assert asked == [password], "once"
    assert {path.name for path in here.iterdir()} <= {"b.pdf", "plain.pdf"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "this is not a readable PDF"),
        (b"%PDF-1.7\n" + b"\xff" * 3000, "this is not a readable PDF"),
        (text_page(), "no boxes, lines, marks or pictures show where its cards are"),
        (b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[2 0 R]"
         b"/Count 9>>endobj trailer<</Root 1 0 R>>", "this is not a readable PDF"),
    ],
)  # fmt: skip
def test_what_is_no_deck_is_refused(content: bytes, words: str, here: Path, pnp: Pnp) -> None:
    Path("old.pdf").write_bytes(content)
    result = pnp("import", "old.pdf")
    assert result.exit_code == 1
    assert words in result.stderr
    assert sorted(path.name for path in here.iterdir()) == ["old.pdf"]


def hostile(kind: str) -> bytes:
    """A PDF with cards that may harm who reads it."""
    saved = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf_of(APART))) as pdf:
        page = pdf.pages[0]
        form = {"Type": pikepdf.Name.XObject, "Subtype": pikepdf.Name.Form, "BBox": pikepdf.Array([0, 0, 600, 800])}
        if kind == "page":
            page.MediaBox = pikepdf.Array([0, 0, 10_000_000, 10_000_000])
        elif kind == "loop":
            loop = pdf.make_stream(b"/F Do", **form)
            loop.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(F=loop))
            page.Resources.XObject = loop.Resources.XObject
            page.contents_add(b"/F Do")
        elif kind == "picture":
            sides = {"Width": 100_000, "Height": 100_000, "BitsPerComponent": 8}
            picture = pdf.make_stream(b"0", **{**form, **sides, "Subtype": pikepdf.Name.Image})
            picture.ColorSpace = pikepdf.Name.DeviceRGB
            page.Resources.XObject = pikepdf.Dictionary(I=picture)
            page.contents_add(b"90 0 0 90 0 0 cm /I Do")
        else:
            script = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=pikepdf.String("app.alert(1)"))
            pdf.Root.OpenAction = script
        pdf.save(saved)
    return saved.getvalue()


@pytest.mark.parametrize("kind", ["page", "loop", "picture", "script"])
def test_a_hostile_file_is_refused_or_harmless(kind: str, here: Path, pnp: Pnp) -> None:
    (here / "old.pdf").write_bytes(hostile(kind))
    result = pnp("import", "old.pdf")
    assert "pnp itself is at fault" not in result.output
    assert (result.exit_code == 0) == (kind != "page"), result.output
    if result.exit_code:
        assert "page 1: it cannot be read: its size is not that of a page" in result.stderr
        assert sorted(path.name for path in here.iterdir()) == ["old.pdf"]
    for file in (path for path in here.glob("old/**/*") if path.is_file()):
        assert b"app.alert" not in file.read_bytes()


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--size", "63x88", "has no unit"),
        ("--size", "big", "is not a size"),
        ("--grid", "3", "is not rows and columns"),
        ("--at", "3mm", "is not two lengths"),
        ("--pages", "0-3", "names no pages"),
        ("--backs", "behind", "names no pages"),
        ("--pages", "7", "the PDF has 1 page"),
        ("--bleed", "900mm", "show where its cards are"),
        ("--at", "150,150mm", "show where its cards are"),
        ("--gap", "50mm", "show where its cards are"),
        ("--backs", "next", "1 page with cards cannot be fronts and backs in turn"),
    ],
)
def test_options_are_explained(option: str, value: str, words: str, here: Path, pnp: Pnp) -> None:
    (here / "old.pdf").write_bytes(pdf_of(APART))
    result = pnp("import", "old.pdf", option, value)
    assert result.exit_code in (1, 2)
    assert words in result.stderr


def test_the_picture_shows_what_is_found(here: Path, pnp: Pnp) -> None:
    pdf = OldPdf()
    pdf.cards(APART)
    Path("old.pdf").write_bytes(pdf.finish())
    assert pnp("import", "old.pdf", "--picture", "found.png").exit_code == 0
    assert sorted(path.name for path in here.iterdir()) == ["found.png", "old.pdf"]
    assert pnp("import", "old.pdf", "--grid", "2x2", "-o", "halves").exit_code == 0  # of the ink
    with Image.open("found.png") as picture:
        scale = picture.width / (210 + 12)
        x, y = 6 + APART[0].x0, 6 + 7 + APART[0].centre.y  # the left edge of the first card
        edge = picture.convert("RGB").getpixel((round(x * scale), round(y * scale)))
    assert edge == pytest.approx((216, 30, 44), abs=12)
    assert grid(1, 1, Size(1, 1), (0, 0))
