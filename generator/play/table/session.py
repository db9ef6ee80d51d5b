"""Take a supply, keep a table on which people do as they like."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from generator.basics.written import write_whole
from generator.play.table.acting import Action, Situation
from generator.play.table.actions import MESSAGES, TakeSeat
from generator.play.table.messages import read_message
from generator.play.table.saving import load_state, write_state
from generator.play.table.setup import set_up
from generator.play.table.shared import MOST_TOLD, SharedTable, Visitor, name_seat
from generator.play.table.sight import describe_state
from generator.play.table.state import History, TableState
from generator.play.table.supply import Supply


class TableSession(SharedTable):
    """A table without rules. `file` is where it is saved."""

    def __init__(
        self, supply: Supply, seats: int, file: Path, random: Random | None = None
    ) -> None:
        super().__init__(supply)
        self._seats = seats
        self._file = file
        self._random = random or SystemRandom()
        self._history = History(set_up(supply, seats, self._random))
        self._told: deque[str] = deque(maxlen=MOST_TOLD)

    @property
    def state(self) -> TableState:
        return self._history.state

    @property
    def seats(self) -> int:
        return len(self.state.hands)

    def _do(self, visitor: Visitor, body: bytes) -> None:
        name, message = read_message(body, MESSAGES)
        if isinstance(message, TakeSeat):
            self._told.append(self._sit(visitor, message.seat))
        elif isinstance(message, Action):
            self._told.append(self._apply(visitor, message))
        else:
            self._told.append(self._command(name))

    def _apply(self, visitor: Visitor, action: Action) -> str:
        seated = sorted(self._seated())
        at = Situation(self.state, self.supply, self._random, visitor.seat, seated)
        state = action.apply(at)
        told = f"{name_seat(visitor.seat)} {action.tell(at)}"
        self._history = self._history.go_on(state)
        return told

    def _command(self, name: str) -> str:
        commands: dict[str, Callable[[], str]] = {
            "undo": self._undo,
            "redo": self._redo,
            "save": self._save,
            "load": self._load,
            "restart": self._restart,
        }
        return commands[name]()

    def _undo(self) -> str:
        self._history = self._history.undo()
        return "The last action is undone"

    def _redo(self) -> str:
        self._history = self._history.redo()
        return "It is done again"

    def _save(self) -> str:
        write_whole(self._file, write_state(self.state, self.supply))
        return f"The table is saved to {self._file.name}"

    def _load(self) -> str:
        self._go_to(load_state(self._file, self.supply))
        return f"The table is as {self._file.name} has it"

    def _restart(self) -> str:
        self._go_to(set_up(self.supply, self._seats, self._random))
        return "The table is set up again"

    def _go_to(self, state: TableState) -> None:
        self._history = self._history.go_to(state)

    def _describe(self, visitor: Visitor) -> dict[str, Any]:
        seated = self._seated()
        seats = [
            {"name": name_seat(seat), "cards": len(hand), "isTaken": seat in seated}
            for seat, hand in enumerate(self.state.hands)
        ]
        return {
            **describe_state(self.state, self.supply, visitor.seat),
            "number": self._done,
            "seat": visitor.seat,
            "seats": seats,
            "told": list(self._told),
            "canUndo": bool(self._history.past),
            "canRedo": bool(self._history.undone),
        }
