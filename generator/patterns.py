"""Regular expressions that are compiled when they are first used.

Of the hundred that a small build loads, seventy are not used: to compile those takes 7 ms of 300.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "split", "sub", "subn")


def compile_late(text: AnyStr, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[AnyStr]:
    """A pattern, as of `re.compile`; a fault of its text is raised at its first use."""
    return cast("re.Pattern[AnyStr]", LatePattern(text, flags))


class LatePattern:
    """A pattern that becomes one by its first use."""

    def __init__(self, text: str | bytes, flags: re.RegexFlag) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._text, self._flags)
        for method in _METHODS:  # found without this detour from now on
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
