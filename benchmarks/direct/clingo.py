"""clingo without Unidoku: as fast as it goes, and as it is taught."""

from __future__ import annotations

from collections.abc import Callable

from clingo import Control

from unidoku import Board, Layout
from unidoku.backends.toolkit.cover import cover_of
from unidoku.backends.toolkit.relations import clauses_of
from unidoku.core.bits import values_of
from unidoku.core.transforms.lower import lower

PAIRS_UP_TO = 9
"""Values up to which clauses of two beat counts."""


def best(layout: Layout) -> Callable[[Board], int]:
    """Ground once, straight to the backend; assume the board; forget nogoods between boards.

    No callback: two models at most are asked for, and the result says which number it was.
    """
    control = Control(["--warn=none", "--eq=0", "--forget-on-step=14", "2"])
    cover = cover_of(layout)
    with control.backend() as backend:
        atoms = [backend.add_atom() for _ in range(cover.size)]
        backend.add_rule(atoms, [], choice=True)
        for group in cover.primary:
            backend.add_rule([], [-atoms[candidate] for candidate in group])
        if layout.n <= PAIRS_UP_TO:
            for a, b in cover.exclusive_pairs():
                backend.add_rule([], [atoms[a], atoms[b]])
        else:
            for group in (*cover.primary, *cover.secondary):
                backend.add_weight_rule([], 2, [(atoms[candidate], 1) for candidate in group])
            for ones, others in clauses_of(lower(layout)):
                held = [atoms[one] for one in ones]
                backend.add_rule([], [*held, *[-atoms[other] for other in others]])
    n = layout.n
    everything = (1 << n) - 1

    def count(board: Board) -> int:
        assumptions = []
        start = 0
        for mask in board.candidates:
            if mask != everything:
                if mask and not mask & (mask - 1):
                    assumptions.append(atoms[start + mask.bit_length() - 1])
                else:
                    assumptions += [
                        -atoms[start + value - 1] for value in values_of(everything & ~mask)
                    ]
            start += n
        result = control.solve(assumptions)
        if not result.satisfiable:
            return 0
        return 1 if result.exhausted else 2

    return count


TUTORIAL = """
{ holds(C,V) : may(C,V) } = 1 :- cell(C).
:- holds(C,V), holds(D,V), in(C,U), in(D,U), C < D.
#show holds/2.
"""


def naive(board: Board) -> int:
    """Ground the program of the tutorials for each board, the board among its facts."""
    facts = [f"cell({cell})." for cell in board.layout.cells]
    for cell, mask in enumerate(board.candidates):
        facts += [f"may({cell},{value})." for value in values_of(mask)]
    for number, unit in enumerate(board.layout.units):
        facts += [f"in({cell},{number})." for cell in unit.cells]
    control = Control(["2"])
    control.add("base", [], TUTORIAL + "\n".join(facts))
    control.ground([("base", [])])
    models = 0

    def on_model(_: object) -> None:
        nonlocal models
        models += 1

    control.solve(on_model=on_model)
    return models
