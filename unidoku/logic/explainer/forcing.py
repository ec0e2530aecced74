"""Forcing chains: what all values of a cell, places of a value or states of a candidate imply.

They include contradictions. In dynamic chains the candidates that are false are gone for what comes
after; chains of the next level also use locked candidates, pairs and X-wings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from unidoku.core.bits import bits_of
from unidoku.logic.explainer.chains import (
    CELL_OF,
    IS_FALSE,
    IS_TRUE,
    VALUE_OF,
    Links,
    length_addition,
    number,
)
from unidoku.logic.explainer.finding import Finding, Findings
from unidoku.logic.explainer.grid import CELLS, PLACES_OF, UNITS, UNITS_OF, Grid, N
from unidoku.logic.explainer.sets import fish, hidden_sets, locking, naked_sets
from unidoku.support.deadline import check_time_limit

_ADVANCED: tuple[Callable[[Grid], Findings], ...] = (
    locking,
    lambda grid: hidden_sets(grid, 2),
    lambda grid: naked_sets(grid, 2),
    lambda grid: fish(grid, 2),
)
"""What chains of the next level look for, once nothing else follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forcing:
    """A kind of forcing chains.

    Args:
        name: its name.
        rating: its number, to which the length adds.
        multiple: whether the values of cells and the places of values are looked at.
        dynamic: whether candidates that are false are gone for what comes after.
        in_cells: whether links in cells are used.
        advanced: whether locked candidates, pairs and X-wings are used.
    """

    name: str
    rating: float
    multiple: bool = True
    dynamic: bool = True
    in_cells: bool = True
    advanced: bool = False


NISHIO = Forcing(name="nishio", rating=7.5, multiple=False, in_cells=False)
MULTIPLE = Forcing(name="multiple forcing chain", rating=8.0, dynamic=False)
DYNAMIC = Forcing(name="dynamic forcing chain", rating=8.5)
DYNAMIC_PLUS = Forcing(name="dynamic forcing chain (+)", rating=9.0, advanced=True)

_DOUBLE, _CELL, _UNIT, _CONTRADICTION = 1, 5, 6, 7
"""Ranks of chains of one length."""


@dataclass(slots=True)
class Consequences:
    """What follows from one node: candidates that are true, and candidates that are false.

    Args:
        true: by candidate, in the order found, the nodes of its chain as a set.
        false: the same for those that are false.
        clash: the chains by which a candidate is both, if one was met; then no more was looked for.
    """

    true: dict[int, int]
    false: dict[int, int]
    clash: tuple[int, int] | None = None


def forcing_chains(grid: Grid, kind: Forcing) -> Findings:
    """Yield the shortest forcing chain of a kind."""
    finding = _Search(grid, kind).best()
    if finding is not None:
        yield finding


class _Search:
    """The search for the shortest forcing chain on a grid."""

    def __init__(self, grid: Grid, kind: Forcing) -> None:
        self.grid = grid
        self.kind = kind
        self.links = Links(grid, in_cells=kind.in_cells, in_units=True)
        self.known: dict[int, Consequences] = {}
        self.finding: Finding | None = None
        self.key = (0, 0)

    def best(self) -> Finding | None:
        """Look from every cell; return the shortest chain."""
        least = 2 if self.kind.dynamic else 3
        for cell in CELLS:
            if self.grid.candidates[cell].bit_count() >= least:
                self._from_cell(cell)
        return self.finding

    def _from_cell(self, cell: int) -> None:
        values = [value + 1 for value in bits_of(self.grid.candidates[cell])]
        outcomes = []
        for value in values:
            candidate = number(cell, value)
            true = self._if_true(candidate)
            outcomes.append(true)
            if self.kind.dynamic:
                self._both_states(candidate, true, double=self.kind.multiple and len(values) >= 3)
            if self.kind.multiple:
                self._from_units(cell, value)
        if self.kind.multiple:
            self._common(outcomes, _CELL)

    def _from_units(self, cell: int, value: int) -> None:
        """Compare what follows from each place of a value, at the first place of a unit."""
        for unit in UNITS_OF[cell]:
            places = [UNITS[unit][index] for index in bits_of(self.grid.places[value][unit])]
            if len(places) >= 2 and places[0] == cell:
                self._common([self._if_true(number(other, value)) for other in places], _UNIT)

    def _both_states(self, candidate: int, true: Consequences, *, double: bool) -> None:
        """Look for contradictions from both states of a candidate, and for what both imply."""
        false = self._follow(candidate, is_true=False)
        cell, value = CELL_OF[candidate], VALUE_OF[candidate]
        if true.clash:
            self._offer(true.clash, _CONTRADICTION, cell, value, is_true=False)
        if false.clash:
            self._offer(false.clash, _CONTRADICTION, cell, value, is_true=True)
        if double:
            self._common([true, false], _DOUBLE)

    def _common(self, outcomes: Sequence[Consequences], rank: int) -> None:
        """Offer what follows from all of some nodes."""
        for is_true in (True, False):
            sides = [each.true if is_true else each.false for each in outcomes]
            first, rest = sides[0], sides[1:]
            if len(rest) == 1:
                shared = [candidate for candidate in first if candidate in rest[0]]
            else:
                shared = [
                    candidate for candidate in first if all(candidate in side for side in rest)
                ]
            for candidate in shared:
                chains = [side[candidate] for side in sides]
                self._offer(chains, rank, CELL_OF[candidate], VALUE_OF[candidate], is_true=is_true)

    def _offer(
        self, chains: Sequence[int], rank: int, cell: int, value: int, *, is_true: bool
    ) -> None:
        """Take a chain that is shorter than the best so far, or of a lower rank."""
        key = (sum(map(int.bit_count, chains)), rank)
        if self.finding is not None and key >= self.key:
            return
        value_bit = 1 << value - 1
        gone = self.grid.candidates[cell] & (~value_bit if is_true else value_bit)
        if not gone:
            return
        self.key = key
        self.finding = Finding(
            technique=self.kind.name,
            rating=self.kind.rating + length_addition(key[0]),
            eliminations={cell: gone},
            placement=(cell, value) if is_true else None,
        )

    def _if_true(self, candidate: int) -> Consequences:
        """Return what follows from a candidate, kept for the next time."""
        if candidate not in self.known:
            self.known[candidate] = self._follow(candidate, is_true=True)
        return self.known[candidate]

    def _follow(self, candidate: int, *, is_true: bool) -> Consequences:
        """Return what follows from a node."""
        check_time_limit()
        return _Propagation(self.grid, self.kind, self.links).follow(candidate, is_true)


class _Propagation:
    """What follows from one node, breadth first; what is true goes before what is false."""

    def __init__(self, grid: Grid, kind: Forcing, links: Links) -> None:
        self.before = grid
        self.kind = kind
        self.links = links
        self.now = grid.copy() if kind.dynamic else grid
        self.true: dict[int, int] = {}
        self.false: dict[int, int] = {}

    def follow(self, candidate: int, is_true: bool) -> Consequences:
        """Return what follows from a candidate that is true, or false."""
        start, bit = (self.true, IS_TRUE) if is_true else (self.false, IS_FALSE)
        start[candidate] = bit[candidate]
        new_true, new_false = ([candidate], []) if is_true else ([], [candidate])
        clash = None
        while clash is None:
            if new_true:
                clash, excluded = self._exclude(new_true)
                new_true = []
                new_false += excluded
            elif new_false:
                candidate, new_false = new_false[0], new_false[1:]
                clash, new_true = self._imply(candidate)
            elif self.kind.advanced:
                new_false = self._advance()
                if not new_false:
                    break
            else:
                break
        return Consequences(self.true, self.false, clash)

    def _exclude(self, candidates: list[int]) -> tuple[tuple[int, int] | None, list[int]]:
        """Return a clash, and what some true candidates make false."""
        true, false, weak = self.true, self.false, self.links.weak
        others: list[int] = []
        for candidate in candidates:
            chain = true[candidate]
            for other in weak[candidate]:
                if other in true and self.now.has(CELL_OF[other], VALUE_OF[other]):
                    return (true[other], chain | IS_FALSE[other]), others
                if other not in false:
                    false[other] = chain | IS_FALSE[other]
                    others.append(other)
        return None, others

    def _imply(self, candidate: int) -> tuple[tuple[int, int] | None, list[int]]:
        """Return a clash, and what a false candidate makes true; it is gone afterwards."""
        true, false = self.true, self.false
        implied = self._implied(candidate)
        if self.kind.dynamic:
            self.now.remove(CELL_OF[candidate], VALUE_OF[candidate])
        others: list[int] = []
        for other, chain in implied.items():
            if other in false:
                return (chain, false[other]), others
            if other not in true:
                true[other] = chain
                others.append(other)
        return None, others

    def _implied(self, candidate: int) -> dict[int, int]:
        """Return what a false candidate makes true, each with the nodes of its chain."""
        if not self.kind.dynamic:
            chain = self.false[candidate]
            return {other: chain | IS_TRUE[other] for other in self.links.strong[candidate]}
        cell, value = CELL_OF[candidate], VALUE_OF[candidate]
        implied = {}
        if self.kind.in_cells:
            rest = self.now.candidates[cell] & ~(1 << value - 1)
            if rest and not rest & (rest - 1):
                other = cell * N + rest.bit_length() - 1
                gone = self.before.candidates[cell] & ~self.now.candidates[cell]
                lost = [cell * N + each for each in bits_of(gone)]
                implied[other] = self._chain(candidate, other, lost)
        places, source = self.now.places[value], self.before.places[value]
        for unit, bit in PLACES_OF[cell]:
            rest = places[unit] & ~bit
            if rest and not rest & (rest - 1):
                cells = UNITS[unit]
                other = number(cells[rest.bit_length() - 1], value)
                if other not in implied:
                    gone = source[unit] & ~places[unit]
                    lost = [number(cells[each], value) for each in bits_of(gone)]
                    implied[other] = self._chain(candidate, other, lost)
        return implied

    def _chain(self, candidate: int, other: int, lost: Sequence[int]) -> int:
        """Return the nodes of a chain that ends with a false candidate and a true one."""
        chain = self.false[candidate] | IS_TRUE[other]
        for each in lost:
            chain |= self.false[each]
        return chain

    def _advance(self) -> list[int]:
        """Return what locked candidates, pairs or X-wings make false that were not there before."""
        others: list[int] = []
        for technique in _ADVANCED:
            for other, chain in self._advanced(technique(self.now)):
                if other not in self.false:
                    self.false[other] = chain
                    others.append(other)
            if others:
                break
        return others

    def _advanced(self, findings: Findings) -> Iterator[tuple[int, int]]:
        """Yield what the findings remove, each with the nodes of its chain."""
        for finding in findings:
            cells, values = finding.absent
            chain = 0
            for cell, gone in self.before.among(cells, values).items():
                for value in bits_of(gone & ~self.now.candidates[cell]):
                    chain |= self.false[cell * N + value]
            if chain:
                yield from self._removed(finding.eliminations, chain)

    def _removed(self, eliminations: Mapping[int, int], chain: int) -> Iterator[tuple[int, int]]:
        """Yield the candidates removed in the order of a hash table of Java, which counts here."""
        size = 16
        while len(eliminations) > size * 3 // 4:
            size *= 2
        for cell in sorted(eliminations, key=lambda cell: cell % size):
            for value in bits_of(eliminations[cell]):
                other = cell * N + value
                yield other, chain | IS_FALSE[other]
