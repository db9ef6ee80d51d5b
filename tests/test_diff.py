"""`pnp diff` and `pnp build --changed-since`: a playtester reprints what changed, and no more."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pypdfium2
import pytest

from tests.bad_specs.games import HERE
from tests.conftest import Pnp
from tests.review.history.repository import Repository
from tests.support.editing import edit
from tests.support.printing import alone

ROOT = Path(__file__).parent.parent
REGULAR = ROOT / "tests/fonts/noto-sans/NotoSans-Regular.ttf"
FOUR = "3,1,0,3,0,1,4,2,3"  # rows of the deck
MOVED = "3,1,0,3,0,4,3,2,1"


@pytest.fixture(autouse=True)
def own_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No profile of the person who runs the tests is read."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Talavera without its rules, in a repository, committed as v1."""
    folder = tmp_path / "games/deck"
    alone(folder.parent).rename(folder)  # its box changes as the cards do
    spec = (folder / "game.toml").read_text()
    rules = spec[spec.index("# What must hold") : spec.index("# The same game with another")]
    (folder / "game.toml").write_text(spec.replace(rules, ""))
    repository = Repository.at(tmp_path / "games")
    repository.commit()
    repository.git("tag", "v1")
    monkeypatch.chdir(tmp_path)
    return folder


def texts(file: Path) -> list[str]:
    with pypdfium2.PdfDocument(file) as document:
        return [" ".join(page.get_textpage().get_text_bounded().split()) for page in document]


def printed(file: Path) -> list[str]:
    """The numbers that the backs of the deck bear, in printing order."""
    with pypdfium2.PdfDocument(file) as document:
        page = document[1]
        block = page.get_trimbox()
        text = page.get_textpage().get_text_bounded(*block)
    return sorted((word for word in text.split() if word.isdigit()), key=int)


def test_nothing_changed(deck: Path, pnp: Pnp) -> None:
    for command in (["diff", "./games/deck"], ["build", "./games/deck", "--changed-since", "v1"]):
        result = pnp(*command)
        assert result.exit_code == 0
        assert "nothing changed" in result.output
        assert not Path("output").exists()
    plan = pnp("build", "./games/deck", "--changed-since", "v1", "--plan")
    assert (plan.exit_code, plan.stdout) == (0, "")
    assert "nothing changed" in plan.stderr
    assert deck.is_dir()


def test_cards_that_changed_and_one_that_came(deck: Path, pnp: Pnp) -> None:
    edit(deck / "cards.csv", FOUR, MOVED)
    with (deck / "cards.csv").open("a") as file:
        file.write("19,1,1,1,1,4,3,2,1\n")
    result = pnp("diff", "./games/deck", "v1")
    assert result.exit_code == 0
    assert result.stderr == ""
    *lines, tally, path = result.stdout.splitlines()
    assert lines == [
        "cards 3 · front: changed (order_yellow 1 → 4, order_azure 4 → 3, order_red 3 → 1)",
        "cards 19 · front: added",
        "cards 19 · back: added",
    ]
    assert tally.startswith("deck since v1 (")
    assert tally.endswith("): faces changed: 1, faces added: 2")
    assert path == "output/deck-diff.pdf"
    (first, *_) = pages = texts(Path(path))
    assert len(pages) == 2
    for word in ("Talavera: what changed since v1", "order_yellow 1 → 4", "taken", "1 of 2"):
        assert word in first
    built = pnp("build", "./games/deck", "--changed-since", "v1")
    assert built.stdout == "output/deck-changed.pdf\n"
    assert "cards: 2 of 19 changed since v1" in built.stderr
    assert printed(Path("output/deck-changed.pdf")) == ["3", "19"]
    plan = pnp("build", "./games/deck", "--changed-since", "v1", "--plan", "--paper", "a5")
    assert plan.stdout.startswith("cards: 2 pieces on 1 sheet of")


def test_counts(deck: Path, pnp: Pnp) -> None:
    rows = (deck / "cards.csv").read_text().splitlines()

    def write(**counts: int) -> None:
        body = [f"{row},{counts.get('n' + row.split(',')[0], 2)}" for row in rows[1:]]
        (deck / "cards.csv").write_text("\n".join([rows[0] + ",count", *body]) + "\n")

    write()
    Repository(deck.parent).commit()
    write(n4=5, n7=1, n9=0)
    told = pnp("diff", "./games/deck").stdout
    assert "cards 4: 2 → 5 copies\ncards 7: 2 → 1 copies\n" in told
    assert "cards 9 · front: removed\n" in told
    built = pnp("build", "./games/deck", "--changed-since", "HEAD")
    assert "cards: take out 9" in built.stderr
    assert "cards: take out 1 of 7" in built.stderr
    assert printed(Path("output/deck-changed.pdf")) == ["4", "4", "4"]


def test_every_way_of_printing(deck: Path, pnp: Pnp) -> None:
    edit(deck / "cards.csv", "4,0,2,0,2,", "4,0,2,1,1,")
    since = ("build", "./games/deck", "--changed-since", "v1")
    mixed = "mixed: Cards, Cards (backs) together on 1 sheet\n"
    assert pnp(*since, "--sides", "single", "--plan").stdout.startswith(mixed)
    apart = pnp(*since, "--sides", "separate")
    assert apart.stdout.split() == ["output/deck-changed.pdf", "output/deck-changed-backs.pdf"]
    for options in (["--sides", "fold", "--mix"], ["--only", "cards", "--paper", "a4"]):
        assert pnp(*since, "--plan", *options).stdout.startswith("cards: 1 piece on 1 sheet")
    assert pnp(*since, "--only", "crads").exit_code == 1


def test_json(deck: Path, pnp: Pnp) -> None:
    edit(deck / "cards.csv", FOUR, MOVED)
    report = json.loads(pnp("diff", "./games/deck", "--format", "json").output)
    assert not Path("output").exists()
    assert {key: report[key] for key in ("game", "revision", "was_there", "counts", "pdf")} == {
        "game": "deck", "revision": "HEAD", "was_there": True, "counts": [], "pdf": None,
    }  # fmt: skip
    assert report["commit"] == Repository(deck.parent).git("rev-parse", "HEAD")
    (face,) = report["faces"]
    assert face["cells"][0] == {"column": "order_yellow", "old": 1, "new": 4}
    made = json.loads(pnp("diff", "./games/deck", "--format", "json", "-o", "x.pdf").output)
    assert made == report | {"pdf": "x.pdf"}
    assert Path("x.pdf").read_bytes().startswith(b"%PDF")


def test_a_game_that_was_not_there(deck: Path, pnp: Pnp) -> None:
    shutil.copytree(HERE / "_tiny", deck.parent / "tiny")
    told = pnp("diff", "./games/tiny")
    assert told.exit_code == 0
    assert "the game is new" in told.output
    assert "cards 1, 2, 3 · front: added" in told.output
    assert "3 of 3 changed" in pnp("build", "./games/tiny", "--changed-since", "HEAD").stderr


def faces(pnp: Pnp, *words: str) -> set[tuple[str, str, str]]:
    """Of how a diff without a PDF tells of them."""
    result = pnp("diff", *words, "--format", "json")
    assert result.exit_code == 0
    return {(load["kind"], load["piece"], load["side"]) for load in json.loads(result.output)["faces"]}


def test_a_variant(deck: Path, pnp: Pnp) -> None:
    edit(deck / "balanced.csv", "\n3,", "\n33,")
    assert faces(pnp, "./games/deck") == set()
    assert faces(pnp, "./games/deck-balanced") == {
        (kind, piece, side) for kind, piece in (("removed", "3"), ("added", "33")) for side in ("front", "back")
    }
    edit(deck / "game.toml", "[variant.balanced]", "[variant.other]")
    assert {kind for kind, _, _ in faces(pnp, "./games/deck-other")} == {"added"}


def test_a_language(deck: Path, pnp: Pnp) -> None:
    quest = deck.parent / "quest"
    shutil.copytree(ROOT / "tests/templates/quest", quest)
    with (quest / "cards.csv").open(newline="") as file:
        rows = [row | {"title.de": ""} for row in csv.DictReader(file)]

    def write(title: str) -> None:
        rows[0]["title.de"] = title
        with (quest / "cards.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)

    write("Drache")
    Repository(deck.parent).commit()
    write("Wurm")
    assert "nothing changed" in pnp("diff", "./games/quest").output
    told = pnp("diff", "./games/quest", "--lang", "de").output
    assert told.startswith("cards dragon · front: changed (title Drache → Wurm)\n")
    assert "output/quest-de-diff.pdf" in told


@pytest.mark.parametrize("command", ["diff", "build"])
def test_a_revision_that_is_broken_today(deck: Path, pnp: Pnp, command: str) -> None:
    edit(deck / "game.toml", '"talavera.order"', '"talavera.ordre"')
    edit(deck / "game.toml", 'bleed = "3mm"', 'bleed = "3"')
    Repository(deck.parent).commit()
    shutil.copy(ROOT / "templates/talavera/game.toml", deck / "game.toml")
    words = ["diff", "./games/deck"] if command == "diff" else ["build", "./games/deck"]
    result = pnp(*words, *(["HEAD"] if command == "diff" else ["--changed-since", "HEAD"]))
    assert result.exit_code == 1
    assert result.stdout == ""
    message, hint = result.stderr.splitlines()
    assert message.startswith("error: deck at HEAD (")
    assert "this version cannot be read: deck/game.toml:" in message
    assert message.endswith("(and 1 more)")
    assert "compare with a later revision" in hint
    assert not Path("output").exists()


def test_a_link_in_history_that_leads_out(deck: Path, pnp: Pnp, tmp_path: Path) -> None:
    art = deck / "art/star.svg"
    kept = art.read_bytes()
    (tmp_path / "outside.svg").write_bytes(kept)
    art.unlink()
    art.symlink_to(tmp_path / "outside.svg")
    Repository(deck.parent).commit()
    art.unlink()
    art.write_bytes(kept)
    result = pnp("diff", "./games/deck")
    assert result.exit_code == 1
    assert "a link out of the game's folder" in result.stderr
    assert "deck at HEAD (" in result.stderr


def test_a_link_in_history_that_stays_within(deck: Path, pnp: Pnp) -> None:
    art = deck / "art/star.svg"
    art.rename(deck / "art/ornament.svg")
    art.symlink_to("ornament.svg")
    Repository(deck.parent).commit()
    assert "nothing changed" in pnp("diff", "./games/deck").output


def test_art_that_was_too_large(deck: Path, pnp: Pnp) -> None:
    art = deck / "art/star.svg"
    kept = art.read_bytes()
    art.write_bytes(kept + b" " * 40 * 1024 * 1024)
    Repository(deck.parent).commit()
    art.write_bytes(kept)
    result = pnp("diff", "./games/deck")
    assert result.exit_code == 1
    assert "is too large: 32.0 MB" in result.stderr


@pytest.mark.parametrize("revision", ["nope", "--all", "-h", "HEAD:games"])
def test_no_such_revision(deck: Path, pnp: Pnp, revision: str) -> None:
    for words in (["diff", "./games/deck", "--", revision],
                  ["build", "./games/deck", f"--changed-since={revision}"]):  # fmt: skip
        result = pnp(*words)
        assert result.exit_code == 1
        assert result.stderr.startswith(f"error: revision '{revision}': there is no such commit")
    assert deck.is_dir()


def test_the_same_pdf_every_time(deck: Path, pnp: Pnp) -> None:
    edit(deck / "cards.csv", FOUR, MOVED)
    for name in ("one.pdf", "two.pdf"):
        assert pnp("diff", "./games/deck", "-o", name).exit_code == 0
    assert Path("one.pdf").read_bytes() == Path("two.pdf").read_bytes()


def test_another_font_of_the_same_name(deck: Path, pnp: Pnp) -> None:
    """Both cannot be in one file by name: what was is then a picture, and the letters differ."""
    (deck / "fonts").mkdir()
    shutil.copy(REGULAR, deck / "fonts/own.ttf")
    edit(deck / "game.toml", 'number_font = "Abril Fatface"', 'number_font = "Noto Sans"')
    header, first = (deck / "cards.csv").read_text().splitlines()[:2]
    (deck / "cards.csv").write_text(f"{header}\n777{first[1:]}\n")
    Repository(deck.parent).commit()
    (deck / "fonts/own.ttf").write_bytes(REGULAR.read_bytes() + bytes(4))  # another file
    told = pnp("diff", "./games/deck").output
    assert told.startswith("cards 777 · back: changed (the cells it reads are unchanged)\n")
    # text above the row and where it is as it is; where it was, a part of the picture
    assert "".join(texts(Path("output/deck-diff.pdf"))).count("777") == 2


def test_a_damaged_repository_is_no_new_game(deck: Path, pnp: Pnp) -> None:
    repository = Repository(deck.parent)
    repository.object("HEAD^{tree}").unlink()
    for command in (["diff", "./games/deck"], ["build", "./games/deck", "--changed-since", "v1"]):
        result = pnp(*command)
        assert result.exit_code == 1
        assert "git cannot read 'deck' as it was: not a tree object" in result.stderr
        assert result.stdout == ""
