"""Pictures of faces, painted in a few worker processes and kept."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Collection, Sequence
from math import ceil, sqrt
from typing import NamedTuple

from msgspec import msgpack

from generator.basics.errors import Place, Problem
from generator.basics.geometry import MM_PER_INCH
from generator.basics.workers import SECONDS_A_FACE, Ending, Limits, WorkerError, WorkerProcess, find_fault_of_machine
from generator.model import Face
from generator.pdf.pictures.picture_worker import Part, PictureTask

GLANCE, NEAR, CLOSE = 96, 192, 300  # dpi: in a grid, in a large or sharp grid, of a single face
DPIS = (GLANCE, NEAR, CLOSE)
_WORKER = "generator.pdf.pictures.picture_worker"
_WORKERS = 2  # each with one thread: more would wait for each other, as all cores are busy
_MOST_AT_ONCE = 9  # faces: a larger task costs less per face, a smaller one ends sooner
_SHOWING = 0.06  # s for the browser to show visible faces, before others are drawn or painted
_MOST_PIXELS = 12e6  # of a picture
_SECONDS_A_PICTURE = 40.0  # the longest that a browser waits for a picture
_PATH = re.compile(r"/face/([0-9a-f]{24})/(piece|whole)-(\d{1,4})\.jpg")


class Wish(NamedTuple):
    """A wanted picture: the id of its face, the part of the face, and the resolution."""

    face: str
    part: Part
    dpi: int


def wish_of(path: str) -> Wish | None:
    """The picture that a page requests by a path; None if no picture has such a path."""
    found = _PATH.fullmatch(path)
    if not found or int(found[3]) not in DPIS:
        return None
    return Wish(found[1], "piece" if found[2] == "piece" else "whole", int(found[3]))


class PicturePool:
    """The pictures of faces, each painted once. Use it as a context: its processes end with it.

    `on_end` is called, from another thread, with the id of each face that was painted or failed.
    """

    def __init__(self, on_end: Callable[[str], None], seconds_a_face: float = SECONDS_A_FACE) -> None:
        self.painted = 0  # faces, since the beginning
        self._on_end = on_end
        self._seconds = seconds_a_face
        self._lock = threading.Condition()
        self._faces: dict[str, tuple[Face, tuple[str, ...]]] = {}
        self._wishes: dict[Wish, bool] = {}  # not painted yet, and whether they are visible
        self._at_work: set[Wish] = set()
        self._calm = 0.0  # until then, only visible faces are painted
        self._pictures: dict[Wish, bytes] = {}
        self._faults: dict[str, Ending] = {}
        self._workers = [WorkerProcess(_WORKER, Limits(), threads=1) for _ in range(_WORKERS)]
        self._threads: list[threading.Thread] = []
        self._is_over = False

    def __enter__(self) -> PicturePool:
        for worker in self._workers:
            worker.start()  # it loads its libraries while the game is read
            self._threads.append(threading.Thread(target=self._work, args=(worker,), daemon=True))
            self._threads[-1].start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._is_over = True
            self._lock.notify_all()
        for worker in self._workers:
            worker.kill()
        for thread in self._threads:
            thread.join()

    def want(
        self, faces: Sequence[Face], font_folders: tuple[str, ...], *, is_seen: bool = False, dpi: int = GLANCE
    ) -> set[str]:
        """Paints faces for the grid. Returns the ids of those that are new."""
        with self._lock:
            new = {face.id for face in faces} - self._faces.keys()
            self._faces |= {face.id: (face, font_folders) for face in faces}
            for id_ in (face.id for face in faces if face.id in new):
                self._wish(Wish(id_, "piece", dpi), is_seen=is_seen)
            return new

    def catch_up(self, seconds: float) -> None:
        """Waits until the visible faces are painted."""
        with self._lock:
            self._lock.wait_for(lambda: self._is_over or not any(self._wishes.values()), seconds)

    def let_show(self) -> None:
        """Waits as long as a browser takes to show the faces that were painted last."""
        time.sleep(self._pause())

    def keep(self, ids: Collection[str]) -> None:
        """Forget all other faces."""
        with self._lock:
            self._faces = {id_: face for id_, face in self._faces.items() if id_ in ids}
            self._pictures = {w: p for w, p in self._pictures.items() if w.face in ids}
            self._faults = {id_: fault for id_, fault in self._faults.items() if id_ in ids}
            self._wishes = {w: is_seen for w, is_seen in self._wishes.items() if w.face in ids}

    def picture(self, wish: Wish, seconds: float = _SECONDS_A_PICTURE) -> bytes | None:
        """A JPEG, as soon as it is painted; None if there is no such face, or if it fails."""
        by = time.monotonic() + seconds
        with self._lock:
            if wish not in self._pictures and self._is_awaited(wish.face):
                self._wish(wish, is_seen=True)
            while wish not in self._pictures:
                if not self._is_awaited(wish.face) or not self._lock.wait(by - time.monotonic()):
                    return None
            return self._pictures[wish]

    def find(self, wish: Wish) -> bytes | None:
        """A picture, if it is painted."""
        with self._lock:
            return self._pictures.get(wish)

    def fault(self, id_: str) -> Problem | None:
        """The problem of a face that could not be painted."""
        with self._lock:
            if id_ not in self._faults or id_ not in self._faces:
                return None
            ending = self._faults[id_]
            place = Place(self._faces[id_][0].name)
            at_fault = Problem(place, ending.problem.what, "look at its art")
            return find_fault_of_machine(ending) or at_fault

    def _is_awaited(self, id_: str) -> bool:
        return id_ in self._faces and id_ not in self._faults and not self._is_over

    def _wish(self, wish: Wish, *, is_seen: bool) -> None:
        self._wishes[wish] = is_seen or self._wishes.get(wish, False)
        self._lock.notify_all()

    def _work(self, worker: WorkerProcess) -> None:
        while wishes := self._take():
            self._paint(worker, wishes)
            with self._lock:
                self._at_work.difference_update(wishes)
        worker.end()

    def _take(self) -> list[Wish]:
        """The next pictures for one worker: visible faces first, of one part and resolution, and
        only its share of them. Empty at the end."""
        with self._lock:
            while not (self._is_over or (wishes := self._next(pause := self._pause()))):
                self._lock.wait(pause or None)
            if self._is_over:
                return []
            others = sum(self._wishes.get(wish, False) for wish in self._at_work)
            fair = ceil((len(wishes) + others) / _WORKERS)
            alike = [wish for wish in wishes if wish[1:] == wishes[0][1:]]
            apart = max(len(alike) // fair, 1)  # so that the first ones are painted first by all
            batch = alike[::apart][: min(fair, _MOST_AT_ONCE)]
            self._at_work.update(batch)
            return batch

    def _next(self, pause: float) -> list[Wish]:
        waiting = [wish for wish in self._wishes if wish not in self._at_work]
        visible = [wish for wish in waiting if self._wishes[wish]]
        return visible or ([] if pause else waiting)

    def _pause(self) -> float:
        """The seconds for which invisible faces have to wait."""
        return max(self._calm - time.monotonic(), 0.0)

    def _paint(self, worker: WorkerProcess, wishes: Sequence[Wish]) -> None:
        with self._lock:
            wishes = [wish for wish in wishes if wish in self._wishes and not self._is_over]
            entries = [self._faces[wish.face] for wish in wishes]
        if not entries:
            return
        faces = [face for face, _ in entries]
        largest = max(face.size.width * face.size.height for face in faces)
        dpi = min(wishes[0].dpi, sqrt(_MOST_PIXELS / largest) * MM_PER_INCH)
        task = PictureTask(faces, wishes[0].part, entries[-1][1], dpi)
        try:
            (answer,) = worker.ask(task, 1, self._seconds)
            self._keep(wishes, msgpack.decode(answer, type=list[bytes]))
        except WorkerError as error:
            if len(wishes) == 1:
                self._give_up(wishes[0], error.ending)
                return
            for wish in wishes:  # one by one, to find the one at fault
                self._paint(worker, [wish])

    def _keep(self, wishes: Sequence[Wish], pictures: Sequence[bytes]) -> None:
        with self._lock:
            self.painted += len(wishes)
            wanted = {wish: self._wishes.pop(wish) for wish in wishes if wish in self._wishes}
            if any(wanted.values()):
                self._calm = time.monotonic() + _SHOWING
            painted = dict(zip(wishes, pictures, strict=True))
            self._pictures |= {wish: painted[wish] for wish in wanted}
            self._lock.notify_all()
        for wish in wanted:
            self._on_end(wish.face)

    def _give_up(self, wish: Wish, why: Ending) -> None:
        with self._lock:
            if self._is_over or wish not in self._wishes:
                return
            self._faults[wish.face] = why
            self._wishes = {w: seen for w, seen in self._wishes.items() if w.face != wish.face}
            self._lock.notify_all()
        self._on_end(wish.face)
