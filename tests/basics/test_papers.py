"""Papers by name: their sizes as ReportLab and the standards have them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from reportlab.lib import pagesizes

from generator.basics.errors import PnpError
from generator.basics.geometry import MM_PER_INCH, MM_PER_PT, Size
from generator.basics.papers import list_larger, paper_names, parse_paper

NAMES = {
    **{f"{series}{number}": f"{series}{number}".upper() for series in "ab" for number in range(6)},
    "a6": "A6",
    "letter": "LETTER",
    "legal": "LEGAL",
    "tabloid": "TABLOID",
    "11x17": "ELEVENSEVENTEEN",
}
INCHES = {  # ANSI/ASME Y14.1 and the US National CAD Standard
    "half-letter": (5.5, 8.5),
    "ledger": (11, 17),
    "ansi-a": (8.5, 11),
    "ansi-b": (11, 17),
    "ansi-c": (17, 22),
    "ansi-d": (22, 34),
    "ansi-e": (34, 44),
    "arch-a": (9, 12),
    "arch-b": (12, 18),
    "arch-c": (18, 24),
    "arch-d": (24, 36),
    "arch-e": (36, 48),
    "12x18": (12, 18),
    "13x19": (13, 19),
}


def test_papers_have_the_sizes_of_the_standards() -> None:
    for name, other in NAMES.items():
        points = getattr(pagesizes, other)
        expected = [length * MM_PER_PT for length in points]
        assert parse_paper(name).size == pytest.approx(expected, abs=0.51), name  # ISO rounds
    for name, inches in INCHES.items():
        assert parse_paper(name).size == pytest.approx([inch * MM_PER_INCH for inch in inches])


def test_half_of_an_iso_paper_is_the_next() -> None:
    """ISO 216 halves the longer side and drops the half millimetre."""
    for series, last in (("a", 6), ("b", 5)):
        sizes = [parse_paper(f"{series}{number}").size for number in range(last + 1)]
        for larger, smaller in pairwise(sizes):
            assert smaller == (larger.height // 2, larger.width)


def test_a_name_is_read_in_any_case_and_with_spaces() -> None:
    assert parse_paper("Arch B") == parse_paper("arch-b") == parse_paper(" ARCH-B ")
    assert parse_paper("ansi c").name == "ANSI C"
    assert parse_paper("avery-5371").name == "Avery 5371"
    assert len({name.lower() for name in paper_names()}) == len(paper_names())


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("tabliod", "did you mean 'tabloid'?"),
        ("arch b1", "did you mean 'arch-b'?"),
        ("a33", "did you mean 'a3'?"),
        ("foolscap", "a name such as letter, tabloid, a4 or a3; or a size: 210x297mm"),
    ],
)
def test_an_unknown_name_gets_the_nearest(text: str, hint: str) -> None:
    with pytest.raises(PnpError) as error:
        parse_paper(text)
    assert error.value.problems[0].hint == hint


def test_larger_papers_begin_with_those_of_the_series() -> None:
    a4 = [name for name, _ in list_larger(parse_paper("a4").size)]
    assert a4[:4] == ["a3", "a2", "a1", "a0"]
    assert {"a4", "a5", "avery-5371"}.isdisjoint(a4)
    assert "letter" in a4, "which is wider"
    assert [name for name, _ in list_larger(parse_paper("letter").size.turned())][:2] == ["arch-a", "legal"]
    assert next(name for name, _ in list_larger(Size(200.0, 200.0))) == "half-letter"


def test_the_places_of_precut_sheets_are_in_the_middle_of_them() -> None:
    """So are those of every sheet that makers sell; a wrong measure would show."""
    sheets = [parse_paper(name) for name in paper_names() if parse_paper(name).precut]
    assert len({sheet.precut.corner for sheet in sheets if sheet.precut}) >= 20
    for sheet in sheets:
        cut = sheet.precut
        assert cut, sheet.name
        assert min(cut.pitch.width - cut.piece.width, cut.pitch.height - cut.piece.height) >= -1e-9
        left, top = cut.corner
        right, below = sheet.size.width - cut.end.x, sheet.size.height - cut.end.y
        assert (right, below) == pytest.approx((left, top), abs=0.5), cut.name
        assert not cut.is_round or cut.piece.width == cut.piece.height, cut.name


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("avery5371", "did you mean 'avery-5371'?"),
        ("L7160", "did you mean 'avery-l7160'?"),
        ("8163", "did you mean 'avery-8163'?"),
        ("avery-5408", "[paper.avery-5408]"),
    ],
)
def test_a_label_sheet_is_meant_by_its_number(text: str, hint: str) -> None:
    with pytest.raises(PnpError) as raised:
        parse_paper(text)
    assert hint in raised.value.problems[0].hint
