"""Take a game's folder, show it as `pnp preview` does: what the tests of this room share."""

from __future__ import annotations

import csv
import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.cli.preview import offer
from generator.layout.printers import Store
from generator.pdf.pictures.picture_pool import GLANCE, Wish
from generator.pipeline.previewing import preview_session
from generator.pipeline.request import PrintOptions
from generator.studio import Commands, PreviewSession, Server
from generator.studio.session import Listener
from tests.support.processes import PATIENCE
from tests.support.serving import serving

ROOT = Path(__file__).parents[2]
QUEST = ROOT / "tests/templates/quest"


@dataclass(frozen=True)
class Shown:
    """A game on its page."""

    folder: Path
    session: PreviewSession
    server: Server

    def save(self, file: str, content: str) -> None:
        """As editors do: beside it first, then in its place."""
        path = self.folder / file
        beside = path.with_name(f"{path.name}.new")
        beside.write_text(content, "utf-8")
        beside.replace(path)

    def edit(self, file: str, old: str, new: str) -> None:
        text = (self.folder / file).read_text("utf-8")
        assert old in text, f"{file} no longer says {old!r}"
        self.save(file, text.replace(old, new))


@contextmanager
def showing(
    folder: Path,
    game: Path = QUEST,
    variant: str = "",
    options: PrintOptions | None = None,
    journals: Path | None = None,
    *,
    is_edited: bool = False,
) -> Iterator[Shown]:
    """A copy of a game in `folder`, shown, with the printers in the folder `printers` beside it.
    What pages edit is kept in a folder of journals, or in `undo` there."""
    if not folder.exists():
        shutil.copytree(game, folder)
    store = Store(folder.with_name("printers"))
    journals = folder.with_name("undo") if is_edited else journals
    made = preview_session(f"{folder}{variant}", options or {}, store, journals)
    commands = Commands(offer) if journals else None
    with made, serving(Server(made, commands=commands)) as server:
        looking = threading.Thread(target=made.look)
        looking.start()
        yield Shown(folder, made, server)
    looking.join()


def varied(folder: Path) -> Path:
    """A copy of Quest in German too, with a variant of three cards."""
    game = folder / "varied"
    shutil.copytree(QUEST, game)
    table = game / "cards.csv"
    heading, *rows = list(csv.reader(table.read_text("utf-8").splitlines(keepends=True)))
    german = [[*heading, "title.de"], *([*row, f"{row[1]} (de)"] for row in rows)]
    for name, lines in (("cards.csv", german), ("few.csv", german[:4])):
        with (game / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(lines)
    with (game / "game.toml").open("a", encoding="utf-8") as file:
        file.write('\n[variant.few]\nabout = "Three cards."\ntable.cards = "few.csv"\n')
    return game


def with_rules(folder: Path) -> Path:
    """A copy of Quest with rules of a few pages, and a cover."""
    game = folder / "quest"
    shutil.copytree(QUEST, game)
    parts = (f"## Part {number}\n\n{'Beat the dragon. ' * 60}\n\n" for number in range(4))
    (game / "rules.md").write_text(f"# Quest\n\n{''.join(parts)}", "utf-8")
    with (game / "game.toml").open("a", encoding="utf-8") as file:
        file.write("\n[booklet]\n")
    return game


def await_event(listener: Listener, name: str) -> Any:
    """What the next event of that name says."""
    while True:
        event = listener.get(timeout=PATIENCE)
        assert event is not None, "the session ended"
        if event.name == name:
            return json.loads(event.data)


def face_ids(state: Any) -> dict[str, str]:
    """The id of every face, by component/piece/side."""
    return {
        f"{component['id']}/{piece['id']}/{side}": id_
        for component in state["components"]
        for piece in component["pieces"]
        for side, id_ in piece["faces"].items()
    }


def paint_all(shown: Shown, state: Any) -> int:
    """How many faces were painted since the beginning, once all that are shown are."""
    for id_ in set(face_ids(state).values()):
        assert shown.session.picture(Wish(id_, "piece", GLANCE)), id_
    return shown.session.pictures.painted
