"""Sheets for cutting machines: what the PDF shows, what the files beside it cut."""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import ezdxf
import numpy as np
import numpy.typing as npt
import pikepdf
import pypdfium2
import pytest
from ezdxf.entities import LWPolyline
from ezdxf.path import make_path
from lxml import etree
from PIL import Image
from shapely import LineString
from shapely.ops import polygonize, unary_union

from generator import pipeline
from generator.pdf import Press
from generator.pipeline import PrintOptions, parse_request, print_game, silent
from generator.pipeline.request import Sides
from tests.conftest import Pnp
from tests.support.once import once
from tests.support.paper import MM_PER_PT, meetings, placements, worst

NEAR = 0.01  # mm
SVG = "{http://www.w3.org/2000/svg}"
DPI = 100
# mm of each corner: the inset, the length or the size of the marks, and some paper beside them
CORNERS = {"silhouette": 21.5, "silhouette,marks=4": 21.5, "opos": 13.0, "laser": 15.5}
Box = tuple[float, float, float, float]  # left, top, right, bottom in mm
Files = dict[str, bytes]


@cache
def cut(game: str, cutter: str, paper: str = "letter", only: str = "", sides: Sides = "duplex") -> Files:
    """The files that `pnp build` writes, by their names."""

    def make() -> Files:
        with tempfile.TemporaryDirectory() as folder, Press() as press:
            options = PrintOptions(paper=paper, cutter=cutter, only=only.split(), sides=sides)
            request = parse_request(game, options)
            print_game(request, Path(folder) / "out.pdf", press, silent)
            found = (file for file in Path(folder).rglob("*") if file.is_file())
            return {file.relative_to(folder).as_posix(): file.read_bytes() for file in found}

    return once(f"{game} {only} for {cutter} on {paper}, {sides}", make)


def pieces_of(game: str) -> str:
    """The parts that are cut, without the rules and the cover."""
    return " ".join(component.id for component in pipeline.read(game).game.components)


def page_count(pdf: bytes) -> int:
    with pikepdf.open(io.BytesIO(pdf)) as document:
        return len(document.pages)


def strokes(pdf: bytes, page: int) -> list[Box]:
    """The marks that a machine finds on a page, read from the lines and widths of their forms."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        shown = document.pages[page]
        height = float(shown.mediabox[3])
        forms = [form for name, form in shown.Resources.XObject.items() if "cutter" in name]
        return [box for form in forms for box in _strokes(form, height)]


def _strokes(form: pikepdf.Object, height: float) -> Iterator[Box]:
    half, x0, y0 = 0.5, 0.0, 0.0
    for step in pikepdf.parse_content_stream(form):
        values = [float(value) for value in step.operands] if str(step.operator) in "wml" else []
        match str(step.operator):
            case "w":
                half = values[0] / 2
            case "m":
                x0, y0 = values
            case "l":
                x1, y1 = values
                across, down = (half, 0.0) if x0 == x1 else (0.0, half)
                left, right, top, bottom = min(x0, x1), max(x0, x1), max(y0, y1), min(y0, y1)
                box = left - across, height - top - down, right + across, height - bottom + down
                yield tuple(value * MM_PER_PT for value in box)  # type: ignore[misc]


def drawn_marks(svg: bytes) -> Iterator[Box]:
    for rect in etree.fromstring(svg).iterfind(f".//{SVG}g[@id='marks']/{SVG}rect"):
        x, y, width, height = (float(rect.get(name)) for name in ("x", "y", "width", "height"))
        yield x, y, x + width, y + height


def plotted_marks(dxf: bytes) -> Iterator[Box]:
    document = ezdxf.read(io.StringIO(dxf.decode()))
    height = document.header["$EXTMAX"][1]
    for entity in document.modelspace().query('*[layer=="marks"]'):
        assert isinstance(entity, LWPolyline)
        xs, ys, *_ = zip(*entity.get_points(), strict=True)
        yield min(xs), height - max(ys), max(xs), height - min(ys)


def apart(one: Box, other: Box) -> float:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def darkness(pdf: bytes, page: int) -> npt.NDArray[np.uint8]:
    """How dark each pixel of a page is, 0 to 255, at DPI."""
    with pypdfium2.PdfDocument(pdf) as document:
        image = document[page].render(scale=DPI / 72, grayscale=True).to_numpy()
        dark: npt.NDArray[np.uint8] = 255 - image.reshape(image.shape[:2])
        return dark


def text_of(pdf: bytes, page: int) -> str:
    with pypdfium2.PdfDocument(pdf) as document:
        return " ".join(document[page].get_textpage().get_text_range().split())


@pytest.mark.parametrize("cutter", ["silhouette", "silhouette,marks=4,inset=0.625in", "opos", "laser"])
def test_marks_of_the_cut_files_are_those_of_the_pdf(cutter: str) -> None:
    files = cut("talavera", cutter, only="box")
    printed = strokes(files["out.pdf"], 0)
    assert len(printed) >= 4
    lengths = {round(max(right - left, low - top), 2) for left, top, right, low in printed}
    assert len(lengths) == 1 or cutter.startswith("silhouette"), "across as down"
    for marks in (drawn_marks(files["out-cut/box-1.svg"]), plotted_marks(files["out-cut/box-1.dxf"])):
        found = list(marks)
        assert len(found) == len(printed)
        assert all(min(apart(sheet, other) for other in found) < NEAR for sheet in printed)


def test_the_slug_and_the_cut_file_name_one_layout() -> None:
    files = cut("talavera", "silhouette", only="box")
    found = re.search(
        r"silhouette, layout (\w{4}), 3 marks, inset 10 mm, length 10 mm, stroke 1 mm", text_of(files["out.pdf"], 0)
    )
    assert found
    title = etree.fromstring(files["out-cut/box-1.svg"]).findtext(f"{SVG}title")
    assert title == f"box-1, layout {found[1]}"


@pytest.mark.parametrize(
    ("cutter", "paper", "game"),
    [
        ("silhouette", "letter", "talavera"),  # a template for cards
        ("silhouette", "a4", "advaya"),
        ("silhouette,marks=4", "a4", "talavera"),
        ("opos", "letter", "advaya"),
        ("laser", "a4", "talavera"),
    ],
)
def test_nothing_but_the_marks_has_ink_in_the_corners(cutter: str, paper: str, game: str) -> None:
    """On every sheet of pieces; three of the corners, if the last one has no mark."""
    pdf = cut(game, cutter, paper, pieces_of(game))["out.pdf"]
    marks = {page: strokes(pdf, page) for page in range(page_count(pdf))}
    assert any(marks.values())
    for page in (page for page in marks if marks[page]):
        side = int(corner_of(pdf, page, cutter) / 25.4 * DPI) - 1  # the page ends within a pixel
        dark = darkness(pdf, page)
        for x0, y0, x1, y1 in marks[page]:
            left, top = (int(mm / 25.4 * DPI) - 1 for mm in (x0, y0))
            right, bottom = (int(mm / 25.4 * DPI) + 2 for mm in (x1, y1))
            assert dark[top:bottom, left:right].max() > 150
            dark[top:bottom, left:right] = 0
        corners = [dark[:side, :side], dark[:side, -side:], dark[-side:, :side]]
        corners += [] if cutter == "silhouette" else [dark[-side:, -side:]]
        assert not any(corner.any() for corner in corners)


def corner_of(pdf: bytes, page: int, cutter: str) -> float:
    """The mm of each bare corner: what the slug says of a template, and half a mm."""
    template = re.search(r"layout \w+-\w+-v\d+, .* inset 10 mm, length ([\d.]+)", text_of(pdf, page))
    return 10.5 + float(template[1]) if template else CORNERS[cutter]


@pytest.mark.parametrize("cutter", CORNERS)
def test_backs_lie_behind_their_fronts_and_have_no_marks(cutter: str) -> None:
    pdf = cut("talavera", cutter, only="cards")["out.pdf"]
    assert worst(meetings(pdf, 3.0, "long")) < NEAR
    have_marks = [bool(strokes(pdf, page)) for page in range(page_count(pdf))]
    assert have_marks == [True, False] * (len(have_marks) // 2)


def test_the_same_files_twice(tmp_path: Path, pnp: Pnp) -> None:
    twice = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        result = pnp("build", "talavera", "--only", "box", "--cutter", "laser", "-o", folder)
        assert result.output.split() == [f"{folder}/talavera.pdf", f"{folder}/talavera-cut"]
        files = sorted(file for file in folder.rglob("*") if file.is_file())
        twice.append([(file.name, file.read_bytes()) for file in files])
    assert twice[0] == twice[1]
    assert [name for name, _ in twice[0]] == ["box-1.dxf", "box-1.svg", "talavera.pdf"]


@pytest.mark.parametrize(
    ("paper", "columns", "rows", "length"),
    [("letter", (128, 893, 1658, 2423), (218, 1283), 7.2), ("a4", (232, 997, 1762, 2527), (182, 1247), 8.38)],
)
def test_poker_cards_lie_as_a_template_has_them(
    paper: str, columns: Sequence[int], rows: Sequence[int], length: float
) -> None:
    """In the PDF. Pixels of 1/300 in and lengths: see tests/layout/test_templates.py."""
    pdf = cut("talavera", "silhouette", paper, only="cards")["out.pdf"]
    wanted = [(x * 25.4 / 300, y * 25.4 / 300) for y in rows for x in columns]
    found = [placement.trim.box()[:2] for placement in placements(pdf, 3.0)[0]]
    assert len(found) == len(wanted) == 8
    for spot, (x, y) in zip(found, wanted, strict=True):
        assert max(abs(spot[0] - x), abs(spot[1] - y)) < NEAR
    version = {"letter": "letter-poker-v4", "a4": "a4-poker-v3"}[paper]
    assert f"layout {version}, 3 marks" in text_of(pdf, 0)
    width = 279.4 if paper == "letter" else 297.0
    marks = strokes(pdf, 0)
    square, arm = (9.5, 9.5, 15.5, 15.5), (width - 10 - length, 9.5, width - 9.5, 10.5)
    assert min(apart(square, mark) for mark in marks) < NEAR
    assert min(apart(arm, mark) for mark in marks) < NEAR


def test_set_marks_and_wider_gaps_have_a_layout_of_their_own(tmp_path: Path, pnp: Pnp) -> None:
    for words in ("silhouette,length=9mm", "silhouette --gap 2mm"):
        how = ["--only", "cards", "--cutter", *words.split()]
        result = pnp("build", "talavera", *how, "-o", tmp_path / "out.pdf")
        assert result.exit_code == 0, result.output
        assert "poker" not in text_of((tmp_path / "out.pdf").read_bytes(), 0)


@pytest.mark.parametrize(("game", "paper"), [("advaya", "letter"), ("talavera", "a4")])
def test_pictures_for_a_cricut_are_of_a_size_that_it_prints(game: str, paper: str) -> None:
    """At most 9.25 x 6.75 in, at 300 dpi; the SVG is as large, and the pieces are islands."""
    files = cut(game, "cricut", paper, pieces_of(game), "single")
    names = sorted(name.removesuffix(".png") for name in files if name.endswith(".png"))
    assert names
    for name in names:
        image = Image.open(io.BytesIO(files[f"{name}.png"]))
        assert max(image.size) <= 2775
        assert min(image.size) <= 2025
        drawing = etree.fromstring(files[f"{name}.svg"])
        sides = [float(drawing.get(side).removesuffix("mm")) for side in ("width", "height")]
        assert [round(side / 25.4 * 300, 2) for side in sides] == [*image.size]
        alpha = np.asarray(image.getchannel("A"))
        assert alpha[0].any()
        assert alpha[:, -1].any()
        paths = drawing.findall(f".//{SVG}g[@id='cut']/{SVG}path")
        assert len(paths) == islands(alpha > 128)
        assert all(path.get("d").endswith("Z") for path in paths)


def islands(mask: npt.NDArray[np.bool_]) -> int:
    """How many areas do not touch, on a coarse picture."""
    left = {(y, x) for y, x in zip(*np.nonzero(mask[::16, ::16]), strict=True)}
    count = 0
    while left:
        count += 1
        edge = [left.pop()]
        while edge:
            y, x = edge.pop()
            near = {(y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)} & left
            left -= near
            edge += near
    return count


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--cutter silhouette --sides fold", "a machine cuts flat sheets"),
        ("--cutter contour --sides fold", "a machine cuts flat sheets"),
        ("--cutter cricut", "Cricut's Design Space prints one side of a sheet"),
        ("--cutter laser --paper avery-5371", "the sheet avery-5371 is already cut"),
        ("--cutter silhouette,inset=86mm", "silhouette leaves less room"),
        ("--cutter silhouette,layout=borderless", "begin 3 mm from the edges, and the printer leaves 6.35 mm"),
    ],
)
def test_what_cannot_be_cut_is_one_message(words: str, message: str, tmp_path: Path, pnp: Pnp) -> None:
    out = tmp_path / "out.pdf"
    result = pnp("build", "talavera", "--only", "cards", *words.split(), "-o", out)
    assert result.exit_code != 0
    assert result.output.startswith("error: ")
    assert result.output.count("error: ") == 1
    assert message in result.output
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("cutter", ["silhouette,skip=top-left", "silhouette,length=9mm", "laser", "opos,skip=top-left"])
def test_each_printed_card_is_cut_at_its_trim(cutter: str) -> None:
    """Cut along all lines of the file beside the PDF, and each trim of the PDF is a piece."""
    files = cut("talavera", cutter, only="cards")
    for number, page in enumerate(placements(files["out.pdf"], 3.0)[::2], 1):
        document = ezdxf.read(io.StringIO(files[f"out-cut/cards-{number}.dxf"].decode()))
        height = document.header["$EXTMAX"][1]
        lines = [
            LineString([(x, height - y) for x, y, _ in make_path(entity).flattening(0.001)])
            for entity in document.modelspace().query('*[layer=="cut"]')
        ]
        pieces = [piece.bounds for piece in polygonize(unary_union(lines))]
        assert page
        for mark in page:
            assert min(apart(mark.trim.box(), piece) for piece in pieces) < NEAR
