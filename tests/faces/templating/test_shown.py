"""What a template shows of other files: rows of tables, parts of pictures, drawings, faces."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import game, pipeline
from generator.faces.template import FromTemplate
from generator.game.pieces import MAX_ROWS
from tests.conftest import Pnp
from tests.game.tiny import BOX, GAME, HEAD, SVG, drawn, problems, sole, svg, text, words, write

HEXES = "Col,Terrain,Name (EN),enabled\n1,forest,Oak,\n2,sea,Bay,\n3,hill,Tor,no\n4,forest,Elm,\n"
NUMBERED = "id,x,t,1,2,Name (EN)\na,7,some words,one,two,Oak\n"
QUARTERS = "".join(
    f'<rect x="{x}" y="{y}" width="{w}" height="20" fill="{colour}"/>'
    for x, w, y, colour in (
        (0, 40, 0, "#ff0000"), (40, 40, 0, "#00ff00"), (0, 40, 20, "#0000ff"),
        (40, 40, 20, "#ffff00"),
    )
)  # fmt: skip
FRAME = '<rect id="ground" width="40" height="60" fill="{{ x }}"/>'
SHOWN = f"{HEAD}<style>rect {{ stroke: #123456 }}</style>{FRAME}{text('{{ t }}')}</svg>"


def put(folder: Path, **files: str) -> Path:
    for name, content in files.items():
        kind = ".csv" if "," in content.partition("\n")[0] and "<" not in content else ".svg"
        (folder / f"{name}{kind}").write_text(content, "utf-8")
    return folder


def test_each_row_of_a_table(folder: Path) -> None:
    loop = """<g pnp:for="hex in table('hexes.csv')" pnp:if="hex.terrain != 'sea'">"""
    shown = text("{{ hex.col * 2 }} {{ hex['Name (EN)'] }} {{ hex.name_en }} {{ t }}")
    face = drawn(put(write(folder, f"{loop}{shown}</g>"), hexes=HEXES))["a"]
    assert words(face) == "2 Oak Oak some words 8 Elm Elm some words"


def test_a_table_in_a_table_and_in_a_shared_drawing(folder: Path) -> None:
    loop = """<g pnp:for="hex in table('hexes.csv')"><use href="hex.svg" x="{}"/></g>"""
    inner = """<g pnp:for="other in table('hexes.csv')" pnp:if="other.col > hex.col">"""
    file = f"{HEAD}{inner}{text('{{ hex.col }}{{ other.col }}')}</g></svg>"
    folder = put(write(folder, loop.format(3)), hexes=HEXES, hex=file)
    assert words(drawn(folder)["a"]) == "12 14 24"


def test_a_table_in_a_language(folder: Path) -> None:
    hexes = "name,name.de\nOak,Eiche\nBay,\n"
    shown = text("{{ hex.name }}", """pnp:for="hex in table('hexes.csv')\"""")
    folder = put(write(folder, shown), hexes=hexes)
    with pytest.raises(Exception, match="nothing in the language"):
        drawn(folder, language="de")
    cards = (folder / "cards.csv").read_text("utf-8")
    (folder / "cards.csv").write_text(cards.replace("t\n", "t,t.de\n").replace("ds\n", "ds,Wo\n"))
    assert words(drawn(folder, language="de")["a"]) == "Eiche Bay"


def test_a_long_table_is_told(folder: Path) -> None:
    shown = text("{{ hex.col }}", """pnp:for="hex in table('hexes.csv')\"""")
    lines = "\n".join(map(str, range(MAX_ROWS)))
    folder = put(write(folder, shown), hexes=f"col,b\n{lines}".replace("\n", ",\n", 0))
    (folder / "hexes.csv").write_text(f"col\n{lines}\n", "utf-8")
    assert words(drawn(folder)["a"]).endswith(f" {MAX_ROWS - 1}")
    (folder / "hexes.csv").write_text(f"col\n{lines}\nx\n", "utf-8")
    (problem,) = problems(folder)
    assert problem.what == f"'hexes.csv' has {MAX_ROWS + 1:,} rows"
    assert problem.place.line == 2


def test_loops_over_tables_are_bounded_in_total(folder: Path) -> None:
    loops = "".join(f"""<g pnp:for="h{n} in table('hexes.csv')">""" for n in range(2))
    (folder / "hexes.csv").write_text("col\n" + "1\n" * 200, "utf-8")
    (problem,) = problems(write(folder, f"{loops}</g></g>"))
    assert "more than 10,000 elements" in problem.what


@pytest.mark.parametrize("file", ["../out.csv", "/etc/passwd.csv", "link.csv"])
def test_a_table_is_within_the_folder(folder: Path, file: str) -> None:
    (folder.parent / "out.csv").write_text("col\nsecret\n", "utf-8")
    (folder / "link.csv").symlink_to(folder.parent / "out.csv")
    shown = text("{{ hex.col }}", f"""pnp:for="hex in table('{file}')\"""")
    told = "\n".join(map(str, problems(write(folder, shown))))
    assert "secret" not in told
    assert "2" in str(problems(folder)[0].place)


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("row[2]", "two"),
        ("row['1']", "one"),
        ("row['Name (EN)']", "Oak"),
        ("row['name ' ~ 'en']", "Oak"),
        ("row.t", "some words"),
        ("row['x'] * 2", "14"),
    ],
)
def test_a_column_by_a_computed_name(folder: Path, expression: str, told: str) -> None:
    write(folder, text(f"{{{{ {expression} }}}}"))
    assert words(drawn(put(folder, cards=NUMBERED))["a"]) == told


def test_a_column_called_row_is_that_column(folder: Path) -> None:
    write(folder, text("{{ row }}"))
    cards = "id,x,t,row\na,7,some words,third\n"
    assert words(drawn(put(folder, cards=cards))["a"]) == "third"


@pytest.mark.parametrize(
    ("attributes", "cells", "window"),
    [
        ('pnp:zoom="1"', ",,", (30, 0, 50, 40)),
        ('pnp:focus="{{ x }} {{ t }}"', ",,", (30, 0, 50, 40)),
        ('pnp:focus="{{ x }} {{ t }}"', "0,,", (0, 0, 20, 40)),
        ('pnp:focus="0 100" pnp:zoom="2"', ",,", (0, 20, 10, 40)),
        ('pnp:focus="x" pnp:zoom="zoom"', "25% 25%,,4", (17.5, 5, 22.5, 15)),
    ],
)
def test_a_part_of_a_picture(folder: Path, attributes: str, cells: str, window: tuple[float, ...]) -> None:
    """The part of the picture, 80 x 40, that the box of 20 x 40 shows."""
    art = f'<svg xmlns="{SVG[1:-1]}" viewBox="0 0 80 40">{QUARTERS}</svg>'
    box = 'x="10" y="10" width="20" height="40"'
    body = f'<image id="i" opacity="0.5" {box} href="art.svg" {attributes}/>'
    face = drawn(put(write(folder, body), art=art, cards=f"id,x,t,zoom\na,{cells}\n"))["a"]
    image = sole(face, "image")
    left, top, width, height = (float(image.get(n, "")) for n in ("x", "y", "width", "height"))
    frame, group = image.getparent(), image.getparent().getparent()
    seen = [float(number) for number in frame.get("viewBox").split()]
    assert [frame.get(n) for n in ("x", "y", "width", "height")] == ["10", "10", "20", "40"]
    assert (group.get("id"), group.get("opacity")) == ("i", "0.5")
    scale = width / 80
    assert height / 40 == pytest.approx(scale)
    shown = [-left / scale, -top / scale, (seen[2] - left) / scale, (seen[3] - top) / scale]
    assert shown == pytest.approx(window, abs=0.01)


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ("120 20,,", "pnp:focus is '120 20'"),
        ("30,,", "pnp:focus is '30'"),
        ("a b,,", "pnp:focus is 'a b'"),
        (",,0.5", "pnp:zoom is '0.5'"),
        (",,21", "pnp:zoom is '21'"),
        (",,big", "pnp:zoom is 'big'"),
    ],
)
def test_no_part_of_a_picture(folder: Path, cells: str, told: str) -> None:
    body = '<image width="9" height="9" href="dot.svg" pnp:focus="x" pnp:zoom="zoom"/>'
    folder = put(write(folder, body), cards=f"id,x,t,zoom\na,{cells}\n")
    assert told in problems(folder)[0].what


def test_a_shared_drawing_is_filled_in_its_place(folder: Path) -> None:
    body = '<style>rect { fill: none }</style><image x="10" width="20" height="30" href="in.svg"/>'
    face = drawn(put(write(folder, f"{body}<use href='in.svg#ground' y='4'/>", "red"), **{"in": SHOWN}))
    rects = list(svg(face["a"]).iter(f"{SVG}rect"))
    assert [rect.get("fill") for rect in rects] == ["#c03020", "#c03020"]
    assert all("#123456" in rect.get("style", "") for rect in rects)
    places = [rect.getparent().get("transform") for rect in rects]
    assert places == ["translate(10 0) scale(0.5)", "translate(0 4) scale(1)"]
    assert words(face["a"]) == "some words"
    ids = [element.get("id") for element in svg(face["a"]).iter() if element.get("id")]
    assert len(ids) == len(set(ids)) == 2


def test_a_shared_text_keeps_its_box(folder: Path) -> None:
    boxed = text("{{ t }}", 'pnp:box="box"')
    inner = f"{HEAD}{BOX.format(20, 30)}{boxed}</svg>"
    own = BOX.format(3, 3) + '<image width="20" height="30" href="in.svg"/>'
    face = drawn(put(write(folder, own), **{"in": inner}))["a"]
    assert words(face) == "some words"
    assert problems_of_box(folder, inner.replace("{{ t }}", "{{ t ~ t ~ t ~ t ~ t ~ t ~ t }}" * 40))


def problems_of_box(folder: Path, inner: str) -> bool:
    put(folder, **{"in": inner})
    (problem,) = problems(folder)
    assert "in.svg:2" in problem.what
    return "too long" in problem.what


@pytest.mark.parametrize(
    ("files", "place", "told"),
    [
        ({"a": "<use href='b.svg'/>", "b": "<use href='a.svg'/>"}, "b.svg:2", "a.svg → b.svg → a.svg"),
        ({"a": "<use href='front.svg'/>"}, "a.svg:2", "front.svg → a.svg → front.svg"),
        ({"a": text("{{ cots }}")}, "a.svg:2", "the column 'cots' is missing"),
        ({"a": text("{{ cost + }}")}, "a.svg:2", "is not an expression"),
        ({"a": "\n\n<text font-family='Gone'>{{ x }}</text>"}, "a.svg:4", "no font family 'Gone'"),
        ({"a": text("{{ x }}", "pnp:box='gone'")}, "a.svg:2", "no <rect>"),
        ({"a": "<script/>{{ x }}"}, "a.svg:2", "<script> is not printed"),
        ({}, "front.svg:3", "the file 'a.svg' does not exist"),
    ],
)
def test_faults_of_shared_drawings_have_their_lines(folder: Path, files: dict[str, str], place: str, told: str) -> None:
    write(folder, "\n<use href='a.svg'/>")
    put(folder, **{name: f"{HEAD}{body}</svg>" for name, body in files.items()})
    found = problems(folder)
    assert any(place in str(each) and told in each.what for each in found), found


def test_many_shared_drawings_are_bounded(folder: Path) -> None:
    for name, inner in (("front", "a"), ("a", "b"), ("b", "c")):
        uses = f"<use href='{inner}.svg'/>" * 30
        (folder / f"{name}.svg").write_text(f"{HEAD}{uses}</svg>", "utf-8")
    put(folder, c=f"{HEAD}</svg>", cards="id,x,t\na,1,2\n")
    assert "shows more than 100 drawings" in problems(folder)[0].what


AID = (
    GAME
    + """
[[component]]
id = "aid"
title = "Aid"
size = "poker"
[[component.row]]
id = "aid"
[component.front]
template = "aid.svg"
edge = "red"
"""
)


def with_aid(folder: Path, href: str) -> Path:
    aid = f'{HEAD}<image x="5" y="8" width="20" height="30" href="{href}"/></svg>'
    aid = aid.replace("0 0 40 60", "0 0 63.5 88.9")
    (folder / "game.toml").write_text(AID, "utf-8")
    return put(folder, aid=aid)


def test_the_face_of_another_piece_is_a_picture(folder: Path) -> None:
    """It is cut out, as large as fits, and its words stay words."""
    body = f'<rect width="40" height="60" fill="#abc"/>{text("{{ t }}")}'
    face = drawn(with_aid(write(folder, body), "face:cards/a"), 1)["aid"]
    assert words(face) == "some words"
    (seat,) = [e for e in svg(face).iter(f"{SVG}svg") if e.get("width") == "20"]
    assert [seat.get(name) for name in ("x", "y", "height")] == ["5", "8", "30"]
    assert [float(n) for n in seat.get("viewBox").split()] == pytest.approx([0, 0, 40, 60])


@pytest.mark.parametrize(
    ("href", "told"),
    [
        ("face:card/a", "there is no face 'card/a'"),
        ("face:cards/b", "there is no face 'cards/b'"),
        ("face:cards/a#back", "there is no face 'cards/a#back'"),
        ("face:aid/aid", "are in each other: aid/aid → aid/aid"),
    ],
)
def test_no_face(folder: Path, href: str, told: str, pnp: Pnp) -> None:
    with_aid(write(folder, text("{{ t }}")), href)
    result = pnp("check", str(folder))
    assert result.exit_code == 1
    assert told in result.output


def test_faces_that_show_each_other_are_told_with_their_chain(folder: Path, pnp: Pnp) -> None:
    with_aid(write(folder, '<image width="9" height="9" href="face:aid/aid"/>'), "face:cards/a")
    result = pnp("check", str(folder))
    assert "aid/aid → cards/a → aid/aid" in result.output


def test_a_face_with_a_text_too_long_is_shown(folder: Path) -> None:
    body = BOX.format(4, 4) + text("{{ t }}", 'pnp:box="box"')
    loaded = game.read(with_aid(write(folder, body), "face:cards/a"), "", pipeline.KINDS)
    drawn_game = pipeline.game.draw_all(loaded, lambda _: None)
    assert not drawn_game.flaws.get(("aid", "aid", "front"))
    assert drawn_game.flaws["cards", "a", "front"]


def test_a_face_follows_the_tables_that_it_shows(folder: Path) -> None:
    """The preview keeps faces by what `reads` and `sources` say."""
    loop = """<g pnp:for="hex in table('hexes.csv')">"""
    write(folder, f"{loop}{text('{{ hex.col }}')}</g>")
    with_aid(put(folder, hexes=HEXES), "face:cards/a")

    def keys() -> list[tuple[str, ...]]:
        loaded = game.read(folder, "", pipeline.KINDS)
        fronts = ((design.front, design.component) for design in loaded.designs)
        return [
            tuple(front.sources(component.pieces[0])) for front, component in fronts if isinstance(front, FromTemplate)
        ]

    first = keys()
    assert first == keys()
    put(folder, hexes=HEXES.replace("Oak", "Ash"))
    cards, aid = keys()
    assert cards != first[0]
    put(folder, hexes=HEXES, cards="id,x,t\na,7,other words\n")
    assert keys()[1] != first[1]
    assert aid
