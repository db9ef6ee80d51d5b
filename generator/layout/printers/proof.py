"""Take a printer's profile, make the two-sided sheet that shows whether it worked."""

from __future__ import annotations

from collections.abc import Iterator

from generator.basics.geometry import Affine, Point, Rect, Size
from generator.layout.printers.columns import TextColumn, fit
from generator.layout.printers.profile import Profile, correct_sheet, upright
from generator.layout.printers.shapes import HAIR, READABLE, box, cross, ring
from generator.layout.turn import paper_turn
from generator.model import MarkLine, Sheet
from generator.text import FontBook, Lettering
from generator.text.lettering import PageDrawing

RINGS = (0.25, 0.5, 1.0)  # mm, how far the back is off
_INSET = 16.0  # mm from the paper's edge to the outer crosses
_ARMS = 3.0  # mm, where the arms of the back end and those of the front begin
_CARDS, _CARD = 4, Size(30.0, 42.0)
_RADIUS, _FRAME = 3.0, 2.5  # mm
_CLEAR = 12.0  # mm around a cross
_MAGNIFIED = 3.0
_OFF = Point(0.3, -0.2)  # mm, the back in the picture
_PICTURE = 12.0  # mm, its height

_WORDS = (
    "Print at 100 % on both sides, flipped on the {flip} edge, and hold it against a window "
    "or a lamp, this side towards you. At each of the nine marks a cross from the back shines "
    "through. Its arms meet within one of the rings: that is how far the back is off. The picture "
    "shows such a mark three times as large, its back off by less than 0.5 mm.",
    "Then cut the four cards along their outlines, from this side. On their backs the frame "
    "must be as wide on the left as on the right, and above as below.",
    "A little is left on every printer: no sheet is drawn in quite like the one before. Are all "
    "crosses off the same way by 0.5 mm or more, on three sheets in a row? Then measure "
    "again: pnp printer sheet.",
)


def proof_sheet(paper: Size, profile: Profile, fonts: FontBook) -> Sheet:
    """The sheet, of lines and labels only, upright, its back corrected by the profile."""
    paper = upright(paper)
    lettering = Lettering.of(fonts)
    turn = paper_turn(paper, profile.flip)
    pages = (
        _front(paper, profile, lettering).page("front", paper),
        _back(paper, turn).page("back", paper),
    )
    sheet = Sheet("proof", f"Proof of {profile.name}", 1, 1, paper, profile.flip, pages)
    return correct_sheet(sheet, profile)


def _front(paper: Size, profile: Profile, lettering: Lettering) -> PageDrawing:
    drawing = _words(paper, profile, lettering)
    for place in _places(paper):
        drawing.lines += _rings(place)
    for card in _cards(paper):
        drawing.lines += box(card, _RADIUS)
    return drawing


def _back(paper: Size, turn: Affine) -> PageDrawing:
    drawing = PageDrawing()
    for place in _places(paper):
        drawing.lines += cross(turn.apply(place), 0.0, _ARMS)
    for card in _cards(paper):
        drawing.lines += box(turn.apply_rect(card.grown(-_FRAME)), _RADIUS / 2, 0.3)
    return drawing


def _places(paper: Size) -> Iterator[Point]:
    """The nine points to check, on the front (mm)."""
    for y in (_INSET, paper.height / 2, paper.height - _INSET):
        for x in (_INSET, paper.width / 2, paper.width - _INSET):
            yield Point(x, y)


def _rings(centre: Point) -> Iterator[MarkLine]:
    for radius in RINGS:
        yield from ring(centre, radius)
    yield from cross(centre, _ARMS, 2 * _ARMS)


def _cards(paper: Size) -> Iterator[Rect]:
    """A row of small cards in the middle of the upper half, cut edge to edge."""
    left = (paper.width - _CARDS * _CARD.width) / 2
    top = (_INSET + paper.height / 2 - _CARD.height) / 2
    for index in range(_CARDS):
        x = left + index * _CARD.width
        yield Rect(x, top, x + _CARD.width, top + _CARD.height)


def _words(paper: Size, profile: Profile, lettering: Lettering) -> PageDrawing:
    """The words, in the lower half between the crosses."""
    width, height = paper

    def words(column: TextColumn) -> None:
        column.text(f"Printer {profile.name}: are the backs true?", bold=True, scale=1.9)
        for index, text in enumerate(_WORDS):
            column.skip(0.5)
            column.text(text.format(flip=profile.flip))
            if index == 0:
                _picture(column)

    side = _INSET + _CLEAR
    room = Rect(side, height / 2 + _CLEAR, width - side, height - _INSET - _CLEAR)
    drawing = fit(room, words, lettering)
    assert drawing is not None, "A5 has room for it"
    return drawing


def _picture(column: TextColumn) -> None:
    """A mark, magnified, with the size of each ring."""
    column.skip(0.6)
    centre = Point(column.left + _PICTURE / 2, column.y + _PICTURE / 2)
    back = Point(centre.x + _OFF.x * _MAGNIFIED, centre.y + _OFF.y * _MAGNIFIED)
    lines = list(cross(back, 0.0, 4.0, 0.3))
    for index, radius in enumerate(reversed(RINGS)):
        large, level = radius * _MAGNIFIED, centre.y + (index - 1) * 4.2
        lines += ring(centre, large)
        # From the ring, where a line at 30 degrees upward, level or downward leaves it.
        height = (index - 1) * large / 2
        start = Point(centre.x + (large**2 - height**2) ** 0.5, centre.y + height)
        end = Point(centre.x + 8.0, level)
        lines.append(MarkLine(start, end, HAIR))
        words = f"within {radius:g} mm"
        column.label(words, READABLE, Point(end.x + 1.0, level + 0.33 * READABLE), bold=False)
    column.drawing.lines += lines
    column.y += _PICTURE
