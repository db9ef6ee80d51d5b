"""Files for a press: nothing in RGB is left, ink keeps to its limit, pages look as before."""

from __future__ import annotations

import base64
import io
from functools import cache
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest
from pikepdf import Dictionary, Name
from PIL import Image, ImageCms

from generator.basics.errors import PnpError
from generator.layout import Item
from generator.pdf.inking.inking_worker import make
from generator.pdf.inks import PressColour, built_in_profile
from tests.support.inked import GAMES, find_colours, inked, inked_kit, opened, separations
from tests.support.printing import CARD, Deck, face_of, kit, print_decks, run_of

RGB = "#c03020"
STEP = 1.2  # percent of ink: each of four inks is rounded to a byte


def picture(mode: str, kind: str = "png", profile: bytes | None = None) -> str:
    """An `<image>` of a ramp from black to bright colours."""
    across, down = np.meshgrid(np.linspace(0, 255, 60), np.linspace(0, 255, 40))
    ramp = np.stack([across, down, 255 - across], axis=-1).astype(np.uint8)
    image = Image.fromarray(ramp).convert(mode)
    if mode == "RGBA":
        image.putalpha(Image.fromarray(across.astype(np.uint8)))
    stream = io.BytesIO()
    image.save(stream, kind, icc_profile=profile)
    data = base64.b64encode(stream.getvalue()).decode()
    return f'<image width="30" height="20" href="data:image/{kind};base64,{data}"/>'


def printed(content: str) -> bytes:
    """A sheet of one card."""
    face = face_of("a", CARD, 3.0, content)
    return print_decks([Deck(run_of(CARD, 3.0, (Item("a", face.id, None),)), (face,))]).pdf


GRADIENT = (
    '<defs><{0} id="g"><stop stop-color="{1}"/><stop offset=".6" stop-color="{2}"/></{0}></defs>'
    '<rect width="40" height="40" fill="url(#g)"/>'
)
TRANSPARENT = {
    "opacity": f'<rect width="9" height="9" fill="{RGB}" opacity=".5"/>',
    "group": f'<g opacity=".5"><rect width="9" height="9"/><circle r="9" fill="{RGB}"/></g>',
    "mask": '<defs><linearGradient id="g"><stop stop-color="#f80"/><stop offset="1"/>'
    '</linearGradient><mask id="m"><rect width="40" height="40" fill="url(#g)"/></mask></defs>'
    f'<rect width="40" height="40" fill="{RGB}" mask="url(#m)"/>',
    "fading gradient": '<defs><linearGradient id="g"><stop stop-color="#f80"/>'
    '<stop offset="1" stop-color="#08f" stop-opacity="0"/></linearGradient></defs>'
    '<rect width="40" height="40" fill="url(#g)"/>',
    "picture with alpha": picture("RGBA"),
    "blur": '<defs><filter id="b"><feGaussianBlur stdDeviation="2"/></filter></defs>'
    f'<rect x="9" y="9" width="20" height="20" fill="{RGB}" filter="url(#b)"/>',
}
OPAQUE = {
    "area": f'<rect width="40" height="40" fill="{RGB}"/>',
    "line": f'<path d="M5 5h30v30" fill="none" stroke="{RGB}"/>',
    "linear gradient": GRADIENT.format("linearGradient", "#d03020", "#2a5a9c"),
    "radial gradient": GRADIENT.format("radialGradient", "#ff0", "#063"),
    "grey gradient": GRADIENT.format("linearGradient", "#fff", "#000"),
    "tiles": '<defs><pattern id="p" width="4" height="4" patternUnits="userSpaceOnUse">'
    f'<circle r="3" fill="{RGB}"/></pattern></defs><rect width="40" height="40" fill="url(#p)"/>',
    "picture": picture("RGB"),
    "grey picture": picture("L"),
    "photograph": picture("RGB", "jpeg"),
    "grey photograph": picture("L", "jpeg"),
    "words": f'<text x="9" y="20" font-size="6" fill="{RGB}">Whale</text>',
}
ALL = OPAQUE | TRANSPARENT


@cache
def example(name: str) -> bytes:
    return printed(ALL[name])


def pixels(pdf: bytes) -> np.ndarray:
    pages = [page.render(scale=0.7).to_numpy() for page in pypdfium2.PdfDocument(pdf)]
    return np.concatenate([page.reshape(-1, 3) for page in pages]).astype(np.int16)


@pytest.mark.parametrize("game", GAMES)
def test_no_colour_of_a_screen_is_left_in_a_game(game: str) -> None:
    with opened(inked_kit(game)) as pdf:
        assert set(find_colours(pdf)) == set()


@pytest.mark.parametrize("name", ALL)
def test_no_colour_of_a_screen_is_left(name: str) -> None:
    with opened(example(name)) as pdf:
        assert set(find_colours(pdf)), "the test finds nothing"
    with opened(inked(example(name))) as pdf:
        assert set(find_colours(pdf)) == set()


def test_letters_that_show_forms_have_inks() -> None:
    """As those of colour fonts do."""
    with opened(example("area")) as pdf:
        form = pdf.make_stream(b"1 0 0 rg 0 0 9 9 re f", Subtype=Name.Form, BBox=[0, 0, 9, 9])
        letters = Dictionary(a=pdf.make_stream(b"9 0 d0 /F Do"))
        shown = Dictionary(XObject=Dictionary(F=form))
        font = Dictionary(Subtype=Name.Type3, CharProcs=letters, Resources=shown)
        pdf.pages[0].Resources.Font = Dictionary(T=pdf.make_indirect(font))
        stream = io.BytesIO()
        pdf.save(stream)
    with opened(inked(stream.getvalue())) as pdf:
        assert set(find_colours(pdf)) == set()


@pytest.mark.parametrize("game", GAMES)
def test_ink_of_a_game_keeps_to_the_limit(game: str, tmp_path: Path) -> None:
    pages = separations(inked_kit(game), tmp_path)
    most = max(page.sum(axis=-1, dtype=int).max() for page in pages)
    assert 100 < most / 2.55 <= 240 + STEP


@pytest.mark.parametrize("limit", [1.5, 2.4])
def test_ink_keeps_to_the_limit(limit: float, tmp_path: Path) -> None:
    """Of all examples, on cards beside each other."""
    drawn = [face_of(name, CARD, 3.0, content) for name, content in ALL.items()]
    items = tuple(Item(face.name, face.id, None) for face in drawn)
    printed_examples = print_decks([Deck(run_of(CARD, 3.0, items), tuple(drawn))]).pdf
    pages = list(separations(inked(printed_examples, limit), tmp_path))
    assert len(pages) > 1
    assert max(page.sum(axis=-1, dtype=int).max() for page in pages) / 2.55 <= limit * 100 + STEP


@pytest.mark.parametrize("game", GAMES)
def test_pages_look_as_before(game: str) -> None:
    change = np.abs(pixels(inked_kit(game)) - pixels(kit(game)))
    assert change.mean() < 5


@pytest.mark.parametrize("name", ALL)
def test_drawings_look_as_before(name: str) -> None:
    before, after = pixels(example(name)), pixels(inked(example(name)))
    is_ink = (before < 250).any(axis=-1)
    assert is_ink.any()
    assert np.abs(before - after)[is_ink].mean() < 30
    assert (after[~is_ink] > 240).all()


def operators(pdf: bytes) -> list[str]:
    """Each colour that the forms of a file set, as text."""
    found = []
    with opened(pdf) as file:
        for thing in file.objects:
            if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Form":
                for instruction in pikepdf.parse_content_stream(thing):
                    if str(instruction.operator) in ("k", "K"):
                        found.append(" ".join(map(str, [*instruction.operands, instruction.operator])))
    return found


def test_black_words_and_lines_are_black_ink() -> None:
    card = '<text x="9" y="9" font-size="4">Whale</text><path d="M9 9h9" stroke="#1a1a2e"/>'
    paper = {"0 0 0 0 K"}  # around the marks
    assert set(operators(inked(printed(card)))) - paper == {"0 0 0 1 k", "0 0 0 1 K"}


def test_marks_and_labels_are_black_ink() -> None:
    with opened(inked_kit("talavera")) as pdf:
        forms = {
            name: form for page in pdf.pages for name, form in page.obj.Resources.XObject.items() if "Mark." in name
        }
        assert len(forms) > 5
        for form in forms.values():
            content = form.read_bytes()
            colours = {line for line in content.split(b"\n") if line[-1:] in (b"k", b"K")}
            assert colours <= {b"0 0 0 1 k", b"0 0 0 1 K", b"0 0 0 0 K"}
            assert colours - {b"0 0 0 0 K"}


@pytest.mark.parametrize(
    ("shape", "is_rich"),
    [
        ('<rect width="7" height="40"/>', False),
        ('<rect x="40" y="50" width="7" height="9" stroke="#000"/>', False),
        ('<rect width="30" height="40"/>', True),
        ('<rect width="3" height="4" transform="scale(10)"/>', True),
        ('<rect width="30" height="40" fill="#333"/>', False),
    ],
)
def test_only_large_areas_are_rich_black(shape: str, is_rich: bool) -> None:
    inks = [line.split()[:3] for line in operators(inked(printed(shape)))]
    assert (max(float(ink) for line in inks for ink in line) > 0.3) == is_rich


def test_grey_pictures_are_black_ink(tmp_path: Path) -> None:
    for name in ("grey picture", "grey photograph", "grey gradient"):
        (page,) = separations(inked(example(name)), tmp_path)
        assert page[..., :3].max() == 0
        assert page[..., 3].max() > 250


def test_colours_of_a_photograph_follow_its_profile() -> None:
    """The same pixels in another space of colours are other colours."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
    other = bytearray(profile.tobytes())
    other[8:10] = 4, 0x20  # the engine keeps none later than 4.2
    red, green = other.index(b"rXYZ"), other.index(b"gXYZ")
    other[red : red + 4], other[green : green + 4] = b"gXYZ", b"rXYZ"
    plain, swapped = (pixels(inked(printed(picture("RGB", "jpeg", icc)))) for icc in (None, bytes(other)))
    assert np.abs(plain - swapped).max() > 60


def test_a_photograph_stays_one(tmp_path: Path) -> None:
    """Its JPEG passes the limit at first, and is tried again."""
    noise = np.random.default_rng(3).integers(0, 120, (64, 64, 3)).astype(np.uint8)
    stream = io.BytesIO()
    Image.fromarray(noise).save(stream, "JPEG", quality=95)
    data = base64.b64encode(stream.getvalue()).decode()
    photo = f'<image width="40" height="40" href="data:image/jpeg;base64,{data}"/>'
    content = inked(printed(photo), limit=1.6)
    ((jpeg, _),) = pictures_of(content)
    assert jpeg.startswith(b"\xff\xd8")
    (page,) = separations(content, tmp_path)
    assert page.sum(axis=-1, dtype=int).max() / 2.55 <= 160 + STEP


def in_cmyk(profile: bytes | None) -> tuple[bytes, str]:
    """A JPEG of four full inks, none and all of them, and an `<image>` of it."""
    fields = np.zeros((16, 96, 4), np.uint8)
    for ink in range(4):
        fields[:, 16 * ink : 16 * ink + 16, ink] = 255
    fields[:, 80:] = 255
    stream = io.BytesIO()
    Image.fromarray(fields, "CMYK").save(stream, "JPEG", quality=95, icc_profile=profile)
    data = base64.b64encode(stream.getvalue()).decode()
    image = f'<image width="30" height="5" href="data:image/jpeg;base64,{data}"/>'
    return stream.getvalue(), image


@pytest.mark.parametrize("profile", [None, built_in_profile().content], ids=["none", "the press's"])
def test_a_photograph_in_inks_keeps_them_within_the_limit(profile: bytes | None, tmp_path: Path) -> None:
    content, image = in_cmyk(profile)
    (kept,) = pictures_of(inked(printed(image), limit=4.0))
    assert kept == (content, "/DeviceCMYK")
    (page,) = separations(inked(printed(image)), tmp_path)
    assert page.sum(axis=-1, dtype=int).max() / 2.55 <= 240 + STEP
    for ink in range(4):
        others = np.delete(page, ink, axis=-1).max(axis=-1)
        assert ((page[..., ink] > 240) & (others < 15)).any()


def test_a_photograph_for_another_press_is_mixed_anew() -> None:
    other = bytearray(built_in_profile().content)
    other[44:48] = b"\0\0\0\1"  # a flag of the header: another file, the same press
    content, image = in_cmyk(bytes(other))
    ((mixed, space),) = pictures_of(inked(printed(image)))
    assert mixed != content
    assert space == "/DeviceCMYK"


def pictures_of(pdf: bytes) -> list[tuple[bytes, str]]:
    """The bytes of each picture, and its colour space."""
    with opened(pdf) as file:
        things = [thing for thing in file.objects if isinstance(thing, pikepdf.Stream)]
        pictures = [thing for thing in things if thing.get("/Subtype") == "/Image"]
        return [(image.read_raw_bytes(), str(image.ColorSpace)) for image in pictures]


def test_same_input_same_bytes() -> None:
    assert inked(kit("talavera")) == inked(kit("talavera"))


def test_blends_that_may_pass_the_limit_are_named() -> None:
    multiplied = f'width="9" height="9" fill="{RGB}" style="mix-blend-mode:multiply"'
    card = f'<rect width="9" height="9"/><rect {multiplied}/>'
    colour = PressColour(built_in_profile())
    _, notes = make(printed(card), colour)
    assert notes == ["ink may pass 240 % where drawings blend with what is below them: a"]
    assert make(example("opacity"), colour)[1] == []


def test_what_is_no_colour_of_the_drawings_is_refused() -> None:
    with opened(example("area")) as pdf:
        page = pdf.pages[0]
        page.contents_add(b"q /DeviceCMYK cs 0 0 0 1 scn 0 0 9 9 re f Q")
        stream = io.BytesIO()
        pdf.save(stream)
    with pytest.raises(PnpError, match="the colour space /DeviceCMYK cannot be printed in CMYK"):
        inked(stream.getvalue())
