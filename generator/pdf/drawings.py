"""Take the engine's pages, write each as a form, in groups, when one is needed first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from generator.pdf.carrying import Carrier
from generator.pdf.document import PdfDocument, make_dictionary
from generator.pdf.faces import Typeset
from generator.pdf.reading import PdfReader, PdfStream, make_plain
from generator.pdf.viewers import suit_viewers
from generator.pdf.words import COLOURED, GREY

_SPACES = {"1": GREY, "3": COLOURED}  # by the number of colours
_DEVICE = {"1": "/DeviceGray", "3": "/DeviceRGB"}
_PLAIN_SPACES = {name[1:]: _DEVICE[count] for count, name in _SPACES.items()}
_MAKER, _ENGINE = slice(48, 56), b"sawsctrl"  # of a profile; of that in typst 0.15, sRGB
_LIMITED = (b"/ColorDodge", b"/ColorBurn")  # modes that viewers blend wrong
_ARTIFACT = b"/Artifact BMC\n"
_END = b"EMC"
_TOGETHER = 1000  # pages that the engine draws at once; it keeps them all until it is done


class DrawnForms:
    """The forms of the engine's pages, by number. `describe` gives further entries of each form;
    `has_profiles`: with the engine's profiles of colours."""

    def __init__(
        self,
        document: PdfDocument,
        typeset: Typeset,
        describe: Callable[[int], Mapping[str, object]],
        *,
        has_profiles: bool,
    ) -> None:
        self._document, self._typeset, self._describe = document, typeset, describe
        self._has_profiles = has_profiles
        self._carrier = Carrier(document)
        self._forms: dict[int, str] = {}

    def form(self, number: int) -> str:
        """The reference to the form of a page."""
        if number not in self._forms:
            self._write_group(number - number % _TOGETHER)
        return self._forms[number]

    def spaces(self) -> str:
        """The reference to the colour spaces of the engine, by the names that words use."""
        if not self._has_profiles:
            return self._document.put(make_dictionary(_PLAIN_SPACES))
        drawing = self._open(self._typeset.draw_swatches())
        spaces = drawing.get(drawing.get(drawing.pages[0], "/Resources"), "/ColorSpace")
        named = {
            _SPACES[_count_colours(drawing, space)][1:]: self._carrier.carry(space)
            for space in spaces.values()
        }
        return self._document.put(make_dictionary(named))

    def _write_group(self, start: int) -> None:
        end = min(start + _TOGETHER, self._typeset.pages)
        drawing = self._open(self._typeset.draw(start, end))
        for number, page in enumerate(drawing.pages, start):
            form = _as_form(drawing, page)
            _untag(form)
            self._forms[number] = self._carrier.carry_form(form, self._describe(number))

    def _open(self, pages: bytes) -> PdfReader:
        pages = make_plain(pages)
        if any(mode in pages for mode in _LIMITED):
            from generator.pdf.blending import suit_blending  # loads pikepdf

            pages = suit_blending(pages)
        drawing = PdfReader(pages)
        self._carrier.open(drawing)
        suit_viewers(pages, drawing)
        if not self._has_profiles:
            _drop_profiles(pages, drawing)
        return drawing


def _count_colours(drawing: PdfReader, space: Any) -> str:
    space = drawing.resolve(space)
    if isinstance(space, list):
        return str(drawing.get(drawing.resolve(space[1]), "/N"))
    return "1" if space == "/DeviceGray" else "3"


def _as_form(drawing: PdfReader, page: dict[str, Any]) -> PdfStream:
    """Turn the content of a page into a form in place."""
    form: PdfStream = drawing.get(page, "/Contents")
    form |= {"/Type": "/XObject", "/Subtype": "/Form", "/BBox": page["/MediaBox"]}
    form |= {key: page[key] for key in ("/Resources", "/Group") if key in page}
    return form


def _untag(form: PdfStream) -> None:
    """Remove the engine's artifact mark, so that a form belongs to the content that draws it."""
    content = form.read().rstrip()
    if content.startswith(_ARTIFACT) and content.endswith(_END):
        form.write(content[len(_ARTIFACT) : -len(_END)])


def _drop_profiles(content: bytes, drawing: PdfReader) -> None:
    """Drop the engine's colour profiles: they are every screen's default, and reading them takes as
    long as painting a face."""
    for page in drawing.pages:
        spaces = drawing.get(drawing.get(page, "/Resources"), "/ColorSpace", {})
        for name, space in spaces.items():
            if _is_profiled(drawing.resolve(space)):
                spaces[name] = _DEVICE.get(_count_colours(drawing, space), space)
    if b"/Subtype/Image" in content:
        _drop_profiles_of_pictures(drawing)


def _is_profiled(space: Any) -> bool:
    return isinstance(space, list) and space[0] == "/ICCBased"


def _drop_profiles_of_pictures(drawing: PdfReader) -> None:
    """Drop the profile that the engine gives to pictures without one: it is sRGB, and painting
    with it takes twice as long."""
    for thing in drawing.objects():
        if not isinstance(thing, PdfStream) or thing.get("/Subtype") != "/Image":
            continue
        space = drawing.get(thing, "/ColorSpace")
        if not _is_profiled(space):
            continue
        profile: PdfStream = drawing.resolve(space[1])
        if profile.read()[_MAKER] == _ENGINE:
            thing["/ColorSpace"] = _DEVICE.get(profile["/N"], space)
