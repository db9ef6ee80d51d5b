"""Marks become looks, and what is no mark stays as it is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generator.basics.errors import MisfitError
from generator.text.markup import ICON, Span, WordLook, parse

PLAIN, BOLD, ITALIC = WordLook(), WordLook(bold=True), WordLook(italic=True)
BOTH, RED = WordLook(bold=True, italic=True), WordLook(colour="red")


def spans(text: str) -> list[Span]:
    (block,) = parse(text)
    (line,) = block.lines
    return list(line)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a **b** c", [("a ", PLAIN), ("b", BOLD), (" c", PLAIN)]),
        ("a *b*.", [("a ", PLAIN), ("b", ITALIC), (".", PLAIN)]),
        ("***a** b* c", [("a", BOTH), (" b", ITALIC), (" c", PLAIN)]),
        ("un*frigging*real", [("un", PLAIN), ("frigging", ITALIC), ("real", PLAIN)]),
        ("[a]{red} b", [("a", RED), (" b", PLAIN)]),
        ("[a **b**]{red}", [("a ", RED), ("b", replace(RED, bold=True))]),
        ("[a [b]{red} c]{#00ff00}", [("a ", WordLook(colour="#00ff00")), ("b", RED),
                                     (" c", WordLook(colour="#00ff00"))]),
        ("[a]{rgb(1, 2, 3)}{", [("a", WordLook(colour="rgb(1, 2, 3)")), ("{", PLAIN)]),
        ("[[1] a]{red} [2]", [("[1] a", RED), (" [2]", PLAIN)]),
    ],
)  # fmt: skip
def test_marks(text: str, expected: list[tuple[str, WordLook]]) -> None:
    assert [(span.text, span.look) for span in spans(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "2 * 3 = 6",
        "a * b * c",
        "****",
        "[1] and ]{red}",
        "10:30",
        "a: b: c",
        "{red}",
        "1 - 2",
        "-1",
    ],
)
def test_what_is_no_mark_stays(text: str) -> None:
    assert spans(text) == [Span(text, PLAIN)]


@given(st.text(st.sampled_from("ab *[]{}:-\\"), min_size=1))
def test_escaped_is_as_written(words: str) -> None:
    """Whatever it holds, once each mark has its backslash."""
    escaped = "".join("\\" + c if c in "*[]{}:-\\" else c for c in words)
    expected = " ".join(words.split())
    assert "".join(span.text for block in parse(escaped) for span in block.lines[0]) == expected


def test_icons() -> None:
    assert spans("2:coin:, **:big-ship:**") == [
        Span("2", PLAIN),
        Span(ICON, PLAIN, "coin"),
        Span(", ", PLAIN),
        Span(ICON, BOLD, "big-ship"),
    ]


def test_paragraphs_lines_and_items() -> None:
    text = "One  \tline\r\nanother \n \n\n- first\n  more\n- second\n\nend\n"
    blocks = [
        (block.is_item, block.apart, ["".join(s.text for s in line) for line in block.lines])
        for block in parse(text)
    ]
    assert blocks == [
        (False, False, ["One line", "another"]),
        (True, True, ["first", "more"]),
        (True, False, ["second"]),
        (False, True, ["end"]),
    ]


@pytest.mark.parametrize("text", ["", "  ", "\n\n \n"])
def test_nothing(text: str) -> None:
    assert parse(text) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [("a **b", r"\*\* before 'b'"), ("*a", r"\* before 'a'"), ("*a\n\nb*", r"\* before 'a'")],
)
def test_mark_that_never_closes_is_named(text: str, named: str) -> None:
    with pytest.raises(MisfitError, match=named) as caught:
        parse(text)
    assert "\\*" in caught.value.hint
