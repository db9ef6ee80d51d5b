"""Objects of a PDF as our reader gives them, and as pikepdf does."""

from __future__ import annotations

import io
from typing import Any

import pikepdf
import pytest

from generator.basics.geometry import Size
from generator.pdf.faces import Typesetter
from generator.pdf.reading import PdfReader, PdfReference, PdfStream, make_plain
from generator.text import HOUSE_FONTS

DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><linearGradient id="g">'
    '<stop stop-color="red"/><stop offset="1" stop-opacity="0.5"/></linearGradient>'
    '<rect width="9" height="9" fill="url(#g)" opacity="0.5"/>'
    '<text y="5" font-family="Alegreya Sans" font-size="3" stroke="red">Hi</text></svg>'
)


def by_engine() -> bytes:
    typesetter = Typesetter([str(HOUSE_FONTS)])
    drawings = (DRAWING, DRAWING.replace("red", "green"))
    return typesetter.draw((drawing, Size(20.0, 10.0), b"") for drawing in drawings)


def by_qpdf() -> bytes:
    saved = io.BytesIO()
    with pikepdf.open(io.BytesIO(by_engine())) as pdf:
        pdf.save(saved, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return saved.getvalue()


def by_another_engine() -> bytes:
    """As engines write that keep objects together."""
    saved = io.BytesIO()
    with pikepdf.open(io.BytesIO(by_engine())) as pdf:
        pdf.save(saved, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    assert b"/ObjStm" in saved.getvalue()
    return make_plain(saved.getvalue())


def same(reader: PdfReader, ours: Any, theirs: Any) -> bool:
    """Whether two values are the same, without the objects that they refer to."""
    if isinstance(ours, PdfReference):
        return bool(theirs.is_indirect)
    if isinstance(ours, dict):
        found = {key: theirs[key] for key in theirs.keys() - {"/Length"}}
        return found.keys() == ours.keys() and all(same(reader, ours[k], found[k]) for k in ours)
    if isinstance(ours, list):
        return all(same(reader, *pair) for pair in zip(ours, theirs, strict=True))
    return bool(pikepdf.Object.parse(ours.encode()) == theirs)


@pytest.mark.parametrize("write", [by_engine, by_qpdf, by_another_engine])
def test_every_object_is_read_as_pikepdf_reads_it(write: Any) -> None:
    content = write()
    reader = PdfReader(content)
    with pikepdf.open(io.BytesIO(content)) as pdf:
        things = list(zip(reader.objects(), pdf.objects, strict=True))
        assert len(things) > 40
        for ours, theirs in things:
            assert same(reader, ours, theirs)
            if isinstance(ours, PdfStream):
                assert ours.coded == theirs.read_raw_bytes()
                assert ours.read() == theirs.read_bytes()
        assert len(reader.pages) == len(pdf.pages) == 2
        for ours, page in zip(reader.pages, pdf.pages, strict=True):
            assert same(reader, ours, page.obj)


@pytest.mark.parametrize(
    "text", ["(plain)", r"(an \( and a \\)", "(one (within) another)", "<00ff>", "/Name#20x", "-.5"]
)
def test_texts_names_and_numbers_stay_as_they_are_written(text: str) -> None:
    body = f"%PDF-1.7\n1 0 obj\n<</Pages 2 0 R/Odd[{text} null {text}]>>\nendobj\n"
    pages = len(body)
    body += "2 0 obj\n<</Kids[]>>\nendobj\n"
    table = f"xref\n0 3\n{0:010} 65535 f \n{9:010} 00000 n \n{pages:010} 00000 n \n"
    file = f"{body}{table}trailer\n<</Size 3/Root 1 0 R>>\nstartxref\n{len(body)}\n%%EOF\n"
    read = PdfReader(file.encode()).resolve(PdfReference(1))["/Odd"]
    assert read == [text, "null", text]


def test_a_changed_stream_is_written_without_its_coding() -> None:
    reader = PdfReader(by_engine())
    form = reader.get(reader.pages[0], "/Contents")
    assert "/Filter" in form
    form.write(b"q Q")
    again = reader.get(reader.pages[0], "/Contents")
    assert again is form
    assert form.read() == form.coded == b"q Q"
    assert "/Filter" not in form
