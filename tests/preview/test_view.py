"""What a page is told of findings."""

from __future__ import annotations

from generator.errors import Problem
from generator.place import Place
from generator.preview.view import describe_findings


def test_many_findings_that_are_alike_are_one() -> None:
    faults = [Problem(Place("a.csv", n + 1).at_column("x"), f"'v{n}' is odd") for n in range(5000)]
    (told,) = describe_findings(faults, None)
    assert told["where"] == "a.csv:1 column x"
    assert told["what"] == "'v0' is odd (and 4,999 more like it)"
    assert len(describe_findings(faults[:10], None)) == 10


def test_a_finding_has_the_faces_of_all_that_are_alike() -> None:
    keys = [("cards", str(n), "front") for n in range(20)]
    faults = [Problem(Place("a.csv", n + 1), "odd", faces=(key,)) for n, key in enumerate(keys)]
    (told,) = describe_findings(faults, None)
    assert told["faces"] == ["/".join(key) for key in keys]


def test_what_turns_or_breaks_a_line_is_shown_as_it_is_written() -> None:
    (told,) = describe_findings([Problem(Place("a\x1b"), "b\u202e", "c\n")], None)
    assert (told["where"], told["what"], told["hint"]) == ("a\\x1b", "b\\u202e", "c\\n")
