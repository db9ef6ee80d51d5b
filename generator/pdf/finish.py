"""Take the sheets with their stubs and the drawn layers, make the finished PDF (pikepdf)."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import pikepdf

from generator.model import Face, Layer


def finish(sheets: bytes, pages: bytes, layers: Sequence[Layer], faces: Sequence[Face]) -> bytes:
    """Put each face into its stub: one Form XObject a face, however often it is placed."""
    with pikepdf.open(io.BytesIO(sheets)) as pdf, pikepdf.open(io.BytesIO(pages)) as drawn:
        drawn_layers = {
            layer.id: pdf.copy_foreign(page.as_form_xobject())
            for layer, page in zip(layers, drawn.pages, strict=True)
        }
        forms = {face.id: _form(pdf, face, drawn_layers) for face in faces}
        for page in pdf.pages:
            stubs = page.obj.Resources.get("/XObject", pikepdf.Dictionary())
            for name in sorted(stubs.keys()):
                stubs[name] = forms[name.rpartition("-")[2]]
        pdf.Root.Lang = pikepdf.String("en")
        buffer = io.BytesIO()
        pdf.save(
            buffer,
            deterministic_id=True,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            compress_streams=True,
        )
        return buffer.getvalue()


def _form(pdf: pikepdf.Pdf, face: Face, layers: Mapping[str, pikepdf.Object]) -> pikepdf.Object:
    """The face as one form: its only layer, or a form that draws its layers in turn."""
    parts = [layers[layer.id] for layer in face.layers]
    if len(parts) == 1:
        return parts[0]
    names = [f"/L{index}" for index in range(len(parts))]
    return pdf.make_stream(
        "\n".join(f"{name} Do" for name in names).encode(),
        Type=pikepdf.Name.XObject,
        Subtype=pikepdf.Name.Form,
        BBox=parts[0].BBox,
        Resources={"/XObject": dict(zip(names, parts, strict=True))},
    )
