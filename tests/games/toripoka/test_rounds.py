"""What happens in a round of Toripoka, and what it comes to, as the rulebook tells it."""

from __future__ import annotations

import pytest

from generator.games.toripoka.play import Toripoka
from generator.games.toripoka.table import LAID, SHOW, ToripokaState, class_of, describe_hand, fit_of, ranks_of
from generator.play.engine import OVER
from tests.games.figures import figure, rules_of, tables
from tests.games.toripoka.rounds import (
    DEAL,
    FOUR_TURNS,
    LAST_TURNS,
    names,
    played,
    pyramids,
    shown,
    toripoka,
    with_won,
    won,
)
from tests.support.engines import walk

RULES = rules_of("toripoka")
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SEATS = ("Ana", "Ben")


def test_the_round_of_the_booklet_when_it_begins() -> None:
    """Which cards lie face down is not seen; but it is the round of the example."""
    engine = toripoka()
    state = played(engine, with_won(engine, "", "medium green"), DEAL)
    drawn = figure(RULES, "The round begins")
    beside = [lying for lying in drawn.laid if lying.x < 0]
    hands = [{card.piece for card in beside if (card.y > 91) is below} for below in (True, False)]
    assert hands == [{engine.pieces.ids[card] for card in hand} for hand in state.hands]
    public = sorted((lying for lying in drawn.laid if not lying.is_back), key=lambda card: card.x)
    assert [card.piece for card in public] == [engine.pieces.ids[at] for at in state.bidding.public]
    heaps = [lying.piece for lying in drawn.laid if lying.x > 390]
    assert sorted(heaps) == sorted(engine.pieces.ids[card] for card in state.rest)
    aside = played(engine, state, FOUR_TURNS, LAST_TURNS).rest
    assert {*heaps[-3:]} == {engine.pieces.ids[card] for card in aside}


def test_cards_of_the_booklet_lie_where_they_are_laid() -> None:
    engine = toripoka()
    state = played(engine, with_won(engine, "", "medium green"), DEAL, FOUR_TURNS, LAST_TURNS)
    drawn = figure(RULES, "At the left the large pyramid").laid
    places = [(is_right, y) for y in (182, 0) for is_right in (False, True)]
    rows = [{card.piece for card in drawn if (card.x > 200, card.y) == place} for place in places]
    assert rows == [{engine.pieces.ids[laid.card] for laid in row} for row in state.rows]


def test_the_round_of_the_booklet_at_its_end() -> None:
    engine = toripoka()
    state = played(engine, with_won(engine, "", "medium green"), DEAL, FOUR_TURNS, LAST_TURNS)
    assert state.due == SHOW
    _, rows = tables(RULES, "Cards", "Hand")
    for row in rows:
        value = engine.value_of(state, SEATS.index(row["Player"]), ("left", "right").index(row["At"]))
        assert class_of(value) == row["Hand"]
        assert sorted(ranks_of(value)) == [RANKS.index(r) + 1 for r in row["Ranks"].split(", ")]
        assert fit_of(value) == int(row["Fit"].replace("exact", "0").partition(":")[0])
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
        f"lay {card} {side}" for card in ("hearts-6", "hearts-10", "spades-10") for side in ("left", "right")
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


def ended(engine: Toripoka, *names: str) -> ToripokaState:
    return with_won(engine, *names)._replace(turn=OVER, due="")


def test_the_score_of_the_booklet() -> None:
    engine = toripoka()
    (rows,) = tables(RULES, "Trees", "Others", "Points")
    own = []
    for row in rows:
        words = f"{row['Trees']}, {row['Others']}".replace(";", ",").split(", ")
        named = [" ".join(reversed(word.split())) for word in words if word != "none"]
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
        engine.scores(ended(engine, spoiled, "small red"))[0] for engine in (toripoka(), toripoka(trees="free"))
    ] == [-5, 1]


def test_the_hands_that_are_shown_are_told_to_all() -> None:
    """The example of the rulebook."""
    engine = toripoka()
    state = played(engine, with_won(engine, "", "medium green"), DEAL, FOUR_TURNS, LAST_TURNS)
    (show,) = engine.legal(state)
    left, right = engine.tell_news(state, show)
    assert "10♥ 10♠ 3♥ against Straight (with wilds) 8♥ K♠ 2♥. Seat 1 takes the large red pyramid" in left
    assert "against Straight (no wilds) 7♥ K♥ 4♥. Seat 2 takes the medium blue pyramid" in right
    assert engine.tell_news(engine.start(), engine.legal(engine.start())[0]) == []
