"""The pages to read of a game with drawn faces: the rule booklet, the cover sheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from generator import layout
from generator.basics.bounds import at_work_on
from generator.basics.geometry import Size
from generator.basics.phrases import Phrases
from generator.layout import booklet as imposing
from generator.layout.folds import has_panel, standing_net
from generator.layout.nets import Net
from generator.model import COVER, FLIPS, RULEBOOK, SEPARATE, SIDES, Component, Face, FaceKey, Game, Sheet, Tiling, Way
from generator.pipeline.request import Binding
from generator.pipeline.sheets import NumberedPage, are_backs_slipped, describe_pages, number_pages
from generator.text import FontBook

if TYPE_CHECKING:
    from generator import booklet


class Leaflet(Struct, frozen=True):
    """The faces of the pages in order, and their sheets."""

    faces: dict[FaceKey, Face]
    sheets: list[Sheet]


NO_LEAFLET = Leaflet({}, [])
_MOST_BLANKS = 8  # pages that one line names


def rules(game: Game, drawn: Mapping[FaceKey, Face], printing: layout.Printing, binding: Binding) -> Leaflet:
    """The rule booklet; empty if the game has none, or if the paper is precut.

    Raises PnpError with every fault of its text.
    """
    if game.booklet is None or printing.precut:
        return NO_LEAFLET
    size = imposing.page_size(printing.paper)
    faces = set_rules(game, drawn, size, printing.margin)
    ids, title = tuple(face.id for face in faces), game.phrases.say("rules.title")
    pages = imposing.BookletPages(game.phrases, game.title, ids, size, title)
    if binding == "off":
        sheets = imposing.plain_pages(pages, printing)
    elif imposing.has_two_sides(printing):
        sheets = imposing.impose_folded(pages, printing, FontBook(game.font_folders))
    else:
        sheets = imposing.impose_leaves(pages, printing.margin)
    return Leaflet(_key_pages(RULEBOOK, faces), sheets)


def set_rules(game: Game, drawn: Mapping[FaceKey, Face], size: Size, bare: float) -> list[Face]:
    """The pages of the rules of a game that has some, in a size; `bare` mm at their edges stay
    white. Raises PnpError with every fault of their text."""
    from generator import booklet  # loads a parser and a typesetter, which only rules need

    assert game.booklet, "whose rules these are"
    at_work_on(str(game.booklet.place))
    return booklet.pages(game, game.booklet, drawn, size, bare)


def rules_to_read(game: Game, faces: Iterable[Face]) -> list[Sheet]:
    """The pages of the rules one after another, upright, each as large as it is set, for a screen;
    `faces` are those pages."""
    pages = list(faces)
    if not pages:
        return []
    size, title = pages[0].size, game.phrases.say("rules.title")
    leaflet = imposing.BookletPages(game.phrases, game.title, tuple(page.id for page in pages), size, title)
    return imposing.plain_pages(leaflet, layout.Printing(size, "single"))


def cover(
    game: Game,
    drawn: Mapping[FaceKey, Face],
    printing: layout.Printing,
    binding: Binding,
    components: Sequence[Component],
    others: Sequence[Sheet],
    *,
    is_numbered: bool = True,
) -> Leaflet:
    """The sheet that explains how to assemble the kit, with these components, and a score pad on its back; empty if the
    game has none, or if the paper is precut. With `is_numbered` it names the pages of each part among `others`, which
    follow it. Raises PnpError if the paper is too small for it."""
    if game.booklet is None or not game.booklet.has_cover or printing.precut:
        return NO_LEAFLET
    from generator import booklet

    is_duplex = any(sheet.flip for sheet in others if not sheet.stock)
    way: Way = printing.way if is_duplex else "single"
    design, say = game.booklet, game.phrases.say
    others = [sheet for sheet in others if sheet.component != COVER]

    def impose(pages: Sequence[str]) -> list[Sheet]:
        named = printing.paper, say("cover.title"), COVER
        leaflet = imposing.BookletPages(game.phrases, game.title, tuple(pages), *named)
        return imposing.plain_pages(leaflet, printing, way)

    example = _folded_example(components, drawn)
    has_back = bool(game.scores) and way in FLIPS

    def draw(length: int) -> list[Face]:
        """The faces of a cover of `length` pages, which come before those of the parts."""
        covers = number_pages(impose([""] * (length + (has_back and length % 2))), printing.way)
        pages = list(_number_files(others, printing.way, len(covers)))
        teller = _Teller(game.phrases, printing.way, is_numbered)
        foot = [*teller.printing(printing, others), *teller.blanks([*covers, *pages])]
        contents = booklet.KitContents(
            tuple(_parts(components, drawn, pages, teller)),
            tuple(_steps(components, drawn, printing, binding, others)),
            say("text.after").join(foot),
            example,
            _cut_pieces(components, drawn, others) or ((example.flat,) if example else ()),
            drawn.get((RULEBOOK, "1", "front")),
            _find_joined(components, drawn, others),
        )
        index = booklet.FaceIndex(game.components, drawn, {})
        return booklet.cover(game, design, contents, index, printing.paper, printing.margin)

    faces = draw(1)
    if len(faces) > 1:
        faces = draw(len(faces))
    if has_back and len(faces) % 2:
        faces.append(booklet.score_pad(game, design, printing.paper, printing.margin))
    return Leaflet(_key_pages(COVER, faces), impose([face.id for face in faces]))


def _key_pages(part: str, faces: Sequence[Face]) -> dict[FaceKey, Face]:
    return {(part, str(number), "front"): face for number, face in enumerate(faces, 1)}


def _number_files(sheets: Sequence[Sheet], way: Way, before: int) -> Iterator[NumberedPage]:
    """The pages of the file for each paper; `before` others come first on the usual one."""
    for stock in dict.fromkeys(("", *_list_stocks(sheets))):
        on_it = [sheet for sheet in sheets if sheet.stock == stock]
        yield from number_pages(on_it, way, 0 if stock else before)


def _list_stocks(sheets: Sequence[Sheet]) -> list[str]:
    return list(dict.fromkeys(sheet.stock for sheet in sheets if sheet.stock))


def _parts(
    components: Sequence[Component], drawn: Mapping[FaceKey, Face], pages: Sequence[NumberedPage], teller: _Teller
) -> Iterator[booklet.KitPart]:
    """The rules by their title page, then each component by its first piece."""
    from generator import booklet

    title_page = drawn.get((RULEBOOK, "1", "front"))
    rules = [page for page in pages if page.sheet.component == RULEBOOK]
    if title_page:
        said = teller.pages(rules, "plain")
        yield booklet.KitPart(teller.phrases.say("rules.title"), 1, said, (title_page,), is_container=True)
    index = booklet.FaceIndex(components, drawn, {})
    by_face = {(part, face.id) for (part, _, _), face in drawn.items()}
    for component in components:
        faces = booklet.different_faces(component, index)
        if faces:
            sheets = {
                page.sheet
                for page in pages
                if any((component.id, placed.face) in by_face for placed in page.page.placements)
            }
            # with the backs of what lies on the same sheets
            shown = [page for page in pages if page.sheet in sheets and page.page.placements]
            is_folded = teller.way == "fold" and component.has_back
            said = teller.pages(shown, "folded" if is_folded else "thick")
            kind = standing_net(component.shape) is not None, has_panel(component.shape, "tuck")
            copies = len(component.copies())
            yield booklet.KitPart(component.title, copies, said, tuple(faces), *kind)


class _Teller(Struct, frozen=True):
    """Says on which pages the parts of a kit are, and how it was printed."""

    phrases: Phrases
    way: Way
    is_numbered: bool

    def pages(self, pages: Sequence[NumberedPage], kind: str) -> str:
        """A sentence on which pages these are, their paper, and whether both of its sides are printed."""
        say, stock = self.phrases.say, next((page.sheet.stock for page in pages), "")
        paper = say(f"cover.{kind}")
        if not (pages and self.is_numbered):
            return say("cover.on-stock", stock=stock, paper=paper) if stock else paper
        numbers = describe_pages((page.number for page in pages), self.phrases)
        if self.way in SEPARATE:
            name = "cover.of-fronts-file" if stock else "cover.of-fronts"
            return f"{say(name, pages=numbers, stock=stock)}\n{paper}"
        if stock:
            numbers = say("cover.of-file", pages=numbers, stock=stock)
        if self.way != "fold":
            has_backs = any(page.page.side == "back" for page in pages)
            paper = say("cover.both-sides" if has_backs else "cover.one-side", paper=paper)
        return f"{numbers}\n{paper}"

    def blanks(self, pages: Sequence[NumberedPage]) -> Iterator[str]:
        """A sentence on which pages stay blank, if any do."""
        blanks = [
            page for page in pages if not page.page.placements and not any(label.is_pale for label in page.page.labels)
        ]
        is_long = len(blanks) > _MOST_BLANKS or any(page.sheet.stock for page in blanks)
        if blanks and is_long:
            yield self.phrases.say("cover.blanks")
        elif blanks:
            numbers = describe_pages((page.number for page in blanks), self.phrases)
            yield self.phrases.say("cover.blank-pages", pages=numbers)

    def printing(self, printing: layout.Printing, others: Sequence[Sheet]) -> Iterator[str]:
        """The papers, the margin, the printer and the size of the pieces."""
        phrases = self.phrases
        papers = phrases.join((printing.paper_name, *_list_stocks(others)))
        how = {"papers": papers, "margin": phrases.number(printing.margin)}
        if printing.printer:
            yield phrases.say("cover.corrected", **how, printer=printing.printer)
        else:
            yield phrases.say("cover.printed", **how)
        if printing.scale != 1.0:
            yield phrases.say("cover.scaled", scale=phrases.percent(printing.scale))


def _steps(
    components: Sequence[Component],
    drawn: Mapping[FaceKey, Face],
    printing: layout.Printing,
    binding: Binding,
    others: Sequence[Sheet],
) -> Iterator[str]:
    """The steps of the assembly in order, each by the name of its picture."""
    flat = _flat(components)
    yield f"print-{printing.way}"
    if components:
        yield "measure"
    if any(sheet.component == RULEBOOK for sheet in others) and binding != "off":
        yield "booklet" if imposing.has_two_sides(printing) else "booklet-leaves"
    if printing.way == "fold" and any(component.has_back for component in flat):
        yield "fold-sheet"
    has_nets = len(flat) < len(components)
    folded = [component for component in components if component.shape.creases]
    if folded and not printing.cutter:
        yield "score-ticks" if any(piece in flat for piece in folded) else "score"
    slips = _slipping(components, drawn) if printing.way == "single" else ()
    if printing.cutter and components:
        yield " ".join(("cut-machine", *slips))
    elif flat:
        holes = ("cut-holes",) if any(component.shape.holes for component in flat) else ()
        nets = ("cut-folded",) if has_nets else ()
        yield " ".join((_cutting(flat, others), *holes, *nets, *slips))
    elif has_nets:
        yield "cut-net"
    backed = {component.id for component in components if component.has_back}
    yield from dict.fromkeys(
        _joining(sheet, is_backed=printing.way != "single" and sheet.component in backed)
        for sheet in others
        if sheet.tiling
    )
    if folded:
        yield " ".join(_forming(folded))


def _flat(components: Sequence[Component]) -> list[Component]:
    """The components that are cut as flat pieces are, folded afterwards or not."""
    return [component for component in components if component.shape.kind != "net"]


def _cutting(flat: Sequence[Component], others: Sequence[Sheet]) -> str:
    if all(component.shape.kind == "rectangle" for component in flat):
        return "cut"
    if any(sheet.cuts == "squares" for sheet in others):
        return "cut-squares"
    return "cut-straight" if any(sheet.cuts == "straight" for sheet in others) else "cut-shapes"


def _joining(sheet: Sheet, *, is_backed: bool) -> str:
    if sheet.tiling and sheet.tiling.overlap:
        return "join-overlap"
    if is_backed:
        return "join-tape"
    has_names_behind = len(sheet.pages) > 1
    return "join-butt" if has_names_behind else "join-butt join-pencil"


def _slipping(components: Sequence[Component], drawn: Mapping[FaceKey, Face]) -> Iterator[str]:
    """The texts on the backs of pieces that are printed on one side."""
    are_slipped = {are_backs_slipped(part, drawn) for part in components if part.has_back}
    if True in are_slipped:
        yield "slip"
    if False in are_slipped:
        yield "sleeve"


def _forming(folded: Sequence[Component]) -> Iterator[str]:
    """The texts of the step that folds pieces and glues their tabs, one for each kind of them."""
    nets = [component for component in folded if component.shape.kind == "net"]
    if not nets:
        yield "fold-flat"
        return
    pieces = [component for component in nets if not has_panel(component.shape, "tuck")]
    tabbed = [piece for piece in pieces if _has_tab(piece)]
    yield "fold-pieces"
    if tabbed:
        yield "glue"
    if len(pieces) < len(nets):
        yield "glue-box-too" if tabbed else "glue-box"
    folds = (fold for piece in pieces if isinstance(piece.shape, Net) for fold in piece.shape.folds)
    if any(fold.angle < 0 for fold in folds):  # to the printed side, as at the foot of a standee
        yield "glue-base"
    if len(tabbed) < len(pieces) and (tabbed or len(pieces) < len(nets)):
        yield "glue-none"
    if len(nets) < len(folded):
        yield "fold-flat-too"


def _has_tab(component: Component) -> bool:
    net = standing_net(component.shape)
    return net is not None and any(panel.is_glued for panel in net.panels)


def _folded_example(components: Sequence[Component], drawn: Mapping[FaceKey, Face]) -> booklet.FoldedExample | None:
    """A drawn piece to fold: with tabs if there is one, and a box only if there is nothing else."""
    from generator import booklet

    folded = [component for component in components if component.shape.creases]
    for component in sorted(folded, key=lambda part: (not _has_tab(part), has_panel(part.shape, "tuck"))):
        for piece in component.pieces:
            face, back = (drawn.get((component.id, piece.id, side)) for side in SIDES)
            if face and piece.copies:
                return booklet.FoldedExample(component, piece.id, face, back)
    return None


def _cut_pieces(
    components: Sequence[Component], drawn: Mapping[FaceKey, Face], others: Sequence[Sheet]
) -> tuple[Face, ...]:
    """Flat pieces to show where they are cut: of the first component that straight cuts divide, or
    else of the first that is no rectangle, or else of the first."""
    straight = {sheet.component for sheet in others if sheet.cuts == "straight"}
    flat = _flat(components)
    if not flat:
        return ()
    shown = min(flat, key=lambda part: (part.id not in straight, part.shape.kind == "rectangle"))
    keys: list[FaceKey] = [(shown.id, piece.id, "front") for piece in shown.pieces if piece.copies]
    return tuple({drawn[key].id: drawn[key] for key in keys if key in drawn}.values())


def _find_joined(
    components: Sequence[Component], drawn: Mapping[FaceKey, Face], others: Sequence[Sheet]
) -> tuple[Face, Tiling] | None:
    tilings = {sheet.component: sheet.tiling for sheet in others if sheet.tiling}
    for component in components:
        for piece in component.pieces:
            face = drawn.get((component.id, piece.id, "front"))
            if face and piece.copies and component.id in tilings:
                return face, tilings[component.id]
    return None
