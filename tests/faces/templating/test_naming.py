"""A heading with signs is read as it stands, and by its name in a longer expression."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from tests.game.tiny import drawn, problems, text, words, write

HEADINGS = {  # by the name in a longer expression
    "atk_def": "ATK/DEF",
    "card_name": "Card-Name",
    "name_en": "Name (EN)",
    "cost": "Cost?",
    "hero_s_name": "Hero's Name",
    "_2nd": "2nd",
    "_2nd_player": "2nd Player",
    "no_1": "No. 1",
    "heads_tails": "Heads & Tails",
    "नाम": "नाम",
}


def deck(folder: Path, words: str, *headings: str, cells: str = "one") -> Path:
    write(folder, text(words))
    header = ",".join(["id", "x", "t", *headings])
    (folder / "cards.csv").write_text(f"{header}\na,7,some,{cells}\n", "utf-8")
    return folder


@pytest.mark.parametrize(("name", "heading"), HEADINGS.items(), ids=HEADINGS)
def test_a_heading_with_signs_is_read(name: str, heading: str, folder: Path) -> None:
    ways = [heading, heading.upper(), f"{name} ~ 's'"]
    body = " ".join(f"{{{{ {escape(way)} }}}}" for way in ways)
    assert words(drawn(deck(folder, body, heading))["a"]) == "one one ones"


def test_columns_that_a_sign_parts(folder: Path) -> None:
    """A division is one as long as no heading has its signs."""
    body = "{{ ATK/DEF }} {{ atk - def }}"
    assert words(drawn(deck(folder, body, "ATK", "DEF", cells="6,2"))["a"]) == "3 4"
    both = deck(folder, body, "ATK", "DEF", "ATK/DEF", "ATK DEF", cells="6,2,n,m")
    assert words(drawn(both)["a"]) == "n 4"


def test_headings_that_differ_in_signs(folder: Path) -> None:
    body = "{{ HP }} {{ HP+ }} {{ hp ~ 's' }}"
    assert words(drawn(deck(folder, body, "HP+", "HP", cells="2,1"))["a"]) == "1 2 1s"
    (problem,) = problems(deck(folder, "{{ atk_def }}", "ATK/DEF", "ATK-DEF", cells="2,1"))
    assert problem.what == "the columns 'ATK/DEF' and 'ATK-DEF' are read as one"
    assert problem.hint == "capitals, blanks and signs make no difference: rename one"


@pytest.mark.parametrize(
    ("written", "heading", "what", "hint"),
    [
        ("Card-Nam", "Card-Name", "there is no column 'Card-Nam'", "{{ Card-Name }}?"),
        ("Name (EM)", "Name (EN)", "there is no function 'Name'", "{{ Name (EN) }}?"),
        ("2nd Plyer", "2nd Player", "goes on after its end", "{{ 2nd Player }}?"),
        ("Hero's Nam", "Hero's Name", "is not an expression", "{{ Hero's Name }}?"),
        (
            "card_nam ~ 's'",
            "Card-Name",
            "'card_nam' is missing",
            "there is 'Card-Name' (card_name in a longer expression)",
        ),
    ],
)
def test_a_misspelt_heading(written: str, heading: str, what: str, hint: str, folder: Path) -> None:
    (problem,) = problems(deck(folder, f"{{{{ {written} }}}}", heading))
    assert what in problem.what
    assert hint in problem.hint


def test_signs_in_the_names_of_templates_layers_and_other_tables(folder: Path) -> None:
    deck(folder, "{{ Card-Kind.Name (EN) }}", "Card-Kind")
    game = (folder / "game.toml").read_text("utf-8")
    game = game.replace('"front.svg"', '"{{ x }}-{{ Card-Kind }}.svg"')
    game += 'layers = { top = "Card-Kind" }\n[component.lookup."Card-Kind"]\ntable = "kinds.csv"\n'
    (folder / "game.toml").write_text(game, "utf-8")
    (folder / "kinds.csv").write_text("id,Name (EN)\none,First\n", "utf-8")
    front = (folder / "front.svg").read_text("utf-8").replace("</svg>", '<g id="top"/></svg>')
    (folder / "7-one.svg").write_text(front, "utf-8")
    assert words(drawn(folder)["a"]) == "First"


def test_rows_of_the_game_and_default(folder: Path) -> None:
    write(folder, text("{{ ATK/DEF }}"))
    game = (folder / "game.toml").read_text("utf-8").replace('table = "cards.csv"\n', "")
    game += '[component.default]\n"t" = ""\n"ATK/DEF" = "5"\n'
    game += '[[component.row]]\nid = "a"\nx = 7\n"ATK/DEF" = ""\n'
    (folder / "game.toml").write_text(game, "utf-8")
    assert words(drawn(folder)["a"]) == "5"
