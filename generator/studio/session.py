"""A preview session, which keeps a game's pages up to date: watch, build, paint, notify.

Changed files of a folder are found by polling, which works on any disk.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from msgspec import Struct, field

from generator.basics.errors import Place, PnpError, Problem, fail
from generator.model import FaceKey
from generator.pdf.pictures.picture_pool import GLANCE, PicturePool, Wish
from generator.pdf.pictures.picture_worker import Trace, traces
from generator.studio import view as views
from generator.studio.editor import Editor
from generator.studio.journal import Journal
from generator.web.server import Event, EventQueue

_QUIET = 0.4  # s without changes before the faces are inspected
_SECOND_LOOK = 0.05  # s before a fault is reported: the file may be half saved
_GATHERED = 0.02  # s for which visible faces wait for others, to be painted together
_TOGETHER = 0.06  # s for which pictures wait for others: a browser at work slows painting
_AHEAD = 0.5  # s for which other faces wait for the visible ones
_SECONDS_A_TABLE = 40.0  # the longest that a browser waits for a table
_SWITCH = 0.0002  # s, so that threads that hand on faces and pictures soon get a turn
MOST_FILES = 5000
_PAUSE, _PAUSE_AT_WORK = 0.02, 0.003  # s between two scans, at least
_AT_WORK = 300.0  # s after a change, in which the next one is likely
_SHARE = 0.05  # of the time, for scanning
_SETTLED = 0.004  # s without changes, after which a file counts as whole
_LONG_SAVED = 8_000_000  # ns since then; the clock of a disk may be 4 ms behind
_ADDED = 0.05  # s for which a new file may be the next content of another, saved beside it
_SOON = 0.001  # s between two looks for that
_MOST_WAITS = 80


class Listener(EventQueue):
    """A page: its queue of events, with None at the end, the faces that are visible on it, and the
    resolution at which it shows them."""

    seen: Collection[FaceKey] = ()
    dpi = GLANCE


class _Channel(Struct, eq=False):
    """The view that all pages show, and the last events about it."""

    choice: views.Choice
    listeners: list[Listener] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)  # since it was last built
    is_due: bool = True
    is_changing: bool = False  # it is being built
    view: views.View | None = None
    new: dict[str, bool] = field(default_factory=dict)  # faces since then: whether painted, by id
    untold: dict[str, list[str]] = field(default_factory=dict)  # keys of faces to paint, by id
    coming: dict[str, Wish] = field(default_factory=dict)  # pictures that pages wait for, by face
    held: dict[str, str] = field(default_factory=dict)  # pictures to send together, by face
    held_until: float = 0.0
    findings: tuple[Problem, ...] = ()  # of the inspection
    is_checked: bool = False
    last: dict[str, Event] = field(default_factory=dict)  # by name, for pages that open later

    def send(self, event: Event, *, is_kept: bool = True) -> None:
        if is_kept:
            self.last[event.name] = event
        for listener in self.listeners:
            listener.put(event)

    def renew(self, name: str, value: object) -> None:
        """Sends a value, unless the pages know."""
        event = Event(name, json.dumps(value, ensure_ascii=False))
        if self.last.get(name) != event:
            self.send(event)

    def tell(self, name: str, ids: Mapping[str, str]) -> None:
        """Sends ids of faces by their keys, if there are some."""
        if ids:
            self.send(Event(name, json.dumps(ids)), is_kept=False)

    def hold(self, id_: str, picture: bytes) -> None:
        """Sends a picture, once all that are coming are here or have been waited for."""
        self.held[id_] = b64encode(picture).decode("ascii")
        if not self.coming:
            self.held_until = 0.0
        self.send_held()

    def send_held(self) -> None:
        """Sends the pictures that are held, if they have waited long enough."""
        if self.held and time.monotonic() >= self.held_until:
            self.send(Event("pictures", json.dumps(self.held)), is_kept=False)
            self.held = {}

    def shows(self, view: views.View) -> bool:
        """Whether this view is current and no other is due."""
        return self.view is view and not self.is_changing and not self.is_due

    def seen(self) -> frozenset[FaceKey]:
        return frozenset(key for listener in self.listeners for key in listener.seen)

    def dpi(self) -> int:
        """The finest at which a page shows what is visible on it: a coarser picture is made, sent
        and shown in half the time of one that the page has to reduce."""
        return max((listener.dpi for listener in self.listeners if listener.seen), default=GLANCE)


class _Batch(Struct):
    """The visible faces of a view, which are drawn first, and gathered before they are painted."""

    seen: set[FaceKey]  # not drawn yet
    is_ahead: bool  # nothing else was drawn yet
    _gathered: list[views.DrawnFace] = field(default_factory=list)
    _since: float = 0.0

    def gather(self, drawn: views.DrawnFace) -> bool:
        """Keeps a face. Returns False if the kept faces should be painted now."""
        if not self._gathered:
            self._since = time.monotonic()
        self._gathered.append(drawn)
        self.seen.discard(drawn.key)
        return bool(self.seen) and time.monotonic() - self._since < _GATHERED

    def take(self) -> list[views.DrawnFace]:
        faces, self._gathered = self._gathered, []
        return faces


class PreviewSession:
    """A game as its pages show it. Use it as a context, and call `look` within it."""

    def __init__(self, builder: views.ViewBuilder, first: views.Choice, journal: Journal | None = None) -> None:
        self.editor = Editor(builder.folder, journal)
        self.pictures = PicturePool(self._show_painted)
        self._builder = builder
        self._watch = Watch(builder.folder)
        self._channel = _Channel(first)
        self._lock = threading.RLock()
        self._poke = threading.Event()
        self._is_over = False
        self._asked: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._channel.renew("choices", views.describe_choices(first, builder.offers()))
        self._send_files()

    def __enter__(self) -> PreviewSession:
        sys.setswitchinterval(_SWITCH)
        self.pictures.__enter__()
        threading.Thread(target=self._check, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over = True
        with self._lock:
            listeners = list(self._channel.listeners)
        for listener in listeners:
            listener.put(None)
        self.pictures.__exit__()
        self._builder.end()

    def stop(self) -> None:
        """Lets `look` return after what it is at. It takes no lock, as it is for handlers of signals."""
        self._is_over = True

    def choose(self, values: Mapping[str, str]) -> None:
        """Builds with other values of the choice, by its fields; all pages follow. Raises PnpError
        for a value that is not offered."""
        offers = self._builder.offers()
        with self._lock:
            chosen = views.choose(self._channel.choice, values, offers)
            self._channel.is_due |= chosen != self._channel.choice
            self._channel.choice = chosen
            self._channel.renew("choices", views.describe_choices(chosen, offers))
        self._poke.set()

    @property
    def named(self) -> str:
        """The game and its variant that pages show, as commands name it."""
        variant = self._channel.choice.variant
        return f"{self.editor.folder}-{variant}" if variant else str(self.editor.folder)

    def listen(self) -> Listener:
        """Returns a queue of the last events and of all that follow."""
        listener = Listener()
        with self._lock:
            for event in self._channel.last.values():
                listener.put(event)
            self._channel.listeners.append(listener)
            if self._is_over:
                listener.put(None)
        return listener

    def leave(self, listener: Listener) -> None:
        with self._lock:
            self._channel.listeners.remove(listener)

    def picture(self, wish: Wish) -> bytes | None:
        return self.pictures.picture(wish)

    def table_address(self) -> str:
        """The address of a table with the pieces of the game that is chosen. Raises PnpError with
        every fault of the game, and TimeoutError if it takes too long."""
        return str(self._ask(lambda: self._builder.open_table(self._channel.choice)))

    def parts(self, key: FaceKey) -> views.JsonObject:
        """The parts of the face of a key, to be edited. Raises PnpError if it cannot be drawn, and TimeoutError."""
        found: views.JsonObject = self._ask(lambda: self._builder.describe_face(key))
        return found

    def copy_layouts(self) -> None:
        """Copies the drawings of house layouts into the game, which then names them. Raises
        PnpError and TimeoutError."""
        values = self._ask(self._builder.copy_layouts)
        self.editor.set_values(values, "layouts as drawings of the game")
        self._send_files()

    def _ask(self, work: Callable[[], Any]) -> Any:
        """Has the main thread do some work between two views. Raises what it raises, and
        TimeoutError if it takes too long."""
        asked: Future[Any] = Future()
        self._asked.put((asked, work))
        self._poke.set()
        return asked.result(_SECONDS_A_TABLE)

    def stock(self) -> dict[str, Any]:
        """The icons and fonts that the game may name. Raises PnpError."""
        return views.describe_stock(self.editor.folder, self._channel.view)

    def font(self, family: str) -> bytes:
        """The file of a family. Raises PnpError if there is none."""
        try:
            return views.fonts_of(self._channel.view).find(family).path.read_bytes()
        except (ValueError, OSError) as error:
            raise fail(Place("the page"), str(error)) from None

    def schema(self) -> dict[str, Any]:
        return self._builder.schema()

    def edit(self, body: bytes) -> str:
        """Changes a file as a page asks for, and returns its digest since; all pages follow. Raises PnpError."""
        digest = self.editor.do(body)
        self._send_files()
        self._poke.set()
        return digest

    def add_picture(self, name: str, content: bytes) -> str:
        """Puts a picture into the game's art. Raises PnpError."""
        path = self.editor.add_picture(name, content)
        self._send_files()
        return path

    def _send_files(self) -> None:
        """Sends the files that can be changed, and what was, unless the pages know."""
        if self.editor.journal is None:
            return
        with self._lock:
            self._channel.renew("files", self.editor.describe())

    def _answer(self) -> None:
        while not self._asked.empty():
            asked, work = self._asked.get()
            try:
                asked.set_result(work())
            except Exception as error:
                asked.set_exception(PnpError(self._problems_of(error)))

    def _problems_of(self, error: Exception) -> Sequence[Problem]:
        """The problems of an error; any but a PnpError is a fault of pnp."""
        if isinstance(error, PnpError):
            return error.problems
        what = f"pnp itself is at fault: {type(error).__name__}: {error}"
        return [Problem(Place(self._builder.folder.name), what, "please report this line with the game's folder")]

    def look(self) -> None:
        """Build views whenever files change, until the end. Call it in the main thread: only there
        can a game that takes too long be interrupted."""
        channel = self._channel
        while not self._is_over:
            changed = self._watch.find_changes()
            with self._lock:
                channel.changed |= changed
                channel.is_due = channel.is_due or bool(changed)
            if changed:
                self._send_files()
            if channel.is_due:
                self._renew(channel)
            else:
                self._answer()
                self._poke.wait(self._watch.pause)
                self._poke.clear()

    def _renew(self, channel: _Channel) -> None:
        with self._lock:
            choice, changed, channel.changed = channel.choice, channel.changed, set()
            channel.is_due, channel.is_changing = False, True
            channel.new, channel.untold = {}, {}
        visible = channel.seen()
        batch = _Batch(set(visible), bool(visible))
        try:
            show = partial(self._show, channel, batch)
            view = self._builder.build(choice, changed, visible, show)
            offers = self._builder.offers()
        except Exception as error:
            self._break(choice, self._problems_of(error))
        else:
            self._publish(choice, view, offers)
        self._paint(channel, batch.take(), is_seen=True)
        self._await_pictures(channel)
        channel.is_changing = False

    def _break(self, choice: views.Choice, problems: Sequence[Problem]) -> None:
        """Sends problems to the pages, unless a file is just being saved, or another choice is due."""
        time.sleep(_SECOND_LOOK)
        channel, changed = self._channel, self._watch.find_changes()
        with self._lock:
            if changed:
                channel.changed |= changed
                channel.is_due = True
            elif choice == channel.choice:
                findings = views.describe_findings(problems, channel.view)
                channel.send(Event("broken", json.dumps(findings)))

    def _publish(self, choice: views.Choice, view: views.View, offers: views.Offers) -> None:
        state = json.dumps(views.describe_view(view), ensure_ascii=False)
        # a page may request the picture of any face in the view, including those of leaflets
        folders = tuple(map(str, view.game.font_folders))
        self.pictures.want(list(view.pictured.values()), folders)
        channel = self._channel
        with self._lock:
            if choice != channel.choice:  # another view is due
                return
            channel.view, channel.findings, channel.is_checked = view, (), False
            channel.last.pop("broken", None)
            channel.renew("choices", views.describe_choices(choice, offers))
            channel.send(Event("state", state))
            self._send_findings(channel)
        self.pictures.keep(set(view.pictured))
        with self._lock:
            for id_ in channel.coming.keys() - set(view.pictured):
                self._send_picture(channel, id_, is_last=True)

    def _show(self, channel: _Channel, batch: _Batch, drawn: views.DrawnFace) -> None:
        """Paints a face once it is drawn. Visible faces are painted first and together, which costs
        less. Drawing waits for them, so that it takes no processor from painting."""
        is_seen = drawn.key in batch.seen
        if is_seen and batch.gather(drawn):
            return
        self._paint(channel, batch.take(), is_seen=True)
        if batch.is_ahead and not (is_seen and batch.seen):
            self._await_pictures(channel)
            self.pictures.catch_up(_AHEAD)
            self.pictures.let_show()
            batch.is_ahead = False
        if not is_seen:
            self._paint(channel, [drawn], is_seen=False)

    def _paint(self, channel: _Channel, drawn: Sequence[views.DrawnFace], *, is_seen: bool) -> None:
        """Paints faces. Pages request new ones once they are painted, but get the pictures of
        visible ones without a request."""
        if not drawn:
            return
        with self._lock:
            faces = [drawn_face.face for drawn_face in drawn]
            dpi = channel.dpi() if is_seen else GLANCE
            new = self.pictures.want(faces, drawn[0].font_folders, is_seen=is_seen, dpi=dpi)
            channel.new |= dict.fromkeys(new, False)
            shown = ((views.named(drawn_face.key), drawn_face.face.id) for drawn_face in drawn)
            ids = {key: id_ for key, id_ in shown if id_ in channel.new}
            channel.tell("faces", {key: id_ for key, id_ in ids.items() if channel.new[id_]})
            others = {key: id_ for key, id_ in ids.items() if not channel.new[id_]}
            if is_seen:
                if not channel.coming:
                    channel.held_until = time.monotonic() + _TOGETHER
                channel.coming |= {id_: Wish(id_, "piece", dpi) for id_ in others.values()}
                channel.tell("coming", others)
            else:
                for key, id_ in others.items():
                    channel.untold.setdefault(id_, []).append(key)

    def _await_pictures(self, channel: _Channel) -> None:
        self.pictures.catch_up(max(channel.held_until - time.monotonic(), 0.0))
        with self._lock:
            channel.send_held()

    def _show_painted(self, id_: str) -> None:
        """Shows a picture as soon as it is painted, before the whole game is."""
        is_at_fault = self.pictures.fault(id_) is not None
        channel = self._channel
        with self._lock:
            if id_ in channel.new:
                channel.new[id_] = True
            channel.tell("faces", dict.fromkeys(channel.untold.pop(id_, ()), id_))
            self._send_picture(channel, id_, is_last=is_at_fault)
            if is_at_fault and channel.view and id_ in channel.view.pictured:
                self._send_findings(channel)

    def _send_picture(self, channel: _Channel, id_: str, *, is_last: bool) -> None:
        """Sends a picture that pages wait for. If there is none, and none follows, they request it and are refused."""
        if id_ not in channel.coming:
            return
        picture = self.pictures.find(channel.coming[id_])
        if picture or is_last:
            del channel.coming[id_]
            channel.hold(id_, picture or b"")

    def _send_findings(self, channel: _Channel) -> None:
        assert channel.view is not None
        problems = [*self._faults(channel.view), *channel.view.findings, *channel.findings]
        findings = views.describe_findings(problems, channel.view)
        data = {"findings": findings, "isChecked": channel.is_checked}
        data["isSound"] = channel.view.is_sound
        channel.send(Event("findings", json.dumps(data, ensure_ascii=False)))

    def _faults(self, view: views.View) -> Iterator[Problem]:
        """The faults of painting, each with all keys of its face."""
        lying = view.drawn.items()
        for id_ in view.pictured:
            if fault := self.pictures.fault(id_):
                keys = tuple(key for key, face in lying if id_ in (face.id, face.upright.id))
                yield Problem(fault.place, fault.what, fault.hint, faces=keys)

    def _check(self) -> None:
        """Inspects the view, once nothing has changed for a while."""
        channel = self._channel
        while not self._is_over:
            time.sleep(_QUIET / 4)
            view = channel.view
            if view and not channel.is_checked and not channel.is_changing:
                time.sleep(_QUIET)
                if channel.shows(view) and not self._is_over:
                    self._inspect(channel, view)

    def _inspect(self, channel: _Channel, view: views.View) -> None:
        problems: list[Problem] = []
        try:
            problems += self._builder.inspect(view)
        except PnpError as error:  # a face that cannot be printed, which painting may have reported
            places = {fault.place for fault in self._faults(view)}
            problems += [problem for problem in error.problems if problem.place not in places]
        except Exception as error:
            problems += self._problems_of(error)
        with self._lock:
            if channel.shows(view):
                channel.findings, channel.is_checked = tuple(problems), True
                self._send_findings(channel)


class Watch:
    """The state of the files in a folder at the last scan; `pause` is the time until the next one, in seconds."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.pause = _PAUSE
        self._changed = time.monotonic()
        self._known = self._look()

    def find_changes(self) -> set[str]:
        """The files that appeared, vanished or changed since the last call, by path in the folder.

        Waits a moment while more of them change: an editor may be saving. Where files only
        appeared, it waits longer, or the game would be built with the old content first.
        """
        now = self._look()
        if now == self._known:
            return set()
        by = time.monotonic() + _ADDED
        is_whole = self._is_whole(now)
        for _ in range(_MOST_WAITS):
            has_only_more = now != self._known and self._known.items() <= now.items()
            if is_whole and not (has_only_more and time.monotonic() < by):
                break
            time.sleep(_SOON if is_whole else _SETTLED)
            before, now = now, self._look()
            is_whole = before == now or self._is_whole(now)
        differing = {name for name, _ in self._known.items() ^ now.items()}
        self._known, self._changed = now, time.monotonic()
        return differing

    def _is_whole(self, now: dict[str, Trace]) -> bool:
        """Whether no file vanished, and none that differs is still being written: each was written
        a while ago, or moved to its place since, as most are that are saved beside it."""
        by = time.time_ns() - _LONG_SAVED
        differing = (name for name, trace in now.items() if trace != self._known.get(name))
        recent = (name for name in differing if now[name][0] >= by)
        return self._known.keys() <= now.keys() and all(map(self._was_moved, recent))

    def _was_moved(self, name: str) -> bool:
        """Whether a file got its name after its content."""
        try:
            status = (self._folder / name).stat()
        except OSError:
            return False
        return status.st_ctime_ns > status.st_mtime_ns

    def _look(self) -> dict[str, Trace]:
        started = time.perf_counter()
        files = dict(islice(traces(str(self._folder)), MOST_FILES))
        is_at_work = time.monotonic() < self._changed + _AT_WORK
        least = _PAUSE_AT_WORK if is_at_work else _PAUSE
        self.pause = max(least, (time.perf_counter() - started) / _SHARE)
        return files
