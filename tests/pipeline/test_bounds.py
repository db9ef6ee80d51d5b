"""A game that is too much to read is told so by every command, and nothing is written."""

from __future__ import annotations

import sys
import threading
import time
from functools import partial
from pathlib import Path
from shutil import copytree

import pytest

from generator import game as gamefile
from generator.basics.bounds import Bound
from generator.basics.errors import Place
from generator.layout.printers import Store
from generator.pipeline import game, listing, previewing
from tests.bad_specs.games import HERE
from tests.conftest import Pnp
from tests.studio.showing import QUEST, await_event, face_ids

posix = pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")


def work_a_second(*_: object) -> list[str]:
    """Work longer than the processor's clock takes for a step, which is 4 ms while a timer runs: a
    small game may be read between two of them."""
    end = time.thread_time() + 1
    while time.thread_time() < end:
        sum(range(1000))
    return []


@posix
@pytest.mark.parametrize(
    "command", [["check"], ["build"], ["build", "--plan"], ["export", "--to", "png"], ["diff"]], ids=" ".join
)
def test_too_much_is_one_message(command: list[str], pnp: Pnp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copytree(HERE / "_tiny", tmp_path / "game")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(game, "Bound", partial(Bound, seconds=1e-5))
    monkeypatch.setattr(gamefile, "find", work_a_second)
    monkeypatch.setattr("generator.basics.bounds.SECONDS_A_FACE", 0.0)
    result = pnp(command[0], "./game", *(["HEAD"] if command == ["diff"] else command[1:]))
    assert result.exit_code == 1
    assert result.output.startswith("error: './game': reading and drawing it takes more than ")
    assert "make it smaller" in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["game"]


@posix
def test_the_list_of_games_is_bounded(pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "Bound", partial(Bound, seconds=1e-5))
    monkeypatch.setattr(gamefile, "names", work_a_second)
    result = pnp("list", "--names")
    assert result.exit_code == 1
    assert "the list of games" in result.output


@posix
def test_all_languages_of_a_check_share_a_bound(pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Bound] = []

    def noted(name: str) -> Bound:
        made.append(Bound(Place(name)))
        return made[-1]

    monkeypatch.setattr("generator.pipeline.checking.bound_of", noted)
    assert pnp("check", QUEST).exit_code == 0
    assert len(made) == 1


@posix
def test_the_preview_recovers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its main thread looks; another is the person who saves a smaller file."""
    folder = tmp_path / "quest"
    copytree(QUEST, folder)
    told: list[object] = []
    session = previewing.preview_session(str(folder), {}, Store(tmp_path)).__enter__()
    listener = session.listen()
    seconds = [1e-5]
    monkeypatch.setattr(previewing, "bound_of", lambda name: Bound(Place(name), seconds[0]))

    def save() -> None:
        try:
            told.extend(await_event(listener, "broken"))
            seconds[0] = 99.0
            (folder / "cards.csv").touch()
            told.append(len(face_ids(await_event(listener, "state"))))
        finally:
            session.__exit__()

    person = threading.Thread(target=save)
    person.start()
    session.look()
    person.join()
    problem, faces = told
    assert isinstance(problem, dict)
    assert "takes more than 1e-05 s of the processor" in problem["what"]
    assert faces == 12
