"""Classes of our NamedTuple behave as those of `typing`."""

from __future__ import annotations

import inspect
import pickle
import typing
from collections.abc import Callable
from typing import Any

import pytest

from generator.namedtuples import NamedTuple


class Ours(NamedTuple):
    """A mark."""

    x: float
    kind: str = "cut"
    width: float = 0.2

    @property
    def double(self) -> float:
        return 2 * self.x


class Theirs(typing.NamedTuple):
    """A mark."""

    x: float
    kind: str = "cut"
    width: float = 0.2

    @property
    def double(self) -> float:
        return 2 * self.x


class Empty(NamedTuple):
    pass


def matched(value: Any) -> object:
    match value:
        case Ours(x, kind) | Theirs(x, kind):
            return x, kind
    return None


USES: list[Callable[[Any], object]] = [
    lambda of: of(1.5),
    lambda of: tuple(of(1.5, width=3.0)),
    lambda of: (of(kind="fold", x=1.0).kind, of(2.0).double),
    lambda of: repr(of(1.5, "fold")).removeprefix(of.__name__),
    lambda of: of(1.5)._replace(kind="fold"),
    lambda of: of(1.5)._asdict(),
    lambda of: of._make([1.0, "fold", 2.0]),
    lambda of: of(1.5) == (1.5, "cut", 0.2) and hash(of(1.5)) == hash((1.5, "cut", 0.2)),
    lambda of: of(1.5) < of(2.0),
    lambda of: matched(of(1.5)),
    lambda of: (of._fields, of.__match_args__, of._field_defaults, of.__doc__),
    lambda of: typing.get_type_hints(of),
    lambda of: list(inspect.signature(of).parameters),
]


@pytest.mark.parametrize("use", USES)
def test_a_class_is_used_as_one_of_typing(use: Callable[[Any], object]) -> None:
    assert use(Ours) == use(Theirs)


@pytest.mark.parametrize(
    "misuse",
    [
        lambda of: of(),
        lambda of: of(1.0, "cut", 0.2, 4),
        lambda of: of(x=1.0, z=2.0),
        lambda of: of(1.0, x=2.0),
        lambda of: of._make([]),
        lambda of: setattr(of(1.0), "x", 2.0),
        lambda of: setattr(of(1.0), "other", 2.0),
    ],
)
def test_a_class_is_misused_as_one_of_typing(misuse: Callable[[Any], object]) -> None:
    for of in (Ours, Theirs):
        with pytest.raises((TypeError, AttributeError)):
            misuse(of)


def test_a_field_that_is_not_there_is_not_replaced() -> None:
    with pytest.raises(TypeError, match="unexpected field names: \\['z'\\]"):
        Ours(1.0)._replace(z=2.0)  # type: ignore[call-arg]


def test_a_value_is_the_same_after_a_journey_to_another_process() -> None:
    back = pickle.loads(pickle.dumps(Ours(1.5, "fold")))
    assert back == Ours(1.5, "fold")
    assert type(back) is Ours


def test_a_class_may_have_no_fields() -> None:
    assert Empty() == ()
    assert repr(Empty()) == "Empty()"


def test_classes_with_as_many_fields_keep_their_own_names() -> None:
    class Other(NamedTuple):
        y: float
        name: str
        height: float = 1.0

    assert Other(height=3.0, y=1.0, name="a")._asdict() == {"y": 1.0, "name": "a", "height": 3.0}
    assert Ours(1.0)._asdict() == {"x": 1.0, "kind": "cut", "width": 0.2}
