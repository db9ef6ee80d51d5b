"""Findings from a process of its own: those of a check, and none when it is over."""

from __future__ import annotations

import pickle
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import copytree

import pytest
from msgspec.structs import replace

from generator import pdf, pipeline
from generator.basics.errors import PnpError, Problem
from generator.model import Face, FaceKey, Game
from generator.pipeline import looking
from generator.pipeline.game import draw
from generator.pipeline.inspecting import Inspector, _Answers, _Question
from generator.pipeline.sheets import silent
from tests.game.tiny import text, write
from tests.studio.showing import QUEST
from tests.support.processes import running

NEAR_THE_CUT = text("{{ t }}", 'fill="#ffffff"')
WELL_WITHIN = '<text x="9" y="30" fill="#ffffff">{{ t }}</text>'


@pytest.fixture
def inspector() -> Iterator[Inspector]:
    made = Inspector()
    yield made
    made.end()


def test_it_finds_what_a_check_finds(folder: Path, inspector: Inspector) -> None:
    loaded = pipeline.read(str(write(folder, NEAR_THE_CUT)))
    found = inspector.findings(loaded.game, draw(loaded, silent), None)
    assert found == [problem for problem in pipeline.check(str(folder)) if problem.rule.startswith("drift")]
    assert found
    assert inspector.findings(loaded.game, draw(loaded, silent), None) == found
    loaded = pipeline.read(str(write(folder, WELL_WITHIN)))
    assert inspector.findings(loaded.game, draw(loaded, silent), None) == []


@pytest.fixture(scope="module")
def lasting() -> Iterator[Inspector]:
    """One for several questions, as it is for a preview."""
    made = Inspector()
    yield made
    made.end()


@pytest.mark.parametrize("kind", ["cards", "hexes", "tokens"])
def test_it_finds_nothing_in_a_new_game(tmp_path: Path, lasting: Inspector, kind: str) -> None:
    """Whose tokens are the same on both sides."""
    loaded = pipeline.read(str(pipeline.start(str(tmp_path / "game"), kind)))
    assert lasting.findings(loaded.game, draw(loaded, silent), None) == []


@pytest.mark.parametrize("name", ["talavera", "toripoka"])
def test_it_finds_nothing_to_mend_in_the_house_games(lasting: Inspector, name: str) -> None:
    """In a few pieces of each component: tests/checks/preflight/test_games.py inspects them all."""
    loaded = pipeline.read(name)
    few = [replace(design.component, pieces=design.component.pieces[:4]) for design in loaded.designs]
    found = lasting.findings(loaded.game, draw(loaded, silent, few), None)
    assert {problem.level for problem in found} <= {"note"}


@pytest.mark.usefixtures("own_workers")
def test_an_end_is_reported_and_the_next_question_is_answered(folder: Path, inspector: Inspector) -> None:
    loaded = pipeline.read(str(write(folder, NEAR_THE_CUT)))
    drawn = draw(loaded, silent)
    inspector.findings(loaded.game, drawn, None)
    inspector._worker.kill()
    with pytest.raises(PnpError, match="the faces were not inspected"):
        inspector.findings(loaded.game, drawn, None)
    assert inspector.findings(loaded.game, drawn, None)


@pytest.mark.usefixtures("own_workers")
def test_when_it_is_over_no_process_is_left(folder: Path, inspector: Inspector) -> None:
    before = running()
    loaded = pipeline.read(str(write(folder, NEAR_THE_CUT)))
    assert inspector.findings(loaded.game, draw(loaded, silent), None)
    inspector.end()
    assert inspector.findings(loaded.game, draw(loaded, silent), None) == []
    assert running() == before


def test_of_too_many_faces_only_new_ones_are_inspected_up_to_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "MOST_LOOKED_AT", 2)
    game = tmp_path / "quest"
    copytree(QUEST, game)
    printed: list[str] = []

    def look(game: Game, press: pdf.Press, faces: Sequence[Face]) -> object:
        printed[:] = [face.id for face in faces]
        return look_at(game, press, faces)

    answers = _Answers()
    look_at = looking.as_printed
    monkeypatch.setattr(looking, "as_printed", look)

    def ask() -> tuple[dict[FaceKey, str], list[Problem]]:
        loaded = pipeline.read(str(game))
        drawn = draw(loaded, silent)
        (answer,) = answers.of(_Question(loaded.game, drawn, None))
        return {key: face.id for key, face in drawn.items()}, pickle.loads(answer)[0]

    ids, _ = ask()
    assert printed == [ids["cards", "dragon", "front"], ids["cards", "dragon", "back"]]
    table = game / "cards.csv"
    table.write_text(table.read_text("utf-8").replace("Dragon", "Another"), "utf-8")
    ids, findings = ask()
    assert printed == [ids["cards", "dragon", "front"]], "the back is known"
    assert {id_ for _, id_ in answers._known} == {*printed, ids["cards", "dragon", "back"]}
    assert findings[-1].what.startswith("5 of 7 faces were not inspected")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets no process rest")
def test_while_it_is_paused_it_answers_nothing(folder: Path, inspector: Inspector) -> None:
    loaded = pipeline.read(str(write(folder, NEAR_THE_CUT)))
    drawn = draw(loaded, silent)
    inspector.findings(loaded.game, drawn, None)  # and now at once
    answered = threading.Event()

    def ask() -> None:
        inspector.findings(loaded.game, drawn, None)
        answered.set()

    asking = threading.Thread(target=ask)
    with inspector.pause():
        asking.start()
        assert not answered.wait(1.0)
    asking.join()
    assert answered.is_set()


def test_what_is_paused_ends_when_it_is_over(folder: Path, inspector: Inspector) -> None:
    before = running()
    loaded = pipeline.read(str(write(folder, NEAR_THE_CUT)))
    assert inspector.findings(loaded.game, draw(loaded, silent), None)
    with inspector.pause():
        inspector.end()
    assert running() == before
