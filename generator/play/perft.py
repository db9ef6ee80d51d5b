"""Count the ways in which a game can go on, to compare engines with each other."""

from __future__ import annotations

from collections import Counter
from typing import TypeVar

from generator.play.engine import Engine

State = TypeVar("State")
Move = TypeVar("Move")


def count_paths(engine: Engine[State, Move], depth: int, state: State | None = None) -> int:
    """How many sequences of so many moves there are, those of chance included: `perft`, as chess
    programs call it. Equal pieces count once if the engine's moves do not tell them apart. A
    sequence that ends earlier counts too."""
    level: Counter[State] = Counter([engine.start() if state is None else state])
    ended = 0
    for _ in range(depth):
        after: Counter[State] = Counter()
        for each, paths in level.items():
            moves = engine.legal(each)
            ended += 0 if moves else paths
            for move in moves:
                after[engine.apply(each, move)] += paths
        level = after
    return ended + level.total()
