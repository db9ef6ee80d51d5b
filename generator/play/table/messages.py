"""Take a message of a page, make an object of the class that it names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec import MsgspecError
from msgspec.json import decode

from generator.basics import keys
from generator.basics.errors import MisfitError, quote
from generator.basics.keys import Keys
from generator.play.table.state import refusal

T = TypeVar("T", bound=Keys)


def read_message(body: bytes, kinds: Mapping[str, type[T]]) -> tuple[str, T]:
    """The name of a message, its `do`, and its values. Raises PnpError if it is none of these
    kinds, or has a fault."""
    try:
        raw = parse_json(body)
    except MisfitError as error:
        raise refusal(str(error)) from None
    name = raw.pop("do", None) if isinstance(raw, dict) else None
    if not isinstance(name, str) or name not in kinds:
        raise refusal(f"the table knows no {quote(name)}")
    message, faults = keys.read(kinds[name], raw)
    if message is None:
        raise refusal(faults[0].what)
    return name, message


def parse_json(content: bytes) -> object:
    """Raises MisfitError if the content is not JSON."""
    try:
        return decode(content)
    except (MsgspecError, UnicodeError, RecursionError):
        raise MisfitError("it is not JSON") from None
