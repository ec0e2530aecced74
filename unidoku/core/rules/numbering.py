"""Machines that read the numbers of regions that have to be found."""

from __future__ import annotations

from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import Machine, machine_of_steps


@number_cache(maxsize=64)
def numbered(n: int, most: int) -> Machine:
    """Return a machine of the numbers 1 to ``most``, which all occur, first in ascending order."""
    return machine_of_steps(
        n,
        0,
        lambda seen, value: max(seen, value) if value <= min(seen + 1, most) else None,
        lambda seen: seen == most,
    )


@number_cache(maxsize=256)
def counted(n: int, more: int, most: int, *, in_a_row: bool) -> Machine:
    """Return a machine that reads a number, a value, and then the value that often, or in a row.

    Args:
        n: the number of values.
        more: how much larger the number is than the count, including the first value.
        most: largest number of counted cells.
        in_a_row: whether only those up to the first other value count.
    """
    number, done = 0, -1  # instead of the counted value, with what is left to count

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        left, counted = state
        if state == start:
            return (value + more, number) if 1 <= value + more <= most else None
        if counted == done:
            return state
        if counted == number:
            return left - 1, value
        if value == counted:
            return (left - 1, value) if left else None
        if in_a_row:
            return None if left else (0, done)
        return state

    start = (-1, number)
    return machine_of_steps(n, start, step, lambda state: state[0] == 0)
