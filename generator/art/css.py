"""Take the styles of an SVG, make the properties of each element: as much CSS as drawings use."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from urllib.parse import unquote

from lxml import etree

Properties = dict[str, str]
_UNNAMED = "png"  # of a picture without a format: its bytes show it
PRINTED = ("png", "jpeg")  # the formats of pictures that the engine gets

# No pattern backtracks: a quote or bracket that is never closed ends with the text.
_COMMENT = re.compile(r"/\*.*?(\*/|\Z)", re.DOTALL)
_BRACE = re.compile(r"[{}]")
_WHOLE = re.compile(r"""("[^"]*+"?|'[^']*+'?|\((?:"[^"]*+"?|'[^']*+'?|[^)"']++)*+\)?)|;""")
_ATTRIBUTE = re.compile(r"\[\s*+([-\w]*+)[^\]]*+\]?")
_PSEUDO = re.compile(r"::?[-\w]*")
_COMBINED = re.compile(r"[\s>+~]++")
_NAME = re.compile(r"[.#\[]?[-\w]+")
_WORD = re.compile(r"[-\w]+")
_LINK = re.compile(r"""(?:url|src|image|image-set)\(\s*["']?\s*([^"')]*)""", re.IGNORECASE)
_SIZE = re.compile(r"[\d.]+[a-z%]*(/\S*)?")
_MOST_FAMILIES = 20  # the first ones, of a list of families
# The attributes that are properties and may name another part of the drawing or a font.
PRESENTATION = (
    "clip-path",
    "cursor",
    "fill",
    "filter",
    "font-family",
    "marker",
    "marker-start",
    "marker-mid",
    "marker-end",
    "mask",
    "stroke",
)
_PRESENTATION = frozenset(PRESENTATION)
# The properties that this package reads; others in a style sheet are dropped.
_READ = _PRESENTATION | {
    "display",
    "font",
    "font-size",
    "font-stretch",
    "font-style",
    "font-variation-settings",
    "font-weight",
    "image-rendering",
    "inline-size",
    "line-height",
    "shape-inside",
    "stroke-dasharray",
    "stroke-linejoin",
    "text-align",
    "text-anchor",
    "text-decoration",
    "transform",
    "visibility",
    "writing-mode",
}


def without_comments(css: str) -> str:
    return _COMMENT.sub(" ", css)


def links(css: str) -> list[str]:
    """The targets of `url(…)` and of the functions like it."""
    if "(" not in css:
        return []
    return [target.strip() for target in _LINK.findall(without_comments(css))]


def declarations(css: str) -> Properties:
    """The properties of a style; of one that is set twice, the last value."""
    properties: Properties = {}
    if not css:  # of most elements
        return properties
    for name, colon, value in (part.partition(":") for part in split_style(without_comments(css))):
        word = name.split()[-1] if colon and name.strip() else ""
        if _WORD.fullmatch(word):
            properties[word.lower()] = value.replace("!important", "").strip()
    return properties


def write_declarations(properties: Properties) -> str:
    return ";".join(f"{name}:{value}" for name, value in properties.items())


def pop_property(element: etree._Element, name: str) -> str:
    """Remove a property from the `style` of an element; returns its value, "" if it was not set."""
    style = declarations(element.get("style", ""))
    if name not in style:
        return ""
    value = style.pop(name)
    element.set("style", write_declarations(style))
    return value


def split_style(css: str) -> Iterator[str]:
    """The parts of a style between semicolons; those in quotes or brackets part nothing."""
    ends = (match.span() for match in _WHOLE.finditer(css) if match[1] is None)
    for (_, start), (end, _) in pairwise([(0, 0), *ends, (len(css), 0)]):
        yield css[start:end]


def families(properties: Properties) -> list[str]:
    """The font families, the preferred first; [] if there are none or they are inherited."""
    value = properties.get("font-family") or _family_of(properties.get("font", ""))
    return list(_split_families(value))


@lru_cache(maxsize=64)  # many texts of a drawing have the same families
def _split_families(families: str) -> tuple[str, ...]:
    names = [name.strip().strip("'\"").strip() for name in families.split(",", _MOST_FAMILIES)]
    return tuple(name for name in names[:_MOST_FAMILIES] if name and name != "inherit")


def _family_of(font: str) -> str:
    """The part of a `font` after its size; all of it if there is no size."""
    if not font:
        return ""
    words = "/".join(part.strip() for part in font.split("/")).split()
    for at in range(len(words) - 2, -1, -1):
        if _SIZE.fullmatch(words[at]):
            return " ".join(words[at + 1 :])
    return font


def rules(sheet: str) -> Iterator[tuple[str, str]]:
    """The selectors and the body of each rule, also of those within another."""
    braces = [(match.start(), match[0]) for match in _BRACE.finditer(sheet)]
    for (before, _), (opens, brace), (closes, other) in zip(
        [(-1, ""), *braces], braces, braces[1:], strict=False
    ):
        if brace == "{" and other == "}":
            yield sheet[before + 1 : opens], sheet[opens + 1 : closes]


def _last_name(selector: str) -> str:
    """The last name of a selector, that of the element itself; "" for other selectors."""
    plain = _PSEUDO.sub("*", _ATTRIBUTE.sub(r"[\1", selector)).strip()
    last = _COMBINED.split(plain)[-1]
    if not last or last[-1] in "()":
        return ""
    names = sorted(_NAME.findall(last), key=lambda name: not name.startswith("["))
    return str(names[-1]) if names else "*"


class Styles:
    """The style sheets of a drawing, applied to its elements.

    A selector counts by its last name alone: `g .a` is `.a`, `[d='x']` any element with a `d`.
    Drawing programs write only such selectors.
    """

    def __init__(self, sheets: Iterable[str]) -> None:
        self._by_name: dict[str, Properties] = {}
        self._by_element: dict[etree._Element, Properties] = {}
        for sheet in sheets:
            for selectors, body in rules(without_comments(sheet)):
                properties = _pick_read(declarations(body))
                for name in filter(None, map(_last_name, selectors.split(","))):
                    self._by_name.setdefault(name, {}).update(properties)

    def of(self, element: etree._Element) -> Properties:
        """The properties of an element in `_READ`, without those that it inherits."""
        properties = self._by_element.get(element)
        if properties is None:
            properties = self._by_element[element] = self._read_own(element)
        return properties

    def forget(self, element: etree._Element) -> None:
        """Read the properties of an element again when they are next needed; call it after a
        change of its attributes."""
        self._by_element.pop(element, None)

    def _read_own(self, element: etree._Element) -> Properties:
        attributes = element.attrib
        own = {name: str(attributes[name]) for name in PRESENTATION if name in attributes}
        for name in dict.fromkeys(self._names(element)) if self._by_name else ():
            own |= self._by_name.get(name, {})
        return own | _pick_read(declarations(str(attributes.get("style", ""))))

    @staticmethod
    def _names(element: etree._Element) -> Iterator[str]:
        """The names that selectors have for an element, from the weakest to the strongest."""
        yield "*"
        yield from (f"[{name}" for name in element.attrib)
        yield etree.QName(element).localname
        yield from (f".{name}" for name in element.get("class", "").split())
        yield f"#{element.get('id')}"


def _pick_read(properties: Properties) -> Properties:
    return {name: value for name, value in properties.items() if name in _READ}


def picture_of(uri: str, formats: Collection[str] = PRINTED) -> tuple[str, str] | None:
    """The format and base64 text of a `data:` URI with a picture of one of these formats."""
    match = re.match(r"\s*data:(?:image/([a-z]{3,4}))?;base64,", uri, re.IGNORECASE)
    format_ = (match[1] or _UNNAMED).lower().replace("jpg", "jpeg") if match else ""
    if match is None or format_ not in formats:
        return None
    return format_, re.sub(r"\s", "", unquote(uri[match.end() :]))
