"""How strong the bots are: each against each in the built-in games, as rows of docs/bots.md.

`python -m tests.bench.bots` plays all of them, for an hour, `python -m tests.bench.bots talavera`
those of one game. Bots take turns at the seats. Seconds are those of one core.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from generator.pipeline.playtesting import PlayRequest, playtest
from generator.play.figures import Estimate

FEW, MANY = "search:5", "search:20"
# Of each game how many games each pair plays, the fewer the longer they take.
PAIRS = {
    "talavera": {
        ("greedy", "random"): 1000,
        (FEW, "random"): 200,
        (FEW, "greedy"): 400,
        (MANY, "random"): 200,
        (MANY, "greedy"): 400,
        (MANY, FEW): 120,
    },
    "toripoka": {("greedy", "random"): 200, (FEW, "random"): 20, (FEW, "greedy"): 100, (MANY, "greedy"): 30},
    "taluva": {("greedy", "random"): 60, (FEW, "greedy"): 20, (MANY, "greedy"): 12},
    "advaya": {("greedy", "random"): 60, (FEW, "random"): 10, (FEW, "greedy"): 40, (MANY, "greedy"): 20},
    "atreya": {("greedy", "random"): 20, (FEW, "greedy"): 10, (MANY, "greedy"): 24},
}


def main(names: Sequence[str]) -> None:
    print("| game | bot | against | wins | interval | games | seconds a game |")
    print("|---|---|---|---|---|---|---|")
    for name in names or PAIRS:
        for (bot, other), games in PAIRS[name].items():
            wins, seconds = play(name, (bot, other), games)
            interval = f"{wins.low:.1f} to {wins.high:.1f}"
            row = name, f"`{bot}`", f"`{other}`", f"{wins.value:.1f} %", interval, games, seconds
            print("|", " | ".join(map(str, row)), "|", flush=True)


def play(name: str, bots: tuple[str, str], games: int) -> tuple[Estimate, str]:
    """The share of wins of the first bot, and the seconds of a game."""
    begun = time.process_time()
    with ThreadPoolExecutor(1) as executor:
        done = playtest(PlayRequest(name, games, bots), lambda *_: None, executor)
    seconds = (time.process_time() - begun) / games
    return done.figures.bots[bots[0]], f"{seconds:.2g}"


if __name__ == "__main__":
    main(sys.argv[1:])
