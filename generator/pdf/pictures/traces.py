"""Take a folder, name its files with data that change when one is saved."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

Trace = tuple[int, int, int]


def traces(folder: str, within: str = "") -> Iterator[tuple[str, Trace]]:
    """The path of each file that is not hidden, with data that change when it is saved. Includes
    folders and broken links, because they may be faults of the game."""
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
    except OSError:  # a broken or circular link
        return entry.stat(follow_symlinks=False)
