"""The names that a spec or a command may use, each with its object.

An object is imported at its first use, so that a build loads only what its game needs. So a room
may name objects of rooms above it: it does not import them. Packages installed with pip add names
by entry points; the folder of a game never does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

from generator.basics.errors import MisfitError, Place, PnpError, fail, quote
from generator.basics.keys import Keys

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")
_GROUPS = ("pnp.renderers", "pnp.checks", "pnp.engines", "pnp.exporters", "pnp.games")
_OF_KEYS = ("pnp.renderers", "pnp.checks", "pnp.exporters")  # a spec or a command sets their fields


class Addition(Struct, frozen=True):
    """A name that an installed package adds to the entry point group `group`."""

    group: str
    name: str
    package: str  # its name and version, as in "pnp-lighthouse 1.2"


class SelfNamed(Mapping[str, str]):
    """The classes that say their own names, each as "module:class" by its name.

    attribute: of a class, its name; "kind" for `kind = "count"`. modules: where the classes are. In
    "generator.games.{}.checks" the braces stand for a part of modules' names: there, "taluva.setup"
    is in the module of "taluva". To list the names loads all modules.
    """

    def __init__(self, attribute: str, *modules: str) -> None:
        self._attribute = attribute
        self._modules = modules

    def __getitem__(self, name: str) -> str:
        """Raises KeyError for an unknown name."""
        for module in self._find_modules(name.partition(".")[0]):
            classes = self._classes(module)
            if name in classes:
                return classes[name]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        for module in dict.fromkeys(self._find_modules()):
            yield from self._classes(module)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _find_modules(self, part: str = "") -> Iterator[str]:
        """The modules of a name with this first part, or all."""
        for modules in self._modules:
            room, braces, inner = modules.partition(".{}")
            if not braces:
                yield modules
                continue
            for found in iter_modules(import_module(room).__path__):
                module = modules.format(found.name)
                if part in ("", found.name) and found.ispkg == bool(inner) and find_spec(module):
                    yield module

    def _classes(self, module: str) -> dict[str, str]:
        kinds = [kind for kind in vars(import_module(module)).values() if isinstance(kind, type)]
        names = {kind: vars(kind).get(self._attribute) for kind in kinds}
        return {
            name: f"{module}:{kind.__name__}"
            for kind, name in names.items()
            if isinstance(name, str) and kind.__module__ == module
        }


class Catalogue(Mapping[str, T], Generic[T]):
    """A mapping from names to objects, which are loaded on access.

    `own` maps a name to "module:attribute". The names that packages add to the entry point group
    `group` come after these; they never replace an own name. If two packages add the same name,
    an access raises PnpError. Without a group, packages add none.
    """

    def __init__(self, group: str | None, own: Mapping[str, str]) -> None:
        self._group = group
        self._own = own
        self._loaded: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        """Raises KeyError for an unknown name, PnpError if a package's object cannot be loaded."""
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from self._added

    def __len__(self) -> int:
        return len(self._own) + len(self._added)

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._added

    def additions(self) -> list[Addition]:
        """The names that packages add, in alphabetical order."""
        group = self._group or ""
        return [Addition(group, name, self.package_of(name)) for name in sorted(self._added)]

    def package_of(self, name: str) -> str:
        """The name and version of the package that adds a name, or of all that do."""
        return " and ".join(map(_package, self._added[name]))

    def _load(self, name: str) -> T:
        if name in self._own:
            module, _, attribute = self._own[name].partition(":")
            loaded: T = getattr(import_module(module), attribute)
            return loaded
        points = self._added[name]
        if len(points) > 1:
            raise fail(Place(quote(name)), f"two packages add it: {self.package_of(name)}", "uninstall one of them")
        return self._load_added(points[0])

    def _load_added(self, point: EntryPoint) -> T:
        try:
            loaded: T = point.load()
        except PnpError:
            raise
        except MisfitError as error:  # it asks for another version of generator.plugins
            raise fail(Place(f"the package {_package(point)}"), str(error), error.hint) from None
        except Exception as error:  # a package may raise anything while it is imported
            what = f"cannot load {quote(point.name)}: {type(error).__name__}: {error}"
            raise fail(Place(f"the package {_package(point)}"), what, "update the package, or uninstall it") from None
        is_of_keys = isinstance(loaded, type) and issubclass(loaded, Keys)
        if self._group in _OF_KEYS and not is_of_keys:
            what = f"{quote(point.name)} is not a class of generator.plugins.Keys"
            raise fail(Place(f"the package {_package(point)}"), what, "update the package, or uninstall it")
        return loaded

    @cached_property
    def _added(self) -> dict[str, list[EntryPoint]]:
        if self._group is None:
            return {}
        from importlib.metadata import entry_points  # rarely needed

        added: dict[str, list[EntryPoint]] = {}
        for point in entry_points(group=self._group):
            if point.name not in self._own:
                added.setdefault(point.name, []).append(point)
        return added


def is_extended() -> bool:
    """Whether an installed package adds any name."""
    from importlib.metadata import entry_points

    return any(entry_points(group=group) for group in _GROUPS)


def find_package(modules: Iterable[str]) -> str | None:
    """The name and version of the installed package that adds names to pnp and contains one of
    these modules; the first such module counts."""
    from importlib.metadata import entry_points

    points = [point for group in _GROUPS for point in entry_points(group=group)]
    by_root = {point.module.partition(".")[0]: point for point in points}
    roots = (module.partition(".")[0] for module in modules)
    return next((_package(by_root[root]) for root in roots if root in by_root), None)


def _package(point: EntryPoint) -> str:
    """The name and version of an entry point's package."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else "unknown"
