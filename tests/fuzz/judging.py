"""Take a case, run it, say what came of it: made, told, or what must never be."""

from __future__ import annotations

import os
import re
import resource
import shutil
import socket
import traceback
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from click.testing import CliRunner, Result

from generator.cli import main
from generator.text.galley import hyphenate
from generator.web.server import ADDRESS
from tests.fuzz.cases import EARLIER, OUTPUT, TAKEN_PORT, Case

Kind = Literal["made", "told", "violation"]

MOST_SECONDS = 20.0  # of the processor, of one case
MOST_MEMORY = 1_000_000_000  # bytes that the process that runs it grows by
MOST_LETTERS = 1300  # of a line that a person is told: a place and a fault, 600 each
MOST_BESIDE = 3800  # of one that names the places of like faults: six, 600 each
MOST_TOLD = 100_000  # letters of all lines
TOO_MUCH_MEMORY = "too much memory"
_AT_FAULT = "pnp itself is at fault"
# Warnings that Python shows to nobody but who asks for them.
_UNSEEN = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)
# What a message begins with, and its further lines.
_MESSAGE = re.compile(r"(error|warning|note): \S|    (also|hint|accepted): \S")
_TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # of a line's direction
_VALUES = re.compile(r"'[^']*'|\"[^\"]*\"|\d[\d.,]*|\([^)]*\)")


class Outcome(NamedTuple):
    """What came of a case; of a violation its kind, in words that like ones share, and evidence."""

    kind: Kind
    what: str = ""
    evidence: str = ""


class Room:
    """A folder that cases are laid in, one after another. Within `with`, it is the working folder
    of this process, and what the process writes to its standard streams goes into a file."""

    def __init__(self, folder: Path) -> None:
        self.streams = folder / "streams"
        self._place = folder / "room"  # all that is ever deleted is in it
        self._laid: dict[str, bytes] = {}
        self._told = 0
        self._before = ExitStack()
        self._peak = 0

    def __enter__(self) -> Room:
        self._peak = _peak()
        self._place.mkdir()
        self._before.callback(os.chdir, Path.cwd())
        os.chdir(self._place)
        os.environ["XDG_CONFIG_HOME"] = str(self._place / "config")  # where printers are kept
        file = os.open(self.streams, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for stream in (1, 2):
            kept = os.dup(stream)
            self._before.callback(os.close, kept)
            self._before.callback(os.dup2, kept, stream)
            os.dup2(file, stream)
        os.close(file)
        self._before.enter_context(_taken_port())
        return self

    def __exit__(self, *_: object) -> None:
        self._before.close()

    def lay(self, files: Mapping[str, bytes]) -> None:
        """The game's folder holds these files; what earlier runs wrote is gone."""
        game, output = self._place / "game", self._place / OUTPUT
        for name in self._laid.keys() - files.keys():
            (game / name).unlink()
            del self._laid[name]
        for name, content in files.items():
            if self._laid.get(name) != content:
                path = game / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                self._laid[name] = content
        for path in self._place.iterdir():
            if path != game:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        output.parent.mkdir()
        output.write_bytes(EARLIER)

    def grown(self) -> int:
        """Bytes that the most memory this process ever held grew by since it came in."""
        return _peak() - self._peak

    def taken(self) -> str:
        """What was written past Python since it was last asked, to the streams of the process."""
        if self.streams.stat().st_size == self._told:
            return ""
        content = self.streams.read_bytes()[self._told :]
        self._told += len(content)
        return content.decode("utf-8", "replace")


@contextmanager
def _taken_port() -> Iterator[None]:
    """What serves a page finds its port taken, and ends. Another room may hold it already."""
    with socket.socket() as holder:
        with suppress(OSError):
            holder.bind((ADDRESS, TAKEN_PORT))
            holder.listen()
        yield


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@dataclass(frozen=True)
class _Run:
    """What a run of `pnp` came to."""

    result: Result
    warned: tuple[str, ...]
    streamed: str
    grown: int  # bytes


def judge(case: Case, room: Room, *, is_repeated: bool = False) -> Outcome:
    """Run a case, twice to see whether the same comes of it. It is not guarded: who calls this
    watches over hangs and crashes."""
    run = _run(case, room)
    for what, evidence in _violations(run):
        return Outcome("violation", what, evidence)
    if is_repeated:
        again = _run(case, room).result
        if (again.exit_code, again.output) != (run.result.exit_code, run.result.output):
            evidence = f"{run.result.output}\n--- and then\n{again.output}"
            return Outcome("violation", "another result of the same files", evidence)
    return Outcome("told" if run.result.exit_code else "made")


def _run(case: Case, room: Room) -> _Run:
    room.lay(case.files)
    room.taken()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for kind in _UNSEEN:
            warnings.simplefilter("ignore", kind)
        result = CliRunner().invoke(main, case.arguments, prog_name="pnp", color=True)
    told = tuple(f"{fault.category.__name__}: {fault.message}" for fault in caught)
    return _Run(result, told, room.taken(), room.grown())


def _violations(run: _Run) -> Iterator[tuple[str, str]]:
    """What must never be, and the evidence of it."""
    result = run.result
    if result.exception and not isinstance(result.exception, SystemExit):
        yield _fault(result.exception), "".join(traceback.format_exception(result.exception))
    if _AT_FAULT in result.output:
        yield f"{_AT_FAULT}, as is told", result.output
    if "Traceback (most recent" in result.output:
        yield "a traceback is told", result.output
    if run.warned:
        yield f"a warning: {_kind_of(run.warned[0])}", "\n".join(run.warned)
    if run.streamed:
        yield "a library writes to the terminal", run.streamed
    yield from _written(result)
    yield from _left_behind(result)
    if run.grown > MOST_MEMORY:
        yield TOO_MUCH_MEMORY, f"{run.grown / 1e6:.0f} MB"


def _fault(error: BaseException) -> str:
    """What `pnp` says of an exception that no command expects."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{_AT_FAULT}: {type(error).__name__} ({Path(place.filename).name}:{place.lineno})"


def _written(result: Result) -> Iterator[tuple[str, str]]:
    """What is wrong with the words that a person is told."""
    for line in result.output.split("\n"):
        told = line.lstrip("\t")  # with which click lists choices
        odd = next((letter for letter in told if not _is_harmless(letter)), "")
        if odd and not (result.exit_code == 0 and _is_path(line)):
            yield f"U+{ord(odd):04X} in a message: {_kind_of(line)}", repr(line)
        if len(line) > (MOST_BESIDE if line.startswith("    also: ") else MOST_LETTERS):
            yield f"a long line: {_kind_of(line)}", line
    faults = result.output if result.exit_code else result.stderr
    if len(faults) > MOST_TOLD:
        yield "a long answer", faults[:MOST_TOLD]
    if result.exit_code not in (0, 1, 2):
        yield f"exit code {result.exit_code}", repr(result.output)
    if result.exit_code == 1 and "Aborted!" not in result.stderr:
        if not result.output.strip():
            yield "an error without a word", ""
        for line in result.stderr.splitlines():
            if not _MESSAGE.match(line):
                yield f"a line that is no message: {_kind_of(line)}", result.stderr


def _is_path(line: str) -> bool:
    """Whether it is a path that was made, which scripts read as it is."""
    return line != "" and os.path.lexists(line)


def _is_harmless(letter: str) -> bool:
    """Whether a terminal shows a character where it stands, and nothing else happens."""
    return unicodedata.category(letter) not in ("Cc", "Cs", "Zl", "Zp") and letter not in _TURNS


def _kind_of(line: str) -> str:
    """A message without the values in it."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in line[:2000])
    return _VALUES.sub("…", plain)[:90]


def _left_behind(result: Result) -> Iterator[tuple[str, str]]:
    """What is wrong with the files that a run left."""
    output = Path(OUTPUT)
    beside = sorted(path.name for path in output.parent.iterdir() if path != output)
    content = output.read_bytes() if output.is_file() else b""
    if result.exit_code and content != EARLIER:
        yield "the earlier output is not what it was", repr(content[:99])
    if (content != EARLIER and not content.startswith(b"%PDF-")) or not content:
        yield "the output is no PDF", repr(content[:99])
    if result.exit_code and beside:
        yield "files are left beside the output", ", ".join(beside)


def trace(case: Case, room: Room) -> str:
    """What a run says, and the traceback of a fault of our own: for `--replay`."""
    result = _run(case, room).result
    is_told = result.exception is None or isinstance(result.exception, SystemExit)
    more = "" if is_told else "".join(traceback.format_exception(result.exception))
    return f"{result.output}exit code {result.exit_code}\n{more}"


def warm_up(cases: Iterable[Case], room: Room) -> None:
    """Load what runs need, before the process is doubled."""
    hyphenate("", "de")  # its patterns take longest, and few cases ask for them
    for case in cases:
        _run(case, room)
