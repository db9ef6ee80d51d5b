"""What a check says of a game in each of its languages, and of its expansion."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree

from generator import pdf, pipeline
from generator.basics.errors import Problem
from generator.pipeline.looking import as_printed
from tests.conftest import Pnp
from tests.game.tiny import BOX, GAME, drawn, text, write
from tests.support.printing import TEMPLATES

BOXED = BOX.format(30, 8) + text("{{ t }}", 'pnp:box="box" pnp:least="9pt"')
LONG = "viel mehr Worte als in dem engen Kasten Platz ist"


def spoken(folder: Path, *rows: str, body: str = BOXED) -> str:
    write(folder, body)
    (folder / "cards.csv").write_text("\n".join(["id,x,t,t.de,t.pt-BR", *rows, ""]), "utf-8")
    return str(folder)


def errors(problems: list[Problem]) -> list[str]:
    return [f"{p.place}: {p.what}" for p in problems if p.level == "error"]


def test_what_overflows_in_a_language_is_reported_with_it(folder: Path) -> None:
    game = spoken(folder, f"a,1,few,{LONG},", f"b,1,{LONG},wenig,pouco")
    plain, german = errors(pipeline.check(game))
    assert plain.startswith("tiny/cards.csv:3: a text on the front of b is too long: tiny/front")
    assert german.startswith("tiny/cards.csv:2: de: a text on the front of a is too long")
    assert "{{ t }}: the text is" in german


def test_one_language_is_looked_at_alone(folder: Path, pnp: Pnp) -> None:
    game = spoken(folder, f"a,1,few,{LONG},", f"b,1,{LONG},wenig,pouco")
    (found,) = errors(pipeline.check(game, {"language": "de"}))
    assert found.startswith("tiny/cards.csv:2: de: a text on the front of a is too long")
    assert errors(pipeline.check(game, {"language": "pt-BR"})) == []
    result = pnp("check", game, "--lang", "de")
    assert result.exit_code == 1
    assert "cards.csv:2: de: " in result.output
    assert "cards.csv:3" not in result.output
    assert "pt-BR" not in result.output
    assert "in the language 'fr'" in pnp("check", game, "--lang", "fr").output


def test_a_character_that_a_font_lacks_is_reported_with_its_language(folder: Path) -> None:
    game = spoken(folder, "a,1,few,語,pouco", body=text("{{ t }}"))
    (found,) = errors(pipeline.check(game))
    assert found.startswith("tiny/cards.csv:2: de: the front cannot be drawn")
    assert "has no glyph for '語'" in found


def test_what_holds_in_all_languages_is_reported_once(folder: Path) -> None:
    low = '<rect id="box" x="2" y="50" width="30" height="8" fill="none"/>'
    body = low + text("{{ t }}", 'pnp:box="box"')
    game = spoken(folder, "a,1,few,few,few", "b,1,more,,", body=body)
    found = pipeline.check(game)
    others = [p.what for p in found if p.rule != "translation"]
    assert others, "the text stands too near to the cut"
    assert not [what for what in others if what.startswith(("de: ", "pt-BR: "))]
    notes = [p.what for p in found if p.rule == "translation"]
    assert notes[:2] == ["de: 1 of 2 cells are not translated", "pt-BR: 1 of 2 cells are not translated"]
    (phrases,) = notes[2:]
    assert re.fullmatch(r"pt-BR: (\d+) of \1 phrases of the kit are English", phrases)
    (note,) = (p.what for p in pipeline.check(game, {"language": "de"}) if p.rule == "translation")
    assert note == "de: 1 of 2 cells are not translated"


MORE = '[variant.more]\nabout = "More."\nextends = true\ntable.cards = "more.csv"\n'
ROWS = "id,x,t,count\na,1,one,4\nb,1,two,2\nc,1,three,1\n"
MORE_ROWS = "id,x,t,count\nb,1,zwei,2\nc,,,0\nd,1,four,5\na,2,one,3\n"


def test_merged_counts_are_reported_where_they_are_looked_for(folder: Path, pnp: Pnp, tmp_path: Path) -> None:
    """7 cards, less c and a copy of a, and 5 of d."""
    (folder / "game.toml").write_text(GAME + MORE, "utf-8")
    write(folder, text("{{ t }}"))
    (folder / "cards.csv").write_text(ROWS, "utf-8")
    (folder / "more.csv").write_text(MORE_ROWS, "utf-8")
    told = "cards: base 7 + 5 - 2 = 10 pieces, 2 of the rows replaced"
    (note,) = (p for p in pipeline.check(f"{folder}-more") if p.rule == "expansion")
    assert (str(note.place), note.what, note.level) == ("tiny/game.toml:10", told, "note")
    result = pnp("build", f"{folder}-more", "-o", tmp_path / "a.pdf")
    assert result.exit_code == 0
    assert told in result.stderr.splitlines()
    assert not [p for p in pipeline.check(str(folder)) if p.rule == "expansion"]


def test_words_in_mirrored_edges_are_seen_and_not_read(folder: Path) -> None:
    write(folder, f'<rect width="40" height="60" fill="#f7f0de"/>{text("{{ t }}")}')
    mirrored = GAME.replace('edge = "red"', 'edge = "mirror"')
    (folder / "game.toml").write_text(mirrored, "utf-8")
    (face,) = drawn(folder).values()
    with pdf.Press() as press:
        (look,) = as_printed(pipeline.read(str(folder)).game, press, [face])
    assert [word.text for word in look.contents.words] == ["some", "words"]
    assert tuple(look.pixels[2, 2, :3]) == (247, 240, 222)


def test_pictures_that_only_templates_and_cells_name_are_reported(folder: Path, pnp: Pnp) -> None:
    """A cell, a template or [art]: what is printed otherwise than drawn is reported."""
    art = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
    ring = '<radialGradient id="g" r=".1" spreadMethod="repeat"><stop/><stop offset="1"/>'
    drawings = {
        "rings": f'{ring}</radialGradient><rect width="9" height="9" fill="url(#g)"/>',
        "nothing": '<rect width="9" height="9"/><use href="#gone"/>',
        "words": '<text y="8" font-family="Arial" font-size="4">Words</text>',
    }
    for name, content in drawings.items():
        (folder / f"{name}.svg").write_text(art.format(content), "utf-8")
    pictures = ('<image href="rings.svg" width="9" height="9"/>'
                '<image href="{{ t }}.svg" y="9" width="9" height="9"/>')  # fmt: skip
    write(folder, pictures)
    (folder / "cards.csv").write_text("id,x,t\na,1,nothing\nb,1,words\n", "utf-8")
    said = {str(p.place): p.rule for p in pipeline.check(str(folder)) if ".svg" in str(p.place)}
    assert said == {
        "tiny/rings.svg:1": "art.pixels",
        "tiny/nothing.svg:1": "art.reference",
        "tiny/words.svg:1": "font.replaced",
    }
    printed = pnp("build", folder, "-o", folder / "x.pdf")
    assert "nothing.svg:1: <use> refers to '#gone'" in printed.stderr


def test_a_build_says_which_words_lack_their_style(folder: Path, pnp: Pnp) -> None:
    boxed = text("{{ t }}", 'pnp:box="box" font-family="Abril Fatface"')
    game = spoken(folder, "a,1,some **bold** words,,", body=BOX.format(36, 20) + boxed)
    printed = pnp("build", game, "-o", folder / "x.pdf")
    assert printed.exit_code == 0
    assert "'bold': Abril Fatface has no bold, so it is printed without" in printed.stderr


def test_a_removed_piece_is_reported_at_its_deck_and_where_it_is_named(tmp_path: Path) -> None:
    game = copytree(TEMPLATES / "talavera", tmp_path / "deck")
    rows = (game / "cards.csv").read_text("utf-8").splitlines()
    (game / "cards.csv").write_text("\n".join([*rows[:-1], ""]), "utf-8")
    found = errors(pipeline.check(str(game)))
    assert found[0].endswith("there are 17 cards, not 18")
    assert found[-1].endswith("there is no piece '18' among the 17 cards")
    assert len(found) == len(set(found))
