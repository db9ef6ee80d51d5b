"""Sites of games: a page for each with all that prints it, and an index.

A page offers files of the game's kits in other formats, and shows pictures of its kit: its scene,
its faces, the figures of its rules.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlsplit

import msgspec.toml
from msgspec import Struct
from msgspec.structs import replace

from generator import booklet, pdf, review
from generator import game as gamefile
from generator.basics.errors import Place, PnpError, fail
from generator.basics.errors import quote as quote_words
from generator.basics.geometry import MM_PER_INCH
from generator.basics.papers import fold_name
from generator.basics.phrases import Phrases, read_phrases
from generator.basics.writing import archive, staging
from generator.export import site
from generator.export.cuts.paths import count_straight, cut_sheets
from generator.export.exporter import Kit
from generator.export.pieces import paint_pieces
from generator.export.svg.document import FaceDocument
from generator.faces.standing import stand
from generator.layout.folds import standing_net
from generator.model import LEAFLETS, Component, Face, FaceKey, Game, LoadedGame, Side
from generator.pipeline.comparing import compare_with_past
from generator.pipeline.exporting import EXPORTERS, configure, make_kit
from generator.pipeline.game import bound_of, draw, read_sound_game
from generator.pipeline.imposing import impose_kit
from generator.pipeline.leaflets import rules_to_read
from generator.pipeline.request import Sides, parse_request
from generator.pipeline.sheets import Progress, number_pages
from generator.review.history import Git
from generator.text import FontBook

SUMS = "SHA256SUMS"
_WAYS: tuple[Sides, ...] = ("duplex", "fold", "single")
PAPERS = {"letter": "Letter", "a4": "A4"}
SCENE = (1600, 1000)  # pixels
QUALITY = "full"  # of its picture
_SHARPNESS = 2.0  # pixels of a picture to one of CSS
_SCALES = ((24, 2.6), (80, 1.8))  # most faces of a component, and CSS pixels to a mm for so many
_SMALL = 1.3  # the same for more faces
_LARGEST = 300.0  # CSS pixels of a piece, each way
_OF_FIGURE = 4.6  # CSS pixels to a mm
_ENTRY = (80.0, 72.0)  # CSS pixels of a piece in the list of the kit
_MOST_NAMED = 8  # pieces in the words for a figure
_MOST_SVG = 120_000  # bytes of a figure; pixels are smaller than a larger one
_Painted = Mapping[tuple[str, float], bytes]  # the WebP of each face, by its id and scale


class BuiltSite(NamedTuple):
    """The path of a site's first page, and notes on what it lacks."""

    first: Path
    notes: list[str]


def build_site(names: Sequence[str], folder: Path, url: str, progress: Progress, language: str = "") -> BuiltSite:
    """Writes the site of these games to a folder, each in its language or in another. `url` is where the folder will be
    on the web, or "". Files of an earlier site that this one lacks are removed, unless they were changed.

    Raises PnpError, and then leaves the folder as it is, if a game cannot be printed.
    """
    url = _check_url(url)
    notes: list[str] = []
    with staging(folder, SUMS) as write:
        taken: set[str] = set()
        pages = [_GameSite(name, language, folder, write, progress, notes).make(url, taken) for name in names]
        for page in pages:
            write(f"{page.name}/index.html", site.write_game(page))
        write("index.html", site.write_index(pages, url))
    return BuiltSite(folder / "index.html", notes)


def _check_url(url: str) -> str:
    """The address with a slash at its end. Raises PnpError if it is not one of the web."""
    parts = urlsplit(url)
    if url and not (parts.scheme in ("http", "https") and parts.netloc):
        raise fail(Place("--url"), f"{quote_words(url)} is not an address", "write https://you.example/games/")
    return f"{url.rstrip('/')}/" if url else ""


class _GameSite:
    def __init__(
        self, name: str, language: str, folder: Path, write: site.Write, progress: Progress, notes: list[str]
    ) -> None:
        self._name, self._language, self._site, self._write = name, language, folder, write
        self._progress, self._notes = progress, notes

    def make(self, url: str, taken: set[str]) -> site.GamePage:
        """Adds the name of the game to those taken. Raises PnpError if another game has it; some
        systems see no capitals in names."""
        with bound_of(self._name).hold():
            loaded, _ = read_sound_game(parse_request(self._name, {"language": self._language}), self._progress)
            game = loaded.game
            if game.name.casefold() in taken:
                raise fail(Place(quote_words(game.name)), "two of the games have this name", "name each game once")
            taken.add(game.name.casefold())
            drawn = draw(loaded, self._progress)
        folder, _ = gamefile.find(self._name)
        self._notes += [f"{game.name}: {it.what}: {it.hint}" for it in gamefile.remind_of_import(folder)]
        address = f"{url}{quote(game.name)}/" if url else ""
        files = site.SiteFiles(game.name, self._write)
        with pdf.Press(is_early=False) as press:
            kits = list(self._kits(loaded, drawn, press))
            whole, first = kits[0].kit, {each.paper: each.kit for each in reversed(kits)}
            printed = list(self._print_all(kits, files))
            self._progress("painting")
            page = site.GamePage(
                name=game.name,
                title=game.title,
                designer=game.designer,
                about=game.about,
                terms=game.terms,
                phrases=game.phrases,
                accent=site.accent_of(game),
                scene=paint_scene(whole, files),
                parts=show_parts(whole, files),
                printed=printed,
                others=Exports(files, address, self._progress, self._notes).make(first),
                rules=show_rules(whole, files),
                booklet=_print_rules(whole, files),
                news=self._compare(game, drawn, folder),
                notices=site.read_notices(folder),
                inputs=site.digest_folder(folder, self._site),
                type_faces=(),
                url=address,
            )
        return site.letter_page(page, game)

    def _kits(self, loaded: LoadedGame, drawn: dict[FaceKey, Face], press: pdf.Press) -> Iterator[_PaperKit]:
        """The game on each paper, in each way that makes a difference. Large pieces with backs have
        no room for both beside one another."""
        game = loaded.game
        has_backs = game.booklet or any(component.has_back for component in game.components)
        ways: Sequence[Sides] = _WAYS if has_backs else ("single",)
        for paper in PAPERS:
            for sides in ways:
                options = {"paper": paper, "sides": sides, "margin": "usual", "language": self._language}
                request = parse_request(self._name, options)  # type: ignore[arg-type]
                try:
                    with bound_of(self._name).hold():
                        imposed = impose_kit(game, request, drawn, self._progress)
                except PnpError as error:
                    if sides != "fold":
                        raise
                    what = f"no {PAPERS[paper]} to fold and glue: {error.problems[0].what}"
                    self._notes.append(f"{game.name}: {what}")
                    continue
                kit = make_kit(loaded, drawn, imposed, request, press, self._progress)
                yield _PaperKit(paper, sides, kit)

    def _print_all(self, kits: Sequence[_PaperKit], files: site.SiteFiles) -> Iterator[site.PaperRow]:
        """Prints each kit, and once for each way the pieces that are on a paper of their own."""
        seen: set[str] = set()
        for paper_kit in kits:
            for stock in dict.fromkeys(sheet.stock for sheet in paper_kit.kit.sheets):
                paper = fold_name(stock) if stock else paper_kit.paper
                name = f"{paper_kit.kit.game.name}-{paper}-{paper_kit.sides}.pdf"
                if name not in seen:
                    seen.add(name)
                    yield self._print(paper_kit, stock, name, files)

    def _print(self, paper_kit: _PaperKit, stock: str, name: str, files: site.SiteFiles) -> site.PaperRow:
        self._progress("printing")
        sheets = [sheet for sheet in paper_kit.kit.sheets if sheet.stock == stock]
        kit, paper = replace(paper_kit.kit, sheets=sheets), stock or PAPERS[paper_kit.paper]
        has_pieces = any(sheet.component not in LEAFLETS for sheet in sheets)
        content = kit.print(kit.sheets, {**kit.faces, **kit.pages})
        cut = cut_sheets(kit, 0.0) if has_pieces else ()
        has_backs = any(part.has_back for part in kit.game.components)
        is_plain = paper_kit.sides == "single" and not has_backs
        way = kit.game.phrases.say("site.one-side" if is_plain else f"site.{paper_kit.sides}")
        return site.PaperRow(
            paper=paper,
            way=way,
            sheets=len(kit.sheets),
            pages=len(number_pages(kit.sheets, kit.way)),
            cuts=sum(count_straight(sheet.cuts) for sheet in cut),
            pdf=files.add_download(name, content, f"{paper}, {way}"),
        )

    def _compare(self, game: Game, drawn: dict[FaceKey, Face], folder: Path) -> site.News | None:
        """The changes since the last tag; None without git, a tag, or a readable game at it."""
        try:
            tag = Git(folder).last_tag()
            if not tag:
                return None
            self._progress("comparing")
            with compare_with_past(self._name, tag, self._language, game, drawn) as comparison:
                lines = list(review.describe_changes(comparison.changes))
        except PnpError as error:
            self._notes.append(f"{game.name}: no list of changes: {error.problems[0].what}")
            return None
        return site.News(tag, lines or ["Nothing that is printed."])


class _PaperKit(Struct, frozen=True):
    paper: str
    sides: Sides
    kit: Kit


class _Offer(Struct, frozen=True):
    """An export that a page offers under a heading, and the name of its format. Phrases say what it is."""

    heading: str
    to: str
    is_on_paper: bool = False  # a file for each paper
    within: str = ""  # the folder of the export that is offered, if that is not all of it
    hosted: str = ""  # the folder of the export that the site holds, if its address is known
    shop: str = ""  # a print shop, which may sell nothing of the game's sizes

    @property
    def phrase(self) -> str:
        return f"site.{self.shop or self.to}"


class Exports(Struct, frozen=True):
    """Makes every format that there is and that suits the game. `url` is the address of the page, "" if it is
    unknown; `notes` gets a line for each format that does not suit it, but for none of a shop."""

    files: site.SiteFiles
    url: str
    progress: Progress
    notes: list[str]

    def make(self, kits: Mapping[str, Kit]) -> dict[str, list[site.Download]]:
        """The files by heading, of the kit for each paper."""
        downloads: dict[str, list[site.Download]] = {}
        content = Path(__file__).with_name("offers.toml").read_bytes()
        for offer in msgspec.toml.decode(content, type=dict[str, list[_Offer]])["offer"]:
            for paper in PAPERS if offer.is_on_paper else ("letter",):
                made = self._export(offer, kits[paper]) if offer.to in EXPORTERS else {}
                if made:
                    download = self._add(offer, paper, kits[paper].game, made)
                    heading = kits[paper].game.phrases.say(f"site.{offer.heading}")
                    downloads.setdefault(heading, []).append(download)
        return downloads

    def _export(self, offer: _Offer, kit: Kit) -> dict[str, bytes]:
        """The files of a format by their paths; none if the kit does not suit it."""
        self.progress(f"exporting {offer.to}")
        is_hosted = bool(self.url and offer.hosted)
        if offer.within:
            kit = replace(kit, pages={}, sheets=())  # those would not be offered
        try:
            settings = {"base_url": self.url + offer.hosted} if is_hosted else {}
            settings |= {"shop": offer.shop} if offer.shop else {}
            exported = configure(offer.to, settings).export(kit)
            made = {it.path: it.content for it in exported if it.path.startswith(offer.within)}
        except PnpError as error:
            if not offer.shop:
                title = read_phrases().say(offer.phrase)
                self.notes.append(f"{kit.game.name}: no {title}: {error.problems[0].what}")
            return {}
        if is_hosted:
            for path in [path for path in made if path.startswith(offer.hosted)]:
                self.files.keep(path, made.pop(path))
        return made

    def _add(self, offer: _Offer, paper: str, game: Game, made: Mapping[str, bytes]) -> site.Download:
        """A single file as it is, several in a zip."""
        title, note = map(game.phrases.say, (offer.phrase, f"{offer.phrase}-note"))
        stem = f"{game.name}-{offer.shop or offer.to}"
        if offer.is_on_paper:
            stem, title = f"{stem}-{paper}", f"{title}, {PAPERS[paper]}"
        if len(made) == 1:
            ((path, content),) = made.items()
            return self.files.add_download(f"{stem}{Path(path).suffix}", content, title, note)
        return self.files.add_download(f"{stem}.zip", archive(dict(sorted(made.items()))), title, note)


def _print_rules(kit: Kit, files: site.SiteFiles) -> site.Download | None:
    """The rules as pages for a screen; None without rules."""
    faces = kit.rule_pages
    sheets = rules_to_read(kit.game, faces.values())
    if not sheets:
        return None
    say = kit.game.phrases.say
    title, note = say("site.to-read"), say("site.pages", count=len(sheets))
    return files.add_download(f"{kit.game.name}-rules.pdf", kit.print(sheets, faces), title, note)


def paint_scene(kit: Kit, files: site.SiteFiles) -> site.ShownPicture:
    """The game on a table."""
    width, height = SCENE
    exporter = configure("scene", {"width": width, "height": height, "format": "jpg", "quality": QUALITY})
    (file,) = exporter.export(kit)
    parts = ", ".join(f"{len(part.copies())} {part.title}" for part in kit.game.components)
    alt = kit.game.phrases.say("site.on-table", title=kit.game.title, parts=parts)
    return site.ShownPicture(files.add("scene.jpg", file.content), width, height, alt)


def show_parts(kit: Kit, files: site.SiteFiles) -> list[site.PartRow]:
    """Shows each component with its different faces. Nets are shown folded."""
    shown = [_show_part(part, kit.shown, kit.game.phrases) for part in kit.game.components if part.copies()]
    painted = _paint(kit, [face for part in shown for face in part.faces])
    return [part.write(painted, files) for part in shown]


class _ScaledFace(Struct, frozen=True):
    """A face to show with `scale` CSS pixels to a mm."""

    key: FaceKey
    face: Face
    scale: float
    copies: int = 1


class _PartFaces(Struct, frozen=True):
    component: Component
    faces: list[_ScaledFace]
    phrases: Phrases

    def write(self, painted: _Painted, files: site.SiteFiles) -> site.PartRow:
        def side(name: Side) -> list[site.ShownFace]:
            return [self._write(face, painted, files) for face in self.faces if face.key[2] == name]

        component = self.component
        return site.PartRow(
            component.id,
            component.title,
            len(component.copies()),
            component.size.width,
            component.size.height,
            side("front"),
            side("back"),
            standing_net(component.shape) is not None,
        )

    def _write(self, scaled: _ScaledFace, painted: _Painted, files: site.SiteFiles) -> site.ShownFace:
        component, piece, side = scaled.key
        name = f"faces/{component}-{piece}-{side}.webp"
        address = files.add(name, painted[scaled.face.id, scaled.scale])
        where = {"piece": piece, "side": self.phrases.say(f"sheet.side-{side}")}
        said = self.phrases.say("sheet.face", title=self.component.title, **where)
        return site.ShownFace(_picture(scaled.face, scaled.scale, address, said), scaled.copies)


def _picture(face: Face, scale: float, address: str, alt: str) -> site.ShownPicture:
    width, height = round(face.trim.width * scale), round(face.trim.height * scale)
    return site.ShownPicture(address, max(1, width), max(1, height), alt)


def _show_part(component: Component, drawn: Mapping[FaceKey, Face], phrases: Phrases) -> _PartFaces:
    stands = standing_net(component.shape) is not None
    copies: dict[tuple[Side, str], int] = {}
    first: dict[tuple[Side, str], FaceKey] = {}
    sides: Sequence[Side] = ("front",) if stands else ("front", "back")
    for piece in component.pieces:
        for side in sides:
            face = drawn.get((component.id, piece.id, side))
            if face and piece.copies:
                first.setdefault((side, face.id), (component.id, piece.id, side))
                copies[side, face.id] = copies.get((side, face.id), 0) + piece.copies
    faces = {
        key: stand(component, key[1], drawn[key], drawn.get((*key[:2], "back"))) if stands else drawn[key]
        for key in first.values()
    }
    scale = _choose_scale(faces.values())
    shown = [_ScaledFace(key, faces[key], scale, copies[same]) for same, key in first.items()]
    return _PartFaces(component, shown, phrases)


def _choose_scale(faces: Iterable[Face]) -> float:
    faces = list(faces)
    fitting = (scale for most, scale in _SCALES if len(faces) <= most)
    longest = max(max(face.trim.width, face.trim.height) for face in faces)
    return round(min(next(fitting, _SMALL), _LARGEST / longest), 3)


def _paint(kit: Kit, faces: Sequence[_ScaledFace]) -> _Painted:
    painted: dict[tuple[str, float], bytes] = {}
    for scale in sorted({face.scale for face in faces}):
        chosen = {scaled.key: scaled.face for scaled in faces if scaled.scale == scale}
        images = paint_pieces(kit, chosen, scale * _SHARPNESS * MM_PER_INCH)
        painted.update({(id_, scale): site.encode_webp(image) for id_, image in images.items()})
    return painted


def show_rules(kit: Kit, files: site.SiteFiles) -> site.Rules | None:
    """The text of the rules with its figures; None if the game has no booklet."""
    design = kit.game.booklet
    if design is None:
        return None
    rules = booklet.illustrate(kit.game, design, kit.faces)
    figures = _show_figures(kit, rules.figures, files)
    icons = {name: files.add(*_decode(name, art.uri)) for name, art in rules.icons.items()}
    return site.Rules(rules.text, figures, _show_kits(kit, rules.kits, files), icons)


def _show_figures(
    kit: Kit, figures: Mapping[int, booklet.Illustration], files: site.SiteFiles
) -> dict[int, site.ShownFigure]:
    fonts = FontBook(kit.game.font_folders)
    addresses: dict[int, str] = {}
    large: list[_ScaledFace] = []
    for line, figure in figures.items():
        face = figure.face
        content = FaceDocument(face, face.outline, fonts, "outlines").content()
        if len(content) <= _MOST_SVG:
            addresses[line] = files.add(f"figures/line-{line}.svg", content)
        else:
            large.append(_ScaledFace(("figure", str(line), "front"), face, _OF_FIGURE))
    painted = _paint(kit, large)
    for scaled in large:
        name = f"figures/line-{scaled.key[1]}.webp"
        addresses[int(scaled.key[1])] = files.add(name, painted[scaled.face.id, scaled.scale])

    def show(line: int, figure: booklet.Illustration) -> site.ShownFigure:
        picture = _picture(figure.face, _OF_FIGURE, addresses[line], _name(figure.shown, kit.game.phrases))
        return site.ShownFigure(picture, figure.caption)

    return {line: show(line, figure) for line, figure in figures.items()}


def _name(shown: Sequence[str], phrases: Phrases) -> str:
    """The pieces of a figure in words."""
    words, left = phrases.say("text.comma").join(shown[:_MOST_NAMED]), len(shown) - _MOST_NAMED
    if left > 0:
        return phrases.say("sheet.more-titles", titles=words, count=left)
    return words or phrases.say("site.drawing")


def _show_kits(
    kit: Kit, kits: Mapping[int, Sequence[booklet.ContentsEntry]], files: site.SiteFiles
) -> dict[int, list[site.KitEntry]]:
    small = {
        entry.face.id: _ScaledFace(
            ("kit", entry.face.id, "front"), entry.face, round(_fit(entry.face) * entry.share, 3)
        )
        for entries in kits.values()
        for entry in entries
        if entry.face
    }
    painted = _paint(kit, list(small.values()))

    def picture(entry: booklet.ContentsEntry) -> site.ShownPicture | None:
        if entry.face is None:
            return None
        shown = small[entry.face.id]
        address = files.add("figures/kit.webp", painted[shown.face.id, shown.scale])
        return _picture(shown.face, shown.scale, address, "")

    return {
        line: [site.KitEntry(it.number, it.title, it.remark, picture(it)) for it in entries]
        for line, entries in kits.items()
    }


def _fit(face: Face) -> float:
    return round(min(_ENTRY[0] / face.trim.width, _ENTRY[1] / face.trim.height), 3)


def _decode(name: str, uri: str) -> tuple[str, bytes]:
    kind, _, content = uri.partition(";base64,")
    ending = {"data:image/svg+xml": "svg", "data:image/jpeg": "jpg"}.get(kind, "png")
    return f"figures/icon-{name}.{ending}", base64.b64decode(content)
