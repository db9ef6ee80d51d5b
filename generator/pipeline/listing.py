"""The names of all games, and what each is; the schema of their specs."""

import json

from generator import game
from generator.basics.bounds import Bound
from generator.basics.catalogue import Addition, is_extended
from generator.basics.errors import Place, quote

_ADDRESS = "https://json.schemastore.org/pnp-game.json"  # of the schema; nothing is fetched from it


def names() -> list[str]:
    """The names of all games and their variants. Raises PnpError if reading them takes too much."""
    with Bound(Place("the list of games")).hold():
        return game.names()


def about(name: str) -> str:
    """The sentence that says what a game is. Raises PnpError if its spec cannot be read."""
    with Bound(Place(quote(name))).hold():
        return game.about(name)


def additions() -> list[Addition]:
    """The additions of installed packages, of each kind in alphabetical order."""
    if not is_extended():
        return []
    from generator.pipeline.exporting import EXPORTERS  # loading takes a third of a second
    from generator.pipeline.game import CHECKS, RENDERERS
    from generator.pipeline.playtesting import ENGINES

    catalogues = (game.GAMES, RENDERERS, CHECKS, ENGINES, EXPORTERS)
    return [addition for catalogue in catalogues for addition in catalogue.additions()]


def schema_text() -> str:
    """The JSON Schema of game.toml as the text of a file."""
    from generator.game.json_schema import decide_by_kind
    from generator.pipeline.game import schema  # a list needs none

    return json.dumps(decide_by_kind(schema(), _ADDRESS), indent=2) + "\n"
