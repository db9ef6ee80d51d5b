"""Templates: what they draw, and what they are refused for."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import etree

from generator import build, faces, spec
from generator.errors import PnpError, Problem
from generator.model import Face, Game
from tests.conftest import Pnp

QUEST = Path(__file__).parents[1] / "templates/quest"
SVG = "{http://www.w3.org/2000/svg}"
GAME = """
[game]
title = "Tiny"
designer = "A. Designer"
about = "One card."
[palette]
red = "#c03020"
[art]
dot = "dot.svg"
[[component]]
id = "cards"
title = "Cards"
table = "cards.csv"
size = ["40mm", "60mm"]
corner_radius = "3mm"
bleed = "3mm"
[component.front]
template = "front.svg"
edge = "red"
"""
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:pnp="any:thing" viewBox="0 0 40 60" font-family="Alegreya Sans" font-size="4">\n'
)
ALL_READ = '<g pnp:if="x and t"/>'
DOT = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4" cx="4" cy="4"/></svg>'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "game.toml").write_text(GAME, "utf-8")
    (folder / "dot.svg").write_text(DOT, "utf-8")
    return folder


def write(folder: Path, body: str, cell: str = "7", head: str = HEAD) -> Path:
    (folder / "front.svg").write_text(f"{head}{body}\n{ALL_READ}</svg>", "utf-8")
    cell = cell.replace('"', '""')
    (folder / "cards.csv").write_text(f'id,x,t\na,"{cell}",some words\n', "utf-8")
    return folder


def drawn(folder: Path, component: int = 0) -> dict[str, Face]:
    game: Game = spec.read(folder, "", build.KINDS)
    made = faces.draw(game.components[component], "front")
    return {piece.id: face for piece, face in made}


def svg(face: Face) -> etree._Element:
    return etree.fromstring(face.stamps[-1].layer.svg)


def words(face: Face) -> str:
    return " ".join("".join(text.itertext()) for text in svg(face).iter(f"{SVG}text"))


def problems(folder: Path) -> list[Problem]:
    with pytest.raises(PnpError) as caught:
        drawn(folder)
    return list(caught.value.problems)


def sole(face: Face, name: str) -> etree._Element:
    (found,) = svg(face).iter(f"{SVG}{name}")
    return found


def text(words: str, attributes: str = "") -> str:
    return f'<text x="2" y="9" {attributes}>{words}</text>'


def test_placeholders_are_filled(folder: Path) -> None:
    body = text("{{ t | upper }}: {{ x * 2 }}") + '<rect width="{{ x / 2 }}" height="1"/>'
    face = drawn(write(folder, body))["a"]
    assert words(face) == "SOME WORDS: 14"
    assert sole(face, "rect").get("width") == "3.5"


@pytest.mark.parametrize("cell", ["<b>&amp;", "{{ t }}", "{% x %}", "</text><script/>", "]]>"])
def test_a_value_stays_text(folder: Path, cell: str) -> None:
    assert words(drawn(write(folder, text("{{ x }}"), cell))["a"]) == cell


@pytest.mark.parametrize("cell", ["007", "1.50", "-0", "1e3", "+1", "1_000", " "])
def test_a_number_is_written_as_in_its_cell(folder: Path, cell: str) -> None:
    assert words(drawn(write(folder, text("{{ x }}|"), cell))["a"]) == f"{cell.strip()}|"


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


@pytest.mark.parametrize("cell", ["a b", "a, b", "a;b", "a|b"])
def test_words_of_a_cell_are_gone_through(folder: Path, cell: str) -> None:
    body = f'<g pnp:for="one in x">{text("{{ one }}")}</g>'
    assert words(drawn(write(folder, body, cell))["a"]) == "a b"


def test_what_pnp_says_stands_above_what_the_editor_shows(folder: Path) -> None:
    body = (
        '<rect width="9" height="9" style="fill:#123456;stroke:none" pnp:fill="x"/>'
        '<image width="9" height="9" xlink:href="sample.png" pnp:href="\'dot\'"/>'
        + text("Sample", 'pnp:text="t"')
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


BOX = '<rect id="box" x="2" y="2" width="{}" height="{}" fill="none"/>'


def test_text_in_a_box_is_set(folder: Path) -> None:
    body = BOX.format(36, 20) + text("{{ t }}", 'pnp:box="box" pnp:least="7pt"')
    face = drawn(write(folder, body))["a"]
    assert words(face) == "somewords"
    (tspan, _) = svg(face).iter(f"{SVG}tspan")
    assert float(tspan.get("x")) == 2.0


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
    assert problem.where == "tiny/cards.csv:2"
    assert "front.svg:2: <text> {{ x }} of a: the text is " in problem.what
    assert "mm higher than its box at 8.0 pt" in problem.what


def test_a_column_that_is_missing_is_told_with_its_reader(folder: Path) -> None:
    write(folder, f"\n{text('{{ t }} {{ titel }}')}")
    (problem,) = problems(folder)
    assert problem.where == "tiny/cards.csv:1"
    assert problem.what == "the column 'titel' is missing, which front.svg:3 reads"
    (folder / "cards.csv").write_text("id,t,x,title\na,one,1,two\n", "utf-8")
    (problem,) = problems(folder)
    assert problem.what == "nothing reads the column 'title'"
    assert problem.hint.startswith("did you mean 'titel'? front.svg:3 reads that")


@pytest.mark.parametrize(
    ("box", "edge", "hint"),
    [
        ("40 60", "", "draw it on past the cut, or say edge"),
        ("46 66", 'edge = "mirror"', "with an edge in game.toml a template ends at the cut"),
        ("50 66", "", 'give <svg> width="46mm" height="66mm"'),
    ],
)
def test_a_template_of_another_size_is_refused(
    folder: Path, box: str, edge: str, hint: str
) -> None:
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
    assert "Salve&Bandage<small>" in words(found["potion"])
    result = pnp("build", folder, "-o", tmp_path / "quest.pdf")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "quest.pdf").read_bytes().startswith(b"%PDF")


def test_who_draws_no_template_loads_no_jinja() -> None:
    reads = (
        "from generator import build, faces; faces.draw(build.read({!r}).components[0], 'front');"
    )
    lists = "import sys; print('jinja2' in sys.modules)"
    for game, is_loaded in (("toripoka", False), (str(QUEST), True)):
        run = [sys.executable, "-c", reads.format(game) + lists]
        told = subprocess.run(run, capture_output=True, text=True, check=True).stdout
        assert told == f"{is_loaded}\n"


NINES = "9" * 99
SET = 'pnp:box="box"'
# name: (what stands in the template, the cell x, what is told)
ATTACKS: dict[str, tuple[str, str, str]] = {
    "class of a text": (text("{{ ''.__class__ }}"), "7", "nothing has a part '__class__'"),
    "class by subscript": (text("{{ x['__class__'] }}"), "7", "nothing has a part '__class__'"),
    "class by filter": (text("{{ x | attr('__class__') }}"), "7", "no filter 'attr'"),
    "class by map": (text("{{ [x] | map(attribute='__class__') }}"), "7", "no filter 'map'"),
    "bases of a class": (text("{{ ().__class__.__bases__ }}"), "7", "nothing has a part"),
    "method of a text": (text("{{ x.upper() }}"), "7", "nothing has a part"),
    "format method": (text("{{ '{0.__class__}'.format(x) }}"), "7", "nothing has a part"),
    "format filter": (text("{{ '%s' | format(x) }}"), "7", "no filter 'format'"),
    "format operator": (text("{{ '%99999999d' % 1 }}"), "7", "is no sum"),
    "globals": (text("{{ lipsum.__globals__ }}"), "7", "nothing has a part '__globals__'"),
    "a global": (text("{{ cycler('a') }}"), "7", "no function 'cycler'"),
    "namespace": (text("{{ namespace(a=1) }}"), "7", "no function 'namespace'"),
    "builtin": (text("{{ open('/etc/passwd') }}"), "7", "no function 'open'"),
    "the template itself": (text("{{ self }}{{ self._TemplateReference__context }}"), "7", "part"),
    "loop where there is none": (text("{{ loop.index }}"), "7", "known only in what is repeated"),
    "loop's inside": (text("{{ loop.__class__ }}"), "7", "nothing has a part '__class__'"),
    "huge range": (text("{{ range(10 ** 9) | join }}"), "7", "a range of 1,000,000,000 numbers"),
    "range backwards": ('<g pnp:for="i in range(9**9, 0, -1)"/>', "7", "a range of"),
    "huge loop": ('<g pnp:for="i in 1000000"/>', "7", "repeats 1,000,000 times"),
    "huge loop of a cell": ('<g pnp:for="i in x"/>', "1000000", "repeats 1,000,000 times"),
    "many words": ('<g pnp:for="i in x"/>', "a " * 999, "repeats 999 times"),
    "exponent": (text("{{ 9 ** 9 ** 9 }}"), "7", "the power is too high"),
    "exponent of a cell": (text("{{ 9 ** x }}"), "99999999", "the power is too high"),
    "long product": (text("{{ x * x }}"), "999999999999", "a number too large"),
    "long text": (text("{{ 'a' * 10 ** 9 }}"), "7", "is no sum"),
    "text doubled": (text("{{ x ~ x }}"), "a" * 9_000, "a text of 18,000 characters"),
    "joined": (text("{{ range(99) | join(x) }}"), "a" * 9_000, "the joined text is too long"),
    "infinity": (text("{{ 1e999 }}"), "7", "cannot be worked out"),
    "long number": (text("{{ " + NINES + " }}"), "7", "a number too large"),
    "nested deeply": (text("{{ " + "(" * 140 + "1" + ")" * 140 + " }}"), "7", "too deeply"),
    "signs in a row": (text("{{ " + "-" * 290 + "1 }}"), "7", "nested too deeply"),
    "long expression": (text("{{ " + "x ~ " * 99 + "x }}"), "7", "the expression is too long"),
    "many expressions": (text("{{ x }}" * 1001), "7", "more than 1,000 expressions"),
    "a statement": (text("{% for i in x %}"), "7", "'{%' is opened here"),
    "not closed": (text("{{ x"), "7", "'{{' is opened here and not closed"),
    "two in one": (text("{{ x; t }}"), "7", "goes on after its end"),
    "nothing in it": (text("{{ }}"), "7", "the expression is empty"),
    "text less number": ('<g pnp:if="x > 3"/>', "many", "text and numbers do not mix so"),
    "by zero": (text("{{ 1 / x }}"), "0", "it divides by zero"),
    "number in quotes": ("<g pnp:if=\"x == '7'\"/>", "7", "write 7, no quotes"),
    "truth as text": (text("{{ x > 3 }}"), "7", "is true or false, not a text"),
    "list as text": (text("{{ [x, t] }}"), "7", "is a list, not a text"),
    "loops in loops": (
        '<g pnp:for="a in 200"><g pnp:for="b in 200"><g pnp:for="c in 200"/></g></g>',
        "7",
        "more than 10,000 elements",
    ),
    "empty loops in loops": (
        '<g pnp:for="a in 200" pnp:if="a"><g pnp:for="b in 200" pnp:if="false"/></g>',
        "7",
        "more than 10,000 elements",
    ),
    "words in loops": (
        '<path pnp:for="a in 200" d="{{ x }}{{ x }}{{ x }}{{ x }}{{ x }}{{ x }}{{ x }}{{ x }}'
        '{{ x }}{{ x }}"/>',
        "M0 0 " * 1_990,
        "more than 16 MB are filled in",
    ),
    "boxes in loops": (
        BOX.format(30, 30) + text("{{ x }}", 'pnp:box="box" pnp:for="a in 9"'),
        "word " * 900,
        "the texts in boxes have more than 20,000 characters",
    ),
    "half open braces": (text("{{" * 200_000), "7", "is opened here and not closed"),
    "a width and no height": (text("{{ x }}", 'style="inline-size:9"'), "7", "a width and no"),
    "many elements": ("<g/>" * 10_001, "7", "the template has more than 10,000 elements"),
    "many names": (
        "".join(f"<a{number}/>" for number in range(10_001)),
        "7",
        "the template has more than 10,000 elements",
    ),
    "pictures in loops": (
        '<image width="1" height="1" href="big.svg" pnp:for="a in 200" pnp:href="\'big.svg\'"/>',
        "7",
        "more than 16 MB are filled in",
    ),
    "clones in loops": (
        '<g id="c"><rect width="1" height="1" pnp:for="a in 200"/></g>'
        '<g id="d"><use pnp:for="a in 200" href="#c"/></g>'
        '<use pnp:for="a in 200" href="#d"/>',
        "7",
        "clones counted each time",
    ),
    "script": ("<script>1</script>", "7", "<script> is not printed"),
    "script never drawn": ('<g pnp:if="false"><script/></g>', "7", "<script> is not printed"),
    "handler": ('<rect onclick="{{ x }}"/>', "7", "the attribute 'onclick' is a script"),
    "handler set": ('<rect pnp:onclick="x"/>', "7", "there is no pnp:onclick"),
    "html": ("<foreignObject/>", "7", "<foreignObject> is not printed"),
    "external picture": ('<image href="http://a.b/c.png"/>', "7", "points outside the file"),
    "picture from the net": ('<image href="{{ x }}"/>', "http://a.b/c.png", "does not exist"),
    "picture as data": ('<image href="{{ x }}"/>', "data:image/svg+xml,<svg/>", "unknown art"),
    "picture above": ('<image href="{{ x }}"/>', "../../a.png", "leaves the game's folder"),
    "picture at the root": ('<image href="{{ x }}"/>', "/etc/a.png", "leaves the game's folder"),
    "picture by a link": ('<image href="{{ x }}"/>', "out.svg", "a link out of the game's folder"),
    "no picture": ('<image href="{{ x }}"/>', "cards.csv", "is no picture we print"),
    "a hostile picture": ('<image href="{{ x }}"/>', "script.svg", "<script> is not printed"),
    "unknown art": ('<image href="{{ x }}"/>', "dott", "unknown art 'dott'"),
    "empty picture": ('<image href="{{ x }}"/>', "", "no picture is named"),
    "clone of a file": ('<use href="{{ x }}"/>', "a.svg#b", "<use> points outside the file"),
    "clone not there": ('<use href="#{{ x }}"/>', "b", "which is not there"),
    "clone of itself": ('<g id="{{ x }}"><use href="#a"/></g>', "a", "refers to '#a'"),
    "link in a style": ('<g style="fill:{{ x }}"/>', "url(http://a)", "a style points outside"),
    "style smuggled": ('<g style="fill:{{ x }}"/>', "red;mask:url(a)", "a style points outside"),
    "style with a backslash": ('<g style="fill:{{ x }}"/>', "\\75rl(a)", "holds a backslash"),
    "link as colour": ('<g fill="{{ x }}"/>', "url(http://a)", "unknown colour"),
    "unknown colour": ('<g fill="{{ x }}"/>', "rad", "unknown colour 'rad'"),
    "style sheet": ("<style>g { fill: {{ x }} }</style>", "7", "stands in a <style>"),
    "import": ("<style>@import 'a';</style>", "7", "@import is not printed"),
    "no length": ('<rect width="{{ x }}" height="1"/>', "wide", "'wide' is no length"),
    "negative": ('<rect width="{{ x }}" height="1"/>', "-5", "width is '-5'"),
    "far away": ('<rect x="{{ x }}" width="9" height="1"/>', "1e9", "x is '1e9'"),
    "no transform": ('<g transform="{{ x }}"/>', "scale(nan)", "is no transform"),
    "transform smuggled": ('<g pnp:transform="x"/>', "scale(1);fill:url(a)", "is no transform"),
    "long transform": ('<g transform="{{ x }}"/>', "scale(1) " * 999 + "!", "is no transform"),
    "digits without end": ('<rect width="{{ x }}"/>', "1" * 9_999 + "!", "is no length"),
    "transform without end": (
        '<g transform="{{ x }}"/>',
        "scale(" + "1" * 9_990,
        "is no transform",
    ),
    "scaled to nothing": (
        f'<g transform="scale(0)">{BOX.format(9, 9)}{text("{{ x }}", SET)}</g>',
        "7",
        "scaled to nothing",
    ),
    "huge letters": (BOX.format(9, 9) + text("{{ x }}", SET + ' font-size="1e30"'), "7", "mm on"),
    "no letters": (BOX.format(9, 9) + text("{{ x }}", SET + ' font-size="1e-9"'), "7", "mm on"),
    "box of a path": (
        '<path id="box" d="M0 0"/>' + text("{{ x }}", SET),
        "7",
        "there is no <rect> 'box'",
    ),
    "box moved apart": (
        f'<g transform="scale(2)">{BOX.format(9, 9)}</g><g transform="rotate(9)">'
        f"{text('{{ x }}', SET)}</g>",
        "7",
        "lie in groups that are moved apart",
    ),
    "sloped in a box": (
        BOX.format(9, 9) + text("{{ x }}", SET + ' font-style="italic"'),
        "7",
        "a text in a box is set upright",
    ),
    "font not there": (text("{{ x }}", 'font-family="Wingdings"'), "7", "no font family"),
    "font from a cell": (text("a", 'font-family="{{ x }}"'), "Wingdings", "no font family"),
    "no sign for it": (text("{{ x }}"), "\u6f22", "has no sign for"),
    "directive misspelt": ('<g pnp:iff="x"/>', "7", "there is no pnp:iff"),
    "for without in": ('<g pnp:for="x"/>', "7", "pnp:for is 'x'"),
    "loop named loop": ('<g pnp:for="loop in x"/>', "7", "pnp:for is 'loop in x'"),
    "loop over truth": ('<g pnp:for="a in x > 3"/>', "7", "is nothing to repeat by"),
    "box not there": (text("{{ x }}", 'pnp:box="boxx"'), "7", "there is no <rect> 'boxx'"),
    "box of no size": ('<rect id="b"/>' + text("x", 'pnp:box="b"'), "7", "no width or no height"),
    "least of no unit": (text("x", 'pnp:box="b" pnp:least="7"'), "7", "has no unit"),
    "bad step": ('<g pnp:step="wide"/>', "7", "pnp:step is 'wide'"),
    "icon not there": (
        BOX.format(30, 30) + text("{{ x }}", 'pnp:box="box"'),
        ":coin:",
        "there is no icon 'coin'",
    ),
    "mark not closed": (
        BOX.format(30, 30) + text("{{ x }}", 'pnp:box="box"'),
        "**bold",
        "front.svg:2: <text> {{ x }}: ",
    ),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_ends_in_a_message(name: str, folder: Path, pnp: Pnp) -> None:
    body, cell, told = ATTACKS[name]
    (folder / "out.svg").symlink_to("/etc/hostname")
    (folder / "script.svg").write_text(DOT.replace("<circle", "<script/><circle"), "utf-8")
    (folder / "big.svg").write_text(DOT.replace("</svg>", f"<!----><g id='{'a' * 99_999}'/></svg>"))
    result = pnp("check", write(folder, body, cell))
    assert told in result.output
    assert "front.svg" in result.output
    assert "pnp itself is at fault" not in result.output
    assert result.exit_code == 1


def test_entities_are_refused(folder: Path, pnp: Pnp) -> None:
    bomb = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(9))
    head = f'<!DOCTYPE svg [<!ENTITY e0 "x">{bomb}<!ENTITY f SYSTEM "file:///etc/passwd">]>{HEAD}'
    result = pnp("check", write(folder, text("&e9;&f;{{ t }}"), head=head))
    assert result.exit_code == 1
    assert "declares entities" in result.output


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"front.svg"', '"../front.svg"', "leaves the game's folder"),
        ('"front.svg"', '"frond.svg"', "did you mean 'front.svg'?"),
        ('"front.svg"', '"cards.csv"', "is no SVG"),
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
