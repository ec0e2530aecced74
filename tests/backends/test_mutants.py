"""The conformance suite itself: a backend that is wrong in one way fails it."""

from __future__ import annotations

import pytest

from tests.helpers.wrong import answers
from tests.helpers.wrong.misconfigured import MUTANTS, Mutant, Search, is_right
from tests.helpers.wrong.misread import MISREADERS
from unidoku.backends.base import Backend
from unidoku.backends.solving.solver import Solver
from unidoku.errors import UnidokuError, WrongAnswerError
from unidoku.testing import conformance
from unidoku.testing.conformance import Check


@pytest.mark.thorough  # in ``make test`` those that misread constraints do not
@pytest.mark.parametrize("search", MUTANTS.values(), ids=MUTANTS)
def test_a_wrong_backend_does_not_conform(search: Search) -> None:
    backend: Backend = Mutant(search)
    solver = Solver(answers.fake("mutant", answers.honest).spec, backend)
    with pytest.raises((AssertionError, UnidokuError)):
        conformance(solver)


@pytest.mark.parametrize(("search", "check"), MISREADERS.values(), ids=MISREADERS)
def test_a_backend_that_misreads_constraints_does_not_pass_their_check(
    search: Search, check: Check
) -> None:
    solver = Solver(answers.fake("mutant", answers.honest).spec, Mutant(search))
    with pytest.raises((AssertionError, WrongAnswerError)):
        check(solver)


def test_the_backend_that_the_mutants_are_made_of_conforms() -> None:
    conformance(Solver(answers.fake("original", answers.honest).spec, Mutant(is_right)))
