"""Units and rules from what constraints say: relations, tables, machines, sums, expressions.

Constraints speak of the values of the instance. The values that a board displays are `Rules.shift`
more, which is 0 unless the instance has values that boards cannot display.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from operator import eq, ge, gt, le, lt, ne
from typing import Any, TypeAlias

from unidoku.core.bits import bits_of
from unidoku.core.constraints.automaton import machine_of_steps
from unidoku.core.layout import MAX_FIRST
from unidoku.core.rules import AnyOf, Holds, Line, Pairs, Rule, SumOfCells, WeightedSum
from unidoku.errors import FormatError
from unidoku.formats.xcsp3.expressions import (
    NUMBER,
    Expression,
    Operation,
    Variable,
    cells_of,
    function_of,
    in_order,
    is_true,
    linear,
)
from unidoku.formats.xcsp3.variables import MOST_VALUES, Variables, values_in

Row: TypeAlias = tuple[int | None, ...]
"""A row of a table; None is any value."""

Steps: TypeAlias = tuple[tuple[int, int, int], ...]

Table: TypeAlias = tuple[tuple[int, ...], Steps, tuple[int, ...]]
"""The first states, the steps and the last states of an automaton."""

Accumulate: TypeAlias = Callable[[Any, int], Hashable]

_MOST_STEPS = 400_000
"""The most steps of one automaton."""

_MOST_ROWS = 300_000
"""The most assignments of the variables of one expression that are tried."""

_MOST_WORK = 8_000_000
"""The most steps, pairs and assignments of all constraints together."""

_MERGED = 4
"""States that are merged while one step is computed, by a measurement."""

_COMPARISONS = {"lt": lt, "le": le, "ge": ge, "gt": gt, "eq": eq, "ne": ne}

_NEGATED = {"lt": "ge", "le": "gt", "ge": "lt", "gt": "le", "eq": "ne", "ne": "eq"}


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of a number with an operand.

    Args:
        operator: its name: lt, le, ge, gt, eq, ne, in or notin.
        operand: a number, a variable, or values.
    """

    operator: str
    operand: int | Variable | range | frozenset[int]

    @classmethod
    def of(cls, text: str, cell: Callable[[str], int]) -> Condition:
        """Return the condition in a text such as ``(le,x)``, ``(in,3..5)`` or ``(in,{1,4})``.

        Raises:
            FormatError: the text is no condition.
        """
        match = re.fullmatch(r"\(?\s*(\w+)\s*,\s*(\{[^{}]*\}|[^\s,(){}]+)\s*\)?", text.strip())
        if match is None or (match[1] not in _COMPARISONS and match[1] not in ("in", "notin")):
            raise FormatError(f"expected a condition such as (le,5), got {text[:40]!r}")
        operator, operand = match[1], match[2]
        if operator in _COMPARISONS:
            if NUMBER.fullmatch(operand):
                return cls(operator, int(operand))
            return cls(operator, Variable(cell(operand)))
        if interval := re.fullmatch(r"([+-]?\d{1,9})\.\.([+-]?\d{1,9})", operand):
            return cls(operator, range(int(interval[1]), int(interval[2]) + 1))
        if not operand.startswith("{"):
            raise FormatError(f"expected 1..5 or {{1,4}} after {operator}, got {operand[:40]!r}")
        values = values_in(operand[1:-1].replace(",", " "), _MOST_ROWS)
        return cls(operator, frozenset(values))

    def holds(self, number: int, operand: int = 0) -> bool:
        """Return whether a number fulfils the condition.

        Args:
            number: the left side of the comparison.
            operand: the value of the right side, if that is a variable.
        """
        if self.operator == "in":
            return number in self.operand  # type: ignore[operator]  # values, by its operator
        if self.operator == "notin":
            return number not in self.operand  # type: ignore[operator]  # values
        other = self.operand if isinstance(self.operand, int) else operand
        return bool(_COMPARISONS[self.operator](number, other))


class _Fold:
    """An automaton that reads the cells of terms, and accumulates the values of the terms.

    Its state is the position in the cells, the values of the term that is being read, what the
    terms before it accumulate to, and the value of the operand, which is read first: None before.

    Attributes:
        cells: the cells that it reads.
        start: its first state.
        key: what determines it, apart from the function `accumulate`.
    """

    def __init__(
        self,
        domains: Sequence[frozenset[int]],
        terms: Sequence[Expression],
        start: Hashable,
        accumulate: Accumulate,
        condition: Condition,
        final: Callable[[Any], int | None] | None,
    ) -> None:
        """Take the values of each cell of the instance, and the arguments of `Rules.fold`."""
        placed = [in_order(term) for term in terms]
        for constant in [term for term, cells_of_term in placed if not cells_of_term]:
            start = accumulate(start, function_of(constant)(()))
        parts = [(term, cells_of_term) for term, cells_of_term in placed if cells_of_term]
        operand = condition.operand
        lead = [operand.cell] if isinstance(operand, Variable) else []
        own_cells = [cell for _, cells_of_term in parts for cell in cells_of_term]
        is_alike = len({term for term, _ in parts}) <= 1 and len(own_cells) == len(parts)
        self._condition, self._accumulate = condition, accumulate
        self._number_of = final or (lambda state: state)
        self._domains = tuple([domains[cell] for cell in own_cells])
        self._operands = domains[lead[0]] if lead else frozenset[int]()
        self._functions = [function_of(term) for term, _ in parts]
        self._counts = [len(cells_of_term) for _, cells_of_term in parts]
        self._terms_at = [term for term, count in enumerate(self._counts) for _ in range(count)]
        self._is_uniform = is_alike and final is not None
        self._allowed = frozenset[int]().union(*self._domains) if self._is_uniform else frozenset()
        self.cells = [*lead, *own_cells]
        self.start: Hashable = (0, (), start, None if lead else 0)
        self.key = (
            start,
            tuple([term for term, _ in parts][: 1 if self._is_uniform else None]),
            self._allowed if self._is_uniform else self._domains,
            condition.operator,
            self._operands if lead else operand,
        )

    def step(self, state: Any, value: int) -> Hashable | None:
        """Return the state after a value; None if it is not allowed, or a term has no value."""
        try:
            return self._after(value, *state)
        except ArithmeticError:
            return None

    def _after(
        self, value: int, position: int, pending: tuple[int, ...], total: Any, other: int | None
    ) -> Hashable | None:
        if other is None:
            return (0, (), total, value) if value in self._operands else None
        if self._is_uniform:
            if value not in self._allowed:
                return None
            total = self._accumulate(total, self._functions[0]((value,)))
            return None if self._number_of(total) is None else (0, (), total, other)
        if position >= len(self._domains) or value not in self._domains[position]:
            return None
        term = self._terms_at[position]
        pending = (*pending, value)
        if len(pending) < self._counts[term]:
            return (position + 1, pending, total, other)
        total = self._accumulate(total, self._functions[term](pending))
        return (position + 1, (), total, other)

    def accepts(self, state: Any) -> bool:
        """Return whether everything is read, and its number fulfils the condition."""
        position, _, total, other = state
        number = self._number_of(total)
        is_full = self._is_uniform or position == len(self._domains)
        if other is None or number is None or not is_full:
            return False
        return self._condition.holds(number, other)


class Rules:
    """Collects the units, the rules and the domains of a board.

    Attributes:
        low: the smallest value of the instance.
        n: the number of values of the board.
        first: the first displayed value.
        shift: how much larger displayed values are.
        domains: the values that each cell may hold, in the instance.
        units: cells that differ.
    """

    def __init__(self, variables: Variables) -> None:
        """Start with the domains of the variables.

        Raises:
            FormatError: there are too many values from the smallest to the largest.
        """
        self.domains = [*variables.domains]
        self.low = min(map(min, self.domains))
        high = max(map(max, self.domains))
        self.n = high - self.low + 1
        if self.n > MOST_VALUES:
            raise FormatError(
                f"XCSP3: expected at most {MOST_VALUES} values from the smallest to the largest "
                f"of all variables, got {self.low} to {high}"
            )
        self.first = self.low if 0 <= self.low <= MAX_FIRST else 0
        self.shift = self.first - self.low
        self.units: dict[tuple[int, ...], None] = {}
        self._rules: list[Rule] = []
        self._pairs: dict[tuple[int, ...], tuple[str, dict[tuple[int, int], None]]] = {}
        self._tables: dict[Hashable, tuple[int, ...]] = {}
        self._machines: dict[Hashable, Table] = {}
        self._work = 0

    def rules(self) -> list[Rule]:
        """Return all rules; pairs of cells with the same relation are one rule."""
        pairs = [Pairs((*cells,), table, name) for table, (name, cells) in self._pairs.items()]
        return [*pairs, *self._rules]

    def spend(self, amount: int) -> None:
        """Count work.

        Raises:
            FormatError: it is more than an instance may need.
        """
        self._work += amount
        if self._work > _MOST_WORK:
            raise FormatError(f"expected constraints of at most {_MOST_WORK:,} steps in all")

    def add(self, rules: Iterable[Rule]) -> None:
        """Add rules; those of single cells restrict their domains."""
        for rule in rules:
            match rule:
                case Holds():
                    values = frozenset(value - self.shift for value in rule.values)
                    for cell in rule.held:
                        self.domains[cell] &= values
                case Pairs():
                    assert isinstance(rule.related, tuple)
                    _, cells = self._pairs.setdefault(rule.related, (rule.name, {}))
                    cells.update(dict.fromkeys(rule.pairs))
                case _:
                    self._rules.append(rule)

    def differ(self, cells: Sequence[int]) -> None:
        """Add a unit of cells."""
        if len(cells) > self.n or len({*cells}) < len(cells):
            self.add(self.never())
        elif len(cells) > 1:
            self.units[tuple(sorted(cells))] = None

    def never(self) -> list[Rule]:
        """Return rules that no board satisfies."""
        return [Holds((0,), ())]

    def holds(self, cell: int, values: Iterable[int]) -> list[Rule]:
        """Return that a cell holds one of some values."""
        displayed = (self.low + position + self.shift for position in range(self.n))
        allowed = {value + self.shift for value in values}
        return [Holds((cell,), tuple([value for value in displayed if value in allowed]))]

    def relation(
        self, a: int, b: int, name: str, key: Hashable, related: Callable[[int, int], object]
    ) -> list[Rule]:
        """Return that the values of two cells are related; the key identifies the relation."""
        values = range(self.low, self.low + self.n)
        if a == b:
            return self.holds(a, [value for value in values if related(value, value)])
        table = self._tables.get(key)
        if table is None:
            self.spend(self.n**2)
            table = self._tables[key] = tuple(
                [
                    sum([1 << position for position, w in enumerate(values) if related(v, w)])
                    for v in values
                ]
            )
        return [Pairs(((a, b),), table, name)]

    def table(
        self, cells: Sequence[int], rows: Sequence[Row], name: str, key: Hashable
    ) -> list[Rule]:
        """Return that cells hold the values of one of some rows."""
        if len(cells) == 1:
            any_value = (None,) in rows
            chosen = self.domains[cells[0]] if any_value else {row[0] for row in rows}
            return self.holds(cells[0], [value for value in chosen if value is not None])
        if not rows:
            return self.never()
        if len(cells) == 2:
            pairs = {*rows}

            def related(v: int, w: int) -> bool:
                return not pairs.isdisjoint([(v, w), (None, w), (v, None), (None, None)])

            return self.relation(cells[0], cells[1], name, key, related)
        fields = self._machines.get(key)
        if fields is None:
            fields = self._machines[key] = self._trie(rows, len(cells))
        return [_line(cells, fields, name)]

    def _trie(self, rows: Iterable[Row], size: int) -> Table:
        """Return the automaton that reads one of some rows."""
        values = range(self.low, self.low + self.n)
        nodes: dict[tuple[int, int | None], int] = {}
        steps: dict[tuple[int, int, int], None] = {}
        end = 1
        for row in dict.fromkeys(rows):
            if any(value is not None and value not in values for value in row):
                continue
            state = 0
            for position, value in enumerate(row, start=1):
                key = (state, value)
                target = end if position == size else nodes.setdefault(key, len(nodes) + 2)
                for each in values if value is None else (value,):
                    steps[state, each + self.shift, target] = None
                state = target
            if len(steps) > _MOST_STEPS:
                raise FormatError(f"expected a table of at most {_MOST_STEPS:,} values")
        self.spend(len(steps) * self._length(size))
        return (0,), (*steps,), (end,)

    def machine(
        self,
        cells: Sequence[int],
        name: str,
        key: Hashable,
        start: Hashable,
        step: Callable[[Any, int], Hashable | None],
        accept: Callable[[Any], object],
    ) -> list[Rule]:
        """Return that a machine accepts the values of cells in order; the key identifies it."""
        fields = self._machines.get(key)
        if fields is None:
            calls, length = 0, self._length(len(cells))

            def counted(state: Any, value: int) -> Hashable | None:
                nonlocal calls
                calls += 1
                if calls * length > _MOST_WORK:
                    raise FormatError(f"expected an automaton of at most {_MOST_WORK:,} steps")
                return step(state, value)

            machine = machine_of_steps(self.n, start, counted, accept, self.low)
            self.spend(calls * length)
            table = tuple([(a, value + self.first - 1, b) for a, value, b in machine.transitions])
            if len(table) > _MOST_STEPS:
                raise FormatError(f"{name}: expected an automaton of at most {_MOST_STEPS:,} steps")
            starts, ends = (tuple(bits_of(s)) for s in (machine.starts, machine.accepting))
            fields = self._machines[key] = (starts, table, ends)
        return [_line(cells, fields, name)]

    def steps(
        self,
        cells: Sequence[int],
        name: str,
        key: Hashable,
        starts: Sequence[int],
        steps: Iterable[tuple[int, int, int]],
        ends: Sequence[int],
    ) -> list[Rule]:
        """Return that cells are read by the steps of an automaton."""
        key = (key, len(cells))
        fields = self._machines.get(key)
        if fields is None:
            inside = range(self.low, self.low + self.n)
            table = tuple([(a, v + self.shift, b) for a, v, b in steps if v in inside])
            if len(table) > _MOST_STEPS:
                raise FormatError(f"{name}: expected at most {_MOST_STEPS:,} transitions")
            near = _within(len(cells), starts, table)
            self.spend(len(table) * self._length(len(cells)))
            table = tuple([step for step in table if step[0] in near])
            fields = self._machines[key] = (tuple(starts), table, tuple(ends))
        return [_line(cells, fields, name)]

    def _length(self, count: int) -> int:
        """Return the work for each step of an automaton that reads this many cells.

        To merge its states takes time in proportion to them and to the length of the line.
        """
        return 1 + count // (_MERGED * self.n)

    def fold(
        self,
        name: str,
        terms: Sequence[Expression],
        start: Hashable,
        accumulate: Accumulate,
        condition: Condition,
        key: Hashable = None,
        final: Callable[[Any], int | None] | None = None,
    ) -> list[Rule]:
        """Return that what terms accumulate to fulfils a condition.

        Args:
            name: the name of the constraint.
            terms: the terms, in any order.
            start: the state before the first term.
            accumulate: the state after a term, from the state before and its value.
            condition: the condition on the number of the last state.
            key: what determines the function `accumulate`, apart from the name.
            final: the number that a state stands for; None for a state that no accepted line has.
                Without this function there may be any number of states, so that the automaton
                has to know how many cells it has read.
        """
        fold = _Fold(self.domains, terms, start, accumulate, condition, final)
        if not fold.cells:
            return [] if fold.accepts(fold.start) else self.never()
        full_key = (name, key, *fold.key)
        return self.machine(fold.cells, name, full_key, fold.start, fold.step, fold.accepts)

    def sum(self, terms: Sequence[Expression], condition: Condition) -> list[Rule]:
        """Return that the sum of terms fulfils a condition."""
        operand = condition.operand
        both = [*terms, Operation("neg", (operand,))] if isinstance(operand, Variable) else terms
        weights: dict[int, int] = {}
        constant = 0
        for part in map(linear, both):
            if part is None:
                return self.fold("sum", terms, 0, lambda total, value: total + value, condition)
            for cell, weight in part[0].items():
                weights[cell] = weights.get(cell, 0) + weight
            constant += part[1]
        weights = {cell: weight for cell, weight in weights.items() if weight}
        total = operand if isinstance(operand, int) else 0
        match condition.operator:
            case "in" if isinstance(operand, range):
                low = self.comparison(weights, "ge", operand.start - constant)
                return [*low, *self.comparison(weights, "le", operand.stop - 1 - constant)]
            case "in" | "notin":
                return self.fold("sum", terms, 0, lambda total, value: total + value, condition)
        return self.comparison(weights, condition.operator, total - constant)

    def comparison(self, weights: dict[int, int], operator: str, total: int) -> list[Rule]:
        """Return how a weighted sum of cells compares with a total."""
        compare = _COMPARISONS[operator]
        cells = tuple(weights)
        if not cells:
            return [] if compare(0, total) else self.never()
        if len(cells) == 1:
            weight = weights[cells[0]]
            values = range(self.low, self.low + self.n)
            return self.holds(cells[0], [v for v in values if compare(weight * v, total)])
        factors = tuple(weights.values())
        if len(cells) == 2:
            first, other = factors
            key = ("comparison", first, other, operator, total)
            return self.relation(
                cells[0],
                cells[1],
                operator,
                key,
                lambda v, w: compare(first * v + other * w, total),
            )
        if operator == "ne":
            terms = [Operation("mul", (weight, Variable(cell))) for cell, weight in weights.items()]
            condition = Condition("ne", total)
            return self.fold("sum", terms, 0, lambda sum_so_far, v: sum_so_far + v, condition)
        total += self.shift * sum(factors) + {"lt": -1, "gt": 1}.get(operator, 0)
        if operator == "eq" and {*factors} == {1}:
            return [SumOfCells(cells, total)]
        sign = {"eq": "=", "lt": "<=", "le": "<=", "gt": ">=", "ge": ">="}[operator]
        return [WeightedSum(cells, factors, total, sign)]

    def expression(self, expression: Expression) -> list[Rule]:
        """Return that an expression is true.

        Raises:
            FormatError: it is too large for a table, and not made of smaller ones.
        """
        placed, cells = in_order(expression)
        if len(cells) < 3:
            return self._small(placed, cells)
        match expression:
            case Operation("and", arguments):
                return [rule for part in arguments for rule in self.expression(part)]
            case Operation("not", (argument,)) if (opposite := negated(argument)) != expression:
                return self.expression(opposite)
            case Operation("imp", (condition, then)):
                return self.expression(Operation("or", (negated(condition), then)))
            case Operation(name, (left, right)) if name in _COMPARISONS:
                if (sides := linear(Operation("sub", (left, right)))) is not None:
                    weights = {cell: weight for cell, weight in sides[0].items() if weight}
                    return self.comparison(weights, name, -sides[1])
        is_clause = isinstance(expression, Operation) and expression.name == "or"
        size = prod(len(self.domains[cell]) for cell in cells)
        if is_clause and (size > _MOST_ROWS or self._is_of_literals(expression)):
            assert isinstance(expression, Operation)
            branches = [self.expression(part) for part in expression.arguments]
            return [AnyOf(tuple(map(tuple, branches)))] if all(branches) else []
        if size > _MOST_ROWS:
            raise FormatError(
                f"expected an expression of at most {_MOST_ROWS:,} assignments, got {size:,}"
            )
        domains = tuple([tuple(sorted(self.domains[cell])) for cell in cells])
        key = ("intension", placed, domains)
        if key in self._machines:
            return [_line(cells, self._machines[key], "intension")]
        self.spend(size)
        function = function_of(placed)
        rows = [row for row in product(*domains) if is_true(function, row)]
        return self.table(cells, rows, "intension", key)

    def _small(self, placed: Expression, cells: Sequence[int]) -> list[Rule]:
        """Return that an expression of up to two cells is true."""
        function = function_of(placed)
        if not cells:
            return [] if is_true(function, ()) else self.never()
        if len(cells) == 1:
            domain = self.domains[cells[0]]
            return self.holds(cells[0], [v for v in domain if is_true(function, (v,))])
        name = placed.name if isinstance(placed, Operation) else "intension"
        key = ("intension", placed)
        a, b = cells
        return self.relation(a, b, name, key, lambda v, w: is_true(function, (v, w)))

    def _is_of_literals(self, expression: Expression) -> bool:
        """Return whether each argument of an operation is about one cell."""
        arguments = expression.arguments if isinstance(expression, Operation) else ()
        return all(len({*cells_of(argument)}) == 1 for argument in arguments)


def _within(count: int, starts: Iterable[int], table: Steps) -> set[int]:
    """Return the states that are reached before the last of a number of steps."""
    targets: dict[int, list[int]] = {}
    for state, _, target in table:
        targets.setdefault(state, []).append(target)
    reached = {*starts}
    edge = [*reached]
    for _ in range(count - 1):
        edge = [*{t for state in edge for t in targets.get(state, ()) if t not in reached}]
        if not edge:
            break
        reached.update(edge)
    return reached


def _line(cells: Sequence[int], table: Table, name: str) -> Line:
    starts, steps, ends = table
    return Line(tuple(cells), starts, steps, ends, name)


def negated(expression: Expression) -> Expression:
    """Return the opposite of an expression."""
    match expression:
        case Operation("not", (argument,)):
            return argument
        case Operation("and", arguments):
            return Operation("or", tuple(map(negated, arguments)))
        case Operation("or", arguments):
            return Operation("and", tuple(map(negated, arguments)))
        case Operation("imp", (condition, then)):
            return Operation("and", (condition, negated(then)))
        case Operation(name, (left, right)) if name in _NEGATED:
            return Operation(_NEGATED[name], (left, right))
    return Operation("not", (expression,))
