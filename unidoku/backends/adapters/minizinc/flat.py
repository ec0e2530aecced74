"""The FlatZinc of a layout, compiled once by MiniZinc, and of its boards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from itertools import accumulate, chain
from typing import NamedTuple

from unidoku.backends.adapters.minizinc.process import SolverProgram, find_solver, running
from unidoku.backends.lower import Lowered, lower
from unidoku.backends.toolkit.budget import Budget
from unidoku.backends.toolkit.clauses import clauses_of_alternatives
from unidoku.backends.toolkit.layers import layers_of
from unidoku.backends.toolkit.rows import members_of, rows_of
from unidoku.core.bits import all_values, mask_of, values_of
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.shapes import Automaton, Sum
from unidoku.errors import BackendError


class Flat:
    """The FlatZinc of a layout, cut where the candidates of a cell are written."""

    def __init__(
        self, layout: Layout, solver: SolverProgram, annotations: str, budget: Budget
    ) -> None:
        """Compile the model; raise LimitReached or BackendError if that cannot be done."""
        with resources.as_file(resources.files(__package__) / "model.mzn") as model:
            command = ["minizinc", "-c", "--solver", solver.id, "--no-output-ozn"]
            command += ["--output-to-stdout", str(model)]
            with running(command, _data(layout) + annotations, ".dzn") as process:
                lines = list(process.lines(budget))
                if failure := process.failure():
                    raise failure
        self._cut(b"\n".join(lines).decode(), layout)

    def _cut(self, text: str, layout: Layout) -> None:
        """Find where the domains of the cells stand.

        The compiler propagates: what it knows of a cell may be a number instead of a variable, a
        narrower domain, or the variable of another cell. All of it follows from the layout.
        """
        array = re.search(r"\bx\s*::[^=]*=\s*\[([^]]*)\]", text)
        names = [name.strip() for name in array[1].split(",")] if array else []
        self._fixed = {cell: int(name) for cell, name in enumerate(names) if name.isdigit()}
        self._parts: list[tuple[str, int, list[int]]] = []  # text before, domain, its cells
        end, found_of = 0, 0
        for found in re.finditer(r"^var ([^:]*?)\s*:\s*(\w+)", text, re.MULTILINE):
            cells = [cell for cell, name in enumerate(names) if name == found[2]]
            if cells:
                self._parts.append((text[end : found.start(1)], _mask(found[1]), cells))
                found_of += len(cells)
                end = found.end(1)
        self._rest = text[end:]
        if found_of + len(self._fixed) != len(layout):
            raise BackendError(f"minizinc: expected a variable for each cell, got: {text[:200]}")

    def of(self, board: Board) -> str | None:
        """Return the FlatZinc of a board, None if some cell has no candidate left."""
        candidates = board.candidates
        if not all(candidates[cell] >> value - 1 & 1 for cell, value in self._fixed.items()):
            return None
        text: list[str] = []
        for before, mask, cells in self._parts:
            for cell in cells:
                mask &= candidates[cell]
            if not mask:
                return None
            text += before, _domain(mask)
        return "".join(text) + self._rest


def _mask(domain: str) -> int:
    """Return the values of a domain, ``1..9``, ``{1,3}`` or ``int``, as a set."""
    first, _, last = domain.partition("..")
    if last:
        return all_values(int(last)) & ~all_values(int(first) - 1)
    return -1 if domain == "int" else mask_of(map(int, domain.strip("{}").split(",")))


@lru_cache(maxsize=1024)
def _domain(mask: int) -> str:
    values = values_of(mask)
    if len(values) == values[-1] - values[0] + 1:
        return f"{values[0]}..{values[-1]}"
    return f"{{{','.join(map(str, values))}}}"


def _data(layout: Layout) -> str:
    units = ",".join([_set_of(unit.cells) for unit in layout.maximal_units])
    rows: list[int] = []
    related: list[int] = []
    for relation in lower(layout).relations:
        first = len(rows) // 2 + 1
        rows += chain.from_iterable(relation.rows)
        for a, b in relation.pairs:
            related += a + 1, b + 1, first, len(rows) // 2
    return (
        f"n = {layout.n}; cells = {len(layout)}; units = [{units}];\n"
        f"rows = array2d(1..{len(rows) // 2}, 1..2, {rows});\n"
        f"related = array2d(1..{len(related) // 4}, 1..4, {related});\n"
        + _beyond_pairs(lower(layout))
        + _clauses(lower(layout))
    )


def _beyond_pairs(lowered: Lowered) -> str:
    held: list[int] = []
    weights: list[int] = []
    values: list[int] = []
    members: list[int] = []
    tables: list[int] = []
    chosen: list[int] = []
    sums: list[int] = []
    machines: dict[_Steps, int] = {}
    automata: list[int] = []

    def hold(cells: Sequence[int], factors: Sequence[int] = ()) -> tuple[int, int]:
        first = len(held) + 1
        held.extend(cell + 1 for cell in cells)
        weights.extend(factors or [0] * len(cells))
        return first, len(held)

    for shape in lowered.sets:
        if (rows := rows_of(shape)) is not None:
            first = len(values) + 1
            values += chain.from_iterable(rows)
            tables += (*hold(shape.cells), first, len(values))
        else:
            first = len(members) // 2 + 1
            members += chain.from_iterable(members_of(shape))
            chosen += (*hold(shape.cells), first, len(members) // 2)
            low, high = shape.totals
            sums += (*hold(shape.cells, [1] * len(shape.cells)), low, high)
    for one in lowered.sums:
        sums += (*hold(one.cells, one.weights), one.low, one.high)
    for table in lowered.tables:
        first = len(values) + 1
        values += chain.from_iterable(table.rows)
        tables += (*hold(table.cells), first, len(values))
    for automaton in lowered.automata:
        machine = machines.setdefault(_steps_of(automaton, lowered.n), len(machines) + 1)
        automata += (*hold(automaton.cells), machine)
    steps = [target for made in machines for row in made.rows for target in row]
    ends = list(accumulate(len(made.rows) for made in machines))
    accepting = ",".join([f"{{{','.join(map(str, made.accepting))}}}" for made in machines])
    return (
        f"held = {held};\nweights = {weights};\nvalues = {values};\n"
        f"members = array2d(1..{len(members) // 2}, 1..2, {members});\n"
        f"tables = array2d(1..{len(tables) // 4}, 1..4, {tables});\n"
        f"chosen = array2d(1..{len(chosen) // 4}, 1..4, {chosen});\n"
        f"sums = array2d(1..{len(sums) // 4}, 1..4, {sums});\n"
        f"steps = array2d(1..{len(steps) // lowered.n}, 1..n, {steps});\n"
        f"ends = {ends}; starts = {[made.start for made in machines]};\n"
        f"accepting = [{accepting}];\n"
        f"automata = array2d(1..{len(automata) // 3}, 1..3, {automata});\n"
    )


def _clauses(lowered: Lowered) -> str:
    """Return alternatives in clauses, one after the other, and lists of the same values."""
    sums: dict[int, Sum] = {}
    rules = clauses_of_alternatives(lowered, sums=sums)
    clauses = list(rules)
    terms = [(c + 1, w) for s in sums.values() for c, w in zip(s.cells, s.weights, strict=True)]
    ends = accumulate(len(one.cells) for one in sums.values())
    limits = [
        (k - lowered.size, end, s.low, s.high)
        for end, (k, s) in zip(ends, sums.items(), strict=True)
    ]
    lists = [[c + 1 for c in part] for s in lowered.same_values for part in (s.cells, s.others)]
    return (
        f"literals = {[*chain.from_iterable(clauses)]};\n"
        f"last = {[*accumulate(map(len, clauses))]};\nfresh = {rules.top - lowered.size};\n"
        f"terms = array2d(1..{len(terms)}, 1..2, {[*chain.from_iterable(terms)]});\n"
        f"limits = array2d(1..{len(limits)}, 1..4, {[*chain.from_iterable(limits)]});\n"
        f"same = {[*chain.from_iterable(lists)]};\nlasts = {[*accumulate(map(len, lists))]};\n"
    )


class _Steps(NamedTuple):
    """A deterministic machine as ``regular`` takes it: states from 1 on, 0 where there is none."""

    rows: tuple[tuple[int, ...], ...]
    start: int
    accepting: tuple[int, ...]


def _steps_of(shape: Automaton, n: int) -> _Steps:
    """Return what accepts a line: its machine, or the layers of one that is nondeterministic."""
    machine = shape.machine
    if machine.is_deterministic:
        rows = tuple(tuple(map(int.bit_length, row)) for row in machine.steps)
        return _Steps(rows, machine.starts.bit_length(), values_of(machine.accepting))
    layers = layers_of(shape, n)
    if layers.is_empty:
        return _Steps(((0,) * n,), 1, ())
    steps: list[list[int]] = [[0] * n]
    first = 0
    for arcs in layers.arcs:
        after = len(steps)
        steps += ([0] * n for _ in range(1 + max(target for _, _, target in arcs)))
        for state, value, target in arcs:
            steps[first + state][value - 1] = after + target + 1
        first = after
    return _Steps(tuple(map(tuple, steps)), 1, (len(steps),))


def _set_of(cells: Sequence[int]) -> str:
    return f"{{{','.join([str(cell + 1) for cell in cells])}}}"


_PLAIN = "propagation = empty_annotation; choice = empty_annotation;\n"

_IMPOSSIBLE = "constraint int_le(1, 0);\nsolve satisfy;\n"
"""What is said of a board with a cell that has no candidate left: a variable needs a domain."""


def model_text(layout: Layout) -> str:
    """Return the MiniZinc model of a layout with its data, in one text."""
    model = (resources.files(__package__) / "model.mzn").read_text(encoding="utf-8")
    return f'{model}\n{_data(layout)}{_PLAIN}output ["x = ", show(x), ";\\n"];\n'


def flatzinc_of(board: Board, budget: Budget) -> str:
    """Return the FlatZinc of a board as MiniZinc compiles it for Gecode.

    Raises:
        BackendError: MiniZinc fails, or there is none.
    """
    text = Flat(board.layout, find_solver("gecode"), _PLAIN, budget).of(board)
    return _IMPOSSIBLE if text is None else text
