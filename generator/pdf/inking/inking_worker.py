"""PDFs for a press, of finished ones: a worker process, as profiles and pictures are anybody's.

The answers are two: problems and notes as JSON, and the PDF, which is empty if there are problems.
"""

import io
import json
from collections.abc import Iterator, Sequence

import pikepdf

from generator.basics.errors import Place, PnpError, count_of, fail
from generator.basics.workers import serve
from generator.pdf.inking.standard import declare, find_inky, find_transparent, to_bytes
from generator.pdf.inking.walking import ink_pages
from generator.pdf.inks import PressColour
from generator.pdf.mixing import Mixer

_MOST_NAMED = 5


def make(content: bytes, colour: PressColour) -> tuple[bytes, list[str]]:
    """The PDF for a press, and notes on it. Raises PnpError if it cannot be made."""
    mixer = Mixer(colour.profile, colour.limit)
    with pikepdf.open(io.BytesIO(content)) as pdf:
        if colour.standard == "PDF/X-1a:2003" and (names := find_transparent(pdf)):
            what = f"it has no transparency, but these have: {_join(names)}"
            raise fail(Place(colour.standard), what, "make these drawings opaque; only PDF/X-4 allows transparency")
        inky = find_inky(pdf)
        ink_pages(pdf, content, mixer, colour.limit)
        declare(pdf, content, colour)
        return to_bytes(pdf, colour.standard), [_warn(inky, colour)] if inky else []


def _warn(names: Sequence[str], colour: PressColour) -> str:
    limit = f"{colour.limit * 100:g} %"
    return f"ink may pass {limit} where drawings blend with what is below them: {_join(names)}"


def _join(names: Sequence[str]) -> str:
    rest = len(names) - _MOST_NAMED
    more = f" and {count_of(rest, 'other')}" if rest > 0 else ""
    return "; ".join(names[:_MOST_NAMED]) + more


def _answer(job: tuple[bytes, PressColour]) -> Iterator[bytes]:
    try:
        inked, notes = make(*job)
        problems = []
    except PnpError as error:
        inked, notes = b"", []
        problems = [(str(problem.place), problem.what, problem.hint) for problem in error.problems]
    yield json.dumps({"problems": problems, "notes": notes}).encode()
    yield inked


if __name__ == "__main__":
    serve(_answer)
