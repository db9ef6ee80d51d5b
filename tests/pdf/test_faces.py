"""The engine that draws reads no font that was not proven before."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pikepdf
import pytest
import typst
from PIL import Image, ImageCms

from generator.text import HOUSE_FAMILY, HOUSE_FONTS, FontBook
from tests.support.printing import CARD, face_of, proof_of

FONT = FontBook([HOUSE_FONTS]).find(HOUSE_FAMILY).path.read_bytes()
ENDINGS = ("ttf", "TTF", "otf", "OTF", "ttc", "TTC", "otc", "OTC", "otb", "dfont", "pfb")
NAMES = [f"{stem}.{end}" for stem in ("font", ".hidden", ".in/folder") for end in ENDINGS]


def test_what_the_engine_reads_the_book_has_read(tmp_path: Path) -> None:
    """And the other way round: no text is measured with a font that the engine does not know."""
    folders = {tmp_path / f"{number}": name for number, name in enumerate([*NAMES, "font"])}
    for folder, name in folders.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_bytes(FONT)
    measured = {name for folder, name in folders.items() if FontBook([folder]).families()}
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[*map(str, folders)])
    drawn = {str(font.path) for font in fonts.fonts()}
    assert measured == {name for folder, name in folders.items() if str(folder / name) in drawn}
    assert measured


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_proof_keeps_only_the_profiles_of_designers(is_kept: bool) -> None:
    """Viewers take sRGB for what says nothing else; painting with it takes twice as long."""
    own = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    own = own[:8] + bytes([4, 0x20]) + own[10:]  # the engine keeps none later than 4.2
    profile = own if is_kept else None
    stream = io.BytesIO()
    Image.new("RGB", (4, 4), "red").save(stream, "JPEG", icc_profile=profile)
    data = base64.b64encode(stream.getvalue()).decode()
    picture = f'<image width="9" height="9" href="data:image/jpeg;base64,{data}"/>'
    face = face_of("photo", CARD, 3.0, picture)
    with pikepdf.open(io.BytesIO(proof_of([face]))) as pdf:
        spaces = [
            thing.ColorSpace
            for thing in pdf.objects
            if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Image"
        ]
    assert [isinstance(space, pikepdf.Array) for space in spaces] == [is_kept]
