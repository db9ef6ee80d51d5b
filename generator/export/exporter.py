"""The input and the output of an exporter.

A sheet is named by its component, and its number among the sheets of that component. The address
where the files of an export will be is an option.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Protocol
from urllib.parse import urlsplit

from msgspec import Struct

from generator.basics.errors import Place, Problem, fail, quote
from generator.basics.geometry import Size
from generator.layout.nets import Net
from generator.model import RULEBOOK, Component, Face, FaceKey, Game, Sheet, Way
from generator.model.face import FacePages
from generator.pdf.inks import PressColour

WEB = ("http", "https")


class KitPrinter(Protocol):
    """Makes a PDF of sheets with their faces, a page for each side of a sheet."""

    def __call__(
        self, sheets: Sequence[Sheet], faces: Mapping[FaceKey, Face], /, *, is_temporary: bool = False
    ) -> bytes:
        """The file; one that `is_temporary`, to make pictures of it, is not compressed, so it is
        made and painted faster. Raises PnpError if a face cannot be printed."""
        ...


# Makes PDFs to paint faces from: a file for each of a few batches of faces, and the pages of each
# of its faces, of the size of the whole face. What several faces show is one page, which is painted
# once. Raises PnpError if a face cannot be printed.
FaceProver = Callable[[Sequence[Face]], Iterator[tuple[bytes, list[FacePages]]]]


class Kit(Struct, frozen=True):
    """A game ready to print.

    `faces` are those of the pieces, `pages` those of the cover and the rulebook, `sheets` all sheets in cutting order;
    both may be empty. `print` makes a PDF of sheets, `prove` those to paint faces from. `ink` makes of a PDF of sheets
    the one for a press; it raises PnpError if its standard does not allow a drawing. `set_rules` sets the pages of the
    rules in another size, for a press that leaves so many mm bare; `reshape` draws the front of a box with another net.
    `components` are those to print, with the requested pieces and copies. `note` tells the person who exports of
    something.
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
    set_rules: Callable[[Size, float], Sequence[Face]]
    reshape: Callable[[Component, Net], Face]

    @property
    def shown(self) -> dict[FaceKey, Face]:
        """The faces of the pieces to print as they are read, for pictures of them alone."""
        pieces = ((part.id, piece) for part in self.components for piece in part.pieces)
        chosen = {(part, piece.id) for part, piece in pieces if piece.is_drawn}
        return {key: face.upright for key, face in self.faces.items() if key[:2] in chosen}

    @property
    def rule_pages(self) -> dict[FaceKey, Face]:
        """The pages of the rulebook, in reading order."""
        return {key: face for key, face in self.pages.items() if key[0] == RULEBOOK}


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


def name_sheets(sheets: Sequence[Sheet]) -> list[tuple[str, Sheet]]:
    """Each sheet with a name of its own: "cards-1", "mixed-2".

    Sheets that components share may belong to several groups, each numbered from 1, so they are counted here.
    """
    counts: Counter[str] = Counter()
    named = []
    for sheet in sheets:
        counts[sheet.component] += 1
        named.append((f"{sheet.component}-{counts[sheet.component]}", sheet))
    return named


def check_address(to: str, address: str, schemes: Collection[str] = WEB) -> str:
    """The address with a slash at its end. Raises PnpError if it is not one of these schemes."""
    parts = urlsplit(address)
    if parts.scheme not in schemes or not (parts.netloc or parts.scheme == "file"):
        raise fail(Place(f"--to {to}"), f"base_url {quote(address)} is not an address", "begin it with https://")
    return address if address.endswith("/") else f"{address}/"
