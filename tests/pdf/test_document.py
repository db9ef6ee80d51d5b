"""The file is made in memory, of objects of several kinds: other programs read it, and its bytes
depend neither on the parts of a job nor on the user's settings of ReportLab."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from itertools import product
from pathlib import Path

import numpy as np
import pikepdf
import pytest
from msgspec.structs import replace
from PIL import Image

from generator.model import Face
from generator.pdf import Job, Press, assembly, press_worker, raster
from generator.pdf import press as jobs
from generator.pdf.document import PdfDocument, make_array, make_dictionary, make_text
from tests.support.printing import CARD, deck, face_of, impose, job, mark

MANY = 333  # objects
WORDS = ["", "a (b", "\\", "ü", "金", "a\nb", "\N{GRINNING FACE}"]


def written(*, is_compressed: bool = True) -> bytes:
    """A page, and MANY numbers and streams, of all the ways to put them."""
    document = PdfDocument(is_compressed=is_compressed)
    document.setTitle("Whale (ü) \\")
    document.setPageSize((72, 72))
    document.end_page(StructParents=7)
    parts = make_dictionary({"P": make_text("first")})
    owns = []
    for number in range(MANY):
        stream = document.put_stream({"Turn": number}, b"x" * number)
        owns.append(document.put_written(f"[{number} {stream}]"))
    parts["Owns"] = make_array(owns)
    parts["Words"] = make_array([make_text(words) for words in WORDS])
    document.put(parts)
    content: bytes = document.to_bytes()
    return content


def read_parts(pdf: pikepdf.Pdf) -> pikepdf.Object:
    return next(thing for thing in dictionaries(pdf) if "/Owns" in thing)


def dictionaries(pdf: pikepdf.Pdf) -> list[pikepdf.Object]:
    return [thing for thing in pdf.objects if isinstance(thing, pikepdf.Dictionary)]


@pytest.mark.parametrize("is_compressed", [True, False])
def test_other_programs_read_every_object(is_compressed: bool) -> None:
    with pikepdf.open(io.BytesIO(written(is_compressed=is_compressed))) as pdf:
        assert pdf.check_pdf_syntax() == []
        assert pdf.docinfo["/Title"] == "Whale (ü) \\"
        assert pdf.pages[0].obj.StructParents == 7
        parts = read_parts(pdf)
        assert [str(words) for words in parts.Words] == WORDS
        for number, (own, stream) in enumerate(parts.Owns):
            assert (int(own), int(stream.Turn)) == (number, number)
            assert stream.read_bytes() == b"x" * number


def some_faces() -> Job:
    decks = [deck(25)]
    return job(decks, impose(decks, "letter", "long"))


@pytest.mark.parametrize(("faces", "sheets"), [*product((1, 7), (1, 2))])
def test_bytes_do_not_depend_on_the_parts_of_a_job(faces: int, sheets: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = press_worker.print_job(some_faces())
    monkeypatch.setattr(jobs, "_FACES_A_PART", faces)
    monkeypatch.setattr(jobs, "_SHEETS_A_PART", sheets)
    assert press_worker.print_job(some_faces()) == expected


def test_what_the_worker_forgets_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the second file of a large deck."""
    expected = press_worker.print_job(some_faces())
    monkeypatch.setattr(jobs, "_MOST_KEPT", 3)
    with Press() as press:
        for face in some_faces().faces:
            press.begin(face, some_faces().font_folders)
        assert [press.print(some_faces()) for _ in range(2)] == [expected] * 2


def test_packed_layers_print_the_same() -> None:
    usual = some_faces()
    packed = [
        replace(face, layers=tuple(p._replace(layer=p.layer.packed()) for p in face.layers)) for face in usual.faces
    ]
    assert isinstance(packed[0].layers[0].layer.content, bytes)
    job_of_them = Job(usual.sheets, packed, usual.imprint, usual.font_folders, usual.names)
    assert press_worker.print_job(job_of_them) == press_worker.print_job(usual)


def shaded(number: int) -> Face:
    """A face whose drawing is its own."""
    ground = f'<rect width="70" height="96" fill="#{number:02x}{99 - number:02x}f0" opacity=".5"/>'
    return face_of(f"front {number}", CARD, 3.0, ground + mark(f"cards f{number}", "none"))


def test_drawings_in_several_groups_look_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """And share the profiles of colours."""
    faces = [shaded(number) for number in range(7)]
    sheets = raster.face_sheets(faces, is_bled=True)
    work = Job(sheets, faces, some_faces().imprint, some_faces().font_folders)
    together = press_worker.print_job(work)
    monkeypatch.setattr(assembly, "_TOGETHER", 2)
    apart = press_worker.print_job(work)
    assert count_profiles(apart) == count_profiles(together) > 0
    for one, other in zip(pictures(apart), pictures(together), strict=True):
        assert np.array_equal(np.asarray(one), np.asarray(other))


def pictures(pdf: bytes) -> list[Image.Image]:
    return raster.rasterise(pdf, 40)


def count_profiles(pdf: bytes) -> int:
    with pikepdf.open(io.BytesIO(pdf)) as document:
        streams = [pdf_object for pdf_object in document.objects if isinstance(pdf_object, pikepdf.Stream)]
        return sum(stream.get("/N") in (1, 3) and "/Type" not in stream for stream in streams)


def test_no_font_is_named_and_not_embedded() -> None:
    """ReportLab would begin each page with Helvetica."""
    with pikepdf.open(io.BytesIO(press_worker.print_job(some_faces()))) as pdf:
        fonts = [thing for thing in dictionaries(pdf) if "/BaseFont" in thing]
        assert fonts
        assert not [font for font in fonts if str(font.get("/Subtype")) == "/Type1"]


def test_streams_are_bytes() -> None:
    """ReportLab would write them as letters, a quarter longer."""
    content = press_worker.print_job(some_faces())
    assert b"FlateDecode" in content
    assert b"ASCII85Decode" not in content


TRAP = """
import reportlab.rl_config
raise SystemExit("a file of the home folder ran")
"""
SETTINGS = {  # of a user, by what they would do
    "variables": {"RL_invariant": "maybe", "RL_pdfMultiLine": "1", "RL_pageCompression": "0"},
    "no home": {"HOME": "/etc/hostname"},
    "files": {},
}


@pytest.mark.parametrize("variables", SETTINGS.values(), ids=SETTINGS)
def test_settings_of_reportlab_change_nothing(variables: Mapping[str, str], tmp_path: Path) -> None:
    for name in (".reportlab_mods", ".reportlab_settings", "reportlab_settings.py"):
        (tmp_path / name).write_text(TRAP, "utf-8")
    own = {"HOME": str(tmp_path), "PYTHONPATH": str(tmp_path), **variables}
    output = tmp_path / "cards.pdf"
    command = ("build", "talavera", "--only", "cards", "--paper", "letter", "-o", output)
    contents = []
    for environment in (os.environ, {**os.environ, **own}):
        run = (sys.executable, "-P", "-m", "generator", *command)
        done = subprocess.run(run, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        contents.append(output.read_bytes())
    assert contents[0] == contents[1]
