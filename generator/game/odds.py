"""Take the [[odds]] tables of a spec, make questions about the cards of its components."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from generator.basics import keys
from generator.basics.errors import Place, PnpError, Problem, did_you_mean, fail, quote
from generator.basics.keys import KeyPath
from generator.game.spec import Source
from generator.model import Column, PlacedQuestion
from generator.tables.schema import NUMBERS, OWN, REMARK, fold, is_translation

if TYPE_CHECKING:
    from generator.play.odds.questions import Asked


class Inquiry(Struct, frozen=True):
    """The questions about a game. `reads_all`: every column is read, for further questions."""

    placed: tuple[PlacedQuestion, ...]
    reads_all: bool = False

    def columns_of(self, component: object) -> list[Column]:
        """The columns of a component that its questions read."""
        return [
            replace(column, reader=one.place)
            for one in self.placed
            if one.component == component
            for column in one.question.columns()
        ]


def read_questions(source: Source, *, reads_all: bool = False) -> Inquiry:
    """The questions of a spec. Reports each that has a fault."""
    tables = list(source.tables("odds"))
    ids = [raw.get("id") for raw, _ in source.tables("component")]
    names = [id_ for id_ in ids if isinstance(id_, str)]
    return Inquiry(tuple(_read(source, names, tables)) if tables else (), reads_all)


def _read(
    source: Source, ids: Sequence[str], tables: Sequence[tuple[Mapping[str, Any], KeyPath]]
) -> Iterator[PlacedQuestion]:
    from generator.play.odds.questions import QUESTIONS  # few games ask

    for raw, path in tables:
        question = source.validate_tagged("kind", QUESTIONS, raw, path, None)
        if question is None:
            continue
        if question.of is not None and question.of not in ids:
            what = f"unknown component {quote(question.of)}"
            source.report((*path, "of"), what, did_you_mean(question.of, ids))
        elif ids:
            yield PlacedQuestion(question, question.of or ids[0], source.place(path))


def name_columns(headings: Sequence[str], reader: Place) -> list[Column]:
    """The columns of a table, as expressions name them. Two of one name are left out: neither is
    meant."""
    names = [one for one in headings if not one.startswith(REMARK) and not is_translation(one)]
    folded = [fold(name) for name in names]
    return [
        Column(name, reader=reader)
        for name in dict.fromkeys(folded)
        if name and folded.count(name) == 1 and name not in (*OWN, *NUMBERS)
    ]


def parse_question(raw: Mapping[str, Any], place: Place) -> Asked:
    """A question that is asked elsewhere than in a spec. Raises PnpError with each fault."""
    from generator.play.odds.questions import QUESTIONS

    if "kind" not in raw:
        raise fail(place, "the key 'kind' is missing", did_you_mean("", QUESTIONS))
    kind = raw["kind"]
    if not isinstance(kind, str) or kind not in QUESTIONS:
        hint = did_you_mean(kind if isinstance(kind, str) else "", QUESTIONS)
        raise fail(place, f"unknown kind {quote(kind)}", hint)
    options = {key: value for key, value in raw.items() if key != "kind"}
    question, faults = keys.read(QUESTIONS[kind], options)
    if question is None:
        raise PnpError([Problem(place, one.what, one.hint) for one in faults])
    return question
