"""Sheets of runs of pieces for a Printing, with each back behind its front.

Runs have sheets of their own. The last pieces of several runs share sheets where that saves sheets;
which runs share them is chosen here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain, combinations
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.errors import Problem, collecting, raise_all
from generator.basics.geometry import HAIR, IDENTITY
from generator.basics.phrases import Phrases
from generator.basics.shapes import area as area_of
from generator.layout.dressing import Item, SharedValues, Sides, dress
from generator.layout.forme import Area, Blank, Forme
from generator.layout.mix import MixedPiece, mix_formes
from generator.layout.packing import SHORTEST
from generator.layout.runs import Printing, PrintRun, RunLayout, SheetFilling, SheetGroup, has_backs, secret_backs
from generator.layout.turn import paper_turn
from generator.model import FLIPS, Flip, Sheet
from generator.text import FontBook, Lettering

MIXED = "mixed"  # stands for the component of sheets of several
_DENSEST = 0.9  # of a sheet: unlike pieces filled at most 0.87 in kits, and the search is long
_LONGEST_TITLE = 40  # characters of the title of a mixed sheet
_MOST = 7  # parts, of which there are 120 choices; more are rare, and the emptiest save the most

Choice = tuple[int, ...]
# pieces whose back others of their run share, by identity: their component and their back
Secrets = Mapping[int, tuple[str, str | None]]


def impose(
    game: str,
    runs: Iterable[PrintRun],
    printing: Printing,
    fonts: FontBook,
    phrases: Phrases | None = None,
    *,
    is_duplex: bool = False,
) -> list[Sheet]:
    """Put every piece on a sheet, each back behind its front.

    A sheet without backs gets an empty back when other sheets of the file have backs: a duplex
    printer would print the next front there. `is_duplex`: sheets of the file outside these runs
    have backs. Raises PnpError naming each run whose piece does not fit the paper.
    """
    layout = RunLayout(game, printing, Lettering.of(fonts, phrases))
    runs = [run.scaled(printing.scale) for run in runs]
    groups: list[SheetGroup] = []
    problems: list[Problem] = []
    for run in runs:
        with collecting(problems):
            groups.append(layout.lay_out(run))
    raise_all(problems)
    have_places = printing.precut or (printing.cutter and printing.cutter.skipped)
    if printing.is_mixed and not have_places:
        groups = Joining(layout).join(runs, groups)
    secrets = _find_secrets(runs, printing)
    assert keep_secrets(secrets, _laid(groups)), "pieces that share a back lie alike"
    are_backed = is_duplex or any(has_backs(run.items) for run in runs)
    flip = FLIPS.get(printing.way) if are_backed else None
    return [sheet for group in groups for sheet in _sheets(layout, group, flip)]


def _sheets(layout: RunLayout, group: SheetGroup, blank_flip: Flip | None) -> list[Sheet]:
    """The sheets of a group; with a `blank_flip`, also those that have no backs get a page behind them."""
    items = [item for filling in group.fillings for item in filling.items]
    forme = group.fillings[0].dressed.forme
    heading = layout.heading(group.title, len(group.fillings), items, forme)
    on_backs = layout.printing.marking.on_backs
    sheets, shared = [], SharedValues()
    for number, filling in enumerate(group.fillings, 1):
        forme = filling.dressed.forme
        way = heading.way if forme.area.fold else layout.way(filling.items)
        words = f"{layout.game} · {group.title_of(filling.items, layout.lettering.phrases)}"
        cutter = layout.describe_cutter(forme)
        named = replace(heading, sheets=words, way=way, cutter=cutter)
        blank_turn = paper_turn(forme.area.paper, blank_flip) if blank_flip else None
        sides = Sides(filling.dressed, named, filling.items, number, on_backs, shared)
        sheets.append(
            Sheet(
                component=group.component,
                title=group.title,
                number=number,
                total=heading.total,
                paper=forme.area.paper,
                flip=FLIPS.get(way),
                seats=len(forme.seats),
                cuts=forme.cuts,
                bleed=heading.bleed,
                layout=forme.layout if layout.printing.cutter else "",
                pages=tuple(sides.pages(blank_turn)),
                tiling=group.tiling,
            )
        )
    return sheets


class _Rest(Struct, frozen=True):
    """The last pieces of a run, whose sheet has room for others, after its `own` full sheets.

    `has_secrets`: some of its pieces share a back.
    """

    run: PrintRun
    items: Sequence[Item]
    has_template: bool
    own: Sequence[SheetFilling]
    has_secrets: bool


class _Together(Struct, frozen=True):
    """Runs that share sheets: those full of equal pieces, and formes for the other pieces, which have no marks yet."""

    full: Sequence[SheetGroup] = ()
    mixed: Sequence[_Rest] = ()
    formes: Sequence[tuple[Forme, Sequence[Item]]] = ()

    @property
    def sheets(self) -> int:
        return _count_sheets(self.full) + len(self.formes)

    def laid(self) -> list[tuple[Forme, Sequence[Item]]]:
        return [*_laid(self.full), *self.formes]


class Joining(Struct, frozen=True):
    """Puts the last pieces of the runs of one game together."""

    layout: RunLayout

    def join(self, runs: Sequence[PrintRun], groups: Sequence[SheetGroup]) -> list[SheetGroup]:
        """The sheets of all runs: first those that a run keeps for itself."""
        secrets = _find_secrets(runs, self.layout.printing)
        rests = [
            _Rest(
                run,
                last.items,
                last.dressed.forme.cuts in ("template", "squares"),
                group.fillings[:-1],
                any(id(item) in secrets for item in run.items),
            )
            for run, group in zip(runs, groups, strict=True)
            for last in group.fillings[-1:]
            if _has_room(last) and not group.tiling
        ]
        if len(rests) < 2:
            return list(groups)
        shared = _Trials(self.layout, rests, secrets).choose()
        joined = {id(rests[number].run) for share in shared for number in share}
        own = [
            replace(group, fillings=group.fillings[:-1]) if id(run) in joined else group
            for run, group in zip(runs, groups, strict=True)
        ]
        more = (group for together in shared.values() for group in together)
        return [*(group for group in own if group.fillings), *more]


class _Trials:
    """The sheets that runs would take together, each choice of runs tried once."""

    def __init__(self, layout: RunLayout, rests: Sequence[_Rest], secrets: Secrets) -> None:
        self._layout, self._rests, self._secrets = layout, rests, secrets
        self._filled = self._find_filled()
        units: dict[str, list[int]] = {}  # pieces of one component that differ in shape
        for number, rest in enumerate(rests):
            units.setdefault(rest.run.component, []).append(number)
        self._units = list(map(tuple, units.values()))
        self._found: dict[Choice, _Together | None] = {}
        self._alike: dict[tuple[int, ...], SheetGroup] = {}
        self._cramped: set[tuple[Choice, Area]] = set()

    def choose(self) -> dict[Choice, list[SheetGroup]]:
        """The runs that share sheets, and these sheets. Only they get marks, which take long; if
        one has no room for its slug, the choice is made again without it."""
        filled = [sum(self._filled[number] for number in unit) for unit in self._units]
        own = [len(unit) for unit in self._units]
        while True:
            chosen = choose_shares(filled, own, self._count_units)
            shares = list(map(self._rests_of, chosen))
            dressed = {share: self._dress(share) for share in shares}
            groups = {share: found for share, found in dressed.items() if found}
            if len(groups) == len(shares):
                return groups

    def _rests_of(self, units: Choice) -> Choice:
        return tuple(number for unit in units for number in self._units[unit])

    def _count_units(self, units: Choice, enough: int) -> int | None:
        choice = self._rests_of(units)
        if choice not in self._found:
            self._found[choice] = self._try(choice, enough)
        found = self._found[choice]
        return found.sheets if found else None

    def _try(self, choice: Choice, enough: int) -> _Together | None:
        rests = [self._rests[number] for number in choice]
        if len({rest.run.blank for rest in rests}) > 1:
            if any(rest.has_template for rest in rests):
                return None
            if sum(self._filled[number] for number in choice) > _DENSEST * enough:
                return None
        together = self._put_together(choice, enough)
        own = [(sheet.dressed.forme, sheet.items) for rest in rests for sheet in rest.own]
        is_kept = together and keep_secrets(self._secrets, [*own, *together.laid()])
        return together if is_kept else None

    def _find_filled(self) -> list[float]:
        """The least share of a sheet that the pieces take: their areas, if those of several runs
        may touch, else what they and their bleeds take."""
        least = self._layout.printing.gap / 2
        blanks = [rest.run.blank for rest in self._rests]
        paddings = [max(blank.most_bleed, least) for blank in blanks]
        around = 2 * max(paddings)
        items = [item for rest in self._rests for item in rest.items]
        rooms = [area.box for area in self._layout.areas(0.0, items, 0.0)]
        most = max((room.width + around) * (room.height + around) for room in rooms)
        return [
            len(rest.items)
            * area_of(blank.shape.placed(IDENTITY, by=0.0 if blanks.count(blank) > 1 else padding))
            / most
            for rest, blank, padding in zip(self._rests, blanks, paddings, strict=True)
        ]

    def _put_together(self, choice: Choice, enough: int) -> _Together | None:
        """Pieces of several runs on as few sheets as are found, or on `enough`; None if a piece has
        no room. Pieces of equal blanks fill sheets of their own first."""
        alike: dict[Blank, list[_Rest]] = {}
        for number in choice:
            alike.setdefault(self._rests[number].run.blank, []).append(self._rests[number])
        groups: list[SheetGroup] = []
        left: list[_Rest] = []
        for same in alike.values():
            if len(same) == 1:
                left += same
            elif len(alike) == 1:
                groups.append(self._lay_out_alike(same))
            else:
                group = self._lay_out_alike(same)
                full, more = _keep_full(group, same, self._layout.lettering.phrases)
                groups += full
                left += more
        if not left:
            return _Together(groups)
        laid = _count_sheets(groups)
        formes = self._mix(choice, left, max(enough - laid, 1), len(choice) - 1 - laid)
        return _Together(groups, left, formes) if formes else None

    def _lay_out_alike(self, rests: Sequence[_Rest]) -> SheetGroup:
        """Runs of equal blanks as one. They share cuts if they would alone, and their edges are of one colour."""
        key = tuple(id(rest.run) for rest in rests)
        if key not in self._alike:
            first = rests[0].run
            of_cuts = {(rest.run.cuts, rest.run.edges, rest.run.least_bleed) for rest in rests}
            is_same = len(of_cuts) == 1
            joint = replace(
                first,
                component=MIXED,
                title=_join_titles(rests, self._layout.lettering.phrases),
                cuts=first.cuts if is_same else "auto",
                edges=first.edges if is_same else (),
                least_bleed=first.least_bleed if is_same else None,
                items=tuple(item for rest in rests for item in rest.items),
            )
            self._alike[key] = _fill_anew(self._layout.lay_out(joint), rests)
        return self._alike[key]

    def _mix(self, choice: Choice, rests: Sequence[_Rest], enough: int, most: int) -> list[tuple[Forme, list[Item]]]:
        """Pieces in boxes on as few sheets as are found, or on `enough`; none if a piece has no
        room, or if they take more than `most`, which saves none."""
        pieces = [MixedPiece(rest.run.blank, item) for rest in rests for item in rest.items]
        bleed = max(piece.blank.most_bleed for piece in pieces)
        overhang = max(piece.blank.overhang for piece in pieces)
        room, gap = self._layout.slug_room(bleed) + SHORTEST, self._layout.printing.gap
        best: list[tuple[Forme, list[Item]]] = []
        for area in self._layout.areas(bleed, [piece.item for piece in pieces], overhang):
            if most >= enough and (choice, area) not in self._cramped:
                formes = mix_formes(pieces, area, room, gap, enough, most)
                best, most = (formes, len(formes) - 1) if formes else (best, most)
        return best

    def _dress(self, choice: Choice) -> list[SheetGroup] | None:
        """The sheets of a choice with their marks; None, and it is tried again without that area,
        if one has no room for its slug."""
        together = self._found[choice]
        assert together
        if not together.formes:
            return list(together.full)
        layout = self._layout
        phrases = layout.lettering.phrases
        titles = [_name_sheet(on_it, together.mixed, phrases) for _, on_it in together.formes]
        fillings: dict[str, list[SheetFilling]] = {}
        for title, (forme, on_it) in zip(titles, together.formes, strict=True):
            heading = layout.heading(title, titles.count(title), on_it, forme)
            marking = layout.printing.marking
            dressed = dress(forme, heading, marking, layout.lettering, len(on_it))
            if dressed is None:
                self._cramped.add((choice, forme.area))
                del self._found[choice]
                return None
            fillings.setdefault(title, []).append(SheetFilling(dressed, on_it))
        named = (SheetGroup(MIXED, title, same) for title, same in fillings.items())
        return [*together.full, *named]


def _name_sheet(items: Sequence[Item], rests: Sequence[_Rest], phrases: Phrases) -> str:
    """The titles of the runs that have pieces on a sheet."""
    on_it = {id(item) for item in items}
    there = [rest for rest in rests if not on_it.isdisjoint(id(item) for item in rest.items)]
    return _join_titles(there, phrases)


def _find_secrets(runs: Iterable[PrintRun], printing: Printing) -> Secrets:
    """The pieces whose backs must look the same; none if no back is printed."""
    if printing.way == "single":
        return {}
    hidden = ((run, secret_backs(run.items)) for run in runs)
    return {id(item): (run.component, item.back) for run, backs in hidden for item in run.items if item.back in backs}


def keep_secrets(secrets: Secrets, sheets: Iterable[tuple[Forme, Sequence[Item]]]) -> bool:
    """Whether pieces of a run with the same secret back lie alike: on sheets with the same places, or all on one
    sheet and turned alike. A printer is off in another way on another sheet, which would mark them."""
    found: dict[tuple[str, str | None], object] = {}
    for number, (forme, items) in enumerate(sheets):
        hidden = [(seat, secrets.get(id(item))) for seat, item in zip(forme.seats, items, strict=False)]
        if not any(key for _, key in hidden):
            continue
        is_alike = len({seat.blank for seat in forme.seats}) == 1
        places = tuple(seat.place for seat in forme.seats) if is_alike else number
        for seat, key in hidden:
            lie = forme.area.paper, places, () if is_alike else seat.place[:4]
            if key and found.setdefault(key, lie) != lie:
                return False
    return True


def _laid(groups: Iterable[SheetGroup]) -> list[tuple[Forme, Sequence[Item]]]:
    fillings = (filling for group in groups for filling in group.fillings)
    return [(filling.dressed.forme, filling.items) for filling in fillings]


def _has_room(filling: SheetFilling) -> bool:
    """Whether other pieces may fit: some seats are free, or the sheet holds one large piece."""
    seats = len(filling.dressed.forme.seats)
    return seats == 1 or len(filling.items) < seats


def _fill_anew(group: SheetGroup, rests: Sequence[_Rest]) -> SheetGroup:
    """The sheets of a group, filled again so that only large runs are divided."""
    fillings = [
        replace(filling, items=[item for part in parts for item in part.items])
        for filling, parts in zip(group.fillings, _share_out(group, rests), strict=True)
    ]
    return replace(group, fillings=fillings)


def _keep_full(group: SheetGroup, rests: Sequence[_Rest], phrases: Phrases) -> tuple[list[SheetGroup], list[_Rest]]:
    """The full sheets of a group that has the pieces of `rests`, and the pieces on the last sheet if that has room."""
    *_, last = shares = _share_out(group, rests)
    full = [filling for filling in group.fillings if len(filling.items) == len(filling.dressed.forme.seats)]
    if not full:
        return [], last
    left = [] if len(full) == len(shares) else last
    on_full = {part.run.component for parts in shares[: len(full)] for part in parts}
    title = _join_titles([rest for rest in rests if rest.run.component in on_full], phrases)
    return [SheetGroup(MIXED, title, full)], left


def _share_out(group: SheetGroup, rests: Sequence[_Rest]) -> list[list[_Rest]]:
    """The parts of runs on each sheet: small runs stay whole, the largest without secrets fills the
    room beside them."""
    rooms = [len(filling.items) for filling in group.fillings]
    sheets: list[dict[str, _Rest]] = [{} for _ in rooms]
    are_secret = all(rest.has_secrets for rest in rests)
    filler = max(rests, key=lambda rest: (are_secret or not rest.has_secrets, len(rest.items)))
    loose = [filler]
    others = [rest for rest in rests if rest is not filler]
    for rest in sorted(others, key=lambda rest: (not rest.has_secrets, -len(rest.items))):
        at = next((at for at, room in enumerate(rooms) if len(rest.items) <= room), None)
        if at is None:
            loose.append(rest)
        else:
            sheets[at][rest.run.component] = rest
            rooms[at] -= len(rest.items)
    for rest in sorted(loose, key=lambda rest: not rest.has_secrets):
        items = rest.items
        for at, room in enumerate(rooms):
            part, items = items[:room], items[room:]
            rooms[at] -= len(part)
            sheets[at] |= {rest.run.component: replace(rest, items=part)} if part else {}
    order = [rest.run.component for rest in rests]
    return [[parts[name] for name in order if name in parts] for parts in sheets]


def _count_sheets(groups: Sequence[SheetGroup]) -> int:
    return sum(len(group.fillings) for group in groups)


def _join_titles(rests: Sequence[_Rest], phrases: Phrases) -> str:
    """Joins as many titles as a slug has room for."""
    titles = list(dict.fromkeys(rest.run.title for rest in rests))
    for count in range(len(titles), 0, -1):
        joined, left = phrases.say("text.comma").join(titles[:count]), len(titles) - count
        if left:
            joined = phrases.say("sheet.more-titles", titles=joined, count=left)
        if len(joined) <= _LONGEST_TITLE:
            return joined
    return phrases.say("sheet.kinds", count=len(titles))


def choose_shares(
    filled: Sequence[float], own: Sequence[int], count_together: Callable[[Choice, int], int | None]
) -> list[Choice]:
    """The numbers of the parts that share sheets; each other part keeps sheets of its own.

    `filled` is the least share of a sheet that each part takes, `own` are the sheets that it takes if nothing is
    joined; a part of several may be joined alone. `count_together` returns how many sheets a choice of parts takes,
    None if they cannot be together; it may stop looking when it has found the number that it gets. Of the ways with the
    fewest sheets that are weighed, the one that moves the fewest parts.
    """
    order = sorted(range(len(filled)), key=lambda number: filled[number])
    emptiest, others = order[:_MOST], order[_MOST:]

    def least(choice: Choice) -> int:
        return ceil(sum(filled[number] for number in choice) - HAIR)

    @cache
    def count(choice: Choice) -> int:
        most = sum(own[number] for number in choice)
        found = count_together(choice, least(choice)) if most > 1 else None
        return most if found is None else min(found, most)

    def alone(number: int) -> tuple[int, int, tuple[Choice, ...]]:
        """The sheets of a part, whether its pieces are moved, and its share."""
        sheets = count((number,))
        is_joined = sheets < own[number]
        return sheets, int(is_joined), ((number,),) if is_joined else ()

    @cache
    def best(rest: Choice) -> tuple[int, int, tuple[Choice, ...]]:
        """The sheets, the parts moved, and the shares of some parts."""
        if not rest:
            return 0, 0, ()
        first, others = rest[0], rest[1:]
        found = _add(best(others), alone(first))
        sizes = range(1, len(others) + 1)
        for more in chain.from_iterable(combinations(others, size) for size in sizes):
            share, left = (first, *more), tuple(other for other in others if other not in more)
            apart = sum(alone(number)[0] for number in share)
            if least(share) >= apart or least(share) + least(left) >= found[0]:
                continue
            together = count(share)
            if together < apart:
                found = min(found, _add(best(left), (together, len(share), (share,))))
        return found

    shares = best(tuple(sorted(emptiest)))[2]
    return [*shares, *(share for number in sorted(others) for share in alone(number)[2])]


def _add(
    one: tuple[int, int, tuple[Choice, ...]], other: tuple[int, int, tuple[Choice, ...]]
) -> tuple[int, int, tuple[Choice, ...]]:
    return one[0] + other[0], one[1] + other[1], (*other[2], *one[2])
