"""Take all faces of a component's side as they will print, make the warnings about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PIL import Image

from generator.errors import Problem
from generator.geometry import Rect
from generator.model import Component, Side
from generator.outlines import Outline, rounded
from generator.preflight.faults import Edge
from generator.preflight.letters import is_lettered, nearest_letter
from generator.preflight.ring import ring_along

USUAL_DRIFT = 1.0  # mm that a printer lays backs off when nobody has measured it
ASTRAY = 0.5  # mm that a hand cuts beside the mark: fronts know no other drift
_NAMED = 3  # pieces that a finding lists
_BEYOND = 0.6  # mm further in than the widest zone: what begins at its end has to be seen
_REACHES = 0.05  # of the way around: more is art that reaches the cut
_AT = 0.2  # mm: nearer than can be told
_HAIR = 0.01  # mm


class Look(NamedTuple):
    """A face as it will print: the pieces that have it, a picture of its whole bleed box, and the
    boxes of its letters (mm, face coordinates)."""

    pieces: tuple[str, ...]
    image: Image.Image
    letters: tuple[Rect, ...]


@dataclass(frozen=True, slots=True)
class Print:
    """One side of a component as it will print.

    `component` is as seen from that side. `drift` (mm): how far the cut may be off.
    """

    component: Component
    side: Side
    drift: float
    looks: Sequence[Look]


@dataclass(frozen=True, slots=True)
class _Seen:
    """A face and the ring along its cut."""

    look: Look
    edge: Edge


class _Fault(NamedTuple):
    """What to look for: `measure` is in mm, None for a sound face, and the least is the worst."""

    rule: str
    measure: Callable[[_Seen], float | None]
    say: Callable[[float], str]
    hint: str


def drift_of(side: Side, measured: float | None) -> float:
    """How far the cut may be off on a side (mm), for a printer that leaves `measured` mm."""
    if side == "front":
        return ASTRAY
    return USUAL_DRIFT if measured is None else measured


def inspect(prints: Print) -> Iterator[Problem]:
    """A warning for each fault, naming the pieces that have it."""
    component = prints.component
    cut = rounded(component.outline, component.corner_radius)
    zone = max(component.safe, prints.drift)
    seen = _seen(prints, cut, max(zone, 2 * prints.drift) + _BEYOND)
    for fault in (_of_bleed(prints), _of_border(prints.drift), *_of_zone(cut, zone)):
        found = [(one.look.pieces, fault.measure(one)) for one in seen]
        measures = [measure for _, measure in found if measure is not None]
        if measures:
            names = [name for pieces, measure in found for name in pieces if measure is not None]
            what = f"{_whose(prints, names)}: {fault.say(min(measures))}"
            faces = tuple((component.id, name, prints.side) for name in names)
            rule = f"drift.{fault.rule}"
            yield Problem(component.where, what, fault.hint, "warning", rule, faces)


def _seen(prints: Print, cut: Outline, reach: float) -> list[_Seen]:
    component = prints.component
    ring = ring_along(cut, component.bleed, reach)
    return [
        _Seen(look, Edge(ring, ring.read(look.image, component.bleed_size)))
        for look in prints.looks
    ]


def _of_bleed(prints: Print) -> _Fault:
    bleed, drift = prints.component.bleed, prints.drift
    if bleed < drift:
        key = "bleed" if prints.side == "front" else "back_bleed"
        return _Fault(
            "bleed",
            lambda one: bleed if one.edge.inked_share > _REACHES else None,
            lambda _: (
                f"art reaches the trim, and its bleed of {_mm(bleed)} mm is less than the "
                f"{_mm(drift)} mm that the cut may be off"
            ),
            f"{key} = '3mm', and art that fills it: else bare paper shows at the edge",
        )
    return _Fault(
        "bare",
        lambda one: one.edge.bare_bleed(),
        lambda end: f"art ends {_beyond(end)}, and its bleed is to be {_mm(bleed)} mm wide",
        "draw on to the end of the bleed: else bare paper shows at the edge",
    )


def _of_border(drift: float) -> _Fault:
    return _Fault(
        "border",
        lambda one: one.edge.narrow_border(drift),
        lambda width: (
            f"a border about {_mm(width)} mm wide comes out {_mm(max(width - drift, 0.0))} and "
            f"{_mm(width + drift)} mm wide at a drift of {_mm(drift)} mm"
        ),
        f"make it at least {_mm(2 * drift)} mm wide, or let the art run to the end of the bleed",
    )


def _of_zone(cut: Outline, zone: float) -> Iterator[_Fault]:
    keep = f"keep {_mm(zone)} mm from the trim"
    own = "a component with other needs says so: safe = '2mm'"
    yield _Fault(
        "text",
        lambda one: _near_text(one, cut, zone),
        lambda distance: f"text stands {_mm(distance)} mm from the trim",
        f"{keep}; {own}",
    )
    yield _Fault(
        "art",
        lambda one: one.edge.nearest_art(zone, is_lettered(one.edge.onset_spots, one.look.letters)),
        lambda distance: f"art stands about {_mm(distance)} mm from the trim and does not reach it",
        f"{keep}, or let it run to the end of the bleed; {own}",
    )


def _near_text(one: _Seen, cut: Outline, zone: float) -> float | None:
    distance = nearest_letter(one.look.letters, cut)
    return distance if distance < zone - _HAIR else None


def _mm(value: float) -> str:
    return f"{round(value, 1) or 0.0:g}"


def _beyond(end: float) -> str:
    return f"about {_mm(end)} mm beyond the trim" if end > _AT else "at the trim"


def _whose(prints: Print, names: Sequence[str]) -> str:
    """As in "the back of 1", "the backs of 1, 2, 3 and 15 more", "the backs of all 18"."""
    pieces = sum(piece.copies > 0 for piece in prints.component.pieces)
    if len(names) == 1:
        return f"the {prints.side} of {names[0]}"
    if len(names) == pieces:
        return f"the {prints.side}s of all {pieces}"
    named, rest = names[:_NAMED], len(names) - _NAMED
    last = f"{rest} more" if rest > 1 else names[-1]
    return f"the {prints.side}s of {', '.join(names[:-1] if rest < 2 else named)} and {last}"
