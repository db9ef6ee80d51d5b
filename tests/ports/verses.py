"""Take a folder, make in it a hundred Japanese cards set from top to bottom, in an OpenType font.

The shape of a karuta deck: a JSON table with a list of lines in each row, a Japanese title, cards
of 53 x 74 mm, and a font with PostScript outlines, as most Japanese fonts have.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.fontmaking import postscript

FONTS = Path(__file__).parents[1] / "fonts"
FAMILY = "Karuta Gothic"
TITLE = "労働市場"
LINES = (
    ("一人は者に働く、", "二人は場に置く。", "「カードを引く」"),
    ("市場にまた一枚、", "金貨を人に置く。", "次は二人よ。"),
    ("金よまたまた、", "人に労働をもらい、", "一枚く金貨。"),
    ("動くカードは", "場にもく得る次に", "「もらいました！」"),
)
CARDS = 100

_SPEC = f"""
[game]
title = "{TITLE}"
designer = "A. Designer"
about = "One hundred cards to be read aloud."
[[component]]
id = "cards"
title = "カード"
table = "cards.json"
size = ["53mm", "74mm"]
bleed = "3mm"
[component.front]
template = "front.svg"
[component.back]
template = "back.svg"
"""
_HEAD = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:pnp="urn:pnp"
     width="59mm" height="80mm" viewBox="0 0 59 80">
"""
_FRONT = f"""{_HEAD}  <rect width="59" height="80" fill="#fbf7ec"/>
  <rect x="6" y="6" width="47" height="68" fill="none" stroke="#3d6b4f" stroke-width="1.2"/>
  <g style="font-family:'{FAMILY}';font-size:6.4px;fill:#222;writing-mode:vertical-rl">
    <text x="44" y="10" pnp:for="line in lines" pnp:step="-14 0">{{{{ line }}}}</text>
  </g>
  <text x="29.5" y="72" text-anchor="middle" font-family="{FAMILY}"
     font-size="3">{{{{ id }}}}</text>
</svg>
"""
_BACK = f"""{_HEAD}  <rect width="59" height="80" fill="#3d6b4f"/>
  <path d="M0 0 59 80 M59 0 0 80" stroke="#fbf7ec" stroke-width="2"/>
</svg>
"""


def make_verses(folder: Path) -> Path:
    """The folder of the game, `folder`/karuta."""
    game = folder / "karuta"
    (game / "fonts").mkdir(parents=True)
    (game / "game.toml").write_text(_SPEC, "utf-8")
    (game / "front.svg").write_text(_FRONT, "utf-8")
    (game / "back.svg").write_text(_BACK, "utf-8")
    source = FONTS / "noto-sans-jp" / "NotoSansJP-Regular.ttf"
    postscript(source, game / "fonts" / "KarutaGothic.otf", FAMILY)
    rows = [{"id": n + 1, "lines": LINES[n % len(LINES)], "reader": "—"} for n in range(CARDS)]
    (game / "cards.json").write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
    return game
