"""Values of a template's expressions: a small part of Jinja's expressions.

A list of allowed nodes defines an expression: no attributes, no calls but of three functions, no methods, no files, no
clock. Every operation that can grow a value has a limit, as has the length of each text that is made.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from math import isfinite
from operator import itemgetter
from types import CodeType
from typing import Any

from jinja2 import TemplateError, Undefined, nodes
from jinja2.environment import TemplateExpression
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from generator.basics.errors import MisfitError, count_of, did_you_mean, quote
from generator.basics.files import plain_text
from generator.basics.geometry import decimal
from generator.tables.rows import NO, ListCell
from generator.tables.schema import find_name

MAX_EXPRESSION = 300  # characters
_LOOP = {"index", "index0", "length", "first", "last"}
PARTS_HINT = f"only looked-up rows have parts, and loop: {', '.join(sorted(_LOOP))}"
_ONE = "write only one expression"
_EXAMPLE = "for example: title, cost * 2, 'art/' ~ kind ~ '.svg'"
_CURLY = re.compile("[‘’“”„«»]")
_BARE_FILTER = re.compile(r"\|\s*(\w+)\s+(?=['\"\d])")
_SAID = "and|else|false|if|in|is|none|not|or|true"  # no names
_NAME = rf"(?!(?:{_SAID})\b)[^\W\d]\w*+"
_NAMES = re.compile(rf"\b{_NAME}(?:\s+{_NAME})+", re.IGNORECASE)
_QUOTED = re.compile(r"""('(?:[^'\\]|\\.)*+(?:'|\\?\Z)|"(?:[^"\\]|\\.)*+(?:"|\\?\Z))""", re.DOTALL)
_NUMBER = re.compile(r"(?!-0$)-?(0|[1-9][0-9]{0,14})(\.[0-9]{0,5}[1-9])?")
_PLAIN = (
    nodes.Const, nodes.Name, nodes.Tuple, nodes.List, nodes.BinExpr, nodes.UnaryExpr,
    nodes.Compare, nodes.Operand, nodes.CondExpr, nodes.Concat, nodes.Filter, nodes.Test,
    nodes.Getitem, nodes.Slice, nodes.Getattr, nodes.Call,
)  # fmt: skip
MAX_ITEMS = 200  # of one loop
_MOST = 10**15  # larger numbers are not exact
_MAX_BASE, _MAX_POWER = 1000, 10
MAX_TEXT = 10_000  # characters of a value
MAX_TIMES = 100
_FORMAT = re.compile(
    r"(?P<before>(?:[^%]|%%)*+)%(?P<flags>[0+,]{0,3})(?P<width>[1-9][0-9]?)?(?:\.(?P<digits>[0-9]))?"
    r"(?P<kind>[dfs])(?P<after>(?:[^%]|%%)*+)"
)
_FORMAT_HINT = "for example '%02d' for 07, '%.1f' for 7.0, '%,d' for 7,000"


def value_of(cell: object) -> Any:
    """The value of a cell: a number if it prints as the cell's text; a cell that says no prints its
    text, but counts as false; a list has the values of its items."""
    if not isinstance(cell, str):
        return cell
    if isinstance(cell, ListCell):
        return [value_of(item) for item in cell.items]
    if _NUMBER.fullmatch(cell):
        return number_of(cell)
    return _No(cell) if cell.lower() in NO else cell


class RowCells(dict[str, Any]):
    """The values of a row by its columns."""

    def cell(self, name: object) -> Any:
        """The value of a column. Raises MisfitError without one."""
        column = _find_column(say(name), tuple(self))
        if not column:
            raise MisfitError(f"there is no column {quote(name)}", did_you_mean(say(name), self))
        return self[column]


_find_column = lru_cache(maxsize=4096)(find_name)


class LoopScope(dict[str, Any]):
    """The values of names; "hex.terrain" is that of a column of the row that `hex` stands for."""

    def __missing__(self, name: str) -> Any:
        row, _, column = name.partition(".")
        return self[row].cell(column)


class _No(str):
    """A text that counts as false in an `if`."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False


def _join_names(source: str) -> str:
    """`Card Name`, a heading as it stands in the table, is card_name: no expression holds two names side by side."""
    parts = _QUOTED.split(source)  # texts in quotes at odd places
    parts[::2] = (_NAMES.sub(lambda found: "_".join(found[0].split()), part) for part in parts[::2])
    return "".join(parts)


class Expression:
    """A compiled expression. `names` are the columns and loop variables that it reads.

    Raises MisfitError if it is not an expression, or not an allowed one.
    """

    def __init__(self, source: str) -> None:
        self.source = source.strip()
        if len(self.source) > MAX_EXPRESSION:
            raise MisfitError("the expression is too long", f"at most {MAX_EXPRESSION} characters")
        if not self.source:
            raise MisfitError("the expression is empty", "name a column: {{ title }}")
        self.source = _join_names(self.source)
        try:
            tree = _parse(self.source)
            self.names = frozenset(_names(tree))
            self._compiled = _compiled(tree)
        except TemplateError as error:
            what = f"{quote(self.source)} is not an expression: {_plain(error)}"
            curly = _CURLY.search(self.source)
            raise MisfitError(what, f"write straight quotes, ', not {curly[0]}" if curly else _EXAMPLE) from None
        except (RecursionError, MemoryError, SyntaxError, ValueError, OverflowError) as error:
            if isinstance(error, MisfitError):
                raise
            what = f"{quote(self.source)} is nested too deeply, or has an unusable number"
            raise MisfitError(what, "simplify the expression") from None

    @classmethod
    def of_column(cls, heading: str) -> Expression:
        """The expression that reads a column whose heading need not be a name."""
        made = cls.__new__(cls)
        made.source, made.names = heading, frozenset([heading])
        made._compiled = itemgetter(_inside(heading))
        return made

    def value(self, scope: Mapping[str, Any]) -> Any:
        """Computes the value. Raises MisfitError if that fails with these values."""
        try:
            value = self._compiled({_inside(name): scope[name] for name in self.names})
            return "" if isinstance(value, Undefined) else sound(value)  # an `if` without `else`
        except MisfitError as error:
            raise MisfitError(f"{quote(self.source)}: {error}", error.hint) from None
        except Exception as error:  # an expression can raise anything
            values = [f"{name} is {quote(scope[name])}" for name in sorted(self.names)[:3]]
            raise MisfitError(f"{quote(self.source)} cannot be computed: {_plain(error)}", ", ".join(values)) from None

    def text(self, scope: Mapping[str, Any]) -> str:
        """The value as a text in a drawing. Raises MisfitError if it is not a text or a number."""
        value = self.value(scope)
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            kind, hint = "a list", f"for example: {{{{ {self.source[:60]} | join(', ') }}}}"
            if isinstance(value, RowCells):
                kind, hint = "a row", f"name a column: {self.source[:60]}.{next(iter(value), 'id')}"
            if isinstance(value, bool):
                kind, hint = "true or false", "for example: {{ 'yes' if big else 'no' }}"
            raise MisfitError(f"{quote(self.source)} is {kind}, not a text", hint)
        try:
            return plain_text(say(value))
        except MisfitError as error:  # an escape in quotes can make an invalid character
            raise MisfitError(f"{quote(self.source)}: {error}", "write the letter itself") from None

    def items(self, scope: Mapping[str, Any]) -> list[Any]:
        """The items of a loop: 1 to a number, or the words of a text. Raises MisfitError for other values."""
        value = self.value(scope)
        if isinstance(value, int) and not isinstance(value, bool):
            value = range(1, value + 1)
        elif isinstance(value, str):
            value = [value_of(word) for word in split_words(value)]
        if not isinstance(value, list | tuple | range):
            hint = "use a whole number, or words separated by spaces or commas"
            raise MisfitError(f"{quote(self.source)} cannot be repeated over", hint)
        if len(value) > MAX_ITEMS:
            raise MisfitError(f"{quote(self.source)} repeats {len(value):,} times", f"at most {MAX_ITEMS}")
        return list(value)


def _plain(error: Exception) -> str:
    if isinstance(error, TypeError):
        return "it mixes text and numbers"
    if isinstance(error, ZeroDivisionError):
        return "it divides by zero"
    return str(error).split("\n")[0][:120] or type(error).__name__


def _parse(source: str) -> nodes.Expr:
    parser = Parser(_sandbox(), source, state="variable")
    tree = parser.parse_expression()
    if not parser.stream.eos:
        hint = "equal is written ==" if parser.stream.current.type == "assign" else _ONE
        if bare := _BARE_FILTER.search(source):
            hint = f"put its values in brackets: {EXAMPLES.get(bare[1], f'| {bare[1]}')}"
        raise MisfitError(f"{quote(source)} goes on after its end", hint)
    expression = _Columns().visit(tree)
    assert isinstance(expression, nodes.Expr), "an expression stays one"
    return expression


def _compiled(tree: nodes.Expr) -> Callable[[dict[str, Any]], Any]:
    if isinstance(tree, nodes.Name):  # the most frequent case
        return itemgetter(tree.name)
    tree.set_environment(_sandbox())
    body: list[nodes.Node] = [nodes.Assign(nodes.Name("result", "store"), tree, lineno=1)]
    template = _sandbox().from_string(nodes.Template(body, lineno=1))
    return TemplateExpression(template, undefined_to_none=False)


class _Columns(NodeTransformer):
    """Turns `faction.colour` into one name, that of a column."""

    def visit_Getattr(self, node: nodes.Getattr) -> nodes.Node:  # noqa: N802
        of = node.node.name if isinstance(node.node, nodes.Name) else "loop"
        if of == "loop" or node.attr.startswith("_"):
            return self.generic_visit(node)
        return nodes.Name(_inside(f"{of}.{node.attr}"), "load", lineno=node.lineno)

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802
        node.args = [self.visit(argument) for argument in node.args]
        return node  # a function's name is not a column


def _inside(name: str) -> str:
    """A column's name for Jinja, with a middle dot instead of its dot."""
    return name.replace(".", "·")


def _names(tree: nodes.Expr) -> Iterator[str]:
    """The names that an expression reads. Raises MisfitError for anything not allowed."""
    called = set()
    for node in (tree, *tree.find_all(nodes.Node)):
        if isinstance(node, nodes.Call):
            called.add(id(node.node))
        _check(node)
    for name in (tree, *tree.find_all(nodes.Name)):
        if isinstance(name, nodes.Name) and id(name) not in called:
            yield name.name.replace("·", ".")


def _check(node: nodes.Node) -> None:
    if not isinstance(node, _PLAIN):
        what = f"this is not allowed in a template ({type(node).__name__.lower()})"
        raise MisfitError(what, "use columns, numbers, texts in quotes, + - * / ~, and, or, not, if")
    if isinstance(node, nodes.Getattr):
        is_loop = isinstance(node.node, nodes.Name) and node.node.name == "loop"
        if not is_loop or node.attr not in _LOOP:
            is_filter = node.attr in FILTERS
            hint = f"write a filter after a bar: | {node.attr}" if is_filter else PARTS_HINT
            raise MisfitError(f"there is no part {quote(node.attr)}", hint)
    elif isinstance(node, nodes.Call):
        _check(node.node)
        _check_called(node)
    elif isinstance(node, nodes.Filter | nodes.Test):
        kind, names = ("filter", FILTERS) if isinstance(node, nodes.Filter) else ("test", TESTS)
        if node.name not in names or node.kwargs or node.dyn_args or node.dyn_kwargs:
            raise MisfitError(f"there is no {kind} {quote(node.name)}", did_you_mean(node.name, names))
        least, most = ARGUMENTS.get(node.name, (0, 0))
        if not least <= len(node.args) <= most:
            what = f"{quote(node.name)} has {count_of(len(node.args), 'value')} in its brackets"
            raise MisfitError(what, f"for example: {EXAMPLES.get(node.name, f'| {node.name}')}")
    elif isinstance(node, nodes.Compare):
        _check_compared(node)


def _check_called(node: nodes.Call) -> None:
    """Raises MisfitError for anything but a known function with plain values."""
    name = node.node.name if isinstance(node.node, nodes.Name) else ""
    if name not in FUNCTIONS or node.kwargs or node.dyn_args or node.dyn_kwargs:
        hint = did_you_mean(name, FUNCTIONS)
        if name == "table":
            hint = "only pnp:for reads a table, named in quotes: hex in table('hexes.csv')"
        if name in FILTERS:
            hint = f"write a filter after a bar: | {name}"
        raise MisfitError(f"there is no function {quote(name)}", hint)


def _check_compared(node: nodes.Compare) -> None:
    """Raises MisfitError for a number in quotes, which equals no cell: such cells are numbers."""
    for side in (node.expr, *(operand.expr for operand in node.ops)):
        text = side.value if isinstance(side, nodes.Const) else None
        is_in = any(operand.op in ("in", "notin") for operand in node.ops)
        if isinstance(text, str) and _NUMBER.fullmatch(text) and not is_in:
            raise MisfitError(f"{quote(text)} is compared as a text", f"write {text} without quotes")


class _Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox; it runs only the nodes that `_check` allows."""

    intercepted_binops = frozenset(ImmutableSandboxedEnvironment.default_binop_table)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:  # noqa: ARG002
        return calculate(operator, left, right)

    def _compile(self, source: str, filename: str) -> CodeType:
        """Compiles without Python's warnings about Jinja's code, such as `1[0:1]`."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return super()._compile(source, filename)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(obj, RowCells):
            return obj.cell(argument)
        if not isinstance(obj, str | list | tuple) or not isinstance(argument, int):
            raise MisfitError(f"there is no part {quote(argument)}", "write a number from 0 in [ ]")
        return obj[argument]

    def getattr(self, obj: Any, attribute: str) -> Any:
        return obj[attribute] if isinstance(obj, dict) and attribute in _LOOP else self.undefined()


@cache
def _sandbox() -> _Sandbox:
    sandbox = _Sandbox(optimized=False, autoescape=False)
    for table, ours in ((sandbox.globals, FUNCTIONS), (sandbox.filters, FILTERS), (sandbox.tests, TESTS)):
        table.clear()
        table.update(ours)
    return sandbox


def number_of(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def split_words(text: str) -> list[str]:
    parts = re.split(r"[,;|]", text) if re.search(r"[,;|]", text) else text.split()
    return [word for part in parts if (word := part.strip())]


def sound(value: Any) -> Any:
    """Returns a value. Raises MisfitError if it is too large."""
    if isinstance(value, str):
        check_length(len(value))
    if isinstance(value, int | float) and not (isfinite(value) and abs(value) <= _MOST):
        raise MisfitError("a number too large to print", f"at most {_MOST:,}")
    return value


def calculate(operator: str, left: Any, right: Any) -> Any:
    are_numbers = isinstance(left, int | float) and isinstance(right, int | float)
    if operator == "+" and isinstance(left, str) and isinstance(right, str):
        return sound(left + right)
    if operator == "%" and isinstance(left, str):
        return format_value(left, right)
    if operator == "*" and (isinstance(left, str) or isinstance(right, str)):
        return repeat(left, right) if isinstance(left, str) else repeat(right, left)
    if not are_numbers:
        is_format = operator == "%" and isinstance(right, str)
        hint = "the format comes first: '%02d' % cost" if is_format else "join texts with ~"
        raise MisfitError(f"{quote(left)} {operator} {quote(right)} cannot be computed", hint)
    sound(left), sound(right)
    if operator == "**" and not (abs(left) <= _MAX_BASE and 0 <= right <= _MAX_POWER):
        raise MisfitError("the power is too high", f"at most {_MAX_BASE} ** {_MAX_POWER}")
    return sound(_Sandbox.default_binop_table[operator](left, right))


def _join(items: Any, by: str = "") -> str:
    words = _items(items)
    if sum(map(len, words)) + len(str(by)) * len(words) > MAX_TEXT:
        raise MisfitError("the joined text is too long", f"at most {MAX_TEXT:,} characters")
    return str(by).join(words)


def _items(value: Any) -> list[str]:
    return split_words(value) if isinstance(value, str) else [say(item) for item in value]


def _range(*ends: Any) -> list[int]:
    numbers = range(*map(int, ends))
    if len(numbers) > MAX_ITEMS:
        raise MisfitError(f"a range of {len(numbers):,} numbers", f"at most {MAX_ITEMS}")
    return list(numbers)


FUNCTIONS: Mapping[str, Callable[..., Any]] = {"range": _range, "min": min, "max": max}


def check_length(length: int) -> None:
    """Raises MisfitError if a text would be too long."""
    if length > MAX_TEXT:
        raise MisfitError(f"a text of {length:,} characters", f"at most {MAX_TEXT:,}")


def say(value: Any) -> str:
    """A value as it is printed."""
    return decimal(value, 6) if isinstance(value, float) else str(value)


def replace(value: Any, old: Any, new: Any) -> str:
    """A text with other words in it. Raises MisfitError if it becomes too long."""
    text, before, after = say(value), say(old), say(new)
    if not before:
        raise MisfitError("replace has nothing to look for", "write | replace('-', ' to ')")
    check_length(len(text) + text.count(before) * (len(after) - len(before)))
    return text.replace(before, after)


def format_value(pattern: Any, value: Any) -> str:
    """A number or a text, formatted by a pattern such as '%02d'. Raises MisfitError if the pattern
    or the value does not fit."""
    match = _FORMAT.fullmatch(pattern) if isinstance(pattern, str) else None
    if match is None or (match["kind"] != "f" and match["digits"]):
        is_tried = isinstance(pattern, str) and not {"%", "{"}.isdisjoint(pattern)
        hint = _FORMAT_HINT if is_tried else "the format comes first: '%02d' | format(cost)"
        raise MisfitError(f"{quote(pattern)} is not a format", hint)
    before, after = (str(match[part]).replace("%%", "%") for part in ("before", "after"))
    text = f"{before}{_format(match, value)}{after}"
    check_length(len(text))
    return text


def _format(match: re.Match[str], value: Any) -> str:
    width, kind = match["width"] or "", match["kind"]
    if kind == "s":
        return say(value).rjust(int(width or 0))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MisfitError(f"{quote(value)} is not a number", "use %s for a text")
    if kind == "d" and value != int(value):
        raise MisfitError(f"{say(value)} is not a whole number", "use '%.1f', or | round")
    number = int(value) if kind == "d" else float(value)
    flags = match["flags"]
    sign, zeros, comma = (sign if sign in flags else "" for sign in "+0,")
    digits = f".{match['digits']}" if match["digits"] else ""
    return format(number, f"{sign}{zeros}{width}{comma}{digits}{kind}")


FILTERS: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "capitalize": lambda text: str(text).capitalize(),
    "first": lambda text: next(iter(_items(text)), ""),
    "format": format_value,
    "int": lambda value: int(sound(number_of(str(value).strip() or "0"))),
    "join": _join,
    "last": lambda text: next(iter(reversed(_items(text))), ""),
    "length": lambda value: len(value if isinstance(value, list | tuple) else str(value)),
    "lower": lambda text: str(text).lower(),
    "replace": replace,
    "round": lambda value, digits=0: round(value, max(0, min(digits, 6))) if digits else round(value),
    "split": lambda text: _items(str(text)),
    "title": lambda text: str(text).title(),
    "trim": lambda text: str(text).strip(),
    "upper": lambda text: str(text).upper(),
}

# how many values stand in brackets behind the name of a filter; none by default
ARGUMENTS = {"format": (1, 1), "join": (0, 1), "replace": (2, 2), "round": (0, 1)}
EXAMPLES = {
    "format": "'%02d' | format(cost)",
    "join": "| join(', ')",
    "replace": "| replace('-', ' to ')",
    "round": "| round(1)",
}
TESTS: Mapping[str, Callable[..., Any]] = {
    "even": lambda value: int(value) % 2 == 0,
    "odd": lambda value: int(value) % 2 == 1,
}


def repeat(text: str, times: Any) -> str:
    """A text repeated; "" for an empty cell. Raises MisfitError if `times` is not valid."""
    if "" in (text, times):
        return ""
    is_whole = isinstance(times, int) and not isinstance(times, bool)
    if not is_whole or not 0 <= times <= MAX_TIMES:
        what = f"{quote(text)} * {quote(times)} cannot be computed"
        raise MisfitError(what, f"a text times a whole number from 0 to {MAX_TIMES}")
    check_length(len(text) * times)
    return text * int(times)
