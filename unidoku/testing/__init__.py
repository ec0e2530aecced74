"""For authors of a backend: a conformance suite, and boards made by hypothesis.

The suite needs nothing but Unidoku::

    import pytest, unidoku
    from unidoku.testing import CHECKS, NotClaimed

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_my_backend(check):
        try:
            check(unidoku.load("my-backend"))
        except NotClaimed as reason:
            pytest.skip(str(reason))

A check of something that the backend does not claim, such as a limit that it does not honour,
raises `NotClaimed`, which a test reports as skipped.

For a backend that may give up (``Capabilities(complete=False)``), use `INCOMPLETE_CHECKS` in place
of `CHECKS`. `conformance` runs the checks that apply.

`unidoku.testing.strategies` needs hypothesis: ``pip install 'unidoku[testing]'``.
"""

from unidoku.testing.conformance import CHECKS, INCOMPLETE_CHECKS, brute_force, conformance
from unidoku.testing.limits import NotClaimed

__all__ = ["CHECKS", "INCOMPLETE_CHECKS", "NotClaimed", "brute_force", "conformance"]
