"""`pnp check --for SHOP`: each finding about a print shop, planted, and what is sound."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from generator.checks.preflight.findings import coverage_of
from tests.conftest import Pnp
from tests.support.editing import edit
from tests.support.shopping import Ware, make_wares

PALE = ("#e8d8a0", "#a0d8e8", "#d8e8a0")
TEXT = '<text x="{}" y="45" font-size="5" fill="#000">Word</text>'


def pale(**changes: Any) -> Ware:
    """Cards that no shop objects to."""
    return Ware(**{"bleed": 4.0, "fronts": PALE, "backs": PALE, **changes})


def found(pnp: Pnp, game: Path, shop: str | None) -> dict[str, tuple[str, str]]:
    """The level and the words of each finding about shops, and of those that they replace."""
    options = ("--for", shop) if shop else ()
    result = pnp("check", game, "--format", "json", *options)
    findings = json.loads(result.output)["findings"]
    assert (result.exit_code == 1) == any(finding["level"] == "error" for finding in findings)
    kinds = ("shop.", "drift.bare", "drift.bleed", "drift.text", "image.coarse")
    return {
        finding["rule"]: (finding["level"], finding["what"])
        for finding in findings
        if finding["rule"].startswith(kinds)
    }


def coarse() -> bytes:
    buffer = io.BytesIO()
    noise = bytes((i * 7919) % 251 for i in range(100 * 100 * 3))
    Image.frombytes("RGB", (100, 100), noise).save(buffer, "PNG")
    return buffer.getvalue()


PLANTED: dict[str, tuple[dict[str, Any], str, tuple[str, str, str]]] = {
    "a size": (
        {"size": (61.0, 88.0)},
        "thegamecrafter",
        ("shop.size", "error", "Cards: pnp knows no cards of The Game Crafter of 61 x 88 mm"),
    ),
    "a size far from all": (
        {"size": (30.0, 160.0)},
        "makeplayingcards",
        ("shop.size", "warning", "Cards: pnp knows no cards of MakePlayingCards of 30 x 160 mm"),
    ),
    "a form": (
        {"size": (30.0, 30.0), "shape": '[component.shape]\nkind = "circle"\ndiameter = "30mm"'},
        "makeplayingcards",
        ("shop.size", "note", "pnp knows no product of MakePlayingCards for discs"),
    ),
    "a narrow bleed": (
        {"bleed": 2.0, "backs": ()},
        "thegamecrafter",
        ("shop.bleed", "note", "the fronts of all 2: its bleed is 2 mm, but The Game Crafter wants 3.2 mm"),
    ),
    "art that ends in the bleed": (
        {"more": '<path d="M-4 -4 H-1.5 V93 H-4 z" fill="#fff"/>'},
        "drivethrucards",
        ("shop.bleed", "warning", "art ends about 1.4 mm beyond the trim, but DriveThruCards wants 3.2 mm"),
    ),
    "text near the trim": (
        {"more": TEXT.format(3.3)},
        "mbprint",
        ("shop.text", "warning", "mm from the trim, but MB Print wants 4 mm"),
    ),
    "a coarse picture": (
        {"more": '<image x="20" y="30" width="20" height="20" href="noise.png"/>', "files": {"noise.png": coarse()}},
        "makeplayingcards",
        ("shop.pixels", "warning", "the fronts of all 2: a picture has 127 dpi, but MakePlayingCards prints 300"),
    ),
    "much ink": (
        {"more": '<rect x="8" y="50" width="40" height="25" fill="#000"/>'},
        "drivethrucards",
        ("shop.ink", "note", "the fronts of all 2: about 300% of ink on 18% of it, but DriveThruCards takes 240%"),
    ),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_planted(fault: str, tmp_path: Path, pnp: Pnp) -> None:
    changes, shop, (kind, level, words) = PLANTED[fault]
    game = make_wares(tmp_path / "wares", pale(**changes))
    ((rule, (how, what)),) = found(pnp, game, shop).items()
    assert (rule, how) == (kind, level)
    assert words in what


@pytest.mark.parametrize(
    ("changes", "shop"),
    [
        ({}, "thegamecrafter"),
        ({}, "drivethrucards"),
        ({"bleed": 3.0}, "thegamecrafter"),  # 1/8 inch, as shops write it
        ({"more": TEXT.format(4.3)}, "mbprint"),
        ({"more": TEXT.format(3.1)}, "drivethrucards"),
        ({"more": '<rect x="8" y="50" width="40" height="25" fill="#000"/>'}, "thegamecrafter"),
        ({"more": '<path d="M-4 -4 H-3.3 V93 H-4 z" fill="#fff"/>'}, "thegamecrafter"),
        ({"more": TEXT.format(3.1)}, None),
    ],
)
def test_sound(changes: dict[str, Any], shop: str | None, tmp_path: Path, pnp: Pnp) -> None:
    game = make_wares(tmp_path / "wares", pale(**changes))
    assert {kind for kind in found(pnp, game, shop) if kind != "drift.bare"} == set()


def test_a_finding_for_a_shop_can_be_accepted(tmp_path: Path, pnp: Pnp) -> None:
    """Neither the check without the shop nor that of another shop calls it needless."""
    game = make_wares(tmp_path / "wares", pale(more=TEXT.format(3.3), counts=(1,)))
    printed = pnp("check", game, "--for", "mbprint", "--accept").stdout
    assert 'finding = "shop.text"' in printed
    entry = printed.replace('reason = ""', 'reason = "meant so"')
    spec = (game / "game.toml").read_text("utf-8")
    (game / "game.toml").write_text(f"{spec}\n{entry}", "utf-8")
    assert found(pnp, game, "mbprint")["shop.text"][0] == "note"
    for options in ((), ("--for", "drivethrucards"), ("--for", "mbprint")):
        assert ": 0 errors, 0 warnings, " in pnp("check", game, *options).output
    edit(game / "game.toml", '"shop.text"', '"shop.texts"')
    assert "did you mean 'shop.text'?" in pnp("check", game).output


@pytest.mark.parametrize(
    ("colour", "ink"),
    # by the default profile of Ghostscript, which is of coated paper (SWOP)
    [
        ((255, 255, 255), 0),
        ((0, 0, 0), 298),
        ((80, 80, 80), 228),
        ((128, 128, 128), 153),
        ((0, 0, 80), 285),
        ((60, 20, 10), 285),
        ((139, 0, 0), 268),
        ((20, 40, 90), 268),
        ((255, 255, 0), 106),
    ],
)
def test_ink_is_about_that_of_a_press(colour: tuple[int, int, int], ink: int) -> None:
    (found_ink,) = coverage_of(np.array([colour], np.uint8))
    assert found_ink == pytest.approx(ink, abs=20)


def test_a_wrong_size_is_reported_once_for_all_languages(tmp_path: Path, pnp: Pnp) -> None:
    game = make_wares(tmp_path / "wares", pale(size=(61.0, 88.0)))
    german = '[language.de]\ncomponent.cards = "Karten"\n[[component]]'
    edit(game / "game.toml", "[[component]]", german)
    assert pnp("check", game, "--for", "mbprint", "--lang", "de").exit_code == 0
    result = pnp("check", game, "--for", "thegamecrafter")
    assert result.output.count("61 x 88 mm") == 1
    assert "1 error" in result.output
