"""Take the rules of a game, make HTML of them: headings, lists, tables, asides, figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from generator.booklet.blocks import (
    Aside,
    Block,
    Heading,
    Listing,
    MarkdownFigure,
    MarkdownTable,
    PageBreak,
    Paragraph,
    Words,
    plain,
)
from generator.site.content import KitEntry, Rules, ShownFigure, ShownPicture
from generator.site.markup import Markup, element, join
from generator.text.markup import Span

_NO_NAME = re.compile(r"[^a-z0-9]+")
_SIDES = {"left": None, "centre": "centre", "right": "right"}


def show_rules(rules: Rules) -> Markup:
    """The rules, each section with an id of its own."""
    return _RulesWriter(rules).write()


def list_sections(rules: Rules) -> list[tuple[str, str]]:
    """The id and the title of each section."""
    headings = [one for one in rules.text.blocks if isinstance(one, Heading)]
    return [
        (id_, plain(one.words))
        for one, id_ in zip(headings, _name_headings(headings), strict=True)
        if one.level == 2
    ]


def show_picture(picture: ShownPicture, **attributes: str) -> Markup:
    """A picture that is fetched when it comes into view."""
    return element(
        "img",
        src=picture.address,
        width=picture.width,
        height=picture.height,
        alt=picture.alt,
        loading="lazy",
        decoding="async",
        **attributes,
    )


def _name_headings(headings: Sequence[Heading]) -> list[str]:
    """An id for each heading, with a number if its words give none or a taken one."""
    taken: list[str] = []
    for number, heading in enumerate(headings, 1):
        words = _NO_NAME.sub("-", plain(heading.words).casefold()).strip("-")
        id_ = f"rules-{words}" if words else f"rules-{number}"
        taken.append(f"{id_}-{number}" if id_ in taken else id_)
    return taken


class _RulesWriter:
    """Writes the blocks of one text."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        headings = [one for one in rules.text.blocks if isinstance(one, Heading)]
        self._ids = dict(zip(headings, _name_headings(headings), strict=True))

    def write(self) -> Markup:
        return join(self._blocks(self._rules.text.blocks))

    def _blocks(self, blocks: Iterable[Block]) -> Iterator[Markup | None]:
        for block in blocks:
            yield self._block(block)

    def _block(self, block: Block) -> Markup | None:
        match block:
            case Heading():
                # the page has the game's title as h1, and "Rules" as h2
                name = f"h{block.level + 1}"
                return element(name, self._words(block.words), id=self._ids[block])
            case Paragraph():
                return element("p", self._words(block.words))
            case Listing():
                return self._list(block)
            case Aside():
                return element("aside", self._blocks(block.blocks))
            case MarkdownTable():
                return self._table(block)
            case MarkdownFigure():
                return self._figure(block)
            case PageBreak():
                return None

    def _list(self, block: Listing) -> Markup:
        items = [element("li", self._item(item)) for item in block.items]
        if block.first is None:
            return element("ul", items)
        return element("ol", items, start=None if block.first == 1 else block.first)

    def _item(self, blocks: Sequence[Block]) -> Iterator[Markup | None]:
        """The blocks of an item; a first paragraph needs no element."""
        for number, block in enumerate(blocks):
            if number == 0 and isinstance(block, Paragraph):
                yield self._words(block.words)
            else:
                yield self._block(block)

    def _table(self, block: MarkdownTable) -> Markup:
        classes = [_SIDES[side] for side in block.columns]

        def row(cells: Sequence[Words], name: str, scope: str | None = None) -> Markup:
            return element(
                "tr",
                [
                    element(name, self._words(words), class_=class_, scope=scope)
                    for words, class_ in zip(cells, classes, strict=False)
                ],
            )

        head = element("thead", row(block.head, "th", "col"))
        table = element("table", head, element("tbody", [row(one, "td") for one in block.rows]))
        return element("div", table, class_="wide", tabindex=0, role="group", aria_label="Table")

    def _figure(self, block: MarkdownFigure) -> Markup | None:
        if block.line in self._rules.kits:
            return _show_kit(self._rules.kits[block.line])
        return _show_figure(self._rules.figures[block.line])

    def _words(self, words: Words) -> Markup:
        return join(
            (element("br") if number else None, map(self._span, line))
            for number, line in enumerate(words)
        )

    def _span(self, span: Span) -> Markup:
        said: str = span.text
        if span.icon:
            address = self._rules.icons[span.icon]
            said = element("img", src=address, alt=span.icon, class_="icon", loading="lazy")
        if span.look.italic:
            said = element("em", said)
        return element("strong", said) if span.look.bold else join(said)


def _show_figure(figure: ShownFigure) -> Markup:
    caption = element("figcaption", figure.caption) if figure.caption else None
    return element("figure", show_picture(figure.picture), caption)


def _show_kit(entries: Iterable[KitEntry]) -> Markup:
    return element(
        "ul",
        [
            element(
                "li",
                element("span", show_picture(one.picture) if one.picture else None),
                element("b", one.number),
                element("span", element("strong", one.title), one.remark),
            )
            for one in entries
        ],
        class_="kit",
    )
