"""Take a game and its drawn faces, make the pages to read: the rule booklet, the cover sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from generator import layout, papers
from generator.bounds import at_work_on
from generator.errors import PnpError, Problem, count_of
from generator.model import COVER, RULEBOOK, Component, Face, FaceKey, Game, Sheet, Way
from generator.nets import Net
from generator.pipeline.request import Binding
from generator.text import FontBook

if TYPE_CHECKING:
    from generator import booklet


class Leaflet(NamedTuple):
    """The faces of the pages in order, and their sheets."""

    faces: dict[FaceKey, Face]
    sheets: list[Sheet]


NO_LEAFLET = Leaflet({}, [])


def rules(
    game: Game, drawn: Mapping[FaceKey, Face], printing: layout.Printing, binding: Binding
) -> Leaflet:
    """The rule booklet; empty if the game has none, or if the paper is precut.

    Raises PnpError with every fault of its text.
    """
    if game.booklet is None or printing.precut:
        return NO_LEAFLET
    from generator import booklet  # loads a parser and a typesetter, which only rules need
    from generator.layout import booklet as imposing

    at_work_on(str(game.booklet.place))
    size = imposing.page_size(printing.paper)
    faces = booklet.pages(game, game.booklet, drawn, size, printing.margin)
    pages = imposing.BookletPages(game.title, tuple(face.id for face in faces), size)
    if is_folded(printing, binding):
        sheets = imposing.impose_folded(pages, printing, FontBook(game.font_folders))
    else:
        sheets = imposing.plain_pages(pages, printing)
    return Leaflet(_key_pages(RULEBOOK, faces), sheets)


def is_folded(printing: layout.Printing, binding: Binding) -> bool:
    """Whether the rules are a booklet to fold, not plain pages."""
    from generator.layout import booklet as imposing

    return binding == "fold" and imposing.can_fold(printing)


def cover(
    game: Game,
    drawn: Mapping[FaceKey, Face],
    printing: layout.Printing,
    binding: Binding,
    components: Sequence[Component],
    others: Sequence[Sheet],
) -> Leaflet:
    """The sheet that explains how to assemble the kit, with these components; empty if the game has
    none, or if the paper is precut. Raises PnpError if the paper is too small for it."""
    if game.booklet is None or not game.booklet.has_cover or printing.precut:
        return NO_LEAFLET
    from generator import booklet
    from generator.layout import booklet as imposing

    is_duplex = any(sheet.flip for sheet in others) or printing.way == "separate"
    paper = printing.paper
    contents = booklet.KitContents(
        tuple(_parts(components, drawn, others)),
        tuple(_steps(components, printing, binding, others)),
        _describe_printing(printing),
    )
    faces = booklet.cover(game, game.booklet, contents, paper, printing.margin)
    pages = imposing.BookletPages(
        game.title, tuple(face.id for face in faces), paper, COVER, "Cover"
    )
    way: Way = printing.way if is_duplex else "single"
    return Leaflet(_key_pages(COVER, faces), imposing.plain_pages(pages, printing, way))


def _key_pages(part: str, faces: Sequence[Face]) -> dict[FaceKey, Face]:
    return {(part, str(number), "front"): face for number, face in enumerate(faces, 1)}


def _parts(
    components: Sequence[Component], drawn: Mapping[FaceKey, Face], others: Sequence[Sheet]
) -> Iterator[booklet.KitPart]:
    """The rules by their title page, then each component by its first piece."""
    from generator import booklet

    counts = {sheet.component: sheet.total for sheet in others}
    title_page = drawn.get((RULEBOOK, "1", "front"))
    if title_page and RULEBOOK in counts:
        yield booklet.KitPart("Rules", 1, count_of(counts[RULEBOOK], "sheet"), title_page)
    index = booklet.FaceIndex(components, drawn)
    for component in components:
        face = index.first_of(component)
        if face:
            number = counts.get(component.id)
            sheets = count_of(number, "sheet") if number else "with others"
            yield booklet.KitPart(component.title, len(component.copies()), sheets, face)


def _steps(
    components: Sequence[Component],
    printing: layout.Printing,
    binding: Binding,
    others: Sequence[Sheet],
) -> Iterator[str]:
    """The steps of the assembly in order, each by the name of its picture."""
    flat = [component for component in components if not isinstance(component.shape, Net)]
    yield f"print-{printing.way}"
    if components:
        yield "measure"
    if any(sheet.component == RULEBOOK for sheet in others) and is_folded(printing, binding):
        yield "booklet"
    if printing.way == "fold" and any(component.has_back for component in flat):
        yield "fold-sheet"
    if flat:
        is_in_strips = all(component.shape.kind == "rectangle" for component in flat)
        yield "cut" if is_in_strips else "cut-shapes"
    if len(flat) < len(components):
        yield "score"
        yield "glue"


def _describe_printing(printing: layout.Printing) -> str:
    """A line on the paper and the printer of this layout."""
    printer = f", and corrected for the printer {printing.printer}" if printing.printer else ""
    size = f" The pieces are at {layout.describe_scale(printing.scale)} of their size."
    return (
        f"Laid out for {printing.paper_name} paper and a printer that leaves "
        f"{printing.margin:g} mm bare around{printer}.{size if printing.scale != 1.0 else ''}"
    )


def faults(game: Game, drawn: Mapping[FaceKey, Face]) -> tuple[Problem, ...]:
    """The faults that setting the rules and the cover on letter paper reports, and the words of the
    rules whose family lacks their style."""
    from generator import preflight

    printing = layout.Printing(papers.parse_paper("letter").size, "long")
    problems: tuple[Problem, ...] = ()
    for work in (
        partial(rules, game, drawn, printing, "fold"),
        partial(cover, game, drawn, printing, "fold", game.components, ()),
    ):
        try:
            pages = work().faces
        except PnpError as error:
            problems += error.problems
            continue
        own = {key: face for key, face in pages.items() if key[0] == RULEBOOK}
        problems += tuple(preflight.styles_lacking(game, own))  # the cover's words are ours
    return problems
