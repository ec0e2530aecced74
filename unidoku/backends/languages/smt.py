"""SMT-LIB: a board in integers (QF_LIA) or in bit vectors (QF_BV)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from unidoku.backends.languages.model import BoardModel, Comparison, Disjunctions, bounds_of
from unidoku.core.constraints.primitives import Sum


class _Integers:
    """Cells as integers."""

    logic, sort, at_most = "QF_LIA", "Int", "(<= {} {})"

    def __init__(self, model: BoardModel) -> None:
        self.n = model.board.layout.n
        self.names = model.names

    def asking(self) -> Iterator[str]:
        """Yield the command that prints the values."""
        yield f"(get-value ({' '.join(self.names)}))"

    def number(self, value: int) -> str:
        return f"(- {-value})" if value < 0 else str(value)

    def compared(self, comparison: Comparison, a: str, b: str) -> str | None:
        """Return a comparison of two cells; None if the language has none such."""
        kind, sign, number = comparison
        if kind == "order":
            return _compared(sign, a, b)
        if kind == "sum":
            return _compared(sign, f"(+ {a} {b})", self.number(number))
        return _compared(sign, f"(abs (- {a} {b}))", self.number(number))

    def total(self, total: Sum) -> str:
        terms = [
            f"(* {self.number(weight)} {self.names[cell]})" if weight != 1 else self.names[cell]
            for cell, weight in zip(total.cells, total.weights, strict=True)
        ]
        return f"(+ {' '.join(terms)})" if len(terms) > 1 else terms[0]

    def bound(self, value: int, total: Sum) -> str:
        return self.number(value)


class _BitVectors(_Integers):
    """Cells as bit vectors, wide enough for the values; sums have the width that they need."""

    logic, at_most = "QF_BV", "(bvule {} {})"

    def __init__(self, model: BoardModel) -> None:
        super().__init__(model)
        self.readable = model.readable
        self.width = self.n.bit_length()
        self.sort = f"(_ BitVec {self.width})"

    def asking(self) -> Iterator[str]:
        """Yield nothing: old bit-vector solvers lack the command and have an option instead."""
        yield from ()

    def number(self, value: int) -> str:
        return f"#b{value:0{self.width}b}"

    def compared(self, comparison: Comparison, a: str, b: str) -> str | None:
        """Return a comparison of the order of two cells, which needs no further bit."""
        kind, sign, _ = comparison
        names = {"<": "bvult", "<=": "bvule", ">": "bvugt", ">=": "bvuge"}
        return _compared(sign, a, b, names) if kind == "order" else None

    def total(self, total: Sum) -> str:
        wide = self._width(total)
        terms = []
        for cell, weight in zip(total.cells, total.weights, strict=True):
            term = f"((_ zero_extend {wide - self.width}) {self.names[cell]})"
            plain = weight == 1 and self.readable
            terms.append(term if plain else f"(bvmul {self._signed(weight, wide)} {term})")
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


def _compared(sign: str, a: str, b: str, names: Mapping[str, str] = MappingProxyType({})) -> str:
    if sign == "!=":
        return f"(distinct {a} {b})"
    return f"({names.get(sign, sign)} {a} {b})"


def write_integers(model: BoardModel) -> Iterator[str]:
    """Yield the lines of an SMT-LIB file over linear integer arithmetic; cell k is ck."""
    return _lines(model, _Integers(model), "")


def write_bit_vectors(model: BoardModel) -> Iterator[str]:
    """Yield the lines of an SMT-LIB file over bit vectors; cell k is ck."""
    return _lines(model, _BitVectors(model), "bvs")


def _lines(model: BoardModel, terms: _Integers, signed: str) -> Iterator[str]:
    n, names = model.board.layout.n, model.names
    yield from (f"; {comment}" for comment in model.comments())
    yield f"(set-logic {terms.logic})"
    yield from (f"; {words}" for words in model.heading(f"cells hold 1 to {n}"))
    yield from (f"(declare-fun {name} () {terms.sort})" for name in names)
    numbers = [terms.number(value) for value in range(1, n + 1)]
    least, most = numbers[0], numbers[-1]
    for name in names:
        above, below = terms.at_most.format(least, name), terms.at_most.format(name, most)
        yield f"(assert (and {above} {below}))"
    candidates = [f"(= {name} {number})" for name in names for number in numbers]
    rules = Disjunctions(candidates, "b{}", "(not {})".format, _either)
    for part in model.parts():
        yield from (f"; {comment}" for comment in part.comments)
        for cells in part.distinct:
            if len(cells) > 1:
                yield f"(assert (distinct {' '.join([names[cell] for cell in cells])}))"
        relations = list(part.lowered.relations)
        for comparison, relation in part.comparisons:
            written = [terms.compared(comparison, names[a], names[b]) for a, b in relation.pairs]
            if None in written:
                relations.append(relation)
            else:
                yield from (f"(assert {text})" for text in written)
        yield from (f"(assert {candidates[candidate]})" for candidate in part.true)
        yield from (f"(assert (not {candidates[candidate]}))" for candidate in part.false)
        for total in part.lowered.sums:
            yield from _bounded(model, terms, total, signed)
        lowered = replace(part.lowered, sums=(), relations=tuple(relations))
        clauses, fresh = rules.of(lowered)
        yield from (f"(declare-fun b{number} () Bool)" for number in fresh)
        yield from (f"(assert {text})" for text in rules.texts(clauses))
    yield from (f"(assert {text})" for text in rules.texts(model.excluded()))
    yield from ("(check-sat)", *terms.asking())


def _bounded(model: BoardModel, terms: _Integers, total: Sum, signed: str) -> Iterator[str]:
    """Yield that a sum is within its bounds."""
    text = terms.total(total)
    at_most = f"{signed}le" if signed else "<="
    if model.readable:
        for sign, bound in bounds_of(total, model.board.layout.n):
            number = terms.bound(bound, total)
            words = {"=": f"= {text} {number}", "<=": f"{at_most} {text} {number}"}
            yield f"(assert ({words.get(sign, f'{at_most} {number} {text}')}))"
        return
    yield f"(assert ({at_most} {terms.bound(total.low, total)} {text}))"
    yield f"(assert ({at_most} {text} {terms.bound(total.high, total)}))"


def _either(literals: Sequence[str]) -> str:
    """Return a clause; operators of SMT-LIB have at least two arguments."""
    if len(literals) > 1:
        return f"(or {' '.join(literals)})"
    return literals[0] if literals else "false"
