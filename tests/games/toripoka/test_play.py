"""The rules of Toripoka as code, against its rulebook."""

from __future__ import annotations

import pickle
from itertools import product
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from generator.basics.errors import PnpError
from generator.games.toripoka.play import Toripoka
from generator.games.toripoka.table import FoldHand, ToripokaState
from generator.model import Piece
from generator.play.bots import count_paths
from generator.play.engine import OVER, Decks, make_engine
from tests.conftest import Golden
from tests.games.soundness import look_at_pieces
from tests.games.toripoka.rounds import DEAL, FOUR_TURNS, played, shown, toripoka, with_won
from tests.support.engines import decks_of, engine_of, look_at_table, walk, written_game

_HERE = Path(__file__).parent
_OTHER = [{name: str(value)} for name, option in Toripoka.options.items() for value in option.values[1:]]
_ALL_OTHER = {name: str(option.values[-1]) for name, option in Toripoka.options.items()}
_GAMES: dict[str, dict[str, str]] = {"usual": {}, "other": _ALL_OTHER}


@pytest.mark.parametrize("chosen", [{}, *_OTHER, _ALL_OTHER], ids=str)
def test_a_game_keeps_to_what_every_engine_must(chosen: dict[str, str]) -> None:
    engine = toripoka(**chosen)
    for seed in range(2):
        for state in walk(engine, seed):
            look_at_table(engine, state, decks_of("toripoka"))
            look_at_pieces(state)


@pytest.mark.parametrize("name", _GAMES)
def test_a_written_game_stays_the_same(name: str, golden: Golden) -> None:
    golden(_HERE / "games" / f"{name}.txt", written_game(engine_of("toripoka", **_GAMES[name]), 7))


def test_perft() -> None:
    """By hand. Of 17 cards, three are dealt, then three of 14. Each seat feels for a size, and one
    of those left comes out of the bag; then two of 11 cards are laid open.

    The first seat lays one of three cards on one of two sides, or folds one of two: 8. After a lay,
    one of nine cards is drawn; after a fold, there are three lays: 6 x 9 + 2 x 3 = 60. Then the
    other seat has 8 moves after each draw; the lays after a fold are followed by draws:
    54 x 8 + 6 x 9 = 486. Then the other seat's lays are followed by 8 draws, its folds by three
    lays; where the first seat has folded, there are three lays and one fold:
    54 x (6 x 8 + 2 x 3) + 54 x 4 = 3132. All cards and pyramids differ."""
    engine = toripoka()
    assert count_paths(engine, 1) == 680
    assert count_paths(engine, 1, played(engine, engine.start(), DEAL.split("\n")[1])) == 364
    dealt = played(engine, engine.start(), *DEAL.split("\n")[1:3])
    pulls = [3, 3 * 5, 3 * 5 * 3, 15 * 14, 15 * 14 * 11 * 10]
    assert [count_paths(engine, depth, dealt) for depth in range(1, 6)] == pulls
    round_ = played(engine, engine.start(), DEAL)
    counts = [count_paths(engine, depth, round_) for depth in range(1, 5)]
    assert counts == [8, 60, 486, 3132]


def test_all_moves_of_a_turn_are_found() -> None:
    """By another way: of all moves that there could be, those that the rulebook allows."""
    engine = toripoka()
    for seed in range(6):
        for state in walk(engine, seed):
            if state.turn >= 0 and len(state.bidding.bids) == 2:
                every = product(range(17), (0, 1), (False, True), range(-1, 15))
                lays = {move for move in every if _may_lay(state, *move)}
                folds = {FoldHand(side) for side in (0, 1) if _may_fold(state, side)}
                assert set(engine.legal(state)) == lays | folds


def _may_lay(state: ToripokaState, card: int, side: int, is_down: bool, pyramid: int) -> bool:
    rows = state.rows[2 * state.turn : 2 * state.turn + 2]
    is_first = not any(rows)
    return (
        card in state.hands[state.turn]
        and len(rows[side]) < 3
        and state.bidding.folded[side] == -1
        and (pyramid == -1 or pyramid in state.won[state.turn])
        and not (is_first and (is_down or pyramid != -1))
    )


def _may_fold(state: ToripokaState, side: int) -> bool:
    folded = state.bidding.folded
    can_lay = [any(len(state.rows[2 * seat + at]) < 3 and folded[at] == -1 for at in (0, 1)) for seat in (0, 1)]
    return all(can_lay) and state.turn not in folded and folded[side] == -1


def test_no_seat_sees_what_is_hidden() -> None:
    """What looks the same to a seat is shown, laid and judged the same; its own cards stay."""
    engine, rng = toripoka(), Random(4)
    for seed in range(4):
        for state in walk(engine, seed):
            for seat in (0, 1):
                other = engine.deal_unseen(state, seat, rng)
                assert engine.show(other, seat) == engine.show(state, seat)
                assert engine.lay(other, seat) == engine.lay(state, seat)
                assert engine.worth(other, seat) == engine.worth(state, seat)
                assert other.hands[seat] == state.hands[seat]
                assert other.rows[2 * seat : 2 * seat + 2] == state.rows[2 * seat : 2 * seat + 2]
                look_at_pieces(other)


def test_the_unseen_may_be_any_card_that_lies_nowhere_open() -> None:
    engine = toripoka()
    state = played(engine, with_won(engine, "", "medium green"), DEAL, FOUR_TURNS)
    seen = [set[str](), set[str]()]
    for seed in range(200):
        other = engine.deal_unseen(state, 0, Random(seed))
        seen[0] |= {engine.pieces.ids[card] for card in other.hands[1]}
        seen[1] |= {engine.pieces.ids[other.rows[2][1].card]}
    unseen = ["hearts-2", "hearts-4", "hearts-J", "hearts-Q", "hearts-K", "spades-7", "spades-K"]
    assert seen == [set(unseen), set(unseen)]


def test_what_a_state_is_worth_does_not_depend_on_what_was_played_before() -> None:
    """A King with two pips makes the hands of a Queen with one; but other cards are left."""
    rows = ["Kh+medium-green", "Qh+small-green"]
    worths = []
    for order in (rows, rows[::-1]):
        engine = toripoka()
        states = {row: shown(engine, "9h 2h", row, "", "", "") for row in order}
        worths.append({row: engine.worth(state, 0) for row, state in states.items()})
    assert worths[0] == worths[1]
    assert len(set(worths[0].values())) == 2


def test_a_deck_without_a_better_hand_comes_to_an_end() -> None:
    """All cards are equal, and nobody folds."""
    deck = decks_of("toripoka")
    equal = [numbered(piece, "5", "") for piece in deck["cards"]]
    engine = make_engine(Toripoka, {**deck, "cards": equal}, {})
    state, rng = engine.start(), Random(1)
    while engine.turn(state) != OVER:
        moves = engine.legal(state)
        state = engine.apply(state, engine.draw(state, rng) if state.turn < 0 else moves[0])
    assert engine.facts(state)["rounds"] == 150


def test_an_engine_can_be_sent_to_another_process() -> None:
    engine = toripoka()
    text = written_game(engine, 2)
    assert written_game(pickle.loads(pickle.dumps(engine)), 2) == text


def edited(**cells: str) -> Decks:
    """The published deck, the first cards with other cells: rank="J" or covers="A-4"."""
    deck = decks_of("toripoka")
    first, *others = deck["cards"]
    return {**deck, "cards": [replace(first, row={**first.row, **cells}), *others]}


def numbered(piece: Piece, rank: str, covers: str) -> Piece:
    return replace(piece, row={**piece.row, "rank": rank, "covers": covers})


def test_another_deck_is_played_as_it_is() -> None:
    """Of 20 cards, with twins and with wilds that reach past their rank."""
    deck = decks_of("toripoka")
    others = [numbered(piece, "9", "5-J") for piece in deck["cards"][:3]]
    changed: Decks = {**deck, "cards": [*deck["cards"], *others], "small": [*deck["small"][:2]] * 2}
    engine = make_engine(Toripoka, changed, {})
    for state in walk(engine, 3):
        look_at_table(engine, state, changed)
    assert engine.turn(state) == OVER


# A deck, and all that is told of it.
FAULTS: dict[str, tuple[Decks, list[str]]] = {
    "no such rank": (edited(rank="B"), ["rank is 'B', its engine needs one of A 2 3 4"]),
    "no range": (edited(covers="4-A"), ["covers is '4-A', its engine needs a range of ranks"]),
    "few cards": (
        {**decks_of("toripoka"), "cards": decks_of("toripoka")["cards"][:16]},
        ["a round needs 17 cards, there are 16"],
    ),
    "few pyramids": (
        {**decks_of("toripoka"), "large": (), "medium": (), "small": ()},
        ["a round needs 2 pyramids, there are none"],
    ),
    "many cards": (
        {**decks_of("toripoka"), "cards": [*decks_of("toripoka")["cards"]] * 6},
        ["there are 102 cards, its engine takes 100"],
    ),
    "many pyramids": (
        {**decks_of("toripoka"), "large": [*decks_of("toripoka")["large"]] * 20},
        ["there are 110 pyramids, its engine takes 100"],
    ),
    "no colour": (
        {**decks_of("toripoka"), "small": [replace(decks_of("toripoka")["small"][0], row={})]},
        ["colour is empty, its engine needs one"],
    ),
    "no components": (
        {"cards": decks_of("toripoka")["cards"], "small": decks_of("toripoka")["small"]},
        ["there is no component 'large'", "there is no component 'medium'"],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_deck_that_cannot_be_played_is_told(name: str) -> None:
    decks, told = FAULTS[name]
    with pytest.raises(PnpError) as error:
        make_engine(Toripoka, decks, {})
    found = [problem.what for problem in error.value.problems]
    assert len(found) == len(told)
    assert all(what.startswith(begin) for what, begin in zip(found, told, strict=True))
