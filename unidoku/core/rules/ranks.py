"""A rule about the order of lines that are read as numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import ClassVar, TypeAlias

from unidoku.core.bits import bit
from unidoku.core.caching import layout_cache, number_cache
from unidoku.core.constraints.automaton import Machine, machine_of_steps
from unidoku.core.constraints.primitives import Automaton, Constraint, Sets, Sum
from unidoku.core.names import HiddenCell
from unidoku.core.rules.base import Facts, Rule, cell_names
from unidoku.core.rules.fields import Cells, CellsInOrder
from unidoku.errors import LayoutError
from unidoku.support.language import message

NOT_LESS, LESS = 1, 2
"""The values of a hidden cell: whether another line is the smaller number."""


@dataclass(frozen=True)
class FullRank(Rule):
    """A line, read as a number, has a rank among other lines: 1 plus the number of smaller ones.

    Args:
        line: the cells in order, each of which is one digit, even with a value above 9.
        rank: the rank; 1 if no other line is smaller.
        others: the cells of all other lines of the same length, one line after the other.
        ties: whether other lines may be the same number as this one.
    """

    kind: ClassVar[str] = "full-rank"
    needs_auxiliary = True
    line: CellsInOrder
    rank: int
    others: CellsInOrder
    ties: bool = False

    def __post_init__(self) -> None:
        """Refuse other lines of another length, and sort them: their order does not matter."""
        super().__post_init__()
        if len(self.others) % len(self.line):
            expected = f"lines of {len(self.line)} cells each, got {len(self.others)} cells"
            raise LayoutError(f"{self.kind}: others: expected {expected}")
        others = tuple(chain.from_iterable(sorted(divided(self.others, len(self.line)))))
        object.__setattr__(self, "others", others)

    @cached_property
    def lines(self) -> list[tuple[int, ...]]:
        """The other lines."""
        return divided(self.others, len(self.line))

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield equal lines if ties are forbidden, and the line if its rank cannot be right."""
        number = [values[cell] for cell in self.line]
        if 0 in number:
            return
        smaller = others = 0
        for line in self.lines:
            other = [values[cell] for cell in line]
            if 0 not in other:
                smaller += other < number
                others += other >= number
                if other == number and not self.ties:
                    yield tuple(dict.fromkeys((*self.line, *line)))
        if smaller > self.rank - 1 or others > len(self.lines) - self.rank + 1:
            yield self.cells

    def auxiliary_domains(self, facts: Facts) -> tuple[int, ...]:
        """Return a cell for each other line (at least one), which states whether it is smaller."""
        flags = max(len(self.lines), 1) if self.needs_auxiliary else 0
        return (LESS | NOT_LESS if facts.n > 1 else NOT_LESS,) * flags

    def with_auxiliary(self, facts: Facts, cells: tuple[int, ...]) -> Rule:
        """Return the rule with these cells."""
        return RankedLine(self.line, self.rank, self.others, self.ties, cells)

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Refuse: solvers get the rule with its hidden cells."""
        raise NotImplementedError(
            f"{self.kind} has constraints only together with its hidden cells"
        )

    def opening(self, facts: Facts) -> tuple[int, int] | None:
        """Return the first value of the line and how many lines begin with each value.

        None if values need not begin equally many lines; they do if the first cells of all lines
        form full units.
        """
        times = times_of_each([line[0] for line in (self.line, *self.lines)], facts)
        first = (self.rank - 1) // times + 1 if times else 0
        return (first, times) if 1 <= first <= facts.n else None

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        return message(
            "{cells} read as a number has rank {rank} of {count} lines",
            cells=cell_names(self.line, names),
            rank=self.rank,
            count=len(self.lines) + 1,
        )


@dataclass(frozen=True)
class RankedLine(FullRank):
    """The rule with its hidden cells.

    Args:
        flags: a hidden cell for each other line.
    """

    needs_auxiliary = False
    flags: Cells = ()

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield violations among the lines, and flag cells whose value contradicts them."""
        yield from super().broken(values, first_value)
        number = [values[cell] for cell in self.line]
        for index, flag in enumerate(self.flags):
            flagged = values[flag]
            if flagged not in (0, LESS, NOT_LESS) or (flagged == LESS and index >= len(self.lines)):
                yield (flag,)
            elif flagged and index < len(self.lines):
                line = self.lines[index]
                other = [values[cell] for cell in line]
                if 0 not in (*number, *other) and (other < number) != (flagged == LESS):
                    yield tuple(dict.fromkeys((flag, *self.line, *line)))

    def hidden_cells(self, facts: Facts, names: Sequence[str]) -> Mapping[int, HiddenCell]:
        """Return that the cells hold whether another line is smaller."""
        line_names = cell_names(self.line, names)
        others = [cell_names(line, names) for line in self.lines] or [message("no line")]
        return {
            flag: HiddenCell(
                message("whether {cells} is less than {others}", cells=other, others=line_names),
                other,
                (
                    message("not less than {cells}", cells=line_names),
                    message("less than {cells}", cells=line_names),
                ),
            )
            for flag, other in zip(self.flags, others, strict=True)
        }

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton that compares the line with each other one, and their sum.

        Two consequences follow: the first value of the line, and flags of lines known to be larger.
        """
        opening = self.opening(facts)
        if opening is not None:
            first, _ = opening
            yield Sets((self.line[0],), (bit(first),))
        yield from (Sets((flag,), (NOT_LESS,)) for flag in self.flags[len(self.lines) :])
        machine = _compared(facts.n, ties=self.ties)
        cells = [0] * (1 + 2 * len(self.line))
        cells[1::2] = self.line
        for cells[0], cells[2::2] in zip(self.flags, self.lines, strict=False):
            yield Automaton(tuple(cells), machine)
        total = len(self.flags) * NOT_LESS + self.rank - 1
        yield Sum.of_cells(self.flags, total)


def times_of_each(firsts: Iterable[int], facts: Facts) -> int:
    """Return how many lines with these first cells begin with each value, 0 if that may vary."""
    return _times_of_each(tuple(sorted(firsts)), tuple([unit.cells for unit in facts.full_units]))


@layout_cache(maxsize=8)
def _times_of_each(firsts: Cells, units: tuple[Cells, ...]) -> int:
    """Return how many cells have each value, if they consist of full units, else 0.

    The ranks of a grid are about the same lines, and ask for the same cells.

    Args:
        firsts: the cells, some of which may occur several times.
        units: the cells of each full unit.
    """
    uncovered = Counter(firsts)
    begun = set(uncovered)
    times = 0
    for unit in units:
        if begun.issuperset(unit):
            fewest = min([uncovered[cell] for cell in unit])
            uncovered.subtract(dict.fromkeys(unit, fewest))
            times += fewest
    return 0 if any(uncovered.values()) else times


def divided(cells: tuple[int, ...], size: int) -> list[tuple[int, ...]]:
    """Divide cells into consecutive lines of ``size`` cells; the last may be shorter."""
    return [cells[start : start + size] for start in range(0, len(cells), size)]


_State: TypeAlias = tuple[int, int]
"""The value of the flag, and the last value of the line itself, `_SAME` or `_DECIDED`."""

_SAME, _DECIDED = 0, -1


@number_cache(maxsize=64)
def _compared(n: int, *, ties: bool) -> Machine:
    """Return a machine that reads a flag, and then the cells of both lines in turn."""

    def step(state: _State, value: int) -> _State | None:
        flag, last = state
        if not flag:
            return (value, _SAME) if value in (LESS, NOT_LESS) else None
        if last == _DECIDED:
            return state
        if last == _SAME:
            return flag, value
        if value == last:
            return flag, _SAME
        return (flag, _DECIDED) if (value < last) == (flag == LESS) else None

    def accept(state: _State) -> bool:
        return state[1] == _DECIDED or (ties and state == (NOT_LESS, _SAME))

    return machine_of_steps(n, (0, _SAME), step, accept)
