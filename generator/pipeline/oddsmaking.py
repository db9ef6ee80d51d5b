"""Answers to questions about a game's cards, by the name of the game.

The page of the answers has random hands as pictures.
"""

import base64
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from generator import pdf
from generator.basics.bounds import Bound
from generator.basics.errors import Place, PnpError, Problem, collecting, did_you_mean, fail, quote, raise_all
from generator.basics.geometry import MM_PER_INCH
from generator.basics.writing import check_output, write_whole
from generator.export.site.pages import ShownPicture, accent_of, cut_letters, encode_webp
from generator.faces.standing import stand
from generator.layout.folds import standing_net
from generator.model import Component, Face, FaceKey, Game, LoadedGame, Side
from generator.pdf import raster
from generator.pipeline.game import bound_of, draw, read
from generator.pipeline.sheets import OUTPUT, Progress, print_sheets
from generator.play.odds.answers import OddsAnswer, cards_of
from generator.play.odds.hands import draw_hands
from generator.play.odds.questions import ODDS, Asked, DeckQuestion, PlacedQuestion, parse_question
from generator.tables.schema import OWN

_FEWEST, _MOST = 2, 12  # different values of a column that is worth a census
_OF_BACKS = "back_"  # columns that begin so
_OF_PICTURES = ("art", "image", "picture")
_HANDS = 3  # pictured for each deck and size of a hand
_MOST_CARDS = 10  # of a pictured hand
_LONGEST = 134.0  # CSS pixels of a card, each way
_SHARPNESS = 2.0  # pixels of a picture to one of CSS

_DeckHands = dict[tuple[str, Side, int], list[list[FaceKey]]]  # by component, side, cards


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


def find_odds(name: str, asked: Sequence[Mapping[str, Any]], place: Place, language: str) -> GameOdds:
    """Answers the questions that are asked at `place`, else those of the game's [[odds]], else of
    the flat component with most unlike pieces how many have which value in each column with few.
    In a language of the tables, "" for the original.

    Raises PnpError with every question that has a fault, and as `read` does.
    """
    questions = [parse_question(raw, place) for raw in asked]
    bound = bound_of(name)
    with bound.hold():
        loaded = read(name, language, reads_all=True)
    components = {part.id: part.with_joined_copies() for part in loaded.game.components}
    own = ODDS.of(loaded.game) or ()
    chosen = list(_place(questions, place, components) if questions else own)
    if not chosen:
        flat = [part for part in components.values() if part.shape.kind != "net"]
        most = max(flat or components.values(), key=lambda part: len(part.pieces))
        chosen = list(_census(most))
    if not chosen:
        hint = "ask about a hand: --draw 3 --want \"1+ of id == 'oak'\"; --of names a component"
        raise fail(most.place, f"no column of {quote(most.title)} has few values to count", hint)
    return GameOdds(loaded, _answer(chosen, components, bound))


def _place(questions: Sequence[Asked], place: Place, components: Mapping[str, Component]) -> Iterator[PlacedQuestion]:
    """Raises PnpError for an unknown component."""
    for question in questions:
        for _, name in question.named():
            if name not in components:
                raise fail(place, f"unknown component {quote(name)}", did_you_mean(name, components))
        yield PlacedQuestion(question, question.of or next(iter(components)), place)


def _census(component: Component) -> Iterator[PlacedQuestion]:
    """A census of a component by each column with few different values: not by the number of
    copies, and not by what only backs show or what names pictures."""
    pieces = cards_of(component)
    for column in pieces[0].row if len(pieces) > 1 else ():
        values = {str(piece.row.get(column, "")) for piece in pieces}
        is_asked = column not in (*OWN, *_OF_PICTURES) and not column.startswith(_OF_BACKS)
        if is_asked and _FEWEST <= len(values) <= _MOST and len(values) < len(pieces):
            yield PlacedQuestion(DeckQuestion(by=column), component.id, component.place)


def _answer(
    questions: Sequence[PlacedQuestion], components: Mapping[str, Component], bound: Bound
) -> tuple[Answered, ...]:
    answers: list[Answered] = []
    problems: list[Problem] = []
    for placed in questions:
        component = components[placed.component]
        with bound.hold(), collecting(problems, placed.place):
            answer = placed.question.answer(component, components)
            side = _choose_side(placed, component)
            answers.append(Answered(answer, component, side))
    raise_all(problems)
    return tuple(answers)


def _choose_side(placed: PlacedQuestion, component: Component) -> Side:
    asked = {column.name for column in placed.question.columns()}
    shown = {side: len(asked & set(names)) for side, names in component.columns.items()}
    return "back" if shown.get("back", 0) > shown.get("front", 0) else "front"


def write_odds_page(found: GameOdds, output: Path | None, progress: Progress) -> tuple[Path, tuple[Problem, ...]]:
    """Writes the page; returns its path, and why it shows no hands, if their cards cannot be drawn.

    It goes to `output`, a file or a folder, by default output/GAME-odds.html.
    """
    from generator.play.reports import AnswerSection, write_odds  # loads what playtests come to

    game = found.game
    usual = OUTPUT / f"{game.name}-odds.html"
    path = usual if output is None else output / usual.name if output.is_dir() else output
    check_output(path)
    hands = _choose_hands(found.answered)
    keys = {key for several in hands.values() for hand in several for key in hand}
    pictures: dict[FaceKey, ShownPicture] = {}
    problems: tuple[Problem, ...] = ()
    try:
        pictures = paint_small(found.loaded, keys, _LONGEST, progress)
    except PnpError as error:
        problems = tuple(error.problems)
    sections = []
    for answered in found.answered:  # the first answer about hands of a size shows them
        drawn = hands.pop(_key_of(answered), []) if pictures else []
        shown = [[pictures[key] for key in hand] for hand in drawn]
        sections.append(AnswerSection(answered.answer, shown))
    page = game.title, game.language or "en", accent_of(game), sections
    write_whole(path, write_odds(*page, cut_letters(game, write_odds(*page))))
    return path, problems


def _choose_hands(answered: Sequence[Answered]) -> _DeckHands:
    """Random hands for each deck, side and size that an answer is about."""
    chosen: _DeckHands = {}
    for asked in answered:
        if 0 < asked.answer.hand <= _MOST_CARDS and asked.component.shape.kind != "net":
            owner, cards = asked.component.id, cards_of(asked.component)
            hands = draw_hands([piece.copies for piece in cards], asked.answer.hand, _HANDS)
            chosen[_key_of(asked)] = [[(owner, cards[card].id, asked.side) for card in sorted(hand)] for hand in hands]
    return chosen


def _key_of(answered: Answered) -> tuple[str, Side, int]:
    return answered.component.id, answered.side, answered.answer.hand


def paint_small(
    loaded: LoadedGame, keys: Collection[FaceKey], longest: float, progress: Progress
) -> dict[FaceKey, ShownPicture]:
    """The pictures of cut pieces, in data URIs: all to one scale, the longest side of any so many
    CSS pixels. Pieces to fold stand. Raises PnpError if one cannot be drawn."""
    if not keys:
        return {}
    game = loaded.game
    owners = {key[:2] for key in keys}
    kept = ([piece for piece in part.pieces if (part.id, piece.id) in owners] for part in game.components)
    chosen = [replace(part, pieces=tuple(some)) for part, some in zip(game.components, kept, strict=True) if some]
    with bound_of(game.name).hold():
        drawn = draw(loaded, progress, chosen)
    folded = {part.id: part for part in chosen if standing_net(part.shape)}
    fronts = {
        key: stand(folded[key[0]], key[1], drawn[key], drawn.get((*key[:2], "back")))
        if key[0] in folded
        else drawn[key].upright
        for key in sorted(keys)
    }
    scale = longest / max(max(face.trim.width, face.trim.height) for face in fronts.values())
    dpi = scale * _SHARPNESS * MM_PER_INCH
    with pdf.Press(is_early=False) as press:
        sheets = raster.face_sheets(list(fronts.values()))
        printed = print_sheets(game, sheets, fronts, press, progress)
    progress("painting")
    images = zip(fronts.items(), raster.rasterise(printed, dpi), strict=True)
    return {key: _show(key, face, raster.cut_out(image, face, dpi), scale) for (key, face), image in images}


def _show(key: FaceKey, face: Face, image: Image.Image, scale: float) -> ShownPicture:
    content = base64.b64encode(encode_webp(image)).decode()
    width, height = round(face.trim.width * scale), round(face.trim.height * scale)
    return ShownPicture(f"data:image/webp;base64,{content}", width, height, key[1])
