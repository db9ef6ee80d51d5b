"""Take a case, make the broken game: a tiny sound one with files laid over it and words changed.

A case is a folder in a folder of its kind: `case.toml` says the sound game it starts from and the
edits, other files replace those of the game, `expected.txt` is all that `pnp check` prints. What no
text file can hold is written by a function of `made.py`.

Its mends do what the hints say, as a designer does who knows no more. A mend is an edit (`file`,
`old`, `new`) or a whole file (`file`, `text`) in `case.toml`, or a function of `mended.py`. The
mended game has no error; if a mend uncovers another fault, `then` is what is told.
"""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import Any

from tests.bad_specs.made import MADE
from tests.bad_specs.mended import MENDED

HERE = Path(__file__).parent
OWN_FILES = ("case.toml", "expected.txt")


def case_names() -> list[str]:
    written = {path.parent.name for path in HERE.glob("*/*/case.toml")}
    return sorted(written | set(MADE))


def folder_of(case: str) -> Path:
    (folder,) = HERE.glob(f"*/{case}")
    return folder


def make_game(case: str, folder: Path) -> None:
    if case in MADE:
        shutil.copytree(HERE / "_tiny", folder)
        MADE[case](folder)
        return
    told = told_of(case)
    shutil.copytree(HERE / told["base"], folder)
    for edit in told.get("edit", ()):
        _apply(edit, folder)
    shutil.copytree(folder_of(case), folder, ignore=shutil.ignore_patterns(*OWN_FILES), dirs_exist_ok=True)


def mend_game(case: str, folder: Path) -> bool:
    """Mend the game of a case; false if nothing says how."""
    mends = told_of(case).get("mend", ())
    if case in MENDED:
        MENDED[case](folder)
    for mend in mends:
        _apply(mend, folder)
    return bool(case in MENDED or mends)


def _apply(edit: dict[str, str], folder: Path) -> None:
    path = folder / edit["file"]
    if "text" in edit:
        path.parent.mkdir(exist_ok=True)
        path.write_text(edit["text"], "utf-8")
        return
    text = path.read_text("utf-8")
    assert text.count(edit["old"]) == 1, f"{folder}: {edit['old']!r} is not there once"
    path.write_text(text.replace(edit["old"], edit["new"]), "utf-8")


def told_of(case: str) -> dict[str, Any]:
    path = folder_of(case) / "case.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}
