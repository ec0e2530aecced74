"""benchmarks/serve.py, run as its users run it, on few edits."""

from __future__ import annotations

import pytest

from tests.helpers.python_process import run_python

pytestmark = [pytest.mark.bench, pytest.mark.browser, pytest.mark.processes]


def test_it_prints_a_ratio_for_each_question() -> None:
    ran = run_python("benchmarks/serve.py", "--edits", "10", check=True)
    names = [line.split("|")[1].strip() for line in ran.stdout.splitlines()[2:8]]
    assert names == [
        "empty round trip",
        "key until it is drawn",
        "lamp",
        "first true candidates",
        "all true candidates",
        "hint",
    ]
    assert "10 edits of 10 puzzles." in ran.stdout
