"""What pnp says in each language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.basics import phrases as module
from generator.basics.phrases import fields_of, read_phrases

PACKAGE = Path(module.__file__).parents[1]
LANGUAGES = sorted(path.stem for path in Path(module.__file__).with_name("languages").glob("*.toml"))
ROOMS = [PACKAGE / room / "languages" for room in ("importing", "play", "studio")]
ROOMS += sorted(PACKAGE.glob("games/*/languages"))
ENGLISH = read_phrases().patterns
MARKED = re.compile(r"\*\*[^*]+\*\*")
SAYS = re.compile(r'(?:say|phrase)\(\s*"([a-z.-]+)"')
NAMED = re.compile(r'"((?:text|sheet|cover|steps|rules|box|net|calibration|proof|site)\.[a-z-]+)"')
BEGUN = re.compile(r'f"((?:sheet|cover|steps|calibration|proof|site)\.[a-z-]*)\{')


def test_five_languages_are_there() -> None:
    assert {"de", "en", "es", "fr", "it", "ja"} == {*LANGUAGES}


@pytest.mark.parametrize("rooms", [[], *([room] for room in ROOMS)], ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_phrase_with_the_same_fields(language: str, rooms: list[Path]) -> None:
    spoken, english = read_phrases(language, *rooms), read_phrases("", *rooms).patterns
    assert spoken.foreign == ()
    assert list(spoken.patterns) == list(english), "and no other"
    for name, pattern in spoken.patterns.items():
        assert fields_of(pattern) == fields_of(english[name]), name
        assert len(MARKED.findall(pattern)) == len(MARKED.findall(english[name])), name
        assert "'" not in pattern, f"{name}: ICU takes ' for a quote; write ’"
        fields = {field: 2 if field == "count" else f"<{field}>" for field in fields_of(pattern)}
        said = spoken.say(name, **fields)
        assert all(str(value) in said for value in fields.values()), name
        assert said.strip() or name == "text.after", name


def test_every_phrase_that_is_said_is_there_and_every_other_is_needless() -> None:
    sources = [path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".html")]
    text = "\n".join(source.read_text("utf-8") for source in sources)
    assert len(said := set(SAYS.findall(text))) > 60
    assert said <= read_phrases("", *ROOMS).patterns.keys()
    named, begun = set(NAMED.findall(text)), tuple(BEGUN.findall(text))
    assert [name for name in ENGLISH if name not in named and not name.startswith(begun)] == []


@pytest.mark.parametrize("room", ROOMS, ids=str)
def test_rooms_say_each_phrase_of_their_own(room: Path) -> None:
    """A phrase is named in a script, a page or the code beside it, or begins as one that is made there."""
    folders = {PACKAGE / "web", room.parent}
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".js", ".html")]
    text = "\n".join(path.read_text("utf-8") for path in files)
    own = read_phrases("", room).patterns.keys() - ENGLISH.keys()
    engine = (PACKAGE / "play" / "engine.py").read_text("utf-8")  # which says the parts of a score
    begun = tuple(re.findall(r"[`\"]([a-z]+\.(?:[a-z]+-)?)[$]?\{", text + engine))
    assert [
        name for name in own if f'"{name}"' not in text and f"{{{name}}}" not in text and not name.startswith(begun)
    ] == []
    assert set(re.findall(r'\bsay\(\s*"([a-z]+\.[a-z0-9-]+)"', text)) <= own | ENGLISH.keys()
