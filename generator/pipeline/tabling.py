"""A table with the pieces of a game, by its name."""

import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from generator.basics.errors import Place, fail
from generator.model import RULEBOOK, Face, FaceKey, Game
from generator.pipeline.game import bound_of, draw, read_sound_game
from generator.pipeline.imposing import impose_kit
from generator.pipeline.playtesting import make_game_engine
from generator.pipeline.request import parse_request
from generator.pipeline.sheets import OUTPUT, silent
from generator.play.bots import make_bot
from generator.play.table.referee import RefereedTable
from generator.play.table.session import TableSession
from generator.play.table.state import Supply, make_supply

PERSON = "people"  # in the place of a bot
_SEATS = 4


def table_session(game: str, seats: int, language: str = "", file: Path | None = None) -> TableSession:
    """A table with all pieces of a game. It is saved to `file`, by default
    output/GAME.table.json. Raises PnpError with every fault of the game."""
    read, supply = _supply(game, language)
    return TableSession(supply, seats, file or OUTPUT / f"{read.name}.table.json")


def refereed_table(game: str, bots: Sequence[str], rules: Mapping[str, str], language: str = "") -> RefereedTable:
    """A table with the rules of a game, which must be code, and some of its options. `bots` play
    the seats after the first: one for all of them, or one for each, where PERSON is nobody.

    Raises PnpError with every fault of the game, or of what is asked.
    """
    read, supply = _supply(game, language)
    engine = make_game_engine(read, rules)
    others = engine.seats - 1
    if len(bots) not in (1, others):
        what = f"there are {len(bots)} bots for {others} other seats"
        raise fail(Place("--against"), what, "name one for all, or one for each")
    named = bots if len(bots) == others else [*bots] * others
    players = {seat: (name, make_bot(name)) for seat, name in enumerate(named, 1) if name != PERSON}
    return RefereedTable(supply, engine, players)


def _supply(name: str, language: str) -> tuple[Game, Supply]:
    with bound_of(name).hold():
        loaded, _ = read_sound_game(parse_request(name, {"language": language}), silent)
        drawn = draw(loaded, silent)
        rules = _rules(name, language, loaded.game, drawn)
        return loaded.game, make_supply(loaded.game, drawn, rules)


class TableHost:
    """Serves the table of one game at a time, within this process."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._what: tuple[str, str] | None = None
        self._address = ""

    def open(self, game: str, language: str) -> str:
        """The address of a table of a game, the one that is open if it is of the same game. Raises
        PnpError with every fault of the game."""
        if self._what != (game, language):
            from generator.play.table.server import TableServer  # loads what only a server needs

            made = table_session(game, _SEATS, language)
            self.close()
            session = self._open.enter_context(made)
            server = self._open.enter_context(TableServer(session))
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self._open.callback(server.shutdown)
            self._what, self._address = (game, language), server.invitation
        return self._address

    def close(self) -> None:
        self._open.close()
        self._what = None


def _rules(name: str, language: str, game: Game, drawn: dict[FaceKey, Face]) -> Sequence[Face]:
    """The pages of the rulebook in reading order; none if the game has none."""
    if game.booklet is None:
        return []
    request = parse_request(name, {"language": language, "only": [RULEBOOK]})
    return [face for key, face in impose_kit(game, request, drawn, silent).pages.items() if key[0] == RULEBOOK]
