"""What pnp says itself in a kit or on a page, beside the words of its game.

Each file of a folder languages/ has the phrases of a language, as patterns of ICU's MessageFormat with named
fields: "sheet {number} of {total}", "{count, plural, one {# card} other {# cards}}".
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, reduce
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import MisfitError, did_you_mean, quote

ORIGINAL = "en"
_FOLDER = Path(__file__).with_name("languages")
_FIELD, _PLAIN = re.compile(r"\{([a-z]+)(?=[,}])"), re.compile(r"\{([a-z]+)\}")
_PLURAL = ", plural,"


class Phrases(Struct, frozen=True):
    """The phrases of a language, by names such as "cover.parts".

    `foreign`: the names of those that are English, since the language has none, or since no font has their `letters`.
    """

    language: str
    patterns: Mapping[str, str]
    foreign: tuple[str, ...] = ()
    letters: str = ""

    def say(self, phrase: str, /, **fields: str | int) -> str:
        """A phrase, by its name, with its fields. A number that chooses words is an int."""
        pattern = self.patterns[phrase]
        if _PLURAL not in pattern:
            return _PLAIN.sub(lambda field: str(fields[field[1]]), pattern)
        from icu4py.messageformat import MessageFormat  # it loads 30 MB

        language = ORIGINAL if phrase in self.foreign else self.language
        return MessageFormat(pattern, language).format({**fields})

    def number(self, value: float, form: str = "g") -> str:
        """A number with the decimal sign of the language."""
        return f"{value:{form}}".replace(".", self.say("text.decimal-sign"))

    def percent(self, part: float) -> str:
        """A part of a whole: "75 %"."""
        return self.say("text.percent", number=self.number(part * 100))

    def join(self, words: Iterable[str]) -> str:
        """Words as a list: "A4 and A3"."""
        return reduce(lambda some, more: self.say("text.pair", first=some, second=more), words)

    def with_own(self, own: Mapping[str, str]) -> Phrases:
        """These phrases, some of them replaced by those of a game."""
        foreign = tuple(name for name in self.foreign if name not in own)
        return replace(self, patterns={**self.patterns, **own}, foreign=foreign)

    def without_letters(self, letters: str) -> Phrases:
        """These phrases, with English ones in place of those that have some of these letters."""
        names = [name for name, text in self.patterns.items() if not set(letters).isdisjoint(text)]
        original = read_phrases().patterns
        patterns = {**self.patterns, **{name: original[name] for name in names}}
        return replace(self, patterns=patterns, foreign=(*self.foreign, *names), letters=letters)


@cache
def read_phrases(language: str = "", *folders: Path) -> Phrases:
    """The phrases of a language such as "de" or "pt-BR", which has those of "pt" too; English ones
    by default. They are those of a kit, and of these folders."""
    files, language = (_FOLDER, *folders), language or ORIGINAL
    original = _read(ORIGINAL, files)
    known = _read(language.partition("-")[0], files) | _read(language, files)
    foreign = tuple(name for name in original if name not in known)
    return Phrases(language, original | known, foreign)


def _read(language: str, folders: Iterable[Path]) -> dict[str, str]:
    files = (folder / f"{language}.toml" for folder in folders)
    read = (flatten(tomllib.loads(file.read_text("utf-8"))) for file in files if file.exists())
    return {name: text for phrases in read for name, text in phrases.items()}


def flatten(groups: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Phrases of tables by their whole names: {"cover": {"parts": …}} as "cover.parts"."""
    return {f"{group}.{name}": text for group, phrases in groups.items() for name, text in phrases.items()}


def fields_of(pattern: str) -> set[str]:
    """The names of the fields of a pattern."""
    return set(_FIELD.findall(pattern))


def check_phrase(name: str, pattern: str) -> None:
    """Raises MisfitError if a game's own phrase is unknown, or has a field that it cannot have."""
    original = read_phrases().patterns
    if name not in original:
        raise MisfitError(f"unknown phrase {quote(name)}", did_you_mean(name, original))
    known = fields_of(original[name])
    unknown = sorted(fields_of(pattern) - known)
    if unknown or pattern.count("{") != pattern.count("}"):
        has = f"its fields are {', '.join(f'{{{field}}}' for field in sorted(known))}"
        what = f"the phrase has no field {{{unknown[0]}}}" if unknown else "a brace is not closed"
        raise MisfitError(what, has if known else "it has no fields: leave out the braces")
