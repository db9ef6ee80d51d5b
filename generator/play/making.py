"""Take a kind of engine, a deck and the chosen options, make the engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.basics.errors import PnpError, Problem, did_you_mean, quote
from generator.basics.place import Place
from generator.play.engine import Decks, Engine, Option


def make_engine(
    kind: type[Engine[Any, Any]], decks: Decks, chosen: Mapping[str, str]
) -> Engine[Any, Any]:
    """An engine for a deck, with these options and the defaults of all others.

    Raises PnpError with every unknown option and value, or with what is wrong with the deck.
    """
    problems = [
        problem for name, text in chosen.items() for problem in _faults(kind.options, name, text)
    ]
    if problems:
        raise PnpError(problems)
    values = {
        name: option.parse(chosen[name]) if name in chosen else option.values[0]
        for name, option in kind.options.items()
    }
    return kind(decks, **values)


def _faults(options: Mapping[str, Option], name: str, text: str) -> list[Problem]:
    place = Place("the rules")
    if name not in options:
        what = f"there is no option {quote(name)}"
        return [Problem(place, what, did_you_mean(name, options))]
    known = [str(value) for value in options[name].values]
    if text not in known:
        return [Problem(place, f"{name} cannot be {quote(text)}", did_you_mean(text, known))]
    return []
