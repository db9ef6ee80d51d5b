"""How true drawings print: each SVG of a suite beside its reference, through the whole road.

    python -m tests.bench.drawings SUITE [--out FOLDER] [--only PART] [--viewer pdfium|poppler]...
                                   [--width MM] [--random COUNT [--seed NUMBER]]

SUITE is the folder crates/resvg/tests of linebender/resvg: tests/**/x.svg beside x.png, and fonts/.
Each drawing is read as a picture of a game is, put on a face of the size of a card, printed by the
press and painted by each viewer at four times the pixels of its reference, then averaged down to
them. Without `--viewer`, by both: pdfium, and poppler's pdftoppm.

Both pictures are laid on white. MAD is the mean difference of the channels (0 to 255). A pixel is
bad if it is more than 32 outside the range of the nine pixels around its place in the other
picture: an edge that is drawn half a pixel aside has none. Strict: MAD at most 2, 0.1 % bad.
Lenient: 6, 1 %. Sized: not strict, but strict beside resvg's own picture of the drawing at another
size, of one pixel for a unit or of four times the pixels, as resvg draws a relief or tiles by
pixels. Grid: neither, without a finding, but lenient beside the latter: the reference shows its
pixels. `STALE` lists the cases left out, with the reason. docs/drawings.md names what makes a
viewer wrong.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import resvg_py
from PIL import Image

from generator.art.picture import ArtReader
from generator.basics.errors import Place, PnpError
from generator.basics.geometry import MM_PER_INCH, Affine, Point, Rect, Size
from generator.basics.shapes import rectangle
from generator.faces.canvas import Canvas
from generator.model import Face, Imprint, PlacedLayer
from generator.pdf import Job, Press, raster
from generator.text import HOUSE_FONTS, FontBook
from tests.support.pictures import compare

WIDTH = 60.0  # mm of a face: a card
FINER = 4  # pixels for one of the reference, on each axis
STRICT, LENIENT = (2.0, 0.1), (6.0, 1.0)  # the highest MAD, the highest per cent of bad pixels
BATCH = 40  # faces of one print
# As the suite's own runner sets them.
FAMILIES = {
    "serif": "Noto Serif", "sans-serif": "Noto Sans", "monospace": "Noto Mono",
    "cursive": "Yellowtail", "fantasy": "Sedgwick Ave Display",
}  # fmt: skip
FALLBACK = ("Noto Sans", "Amiri", "Noto Sans Devanagari", "Mplus 1p", "Twitter Color Emoji")
# References that are not drawn as resvg itself draws them.
STALE = {"structure/svg/not-UTF-8-encoding": "it shows letters of another Noto Sans than that in fonts/"}
VIEWERS = ("pdfium", "poppler")
VERDICTS = ("strict", "sized", "lenient", "said", "grid", "wrong", "refused")  # said: with a finding


class Outcome(NamedTuple):
    """The verdict on a drawing in one viewer, and its measures."""

    verdict: str = "refused"
    mad: float = 0.0
    bad: float = 0.0


@dataclass
class Case:
    """A drawing of the suite, and what became of it in each viewer."""

    name: str
    reference: Path
    why: str = ""
    outcomes: dict[str, Outcome] = field(default_factory=dict)

    @property
    def group(self) -> str:
        return self.name.split("/")[0]

    def outcome(self, viewer: str) -> Outcome:
        return self.outcomes.get(viewer, Outcome())


def main() -> None:
    options = _options()
    root = options.suite / "tests"
    fonts = FontBook([HOUSE_FONTS, options.suite / "fonts"], FAMILIES)
    files = sorted(path for path in root.rglob("*.svg") if options.only in str(path))
    if options.random:
        files = sorted(Random(options.seed).sample(files, options.random))
    cases, faces = [], []
    for file in files:
        case = Case(str(file.relative_to(root).with_suffix("")), file.with_suffix(".png"))
        if case.name in STALE:
            continue
        cases.append(case)
        try:
            face = _face(case, file, fonts, options.width)
        except PnpError as error:
            case.why = f"{error.problems[0].what} / {error.problems[0].hint}"
            continue
        faces.append((case, face))
    seconds = time.process_time()
    with tempfile.TemporaryDirectory() as folder, Press() as press:
        for at in range(0, len(faces), BATCH):
            _print(faces[at : at + BATCH], fonts, press, options, Path(folder))
    seconds = time.process_time() - seconds
    for viewer in options.viewer or VIEWERS:
        _report(cases, viewer)
    print(f"{seconds:.0f} s of this process, without the press")
    if options.out:
        _write(cases, options.viewer or VIEWERS, options.out)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("suite", type=Path)
    parser.add_argument("--only", default="", help="a part of the names")
    parser.add_argument("--viewer", choices=VIEWERS, action="append", help="by default, both")
    parser.add_argument("--width", type=float, default=WIDTH, help="of each face, in mm")
    parser.add_argument("--random", type=int, metavar="COUNT", help="so many of the drawings")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="a folder for verdicts.tsv and for wrong pictures")
    return parser.parse_args()


def _face(case: Case, file: Path, fonts: FontBook, width: float) -> Face:
    with Image.open(case.reference) as picture:
        size = Size(width, width * picture.height / picture.width)
    canvas = Canvas(size)
    reader = ArtReader(file.parent, fonts, FALLBACK)
    art = reader.read(file.name, Place(case.name))
    said = [finding.what for finding in reader.findings] + [f"no {words.style}" for words in art.lacking]
    case.why = "; ".join(said)
    canvas.image(art, Rect(0.0, 0.0, *size))
    outline = rectangle(size).placed(Affine())
    return Face.of([PlacedLayer(canvas.layer(case.name), Point(0.0, 0.0))], case.name, size, outline)


def _print(
    batch: Sequence[tuple[Case, Face]], fonts: FontBook, press: Press, options: argparse.Namespace, folder: Path
) -> None:
    faces = list({face.id: face for _, face in batch}.values())
    job = Job(raster.face_sheets(faces), faces, Imprint("Suite", "", ""), tuple(map(str, fonts.folders)))
    try:
        pdf = press.print(job)
    except PnpError as error:
        if len(batch) == 1:
            batch[0][0].why = str(error.problems[0].what)
            batch[0][0].outcomes = dict.fromkeys(VIEWERS, Outcome("wrong"))
        else:
            for drawing in batch:
                _print([drawing], fonts, press, options, folder)
        return
    with_reference = {face.id: case for case, face in batch}
    for viewer in options.viewer or VIEWERS:
        pictures = _paint(pdf, [with_reference[face.id] for face in faces], viewer, folder, options.width)
        shown = {face.id: picture for face, picture in zip(faces, pictures, strict=True)}
        out = options.out and options.out / viewer
        for case, face in batch:
            case.outcomes[viewer] = _judge(case, shown[face.id], options.suite / "fonts", out)


def _paint(pdf: bytes, cases: Sequence[Case], viewer: str, folder: Path, width: float) -> Iterator[Image.Image]:
    with Image.open(cases[0].reference) as picture:
        pixels = picture.width * FINER
    if viewer == "pdfium":
        yield from raster.rasterise_each(pdf, pixels / width * MM_PER_INCH)
        return
    for old in folder.glob("*.png"):
        old.unlink()
    size = ("-scale-to-x", str(pixels), "-scale-to-y", "-1")
    command = ("pdftoppm", "-png", *size, "-", str(folder / "page"))
    subprocess.run(command, input=pdf, check=True)
    for page in sorted(folder.glob("*.png")):
        yield Image.open(page).convert("RGB")


def _judge(case: Case, shown: Image.Image, fonts: Path, out: Path | None) -> Outcome:
    with Image.open(case.reference) as picture:
        reference = _on_white(picture)
    mad, bad = _differ(shown, reference)
    if _is_within(STRICT, mad, bad):
        return Outcome("strict", mad, bad)
    finer = _redraw(case, fonts, reference.width * FINER, reference.height * FINER)
    others = _redraw(case, fonts), finer.resize(reference.size, Image.Resampling.BOX)
    if any(_is_within(STRICT, *_differ(shown, other)) for other in others):
        verdict = "sized"
    elif _is_within(LENIENT, mad, bad):
        verdict = "lenient"
    elif case.why:
        verdict = "said"
    else:
        verdict = "grid" if _is_within(LENIENT, *_differ(shown, others[1])) else "wrong"
    if out:
        _keep(
            shown.resize(reference.size, Image.Resampling.BOX),
            reference,
            out / verdict / f"{case.name.replace('/', '__')}.png",
        )
    return Outcome(verdict, mad, bad)


def _differ(shown: Image.Image, reference: Image.Image) -> tuple[float, float]:
    ours = shown.resize(reference.size, Image.Resampling.BOX)
    return compare(np.asarray(ours), np.asarray(reference))


def _is_within(limits: tuple[float, float], mad: float, bad: float) -> bool:
    return mad <= limits[0] and bad <= limits[1]


def _keep(ours: Image.Image, reference: Image.Image, file: Path) -> None:
    both = Image.new("RGB", (reference.width * 2 + 10, reference.height), "red")
    both.paste(ours, (0, 0))
    both.paste(reference, (reference.width + 10, 0))
    file.parent.mkdir(parents=True, exist_ok=True)
    both.save(file)


def _on_white(picture: Image.Image) -> Image.Image:
    drawn = picture.convert("RGBA")
    white = Image.new("RGB", drawn.size, "white")
    white.paste(drawn, mask=drawn)
    return white


def _redraw(case: Case, fonts: Path, width: int | None = None, height: int | None = None) -> Image.Image:
    """A picture by resvg of so many pixels, by default one for a unit of the drawing."""
    drawn = resvg_py.svg_to_bytes(
        svg_string=case.reference.with_suffix(".svg").read_text("utf-8"),
        width=width, height=height,
        skip_system_fonts=True, font_dirs=[str(fonts)],
        serif_family=FAMILIES["serif"], sans_serif_family=FAMILIES["sans-serif"],
        monospace_family=FAMILIES["monospace"], cursive_family=FAMILIES["cursive"],
        fantasy_family=FAMILIES["fantasy"],
    )  # fmt: skip
    with Image.open(io.BytesIO(bytes(drawn))) as picture:
        return _on_white(picture)


def _report(cases: Sequence[Case], viewer: str) -> None:
    groups = sorted({case.group for case in cases})
    print(f"{viewer:16}{'n':>6}" + "".join(f"{verdict:>9}" for verdict in VERDICTS))
    for group in (*groups, "all"):
        some = Counter(case.outcome(viewer).verdict for case in cases if group in (case.group, "all"))
        row = "".join(f"{some[verdict]:9}" for verdict in VERDICTS)
        print(f"{group:16}{some.total():6}{row}")


def _write(cases: Sequence[Case], viewers: Sequence[str], out: Path) -> None:
    """A line for each case and viewer."""
    out.mkdir(parents=True, exist_ok=True)
    lines = []
    for case in cases:
        for viewer in viewers:
            verdict, mad, bad = case.outcome(viewer)
            lines.append(f"{case.name}\t{viewer}\t{verdict}\t{mad:.2f}\t{bad:.2f}\t{case.why}")
    (out / "verdicts.tsv").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
