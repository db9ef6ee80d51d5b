"""Take the folder of a built site, tell every link in it that leads nowhere and whatever it loads
from elsewhere. `python -m tests.tools.site FOLDER` fails where there is any."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")
_LOADING = {"src", "href", "data", "poster", "action"}
_GOING = {("a", "href")}  # what a person follows, and no page loads


@dataclass
class Page(HTMLParser):
    """The places that a page names, what it links to, and what it loads."""

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name"):
                self.anchors.add(value or "")
            elif (tag, name) in _GOING:
                self.links.append(value or "")
            elif name in _LOADING and value:
                self.loaded.append(value)


def faults(site: Path) -> Iterator[str]:
    """Each link that leads nowhere, and each address of elsewhere that a page loads."""
    pages = {path.resolve(): _parsed(path) for path in sorted(site.rglob("*.html"))}
    if not pages:
        yield f"{site}: there is no page"
    for path, page in pages.items():
        where = path.relative_to(site.resolve())
        for link in [*page.links, *page.loaded]:
            if not _is_outside(link) and not _leads(path, link, pages):
                yield f"{where}: {link} leads nowhere"
        yield from (f"{where}: loads {link}" for link in page.loaded if _is_outside(link))
    for sheet in sorted(site.rglob("*.css")):
        for link in map("".join, _LOADED.findall(sheet.read_text("utf-8"))):
            if _is_outside(link):
                yield f"{sheet.relative_to(site)}: loads {link}"


def _parsed(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text("utf-8"))
    return page


def _is_outside(link: str) -> bool:
    parts = urlsplit(link)
    return bool(parts.netloc) or parts.scheme in ("http", "https", "mailto")


def _leads(path: Path, link: str, pages: dict[Path, Page]) -> bool:
    parts = urlsplit(link)
    if parts.scheme == "data":
        return True
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if parts.fragment and target in pages:
        return unquote(parts.fragment) in pages[target].anchors
    return target.is_file()


def main(folder: str) -> int:
    """The exit code."""
    found = list(faults(Path(folder)))
    sys.stderr.write("".join(f"{fault}\n" for fault in found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
