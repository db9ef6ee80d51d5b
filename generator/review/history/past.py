"""Take a game's folder and a git revision, make a temporary copy of the folder at that revision."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from msgspec import Struct

from generator.basics.errors import fail
from generator.basics.files import MEGABYTE
from generator.basics.place import Place
from generator.review.history.git import Git, ObjectReader, TreeEntry

MAX_FILES = 10_000
MAX_BYTES = 256 * MEGABYTE
MAX_FILE = 32 * MEGABYTE  # no reader of games accepts a larger one
_LONGEST_LINK = 1000  # bytes of its path


class Past(Struct, frozen=True):
    """A copy of a game's folder at a revision; `folder` is None if there was no such folder."""

    revision: str
    commit: str
    folder: Path | None

    def __str__(self) -> str:
        return f"{self.revision} ({self.commit[:8]})"


@contextmanager
def as_it_was(folder: Path, revision: str) -> Iterator[Past]:
    """A copy of a folder at a revision, which is removed at the end of the block.

    Raises PnpError if git, the repository or the revision is missing, or if the folder has more
    than MAX_FILES or MAX_BYTES.
    """
    git = Git(folder)
    prefix = git.prefix()
    commit = git.commit(revision)
    tree = git.tree(commit, prefix)
    entries = [entry for entry in git.files(tree) if _is_plain(entry.path)] if tree else []
    _check_size(folder, entries)
    with tempfile.TemporaryDirectory(prefix="pnp-") as temporary:
        there = Path(temporary).resolve() / folder.name
        with git.contents() as contents:
            try:
                _copy(entries, there, contents)
            except OSError as error:
                what = f"the folder as it was cannot be copied: {error.strerror}"
                raise fail(Place(str(folder)), what) from None
        yield Past(revision, commit, there if entries else None)


def _check_size(folder: Path, entries: Sequence[TreeEntry]) -> None:
    size = sum(entry.size for entry in entries if entry.size <= MAX_FILE)
    if len(entries) > MAX_FILES or size > MAX_BYTES:
        what = f"the folder had {len(entries):,} files then, {size / MEGABYTE:.0f} MB"
        raise fail(Place(str(folder)), what, f"at most {MAX_FILES:,}, {MAX_BYTES / MEGABYTE:g} MB")


def _is_plain(path: str) -> bool:
    """Whether a path stays within the folder on any system; a forged repository may have others."""
    parts = path.split("/")
    return not any(part in ("", ".", "..") or "\\" in part or ":" in part for part in parts)


def _copy(entries: Sequence[TreeEntry], there: Path, contents: ObjectReader) -> None:
    """Write the files first, and then the links, so that no file is written through a link."""
    for entry in sorted(entries, key=lambda entry: entry.is_link):
        path = there / PurePosixPath(entry.path)
        if entry.is_link:
            _link(path, entry, contents)
        else:
            _write(path, entry, contents)


def _write(path: Path, entry: TreeEntry, contents: ObjectReader) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        if entry.size <= MAX_FILE:
            file.write(contents.read(entry))
        else:
            file.truncate(MAX_FILE + 1)  # its reader reports that it is too large


def _link(path: Path, entry: TreeEntry, contents: ObjectReader) -> None:
    """Make a link, but not through another link. Readers of games refuse links out of a folder."""
    if entry.size > _LONGEST_LINK or path.parent.resolve() != path.parent:
        return
    target = contents.read(entry)
    if target and b"\0" not in target:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(os.fsdecode(target))
