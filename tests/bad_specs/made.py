"""Broken games that no text file can hold: too large, of another encoding, links, bombs."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import openpyxl
from openpyxl.worksheet.worksheet import Worksheet

Break = Callable[[Path], None]
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'


def write(file: str, content: bytes | str) -> Break:
    def break_(folder: Path) -> None:
        data = content.encode() if isinstance(content, str) else content
        (folder / file).write_bytes(data)

    return break_


def replace(file: str, old: str, new: str, encoding: str = "utf-8") -> Break:
    def break_(folder: Path) -> None:
        text = (folder / file).read_text("utf-8")
        assert old in text
        (folder / file).write_bytes(text.replace(old, new).encode(encoding))

    return break_


def append(file: str, text: str) -> Break:
    def break_(folder: Path) -> None:
        with (folder / file).open("a", encoding="utf-8") as stream:
            stream.write(text)

    return break_


def huge(file: str) -> Break:
    """100 MB, none of them on the disk."""

    def break_(folder: Path) -> None:
        with (folder / file).open("ab") as stream:
            stream.truncate(100 * 1024 * 1024)

    return break_


def link_out(file: str) -> Break:
    """The file stands outside the folder, and a link to it inside."""

    def break_(folder: Path) -> None:
        outside = folder.parent / "outside" / file
        outside.parent.mkdir(parents=True, exist_ok=True)
        path = folder / file
        path.parent.mkdir(exist_ok=True)
        if path.exists():
            path.rename(outside)
        else:
            outside.write_bytes(b"")
        path.symlink_to(outside)

    return break_


def as_folder(file: str) -> Break:
    def break_(folder: Path) -> None:
        (folder / file).unlink()
        (folder / file).mkdir()

    return break_


def remove(file: str) -> Break:
    return lambda folder: (folder / file).unlink()


def both(*breaks: Break) -> Break:
    def break_(folder: Path) -> None:
        for each in breaks:
            each(folder)

    return break_


def png(width: int, height: int) -> bytes:
    """A PNG that says it is so large; its pixels would be black."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + content))
        return struct.pack(">I", len(content)) + kind + content + check

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    lines = zlib.compress(b"\0" * 1000)
    signature = b"\x89PNG\r\n\x1a\n"
    return signature + chunk(b"IHDR", head) + chunk(b"IDAT", lines) + chunk(b"IEND", b"")


def art_png(content: bytes) -> Break:
    return both(write("dot.png", content), replace("game.toml", "dot.svg", "dot.png"))


def ten(name: str, whole: str, part: str) -> str:
    """Six of them, each of ten of the one before: `name` and its number in `whole`."""
    return "".join(
        whole.format(name=f"{name}{i + 1}", parts=part.format(name=f"{name}{i}") * 10) + "\n"
        for i in range(6)
    )


_BOMB = ten("e", '<!ENTITY {name} "{parts}">', "&{name};")
_ENTITIES = f'<!DOCTYPE svg [<!ENTITY e0 "boom">\n{_BOMB}]>\n{SVG}<text>&e6;</text></svg>\n'
_EXTERNAL = '<!DOCTYPE svg [<!ENTITY own SYSTEM "file:///etc/hostname">]>\n'
_PATTERNS = ten("p", "<pattern id='{name}'>{parts}</pattern>", "<rect fill='url(#{name})'/>")


def xlsx(edit: Callable[[dict[str, bytes]], object], sheet: str = "") -> Break:
    """A workbook as the table: its parts by name, with one edit."""

    def break_(folder: Path) -> None:
        book = openpyxl.Workbook()
        book.properties.created = book.properties.modified = datetime(2024, 1, 1)
        assert isinstance(book.active, Worksheet)
        book.active.title = "Cards"
        for row in (["id", "dot"], [1, 1], [2, 0], [3, 1]):
            book.active.append(row)
        written = io.BytesIO()
        book.save(written)
        with zipfile.ZipFile(written) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        edit(parts)
        with zipfile.ZipFile(folder / "cards.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in parts.items():
                archive.writestr(name, content)
        replace("game.toml", "cards.csv", f"cards.xlsx{sheet}")(folder)

    return break_


SHEET = "xl/worksheets/sheet1.xml"


def in_sheet(*edits: tuple[bytes, bytes]) -> Callable[[dict[str, bytes]], object]:
    def edit(parts: dict[str, bytes]) -> None:
        for old, new in edits:
            assert old in parts[SHEET], parts[SHEET]
            parts[SHEET] = parts[SHEET].replace(old, new)

    return edit


_BILLION = b"<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaaaaaaaa'>]><worksheet"
_DOT_2, _DOT_3, _DOT_4 = (b'<c r="B%d" t="n"><v>%d</v></c>' % at for at in ((2, 1), (3, 0), (4, 1)))

MADE: Mapping[str, Break] = {
    "csv-huge-cell": replace("cards.csv", "1,1", "1," + "9" * 1_000_000),
    "csv-nul": replace("cards.csv", "2,0", "2,\0"),
    "csv-thousand-faults": append("cards.csv", "x\n" * 100_000),
    "csv-utf-16": replace("cards.csv", "1,1", "1,1", "utf-16"),
    "csv-wrong-encoding": replace("cards.csv", "2,0", "Señor 2,0", "latin-1"),
    "file-is-folder": both(as_folder("cards.csv"), as_folder("dot.svg")),
    "fonts-link-out": link_out("fonts/own.ttf"),
    "link-out": both(link_out("cards.csv"), link_out("dot.svg")),
    "link-out-spec": link_out("game.toml"),
    "png-bomb": art_png(png(60_000, 60_000)),
    "png-cut-off": art_png(png(500, 500)),
    "spec-is-folder": as_folder("game.toml"),
    "spec-missing": remove("game.toml"),
    "svg-100-mb": huge("dot.svg"),
    "svg-compressed": write("dot.svg", b"\x1f\x8b\x08\0"),
    "svg-empty": write("dot.svg", b""),
    "svg-entity-bomb": write("dot.svg", _ENTITIES),
    "svg-external-entity": write("dot.svg", f"{_EXTERNAL}{SVG}<text>&own;</text></svg>"),
    "svg-million-elements": write("dot.svg", SVG + "<g/>" * 1_000_000 + "</svg>"),
    "svg-million-faults": write("dot.svg", SVG + "<g onload=''/>\n" * 40_000 + "</svg>"),
    "svg-nested-deeply": write("dot.svg", SVG + "<g>" * 200 + "</g>" * 200 + "</svg>"),
    "svg-pattern-bomb": write(
        "dot.svg", f"{SVG}<pattern id='p0'/>\n{_PATTERNS}<rect fill='url(#p6)'/></svg>"
    ),
    "toml-control-character": replace("game.toml", "Tiny", "Ti\x07ny"),
    "toml-deep": append("game.toml", "\n[[component.rule]]\nof = " + "[" * 1500),
    "toml-huge": huge("game.toml"),
    "toml-long-key": append("game.toml", "\n" + "a." * 100_000 + "a = 1\n"),
    "xlsx-bomb": xlsx(lambda parts: parts.update({"xl/more.xml": b" " * 40_000_000})),
    "xlsx-cells": xlsx(
        in_sheet(
            (_DOT_2, b'<c r="B2"><f>1+1</f></c>'),
            (_DOT_3, b'<c r="B3" t="e"><f>A0</f><v>#REF!</v></c>'),
            (_DOT_4, b'<c r="B4"><f>5+2</f><v>7</v></c><c r="D4"><v>1</v></c>'),
        )
    ),
    "xlsx-entities": xlsx(in_sheet((b"<worksheet", _BILLION))),
    "xlsx-no-zip": both(
        write("cards.xlsx", "id,dot\n"), replace("game.toml", "cards.csv", "cards.xlsx")
    ),
    "xlsx-no-xml": xlsx(in_sheet((b"</sheetData>", b""))),
    "xlsx-no-workbook": xlsx(lambda parts: parts.pop("xl/workbook.xml")),
    "xlsx-sheet-unknown": xlsx(len, "#Card"),
    "toml-wrong-encoding": replace("game.toml", "Designer", "Señor", "latin-1"),
}
