"""The folder as it was: exactly that, nothing else touched, and nothing that history can do."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest

from generator.basics.errors import PnpError
from generator.review import history
from generator.review.history import as_it_was
from tests.review.history.repository import Repository

HOSTILE = [
    "", "-", "--", "--all", "-h", "--output=owned", "--git-dir=/", "--upload-pack=touch owned",
    "HEAD..HEAD", "HEAD:game", "HEAD^{tree}", "HEAD\nHEAD", "HEAD\0", "\udcff", "$(touch owned)",
    "`touch owned`", "nothing", "a" * 5000, "../HEAD", ":game/a.txt", "@{-99}", "HEAD --", "*",
]  # fmt: skip


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return make_repository(tmp_path)


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """For tests that change nothing."""
    return make_repository(tmp_path_factory.mktemp("past"))


def make_repository(folder: Path) -> Repository:
    """A game two folders below the top of a repository."""
    repository = Repository.at(folder / "repository")
    game = repository.folder / "games/game"
    (game / "art").mkdir(parents=True)
    (game / "a.txt").write_bytes(b"first\r\n")
    (game / "art/ünïcode name.svg").write_bytes(bytes(range(256)))
    (repository.folder / "secret.txt").write_text("of another folder")
    repository.commit()
    return repository


def game_of(repository: Repository) -> Path:
    return repository.folder / "games/game"


def files(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def fault(folder: Path, revision: str = "HEAD") -> str:
    with pytest.raises(PnpError) as raised, as_it_was(folder, revision):
        pass
    (problem,) = raised.value.problems
    return str(problem)


def test_the_folder_as_it_was_and_nothing_is_touched(repository: Repository) -> None:
    game = game_of(repository)
    first = files(game)
    repository.git("tag", "v1")
    (game / "a.txt").write_text("second")
    (game / "b.txt").write_text("new")
    second = repository.commit()
    (game / "a.txt").write_text("not committed")
    before = {name: sha256(content).digest() for name, content in files(repository.folder).items()}
    with as_it_was(game, "v1") as then:
        assert then.folder is not None
        assert then.folder.name == "game"
        assert files(then.folder) == first
        place = then.folder
    assert not place.exists()
    with as_it_was(game, "HEAD") as then:
        assert then.commit == second
        assert str(then) == f"HEAD ({second[:8]})"
        assert then.folder is not None
        assert files(then.folder) == first | {"a.txt": b"second", "b.txt": b"new"}
    after = {name: sha256(content).digest() for name, content in files(repository.folder).items()}
    assert after == before


def test_a_folder_that_was_not_there(repository: Repository) -> None:
    (repository.folder / "games/other").mkdir()
    with as_it_was(repository.folder / "games/other", "HEAD") as then:
        assert then.folder is None
    game = game_of(repository)
    game.rename(repository.folder / "kept")
    game.write_text("a file where the game will be")
    repository.commit()
    game.unlink()
    (repository.folder / "kept").rename(game)
    with as_it_was(game, "HEAD") as then:
        assert then.folder is None


def test_a_game_at_the_top_of_its_repository(tmp_path: Path) -> None:
    repository = Repository.at(tmp_path / "mine")
    (repository.folder / "a.txt").write_text("a")
    repository.commit()
    with as_it_was(repository.folder, "main") as then:
        assert then.folder is not None
        assert files(then.folder) == {"a.txt": b"a"}


@pytest.mark.parametrize("revision", HOSTILE)
def test_what_is_no_commit(unchanged: Repository, revision: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(unchanged.folder)
    told = fault(game_of(unchanged), revision)
    assert told.startswith("error: revision ")
    assert "there is no such commit" in told
    assert not list(unchanged.folder.rglob("owned"))


def test_no_repository_no_git_nothing_committed(
    tmp_path: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    assert "not in a git repository" in fault(plain)
    empty = Repository.at(tmp_path / "empty")
    assert "nothing is committed yet" in fault(empty.folder)
    monkeypatch.setenv("PATH", str(plain))
    assert "git is not installed" in fault(game_of(repository))


def test_a_shallow_clone_says_so(tmp_path: Path, repository: Repository) -> None:
    old = repository.git("rev-parse", "HEAD")
    repository.commit("another")
    source = repository.folder.as_uri()
    repository.git("clone", "--quiet", "--depth", "1", source, str(tmp_path / "shallow"))
    game = tmp_path / "shallow/games/game"
    for revision in ("HEAD~1", old):
        assert "git fetch --unshallow" in fault(game, revision)
    with as_it_was(game, "HEAD") as then:
        assert then.folder is not None


def test_what_the_repository_would_run_is_not_run(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, owned = game_of(repository), tmp_path / "owned"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch {owned}\ncat\n")
    script.chmod(0o755)
    (game / ".gitattributes").write_text("* filter=mine diff=mine ident\n")
    commit = repository.commit()
    for key in ("filter.mine.smudge", "filter.mine.process", "diff.mine.textconv",
                "diff.mine.command", "diff.external", "core.fsmonitor", "core.pager",
                "core.sshCommand", "alias.rev-parse"):  # fmt: skip
        repository.git("config", key, str(script))
    for hook in ("post-checkout", "post-index-change", "reference-transaction"):
        (repository.folder / f".git/hooks/{hook}").symlink_to(script)
    repository.git("config", "extensions.partialClone", "there")
    repository.git("config", "remote.there.promisor", "true")
    repository.git("config", "remote.there.url", f"ext::{script}")
    repository.git("config", "protocol.allow", "always")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(script))
    owned.unlink(missing_ok=True)  # making the repository may have run them
    with as_it_was(game, "HEAD") as then:
        assert then.commit == commit
        assert then.folder is not None
        assert (then.folder / "a.txt").read_bytes() == b"first\r\n"
    repository.object("HEAD:games/game/a.txt").unlink()
    owned.unlink(missing_ok=True)
    fault(game)
    assert not owned.exists()


@pytest.mark.parametrize("damage", ["is missing", "is junk"])
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("HEAD", "revision 'HEAD': git cannot read this commit: "),
        ("HEAD^{tree}", "game: git cannot read 'games/game' as it was: "),
        ("HEAD:games", "game: git cannot read 'games/game' as it was: "),
        ("HEAD:games/game", "game: git cannot read 'game' as it was"),
        ("HEAD:games/game/art", "game: git cannot read 'game' as it was"),
        ("HEAD:games/game/a.txt", "game: git cannot read 'a.txt' as it was"),
    ],
)
def test_an_object_that_cannot_be_read_is_reported(repository: Repository, name: str, told: str, damage: str) -> None:
    """A repository that is damaged is not taken for one in which the game is new."""
    lost = repository.object(name)
    lost.unlink()
    if damage == "is junk":
        lost.write_text("junk")
    message = fault(game_of(repository))
    assert told in message
    assert "`git fsck`" in message


def test_a_pack_that_cannot_be_read_is_reported(repository: Repository) -> None:
    repository.git("gc", "--quiet")
    (pack,) = repository.folder.glob(".git/objects/pack/*.pack")
    content = pack.read_bytes()
    pack.unlink()
    pack.write_bytes(content[:20] + bytes(len(content) - 20))
    told = fault(game_of(repository))
    assert "revision 'HEAD': git cannot read this commit: " in told
    assert "`git fsck`" in told


def test_a_parent_that_is_missing_is_reported(repository: Repository) -> None:
    (game_of(repository) / "a.txt").write_text("second")
    repository.commit()
    repository.object("HEAD~1").unlink()
    assert "revision 'HEAD~1': git cannot read this commit: " in fault(game_of(repository), "HEAD~1")


def test_a_branch_that_cannot_be_read_is_reported(repository: Repository) -> None:
    """It is not taken for one on which nothing is committed yet."""
    (repository.folder / ".git/refs/heads/main").write_text("junk")
    told = fault(game_of(repository))
    assert "there is no such commit" in told
    assert "`git fsck`" in told


def test_a_repository_that_is_none_any_more_is_reported(repository: Repository) -> None:
    (repository.folder / ".git/HEAD").write_text("")
    told = fault(game_of(repository))
    assert f"{repository.folder}/.git is not a valid git repository" in told


def test_a_shallow_clone_says_how_to_get_the_rest(repository: Repository, tmp_path: Path) -> None:
    (game_of(repository) / "a.txt").write_text("second")
    repository.commit()
    repository.git("clone", "--quiet", "--depth=1", f"file://{repository.folder}", f"{tmp_path}/c")
    assert "git fetch --unshallow" in fault(tmp_path / "c/games/game", "HEAD~1")
    with as_it_was(tmp_path / "c/games/game", "HEAD") as then:
        assert then.folder is not None


@pytest.mark.parametrize("name", ["*", "a[b]", ":(top)", "-n", "ü\n"])
def test_a_folder_with_an_odd_name_is_found(repository: Repository, name: str) -> None:
    odd = repository.folder / name
    odd.mkdir()
    with as_it_was(odd, "HEAD") as then:
        assert then.folder is None
    (odd / "b.txt").write_text("b")
    repository.commit()
    with as_it_was(odd, "HEAD") as then:
        assert then.folder is not None
        assert files(then.folder) == {"b.txt": b"b"}


def test_a_repository_named_by_the_environment_is_not_asked(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repository.at(tmp_path / "other")
    other.commit()
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.folder))
    with as_it_was(game_of(repository), "HEAD") as then:
        assert then.commit == repository.git("rev-parse", "HEAD")


def test_a_link_is_a_link_and_none_leads_what_is_written_astray(repository: Repository, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    away, text = repository.blob(os.fsencode(outside)), repository.blob(b"owned")
    tree = repository.forge(("100644", "file", text), ("120000", "link", away))
    top = repository.forge(
        ("40000", "b", tree),
        ("120000", "c", away), ("40000", "..", tree), ("40000", "x\\..", tree),
        ("100644", "../up", text), ("100644", "/absolute", text),
        ("120000", "nul", repository.blob(b"a\0b")),
        ("120000", "long", repository.blob(b"a" * 2000)),
        ("160000", "module", "1" * 40),
    )  # fmt: skip
    repository.git("update-ref", "refs/heads/forged", repository.commit_tree(top))
    with as_it_was(repository.folder, "forged") as then:
        assert then.folder is not None
        assert (then.folder / "b/file").read_bytes() == b"owned"
        assert (then.folder / "c").readlink() == outside
        assert {path.name for path in then.folder.parent.iterdir()} == {then.folder.name}
    assert list(outside.iterdir()) == []


def test_a_link_and_a_folder_of_one_name(repository: Repository, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    away = repository.blob(os.fsencode(outside))
    inner = repository.forge(("120000", "deep", away))
    tree = repository.forge(("120000", "link", away), ("40000", "new", inner))
    top = repository.forge(("120000", "a", away), ("40000", "a", tree))
    repository.git("update-ref", "refs/heads/forged", repository.commit_tree(top))
    with as_it_was(repository.folder, "forged") as then:
        assert then.folder is not None
        assert {path.name for path in then.folder.iterdir()} == {"a"}
    assert list(outside.iterdir()) == []


def test_sizes_and_numbers_are_bounded(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(repository)
    (game / "huge.png").write_bytes(b"x" * 5000)
    repository.commit()
    monkeypatch.setattr(history, "MAX_FILE", 1000)
    with as_it_was(game, "HEAD") as then:  # not unpacked, and its readers find it too large
        assert then.folder is not None
        assert (then.folder / "huge.png").read_bytes() == bytes(1001)
    monkeypatch.setattr(history, "MAX_BYTES", 200)
    assert "the folder had 3 files then" in fault(game)
    monkeypatch.setattr(history, "MAX_BYTES", 10_000)
    monkeypatch.setattr(history, "MAX_FILES", 2)
    assert "at most 2" in fault(game)


def test_a_tree_of_ten_million_files(repository: Repository) -> None:
    tree, mode = repository.blob(b""), "100644"
    for _ in range(7):
        tree = repository.forge(*((mode, f"f{i}", tree) for i in range(10)))
        mode = "40000"
    repository.git("update-ref", "refs/heads/bomb", repository.commit_tree(tree))
    assert "too many files" in fault(repository.folder, "bomb")


def test_a_git_that_takes_too_long_is_ended(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten million folders and no file: nothing is listed, for ever."""
    tree = repository.forge()
    for _ in range(12):
        tree = repository.forge(*(("40000", f"f{i}", tree) for i in range(10)))
    repository.git("update-ref", "refs/heads/bomb", repository.commit_tree(tree))
    monkeypatch.setattr(history, "SECONDS", 0.5)
    assert "takes more than" in fault(repository.folder, "bomb")
