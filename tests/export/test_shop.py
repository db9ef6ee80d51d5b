"""Files for print shops: their sizes beside the published ones, read back by other programs."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from hashlib import sha256
from math import dist
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pikepdf
import pypdfium2
import pytest
from click.testing import Result
from lxml import html
from PIL import Image, ImageChops, ImageColor

from generator import check_game, export_game
from generator.basics.errors import Place, PnpError, Problem
from generator.basics.geometry import MM_PER_INCH, PT_PER_MM
from generator.export.shop.shops import find_shop, shop_names
from tests.conftest import Pnp
from tests.support.shopping import BLUE, GREEN, MARK, RED, YELLOW, Ware, make_wares

# What the shops publish, written here once more: pixels of the whole picture at 300 dpi.
PUBLISHED = {
    ("thegamecrafter", "PokerDeck"): (825, 1125),
    ("thegamecrafter", "EuroPokerDeck"): (825, 1125),
    ("thegamecrafter", "BridgeDeck"): (750, 1125),
    ("thegamecrafter", "TarotDeck"): (900, 1500),
    ("thegamecrafter", "MiniDeck"): (600, 825),
    ("thegamecrafter", "MicroDeck"): (450, 600),
    ("thegamecrafter", "JumboDeck"): (1125, 1725),
    ("thegamecrafter", "BusinessDeck"): (675, 1125),
    ("thegamecrafter", "DominoDeck"): (600, 1125),
    ("thegamecrafter", "SquareDeck"): (1125, 1125),
    ("thegamecrafter", "SmallSquareDeck"): (825, 825),
    ("thegamecrafter", "USGameDeck"): (750, 1125),
    ("thegamecrafter", "HexDeck"): (1200, 1050),
    ("thegamecrafter", "CircleDeck"): (1125, 1125),
    ("thegamecrafter", "MiniHexTile"): (450, 450),
    ("thegamecrafter", "SmallHexTile"): (675, 600),
    ("thegamecrafter", "MediumHexTile"): (825, 750),
    ("thegamecrafter", "LargeHexTile"): (1200, 1050),
    ("thegamecrafter", "SmallBooklet"): (825, 1125),
    ("thegamecrafter", "LargeBooklet"): (1575, 2475),
    ("thegamecrafter", "JumboBooklet"): (2475, 3075),
    ("thegamecrafter", "QuadFoldBoard"): (5475, 5475),
    ("thegamecrafter", "CustomColorD6"): (180, 180),
    ("makeplayingcards", "game"): (816, 1110),
    ("makeplayingcards", "poker"): (822, 1122),
    ("makeplayingcards", "bridge"): (747, 1122),
    ("makeplayingcards", "tarot"): (897, 1497),
    ("makeplayingcards", "domino"): (597, 1122),
    ("makeplayingcards", "business"): (672, 1122),
    ("makeplayingcards", "micro"): (447, 597),
    ("printerstudio", "game"): (816, 1110),
    ("meinspiel", "59x91"): (768, 1146),
}
POKER = Ware()


def export(pnp: Pnp, game: Path, shop: str, out: Path, *options: str) -> Result:
    result = pnp("export", game, "--to", "shop", "--for", shop, "-o", out, *options)
    assert result.exit_code == 0, result.output
    return result


def listed(out: Path, shop: str) -> Any:
    return json.loads((out / shop / "manifest.json").read_text("utf-8"))


def colour_at(image: Image.Image, x: float, y: float) -> str:
    """The colour of a picture at a spot, in shares of its width and height."""
    pixel = image.convert("RGB").getpixel((int(x * image.width), int(y * image.height)))
    assert isinstance(pixel, tuple)
    return "#" + "".join(f"{int(part):02x}" for part in pixel[:3])


def nearest_ground(image: Image.Image, spot: tuple[float, float]) -> str:
    """The ground of a ware at a spot of a picture, whose inks are duller than its colours."""
    seen = ImageColor.getrgb(colour_at(image, *spot))
    grounds = (RED, GREEN, BLUE, YELLOW, "#ffffff")
    return min(grounds, key=lambda text: dist(ImageColor.getrgb(text), seen))


@pytest.mark.parametrize(("shop", "product"), PUBLISHED)
def test_pictures_have_the_published_pixels(shop: str, product: str) -> None:
    (found,) = [product_sold for product_sold in find_shop(shop).products if product_sold.name == product]
    inches = [length / MM_PER_INCH for length in found.canvas]
    assert tuple(round(length * 300) for length in inches) == PUBLISHED[shop, product]


@pytest.mark.parametrize("name", shop_names())
def test_every_product_has_a_bleed_and_a_source(name: str) -> None:
    shop = find_shop(name)
    assert all(address.startswith("https://") for address in shop.source)
    for product in shop.products:
        if product.kind == "die":
            continue  # whose sides are covered without one
        spare = [have - need for have, need in zip(product.canvas, product.trim, strict=True)]
        assert min(spare) / 2 >= 0.95 * shop.bleed, product.name


@pytest.mark.parametrize("bleed", [0.0, 1.0, 4.0])
@pytest.mark.parametrize("shop", ["thegamecrafter", "makeplayingcards"])
def test_a_picture_has_the_bleed_of_the_shop(shop: str, bleed: float, tmp_path: Path, pnp: Pnp) -> None:
    """It is cropped if the game's is wider, and filled if that is narrower, or not there."""
    game = make_wares(tmp_path / "wares", Ware(bleed=bleed))
    export(pnp, game, shop, tmp_path / "out")
    product = "PokerDeck" if shop == "thegamecrafter" else "poker"
    wide, high = PUBLISHED[shop, product]
    files = sorted((tmp_path / "out" / shop).glob("*/*.png"))
    names = ["001-a-x2-front.png", "001-a-x3-back.png", "002-b-x1-front.png"]
    assert [file.name for file in files] == names
    for file, ground in zip(files, (RED, BLUE, GREEN), strict=True):
        with Image.open(file) as image:
            assert (image.size, image.mode) == ((wide, high), "RGB")
            assert round(image.info["dpi"][0]) == 300
            start = (wide - 750) / 2 / wide  # of the trim, 2.5 inches
            for x, y in ((0.0, 0.5), (0.999, 0.001), (0.999, 0.999), (0.0, 0.999), (0.5, 0.5)):
                assert colour_at(image, x, y) == ground, file.name
            inside, beyond = start + 0.3 * MARK / 69, start + 1.2 * MARK / 69
            assert colour_at(image, inside, inside * wide / high) == "#000000"
            assert colour_at(image, beyond, 0.5) == ground


def test_a_card_that_lies_is_turned_and_its_back_the_other_way(tmp_path: Path, pnp: Pnp) -> None:
    game = make_wares(tmp_path / "wares", Ware(size=(88.9, 63.5), counts=(1,)))
    export(pnp, game, "thegamecrafter", tmp_path / "out")
    folder = tmp_path / "out/thegamecrafter/cards"
    with Image.open(folder / "001-a-x1-front.png") as front:
        assert front.size == (825, 1125)
        assert colour_at(front, 0.93, 0.05) == "#000000", "its top is on the right"
    with Image.open(folder / "001-a-x1-back.png") as back:
        assert colour_at(back, 0.07, 0.95) == "#000000", "the same edge, seen from behind"


SIDES_OF_DIE = (RED, GREEN, BLUE, YELLOW, "#808080", "#ffffff")
DIE = """[[component]]
id = "dice"
title = "Dice"
table = "dice.csv"
bleed = "1mm"
[component.shape]
kind = "die"
sides = 6
edge = "20mm"
[component.front]
renderer = "net.panels"
arts = { %s }
"""


def make_kit(folder: Path, rules: str) -> Path:
    """Two decks of 18 cards in all, two dice whose sides have a mark at the top left, and rules."""
    game = make_wares(folder, Ware(counts=(15, 1)), Ware("more", counts=(2,)))
    for number, colour in enumerate(SIDES_OF_DIE, 1):
        art = f'<rect width="20" height="20" fill="{colour}"/><rect width="6" height="6"/>'
        drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">{art}</svg>'
        (game / f"side-{number}.svg").write_text(drawing, "utf-8")
    (game / "dice.csv").write_text("id,count\nbone,2\n", "utf-8")
    arts = ", ".join(f'face-{number} = "side-{number}"' for number in range(1, 7))
    with (game / "game.toml").open("a", encoding="utf-8") as spec:
        files = "".join(f'side-{number} = "side-{number}.svg"\n' for number in range(1, 7))
        spec.write(f"{DIE % arts}[booklet]\n[art]\n{files}")
    (game / "rules.md").write_text(rules, "utf-8")
    return game


def test_rules_and_dice_are_ordered_too(tmp_path: Path, pnp: Pnp) -> None:
    """Pages are set in the size of the shop's booklet; each side of a die is a picture, upright."""
    game, out = make_kit(tmp_path / "wares", "## Play\n\nPlay **every** card.\n"), tmp_path / "out"
    result = export(pnp, game, "thegamecrafter", out)
    assert "home" not in result.stderr
    *decks, dice, rules = listed(out, "thegamecrafter")["decks"]
    assert [deck["quantity"] for deck in decks] == [16, 2]
    assert (dice["product"], dice["quantity"], dice["pixels"]) == ("CustomColorD6", 2, [180, 180])
    for card, colour in zip(dice["cards"], SIDES_OF_DIE, strict=True):
        with Image.open(out / "thegamecrafter" / card["front"]) as side:
            assert side.size == (180, 180)
            spots = [(0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.98, 0.98)]
            assert [colour_at(side, *spot) for spot in spots] == ["#000000", colour, colour, colour]
    assert (rules["product"], rules["quantity"], rules["pixels"]) == ("LargeBooklet", 1, [1575, 2475])
    images = [Image.open(out / "thegamecrafter" / page["front"]).convert("L") for page in rules["cards"]]
    assert [image.getextrema()[0] == 255 for image in images] == [False, False, True, True], "two blank pages"
    for image in images[:2]:
        box = ImageChops.invert(image).getbbox()
        assert box
        left, top, right, bottom = box
        safe = 2 * 37.5  # bleed and safe zone
        assert min(left, top, 1575 - right, 2475 - bottom) >= safe
        assert right - left > 0.6 * 1575, "it is set for this size"


def test_a_page_says_what_to_click(tmp_path: Path, pnp: Pnp) -> None:
    box = '[[box]]\ntitle = "Wares"\nkind = "envelope"\n'
    game, out = make_wares(tmp_path / "wares", Ware(counts=(20, 17))), tmp_path / "out"
    with (game / "game.toml").open("a", encoding="utf-8") as spec:
        spec.write(f"{box}[booklet]\n")
    (game / "rules.md").write_text("## Play\n\n" + "Play on.\n\n" * 650, "utf-8")
    result = export(pnp, game, "thegamecrafter", out)
    folder = out / "thegamecrafter"
    assert "The Game Crafter binds 20 pages, and the rules have " in result.stderr
    assert [left["components"] for left in listed(out, "thegamecrafter")["left_out"]] == [["box"], ["rules"]]
    page = html.fromstring((folder / "order.html").read_bytes())
    links = page.xpath("//section//a/@href")
    assert links == [f"https://www.thegamecrafter.com/make/products/{name}" for name in ("PokerDeck", "PokerTuckBox54")]
    assert {*page.xpath("//img/@src")} == {path.relative_to(folder).as_posix() for path in folder.glob("*/*.png")}
    commands = page.xpath("//li/code/text()")
    assert commands[:2] == ["pnp build wares --only box", "pnp build wares --only rules"]
    assert not page.xpath("//script")


def test_a_tuck_box_is_drawn_where_the_shop_cuts_it(tmp_path: Path, pnp: Pnp) -> None:
    """Spots within the die line of PokerTuckBox54, as the shop draws it in a picture of 2325 x 1950 pixels."""
    game, out = make_wares(tmp_path / "wares", Ware(counts=(20, 17))), tmp_path / "out"
    with (game / "game.toml").open("a", encoding="utf-8") as spec:
        spec.write(f'[[box]]\nground = "{YELLOW}"\ntitle = "Wares"\ntitles = {{ front = 0.5, left = 0.5 }}\n')
    told = export(pnp, game, "thegamecrafter", out, "--scale", "50%").stderr
    assert "a shop prints pieces as large as the game says" in told
    (*_, box), left_out = (listed(out, "thegamecrafter")[name] for name in ("decks", "left_out"))
    assert "nets to fold" not in pnp("check", game, "--for", "thegamecrafter").output
    assert (box["product"], box["quantity"], box["pixels"], left_out) == ("PokerTuckBox54", 1, [2325, 1950], [])
    image = Image.open(out / "thegamecrafter" / box["cards"][0]["front"]).convert("RGB")
    tuck, lid, dust, wall, bottom, heel = (659, 60), (659, 300), (80, 330), (100, 900), (659, 1600), (659, 1860)
    bleeds = (4, 900), (2039 + 34, 900), (1660, 429 - 34), (1660, 1488 + 34), (659, 36 - 34)
    for spot in (tuck, lid, dust, wall, bottom, heel, (1160, 460), (1160, 1580), *bleeds):
        assert image.getpixel(spot) == ImageColor.getrgb(YELLOW), spot
    inked = (
        ImageChops.difference(image, Image.new("RGB", image.size, YELLOW)).convert("L").point(lambda v: 255 * (v > 99))
    )
    for left, right in ((1038, 1281), (1281, 2039)):  # the left side, where the title stands upright, and the front
        seen = inked.crop((left, 430, right, 1487)).getbbox()
        assert seen
        assert (seen[0] + seen[2]) / 2 == pytest.approx((right - left) / 2, abs=12)
        assert (seen[1] + seen[3]) / 2 == pytest.approx(1058 / 2, abs=40)
    assert not inked.crop((0, 0, 1038, 1950)).getbbox(), "the back, right side, lid and bottom have no title"


HEXAGON = '[component.shape]\nkind = "hexagon"\nacross = "{}in"\ntop = "{}"'


@pytest.mark.parametrize("bleed", [0.0, 1.0, 6.0])
@pytest.mark.parametrize(
    ("shape", "size", "product", "pixels"),
    [
        ('[component.shape]\nkind = "circle"\ndiameter = "0.75in"', (19.05, 19.05), "CircleShard", (300, 300)),
        (HEXAGON.format(1.75, "edge"), (51.33, 44.45), "SmallHexTile", (675, 600)),
        (HEXAGON.format(1.08, "corner"), (27.432, 31.676), "MiniHexTile", (450, 450)),
        (HEXAGON.format(3.25, "edge"), (95.32, 82.55), "HexDeck", (1200, 1050)),
    ],
)
def test_tiles_are_products_too(
    shape: str, size: tuple[float, float], product: str, pixels: tuple[int, int], bleed: float, tmp_path: Path, pnp: Pnp
) -> None:
    game = make_wares(tmp_path / "wares", Ware("tiles", size, bleed, (1,), shape=shape))
    out = tmp_path / "out"
    export(pnp, game, "thegamecrafter", out)
    (deck,) = listed(out, "thegamecrafter")["decks"]
    assert (deck["product"], tuple(deck["pixels"])) == (product, pixels)
    with Image.open(out / "thegamecrafter/tiles/001-a-x1-front.png") as image:
        assert image.size == pixels
        spots = [(0.5, 0.06), (0.5, 0.94), (0.06, 0.5), (0.94, 0.5)]
        assert {colour_at(image, *spot) for spot in spots} == {RED}, "its bleed is filled"


def read_order(path: Path) -> list[tuple[str, str]]:
    """The front and the back of each slot: a reader of the format, written for this test."""
    root = ElementTree.parse(path).getroot()
    assert root.tag == "order"
    quantity = int(root.findtext("details/quantity", ""))
    assert quantity <= int(root.findtext("details/bracket", "")) <= 612
    sides = []
    for name in ("fronts", "backs"):
        slots: dict[int, str] = {}
        for card in root.iterfind(f"{name}/card"):
            assert card.findtext("sourceType") == "Local File"
            file = card.findtext("id", "")
            assert (path.parent / file).is_file()
            assert card.findtext("name") == file.rpartition("/")[2]
            for slot in card.findtext("slots", "").split(","):
                assert int(slot) not in slots
                slots[int(slot)] = file
        assert set(slots) <= set(range(quantity))
        sides.append(slots)
    fronts, backs = sides
    usual = root.findtext("cardback", "")
    assert (path.parent / usual).is_file()
    return [(fronts[slot], backs.get(slot, usual)) for slot in range(quantity)]


def test_an_order_has_a_front_and_a_back_in_every_slot(tmp_path: Path, pnp: Pnp) -> None:
    own = Ware("own", (63.0, 88.0), counts=(2, 1, 3), backs=(BLUE, YELLOW, YELLOW))
    bare = Ware("bare", (63.0, 88.0), counts=(1,), backs=())
    game, out = make_wares(tmp_path / "wares", own, bare), tmp_path / "out"
    export(pnp, game, "makeplayingcards", out)
    slots = read_order(out / "makeplayingcards/order.xml")
    seen = []
    for files in slots:
        colours = []
        for file in files:
            with Image.open(out / "makeplayingcards" / file) as image:
                assert image.size == PUBLISHED["makeplayingcards", "game"]
                colours.append(colour_at(image, 0.5, 0.5))
        seen.append(tuple(colours))
    assert all(front.endswith("front.png") for front, _ in slots), "a back may look the same"
    white = "#ffffff"
    assert seen == [(RED, BLUE)] * 2 + [(GREEN, YELLOW)] + [(BLUE, YELLOW)] * 3 + [(RED, white)]


def test_orders_of_two_sizes_are_two_files(tmp_path: Path, pnp: Pnp) -> None:
    game = make_wares(tmp_path / "wares", POKER, Ware("small", (63.0, 88.0), counts=(4,)))
    result = export(pnp, game, "makeplayingcards", tmp_path / "out")
    assert "your cards of 63.5 x 88.9 mm come out at 99%" in result.stderr
    assert result.stderr.count("note:") == 1
    folder = tmp_path / "out/makeplayingcards"
    assert len(read_order(folder / "order-poker.xml")) == 3
    assert len(read_order(folder / "order-game.xml")) == 4


@pytest.mark.parametrize(
    ("shop", "name", "page", "trim", "is_back_first"),
    [
        ("drivethrucards", "wares-poker.pdf", (198, 270), (9, 9, 189, 261), True),
        ("mbprint", "wares_63.5x88.9.pdf", (197.008, 269.008), None, False),
        ("printplay", "wares-63.5x88.9.pdf", (191.339, 263.339), None, False),
    ],
)
def test_a_pdf_has_a_face_a_page(
    shop: str,
    name: str,
    page: tuple[float, float],
    trim: Sequence[float] | None,
    is_back_first: bool,
    tmp_path: Path,
    pnp: Pnp,
) -> None:
    """Each copy of each card in turn; the boxes are those of the shop, as pikepdf reads them."""
    bare = Ware("bare", counts=(1,), fronts=(YELLOW,), backs=())
    game = make_wares(tmp_path / "wares", POKER, bare)
    export(pnp, game, shop, tmp_path / "out")
    content = (tmp_path / "out" / shop / name).read_bytes()
    bleed = find_shop(shop).bleed * PT_PER_MM
    with pikepdf.open(io.BytesIO(content)) as pdf:
        for pdf_page in pdf.pages:
            whole = [0.0, 0.0, *page]
            assert [float(n) for n in pdf_page.mediabox] == pytest.approx(whole, abs=0.01)
            assert [float(n) for n in pdf_page.bleedbox] == pytest.approx(whole, abs=0.01)
            own = trim or (bleed, bleed, page[0] - bleed, page[1] - bleed)
            assert [float(n) for n in pdf_page.trimbox] == pytest.approx(own, abs=0.01)
    (deck,) = listed(tmp_path / "out", shop)["decks"]
    assert (deck["file"], deck["quantity"]) == (name, 4)
    cards = [(RED, BLUE), (RED, BLUE), (GREEN, BLUE), (YELLOW, "#ffffff")]
    expected = [side for card in cards for side in (card[::-1] if is_back_first else card)]
    with pypdfium2.PdfDocument(content) as document:
        images = [page.render().to_pil() for page in document]
    for spot in ((0.5, 0.5), (0.01, 0.99), (0.99, 0.01)):
        assert [nearest_ground(image, spot) for image in images] == expected


def test_the_manifest_lists_what_to_order(tmp_path: Path, pnp: Pnp) -> None:
    corners = "[['0mm', '0mm'], ['30mm', '0mm'], ['0mm', '40mm']]"
    net = f'[component.shape]\nkind = "polygon"\ncorners = {corners}'
    odd = Ware("odd", (30.0, 40.0), counts=(1,), shape=net)
    game, out = make_wares(tmp_path / "wares", POKER, odd), tmp_path / "out"
    result = export(pnp, game, "thegamecrafter", out, "--copies", "2")
    assert "note: " in result.stderr
    assert "pnp knows no product of The Game Crafter for polygons" in result.stderr
    manifest = listed(out, "thegamecrafter")
    assert [left["components"] for left in manifest["left_out"]] == [["odd"]]
    (deck,) = manifest["decks"]
    assert (deck["product"], deck["quantity"], deck["pixels"]) == ("PokerDeck", 6, [825, 1125])
    assert [(card["piece"], card["quantity"]) for card in deck["cards"]] == [("a", 4), ("b", 2)]
    written = {
        path.relative_to(out / "thegamecrafter").as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in (out / "thegamecrafter").rglob("*")
        if path.is_file() and path.name not in ("manifest.json", "order.html")
    }
    assert manifest["sha256"] == written
    first, second = deck["cards"]
    assert (first["front"], second["front"]) == ("cards/001-a-x4-front.png", "cards/002-b-x2-front.png")
    assert first["back"] == second["back"] == "cards/001-a-x6-back.png"
    assert {*first.values(), *second.values()} >= written.keys()


@pytest.mark.parametrize("shop", ["meinspiel", "makeplayingcards", "drivethrucards"])
def test_the_same_files_twice(shop: str, tmp_path: Path, pnp: Pnp) -> None:
    size = (59.0, 91.0) if shop == "meinspiel" else (63.5, 88.9)
    game = make_wares(tmp_path / "wares", Ware(size=size, bleed=2.0))
    contents = []
    for name in ("one", "two"):
        export(pnp, game, shop, tmp_path / name)
        files = sorted(path for path in (tmp_path / name).rglob("*") if path.is_file())
        contents.append([(path.relative_to(tmp_path / name), path.read_bytes()) for path in files])
    assert contents[0] == contents[1]
    if shop == "meinspiel":
        with Image.open(tmp_path / "one/meinspiel/59x91/001-a-x2-front.jpg") as image:
            assert (image.format, image.size, image.mode) == ("JPEG", (768, 1146), "RGB")


@pytest.mark.parametrize(
    ("size", "told"),
    [
        (
            (61.0, 90.0),
            "Cards: pnp knows no cards of MakePlayingCards of 61 x 90 mm\n"
            "    hint: the nearest, game, has 63 x 88 mm: 2 mm wider, 2 mm shorter; "
            "or leave it out of the export with --only",
        ),
        ((61.0, 300.0), "MakePlayingCards has no product for any component of Wares"),
    ],
)
def test_a_size_that_is_not_sold_writes_nothing(size: tuple[float, float], told: str, tmp_path: Path, pnp: Pnp) -> None:
    game, out = make_wares(tmp_path / "wares", Ware(size=size)), tmp_path / "out"
    asked = ("export", game, "--to", "shop", "--for", "makeplayingcards", "-o", out)
    result = pnp(*asked, "--paper", "a3")
    assert result.exit_code == 1
    assert told in result.output
    assert not out.exists()


def test_a_wrong_size_is_left_out_on_request(tmp_path: Path, pnp: Pnp) -> None:
    wrong = Ware("wrong", (61.0, 90.0))
    game, out = make_wares(tmp_path / "wares", POKER, wrong), tmp_path / "out"
    export(pnp, game, "makeplayingcards", out, "--only", "cards/b")
    (deck,) = listed(out, "makeplayingcards")["decks"]
    assert [(card["piece"], card["quantity"]) for card in deck["cards"]] == [("b", 1)]


def test_an_export_arrives_whole(tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """The order comes after the pictures; if it fails, they do not stay behind."""

    def break_off(*_: object) -> bytes:
        raise PnpError([Problem(Place("order"), "it breaks off")])

    monkeypatch.setattr("generator.export.shop.exporter.make_order", break_off)
    game, out = make_wares(tmp_path / "wares", POKER), tmp_path / "out"
    result = pnp("export", game, "--to", "shop", "--for", "makeplayingcards", "-o", out)
    assert "it breaks off" in result.output
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["export", "--to", "shop", "--for", "thegamcrafter"], "did you mean 'thegamecrafter'?"),
        (["export", "--to", "shop"], "--for: no shop is named"),
        (["export", "--to", "png", "--for", "mbprint"], "--to png: unknown key 'shop'"),
        (["check", "--for", "drivethrucard"], "did you mean 'drivethrucards'?"),
        (["check", "--for", ""], "--for: no shop is named"),
    ],
)
def test_an_unknown_shop_is_reported(words: list[str], told: str, tmp_path: Path, pnp: Pnp) -> None:
    command, *options = words
    result = pnp(command, make_wares(tmp_path / "wares", POKER), *options)
    assert result.exit_code == 1
    assert told in result.output


@pytest.mark.parametrize("command", ["export", "check"])
def test_help_names_every_shop(command: str, pnp: Pnp) -> None:
    text = pnp(command, "--help").output
    assert all(name in text for name in shop_names())


def test_the_library_exports_for_a_shop_and_tells_its_notes(tmp_path: Path) -> None:
    game, notes = make_wares(tmp_path / "wares", POKER), list[Problem]()
    settings = {"shop": "printplay"}
    folder = export_game(game, "shop", tmp_path / "out", settings=settings, note=notes.append)
    assert (folder / "printplay/wares-63.5x88.9.pdf").is_file()
    assert [str(note.place) for note in notes] == ["Print & Play"]
    assert check_game(game, shop="drivethrucards") == check_game(game, shop="DriveThruCards")
