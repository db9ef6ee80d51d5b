"""Take a folder in a git repository, answer what git knows of its past; nothing is changed.

Only commands that read objects are used: none runs a hook, a filter or a converter, and no object
that is missing is fetched.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import IO, NamedTuple

from generator.errors import PnpError, fail, quote
from generator.files import MEGABYTE
from generator.place import Place

SECONDS = 60.0  # more than any game takes
_MOST_LISTED = 4 * MEGABYTE  # bytes of a listing: some 40,000 files
_LONGEST_NAME = 200  # characters of a revision
_LISTED = "`git log --oneline` lists them; HEAD is the last commit"
_DAMAGED = "`git fsck` lists what is damaged; `git fetch --refetch` gets what a clone left behind"
# no watcher, and no repository that lies about in a folder as if it were one of its files
_SETTINGS = ("-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit")
_OURS = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}


class TreeEntry(NamedTuple):
    """A file of a revision: `size` in bytes, `path` below the folder that was listed."""

    id: str
    path: str
    size: int
    is_link: bool


@dataclass(frozen=True, slots=True)
class Git:
    """What git knows of the repository that a folder lies in."""

    folder: Path

    def prefix(self) -> str:
        """The path of the folder below the top of the repository, "" for the top.

        Raises PnpError: there is no git, no repository, or git will not read it.
        """
        done = self._run("rev-parse", "--show-prefix")
        if done.returncode == 0:
            return os.fsdecode(done.stdout).removesuffix("\n").removesuffix("/")
        told = _first_words(done)
        if "not a git repository" not in told:
            raise fail(Place(str(self.folder)), f"git says: {told}")
        tops = (self.folder, *self.folder.parents)
        if damaged := next((top for top in tops if (top / ".git").exists()), None):
            what = f"git takes {damaged / '.git'} for no repository"
            hint = "it is damaged or empty: a new clone repairs it"
            raise fail(Place(str(self.folder)), what, hint)
        hint = "git init, git add and git commit keep a game's versions"
        raise fail(Place(str(self.folder)), "this folder is not in a git repository", hint)

    def commit(self, revision: str) -> str:
        """The id of the commit that a person calls so. Raises PnpError: there is none, or git
        cannot read it."""
        place = Place(f"revision {quote(revision)}")
        is_odd = not revision.isprintable() or len(revision) > _LONGEST_NAME
        if is_odd or revision[:1] in ("", "-"):
            raise fail(place, "git knows no such commit here", _LISTED)
        done = self._resolve(f"{revision}^{{commit}}")
        if done.returncode == 0:
            return done.stdout.decode().strip()
        if done.returncode > 1:  # 1 is git's answer to a name that stands for nothing
            hint = "`git log --oneline` lists what is there, `git fsck` what is damaged"
            raise fail(place, f"git cannot read this commit: {_first_words(done)}", hint)
        self._check_that_it_is_there(revision, place)
        raise fail(place, "git knows no such commit here", self._hint(revision))

    def _check_that_it_is_there(self, revision: str, place: Place) -> None:
        """Raises PnpError: the name stands for an object that the repository lacks."""
        id_ = self._resolve(revision).stdout.decode().strip()
        if id_.isalnum() and id_ != revision and self._run("cat-file", "-e", id_).returncode:
            raise fail(place, f"git cannot read this commit: {id_} is missing", _DAMAGED)

    def _hint(self, revision: str) -> str:
        if self._run("rev-parse", "--is-shallow-repository").stdout == b"true\n":
            return "this clone is shallow: `git fetch --unshallow` gets what is missing"
        if revision != "HEAD":
            return _LISTED
        is_damaged = self._run("for-each-ref").stderr  # a branch that was never committed is silent
        return _DAMAGED if is_damaged else "nothing is committed yet: git add, git commit"

    def tree(self, commit: str, path: str) -> str:
        """The id of the folder at a path in a commit, "" where there was none.

        Raises PnpError: git cannot read a folder on the way to it.
        """
        if not path:
            return commit
        done = self._run("ls-tree", "-z", "--full-tree", commit, "--", path)
        if done.returncode:
            raise _lacking(self.folder, path, _first_words(done))
        _, kind, id_ = (done.stdout.partition(b"\t")[0].decode().split() or ("", "", ""))[:3]
        return id_ if kind == "tree" else ""

    def files(self, tree: str) -> list[TreeEntry]:
        """All files in a folder and below. Raises PnpError: they are too many, or git lacks one."""
        with self._running("ls-tree", "-rlz", "--full-tree", tree) as git:
            assert git.stdout is not None
            listed = git.stdout.read(_MOST_LISTED + 1)
            if len(listed) > _MOST_LISTED:
                raise fail(Place(str(self.folder)), "the folder held too many files then")
            code = git.wait()
        if code < 0:
            raise self._slow()
        if code:
            raise _lacking(self.folder, self.folder.name)
        entries = (line.partition(b"\t") for line in listed.split(b"\0")[:-1])
        return [self._entry(path, *head.split()) for head, _, path in entries]

    def _entry(self, path: bytes, mode: bytes, kind: bytes, id_: bytes, size: bytes) -> TreeEntry:
        """A submodule is an entry without a name: its files are of another repository."""
        name = os.fsdecode(path) if kind == b"blob" else ""
        if name and not size.isdigit():
            raise _lacking(self.folder, name)
        return TreeEntry(id_.decode(), name, int(size) if name else 0, mode == b"120000")

    @contextmanager
    def contents(self) -> Iterator[ObjectReader]:
        """Answers with the bytes of files, one after another."""
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
            return subprocess.run(
                command, capture_output=True, env=_environment(), timeout=SECONDS, check=False
            )
        except FileNotFoundError:
            hint = "it is where the earlier versions are: git-scm.com"
            raise fail(Place("git"), "git is not installed", hint) from None
        except subprocess.TimeoutExpired:
            raise self._slow() from None

    def _slow(self) -> PnpError:
        return fail(Place(str(self.folder)), f"git takes more than {SECONDS:g} s")

    @contextmanager
    def _running(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        """A command at work; it ends with the block, or when it takes too long: what it was asked
        for then stays unsaid."""
        process = subprocess.Popen(
            self._command(*arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
        watch = Timer(SECONDS, process.kill)
        watch.start()
        try:
            yield process
        finally:
            watch.cancel()
            process.kill()
            process.communicate()


@dataclass(frozen=True, slots=True)
class ObjectReader:
    """A git that is asked for one file after another."""

    folder: Path
    asked: IO[bytes]
    out: IO[bytes]

    def read(self, entry: TreeEntry) -> bytes:
        """Raises PnpError: git does not have it, or does not answer."""
        try:
            self.asked.write(f"{entry.id}\n".encode())
            self.asked.flush()
            head = self.out.readline().split()  # id, kind, size
            size = int(head[2]) if len(head) == 3 else -1
            content = self.out.read(size + 1)[:-1] if size == entry.size else None
        except BrokenPipeError:
            content = None
        if content is None or len(content) != entry.size:
            raise _lacking(self.folder, entry.path)
        return content


def _environment() -> dict[str, str]:
    """Ours, without what a hook or an alias that called us says of another repository."""
    return {key: v for key, v in os.environ.items() if not key.startswith("GIT_")} | _OURS


def _first_words(done: subprocess.CompletedProcess[bytes]) -> str:
    """The first line of git's complaint."""
    line = done.stderr.decode(errors="replace").strip().partition("\n")[0]
    return line.removeprefix("fatal: ").removeprefix("error: ")


def _lacking(folder: Path, path: str, told: str = "") -> PnpError:
    what = f"git cannot read {quote(path)} as it was"
    return fail(Place(str(folder)), f"{what}: {told}" if told else what, _DAMAGED)
