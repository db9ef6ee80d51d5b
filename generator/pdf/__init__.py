"""Take Sheets and Faces, make one PDF. All of it happens in the worker process of a Press."""

import sys
from types import ModuleType

from generator.pdf.job import Job
from generator.pdf.press import Press

__all__ = ["Job", "Press"]

# ReportLab runs what it finds under these names, on Python's path and as hidden files of the home
# folder, where nothing of the name is there already.
for _name in ("local_rl_mods", "local_rl_settings"):
    sys.modules.setdefault(f"reportlab.{_name}", ModuleType(_name))
for _name in ("reportlab_mods", "reportlab_settings"):
    sys.modules.setdefault(_name, ModuleType(_name))
