"""The file is written part by part: other programs read it, and its bytes do not depend on the
parts."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import product

import numpy as np
import pikepdf
import pytest
from PIL import Image

from generator import raster
from generator.model import Face
from generator.pdf import Job, Press, drawings, press_worker
from generator.pdf import job as jobs
from generator.pdf.syntax import write_array, write_dictionary, write_name, write_text
from generator.pdf.writing import PdfWriter
from tests.support.printing import CARD, deck, face_of, impose, job, mark

MANY = 333  # objects: more than three object streams hold


def written(take: Callable[[PdfWriter], bytes]) -> bytes:
    """A file of MANY numbers and streams, taken after each object."""
    writer = PdfWriter()
    root, parts, taken = writer.reserve(), [], []
    for number in range(MANY):
        stream = writer.add_stream({"/Turn": number}, b"x" * number)
        parts.append(writer.add(write_array((number, stream))))
        taken.append(take(writer))
    pages = writer.add("<</Type /Pages /Kids [] /Count 0>>")
    catalogue = {"/Type": "/Catalog", "/Pages": pages, "/Parts": write_array(parts)}
    writer.add(write_dictionary(catalogue), root)
    writer.close(root, writer.add(write_dictionary({"/Title": write_text("Whale (ü) \\")})))
    return b"".join([*taken, writer.take()])


def test_other_programs_read_every_object() -> None:
    with pikepdf.open(io.BytesIO(written(PdfWriter.take))) as pdf:
        assert pdf.check_pdf_syntax() == []
        assert pdf.docinfo["/Title"] == "Whale (ü) \\"
        for number, (own, stream) in enumerate(pdf.Root.Parts):
            assert (int(own), int(stream.Turn)) == (number, number)
            assert stream.read_bytes() == b"x" * number


def test_bytes_do_not_depend_on_when_they_are_taken() -> None:
    assert written(PdfWriter.take) == written(lambda _: b"")


@pytest.mark.parametrize("name", ["/Plain", "/a b", "/a#b(c)", "/ü", "/a/b"])
def test_names_are_read_as_they_were(name: str) -> None:
    read = pikepdf.Object.parse(write_name(name).encode("ascii"))
    assert str(read) == name


@pytest.mark.parametrize("text", ["", "a (b", "\\", "ü", "金", "a\nb", "\N{GRINNING FACE}"])
def test_texts_are_read_as_they_were(text: str) -> None:
    assert str(pikepdf.Object.parse(write_text(text).encode("ascii"))) == text


def some_faces() -> Job:
    decks = [deck(25)]
    return job(decks, impose(decks, "letter", "long"))


@pytest.mark.parametrize(("faces", "sheets"), [*product((1, 7), (1, 2))])
def test_bytes_do_not_depend_on_the_parts_of_a_job(
    faces: int, sheets: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = press_worker.print_job(some_faces())
    monkeypatch.setattr(jobs, "_FACES_A_PART", faces)
    monkeypatch.setattr(jobs, "_SHEETS_A_PART", sheets)
    assert press_worker.print_job(some_faces()) == expected


def test_each_sheet_is_written_as_soon_as_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_SHEETS_A_PART", 1)
    with Press() as press:
        parts = list(press.print_parts(some_faces()))
    head, *_, third, second, first, end = map(len, parts)
    assert min(first, second, third) > 1000 > head
    assert end > 1000


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
        face._replace(layers=tuple(p._replace(layer=p.layer.packed()) for p in face.layers))
        for face in usual.faces
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
    monkeypatch.setattr(drawings, "_TOGETHER", 2)
    apart = press_worker.print_job(work)
    assert count_profiles(apart) == count_profiles(together) > 0
    for one, other in zip(pictures(apart), pictures(together), strict=True):
        assert np.array_equal(np.asarray(one), np.asarray(other))


def pictures(pdf: bytes) -> list[Image.Image]:
    return raster.rasterise(pdf, 40)


def count_profiles(pdf: bytes) -> int:
    with pikepdf.open(io.BytesIO(pdf)) as document:
        streams = [one for one in document.objects if isinstance(one, pikepdf.Stream)]
        return sum(one.get("/N") in (1, 3) and "/Type" not in one for one in streams)
