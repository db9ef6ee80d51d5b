"""Drawings of the engine in another file, and as pikepdf reads them from its own."""

from __future__ import annotations

import io
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Stream

from generator.basics.geometry import Size
from generator.pdf.assembly import Carrier
from generator.pdf.document import PdfDocument
from generator.pdf.faces import Typesetter
from generator.text import HOUSE_FONTS

DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><linearGradient id="g">'
    '<stop stop-color="red"/><stop offset="1" stop-opacity="0.5"/></linearGradient>'
    '<rect width="9" height="9" fill="url(#g)" opacity="0.5"/>'
    '<text y="5" font-family="Alegreya Sans" font-size="3" stroke="red">Hi</text></svg>'
)
TEXTS = rb"(plain) (an \( and a \\) (one (within) another) <00ff> (a few \351s) /Name#20x -.5 0.000001 true null"


def by_engine() -> bytes:
    typesetter = Typesetter([str(HOUSE_FONTS)])
    drawings = (DRAWING, DRAWING.replace("red", "green"))
    return typesetter.draw((drawing, Size(20.0, 10.0), b"") for drawing in drawings)


def by_another_engine() -> bytes:
    """As engines write that keep objects together."""
    saved = io.BytesIO()
    with pikepdf.open(io.BytesIO(by_engine())) as pdf:
        pdf.save(saved, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    assert b"/ObjStm" in saved.getvalue()
    return saved.getvalue()


def carry(*files: bytes) -> tuple[list[pikepdf.Object], pikepdf.Pdf]:
    """The resources of all pages of the files, in a new file."""
    document = PdfDocument()
    document.showPage()
    carrier, carried = Carrier(document), []
    for file in files:
        with carrier.open(file) as opened:
            carried += [carrier.carry(page.obj.Resources) for page in opened.pages]
    pdf = pikepdf.open(io.BytesIO(document.to_bytes()))
    return [pdf.get_object(int(reference.split()[0]), 0) for reference in carried], pdf


def same(ours: Any, theirs: Any) -> bool:
    """Whether two values are the same, with all that they refer to."""
    if isinstance(theirs, Stream):
        entries = theirs.stream_dict
        return ours.read_raw_bytes() == theirs.read_raw_bytes() and same(ours.stream_dict, entries)
    if isinstance(theirs, Dictionary):
        keys = theirs.keys()
        return ours.keys() == keys and all(same(ours[key], theirs[key]) for key in keys)
    if isinstance(theirs, Array):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    return bool(ours == theirs)


@pytest.mark.parametrize("write", [by_engine, by_another_engine])
def test_what_drawings_refer_to_stays_the_same_in_another_file(write: Any) -> None:
    content = write()
    ours, pdf = carry(content)
    with pdf, pikepdf.open(io.BytesIO(content)) as theirs:
        assert len(ours) == len(theirs.pages) == 2
        assert all(same(mine, page.obj.Resources) for mine, page in zip(ours, theirs.pages, strict=True))


def test_equal_objects_of_several_files_are_written_once() -> None:
    content = by_engine()
    ours, pdf = carry(content, by_another_engine())
    with pdf, carry(content)[1] as alone:
        assert ours[0].objgen == ours[2].objgen != ours[1].objgen == ours[3].objgen
        assert len(pdf.objects) == len(alone.objects)


def test_texts_names_and_numbers_stay_the_same_in_another_file() -> None:
    with pikepdf.new() as source:
        page = source.add_blank_page()
        page.obj.Resources = source.make_indirect(Dictionary(Odd=pikepdf.Object.parse(b"[%b]" % TEXTS)))
        saved = io.BytesIO()
        source.save(saved)
        (ours,), pdf = carry(saved.getvalue())
        with pdf:
            assert len(ours.Odd) == 10
            assert same(ours, page.obj.Resources)
