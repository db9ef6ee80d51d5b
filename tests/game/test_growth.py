"""Twice as much in a file is at most two and a half times the work, counted in lines and calls.

What a call into C does within itself is not counted: tests/test_patterns.py looks at patterns.
"""

from __future__ import annotations

import base64
import io
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import openpyxl
import pytest
from msgspec import Struct
from openpyxl.worksheet.cell_range import CellRange
from PIL import Image

from generator.art import css
from generator.art.picture import ArtReader
from generator.basics.errors import Place, PnpError, did_you_mean
from generator.basics.geometry import Rect
from generator.booklet import reading
from generator.faces.templating.sandbox import Expression
from generator.faces.templating.template import read_template
from generator.game.spec import SPEC, Source
from generator.model import Column, Piece
from generator.tables.fields import Resources
from generator.tables.rows import MAX_COLUMNS
from generator.tables.schema import Lookup, TableSchema
from generator.tables.table import count_merged, extend, read_table
from generator.text import HOUSE_FONTS, FontBook, markup
from generator.text.flow import Compositor
from generator.text.shape import Style
from tests.support import opendocument

FONTS = FontBook([HOUSE_FONTS])
RESOURCES = Resources({}, {}, {}, FONTS, (), "", ArtReader(Path(), FONTS).read)
SCHEMA = TableSchema([Column("id"), Column("x")])
SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:pnp="urn:pnp" viewBox="0 0 9 9"'
MOST = 2.5
NEW = count(1)  # for what is remembered, and so looked at once
Work = Callable[[], object]


class Reader(Struct, frozen=True):
    """What is made ready for a folder and a number, how many that is to begin with, and a
    function that is called for each of them, if there is one."""

    ready: Callable[[Path, int], Work]
    number: int
    inner: str


_planted = 0  # steps that were planted, and are counted without being run


def steps(work: Work) -> int:
    """The lines that it runs through, and its calls into C."""
    run, before_it = 0, _planted

    def trace(_frame: FrameType, _event: str, _arg: object) -> Any:
        nonlocal run
        run += 1
        return trace

    def profile(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal run
        run += event == "c_call"

    before = sys.gettrace(), sys.getprofile()
    sys.settrace(trace)
    sys.setprofile(profile)
    try:
        work()
    except PnpError:
        pass  # to be told what is wrong is work too
    finally:
        sys.settrace(before[0])
        sys.setprofile(before[1])
    return run + _planted - before_it


def table(name: str, write: Callable[[int], str | bytes]) -> Callable[[Path, int], Work]:
    def ready(folder: Path, number: int) -> Work:
        content = write(number)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
        return lambda: read_table(folder, name, SCHEMA, Place("here"))

    return ready


def repeated_key(number: int) -> str:
    return "[{" + "".join(f'"k{index}": 1, ' for index in range(number)) + '"z": 1, "z": 2}]'


def sheet(number: int) -> bytes:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in [("id", "x"), *((str(index), "words") for index in range(number))]:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def merged_sheet(number: int) -> bytes:
    """Each column is merged down to the last row of a sheet, and each of the rows across."""
    book = openpyxl.Workbook()
    page = book.active
    assert page is not None
    for row in [("id", "x", "y"), *((str(index), "words") for index in range(number))]:
        page.append(row)
    page.merged_cells.ranges = {
        *(CellRange(f"B{row}:B1048576") for row in range(2, number)),
        *(CellRange(f"C{row}:XFD{row + 1}") for row in range(1, number)),
    }
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def open_document(number: int) -> bytes:
    cells = [("id", "x"), *((str(index), "words") for index in range(number))]
    return opendocument.ods(opendocument.sheet("".join(map(opendocument.row, cells))))


def spec_of(write: Callable[[int], str]) -> Callable[[Path, int], Work]:
    def ready(folder: Path, number: int) -> Work:
        (folder / SPEC).write_text(f"# {next(NEW)}\n{write(number)}", "utf-8")
        return lambda: Source(folder).line(("a",))

    return ready


def drawing(write: Callable[[int], str]) -> Callable[[Path, int], Work]:
    def ready(folder: Path, number: int) -> Work:
        content = f'{SVG} id="n{next(NEW)}">{write(number)}</svg>'
        (folder / "art.svg").write_text(content, "utf-8")
        return lambda: ArtReader(folder, FONTS).read("art.svg", Place("here"))

    return ready


def template(write: Callable[[int], str], cell: Callable[[int], str]) -> Callable[..., Work]:
    def ready(folder: Path, number: int) -> Work:
        (folder / "front.svg").write_text(f"{SVG}>{write(number)}</svg>", "utf-8")

        def work() -> None:
            made = read_template(folder, "front.svg", RESOURCES, Place("here"), {})
            made.fill({name: cell(number) for name in made.by_name})

        return work

    return ready


def styled(number: int) -> Work:
    sheets = ["".join(f".a{index} > b , g [c='d'] {{ fill : red ; x: url('#a') }} " for index in range(number))]
    return lambda: (css.Styles(sheets), css.declarations("fill: red; " * number))


def expression(number: int) -> Work:
    return lambda: Expression(" + ".join(["x"] * number)).value({"x": 1})


def fonts(folder: Path, number: int) -> Work:
    font = FONTS.find("Alegreya Sans").path.read_bytes()
    for index in range(number):
        (folder / f"{number}-{index}.ttf").write_bytes(font)
    book = FontBook([folder])
    return lambda: (FontBook([folder]), book.families(), [book.find_called(str(at)) for at in range(2)])


def pieces(number: int, first: int = 0) -> list[Piece]:
    return [Piece(str(index), {"x": "7"}, 1, Place("here")) for index in range(first, first + number)]


def looked_up(number: int) -> Work:
    rows = {piece.id: piece for piece in pieces(number)}
    lookup = Lookup("x", "more.csv", [Column("x")], rows)
    return lambda: [lookup.values(str(index)) for index in range(number)]


def expanded(number: int) -> Work:
    base, more = pieces(number), pieces(number, number // 2)
    return lambda: count_merged(base, extend(base, more))


def boxed(number: int) -> str:
    return "".join(
        f'<rect id="b{index}" width="8" height="8"/>'
        f'<text pnp:box="b{index}" font-family="Alegreya Sans" font-size="1">a</text>'
        for index in range(number)
    )


def of(make: Callable[[int], Work]) -> Callable[[Path, int], Work]:
    return lambda _, number: make(number)


def words_in_a_box(number: int) -> Work:
    text = f"{next(NEW)} " + "plain **bold** words " * number
    style = Style(family="Alegreya Sans", size=1.0)
    return lambda: Compositor(FONTS, {}, {}).set(text, Rect(0, 0, 200, 200), style)


def picture() -> str:
    stream = io.BytesIO()
    Image.new("L", (next(NEW), 1)).save(stream, "PNG")
    uri = "data:image/png;base64," + base64.b64encode(stream.getvalue()).decode()
    return f'<image width="1" height="1" href="{uri}"/>'


PLAIN = "generator.tables.table._TableReader._add"
IN_ART = "generator.art.svg._links"
READERS = {
    "TOML": Reader(
        spec_of(lambda n: "".join(f"[[a.b]]\nx{i}.y = ['text', {i}]\n" for i in range(n))),
        100,
        "generator.game.spec._Scanner._pair",
    ),
    "CSV": Reader(table("a.csv", lambda n: "id,x\n" + "".join(f"{i},words\n" for i in range(n))), 100, PLAIN),
    "TSV": Reader(table("a.tsv", lambda n: "id\tx\n" + "".join(f"{i}\twords\n" for i in range(n))), 100, PLAIN),
    "JSON": Reader(table("a.json", lambda n: json.dumps([{"id": str(i), "x": "a"} for i in range(n)])), 100, PLAIN),
    "JSON of many keys": Reader(
        table("a.json", lambda n: json.dumps([{f"k{i}": "a"} for i in range(n)])),
        MAX_COLUMNS + 100,  # up to there every row has a cell for each key
        "generator.tables.rows.plain_name",
    ),
    "JSON of a key that stands twice": Reader(table("a.json", repeated_key), 100, ""),
    "XLSX": Reader(table("a.xlsx", sheet), 100, PLAIN),
    "XLSX of merged cells": Reader(table("a.xlsx", merged_sheet), 500, PLAIN),
    "ODS": Reader(table("a.ods", open_document), 100, PLAIN),
    "table of many columns": Reader(
        table("a.csv", lambda n: ",".join(f"idx{i}" for i in range(n))),
        100,
        "generator.basics.errors.get_close_matches",
    ),
    "CSS": Reader(of(styled), 100, "generator.art.css._last_name"),
    "SVG": Reader(drawing(lambda n: '<g style="fill:red"><path d="M0 0"/></g>' * n), 100, IN_ART),
    "SVG of many faults": Reader(drawing(lambda n: "<g\nonload='a'\n/>" * n), 60, IN_ART),
    "SVG with clones": Reader(
        drawing(lambda n: "<g id='a'/>" + "<use href='#a'/>" * n), 100, "generator.art.svg._EffortCount._count"
    ),
    "SVG with a text of many parts": Reader(
        drawing(lambda n: f"<text font-family='Alegreya Sans'>{'<tspan>a</tspan>' * n}</text>"), 100, IN_ART
    ),
    "SVG with filters": Reader(
        drawing(lambda n: "<filter id='f'><feGaussianBlur/></filter>" + "<path d='M1 1h.1v.1' filter='url(#f)'/>" * n),
        100,
        "generator.art.filters.Filters._share",
    ),
    "SVG with markers on groups in groups": Reader(
        drawing(lambda n: "<marker id='m'/>" + "<g marker-mid='url(#m)'>" * n + "<path d='M1 1'/>" + "</g>" * n),
        40,
        "generator.art.svg._EffortCount._vertices",
    ),
    "pixels": Reader(
        drawing(lambda n: "".join(picture() for _ in range(n))),
        80,  # more than are remembered
        "generator.art.pixels.make_printable",
    ),
    "template": Reader(
        template(lambda n: "<g>{{ x }}<path d='{{ x }}'/> </g>" * n, lambda _: "words"),
        60,
        "generator.faces.templating.writing.Writer._say",
    ),
    "template of many boxes": Reader(
        template(boxed, lambda _: ""), 40, "generator.faces.templating.writing.Seats._nearest"
    ),
    "template of much that is not drawn": Reader(
        template(lambda n: '<g pnp:if="x"/> words' * n, lambda _: "no"),
        60,
        "generator.faces.templating.writing.Writer._put",
    ),
    "expression": Reader(of(expression), 20, "jinja2.parser.Parser.parse_primary"),
    "rulebook": Reader(
        of(lambda n: lambda: reading.read("# T\n\n" + "- *a* **b** :coin: c\n" * n, Place("rules.md"))),
        60,
        "generator.booklet.reading._MarkdownReader._read_text",
    ),
    "rulebook of open marks": Reader(
        of(lambda n: lambda: reading.read("# T\n\n" + "*a **b _c " * n, Place("rules.md"))),
        30,
        "markdown_it.rules_inline.emphasis.StateInline.scanDelims",
    ),
    "marked-up text": Reader(
        of(lambda n: lambda: markup.parse("a *b* [c]{red} \\* :coin: " * n)),
        40,
        "generator.text.markup._MarkReader._read",
    ),
    "text in a box": Reader(of(words_in_a_box), 40, "generator.text.markup._MarkReader._turn"),
    "fonts": Reader(fonts, 20, "pathlib.Path.stat"),
    "lookups": Reader(of(looked_up), 100, "generator.tables.schema.Lookup._row"),
    "lookups that fail": Reader(of(lambda n: lambda: did_you_mean("7x", [f"{i:04}" for i in range(n)])), 400, ""),
    "expansions": Reader(of(expanded), 100, ""),
}


@pytest.mark.parametrize("name", READERS)
def test_twice_as_much_is_twice_the_work(name: str, tmp_path: Path) -> None:
    once, twice = measured(READERS[name], tmp_path)
    assert twice <= MOST * once, f"{once} steps, then {twice}"


@pytest.mark.parametrize("name", [name for name, reader in READERS.items() if reader.inner])
def test_a_square_is_seen(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that looks at all that was before, each time, does not pass."""
    plant(READERS[name], monkeypatch)
    once, twice = measured(READERS[name], tmp_path)
    assert twice > MOST * once, f"{once} steps, then {twice}"


def measured(reader: Reader, folder: Path) -> tuple[int, int]:
    with suppress(PnpError):
        reader.ready(folder, reader.number)()  # what is loaded and remembered once
    counts = []
    for times in (1, 2):
        own = folder / str(times)
        own.mkdir()
        counts.append(steps(reader.ready(own, times * reader.number)))
    return counts[0], counts[1]


def plant(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each call of the inner function count as if it went through all the calls before it, with
    the lines of ten rounds of a loop for each of them, or of one where there are many."""
    holder, _, name = reader.inner.rpartition(".")
    plain = getattr(found(holder), name)
    calls = count(1)
    effort = 22 if reader.number <= 100 else 4  # lines; of many calls a small one is seen too

    def slow(*arguments: Any, **words: Any) -> Any:
        global _planted
        _planted += next(calls) * effort
        return plain(*arguments, **words)

    monkeypatch.setattr(found(holder), name, slow)


def found(path: str) -> Any:
    """A module, or a class in it, by its path."""
    try:
        return import_module(path)
    except ModuleNotFoundError:
        holder, _, name = path.rpartition(".")
        return getattr(import_module(holder), name)
