"""Run a module as a worker process: if it hangs, crashes or takes too much memory, only it ends.

process.py   the parent's side: start the process, send requests, watch the time, end it
forking.py   a process that starts as a copy of this one
serving.py   the worker's side: keep to the limits, answer, end with the parent
messages.py  the form of requests and answers in the pipes between them
limits.py    the memory and the time that a worker may use
ending.py    how a worker ended -> a problem of the art, a limit or the machine
"""

from generator.basics.workers.process import (
    Ending,
    WorkerError,
    WorkerProcess,
    can_fork,
    describe_failing_blank,
    find_fault_of_machine,
)
from generator.basics.workers.serving import (
    MEMORY,
    SECONDS_A_FACE,
    THREADS,
    Limits,
    allow_seconds,
    serve,
)

__all__ = [
    "MEMORY",
    "SECONDS_A_FACE",
    "THREADS",
    "Ending",
    "Limits",
    "WorkerError",
    "WorkerProcess",
    "allow_seconds",
    "can_fork",
    "describe_failing_blank",
    "find_fault_of_machine",
    "serve",
]
