"""The bytes of a PDF, from pages, forms and objects. Only this module imports ReportLab.

A Canvas draws the pages. What ReportLab has no call for joins its document as objects: forms that
were drawn elsewhere, fonts whose codes are glyphs, layers, tags. All of them stay in memory until
the file is made, 10 KB a card; larger decks are printed in volumes.
"""

import os
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from generator.basics.geometry import Size
from generator.pdf.points import points

__all__ = ["FILL_NON_ZERO", "Fonts", "PdfDocument", "make_array", "make_dictionary", "make_text"]

_SETTINGS = ("reportlab_mods", "reportlab_settings", "reportlab.local_rl_mods", "reportlab.local_rl_settings")


@contextmanager
def _without_settings() -> Iterator[None]:
    """Hide the user's settings of ReportLab while it loads: it runs files of the home folder, and
    reads variables that change the bytes of every file."""
    stubs = {name: ModuleType(name) for name in _SETTINGS if name not in sys.modules}
    hidden = {name: os.environ.pop(name) for name in [*os.environ] if name.startswith("RL_")}
    sys.modules.update(stubs)
    try:
        yield
    finally:
        os.environ.update(hidden)
        for name in stubs:
            del sys.modules[name]


with _without_settings():
    from reportlab import rl_config
    from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFObject, PDFStream, PDFString, xObjectName
    from reportlab.pdfgen.canvas import FILL_NON_ZERO, Canvas

rl_config.useA85 = 0  # a fifth smaller, and every viewer reads bytes

_VERSION = (1, 5)  # of PDF: the first with layers
_CREATOR = "pnp"
_METADATA = Path(__file__).with_name("metadata.xmp")
_FONTS = "BasicFonts"  # ReportLab's name of the fonts of a file


def make_array(values: Sequence[object]) -> Any:
    """An array of objects, references, numbers, or texts as they are written."""
    return PDFArray(values)


def make_dictionary(entries: Mapping[str, object]) -> Any:
    """A dictionary of the same; its keys have no slash, and later ones may be added."""
    return PDFDictionary(dict(entries))


def make_text(words: str) -> Any:
    """A text that people read."""
    return PDFString(words)


def write_metadata(title: str, author: str, subject: str) -> bytes:
    """The metadata of a file (XMP)."""
    said = {"title": title, "author": author, "subject": subject, "creator": _CREATOR}
    return _METADATA.read_text("utf-8").format(**{name: escape(text) for name, text in said.items()}).encode()


class _Written(PDFObject):  # type: ignore[misc]
    def __init__(self, content: bytes) -> None:
        self._content = content

    def format(self, _: object) -> bytes:
        return self._content


class Fonts(Protocol):
    """Fonts of a file, of ReportLab's kind: written last, when all their glyphs are known."""

    def addObjects(self, document: object) -> None:  # noqa: N802  ReportLab's name
        """Write the fonts."""


class PdfDocument(Canvas):  # type: ignore[misc]
    """A PDF with ReportLab's methods for its pages and its descriptions. References to objects are
    texts such as "12 0 R"; the bytes depend on the objects and their order alone."""

    def __init__(self, *, is_compressed: bool = True, language: str = "") -> None:
        self._is_compressed = is_compressed
        how = {"pageCompression": int(is_compressed), "invariant": 1, "pdfVersion": _VERSION}
        super().__init__("", lang=language, **how)

    def _make_preamble(self) -> None:
        """Begin a page with nothing: ReportLab sets Helvetica, which is not embedded."""
        self._preamble = ""

    def put(self, value: object) -> str:
        """Add an object; returns its reference."""
        name = self._doc.Reference(value).name
        number, version = self._doc.idToObjectNumberAndVersion[name]
        return f"{number} {version} R"

    def put_written(self, content: str) -> str:
        """Add an object as it is written; returns its reference."""
        return self.put(_Written(content.encode("ascii")))

    def put_stream(self, entries: Mapping[str, object], content: bytes, *, is_coded: bool = False) -> str:
        """Add a stream, compressed unless it is coded already; returns its reference."""
        self._doc.updateSignature(content)
        if self._is_compressed and not is_coded:
            content, entries = zlib.compress(content), {**entries, "Filter": "/FlateDecode"}
        return self.put(PDFStream(make_dictionary(entries), content))

    def put_form(self, size: Size, resources: object, content: str, entries: Mapping[str, object]) -> str:
        """Add operators as a form of a size (mm), with further entries; returns its reference."""
        form = {
            "Type": "/XObject",
            "Subtype": "/Form",
            "BBox": make_array((0, 0, *points(size))),
            "Resources": resources,
        }
        return self.put_stream({**form, **entries}, content.encode("ascii"))

    def name_form(self, name: str, reference: str) -> None:
        """Give a form a name for `doForm`; it may have several."""
        number, version, _ = reference.split()
        self._doc.idToObjectNumberAndVersion[xObjectName(name)] = int(number), int(version)

    def end_form(self, switch: str) -> None:
        """End a form that `beginForm` began, as a part of a layer, given by its reference."""
        content = self.getCurrentPageContent().encode("ascii")
        self._doc.updateSignature(content)
        resources = make_dictionary({"Font": self._fonts})
        self.endForm(Contents=PDFStream(make_dictionary({"OC": switch}), content), Resources=resources)

    def put_fonts(self, fonts: Fonts) -> str:
        """Let fonts be written last; returns the reference to all fonts by their names."""
        self._doc.delayedFonts.append(fonts)
        return self._fonts

    @property
    def _fonts(self) -> str:
        number, version = self._doc.idToObjectNumberAndVersion[_FONTS]
        return f"{number} {version} R"

    def put_font(self, name: str, font: object) -> None:
        """Add a font by its name, without a slash."""
        self._doc.idToObject[_FONTS][name] = self.put(font)

    def end_page(self, **entries: object) -> str:
        """End the page, with further entries; returns its reference."""
        self._doc.updateSignature(self.getCurrentPageContent().encode("ascii"))
        self.showPage()
        page = self._doc.Pages[-1]
        page.Resources = make_dictionary({"XObject": page.XObjects or make_dictionary({})})
        _add_entries(page, entries)
        return self.put(page)

    def describe(self, title: str, author: str, subject: str) -> None:
        """Say what the file is, in its information and in its metadata (ISO 16684-1, XMP)."""
        self.setTitle(title)
        self.setAuthor(author)
        self.setSubject(subject)
        self.setCreator(_CREATOR)
        content = write_metadata(title, author, subject)
        kind = {"Type": "/Metadata", "Subtype": "/XML"}
        reference = self.put_stream(kind, content, is_coded=True)  # to be found without decoding
        _add_entries(self._doc.Catalog, {"Metadata": reference})

    def set_layers(self, layers: Sequence[str]) -> None:
        """Name the layers of the file, by their references, in the order of a viewer's list."""
        default = make_dictionary({"Name": make_text("Print"), "ON": make_array(layers), "Order": make_array(layers)})
        properties = make_dictionary({"OCGs": make_array(layers), "D": default})
        _add_entries(self._doc.Catalog, {"OCProperties": properties})

    def to_bytes(self) -> bytes:
        """The finished file."""
        content: bytes = self.getpdfdata()
        return content


def _add_entries(holder: Any, entries: Mapping[str, object]) -> None:
    """Add entries that ReportLab does not know, by name, to those that it writes of an object."""
    holder.__NoDefault__ = [*holder.__NoDefault__, *entries]
    for name, value in entries.items():
        setattr(holder, name, value)
