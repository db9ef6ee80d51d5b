"""Take a module, run it as a worker process: what hangs, crashes or eats memory ends there alone.

process.py   the parent's side: start the process, ask it, watch the time, end it
serving.py   the worker's side: keep to the limits, answer, end with the parent
messages.py  how requests and answers go through the pipes between them
limits.py    the memory and the time that a worker may take
ending.py    how a worker ended -> what is told: the art, a limit, the machine
"""

from generator.workers.ending import Ending, find_fault_of_machine, tell_blank_fails
from generator.workers.limits import MEMORY, SECONDS_A_FACE, THREADS, Limits
from generator.workers.process import WorkerError, WorkerProcess
from generator.workers.serving import serve

__all__ = [
    "MEMORY",
    "SECONDS_A_FACE",
    "THREADS",
    "Ending",
    "Limits",
    "WorkerError",
    "WorkerProcess",
    "find_fault_of_machine",
    "serve",
    "tell_blank_fails",
]
