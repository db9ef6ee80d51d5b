"""Odd values, and ways to break any text or bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from tests.fuzz.words import words

_LONG = (
    "a" * 61, "a" * 501, "a" * 5_000, "a " * 500, "a\n" * 500, "'" * 100, "\x1b" * 80,
    "\u00e9" * 300, "\u6f22" * 300, "\U0001f469" * 80,
)  # fmt: skip
ODD_TEXTS = (*words("odd"), *_LONG)
ODD_NUMBERS: tuple[int | float, ...] = (
    0, 1, -1, 2, 3, 7, 10, 99, 100, 255, 256, 500, 1000, 1001, 65_535, 65_536, 10**6, 10**6 + 1,
    2**31 - 1, 2**31, 2**32, 2**53, 2**63 - 1, -(2**63), 10**18, 0.5, -0.5, -0.0, 0.1, 1 / 3, 1e-3,
    1e-9, 1e-320, 1e6, 1e15, 1e16, 1e22, 1e308, -1e308, float("inf"), float("-inf"), float("nan"),
)  # fmt: skip
_UNITS = ("mm", "cm", "in", "pt", "MM", "m", "px", "%", "em", "", " mm", "mm ", "mm mm", "''")
_TOKEN = re.compile(r"[^\W\d_]+|\d+|\s+|[\W_]", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_MOST_COPIES = 400

TextEdit = Callable[[Random, str, Sequence[str]], str]
BytesEdit = Callable[[Random, bytes], bytes]


def odd_text(rng: Random) -> str:
    """One of the odd texts, two of them, or one within a word."""
    text = rng.choice(ODD_TEXTS)
    chance = rng.random()
    if chance < 0.15:
        return text + rng.choice(ODD_TEXTS)
    if chance < 0.3:
        return f"a{text}b"
    return chr(rng.randrange(0xD800)) if chance < 0.35 else text


def odd_number(rng: Random) -> int | float:
    number = rng.choice(ODD_NUMBERS)
    return number if rng.random() < 0.8 else number * rng.choice((-1, 10, 0.5, 1.0000001))


def number_text(rng: Random) -> str:
    return f"{odd_number(rng):.17g}" if rng.random() < 0.8 else str(odd_number(rng))


def length(rng: Random) -> str:
    """A length, usually one that a person would write."""
    if rng.random() < 0.6:
        return f"{rng.choice((0, 0.1, 0.5, 1, 2.5, 3, 5, 8, 10, 20, 63.5, 88.9, 200, 300))}mm"
    return number_text(rng) + rng.choice(_UNITS)


def break_text(rng: Random, text: str, words: Sequence[str] = ()) -> str:
    """A text with a few random edits; `words` may come into it."""
    for _ in range(_few(rng)):
        text = rng.choice(_TEXT_EDITS)(rng, text, words)
    return text


def break_bytes(rng: Random, content: bytes) -> bytes:
    for _ in range(_few(rng)):
        content = rng.choice(_BYTES_EDITS)(rng, content)
    return content


def encoded(rng: Random, text: str) -> bytes:
    """A text in bytes: nearly always UTF-8."""
    if rng.random() < 0.97:
        return text.encode("utf-8", "surrogatepass")
    encoding = rng.choice(("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252"))
    return text.encode(encoding, "replace")


def _few(rng: Random) -> int:
    count = 1
    while count < 12 and rng.random() < 0.4:
        count += 1
    return count


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text) or [""]


def _stretch(rng: Random, size: int) -> tuple[int, int]:
    """Where a random stretch of a sequence begins and ends; most are short."""
    start = rng.randrange(size + 1)
    longest = rng.choice((1, 1, 2, 4, 16, 64, size))
    return start, min(size, start + rng.randint(0, longest))


def _drop(rng: Random, text: str, _: Sequence[str]) -> str:
    tokens = _tokens(text)
    start, end = _stretch(rng, len(tokens))
    return "".join(tokens[:start] + tokens[end:])


def _repeat(rng: Random, text: str, _: Sequence[str]) -> str:
    tokens = _tokens(text)
    start, end = _stretch(rng, len(tokens))
    times = rng.choice((2, 2, 3, 10, _MOST_COPIES)) if end - start < 40 else 2
    return "".join(tokens[:start] + tokens[start:end] * times + tokens[end:])


def _move(rng: Random, text: str, _: Sequence[str]) -> str:
    tokens = _tokens(text)
    start, end = _stretch(rng, len(tokens))
    taken = tokens[start:end]
    del tokens[start:end]
    at = rng.randrange(len(tokens) + 1)
    return "".join(tokens[:at] + taken + tokens[at:])


def _replace(rng: Random, text: str, words: Sequence[str]) -> str:
    tokens = _tokens(text)
    tokens[rng.randrange(len(tokens))] = _word(rng, words)
    return "".join(tokens)


def _insert(rng: Random, text: str, words: Sequence[str]) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + _word(rng, words) + text[at:]


def _renumber(rng: Random, text: str, words: Sequence[str]) -> str:
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return _replace(rng, text, words)
    number = rng.choice(numbers)
    return text[: number.start()] + number_text(rng) + text[number.end() :]


def _end(rng: Random, text: str, _: Sequence[str]) -> str:
    return text[: rng.randrange(len(text) + 1)]


def _swap_lines(rng: Random, text: str, _: Sequence[str]) -> str:
    lines = text.split("\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


def _drop_line(rng: Random, text: str, _: Sequence[str]) -> str:
    lines = text.split("\n")
    del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


def _copy_line(rng: Random, text: str, _: Sequence[str]) -> str:
    lines = text.split("\n")
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
    return "\n".join(lines)


def _word(rng: Random, words: Sequence[str]) -> str:
    return rng.choice(words) if words and rng.random() < 0.6 else odd_text(rng)


_TEXT_EDITS: tuple[TextEdit, ...] = (
    _drop, _repeat, _move, _replace, _replace, _insert, _insert, _renumber, _renumber, _end,
    _swap_lines, _drop_line, _copy_line,
)  # fmt: skip


def _flip_bit(rng: Random, content: bytes) -> bytes:
    if not content:
        return b"\0"
    at = rng.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]


def _set_number(rng: Random, content: bytes) -> bytes:
    """Writes an extreme number over one to four bytes."""
    size = rng.choice((1, 2, 4))
    top = 256**size
    number = rng.choice((0, 1, top - 1, top // 2, top // 2 - 1, rng.randrange(top)))
    at = rng.randrange(len(content) + 1)
    return content[:at] + number.to_bytes(size, rng.choice(("big", "little"))) + content[at + size :]


def _cut(rng: Random, content: bytes) -> bytes:
    start, end = _stretch(rng, len(content))
    return content[:start] + content[end:]


def _double(rng: Random, content: bytes) -> bytes:
    start, end = _stretch(rng, len(content))
    return content[:end] + content[start:]


def _shuffle_in(rng: Random, content: bytes) -> bytes:
    """Writes a stretch over another."""
    start, end = _stretch(rng, len(content))
    at = rng.randrange(len(content) + 1)
    return content[:at] + content[start:end] + content[at + end - start :]


def _insert_noise(rng: Random, content: bytes) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.randbytes(rng.randint(1, 9)) + content[at:]


def _truncate(rng: Random, content: bytes) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


_BYTES_EDITS: tuple[BytesEdit, ...] = (
    _flip_bit, _flip_bit, _set_number, _set_number, _cut, _double, _shuffle_in, _insert_noise,
    _truncate,
)  # fmt: skip
