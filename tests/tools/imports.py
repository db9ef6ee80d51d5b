"""What `pnp import` finds in each PDF of a folder, as a table: python -m tests.tools.imports FOLDER

A folder without PDFs gets a sample, and its picture: that of docs/import.md.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from generator.basics.errors import PnpError
from generator.basics.geometry import Rect, Size
from generator.importing.folder import ImportOptions, import_pdf
from tests.importing.old_pdfs import OldPdf, grid

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


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    pdfs = sorted(folder.glob("*.pdf"))
    lines = [tell(path) for path in pdfs]
    if lines:
        header = _LINE.format("file", "cards", "faces", "vector", "s", "kB", "sizes")
        sys.stdout.write("\n".join((header, *lines, "")))
    else:
        draw_sample(folder)
