"""One PDF of Sheets and Faces, made in the worker process of a Press."""

from generator.pdf.press import Job, Press
