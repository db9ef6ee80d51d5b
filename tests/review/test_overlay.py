"""What differs between two pictures of a face, and which way, to be told by any eye."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from PIL import Image, ImageColor, ImageDraw

from generator.review import LEGEND, overlay
from tests.support.printing import CARD, face_of

DPI, BLEED = 50.8, 3.0  # two pixels a mm
FACE = face_of("face", CARD, BLEED, "")
SIZE = (139, 190)
COLOURS = {name: np.array(ImageColor.getrgb(colour), float) for name, colour in LEGEND}
# What the eye of a person who lacks one kind of cones sees of linear red, green and blue
# (Viénot, Brettel and Mollon 1999), and an eye for light and dark only.
EYES = {
    "protan": [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
    "deutan": [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
    "all": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
}


def picture(ground: str, *boxes: tuple[tuple[int, int, int, int], str]) -> Image.Image:
    image = Image.new("RGB", SIZE, ground)
    for box, colour in boxes:
        ImageDraw.Draw(image).rectangle(box, colour)
    return image


LEFT, RIGHT = (30, 60, 50, 90), (80, 60, 100, 90)


def at(image: Image.Image, box: tuple[int, int, int, int]) -> np.ndarray:
    return np.array(image.getpixel(((box[0] + box[2]) // 2, (box[1] + box[3]) // 2)), float)


@pytest.mark.parametrize(("ground", "ink"), [("white", "black"), ("navy", "white"), ("#8c1c13", "#f5d76e")])
def test_what_was_moved_is_taken_here_and_added_there(ground: str, ink: str) -> None:
    """Light on dark is told as dark on light is."""
    stays = ((30, 130, 100, 150), ink)
    old, new = picture(ground, (LEFT, ink), stays), picture(ground, (RIGHT, ink), stays)
    laid = overlay(old, new, FACE, DPI)
    assert (laid.in_piece, laid.in_bleed) == (True, False)
    assert np.abs(at(laid.picture, LEFT) - COLOURS["taken"]).max() <= 3
    assert np.abs(at(laid.picture, RIGHT) - COLOURS["added"]).max() <= 3
    for stayed in (at(laid.picture, stays[0]), at(laid.picture, (5, 5, 9, 9))):
        assert len(set(stayed)) == 1
        assert stayed[0] >= 190


def test_another_colour_in_the_same_place() -> None:
    laid = overlay(picture("white", (LEFT, "red")), picture("white", (LEFT, "blue")), FACE, DPI)
    assert np.abs(at(laid.picture, LEFT) - COLOURS["recoloured"]).max() <= 3


def test_nothing_and_everything() -> None:
    same = overlay(picture("navy"), picture("navy"), FACE, DPI)
    assert (same.in_piece, same.in_bleed) == (False, False)
    all_of_it = overlay(picture("white"), picture("black"), FACE, DPI)
    assert (all_of_it.in_piece, all_of_it.in_bleed) == (True, True)
    assert np.abs(at(all_of_it.picture, LEFT) - COLOURS["added"]).max() <= 3


def test_a_difference_in_the_bleed_alone() -> None:
    laid = overlay(picture("white"), picture("white", ((0, 0, 2, 189), "black")), FACE, DPI)
    assert (laid.in_piece, laid.in_bleed) == (False, True)


def test_faces_of_two_sizes_lie_middle_upon_middle() -> None:
    small = Image.new("RGB", (SIZE[0] - 20, SIZE[1] - 20), "white")
    ImageDraw.Draw(small).rectangle((LEFT[0] - 10, LEFT[1] - 10, LEFT[2] - 10, LEFT[3] - 10), "navy")
    laid = overlay(small, picture("white", (LEFT, "navy")), FACE, DPI)
    assert laid.picture.size == SIZE
    assert (laid.in_piece, laid.in_bleed) == (False, False)


@pytest.mark.parametrize("eye", EYES)
def test_the_colours_stay_apart_in_every_eye(eye: str) -> None:
    colours = {**COLOURS, "stayed": np.full(3, 255 - 0.2 * 255)}
    seen = {name: np.array(EYES[eye]) @ (colour / 255) ** 2.2 for name, colour in colours.items()}
    for one, other in combinations(seen, 2):
        lights = (np.clip(seen[name], 0, 1) ** (1 / 2.2) for name in (one, other))
        assert np.abs(np.subtract(*lights)).max() > 0.25, (one, other)
