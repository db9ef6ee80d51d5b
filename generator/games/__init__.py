"""A room for each built-in game: the renderers, checks and rules that only it uses.

`renderers.py` draws faces, `checks.py` checks the deck and its faces, `play.py` is its rules as an engine. The files of
a game (its spec, tables, art) are under templates/.
"""

from collections.abc import Mapping

# "module:class" by the name in a spec
ENGINES: Mapping[str, str] = {
    "advaya": "generator.games.advaya.play:Advaya",
    "atreya": "generator.games.atreya.play:Atreya",
    "talavera": "generator.games.talavera.play:Talavera",
    "taluva": "generator.games.taluva.play:Taluva",
    "toripoka": "generator.games.toripoka.play:Toripoka",
}
