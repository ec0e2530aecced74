"""A board as a 0-1 program: pseudo-Boolean (OPB), LP, MPS, and toulbar2's cost functions (CFN)."""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from unidoku.backends.languages.model import BoardModel
from unidoku.backends.toolkit.linear import LinearProgram, Row, rows_of_rules


class _Program:
    """The rows of a board over variables that are 0 or 1, numbered from 0.

    In the readable form, `words` has the comments before a row.
    """

    def __init__(self, model: BoardModel) -> None:
        true, false = model.decided()
        self.fixed = dict.fromkeys(true, 1) | dict.fromkeys(false, 0)
        self.rows: list[Row] = []
        self.words: dict[int, list[str]] = {}
        if model.readable:
            self._add_parts(model)
        else:
            program = LinearProgram(model.board.layout, model.budget)
            self._add(program.rows(), model)
            self.whole = program.whole
            self.size = len(self.whole)
        for clause in model.excluded():
            candidates = [-literal - 1 for literal in clause]
            self.rows.append((-math.inf, len(clause) - 1, candidates, (1,) * len(clause)))
        columns = model.columns()
        self.names = [*columns, *(f"x{at + 1}" for at in range(len(columns), self.size))]

    def _add(self, rows: Iterable[Row], model: BoardModel, words: Sequence[str] = ()) -> None:
        self.words[len(self.rows)] = [*words]
        for row in rows:
            model.budget.check_time()
            self.rows.append(_merged(row))

    def _add_parts(self, model: BoardModel) -> None:
        """Add the rows of each part of the readable form, with its words."""
        n, flows = model.board.layout.n, set[int]()
        self.size = model.lowered.size
        cells = [range(start, start + n) for start in range(0, self.size, n)]
        self._add(((1, 1, cell, (1,) * n) for cell in cells), model, ["each cell has one value"])
        for part in (*model.units(), *model.rules()):
            groups = [
                (int(len(group) == n), 1, [cell * n + value for cell in group], (1,) * len(group))
                for group in part.distinct
                for value in range(n)
            ]
            relations = (*part.lowered.relations, *(relation for _, relation in part.comparisons))
            rules = rows_of_rules(replace(part.lowered, relations=relations), self.size, flows)
            rows = [*groups, *rules]
            self._add(rows, model, part.comments)
            self.fixed |= dict.fromkeys(part.false, 0)
            self.size = max((self.size, *(1 + max(row[2], default=-1) for row in rows)))
        self.whole = [at not in flows for at in range(self.size)]

    def bounds(self) -> Iterator[tuple[list[str], str, int, Row]]:
        """Yield each row as one relation or two: ``=``, or ``>=`` and ``<=``.

        Each has the comments before it, and its number.
        """
        for index, row in enumerate(self.rows):
            words = self.words.get(index, [])
            low, high, *_ = row
            if low == high:
                yield words, "=", int(low), row
                continue
            if low > -math.inf:
                yield words, ">=", int(low), row
                words = []
            if high < math.inf:
                yield words, "<=", int(high), row


def _merged(row: Row) -> Row:
    """Return a row in which each variable occurs once."""
    low, high, columns, weights = row
    total: defaultdict[int, int] = defaultdict(int)
    for column, weight in zip(columns, weights, strict=True):
        total[column] += weight
    weight_of = {column: weight for column, weight in total.items() if weight}
    return low, high, [*weight_of], [*weight_of.values()]


def write_opb(model: BoardModel) -> Iterator[str]:
    """Yield the lines of an OPB file: candidate k is the variable x(k + 1)."""
    program = _Program(model)
    fixed: list[tuple[list[str], str, int, Row]] = [
        ([], "=", value, (0, 0, [at], [1])) for at, value in program.fixed.items()
    ]
    relations: list[tuple[list[str], str, int, Row]] = [*program.bounds(), *fixed]
    count = len(relations)
    yield f"* #variable= {program.size} #constraint= {count}"
    yield from (f"* {comment}" for comment in model.comments())
    if model.readable:
        n = model.board.layout.n
        for cell, name in enumerate(model.names):
            yield f"* x{cell * n + 1} to x{cell * n + n}: {name} is 1 to {n}"
    for comments, sign, number, (_, _, columns, weights) in relations:
        yield from (f"* {comment}" for comment in comments)
        least = sign != "<="
        terms = [
            f"{weight if least else -weight:+d} x{column + 1}"
            for column, weight in zip(columns, weights, strict=True)
        ]
        written = " ".join(terms) or "+0 x1"
        yield f"{written} {'>=' if sign == '<=' else sign} {number if least else -number} ;"


_A_LINE = 12
"""Number of terms or names on a line of an LP file, because some readers limit the length."""


def write_lp(model: BoardModel) -> Iterator[str]:
    """Yield the lines of an LP file, in the format of CPLEX: candidate k is x(k + 1)."""
    program = _Program(model)
    yield from (f"\\ {comment}" for comment in model.comments())
    names = program.names
    yield from ("Minimize", f" obj: 0 {names[0]}", "Subject To")
    for number, (comments, sign, right, row) in enumerate(program.bounds(), start=1):
        yield from (f"\\ {comment}" for comment in comments)
        terms = [(f"{weight:+d}", names[at]) for at, weight in zip(*row[2:], strict=True)]
        words = [*chain.from_iterable(terms)] or ["0", names[0]]
        lines = [" ".join(part) for part in _parts(words, 2 * _A_LINE)]
        yield f" c{number}: {lines[0]}"
        yield from (f"   {line}" for line in lines[1:])
        yield f"   {sign} {right}"
    yield "Bounds"
    for at in range(program.size):
        fixed = program.fixed.get(at)
        yield f" {names[at]} = {fixed}" if fixed is not None else f" 0 <= {names[at]} <= 1"
    yield "General"
    integers = [names[at] for at, whole in enumerate(program.whole) if whole]
    yield from (f" {' '.join(part)}" for part in _parts(integers, _A_LINE))
    yield "End"


def _parts(words: list[str], size: int) -> Iterator[list[str]]:
    for start in range(0, len(words), size):
        yield words[start : start + size]


def write_mps(model: BoardModel) -> Iterator[str]:
    """Yield the lines of an MPS file: candidate k is x(k + 1).

    Its fields are in the columns of the fixed format and separated by blanks, so that the file is
    also in the free format.
    """
    program = _Program(model)
    yield from (f"* {comment}" for comment in model.comments())
    yield from ("NAME          board", "ROWS", " N  obj")
    columns: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
    right: list[tuple[str, int]] = []
    kinds = {"=": "E", ">=": "G", "<=": "L"}
    for number, (comments, sign, bound, (_, _, variables, weights)) in enumerate(
        program.bounds(), start=1
    ):
        yield from (f"* {comment}" for comment in comments)
        yield f" {kinds[sign]}  c{number}"
        right.append((f"c{number}", bound))
        for column, weight in zip(variables, weights, strict=True):
            columns[column].append((f"c{number}", weight))
    yield "COLUMNS"
    for whole in (True, False):
        if whole:
            yield "    MARKER    'MARKER'                 'INTORG'"
        for at in range(program.size):
            if program.whole[at] is whole:
                entries = columns[at] or [("obj", 0)]
                yield from (
                    f"    {program.names[at]:<8}  {row:<8}  {weight:>12}" for row, weight in entries
                )
        if whole:
            yield "    MARKER    'MARKER'                 'INTEND'"
    yield "RHS"
    yield from (f"    RHS       {row:<8}  {bound:>12}" for row, bound in right if bound)
    yield "BOUNDS"
    for at in range(program.size):
        fixed = program.fixed.get(at)
        kind, bound = ("UP", 1) if fixed is None else ("FX", fixed)
        yield f" {kind} BND       {program.names[at]:<8}  {bound:>12}"
    yield "ENDATA"


def write_cfn(model: BoardModel) -> Iterator[str]:
    """Yield a cost function network in JSON, as toulbar2 reads it: candidate k is x(k + 1)."""
    program = _Program(model)
    negated: set[int] = set()
    parts = []
    for name, function in _costs(program, negated):
        model.budget.check_time()
        parts.append(f'"{name}": {json.dumps(function)}')
    names = [*program.names, *(_negation(program, at) for at in sorted(negated))]
    variables = json.dumps({name: ["v0", "v1"] for name in names})
    yield '{"problem": {"name": "board", "mustbe": "<1"},'
    yield f'"variables": {variables},'
    yield '"functions": {'
    yield from (f"{part}," for part in parts[:-1])
    yield from (*parts[-1:], "}}")


def _costs(program: _Program, negated: set[int]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the cost functions by name.

    Knapsack constraints of toulbar2 require weights above 0, so y(k) is the negation of x(k); the
    candidates with such a variable are added to ``negated``. toulbar2 treats a constraint that
    cannot be satisfied as satisfied.
    """
    x = program.names
    words = ""
    for number, (comments, sign, right, (_, _, columns, weights)) in enumerate(
        program.bounds(), start=1
    ):
        words = re.sub(r"\W+", "_", " ".join(comments)) or words
        for factor in (1, -1) if sign == "=" else (1 if sign == ">=" else -1,):
            terms = [(column, factor * w) for column, w in zip(columns, weights, strict=True)]
            capacity = factor * right + sum(max(-weight, 0) for _, weight in terms)
            name = f"{f'{words}_' if words else ''}c{number}{'+' if factor > 0 else '-'}"
            if capacity > sum(abs(weight) for _, weight in terms):
                yield name, {"scope": [x[0]], "costs": [1, 1]}
                continue
            negated.update(column for column, weight in terms if weight < 0)
            yield (
                name,
                {
                    "scope": [
                        x[at] if weight > 0 else _negation(program, at) for at, weight in terms
                    ],
                    "type": "knapsack",
                    "params": {"capacity": capacity, "weights": [abs(w) for _, w in terms]},
                },
            )
    for at in sorted(negated):
        yield f"n{at + 1}", {"scope": [x[at], _negation(program, at)], "costs": [1, 0, 0, 1]}
    for at, value in program.fixed.items():
        yield f"f{at + 1}", {"scope": [x[at]], "costs": [value, 1 - value]}


def _negation(program: _Program, at: int) -> str:
    """Return the name of the negation of a variable: y in the place of x."""
    return f"y{program.names[at][1:]}"
