"""The table [ink.low] of a game.toml: its values replace what the game usually has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.basics.colours import find_colour
from generator.basics.errors import MisfitError, did_you_mean, quote
from generator.basics.keys import KeyPath
from generator.game.spec import Source, table_of, walk
from generator.model import SIDES, LowInk
from generator.tables.fields import Resources

_LOW: KeyPath = ("ink", "low")
_WHOLE = ("layout", "renderer", "template")  # a side with another one has none of the usual options


def check_low_ink(source: Source) -> None:
    """Reports colours, art, components and sides of [ink.low] that the game does not have."""
    low = _low(source)
    for key, kind in (("palette", "colour"), ("art", "art")):
        _check_names(source, (key,), kind, table_of(low, key), table_of(source.raw, key))
    sides = {
        table.get("id"): [side for side in SIDES if side in table]
        for table, _ in source.tables("component")
        if isinstance(table.get("id"), str)
    }
    components = table_of(low, "component")
    _check_names(source, ("component",), "component", components, sides)
    for id_ in components.keys() & sides.keys():
        own = table_of(components, id_)
        known = dict.fromkeys(sides[id_])
        _check_names(source, ("component", id_), "side", own, known)


def _check_names(
    source: Source, path: KeyPath, kind: str, own: Mapping[str, Any], known: Mapping[Any, Any]
) -> None:
    for name in own:
        if name not in known:
            hint = did_you_mean(name, known) or "[ink.low] replaces what the game has"
            source.report((*_LOW, *path, name), f"unknown {kind} {quote(name)}", hint)


def put_low_ink(source: Source) -> None:
    """Replaces what [ink.low] sets; faults of it are reported at its own lines."""
    low = _low(source)
    for key in ("palette", "art"):
        for name, value in table_of(low, key).items():
            if name in table_of(source.raw, key):
                source.put((key, name), (*_LOW, key, name), value)
    for table, path in source.tables("component"):
        own = table_of(table_of(low, "component"), str(table.get("id")))
        for side in SIDES:
            if side in table:
                _put_side(source, own, (*path, side), str(table.get("id")))


def _put_side(source: Source, own: Mapping[str, Any], path: KeyPath, id_: str) -> None:
    side = str(path[-1])
    options, there = table_of(own, side), (*_LOW, "component", id_, side)
    if any(key in options for key in _WHOLE):
        source.put(path, there, options)
    else:
        for key, value in options.items():
            source.put((*path, key), (*there, key), value)


def read_low_ink(source: Source, resources: Resources) -> LowInk:
    """The colours and pictures that [ink.low] sets."""
    low = _low(source)
    given = [table_of(low, "palette"), table_of(low, "component")]
    texts = (text for _, text in walk(given) if isinstance(text, str))
    colours = {colour for text in texts if (colour := _colour(text, resources.palette))}
    arts = (resources.art.get(name) for name in table_of(low, "art"))
    return LowInk(frozenset(colours), frozenset(art.uri for art in arts if art))


def _low(source: Source) -> Mapping[str, Any]:
    return table_of(table_of(source.raw, "ink"), "low")


def _colour(text: str, palette: Mapping[str, str]) -> str:
    try:
        return find_colour(text, palette)
    except MisfitError:
        return ""
