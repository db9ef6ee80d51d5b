"""Take a PDF, read what a screen reader hears on its pages, with pdfium."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import pypdfium2.raw as pdfium


def alternatives(pdf: bytes) -> Iterator[list[str]]:
    """The words for the figures of each page."""
    document = pdfium.FPDF_LoadMemDocument(pdf, len(pdf), None)
    for number in range(pdfium.FPDF_GetPageCount(document)):
        page = pdfium.FPDF_LoadPage(document, number)
        tree = pdfium.FPDF_StructTree_GetForPage(page)
        roots = range(pdfium.FPDF_StructTree_CountChildren(tree))
        yield [text for root in roots for text in _heard(pdfium.FPDF_StructTree_GetChildAtIndex(tree, root))]
        pdfium.FPDF_StructTree_Close(tree)
        pdfium.FPDF_ClosePage(page)
    pdfium.FPDF_CloseDocument(document)


def _heard(element: pdfium.FPDF_STRUCTELEMENT) -> Iterator[str]:
    buffer = ctypes.create_string_buffer(400)
    size = pdfium.FPDF_StructElement_GetAltText(element, buffer, len(buffer))
    if size:
        yield buffer.raw[: size - 2].decode("utf-16-le")
    for index in range(pdfium.FPDF_StructElement_CountChildren(element)):
        child = pdfium.FPDF_StructElement_GetChildAtIndex(element, index)
        if child:
            yield from _heard(child)
