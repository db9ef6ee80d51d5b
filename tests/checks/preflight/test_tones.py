"""Faces that differ in tone for every eye are told apart without a look at their colours."""

from __future__ import annotations

import numpy as np
import pytest

from generator.checks.preflight import colours, eyes
from generator.checks.preflight import colours as tones
from generator.checks.preflight import eyes as ciede
from generator.checks.preflight.colours import TOLD_APART, differ_in_tone, look_alike
from generator.checks.preflight.prints import Bytes, Print
from tests.checks.preflight.planted import component

PIXELS = 3000


def face(colour: str, part: int = PIXELS, ground: str = "#ffffff") -> Bytes:
    """Pixels of which the first ones have a colour, and the others that of the ground."""
    pixels = np.empty((PIXELS, 3), np.uint8)
    pixels[:part], pixels[part:] = eyes.parse_colour(colour), eyes.parse_colour(ground)
    return pixels


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        (face("#000000"), face("#ffffff"), True),
        (face("#c8402a"), face("#101010"), True),
        (face("#c8402a"), face("#6f7a1e"), False),
        (face("#ff0000"), face("#333333"), False),  # nearly as dark without long cones
        (face("#000000", 400), face("#ffffff"), True),
        (face("#000000", 3), face("#ffffff"), False),
    ],
)
def test_two_faces(one: Bytes, other: Bytes, differ: bool) -> None:
    assert differ_in_tone([one, other], 4) == differ


def test_few_pixels_are_found_where_the_first_look_misses_them() -> None:
    one, other = face("#ffffff"), face("#ffffff")
    other[1:40:3] = 0
    assert differ_in_tone([one, other], 4)


def test_each_pair_counts() -> None:
    greys = [face(f"#{grey:02x}{grey:02x}{grey:02x}") for grey in (0, 120, 250)]
    assert differ_in_tone(greys, 4)
    assert not differ_in_tone([*greys, face("#7a7a7a")], 4)


def test_lightness_is_that_of_the_coordinates() -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (500, 3), dtype=np.uint8)
    for sight, seen in zip(eyes.FILTERS, eyes.lightness(pixels), strict=True):
        expected = eyes.coordinates([tuple(pixel) for pixel in pixels.tolist()], sight)[:, 0]
        assert np.allclose(seen, expected, atol=1e-3)


def test_tones_so_far_apart_are_told_whatever_the_colours() -> None:
    random = np.random.default_rng(2).integers(0, 256, (2, 1500, 3)).tolist()
    one, other = (eyes.coordinates([tuple(colour) for colour in some]) for some in random)
    apart = ciede.difference(one[:, None], other)
    are_far = np.abs(one[:, None, 0] - other[:, 0]) >= tones.APART
    assert apart[are_far].min() > 1.5 * TOLD_APART


def test_the_colours_of_such_faces_have_no_flaw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(colours, "differ_in_tone", lambda *_: False)
    differing = 0
    for seed in range(60):
        random = np.random.default_rng(seed)
        some = random.integers(0, 256, (6, 3), dtype=np.uint8)
        faces = [some[random.integers(0, 6, 8)].repeat(375, axis=0) for _ in range(4)]
        prints = Print(component(pieces=4), "front", 1.0, len(faces))
        if differ_in_tone(faces, colours.MARK / prints.pitch**2):
            differing += 1
            named = [((str(number),), shown_face) for number, shown_face in enumerate(faces)]
            assert not list(look_alike(prints, named)), seed
    assert differing > 20
