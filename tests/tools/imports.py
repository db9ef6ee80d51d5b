"""What `pnp import` finds in each PDF of a folder, as a table: python -m tests.tools.imports FOLDER

A folder without PDFs gets a sample, and the pictures of docs/import.md: import.png and adjust.png.
"""

from __future__ import annotations

import io
import sys
import time
from contextlib import chdir
from pathlib import Path

from PIL import Image
from playwright.sync_api import expect, sync_playwright

from generator.basics.errors import PnpError
from generator.basics.geometry import Rect, Size
from generator.importing.adjusting import adjusting
from generator.importing.folder import ImportOptions, import_pdf
from tests.importing.old_pdfs import OldPdf, grid
from tests.support import oracles

_LINE = "{:40} {:>5} {:>6} {:>6} {:>6} {:>6}  {}"


def tell(path: Path) -> str:
    """A line about a PDF: its cards, faces, vector faces, seconds and kilobytes, and the sizes."""
    begun = time.monotonic()
    try:
        made = import_pdf(path, ImportOptions(), lambda _: None)
    except PnpError as error:
        return _LINE.format(path.name[:40], "", "", "", "", "", error.problems[-1].what)
    tables = [text for name, text in made.files.items() if name.endswith(".csv")]
    rows = [row for table in tables for row in table.decode().splitlines()[1:]]
    art = {name: content for name, content in made.files.items() if name.startswith("art/")}
    spec = made.files["game.toml"].decode().splitlines()
    sizes = [line.split('"')[1] for line in spec if line.startswith("size")]
    return _LINE.format(
        path.name[:40],
        sum(int(row.split(",")[1]) for row in rows),
        len(art),
        sum(name.endswith(".svg") for name in art),
        round(time.monotonic() - begun),
        sum(map(len, art.values())) // 1000,
        " ".join(sizes),
    )


def draw_sample(folder: Path) -> None:
    """Four cards, their backs, and a page of rules, on A6."""
    size = Size(105.0, 148.0)
    fronts = grid(2, 2, Size(41.0, 63.0), (9.0, 9.0), gap=2.0)
    pdf = OldPdf(size)
    pdf.cards(fronts)
    pdf.next()
    for x0, y0, x1, y1 in fronts:
        pdf.fill(Rect(size.width - x1, y0, size.width - x0, y1), 7)
    pdf.next()
    for top in (10, 40, 70, 100):
        pdf.words(Rect(10, top, 95, top + 28), "How to play, in many words.")
    path = folder / "sample.pdf"
    path.write_bytes(pdf.finish())
    made = import_pdf(path, ImportOptions(), lambda _: None, is_for_picture=True)
    (folder / "import.png").write_bytes(made.picture)
    (folder / "adjust.png").write_bytes(draw_page(path))


def draw_page(path: Path) -> bytes:
    """The page of a sample, while the first card is held at its lower right corner."""
    with sync_playwright() as playwright, chdir(path.parent):
        browser = playwright.chromium.launch(executable_path=oracles.find("browser"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 880}, locale="en")
        with adjusting(Path(path.name), Path(path.stem), ImportOptions(), 0, None) as server:
            page.goto(server.invitation)
            expect(page.locator(".cut")).to_have_count(8)
            page.locator(".edge .knob").nth(1).hover()
            page.mouse.down()
            page.wait_for_load_state("networkidle")
            picture = page.screenshot()
            page.mouse.up()
        browser.close()
    stream = io.BytesIO()
    with Image.open(io.BytesIO(picture)) as image:
        image.convert("RGB").quantize(128).save(stream, "PNG", optimize=True)
    return stream.getvalue()


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    pdfs = sorted(folder.glob("*.pdf"))
    lines = [tell(path) for path in pdfs]
    if lines:
        header = _LINE.format("file", "cards", "faces", "vector", "s", "kB", "sizes")
        sys.stdout.write("\n".join((header, *lines, "")))
    else:
        draw_sample(folder)
