"""What a package that adds to pnp may import: for checks, renderers, exporters and engines.

    from generator.plugins import Column, Component, Declared, Problem, require

    require(1)

`VERSION` is the number of this contract. A release that adds to it makes it greater by one. What a
version has stays in all later ones, with the same meaning, and pnp calls no further method of the
classes of a package. `require` in a package says which version it was written for. Nothing else in
`generator` is promised, but for the names of `generator` itself.
"""

from generator.basics.errors import (
    MisfitError,
    Place,
    PnpError,
    Problem,
    count_of,
    did_you_mean,
    fail,
    quote,
)
from generator.basics.geometry import Affine, Point, Rect, Size
from generator.basics.keys import (
    After,
    Before,
    Custom,
    KeyMisfitError,
    Keys,
    Reads,
    ReadsWith,
    Schema,
    describe,
    matching,
)
from generator.checks import BookletCheck, FaceCheck, TableCheck
from generator.checks.looks import Faults, Looks, Shown, ShownRows
from generator.checks.table import Declared, doubles, label, list_names
from generator.export.exporter import ExportedFile, Exporter, Kit, archive, name_sheets
from generator.faces import draw
from generator.faces.canvas import Canvas
from generator.model import (
    LEAFLETS,
    Art,
    Booklet,
    Check,
    Column,
    Component,
    Design,
    Face,
    FaceFault,
    Feature,
    FlawedFaceError,
    Game,
    Layer,
    LoadedGame,
    Page,
    Piece,
    PlacedLayer,
    Placement,
    Renderer,
    Sheet,
    Side,
    Value,
)
from generator.pipeline.game import read
from generator.play.bots import count_paths
from generator.play.engine import (
    CHANCE,
    OVER,
    Decks,
    Engine,
    LaidPiece,
    Option,
    make_engine,
    name_pieces,
    pieces_of,
    read_numbers,
    size_of,
)
from generator.tables.fields import (
    ArtName,
    Colour,
    ColumnName,
    Count,
    CutLength,
    FoldLength,
    FontFamily,
    Length,
    MaybeArt,
    MaybeFont,
    Name,
    PlainColour,
    PositiveLength,
    Text,
    TextSize,
    Title,
)

__all__ = [
    "CHANCE",
    "LEAFLETS",
    "OVER",
    "VERSION",
    "Affine",
    "After",
    "Art",
    "ArtName",
    "Before",
    "Booklet",
    "BookletCheck",
    "Canvas",
    "Check",
    "Colour",
    "Column",
    "ColumnName",
    "Component",
    "Count",
    "Custom",
    "CutLength",
    "Decks",
    "Declared",
    "Design",
    "Engine",
    "ExportedFile",
    "Exporter",
    "Face",
    "FaceCheck",
    "FaceFault",
    "Faults",
    "Feature",
    "FlawedFaceError",
    "FoldLength",
    "FontFamily",
    "Game",
    "KeyMisfitError",
    "Keys",
    "Kit",
    "LaidPiece",
    "Layer",
    "Length",
    "LoadedGame",
    "Looks",
    "MaybeArt",
    "MaybeFont",
    "MisfitError",
    "Name",
    "Option",
    "Page",
    "Piece",
    "Place",
    "PlacedLayer",
    "Placement",
    "PlainColour",
    "PnpError",
    "Point",
    "PositiveLength",
    "Problem",
    "Reads",
    "ReadsWith",
    "Rect",
    "Renderer",
    "Schema",
    "Sheet",
    "Shown",
    "ShownRows",
    "Side",
    "Size",
    "TableCheck",
    "Text",
    "TextSize",
    "Title",
    "Value",
    "archive",
    "count_of",
    "count_paths",
    "describe",
    "did_you_mean",
    "doubles",
    "draw",
    "fail",
    "label",
    "list_names",
    "make_engine",
    "matching",
    "name_pieces",
    "name_sheets",
    "pieces_of",
    "quote",
    "read",
    "read_numbers",
    "require",
    "size_of",
]

VERSION = 1


def require(version: int) -> None:
    """Says that a package needs this version of the contract, or a later one.

    Call it in the package's `__init__.py`. With an older pnp, the user is told so in one message.
    Raises MisfitError.
    """
    if version > VERSION:
        what = f"it needs version {version} of generator.plugins, and this pnp has {VERSION}"
        raise MisfitError(what, "update pnp: pip install --upgrade pnp-generator")
