"""Make the built-in profile of a press, generator/pdf/coated.icc.

    python -m tests.tools.press_profile /usr/share/color/icc/FOGRA39L.ti3

Needs colprof of ArgyllCMS, and the measures FOGRA39L (Debian: argyll, icc-profiles-free).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TARGET = Path("generator/pdf/coated.icc")
# the quality of its tables, no measures in the file, black from light greys on, 240 % of ink
_OPTIONS = ["-qm", "-bm", "-nc", "-kr", "-l240"]
_NAME = "Coated paper, FOGRA39L, 240 % ink"
_RIGHTS = "Made of FOGRA39L.ti3 (zlib licence, Kai-Uwe Behrmann); altered: a profile of its measures"
_DATE = slice(24, 36)  # of its making, in the header (ICC.1, 7.2)
_FIXED_DATE = b"".join(number.to_bytes(2, "big") for number in (2000, 1, 1, 0, 0, 0))


def make(measures: Path) -> bytes:
    """The profile of measures (a .ti3 file), the same for the same file."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(measures, Path(folder, "press.ti3"))
        command = ["colprof", *_OPTIONS, "-D", _NAME, "-C", _RIGHTS, "press"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        profile = bytearray(Path(folder, "press.icc").read_bytes())
    profile[_DATE] = _FIXED_DATE
    return bytes(profile)


if __name__ == "__main__":
    TARGET.write_bytes(make(Path(sys.argv[1])))
