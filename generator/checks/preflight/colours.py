"""Pairs of faces on a side of a component that only their colours distinguish.

A colour is not a fault by itself. Two pieces are a fault if they differ for most eyes and look
alike to some; a different symbol, pattern or tone prevents that. So every two faces are compared as
in the file, and the area in which they differ is measured for each kind of eye. For the palette
there is only a note, because its colours need not have a meaning.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image

from generator.basics.errors import Place, Problem
from generator.checks.preflight import eyes
from generator.checks.preflight.eyes import Table
from generator.checks.preflight.prints import Bytes, Flaw, Print
from generator.model import Game

# CIEDE2000. Nine of ten viewers distinguish areas of 5 mm at arm's length that differ by 11.5 in L*
# (Stone, Szafir and Setlur 2014, "An engineering model for color difference as a function of size")
TOLD_APART = 10.0
_LOST = 0.5  # of the difference for most eyes: a small difference stays small for every eye
AREA = 4.0  # mm² of different colour: less is not the colour of a piece
MARK = 1.0  # mm² that differ for every eye, as between two digits of 12 pt
_COLOURS = 40  # to which all faces are reduced
_LEARNT_FROM = 30_000  # pixels of all faces, about: of photographs, more would take a minute
_TOGETHER = 8192  # colours: their distances to the few stay in the cache of the processor
_LOOKED_AT = 800  # pixels of a face, about, for finding the pairs that look most alike
_MOST_PAIRS = 4000  # compared in full, the most alike first
_PAIRS_TOGETHER = 200  # their pixels stay in the cache of the processor
_ALIKE, _UNLIKE = 8.0, 60.0  # mean differences: of faces that look alike, and of a mark

Codes = NDArray[np.uint8]
Packed = NDArray[np.uint32]
Indices = NDArray[np.intp]
Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]


class _EyeView(Struct, frozen=True):
    """The colours (k) as an eye sees them: in CIELAB (k, 3), their differences (k, k), and which
    pairs it cannot distinguish though most eyes can (`lost`), and which it can (`clear`) (k, k; 1 or 0)."""

    name: str
    places: Table
    apart: Table
    lost: Counts
    clear: Counts


class _Side(Struct, frozen=True):
    """The faces (n, pixels) as indices of colours (k), the differences of the colours for most eyes
    (k, k), and the area of a pixel (mm²)."""

    faces: Codes
    colours: list[eyes.Rgb]
    apart: Table
    pixel: float

    def shared(self, one: int, other: int) -> Counts:
        """The pixels in which one face has one colour and the other face another (k, k)."""
        count = len(self.colours)
        both = self.faces[one].astype(np.uint16)
        both *= count
        both += self.faces[other]
        return np.bincount(both, minlength=count * count).reshape(count, count)

    @property
    def few_pixels(self) -> Codes:
        return self.faces[:, :: max(self.faces.shape[1] // _LOOKED_AT, 1)]

    @property
    def fills(self) -> Table:
        """The largest area (mm²) of each colour on a face (k)."""
        count = len(self.colours)
        filled = np.stack([np.bincount(face, minlength=count) for face in self.faces])
        largest: Table = filled.max(axis=0) * self.pixel
        return largest


def look_alike(prints: Print, faces: Sequence[tuple[Sequence[str], Bytes]]) -> Iterator[Flaw]:
    """A flaw for every two faces that some eye cannot distinguish; `faces` have the names of their
    pieces and their pixels, by `Print.piece`."""
    pieces = [pixels for _, pixels in faces]
    if len(faces) < 2:
        return
    side = _side(pieces, prints.pitch)
    for sight in _sights(side):
        if sight.lost.any():
            for one, other in _find_alike(side, sight, *_likest(side, sight)):
                yield from _pair(side, sight, faces[one][0], faces[other][0], one, other)


def _side(pieces: Sequence[Bytes], pitch: float) -> _Side:
    """All faces, each (pixels, 3), with their colours reduced to the most frequent ones."""
    numbers = _number(pieces)
    some = numbers.reshape(1, -1)[:, :: max(numbers.size // _LEARNT_FROM, 1)]
    image = Image.fromarray(np.stack(_channels(some), axis=-1).astype(np.uint8))
    few = image.quantize(_COLOURS, Image.Quantize.MEDIANCUT, kmeans=1).getpalette() or []
    table = np.array(few, np.float32).reshape(-1, 3)
    faces = _find_nearest(numbers, table)
    colours: list[eyes.Rgb] = [(int(r), int(g), int(b)) for r, g, b in table]
    colours = colours[: int(faces.max()) + 1]
    apart = eyes.differences(eyes.coordinates(colours))
    return _Side(faces, colours, apart, pitch**2)


def _number(pieces: Sequence[Bytes]) -> Packed:
    """The colours of faces (n, pixels) as numbers. One face after another, because it stays in the
    cache of the processor."""
    numbers = np.empty((len(pieces), len(pieces[0])), np.uint32)
    for pixels, of_face in zip(pieces, numbers, strict=True):
        red, green, blue = pixels.T.astype(np.uint32)
        np.bitwise_or(red << 16 | green << 8, blue, out=of_face)
    return numbers


def _channels(numbers: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    return numbers >> 16, numbers >> 8 & 255, numbers & 255


def _find_nearest(numbers: Packed, colours: NDArray[np.float32]) -> Codes:
    """The numbers (n, pixels) of the colours (k, 3) that are nearest to those of faces."""
    nearest = np.zeros(1 << 24, np.uint8)  # of every colour: sorting the pixels takes ten times as long
    for of_face in numbers:
        nearest[of_face] = 1
    distinct = np.flatnonzero(nearest)
    squares = (colours**2).sum(axis=-1)
    for start in range(0, len(distinct), _TOGETHER):
        some = distinct[start : start + _TOGETHER]
        there = np.stack(_channels(some), axis=-1).astype(np.float32)
        # the squares of the distances, minus a term that is equal for all colours; exact integers
        nearest[some] = (squares - 2 * there @ colours.T).argmin(axis=-1)
    return np.stack([nearest.take(of_face) for of_face in numbers])


def _sights(side: _Side) -> Iterator[_EyeView]:
    is_large = side.fills >= MARK
    for name in eyes.FILTERS:
        places = eyes.coordinates(side.colours, name)
        apart = eyes.differences(places)
        is_lost = _is_lost(side.apart, apart) & is_large & is_large[:, None]
        tables = (flags.astype(np.int64) for flags in (is_lost, apart >= TOLD_APART))
        yield _EyeView(name, places, apart, *tables)


def _is_lost(usual: Table, filtered: Table) -> Flags:
    """Which of the differences that most eyes see are lost to another eye."""
    is_lost: Flags = (usual >= TOLD_APART) & (filtered < TOLD_APART) & (filtered < _LOST * usual)
    return is_lost


def _likest(side: _Side, sight: _EyeView) -> tuple[Indices, Indices]:
    """The pairs of faces with the least mean difference, which may look alike."""
    faces = side.few_pixels
    lab = sight.places.astype(np.float32).take(faces, axis=0).reshape(len(faces), -1)
    squares = (lab**2).sum(axis=1)
    apart = squares[:, None] + squares
    apart -= 2 * (lab @ lab.T)  # of a symmetric product, numpy computes half
    apart /= faces.shape[1]
    most = _UNLIKE**2 * MARK / (side.pixel * side.faces.shape[1]) + _ALIKE**2
    one, other = np.nonzero(np.triu(apart < most, 1))
    order = np.argsort(apart[one, other], kind="stable")[:_MOST_PAIRS]
    return one[order], other[order]


def _find_alike(side: _Side, sight: _EyeView, ones: Indices, others: Indices) -> Iterator[tuple[int, int]]:
    """The pairs of faces that do not differ for an eye in a few of their pixels. Most do, and need
    no full comparison, which takes ten times as long."""
    faces, clear = side.few_pixels, sight.clear.astype(np.bool_).ravel()
    for start in range(0, len(ones), _PAIRS_TOGETHER):
        some = slice(start, start + _PAIRS_TOGETHER)
        both = faces[ones[some]] * np.uint16(len(side.colours)) + faces[others[some]]
        is_alike = np.count_nonzero(clear.take(both), axis=1) * side.pixel < MARK
        yield from zip(ones[some][is_alike].tolist(), others[some][is_alike].tolist(), strict=True)


def _pair(
    side: _Side, sight: _EyeView, of_one: Sequence[str], of_other: Sequence[str], one: int, other: int
) -> Iterator[Flaw]:
    """A flaw if two faces differ in colour for most eyes, and in nothing that this eye sees."""
    shared = side.shared(one, other)
    lost, clear = (int(np.vdot(shared, table)) * side.pixel for table in (sight.lost, sight.clear))
    if lost < AREA or clear >= MARK:
        return
    i, j = divmod(int((shared * sight.lost).argmax()), len(side.colours))
    names = [eyes.format_colour(side.colours[n]) for n in (i, j)]
    colours = _describe_pair(names, sight.name, side.apart[i, j], sight.apart[i, j])
    what = f"{of_one[0]} and {of_other[0]} differ only in {colours} of {lost:.0f} mm²"
    hint = "add a different symbol or pattern, or make one of them lighter"
    figures = f"at least {sight.apart[i, j]:.0f}"
    pieces = (*of_one, *of_other)
    yield Flaw(f"colour.{sight.name}", sight.apart[i, j], what, hint, figures, pieces=pieces)


def palette_alike(palette: Mapping[str, str], place: Place) -> Iterator[Problem]:
    """A note on the colours ("#1f3f8c") of a palette that some eye cannot distinguish."""
    names = list(palette)
    colours = [eyes.parse_colour(colour) for colour in palette.values()]
    usual = eyes.differences(eyes.coordinates(colours))
    descriptions, figures = [], []
    for sight in eyes.FILTERS:
        differences = eyes.differences(eyes.coordinates(colours, sight))
        for i, j in np.argwhere(np.triu(_is_lost(usual, differences))):
            descriptions.append(_describe_pair([names[i], names[j]], sight, usual[i, j], differences[i, j]))
            figures.append(f"{names[i]} and {names[j]} {_eye(sight)}")
    if figures:
        what = f"the palette: {', '.join(descriptions)}"
        hint = "harmless unless something depends on these colours alone"
        yield Problem(place, what, hint, "note", "colour.palette", found=", ".join(figures))


def lines_alike(game: Game, lines: Mapping[str, Mapping[str, str]]) -> Iterator[Problem]:
    """A warning for every two colours of lines that are told apart, and not with little ink; what
    they become then, by component."""
    for component in game.components:
        changed = lines.get(component.id)
        if not changed:
            continue
        names, new = list(changed), list(changed.values())
        usual, low = (
            eyes.differences(eyes.coordinates([*map(eyes.parse_colour, colours)])) for colours in (names, new)
        )
        for i, j in np.argwhere(np.triu(_is_lost(usual, low))):
            pair = f"{names[i]} and {names[j]}"
            what = f"with little ink, lines of {pair} print alike, in {new[i]} and {new[j]}"
            hint = "[ink.low.palette] can set darker colours that differ"
            yield Problem(component.place, what, hint, "warning", "colour.low", (component.id,), pair)


def _describe_pair(names: Sequence[str], sight: str, usual: float, filtered: float) -> str:
    """Two colours in words: "red and green (a difference of 60, with deuteranopia 4)"."""
    return f"{' and '.join(names)} (a difference of {usual:.0f}, {_eye(sight)} {filtered:.0f})"


def _eye(sight: str) -> str:
    return "in grey" if sight == "grey" else f"with {sight}"
