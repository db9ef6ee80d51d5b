"""Broken templates: drawings with placeholders, their expressions, and the rows that fill them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random

from lxml import etree

from tests.fuzz import expressions, havoc, material, xml
from tests.fuzz.cases import Case, with_command
from tests.fuzz.words import words

_PNP = "urn:pnp"
_DIRECTIVES = words("directives")
_CELLS = words("filled")
_MARKS = words("marks")
_FRAME = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:pnp="urn:pnp" viewBox="0 0 40 60" '
    'font-family="Alegreya Sans" font-size="4"><g id="a"/>'
    '<rect id="box" x="2" y="2" width="30" height="40" fill="none"/>BODY<g pnp:if="x and t"/></svg>'
)
_BODIES = words("bodies")
_FILES = (
    *["front.svg"] * 8, "{{ 'front' }}.svg", "{{ x }}.svg", "{{ x if x == 7 else 'front' }}.svg",
    "{{ t }}", "{{ number }}.svg", "{{ x.svg",
)  # fmt: skip


def make(rng: Random) -> Case:
    return _of_expressions(rng) if rng.random() < 0.6 else _of_a_game(rng)


def _of_expressions(rng: Random) -> Case:
    """The tiny card with one to three expressions in a template."""
    is_sound = rng.random() < 0.6
    bodies = rng.choices(_BODIES, k=rng.choice((1, 1, 2, 3)))
    filled = (expressions.filled(rng, body, is_sound=is_sound) for body in bodies)
    text = _FRAME.replace("BODY", "".join(filled))
    if rng.random() < 0.1:
        text = havoc.break_text(rng, text, ("{{", "}}", "{%", "%}", "{#", "pnp:if", "pnp:", '"'))
    rows = [["id", "x", "t"], *(_row(rng, n, is_sound=is_sound) for n in range(rng.choice((1, 1, 3))))]
    spec = material.spec_of(material.TINY)
    component = spec["component"][0]
    component.pop("rule")
    component["front"] = {"template": rng.choice(_FILES), "edge": "ink"}
    component["bleed"] = "3mm"
    drawing = havoc.encoded(rng, text)
    files = {**material.TINY, "front.svg": drawing, "7.svg": drawing, "cards.csv": _csv(rows)}
    return with_command(rng, material.with_spec(files, spec))


def _row(rng: Random, number: int, *, is_sound: bool) -> list[str]:
    x = str(rng.randrange(-2, 12)) if is_sound and rng.random() < 0.9 else _cell(rng)
    return [str(number), x, _cell(rng)]


def _cell(rng: Random) -> str:
    chance = rng.random()
    if chance < 0.5:
        return rng.choice(_CELLS)
    if chance < 0.75:
        return "".join(rng.choice(_MARKS) for _ in range(rng.choice((1, 3, 9, 40))))
    return havoc.odd_text(rng)


def _csv(rows: Sequence[Sequence[str]]) -> bytes:
    lines = (",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows)
    return "\n".join(lines).encode("utf-8", "surrogatepass")


@cache
def _templates() -> Sequence[tuple[material.Files, str]]:
    """Small games, and a template of theirs."""
    return [
        (game, face["template"])
        for game in material.small_games()
        for component in material.spec_of(game)["component"]
        for face in (component.get("front", {}), component.get("back", {}))
        if face.get("template") in game
    ]


def _of_a_game(rng: Random) -> Case:
    """A game with one of its templates broken, and perhaps a table."""
    game, name = rng.choice(_templates())
    tables = [file for file in game if file.endswith(".csv")]
    columns = [column for table in tables for column in _header(game[table])]
    root = etree.fromstring(game[name])
    for _ in range(rng.choice((1, 1, 2, 3, 5))):
        rng.choice(_EDITS)(rng, root, columns)
    if rng.random() < 0.4:
        xml.break_tree(rng, root)
    files = {**game, name: xml.as_bytes(rng, root)}
    if rng.random() < 0.3:
        table = rng.choice(tables)
        text = havoc.break_text(rng, game[table].decode(), _MARKS)
        files[table] = havoc.encoded(rng, text)
    return with_command(rng, files)


def _header(table: bytes) -> list[str]:
    first = table.decode().partition("\n")[0].strip()
    return [name for name in first.split(",") if name.isidentifier()]


def _expression(rng: Random, columns: Sequence[str]) -> str:
    if rng.random() < 0.3:
        return expressions.wild(rng)
    made = expressions.sound(rng, rng.choice(("number", "text", "truth", "colour")))
    return expressions.about(rng, made, columns)


def _direct(rng: Random, root: xml.Element, columns: Sequence[str]) -> None:
    """A directive on any element."""
    element, name = rng.choice(list(root.iter(etree.Element))), rng.choice(_DIRECTIVES)
    value = xml.an_attribute(rng, name) if rng.random() < 0.2 else _expression(rng, columns)
    if name == "for":
        value = f"n in {value}"
    elif name == "box":
        ids = [str(element.get("id")) for element in root.iter(etree.Element) if element.get("id")]
        value = rng.choice([*ids, "box", ""])
    xml.set_safely(element, f"{{{element.nsmap.get('pnp', _PNP)}}}{name}", value)


def _place(rng: Random, root: xml.Element, columns: Sequence[str]) -> None:
    """A placeholder in a text or an attribute."""
    element = rng.choice(list(root.iter(etree.Element)))
    placeholder = f"{{{{ {_expression(rng, columns)} }}}}"
    if element.attrib and rng.random() < 0.6:
        name = str(rng.choice(list(element.attrib)))
        value = str(element.get(name))
        at = rng.randrange(len(value) + 1)
        xml.set_safely(element, name, f"{value[:at]}{placeholder}{value[at:]}")
    else:
        element.text = xml.plain(placeholder)


def _break_own(rng: Random, root: xml.Element, _: Sequence[str]) -> None:
    """Breaks an expression that is there."""
    places = [
        (element, str(name))
        for element in root.iter(etree.Element)
        for name, value in element.attrib.items()
        if "{{" in str(value) or "pnp" in str(name)
    ]
    if places:
        element, name = rng.choice(places)
        xml.set_safely(element, name, havoc.break_text(rng, str(element.get(name)), words("names")))


_EDITS: tuple[Callable[[Random, xml.Element, Sequence[str]], None], ...] = (_direct, _direct, _place, _break_own)
