"""Rule cards on the sheets: each has its own bleed, so a drift shows nothing of a neighbour."""

from __future__ import annotations

from itertools import combinations

import pytest
from shapely.geometry import Polygon

from generator.pipeline.printing import impose_game
from generator.pipeline.request import parse_request
from generator.pipeline.sheets import silent
from tests.layout.measuring import overlap

PIECES = ("cards", "rule-cards", "box")  # all that is cut; the rules need no setting


@pytest.mark.parametrize("mix", [True, False])
@pytest.mark.parametrize("paper", ["letter", "a4"])
def test_rule_cards_keep_their_bleeds(paper: str, *, mix: bool) -> None:
    made = impose_game(parse_request("talavera", {"paper": paper, "mix": mix, "only": PIECES}), silent)
    faces = {face.id: face for key, face in made.drawn.items() if key[0] == "rule-cards"}
    pages = [page for sheet in made.sheets for page in sheet.pages]
    inked = [
        [(faces[mark.face].size, Polygon(mark.clip)) for mark in page.placements if mark.face in faces]
        for page in pages
    ]
    assert sum(map(len, inked)) == 8
    for cards in inked:
        assert all(abs(clip.area - size.width * size.height) < 0.01 for size, clip in cards)
        assert not any(overlap(a, b) for (_, a), (_, b) in combinations(cards, 2))
