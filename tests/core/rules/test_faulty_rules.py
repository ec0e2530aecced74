"""A user's rule that fails: the error names the rule, and no backend."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

import pytest

import unidoku
from tests.helpers.command_runner import Runner
from unidoku import Board, Layout, NonConsecutive, Relation, Rule, layout
from unidoku.core.constraints.automaton import machine_of_steps
from unidoku.core.constraints.primitives import Automaton, Or
from unidoku.core.rules import base
from unidoku.core.rules.base import Facts
from unidoku.core.rules.fields import Cells
from unidoku.errors import InputError, TimeLimitError

PUZZLE = """
version = 1
size = 4
rules = [{ kind = "faulty", corner = "A1", method = "METHOD" }]
"""


@dataclass(frozen=True)
class Faulty(Rule):
    """A user's rule, one of whose methods fails."""

    kind: ClassVar[str] = "faulty"
    corner: Cells
    method: str

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield nothing, or fail when the first violation is asked for."""
        self._fail("broken")
        yield from ()

    def constraints(self, facts: Facts) -> list[Relation]:
        """Return no constraint, or fail at once."""
        self._fail("constraints")
        return []

    def words(self, names: Sequence[str]) -> str:
        """Return the words, or fail."""
        self._fail("words")
        return "nothing"

    def _fail(self, method: str) -> None:
        if self.method == method:
            raise ZeroDivisionError("division by zero")
        if self.method == "time":
            raise TimeLimitError("the time is over")


class Lacking(Faulty):
    """A user's rule that wants hidden cells, and does not take them."""

    kind: ClassVar[str] = "lacking"

    def hidden_domains(self, facts: Facts) -> tuple[int, ...]:
        """Return the values of a hidden cell, if it wants one of the layout."""
        return (1,) if self.method == "hidden" else ()

    def auxiliary_domains(self, facts: Facts) -> tuple[int, ...]:
        """Return the values of a hidden cell, if it wants one for its constraints."""
        return (1,) if self.method == "auxiliary" else ()


def faulty_board(method: str) -> Board:
    square = layout("classic", 4)
    return Board.empty(Layout.from_units(4, square.units, rules=[Faulty((0,), method)]))


def calls_of(method: str) -> list[Callable[[], object]]:
    """Return calls that use a method of the rule."""
    board = faulty_board(method)
    if method == "words":
        return [partial(board.layout.in_words, board.layout.rules[0], [0])]
    solve = [partial(unidoku.solve, board, backend=name) for name in ("norvig", "sat", "auto")]
    return [*solve, partial(unidoku.solve_many, [board]), partial(unidoku.explain, board)]


@pytest.mark.parametrize("cells", ["hidden", "auxiliary"])
def test_a_rule_that_does_not_take_the_cells_it_asks_for_is_told_the_method(cells: str) -> None:
    with pytest.raises(
        InputError, match=rf"rule 'lacking': expected a method with_{cells}\(\), as"
    ):
        unidoku.count(Board.empty(layout("classic", 4).with_rules(Lacking((0,), cells))))


@dataclass(frozen=True)
class Speechless(Rule):
    """A user's rule with a sentence that a class may replace, also by none."""

    kind: ClassVar[str] = "speechless"
    sentence: ClassVar[str] = "{cells} and {others} sum to {total}"
    first: Cells
    second: Cells
    total: int = 5

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield nothing."""
        yield from ()

    def constraints(self, facts: Facts) -> list[Relation]:
        """Return no constraint."""
        return []


def test_a_sentence_names_cells_and_numbers_and_a_rule_needs_one_or_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rule, names = Speechless((0, 1, 2), (4,)), layout("classic", 4).names
    assert rule.words(names) == "A1-A3 and B1 sum to 5"
    monkeypatch.setattr(Speechless, "sentence", "")
    with pytest.raises(InputError, match="rule 'speechless': expected a sentence, or a method wo"):
        rule.words(names)


def test_a_rule_about_pairs_needs_a_fact_or_a_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NonConsecutive, "fact", "")
    with pytest.raises(InputError, match="rule 'non-consecutive': expected a fact, or a method me"):
        NonConsecutive(((0, 1),)).words(layout("classic", 4).names)


@pytest.mark.parametrize("method", ["broken", "constraints", "words"])
def test_a_rule_that_fails_is_named_and_no_backend(method: str) -> None:
    message = f"rule 'faulty': {method}() raised ZeroDivisionError: division by zero"
    for call in calls_of(method):
        with pytest.raises(InputError, match=f"^{re.escape(message)}$") as caught:
            call()
        assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_an_error_of_unidoku_that_a_rule_raises_stays_as_it_is() -> None:
    with pytest.raises(TimeLimitError, match="the time is over"):
        list(faulty_board("time").layout.constraints)


@pytest.mark.parametrize("method", ["broken", "constraints"])
def test_a_command_ends_with_code_2_if_a_rule_fails(
    method: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(base._kinds, "faulty", Faulty)
    path = tmp_path / "faulty.toml"
    path.write_text(PUZZLE.replace("METHOD", method))
    ran = Runner(capfd, monkeypatch)("solve", str(path))
    assert ran.code == 2
    assert f"rule 'faulty': {method}() raised ZeroDivisionError: division by zero" in ran.err
    assert "Traceback" not in ran.err


SHORT = machine_of_steps(3, 0, lambda state, value: (state + value) % 2, lambda state: state == 0)
"""A machine for fewer values than the boards have."""


@dataclass(frozen=True)
class Unreadable(Faulty):
    """A user's rule with a constraint that no search can read."""

    kind: ClassVar[str] = "unreadable"
    method: str = ""
    posted: object = None

    def constraints(self, facts: Facts) -> list[Relation]:
        """Return what is wrong as it is."""
        return [self.posted]  # type: ignore[list-item]  # what is tested


@pytest.mark.parametrize(
    ("posted", "expected"),
    [
        (None, "constraints such as unidoku.Relation, got None"),
        (Relation((1, 2, 4, 8), ((0, 99),)), "cells 0 to 15, got 99"),
        (Relation((1, 2, 4, 8), ((0, -1),)), "cells 0 to 15, got -1"),
        (Relation((1, 2), ((0, 1),)), "a relation of 4 sets of values, got 2"),
        (Or(((Relation((1, 2), ((0, 1),)),),)), "a relation of 4 sets of values, got 2"),
        (Relation((1, -2, 4, 8), ((0, 1),)), "a relation of sets of values, got -2"),
        (Automaton((0, 1), SHORT), "a machine that reads 4 values, got one of 3"),
    ],
)
@pytest.mark.parametrize("label", ["native", "norvig"])
def test_constraints_that_no_search_can_read_are_refused(
    posted: object, expected: str, label: str
) -> None:
    board = Board.empty(layout("classic", 4).with_rules(Unreadable((0,), posted=posted)))
    message = re.escape(f"rule 'unreadable': constraints(): expected {expected}")
    with pytest.raises(InputError, match=message):
        unidoku.solve(board, backend=label)
