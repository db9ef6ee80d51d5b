"""Files for cutters, measured against the printed PDF and read by ezdxf and shapely."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import hypot, pi
from pathlib import Path

import ezdxf
import pikepdf
import pytest
from ezdxf.entities import LWPolyline, Polyline
from ezdxf.path import make_path
from lxml import etree
from shapely import LineString, Point, Polygon, box
from shapely.affinity import translate
from shapely.ops import polygonize, unary_union

from generator import export_game, pipeline
from generator.export.cuts import files
from tests.bad_specs.games import HERE
from tests.conftest import Pnp
from tests.support.paper import MM_PER_PT, paper_sizes, placements
from tests.support.printing import published

NEAR = 0.01  # mm
RECIPES = Path(__file__).parents[1] / "recipes"
SVG = "{http://www.w3.org/2000/svg}"
Spots = list[tuple[float, float]]
FilesOf = Callable[[str, str, str], list[Path]]

PARTS = {
    "rounded cards that touch": ("talavera", "cards"),
    "hexagons corner to corner": ("advaya", "tiles"),
    "discs": ("advaya", "tokens"),
    "trihexes": ("taluva", "tiles"),
    "nets": ("toripoka", "large"),
}


def bleed_of(game: str, part: str) -> float:
    components = pipeline.read(game).game.components
    return next(component.bleed for component in components if component.id == part)


def plotted(file: Path, layer: str) -> Iterator[Spots]:
    """What a plotter draws of a layer of a DXF: points on its lines and arcs, y down."""
    document = ezdxf.readfile(file)
    assert not document.audit().errors
    height = document.header["$EXTMAX"][1]
    for entity in document.modelspace().query(f'*[layer=="{layer}"]'):
        assert isinstance(entity, LWPolyline | Polyline)
        yield [(round(p.x, 6), round(height - p.y, 6)) for p in make_path(entity).flattening(0.001)]


def drawn(file: Path, layer: str) -> Iterator[Spots]:
    """The ends of the lines and arcs of a layer of an SVG, whose units are millimetres."""
    root = etree.parse(file).getroot()
    assert root.get("width") == f"{root.get('viewBox').split()[2]}mm"
    for path in root.iterfind(f".//{SVG}g[@id='{layer}']/{SVG}path"):
        data = path.get("d")
        ends = re.findall(r"[ML](\S+?) ([\d.]+)|A\S+ \S+ 0 0 [01] (\S+) ([\d.]+)", data)
        spots = [(float(a or c), float(b or d)) for a, b, c, d in ends]
        yield [*spots, spots[0]] if data.endswith("Z") else spots


@pytest.fixture(scope="module")
def files_of(tmp_path_factory: pytest.TempPathFactory) -> FilesOf:
    """The files of a part of a game in a format, made once."""

    @cache
    def make(game: str, part: str, to: str) -> list[Path]:
        folder = tmp_path_factory.mktemp("cut")
        export_game(game, to, folder, only=[part])
        return sorted((folder / "cut").iterdir())

    return make


def export(pnp: Pnp, out: Path, game: str | Path, to: str, *words: object) -> list[Path]:
    result = pnp("export", game, "--to", to, "-o", out, *words)
    assert result.exit_code == 0, result.output
    return sorted((out / "cut").iterdir())


@pytest.mark.parametrize("kind", PARTS)
def test_each_printed_piece_is_cut_at_its_trim(kind: str, files_of: FilesOf) -> None:
    """Cut along all lines, and each trim of the PDF is around a piece."""
    game, part = PARTS[kind]
    fronts = fronts_of(published(game=game, part=part), bleed_of(game, part))
    files = files_of(game, part, "cut-dxf")
    for file, trims in zip(files, fronts, strict=True):
        lines = unary_union([LineString(spots) for spots in plotted(file, "cut")])
        pieces = [piece.bounds for piece in polygonize(lines)]
        for trim in trims:
            assert min(apart(trim, piece) for piece in pieces) < NEAR


def fronts_of(pdf: bytes, bleed: float) -> list[list[tuple[float, float, float, float]]]:
    pages = [page for page in placements(pdf, bleed) if page]
    has_backs = len(pages) > 1 and len(paper_sizes(pdf)) % 2 == 0
    return [[mark.trim.box() for mark in page] for page in (pages[::2] if has_backs else pages)]


def apart(one: Sequence[float], other: Sequence[float]) -> float:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("kind", ["rounded cards that touch", "nets"])
def test_marks_of_the_pdf_point_at_the_cuts(kind: str, files_of: FilesOf) -> None:
    """Each cut mark beside rectangles and nets lies in line with a cut."""
    game, part = PARTS[kind]
    file = files_of(game, part, "cut-dxf")[0]
    cuts = [pair for spots in plotted(file, "cut") for pair in pairwise(spots)]
    marks = list(cut_marks(published(game=game, part=part)))
    assert marks
    for mark in marks:
        assert min(off_line(mark, cut) for cut in cuts if LineString(cut).length > 1) < NEAR


def cut_marks(pdf: bytes) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """The cut marks of the first page, mm from its top left."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        page = document.pages[0]
        height = float(page.mediabox[3])
        for name, form in page.Resources.XObject.items():
            if "cut" in name:
                line = re.compile(rb"([\d.]+) ([\d.]+) m\s([\d.]+) ([\d.]+) l\b")
                for found in line.findall(form.read_bytes()):
                    x0, y0, x1, y1 = map(float, found)
                    yield ((x0 * MM_PER_PT, (height - y0) * MM_PER_PT), (x1 * MM_PER_PT, (height - y1) * MM_PER_PT))


def off_line(
    mark: tuple[tuple[float, float], tuple[float, float]], cut: tuple[tuple[float, float], tuple[float, float]]
) -> float:
    """How far the ends of a mark are from the endless line of a cut."""
    (x0, y0), (x1, y1) = cut
    length = hypot(x1 - x0, y1 - y0)
    return max(abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / length for x, y in mark)


@pytest.mark.parametrize("kind", PARTS)
def test_both_formats_have_the_same_lines(kind: str, files_of: FilesOf) -> None:
    plans, drawings = (files_of(*PARTS[kind], to) for to in ("cut-dxf", "cut-svg"))
    for plan, drawing in zip(plans, drawings, strict=True):
        assert plan.stem == drawing.stem
        for layer in ("cut", "score"):
            lines = [LineString(spots) for spots in plotted(plan, layer)]
            ends = list(drawn(drawing, layer))
            assert len(lines) == len(ends)
            for line, spots in zip(lines, ends, strict=True):
                assert max(line.distance(Point(spot)) for spot in spots) < NEAR
                assert apart(line.coords[0], spots[0]) < NEAR


def test_what_neighbours_share_is_cut_once(files_of: FilesOf) -> None:
    file = files_of("talavera", "cards", "cut-dxf")[0]
    lines = [LineString(spots) for spots in plotted(file, "cut")]
    twice = sum(line.length for line in lines) - unary_union(lines).length
    assert abs(twice) < NEAR
    assert len(lines) == 9 * 8 - 12  # of nine cards of four lines and four arcs, twelve are shared


def test_a_disc_is_two_arcs_of_its_diameter(files_of: FilesOf) -> None:
    file = files_of("advaya", "tokens", "cut-dxf")[0]
    document = ezdxf.readfile(file)
    (first, *_) = document.modelspace().query('*[layer=="cut"]')
    assert isinstance(first, LWPolyline)
    assert first.closed
    assert [abs(bulge) for *_, bulge in first.get_points("xyb")] == [1.0, 1.0]


def test_nets_are_scored_at_their_folds(files_of: FilesOf) -> None:
    file = files_of("toripoka", "large", "cut-dxf")[0]
    outlines = list(plotted(file, "cut"))
    folds = [LineString(spots) for spots in plotted(file, "score")]
    assert len(folds) == 4 * len(outlines)
    for fold in folds:
        inside = [outline for outline in outlines if box(*LineString(outline).bounds).buffer(1).covers(fold)]
        assert inside
        assert min(LineString(line).distance(Point(fold.coords[0])) for line in inside) < NEAR


def test_a_kerf_comes_off_the_waste(files_of: FilesOf, tmp_path: Path, pnp: Pnp) -> None:
    (plain,) = files_of("toripoka", "large", "cut-dxf")
    words = ("--only", "large", "--set", "kerf=0.4mm")
    (wide,) = export(pnp, tmp_path / "b", "toripoka", "cut-dxf", *words)
    for line, outer in zip(plotted(plain, "cut"), plotted(wide, "cut"), strict=True):
        away = [LineString(outer).distance(Point(spot)) for spot in line]
        assert min(away) == pytest.approx(0.2, abs=NEAR)
        assert max(away) < 0.25  # in a notch


def test_a_kerf_between_pieces_that_touch_is_refused(tmp_path: Path, pnp: Pnp) -> None:
    words = ("--only", "cards", "--set", "kerf=0.2mm")
    result = pnp("export", "talavera", "--to", "cut-svg", *words, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert "cards-1 share their cuts" in result.output
    assert "--gap 2mm" in result.output
    assert not (tmp_path / "out").exists()
    export(pnp, tmp_path / "out", "talavera", "cut-svg", *words, "--gap", "2mm")


@pytest.mark.parametrize("to", ["cut-svg", "cut-dxf"])
@pytest.mark.parametrize(
    ("kerf", "options", "told"),
    [
        ("1.3mm", (), "kerf 1.3 mm: the smallest piece (Tokens) is 12.7 mm wide"),
        ("0.65mm", ("--scale", "50%"), "hint: at most a tenth of that: 0.63mm"),
        ("20cm", (), "hint: at most a tenth of that: 1.27mm"),
    ],
)
def test_a_kerf_is_much_narrower_than_a_piece(
    to: str, kerf: str, options: Sequence[str], told: str, tmp_path: Path, pnp: Pnp
) -> None:
    words = ("--only", "tokens", "--gap", "5mm", *options)
    out = tmp_path / "out"
    asked = ("export", "advaya", "--to", to, "-o", out, *words)
    result = pnp(*asked, "--set", f"kerf={kerf}")
    assert (result.exit_code, told in result.output) == (1, True), result.output
    assert not out.exists()
    export(pnp, out, "advaya", to, *words, "--set", "kerf=0.6mm")


def test_a_folded_sheet_is_cut_once_and_scored_at_its_fold(tmp_path: Path, pnp: Pnp) -> None:
    words = ("--only", "cards", "--sides", "fold")
    file = export(pnp, tmp_path, "talavera", "cut-dxf", *words)[0]
    width, height = paper_sizes(published(way="fold"))[0]
    ((start, *_, end),) = plotted(file, "score")
    if start[0] == pytest.approx(end[0]):
        assert start[0] == pytest.approx(width / 2, abs=NEAR)
        sides = {spot[0] < width / 2 for spots in plotted(file, "cut") for spot in spots}
    else:
        assert start[1] == pytest.approx(height / 2, abs=NEAR)
        sides = {spot[1] < height / 2 for spots in plotted(file, "cut") for spot in spots}
    assert len(sides) == 1


def test_holes_are_cut_first_and_folds_are_scored(tmp_path: Path, pnp: Pnp) -> None:
    """A pin hole is two half circles, a window has its rounded corners; a kerf is within them."""
    words = "--gap", "4mm"
    (file,) = export(pnp, tmp_path, RECIPES / "dial", "cut-dxf", *words)
    first, second, window, *trims = plotted(file, "cut")
    for spots in (first, second):
        middle = Point(Polygon(spots).centroid)
        assert max(abs(middle.distance(Point(spot)) - 2.0) for spot in spots) < NEAR
    assert Polygon(window).bounds == pytest.approx(around(window, 14.0, 10.0), abs=NEAR)
    assert 14 * 10 - (4 - pi) * 2**2 == pytest.approx(Polygon(window).area, abs=0.1)
    cuts = ezdxf.readfile(file).modelspace().query('LWPOLYLINE[layer=="cut"]')
    assert sum(bool(bulge) for *_, bulge in list(cuts)[2].get_points()) == 4, "corners are arcs"
    assert all(Polygon(trim).area == pytest.approx(pi * 30**2, rel=1e-3) for trim in trims)
    (drawing,) = export(pnp, tmp_path / "svg", RECIPES / "dial", "cut-svg", *words)
    assert re.findall(r'd="M\S+ \S+?A(\S+?) ', drawing.read_text())[:2] == ["2", "2"]
    (narrow,) = export(pnp, tmp_path / "k", RECIPES / "dial", "cut-dxf", *words, "--set", "kerf=1mm")
    assert Polygon(next(plotted(narrow, "cut"))).area == pytest.approx(pi * 1.5**2, rel=1e-2)
    wide = "export", RECIPES / "dial", "--to", "cut-dxf", "--set", "kerf=5mm", *words
    assert "the smallest hole is 4 mm wide" in pnp(*wide, "-o", tmp_path / "no").output
    board = export(pnp, tmp_path / "b", RECIPES / "quad-fold-board", "cut-dxf")[0]
    scored = [LineString(spots).length for spots in plotted(board, "score")]
    assert scored == pytest.approx([90.0] * 4, abs=NEAR)


def around(spots: Spots, width: float, height: float) -> tuple[float, float, float, float]:
    x, y = Polygon(spots).centroid.coords[0]
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


@pytest.mark.parametrize("version", ["R2010", "R12"])
def test_the_same_kit_gives_the_same_bytes(version: str, tmp_path: Path, pnp: Pnp) -> None:
    words = ("--only", "box,tokens", "--set", f"version={version}")
    first = export(pnp, tmp_path / "a", "advaya", "cut-dxf", *words)
    second = export(pnp, tmp_path / "b", "advaya", "cut-dxf", *words)
    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in second]
    document = ezdxf.readfile(first[0])
    assert document.dxfversion == {"R2010": "AC1024", "R12": "AC1009"}[version]
    if version == "R2010":
        assert document.units == ezdxf.units.MM
        assert not document.layers.get("paper").dxf.plot


def test_rules_alone_are_nothing_to_cut(tmp_path: Path, pnp: Pnp) -> None:
    result = pnp("export", "talavera", "--to", "cut-svg", "--only", "rules", "-o", tmp_path / "x")
    assert result.exit_code == 1
    assert "there is nothing to cut" in result.output


def test_sheets_that_components_share_have_names_of_their_own(tmp_path: Path, pnp: Pnp) -> None:
    result = pnp("export", HERE / "_tiny", "--to", "cut-svg", "-o", tmp_path)
    assert result.exit_code == 0
    files = export(pnp, tmp_path / "t", "toripoka", "cut-svg")
    mixed = [file.name for file in files if "mixed" in file.name]
    assert mixed == ["mixed-1.svg", "mixed-2.svg", "mixed-3.svg"]


TOKEN = """
[game]
title = "T"
designer = "A"
about = "A token."
[[component]]
id = "tokens"
title = "Tokens"
outline = "token.svg"
[[component.row]]
id = "one"
[component.front]
template = "token.svg"
"""
CURVE = ((10, 10), (40, -10), (60, 50), (20, 35))  # cubic


@pytest.mark.parametrize("kerf", [0.0, 0.4])
def test_a_curve_is_cut_in_arcs(kerf: float, tmp_path: Path, pnp: Pnp) -> None:
    """Against the curve by its formula, as a program for plotters draws the arcs."""
    game = tmp_path / "token"
    game.mkdir()
    (game / "game.toml").write_text(TOKEN, "utf-8")
    path = "M10 10C40 -10 60 50 20 35Z"
    (game / "token.svg").write_text(f"<svg viewBox='0 0 60 60'><path d='{path}'/></svg>", "utf-8")
    (file,) = export(pnp, tmp_path / "out", game, "cut-dxf", "--set", f"kerf={kerf}mm")
    (spots,) = plotted(file, "cut")
    (entity,) = ezdxf.readfile(file).modelspace().query('LWPOLYLINE[layer=="cut"]')
    assert isinstance(entity, LWPolyline)
    assert 5 < len(entity) < 25, "few arcs in place of many lines"
    assert [bulge for *_, bulge in entity.get_points()].count(0) < 4, "and few lines"
    wanted = Polygon(list(map(on_curve, range(1001)))).buffer(kerf / 2, join_style="mitre")
    assert centred(Polygon(spots)).exterior.hausdorff_distance(centred(wanted).exterior) < 0.05


def on_curve(part: int) -> tuple[float, ...]:
    t = part / 1000
    shares = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
    return tuple(sum(a * b for a, b in zip(shares, axis, strict=True)) for axis in zip(*CURVE, strict=True))


def centred(piece: Polygon) -> Polygon:
    x0, y0, x1, y1 = piece.bounds
    return translate(piece, -(x0 + x1) / 2, -(y0 + y1) / 2)


@pytest.mark.parametrize("command", [("export", "--to", "cut-dxf"), ("build", "--cutter", "silhouette")])
def test_without_the_library_of_dxf_it_says_so(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(files, "find_spec", lambda _: None)
    done = pnp(command[0], HERE / "_tiny", *command[1:])
    assert done.exit_code == 1
    assert done.stderr.startswith("error: pnp: DXF files need the library ezdxf, which is not ")
    assert list(tmp_path.rglob("*.*")) == []
