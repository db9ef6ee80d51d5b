"""Pictures of folded pieces, from their nets and faces; a template to draw such a face on."""

from collections.abc import Iterator, Sequence
from statistics import mean

import pyclipper

from generator.basics.geometry import ORIGIN, Affine, Point, Size, decimal, mirror_x, translation
from generator.basics.shapes import Outline, area, box_of, carried, common, outline_of, path_of, rims
from generator.faces.canvas import Canvas, write_line
from generator.layout.folds import standing_net
from generator.layout.nets import Net, Panel, SeenPanel, standing
from generator.model import Component, Face, PlacedLayer
from generator.text import HOUSE_FAMILY

_NONZERO = (pyclipper.PFT_NONZERO, pyclipper.PFT_NONZERO)
_SHADE = 0.36  # opacity of the shade on the darkest panel
_SVG, _INKSCAPE = "http://www.w3.org/2000/svg", "http://www.inkscape.org/namespaces/inkscape"
_LINE = 0.15  # mm, at life size
_SEEN_THROUGH = 1.0  # mm²
_INK, _PAPER = "#1a1a1a", "#ffffff"
_GROUND, _GUIDE = "#f4ead2", "#3a7ca5"
_NAME = 0.16  # of the smaller side of a panel: its name on a template
_LEAST_NAME, _MOST_NAME = 2.6, 6.0  # mm


def stand(component: Component, piece: str, flat: Face, back: Face | None = None) -> Face:
    """Draw a folded piece at life size, with the outline of the whole; see `nets.standing`.

    The piece's shape must stand; `flat` and `back` are its printed faces.
    """
    net = standing_net(component.shape_of(piece))
    assert net is not None
    panels = standing(net)
    edge = box_of(point for panel in panels for point in panel.outline)
    size = Size(edge.x1, edge.y1)
    from_bleed = translation(-component.bleed, -component.bleed)
    outside = [placed.carried(from_bleed) for placed in flat.layers]
    turn = mirror_x(net.size.width) @ translation(-component.back_bleed, -component.back_bleed)
    inside = [placed.carried(turn) for placed in (back.layers if back else ())]
    layers = [placed for panel in panels for placed in _panel(panel, inside if panel.is_inside else outside, size)]
    outline, *holes = _around(panels)
    return Face.of(layers, f"{component.id} {piece} folded", size, outline, holes=tuple(holes))


def _panel(seen_panel: SeenPanel, flat: Sequence[PlacedLayer], size: Size) -> Iterator[PlacedLayer]:
    """A panel of the flat side that is seen, bare paper without one, with its shade and edges."""
    if seen_panel.is_inside:
        paper = Canvas(size)
        paper.polygons([seen_panel.outline], _PAPER)
        yield PlacedLayer(paper.layer("paper"), ORIGIN)
    for placed in flat:
        for clip in common(placed.clip or seen_panel.panel.outline, seen_panel.panel.outline):
            yield placed._replace(clip=clip).carried(seen_panel.motion)
    shade = Canvas(size)
    shade.polygons([seen_panel.outline], _INK, opacity=_SHADE * seen_panel.shade)
    shade.lines([(*rim, rim[0]) for rim in rims(seen_panel.outline)], _INK, _LINE)
    yield PlacedLayer(shade.layer("shade"), ORIGIN)


def _around(panels: Sequence[SeenPanel]) -> list[Outline]:
    """The outline of a folded piece, and of the windows that one sees through."""
    clipper = pyclipper.Pyclipper()
    for panel in panels:
        path = path_of(panel.outline)  # outlines of insides run the other way around
        clipper.AddPath(path[::-1] if panel.is_inside else path, pyclipper.PT_SUBJECT, True)
    rings = list(map(outline_of, clipper.Execute(pyclipper.CT_UNION, *_NONZERO)))
    windows = (ring[::-1] for ring in rings if area(ring) < -_SEEN_THROUGH)
    return [max(rings, key=area), *windows]


def draw_template(net: Net, bleed: float) -> str:
    """An SVG in mm with a layer for each panel, in which art is upright on the finished piece and
    (0, 0) is the top left of the panel's box; and a layer "guides" with the lines of the net.

    The first panel has the cell of a column "name", each other one its own name.
    """
    shift = translation(bleed, bleed)
    size = Size(net.size.width + 2 * bleed, net.size.height + 2 * bleed)
    width, height = map(decimal, size)
    shown = [panel for panel in net.panels if not panel.is_glued]
    words = ["{{ name }}", *(panel.name for panel in shown[1:])]
    layers = [
        line for panel, text in zip(shown, words, strict=True) for line in _layer(panel, shift @ panel.place, text)
    ]
    folds = (write_line(carried(fold, shift)) for fold in net.creases)
    around = f"{write_line(carried(net.outline, shift))} Z"
    lines = [
        f'<svg xmlns="{_SVG}" xmlns:inkscape="{_INKSCAPE}" xmlns:pnp="urn:pnp"',
        f'    width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">',
        f'  <rect width="{width}" height="{height}" fill="{_GROUND}"/>',
        *layers,
        '  <g id="guides" inkscape:label="guides" inkscape:groupmode="layer" fill="none"',
        f'      stroke="{_GUIDE}" stroke-width="0.3">',
        f'    <path d="{around}"/>',
        f'    <path stroke-dasharray="2 1" d="{" ".join(folds)}"/>',
        "  </g>",
        "</svg>",
    ]
    return "\n".join([*lines, ""])


def _layer(panel: Panel, place: Affine, text: str) -> Iterator[str]:
    """The layer of a panel, with a text in its middle."""
    size = min(max(_NAME * min(panel.size), _LEAST_NAME), _MOST_NAME)
    middle = Point(*map(mean, zip(*panel.own_outline, strict=True)))
    turn = " ".join(decimal(part, 6) for part in place)
    yield f'  <g id="{panel.name}" inkscape:label="{panel.name}" inkscape:groupmode="layer"'
    yield f'      transform="matrix({turn})">'
    yield (
        f'    <text x="{decimal(middle.x)}" y="{decimal(middle.y + size / 3)}" fill="{_INK}"'
        f' text-anchor="middle" font-family="{HOUSE_FAMILY}" font-size="{decimal(size)}">'
        f"{text}</text>"
    )
    yield "  </g>"
