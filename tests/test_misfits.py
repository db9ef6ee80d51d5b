"""A piece that does not fit says which length is missing; the check refuses what the build does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Pnp

SPEC = """[game]
title = "Fit"
designer = "A. Designer"
about = "A card."
[[component]]
id = "cards"
title = "Cards"
size = ["50mm", "50mm"]
bleed = "0mm"
row = [{ id = "1" }]
[component.front]
template = "front.svg"
"""
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 50 50"><path d="M9 9h9v9"/></svg>'
MARGINS = "the piece lacks 7.0 mm in width and 6.0 mm in height between margins of 6 mm"
DEPTH = "the slug, a line of text beside the piece, lacks 1.6 mm of room"
LENGTH = "the slug's longest line of 57.9 mm is 7.9 mm too long"
MISFITS = [
    (
        "55x56mm",
        "6mm",
        MARGINS,
        "choose paper that is 7 mm larger, such as --paper photo-4x6, or --margin 2.5mm",
    ),
    ("58x58mm", "3mm", DEPTH, "choose paper that is 2 mm larger, such as --paper photo-4x6"),
    (
        "90x102mm",
        "4mm",
        LENGTH,
        "choose paper on which two pieces lie beside one another, such as --paper photo-4x6",
    ),
]


@pytest.mark.parametrize(("paper", "margin", "what", "hint"), MISFITS)
def test_check_and_build_say_which_length_is_missing(
    paper: str, margin: str, what: str, hint: str, tmp_path: Path, pnp: Pnp
) -> None:
    (tmp_path / "game.toml").write_text(SPEC, "utf-8")
    (tmp_path / "front.svg").write_text(DRAWING, "utf-8")
    how = ("--paper", paper, "--margin", margin)
    for command in (("check", tmp_path), ("build", tmp_path, "--plan")):
        result = pnp(*command, *how)
        assert result.exit_code == 1, command
        assert what in result.output
        assert hint in result.output
    for larger in ("90x120mm", "photo-4x6"):
        how = ("--paper", larger, "--margin", margin)
        assert pnp("check", tmp_path, *how).exit_code == 0
        assert pnp("build", tmp_path, "--plan", *how).exit_code == 0


def test_strict_check_fails_on_a_warning(tmp_path: Path, pnp: Pnp) -> None:
    (tmp_path / "game.toml").write_text(SPEC, "utf-8")
    (tmp_path / "front.svg").write_text(DRAWING, "utf-8")
    assert pnp("check", tmp_path, "--strict").exit_code == 0
    (tmp_path / "front.svg").write_text(DRAWING.replace("M9 9h9v9", "M0 0h50v50h-50z"), "utf-8")
    assert pnp("check", tmp_path).exit_code == 0
    assert pnp("check", tmp_path, "--strict").exit_code == 1
