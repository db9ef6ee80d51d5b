"""The values that were used last, by their keys.

Unlike functools.lru_cache, which makes a value from its key alone, `find` gets the function that
makes it: this may know more than the key, and several may share the values.
"""

from collections.abc import Callable
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class RecentValues(dict[Key, Value]):
    """At most so many values, those that were asked for last."""

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
