"""The press: whatever a face does to the worker, it is named, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from generator.basics.errors import PnpError
from generator.basics.workers import WorkerProcess
from generator.layout import Item
from generator.model import Face
from generator.pdf import Job, Press, press
from generator.pdf.press import EarlyLayers
from tests.support import paper
from tests.support.printing import CARD, Deck, deck, face_of, impose, job, mark
from tests.support.processes import running, started

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="limits and signals of POSIX"),
    pytest.mark.usefixtures("own_workers"),
]

ROOT = Path(__file__).parents[2]
ENOUGH = 300 * 1024 * 1024  # bytes; sound faces of these tests need less


def chain(length: int) -> str:
    """Patterns that are each filled with the one before."""
    links = (
        f'<pattern id="p{i}" width="9" height="9"><rect width="9" height="9" fill="url(#p{i - 1})"/></pattern>'
        for i in range(1, length)
    )
    last = f'<rect width="9" height="9" fill="url(#p{length - 1})"/>'
    return f'<pattern id="p0" width="9" height="9"><path d="M0 0h9"/></pattern>{"".join(links)}{last}'


def clones(depth: int) -> str:
    """Ten clones of ten clones of ten clones..."""
    groups = (f'<g id="c{i}">{f"""<use href="#c{i - 1}"/>""" * 10}</g>' for i in range(1, depth))
    return f'<defs><path id="c0" d="M0 0h9"/>{"".join(groups)}</defs><use href="#c{depth - 1}"/>'


HANGING = 0.5  # s of the processor: far more than a blank face takes
HANGS = (
    '<filter id="f"><feTurbulence baseFrequency=".01" numOctaves="1000000"/></filter>'
    '<rect width="60" height="60" filter="url(#f)"/>'
)
FAULTS = {
    "hangs": (HANGS, f"drawing it takes more than {HANGING:g} s"),
    "crashes": (chain(3000), "it crashes the drawing engine (SIGSEGV)"),
    "eats memory": (clones(6), "drawing it takes too much memory"),
    "is no SVG": ("<g", "cannot be drawn: failed to parse SVG"),
}

MANY = 200  # faces


def job_with(*bad: Face) -> Job:
    """Sound faces, and bad ones among them."""
    sound = deck(4)
    items = list(sound.run.items)
    for index, face in enumerate(bad):
        items.insert(2 * index + 1, Item(face.name, face.id, None))
    whole = Deck(replace(sound.run, items=tuple(items)), (*sound.faces[:1], *bad, *sound.faces[1:]))
    return job([whole], impose([whole], "letter", "single"))


def bad_face(name: str) -> Face:
    return face_of(f"what {name}", CARD, 3.0, FAULTS[name][0])


def printed_with(work: Job, seconds: float = 60.0) -> bytes:
    with Press(memory=ENOUGH, seconds=seconds, seconds_a_face=seconds) as running:
        return running.print(work)


def faults_of(work: Job, seconds: float = 60.0) -> list[tuple[str, str]]:
    with pytest.raises(PnpError) as caught:
        printed_with(work, seconds)
    return [(str(problem.place), problem.what) for problem in caught.value.problems]


@pytest.fixture
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No process, no temporary file and no core file is left behind."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.chdir(tmp_path)
    before = running()
    yield
    assert running() == before
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("nothing_left")
def test_sound_faces_print_within_the_limits_of_these_tests() -> None:
    pages = paper.placements(printed_with(job_with()), 3.0)
    assert [len(page) for page in pages] == [4]


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("name", FAULTS)
def test_face_at_fault_is_named(name: str) -> None:
    (found,) = faults_of(job_with(bad_face(name)), HANGING if name == "hangs" else 60.0)
    assert found[0] == f"what {name}"
    assert found[1].startswith(FAULTS[name][1])


@pytest.mark.usefixtures("nothing_left")
def test_all_faces_at_fault_are_named() -> None:
    names = ("crashes", "is no SVG", "eats memory")
    assert [where for where, _ in faults_of(job_with(*map(bad_face, names)))] == [f"what {name}" for name in names]


def begun(running: Press, work: Job) -> Press:
    """The press, told of each face before it is given the job."""
    for face in work.faces:
        running.begin(face, work.font_folders)
    return running


@pytest.mark.usefixtures("nothing_left")
def test_faces_that_were_begun_print_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[object] = []
    real = WorkerProcess.send

    def send(worker: WorkerProcess, request: object) -> None:
        sent.append(request)
        real(worker, request)

    monkeypatch.setattr(press, "_FIRST_BATCH", 1)
    monkeypatch.setattr(WorkerProcess, "send", send)
    with Press() as running:
        pdf = begun(running, job_with()).print(job_with())
    assert len([request for request in sent if isinstance(request, EarlyLayers)]) > 1
    assert pdf == printed_with(job_with())


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("name", FAULTS)
def test_face_at_fault_that_was_begun_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(press, "_FIRST_BATCH", 1)
    work, seconds = job_with(bad_face(name)), HANGING if name == "hangs" else 60.0
    with Press(memory=ENOUGH, seconds=seconds, seconds_a_face=seconds) as running, pytest.raises(PnpError) as caught:
        begun(running, work).print(work)
    assert [str(problem.place) for problem in caught.value.problems] == [f"what {name}"]


@pytest.mark.usefixtures("nothing_left")
def test_faces_that_were_begun_and_never_printed_leave_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(press, "_FIRST_BATCH", 1)
    with Press() as running:
        begun(running, job_with(bad_face("hangs")))
        worker = running._worker.pid
        assert worker is not None
        assert is_alive(worker)
    assert not is_alive(worker)


@pytest.mark.usefixtures("nothing_left")
def test_job_that_fails_as_a_whole_says_so() -> None:
    """Each face alone is within the limits; the job, some ticks of the processor's clock long, is
    not."""
    whole = deck(MANY)
    work = job([whole], impose([whole], "letter", "single"))
    with Press(seconds=0.01) as running, pytest.raises(PnpError) as caught:
        running.print(work)
    assert [str(problem.place) for problem in caught.value.problems] == ["the sheets"]
    assert "more than 0.01 s" in caught.value.problems[0].what


@pytest.mark.usefixtures("nothing_left")
def test_too_much_to_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(press, "find_memory", lambda: 1000)
    assert [where for where, _ in faults_of(job_with())] == ["faces"]


@pytest.mark.usefixtures("nothing_left")
def test_worker_that_dies_at_once_is_reported() -> None:
    with Press() as running:
        running._worker.kill()
        with pytest.raises(PnpError) as caught:
            running.print(job_with())
    (problem,) = caught.value.problems
    assert str(problem.place) == "the press"
    assert problem.what == "somebody ended the drawing process (SIGKILL)"


@pytest.mark.usefixtures("nothing_left")
def test_worker_that_says_much_does_not_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """More than a pipe holds, on both outputs, before the request is even read."""
    monkeypatch.setattr(press, "_WORKER", "tests.basics.workers.noisy")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    ((where, what),) = faults_of(job_with(face_of("long", CARD, 3.0, mark("z" * 500_000, "#fff"))))
    assert where == "this machine"
    assert what.startswith("nothing can be drawn: the drawing process fails: ")
    assert what.endswith("it is broken")
    assert len(what) < 400


def test_module_in_the_working_folder_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("typst", "pikepdf", "pickle"):
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('{name} of the folder')")
    monkeypatch.chdir(tmp_path)
    assert printed_with(job_with()).startswith(b"%PDF")


PARENT = """
import sys, time
from generator.pdf import Press
from tests.pdf.test_press import HANGS, job_with
from tests.support.printing import CARD, face_of
with Press(seconds=60.0) as press:
    print(press._worker.pid, flush=True)
    if sys.argv[1] == "working":
        press.print(job_with(face_of("hangs", CARD, 3.0, HANGS)))
    time.sleep(60)
"""


@pytest.mark.parametrize("state", ["idle", "working"])
def test_orphaned_worker_dies(state: str) -> None:
    command = [sys.executable, "-c", PARENT, state]
    with started(command, cwd=ROOT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        while state == "working" and processor_seconds(worker) < 1.5:
            time.sleep(0.05)  # until the drawing has begun
        assert is_alive(worker)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        while is_alive(worker):  # or the test hangs, and is ended
            time.sleep(0.05)


def processor_seconds(process: int) -> float:
    """What a process has used so far; its start takes less than a second."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def is_alive(process: int) -> bool:
    """Whether it runs; one that ended and waits to be collected does not."""
    try:
        os.kill(process, 0)
        status = Path(f"/proc/{process}/stat").read_text()
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc").is_dir()
    return status.rpartition(")")[2].split()[0] != "Z"


def many_faces() -> list[Face]:
    """More faces than one batch of a proof has, each its own."""
    return [face_of(f"f{at}", CARD, 3.0, f'<path d="M0 {at}h9"/>') for at in range(130)]


def test_faces_are_proven_in_batches_in_their_order() -> None:
    with Press() as running:
        proofs = list(running.prove(many_faces(), []))
    numbers = [[face.painted for face in faces] for _, faces in proofs]
    assert numbers == [[(at,) for at in range(65)]] * 2


@pytest.mark.usefixtures("nothing_left")
def test_fault_in_the_last_batch_is_named() -> None:
    with Press() as running:
        proofs = running.prove([*many_faces(), bad_face("is no SVG")], [])
        assert len(next(proofs)[1]) == 66
        with pytest.raises(PnpError, match="what is no SVG"):
            list(proofs)
