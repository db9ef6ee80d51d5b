"""Take the name of a game and questions about its cards, answer them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from generator.basics.bounds import Bound
from generator.basics.errors import MisfitError, PnpError, Problem, did_you_mean, fail, quote
from generator.basics.place import Place
from generator.game.odds import parse_question
from generator.model import Component, Game, LoadedGame, Side
from generator.pipeline.game import bound_of, read
from generator.play.odds.answers import OddsAnswer
from generator.play.odds.cards import cards_of
from generator.play.odds.questions import Asked, DeckQuestion

_FEWEST, _MOST = 2, 12  # different values of a column that is worth a census


class Answered(Struct, frozen=True):
    """An answer, the component that it is about, with one piece for each row, and the side of its
    cards that shows what is asked."""

    answer: OddsAnswer
    component: Component
    side: Side


class GameOdds(Struct, frozen=True):
    """A game, and the answers to the questions about its cards."""

    loaded: LoadedGame
    answered: tuple[Answered, ...]

    @property
    def game(self) -> Game:
        return self.loaded.game


class _Inquest(Struct, frozen=True):
    """A question, the component that it is about, and where it is asked."""

    question: Asked
    component: Component
    place: Place


def find_odds(
    name: str,
    asked: Sequence[Mapping[str, Any]] = (),
    place: Place | None = None,
    language: str = "",
) -> GameOdds:
    """Answers the questions that are asked at `place`, else those of the game's [[odds]], else how
    many cards have which value in each column with few. In a language of the tables, "" for the
    original.

    Raises PnpError with every question that has a fault, and as `read` does.
    """
    place = place or Place("the question")
    questions = [parse_question(raw, place) for raw in asked]
    bound = bound_of(name)
    with bound.hold():
        loaded = read(name, language, reads_all=True)
    inquests = list(_choose(loaded, questions, place))
    return GameOdds(loaded, _answer(inquests, bound))


def _choose(loaded: LoadedGame, questions: Sequence[Asked], place: Place) -> Iterator[_Inquest]:
    components = {one.id: one.with_joined_copies() for one in loaded.game.components}
    for question in questions:
        chosen = question.of or next(iter(components))
        if chosen not in components:
            hint = did_you_mean(chosen, components)
            raise fail(place, f"unknown component {quote(chosen)}", hint)
        yield _Inquest(question, components[chosen], place)
    if questions:
        return
    for placed in loaded.questions:
        assert isinstance(placed.question, Asked), "the reader makes only these"
        yield _Inquest(placed.question, components[placed.component], placed.place)
    if not loaded.questions:
        yield from _census(components.values())


def _census(components: Iterable[Component]) -> Iterator[_Inquest]:
    """A census by each column with few different values, of components with several cards."""
    for component in components:
        pieces = cards_of(component)
        for column in pieces[0].row if len(pieces) > 1 else ():
            values = {str(piece.row.get(column, "")) for piece in pieces}
            if _FEWEST <= len(values) <= _MOST and len(values) < len(pieces):
                question = DeckQuestion(by=column)
                yield _Inquest(question, component, component.place)


def _answer(inquests: Sequence[_Inquest], bound: Bound) -> tuple[Answered, ...]:
    answers: list[Answered] = []
    problems: list[Problem] = []
    for one in inquests:
        try:
            with bound.hold():
                answer = one.question.answer(one.component)
                answers.append(Answered(answer, one.component, _choose_side(one)))
        except MisfitError as error:
            problems.append(Problem(one.place, str(error), error.hint))
    if problems:
        raise PnpError(problems)
    return tuple(answers)


def _choose_side(one: _Inquest) -> Side:
    asked = {column.name for column in one.question.columns()}
    shown = {side: len(asked & set(names)) for side, names in one.component.columns.items()}
    return "back" if shown.get("back", 0) > shown.get("front", 0) else "front"
