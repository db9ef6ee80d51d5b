"""Play on a cluster of this machine, kill a worker that plays, print what was counted as JSON."""

from __future__ import annotations

import json
import os
import signal
import sys

from distributed import LocalCluster

from generator.games.talavera.play import Talavera
from generator.play import batches
from generator.play.batches import WHOLE, Series, join_cluster, play_series
from tests.support.engines import decks_of

GAMES = 3000


def series() -> Series:
    return Series(Talavera, decks_of("talavera"), {}, ("random",), 4, GAMES)


def main() -> None:
    batches._SECONDS_TRIED = 0.0
    batches._MOST_A_BATCH = 50
    killed: list[int] = []
    with LocalCluster(2, threads_per_worker=1) as cluster, join_cluster(cluster.scheduler_address) as executor:
        assert executor is not None

        def kill_one(played: int, _: int) -> None:
            if played and not killed:
                killed.append(executor.submit(os.getpid).result())
                os.kill(killed[0], signal.SIGKILL)

        counts = play_series(series(), WHOLE, kill_one, executor)
    assert killed
    json.dump(counts.to_json(), sys.stdout)


if __name__ == "__main__":  # the workers load this module too
    main()
