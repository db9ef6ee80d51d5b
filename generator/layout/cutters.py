"""Take the text of an option, such as "silhouette,marks=4", make a Cutter."""

from __future__ import annotations

from typing import Any, get_args

from msgspec.structs import replace

from generator.basics.errors import MisfitError, did_you_mean, fail, quote
from generator.basics.place import Place
from generator.basics.units import parse_length
from generator.layout.registration import LONGEST, USUAL_INSET, Cutter, Machine

MACHINES: tuple[Machine, ...] = get_args(Machine)
NO_CUTTER = "none"
_USUAL: dict[Machine, Cutter] = {
    "silhouette": Cutter("silhouette", inset=USUAL_INSET, length=10.0, stroke=1.0),
    "cricut": Cutter("cricut", gap=2.0),  # Design Space cuts around islands
    "opos": Cutter("opos", inset=7.0),
    "laser": Cutter("laser", inset=10.0),
    "contour": Cutter("contour"),
}
# the least and the most mm of each setting. Source for Silhouette: page_manager.py of
# silhouette-card-maker; a smaller inset is out of reach of the machine's eye
_LIMITS: dict[Machine, dict[str, tuple[float, float]]] = {
    "silhouette": {"inset": (USUAL_INSET, 86.36), "length": (5.0, LONGEST), "stroke": (0.5, 1.0)},
    "opos": {"inset": (5.0, 50.0)},
    "laser": {"inset": (6.0, 50.0)},
}
_MARKS = "marks"


def parse_cutter(text: str) -> Cutter | None:
    """Read the name of a machine and its settings, as in "silhouette,marks=4,inset=0.625in".

    "none" is None. Raises PnpError if there is no such machine or setting.
    """
    name, *settings = (part.strip() for part in text.lower().split(","))
    if name == NO_CUTTER and not settings:
        return None
    machine = next((one for one in MACHINES if one == name), None)
    if machine is None:
        what = f"there is no cutter {quote(name)}"
        raise fail(_place(text), what, did_you_mean(name, (*MACHINES, NO_CUTTER)))
    cutter = _USUAL[machine]
    for setting in settings:
        cutter = _set(cutter, setting, text)
    return cutter


def _place(text: str) -> Place:
    return Place(f"cutter {quote(text)}")


def _set(cutter: Cutter, setting: str, text: str) -> Cutter:
    name, _, value = (part.strip() for part in setting.partition("="))
    limits = _LIMITS.get(cutter.machine, {})
    if name == _MARKS and cutter.machine == "silhouette":
        if value not in ("3", "4"):
            raise fail(_place(text), "Silhouette's marks are three or four", "marks=3 or marks=4")
        return replace(cutter, is_four=value == "4")
    if name not in limits:
        what = f"{quote(name)} cannot be set for {cutter.machine}"
        names = [_MARKS, *limits] if cutter.machine == "silhouette" else [*limits]
        hint = did_you_mean(name, names) if names else f"write only {cutter.machine}"
        raise fail(_place(text), what, hint)
    least, most = limits[name]
    length = _length(name, value, text)
    if not least <= length <= most:
        what = f"the {name} of these marks can be {least:g} to {most:g} mm"
        raise fail(_place(text), what, f"{name}={getattr(cutter, name):g}mm is usual")
    changed: dict[str, Any] = {name: length, "is_usual": False}
    return replace(cutter, **changed)


def _length(name: str, value: str, text: str) -> float:
    try:
        return parse_length(value)
    except MisfitError as error:
        raise fail(_place(text), str(error), f"a number and its unit: {name}=10mm") from None
