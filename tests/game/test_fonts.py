"""A text whose font is not there is set in one of the house, and that is told."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from lxml import etree

from generator.art import css
from generator.art.picture import ArtReader
from generator.basics.errors import Place
from generator.text import HOUSE_FONTS, FontBook
from generator.text.fontbook import FontStyle, stand_ins
from tests.conftest import Pnp
from tests.support import fontmaking

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:pnp="urn:pnp" viewBox="0 0 40 60">'
SPEC = """
[game]
title = "Fonts"
designer = "A. Designer"
about = "A card."

[[component]]
id = "cards"
title = "Cards"
size = ["40mm", "60mm"]
bleed = "0mm"
safe = "1mm"
row = [{ id = "1" }]

[component.front]
template = "front.svg"
"""
BOX = '<rect id="b" x="4" y="30" width="30" height="20" fill="none"/>'
BOOK = FontBook([HOUSE_FONTS])
Make = Callable[..., str]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Makes a game of one drawing, with more in its game.toml; its name."""
    monkeypatch.chdir(tmp_path)

    def make(drawing: str, more: str = "", spec: str = SPEC) -> str:
        folder = tmp_path / "game"
        folder.mkdir(exist_ok=True)
        (folder / "front.svg").write_text(f"{HEAD}\n{drawing}</svg>", "utf-8")
        (folder / "game.toml").write_text(spec + more, "utf-8")
        return "./game"

    return make


def text(family: str, words: str = "Hello", more: str = "") -> str:
    return f'<text x="2" y="20" font-size="5" font-family="{family}" {more}>{words}</text>\n'


def fonts_in(pdf: Path) -> set[str]:
    """The fonts that letters of faces are set in, by their PostScript names."""
    names: set[str] = set()
    with pikepdf.open(pdf) as file:
        labels = {
            form.objgen for page in file.pages for name, form in page.Resources.XObject.items() if "Mark." in name
        }
        for form in file.objects:
            if isinstance(form, pikepdf.Stream) and form.objgen not in labels:
                resources = form.get("/Resources")
                fonts = resources.get("/Font") if resources is not None else None
                if fonts is not None:
                    used = set(re.findall(rb"(/\S+) [\d.]+ Tf", form.read_bytes()))
                    names |= {str(fonts[name.decode()].BaseFont) for name in used}
    return {name.partition("+")[2] for name in names}


def printed(pnp: Pnp, game: str) -> set[str]:
    result = pnp("build", game, "-o", "game.pdf")
    assert result.exit_code == 0, result.output
    return fonts_in(Path("game.pdf"))


ALEGREYA, ABRIL, SOURCE = "AlegreyaSans-Regular", "AbrilFatface-Regular", "SourceSerifPro-Regular"
STAND_INS = [
    ("sans-serif", ALEGREYA),
    ("SERIF", SOURCE),
    ("Times New Roman, Times, serif", SOURCE),
    ("'Courier New'", ALEGREYA),
    ("Foo, fantasy", ABRIL),
    ("Impact", "IBMPlexSans-SemiBold"),
]


@pytest.mark.parametrize(("family", "font"), STAND_INS)
def test_usual_family_gets_one_of_the_house_and_a_note(family: str, font: str, game: Make, pnp: Pnp) -> None:
    name = game(text(family))
    assert printed(pnp, name) == {font}
    told = pnp("check", name)
    assert told.exit_code == 0
    assert "0 errors, 0 warnings, 1 note" in told.output
    assert "stands in for it" in told.output


BOLD, ITALIC = "AlegreyaSans-Bold", "AlegreyaSans-Italic"
POSTSCRIPT = {  # what Illustrator writes: the font that stands in, the family that is missing
    "Arial-BoldMT": (BOLD, "Arial"),
    "Arial-ItalicMT": (ITALIC, "Arial"),
    "Arial-Black": ("IBMPlexSans-SemiBold", "Arial Black"),
    "ArialNarrow-Bold": ("IBMPlexSans-SemiBold", "Arial Narrow"),
    "ArialMT": (ALEGREYA, "Arial"),
    "Helvetica-Bold": (BOLD, "Helvetica"),
    "Helvetica-Oblique": (ITALIC, "Helvetica"),
    "HelveticaNeue": (ALEGREYA, "Helvetica Neue"),
    "HelveticaNeue-CondensedBold": (BOLD, "Helvetica Neue"),
    "TimesNewRomanPS-BoldMT": ("SourceSerifPro-Bold", "Times New Roman"),
    "TimesNewRomanPSMT": (SOURCE, "Times New Roman"),
    "CourierNewPSMT": (ALEGREYA, "Courier New"),
    "MyriadPro-Semibold": (BOLD, "Myriad Pro"),
    "MyriadPro-It": (ITALIC, "Myriad Pro"),
    "MinionPro-Regular": (SOURCE, "Minion Pro"),
    "Georgia-Bold": ("SourceSerifPro-Bold", "Georgia"),
    "Verdana-Bold": (BOLD, "Verdana"),
    "Inter-Bold": (BOLD, "Inter"),
    "Roboto-Regular": (ALEGREYA, "Roboto"),
}


@pytest.mark.parametrize("name", POSTSCRIPT)
def test_postscript_name_is_a_family_and_its_style(name: str, tmp_path: Path) -> None:
    font, missing = POSTSCRIPT[name]
    (tmp_path / "a.svg").write_text(f"{HEAD}\n<g>{text(name)}</g></svg>", "utf-8")
    reader = ArtReader(tmp_path, BOOK)
    art = reader.read("a.svg", Place("game.toml", 1))
    (drawn,) = etree.fromstring(art.part).iter("{*}text")
    style = css.declarations(drawn.get("style", ""))
    family = drawn.get("font-family").split(",")[0].strip("'")
    asked = int(style["font-weight"]), style["font-style"] == "italic"
    assert BOOK.find(family, asked[0], italic=asked[1]).name == font
    assert list(reader.stand_ins) == [(missing, BOOK.find(family).title)]


WAYS = {
    "drawing": text("Arial-BoldMT"),
    "style": '<text x="2" y="9" style="font-size:5px;font-family:Arial-BoldMT">a</text>',
    "sheet": '<style>.a{font-family:Arial-BoldMT;font-size:5px}</style><text class="a" y="9">a</text>',
    "group": '<g font-family="Arial-BoldMT"><text x="2" y="9" font-size="5">a</text></g>',
    "cell": text("Arial-BoldMT", "{{ id }}"),
    "box": BOX + text("Arial-BoldMT", "{{ id }}", 'pnp:box="b"'),
    "picture": '<image href="art.svg" width="40" height="60"/>',
}


@pytest.mark.parametrize("way", WAYS)
def test_postscript_name_prints_bold_on_every_way(way: str, game: Make, pnp: Pnp) -> None:
    name = game(WAYS[way])
    Path("game/art.svg").write_text(HEAD + text("Arial-BoldMT") + "</svg>", "utf-8")
    assert printed(pnp, name) == {BOLD}
    result = pnp("export", name, "--to", "svg", "--set", "text=fonts", "-o", "out")
    assert result.exit_code == 0, result.output
    (face,) = Path("out").rglob("1-front.svg")
    assert "font-weight" in face.read_text("utf-8")
    assert "700" in face.read_text("utf-8")


ITALIC_BOX = BOX + text("Arial-ItalicMT", "{}", 'pnp:box="b"')


@pytest.mark.parametrize(
    ("drawing", "fonts"),
    [
        (ITALIC_BOX.format("{{ id }}"), {ITALIC}),
        (ITALIC_BOX.format("{{ id }} *upright*"), {ITALIC, ALEGREYA}),
        (ITALIC_BOX.format("**bold** {{ id }}"), {ITALIC, "AlegreyaSans-BoldItalic"}),
        (BOX + text("serif", "{{ id }}", 'font-style="oblique" pnp:box="b"'), {"SourceSerifPro-It"}),
        (BOX + text("Georgia", "{{ id }} ж", 'font-style="italic" pnp:box="b"'), {"SourceSerifPro-It", ITALIC}),
    ],
)
def test_a_box_is_set_in_the_italic(drawing: str, fonts: set[str], game: Make, pnp: Pnp) -> None:
    assert printed(pnp, game(drawing)) == fonts


def test_an_italic_without_all_characters_is_reported(game: Make, pnp: Pnp) -> None:
    """Its upright has them, so the engine sets the text upright."""
    name = game(text("Georgia", "α a", 'font-style="italic"'))
    assert "'α a': Source Serif Pro has no italic, so" in pnp("check", name).output
    assert printed(pnp, name) == {SOURCE}
    name = game(text("Georgia", "a", 'font-style="italic"'))
    assert "has no italic" not in pnp("check", name).output


def test_a_box_in_an_italic_that_is_not_there(game: Make, pnp: Pnp) -> None:
    name = game(BOX + text("Abril Fatface", "{{ id }}", 'font-style="italic" pnp:box="b"'))
    assert printed(pnp, name) == {ABRIL}
    assert "has no italic, so it is printed without" in pnp("check", name).output


@pytest.mark.parametrize(
    ("name", "width"),
    [
        ("MyriadPro-BoldCond", "condensed"),
        ("MyriadPro-BoldCondIt", "condensed"),
        ("HelveticaNeue-CondensedBold", "condensed"),
        ("Roboto-CondensedLight", "condensed"),
        ("MyriadPro-LightSemiExpanded", "semi-expanded"),
        ("MyriadPro-Ext", "expanded"),
        ("Arial-Narrow", None),  # a family of its own
        ("Arial-BoldMT", None),
    ],
)
def test_postscript_name_keeps_its_width(name: str, width: str | None, tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text(f"{HEAD}{text(name)}</svg>", "utf-8")
    art = ArtReader(tmp_path, BOOK).read("a.svg", Place("game.toml", 1))
    (drawn,) = etree.fromstring(art.part).iter("{*}text")
    assert css.declarations(drawn.get("style", "")).get("font-stretch") == width


def test_postscript_name_of_a_narrow_family(tmp_path: Path) -> None:
    for weight in (300, 400):
        fontmaking.bars(tmp_path / f"{weight}.ttf", "Roboto Condensed", weight=weight)
    book = FontBook([HOUSE_FONTS, tmp_path])
    choice = book.choose(["Roboto-CondensedLight"])
    assert choice is not None
    assert (choice.families, choice.style) == ((book.known("Roboto Condensed"),), FontStyle(300))


@pytest.mark.parametrize(
    ("drawing", "font"),
    [
        (text("Arial-BoldMT", more='font-weight="400"'), ALEGREYA),
        (text("Arial-BoldMT", more='style="font-weight:normal"'), ALEGREYA),
        (text("Arial-BoldMT", more='font-style="italic"'), "AlegreyaSans-BoldItalic"),
        (f'<g font-weight="bold">{text("ArialMT")}</g>', ALEGREYA),
        (text("Abril-Bold, AlegreyaSans-Italic, Arial-BoldMT"), ITALIC),
        (text("AbrilFatface"), ABRIL),
        (text("Impact-Bold"), "IBMPlexSans-SemiBold"),
    ],
)
def test_style_of_a_postscript_name_yields_to_that_of_the_text(drawing: str, font: str, game: Make, pnp: Pnp) -> None:
    assert printed(pnp, game(drawing)) == {font}


def test_postscript_name_of_a_family_of_the_game(tmp_path: Path) -> None:
    """Its own bold, whatever that is called."""
    for weight in (400, 700):
        fontmaking.bars(tmp_path / f"{weight}.ttf", "Inter", weight=weight)
    content = f"{HEAD}{text('Foo-Bold, Inter-Bold, Arial', 'HAH')}</svg>"
    (tmp_path / "a.svg").write_text(content, "utf-8")
    reader = ArtReader(tmp_path, FontBook([HOUSE_FONTS, tmp_path]))
    (drawn,) = etree.fromstring(reader.read("a.svg", Place("game.toml", 1)).part).iter("{*}text")
    style = css.declarations(drawn.get("style", ""))
    assert (drawn.get("font-family"), style["font-weight"]) == ("'Inter'", "700")
    assert not reader.stand_ins


def test_alias_of_a_family_holds_for_its_postscript_names(game: Make, pnp: Pnp) -> None:
    name = game(text("Arial-BoldMT"), '[font.alias]\n"Arial" = "Abril Fatface"\n')
    assert printed(pnp, name) == {ABRIL}


def test_unknown_style_is_no_postscript_name(game: Make, pnp: Pnp) -> None:
    told = pnp("build", game(text("Arial-Blod")), "-o", "game.pdf")
    assert told.exit_code == 1
    assert "there is no font family 'Arial-Blod'" in told.output


@pytest.mark.parametrize("family", ["Foo, Abril Fatface, Arial", "abril fatface", "Arial, Abril Fatface"])
def test_family_that_is_there_is_used_and_nothing_is_reported(family: str, game: Make, pnp: Pnp) -> None:
    name = game(text(family))
    assert printed(pnp, name) == {ABRIL}
    assert "0 errors, 0 warnings, 0 notes" in pnp("check", name).output


def test_each_family_is_reported_once_with_the_number_of_its_texts(game: Make, pnp: Pnp) -> None:
    drawing = "<style>.a { font: 4px Verdana }</style>" + "\n".join(
        [text("Arial"), text("Arial, Helvetica"), '<text class="a" y="9">x</text>', text("Foo, Arial")]
    )
    told = pnp("check", game(f'<g font-family="Georgia">{drawing}<path d="M1 1h1v1z"/></g>')).output
    assert told.count("note:") == 2
    assert "'Arial': 'Alegreya Sans' stands in for it, in 3 texts" in told
    assert "'Verdana': 'Alegreya Sans' stands in for it\n" in told


NAMELESS = {
    "a text": '<text x="2" y="9">some</text>',
    "an inherited one": '<g><text x="2" y="9" style="font-family:inherit">some</text></g>',
    "one with parts": '<text x="2" y="9">so<tspan font-family="Abril Fatface">me</tspan></text>',
    "the text of a cell": '<text x="2" y="9" pnp:text="id">some</text>',
    "text in a box": '<text font-size="4" pnp:box="b">{{ id }}</text>',
}


@pytest.mark.parametrize("drawing", NAMELESS.values(), ids=NAMELESS)
def test_text_that_names_no_family_gets_the_usual_one(drawing: str, game: Make, pnp: Pnp) -> None:
    box = '<rect id="b" x="2" y="12" width="30" height="9" fill="none"/>'
    name = game(box + drawing)
    assert ALEGREYA in printed(pnp, name)
    told = pnp("check", name).output
    assert "note: game/front.svg:2: the text names no font family: 'Alegreya Sans' sets it\n" in told
    named = game(box + drawing, '[font.alias]\nsans-serif = "Fraunces"\n')
    assert "Fraunces-Black" in printed(pnp, named)
    assert "no font family" not in pnp("check", named).output


def test_words_outside_a_text_need_no_family(game: Make, pnp: Pnp) -> None:
    """Nothing draws them."""
    name = game(text("Abril Fatface") + "<tspan>stray</tspan><g><a>stray</a></g>")
    assert printed(pnp, name) == {ABRIL}
    assert "0 notes" in pnp("check", name).output


def test_text_whose_family_is_in_a_cell_is_not_reported(game: Make, pnp: Pnp) -> None:
    spec = SPEC.replace('"1" }', '"1", f = "Abril Fatface" }')
    name = game('<text x="2" y="9" pnp:font-family="f">some</text>', spec=spec)
    assert printed(pnp, name) == {ABRIL}
    assert "no font family" not in pnp("check", name).output


def test_alias_of_the_game_is_used_and_not_reported(game: Make, pnp: Pnp) -> None:
    name = game(text("Foo, IMPACT"), '[font.alias]\nImpact = "Fraunces"\n')
    assert printed(pnp, name) == {"Fraunces-Black"}
    assert "0 notes" in pnp("check", name).output


def test_stand_in_can_be_accepted(game: Make, pnp: Pnp) -> None:
    accept = '[[accept]]\nfinding = "font.replaced"\nfound = "Arial: Alegreya Sans"\nreason = "fine"\n'
    told = pnp("check", game(text("Arial"), accept)).output
    assert "accepted: fine" in told
    assert "0 errors, 0 warnings, 1 note" in told


def test_family_that_a_row_names(game: Make, pnp: Pnp) -> None:
    drawing = text("Alegreya Sans", more='pnp:font-family="{{ font }}"')
    spec = SPEC.replace('id = "1"', 'id = "1", font = "Fraunces"')
    assert printed(pnp, game(drawing, spec=spec)) == {"Fraunces-Black"}


def test_family_whose_name_css_needs_quotes_for(game: Make, pnp: Pnp) -> None:
    """The engine takes it for no name otherwise, and draws nothing."""
    name = game(text("Bars 4", "HAH"))
    Path("game/fonts").mkdir()
    fontmaking.bars(Path("game/fonts/bars.ttf"), "Bars 4")
    assert printed(pnp, name) == {"Bars4-Regular"}


@pytest.mark.parametrize("command", ["build", "svg"])
def test_family_whose_name_ends_like_a_style(command: str, game: Make, pnp: Pnp) -> None:
    name = game(text("Bars Black", "HAH"))
    Path("game/fonts").mkdir()
    fontmaking.bars(Path("game/fonts/bars.ttf"), "Bars Black")
    if command == "build":
        assert printed(pnp, name) == {"BarsBlack-Regular"}
        return
    result = pnp("export", name, "--to", "svg", "-o", "out")
    assert result.exit_code == 0, result.output
    (front,) = Path("out").rglob("*-front.svg")
    assert front.read_text("utf-8").count("<path") == 1


def test_damaged_font_is_reported_and_the_others_are_used(game: Make, pnp: Pnp, tmp_path: Path) -> None:
    name = game(text("Bars", "HAH"))
    Path("game/fonts").mkdir()
    fontmaking.bars(Path("game/fonts/bars.TTF"), "Bars")
    Path("game/fonts/._bars.ttf").write_bytes(b"\0\5\x16\7")
    assert printed(pnp, name) == {"Bars-Regular"}
    told = pnp("check", name).output
    assert "warning: game/fonts/._bars.ttf: the font file is not used" in told
    assert "0 errors, 1 warning, 0 notes" in told
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    command = [sys.executable, "-P", "-m", "generator", "build", name, "--plan"]
    subprocess.run(command, env={**os.environ, "TMPDIR": str(temporary)}, check=True)
    assert list(temporary.iterdir()) == []


def test_every_stand_in_is_of_the_house() -> None:
    book = FontBook([HOUSE_FONTS])
    assert set(stand_ins().values()) <= set(book.families())
    assert all(name == name.casefold() for name in stand_ins())


JP, ARABIC = "noto-sans-jp", "noto-naskh-arabic"
FONTS = Path(__file__).parents[1] / "fonts"


def with_fonts(name: str, *folders: str) -> str:
    for folder in folders:
        shutil.copytree(FONTS / folder, Path(name) / "fonts" / folder)
    return name


@pytest.mark.parametrize("way", ["list", "fallback"])
def test_characters_that_a_family_lacks_are_set_in_the_next(way: str, game: Make, pnp: Pnp) -> None:
    """In a text without a box, in parts of it and behind them."""
    families = "Abril Fatface, 'Noto Sans JP'" if way == "list" else "Abril Fatface"
    spec = SPEC.replace("about", 'fallback = ["Noto Sans JP"]\nabout') if way != "list" else SPEC
    name = game(text(families, "Two 金貨 <tspan>金</tspan> 貨 gold"), spec=spec)
    assert printed(pnp, with_fonts(name, JP)) == {ABRIL, "NotoSansJP-Regular"}


def test_character_that_no_family_has_is_reported(game: Make, pnp: Pnp) -> None:
    told = pnp("check", with_fonts(game(text("Abril Fatface", "Two 金貨")), JP)).output
    assert "the font Abril Fatface has no glyph for '金貨'" in told
    assert "[game] fallback" in told


def test_titles_in_any_script(game: Make, pnp: Pnp) -> None:
    """On the sheets, the cover, the booklet and the box, without a word of where to look."""
    spec = SPEC.replace('"Fonts"', '"金貨を得る"').replace('"Cards"', '"العملتين"')
    name = game(text("Abril Fatface"), "[booklet]\n[[box]]\n", spec)
    Path(name, "rules.md").write_text("# 金貨\n\nTake two.\n", "utf-8")
    found = printed(pnp, with_fonts(name, JP, ARABIC))
    assert {"NotoSansJP-Regular", "NotoNaskhArabic-Regular"} <= found
    with pikepdf.open("game.pdf") as pdf:
        assert str(pdf.docinfo.Title) == "金貨を得る"
        titles = [str(entry.title) for entry in pdf.open_outline().root]
    assert any(title.startswith("العملتين") for title in titles)


def test_title_that_no_font_has_is_reported(game: Make, pnp: Pnp) -> None:
    spec = SPEC.replace('"Fonts"', '"שלום"')
    told = pnp("check", with_fonts(game(text("Abril Fatface"), spec=spec), JP))
    assert told.exit_code == 1
    assert "or any in fonts/, has no glyph for 'שלום'" in told.output


def test_title_with_a_character_only_in_colour_is_reported(game: Make, pnp: Pnp) -> None:
    """The sheets show outlines, so that there would be a gap."""
    name = game(text("Abril Fatface"), spec=SPEC.replace('"Fonts"', '"Dice \u2680 \u2681"'))
    Path("game/fonts").mkdir()
    fontmaking.coloured(Path("game/fonts/dice.ttf"), "Dice")
    for command in ("check", "build"):
        told = pnp(command, name)
        assert told.exit_code == 1
        assert "or any in fonts/, has no glyph for '\u2680'" in told.output


LACKING = [
    (text("Abril Fatface", more='font-weight="bold"'), "'Hello': Abril Fatface has no bold"),
    (
        text("Fraunces", more='font-stretch="condensed" font-style="italic"'),
        "'Hello': Fraunces has no italic condensed width",
    ),
    (
        f'<g style="font-style:italic">{text("Fraunces", "a <tspan>b</tspan>")}</g>',
        "'a', and 1 more: Fraunces has no italic",
    ),
    (
        "<style>.a{font-weight:700;font-style:oblique}</style>" + text("Abril Fatface", more='class="a"'),
        "'Hello': Abril Fatface has no bold italic",
    ),
    (BOX + text("Fraunces", "a *b c*", 'pnp:box="b"'), "'b c': Fraunces has no italic"),
    (BOX + text("Abril Fatface", "a b", 'pnp:box="b" font-weight="700"'), "'a b': Abril Fatface has no bold"),
]


@pytest.mark.parametrize(("drawing", "told"), LACKING)
def test_style_that_a_family_lacks_is_a_warning_and_prints(drawing: str, told: str, game: Make, pnp: Pnp) -> None:
    name = game(drawing)
    assert len(printed(pnp, name)) == 1
    found = pnp("check", name)
    assert found.exit_code == 0
    assert f"warning: game/game.toml:15: {told}, so it is printed without" in found.output
    assert "0 errors, 1 warning, 0 notes" in found.output


@pytest.mark.parametrize("more", ['font-weight="bold"', 'style="font-style:italic"', ""])
def test_style_that_a_family_has_is_not_reported(more: str, game: Make, pnp: Pnp) -> None:
    assert "0 errors, 0 warnings, 0 notes" in pnp("check", game(text("Arial, Alegreya Sans", more=more))).output


def test_style_that_the_rules_lack_is_a_warning(game: Make, pnp: Pnp) -> None:
    name = game(text("Fraunces"), '[booklet]\ntext_font = "Fraunces"\n')
    rules = "# Rules\n\nTake *two* cards.\n\n::: kit\n1 Cards\n:::\n"
    Path(name, "rules.md").write_text(rules, "utf-8")
    told = pnp("check", name)
    assert told.exit_code == 0
    assert "warning: game/rules.md: 'two': Fraunces has no italic" in told.output
