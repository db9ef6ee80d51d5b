"""Findings about a game that its spec accepts; they become notes.

An [[accept]] names the kind of finding, the pieces, the figures and the level. A finding that
differs in one of these keeps its level, and an [[accept]] without a finding is itself a finding.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain, islice, takewhile

from msgspec.structs import replace

from generator.basics.errors import LEVELS, Problem, did_you_mean, quote
from generator.model import Accept

STALE = "accept.stale"  # the only finding that cannot be accepted
_MOST_FIGURES = 400  # characters; longer figures end in a digest
_MEASURE = re.compile(r"(at least|at most) (-?[0-9]+(?:\.[0-9]+)?)(.*)")
_MOST_COMPARED = 100  # findings of a kind that a stale [[accept]] may mean
_Keys = Mapping[str, object]  # of an [[accept]]
_Key = tuple[str, frozenset[str], str]


class Reasons:
    """The accepts of a game's spec. Records the used ones, and findings near the others."""

    def __init__(self, accepts: Sequence[Accept] = ()) -> None:
        self._accepts = dict.fromkeys(accepts)
        self._by_key: dict[_Key, list[Accept]] = {}
        for accept in self._accepts:
            for key in {_key(accept.finding, on, accept.found) for on in _ways(accept)}:
                self._by_key.setdefault(key, []).append(accept)
        self._needed: set[Accept] = set()
        self._others: dict[str, dict[Problem, None]] = {}  # findings that are not accepted, by kind

    def find(self, problem: Problem) -> Accept | None:
        """The first that accepts a finding."""
        alike = self._by_key.get(_key(problem.rule, problem.on, figures(problem)), ())
        return next((reason for reason in alike if not _differences(reason, problem)), None)

    def settle(self, problem: Problem) -> Problem:
        """Returns the finding, as a note with the reason if it is accepted."""
        problem = replace(problem, found=figures(problem))
        accept = self.find(problem)
        if accept is not None:
            self._needed.add(accept)
            return replace(problem, level="note", accepted=accept.reason)
        self._others.setdefault(problem.rule, {})[problem] = None
        return problem

    def stale(self, *kinds: Collection[str], unseen: Collection[str] = ()) -> Iterator[Problem]:
        """A warning for each unused one, unless its kind is `unseen`; an error if its kind of
        finding is in none of `kinds`."""
        for accept in self._accepts:
            if not any(accept.finding in known for known in kinds):
                what = f"unknown kind of finding {quote(accept.finding)}"
                yield Problem(accept.place, what, did_you_mean(accept.finding, chain.from_iterable(kinds)))
            elif accept.is_due and accept not in self._needed and accept.finding not in unseen:
                others = islice(self._others.get(accept.finding, ()), _MOST_COMPARED)
                near = [other for other in others if _is_near(accept, other)]
                what, hint = _staleness(accept, near)
                yield Problem(accept.place, what, hint, "warning", STALE, accept.on)


def _key(finding: str, on: Iterable[str], found: str) -> _Key:
    """Equal for a finding and its [[accept]], except for the measure and its pieces."""
    if measure := _MEASURE.fullmatch(found):
        return finding, frozenset(), measure[1] + measure[3]
    return finding, frozenset(on), found


def entry(problem: Problem, variant: str = "") -> str:
    """The [[accept]] for a finding, with an empty reason, as TOML."""
    return "\n".join(["[[accept]]", *_toml(entry_keys(problem, variant))])


def entry_keys(problem: Problem, variant: str = "") -> dict[str, object]:
    """The keys of the [[accept]] for a finding, with an empty reason; none if it needs none, or cannot be accepted."""
    if problem.rule in ("", STALE) or problem.level == "note":
        return {}
    keys = {"finding": problem.rule, **_keys(problem), "reason": ""}
    return keys | ({"variant": variant} if variant else {})


def figures(problem: Problem) -> str:
    """The figures of a finding, in words that stay the same as long as the finding does."""
    text = " ".join((problem.found or problem.what).split())
    if len(text) <= _MOST_FIGURES:
        return text
    digest = blake2b(text.encode(), digest_size=6).hexdigest()
    return f"{text[: _MOST_FIGURES - len(digest) - 2]}… {digest}"


def _keys(problem: Problem) -> dict[str, object]:
    on = {"on": problem.on[0] if len(problem.on) == 1 else problem.on} if problem.on else {}
    level = {"level": "error"} if problem.level == "error" else {}
    return {**on, "found": figures(problem), **level}


def _differences(accept: Accept, problem: Problem) -> _Keys:
    """The keys that an [[accept]] would have to change to accept a finding."""
    if accept.finding != problem.rule:
        return {"finding": problem.rule}
    keys, is_measured = _keys(problem), _MEASURE.fullmatch(figures(problem))
    on = set(problem.on)
    if any(_holds(way, problem.on) if is_measured else set(way) == on for way in _ways(accept)):
        keys.pop("on", None)
    else:
        keys.setdefault("on", problem.on)
    if _is_as_good(figures(problem), accept.found):
        del keys["found"]
    if LEVELS.index(problem.level) >= LEVELS.index(accept.level):
        keys.pop("level", None)
    return keys


def _ways(accept: Accept) -> tuple[Sequence[str], ...]:
    """The pieces that it accepts, as it lists them, and as findings about all pieces do."""
    return (accept.on, accept.whole) if accept.whole else (accept.on,)


def _holds(accepted: Sequence[str], on: Sequence[str]) -> bool:
    """Whether each piece, or its component, is accepted."""
    return all(name in accepted or name.partition("/")[0] in accepted for name in on)


def _is_as_good(found: str, accepted: str) -> bool:
    """Whether figures equal the accepted ones, or are a measure that is not worse."""
    now, then = _MEASURE.fullmatch(found), _MEASURE.fullmatch(accepted)
    if now is None or then is None or (now[1], now[3]) != (then[1], then[3]):
        return found == accepted
    better, worse = (now, then) if now[1] == "at least" else (then, now)
    return float(better[2]) >= float(worse[2])


def _is_near(accept: Accept, problem: Problem) -> bool:
    """Whether a finding is of the kind and of the components of an [[accept]]."""
    ours, its = ({name.partition("/")[0] for name in on} for on in (accept.on, problem.on))
    return accept.finding == problem.rule and (bool(ours & its) or not ours or not its)


def _staleness(accept: Accept, near: Sequence[Problem]) -> tuple[str, str]:
    """The fault of an unused [[accept]], and a hint."""
    kind = quote(accept.finding)
    if not near:
        on = f" on {', '.join(map(quote, accept.on))}" if accept.on else ""
        return f"{kind} is accepted{on}, but not found", "remove this [[accept]]"

    def likeness(problem: Problem) -> tuple[int, int]:
        shared = set(accept.on) & set(problem.on)
        pairs = zip(accept.found, figures(problem), strict=False)
        alike = takewhile(lambda pair: pair[0] == pair[1], pairs)
        return len(shared), len(list(alike))

    differences = _differences(accept, max(near, key=likeness))
    if set(differences) == {"level"}:
        return f"{kind} is accepted as a warning, but found as an error", 'to accept the error, add level = "error"'
    of = "other figures" if "found" in differences else "other pieces"
    keys = ", ".join(_toml(differences))
    keys = keys if len(keys) <= _MOST_FIGURES else "what pnp check GAME --accept prints"
    return f"{kind} is accepted with {of} than those found now", f"to accept these, write {keys}"


def _toml(keys: _Keys) -> Iterator[str]:
    """Lines `key = value`. JSON of texts and of lists of texts is also TOML."""
    for key, value in keys.items():
        text = json.dumps(value, ensure_ascii=False)
        plain = (char if char.isprintable() else f"\\U{ord(char):08x}" for char in text)
        yield f"{key} = {''.join(plain)}"
