"""What machines are asked before a search, beside all lines of a few cells."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from unidoku.backends.native.single.build.machines import live, required
from unidoku.core.bits import bits_of, mask_of
from unidoku.core.constraints.automaton import Machine, machine_of


def machine(seed: int) -> Machine:
    """A machine of some states and values, deterministic or not."""
    numbers = random.Random(seed)
    n, states, most = numbers.randint(1, 3), numbers.randint(1, 5), numbers.randint(1, 2)
    steps = [
        (state, value, numbers.randrange(states))
        for state in range(states)
        for value in range(1, n + 1)
        for _ in range(most)
        if numbers.random() < 0.6
    ]
    return machine_of(n, [0], [numbers.randrange(states)], steps)


def ways(item: Machine, length: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the values of each line that is accepted, with the states on each way through it."""
    n = len(item.steps[0]) if item.steps else 0
    for values in product(range(1, n + 1), repeat=length):
        paths: list[tuple[int, ...]] = [(state,) for state in bits_of(item.starts)]
        for value in values:
            paths = [(*p, t) for p in paths for t in bits_of(item.steps[p[-1]][value - 1])]
        yield from ((values, path) for path in paths if item.accepting >> path[-1] & 1)


@pytest.mark.parametrize("length", [1, 2, 4])
def test_states_that_matter_are_those_on_some_way_to_the_end(length: int) -> None:
    for seed in range(60):
        paths = [path for _, path in ways(machine(seed), length)]
        layers = zip(*paths, strict=True) if paths else [()] * (length + 1)
        expected = tuple(sum(1 << state for state in set(layer)) for layer in layers)
        assert live(machine(seed), length) == expected


@pytest.mark.parametrize("length", [1, 2, 4])
def test_required_values_are_those_of_all_lines_that_are_accepted(length: int) -> None:
    for seed in range(60):
        lines = [mask_of(values) for values, _ in ways(machine(seed), length)]
        expected = (1 << len(machine(seed).steps[0])) - 1 if machine(seed).steps else 0
        for line in lines:
            expected &= line
        assert required(machine(seed), length) == expected
