"""`pnp build --colour`: files for a press, and what is said of faults."""

from __future__ import annotations

import os
from pathlib import Path

import pikepdf
import pytest
from PIL import ImageCms

import generator
from generator.basics.errors import PnpError
from generator.pdf.inks import built_in_profile
from tests.conftest import Pnp
from tests.game.tiny import tiny, write


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No profile of the person who runs the tests is read."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def game(body: str = '<circle r="9"/>') -> str:
    write(tiny(Path("tiny")), body)
    return "./tiny"


def intent(path: str) -> tuple[str, str]:
    """What a file says of its press: the condition, and the name of the profile."""
    with pikepdf.open(path) as pdf:
        (found,) = pdf.Root.OutputIntents
        return str(found.OutputConditionIdentifier), str(found.Info)


def test_a_file_for_a_press(pnp: Pnp) -> None:
    result = pnp("build", game(), "--colour", "cmyk")
    assert (result.exit_code, result.output) == (0, "output/tiny.pdf\n")
    assert intent("output/tiny.pdf") == ("FOGRA39", "Coated paper, FOGRA39L, 240 % ink")


def test_a_profile_by_path(pnp: Pnp) -> None:
    Path("shop.icc").write_bytes(built_in_profile().content)
    result = pnp("build", game(), "--colour", "cmyk", "--profile", "shop.icc")
    assert result.exit_code == 0, result.output
    assert intent("output/tiny.pdf")[0] == "Custom"


def test_backs_in_a_file_of_their_own_are_for_the_press_too(pnp: Pnp) -> None:
    result = pnp("build", "talavera", "--only", "cards", "--sides", "separate", "--colour", "x1a")
    assert result.exit_code == 0, result.output
    for path in result.output.split():
        assert intent(path)[0] == "FOGRA39"


def test_pages_of_rules_that_a_standard_does_not_allow_are_named(pnp: Pnp) -> None:
    result = pnp("build", "talavera", "--only", "rules", "--colour", "x1a")
    assert result.output.startswith("error: PDF/X-1a:2003: it has no transparency, but these have: ")
    assert "opacity" in result.output


def test_several_games_in_one_file(pnp: Pnp) -> None:
    folder = game()
    result = pnp("build", folder, "talavera", "--only", "cards", "--colour", "cmyk", "-o", "a.pdf")
    assert result.exit_code == 0, result.output
    assert intent("a.pdf")[0] == "FOGRA39"


def test_a_blend_is_noted(pnp: Pnp) -> None:
    blend = '<circle r="9"/><circle r="9" fill="red" style="mix-blend-mode:multiply"/>'
    result = pnp("build", game(blend), "--colour", "cmyk", "--ink-limit", "200 %")
    assert result.exit_code == 0
    assert "ink may pass 200 % where drawings blend with what is below them: Cards a, front" in (result.output)


FAULTS = {
    "not there": (
        ["--colour", "cmyk", "--profile", "none.icc"],
        "error: none.icc: the file 'none.icc' does not exist\n    hint: did you mean 'broken.icc'?",
    ),
    "a pipe": (["--colour", "cmyk", "--profile", "pipe.icc"], "error: pipe.icc: 'pipe.icc' is not a plain file"),
    "of a screen": (
        ["--colour", "cmyk", "--profile", "screen.icc"],
        "error: screen.icc: this profile is for RGB, not CMYK\n"
        "    hint: name the output profile that the print shop gives: FILE.icc",
    ),
    "broken": (
        ["--colour", "cmyk", "--profile", "broken.icc"],
        "error: broken.icc: this profile is damaged\n"
        "    hint: name the output profile that the print shop gives: FILE.icc",
    ),
    "too little": (
        ["--colour", "cmyk", "--ink-limit", "5 %"],
        "error: ink limit '5 %': the limit of ink can be 100 % to 400 %\n"
        "    hint: a print shop says its own, often 240% or 300%",
    ),
    "no percentage": (
        ["--colour", "cmyk", "--ink-limit", "2.4"],
        "error: ink limit '2.4': this is not a percentage\n    hint: a number and a percent sign: 240%",
    ),
    "no inks": (["--ink-limit", "240%"], "error: ink limit: colours in RGB have no inks\n    hint: add --colour cmyk"),
    "transparent": (
        ["--colour", "x1a"],
        "error: PDF/X-1a:2003: it has no transparency, but these have: Cards a, front (opacity)\n"
        "    hint: make these drawings opaque; only PDF/X-4 allows transparency",
    ),
}


@pytest.mark.parametrize(("options", "told"), FAULTS.values(), ids=FAULTS)
def test_faults(options: list[str], told: str, pnp: Pnp) -> None:
    screen = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
    Path("screen.icc").write_bytes(screen.tobytes())
    whole = built_in_profile().content
    entry = whole.index(b"B2A1") + 4
    table = int.from_bytes(whole[entry : entry + 4], "big")
    Path("broken.icc").write_bytes(whole[:table] + bytes(48) + whole[table + 48 :])
    os.mkfifo("pipe.icc")
    result = pnp("build", game('<circle r="9" opacity=".5"/>'), *options)
    assert (result.exit_code, result.output.strip()) == (1, told)
    assert not Path("output").exists()


def test_an_export_has_the_colours_of_its_format() -> None:
    with pytest.raises(PnpError, match="a format has its own colours"):
        generator.export_game("talavera", "png", colour="cmyk")


@pytest.mark.parametrize("limit", [0.05, 240.0])
def test_faults_of_a_program(limit: float) -> None:
    with pytest.raises(PnpError, match="the limit of ink can be 100 % to 400 %"):
        generator.print_game("talavera", colour="cmyk", ink_limit=limit)
    with pytest.raises(PnpError, match="there is no such choice"):
        generator.print_game("talavera", colour="cmy")  # type: ignore[arg-type]
