"""Each face is painted once; one that hangs, crashes or fails is named, the others painted."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from queue import SimpleQueue

import pytest
from PIL import Image

from generator.model import Face
from generator.preview.painters import GLANCE, NEAR, Painters, Wish
from generator.text import HOUSE_FONTS
from tests.pdf.test_press import bad_face
from tests.printing import CARD, face_of, mark

FONTS = (str(HOUSE_FONTS),)


def sound(number: int) -> Face:
    return face_of(f"card {number}", CARD, 3.0, mark(str(number), "#2d5c8c"))


def painted(painters: Painters, face: Face, dpi: int = GLANCE) -> bytes | None:
    return painters.picture(Wish(face.id, dpi), 60.0)


def test_picture_shows_the_bleed_box_at_its_resolution() -> None:
    with Painters(lambda _: None) as painters:
        face = sound(1)
        painters.want(face, FONTS)
        for dpi in (GLANCE, NEAR):
            picture = Image.open(io.BytesIO(painted(painters, face, dpi) or b""))
            assert picture.size == pytest.approx((69.5 / 25.4 * dpi, 94.9 / 25.4 * dpi), abs=1)
            red, green, blue = picture.convert("RGB").getpixel((9, 9))  # type: ignore[misc]
            assert (red, green, blue) == pytest.approx((0x2D, 0x5C, 0x8C), abs=4)


def test_face_is_painted_once_and_forgotten_when_it_goes() -> None:
    told: SimpleQueue[Sequence[str]] = SimpleQueue()
    with Painters(told.put) as painters:
        one, other = sound(1), sound(2)
        assert painters.want(one, FONTS)
        assert not painters.want(one, FONTS)
        assert painters.want(other, FONTS)
        assert {*told.get(timeout=60), *told.get(timeout=60)} == {one.id, other.id}
        painted(painters, one)
        painted(painters, one)
        assert painters.painted == 2
        painters.keep({other.id})
        assert painted(painters, one) is None
        assert painted(painters, other)
        assert painters.painted == 2


@pytest.mark.skipif(sys.platform == "win32", reason="limits and signals of POSIX")
def test_faces_at_fault_are_named_and_the_others_painted() -> None:
    faults = {
        "hangs": "drawing it takes more than 3 s",
        "crashes": "it crashes the drawing engine (SIGSEGV)",
        "is no SVG": "cannot be drawn: failed to parse SVG",
    }
    with Painters(lambda _: None, seconds_a_face=3.0) as painters:
        bad = {name: bad_face(name) for name in faults}
        good = [sound(number) for number in range(6)]
        for face in (*bad.values(), *good):
            painters.want(face, FONTS)
        assert all(painted(painters, face) for face in good)
        for name, face in bad.items():
            assert painted(painters, face) is None
            fault = painters.fault(face.id)
            assert fault is not None
            assert fault.where == f"what {name}"
            assert fault.what.startswith(faults[name])


def test_no_process_is_left() -> None:
    with Painters(lambda _: None) as painters:
        painters.want(sound(1), FONTS)
        assert painted(painters, sound(1))
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
