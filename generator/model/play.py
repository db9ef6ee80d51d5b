"""How a game is played by bots, and what must come of it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from generator.basics.place import Place


class PlayBound(Struct, frozen=True):
    """A figure of a playtest, by its name in the report, and its limits; shares are in percent."""

    figure: str
    least: float | None
    most: float | None
    place: Place


class PlayPlan(Struct, frozen=True):
    """The name of an engine, its options, and the bots: one for all seats, or one for each."""

    engine: str
    rules: Mapping[str, str]
    bots: tuple[str, ...]
    bounds: tuple[PlayBound, ...]
    place: Place
