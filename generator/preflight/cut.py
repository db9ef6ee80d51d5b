"""Take faces as they will print, make flaws: what does not stand a back laid off, a cut astray."""

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

USUAL_DRIFT = 1.0  # mm that a printer lays backs off when nobody has measured it
ASTRAY = 0.5  # mm that a hand cuts beside the mark: fronts know no other drift
_BEYOND = 0.6  # mm further in than the widest zone: what begins at its end has to be seen
_REACHES = 0.05  # of the way around: more is art that reaches the cut
_AT = 0.2  # mm: nearer than can be told
_HAIR = 0.01  # mm


@dataclass(frozen=True, slots=True)
class _FaceEdge:
    """A face and the ring along its cut."""

    look: FaceLook
    edge: Edge


class _CutFlaw(NamedTuple):
    """What to look for: `measure` is in mm, None for a sound face, and the least is the worst."""

    rule: str
    measure: Callable[[_FaceEdge], float | None]
    say: Callable[[float], str]
    hint: str


def drift_of(side: Side, measured: float | None) -> float:
    """How far the cut may be off on a side (mm), for a printer that leaves `measured` mm."""
    if side == "front":
        return ASTRAY
    return USUAL_DRIFT if measured is None else measured


def astray(prints: Print) -> Iterator[Flaw]:
    """The flaws of every face along its cut."""
    zone = max(prints.component.safe, prints.drift)
    seen = _read_edges(prints, max(zone, 2 * prints.drift) + _BEYOND)
    for fault in (_of_bleed(prints), _of_border(prints.drift), *_of_zone(prints.cut, zone)):
        for one in seen:
            measure = fault.measure(one)
            if measure is not None:
                told = (fault.say(measure), fault.hint, f"at least {_mm(measure)} mm")
                yield Flaw(f"drift.{fault.rule}", one.look.pieces, measure, *told)


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
            f"{key} = '3mm', and art that fills it: else bare paper shows at the edge",
        )
    return _CutFlaw(
        "bare",
        lambda one: one.edge.bare_bleed(),
        lambda end: f"art ends {_beyond(end)}, and its bleed is to be {_mm(bleed)} mm wide",
        "draw on to the end of the bleed: else bare paper shows at the edge",
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
    own = "a component with other needs says so: safe = '2mm'"
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
        lambda distance: f"art stands about {_mm(distance)} mm from the trim and does not reach it",
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
    return f"text stands {_mm(distance)} mm from the trim"


def _mm(value: float) -> str:
    return f"{round(value, 1) or 0.0:g}"


def _beyond(end: float) -> str:
    return f"about {_mm(end)} mm beyond the trim" if end > _AT else "at the trim"
