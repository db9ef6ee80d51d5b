"""Take Sheets and Faces, make one PDF, in the worker process of a Press."""

import sys
from types import ModuleType

from generator.pdf.job import Job
from generator.pdf.press import Press

__all__ = ["Job", "Press"]

# ReportLab imports these names from Python's path and from hidden files of the home folder, unless
# they are loaded already.
for _name in ("local_rl_mods", "local_rl_settings"):
    sys.modules.setdefault(f"reportlab.{_name}", ModuleType(_name))
for _name in ("reportlab_mods", "reportlab_settings"):
    sys.modules.setdefault(_name, ModuleType(_name))
