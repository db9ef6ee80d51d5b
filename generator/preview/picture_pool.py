"""Take faces, make pictures of them in a few worker processes, and keep them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Sequence
from itertools import islice
from math import ceil, sqrt
from typing import NamedTuple

from generator.errors import Problem
from generator.model import Face
from generator.place import Place
from generator.preview.parts import Part
from generator.preview.picture_worker import PictureTask
from generator.units import MM_PER_INCH
from generator.workers import (
    SECONDS_A_FACE,
    Ending,
    Limits,
    WorkerError,
    WorkerProcess,
    find_fault_of_machine,
)

GLANCE, NEAR, CLOSE = 96, 192, 300  # dpi: in a grid, in a large or sharp one, by itself
DPIS = (GLANCE, NEAR, CLOSE)
_WORKER = "generator.preview.picture_worker"
_WORKERS = 2
_MOST_AT_ONCE = 9  # faces: a task costs something whatever is in it, few are seen sooner
_SHOWING = 0.06  # s that a browser has to show what somebody looks at before others are painted
_MOST_PIXELS = 12e6  # of a picture


class Wish(NamedTuple):
    """A picture: of the face with an id, which part of it, at a resolution."""

    face: str
    part: Part
    dpi: int


class PicturePool:
    """The pictures of faces, each painted once. Use as a context: no process outlives it.

    `told` is called, from a thread of its own, with the id of a face that was painted or failed.
    """

    def __init__(self, told: Callable[[str], None], seconds_a_face: float = SECONDS_A_FACE) -> None:
        self.painted = 0  # faces, since the beginning
        self._told = told
        self._seconds = seconds_a_face
        self._lock = threading.Condition()
        self._faces: dict[str, tuple[Face, tuple[str, ...]]] = {}
        self._wishes: dict[Wish, bool] = {}  # not painted yet, and whether somebody looks
        self._at_work: set[Wish] = set()
        self._calm = 0.0  # until then only what somebody looks at is painted
        self._pictures: dict[Wish, bytes] = {}
        self._faults: dict[str, Ending] = {}
        self._workers = [WorkerProcess(_WORKER, Limits()) for _ in range(_WORKERS)]
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
        self, faces: Sequence[Face], font_folders: tuple[str, ...], *, is_seen: bool = False
    ) -> set[str]:
        """Paint faces for the grid; the ids of those for which that was not asked before."""
        with self._lock:
            new = {face.id for face in faces} - self._faces.keys()
            self._faces |= {face.id: (face, font_folders) for face in faces}
            for id_ in (face.id for face in faces if face.id in new):
                self._wish(Wish(id_, "piece", GLANCE), is_seen=is_seen)
            return new

    def catch_up(self, seconds: float) -> None:
        """Wait until what somebody looks at is painted."""
        with self._lock:
            self._lock.wait_for(self._is_caught_up, seconds)

    def _is_caught_up(self) -> bool:
        return self._is_over or not any(self._wishes.values())

    def keep(self, ids: Collection[str]) -> None:
        """Forget all other faces."""
        with self._lock:
            self._faces = {id_: face for id_, face in self._faces.items() if id_ in ids}
            self._pictures = {w: p for w, p in self._pictures.items() if w.face in ids}
            self._faults = {id_: fault for id_, fault in self._faults.items() if id_ in ids}
            self._wishes = {w: seen for w, seen in self._wishes.items() if w.face in ids}

    def picture(self, wish: Wish, seconds: float) -> bytes | None:
        """A JPEG, as soon as it is painted; None when there is no such face, or it fails."""
        by = time.monotonic() + seconds
        with self._lock:
            if wish not in self._pictures and self._is_awaited(wish.face):
                self._wish(wish, is_seen=True)
            while wish not in self._pictures:
                if not self._is_awaited(wish.face) or not self._lock.wait(by - time.monotonic()):
                    return None
            return self._pictures[wish]

    def fault(self, id_: str) -> Problem | None:
        """Why a face could not be painted."""
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
        """What one worker paints next, what somebody looks at first, all of a kind; its part, for
        others to have theirs. Nothing at the end."""
        with self._lock:
            while not (self._is_over or (wishes := self._next(pause := self._pause()))):
                self._lock.wait(pause or None)
            if self._is_over:
                return []
            others = sum(self._wishes.get(wish, False) for wish in self._at_work)
            fair = ceil((len(wishes) + others) / _WORKERS)
            alike = (wish for wish in wishes if wish[1:] == wishes[0][1:])
            taken = list(islice(alike, min(fair, _MOST_AT_ONCE)))
            self._at_work.update(taken)
            return taken

    def _next(self, pause: float) -> list[Wish]:
        left = [wish for wish in self._wishes if wish not in self._at_work]
        seen = [wish for wish in left if self._wishes[wish]]
        return seen or ([] if pause else left)

    def _pause(self) -> float:
        """The seconds that what nobody looks at has to wait."""
        return max(self._calm - time.monotonic(), 0.0)

    def _paint(self, worker: WorkerProcess, wishes: Sequence[Wish]) -> None:
        with self._lock:
            wishes = [wish for wish in wishes if wish in self._wishes and not self._is_over]
            known = [self._faces[wish.face] for wish in wishes]
        if not known:
            return
        faces = [face for face, _ in known]
        largest = max(face.size.width * face.size.height for face in faces)
        dpi = min(wishes[0].dpi, sqrt(_MOST_PIXELS / largest) * MM_PER_INCH)
        task = PictureTask(faces, wishes[0].part, known[-1][1], dpi)
        pictures = worker.ask(task, len(faces), self._seconds)
        try:
            for wish, picture in zip(wishes, pictures, strict=True):
                self._keep(wish, picture)
        except WorkerError as error:
            if len(wishes) == 1:
                self._give_up(wishes[0], error.ending)
                return
            for wish in wishes:  # each by itself, to find the one at fault
                self._paint(worker, [wish])

    def _keep(self, wish: Wish, picture: bytes) -> None:
        with self._lock:
            self.painted += 1
            is_seen = self._wishes.pop(wish, None)
            if is_seen is None:
                return  # it went meanwhile
            if is_seen:
                self._calm = time.monotonic() + _SHOWING
            self._pictures[wish] = picture
            self._lock.notify_all()
        self._told(wish.face)

    def _give_up(self, wish: Wish, why: Ending) -> None:
        with self._lock:
            if self._is_over or wish not in self._wishes:
                return
            self._faults[wish.face] = why
            self._wishes = {w: seen for w, seen in self._wishes.items() if w.face != wish.face}
            self._lock.notify_all()
        self._told(wish.face)
