"""Texts too long for their box: one message for all pieces, and what an [[accept]] makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pypdfium2
import pytest

from generator import pipeline
from generator.basics.errors import Problem, messages
from tests.conftest import Pnp
from tests.game.tiny import BOX, text, tiny, write

BOXED = BOX.format(36, 8) + text("{{ t }}", 'pnp:box="box" pnp:least="8pt"')
ACCEPT = """
[[accept]]
finding = "text.overflow"
on = {on}
found = "at most {most} mm too long"
reason = "nothing lies below the box"
level = "error"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny(tmp_path / "tiny")


def poems(folder: Path, long: int, words: Sequence[int] = (12,), body: str = BOXED) -> Path:
    """A game of three short poems, and of long ones of so many words in turn."""
    write(folder, body)
    rows = [f"s{number},1,brief" for number in range(3)]
    rows += [f"p{at},{at + 1},{'verse ' * words[at % len(words)]}".rstrip() for at in range(long)]
    (folder / "cards.csv").write_text("\n".join(["id,x,t", *rows, ""]), "utf-8")
    return folder


def overflows(folder: Path) -> list[Problem]:
    found = pipeline.check(str(folder))
    return [problem for problem in found if problem.rule == "text.overflow"]


def accept(folder: Path, on: str, most: str) -> None:
    spec = folder / "game.toml"
    spec.write_text(spec.read_text("utf-8") + ACCEPT.format(on=on, most=most), "utf-8")


def test_more_than_forty_poems_too_long_are_counted(folder: Path) -> None:
    (problem,) = overflows(poems(folder, 44, (12, 12, 40, 12)))
    assert "p38, p39 and 4 more is too long" in problem.what


def test_many_poems_too_long_are_one_message(folder: Path) -> None:
    (problem,) = overflows(poems(folder, 34, (12, 12, 40, 12)))
    (message,) = messages([problem])
    first, hint = message.split("\n")
    names = ", ".join(f"p{number}" for number in range(33))
    assert first.startswith(f"error: tiny/cards.csv:7: a text on the fronts of {names} and p33 is ")
    assert "is too long, most of all on p2: tiny/front.svg:2: <text> {{ t }}: the text is" in first
    assert hint.startswith("    hint: give it more room")
    assert problem.on == tuple(f"cards/p{number}" for number in range(34))


def test_boxes_are_told_apart(folder: Path) -> None:
    body = BOXED + BOX.replace("box", "low").replace('y="2"', 'y="30"').format(36, 4)
    body += text("{{ t }}", 'pnp:box="low" pnp:least="8pt"').replace("<text", "\n<text")
    found = overflows(poems(folder, 5, body=body))
    assert len(found) == 2
    assert {"front.svg:2:" in problem.what for problem in found} == {True, False}


def test_all_pieces_are_their_component(folder: Path) -> None:
    folder = poems(folder, 4)
    table = folder / "cards.csv"
    rows = [row for row in table.read_text("utf-8").splitlines() if not row.startswith("s")]
    table.write_text("\n".join([*rows, ""]), "utf-8")
    (problem,) = overflows(folder)
    assert "the fronts of all 4 is too long" in problem.what
    assert problem.on == ("cards",)


def test_what_is_accepted_is_printed_past_its_box(folder: Path, tmp_path: Path, pnp: Pnp) -> None:
    folder = poems(folder, 2, (12, 14))
    refused = pnp("build", str(folder), "-o", str(tmp_path / "out.pdf"))
    assert refused.exit_code == 1
    assert not (tmp_path / "out.pdf").exists()
    (problem,) = overflows(folder)
    accept(folder, '["cards/p0", "cards/p1"]', problem.found.split()[2])
    (found,) = overflows(folder)
    assert (found.level, found.accepted) == ("note", "nothing lies below the box")
    assert pnp("check", str(folder)).exit_code == 0
    assert pnp("build", str(folder), "-o", str(tmp_path / "out.pdf")).exit_code == 0
    with pypdfium2.PdfDocument(tmp_path / "out.pdf") as document:
        words = document[0].get_textpage().get_text_bounded()
    assert words.count("verse") == 12 + 14


def test_accept_holds_for_its_pieces_and_figures(folder: Path) -> None:
    many = overflows(poems(folder, 3, (12, 30, 12)))[0].found.split()[2]
    few = overflows(poems(folder, 1))[0].found.split()[2]
    poems(folder, 3, (12, 30, 12))
    accept(folder, '["cards/p0", "cards/p1"]', few)
    left = overflows(folder)
    assert float(many) > float(few)
    assert [(problem.level, problem.on) for problem in left] == [
        ("error", ("cards/p1", "cards/p2")),
        ("note", ("cards/p0",)),
    ]


def test_accept_prints_what_it_takes(folder: Path, pnp: Pnp) -> None:
    folder = poems(folder, 2)
    entry = pnp("check", str(folder), "--accept").stdout
    spec = folder / "game.toml"
    spec.write_text(spec.read_text("utf-8") + entry.replace('reason = ""', 'reason = "so be it"'))
    assert [overflow.level for overflow in overflows(folder)] == ["note"]


def test_an_expression_that_fails_in_many_rows_is_one_message(folder: Path) -> None:
    folder = poems(folder, 34, body=text("{{ x + t }}"))
    shared, many = messages(pipeline.check(str(folder)))
    assert "the fronts of s0, s1 and s2 cannot be drawn" in shared
    assert "and 28 more" in many
    folder = poems(folder, 34, body=text("{{ x // 0 }}"))
    (problem,) = [problem for problem in pipeline.check(str(folder)) if problem.level == "error"]
    assert str(problem.place) == "tiny/front.svg:2"
    assert "the fronts of all 37 cannot be drawn: <text>: " in problem.what


def test_every_fault_of_a_face_is_reported(folder: Path) -> None:
    """The first never hides the second."""
    body = BOXED + text("{{ t - 2 }}") + '<rect width="9" height="9" fill="{{ x }}"/>'
    folder = poems(folder, 1, body=body)
    whats = " ".join(problem.what for problem in pipeline.check(str(folder)))
    assert "is too long" in whats
    assert "unknown colour '1'" in whats
    assert "t - 2" in whats


@pytest.mark.parametrize("count", [1, 2])
def test_a_list_of_all_pieces_accepts_what_all_have(folder: Path, count: int) -> None:
    """Where all pieces have the fault, it is that of their component."""
    write(folder, BOXED)
    rows = [f"p{number},1,{'verse ' * 12}".rstrip() for number in range(count)]
    (folder / "cards.csv").write_text("\n".join(["id,x,t", *rows, ""]), "utf-8")
    (found,) = overflows(folder)
    assert (found.level, found.on) == ("error", ("cards",))
    accept(folder, str([f"cards/p{number}" for number in range(count)]), "90")
    (found,) = overflows(folder)
    assert (found.level, found.accepted) == ("note", "nothing lies below the box")
