"""Relations of two values as one line of text, such as ``a, b: abs(a - b) >= 3``.

The text is parsed as an expression of Python, of which only numbers, the two names, arithmetic,
comparisons and a few functions are known. Nothing of it is run by the interpreter.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from unidoku.errors import LayoutError
from unidoku.support.schema import shown

_LONGEST = 300
"""The most characters of a text."""

_LARGEST = 1_000_000
"""The largest number in a text, and in what it computes."""

_BINARY: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_UNARY: Mapping[type[ast.unaryop], Callable[[int], int]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
}
_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, values: a in values,
    ast.NotIn: lambda a, values: a not in values,
}
_CALLS: Mapping[str, Callable[..., int]] = {"abs": abs, "min": min, "max": max, "gcd": math.gcd}


@dataclass(frozen=True)
class RelationText:
    """A relation that a text states; it is called with two values.

    >>> far = relation_of("a, b: abs(a - b) >= 3")
    >>> far(1, 4), far(2, 4)
    (True, False)

    Args:
        text: the text.
    """

    text: str

    def __call__(self, a: int, b: int) -> bool:
        """Return whether the values are related; a division by 0 relates none."""
        names, body = _parsed(self.text)
        try:
            return bool(_value(body, dict(zip(names, (a, b), strict=True)), self.text))
        except ZeroDivisionError:
            return False


def relation_of(text: str) -> RelationText:
    """Return the relation that a text states.

    Raises:
        LayoutError: it is not such a text; the message quotes the part that is not known.
    """
    _parsed(text)
    relation = RelationText(text)
    relation(1, 2)  # which names what is not known in it
    return relation


@lru_cache(maxsize=64)
def _parsed(text: str) -> tuple[tuple[str, str], ast.expr]:
    """Return the two names and the expression."""
    match = re.fullmatch(r"\s*([A-Za-z_]\w*)\s*,\s*([A-Za-z_]\w*)\s*:(.+)", text, re.DOTALL)
    if not match or len(text) > _LONGEST or match[1] == match[2]:
        raise LayoutError(f"expected a relation such as 'a, b: a + b < 9', got {shown(text)}")
    try:
        body = ast.parse(match[3].strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        what = error.msg if isinstance(error, SyntaxError) else str(error)
        raise LayoutError(f"expected a relation in one line, got {shown(text)}: {what}") from error
    _check(body, (match[1], match[2]), text)
    return (match[1], match[2]), body


def _check(node: ast.AST, names: tuple[str, str], text: str) -> None:
    """Refuse what is not known, in every part of an expression.

    Raises:
        LayoutError: a part is not known.
    """
    match node:
        case ast.Constant(value=bool()) | ast.Name(id=_, ctx=ast.Load()):
            fits = isinstance(node, ast.Constant) or getattr(node, "id", "") in names
            parts: list[ast.AST] = []
        case ast.Constant(value=int(number)):
            fits, parts = abs(number) <= _LARGEST, []
        case ast.BinOp(left=left, op=op, right=right):
            fits, parts = type(op) in _BINARY, [left, right]
        case ast.UnaryOp(op=unary, operand=operand):
            fits, parts = type(unary) in _UNARY, [operand]
        case ast.BoolOp(values=values):
            fits, parts = True, [*values]
        case ast.Compare(left=left, ops=ops, comparators=others):
            fits, parts = all(type(sign) in _COMPARE for sign in ops), [left, *others]
        case ast.Tuple(elts=values) | ast.List(elts=values) | ast.Set(elts=values):
            fits, parts = True, [*values]
        case ast.Call(func=ast.Name(id=name), args=values, keywords=[]):
            fits, parts = name in _CALLS and bool(values), [*values]
        case ast.IfExp(test=test, body=body, orelse=other):
            fits, parts = True, [test, body, other]
        case _:
            fits, parts = False, []
    if not fits:
        segment = (
            ast.get_source_segment(text.partition(":")[2].strip(), node) or type(node).__name__
        )
        known = f"{', '.join(names)}, whole numbers, + - * // %, comparisons, and, or, not, in, if"
        functions = ", ".join(_CALLS)
        raise LayoutError(
            f"expected a relation of {known}, {functions}; got {shown(segment)} in {shown(text)}"
        )
    for each in parts:
        _check(each, names, text)


def _value(node: ast.expr, values: Mapping[str, int], text: str) -> Any:
    """Return the value of a checked expression.

    Raises:
        LayoutError: a number becomes too large, or an operation does not fit.
        ZeroDivisionError: something is divided by 0.
    """

    def of(part: ast.expr) -> Any:
        return _value(part, values, text)

    result: Any
    match node:
        case ast.Constant(value=constant):
            result = constant
        case ast.Name(id=name):
            result = values[name]
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(map(of, parts))
        case ast.BoolOp(values=parts):
            return any(map(of, parts))
        case ast.IfExp(test=test, body=body, orelse=other):
            return of(body) if of(test) else of(other)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return [*map(of, parts)]
        case ast.Compare(left=left, ops=ops, comparators=others):
            terms = [of(part) for part in (left, *others)]
            return all(
                _applied(_COMPARE[type(op)], text, a, b)
                for op, a, b in zip(ops, terms, terms[1:], strict=False)
            )
        case ast.BinOp(left=left, op=op, right=right):
            a, b = of(left), of(right)
            if isinstance(a, list) or isinstance(b, list):  # a million times a list fills memory
                raise LayoutError(f"expected numbers in {shown(text)}, got a list")
            result = _applied(_BINARY[type(op)], text, a, b)
        case ast.UnaryOp(op=unary, operand=operand):
            result = _applied(_UNARY[type(unary)], text, of(operand))
        case ast.Call(func=ast.Name(id=name), args=parts):
            result = _applied(_CALLS[name], text, *map(of, parts))
        case _:
            raise AssertionError(f"an unchecked part: {node}")
    if not isinstance(result, int) or abs(result) > _LARGEST:
        raise LayoutError(f"expected numbers up to {_LARGEST:,} in {shown(text)}, got more")
    return result


def _applied(function: Callable[..., Any], text: str, *arguments: Any) -> Any:
    """Return what a function gives.

    Raises:
        LayoutError: the arguments do not fit, such as a list that is added to a number.
    """
    try:
        return function(*arguments)
    except TypeError as error:
        raise LayoutError(f"expected numbers in {shown(text)}: {error}") from error
