"""The sheets of a game's printed parts: cover, rules and pieces."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import cycle, islice
from typing import NamedTuple

from msgspec.structs import replace

from generator import layout
from generator.basics.errors import Problem, collecting, raise_all
from generator.layout import printers
from generator.model import COVER, RULEBOOK, SIDES, Component, Face, FaceKey, Game, Sheet
from generator.pipeline import leaflets
from generator.pipeline.leaflets import NO_LEAFLET
from generator.pipeline.request import Request
from generator.pipeline.sheets import Progress, are_backs_slipped, backs_of, check_ids, choose_components, is_requested
from generator.text import FontBook

_MOST_BOARDS = 8  # of one size; more pieces, or those that share a back, are cards


class ImposedKit(NamedTuple):
    """The printed parts of a game: the pages to read, and all sheets in cutting order."""

    pages: dict[FaceKey, Face]
    sheets: list[Sheet]


def impose_kit(game: Game, request: Request, drawn: dict[FaceKey, Face], progress: Progress) -> ImposedKit:
    """Imposes the requested parts: the cover, the rules and pieces. Raises PnpError with every fault."""
    kit, problems = impose_sound_parts(game, request, drawn, progress)
    raise_all(problems)
    return kit


def impose_sound_parts(
    game: Game, request: Request, drawn: dict[FaceKey, Face], progress: Progress
) -> tuple[ImposedKit, list[Problem]]:
    """Like `impose_kit`, but returns the sound parts, and the faults of the others."""
    printing = request.printing
    rules = cover = NO_LEAFLET
    pieces: list[Sheet] = []
    faults: list[Problem] = []
    whole = replace(request, only=())
    is_all = not request.changed_since  # otherwise only pieces are reprinted
    with collecting(faults):
        check_ids(game, request.only, dict(request.papers))
    if game.booklet and is_all and is_requested(RULEBOOK, request.only):
        progress("setting the rules")
        with collecting(faults):
            rules = leaflets.rules(game, drawn, printing, request.booklet)
    progress("imposing")
    components = choose_components(game, request.only, request.copies)
    has_backs = any(sheet.flip for sheet in rules.sheets)
    with collecting(faults):
        pieces = impose_pieces(game, request, drawn, is_duplex=has_backs)
    sheets = [*rules.sheets, *pieces]
    if game.booklet and game.booklet.has_cover and is_all and is_requested(COVER, request.only):
        with collecting(faults):
            # printed alone, the cover describes the whole kit
            is_alone = bool(request.only) and not sheets
            kit = impose_kit(game, whole, drawn, progress) if is_alone else ImposedKit(rules.faces, sheets)
            components = choose_components(game, (), request.copies) if is_alone else components
            faces = drawn | kit.pages
            how = printing, request.booklet
            is_numbered = not request.is_bound
            cover = leaflets.cover(game, faces, *how, components, kit.sheets, is_numbered=is_numbered)
    sheets = [*cover.sheets, *sheets]
    if request.printer:
        with collecting(faults):
            sheets = [printers.correct_sheet(sheet, request.printer, printing.margins.edges) for sheet in sheets]
    # rules and cover show the same picture, and then have the same fault
    return ImposedKit(cover.faces | rules.faces, sheets), list(dict.fromkeys(faults))


def impose_pieces(
    game: Game, request: Request, drawn: Mapping[FaceKey, Face], *, is_duplex: bool = False
) -> list[Sheet]:
    """The sheets of the requested pieces, those on the usual paper first. `is_duplex`: other sheets
    on that have backs. Raises PnpError for each component whose piece does not fit its paper."""
    fonts, usual = FontBook(game.font_folders), request.printing
    sheets: list[Sheet] = []
    faults: list[Problem] = []

    def impose_on(
        printing: layout.Printing, stock: str, components: Sequence[Component], fillers: Mapping[str, int]
    ) -> list[Sheet]:  # fmt: skip
        runs = list(_runs(game, components, drawn, printing, fillers, is_own=bool(stock)))
        return layout.impose(game.title, runs, printing, fonts, game.phrases, is_duplex=is_duplex and not stock)

    groups: dict[object, tuple[layout.Printing, list[Component]]] = {}
    for component in choose_components(game, request.only, request.copies):
        with collecting(faults):
            printing = request.choose_printing(component)
            paper = *sorted(printing.paper), printing.precut
            groups.setdefault(paper, (printing, []))[1].append(component)
    for printing, group in sorted(groups.values(), key=lambda group: group[0] is not usual):
        stock = "" if printing is usual else printing.paper_name
        impose = partial(impose_on, printing, stock)
        with collecting(faults):
            imposed = impose(group, {}) if request.changed_since else _fill_places(impose, group)
            sheets += [replace(sheet, stock=stock) for sheet in imposed] if stock else imposed
    raise_all(dict.fromkeys(faults))
    return sheets


def _fill_places(
    impose: Callable[[Sequence[Component], Mapping[str, int]], list[Sheet]], components: Sequence[Component]
) -> list[Sheet]:
    """The sheets, with as many of the pieces that fill free places as need no further sheet."""
    sheets, fillers = impose(components, {}), dict[str, int]()

    def adds_sheet(id_: str, count: int) -> bool:
        return len(impose(components, {**fillers, id_: count})) > len(sheets)

    for component in components:
        if any(piece.fills for piece in component.pieces):
            places = range(1, impose([component], {})[0].seats)
            find = partial(adds_sheet, component.id)
            fillers[component.id] = bisect_left(places, True, key=find)
    return impose(components, fillers) if any(fillers.values()) else sheets


def _runs(
    game: Game,
    components: Iterable[Component],
    drawn: Mapping[FaceKey, Face],
    printing: layout.Printing,
    fillers: Mapping[str, int],
    *,
    is_own: bool,
) -> Iterator[layout.PrintRun]:
    """The runs of components, with so many of the pieces that fill free places; on one side of the
    paper, backs that say something follow. `is_own`: the paper is not the usual one."""
    # components of one shape each, with the titles of the whole
    parts = (replace(part, title=whole.title) for whole in components for part in whole.alike())
    for component in parts:
        fronts, backs = (
            {piece.id: face for piece in component.pieces if (face := drawn.get((component.id, piece.id, side)))}
            for side in SIDES
        )
        names = [piece.id for piece in component.copies()]
        blanks = [piece.id for piece in component.pieces if piece.fills]
        names += islice(cycle(blanks), fillers.get(component.id, 0))
        items = [layout.Item(name, fronts[name].id, backs[name].id if name in backs else None) for name in names]
        paper_of = component.id if is_own or component.paper else ""
        joints = _joints(game, component, printing, items, fronts, backs)
        yield replace(_run(component, items, joints), paper_of=paper_of)
        if printing.way == "single" and are_backs_slipped(component, drawn):
            behind = [layout.Item(name, backs[name].id, None) for name in names if name in backs]
            turned = backs_of(component, game.phrases)
            joints = _joints(game, turned, printing, behind, backs, {})
            yield replace(_run(turned, behind, joints), paper_of=paper_of)


def _joints(
    game: Game,
    component: Component,
    printing: layout.Printing,
    items: Sequence[layout.Item],
    fronts: Mapping[str, Face],
    backs: Mapping[str, Face],
) -> layout.Joints | None:
    """How the pieces of a component are divided into panels where they fit no sheet; None if they are not to be."""
    if component.shape.kind != "rectangle" or component.tile is None:
        return None
    different, behind = ({item.front for item in items}, {item.back for item in items if item.back})
    is_deck = len(different) > _MOST_BOARDS or 0 < len(behind) < len(different)
    if component.tile == "auto" and is_deck:
        return None
    overlap = layout.OVERLAP if component.tile == "overlap" else 0.0

    def find_costs() -> layout.JointCosts:
        from generator.pipeline.looking import cost_joints  # rarely needed

        printed = {item.piece for item in items}
        seen, behind = ([faces[name] for name in faces if name in printed] for faces in (fronts, backs))
        return cost_joints(game, seen, behind, overlap / printing.scale)

    return layout.Joints(overlap, find_costs)


def _run(component: Component, items: Sequence[layout.Item], joints: layout.Joints | None) -> layout.PrintRun:
    return layout.PrintRun(
        component=component.id,
        title=component.title,
        blank=layout.Blank(component.shape, component.bleed, component.back_bleed),
        cuts=component.cuts,
        least_bleed=component.least_bleed,
        edges=tuple(component.edges.values()) if component.is_plain_edged else (),
        items=tuple(items),
        place=component.place,
        joints=joints,
    )
