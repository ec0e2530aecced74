"""Machines of lines with sums of digits, or of values: multiples of the digits of doublers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TypeAlias

from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import Machine, machine_of_steps

State: TypeAlias = tuple[int, int]
"""What is known of a line so far; what it means depends on the machine."""


@dataclass(frozen=True, kw_only=True)
class SumSteps(ABC):
    """The steps of a machine that reads the digit of each cell together with its value.

    Args:
        total: the sum.
        shrinks: whether sums may become smaller again, because some values are negative.
    """

    total: int
    shrinks: bool = False

    @property
    @abstractmethod
    def start(self) -> State:
        """The first state."""

    @abstractmethod
    def step(self, state: State, digit: int, value: int) -> State | None:
        """Return the next state, None if there is none."""

    @abstractmethod
    def accepts(self, state: State) -> bool:
        """Return whether a line may end in a state."""

    def _may_be(self, part: int) -> bool:
        """Return whether a sum may still become the total."""
        return part <= self.total or self.shrinks


@dataclass(frozen=True, kw_only=True)
class SumLineSteps(SumSteps):
    """A line splits into parts of a total; sums do not shrink.

    A state is the sum of a part so far, and whether all values were 0 until now.

    Args:
        begin: the sum of a part that begins before the line.
        has_zero: whether values may be 0.
    """

    begin: int
    has_zero: bool

    @property
    def start(self) -> State:
        """The first state."""
        return self.begin, self.has_zero

    def step(self, state: State, digit: int, value: int) -> State | None:
        """Return the next state, None if a part is too large."""
        part = state[0] + value
        return (part % self.total, state[1] and value == 0) if part <= self.total else None

    def accepts(self, state: State) -> bool:
        """Return whether the last part is whole, and not all values were 0."""
        return state == (self.begin, False)


@dataclass(frozen=True, kw_only=True)
class XSumSteps(SumSteps):
    """As many cells as the first digit says sum to a total.

    A state is the number of these cells that are still to come, and the sum so far.

    Args:
        longest: the largest number of cells.
    """

    longest: int

    @property
    def start(self) -> State:
        """The first state."""
        return -1, 0

    def step(self, state: State, digit: int, value: int) -> State | None:
        """Return the next state, None if the number of cells or the sum is too large."""
        if state == self.start:
            if not 1 <= digit <= self.longest:
                return None
            state = digit, 0
        cells, part = state
        if not cells:
            return state
        return (cells - 1, part + value) if self._may_be(part + value) else None

    def accepts(self, state: State) -> bool:
        """Return whether all these cells were read, and their sum is right."""
        return state == (0, self.total)


@dataclass(frozen=True, kw_only=True)
class SandwichSteps(SumSteps):
    """The cells between the two crusts sum to a total.

    A state is the number of crusts so far, and the sum between them.

    Args:
        crusts: the two digits that are crusts.
    """

    crusts: tuple[int, int]

    @property
    def start(self) -> State:
        """The first state."""
        return 0, 0

    def step(self, state: State, digit: int, value: int) -> State | None:
        """Return the next state, None for a third crust or a wrong sum."""
        crusts, part = state
        if digit in self.crusts:
            return (crusts + 1, part) if state in (self.start, (1, self.total)) else None
        if crusts != 1:
            return state
        return (1, part + value) if self._may_be(part + value) else None

    def accepts(self, state: State) -> bool:
        """Return whether there were two crusts with the right sum between them."""
        return state == (2, self.total)


@number_cache(maxsize=512)
def machine_of_digits(n: int, first_value: int, steps: SumSteps) -> Machine:
    """Return the machine of a line whose values are its digits."""
    return machine_of_steps(
        n,
        steps.start,
        lambda state, digit: steps.step(state, digit, digit),
        steps.accepts,
        first_value,
    )
