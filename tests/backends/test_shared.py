"""What adapters share: the cover of a layout, models kept for reuse, Ctrl-C in libraries."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.python_process import run_python
from tests.helpers.volume import volume
from unidoku import Board, layout
from unidoku.backends.toolkit import models
from unidoku.backends.toolkit.cover import cover_of, grid_of, held_candidates
from unidoku.backends.toolkit.mdd import Mdd, mdd_of
from unidoku.backends.toolkit.models import Models
from unidoku.backends.toolkit.relations import clauses_of, differences_of, groups_of, stars_of
from unidoku.backends.toolkit.stopping import stopped_from_outside
from unidoku.core.bits import all_values, bit
from unidoku.core.constraints.primitives import Masks, Sum
from unidoku.core.layout import Layout
from unidoku.core.rules import Pairs
from unidoku.core.transforms.lower import lower
from unidoku.core.verify.boards import is_solution
from unidoku.testing.strategies import boards, tables, unit_systems

LAYOUTS = [layout("classic", 4), layout("x", 4), layout("latin", 3)]


@given(boards(unit_systems().filter(lambda layout: layout.n ** len(layout) < 2000)))
def test_the_cover_holds_of_a_grid_exactly_if_it_is_a_solution(board: Board) -> None:
    cover, n = cover_of(board.layout), board.layout.n
    true, false = map(set, held_candidates(board))
    for grid in itertools.product(range(1, n + 1), repeat=len(board.layout)):
        chosen = {cell * n + value - 1 for cell, value in enumerate(grid)}
        assert grid_of(board.layout, sorted(chosen, reverse=True)) == grid
        fits = (
            all(len(chosen & set(group)) == 1 for group in cover.primary)
            and all(len(chosen & set(group)) <= 1 for group in cover.secondary)
            and true <= chosen
            and not false & chosen
        )
        assert fits == is_solution(board, grid)


@given(tables(4), st.lists(st.permutations(range(3)), min_size=1))
def test_relations_are_told_alike_in_all_their_forms(table: Masks, orders: list[list[int]]) -> None:
    n = len(table)
    pairs = tuple((order[0], order[1]) for order in orders)
    row = Layout.from_units(n, [], shape=(1, 3), rules=[Pairs(pairs, table)])
    lowered = lower(row)
    left = lowered.candidates or (all_values(n),) * len(row)
    for grid in itertools.product(range(1, n + 1), repeat=3):
        chosen = {cell * n + value - 1 for cell, value in enumerate(grid)}
        right = is_solution(Board.empty(row), grid)
        among = all(mask & bit(value) for mask, value in zip(left, grid, strict=True))
        clauses = clauses_of(lowered)
        satisfied = all(not {*ones} <= chosen or {*others} & chosen for ones, others in clauses)
        assert (among and satisfied) == right
        for form in (groups_of, stars_of):
            satisfied = all(len(chosen & set(group)) <= 1 for group in form(lowered))
            assert (among and satisfied) == right


def test_a_relation_that_excludes_little_is_told_in_pairs_and_another_in_supports() -> None:
    pairs, supports = (
        Layout.from_units(9, [], shape=(1, 2), rules=[Pairs(((0, 1),), related)])
        for related in (lambda a, b: abs(a - b) != 1, lambda a, b: a < b)
    )
    assert {(len(ones), len(others)) for ones, others in clauses_of(lower(pairs))} == {(2, 0)}
    assert {len(ones) for ones, _ in clauses_of(lower(supports))} == {1}
    few, many = (lower(item).relations[0].table for item in (pairs, supports))
    assert differences_of(few) == (-1, 1)
    assert differences_of(many) is None


def test_each_exclusive_pair_is_told_once() -> None:
    pairs = list(cover_of(layout("classic", 4)).exclusive_pairs())
    assert len(pairs) == len(set(pairs)) == 16 * 6 + 4 * (16 * 7 // 2)


class Counter:
    """A model that counts how often it is built."""

    def __init__(self) -> None:
        self.built = 0

    def __call__(self) -> int:
        self.built += 1
        return self.built


def test_a_model_is_built_once_for_equal_layouts_and_options() -> None:
    store, build = Models[int](), Counter()
    for constraint in (LAYOUTS[0], Layout.from_units(4, LAYOUTS[0].units)):
        with store.lend(constraint, "a", build) as model:
            assert model == 1
    with store.lend(LAYOUTS[0], "b", build) as model:
        assert model == 2


def test_two_searches_at_once_get_two_models() -> None:
    store, build = Models[int](), Counter()
    with store.lend(LAYOUTS[0], (), build) as first, store.lend(LAYOUTS[0], (), build) as other:
        assert {first, other} == {1, 2}
    with store.lend(LAYOUTS[0], (), build), store.lend(LAYOUTS[0], (), build):
        assert build.built == 2


def test_a_model_whose_search_failed_or_that_is_worn_is_dropped() -> None:
    store, build = Models[int](worn=lambda model: model == 2), Counter()
    with pytest.raises(RuntimeError), store.lend(LAYOUTS[0], (), build):
        raise RuntimeError
    for expected in (2, 3, 3):
        with store.lend(LAYOUTS[0], (), build) as model:
            assert model == expected


def test_the_least_recently_used_models_are_dropped_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "MOST", 2)
    store, build = Models[int](), Counter()
    for constraint in (LAYOUTS[0], LAYOUTS[1], LAYOUTS[0], LAYOUTS[2], LAYOUTS[0], LAYOUTS[1]):
        with store.lend(constraint, (), build):
            pass
    assert build.built == 4, "the second was dropped for the third, the first was not"
    monkeypatch.setattr(models, "MOST_CANDIDATES", 4**3 - 1)
    for _ in range(2):
        with store.lend(LAYOUTS[0], (), build):
            pass
    assert build.built == 5, "one that is too large by itself is not kept"


@pytest.mark.volume
def test_models_are_lent_to_one_thread_at_a_time() -> None:
    store, in_use, wrong = Models[list[int]](), set[int](), []

    def work(_: int) -> None:
        for turn in range(volume(300)):
            with store.lend(LAYOUTS[turn % 3], (), list) as model:
                if id(model) in in_use:
                    wrong.append(turn)
                in_use.add(id(model))
                time.sleep(0)
                in_use.discard(id(model))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    assert not wrong


def deaf(stopped: threading.Event) -> None:
    """Wait as a library does: one call, which does not end because a signal came."""
    libc = ctypes.CDLL(None)
    while not stopped.is_set():
        with contextlib.suppress(KeyboardInterrupt):
            libc.usleep(10_000)


def interrupted_in(stopped: threading.Event) -> None:
    """Search in a deaf library, and press Ctrl-C when that has begun."""
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    deaf(stopped)


def test_ctrl_c_calls_stop_from_outside_and_is_then_raised() -> None:
    stopped = threading.Event()
    with pytest.raises(KeyboardInterrupt), stopped_from_outside(stopped.set):
        interrupted_in(stopped)
    assert stopped.is_set()


def test_other_threads_are_left_alone() -> None:
    messages: list[str] = []

    def run() -> None:
        with stopped_from_outside(lambda: messages.append("stopped")):
            messages.append("ran")

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert messages == ["ran"]


def test_an_event_loop_hears_its_signals_during_and_after() -> None:
    # In another process: a browser that this one drives would keep a loop running.
    program = """if True:
        import asyncio, os, signal, time
        from unidoku.backends.toolkit.stopping import stopped_from_outside

        async def main():
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGUSR1, lambda: print("signal"))
            with stopped_from_outside(lambda: None):
                os.kill(os.getpid(), signal.SIGUSR1)
                time.sleep(0.2)
            await asyncio.sleep(0.1)
            os.kill(os.getpid(), signal.SIGUSR1)
            await asyncio.sleep(0.1)

        asyncio.run(main())
    """
    ran = run_python("-c", program, timeout=60, check=True)
    assert ran.stdout.split() == ["signal", "signal"]


def test_sums_of_one_kind_share_their_layers_whatever_their_cells() -> None:
    item = mdd_of(Sum((0, 1, 2), (1, 1, 2), 7, 7), 9)
    other = mdd_of(Sum((80, 11, 5), (1, 2, 1), 7, 7), 9)
    assert item.arcs is other.arcs
    assert (item.cells, other.cells) == ((2, 0, 1), (11, 5, 80))


@given(st.lists(st.integers(1, 15), min_size=3, max_size=3), st.integers(3, 14))
def test_layers_within_candidates_have_the_paths_through_these_and_no_dead_end(
    candidates: list[int], total: int
) -> None:
    mdd = mdd_of(Sum((0, 1, 2), (1, 2, 1), total, total), 4)
    left = mdd.within(candidates)
    inside = {
        path
        for path in _paths(mdd)
        if all(candidates[cell] & bit(v) for cell, v in zip(mdd.cells, path, strict=True))
    }
    assert {*_paths(left)} == inside
    for before, after in itertools.pairwise(left.arcs):
        assert {target for _, _, target in before} == {state for state, _, _ in after}


def _paths(mdd: Mdd, state: int = 0, layer: int = 0) -> Iterator[tuple[int, ...]]:
    """Yield the values along each path from a state of a layer to the end."""
    if layer == len(mdd.arcs):
        yield ()
        return
    for source, value, target in mdd.arcs[layer]:
        if source == state:
            yield from ((value, *rest) for rest in _paths(mdd, target, layer + 1))
