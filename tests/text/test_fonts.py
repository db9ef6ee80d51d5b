"""Measured text is what a renderer of glyphs makes of the same font."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zlib
from pathlib import Path

import brotli
import pytest
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont

from generator.basics.errors import MisfitError, PnpError
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, Font, FontBook, fontfiles

BOOK = FontBook([HOUSE_FONTS])
FONTS = [BOOK.find(HOUSE_FAMILY), BOOK.find(HOUSE_FAMILY, 700), BOOK.find("Abril Fatface")]
TEXTS = ["4", "12", "Talavera · Cards", "jÄgq", "50 mm", "this edge up"]
PIXELS = 1000  # a size at which a pixel is nothing


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("font", FONTS, ids=lambda font: f"{font.family} {font.weight}")
def test_ink_is_where_freetype_puts_it(font: Font, text: str) -> None:
    """FreeType, through Pillow, draws with the baseline start in the middle of a picture."""
    oracle = ImageFont.truetype(str(font.path), PIXELS, layout_engine=ImageFont.Layout.BASIC)
    picture = Image.new("L", (10 * PIXELS, 4 * PIXELS))
    ImageDraw.Draw(picture).text((PIXELS, 2 * PIXELS), text, 255, oracle, anchor="ls")
    x0, y0, x1, y1 = picture.getbbox() or (0, 0, 0, 0)
    drawn = (x0 - PIXELS, y0 - 2 * PIXELS, x1 - PIXELS, y1 - 2 * PIXELS)
    # its basic layout does not kern as the font's own tables do, which moves the end of a line
    kerned = 0.02 * PIXELS * (len(text) - 1)
    assert tuple(font.ink(text, PIXELS))[:2] == pytest.approx(drawn[:2], abs=2.0)
    assert font.ink(text, PIXELS).x1 == pytest.approx(drawn[2], abs=2.0 + kerned)
    assert font.ink(text, PIXELS).y1 == pytest.approx(drawn[3], abs=2.0)


@pytest.mark.parametrize("font", FONTS, ids=lambda font: f"{font.family} {font.weight}")
def test_measures_grow_with_the_size(font: Font) -> None:
    small, large = font.ink("Talavera", 2.0), font.ink("Talavera", 6.0)
    assert tuple(large) == pytest.approx([3 * value for value in small])
    assert font.width("Talavera", 6.0) == pytest.approx(3 * font.width("Talavera", 2.0))


def test_ink_lies_within_the_advance_and_above_the_baseline() -> None:
    font = FONTS[0]
    ink, width = font.ink("Hm", 10.0), font.width("Hm", 10.0)
    assert 0 <= ink.x0 < ink.x1 <= width
    assert ink.y0 < 0 == pytest.approx(ink.y1, abs=0.1)
    assert font.ink("p", 10.0).y1 > 1.0, "a descender goes below the baseline, y down"


def test_letters_stand_an_advance_apart() -> None:
    for font in FONTS:
        single, two = font.ink("H", 10.0), font.ink("HH", 10.0)
        assert two.x1 - single.x1 == pytest.approx(font.width("H", 10.0))
        assert font.width("HH", 10.0) == pytest.approx(2 * font.width("H", 10.0))


def test_bold_is_wider() -> None:
    assert FONTS[1].width("FRONT", 7.0) > FONTS[0].width("FRONT", 7.0)


@pytest.mark.parametrize("text", ["", " ", "   "])
def test_text_without_ink_has_none(text: str) -> None:
    assert FONTS[0].ink(text, 10.0) == (0.0, 0.0, 0.0, 0.0)
    assert FONTS[0].width("", 10.0) == 0.0
    assert FONTS[0].width(" ", 10.0) > 0.0


def test_missing_names_each_sign_once() -> None:
    assert FONTS[0].missing("Talavera · 100 %") == ""
    assert FONTS[0].missing("a龍b龍☃") == "龍☃"


def test_book_finds_the_nearest_weight() -> None:
    assert [BOOK.find(HOUSE_FAMILY, weight).weight for weight in (100, 500, 700, 900)] == [400, 400, 700, 700]


def test_book_names_the_family_that_was_meant() -> None:
    with pytest.raises(ValueError, match="Alegreya Sans"):
        BOOK.find("Alegreya Sand")


def test_families_of_no_folder_are_none(tmp_path: Path) -> None:
    assert FontBook([tmp_path, tmp_path / "absent"]).families() == []


@pytest.mark.parametrize("content", [b"", b"this is no font", b"\x00\x01\x00\x00" + bytes(40)])
def test_file_that_is_no_font_is_named(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "broken.ttf").write_bytes(content)
    assert is_told(FontBook([tmp_path]), "broken.ttf")


def is_told(book: FontBook, name: str) -> bool:
    """Whether the file is the only one that a book cannot read, and nothing of it is there."""
    (found,) = book.findings
    told = str(found.place).endswith(f"/{name}"), found.level, found.rule, bool(found.hint)
    return told == (True, "warning", "font.unread", True) and book.families() == []


def test_cut_off_font_is_named(tmp_path: Path) -> None:
    whole = FONTS[0].path.read_bytes()
    (tmp_path / "cut.ttf").write_bytes(whole[: len(whole) // 3])
    assert is_told(FontBook([tmp_path]), "cut.ttf")


def test_every_font_at_fault_is_named(tmp_path: Path) -> None:
    for name in ("a.ttf", "b.OTF"):
        (tmp_path / name).write_bytes(b"no font")
    (tmp_path / "sound.ttf").write_bytes(FONTS[0].path.read_bytes())
    book = FontBook([tmp_path])
    places = [f"{tmp_path.parent.name}/{tmp_path.name}/{name}" for name in ("a.ttf", "b.OTF")]
    assert [str(problem.place) for problem in book.findings] == places
    assert book.families() == [HOUSE_FAMILY], "the others stay"
    assert book.folders != (tmp_path,), "the engine is not given what cannot be read"


def test_a_font_that_goes_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fontfiles, "list_within", lambda *_: ["gone.ttf"])
    with pytest.raises(PnpError, match="cannot be read: No such file"):
        FontBook([tmp_path])


def test_a_file_that_is_another_font_now_is_that_font(tmp_path: Path) -> None:
    regular, bold = (FontBook([HOUSE_FONTS]).find(HOUSE_FAMILY, weight) for weight in (400, 700))
    path = tmp_path / "own.ttf"
    path.write_bytes(regular.path.read_bytes())
    before = FontBook([tmp_path]).find(HOUSE_FAMILY)
    assert FontBook([tmp_path]).find(HOUSE_FAMILY) is before
    path.write_bytes(bold.path.read_bytes())
    assert FontBook([tmp_path]).find(HOUSE_FAMILY).weight == 700


def test_books_of_the_same_files_are_equal_until_one_of_them_changes(tmp_path: Path) -> None:
    file = tmp_path / "font.ttf"
    file.write_bytes(FONTS[0].path.read_bytes())
    book = FontBook([tmp_path])
    assert FontBook([tmp_path]) == book
    assert hash(FontBook([tmp_path])) == hash(book)
    file.write_bytes(FONTS[1].path.read_bytes())
    assert FontBook([tmp_path]) != book


def test_the_letters_of_the_built_in_fonts_can_be_measured() -> None:
    """`fontfiles` does not look at them again in each run."""
    faces = [face for _, face in fontfiles.read_folder(HOUSE_FONTS).faces]
    assert len(faces) >= 7
    for face in faces:
        assert not face.find_strange()


def packed(content: bytes, flavour: str) -> bytes:
    """A font as a WOFF or WOFF2 file."""
    font = TTFont(io.BytesIO(content))
    font.flavor = flavour
    written = io.BytesIO()
    font.save(written)
    return written.getvalue()


@pytest.mark.parametrize("flavour", ["woff", "woff2"])
def test_packed_font_is_the_font(flavour: str, tmp_path: Path) -> None:
    path = FONTS[0].path
    (tmp_path / f"own.{flavour}").write_bytes(packed(path.read_bytes(), flavour))
    book = FontBook([tmp_path])
    assert (book.families(), book.findings) == ([HOUSE_FAMILY], [])
    font = book.find(HOUSE_FAMILY)
    assert font.width("Ägypten, fjord", 9) == FONTS[0].width("Ägypten, fjord", 9)
    assert font.ink("Ägypten, fjord", 9) == FONTS[0].ink("Ägypten, fjord", 9)
    assert font.path.read_bytes()[:4] == b"\0\1\0\0", "the engine reads the copy"


def bomb(flavour: str, said: int) -> bytes:
    """A packed font with a table of 64 MB that it says is `said` bytes long."""
    zeros = bytes(64 * 1024 * 1024)
    if flavour == "woff":
        table = zlib.compress(zeros)
        head = struct.pack(">4s4xI2HI", b"wOFF", 64 + len(table), 1, 0, said)
        return head + bytes(24) + struct.pack(">4s4I", b"cmap", 64, len(table), said, 0) + table
    packed_zeros: bytes = brotli.compress(zeros, quality=1)
    size = bytes([0x80 | said >> shift & 0x7F for shift in (28, 21, 14, 7)]) + bytes([said & 0x7F])
    entry = b"\0" + size.lstrip(b"\x80")
    length = 48 + len(entry) + len(packed_zeros)
    head = struct.pack(">4s4xI2H2I", b"wOF2", length, 1, 0, said, len(packed_zeros))
    return head + bytes(24) + entry + packed_zeros


@pytest.mark.parametrize("flavour", ["woff", "woff2"])
@pytest.mark.parametrize(("said", "told"), [(1000, "is damaged"), (64 << 20, "unpacks to 64.0 MB")])
def test_packed_font_that_unpacks_to_too_much(flavour: str, said: int, told: str) -> None:
    content = bomb(flavour, said)
    assert len(content) < 100_000
    tracemalloc.start()
    with pytest.raises(MisfitError, match=told):
        fontfiles.unpack(content)
    assert tracemalloc.get_traced_memory()[1] < 4_000_000
    tracemalloc.stop()
    whole = packed(FONTS[0].path.read_bytes(), flavour)
    for cut in (4, 60, len(whole) // 2):
        with pytest.raises(MisfitError, match="damaged"):
            fontfiles.unpack(whole[:cut])


def test_letter_without_a_width_is_one_that_the_font_lacks(tmp_path: Path) -> None:
    made = TTFont(FONTS[0].path)
    for letter in "Qx":
        name = made.getBestCmap()[ord(letter)]
        made["hmtx"][name] = (0, made["hmtx"][name][1])
    made.save(tmp_path / "own.ttf")
    book = FontBook([tmp_path])
    assert book.findings == []
    assert book.find(HOUSE_FAMILY).missing("A Quiz by fax") == "Qx"


def test_a_radical_of_dictionaries_does_not_stand_for_a_letter(tmp_path: Path) -> None:
    """Japanese fonts show both by one glyph, and the radical has the lower code: where the glyph was
    read as that, pdfium lost the places of the letters."""
    made = TTFont(Path(__file__).parents[1] / "fonts/noto-sans-jp/NotoSansJP-Regular.ttf")
    for table in made["cmap"].tables:
        table.cmap[0x2F08] = table.cmap[ord("人")]
    made.save(tmp_path / "own.ttf")
    font = FontBook([tmp_path]).find("Noto Sans JP")
    (glyph,) = {font.harfbuzz.get_nominal_glyph(ord(letter)) for letter in "⼈人"}
    assert font.letters[glyph] == "人"
