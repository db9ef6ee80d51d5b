"""Take a booklet's text and the lines at fault, leave out the parts with these lines."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

_FENCE = ":::"
_OMITTED = "> **Omitted:** this part has a fault."


def omit_faults(text: str, numbers: Collection[int]) -> str:
    """The text with a remark in the place of each figure or paragraph that holds one of these
    lines. All other lines keep their numbers, which begin with 1."""
    lines = text.split("\n")
    for start, end in _find_parts(lines):
        if any(start < number <= end for number in numbers) and lines[start] != _OMITTED:
            lines[start:end] = [_OMITTED, *[""] * (end - start - 1)]
    return "\n".join(lines)


def _find_parts(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The figures, and the paragraphs between empty lines: indices of the first line, and behind
    the last."""
    start = 0
    is_figure = False
    for index, line in enumerate([*lines, ""]):
        is_fence = line.strip().startswith(_FENCE)
        if is_figure and is_fence:
            yield start, index + 1
            start, is_figure = index + 1, False
        elif not is_figure and (is_fence or not line.strip()):
            if index > start:
                yield start, index
            start, is_figure = (index, True) if is_fence else (index + 1, False)
    if is_figure:
        yield start, len(lines)
