"""Worker processes that run a module: if it hangs, crashes or takes too much memory, only it ends.

The parent starts the process, sends requests, watches the time and finds why it ended: its exit
code and output show whether that is its art, the machine or a person. The worker answers, keeps to
limits of memory and time, and ends with the parent.
"""

from __future__ import annotations

import os
import pickle
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from math import ceil
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, TYPE_CHECKING, Any, Literal, NoReturn, cast

from msgspec import Struct

from generator.basics import bounds
from generator.basics.errors import Place, Problem

if TYPE_CHECKING:
    import subprocess

_SECONDS_TO_START = 60.0  # at most, on a machine under load
_MOST_TROUBLE = 65536  # bytes to keep of a worker's standard error
_HAS_GROUPS = sys.platform != "win32"
_EVENTS = Path("/proc/vmstat")  # since Linux 4.13, counts processes killed when memory ran out
_CRASHES = ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGTRAP")
_NO_MEMORY = re.compile(r"^memory allocation of \d+ bytes failed$|std::bad_alloc|Cannot allocate memory", re.MULTILINE)
_EXCEPTION = re.compile(r"^(?:\w+\.)*(\w+(?:Error|Exception))(?:: |$)", re.MULTILINE)
_AGAIN = "start it again"
_REPORT = "please report this line with the game's folder"
_TOO_MUCH = "drawing it takes too much memory"
_LONGEST = 300  # characters of an exception
_SECONDS_BETWEEN_LOOKS = 0.5
_HEAD = 8  # bytes of a length
_AT_ONCE = 1024 * 1024  # bytes: a length may be wrong, so memory is taken only as data arrives
MEMORY = 4 * 1024 * 1024 * 1024  # bytes
SECONDS_A_FACE = 10.0
THREADS = 4  # each thread reserves memory, which counts as the worker's


class WorkerError(Exception):
    """A worker gave no answer; `ending` says why."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.problem.what)
        self.ending = ending


class WorkerProcess:
    """The process of a module that calls `serve`. Use as a context: the process ends with it.

    It starts with the first request, or earlier by `start`, and again with the next request after it ended. One thread
    at a time may send requests; `kill` and `pause` are for any thread. A worker that starts processes leads a group:
    they are killed and paused with it. `threads` is the number with which its engine draws.
    """

    def __init__(self, module: str, limits: Limits, *, leads_group: bool = False, threads: int = THREADS) -> None:
        self._module = module
        self._threads = threads
        self._limits = limits
        self._leads_group = leads_group and _HAS_GROUPS
        self._run: _RunningProcess | None = None

    def __enter__(self) -> WorkerProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def pid(self) -> int | None:
        """The id of the process; None if there is none."""
        return self._run.process.pid if self._run else None

    @property
    def waiting(self) -> int:
        """The number of requests that are not sent yet, because the process is at work."""
        return self._run.requests.qsize() if self._run else 0

    def start(self) -> None:
        """Start the process if there is none. Raises OSError or RuntimeError if the machine lacks something."""
        if self._run is None:
            self._run = run = _RunningProcess(self._module, self._leads_group, self._threads)
            try:
                run.attend()
            except RuntimeError:  # no thread can be started
                self.end()
                raise
            run.requests.put(pickle.dumps(self._limits))

    def send(self, request: object) -> None:
        """Send a request that has no answer, without waiting."""
        self.start()
        assert self._run is not None
        self._run.requests.put(pickle.dumps(request))

    def ask(self, request: object, answers: int, seconds: float) -> Iterator[bytes]:
        """Send a request, and yield each of its answers as soon as it arrives.

        `seconds` is the limit for all answers, without the start of the process: seconds of the
        processor, so that a busy machine refuses nothing; of the clock where the system does not
        count them. The process has ended when this raises WorkerError.
        """
        try:
            self._send_or_fail(request)
            self._await_start()
            assert self._run is not None
            allowance = bounds.Allowance(self._run.process.pid, seconds, THREADS)
            for _ in range(answers):
                yield self._answer_within(allowance)
        except WorkerError:
            self.end()
            raise

    def _send_or_fail(self, request: object) -> None:
        try:
            self.send(request)
        except (OSError, RuntimeError) as error:
            shortage = bounds.find_shortage(error)
            if shortage is None:
                raise
            raise WorkerError(Ending(shortage, "machine")) from None

    def _await_start(self) -> None:
        assert self._run is not None
        if not self._run.is_ready:
            what = f"a drawing process does not start within {_SECONDS_TO_START:g} s"
            late = Problem(bounds.HERE, what, "close other programs and start it again")
            try:
                self._answer(_SECONDS_TO_START)
            except Empty:
                raise WorkerError(Ending(late, "machine")) from None
            self._run.is_ready = True

    def _answer_within(self, allowance: bounds.Allowance) -> bytes:
        while True:
            with suppress(Empty):
                return self._answer(allowance.least_wait)
            bounds.note_progress()  # the allowance ends a worker that does nothing
            if allowance.left <= 0:
                raise WorkerError(meet_limit(f"drawing it takes more than {allowance.seconds:g} s"))
            if allowance.memory > self._limits.memory:
                raise WorkerError(meet_limit(_TOO_MUCH))

    def _answer(self, seconds: float) -> bytes:
        """Wait so long for an answer. Raises Empty if there is none, WorkerError if the process has ended."""
        assert self._run is not None
        answer = self._run.answers.get(timeout=seconds)
        if answer is None:
            raise WorkerError(self._run.find_ending())
        return answer

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Stop the process during the block, on systems that can do that."""
        self._signal("SIGSTOP")
        try:
            yield
        finally:
            self._signal("SIGCONT")

    def kill(self) -> None:
        """End the process at once; a thread that waits for an answer gets a WorkerError."""
        self._signal("SIGKILL")

    def end(self) -> None:
        """Kill the process and free its pipes and threads."""
        self.kill()
        if self._run is not None:
            self._run.close()
            self._run = None

    def _signal(self, name: str) -> None:
        run = self._run
        if run is None or run.process.returncode is not None:
            return
        if not _HAS_GROUPS:
            if name == "SIGKILL":
                run.process.kill()
            return
        send = os.killpg if self._leads_group else os.kill
        with suppress(OSError):  # the process has just ended
            send(run.process.pid, signal.Signals[name])


class _RunningProcess:
    """A process from its start to its end. A thread serves each of its pipes, so that neither side
    waits for the other to read."""

    def __init__(self, module: str, leads_group: bool, threads: int) -> None:
        self.killed_before = count_killed()
        self.process = _start(module, leads_group, threads)
        self.requests: SimpleQueue[bytes | None] = SimpleQueue()
        self.answers: SimpleQueue[bytes | None] = SimpleQueue()  # None when it has ended
        self.is_ready = False
        self._trouble = b""
        self._threads: list[threading.Thread] = []

    def attend(self) -> None:
        """Start the threads. Raises RuntimeError if no more threads can be started."""
        for target in (self._write, self._read, self._note_trouble):
            thread = threading.Thread(target=target, daemon=True)
            thread.start()
            self._threads.append(thread)

    def find_ending(self) -> Ending:
        """Wait for the end of the process, and find why it ended."""
        code = self.process.wait()
        for thread in self._threads[1:]:
            thread.join()
        return describe_ending(code, self._trouble.decode(errors="replace"), self.killed_before)

    def close(self) -> None:
        """Wait for the end of a killed process, and close its pipes."""
        self.requests.put(None)
        self.process.wait()
        for thread in self._threads:
            thread.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with suppress(OSError):  # a request may be half written
                    pipe.close()

    def _write(self) -> None:
        assert self.process.stdin is not None
        with suppress(OSError):  # `find_ending` reports why the process ended
            while (request := self.requests.get()) is not None:
                self.process.stdin.write(request)
                self.process.stdin.flush()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for answer in read_answers(self.process.stdout):
            self.answers.put(answer)
        self.answers.put(None)

    def _note_trouble(self) -> None:
        assert self.process.stderr is not None
        while part := os.read(self.process.stderr.fileno(), _MOST_TROUBLE):
            self._trouble = (self._trouble + part)[-_MOST_TROUBLE:]


def _start(module: str, leads_group: bool, threads: int) -> subprocess.Popen[bytes]:
    import subprocess

    numbers = {"RAYON_NUM_THREADS": str(threads), "MALLOC_ARENA_MAX": str(THREADS)}
    # -P: never run a file of the working folder that is named like a module
    command = [sys.executable, "-P", "-m", module, str(os.getpid())]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**numbers, **os.environ},
        process_group=0 if leads_group else None,
    )


class Ending(Struct, frozen=True):
    """The problem to report, and the cause: the art; a limit, reached for any reason; or the
    machine, so that no drawing is at fault."""

    problem: Problem
    cause: Literal["art", "limit", "machine"]


def meet_limit(what: str) -> Ending:
    """The ending of a worker that used too much, or crashed."""
    return Ending(Problem(Place("the sheets"), what), "limit")


def describe_ending(code: int, trouble: str, killed_before: int | None = None) -> Ending:
    """Why a worker ended, by its exit code and its standard error.

    `killed_before` is the result of `count_killed` at the start of the worker.
    """
    if code < 0:
        return _ending_by_signal(signal.Signals(-code).name, trouble, killed_before)
    kind, message, last = _last_exception(trouble)
    if kind == "TypstError":
        return Ending(Problem(Place("the sheets"), f"cannot be drawn: {message}"), "art")
    if kind == "MemoryError":
        return meet_limit(_TOO_MUCH)
    if shortage := bounds.find_shortage_in(last):
        return Ending(shortage, "machine")
    if _NO_MEMORY.search(last):
        return meet_limit(_TOO_MUCH)
    if kind == "PanicException":
        return meet_limit(f"it crashes the drawing engine: {message}")
    return Ending(Problem(Place("the press"), f"the drawing process fails: {last[-_LONGEST:]}", _REPORT), "limit")


def _last_exception(trouble: str) -> tuple[str, str, str]:
    """The kind and the message of an exception, and both as Python wrote them.

    Without an exception, the third text is the last line.
    """
    matches = list(_EXCEPTION.finditer(trouble))
    if not matches:
        return "", "", trouble.strip().rpartition("\n")[2]
    last = matches[-1]
    return last[1], trouble[last.end() :].strip(), trouble[last.start() :].strip()


def _ending_by_signal(name: str, trouble: str, killed_before: int | None) -> Ending:
    if name == "SIGXCPU":
        return meet_limit("drawing it takes too long")
    if name == "SIGABRT" and _NO_MEMORY.search(trouble):
        return meet_limit(_TOO_MUCH)
    if name in _CRASHES:
        what = f"it crashes the drawing engine ({name}), probably because it is nested too deeply or too large"
        return meet_limit(what)
    killed = count_killed()
    if name == "SIGKILL" and killed is not None and killed != killed_before is not None:
        return meet_limit("drawing it takes more memory than this machine has")
    what = f"somebody ended the drawing process ({name})"
    if name == "SIGKILL" and None in (killed, killed_before):
        what += ", or the system did because memory ran out"
    return Ending(Problem(Place("the press"), what, _AGAIN), "machine")


def find_fault_of_machine(ending: Ending) -> Problem | None:
    """The problem to report if no drawing is at fault: the machine is, or its limits are too low for any drawing."""
    if ending.cause == "machine":
        return ending.problem
    return bounds.find_cramped_memory() if ending.cause == "limit" else None


def describe_failing_blank(ending: Ending) -> Problem:
    """The problem to report if not even a blank face can be drawn."""
    if fault := find_fault_of_machine(ending):
        return fault
    hint = ending.problem.hint or "close other programs and start it again"
    return Problem(bounds.HERE, f"nothing can be drawn: {ending.problem.what}", hint)


def count_killed() -> int | None:
    """How many processes the system has killed because memory ran out; None if it is unknown."""
    return next(iter(bounds.find_numbers(_EVENTS, r"^oom_kill (\d+)$")), None)


def serve(answer: Callable[[Any], Iterable[bytes]]) -> NoReturn:
    """Answer requests until the parent closes the pipe. The first request is the Limits.

    It ends with the parent, however that ends: otherwise a drawing that hangs would never end.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C, which the terminal sends to both
    threading.Thread(target=_end_with, args=(int(sys.argv[1]),), daemon=True).start()
    bounds.collect_seldom()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keeps the output of libraries out of the answers
    requests = read_requests(cast(BufferedReader, sys.stdin.buffer))
    limits: Limits = next(requests)
    limits.impose()
    write_answer(answers, b"")
    for request in requests:
        for part in answer(request):
            write_answer(answers, part)
    os._exit(0)  # skips the slow shutdown of libraries


def _end_with(parent: int) -> None:
    if sys.platform == "win32":  # in an environment, the parent of a Python is its launcher
        import psutil

        with suppress(psutil.Error):
            psutil.Process(parent).wait()
        os._exit(1)
    while os.getppid() == parent:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    os._exit(1)


def read_requests(pipe: BufferedReader) -> Iterator[Any]:
    """Each request as it arrives, until the pipe is closed."""
    while pipe.peek(1):
        yield pickle.load(pipe)


def write_answer(pipe: IO[bytes], answer: bytes) -> None:
    pipe.write(len(answer).to_bytes(_HEAD))
    pipe.write(answer)
    pipe.flush()


def read_answers(pipe: IO[bytes]) -> Iterator[bytes]:
    """Each whole answer as it arrives, until the pipe is closed."""
    while len(head := pipe.read(_HEAD)) == _HEAD:
        left = int.from_bytes(head)
        parts: list[bytes] = []
        while left and (part := pipe.read(min(left, _AT_ONCE))):
            parts.append(part)
            left -= len(part)
        if left:
            return
        yield b"".join(parts)


class Limits(Struct, frozen=True):
    """The limits of a worker: bytes of memory, and seconds of the processor, None if its parent's
    clock is enough. `niceness` is how far it gives way to other processes (0 to 19). Where the
    system does not enforce them, the parent watches memory and time."""

    memory: int = MEMORY
    processor_seconds: int | None = None
    niceness: int = 0

    def impose(self) -> None:
        """Apply the limits to this process, and switch off core files."""
        if sys.platform != "win32":
            import resource

            os.nice(self.niceness)
            # data too: the process that started this one may have a lower limit
            memory = dict.fromkeys((resource.RLIMIT_AS, resource.RLIMIT_DATA), self.memory)
            limits = {**memory, resource.RLIMIT_CORE: 0}
            if self.processor_seconds is not None:
                limits[resource.RLIMIT_CPU] = self.processor_seconds
            for kind, most in limits.items():
                _, hard = resource.getrlimit(kind)
                most = most if hard == resource.RLIM_INFINITY else min(most, hard)
                # The hard limit stays: at a hard limit of time, the system kills without a reason.
                with suppress(ValueError, OSError):  # macOS: its parent watches its memory
                    resource.setrlimit(kind, (most, hard))


def allow_seconds(seconds: float) -> None:
    """Extend the limit of time of this process, if it has one."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
        if soft != resource.RLIM_INFINITY:
            most = soft + ceil(seconds)
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(resource.RLIMIT_CPU, (most, hard))
