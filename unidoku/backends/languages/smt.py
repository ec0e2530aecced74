"""SMT-LIB: a board in integers (QF_LIA) or in bit vectors (QF_BV)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from unidoku.backends.languages.model import BoardModel
from unidoku.backends.toolkit.clauses import Clauses, fresh_variables
from unidoku.core.constraints.primitives import Sum


class _Integers:
    """Cells as integers."""

    logic, sort = "QF_LIA", "Int"

    def asking(self, cells: Iterable[int]) -> Iterator[str]:
        """Yield the command that prints the values."""
        yield f"(get-value ({' '.join(f'c{cell}' for cell in cells)}))"

    def number(self, value: int) -> str:
        return f"(- {-value})" if value < 0 else str(value)

    def at_most(self, a: str, b: str) -> str:
        return f"(<= {a} {b})"

    def total(self, total: Sum) -> str:
        terms = [
            f"(* {self.number(weight)} c{cell})" if weight != 1 else f"c{cell}"
            for cell, weight in zip(total.cells, total.weights, strict=True)
        ]
        return f"(+ {' '.join(terms)})" if len(terms) > 1 else terms[0]

    def bound(self, value: int, total: Sum) -> str:
        return self.number(value)


class _BitVectors(_Integers):
    """Cells as bit vectors, wide enough for the values; sums have the width that they need."""

    logic = "QF_BV"

    def __init__(self, n: int) -> None:
        self.n = n
        self.width = n.bit_length()
        self.sort = f"(_ BitVec {self.width})"

    def asking(self, cells: Iterable[int]) -> Iterator[str]:
        """Yield nothing: old bit-vector solvers lack the command and have an option instead."""
        yield from ()

    def number(self, value: int) -> str:
        return f"#b{value:0{self.width}b}"

    def at_most(self, a: str, b: str) -> str:
        return f"(bvule {a} {b})"

    def total(self, total: Sum) -> str:
        wide = self._width(total)
        terms = [
            f"(bvmul {self._signed(weight, wide)} ((_ zero_extend {wide - self.width}) c{cell}))"
            for cell, weight in zip(total.cells, total.weights, strict=True)
        ]
        text = terms[0]
        for term in terms[1:]:
            text = f"(bvadd {text} {term})"
        return text

    def bound(self, value: int, total: Sum) -> str:
        return self._signed(value, self._width(total))

    def _width(self, total: Sum) -> int:
        """Return the number of bits for all values of the sum and its bounds, with a sign."""
        most = sum(abs(weight) for weight in total.weights) * self.n
        return max(most, abs(total.low), abs(total.high), self.n).bit_length() + 1

    def _signed(self, value: int, width: int) -> str:
        return f"#b{value % (1 << width):0{width}b}"


def write_integers(model: BoardModel) -> Iterator[str]:
    """Yield the lines of an SMT-LIB file over linear integer arithmetic; cell k is ck."""
    return _lines(model, _Integers(), "<=")


def write_bit_vectors(model: BoardModel) -> Iterator[str]:
    """Yield the lines of an SMT-LIB file over bit vectors; cell k is ck."""
    return _lines(model, _BitVectors(model.board.layout.n), "bvsle")


def _lines(model: BoardModel, terms: _Integers, signed: str) -> Iterator[str]:
    layout, n = model.board.layout, model.board.layout.n
    yield from (f"; {comment}" for comment in model.comments())
    yield f"(set-logic {terms.logic})"
    yield from (f"(declare-fun c{cell} () {terms.sort})" for cell in layout.cells)
    for cell in layout.cells:
        least, most = terms.number(1), terms.number(n)
        yield f"(assert (and {terms.at_most(least, f'c{cell}')} {terms.at_most(f'c{cell}', most)}))"
    for unit in layout.maximal_units:
        if len(unit.cells) > 1:
            yield f"(assert (distinct {' '.join(f'c{cell}' for cell in unit.cells)}))"
    true, false = model.decided()
    candidates = [f"(= c{at // n} {terms.number(at % n + 1)})" for at in range(model.lowered.size)]
    yield from (f"(assert {candidates[at]})" for at in true)
    yield from (f"(assert (not {candidates[at]}))" for at in false)
    for total in model.lowered.sums:
        terms_of_total = terms.total(total)
        yield f"(assert ({signed} {terms.bound(total.low, total)} {terms_of_total}))"
        yield f"(assert ({signed} {terms_of_total} {terms.bound(total.high, total)}))"
    clauses = list(Clauses(replace(model.lowered, sums=())))
    fresh = fresh_variables(clauses, len(candidates))
    yield from (f"(declare-fun b{number} () Bool)" for number in sorted(fresh))
    for clause in (*clauses, *([-at - 1 for at in known] for known in model.known())):
        literals = []
        for x in clause:
            atom = candidates[abs(x) - 1] if abs(x) <= len(candidates) else f"b{abs(x)}"
            literals.append(atom if x > 0 else f"(not {atom})")
        yield f"(assert {_either(literals)})"
    yield from ("(check-sat)", *terms.asking(layout.cells))


def _either(literals: Sequence[str]) -> str:
    """Return a clause; operators of SMT-LIB have at least two arguments."""
    if len(literals) > 1:
        return f"(or {' '.join(literals)})"
    return literals[0] if literals else "false"
