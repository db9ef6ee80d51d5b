"""Make small fonts: of other kinds than those at hand, with other names, with axes (fontTools)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fontTools.colorLib import builder
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTCollection, TTFont
from fontTools.ttLib.tables.TupleVariation import TupleVariation

HEIGHT, NARROW, WIDE = 700, 100, 400  # of the bar that every letter is, at its least and greatest
_FAMILY_NAMES = (1, 16)
_SIGNS = " AHI"


def bars(path: Path, family: str, *, weight: int = 400, italic: bool = False, width: int = 5) -> Path:
    """A TrueType font whose letters are bars."""
    made = _builder(family, weight, italic=italic)
    made.font["OS/2"].usWidthClass = width
    made.save(path)
    return path


def outlined(path: Path, family: str, kind: str = "CFF ") -> Path:
    """An OpenType font of bars with outlines of that kind, "CFF " or "CFF2"."""
    made = FontBuilder(1000, isTTF=False)
    _set_up(made, family, 400, italic=False)
    pen = T2CharStringPen(None if kind == "CFF2" else 500, None, CFF2=kind == "CFF2")
    pen.moveTo((50, 0))
    for corner in ((50, HEIGHT), (50 + NARROW, HEIGHT), (50 + NARROW, 0)):
        pen.lineTo(corner)
    pen.closePath()
    shapes = {name: pen.getCharString() for name in made.font.getGlyphOrder()}
    if kind == "CFF2":
        made.setupCFF2(shapes)
    else:
        made.setupCFF(_name(family), {}, shapes, {})
    made.save(path)
    return path


def variable(
    path: Path,
    family: str,
    axes: Mapping[str, tuple[float, float, float]],
    instances: Mapping[str, float] | None = None,
) -> Path:
    """A variable font of bars, NARROW at the first value of an axis, WIDE at its last one."""
    made = _builder(family, round(axes.get("wght", (0, 400, 0))[1]))
    named = [{"location": {"wght": weight}, "stylename": name} for name, weight in (instances or {}).items()]
    made.setupFvar([(tag, *values, tag) for tag, values in axes.items()], named)
    variations = {}
    for name in made.font.getGlyphOrder()[2:]:
        variations[name] = [
            TupleVariation({tag: side}, _moved((WIDE - NARROW) * share))
            for tag, (least, default, most) in axes.items()
            for side, share in (
                ((-1, -1, 0), (least - default) / (most - least)),
                ((0, 1, 1), (most - default) / (most - least)),
            )
            if share
        ]
    made.setupGvar(variations)
    for least, default, most in axes.values():
        _widen(made.font, (WIDE - NARROW) * (default - least) / (most - least))
    made.save(path)
    return path


def coloured(path: Path, family: str) -> Path:
    """A font of bars, those of the letter A red; its dice are only in colour."""
    made = _builder(family, 400)
    signs = {ord("\u2680"): "space", ord("\u2681"): "H"}
    made.setupCharacterMap(made.font.getBestCmap() | signs)
    made.font["COLR"] = builder.buildCOLR({"A": [("H", 0)], "space": [("H", 0)]}, version=0)
    made.font["CPAL"] = builder.buildCPAL([[(1.0, 0.0, 0.0, 1.0)]])
    made.save(path)
    return path


def collection(path: Path, *files: Path) -> Path:
    """One file of several fonts."""
    made = TTCollection()
    made.fonts = [TTFont(file) for file in files]
    made.save(path)
    return path


def renamed(source: Path, path: Path, family: str) -> Path:
    """A font by the name of another family."""
    font = TTFont(source)
    for record in font["name"].names:
        if record.nameID in _FAMILY_NAMES:
            record.string = family
        elif record.nameID == 6:
            record.string = _name(family)
    font.save(path)
    return path


def postscript(source: Path, path: Path, family: str) -> Path:
    """A TrueType font as an OpenType one with PostScript outlines, of another name."""
    font = TTFont(renamed(source, path, family))
    order, glyphs = font.getGlyphOrder(), font.getGlyphSet()
    shapes = {}
    for name in order:
        pen = T2CharStringPen(glyphs[name].width, glyphs)
        glyphs[name].draw(pen)
        shapes[name] = pen.getCharString()
    made = FontBuilder(font=font)
    made.isTTF = False
    for table in ("glyf", "loca", "gasp"):
        del font[table]
    made.setupCFF(_name(family), {}, shapes, {})
    made.setupMaxp()
    font.sfntVersion = "OTTO"
    font.save(path)
    return path


def _name(family: str) -> str:
    return family.replace(" ", "")


def _builder(family: str, weight: int, *, italic: bool = False) -> FontBuilder:
    made = FontBuilder(1000, isTTF=True)
    _set_up(made, family, weight, italic=italic)
    glyphs = {name: _bar(NARROW) for name in made.font.getGlyphOrder()}
    made.setupGlyf(glyphs | {"space": TTGlyphPen(None).glyph()})
    return made


def _set_up(made: FontBuilder, family: str, weight: int, *, italic: bool) -> None:
    order = [".notdef", "space", *_SIGNS.strip()]
    made.setupGlyphOrder(order)
    made.setupCharacterMap({ord(sign): name for sign, name in zip(_SIGNS, order[1:], strict=True)})
    made.setupHorizontalMetrics(dict.fromkeys(order, (500, 50)))
    made.setupHorizontalHeader(ascent=900, descent=-300)
    style = "Italic" if italic else "Regular"
    names = {"familyName": family, "styleName": style, "psName": f"{_name(family)}-{style}"}
    made.setupNameTable(names)
    made.setupOS2(usWeightClass=weight, fsSelection=1 if italic else 64)
    made.setupPost()


def _bar(width: float) -> object:
    pen = TTGlyphPen(None)
    pen.moveTo((50, 0))
    for corner in ((50, HEIGHT), (50 + width, HEIGHT), (50 + width, 0)):
        pen.lineTo(corner)
    pen.closePath()
    return pen.glyph()


def _moved(by: float) -> list[tuple[int, int]]:
    """How the corners of a bar and the four points around it move: its right side, its advance."""
    far = (round(by), 0)
    return [(0, 0), (0, 0), far, far, (0, 0), far, (0, 0), (0, 0)]


def _widen(font: TTFont, by: float) -> None:
    """Make the bars of the default wider, and their advances too."""
    for name in font.getGlyphOrder()[2:]:
        glyph = font["glyf"][name]
        for at in (2, 3):
            x, y = glyph.coordinates[at]
            glyph.coordinates[at] = (x + round(by), y)
        glyph.recalcBounds(font["glyf"])
        advance, left = font["hmtx"][name]
        font["hmtx"][name] = (advance + round(by), left)


def with_weights(path: Path) -> Path:
    """The font in a file as a variable one, all weights of which look alike."""
    font = TTFont(path)
    made = FontBuilder(font=font)
    made.setupFvar([("wght", 100, 400, 900, "Weight")], [])
    font.save(path)
    return path
