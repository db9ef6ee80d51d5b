"""Several games in one file: each as it is alone, on sheets of its own, beginning on a front."""

from __future__ import annotations

import io
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from generator.model import Way
from generator.pdf.binding import bind
from tests.conftest import Pnp
from tests.game.tiny import tiny, write
from tests.pdf.test_file import target
from tests.pdf.test_tagging import elements, marked, parents
from tests.support import oracles, paper
from tests.support.hearing import alternatives
from tests.support.printing import published

BLEED = 3.0


def opened(pdf: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(pdf))


def two(way: Way = "long") -> tuple[bytes, bytes]:
    return published(way=way), published("a4", way, "advaya", "tiles")


def bound(way: Way = "long") -> bytes:
    return bind(two(way))


def pictures(pdf: bytes) -> list[bytes]:
    return [page.render(scale=0.3).to_pil().tobytes() for page in pypdfium2.PdfDocument(pdf)]


def test_every_page_looks_as_it_does_alone() -> None:
    one, other = two()
    assert pictures(bound()) == [*pictures(one), *pictures(other)]


def test_same_input_same_bytes() -> None:
    assert bound() == bound()
    assert bound() != bind(two()[::-1])


def test_file_and_pages_name_the_games() -> None:
    with opened(bound()) as document:
        assert document.docinfo.Title == "Talavera; Advaya"
        assert document.docinfo.Author == "Jon Ericson; Anton Pirogov"
        assert document.Root.Lang == "en"
        numbers = list(document.Root.PageLabels.Nums)
        labels = {int(n): str(label.P) for n, label in zip(numbers[::2], numbers[1::2], strict=True)}
        assert list(labels) == list(range(len(document.pages)))
        assert labels[0] == "Talavera: Cards 1 front"
        assert labels[3] == "Talavera: Cards 2 back"
        assert labels[4] == "Advaya: Tiles front"


def test_outline_has_a_game_and_its_sheets_below() -> None:
    with opened(bound()) as document, document.open_outline() as outline:
        assert [item.title for item in outline.root] == ["Talavera", "Advaya"]
        firsts = []
        for game in outline.root:
            titles = [item.title for item in game.children]
            assert titles[0].endswith(f": sheet 1 of {len(titles)}")
            firsts += [target(item) for item in (game, *game.children)]
        fronts = [page.obj.objgen for page in document.pages][::2]
        assert list(dict.fromkeys(firsts)) == fronts


@pytest.mark.parametrize("way", ["long", "fold"])
def test_tree_and_pages_agree(way: Way) -> None:
    with opened(bound(way)) as document:
        by_page = parents(document)
        assert list(by_page) == list(range(len(document.pages)))
        found: set[tuple[int, int]] = set()
        for page in document.pages:
            own = by_page[int(page.obj.StructParents)]
            for (tag, number), element in zip(marked(page), own, strict=True):
                assert (str(element.S), int(element.K)) == (tag, number)
                assert element.Pg.objgen == page.obj.objgen
                found.add(element.objgen)
        tree = document.Root.StructTreeRoot
        assert {element.objgen for element in elements(tree)} == found
        assert [str(part.T) for part in tree.K.K] == ["Talavera", "Advaya"]


def test_readers_hear_the_pieces_of_both() -> None:
    one, other = two()
    assert list(alternatives(bound())) == [*alternatives(one), *alternatives(other)]


def test_a_switch_is_for_all_games() -> None:
    with opened(bound()) as document:
        groups = document.Root.OCProperties.OCGs
        names = [str(group.Name) for group in groups]
        assert len(names) == len(set(names)) >= 4
        forms = [form for page in document.pages for form in page.Resources.XObject.values()]
        assert {form.OC.objgen for form in forms} == {group.objgen for group in groups}


@pytest.mark.parametrize("way", ["long", "fold"])
def test_qpdf_finds_nothing(way: Way, tmp_path: Path) -> None:
    (tmp_path / "both.pdf").write_bytes(bound(way))
    done = subprocess.run(
        [oracles.need("qpdf"), "--check", str(tmp_path / "both.pdf")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def one_sided(folder: Path, name: str) -> Path:
    """A game without backs."""
    return write(tiny(folder / name), "<circle r='9'/>")


@pytest.mark.parametrize("order", [("plain", "lanterns"), ("lanterns", "plain")])
def test_every_game_begins_on_a_front(order: tuple[str, str], pnp: Pnp, tmp_path: Path) -> None:
    """A duplex printer prints two pages on a sheet, whatever game they are of."""
    one_sided(tmp_path, "plain")
    shutil.copytree(Path(__file__).parents[1] / "templates/lanterns", tmp_path / "lanterns")
    games = [tmp_path / name for name in order]
    output = tmp_path / "both.pdf"
    assert pnp("build", *games, "-o", output).exit_code == 0
    pages = paper.placements(output.read_bytes(), BLEED)
    with opened(output.read_bytes()) as document:
        assert document.Root.ViewerPreferences.Duplex == "/DuplexFlipLongEdge"
        numbers = list(document.Root.PageLabels.Nums)
        games_of = [str(label.P).partition(":")[0] for label in numbers[1::2]]
    changes = [at for at, (a, b) in enumerate(pairwise(games_of), 1) if a != b]
    assert len(changes) == 1
    assert changes[0] % 2 == 0
    assert len(pages) % 2 == 0
    alone = games_of.index("Tiny")
    assert [len(page) for page in pages[alone : alone + 2]] == [1, 0]


def test_games_without_backs_get_none(pnp: Pnp, tmp_path: Path) -> None:
    games = [one_sided(tmp_path, name) for name in ("one", "other")]
    assert pnp("build", *games, "-o", tmp_path / "both.pdf").exit_code == 0
    with opened((tmp_path / "both.pdf").read_bytes()) as document:
        assert len(document.pages) == 2
        assert document.Root.ViewerPreferences.Duplex == "/Simplex"


def test_backs_of_all_games_are_one_file_too(pnp: Pnp, tmp_path: Path) -> None:
    how = ("--sides", "separate", "--only", "cards")
    build = ("build", "talavera", one_sided(tmp_path, "plain"), "talavera-balanced", *how)
    result = pnp(*build, "-o", tmp_path / "all.pdf")
    assert result.stdout.split() == [str(tmp_path / "all.pdf"), str(tmp_path / "all-backs.pdf")]
    fronts, backs = (
        [len(page) for page in paper.placements((tmp_path / name).read_bytes(), BLEED)]
        for name in ("all.pdf", "all-backs.pdf")
    )
    assert (fronts, backs) == ([9, 9, 1, 9, 9], [9, 9, 0, 9, 9])


def test_without_a_file_each_is_what_it_is_alone(pnp: Pnp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    games = [one_sided(tmp_path, name) for name in ("one", "other")]
    for game in games:
        assert pnp("build", game, "-o", game / "alone.pdf").exit_code == 0
    (tmp_path / "out").mkdir()
    for where in ((), ("-o", "out")):
        result = pnp("build", *games, *where)
        files = [Path(line) for line in result.stdout.split()]
        assert [file.name for file in files] == ["one.pdf", "other.pdf"]
        for file, game in zip(files, games, strict=True):
            assert file.read_bytes() == (game / "alone.pdf").read_bytes()


def test_faults_of_all_games_are_reported_and_nothing_is_written(pnp: Pnp, tmp_path: Path) -> None:
    one, other = (one_sided(tmp_path, name) for name in ("one", "other"))
    for game in (one, other):
        (game / "front.svg").unlink()
    sound = one_sided(tmp_path, "sound")
    output = tmp_path / "all.pdf"
    result = pnp("build", one, sound, other, "-o", output)
    assert result.exit_code == 1
    assert "one/" in result.stderr
    assert "other/" in result.stderr
    assert result.stdout == ""
    assert not output.exists()


def test_two_games_never_share_a_file(pnp: Pnp, tmp_path: Path) -> None:
    for shelf in ("a", "b"):
        (tmp_path / shelf).mkdir()
        one_sided(tmp_path / shelf, "game")
    (tmp_path / "out").mkdir()
    result = pnp("build", tmp_path / "a/game", tmp_path / "b/game", "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert "game.pdf: two of the games would be written here" in result.stderr
    assert list((tmp_path / "out").iterdir()) == []


def test_plan_names_each_game(pnp: Pnp) -> None:
    lines = pnp("build", "talavera", "taluva", "--only", "box", "--plan").stdout.splitlines()
    assert lines[0] == "talavera:"
    assert "taluva:" in lines


def test_all_pieces_meet_their_backs() -> None:
    """Measured over the whole file, on sheets turned by hand."""
    found = paper.meetings(bound(), BLEED, "long")
    alone = [len(paper.meetings(part, BLEED, "long")) for part in two()]
    assert len(found) == sum(alone) > 18
    assert paper.worst(found) < 0.01
