"""The two-sided sheet from which a person reads a printer's misprint.

Words and pictures in free rectangles of the sheet replace a manual; a picture shows how to read a scale. Words are set
in the largest type that fits their box. A second two-sided sheet shows whether a printer's profile worked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct, field

from generator.basics.errors import Place, fail
from generator.basics.geometry import PT_PER_MM, Affine, Point, Rect, Size
from generator.layout.printers import gauge as scales
from generator.layout.printers.profile import Profile, correct_sheet, upright
from generator.layout.slug import arrow_up
from generator.layout.turn import paper_turn
from generator.model import Flip, Label, MarkLine, Sheet
from generator.text import Lettering
from generator.text.lettering import PageDrawing

_STEPS, _PROOF_STEPS = range(1, 6), range(1, 5)
_SMALLEST = Size(200.0, 250.0)  # mm
_CAPTIONS = {"across": 47.5, "down": 62.0}  # mm from the paper's side
_CAPTION = scales.WIDTH + scales.INSET + 8.0  # mm from the paper's end
_BAND = scales.INSET + scales.BLOCK.height + 7.0  # mm from the paper's end to the words
_COLUMNS, _ROWS = range(-1, 2), range(35)
_COLUMN, _NUMBER = 0, 10
_READING = _COLUMN * scales.COLUMN + _NUMBER * scales.STEP
READING = scales.name(_READING)
_MAGNIFIED = 0.85  # times the type size in mm
SIZES = tuple(points / PT_PER_MM for points in (10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0))
_LEADING = 1.3  # of the type size
RINGS = (0.25, 0.5, 1.0)  # mm, how far the back is off
_INSET = 16.0  # mm from the paper's edge to the outer crosses
_ARMS = 3.0  # mm, where the arms of the back end and those of the front begin
_CARDS, _CARD = 4, Size(30.0, 42.0)
_RADIUS, _FRAME = 3.0, 2.5  # mm
_CLEAR = 12.0  # mm around a cross
_PROOF_MAGNIFIED = 3.0
_OFF = Point(0.3, -0.2)  # mm, the back in the picture
_PICTURE = 12.0  # mm, its height


def calibration_sheet(paper: Size, flip: Flip, lettering: Lettering, paper_name: str | None = None) -> Sheet:
    """The sheet, of lines and labels only, in portrait.

    `paper_name` is the paper's name in the command printed on the sheet. Raises PnpError if the
    paper is smaller than 200 x 250 mm.
    """
    paper = upright(paper)
    if paper.width < _SMALLEST.width - 0.5 or paper.height < _SMALLEST.height - 0.5:
        what = f"paper of {paper.width:g} x {paper.height:g} mm is too small for the scales"
        hint = "measure on letter or a4: smaller paper takes the same correction"
        raise fail(Place("the calibration sheet"), what, hint)
    name = paper_name or f"{paper.width:g}x{paper.height:g}mm"
    front = _front(paper, flip, name, lettering)
    back = _back(paper, paper_turn(paper, flip), lettering)
    pages = (front.page("front", paper), back.page("back", paper))
    return Sheet("calibration", lettering.phrases.say("calibration.title"), 1, 1, paper, flip, pages)


def front_heading(paper: Size, lettering: Lettering) -> PageDrawing:
    """The name of the front and an arrow to the upper edge, in the middle of that edge."""
    x, y = paper.width / 2, 10.0
    front, up = map(lettering.phrases.say, ("sheet.front", "sheet.up"))
    labels = [
        lettering.line(front, 1.3 * scales.READABLE, Point(x, y + 9.0), "centre", bold=True),
        lettering.line(up, scales.READABLE, Point(x, y + 12.2), "centre"),
    ]
    return PageDrawing(labels, list(arrow_up(Point(x, y), 5.0, 1.75, 0.3)))


def _front(paper: Size, flip: Flip, paper_name: str, lettering: Lettering) -> PageDrawing:
    # the room for words, between the upper scales and the lower ones
    band = Rect(scales.INSET + 4.0, _BAND, paper.width - scales.INSET - 4.0, paper.height - _BAND)
    drawing = explain(band, flip, paper_name, lettering)
    drawing.add(front_heading(paper, lettering))
    for gauge in scales.gauges(paper):
        drawing.lines += [*gauge.strokes(), *gauge.ticks()]
        drawing.labels += [*gauge.labels(lettering), *_caption(gauge, paper, lettering)]
    needle = lettering.phrases.say("calibration.pin")
    beside = max(6.5, 4.4 + lettering.width(needle, scales.READABLE) / 2)  # mm
    for corner in scales.CORNERS:
        centre = scales.pin(paper, corner)
        drawing.lines += scales.target(centre)
        drawing.labels.append(lettering.at(needle, scales.READABLE, Point(centre.x - beside, centre.y)))
    return drawing


def _back(paper: Size, turn: Affine, lettering: Lettering) -> PageDrawing:
    # no flip puts its name behind the front's heading
    at, say = Point(paper.width / 2, paper.height - 27.0), lettering.phrases.say
    heading = lettering.line(say("sheet.back"), 1.3 * scales.READABLE, at, "centre", bold=True)
    drawing = PageDrawing([heading])
    for gauge in scales.gauges(paper):
        line = gauge.index()
        drawing.lines.append(MarkLine(turn.apply(line.start), turn.apply(line.end), line.width))
    for index, corner in enumerate(scales.CORNERS):
        centre = scales.pin(paper, corner)
        drawing.lines += scales.grid(centre, turn)
        drawing.labels += scales.grid_labels(centre, turn, lettering)
        behind = turn.apply(centre)
        inward = 1 if behind.y < paper.height / 2 else -1
        readings = say("calibration.pin-readings", first=2 * index + 1, second=2 * index + 2)
        for text, far in ((readings, 14.5), (say("calibration.pin-only"), 18.5)):
            beside = Point(behind.x, behind.y + inward * far)
            drawing.labels.append(lettering.at(text, scales.READABLE, beside))
    return drawing


def _caption(gauge: scales.Gauge, paper: Size, lettering: Lettering) -> Iterator[Label]:
    """The number and the direction of a scale, beyond the scale down."""
    from_side = _CAPTIONS[gauge.direction]
    x = from_side if "left" in gauge.corner else paper.width - from_side
    y = _CAPTION if "top" in gauge.corner else paper.height - _CAPTION
    yield lettering.at(str(gauge.number), 2.2 * scales.READABLE, Point(x, y - 2.2), bold=True)
    direction = lettering.phrases.say(f"calibration.{gauge.direction}")
    yield lettering.at(direction, scales.READABLE, Point(x, y + 3.4))


def explain(room: Rect, flip: Flip, paper: str, lettering: Lettering) -> PageDrawing:
    """The explanation in its room, in the largest type that fits.

    `paper` is the paper's name in the command that the person types.
    """
    say = lettering.phrases.say

    def fill(column: TextColumn) -> None:
        column.text(say("calibration.title"), bold=True, scale=1.9)
        column.skip(0.25)
        column.text(say("calibration.lead", perfect=scales.name(0.0)))
        column.skip(0.8)
        _set_steps_beside_picture(column, flip)
        column.skip(0.9)
        column.text(f"pnp printer set NAME --paper {paper} --flip {flip}", bold=True)
        _draw_form(column)
        column.skip(0.9)
        column.text(say("calibration.thick"))
        column.skip(0.5)
        column.text(say("calibration.afterwards"))

    drawing = fit(room, fill, lettering)
    assert drawing is not None, "the smallest paper has room for it"
    return drawing


def _set_steps_beside_picture(column: TextColumn, flip: Flip) -> None:
    right = Point(column.left + column.width, column.y + 0.3 * column.size)
    picture = example(right, column.size, column.lettering)
    width = picture.left - 2.5 * column.size - column.left
    steps = TextColumn(column.lettering, column.left, column.y, width, column.size)
    say = column.lettering.phrases.say
    fields = {"flip": say(f"calibration.{flip}"), "reading": READING}
    for number in _STEPS:
        steps.step(number, say(f"calibration.step-{number}", **fields))
        if number == 1:
            steps.y += 4.2
            steps.drawing.lines += scales.ruler(Point(steps.left + steps.size * 1.3, steps.y))
        steps.skip(0.45)
    column.drawing.add(picture.drawing)
    column.drawing.add(steps.drawing)
    column.y = max(steps.y, picture.bottom)


def _draw_form(column: TextColumn) -> None:
    """A box for each reading."""
    column.skip(0.5)
    gap = 0.02 * column.width
    width, height = (column.width - 7 * gap) / 8, max(7.0, column.size * 2.4)
    for index in range(8):
        left = column.left + index * (width + gap)
        column.drawing.lines += scales.box(Rect(left, column.y, left + width, column.y + height), 1.0)
        column.label(str(index + 1), scales.SMALL, Point(left + 1.0, column.y + scales.SMALL), bold=True)
    column.y += height


class ExamplePicture(Struct, frozen=True):
    """The picture, and its left and its bottom edge (mm on the page)."""

    drawing: PageDrawing
    left: float
    bottom: float


def example(top_right: Point, size: float, lettering: Lettering) -> ExamplePicture:
    """Part of a scale, magnified, with rings around the letter, the number and the stroke to read.

    The line from the back is drawn hollow.
    """
    factor = _MAGNIFIED * size
    side = 2.9 * factor + 1.9 * size  # for the ticks and the numbers
    left = top_right.x - len(_COLUMNS) * scales.COLUMN * factor - 2 * side
    zero = Point(left + side - _COLUMNS[0] * scales.COLUMN * factor, top_right.y + 1.8 * size)
    gauge = scales.Gauge(0, "", "across", zero, _COLUMNS, _ROWS, factor)
    labels = list(gauge.labels(lettering, size))
    lines = [*_hollow(gauge), *gauge.strokes(), *gauge.ticks()]
    lines += scales.ring(gauge.at(_READING), 0.65 * scales.PITCH * factor)
    for text in (scales.letter(_COLUMN), str(_NUMBER)):
        label = next(label for label in labels if label.text == text)
        lines += scales.ring(lettering.ink(label).centre, 0.62 * size)
    bottom = zero.y + _ROWS[-1] * scales.PITCH * factor + 4.2 * size
    result = Point((left + top_right.x) / 2, bottom)
    reads = lettering.phrases.say("calibration.reads", reading=READING)
    labels.append(lettering.line(reads, 1.3 * size, result, "centre", bold=True))
    return ExamplePicture(PageDrawing(labels, lines), left, bottom)


def _hollow(gauge: scales.Gauge) -> Iterator[MarkLine]:
    """The outline of the line that shows through from the back."""
    half = (scales.INDEX_WIDTH + 0.04) / 2
    start, end = -scales.PITCH * 0.7, _ROWS[-1] * scales.PITCH + scales.STROKE
    corners = ((-half, start), (half, start), (half, end), (-half, end), (-half, start))
    yield from scales.path([gauge.place(_READING + u, v) for u, v in corners], scales.HAIR)


class TextColumn(Struct):
    """A column of text that grows downward from `y` (mm)."""

    lettering: Lettering
    left: float
    y: float
    width: float
    size: float
    drawing: PageDrawing = field(default_factory=PageDrawing)

    def text(self, text: str, *, bold: bool = False, scale: float = 1.0, indent: float = 0.0) -> None:
        """Set a paragraph, its type `scale` times as large as the column's."""
        size = self.size * scale
        for line in self.lettering.break_text(text, size, self.width - indent):
            self.y += size * _LEADING
            self.label(line, size, Point(self.left + indent, self.y), bold=bold)

    def step(self, number: int, text: str) -> None:
        """Set a step with its number hanging before it."""
        at = Point(self.left, self.y + self.size * _LEADING)
        self.label(f"{number}", self.size, at, bold=True)
        self.text(text, indent=self.size * 1.3)

    def label(self, text: str, size: float, start: Point, *, bold: bool) -> None:
        """Write a line whose baseline starts at a point."""
        self.drawing.labels.append(self.lettering.line(text, size, start, bold=bold))

    def skip(self, lines: float) -> None:
        """Leave some lines free, each as high as the type size."""
        self.y += self.size * lines


def fit(
    room: Rect, fill: Callable[[TextColumn], None], lettering: Lettering, sizes: Sequence[float] = SIZES
) -> PageDrawing | None:
    """Let `fill` set a column in the largest type that fits, in the middle of its room.

    None if no size fits.
    """
    for size in sizes:
        trial = TextColumn(lettering, room.x0, 0.0, room.width, size)
        fill(trial)
        if trial.y <= room.height:
            top = room.y0 + (room.height - trial.y) / 2
            column = TextColumn(lettering, room.x0, top, room.width, size)
            fill(column)
            return column.drawing
    return None


def proof_sheet(paper: Size, profile: Profile, lettering: Lettering, flip: Flip | None = None) -> Sheet:
    """The sheet, of lines and labels only, upright, its back corrected by the profile, for paper that
    is flipped on an edge, by default the profile's. Raises PnpError if the profile has another."""
    paper, turn = upright(paper), paper_turn(upright(paper), profile.flip)
    pages = (_proof_front(paper, profile, lettering).page("front", paper), _proof_back(paper, turn).page("back", paper))
    sheet = Sheet("proof", _name_proof(profile, lettering, "title"), 1, 1, paper, flip or profile.flip, pages)
    return correct_sheet(sheet, profile)


def _name_proof(profile: Profile, lettering: Lettering, what: str) -> str:
    say = lettering.phrases.say
    return say(f"proof.{what}", name=profile.name) if profile.name else say("proof.unnamed")


def _proof_front(paper: Size, profile: Profile, lettering: Lettering) -> PageDrawing:
    drawing = _words(paper, profile, lettering)
    for place in _places(paper):
        drawing.lines += (line for radius in RINGS for line in scales.ring(place, radius))
        drawing.lines += scales.cross(place, _ARMS, 2 * _ARMS)
    for card in _cards(paper):
        drawing.lines += scales.box(card, _RADIUS)
    return drawing


def _proof_back(paper: Size, turn: Affine) -> PageDrawing:
    drawing = PageDrawing()
    for place in _places(paper):
        drawing.lines += scales.cross(turn.apply(place), 0.0, _ARMS)
    for card in _cards(paper):
        drawing.lines += scales.box(turn.apply_rect(card.grown(-_FRAME)), _RADIUS / 2, 0.3)
    return drawing


def _places(paper: Size) -> Iterator[Point]:
    """The nine points to check, on the front (mm)."""
    for y in (_INSET, paper.height / 2, paper.height - _INSET):
        for x in (_INSET, paper.width / 2, paper.width - _INSET):
            yield Point(x, y)


def _cards(paper: Size) -> Iterator[Rect]:
    """A row of small cards in the middle of the upper half, cut edge to edge."""
    left = (paper.width - _CARDS * _CARD.width) / 2
    top = (_INSET + paper.height / 2 - _CARD.height) / 2
    for index in range(_CARDS):
        x = left + index * _CARD.width
        yield Rect(x, top, x + _CARD.width, top + _CARD.height)


def _words(paper: Size, profile: Profile, lettering: Lettering) -> PageDrawing:
    """The words, in the lower half between the crosses."""
    (width, height), say = paper, lettering.phrases.say
    flip = say(f"calibration.{profile.flip}")

    def words(column: TextColumn) -> None:
        column.text(_name_proof(profile, lettering, "heading"), bold=True, scale=1.9)
        for number in _PROOF_STEPS:
            column.skip(0.5)
            column.text(say(f"proof.step-{number}", flip=flip))
            if number == 1:
                _picture(column)
        column.skip(1.8)
        column.drawing.lines += scales.ruler(Point(column.left, column.y))

    side = _INSET + _CLEAR
    room = Rect(side, height / 2 + _CLEAR, width - side, height - _INSET - _CLEAR)
    drawing = fit(room, words, lettering)
    if drawing is None:
        what = f"paper of {width:g} x {height:g} mm is too small for the words"
        raise fail(Place(f"paper {width:g}x{height:g}mm"), what, "use A5 or larger")
    return drawing


def _picture(column: TextColumn) -> None:
    """A mark, magnified, with the size of each ring."""
    column.skip(0.6)
    centre = Point(column.left + _PICTURE / 2, column.y + _PICTURE / 2)
    back = Point(centre.x + _OFF.x * _PROOF_MAGNIFIED, centre.y + _OFF.y * _PROOF_MAGNIFIED)
    lines = list(scales.cross(back, 0.0, 4.0, 0.3))
    for index, radius in enumerate(reversed(RINGS)):
        large, level = radius * _PROOF_MAGNIFIED, centre.y + (index - 1) * 4.2
        lines += scales.ring(centre, large)
        # From the ring, where a line at 30 degrees upward, level or downward leaves it.
        height = (index - 1) * large / 2
        start = Point(centre.x + (large**2 - height**2) ** 0.5, centre.y + height)
        end = Point(centre.x + 8.0, level)
        lines.append(MarkLine(start, end, scales.HAIR))
        phrases = column.lettering.phrases
        words = phrases.say("proof.within", radius=phrases.number(radius))
        column.label(words, scales.READABLE, Point(end.x + 1.0, level + 0.33 * scales.READABLE), bold=False)
    column.drawing.lines += lines
    column.y += _PICTURE
