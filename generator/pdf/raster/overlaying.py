"""A picture of two versions of a face that shows the parts taken away and the parts added."""

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from PIL import Image, ImageDraw

from generator.basics.units import MM_PER_INCH
from generator.model import Face

# Orange-red and blue-green differ in every colour blindness. Recoloured parts are darker than
# either, and unchanged parts are paler than all others.
TAKEN, ADDED = (213, 72, 20), (0, 128, 150)
STAYED = 0.2  # of its darkness remains
LEGEND = (("taken", "#d54814"), ("added", "#008096"), ("recoloured", "#00240c"))
_INVISIBLE, _VISIBLE = 12.0, 36.0  # of 255: a difference begins to count, and counts in full
_STRONG = 60.0  # of 255: a part that differs so much from its ground is drawn in full

_Pixels = npt.NDArray[np.float32]


class Overlay(Struct, frozen=True):
    """The picture, and whether there are visible differences in the piece and in its bleed."""

    picture: Image.Image
    in_piece: bool
    in_bleed: bool


def overlay(old: Image.Image, new: Image.Image, face: Face, dpi: float) -> Overlay:
    """Overlay two pictures of a face with its bleed, centred; `face` has the cut of the new one.

    Parts taken and added are found by their difference from the common ground: light letters on a
    dark ground count like dark letters on a light ground.
    """
    size = max(old.width, new.width), max(old.height, new.height)
    before, after = (np.asarray(_centre(image, size), np.float32) for image in (old, new))
    difference = _difference(before, after)
    ground = _ground(after, difference < _INVISIBLE)
    taken = np.clip(_difference(before, ground) / _STRONG, 0, 1)[..., None]
    added = np.clip(_difference(after, ground) / _STRONG, 0, 1)[..., None]
    colours = 255 * _veil(taken, TAKEN) * _veil(added, ADDED)
    pale = 255 - STAYED * (255 - after @ np.array([0.299, 0.587, 0.114], np.float32))
    weight = np.clip((difference - _INVISIBLE) / (_VISIBLE - _INVISIBLE), 0, 1)[..., None]
    mixed = weight * colours + (1 - weight) * pale[..., None]
    return Overlay(Image.fromarray(mixed.round().astype(np.uint8)), *_where(difference, face, dpi))


def _centre(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    if image.size == size:
        return image
    paper = Image.new("RGB", size, (255, 255, 255))
    paper.paste(image, ((size[0] - image.width) // 2, (size[1] - image.height) // 2))
    return paper


def _difference(one: _Pixels, other: _Pixels) -> _Pixels:
    """The difference of two pictures at each pixel, in the channel where it is greatest."""
    red, green, blue = np.moveaxis(np.abs(one - other), 2, 0)
    return np.asarray(np.maximum(np.maximum(red, green), blue))


def _veil(strength: _Pixels, colour: tuple[int, int, int]) -> _Pixels:
    """The light that white paper reflects through a colour, 0 to 1."""
    return np.asarray(1 - strength * (1 - np.array(colour, np.float32) / 255))


def _ground(image: _Pixels, valid: npt.NDArray[np.bool_]) -> _Pixels:
    """The picture, with pixels that are not valid filled from the nearest valid ones.

    These come from pictures half as large, and so on. Without valid pixels, the ground is white.
    """
    if valid.all():
        return image
    weight = valid[..., None].astype(np.float32)
    if min(valid.shape) < 2:
        mean = (image * weight).sum((0, 1)) / max(float(weight.sum()), 1.0)
        far = np.broadcast_to(mean if weight.any() else np.float32(255), image.shape)
    else:
        weights = _halve(weight)
        smaller = _halve(image * weight) / np.maximum(weights, 1e-6)
        far = _ground(smaller.astype(np.float32), weights[..., 0] > 0).repeat(2, 0).repeat(2, 1)
        far = far[: image.shape[0], : image.shape[1]]
    return np.where(valid[..., None], image, far)


def _halve(pixels: _Pixels) -> _Pixels:
    """The sums of four neighbours each; an odd last row or column has fewer."""
    height, width = pixels.shape[:2]
    even = np.pad(pixels, ((0, height % 2), (0, width % 2), (0, 0)))
    return np.asarray(even[::2, ::2] + even[1::2, ::2] + even[::2, 1::2] + even[1::2, 1::2])


def _where(difference: _Pixels, face: Face, dpi: float) -> tuple[bool, bool]:
    """Whether something differs in the piece, and in its bleed."""
    height, width = difference.shape
    scale = dpi / MM_PER_INCH
    left, top = (width - face.size.width * scale) / 2, (height - face.size.height * scale) / 2
    piece = Image.new("1", (width, height))
    corners = [(left + x * scale, top + y * scale) for x, y in face.cut]
    ImageDraw.Draw(piece).polygon(corners, 1)
    inside, differs = np.asarray(piece, np.bool_), difference > _VISIBLE
    return bool((differs & inside).any()), bool((differs & ~inside).any())
