"""Whatever is asked of whatever table: an answer whose shares are shares, or one message."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from generator.basics.errors import MisfitError, Place, PnpError
from generator.cli.play import write_answer
from generator.play.odds.questions import parse_question
from generator.play.reports import AnswerSection, write_odds
from generator.web.shell import choose_accent
from tests.play.odds.decks import deck_of

CELLS = st.sampled_from(["0", "1", "2", "3.5", "-1", "1.50", "X", "", "no", "a b", "</svg>\x07"])
ROWS = st.lists(
    st.fixed_dictionaries({"cost": CELLS, "kind": CELLS, "worth": CELLS, "count": st.integers(0, 5)}),
    min_size=1,
    max_size=6,
).filter(lambda rows: any(row["count"] for row in rows))
FORMULAS = st.sampled_from(
    [
        "cost",
        "kind",
        "cost + worth",
        "cost == 1",
        "1 / cost",
        "[cost, kind]",
        "id",
        "kind ~ '!'",
        "nothing",
        "1 +",
        "cost if kind",
        "'x' * 9",
        "10 ** 9 * 9 ** 9",
        "kind | split",
        "true",
        "0",
    ]
)
FACTS = st.sampled_from(["cost.kinds == 1", "cost.most > 1", "cost.sum > 2", "kind.min", "1 / cost.max", "cost", "'x'"])
COUNTS = st.integers(-1, 7)
WANTED = st.builds("{} of {}".format, st.sampled_from(["0", "1+", "1-2", "0-1", "9"]), FORMULAS)
QUESTIONS: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.fixed_dictionaries(
        {"kind": st.just("draw"), "draw": COUNTS, "want": st.lists(WANTED, max_size=3)},
        optional={"mulligans": COUNTS, "fewer": COUNTS, "put_back": st.booleans()},
    ),
    st.fixed_dictionaries(
        {"kind": st.just("copies"), "draw": COUNTS, "want": st.lists(WANTED, max_size=2)},
        optional={"chance": st.sampled_from(["80%", "0.5 %", "100%", "0%", "120%", "x"])},
    ),
    st.fixed_dictionaries(
        {"kind": st.just("deal"), "seats": COUNTS, "draw": COUNTS, "want": st.lists(WANTED, max_size=3)}
    ),
    st.fixed_dictionaries(
        {"kind": st.just("market"), "row": COUNTS, "want": st.lists(WANTED, max_size=3)},
        optional={"taken": COUNTS, "turns": COUNTS},
    ),
    st.fixed_dictionaries(
        {"kind": st.just("hand"), "draw": COUNTS},
        optional={
            "put_back": st.booleans(),
            "sum": FORMULAS,
            "by": FORMULAS,
            "classes": st.dictionaries(st.text(max_size=3), FACTS, max_size=3),
        },
    ),
    st.fixed_dictionaries({"kind": st.just("deck"), "by": FORMULAS}),
    st.fixed_dictionaries({"kind": st.just("curve"), "cost": FORMULAS, "worth": FORMULAS}, optional={"name": FORMULAS}),
    st.fixed_dictionaries(
        {"kind": st.just("compare"), "better": st.dictionaries(FORMULAS, st.sampled_from(["more", "less"]), max_size=3)}
    ),
    st.fixed_dictionaries(
        {"kind": st.just("goldfish"), "cost": FORMULAS, "hand": COUNTS},
        optional={"income": COUNTS, "growth": COUNTS, "turns": COUNTS, "draw": COUNTS},
    ),
    st.fixed_dictionaries(
        {"kind": st.just("resources"), "cost": FORMULAS, "gives": FORMULAS, "hand": COUNTS},
        optional={"income": COUNTS, "lays": COUNTS, "turns": COUNTS, "draw": COUNTS},
    ),
)


@given(ROWS, QUESTIONS)
def test_any_question_has_an_answer_or_a_message(rows: list[dict[str, Any]], raw: dict[str, Any]) -> None:
    answer = None
    with suppress(PnpError, MisfitError):
        answer = parse_question(raw, Place("here")).answer(deck_of(rows))
    if answer is None:
        return
    for row in answer.rows:
        if row.chance:
            assert 0 <= row.chance.low <= row.chance.share <= row.chance.high <= 1
    if answer.kind in ("hand", "deck"):
        assert abs(sum(row.chance.share for row in answer.rows if row.chance) - 1) < 1e-9
    assert list(write_answer(answer))
    page = write_odds("Deck", "en", choose_accent([]), [AnswerSection(answer, [])])
    assert b"</svg>\x07" not in page
    assert json.dumps([row.label for row in answer.rows])
