"""The pages of a site: everything leads somewhere, no text of a game becomes markup."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote
from zipfile import ZipFile

import pytest
from lxml import html
from pypdfium2 import PdfDocument

from generator.basics.catalogue import Catalogue
from generator.basics.errors import Place, PnpError, fail
from generator.basics.keys import Keys
from generator.basics.phrases import read_phrases
from generator.export.site.pages import _say_size
from generator.game.library import OWN_COPIES
from generator.pipeline.sheets import silent
from generator.pipeline.siting import build_site
from tests.conftest import Pnp
from tests.export.site.conftest import HOSTILE, BuiltGames

PAGES = ("index.html", "hostile/index.html", "bare/index.html")


def parse(built: BuiltGames, page: str) -> html.HtmlElement:
    return html.fromstring((built.site / page).read_bytes())


def files_of(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_file_or_to_a_part_of_the_page(built: BuiltGames, page: str) -> None:
    document = parse(built, page)
    ids = document.xpath("//@id")
    assert len(ids) == len(set(ids))
    own = "//@href[not(starts-with(., 'https://example.com/?'))]"  # that is a link of the rules
    links = document.xpath(f"{own} | //@src | //meta[@property='og:image']/@content")
    assert len(links) > 3
    for link in links:
        path, _, part = link.partition("#")
        if path:
            assert (built.site / page).parent.joinpath(unquote(path)).is_file(), link
        else:
            assert part in ids


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_well_formed(built: BuiltGames, page: str) -> None:
    document = parse(built, page)
    assert len(document.xpath("//h1")) == 1
    assert document.get("lang") == "en"
    for image in document.xpath("//img[not(@class='icon')]"):
        assert {"alt", "width", "height"} <= set(image.attrib)
    depths = [int(element.tag[1]) for element in document.xpath("//h1 | //h2 | //h3 | //h4")]
    assert all(there <= here + 1 for here, there in pairwise(depths))


@pytest.mark.parametrize("page", PAGES)
def test_no_text_of_a_game_becomes_markup(built: BuiltGames, page: str) -> None:
    document = parse(built, page)
    allowed = {"http-equiv", "aria-label", "property", "fetchpriority"}
    for element in document.iter():
        assert element.tag not in ("b", "u", "i") or not (element.text or "").startswith("<")
        assert not any(name.startswith("on") for name in element.attrib), element.tag
        assert all(name.isalpha() or name in allowed for name in element.attrib), element.attrib
    (script,) = document.xpath("//script")
    assert script.get("type") == "application/ld+json"
    assert not document.xpath("//u | //i | //iframe | //object | //base | //form")


def test_hostile_words_are_read_as_they_are(built: BuiltGames) -> None:
    page = parse(built, "hostile/index.html")
    assert page.xpath("//title")[0].text == HOSTILE
    assert page.xpath("//h1")[0].text_content() == HOSTILE
    assert page.xpath("string(//*[@class='terms'])") == f"{HOSTILE} · 5 minutes · age 8 and up"
    facts = json.loads(page.xpath("//script")[0].text)
    assert (facts["@type"], facts["name"], facts["author"]["name"]) == ("Game", HOSTILE, HOSTILE)
    assert HOSTILE in page.xpath("//*[@class='as-is']")[0].text_content()
    prose = page.xpath("//*[@class='prose']")[0].text_content()
    assert "<img src=x onerror=alert(1)>" in prose
    titles = parse(built, "index.html").xpath("//h2")
    assert [title.text_content() for title in titles] == [HOSTILE, "Tiny"]


def test_the_rules_keep_their_form(built: BuiltGames) -> None:
    (prose,) = parse(built, "hostile/index.html").xpath("//*[@class='prose']")
    assert [element.text_content() for element in prose.xpath(".//h3 | .//h4")] == [
        "Setup & <script>",
        "A part",
        "Setup & <script>",
        "Third",
        "Small",
        "Fourth",
    ]
    assert [element.text_content() for element in prose.xpath(".//ol/li")] == ["One", "Two", "A note."]
    assert prose.xpath("string(.//ul/li/ul/li)") == "b"
    assert [element.text_content() for element in prose.xpath(".//td")] == ["a | b", "2"]
    assert prose.xpath("string(.//td[2]/@class)") == "right"
    assert prose.xpath("string(.//aside/p)") == "Aside."
    assert prose.xpath("string(.//p/strong)") == "one"
    assert prose.xpath("string(.//p/em)") == "Any"
    assert prose.xpath("string(.//p/img/@alt)") == "star"
    assert [caption.text for caption in prose.xpath(".//figcaption")] == ["A map <b>", "one"]
    assert prose.xpath("count(.//figure/img)") == 2
    (link,) = prose.xpath(".//a")
    assert (link.get("href"), link.text_content()) == ("https://example.com/?a=1&b=%222%22", "a video")
    assert [element.text for element in prose.xpath(".//h5 | .//s | .//sup")] == ["1", "Fifth", "Text"]
    assert prose.xpath("string(.//ol[@class='notes'][@start='1']/li)") == "A note."
    assert "1" in prose.xpath("string(.//ul[@class='kit']/li/b)")


def test_the_changes_since_the_last_tag_are_listed(built: BuiltGames) -> None:
    news = parse(built, "hostile/index.html").xpath("//section[@id='news']")[0].text_content()
    assert "Since v1<i>:" in news
    assert "first → <u>second</u>" in news


def test_a_page_without_rules_git_and_credits_lacks_only_these(built: BuiltGames) -> None:
    sections = parse(built, "bare/index.html").xpath("//section/@id")
    assert sections == ["print", "more", "pieces"]
    assert not parse(built, "bare/index.html").xpath("//*[@class='terms']")
    ways = parse(built, "bare/index.html").xpath("//section[@id='print']//strong")
    assert [way.text for way in ways] == ["One side", "One side"]


def test_every_file_has_its_checksum(built: BuiltGames) -> None:
    files = files_of(built.site)
    lines = files.pop("SHA256SUMS").decode().splitlines()
    assert dict(line.split("  ")[::-1] for line in lines) == {
        name: sha256(content).hexdigest() for name, content in files.items()
    }
    rows = parse(built, "hostile/index.html").xpath("//footer//*[@class='sums']/div")
    shown = [(row.xpath("string(dt)"), row.xpath("string(dd)")) for row in rows]
    assert [name for name, _ in shown][-1] == "the files of the game"
    assert len(shown) == 8
    for name, digest in shown[:-1]:
        (line,) = (line for line in lines if line.startswith(digest))
        assert Path(name).stem in line
        assert len(digest) == 12


@pytest.mark.parametrize(
    ("size", "told"), [(1, "1 kB"), (1499, "1 kB"), (1501, "2 kB"), (999_400, "999 kB"), (1_250_001, "1.3 MB")]
)
def test_a_size_is_told(size: int, told: str) -> None:
    assert _say_size(read_phrases(), size) == told


def test_a_file_is_named_by_its_content(built: BuiltGames) -> None:
    for name, content in files_of(built.site).items():
        if not name.endswith(("index.html", "SHA256SUMS")):
            assert sha256(content).hexdigest()[:10] in name


def test_a_zip_is_whole(built: BuiltGames) -> None:
    (cuts,) = (built.site / "hostile").glob("hostile-cut-svg-letter-*.svg")
    assert b"<svg" in cuts.read_bytes()
    (path,) = (built.site / "hostile").glob("hostile-tts-*.zip")
    with ZipFile(path) as archive:
        assert archive.testzip() is None
        assert "tts/hostile.json" in archive.namelist()


def test_the_same_games_give_the_same_bytes(built: BuiltGames, tmp_path: Path) -> None:
    build_site(built.games, tmp_path / "again", "", silent)
    assert files_of(tmp_path / "again") == files_of(built.site)


def test_an_address_makes_whole_addresses_and_old_files_go(built: BuiltGames, tmp_path: Path) -> None:
    bare = built.games[1:]
    build_site(bare, tmp_path, "", silent)
    (old,) = (tmp_path / "bare").glob("scene-*.jpg")
    (mine,) = (tmp_path / "bare").glob("bare-a4-single-*.pdf")
    other = old.with_name("scene-0000000000.jpg")
    other.write_bytes(old.read_bytes())
    (tmp_path / "CNAME").write_text("me.example\n")
    sums = (tmp_path / "SHA256SUMS").read_text()
    line = f"{sha256(b'kept').hexdigest()}  bare/kept.txt\n"
    line += f"{sha256(other.read_bytes()).hexdigest()}  bare/{other.name}\n"
    line += f"{sha256(b'x').hexdigest()}  ../outside.txt\n"
    (tmp_path.parent / "outside.txt").write_bytes(b"x")
    (tmp_path / "bare" / "kept.txt").write_text("changed")
    (tmp_path / "SHA256SUMS").write_text(sums + line)
    build_site(bare, tmp_path, "https://me.example/kits", silent)
    assert not other.exists()
    assert mine.exists()
    assert (tmp_path / "CNAME").exists()
    assert (tmp_path / "bare" / "kept.txt").exists()
    assert (tmp_path.parent / "outside.txt").exists()
    page = html.fromstring((tmp_path / "bare/index.html").read_bytes())
    assert page.xpath("string(//link[@rel='canonical']/@href)") == "https://me.example/kits/bare/"
    (saved,) = (tmp_path / "bare").glob("bare-tts-*.json")
    addresses = re.findall(r"https://me.example/kits/(bare/tts/files/[^\"]+)", saved.read_text())
    assert addresses
    assert all((tmp_path / address).is_file() for address in addresses)
    image = page.xpath("string(//meta[@property='og:image']/@content)")
    assert image == f"https://me.example/kits/bare/{old.name}"


def test_the_pages_of_a_language(built: BuiltGames, tmp_path: Path) -> None:
    game = shutil.copytree(built.games[1], tmp_path / "bare")
    with (game / "game.toml").open("a") as spec:
        spec.write('\n[language.de]\ntitle = "Karg"\n')
    build_site([str(game)], tmp_path / "site", "", silent, "de")
    page = html.fromstring((tmp_path / "site/bare-de/index.html").read_bytes())
    assert (page.get("lang"), page.xpath("string(//h1)")) == ("de", "Karg")
    assert "Drucken" in page.text_content()
    (sheets,) = (tmp_path / "site/bare-de").glob("bare-de-a4-single-*.pdf")
    assert "Bogen 1 von 1" in PdfDocument(sheets)[0].get_textpage().get_text_range()


def messages(error: PnpError) -> Iterator[str]:
    return (f"{problem.place}: {problem.what}" for problem in error.problems)


@pytest.mark.parametrize(
    ("names", "url", "message"),
    [
        (["bare", "nobody"], "", "'nobody': there is no such game"),
        (["bare", "bare"], "", "'bare': two of the games have this name"),
        (["bare"], "me.example", "--url: 'me.example' is not an address"),
        (["bare"], "file:///tmp", "--url: 'file:///tmp' is not an address"),
    ],
)
def test_a_fault_is_told_and_nothing_is_written(
    built: BuiltGames, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str], url: str, message: str
) -> None:
    monkeypatch.chdir(Path(built.games[1]).parent)
    with pytest.raises(PnpError) as told:
        build_site(names, tmp_path / "site", url, silent)
    assert any(message in text for text in messages(told.value))
    assert not list(tmp_path.iterdir())


def test_a_format_that_is_missing_or_refuses_is_left_out(
    built: BuiltGames, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    formats = {
        "scene": "generator.export.scene.exporter:Scenes",
        "cut-svg": "tests.export.site.test_pages:RefusingExporter",
    }
    few: Catalogue[type] = Catalogue("pnp.none", formats)
    monkeypatch.setattr("generator.pipeline.siting.EXPORTERS", few)
    monkeypatch.setattr("generator.pipeline.exporting.EXPORTERS", few)
    copy = shutil.copytree(built.games[1], tmp_path / "bare")
    (copy / "CREDITS.md").write_text(f"The faces are {OWN_COPIES}.", "utf-8")
    site = build_site([str(copy)], tmp_path / "site", "", silent)
    told = "bare: its faces are from an imported PDF: publish them only if its licence allows it"
    assert site.notes == [told, *["bare: no Cut lines, SVG: this is refused"] * 2]
    page = html.fromstring((tmp_path / "site/bare/index.html").read_bytes())
    assert page.xpath("//section/@id") == ["print", "pieces", "credits"]


class RefusingExporter(Keys, frozen=True, kw_only=True):
    """An exporter that no kit suits."""

    def export(self, kit: object) -> Iterator[object]:
        yield from ()
        raise fail(Place(str(type(kit))), "this is refused")


def test_the_command_names_the_first_page(built: BuiltGames, tmp_path: Path, pnp: Pnp) -> None:
    made = pnp("site", built.games[1], "-o", str(tmp_path / "site"))
    assert (made.exit_code, made.stdout) == (0, f"{tmp_path / 'site' / 'index.html'}\n")


def test_a_workflow_publishes_the_page(tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = pnp("new", "my-game", "--site")
    assert "fill in PNP in my-game/.github/workflows/pages.yml" in made.stderr
    text = (tmp_path / "my-game/.github/workflows/pages.yml").read_text("utf-8")
    steps = re.findall(r"(?:uses|run): (.*)", text)
    order = ["checkout@", "setup-python@", "pip install", "pnp check .", "configure-pages@"]
    order += ["pnp site .", "upload-pages-artifact@", "deploy-pages@"]
    found = [index for part in order for index, step in enumerate(steps) if part in step]
    assert found == sorted(found)
    assert len(found) == len(order)
    guard = next(step for step in steps if step.startswith("test -n"))
    for value, code in (("", 1), ("git+https://me.example/pnp", 0)):
        done = subprocess.run(["sh", "-c", guard], env={"PNP": value}, capture_output=True, check=False)
        assert done.returncode == code
    pnp("new", "plain")
    assert not (tmp_path / "plain/.github").exists()
