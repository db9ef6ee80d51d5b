"""A page in a language that nobody speaks: each phrase of pnp is marked and 40 % longer, so that a
word without a mark is not pnp's, and the page shows whether it has room."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace
from playwright.sync_api import Page

from generator.basics.phrases import Phrases

_LONGER = 0.4
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_SEEN = """(apart) => {
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const said = [];
  for (const element of document.querySelectorAll("body *")) {
    if (!isSeen(element) || element.closest(`kbd, pre, script, style, ${apart}`)) continue;
    for (const name of ["aria-label", "title", "placeholder", "alt"]) said.push(element.getAttribute(name) ?? "");
    const own = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
    if (own.length) said.push(element.textContent);
  }
  return [document.title, ...said];
}"""
_CUT = """() => {
  const wide = document.documentElement.clientWidth;
  const cut = [...document.querySelectorAll("button, label, input, select, p, h1, h2, dd")].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    for (let up = element; up; up = up.parentElement)
      if (["auto", "scroll", "hidden"].includes(getComputedStyle(up).overflowX)) return false;
    return width && element.checkVisibility() && (left < -1 || right > wide + 1);
  });
  const whole = [document.documentElement, ...document.querySelectorAll("dialog[open]")];
  const tooWide = whole.filter((element) => element.scrollWidth > element.clientWidth);
  return [...cut, ...tooWide].map((element) => element.outerHTML.slice(0, 90));
}"""


def mark(phrases: Phrases) -> Phrases:
    """Phrases such as "⟦Undo xx⟧", with the fields and keys of the original."""
    return replace(phrases, patterns={name: f"⟦{text}{_more(text)}⟧" for name, text in phrases.patterns.items()})


def _more(text: str) -> str:
    letters = round(len(re.sub(r"\{[^}]*\}", "", text)) * _LONGER)
    return "".join(" " + "x" * min(6, letters - at) for at in range(0, letters, 6))


def unmarked(page: Page, known: Iterable[str], apart: str = "code") -> set[str]:
    """What a page says, seen or read aloud, that is no phrase of its catalogue and not known; not
    what is in elements `apart`, a selector."""
    said: set[str] = {text.strip() for text in page.evaluate(_SEEN, apart)}
    words = sorted(known, key=len, reverse=True)
    return {text for text in said if "⟦" not in text and _LETTERS.search(_without(text, words))}


def _without(text: str, words: Iterable[str]) -> str:
    for word in words:
        text = text.replace(word, "")
    return text


def cut_off(page: Page) -> list[str]:
    """Elements that reach beyond the page, unless they lie in a part that is scrolled."""
    return list(page.evaluate(_CUT))
