"""Take two pictures of a face, make one that shows what was taken from it and what was added."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from generator.model import Face
from generator.units import MM_PER_INCH

# Orange-red and blue-green stay apart in every colour blindness; what was recoloured is darker
# than either; what stayed is paler than all of them.
TAKEN, ADDED = (213, 72, 20), (0, 128, 150)
STAYED = 0.2  # of its darkness is left
LEGEND = (("taken", "#d54814"), ("added", "#008096"), ("recoloured", "#00240c"))
_UNSEEN, _SEEN = 12.0, 36.0  # of 255: from where on a difference counts, and counts in full
_STRONG = 60.0  # of 255: what stands out so far from its ground is drawn in full

_Pixels = npt.NDArray[np.float32]


class Overlay(NamedTuple):
    """The picture, and where something differs that one can see: in the piece, or in its bleed."""

    picture: Image.Image
    in_piece: bool
    in_bleed: bool


def overlay(old: Image.Image, new: Image.Image, face: Face, dpi: float) -> Overlay:
    """Two pictures of a face with its bleed, middle upon middle; `face` says where the new is cut.

    What was taken and what was added are told from the ground that both lie on: light letters on
    a dark ground are things like dark ones on a light ground.
    """
    size = max(old.width, new.width), max(old.height, new.height)
    before, after = (_pixels(_centre(image, size)) for image in (old, new))
    apart = _apart(before, after)
    ground = _ground(after, apart < _UNSEEN)
    taken = np.clip(_apart(before, ground) / _STRONG, 0, 1)[..., None]
    added = np.clip(_apart(after, ground) / _STRONG, 0, 1)[..., None]
    marked = 255 * _veil(taken, TAKEN) * _veil(added, ADDED)
    pale = 255 - STAYED * (255 - after @ np.array([0.299, 0.587, 0.114], np.float32))
    weight = np.clip((apart - _UNSEEN) / (_SEEN - _UNSEEN), 0, 1)[..., None]
    mixed = weight * marked + (1 - weight) * pale[..., None]
    return Overlay(Image.fromarray(mixed.round().astype(np.uint8)), *_where(apart, face, dpi))


def _centre(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    if image.size == size:
        return image
    paper = Image.new("RGB", size, (255, 255, 255))
    paper.paste(image, ((size[0] - image.width) // 2, (size[1] - image.height) // 2))
    return paper


def _pixels(image: Image.Image) -> _Pixels:
    return np.asarray(image, np.float32)


def _apart(one: _Pixels, other: _Pixels) -> _Pixels:
    """How far two pictures differ at each pixel, in the channel where they do most."""
    red, green, blue = np.moveaxis(np.abs(one - other), 2, 0)
    return np.asarray(np.maximum(np.maximum(red, green), blue))


def _veil(strength: _Pixels, colour: tuple[int, int, int]) -> _Pixels:
    """What is left of white paper beneath a colour."""
    return np.asarray(1 - strength * (1 - np.array(colour, np.float32) / 255))


def _ground(image: _Pixels, known: npt.NDArray[np.bool_]) -> _Pixels:
    """The picture, and where it is not known what lies around, taken from as near as there is
    something: from pictures half as large, and so on; white where nothing is known."""
    if known.all():
        return image
    weight = known[..., None].astype(np.float32)
    if min(known.shape) < 2:
        mean = (image * weight).sum((0, 1)) / max(float(weight.sum()), 1.0)
        far = np.broadcast_to(mean if weight.any() else np.float32(255), image.shape)
    else:
        held = _halve(weight)
        smaller = _halve(image * weight) / np.maximum(held, 1e-6)
        far = _ground(smaller.astype(np.float32), held[..., 0] > 0).repeat(2, 0).repeat(2, 1)
        far = far[: image.shape[0], : image.shape[1]]
    return np.where(known[..., None], image, far)


def _halve(pixels: _Pixels) -> _Pixels:
    """The sums of four neighbours each; an odd row or column stands by itself."""
    height, width = pixels.shape[:2]
    even = np.pad(pixels, ((0, height % 2), (0, width % 2), (0, 0)))
    return np.asarray(even[::2, ::2] + even[1::2, ::2] + even[::2, 1::2] + even[1::2, 1::2])


def _where(apart: _Pixels, face: Face, dpi: float) -> tuple[bool, bool]:
    """Whether something differs in the piece, and in what is cut off it."""
    height, width = apart.shape
    scale = dpi / MM_PER_INCH
    left, top = (width - face.size.width * scale) / 2, (height - face.size.height * scale) / 2
    piece = Image.new("1", (width, height))
    corners = [(left + x * scale, top + y * scale) for x, y in face.cut]
    ImageDraw.Draw(piece).polygon(corners, 1)
    inside, differs = np.asarray(piece, np.bool_), apart > _SEEN
    return bool((differs & inside).any()), bool((differs & ~inside).any())
