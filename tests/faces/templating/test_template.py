"""Templates: what they draw."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from generator.basics.errors import quote
from generator.faces.templating import sandbox
from generator.faces.templating.template import Filling
from generator.model import Face
from tests.conftest import Pnp
from tests.game.tiny import BOX, DOT, GAME, HEAD, SVG, drawn, problems, sole, svg, text, words, write
from tests.support.deck import table

QUEST = Path(__file__).parents[2] / "templates/quest"
TINY = Path(__file__).parents[2] / "bad_specs/_tiny"
FONTS = Path(__file__).parents[2] / "fonts"


def test_placeholders_are_filled(folder: Path) -> None:
    body = text("{{ t | upper }}: {{ x * 2 }}") + '<rect width="{{ x / 2 }}" height="1"/>'
    face = drawn(write(folder, body))["a"]
    assert words(face) == "SOME WORDS: 14"
    assert sole(face, "rect").get("width") == "3.5"


@pytest.mark.parametrize("cell", ["<b>&amp;", "{{ t }}", "{% x %}", "</text><script/>", "]]>"])
def test_a_value_stays_text(folder: Path, cell: str) -> None:
    assert words(drawn(write(folder, text("{{ x }}"), cell))["a"]) == cell


def test_a_relief_is_as_steep_as_at_a_pixel_for_each_unit(folder: Path) -> None:
    """The engine draws filters at 288 dpi."""
    light = '<feDiffuseLighting surfaceScale="2"><feDistantLight/></feDiffuseLighting>'
    lit = '<g transform="scale(3)"><rect width="9" height="9" filter="url(#f)"/></g>'
    face = drawn(write(folder, f'<filter id="f">{light}</filter>{lit}{text("{{ x }}")}'))["a"]
    height = float(sole(face, "feDiffuseLighting").get("surfaceScale", ""))
    assert height == pytest.approx(2 * 3 * 288 / 25.4)


def test_an_instruction_of_a_designer_is_no_mark_of_our_words(folder: Path) -> None:
    mark = "<?pnp-words 0?>"
    inner = f'<text x="1" y="9" font-size="5" font-family="Alegreya Sans">in{mark}</text>{mark}'
    (folder / "inner.svg").write_text(DOT.replace("<circle", f"{inner}<circle"), "utf-8")
    image = '<image width="9" height="9" href="inner.svg"/>'
    body = BOX.format(30, 30) + mark + image + text("{{ x }}", 'pnp:box="box"') + f"<g>{mark}</g>"
    layer = drawn(write(folder, body, "set"))["a"].layers[-1].layer
    assert layer.art.count(mark) == len(layer.lines) == 1
    assert words(drawn(folder)["a"]) == "in set"


@pytest.mark.parametrize("cell", ["007", "1.50", "-0", "1e3", "+1", "1_000", " "])
def test_a_number_is_written_as_in_its_cell(folder: Path, cell: str) -> None:
    assert words(drawn(write(folder, text("{{ x }}|"), cell))["a"]) == f"{cell.strip()}|"


def test_an_effect_that_does_not_exist_is_left_out(folder: Path) -> None:
    body = '<rect width="{{ x }}" height="1" fill="#f00" filter="url(#gone)"/>'
    own = '<g style="mask:url(#gone)"><circle r="1"/></g>'
    face = drawn(write(folder, body + own))["a"]
    assert b"gone" not in etree.tostring(svg(face))
    assert sole(face, "circle").get("r") == "1"


def test_elements_are_kept_dropped_and_repeated(folder: Path) -> None:
    body = (
        '<circle pnp:if="x > 7" r="1"/><rect pnp:if="x >= 7" width="1" height="1"/>'
        '<line pnp:for="n in x" pnp:if="n is odd" pnp:step="2 0" x1="{{ loop.index }}"/>'
    )
    root = svg(drawn(write(folder, body))["a"])
    assert not list(root.iter(f"{SVG}circle"))
    assert len(list(root.iter(f"{SVG}rect"))) == 1
    lines = list(root.iter(f"{SVG}line"))
    assert [line.get("x1") for line in lines] == ["1", "3", "5", "7"]
    moved = [line.getparent().get("transform") for line in lines[1:]]
    assert moved == ["translate(4 0)", "translate(8 0)", "translate(12 0)"]


@pytest.mark.parametrize("cell", ["FALSE", "false", "FALSCH", "FAUX", "FALSO", "no", "No", ""])
def test_a_cell_that_says_no_holds_not_and_is_printed_as_it_is(folder: Path, cell: str) -> None:
    """As a spreadsheet writes a box that is not ticked."""
    body = f'<circle pnp:if="x" r="1"/><rect pnp:if="not x" width="1" height="1"/>{text("{{ x }}|")}'
    root = svg(drawn(write(folder, body, cell))["a"])
    assert not list(root.iter(f"{SVG}circle"))
    assert len(list(root.iter(f"{SVG}rect"))) == 1
    assert words(drawn(folder)["a"]) == f"{cell}|"


def test_a_cell_that_says_yes_holds(folder: Path) -> None:
    body = '<circle pnp:if="x" r="1"/><rect pnp:if="not x" width="1" height="1"/>'
    for cell in ("TRUE", "yes", "nobody"):
        assert sole(drawn(write(folder, body, cell))["a"], "circle").get("r") == "1"


@pytest.mark.parametrize("cell", ["a b", "a, b", "a;b", "a|b"])
def test_words_of_a_cell_are_gone_through(folder: Path, cell: str) -> None:
    body = f'<g pnp:for="one in x">{text("{{ one }}")}</g>'
    assert words(drawn(write(folder, body, cell))["a"]) == "a b"


@pytest.mark.parametrize("name", ["href", "xlink:href"])
def test_a_linked_picture_is_that_file_of_the_game(folder: Path, name: str) -> None:
    """As drawing programs link one that is not embedded."""
    template = write(folder, f'<image width="9" height="9" {name}="dot.svg"/>')
    assert str(sole(drawn(template)["a"], "image").attrib).count("data:image/svg+xml;base64,") == 1


def test_what_pnp_says_stands_above_what_the_editor_shows(folder: Path) -> None:
    body = (
        '<rect width="9" height="9" style="fill:#123456;stroke:none" pnp:fill="x"/>'
        '<image width="9" height="9" xlink:href="sample.png" pnp:href="\'dot\'"/>' + text("Sample", 'pnp:text="t"')
    )
    face = drawn(write(folder, body, "red"))["a"]
    assert sole(face, "rect").get("fill") == "#c03020"
    assert sole(face, "rect").get("style") == "stroke:none"
    image = sole(face, "image")
    assert str(image.get("href")).startswith("data:image/svg+xml;base64,")
    assert image.get("{http://www.w3.org/1999/xlink}href") is None
    assert words(face) == "some words"


def test_pieces_alike_in_what_is_read_share_a_face(folder: Path) -> None:
    write(folder, text("{{ t }}"))
    (folder / "cards.csv").write_text("id,t,x,#\na,one,1,2\nb,one,1,3\nc,two,1,4\n", "utf-8")
    found = drawn(folder)
    assert found["a"] is found["b"]
    assert found["a"].id != found["c"].id


def test_text_in_a_box_is_set(folder: Path) -> None:
    body = BOX.format(36, 20) + text("{{ t }}", 'pnp:box="box" pnp:least="7pt"')
    face = drawn(write(folder, body))["a"]
    assert words(face) == "some words"
    (line,) = svg(face).iter(f"{SVG}text")
    assert float(line.get("x")) == 2.0


@pytest.mark.parametrize("around", ['text-anchor="middle"', 'style="text-anchor:end"'])
def test_a_text_in_a_box_is_not_moved_by_what_it_inherits(folder: Path, around: str) -> None:
    """Its lines are set where they are to begin, with the alignment of the group around it."""
    body = BOX.format(36, 20) + f"<g {around}>" + text("{{ t }}", 'pnp:box="box"') + "</g>"
    line = sole(drawn(write(folder, body))["a"], "text")
    assert 5 < float(line.get("x")) < 30
    assert line.getparent().get("text-anchor") == "start"


def test_texts_that_differ_in_how_they_fill_one_box_are_told_apart(folder: Path) -> None:
    """All else of the two cards is alike."""
    boxed = "{{ t }}", 'pnp:box="box" pnp:if="x %s 7" pnp:valign="%s"'
    body = BOX.format(36, 20) + "".join(text(boxed[0], boxed[1] % told) for told in (("==", "top"), ("!=", "bottom")))
    write(folder, body)
    (folder / "cards.csv").write_text("id,x,t\na,7,some words\nb,8,some words\n", "utf-8")
    high, low = (float(sole(face, "text").get("y")) for face in drawn(folder).values())
    assert high < 8 < 16 < low < 22


ROWS = "id,x,t\na,#aa0000,some words\nb,#00bb00,some words\nc,#0000cc,some words\n"


@pytest.mark.parametrize("own", ['fill="{{ x }}"', "pnp:fill='x' style='fill: #fff'"])
def test_a_text_in_a_box_has_the_colour_of_its_row(folder: Path, own: str) -> None:
    """And so have its surroundings, whose colours are all that differs."""
    boxed = text("{{ t }}", 'pnp:box="box"')
    around = f"<g {own}>{boxed}</g>"
    write(folder, BOX.format(36, 20) + around + f'<path d="M0 0h9v9z" {own}/>')
    (folder / "cards.csv").write_text(ROWS, "utf-8")
    shown = {card: [sole(face, name).get("fill") for name in ("text", "path")] for card, face in drawn(folder).items()}
    of_rows = {"a": "#aa0000", "b": "#00bb00", "c": "#0000cc"}
    assert shown == {card: [colour, colour] for card, colour in of_rows.items()}


def test_drawings_that_differ_in_colours_are_proven_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proven: list[Filling] = []
    monkeypatch.setattr(Filling, "_prove", lambda filling, _: proven.append(filling))
    write(folder, BOX.format(36, 20) + '<path d="M0 0h9v9z" fill="{{ x }}"/>')
    (folder / "cards.csv").write_text(f"{ROWS}d,none,some words\n", "utf-8")
    assert len(drawn(folder)) == 4
    assert len(proven) == 2  # without a colour, it is another drawing


LONG = "Feuerwehrhauptmann und Oberbürgermeister"


def narrow(told: str) -> str:
    return BOX.format(18, 50) + text("{{ x }}", f'pnp:box="box" {told}')


def test_words_are_parted_where_a_text_asks_for_it(folder: Path) -> None:
    (told,) = problems(write(folder, narrow(""), LONG))
    assert "wider than its box" in told.what
    found = words(drawn(write(folder, narrow('pnp:hyphens="de"'), LONG))["a"])
    assert found.startswith("Feuerwehr- haupt- mann und Oberbür- ger")


def test_a_translation_is_parted_as_its_language_is(folder: Path) -> None:
    write(folder, narrow('pnp:hyphens="en_GB"'))
    (folder / "cards.csv").write_text(f"id,x,x.de,t\na,seven,{LONG},t\n", "utf-8")
    assert words(drawn(folder)["a"]) == "seven"
    german = words(drawn(folder, language="de")["a"])
    assert german.startswith("Feuerwehr- haupt- mann und Oberbür- ger")
    (told,) = problems(write(folder, narrow('pnp:hyphens="en_GB"'), LONG))
    assert "wider than its box" in told.what


def test_a_language_that_nobody_can_part_is_reported(folder: Path) -> None:
    (told,) = problems(write(folder, narrow('pnp:hyphens="tlh"'), LONG))
    assert told.what == "pnp:hyphens is 'tlh'"
    assert "en_GB" in told.hint


HEBREW = "Salve שלום"
NO_HEBREW = "Alegreya Sans has no glyph for"


@pytest.mark.parametrize("fonts", ["Noto Sans Hebrew, sans-serif", "Alegreya Sans"])
def test_signs_that_a_font_lacks_are_set_in_the_next(folder: Path, fonts: str) -> None:
    """That of the text, or that of the game."""
    body = BOX.format(36, 50) + text("{{ x }}", 'pnp:box="box" font-family="Alegreya Sans"')
    (told,) = problems(write(folder, body, HEBREW))
    assert NO_HEBREW in told.what
    shutil.copytree(FONTS / "noto-sans-hebrew", folder / "fonts")
    assert NO_HEBREW in problems(folder)[0].what
    if "Hebrew" in fonts:
        write(folder, body.replace('"Alegreya Sans"', f'"Alegreya Sans, {fonts}"'), HEBREW)
    else:
        game = GAME.replace('about = "', 'fallback = ["Noto Sans Hebrew"]\nabout = "')
        (folder / "game.toml").write_text(game, "utf-8")
    families = {
        "".join(part.itertext()): part.get("font-family") for part in svg(drawn(folder)["a"]).iter(f"{SVG}tspan")
    }
    assert families == {"Salve": "Alegreya Sans", "שלום": "Noto Sans Hebrew"}


def test_a_fallback_that_is_not_there_is_reported(folder: Path) -> None:
    write(folder, text("{{ t }}"))
    game = GAME.replace('about = "', 'fallback = ["Noto Sans Hebrow"]\nabout = "')
    (folder / "game.toml").write_text(game, "utf-8")
    (told,) = problems(folder)
    assert (str(told.place), told.what) == ("tiny/game.toml:5", "there is no font family 'Noto Sans Hebrow'")


def test_what_is_alike_in_all_rows_stands_among_what_is_not(folder: Path) -> None:
    body = '<g>a{{ x }}<g>b<text x="1" y="1">c</text>d</g>e{{ x }}</g>'
    write(folder, body)
    (folder / "cards.csv").write_text("id,x,t\na,1,t\nb,2,t\nc,3,t\n", "utf-8")
    told = ["".join(next(svg(face).iter(f"{SVG}g")).itertext()) for face in drawn(folder).values()]
    assert told == ["a1bcde1", "a2bcde2", "a3bcde3"]


def test_inkscapes_own_boxes_are_set(folder: Path) -> None:
    inside = 'style="shape-inside:url(#box);font-size:4px"'
    body = f'{BOX.format(14, 20)}<text {inside}><tspan x="2" y="5">{{{{ t }}}}</tspan></text>'
    face = drawn(write(folder, body))["a"]
    assert len(list(svg(face).iter(f"{SVG}text"))) == 2, "the words stand on two lines"


def test_a_drawing_in_points_is_measured_in_mm(folder: Path) -> None:
    """As Illustrator and Figma save it; the text keeps its size on paper."""
    inner = BOX.format(90, 50) + text("{{ t }}", 'font-size="10" pnp:box="box"')
    in_points = HEAD.replace('"0 0 40 60"', '"0 0 113.3858 170.0787" width="40mm" height="60mm"')
    face = drawn(write(folder, inner, head=in_points))["a"]
    placed = sole(face, "text")
    assert float(placed.get("font-size")) == pytest.approx(10 * 25.4 / 72, abs=0.001)
    group = placed.getparent().get("transform")
    assert float(group.removeprefix("scale(").rstrip(")")) == pytest.approx(72 / 25.4, rel=1e-4)


def test_overflow_names_card_field_and_length(folder: Path) -> None:
    body = BOX.format(36, 5) + text("{{ x }}", 'pnp:box="box" pnp:least="8pt"')
    (problem,) = problems(write(folder, body, "many words " * 9))
    assert str(problem.place) == "tiny/cards.csv:2"
    assert "the front of a is too long: tiny/front.svg:2: <text> {{ x }}: the text is " in problem.what
    assert "mm higher than its box at 8.0 pt" in problem.what


def test_a_column_that_is_missing_is_reported_with_its_reader(folder: Path) -> None:
    write(folder, f"\n{text('{{ t }} {{ titel }}')}")
    (problem,) = problems(folder)
    assert str(problem.place) == "tiny/front.svg:3"
    assert problem.what == "the column 'titel' is missing from tiny/cards.csv:1"
    (folder / "cards.csv").write_text("id,t,x,title\na,one,1,two\n", "utf-8")
    (problem,) = problems(folder)
    assert str(problem.place) == "tiny/front.svg:3"
    assert problem.hint == "there is 'title': one of the two is misspelt"


@pytest.mark.parametrize(
    ("box", "edge", "hint"),
    [
        ("40 60", "", "extend it past the cut, or set edge"),
        ("46 66", 'edge = "mirror"', "with an edge in game.toml, a template ends at the cut"),
        ("50 66", "", 'give <svg> width="46mm" height="66mm"'),
    ],
)
def test_a_template_of_another_size_is_refused(folder: Path, box: str, edge: str, hint: str) -> None:
    spec_text = GAME.replace('edge = "red"', edge)
    (folder / "game.toml").write_text(spec_text, "utf-8")
    write(folder, text("{{ t }}"), head=HEAD.replace("40 60", box))
    (problem,) = problems(folder)
    assert "front.svg:1: the template is " in problem.what
    assert hint in problem.hint


def test_quest_is_sound_and_needs_no_renderer(tmp_path: Path, pnp: Pnp) -> None:
    folder = Path(shutil.copytree(QUEST, tmp_path / "quest"))
    found = drawn(folder)
    assert len(found) == 6
    assert "Salve & Bandage <small>" in words(found["potion"])
    result = pnp("build", folder, "-o", tmp_path / "quest.pdf")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "quest.pdf").read_bytes().startswith(b"%PDF")


def test_who_draws_no_template_loads_no_jinja() -> None:
    reads = "from generator import faces, pipeline;faces.draw(pipeline.read({!r}).designs[0], 'front');"
    lists = "import sys; print('jinja2' in sys.modules)"
    for game, is_loaded in ((str(TINY), False), (str(QUEST), True)):
        run = [sys.executable, "-c", reads.format(game) + lists]
        told = subprocess.run(run, capture_output=True, text=True, check=True).stdout
        assert told == f"{is_loaded}\n"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"front.svg"', '"../front.svg"', "leaves the game's folder"),
        ('"front.svg"', '"frond.svg"', "did you mean 'front.svg'?"),
        ('"front.svg"', '"cards.csv"', "is no drawing and no picture"),
        ('edge = "red"', 'renderer = "playing.back"', "both template and renderer"),
        ('edge = "red"', 'tile = "9mm"', "unknown key 'tile'"),
        ('"front.svg"', "7", "must be text in quotes"),
    ],
)
def test_a_template_misnamed(folder: Path, pnp: Pnp, old: str, new: str, told: str) -> None:
    write(folder, text("{{ t }}"))
    (folder / "game.toml").write_text(GAME.replace(old, new), "utf-8")
    result = pnp("check", folder)
    assert result.exit_code == 1
    assert told in result.output
    assert "tiny/game.toml:" in result.output


def test_the_namespace_must_be_declared(folder: Path, pnp: Pnp) -> None:
    write(folder, text("{{ t }}"), head=HEAD.replace('xmlns:pnp="any:thing"', ""))
    result = pnp("check", folder)
    assert result.exit_code == 1
    assert 'xmlns:pnp="' in result.output


def test_the_deck_that_is_measured_is_sound() -> None:
    """54 cards, as the bench makes a thousand of; each has its own face."""
    deck = QUEST.parent / "lanterns"
    assert (deck / "cards.csv").read_text("utf-8") == table(54)
    found = drawn(deck)
    assert len({face.id for face in found.values()}) == 54
    assert words(found["1"]).startswith("Low Lantern 1")


def test_heading_with_blanks_and_capitals(folder: Path) -> None:
    template = write(folder, text("{{ Card Name }}, {{ card_name | upper }}"))
    (folder / "cards.csv").write_text("id,T,X,Card  name\na,,1,one\n", "utf-8")
    assert words(drawn(template)["a"]) == "one, ONE"


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("Card Name | upper", "ONE"),
        ("'a  b' ~ Card Name", "a  bone"),
        ("Card Name if not Card Cost is odd else 'no one'", "one"),
        ("max(Card Cost, 1) + Card Cost", "4"),
    ],
)
def test_a_name_with_blanks_in_an_expression(folder: Path, expression: str, told: str) -> None:
    template = write(folder, f'<text x="5" y="9" xml:space="preserve">{{{{ {expression} }}}}</text>')
    (folder / "cards.csv").write_text("id,T,X,Card Name,Card Cost\na,,1,one,2\n", "utf-8")
    assert words(drawn(template)["a"]) == told


@pytest.mark.parametrize(
    ("body", "is_told"),
    [
        (text("{ title } {{ t }}"), True),
        ("<text><tspan>{Title}</tspan></text>", True),
        (text("{{ title }}"), False),
        (text("[words]{title}"), False),
        (text("{ name }"), False),
        ("<style>g {title}</style>", False),
    ],
)
def test_single_braces_are_reported(folder: Path, body: str, is_told: bool, pnp: Pnp) -> None:
    write(folder, body)
    (folder / "cards.csv").write_text("id,x,t,title\na,7,words,A Title\n", "utf-8")
    output = pnp("check", folder).output
    told = "tiny/front.svg:2: a text has 'title' in single braces, which are printed"
    assert (told in output) == is_told


UNREAD = ("<p>", "<font color=red>", "> a", "[a](b)", "====", "x^2^", "{T}", ":coin(1234567):",
          "| alone |", "\\n", "\\13\\")  # fmt: skip
READ = (
    "**bold** __too__ ~~s~~ ==p== ==q=={red}",
    "[words]{red}",
    "\\{T} 1 < 2 > 1",
    ":heart: :coin(3)@150%:",
    "a | b",
    "2 - 3",
    "snake_case",
    "<b>b</b> <I>i</I> <br/> x<sup>2</sup> &amp; &#65;",
    "# a\n1. b\n2. c\n---\n| d6 | loot |\n|---|---|\n| 1 | <u>x</u> |",
)


def test_marks_that_no_text_reads_are_reported_once(folder: Path, pnp: Pnp) -> None:
    write(folder, BOX.format(90, 90) + text("{{ t }}", 'pnp:box="box"') + text("{{ x }}"))
    path = folder / "cards.json"
    (folder / "game.toml").write_text(
        (folder / "game.toml").read_text("utf-8").replace("cards.csv", "cards.json"), "utf-8"
    )

    def check(texts: Iterable[str], bare: str = "x") -> list[str]:
        rows = [{"id": str(at), "t": words, "x": bare} for at, words in enumerate(texts)]
        path.write_text(json.dumps(rows), "utf-8")
        lines = pnp("check", folder).output.splitlines()
        return [line.partition(" column ")[2] for line in lines if "printed as they are" in line]

    assert check(READ) == []
    for first in (0, 4, 6):
        seen = [quote(mark.replace("x^", "^")) for mark in UNREAD[first : first + 5]]
        marks = ", ".join(seen)
        told = f"t: {11 - first} texts hold marks that are printed as they are: {marks}"
        assert check([f"one\n{mark}\ntwo" for mark in UNREAD[first:]]) == [told]
    bare = "**bold** <b>b</b> &amp; :coin(3): ~~s~~"
    named = ", ".join(f"'{mark}'" for mark in ("**bold**", "<b>", "</b>", "&amp;", ":coin(3):"))
    told = f"x: a text holds marks that are printed as they are: {named}"
    assert check(["**bold**"], bare) == [told]


ICON = '<image href="icon:{}" width="5" height="5" {}/>'


def icons(face: Face) -> list[str]:
    """The drawings of the images of a face."""
    images = svg(face).iter(f"{SVG}image")
    return [b64decode(image.get("href", "").partition(",")[2]).decode() for image in images]


@pytest.mark.parametrize(
    ("body", "colour"),
    [
        (ICON.format("heart", ""), "#000000"),
        (ICON.format("heart", 'fill="#a63a24"'), "#a63a24"),
        (ICON.format("heart", 'style="fill:teal"'), "teal"),
        (ICON.format("heart", "pnp:fill=\"'red'\""), "#c03020"),
        (f'<g fill="#123456">{ICON.format("{{ t }}", "")}</g>', "#123456"),
        ("<style>.a { fill: navy }</style>" + ICON.format("heart", 'class="a"'), "navy"),
        (ICON.format("heart", 'fill="none"'), "#000000"),
        ('<linearGradient id="b"/>' + ICON.format("heart", 'fill="url(#b)"'), "#000000"),
    ],
)
def test_an_icon_has_the_colour_of_its_fill(folder: Path, body: str, colour: str) -> None:
    write(folder, body)
    (folder / "cards.csv").write_text("id,x,t\na,7,heart\n", "utf-8")
    (icon,) = icons(drawn(folder)["a"])
    root = etree.fromstring(icon.encode())
    assert root.get("color") == colour
    assert root[0].get("d", "").startswith("M10.6 20.9")


def test_an_icon_of_the_game_comes_first(folder: Path) -> None:
    (folder / "icons").mkdir()
    (folder / "icons/heart.svg").write_text(DOT, "utf-8")
    (icon,) = icons(drawn(write(folder, ICON.format("heart", 'fill="#a63a24"')))["a"])
    assert "circle" in icon


def test_a_number_repeats_an_icon(folder: Path) -> None:
    body = ICON.format("heart", 'pnp:for="n in x" pnp:step="6 0"')
    assert len(icons(drawn(write(folder, body, "4"))["a"])) == 4


@pytest.mark.parametrize(
    ("expression", "cell", "told"),
    [
        ("'%02d' % x", "7", "07"),
        ("'%,d' % x", "12000", "12,000"),
        ("'%+d' % x", "7", "+7"),
        ("'%.2f €' % x", "2.5", "2.50 €"),
        ("'%d %%' % (x * 100)", "0.25", "25 %"),
        ("'No. %03d' | format(x)", "7", "No. 007"),
        ("'(%s)' % x", "seven", "(seven)"),
        ("x | replace('.', ',')", "2.5", "2,5"),
        ("x | replace('-', ' to ')", "1-2-3", "1 to 2 to 3"),
        ("'+' * x", "3", "+++"),
        ("x * '+'", "0", ""),
        ("'+' * x", "", ""),
    ],
)
def test_formats(folder: Path, expression: str, cell: str, told: str) -> None:
    assert words(drawn(write(folder, text(f"{{{{ {expression} }}}}"), cell))["a"]) == told


@given(
    flags=st.sampled_from(["", "0", "+", "0+"]),
    width=st.integers(1, 99),
    digits=st.sampled_from(["", ".0", ".3"]),
    number=st.integers(-(10**9), 10**9) | st.floats(-1e9, 1e9),
)
def test_a_format_is_that_of_printf(flags: str, width: int, digits: str, number: float) -> None:
    """Python's own is the oracle."""
    pattern = f"%{flags}{width}{digits}f"
    assert sandbox.format_value(pattern, number) == pattern % number
    assert sandbox.format_value(f"%{flags}{width}d", int(number)) == f"%{flags}{width}d" % int(number)


def list_cells(folder: Path, rows: str, body: str) -> Path:
    spec = (folder / "game.toml").read_text("utf-8").replace("cards.csv", "cards.json")
    (folder / "game.toml").write_text(spec, "utf-8")
    write(folder, body)
    (folder / "cards.json").write_text(rows, "utf-8")
    return folder


def test_a_list_in_json_is_read_item_by_item(folder: Path) -> None:
    each = '<text pnp:for="one in x">{{ loop.index }}/{{ loop.length }}: {{ one }};</text>'
    rows = '[{"id": "a", "x": ["a b", "c, d", 2], "t": ""}, {"id": "b", "x": [], "t": ""}]'
    faces = drawn(list_cells(folder, rows, each + text("{{ x | join('|') }} {{ x | length }}")))
    assert words(faces["a"]) == "1/3: a b; 2/3: c, d; 3/3: 2; a b|c, d|2 3"
    assert words(faces["b"]) == " 0"


def test_lists_and_texts_that_read_alike_have_faces_of_their_own(folder: Path) -> None:
    rows = [["a", "b"], ["a, b"], '["a", "b"]', "a, b"]
    table = [{"id": str(at), "x": cell, "t": ""} for at, cell in enumerate(rows)]
    faces = drawn(list_cells(folder, json.dumps(table), text("{{ x | length }}")))
    assert [words(face) for face in faces.values()] == ["2", "1", "10", "4"]


def test_a_list_is_looked_into(folder: Path) -> None:
    body = "<circle pnp:if=\"'b' in x\" r='1'/><rect pnp:if='x' width='1' height='1'/>"
    rows = '[{"id": "a", "x": ["a", "b"], "t": ""}, {"id": "b", "x": ["ab"], "t": ""}]'
    faces = drawn(list_cells(folder, rows, body))
    assert len(list(svg(faces["a"]).iter(f"{SVG}circle"))) == 1
    assert not list(svg(faces["b"]).iter(f"{SVG}circle"))


def test_a_list_is_not_a_text(folder: Path) -> None:
    rows = '[{"id": "a", "x": ["a", "b"], "t": ""}]'
    (told,) = problems(list_cells(folder, rows, text("{{ x }}")))
    assert "'x' is a list, not a text" in told.what
    assert told.hint == "for example: {{ x | join(', ') }}"


def test_a_row_of_the_spec_has_lists_too(folder: Path) -> None:
    write(folder, text("{{ x | join('|') }}"))
    spec = (folder / "game.toml").read_text("utf-8").replace('table = "cards.csv"\n', "")
    row = '[[component.row]]\nid = "a"\nt = ""\nx = ["a", 2, 2.5]\n'
    (folder / "game.toml").write_text(spec + row, "utf-8")
    assert words(drawn(folder)["a"]) == "a|2|2.5"
