"""What is in force in each backend: recorded, shown, and warned of where it cannot be."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

import unidoku
from tests.helpers.comparing import compared
from tests.helpers.wrong import ignores_options
from unidoku import Board, Request
from unidoku.backends.solving.solver import Solver, solver_to_dict
from unidoku.comparison.cases import Case
from unidoku.comparison.comparison import Comparison
from unidoku.comparison.environment import crowded, environment, lacking
from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome
from unidoku.comparison.results import OUTCOMES
from unidoku.comparison.run.measure import MeasurementSettings, Meter
from unidoku.comparison.run.messages import Configuration
from unidoku.comparison.run.worker import _measured, _Solvers
from unidoku.core.constraints import automaton

BOARD = "1... ..2. .3.. ...4"
ALONE = "cp-sat[num_workers=1]"
TWO = "cp-sat[num_workers=2]"


def outcomes(comparison: Comparison) -> dict[str, Outcome]:
    results = comparison.results
    rows = zip(results.column("backend").tolist(), results.column("outcome").tolist(), strict=True)
    return {results.backends[backend]: OUTCOMES[outcome] for backend, outcome in rows}


def test_several_workers_and_two_solutions_are_unsupported_with_a_reason_and_never_failed() -> None:
    comparison = compared([BOARD], ("cp-sat", TWO))
    assert outcomes(comparison) == {"cp-sat": Outcome.SOLVED, TWO: Outcome.UNSUPPORTED}
    assert f"unsupported: {TWO} on " in str(comparison)
    assert "request one solution (--solutions 1) or one worker" in str(comparison)
    assert str(comparison).count(f"unsupported: {TWO}") == 1


def test_rules_beyond_the_limits_of_all_backends_are_unsupported_and_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(automaton, "MOST_STATES", 3)
    item = replace(unidoku.layout("latin", 4), rules=(unidoku.Product((0, 1, 2), 60),))
    run = Run(Case(board=Board.empty(item), name="", source=""), "norvig", 1)
    meter = Meter({"norvig": unidoku.load("norvig")}, MeasurementSettings(request=Request()))
    record = _measured(meter, run, None, lambda: None)
    assert record.outcome is Outcome.UNSUPPORTED
    assert record.evidence == (
        "cannot be given rule product: expected at most 3 states of a line, got more",
    )


def test_with_one_solution_several_workers_are_measured() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert outcomes(compared([BOARD], ("cp-sat", TWO), solutions=1))[TWO] is Outcome.SOLVED


def test_the_header_of_a_journal_has_what_is_in_force_by_label(tmp_path: Path) -> None:
    journal = tmp_path / "runs.jsonl"
    presolved = "cp-sat[cp_model_presolve=true]"
    compared([BOARD], ("cp-sat", presolved, TWO, "norvig"), output=journal)
    header = json.loads(journal.read_text().splitlines()[0])["environment"]
    in_force = header["parameters"]
    assert in_force["cp-sat"]["cp_model_presolve"] is False
    assert in_force[presolved]["cp_model_presolve"] is True
    assert in_force["cp-sat"]["enumerate_all_solutions"] is True
    assert in_force["norvig"] == {"deductions": True}
    assert "more than one solution with 2 workers" in in_force[TWO]["refused"]
    assert header["threads"] == {"cp-sat": 1, presolved: 1, TWO: 2, "norvig": 1}


def test_the_page_shows_what_is_in_force(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    compared([BOARD], ("cp-sat", "norvig")).to_html(page)
    assert "<dt>cp_model_presolve</dt><dd>no</dd>" in page.read_text(encoding="utf-8")


def test_threads_beyond_the_cores_of_a_worker_warn_and_stand_in_the_report() -> None:
    recorded = environment({TWO: unidoku.load(TWO)}, Request(), cores_a_worker=1)
    (warning,) = crowded(recorded)
    assert warning == (
        f"{TWO} uses 2 threads and its worker has 1 core: they wait for each other; set --cores 2"
    )
    assert not list(crowded(recorded | {"cores_a_worker": 2}))
    assert not list(crowded({})), "an old journal does not say"
    refused = environment({TWO: unidoku.load(TWO)}, Request(solutions=2), cores_a_worker=1)
    assert not list(crowded(refused)), "what is refused has no threads"


def test_a_comparison_warns_of_crowded_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unidoku.comparison.session.usable_cores", lambda: [0])
    with pytest.warns(UserWarning, match=r"num_workers=2\] uses 2 threads and its worker has 1"):
        comparison = compared([BOARD], (TWO, ALONE), solutions=1)
    assert "set --cores 2" in str(comparison)


def test_zero_workers_are_those_of_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 7)
    assert unidoku.load("cp-sat[num_workers=0]").threads(Request()) == 7
    assert unidoku.load("clingo").threads(Request(threads=3)) == 3


def test_a_backend_whose_parameters_fail_is_compared_all_the_same() -> None:
    spec = ignores_options.row("Unsure")
    table = environment({"x": Solver(spec, ignores_options.Unsure())}, Request(), cores_a_worker=1)
    assert table["parameters"]["x"] == {"not known": "ZeroDivisionError('unsure')"}


def test_what_is_in_force_can_be_written_as_json() -> None:
    for label in ("logic", "cp-sat[search_branching=FIXED_SEARCH]", "native[engine=lanes]"):
        table = solver_to_dict(unidoku.load(label), Request(solutions=2))
        assert json.loads(json.dumps(table)) == table
    assert table["parameters"] == {
        "engine": "lanes",
        "bands": True,
        "threads": 1,
        "deductions": True,
    }
    odd = Solver(ignores_options.row("OddValues"), ignores_options.OddValues())
    assert odd.parameters() == {"1": "frozenset()"}


def test_what_labels_of_one_backend_import_is_in_the_load_of_each() -> None:
    labels = ["exact-cover", "exact-cover[heuristic=first]"]
    configurations = {label: Configuration.of(unidoku.load(label)) for label in labels}
    solvers = _Solvers(configurations, lambda: None, {"exact-cover": 10**12})
    for label in labels:
        assert solvers[label].label == label
    assert all(10**12 < load < 2 * 10**12 for load in solvers.loads.values())
    assert set(solvers.loads) == set(labels)


def test_a_backend_that_searched_without_machine_code_is_named() -> None:
    problem = "without its compiled engines: it needs llvmlite, which is not installed"
    assert list(lacking({"problems": {"native": problem}})) == [f"native searched {problem}"]
    assert list(lacking({})) == [], "an old journal does not say"
