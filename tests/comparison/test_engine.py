"""Runners by name, and on systems that cannot fork."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.helpers.engines import CASES, all_gone, label, measuring, solvers_of
from unidoku import Request, load
from unidoku.comparison import Outcome, Run, read_plan, schedule
from unidoku.comparison.run import open_runner
from unidoku.errors import InputError
from unidoku.examples import comparison_file

pytestmark = pytest.mark.processes


def test_a_runner_is_known_by_its_name() -> None:
    solvers = solvers_of("Sound")
    for kind in ("pool", "spawn", "inline", "pebble", None):
        with open_runner(solvers, measuring(), kind=kind) as engine:
            (record,) = engine.run([Run(CASES[0], label("Sound"), 1)])
        assert record.outcome is Outcome.SOLVED
    with pytest.raises(InputError, match="expected pool, spawn, inline, got 'polo'"):
        open_runner(solvers, measuring(), kind="polo")
    with pytest.raises(InputError, match="nodes use 'pool' or 'spawn', got 'inline'"):
        open_runner(solvers, measuring(), kind="inline", scheduler="local:1")


def test_spawned_workers_give_the_same_answers_as_forked_ones() -> None:
    solvers = {name: load(name) for name in ("norvig", "sat", "exact-cover", "cp-sat")}
    cases = read_plan(comparison_file()).changed(folder=comparison_file().parent).cases()[:6]
    asked = measuring(request=Request(solutions=2, time_limit=20), relabel=True)
    answers = []
    for kind in ("pool", "spawn"):
        with open_runner(solvers, asked, kind=kind, workers=2) as engine:
            records = list(engine.run(schedule(cases, list(solvers), 2, 1)))
        assert {record.outcome for record in records} == {Outcome.SOLVED}
        answers.append({record.key: (record.stop, record.count) for record in records})
    assert len(answers[0]) == 48
    assert answers[0] == answers[1]


def test_a_system_whose_python_cannot_look_before_it_reaps_has_a_pool_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import os, pathlib\ndel os.waitid, os.sched_setaffinity\n"
        "pathlib.Path(__file__).with_name('seen').touch()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))  # of which the fork server's path is made
    names = ["SegFaults", "ForksAChild"]
    with open_runner(solvers_of(*names), measuring(), kind="pool") as engine:
        records = list(engine.run(schedule(CASES, [label(name) for name in names], 1, 1)))
    assert (tmp_path / "seen").exists()
    assert Counter(record.outcome for record in records) == {
        Outcome.SOLVED: 4,
        Outcome.CRASHED: 1,
        Outcome.TIMEOUT: 1,
    }
    assert all_gone(mark)
