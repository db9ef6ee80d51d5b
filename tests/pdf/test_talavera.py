"""The printed Talavera: what stands on each card, read from the pages, is the published deck."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageStat

from generator.model import Flip
from tests.support import paper
from tests.support.paper import MM_PER_PT, Placed, Spot
from tests.support.printing import published

BLEED = 3.0
DPI = 100
INCH = 25.4
FLIPS: tuple[Flip, ...] = ("long", "short")
PRINTINGS = [(name, flip) for name in ("letter", "a4") for flip in FLIPS]

# As published: the corner of each colour's number, reading order of the card.
CORNERS = {"order_yellow": 0, "order_sky": 1, "order_azure": 2, "order_red": 3}
# As published: each colour's tiles of half an inch, in the order they fill up. In quarters of an
# inch, lower left corner of the tile from the lower left corner of the card, y up.
SLOTS: dict[str, list[tuple[float, float]]] = {
    "yellow": [(0.5, 9), (0.5, 7), (0.5, 5)],
    "azure": [(5, 11.5), (3, 11.5), (1, 11.5)],
    "sky": [(3, 0.5), (5, 0.5), (7, 0.5)],
    "red": [(7.5, 3), (7.5, 5), (7.5, 7)],
}

Row = Mapping[str, str]
Glyph = tuple[str, Spot]


@cache
def deck() -> dict[str, Row]:
    table = Path(__file__).parents[2] / "templates/talavera/cards.csv"
    with table.open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def glyphs(pdf: bytes) -> list[list[Glyph]]:
    """Each character of each page and the middle of its box, in mm from the top left."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [list(_glyphs(page)) for page in document]


def _glyphs(page: pypdfium2.PdfPage) -> Iterator[Glyph]:
    height = page.get_height()
    text = page.get_textpage()
    for index in range(text.count_chars()):
        left, bottom, right, top = text.get_charbox(index)
        middle = Spot((left + right) / 2 * MM_PER_PT, (height - (bottom + top) / 2) * MM_PER_PT)
        character = text.get_text_range(index, 1)
        if not character.isspace():
            yield character, middle


def on_card(spot: Spot, card: Placed) -> tuple[float, float] | None:
    """Where on a card a point lies, from 0 to 1 across and down as the card is read."""
    origin, across, down = card.trim.top_left, card.trim.top_right, card.trim.bottom_left
    parts = []
    for end in (across, down):
        edge = (end.x - origin.x, end.y - origin.y)
        along = (spot.x - origin.x) * edge[0] + (spot.y - origin.y) * edge[1]
        parts.append(along / (edge[0] ** 2 + edge[1] ** 2))
    inside = all(0.0 <= part <= 1.0 for part in parts)
    return (parts[0], parts[1]) if inside else None


def numbers(card: Placed, page: Sequence[Glyph]) -> list[tuple[str, tuple[float, float]]]:
    """The characters on a card and where they stand on it."""
    found = ((character, on_card(spot, card)) for character, spot in page)
    return [(character, where) for character, where in found if where is not None]


def order(card: Placed, page: Sequence[Glyph]) -> list[str]:
    """The number in each quarter of a front, reading order."""
    quarters = {(x > 0.5) + 2 * (y > 0.5): character for character, (x, y) in numbers(card, page)}
    assert len(numbers(card, page)) == len(quarters) == 4, "one number in each quarter"
    for _, (x, y) in numbers(card, page):
        assert abs(x % 0.5 - 0.25) < 0.01, "in the middle of its quarter"
        assert abs(y % 0.5 - 0.25) < 0.01
    return [quarters[index] for index in range(4)]


def id_of(card: Placed, page: Sequence[Glyph]) -> str:
    """The number in the middle of a back."""
    found = numbers(card, page)
    assert all(abs(x - 0.5) < 0.05 and abs(y - 0.5) < 0.03 for _, (x, y) in found)
    return "".join(character for character, _ in sorted(found, key=lambda glyph: glyph[1][0]))


@pytest.mark.parametrize(("paper_name", "flip"), PRINTINGS)
def test_cards_are_paired_as_published(paper_name: str, flip: Flip) -> None:
    pdf = published(paper_name, flip)
    pages, texts = paper.placements(pdf, BLEED), glyphs(pdf)
    orders = {c.face: order(c, t) for p, t in pairs(pages, texts, 0) for c in p}
    ids = {c.face: id_of(c, t) for p, t in pairs(pages, texts, 1) for c in p}
    found = paper.meetings(pdf, BLEED, flip)
    assert paper.worst(found) < 0.01
    printed = {ids[meeting.back]: orders[meeting.front] for meeting in found}
    assert len(found) == 18
    assert printed == {id_: [row[column] for column in CORNERS] for id_, row in deck().items()}


def pairs(
    pages: Sequence[list[Placed]], texts: Sequence[list[Glyph]], side: int
) -> list[tuple[list[Placed], list[Glyph]]]:
    """The pages of one side, 0 for fronts, with what is written on them."""
    return list(zip(pages[side::2], texts[side::2], strict=True))


def rasters(pdf: bytes) -> list[Image.Image]:
    with pypdfium2.PdfDocument(pdf) as document:
        return [page.render(scale=DPI / 72).to_pil().convert("RGB") for page in document]


def slot_colour(picture: Image.Image, card: Placed, slot: tuple[float, float]) -> list[float]:
    """The mean colour of a slot, its rim left out."""
    origin, across, down = card.trim.top_left, card.trim.top_right, card.trim.bottom_left
    corners = []
    for inset in (0.2, 1.8):  # of a tile that is two units wide
        u, v = (slot[0] + inset) / 10, 1 - (slot[1] + inset) / 14
        x = origin.x + u * (across.x - origin.x) + v * (down.x - origin.x)
        y = origin.y + u * (across.y - origin.y) + v * (down.y - origin.y)
        corners.append((x * DPI / INCH, y * DPI / INCH))
    (x0, x1), (y0, y1) = (sorted(values) for values in zip(*corners, strict=True))
    return list(ImageStat.Stat(picture.crop((round(x0), round(y0), round(x1), round(y1)))).mean)


@pytest.mark.parametrize(("paper_name", "flip"), [("letter", "long"), ("a4", "short")])
def test_tiles_lie_in_the_published_slots(paper_name: str, flip: Flip) -> None:
    pdf = published(paper_name, flip)
    pages, texts, pictures = paper.placements(pdf, BLEED), glyphs(pdf), rasters(pdf)
    backs = zip(pages[1::2], texts[1::2], pictures[1::2], strict=True)
    seen: dict[str, list[list[float]]] = defaultdict(list)
    for page, text, picture in backs:
        for card in page:
            row = deck()[id_of(card, text)]
            for colour, slots in SLOTS.items():
                means = [slot_colour(picture, card, slot) for slot in slots]
                filled = [min(mean) < 235 for mean in means]
                assert filled == [index < int(row[colour]) for index in range(3)]
                seen[colour] += means[: int(row[colour])]
    averages = {colour: average(means) for colour, means in seen.items()}
    for colour, means in seen.items():
        assert max(apart(mean, averages[colour]) for mean in means) < 12, f"{colour} is one pattern"
    assert min(apart(a, b) for a, b in combinations(averages.values(), 2)) > 30


def average(colours: Sequence[Sequence[float]]) -> list[float]:
    return [sum(channel) / len(channel) for channel in zip(*colours, strict=True)]


def apart(a: Sequence[float], b: Sequence[float]) -> float:
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def test_text_reads_as_words_and_numbers() -> None:
    with pypdfium2.PdfDocument(published("letter", "long")) as document:
        texts = [page.get_textpage().get_text_range() for page in document]
    for index, text in enumerate(texts):
        words = " ".join(text.split())
        side = ("FRONT", "BACK")[index % 2]
        assert f"Talavera · Cards · sheet {index // 2 + 1} of 2 · {side}" in words
        assert "Letter, thick paper, print on both sides, flip on the long edge, 100 %" in words
        assert "this edge up" in words
        assert "50 mm" in words
    # each card after the other, its quarters in reading order
    first = [row[column] for row in list(deck().values())[:9] for column in CORNERS]
    assert texts[0].rpartition("50 mm")[2].split() == first
    # readers disagree on where a line of figures breaks, not on the figures and their order
    figures = ["".join(text.rpartition("50 mm")[2].split()) for text in texts[1::2]]
    assert figures == ["321654987", "121110151413181716"]


def test_balanced_deck_is_another_deck() -> None:
    with pypdfium2.PdfDocument(published("letter", "long", "talavera-balanced")) as document:
        texts = [page.get_textpage().get_text_range() for page in document]
    numerals = [n for text in texts[::2] for n in text.rpartition("50 mm")[2].split()]
    assert sorted(numerals) == sorted("1234" * 18)
    assert numerals != [row[column] for row in deck().values() for column in CORNERS]
