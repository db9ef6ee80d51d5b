"""Take the faces of a side, tell whether each is light where another is dark, for every eye.

Nobody takes one of these for another, whatever their colours are. To reduce and compare their
colours takes ten times as long, and few sides need it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from generator.checks.preflight import eyes
from generator.checks.preflight.prints import Bytes

APART = 25.0  # of L*: a CIEDE2000 of at least 16, whatever the two colours are
_LOOKED_AT = 800  # pixels of a face, about
_MOST_FACES = 100  # of more, some pairs are nearly always left
_MOST_LEFT = 50  # pairs to compare in full


def differ_in_tone(faces: Sequence[Bytes], least: float) -> bool:
    """Whether every two faces, each (pixels, 3), certainly differ in tone in at least so many of
    their pixels, for each eye."""
    if len(faces) > _MOST_FACES:
        return False
    step = max(len(faces[0]) // _LOOKED_AT, 1)
    left = set(_alike(np.stack([face[::step] for face in faces]), least))
    if len(left) > _MOST_LEFT:
        return False
    return not any(list(_alike(np.stack([faces[i] for i in pair]), least)) for pair in left)


def _alike(faces: Bytes, least: float) -> Iterator[tuple[int, int]]:
    """The pairs of faces (n, pixels, 3) that differ in tone in fewer pixels, for some eye."""
    for tones in eyes.lightness(faces):
        for one in range(len(tones) - 1):
            is_apart = np.abs(tones[one + 1 :] - tones[one]) >= APART
            for behind in np.flatnonzero(np.count_nonzero(is_apart, axis=1) < least):
                yield one, one + 1 + int(behind)
