"""What pnp says in each language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.basics import phrases as module
from generator.basics.phrases import fields_of, read_phrases

LANGUAGES = sorted(path.stem for path in Path(module.__file__).with_name("languages").glob("*.toml"))
ENGLISH = read_phrases().patterns
MARKED = re.compile(r"\*\*[^*]+\*\*")
SAYS = re.compile(r'(?:say|phrase)\(\s*"([a-z.-]+)"')
NAMED = re.compile(r'"((?:text|sheet|cover|steps|rules|box|net|calibration|proof|site)\.[a-z-]+)"')
BEGUN = re.compile(r'f"((?:sheet|cover|steps|calibration|proof|site)\.[a-z-]*)\{')


def test_five_languages_are_there() -> None:
    assert {"de", "en", "es", "fr", "it", "ja"} == {*LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_phrase_with_the_same_fields(language: str) -> None:
    spoken = read_phrases(language)
    assert spoken.foreign == ()
    assert list(spoken.patterns) == list(ENGLISH), "and no other"
    for name, pattern in spoken.patterns.items():
        assert fields_of(pattern) == fields_of(ENGLISH[name]), name
        assert len(MARKED.findall(pattern)) == len(MARKED.findall(ENGLISH[name])), name
        assert "'" not in pattern, f"{name}: ICU takes ' for a quote; write ’"
        fields = {field: 2 if field == "count" else f"<{field}>" for field in fields_of(pattern)}
        said = spoken.say(name, **fields)
        assert all(str(value) in said for value in fields.values()), name
        assert said.strip() or name == "text.after", name


def test_every_phrase_that_is_said_is_there_and_every_other_is_needless() -> None:
    package = Path(module.__file__).parents[1]
    sources = [*package.rglob("*.py"), *package.rglob("*.html")]
    text = "\n".join(source.read_text("utf-8") for source in sources)
    assert len(said := set(SAYS.findall(text))) > 60
    assert said <= ENGLISH.keys()
    named, begun = set(NAMED.findall(text)), tuple(BEGUN.findall(text))
    assert [name for name in ENGLISH if name not in named and not name.startswith(begun)] == []
