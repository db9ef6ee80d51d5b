"""The interface of an engine: the rules of a game as code.

An engine is made for one deck and one way to play. It keeps no game in itself: a state and a move are immutable values
that pickle, equal where the game stands equal, and each method answers for the state that it gets.

Also the engine of a kind for a deck and the chosen options, and the names of pieces, their size and
the numbers in their rows.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from inspect import getfile
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from generator.basics.errors import Place, PnpError, Problem, count_of, did_you_mean, quote, raise_all
from generator.basics.geometry import Size
from generator.basics.phrases import Phrases, read_phrases
from generator.model import Piece, Value
from generator.play.areas import LaidPiece as LaidPiece
from generator.play.areas import TableArea, find_moved, lay_areas

State = TypeVar("State")
Move = TypeVar("Move")
Decks = Mapping[str, Sequence[Piece]]  # the physical pieces of each component
# What a table counts: the seat whose it is or None, what, and how many: 3, or "3 of 4". Perhaps also its icon: the name
# of an art of the game, of a component, or of a piece: "huts/red".
SeatCount = tuple[int | None, str, int | str] | tuple[int | None, str, int | str, str]
LANGUAGES = Path(__file__).with_name("languages")  # what tables say
CHANCE, OVER = -1, -2  # turns of no seat
_PART = 100  # a count in a score of several


class Option(Struct, frozen=True):
    """A choice among variants of the rules, or a reading of a rule that its source leaves open.

    values: all that are allowed; the first is the default. about: the question, in one line.
    """

    values: tuple[Value, ...]
    about: str

    def parse(self, text: str) -> Value:
        """The value of this text. Raises ValueError if there is none."""
        return self.values[list(map(str, self.values)).index(text)]


class Engine(ABC, Generic[State, Move]):
    """The rules of a game for one deck, with the options that were chosen.

    Seats are numbered from 0. `score_parts`: what a score counts, in the singular. Where the first of several counts
    decides before the next, a score has two digits for each, for counts up to 49: of temples, towers and huts, 30219 is
    3, 2 and 19. `scores_held`: whether the pieces that seats hold at the end are themselves what is scored. A folder
    languages/ beside the module may have phrases, a file for each language: its `en.toml` has all. A subclass takes the
    deck and a value for each of its `options`; if the deck cannot be played, it raises PnpError with every fault.
    """

    options: ClassVar[Mapping[str, Option]] = {}
    score_parts: ClassVar[Sequence[str]] = ("point",)
    scores_held: ClassVar[bool] = False
    seats: int

    @abstractmethod
    def __init__(self, decks: Decks, **chosen: Value) -> None: ...

    @cached_property
    def phrases(self) -> Phrases:
        """The phrases of the engine and its tables, in English until `speak` is called."""
        return self._read_phrases("")

    def speak(self, language: str) -> None:
        """Says moves in a language such as "de", as far as the engine has its phrases."""
        self.phrases = self._read_phrases(language)

    def word(self, name: str) -> str:
        """A word of the tables in the engine's language: the phrase "word.NAME", else the word."""
        return self.phrases.patterns.get(f"word.{name}", name)

    def _read_phrases(self, language: str) -> Phrases:
        files = [Path(getfile(kind)) for kind in type(self).__mro__ if issubclass(kind, Engine)]
        return read_phrases(language, *(file.with_name(LANGUAGES.name) for file in reversed(files)))

    @abstractmethod
    def start(self) -> State:
        """The state before the first move, which is usually one of chance: the deal."""

    @abstractmethod
    def turn(self, state: State) -> int:
        """The seat that moves next; CHANCE if nobody decides, OVER after the end."""

    @abstractmethod
    def legal(self, state: State) -> Sequence[Move]:
        """Every move that the rules allow, each once, in an order that depends on nothing else; at
        a turn of chance, every outcome. At least one move before the end, none after it."""

    @abstractmethod
    def apply(self, state: State, move: Move) -> State:
        """The state after a legal move. What comes of another move is not defined."""

    @abstractmethod
    def scores(self, state: State) -> Sequence[int]:
        """The points of each seat, as they would count if the game ended now."""

    def tell(self, score: int) -> str:
        """A score in words: "3 temples, 2 towers, 19 huts"."""
        counts = split_score(score, len(self.score_parts))
        return ", ".join(map(self._tell_part, counts, self.score_parts))

    def _tell_part(self, number: int, part: str) -> str:
        name = f"turn.{part}"
        return self.phrases.say(name, count=number) if name in self.phrases.patterns else count_of(number, part)

    @abstractmethod
    def write(self, state: State, move: Move) -> str:
        """The name of a legal move in the notation of the game, in one line; unlike the names of
        all other legal moves."""

    def say(self, state: State, move: Move) -> str:
        """A legal move in words, to who sees the table: "Take the card with 3 sky". At most 80
        characters, and no coordinates, so moves may be said alike."""
        return self.write(state, move)

    def tell_news(self, state: State, move: Move) -> Sequence[str]:
        """Sentences for the log that tell all seats what an outcome of chance shows."""
        return ()

    def ask(self, state: State) -> str:
        """A request for the decision of the seat whose turn it is: "Turn two cards over." All seats read it, so it
        reveals nothing that is hidden from one."""
        return self.phrases.say("turn.ask")

    def counters(self, state: State, seat: int | None = None) -> Sequence[SeatCount]:
        """The counts beside the pieces on the table, as far as a seat may know them: of all, and of each seat. By
        default, the scores."""
        return [
            (each, self.phrases.say("turn.score"), self.tell(score)) for each, score in enumerate(self.scores(state))
        ]

    def areas(self, state: State) -> Sequence[TableArea]:
        """All hands, piles and rows of the table, empty ones too, for `show`, `lay` and `touch`. An
        engine without any writes these itself, or has an empty table."""
        return ()

    def show(self, state: State, seat: int | None = None) -> str:
        """The state in notation: what a seat sees, or all of it. By default, the areas."""
        return "\n".join(area.tell(seat) for area in self.areas(state))

    def lay(self, state: State, seat: int | None = None) -> Sequence[LaidPiece]:
        """The pieces on the table: what a seat sees, its own nearest to it, or all of it. By
        default, those of the areas."""
        return [piece for _, piece in lay_areas(self.areas(state), self.seats, seat)]

    def touch(self, state: State, move: Move) -> Sequence[LaidPiece] | None:
        """What a player points at to make a move, as far as the seat knows whose turn it is: pieces as they will lie
        that it puts down, pieces as they lie that it only touches, and places for pieces that it does not choose yet,
        which have no id. Of pieces of one id it takes the last that lies there. None: all that `lay` shows differently
        after the move, or only the piece that `piece_of` names. By default, the pieces that move from area to area."""
        if not (areas := self.areas(state)):
            return None
        seat, after = self.turn(state), self.areas(self.apply(state, move))
        return find_moved(lay_areas(areas, self.seats, seat), lay_areas(after, self.seats, seat))

    def why(self, state: State, piece: LaidPiece) -> str:
        """Why the seat whose turn it is may not lay a piece where it is, in one sentence; of one as
        it lies, why no move takes it. Without an id it is any piece of its component. "" where no
        reason is known, or none that the seat may know."""
        flaw = self.find_flaw(state, piece)
        return self.phrases.say(flaw) if flaw else ""

    def find_flaw(self, state: State, piece: LaidPiece) -> str:
        """The name of the phrase that says why."""
        return ""

    def read(self, state: State, text: str) -> Move:
        """The legal move of this name. Raises ValueError if there is none."""
        for move in self.legal(state):
            if self.write(state, move) == text:
                return move
        raise ValueError(f"no legal move is called {text!r}")

    def weight(self, state: State, move: Move) -> int:
        """How likely an outcome of chance is, in proportion to the others; 1 if all are equal."""
        return 1

    def draw(self, state: State, rng: Random) -> Move:
        """An outcome of chance at random."""
        outcomes = self.legal(state)
        weights = [self.weight(state, outcome) for outcome in outcomes]
        return rng.choices(outcomes, weights)[0]

    def deal_unseen(self, state: State, seat: int, rng: Random) -> State:
        """A state at random among those that look the same to a seat; its turn is the same. The
        state itself if nothing is hidden."""
        return state

    def winners(self, state: State) -> Sequence[int]:
        """The seats that win an ended game, in order: those with the most points."""
        scores = self.scores(state)
        best = max(scores)
        return [seat for seat, score in enumerate(scores) if score == best]

    def worth(self, state: State, seat: int) -> float:
        """How good a state looks to a seat, for bots that look some moves ahead: a finite number,
        by default its lead over the best of the others."""
        scores = self.scores(state)
        return scores[seat] - max([score for other, score in enumerate(scores) if other != seat], default=0)

    def piece_of(self, state: State, move: Move) -> str:
        """The id of the piece that a seat takes or plays with this move, if reports should count
        how often it is chosen; "" for other moves."""
        return ""

    def held(self, state: State, seat: int) -> Sequence[str]:
        """The ids of the pieces that a seat has at the end of a game, if reports should count how
        often they are with a winner."""
        return ()

    def facts(self, state: State) -> Mapping[str, int]:
        """Further figures of an ended game for reports, by their names in words ("tiles left")."""
        return {}


def split_score(score: int, parts: int) -> list[int]:
    """The counts in a score of so many parts; of a difference of two scores, their differences."""
    counts = []
    for _ in range(parts - 1):
        last = (score + _PART // 2) % _PART - _PART // 2
        counts.append(last)
        score = (score - last) // _PART
    return [score, *reversed(counts)]


def make_engine(kind: type[Engine[Any, Any]], decks: Decks, chosen: Mapping[str, str]) -> Engine[Any, Any]:
    """An engine for a deck, with these options and the defaults of all others.

    Raises PnpError with every unknown option and value, or with what is wrong with the deck.
    """
    raise_all(it for name, text in chosen.items() for it in _faults(kind.options, name, text))
    values = {
        name: option.parse(chosen[name]) if name in chosen else option.values[0]
        for name, option in kind.options.items()
    }
    return kind(decks, **values)


def _faults(options: Mapping[str, Option], name: str, text: str) -> Iterator[Problem]:
    place = Place("the rules")
    if name not in options:
        yield Problem(place, f"there is no option {quote(name)}", did_you_mean(name, options))
    elif text not in (known := list(map(str, options[name].values))):
        yield Problem(place, f"{name} cannot be {quote(text)}", did_you_mean(text, known))


def pieces_of(decks: Decks, component: str) -> Sequence[Piece]:
    """The pieces of a component. Raises PnpError if the game has none of that name."""
    if component not in decks:
        what = f"there is no component {quote(component)}, which its engine plays with"
        raise PnpError([Problem(Place("game.toml"), what, "give it back its id")])
    return decks[component]


def size_of(pieces: Sequence[Piece]) -> Size:
    """The size of pieces of one component, in mm; 0 if there are none."""
    return next((piece.size for piece in pieces), Size(0.0, 0.0))


def name_pieces(pieces: Sequence[Piece]) -> list[str]:
    """A name for each piece, unlike all others: its id, and of further copies "5#2"."""
    seen: Counter[str] = Counter()
    names = []
    for piece in pieces:
        seen[piece.id] += 1
        names.append(piece.id if seen[piece.id] == 1 else f"{piece.id}#{seen[piece.id]}")
    return names


def read_numbers(pieces: Sequence[Piece], columns: Sequence[str], least: int, most: int) -> list[tuple[int, ...]]:
    """The whole numbers in these columns, a tuple for each piece. Raises PnpError with every cell
    that holds none from `least` to `most`."""
    problems: list[Problem] = []
    rows = []
    for piece in pieces:
        row = [_read(piece, column, least, most) for column in columns]
        for column, number in zip(columns, row, strict=True):
            if number is None:
                value = quote(piece.row.get(column, ""))
                what = f"{column} is {value}, its engine needs a number from {least} to {most}"
                problems.append(Problem(piece.place.at_column(column), what))
        rows.append(tuple(number or 0 for number in row))
    raise_all(problems)
    return rows


def _read(piece: Piece, column: str, least: int, most: int) -> int | None:
    text = str(piece.row.get(column, ""))
    is_number = text.isascii() and text.isdigit() and len(text) < 9
    return int(text) if is_number and least <= int(text) <= most else None
