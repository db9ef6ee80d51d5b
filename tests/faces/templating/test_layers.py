"""Layers that are drawn in some rows, in some variants, or never."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import faces, pipeline
from generator import game as gamefile
from generator.basics.errors import PnpError
from tests.game.tiny import GAME, HEAD, drawn, problems, text, words, write

INKSCAPE = 'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
LAYERS = HEAD.replace("<svg ", f"<svg {INKSCAPE}")
BODY = (
    (
        f'<g inkscape:groupmode="layer" id="layer1" inkscape:label="night">{text("night")}</g>'
        f'<g id="two_players" data-name="two players">{text("two")}</g>'
        f'<g id="guides">{text("never {{{{ x }}}} {{{{ nobody_has_this }}}}")}<script/></g>'
        f'<g id="sure" pnp:if="x == 7">{text("seven")}</g>'
    )
    .replace("{{{{", "{{")
    .replace("}}}}", "}}")
)
TOLD = """layers = { guides = false, night = "t == 'dark'", "two players" = false, sure = "t" }\n"""
DUEL = '[variant.duel]\nabout = "For two."\nlayers = { "two players" = true, night = false }\n'


def layered(folder: Path, told: str = TOLD, more: str = "") -> Path:
    game = GAME.replace('edge = "red"\n', f'edge = "red"\n{told}') + more
    (folder / "game.toml").write_text(game, "utf-8")
    write(folder, BODY, head=LAYERS)
    (folder / "cards.csv").write_text("id,x,t\na,7,dark\nb,7,light\nc,8,\n", "utf-8")
    return folder


def test_layers_are_switched_by_rows_and_never(folder: Path) -> None:
    found = drawn(layered(folder))
    assert [words(face) for face in found.values()] == ["night seven", "seven", ""]


def test_a_variant_switches_layers(folder: Path) -> None:
    layered(folder, more=DUEL)
    loaded = gamefile.read(folder, "duel", pipeline.KINDS)
    made = faces.draw(loaded.designs[0], "front")
    assert [words(face) for _, face in made] == ["two seven", "two seven", "two"]
    assert words(drawn(folder)["a"]) == "night seven"


def test_without_a_word_all_layers_are_drawn(folder: Path) -> None:
    (found, *_) = (problem.what for problem in problems(layered(folder, "")))
    assert "<script> is not printed" in found


@pytest.mark.parametrize(
    ("told", "more", "what"),
    [
        (TOLD.replace("sure", "shure"), "", "front.svg has no layer 'shure'"),
        (TOLD, DUEL.replace("night", "nigth"), "no template has a layer 'nigth'"),
        (TOLD.replace('"t"', '"t =="'), "", "'t ==' is not an expression"),
        (TOLD.replace('"t"', '"t.upper()"'), "", "there is no part 'upper'"),
        (TOLD.replace('"t"', '"tt"'), "", "the column 'tt' is missing from tiny/cards.csv:1"),
        (TOLD.replace('"t"', "3"), "", "sure"),
        (TOLD, '[variant.duel]\nabout = "For two."\n', "the variant changes nothing"),
    ],
)
def test_a_layer_misnamed_is_reported(folder: Path, told: str, more: str, what: str) -> None:
    layered(folder, told, more)
    with pytest.raises(PnpError) as caught:
        drawn(folder)
    assert any(what in problem.what for problem in caught.value.problems), caught.value
