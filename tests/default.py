"""Guards the job that runs the suite on the default install: no extra may be there."""

from __future__ import annotations

import os

import pytest

import unidoku
from unidoku.errors import BackendNotInstalledError


def test_the_backends_of_the_default_install_are_there_and_no_others() -> None:
    installed = [
        name for name, spec in unidoku.catalogue().items() if not spec.missing and not spec.programs
    ]
    assert installed == os.environ["UNIDOKU_TEST_BACKENDS"].split(",")


@pytest.mark.parametrize("name", [n for n, spec in unidoku.catalogue().items() if spec.missing])
def test_the_others_say_what_to_install(name: str) -> None:
    with pytest.raises(
        BackendNotInstalledError, match=r"is not installed; type: (pip|apt) install"
    ):
        unidoku.load(name)
