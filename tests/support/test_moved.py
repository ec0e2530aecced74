"""Former names of modules, which programs of others import."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest

import unidoku
from tests.helpers.python_process import run_python
from unidoku import Capabilities, Grid, Table
from unidoku.core.constraints import primitives
from unidoku.core.rules.base import Facts
from unidoku.core.rules.fields import Cells
from unidoku.support.moved import MOVED


@pytest.mark.parametrize("former", MOVED)
def test_a_former_name_is_the_same_module_with_a_warning(
    former: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, former, raising=False)
    with pytest.warns(DeprecationWarning, match=f"{former} is now {MOVED[former]};"):
        module = importlib.import_module(former)
    assert module is importlib.import_module(MOVED[former])
    assert module.__spec__ is not None
    assert module.__name__ == module.__spec__.name == MOVED[former]


def test_names_are_imported_from_a_former_name_in_a_new_process() -> None:
    program = "from unidoku.deadline import look, looking; from unidoku.backends.solver import load"
    done = run_python("-W", "always", "-c", program, check=True)
    assert done.stderr.count("DeprecationWarning: unidoku.") == 4
    for former, present in (("look", "check_time_limit"), ("looking", "time_limit_scope")):
        assert f"unidoku.support.deadline.{former} is now {present};" in done.stderr


def test_what_never_was_a_name_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"unidoku\.nonsense"):
        importlib.import_module("unidoku.nonsense")


def test_constraints_and_tables_had_other_names() -> None:
    with pytest.warns(DeprecationWarning, match=r"Capabilities\(shapes=…\) is now constraints=…"):
        capabilities = Capabilities(shapes=frozenset({Table}))  # type: ignore[call-arg]
    assert capabilities == Capabilities(constraints=frozenset({Table}))
    with pytest.warns(DeprecationWarning, match=r"Capabilities\.shapes is now \.constraints"):
        assert capabilities.shapes == {Table}  # type: ignore[attr-defined]
    with pytest.warns(DeprecationWarning, match=r"unidoku\.Rows is now unidoku\.Table"):
        assert unidoku.Rows is Table  # type: ignore[attr-defined]
    with pytest.warns(DeprecationWarning, match="Shape is now Constraint"):
        assert primitives.Shape is primitives.Constraint
    with pytest.warns(DeprecationWarning, match=r"Pair\.shapes is now \.constraints"):

        @dataclass(frozen=True)
        class Pair(unidoku.Rule):
            kind = "a former pair"
            both: Cells

            def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[Grid]:
                """Never."""
                yield from ()

            def shapes(self, facts: Facts) -> Iterator[Table]:
                """Yield one pair of values."""
                yield Table(self.both, ((1, 2),))

            def words(self, names: Sequence[str]) -> str:
                """Return no words."""
                return ""

    with pytest.warns(DeprecationWarning, match=r"Bound\.bound is now \.bind"):

        class Bound(Pair):
            def bound(self, facts: Facts) -> unidoku.Rule:
                """Return the cells in reverse."""
                return Pair(self.both[::-1])  # type: ignore[abstract]

    assert Bound((0, 1)).bind(unidoku.layout("latin", 2)) == Pair((1, 0))  # type: ignore[abstract]
    layout = unidoku.Layout.from_units(2, [], shape=(1, 2), rules=[Pair((0, 1))])  # type: ignore[abstract]
    with pytest.warns(DeprecationWarning, match=r"Layout\.shapes is now \.constraints"):
        assert layout.shapes == layout.constraints != ()
