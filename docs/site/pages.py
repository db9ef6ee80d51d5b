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
_FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_LIST = re.compile(r"^## (.+)\n\n((?:- .*\n?)+)", re.MULTILINE)
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
    parts = _FENCED.split(text)  # every second one is a block of code
    parts[::2] = [_LINK.sub(partial(_link, file, page), part) for part in parts[::2]]
    text = "".join(parts)
    source[0] = text + "".join(map(_tree, _LIST.findall(text))) if name == "index" else text


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
