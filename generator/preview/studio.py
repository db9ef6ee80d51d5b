"""Take what makes a game, keep its views as its files are: look, make anew, paint, tell."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from typing import NamedTuple

from generator.errors import PnpError, Problem
from generator.model import FaceKey
from generator.preview.painters import Painters, Wish
from generator.preview.parts import Part
from generator.preview.view import Choice, Drawn, Maker, View, named, told, told_findings
from generator.preview.watch import Watch

_SECONDS_A_PICTURE = 40.0  # that a browser waits for one
_QUIET = 0.4  # s after which faces are looked at for what takes longer
_SECOND_LOOK = 0.05  # s after which a fault is one, and no file that is half saved
_GATHERED = 0.05  # s for which faces that are seen wait for others
_AHEAD = 0.5  # s that faces nobody sees wait for those that are looked at
_SWITCH = 0.001  # s: who hands out pictures does not wait long for who draws


class Event(NamedTuple):
    """What a page is told: a name, and JSON."""

    name: str
    data: str


class Listener(SimpleQueue[Event | None]):
    """A page: what it has still to be told, None at the end; and which faces are seen on it."""

    seen: Collection[FaceKey] = ()


@dataclass(eq=False)
class _Feed:
    """A choice that pages show, and what they were last told of it."""

    choice: Choice
    listeners: list[Listener] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)  # since it was last made
    is_due: bool = True
    is_changing: bool = False  # it is being made
    view: View | None = None
    fresh: dict[str, list[str]] = field(default_factory=dict)  # being painted: whose faces
    found: tuple[Problem, ...] = ()  # by what takes longer
    is_checked: bool = False
    last: dict[str, Event] = field(default_factory=dict)  # by name, for a page that comes later

    def tell(self, event: Event, *, is_kept: bool = True) -> None:
        if is_kept:
            self.last[event.name] = event
        for listener in self.listeners:
            listener.put(event)

    def shows(self, view: View) -> bool:
        """Whether no other is there or on its way."""
        return self.view is view and not self.is_changing and not self.is_due

    def seen(self) -> frozenset[FaceKey]:
        return frozenset(key for listener in self.listeners for key in listener.seen)


@dataclass
class _Order:
    """What is drawn first of a view, and gathered for a moment before it is painted."""

    seen: set[FaceKey]  # not drawn yet
    is_ahead: bool  # nothing else was drawn yet
    _gathered: list[Drawn] = field(default_factory=list)
    _since: float = 0.0

    def gathers(self, drawn: Drawn) -> bool:
        """Keep a face; False when what was kept is to be painted now."""
        if not self._gathered:
            self._since = time.monotonic()
        self._gathered.append(drawn)
        self.seen.discard(drawn.key)
        return bool(self.seen) and time.monotonic() - self._since < _GATHERED

    def taken(self) -> list[Drawn]:
        taken, self._gathered = self._gathered, []
        return taken


class Studio:
    """Use as a context, and `look` within it."""

    def __init__(self, maker: Maker, first: Choice) -> None:
        self.painters = Painters(self._painted)
        self._maker = maker
        self._watch = Watch(maker.folder)
        self._first = first
        self._feeds = {first: _Feed(first)}
        self._lock = threading.RLock()
        self._poke = threading.Event()
        self._is_over = False

    def __enter__(self) -> Studio:
        sys.setswitchinterval(_SWITCH)
        self.painters.__enter__()
        threading.Thread(target=self._check, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over = True
        with self._lock:
            listeners = [one for feed in self._feeds.values() for one in feed.listeners]
        for listener in listeners:
            listener.put(None)
        self.painters.__exit__()
        self._maker.end()

    @property
    def first(self) -> Choice:
        """What is shown to who asks for nothing else."""
        return self._first

    def listen(self, choice: Choice) -> Listener:
        """What is told of a choice from now on, and first what was told last."""
        listener = Listener()
        with self._lock:
            feed = self._feeds.setdefault(choice, _Feed(choice))
            for event in feed.last.values():
                listener.put(event)
            feed.listeners.append(listener)
            if self._is_over:
                listener.put(None)
        self._poke.set()
        return listener

    def leave(self, choice: Choice, listener: Listener) -> None:
        with self._lock:
            feed = self._feeds[choice]
            feed.listeners.remove(listener)
            if not feed.listeners and choice != self._first:
                del self._feeds[choice]

    def picture(self, face: str, part: Part, dpi: int) -> bytes | None:
        return self.painters.picture(Wish(face, part, dpi), _SECONDS_A_PICTURE)

    def look(self) -> None:
        """Make views whenever files change, until the end. For the main thread: there alone a
        game that takes too long is given up."""
        while not self._is_over:
            changed = self._watch.changed()
            with self._lock:
                feeds = list(self._feeds.values())
            for feed in feeds:
                feed.changed |= changed
                feed.is_due = feed.is_due or bool(changed)
            due = next((feed for feed in feeds if feed.is_due), None)
            if due:
                self._renew(due)
            else:
                self._poke.wait(self._watch.pause)
                self._poke.clear()

    def _renew(self, feed: _Feed) -> None:
        changed, feed.changed = feed.changed, set()
        feed.is_due, feed.is_changing = False, True
        feed.fresh = {}
        seen = feed.seen()
        order = _Order(set(seen), bool(seen))
        try:
            view = self._maker.make(feed.choice, changed, seen, partial(self._show, feed, order))
        except PnpError as error:
            self._break(feed, error.problems)
        except Exception as error:
            what = f"pnp itself is at fault: {type(error).__name__}: {error}"
            hint = "please report this line with the game's folder"
            self._break(feed, [Problem(self._maker.folder.name, what, hint)])
        else:
            self._publish(feed, view)
        self._paint(feed, order.taken(), is_seen=True)
        feed.is_changing = False

    def _break(self, feed: _Feed, problems: Sequence[Problem]) -> None:
        """Say what is wrong, unless a file is just being saved."""
        time.sleep(_SECOND_LOOK)
        changed = self._watch.changed()
        if changed:
            with self._lock:
                for other in self._feeds.values():
                    other.changed |= changed
                    other.is_due = True
            return
        found = told_findings(problems, feed.view)
        with self._lock:
            feed.tell(Event("broken", json.dumps(found)))

    def _publish(self, feed: _Feed, view: View) -> None:
        state = json.dumps(told(view, feed.choice), ensure_ascii=False)
        # a page may ask for the picture of any face that it is told of, leaflets among them
        folders = tuple(map(str, view.game.font_folders))
        self.painters.want(list(view.drawn.values()), folders)
        with self._lock:
            feed.view, feed.found, feed.is_checked = view, (), False
            feed.last.pop("broken", None)
            feed.tell(Event("state", state))
            self._tell_findings(feed)
            views = [other.view for other in self._feeds.values() if other.view]
        self.painters.keep({id_ for view in views for id_ in view.ids})

    def _show(self, feed: _Feed, order: _Order, drawn: Drawn) -> None:
        """Have a face painted once it is drawn: what is seen in one go, which costs less, and
        before all else. The first that is not seen waits for it, so that drawing on takes no
        processor from painting."""
        is_seen = drawn.key in order.seen
        if is_seen and order.gathers(drawn):
            return
        self._paint(feed, order.taken(), is_seen=True)
        if not is_seen:
            if order.is_ahead:
                self.painters.catch_up(_AHEAD)
                order.is_ahead = False
            self._paint(feed, [drawn], is_seen=False)

    def _paint(self, feed: _Feed, drawn: Sequence[Drawn], *, is_seen: bool) -> None:
        if not drawn:
            return
        with self._lock:
            faces = [one.face for one in drawn]
            new = self.painters.want(faces, drawn[0].font_folders, is_seen=is_seen)
            fresh = [one for one in drawn if one.face.id in new or one.face.id in feed.fresh]
            for one in fresh:
                feed.fresh.setdefault(one.face.id, []).append(named(one.key))
            if is_seen and fresh:  # asked for now, they are handed over when they are painted
                self._tell_faces(feed, [one.face.id for one in fresh])

    def _tell_faces(self, feed: _Feed, ids: Sequence[str]) -> None:
        """Tell of faces that have pictures, or soon have, unless that was told."""
        told = {key: id_ for id_ in ids for key in feed.fresh.pop(id_, ())}
        if told:
            feed.tell(Event("faces", json.dumps(told)), is_kept=False)

    def _painted(self, id_: str) -> None:
        """Show a picture as soon as it is painted: the whole of a game may take longer."""
        is_at_fault = self.painters.fault(id_) is not None
        with self._lock:
            for feed in self._feeds.values():
                self._tell_faces(feed, [id_])
                if is_at_fault and feed.view and id_ in feed.view.ids:
                    self._tell_findings(feed)

    def _tell_findings(self, feed: _Feed) -> None:
        assert feed.view is not None
        problems = [*self._faults(feed.view), *feed.view.findings, *feed.found]
        found = told_findings(problems, feed.view)
        data = {"findings": found, "isChecked": feed.is_checked}
        feed.tell(Event("findings", json.dumps(data, ensure_ascii=False)))

    def _faults(self, view: View) -> list[Problem]:
        """What cannot be painted, told of all that have that face."""
        faults: list[Problem] = []
        for id_ in view.ids:
            fault = self.painters.fault(id_)
            if fault:
                keys = tuple(key for key, face in view.drawn.items() if face.id == id_)
                faults.append(Problem(fault.where, fault.what, fault.hint, faces=keys))
        return faults

    def _check(self) -> None:
        """Look for what takes longer, once nothing changes for a while."""
        while not self._is_over:
            time.sleep(_QUIET / 4)
            with self._lock:
                waiting = [
                    (feed, feed.view)
                    for feed in self._feeds.values()
                    if feed.view and not feed.is_checked and not feed.is_changing
                ]
            for feed, view in waiting:
                time.sleep(_QUIET)
                if feed.shows(view) and not self._is_over:
                    self._inspect(feed, view)

    def _inspect(self, feed: _Feed, view: View) -> None:
        found: list[Problem] = []
        try:
            found += self._maker.inspect(view)
        except PnpError as error:  # a face that cannot be printed, which the painters tell of too
            named_before = {fault.where for fault in self._faults(view)}
            found += [one for one in error.problems if one.where not in named_before]
        except Exception as error:
            what = f"pnp itself is at fault: {type(error).__name__}: {error}"
            found.append(Problem(view.game.name, what, "please report this line"))
        with self._lock:
            if feed.shows(view):
                feed.found, feed.is_checked = tuple(found), True
                self._tell_findings(feed)
