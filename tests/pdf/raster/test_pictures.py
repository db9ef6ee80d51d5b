"""Pictures of a game: as large as the cut piece, its corners cut away, the same at every run."""

from __future__ import annotations

import io
import re
from functools import cache
from math import ceil, pi
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from msgspec.structs import replace
from PIL import Image

from generator.basics.geometry import Point, Size, translation
from generator.basics.shapes import Outline, Shape, carried, circle, hexagon, polygon, rectangle, trihex
from generator.faces.canvas import Canvas
from generator.pdf import press_worker, raster
from generator.pdf.raster import pictures as drawn
from generator.pdf.raster.pictures import TABLE
from generator.pdf.raster.proofs import contents_of
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, FontBook
from tests.conftest import Pnp
from tests.support.printing import Deck, deck, face_of, job, page_of, read_back, unboxed

DPI = 150
RADIUS = 5.0  # mm
BLEED = 3.0


@cache
def pictures(width: float = 50.8, height: float = 76.2, dpi: int = DPI) -> list[Image.Image]:
    printed_deck = deck(2, rectangle(Size(width, height)), BLEED)
    return rasters(printed_deck, dpi)


def rasters(printed_deck: Deck, dpi: int) -> list[Image.Image]:
    printed = press_worker.print_job(job([printed_deck], raster.face_sheets(printed_deck.faces)))
    return raster.rasterise(printed, dpi)


def test_bands_are_the_whole_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """However high each is, and the last one lower."""
    printed_deck = deck(2, rectangle(Size(50.8, 76.2)), BLEED)
    printed = press_worker.print_job(job([printed_deck], raster.face_sheets(printed_deck.faces)))
    monkeypatch.setattr(drawn, "_BAND", 100_000)
    for page, whole in zip(raster.paint_bands(printed, DPI), pictures(), strict=True):
        bands = list(page)
        assert len(bands) > 1
        assert b"".join(band.tobytes() for band in bands) == whole.tobytes()


@pytest.mark.parametrize(
    ("width", "height", "dpi", "pixels"),
    [
        (50.8, 76.2, 150, (300, 450)),
        (50.8, 76.2, 300, (600, 900)),
        (63.5, 88.9, 100, (250, 350)),
        (44.45, 69.85, 72, (126, 198)),
    ],
)
def test_picture_is_as_large_as_the_trim(width: float, height: float, dpi: int, pixels: tuple[int, int]) -> None:
    sizes = {picture.size for picture in pictures(width, height, dpi)}
    assert sizes == {pixels}


def test_picture_shows_what_lies_within_the_trim() -> None:
    """A red bleed around a blue piece: the picture is blue from edge to edge."""
    size = rectangle(Size(50.8, 76.2))
    piece = f'<rect x="{BLEED}" y="{BLEED}" width="50.8" height="76.2" fill="#00f"/>'
    content = f'<rect width="99" height="99" fill="#f00"/>{piece}'
    made = deck(1, size, BLEED, backs=None)
    (picture,) = rasters(Deck(made.run, (face_of("blue", size, BLEED, content),)), DPI)
    assert picture.getcolors() == [(300 * 450, (0, 0, 255))]


def shown(outline: Outline, radius: float = 0.0, picture: int = 0) -> Image.Image:
    """A card cut out along an outline of its trim box."""
    face = face_of("cut", rectangle(Size(50.8, 76.2)), BLEED, "")
    face = replace(face, outline=carried(outline, translation(BLEED, BLEED)), corner_radius=radius)
    return raster.cut_out(pictures()[picture], face, DPI)


CARD = rectangle(Size(50.8, 76.2)).outline


def test_corners_are_transparent_and_the_rest_is_not() -> None:
    card = shown(CARD, RADIUS)
    alpha = card.getchannel("A")
    width, height = alpha.size
    radius = RADIUS * DPI / 25.4
    for x, y in ((0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)):
        assert alpha.getpixel((x, y)) == 0
    for x, y in ((width // 2, 0), (0, height // 2), (width // 2, height - 1)):
        assert alpha.getpixel((x, y)) == 255
    gone = sum((255 - value) * count for value, count in enumerate(alpha.histogram())) / 255
    assert gone == pytest.approx((4 - 3.14159) * radius**2, rel=0.02)
    assert sum(alpha.histogram()[64:192]) > 30, "the edge of a corner is smooth"


def test_square_corners_stay() -> None:
    assert shown(CARD).getchannel("A").getextrema() == (255, 255)


@pytest.mark.parametrize(
    "shape",
    [
        hexagon(40, "corner"),
        hexagon(40, "edge"),
        trihex(20),
        circle(30),
        polygon([Point(0, 0), Point(40, 0), Point(40, 40), Point(20, 12)]),
    ],
)
def test_piece_of_any_shape_is_cut_along_its_outline(shape: Shape) -> None:
    face = face_of("cut", shape, 0.0, "")
    size = tuple(ceil(side * DPI / 25.4) for side in shape.size)
    card = raster.cut_out(Image.new("RGB", size), face, DPI)  # type: ignore[arg-type]
    alpha = card.getchannel("A")
    kept = sum(value * count for value, count in enumerate(alpha.histogram())) / 255
    assert kept * (25.4 / DPI) ** 2 == pytest.approx(shape.area, rel=0.005)
    assert alpha.getbbox() == (0, 0, *size)


def test_bytes_are_the_same_each_time_and_say_their_resolution() -> None:
    card = shown(CARD, RADIUS)
    assert raster.encode(card, DPI) == raster.encode(card.copy(), DPI)
    assert raster.encode(card, DPI) != raster.encode(shown(CARD, 1.0, 1), DPI)
    with Image.open(io.BytesIO(raster.encode(card, DPI))) as read:
        assert read.info["dpi"] == pytest.approx((DPI, DPI), abs=0.1)
        assert read.convert("RGBA").tobytes() == card.tobytes()


def test_overview_shows_every_face_apart() -> None:
    colours = [(200, 0, 0), (0, 200, 0), (0, 0, 200), (9, 9, 9), (90, 90, 90)]
    tiles = [Image.new("RGBA", (20, 30), (*colour, 255)) for colour in colours]
    table = raster.overview([tiles[:3], [], tiles[3:]], 25.4)
    counts = {colour: count for count, colour in table.getcolors() or []}
    assert [counts[colour] for colour in colours] == [20 * 30] * 5
    assert len(counts) == 6, "the faces and the table, nothing else"


def test_overview_of_pieces_of_many_sizes() -> None:
    tiles = [Image.new("RGBA", size, (1, 2, 3, 255)) for size in ((10, 40), (40, 10), (5, 5))]
    table = raster.overview([tiles], 25.4)
    counts = {colour: count for count, colour in table.getcolors() or []}
    assert counts[1, 2, 3] == 10 * 40 + 40 * 10 + 25


def test_overview_leaves_little_of_the_table_bare() -> None:
    """Groups like Toripoka's: many cards, single ones, flat nets in three sizes, and a box."""
    cards, nets = [((63, 89), 17), ((63, 89), 1), ((63, 89), 2)], [((110, 60), 5), ((70, 42), 5)]
    groups = [*cards, *nets, ((94, 55), 5), ((150, 125), 1)]
    tiles = [[Image.new("RGBA", size, (1, 2, 3, 255))] * count for size, count in groups]
    table = raster.overview(tiles, 25.4)
    covered = {colour: count for count, colour in table.getcolors() or []}[1, 2, 3]
    assert covered == sum(width * height * count for (width, height), count in groups)
    assert covered > 0.75 * table.width * table.height
    assert 1.0 <= table.width / table.height <= 2.0


def test_overview_of_one_group_has_a_gap_around_each() -> None:
    tiles = [Image.new("RGBA", (20, 20), (1, 2, 3, 255))] * 4
    assert raster.overview([tiles], 25.4).size in ((3 + 2 * 23, 3 + 2 * 23), (3 + 4 * 23, 3 + 23))


def test_overview_of_a_game_shows_a_back_that_all_share_once(pnp: Pnp, tmp_path: Path) -> None:
    """Toripoka's cards: 17 fronts, their one back, and two sides of the reference card."""
    game = unboxed("toripoka", tmp_path, '[[component]]\nid = "large"')
    spec = (game / "game.toml").read_text("utf-8")
    kept, _, rest = spec.partition("[booklet]")  # its figures show pyramids
    (game / "game.toml").write_text(kept + rest[rest.index("[[component]]") :], "utf-8")
    result = pnp("export", game, "--to", "png", "--dpi", "40", "-o", tmp_path)
    assert result.exit_code == 0, result.output
    with Image.open(tmp_path / "overview.png") as table:
        counts = {colour: count for count, colour in table.getcolors(1 << 20) or []}
        covered = table.width * table.height - counts[TABLE]
    card = (63.5 * 88.9 - (4 - pi) * 3**2) * (40 / 25.4) ** 2
    assert covered / card == pytest.approx(17 + 1 + 2, abs=0.5)


@pytest.mark.parametrize("turn", [0, 180])
def test_letters_are_where_their_ink_is(turn: int) -> None:
    """On a face with its bleed: the box around all boxes is that of the dark pixels."""
    size = rectangle(Size(50.8, 76.2))
    text = '<text font-family="Alegreya Sans" font-size="9">Hxg &#160; 7</text>'
    face = face_of("text", size, BLEED, f'<g transform="translate(25 30) rotate({turn})">{text}</g>')
    made = Deck(deck(1, size, BLEED, backs=None).run, (face,))
    printed = press_worker.print_job(job([made], raster.face_sheets(made.faces, is_bled=True)))
    ((pixels, contents),) = read_back(printed, 1, DPI)
    picture = Image.fromarray(pixels[..., :3])
    letters = contents.letters
    assert picture.size == tuple(ceil(side * DPI / 25.4) for side in face.size)
    assert len(letters) == len("Hxg7"), "a space has no ink"
    inked = picture.convert("L").point(lambda value: 255 * (value < 128)).getbbox()
    assert inked is not None
    corners = [*zip(*(box.corners()[0] for box in letters), strict=True)]
    ends = [*zip(*(box.corners()[2] for box in letters), strict=True)]
    told = (*map(min, corners), *map(max, ends))
    assert told == pytest.approx([side * 25.4 / DPI for side in inked], abs=0.25)


def test_a_letter_beyond_the_first_plane_is_one() -> None:
    canvas = Canvas(Size(20.0, 20.0))
    font = FontBook([HOUSE_FONTS]).find(HOUSE_FAMILY)
    canvas.text("AHI", font, 4.0, Point(10.0, 10.0), "#000000")
    with pikepdf.open(io.BytesIO(page_of(canvas.layer("a")))) as file:
        for pdf_object in file.objects:
            if isinstance(pdf_object, pikepdf.Stream) and b"begincmap" in pdf_object.read_bytes():
                pdf_object.write(re.sub(rb"<0048>(?=\s)", b"<D83DDD25>", pdf_object.read_bytes()))
        file.save(printed := io.BytesIO())
    with pypdfium2.PdfDocument(printed) as pdf:
        (word,) = contents_of(pdf[0]).words
    assert (word.text, len(word.letters)) == ("A\U0001f525I", 3)


def test_a_temporary_file_is_not_compressed_and_looks_the_same() -> None:
    printed_deck = deck(2, rectangle(Size(50.8, 76.2)), BLEED)
    final = job([printed_deck], raster.face_sheets(printed_deck.faces))
    files = [press_worker.print_job(replace(final, is_temporary=on)) for on in (False, True)]
    for content, is_compressed in zip(files, (True, False), strict=True):
        with pikepdf.open(io.BytesIO(content)) as file:
            assert {"/Filter" in page.Contents for page in file.pages} == {is_compressed}
    usual, painted = ([image.tobytes() for image in raster.rasterise(f, DPI)] for f in files)
    assert usual == painted


@pytest.mark.parametrize("count", [1, 26, 40])
def test_every_letter_of_a_full_page_is_read(count: int) -> None:
    canvas = Canvas(Size(90.0, 90.0))
    font = FontBook([HOUSE_FONTS]).find(HOUSE_FAMILY)
    lines = ["".join("AHIMNTU"[(i + j) % 7] for i in range(count)) for j in range(count)]
    for number, line in enumerate(lines):
        canvas.text(line, font, 2.0, Point(3.0, 3.0 + 2.1 * number), "#000000")
    with pypdfium2.PdfDocument(page_of(canvas.layer("a"))) as pdf:
        contents = contents_of(pdf[0])
    assert "".join(word.text for word in contents.words) == "".join(lines)
    assert len({box.corners()[0] for box in contents.letters}) == count * count


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
@pytest.mark.parametrize("is_noisy", [False, True])
def test_png_has_the_pixels_of_drawings_and_of_photographs(mode: str, is_noisy: bool) -> None:
    channels = [Image.effect_noise((37, 20), 80 if is_noisy else 0) for _ in mode]
    image = Image.merge(mode, channels)
    with Image.open(io.BytesIO(raster.encode(image, 300))) as read:
        assert (read.mode, read.size, read.tobytes()) == (mode, image.size, image.tobytes())
        assert read.info["dpi"] == pytest.approx((300, 300), abs=0.1)
