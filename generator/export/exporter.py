"""The input and the output of an exporter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from generator.basics.errors import Problem
from generator.model import Component, Face, FaceKey, Game, Sheet, Way
from generator.model.printed import FacePages
from generator.pdf.inks import PressColour


class KitPrinter(Protocol):
    """Makes a PDF of sheets with their faces, a page for each side of a sheet."""

    def __call__(
        self,
        sheets: Sequence[Sheet],
        faces: Mapping[FaceKey, Face],
        /,
        *,
        is_temporary: bool = False,
    ) -> bytes:
        """The file; one that `is_temporary`, to make pictures of it, is not compressed, so it is
        made and painted faster. Raises PnpError if a face cannot be printed."""
        ...


class FaceProver(Protocol):
    """Makes PDFs to paint faces from."""

    def __call__(self, faces: Sequence[Face], /) -> Iterator[tuple[bytes, list[FacePages]]]:
        """A file for each of a few batches of faces, and the pages of each of its faces, of the
        size of the whole face: what several faces show is one page, which is painted once. Raises
        PnpError if a face cannot be printed."""
        ...


class Kit(Struct, frozen=True):
    """A game ready to print.

    `faces` are those of the pieces, `pages` those of the cover and the rulebook, `sheets` all
    sheets in cutting order; both may be empty. `print` makes a PDF of sheets, `prove` those to
    paint faces from. `ink` makes of a PDF of sheets the one for a press; it raises PnpError if its
    standard does not allow a drawing.
    `components` are those to print, with the requested pieces and copies. `note` tells the person
    who exports of something.
    """

    game: Game
    faces: Mapping[FaceKey, Face]
    pages: Mapping[FaceKey, Face]
    sheets: Sequence[Sheet]
    way: Way
    print: KitPrinter
    prove: FaceProver
    ink: Callable[[bytes, PressColour], bytes]
    components: Sequence[Component]
    note: Callable[[Problem], None]


class ExportedFile(Struct, frozen=True):
    """A file to write: its path below the output folder ("faces/cards/1-front.png")."""

    path: str
    content: bytes


class Exporter(Protocol):
    """Makes files of a kit; a frozen dataclass whose fields are its options.

    Each field has a default. `pnp export` reads an option from text.
    """

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        """Yields each file as soon as it is made. Raises PnpError if the kit does not suit it."""
        ...
