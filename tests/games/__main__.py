"""`python -m tests.games`: play random games by the rules as code, look at every state of them."""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from typing import Any

from generator.play.engine import Engine
from tests.games.soundness import LOOKS, look_at_game
from tests.support.engines import engine_of

_A_BATCH = 200  # games
Chosen = tuple[tuple[str, str], ...]


def main() -> int:
    asked = _parser().parse_args()
    chosen = tuple(sorted(dict(text.split("=", 1) for text in asked.rule).items()))
    with ProcessPoolExecutor(asked.jobs) as pool:
        for game in asked.game or LOOKS:
            _run(pool, game, chosen, range(asked.first, asked.first + asked.games))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.games", description=__doc__)
    parser.add_argument("--game", action="append", choices=LOOKS, help="default: all of them")
    parser.add_argument("--games", type=int, default=1000, help="of each")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first")
    parser.add_argument("--rule", action="append", default=[], help="an option: mode=Max")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser


def _run(pool: ProcessPoolExecutor, game: str, chosen: Chosen, seeds: range) -> None:
    begun, done, states = time.monotonic(), 0, 0
    batches = [seeds[at : at + _A_BATCH] for at in range(0, len(seeds), _A_BATCH)]
    tasks = {pool.submit(_look, game, chosen, batch): len(batch) for batch in batches}
    title = " ".join([game, *("=".join(pair) for pair in chosen)])
    for task in as_completed(tasks):
        states += task.result()
        done += tasks[task]
        print(f"\r{title}: {done:,} games, {states:,} states", end="", flush=True)
    print(f", none illegal, {time.monotonic() - begun:,.0f} s", flush=True)


def _look(game: str, chosen: Chosen, seeds: range) -> int:
    """The number of states of these games."""
    engine = _engine(game, chosen)
    states = 0
    for seed in seeds:
        try:
            states += look_at_game(game, engine, seed)
        except AssertionError as error:
            raise SystemError(f"{game}, seed {seed}: {error}") from error
    return states


@cache
def _engine(game: str, chosen: Chosen) -> Engine[Any, Any]:
    return engine_of(game, **dict(chosen))


if __name__ == "__main__":
    raise SystemExit(main())
