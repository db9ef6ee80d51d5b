"""A ring passes; each way to break it is reported."""

from pathlib import Path
from shutil import copytree

import pytest

from generator import check_game

RING = Path(__file__).parents[1] / "ring"


def faults_of(game: Path) -> list[str]:
    return [problem.what for problem in check_game(game)]


def test_a_ring_passes() -> None:
    assert faults_of(RING) == []


@pytest.mark.parametrize(
    ("row", "broken", "what"),
    [
        ("shoal,skerry", "shoal,reef", "there is no 'reef'"),
        ("shoal,skerry", "shoal,point", "shoal leads back to point, not to skerry"),
        ("haven,point", "haven,skerry", "no way leads from skerry to point and shoal"),
    ],
)
def test_a_broken_ring_is_reported(tmp_path: Path, row: str, broken: str, what: str) -> None:
    game = copytree(RING, tmp_path / "ring")
    table = game / "lights.csv"
    table.write_text(table.read_text("utf-8").replace(row, broken), "utf-8")
    assert faults_of(game) == [what]
