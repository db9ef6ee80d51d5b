"""What a page asks for is done to the table that the game names, or refused with the reason."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from threading import Thread
from typing import Any

import openpyxl
import pytest

from generator.basics.errors import PnpError
from generator.basics.writing import write_whole
from generator.studio.editor import Editor
from generator.studio.journal import Journal, digest_of
from tests.studio.showing import QUEST

ROWS = """
[[component]]
id = "shells"

# small
[[component.row]]
id = "shell" # as it is
count = 8
[[component.row]]
id = "pearl"

[component.front]
template = "shell.svg"
"""
ROWS_AT = ("component", 3, "row")


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    """Quest with a CSV of two columns, an XLSX and an XLSM."""
    game = tmp_path / "quest"
    shutil.copytree(QUEST, game)
    (game / "cards.csv").write_bytes(b"id,title\r\nkey,Key\r\nford,Ford")
    book = openpyxl.Workbook()
    for cells in (["id", "count"], ["axe", 2]):
        book.active.append(cells)
    for name in ("more.xlsx", "more.xlsm"):
        book.save(game / name)
    with (game / "game.toml").open("a", encoding="utf-8") as file:
        file.write('[[component]]\nid = "more"\ntable = "more.xlsx#Sheet"\n')
        file.write('[[component]]\nid = "macros"\ntable = "more.xlsm"\n')
        file.write(ROWS)
    return Editor(game, Journal(tmp_path / "journal"))


def do(editor: Editor, name: str, /, **edit: Any) -> str:
    (file,) = (file for file in editor.files() if file.name == name)
    return editor.do(json.dumps({"file": file.id, "digest": file.digest} | edit).encode())


@pytest.mark.parametrize(
    ("edit", "written"),
    [
        ({"do": "cells", "cells": [[2, 1, "Ford", "A, B"]]}, b'key,Key\r\nford,"A, B"'),
        (
            {"do": "cells", "cells": [[2, 0, "ford", "x"], [4, 1, "", "z"], [3, 1, "", "y"]]},
            b"key,Key\r\nx,Ford\r\n,y\r\n,z",
        ),
        ({"do": "rows", "rows": [["a"], 1, 2]}, b"a\r\nkey,Key\r\nford,Ford"),
        ({"do": "rows", "rows": [2]}, b"ford,Ford"),
        ({"do": "rows", "rows": [2, 1]}, b"ford,Ford\r\nkey,Key"),
    ],
)
def test_an_edit_of_rows_leaves_all_else(editor: Editor, edit: Any, written: bytes) -> None:
    digest = do(editor, "cards.csv", **edit)
    content = (editor.folder / "cards.csv").read_bytes()
    assert content == b"id,title\r\n" + written
    assert digest == digest_of(content)


@pytest.mark.parametrize(
    ("before", "columns", "after"),
    [
        (b'id,"a, b",c\r\n\r\nkey,"1\n2",3\r\nshort,4', [1], b"id,c\r\n\r\nkey,3\r\nshort"),
        (b"sep=;\nid;a;c\n1;2,2;3\n", [0, 2], b"sep=;\na\n2,2\n"),
        (b"id;a;b\n1;2,2;3\n", [2], b"id;a\n1;2,2\n"),
    ],
)
def test_a_column_is_removed_alone(editor: Editor, before: bytes, columns: list[int], after: bytes) -> None:
    file = editor.folder / "cards.csv"
    file.write_bytes(before)
    do(editor, "cards.csv", do="columns", columns=columns)
    assert file.read_bytes() == after
    editor.do(b'{"do": "step", "way": "undo"}')
    assert file.read_bytes() == before


def test_headings_that_hide_the_delimiter_are_refused(editor: Editor) -> None:
    file = editor.folder / "cards.csv"
    file.write_bytes(b"id;a\n1;2,2\n")
    for edit in ({"do": "columns", "columns": [0]}, {"do": "cells", "cells": [[0, 1, "a", "x, y, z"]]}):
        with pytest.raises(PnpError, match="no longer be read"):
            do(editor, "cards.csv", **edit)


@pytest.mark.parametrize(
    ("name", "edit", "why"),
    [
        ("cards.csv", {"do": "cells", "cells": [[1, 1, "Kay", "x"]]}, "has changed the cell"),
        ("cards.csv", {"do": "cells", "cells": [[-1, 1, "Ford", "x"]]}, "no such row or column"),
        ("cards.csv", {"do": "cells", "cells": [[20_000, 1, "", "x"]]}, "no such row or column"),
        ("cards.csv", {"do": "rows", "rows": [0]}, "no such row or column"),
        ("cards.csv", {"do": "rows", "rows": [3]}, "no such row or column"),
        ("cards.csv", {"do": "rows", "rows": [1, 2, 1]}, "no such row or column"),
        ("cards.csv", {"do": "rows", "rows": [1], "digest": ""}, "another program"),
        ("more.xlsx", {"do": "cells", "cells": [[2, 1, "", "x"]]}, "no such row or column"),
        ("more.xlsx", {"do": "cells", "cells": [[0, 3, "", "x"]]}, "no such row or column"),
        ("more.xlsx", {"do": "cells", "cells": []}, "no such row or column"),
        ("more.xlsx", {"do": "columns", "columns": [1]}, "cannot be changed on the"),
        ("cards.csv", {"do": "columns", "columns": [0, 1]}, "no such row or column"),
        ("cards.csv", {"do": "columns", "columns": [2]}, "no such row or column"),
        ("more.xlsx", {"do": "rows", "rows": [1]}, "cannot be changed on the"),
        ("more.xlsm", {"do": "cells", "cells": [[1, 1, "2", "3"]]}, "open it in your spreadsheet"),
    ],
)
def test_what_cannot_be_done_is_refused(editor: Editor, name: str, edit: Any, why: str) -> None:
    before = (editor.folder / name).read_bytes()
    with pytest.raises(PnpError, match=why):
        do(editor, name, **edit)
    assert (editor.folder / name).read_bytes() == before


def test_what_is_told_during_an_edit_is_the_file_before_or_after_it(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict[str, Any]] = []
    asking = Thread(target=lambda: told.append(editor.describe()))

    def write_asked(path: Path, content: bytes) -> None:
        if path.name == "cards.csv":
            asking.start()
            asking.join(0.2)
        write_whole(path, content)

    monkeypatch.setattr("generator.studio.editor.write_whole", write_asked)
    digest = do(editor, "cards.csv", do="rows", rows=[1])
    asking.join()
    (file,) = (file for file in told[0]["files"] if file["name"] == "cards.csv")
    assert (told[0]["writes"], file["digest"]) == (1, digest)


def test_a_cell_of_a_spreadsheet_is_changed_and_undone(editor: Editor) -> None:
    before = (editor.folder / "more.xlsx").read_bytes()
    do(editor, "more.xlsx", do="cells", cells=[[1, 1, "2", "3"]], sheet="Sheet")
    assert openpyxl.load_workbook(editor.folder / "more.xlsx").active["B2"].value == 3
    editor.do(b'{"do": "step", "way": "undo"}')
    assert (editor.folder / "more.xlsx").read_bytes() == before


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        ({"do": "values", "values": [[[*ROWS_AT, 0, "count"], 9]]}, "count = 8", "count = 9"),
        (
            {"do": "values", "values": [[[*ROWS_AT, 1, "id"], "x"], [[*ROWS_AT, 2], {"id": "y"}]]},
            'id = "pearl"\n',
            'id = "x"\n\n[[component.row]]\nid = "y"\n',
        ),
        ({"do": "rename", "keys": [[*ROWS_AT, 0, "count"]], "name": "copies"}, "count = 8", "copies = 8"),
        ({"do": "tables", "path": ROWS_AT, "tables": [1]}, ROWS[ROWS.index("# small") : ROWS.rindex("[[")], ""),
        ({"do": "tables", "path": ROWS_AT, "tables": [0]}, '\n[[component.row]]\nid = "pearl"', ""),
        (
            {"do": "tables", "path": ROWS_AT, "tables": [1, {"id": "new", "count": 1}, 0]},
            ROWS[ROWS.index("# small") : ROWS.index("\n\n[component.front]")],
            '[[component.row]]\nid = "pearl"\n[[component.row]]\nid = "new"\ncount = 1\n'
            '# small\n[[component.row]]\nid = "shell" # as it is\ncount = 8',
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_an_edit_of_rows_in_game_toml_leaves_all_else(
    editor: Editor, edit: Any, old: str, new: str, line_end: str
) -> None:
    file = editor.folder / "game.toml"
    before = file.read_text("utf-8")
    assert old in before
    file.write_bytes(before.replace("\n", line_end).encode())
    do(editor, "game.toml", **edit)
    assert file.read_bytes() == before.replace(old, new).replace("\n", line_end).encode()


def test_rows_in_game_toml_have_their_lines(editor: Editor) -> None:
    (file,) = (file for file in editor.files() if file.name == "game.toml")
    text = (editor.folder / "game.toml").read_text("utf-8").splitlines()
    rows = editor.table(file.id, json.dumps(ROWS_AT))["rows"]
    assert [row["cells"] for row in rows] == [["id", "count"], ["shell", "8"], ["pearl", ""]]
    at = [int(row["where"].removeprefix("quest/game.toml:")) for row in rows[1:]]
    assert [text[line] for line in at] == ['id = "shell" # as it is', 'id = "pearl"']


@pytest.mark.parametrize("array", ["", "[", "1", '["game"]', '["component", 9, "row"]', '["component"]'])
def test_what_is_no_rows_of_game_toml_is_refused(editor: Editor, array: str) -> None:
    (file,) = (file for file in editor.files() if file.name == "game.toml")
    with pytest.raises(PnpError):
        editor.table(file.id, array)


@pytest.mark.parametrize("tables", [[], [2], [{"id": {"a": None}}], ["x"]])
def test_rows_of_game_toml_that_cannot_be_are_refused(editor: Editor, tables: Any) -> None:
    before = (editor.folder / "game.toml").read_bytes()
    with pytest.raises(PnpError):
        do(editor, "game.toml", do="tables", path=ROWS_AT, tables=tables)
    assert (editor.folder / "game.toml").read_bytes() == before
