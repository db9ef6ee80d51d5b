"""Take the findings about a game, keep apart those that its spec accepts.

An [[accept]] is bound to what it lets stay: the kind of finding, the pieces, the figures, and how
grave it is. A finding that differs in one of these stays as it is, and the [[accept]] becomes a
finding.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import islice, takewhile

from generator.errors import LEVELS, Problem, did_you_mean, quote
from generator.model import Accept

STALE = "accept.stale"  # the only finding that cannot be accepted
_MOST_FIGURES = 400  # characters: what is longer is told by its beginning and a digest
_MEASURE = re.compile(r"(at least|at most) (-?[0-9]+(?:\.[0-9]+)?)(.*)")
_MOST_COMPARED = 100  # findings of a kind that an [[accept]] might have meant
_Keys = Mapping[str, object]  # what an [[accept]] says of a finding
_Key = tuple[str, frozenset[str], str]


class Reasons:
    """What a game's spec accepts; remembers which of it was needed, and what came near the rest."""

    def __init__(self, accepts: Sequence[Accept] = ()) -> None:
        self._accepts = dict.fromkeys(accepts)
        self._by_key: dict[_Key, list[Accept]] = {}
        for accept in self._accepts:
            self._by_key.setdefault(_key(accept.finding, accept.on, accept.found), []).append(
                accept
            )
        self._needed: set[Accept] = set()
        self._others: dict[str, dict[Problem, None]] = {}  # those that may not stay, by their kind

    def find(self, problem: Problem) -> Accept | None:
        """The first that lets a finding stay."""
        alike = self._by_key.get(_key(problem.rule, problem.on, figures(problem)), ())
        return next((one for one in alike if not _differences(one, problem)), None)

    def settle(self, problem: Problem) -> Problem:
        """The finding; a note with the reason where it may stay."""
        problem = replace(problem, found=figures(problem))
        accept = self.find(problem)
        if accept is not None:
            self._needed.add(accept)
            return replace(problem, level="note", accepted=accept.reason)
        self._others.setdefault(problem.rule, {})[problem] = None
        return problem

    def stale(self, known: Collection[str]) -> Iterator[Problem]:
        """A warning for each that nothing needed; an error where no finding is of its kind."""
        for accept in self._accepts:
            if accept.finding not in known:
                what = f"there is no finding {quote(accept.finding)} that could be accepted"
                yield Problem(accept.place, what, did_you_mean(accept.finding, known))
            elif accept.is_due and accept not in self._needed:
                others = islice(self._others.get(accept.finding, ()), _MOST_COMPARED)
                what, hint = _staleness(accept, [one for one in others if _is_near(accept, one)])
                yield Problem(accept.place, what, hint, "warning", STALE, accept.on)


def _key(finding: str, on: Iterable[str], found: str) -> _Key:
    """Equal for a finding and what may accept it: measures are compared after that."""
    if measure := _MEASURE.fullmatch(found):
        return finding, frozenset(), measure[1] + measure[3]
    return finding, frozenset(on), found


def entry(problem: Problem, variant: str = "") -> str:
    """The [[accept]] that would let a finding stay, without its reason, as TOML."""
    keys: dict[str, object] = {"finding": problem.rule, **_keys(problem), "reason": ""}
    keys |= {"variant": variant} if variant else {}
    return "\n".join(["[[accept]]", *_toml(keys)])


def figures(problem: Problem) -> str:
    """What is found, in words that stay the same as long as it does."""
    told = " ".join((problem.found or problem.what).split())
    if len(told) <= _MOST_FIGURES:
        return told
    digest = blake2b(told.encode(), digest_size=6).hexdigest()
    return f"{told[: _MOST_FIGURES - len(digest) - 2]}… {digest}"


def _keys(problem: Problem) -> dict[str, object]:
    """What an [[accept]] has to say of a finding."""
    on = {"on": problem.on[0] if len(problem.on) == 1 else problem.on} if problem.on else {}
    level = {"level": "error"} if problem.level == "error" else {}
    return {**on, "found": figures(problem), **level}


def _differences(accept: Accept, problem: Problem) -> _Keys:
    """The keys in which an [[accept]] differs from what would let a finding stay."""
    if accept.finding != problem.rule:
        return {"finding": problem.rule}
    keys, is_measured = _keys(problem), _MEASURE.fullmatch(figures(problem))
    if _holds(accept.on, problem.on) if is_measured else set(accept.on) == set(problem.on):
        keys.pop("on", None)
    else:
        keys.setdefault("on", problem.on)
    if _is_as_good(figures(problem), accept.found):
        del keys["found"]
    if LEVELS.index(problem.level) >= LEVELS.index(accept.level):
        keys.pop("level", None)
    return keys


def _holds(accepted: Sequence[str], on: Sequence[str]) -> bool:
    """Whether each piece is accepted, by itself or with its component."""
    return all(one in accepted or one.partition("/")[0] in accepted for one in on)


def _is_as_good(found: str, accepted: str) -> bool:
    """Whether figures are the accepted ones, or a measure that is no worse."""
    now, then = _MEASURE.fullmatch(found), _MEASURE.fullmatch(accepted)
    if now is None or then is None or (now[1], now[3]) != (then[1], then[3]):
        return found == accepted
    better, worse = (now, then) if now[1] == "at least" else (then, now)
    return float(better[2]) >= float(worse[2])


def _is_near(accept: Accept, problem: Problem) -> bool:
    """Whether a finding is of the kind and of the components of an [[accept]]."""
    ours, its = ({one.partition("/")[0] for one in on} for on in (accept.on, problem.on))
    return accept.finding == problem.rule and (bool(ours & its) or not ours or not its)


def _staleness(accept: Accept, near: Sequence[Problem]) -> tuple[str, str]:
    """What is wrong with an [[accept]] that nothing needed, and a hint."""
    kind = quote(accept.finding)
    if not near:
        on = f" on {_list_ids(accept.on)}" if accept.on else ""
        return f"{kind} is accepted{on}, and is not found", "take this [[accept]] out"

    def likeness(problem: Problem) -> tuple[int, int]:
        shared = set(accept.on) & set(problem.on)
        pairs = zip(accept.found, figures(problem), strict=False)
        alike = takewhile(lambda pair: pair[0] == pair[1], pairs)
        return len(shared), len(list(alike))

    differences = _differences(accept, max(near, key=likeness))
    if set(differences) == {"level"}:
        hint = 'level = "error" accepts it all the same'
        return f"{kind} is accepted as a warning, and is found as an error", hint
    of = "other figures" if "found" in differences else "other pieces"
    keys = ", ".join(_toml(differences))
    keys = keys if len(keys) <= _MOST_FIGURES else "what pnp check GAME --accept prints"
    return f"{kind} is accepted with {of} than are found now", f"if they may stay too, write {keys}"


def _list_ids(on: Sequence[str]) -> str:
    return ", ".join(map(quote, on))


def _toml(keys: _Keys) -> Iterator[str]:
    """Lines `key = value`: JSON of texts and lists of texts is TOML too."""
    for key, value in keys.items():
        told = json.dumps(value, ensure_ascii=False)
        yield f"{key} = {''.join(sign if sign.isprintable() else _escape(sign) for sign in told)}"


def _escape(sign: str) -> str:
    return f"\\U{ord(sign):08x}"
