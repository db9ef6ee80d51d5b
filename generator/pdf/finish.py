"""Take the drawn sheets and the typeset layers, make the finished PDF (pikepdf)."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import pikepdf
from pikepdf import Dictionary

from generator.geometry import Size
from generator.model import Face
from generator.pdf.assembly import Assembler
from generator.pdf.faces import Typeset
from generator.pdf.job import FACE, Job
from generator.pdf.points import points
from generator.pdf.tagging import label, tag, untag
from generator.pdf.viewers import suit_viewers

_FORM = "/FormXob."  # the prefix of ReportLab's names for forms
_DEVICE = {1: pikepdf.Name.DeviceGray, 3: pikepdf.Name.DeviceRGB}  # by number of colours
_MAKER, _ENGINE = slice(48, 56), b"sawsctrl"  # of a profile; of that in typst 0.15, sRGB
_TITLES = {
    "face": "Art",
    "cut": "Cut marks",
    "corner": "Corner marks",
    "outline": "Outlines",
    "fold": "Fold lines",
    "register": "Registration",
    "frame": "Frame",
    "cutter": "Cutter marks",
    "slug": "Labels",
}


def finish(sheets: bytes, typeset: Typeset, job: Job) -> bytes:
    """Give the pages their faces, each one Form XObject for all its places, and tag each page."""
    pages = typeset.pages
    with pikepdf.open(io.BytesIO(sheets)) as pdf, pikepdf.open(io.BytesIO(pages)) as drawing:
        suit_viewers(pages, drawing)
        drawn = _draw(pdf, drawing)
        for form in drawn:
            untag(form)
        assembler = Assembler(pdf, drawn, typeset)
        switches = _show(pdf, job, assembler.faces(job.faces))
        assembler.embed_fonts()
        add_switches(pdf, switches)
        tag(pdf, job)
        label(pdf, job.sheets)
        return to_bytes(pdf)


def _show(pdf: pikepdf.Pdf, job: Job, forms: Sequence[pikepdf.Object]) -> dict[str, pikepdf.Object]:
    """Give each page the forms of its faces, and each form its switch. Returns these by kind."""
    switches: dict[str, pikepdf.Object] = {}
    faces = {face.id: form for face, form in zip(job.faces, forms, strict=True)}
    drawn = (page for sheet in job.sheets for page in sheet.pages)
    for page, source in zip(drawn, pdf.pages, strict=True):
        shown = source.obj.Resources.get("/XObject", Dictionary())
        for id_ in sorted({placement.face for placement in page.placements}):
            shown[f"{FACE}{id_}"] = faces[id_]
        for name, form in shown.items():
            kind = name.removeprefix(_FORM).removeprefix("/").partition("-")[0]
            if kind not in switches:
                switches[kind] = _switch(pdf, kind)
            form.OC = switches[kind]
        source.obj.Resources.XObject = shown
    return switches


def to_bytes(pdf: pikepdf.Pdf) -> bytes:
    """The file, the same for the same content."""
    buffer = io.BytesIO()
    pdf.save(
        buffer,
        deterministic_id=True,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
        compress_streams=True,
    )
    return buffer.getvalue()


def proof(typeset: Typeset, faces: Sequence[Face]) -> bytes:
    """A page for each face, of the size of its bleed box."""
    with new_proof(typeset) as (pdf, drawn):
        assembler = Assembler(pdf, drawn, typeset)
        for face, form in zip(faces, assembler.faces(faces), strict=True):
            add_page(pdf, face.size, b"/Face Do", {"/Face": form})
        assembler.embed_fonts()
        return save_proof(pdf)


@contextmanager
def new_proof(typeset: Typeset) -> Iterator[tuple[pikepdf.Pdf, list[pikepdf.Object]]]:
    """A new file, and the engine's pages as forms in it."""
    pages = typeset.pages
    with pikepdf.new() as pdf, pikepdf.open(io.BytesIO(pages)) as drawing:
        suit_viewers(pages, drawing)
        for page in drawing.pages:
            _drop_profiles(page.obj.Resources)
        if b"/Subtype/Image" in pages:
            _drop_profiles_of_pictures(drawing)
        yield pdf, _draw(pdf, drawing)


def add_page(
    pdf: pikepdf.Pdf, size: Size, operators: bytes, forms: Mapping[str, pikepdf.Object]
) -> None:
    """Add a page of a size (mm) that shows forms."""
    page = pdf.add_blank_page(page_size=points(size))
    page.obj.Resources = pikepdf.Dictionary({"/XObject": pikepdf.Dictionary(forms)})
    page.obj.Contents = pdf.make_stream(operators)


def save_proof(pdf: pikepdf.Pdf) -> bytes:
    """The file, not compressed because it is temporary."""
    buffer = io.BytesIO()
    pdf.save(buffer, compress_streams=False)
    return buffer.getvalue()


def _draw(pdf: pikepdf.Pdf, drawing: pikepdf.Pdf) -> list[pikepdf.Object]:
    """The pages of the engine as forms in the file."""
    return [pdf.copy_foreign(_as_form(page.obj)) for page in drawing.pages]


def _drop_profiles(resources: pikepdf.Object) -> None:
    """Drop the engine's colour profiles: they are every screen's default, and reading them takes as
    long as painting a face."""
    spaces = resources.get("/ColorSpace", pikepdf.Dictionary())
    for name, space in spaces.items():
        if isinstance(space, pikepdf.Array) and space[0] == pikepdf.Name.ICCBased:
            spaces[name] = _DEVICE.get(int(space[1].N), space)


def _drop_profiles_of_pictures(drawing: pikepdf.Pdf) -> None:
    """Drop the profile that the engine gives to pictures without one: it is sRGB, and painting
    with it takes twice as long."""
    is_srgb: dict[tuple[int, int], bool] = {}
    for thing in drawing.objects:
        if not isinstance(thing, pikepdf.Stream) or thing.get("/Subtype") != "/Image":
            continue
        space = thing.get("/ColorSpace")
        if not isinstance(space, pikepdf.Array) or space[0] != pikepdf.Name.ICCBased:
            continue
        profile = space[1]
        if profile.objgen not in is_srgb:
            is_srgb[profile.objgen] = profile.read_bytes()[_MAKER] == _ENGINE
        if is_srgb[profile.objgen]:
            thing.ColorSpace = _DEVICE.get(int(profile.N), space)


def _as_form(page: pikepdf.Object) -> pikepdf.Object:
    """Turn the content of a page into a form in place; pikepdf's way would compress it again."""
    form = page.Contents
    form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
    form.BBox, form.Resources = page.MediaBox, page.Resources
    if "/Group" in page:
        form.Group = page.Group
    return form


def _switch(pdf: pikepdf.Pdf, kind: str) -> pikepdf.Object:
    """A layer that a viewer can show or hide (an optional content group, ISO 32000-1, 8.11)."""
    title = pikepdf.String(_TITLES[kind])
    return pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name=title))


def kind_of(switch: pikepdf.Object) -> str:
    """The kind of what a layer shows."""
    return next(kind for kind, title in _TITLES.items() if title == str(switch.Name))


def add_switches(pdf: pikepdf.Pdf, switches: Mapping[str, pikepdf.Object]) -> None:
    """Lists the layers, given by their kinds, for viewers."""
    groups = pikepdf.Array([switches[kind] for kind in _TITLES if kind in switches])
    default = pikepdf.Dictionary(ON=groups, Order=groups)
    pdf.Root.OCProperties = pikepdf.Dictionary(OCGs=groups, D=default)
