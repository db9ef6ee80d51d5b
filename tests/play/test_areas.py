"""Where hands, piles and rows lie that an engine only names, and who is told what is in them."""

from __future__ import annotations

from generator.basics.errors import Place
from generator.basics.geometry import Size
from generator.model import Piece
from generator.play.areas import LaidPiece, Lying, TableArea, find_moved, lay_areas

CARD = Size(60.0, 90.0)


def cards(text: str) -> list[Piece]:
    return [Piece(name, {}, 1, Place("cards.csv"), size=CARD) for name in text.split()]


def table(seats: int, played: str = "cod", hand: str = "bay gull gull") -> list[TableArea]:
    """The first seat has `hand`, all others two cards; ten lie in the stock."""
    areas = [
        TableArea("stock", "cards", cards("whale " * 10), "pile", is_down=True),
        TableArea("played", "cards", cards(played)),
    ]
    for seat in range(seats):
        areas.append(TableArea("hand", "cards", cards("eel ray" if seat else hand), "hand", seat))
        areas.append(TableArea("taken", "cards", cards("crab crab"), "pile", seat))
        areas.append(TableArea("lost", "cards", cards("rock"), "pile", seat))
    return areas


def named(lying: Lying, name: str, owner: int | None = None) -> list[LaidPiece]:
    return [it for area, it in lying if (area.name, area.owner) == (name, owner)]


def test_a_seat_is_told_only_what_it_sees() -> None:
    """Of a card that it does not know, not even the id."""
    lying = lay_areas(table(2), 2, 1)
    assert {(it.piece, it.side) for it in named(lying, "stock") + named(lying, "hand", 0)} == {("", "back")}
    assert [it.piece for it in named(lying, "hand", 1)] == ["eel", "ray"]
    assert [(it.piece, it.side) for it in named(lying, "played")] == [("cod", "front")]
    told = [area.tell(1) for area in table(2)]
    assert told[:3] == ["stock: 10 pieces", "played: cod", "seat 1 hand: 3 pieces"]
    everything = lay_areas(table(2), 2, None)
    assert {(it.piece, it.side) for it in named(everything, "stock")} == {("whale", "back")}
    assert [it.piece for it in named(everything, "hand", 0)] == ["bay", "gull", "gull"]
    assert table(2)[2].tell(None) == "seat 1 hand: bay gull gull"


def test_the_own_hand_lies_nearest_and_no_area_on_another() -> None:
    """For up to eight seats, whichever looks."""
    for seats in range(1, 9):
        for seat in range(seats):
            lying = lay_areas(table(seats), seats, seat)
            (own,) = {it.y for it in named(lying, "hand", seat)}
            assert all(it.y < own for area, it in lying if area.owner != seat)
            assert [area.name for area, _ in lying][-1] == "hand"
            boxes: dict[tuple[str, int | None], list[LaidPiece]] = {}
            for area, it in lying:
                boxes.setdefault((area.name, area.owner), []).append(it)
            for key, its in boxes.items():
                for other in (it for name, more in boxes.items() if name != key for it in more):
                    assert all(abs(it.x - other.x) >= CARD.width or abs(it.y - other.y) >= CARD.height for it in its)


def test_a_long_row_is_no_wider_than_four_cards_and_a_second_card_moves_no_first() -> None:
    wide = [it.x for it in named(lay_areas(table(2, "cod " * 30), 2, 0), "played")]
    assert max(wide) - min(wide) <= 3 * (CARD.width + 6)
    one, two = (named(lay_areas(table(2, played), 2, 0), "played") for played in ("cod", "cod eel"))
    assert one[0] == two[0]


def test_the_card_that_is_played_is_what_one_points_at() -> None:
    """Not its like that makes room in the hand."""
    before, after = (lay_areas(table(2, *now), 2, 0) for now in (("cod", "bay gull gull"), ("cod gull", "bay gull")))
    assert find_moved(before, after) == named(after, "played")[1:]
    drawn = table(2)
    drawn[0] = TableArea("stock", "cards", cards("whale " * 9), "pile", is_down=True)
    assert find_moved(before, lay_areas(drawn, 2, 0)) == named(before, "stock")[-1:]
