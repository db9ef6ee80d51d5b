"""The worker process of art/pages.py: drawings of the pages of a PDF, and each page alone."""

import base64
import io
import re
from contextlib import suppress
from functools import lru_cache
from math import sqrt
from pathlib import Path

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
import typst
from msgspec import msgpack
from pikepdf import Dictionary, Name, Stream

from generator.art.pages import PageArt
from generator.art.picture import ArtReader
from generator.basics.errors import Place, PnpError, count_of
from generator.basics.files import MEGABYTE
from generator.basics.geometry import decimal
from generator.basics.workers import serve
from generator.pdf.inking.walking import check_inks
from generator.text import HOUSE_FONTS, FontBook

_PAGE = '#set page(width: {}pt, height: {}pt, margin: 0pt, fill: none)\n#image("{}", page: {}, width: 100%)'
_DRAWING = re.compile(rb'data:image/svg\+xml;base64,([^"]+)')
_SMALLEST, _LARGEST = 3.0, 14_400.0  # pt, of the sides of a page (ISO 32000-1, annex C.2)
_COARSE = b' style="image-rendering: pixelated"'
_DPI, _MOST_PIXELS, _QUALITY = 600.0, 5e6, 90  # of a JPEG
_MOST_BYTES = 4 * MEGABYTE  # of a page
_DEEPEST = 12  # forms within forms
_KEPT = frozenset(["/Type", "/MediaBox", "/CropBox", "/Rotate", "/Resources", "/Contents", "/Group"])
_MISREAD = (pikepdf.PdfError, pypdfium2.PdfiumError, typst.TypstError)
STRANGE = (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError, *_MISREAD)  # of any program


class PdfFile:
    """A PDF of any program, as pikepdf and pdfium read it. typst draws its pages, without fonts:
    paths stay paths, letters become paths."""

    def __init__(self, path: str) -> None:
        """Raises pikepdf.PasswordError, or one of STRANGE."""
        self.pdf, self.document = pikepdf.open(path), pypdfium2.PdfDocument(path)
        self._path = Path(path)
        fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False)
        self._compiler = typst.Compiler(root=str(self._path.parent), font_paths=fonts)

    def trace(self, number: int) -> bytes:
        """The drawing of a page, from 0: an SVG in points. Raises one of STRANGE."""
        sides = self.document[number].get_size()
        if not _SMALLEST <= min(sides) <= max(sides) <= _LARGEST:
            raise ValueError("its size is not that of a page")
        request = _PAGE.format(*sides, self._path.name, number + 1)
        made = self._compiler.compile(input=request.encode(), format="svg", timestamp=0)
        assert isinstance(made, bytes)
        found = _DRAWING.search(made)
        if not found:
            raise ValueError("it is not drawn")
        return base64.b64decode(found[1]).replace(_COARSE, b"")

    def draw(self, number: int) -> tuple[bytes, bool]:
        """A drawing of a page, from 0, that is art, and whether it had to become pixels."""
        drawing = self._path.with_suffix(".svg")
        try:
            drawing.write_bytes(self.trace(number))
            ArtReader(drawing.parent, FontBook([HOUSE_FONTS])).read(drawing.name, Place(drawing.name))
        except (PnpError, *STRANGE):  # too large, most likely
            return self._paint(self.document[number]), True
        return drawing.read_bytes(), False

    def _paint(self, page: pypdfium2.PdfPage) -> bytes:
        width, height = page.get_size()
        scale, jpeg = min(_DPI / 72, sqrt(_MOST_PIXELS / (width * height))), io.BytesIO()
        page.render(scale=scale, draw_annots=False).to_pil().convert("RGB").save(jpeg, "JPEG", quality=_QUALITY)
        pixels = base64.b64encode(jpeg.getvalue()).decode()
        size = f'width="{decimal(width)}" height="{decimal(height)}"'
        image = f'<image href="data:image/jpeg;base64,{pixels}" {size}/>'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{image}</svg>'.encode()


@lru_cache(maxsize=1)
def open_file(path: str, password: str = "") -> PdfFile:
    """A file; one with a password is saved again without, and allows what it allowed. Raises
    ValueError, which says why the file cannot be read."""
    try:
        if password:
            with pikepdf.open(path, password=password, allow_overwriting_input=True) as pdf:
                pdf.save(path, encryption=pikepdf.Encryption(password, allow=pdf.allow))
        return PdfFile(path)
    except pikepdf.PasswordError:
        raise ValueError("this is not its password" if password else "it needs a password") from None
    except STRANGE:
        raise ValueError("this is not a readable PDF") from None


def _read_page(path: str, number: int) -> PageArt:
    try:
        file = open_file(path)
    except ValueError as error:
        return PageArt(fault=str(error))
    if not file.pdf.allow.extract:
        return PageArt(fault="its owner does not allow to copy from it")
    if number >= len(file.document):
        return PageArt(fault=f"it has no more than {count_of(len(file.document), 'page')}")
    page = b""
    try:
        drawing, is_pixels = file.draw(number)
    except STRANGE as error:
        return PageArt(fault=f"page {number + 1} cannot be read: {error}")
    with suppress(PnpError, *STRANGE):  # the drawing remains
        page = _take(file, number)
    return PageArt(drawing, page, is_pixels and not page)


def _take(file: PdfFile, number: int) -> bytes:
    """A page alone, with what draws it and nothing else; empty if it may look otherwise elsewhere.
    Raises PnpError for what has no inks."""
    texts = file.document[number].get_objects([pdfium.FPDF_PAGEOBJ_TEXT], max_depth=_DEEPEST)
    has_fonts = all(pdfium.FPDFFont_GetIsEmbedded(pdfium.FPDFTextObj_GetFont(text)) == 1 for text in texts)
    if not has_fonts or Name.OCProperties in file.pdf.Root:  # a layer may be hidden
        return b""
    alone, saved = pikepdf.new(), io.BytesIO()
    alone.pages.append(file.pdf.pages[number])
    page = alone.pages[0]
    for key in page.obj.keys() - _KEPT:
        del page.obj[key]
    page.remove_unreferenced_resources()
    for thing in alone.objects:
        if isinstance(thing, (Dictionary, Stream)):
            _settle_fonts(thing.get("/Resources", Dictionary()).get("/Font", Dictionary()))
    level = pikepdf.StreamDecodeLevel.generalized
    alone.save(saved, static_id=True, stream_decode_level=level, recompress_flate=True)
    content = saved.getvalue()
    with pikepdf.open(io.BytesIO(content)) as twin:  # which is changed
        check_inks(twin)
    return content if len(content) <= _MOST_BYTES else b""


def _settle_fonts(fonts: pikepdf.Object) -> None:
    """Put another font in the place of those without files, which are named but show nothing."""
    bare = [name for name, font in fonts.items() if font.get("/Subtype") == "/Type1" and "/FontDescriptor" not in font]
    others = [font for name, font in fonts.items() if name not in bare]
    for name in bare if others else ():
        fonts[name] = others[0]


if __name__ == "__main__":
    serve(lambda request: [msgpack.encode(_read_page(*request))])
