"""Pages of a forme, with marks and the slug around it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import Place, did_you_mean, fail, quote
from generator.basics.geometry import Affine, Rect, Size, scaling, translation
from generator.basics.phrases import Phrases
from generator.basics.shapes import box_of, carried
from generator.layout import marks
from generator.layout.forme import Forme, Seat
from generator.layout.slug import SlugItem, Spot, bays, margins, reserve, set_slug, slug_items
from generator.layout.tiling import PiecePart, clip_panel, label_behind, strip_marks
from generator.layout.turn import back_of, paper_turn
from generator.model import FLIPS, BoardPanel, Label, MarkLine, Page, Placement, Side, Way
from generator.model import Mark as MarkKind
from generator.text import Lettering

_BOTH = "both-sides"
_KINDS: tuple[MarkKind, ...] = ("cut", "corner", "outline", "register", "frame")
_CHOICE = (*_KINDS, "backs", "none")
USUAL_MARKS = "cut,corner"
_Anything = TypeVar("_Anything")


class Item(Struct, frozen=True):
    """A physical piece: its name and the ids of its faces. Of a larger piece, the `part`."""

    piece: str
    front: str
    back: str | None
    part: PiecePart | None = None


class Marking(Struct, frozen=True):
    """The marks drawn beside the pieces; `on_backs`: on the backs too."""

    kinds: frozenset[MarkKind] = frozenset({"cut", "corner"})
    on_backs: bool = False


def parse_marks(text: str) -> Marking:
    """Read names of marks, as in "cut,corner,register"; "backs" adds them to the backs.

    "none" means no marks. Raises PnpError if there is no such mark.
    """
    names = {name.strip() for name in text.lower().split(",")} - {"none", ""}
    for name in sorted(names - set(_CHOICE)):
        raise fail(Place(f"marks {quote(text)}"), f"there is no mark {quote(name)}", did_you_mean(name, _CHOICE))
    return Marking(frozenset(kind for kind in _KINDS if kind in names), "backs" in names)


class SlugHeading(Struct, frozen=True):
    """The words of the slug on sheets that are numbered together."""

    phrases: Phrases
    sheets: str  # the game and the pieces
    total: int
    way: Way
    paper: str
    printer: str
    scale: float = 1.0  # of the pieces
    bleed: float | None = None  # mm, if it is narrower than the game's
    cutter: str = ""  # the machine, its layout and its marks

    def turn(self, paper: Size) -> Affine | None:
        """Map a point of the front page to the point behind it; None without backs."""
        flip = FLIPS.get(self.way)
        return paper_turn(paper, flip) if flip else None

    def slug(self, number: int, side: str) -> list[SlugItem]:
        say = self.phrases.say
        where = {"sheets": self.sheets, "side": say(f"sheet.{side}")}
        title = say("sheet.heading", number=number, total=self.total, **where)
        how = self.way, self.paper, self.printer, self.scale, self.bleed, self.cutter
        return slug_items(self.phrases, title, *how)

    def widest(self) -> list[list[SlugItem]]:
        """Slugs in which each item has its greatest width at least once, as digits differ in width."""
        digits = range(1, min(self.total, 9) + 1)
        numbers = [int(str(digit) * len(str(self.total))) for digit in digits]
        sides = (_BOTH,) if self.way == "fold" else ("front", "back")
        return [self.slug(number, side) for number in numbers for side in sides]


class Dressed(Struct, frozen=True):
    """A forme with the marks and the slug beside its pieces, as seen from the front.

    `back_slug` is as seen from the back. `hairlines` are the outlines of the pieces and of their holes.
    """

    forme: Forme
    crops: Sequence[marks.Mark]
    others: Sequence[MarkLine]
    slug: Sequence[Spot]
    back_slug: Sequence[Spot]
    hairlines: Sequence[marks.Mark] = ()


def dress(forme: Forme, heading: SlugHeading, marking: Marking, lettering: Lettering, filled: int) -> Dressed | None:
    """Put marks and the slug around a forme; None when its margins are too narrow for the slug.

    No sheet takes more than the first `filled` seats.
    """
    area, block, kinds = forme.area, forme.block, marking.kinds
    reach = forme.reach.grown(marks.FRAME_ROOM) if "frame" in kinds else forme.reach
    slugs, bare = heading.widest(), area.registration.bare

    def slug_beside(lines: Sequence[MarkLine], turn: Affine | None = None) -> list[Spot] | None:
        there = turn.apply_rect(block) if turn else block
        strips = margins(area, there, turn.apply_rect(reach) if turn else reach).strips
        marks = [_carry(line, turn) for line in lines] if turn else lines
        return reserve(slugs, bays(there, strips, marks, () if turn else bare), lettering)

    if slug_beside(()) is None:
        return None  # the slug does not fit even without marks, which take longer to find
    bounds = marks.Bounds(margins(area, block, reach).marks, area.printable(block))
    marked = len(forme.seats) if _is_stack(forme, heading) else filled
    ticks = list(marks.crop_marks(forme.freed, bounds, marked))
    crops = [
        mark
        for mark in (*ticks, *marks.piece_lines(forme, marked, ticks))
        if mark.line.kind in (*kinds, "fold") and not _enters(mark.line, bare)
    ]
    lines = [mark.line for mark in crops]
    crosses = marks.register_marks(block, reach, bounds, lines) if "register" in kinds else ()
    frame = marks.frame_marks(forme.reach, bounds.printable) if "frame" in kinds else ()
    others = [line for line in (*crosses, *frame) if not _enters(line, bare)]
    slug = slug_beside([*lines, *others])
    turn = heading.turn(area.paper)
    on_back = [*lines, *others] if marking.on_backs else []
    back_slug = slug_beside(on_back, turn) if turn else []
    if slug is None or back_slug is None:
        return None
    fold = marks.fold_marks(area) if area.fold else ()
    hairlines = list(marks.outline_marks(forme, marked, kinds))  # nearer to the pieces than the slug
    hairlines += marks.hole_marks(forme, marked) if "cut" in kinds else ()
    return Dressed(forme, crops, [*others, *fold], slug, back_slug, hairlines)


class SharedValues(dict[Any, Any]):
    """Equal values of many sheets, each kept once: a large deck has thousands of equal marks."""

    def of(self, value: _Anything) -> _Anything:
        """The first of all values that are equal to this one."""
        return cast(_Anything, self.setdefault(value, value))


class Sides(Struct, frozen=True):
    """A sheet before it is made: its dressed forme, the pieces on its first seats, its number.

    `shared` are the values that it shares with other sheets.
    """

    dressed: Dressed
    heading: SlugHeading
    items: Sequence[Item]
    number: int
    has_marked_backs: bool
    shared: SharedValues

    def pages(self, blank_turn: Affine | None) -> Iterator[Page]:
        """The front and the back. A sheet without a back gets an empty one if there is a
        `blank_turn`, which maps a point to the point behind it; panels have their names there."""
        forme = self.dressed.forme
        area, fronts = forme.area, tuple(self._placements("front"))
        if area.fold:
            fold = area.fold_turn()
            placed = (*fronts, *self._placements("back", fold))
            trim, bleed = (box.around(fold.apply_rect(box)) for box in (forme.block, forme.reach))
            yield self._page("front", _BOTH, placed, self._marks(), trim, bleed)
            return
        marks = [*self._marks(), *area.registration.marks]
        yield self._page("front", "front", fronts, marks, forme.block, forme.reach)
        turn = self.heading.turn(area.paper)
        if turn:
            marks = self._marks() if self.has_marked_backs else []
            back_marks = [_carry(mark, turn) for mark in marks]
            boxes = (turn.apply_rect(box) for box in (forme.block, forme.reach))
            backs = tuple(self._placements("back", turn))
            yield self._page("back", "back", backs, back_marks, *boxes)
        elif blank_turn:
            names = tuple(label_behind(*of, blank_turn) for of in self._panels())
            yield Page("back", (), (), names, forme.block, forme.reach.within(_whole(area.paper)))

    def _page(
        self, side: Side, name: str, placed: tuple[Placement, ...], marks: Iterable[MarkLine], trim: Rect, bleed: Rect
    ) -> Page:
        spots = self.dressed.slug if side == "front" else self.dressed.back_slug
        labels, lines = set_slug(self.heading.slug(self.number, name), spots)
        labels = [replace(label, affine=self.shared.of(label.affine)) for label in labels]
        paper, share = _whole(self.dressed.forme.area.paper), self.shared.of
        more_labels, more_lines = self._on_strips(side)
        labels += more_labels
        every = share((*marks, *lines, *more_lines))
        return Page(side, placed, every, tuple(labels), share(trim), share(bleed.within(paper)))

    def _marks(self) -> list[MarkLine]:
        """The marks of the taken seats; on a stack, the cut and fold marks of all seats."""
        is_stack = _is_stack(self.dressed.forme, self.heading)
        filled = len(self.items)
        crops = [
            mark.line
            for mark in self.dressed.crops
            if mark.owner < filled or (is_stack and mark.line.kind in ("cut", "fold"))
        ]
        hairlines = [mark.line for mark in self.dressed.hairlines if mark.owner < filled]
        return [*crops, *hairlines, *self.dressed.others]

    def _placements(self, side: Side, turn: Affine | None = None) -> Iterator[Placement]:
        """The faces of a side; `turn` maps a point of the front to the point behind it."""
        forme, share = self.dressed.forme, self.shared.of
        clips = forme.clips(side, len(self.items))
        for item, seat, clip in zip(self.items, forme.seats, clips, strict=False):
            face, blank, panel = item.back if turn else item.front, seat.blank, None
            if face is None:
                continue
            place = back_of(seat.place, blank.shape.size.width, turn) if turn else seat.place
            bleed = blank.back_bleed if turn else blank.bleed
            whole = place @ translation(-bleed, -bleed) @ scaling(blank.scale)
            if item.part:
                panel, whole = item.part.panel, item.part.place_face(seat, place, side)
                clip = clip_panel(panel, seat, side)
            clip = carried(clip, turn) if turn else clip
            yield Placement(face, item.piece, share(whole), share(clip), panel)

    def _panels(self) -> Iterator[tuple[BoardPanel, Seat]]:
        for item, seat in zip(self.items, self.dressed.forme.seats, strict=False):
            if item.part:
                yield item.part.panel, seat

    def _on_strips(self, side: Side) -> tuple[list[Label], list[MarkLine]]:
        """The labels and lines of a side on the strips where panels overlap."""
        turn = self.heading.turn(self.dressed.forme.area.paper) if side == "back" else None
        how = side, self.heading.phrases, turn
        marks = [strip_marks(panel, seat, *how) for panel, seat in self._panels()]
        labels = [label for some, _ in marks for label in some]
        return labels, [line for _, some in marks for line in some]


def _is_stack(forme: Forme, heading: SlugHeading) -> bool:
    """Whether the sheets can be cut as one stack, so that all need the same marks."""
    return forme.is_grid and heading.total > 1


def _enters(line: MarkLine, bare: Sequence[Rect]) -> bool:
    """Whether a line has ink in one of the rectangles."""
    box = box_of((line.start, line.end)).grown(line.width / 2)
    return any(box.overlaps(rect) for rect in bare)


def _whole(paper: Size) -> Rect:
    return Rect(0.0, 0.0, *paper)


def _carry(mark: MarkLine, by: Affine) -> MarkLine:
    return replace(mark, start=by.apply(mark.start), end=by.apply(mark.end))
