"""The search: propagation to a fixpoint, then a guess and its opposite, depth first.

A guess saves all candidates; the opposite, "this cell is not that value", continues from the saved
ones. Guesses are chosen in `guess`; weights of cells grow with each failure of a constraint on
them. Each failure counts more than the one before, so that the search forgets old ones.

The search restarts after a number of failures, with the weights that it has, as long as it has
found nothing. The number grows each time, so that the search ends.
"""

from __future__ import annotations

from unidoku.backends.native.compiler.intrinsics import copy, lowest_bit, size_of
from unidoku.backends.native.single.search.cages import find_sums
from unidoku.backends.native.single.search.divisions import division
from unidoku.backends.native.single.search.guess import guess
from unidoku.backends.native.single.search.kinds import (
    FAILURE_WEIGHT,
    FIRST_INCREMENT,
    GROWTH_WITH_RULES,
    GUESS_WEIGHT,
    LATER_FAILURES,
    MAX_VALUES,
    MOST_INCREMENT,
    READY,
    SHARED_WEIGHT,
    SUMS,
    Propagator,
    Returned,
)
from unidoku.backends.native.single.search.lines import (
    apart,
    automaton,
    differ_where,
    indexed,
    table,
)
from unidoku.backends.native.single.search.occurrences import across, hits, required, times
from unidoku.backends.native.single.search.peers import take_decided, value_peers
from unidoku.backends.native.single.search.prepare import prepare
from unidoku.backends.native.single.search.ranks import ranked
from unidoku.backends.native.single.search.regions import region
from unidoku.backends.native.single.search.registers import Register
from unidoku.backends.native.single.search.runs import alike, run, visible
from unidoku.backends.native.single.search.sandwiches import sandwich
from unidoku.backends.native.single.search.state import (
    ALL_THAT_FOLLOWS,
    CONTRADICTION,
    Search,
    all_that_follows,
    decide,
    first_bits,
    keep,
    leave,
    more_may_follow,
    narrow,
    search_at,
    start_of,
    wake,
)
from unidoku.backends.native.single.search.subsets import NARROWED, NOTHING, naked_subsets
from unidoku.backends.native.single.search.sums import weighted_sum
from unidoku.backends.native.single.search.units import (
    band,
    counted,
    matching,
    relation,
    run_units,
    same,
    sets,
    unit,
)

DONE, LATE, OF_PEERS = -1, -2, -3
"""What propagation returns instead of the number of the constraint that failed: nothing is left to
do, the clock has to be checked, or, from `OF_PEERS` downwards, the cell whose value a peer had."""


def begin_search(s: Search) -> bool:
    """Set up a search from the candidates; return whether each cell has one.

    If all that follows from the rules alone is known, only constraints on cells that have lost more
    candidates are put into the queue.
    """
    r = s.registers
    weights, left = start_of(s)
    settled = r[Register.ROOT_IS_FIXPOINT] != 0
    r[Register.LEVEL] = 0
    r[Register.NODES] = 1
    r[Register.FAILURE_INCREMENT] = FIRST_INCREMENT
    r[Register.BEFORE] = -1
    for index in range(r[Register.CELLS], r[Register.STATE]):
        s.candidates[index] = 0
    begin, end = r[Register.EXCLUSIONS], 0 if settled else r[Register.CONSTRAINTS]
    for word in range(r[Register.WORDS]):
        s.queue[word] = first_bits(end) & ~first_bits(begin)
        begin, end = begin - 64, end - 64
    for cell in range(r[Register.CELLS]):
        s.weights[cell] = weights[cell] * FIRST_INCREMENT
        mask = s.candidates[cell] & left[cell]
        s.candidates[cell] = mask
        if mask == left[cell] and settled:
            continue
        if mask & (mask - 1) == 0:
            if mask == 0:
                return False
            decide(s, cell)
        if settled:
            wake(s, cell)
    return True


def _propagate_root(s: Search) -> None:
    """Note what follows from the rules alone, for all boards of the layout, unless it takes long.

    What is impossible leaves a cell without candidates.
    """
    r = s.registers
    _, left = start_of(s)
    for cell in range(r[Register.CELLS]):
        s.candidates[cell] = left[cell]
    failed = propagate(s) if begin_search(s) else 0
    if failed >= 0 or failed <= OF_PEERS:
        left[0] = 0
    else:
        copy(left, 0, s.candidates, 0, r[Register.CELLS])
        r[Register.ROOT_IS_FIXPOINT] = failed == DONE


def _next(s: Search) -> int:
    """Take the first constraint from the queue; -1 if it is empty."""
    for word in range(s.registers[Register.WORDS]):
        waiting = s.queue[word]
        if waiting:
            s.queue[word] = waiting & (waiting - 1)
            return word * 64 + lowest_bit(waiting)
    return -1


def _work(s: Search, kind: int, row: int) -> int:
    """Run a constraint other than alternatives; return what was found."""
    if kind == Propagator.VALUE_PEERS:
        return all_that_follows(value_peers(s, row))
    if kind <= Propagator.RELATION:
        return more_may_follow(relation(s, row))
    if kind == Propagator.UNIT:
        return more_may_follow(unit(s, row))
    if kind == Propagator.SETS:
        return sets(s, row)
    if kind == Propagator.SUM:
        return weighted_sum(s, row)
    if kind == Propagator.REQUIRED:
        return all_that_follows(required(s, row))
    if kind == Propagator.TIMES:
        return more_may_follow(times(s, row))
    if kind == Propagator.HITS:
        return more_may_follow(hits(s, row))
    if kind == Propagator.BAND:
        return all_that_follows(band(s, row))
    if kind == Propagator.SAME:
        return all_that_follows(same(s, row))
    if kind == Propagator.MATCHING:
        return more_may_follow(matching(s, row))
    if kind == Propagator.ACROSS:
        return more_may_follow(across(s, row))
    if kind == Propagator.DIFFER_WHERE:
        return all_that_follows(differ_where(s, row))
    if kind == Propagator.INDEXED:
        return more_may_follow(indexed(s, row))
    if kind == Propagator.APART:
        return all_that_follows(apart(s, row))
    if kind == Propagator.COUNTED:
        return more_may_follow(counted(s, row))
    if kind == Propagator.TABLE:
        return all_that_follows(table(s, row))
    if kind == Propagator.SANDWICH:
        return more_may_follow(sandwich(s, row))
    if kind == Propagator.RUN:
        return all_that_follows(run(s, row))
    if kind == Propagator.ALIKE:
        return all_that_follows(alike(s, row))
    if kind == Propagator.RANK:
        return more_may_follow(ranked(s, row))
    if kind == Propagator.REGION:
        return more_may_follow(region(s, row))
    if kind == Propagator.DIVISION:
        return more_may_follow(division(s, row))
    fits = automaton(s, row)
    return more_may_follow(fits) if kind == Propagator.REPEATING else all_that_follows(fits)


def _fits(s: Search, constraint: int) -> bool:
    """Run a constraint; return whether it can still hold.

    A propagator that finds all deductions of its constraint leaves the queue although it narrowed
    its own cells.
    """
    kind, row = s.kinds[constraint], s.rows[constraint]
    if kind == Propagator.UNIT:  # half of all calls
        return unit(s, row)
    result = more_may_follow(_some_branch(s, row)) if kind == Propagator.OR else _work(s, kind, row)
    if result == ALL_THAT_FOLLOWS:
        leave(s, constraint)
    return result != CONTRADICTION


def _some_branch(s: Search, row: int) -> int:
    """Keep the candidates left in some possible branch; return whether a branch is possible.

    Each branch is tried on the current candidates, and the constraints that this wakes are dropped.
    The first 62 branches that are impossible are noted behind the candidates of cells, and are not
    tried again until the search returns to an earlier state. A row: number of cells, the cells, the
    place of that note, number of branches, and for each branch the number of constraints, each with
    its propagator and row.
    """
    r = s.registers
    size, words = s.data[row], r[Register.WORDS]
    before = r[Register.SPARE]
    union, waiting = before + size, before + 2 * size
    copy(s.work, waiting, s.queue, 0, words)
    for index in range(size):
        s.work[before + index] = s.candidates[s.data[row + 1 + index]]
        s.work[union + index] = 0
    note, at = s.data[row + size + 1], row + size + 3
    gone = s.candidates[note]
    r[Register.BRANCHES] = 1
    for branch in range(s.data[at - 1]):
        bit = 1 << branch if branch < MAX_VALUES else 0
        if gone & bit == 0:
            if _all_hold(s, row, at + 1, s.data[at]):
                for index in range(size):
                    s.work[union + index] |= s.candidates[s.data[row + 1 + index]]
            else:
                gone |= bit
            for index in range(size):
                s.candidates[s.data[row + 1 + index]] = s.work[before + index]
            r[Register.DECIDED] = 0
        at += 1 + 2 * s.data[at]
    r[Register.BRANCHES] = 0
    s.candidates[note] = gone
    copy(s.queue, 0, s.work, waiting, words)
    fits = True
    for index in range(size):
        fits &= keep(s, s.data[row + 1 + index], s.work[union + index])
    return fits


def _all_hold(s: Search, row: int, at: int, parts: int) -> bool:
    """Run the constraints of a branch to a fixpoint; return whether all can hold."""
    left, before = _candidates_left(s, row), -1
    while left != before:
        for part in range(at, at + 2 * parts, 2):
            s.registers[Register.TICKS] += 1
            if _work(s, s.data[part], s.data[part + 1]) == CONTRADICTION:
                return False
        before, left = left, _candidates_left(s, row)
    return True


def _candidates_left(s: Search, row: int) -> int:
    """Return the total number of candidates of a constraint's cells."""
    left = 0
    for index in range(row + 1, row + 1 + s.data[row]):
        left += size_of(s.candidates[s.data[index]])
    return left


def propagate(s: Search) -> int:
    """Run constraints until nothing is left to do; return why it ends, see `DONE`."""
    r = s.registers
    while True:
        cell = take_decided(s)
        if cell >= 0:
            return OF_PEERS - cell
        if r[Register.TICKS] >= r[Register.UNTIL]:
            return LATE
        constraint = _next(s)
        if constraint < 0:
            outcome = naked_subsets(s) if r[Register.RULED] else NOTHING
            if outcome == NOTHING:
                return DONE
            if outcome != NARROWED:
                return OF_PEERS - outcome
            continue
        r[Register.TICKS] += 1
        if s.kinds[constraint] == Propagator.UNIT and r[Register.UNITS_AT]:
            failed = run_units(s, constraint)
            if failed >= 0:
                return failed
            continue
        r[Register.PROPAGATIONS] += 1
        if not _fits(s, constraint):
            return constraint


def fail(s: Search, failed: int) -> None:
    """Count a failure, make its cells weigh more, and empty the queue."""
    r = s.registers
    r[Register.FAILURES] += 1
    r[Register.RUN_FAILURES] += 1
    r[Register.IN_A_ROW] += 1
    _increase_weights(s, failed)
    r[Register.DECIDED] = 0
    for word in range(r[Register.WORDS]):
        s.queue[word] = 0


def _increase_weights(s: Search, failed: int) -> None:
    """Make cells weigh more after a failure, which counts more than those before it."""
    r = s.registers
    if r[Register.RULED]:
        s.weights[r[Register.GUESSED]] += GUESS_WEIGHT * r[Register.FAILURE_INCREMENT]
    if failed <= OF_PEERS:
        s.weights[OF_PEERS - failed] += FAILURE_WEIGHT * r[Register.FAILURE_INCREMENT]
    elif s.kinds[failed] != Propagator.REGION and s.kinds[failed] != Propagator.DIVISION:
        row = s.rows[failed]
        size = s.data[row]
        if s.kinds[failed] == Propagator.RUN:
            size = visible(s, row)
        elif s.kinds[failed] == Propagator.INDEXED:
            size = 2  # the place and the value
        _blame_cells(s, row, size)
    r[Register.FAILURE_INCREMENT] += r[Register.FAILURE_INCREMENT] >> LATER_FAILURES
    if r[Register.FAILURE_INCREMENT] > MOST_INCREMENT:
        r[Register.FAILURE_INCREMENT] = (
            r[Register.FAILURE_INCREMENT] * FIRST_INCREMENT // MOST_INCREMENT
        )
        for cell in range(r[Register.CELLS]):
            s.weights[cell] = max(s.weights[cell] * FIRST_INCREMENT // MOST_INCREMENT, 1)


def _blame_cells(s: Search, row: int, size: int) -> None:
    """Make so many cells of a failed constraint weigh more."""
    count = 0
    for index in range(row + 1, row + 1 + size):
        mask = s.candidates[s.data[index]]
        if mask & (mask - 1):
            count += 1
    share = SHARED_WEIGHT * s.registers[Register.FAILURE_INCREMENT] // max(count, 1)
    for index in range(row + 1, row + 1 + size):
        cell = s.data[index]
        s.weights[cell] += share // max(size_of(s.candidates[cell]), 1)


def restart(s: Search) -> None:
    """Return to the first saved candidates, with a larger number of failures than last time."""
    r = s.registers
    if r[Register.RULED]:
        r[Register.RUN] *= GROWTH_WITH_RULES
    else:
        r[Register.RUN] += (r[Register.RUN] >> 1) + 1
    r[Register.RUN_FAILURES] = 0
    r[Register.RESTARTS] += 1
    r[Register.LEVEL] = r[Register.BEFORE] = 0
    copy(s.candidates, 0, s.stack, 0, r[Register.STATE])


def _record(s: Search) -> bool:
    """Count a solution and keep it if requested; return whether there was room."""
    r = s.registers
    if r[Register.TO_KEEP]:
        if r[Register.GRID_COUNT] == r[Register.ROOM]:
            return False
        first = r[Register.GRID_COUNT] * r[Register.CELLS]
        for cell in range(r[Register.CELLS]):
            s.grids[first + cell] = lowest_bit(s.candidates[cell]) + 1
        r[Register.GRID_COUNT] += 1
        r[Register.TO_KEEP] -= 1
    r[Register.COUNT] += 1
    r[Register.IN_A_ROW] = 0
    return True


def branch(s: Search, cell: int, value: int) -> None:
    """Save all candidates, and guess that a cell has a value."""
    r = s.registers
    level, size = r[Register.LEVEL], r[Register.STATE]
    r[Register.BEFORE] = level * size
    copy(s.stack, level * size, s.candidates, 0, size)
    s.guesses[2 * level] = cell
    s.guesses[2 * level + 1] = value
    r[Register.LEVEL] = level + 1
    r[Register.NODES] += 1
    r[Register.TICKS] += 1
    r[Register.GUESSED] = cell
    narrow(s, cell, value)


def take_opposite(s: Search) -> None:
    """Return to the candidates that were saved last; their cell is not the value guessed there."""
    r = s.registers
    level, size = r[Register.LEVEL] - 1, r[Register.STATE]
    r[Register.LEVEL] = level
    r[Register.NODES] += 1
    r[Register.BEFORE] = level * size
    copy(s.candidates, 0, s.stack, level * size, size)
    cell = r[Register.GUESSED] = s.guesses[2 * level]
    narrow(s, cell, s.candidates[cell] & ~s.guesses[2 * level + 1])


def search(registers_at: int) -> int:
    """Continue the search; return the `Returned` that states why it stops.

    Once for each layout it is called to prepare the layout's arrays instead, and before that to
    find sums (`find_sums`), which returns where these end.
    """
    s = search_at(registers_at)
    r = s.registers
    if r[Register.LEVEL] == SUMS:
        return find_sums(s.data)
    if r[Register.LEVEL] == READY:
        prepare(s)
        _propagate_root(s)
        return Returned.EXHAUSTED
    if r[Register.LEVEL] < 0 and not begin_search(s):
        r[Register.FAILURES] = 1
        return Returned.EXHAUSTED
    while True:
        failed = propagate(s)
        if failed == LATE:
            return Returned.CLOCK
        if failed == DONE:
            cell, value = guess(s)
            if cell >= 0:
                if r[Register.LEVEL] == r[Register.DEPTH]:
                    return Returned.STACK
                if r[Register.NODES] == r[Register.NODE_LIMIT]:
                    return Returned.NODES
                branch(s, cell, value)
                continue
            if not _record(s):
                return Returned.GRIDS
            if r[Register.COUNT] == r[Register.LIMIT]:
                return Returned.ENOUGH
        else:
            fail(s, failed)
        if r[Register.LEVEL] == 0:
            return Returned.EXHAUSTED
        if r[Register.IN_A_ROW] == r[Register.FAILURE_LIMIT]:
            return Returned.FAILURES
        if r[Register.RUN_FAILURES] >= r[Register.RUN] and r[Register.COUNT] == 0:
            restart(s)
            continue
        if r[Register.NODES] == r[Register.NODE_LIMIT]:
            return Returned.NODES
        take_opposite(s)
