"""A room for each built-in game: the renderers, checks and rules that only it uses.

`renderers.py` draws faces, `checks.py` checks the deck, `face_checks.py` checks the drawn faces,
`play.py` is its rules as an engine.
The files of a game (its spec, tables, art) are under templates/.
"""

from __future__ import annotations

from collections.abc import Mapping

# "module:class" by the name in a spec
RENDERERS: Mapping[str, str] = {
    "talavera.order": "generator.games.talavera.renderers:Order",
    "talavera.tiles": "generator.games.talavera.renderers:Tiles",
}
CHECKS: Mapping[str, str] = {
    "advaya.faces": "generator.games.advaya.checks:AdvayaFaces",
    "advaya.set": "generator.games.advaya.checks:AdvayaSet",
    "advaya.tokens": "generator.games.advaya.checks:Tokens",
    "advaya.track": "generator.games.advaya.checks:TrackFields",
    "atreya.faces": "generator.games.atreya.checks:AtreyaFaces",
    "atreya.set": "generator.games.atreya.checks:AtreyaSet",
    "atreya.start": "generator.games.atreya.checks:Start",
    "talavera.deal": "generator.games.talavera.checks:Deal",
    "talavera.deck": "generator.games.talavera.checks:TalaveraDeck",
    "talavera.faces": "generator.games.talavera.checks:TalaveraFaces",
    "taluva.buildings": "generator.games.taluva.checks:Buildings",
    "taluva.fields": "generator.games.taluva.checks:TaluvaFields",
    "taluva.pairs": "generator.games.taluva.checks:Pairs",
    "taluva.players": "generator.games.taluva.checks:Players",
    "taluva.setup": "generator.games.taluva.checks:Setup",
    "toripoka.cards": "generator.games.toripoka.checks:Cards",
    "toripoka.deck": "generator.games.toripoka.checks:ToripokaDeck",
    "toripoka.pyramids": "generator.games.toripoka.checks:PyramidSet",
    "toripoka.reference": "generator.games.toripoka.checks:Reference",
    "toripoka.sizes": "generator.games.toripoka.checks:PyramidFaces",
}
ENGINES: Mapping[str, str] = {
    "advaya": "generator.games.advaya.play:Advaya",
    "atreya": "generator.games.atreya.play:Atreya",
    "talavera": "generator.games.talavera.play:Talavera",
    "taluva": "generator.games.taluva.play:Taluva",
    "toripoka": "generator.games.toripoka.play:Toripoka",
}
