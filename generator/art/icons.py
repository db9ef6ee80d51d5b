"""Take a drawing that names icons, put in their pictures once the drawing is proven."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lxml import etree
from msgspec import Struct, field

from generator.art.drawing import XLINK_HREF, Drawing, Fault
from generator.art.measure import colour_of
from generator.art.pixels import PROVEN
from generator.basics.errors import MisfitError
from generator.basics.files import MEGABYTE
from generator.model import Art
from generator.text.icons import colour_picture

ICON = "icon:"  # before the name of an icon in an href
_MOST = 4 * MEGABYTE  # of all icons of a drawing


class Icons(Struct):
    """The icons of a drawing; `find` gives one by its name, or raises MisfitError."""

    find: Callable[[str], Art]
    _shown: list[tuple[etree._Element, str, Art]] = field(default_factory=list)

    def take(self, drawing: Drawing) -> Iterator[Fault]:
        """Replaces the icons by `PROVEN`. Yields their faults."""
        for image in drawing.elements("image"):
            name = "href" if "href" in image.attrib else XLINK_HREF
            href = image.get(name, "").strip()
            if href.startswith(ICON):
                image.set(name, PROVEN)
                try:
                    self._shown.append((image, name, self.find(href.removeprefix(ICON))))
                except MisfitError as error:
                    yield drawing.fault(image, str(error), error.hint, "href")
        if sum(len(icon.uri) for _, _, icon in self._shown) > _MOST:
            what = f"the icons take more than {_MOST // MEGABYTE} MB"
            yield drawing.fault(drawing.root, what, "use fewer or simpler icons")

    @property
    def are_shown(self) -> bool:
        """Whether the drawing shows any."""
        return bool(self._shown)

    def put(self, drawing: Drawing) -> None:
        """Puts the icons in, each in the colour of its fill."""
        for image, name, icon in self._shown:
            image.set(name, colour_picture(icon, colour_of(drawing, image)).uri)
