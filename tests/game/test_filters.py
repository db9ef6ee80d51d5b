"""Filters that take long are told before anything is drawn; those of real drawings are not."""

from __future__ import annotations

import pytest
from lxml import etree

from generator.art.drawing import Drawing
from generator.art.filters import Filters
from generator.art.measure import Extents
from generator.art.svg import effort_faults
from generator.basics.geometry import Rect

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 80">'
BLUR = '<feGaussianBlur stdDeviation="1"/>'
SHADOW = f'{BLUR}<feOffset dx="1"/><feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge>'
WHOLE = '<rect width="60" height="80" filter="url(#f)"/>'
ICON = '<path d="m5 5c1 0 2 1 2 2s-1 2-2 2a2 2 0 0 1 0-4z" filter="url(#f)"/>'


def filtered(steps: str, drawn: str = WHOLE, region: str = "") -> str:
    return f'<filter id="f" {region}>{steps}</filter>{drawn}'


SOUND = {
    "shadows on sixty icons": filtered(SHADOW, ICON * 60),
    "a shadow on a group of icons": filtered(SHADOW, f'<g filter="url(#f)">{ICON * 40}</g>'),
    "paper on all of it": filtered(
        '<feTurbulence baseFrequency="0.1" numOctaves="5"/><feDiffuseLighting>'
        '<feDistantLight azimuth="45"/></feDiffuseLighting><feComposite in2="SourceGraphic"/>'
    ),
    "as Figma exports": filtered(
        SHADOW,
        '<g filter="url(#f)"><text>a</text></g>' * 40,
        'filterUnits="userSpaceOnUse" x="4" y="4" width="9" height="9"',
    ),
    "letters with an outline": filtered('<feMorphology operator="dilate" radius="0.5"/>'),
    "ten functions": '<rect width="60" height="80" style="filter:blur(1px) blur(2px)"/>' * 5,
    "a filter nobody uses": filtered(BLUR * 2000, ""),
    "nothing is filtered": '<rect width="60" height="80" filter="none"/>' * 999,
}
HOSTILE = {
    "blurs": filtered(BLUR * 300),
    "octaves": filtered('<feTurbulence numOctaves="900"/>'),
    "octaves beyond numbers": filtered('<feTurbulence numOctaves="9e99"/>'),
    "morphology": filtered('<feMorphology operator="dilate" radius="9"/>'),
    "matrix": filtered(f'<feConvolveMatrix order="90" kernelMatrix="{"1 " * 8100}"/>'),
    "region": filtered(BLUR * 3, region='x="-9" y="-9" width="1900%" height="1900%"'),
    "region in user units": filtered(BLUR * 3, region='filterUnits="userSpaceOnUse" width="900" height="900"'),
    "huge element": filtered(BLUR * 3, '<circle r="900" filter="url(#f)"/>'),
    "enlarged": filtered(BLUR * 3, f'<g transform="scale(9)">{WHOLE}</g>'),
    "many elements": filtered(BLUR, WHOLE * 199),
    "percentages": filtered(BLUR, '<rect width="100%" height="100%" filter="url(#f)"/>' * 199),
    "by a class": filtered(BLUR * 199, '<style>.a{filter:url(#f)}</style><path class="a" d="M0 0h60v80"/>'),
    "by any attribute": filtered(BLUR * 199, '<style>[d]{filter:url(#f)}</style><path d="M0 0h60v80"/>'),
    "functions": f'<rect width="60" height="80" style="filter:{"blur(1px) " * 199}"/>',
    "clones": filtered(BLUR, f'<g id="g">{WHOLE}</g>' + '<use href="#g"/>' * 199),
    "clones of clones": filtered(
        BLUR, f'<g id="g">{WHOLE}</g><g id="h">' + '<use href="#g"/>' * 10 + "</g>" + '<use href="#h"/>' * 20
    ),
    "within a pattern": filtered(BLUR * 20, f'<pattern id="p">{WHOLE * 9}</pattern><rect fill="url(#p)"/>'),
    "filters in filters": filtered(BLUR, '<g filter="url(#f)">' * 90 + WHOLE * 99 + "</g>" * 90),
    "a clone": filtered(BLUR, '<path id="p"/>' + '<use href="#p" filter="url(#f)"/>' * 199),
}


def drawing(body: str) -> Drawing:
    content = f"{HEAD}{body}</svg>".encode()
    return Drawing(etree.fromstring(content), content)


@pytest.mark.parametrize("name", SOUND)
def test_what_drawings_have_is_not_reported(name: str) -> None:
    assert list(effort_faults(drawing(SOUND[name]))) == []


@pytest.mark.parametrize("name", HOSTILE)
def test_what_takes_long_is_reported(name: str) -> None:
    (fault,) = effort_faults(drawing(HOSTILE[name]))
    assert "its filters take as long as" in fault.what


def test_the_measure_is_a_blur_of_the_whole_drawing() -> None:
    region = 'x="0" y="0" width="1" height="1"'
    made = drawing(filtered(BLUR, region=region))
    (rect,) = made.elements("rect")
    assert Filters(made).work(rect) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("element", "box"),
    [
        ('<rect x="1" y="2" width="3" height="4"/>', Rect(1, 2, 4, 6)),
        ('<image x="1" y="2" width="3px" height="4"/>', Rect(1, 2, 4, 6)),
        ('<circle cx="5" cy="6" r="2"/>', Rect(3, 4, 7, 8)),
        ('<ellipse cx="5" cy="6" rx="1" ry="2"/>', Rect(4, 4, 6, 8)),
        ('<line x1="5" y1="6" x2="1" y2="9"/>', Rect(1, 6, 5, 9)),
        ('<polygon points="1,2 3,4 -5,6"/>', Rect(-5, 2, 3, 6)),
        ('<path d="M1 2L3 4H9V-1"/>', Rect(1, -1, 9, 4)),
        ('<path d="m1 2l3 4-1 1h2v-9z"/>', Rect(1, -2, 5, 7)),
        ('<path d="M1 1c1-3 2 5 3 0"/>', Rect(1, -2, 4, 6)),
        ('<path d=""/>', Rect(0, 0, 0, 0)),
        ('<g><title>a</title><rect width="1" height="1"/><circle cx="9" r="1"/></g>',
         Rect(0, -1, 10, 1)),
        ('<g><rect width="1" height="1" transform="scale(9)"/></g>', None),
        ('<rect width="50%" height="1"/>', None),
        ("<text>a</text>", None),
    ],
)  # fmt: skip
def test_boxes(element: str, box: Rect | None) -> None:
    (found,) = drawing(element).root
    assert Extents().of(found) == box


def test_an_arc_lies_within_its_box() -> None:
    (circle,) = drawing('<path d="M3 5a2 2 0 1 0 4 0a2 2 0 1 0-4 0z"/>').root
    box = Extents().of(circle)
    assert box is not None
    assert box.x0 <= 3
    assert box.y0 <= 3
    assert box.x1 >= 7
    assert box.y1 >= 7
