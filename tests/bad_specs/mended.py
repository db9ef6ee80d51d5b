"""What a designer does who follows the hints about the broken games that no edit of text mends."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.bad_specs import made
from tests.bad_specs.made import (
    Break,
    append,
    art,
    both,
    filtered,
    font,
    picture,
    remove,
    rename,
    replace,
    template,
    write,
    xlsx,
)
from tests.support import fontmaking, opendocument

_TINY = Path(__file__).parent / "_tiny"
_SVG = made.SVG
_ROWS = ([1, 1], [2, 0], [3, 1])


def away(*files: str) -> Break:
    """Whatever is there is gone."""

    def mend(folder: Path) -> None:
        for file in files:
            path = folder / file
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    return mend


def sound(*files: str) -> Break:
    """The files as they should be, in place of whatever is there."""

    def mend(folder: Path) -> None:
        for file in files:
            away(file)(folder)
            shutil.copyfile(_TINY / file, folder / file)

    return mend


def bars(file: str, family: str) -> Break:
    """A font of a family."""

    def mend(folder: Path) -> None:
        away(file)(folder)
        fontmaking.bars(folder / file, family)

    return mend


def saved_as_utf_8(file: str, encoding: str) -> Break:
    def mend(folder: Path) -> None:
        (folder / file).write_text((folder / file).read_bytes().decode(encoding), "utf-8")

    return mend


def spreadsheet(edit: Callable[[dict[str, bytes]], object] = len) -> Break:
    """The table is a sound workbook."""
    return both(sound("game.toml"), xlsx(edit))


def ods(*rows: list[int]) -> bytes:
    cells = opendocument.row(["id", "dot"]) + "".join(map(opendocument.row, rows))
    return opendocument.ods(opendocument.sheet(cells))


_RECTANGLE = "<rect {} width='9' height='9' fill='#a63a24'/>"
_ATTRIBUTES = _RECTANGLE.format(" ".join(f"a{i}='1'" for i in range(497)))
_PALETTE = "[palette]\n" + "\n".join(f"c{i} = '#{i:06x}'" for i in range(40))
_COLUMNS = "".join(f",#{i}" for i in range(498))

MENDED: Mapping[str, Break] = {
    "bad-font-file": both(font("fonts/own.ttf"), replace("game.toml", '"Own"', '"Abril Fatface"')),
    "bmp-bomb": write("dot.bmp", picture("BMP", "RGB")),
    "csv-bad-column": write("cards.csv", "id,dot\n1,1\n2,0\n3,1\n"),
    "csv-columns": write("cards.csv", f"id,dot{_COLUMNS}\n" + "".join(f"{row},1{',' * 498}\n" for row in (1, 2, 3))),
    "csv-huge-cell": sound("cards.csv"),
    "csv-nul": replace("cards.csv", "\0", "0"),
    "csv-thousand-faults": sound("cards.csv"),
    "csv-utf-16": write("cards.csv", "id,dot\n1,1\n2,0\n3,1\n".encode("utf-16")),
    "csv-utf-16-no-mark": both(saved_as_utf_8("cards.csv", "utf-16-le"), append("cards.csv", "2,0\n3,1\n")),
    "csv-workbook": sound("cards.csv"),
    "csv-wrong-encoding": saved_as_utf_8("cards.csv", "latin-1"),
    "file-is-folder": sound("cards.csv", "dot.svg"),
    "fonts-giant": both(remove("fonts/a.otf"), font("fonts/own.ttf")),
    "fonts-is-file": away("fonts"),
    "fonts-is-its-own-link": away("fonts"),
    "fonts-link-out": both(away("fonts/own.ttf"), font("fonts/own.ttf")),
    "fonts-renamed": both(
        bars("fonts/GizmoSans.otf", "Gizmo Sans"),
        bars("fonts/GizmoSerif-Bold.woff2", "Gizmo Serif"),
        bars("fonts/GizmoMono.ttf", "Gizmo Mono"),
        replace("dot.svg", ">a<", ">A<"),
        replace("dot.svg", ">b<", ">A<"),
        replace("dot.svg", ">c<", ">A<"),
    ),
    "fonts-strays": both(
        away("fonts/\x1b[2Jremark", "fonts/pipe.ttf", "fonts/more"),
        rename("fonts/folder.ttf", "fonts/folder"),
        *(bars(f"fonts/{file}", "Own") for file in ("circle.ttf", "circle-2.ttf", "dead.TTF")),
        bars("fonts/out.otf", "Own"),
    ),
    "fonts-unsound": both(
        *(bars(f"fonts/{file}.ttf", "Own") for file in ("collection", "em", "family", "letters")),
        away("fonts/old.eot", "fonts/web.woff2", "fonts/widths.TTF"),
        bars("fonts/old.ttf", "Own"),
        replace("game.toml", "Alegreya Serif", "Alegreya Sans"),
    ),
    "heic": both(write("dot.png", picture("PNG", "RGB")), replace("game.toml", "dot.heic", "dot.png")),
    "icons-strays": both(
        away("icons/pipe.svg", "icons/dead.svg"),
        write("icons/dead.svg", f"{_SVG}</svg>"),
        write("icons/a.svg", f"{_SVG}</svg>"),
    ),
    "icons-unsound": write("icons/script.SVG", f"{_SVG}</svg>"),
    "jpeg-scans": write("dot.jpg", made.jpeg(1)),
    "json-key-twice": write("cards.json", '[{"id":1,"dot":1},{"id":2,"dot":0},{"id":3,"dot":1}]'),
    "json-own-keys": write("cards.json", '[{"id":1,"dot":1},{"id":2,"dot":0},{"id":3,"dot":1}]'),
    "jpg-heic": write("dot.jpg", picture("JPEG", "RGB")),
    "link-out": sound("cards.csv", "dot.svg"),
    "link-out-spec": sound("game.toml"),
    "ods-no-zip": write("cards.ods", ods(*_ROWS)),
    "ods-of-xlsx": both(rename("cards.ods", "cards.xlsx"), replace("game.toml", "cards.ods", "cards.xlsx")),
    "ods-sheet-unknown": both(
        replace("game.toml", "#Card", "#Cards"), replace("game.toml", "equals = 3", "equals = 1")
    ),
    "palette-of-thousands": both(sound("game.toml"), replace("game.toml", "[palette]", _PALETTE)),
    "png-bomb": write("dot.png", picture("PNG", "RGB")),
    "png-cut-off": write("dot.png", picture("PNG", "RGB")),
    "png-no-png": write("dot.png", picture("PNG", "RGB")),
    "png-photoshop": write("dot.png", picture("PNG", "RGB")),
    "png-profile": write("dot.png", picture("PNG", "RGB")),
    "spec-is-folder": sound("game.toml"),
    "spec-missing": sound("game.toml"),
    "svg-100-mb": sound("dot.svg"),
    "svg-attributes": art(_ATTRIBUTES),
    "svg-comment-open": sound("dot.svg"),
    "svg-compressed": sound("dot.svg"),
    "svg-empty": sound("dot.svg"),
    "svg-entity-bomb": sound("dot.svg"),
    "svg-external-entity": sound("dot.svg"),
    "svg-filter-blurs": filtered("<feGaussianBlur stdDeviation='9'/>" * 2),
    "svg-filter-many": filtered("<feGaussianBlur/>"),
    "svg-filter-morphology": filtered("<feGaussianBlur/>"),
    "svg-filter-octaves": filtered("<feTurbulence numOctaves='1'/>"),
    "svg-long-style": art("<g style='font:bold'/>"),
    "svg-many-rules": art(f"<style>{'a{fill:red}' * 2_000}</style>"),
    "svg-many-spans": art("<text font-family='Alegreya Sans'>aaaaaaaa</text>"),
    "svg-million-elements": art("<g/>" * 1_000),
    "svg-million-faults": art("<g/>"),
    "svg-nested-deeply": art("<g>" * 50 + "</g>" * 50),
    "svg-pattern-bomb": art("<pattern id='p0'/><rect width='9' height='9' fill='url(#p0)'/>"),
    "svg-pdf": sound("dot.svg"),
    "template-attributes": template(_ATTRIBUTES),
    "template-box-endless": template(
        "<rect id='seat' width='9' height='9' fill='#ffffff'/><text pnp:box='seat' "
        "xmlns:pnp='urn:pnp' font-family='Alegreya Sans' font-size='2'>end</text>"
    ),
    "tiff-32-bits": write("dot.tiff", picture("TIFF", "RGB")),
    "toml-control-character": replace("game.toml", "\x07", ""),
    "toml-deep": both(
        sound("game.toml"),
        append("game.toml", "\n[[component.rule]]\nkind = 'one_of'\nof = ['dot']\nnumbers = [0, 1]\n"),
    ),
    "toml-dotted-key": both(sound("game.toml"), append("game.toml", f"\n{'a.' * 19}a = 1\n")),
    "toml-escapes": both(sound("game.toml"), replace("game.toml", "[palette]", "[palette]\nbell = '#1f3f8c'")),
    "toml-huge": sound("game.toml"),
    "toml-long-key": both(sound("game.toml"), append("game.toml", f"\n{'a.' * 1_900}a = 1\n")),
    "toml-wrong-encoding": saved_as_utf_8("game.toml", "latin-1"),
    "webp-cut-off": write("dot.webp", picture("WEBP", "RGB")),
    "xlsx-bomb": spreadsheet(),
    "xlsx-cells": spreadsheet(),
    "xlsx-entities": spreadsheet(),
    "xlsx-heading-merged": spreadsheet(),
    "xlsx-no-workbook": spreadsheet(),
    "xlsx-no-xml": spreadsheet(),
    "xlsx-no-zip": spreadsheet(),
    "xlsx-old": spreadsheet(),
    "xlsx-row-far": spreadsheet(),
    "xlsx-sheet-unknown": replace("game.toml", "#Card", "#Cards"),
    "xlsx-title-merged": spreadsheet(),
}
