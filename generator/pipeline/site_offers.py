"""Take the kits of a game, make the files in other formats that its page offers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from generator import export
from generator.basics.errors import PnpError
from generator.export import site
from generator.export.site.files import SiteFiles
from generator.pipeline.exporting import EXPORTERS, configure
from generator.pipeline.sheets import Progress

PAPERS = {"letter": "Letter", "a4": "A4"}


class _Offer(Struct, frozen=True):
    """An export that a page offers under a heading: the name of its format, and what to say."""

    heading: str
    to: str
    title: str
    note: str
    is_on_paper: bool = False  # a file for each paper
    within: str = ""  # the folder of the export that is offered, if that is not all of it
    hosted: str = ""  # the folder of the export that the site holds, if its address is known
    shop: str = ""  # a print shop, which may sell nothing of the game's sizes


_CUT, _TABLE, _SHOP, _ART = "Cut by machine", "Play on a screen", "Order it printed", "Look closer"
_OFFERS = (
    _Offer(_CUT, "cut-svg", "Cut lines, SVG", "for plotters and lasers", is_on_paper=True),
    _Offer(_CUT, "cut-dxf", "Cut lines, DXF", "for plotters and lasers", is_on_paper=True),
    _Offer(_TABLE, "tts", "Tabletop Simulator", "a saved object", hosted="tts/files/"),
    _Offer(_TABLE, "pcio", "playingcards.io", "a room to import"),
    _Offer(_TABLE, "vassal", "VASSAL", "a module"),
    _Offer(_TABLE, "cgs", "Card Game Simulator", "a game to import"),
    _Offer(_TABLE, "grid", "Grids of faces", "for screentop.gg and others"),
    _Offer(_SHOP, "shop", "The Game Crafter", "a picture of each face", shop="thegamecrafter"),
    _Offer(_SHOP, "shop", "MakePlayingCards", "with an order", shop="makeplayingcards"),
    _Offer(_SHOP, "shop", "DriveThruCards", "a PDF", shop="drivethrucards"),
    _Offer(_ART, "png", "Every face, PNG", "cut to its outline", within="faces/"),
    _Offer(_ART, "svg", "Every face, SVG", "with its bleed", within="faces/"),
)


class Exports(Struct, frozen=True):
    """Makes every format that there is and that suits the game. `url` is the address of the page,
    "" if it is unknown; `notes` gets a line for each format that does not suit it, but
    for none of a shop."""

    files: SiteFiles
    url: str
    progress: Progress
    notes: list[str]

    def make(self, kits: Mapping[str, export.Kit]) -> dict[str, list[site.Download]]:
        """The files by heading, of the kit for each paper."""
        downloads: dict[str, list[site.Download]] = {}
        for offer in _OFFERS:
            for paper in PAPERS if offer.is_on_paper else ("letter",):
                made = self._export(offer, kits[paper]) if offer.to in EXPORTERS else {}
                if made:
                    download = self._add(offer, paper, kits[paper].game.name, made)
                    downloads.setdefault(offer.heading, []).append(download)
        return downloads

    def _export(self, offer: _Offer, kit: export.Kit) -> dict[str, bytes]:
        """The files of a format by their paths; none if the kit does not suit it."""
        self.progress(f"exporting {offer.to}")
        is_hosted = bool(self.url and offer.hosted)
        if offer.within:
            kit = replace(kit, pages={}, sheets=())  # those would not be offered
        try:
            settings = {"base_url": self.url + offer.hosted} if is_hosted else {}
            settings |= {"shop": offer.shop} if offer.shop else {}
            exported = configure(offer.to, settings).export(kit)
            made = {one.path: one.content for one in exported if one.path.startswith(offer.within)}
        except PnpError as error:
            if not offer.shop:
                self.notes.append(f"{kit.game.name}: no {offer.title}: {error.problems[0].what}")
            return {}
        if is_hosted:
            for path in [path for path in made if path.startswith(offer.hosted)]:
                self.files.keep(path, made.pop(path))
        return made

    def _add(
        self, offer: _Offer, paper: str, game: str, made: Mapping[str, bytes]
    ) -> site.Download:
        """A single file as it is, several in a zip."""
        stem, title = f"{game}-{offer.shop or offer.to}", offer.title
        if offer.is_on_paper:
            stem, title = f"{stem}-{paper}", f"{title}, {PAPERS[paper]}"
        if len(made) == 1:
            ((path, content),) = made.items()
            return self.files.add_download(f"{stem}{Path(path).suffix}", content, title, offer.note)
        return self.files.add_download(f"{stem}.zip", site.pack(made), title, offer.note)
