"""The content of an export before it is written: a board's candidates, rules and known grids.

A model has two forms, and each language writes both from the same parts. The fast form is what
programs get: all rules together, simplified, and cells by number. The readable form is what people
read: a part for each kind of unit and for each rule, in words and with the constraints that the
rule states, and cells by name.
"""

from __future__ import annotations

import operator
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import comb
from typing import NamedTuple

from unidoku.backends.base import Request
from unidoku.backends.toolkit.budget import Budget
from unidoku.backends.toolkit.clauses import Clauses, fresh_variables
from unidoku.backends.toolkit.cover import Cover, cover_of, held_candidates
from unidoku.backends.toolkit.reified import Clause
from unidoku.backends.toolkit.rows import rows_of
from unidoku.core.bits import all_values, values_of
from unidoku.core.board import Board
from unidoku.core.caching import number_cache
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Masks,
    Relation,
    Sets,
    Sum,
    digit_sets,
    tabulated,
)
from unidoku.core.layout import Grid, Layout
from unidoku.core.transforms.lower import Lowered, lower, lowered_form, narrowed
from unidoku.core.transforms.simplify import MOST_SETS, simplify


class Comparison(NamedTuple):
    """A relation of two values as people write it.

    Args:
        kind: ``order`` for ``a < b``, ``sum`` for ``a + b = 5``, ``distance`` for ``|a - b| >= 2``.
        sign: the sign of the comparison, one of `SIGNS`.
        number: the right side, unless it is the second value.
    """

    kind: str
    sign: str
    number: int = 0


SIGNS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
"""The signs of comparisons."""


@number_cache(maxsize=256)
def comparison_of(table: Masks) -> Comparison | None:
    """Return a relation as a comparison; None if no comparison expresses it.

    >>> comparison_of((0b110, 0b100, 0))
    Comparison(kind='order', sign='<', number=0)
    """
    n = len(table)
    left: dict[str, tuple[Callable[[int, int], int], Iterable[int]]] = {
        "order": (operator.sub, (0,)),
        "sum": (operator.add, range(2, 2 * n + 1)),
        "distance": (lambda a, b: abs(a - b), range(1, n)),
    }
    for kind, (function, numbers) in left.items():
        for number in numbers:
            for sign, holds in SIGNS.items():
                strict = sign in "<>" and kind != "order"
                if not strict and table == _table(n, function, holds, number):
                    return Comparison(kind, sign, number)
    return None


def _table(
    n: int, function: Callable[[int, int], int], holds: Callable[[int, int], bool], number: int
) -> Masks:
    return tabulated(n, lambda a, b: holds(function(a, b), number))


def sum_text(total: Sum, names: Sequence[str]) -> str:
    """Return a sum as most languages write it: ``A1 + 2 * A2 - A3``."""
    return "".join(
        f" {'-' if weight < 0 else '+'} {f'{abs(weight)} * ' * (abs(weight) != 1)}{names[cell]}"
        for cell, weight in zip(total.cells, total.weights, strict=True)
    ).removeprefix(" + ")


def bounds_of(total: Sum, n: int) -> list[tuple[str, int]]:
    """Return the bounds of a sum that say something, each with its sign."""
    if total.low == total.high:
        return [("=", total.low)]
    ends = [(weight, weight * n) for weight in total.weights]
    bounds = [(">=", total.low)] if sum(map(min, ends)) < total.low else []
    return [*bounds, ("<=", total.high)] if total.high < sum(map(max, ends)) else bounds


class Part(NamedTuple):
    """A part of a model: the units of one name, a rule, or in the fast form everything.

    Args:
        words: what it states, in words; empty in the fast form.
        lowered: its constraints.
        distinct: lists of cells whose values differ.
        comparisons: relations that languages write as comparisons, with their pairs of cells.
        true: candidates that hold.
        false: candidates that are excluded.
    """

    words: str
    lowered: Lowered
    distinct: tuple[tuple[int, ...], ...] = ()
    comparisons: tuple[tuple[Comparison, Relation], ...] = ()
    true: tuple[int, ...] = ()
    false: tuple[int, ...] = ()

    @property
    def comments(self) -> list[str]:
        """The words, wrapped into lines for a comment."""
        return textwrap.wrap(self.words, 90)

    @property
    def compared(self) -> Iterator[tuple[Comparison, int, int]]:
        """Each comparison with its two cells."""
        for comparison, relation in self.comparisons:
            yield from ((comparison, a, b) for a, b in relation.pairs)


@dataclass(frozen=True, slots=True)
class BoardModel:
    """What every language expresses about a board.

    Args:
        board: the board.
        other_than: known grids, which are excluded as answers.
        budget: time limit of writing.
        readable: whether people read it; otherwise it has the form that adapters use.
    """

    board: Board
    other_than: tuple[Grid, ...] = ()
    budget: Budget = field(default_factory=lambda: Budget(Request()), compare=False, repr=False)
    readable: bool = False

    @property
    def names(self) -> Sequence[str]:
        """The names of the cells, which are identifiers in all languages."""
        layout = self.board.layout
        return layout.identifiers if self.readable else [f"c{cell}" for cell in layout.cells]

    def columns(self) -> list[str]:
        """Return the names of the candidates in 0-1 programs: xA1_5 or x5."""
        size, n = self.lowered.size, self.board.layout.n
        if not self.readable:
            return [f"x{candidate + 1}" for candidate in range(size)]
        return [f"x{self.names[candidate // n]}_{candidate % n + 1}" for candidate in range(size)]

    @property
    def cover(self) -> Cover:
        """The cells and units as sets of candidates, of each of which one holds, or at most one."""
        return cover_of(self.board.layout)

    @property
    def lowered(self) -> Lowered:
        """All rules of the layout together, as simplified constraints."""
        return lower(self.board.layout)

    @property
    def narrowed(self) -> Board:
        """The board without candidates that rules of one cell exclude, unless a part states it."""
        return self.board if self.readable else narrowed(self.board)

    def parts(self) -> Iterator[Part]:
        """Yield the parts of the model: units, givens, rules."""
        yield from self.units()
        yield self.givens()
        yield from self.rules()

    def units(self) -> Iterator[Part]:
        """Yield the units: a part for each name, or one part in the fast form."""
        layout = self.board.layout
        by_name: defaultdict[str, list[tuple[int, ...]]] = defaultdict(list)
        for unit in layout.maximal_units:
            once = "each value once" if len(unit.cells) == layout.n else "no value twice"
            by_name[f"{unit}: {once}" if self.readable else ""].append(unit.cells)
        for words, lists in by_name.items():
            yield Part(words, self._nothing, tuple(lists))

    def givens(self) -> Part:
        """Return the part of the candidates that givens decide or pencil marks exclude."""
        true, false = self.decided()
        words = "the givens and pencil marks" if self.readable and (true or false) else ""
        return Part(words, self._nothing, true=tuple(true), false=tuple(false))

    def rules(self, *, sums: bool = True) -> Iterator[Part]:
        """Yield the rules: a part for each, or one part in the fast form.

        Args:
            sums: whether the language has sums; if not, cages are sets of values.
        """
        if not self.readable:
            yield Part("", self.lowered)
            return
        layout = self.board.layout
        for rule in layout.rules:
            self.budget.check_time()
            words = rule.words(layout.identifiers)
            yield _part_of(layout, words, tuple(rule.constraints(layout)), sums=sums)

    @property
    def _nothing(self) -> Lowered:
        layout = self.board.layout
        return Lowered(layout.n, len(layout) * layout.n)

    def decided(self) -> tuple[list[int], list[int]]:
        """Return the candidates that hold and those that are excluded."""
        return held_candidates(self.narrowed)

    def excluded(self) -> Iterator[Clause]:
        """Yield for each known grid the clause that some cell holds another value."""
        n = self.board.layout.n
        for grid in self.other_than:
            yield [-cell * n - value for cell, value in enumerate(grid)]

    def comments(self) -> Iterator[str]:
        """Yield lines that describe the content for readers."""
        layout = self.board.layout
        yield f"{layout.name}, {len(layout)} cells, values {layout.shown[1]} to {layout.shown[-1]}"
        yield f"digest {self.board.digest}"
        if self.readable and layout.first_value != 1:
            yield f"values are written as 1 to {layout.n}"
        if self.other_than:
            yield f"without {len(self.other_than)} grids that are known"

    def heading(self, words: str) -> list[str]:
        """Return a comment of the readable form alone."""
        return [words] if self.readable else []


class Disjunctions:
    """The clauses of the parts of a model, in a language that has disjunctions of literals.

    Fresh variables are numbered after the candidates, and on from part to part.

    Args:
        atoms: for each candidate, the text that it holds.
        fresh: the text that a fresh variable holds, with ``{}`` for its number.
        negated: function that returns the negation of such a text.
        either: function that joins the texts of literals, of which one holds.
    """

    def __init__(
        self,
        atoms: Sequence[str],
        fresh: str,
        negated: Callable[[str], str],
        either: Callable[[list[str]], str],
    ) -> None:
        self._atoms, self._fresh, self._negated, self._either = atoms, fresh, negated, either
        self._text_of = cache(self._literal)  # most occur in many clauses
        self.top = len(atoms)

    def of(self, lowered: Lowered) -> tuple[list[Clause], list[int]]:
        """Return the clauses of rules, and their fresh variables in order."""
        rules = Clauses(lowered, top=self.top)
        clauses = list(rules)
        self.top = rules.top
        return clauses, sorted(fresh_variables(clauses, len(self._atoms)))

    def texts(self, clauses: Iterable[Clause]) -> Iterator[str]:
        """Yield clauses as texts."""
        return (self._either([*map(self._text_of, clause)]) for clause in clauses)

    def _literal(self, literal: int) -> str:
        number = abs(literal)
        is_atom = number <= len(self._atoms)
        text = self._atoms[number - 1] if is_atom else self._fresh.format(number)
        return text if literal > 0 else self._negated(text)


def rows_of_cells(
    lowered: Lowered,
) -> Iterator[tuple[Sequence[Sequence[int]], Sequence[Sequence[int]]]]:
    """Yield lists of cells, each of which holds one of some rows of values, and these rows.

    They are those of relations, of tables, and of sets that have few rows.
    """
    for relation in lowered.relations:
        yield relation.pairs, relation.rows
    for constraint in lowered.sets:
        if (rows := rows_of(constraint)) is not None:
            yield [constraint.cells], rows
    for table in lowered.tables:
        yield [table.cells], table.rows


def for_clauses(lowered: Lowered, automata: tuple[Automaton, ...] = ()) -> Lowered:
    """Return the rules that a language with sums and tables has to write as clauses.

    Args:
        lowered: all rules.
        automata: those that the language does not have.
    """
    sets = tuple([constraint for constraint in lowered.sets if rows_of(constraint) is None])
    return replace(lowered, relations=(), sums=(), tables=(), sets=sets, automata=automata)


def _part_of(layout: Layout, words: str, constraints: Sequence[Constraint], *, sums: bool) -> Part:
    """Return the part of a rule: sums and comparisons as the rule has them, the rest simplified."""
    distinct: list[tuple[int, ...]] = []
    totals: list[Sum] = []
    relations: list[Relation] = []
    comparisons: list[tuple[Comparison, Relation]] = []
    rest: list[Constraint] = []
    for constraint in constraints:
        if isinstance(constraint, Relation):
            relations.append(constraint)
        elif not sums:
            rest.append(constraint)
        elif isinstance(constraint, Sets) and _is_total(constraint, layout.n):
            cells = constraint.cells
            distinct.append(cells)
            totals.append(Sum(cells, (1,) * len(cells), *constraint.totals))
        elif isinstance(constraint, Sum) and len(constraint.cells) > 1:
            totals.append(constraint)
        else:
            rest.append(constraint)
    for relation in relations:
        comparison = comparison_of(relation.table) if sums else None
        cells = tuple(sorted({cell for pair in relation.pairs for cell in pair}))
        if comparison is None:
            rest.append(relation)
        elif comparison[:2] == ("order", "!=") and len(relation.pairs) == comb(len(cells), 2):
            distinct.append(cells)
        else:
            comparisons.append((comparison, relation))
    lowered = lowered_form(layout, simplify(layout, rest))
    lowered = replace(lowered, sums=(*totals, *lowered.sums))
    false = [
        cell * layout.n + value - 1
        for cell, mask in enumerate(lowered.candidates)
        for value in values_of(all_values(layout.n) & ~mask)
    ]
    return Part(words, lowered, tuple(distinct), tuple(comparisons), false=tuple(false))


def _is_total(constraint: Sets, n: int) -> bool:
    """Return whether its sets are all those whose sum is within their totals."""
    size = len(constraint.cells)
    if size < 2 or not constraint.masks or comb(n, size) > MOST_SETS:
        return False
    return digit_sets(n, size, *constraint.totals) == tuple(sorted(constraint.masks))
