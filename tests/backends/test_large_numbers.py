"""Every backend counts boards with numbers of any size rightly, or refuses them by name."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pytest

import unidoku
from tests.backends.languages.test_languages import jar
from tests.backends.native.shaped import shaped
from tests.backends.programs.test_programs import LISTED
from tests.conftest import SLOW
from tests.helpers.large_numbers import SIZES, large_board
from tests.helpers.programs import needs
from tests.helpers.volume import SOAK, volume
from unidoku import Board, Layout, Request, Solver, Stop, Sum
from unidoku.backends import every_row, find
from unidoku.backends.base import Capabilities
from unidoku.backends.programs.declared import programs_of
from unidoku.backends.programs.protocol import JsonLines
from unidoku.backends.programs.sheet import InputWriter
from unidoku.backends.solving.policy import refusals
from unidoku.backends.sum_range import larger_sums, reach_of
from unidoku.backends.toolkit import mdd
from unidoku.core import rules
from unidoku.core.batch import Batch
from unidoku.core.transforms.implied import with_implied
from unidoku.core.transforms.simplify import simplified
from unidoku.errors import InputError, UnsupportedError, WrongAnswerError
from unidoku.testing.constraints import supports_declared_numbers

MOST = 12
"""Solutions that are asked for: programs run once for each."""

LONGEST = 10.0
"""Seconds for a board: toulbar2 needs minutes for some."""

BOARDS = max(400, volume(10)) if SOAK else 10
"""Boards for each backend; a slow one and each program gets a quarter, one in Java a twentieth."""

OTHERS = [
    "native[engine=python]",
    "native[engine=single]",
    "native[engine=lanes]",
    "cp-sat[encoding=integer]",
    "cp-sat[encoding=naive]",
    "choco[learning=true]",
    "cpmpy[solver=z3]",
    "cpmpy[solver=pumpkin]",
    'program[language=lp,command="glpsol --lp {file} -o {answer}"]',
]
"""Other ways to count: engines, encodings, and a program that only its label names."""


def row(
    weights: tuple[int, ...],
    total: int,
    sign: str = "=",
    *,
    n: int = 4,
    unit: tuple[int, ...] = (),
    first_value: int = 1,
) -> Board:
    """Return a row of cells with a weighted sum of all of them."""
    cells = tuple(range(len(weights)))
    layout_rules = [rules.WeightedSum(cells, weights, total, sign)]
    units, shape = [unit] if unit else [], (1, len(weights))
    return Board.empty(
        Layout.from_units(n, units, shape=shape, rules=layout_rules, first_value=first_value)
    )


def reaching(most: int, n: int = 2) -> Board:
    """Return a row of three cells whose sum reaches a number that is divisible by the values."""
    third = most // n // 3
    weights = (third, third + 1, most // n - 2 * third - 1)
    return row(weights, sum(weights) + third + 1, n=n)


def sizes(solver: Solver) -> Iterator[int]:
    """Yield sizes of numbers, one in three near the largest that a backend supports."""
    rng = random.Random(solver.label)
    most = solver.spec.capabilities.max_sum
    while True:
        near = most is not None and rng.random() < 1 / 3
        yield (most or 0) // rng.randint(8, 30) if near else rng.choice(SIZES)


def check(solver: Solver, boards: int) -> None:
    """Count boards, or see them refused for what the backend says of itself."""
    rng = random.Random(f"{solver.label} of {boards}")
    can = solver.spec.capabilities
    limit = LONGEST if "time_limit" in can.honours else None
    request = Request(solutions=MOST, time_limit=limit)
    counted = 0
    for size in islice(sizes(solver), boards):
        layout, grids = large_board(rng, size)
        is_refused = bool(refusals(can, layout, request))
        assert is_refused or can.max_sum is None or reach_of(layout) <= can.max_sum
        try:
            result = solver.search(Board.empty(layout), request)
        except UnsupportedError as error:
            reason = str(error)
            assert reason.startswith(solver.spec.name)
            assert "supports sums of up to" in reason or "does not support alternatives" in reason
            assert is_refused or solver.options
            continue
        assert not is_refused
        if result.stop is Stop.TIME:
            continue
        assert result.count == min(MOST, len(grids)), layout
        assert set(result.solutions) <= set(grids)
        counted += 1
    assert counted


@pytest.mark.volume
def test_every_backend_counts_numbers_of_any_size_or_refuses_them_by_name(
    backend_name: str,
) -> None:
    check(unidoku.load(backend_name), BOARDS // (4 if backend_name in SLOW else 1))


@pytest.mark.soak
@pytest.mark.parametrize("name", LISTED)
def test_every_program_counts_numbers_of_any_size_or_refuses_them_by_name(name: str) -> None:
    check(unidoku.load(name), BOARDS // 4)


@pytest.mark.soak
@pytest.mark.parametrize("label", OTHERS)
def test_every_engine_counts_numbers_of_any_size_or_refuses_them_by_name(label: str) -> None:
    check(unidoku.load(label), BOARDS // (4 if label.partition("[")[0] in SLOW else 1))


@pytest.mark.soak
@needs("java")
@pytest.mark.parametrize("solver", ["ace", "choco"])
def test_every_reader_of_xml_counts_numbers_of_any_size_or_refuses_them_by_name(
    solver: str,
) -> None:
    command = f"java -jar {jar(solver)} {{file}}"
    check(unidoku.load("program", language="xcsp3", command=command), BOARDS // 20)


@pytest.mark.parametrize("name", [row.name for row in every_row() if row.capabilities.max_sum])
def test_a_backend_refuses_exactly_what_is_beyond_its_range(name: str) -> None:
    can = find(name).capabilities
    assert can.max_sum is not None
    even = can.max_sum - can.max_sum % 2
    assert reach_of(reaching(even).layout) == even
    assert refusals(can, reaching(even).layout, Request()) == ()
    (reason,) = refusals(can, reaching(even + 2).layout, Request())
    assert reason == (
        f"supports sums of up to {can.max_sum:,}, those of 'weighted-sum' reach {even + 2:,}: "
        "--backend auto"
    )


@pytest.mark.parametrize("name", ["cp-sat", "clingo", "highs", "choco", "pumpkin"])
def test_a_backend_is_right_to_the_end_of_its_range(name: str) -> None:
    most = find(name).capabilities.max_sum
    assert most is not None
    board = reaching(most - most % 2)
    expected = unidoku.solve(board, backend="norvig", solutions=None).solutions
    assert 0 < len(expected) < 8
    assert unidoku.solve(board, backend=name, solutions=None).solutions == expected


@pytest.mark.parametrize(
    ("board", "solutions"),
    [
        # In floats each of these had too many solutions or too few.
        (row((1000001, -1, 833673, -1000001), 2501015), 4),
        (row((-2, 9709805, -9709808), -4998, n=2, first_value=999), 1),
        (row((-4146051, 4146050, -1891629), -3783260, n=2, unit=(1, 2)), 0),
        (row((9 * 10**18, -(2**31), 9 * 10**18), 89999999991410065408, ">=", n=6), 30),
        # In 64 bits it had none.
        (
            row(
                (2**60 - 1, 2**60 - 3, 135052638219525601),
                2442588779490704498375,
                n=6,
                unit=(0, 1, 2),
                first_value=999,
            ),
            1,
        ),
    ],
)
def test_the_default_backend_counts_what_floats_and_64_bits_do_not(
    board: Board, solutions: int
) -> None:
    assert unidoku.count(board, limit=100).count == solutions
    assert unidoku.count(board, limit=100, backend="norvig").count == solutions
    for name in ("highs", "glpk"):
        (reason,) = refusals(find(name).capabilities, board.layout, Request())
        assert reason.startswith("supports sums of up to ")


@pytest.mark.parametrize("limits", [{"seed": 1}, {"node_limit": 1000}, {}])
def test_the_default_backend_takes_any_number_whatever_else_is_asked(
    limits: dict[str, int],
) -> None:
    solver, board = unidoku.load("auto"), reaching(1 << 70)
    expected = unidoku.count(board, backend="norvig").count
    request = replace(Request(solutions=None, keep=0), **limits)
    assert solver.search(board, request).count == expected
    many = solver.search_batch(Batch.from_array(board.layout, np.zeros((2, 3), np.uint8)), request)
    assert many.counts.tolist() == [expected, expected]


def test_the_compiled_search_refuses_what_64_bits_do_not_hold() -> None:
    board = reaching((1 << 60) + 2)
    with pytest.raises(
        UnsupportedError,
        match=r"^native\[engine=single\] supports sums of up to 1,152,921,504,606,846,976, those "
        r"of 'weighted-sum' reach 1,152,921,504,606,846,978",
    ):
        unidoku.solve(board, backend="native[engine=single]")
    result = unidoku.solve(reaching(1 << 60), backend="native[engine=single]", solutions=None)
    assert result.solutions == unidoku.solve(reaching(1 << 60), solutions=None).solutions


def test_bounds_that_no_values_reach_are_not_counted() -> None:
    loose = Sum((0, 1, 2), (2, 3, -1), -(10**30), 7)
    layout = Layout.from_units(4, [], shape=(1, 3), rules=[shaped(loose)])
    assert simplified(layout).constraints == (Sum((0, 1, 2), (2, 3, -1), 1, 7),)
    assert reach_of(layout) == 24
    assert larger_sums(24, layout) == ""
    assert larger_sums(23, layout) == "supports sums of up to 23, those of 'constraints' reach 24"


def test_sums_inside_alternatives_count_and_are_named_by_the_rule_around_them() -> None:
    cells, weights = (0, 1, 2, 3), ((1, 2, 3, 10**9), (10**9, 1, 2, 3))
    branches = tuple([(rules.WeightedSum(cells, factors, 3 * 10**9, "<="),) for factors in weights])
    layout = Layout.from_units(
        6, [], shape=(1, 4), rules=[rules.AnyOf(branches), rules.Killer(cells, 10)]
    )
    assert larger_sums(10**9, layout).endswith("those of 'any-of' reach 6,000,000,036")


@pytest.mark.parametrize("limit", ["solutions", "keep", "node_limit"])
@pytest.mark.parametrize("label", ["auto", "native[engine=lanes]", "choco"])
def test_a_limit_that_no_search_reaches_is_none(label: str, limit: str) -> None:
    solver = unidoku.load(label)
    limits: Any = {"solutions": None, limit: 1 << 64}
    result = solver.solve("1... ..2. .3.. ....", **limits)
    assert (result.count, result.stop) == (3, Stop.EXHAUSTED)


def test_a_number_of_thousands_of_digits_is_not_written() -> None:
    layout = row((10**3000, 1, -1), 10**3000).layout
    assert larger_sums(100, layout).endswith("those of 'weighted-sum' reach more than 10^30")
    assert unidoku.count(Board.empty(layout)).count == 4


def test_sums_that_are_deduced_have_no_rule_to_name() -> None:
    cage = rules.Killer((0, 1, 2, 3, 4, 5, 6, 9), 40)
    layout = with_implied(replace(unidoku.layout("classic"), rules=(cage,)))
    assert larger_sums(1, layout) == "supports sums of up to 1, deduced ones reach 27"


def test_a_sum_of_too_many_partial_sums_is_refused_by_name_and_left_to_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mdd, "MOST_ARCS_OF_SUM", 1000)
    weights = (982451653, 899809363, 776531419, 694847539, 573259433)
    board = row(weights, 5 * sum(weights), "<=", n=9)
    with pytest.raises(UnsupportedError, match=r"^sat supports up to 1,000 steps of a sum, a"):
        unidoku.solve(board, backend="sat")
    assert unidoku.count(board, limit=3).count == 3


@pytest.mark.parametrize("total", [10**6, 10**18, -(10**18)])
def test_a_lunchbox_of_a_total_that_no_values_have_is_decided_at_once(total: int) -> None:
    layout = Layout.from_units(6, [], shape=(1, 6), rules=[rules.Lunchbox(tuple(range(6)), total)])
    assert unidoku.count(Board.empty(layout)).count == 0


def test_an_x_sum_of_more_cells_than_its_line_has_is_decided() -> None:
    layout_rules = [rules.XSum((0, 1, 2), 10**9)]
    layout = Layout.from_units(6, [], shape=(1, 3), rules=layout_rules, first_value=999)
    assert unidoku.count(Board.empty(layout)).count == 0


@pytest.mark.parametrize("most", [0, -1, 2.0, True])
def test_a_range_is_a_whole_number_above_zero(most: object) -> None:
    with pytest.raises(InputError, match="max_sum: expected an int of at least 1, got"):
        Capabilities(max_sum=most)  # type: ignore[arg-type]  # that is what is tested


def test_the_conformance_suite_finds_a_range_that_is_not_stated() -> None:
    solver = unidoku.load("highs")
    supports_declared_numbers(solver)
    boundless = replace(solver.spec, capabilities=replace(solver.spec.capabilities, max_sum=None))
    with pytest.raises(WrongAnswerError, match="highs on board"):
        supports_declared_numbers(Solver(boundless, solver.backend))


@pytest.mark.parametrize(
    ("language", "declared", "most"),
    [
        ("lp", {}, 10_000),
        ("lp", {"max_sum": 50_000}, 50_000),
        ("dimacs", {}, None),
        ("line", {}, None),
        ("line", {"max_sum": 1000}, 1000),
    ],
)
def test_a_declared_program_has_the_range_of_its_language_or_its_own(
    language: str, declared: dict[str, int], most: int | None
) -> None:
    table = {"mine": {"language": language, "command": "mine {file}", **declared}}
    spec = programs_of(table, "unidoku.toml", ".")["mine"]
    assert spec.capabilities.max_sum == spec.record()["max_sum"] == most


def test_a_program_that_only_its_label_names_has_the_range_of_its_language() -> None:
    command = f"{sys.executable} {{file}}"
    solver = unidoku.load("program", language="mps", command=command)
    with pytest.raises(UnsupportedError, match=r"^program supports sums of up to 10,000, those of"):
        solver.search(reaching(10_002), Request())


def test_a_question_in_json_has_no_number_that_a_float_would_change() -> None:
    protocol = JsonLines(boards=InputWriter(format="json"))
    least = 2**53
    assert str(least - 1) in protocol.question(row((1, 1, 1), least - 1, "<="), Request(), None)
    reason = "reads JSON, where numbers of up to 9,007,199,254,740,991 are exact, the puzzle has "
    for total in (least, -least):
        with pytest.raises(UnsupportedError, match=f"^{reason}{total:,}$"):
            protocol.question(row((1, 1, 1), total, "<="), Request(), None)
