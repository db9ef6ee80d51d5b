"""Blocks of a text, set in a column as PageBlocks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from generator.basics.errors import MisfitError, Place, Problem, collecting
from generator.basics.geometry import HAIR, IDENTITY, Rect, Size
from generator.booklet import reading
from generator.booklet.figure import ContentsEntry, FaceIndex, Figure, PlacedFace, list_kit, read_figure
from generator.booklet.paging import PageBlock, PageDesign, PlacedPlate, Tint
from generator.booklet.plates import Plate, draw_code, make_plate
from generator.text.flow import Compositor, Flow
from generator.text.markup import Span, WordLook
from generator.text.markup import TextBlock as Copy
from generator.text.placing import TextLine
from generator.text.shape import Style

_ENDLESS = 1e6  # mm: text may be as high as it needs
_TALLEST = {"face": 0.34, "picture": 0.62, "row": 0.36, "table": 0.62}  # of a page, by kind of figure
_LEAST_COLUMN = 7.0  # mm, the least width of a table's column
_CELL = 2.0  # mm between the columns of a table
_BREAKS = re.compile(r"(?<=[/?&=.-])")  # where an address may go on in another line
_NOTES_RULE = 20.0  # mm
_HAIRLINE, _RULE = 0.15, 0.35  # mm
_MOST_SHOWN = 800
_PART = Size(16.0, 12.0)  # mm for the picture of a part of the kit
_NUMBER = 9.0  # mm for its number


class BlockSetter:
    """Makes PageBlocks of Blocks. Its problems are at lines of `file`."""

    def __init__(self, compositor: Compositor, design: PageDesign, faces: FaceIndex, page: Size, file: Place) -> None:
        self._compositor = compositor
        self._design = design
        self._faces = faces
        self._page = page
        self._file = file
        self._shown = 0  # pieces, in all figures
        self._figures: dict[int, Figure] = {}  # by their lines
        self._plates: dict[tuple[int | str, Size], Plate] = {}  # of a line or a face, for a room
        self.problems: list[Problem] = []

    def resized(self, design: PageDesign) -> BlockSetter:
        """The setter for another size of text. It draws no figure again, and measures no word."""
        other = BlockSetter(self._compositor, design, self._faces, self._page, self._file)
        other._figures, other._plates = self._figures, self._plates
        return other

    def set(self, blocks: Sequence[reading.Block], x: float, width: float) -> list[PageBlock]:
        """Set the blocks; a block that cannot be set is reported in `problems`."""
        page_blocks: list[PageBlock] = []
        for before, block in zip((None, *blocks), blocks, strict=False):
            with collecting(self.problems, self._file.at_line(block.line)):
                made = self._set_block(block, x, width)
                for address in reading.links_in(block) if self._design.booklet.links == "qr" else ():
                    code = replace(self._code(address, x, width), keeps=made[-1].keeps)
                    made[-1:] = [replace(made[-1], keeps=True), code]
                if isinstance(before, reading.Heading):
                    made = self._below_heading(before, block, made)
                if (
                    isinstance(block, reading.Aside | reading.Footnotes)
                    and page_blocks
                    and not page_blocks[-1].is_break
                ):
                    page_blocks[-1] = replace(page_blocks[-1], keeps=True)  # what it is about
                page_blocks += made
        return page_blocks

    def _below_heading(self, heading: reading.Heading, block: reading.Block, made: list[PageBlock]) -> list[PageBlock]:
        """Keeps a single line with what follows it, and leaves one rule, not two, above a table without a head."""
        if heading.level == 2 and isinstance(block, reading.MarkdownTable) and not made[0].lines:
            made = _below(made[1:], self._design.gap)
        return [replace(made[0], keeps=True)] if len(made) == 1 else made

    def _set_block(self, block: reading.Block, x: float, width: float) -> list[PageBlock]:
        match block:
            case reading.Heading():
                return self._heading(block, x, width)
            case reading.Paragraph():
                return self._paragraph(block, x, width)
            case reading.Listing():
                return self._listing(block, x, width)
            case reading.Aside():
                return self._aside(block, x, width)
            case reading.Footnotes():
                return self._notes(block, x, width)
            case reading.MarkdownTable():
                return self._table(block, x, width)
            case reading.MarkdownFigure():
                return self._figure(block, x, width)
            case reading.PageBreak():
                return [PageBlock(0.0, is_break=True)]

    def _flow(self, words: reading.Words | str, x: float, width: float, style: Style) -> Flow:
        box = Rect(x, 0.0, x + width, _ENDLESS)
        copy = words if isinstance(words, str) else [Copy(words, is_item=False, apart=False)]
        return self._compositor.set(copy if any(words) else "", box, style)

    def _text(self, words: reading.Words | str, x: float, width: float, style: Style) -> list[PageBlock]:
        """A block for each line. The first two stay together, and the last two."""
        flow = self._flow(words, x, width, style)
        height, last = style.leading * style.size, len(flow.lines) - 1
        kept = {0, last - 1} - {last}
        blocks = [
            PageBlock(height, (line.moved(0.0, -number * height),), keeps=number in kept)
            for number, line in enumerate(flow.lines)
        ]
        return _below(blocks, self._design.gap)

    def _paragraph(self, paragraph: reading.Paragraph, x: float, width: float) -> list[PageBlock]:
        blocks = self._text(paragraph.words, x, width, self._design.body)
        if blocks and reading.plain(paragraph.words).endswith(":"):
            blocks[-1] = replace(blocks[-1], keeps=True)  # with the text that it introduces
        return blocks

    def _heading(self, heading: reading.Heading, x: float, width: float) -> list[PageBlock]:
        design = self._design
        style = {2: design.section, 3: design.part, 4: design.subpart}[heading.level]
        role = f"H{heading.level - 1}"
        blocks = [replace(line, keeps=True, role=role) for line in self._text(heading.words, x, width, style)]
        if heading.level == 2 and blocks:
            blocks = _below(blocks, design.above_section)
            rule = Tint(Rect(x, 0.0, x + width, _RULE), design.accent)
            beside = design.to_rule
            blocks.append(PageBlock(_RULE, tints=(rule,), above=beside, below=beside / 2, keeps=True))
            blocks[0] = replace(blocks[0], section=reading.plain(heading.words))
        elif blocks:
            blocks = _below(blocks, design.above_part if heading.level == 3 else 1.6 * design.gap)
        return blocks

    def _code(self, address: str, x: float, width: float) -> PageBlock:
        """The QR code of an address, and the address beside it."""
        plate = self._plate(address, draw_code(address), Size(width / 2, self._page.height))
        left = plate.size.width + _CELL
        label = Span(_BREAKS.sub("\u200b", address.removeprefix("mailto:")), WordLook())
        style = replace(self._design.caption, align="left")
        block = self._row([((label,),)], [style], [width - left], x + left)
        return replace(_beside(plate, x, block), above=self._design.gap)

    def _notes(self, notes: reading.Footnotes, x: float, width: float) -> list[PageBlock]:
        """Small, below a short rule."""
        style = replace(self._design.caption, align="left")
        rule = Tint(Rect(x, 0.0, x + _NOTES_RULE, _HAIRLINE), self._design.faint)
        blocks = [PageBlock(_HAIRLINE, tints=(rule,), above=self._design.above_part, keeps=True)]
        widths = [_NUMBER / 2, width - _NUMBER / 2 - _CELL]
        for number, words in enumerate(notes.items, notes.first):
            row: list[reading.Words] = [((Span(f"{number}", WordLook()),),), words]
            blocks.append(self._row(row, [style, style], widths, x))
        return blocks

    def _listing(self, listing: reading.Listing, x: float, width: float) -> list[PageBlock]:
        design = self._design
        markers = [self._marker(listing, number, x) for number in range(len(listing.items))]
        widest = max(marker.width for marker in markers)
        indent = widest + design.marker_gap
        blocks: list[PageBlock] = []
        for number, (item, marker) in enumerate(zip(listing.items, markers, strict=True)):
            inner = self.set(item, x + indent, width - indent) or [PageBlock(design.line)]
            foot = inner[0].lines[0].y if inner[0].lines else marker.y
            # numbers are aligned on the right
            marker = marker.moved(widest - marker.width, foot - marker.y)
            inner[0] = replace(inner[0], lines=(marker, *inner[0].lines))
            if number in (0, len(markers) - 2):  # keeps the first two items together, and the last
                inner[-1] = replace(inner[-1], keeps=True)
            blocks += _below(inner, design.item_gap if number else design.gap)
        return [*blocks[:-1], replace(blocks[-1], keeps=False)]

    def _marker(self, listing: reading.Listing, number: int, x: float) -> TextLine:
        design = self._design
        mark, style = ("•", design.bullet)
        if listing.first is not None:
            mark, style = (f"{listing.first + number}.", design.marker)
        return self._flow(((Span(mark, WordLook()),),), x, _ENDLESS, style).lines[0]

    def _aside(self, aside: reading.Aside, x: float, width: float) -> list[PageBlock]:
        design = self._design
        inner = self.set(aside.blocks, x + design.inset, width - 2 * design.inset)
        if not inner:
            return []
        pad = PageBlock(design.pad)
        inner = [replace(pad, keeps=True), replace(inner[0], above=0.0), *inner[1:]]
        inner = [*inner[:-1], replace(inner[-1], keeps=True), pad]
        inner = [s if s.panel else replace(s, panel=(x, x + width)) for s in inner]
        inner[0] = replace(inner[0], is_first=True)
        if sum(block.height for block in inner) < self._page.height / 5:  # a short one stays whole
            inner = [*(replace(block, keeps=True) for block in inner[:-1]), inner[-1]]
        return _below(inner, design.gap * 1.3)

    def _table(self, table: reading.MarkdownTable, x: float, width: float) -> list[PageBlock]:
        design = self._design
        rows = [table.head, *table.rows]
        styles = [design.head, *(design.cell for _ in table.rows)]
        widths = self._widths(list(zip(*rows, strict=True)), width)
        blocks = [
            self._row(row, [replace(style, align=column) for column in table.columns], widths, x)
            for row, style in zip(rows, styles, strict=True)
        ]
        if not any(map(reading.plain, table.head)):
            blocks[0] = PageBlock(design.cell_pad)  # for the rule above the first row
        end = x + sum(widths) + _CELL * (len(widths) - 1)
        rules = [(_RULE, design.accent), *((_HAIRLINE, design.faint) for _ in table.rows)]
        blocks = [
            replace(block, tints=(Tint(Rect(x, block.height - rule, end, block.height), colour),))
            for block, (rule, colour) in zip(blocks, rules, strict=True)
        ]
        is_whole = sum(block.height for block in blocks) < self._page.height / 2
        kept = [replace(block, keeps=is_whole or not n) for n, block in enumerate(blocks[:-1])]
        return _below([*kept, blocks[-1]], design.gap)

    def _row(
        self, row: Sequence[reading.Words], styles: Sequence[Style], widths: Sequence[float], x: float
    ) -> PageBlock:
        pad = self._design.cell_pad
        cells: list[tuple[TextLine, ...]] = []
        height = self._design.line
        for words, width, style in zip(row, widths, styles, strict=True):
            cells.append(tuple(self._flow(words, x, width, self._sized(words, style)).lines))
            height = max(height, len(cells[-1]) * style.leading * style.size)
            x += width + _CELL
        height += 2 * pad
        if height > self._page.height:
            raise MisfitError("a row of the table is higher than a page", "use fewer words")
        # icons push a line down, but all cells begin on one baseline
        first = max((lines[0].y for lines in cells if lines), default=0.0)
        level = (line.moved(0.0, pad + first - lines[0].y) for lines in cells for line in lines)
        return PageBlock(height, tuple(level))

    def _sized(self, words: reading.Words, style: Style) -> Style:
        """The style of a cell: icons among words are as high as a letter, others as in the text."""
        body = self._design.body
        return style if reading.plain(words) else replace(style, icon=body.icon, sink=body.sink)

    def _widths(self, columns: Sequence[Sequence[reading.Words]], width: float) -> list[float]:
        """The widths of columns: those of their words, or less for wide ones if room is short."""
        room = width - _CELL * (len(columns) - 1)
        if room < _LEAST_COLUMN * len(columns):
            what = f"the table has {len(columns)} columns, too many for the width of a page"
            raise MisfitError(what, "divide it into two tables")
        flows = (
            [
                self._flow(words, 0.0, _ENDLESS, self._sized(words, style))
                for words in column
                for style in (self._design.head, self._design.cell)
            ]
            for column in columns
        )
        widths = [max((line.width for flow in column for line in flow.lines), default=0.0) for column in flows]
        return _share_room([max(width, _LEAST_COLUMN) + HAIR for width in widths], room)

    def _figure(self, source: reading.MarkdownFigure, x: float, width: float) -> list[PageBlock]:
        if source.kind == "kit":
            return self._kit(source, x, width)
        design = self._design
        figure = self._figures.get(source.line)
        if figure is None:
            figure = self._figures[source.line] = read_figure(source, self._faces, self._file)
        self._shown += len(figure.placed)
        if self._shown > _MOST_SHOWN:
            raise MisfitError("the figures show too many pieces", f"show at most {_MOST_SHOWN} in all")
        caption = self._text(figure.caption, x, width, design.caption)

        def within(height: float) -> PageBlock:
            room = Size(width, min(height, self._page.height * _TALLEST[source.kind]))
            plate = self._plate(source.line, figure, room)
            picture = PlacedPlate(plate, x + (width - plate.size.width) / 2, 0.0)
            return PageBlock(plate.size.height, pictures=(picture,), above=design.above_figure)

        whole = replace(within(self._page.height), lower=within)
        *others, last = [whole, *caption]
        kept = [replace(block, keeps=True) for block in others]
        return [*kept, replace(last, below=design.below_figure)]

    def _kit(self, source: reading.MarkdownFigure, x: float, width: float) -> list[PageBlock]:
        """The contents of the kit: for each part a picture of one, the number and the title."""
        parts = [self._part(entry, x, width) for entry in list_kit(source, self._faces)]
        if not parts:
            raise MisfitError("the figure is empty", "name the parts of the kit: 18 cards")
        spaced = [replace(block, keeps=True, above=self._design.item_gap) for block in parts]
        spaced[-1] = replace(spaced[-1], keeps=False, below=self._design.below_figure)
        return _below(spaced, self._design.gap)

    def _part(self, entry: ContentsEntry, x: float, width: float) -> PageBlock:
        left = _PART.width + _CELL
        row: list[reading.Words] = [
            ((Span(entry.number, WordLook()),),),
            ((Span(entry.title, WordLook(bold=True)), Span(entry.remark, WordLook())),),
        ]
        widths = [_NUMBER, width - left - _NUMBER - _CELL]
        block = self._row(row, [self._design.count, self._design.body], widths, x + left)
        if entry.face is None:
            return block
        figure = Figure(placed=[PlacedFace(entry.face, IDENTITY)])
        room = Size(_PART.width * entry.share, _PART.height * entry.share)
        plate = self._plate(entry.face.id, figure, room)
        return _beside(plate, x + (_PART.width - plate.size.width) / 2, block)

    def _plate(self, key: int | str, figure: Figure, room: Size) -> Plate:
        if (key, room) not in self._plates:
            plate = make_plate(figure, room, self._design.accent, self._design.bold)
            self._plates[key, room] = plate
        return self._plates[key, room]


def _beside(plate: Plate, x: float, block: PageBlock) -> PageBlock:
    """The lines of a block, and a picture beside them whose left is at `x` mm."""
    height = max(block.height, plate.size.height)
    lines = tuple(line.moved(0.0, (height - block.height) / 2) for line in block.lines)
    return PageBlock(height, lines, pictures=(PlacedPlate(plate, x, (height - plate.size.height) / 2),))


def _below(blocks: list[PageBlock], gap: float) -> list[PageBlock]:
    """Leave `gap` mm free above the first block."""
    return [replace(block, above=gap) for block in blocks[:1]] + blocks[1:]


def _share_room(widths: Sequence[float], room: float) -> list[float]:
    """Share a room: a column gets its width, unless that is more than a fair share."""
    shares: dict[int, float] = {}
    for index in sorted(range(len(widths)), key=widths.__getitem__):
        fair = (room - sum(shares.values())) / (len(widths) - len(shares))
        shares[index] = min(widths[index], fair)
    return [shares[index] for index in range(len(widths))]
