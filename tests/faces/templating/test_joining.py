"""A placeholder that an editor broke where its line was full is one placeholder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.game.tiny import BOX, drawn, problems, text, words, write

BROKEN = {
    "between lines": '<tspan x="2" y="5">{{ Card </tspan><tspan x="2" y="9">Name }}</tspan>',
    "between nested lines": "<tspan><tspan>{{ Card </tspan></tspan><tspan>Name }}</tspan>",
    "into three": "<tspan>{{</tspan><tspan> Card</tspan>\n <tspan>Name }}</tspan>",
    "behind another": "<tspan>{{ x }}{{ Card</tspan> <tspan>Name</tspan> }}",
    "before another": "{{ Card<tspan> Name }}{{ x </tspan><tspan>}}</tspan>",
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_broken_placeholder_is_filled(broken: str, folder: Path) -> None:
    write(folder, BOX.format(36, 50) + text(broken, 'pnp:box="box"'))
    (folder / "cards.csv").write_text("id,x,t,Card Name\na,7,some,Old Ferry\n", "utf-8")
    said = words(drawn(folder)["a"]).replace(" ", "")
    assert "OldFerry" in said
    assert said.strip("7") == "OldFerry"


def test_one_that_never_ends_is_reported_where_it_begins(folder: Path) -> None:
    broken = "<tspan>{{ x </tspan>\n<tspan>and </tspan>\n<tspan>on</tspan>"
    (problem,) = problems(write(folder, BOX.format(36, 50) + text(broken, 'pnp:box="box"')))
    assert str(problem.place) == "tiny/front.svg:2"
    assert problem.what == "'{{' is opened here and not closed"
