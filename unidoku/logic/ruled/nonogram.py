"""Nonogram overlaps: cells that a run of filled cells covers wherever it lies.

A run lies between its first and its last place. If these overlap, the cells of the overlap are
filled; cells that no run reaches are empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unidoku.core.bits import bit
from unidoku.core.caching import number_cache
from unidoku.core.rules import NonogramLine
from unidoku.logic.ruled.eliminations import Reason, count_open, elimination_steps
from unidoku.logic.ruled.statement import statements_of
from unidoku.logic.state import State
from unidoku.logic.step import Step


def overlaps(state: State) -> Iterator[Step]:
    """Find runs of filled cells whose first and last place overlap, and cells out of reach."""
    for statement in statements_of(state.layout):
        rule = statement.rule
        if not isinstance(rule, NonogramLine) or not count_open(state, statement):
            continue
        filled = (rule.filled or 0) - state.layout.first_value + 1
        if not 1 <= filled <= state.layout.n or len(set(rule.line)) < len(rule.line):
            continue
        candidates = [state.candidates[cell] for cell in rule.line]
        may = tuple([bool(mask & bit(filled)) for mask in candidates])
        must = tuple([mask == bit(filled) for mask in candidates])
        remaining = list(candidates)
        for at, is_filled in _known(rule.blocks, may, must).items():
            remaining[at] &= bit(filled) if is_filled else ~bit(filled)
        yield from elimination_steps(state, rule.line, tuple(remaining), Reason((statement,)))


@number_cache(maxsize=1 << 12)
def _known(blocks: tuple[int, ...], may: Sequence[bool], must: Sequence[bool]) -> dict[int, bool]:
    """Return which cells must be filled or empty by the first and last place of each run."""
    first = _first_places(blocks, may, must)
    last = _first_places(blocks[::-1], may[::-1], must[::-1])
    if first is None or last is None:
        return {}
    size = len(may)
    ends = [size - position for position in reversed(last)]  # after the last cell of each run
    known: dict[int, bool] = {}
    reached: set[int] = set()
    for length, start, end in zip(blocks, first, ends, strict=True):
        reached.update(range(start, end))
        known |= dict.fromkeys(range(end - length, start + length), True)
    return known | {at: False for at in range(size) if at not in reached}


def _first_places(
    blocks: Sequence[int], may: Sequence[bool], must: Sequence[bool]
) -> list[int] | None:
    """Return the first place of each run in any arrangement; None if there is none."""
    size = len(may)
    fits: list[list[bool]] = [[False] * (size + 2) for _ in range(len(blocks) + 1)]
    for start in range(size + 1, -1, -1):  # whether the cells from here on need no more runs
        fits[-1][start] = not any(must[start:])
    for index in range(len(blocks) - 1, -1, -1):
        for start in range(size, -1, -1):
            lies = _lies(blocks[index], start, may, must)
            lies = lies and fits[index + 1][start + blocks[index] + 1]
            skip = start < size and not must[start] and fits[index][start + 1]
            fits[index][start] = lies or skip
    if not fits[0][0]:
        return None
    places = []
    start = 0
    for index, length in enumerate(blocks):
        while not (_lies(length, start, may, must) and fits[index + 1][start + length + 1]):
            start += 1
        places.append(start)
        start += length + 1
    return places


def _lies(length: int, start: int, may: Sequence[bool], must: Sequence[bool]) -> bool:
    """Return whether a run may lie here, followed by an empty cell or the end of the line."""
    end = start + length
    if end > len(may) or not all(may[start:end]):
        return False
    return end == len(may) or not must[end]
