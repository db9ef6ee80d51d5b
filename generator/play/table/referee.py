"""A table that keeps to the rules of a game as code: only legal moves, and bots in seats.

A legal move is offered as a person makes it: the pieces that he touches, and where he puts them.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from random import Random, SystemRandom
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from generator.basics.errors import PnpError
from generator.basics.geometry import Point, Rect, Size, steady, turning
from generator.basics.keys import Keys
from generator.model import Side
from generator.play.bots import Bot
from generator.play.engine import CHANCE, OVER, Engine, LaidPiece
from generator.play.table.actions import Id, Length, TableCommand
from generator.play.table.server import MOST_TOLD, SharedTable, Visitor, read_message
from generator.play.table.state import JsonObject, RefusedError, SuppliedPiece, Supply

_MOST_PUT = 40  # pieces by one move; a move that lays more otherwise is only named
_MOST_TRIED = 800  # moves that are made to learn what they change
_PLACE = ("x", "y", "turn")

Numbered = Sequence[tuple[int, LaidPiece]]  # what lies on the table, with ids
Change = tuple[Counter[LaidPiece], Counter[LaidPiece]]
Show = Callable[[LaidPiece], JsonObject]
_RIM = 10.0  # mm around what lies and what may be laid
_LEAST = Size(300.0, 160.0)  # mm: the smallest part of a table that is shown
_MOST_ALIKE = 1000  # pieces of one id
_DEALS = 30  # of what a seat does not see, to learn whether a move tells it something
_NOTHING: Mapping[str, Any] = {"moves": [], "spots": [], "looks": []}  # is offered
_LONGEST = 300  # characters of a move's name
_SEED_BITS = 128  # nobody guesses them


class LegalMove(Struct, frozen=True):
    """A move with its name and its words.

    takes: the ids of the pieces on the table that it touches and does not put elsewhere, in order.
    puts: the pieces that it puts on the table, each with the id of the piece that it is, 0 if that
    does not lie there.
    """

    name: str
    words: str
    move: Any
    takes: Sequence[int] = ()
    puts: Sequence[tuple[int, LaidPiece]] = ()


class MoveFinder:
    """Finds the legal moves of the seat whose turn it is. `lying`: what it sees on the table;
    `deals`: states with other hidden cards."""

    def __init__(self, engine: Engine[Any, Any], state: Any, lying: Numbered, deals: Iterable[Any]) -> None:
        self._engine, self._state, self._deals = engine, state, deals
        self._seat = engine.turn(state)
        self._moves = engine.legal(state)
        self._lying = [it for _, it in lying]
        self._ids = {it: id_ for id_, it in reversed(lying)}
        self._named = {(it.component, it.piece): it for it in self._lying if it.piece}

    def find(self) -> list[LegalMove]:
        return [self._look(move) for move in self._moves]

    def _look(self, move: Any) -> LegalMove:
        """A move with what it touches, as far as that does not depend on what the seat cannot see:
        a move may turn up what was hidden."""
        gone, new = self._touch(self._state, move)
        for other in self._look_alikes if gone or new else ():
            also_gone, also_new = self._touch(other, move)
            gone, new = gone & also_gone, new & also_new
        sources = {(it.component, it.piece): it for it in gone}
        puts = []
        for it in new.elements():
            source = sources.get((it.component, it.piece))
            if source is None or (it.x, it.y, it.turn) != (source.x, source.y, source.turn):
                puts.append((0 if source is None else self._ids[source], it))
        name = self._engine.write(self._state, move)
        takes = {self._ids[it] for it in gone} - {source for source, _ in puts}
        return LegalMove(name, self._engine.say(self._state, move), move, sorted(takes), puts)

    def _touch(self, state: Any, move: Any) -> Change:
        """The pieces that a move takes from where they lie, or only touches; and what it puts."""
        touched = self._engine.touch(state, move)
        if touched is None:
            is_tried = len(self._moves) <= _MOST_TRIED
            return self._change(state, move) if is_tried else (Counter(), Counter())
        ids, named = self._ids, self._named
        lying = (it if it in ids else named.get((it.component, it.piece)) for it in touched)
        return Counter(it for it in lying if it), Counter(it for it in touched if it not in ids)

    def _change(self, state: Any, move: Any) -> Change:
        """The pieces that lie differently after a move; if the move takes a piece, only that one, as others may
        make room for it."""
        before = Counter(self._lying)
        after = Counter(self._engine.lay(self._engine.apply(state, move), self._seat))
        taken = self._engine.piece_of(state, move)
        gone, new = (
            Counter({it: n for it, n in changed.items() if taken in ("", it.piece)})
            for changed in (before - after, after - before)
        )
        return (gone, new) if new.total() <= _MOST_PUT else (Counter(), Counter())

    @cached_property
    def _look_alikes(self) -> list[Any]:
        """States in which the table looks the same to the seat: a deal may also change cards that
        it sees and takes for unknown."""
        return [it for it in self._deals if self._engine.lay(it, self._seat) == self._lying]


def describe_moves(moves: Sequence[LegalMove], show: Show) -> Mapping[str, JsonObject | Any]:
    """Moves for the page: a spot is the number of a look, x, y and turn; a look is the side of a
    piece. `puts` are the numbers of spots."""
    looks: dict[str, int] = {}
    found: list[JsonObject] = []
    spots: dict[tuple[float, ...], int] = {}

    def spot(source: int, it: LaidPiece) -> int:
        shown = show(it)
        x, y, turn = (shown.pop(name) for name in _PLACE)
        look = {"id": source or None, **shown}
        number = looks.setdefault(repr(look), len(looks))
        if number == len(found):
            found.append(look)
        return spots.setdefault((number, x, y, turn), len(spots))

    named = [
        {"name": it.name, "words": it.words, "takes": it.takes, "puts": [spot(*put) for put in it.puts]} for it in moves
    ]
    return {"moves": named, "spots": [*map(list, spots)], "looks": found}


class PlayMove(Keys, frozen=True, kw_only=True):
    """Makes the legal move of this name."""

    move: Annotated[str, Meta(max_length=_LONGEST)]


class AimPiece(Keys, frozen=True, kw_only=True):
    """Asks why a piece may not lie there, the one with this id or any of a set; without x, why it cannot be taken."""

    id: Id | None
    set: Annotated[int, Meta(ge=0)] = 0
    is_up: bool = True
    x: Length | None = None
    y: Length = 0.0
    turn: Annotated[float, Meta(ge=0, lt=360)] = 0.0


class SitAtGame(Keys, frozen=True, kw_only=True):
    """Takes a seat of a game, which may have more of them."""

    seat: Annotated[int, Meta(ge=0, le=99)] | None = None


_Message = PlayMove | AimPiece | SitAtGame | TableCommand
_MESSAGES: Mapping[str, type[_Message]] = {
    "play": PlayMove,
    "why": AimPiece,
    "sit": SitAtGame,
    "undo": TableCommand,
    "restart": TableCommand,
}


class MoveTold(Struct, frozen=True):
    """A line of the log: the move in words, and what those read who are not `knowing`."""

    words: str
    hidden: str
    knowing: frozenset[int]

    def tell(self, viewer: int | None) -> str:
        return self.words if viewer in self.knowing else self.hidden


class RefereedTable(SharedTable):
    """A table with rules. `bots` play the seats that they are given for."""

    def __init__(
        self,
        supply: Supply,
        engine: Engine[Any, Any],
        bots: Mapping[int, tuple[str, Bot]],
        random: Random | None = None,
    ) -> None:
        super().__init__(supply)
        self._engine = engine
        engine.speak(self.phrases.language)
        self._bots = bots
        self._random = random or SystemRandom()
        self._pieces = {(supply.sets[piece.set].id, piece.id): piece for piece in supply.pieces}
        backs = {piece.set: piece.back for piece in supply.pieces if supply.sets[piece.set].is_hiding}
        self._blanks = {it.id: SuppliedPiece(at, "", "", 1, "", backs.get(at)) for at, it in enumerate(supply.sets)}
        self._places = {key: place for place, key in enumerate(self._pieces)}
        self._moves: deque[MoveTold | str] = deque(maxlen=MOST_TOLD)
        self._choices: list[tuple[Any, int]] = []  # states in which somebody chose; moves before
        self._begin()
        self._go_on()

    @property
    def seats(self) -> int:
        return self._engine.seats

    def _begin(self) -> None:
        """A new game. Chance and bots draw from its seed and the number of the move, so that a
        choice that is taken back is followed by the same cards."""
        self._choices.clear()
        self._seed = self._random.getrandbits(_SEED_BITS)
        self._made = 0  # moves
        self._put(self._engine.start())

    def _do(self, visitor: Visitor, body: bytes) -> None:
        name, message = self._read(body)
        if isinstance(message, SitAtGame):
            if message.seat in self._bots:
                raise RefusedError("bot", seat=self._name(message.seat))
            self._moves.append(self._sit(visitor, message.seat))
        elif isinstance(message, TableCommand):
            self._undo(visitor) if name == "undo" else self._restart(self._name(visitor.seat))
        elif isinstance(message, AimPiece):
            self._check_turn(visitor)
            words = self._explain(message)
            raise RefusedError("reason", words=words) if words else RefusedError("no-place")
        else:
            self._make(self._find(message, self._check_turn(visitor)))

    def _find(self, message: PlayMove, legal: Sequence[LegalMove]) -> LegalMove:
        for move in legal:
            if move.name == message.move:
                return move
        raise RefusedError("move", move=repr(message.move))

    def _explain(self, aim: AimPiece) -> str:
        """Why a piece may not lie there; "" if the reason would reveal something hidden from the seat in turn."""
        seat = self._engine.turn(self._state)
        laid, frame = self._lay(seat), self._frame(seat)
        piece = dict(zip(self._number(laid), laid, strict=True)).get(aim.id or 0)
        if piece is None and aim.set < len(self.supply.sets):
            piece = LaidPiece(self.supply.sets[aim.set].id, "", "front", 0.0, 0.0)
        if piece is None:
            return ""
        if aim.x is not None:
            side: Side = "front" if aim.is_up else "back"
            piece = replace(piece, side=side, x=aim.x + frame.x0, y=aim.y + frame.y0, turn=aim.turn)
        why = self._engine.why(self._state, piece)
        return why if all(self._engine.why(other, piece) == why for other in self._deal_unseen(seat)) else ""

    def _read(self, body: bytes) -> tuple[str, _Message]:
        try:
            return read_message(body, _MESSAGES)
        except PnpError:
            raise RefusedError("rules") from None

    def _check_turn(self, visitor: Visitor) -> list[LegalMove]:
        turn = self._engine.turn(self._state)
        if turn == OVER:
            raise RefusedError("over")
        if visitor.seat is None:
            raise RefusedError("no-seat")
        if visitor.seat != turn:
            raise RefusedError("not-your-turn", seat=self._name(turn))
        return self._known

    def _make(self, chosen: LegalMove) -> None:
        self._choices.append((self._state, self._made))
        self._log_move(chosen.words)
        self._apply(chosen.move)
        self._go_on()

    def _apply(self, move: Any) -> None:
        self._put(self._engine.apply(self._state, move))
        self._made += 1

    def _log_move(self, words: str) -> None:
        """Logs a move before it is made. A seat reads the wording only if it would fit a legal move
        with any hidden cards; otherwise it would reveal them."""
        turn = self._engine.turn(self._state)
        knowing = (seat for seat in range(self.seats) if seat == turn or self._is_open(words, seat))
        line = self._say("log.moved", who=self._name(turn), words=_lower(words))
        self._moves.append(MoveTold(line, self._say("log.moves", who=self._name(turn)), frozenset(knowing)))

    def _is_open(self, words: str, seat: int) -> bool:
        say, legal = self._engine.say, self._engine.legal
        return all(any(say(other, move) == words for move in legal(other)) for other in self._deal_unseen(seat))

    def _deal_unseen(self, seat: int) -> Iterator[Any]:
        """States that look the same to a seat; none if nothing is hidden."""
        for _ in range(_DEALS):
            other = self._engine.deal_unseen(self._state, seat, self._random)
            if other is self._state:
                return
            yield other

    def _put(self, state: Any) -> None:
        self._state = state
        self._frames: dict[int | None, Rect] = {}
        for found in ("_known", "_offered"):
            self.__dict__.pop(found, None)

    def _go_on(self) -> None:
        """Chance and bots move until a person chooses."""
        engine = self._engine
        while (turn := engine.turn(self._state)) != OVER:
            moves = [] if turn == CHANCE else engine.legal(self._state)
            chance = Random(f"{self._seed} {self._made}")
            if turn == CHANCE:
                move = engine.draw(self._state, chance)
                self._moves.extend(engine.tell_news(self._state, move))
            elif turn in self._bots:
                move = self._bots[turn][1](engine, self._state, moves, chance)
                self._log_move(engine.say(self._state, move))
            elif len(moves) == 1:
                move = moves[0]
                self._log_move(engine.say(self._state, move))
            else:
                return
            self._apply(move)
        self._moves.append(self._tell_end())

    def _tell_end(self) -> str:
        winners = [self._name(seat) for seat in self._engine.winners(self._state)]
        scores = map(self._engine.tell, self._engine.scores(self._state))
        places = "; ".join(f"{self._name(seat)}: {score}" for seat, score in enumerate(scores))
        named = self.phrases.join(winners or [self._say("turn.nobody")])
        return self._say("turn.over", winners=named, scores=places)

    def _can_undo(self, seat: int | None) -> bool:
        """Whether the last choice was that of a seat."""
        return bool(self._choices) and self._engine.turn(self._choices[-1][0]) == seat

    def _undo(self, visitor: Visitor) -> None:
        if not self._can_undo(visitor.seat):
            raise RefusedError("nothing-chosen")
        state, self._made = self._choices.pop()
        self._put(state)
        self._moves.append(self._say("log.undo-choice", who=self._name(visitor.seat)))

    def _restart(self, who: str) -> None:
        self._begin()
        self._free_seats()
        self._moves.append(self._say("log.new-game", who=who))
        self._go_on()

    @cached_property
    def _known(self) -> list[LegalMove]:
        seat = self._engine.turn(self._state)
        laid = self._lay(seat)
        lying = list(zip(self._number(laid), laid, strict=True))
        return MoveFinder(self._engine, self._state, lying, self._deal_unseen(seat)).find()

    @cached_property
    def _offered(self) -> Mapping[str, Any]:
        """These moves as the seat's page gets them. Where the rules hide something from it, all
        faces are blank that it does not see: a move may turn a piece over."""
        seat = self._engine.turn(self._state)
        laid = self._lay(seat)
        frame = self._frame(seat)
        seen = {self._show_piece(it, frame)["face"] for it in laid}
        is_open = next(self._deal_unseen(seat), None) is None

        def show(it: LaidPiece) -> JsonObject:
            shown = self._show_piece(it, frame)
            is_seen = is_open or shown["face"] in seen
            return shown if is_seen else {**shown, "face": None, "name": ""}

        return describe_moves(self._known, show)

    def _lay(self, seat: int | None) -> Sequence[LaidPiece]:
        """The table as a seat sees it; for a guest, nothing: cards may be hidden from some."""
        return [] if seat is None else self._engine.lay(self._state, seat)

    def _frame(self, seat: int | None) -> Rect:
        """The part of the engine's table that the page of a seat shows: what lies, and what it may
        lay at its turn, with a rim."""
        if seat not in self._frames:
            moves = self._known if seat == self._engine.turn(self._state) else []
            shown = [*self._lay(seat), *(put for move in moves for _, put in move.puts)]
            sizes = [self.supply.sets[self._piece(it).set].size for it in shown]
            boxes = [_turned(size, it.turn).moved(it.x, it.y) for it, size in zip(shown, sizes, strict=True)]
            first, *others = boxes or [Rect(0.0, 0.0, 0.0, 0.0)]
            box = first.around(*others).grown(_RIM)
            x, y = max(_LEAST.width - box.width, 0.0) / 2, max(_LEAST.height - box.height, 0.0) / 2
            self._frames[seat] = Rect(box.x0 - x, box.y0 - y, box.x1 + x, box.y1 + y)
        return self._frames[seat]

    def _describe(self, visitor: Visitor) -> JsonObject:
        seat, turn = visitor.seat, self._engine.turn(self._state)
        laid = self._lay(seat)
        frame = self._frame(seat)
        stacks = [
            {"id": id_, "count": 1, **self._show_piece(it, frame)}
            for id_, it in zip(self._number(laid), laid, strict=True)
        ]
        return {
            "size": [frame.width, frame.height],
            "stacks": stacks,
            "dice": [],
            "counters": [],
            "hand": [],
            "number": self._done,
            "seat": seat,
            "seats": self._describe_seats(),
            "told": [move if isinstance(move, str) else move.tell(seat) for move in self._moves],
            "canUndo": self._can_undo(seat),
            "canRedo": False,
            "played": {
                "turn": self._tell_turn(turn, seat),
                "text": "" if seat is None else self._engine.show(self._state, seat),
                "counters": self._describe_counters(seat),
                **(self._offered if seat == turn else _NOTHING),
            },
        }

    def _describe_counters(self, seat: int | None) -> list[JsonObject]:
        counters = [] if seat is None else self._engine.counters(self._state, seat)
        return [
            {"seat": of, "label": label, "count": count, **self._find_icon(*icon)}
            for of, label, count, *icon in counters
        ]

    def _find_icon(self, name: str = "") -> JsonObject:
        """An art, or the side of a piece that lies up at first; nothing if the game has neither."""
        if icon := self.supply.icons.get(name):
            self._pictures.want([icon], self.supply.font_folders)
            return {"icon": {"face": icon.id, "set": None, "isUp": True}}
        for (component, id_), piece in self._pieces.items():
            if name in (component, f"{component}/{id_}"):
                is_up = not self.supply.sets[piece.set].is_hiding
                return {"icon": {"face": piece.front if is_up else piece.back, "set": piece.set, "isUp": is_up}}
        return {}

    def _describe_seats(self) -> list[JsonObject]:
        taken = {*self._kept(), *self._bots}
        names = {seat: self._name(seat) for seat in range(self.seats)}
        for seat, (bot, _) in self._bots.items():
            names[seat] = self._say("seat.bot", seat=names[seat], bot=bot)
        return [{"name": name, "cards": 0, "isTaken": seat in taken} for seat, name in names.items()]

    def _tell_turn(self, turn: int, seat: int | None) -> str:
        if turn == OVER:
            return self._tell_end()
        if seat is None:
            return self._say("turn.look-on")
        ask = _lower(self._engine.ask(self._state))
        return (
            self._say("turn.yours", ask=ask) if turn == seat else self._say("turn.other", who=self._name(turn), ask=ask)
        )

    def _show_piece(self, it: LaidPiece, frame: Rect) -> JsonObject:
        piece, is_up = self._piece(it), it.side == "front"
        is_known = is_up or not self.supply.sets[piece.set].is_hiding
        return {
            "x": steady(it.x - frame.x0, 2),
            "y": steady(it.y - frame.y0, 2),
            "turn": steady(it.turn, 2),
            "set": piece.set,
            "isUp": is_up,
            "face": (piece.front if is_up else piece.back) or None,
            "name": piece.name if is_known else "",
        }

    def _piece(self, it: LaidPiece) -> SuppliedPiece:
        """Any piece of a component, and one that a seat does not know, has no id."""
        return self._pieces[it.component, it.piece] if it.piece else self._blanks[it.component]

    def _number(self, laid: Sequence[LaidPiece]) -> list[int]:
        """An id for each piece, the same as long as it lies there. Pieces that are alike are
        counted, and so are those that nobody knows: an id must not tell what they are."""
        seen: Counter[int] = Counter()
        numbers = []
        for it in laid:
            piece = self._piece(it)
            is_hidden = not it.piece or (it.side == "back" and self.supply.sets[piece.set].is_hiding)
            hidden = len(self._places) + piece.set
            kind = hidden if is_hidden else self._places[it.component, it.piece]
            numbers.append(kind * _MOST_ALIKE + seen[kind] + 1)
            seen[kind] += 1
        return numbers


@cache
def _turned(size: Size, turn: float) -> Rect:
    """The upright box around a piece whose middle is at (0, 0)."""
    x, y = size.width / 2, size.height / 2
    return turning(turn, Point(0.0, 0.0)).apply_rect(Rect(-x, -y, x, y))


def _lower(sentence: str) -> str:
    """The sentence with a small first letter, to follow a colon."""
    return sentence[:1].lower() + sentence[1:]
