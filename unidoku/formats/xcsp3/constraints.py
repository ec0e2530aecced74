"""What each constraint of XCSP3 says, in units and rules.

The format is described by Boussemart, Lecoutre, Audemard and Piette, "XCSP3: an integrated format
for benchmarking combinatorial constrained problems" (arXiv:1611.03398), and the subset of
competitions in "XCSP3-core" (arXiv:2009.00514).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import Any

from unidoku.core.rules import LinesDiffer, Rule
from unidoku.errors import FormatError, LayoutError
from unidoku.formats.xcsp3.elements import Element
from unidoku.formats.xcsp3.expressions import (
    NUMBER,
    Expression,
    Operation,
    Variable,
    expression_of,
)
from unidoku.formats.xcsp3.rules import Condition, Row, Rules
from unidoku.formats.xcsp3.templates import each_constraint
from unidoku.formats.xcsp3.texts import MOST_NUMBERS, first_of, rows_of, rows_of_numbers, text_of
from unidoku.formats.xcsp3.variables import Variables, values_in

_MOST_CONSTRAINTS = 200_000

_PAIR = 12
"""The work that an expression of a pair of terms takes, compared with one step."""


class Constraints:
    """Adds the constraints of an instance to rules."""

    def __init__(self, variables: Variables, rules: Rules) -> None:
        """Start with variables and rules, which are added to."""
        self._variables, self._rules = variables, rules
        self._rows: dict[str, Sequence[Row]] = {}
        self._count = 0

    def add(self, element: Element) -> None:
        """Add a constraint, or those of a block, a group or a slide.

        Raises:
            FormatError: it is not supported, or not valid; the message states the line.
        """
        for part in each_constraint(element, self._variables.names_in):
            self._add_single(part)

    def _add_single(self, element: Element) -> None:
        reader = _READERS.get(element.tag)
        if reader is None:
            known = " ".join(sorted(_READERS))
            raise element.error(
                f"constraint <{element.tag[:40]}> is not supported; those supported: {known}"
            )
        self._count += 1
        if self._count > _MOST_CONSTRAINTS:
            raise element.error(f"expected at most {_MOST_CONSTRAINTS:,} constraints, got more")
        try:
            self._rules.add(reader(self, element))
        except FormatError as error:
            if error.line:
                raise
            raise element.error(f"<{element.tag}>: {error.message}") from error
        except LayoutError as error:
            raise element.error(f"<{element.tag}>: {error}") from error

    def terms(self, text: str) -> list[Expression]:
        """Return the expressions that a text lists."""
        terms: list[Expression] = []
        for word in self._variables.names_in(text):
            if "(" in word:
                terms.append(expression_of(word, self._variables.cell))
            elif NUMBER.fullmatch(word):
                terms.append(int(word))
            else:
                terms.append(Variable(self._variables.cell(word)))
        return terms

    def cells(self, text: str) -> tuple[int, ...]:
        """Return the cells that a text lists, at least one."""
        cells = self._variables.cells(text)
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
        return Condition.of(element.needed("condition").text, self._variables.cell)

    def _table(self, text: str, size: int) -> Sequence[Row]:
        """Return the rows of a table, each of this size; equal texts are read once."""
        if text not in self._rows:
            self._rows[text] = [*rows_of(text, size)]
        rows = self._rows[text]
        if wrong := [row for row in rows if len(row) != size]:
            raise FormatError(f"expected tuples of {size} values, got one of {len(wrong[0])}")
        return rows

    def intension(self, element: Element) -> list[Rule]:
        """An expression is true."""
        element.check("function")
        text = text_of(element, "function")
        return self._rules.expression(expression_of(text, self._variables.cell))

    def extension(self, element: Element) -> list[Rule]:
        """The values are among some tuples, or not among them."""
        element.check("list supports conflicts", "type")
        cells = self.cells(element.needed("list").text)
        supports, conflicts = element.child("supports"), element.child("conflicts")
        part = supports or conflicts
        if part is None or (supports and conflicts):
            raise FormatError("expected either <supports> or <conflicts>")
        part.check()
        rows = self._table(part.text, len(cells))
        key = ("extension", part.tag, part.text)
        if supports:
            return self._rules.table(cells, rows, "table", key)
        return self._conflicts(cells, rows, key)

    def _conflicts(self, cells: Sequence[int], rows: Sequence[Row], key: object) -> list[Rule]:
        if len(cells) == 1:
            values = [v for v in self._rules.domains[cells[0]] if not {(v,), (None,)} & {*rows}]
            return self._rules.holds(cells[0], values)
        nodes: dict[tuple[int, int], int] = {}
        for row in rows:
            if None in row:
                raise FormatError("conflicts with * are not supported")
            state = 0
            for value in row:
                assert value is not None
                state = nodes.setdefault((state, value), len(nodes) + 1)
        self._rules.spend(len(nodes))
        size, free = len(cells), -1
        depth = [0] * (len(nodes) + 1)
        for (state, _), node in nodes.items():
            depth[node] = depth[state] + 1
        if size == 2:
            pairs = {*rows}
            return self._rules.relation(
                cells[0], cells[1], "table", key, lambda v, w: (v, w) not in pairs
            )

        def step(state: int, value: int) -> int:
            return free if state == free else nodes.get((state, value), free)

        return self._rules.machine(
            cells, "table", key, 0, step, lambda state: state == free or depth[state] < size
        )

    def all_different(self, element: Element) -> list[Rule]:
        """Variables, expressions, lists, or the rows and columns of a matrix differ."""
        element.check("list matrix except")
        exceptions = element.child("except")
        if matrix := element.child("matrix"):
            rows = self._variables.matrix(matrix.text)
            if exceptions:
                raise FormatError("<matrix> with <except> is not supported")
            for line in (*rows, *zip(*rows, strict=True)):
                self._rules.differ(line)
            return []
        lists = [*element.named("list")]
        if len(lists) > 1:
            lines = [self.cells(each.text) for each in lists]
            if exceptions or len({*map(len, lines)}) > 1:
                raise FormatError("expected lists of one length without <except>")
            self._rules.spend(len(lines) ** 2)
            return [LinesDiffer(a, b) for a, b in combinations(lines, 2)]
        terms = self.terms(text_of(element, "list"))
        if not exceptions and all(isinstance(term, Variable) for term in terms):
            self._rules.differ([term.cell for term in terms if isinstance(term, Variable)])
            return []
        self._rules.spend(_PAIR * len(terms) ** 2)
        others = values_in(exceptions.text, MOST_NUMBERS) if exceptions else []
        return [
            rule
            for a, b in combinations(terms, 2)
            for rule in self._rules.expression(_unless(Operation("ne", (a, b)), a, others))
        ]

    def all_equal(self, element: Element) -> list[Rule]:
        """All terms are equal."""
        element.check("list")
        terms = self.terms(text_of(element, "list"))
        equal = [Operation("eq", pair) for pair in pairwise(terms)]
        return [rule for pair in equal for rule in self._rules.expression(pair)]

    def ordered(self, element: Element) -> list[Rule]:
        """Each term, plus a length, is in order with the next."""
        element.check("list lengths operator", "case")
        terms = self.terms(text_of(element, "list"))
        operator = self._operator(element)
        lengths: list[Expression] = [0] * (len(terms) - 1)
        if part := element.child("lengths"):
            lengths = self.terms(part.text)[: len(terms) - 1]
            if len(lengths) < len(terms) - 1:
                raise FormatError("expected a length between each two terms")
        rules: list[Rule] = []
        for (a, b), length in zip(pairwise(terms), lengths, strict=True):
            before = Operation("add", (a, length)) if length else a
            rules += self._rules.expression(Operation(operator, (before, b)))
        return rules

    def _operator(self, element: Element) -> str:
        part = element.child("operator")
        name = part.text if part else element.attributes.get("case", "")
        names = {"strictlyIncreasing": "lt", "increasing": "le"}
        names |= {"strictlyDecreasing": "gt", "decreasing": "ge"}
        operator = names.get(name, name)
        if operator not in ("lt", "le", "ge", "gt"):
            raise FormatError(f"expected the operator lt, le, ge or gt, got {name[:40]!r}")
        return operator

    def lex(self, element: Element) -> list[Rule]:
        """Lists, or the rows and the columns of a matrix, are in lexicographic order."""
        element.check("list matrix operator")
        operator = self._operator(element)
        if matrix := element.child("matrix"):
            rows = self._variables.matrix(matrix.text)
            groups: list[Sequence[Sequence[int]]] = [rows, [*zip(*rows, strict=True)]]
        else:
            groups = [[self.cells(each.text) for each in element.named("list")]]
        rules: list[Rule] = []
        for a, b in (pair for lines in groups for pair in pairwise(lines)):
            if len(a) != len(b):
                raise FormatError("expected lists of one length")
            if operator in ("gt", "ge"):
                a, b = b, a
            rules += self._lex(a, b, is_strict=operator in ("lt", "gt"))
        return rules

    def _lex(self, a: Sequence[int], b: Sequence[int], *, is_strict: bool) -> list[Rule]:
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
        return self._rules.machine(
            cells, "lex", ("lex", is_strict), equal, step, lambda state: state in ends
        )

    def sum(self, element: Element) -> list[Rule]:
        """A weighted sum fulfils a condition."""
        element.check("list coeffs condition")
        terms = self.terms(text_of(element, "list"))
        if part := element.child("coeffs"):
            factors = self._numbers_or_terms(part.text)
            if len(factors) != len(terms):
                raise FormatError(f"expected {len(terms)} coefficients, got {len(factors)}")
            terms = [Operation("mul", pair) for pair in zip(factors, terms, strict=True)]
        return self._rules.sum(terms, self.condition(element))

    def count(self, element: Element) -> list[Rule]:
        """The number of terms that have one of some values fulfils a condition."""
        element.check("list values condition")
        terms = self.terms(text_of(element, "list"))
        values = self.terms(element.needed("values").text)
        if len(values) == 1 and not isinstance(values[0], int):
            equal = [Operation("eq", (term, values[0])) for term in terms]
            return self._rules.sum(equal, self.condition(element))
        if not all(isinstance(value, int) for value in values):
            raise FormatError("expected numbers as values, or one variable")
        return self._count_of(terms, frozenset(values), self.condition(element))

    def _count_of(
        self, terms: Sequence[Expression], values: frozenset[Expression], condition: Condition
    ) -> list[Rule]:
        most = len(terms)
        return self._rules.fold(
            "count",
            terms,
            0,
            lambda count, value: count + (value in values),
            condition,
            values,
            lambda count: count if count <= most else None,
        )

    def n_values(self, element: Element) -> list[Rule]:
        """The number of different values fulfils a condition."""
        element.check("list except condition")
        part = element.child("except")
        others = frozenset(values_in(part.text, MOST_NUMBERS) if part else ())
        return self._rules.fold(
            "nValues",
            self.terms(text_of(element, "list")),
            frozenset(),
            lambda seen, value: seen if value in others else seen | {value},
            self.condition(element),
            others,
            len,
        )

    def cardinality(self, element: Element) -> list[Rule]:
        """Each of some values occurs a number of times."""
        element.check("list values occurs", "")
        terms = self.terms(element.needed("list").text)
        part = element.needed("values")
        part.check("", "closed")
        values = values_in(part.text, MOST_NUMBERS)
        occurs = self._variables.names_in(element.needed("occurs").text)
        if all(re.fullmatch(r"\d+(?:x\d+)?", word) for word in occurs):
            occurs = [*map(str, values_in(" ".join(occurs), MOST_NUMBERS))]
        if len(occurs) != len(values):
            raise FormatError(f"expected a number of each of {len(values)} values")
        rules: list[Rule] = []
        for value, times in zip(values, occurs, strict=True):
            operator = "in" if ".." in times else "eq"
            condition = Condition.of(f"({operator},{times})", self._variables.cell)
            rules += self._count_of(terms, frozenset([value]), condition)
        if part.attributes.get("closed") == "true":
            for term in terms:
                allowed = [Operation("eq", (term, value)) for value in values]
                either = Operation("or", tuple(allowed)) if len(allowed) > 1 else allowed[0]
                rules += self._rules.expression(either)
        return rules

    def minimum(self, element: Element) -> list[Rule]:
        """The least term fulfils a condition."""
        return self._extreme(element, min)

    def maximum(self, element: Element) -> list[Rule]:
        """The largest term fulfils a condition."""
        return self._extreme(element, max)

    def _extreme(self, element: Element, choose: Callable[[int, int], int]) -> list[Rule]:
        element.check("list condition")

        def accumulate(best: int | None, value: int) -> int:
            return value if best is None else choose(best, value)

        terms = self.terms(text_of(element, "list"))
        return self._rules.fold(
            element.tag, terms, None, accumulate, self.condition(element), final=lambda best: best
        )

    def element(self, element: Element) -> list[Rule]:
        """The term at a position of a list, or of a matrix, fulfils a condition."""
        element.check("list matrix index value condition")
        if part := element.child("value"):
            wanted = self.term(part.text)
            operand = wanted if isinstance(wanted, int | Variable) else None
            if operand is None:
                raise FormatError("expected a variable or a number as <value>")
            condition = Condition("eq", operand)
        else:
            condition = self.condition(element)
        index = element.child("index")
        if index is None:
            return self._member(self.terms(element.needed("list").text), condition)
        index.check()
        if matrix := element.child("matrix"):
            matrix.check("", "startRowIndex startColIndex")
            rows: list[list[Expression]]
            if NUMBER.search(matrix.text.partition(",")[0].strip(" (\n")[:1] or "x"):
                rows = [[*map(int, row)] for row in rows_of_numbers(matrix.text)]
            else:
                rows = [[*map(Variable, row)] for row in self._variables.matrix(matrix.text)]
            firsts = [first_of(matrix, "startRowIndex"), first_of(matrix, "startColIndex")]
            terms = [term for row in rows for term in row]
            sides = [len(rows), len(rows[0])]
        else:
            part = element.needed("list")
            part.check("", "startIndex")
            terms = self._numbers_or_terms(part.text)
            firsts, sides = [first_of(part, "startIndex")], [len(terms)]
        cells = self.cells(index.text)
        if len(cells) != len(sides):
            raise FormatError(f"expected {len(sides)} variables as <index>, got {len(cells)}")
        return self._at_index(cells, firsts, sides, terms, condition)

    def _numbers_or_terms(self, text: str) -> list[Expression]:
        """Return terms, or numbers that may be written as ``3x5`` or ``1..9``."""
        if all(re.match(r"[+-]?\d", word) for word in text.split()):
            return [*values_in(text, MOST_NUMBERS)]
        return self.terms(text)

    def _member(self, terms: Sequence[Expression], condition: Condition) -> list[Rule]:
        """Return that a term is equal to an operand."""
        operand = condition.operand
        if condition.operator != "eq" or not isinstance(operand, int | Variable):
            raise FormatError("expected <index> or <value>")
        equal = [Operation("eq", (term, operand)) for term in terms]
        return self._rules.sum(equal, Condition("ge", 1))

    def _at_index(
        self,
        index: Sequence[int],
        firsts: Sequence[int],
        sides: Sequence[int],
        terms: Sequence[Expression],
        condition: Condition,
    ) -> list[Rule]:
        """Return that the term at an index fulfils a condition.

        The machine reads the index and the operand, and then the variables of the list: it counts
        down to the one that it has to compare.
        """
        if not all(isinstance(term, int | Variable) for term in terms):
            raise FormatError("expected variables or numbers in <list>")
        reading = [term.cell for term in terms if isinstance(term, Variable)]
        order = {
            position: at
            for at, position in enumerate(
                position for position, term in enumerate(terms) if isinstance(term, Variable)
            )
        }
        operand = condition.operand
        lead = [*index, *([operand.cell] if isinstance(operand, Variable) else [])]
        domains = tuple([self._rules.domains[cell] for cell in lead])

        def step(state: Any, value: int) -> object:
            read, left = state
            if len(read) < len(lead):
                if value not in domains[len(read)]:
                    return None
                read = (*read, value)
                return start_of(read) if len(read) == len(lead) else (read, None)
            if left is None:
                return state
            if left:
                return (read, left - 1)
            return done if condition.holds(value, read[-1]) else None

        done = ((0,) * len(lead), None)

        def start_of(read: tuple[int, ...]) -> object:
            position = 0
            for value, first, side in zip(read, firsts, sides, strict=False):
                if not 0 <= value - first < side:
                    return None
                position = position * side + value - first
            term = terms[position]
            if isinstance(term, int):
                return done if condition.holds(term, read[-1]) else None
            wanted = read[-1] if isinstance(operand, Variable) else 0
            return ((0,) * (len(lead) - 1) + (wanted,), order[position])

        key = (
            "element",
            tuple([term if isinstance(term, int) else None for term in terms]),
            tuple(firsts),
            tuple(sides),
            domains,
            condition.operator,
            None if isinstance(operand, Variable) else operand,
        )
        accept = lambda state: len(state[0]) == len(lead) and state[1] is None  # noqa: E731
        start: tuple[tuple[int, ...], None] = ((), None)
        return self._rules.machine([*lead, *reading], "element", key, start, step, accept)

    def regular(self, element: Element) -> list[Rule]:
        """An automaton accepts the values."""
        element.check("list transitions start final")
        start = element.needed("start").text
        finals = element.needed("final").text.split()
        return self._automaton(element, lambda steps: ([start], finals))

    def mdd(self, element: Element) -> list[Rule]:
        """A diagram has a path of the values from its root to its end."""
        element.check("list transitions")

        def ends(steps: Sequence[tuple[str, int, str]]) -> tuple[list[str], list[str]]:
            sources, targets = {a for a, _, _ in steps}, {b for _, _, b in steps}
            return sorted(sources - targets), sorted(targets - sources)

        return self._automaton(element, ends)

    def _automaton(
        self,
        element: Element,
        ends: Callable[[Sequence[tuple[str, int, str]]], tuple[list[str], list[str]]],
    ) -> list[Rule]:
        cells = self.cells(element.needed("list").text)
        text = element.needed("transitions").text
        steps = [
            (found[1], int(found[2]), found[3])
            for found in re.finditer(
                r"\(\s*([\w.]+)\s*,\s*([+-]?\d{1,9})\s*,\s*([\w.]+)\s*\)", text
            )
        ]
        if len(steps) != text.count("("):
            raise FormatError("expected transitions such as (q0,1,q1)")
        starts, finals = ends(steps)
        names: dict[str, int] = {}
        numbered = [
            (names.setdefault(a, len(names)), value, names.setdefault(b, len(names)))
            for a, value, b in steps
        ]
        first, last = (
            [names.setdefault(state, len(names)) for state in states] for states in (starts, finals)
        )
        key = (element.tag, text, tuple(first), tuple(last))
        return self._rules.steps(cells, element.tag, key, first, numbered, last)

    def channel(self, element: Element) -> list[Rule]:
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
            sides = [(self.cells(text), first)] * 2
        else:
            sides = [(self.cells(part.text), first_of(part, "startIndex")) for part in lists[:2]]
        if len(lists) > 2:
            raise FormatError(f"expected one or two lists, got {len(lists)}")
        (xs, first_x), (ys, first_y) = sides
        if len(xs) > len(ys):
            raise FormatError("expected a second list that is at least as long")
        is_both = len(xs) == len(ys)
        self._rules.spend(len(xs) * len(ys))
        rules: list[Rule] = []
        for at, x in enumerate(xs):
            inside = {position + first_y for position in range(len(ys))} & self._rules.domains[x]
            rules += self._rules.holds(x, inside)
            for position, y in enumerate(ys):
                to, back = position + first_y, at + first_x

                def related(v: int, w: int, to: int = to, back: int = back) -> bool:
                    return (v != to or w == back) and (not is_both or w != back or v == to)

                key = ("channel", to, back, is_both)
                rules += self._rules.relation(x, y, "channel", key, related)
        return rules

    def instantiation(self, element: Element) -> list[Rule]:
        """Variables have values."""
        element.check("list values")
        cells = self.cells(element.needed("list").text)
        text = element.needed("values").text
        words = text.split()
        if "*" not in words:
            words = [*map(str, values_in(text, MOST_NUMBERS))]
        if len(words) != len(cells):
            raise FormatError(f"expected {len(cells)} values, got {len(words)}")
        rules: list[Rule] = []
        for cell, word in zip(cells, words, strict=True):
            if word != "*":
                rules += self._rules.holds(cell, values_in(word, 1))
        return rules

    def clause(self, element: Element) -> list[Rule]:
        """One of some variables is 1, or one of some others 0."""
        element.check("list")
        text = text_of(element, "list")
        literals: list[Expression] = []
        for term in self.terms(text):
            match term:
                case Operation("not", (Variable() as variable,)):
                    literals.append(Operation("eq", (variable, 0)))
                case Variable():
                    literals.append(Operation("eq", (term, 1)))
                case _:
                    raise FormatError(f"expected literals such as x not(y), got {text[:40]!r}")
        return self._rules.expression(
            Operation("or", tuple(literals)) if len(literals) > 1 else literals[0]
        )

    def precedence(self, element: Element) -> list[Rule]:
        """A value does not occur before the value listed before it has occurred."""
        element.check("list values")
        terms = self.cells(text_of(element, "list"))
        part = element.child("values")
        domain = sorted(frozenset().union(*[self._rules.domains[cell] for cell in terms]))
        values = tuple(values_in(part.text, MOST_NUMBERS) if part else domain)
        places = {value: position for position, value in enumerate(values)}

        def step(seen: int, value: int) -> int | None:
            position = places.get(value, -1)
            return None if position > seen else max(seen, position + 1)

        key = ("precedence", values)
        return self._rules.machine(terms, "precedence", key, 0, step, lambda seen: True)


def _unless(expression: Expression, term: Expression, values: Sequence[Expression]) -> Expression:
    """Return that an expression is true, unless a term has one of some values."""
    if not values:
        return expression
    return Operation("or", (expression, *[Operation("eq", (term, value)) for value in values]))


_READERS: Mapping[str, Callable[[Constraints, Element], list[Rule]]] = MappingProxyType(
    {
        "allDifferent": Constraints.all_different,
        "allEqual": Constraints.all_equal,
        "cardinality": Constraints.cardinality,
        "channel": Constraints.channel,
        "clause": Constraints.clause,
        "count": Constraints.count,
        "element": Constraints.element,
        "extension": Constraints.extension,
        "instantiation": Constraints.instantiation,
        "intension": Constraints.intension,
        "lex": Constraints.lex,
        "maximum": Constraints.maximum,
        "mdd": Constraints.mdd,
        "minimum": Constraints.minimum,
        "nValues": Constraints.n_values,
        "ordered": Constraints.ordered,
        "precedence": Constraints.precedence,
        "regular": Constraints.regular,
        "sum": Constraints.sum,
    }
)
