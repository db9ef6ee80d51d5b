"""Take the names of games, write a site: a page for each with all that prints it, and an index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from msgspec import Struct

from generator import export, pdf, review
from generator import game as gamefile
from generator.basics.errors import PnpError, fail
from generator.basics.errors import quote as quote_words
from generator.basics.place import Place
from generator.basics.written import staging
from generator.export import site
from generator.export.cuts.paths import count_straight
from generator.export.cuts.sheets import cut_sheets
from generator.export.site.accent import accent_of
from generator.export.site.files import (
    SiteFiles,
    Write,
    digest_folder,
    find_stale,
    list_sums,
    read_notices,
)
from generator.export.site.letters import letter_page, write_index
from generator.model import Face, FaceKey, Game
from generator.pipeline.comparing import compare_with_past
from generator.pipeline.exporting import make_kit
from generator.pipeline.game import bound_of, draw, read_sound_game
from generator.pipeline.paging import number_pages
from generator.pipeline.printing import impose_kit
from generator.pipeline.request import Sides, parse_request
from generator.pipeline.sheets import Progress
from generator.pipeline.site_offers import PAPERS, Exports
from generator.pipeline.site_pictures import paint_scene, show_parts, show_rules
from generator.review.history import Git

SUMS = "SHA256SUMS"
_WAYS: dict[Sides, str] = {
    "duplex": "Both sides",
    "fold": "One side, to fold and glue",
    "single": "Fronts only",
}


class BuiltSite(NamedTuple):
    """The path of a site's first page, and notes on what it lacks."""

    first: Path
    notes: list[str]


def build_site(names: Sequence[str], folder: Path, url: str, progress: Progress) -> BuiltSite:
    """Writes the site of these games to a folder. `url` is where the folder will be on the web, or
    "". Files of an earlier site that this one lacks are removed, unless they were changed.

    Raises PnpError, and then leaves the folder as it is, if a game cannot be printed.
    """
    url = _check_url(url)
    stale = find_stale(folder, SUMS)
    sums: dict[str, str] = {}
    notes: list[str] = []
    with staging(folder) as stage:

        def write(path: str, content: bytes) -> None:
            stage(path, content)
            sums[path] = sha256(content).hexdigest()

        pages = [_GameSite(name, folder, write, progress, notes).make(url) for name in names]
        _check_different([page.name for page in pages])
        for page in pages:
            write(f"{page.name}/index.html", site.write_game(page))
        write("index.html", write_index(pages, url))
        stage(SUMS, list_sums(sums))
    for path in stale:
        if path.relative_to(folder).as_posix() not in sums:
            path.unlink(missing_ok=True)
    return BuiltSite(folder / "index.html", notes)


def _check_url(url: str) -> str:
    """The address with a slash at its end. Raises PnpError if it is not one of the web."""
    parts = urlsplit(url)
    if url and not (parts.scheme in ("http", "https") and parts.netloc):
        what = f"{quote_words(url)} is not an address"
        raise fail(Place("--url"), what, "write https://you.example/games/")
    return f"{url.rstrip('/')}/" if url else ""


def _check_different(names: Sequence[str]) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        what = "two of the games have this name"
        raise fail(Place(quote_words(twice)), what, "name each game once")


class _GameSite:
    """Makes the page of one game and writes the files beside it."""

    def __init__(
        self, name: str, folder: Path, write: Write, progress: Progress, notes: list[str]
    ) -> None:
        self._name, self._site, self._write = name, folder, write
        self._progress, self._notes = progress, notes

    def make(self, url: str) -> site.GamePage:
        with bound_of(self._name).hold():
            loaded, _ = read_sound_game(self._name, self._progress)
            game, drawn = loaded.game, draw(loaded, self._progress)
        folder, _ = gamefile.find(self._name)
        address = f"{url}{quote(game.name)}/" if url else ""
        files = SiteFiles(game.name, self._write)
        with pdf.Press(is_early=False) as press:
            kits = list(self._kits(game, drawn, press))
            whole, first = kits[0].kit, {one.paper: one.kit for one in reversed(kits)}
            printed = [self._print(one, files) for one in kits]
            self._progress("painting")
            page = site.GamePage(
                name=game.name,
                title=game.title,
                designer=game.designer,
                about=game.about,
                language=game.language or "en",
                accent=accent_of(game),
                scene=paint_scene(whole, files),
                parts=show_parts(whole, files),
                printed=printed,
                others=Exports(files, address, self._progress, self._notes).make(first),
                rules=show_rules(whole, files),
                news=self._compare(game, drawn, folder),
                notices=read_notices(folder),
                inputs=digest_folder(folder, self._site),
                type_faces=(),
                url=address,
            )
        return letter_page(page, game)

    def _kits(
        self, game: Game, drawn: dict[FaceKey, Face], press: pdf.Press
    ) -> Iterator[_PaperKit]:
        """The game on each paper, in each way that makes a difference."""
        has_backs = game.booklet or any(one.has_back for one in game.components)
        ways: Sequence[Sides] = tuple(_WAYS) if has_backs else ("single",)
        for paper in PAPERS:
            for sides in ways:
                options = {"paper": paper, "sides": sides, "margin": "usual"}
                request = parse_request(self._name, options)  # type: ignore[arg-type]
                with bound_of(self._name).hold():
                    imposed = impose_kit(game, request, drawn, self._progress)
                kit = make_kit(game, drawn, imposed, request, press, self._progress)
                yield _PaperKit(paper, sides, kit)

    def _print(self, one: _PaperKit, files: SiteFiles) -> site.PaperRow:
        self._progress("printing")
        kit = one.kit
        content = kit.print(kit.sheets, {**kit.faces, **kit.pages})
        name = f"{kit.game.name}-{one.paper}-{one.sides}.pdf"
        way = _WAYS[one.sides]
        return site.PaperRow(
            paper=PAPERS[one.paper],
            way=way,
            sheets=len(kit.sheets),
            pages=len(number_pages(kit.sheets, kit.way)),
            cuts=sum(count_straight(sheet.cuts) for sheet in cut_sheets(kit, 0.0)),
            pdf=files.add_download(name, content, f"{PAPERS[one.paper]}, {way}"),
        )

    def _compare(self, game: Game, drawn: dict[FaceKey, Face], folder: Path) -> site.News | None:
        """The changes since the last tag; None without git, a tag, or a readable game at it."""
        try:
            tag = Git(folder).last_tag()
            if not tag:
                return None
            self._progress("comparing")
            with compare_with_past(self._name, tag, "", game, drawn) as comparison:
                lines = list(review.describe_changes(comparison.changes))
        except PnpError as error:
            self._notes.append(f"{game.name}: no list of changes: {error.problems[0].what}")
            return None
        return site.News(tag, lines or ["Nothing that is printed."])


class _PaperKit(Struct, frozen=True):
    """A kit for one paper, printed in one way."""

    paper: str
    sides: Sides
    kit: export.Kit
