"""Pictures of every kind print as Pillow shows them: their turn, their colours, their depth."""

from __future__ import annotations

import base64
import io
import struct
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageCms, ImageOps, PngImagePlugin

from generator.art.picture import ArtReader
from generator.art.pixels import FORMATS, MAX_PNG, PROVEN, make_printable, read_embedded
from generator.basics.errors import MisfitError, Place, PnpError
from generator.basics.geometry import MM_PER_PT, Size
from generator.model import Layer
from generator.pdf.raster import rasterise
from generator.text import HOUSE_FONTS, FontBook
from tests.support.cameras import ORIENTATIONS, exif_of, store_turned
from tests.support.printing import page_of

FONTS = FontBook([HOUSE_FONTS])
SIZE = (60, 90)


def photo(mode: str = "RGB") -> Image.Image:
    """Soft colours, another in each corner."""
    corners = np.array([[[250, 20, 30], [20, 160, 40]], [[30, 40, 220], [240, 220, 40]]], dtype=np.uint8)
    image = Image.fromarray(corners).resize(SIZE, Image.Resampling.BICUBIC)
    return image if mode == "RGB" else image.convert(mode)


def encode(image: Image.Image, format_: str, **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, format_, **options)
    return stream.getvalue()


def swapped(major: int, minor: int) -> bytes:
    """A profile of a version to which red is blue."""
    plain = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for one, other in ((b"rXYZ", b"????"), (b"bXYZ", b"rXYZ"), (b"????", b"bXYZ")):
        plain = plain.replace(one, other, 1)
    return plain[:8] + bytes([major, minor << 4]) + plain[10:]


def put(folder: Path, name: str, content: bytes) -> str:
    (folder / name).write_bytes(content)
    return ArtReader(folder, FONTS).read(name, Place("game.toml", 1)).uri


def printed(uri: str) -> Image.Image:
    """What the press makes of a picture, a point for each of its pixels."""
    width, height = SIZE
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<image width="{width}" height="{height}" href="{uri}"/></svg>'
    )
    layer = Layer.of("picture", svg, Size(width * MM_PER_PT, height * MM_PER_PT))
    (image,) = rasterise(page_of(layer), 72)
    return image.crop((0, 0, width, height))


def apart(one: Image.Image, other: Image.Image) -> float:
    """The mean difference of their inner pixels, of 255."""
    inner = (3, 3, SIZE[0] - 3, SIZE[1] - 3)
    pixels = [np.asarray(i.convert("RGB").crop(inner), np.int16) for i in (one, other)]
    return float(np.abs(pixels[0] - pixels[1]).mean())


NEAR, FAR = 5.0, 30.0


@pytest.mark.parametrize("format_", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF"])
@pytest.mark.parametrize("turn", ORIENTATIONS)
def test_picture_prints_as_its_camera_was_held(turn: int, format_: str, tmp_path: Path) -> None:
    stored, exif = store_turned(photo(), turn)
    content = encode(stored, format_, exif=exif)
    with Image.open(io.BytesIO(content)) as image:
        assert apart(ImageOps.exif_transpose(image), photo()) < NEAR, "the test's own picture"
    uri = put(tmp_path, f"photo.{format_.lower()}", content)
    assert apart(printed(uri), photo()) < NEAR
    if format_ == "JPEG":  # not a byte of it is changed
        kind, _, inside = uri.partition(";base64,")
        drawing = base64.b64decode(inside)
        whole = base64.b64encode(content)
        assert kind == f"data:image/{'jpeg' if turn == 1 else 'svg+xml'}"
        assert drawing == content if turn == 1 else whole in drawing


def test_orientation_that_is_none_is_passed_over(tmp_path: Path) -> None:
    content = encode(photo(), "JPEG", exif=exif_of(9))
    assert put(tmp_path, "a.jpg", content).startswith("data:image/jpeg;")
    broken = content.replace(b"Exif\0\0", b"Exif\0\1", 1)
    assert put(tmp_path, "b.jpg", broken).startswith("data:image/jpeg;")


MODES = [
    *(("PNG", mode) for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16")),
    *(("WEBP", mode) for mode in ("RGB", "RGBA")),
    *(("AVIF", mode) for mode in ("RGB", "RGBA", "L")),
    *(("TIFF", mode) for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16", "LAB")),
    *(("GIF", mode) for mode in ("1", "L", "P")),
    *(("BMP", mode) for mode in ("1", "L", "P", "RGB")),
    *(("JPEG", mode) for mode in ("L", "RGB")),
]


@pytest.mark.parametrize(("format_", "mode"), MODES)
def test_every_mode(format_: str, mode: str, tmp_path: Path) -> None:
    wanted = photo()
    if mode == "1":
        image = photo("L").point(lambda value: 255 * (value > 120)).convert("1")
    elif mode == "I;16":
        image = Image.fromarray(np.asarray(photo("L")).astype(np.uint16) * 257)
    elif mode == "P":
        image = photo().quantize(64)
        wanted = image.convert("RGB")
    elif mode == "LAB":
        spaces = (ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"))
        image = ImageCms.profileToProfile(photo(), *spaces, outputMode="LAB") or photo()
    else:
        image = photo(mode)
    if mode in ("1", "L", "LA", "I;16"):
        wanted = photo("L") if mode != "1" else image
    uri = put(tmp_path, f"a.{format_.lower()}", encode(image, format_))
    assert apart(printed(uri), wanted) < NEAR


def test_transparency_is_kept(tmp_path: Path) -> None:
    image = photo("RGBA")
    image.putalpha(Image.new("L", SIZE, 0))
    for format_ in ("WEBP", "AVIF", "TIFF", "PNG"):
        uri = put(tmp_path, f"a.{format_.lower()}", encode(image, format_))
        assert apart(printed(uri), Image.new("RGB", SIZE, "white")) < 1, format_
    clear = photo().quantize(16)
    uri = put(tmp_path, "a.gif", encode(clear, "GIF", transparency=clear.getpixel((30, 45))))
    assert printed(uri).getpixel((30, 45)) == (255, 255, 255)


VERSIONS = [*((2, minor) for minor in range(5)), *((4, minor) for minor in range(5))]
PROFILED = [
    *(("PNG", version) for version in VERSIONS),
    *((format_, (2, 4)) for format_ in ("JPEG", "WEBP", "TIFF", "AVIF")),
]


@pytest.mark.parametrize(("format_", "version"), PROFILED)
def test_profile_is_obeyed(format_: str, version: tuple[int, int], tmp_path: Path) -> None:
    content = encode(photo(), format_, icc_profile=swapped(*version))
    red, green, blue = photo().split()
    uri = put(tmp_path, f"a.{format_.lower()}", content)
    assert apart(printed(uri), Image.merge("RGB", (blue, green, red))) < NEAR
    assert apart(printed(uri), photo()) > FAR


def test_a_profile_changes_no_pixel_of_a_jpeg(tmp_path: Path) -> None:
    content = encode(photo(), "JPEG", icc_profile=swapped(2, 4))
    own = base64.b64decode(put(tmp_path, "a.jpg", content).partition(",")[2])
    assert (len(own), sum(a != b for a, b in zip(own, content, strict=True))) == (len(content), 1)


# The light of a sample of 128 and what a screen shows of it, by gAMA and cHRM (PNG, 13.13).
Sample = int | tuple[int, int, int]
TOLD: dict[str, tuple[dict[str, int | tuple[int, ...]], Sample, Sample]] = {
    "usual": ({"gAMA": 45455}, (128, 128, 128), (128, 128, 128)),
    "of light": ({"gAMA": 100000}, (128, 128, 128), (188, 188, 188)),
    "of light, grey": ({"gAMA": 100000}, 128, (188, 188, 188)),
    "of an old Macintosh": ({"gAMA": 55556}, (128, 128, 128), (147, 147, 147)),
    "for screens": ({"gAMA": 100000, "sRGB": 0}, (128, 128, 128), (128, 128, 128)),
    "of Adobe RGB": (
        {"gAMA": 45455, "cHRM": (31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000)},
        (171, 119, 61),
        (188, 119, 54),  # by coloraide
    ),
    "of no colours": ({"gAMA": 45455, "cHRM": (0,) * 8}, (171, 119, 61), (171, 119, 61)),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_a_png_tells_of_its_colours_is_obeyed(name: str, tmp_path: Path) -> None:
    chunks, sample, expected = TOLD[name]
    info = PngImagePlugin.PngInfo()
    for kind, value in chunks.items():
        numbers = value if isinstance(value, tuple) else (value,)
        info.add(kind.encode(), struct.pack(">B" if kind == "sRGB" else f">{len(numbers)}I", *numbers))
    image = Image.new("L" if isinstance(sample, int) else "RGB", SIZE, sample)
    shown = printed(put(tmp_path, "a.png", encode(image, "PNG", pnginfo=info)))
    assert apart(shown, Image.new("RGB", SIZE, expected)) < 2


@pytest.mark.parametrize("profile", [None, "coated.icc"])
def test_inks_print_alike_from_a_tiff_and_a_jpeg(profile: str | None, tmp_path: Path) -> None:
    content = files("generator.pdf").joinpath(profile).read_bytes() if profile else None
    shown = [
        printed(put(tmp_path, f"a.{kind}", encode(photo("CMYK"), kind, icc_profile=content)))
        for kind in ("TIFF", "JPEG")
    ]
    assert apart(*shown) < 2


def test_profile_of_screens_changes_no_byte(tmp_path: Path) -> None:
    """GIMP and others embed sRGB in a version that the engine drops: no harm."""
    own = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert own[8:10] > b"\x04\x20"
    for profile in (own, b"no profile at all", swapped(4, 4)[:300]):
        content = encode(photo(), "JPEG", icc_profile=profile)
        assert put(tmp_path, "a.jpg", content).endswith(base64.b64encode(content).decode())


def test_first_frame_and_first_page(tmp_path: Path) -> None:
    other = Image.new("RGB", SIZE, "black")
    for format_ in ("GIF", "TIFF", "WEBP"):
        content = encode(photo(), format_, save_all=True, append_images=[other])
        uri = put(tmp_path, f"a.{format_.lower()}", content)
        assert apart(printed(uri), photo()) < 2 * NEAR, format_


def test_embedded_pictures_too(tmp_path: Path) -> None:
    """What lies within a drawing is turned and converted like a file."""
    stored, exif = store_turned(photo(), 6)
    turned = encode(stored, "JPEG", exif=exif)
    for mime, content in (
        ("jpeg", turned),
        ("webp", encode(photo(), "WEBP")),
        ("gif", encode(photo(), "GIF")),
        ("png", encode(photo(), "JPEG")),
    ):
        link = f"data:image/{mime};base64,{base64.b64encode(content).decode()}"
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 90">'
            f'<image width="60" height="90" href="{link}"/></svg>'
        )
        uri = put(tmp_path, "a.svg", svg.encode())
        assert apart(printed(uri), photo()) < 2 * NEAR, mime


def test_picture_of_another_kind_than_its_name(tmp_path: Path) -> None:
    content = encode(photo(), "JPEG")
    assert put(tmp_path, "a.png", content).startswith("data:image/jpeg;")


def test_great_photograph_becomes_a_jpeg() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (1500, 2000, 3), dtype=np.uint8)
    content = encode(Image.fromarray(noise), "BMP")
    made = make_printable(content, "bmp")
    assert made.kind == "jpeg"
    with Image.open(io.BytesIO(made.content)) as image:
        assert np.abs(np.asarray(image).astype(int) - noise).mean() < NEAR
    clear = Image.fromarray(noise).convert("RGBA")
    clear.putalpha(99)
    with pytest.raises(MisfitError, match="as a PNG the picture has"):
        make_printable(encode(clear, "TIFF"), "tiff")
    assert len(encode(clear, "PNG")) > MAX_PNG


def test_same_picture_same_bytes() -> None:
    content = encode(photo(), "WEBP", icc_profile=swapped(4, 4))
    assert make_printable(content, "webp") == make_printable(content, "webp")


@pytest.mark.parametrize("suffix", [suffix for suffix in FORMATS if suffix != ".jpeg"])
def test_broken_file_is_reported(suffix: str, tmp_path: Path) -> None:
    format_ = FORMATS[suffix]
    content = encode(photo(), format_.upper())
    with pytest.raises(PnpError, match=f"not a readable {format_.upper()} picture"):
        put(tmp_path, f"a{suffix}", content[: len(content) // 2])


def test_depth_that_no_file_explains(tmp_path: Path) -> None:
    image = Image.fromarray(np.asarray(photo("L")).astype(np.float32))
    with pytest.raises(PnpError, match="32 bits a pixel"):
        put(tmp_path, "a.tiff", encode(image, "TIFF"))


def test_the_stand_in_is_read_as_any_other_picture() -> None:
    content = base64.b64decode(PROVEN.partition(",")[2])
    assert read_embedded(PROVEN) == make_printable(content, "png", is_alone=False)
