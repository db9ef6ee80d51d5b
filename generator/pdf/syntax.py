"""Take values, make the text of PDF objects (ISO 32000-1, 7.3)."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE
from collections.abc import Iterable, Mapping

_ODD = re.compile(r"[^!-~]|[#/%()<>\[\]{}]")  # in a name
_ESCAPED = str.maketrans({"\\": r"\\", "(": r"\(", ")": r"\)"})
_PLAIN = re.compile(r"[ -~]*")


def write_name(name: str) -> str:
    """A name, given with its slash, with odd characters as their codes."""
    return "/" + _ODD.sub(lambda match: _escape(match[0]), name[1:])


def _escape(character: str) -> str:
    return "".join(f"#{byte:02X}" for byte in character.encode())


def write_text(text: str) -> str:
    """A text that people read."""
    if _PLAIN.fullmatch(text):
        return f"({text.translate(_ESCAPED)})"
    return f"<{(BOM_UTF16_BE + text.encode('utf-16-be')).hex()}>"


def write_array(values: Iterable[object]) -> str:
    """An array of values that are written already, or whole numbers."""
    return f"[{' '.join(map(str, values))}]"


def write_dictionary(entries: Mapping[str, object]) -> str:
    """A dictionary of values that are written already, or whole numbers; keys have their slash."""
    return f"<<{' '.join(f'{key} {value}' for key, value in entries.items())}>>"
