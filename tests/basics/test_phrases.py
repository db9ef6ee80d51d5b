"""What pnp says in each language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.basics import phrases as module
from generator.basics.phrases import fields_of, read_phrases

LANGUAGES = sorted(
    path.stem for path in Path(module.__file__).with_name("languages").glob("*.toml")
)
ENGLISH = read_phrases().patterns
MARKED = re.compile(r"\*\*[^*]+\*\*")
WORDS = {"name": "x", "count": 2}


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
