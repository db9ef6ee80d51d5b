"""What pieces hide as they lie on a table."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from generator import pipeline
from generator.export.pieces import PrintedPiece, is_board, lying_sets
from generator.pipeline.game import draw
from generator.pipeline.sheets import silent

STARTER = Path(pipeline.__file__).parents[1] / "game/starters/skirmish"


def test_only_backs_that_fronts_share_hide_them() -> None:
    loaded = pipeline.read(str(STARTER))
    sets = {lying.id: lying for lying in lying_sets(loaded.game.components, draw(loaded, silent))}
    assert sets["cards"].is_secret
    assert not sets["board"].is_secret, "a board has one front, and lies with that up"
    assert not sets["screens"].is_secret


def test_a_board_is_there_once() -> None:
    (track,) = (part for part in pipeline.read("advaya").game.components if part.id == "track")
    (piece,) = track.pieces
    assert is_board(track, [PrintedPiece(piece, "face", None)])
    assert not is_board(track, [PrintedPiece(replace(piece, copies=2), "face", None)])
