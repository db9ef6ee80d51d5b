"""Take games, papers, languages and ways to print, build each combination: on all cores, or on the
workers of an executor. What is there already is not built again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from hashlib import sha256
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from generator import game as gamefile
from generator.basics.errors import PnpError, Problem, fail, quote
from generator.basics.papers import parse_paper
from generator.basics.place import Place
from generator.basics.written import write_whole
from generator.export.site.files import digest_folder
from generator.pipeline.game import bound_of, read
from generator.pipeline.request import Sides

MANIFEST = "batch.json"
ALL_LANGUAGES = "all"
MOST_BUILDS = 10_000


class BatchBuild(Struct, frozen=True):
    """One PDF of a batch. here: the folder in which the game's name was given. digest: of all that
    the PDF is made of."""

    game: str
    here: Path
    paper: str
    language: str
    sides: Sides
    digest: str

    @property
    def file(self) -> str:
        """The name of the PDF, which tells all builds of a batch apart."""
        parts = (Path(self.game).name, self.language, self.paper, self.sides)
        return "-".join(part for part in parts if part) + ".pdf"


class Built(NamedTuple):
    """The PDF of a build, or why there is none. `notes` is what pnp said."""

    content: bytes
    notes: str


class BatchResult(Struct, frozen=True):
    """The paths of the files that were made, of those that were there, and what failed, by file."""

    made: list[Path]
    kept: list[Path]
    failed: dict[str, str]


Report = Callable[[int, int], None]  # builds done, of how many


def run_batch(
    games: Sequence[str],
    papers: Sequence[str],
    languages: Sequence[str],
    ways: Sequence[Sides],
    folder: Path,
    report: Report,
    executor: Executor | None = None,
) -> BatchResult:
    """Writes a PDF for each combination to `folder`, and what it is made of to batch.json there.

    A build that fails stops no other. After an interrupt, the same batch goes on where it was.
    Raises PnpError if a game, a paper or a language does not exist; then nothing is built.
    """
    builds = list(_list_builds(games, papers, languages, ways, folder))
    if len(builds) > MOST_BUILDS:
        raise fail(Place("the batch"), f"it has {len(builds):,} builds", f"at most {MOST_BUILDS:,}")
    before = _read_manifest(folder)
    kept = [build for build in builds if _is_there(folder, build, before)]
    result = BatchResult([], [folder / build.file for build in kept], {})
    manifest = {build.file: before[build.file] for build in kept}
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        waiting = {(executor or threads).submit(make, b): b for b in builds if b not in kept}
        try:
            for done, future in enumerate(as_completed(waiting), 1):
                build, (content, notes) = waiting[future], future.result()
                if content:
                    write_whole(folder / build.file, content)
                    manifest[build.file] = _entry(build, content)
                    write_whole(folder / MANIFEST, _write_manifest(manifest))
                    result.made.append(folder / build.file)
                else:
                    result.failed[build.file] = notes
                report(len(kept) + done, len(builds))
        finally:
            for future in waiting:
                future.cancel()
    result.made.sort()
    return result


def make(build: BatchBuild) -> Built:
    """Builds one PDF in a process of its own: the work of a worker."""
    with tempfile.TemporaryDirectory(prefix="pnp-") as temporary:
        path = Path(temporary) / "kit.pdf"
        how = ["--paper", build.paper, "--sides", build.sides, "--lang", build.language]
        command = [sys.executable, "-m", "generator", "build", build.game, *how, "-o", str(path)]
        done = subprocess.run(command, cwd=build.here, capture_output=True, text=True, check=False)
        content = path.read_bytes() if done.returncode == 0 else b""
    return Built(content, done.stderr.strip())


def _list_builds(
    games: Sequence[str],
    papers: Sequence[str],
    languages: Sequence[str],
    ways: Sequence[Sides],
    output: Path,
) -> Iterator[BatchBuild]:
    problems: list[Problem] = []
    for paper in papers:
        try:
            parse_paper(paper)
        except PnpError as error:
            problems += error.problems
    for name in games:
        try:
            wanted = _languages(name, languages)
            folder, _ = gamefile.find(name)
        except PnpError as error:
            problems += error.problems
            continue
        digest = f"{version('pnp-generator')} {digest_folder(folder, output)}"
        for paper, language, way in product(papers, wanted, ways):
            yield BatchBuild(name, Path.cwd(), paper, language, way, digest)
    if problems:
        raise PnpError(problems)


def _languages(name: str, asked: Sequence[str]) -> Sequence[str]:
    """The languages to print a game in. Raises PnpError if the game lacks one."""
    with bound_of(name).hold():
        known = ["", *read(name).game.languages]
    if ALL_LANGUAGES in asked:
        return known
    if missing := [language for language in asked if language not in known]:
        what = f"the game has nothing in the language {quote(missing[0])}"
        raise fail(Place(quote(name)), what, ", ".join(known[1:]) or "it has no translation")
    return asked


def _entry(build: BatchBuild, content: bytes) -> dict[str, str]:
    return {"inputs": build.digest, "sha256": sha256(content).hexdigest()}


def _is_there(folder: Path, build: BatchBuild, manifest: Mapping[str, object]) -> bool:
    """Whether the file is as it was built from the same inputs."""
    path = folder / build.file
    return path.is_file() and manifest.get(build.file) == _entry(build, path.read_bytes())


def _write_manifest(manifest: Mapping[str, dict[str, str]]) -> bytes:
    return (json.dumps(manifest, indent=1, sort_keys=True) + "\n").encode()


def _read_manifest(folder: Path) -> dict[str, dict[str, str]]:
    """What an earlier run wrote; empty if there is none, or something else."""
    try:
        read = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}
