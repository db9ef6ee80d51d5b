"""The calibration and the proof sheet, as they are on paper."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import combinations

import pytest

from generator.basics.errors import PnpError
from generator.basics.geometry import PT_PER_MM, Point, Rect, Size
from generator.basics.shapes import box_of
from generator.layout.printers import Profile, calibration_sheet, proof_sheet
from generator.model import Flip, Imprint, Label, MarkLine, Page, Sheet
from generator.pdf import Job, Press
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, Lettering
from tests.layout.printers.test_calibrated import calibration
from tests.support.paper import hand_turn
from tests.support.printing import FONTS

LETTERING = Lettering.of(FONTS)
PAPERS = [
    Size(200.0, 250.0),
    Size(210.0, 297.0),
    Size(215.9, 279.4),
    Size(215.9, 355.6),
    Size(297.0, 420.0),
    Size(420.0, 297.0),
]
FLIPS: list[Flip] = ["long", "short"]
MARGIN = 9.0  # mm, within which many printers print nothing
PROFILE = Profile("laser-card", "long", 1.0, -2.0, 0.5, 1.002, 0.998)
# Made when a test asks: every process of pytest loads this module.
SHEETS = [cache(partial(calibration_sheet, paper, flip, LETTERING)) for paper in PAPERS for flip in FLIPS]
PROOFS = [
    cache(partial(proof_sheet, paper, Profile("laser", flip), LETTERING))
    for paper in (Size(148.0, 210.0), *PAPERS)
    for flip in FLIPS
]


@pytest.fixture
def sheet(request: pytest.FixtureRequest) -> Sheet:
    made: Sheet = request.param()
    return made


@pytest.mark.parametrize("sheet", SHEETS + PROOFS, indirect=True)
def test_lines_and_letters_can_be_printed_and_read(sheet: Sheet) -> None:
    for page in sheet.pages:
        assert not page.placements
        assert min(line.width for line in page.marks) >= 0.15
        assert all(label.size * PT_PER_MM >= 7 - 1e-9 for label in page.labels)
        assert len({(line.start, line.end) for line in page.marks}) == len(page.marks)


@pytest.mark.parametrize("sheet", SHEETS + PROOFS, indirect=True)
def test_all_ink_is_where_printers_print(sheet: Sheet) -> None:
    """But for the lines of the back, which are long on purpose."""
    inner = Rect(0.0, 0.0, *sheet.paper).grown(-MARGIN)
    for page in sheet.pages:
        boxes = [_ink(label) for label in page.labels]
        if page.side == "front":
            boxes += [_box(line) for line in page.marks]
        assert all(_holds(inner, box) for box in boxes)


@pytest.mark.parametrize("sheet", SHEETS[:6] + PROOFS[:4], indirect=True)
def test_words_overlap_neither_words_nor_lines(sheet: Sheet) -> None:
    for page in sheet.pages:
        boxes = [(_ink(label), label.text) for label in page.labels]
        for (one, a), (other, b) in combinations(boxes, 2):
            assert not _meet(one, other), f"{a!r} on {b!r}"
        if page.side == "front":
            lines = [_box(line) for line in page.marks]
            for box, text in boxes:
                inner = box.grown(-0.1)
                assert not any(_meet(inner, line) for line in lines), text


@pytest.mark.parametrize("flip", FLIPS)
@pytest.mark.parametrize("paper", PAPERS[:3])
def test_the_lines_of_the_back_lie_behind_the_middle_of_their_scales(paper: Size, flip: Flip) -> None:
    front, back = calibration_sheet(paper, flip, LETTERING).pages
    turn = hand_turn(paper, flip)
    thin = [line for line in back.marks if _length(line) > 50.0]
    assert len(thin) == 8
    for line in thin:
        start, end = (_turned(point, paper, turn) for point in (line.start, line.end))
        hidden = [stroke for stroke in front.marks if abs(_length(stroke) - 0.25) < 0.01 and _on(stroke, start, end)]
        assert len(hidden) == 1, "on a true printer the line hides behind E0 alone"


@pytest.mark.parametrize("flip", FLIPS)
@pytest.mark.parametrize("shift", [-8, -4, 0, 4, 8])
def test_a_pin_comes_out_at_the_number_of_the_shift(flip: Flip, shift: int) -> None:
    """A back printed so many mm further right and lower than it should be."""
    paper = PAPERS[2]
    front, back = calibration_sheet(paper, flip, LETTERING).pages
    turn = hand_turn(paper, flip)
    numbers = [label for label in back.labels if label.text in {"0", "4", "8", "12", "16"}]
    assert len(numbers) == 40
    holes = [_box(line).centre for line in front.marks if abs(_length(line) - 2.7) < 1e-6]
    assert len(holes) == 16
    for hole in _centres(holes):
        on_back = _turned(Point(hole.x - shift, hole.y - shift), paper, turn)
        middles = [(label.text, _ink(label).centre) for label in numbers]
        near = [(t, p) for t, p in middles if _distance(p, _turned(hole, paper, turn)) < 14.0]
        assert len(near) == 10
        sideways = {t for t, p in near if abs(p.x - on_back.x) < 0.4 and _is_row(p, near, 1)}
        up_down = {t for t, p in near if abs(p.y - on_back.y) < 0.4 and _is_row(p, near, 0)}
        assert sideways == up_down == {str(shift + 8)}


def test_the_grids_of_the_back_are_for_the_pin_only() -> None:
    _, back = calibration_sheet(PAPERS[2], "long", LETTERING).pages
    assert sum(label.text == "for the pin only" for label in back.labels) == 4


@pytest.mark.parametrize("paper", ["letter", "a4"])
def test_scales_are_large_and_their_names_apart(paper: str) -> None:
    """Read back out of the finished PDF."""
    for scale in calibration(paper, "long").scales:
        across = [stroke.across for row in scale.rows for stroke in row]
        assert max(across) - min(across) >= 30.0
        named = "".join(sorted({stroke.name[0] for row in scale.rows for stroke in row}))
        assert named == "ABCDEFGH"
        assert {word.text for word in scale.words} >= {*"ABCDEFGH", *map(str, range(0, 60, 5))}
        for one, other in combinations(scale.words, 2):
            gap = max(one.x0 - other.x1, other.x0 - one.x1, one.y0 - other.y1, other.y0 - one.y1)
            assert gap > 1.0, f"{one.text} near {other.text}"


def test_names_are_in_nine_points_or_more() -> None:
    front, _ = calibration_sheet(PAPERS[2], "long", LETTERING).pages
    names = {*"ABCDEFGH", *map(str, range(10, 60, 5))}
    sizes = [label.size * PT_PER_MM for label in front.labels if label.text in names]
    assert len(sizes) >= 8 * 18
    assert min(sizes) >= 9 - 1e-9


@pytest.mark.parametrize("flip", FLIPS)
def test_the_sheet_names_the_command_that_reads_it(flip: Flip) -> None:
    sheet = calibration_sheet(PAPERS[2], flip, LETTERING, "letter")
    words = " ".join(label.text for label in sheet.pages[0].labels)
    assert f"pnp printer set NAME --paper letter --flip {flip}" in words
    assert f"flipped on the {flip} edge" in words
    unnamed = calibration_sheet(PAPERS[2], flip, LETTERING)
    assert any("--paper 215.9x279.4mm" in label.text for label in unnamed.pages[0].labels)


@pytest.mark.parametrize("paper", [Size(148.0, 210.0), Size(210.0, 245.0), Size(101.6, 152.4)])
def test_paper_too_small_for_the_scales_is_refused(paper: Size) -> None:
    with pytest.raises(PnpError, match="too small for the scales"):
        calibration_sheet(paper, "long", LETTERING)


def test_only_the_back_of_the_proof_is_corrected() -> None:
    front, back = proof_sheet(PAPERS[2], PROFILE, LETTERING).pages
    assert front.correction == Page("front", (), (), (), front.trim, front.bleed).correction
    assert back.correction == PROFILE.correction(PAPERS[2])


def test_the_crosses_of_the_proof_lie_behind_its_rings() -> None:
    for flip in FLIPS:
        front, back = proof_sheet(PAPERS[1], Profile("a", flip), LETTERING).pages
        turn = hand_turn(PAPERS[1], flip)
        arms = [line for line in back.marks if abs(_length(line) - 3.0) < 1e-9]
        centres = {_rounded(_turned(line.start, PAPERS[1], turn)) for line in arms}
        rings = [line for line in front.marks if _length(line) < 0.2]
        assert len(centres) == 9
        for x, y in centres:
            near = [_distance(line.start, Point(x, y)) for line in rings]
            for radius in (0.25, 0.5, 1.0):
                assert sum(abs(value - radius) < 1e-6 for value in near) == 48


@pytest.mark.parametrize("flip", FLIPS)
def test_the_frames_of_the_proof_lie_within_its_cards(flip: Flip) -> None:
    front, back = proof_sheet(PAPERS[1], Profile("a", flip), LETTERING).pages
    turn = hand_turn(PAPERS[1], flip)
    edges = [line for line in front.marks if 20.0 < _length(line) < 45.0]  # the ruler is longer
    sides = [line for line in back.marks if _length(line) > 20.0]
    ends = [_turned(p, PAPERS[1], turn) for line in sides for p in (line.start, line.end)]
    assert box_of([p for line in edges for p in (line.start, line.end)]).grown(-2.5) == (pytest.approx(box_of(ends)))


def test_the_press_prints_the_sheets() -> None:
    sheets = [calibration_sheet(PAPERS[2], "long", LETTERING), proof_sheet(PAPERS[2], PROFILE, LETTERING)]
    with Press() as press:
        pdf = press.print(Job(sheets, [], Imprint("T", "A", "S"), [str(HOUSE_FONTS)]))
    assert pdf.startswith(b"%PDF")


def _centres(arms: list[Point]) -> Iterator[Point]:
    """The middle of each four arms of a cross that follow one another."""
    for start in range(0, len(arms), 4):
        four = arms[start : start + 4]
        yield Point(sum(p.x for p in four) / 4, sum(p.y for p in four) / 4)


def _is_row(point: Point, letters: list[tuple[str, Point]], axis: int) -> bool:
    """Whether the numbers of its row, more than three, stand level (axis 1) or upright (0)."""
    return sum(abs(other[axis] - point[axis]) < 0.4 for _, other in letters) > 3


def _ink(label: Label) -> Rect:
    font = FONTS.find(HOUSE_FAMILY, 700 if label.bold else 400)
    return label.affine.apply_rect(font.ink(label.text, label.size))


def _box(line: MarkLine) -> Rect:
    (x0, y0), (x1, y1) = line.start, line.end
    return Rect(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)).grown(line.width / 2)


def _holds(outer: Rect, inner: Rect) -> bool:
    return inner.within(outer) == inner


def _meet(one: Rect, other: Rect) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1 and one.y0 < other.y1 and other.y0 < one.y1


def _length(line: MarkLine) -> float:
    return _distance(line.start, line.end)


def _distance(a: Point, b: Point) -> float:
    return float(((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5)


def _rounded(point: Point) -> tuple[float, float]:
    return round(point.x, 6), round(point.y, 6)


def _turned(point: Point, paper: Size, turn: tuple[tuple[float, float, float], ...]) -> Point:
    """The point of the front that a hand finds before a point of the back."""
    x, y = point.x - paper.width / 2, point.y - paper.height / 2
    u, v, _ = (column[0] * x + column[1] * y for column in zip(*turn, strict=True))
    return Point(u + paper.width / 2, v + paper.height / 2)


def _on(stroke: MarkLine, start: Point, end: Point) -> bool:
    """Whether a stroke lies along an upright or level line."""
    axis = 0 if abs(start.x - end.x) < 1e-6 else 1
    along = sorted((start[1 - axis], end[1 - axis]))
    return all(
        abs(point[axis] - start[axis]) < 0.01 and along[0] < point[1 - axis] < along[1]
        for point in (stroke.start, stroke.end)
    )
