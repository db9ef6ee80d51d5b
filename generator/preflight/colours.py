"""Take all faces of a component's side, make flaws: what is told apart by colour alone.

Colours are no fault by themselves. Two pieces are, which differ for most eyes and coincide for
some: a sign, a pattern or a tone that differs too keeps any pair out of this. So faces are laid one
upon another in pairs, as they stand in the file, and the area in which they differ is measured as
each eye sees it. Of the palette there is a note: whether its colours say anything nobody can see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from generator.errors import Problem
from generator.place import Place
from generator.preflight import eyes
from generator.preflight.ciede import Table
from generator.preflight.prints import FaceLook, Flaw, Print

# CIEDE2000. Nine of ten viewers tell 5 mm at arm's length apart by a difference of 11.5 in L*
# (Stone, Szafir and Setlur 2014, "An engineering model for color difference as a function of size")
TOLD_APART = 10.0
_LOST = 0.5  # of the difference for most eyes: what was slight before is not the eye's fault
AREA = 4.0  # mm² of different colour: less is no piece's colour
MARK = 1.0  # mm² that differ for every eye: what a digit of 12 pt differs in from another
_COLOURS = 40  # that all faces are reduced to
_LEARNT_FROM = 30_000  # pixels of all faces, about: of photographs, more would take a minute
_LOOKED_AT = 800  # pixels of a face, about, by which the likest are found
_MOST_PAIRS = 4000  # looked at closely, the likest first
_ALIKE, _UNLIKE = 8.0, 60.0  # differences on the mean of what coincides, and of a mark

Codes = NDArray[np.uint8]
Flags = NDArray[np.bool_]


class _EyeView(NamedTuple):
    """How an eye sees the colours (k): where in CIELAB (k, 3), how far from each other (k, k), and
    which it takes for one that are not (k, k)."""

    name: str
    places: Table
    apart: Table
    is_lost: Flags


class _Side(NamedTuple):
    """The faces (n, pixels) in numbers of their colours (k), how far these are from each other for
    most eyes (k, k), and the area of a pixel (mm²)."""

    faces: Codes
    colours: list[eyes.Rgb]
    apart: Table
    pixel: float

    def shared(self, one: int, other: int) -> Table:
        """The area (mm²) in which a face has one colour and another face another (k, k)."""
        count = len(self.colours)
        both = self.faces[one].astype(np.intp) * count + self.faces[other]
        found = np.bincount(both, minlength=count * count).reshape(count, count)
        return found * self.pixel

    @property
    def fills(self) -> Table:
        """The largest area (mm²) that each colour fills on a face (k)."""
        count = len(self.colours)
        filled = np.stack([np.bincount(face, minlength=count) for face in self.faces])
        largest: Table = filled.max(axis=0) * self.pixel
        return largest


def look_alike(prints: Print) -> Iterator[Flaw]:
    """A flaw for each two faces that some eye does not tell apart."""
    if len(prints.looks) < 2:
        return
    side = _side(prints)
    for sight in _sights(side):
        if sight.is_lost.any():
            for one, other in _likest(side, sight):
                yield from _pair(side, sight, prints.looks[one], prints.looks[other], one, other)


def _side(prints: Print) -> _Side:
    """All faces, their colours reduced to the few that they mostly have."""
    pixels = prints.pieces.reshape(1, -1, 3)
    some = Image.fromarray(pixels[:, :: max(pixels.shape[1] // _LEARNT_FROM, 1)])
    few = some.quantize(_COLOURS, Image.Quantize.MEDIANCUT, kmeans=1).getpalette() or []
    table = np.array(few, np.float32).reshape(-1, 3)
    faces = _find_nearest(prints.pieces, table)
    colours: list[eyes.Rgb] = [(int(r), int(g), int(b)) for r, g, b in table]
    colours = colours[: int(faces.max()) + 1]
    apart = eyes.differences(eyes.coordinates(colours))
    return _Side(faces, colours, apart, prints.pitch**2)


def _find_nearest(pixels: Codes, colours: NDArray[np.float32]) -> Codes:
    """The numbers (…) of the colours (k, 3) that are nearest to pixels (…, 3)."""
    red, green, blue = np.moveaxis(pixels.astype(np.uint32), -1, 0)
    found, numbers = np.unique(red << 16 | green << 8 | blue, return_inverse=True)
    there = np.stack([found >> 16, found >> 8 & 255, found & 255], axis=-1).astype(np.float32)
    # the squares of the distances, but for what is the same for all colours: whole numbers, exact
    apart = (colours**2).sum(axis=-1) - 2 * there @ colours.T
    codes: Codes = apart.argmin(axis=-1).astype(np.uint8)[numbers].reshape(pixels.shape[:-1])
    return codes


def _sights(side: _Side) -> Iterator[_EyeView]:
    is_there = side.fills >= MARK
    for name in eyes.FILTERS:
        places = eyes.coordinates(side.colours, name)
        apart = eyes.differences(places)
        is_lost = _is_lost(side.apart, apart) & is_there & is_there[:, None]
        yield _EyeView(name, places, apart, is_lost)


def _is_lost(usual: Table, seen: Table) -> Flags:
    """Of the differences for most eyes and for another: which that eye does not see."""
    is_lost: Flags = (usual >= TOLD_APART) & (seen < TOLD_APART) & (seen < _LOST * usual)
    return is_lost


def _likest(side: _Side, sight: _EyeView) -> list[tuple[int, int]]:
    """Faces that may coincide, found by how far apart they are on the mean."""
    faces = side.faces[:, :: max(side.faces.shape[1] // _LOOKED_AT, 1)]
    seen = sight.places.astype(np.float32)[faces].reshape(len(faces), -1)
    squares = (seen**2).sum(axis=1)
    apart = (squares[:, None] + squares - 2 * seen @ seen.T) / faces.shape[1]
    most = _UNLIKE**2 * MARK / (side.pixel * side.faces.shape[1]) + _ALIKE**2
    one, other = np.nonzero(np.triu(apart < most, 1))
    order = np.argsort(apart[one, other], kind="stable")[:_MOST_PAIRS]
    return [(int(one[i]), int(other[i])) for i in order]


def _pair(
    side: _Side, sight: _EyeView, look: FaceLook, beside: FaceLook, one: int, other: int
) -> Iterator[Flaw]:
    """Two faces that differ by an area of colour for most eyes and by no mark for this one."""
    shared = side.shared(one, other)
    lost = np.where(sight.is_lost, shared, 0.0)
    if lost.sum() < AREA or shared[sight.apart >= TOLD_APART].sum() >= MARK:
        return
    i, j = divmod(int(lost.argmax()), len(side.colours))
    pieces = (look.pieces[0], beside.pieces[0])
    names = [eyes.format_colour(side.colours[n]) for n in (i, j)]
    told = _describe_pair(names, sight.name, side.apart[i, j], sight.apart[i, j])
    what = f"{pieces[0]} and {pieces[1]} differ in nothing but {told} of {lost.sum():.0f} mm²"
    hint = "let a sign, a pattern or how light they are differ too"
    both = (*look.pieces, *beside.pieces)
    found = f"at least {sight.apart[i, j]:.0f}"
    yield Flaw(f"colour.{sight.name}", both, sight.apart[i, j], what, hint, found)


def palette_alike(palette: Mapping[str, str], place: Place) -> Iterator[Problem]:
    """A note on the colours ("#1f3f8c") of a palette that some eye takes for one."""
    names = list(palette)
    colours = [eyes.parse_colour(colour) for colour in palette.values()]
    usual = eyes.differences(eyes.coordinates(colours))
    told, found = [], []
    for sight in eyes.FILTERS:
        seen = eyes.differences(eyes.coordinates(colours, sight))
        for i, j in np.argwhere(np.triu(_is_lost(usual, seen))):
            told.append(_describe_pair([names[i], names[j]], sight, usual[i, j], seen[i, j]))
            found.append(f"{names[i]} and {names[j]} {_eye(sight)}")
    if found:
        what = f"the palette: {', '.join(told)}"
        hint = "no harm where nothing is told by these colours alone"
        yield Problem(place, what, hint, "note", "colour.palette", found=", ".join(found))


def _describe_pair(names: Sequence[str], sight: str, usual: float, seen: float) -> str:
    """As in "red and green (a difference of 60, with deuteranopia 4)"."""
    return f"{' and '.join(names)} (a difference of {usual:.0f}, {_eye(sight)} {seen:.0f})"


def _eye(sight: str) -> str:
    return "in grey" if sight == "grey" else f"with {sight}"
