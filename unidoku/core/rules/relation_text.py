"""Relations of two values as one line of text, such as ``a, b: abs(a - b) >= 3``.

The text is parsed as an expression of Python, of which only numbers, the two names, arithmetic,
comparisons and a few functions are known. Nothing of it is run by the interpreter.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

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
_Term: TypeAlias = Callable[[Mapping[str, int]], Any]
"""Computes an expression from the values of the two names."""

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
        try:
            return bool(_read(self.text)(a, b))
        except ZeroDivisionError:
            return False


def relation_of(text: str) -> RelationText:
    """Return the relation that a text states.

    Raises:
        LayoutError: it is not such a text; the message quotes the part that is not known.
    """
    relation = RelationText(text)
    relation(1, 2)  # which names what is not known in it
    return relation


@lru_cache(maxsize=64)
def _read(text: str) -> Callable[[int, int], object]:
    """Return the function of two values that a text describes."""
    match = re.fullmatch(r"\s*([A-Za-z_]\w*)\s*,\s*([A-Za-z_]\w*)\s*:(.+)", text, re.DOTALL)
    if not match or len(text) > _LONGEST or match[1] == match[2]:
        raise LayoutError(f"expected a relation such as 'a, b: a + b < 9', got {shown(text)}")
    try:
        body = ast.parse(match[3].strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        fault = error.msg if isinstance(error, SyntaxError) else str(error)
        raise LayoutError(f"expected a relation in one line, got {shown(text)}: {fault}") from error
    first, second = match[1], match[2]
    term = _term(body, (first, second), text)
    return lambda a, b: term({first: a, second: b})


def _term(node: ast.AST, names: tuple[str, str], text: str) -> _Term:
    """Return the function that computes an expression from the values of the names.

    It raises a LayoutError if a number becomes too large, or an operation does not fit.

    Raises:
        LayoutError: a part of the expression is not known.
    """

    def terms(*parts: ast.expr) -> list[_Term]:
        return [_term(part, names, text) for part in parts]

    match node:
        case ast.Constant(value=int(constant)) if abs(constant) <= _LARGEST:
            return lambda values: constant
        case ast.Name(id=name, ctx=ast.Load()) if name in names:
            return operator.itemgetter(name)
        case ast.BoolOp(op=op, values=parts):
            fold, members = all if isinstance(op, ast.And) else any, terms(*parts)
            return lambda values: fold(member(values) for member in members)
        case ast.IfExp(test=test, body=body, orelse=other):
            is_so, chosen, otherwise = terms(test, body, other)
            return lambda values: (chosen if is_so(values) else otherwise)(values)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            members = terms(*parts)
            return lambda values: [member(values) for member in members]
        case ast.Compare(left=left, ops=ops, comparators=others) if _are_known(ops, _COMPARE):
            sides, signs = terms(left, *others), [_COMPARE[type(op)] for op in ops]
            return lambda values: _all_hold(signs, [side(values) for side in sides], text)
        case ast.BinOp(left=left, op=op, right=right) if _are_known([op], _BINARY):
            return _computed(_BINARY[type(op)], terms(left, right), text, has_lists=False)
        case ast.UnaryOp(op=op, operand=operand) if _are_known([op], _UNARY):
            return _computed(_UNARY[type(op)], terms(operand), text)
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as parts, keywords=[]) if name in _CALLS:
            return _computed(_CALLS[name], terms(*parts), text)
    segment = ast.get_source_segment(text.partition(":")[2].strip(), node) or type(node).__name__
    known = f"{', '.join(names)}, whole numbers, + - * // %, comparisons, and, or, not, in, if"
    raise LayoutError(
        f"expected a relation of {known}, {', '.join(_CALLS)}; got {shown(segment)} in "
        f"{shown(text)}"
    )


def _are_known(operators: Iterable[ast.AST], known: Container[type[ast.AST]]) -> bool:
    return all(type(op) in known for op in operators)


def _all_hold(signs: Iterable[Callable[..., Any]], sides: Sequence[Any], text: str) -> bool:
    """Return whether each side compares with the next one by its sign."""
    pairs = zip(signs, pairwise(sides), strict=True)
    return all(_applied(sign, pair, text) for sign, pair in pairs)


def _computed(
    function: Callable[..., Any], terms: Sequence[_Term], text: str, *, has_lists: bool = True
) -> _Term:
    """Return the function that computes a number from the values of terms."""

    def number(values: Mapping[str, int]) -> int:
        arguments = [term(values) for term in terms]
        if not has_lists and any(isinstance(argument, list) for argument in arguments):
            # A million times a list fills memory.
            raise LayoutError(f"expected numbers in {shown(text)}, got a list")
        result = _applied(function, arguments, text)
        if not isinstance(result, int) or abs(result) > _LARGEST:
            raise LayoutError(f"expected numbers up to {_LARGEST:,} in {shown(text)}, got more")
        return result

    return number


def _applied(function: Callable[..., Any], arguments: Iterable[Any], text: str) -> Any:
    """Return what a function gives.

    Raises:
        LayoutError: the arguments do not fit, such as a list that is added to a number.
    """
    try:
        return function(*arguments)
    except TypeError as error:
        raise LayoutError(f"expected numbers in {shown(text)}: {error}") from error
