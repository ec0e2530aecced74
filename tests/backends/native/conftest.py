"""Both forms of the search of single boards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from unidoku.backends.native import engines, library
from unidoku.backends.native.compiler import processor
from unidoku.backends.native.single import function

SLOW_AS_PYTHON = (
    "test_as_many_values_as_it_serves_are_searched",
    "test_a_batch_finds_what_each_board_alone_does_in_any_number_of_threads",
    "test_a_run_through_parts_of_one_region_is_as_long_as_it_can_be",
    "test_a_search_gives_up_after_exactly_so_many_failures_and_keeps_what_it_found",
    "test_the_grids_and_their_order_are_the_same_whatever_is_kept_or_asked_for",
    "test_a_node_limit_is_kept_exactly_and_what_was_found_before_is_kept",
    "test_stacks_grow_as_deep_as_it_takes",
    "test_a_search_that_begins_anew_counts_each_grid_once",
)
"""Tests that take more than a second as Python; `make soak` runs these too."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Leave Python to `make test-thorough`, and what takes long as Python to `make soak`.

    That both forms search alike is what `test_forms` proves.
    """
    if "[interpreted" in item.name:
        item.add_marker("thorough")
        if item.name.startswith(SLOW_AS_PYTHON):
            item.add_marker("soak")


@pytest.fixture(scope="module", params=["compiled", "interpreted"])
def form(request: pytest.FixtureRequest) -> Iterator[str]:
    """The form in which `engine=single` searches: machine code, or its source as Python."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "interpreted":
            patch.setattr(function, "compiled", lambda _=None: function.INTERPRETED)
        yield request.param


@pytest.fixture
def _without_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As in an installation without machine code, where llvmlite compiles."""
    monkeypatch.setattr(library, "address_of", lambda _: None)
    for module in (engines, processor):
        monkeypatch.setattr(module, "level", lambda: None)
    monkeypatch.setenv("UNIDOKU_LEVEL", "0")  # for other processes
    processor._own.cache_clear()
    yield
    processor._own.cache_clear()
