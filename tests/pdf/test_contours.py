"""Lines for a print shop's cutter, read back out of the PDF."""

from __future__ import annotations

import io
from collections.abc import Iterator
from math import hypot
from pathlib import Path

import pikepdf
import pytest

from tests.conftest import Pnp
from tests.support.paper import MM_PER_PT, Spot, placements

NEAR = 0.01  # mm
Curve = list[Spot]


def build(pnp: Pnp, out: Path, part: str, *words: str, game: str = "talavera") -> bytes:
    how = "--only", part, "--cutter", "contour", *words, "-o", out / "out.pdf"
    result = pnp("build", game, *map(str, how))
    assert result.output.splitlines()[-1] == str(out / "out.pdf"), result.output
    return (out / "out.pdf").read_bytes()


def lines(pdf: bytes, page: int, spot: str) -> Iterator[Curve]:
    """The points of the paths stroked in a spot colour, with the middle of each curve, in mm."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        shown = document.pages[page]
        height = float(shown.mediabox[3])
        colour, points = "", Curve()
        for step in pikepdf.parse_content_stream(shown):
            operator = str(step.operator)
            if operator == "CS":
                colour = str(step.operands[0])
            if operator not in ("m", "l", "c", "s", "S"):
                continue
            at = [float(value) for value in step.operands]
            pairs = zip(at[::2], at[1::2], strict=True)
            ends = [Spot(x * MM_PER_PT, (height - y) * MM_PER_PT) for x, y in pairs]
            if operator == "m":
                points = []
            if operator == "c":
                along = zip(points[-1], *ends, strict=True)
                x, y = ((a + 3 * b + 3 * c + d) / 8 for a, b, c, d in along)
                ends = [Spot(x, y), ends[-1]]
            points += ends
            if operator in ("s", "S") and colour == f"/{spot}":
                yield points


@pytest.mark.parametrize(("colour", "version"), [("rgb", None), ("cmyk", "1.6"), ("x1a", "1.4")])
def test_cuts_are_a_separation_that_overprints(colour: str, version: str | None, tmp_path: Path, pnp: Pnp) -> None:
    pdf = build(pnp, tmp_path, "box", "--colour", colour)
    with pikepdf.open(io.BytesIO(pdf)) as document:
        assert version in (None, document.pdf_version)
        resources = document.pages[0].Resources
        for name in ("CutContour", "Crease"):
            space = resources.ColorSpace[f"/{name}"]
            said = [str(space[index]) for index in range(3)]
            assert said == ["/Separation", f"/{name}", "/DeviceCMYK"]
        state = resources.ExtGState.CutOverprint
        assert [int(state[key]) for key in ("/OP", "/op", "/OPM")] == [1, 1, 1]
    assert list(lines(pdf, 0, "CutContour"))
    assert len(list(lines(pdf, 0, "Crease"))) > 3


def test_each_card_is_cut_at_its_trim_and_backs_are_bare(tmp_path: Path, pnp: Pnp) -> None:
    """Cards that lie apart are closed paths; their corners are arcs of 3 mm."""
    pdf = build(pnp, tmp_path, "cards", "--gap", "2mm")
    for page, placed in enumerate(placements(pdf, 3.0)):
        paths = list(lines(pdf, page, "CutContour"))
        if page % 2:
            assert not paths
            continue
        assert len(paths) == len(placed) > 0
        for path, card in zip(paths, placed, strict=True):
            xs, ys = zip(*path, strict=True)
            box = min(xs), min(ys), max(xs), max(ys)
            wanted = card.trim.box()
            assert max(abs(a - b) for a, b in zip(box, wanted, strict=True)) < NEAR
            middle = hypot(3.0, 3.0) - 3.0  # from the corner of the trim to the arc
            nearest = min(hypot(x - wanted[0], y - wanted[1]) for x, y in path)
            assert abs(nearest - middle) < NEAR


def test_discs_are_circles(tmp_path: Path, pnp: Pnp) -> None:
    pdf = build(pnp, tmp_path, "tokens", game="advaya")
    paths = list(lines(pdf, 0, "CutContour"))
    assert len(paths) > 10
    for path in paths:
        xs, ys = zip(*path, strict=True)
        radius = (max(xs) - min(xs)) / 2
        x, y = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
        assert max(abs(hypot(spot.x - x, spot.y - y) - radius) for spot in path) < NEAR


def test_several_games_in_one_file(tmp_path: Path, pnp: Pnp) -> None:
    out = tmp_path / "both.pdf"
    result = pnp("build", "talavera", "taluva", "--only", "box", "--cutter", "contour", "-o", out)
    assert result.exit_code == 0, result.output
    pdf = out.read_bytes()
    with pikepdf.open(io.BytesIO(pdf)) as document:
        count = len(document.pages)
    assert sum(bool(list(lines(pdf, page, "CutContour"))) for page in range(count)) >= 2
