"""Every face that the page shows has a picture: of each game, those on its sheets too."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import msgpack
from PIL import Image, ImageStat

from generator import game as gamefile
from generator.basics.workers import Limits
from generator.pdf.pictures.picture_pool import GLANCE, Wish
from generator.pdf.pictures.picture_worker import PictureTask
from tests.studio.showing import QUEST, ROOT, await_event, face_ids, showing, with_rules

# cards, several components, and tiles with a variant and what stands
GAMES = [QUEST, ROOT / "generator/game/starters/skirmish", ROOT / "templates/taluva"]


def placements(state: Any) -> list[Any]:
    return [placement for sheet in state["sheets"] for page in sheet["pages"] for placement in page["placements"]]


class Quick:
    """A worker that paints nothing, and so at once: which faces it is asked for is looked at."""

    def __init__(self, _: str, __: Limits, *, threads: int) -> None:
        pass

    def start(self) -> None:
        pass

    end = kill = start

    def ask(self, task: PictureTask, count: int, _: float) -> Iterator[bytes]:
        assert count == 1
        yield msgpack.encode([f"{face.id} at {task.dpi:g} dpi".encode() for face in task.faces])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_face_has_a_picture(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.pdf.pictures.picture_pool.WorkerProcess", Quick)
    with showing(tmp_path / game.name, game) as shown:
        listener = shown.session.listen()
        for variant in ("", *gamefile.variants(game)):
            if variant:
                shown.session.choose({"variant": variant})
            state = await_event(listener, "state")
            on_sheets = {placement["face"] for placement in placements(state)}
            faces = set(face_ids(state).values())
            is_turned = any(piece["turned"] for part in state["components"] for piece in part["pieces"])
            assert on_sheets >= faces or is_turned  # those are shown as they are read
            for face in on_sheets | faces:
                assert shown.session.picture(Wish(face, "whole", GLANCE)) == f"{face} at 96 dpi".encode()


def test_cover_and_rules_are_painted(tmp_path: Path) -> None:
    with showing(with_rules(tmp_path)) as shown:
        listener = shown.session.listen()
        state = await_event(listener, "state")
        leaflets = {placement["face"] for placement in placements(state)} - set(face_ids(state).values())
        assert len(leaflets) > 2
        for face in leaflets:
            picture = shown.session.picture(Wish(face, "whole", GLANCE))
            with Image.open(io.BytesIO(picture or b"")) as image:
                assert ImageStat.Stat(image.convert("L")).stddev[0] > 10.0, "nothing is on it"
        shown.session.leave(listener)
