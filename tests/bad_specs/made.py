"""Broken games that no text file can hold: too large, of another encoding, links, bombs."""

from __future__ import annotations

import io
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import openpyxl
from openpyxl.worksheet.worksheet import Worksheet
from PIL import Image

from generator.text import HOUSE_FONTS
from tests.support import opendocument

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


def link(file: str, target: str) -> Break:
    def break_(folder: Path) -> None:
        path = folder / file
        path.parent.mkdir(exist_ok=True)
        path.symlink_to(target)

    return break_


def pipe(file: str) -> Break:
    def break_(folder: Path) -> None:
        (folder / file).parent.mkdir(exist_ok=True)
        os.mkfifo(folder / file)

    return break_


def new_folder(file: str) -> Break:
    return lambda folder: (folder / file).mkdir(parents=True)


_FONT = HOUSE_FONTS / "abril-fatface" / "AbrilFatface-Regular.ttf"


def font(file: str, edit: Callable[[bytes], bytes] = bytes) -> Break:
    """A font of the house as one of the game's own, with one edit."""

    def break_(folder: Path) -> None:
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_bytes(edit(_FONT.read_bytes()))

    return break_


def family(name: str) -> Callable[[bytes], bytes]:
    """Another name of the family, as long as its own."""
    own, other = ("Abril Fatface".encode("utf-16-be"), name.encode("utf-16-be"))
    assert len(own) == len(other)
    return lambda content: content.replace(own, other)


def in_table(tag: bytes, at: int, new: bytes) -> Callable[[bytes], bytes]:
    """Other bytes at a place of a table."""

    def edit(content: bytes) -> bytes:
        entry = content.index(tag, 12)
        start = int.from_bytes(content[entry + 8 : entry + 12], "big") + at
        return content[:start] + new + content[start + len(new) :]

    return edit


def remove(file: str) -> Break:
    return lambda folder: (folder / file).unlink()


def rename(file: str, name: str) -> Break:
    def break_(folder: Path) -> None:
        (folder / file).rename(folder / name)

    return break_


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


def with_chunk(kind: bytes, content: bytes) -> bytes:
    """A sound PNG with one chunk more, behind its pixels."""
    sound = png(10, 10)
    check = struct.pack(">I", zlib.crc32(kind + content))
    chunk = struct.pack(">I", len(content)) + kind + content + check
    return sound[:-12] + chunk + sound[-12:]


def bmp(width: int, height: int) -> bytes:
    """A BMP that says it is so large, and has no pixels."""
    head = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54, 0, 0, 54) + head


def picture(format_: str, mode: str) -> bytes:
    stream = io.BytesIO()
    Image.new(mode, (9, 9)).save(stream, format_)
    return stream.getvalue()


def art_of(file: str, content: bytes) -> Break:
    return both(write(file, content), replace("game.toml", "dot.svg", file))


def art_png(content: bytes) -> Break:
    return art_of("dot.png", content)


def ten(name: str, whole: str, part: str) -> str:
    """Six of them, each of ten of the one before: `name` and its number in `whole`."""
    return "".join(
        whole.format(name=f"{name}{i + 1}", parts=part.format(name=f"{name}{i}") * 10) + "\n" for i in range(6)
    )


_ODS = opendocument.ods(opendocument.sheet(opendocument.row(["id", "dot"]) + opendocument.row([1, 1])))
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

_FILTERED = "<filter id='f'%s>%s</filter><rect width='9' height='9' filter='url(#f)'/>"
_HUGE = " filterUnits='userSpaceOnUse' x='-9999' y='-9999' width='20000' height='20000'"


def art(body: str) -> Break:
    return write("dot.svg", f"{SVG}{body}</svg>")


def filtered(steps: str, region: str = "") -> Break:
    return art(_FILTERED % (region, steps))


def template(body: str) -> Break:
    """The front is drawn from it."""

    def break_(folder: Path) -> None:
        (folder / "front.svg").write_text(f"{SVG}{body}</svg>", "utf-8")
        spec = (folder / "game.toml").read_text("utf-8").split("[component.front]")[0]
        (folder / "game.toml").write_text(f"{spec}[component.front]\ntemplate = 'front.svg'\n")

    return break_


def json_table(text: str) -> Break:
    return both(write("cards.json", text), replace("game.toml", "cards.csv", "cards.json"))


def jpeg(scans: int) -> bytes:
    """A picture in steps, the last of them again and again."""
    stream = io.BytesIO()
    Image.new("L", (9, 9)).save(stream, "JPEG", progressive=True)
    content, last = stream.getvalue(), stream.getvalue().rindex(b"\xff\xda")
    return content[:-2] + content[last:-2] * scans + content[-2:]


_ATTRIBUTES = "<rect " + " ".join(f"a{i}='1'" for i in range(100_000)) + "/>"
_ENDLESS = (
    "<rect id='seat' width='9' height='9'/><text pnp:box='seat' xmlns:pnp='urn:pnp' "
    f"font-family='Alegreya Sans'>{'no end ' * 3_000}</text>"
)
_OWN_KEYS = ",".join(f'{{"k{i}":1}}' for i in range(60_000))
_TWICE = ",".join(f'"k{i}":1' for i in range(100_000)) + ',"z":1,"z":2'

MADE: Mapping[str, Break] = {
    "csv-bad-column": write("cards.csv", "id,dot\n" + "".join(f"{n},v{n}\n" for n in range(3000))),
    "csv-columns": write("cards.csv", "id,dot," + "a," * 1_000_000 + "\n1,1\n"),
    "csv-huge-cell": replace("cards.csv", "1,1", "1," + "9" * 1_000_000),
    "csv-nul": replace("cards.csv", "2,0", "2,\0"),
    "csv-thousand-faults": append("cards.csv", "x\n" * 100_000),
    "csv-utf-16": write("cards.csv", "id,dot\n1,1\n".encode("utf-16")[:-1]),
    "csv-utf-16-no-mark": write("cards.csv", "id,dot\n1,1\n".encode("utf-16-le")),
    "csv-workbook": write("cards.csv", b"PK\3\4\x14\0\xbb\xff"),
    "csv-wrong-encoding": replace("cards.csv", "2,0", "Señor 2,0", "latin-1"),
    "file-is-folder": both(as_folder("cards.csv"), as_folder("dot.svg")),
    "fonts-giant": both(new_folder("fonts"), huge("fonts/own.ttf"), huge("fonts/a.otf")),
    "fonts-is-file": write("fonts", "no folder"),
    "fonts-is-its-own-link": link("fonts", "fonts"),
    "fonts-link-out": link_out("fonts/own.ttf"),
    "fonts-renamed": both(
        new_folder("fonts"),
        write("fonts/GizmoSans.otf", "<!DOCTYPE html>\n<html></html>\n"),
        write("fonts/GizmoSerif-Bold.woff2", b"wOF2"),
        write("fonts/GizmoMono.ttf", b""),
        art(
            "<g font-size='3'><text font-family='Gizmo Sans'>a</text>\n"
            "<text font-family='Gizmo Serif'>b</text>\n"
            "<text font-family='Gizmo Mono'>c</text></g>"
        ),
    ),
    "fonts-strays": both(
        link("fonts/circle.ttf", "circle-2.ttf"),
        link("fonts/circle-2.ttf", "circle.ttf"),
        link("fonts/dead.TTF", "nothing"),
        link("fonts/more", ".."),
        link_out("fonts/out.otf"),
        new_folder("fonts/folder.ttf"),
        pipe("fonts/pipe.ttf"),
        pipe("fonts/\x1b[2Jremark"),
    ),
    "fonts-unsound": both(
        font("fonts/collection.ttf", lambda content: b"ttcf" + content[4:]),
        font("fonts/em.ttf", in_table(b"head", 18, b"\0\1")),
        font("fonts/ending.Ttf"),
        font("fonts/family.ttf", family("Abril\x1b[2J\x1b]0;")),
        font("fonts/letters.ttf", in_table(b"hmtx", 0, b"\0\0" * 2000)),
        font("fonts/sound.ttf"),
        font("fonts/widths.TTF", in_table(b"hhea", 34, b"\xff\xff")),
        write("fonts/old.eot", b"LP"),
        write("fonts/web.woff2", b"wOF2"),
        replace("game.toml", 'number_font = "Alegreya Sans"', 'number_font = "Alegreya Serif"'),
    ),
    "icons-strays": both(pipe("icons/pipe.svg"), link("icons/dead.svg", "nothing"), write("icons/a.svg", SVG)),
    "icons-unsound": both(new_folder("icons"), write("icons/script.SVG", f"{SVG}<script/></svg>")),
    "jpeg-scans": both(write("dot.jpg", jpeg(1000)), replace("game.toml", "dot.svg", "dot.jpg")),
    "json-key-twice": json_table(f"[{{{_TWICE}}}]"),
    "json-own-keys": json_table(f"[{_OWN_KEYS}]"),
    "link-out": both(link_out("cards.csv"), link_out("dot.svg")),
    "link-out-spec": link_out("game.toml"),
    "bmp-bomb": art_of("dot.bmp", bmp(60_000, 60_000)),
    "tiff-32-bits": art_of("dot.tiff", picture("TIFF", "F")),
    "webp-cut-off": art_of("dot.webp", picture("WEBP", "RGB")[:-9]),
    "ods-no-zip": both(write("cards.ods", "id,dot\n"), replace("game.toml", "cards.csv", "cards.ods")),
    "ods-sheet-unknown": both(write("cards.ods", _ODS), replace("game.toml", "cards.csv", "cards.ods#Card")),
    "png-photoshop": art_png(b"8BPS\0\1" + bytes(50)),
    "jpg-heic": art_of("dot.jpg", b"\0\0\0\x18ftypheic" + bytes(50)),
    "svg-pdf": write("dot.svg", "%PDF-1.5\n"),
    "png-bomb": art_png(png(60_000, 60_000)),
    "png-profile": art_png(with_chunk(b"iCCP", b"a\0")),
    "png-cut-off": art_png(png(500, 500)),
    "spec-is-folder": as_folder("game.toml"),
    "spec-missing": remove("game.toml"),
    "svg-100-mb": huge("dot.svg"),
    "svg-attributes": art(_ATTRIBUTES),
    "svg-compressed": write("dot.svg", b"\x1f\x8b\x08\0"),
    "svg-empty": write("dot.svg", b""),
    "svg-entity-bomb": write("dot.svg", _ENTITIES),
    "svg-external-entity": write("dot.svg", f"{_EXTERNAL}{SVG}<text>&own;</text></svg>"),
    "svg-comment-open": write("dot.svg", f"{SVG}<!-- a -- \x7f\n b --></svg>"),
    "svg-filter-blurs": filtered("<feGaussianBlur stdDeviation='9'/>" * 2000, _HUGE),
    "svg-filter-many": art(_FILTERED % ("", "<feGaussianBlur/>") + "<path d='M0 0h9v9z' filter='url(#f)'/>" * 9000),
    "svg-filter-morphology": filtered("<feMorphology operator='dilate' radius='5'/>"),
    "svg-filter-octaves": filtered("<feTurbulence numOctaves='100000'/>"),
    "svg-long-style": art(f"<g style='font:{'1 ' * 200_000}'/>"),
    "svg-many-rules": art(f"<style>{'a{fill:red}' * 200_000}</style>"),
    "svg-many-spans": art(f"<text font-family='Alegreya Sans'>{'<tspan>a</tspan>' * 20_000}</text>"),
    "svg-million-elements": write("dot.svg", SVG + "<g/>" * 1_000_000 + "</svg>"),
    "svg-million-faults": write("dot.svg", SVG + "<g onload=''/>\n" * 40_000 + "</svg>"),
    "svg-nested-deeply": write("dot.svg", SVG + "<g>" * 200 + "</g>" * 200 + "</svg>"),
    "svg-pattern-bomb": write("dot.svg", f"{SVG}<pattern id='p0'/>\n{_PATTERNS}<rect fill='url(#p6)'/></svg>"),
    "template-attributes": template(_ATTRIBUTES),
    "template-box-endless": template(_ENDLESS),
    "palette-of-thousands": replace(
        "game.toml", "[palette]", "[palette]\n" + "\n".join(f"c{i} = '#{i:06x}'" for i in range(4000))
    ),
    "toml-control-character": replace("game.toml", "Tiny", "Ti\x07ny"),
    "toml-deep": append("game.toml", "\n[[component.rule]]\nof = " + "[" * 1500),
    "toml-escapes": replace("game.toml", "ink = ", '"\\u001b[2J\\u0007" = 1\nink = '),
    "toml-dotted-key": append("game.toml", "\n" + "a." * 1_900 + "a = 1\n"),
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
    "xlsx-row-far": xlsx(in_sheet((b'<row r="4"', b'<row r="99999999999999"'))),
    "xlsx-entities": xlsx(in_sheet((b"<worksheet", _BILLION))),
    "xlsx-old": both(
        write("cards.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(50)),
        replace("game.toml", "cards.csv", "cards.xlsx"),
    ),
    "ods-of-xlsx": both(xlsx(len), rename("cards.xlsx", "cards.ods"), replace("game.toml", "cards.xlsx", "cards.ods")),
    "xlsx-heading-merged": xlsx(
        in_sheet(
            (b"</row></sheetData>", b'<c t="inlineStr"><is><t>x</t></is></c></row></sheetData>'),
            (b"</sheetData>", b'</sheetData><mergeCells><mergeCell ref="B1:C1"/></mergeCells>'),
        )
    ),
    "xlsx-title-merged": xlsx(
        in_sheet((b'<c r="A1" t="inlineStr"><is><t>id</t></is></c>', b""), (b">dot<", b">My cards<"))
    ),
    "xlsx-no-zip": both(write("cards.xlsx", "id,dot\n"), replace("game.toml", "cards.csv", "cards.xlsx")),
    "xlsx-no-xml": xlsx(in_sheet((b"</sheetData>", b""))),
    "xlsx-no-workbook": xlsx(lambda parts: parts.pop("xl/workbook.xml")),
    "xlsx-sheet-unknown": xlsx(len, "#Card"),
    "toml-wrong-encoding": replace("game.toml", "Designer", "Señor", "latin-1"),
}
