"""Colour spaces of a file, by what their colours mean: grey, or red, green and blue.

Also the pictures of a file, whose colours are changed (pikepdf, Pillow).
"""

import io
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
import pikepdf
from numpy.typing import NDArray
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageCms

from generator.basics.errors import Place, PnpError, fail
from generator.pdf.mixing import Mixer, is_grey, lessen, open_rgb

Space = Literal["grey", "rgb", "pattern"]
Rgb = tuple[int, int, int]
Use = Literal["area", "fine", "black"]  # "fine": words and lines; "black": a large area
_DEVICE: dict[str, Space] = {
    "/DeviceGray": "grey",
    "/CalGray": "grey",
    "/DeviceRGB": "rgb",
    "/CalRGB": "rgb",
    "/Pattern": "pattern",
}
_BY_COUNT: dict[int, Space] = {1: "grey", 3: "rgb"}
Bytes = NDArray[np.uint8]
_QUALITY = 90  # of a JPEG, with all detail of each ink
_TRIES = 8
_MARGIN = 2  # of 255, below the limit that the last try passed
_INVERTED = [1, 0] * 4  # a JPEG of four inks has them the other way round
_CODING = ("/ColorSpace", "/Decode", "/DecodeParms", "/Filter", "/BitsPerComponent", "/Intent")


class InkMap:
    """Colours become inks."""

    group_space: Name = Name.DeviceCMYK

    def __init__(self, mixer: Mixer) -> None:
        self._mixer = mixer

    def convert(self, colour: Rgb, use: Use) -> tuple[float, ...]:
        mix = {"area": self._mixer.mix_flat, "fine": self._mixer.mix_fine, "black": self._mixer.mix}
        return mix[use](colour)

    def convert_run(self, colours: Sequence[Rgb]) -> list[tuple[float, ...]]:
        """The inks of the steps of a gradient; black alone only if all are greys, since a change
        from one kind of black to the other would show as an edge."""
        mix = self._mixer.mix_flat if all(map(is_grey, colours)) else self._mixer.mix
        return [mix(colour) for colour in colours]


class GreyMap:
    """Colours become the light that a mask lets through (ISO 32000-1, 11.5.3)."""

    group_space: Name = Name.DeviceGray

    def convert(self, colour: Rgb, _: Use) -> tuple[float, ...]:
        red, green, blue = colour
        return (round((0.3 * red + 0.59 * green + 0.11 * blue) / 255, 5),)

    def convert_run(self, colours: Sequence[Rgb]) -> list[tuple[float, ...]]:
        return [self.convert(colour, "area") for colour in colours]


ColourMap = InkMap | GreyMap  # what colours become


def name_space(space: pikepdf.Object) -> Space:
    """The kind of a colour space. Raises PnpError for one that the drawings never have."""
    name = str(space[0]) if isinstance(space, Array) else str(space)
    if name == "/ICCBased" and int(space[1].N) in _BY_COUNT:
        return _BY_COUNT[int(space[1].N)]
    if name in _DEVICE and not (name == "/Pattern" and isinstance(space, Array) and len(space) > 1):
        return _DEVICE[name]
    raise strange(f"the colour space {name}")


def to_rgb(values: Iterable[Any], space: Space) -> Rgb:
    """A colour of one or three values from 0 to 1."""
    parts = [round(min(max(float(value), 0.0), 1.0) * 255) for value in values]
    red, green, blue = parts * 3 if space == "grey" else parts
    return red, green, blue


def strange(what: str) -> PnpError:
    """The fault of a file that has something with no print in CMYK."""
    return fail(Place("colour cmyk"), f"{what} cannot be printed in CMYK", "print it as rgb")


class PictureInker:
    """Changes pictures to inks, those of greys to black alone."""

    def __init__(self, mixer: Mixer, limit: float) -> None:
        self._mixer, self._limit = mixer, limit

    def change(self, picture: pikepdf.Object) -> None:
        """Change a picture in place. Raises PnpError for one that the engine never writes."""
        if _is_inked(picture):
            self._mix_again(picture)
            return
        is_photo = _is_jpeg(picture)
        pixels = _to_srgb(picture, _read(picture))
        if pixels.ndim == 2 or np.ptp(pixels, axis=-1).max(initial=0) <= 2:
            greys = pixels if pixels.ndim == 2 else pixels[..., 1]
            _write(picture, self._mixer.shade(greys), Name.DeviceGray)
            return
        inks = self._mixer.mix_picture(Image.fromarray(pixels))
        self._write(picture, inks, is_photo=is_photo)

    def _mix_again(self, picture: pikepdf.Object) -> None:
        """Change a photograph in CMYK. It stays as it is if its inks are those of the press."""
        space = picture.ColorSpace
        profile = space[1].read_bytes() if isinstance(space, Array) else b""
        with Image.open(io.BytesIO(picture.read_raw_bytes())) as jpeg:
            before = np.asarray(jpeg)
            inks = self._mixer.mix_inks(jpeg, profile)
        if np.array_equal(inks, before):
            picture.ColorSpace = Name.DeviceCMYK
        else:
            self._write(picture, inks, is_photo=True)

    def _write(self, picture: pikepdf.Object, inks: Bytes, *, is_photo: bool) -> None:
        jpeg = self._compress(inks) if is_photo else None
        if jpeg is None:
            _write(picture, inks, Name.DeviceCMYK)
        else:
            _drop_coding(picture)
            picture.write(jpeg, filter=Name.DCTDecode)
            picture.ColorSpace, picture.Decode = Name.DeviceCMYK, Array(_INVERTED)
            picture.BitsPerComponent = 8

    def _compress(self, inks: Bytes) -> bytes | None:
        """A JPEG whose own pixels keep to the limit; None if that needs much less ink."""
        most = allowed = round(self._limit * 255)
        for _ in range(_TRIES):
            stream = io.BytesIO()
            picture = Image.fromarray(lessen(inks, allowed / 255), "CMYK")
            picture.save(stream, "JPEG", quality=_QUALITY, subsampling=0)
            with Image.open(stream) as seen:
                over = int(np.asarray(seen).sum(axis=-1, dtype=np.uint16).max()) - most
            if over <= 0:
                return stream.getvalue()
            allowed -= over + _MARGIN
        return None


class PictureGreyer:
    """Changes the pictures of masks to the light that they let through."""

    def change(self, picture: pikepdf.Object) -> None:
        """Change a picture in place. Raises PnpError for one that the engine never writes."""
        if _is_inked(picture):
            with Image.open(io.BytesIO(picture.read_raw_bytes())) as jpeg:
                pixels = np.asarray(jpeg.convert("RGB"))
        else:
            pixels = _read(picture)
        if pixels.ndim == 3:
            pixels = np.rint(pixels @ np.array([0.3, 0.59, 0.11])).astype(np.uint8)
        _write(picture, pixels, Name.DeviceGray)


def _to_srgb(picture: pikepdf.Object, pixels: Bytes) -> Bytes:
    """Pixels of a picture in sRGB, if a profile says that they are in another space."""
    space = picture.ColorSpace
    is_profiled = pixels.ndim == 3 and isinstance(space, Array)
    transform = open_rgb(space[1].read_bytes()) if is_profiled else None
    if transform is None:
        return pixels
    return np.asarray(ImageCms.applyTransform(Image.fromarray(pixels), transform))


def _write(picture: pikepdf.Object, pixels: Bytes, space: Name) -> None:
    """Write pixels without a loss; rows are differences, which compress better."""
    _drop_coding(picture)
    height, width, count = (*pixels.shape, 1)[:3]
    picture.write(
        zlib.compress(_predict(pixels.reshape(height, width * count))),
        filter=Name.FlateDecode,
        decode_parms=Dictionary(Predictor=15, Colors=count, Columns=width),
    )
    picture.ColorSpace, picture.BitsPerComponent = space, 8


def _is_jpeg(picture: pikepdf.Object) -> bool:
    return "DCTDecode" in str(picture.get("/Filter", ""))


def _is_inked(picture: pikepdf.Object) -> bool:
    """Whether a picture is a JPEG in CMYK: no other picture is, and the engine embeds it as is."""
    space = picture.ColorSpace
    is_profiled = isinstance(space, Array) and space[0] == Name.ICCBased and space[1].N == 4
    return _is_jpeg(picture) and (is_profiled or space == Name.DeviceCMYK)


def _read(picture: pikepdf.Object) -> Bytes:
    """The pixels, (height, width) of greys or (height, width, 3), from 0 to 255."""
    count = {"grey": 1, "rgb": 3}.get(name_space(picture.ColorSpace))
    bits = int(picture.BitsPerComponent)
    if count is None or bits not in (8, 16):
        raise strange(f"a picture of {bits} bits")
    if _is_jpeg(picture):
        with Image.open(io.BytesIO(picture.read_raw_bytes())) as jpeg:
            pixels = np.asarray(jpeg.convert("RGB" if count == 3 else "L"))
    else:
        size = int(picture.Height), int(picture.Width), *([3] if count == 3 else [])
        data = np.frombuffer(picture.read_bytes(), np.uint8)[:: bits // 8]
        pixels = data.reshape(size)
    if "/Decode" in picture:
        low, high = (float(end) for end in list(picture.Decode)[:2])  # the same for each colour
        pixels = np.rint(np.clip(low * 255 + pixels * (high - low), 0, 255)).astype(np.uint8)
    return pixels


def _predict(rows: Bytes) -> bytes:
    """Rows as differences from the row above (PNG, 9.2, filter 2)."""
    lines = np.full((len(rows), rows.shape[1] + 1), 2, np.uint8)
    lines[:, 1:] = rows
    lines[1:, 1:] -= rows[:-1]
    return lines.tobytes()


def _drop_coding(picture: pikepdf.Object) -> None:
    for name in _CODING:
        if name in picture:
            del picture[name]
