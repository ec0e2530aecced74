"""A rule of the user's own about the values along a line, step by step."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, cast

from unidoku.core.bits import bits_of
from unidoku.core.caching import identity_cache, number_cache
from unidoku.core.constraints.automaton import Machine, Transition, machine_of, machine_of_steps
from unidoku.core.constraints.primitives import Automaton, Constraint
from unidoku.core.rules.base import UNNAMED, Facts, Rule, cell_names
from unidoku.core.rules.failures import named_failures
from unidoku.core.rules.fields import CellsInOrder
from unidoku.errors import LayoutError
from unidoku.support.language import message
from unidoku.support.text import listed

COLOURS = ("red", "indigo", "green", "black", "magenta")
"""The colours of lines of a setter's own."""


def check_colour(kind: str, colour: str) -> None:
    """Refuse a colour that no drawing has.

    Raises:
        LayoutError: it is another one.
    """
    if colour not in ("", *COLOURS):
        raise LayoutError(f"{kind}: colour: expected {listed(COLOURS, 'or')}, got {colour!r}")


@dataclass(frozen=True)
class Line(Rule):
    """The values along a line satisfy a step function of your own.

    >>> from unidoku import Board, Layout, count
    >>> even = Line((0, 1, 2), 0, lambda odd, value: odd ^ value % 2, lambda odd: not odd, "even")
    >>> row = Layout.from_units(3, [], shape=(1, 3), rules=[even])
    >>> count(Board.empty(row)).count  # lines whose sum is even
    13

    The function is tabulated once for the values of the layout, as an automaton, so that the rule
    can be compared, written to files and sent to other processes.

    Args:
        line: the cells in order.
        start: the first state, anything hashable; for a table, the possible first states.
        step: function from a state and a value to the next state, None if there is none; or the
            table of steps, each a state, a value and a possible next state.
        accept: function that returns whether the line may end in a state; or these states.
        name: name in messages.
        colour: the colour of the line in drawings: `red`, `indigo`, `green`, `black` or `magenta`;
            by default one that no other line has.
    """

    kind: ClassVar[str] = "line"
    checked_here: ClassVar[frozenset[str]] = frozenset({"step"})  # tables have thousands of steps
    line: CellsInOrder
    start: Hashable | tuple[int, ...]
    step: Callable[[Any, int], Hashable | None] | tuple[Transition, ...]
    accept: Callable[[Any], object] | tuple[int, ...]
    name: str = "line"
    colour: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        """Convert lists to tuples, and refuse invalid tables."""
        super().__post_init__()
        check_colour(self.kind, self.colour)
        if callable(self.step):
            if not callable(self.accept):
                raise LayoutError(
                    f"line: accept: expected a function beside that of steps, got {self.accept!r}"
                )
            return
        if not (isinstance(self.start, Sequence) and isinstance(self.accept, Sequence)):
            raise LayoutError(
                "line: start and accept: expected lists of states beside a table of steps, "
                f"got {self.start!r} and {self.accept!r}"
            )
        checked: dict[str, Any] = {
            "start": tuple(cast("Sequence[int]", self.start)),
            "step": tuple(map(tuple, self.step)),
            "accept": tuple(cast("Sequence[int]", self.accept)),
        }
        numbers = (
            *checked["start"],
            *checked["accept"],
            *(x for step in checked["step"] for x in step),
        )
        fits = all(type(number) is int and number >= 0 for number in numbers)
        if not fits or not {3}.issuperset(map(len, checked["step"])):
            raise LayoutError("line: step: expected steps, each a state, a value and a state")
        for name, content in checked.items():
            object.__setattr__(self, name, content)

    def bind(self, facts: Facts) -> Line:
        """Return the rule with its table."""
        starts, steps, ends = shown_fields = _shown_fields(
            self._machine(facts), facts.first_value - 1
        )
        if shown_fields == (self.start, self.step, self.accept):
            object.__setattr__(self, "step", steps)  # the table that all such lines share
            return self
        return replace(self, start=starts, step=steps, accept=ends)

    def _machine(self, facts: Facts) -> Machine:
        n, shift = facts.n, facts.first_value - 1
        if callable(self.step):
            assert callable(self.accept), "both are functions, or neither"
            with named_failures(self, "step() or accept"):
                return machine_of_steps(n, self.start, self.step, self.accept, facts.first_value)
        starts = cast("tuple[int, ...]", self.start)
        ends = cast("tuple[int, ...]", self.accept)
        return _of_table(self.step, n, shift, starts, ends)

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the line if its values, with any values in empty cells, are not accepted."""
        assert not callable(self.step), "a rule of a layout has its table"
        assert not callable(self.accept), "a rule of a layout has its table"
        shift = first_value - 1
        states = set(cast("tuple[int, ...]", self.start))
        for cell in self.line:
            states = {b for a, v, b in self.step if a in states and values[cell] in (0, v - shift)}
        if not states & set(self.accept):
            yield self.cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield the automaton."""
        yield Automaton(self.line, self._machine(facts))

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        rule = self.name or message(UNNAMED)
        return message("{cells}: {rule}", cells=cell_names(self.line, names), rule=rule)


@number_cache(maxsize=256)
def _shown_fields(
    machine: Machine, shift: int
) -> tuple[tuple[int, ...], tuple[Transition, ...], tuple[int, ...]]:
    """Return first states, steps and last states of a machine, with ``shift`` added to values."""
    steps = tuple([(a, value + shift, b) for a, value, b in machine.transitions])
    return tuple(bits_of(machine.starts)), steps, tuple(bits_of(machine.accepting))


@identity_cache
@number_cache(maxsize=256)
def _of_table(
    table: tuple[Transition, ...],
    n: int,
    shift: int,
    starts: tuple[int, ...],
    ends: tuple[int, ...],
) -> Machine:
    """Return the machine of a table of steps, after ``shift`` is taken from their values."""
    steps = [(a, value - shift, b) for a, value, b in table if 1 <= value - shift <= n]
    return machine_of(n, starts, ends, steps)
