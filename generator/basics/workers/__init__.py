"""Worker processes that run a module: if it hangs, crashes or takes too much memory, only it ends.

process.py   the parent's side: start the process, send requests, find why it ended
serving.py   the worker's side: keep to limits of memory and time, answer, end with the parent
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
