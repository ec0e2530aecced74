"""Engines by name, and on systems that cannot fork."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.comparison.engines import CASES, all_gone, label, measuring, solvers_of
from unidoku.comparison import Outcome, Run, plan
from unidoku.comparison.run import open_engine
from unidoku.errors import InputError

pytestmark = pytest.mark.processes


def test_an_engine_is_known_by_its_name() -> None:
    solvers = solvers_of("Sound")
    for kind in ("pool", "pebble", "inline", None):
        with open_engine(solvers, measuring(), kind=kind) as engine:
            (record,) = engine.run([Run(CASES[0], label("Sound"), 1)])
        assert record.outcome is Outcome.SOLVED
    with pytest.raises(InputError, match="expected pool, pebble, inline, got 'polo'"):
        open_engine(solvers, measuring(), kind="polo")
    with pytest.raises(InputError, match="a scheduler's nodes use 'pool', got 'inline'"):
        open_engine(solvers, measuring(), kind="inline", scheduler="local:1")


def test_a_system_whose_python_cannot_look_before_it_reaps_has_a_pool_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import os, pathlib\ndel os.waitid, os.sched_setaffinity\n"
        "pathlib.Path(__file__).with_name('seen').touch()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))  # of which the zygote's path is made
    names = ["SegFaults", "ForksAChild"]
    with open_engine(solvers_of(*names), measuring(), kind="pool") as engine:
        records = list(engine.run(plan(CASES, [label(name) for name in names], 1, 1)))
    assert (tmp_path / "seen").exists()
    assert Counter(record.outcome for record in records) == {
        Outcome.SOLVED: 4,
        Outcome.CRASHED: 1,
        Outcome.TIMEOUT: 1,
    }
    assert all_gone(mark)


ELSEWHERE = """
import sys
for name in ("resource", "fcntl", "pebble"[:{blocked}]):
    sys.modules[name] = None
import os, signal, socket, select
for module, name in [(os, "fork"), (signal, "SIGKILL"), (socket, "AF_UNIX"),
                     (socket, "SOCK_SEQPACKET"), (os, "killpg"), (select, "poll"),
                     (os, "sched_getaffinity")]:
    delattr(module, name)
from unidoku import Request, load
from unidoku.comparison import Case, Run
from unidoku.comparison.run import Measuring, open_engine
from unidoku.core.board import Board
from unidoku.comparison.run.inline import Inline
import unidoku.comparison.run.pebbled
solvers = {{"norvig": load("norvig")}}
measuring = Measuring(request=Request(), sample_ns=0, memory_limit=1 << 20)
run = Run(Case(board=Board.parse("1..............."), name="", source=""), "norvig", 1)
print(*(record.outcome for record in Inline(solvers, measuring).run([run])))
try:
    print(type(open_engine(solvers, measuring).__enter__()).__name__)
except Exception as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("blocked", "said"),
    [(0, "Pebbled"), (6, "which is not installed; type: pip install pebble")],
)
def test_a_system_that_cannot_fork_has_pebble_or_is_told_of_it(
    blocked: int, said: str, root: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE.format(blocked=blocked)],
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
    )
    assert done.stdout.splitlines()[0] == "solved", done.stderr
    assert said in done.stdout
