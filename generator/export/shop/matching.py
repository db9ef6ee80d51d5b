"""Take a component and a shop, find the product that it is, or the nearest one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from generator.basics.errors import Level, Problem
from generator.basics.geometry import Size
from generator.export.shop.shops import Product, Shop, with_bleed
from generator.model import Component

NEAR = 0.3  # mm: "57 mm" and 2.25 inches are one size
_NEAR_HEXAGON = 0.9  # mm: shops round; 2.5 inches wide is 54.99 mm high, sold as 2.2 inches
_MEANT = 15.0  # mm: a piece that differs by more from each product is not meant to be one
_FORMS = {
    "rectangle": "cards",
    "hexagon": "hexagons",
    "circle": "discs",
    "trihex": "tiles of three hexagons",
    "polygon": "polygons",
    "net": "nets to fold",
}


class ProductMatch(Struct, frozen=True):
    """A component as a product of a shop. `is_turned`: it lies a quarter turn from the product.

    `others` are further products with the same trim and canvas.
    """

    component: Component
    product: Product
    is_turned: bool
    others: Sequence[str]


def match(components: Iterable[Component], shop: Shop) -> tuple[list[ProductMatch], list[Problem]]:
    """The components that a shop sells, and a problem for each other one.

    It is an error if a product has nearly its size, a warning if the sizes are far apart, a note if
    the shop does not sell its form. A hexagon that comes out a little larger or smaller has a note.
    """
    matches: list[ProductMatch] = []
    problems: list[Problem] = []
    for component in components:
        found = _find(component, shop)
        if found is None:
            problems.append(_unsold(component, shop))
        else:
            matches.append(found)
            problems += _other_size(found, shop)
    return matches, problems


def _find(component: Component, shop: Shop) -> ProductMatch | None:
    sold = [one for one in shop.products if one.kind == component.shape.kind]
    size = component.size
    near = _NEAR_HEXAGON if component.shape.kind == "hexagon" else NEAR
    for product in sold:
        for is_turned, lying in ((False, size), (True, size.turned())):
            if _difference(lying, product.trim) <= near:
                same = (one.name for one in sold if one[2:] == product[2:] and one != product)
                return ProductMatch(component, product, is_turned, tuple(same))
    if shop.any_size and component.shape.kind == "rectangle":
        product = Product(name_size(size, "x"), "rectangle", size, with_bleed(size, shop.bleed))
        return ProductMatch(component, product, is_turned=False, others=())
    return None


def _other_size(found: ProductMatch, shop: Shop) -> Iterator[Problem]:
    size, trim = found.component.size, found.product.trim
    if found.is_turned:
        trim = trim.turned()
    if _difference(size, trim) > NEAR:
        changes = ", ".join(_changes(trim.width - size.width, trim.height - size.height))
        title = found.component.title
        what = f"{title}: {shop.title} cuts {found.product.name} at {name_size(trim)} mm: {changes}"
        yield _problem(found.component, what, "", name_size(size), "note")


def _difference(one: Size, other: Size) -> float:
    return max(abs(one.width - other.width), abs(one.height - other.height))


def _unsold(component: Component, shop: Shop) -> Problem:
    form, size = _FORMS[component.shape.kind], name_size(component.size)
    if component.shape.kind not in shop.kinds:
        what = f"pnp knows no product of {shop.title} for {form}"
        hint = "print these pieces at home"
        return _problem(component, what, hint, form, "note")
    difference, hint = _nearest(component, shop)
    what = f"{component.title}: pnp knows no {form} of {shop.title} of {size} mm"
    return _problem(component, what, hint, size, "error" if difference <= _MEANT else "warning")


def _problem(component: Component, what: str, hint: str, found: str, level: Level) -> Problem:
    return Problem(
        place=component.place,
        what=what,
        hint=hint,
        level=level,
        rule="shop.size",
        on=(component.id,),
        found=found,
    )


def _nearest(component: Component, shop: Shop) -> tuple[float, str]:
    """By how much the nearest product differs (mm), and a hint that names it."""
    size = component.size
    ways = [
        (_difference(size, trim), product, trim)
        for product in shop.products
        if product.kind == component.shape.kind
        for trim in (product.trim, product.trim.turned())
    ]
    difference, product, trim = min(ways, key=lambda way: way[0])
    changes = ", ".join(_changes(trim.width - size.width, trim.height - size.height))
    hint = f"the nearest, {product.name}, has {name_size(trim)} mm: {changes}"
    return difference, f"{hint}; or leave it out of the export with --only"


def _changes(across: float, down: float) -> Iterator[str]:
    for by, more, less in ((across, "wider", "narrower"), (down, "taller", "shorter")):
        if abs(by) >= 0.005:
            yield f"{abs(by):.2f}".rstrip("0").rstrip(".") + f" mm {more if by > 0 else less}"


def name_size(size: Size, times: str = " x ") -> str:
    """A size in words: "63.5 x 88.9"."""
    return times.join(f"{length:.2f}".rstrip("0").rstrip(".") for length in size)
