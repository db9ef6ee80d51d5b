"""Flaws of faces as they will print that an inexact cut or a shifted back reveals, at the trim and
at holes; and text on folds."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from math import ceil, hypot

import numpy as np
from msgspec import Struct

from generator.basics.geometry import Rect, translation
from generator.basics.shapes import Crease, Outline, carried, edges, holds
from generator.checks.preflight import faults
from generator.checks.preflight.prints import FaceLook, Flaw, Print, mm
from generator.layout.nets import Net
from generator.model import Side

USUAL_DRIFT = 1.0  # mm, the drift of backs on a printer that is not measured
CUT_ERROR = 0.5  # mm, the error of a cut by hand, the only drift of fronts
_BEYOND = 0.6  # mm beyond the widest zone: the contrast of art at its end needs room
_REACHES = 0.05  # of the outline: art on more of it reaches the cut
_AT = 0.2  # mm: a smaller distance cannot be measured
_HAIR = 0.01  # mm
_SPACED = 1.0  # mm, the steps of the search for the box of sound letters
_MOST_KNOWN = 20  # edges of faces to compare with: many decks have a few, photographs none

_Key = tuple[tuple[Rect, ...], bytes]  # the letters near the cut, and the pixels along it


class _FaceEdge(Struct, frozen=True):
    """The ring along the cut of a face, and the boxes of the letters near it."""

    edge: faults.Edge
    letters: Sequence[Rect]


class _CutFlaw(Struct, frozen=True):
    """A kind of flaw: `measure` gives mm, None for a face without it; the least is the worst. The
    `alternative` to the hint helps only what is not cut."""

    rule: str
    measure: Callable[[_FaceEdge], float | None]
    say: Callable[[float], str]
    hint: str
    alternative: str = ""


def drift_of(side: Side, measured: float | None) -> float:
    """How far the cut may be off on a side (mm); `measured`: the printer's drift, if known (mm)."""
    if side == "front":
        return CUT_ERROR
    return USUAL_DRIFT if measured is None else measured


class CutInspector:
    """Finds the flaws of faces along the cut of one side.

    Faces that are equal there, as most cards from a template are, are inspected once. To compare
    their pixels is faster than to find them by a digest.
    """

    def __init__(self, prints: Print) -> None:
        component, zone = prints.component, max(prints.component.safe, prints.drift)
        reach = max(zone, 2 * prints.drift) + _BEYOND
        self._face = component.bleed_size
        self._ring = faults.ring_along(prints.cut, component.bleed, reach)
        self._inner = _find_inner(component.trim, prints.cut, zone + 2 * faults.AROUND)
        near = partial(faults.nearest_letter, cut=prints.cut)
        of_zone = _of_zone(near, zone, "the trim")
        self._kinds = (_of_bleed(prints), _of_border(prints.drift), *of_zone)
        self._holes = [_around_hole(hole, zone) for hole in component.holes]
        inset = translation(component.bleed, component.bleed)
        creases = component.shape.creases
        self._creases = [(inset.apply(start), inset.apply(end)) for start, end in creases]
        panels = component.shape.panels if isinstance(component.shape, Net) else ()
        # glued behind other panels: nobody reads the word "glue" any more
        self._tabs = [carried(panel.outline, inset) for panel in panels if panel.is_glued]
        self._known: deque[tuple[_Key, list[list[Flaw]]]] = deque(maxlen=_MOST_KNOWN)

    def find(self, look: FaceLook) -> list[list[Flaw]]:
        """The flaws of each kind; always as many kinds, in the same order."""
        return [*self._find_at_trim(look), *self._find_within(look)]

    def _find_within(self, look: FaceLook) -> Iterator[list[Flaw]]:
        """The flaws at holes and on folds."""
        high, wide, _ = look.pixels.shape
        for ring, kinds in self._holes:
            sample = faults.sample_along(ring, wide, high, self._face)
            colours = sample.interpolate(sample.take(look.pixels))
            inspected = _FaceEdge(faults.Edge(ring, colours), look.contents.letters)
            for kind in kinds:
                yield list(_flaws_of(kind, inspected))
        for crease in self._creases:
            yield list(_on_fold(crease, look.contents.letters))

    def _find_at_trim(self, look: FaceLook) -> list[list[Flaw]]:
        high, wide, _ = look.pixels.shape
        sample = faults.sample_along(self._ring, wide, high, self._face)
        taken = sample.take(look.pixels)
        near = tuple(
            box
            for box in _outside(look.contents.letters, self._inner)
            if not any(holds(tab, box) for tab in self._tabs)
        )
        key = near, taken.tobytes()
        for known, flaws in self._known:
            if known == key:
                return flaws
        edge = _FaceEdge(faults.Edge(self._ring, sample.interpolate(taken)), near)
        flaws = [list(_flaws_of(kind, edge)) for kind in self._kinds]
        self._known.append((key, flaws))
        return flaws


def _outside(boxes: Sequence[Rect], inner: Rect | None) -> Sequence[Rect]:
    """The boxes that are not wholly within another."""
    if inner is None:
        return boxes
    left, top, right, bottom = inner
    return [box for box in boxes if box[0] < left or box[1] < top or box[2] > right or box[3] > bottom]


@lru_cache
def _find_inner(trim: Rect, cut: Outline, margin: float) -> Rect | None:
    """A box within a piece that keeps a margin (mm) from the cut: letters in it are sound."""
    inset = margin
    while 2 * inset < min(trim.width, trim.height):
        box = trim.grown(-inset)
        steps = ceil(max(box.width, box.height) / _SPACED) + 1
        border = np.concatenate([np.linspace(*edge, steps) for edge in edges(box.corners())])
        if faults.is_within(border, cut).all() and faults.distances(border, cut).min() >= margin + _SPACED:
            return box
        inset += _SPACED
    return None


def _flaws_of(kind: _CutFlaw, inspected: _FaceEdge) -> Iterator[Flaw]:
    measure = kind.measure(inspected)
    if measure is not None:
        hint = kind.hint if measure < 0.0 else kind.hint + kind.alternative
        texts = (kind.say(measure), hint, f"at least {mm(measure)} mm")
        yield Flaw(f"drift.{kind.rule}", measure, *texts)


def _of_bleed(prints: Print) -> _CutFlaw:
    bleed, drift = prints.component.bleed, prints.drift
    name, key, enough = "bleed", "bleed" if prints.side == "front" else "back_bleed", "3"
    least = prints.component.least_bleed
    if least is not None and least < drift <= bleed:
        bleed, name, key, enough = least, "least bleed", "least_bleed", mm(drift)
    if bleed < drift:
        return _CutFlaw(
            "bleed",
            lambda inspected: bleed if inspected.edge.inked_share > _REACHES else None,
            lambda _: (
                f"art reaches the trim, and its {name} of {mm(bleed)} mm is less than the "
                f"{mm(drift)} mm that the cut may be off"
            ),
            f"set {key} = '{enough}mm' and fill it with art, or bare paper shows at the edge",
        )
    return _CutFlaw(
        "bare",
        lambda inspected: inspected.edge.bare_bleed(),
        lambda end: f"art ends {_beyond(end)}, but the bleed is {mm(bleed)} mm wide",
        "extend it to the end of the bleed, or bare paper shows at the edge",
    )


def _of_border(drift: float) -> _CutFlaw:
    return _CutFlaw(
        "border",
        lambda inspected: inspected.edge.narrow_border(drift),
        lambda width: (
            f"a border about {mm(width)} mm wide comes out {mm(max(width - drift, 0.0))} and "
            f"{mm(width + drift)} mm wide at a drift of {mm(drift)} mm"
        ),
        f"make it at least {mm(2 * drift)} mm wide, or let the art run to the end of the bleed",
    )


def _around_hole(hole: Outline, zone: float) -> tuple[faults.CutBand, Sequence[_CutFlaw]]:
    """The ring around a hole, and its kinds of flaws; inwards is away from the hole."""
    near = partial(faults.nearest_letter, cut=hole, is_hole=True)
    return faults.ring_along(hole[::-1], 0.0, zone + _BEYOND), list(_of_zone(near, zone, "the hole"))


def _on_fold(crease: Crease, letters: Sequence[Rect]) -> Iterator[Flaw]:
    """Letters on both sides of a fold: by how much the narrower part reaches beyond it (mm)."""
    (x, y), end = crease
    length = hypot(end.x - x, end.y - y)
    dx, dy = (end.x - x) / length, (end.y - y) / length
    widest = 0.0
    for box in letters:
        aside = [(corner.y - y) * dx - (corner.x - x) * dy for corner in box.corners()]
        along = (box.centre.x - x) * dx + (box.centre.y - y) * dy
        if 0.0 < along < length:
            widest = max(widest, min(max(aside), -min(aside)))
    if widest > _AT:
        what, hint = "a fold goes through text", "move the text off the fold, or the fold"
        yield Flaw("fold.text", -widest, what, hint, f"at most {mm(widest)} mm", "note")


def _of_zone(nearest: Callable[[Sequence[Rect]], float], zone: float, edge: str) -> Iterator[_CutFlaw]:
    """Flaws of letters, whose distance from an edge `nearest` measures, and of art near it."""
    keep = f"keep {mm(zone)} mm from {edge}"
    own = "; or set the component's safe zone: safe = '2mm'" if zone > 2.0 else ""
    yield _CutFlaw(
        "text",
        lambda face: off if (off := nearest(face.letters)) < zone - _HAIR else None,
        lambda distance: _say_text(distance, edge),
        keep,
        own,
    )
    yield _CutFlaw(
        "art",
        lambda face: face.edge.nearest_art(zone, faults.is_lettered(face.edge.onset_spots, face.letters)),
        lambda distance: f"art is about {mm(distance)} mm from {edge} and does not reach it",
        f"{keep}, or let it run to the end of the bleed",
        own,
    )


def _say_text(distance: float, edge: str) -> str:
    if distance < -_HAIR:
        way = "into" if edge == "the hole" else "beyond"
        return f"text is cut: it reaches {mm(-distance)} mm {way} {edge}"
    return f"text is {mm(distance)} mm from {edge}"


def _beyond(end: float) -> str:
    return f"about {mm(end)} mm beyond the trim" if end > _AT else "at the trim"
