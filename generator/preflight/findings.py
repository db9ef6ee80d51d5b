"""Take all faces of a component's side as they will print, make findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from generator.accepted import Reasons
from generator.errors import Problem, faces_of
from generator.preflight.colours import look_alike
from generator.preflight.cut import find_cut_flaws
from generator.preflight.ink import badly_inked
from generator.preflight.prints import Flaw, Print
from generator.preflight.reading import hard_to_read

# docs/check.md explains them; [[accept]] may name them
KINDS = (
    *("drift.art", "drift.bare", "drift.bleed", "drift.border", "drift.text"),
    *("text.tiny", "text.small", "text.contrast", "line.thin", "image.coarse", "ink.much"),
    *("colour.deuteranopia", "colour.protanopia", "colour.tritanopia", "colour.grey"),
    *("colour.palette", "unseen"),
    *("font.style", "text.overflow"),
    *("kit.missing", "kit.number", "kit.unknown", "kit.symbol"),
)


def inspect(prints: Print, reasons: Reasons | None = None) -> Iterator[Problem]:
    """One finding for each kind of flaw, with all its pieces; accepted flaws are separate."""
    reasons = reasons or Reasons()
    groups: dict[tuple[object, ...], list[Flaw]] = {}
    checks = (find_cut_flaws, hard_to_read, badly_inked, look_alike)
    for flaw in chain.from_iterable(check(prints) for check in checks):
        assert flaw.kind in KINDS
        accept = reasons.find(_finding(prints, [flaw]))
        groups.setdefault((flaw.kind, accept), []).append(flaw)
    for flaws in groups.values():
        yield reasons.settle(_finding(prints, flaws))


def _finding(prints: Print, flaws: Sequence[Flaw]) -> Problem:
    """The finding for flaws of one kind: the worst of them, and all pieces that have one."""
    component, worst = prints.component, min(flaws, key=lambda flaw: flaw.measure)
    names = list(dict.fromkeys(name for flaw in flaws for name in flaw.pieces))
    return Problem(
        place=component.place,
        what=f"{faces_of(prints.side, names, _count_pieces(prints))}: {worst.what}",
        hint=worst.hint,
        level=worst.level,
        rule=worst.kind,
        on=_on(prints, names),
        found=worst.found,
        faces=tuple((component.id, name, prints.side) for name in names),
    )


def _on(prints: Print, names: Sequence[str]) -> tuple[str, ...]:
    """The pieces, or the component if these are all its pieces."""
    component = prints.component
    if len(names) == _count_pieces(prints):
        return (component.id,)
    return tuple(f"{component.id}/{name}" for name in names)


def _count_pieces(prints: Print) -> int:
    return sum(piece.copies > 0 for piece in prints.component.pieces)
