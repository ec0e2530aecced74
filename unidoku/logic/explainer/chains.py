"""Chains of links from one candidate: cycles, and forcing chains that contradict their start.

A node of a chain is a candidate that is taken to be true or false. A set of nodes is an int: bit
``c`` stands for candidate ``c`` being true, and bit ``FALSE + c`` for it being false.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unidoku.core.bits import bits_of
from unidoku.logic.explainer.finding import Finding, Findings
from unidoku.logic.explainer.grid import CELLS, PLACES_OF, SEES, UNITS, UNITS_OF, VALUES, Grid, N
from unidoku.support.deadline import check_time_limit

FALSE = len(CELLS) * N
"""The number of candidates."""

CELL_OF = tuple(cell for cell in CELLS for _ in VALUES)
VALUE_OF = tuple(value for _ in CELLS for value in VALUES)

IS_TRUE = tuple(1 << candidate for candidate in range(FALSE))
IS_FALSE = tuple(1 << FALSE + candidate for candidate in range(FALSE))


def number(cell: int, value: int) -> int:
    """Return the number of a candidate."""
    return cell * N + value - 1


def _excluded(candidate: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return what a true candidate makes false: in its cell, and in its units."""
    cell, value = CELL_OF[candidate], VALUE_OF[candidate]
    units = [number(other, value) for unit in UNITS_OF[cell] for other in UNITS[unit]]
    return (
        tuple(number(cell, other) for other in VALUES if other != value),
        tuple(other for other in dict.fromkeys(units) if other != candidate),
    )


_EXCLUDED = tuple(_excluded(candidate) for candidate in range(FALSE))


def open_candidates(grid: Grid) -> list[int]:
    """Return the candidates of a grid, ascending."""
    return [
        cell * N + value for cell, values in enumerate(grid.candidates) for value in bits_of(values)
    ]


class Links:
    """The links between the candidates of a grid, in the order in which chains follow them.

    Attributes:
        weak: for each candidate those that are false if it is true.
        strong: for each candidate those that are true if it is false.
    """

    __slots__ = ("strong", "weak")

    def __init__(self, grid: Grid, *, in_cells: bool, in_units: bool) -> None:
        """Make the links of a grid.

        Args:
            grid: the grid.
            in_cells: whether there are links between the values of a cell.
            in_units: whether there are strong links along units; weak ones always are.
        """
        candidates = open_candidates(grid)
        alive = bytearray(FALSE)
        for candidate in candidates:
            alive[candidate] = 1
        self.weak: list[Sequence[int]] = [()] * FALSE
        self.strong: list[Sequence[int]] = [()] * FALSE
        for candidate in candidates:
            in_cell, in_unit = _EXCLUDED[candidate]
            others = (*in_cell, *in_unit) if in_cells else in_unit
            self.weak[candidate] = [other for other in others if alive[other]]
            strong = []
            if in_cells:
                values = [other for other in in_cell if alive[other]]
                strong += values if len(values) == 1 else []
            if in_units:
                value = VALUE_OF[candidate]
                for unit, bit in PLACES_OF[CELL_OF[candidate]]:
                    rest = grid.places[value][unit] & ~bit
                    if rest and not rest & (rest - 1):
                        strong.append(number(UNITS[unit][rest.bit_length() - 1], value))
            self.strong[candidate] = list(dict.fromkeys(strong))


def length_addition(nodes: int) -> float:
    """Return what the number of nodes of a chain adds to its rating."""
    added, ceiling, odd = 0.0, 4, False
    while nodes - 2 > ceiling:
        added += 0.1
        ceiling = ceiling * 4 // 3 if odd else ceiling * 3 // 2
        odd = not odd
    return added


_LONGEST = 400
"""A bound on the number of nodes of a chain."""

_CYCLES = {
    (False, True): ("X-cycle", 6.5, 2),
    (True, False): ("XY-cycle", 6.5, 3),
    (True, True): ("nice loop", 7.0, 4),
}
_FORCING = {(False, True): ("X-chain", 6.6, 2), (True, True): ("forcing chain", 7.0, 4)}
"""Name, number and rank of chains, by whether links in cells and strong links in units are used."""


class _Best:
    """The easiest chain so far: by its number, its length, and the rank of its kind."""

    def __init__(self) -> None:
        self.finding: Finding | None = None
        self._key = (float("inf"), 0, 0)

    def offer(self, kind: tuple[str, float, int], nodes: int, finding: Finding) -> None:
        """Take a chain that is easier."""
        key = (finding.rating, nodes, kind[2])
        if key < self._key:
            self.finding, self._key = finding, key

    def longest(self, kind: tuple[str, float, int]) -> int:
        """Return the largest number of nodes with which a chain of a kind would be easier."""
        _, base, rank = kind
        if self.finding is None:
            return _LONGEST
        nodes = 2
        while (base + length_addition(nodes + 2), nodes + 2, rank) < self._key:
            nodes += 2
        return nodes


def simple_chains(grid: Grid) -> Findings:
    """Yield the easiest cycle or forcing chain from one candidate: X first, then XY, then both."""
    best = _Best()
    for uses in _CYCLES:
        in_cells, in_units = uses
        links = Links(grid, in_cells=in_cells, in_units=in_units)
        for candidate in open_candidates(grid):
            if not in_units and grid.candidates[CELL_OF[candidate]].bit_count() > 2:
                continue
            check_time_limit()
            _offer_cycles(grid, links, candidate, uses, best)
            if in_units:
                _offer_chains(grid, links, candidate, uses, best)
    if best.finding is not None:
        yield best.finding


def _offer_cycles(
    grid: Grid, links: Links, candidate: int, uses: tuple[bool, bool], best: _Best
) -> None:
    kind = _CYCLES[uses]
    longest = best.longest(kind)
    for nodes in _cycles(links, candidate, longest):
        if gone := _beside(grid, nodes):
            length = nodes.bit_count()
            rating = kind[1] + length_addition(length)
            finding = Finding(technique=kind[0], rating=rating, eliminations=gone)
            best.offer(kind, length, finding)
            return


def _offer_chains(
    grid: Grid, links: Links, candidate: int, uses: tuple[bool, bool], best: _Best
) -> None:
    name, base, _ = kind = _FORCING[uses]
    cell, value = CELL_OF[candidate], VALUE_OF[candidate]
    value_bit = 1 << value - 1
    for true in (True, False):
        if length := _length_back(links, candidate, true, best.longest(kind)):
            finding = Finding(
                technique=name,
                rating=base + length_addition(length),
                eliminations={cell: value_bit if true else grid.candidates[cell] & ~value_bit},
                placement=None if true else (cell, value),
            )
            best.offer(kind, length, finding)


def _cycles(links: Links, start: int, longest: int) -> Iterator[int]:
    """Yield the nodes of the cycles through a candidate, the shortest first."""
    weak, strong = links.weak, links.strong
    reached = {start}
    level = [(start, 1 << start)]
    length = 0
    while level and length < longest:
        length += 2
        following = []
        for candidate, nodes in level:
            for other in weak[candidate]:
                if not strong[other] or nodes & IS_FALSE[other]:
                    continue
                for end in strong[other]:
                    if end == start and length >= 4:
                        yield nodes | IS_FALSE[other]
                    if end not in reached:
                        reached.add(end)
                        following.append((end, nodes | IS_FALSE[other] | 1 << end))
        level = following


def _beside(grid: Grid, nodes: int) -> dict[int, int]:
    """Return the candidates that see a true and a false node of a cycle with their value."""
    cells = 0
    seen: dict[int, list[int]] = {}
    for node in bits_of(nodes):
        candidate = node % FALSE
        cell, value = CELL_OF[candidate], VALUE_OF[candidate]
        cells |= 1 << cell
        seen.setdefault(value, [0, 0])[node >= FALSE] |= SEES[cell]
    gone: dict[int, int] = {}
    for value, (by_true, by_false) in seen.items():
        for cell in bits_of(by_true & by_false & grid.cells[value] & ~cells):
            gone[cell] = gone.get(cell, 0) | 1 << value - 1
    return gone


def _length_back(links: Links, start: int, true: bool, longest: int) -> int:
    """Return the number of nodes of the shortest chain by which a node contradicts itself, or 0."""
    steps = (links.weak, links.strong) if true else (links.strong, links.weak)
    reached: tuple[set[int], set[int]] = ({start}, set())
    level, length, at = [start], 1, 0
    while level and length < longest:
        length += 1
        following = []
        seen = reached[1 - at]
        for candidate in level:
            for other in steps[at][candidate]:
                if other not in seen:
                    if other == start and at == 0:
                        return length
                    seen.add(other)
                    following.append(other)
        level, at = following, 1 - at
    return 0
