"""[symbols] and [keywords] of a game reach the texts of its faces and its rules."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path

import pytest

from generator import game, pipeline
from tests.conftest import Pnp
from tests.game.tiny import BOX, DOT, SVG, drawn, svg, text, words, write

BODY = BOX.format(36, 50) + text("{{ x }}", 'pnp:box="box"')
NOTATION = """
[symbols]
"{T}" = "turn"
"🔓" = "art/lock.svg"
"[click]" = "dot"
"->" = "→"
"(!)" = "[**now**]{red}"

[keywords.titles]
table = "titles.csv"

[keywords.status]
words = ["Guard", "Red. Hot"]
look = "[:shield: *{}*]{red}"
"""


@pytest.fixture
def noted(folder: Path) -> Path:
    spec = (folder / "game.toml").read_text("utf-8")
    (folder / "game.toml").write_text(spec + NOTATION, "utf-8")
    (folder / "art").mkdir()
    (folder / "art/lock.svg").write_text(DOT.replace("circle", "ellipse"), "utf-8")
    (folder / "titles.csv").write_text("id,Title,title.de\na,The Seer,Die Seherin\n", "utf-8")
    return folder


@pytest.mark.parametrize(
    ("cell", "said", "marks"),
    [
        ("{T}: [click] -> 🔓", ": →", ["<path", "<circle", "<ellipse"]),
        ("a (!) b", "a now b", []),
        ("The Seer, the Seer", "The Seer , the Seer", []),
        ("Guard Red. Hot Reds. Hot", "Guard Red. Hot Reds. Hot", ["<path", "<path"]),
    ],
)
def test_signs_of_cells_become_icons_and_words(noted: Path, cell: str, said: str, marks: list[str]) -> None:
    face = drawn(write(noted, BODY, cell))["a"]
    assert "".join(words(face).split()) == said.replace(" ", "")
    uris = [image.get("href", "").partition(",")[2] for image in svg(face).iter(f"{SVG}image")]
    icons = [b64decode(uri).decode() for uri in uris]
    assert len(icons) == len(marks)
    assert all(mark in icon for mark, icon in zip(marks, icons, strict=True))


@pytest.mark.parametrize(
    ("language", "cell", "bold"),
    [
        ("", "The Seer and Die Seherin", ["The", "Seer"]),
        ("de", "The Seer and Die Seherin", ["The", "Seer", "Die", "Seherin"]),
    ],
)
def test_words_of_a_column_are_bold(noted: Path, language: str, cell: str, bold: list[str]) -> None:
    (noted / "game.toml").write_text(
        (noted / "game.toml").read_text("utf-8") + '[language.de]\ntitle = "Klein"\n', "utf-8"
    )
    face = drawn(write(noted, BODY, cell), language=language)["a"]
    heavy = [piece.text for line in face.layers[-1].layer.lines for piece in line if piece.weight == 700]
    assert " ".join(heavy).split() == bold


def test_the_rules_write_them_too(noted: Path) -> None:
    write(noted, BODY)
    spec = (noted / "game.toml").read_text("utf-8")
    (noted / "game.toml").write_text(spec + '[booklet]\nfile = "rules.md"\n', "utf-8")
    (noted / "rules.md").write_text("# Tiny\n\n{T}: ask The\nSeer, Guard; 🔓 (!).\n", "utf-8")
    booklet = game.read(noted, "", pipeline.KINDS).game.booklet
    assert booklet is not None
    assert booklet.text == ("# Tiny\n\n:turn:: ask **The Seer**, Guard; :art-art-lock-svg: (!).\n")
    assert "art-art-lock-svg" in booklet.icons


def test_signs_that_are_read_are_no_unread_marks(noted: Path, pnp: Pnp) -> None:
    output = pnp("check", write(noted, BODY, "{T} {U}")).output
    assert "printed as they are: '{U}'" in output


def test_too_many_keywords_are_refused(noted: Path, pnp: Pnp) -> None:
    rows = "".join(f"{at},Word {at},\n" for at in range(1000))
    (noted / "titles.csv").write_text(f"id,title\n{rows}", "utf-8")
    output = pnp("check", write(noted, BODY)).output
    assert "there are 1,007 symbols and keywords" in output
