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
    "advaya.faces": "generator.games.advaya.face_checks:AdvayaFaces",
    "advaya.set": "generator.games.advaya.checks:AdvayaSet",
    "advaya.tokens": "generator.games.advaya.face_checks:Tokens",
    "advaya.track": "generator.games.advaya.face_checks:TrackFields",
    "atreya.faces": "generator.games.atreya.face_checks:AtreyaFaces",
    "atreya.set": "generator.games.atreya.checks:AtreyaSet",
    "atreya.start": "generator.games.atreya.start:Start",
    "talavera.deal": "generator.games.talavera.checks:Deal",
    "talavera.deck": "generator.games.talavera.face_checks:TalaveraDeck",
    "talavera.faces": "generator.games.talavera.face_checks:TalaveraFaces",
    "taluva.buildings": "generator.games.taluva.checks:Buildings",
    "taluva.fields": "generator.games.taluva.face_checks:TaluvaFields",
    "taluva.pairs": "generator.games.taluva.checks:Pairs",
    "taluva.players": "generator.games.taluva.face_checks:Players",
    "taluva.setup": "generator.games.taluva.checks:Setup",
    "toripoka.cards": "generator.games.toripoka.face_checks:Cards",
    "toripoka.deck": "generator.games.toripoka.checks:ToripokaDeck",
    "toripoka.pyramids": "generator.games.toripoka.checks:PyramidSet",
    "toripoka.reference": "generator.games.toripoka.face_checks:Reference",
    "toripoka.sizes": "generator.games.toripoka.face_checks:PyramidFaces",
}
ENGINES: Mapping[str, str] = {
    "advaya": "generator.games.advaya.play:Advaya",
    "atreya": "generator.games.atreya.play:Atreya",
    "talavera": "generator.games.talavera.play:Talavera",
    "taluva": "generator.games.taluva.play:Taluva",
    "toripoka": "generator.games.toripoka.play:Toripoka",
}
