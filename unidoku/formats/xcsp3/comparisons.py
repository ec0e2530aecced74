"""Constraints that compare terms, and those on what all terms make together: sums, extremes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations, pairwise

from unidoku.core.rules import LinesDiffer, Rule
from unidoku.errors import FormatError
from unidoku.formats.xcsp3.elements import Element
from unidoku.formats.xcsp3.expressions import Expression, Operation, Variable, expression_of
from unidoku.formats.xcsp3.rules import Condition
from unidoku.formats.xcsp3.scope import MOST_NUMBERS, Reader, Scope, first_of, text_of
from unidoku.formats.xcsp3.variables import values_in

_PAIR = 12
"""The work that an expression of a pair of terms takes, compared with one step."""


def intension(scope: Scope, element: Element) -> list[Rule]:
    """An expression is true."""
    element.check("function")
    text = text_of(element, "function")
    return scope.rules.expression(expression_of(text, scope.variables.cell))


def all_different(scope: Scope, element: Element) -> list[Rule]:
    """Variables, expressions, lists, or the rows and columns of a matrix differ."""
    element.check("list matrix except")
    exceptions = element.child("except")
    if matrix := element.child("matrix"):
        rows = scope.variables.matrix(matrix.text)
        if exceptions:
            raise FormatError("<matrix> with <except> is not supported")
        for line in (*rows, *zip(*rows, strict=True)):
            scope.rules.differ(line)
        return []
    lists = [*element.named("list")]
    if len(lists) > 1:
        lines = [scope.cells(each.text) for each in lists]
        if exceptions or len({*map(len, lines)}) > 1:
            raise FormatError("expected lists of one length without <except>")
        scope.rules.spend(len(lines) ** 2)
        return [LinesDiffer(a, b) for a, b in combinations(lines, 2)]
    terms = scope.terms(text_of(element, "list"))
    if not exceptions and all(isinstance(term, Variable) for term in terms):
        scope.rules.differ([term.cell for term in terms if isinstance(term, Variable)])
        return []
    scope.rules.spend(_PAIR * len(terms) ** 2)
    others = values_in(exceptions.text, MOST_NUMBERS) if exceptions else []
    return [
        rule
        for a, b in combinations(terms, 2)
        for rule in scope.rules.expression(_unless(Operation("ne", (a, b)), a, others))
    ]


def all_equal(scope: Scope, element: Element) -> list[Rule]:
    """All terms are equal."""
    element.check("list")
    terms = scope.terms(text_of(element, "list"))
    equal = [Operation("eq", pair) for pair in pairwise(terms)]
    return [rule for pair in equal for rule in scope.rules.expression(pair)]


def ordered(scope: Scope, element: Element) -> list[Rule]:
    """Each term, plus a length, is in order with the next."""
    element.check("list lengths operator", "case")
    terms = scope.terms(text_of(element, "list"))
    operator = _operator(element)
    lengths: list[Expression] = [0] * (len(terms) - 1)
    if part := element.child("lengths"):
        lengths = scope.terms(part.text)[: len(terms) - 1]
        if len(lengths) < len(terms) - 1:
            raise FormatError("expected a length between each two terms")
    rules: list[Rule] = []
    for (a, b), length in zip(pairwise(terms), lengths, strict=True):
        before = Operation("add", (a, length)) if length else a
        rules += scope.rules.expression(Operation(operator, (before, b)))
    return rules


def _operator(element: Element) -> str:
    part = element.child("operator")
    name = part.text if part else element.attributes.get("case", "")
    names = {"strictlyIncreasing": "lt", "increasing": "le"}
    names |= {"strictlyDecreasing": "gt", "decreasing": "ge"}
    operator = names.get(name, name)
    if operator not in ("lt", "le", "ge", "gt"):
        raise FormatError(f"expected the operator lt, le, ge or gt, got {name[:40]!r}")
    return operator


def lex(scope: Scope, element: Element) -> list[Rule]:
    """Lists, or the rows and the columns of a matrix, are in lexicographic order."""
    element.check("list matrix operator")
    operator = _operator(element)
    if matrix := element.child("matrix"):
        rows = scope.variables.matrix(matrix.text)
        groups: list[Sequence[Sequence[int]]] = [rows, [*zip(*rows, strict=True)]]
    else:
        groups = [[scope.cells(each.text) for each in element.named("list")]]
    rules: list[Rule] = []
    for a, b in (pair for lines in groups for pair in pairwise(lines)):
        if len(a) != len(b):
            raise FormatError("expected lists of one length")
        if operator in ("gt", "ge"):
            a, b = b, a
        rules += _lex(scope, a, b, is_strict=operator in ("lt", "gt"))
    return rules


def _lex(scope: Scope, a: Sequence[int], b: Sequence[int], *, is_strict: bool) -> list[Rule]:
    before, equal = "before", "equal"

    def step(state: object, value: int) -> object:
        if state == before:
            return before
        if state == equal:
            return value
        assert isinstance(state, int)
        return equal if value == state else before if state < value else None

    cells = [cell for pair in zip(a, b, strict=True) for cell in pair]
    # A line of whole pairs ends before or equal; values between are states too.
    ends = (before,) if is_strict else (before, equal)
    return scope.rules.machine(
        cells, "lex", ("lex", is_strict), equal, step, lambda state: state in ends
    )


def clause(scope: Scope, element: Element) -> list[Rule]:
    """One of some variables is 1, or one of some others 0."""
    element.check("list")
    text = text_of(element, "list")
    literals: list[Expression] = []
    for term in scope.terms(text):
        match term:
            case Operation("not", (Variable() as variable,)):
                literals.append(Operation("eq", (variable, 0)))
            case Variable():
                literals.append(Operation("eq", (term, 1)))
            case _:
                raise FormatError(f"expected literals such as x not(y), got {text[:40]!r}")
    return scope.rules.expression(
        Operation("or", tuple(literals)) if len(literals) > 1 else literals[0]
    )


def instantiation(scope: Scope, element: Element) -> list[Rule]:
    """Variables have values."""
    element.check("list values")
    cells = scope.cells(element.needed("list").text)
    text = element.needed("values").text
    words = text.split()
    if "*" not in words:
        words = [*map(str, values_in(text, MOST_NUMBERS))]
    if len(words) != len(cells):
        raise FormatError(f"expected {len(cells)} values, got {len(words)}")
    rules: list[Rule] = []
    for cell, word in zip(cells, words, strict=True):
        if word != "*":
            rules += scope.rules.holds(cell, values_in(word, 1))
    return rules


def channel(scope: Scope, element: Element) -> list[Rule]:
    """The values of a list are the places of the values of another, or of its own."""
    element.check("list value")
    lists = [*element.named("list")]
    for part in lists:
        part.check("", "startIndex")
    if element.child("value"):
        raise FormatError("<value> is not supported")
    if len(lists) < 2:
        text = text_of(element, "list")
        first = first_of(lists[0], "startIndex") if lists else 0
        sides = [(scope.cells(text), first)] * 2
    else:
        sides = [(scope.cells(part.text), first_of(part, "startIndex")) for part in lists[:2]]
    if len(lists) > 2:
        raise FormatError(f"expected one or two lists, got {len(lists)}")
    (xs, first_x), (ys, first_y) = sides
    if len(xs) > len(ys):
        raise FormatError("expected a second list that is at least as long")
    is_both = len(xs) == len(ys)
    scope.rules.spend(len(xs) * len(ys))
    rules: list[Rule] = []
    for index, x in enumerate(xs):
        inside = {position + first_y for position in range(len(ys))} & scope.rules.domains[x]
        rules += scope.rules.holds(x, inside)
        for position, y in enumerate(ys):
            to, back = position + first_y, index + first_x

            def related(v: int, w: int, to: int = to, back: int = back) -> bool:
                return (v != to or w == back) and (not is_both or w != back or v == to)

            key = ("channel", to, back, is_both)
            rules += scope.rules.relation(x, y, "channel", key, related)
    return rules


def precedence(scope: Scope, element: Element) -> list[Rule]:
    """A value does not occur before the value listed before it has occurred."""
    element.check("list values")
    terms = scope.cells(text_of(element, "list"))
    part = element.child("values")
    domain = sorted(frozenset().union(*[scope.rules.domains[cell] for cell in terms]))
    values = tuple(values_in(part.text, MOST_NUMBERS) if part else domain)
    places = {value: position for position, value in enumerate(values)}

    def step(seen: int, value: int) -> int | None:
        position = places.get(value, -1)
        return None if position > seen else max(seen, position + 1)

    key = ("precedence", values)
    return scope.rules.machine(terms, "precedence", key, 0, step, lambda seen: True)


def _unless(expression: Expression, term: Expression, values: Sequence[Expression]) -> Expression:
    """Return that an expression is true, unless a term has one of some values."""
    if not values:
        return expression
    return Operation("or", (expression, *[Operation("eq", (term, value)) for value in values]))


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
    "allDifferent": all_different,
    "allEqual": all_equal,
    "cardinality": cardinality,
    "channel": channel,
    "clause": clause,
    "count": count,
    "instantiation": instantiation,
    "intension": intension,
    "lex": lex,
    "maximum": partial(_extreme, max),
    "minimum": partial(_extreme, min),
    "nValues": n_values,
    "ordered": ordered,
    "precedence": precedence,
    "sum": sum_,
}
"""The functions of this module, by their names."""
