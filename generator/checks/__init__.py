"""Findings about a Game, by the checks that it declares; knows no drawing and no paper.

A correct table may be drawn wrongly: the renderer reads another column, or has another colour or
picture for a value. So checks compare the features of faces that renderers report (`model.Feature`).
A printed colour is named as a person would name it.

Findings that the spec accepts become notes. An [[accept]] names the kind of finding, the pieces, the figures and the
level. A finding that differs in one of these keeps its level, and an [[accept]] without a finding is itself a finding.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain, islice, takewhile
from pathlib import PurePath
from typing import ClassVar, Literal, Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.colours import channels, light
from generator.basics.errors import LEVELS, MisfitError, Place, Problem, did_you_mean, list_names, quote
from generator.checks.table import Declared, note_expansions, note_untranslated
from generator.faces import turn_of
from generator.model import Accept, Booklet, Check, Component, Design, Feature, LoadedGame, Piece, PlacedCheck, Side

# kinds of findings that no [[component.rule]] asks for
UNDECLARED = (
    "art.mended",
    "art.pixels",
    "art.reference",
    "cell.date",
    "cell.format",
    "cell.struck",
    "column.braces",
    "column.count",
    "column.unread",
    "font.replaced",
    "font.unread",
    "row.hidden",
    "row.struck",
    "text.marks",
    "translation",
)
_SIDES: tuple[Side, Side] = ("front", "back")
_MOST_NAMED = 3  # pieces that a finding lists
# A typical printed colour for each name: black is a dark grey.
_MIDDLES: Mapping[str, str] = {
    "black": "#1c1c1c",
    "blue": "#2a5fae",
    "brown": "#7a4a28",
    "green": "#4a9a4a",
    "red": "#c8281e",
    "white": "#ffffff",
    "yellow": "#f2c21e",
}
NAMES = tuple(_MIDDLES)
_LIGHTNESS = 0.5  # the weight of a difference in lightness: pink is a red, navy a blue
_Lab = tuple[float, float, float]
STALE = "accept.stale"  # the only finding that cannot be accepted
_MOST_FIGURES = 400  # characters; longer figures end in a digest
_MEASURE = re.compile(r"(at least|at most) (-?[0-9]+(?:\.[0-9]+)?)(.*)")
_MOST_COMPARED = 100  # findings of a kind that a stale [[accept]] may mean
_Keys = Mapping[str, object]  # of an [[accept]]
_Key = tuple[str, frozenset[str], str]


def check(loaded: LoadedGame) -> list[Problem]:
    """The findings of the game's [[component.rule]] tables and of its reader, and the notes on
    expansions and translations; errors first."""
    whole = (replace(design, component=design.component.with_joined_copies()) for design in loaded.designs)
    problems = [
        replace(problem, on=_on(problem, design.component, rows))
        for design in whole
        for rows in [{piece.place: piece.id for piece in design.component.pieces}]
        for placed in design.checks
        for problem in _apply(placed, design, loaded.game.booklet)
    ]
    problems += [*loaded.findings, *note_expansions(loaded.game), *note_untranslated(loaded.game)]
    return sorted(problems, key=lambda problem: LEVELS.index(problem.level))


@runtime_checkable
class TableCheck(Check, Protocol):
    """A check of the pieces of a component, as its table lists them."""

    def check(self, component: Component) -> Iterable[Problem]: ...


@runtime_checkable
class FaceCheck(Check, Protocol):
    """A check of the faces of a component."""

    def check_faces(self, component: Component, looks: Looks) -> Iterable[Problem]: ...


@runtime_checkable
class BookletCheck(Check, Protocol):
    """A check of a component's figures in the booklet."""

    def check_booklet(self, component: Component, booklet: Booklet) -> Iterable[Problem]: ...


def _apply(placed: PlacedCheck, design: Design, booklet: Booklet | None) -> Iterator[Problem]:
    check, component = placed.check, replace(design.component, place=placed.place)
    if isinstance(check, TableCheck):
        yield from check.check(component)
    if isinstance(check, FaceCheck):
        yield from check.check_faces(component, Looks(design))
    if isinstance(check, BookletCheck) and booklet is not None:
        yield from check.check_booklet(component, booklet)


def _on(problem: Problem, component: Component, rows: Mapping[Place, str]) -> tuple[str, ...]:
    """The pieces that a finding names, or else the piece of its row, or else the component."""
    row = problem.place.row
    names = problem.on or ([rows[row]] if row in rows else [])
    return tuple(f"{component.id}/{name}" for name in names) or (component.id,)


class SideLook(Struct, frozen=True):
    """A side of a piece, and its features."""

    side: Side
    piece: Piece
    features: tuple[Feature, ...]

    def all(self, part: str) -> list[Feature]:
        return [feature for feature in self.features if feature.part == part]


class Looks(Struct, frozen=True):
    """The features of a component's faces."""

    design: Design

    def of(self, side: Side) -> Iterator[SideLook]:
        """A side of every printed piece. Skips faces that cannot be drawn: drawing reports them."""
        component, renderer = self.design.component, self.design.renderer(side)
        view = component if side == "front" else component.from_behind()
        for piece in component.pieces:
            if renderer is not None and piece.copies:
                try:
                    held = view.unturned(turn_of(renderer, piece, view, side))
                    yield SideLook(side, piece, tuple(renderer.features(piece, held)))
                except MisfitError:
                    continue


class _FaultKey(Struct, frozen=True):
    """The place of a fault in the spec, its side, and its topic."""

    place: Place
    side: Side
    topic: str


class Faults:
    """The faults of faces. A fault that one option causes on many faces is one finding."""

    def __init__(self, rule: Declared, component: Component) -> None:
        self._rule, self._component = rule, component
        self._found: dict[_FaultKey, dict[str, tuple[Piece, str]]] = {}

    def add(self, look: SideLook, what: str, option: str = "", topic: str = "") -> None:
        """`option` is the renderer's option at fault; faults of one topic are one finding."""
        place = self._component.find_place(f"{look.side}.{option}" if option else look.side)
        self._add_at(place, look, what, topic or what)

    def _add_at(self, place: Place, look: SideLook, what: str, topic: str) -> None:
        pieces = self._found.setdefault(_FaultKey(place, look.side, topic), {})
        pieces.setdefault(look.piece.id, (look.piece, what))

    def expect(self, look: SideLook, part: str, due: str) -> None:
        """Expects the part to have the value `due`; with an empty `due`, expects no such part."""
        for feature in self._parts(look, part, due):
            if feature.value != due:
                is_ = "are" if part.endswith("s") else "is"
                self.add(look, f"the {part} {is_} {quote(feature.value)}, not {quote(due)}", feature.option, part)

    def expect_colour(self, look: SideLook, part: str, due: str, others: Collection[str]) -> None:
        """Expects the part's colour to be nearer to `due` than to others, all of NAMES."""
        for feature in self._parts(look, part, due):
            name = nearest(feature.value, {due: None} | dict.fromkeys(others))
            if name != due:
                self.add(look, f"the {part} is {feature.value}, {name} rather than {due}", feature.option)

    def expect_art(self, look: SideLook, part: str, due: str, others: Collection[str]) -> None:
        """Expects the part to be the art `due`, in a file that is not named after other art."""
        for feature in self._parts(look, part, due):
            self.check_art(look, feature, due, others)

    def check_art(self, look: SideLook, feature: Feature, due: str, others: Collection[str]) -> None:
        """Expects one feature to be that art."""
        name = feature.art.name if feature.art else ""
        stem = PurePath(feature.art.file).name.partition(".")[0] if feature.art else ""
        if name != due:
            is_ = f"is the art {quote(name)}" if name else "is not art"
            self.add(look, f"the {feature.part} {is_}, not {quote(due)}", feature.option)
        elif stem != due and stem in others:
            what = f"the {feature.part} is the art {quote(due)}, which is the file of {quote(stem)}"
            self._add_at(self._component.find_place(f"art.{name}"), look, what, what)

    def _parts(self, look: SideLook, part: str, due: str) -> Iterator[Feature]:
        parts = look.all(part)
        if not due:
            for feature in parts:
                self.add(look, f"the {part} {quote(feature.value)} should not be there", feature.option)
        elif not parts:
            self.add(look, f"the {part} {quote(due)} is missing", topic=part)
        else:
            yield from parts

    def problems(self) -> Iterator[Problem]:
        printed = sum(piece.copies > 0 for piece in self._component.pieces)
        for at, pieces in self._found.items():
            faces = _name_faces(at.side, list(pieces), printed)
            (first, what), *_ = pieces.values()
            faults = dict.fromkeys(what for _, what in pieces.values())
            example = f"on {first.id} " if len(faults) > 1 else ""
            figures = f"{at.side}: {'; '.join(faults)}"
            on = [piece for piece, _ in pieces.values()] if len(pieces) < printed else []
            yield self._rule.problem(at.place, f"{faces}: {example}{what}", on=on, found=figures)


class Shown(Struct, frozen=True):
    """A part of a face, and the value that its feature must have.

    part: as renderers name it.
    by: the column whose cell the part shows, or what finds that for a side: "" if the part must not
    be there, None if nothing is known.
    kind: how people recognise it. others: the colours or art that it might be taken for.
    may_lack: whether a face may be without the part.
    """

    part: str
    by: str | Callable[[SideLook], str | None]
    kind: Literal["text", "colour", "art"] = "text"
    others: Collection[str] = ()
    may_lack: bool = False

    def check(self, look: SideLook, faults: Faults) -> None:
        due = str(look.piece.row[self.by]) if isinstance(self.by, str) else self.by(look)
        if due is None or (self.may_lack and not look.all(self.part)):
            return
        if self.kind == "text":
            faults.expect(look, self.part, due)
        elif self.kind == "colour":
            faults.expect_colour(look, self.part, due, self.others)
        else:
            faults.expect_art(look, self.part, due, self.others)


def always(due: str) -> Callable[[SideLook], str]:
    """A function that gives the same name for every piece."""
    return lambda _: due


def named(column: str, names: Mapping[str, str], other: str | None = None) -> Callable[[SideLook], str | None]:
    """A function that gives the name for a cell of a column, or `other` if it has none."""
    return lambda look: names.get(str(look.piece.row[column]), other)


class ShownRows(Declared, frozen=True, kw_only=True):
    """What each face shows equals its row. A game says which part of a front or a back shows which
    column, and adds the faults that no part has alone."""

    fronts: ClassVar[Sequence[Shown]] = ()
    backs: ClassVar[Sequence[Shown]] = ()
    needs_back: ClassVar[bool] = False

    def check_faces(self, component: Component, looks: Looks) -> list[Problem]:
        faults = Faults(self, component)
        for side in _SIDES:
            parts = self.fronts if side == "front" else self.backs
            for look in looks.of(side) if parts else ():
                for part in parts:
                    part.check(look, faults)
        self.find_more(looks, faults)
        found = list(faults.problems())
        if self.needs_back and not component.has_back:
            found.insert(0, self.problem(component.place, f"the {component.id} have no backs"))
        return found

    def find_more(self, looks: Looks, faults: Faults) -> None:
        """Adds the faults of several parts or faces together: none."""


def _name_faces(side: Side, names: Sequence[str], printed: int) -> str:
    if len(names) == 1:
        return f"the {side} of {names[0]}"
    if len(names) == printed:
        return f"all {printed} {side}s"
    rest = len(names) - _MOST_NAMED
    return f"the {side}s of {list_names([*names[:_MOST_NAMED], *([f'{rest} more'] * (rest > 0))])}"


def nearest(colour: str, names: Iterable[str]) -> str:
    """The name, of some NAMES, nearest to a colour "#rrggbb": by the distance in OKLab (Björn Ottosson, 2020, "A
    perceptual color space for image processing"), where tints and shades of a colour are nearer than other hues."""
    place = _lab(colour)

    def apart(name: str) -> float:
        light, *hue = (a - b for a, b in zip(place, _lab(_MIDDLES[name]), strict=True))
        return (light * _LIGHTNESS) ** 2 + sum(part**2 for part in hue)

    return min(names, key=apart)


def _lab(colour: str) -> _Lab:
    red, green, blue = map(light, channels(colour))
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


class Reasons:
    """The accepts of a game's spec. Records the used ones, and findings near the others."""

    def __init__(self, accepts: Sequence[Accept] = ()) -> None:
        self._accepts = dict.fromkeys(accepts)
        self._by_key: dict[_Key, list[Accept]] = {}
        for accept in self._accepts:
            for key in {_key(accept.finding, on, accept.found) for on in _ways(accept)}:
                self._by_key.setdefault(key, []).append(accept)
        self._needed: set[Accept] = set()
        self._others: dict[str, dict[Problem, None]] = {}  # findings that are not accepted, by kind

    def find(self, problem: Problem) -> Accept | None:
        """The first that accepts a finding."""
        alike = self._by_key.get(_key(problem.rule, problem.on, figures(problem)), ())
        return next((reason for reason in alike if not _differences(reason, problem)), None)

    def settle(self, problem: Problem) -> Problem:
        """Returns the finding, as a note with the reason if it is accepted."""
        problem = replace(problem, found=figures(problem))
        accept = self.find(problem)
        if accept is not None:
            self._needed.add(accept)
            return replace(problem, level="note", accepted=accept.reason)
        self._others.setdefault(problem.rule, {})[problem] = None
        return problem

    def stale(self, *kinds: Collection[str], unseen: Collection[str] = ()) -> Iterator[Problem]:
        """A warning for each unused one, unless its kind is `unseen`; an error if its kind of
        finding is in none of `kinds`."""
        for accept in self._accepts:
            if not any(accept.finding in known for known in kinds):
                what = f"unknown kind of finding {quote(accept.finding)}"
                yield Problem(accept.place, what, did_you_mean(accept.finding, chain.from_iterable(kinds)))
            elif accept.is_due and accept not in self._needed and accept.finding not in unseen:
                others = islice(self._others.get(accept.finding, ()), _MOST_COMPARED)
                near = [other for other in others if _is_near(accept, other)]
                what, hint = _staleness(accept, near)
                yield Problem(accept.place, what, hint, "warning", STALE, accept.on)


def _key(finding: str, on: Iterable[str], found: str) -> _Key:
    """Equal for a finding and its [[accept]], except for the measure and its pieces."""
    if measure := _MEASURE.fullmatch(found):
        return finding, frozenset(), measure[1] + measure[3]
    return finding, frozenset(on), found


def entry(problem: Problem, variant: str = "") -> str:
    """The [[accept]] for a finding, with an empty reason, as TOML."""
    return "\n".join(["[[accept]]", *_toml(entry_keys(problem, variant))])


def entry_keys(problem: Problem, variant: str = "") -> dict[str, object]:
    """The keys of the [[accept]] for a finding, with an empty reason; none if it needs none, or cannot be accepted."""
    if problem.rule in ("", STALE) or problem.level == "note":
        return {}
    keys = {"finding": problem.rule, **_keys(problem), "reason": ""}
    return keys | ({"variant": variant} if variant else {})


def figures(problem: Problem) -> str:
    """The figures of a finding, in words that stay the same as long as the finding does."""
    text = " ".join((problem.found or problem.what).split())
    if len(text) <= _MOST_FIGURES:
        return text
    digest = blake2b(text.encode(), digest_size=6).hexdigest()
    return f"{text[: _MOST_FIGURES - len(digest) - 2]}… {digest}"


def _keys(problem: Problem) -> dict[str, object]:
    on = {"on": problem.on[0] if len(problem.on) == 1 else problem.on} if problem.on else {}
    level = {"level": "error"} if problem.level == "error" else {}
    return {**on, "found": figures(problem), **level}


def _differences(accept: Accept, problem: Problem) -> _Keys:
    """The keys that an [[accept]] would have to change to accept a finding."""
    if accept.finding != problem.rule:
        return {"finding": problem.rule}
    keys, is_measured = _keys(problem), _MEASURE.fullmatch(figures(problem))
    on = set(problem.on)
    if any(_holds(way, problem.on) if is_measured else set(way) == on for way in _ways(accept)):
        keys.pop("on", None)
    else:
        keys.setdefault("on", problem.on)
    if _is_as_good(figures(problem), accept.found):
        del keys["found"]
    if LEVELS.index(problem.level) >= LEVELS.index(accept.level):
        keys.pop("level", None)
    return keys


def _ways(accept: Accept) -> tuple[Sequence[str], ...]:
    """The pieces that it accepts, as it lists them, and as findings about all pieces do."""
    return (accept.on, accept.whole) if accept.whole else (accept.on,)


def _holds(accepted: Sequence[str], on: Sequence[str]) -> bool:
    """Whether each piece, or its component, is accepted."""
    return all(name in accepted or name.partition("/")[0] in accepted for name in on)


def _is_as_good(found: str, accepted: str) -> bool:
    """Whether figures equal the accepted ones, or are a measure that is not worse."""
    now, then = _MEASURE.fullmatch(found), _MEASURE.fullmatch(accepted)
    if now is None or then is None or (now[1], now[3]) != (then[1], then[3]):
        return found == accepted
    better, worse = (now, then) if now[1] == "at least" else (then, now)
    return float(better[2]) >= float(worse[2])


def _is_near(accept: Accept, problem: Problem) -> bool:
    """Whether a finding is of the kind and of the components of an [[accept]]."""
    ours, its = ({name.partition("/")[0] for name in on} for on in (accept.on, problem.on))
    return accept.finding == problem.rule and (bool(ours & its) or not ours or not its)


def _staleness(accept: Accept, near: Sequence[Problem]) -> tuple[str, str]:
    """The fault of an unused [[accept]], and a hint."""
    kind = quote(accept.finding)
    if not near:
        on = f" on {', '.join(map(quote, accept.on))}" if accept.on else ""
        return f"{kind} is accepted{on}, but not found", "remove this [[accept]]"

    def likeness(problem: Problem) -> tuple[int, int]:
        shared = set(accept.on) & set(problem.on)
        pairs = zip(accept.found, figures(problem), strict=False)
        alike = takewhile(lambda pair: pair[0] == pair[1], pairs)
        return len(shared), len(list(alike))

    differences = _differences(accept, max(near, key=likeness))
    if set(differences) == {"level"}:
        return f"{kind} is accepted as a warning, but found as an error", 'to accept the error, add level = "error"'
    of = "other figures" if "found" in differences else "other pieces"
    keys = ", ".join(_toml(differences))
    keys = keys if len(keys) <= _MOST_FIGURES else "what pnp check GAME --accept prints"
    return f"{kind} is accepted with {of} than those found now", f"to accept these, write {keys}"


def _toml(keys: _Keys) -> Iterator[str]:
    """Lines `key = value`. JSON of texts and of lists of texts is also TOML."""
    for key, value in keys.items():
        text = json.dumps(value, ensure_ascii=False)
        plain = (char if char.isprintable() else f"\\U{ord(char):08x}" for char in text)
        yield f"{key} = {''.join(plain)}"
