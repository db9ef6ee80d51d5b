"""Properties of the elements of an SVG, from its styles: as much CSS as drawings use.

tinycss2 parses it as browsers do. It is imported only for drawings with styles, which are few.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import unquote

from lxml import etree
from msgspec import Struct

Properties = dict[str, str]
Token: TypeAlias = Any  # of tinycss2
MOST_CHARACTERS = 400_000  # of a style that is read: tinycss2 takes about 2 s for so many
_DEEPEST = 20  # brackets within brackets: what is deeper is dropped
_UNNAMED = "png"  # of a picture without a format: its bytes show it
PRINTED = ("png", "jpeg")  # the formats of pictures that the engine gets

_OWN_LINK = re.compile(r"\s*url\(\s*(#[^\\()'\"]*)\)\s*")  # also with blanks, as the engine takes it
_LINKING = ("url", "src", "image", "image-set")  # functions, also with a browser's prefix
_BAD_LINK = "url("
_SIGNS = (">", "+", "~")  # between the parts of a selector
_PLACEHOLDER = re.compile(r"\{\{.*?(?:\}\}|\Z)", re.DOTALL)  # of a template
_STAND_IN = re.compile("\ue000\\d+\ue001")  # a name to CSS
_SIZES = ("number", "dimension", "percentage")
_MOST_FAMILIES = 20  # the first ones, of a list of families
# The attributes that are properties and may name another part of the drawing or a font.
PRESENTATION = (
    "clip-path", "cursor", "fill", "filter", "font-family", "marker", "marker-start", "marker-mid",
    "marker-end", "mask", "stroke",
)  # fmt: skip
# The properties that this package reads; others in a style sheet are dropped.
_READ = {
    *PRESENTATION, "display", "font", "font-size", "font-stretch", "font-style",
    "font-variation-settings", "font-weight", "image-rendering", "inline-size", "line-height",
    "shape-inside", "stroke-dasharray", "stroke-linejoin", "text-align", "text-anchor",
    "text-decoration", "transform", "visibility", "writing-mode",
}  # fmt: skip


class Declaration(NamedTuple):
    """A property as a style sets it; its name is in lower case."""

    name: str
    value: str
    is_important: bool


class Rule(Struct, frozen=True):
    """A rule of a style sheet.

    selectors: the tokens of each. is_inner: whether it is within another rule, or one such as @media.
    """

    selectors: Sequence[Sequence[Token]]
    declarations: Sequence[Declaration]
    is_inner: bool


def _read_tokens(css: str) -> list[Token]:
    """The tokens of a style, with a blank for each comment; none of one that is too long."""
    from tinycss2 import parse_component_value_list

    if len(css) > MOST_CHARACTERS:
        return []
    lines = re.split("\r\n|[\r\f\n]", css)
    tokens: list[Token] = parse_component_value_list(css)
    lists = [tokens]
    for _ in range(_DEEPEST):
        for part in lists:
            part[:] = [_mend(token, lines) for token in part]
        lists = [inner for part in lists for inner in map(_inner_tokens, part) if inner]
    for part in lists:
        part.clear()
    return tokens


def _mend(token: Token, lines: Sequence[str]) -> Token:
    """A blank for a comment; a string in its quotes in these lines, as messages show it."""
    line, column = token.source_line, token.source_column
    if token.type == "comment":
        from tinycss2.ast import WhitespaceToken

        return WhitespaceToken(line, column, " ")
    if token.type == "string" and lines[line - 1][column - 1] == "'":
        plain = token.representation
        token.representation = plain if re.search(r"['\\]", plain) else plain.replace('"', "'")
    return token


def _inner_tokens(token: Token) -> list[Token]:
    inner = getattr(token, "arguments", None) or getattr(token, "content", None)
    return inner or []


def _all_tokens(tokens: Iterable[Token]) -> Iterator[Token]:
    """These tokens, each before those within its brackets."""
    waiting = [iter(tokens)]
    while waiting:
        token = next(waiting[-1], None)
        if token is None:
            waiting.pop()
        else:
            yield token
            waiting.append(iter(_inner_tokens(token)))


def has_escape(css: str) -> bool:
    """Whether a backslash stands outside comments."""
    if "\\" not in css:
        return False
    from tinycss2 import parse_component_value_list

    tokens = _all_tokens(parse_component_value_list(css[:MOST_CHARACTERS]))
    remarks: list[str] = [token.value for token in tokens if token.type == "comment"]
    return css.count("\\") > sum(remark.count("\\") for remark in remarks)


def links(css: str) -> list[str]:
    """The targets of `url(…)` and of the functions like it."""
    if "(" not in css:
        return []
    if own := _OWN_LINK.fullmatch(css):
        return [own[1].strip()]
    return list(_links(_read_tokens(css)))


def _links(tokens: Iterable[Token]) -> Iterator[str]:
    for token in _all_tokens(tokens):
        if token.type == "url":
            yield token.value.strip()
        elif token.type == "error" and token.kind == "bad-url":
            yield _BAD_LINK
        elif token.type == "function" and token.lower_name.endswith(_LINKING):
            yield from (each.value.strip() for each in token.arguments if each.type == "string")


def declarations(css: str) -> Properties:
    """The properties of a style; of one that is set twice, the last value, or the last of those that are important."""
    return last_values(read_declarations(css)) if css else {}


def last_values(declared: Iterable[Declaration]) -> Properties:
    ordered = sorted(declared, key=lambda declaration: declaration.is_important)
    return {declaration.name: declaration.value for declaration in ordered}


@lru_cache(maxsize=1_000)  # many elements of a drawing have the same style
def read_declarations(style: str) -> Sequence[Declaration]:
    """The properties that a style sets, in their order; placeholders of a template stay."""
    if not style.strip():
        return ()
    from tinycss2 import parse_blocks_contents

    stood_for = {f"\ue000{n}\ue001": found for n, found in enumerate(_PLACEHOLDER.findall(style))}
    stand_ins = iter(stood_for)
    plain = _PLACEHOLDER.sub(lambda _: next(stand_ins), style)
    return tuple(
        declaration._replace(value=_STAND_IN.sub(lambda name: stood_for.get(name[0], ""), declaration.value))
        for declaration in _declared(parse_blocks_contents(_read_tokens(plain)))
    )


def _declared(nodes: Iterable[Token]) -> Sequence[Declaration]:
    from tinycss2 import serialize

    return tuple(
        Declaration(node.lower_name, serialize(node.value).strip(), node.important)
        for node in nodes
        if node.type == "declaration" and not _is_broken(node.value)
    )


def _is_broken(value: Iterable[Token]) -> bool:
    """Whether a browser drops such a value. What the end of the style leaves open is closed."""
    errors = (token.kind for token in _all_tokens(value) if token.type == "error")
    return any(not kind.startswith("eof") for kind in errors)


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


def set_properties(element: etree._Element, properties: Properties) -> None:
    """Set properties in the `style` of an element."""
    style = declarations(element.get("style", ""))
    element.set("style", write_declarations(style | properties))


def families(properties: Properties) -> list[str]:
    """The font families, the preferred first; [] if there are none or they are inherited."""
    return list(_split_families(properties.get("font-family") or _family_of(properties.get("font", ""))))


@lru_cache(maxsize=64)  # many texts of a drawing have the same families
def _split_families(families: str) -> tuple[str, ...]:
    is_quoted = "'" in families or '"' in families
    parts = families.split(",", _MOST_FAMILIES)
    if is_quoted:
        parts = ["".join(map(text_of, part)) for part in split_at_commas(_read_tokens(families))]
    return tuple(name for name in [part.strip() for part in parts[:_MOST_FAMILIES]] if name and name != "inherit")


def text_of(token: Token) -> str:
    return str(token.value if token.type == "string" else token.serialize())


def split_at_commas(tokens: Iterable[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _family_of(font: str) -> str:
    """The part of a `font` after its size; all of it if there is no size."""
    if not font:
        return ""
    from tinycss2 import serialize

    tokens = _read_tokens(font)
    sizes = [at for at, token in enumerate(tokens[:-1]) if token.type in _SIZES]
    return str(serialize(tokens[sizes[-1] + 1 :])) if sizes else font


def rules(sheet: str) -> Iterator[Rule]:
    """The rules of a style sheet, also those within another, each before those within it."""
    if sheet.strip():
        from tinycss2 import parse_stylesheet

        yield from _rules(parse_stylesheet(_read_tokens(sheet)), is_inner=False)


def _rules(nodes: Iterable[Token], *, is_inner: bool) -> Iterator[Rule]:
    from tinycss2 import parse_blocks_contents

    for node in nodes:
        if node.type in ("qualified-rule", "at-rule") and node.content is not None:
            inner = parse_blocks_contents(node.content)
            if node.type == "qualified-rule":
                yield Rule(split_at_commas(node.prelude), _declared(inner), is_inner)
            yield from _rules(inner, is_inner=True)


def at_rules(sheet: str) -> set[str]:
    """The names of what begins with an @ in a style sheet, in lower case."""
    if "@" not in sheet:
        return set()
    tokens = _all_tokens(_read_tokens(sheet))
    return {token.lower_value for token in tokens if token.type == "at-keyword"}


def links_but_of(sheet: str, unread: Collection[str]) -> list[str]:
    """The targets of the links in a style sheet, but for those in such at-rules."""
    if "(" not in sheet:
        return []
    from tinycss2 import parse_stylesheet

    nodes = parse_stylesheet(_read_tokens(sheet))
    read = [rule for rule in nodes if rule.type == "qualified-rule"]
    read += [rule for rule in nodes if rule.type == "at-rule" and rule.lower_at_keyword not in unread]
    return [link for rule in read for link in _links([*rule.prelude, *(rule.content or ())])]


def compounds(selector: Iterable[Token]) -> list[tuple[list[Token], str]]:
    """The parts of a selector that are about one element each, with the combinator behind it: a
    blank, a sign, or "" behind the last. A part is empty where signs follow on each other."""
    parts: list[list[Token]] = [[]]
    joints: list[str] = []
    for token in selector:
        joint = " " if token.type == "whitespace" else token.value if token in _SIGNS else ""
        if not joint:
            parts[-1].append(token)
        elif joint != " " and joints[-1:] == [" "] and not parts[-1]:
            joints[-1] = joint
        elif joint != " " or parts[-1]:
            parts.append([])
            joints.append(joint)
    if joints[-1:] == [" "] and not parts[-1]:
        del parts[-1], joints[-1]
    return list(zip(parts, [*joints, ""], strict=True))


def _last_name(selector: Sequence[Token]) -> str:
    """The last name of a selector, that of the element itself; "" for other selectors."""
    last, _ = compounds(selector)[-1]
    if not last or any(token.type in ("function", "() block") for token in last):
        return ""
    names, attributes = [], []
    for before, token in zip([None, *last], last, strict=False):
        if token.type == "[] block":
            attributes += [f"[{part.value}" for part in token.content if part.type == "ident"][:1]
        elif token.type == "hash":
            names.append(f"#{token.value}")
        elif token.type == "ident" and before != ":":
            names.append(f".{token.value}" if before == "." else token.value)
    return [*attributes, *names][-1] if attributes or names else "*"


class Styles:
    """The style sheets of a drawing, applied to its elements.

    A selector counts by its last name alone: `g .a` is `.a`, `[d='x']` any element with a `d`.
    Drawing programs write only such selectors.
    """

    def __init__(self, sheets: Iterable[str]) -> None:
        self._by_name: dict[str, Properties] = {}
        self._by_element: dict[etree._Element, Properties] = {}
        for sheet in sheets:
            for rule in rules(sheet):
                properties = _pick_read(last_values(rule.declarations))
                for name in filter(None, map(_last_name, rule.selectors)):
                    self._by_name.setdefault(name, {}).update(properties)

    def of(self, element: etree._Element) -> Properties:
        """The properties of an element in `_READ`, without those that it inherits."""
        properties = self._by_element.get(element)
        if properties is None:
            attributes = element.attrib
            properties = {name: str(attributes[name]) for name in PRESENTATION if name in attributes}
            for name in dict.fromkeys(self._names(element)) if self._by_name else ():
                properties |= self._by_name.get(name, {})
            properties |= _pick_read(declarations(str(attributes.get("style", ""))))
            self._by_element[element] = properties
        return properties

    def forget(self, element: etree._Element) -> None:
        """Read the properties of an element again when they are next needed; call it after a
        change of its attributes."""
        self._by_element.pop(element, None)

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
