"""Take the Markdown of the repository, make the pages of the site, for Sphinx.

The files read as they are in the repository. Here those at its root join those of docs/, links lead
to the pages of the site, and the lists of docs/index.md become the navigation.
"""

import os
import re
from functools import partial
from pathlib import Path
from posixpath import dirname, join, normpath, relpath

import api
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.util import logging

ROOT = Path(__file__).parents[2]
AT_ROOT = {  # the page of a file at the root; the file of that page says no more than this
    "README.md": "docs/site/overview.md",
    "CONTRIBUTING.md": "docs/site/contributing.md",
    "CREDITS.md": "docs/site/credits.md",
    "CHANGELOG.md": "docs/site/changelog.md",
    "CODE_OF_CONDUCT.md": "docs/site/conduct.md",
    "SECURITY.md": "docs/site/security.md",
}
_FILES = {page: file for file, page in AT_ROOT.items()}
_LINK = re.compile(r"\[([^][]*)\]\(([^)\s#:]+)(#[^)\s]*)?\)")
_CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
_KIT = re.compile(r"^  \*\*\[.*\]\(games\.md#(\w+)\)\*\*.*$", re.MULTILINE)
_GAMES = ROOT / "output/site"  # of `make site`; `make docs` copies it to games/
_LIST = re.compile(r"^## (.+)\n\n((?:- .*\n?)+)", re.MULTILINE)
_FILES_OF_KIT = {"PDF for Letter": "{}-letter-duplex-*.pdf", "for A4": "{}-a4-duplex-*.pdf", "all files": "index.html"}
_WORKFLOW = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_SHA")
_log = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_lexer("csv", TextLexer)
    app.connect("source-read", _read)
    app.connect("autodoc-process-docstring", api.read_docstring)
    app.connect("autodoc-process-signature", api.read_signature)
    return {"parallel_read_safe": True}


def _read(_app: Sphinx, name: str, source: list[str]) -> None:
    """Put the text of a page in place of what its file says."""
    page = f"docs/{name}.md"
    if page == "docs/site/api.md":
        source[0] = api.text()
        return
    file = _FILES.get(page, page)
    text = (ROOT / file).read_text("utf-8")
    parts = _CODE.split(text)  # every second one is code
    parts[::2] = [_LINK.sub(partial(_link, file, page), part) for part in parts[::2]]
    text = "".join(parts)
    if name == "index":
        text = _KIT.sub(_add_files, text) + "".join(map(_tree, _LIST.findall(text)))
    source[0] = text


def _add_files(kit: re.Match[str]) -> str:
    """The line of a kit, and links to its PDFs and its page where `make site` has made them."""
    links = []
    for label, pattern in _FILES_OF_KIT.items():
        for path in sorted((_GAMES / kit[1]).glob(pattern.format(kit[1]))):
            links.append(f'<a href="games/{path.relative_to(_GAMES).as_posix()}">{label}</a>')
    return kit[0] + (f"<br>{' · '.join(links)}" if links else "")


def _link(file: str, page: str, link: re.Match[str]) -> str:
    """A link of a file as the page has it: to another page, or into the repository."""
    label, target, anchor = link[1], normpath(join(dirname(file), link[2])), link[3] or ""
    if not (ROOT / target).exists():
        _log.warning("%s: there is no %s", file, link[2])
    target = AT_ROOT.get(target, target)
    if target.startswith("docs/"):
        return f"[{label}]({relpath(target, dirname(page))}{anchor})"
    address = _repository()
    return f"[{label}]({address}/{target})" if address else label


def _repository() -> str:
    """Where the commit of a workflow is shown; elsewhere empty, and such files are only named."""
    parts = [os.environ.get(name, "") for name in _WORKFLOW]
    return "{}/{}/blob/{}".format(*parts) if all(parts) else ""


def _tree(part: tuple[str, str]) -> str:
    """The navigation that a list of links stands for."""
    caption, entries = part
    lines = [f"{label} <{target[:-3]}>" for label, target, _ in _LINK.findall(entries)]
    return "\n".join(["\n```{toctree}", ":hidden:", f":caption: {caption}", "", *lines, "```\n"])
