"""Take Sheets and Faces, make one PDF. All of it happens in the press, a process of its own."""

from generator.pdf.job import Job
from generator.pdf.press import Press

__all__ = ["Job", "Press"]
