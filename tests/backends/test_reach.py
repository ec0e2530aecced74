from __future__ import annotations

import pytest

from unidoku.backends import every_row
from unidoku.backends.options import parse_label
from unidoku.backends.reach import reaches
from unidoku.errors import NotInstalledError, UnknownBackendError

HARMLESS = {("logic", "techniques"), ("minizinc", "solver"), ("program", "language")}
"""Options whose values are any text, but names of techniques, of solvers that MiniZinc lists, and
of languages."""


def test_each_option_that_takes_any_text_is_guarded_or_known_to_be_harmless() -> None:
    seen = set()
    for row in every_row():
        try:
            options = row.options()
        except NotInstalledError:  # some are not, here
            continue
        for option in options:
            if "str" in option.type and not option.choices:
                seen.add((row.name, option.name))
                is_guarded = option.name in (*row.guarded, *row.nests)
                assert is_guarded != ((row.name, option.name) in HARMLESS), (row.name, option.name)
    assert {("sat", "proof"), ("auto", "then"), ("program", "command")} < seen


@pytest.mark.parametrize(
    ("label", "reached"),
    [
        ("cp-sat[num_workers=2]", []),
        ("auto[then=sat]", []),
        ("cadical", []),
        ("minizinc[solver=chuffed]", []),
        ("absent_module:Class", ["module absent_module:Class"]),
        ("function:absent_module:solve", ["module function:absent_module:solve"]),
        ("newsat", ["program newsat"]),
        ("auto[then=newsat]", ["program newsat"]),
        ('auto[then="sat[proof=x.drat]"]', ["sat[proof=x.drat]"]),
        ('cadical[command="rm -r x"]', ['cadical[command="rm -r x"]']),
        ("program[language=dimacs,command=rm]", ["program[command=rm]"]),
    ],
)
def test_what_a_label_reaches_is_said_without_importing_it(label: str, reached: list[str]) -> None:
    assert list(reaches(*parse_label(label), {"newsat"})) == reached


def test_an_unknown_name_reaches_nothing_and_is_refused() -> None:
    with pytest.raises(UnknownBackendError, match="norvik"):
        list(reaches("norvik", {}))
