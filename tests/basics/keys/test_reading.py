"""Raw tables become objects, or every fault of them is told in plain words."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from math import inf
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator, Draft202012Validator
from msgspec import Meta

from generator.basics.errors import MisfitError
from generator.basics.keys import (
    After,
    Before,
    Custom,
    KeyFault,
    KeyMisfitError,
    Keys,
    Reads,
    ReadsWith,
    Schema,
    describe,
    json_schema,
    matching,
    read,
    strip,
)
from generator.game.component_keys import ComponentTable
from tests.conftest import bounded


def _shouted(text: str) -> str:
    if not text.isupper():
        raise MisfitError("it is not shouted", "write capitals")
    return text


def _known(value: object, names: Mapping[str, int]) -> int:
    if not isinstance(value, str) or value not in names:
        raise MisfitError("nobody knows it")
    return names[value]


Letter = Annotated[str, matching("^[a-z]$", "must be one small letter")]


class Inner(Keys, frozen=True, kw_only=True):
    """A table within"""

    width: Annotated[float, describe("the width", ge=1, le=9)]
    names: Annotated[tuple[str, ...], describe("its names", min_length=1, max_length=2)] = ("one",)


class Outer(Keys, frozen=True, kw_only=True):
    """A table"""

    id: Annotated[str, matching("^[a-z]+$", "must be small letters"), describe("a short name")]
    count: Annotated[int, describe("how many", ge=0, le=10)] = 1
    is_flat: bool = True
    side: Annotated[Literal["left", "right"], describe("which side")] = "left"
    at: Annotated[tuple[float, float], describe("where: x and y")] = (0.0, 0.0)
    inner: Annotated[Inner | None, describe("[inner]")] = None
    rows: Annotated[list[Inner], describe("[[rows]]")] = []
    colours: Annotated[dict[Letter, str], describe("by letter")] = {}
    either: Annotated[bool | int | str, describe("a flag, a number or a text")] = False
    anything: Any = None


SOUND: dict[str, Any] = {"id": "a"}


def faults_of(**raw: object) -> list[tuple[object, ...]]:
    value, faults = read(Outer, SOUND | raw)
    assert (value is None) == bool(faults)
    return [(fault.path, fault.what, fault.hint) for fault in faults]


def test_a_sound_table_is_an_object() -> None:
    raw = {"id": "ab", "inner": {"width": 3}, "rows": [{"width": 2.5}], "colours": {"x": "red"}}
    value, faults = read(Outer, raw)
    assert not faults
    assert value == Outer(id="ab", inner=Inner(width=3.0), rows=[Inner(width=2.5)], colours={"x": "red"})
    assert value.inner
    assert isinstance(value.inner.width, float)


def test_a_default_table_is_its_own() -> None:
    first, second = (read(Outer, SOUND)[0] for _ in range(2))
    assert first
    assert second
    first.colours["x"] = "red"
    assert second.colours == {}


@pytest.mark.parametrize(
    ("key", "value", "what"),
    [
        ("id", 3, "id must be text in quotes, not 3"),
        ("id", "A", "id must be small letters, not 'A'"),
        ("count", True, "count must be a whole number, not true"),
        ("count", 1.0, "count must be a whole number, not 1.0"),
        ("count", "1", "count must be a whole number, not '1'"),
        ("count", 11, "count must be at most 10, not 11"),
        ("count", -1, "count must be at least 0, not -1"),
        ("is_flat", 1, "is_flat must be true or false, not 1"),
        ("side", "up", "side must be 'left' or 'right', not 'up'"),
        ("at", [1], "at must hold 2 values, not 1"),
        ("at", [1, 2, 3], "at must hold 2 values or fewer, not 3"),
        ("at", "x", "at must be a list [ … ], not 'x'"),
        ("at", [1, "x"], "at, item 2 must be a number, not 'x'"),
        ("at", [1, float("inf")], "at, item 2 must be a number, not inf"),
        ("inner", [], "inner must be a table, not a list"),
        ("inner", {}, "the key 'width' is missing"),
        ("inner", {"width": 10}, "inner.width must be at most 9, not 10"),
        ("inner", {"width": 1, "names": []}, "inner.names must hold 1 or more values, not 0"),
        ("rows", [{"width": 1}, {"width": 0}], "rows.width, item 2 must be at least 1, not 0"),
        ("colours", {"XY": "red"}, "the name 'XY' must be one small letter"),
        ("colours", {"x\n": "red"}, r"the name 'x\n' must be one small letter"),
        ("colours", {"x": 1}, "colours.x must be text in quotes, not 1"),
        ("count", None, "count must be a whole number, not None"),
        ("either", [], "either must be text in quotes, not a list"),
        ("idd", 1, "unknown key 'idd'"),
    ],
)
def test_a_fault_is_told(key: str, value: object, what: str) -> None:
    ((_, told, _),) = faults_of(**{key: value})
    assert str(told).startswith(what)


def test_every_fault_is_told_at_once_with_its_path_and_hint() -> None:
    raw = {"count": "x", "at": ["y", 2], "inner": {"zzz": 1, "names": [5]}, "either": 1.5}
    value, faults = read(Outer, raw)
    assert value is None
    assert [(fault.path, fault.hint) for fault in faults] == [
        (("id",), "a short name"),
        (("count",), "how many"),
        (("at", 0), "where: x and y"),
        (("inner", "width"), "the width"),
        (("inner", "names", 0), "its names"),
        (("inner", "zzz"), "known: names, width"),
        (("either",), "a flag, a number or a text"),
    ]


def test_a_misspelt_key_is_not_missing_too() -> None:
    ((path, what, hint),) = faults_of(inner={"widht": 2})
    assert (path, what) == (("inner", "widht"), "unknown key 'widht'")
    assert "width" in str(hint)


def test_a_table_of_unknown_keys_is_read_soon() -> None:
    with bounded(1.0):  # to look for the key that each means takes 3 s
        _, faults = read(ComponentTable, {f"unknown-{number}": 1 for number in range(50_000)})
    assert len(faults) > 50_000


class Checked(Keys, frozen=True, kw_only=True):
    shout: Custom[str, Before(strip), After(_shouted)] = "A"
    name: Custom[int, ReadsWith(_known), Schema({"type": "string"})] = 0
    number: Custom[int, Reads(lambda raw: int(str(raw), 16)), Schema({"type": "string"})] = 0
    most: int = 5
    least: int = 0
    names: Custom[dict[Custom[str, Before(strip), Meta(max_length=3)], float], Meta()] = {}

    def __post_init__(self) -> None:
        if self.shout == "NO":
            raise MisfitError("the table says no", "let it say yes")
        if self.least > self.most:
            raise KeyMisfitError("least", "it is above most")


def test_functions_of_a_type_change_a_value() -> None:
    raw = {"shout": " YES ", "name": "b", "number": "ff", "names": {" ab ": 1}}
    value, faults = read(Checked, raw, {"b": 7})
    assert not faults
    assert value == Checked(shout="YES", name=7, number=255, names={"ab": 1.0})


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        ({"shout": "yes"}, (("shout",), "shout: it is not shouted", "write capitals")),
        ({"name": "c"}, (("name",), "name: nobody knows it", "")),
        ({"names": {"abcd": 1}}, (("names", "abcd"), "the name 'abcd' is longer than 3 characters", "")),
        ({"names": {"a": inf}}, (("names", "a"), "names.a must be a number, not inf", "")),
        ({"most": 1, "least": 2}, (("least",), "least: it is above most", "")),
        ({"shout": "NO"}, ((), "the table says no", "let it say yes")),
    ],
)
def test_functions_of_a_type_refuse_a_value(raw: Mapping[str, object], fault: tuple[tuple[str, ...], str, str]) -> None:
    _, faults = read(Checked, raw, {})
    assert faults == [KeyFault(*fault)]


def test_texts_of_a_command_line_are_read_as_their_kind() -> None:
    class Options(Keys, frozen=True, kw_only=True):
        dpi: Annotated[int, Meta(ge=50)] = 100
        share: float = 0.5
        is_grey: bool = False
        most: Annotated[int, Meta(le=9)] | None = None

    globals()["Options"] = Options
    raw = {"dpi": "300", "share": ".25", "is_grey": "yes", "most": "7"}
    value, faults = read(Options, raw, is_typed=True)
    assert not faults
    assert value == Options(dpi=300, share=0.25, is_grey=True, most=7)
    _, faults = read(Options, {"dpi": "3x", "share": "nan", "is_grey": "si"}, is_typed=True)
    assert [fault.what for fault in faults] == [
        "dpi must be a whole number, not '3x'",
        "share must be a number, not 'nan'",
        "is_grey must be true or false, not 'si'",
    ]


plain = st.one_of(
    st.integers(-3, 12),
    st.floats(-3, 12).filter(lambda number: number != int(number)),  # 1.0 is whole in JSON
    st.booleans(),
    st.sampled_from(["", "a", "ab", "A", "left", "x y"]),
)
inner = st.fixed_dictionaries({"width": plain}, optional={"names": st.lists(plain, max_size=3), "x": plain})
tables = st.fixed_dictionaries(
    {"id": plain},
    optional={
        "count": plain,
        "is_flat": plain,
        "side": plain,
        "at": st.lists(plain, max_size=3),
        "inner": st.one_of(inner, plain),
        "rows": st.lists(inner, max_size=2),
        "colours": st.dictionaries(st.sampled_from(["x", "y", "X", "xy"]), plain, max_size=2),
        "either": plain,
        "anything": plain,
        "other": plain,
    },
)


@given(tables)
def test_the_schema_says_what_is_read(raw: dict[str, object]) -> None:
    """Another validator, by the schema, takes and refuses the same tables."""
    _, faults = read(Outer, raw)
    found = list(Draft202012Validator(json_schema(Outer)).iter_errors(raw))
    assert bool(faults) == bool(found), (faults, found)


NUMBERS = (-1, 0, 1, 9, 10, 11, 0.5, 1.5, 9.5)
TEXTS = ("", "a", "ab", "A", "left")
LISTS: tuple[list[object], ...] = ([], [1], [1, 2], [1, "x"], [1, 2, 3], ["x"], ["x", "y"], ["x", "y", "z"])
INNERS = ({"width": number} for number in NUMBERS)
NAMED = ({"width": 1, "names": names} for names in LISTS)
TABLES = ({}, {"x": "red"}, {"X": "red"}, {"x": 1}, *INNERS, *NAMED, {"width": 1, "z": 1})
VALUES = (*NUMBERS, True, *TEXTS, *LISTS, *TABLES, *([table] for table in TABLES))


@pytest.mark.parametrize("draft", [Draft7Validator, Draft202012Validator])
@pytest.mark.parametrize("key", [*Outer.__struct_fields__, "other"])
def test_each_limit_is_in_the_schema(key: str, draft: Any) -> None:
    """A table with one value that may be wrong is refused by both or by neither."""
    schema = draft(json_schema(Outer))
    read_by = {repr(value): not read(Outer, SOUND | {key: value})[1] for value in VALUES}
    valid = {repr(value): schema.is_valid(SOUND | {key: value}) for value in VALUES}
    assert read_by == valid


FIRST = """
import sys
from threading import Barrier, Thread
from generator.basics.keys import read
from generator.game.document import Document

sys.setswitchinterval(1e-6)
at_once = Barrier(4)
game = {"title": "A", "designer": "B", "about": "C"}
raw = {"game": game, "component": [{"id": "a", "title": "A", "size": "poker"}]}


def begin():
    at_once.wait()
    read(Document, raw)


threads = [Thread(target=begin) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_threads_may_read_a_class_for_the_first_time_at_once() -> None:
    ended = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
