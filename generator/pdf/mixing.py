"""Inks that print colours in sRGB: cyan, magenta, yellow, black.

Greys are black ink alone. All else goes through a profile, relative to the paper and with its black
point scaled to that of the inks, as print shops do (ICC.1:2022, 6.2.2).
"""

import io
from contextlib import suppress
from functools import cache, cached_property, lru_cache
from math import floor

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms

from generator.basics.recent import remembered
from generator.pdf.inks import PressProfile, unreadable

Inks = tuple[float, float, float, float]  # cyan, magenta, yellow, black, from 0 to 1
Rgb = tuple[int, int, int]  # from 0 to 255
Table = NDArray[np.float64]
Bytes = NDArray[np.uint8]

BLACK: Inks = (0.0, 0.0, 0.0, 1.0)
_NEUTRAL = 2  # of 255: the most that channels of a grey differ
_NEAR_BLACK = 48  # of 255: no channel of a near-black is lighter: L* of 19
_NEAR_NEUTRAL = 26  # of 255: nor do its channels differ more
_UNIT = 10_000  # the precision of inks
_SCALES_BLACK = ImageCms.Flags.BLACKPOINTCOMPENSATION


class Mixer:
    """Mixes the inks of a profile, at most `limit` of them: 2.4 is 240 %.

    With `is_of_few`, for a few colours, it makes none of the tables that pictures are mixed by:
    they take 40 ms, and are less exact."""

    def __init__(self, profile: PressProfile, limit: float, *, is_of_few: bool = False) -> None:
        """Raises PnpError if the profile is damaged."""
        self._limit, self._content, self._given = limit, profile.content, profile
        flags = _SCALES_BLACK | (ImageCms.Flags.NOOPTIMIZE if is_of_few else ImageCms.Flags.NONE)
        try:
            self._profile = _open(profile.content)
            self._to_inks = _transform(_srgb(), "RGB", self._profile, "CMYK", flags)
            self._to_screen = _transform(self._profile, "CMYK", _srgb(), "RGB", flags)
        except (ImageCms.PyCMSError, OSError):
            raise unreadable(profile) from None
        pixels = (Image.new("RGB", (1, 1), grey) for grey in ("black", "white"))
        dark, light = (np.asarray(_apply(self._to_inks, pixel)).sum() for pixel in pixels)
        if dark <= light:  # its tables are blank
            raise unreadable(profile)

    @remembered
    def mix(self, colour: Rgb) -> Inks:
        """The inks of a colour through the profile, a grey's too: rich black for black."""
        pixel = np.asarray(_apply(self._to_inks, Image.new("RGB", (1, 1), colour)))[0, 0]
        inks = limit_inks(pixel / 255, self._limit).tolist()
        cyan, magenta, yellow, black = (floor(ink * _UNIT + 1e-6) / _UNIT for ink in inks)  # down: within the limit
        return cyan, magenta, yellow, black

    def mix_flat(self, colour: Rgb) -> Inks:
        """The inks of an area of one colour: black alone for a grey."""
        return (0.0, 0.0, 0.0, self.black_of(colour[1])) if is_grey(colour) else self.mix(colour)

    def mix_fine(self, colour: Rgb) -> Inks:
        """The inks of words and lines: what no eye tells from black is full black, which has no screen."""
        is_near = max(colour) <= _NEAR_BLACK and max(colour) - min(colour) <= _NEAR_NEUTRAL
        return BLACK if is_near else self.mix_flat(colour)

    def black_of(self, grey: float) -> float:
        """The black ink that looks like a grey from 0 to 255."""
        return round(float(np.interp(grey, np.arange(256), self._blacks)) * _UNIT) / _UNIT

    def mix_picture(self, picture: Image.Image) -> Bytes:
        """The inks of the pixels of an RGB picture, from 0 to 255, (height, width, 4)."""
        return lessen(np.asarray(_apply(self._to_inks, picture)), self._limit)

    def mix_inks(self, picture: Image.Image, profile: bytes) -> Bytes:
        """The inks of this press for the pixels of a CMYK picture, which has a profile of its own,
        or none: then its inks are meant for this press."""
        if profile and profile != self._content:
            with suppress(ImageCms.PyCMSError):
                transform = _transform(_open(profile), "CMYK", self._profile, "CMYK", _SCALES_BLACK)
                picture = _apply(transform, picture)
        return lessen(np.asarray(picture), self._limit)

    def shade(self, greys: Bytes) -> Bytes:
        """Greys of a screen as those of DeviceGray, which is black ink alone."""
        return np.rint((1 - self._blacks) * 255).astype(np.uint8)[greys]

    def show(self, inks: Inks) -> Rgb:
        """The colour of a screen that looks like inks, with white paper and black ink as black."""
        pixel = Image.new("CMYK", (1, 1), tuple(round(ink * 255) for ink in inks))
        red, green, blue = np.asarray(_apply(self._to_screen, pixel))[0, 0].tolist()
        return red, green, blue

    @cached_property
    def _to_lab(self) -> ImageCms.ImageCmsTransform:
        """A transform to CIELAB, which only greys need. Raises PnpError if the profile is damaged."""
        try:
            return _transform(self._profile, "CMYK", _lab(), "LAB", ImageCms.Flags.NONE)
        except ImageCms.PyCMSError:
            raise unreadable(self._given) from None

    @cached_property
    def _blacks(self) -> Table:
        """The black ink of each of 256 greys: as light as the grey, where full black is black."""
        ramp = np.zeros((1, 256, 4), np.uint8)
        ramp[..., 3] = np.arange(256)
        lab = np.asarray(_apply(self._to_lab, Image.fromarray(ramp, "CMYK")))
        seen = _luminance(lab[0, :, 0] / 2.55)  # a byte has L* in steps of 100/255
        wanted = seen[-1] + (seen[0] - seen[-1]) * linear(np.arange(256) / 255)
        falling = np.minimum.accumulate(seen)
        blacks = np.interp(-wanted, -falling, np.arange(256) / 255)
        blacks[[0, -1]] = 1, 0
        return np.asarray(blacks)


def is_grey(colour: Rgb) -> bool:
    return max(colour) - min(colour) <= _NEUTRAL


def limit_inks(inks: Table, limit: float) -> Table:
    """Inks (..., 4) from 0 to 1, with a sum of at most `limit`, 1 or more.

    The grey that the three colours share becomes black ink, a third of the ink for the same tone;
    where that is not enough, the three become less.
    """
    colours, black = np.array(inks[..., :3]), np.array(inks[..., 3:])
    over = np.maximum(inks.sum(axis=-1, keepdims=True) - limit, 0)
    share = np.minimum(np.minimum(over / 2, colours.min(axis=-1, keepdims=True)), 1 - black)
    colours, black = colours - share, black + share
    total = colours.sum(axis=-1, keepdims=True)
    room = np.maximum(limit - black, 0)
    colours = np.where(total > room, colours * (room / np.maximum(total, 1e-9)), colours)
    return np.concatenate([colours, black], axis=-1)


def lessen(inks: Bytes, limit: float) -> Bytes:
    """Inks from 0 to 255, (..., 4), with a sum of at most `limit` times 255."""
    if int(inks.sum(axis=-1, dtype=np.uint16).max(initial=0)) <= limit * 255:
        return inks
    return np.floor(limit_inks(inks / 255, limit) * 255 + 1e-6).astype(np.uint8)


@lru_cache(maxsize=16)  # the photographs of a game have few profiles
def open_rgb(content: bytes) -> ImageCms.ImageCmsTransform | None:
    """A transform from the RGB of a profile to sRGB; None if it is not the profile of an RGB space."""
    try:
        profile = _open(content)
        return _transform(profile, "RGB", _srgb(), "RGB", _SCALES_BLACK)
    except ImageCms.PyCMSError:
        return None


def _open(content: bytes) -> ImageCms.ImageCmsProfile:
    return ImageCms.ImageCmsProfile(io.BytesIO(content))


@cache
def _srgb() -> ImageCms.ImageCmsProfile:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))


@cache
def _lab() -> ImageCms.ImageCmsProfile:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB"))


def _transform(
    source: ImageCms.ImageCmsProfile, mode: str, target: ImageCms.ImageCmsProfile, other: str, flags: ImageCms.Flags
) -> ImageCms.ImageCmsTransform:
    intent = ImageCms.Intent.RELATIVE_COLORIMETRIC
    return ImageCms.buildTransform(source, target, mode, other, intent, flags)


def _apply(transform: ImageCms.ImageCmsTransform, picture: Image.Image) -> Image.Image:
    made = ImageCms.applyTransform(picture, transform)
    assert made is not None  # since it is not done in place
    return made


def _luminance(lightness: Table) -> Table:
    """Y from 0 to 1 of L* (CIE 15:2004, 8.2.1)."""
    light = ((lightness + 16) / 116) ** 3
    return np.asarray(np.where(lightness > 8, light, lightness / 903.3))


def linear(part: Table) -> Table:
    """Light of values of sRGB (IEC 61966-2-1)."""
    return np.asarray(np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4))
