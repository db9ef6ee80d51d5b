"""A game's folder at a git revision.

Earlier versions of a folder are read from its git repository; nothing is changed. The folder of the
revision is a temporary copy.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from threading import Timer
from typing import IO

from msgspec import Struct

from generator.basics.errors import Place, PnpError, fail, quote
from generator.basics.files import MEGABYTE
from generator.basics.writing import scratch

SECONDS = 60.0  # more than any game needs
_MOST_LISTED = 4 * MEGABYTE  # bytes of a listing: some 40,000 files
_LONGEST_NAME = 200  # characters of a revision
_LISTED = "`git log --oneline` lists the commits; HEAD is the last one"
_DAMAGED = "`git fsck` lists damaged objects; `git fetch --refetch` gets objects that a clone lacks"

# no file system monitor, and no bare repository that is hidden among a folder's files
_SETTINGS = ("-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit")
_OURS = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
MAX_FILES = 10_000
MAX_BYTES = 256 * MEGABYTE
MAX_FILE = 32 * MEGABYTE  # no reader of games accepts a larger one
_LONGEST_LINK = 1000  # bytes of its path


class TreeEntry(Struct, frozen=True):
    """A file of a revision: `size` in bytes, `path` within the listed folder."""

    id: str
    path: str
    size: int
    is_link: bool


class Git(Struct, frozen=True):
    """The git repository of a folder."""

    folder: Path

    def prefix(self) -> str:
        """The path of the folder within the repository, "" for its top.

        Raises PnpError if git or the repository is missing, or if git refuses to read it.
        """
        result = self._run("rev-parse", "--show-prefix")
        if result.returncode == 0:
            return os.fsdecode(result.stdout).removesuffix("\n").removesuffix("/")
        complaint = _first_line(result)
        if "not a git repository" not in complaint:
            raise fail(Place(str(self.folder)), f"git says: {complaint}")
        tops = (self.folder, *self.folder.parents)
        if damaged := next((top for top in tops if (top / ".git").exists()), None):
            what = f"{damaged / '.git'} is not a valid git repository"
            raise fail(Place(str(self.folder)), what, "it is damaged or empty: make a new clone")
        hint = "git init, git add and git commit keep a game's versions"
        raise fail(Place(str(self.folder)), "this folder is not in a git repository", hint)

    def commit(self, revision: str) -> str:
        """The id of a commit by the name that a person gives it.

        Raises PnpError if there is no such commit, or if git cannot read it.
        """
        place = Place(f"revision {quote(revision)}")
        is_odd = not revision.isprintable() or len(revision) > _LONGEST_NAME
        if is_odd or revision[:1] in ("", "-"):
            raise fail(place, "there is no such commit", _LISTED)
        result = self._resolve(f"{revision}^{{commit}}")
        if result.returncode == 0:
            return result.stdout.decode().strip()
        if result.returncode > 1:  # 1 means that there is no object of that name
            hint = "`git log --oneline` lists the commits, `git fsck` lists damaged objects"
            raise fail(place, f"git cannot read this commit: {_first_line(result)}", hint)
        id_ = self._resolve(revision).stdout.decode().strip()
        if id_.isalnum() and id_ != revision and self._run("cat-file", "-e", id_).returncode:
            raise fail(place, f"git cannot read this commit: {id_} is missing", _DAMAGED)
        raise fail(place, "there is no such commit", self._hint(revision))

    def _hint(self, revision: str) -> str:
        if self._run("rev-parse", "--is-shallow-repository").stdout == b"true\n":
            return "this clone is shallow: `git fetch --unshallow` gets the missing commits"
        if revision != "HEAD":
            return _LISTED
        is_damaged = self._run("for-each-ref").stderr  # a branch without commits gives no error
        return _DAMAGED if is_damaged else "nothing is committed yet: git add, git commit"

    def last_tag(self) -> str:
        """The last tag before the current commit; "" if there is none."""
        result = self._run("describe", "--tags", "--abbrev=0", "HEAD^")
        return "" if result.returncode else os.fsdecode(result.stdout).strip()

    def tree(self, commit: str, path: str) -> str:
        """The id of the folder at a path in a commit, "" if there was none.

        Raises PnpError if git cannot read a folder of the path.
        """
        if not path:
            return commit
        result = self._run("ls-tree", "-z", "--full-tree", commit, "--", path)
        if result.returncode:
            raise _lacking(self.folder, path, _first_line(result))
        _, kind, id_ = (result.stdout.partition(b"\t")[0].decode().split() or ("", "", ""))[:3]
        return id_ if kind == "tree" else ""

    def files(self, tree: str) -> list[TreeEntry]:
        """All files in a folder and below.

        Raises PnpError if there are too many, or if git lacks one.
        """
        with self._running("ls-tree", "-rlz", "--full-tree", tree) as git:
            assert git.stdout is not None
            listing = git.stdout.read(_MOST_LISTED + 1)
            if len(listing) > _MOST_LISTED:
                raise fail(Place(str(self.folder)), "the folder had too many files then")
            code = git.wait()
        if code < 0:
            raise self._slow()
        if code:
            raise _lacking(self.folder, self.folder.name)
        entries = (line.partition(b"\t") for line in listing.split(b"\0")[:-1])
        return [self._entry(path, *head.split()) for head, _, path in entries]

    def _entry(self, path: bytes, mode: bytes, kind: bytes, id_: bytes, size: bytes) -> TreeEntry:
        """The entry of a file. A submodule has no name: its files are in another repository."""
        name = os.fsdecode(path) if kind == b"blob" else ""
        if name and not size.isdigit():
            raise _lacking(self.folder, name)
        return TreeEntry(id_.decode(), name, int(size) if name else 0, mode == b"120000")

    @contextmanager
    def contents(self) -> Iterator[ObjectReader]:
        """A reader of files, one after another."""
        with self._running("cat-file", "--batch") as git:
            assert git.stdin is not None
            assert git.stdout is not None
            yield ObjectReader(self.folder, git.stdin, git.stdout)

    def _resolve(self, name: str) -> subprocess.CompletedProcess[bytes]:
        return self._run("rev-parse", "--verify", "--quiet", "--end-of-options", name)

    def _command(self, *arguments: str) -> list[str]:
        return ["git", *_SETTINGS, "-C", str(self.folder), *arguments]

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = self._command(*arguments)
        try:
            return subprocess.run(command, capture_output=True, env=_environment(), timeout=SECONDS, check=False)
        except FileNotFoundError:
            hint = "install it to read earlier versions: git-scm.com"
            raise fail(Place("git"), "git is not installed", hint) from None
        except subprocess.TimeoutExpired:
            raise self._slow() from None

    def _slow(self) -> PnpError:
        return fail(Place(str(self.folder)), f"git takes more than {SECONDS:g} s")

    @contextmanager
    def _running(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        """A running command. It ends with the block, or without an answer if it takes too long."""
        command, pipe = self._command(*arguments), subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=_environment())
        watch = Timer(SECONDS, process.kill)
        watch.start()
        try:
            yield process
        finally:
            watch.cancel()
            process.kill()
            process.communicate()


class ObjectReader(Struct, frozen=True):
    """A running git that returns one file after another."""

    folder: Path
    requests: IO[bytes]
    answers: IO[bytes]

    def read(self, entry: TreeEntry) -> bytes:
        """The bytes of a file. Raises PnpError if git lacks it, or does not answer."""
        try:
            self.requests.write(f"{entry.id}\n".encode())
            self.requests.flush()
            head = self.answers.readline().split()  # id, kind, size
            size = int(head[2]) if len(head) == 3 else -1
            content = self.answers.read(size + 1)[:-1] if size == entry.size else None
        except BrokenPipeError:
            content = None
        if content is None or len(content) != entry.size:
            raise _lacking(self.folder, entry.path)
        return content


def _environment() -> dict[str, str]:
    """Our environment, without git's variables: a hook or alias may have set them for another repository."""
    return {key: v for key, v in os.environ.items() if not key.startswith("GIT_")} | _OURS


def _first_line(result: subprocess.CompletedProcess[bytes]) -> str:
    line = result.stderr.decode(errors="replace").strip().partition("\n")[0]
    return line.removeprefix("fatal: ").removeprefix("error: ")


def _lacking(folder: Path, path: str, complaint: str = "") -> PnpError:
    what = f"git cannot read {quote(path)} as it was"
    return fail(Place(str(folder)), f"{what}: {complaint}" if complaint else what, _DAMAGED)


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
    size = sum(entry.size for entry in entries if entry.size <= MAX_FILE)
    if len(entries) > MAX_FILES or size > MAX_BYTES:
        what = f"the folder had {len(entries):,} files then, {size / MEGABYTE:.0f} MB"
        raise fail(Place(str(folder)), what, f"at most {MAX_FILES:,}, {MAX_BYTES / MEGABYTE:g} MB")
    with scratch() as temporary:
        there = temporary.resolve() / folder.name
        with git.contents() as contents:
            try:
                _copy(entries, there, contents)
            except OSError as error:
                raise fail(Place(str(folder)), f"the folder as it was cannot be copied: {error.strerror}") from None
        yield Past(revision, commit, there if entries else None)


def _is_plain(path: str) -> bool:
    """Whether a path stays within the folder on any system; a forged repository may have others."""
    return not any(part in ("", ".", "..") or "\\" in part or ":" in part for part in path.split("/"))


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
        try:
            path.symlink_to(os.fsdecode(target))
        except OSError:  # on Windows, few may make links: git writes such a file there, too
            path.write_bytes(target)
