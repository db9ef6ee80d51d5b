"""Inks of colours: they look like them, keep to the limit, and greys are black alone."""

from __future__ import annotations

import io
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageCms

from generator.checks.preflight import eyes
from generator.pdf.inks import USUAL_LIMIT, built_in_profile
from generator.pdf.mixing import Mixer, lessen, limit_inks

BLACK = (0.0, 0.0, 0.0, 1.0)
GREYS = [(grey, grey, grey) for grey in range(0, 256, 5)]
# within the inks: what games print with
USUAL = [(25, 51, 124), (217, 82, 58), (111, 181, 130), (221, 213, 195), (42, 127, 224)]

channels = st.integers(0, 255)
inks = st.lists(st.floats(0, 1), min_size=4, max_size=4)


@cache
def mixer(limit: float = USUAL_LIMIT) -> Mixer:
    return Mixer(built_in_profile(), limit)


@cache
def press_to_screen() -> ImageCms.ImageCmsTransform:
    return ImageCms.buildTransform(
        ImageCms.ImageCmsProfile(io.BytesIO(built_in_profile().content)),
        ImageCms.createProfile("sRGB"),
        "CMYK",
        "RGB",
        ImageCms.Intent.RELATIVE_COLORIMETRIC,
        ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )


def looks(colour: tuple[int, int, int], mixed: tuple[float, ...]) -> float:
    """The difference between a colour and its inks, shown by the profile itself."""
    pixel = Image.new("CMYK", (1, 1), tuple(round(ink * 255) for ink in mixed))
    shown = ImageCms.applyTransform(pixel, press_to_screen())
    assert shown is not None
    red, green, blue = np.asarray(shown)[0, 0].tolist()
    return float(eyes.differences(eyes.coordinates([colour, (red, green, blue)]))[0, 1])


@pytest.mark.parametrize("colour", USUAL)
def test_inks_look_like_their_colour(colour: tuple[int, int, int]) -> None:
    assert looks(colour, mixer().mix_flat(colour)) < 4


@pytest.mark.parametrize("grey", GREYS)
def test_greys_are_black_ink_as_light_as_they_are(grey: tuple[int, int, int]) -> None:
    *colours, _ = mixed = mixer().mix_flat(grey)
    assert colours == [0, 0, 0]
    # full black alone is lighter than black with other inks, which is what the profile calls black
    assert looks(grey, mixed) < (8 if grey[0] < 100 else 4)


def test_greys_are_in_order() -> None:
    blacks = [mixer().mix_flat(grey)[3] for grey in GREYS]
    assert blacks == sorted(blacks, reverse=True)
    assert (blacks[0], blacks[-1]) == (1, 0)


@pytest.mark.parametrize("colour", [(0, 0, 0), (33, 33, 33), (26, 26, 46)])
def test_near_black_words_are_full_black(colour: tuple[int, int, int]) -> None:
    assert mixer().mix_fine(colour) == BLACK


@pytest.mark.parametrize("colour", [(20, 33, 90), (60, 60, 60), (90, 10, 10)])
def test_coloured_words_keep_their_colour(colour: tuple[int, int, int]) -> None:
    assert mixer().mix_fine(colour) == mixer().mix_flat(colour) != BLACK


@pytest.mark.parametrize("limit", [1.0, 1.8, 2.4, 3.0])
def test_no_colour_passes_the_limit(limit: float) -> None:
    steps = range(0, 256, 51)
    for red, green, blue in product(steps, steps, steps):
        total: float = sum(mixer(limit).mix((red, green, blue)))
        assert total <= limit + 1e-9


def test_no_pixel_passes_the_limit() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (64, 64, 3)).astype(np.uint8)
    for limit in (1.5, 2.4):
        mixed = mixer(limit).mix_picture(Image.fromarray(noise))
        assert mixed.sum(axis=-1, dtype=int).max() <= limit * 255


@given(inks, st.floats(1, 4))
def test_limited_inks_keep_to_the_limit(mixed: list[float], limit: float) -> None:
    limited = limit_inks(np.array(mixed), limit)
    assert limited.sum() <= limit + 1e-9
    assert limited.min() >= 0
    assert limited.max() <= 1 + 1e-9
    if sum(mixed) <= limit:
        assert np.allclose(limited, mixed)


def test_pixels_within_the_limit_stay() -> None:
    picture = np.full((2, 2, 4), 120, np.uint8)
    assert lessen(picture, 2.4) is picture
