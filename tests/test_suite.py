"""The suite itself: what it skips, and what it says of that."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.programs import PACKAGES, VARIABLE, closing_line, named_in, require
from tests.wrong.answers import FakeBackend, honest
from unidoku import Capabilities
from unidoku.backends import BackendSpec
from unidoku.backends.solver import Solver
from unidoku.testing import CHECKS, NotClaimed, conformance
from unidoku.testing.limits import honours_the_seed, honours_threads


def made(**capabilities: object) -> Solver:
    """Return a sound backend that claims so much."""
    spec = BackendSpec(
        name="modest",
        target="",
        summary="a fake",
        capabilities=Capabilities(**capabilities),  # type: ignore[arg-type]  # of one test
    )
    return Solver(spec, FakeBackend(honest))


def test_a_check_of_what_is_not_claimed_is_skipped_with_what_that_is() -> None:
    skipped = conformance(made(max_values=9))
    assert skipped == {
        "serves_large_boards": "modest serves up to 9 values, the board has 10",
        "honours_threads": "modest does not claim to honour threads",
        "honours_the_seed": "modest does not claim to honour seed",
        "honours_the_time_limit": "modest does not claim to honour time_limit",
        "honours_the_node_limit": "modest does not claim to honour node_limit",
        "serves_the_rules_it_names": (
            "modest does not serve relations, which 'non-consecutive' is made of"
        ),
        "serves_the_sums_it_names": (
            "modest does not serve sets of values, which 'killer' is made of"
        ),
    }
    assert skipped.keys() < {check.__name__ for check in CHECKS}


def test_what_an_option_takes_back_is_not_claimed() -> None:
    import unidoku

    for check in (honours_threads, honours_the_seed):
        with pytest.raises(NotClaimed, match=r"num_workers=2.*(;|race)"):
            check(unidoku.load("cp-sat[num_workers=2]"))


def test_without_its_program_a_test_is_skipped_or_fails_where_it_is_required(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv(VARIABLE, raising=False)
    require([])
    with pytest.raises(pytest.skip.Exception, match="not installed: minizinc"):
        require(["minizinc"])
    monkeypatch.setenv(VARIABLE, "required")
    with pytest.raises(pytest.fail.Exception, match="not installed: minizinc chromium"):
        require(["minizinc", "chromium"])


def test_the_closing_line_counts_the_tests_and_says_what_to_type() -> None:
    assert closing_line(Counter({"too early": 3})) == ""
    assert closing_line(Counter({"not installed: gcc": 1})) == (
        "1 test was skipped: gcc is not installed; to run them: apt install gcc"
    )
    reasons = {"not installed: chromium": 11, "not installed: minizinc": 7, "too early": 3}
    assert closing_line(Counter(reasons)) == (
        "18 tests were skipped: minizinc and chromium are not installed; "
        "to run them: apt install minizinc chromium"
    )


def test_the_programs_that_a_text_names_are_found_as_words() -> None:
    assert named_in("minizinc           modelling language") == ["minizinc"]
    assert named_in("cp-sat, minizinc_unidoku") == []
    assert set(named_in(" ".join(PACKAGES))) == set(PACKAGES)
