"""Broken command lines: options, lengths, names of games, of files, of printers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random

from tests.fuzz import havoc, material
from tests.fuzz.cases import GAME, OUTPUT, Case
from tests.fuzz.words import words

Value = Callable[[Random], str]
_WORDS = words("options")
_FLAGS = words("flags")
_LEAVES = re.compile(r"^[/~]|\.\.")  # a path that leaves the room


def of(*words: str) -> Value:
    """One of these, nearly always; else near one of them, or odd."""

    def value(rng: Random) -> str:
        chance = rng.random()
        if chance < 0.5:
            return rng.choice(words)
        word = havoc.break_text(rng, rng.choice(words), _WORDS)
        return word if chance < 0.75 else havoc.odd_text(rng)

    return value


def _list(*words: str) -> Value:
    one = of(*words)

    def value(rng: Random) -> str:
        count = rng.choice((0, 1, 2, 3, 300))
        return rng.choice((",", ", ", ";")).join(one(rng) for _ in range(count))

    return value


def _measure(rng: Random) -> str:
    return f"{havoc.length(rng)}x{havoc.length(rng)}" if rng.random() < 0.5 else havoc.length(rng)


def _paper(rng: Random) -> str:
    named = of("letter", "a4", "legal", "tabloid", "a3", "a5", "arch-b", "210x297mm", "8.5inx11in")
    return named(rng) if rng.random() < 0.5 else _measure(rng)


def _margin(rng: Random) -> str:
    return of("tight", "usual", "safe")(rng) if rng.random() < 0.3 else havoc.length(rng)


def _number(rng: Random) -> str:
    return str(rng.randint(15, 1300)) if rng.random() < 0.6 else havoc.number_text(rng)


def _reading(rng: Random) -> str:
    return rng.choice("ADEFHZ") + str(rng.randint(0, 62)) if rng.random() < 0.8 else havoc.odd_text(rng)


_game = of(GAME, "game", "./game/", "talavera", "nonsense", "./game-nonsense", "./game/game.toml", ".", "/")
_PRINTING: Mapping[str, Value] = {
    "--paper": _paper,
    "--margin": _margin,
    "--flip": of("long", "short"),
    "--sides": of("duplex", "fold", "single", "separate"),
    "--orientation": of("auto", "portrait", "landscape"),
    "--marks": _list("cut", "corner", "outline", "register", "frame", "backs", "none"),
    "--cutter": _list("silhouette", "cricut", "opos", "laser", "marks=4", "inset=12mm", "none"),
    "--booklet": of("fold", "off"),
    "--lang": of("de", "en", "pt-BR"),
    "--only": _list("cards", "rules", "cover"),
    "--gap": havoc.length,
    "--scale": of("75%", "100 %", "12.5%", "400%", "0.75"),
    "--printer": of("none", "brother"),
}
_COMMANDS: Mapping[str, Mapping[str, Value]] = {
    "build": {**_PRINTING, "--changed-since": of("HEAD", "HEAD~3", "v1")},
    "check": {"--format": of("text", "json"), "--printer": of("none", "b"), "--lang": of("de")},
    "export": {**_PRINTING, "--to": of("png"), "--dpi": _number, "--drift": havoc.length},
    "diff": {"--format": of("text", "json"), "--lang": of("de")},
    "new": {"--kind": of("cards", "hexes", "tokens")},
    "list": {},
    "schema": {},
}


def make(rng: Random) -> Case:
    chance = rng.random()
    if chance < 0.7:
        arguments = ["build", *options(rng, _COMMANDS["build"]), GAME, "--plan"]
    elif chance < 0.8:
        arguments = _printer(rng)
    else:
        arguments = _other(rng)
    if rng.random() < 0.15:
        arguments.insert(rng.randrange(len(arguments) + 1), rng.choice(_FLAGS))
    if rng.random() < 0.05:
        rng.shuffle(arguments)
    return Case(material.TINY, tuple(map(passable, _at_home(arguments))))


def options(rng: Random, known: Mapping[str, Value]) -> list[str]:
    """Some of these options, with values."""
    made: list[str] = []
    for name in rng.choices(list(known), k=rng.choice((0, 1, 1, 2, 3, 8))) if known else ():
        value = known[name](rng)
        made += [f"{name}={value}"] if rng.random() < 0.3 else [name, value]
    return made


def _other(rng: Random) -> list[str]:
    """Another command; what would be printed or checked of a sound game, which takes a second or
    more, is asked in a way that is refused, but for a few."""
    command = rng.choice([name for name in _COMMANDS if name != "build"])
    given = options(rng, _COMMANDS[command])
    if command == "new":
        return [command, *given, _new_name(rng)]
    if command in ("list", "schema"):
        return [command, *(["--names"] if rng.random() < 0.9 else [])][: 1 + (command == "list")]
    is_slow = command in ("check", "export") and rng.random() < 0.97
    game = "./nonsense" if is_slow else _game(rng)
    return [command, *given, game, *(["HEAD"] if command == "diff" else [])]


def _new_name(rng: Random) -> str:
    return of("my-game", "game", "a/b", "./x", "x" * 200)(rng)


def _printer(rng: Random) -> list[str]:
    name = of("brother", "none", "my printer", "a/b")(rng)
    given = {"--paper": _paper, "--flip": of("long", "short"), "--margin": _margin}
    readings = [_reading(rng) for _ in range(rng.choice((0, 1, 7, 8, 8, 8, 9)))]
    chance = rng.random()
    if chance < 0.7:
        return ["printer", "set", *options(rng, given), name, *readings]
    return ["printer", rng.choice(("show", "list", "default", "remove", "sheets")), name]


def _at_home(arguments: list[str]) -> list[str]:
    """What `build`, `export` and `new` would write stays in the room: no path that leaves it."""
    writes = {"new", "-o", "--output", "sheet", "proof"} & set(arguments)
    if writes:
        arguments = [_LEAVES.sub("", argument) for argument in arguments]
    return [*arguments, "-o", OUTPUT] if arguments[:1] == ["build"] else arguments


def passable(argument: str) -> str:
    """As the system hands an argument on: no null character, any byte."""
    return (
        argument.replace("\0", "")
        .encode("utf-8", "surrogateescape" if "\udc80" in argument else "replace")
        .decode("utf-8", "surrogateescape")
    )
