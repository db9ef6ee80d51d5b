"""NamedTuple as in typing, its classes made in a tenth of the time.

At every start, typing compiles the annotation of each field, and collections a constructor for each
class: 20 ms of the 300 ms that a small deck takes. Here classes with as many fields share the code
of a constructor, and annotations are not compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple
    from functools import cache
    from types import FunctionType

    @cache
    def _model(count):
        """A class with `count` fields, whose parts fit all classes with as many."""
        return namedtuple("_model", [f"field{number}" for number in range(count)])

    def _make_constructor(name, fields, defaults):
        model = _model(len(fields)).__new__
        code = model.__code__.replace(co_varnames=("_cls", *fields))
        made = FunctionType(code, model.__globals__, "__new__", defaults)
        made.__qualname__ = f"{name}.__new__"
        return made

    class _Values(tuple):
        """The methods of all named tuples."""

        __slots__ = ()

        @classmethod
        def _make(cls, iterable):
            return cls(*iterable)

        def _replace(self, /, **changes):
            made = tuple.__new__(type(self), map(changes.pop, self._fields, self))
            if changes:
                raise TypeError(f"Got unexpected field names: {list(changes)!r}")
            return made

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            fields = zip(self._fields, self, strict=True)
            return f"{type(self).__name__}({', '.join(f'{name}={it!r}' for name, it in fields)})"

        def __getnewargs__(self):
            return tuple(self)

    class _Maker(type):
        def __new__(cls, name, bases, space):
            if not bases:
                return super().__new__(cls, name, bases, space)
            fields = tuple(space.get("__annotations__", ()))
            defaults = {field: space[field] for field in fields if field in space}
            model = _model(len(fields))
            getters = zip(fields, map(vars(model).get, model._fields), strict=True)
            parts = {
                "__slots__": (),
                "__new__": _make_constructor(name, fields, tuple(defaults.values())),
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
            }
            return type(name, (_Values,), {**space, **parts, **dict(getters)})

    class NamedTuple(metaclass=_Maker):
        """As `typing.NamedTuple`, for classes that derive from nothing else."""
