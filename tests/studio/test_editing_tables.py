"""What a page asks for is done to the table that the game names, or refused with the reason."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from generator.basics.errors import PnpError
from generator.studio.editor import Editor
from generator.studio.journal import Journal, digest_of
from tests.studio.showing import QUEST


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
    return Editor(game, Journal(tmp_path / "journal"))


def do(editor: Editor, name: str, **edit: Any) -> str:
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
        ({"do": "rows", "act": "insert", "to": 1, "new": [["a"]]}, b"a\r\nkey,Key\r\nford,Ford"),
        ({"do": "rows", "act": "remove", "rows": [1]}, b"ford,Ford"),
        ({"do": "rows", "act": "move", "rows": [1], "to": 3}, b"ford,Ford\r\nkey,Key"),
    ],
)
def test_an_edit_of_rows_leaves_all_else(editor: Editor, edit: Any, written: bytes) -> None:
    digest = do(editor, "cards.csv", **edit)
    content = (editor.folder / "cards.csv").read_bytes()
    assert content == b"id,title\r\n" + written
    assert digest == digest_of(content)


@pytest.mark.parametrize(
    ("name", "edit", "why"),
    [
        ("cards.csv", {"do": "cells", "cells": [[1, 1, "Kay", "x"]]}, "has changed the cell"),
        ("cards.csv", {"do": "cells", "cells": [[-1, 1, "Ford", "x"]]}, "no such row or column"),
        ("cards.csv", {"do": "cells", "cells": [[20_000, 1, "", "x"]]}, "no such row or column"),
        ("cards.csv", {"do": "rows", "act": "remove", "rows": [0]}, "no such row or column"),
        ("cards.csv", {"do": "rows", "act": "remove", "rows": [3]}, "no such row or column"),
        ("cards.csv", {"do": "rows", "act": "insert", "new": [["a"]]}, "no such row or column"),
        ("cards.csv", {"do": "rows", "act": "move", "rows": [1], "digest": ""}, "another program"),
        ("more.xlsx", {"do": "cells", "cells": [[2, 1, "", "x"]]}, "no such row or column"),
        ("more.xlsx", {"do": "cells", "cells": [[0, 1, "count", "x"]]}, "headings"),
        ("more.xlsx", {"do": "rows", "act": "remove", "rows": [1]}, "cannot be changed on the"),
        ("more.xlsm", {"do": "cells", "cells": [[1, 1, "2", "3"]]}, "open it in your spreadsheet"),
    ],
)
def test_what_cannot_be_done_is_refused(editor: Editor, name: str, edit: Any, why: str) -> None:
    before = (editor.folder / name).read_bytes()
    with pytest.raises(PnpError, match=why):
        do(editor, name, **edit)
    assert (editor.folder / name).read_bytes() == before


def test_a_cell_of_a_spreadsheet_is_changed_and_undone(editor: Editor) -> None:
    before = (editor.folder / "more.xlsx").read_bytes()
    do(editor, "more.xlsx", do="cells", cells=[[1, 1, "2", "3"]], sheet="Sheet")
    assert openpyxl.load_workbook(editor.folder / "more.xlsx").active["B2"].value == 3
    editor.do(b'{"do": "step", "way": "undo"}')
    assert (editor.folder / "more.xlsx").read_bytes() == before
