"""The guide promises only what works: what it shows stands in a game that is built."""

from __future__ import annotations

import csv
import re
import tomllib
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from jsonschema import Draft7Validator

from generator import pipeline
from generator.pipeline.starting import STARTERS
from tests.conftest import Golden, Pnp
from tests.support.editing import edit
from tests.support.guided import ADDED, VARIANT, Done, follow, guided
from tests.tools.reference import reference

DOCS = Path(__file__).parents[1] / "docs"
GUIDE = (DOCS / "guide.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
COMMANDS = [line for kind, block in BLOCKS if kind == "sh" for line in block.splitlines()]
LINES = [line for line in COMMANDS if line.startswith("pnp ")]
SHOWN = [block for kind, block in BLOCKS if kind != "sh"]
KINDS = (".csv", ".svg", ".toml")
PAGES = sorted(DOCS.glob("*.md"))
FOR_DESIGNERS = ("guide.md", "sheets.md", "templates.md")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game that the guide ends with."""
    return guided(tmp_path_factory.mktemp("guide"))


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Done]]:
    """The folder in which all was done that the guide says, and what its commands said.

    Before `pnp diff`, the files change, as the guide asks for.
    """
    folder, said = tmp_path_factory.mktemp("followed"), {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for done in follow(folder):
            said[done.command] = done
            if " commit " in done.command:
                edit(folder / "my-game/cards.csv", "The Quiet Bay", "The Noisy Bay")
    return folder, said


def test_the_guide_is_followed_to_the_letter(followed: tuple[Path, dict[str, Done]]) -> None:
    folder, said = followed
    left_out = ["pipx install .", "pnp preview ./my-game"]
    assert sorted([*left_out, *said]) == sorted(set(COMMANDS))
    assert {done.command: done.said for done in said.values() if done.exit_code} == {}
    assert said["pnp check ./my-game"].said == "./my-game: 0 errors, 0 warnings, 0 notes\n"
    assert "base 18 + 4 - 4 = 18 pieces" in said["pnp build ./my-game-deep"].said
    assert "The Quiet Bay → The Noisy Bay" in said["pnp diff ./my-game"].said
    made = {path.name for path in (folder / "output").glob("*.pdf")}
    assert {"my-game.pdf", "my-game-deep.pdf", "my-game-de.pdf", "my-game-changed.pdf"} <= made
    for name, titles in (("deep", {"The Crab", "The Angler"}), ("de", {"Der Krake", "A Gull"})):
        with pypdfium2.PdfDocument(folder / f"output/my-game-{name}.pdf") as document:
            words = " ".join(page.get_textpage().get_text_bounded() for page in document)
        assert all(title in words for title in titles), name


def test_there_is_something_to_test() -> None:
    assert {kind for kind, _ in BLOCKS} == {"sh", "csv", "xml", "toml"}
    assert len(LINES) >= 8
    assert len(SHOWN) >= 7


@pytest.mark.parametrize("line", LINES)
def test_command_is_known(line: str, pnp: Pnp) -> None:
    program, *words = line.split()
    assert program == "pnp"
    result = pnp(*words, "--help")
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("block", SHOWN, ids=lambda block: block.split("\n")[0][:40])
def test_what_is_shown_stands_in_a_game(block: str, game: Path, followed: tuple[Path, dict[str, Done]]) -> None:
    """In its words; of a table its lines. In a template it may stand further in."""
    games = (game, followed[0] / "my-game", STARTERS / "cards")
    files = [path for folder in games for path in folder.rglob("*.*") if path.suffix in KINDS]
    texts = [path.read_text("utf-8") for path in files]
    if block.startswith("id,"):
        assert any(set(block.splitlines()) <= set(text.splitlines()) for text in texts)
    else:
        assert any(unindented(block) in unindented(text) for text in texts)


def unindented(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines())


def test_a_block_that_stands_nowhere_is_found(game: Path) -> None:
    with pytest.raises(AssertionError):
        test_what_is_shown_stands_in_a_game("equals = 17\n", game, (game, {}))


def test_the_game_is_sound_in_each_of_its_ways(game: Path, pnp: Pnp) -> None:
    assert pnp("check", game).output == f"{game}: 0 errors, 0 warnings, 0 notes\n"
    first, last = pnp("check", f"{game}-deep").output.splitlines()
    assert first.endswith("cards: base 18 + 4 - 4 = 18 pieces, 1 of the rows replaced")
    assert last == f"{game}-deep: 0 errors, 0 warnings, 1 note"
    for language in ("", "de"):
        deck = pipeline.read(f"{game}-deep", language).game.components[0]
        titles = {piece.id: str(piece.row["title"]) for piece in deck.pieces}
        assert titles["crab"] == ("Die Krabbe" if language else "The Crab")
        assert "boat" not in titles
        assert sum(piece.id == "herring" for piece in deck.copies()) == 1


def test_the_spec_is_as_the_schema_says(game: Path) -> None:
    raw = tomllib.loads((game / "game.toml").read_text("utf-8"))
    assert not list(Draft7Validator(pipeline.schema()).iter_errors(raw))
    assert "deep" in raw["variant"]


def test_a_card_more_is_reported(game: Path, pnp: Pnp) -> None:
    table = game / "cards.csv"
    before = table.read_text("utf-8")
    try:
        table.write_text(before.replace("whale,1,", "whale,2,"), "utf-8")
        assert "there are 19 cards, not 18" in pnp("check", game).output
    finally:
        table.write_text(before, "utf-8")
    assert "there are 19 cards, not 18" in GUIDE


def test_an_expansion_of_another_size_is_accepted_and_built(tmp_path: Path, pnp: Pnp) -> None:
    """What `pnp check` lets stand, `pnp build` prints."""
    grown = guided(tmp_path)
    table = grown / "deep.csv"
    table.write_text(table.read_text("utf-8").replace("crab,", "crab,1", 1), "utf-8")
    pdf = tmp_path / "deep.pdf"
    assert "there are 28 cards, not 18" in pnp("build", f"{grown}-deep", "-o", pdf).output
    entry = pnp("check", f"{grown}-deep", "--accept").stdout
    with (grown / "game.toml").open("a", encoding="utf-8") as spec:
        spec.write(entry.replace('reason = ""', 'reason = "Ten more."'))
    assert pnp("check", f"{grown}-deep").exit_code == 0
    assert pnp("build", f"{grown}-deep", "-o", pdf).exit_code == 0


def test_the_tables_are_the_starters_and_german_beside(followed: tuple[Path, dict[str, Done]]) -> None:
    """So that the guide's pictures are those of what a person has before them."""

    def rows(path: Path) -> list[dict[str, Any]]:
        with path.open(encoding="utf-8", newline="") as file:
            return [
                {name: cell for name, cell in row.items() if not name.endswith(".de")} for row in csv.DictReader(file)
            ]

    assert rows(ADDED / "cards.csv") == rows(STARTERS / "cards/cards.csv")
    assert rows(ADDED / "deep.csv") == rows(followed[0] / "my-game/deep.csv")
    for added in (ADDED / VARIANT).read_text("utf-8").strip().split("\n\n"):
        assert f"```toml\n{added}\n```" in GUIDE


@pytest.mark.parametrize(
    ("page", "target"),
    [
        (page, target)
        for page in PAGES
        for text in [re.sub(r"`[^`\n]+`", "", page.read_text("utf-8"))]  # Markdown to copy
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)
    ],
    ids=lambda value: str(getattr(value, "name", value)),
)
def test_what_a_page_links_to_is_there(page: Path, target: str) -> None:
    assert (page.parent / target).exists()


def properties(node: object) -> set[str]:
    if isinstance(node, list):
        return set().union(*map(properties, node))
    if not isinstance(node, dict):
        return set()
    return set(node.get("properties", ())) | properties(list(node.values()))


def test_keys_that_pages_speak_of_are_keys() -> None:
    known = properties(pipeline.schema())
    told = {key for page in FOR_DESIGNERS for key in re.findall(r"`(\w+) = ", (DOCS / page).read_text("utf-8"))}
    assert {"table", "bleed", "cuts", "edge"} <= told
    assert told <= known


def test_the_reference_tells_every_key(golden: Golden) -> None:
    golden(DOCS / "reference.md", reference(pipeline.schema()))
    page = (DOCS / "reference.md").read_text("utf-8")
    told = set(re.findall(r"^(?:\| `|### )(\w+)", page, re.M))
    assert properties(pipeline.schema()) <= told
    for table in pipeline.schema()["$defs"].values():  # several have keys of the same names
        for key, node in table.get("properties", {}).items():
            described = node.get("description", "").replace("|", "\\|")
            assert f"| `{key}` | {described}" in page
