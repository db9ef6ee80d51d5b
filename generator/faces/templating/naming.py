"""Take an expression as it is written and the headings of the table, find the columns it means."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher

from generator.basics.errors import MisfitError, nearest, quote
from generator.faces.templating.sandbox import Expression
from generator.tables.headings import NUMBERS, find_name, has_signs, same_signs

Headings = Callable[[], Sequence[str]]  # opens the table only if an expression has signs
_BETWEEN_NAMES = re.compile(r"[\s.]+")
_SLIP = 0.8  # the likeness of a heading and a slip of one letter


def read_expression(text: str, headings: Headings) -> Expression:
    """The expression of a text. One that is a heading, such as ATK/DEF, reads that column, and is
    not computed. Raises MisfitError if it is neither."""
    text = text.strip()
    if all(part.isidentifier() for part in _BETWEEN_NAMES.split(text)):
        return Expression(text)
    if heading := next((one for one in headings() if same_signs(one, text)), ""):
        return Expression.of_column(heading)
    meant = _nearest_with_signs(text, headings())
    hint = f"did you mean {{{{ {meant} }}}}?"
    try:
        expression = Expression(text)
    except MisfitError as error:
        raise MisfitError(str(error), hint if meant else error.hint) from None
    known = {*headings(), *NUMBERS}
    if meant and not any(find_name(name, known) for name in expression.names):
        raise MisfitError(f"there is no column {quote(text)}", hint)
    return expression


def _nearest_with_signs(text: str, headings: Sequence[str]) -> str:
    near = nearest(text, filter(has_signs, headings))
    likeness = SequenceMatcher(None, near.casefold(), text.casefold()).ratio()
    return near if likeness >= _SLIP else ""
