"""Builds of each combination of games, papers, languages and ways to print.

All cores work on them. What is there already is not built again.
Several games are printed to a common PDF, or each to its own.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import distributions
from itertools import product
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import replace

from generator import game as gamefile
from generator import pdf
from generator.basics.errors import Place, PnpError, Problem, collecting, fail, quote, raise_all
from generator.basics.papers import parse_paper
from generator.basics.writing import resolve_output, scratch, write_together, write_whole
from generator.export.site.pages import digest_folder
from generator.model import Sheet
from generator.pdf.press import Inker
from generator.pipeline import printing
from generator.pipeline.game import bound_of, read
from generator.pipeline.request import PrintOptions, Request, Sides, parse_request
from generator.pipeline.sheets import Progress, print_sheets
from generator.text import HOUSE_FONTS

MANIFEST = "batch.json"
_PACKAGE = Path(__file__).parents[1]
ALL_LANGUAGES = "all"
MOST_BUILDS = 10_000


class BatchBuild(Struct, frozen=True):
    """One PDF of a batch. here: the folder in which the game's name was given. margin: with its
    unit. printer: a name, or "none". digest: of all that the PDF is made of."""

    game: str
    here: Path
    paper: str
    language: str
    sides: Sides
    margin: str
    printer: str
    digest: str

    @property
    def file(self) -> str:
        game = self.here / self.game  # joined, "." has a name
        name = game.resolve().name if game.name == ".." else game.name
        return "-".join(filter(None, (name, self.language, self.paper, self.sides))) + ".pdf"

    @property
    def options(self) -> list[str]:
        """The options for `pnp build`. The machine that builds may have other settings than this one."""
        how = ["--paper", self.paper, "--sides", self.sides, "--lang", self.language]
        return [*how, "--margin", self.margin, "--printer", self.printer]


class Built(NamedTuple):
    """The PDFs of a build by what their names end in (".pdf", "-a3.pdf"), none if it failed.
    `notes` is what pnp said."""

    files: dict[str, bytes]
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
    options: PrintOptions,
) -> BatchResult:
    """Writes a PDF for each combination to `folder`, and what it is made of to batch.json there.
    `options` has the margin and the printer.

    A build that fails stops no other. After an interrupt, the same batch goes on where it was. Raises PnpError if a
    game, a paper or a language does not exist, or if two builds would write one file; then nothing is built.
    """
    builds = list(_list_builds(games, papers, languages, ways, folder, options))
    if len(builds) > MOST_BUILDS:
        raise fail(Place("the batch"), f"it has {len(builds):,} builds", f"at most {MOST_BUILDS:,}")
    _check_different(builds)
    before = _read_manifest(folder)
    found = (_find_files(folder, build, before) for build in builds)
    manifest = {file: entry for files in found for file, entry in files.items()}
    result = BatchResult([], [folder / file for file in manifest], {})
    kept = {entry["inputs"] for entry in manifest.values()}
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        waiting = {threads.submit(make, b): b for b in builds if b.digest not in kept}
        try:
            for done, future in enumerate(as_completed(waiting), 1):
                build, (files, notes) = waiting[future], future.result()
                named = {f"{build.file.removesuffix('.pdf')}{end}": files[end] for end in files}
                if named:
                    write_together(folder, {folder / name: named[name] for name in named})
                    manifest |= {name: _entry(build, named[name]) for name in named}
                    text = json.dumps(manifest, indent=1, sort_keys=True) + "\n"
                    write_whole(folder / MANIFEST, text.encode())
                    result.made.extend(folder / name for name in named)
                else:
                    result.failed[build.file] = notes
                report(len(builds) - len(waiting) + done, len(builds))
        finally:
            for future in waiting:
                future.cancel()
    result.made.sort()
    return result


def make(build: BatchBuild) -> Built:
    """Builds the PDFs of one build in a process of its own: the work of a worker."""
    with scratch() as temporary:
        path = temporary / "kit.pdf"
        command = [sys.executable, "-P", "-m", "generator", "build", build.game, *build.options]
        command += ["-o", str(path)]
        utf8 = {**os.environ, "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run(command, cwd=build.here, env=utf8, capture_output=True, check=False)
        made = sorted(temporary.glob("kit*.pdf")) if done.returncode == 0 else []
        files = {path.name.removeprefix("kit"): path.read_bytes() for path in made}
    return Built(files, done.stderr.decode("utf-8", "replace").strip())


def _list_builds(
    games: Sequence[str],
    papers: Sequence[str],
    languages: Sequence[str],
    ways: Sequence[Sides],
    output: Path,
    options: PrintOptions,
) -> Iterator[BatchBuild]:
    problems: list[Problem] = []
    for paper in papers:
        with collecting(problems):
            parse_paper(paper)
    code = _digest_code() if not problems else ""
    for name in games:
        try:
            wanted = _languages(name, languages)
            folder, _ = gamefile.find(name)
        except PnpError as error:
            problems += error.problems
            continue
        files = digest_folder(folder, output)
        for paper, language, way in () if problems else product(papers, wanted, ways):
            chosen: PrintOptions = {"paper": paper, "language": language, "sides": way}
            request = parse_request(name, {**options, **chosen})
            digest = sha256(f"{code} {files} {request}".encode()).hexdigest()
            margin, printer = options.get("margin"), options.get("printer")
            margin = margin if isinstance(margin, str) else request.printing.margins.text
            how = margin, printer.name if printer else "none"
            yield BatchBuild(name, Path.cwd(), paper, language, way, *how, digest)
    raise_all(problems)


def _digest_code() -> str:
    """The digest of pnp's own files, and of the versions of what is installed: libraries and other
    packages draw too."""
    own = [digest_folder(folder, folder) for folder in (_PACKAGE, HOUSE_FONTS)]
    installed = sorted(f"{package.name} {package.version}" for package in distributions())
    return sha256(" ".join([*own, *installed]).encode()).hexdigest()


def _check_different(builds: Sequence[BatchBuild]) -> None:
    """Raises PnpError if some builds would write one file; some systems see no capitals in names,
    and no difference between the forms of Unicode."""
    by_file: dict[str, BatchBuild] = {}
    problems: dict[str, Problem] = {}
    for build in builds:
        other = by_file.setdefault(normalize("NFC", build.file).casefold(), build)
        if other is not build:
            what = "two of the games would be written here"
            hint = f"build them into two folders: {quote(other.game)} and {quote(build.game)}"
            if other.game == build.game:
                what, hint = "this would be written twice", "name each game and paper once"
            problems.setdefault(other.file, Problem(Place(other.file), what, hint))
    raise_all(problems.values())


def _languages(name: str, asked: Sequence[str]) -> Sequence[str]:
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


def _find_files(folder: Path, build: BatchBuild, manifest: Mapping[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """The entries of the files of a build, if all are as they were built from the same inputs."""
    stem = build.file.removesuffix(".pdf")
    named = ((name, entry) for name, entry in manifest.items() if name.startswith(stem) and "/" not in name)
    found = {name: it for name, it in named if isinstance(it, dict) and it.get("inputs") == build.digest}
    is_whole = all(
        (folder / name).is_file() and entry == _entry(build, (folder / name).read_bytes())
        for name, entry in found.items()
    )
    return found if is_whole else {}


def _read_manifest(folder: Path) -> dict[str, dict[str, str]]:
    try:
        read = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def print_games(requests: Sequence[Request], output: Path | None, progress: Progress) -> printing.PrintedGame:
    """Write the games to the file `output`, one after the other; or, if it is a folder or None, to
    a file each, as `print_game` does.

    Raises PnpError with the faults of all games, and then writes nothing.
    """
    if not _is_folder(output):
        requests = [replace(request, is_bound=len(requests) > 1) for request in requests]
    games = _impose(requests, progress)
    notes = [note for game in games for note in game.notes]
    faults = [fault for game in games for fault in game.faults]
    warnings = [warning for game in games for warning in game.warnings]
    games = [game for game in games if game.sheets]
    files: dict[Path, bytes] = {}
    cuts: dict[Path, bytes] = {}
    with Inker(requests[0].press_colour) as inker:
        for path, bound in _divide(output, games):
            planned, more = printing.plan_files(path, bound)
            notes += more
            for file, parts in planned.items():
                if file in files:
                    what = "two of the games would be written here"
                    raise fail(Place(str(file)), what, "name a file for all of them: -o games.pdf")
                inked, more = inker.ink(_print(parts, progress))
                files[file] = printing.mark_cuts(inked, parts)
                notes += more
            cuts |= printing.trace_cuts(path, bound, progress)
    if files:
        write_together(next(iter(files)).parent, files | cuts)
    return printing.PrintedGame([*files, *printing.folders_of(cuts)], notes, faults, warnings)


def _impose(requests: Sequence[Request], progress: Progress) -> list[printing.ImposedGame]:
    """Imposes each game. Raises PnpError with the faults of all."""
    games: list[printing.ImposedGame] = []
    problems: list[Problem] = []
    for request in requests:
        with collecting(problems):
            games.append(printing.impose_game(request, progress))
    raise_all(problems)
    return games


def _divide(output: Path | None, games: list[printing.ImposedGame]) -> list[tuple[Path, list[printing.ImposedGame]]]:
    if _is_folder(output):
        return [(resolve_output(output, game.path), [game]) for game in games]
    return [(resolve_output(output, game.path), _in_step(games)) for game in games[:1]]


def _is_folder(output: Path | None) -> bool:
    """Whether each game has a file of its own."""
    with suppress(OSError):  # `resolve_output` reports the fault
        return output is None or output.is_dir()
    return False


def _in_step(games: list[printing.ImposedGame]) -> list[printing.ImposedGame]:
    """If a game has backs, the sheets of those without get empty ones: a duplex printer would print
    the next front there."""
    if not any(sheet.flip for game in games for sheet in game.sheets):
        return games
    return [replace(game, sheets=list(map(_back, game.sheets))) for game in games]


def _back(sheet: Sheet) -> Sheet:
    if len(sheet.pages) > 1:
        return sheet
    (front,) = sheet.pages
    empty = replace(front, side="back", placements=(), marks=(), labels=())
    return replace(sheet, pages=(front, empty))


def _print(parts: Sequence[tuple[printing.ImposedGame, list[Sheet]]], progress: Progress) -> bytes:
    """One file. Each game has a press of its own, since a press knows only the fonts of one."""
    printed = []
    for game, sheets in parts:
        with pdf.Press(is_early=False) as press:
            printed.append(print_sheets(game.game, sheets, game.drawn, press, progress))
    if len(printed) == 1:
        return printed[0]
    from generator.pdf.binding import bind  # loads what only several games need

    return bind(printed)
