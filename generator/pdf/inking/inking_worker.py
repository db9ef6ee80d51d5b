"""PDFs for a press, of finished ones: a worker process, as profiles and pictures are anybody's.

The answers are two: problems and notes as JSON, and the PDF, which is empty if there are problems.

Also the declaration that a file is made for a press: PDF/X-4 or PDF/X-1a (pikepdf). Sources: ISO 15930-7:2010 (PDF/X-4)
and ISO 15930-4:2003 (PDF/X-1a): the output intent, the boxes of pages, identification, trapping; ISO 32000-1, 14.11.5;
ISO 16684-1 (XMP). And the pieces of a finished file whose drawings have transparency.
"""

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from uuid import UUID
from xml.sax.saxutils import escape

import pikepdf
from pikepdf import Array, Dictionary, Name, NumberTree, Stream, String

from generator.basics.errors import Place, PnpError, count_of, fail
from generator.basics.workers import serve
from generator.pdf.inking.walking import ink_pages
from generator.pdf.inks import PressColour, PressProfile, Standard
from generator.pdf.mixing import Mixer

_VERSIONS: dict[Standard, str] = {"PDF/X-4": "1.6", "PDF/X-1a:2003": "1.4"}
_REGISTRY = "http://www.color.org"
_DATE = "2000-01-01T00:00:00+00:00"  # of every file of pnp
_XMP = Path(__file__).with_name("metadata.xmp")
_PLAIN_MODES = {"/Normal", "/Compatible"}

# Modes whose result may have more ink than what is below and what is above (ISO 32000-1, 11.3.5)
_INKY_MODES = {
    "/Multiply", "/Overlay", "/Darken", "/ColorBurn", "/HardLight", "/SoftLight", "/Hue",
    "/Saturation", "/Color", "/Luminosity", "/Difference", "/Exclusion",
}  # fmt: skip
_MOST_NAMED = 5


def declare(pdf: pikepdf.Pdf, content: bytes, colour: PressColour) -> None:
    """Add what the standard asks of a file whose colours are inks; `content` is the file as it was,
    from which its id is computed."""
    pdf.Root.OutputIntents = Array([_intent(pdf, colour.profile)])
    pdf.docinfo.Trapped = Name("/False")
    if colour.standard == "PDF/X-1a:2003":
        pdf.docinfo.GTS_PDFXVersion = String(colour.standard)
        _drop_switches(pdf)
    else:
        pdf.Root.OCProperties.D.Name = String("Print")
    for page in pdf.pages:
        if "/Trans" in page.obj:
            del page.obj["/Trans"]  # of a slide show
    pdf.Root.Metadata = _metadata(pdf, content, colour.standard)


def to_bytes(pdf: pikepdf.Pdf, standard: Standard) -> bytes:
    """The file in the version of PDF that the standard allows, the same for the same content."""
    mode = pikepdf.ObjectStreamMode
    is_new = standard == "PDF/X-4"
    buffer = io.BytesIO()
    pdf.save(
        buffer,
        force_version=_VERSIONS[standard],
        deterministic_id=True,
        object_stream_mode=mode.generate if is_new else mode.disable,
        compress_streams=True,
    )
    return buffer.getvalue()


def _intent(pdf: pikepdf.Pdf, profile: PressProfile) -> pikepdf.Object:
    """The printing condition that the inks are mixed for."""
    stream = pdf.make_stream(profile.content)
    stream.N = 4
    intent = Dictionary(
        Type=Name.OutputIntent,
        S=Name.GTS_PDFX,
        OutputConditionIdentifier=String(profile.condition or "Custom"),
        Info=String(profile.name),
        DestOutputProfile=stream,
    )
    if profile.condition:
        intent.RegistryName = String(_REGISTRY)
    return pdf.make_indirect(intent)


def _drop_switches(pdf: pikepdf.Pdf) -> None:
    """Drop the layers, and the groups of drawings, which show the same without transparency."""
    for thing in pdf.objects:
        if isinstance(thing, pikepdf.Stream | Dictionary):
            for name in ("/OC", "/Group"):
                if name in thing:
                    del thing[name]
    if "/OCProperties" in pdf.Root:
        del pdf.Root["/OCProperties"]
        pdf.Root.PageMode = Name.UseOutlines


def _metadata(pdf: pikepdf.Pdf, content: bytes, standard: Standard) -> pikepdf.Object:
    info = pdf.docinfo
    said = {name.lower(): escape(str(info.get(f"/{name}", ""))) for name in _SAID}
    id_ = UUID(bytes=blake2b(content, digest_size=16).digest(), version=4)
    said |= {"standard": standard, "date": _DATE, "id": str(id_)}
    text = _XMP.read_text("utf-8").format(**said)
    stream = pdf.make_stream(text.encode())
    stream.Type, stream.Subtype = Name.Metadata, Name.XML
    return stream


_SAID = ("Title", "Author", "Subject", "Producer", "Creator")


def _why_transparent(thing: pikepdf.Object) -> str:
    """Why a picture, or the graphics state of a drawing, is not opaque; "" if it is."""
    if thing.get("/Subtype") == "/Image":
        return "a picture with alpha, or a filter" if "/SMask" in thing else ""
    if any(float(thing.get(name, 1)) < 1 for name in ("/ca", "/CA")):
        return "opacity"
    if isinstance(thing.get("/SMask"), Dictionary):
        return "a mask, or a gradient that fades"
    return "" if str(thing.get("/BM", "/Normal")) in _PLAIN_MODES else "a blend mode"


def _why_inky(thing: pikepdf.Object) -> str:
    return "a blend mode" if str(thing.get("/BM", "")) in _INKY_MODES else ""


class _Finder:
    """Looks into each form once; `test` gives the reason why a thing is looked for, or ""."""

    def __init__(self, pdf: pikepdf.Pdf, test: Callable[[pikepdf.Object], str]) -> None:
        self._pdf, self._test = pdf, test
        self._known: dict[tuple[int, int], str] = {}
        self._elements = NumberTree(pdf.Root.StructTreeRoot.ParentTree)  # of tags, on each page

    def find(self) -> dict[str, str]:
        """The first reason of each piece or page that has one."""
        found: dict[str, str] = {}
        for number, page in enumerate(self._pdf.pages, 1):
            forms = page.obj.Resources.get("/XObject", Dictionary())
            shown = {name: why for name, form in forms.items() if (why := self._reason(form))}
            for name, why in self._names(page, number, shown):
                found.setdefault(name, why)
        return found

    def _names(self, page: pikepdf.Page, number: int, shown: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """The names of the marked contents of a page that show some of these forms, and why."""
        elements = self._elements[int(page.obj.StructParents)]
        marked = -1
        for instruction in pikepdf.parse_content_stream(page) if shown else ():
            if str(instruction.operator) == "BDC":
                marked = int(instruction.operands[1].get("/MCID", -1))  # headers and feet have none
            elif str(instruction.operator) == "Do" and str(instruction.operands[0]) in shown:
                element = elements[marked] if 0 <= marked < len(elements) else Dictionary()
                name = str(element.get("/Alt", f"page {number}"))
                yield name, shown[str(instruction.operands[0])]

    def _reason(self, form: pikepdf.Object) -> str:
        key = form.objgen
        if key not in self._known:
            self._known[key] = ""  # a form never shows itself
            reasons = map(self._reason_of_part, _parts(form))
            self._known[key] = self._test(form) or next(filter(None, reasons), "")
        return self._known[key]

    def _reason_of_part(self, part: pikepdf.Object) -> str:
        return self._reason(part) if isinstance(part, Stream) else self._test(part)


def _parts(form: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """The forms, pictures, tiles and graphics states in the resources of a form."""
    resources = form.get("/Resources", Dictionary())
    for kind in ("/XObject", "/Pattern", "/ExtGState"):
        yield from resources.get(kind, Dictionary()).values()


def make(content: bytes, colour: PressColour) -> tuple[bytes, list[str]]:
    """The PDF for a press, and notes on it. Raises PnpError if it cannot be made."""
    mixer = Mixer(colour.profile, colour.limit)
    with pikepdf.open(io.BytesIO(content)) as pdf:
        if colour.standard == "PDF/X-1a:2003" and (found := _Finder(pdf, _why_transparent).find()):
            names = [f"{name} ({why})" for name, why in found.items()]
            what = f"it has no transparency, but these have: {_join(names)}"
            raise fail(Place(colour.standard), what, "make these drawings opaque; only PDF/X-4 allows transparency")
        inky = list(_Finder(pdf, _why_inky).find())
        ink_pages(pdf, content, mixer, colour.limit)
        declare(pdf, content, colour)
        return to_bytes(pdf, colour.standard), [_warn(inky, colour)] if inky else []


def _warn(names: Sequence[str], colour: PressColour) -> str:
    limit = f"{colour.limit * 100:g} %"
    return f"ink may pass {limit} where drawings blend with what is below them: {_join(names)}"


def _join(names: Sequence[str]) -> str:
    rest = len(names) - _MOST_NAMED
    more = f" and {count_of(rest, 'other')}" if rest > 0 else ""
    return "; ".join(names[:_MOST_NAMED]) + more


def _answer(job: tuple[bytes, PressColour]) -> Iterator[bytes]:
    try:
        inked, notes = make(*job)
        problems = []
    except PnpError as error:
        inked, notes = b"", []
        problems = [(str(problem.place), problem.what, problem.hint) for problem in error.problems]
    yield json.dumps({"problems": problems, "notes": notes}).encode()
    yield inked


if __name__ == "__main__":
    serve(_answer)
