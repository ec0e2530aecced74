"""Prolog with constraints over finite domains: SWI-Prolog's library clpfd, and GNU Prolog's own."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from unidoku.backends.languages.minizinc import steps_of
from unidoku.backends.languages.model import (
    BoardModel,
    Comparison,
    Disjunctions,
    Part,
    bounds_of,
    comparison_of,
    for_clauses,
    rows_of_cells,
    sum_text,
)
from unidoku.backends.toolkit.mdd import mdd_of, tables_of
from unidoku.backends.toolkit.model_size import ModelSize
from unidoku.core.bits import all_values, values_of
from unidoku.core.constraints.primitives import Automaton, Relation

_SIGNS = {"=": "#=", "!=": "#\\=", "<": "#<", ">": "#>", "<=": "#=<", ">=": "#>="}
"""The comparisons of both."""

_WIDTH = 90
"""Longest line of cells."""


class _Swi:
    """The goals of SWI-Prolog, whose ``all_distinct`` keeps all values that have a matching."""

    head: tuple[str, ...] = (":- use_module(library(clpfd)).", "")
    domain = "Cells ins 1..{}"
    boolean = "{} in 0..1"
    labelled = "labeling([ff], {})"
    distinct = "all_distinct({})"
    distance = "abs({} - {})"
    forgets_tables = True
    """Whether it does not check a table whose cells are decided while it is posted (docs/upstream);
    then the constraints are posted again for each solution."""
    main: tuple[str, ...] = (
        ":- initialization(main, main).",
        "",
        "% prints as many solutions as its argument says: swipl board.pl 2",
        "main(Arguments) :-",
        "    (   Arguments = [Text] -> atom_number(Text, Most) ; Most = 1 ),",
        "    (   call_nth(solution(Cells), Number),",
        "        format('x = ~w;~n', [Cells]), flush_output,",
        "        Number >= Most",
        "    ->  true",
        "    ;   writeln('no more solutions')",
        "    ).",
    )

    def __init__(self, n: int, names: Sequence[str]) -> None:
        self.n = n
        self.names = names
        self.states: list[str] = []

    def among(self, name: str, values: Sequence[int]) -> str:
        return f"{name} in " + " \\/ ".join(map(str, values))

    def tables(self, lists: Sequence[str], rows: str) -> Iterator[str]:
        yield f"tuples_in([{', '.join(lists)}], {rows})"

    def automaton(self, automaton: Automaton) -> Iterator[str]:
        steps = steps_of(automaton, self.n)
        arcs = [
            f"arc(s{state},{value},s{target})"
            for state, row in enumerate(ModelSize().counted(steps.rows), start=1)
            for value, target in enumerate(row, start=1)
            if target
        ]
        sinks = [f"sink(s{state})" for state in steps.accepting]
        nodes = ", ".join([f"source(s{steps.start})", *sinks])
        cells = self.listed(automaton.cells)
        yield f"automaton({cells}, [{nodes}], [{','.join(arcs)}])" if arcs and sinks else "false"

    def listed(self, cells: Iterable[int]) -> str:
        return _list(self.names[cell] for cell in cells)


class _Gnu(_Swi):
    """The goals of GNU Prolog; it removes the values of decided cells, and has no automata."""

    head = ()
    domain = "fd_domain(Cells, 1, {})"
    boolean = "fd_domain_bool({})"
    labelled = "fd_labelingff({})"
    distinct = "fd_all_different({})"
    distance = "dist({}, {})"
    forgets_tables = False
    main = (
        "% prints as many solutions as its argument says: gprolog --consult-file board.pl -- 2",
        "main :-",
        "    argument_list(Arguments),",
        "    (   Arguments = [Text] -> number_atom(Most, Text) ; Most = 1 ),",
        "    g_assign(number, 0),",
        "    (   solution(Cells),",
        "        format('x = ~w;~n', [Cells]), flush_output,",
        "        g_inc(number, Number),",
        "        Number >= Most",
        "    ->  true",
        "    ;   write('no more solutions'), nl",
        "    ),",
        "    halt.",
        "",
        ":- initialization(main).",
    )

    def among(self, name: str, values: Sequence[int]) -> str:
        return f"fd_domain({name}, [{', '.join(map(str, values))}])"

    def tables(self, lists: Sequence[str], rows: str) -> Iterator[str]:
        yield from (f"fd_relation({rows}, {cells})" for cells in lists)

    def automaton(self, automaton: Automaton) -> Iterator[str]:
        mdd = mdd_of(automaton, self.n)
        if mdd.is_empty:
            yield "fail"
            return
        state: list[str] = []
        for cell, most, rows in tables_of(mdd):
            after = [] if most is None else [f"State{len(self.states) + 1}"]
            self.states += after
            cells = [*state, self.names[cell], *after]
            yield from self.tables([_list(cells)], _rows(rows))
            state = after


def write_swi(model: BoardModel) -> Iterator[str]:
    """Yield the lines of a program for SWI-Prolog, which prints solutions."""
    return _lines(model, _Swi)


def write_gnu(model: BoardModel) -> Iterator[str]:
    """Yield the lines of a program for GNU Prolog, which prints solutions."""
    return _lines(model, _Gnu)


def _lines(model: BoardModel, dialect: type[_Swi]) -> Iterator[str]:
    layout = model.board.layout
    names = [name.upper() for name in model.names]
    terms = dialect(layout.n, names)
    lines = [f"    {terms.domain.format(layout.n)},"]
    candidates = range(model.lowered.size)
    atoms = [f"{names[at // layout.n]} #= {at % layout.n + 1}" for at in candidates]
    rules = Disjunctions(
        atoms,
        "Bool{} #= 1",
        lambda atom: atom.replace("#=", "#\\="),
        lambda literals: " #\\/ ".join(literals) or "fail",
    )
    others: list[str] = []
    for part in model.parts():
        goals = [*_goals(part, terms)]
        clauses, fresh = rules.of(for_clauses(part.lowered))
        booleans = [f"Bool{number}" for number in fresh]
        others += booleans
        goals += [*map(terms.boolean.format, booleans), *rules.texts(clauses)]
        lines += _body(part.comments if goals else [], goals)
    lines += _body([], rules.texts(model.excluded()))
    others += terms.states
    if others:
        lines += _body(model.heading("what follows from the cells"), [f"Others = {_list(others)}"])
    head = f"constraints(Cells{', Others' * bool(others)})"
    grid = [names[at : at + layout.columns] for at in range(0, len(names), layout.columns)]
    cells = [line for row in grid for line in textwrap.wrap(", ".join(row), _WIDTH)]
    yield from (f"% {comment}" for comment in model.comments())
    yield from ("", *terms.head, f"{head} :-", "    Cells = [")
    yield ",\n".join([f"        {line.removesuffix(',')}" for line in cells])
    yield from ("    ],", *lines[:-1], f"{lines[-1].removesuffix(',')}.", "")
    yield from (f"% {words}" for words in model.heading("first the cells with the fewest values"))
    search = [head, terms.labelled.format("Cells")]
    if others:
        search.append(f"once({terms.labelled.format('Others')})")
    if terms.forgets_tables and any(map(_has_tables, model.rules())):
        search.append(f"once({head.replace('Others', '_')})")
    yield from ("solution(Cells) :-", ",\n".join([f"    {goal}" for goal in search]) + ".")
    yield from ("", *terms.main)


def _has_tables(part: Part) -> bool:
    lowered = part.lowered
    tables = [relation for relation in lowered.relations if not comparison_of(relation.table)]
    return bool(tables or lowered.sets or lowered.tables or lowered.automata)


def _body(comments: Sequence[str], goals: Iterable[str]) -> Iterator[str]:
    """Yield the lines of goals, each followed by another goal."""
    if comments:
        yield from ("", *(f"    % {comment}" for comment in comments))
    yield from (f"    {goal}," for goal in goals)


def _goals(part: Part, terms: _Swi) -> Iterator[str]:
    """Yield the goals of a part, without those that are clauses."""
    lowered, names = part.lowered, terms.names
    for cells in part.distinct:
        if len(cells) > 1:
            yield terms.distinct.format(terms.listed(cells))
    relations = [(comparison_of(relation.table), relation) for relation in lowered.relations]
    for comparison, relation in (*part.comparisons, *relations):
        yield from _related(comparison, relation, terms)
    for total in lowered.sums:
        text = sum_text(total, names).strip()
        for sign, bound in bounds_of(total, lowered.n):
            yield f"{text} {_SIGNS[sign]} {bound}"
    for lists, rows in rows_of_cells(replace(lowered, relations=())):
        yield from terms.tables([*map(terms.listed, lists)], _rows(rows))
    for automaton in lowered.automata:
        yield from terms.automaton(automaton)
    yield from _candidates(part, terms)


def _candidates(part: Part, terms: _Swi) -> Iterator[str]:
    """Yield the values of decided cells, and the domains of those that have lost some."""
    n = terms.n
    decided = {candidate // n: candidate % n + 1 for candidate in part.true}
    domains = dict.fromkeys([candidate // n for candidate in part.false], all_values(n))
    for candidate in part.false:
        domains[candidate // n] &= ~(1 << candidate % n)
    yield from (f"{terms.names[cell]} = {value}" for cell, value in decided.items())
    for cell, mask in domains.items():
        if cell not in decided:
            yield terms.among(terms.names[cell], values_of(mask)) if mask else "fail"


def _related(comparison: Comparison | None, relation: Relation, terms: _Swi) -> Iterator[str]:
    """Yield a relation of pairs of cells, as comparisons if it is one."""
    if comparison is None:
        lists = [terms.listed(pair) for pair in relation.pairs]
        yield from terms.tables(lists, _rows(relation.rows))
        return
    kind, sign, number = comparison
    left = {"sum": "{} + {}", "distance": terms.distance}.get(kind, "{}")
    for a, b in relation.pairs:
        right = terms.names[b] if kind == "order" else number
        yield f"{left.format(terms.names[a], terms.names[b])} {_SIGNS[sign]} {right}"


def _list(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"


def _rows(rows: Iterable[Sequence[int]]) -> str:
    listed = [f"[{','.join(map(str, row))}]" for row in ModelSize().counted(rows)]
    return f"[{','.join(listed)}]"
