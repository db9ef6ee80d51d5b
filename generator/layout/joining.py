"""Take runs on their own sheets, put their last pieces together on sheets where that saves some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from generator.layout.dressing import Item, dress
from generator.layout.forme import Blank, Forme
from generator.layout.mix import MixedPiece, find_least_room, mix_formes
from generator.layout.packing import SHORTEST
from generator.layout.runs import PrintRun, RunLayout, SheetFilling, SheetGroup
from generator.layout.sharing import Choice, choose_shares

MIXED = "mixed"  # stands for the component of sheets of several
_DENSEST = 0.9  # of a sheet: unlike pieces filled at most 0.87 in kits, and the search is long
_LONGEST_TITLE = 40  # characters of the title of a mixed sheet


class _Rest(NamedTuple):
    """The last pieces of a run, whose sheet has room for others."""

    run: PrintRun
    items: Sequence[Item]
    has_template: bool


@dataclass(frozen=True, slots=True)
class Joining:
    """Puts the last pieces of the runs of one game together."""

    layout: RunLayout

    def join(self, runs: Sequence[PrintRun], groups: Sequence[SheetGroup]) -> list[SheetGroup]:
        """The sheets of all runs: first those that a run keeps for itself."""
        rests = [
            _Rest(run, last.items, last.dressed.forme.cuts == "template")
            for run, group in zip(runs, groups, strict=True)
            for last in group.fillings[-1:]
            if _has_room(last)
        ]
        together: dict[Choice, list[SheetGroup]] = {}
        filled = self._filled(rests)

        def count(choice: Choice, enough: int) -> int | None:
            is_mixed = len({rests[number].run.blank for number in choice}) > 1
            if is_mixed and any(rests[number].has_template for number in choice):
                return None
            if is_mixed and sum(filled[number] for number in choice) > _DENSEST * enough:
                return None
            found = self._together([rests[number] for number in choice], enough)
            if found is None:
                return None
            together[choice] = found
            return _count_sheets(found)

        shares = choose_shares(filled, count)
        joined = {rests[number].run.component for share in shares for number in share}
        own = [
            group._replace(fillings=group.fillings[:-1]) if group.component in joined else group
            for group in groups
        ]
        shared = (group for share in shares for group in together[share])
        return [*(group for group in own if group.fillings), *shared]

    def _filled(self, rests: Sequence[_Rest]) -> list[float]:
        """The least share of a sheet that the pieces take: their areas, if those of several runs
        may touch, else what they and their bleeds take."""
        least = self.layout.printing.gap / 2
        paddings = [max(rest.run.blank.most_bleed, least) for rest in rests]
        around = 2 * max(paddings, default=0.0)
        items = [item for rest in rests for item in rest.items]
        rooms = [area.box for area in self.layout.areas(0.0, items, 0.0)]
        most = max((room.width + around) * (room.height + around) for room in rooms)
        blanks = [rest.run.blank for rest in rests]
        return [
            len(rest.items)
            * (blank.shape.area if blanks.count(blank) > 1 else find_least_room(blank, padding))
            / most
            for rest, blank, padding in zip(rests, blanks, paddings, strict=True)
        ]

    def _together(self, rests: Sequence[_Rest], enough: int) -> list[SheetGroup] | None:
        """Pieces of several runs on as few sheets as are found, or on `enough`; None if a piece or
        a slug has no room. Pieces of equal blanks fill sheets of their own first."""
        alike: dict[Blank, list[_Rest]] = {}
        for rest in rests:
            alike.setdefault(rest.run.blank, []).append(rest)
        groups: list[SheetGroup] = []
        left: list[_Rest] = []
        for same in alike.values():
            if len(same) == 1:
                left += same
            elif len(alike) == 1:
                groups.append(self._lay_out_alike(same))
            else:
                full, more = _keep_full(self._lay_out_alike(same), same)
                groups += full
                left += more
        if not left:
            return groups
        laid = _count_sheets(groups)
        mixed = self._mix(left, enough - laid, len(rests) - 1 - laid)
        return [*groups, mixed] if mixed else None

    def _lay_out_alike(self, rests: Sequence[_Rest]) -> SheetGroup:
        """Runs of equal blanks as one. They share cuts if they would alone, and their edges are of
        one colour."""
        first = rests[0].run
        of_cuts = {(rest.run.cuts, rest.run.edges, rest.run.least_bleed) for rest in rests}
        is_same = len(of_cuts) == 1
        joint = replace(
            first,
            component=MIXED,
            title=_join_titles(rests),
            cuts=first.cuts if is_same else "auto",
            edges=first.edges if is_same else (),
            least_bleed=first.least_bleed if is_same else None,
            items=tuple(item for rest in rests for item in rest.items),
        )
        return self.layout.lay_out(joint)

    def _mix(self, rests: Sequence[_Rest], enough: int, most: int) -> SheetGroup | None:
        """Pieces in boxes on as few sheets as are found, or on `enough`; None if a piece or a slug
        has no room, or if they take more than `most`, which saves none."""
        pieces = [MixedPiece(rest.run.blank, item) for rest in rests for item in rest.items]
        title, items = _join_titles(rests), [piece.item for piece in pieces]
        bleed = max(piece.blank.most_bleed for piece in pieces)
        room, gap = self.layout.slug_room(bleed) + SHORTEST, self.layout.printing.gap
        best: SheetGroup | None = None
        overhang = max(piece.blank.overhang for piece in pieces)
        for area in self.layout.areas(bleed, items, overhang):
            mixes = mix_formes(pieces, area, room, gap, enough)
            if 0 < len(mixes) <= most and (best is None or len(mixes) < len(best.fillings)):
                best = self._dress(mixes, title, items) or best
            if best and len(best.fillings) <= enough:
                break
        return best

    def _dress(
        self, mixes: Sequence[tuple[Forme, Sequence[Item]]], title: str, items: Sequence[Item]
    ) -> SheetGroup | None:
        """Formes with their marks; None if there are none, or one has no room for its slug."""
        layout = self.layout
        fillings = [
            SheetFilling(dressed, on_it)
            for forme, on_it in mixes
            for heading in [layout.heading(title, len(mixes), items, forme)]
            if (
                dressed := dress(
                    forme, heading, layout.printing.marking, layout.lettering, len(on_it)
                )
            )
        ]
        is_whole = fillings and len(fillings) == len(mixes)
        return SheetGroup(MIXED, title, fillings) if is_whole else None


def _has_room(filling: SheetFilling) -> bool:
    """Whether other pieces may fit: some seats are free, or the sheet holds one large piece."""
    seats = len(filling.dressed.forme.seats)
    return seats == 1 or len(filling.items) < seats


def _keep_full(
    group: SheetGroup, rests: Sequence[_Rest]
) -> tuple[list[SheetGroup], Sequence[_Rest]]:
    """The full sheets of a group that has the pieces of `rests`, and the pieces on the others."""
    full = [one for one in group.fillings if len(one.items) == len(one.dressed.forme.seats)]
    if not full:
        return [], rests
    kept = sum(len(one.items) for one in full)
    on_full: list[_Rest] = []
    left: list[_Rest] = []
    for rest in rests:
        for some, items in ((on_full, rest.items[:kept]), (left, rest.items[kept:])):
            some += [rest._replace(items=items)] if items else []
        kept = max(kept - len(rest.items), 0)
    return [SheetGroup(MIXED, _join_titles(on_full), full)], left


def _count_sheets(groups: Sequence[SheetGroup]) -> int:
    return sum(len(group.fillings) for group in groups)


def _join_titles(rests: Sequence[_Rest]) -> str:
    """As many titles as a slug has room for."""
    titles = [rest.run.title for rest in rests]
    for count in range(len(titles), 0, -1):
        more = f" and {len(titles) - count} more" if count < len(titles) else ""
        joined = ", ".join(titles[:count]) + more
        if len(joined) <= _LONGEST_TITLE:
            return joined
    return f"{len(titles)} kinds of pieces"
