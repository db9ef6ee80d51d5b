"""Take what a game offers and what a page sends, make the choice that all pages show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from generator.basics.errors import did_you_mean, fail, quote
from generator.basics.place import Place

Offers = Mapping[str, Sequence[str]]  # the values of each field of a Choice


class Choice(Struct, frozen=True):
    """What the pages show of a game, and on which paper.

    variant, language, printer: "" for the game itself, its original language, and no printer.
    draft: "on" or "off".
    """

    variant: str = ""
    language: str = ""
    paper: str = "letter"
    printer: str = ""
    draft: str = "off"


def choose(choice: Choice, values: Mapping[str, str], offers: Offers) -> Choice:
    """The choice with other values. Raises PnpError for a name or a value that is not offered."""
    for name, value in values.items():
        if name not in offers:
            raise fail(Place(quote(name)), "there is no such choice", did_you_mean(name, offers))
        if value not in offers[name]:
            hint = did_you_mean(value, filter(None, offers[name]))
            raise fail(Place(f"{name} {quote(value)}"), "the game does not offer it", hint)
    return replace(choice, **values)


def describe_choices(choice: Choice, offers: Offers) -> dict[str, Any]:
    """The values of each field, and the chosen one, which may no longer be offered."""
    return {
        name: {"offered": list(dict.fromkeys([*offers[name], value])), "chosen": value}
        for name, value in asdict(choice).items()
    }
