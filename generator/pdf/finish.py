"""Take the sheets with their stubs and the drawn layers, make the finished PDF (pikepdf)."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import pikepdf

from generator.model import Face, Layer
from generator.pdf.job import Job
from generator.pdf.points import points, seat, to_page
from generator.pdf.tagging import label, tag, untag

_FORM = "/FormXob."  # how ReportLab begins the names of forms
_DEVICE = {1: pikepdf.Name.DeviceGray, 3: pikepdf.Name.DeviceRGB}  # by number of colours
_TITLES = {
    "face": "Art",
    "cut": "Cut marks",
    "corner": "Corner marks",
    "fold": "Fold lines",
    "register": "Registration",
    "outline": "Sheet outline",
    "slug": "Labels",
}


def finish(sheets: bytes, pages: bytes, job: Job) -> bytes:
    """Put each face into its stub: one Form XObject a face, however often it is placed; and say
    what is on each page."""
    with pikepdf.open(io.BytesIO(sheets)) as pdf, pikepdf.open(io.BytesIO(pages)) as drawn:
        drawn_layers = _forms(pdf, job.layers(), drawn)
        for layer in drawn_layers.values():
            untag(layer)
        forms = {face.id: _form(pdf, face, drawn_layers) for face in job.faces}
        switches: dict[str, pikepdf.Object] = {}
        for page in pdf.pages:
            stubs = page.obj.Resources.get("/XObject", pikepdf.Dictionary())
            for name in sorted(stubs.keys()):
                kind, _, id_ = name.removeprefix(_FORM).partition("-")
                if kind == "face":
                    stubs[name] = forms[id_]
                if kind not in switches:
                    switches[kind] = _switch(pdf, kind)
                stubs[name].OC = switches[kind]
        _add_switches(pdf, switches)
        tag(pdf, job)
        label(pdf, job.sheets)
        buffer = io.BytesIO()
        pdf.save(
            buffer,
            deterministic_id=True,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            compress_streams=True,
        )
        return buffer.getvalue()


def proof(pages: bytes, layers: Sequence[Layer], faces: Sequence[Face]) -> bytes:
    """Each face on a page of its own, as large as its bleed box: to be looked at and thrown away,
    so nothing is spent on its size."""
    with pikepdf.new() as pdf, pikepdf.open(io.BytesIO(pages)) as drawn:
        for page in drawn.pages:
            _drop_profiles(page.obj.Resources)
        drawn_layers = _forms(pdf, layers, drawn)
        for face in faces:
            page = pdf.add_blank_page(page_size=points(face.size))
            form = {"/Face": _form(pdf, face, drawn_layers)}
            page.obj.Resources = pikepdf.Dictionary({"/XObject": pikepdf.Dictionary(form)})
            page.obj.Contents = pdf.make_stream(b"/Face Do")
        buffer = io.BytesIO()
        pdf.save(buffer, compress_streams=False)
        return buffer.getvalue()


def _forms(
    pdf: pikepdf.Pdf, layers: Sequence[Layer], drawn: pikepdf.Pdf
) -> dict[str, pikepdf.Object]:
    """The page of each layer as a form in the file."""
    pages = zip(layers, drawn.pages, strict=bool(layers))  # of none, typst makes a page
    return {layer.id: pdf.copy_foreign(_as_form(page.obj)) for layer, page in pages}


def _drop_profiles(resources: pikepdf.Object) -> None:
    """The engine's colours without their profiles, which say what every screen takes for granted:
    to read them takes as long as to paint a face."""
    spaces = resources.get("/ColorSpace", pikepdf.Dictionary())
    for name, space in spaces.items():
        if isinstance(space, pikepdf.Array) and space[0] == pikepdf.Name.ICCBased:
            spaces[name] = _DEVICE.get(int(space[1].N), space)


def _as_form(page: pikepdf.Object) -> pikepdf.Object:
    """What a page draws, made a form where it is: pikepdf's own way packs all of it anew."""
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


def _add_switches(pdf: pikepdf.Pdf, switches: Mapping[str, pikepdf.Object]) -> None:
    groups = pikepdf.Array([switches[kind] for kind in _TITLES if kind in switches])
    shown = pikepdf.Dictionary(ON=groups, Order=groups)
    pdf.Root.OCProperties = pikepdf.Dictionary(OCGs=groups, D=shown)


def _form(pdf: pikepdf.Pdf, face: Face, layers: Mapping[str, pikepdf.Object]) -> pikepdf.Object:
    """The face as one form that draws its stamps in turn."""
    names = {stamp.layer.id: "" for stamp in face.stamps}
    names = {id_: f"/L{index}" for index, id_ in enumerate(names)}
    page = to_page(face.size)
    drawing = (
        f"q {seat(page, stamp.clip, stamp.place, stamp.layer.size)} {names[stamp.layer.id]} Do Q"
        for stamp in face.stamps
    )
    return pdf.make_stream(
        "\n".join(drawing).encode(),
        Type=pikepdf.Name.XObject,
        Subtype=pikepdf.Name.Form,
        BBox=[0, 0, *points(face.size)],
        Resources={"/XObject": {name: layers[id_] for id_, name in names.items()}},
    )
