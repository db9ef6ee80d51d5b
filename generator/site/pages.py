"""Take the content of a game's page, write it as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from msgspec import Struct

from generator.site.content import (
    Download,
    GamePage,
    News,
    Notice,
    PaperRow,
    PartRow,
    ShownFace,
)
from generator.site.markup import Markup, element, join
from generator.site.prose import list_sections, show_picture, show_rules
from generator.site.shell import Head, write_body, write_document, write_style
from generator.units import MM_PER_INCH

_KILOBYTE, _MEGABYTE = 1000, 1_000_000
_MOST_LISTED = 3  # sections of the rules that need no list of contents
_AT_SIZE = "Print at 100 %, “actual size”. Each file begins with a sheet that says how to make it."


def write_game(page: GamePage) -> bytes:
    """The page of a game."""
    sections = [
        _Section("print", "Print it", _show_printing(page)),
        _Section("more", "More files", _show_others(page)),
        _Section("rules", "Rules", _show_rules(page)),
        _Section("pieces", "Pieces", _show_parts(page)),
        _Section("news", "What changed", _show_news(page.news)),
        _Section("credits", "Credits and licence", _show_notices(page)),
        _Section("files", "Checksums", _show_checksums(page)),
    ]
    shown = [one for one in sections if one.content]
    head = Head(
        title=page.title,
        about=page.about or f"{page.title}: print it and play.",
        language=page.language,
        picture=page.scene,
        url=page.url,
        facts=_state_facts(page),
    )
    main = element("main", _show_hero(page), [one.show() for one in shown])
    body = write_body(_show_bar(shown), main)
    return write_document(head, write_style(page.accent, page.type_faces), body)


class _Section(Struct, frozen=True):
    """A part of a page with a heading, to which the bar at its top leads."""

    id: str
    title: str
    content: Markup

    def show(self) -> Markup:
        heading = element("h2", self.title)
        return element("section", heading, self.content, id=self.id, class_=f"of-{self.id}")


def _show_bar(sections: Iterable[_Section]) -> Markup:
    links = [element("a", one.title, href=f"#{one.id}") for one in sections]
    home = element("a", "All games", href="../index.html", class_="home")
    return element("nav", home, links, aria_label="Parts of this page")


def _show_hero(page: GamePage) -> Markup:
    by = element("p", f"by {page.designer}", class_="by") if page.designer else None
    about = element("p", page.about, class_="about") if page.about else None
    start = element("a", "Print it", href="#print", class_="start")
    words = element("div", element("h1", page.title), by, about, _count_parts(page.parts), start)
    scene = element(
        "img",
        src=page.scene.address,
        width=page.scene.width,
        height=page.scene.height,
        alt=page.scene.alt,
        fetchpriority="high",
    )
    return element("header", words, scene, class_="hero")


def _count_parts(parts: Sequence[PartRow]) -> Markup:
    items = [element("li", element("b", str(one.copies)), " ", one.title) for one in parts]
    return element("ul", items, class_="kit-line")


def _show_printing(page: GamePage) -> Markup:
    by_paper = groupby(page.printed, lambda row: row.paper)
    papers = [_show_paper(paper, list(rows)) for paper, rows in by_paper]
    return join(element("p", _AT_SIZE), element("div", papers, class_="papers"))


def _show_paper(paper: str, rows: Sequence[PaperRow]) -> Markup:
    items = [element("li", _show_way(row)) for row in rows]
    return element("div", element("h3", paper), element("ul", items), class_="paper")


def _show_way(row: PaperRow) -> Markup:
    pages = "" if row.pages == row.sheets else f", {_count(row.pages, 'page')}"
    cuts = f", {_count(row.cuts, 'straight cut')}" if row.cuts else ""
    said = f"{_count(row.sheets, 'sheet')}{pages}{cuts}"
    return _link(row.pdf, row.way, said)


def _link(file: Download, title: str, note: str) -> Markup:
    """A link to a file, with what it is and how large it is."""
    said = element("span", note, class_="note")
    size = element("span", _say_size(file.size), class_="size")
    words = element("strong", title)
    return element("a", words, said, size, href=file.address, download=file.name, class_="file")


def _say_size(size: int) -> str:
    if size < _MEGABYTE:
        return f"{max(1, round(size / _KILOBYTE))} kB"
    return f"{size / _MEGABYTE:.1f} MB"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _show_others(page: GamePage) -> Markup:
    groups = [
        element(
            "div",
            element("h3", heading),
            element("ul", [element("li", _link(one, one.title, one.note)) for one in files]),
            class_="paper",
        )
        for heading, files in page.others.items()
        if files
    ]
    return element("div", groups, class_="papers") if groups else Markup()


def _show_parts(page: GamePage) -> Markup:
    return join(map(_show_part, page.parts))


def _show_part(part: PartRow) -> Markup:
    inches = f"{part.width / MM_PER_INCH:.3g} × {part.height / MM_PER_INCH:.3g} in"
    flat = " before it is folded" if part.is_folded else ""
    size = f"{part.width:.4g} × {part.height:.4g} mm ({inches}){flat}"
    heading = element("h3", element("b", str(part.copies)), " ", part.title)
    sides = [
        element("ul", map(_show_face, faces), class_="faces", aria_label=f"{part.title}, {side}")
        for side, faces in (("fronts", part.fronts), ("backs", part.backs))
        if faces
    ]
    return element("div", heading, element("p", size, class_="note"), sides, class_="part")


def _show_face(face: ShownFace) -> Markup:
    copies = element("span", f"× {face.copies}") if face.copies > 1 else None
    return element("li", show_picture(face.picture), copies)


def _show_rules(page: GamePage) -> Markup:
    if page.rules is None:
        return Markup()
    sections = list_sections(page.rules)
    links = [element("li", element("a", title, href=f"#{id_}")) for id_, title in sections]
    contents = element("nav", element("ol", links), class_="contents", aria_label="Rules")
    has_contents = len(sections) > _MOST_LISTED
    text = element("div", show_rules(page.rules), class_="prose")
    return join(contents if has_contents else None, text)


def _show_news(news: News | None) -> Markup:
    if news is None:
        return Markup()
    since = element("p", "Since ", element("b", news.tag), ":")
    return join(since, element("ul", [element("li", line) for line in news.lines]))


def _show_notices(page: GamePage) -> Markup:
    return join(map(_show_notice, page.notices))


def _show_notice(notice: Notice) -> Markup:
    return join(element("h3", notice.title), element("p", notice.text, class_="as-is"))


def _show_checksums(page: GamePage) -> Markup:
    files = [row.pdf for row in page.printed]
    files += [one for group in page.others.values() for one in group]
    rows = [element("li", one.name, element("code", one.digest)) for one in files]
    inputs = element("li", "the files of the game", element("code", page.inputs))
    said = element("summary", f"SHA-256 of {_count(len(files), 'file')}")
    return element("details", said, element("ul", rows, inputs, class_="sums"))


def _state_facts(page: GamePage) -> dict[str, object]:
    """The game in the words of schema.org."""
    facts: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "Game",
        "name": page.title,
        "description": page.about,
        "image": page.url + page.scene.address,
        "inLanguage": page.language,
    }
    if page.designer:
        facts["author"] = {"@type": "Person", "name": page.designer}
    return facts | ({"url": page.url} if page.url else {})
