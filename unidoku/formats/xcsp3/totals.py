"""Constraints on what all terms make together: sums, numbers of values, extremes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from unidoku.core.rules import Rule
from unidoku.errors import FormatError
from unidoku.formats.xcsp3.elements import Element
from unidoku.formats.xcsp3.expressions import Expression, Operation
from unidoku.formats.xcsp3.rules import Condition
from unidoku.formats.xcsp3.scope import MOST_NUMBERS, Reader, Scope, text_of
from unidoku.formats.xcsp3.variables import values_in


def sum_(scope: Scope, element: Element) -> list[Rule]:
    """A weighted sum fulfils a condition."""
    element.check("list coeffs condition")
    terms = scope.terms(text_of(element, "list"))
    if part := element.child("coeffs"):
        factors = scope.numbers_or_terms(part.text)
        if len(factors) != len(terms):
            raise FormatError(f"expected {len(terms)} coefficients, got {len(factors)}")
        terms = [Operation("mul", pair) for pair in zip(factors, terms, strict=True)]
    return scope.rules.sum(terms, scope.condition(element))


def count(scope: Scope, element: Element) -> list[Rule]:
    """The number of terms that have one of some values fulfils a condition."""
    element.check("list values condition")
    terms = scope.terms(text_of(element, "list"))
    values = scope.terms(element.needed("values").text)
    if len(values) == 1 and not isinstance(values[0], int):
        equal = [Operation("eq", (term, values[0])) for term in terms]
        return scope.rules.sum(equal, scope.condition(element))
    if not all(isinstance(value, int) for value in values):
        raise FormatError("expected numbers as values, or one variable")
    return _count_of(scope, terms, frozenset(values), scope.condition(element))


def _count_of(
    scope: Scope, terms: Sequence[Expression], values: frozenset[Expression], condition: Condition
) -> list[Rule]:
    most = len(terms)
    return scope.rules.fold(
        "count",
        terms,
        0,
        lambda count, value: count + (value in values),
        condition,
        values,
        lambda count: count if count <= most else None,
    )


def n_values(scope: Scope, element: Element) -> list[Rule]:
    """The number of different values fulfils a condition."""
    element.check("list except condition")
    part = element.child("except")
    others = frozenset(values_in(part.text, MOST_NUMBERS) if part else ())
    return scope.rules.fold(
        "nValues",
        scope.terms(text_of(element, "list")),
        frozenset(),
        lambda seen, value: seen if value in others else seen | {value},
        scope.condition(element),
        others,
        len,
    )


def cardinality(scope: Scope, element: Element) -> list[Rule]:
    """Each of some values occurs a number of times."""
    element.check("list values occurs", "")
    terms = scope.terms(element.needed("list").text)
    part = element.needed("values")
    part.check("", "closed")
    values = values_in(part.text, MOST_NUMBERS)
    occurs = scope.variables.names_in(element.needed("occurs").text)
    if all(re.fullmatch(r"\d+(?:x\d+)?", word) for word in occurs):
        occurs = [*map(str, values_in(" ".join(occurs), MOST_NUMBERS))]
    if len(occurs) != len(values):
        raise FormatError(f"expected a number of each of {len(values)} values")
    rules: list[Rule] = []
    for value, times in zip(values, occurs, strict=True):
        operator = "in" if ".." in times else "eq"
        condition = Condition.of(f"({operator},{times})", scope.variables.cell)
        rules += _count_of(scope, terms, frozenset([value]), condition)
    if part.attributes.get("closed") == "true":
        for term in terms:
            allowed = [Operation("eq", (term, value)) for value in values]
            either = Operation("or", tuple(allowed)) if len(allowed) > 1 else allowed[0]
            rules += scope.rules.expression(either)
    return rules


def _extreme(choose: Callable[[int, int], int], scope: Scope, element: Element) -> list[Rule]:
    """The least or the largest term fulfils a condition."""
    element.check("list condition")

    def accumulate(best: int | None, value: int) -> int:
        return value if best is None else choose(best, value)

    terms = scope.terms(text_of(element, "list"))
    return scope.rules.fold(
        element.tag, terms, None, accumulate, scope.condition(element), final=lambda best: best
    )


READERS: Mapping[str, Reader] = {
    "cardinality": cardinality,
    "count": count,
    "maximum": partial(_extreme, max),
    "minimum": partial(_extreme, min),
    "nValues": n_values,
    "sum": sum_,
}
"""The functions of this module, by their names."""
