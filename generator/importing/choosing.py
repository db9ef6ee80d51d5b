"""Which of the finds of each page are its cards, by what most pages have, and which are backs.

Backs are taken only on proof, or when a person says where they are. A picture shows every page,
each card in a numbered outline, backs with the numbers of their fronts.
"""

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, sqrt
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from generator.basics.errors import MisfitError, count_of
from generator.basics.geometry import Rect, Size, scaling, translation
from generator.basics.shapes import Kind
from generator.importing.finding import MOST_BLEED, UNSURE, FoundCards, Wanted, fit, is_usual, say_grid, share_apart
from generator.importing.reading import PageLook
from generator.importing.scanning import shape_of

# where they are: "none", "next", "last" or "fold", on these pages, in a file; "" where proof says it
Backs: TypeAlias = str | Sequence[int] | Path
_SHEET = 4  # cards
_AGREED = 0.15  # the least score of a find whose size other pages have
_LIKELY = 0.3  # the score of a find that speaks for its size
_AGREEMENT = 0.15  # what the score of the size of all pages gains
_BESIDE = 0.08  # the least score of further cards on a page
_SAME_PLACE = 1.0  # mm
_MOST_PIXELS = 30e6  # of the picture
_MOST_SCALE = 3.0  # pixels to a mm
_GAP, _HEAD, _LINE, _TYPE = 6.0, 7.0, 0.7, 6.0  # mm
_GROUND, _GREY, _INK = (238, 236, 231), (205, 203, 198), (40, 38, 34)
_FRONTS = ((216, 30, 44), (20, 99, 165), (22, 120, 60), (140, 60, 150))  # by their group
_BACK = (90, 88, 84)
_PROPOSED = "proposed by its pixels alone"
_STARK, _FEW = 40, 0.0006  # levels of grey; the share of pixels of a face that may differ so much


class CardPlace(Struct, frozen=True):
    """A card on a page, both counted from 1: where it is cut (mm), and how far its art goes on.
    `file` is 1 for that of the backs, if they have one."""

    page: int
    number: int
    cell: Rect
    bleed: float
    file: int = 0


class CardPage(Struct, frozen=True):
    """A page of a size (mm): its cards in groups of one size, its picture, a PNG, and why it has
    none; `file` as for `CardPlace`."""

    number: int
    size: Size
    groups: Sequence[Sequence[CardPlace]]
    picture: bytes
    reason: str = ""
    is_faulty: bool = False
    file: int = 0

    @property
    def name(self) -> str:
        """The name of the page in messages."""
        return f"page {self.number}{' of the backs' * self.file}"

    @property
    def cards(self) -> list[CardPlace]:
        """All cards."""
        return [card for group in self.groups for card in group]


class FoundCard(Struct, frozen=True):
    """A front, and its back, if it has one, upside down or not."""

    front: CardPlace
    back: CardPlace | None = None
    is_turned: bool = False


# Cards.


def choose_cards(looks: Mapping[int, PageLook], wanted: Wanted, file: int = 0) -> list[CardPage]:
    """The cards of each page of a file."""
    is_told = wanted.size is not None or wanted.grid is not None
    if any(len(cards.cells) >= _SHEET for look in looks.values() for cards in look.found[:2]):
        looks = {  # small pages are no cards if one is a sheet of them
            page: replace(look, found=[cards for cards in look.found if cards.clue != "page"])
            for page, look in looks.items()
        }
    sizes = [{cards.size for cards in look.found if cards.score >= _LIKELY} for look in looks.values()]

    def score(found: FoundCards) -> float:
        agreed = sum(any(found.is_of(size) for size in some) for some in sizes)
        return found.score + _AGREEMENT * agreed / len(sizes)

    best = {page: max(look.found, key=score) for page, look in looks.items() if look.found}
    sure = [found for found in best.values() if found.score > (_AGREED if is_told else UNSURE)]
    return [_choose(page, look, best.get(page), sure, file) for page, look in looks.items()]


def _choose(page: int, look: PageLook, best: FoundCards | None, sure: Sequence[FoundCards], file: int) -> CardPage:
    reason = look.fault or ("it is blank" if look.is_blank else "no cards are seen on it")
    if best not in sure:
        of_size = (cards for cards in look.found if any(cards.is_of(other.size) for other in sure))
        best = next((cards for cards in of_size if cards.score >= _AGREED), None)
    if best is None:
        return CardPage(page, look.size, (), look.picture, reason, bool(look.fault), file)
    if not is_usual(best.size):  # other pages may show that it has bleed
        best = next((cut for other in sure if is_usual(other.size) and (cut := fit(best, other.size))), best)
    chosen = [best]
    for found in look.found:
        is_free = not any(cell.overlaps(other) for cell in found.cells for kept in chosen for other in kept.cells)
        if is_free and found.score >= _BESIDE and found.clue != "pixels" and len(found.cells) > 1:
            chosen.append(found)
    groups, number = [], 0
    for found in chosen:
        places = enumerate(found.cells, number + 1)
        groups.append([CardPlace(page, place, cell, found.bleed, file) for place, cell in places])
        number += len(found.cells)
    return CardPage(page, look.size, groups, look.picture, file=file)


def propose_cards(looks: Mapping[int, PageLook]) -> tuple[Wanted, list[CardPage]] | None:
    """The cards that pixels propose, if pages show nothing else: the description that takes them, and the pages."""
    seen = {page: [cards for cards in look.found if cards.clue == "pixels"] for page, look in looks.items()}
    best = max((cards for found in seen.values() for cards in found), key=attrgetter("score"), default=None)
    if best is None:
        return None
    alike = {page: [cards for cards in found if cards.is_of(best.size)][:1] for page, found in seen.items()}
    pages = choose_cards({page: replace(look, found=alike[page]) for page, look in looks.items()}, Wanted(best.size))
    return say_grid(best), [replace(page, reason=_PROPOSED) if page.groups else page for page in pages]


# Backs.


def pair_cards(pages: Sequence[CardPage], backs: Backs, *, turns_backs: bool = False) -> list[FoundCard]:
    """The cards with their backs. `turns_backs` turns them upside down. Raises MisfitError if the pages are not so."""
    cards = _pair_cards(pages, backs)
    return [replace(card, is_turned=card.is_turned != turns_backs) for card in cards]


def _pair_cards(pages: Sequence[CardPage], backs: Backs) -> list[FoundCard]:
    full = [page for page in pages if page.groups]
    if backs == "fold" or (not backs and any(map(_is_folded, full)) and all(map(_find_halves, full))):
        return [card for page in full for card in _fold(page)]
    if backs == "next" or (not backs and _are_mirrored(full)):
        if len(full) % 2:
            what = f"{count_of(len(full), 'page')} with cards cannot be fronts and backs in turn"
            raise MisfitError(what, "name the pages: --pages 1-8")
        fronts, behind = full[::2], full[1::2]
    elif backs == "last":
        fronts, behind = full[:-1], full[-1:] * (len(full) - 1)
    elif isinstance(backs, str):
        fronts, behind = full, []
    else:
        if isinstance(backs, Path):
            fronts, behind = ([page for page in full if page.file == file] for file in range(2))
        else:
            fronts = [page for page in full if page.number not in backs]
            behind = [page for number in backs for page in full if page.number == number]
        behind = behind * len(fronts) if len(behind) == 1 else behind
        if len(behind) != len(fronts):
            what = f"{count_of(len(behind), 'page')} of backs for {count_of(len(fronts), 'page')} of fronts"
            raise MisfitError(what, "one page of backs for all, or as many as have fronts: --backs 2,4,6")
    if not behind:
        return [FoundCard(card) for page in fronts for card in page.cards]
    return [card for front, back in zip(fronts, behind, strict=True) for card in _pair(front, back)]


def _pair(front: CardPage, back: CardPage) -> Iterator[FoundCard]:
    """The cards of a page with those at the same places of its back: mirrored, if they are, else as
    they lie; one card, or one face elsewhere, is the back of all. Raises MisfitError if none fits."""
    sides = [(_mirror(front, upright=True), False), (_mirror(front, upright=False), True)]
    sides.append(([card.cell for card in front.cards], False))
    ways = [(_match(places, back.cards), is_turned) for places, is_turned in sides]
    partners, is_turned = max(ways, key=lambda way: sum(card is not None for card in way[0]))
    only = back.cards[0] if len(back.cards) == 1 or (not any(partners) and _are_equal(back, back.cards)) else None
    for card, partner in zip(front.cards, partners, strict=True):
        behind = partner or (only if only and _is_as_large(only.cell, card.cell) else None)
        if not any(partners) and behind is None:
            size = Size(card.cell.width, card.cell.height)
            raise MisfitError(f"{back.name} has no back of {size} for {front.name}", "look at --picture found.png")
        yield FoundCard(card, behind, is_turned and partner is not None)


def _is_as_large(back: Rect, front: Rect) -> bool:
    """Whether a back may be that of a front; what it has more is bleed."""
    more = back.width - front.width, back.height - front.height
    return -_SAME_PLACE <= min(more) <= max(more) <= 2 * MOST_BLEED


def _mirror(page: CardPage, *, upright: bool) -> list[Rect]:
    """The places of the cards seen from behind, after a turn about an upright or a level line."""
    middle = (page.size.width if upright else page.size.height) / 2
    return [_reflect(card.cell, middle, upright=upright) for card in page.cards]


def _reflect(cell: Rect, at: float, *, upright: bool) -> Rect:
    """A cell on the other side of an upright or a level line."""
    x0, y0, x1, y1 = cell
    return Rect(2 * at - x1, y0, 2 * at - x0, y1) if upright else Rect(x0, 2 * at - y1, x1, 2 * at - y0)


def _match(places: Sequence[Rect], cards: Sequence[CardPlace]) -> list[CardPlace | None]:
    """The card at each place."""

    def is_there(card: CardPlace, place: Rect) -> bool:
        x, y = card.cell.centre
        is_near = abs(x - place.centre.x) <= _SAME_PLACE and abs(y - place.centre.y) <= _SAME_PLACE
        return is_near and _is_as_large(card.cell, place)

    return [next((card for card in cards if is_there(card, place)), None) for place in places]


def _are_mirrored(pages: Sequence[CardPage]) -> bool:
    """Whether every second page has its cards where the backs of the page before are, and at least
    one not where its fronts are."""
    pairs = list(zip(pages[::2], pages[1::2], strict=False))
    if len(pages) % 2 or any(back.number - front.number != 1 for front, back in pairs):
        return False
    for front, back in pairs:
        ways = [_mirror(front, upright=True), _mirror(front, upright=False)]
        if len(front.cards) != len(back.cards) or not any(all(_match(way, back.cards)) for way in ways):
            return False
    return any(not all(_match([card.cell for card in front.cards], back.cards)) for front, back in pairs)


def _fold(page: CardPage) -> Iterator[FoundCard]:
    """The cards of a page whose other half folds behind them. Raises MisfitError for another."""
    halves = _find_halves(page)
    if halves is None:
        what = f"page {page.number}: its cards are not two halves to be folded"
        raise MisfitError(what, "--backs next, last, none or the numbers of pages")
    (fronts, behind), is_turned = halves
    for front, back in zip(fronts, behind, strict=True):
        yield FoundCard(front, back, is_turned)


def _is_folded(page: CardPage) -> bool:
    """Whether one half of a page repeats one face, and the other does not."""
    halves = _find_halves(page)
    if halves is None:
        return False
    (fronts, behind), _ = halves
    return len(fronts) > 1 and _are_equal(page, behind) and not _are_equal(page, fronts)


def _find_halves(page: CardPage) -> tuple[tuple[list[CardPlace], list[CardPlace]], bool] | None:
    """Fronts, their backs, and whether these are upside down; the half that repeats one face is the backs."""
    cards = page.cards
    for is_upright in (False, True):
        axis = "x" if is_upright else "y"
        middles = sorted(getattr(card.cell.centre, axis) for card in cards)
        fold = (middles[0] + middles[-1]) / 2
        half = [card for card in cards if getattr(card.cell.centre, axis) < fold]
        folded = [_reflect(card.cell, fold, upright=is_upright) for card in half]
        matched = [card for card in _match(folded, cards) if card is not None]
        if len(cards) < 2 or 2 * len(half) != len(cards) or len(matched) != len(half):
            continue
        is_first = _are_equal(page, half) and not _are_equal(page, matched)
        if len(half) == 1 or is_first or _are_equal(page, matched):
            return ((matched, half) if is_first else (half, matched)), not is_upright
    return None


def _are_equal(page: CardPage, cards: Sequence[CardPlace]) -> bool:
    """Whether all look alike, to the eye."""
    with Image.open(io.BytesIO(page.picture)) as picture:
        pixels: NDArray[Any] = np.asarray(picture.convert("RGB"))
    scale = pixels.shape[1] / page.size.width
    return all(_is_equal(pixels, a.cell, b.cell, scale) for a, b in pairwise(cards))


def _is_equal(pixels: NDArray[Any], cell: Rect, other: Rect, scale: float) -> bool:
    """Whether nearly each pixel of a face is like one next to its place in the other."""
    wide, high = int(cell.width * scale) - 2, int(cell.height * scale) - 2
    corners = ((round(box.x0 * scale) + 1, round(box.y0 * scale) + 1) for box in (cell, other))
    seen, also = (pixels[y : y + high, x : x + wide] for x, y in corners)
    return seen.shape == also.shape and share_apart(seen, also, _STARK) <= _FEW


# The picture of what was found.


def draw_found(pages: Sequence[CardPage], cards: Iterable[FoundCard], kind: Kind = "rectangle") -> bytes:
    """A PNG of pages with their cards, of a kind of shape."""
    labels: dict[CardPlace, str] = {}
    for number, card in enumerate(cards, 1):
        labels.setdefault(card.front, str(number))
        if card.back:
            known = labels.get(card.back)
            labels[card.back] = f"{known}, {number}" if known else f"back of {number}"
    wide = max(page.size.width for page in pages) + _GAP
    high = max(page.size.height for page in pages) + _GAP + _HEAD
    columns = min(len(pages), max(ceil(sqrt(len(pages) * 1.5 * high / wide)), 1))
    rows = ceil(len(pages) / columns)
    area = wide * columns * high * rows
    scale = min(_MOST_SCALE, sqrt(_MOST_PIXELS / area))
    size = ceil((wide * columns + _GAP) * scale), ceil((high * rows + _GAP) * scale)
    sheet = Image.new("RGB", size, _GROUND)
    font = ImageFont.load_default(_TYPE * scale)
    for index, page in enumerate(pages):
        row, column = divmod(index, columns)
        corner = round((_GAP + column * wide) * scale), round((_GAP + row * high) * scale)
        reason = f": {page.reason}" if page.reason else ""
        ImageDraw.Draw(sheet).text(corner, f"{page.name}{reason}", _INK, font)
        picture = _draw_page(page, labels, kind, scale, font)
        sheet.paste(picture, (corner[0], corner[1] + round(_HEAD * scale)))
    stream = io.BytesIO()
    sheet.quantize(128).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def _draw_page(
    page: CardPage, labels: dict[CardPlace, str], kind: Kind, scale: float,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
) -> Image.Image:  # fmt: skip
    wide, high = (max(round(side * scale), 1) for side in page.size)
    if not page.picture:
        return Image.new("RGB", (wide, high), _GREY)
    with Image.open(io.BytesIO(page.picture)) as painted:
        picture = painted.convert("RGB").resize((wide, high), Image.Resampling.BOX)
    if not page.groups:
        return Image.blend(picture, Image.new("RGB", picture.size, _GREY), 0.6)
    draw = ImageDraw.Draw(picture)
    for number, group in enumerate(page.groups):
        for card in group:
            label = labels.get(card, "")
            colour = _FRONTS[number % len(_FRONTS)] if label.isdecimal() else _BACK
            piece = shape_of(kind, Size(card.cell.width, card.cell.height))
            outline = piece.placed(scaling(scale) @ translation(card.cell.x0, card.cell.y0))
            draw.polygon(outline, outline=colour, width=max(round(_LINE * scale), 1))
            middle = card.cell.centre.x * scale, card.cell.centre.y * scale
            edges = draw.textbbox(middle, label, font=font, anchor="mm")
            draw.rectangle([edges[0] - 3, edges[1] - 3, edges[2] + 3, edges[3] + 3], fill=colour)
            draw.text(middle, label, "white", font, anchor="mm")
    return picture
