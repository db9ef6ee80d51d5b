"""Say in a file that it is made for a press: PDF/X-4 or PDF/X-1a (pikepdf).

Sources: ISO 15930-7:2010 (PDF/X-4) and ISO 15930-4:2003 (PDF/X-1a): the output intent, the boxes of
pages, identification, trapping; ISO 32000-1, 14.11.5; ISO 16684-1 (XMP).
"""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime
from hashlib import blake2b
from uuid import UUID
from xml.sax.saxutils import escape

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from generator.pdf.inks import PressColour, PressProfile, Standard

_VERSIONS: dict[Standard, str] = {"PDF/X-4": "1.6", "PDF/X-1a:2003": "1.4"}
_REGISTRY = "http://www.color.org"
_DATE = re.compile(r"D:(\d{14})")
_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about=""
  xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
  xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"
  xmlns:xmp="http://ns.adobe.com/xap/1.0/"
  xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{subject}</rdf:li></rdf:Alt></dc:description>
<pdf:Producer>{producer}</pdf:Producer>
<pdf:Trapped>False</pdf:Trapped>
<pdfxid:GTS_PDFXVersion>{standard}</pdfxid:GTS_PDFXVersion>
<xmp:CreatorTool>{creator}</xmp:CreatorTool>
<xmp:CreateDate>{date}</xmp:CreateDate>
<xmp:ModifyDate>{date}</xmp:ModifyDate>
<xmp:MetadataDate>{date}</xmp:MetadataDate>
<xmpMM:DocumentID>uuid:{id}</xmpMM:DocumentID>
<xmpMM:InstanceID>uuid:{id}</xmpMM:InstanceID>
<xmpMM:RenditionClass>default</xmpMM:RenditionClass>
<xmpMM:VersionID>1</xmpMM:VersionID>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
"""


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
    text = _XMP.format(**said, standard=standard, date=_date(info), id=_id(content))
    stream = pdf.make_stream(text.encode())
    stream.Type, stream.Subtype = Name.Metadata, Name.XML
    return stream


_SAID = ("Title", "Author", "Subject", "Producer", "Creator")


def _date(info: pikepdf.Object) -> str:
    """The date of the file, which is the same in every file of pnp."""
    found = _DATE.match(str(info.CreationDate))
    assert found
    return datetime.strptime(found[1], "%Y%m%d%H%M%S").replace(tzinfo=UTC).isoformat()


def _id(content: bytes) -> UUID:
    return UUID(bytes=blake2b(content, digest_size=16).digest(), version=4)
