"""Take a designer's picture, make Art, or report what in it cannot be printed or is unsafe."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from typing import TypeVar

from lxml import etree
from msgspec import Struct, field

from generator.art.drawing import Drawing, Fault, local
from generator.art.editors import say_plainly
from generator.art.effort import effort_faults
from generator.art.embedded import embed_drawings
from generator.art.families import (
    TEXT,
    fall_back,
    find_lacking,
    own_words,
    record_stand_ins,
    settle_weights,
)
from generator.art.gradients import part_at_edges
from generator.art.icons import Icons
from generator.art.mending import drop_lost_effects, mend
from generator.art.parsing import MAX_BYTES, read_drawing
from generator.art.parts import make_part
from generator.art.pixels import FORMATS, make_printable
from generator.art.rendering import PIXELS, render_misdrawn
from generator.art.selecting import crop, select_part
from generator.art.svg import document_faults, element_faults, frame_faults
from generator.basics.errors import Level, MisfitError, PnpError, Problem, at_most, fail, quote
from generator.basics.files import read_within
from generator.basics.place import Place
from generator.model import Art
from generator.text import FontBook
from generator.text.icons import find_icon
from generator.text.standins import StandIns

_MAX_PROBLEMS = 20
_MAX_LOOKED_AT = 200
_MOST_KEPT = 32_768  # bytes of a drawing that is kept for the next reader
_SVG, _SVGZ = ".svg", ".svgz"
_PART = re.compile(r"(.+?\.[A-Za-z]{3,4})#(.*)")  # a file's own name may have a # too
_ICON = re.compile(r"[\w .+-]{1,60}")
_Result = TypeVar("_Result")


class ArtReader(Struct, frozen=True):
    """Reads the pictures in a game's folder.

    `fallback` are the families for characters that others lack. `stand_ins` and `findings`
    collect the findings about pictures that print.
    """

    folder: Path
    fonts: FontBook
    fallback: tuple[str, ...] = ()
    stand_ins: StandIns = field(default_factory=dict)
    findings: dict[Problem, None] = field(default_factory=dict)
    _by_file: dict[str, Art] = field(default_factory=dict)

    def read(self, file: str, request: Place, *, has_texts: bool = True) -> Art:
        """The picture in a file. Raises PnpError with every fault of it.

        `request` is the line of the spec that asks for it. Without `has_texts`, texts are faults.
        """
        if file not in self._by_file:
            self._by_file[file] = self._read(file, request, has_texts)
        return self._by_file[file]

    def _read(self, file: str, request: Place, has_texts: bool) -> Art:
        if "://" in file or file.startswith("//"):
            hint = "save the picture in the game's folder, and name that file: art/crab.png"
            raise fail(request, f"{quote(file)} is a web address, which pnp never opens", hint)
        match = _PART.fullmatch(file)
        path, part = (match[1], match[2]) if match else (file, "")
        suffix = PurePosixPath(path).suffix.lower().replace(_SVGZ, _SVG)
        if suffix not in FORMATS and suffix != _SVG:
            what = f"{quote(file)} is not a picture that pnp can print"
            raise fail(request, what, f"known: {', '.join((_SVG, *FORMATS))}")
        if part and suffix != _SVG:
            raise fail(
                request,
                f"{quote(path)} has no parts",
                "only an SVG drawing has parts: icons.svg#heart",
            )
        content = read_within(self.folder, path, MAX_BYTES, request)
        place = Place.in_folder(self.folder, path)
        if suffix == _SVG:
            try:
                return self._kept_drawing(path, content, place, part, has_texts)
            except MisfitError as error:  # there is no such part
                raise fail(request, f"{quote(path)}: {error}", error.hint) from None
        try:
            return Art(path, make_printable(content, FORMATS[suffix]).uri, path)
        except MisfitError as error:
            raise fail(place, str(error), error.hint) from None

    def _find_icon(self, name: str) -> Art:
        """An icon of the game, which shows no others, or a built-in one. Raises MisfitError."""
        file, own = f"icons/{name}.svg", {}
        if _ICON.fullmatch(name) and (self.folder / file).is_file():
            try:
                own[name] = self.read(file, Place.in_folder(self.folder, file), has_texts=False)
            except PnpError:  # reported for the icon itself
                own[name] = Art(name, "")
        return find_icon(name, own, f"draw it as {file}")

    def _kept_drawing(
        self, file: str, content: bytes, place: Place, part: str, has_texts: bool
    ) -> Art:
        """A drawing. One without texts, icons and findings is read once for all readers, as nothing
        else of a game changes it: reading it takes half a millisecond."""
        digest = blake2b(content, digest_size=16).digest()
        is_small = len(content) <= _MOST_KEPT
        kept = _kept(file, digest, part, has_texts, self.fonts) if is_small else []
        if kept:
            return kept[0]
        findings: dict[Problem, None] = {}
        icons = Icons(self._find_icon)
        try:
            drawing = self._drawing(content, place, part, findings, icons if has_texts else None)
        finally:
            self.findings.update(findings)
        art = self._art(file, drawing)
        has_words = any(local(one) in TEXT for one in drawing.elements())
        if not (has_words or findings or icons.are_shown):
            kept.append(art)
        return art

    def _art(self, file: str, drawing: Drawing) -> Art:
        uri = f"data:image/svg+xml;base64,{base64.b64encode(drawing.svg()).decode()}"
        if not any(own_words(text) for text in drawing.elements() if local(text) in TEXT):
            return Art(file, uri, file)
        lacking = tuple(dict.fromkeys(find_lacking(drawing, self.fonts)))
        part = etree.tostring(make_part(deepcopy(drawing.root)), encoding="unicode")
        return Art(file, uri, file, part, lacking)

    def _drawing(
        self,
        content: bytes,
        place: Place,
        part: str,
        findings: dict[Problem, None],
        icons: Icons | None,
    ) -> Drawing:
        """A drawing without the parts that are not drawn; without `icons`, texts and icons are
        faults. Raises PnpError, and MisfitError if it has no such part."""
        drawing = read_drawing(content, place)
        refuse(document_faults(drawing), place)
        faults = list(islice(frame_faults(drawing), _MAX_LOOKED_AT))
        has_size = not part or select_part(drawing, part)
        drawing.strip()
        faults += embed_drawings(drawing)
        mend(drawing)
        record_stand_ins(self.stand_ins, say_plainly(drawing, self.fonts), place)
        fall_back(drawing, self.fonts, self.fallback)
        settle_weights(drawing, self.fonts)
        faults += islice(icons.take(drawing), _MAX_LOOKED_AT) if icons else ()
        faults += islice(element_faults(drawing, self.fonts), _MAX_LOOKED_AT)
        faults += islice(_text_faults(drawing, icons is not None), _MAX_LOOKED_AT)
        refuse(faults, place, findings)
        drop_lost_effects(drawing)
        refuse(effort_faults(drawing), place)
        if icons:
            icons.put(drawing)
        part_at_edges(drawing)
        refuse(render_misdrawn(drawing, self.fonts), place, findings)
        if not has_size:
            _locate(place, crop, drawing, self.fonts)
        return drawing


@lru_cache(maxsize=256)
def _kept(_file: str, _digest: bytes, _part: str, _has_texts: bool, _fonts: FontBook) -> list[Art]:
    """Where a drawing is kept, if it may be."""
    return []


def _locate(place: Place, work: Callable[..., _Result], *values: object) -> _Result:
    """The result of work on a file. Raises PnpError at its place."""
    try:
        return work(*values)
    except MisfitError as error:
        raise fail(place, str(error), error.hint) from None


def _text_faults(drawing: Drawing, has_texts: bool) -> Iterator[Fault]:
    """Texts that would not be printed as the designer expects."""
    for text in drawing.elements("text"):
        words = "".join(text.itertext()).strip()
        if words and not has_texts:
            what = f"the text {quote(words)} is not printed in an icon"
            yield drawing.fault(text, what, "turn it into paths")
        elif "{{" in words:
            what = f"the placeholder in {quote(words)} is not filled in a picture"
            yield drawing.fault(text, what, "use the drawing as a template")


def refuse(
    faults: Iterable[Fault], place: Place, findings: dict[Problem, None] | None = None
) -> None:
    """Raises PnpError if there are faults. `findings` collects those that refuse nothing."""
    problems = _problems(faults, place, {} if findings is None else findings)
    first = list(islice(problems, 1))
    if first:
        raise PnpError(at_most(_MAX_PROBLEMS, chain(first, problems)))


def _problems(
    faults: Iterable[Fault], place: Place, findings: dict[Problem, None]
) -> Iterator[Problem]:
    for line, what, hint, rule in dict.fromkeys(faults):
        if rule:
            level: Level = "note" if rule == PIXELS else "warning"
            findings[Problem(place.at_line(line), what, hint, level, rule)] = None
        else:
            yield Problem(place.at_line(line), what, hint)
