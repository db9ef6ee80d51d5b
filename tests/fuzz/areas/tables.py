"""Broken tables: CSV, TSV, JSON, XLSX and rows in the spec."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random

from tests.fuzz import havoc, material, toml, workbooks
from tests.fuzz.cases import Case, with_command
from tests.fuzz.words import words

Grid = list[list[str]]
_WORDS = words("headers")
_CELLS = words("cells")
_MOST_COPIED = 4_000_000  # characters of what is copied: more takes longer than a case may
_KINDS = (".csv", ".csv", ".tsv", ".json", ".xlsx", ".xlsx", ".ods", "row")


@cache
def _with_tables() -> Sequence[tuple[material.Files, str]]:
    """Small games, and the CSV of one of their components."""
    return [
        (game, component["table"])
        for game in material.small_games()
        for component in material.spec_of(game)["component"]
        if component.get("table") in game
    ]


def make(rng: Random) -> Case:
    game, name = rng.choice(_with_tables())
    grid = list(csv.reader(io.StringIO(game[name].decode())))
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        rng.choice(_EDITS)(rng, grid)
    kind = rng.choice(_KINDS)
    files = dict(game)
    spec = material.spec_of(game)
    component = next(component for component in spec["component"] if component.get("table") == name)
    if kind == "row":
        component.pop("table")
        component["row"] = _objects(rng, grid)
    else:
        table = f"table{kind}"
        files[table] = _WRITERS[kind](rng, grid)
        component["table"] = table + rng.choice(("", "", "", "#Cards", "#no", "#")) * (kind in (".xlsx", ".ods"))
    _look_up(rng, files, component, grid)
    if rng.random() < 0.1:
        component["default"] = {rng.choice(_WORDS): rng.choice(_CELLS) for _ in range(2)}
    return with_command(rng, material.with_spec(files, spec))


def _look_up(rng: Random, files: material.Files, component: toml.Tree, grid: Grid) -> None:
    """Sometimes lets a column name the rows of another table."""
    if rng.random() < 0.9 or not grid or not grid[0]:
        return
    column = rng.choice(grid[0])
    held = [row[grid[0].index(column)] for row in grid[1:] if len(row) == len(grid[0])]
    other = [["id", "name", "name.de"], *([cell, "a", "b"] for cell in dict.fromkeys(held))]
    if rng.random() < 0.5:
        rng.choice(_EDITS)(rng, other)
    files["look.csv"] = _csv(rng, other, ",")
    component["lookup"] = {column: {"table": "look.csv"}}


def _cell(rng: Random) -> str:
    return rng.choice(_CELLS) if rng.random() < 0.6 else havoc.odd_text(rng)


def _set_cell(rng: Random, grid: Grid) -> None:
    row = rng.choice(grid) if grid else []
    if row:
        row[rng.randrange(len(row))] = _cell(rng)


def _set_column(rng: Random, grid: Grid) -> None:
    index, cell = rng.randrange(9), _cell(rng)
    for row in grid[1:]:
        if index < len(row):
            row[index] = cell if rng.random() < 0.7 else _cell(rng)


def _rename(rng: Random, grid: Grid) -> None:
    if grid and grid[0]:
        at = rng.randrange(len(grid[0]))
        name = grid[0][at]
        grid[0][at] = rng.choice((havoc.break_text(rng, name), rng.choice(_WORDS), f"{name}.de", f"#{name}"))


def _drop_column(rng: Random, grid: Grid) -> None:
    index = rng.randrange(9)
    for row in grid:
        del row[index : index + 1]


def _copy_column(rng: Random, grid: Grid) -> None:
    index, times = rng.randrange(4), rng.choice((1, 1, 1, 5, 600))
    cells = [row[index : index + 1] for row in grid]
    most = _MOST_COPIED // (1 + sum(len(text) + 1 for cell in cells for text in cell))
    for row, cell in zip(grid, cells, strict=True):
        row += cell * min(times, most)


def _add_column(rng: Random, grid: Grid) -> None:
    name = rng.choice(_WORDS)
    for number, row in enumerate(grid):
        row.append(_cell(rng) if number else name)


def _copy_row(rng: Random, grid: Grid) -> None:
    if grid:
        row = rng.choice(grid)
        most = _MOST_COPIED // (1 + sum(len(cell) + 1 for cell in row))
        grid += [list(row) for _ in range(min(rng.choice((1, 1, 2, 20, 2000)), most))]


def _drop_row(rng: Random, grid: Grid) -> None:
    if grid:
        del grid[rng.randrange(len(grid))]


def _ragged(rng: Random, grid: Grid) -> None:
    row = rng.choice(grid) if grid else []
    if rng.random() < 0.5:
        row += [_cell(rng)] * rng.choice((1, 1, 2, 700))
    else:
        del row[rng.randrange(9) :]


def _blank_row(rng: Random, grid: Grid) -> None:
    blank = [""] * rng.choice((0, 1, 9))
    at = rng.randrange(len(grid) + 1)
    grid[at:at] = [list(blank) for _ in range(rng.choice((1, 1, 3, 1000)))]


def _shuffle(rng: Random, grid: Grid) -> None:
    rng.shuffle(grid)


_EDITS: tuple[Callable[[Random, Grid], None], ...] = (
    _set_cell, _set_cell, _set_cell, _set_column, _rename, _drop_column, _copy_column, _add_column,
    _copy_row, _drop_row, _ragged, _blank_row, _shuffle,
)  # fmt: skip


def _csv(rng: Random, grid: Grid, comma: str) -> bytes:
    written = io.StringIO(newline="")
    end = rng.choice(("\n", "\n", "\r\n", "\r"))
    csv.writer(written, delimiter=comma, lineterminator=end).writerows(grid)
    return _roughened(rng, written.getvalue())


def _roughened(rng: Random, text: str) -> bytes:
    """The text of a table as bytes; sometimes broken as text or as bytes."""
    if rng.random() < 0.3:
        text = havoc.break_text(rng, text, _WORDS)
    content = havoc.encoded(rng, text)
    return havoc.break_bytes(rng, content) if rng.random() < 0.05 else content


def _comma_separated(rng: Random, grid: Grid) -> bytes:
    return _csv(rng, grid, rng.choice((",", ",", ";", "\t", "|")))


def _tab_separated(rng: Random, grid: Grid) -> bytes:
    return _csv(rng, grid, "\t")


def _objects(rng: Random, grid: Grid) -> list[toml.Tree]:
    """The rows with the names of the columns; some values are numbers, or no cell at all."""
    header = grid[0] if grid else []
    rows: list[toml.Tree] = []
    for row in grid[1:200]:
        made: dict[str, toml.Tree] = {}
        for name, cell in zip(header, row, strict=False):
            chance = rng.random()
            number = int(cell) if cell.isascii() and cell.isdigit() and len(cell) < 30 else cell
            made[name] = number if chance < 0.9 else cell
            if chance > 0.98:
                made[name] = [cell] * rng.choice((0, 1, 3, 201))
            if chance > 0.995:
                made[name] = toml.odd_value(rng)
        rows.append(made)
    return rows


def _json(rng: Random, grid: Grid) -> bytes:
    rows: toml.Tree = _objects(rng, grid)
    if rng.random() < 0.2:
        holder = {"rows": rows}
        toml.break_tree(rng, holder, [])
        rows = holder.get("rows", holder)
    if rng.random() < 0.05:
        most = _MOST_COPIED // (1 + len(json.dumps(rows, default=str)))
        copies = [rows] * min(rng.choice((0, 1, 3000)), most)
        rows = {"rows": rows} if rng.random() < 0.5 else copies
    indent = rng.choice((None, 0, 2))
    return _roughened(rng, json.dumps(rows, indent=indent, ensure_ascii=rng.random() < 0.3, default=str))


_WRITERS: Mapping[str, Callable[[Random, Grid], bytes]] = {
    ".csv": _comma_separated,
    ".tsv": _tab_separated,
    ".json": _json,
    ".ods": workbooks.open_document,
    ".xlsx": workbooks.workbook,
}
