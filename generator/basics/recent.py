"""Values that are made once and kept: all those of an object, or those that were used last."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")
Given = ParamSpec("Given")


def remembered(method: Callable[Concatenate[Any, Given], Value]) -> Callable[Concatenate[Any, Given], Value]:
    """A method that makes each value once: its object keeps them, by what it is given.

    Unlike functools.cache, it keeps no object alive.
    """
    name = f"{method.__qualname__} kept"

    @wraps(method)
    def find(holder: Any, /, *given: Given.args, **named: Given.kwargs) -> Value:
        kept = holder.__dict__.setdefault(name, {})
        key = given, *named.items()
        if key not in kept:
            kept[key] = method(holder, *given, **named)
        value: Value = kept[key]
        return value

    return find


class RecentValues(dict[Key, Value]):
    """At most so many values, those that were asked for last.

    Unlike functools.lru_cache, which makes a value from its key alone, `find` gets the function
    that makes it: this may know more than the key, and several may share the values.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def find(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value of a key; it is made if it is not kept, or if it is empty."""
        value = self.pop(key, None) or make()
        self[key] = value  # now the last one, which is deleted last
        if len(self) > self._most:
            del self[next(iter(self))]
        return value
