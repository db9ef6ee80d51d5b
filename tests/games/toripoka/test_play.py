"""The rules of Toripoka as code, against its rulebook."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest

from generator.errors import PnpError
from generator.games.toripoka.hands import class_of, describe_hand, fit_of, ranks_of
from generator.games.toripoka.play import Toripoka
from generator.games.toripoka.state import LAID, NONE, SHOW, LayCard, ToripokaState
from generator.model import Piece
from generator.play.engine import OVER, Decks
from generator.play.making import make_engine
from generator.play.perft import count_paths
from tests.conftest import Golden
from tests.games.figures import figure, rules_of, tables
from tests.support.engines import decks_of, engine_of, look_at_table, walk, written_game

_HERE = Path(__file__).parent
_OTHER = [
    {name: str(value)} for name, option in Toripoka.options.items() for value in option.values[1:]
]
_ALL_OTHER = {name: str(option.values[-1]) for name, option in Toripoka.options.items()}
_GAMES: dict[str, dict[str, str]] = {"usual": {}, "other": _ALL_OTHER}
RULES = rules_of("toripoka")
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SEATS = ("Ana", "Ben")

# The round of the booklet: Ana is the first seat, Ben has won the medium green pyramid before.
DEAL = """
deal hearts-6 hearts-10 spades-10
deal hearts-7 hearts-8 spades-K
feel for a large one
pull large red
feel for a medium one
pull medium blue
open hearts-9 hearts-5
"""
FOUR_TURNS = """
lay hearts-6 right
draw hearts-A
lay hearts-8 left
draw hearts-K
lay hearts-10 left
draw hearts-3
lay spades-K left face down
draw hearts-2
lay hearts-A right face down
draw spades-4
lay hearts-7 right
draw hearts-4
lay spades-10 left face down
lay hearts-K right face down
"""
LAST_TURNS = """
lay hearts-3 left
lay hearts-2 left
lay spades-4 right
lay hearts-4 right with medium green
"""


def toripoka(**chosen: str) -> Toripoka:
    engine = engine_of("toripoka", **chosen)
    assert isinstance(engine, Toripoka)
    return engine


def pyramids(engine: Toripoka, names: str) -> tuple[int, ...]:
    """ "large red, small blue" """
    return tuple(sorted(engine.pieces.pyramid_names.index(name) for name in names.split(", ")))


def with_won(engine: Toripoka, *names: str) -> ToripokaState:
    """The start of a round; the seats have won these pyramids."""
    won = tuple(pyramids(engine, each) if each else () for each in names)
    start = engine.start()
    bag = tuple(each for each in start.bidding.bag if each not in won[0] + won[1])
    return start._replace(won=won, bidding=start.bidding._replace(bag=bag))


def played(engine: Toripoka, state: ToripokaState, *lines: str) -> ToripokaState:
    """The state after these moves."""
    for line in "\n".join(lines).strip().splitlines():
        if line:
            state = engine.apply(state, engine.read(state, line))
    return state


def names(engine: Toripoka, state: ToripokaState) -> list[str]:
    return [engine.write(state, move) for move in engine.legal(state)]


def won(engine: Toripoka, state: ToripokaState, seat: int) -> list[str]:
    return [engine.pieces.pyramid_names[each] for each in state.won[seat]]


@pytest.mark.parametrize("chosen", [{}, *_OTHER, _ALL_OTHER], ids=str)
def test_a_game_keeps_to_what_every_engine_must(chosen: dict[str, str]) -> None:
    engine = toripoka(**chosen)
    for seed in range(2):
        for state in walk(engine, seed):
            look_at_table(engine, state, decks_of("toripoka"))
            look_at_pieces(state)


def look_at_pieces(state: ToripokaState) -> None:
    """No card is lost or doubled, and no pyramid doubled."""
    rows = [laid for row in state.rows for laid in row]
    cards = [*state.rest, *state.bidding.public, *(laid.card for laid in rows)]
    cards += [card for hand in state.hands for card in hand]
    assert sorted(cards) == list(range(17))
    own = [*state.bidding.bag, *state.bidding.bids, *state.won[0], *state.won[1]]
    own += [laid.pyramid for laid in rows]
    assert max(Counter(each for each in own if each != NONE).values()) == 1
    assert all(len(row) <= LAID for row in state.rows)


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
    assert [count_paths(engine, depth) for depth in (1, 2)] == [680, 680 * 364]
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
                folds = {(side,) for side in (0, 1) if _may_fold(state, side)}
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
    can_lay = [
        any(len(state.rows[2 * seat + at]) < 3 and folded[at] == -1 for at in (0, 1))
        for seat in (0, 1)
    ]
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


def test_the_round_of_the_booklet_after_four_turns() -> None:
    engine = toripoka()
    state = played(engine, with_won(engine, "", "medium green"), DEAL, FOUR_TURNS)
    drawn = figure(RULES, "A round after four turns each").laid
    shown = {(card.piece, card.is_back) for card in drawn}
    table = {(engine.pieces.ids[laid.card], laid.is_down) for row in state.rows for laid in row} | {
        (engine.pieces.ids[card], False) for card in state.bidding.public
    }
    assert table == shown
    assert [len(hand) for hand in state.hands] == [2, 2]
    assert len(state.rest) == 3


def test_the_round_of_the_booklet_at_its_end() -> None:
    engine = toripoka()
    state = played(engine, with_won(engine, "", "medium green"), DEAL, FOUR_TURNS, LAST_TURNS)
    assert state.due == SHOW
    _, rows = tables(RULES, "Cards", "Hand")
    for row in rows:
        value = engine.value_of(state, SEATS.index(row["Player"]), int(row["At"]) - 1)
        assert class_of(value) == row["Hand"]
        assert sorted(ranks_of(value)) == [RANKS.index(r) + 1 for r in row["Ranks"].split(", ")]
        assert fit_of(value) == int(row["Fit"].partition(":")[0] or 0)
    end = played(engine, state, "show hands")
    assert [won(engine, end, seat) for seat in (0, 1)] == [["large red"], ["medium blue"]]
    assert len(end.bidding.bag) == 12, "the pyramid on a card leaves the game"
    assert (end.mover, end.bidding.first) == (1, 1), "Ben begins the next round"
    assert engine.facts(end) == {
        **dict.fromkeys(engine.facts(end), 0),
        "rounds": 1,
        "pyramids on cards": 1,
        "won by Straight (with wilds)": 1,
        "won by Straight (no wilds)": 1,
    }


def shown(engine: Toripoka, public: str, *rows: str) -> ToripokaState:
    """The end of a round for two small pyramids: the public cards, and the rows of the first seat
    on the left and the right, then of the second, as "2h 8h Ks+large-red"."""
    start = with_won(engine, "", "")
    bids = pyramids(engine, "small red, small blue")
    laid = [
        tuple(
            LayCard(card(engine, each), at % 2, False, on_card(engine, each))
            for each in row.split()
        )
        for at, row in enumerate(rows)
    ]
    used = {*bids, *(one.pyramid for row in laid for one in row)}
    bag = tuple(each for each in start.bidding.bag if each not in used)
    open_ = tuple(card(engine, each) for each in public.split())
    bidding = start.bidding._replace(public=open_, bids=bids, bag=bag)
    return start._replace(due=SHOW, rows=tuple(laid), room=(0, 0), bidding=bidding)


def card(engine: Toripoka, text: str) -> int:
    name = text.partition("+")[0]
    return engine.pieces.ids.index(f"{ {'h': 'hearts', 's': 'spades'}[name[-1]] }-{name[:-1]}")


def on_card(engine: Toripoka, text: str) -> int:
    name = text.partition("+")[2].replace("-", " ")
    return engine.pieces.pyramid_names.index(name) if name else NONE


def test_both_public_cards_at_both_pyramids_are_an_option() -> None:
    hands = []
    for public in ("own", "both"):
        engine = toripoka(public=public)
        state = shown(engine, "7h 9h", "8h 2h Kh", "3h 4h 5h", "Jh Qh 6h", "Ah 10h 4s")
        hands.append(describe_hand(engine.value_of(state, 0, 0)))
    assert hands == ["High card K 8 7", "Straight (no wilds) 9 8 7"]


def test_a_first_card_lies_open_and_bare() -> None:
    engine = toripoka()
    state = played(engine, with_won(engine, "small red", ""), DEAL)
    assert names(engine, state)[:-2] == [
        f"lay {card} {side}"
        for card in ("hearts-6", "hearts-10", "spades-10")
        for side in ("left", "right")
    ]
    later = played(engine, state, *FOUR_TURNS.split("\n")[1:5])
    assert len(names(engine, later)) == 3 * 2 * 2 * 2 + 2


def test_who_folds_takes_all_pyramids_on_cards_there() -> None:
    engine = toripoka()
    lines = FOUR_TURNS.replace("spades-K left face down", "spades-K left face down with small red")
    lines = lines.replace("hearts-10 left", "hearts-10 left with small blue")
    start = with_won(engine, "small blue", "small red, large green")
    before = played(engine, start, DEAL, lines)
    after = played(engine, before, "fold left")
    assert won(engine, after, 0) == ["small red", "small blue"]
    assert won(engine, after, 1) == ["large green", "large red"]
    assert engine.facts(after)["bluffs"] == 1
    assert engine.facts(after)["bluffs called"] == 0
    assert after.turn == 0, "the seat goes on with its turn"
    assert not any("left" in name or "fold" in name for name in names(engine, after))
    bag = toripoka(forfeit="bag")
    state = played(bag, before, "fold left")
    assert won(bag, state, 1) == ["large green"]
    assert set(state.bidding.bag) - set(before.bidding.bag) == {*pyramids(bag, "large red")}
    only = toripoka(folding="own")
    assert won(only, played(only, before, "fold left"), 0) == ["small blue"]


def test_a_bluff_is_called_when_it_is_shown() -> None:
    """A pyramid on a wild that lies face down, and one on a heart."""
    engine = toripoka()
    lines = FOUR_TURNS.replace("spades-K left face down", "spades-K left face down with small red")
    start = with_won(engine, "", "small red, medium green")
    end = played(engine, start, DEAL, lines, LAST_TURNS, "show hands")
    facts = engine.facts(end)
    counts = [facts[name] for name in ("pyramids on cards", "bluffs", "bluffs called")]
    assert counts == [2, 1, 1]


def test_when_each_has_folded_one_the_round_is_over() -> None:
    engine = toripoka()
    lines = "fold left", "lay hearts-6 right", "draw hearts-A"
    state = played(engine, engine.start(), DEAL, *lines)
    assert {name for name in names(engine, state) if "fold" in name} == {"fold right"}
    end = played(engine, state, "fold right")
    assert [won(engine, end, seat) for seat in (0, 1)] == [["medium blue"], ["large red"]]
    assert (engine.facts(end)["rounds"], engine.facts(end)["hands folded"]) == (1, 2)
    assert (end.due, end.mover) == ("hand", 1)


def test_nobody_folds_after_a_last_card() -> None:
    engine = toripoka()
    state = played(engine, with_won(engine, "", "medium green"), DEAL, FOUR_TURNS)
    assert "fold left" in names(engine, state)
    state = played(engine, state, *LAST_TURNS.split("\n")[1:3])
    assert "fold left" in names(engine, state)
    state = played(engine, state, *LAST_TURNS.split("\n")[3:4])
    assert not any("fold" in name for name in names(engine, state))


def test_who_has_no_room_left_passes() -> None:
    """Ana has three cards on the right when Ben folds the left: he lays on alone."""
    engine = toripoka()
    state = played(
        engine,
        engine.start(),
        DEAL,
        "lay hearts-6 right",
        "draw hearts-A",
        "lay hearts-8 left",
        "draw hearts-K",
        "lay hearts-10 right",
        "draw hearts-3",
        "lay spades-K left",
        "draw hearts-2",
        "lay spades-10 right",
        "draw spades-4",
        "fold left",
    )
    for number in range(LAID):
        assert state.turn == 1, number
        state = engine.apply(state, engine.legal(state)[0])
        if state.turn < 0 and state.due != SHOW:
            state = engine.apply(state, engine.legal(state)[0])
    assert state.due == SHOW


def test_the_pyramid_of_equal_hands_goes_back_into_the_bag() -> None:
    """Both have 7 8 and a card that a pyramid makes a 6."""
    for ties, left in (("bag", 15 - 4 + 1), ("out", 15 - 4)):
        engine = toripoka(ties=ties)
        rows = "5h+large-red 8h 2h", "Jh Qh Kh", "9h+large-blue 6h Ah", "3h Ks 4s"
        state = shown(engine, "7h 7s", *rows)
        end = played(engine, state, "show hands")
        hands = [describe_hand(engine.value_of(state, seat, 0)) for seat in (0, 1)]
        assert hands == ["Straight (no wilds) 8 7 6"] * 2
        assert (len(end.bidding.bag), engine.facts(end)["pyramids tied"]) == (left, 1)
        assert [won(engine, end, seat) for seat in (0, 1)] == [["small blue"], []]


def test_the_game_ends_when_the_bag_is_empty() -> None:
    engine = toripoka()
    for seed in range(6):
        end = list(walk(engine, seed))[-1]
        ties = engine.facts(end)["pyramids tied"]
        assert engine.facts(end)["rounds"] == (15 + ties) // 2
        assert len(end.bidding.bag) == (15 + ties) % 2


def test_every_pyramid_bid_for_comes_to_something() -> None:
    """It is won by a hand, tied, or given up; all rounds are counted so."""
    for seed in range(6):
        engine = toripoka()
        facts = engine.facts(list(walk(engine, seed))[-1])
        shown = sum(number for name, number in facts.items() if name.startswith("won by"))
        assert shown + facts["pyramids tied"] + facts["hands folded"] == 2 * facts["rounds"]
        assert facts["bluffs called"] <= facts["bluffs"] <= facts["pyramids on cards"]


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


def ended(engine: Toripoka, *names: str) -> ToripokaState:
    return with_won(engine, *names)._replace(turn=OVER, due="")


def test_the_score_of_the_booklet() -> None:
    engine = toripoka()
    (rows,) = tables(RULES, "Trees", "Others", "Points")
    own = []
    for row in rows:
        words = f"{row['Trees']}, {row['Others']}".replace(";", ",").split(",")
        named = [" ".join(reversed(word.split())) for word in words if word.strip()]
        own.append(", ".join(named))
    end = ended(engine, *own)
    assert engine.scores(end) == [int(row["Points"].split()[-1]) for row in rows] == [2, 6]
    assert engine.winners(end) == [1]
    assert engine.held(end, 1) == won(engine, end, 1)
    assert sorted(engine.held(end, 1)) == sorted(own[1].split(", "))


# What the seats have won, and who wins then.
TIES = {
    "fewer pyramids": ("small red", "small blue, large red, medium black", [0]),
    "fewer colours": ("small red, medium blue", "small green, medium green", [1]),
    "both": ("small red", "small blue", [0, 1]),
    "more points": ("small red, medium blue, large green", "small black", [0]),
}


@pytest.mark.parametrize("name", TIES)
def test_ties_of_the_game(name: str) -> None:
    engine = toripoka()
    one, other, winners = TIES[name]
    assert engine.winners(ended(engine, one, other)) == winners


def test_trees_that_need_not_be_built_are_an_option() -> None:
    spoiled = "large red, medium blue, small black"
    assert [
        engine.scores(ended(engine, spoiled, "small red"))[0]
        for engine in (toripoka(), toripoka(trees="free"))
    ] == [-5, 1]


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
