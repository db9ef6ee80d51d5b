"""The table [play] of a game.toml: what a playtest plays, and which results it must have."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Struct

from generator.basics.errors import MisfitError, Place
from generator.basics.keys import Keys, describe
from generator.game.components import RoomTable
from generator.game.spec import Source
from generator.model import Art, Component
from generator.tables.fields import Name, NumberOrText, Resources, Text

_MOST_BOUNDS = 100
_MOST_BOTS = 20


class PlayBoundTable(Keys, frozen=True, kw_only=True):
    """[[play.bound]]: a figure of a playtest and its limits"""

    figure: Annotated[Text, describe("its name in the report: 'seat 1 wins'")]
    least: Annotated[float | None, describe("at least so much; shares in percent")] = None
    most: Annotated[float | None, describe("at most so much; shares in percent")] = None

    def __post_init__(self) -> None:
        if self.least is None and self.most is None:
            raise MisfitError("the bound has no limit", "write least, most or both")
        if self.least is not None and self.most is not None and self.least > self.most:
            raise MisfitError("no figure can keep to it: least is above most", "swap them")


class PlayTable(Keys, frozen=True, kw_only=True):
    """[play]: how `pnp playtest GAME` plays it"""

    engine: Annotated[Text, describe("the name of its rules as code")]
    rules: Annotated[
        dict[Name, NumberOrText], describe("[play.rules]: options of the engine, such as players = 2", max_length=30)
    ] = {}
    bots: Annotated[
        tuple[Text, ...],
        describe(
            "'random', 'greedy' or 'search:20': one for all seats, or one for each", min_length=1, max_length=_MOST_BOTS
        ),
    ] = ("greedy",)
    bound: Annotated[
        tuple[PlayBoundTable, ...], describe("[[play.bound]] with figure, least and most", max_length=_MOST_BOUNDS)
    ] = ()


class PlayPlan(Struct, frozen=True):
    """The name of an engine, its options, and the bots: one for all seats, or one for each; the
    bounds, each with its place in the spec; the pictures of [art], by their names."""

    engine: str
    rules: Mapping[str, str]
    bots: tuple[str, ...]
    bounds: tuple[tuple[PlayBoundTable, Place], ...]
    place: Place
    art: Mapping[str, Art]


def _read(source: Source, _: Sequence[Component], resources: Resources) -> PlayPlan | None:
    """Reads how the game is played; None if the spec does not say, or if faults are reported."""
    raw, path = source.raw.get("play"), ("play",)
    if not isinstance(raw, dict):
        return None
    table = source.validate(PlayTable, raw, path, resources)
    if table is None:
        return None
    places = (source.place(("play", "bound", index)) for index in range(len(table.bound)))
    bounds = zip(table.bound, places, strict=True)
    rules = {name: str(value) for name, value in table.rules.items()}
    return PlayPlan(table.engine, rules, table.bots, tuple(bounds), source.place(path), resources.art)


PLAY = RoomTable[PlayPlan]("play", PlayTable, _read)
