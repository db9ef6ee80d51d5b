"""Playing cards: the deck of Toripoka, and what becomes of one that is changed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops
from PIL.Image import Transpose

from generator import pipeline
from generator.basics.errors import Place
from generator.basics.geometry import PT_PER_MM, Size
from generator.basics.shapes import rectangle
from generator.faces.playing import Card, CardBack, Hands
from generator.model import Design, Face, Piece, Side
from tests.faces.shaped import drawn, told
from tests.faces.test_oracle import CLOSE, PIXELS_PER_MM, difference, printed_faces, resvg, stacked
from tests.support.designs import change

NUMBERS = [str(rank) for rank in range(2, 11)]
WILDS = {"spades-4": 4, "spades-7": 7, "spades-10": 10, "spades-K": 13}  # how many steps each reaches
COURTS = ("hearts-J", "hearts-Q", "hearts-K")
SAFE_MM = 3.0
LEAST_TYPE_PT = 7.0
Change = Callable[[Card], Card]


@cache
def game() -> tuple[Design, Design]:
    cards, reference = pipeline.read("toripoka").designs[:2]
    return cards, reference


def changed(**options: Any) -> Design:
    cards, _ = game()
    assert isinstance(cards.front, Card)
    return replace(cards, front=replace(cards.front, **options))


def with_row(**cells: str) -> Design:
    """The deck with nothing but one card."""
    cards, _ = game()
    row = {"rank": "5", "suit": "hearts", "covers": "-"} | cells
    return change(cards, pieces=(Piece("x", row, 1, Place("here")),))


def pips_of(face: Face) -> list[tuple[str, float, float]]:
    """The pips: their drawing and where from the middle of the face their own middle is."""
    return [
        (
            placed.layer.name,
            placed.at.x + placed.layer.size.width / 2 - face.size.width / 2,
            placed.at.y + placed.layer.size.height / 2 - face.size.height / 2,
        )
        for placed in face.layers
        if placed.layer.name.startswith("art ")
    ]


def upside_down(picture: Image.Image) -> Image.Image:
    return picture.transpose(Transpose.ROTATE_180)


def test_the_deck_is_the_deck() -> None:
    cards, reference = game()
    rows = [(piece.row["rank"], piece.row["suit"]) for piece in cards.component.copies()]
    hearts = [rank for rank, suit in rows if suit == "hearts"]
    assert hearts == ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    assert [rank for rank, suit in rows if suit == "spades"] == ["4", "7", "10", "K"]
    assert len(reference.component.copies()) == 2


@pytest.mark.parametrize("card", NUMBERS)
def test_a_number_card_has_its_pips(card: str) -> None:
    pips = pips_of(drawn(game()[0])[f"hearts-{card}"])
    assert len(pips) == int(card)
    for name, _, y in pips:
        assert name == ("art heart turned" if y > 0.001 else "art heart")


def test_few_pips_are_larger_and_those_of_the_nine_keep_apart() -> None:
    faces = drawn(game()[0])
    widths = {card: faces[f"hearts-{card}"].layers[-1].layer.size.width for card in NUMBERS}
    assert {card for card, width in widths.items() if width > widths["10"]} == {"2", "3", "4"}
    nine = pips_of(faces["hearts-9"])
    (middle,) = (pip for pip in nine if pip[1] == pytest.approx(0.0))
    assert min(abs(y - middle[2]) for _, x, y in nine if x != middle[1]) > widths["9"]


@pytest.mark.parametrize("size", [Size(63.5, 88.9), Size(57.15, 88.9), Size(70.0, 120.0)])
def test_pips_follow_the_size_of_the_card(size: Size) -> None:
    cards, _ = game()
    assert isinstance(cards.front, Card)
    face = drawn(change(cards, shape=rectangle(size)))["hearts-10"]
    half, (across, down) = cards.front.pip_size / 2, cards.front.pip_margin
    xs, ys = ([pip[axis] for pip in pips_of(face)] for axis in (1, 2))
    assert max(xs) == pytest.approx(size.width / 2 - across - half)
    assert max(ys) == pytest.approx(size.height / 2 - down - half)


@pytest.mark.parametrize("card", ["hearts-2", "hearts-4", "hearts-10", *COURTS])
def test_a_card_has_no_top(card: str) -> None:
    picture = printed_faces("toripoka")[drawn(game()[0])[card].id]
    assert difference(picture, upside_down(picture)) < 0.5


def test_the_back_has_no_top() -> None:
    (face,) = set(drawn(game()[0], "back").values())
    picture = printed_faces("toripoka")[face.id]
    assert difference(picture, upside_down(picture)) < 0.5


@pytest.mark.parametrize("card", ["hearts-A", "hearts-7", "spades-K"])
def test_what_has_a_top_is_seen_to_have_one(card: str) -> None:
    """The measure can fail: one great pip, or the lone pip of the seven."""
    picture = printed_faces("toripoka")[drawn(game()[0])[card].id]
    assert difference(picture, upside_down(picture)) > 2.0


@pytest.mark.parametrize("card", WILDS)
def test_a_wild_shows_its_reach(card: str) -> None:
    cards, _ = game()
    assert isinstance(cards.front, Card)
    front = cards.front
    layer = next(s.layer for s in drawn(cards)[card].layers if s.layer.name == f"cards {card}")
    uris = Counter(re.findall(r'href="(data:[^"]+)"', layer.svg))
    assert front.step_reached
    assert front.step_beyond
    assert front.step_never
    assert uris[front.step_reached.uri] == WILDS[card]
    assert uris[front.step_beyond.uri] == 13 - WILDS[card]
    assert uris[front.step_never.uri] == 1, "the high Ace"


def test_every_card_looks_different() -> None:
    assert len({face.id for face in drawn(game()[0]).values()}) == 17
    assert len({face.id for face in drawn(game()[0], "back").values()}) == 1


def least_distance_to_trim(picture: Image.Image) -> float:
    """From the cut to the nearest ink inside it, mm."""
    box = ImageChops.invert(picture.convert("L")).point(lambda v: 255 * (v > 16)).getbbox()
    assert box is not None
    x0, y0, x1, y1 = box
    return min(x0, y0, picture.width - x1, picture.height - y1) / PIXELS_PER_MM


def test_nothing_stands_too_near_the_cut() -> None:
    cards, reference = game()
    for face in drawn(cards).values():
        printed = printed_faces("toripoka")[face.id]
        assert least_distance_to_trim(printed) >= SAFE_MM, face.name
    for face in (*drawn(reference).values(), *drawn(reference, "back").values()):
        printed = printed_faces("toripoka", "reference")[face.id]
        assert least_distance_to_trim(printed) >= SAFE_MM, face.name


def test_what_stands_too_near_the_cut_is_seen() -> None:
    face = drawn(changed(index_margin=(1.0, 1.0)))["hearts-5"]
    assert least_distance_to_trim(stacked(face, resvg)) < SAFE_MM


def test_type_is_large_enough() -> None:
    cards, reference = game()
    everything = [drawn(cards), drawn(reference), drawn(reference, "back")]
    sizes = [
        float(size) * PT_PER_MM
        for some in everything
        for face in some.values()
        for placed in face.layers
        for size in re.findall(r'font-size="([\d.]+)"', placed.layer.svg)
    ]
    assert len(sizes) > 100
    assert min(sizes) >= LEAST_TYPE_PT - 0.001


def test_suits_differ_in_tone() -> None:
    cards, _ = game()
    assert isinstance(cards.front, Card)
    tones = [Image.new("RGB", (1, 1), ink).convert("L") for ink in cards.front.inks.values()]
    low, high = sorted(float(tone.getextrema()[0]) for tone in tones)  # type: ignore[arg-type]
    assert high - low > 40, "of 255"


@pytest.mark.parametrize("card", ["hearts-A", "hearts-5", "hearts-Q", "spades-K"])
def test_printed_as_another_engine_draws_it(card: str) -> None:
    face = drawn(game()[0])[card]
    assert difference(printed_faces("toripoka")[face.id], stacked(face, resvg)) < CLOSE


@pytest.mark.parametrize("side", ["front", "back"])
def test_reference_printed_as_another_engine_draws_it(side: Side) -> None:
    face = drawn(game()[1], side)["hands"]
    assert difference(printed_faces("toripoka", "reference")[face.id], stacked(face, resvg)) < CLOSE


@pytest.mark.parametrize(
    ("cells", "what", "hint"),
    [
        ({"suit": "heart"}, "unknown suit 'heart'", "did you mean 'hearts'?"),
        ({"rank": "11"}, "there are no pips for the rank '11'", "give it a court"),
        ({"rank": "J", "suit": "spades"}, "there are no pips for the rank 'J'", "a court"),
        ({"covers": "7"}, "covers: '7' is not a range of the steps", "as in 'A-7'"),
        ({"covers": "A-12"}, "covers: 'A-12' is not a range of the steps", "as in 'A-7'"),
        ({"covers": "7-A"}, "covers: '7-A' runs backwards", "the lower step first"),
        ({"rank": "♥"}, "Abril Fatface has no glyph for '♥'", "another font"),
    ],
)
def test_a_card_that_cannot_be_drawn(cells: dict[str, str], what: str, hint: str) -> None:
    ((said, advice),) = told(with_row(**cells))
    assert what in said
    assert hint in advice


def test_a_deck_without_steps_reads_no_covers() -> None:
    cards = changed(steps=())
    assert [column.name for column in cards.front.columns()] == ["rank", "suit"]
    faces_of = drawn(change(cards, pieces=cards.component.pieces[:16]))  # a king has no pips
    assert len(pips_of(faces_of["spades-10"])) == 10


def test_margins_that_leave_nothing() -> None:
    cards = changed(pip_margin=(40.0, 10.0))
    ((what, _),) = told(change(cards, pieces=cards.component.pieces[4:5]))
    assert "the margins leave nothing of the card" in what


def test_too_many_motifs() -> None:
    cards, _ = game()
    assert isinstance(cards.back, CardBack)
    ((what, _),) = told(replace(cards, back=replace(cards.back, step=(1.0, 1.0))), "back")
    assert "too many motifs" in what


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"lines": (("Straight", "", "2h 3x"),)}, "'3x' is not a card"),
        ({"lines": (("Straight", "", "h"),)}, "'h' is not a card"),
        ({"lines": (("Straight", "a note " * 9, "2h"),)}, "is too long for its line"),
        ({"title": "Hands " * 9}, "is too long for its line"),
        ({"lines": (("Straight", "", "2h"),) * 12}, "the lines do not fit"),
    ],
)
def test_hands_that_cannot_be_drawn(options: dict[str, Any], what: str) -> None:
    _, reference = game()
    assert isinstance(reference.front, Hands)
    ((said, hint),) = told(replace(reference, front=replace(reference.front, **options)))
    assert what in said
    assert hint


def test_the_words_of_a_row_replace_those_of_the_lines() -> None:
    _, reference = game()
    (piece,) = reference.component.pieces
    words = ["Hände", *(f"Hand {number}; so" for number in range(9))]

    def reworded(lines: list[str]) -> Design:
        row = {**piece.row, "front": "\n".join(lines)}
        return change(reference, pieces=(replace(piece, row=row),))

    drawing = drawn(reworded(words))["hands"].layers[0].layer.svg
    assert all(f">{word}<" in drawing for word in ("Hände", "Hand 0", "Hand 8", "so"))
    assert "Mini Royal" not in drawing
    ((said, hint),) = told(reworded(words[:9]))
    assert said.endswith("front has 8 lines below its title, not 9")
    assert "name; note" in hint
