"""The folder of a game from a PDF of any program."""

import csv
import io
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from statistics import median

from msgspec import Struct, field
from msgspec.structs import replace

from generator.basics.errors import MisfitError, Place, PnpError, Problem, count_of, escape, fail, quote
from generator.basics.files import is_one_line
from generator.basics.geometry import MM_PER_INCH, Rect, Size, decimal, steady
from generator.basics.shapes import Kind
from generator.game.library import OWN_COPIES
from generator.game.spec import write_value
from generator.importing.choosing import (
    Backs,
    CardPage,
    CardPlace,
    FoundCard,
    choose_cards,
    draw_found,
    pair_cards,
    propose_cards,
)
from generator.importing.finding import USUAL_SIZES, Wanted, are_near
from generator.importing.reading import MOST_PAGES, CutFace, FaceRequest, OpenedPdf, PdfPages, open_pages
from generator.importing.scanning import fit_box, shape_of
from generator.tables.fields import MAX_TITLE

DPI = 600.0
PICTURE = "import.png"
_FACES = "faces.pdf", "backs.pdf"
_USUAL_BLEED = 3.0  # mm
_LEAST_BLEED = 0.5  # mm: narrower is none
_SAME_SIZE = 0.1  # mm
_NO_TITLE = re.compile(r"untitled|document|cards|.*\.\w{3,4}\b|.*microsoft.*", re.IGNORECASE)


class ImportOptions(Struct, frozen=True):
    """The options of a person: a description of the cards; the pages to read, all by default; where the backs are,
    as `pair_cards` takes it; whether backs are upside down; whether the person may take content out of the files;
    and the resolution of faces that become pixels."""

    wanted: Wanted = Wanted()
    pages: Sequence[int] = ()
    backs: Backs = ""
    turns_backs: bool = False
    may: bool = False
    dpi: float = DPI


class ImportedGame(Struct, frozen=True):
    """The picture of what was found, the files of a game by their names, notes, and the options
    that say all that was found."""

    picture: bytes
    files: dict[str, bytes]
    notes: list[Problem]
    said: ImportOptions


def import_pdf(
    path: Path, options: ImportOptions, step: Callable[[str], None], ask_password: Callable[[str], str] | None = None,
    *, is_for_picture: bool = False,
) -> ImportedGame:  # fmt: skip
    """The cards of a PDF as a game, or only the picture of them. `ask_password` is called with the
    name of a file that has one.

    Raises PnpError if a file cannot be read or copied from, or if it shows no cards.
    """
    options = replace(options, wanted=_fit_size(options.wanted))
    with ExitStack() as stack:
        old = stack.enter_context(_read_cards(path, options, step, ask_password))
        files, found = [old], old.found
        if isinstance(options.backs, Path) and not old.proposed and any(page.groups for page in found):
            wanted = _want_backs(options.wanted, found)
            files.append(stack.enter_context(_read_cards(options.backs, options, step, ask_password, wanted)))
            found = [*found, *files[1].found]
        try:
            cards = pair_cards(found, "" if old.proposed else options.backs, turns_backs=options.turns_backs)
        except MisfitError as error:
            raise fail(Place("--backs"), str(error), error.hint) from None
        picture = draw_found(found, cards, options.wanted.shape)
        command = write_command(str(path), replace(options, wanted=old.proposed)) if old.proposed else ""
        faults = list(_find_none(old.place, found, command=command))
        if is_for_picture:
            notes = [replace(fault, level="note") for fault in faults if old.proposed]
            return ImportedGame(picture, {}, notes, options)
        if old.proposed or not cards:
            raise PnpError(faults)
        made = _GameFiles(files, options)
        made.write(_find_title(old.title, path), escape(path.name), cards, step)
        notes = [note for file in files for note in _list_left_out(file)]
        notes += [*_find_doubts(old.place, found, cards, options), *made.notes(old.place)]
        return ImportedGame(
            picture, {**made.files, PICTURE: picture}, notes, _say_all(options, old.found, made.sizes, cards)
        )


def _fit_size(wanted: Wanted) -> Wanted:
    """A description with a size of the exact proportions of its shape. Raises PnpError for other proportions."""
    box = fit_box(Rect(0.0, 0.0, *wanted.size), wanted.shape) if wanted.size else None
    if wanted.size and box is None:
        hint = "of the box around it: 40x46.2mm with a corner at its top, else 46.2x40mm"
        hint = hint if wanted.shape == "hexagon" else "width and height are equal: 30x30mm"
        raise fail(Place("--size"), f"no {wanted.shape} is {wanted.size}", hint)
    return replace(wanted, size=Size(box.width, box.height)) if box else wanted


class _OldFile(Struct, frozen=True):
    """A PDF that is read: its pages, its title, what credits say of it, and its cards."""

    place: Place
    pages: PdfPages
    title: str
    source: str
    found: list[CardPage]
    proposed: Wanted | None


@contextmanager
def _read_cards(
    path: Path, options: ImportOptions, step: Callable[[str], None], ask_password: Callable[[str], str] | None,
    backs: Wanted | None = None,
) -> Iterator[_OldFile]:  # fmt: skip
    """The cards of a PDF; of the file of the backs those that are wanted, or that pages are."""
    place = Place(quote(str(path)))
    with open_pages(path) as (content, pages):
        opened = pages.describe(ask_password)
        numbers = find_pages(place, opened, replace(options, pages=()) if backs else options)
        wanted, file = backs or options.wanted, int(backs is not None)
        for way in (wanted, replace(wanted, grid=None, at=None, gap=None))[: 1 + file]:
            looks = {}
            for number in numbers:
                step(f"reading page {number} of {opened.pages}")
                looks[number] = pages.look(number - 1, way)
            found = choose_cards(looks, way, file)
            if any(page.groups for page in found):
                break
        if backs and not any(page.groups for page in found):
            raise PnpError(_find_none(place, found, backs.size))
        source = f"{escape(path.name)}, {count_of(opened.pages, 'page')}, SHA-256 {sha256(content).hexdigest()}"
        proposed = None if any(page.groups for page in found) else propose_cards(looks)
        words, found = proposed or (None, found)
        yield _OldFile(place, pages, opened.title, source, found, words)


def _want_backs(wanted: Wanted, fronts: Iterable[CardPage]) -> Wanted:
    """The description of the cards in the file of the backs: as large as the fronts, if those have one size."""
    decks = _sort_decks([FoundCard(card) for page in fronts for card in page.cards], wanted.shape)
    return replace(wanted, size=decks[0].size) if len(decks) == 1 else wanted


def find_pages(place: Place, opened: OpenedPdf, options: ImportOptions) -> Sequence[int]:
    """The pages to read. Raises PnpError if the file may not be imported, or lacks one."""
    if opened.is_own:
        raise fail(place, "pnp made this PDF", "build the folder of its game instead")
    if not opened.is_free and not options.may:
        raise fail(place, "its owner does not allow to copy from it", "if you may, add --i-may")
    numbers = options.pages or range(1, opened.pages + 1)
    if max(numbers) > opened.pages:
        raise fail(Place("--pages"), f"the PDF has {count_of(opened.pages, 'page')}")
    if len(numbers) > MOST_PAGES:
        what = f"there are {len(numbers):,} pages, at most {MOST_PAGES} at once"
        raise fail(place, what, f"name some: --pages 1-{MOST_PAGES}")
    return numbers


def _say_all(
    options: ImportOptions, pages: Sequence[CardPage], sizes: Sequence[Size], cards: Sequence[FoundCard]
) -> ImportOptions:
    """The options that say which pages have cards, of which size if all have one, and where their backs are."""
    wanted = options.wanted if options.wanted.grid or len(sizes) > 1 else replace(options.wanted, size=sizes[0])
    ahead = {card.back.page - card.front.page for card in cards if card.back}
    backs = options.backs or {(): "none", (0,): "fold", (1,): "next"}.get(tuple(ahead), "")
    return replace(options, wanted=wanted, pages=[page.number for page in pages if page.groups], backs=backs)


def _find_none(
    place: Place, pages: Sequence[CardPage], size: Size | None = None, command: str = ""
) -> Iterator[Problem]:
    """Why there are no cards, or no backs of a size; a command may import what pixels propose."""
    yield from (Problem(Place(f"{place.file} page {page.number}"), page.reason) for page in pages if page.is_faulty)
    what = "no boxes, lines, marks or pictures show where its cards are"
    hint = "measure one: --size 63x88mm; then --grid 3x3 for 3 rows and 3 columns, and --at"
    if command:
        what, hint = f"{what}; its pixels propose it", f"if --picture found.png shows them right: {command}"
    elif size:
        what, hint = (
            f"it shows no backs of {size}, the size of the fronts",
            "give it backs of that size, with their bleed",
        )
    yield Problem(place, what, hint)


def _list_left_out(file: _OldFile) -> Iterator[Problem]:
    for reason in dict.fromkeys(page.reason for page in file.found if page.reason):
        numbers = [page.number for page in file.found if page.reason == reason]
        pages_of = f"page{'s' * (len(numbers) > 1)} {write_pages(numbers)}"
        yield Problem(Place(f"{file.place.file} {pages_of}"), f"left out: {reason}", level="note")


def _find_doubts(
    place: Place, pages: Sequence[CardPage], cards: Sequence[FoundCard], options: ImportOptions
) -> Iterator[Problem]:
    bare = sum(card.back is None for card in cards)
    if 0 < bare < len(cards):
        what = f"{count_of(bare, 'card')} of {len(cards)} have no back: none is where theirs would be"
        yield Problem(place, what, f"look at {PICTURE}", level="note")
    if not options.backs and len(pages) > 1 and not any(card.back for card in cards):
        what = "nothing proves which pages are backs, so the cards have none"
        hint = "say it: --backs next, last, fold, or the numbers of pages; none if there are none"
        yield Problem(place, what, hint, level="note")


def write_pages(numbers: Sequence[int]) -> str:
    """Numbers of pages as --pages takes them: "1-8,11"."""
    runs = ([number for _, number in run] for _, run in groupby(enumerate(numbers), lambda place: place[1] - place[0]))
    return ",".join("-".join(map(str, dict.fromkeys((run[0], run[-1])))) for run in runs)


def write_command(file: str, options: ImportOptions) -> str:
    """The command line that imports the same cards again."""
    wanted = options.wanted
    words = ["pnp", "import", file]
    for name, pair in (("size", wanted.size), ("at", wanted.at), ("gap", wanted.gap)):
        sign = "x" if name == "size" else ","
        words += [f"--{name}", f"{sign.join(map(decimal, pair))}mm"] if pair else []
    words += ["--shape", wanted.shape] if wanted.shape != "rectangle" else []
    words += ["--grid", "x".join(map(str, wanted.grid))] if wanted.grid else []
    words += ["--bleed", f"{decimal(wanted.bleed)}mm"] if wanted.bleed is not None else []
    words += ["--pages", write_pages(options.pages)] if options.pages else []
    backs = str(options.backs) if isinstance(options.backs, str | Path) else write_pages(options.backs)
    words += ["--backs", backs] if backs else []
    words += ["--turn-backs"] * options.turns_backs + ["--i-may"] * options.may
    words += ["--dpi", decimal(options.dpi)] if options.dpi != DPI else []
    return shlex.join(words)


def _find_title(title: str, path: Path) -> str:
    """The title in a PDF, if it is one, else the name of the file."""
    is_title = is_one_line(title) and 2 < len(title.strip()) <= MAX_TITLE
    if is_title and not _NO_TITLE.fullmatch(title.strip()):
        return title.strip()
    return (re.sub(r"[\W_]+", " ", path.stem).strip() or "Cards")[:MAX_TITLE].capitalize()


class _Deck(Struct):
    """Cards of one size; how far the art of fronts and of backs runs past the cut (mm)."""

    size: Size
    cards: list[FoundCard]
    bleeds: list[float] = field(default_factory=lambda: [0.0, 0.0])

    @property
    def bleed(self) -> float:
        """The smaller bleed of the two sides, leaving out a side without one."""
        return min((bleed for bleed in self.bleeds if bleed), default=0.0)


class _GameFiles:
    """Writes the files of a game."""

    def __init__(self, old: Sequence[_OldFile], options: ImportOptions) -> None:
        self.files: dict[str, bytes] = {}
        self._old, self._options = old, options
        self._page_sizes = {(page.file, page.number): page.size for file in old for page in file.found}
        self._art: dict[bytes, dict[str, CutFace]] = {}  # by key and name
        self._names: dict[FaceRequest, str] = {}
        self._bound: list[list[FaceRequest]] = [[] for _ in old]  # pages of one file

    def write(self, title: str, file: str, cards: Sequence[FoundCard], step: Callable[[str], None]) -> None:
        """All files."""
        source = ", with the backs of ".join(old.source for old in self._old)
        lines = [
            "#:schema game.schema.json", f"# The cards of {source}.", "",
            "[game]", f"title = {write_value(title)}", 'designer = "Unknown"',
            f"about = {write_value(f'Cards from {file[:100]}, printed anew.')}",
        ]  # fmt: skip
        decks = _sort_decks(cards, self._options.wanted.shape)
        self.sizes = [deck.size for deck in decks]
        step(f"cutting out {count_of(len(cards), 'card')}")
        for number, deck in enumerate(decks, 1):
            lines += self._write_deck(deck, "cards" if number == 1 else f"cards-{number}")
        for old, name, bound in zip(self._old, _FACES, self._bound, strict=False):
            if bound:
                self.files[f"art/{name}"] = old.pages.bind(bound)
        self.files["game.toml"] = ("\n".join(lines) + "\n").encode()
        self.files["CREDITS.md"] = f"The faces are from {source}: {OWN_COPIES}.\n".encode()

    def _write_deck(self, deck: _Deck, name: str) -> Iterator[str]:
        """Write a table and its art; yields the lines of the spec."""
        rows: dict[tuple[str, str], list[str]] = {}
        for card in deck.cards:
            front = self._name_face(card.front, deck, 0, is_turned=False)
            back = self._name_face(card.back, deck, 1, card.is_turned) if card.back else ""
            place = card.front
            row = [f"p{place.page}-{place.number}", "0", front, back, str(place.page)]
            row = rows.setdefault((front, back), [*row, str(place.number)])
            row[1] = str(int(row[1]) + 1)
        has_backs = any(card.back for card in deck.cards)
        heads = ["id", "count", "front", "back", "#page", "#place"]
        kept = [index for index, head in enumerate(heads) if head != "back" or has_backs]
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerows([line[index] for index in kept] for line in (heads, *rows.values()))
        self.files[f"{name}.csv"] = text.getvalue().encode()
        width, height = map(decimal, deck.size)
        kind = self._options.wanted.shape
        yield from ("", "[[component]]", f'id = "{name}"', f'title = "{name.capitalize()}"')
        yield f'table = "{name}.csv" # a row is a card; #page and #place say where it was'
        if kind == "rectangle":
            yield f'size = "{width}x{height}mm"'
        if deck.bleed and deck.bleed != _USUAL_BLEED:
            yield f'bleed = "{decimal(deck.bleed)}mm" # as the old cards have it'
        if kind != "rectangle":
            yield from ("", "[component.shape]", f'kind = "{kind}"')
            measure = "across" if kind == "hexagon" else "diameter"
            yield f'{measure} = "{decimal(min(deck.size))}mm"'
        if kind == "hexagon":
            yield f'top = "{"corner" if deck.size.width < deck.size.height else "edge"}"'
        for index, side in enumerate(("front", "back") if has_backs else ("front",)):
            drawing = f"{side}.svg" if name == "cards" else f"{name}-{side}.svg"
            self.files[drawing] = _draw_template(deck, index, side, kind)
            yield from ("", f"[component.{side}]", f'template = "{drawing}"')
            if not deck.bleeds[index]:
                yield 'edge = "mirror" # the old art ends at the cut'

    def _name_face(self, place: CardPlace, deck: _Deck, side: int, is_turned: bool) -> str:
        """The name of a face, which equal ones share: of a page, or of a file of pixels."""
        x, y = place.cell.centre
        width, height = deck.size
        cut = Rect(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        box = cut.grown(deck.bleed if deck.bleeds[side] else 0.0)
        pages, bound = self._old[place.file].pages, self._bound[place.file]
        pixels, size = self._options.dpi / MM_PER_INCH, self._page_sizes[place.file, place.page]
        request = FaceRequest(pages.path, place.page - 1, box, size, pixels, is_turned)
        if request not in self._names:
            face = pages.cut(request)
            known = self._art.setdefault(face.key, {})
            name = next((other for other in known if face.is_like(known[other])), "")
            if not name and face.ending == ".pdf":
                bound.append(request)
                name = f"{_FACES[place.file]}#{len(bound)}"
            elif not name:
                name = f"{'pb'[place.file]}{place.page}-{place.number}{'-turned' * is_turned}{face.ending}"
                self.files[f"art/{name}"] = face.content
            known.setdefault(name, face)
            self._names[request] = name
        return self._names[request]

    def notes(self, place: Place) -> Iterator[Problem]:
        """A note on the faces that can only be pixels."""
        coarse = sum(file.startswith("art/") and not file.endswith(".pdf") for file in self.files)
        if coarse:
            what = f"{count_of(coarse, 'face')} of {sum(map(len, self._bound)) + coarse} can only be pixels"
            yield Problem(place, what, f"they have {self._options.dpi:.0f} dpi; --dpi changes that", level="note")


def _sort_decks(cards: Sequence[FoundCard], kind: Kind) -> list[_Deck]:
    """Decks of one size each, the largest deck first."""
    decks: list[_Deck] = []
    for card in cards:
        size = Size(card.front.cell.width, card.front.cell.height)
        fit = (deck for deck in decks if are_near(deck.size, size))
        deck = next(fit, None)
        if deck is None:
            decks.append(deck := _Deck(size, []))
        deck.cards.append(card)
    for deck in decks:
        deck.size = _find_size(deck.cards) if kind == "rectangle" else shape_of(kind, _find_size(deck.cards)).size
        for side, places in enumerate((
            [card.front for card in deck.cards], [card.back for card in deck.cards if card.back],
        )):  # fmt: skip
            bleed = min((place.bleed for place in places), default=0.0)
            deck.bleeds[side] = min(bleed, _USUAL_BLEED) if bleed >= _LEAST_BLEED else 0.0
    return sorted(decks, key=lambda deck: -len(deck.cards))


def _find_size(cards: Sequence[FoundCard]) -> Size:
    """The size of most; a usual one if it is that near."""
    width = median(card.front.cell.width for card in cards)
    height = median(card.front.cell.height for card in cards)
    size = Size(steady(width, 2), steady(height, 2))
    return next((usual for usual in USUAL_SIZES if are_near(size, usual, _SAME_SIZE)), size)


def _draw_template(deck: _Deck, side: int, name: str, kind: Kind) -> bytes:
    """A drawing that shows a face, with its bleed if it has one, else without what is around its
    shape, of which neighbours may be a part."""
    bleed = deck.bleed if deck.bleeds[side] else 0.0
    start = decimal(-bleed)
    width, height = (decimal(length + 2 * bleed) for length in deck.size)
    cut, clip = "", ""
    if kind != "rectangle" and not bleed:
        corners = " ".join(f"{decimal(x)},{decimal(y)}" for x, y in shape_of(kind, deck.size).outline)
        cut, clip = f'  <clipPath id="cut"><polygon points="{corners}"/></clipPath>\n', ' clip-path="url(#cut)"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm"'
        f' viewBox="{start} {start} {width} {height}">\n{cut}'
        f'  <image href="art/{{{{ {name} }}}}" x="{start}" y="{start}" width="{width}"'
        f' height="{height}"{clip}{_IF[side].format(name)}/>\n</svg>\n'
    ).encode()


_IF = ("", ' pnp:if="{}" xmlns:pnp="urn:pnp"')  # a card may have no back
