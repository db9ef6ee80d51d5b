"""A piece that does not fit says which length is missing; the check refuses what the build does."""

from __future__ import annotations

import re
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
tile = false
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
    ("55x56mm", "6mm", MARGINS, "choose paper that is 7 mm larger, such as --paper photo-4x6, or --margin 2.5mm"),
    ("58x58mm", "3mm", DEPTH, "choose paper that is 2 mm larger, such as --paper photo-4x6"),
    ("90x102mm", "4mm", LENGTH, "choose paper on which two pieces lie beside one another, such as --paper photo-4x6"),
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


KIT = """
[component.back]
template = "front.svg"
[booklet]
[[box]]
"""
GERMAN = """
[language.de]
title = "Ein Titel, der auf schmalem Papier keine Zeile findet"
"""
RULES = "# Fit\n\nOne card.\n"
REFUSED = [
    "--paper photo-4x6",
    "--paper 90x200mm",
    "--paper avery-5371",
    "--paper avery-5371 --gap 2mm",
    "--paper a44",
    "--scale 400%",
    "--margin 49mm --paper a5 --booklet off",
    "--paper 100x300mm --orientation landscape",
    "--cutter cricut",
    "--cutter cricut --sides single --paper a6",
    "--cutter laser --sides fold",
    "--sides fold --paper a6",
    "--marks nope",
    "--only nope",
    "--copies 0",
    "--lang fr",
]
LACKING = [
    (
        "--only cards --sides fold --paper 100x80mm",  # a half has 50 - 3.05 - 6.35 mm
        "the piece lacks 9.4 mm in width between the fold and margins of 6.35 mm",
        "choose paper that is 19 mm larger",
    ),
    (
        "--only cards --cutter laser --paper 60x60mm",
        "the piece lacks 21.0 mm in width and 10.0 mm in height in the room that laser leaves",
        "cut by hand, --cutter none, or choose paper that is 21 mm larger",
    ),
    (
        "--only cards --paper a4 --scale 400%",
        "a piece of 200 x 200 mm does not fit on paper of 210 x 297 mm: the piece lacks 2.7 mm in",
        "print it smaller than at 400 %",
    ),
    (
        "--only rules --paper a5 --margin 49mm",
        "too small for the booklet: its text lacks 45.0 mm in width and 52.0 mm in height",
        "print it on larger paper, or with a smaller margin",
    ),
    (
        "--only rules --paper photo-4x6",
        "too small for the booklet: its text lacks 17.9 mm in height",
        "print it on larger paper",
    ),
]
PRINTED = [
    "",
    "--sides fold",
    "--sides single --booklet off --copies 2",
    "--cutter silhouette",
    "--only cards --paper photo-4x6 --margin 2mm --flip short",
]


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A card with a back, a box, and rules on pages of half a sheet."""
    (tmp_path / "game.toml").write_text(SPEC + KIT, "utf-8")
    (tmp_path / "front.svg").write_text(DRAWING, "utf-8")
    (tmp_path / "rules.md").write_text(RULES, "utf-8")
    return tmp_path


def errors(output: str) -> set[str]:
    """The messages, each with its hint."""
    found = re.findall(r"(?m)^error: .*(?:\n    .*)*", output)
    assert found, output
    return set(found)


def test_a_disc_is_not_printed_in_panels(tmp_path: Path, pnp: Pnp) -> None:
    disc = SPEC.replace('size = ["50mm", "50mm"]\ntile = false', 'shape.kind = "circle"')
    spec = disc.replace("row =", 'shape.diameter = "50mm"\nrow =')
    (tmp_path / "game.toml").write_text(spec, "utf-8")
    (tmp_path / "front.svg").write_text(DRAWING, "utf-8")
    hint = "or make it smaller: only a rectangle is printed in panels"
    assert hint in pnp("check", tmp_path, "--paper", "55x56mm").output


@pytest.mark.parametrize(("options", "what", "hint"), LACKING)
def test_what_takes_room_is_named_with_the_mm_that_are_missing(
    options: str, what: str, hint: str, kit: Path, pnp: Pnp
) -> None:
    for command in (("check", kit), ("build", kit, "--plan")):
        (told,) = errors(pnp(*command, *options.split()).output)
        assert what in told
        assert hint in told


@pytest.mark.parametrize("options", REFUSED)
def test_check_refuses_what_build_refuses(options: str, kit: Path, pnp: Pnp) -> None:
    built = pnp("build", kit, *options.split(), "-o", kit / "kit.pdf")
    checked = pnp("check", kit, *options.split())
    assert (built.exit_code, checked.exit_code) == (1, 1)
    assert errors(checked.output) == errors(built.output)
    assert not (kit / "kit.pdf").exists()


@pytest.mark.parametrize("options", PRINTED)
def test_check_passes_what_build_prints(options: str, kit: Path, pnp: Pnp) -> None:
    for command in (("check", kit), ("build", kit, "--plan")):
        result = pnp(*command, *options.split())
        assert result.exit_code == 0, result.output


def test_check_lays_out_every_language(kit: Path, pnp: Pnp) -> None:
    """The slug has the title of the game, which is longer in German."""
    (kit / "game.toml").write_text((SPEC + KIT + GERMAN).replace("50mm", "72mm"), "utf-8")
    (kit / "front.svg").write_text(DRAWING.replace("50", "72"), "utf-8")
    options = "--only", "cards", "--paper", "82x120mm", "--margin", "2mm"
    assert pnp("build", kit, "--plan", *options).exit_code == 0
    (built,) = errors(pnp("build", kit, "--lang", "de", *options).output)
    (checked,) = errors(pnp("check", kit, *options).output)
    assert checked.replace(": de: ", ": ") == built
    assert "the slug" in built


def test_faults_of_rules_and_pieces_are_told_together(kit: Path, pnp: Pnp) -> None:
    (kit / "rules.md").write_text(f"{RULES}\n:no-such-icon:\n", "utf-8")
    options = ("--scale", "400%")
    built = errors(pnp("build", kit, *options).output)
    assert len(built) == 2, "the card lacks room, the rules an icon"
    assert errors(pnp("check", kit, *options).output) == built


def test_strict_check_fails_on_a_warning(tmp_path: Path, pnp: Pnp) -> None:
    (tmp_path / "game.toml").write_text(SPEC, "utf-8")
    (tmp_path / "front.svg").write_text(DRAWING, "utf-8")
    assert pnp("check", tmp_path, "--strict").exit_code == 0
    (tmp_path / "front.svg").write_text(DRAWING.replace("M9 9h9v9", "M0 0h50v50h-50z"), "utf-8")
    assert pnp("check", tmp_path).exit_code == 0
    assert pnp("check", tmp_path, "--strict").exit_code == 1
