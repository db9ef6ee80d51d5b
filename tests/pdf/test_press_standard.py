"""What ISO 15930-7 (PDF/X-4) and ISO 15930-4 (PDF/X-1a) ask of a file. No free program checks
either, so each rule that concerns our files is a test here."""

from __future__ import annotations

from collections.abc import Iterator

import pikepdf
import pytest
from lxml import etree
from pikepdf import Dictionary, Name, Stream

from generator.basics.errors import PnpError
from generator.model import Way
from generator.pdf.binding import bind
from generator.pdf.inks import Standard, built_in_profile
from tests.pdf.test_inking import OPAQUE, TRANSPARENT, example
from tests.support.inked import GAMES, inked, inked_kit, opened
from tests.support.printing import published

X1A: Standard = "PDF/X-1a:2003"
XMP = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "pdf": "http://ns.adobe.com/pdf/1.3/",
    "pdfxid": "http://www.npes.org/pdfx/ns/id/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "xmpMM": "http://ns.adobe.com/xap/1.0/mm/",
}
# streams may not be compressed in these ways, nor hold what other programs run or unpack
FORBIDDEN_FILTERS = {"/LZWDecode", "/Crypt"}
FORBIDDEN_KEYS = {"/AA", "/OpenAction", "/JS", "/A", "/EmbeddedFiles", "/XFA", "/OPI", "/TR", "/F"}


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Iterator[pikepdf.Pdf]:
    with opened(inked_kit(request.param)) as pdf:
        yield pdf


def xmp(pdf: pikepdf.Pdf) -> dict[str, str]:
    """The values of the metadata by name: "xmp:CreateDate"."""
    root = etree.fromstring(pdf.Root.Metadata.read_bytes())
    prefixes = {uri: prefix for prefix, uri in XMP.items()}
    (description,) = root.iter(f"{{{XMP['rdf']}}}Description")
    names = ((etree.QName(entry), entry) for entry in description)
    return {
        f"{prefixes[name.namespace or '']}:{name.localname}": "".join(map(str, entry.itertext()))
        for name, entry in names
    }


def test_version_and_id(game: pikepdf.Pdf) -> None:
    assert game.pdf_version == "1.6"
    assert "/ID" in game.trailer
    assert not game.is_encrypted


def test_one_output_intent_with_its_profile(game: pikepdf.Pdf) -> None:
    (intent,) = game.Root.OutputIntents
    assert intent.S == Name.GTS_PDFX
    assert intent.OutputConditionIdentifier == "FOGRA39"
    assert intent.RegistryName == "http://www.color.org"
    assert intent.DestOutputProfile.N == 4
    assert intent.DestOutputProfile.read_bytes() == built_in_profile().content


def test_identification(game: pikepdf.Pdf) -> None:
    said = xmp(game)
    assert said["pdfxid:GTS_PDFXVersion"] == "PDF/X-4"
    assert said["pdf:Trapped"] == "False"
    assert game.docinfo.Trapped == Name("/False")
    assert said["dc:title"] == str(game.docinfo.Title)
    assert said["dc:description"] == str(game.docinfo.Subject)
    dates = {said[f"xmp:{name}Date"] for name in ("Create", "Modify", "Metadata")}
    assert dates == {"2000-01-01T00:00:00+00:00"}
    assert said["xmpMM:DocumentID"].startswith("uuid:")
    assert (said["xmpMM:VersionID"], said["xmpMM:RenditionClass"]) == ("1", "default")


def test_boxes_lie_within_each_other(game: pikepdf.Pdf) -> None:
    for page in game.pages:
        assert "/ArtBox" not in page.obj
        names = ("/TrimBox", "/BleedBox", "/MediaBox")
        trim, bleed, media = ([float(end) for end in page.obj[name]] for name in names)
        for inner, outer in ((trim, bleed), (bleed, media)):
            assert outer[0] <= inner[0] < inner[2] <= outer[2]
            assert outer[1] <= inner[1] < inner[3] <= outer[3]


def test_boxes_are_those_of_the_sheet() -> None:
    with opened(published()) as before, opened(inked(published())) as after:
        for one, other in zip(before.pages, after.pages, strict=True):
            assert list(one.trimbox) == list(other.trimbox) != list(one.mediabox)


def test_every_font_is_embedded(game: pikepdf.Pdf) -> None:
    fonts = [thing for thing in dictionaries(game) if thing.get("/Type") == "/FontDescriptor"]
    assert len(fonts) > 2
    assert all({"/FontFile2", "/FontFile3"} & set(entry.keys()) for entry in fonts)
    simple = [entry for entry in dictionaries(game) if entry.get("/Subtype") == "/TrueType"]
    assert all("/FontDescriptor" in entry for entry in simple)
    assert not any(entry.get("/Subtype") == "/Type1" for entry in dictionaries(game))


def test_nothing_that_runs_or_lies_outside(game: pikepdf.Pdf) -> None:
    for thing in dictionaries(game):
        keys = set(thing.keys())
        assert not keys & FORBIDDEN_KEYS
        assert "/Annots" not in keys
        assert thing.get("/Subtype") != "/PS"
        assert not any(name in str(thing.get("/Filter", "")) for name in FORBIDDEN_FILTERS)


def test_layers_have_a_name_and_no_conditions(game: pikepdf.Pdf) -> None:
    layers = game.Root.OCProperties
    assert str(layers.D.Name)
    assert set(map(str, layers.D.keys())) <= {"/Name", "/ON", "/Order"}
    assert "/Configs" not in layers
    listed = {entry.objgen for entry in layers.OCGs}
    assert listed == {entry.objgen for entry in layers.D.Order}


def test_groups_blend_in_inks() -> None:
    with opened(inked(example("group"))) as pdf:
        groups = [thing.Group.CS for thing in dictionaries(pdf) if "/Group" in thing]
    assert groups
    assert set(groups) == {Name.DeviceCMYK}


def test_files_of_several_games() -> None:
    with opened(inked(bind([published(), published()]))) as pdf:
        assert xmp(pdf)["dc:title"] == "Talavera"
        assert len(pdf.Root.OutputIntents) == 1


def test_files_with_other_contents_have_other_ids() -> None:
    ways: tuple[Way, ...] = ("long", "long", "fold")
    first, again, other = (xmp(opened(inked(published(way=way))))["xmpMM:DocumentID"] for way in ways)
    assert first == again != other


def dictionaries(pdf: pikepdf.Pdf) -> Iterator[Dictionary | Stream]:
    """All dictionaries and streams of a file."""
    for thing in pdf.objects:
        if isinstance(thing, Dictionary | Stream):
            yield thing


@pytest.mark.parametrize("name", OPAQUE)
def test_x1a(name: str) -> None:
    content = inked(example(name), standard=X1A)
    assert content.startswith(b"%PDF-1.4")
    assert b"/ObjStm" not in content
    with opened(content) as pdf:
        assert pdf.docinfo.GTS_PDFXVersion == X1A
        assert xmp(pdf)["pdfxid:GTS_PDFXVersion"] == X1A
        assert "/OCProperties" not in pdf.Root
        for thing in dictionaries(pdf):
            assert not {"/OC", "/Group", "/SMask"} & set(thing.keys())
            assert float(thing.get("/ca", 1)) == float(thing.get("/CA", 1)) == 1


REASONS = {
    "opacity": "opacity",
    "group": "opacity",
    "mask": "a mask, or a gradient that fades",
    "fading gradient": "a mask, or a gradient that fades",
    "picture with alpha": "a picture with alpha, or a filter",
    "blur": "a picture with alpha, or a filter",
}


@pytest.mark.parametrize("name", TRANSPARENT)
def test_x1a_names_what_is_transparent_and_why(name: str) -> None:
    with pytest.raises(PnpError) as caught:
        inked(example(name), standard=X1A)
    assert str(caught.value) == (
        f"error: PDF/X-1a:2003: it has no transparency, but these have: a ({REASONS[name]})\n"
        "    hint: make these drawings opaque; only PDF/X-4 allows transparency"
    )
