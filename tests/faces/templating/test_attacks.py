"""What a hostile or careless template or cell comes to: a message, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Pnp
from tests.game.tiny import BOX, DOT, HEAD, text, write

NINES = "9" * 99
SET = 'pnp:box="box"'
# name: (what stands in the template, the cell x, what is told)
ATTACKS: dict[str, tuple[str, str, str]] = {
    "class of a text": (text("{{ ''.__class__ }}"), "7", "there is no part '__class__'"),
    "class by subscript": (text("{{ x['__class__'] }}"), "7", "there is no part '__class__'"),
    "class by filter": (text("{{ x | attr('__class__') }}"), "7", "no filter 'attr'"),
    "class by map": (text("{{ [x] | map(attribute='__class__') }}"), "7", "no filter 'map'"),
    "bases of a class": (text("{{ ().__class__.__bases__ }}"), "7", "there is no part"),
    "method of a text": (text("{{ x.upper() }}"), "7", "there is no part"),
    "format method": (text("{{ '{0.__class__}'.format(x) }}"), "7", "there is no part"),
    "format filter": (text("{{ '%s %s' | format(x) }}"), "7", "'%s %s' is not a format"),
    "format by name": (text("{{ '%(x)s' % x }}"), "7", "'%(x)s' is not a format"),
    "format of an object": (text("{{ '%r' % x }}"), "7", "'%r' is not a format"),
    "format operator": (text("{{ '%99999999d' % 1 }}"), "7", "'%99999999d' is not a format"),
    "format of many digits": (text("{{ '%.999f' % 1 }}"), "7", "'%.999f' is not a format"),
    "format from a cell": (text("{{ x % 1 }}"), "%*d", "'%*d' is not a format"),
    "format of a text": (text("{{ '%02d' % x }}"), "many", "'many' is not a number"),
    "format of a part": (text("{{ '%02d' % x }}"), "1.5", "1.5 is not a whole number"),
    "format of a list": (text("{{ '%02d' % [x] }}"), "7", "a list is not a number"),
    "format of long words": (text("{{ (x ~ '%99d') % 1 }}"), "a" * 9_999, "a text of 10,098"),
    "replaced by long words": (text("{{ x | replace('a', x) }}"), "a" * 9_000, "a text of 81,000,000 characters"),
    "nothing replaced": (text("{{ x | replace('', 'a') }}"), "7", "has nothing to look for"),
    "repeated by a cell": (text("{{ ':heart:' * x }}"), "101", "from 0 to 100"),
    "repeated by a part": (text("{{ ':heart:' * x }}"), "1.5", "from 0 to 100"),
    "repeated backwards": (text("{{ ':heart:' * x }}"), "-1", "from 0 to 100"),
    "repeated by a list": (text("{{ ':heart:' * [x] }}"), "7", "from 0 to 100"),
    "long words repeated": (text("{{ x * 99 }}"), "a" * 9_000, "a text of 891,000 characters"),
    "globals": (text("{{ lipsum.__globals__ }}"), "7", "there is no part '__globals__'"),
    "a global": (text("{{ cycler('a') }}"), "7", "no function 'cycler'"),
    "namespace": (text("{{ namespace(a=1) }}"), "7", "no function 'namespace'"),
    "builtin": (text("{{ open('/etc/passwd') }}"), "7", "no function 'open'"),
    "the template itself": (text("{{ self }}{{ self._TemplateReference__context }}"), "7", "part"),
    "loop where there is none": (text("{{ loop.index }}"), "7", "known only within a repeated element"),
    "loop's inside": (text("{{ loop.__class__ }}"), "7", "there is no part '__class__'"),
    "huge range": (text("{{ range(10 ** 9) | join }}"), "7", "a range of 1,000,000,000 numbers"),
    "range backwards": ('<g pnp:for="i in range(9**9, 0, -1)"/>', "7", "a range of"),
    "huge loop": ('<g pnp:for="i in 1000000"/>', "7", "repeats 1,000,000 times"),
    "huge loop of a cell": ('<g pnp:for="i in x"/>', "1000000", "repeats 1,000,000 times"),
    "many words": ('<g pnp:for="i in x"/>', "a " * 999, "repeats 999 times"),
    "exponent": (text("{{ 9 ** 9 ** 9 }}"), "7", "the power is too high"),
    "exponent of a cell": (text("{{ 9 ** x }}"), "99999999", "the power is too high"),
    "long product": (text("{{ x * x }}"), "999999999999", "a number too large"),
    "long text": (text("{{ 'a' * 10 ** 9 }}"), "7", "cannot be computed"),
    "text doubled": (text("{{ x ~ x }}"), "a" * 9_000, "a text of 18,000 characters"),
    "joined": (text("{{ range(99) | join(x) }}"), "a" * 9_000, "the joined text is too long"),
    "infinity": (text("{{ 1e999 }}"), "7", "cannot be computed"),
    "long number": (text("{{ " + NINES + " }}"), "7", "a number too large"),
    "nested deeply": (text("{{ " + "(" * 140 + "1" + ")" * 140 + " }}"), "7", "too deeply"),
    "groups in groups": ("<g>" * 235 + text("{{ x }}") + "</g>" * 235, "7", "more than 100 deep"),
    "loops in loops, many": ('<g pnp:for="i in 1">' * 110 + text("{{ x }}") + "</g>" * 110, "7", "more than 100 deep"),
    "signs in a row": (text("{{ " + "-" * 290 + "1 }}"), "7", "nested too deeply"),
    "long expression": (text("{{ " + "x ~ " * 99 + "x }}"), "7", "the expression is too long"),
    "many expressions": (text("{{ x }}" * 1001), "7", "more than 1,000 expressions"),
    "a statement": (text("{% for i in x %}"), "7", "'{%' is opened here"),
    "not closed": (text("{{ x"), "7", "'{{' is opened here and not closed"),
    "one equals sign": ('<g pnp:if="x = 7"/>', "7", "'x = 7' goes on after its end"),
    "two in one": (text("{{ x; t }}"), "7", "goes on after its end"),
    "nothing in it": (text("{{ }}"), "7", "the expression is empty"),
    "text less number": ('<g pnp:if="x > 3"/>', "many", "it mixes text and numbers"),
    "a prefix that nobody declares": ('<g a:fill="1"/><g xmlns="rel"/>', "7", "Namespace prefix a"),
    "a name of a colon": ("<g :='1'/>", "7", "Failed to parse QName ':'"),
    "part of a number": (text("{{ 1[0:1] }}"), "7", "it mixes text and numbers"),
    "by zero": (text("{{ 1 / x }}"), "0", "it divides by zero"),
    "number in quotes": ("<g pnp:if=\"x == '7'\"/>", "7", "write 7 without quotes"),
    "truth as text": (text("{{ x > 3 }}"), "7", "is true or false, not a text"),
    "escaped control": (text(r"{{ 'a\x1b[2J' }}"), "7", "is not text (U+001B)"),
    "escaped half of a letter": (text(r"{{ x ~ '\ud800' }}"), "7", "is not text (U+D800)"),
    "escaped in an attribute": (r"""<g id="{{ '\0' }}"/>""", "7", "is not text (U+0000)"),
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
        '<path pnp:for="a in 200" d="{{ x }}{{ x }}{{ x }}{{ x }}{{ x }}{{ x }}{{ x }}{{ x }}{{ x }}{{ x }}"/>',
        "M0 0 " * 1_990,
        "more than 16 MB are filled in",
    ),
    "boxes in loops": (
        BOX.format(30, 30) + text("{{ x }}", 'pnp:box="box" pnp:for="a in 9"'),
        "word " * 900,
        "the texts in boxes have more than 20,000 characters",
    ),
    "half open braces": (text("{{" * 200_000), "7", "is opened here and not closed"),
    "a width and no height": (text("{{ x }}", 'style="inline-size:9"'), "7", "a width, but no"),
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
    "picture beside, not there": ('<image href="c.png"/>', "7", "'c.png' does not exist"),
    "picture above, plain": ('<image href="../../a.png"/>', "7", "leaves the game's folder"),
    "picture at the root, plain": ('<image href="/etc/a.png"/>', "7", "leaves the game's folder"),
    "hostile picture, plain": ('<image href="script.svg"/>', "7", "<script> is not printed"),
    "picture of an address": ('<image href="file:///etc/a.png"/>', "7", "points outside"),
    "part of a file": ('<image href="a.svg#b"/>', "7", "does not exist"),
    "picture from the net": ('<image href="{{ x }}"/>', "http://a.b/c.png", "is a web address"),
    "picture as data": ('<image href="{{ x }}"/>', "data:image/svg+xml,<svg/>", "unknown art"),
    "picture above": ('<image href="{{ x }}"/>', "../../a.png", "leaves the game's folder"),
    "picture at the root": ('<image href="{{ x }}"/>', "/etc/a.png", "leaves the game's folder"),
    "picture by a link": ('<image href="{{ x }}"/>', "out.svg", "a link out of the game's folder"),
    "no picture": ('<image href="{{ x }}"/>', "cards.csv", "is not a picture that pnp can print"),
    "a hostile picture": ('<image href="{{ x }}"/>', "script.svg", "<script> is not printed"),
    "unknown art": ('<image href="{{ x }}"/>', "dott", "unknown art 'dott'"),
    "empty picture": ('<image href="{{ x }}"/>', "", "the name of the picture is empty"),
    "unknown icon": ('<image href="icon:haert"/>', "7", "there is no icon 'haert'"),
    "icon of a path": ('<image href="icon:{{ x }}"/>', "../dot", "there is no icon '../dot'"),
    "icon without a name": ('<image href="icon:"/>', "7", "the name of the icon is empty"),
    "icon in another element": ('<use href="icon:heart"/>', "7", "<use> points outside the file"),
    "icon of a link": ('<image href="icon:heart" fill="{{ x }}"/>', "url(http://a)", "unknown colour"),
    "many icons": ('<image href="icon:heart" pnp:for="n in x"/>', "201", "repeats 201 times"),
    "clone of a file": ('<use href="{{ x }}"/>', "a.svg#b", "<use> points outside the file"),
    "clone not there": ('<use href="#{{ x }}"/>', "b", "which does not exist"),
    "clone of itself": ('<g id="{{ x }}"><use href="#a"/></g>', "a", "contains itself"),
    "link in a style": ('<g style="fill:{{ x }}"/>', "url(http://a)", "a style points outside"),
    "style smuggled": ('<g style="fill:{{ x }}"/>', "red;mask:url(a)", "a style points outside"),
    "style with a backslash": ('<g style="fill:{{ x }}"/>', "\\75rl(a)", "contains a backslash"),
    "link as colour": ('<g fill="{{ x }}"/>', "url(http://a)", "unknown colour"),
    "unknown colour": ('<g fill="{{ x }}"/>', "rad", "unknown colour 'rad'"),
    "style sheet": ("<style>g { fill: {{ x }} }</style>", "7", "a placeholder in a <style>"),
    "import": ("<style>@import 'a';</style>", "7", "@import is not printed"),
    "no length": ('<rect width="{{ x }}" height="1"/>', "wide", "'wide' is not a length"),
    "negative": ('<rect width="{{ x }}" height="1"/>', "-5", "width is '-5'"),
    "far away": ('<rect x="{{ x }}" width="9" height="1"/>', "1e9", "x is '1e9'"),
    "no transform": ('<g transform="{{ x }}"/>', "scale(nan)", "is not a transform"),
    "transform smuggled": ('<g pnp:transform="x"/>', "scale(1);fill:url(a)", "is not a transform"),
    "long transform": ('<g transform="{{ x }}"/>', "scale(1) " * 999 + "!", "is not a transform"),
    "digits without end": ('<rect width="{{ x }}"/>', "1" * 9_999 + "!", "is not a length"),
    "transform without end": ('<g transform="{{ x }}"/>', "scale(" + "1" * 9_990, "is not a transform"),
    "scaled to nothing": (
        f'<g transform="scale(0)">{BOX.format(9, 9)}{text("{{ x }}", SET)}</g>',
        "7",
        "scaled to nothing",
    ),
    "huge letters": (BOX.format(9, 9) + text("{{ x }}", SET + ' font-size="1e30"'), "7", "mm on"),
    "no letters": (BOX.format(9, 9) + text("{{ x }}", SET + ' font-size="1e-9"'), "7", "mm on"),
    "box of a path": ('<path id="box" d="M0 0"/>' + text("{{ x }}", SET), "7", "there is no <rect> 'box'"),
    "box moved apart": (
        f'<g transform="scale(2)">{BOX.format(9, 9)}</g><g transform="rotate(9)">{text("{{ x }}", SET)}</g>',
        "7",
        "are in groups with different transforms",
    ),
    "font not there": (text("{{ x }}", 'font-family="Wingdings"'), "7", "no font family"),
    "font from a cell": (text("a", 'font-family="{{ x }}"'), "Wingdings", "no font family"),
    "no sign for it": (text("{{ x }}"), "\u6f22", "has no glyph for"),
    "directive misspelt": ('<g pnp:iff="x"/>', "7", "there is no pnp:iff"),
    "for without in": ('<g pnp:for="x"/>', "7", "pnp:for is 'x'"),
    "loop named loop": ('<g pnp:for="loop in x"/>', "7", "pnp:for is 'loop in x'"),
    "loop over truth": ('<g pnp:for="a in x > 3"/>', "7", "cannot be repeated over"),
    "box not there": (text("{{ x }}", 'pnp:box="boxx"'), "7", "there is no <rect> 'boxx'"),
    "box of no size": ('<rect id="b"/>' + text("x", 'pnp:box="b"'), "7", "no width or no height"),
    "least of no unit": (text("x", 'pnp:box="b" pnp:least="7"'), "7", "has no unit"),
    "bad step": ('<g pnp:step="wide"/>', "7", "pnp:step is 'wide'"),
    "step with two points": ('<g pnp:step="1 4.4.7"/>', "7", "pnp:step is '1 4.4.7'"),
    "step of a point": ('<g pnp:step=". 1"/>', "7", "pnp:step is '. 1'"),
    "icon not there": (BOX.format(30, 30) + text("{{ x }}", 'pnp:box="box"'), ":cion:", "there is no icon 'cion'"),
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
    cards = write(folder, body, cell) / "cards.csv"
    head, attack = cards.read_text("utf-8").split("\n", 1)
    # what was proven of rows before says nothing of this one
    cards.write_text(f"{head}\ny,7,harmless words\nz,red,harmless words\n{attack}", "utf-8")
    result = pnp("check", folder)
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
