"""Take a folder, tell which of its files changed: by looking, which works on any disk.

The system's own events (watchfiles) are not told of a folder that was deleted and made again, nor
of a file that a link leads to, and a network's disk has none.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

MOST_FILES = 5000
_PAUSE = 0.01  # s between looks
_SHARE = 0.05  # of the time that looking may take
_SETTLED = 0.004  # s for which nothing changes once a file is saved
_MOST_WAITS = 20

Trace = tuple[int, int, int]


class Watch:
    """What the files of a folder are like, and what they were when last asked."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.pause = _PAUSE
        self._known = self._look()

    def find_changes(self) -> set[str]:
        """The files, by their path in the folder, that came, went or changed since last asked.

        While more of them change, it waits a moment: an editor may be at work.
        """
        now = self._look()
        if now == self._known:
            return set()
        for _ in range(_MOST_WAITS):
            time.sleep(_SETTLED)
            before, now = now, self._look()
            if before == now:
                break
        names = self._known.keys() | now.keys()
        differing = {name for name in names if self._known.get(name) != now.get(name)}
        self._known = now
        return differing

    def _look(self) -> dict[str, Trace]:
        started = time.perf_counter()
        found = dict(islice(traces(str(self._folder)), MOST_FILES))
        self.pause = max(_PAUSE, (time.perf_counter() - started) / _SHARE)
        return found


def traces(folder: str, within: str = "") -> Iterator[tuple[str, Trace]]:
    """Each file that is not hidden, and what of it is another once it is saved; also that there
    is a folder or a link that leads nowhere, since either may be a fault of the game."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    yield f"{within}{entry.name}/", (0, 0, 0)
                    yield from traces(entry.path, f"{within}{entry.name}/")
                else:
                    stat = _stat(entry)
                    yield f"{within}{entry.name}", (stat.st_mtime_ns, stat.st_size, stat.st_ino)


def _stat(entry: os.DirEntry[str]) -> os.stat_result:
    try:
        return entry.stat()
    except OSError:  # a link that leads nowhere or in a circle
        return entry.stat(follow_symlinks=False)
