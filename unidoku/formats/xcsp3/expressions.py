"""The expressions of XCSP3, such as ``eq(x,add(y,2))``: as trees, as functions, as sums."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import TypeAlias

from unidoku.errors import FormatError


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable in an expression.

    Args:
        cell: its cell, or its position among the variables of the expression.
    """

    cell: int


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator with its arguments.

    Args:
        name: the name of the operator.
        arguments: expressions.
    """

    name: str
    arguments: tuple[Expression, ...]


Expression: TypeAlias = int | Variable | Operation

Function: TypeAlias = Callable[[Sequence[int]], int]
"""A function of the values of variables."""

_LARGEST = 10**12
"""Larger values of an expression are not computed."""

_DEEPEST = 60

NUMBER = re.compile(r"[+-]?\d{1,9}")
"""A number of an instance."""


def _bounded(number: int) -> int:
    if abs(number) > _LARGEST:
        raise OverflowError
    return number


def _divided(a: int, b: int) -> int:
    """Return a quotient, rounded towards 0 as in Java."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _power(a: int, b: int) -> int:
    if b < 0 or (abs(a) > 1 and b > 40):
        raise OverflowError
    return _bounded(int(a**b))


_OF_TWO: Mapping[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "eq": operator.eq,
    "mul": lambda a, b: _bounded(a * b),
}
"""The functions of operators of any number of arguments, for two."""

_MANY = 0
"""Stands for an operator of two or more arguments."""

OPERATORS: Mapping[str, tuple[int, Callable[..., int]]] = {
    "neg": (1, lambda a: -a),
    "abs": (1, abs),
    "sqr": (1, lambda a: _bounded(a * a)),
    "not": (1, lambda a: not a),
    "sub": (2, operator.sub),
    "div": (2, _divided),
    "mod": (2, lambda a, b: a - b * _divided(a, b)),
    "pow": (2, _power),
    "dist": (2, lambda a, b: abs(a - b)),
    "lt": (2, operator.lt),
    "le": (2, operator.le),
    "ge": (2, operator.ge),
    "gt": (2, operator.gt),
    "ne": (2, operator.ne),
    "imp": (2, lambda a, b: not a or bool(b)),
    "if": (3, lambda a, b, c: b if a else c),
    "add": (_MANY, lambda *a: sum(a)),
    "mul": (_MANY, lambda *a: reduce(lambda b, c: _bounded(b * c), a)),
    "min": (_MANY, min),
    "max": (_MANY, max),
    "eq": (_MANY, lambda *a: len({*a}) == 1),
    "and": (_MANY, lambda *a: all(a)),
    "or": (_MANY, lambda *a: any(a)),
    "xor": (_MANY, lambda *a: sum(map(bool, a)) % 2),
    "iff": (_MANY, lambda *a: len({*map(bool, a)}) == 1),
}
"""The number of arguments of each operator, and its function."""

_TOKEN = re.compile(r"\s*([+-]?\d+|[A-Za-z_]\w*(?:\[[^\[\]]*\])*|[(),])")


def expression_of(text: str, cell: Callable[[str], int]) -> Expression:
    """Return the expression in a text.

    Args:
        text: the text.
        cell: returns the cell of a variable's name, or raises a FormatError.

    Raises:
        FormatError: the text is not an expression; it has no line yet.
    """
    parser = _Parser(text, cell)
    result = parser.expression(0)
    if parser.token:
        raise FormatError(f"expected one expression, got {parser.token[:40]!r} after it")
    return result


class _Parser:
    """Reads a text from left to right; `token` is the next one, empty at the end."""

    def __init__(self, text: str, cell: Callable[[str], int]) -> None:
        self._text, self._cell, self._at = text, cell, 0
        self.token = ""
        self._next()

    def _next(self) -> str:
        """Return the token, and go on to the next."""
        before = self.token
        match = _TOKEN.match(self._text, self._at)
        if match is None and self._text[self._at :].strip():
            rest = self._text[self._at :].strip()
            raise FormatError(f"expected an expression such as eq(x,add(y,2)), got {rest[:40]!r}")
        self.token, self._at = (match[1], match.end()) if match else ("", len(self._text))
        return before

    def expression(self, depth: int) -> Expression:
        """Read an expression.

        Raises:
            FormatError: the text is not an expression.
        """
        if depth > _DEEPEST:
            raise FormatError(f"expected expressions nested up to {_DEEPEST} deep, got more")
        word = self._next()
        if NUMBER.fullmatch(word):
            return int(word)
        if not re.match(r"[A-Za-z_]", word):
            raise FormatError(f"expected a number, a variable or an operator, got {word[:40]!r}")
        if self.token != "(":
            return Variable(self._cell(word))
        if word in ("in", "notin"):
            return self._member(word, depth)
        if word not in OPERATORS:
            names = " ".join(sorted(OPERATORS))
            raise FormatError(f"operator {word[:40]!r} is not supported; those supported: {names}")
        arguments = self._arguments(word, depth)
        size = OPERATORS[word][0]
        if len(arguments) != size if size else len(arguments) < 2:
            raise FormatError(
                f"expected {size or '2 or more'} arguments of {word}, got {len(arguments)}"
            )
        return Operation(word, tuple(arguments))

    def _arguments(self, word: str, depth: int) -> list[Expression]:
        """Read the arguments of an operator."""
        arguments = []
        while self.token in ("(", ","):
            self._next()
            arguments.append(self.expression(depth + 1))
        if self._next() != ")":
            raise FormatError(f"expected ) after the arguments of {word}")
        return arguments

    def _member(self, word: str, depth: int) -> Expression:
        """Read ``in(x,set(1,2))``, which is a choice of equations."""
        self._next()
        left = self.expression(depth + 1)
        if (self._next(), self._next(), self.token) != (",", "set", "("):
            raise FormatError(f"expected a set such as set(1,2) in {word}")
        equal = [Operation("eq", (left, part)) for part in self._arguments("set", depth)]
        if self._next() != ")":
            raise FormatError(f"expected ) after the arguments of {word}")
        member = Operation("or", tuple(equal)) if len(equal) > 1 else equal[0]
        return member if word == "in" else Operation("not", (member,))


def cells_of(expression: Expression) -> Iterator[int]:
    """Yield the cells of an expression, as often as they occur."""
    match expression:
        case Variable(cell):
            yield cell
        case Operation(_, arguments):
            for argument in arguments:
                yield from cells_of(argument)


def in_order(expression: Expression) -> tuple[Expression, tuple[int, ...]]:
    """Return an expression of the places of its cells, and the cells, each once."""
    cells = tuple(dict.fromkeys(cells_of(expression)))
    return _moved(expression, {cell: position for position, cell in enumerate(cells)}), cells


def _moved(expression: Expression, places: Mapping[int, int]) -> Expression:
    match expression:
        case Variable(cell):
            return Variable(places[cell])
        case Operation(name, arguments):
            return Operation(name, tuple([_moved(part, places) for part in arguments]))
    return expression


def function_of(expression: Expression) -> Function:
    """Return the function of an expression, whose variables are the places of values.

    It raises an ArithmeticError where the expression has no value, or too large a one.
    """
    match expression:
        case Variable(position):
            return lambda values: values[position]
        case Operation(name, arguments):
            parts = [*map(function_of, arguments)]
            compute: Callable[..., int] = OPERATORS[name][1]
            if len(parts) == 2:  # most of them: a list of arguments takes as long as the rest
                first, other = parts
                return _of_two(_OF_TWO.get(name, compute), first, other)
            return lambda values: compute(*[part(values) for part in parts])
        case number:
            return lambda values: number


def _of_two(compute: Callable[[int, int], int], first: Function, other: Function) -> Function:
    return lambda values: compute(first(values), other(values))


def is_true(function: Function, values: Sequence[int]) -> bool:
    """Return whether a function of values is true; it is false where it has no value."""
    try:
        return bool(function(values))
    except ArithmeticError:
        return False


Linear: TypeAlias = tuple[Mapping[int, int], int]
"""The weight of each cell in a sum, and a constant."""


def linear(expression: Expression) -> Linear | None:
    """Return an expression as a weighted sum and a constant; None if it is not one.

    >>> linear(Operation("sub", (Variable(3), Operation("mul", (2, Variable(1))))))
    ({3: 1, 1: -2}, 0)
    """
    match expression:
        case Variable(cell):
            return {cell: 1}, 0
        case Operation(name, arguments):
            parts = [linear(argument) for argument in arguments]
            sums = [part for part in parts if part is not None]
            return _combined(name, sums) if len(sums) == len(parts) else None
    return {}, expression


def _combined(name: str, parts: Sequence[Linear]) -> Linear | None:
    match name:
        case "neg":
            return _times(parts[0], -1)
        case "add":
            return reduce(_plus, parts)
        case "sub":
            return _plus(parts[0], _times(parts[1], -1))
        case "mul":
            sums = [part for part in parts if part[0]]
            if len(sums) > 1:
                return None
            factor = prod(constant for weights, constant in parts if not weights)
            return _times(sums[0], factor) if sums else ({}, factor)
    return None


def _plus(a: Linear, b: Linear) -> Linear:
    weights = {**a[0]}
    for cell, weight in b[0].items():
        weights[cell] = weights.get(cell, 0) + weight
    return weights, a[1] + b[1]


def _times(a: Linear, factor: int) -> Linear:
    return {cell: weight * factor for cell, weight in a[0].items()}, a[1] * factor
