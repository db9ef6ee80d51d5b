"""The text that a spreadsheet's cell shows, from its value and its number format.

The formats are those of ECMA-376, part 1, 18.8.31, as Excel applies them in English: a point before decimals, commas
between thousands. Not read are formats whose text depends on the reader's computer (dates "as the system shows them")
or on another language (names of months, East Asian digits), and powers of ten ("1.5E+03").
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from operator import eq, ge, gt, le, lt, ne
from typing import NamedTuple

from msgspec import Struct

Shown = int | float | str | date | time | timedelta
GENERAL = "General"
_MAX_LENGTH = 255  # of a format, in Excel
_MOST_DECIMALS = 30
# 14 and 22 of the built-in formats, as openpyxl names them
_OF_SYSTEM = ("mm-dd-yy", "m/d/yy h:mm")
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|(?P<blank>_.)|(?P<fill>\*.)|\[(?P<bracket>[^\[\]]*)\]'
    r"|(?P<general>general)|(?P<half>AM/PM|A/P)|(?P<part>y+|m+|d+|h+|s+)|E(?P<power>[+-])"
    r"|(?P<digit>[0#?])|(?P<number>[1-9][0-9]*)|(?P<sign>[.,%/@;])|(?P<foreign>[gbe])|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_COLOUR = re.compile(r"black|blue|cyan|green|magenta|red|white|yellow|color ?\d+", re.IGNORECASE)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)")
_SYMBOL = re.compile(r"\$([^-]*)(?:-([0-9A-F]+))?", re.IGNORECASE)
_COMPARE: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "<": lt, "<=": le, "=": eq, "<>": ne, ">": gt, ">=": ge,
}  # fmt: skip
_EPOCH = datetime(1899, 12, 30)  # day 0
_ENGLISH = 9  # the primary language of a Windows language code
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


class FormatToken(NamedTuple):
    """A part of a format: its kind, a group of _TOKEN or "elapsed", and its text."""

    kind: str
    text: str


class _Section(Struct, frozen=True):
    """One of the up to four parts of a format; `holds`: for which numbers it is, None if it does not say."""

    tokens: tuple[FormatToken, ...]
    holds: Callable[[Decimal], bool] | None = None

    def has(self, kind: str, text: str = "") -> bool:
        return any(token.kind == kind and text in ("", token.text) for token in self.tokens)


class _UnreadError(ValueError):
    """A format that is not read."""


def show(value: Shown, code: str) -> str | None:
    """The text that a cell with a value and a number format shows, blanks at its ends included.
    None for a format that is not read."""
    if code in _OF_SYSTEM or len(code) > _MAX_LENGTH:
        return None
    try:
        sections = _read(code)
        if isinstance(value, str):
            return _show_text(value, sections)
        if not isinstance(value, int | float):
            return _show_moment(value, _pick(Decimal(1), sections)[0])
        number = Decimal(repr(value))
        section, is_negative = _pick(number, sections)
        shown = _show_number(abs(number), section)
        is_zero = not any(sign in "123456789" for sign in shown)
        return shown if is_zero or not is_negative else f"-{shown}"
    except (_UnreadError, ArithmeticError):
        return None


@cache
def _read(code: str) -> tuple[_Section, ...]:
    """The sections of a format. Raises _UnreadError."""
    sections: list[_Section] = []
    tokens: list[FormatToken] = []
    holds: Callable[[Decimal], bool] | None = None
    for match in _TOKEN.finditer(f"{code};"):
        kind = match.lastgroup or "quoted"
        token = FormatToken(kind, match[kind] or "")
        if token == ("sign", ";"):
            sections.append(_Section(tuple(tokens), holds))
            tokens, holds = [], None
        elif kind == "bracket" and (condition := _CONDITION.fullmatch(token.text)):
            holds = _condition(condition[1], Decimal(condition[2]))
        elif kind == "bracket":
            tokens += _read_bracket(token.text)
        else:
            tokens.append(_plain(token))
    return tuple(sections[:4])


def _condition(sign: str, limit: Decimal) -> Callable[[Decimal], bool]:
    return lambda number: _COMPARE[sign](number, limit)


def _read_bracket(text: str) -> list[FormatToken]:
    """A colour, a currency, a language or a time that has elapsed."""
    if _COLOUR.fullmatch(text):
        return []
    if text.lower() in ("h", "hh", "m", "mm", "s", "ss"):
        return [FormatToken("elapsed", text.lower())]
    symbol = _SYMBOL.fullmatch(text)
    if not symbol:
        raise _UnreadError(text)
    language = int(symbol[2] or "409", 16)
    tokens = [FormatToken("other", symbol[1])] if symbol[1] else []
    return tokens if language & 0x3FF == _ENGLISH and language < 0xF000 else [
        *tokens, FormatToken("language", text)
    ]  # fmt: skip


def _plain(token: FormatToken) -> FormatToken:
    """A token in small letters, a literal as what it shows."""
    if token.kind == "blank":
        return FormatToken("other", " ")
    if token.kind in ("quoted", "escaped"):
        return FormatToken("other", token.text)
    if token.kind == "fill":
        return FormatToken("other", "")
    return FormatToken(token.kind, token.text.lower()) if token.kind == "part" else token


def _show_text(text: str, sections: Sequence[_Section]) -> str:
    section = sections[-1]
    if len(sections) < 4 and not section.has("sign", "@"):
        return text
    return "".join(text if token.text == "@" else token.text for token in section.tokens)


def _pick(number: Decimal, sections: Sequence[_Section]) -> tuple[_Section, bool]:
    """The section for a number, and whether a minus goes before what it shows."""
    numeric = [section for section in sections[:3] if not section.has("sign", "@")]
    if not numeric:
        return _Section((FormatToken("general", GENERAL),)), number < 0
    usual: list[Callable[[Decimal], bool]] = [lambda n: n > 0, lambda n: n < 0]
    if len(numeric) < 3:
        usual = [lambda n: n >= 0] * (len(numeric) - 1)
    for section, holds in zip(numeric, usual, strict=False):
        if (section.holds or holds)(number):
            is_signed = section is numeric[0] and (section.holds or holds)(abs(number))
            return section, number < 0 and is_signed
    last = numeric[-1]
    if last.holds and not last.holds(number):
        raise _UnreadError("no section is for this number")
    return last, number < 0 and len(numeric) == 1


def _show_number(number: Decimal, section: _Section) -> str:
    """A number from 0 by a section, without a sign."""
    tokens = [token for token in section.tokens if token.kind != "language"]
    if any(map(section.has, ("foreign", "part", "elapsed", "power"))):
        raise _UnreadError("a number where a date is meant, or a power of ten")
    if section.has("general"):
        words = f"{float(number):.15g}"
        return "".join(words if token.kind == "general" else token.text for token in tokens)
    number *= 100 ** sum(token == ("sign", "%") for token in tokens)
    if section.has("sign", "/") and section.has("digit"):
        return _show_fraction(number, tokens)
    return _show_decimal(number, tokens)


def _show_decimal(number: Decimal, tokens: Sequence[FormatToken]) -> str:
    """A number in the digits of a section, which may stand between other signs: "000-000"."""
    point = next((at for at, token in enumerate(tokens) if token == ("sign", ".")), len(tokens))
    whole, after = list(tokens[:point]), tokens[point:]
    digits_at = [at for at, token in enumerate(tokens) if token.kind == "digit"]
    commas = [at for at, token in enumerate(tokens) if token == ("sign", ",")]
    number /= 1000 ** sum(at > max(digits_at, default=-1) for at in commas)
    has_commas = any(min(digits_at, default=0) < at < max(digits_at, default=0) for at in commas)
    places = sum(token.kind == "digit" for token in after)
    if places > _MOST_DECIMALS:
        raise _UnreadError("too many decimals")
    rounded = f"{number.quantize(Decimal(10) ** -places, ROUND_HALF_UP):f}"
    digits, _, decimals = rounded.partition(".")
    before = "".join(_place_whole(digits.lstrip("0"), whole, has_commas))
    return before + "".join(_place_decimals(decimals.rstrip("0"), after))


def _place_whole(digits: str, tokens: Sequence[FormatToken], has_commas: bool) -> list[str]:
    """The digits before the point, put into their places from the last to the first; the first
    place takes all that are left."""
    placed: list[str] = []
    rest = list(digits)
    count = 0
    places = sum(token.kind == "digit" for token in tokens)
    for token in reversed(tokens):
        if token.kind != "digit":
            placed.append("" if token == ("sign", ",") else token.text)
            continue
        places -= 1
        taken = [rest.pop() if rest else {"0": "0", "?": " "}.get(token.text, "")]
        while places == 0 and rest:
            taken.append(rest.pop())
        for digit in taken:
            if has_commas and count and count % 3 == 0 and digit.strip():
                placed.append(",")
            placed.append(digit)
            count += bool(digit)
    return placed[::-1]


def _place_decimals(digits: str, tokens: Sequence[FormatToken]) -> Iterator[str]:
    """The point and the digits after it, those of 0 at the end where the format keeps them."""
    at = 0
    for token in tokens:
        if token.kind == "digit":
            yield digits[at] if at < len(digits) else {"0": "0", "?": " "}.get(token.text, "")
            at += 1
        elif token != ("sign", ","):
            yield token.text


def _show_fraction(number: Decimal, tokens: Sequence[FormatToken]) -> str:
    """A number as a whole and a fraction, or as a fraction alone if there is one group of digits before the stroke."""
    stroke = tokens.index(FormatToken("sign", "/"))
    start = stroke
    while start and tokens[start - 1].kind == "digit":
        start -= 1
    below = [token for token in tokens[stroke + 1 :] if token.kind in ("digit", "number")]
    if start == stroke or not below:
        raise _UnreadError("a fraction without digits")
    has_whole = any(token.kind == "digit" for token in tokens[:start])
    whole, rest = divmod(number, 1) if has_whole else (Decimal(0), number)
    fixed = "".join(token.text for token in below if token.kind == "number")
    exact = Fraction(rest)
    if fixed:
        down = int(fixed)
        up = int(rest * down + Decimal("0.5"))
    else:
        near = exact.limit_denominator(10 ** min(len(below), 5) - 1)
        up, down = near.numerator, near.denominator
    if has_whole and up == down:
        whole, up = whole + 1, 0
    if has_whole and up == 0:
        return _show_decimal(whole, (FormatToken("digit", "0"),))
    before = _show_decimal(whole, tokens[:start]) if has_whole else ""
    return f"{before}{up}/{down}"


def _show_moment(value: date | time | timedelta, section: _Section) -> str:
    if not (section.has("part") or section.has("elapsed")) or section.has("foreign"):
        raise _UnreadError("a date where a number is meant")
    parts = list(_name_parts(section.tokens))
    is_named = any(kind in ("m", "d") and len(text) > 2 for kind, text in parts)
    languages = [token.text.upper() for token in parts if token.kind == "language"]
    if any(is_named or text.startswith("$-F") for text in languages):
        raise _UnreadError("names of another language, or as the system shows dates")
    if not isinstance(value, date) and any(kind in ("y", "m", "d") for kind, _ in parts):
        raise _UnreadError("a time where a date is meant")
    decimals = max((len(text) - 1 for kind, text in parts if kind == "decimals"), default=0)
    moment = _moment(value)
    if section.has("part", "s") or section.has("part", "ss"):  # minutes are cut off, not rounded
        moment += timedelta(microseconds=10**6 // (2 * 10**decimals))
    has_half = section.has("half")
    return "".join(_show_part(kind, text, moment, has_half) for kind, text in parts)


def _moment(value: date | time | timedelta) -> datetime:
    """Of a time or of one that has elapsed: that long after _EPOCH."""
    if isinstance(value, timedelta):
        return _EPOCH + value
    if isinstance(value, time):
        return datetime.combine(_EPOCH, value)
    return value if isinstance(value, datetime) else datetime.combine(value, time())


def _name_parts(tokens: Sequence[FormatToken]) -> Iterator[FormatToken]:
    """Tokens with the letter of a part of a date as their kind; "n" is for minutes, which stand
    after hours or before seconds."""
    parts = [token.text for token in tokens if token.kind in ("part", "elapsed")]
    at = -1
    is_after_seconds = False
    rest = list(tokens)
    while rest:
        token = rest.pop(0)
        kind = token.kind
        if kind in ("part", "elapsed"):
            at += 1
        if kind == "part":
            kind = token.text[0]
            before, after = parts[at - 1][0] if at else "", "".join(parts[at + 1 : at + 2])[:1]
            if kind == "m" and len(token.text) < 3 and (before == "h" or after == "s"):
                kind = "n"
        elif is_after_seconds and token == ("sign", "."):
            zeros = ""
            while rest and rest[0] == ("digit", "0"):
                zeros += rest.pop(0).text
            kind, token = "decimals", FormatToken("decimals", f".{zeros}")
        is_after_seconds = kind == "s" or token.text in ("s", "ss")
        yield FormatToken(kind, token.text)


def _show_part(kind: str, text: str, moment: datetime, has_half: bool) -> str:
    """A part of a date or of a time, or a literal."""
    if kind == "elapsed":
        seconds = (moment - _EPOCH) // timedelta(seconds=1)
        unit = {"h": 3600, "m": 60, "s": 1}[text[0]]
        return f"{seconds // unit:0{len(text)}}"
    if kind in ("m", "d") and len(text) > 2:
        name = _MONTHS[moment.month - 1] if kind == "m" else _DAYS[moment.weekday()]
        return name[: {3: 3, 5: 1}.get(len(text), len(name))]
    if kind == "y":
        return f"{moment.year:04}" if len(text) > 2 else f"{moment.year % 100:02}"
    if kind == "half":
        return ("AM", "PM")[moment.hour >= 12][: 1 if len(text) == 3 else 2]
    if kind == "decimals":
        return f".{moment.microsecond:06}"[: len(text)]
    hour = (moment.hour - 1) % 12 + 1 if has_half else moment.hour
    numbers = {"d": moment.day, "m": moment.month, "h": hour, "n": moment.minute, "s": moment.second}
    if kind in numbers:
        return f"{numbers[kind]:0{min(len(text), 2)}}"
    return "" if kind == "language" else text
