"""Rules of games as code."""

from collections.abc import Sequence
from typing import NamedTuple

from generator.plugins import CHANCE, OVER, Decks, Engine, LaidPiece, SeatCount, Value, pieces_of, read_numbers


class Boats(NamedTuple):
    """Who moves and whose turn it is; the fish of each; the turn's catch and squalls; the deck."""

    moves: int
    seat: int
    fish: tuple[int, int]
    caught: int
    squalls: int
    deck: tuple[int, ...]


class Catch(Engine[Boats, str]):
    """Turn cards over as long as you dare; the second squall takes your catch."""

    seats = 2

    def __init__(self, decks: Decks, **chosen: Value) -> None:
        cards = pieces_of(decks, "cards")
        self.fish = [fish for (fish,) in read_numbers(cards, ["fish"], 0, 9)]
        self.cards = [f"{card.id} {number}" for number, card in enumerate(cards)]

    def start(self) -> Boats:
        return Boats(CHANCE, 0, (0, 0), 0, 0, tuple(range(len(self.cards))))

    def turn(self, state: Boats) -> int:
        return state.moves

    def legal(self, state: Boats) -> Sequence[str]:
        if state.moves == CHANCE:
            return [self.cards[card] for card in state.deck]
        return [] if state.moves == OVER else ["go on", "stop"]

    def apply(self, state: Boats, move: str) -> Boats:
        if move == "go on":
            return state._replace(moves=CHANCE)
        if move == "stop":
            return self._end_turn(state, state.caught)
        card = self.cards.index(move)
        deck = tuple(other for other in state.deck if other != card)
        squalls = state.squalls + (self.fish[card] == 0)
        state = state._replace(moves=state.seat, squalls=squalls, deck=deck)
        if squalls == 2:
            return self._end_turn(state, 0)
        state = state._replace(caught=state.caught + self.fish[card])
        return state if deck else self._end_turn(state, state.caught)

    def _end_turn(self, state: Boats, catch: int) -> Boats:
        first, second = state.fish
        fish = (first + catch, second) if state.seat == 0 else (first, second + catch)
        return Boats(CHANCE if state.deck else OVER, 1 - state.seat, fish, 0, 0, state.deck)

    def scores(self, state: Boats) -> Sequence[int]:
        return state.fish

    def worth(self, state: Boats, seat: int) -> float:
        """What a bot that looks one move ahead plays for: it stops with four fish, or a squall."""
        is_enough = state.caught >= 4 or (state.squalls == 1 and state.caught > 0)
        is_stopped = state.seat != seat or state.moves == OVER
        return float(is_stopped == is_enough)

    def write(self, state: Boats, move: str) -> str:
        return move

    def say(self, state: Boats, move: str) -> str:
        return "Turn another card over" if move == "go on" else "Stop and keep the fish"

    def ask(self, state: Boats) -> str:
        return "Go on, or keep your fish?"

    def counters(self, state: Boats, seat: int | None = None) -> Sequence[SeatCount]:
        turn: list[SeatCount] = [(None, "fish caught", state.caught), (None, "squalls", state.squalls)]
        return turn + [(each, "fish", fish) for each, fish in enumerate(state.fish)]

    def show(self, state: Boats, seat: int | None = None) -> str:
        return f"fish {state.fish}, caught {state.caught}, squalls {state.squalls}"

    def lay(self, state: Boats, seat: int | None = None) -> Sequence[LaidPiece]:
        ids = [self.cards[card].split()[0] for card in state.deck]
        return [LaidPiece("cards", piece, "back", 0, 0) for piece in ids]
