"""MiniZinc: one model for all boards, ``model.mzn``, and the data of a layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from itertools import accumulate, chain
from typing import NamedTuple

from unidoku.backends.languages.model import BoardModel, Part, bounds_of, for_clauses, sum_text
from unidoku.backends.toolkit.clauses import Clauses, clauses_of_alternatives, fresh_variables
from unidoku.backends.toolkit.mdd import mdd_of
from unidoku.backends.toolkit.model_size import ModelSize
from unidoku.backends.toolkit.rows import members_of, rows_of
from unidoku.core.bits import values_of
from unidoku.core.constraints.primitives import Automaton, Sum
from unidoku.core.layout import Layout
from unidoku.core.transforms.lower import Lowered, lower, narrowed
from unidoku.support.deadline import check_time_limit

MODEL = resources.files(__package__) / "model.mzn"
"""The model."""

PLAIN = "propagation = empty_annotation; choice = empty_annotation;\n"
"""The model's annotations of propagation and search if none are requested."""


def model_text(layout: Layout) -> str:
    """Return the MiniZinc model of a layout with its data, in one text."""
    model = MODEL.read_text(encoding="utf-8")
    return f'{model}\n{data_text(layout)}{PLAIN}output ["x = ", show(x), ";\\n"];\n'


def write_minizinc(model: BoardModel) -> Iterator[str]:
    """Yield the lines of a MiniZinc model.

    The fast form is the model that the adapter compiles, with its data; the readable form has a
    variable for each cell and a constraint for each rule.
    """
    layout = model.board.layout
    yield from (f"% {comment}" for comment in model.comments())
    if model.readable:
        yield from _readable(model)
        return
    yield from model_text(layout).splitlines()
    for cell, mask in enumerate(narrowed(model.board).candidates):
        yield f"constraint x[{cell + 1}] in {{{', '.join(map(str, values_of(mask)))}}};"
    for grid in model.other_than:
        differs = r" \/ ".join(f"x[{cell}] != {value}" for cell, value in enumerate(grid, start=1))
        yield f"constraint {differs};"


def _readable(model: BoardModel) -> Iterator[str]:
    """Yield the lines of the readable form."""
    n, names = model.board.layout.n, model.names
    parts = [(part, list(_constraints(part, names))) for part in model.parts()]
    texts = [text for _, constraints in parts for text in constraints]
    for name in ("all_different", "table", "regular"):
        if any(text.startswith(f"{name}(") for text in texts):
            yield f'include "{name}.mzn";'
    yield from ("", *(f"var 1..{n}: {name};" for name in names))
    top = size = model.lowered.size
    atoms = [f"{names[at // n]} = {at % n + 1}" for at in range(size)]
    for part, constraints in parts:
        rules = Clauses(for_clauses(part.lowered), top=top)
        clauses = list(rules)
        top = rules.top
        if not (constraints or clauses or part.true or part.false):
            continue
        yield from ("", *(f"% {comment}" for comment in part.comments))
        yield from (f"constraint {text};" for text in constraints)
        yield from (f"constraint {atoms[at]};" for at in part.true)
        yield from (f"constraint not ({atoms[at]});" for at in part.false)
        yield from (f"var bool: b{x};" for x in sorted(fresh_variables(clauses, size)))
        yield from (f"constraint {_either(clause, atoms)};" for clause in clauses)
    for candidates in model.known():
        yield f"constraint {_either([-at - 1 for at in candidates], atoms)};"
    yield from ("", "solve satisfy;", rf'output ["x = \([{", ".join(names)}]);\n"];')


def _constraints(part: Part, names: Sequence[str]) -> Iterator[str]:
    """Yield the constraints of a part that MiniZinc has."""
    lowered = part.lowered
    for cells in part.distinct:
        if len(cells) > 1:
            yield f"all_different([{_listed_names(cells, names)}])"
    for (kind, sign, number), a, b in part.compared:
        left = {"sum": "{} + {}", "distance": "abs({} - {})"}.get(kind, "{}")
        right = names[b] if kind == "order" else number
        yield f"{left.format(names[a], names[b])} {sign} {right}"
    for total in lowered.sums:
        text = sum_text(total, names)
        for sign, bound in bounds_of(total, lowered.n):
            yield f"{text} {sign} {bound}"
    for relation in lowered.relations:
        yield from (_table(pair, relation.rows, names) for pair in relation.pairs)
    for constraint in lowered.sets:
        if (rows := rows_of(constraint)) is not None:
            yield _table(constraint.cells, rows, names)
    yield from (_table(table.cells, table.rows, names) for table in lowered.tables)
    for automaton in lowered.automata:
        steps = steps_of(automaton, lowered.n)
        accepting = ", ".join(map(str, steps.accepting))
        states = [", ".join(map(str, row)) for row in ModelSize().counted(steps.rows)]
        yield (
            f"regular([{_listed_names(automaton.cells, names)}], {len(states)}, {lowered.n}, "
            f"[| {' | '.join(states)} |], {steps.start}, {{{accepting}}})"
        )


def _listed_names(cells: Iterable[int], names: Sequence[str]) -> str:
    return ", ".join([names[cell] for cell in cells])


def _table(cells: Sequence[int], rows: Iterable[Sequence[int]], names: Sequence[str]) -> str:
    listed = [", ".join(map(str, row)) for row in rows]
    return (
        f"table([{_listed_names(cells, names)}], [| {' | '.join(listed)} |])" if listed else "false"
    )


def _either(clause: Iterable[int], atoms: Sequence[str]) -> str:
    """Return a clause as a disjunction."""
    literals = []
    for x in clause:
        number = abs(x) - 1
        if number >= len(atoms):
            literals.append(f"b{abs(x)}" if x > 0 else f"not b{abs(x)}")
        else:
            literals.append(atoms[number] if x > 0 else atoms[number].replace("=", "!="))
    return r" \/ ".join(literals) or "false"


def data_text(layout: Layout) -> str:
    """Return the data of a layout for the model, in MiniZinc's form."""
    units = ",".join([_set_of(unit.cells) for unit in layout.maximal_units])
    rows: list[int] = []
    related: list[int] = []
    for relation in lower(layout).relations:
        first = len(rows) // 2 + 1
        check_time_limit()
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
    held_cells: list[int] = []
    weights: list[int] = []
    values: list[int] = []
    members: list[int] = []
    tables: list[int] = []
    chosen: list[int] = []
    sums: list[int] = []
    machines: dict[Steps, int] = {}
    automata: list[int] = []

    def hold(cells: Sequence[int], factors: Sequence[int] = ()) -> tuple[int, int]:
        first = len(held_cells) + 1
        held_cells.extend(cell + 1 for cell in cells)
        weights.extend(factors or [0] * len(cells))
        return first, len(held_cells)

    for constraint in lowered.sets:
        if (rows := rows_of(constraint)) is not None:
            first = len(values) + 1
            values += chain.from_iterable(rows)
            tables += (*hold(constraint.cells), first, len(values))
        else:
            first = len(members) // 2 + 1
            members += chain.from_iterable(members_of(constraint))
            chosen += (*hold(constraint.cells), first, len(members) // 2)
            low, high = constraint.totals
            sums += (*hold(constraint.cells, [1] * len(constraint.cells)), low, high)
    for sum_ in lowered.sums:
        sums += (*hold(sum_.cells, sum_.weights), sum_.low, sum_.high)
    for table in lowered.tables:
        first = len(values) + 1
        values += chain.from_iterable(table.rows)
        tables += (*hold(table.cells), first, len(values))
    for automaton in lowered.automata:
        machine = machines.setdefault(steps_of(automaton, lowered.n), len(machines) + 1)
        automata += (*hold(automaton.cells), machine)
    states = ModelSize().counted(row for key in machines for row in key.rows)
    steps = [target for row in states for target in row]
    ends = list(accumulate(len(key.rows) for key in machines))
    accepting = ",".join([f"{{{','.join(map(str, key.accepting))}}}" for key in machines])
    return (
        f"held = {held_cells};\nweights = {weights};\nvalues = {_listed(values)};\n"
        f"members = array2d(1..{len(members) // 2}, 1..2, {_listed(members)});\n"
        f"tables = array2d(1..{len(tables) // 4}, 1..4, {tables});\n"
        f"chosen = array2d(1..{len(chosen) // 4}, 1..4, {chosen});\n"
        f"sums = array2d(1..{len(sums) // 4}, 1..4, {sums});\n"
        f"steps = array2d(1..{len(steps) // lowered.n}, 1..n, {_listed(steps)});\n"
        f"ends = {ends}; starts = {[key.start for key in machines]};\n"
        f"accepting = [{accepting}];\n"
        f"automata = array2d(1..{len(automata) // 3}, 1..3, {automata});\n"
    )


def _clauses(lowered: Lowered) -> str:
    """Return alternatives as clauses, one after the other, and lists of the same values."""
    sums: dict[int, Sum] = {}
    rules = clauses_of_alternatives(lowered, sums=sums)
    clauses = list(rules)
    terms = [(c + 1, w) for s in sums.values() for c, w in zip(s.cells, s.weights, strict=True)]
    ends = accumulate(len(sum_.cells) for sum_ in sums.values())
    limits = [
        (k - lowered.size, end, s.low, s.high)
        for end, (k, s) in zip(ends, sums.items(), strict=True)
    ]
    lists = [[c + 1 for c in part] for s in lowered.same_values for part in (s.cells, s.others)]
    return (
        f"literals = {_listed(chain.from_iterable(clauses))};\n"
        f"last = {_listed(accumulate(map(len, clauses)))};\nfresh = {rules.top - lowered.size};\n"
        f"terms = array2d(1..{len(terms)}, 1..2, {[*chain.from_iterable(terms)]});\n"
        f"limits = array2d(1..{len(limits)}, 1..4, {[*chain.from_iterable(limits)]});\n"
        f"same = {[*chain.from_iterable(lists)]};\nlasts = {[*accumulate(map(len, lists))]};\n"
    )


def _listed(numbers: Iterable[int]) -> str:
    """Return any number of numbers as a list, with looks at the clock."""
    return f"[{', '.join([str(number) for number in ModelSize().each(numbers)])}]"


class Steps(NamedTuple):
    """A deterministic machine for ``regular``: states start at 1, and 0 means no state."""

    rows: tuple[tuple[int, ...], ...]
    start: int
    accepting: tuple[int, ...]


def steps_of(constraint: Automaton, n: int) -> Steps:
    """Return the machine of a line, or the layers of a nondeterministic machine."""
    machine = constraint.machine
    if machine.is_deterministic:
        states = ModelSize().counted(machine.steps)
        rows = tuple(tuple(map(int.bit_length, row)) for row in states)
        return Steps(rows, machine.starts.bit_length(), values_of(machine.accepting))
    mdd = mdd_of(constraint, n)
    if mdd.is_empty:
        return Steps(((0,) * n,), 1, ())
    steps: list[list[int]] = [[0] * n]
    first = 0
    for arcs in mdd.arcs:
        check_time_limit()
        after = len(steps)
        steps += ([0] * n for _ in range(1 + max(target for _, _, target in arcs)))
        for state, value, target in arcs:
            steps[first + state][value - 1] = after + target + 1
        first = after
    return Steps(tuple(map(tuple, steps)), 1, (len(steps),))


def _set_of(cells: Sequence[int]) -> str:
    return f"{{{','.join([str(cell + 1) for cell in cells])}}}"
