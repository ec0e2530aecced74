"""The conformance suite itself: a backend that is wrong in one way fails it."""

from __future__ import annotations

import pytest

from tests.wrong import answers
from tests.wrong.unfit import MUTANTS, Mutant, Search, is_right
from unidoku.backends.base import Backend
from unidoku.backends.solver import Solver
from unidoku.errors import UnidokuError
from unidoku.testing import conformance


@pytest.mark.parametrize("search", MUTANTS, ids=lambda search: search.__name__)
def test_a_wrong_backend_does_not_conform(search: Search) -> None:
    backend: Backend = Mutant(search)
    solver = Solver(answers.fake("mutant", answers.honest).spec, backend)
    with pytest.raises((AssertionError, UnidokuError)):
        conformance(solver)


def test_the_backend_that_the_mutants_are_made_of_conforms() -> None:
    conformance(Solver(answers.fake("original", answers.honest).spec, Mutant(is_right)))
