"""What readers of constraints know: the variables, and the rules that they add to."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from unidoku.core.rules import Rule
from unidoku.errors import FormatError
from unidoku.formats.xcsp3.elements import Element
from unidoku.formats.xcsp3.expressions import NUMBER, Expression, Variable, expression_of
from unidoku.formats.xcsp3.rules import Condition, Row, Rules
from unidoku.formats.xcsp3.texts import MOST_NUMBERS, rows_of
from unidoku.formats.xcsp3.variables import Variables, values_in


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
