"""Take a folder, find its changed files by polling, which works on any disk.

Events of the system (watchfiles) do not cover a folder that is deleted and made again, the target
of a link, or a network disk.
"""

from __future__ import annotations

import time
from itertools import islice
from pathlib import Path

from generator.pdf.pictures.traces import Trace, traces

MOST_FILES = 5000
_PAUSE, _PAUSE_AT_WORK = 0.02, 0.003  # s between two scans, at least
_AT_WORK = 300.0  # s after a change, in which the next one is likely
_SHARE = 0.05  # of the time, for scanning
_SETTLED = 0.004  # s without changes, after which a file counts as whole
_LONG_SAVED = 8_000_000  # ns since then; the clock of a disk may be 4 ms behind
_ADDED = 0.05  # s for which a new file may be the next content of another, saved beside it
_SOON = 0.001  # s between two looks for that
_MOST_WAITS = 80


class Watch:
    """The state of the files in a folder at the last scan; `pause` is the time until the next one,
    in seconds."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.pause = _PAUSE
        self._changed = time.monotonic()
        self._known = self._look()

    def find_changes(self) -> set[str]:
        """The files that appeared, vanished or changed since the last call, by path in the folder.

        Waits a moment while more of them change: an editor may be saving. Where files only
        appeared, it waits longer, or the game would be built with the old content first.
        """
        now = self._look()
        if now == self._known:
            return set()
        by = time.monotonic() + _ADDED
        is_whole = self._is_whole(now)
        for _ in range(_MOST_WAITS):
            if is_whole and not (self._only_added(now) and time.monotonic() < by):
                break
            time.sleep(_SOON if is_whole else _SETTLED)
            before, now = now, self._look()
            is_whole = before == now or self._is_whole(now)
        names = self._known.keys() | now.keys()
        differing = {name for name in names if self._known.get(name) != now.get(name)}
        self._known, self._changed = now, time.monotonic()
        return differing

    def _is_whole(self, now: dict[str, Trace]) -> bool:
        """Whether no file vanished, and none that differs is still being written: each was written
        a while ago, or moved to its place since, as most are that are saved beside it."""
        by = time.time_ns() - _LONG_SAVED
        recent = (
            name for name, trace in now.items() if trace[0] >= by and trace != self._known.get(name)
        )
        return self._known.keys() <= now.keys() and all(map(self._was_moved, recent))

    def _was_moved(self, name: str) -> bool:
        """Whether a file got its name after its content."""
        try:
            status = (self._folder / name).stat()
        except OSError:
            return False
        return status.st_ctime_ns > status.st_mtime_ns

    def _only_added(self, now: dict[str, Trace]) -> bool:
        """Whether files appeared, and all others are as they were."""
        return now != self._known and self._known.items() <= now.items()

    def _look(self) -> dict[str, Trace]:
        started = time.perf_counter()
        files = dict(islice(traces(str(self._folder)), MOST_FILES))
        is_at_work = time.monotonic() < self._changed + _AT_WORK
        least = _PAUSE_AT_WORK if is_at_work else _PAUSE
        self.pause = max(least, (time.perf_counter() - started) / _SHARE)
        return files
