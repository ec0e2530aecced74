"""clingo: the program of a tutorial, sums as #sum, lines as states that are reached."""

from __future__ import annotations

import time
from collections.abc import Iterator

from clingo import Control

from textbook.facts import Accepted, Differ, Equals, Fact, Related, Row, facts
from unidoku import Board

PROGRAM = """
{ holds(C,V) : may(C,V) } = 1 :- cell(C).
:- holds(C,V), holds(D,V), in(C,U), in(D,U), C < D.
:- total(S,T), #sum { V,C : holds(C,V), adds(C,S) } != T.
:- pair(R,C,D), holds(C,V), holds(D,W), not allowed(R,V,W).
{ chosen(R,K) : row(R,K) } = 1 :- rows(R).
:- chosen(R,K), says(R,K,C,V), not holds(C,V).
state(L,0,0) :- line(L,_,_).
state(L,P+1,T) :- state(L,P,S), reads(L,P,C), holds(C,V), line(L,A,_), step(A,S,V,T).
:- line(L,A,Z), not 1 { state(L,Z,S) : accepts(A,S) }.
#show holds/2.
"""


def solve(board: Board) -> tuple[int, float]:
    """Ground the program and the facts, and ask for two models."""
    control = Control(["--warn=none", "2"])
    control.add("base", [], PROGRAM + "\n".join(_facts(board)))
    control.ground([("base", [])])
    began = time.perf_counter()
    models = 0

    def on_model(_: object) -> None:
        nonlocal models
        models += 1

    control.solve(on_model=on_model)
    return models, time.perf_counter() - began


def _facts(board: Board) -> Iterator[str]:
    for cell in board.layout.cells:
        yield f"cell({cell})."
        yield from (f"may({cell},{value})." for value in board.values(cell))
    numbers: dict[object, int] = {}  # equal tables and automata are said once
    for number, fact in enumerate(facts(board)):
        yield from _fact(fact, number, numbers)


def _fact(fact: Fact, number: int, numbers: dict[object, int]) -> Iterator[str]:
    match fact:
        case Differ(cells):
            yield from (f"in({cell},{number})." for cell in cells)
        case Equals(cells, total):
            yield f"total({number},{total})."
            yield from (f"adds({cell},{number})." for cell in cells)
        case Related((a, b), allowed):
            if allowed not in numbers:
                numbers[allowed] = number
                yield from (f"allowed({number},{v},{w})." for v, w in allowed)
            yield f"pair({numbers[allowed]},{a},{b})."
        case Row(cells, rows):
            yield f"rows({number})."
            for at, row in enumerate(rows):
                yield f"row({number},{at})."
                for cell, value in zip(cells, row, strict=True):
                    yield f"says({number},{at},{cell},{value})."
        case Accepted(cells, _, accepting, steps):
            if (accepting, steps) not in numbers:
                numbers[accepting, steps] = number
                yield from (f"accepts({number},{state})." for state in accepting)
                yield from (f"step({number},{s},{v},{t})." for s, v, t in steps)
            yield f"line({number},{numbers[accepting, steps]},{len(cells)})."
            yield from (f"reads({number},{index},{cell})." for index, cell in enumerate(cells))
