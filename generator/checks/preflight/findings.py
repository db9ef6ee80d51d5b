"""Findings about all faces of a component's side as they will print.

Also the faults of a booklet's list of the kit.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from generator.basics.errors import Level, Place, Problem, did_you_mean, faces_of, quote
from generator.checks import Reasons
from generator.checks.preflight.colours import look_alike
from generator.checks.preflight.cut import CutInspector
from generator.checks.preflight.faults import Edge, nearest_letter, ring_along, sample_along
from generator.checks.preflight.prints import (
    Bytes,
    FaceLook,
    Flaw,
    Print,
    ShopLimits,
    badly_inked,
    coarse,
    hard_to_read,
    mm,
)
from generator.faces import count_drawn, name_pieces

SHOP_KINDS = ("shop.size", "shop.bleed", "shop.text", "shop.pixels", "shop.ink")

# docs/check.md explains them; [[accept]] may name them
KINDS = (
    *("drift.art", "drift.bare", "drift.bleed", "drift.border", "drift.text"),
    *("text.tiny", "text.small", "text.contrast", "line.thin", "image.coarse", "ink.much"),
    *("colour.deuteranopia", "colour.protanopia", "colour.tritanopia", "colour.grey"),
    *("colour.palette", "colour.dull", "colour.low", "unseen", "panels"),
    *("font.style", "text.overflow", "text.deck", "fold.text"),
    *SHOP_KINDS,
    *("kit.missing", "kit.number", "kit.unknown", "kit.symbol"),
)
_OPENS = re.compile(r"\s{0,3}:::+\s*kit\b")
_CLOSES = re.compile(r"\s{0,3}:::+\s*$")
_BULLETS = ("-", "*")
# the kinds of findings that those about a shop replace, on the same face
REPLACED = {
    "drift.bare": "shop.bleed",
    "drift.bleed": "shop.bleed",
    "drift.text": "shop.text",
    "image.coarse": "shop.pixels",
}
_REACH = 1.4  # mm within the cut: a round motif that crosses it curves away
_AS_GOOD = 0.2  # mm: shops say 3 mm and 1/8 inch of the same
_REACHES = 0.05  # of the outline: art on more of it reaches the cut
_NOTICED = 0.01  # of the area
_ABOUT = 10.0  # %: the estimate is no better
_BLACK_FROM = 0.4  # of the grey that the three colours share
_MOST_BLACK = 0.9
_REMOVED = 0.3  # of a layer of each colour


class InspectedFace(Struct, frozen=True):
    """The flaws of a face, in groups that are reported one after another, and the pixels of its
    piece, to compare it with others."""

    flaws: Sequence[Sequence[Flaw]]
    piece: Bytes


class SideInspector:
    """Inspects the faces of a component's side one by one, then together."""

    def __init__(self, prints: Print) -> None:
        self._prints = prints
        self._cut = CutInspector(prints)
        self._shop = ShopInspector(prints, prints.limits) if prints.limits else None

    def inspect(self, look: FaceLook) -> InspectedFace:
        piece = self._prints.piece(look)
        words, ink = list(hard_to_read(self._prints, look)), list(badly_inked(look, piece))
        groups = (*self._cut.find(look), words, ink)
        if self._shop is None:
            return InspectedFace(groups, piece)
        flaws = list(self._shop.find(look, piece))
        kinds = {flaw.kind for flaw in flaws}
        kept = [[flaw for flaw in some if REPLACED.get(flaw.kind) not in kinds] for some in groups]
        return InspectedFace((*kept, flaws), piece)


def conclude(
    prints: Print, faces: Sequence[tuple[tuple[str, ...], InspectedFace]], reasons: Reasons
) -> Iterator[Problem]:
    """One finding for each kind of flaw, with all its pieces; accepted flaws are separate.

    `faces` are all those of a side, each with the names of its pieces.
    """
    groups: dict[tuple[object, ...], list[Flaw]] = {}
    together = look_alike(prints, [(pieces, face.piece) for pieces, face in faces])
    for flaw in chain(_by_kind(faces), together):
        assert flaw.kind in KINDS
        accept = reasons.find(_finding(prints, [flaw]))
        groups.setdefault((flaw.kind, accept), []).append(flaw)
    for flaws in groups.values():
        yield reasons.settle(_finding(prints, flaws))


def _by_kind(faces: Sequence[tuple[tuple[str, ...], InspectedFace]]) -> Iterator[Flaw]:
    """The flaws of all faces in the first group, then those in the next, with their pieces."""
    for flaws_of_faces in zip(*(face.flaws for _, face in faces), strict=True):
        for (pieces, _), flaws in zip(faces, flaws_of_faces, strict=True):
            yield from (replace(flaw, pieces=pieces) for flaw in flaws)


def _finding(prints: Print, flaws: Sequence[Flaw]) -> Problem:
    """The finding for flaws of one kind: the worst of them, and all pieces that have one."""
    component, worst = prints.component, min(flaws, key=lambda flaw: flaw.measure)
    names = list(dict.fromkeys(name for flaw in flaws for name in flaw.pieces))
    return Problem(
        place=component.place,
        what=f"{faces_of(prints.side, names, count_drawn(component))}: {worst.what}",
        hint=worst.hint,
        level=worst.level,
        rule=worst.kind,
        on=name_pieces(component, names),
        found=worst.found,
        faces=tuple((component.id, name, prints.side) for name in names),
    )


class CountedPart(Struct, frozen=True):
    """A part of a kit: the id and title by which rules may name it, and its number of pieces."""

    id: str
    title: str
    number: int


def contents_agree(text: str, file: Place, parts: Sequence[CountedPart]) -> Iterator[Problem]:
    """The wrong lines of a booklet's `::: kit` lists, and the parts that they leave out."""
    names = {name.casefold(): part for part in parts for name in (part.title, part.id)}
    titles = [part.title for part in parts]
    lines: dict[str, int] = {}
    for number, line in _find_list_lines(text):
        place, (count, name) = file.at_line(number), _read_count(line)
        part = names.get(name.casefold())
        if part is None:
            yield Problem(place, f"the kit has no {quote(name)}", did_you_mean(name, titles), rule="kit.unknown")
        else:
            yield from _check_number(part, count, lines.get(part.id), place)
            lines.setdefault(part.id, number)
    for part in (part for part in parts if part.id not in lines):
        what = f"the rules do not list {part.title}, of which the kit has {part.number}"
        hint = f"add a line '{part.number} {part.title}' between ::: kit and :::"
        yield Problem(file, what, hint, "warning", "kit.missing", (part.id,))


def _read_count(line: str) -> tuple[int | None, str]:
    """The number of a line, None if there is none, and the name."""
    words = line.partition(":")[0].split()
    if words[:1] and words[0] in _BULLETS:
        del words[0]
    if words[:1] and re.fullmatch(r"[0-9]{1,7}", words[0]):
        return int(words[0]), " ".join(words[1:])
    return None, " ".join(words)


def _check_number(part: CountedPart, number: int | None, before: int | None, place: Place) -> Iterator[Problem]:
    if before is not None:
        what = f"line {before} already lists {part.title}"
        yield Problem(place, what, "list them once", rule="kit.number", on=(part.id,))
    elif number not in (None, part.number):
        yield Problem(place, f"{part.title}: the kit has {part.number}, not {number}", rule="kit.number", on=(part.id,))


def _find_list_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of all lists, and their numbers from 1."""
    is_list = False
    for number, line in enumerate(text.splitlines(), 1):
        if is_list and _CLOSES.match(line):
            is_list = False
        elif is_list and line.strip():
            yield number, line
        elif not is_list:
            is_list = _OPENS.match(line) is not None


def symbols_agree(shown_in: Mapping[str, Place], on_pieces: Collection[str]) -> Iterator[Problem]:
    """A warning for each symbol that is on no piece. `shown_in`: places by the names of art."""
    for name, place in shown_in.items():
        if name not in on_pieces:
            what = f"the symbol {quote(name)} is not on any piece"
            yield Problem(place, what, did_you_mean(name, on_pieces), "warning", "kit.symbol")


class ShopInspector:
    """Finds the flaws of faces of one side that matter to a shop."""

    def __init__(self, prints: Print, limits: ShopLimits) -> None:
        component = prints.component
        self._prints, self._limits = prints, limits
        self._ring = ring_along(prints.cut, component.bleed, _REACH)

    def find(self, look: FaceLook, piece: Bytes) -> Iterator[Flaw]:
        """The flaws of a face; `piece` has its pixels (n, 3)."""
        yield from self._short(look)
        yield from self._near(look)
        prints = f", but {self._limits.title} prints {self._limits.dpi}"
        yield from coarse(look, "shop.pixels", self._limits.dpi, prints)
        yield from self._soaked(piece)

    def _short(self, look: FaceLook) -> Iterator[Flaw]:
        """Art that ends before the end of the shop's bleed."""
        bleed, own, title = self._limits.bleed, self._prints.component.bleed, self._limits.title
        high, wide, _ = look.pixels.shape
        sample = sample_along(self._ring, wide, high, self._prints.component.bleed_size)
        edge = Edge(self._ring, sample.interpolate(sample.take(look.pixels)))
        end = edge.bare_bleed()
        if end is not None and end < bleed - _AS_GOOD:
            what = f"art ends about {mm(end)} mm beyond the trim, but {title} wants {mm(bleed)} mm"
            hint = "extend it to the end of the bleed, or bare paper shows at the edge"
            yield Flaw("shop.bleed", end, what, hint, _at_least(end))
        elif own < bleed - _AS_GOOD and edge.inked_share > _REACHES:
            what = f"its bleed is {mm(own)} mm, but {title} wants {mm(bleed)} mm"
            hint = f"set bleed = '{bleed:g}mm'; the export adds what is missing"
            yield Flaw("shop.bleed", own, what, hint, _at_least(own), "note")

    def _near(self, look: FaceLook) -> Iterator[Flaw]:
        """Text outside the shop's safe zone."""
        safe, distance = self._limits.safe, nearest_letter(look.contents.letters, self._prints.cut)
        if distance < safe - _AS_GOOD:
            where = f"{mm(abs(distance))} mm {'from' if distance >= 0 else 'beyond'} the trim"
            what = f"text is {where}, but {self._limits.title} wants {mm(safe)} mm"
            yield Flaw("shop.text", distance, what, f"keep {mm(safe)} mm from the trim", _at_least(distance))

    def _soaked(self, piece: Bytes) -> Iterator[Flaw]:
        """More ink at a point than the shop takes."""
        most = self._limits.ink
        if most is None or not len(piece):
            return
        coverage = coverage_of(piece)
        share = float((coverage > most + _ABOUT).mean())
        if share > _NOTICED:
            ink = float(np.percentile(coverage, 100 * (1 - _NOTICED / 2)))
            title = self._limits.title
            what = f"about {ink:.0f}% of ink on {share:.0%} of it, but {title} takes {most}%"
            hint = f"lighten the darkest colours, or convert them to CMYK with at most {most}%"
            level: Level = "warning"
            if self._limits.is_in_inks:
                hint, level = f"the export lessens it to {most}%, in the darkest colours", "note"
            yield Flaw("shop.ink", -ink, what, hint, f"at most {ink:.0f} %", level)


def _at_least(length: float) -> str:
    return f"at least {mm(length)} mm"


def coverage_of(pixels: Bytes) -> NDArray[np.float64]:
    """The ink (n) of (n, 3) pixels, in percent of one solid layer.

    Black begins at a middle grey and grows to 90 %, the colours recede slowly, by up to 30 % each: RGB black is 300 %.
    The default profile of Ghostscript (coated paper, SWOP) has up to 26 % more and up to 15 % less for dark colours.
    """
    inks = 1 - pixels / 255
    depth = ((inks.min(axis=1) - _BLACK_FROM) / (1 - _BLACK_FROM)).clip(0, 1)
    total: NDArray[np.float64] = inks.sum(axis=1) + _MOST_BLACK * depth - 3 * _REMOVED * depth**2
    return 100 * total
