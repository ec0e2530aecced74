"""What readers of constraints know: variables, rules, and how texts list numbers and tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from unidoku.core.rules import Rule
from unidoku.errors import FormatError
from unidoku.formats.xcsp3.elements import Element
from unidoku.formats.xcsp3.expressions import NUMBER, Expression, Variable, expression_of
from unidoku.formats.xcsp3.rules import Condition, Row, Rules
from unidoku.formats.xcsp3.variables import Variables, values_in

MOST_NUMBERS = 1_000_000
"""So many numbers may a list of a constraint have."""


class Scope:
    """Reads what constraints name: variables, terms, conditions, tables.

    Attributes:
        variables: the variables of the instance.
        rules: the units and rules so far.
    """

    def __init__(self, variables: Variables, rules: Rules) -> None:
        """Start with variables and rules, which are added to."""
        self.variables, self.rules = variables, rules
        self._rows: dict[str, Sequence[Row]] = {}

    def terms(self, text: str) -> list[Expression]:
        """Return the expressions that a text lists."""
        terms: list[Expression] = []
        for word in self.variables.names_in(text):
            if "(" in word:
                terms.append(expression_of(word, self.variables.cell))
            elif NUMBER.fullmatch(word):
                terms.append(int(word))
            else:
                terms.append(Variable(self.variables.cell(word)))
        return terms

    def cells(self, text: str) -> tuple[int, ...]:
        """Return the cells that a text lists, at least one."""
        cells = self.variables.cells(text)
        if not cells:
            raise FormatError("expected variables, got none")
        return cells

    def term(self, text: str) -> Expression:
        """Return the only expression of a text."""
        terms = self.terms(text)
        if len(terms) != 1:
            raise FormatError(f"expected one variable or number, got {text[:40]!r}")
        return terms[0]

    def condition(self, element: Element) -> Condition:
        """Return the condition of a constraint."""
        return Condition.of(element.needed("condition").text, self.variables.cell)

    def rows(self, text: str, size: int) -> Sequence[Row]:
        """Return the rows of a table, each of this size; equal texts are read once."""
        if text not in self._rows:
            self._rows[text] = [*rows_of(text, size)]
        rows = self._rows[text]
        if wrong := [row for row in rows if len(row) != size]:
            raise FormatError(f"expected tuples of {size} values, got one of {len(wrong[0])}")
        return rows

    def numbers_or_terms(self, text: str) -> list[Expression]:
        """Return terms, or numbers that may be written as ``3x5`` or ``1..9``."""
        if all(re.match(r"[+-]?\d", word) for word in text.split()):
            return [*values_in(text, MOST_NUMBERS)]
        return self.terms(text)


Reader: TypeAlias = Callable[[Scope, Element], list[Rule]]
"""Returns the rules of a constraint; units are added at once."""


def text_of(element: Element, tag: str) -> str:
    """Return the text of the only child of a name, or that of the element without children."""
    part = element.child(tag)
    return part.text if part else element.text


def first_of(element: Element, name: str) -> int:
    """Return the number of the first of a list, by the name of its attribute; 0 by default."""
    text = element.attributes.get(name, "0")
    if not NUMBER.fullmatch(text):
        raise FormatError(f"expected a number as {name}, got {text[:40]!r}")
    return int(text)


def rows_of(text: str, size: int) -> Iterator[Row]:
    """Yield the tuples of a table; those of one value have no brackets.

    Raises:
        FormatError: the text is no table.
    """
    if size == 1 and "(" not in text:
        yield from ((value,) for value in values_in(text, MOST_NUMBERS))
        return
    if re.sub(r"\([^()]*\)", "", text).strip():
        raise FormatError(f"expected tuples such as (1,2)(3,4), got {text[:40]!r}")
    for match in re.finditer(r"\(([^()]*)\)", text):
        words = [word.strip() for word in match[1].split(",")]
        for word in words:
            if word != "*" and not NUMBER.fullmatch(word):
                raise FormatError(f"expected numbers or * in a tuple, got {word[:40]!r}")
        yield tuple([None if word == "*" else int(word) for word in words])


def rows_of_numbers(text: str) -> list[list[int]]:
    """Return the rows of a matrix of numbers, ``(1,2)(3,4)``."""
    rows = [*rows_of(text, 0)]
    if not rows or len({*map(len, rows)}) > 1 or any(None in row for row in rows):
        raise FormatError("expected a matrix of numbers such as (1,2)(3,4)")
    return [[value for value in row if value is not None] for row in rows]
