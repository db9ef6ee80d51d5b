"""`pnp` as a process: its streams, its signals, its exit code.

`python -P -m generator` is `pnp`; without -P Python runs modules of the working folder.
Signals are handled before anything else is imported, because one may arrive while modules load.
"""

from __future__ import annotations

import datetime  # noqa: F401  before msgspec: a signal while msgspec imports it crashes Python later
import errno
import io
import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from _typeshed import ReadableBuffer

_HANDLED = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # the last when a console is closed
_SOON = 0.01  # s
_ESCAPES = "backslashreplace"
_signals: list[int] = []  # the signal that ends this process


def run() -> NoReturn:
    """The process from start to end, with the exit code of the command.

    After a signal, the process cleans up and then ends by that signal, as if it had no handler.
    """
    try:
        _open_streams()
        _start_no_threads()
        sys.unraisablehook = _notice
        _handle_signals(_clean_up)
        _end(_run_command())
    except BaseException as error:  # also a signal between two steps
        _end(_report(error))


def _run_command() -> int:
    try:
        from generator.basics.bounds import check_memory, collect_seldom

        check_memory()
        collect_seldom()
        from generator.cli import main

        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def _start_no_threads() -> None:
    """Keep the matrices of numpy in one thread: others wait for their part without sleeping."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _end(code: int) -> NoReturn:
    _handle_signals(signal.SIG_DFL)
    if writing := sys.modules.get("generator.basics.writing"):
        with suppress(Exception):
            writing.UNTIL_END.close()
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    if _signals and code:
        signal.raise_signal(_signals[0])
    os._exit(code)  # the orderly shutdown of the libraries takes 0.1 s of the 0.6 s of a small build


def _report(error: BaseException) -> int:
    """Report the error that ended the command, but no signal. Returns the exit code."""
    if _signals:
        return 1
    try:
        from generator.cli.messages import print_fault

        print_fault(error)
    except Exception as another:  # the line below replaces the message
        what = f"pnp cannot start: {error}"
        if _is_of_memory(error) or _is_of_memory(another):
            what = "this machine: there is too little memory"
        with suppress(Exception):
            sys.stderr.write(f"error: {what}\n")
    return 1


def _is_of_memory(error: BaseException) -> bool:
    """Whether memory ran out. `generator.basics.bounds` knows more cases, but needs memory itself."""
    is_shortage = getattr(error, "errno", None) == errno.ENOMEM
    return isinstance(error, MemoryError) or is_shortage or "failed to map segment" in str(error)


def _handle_signals(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    """Set the handler of signals, except those that this process was started to ignore."""
    for name in _HANDLED:
        number = getattr(signal, name, None)  # each system lacks some
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _clean_up(number: int, _frame: FrameType | None) -> None:
    """Interrupt the command, so that it cleans up. A second signal ends the process at once."""
    _handle_signals(signal.SIG_DFL)
    _signals.append(number)
    raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(1)


def _notice(ignored: sys.UnraisableHookArgs) -> None:
    """Signal again where Python ignores the exception of the handler, as in `__del__`."""
    if not _signals or not isinstance(ignored.exc_value, KeyboardInterrupt | SystemExit):
        sys.__unraisablehook__(ignored)
        return
    import threading

    _handle_signals(_clean_up)
    threading.Timer(_SOON, signal.raise_signal, [_signals.pop()]).start()


def _open_streams() -> None:
    """Make the standard streams safe to use and to inherit, even if the caller closed them."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # closed: a file of ours would get its number, and our output
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115  never closed
    sys.stdout = _output(1, sys.stdout, "standard output")
    sys.stderr = _output(2, sys.stderr, "standard error")


def _output(number: int, like: TextIO | None, name: str) -> io.TextIOWrapper:
    """A stream that writes an escape for a letter that its encoding lacks.

    A console of Windows keeps Python's own stream, which writes any character.
    """
    if sys.platform == "win32" and isinstance(like, io.TextIOWrapper) and like.isatty():
        like.reconfigure(errors=_ESCAPES)
        return like
    buffer = io.BufferedWriter(_Output(number, name))
    encoding = like.encoding if like else "utf-8"
    return io.TextIOWrapper(buffer, encoding, _ESCAPES, line_buffering=True)


class _Output(io.FileIO):
    """An output stream. If its reader closes it, the work goes on without output."""

    def __init__(self, number: int, label: str) -> None:
        super().__init__(number, "w", closefd=False)
        self._label = label

    def write(self, content: ReadableBuffer) -> int:
        """Raises PnpError if the stream cannot be written."""
        try:
            return super().write(content)
        except BrokenPipeError:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, self.fileno())
            os.close(null)
            return super().write(content)
        except OSError as error:
            from generator.basics.errors import Place, fail

            raise fail(Place(self._label), f"cannot be written: {error.strerror}") from None


if __name__ == "__main__":
    run()
