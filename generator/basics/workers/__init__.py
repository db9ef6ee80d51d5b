"""Worker processes that run a module: if it hangs, crashes or takes too much memory, only it ends.

process.py   the parent's side: start or fork the process, send requests, find why it ended
serving.py   the worker's side: keep to limits of memory and time, answer, end with the parent
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
