"""Thirty visitors at a table for a minute: one plays, all see, and each asks for pictures.

`python -m tests.bench.visitors taluva` prints how long answers took, how long until everybody saw a move, and errors.
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import threading
import time
from random import Random
from typing import Any

from generator.pipeline.tabling import refereed_table
from generator.play.table.server import TableServer
from tests.support.serving import serving

VISITORS, SECONDS = 30, 60.0
_PAUSE = 0.25  # s between what a visitor asks


class Visit:
    """A browser's connections: its stream of events, and what it asks meanwhile."""

    def __init__(self, server: TableServer, number: int) -> None:
        self._server, self._rng = server, Random(number)
        self.waits: list[float] = []
        self.errors: list[str] = []
        self.seen: dict[int, float] = {}  # when each state came
        self.state: dict[str, Any] = {}
        self.is_over = False
        self.me = self._ask("POST", "/enter", {"key": server.session.key}).decode()
        threading.Thread(target=self._listen, daemon=True).start()

    def _ask(self, method: str, path: str, body: object = None) -> bytes:
        begun = time.monotonic()
        headers = {"Content-Type": "application/json", "X-Visitor": getattr(self, "me", "")}
        asking = http.client.HTTPConnection("127.0.0.1", self._server.port, timeout=60)
        try:
            asking.request(method, path, None if body is None else json.dumps(body), headers)
            answer = asking.getresponse()
            content = answer.read()
            if answer.status != 200 and not (answer.status == 409 and b"is taken" in content):
                self.errors.append(f"{path}: {answer.status} {content[:80]!r}")
            self.waits.append(time.monotonic() - begun)
            return content
        except OSError as error:
            self.errors.append(f"{path}: {error!r}")
            return b""
        finally:
            asking.close()

    def _listen(self) -> None:
        asking = http.client.HTTPConnection("127.0.0.1", self._server.port)
        asking.request("GET", f"/events?me={self.me}")
        stream = asking.getresponse()
        while not self.is_over and (line := stream.readline()):
            if line.startswith(b"data: {"):
                self.state = json.loads(line[6:])
                self.seen.setdefault(self.state["number"], time.monotonic())
        asking.close()

    def look(self, until: float) -> None:
        """Asks for the pictures of what lies there, one at a time."""
        while time.monotonic() < until:
            faces = [stack["face"] for stack in self.state.get("stacks", ()) if stack["face"]]
            if faces:
                self._ask("GET", f"/face/{self._rng.choice(faces)}/piece-96.jpg")
            else:
                self._ask("GET", f"/supply?me={self.me}")
            time.sleep(_PAUSE)

    def play(self, until: float) -> None:
        """Takes the first seat, and makes moves at random."""
        self._ask("POST", "/act", {"do": "sit", "seat": 0})
        while time.monotonic() < until:
            time.sleep(_PAUSE)
            moves = self.state.get("played", {}).get("moves", ())
            act = {"do": "play", "move": self._rng.choice(moves)["name"]} if moves else {"do": "restart"}
            if moves or "is over" in self.state.get("played", {}).get("turn", ""):
                number = int(self._ask("POST", "/act", act) or 0)
                while number not in self.seen and time.monotonic() < until:
                    time.sleep(0.01)


def main(game: str) -> None:
    with refereed_table(game, ["random"], {}) as table, serving(TableServer(table)) as server:
        visits = [Visit(server, number) for number in range(VISITORS)]
        until = time.monotonic() + SECONDS
        player, *others = visits
        threads = [threading.Thread(target=player.play, args=(until,))]
        threads += [threading.Thread(target=other.look, args=(until,)) for other in others]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for visit in visits:
            visit.is_over = True
        waits = sorted(wait for visit in visits for wait in visit.waits)
        errors = [error for visit in visits for error in visit.errors]
        late = [max(each.seen[n] for each in visits if n in each.seen) - seen for n, seen in player.seen.items()]
    for name, times in ("answers", waits), ("until all saw a state", sorted(late)):
        middle, most = times[len(times) // 2], times[int(0.99 * len(times))]
        print(f"{game}, {name}: {len(times)}, median {1000 * middle:.0f} ms, p99 {1000 * most:.0f} ms")
    print(f"{len(errors)} errors, load average {os.getloadavg()[0]:.1f}", *errors[:5], sep="\n")


if __name__ == "__main__":
    main(sys.argv[1])
