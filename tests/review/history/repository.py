"""Take a folder, make it a git repository that knows nothing of who runs the tests."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

_WHO = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "A"), ("EMAIL", "a@example.org"), ("DATE", "2001-02-03T04:05:06Z"))
}
_ALONE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


@dataclass(frozen=True)
class Repository:
    folder: Path

    @classmethod
    def at(cls, folder: Path) -> Repository:
        folder.mkdir(parents=True, exist_ok=True)
        repository = cls(folder)
        repository.git("init", "--quiet", "--initial-branch=main")
        return repository

    def git(self, *arguments: str, told: bytes = b"") -> str:
        """What git says; `told` is its stdin."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        done = subprocess.run(
            ["git", "-C", str(self.folder), *arguments],
            input=told,
            env=environment | _WHO | _ALONE,
            capture_output=True,
            check=True,
        )
        return done.stdout.decode().strip()

    def commit(self, message: str = "as it is") -> str:
        """All that is in the folder; the id of the commit."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def forge(self, *entries: tuple[str, str, str]) -> str:
        """A tree of (mode, name, id) that git itself would never make."""
        raw = b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(id_) for mode, name, id_ in entries)
        return self.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", told=raw)

    def blob(self, content: bytes) -> str:
        return self.git("hash-object", "-w", "--stdin", told=content)

    def object(self, name: str) -> Path:
        """The file that holds an object, where it is not packed."""
        id_ = self.git("rev-parse", name)
        return self.folder / f".git/objects/{id_[:2]}/{id_[2:]}"

    def commit_tree(self, tree: str) -> str:
        return self.git("commit-tree", tree, "-m", "forged")
