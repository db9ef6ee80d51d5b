"""Take a folder, make in it a deck of four templates as Inkscape saves them: its texts flow.

The shape of many a deck: a CSV with headings of two words, a drawing for each kind of card, and in
each drawing texts that Inkscape flowed into rectangles, broken where its lines were full.
"""

from __future__ import annotations

import csv
from pathlib import Path

WORDS = {
    "Ferry": "Carry up to three goods to any quay. Pay 1 coin for each good that is not yours.",
    "Fog": "Nobody sails this round. Whoever holds a lantern may move one boat by one quay.",
    "Pilot": "Your boats pass sandbanks. When another player runs aground, take 2 coins.",
    "Lighthouse": "Build it on a free rock. It counts as a quay of yours, and fog never stops you.",
}
COLOURS = {"boat": "#2f6f8f", "event": "#8a5a83", "crew": "#b5652b", "place": "#4c7a4a"}
KINDS = dict(zip(WORDS, COLOURS, strict=True))
CARDS = 41

_SPEC = """
[game]
title = "Quay"
designer = "A. Designer"
about = "Boats, fog, pilots and lighthouses."
[[component]]
id = "cards"
title = "Cards"
table = "cards.csv"
size = "poker"
corner_radius = "3mm"
[component.front]
template = "{{ kind }}.svg"
[component.back]
template = "back.svg"
"""
_HEAD = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg width="69.5mm" height="94.9mm" viewBox="0 0 69.5 94.9" version="1.1" id="svg8"
   inkscape:version="1.0 (4035a4f, 2020-05-01)" sodipodi:docname="{name}.svg"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns="http://www.w3.org/2000/svg" xmlns:svg="http://www.w3.org/2000/svg"
   xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
   xmlns:cc="http://creativecommons.org/ns#" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <defs id="defs2">
    <rect x="7.5" y="7" width="43" height="9" id="rect10"/>
    <rect x="30.236" y="219.213" width="202.205" height="98.268" id="rect12"/>
    <rect x="52" y="7" width="10" height="9" id="rect14"/>
  </defs>
  <sodipodi:namedview id="base" pagecolor="#ffffff" bordercolor="#666666" borderopacity="1.0"
     inkscape:pageopacity="0.0" inkscape:pageshadow="2" inkscape:zoom="1.98"
     inkscape:document-units="mm" inkscape:current-layer="layer2" showgrid="false">
    <sodipodi:guide position="3,94.9" orientation="1,0" id="guide1"/>
  </sodipodi:namedview>
  <metadata id="metadata5"><rdf:RDF><cc:Work rdf:about=""><dc:format>image/svg+xml</dc:format>
     <dc:title/></cc:Work></rdf:RDF></metadata>
  <g inkscape:label="Ground" inkscape:groupmode="layer" id="layer1">
    <rect style="fill:{colour};stroke:none" id="rect2" width="69.5" height="94.9" x="0" y="0"/>
    <rect style="fill:#f8f1e0;stroke:none" id="rect4" width="58" height="84" x="5.75" y="5.45"
       ry="2"/>{art}
  </g>
"""
_TEXTS = """  <g inkscape:label="Words" inkscape:groupmode="layer" id="layer2">
    <text xml:space="preserve" id="text10" style="font-weight:bold;font-size:5.64px;\
line-height:1.1;font-family:sans-serif;-inkscape-font-specification:'sans-serif Bold';\
white-space:pre;shape-inside:url(#rect10);fill:#222222"><tspan x="7.5"
         y="12.1"><tspan>{{ Card </tspan></tspan><tspan x="7.5"
         y="18.3"><tspan>Name }}</tspan></tspan></text>
    <text xml:space="preserve" transform="scale(0.26458333)" id="text12" style="font-size:14.667px;\
line-height:1.25;font-family:'Alegreya Sans';-inkscape-font-specification:'Alegreya Sans';\
white-space:pre;shape-inside:url(#rect12);fill:#222222"><tspan x="30.236328"
         y="232.1875"><tspan>{{ Rules Text }}</tspan></tspan></text>
    <text xml:space="preserve" id="text14" style="font-size:5.64px;line-height:1.1;\
font-family:'Alegreya Sans';white-space:pre;shape-inside:url(#rect14);text-align:end;\
text-anchor:end;fill:{colour}"><tspan x="62" y="12.1"><tspan>{{ Cost }}</tspan></tspan></text>
  </g>
</svg>
"""
_ART = {
    "boat": '<path d="M18 40h34l-6 9H24z M34 18v20H20z M36 22l14 16H36z" fill="#2f6f8f"/>',
    "event": '<path d="M12 28h40M16 35h42M12 42h34" stroke="#8a5a83" stroke-width="3"/>',
    "crew": '<path d="M25 50a10 12 0 0 1 20 0z M29 30a6 6 0 1 0 12 0 6 6 0 1 0-12 0" fill="#b52"/>',
    "place": '<path d="M30 52l2-26h6l2 26z M31 25v-6h8v6z" fill="#4c7a4a"/>',
    "back": '<circle cx="34.75" cy="47.45" r="20" fill="#2b3a4a"/>',
}


def make_flowed(folder: Path) -> Path:
    """The folder of the game, `folder`/quay."""
    game = folder / "quay"
    game.mkdir()
    (game / "game.toml").write_text(_SPEC, "utf-8")
    for name, colour in {**COLOURS, "back": "#2b3a4a"}.items():
        texts = "</svg>\n" if name == "back" else _TEXTS.replace("{colour}", colour)
        head = _HEAD.format(name=name, colour=colour, art=_ART[name])
        (game / f"{name}.svg").write_text(head + texts, "utf-8")
    with (game / "cards.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["Card Name", "Kind", "Cost", "Rules Text", "Artist", "Playtest Notes"])
        for number in range(CARDS):
            name = list(WORDS)[number % len(WORDS)]
            row = [f"{name} {number + 1}", KINDS[name], number % 7, WORDS[name], "A. Painter", ""]
            table.writerow(row)
    return game
