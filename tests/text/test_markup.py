"""Marks become looks, and what is no mark stays as it is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generator.basics.errors import MisfitError
from generator.text.markup import ICON, TINT, Notation, Span, WordLook, parse

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
        ("<b>a <I>b</i></STRONG> c", [("a ", BOLD), ("b", BOTH), (" c", PLAIN)]),
        ("__a__ b__c__d", [("a", BOLD), (" b__c__d", PLAIN)]),
        ("~~a~~ <u>b</u>", [("a", WordLook(strike=True)), (" ", PLAIN),
                            ("b", WordLook(underline=True))]),
        ("==a== ==b=={red}", [("a", WordLook(pill=TINT)), (" ", PLAIN),
                              ("b", WordLook(pill="red"))]),
        ("重==点==.", [("重", PLAIN), ("点", WordLook(pill=TINT)), (".", PLAIN)]),
        ("x<sup>2</sup>", [("x", PLAIN), ("2", WordLook(size=0.65, rise=0.35))]),
        ("&lt;b&gt; &#65;&amp;", [("<b> A&", PLAIN)]),
        ("\\<b> \\=\\= 1\\.", [("<b> == 1.", PLAIN)]),
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
        "a == b == c",
        "x==1 and y==2",
        "____ ~~ ~~",
        "3.5",
        "#1",
        "|x|",
        "a < b > c",
        "-----x",
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
        (block.is_item, block.apart, ["".join(s.text for s in line) for line in block.lines]) for block in parse(text)
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
    ("text", "named"), [("a **b", r"\*\* before 'b'"), ("*a", r"\* before 'a'"), ("*a\n\nb*", r"\* before 'a'")]
)
def test_mark_that_never_closes_is_named(text: str, named: str) -> None:
    with pytest.raises(MisfitError, match=named) as caught:
        parse(text)
    assert "\\*" in caught.value.hint


def shape(text: str) -> list[tuple[str, str, int, bool]]:
    """The blocks of a text: words, bullet, depth, whether a rule is above."""
    return [
        ("/".join("".join(span.text for span in line) for line in block.lines),
         block.bullet or "-" * block.is_item, block.depth, block.is_ruled)
        for block in parse(text)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. a\n2) b\nc", [("a", "1.", 0, False), ("b/c", "2)", 0, False)]),
        ("- a\n  - b\n- c", [("a", "-", 0, False), ("b", "-", 1, False), ("c", "-", 0, False)]),
        ("  - a\n  - b\n\t\t1. c",
         [("a", "-", 0, False), ("b", "-", 0, False), ("c", "1.", 1, False)]),
        ("- a\n\n- b", [("a", "-", 0, False), ("b", "-", 0, False)]),
        ("a\n---\nb", [("a", "", 0, False), ("b", "", 0, True)]),
        ("---\na\n\n---", [("a", "", 0, False)]),
        ("# a\nb", [("a", "", 0, False), ("b", "", 0, False)]),
        ("a<br>b<BR/><br >c", [("a/b", "", 0, False), ("c", "", 0, False)]),
        ("a\n|b|c|\n|d|\ne", [("a", "", 0, False), ("b/c", "", 0, False), ("|d|/e", "", 0, False)]),
        ("|a|b|\n|-|:-:|\n|c<br>d|\\|e|\n|f| |",
         [("a/b/c d/|e/f/", "", 0, False)]),
    ],
)  # fmt: skip
def test_lists_rules_headings_and_tables(text: str, expected: list[tuple[str, str, int, bool]]) -> None:
    assert shape(text) == expected


def test_a_table_has_its_columns_and_its_head() -> None:
    (table,) = parse("|a|b|c|\n|:-|--:|:-:|\n|d|e|f|")
    assert (table.aligns, table.has_head) == (("left", "right", "centre"), True)
    assert [line[0].look.bold for line in table.lines] == [True] * 3 + [False] * 3
    (bare,) = parse("|a|b|\n|c|d|")
    assert (bare.aligns, bare.has_head) == (("left", "left"), False)


SIGNS = Notation(
    (
        ("{T}", ":turn:"),
        ("{T}{T}", "**twice**"),
        ("**", ":star:"),
        ("Guard", "[**:shield: Guard**]{red}"),
        ("Guard Captain", "*Guard Captain*"),
        ("盾", "**盾**"),
    )
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{T}: a", ":turn:|: a"),
        ("{T}{T}{T}", "twice|:turn:"),
        ("\\{T}", "{T}"),
        ("a**b", "a|:star:|b"),
        ("Guard, Guards, vanGuard", ":shield:| Guard|, Guards, vanGuard"),
        ("a Guard\nCaptain", "a |Guard Captain"),
        ("小盾牌", "小|盾|牌"),
        ("[x]{Guard}", "x"),
    ],
)
def test_signs_and_words_of_a_game(text: str, expected: str) -> None:
    (block,) = parse(text, SIGNS)
    found = [f":{s.icon}:" if s.icon else s.text for line in block.lines for s in line]
    assert "|".join(found) == expected


def test_a_sign_keeps_the_look_around_it() -> None:
    (block,) = parse("*a Guard*", SIGNS)
    (_, _, word) = block.lines[0]
    assert word == Span(" Guard", WordLook(bold=True, italic=True, colour="red"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{T} Guard now.", ":turn: Guard now."),
        ("Guard\nCaptain", "*Guard Captain*"),
        ("# Guard Captain\n{T}", "# Guard Captain\n:turn:"),
        ("::: face {T}\n{T}\n:::\n{T}", "::: face {T}\n{T}\n:::\n:turn:"),
        ("\\{T}", "\\{T}"),
        ("[{T}](https://a.org/{T}) <a:{T}>", "[:turn:](https://a.org/{T}) <a:{T}>"),
    ],
)
def test_signs_in_markdown(text: str, expected: str) -> None:
    assert SIGNS.to_markdown(text) == expected


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<b>a", "<b> before 'a' is not closed"),
        ("a</i> b", "</i> closes nothing"),
        ("<u>a\n\nb</u>", "<u> before 'a' is not closed"),
    ],
)
def test_tags_that_are_not_closed(text: str, told: str) -> None:
    with pytest.raises(MisfitError, match=told):
        parse(text)
