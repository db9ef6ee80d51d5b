"""Take faces as they will print, find flaws that an inexact cut or a shifted back reveals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from generator.model import Side
from generator.outlines import Outline
from generator.preflight.faults import Edge
from generator.preflight.letters import is_lettered, nearest_letter
from generator.preflight.prints import FaceLook, Flaw, Print
from generator.preflight.ring import ring_along

USUAL_DRIFT = 1.0  # mm, the drift of backs on a printer that is not measured
CUT_ERROR = 0.5  # mm, the error of a cut by hand, the only drift of fronts
_BEYOND = 0.6  # mm beyond the widest zone: the contrast of art at its end needs room
_REACHES = 0.05  # of the outline: art on more of it reaches the cut
_AT = 0.2  # mm: a smaller distance cannot be measured
_HAIR = 0.01  # mm


@dataclass(frozen=True, slots=True)
class _FaceEdge:
    """A face and the ring along its cut."""

    look: FaceLook
    edge: Edge


class _CutFlaw(NamedTuple):
    """A kind of flaw: `measure` gives mm, None for a face without it; the least is the worst."""

    rule: str
    measure: Callable[[_FaceEdge], float | None]
    say: Callable[[float], str]
    hint: str


def drift_of(side: Side, measured: float | None) -> float:
    """How far the cut may be off on a side (mm); `measured`: the printer's drift, if known (mm)."""
    if side == "front":
        return CUT_ERROR
    return USUAL_DRIFT if measured is None else measured


def find_cut_flaws(prints: Print) -> Iterator[Flaw]:
    """Finds the flaws of every face along its cut."""
    zone = max(prints.component.safe, prints.drift)
    face_edges = _read_edges(prints, max(zone, 2 * prints.drift) + _BEYOND)
    for fault in (_of_bleed(prints), _of_border(prints.drift), *_of_zone(prints.cut, zone)):
        for one in face_edges:
            measure = fault.measure(one)
            if measure is not None:
                texts = (fault.say(measure), fault.hint, f"at least {_mm(measure)} mm")
                yield Flaw(f"drift.{fault.rule}", one.look.pieces, measure, *texts)


def _read_edges(prints: Print, reach: float) -> list[_FaceEdge]:
    component = prints.component
    ring = ring_along(prints.cut, component.bleed, reach)
    return [
        _FaceEdge(look, Edge(ring, ring.read(look.image, component.bleed_size)))
        for look in prints.looks
    ]


def _of_bleed(prints: Print) -> _CutFlaw:
    bleed, drift = prints.component.bleed, prints.drift
    if bleed < drift:
        key = "bleed" if prints.side == "front" else "back_bleed"
        return _CutFlaw(
            "bleed",
            lambda one: bleed if one.edge.inked_share > _REACHES else None,
            lambda _: (
                f"art reaches the trim, and its bleed of {_mm(bleed)} mm is less than the "
                f"{_mm(drift)} mm that the cut may be off"
            ),
            f"set {key} = '3mm' and fill it with art, or bare paper shows at the edge",
        )
    return _CutFlaw(
        "bare",
        lambda one: one.edge.bare_bleed(),
        lambda end: f"art ends {_beyond(end)}, but the bleed is {_mm(bleed)} mm wide",
        "extend it to the end of the bleed, or bare paper shows at the edge",
    )


def _of_border(drift: float) -> _CutFlaw:
    return _CutFlaw(
        "border",
        lambda one: one.edge.narrow_border(drift),
        lambda width: (
            f"a border about {_mm(width)} mm wide comes out {_mm(max(width - drift, 0.0))} and "
            f"{_mm(width + drift)} mm wide at a drift of {_mm(drift)} mm"
        ),
        f"make it at least {_mm(2 * drift)} mm wide, or let the art run to the end of the bleed",
    )


def _of_zone(cut: Outline, zone: float) -> Iterator[_CutFlaw]:
    keep = f"keep {_mm(zone)} mm from the trim"
    own = "or set the component's safe zone: safe = '2mm'"
    yield _CutFlaw(
        "text",
        lambda one: _near_text(one, cut, zone),
        _say_text,
        f"{keep}; {own}",
    )
    yield _CutFlaw(
        "art",
        lambda one: one.edge.nearest_art(
            zone, is_lettered(one.edge.onset_spots, one.look.contents.letters)
        ),
        lambda distance: f"art is about {_mm(distance)} mm from the trim and does not reach it",
        f"{keep}, or let it run to the end of the bleed; {own}",
    )


def _near_art(one: _FaceEdge, zone: float) -> float | None:
    letters = one.look.contents.letters
    return one.edge.nearest_art(zone, is_lettered(one.edge.onset_spots, letters))


def _near_text(one: _FaceEdge, cut: Outline, zone: float) -> float | None:
    distance = nearest_letter(one.look.contents.letters, cut)
    return distance if distance < zone - _HAIR else None


def _say_text(distance: float) -> str:
    if distance < -_HAIR:
        return f"text is cut: it reaches {_mm(-distance)} mm beyond the trim"
    return f"text is {_mm(distance)} mm from the trim"


def _mm(value: float) -> str:
    return f"{round(value, 1) or 0.0:g}"


def _beyond(end: float) -> str:
    return f"about {_mm(end)} mm beyond the trim" if end > _AT else "at the trim"
