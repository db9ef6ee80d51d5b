"""Each face is painted once; one that hangs, crashes or fails is named, the others painted."""

from __future__ import annotations

import io
import sys
from queue import SimpleQueue

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageStat

from generator.basics.geometry import Point, Rect
from generator.model import Face, PlacedLayer
from generator.pdf.pictures.picture_pool import GLANCE, NEAR, PicturePool, Wish
from generator.pdf.pictures.picture_worker import Part, PictureTask, paint
from generator.pdf.raster import trimmed
from generator.text import HOUSE_FONTS
from tests.pdf.test_press import bad_face
from tests.support.printing import CARD, drawing, face_of, mark
from tests.support.processes import PATIENCE, running

FONTS = (str(HOUSE_FONTS),)


def sound(number: int) -> Face:
    return face_of(f"card {number}", CARD, 3.0, mark(str(number), "#2d5c8c"))


def painted(pool: PicturePool, face: Face, dpi: int = GLANCE, part: Part = "piece") -> bytes | None:
    return pool.picture(Wish(face.id, part, dpi), PATIENCE)


@pytest.mark.parametrize(("part", "size"), [("piece", (63.5, 88.9)), ("whole", (69.5, 94.9))])
def test_picture_shows_a_box_at_its_resolution(part: Part, size: tuple[float, float]) -> None:
    with PicturePool(lambda _: None) as pool:
        face = sound(1)
        pool.want([face], FONTS)
        for dpi in (GLANCE, NEAR):
            picture = Image.open(io.BytesIO(painted(pool, face, dpi, part) or b""))
            assert picture.size == pytest.approx([mm / 25.4 * dpi for mm in size], abs=1)
            red, green, blue = picture.convert("RGB").getpixel((9, 9))  # type: ignore[misc]
            assert (red, green, blue) == pytest.approx((0x2D, 0x5C, 0x8C), abs=4)


def test_face_is_painted_once_and_forgotten_when_it_goes() -> None:
    told: SimpleQueue[str] = SimpleQueue()
    with PicturePool(told.put) as pool:
        one, other = sound(1), sound(2)
        assert pool.want([one], FONTS)
        assert not pool.want([one], FONTS)
        assert pool.want([other], FONTS)
        assert {told.get(timeout=PATIENCE), told.get(timeout=PATIENCE)} == {one.id, other.id}
        painted(pool, one)
        painted(pool, one)
        assert pool.painted == 2
        pool.keep({other.id})
        assert painted(pool, one) is None
        assert painted(pool, other)
        assert pool.painted == 2


@pytest.mark.skipif(sys.platform == "win32", reason="limits and signals of POSIX")
def test_faces_at_fault_are_named_and_the_others_painted() -> None:
    faults = {
        "hangs": "drawing it takes more than 1 s",
        "crashes": "it crashes the drawing engine (SIGSEGV)",
        "is no SVG": "cannot be drawn: failed to parse SVG",
    }
    with PicturePool(lambda _: None, seconds_a_face=1.0) as pool:
        bad = {name: bad_face(name) for name in faults}
        good = [sound(number) for number in range(6)]
        for face in (*bad.values(), *good):
            pool.want([face], FONTS)
        assert all(painted(pool, face) for face in good)
        for name, face in bad.items():
            assert painted(pool, face) is None
            fault = pool.fault(face.id)
            assert fault is not None
            assert str(fault.place) == f"what {name}"
            assert fault.what.startswith(faults[name])


def test_piece_alone_is_what_lies_within_the_trim_of_the_whole() -> None:
    """What only makes the bleed is left out of it; a clip that reaches into the trim is not."""
    bleed = 25.4 / 8  # mm, which are 12 pixels
    plain = face_of("plain", CARD, bleed, mark("", "#2d5c8c"))
    loud = drawing("loud", plain.size, '<rect width="99" height="99" fill="#ff8800"/>')
    within = PlacedLayer(loud, Point(0.0, 0.0), clip=Rect(0.0, 40.0, 20.0, 60.0).corners())
    beside = PlacedLayer(loud, Point(0.0, 0.0), clip=Rect(0.0, 0.0, bleed, plain.size.height).corners())
    hair = PlacedLayer(loud, Point(0.0, 0.0), clip=Rect(9.0, 9.0, 9.0, 60.0).corners())
    face = replace(plain, layers=(*plain.layers, within, beside, hair))
    assert len(trimmed(face).layers) == 2
    whole, piece = (
        Image.open(io.BytesIO(paint(PictureTask([face], part, FONTS, GLANCE))[0])) for part in ("whole", "piece")
    )
    cut_out = whole.crop((12, 12, 12 + 240, 12 + 336))
    assert piece.size == cut_out.size
    assert max(ImageStat.Stat(ImageChops.difference(piece, cut_out)).mean) < 1.0
    assert piece.getpixel((5, 200)) == pytest.approx((0xFF, 0x88, 0x00), abs=6)


def test_what_somebody_looks_at_is_painted_before_all_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.pdf.pictures.picture_pool._WORKERS", 1)  # another might be quicker
    told: SimpleQueue[str] = SimpleQueue()
    pool = PicturePool(told.put)
    unseen, seen = [sound(number) for number in range(20)], sound(20)
    for face in unseen:
        pool.want([face], FONTS)
    pool.want([seen], FONTS, is_seen=True)
    with pool:  # they begin only now
        pool.catch_up(PATIENCE)
        assert told.get(timeout=PATIENCE) == seen.id


def test_workers_take_turns_with_visible_faces() -> None:
    """A browser asks for a few at a time, in their order."""
    faces = [sound(number) for number in range(6)]
    pool = PicturePool(lambda _: None)
    pool.want(faces, FONTS, is_seen=True)
    taken = [[wish.face for wish in pool._take()] for _ in range(2)]
    assert taken == [[face.id for face in faces[start::2]] for start in (0, 1)]


def test_all_else_waits_until_a_browser_has_shown_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.pdf.pictures.picture_pool._SHOWING", PATIENCE)
    told: SimpleQueue[str] = SimpleQueue()
    with PicturePool(told.put) as pool:
        first, second, unseen = (sound(number) for number in range(3))
        pool.want([first], FONTS, is_seen=True)
        assert painted(pool, first)
        pool.want([unseen], FONTS)
        pool.want([second], FONTS, is_seen=True)
        pool.catch_up(PATIENCE)
        assert [told.get(timeout=PATIENCE) for _ in range(2)] == [first.id, second.id]
        assert pool.painted == 2
        with pool._lock:  # now that has been shown
            pool._calm = 0.0
            pool._lock.notify_all()
        assert told.get(timeout=PATIENCE) == unseen.id


@pytest.mark.usefixtures("own_workers")
def test_no_process_is_left() -> None:
    before = running()
    with PicturePool(lambda _: None) as pool:
        pool.want([sound(1)], FONTS)
        assert painted(pool, sound(1))
        assert running() != before
    assert running() == before
