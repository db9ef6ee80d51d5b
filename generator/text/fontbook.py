"""Fonts in folders, found by family, as the engine does.

A font's PostScript name, as Illustrator writes it ("Arial-BoldMT"), gives the letters of its family
and its style. Families that computers come with are replaced by families of the house.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import Place, Problem, collecting, did_you_mean, quote, raise_all
from generator.basics.recent import remembered
from generator.text.fontfiles import HOUSE_FONTS, FontFace, read_folder
from generator.text.fonts import Font, name_for_engine, name_for_people

HOUSE_FAMILY = "Alegreya Sans"  # the family of the labels on sheets
_NORMAL = 5  # of the widths 1 to 9
_TRADE = re.compile(r"(ps)?(mt)?\Z")  # PostScript, Monotype: neither is part of a family or style
_WORDS = tomllib.loads(Path(__file__).with_name("fontstyles.toml").read_text("utf-8"))
_WEIGHTS, _SLOPES, _WIDTHS = _WORDS["weights"], _WORDS["slopes"], _WORDS["widths"]
_WORD = re.compile("|".join(sorted((*_WEIGHTS, *_SLOPES, *_WIDTHS), key=len, reverse=True)))
# missing families and those that stand in for them, with the places of the texts
StandIns = dict[tuple[str, str], dict[Place, None]]


class FontStyle(Struct, frozen=True):
    """The weight and slope that a font has, and its width, "" for the normal one."""

    weight: int = 400
    is_italic: bool = False
    width: str = ""


class ChosenFamilies(Struct, frozen=True):
    """The families of a text, in the engine's names, each for the characters that those before it
    lack. `stands_for`: the missing family that a family of the house replaces, or "". `style`: that
    of the first family's PostScript name, if the text names it so."""

    families: tuple[str, ...]
    stands_for: str = ""
    style: FontStyle | None = None


class FontBook:
    """The fonts of some folders, by family; no others are used. Books of the same files are equal,
    as long as the files do not change. `aliases`: a game's own names for families. `last_resort`:
    the family for all other names, if there is to be one.

    The engine that draws (typst) reads every font in `folders`: the folders themselves, or copies
    with fonts that it can draw; `sources` are always the folders themselves. `findings` report the
    files that are not used. Raises PnpError as `fontfiles.read_folder` does.
    """

    def __init__(
        self, folders: Iterable[Path | str], aliases: Mapping[str, str] | None = None, last_resort: str = ""
    ) -> None:
        self._last_resort = last_resort
        self._aliases = {name.casefold(): family for name, family in (aliases or {}).items()}
        self._families: dict[str, list[_FontSource]] = {}
        self.findings: list[Problem] = []
        paths: list[Path] = []
        sources: list[Path] = []
        problems: list[Problem] = []
        for folder in (folder for folder in map(Path, folders) if os.path.lexists(folder)):
            with collecting(problems):
                readable = read_folder(folder)
                paths.append(readable.path)
                sources.append(folder)
                self.findings += readable.findings
                for path, face in readable.faces:
                    source = _source(path, face)
                    self._families.setdefault(face.family, []).append(source)
        raise_all(problems)
        self.folders, self.sources = tuple(paths), tuple(sources)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FontBook) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @cached_property
    def _identity(self) -> tuple[_FontSource, ...]:
        return tuple(self._sources())

    def _sources(self) -> Iterator[_FontSource]:
        for sources in self._families.values():
            yield from sources

    def families(self) -> list[str]:
        """Their names for people, sorted."""
        return sorted(map(name_for_people, self._families))

    def known(self, name: str) -> str | None:
        """The family of that name in any case, as `find` takes it, or None."""
        return name if name in self._families else self._by_name.get(_fold(name))

    @cached_property
    def own_families(self) -> tuple[str, ...]:
        """The families that only the game has."""
        return tuple(
            family
            for family, sources in sorted(self._families.items())
            if not any(source.path.is_relative_to(HOUSE_FONTS) for source in sources)
        )

    def choose(self, names: Sequence[str]) -> ChosenFamilies | None:
        """The families of these names that exist; if none does, a stand-in of the house for the
        first name that has one; else the last resort, or None."""
        if matches := [match for match in map(self._match, names) if match]:
            return ChosenFamilies(tuple(dict.fromkeys(family for family, _ in matches)), style=matches[0][1])
        for usual, style in (usual for name in names for usual in _usual_names(name)):
            family = find_stand_in(usual)
            if family and (own := self.known(family)):
                return ChosenFamilies(tuple(dict.fromkeys((own, self.known(HOUSE_FAMILY) or own))), usual, style)
        if names and self._last_resort:
            return ChosenFamilies((self._last_resort,), names[0])
        return None

    def _match(self, name: str) -> tuple[str, FontStyle | None] | None:
        """The family of a name, with the style if the name is a PostScript name."""
        if family := self.known(self._aliases.get(name.casefold(), name)):
            return family, None
        named = ((self._by_letters.get(letters), style) for letters, style in read_postscript(name))
        return next(((family, style) for family, style in named if family), None)

    @cached_property
    def _by_letters(self) -> dict[str, str]:
        aliases = ((name, self.known(family)) for name, family in self._aliases.items())
        own = {letters_of(family): family for family in sorted(self._families)}
        return own | {letters_of(name): family for name, family in aliases if family}

    @cached_property
    def _by_name(self) -> dict[str, str]:
        return {_fold(family): family for family in sorted(self._families)}

    def has_widths(self, family: str) -> bool:
        """Whether a family has files for other widths: condensed, expanded."""
        return any(source.face.width != _NORMAL for source in self._families.get(self.known(family) or "", ()))

    def find_called(self, name: str) -> Font | None:
        """The font of that PostScript name, or None."""
        for source in self._sources():
            if source.face.name == name and not source.is_variable:
                return source.at(source.face.weight)
            for instance, weight in source.face.instances:
                if instance == name:
                    return source.at(weight)
        return None

    def digests(self) -> dict[str, str]:
        """A digest of the files of each family, by family."""
        return {
            family: blake2b(b"".join(sorted(source.face.digest for source in sources))).hexdigest()
            for family, sources in self._families.items()
        }

    def find(self, family: str, weight: int = 400, *, italic: bool = False) -> Font:
        """The font of a family nearest in slope, width and weight, in this order, as the engine chooses it; of two
        weights equally near, that of CSS (Fonts 4, 5.2). Raises ValueError if there is no such family."""
        name = self.known(family)
        if name is None:
            hint = did_you_mean(family, self.families())
            raise ValueError(f"there is no font family {quote(family)} ({hint})")

        asked = _round(weight)
        sign = -1 if asked == 400 or asked > 500 else 1  # -1 for the heavier of two

        def distance(font_source: _FontSource) -> tuple[bool, int, int, int]:
            width = abs(font_source.face.width - _NORMAL)
            is_other = font_source.face.is_italic != italic
            own = font_source.face.weight
            return is_other, width, abs(own - asked), sign * own

        return min(self._families[name], key=distance).at(weight)


class _FontSource(Struct, frozen=True, dict=True):
    """A face in a file, and its font at each weight in use."""

    path: Path
    face: FontFace

    @cached_property
    def is_variable(self) -> bool:
        least, _, most = self.face.axes.get("wght", (0.0, 0.0, 0.0))
        return least < most

    def at(self, weight: float) -> Font:
        """The font at 100, 200 … or 900: the engine reads no other weights in a drawing."""
        return self._make(_round(weight) if self.is_variable else self.face.weight)

    @remembered
    def _make(self, weight: int) -> Font:
        face = self.face
        return Font(
            family=face.family,
            weight=weight,
            path=self.path,
            _face=face.face,
            italic=face.is_italic,
            name=face.name,
            digest=face.digest,
            is_variable=self.is_variable,
            strange=face.strange,
        )


def _usual_names(name: str) -> Iterator[tuple[str, FontStyle | None]]:
    """A name, and the usual names of families that it may be the PostScript name of."""
    yield name, None
    for letters, style in read_postscript(name):
        if usual := _names_by_letters().get(letters):
            yield usual, style


def _round(weight: float) -> int:
    return min(max(round(weight / 100), 1), 9) * 100


def _fold(family: str) -> str:
    return name_for_engine(family).casefold()


@lru_cache(maxsize=1024)
def _source(path: Path, face: FontFace) -> _FontSource:
    """One for each face, which remembers what it has measured."""
    return _FontSource(path, face)


def letters_of(family: str) -> str:
    """The letters and digits of a family in lower case: the family in a PostScript name."""
    return "".join(filter(str.isalnum, family.casefold()))


def read_postscript(name: str) -> Iterator[tuple[str, FontStyle]]:
    """The families that a PostScript name may name, as `letters_of` has them, each with the style;
    none if the name has a blank, or its style is unknown."""
    if any(map(str.isspace, name)):
        return
    for family, style in ((name, FontStyle()), *_part(name)):
        letters = letters_of(family)
        for each in dict.fromkeys((letters, _TRADE.sub("", letters, count=1))):
            if each:
                yield each, style


def _part(name: str) -> Iterator[tuple[str, FontStyle]]:
    """The family and the style in a name; first, if the style tells a width, the family of that
    width: "Roboto Condensed"."""
    family, _, words = name.casefold().rpartition("-")
    words = _TRADE.sub("", words, count=1)
    found = _WORD.findall(words)
    if "".join(found) != words:
        return
    weights = [_WEIGHTS[word] for word in found if word in _WEIGHTS]
    style = FontStyle((*weights, 400)[0], any(word in _SLOPES for word in found))
    for width in [word for word in found if word in _WIDTHS][:1]:
        yield f"{family}{_WIDTHS[width]}", style
        yield f"{family}{width}", style
        style = replace(style, width=_WIDTHS[width])
    yield family, style


def find_stand_in(name: str) -> str | None:
    """A family of the house; None for a name that standins.toml lacks. Case does not matter."""
    return stand_ins().get(name.casefold())


@cache
def stand_ins() -> Mapping[str, str]:
    """The family of the house for each name in lower case."""
    return {name.casefold(): family for family, names in _read().items() for name in names}


@cache
def _names_by_letters() -> Mapping[str, str]:
    """The names in standins.toml by their letters (`letters_of`)."""
    return {letters_of(name): name for names in _read().values() for name in names}


@cache
def _read() -> Mapping[str, list[str]]:
    return tomllib.loads(Path(__file__).with_name("standins.toml").read_text("utf-8"))
