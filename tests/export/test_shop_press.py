"""The PDFs for shops with a press: nothing in RGB, the shop's limit of ink, its standard."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from generator import export_game
from generator.export.shop.shops import find_shop, shop_names
from generator.pdf.inks import built_in_profile
from tests.conftest import Pnp
from tests.support.inked import find_colours, opened, separations
from tests.support.shopping import Ware, make_wares

STANDARDS = {"drivethrucards": "PDF/X-1a:2003", "mbprint": "PDF/X-4"}
VERSIONS = {"drivethrucards": b"%PDF-1.4", "mbprint": b"%PDF-1.6"}
STEP = 1.2  # percent of ink: each of four inks is rounded to a byte
BLACK = '<rect x="8" y="20" width="40" height="25" fill="#000"/>'
BLUE = '<rect x="8" y="50" width="40" height="25" fill="#00003c"/>'
FADED = '<circle cx="30" cy="40" r="9" fill="#c00" opacity=".5"/>'


def export(pnp: Pnp, game: str | Path, shop: str, out: Path, *options: str) -> bytes:
    """The one PDF of a game for a shop."""
    result = pnp("export", game, "--to", "shop", "--for", shop, "-o", out, *options)
    assert result.exit_code == 0, result.output
    (file,) = (out / shop).glob("*.pdf")
    return file.read_bytes()


def test_only_pdfs_have_inks() -> None:
    shops = map(find_shop, shop_names())
    assert {shop.name: shop.colour for shop in shops if shop.colour != "RGB"} == STANDARDS
    assert all(find_shop(name).files == "pdf" for name in STANDARDS)


@pytest.fixture(scope="module")
def exported() -> dict[str, bytes]:
    """The PDF of a game for each shop: two with cards of a shop's size."""

    def make(game: str, shop: str) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            export_game(game, "shop", Path(folder), settings={"shop": shop})
            (file,) = Path(folder, shop).glob("*.pdf")
            return file.read_bytes()

    return {"drivethrucards": make("toripoka", "drivethrucards"), "mbprint": make("talavera", "mbprint")}


@pytest.mark.parametrize("shop", STANDARDS)
def test_nothing_is_in_rgb(shop: str, exported: dict[str, bytes]) -> None:
    content = exported[shop]
    assert content.startswith(VERSIONS[shop])
    with opened(content) as pdf:
        assert list(find_colours(pdf)) == []
        assert STANDARDS[shop].encode() in pdf.Root.Metadata.read_bytes()
        (intent,) = pdf.Root.OutputIntents
        assert intent.DestOutputProfile.read_bytes() == built_in_profile().content
        for page in pdf.pages:
            trim, bleed, media = ([float(end) for end in box] for box in (page.trimbox, page.bleedbox, page.mediabox))
            assert media == bleed
            assert bleed[0] < trim[0] < trim[2] < bleed[2]
            assert bleed[1] < trim[1] < trim[3] < bleed[3]


def test_ink_of_a_game_keeps_to_the_limit(exported: dict[str, bytes], tmp_path: Path) -> None:
    """As Ghostscript separates the inks."""
    content = exported["drivethrucards"]
    assert 100 < most_ink(content, tmp_path) <= find_shop("drivethrucards").ink + STEP  # type: ignore[operator]


def most_ink(content: bytes, folder: Path) -> float:
    """The most ink at a pixel of any page, in percent."""
    return max(float(inks.sum(axis=2, dtype=int).max()) for inks in separations(content, folder)) / 2.55


@pytest.mark.parametrize("more", [BLACK, BLUE])
def test_dark_areas_are_brought_to_the_limit(more: str, tmp_path: Path, pnp: Pnp) -> None:
    game = make_wares(tmp_path / "wares", Ware(counts=(1,), more=more))
    inks = most_ink(export(pnp, game, "drivethrucards", tmp_path / "out"), tmp_path)
    assert 200 < inks <= 240 + STEP


def test_pages_look_as_before(tmp_path: Path, pnp: Pnp) -> None:
    """Words, art and their places, beside the same pages in RGB."""
    press = export(pnp, "talavera", "mbprint", tmp_path / "press", "--only", "cards/1")
    home = export(pnp, "talavera", "printplay", tmp_path / "home", "--only", "cards/1")
    for one, other in zip(pages_of(press, 3.0), pages_of(home, 2.0), strict=True):
        assert np.abs(one - other).mean() < 12  # of 255: inks are duller


def pages_of(content: bytes, bleed: float) -> list[np.ndarray[tuple[int, ...], np.dtype[np.int16]]]:
    """The trims of the pages, small."""
    from pypdfium2 import PdfDocument

    with PdfDocument(content) as document:
        images = [page.render(scale=2).to_pil().convert("RGB") for page in document]
    edge = 2 * bleed * 72 / 25.4
    trims = [image.crop((edge, edge, image.width - edge, image.height - edge)) for image in images]
    return [np.asarray(trim.resize((120, 168), Image.Resampling.BOX)).astype(np.int16) for trim in trims]


def test_a_transparent_face_is_named_and_nothing_is_written(tmp_path: Path, pnp: Pnp) -> None:
    game = make_wares(tmp_path / "wares", Ware(counts=(1,), more=FADED))
    out = tmp_path / "out"
    result = pnp("export", game, "--to", "shop", "--for", "drivethrucards", "-o", out)
    assert result.exit_code == 1
    assert result.stderr.endswith(
        "error: PDF/X-1a:2003: it has no transparency, but these have: Cards a, front (opacity)\n"
        "    hint: make these drawings opaque; only PDF/X-4 allows transparency\n"
    )
    assert not out.exists()
    export(pnp, game, "mbprint", out)  # PDF/X-4 has transparency


def test_the_profile_of_the_shop(tmp_path: Path, pnp: Pnp) -> None:
    path = tmp_path / "press.icc"
    path.write_bytes(built_in_profile().content)
    game = make_wares(tmp_path / "wares", Ware(counts=(1,)))
    content = export(pnp, game, "drivethrucards", tmp_path / "out", "--set", f"profile={path}")
    with opened(content) as pdf:
        assert pdf.Root.OutputIntents[0].OutputConditionIdentifier == "Custom"


@pytest.mark.parametrize(
    ("shop", "profile", "told"),
    [
        ("printplay", "press.icc", "--set profile: the files for Print & Play are in RGB"),
        ("drivethrucards", "none.icc", "none.icc: the file 'none.icc' does not exist"),
    ],
)
def test_a_wrong_profile_writes_nothing(shop: str, profile: str, told: str, tmp_path: Path, pnp: Pnp) -> None:
    game, out = make_wares(tmp_path / "wares", Ware(counts=(1,))), tmp_path / "out"
    asked = ("export", game, "--to", "shop", "--for", shop, "-o", out)
    result = pnp(*asked, "--set", f"profile={profile}")
    assert (result.exit_code, told in result.output) == (1, True), result.output
    assert not out.exists()
