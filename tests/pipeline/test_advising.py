"""What a plan advises saves as many sheets as it says."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree

import pytest

from generator import plan_game
from generator.pipeline.request import PrintOptions
from tests.conftest import Pnp

PAD = Path(__file__).parents[1] / "recipes/score-pad"


def pad(folder: Path, size: str, count: int = 8) -> str:
    """A pad of sheets of a size."""
    game = folder / "pad"
    copytree(PAD, game, dirs_exist_ok=True)
    width, height = size.removesuffix("mm").split("x")
    spec = (PAD / "game.toml").read_text("utf-8").replace("98x128mm", size)
    (game / "game.toml").write_text(spec.replace("count = 8", f"count = {count}"), "utf-8")
    drawing = (PAD / "pad.svg").read_text("utf-8")
    drawing = drawing.replace('"98mm"', f'"{width}mm"').replace('"128mm"', f'"{height}mm"')
    (game / "pad.svg").write_text(drawing.replace("98 128", f"{width} {height}"), "utf-8")
    return str(game)


@pytest.mark.parametrize(
    ("size", "paper", "advice"),
    [
        ("99x140mm", "a4", r"pad: ([\d.]+) mm narrower or --margin (tight): (\d) sheets .* 4, 4 a"),
        ("95x143mm", "a4", r"pad: ([\d.]+) mm shorter or --margin (tight): (\d) sheets instead"),
        ("102.4x128mm", "letter", r"pad: ([\d.]+) mm narrower or --margin (tight): (\d) sheets"),
        ("98x135mm", "letter", r"pad: .*()--paper (a4): (\d) sheets instead of 3"),
    ],
)
def test_what_is_advised_saves_sheets(size: str, paper: str, advice: str, tmp_path: Path) -> None:
    options = PrintOptions(paper=paper)
    plan = plan_game(pad(tmp_path, size), **options)
    said = next(match for line in plan.advice if (match := re.match(advice, line)))
    less, setting, sheets = said.groups()
    assert plan.rows[0].sheets > int(sheets)
    options["paper" if setting == "a4" else "margin"] = setting
    assert plan_game(pad(tmp_path, size), **options).rows[0].sheets == int(sheets)
    if less:  # and not a step less
        sides = [float(side) for side in size.removesuffix("mm").split("x")]
        for by, expected in ((float(less), int(sheets)), (float(less) - 0.1, plan.rows[0].sheets)):
            sides[int("shorter" in advice)] -= by
            fitted = pad(tmp_path, f"{sides[0]:.4g}x{sides[1]:.4g}mm")
            assert plan_game(fitted, paper=paper).rows[0].sheets == expected
            sides[int("shorter" in advice)] += by


@pytest.mark.parametrize(
    ("count", "options", "advice"),
    [
        (8, {}, []),
        (7, {}, ["pad: a place is free; a row with count = fill takes them"]),
        (5, {}, ["pad: 3 places are free; a row with count = fill takes them"]),
        (7, {"only": ["pad/sheet"]}, []),
    ],
)
def test_free_places_are_told(count: int, options: PrintOptions, advice: list[str], tmp_path: Path) -> None:
    plan = plan_game(pad(tmp_path, "98x128mm", count), **PrintOptions(paper="a4") | options)
    assert plan.advice == advice


def test_the_command_says_it(tmp_path: Path, pnp: Pnp) -> None:
    told = pnp("build", pad(tmp_path, "99x140mm"), "--plan", "--paper", "a4").stdout
    assert re.search(r"^advice: pad: 0\.\d mm narrower or --margin tight: 2 sheets", told, re.M)
