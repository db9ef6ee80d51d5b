"""The functions of pdfium that read objects and letters, for the thousands of them on a page.

pypdfium2 checks each argument, and gives the lock of Python away while a function runs: that takes
longer than these functions do, twice as long if another thread waits for the lock. Here the lock is
kept, and an argument is passed as it is: a handle, an address, or a number of 32 bits.
"""

from __future__ import annotations

from ctypes import PYFUNCTYPE, c_double, c_int, c_uint, c_void_p, cast
from typing import Any

import numpy.typing as npt
import pypdfium2.raw as pdfium


class Handle(c_void_p):
    """An object of pdfium."""


def handle_of(thing: Any) -> Handle:
    """The handle of an object that pypdfium2 knows."""
    return Handle(cast(thing, c_void_p).value)


def addresses_of(buffer: npt.NDArray[Any]) -> list[c_void_p]:
    """The address of each value of a buffer, which must live as long as they do."""
    start, step = buffer.ctypes.data, buffer.itemsize
    return [c_void_p(start + step * index) for index in range(buffer.size)]


def _declare(name: str, returned: Any = c_int) -> Any:
    address = cast(getattr(pdfium, name), c_void_p).value
    assert address, "pypdfium2 has loaded it"
    return PYFUNCTYPE(returned)(address)


count_objects = _declare("FPDFPage_CountObjects")
get_object = _declare("FPDFPage_GetObject", Handle)
count_objects_of_form = _declare("FPDFFormObj_CountObjects")
get_object_of_form = _declare("FPDFFormObj_GetObject", Handle)
get_type = _declare("FPDFPageObj_GetType")
get_bounds = _declare("FPDFPageObj_GetBounds")
get_matrix = _declare("FPDFPageObj_GetMatrix")
get_draw_mode = _declare("FPDFPath_GetDrawMode")
get_stroke_width = _declare("FPDFPageObj_GetStrokeWidth")
get_pixel_size = _declare("FPDFImageObj_GetImagePixelSize")
count_marks = _declare("FPDFPageObj_CountMarks")
get_mark = _declare("FPDFPageObj_GetMark", Handle)
get_mark_name = _declare("FPDFPageObjMark_GetName")

count_characters = _declare("FPDFText_CountChars")
get_character = _declare("FPDFText_GetUnicode", c_uint)
get_character_box = _declare("FPDFText_GetCharBox")
get_loose_box = _declare("FPDFText_GetLooseCharBox")
get_character_matrix = _declare("FPDFText_GetMatrix")
get_font_size = _declare("FPDFText_GetFontSize", c_double)
get_fill_colour = _declare("FPDFText_GetFillColor")
get_text_object = _declare("FPDFText_GetTextObject", c_void_p)
