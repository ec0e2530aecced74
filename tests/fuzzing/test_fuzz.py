from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.connected import hangs_together
from tests.helpers.hunting import Ended, any_finding, begun, guarded, hunted, solvers_of, survive
from tests.helpers.volume import volume
from tests.helpers.wrong import mutants
from unidoku import Board, Layout, Request, Stop, layout
from unidoku.backends.adapters.norvig import Norvig
from unidoku.comparison.record import Outcome
from unidoku.core.rules.base import KINDS
from unidoku.errors import FormatError, InputError, OutputError
from unidoku.fuzzing import fuzz
from unidoku.fuzzing.boards import CAP, Trial, is_bounded, trial
from unidoku.fuzzing.finding import (
    Finding,
    finding_from_toml,
    pytest_of_finding,
    read_finding,
    toml_of_finding,
)
from unidoku.fuzzing.folder import Folder
from unidoku.fuzzing.hunt import Hunt, HuntSettings, TrialsDone
from unidoku.fuzzing.reduce import givens_of
from unidoku.fuzzing.run import FuzzRun
from unidoku.support.deadline import Deadline
from unidoku.testing.boards import STYLES
from unidoku.testing.layouts import LAYOUT_KINDS, transposed
from unidoku.testing.rules import RULE_KINDS
from unidoku.testing.strategies import boards as any_boards
from unidoku.testing.strategies import ruled_layouts, unit_systems

pytestmark = pytest.mark.processes


def mutant(name: str) -> str:
    """Return the label of a backend with a fault."""
    return f"tests.helpers.wrong.mutants:{name}"


def a_finding(**fields: Any) -> Finding:
    """Return a finding with these fields."""
    usual: dict[str, Any] = {
        "boards": (Board.parse("1..2" * 4),), "kind": "crashed", "backend": "norvig",
        "evidence": "", "solutions": 1, "time_limit": 0.5, "digest": "0", "seed": 1, "number": 1,
        "original": "0",
    }  # fmt: skip
    return Finding(**usual | fields)


@cache
def many() -> list[Trial]:
    return [trial(1, number) for number in range(900)]


@given(st.integers(), st.integers(0, 10_000))
@settings(max_examples=volume(15))
def test_a_trial_depends_on_the_seed_and_its_number_only(seed: int, number: int) -> None:
    assert trial(seed, number) == trial(seed, number)


def test_other_seeds_give_other_boards() -> None:
    first, other = ([trial(seed, number).boards for number in range(20)] for seed in (1, 2))
    assert first != other


def test_every_kind_of_layout_and_every_size_occurs_the_small_ones_far_more_often() -> None:
    assert {item.kind for item in many()} == set(LAYOUT_KINDS)
    sizes = Counter(item.boards[0].layout.n for item in many())
    assert set(sizes) == set(range(2, 17))
    assert sum(sizes[n] for n in range(2, 7)) > 3 * sum(sizes[n] for n in range(10, 17)) > 60


def test_boards_have_givens_marks_cells_without_candidates_or_nothing_at_all() -> None:
    boards = [board for item in many() for board in item.boards]
    assert any(board.has_pencil_marks for board in boards)
    assert any(0 in board.candidates for board in boards)
    assert any(not givens_of((board,)) for board in boards)
    assert any(all(board.givens) for board in boards)
    assert any(board.layout.rules for board in boards)
    assert len(STYLES) > 5


def test_every_kind_of_rule_is_drawn_kept_by_a_known_grid_or_not() -> None:
    ruled = [trial(1, number, range(2, 6)).boards[-1].layout for number in range(1, 2 * 700, 2)]
    kinds = Counter(rule.kind for item in ruled for rule in item.rules)
    assert set(kinds) == set(KINDS) == set(RULE_KINDS)
    assert min(kinds.values()) > 5
    assert {item.first_value for item in ruled} == {0, 1, 5}
    few = Request(solutions=2, node_limit=400)
    counts = Counter(Norvig().search(Board.empty(item), few).count for item in ruled[:100])
    assert counts[0] > 5
    assert counts[1] + counts[2] > 50


def test_boards_with_no_one_few_and_many_solutions_occur_often() -> None:
    counts: Counter[str] = Counter()
    for item in many():
        board = item.boards[-1]
        if board.layout.n > 6:
            continue
        result = Norvig().search(board, Request(solutions=11, node_limit=400))
        few = str(result.count) if result.count < 2 else "few" if result.count < 11 else "many"
        counts[few if result.stop is Stop.EXHAUSTED or result.count else "undecided"] += 1
    assert min(counts[name] for name in ("0", "1", "few", "many")) > 30
    assert counts["undecided"] < 10


def test_all_solutions_are_asked_for_only_where_they_cannot_be_many() -> None:
    asked = Counter(item.solutions for item in many())
    assert set(asked) == {1, 2, 3, 10, 50, CAP, None}
    for item in many():
        assert item.solutions is not None or all(map(is_bounded, item.boards))


def test_some_trials_ask_an_impossible_board_before_one_of_the_same_layout() -> None:
    rows = [item.boards for item in many() if len(item.boards) > 1]
    assert len(rows) > 50
    alike = [row for row in rows if len({board.layout for board in row}) == 1]
    assert sum(bool(row[0].problems()) for row in alike) > 20
    assert len(alike) < len(rows)


@given(st.integers(2, 16), st.integers(0, 500))
@settings(max_examples=volume(20))
def test_no_layout_is_larger_than_asked_for(n: int, number: int) -> None:
    item = trial(3, number, range(n, n + 1))
    assert max(board.layout.n for board in item.boards) <= n


def test_connected_regions_are_connected() -> None:
    for item in many():
        result = item.boards[-1].layout
        if item.kind != "connected regions" or len(item.boards) > 1:
            continue
        for unit in result.units:
            assert hangs_together({result.positions[cell] for cell in unit.cells})


@given(unit_systems())
def test_a_layout_that_is_transposed_twice_is_the_same_again(subject: Layout) -> None:
    twice = transposed(transposed(subject))
    assert (set(twice.units), twice.positions) == (set(subject.units), subject.positions)


MUTANTS = [
    # name, kind, size n, most givens and cells of all boards
    ("DropsAUnit", "wrong grid", 2, 0, 2),
    ("IgnoresAGiven", "wrong grid", 2, 1, 1),
    ("LosesTheLastSolution", "unsatisfiable", 1, 0, 1),
    ("LosesTheLastSolution", "uniqueness", 2, 0, 1),
    ("LosesTheLastSolution", "count", 2, 0, 2),
    ("LimitOffByOne", "unsatisfiable", 1, 0, 1),
    ("StaleAfterUnsatisfiable", "unsatisfiable", 1, 1, 2),
    ("WrongAboveNineValues", "unsatisfiable", 10, 0, 10),
    ("IgnoresPencilMarks", "wrong grid", 3, 1, 1),
    ("TakesPartialUnitsForFull", "unsatisfiable", 4, 0, 3),
    ("TakesALimitForTheEnd", "wrong grid", 2, 0, 2),
    ("ReturnsAGridTwice", "wrong grid", 2, 0, 1),
    pytest.param("ConfusesLayouts", "unsatisfiable", 1, 0, 4, marks=pytest.mark.thorough),
    ("RaisesWithoutCandidates", "failed", 1, 1, 1),
    ("CrashesWithoutUnits", "crashed", 1, 0, 1),
    ("OverrunsWithoutGivens", "timeout", 1, 1, 1),
]


@pytest.mark.parametrize(("name", "kind", "n", "givens", "cells"), MUTANTS)
def test_a_mutant_is_found_soon_and_shrunk_to_the_smallest_size_that_shows_it(
    name: str, kind: str, n: int, givens: int, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    survive(monkeypatch)
    label = mutant(name)
    findings = hunted(["norvig", label], 64, until=lambda finding: finding.kind == kind)
    assert {finding.backend for finding in findings} == {label}
    smallest = findings[-1]
    assert smallest.kind == kind
    assert smallest.reproduced
    assert max(board.layout.n for board in smallest.boards) == n
    assert len(givens_of(smallest.boards)) <= givens
    assert sum(len(board.layout) for board in smallest.boards) == cells
    assert all(len(givens_of(finding.boards)) <= 4 for finding in findings)


def test_a_backend_that_knows_no_rules_is_told_by_one_rule_of_few_cells() -> None:
    """Which rule that is depends on what kinds there are."""
    (finding,) = hunted(["norvig", mutant("IgnoresARule")], 64, until=any_finding)
    assert finding.kind == "wrong grid"
    (board,) = finding.boards
    assert len(board.layout.rules) == 1
    assert len(board.layout) <= 3
    assert board.layout.n <= 2
    assert not givens_of(finding.boards)


def test_findings_are_found_once_each() -> None:
    findings = hunted(["norvig", mutant("DropsAUnit")], 48, sizes=range(2, 7))
    assert len({finding.key for finding in findings}) == len(findings) == 1


def test_what_is_known_is_not_found_again() -> None:
    labels = ["norvig", mutant("RaisesWithoutCandidates")]
    known = hunted(labels, 64)
    assert known
    with_known = Hunt(solvers_of(labels), guarded(labels), HuntSettings(), known)
    assert not [event for event in with_known.run(0, 64) if isinstance(event, Finding)]


def test_the_same_seed_finds_the_same() -> None:
    labels = ["norvig", mutant("IgnoresPencilMarks")]
    first, other = (hunted(labels, 32, seed=5) for _ in range(2))
    assert first == other
    assert first


def test_sound_backends_are_never_at_fault() -> None:
    labels = ["norvig", "sat", "cp-sat", "exact-cover", mutant("Sound")]
    assert not hunted(labels, 8, sizes=range(2, 6), seed=11)
    assert not hunted(["norvig", "exact-cover"], 16, sizes=range(4, 10), seed=12)


def test_a_sound_backend_alone_is_never_at_fault() -> None:
    assert not hunted(["norvig"], 24, sizes=range(2, 7), images=2)


@pytest.mark.parametrize("name", ["LosesTheLastSolution", "LimitOffByOne"])
def test_a_backend_alone_is_found_to_contradict_itself_on_a_symmetric_image(name: str) -> None:
    (finding,) = hunted([mutant(name)], 64, until=any_finding, images=2)
    assert (finding.backend,) == (mutant(name),)
    assert len(givens_of(finding.boards)) <= 4
    assert finding.boards[-1].layout.n <= 3


def test_a_fault_that_depends_on_chance_is_kept_as_it_was_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mutants, "calls", count())
    (finding,) = hunted(["norvig", mutant("FailsOnce")], 24)
    assert not finding.reproduced
    assert finding.boards == trial(1, finding.number).boards[: len(finding.boards)]


def test_a_limit_that_was_overrun_once_and_never_again_is_no_finding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ends = iter([Ended(Outcome.TIMEOUT)])

    def overrun(_: float) -> None:
        for end in ends:
            raise end

    monkeypatch.setattr(mutants, "overrun", overrun)
    assert not hunted(["norvig", mutant("OverrunsWithoutGivens")], 16)
    assert not list(ends)


def test_a_fault_that_needs_several_givens_is_shrunk_to_just_those() -> None:
    findings = hunted(["norvig", mutant("GivesUpOnFourGivens")], 32, until=any_finding)
    (board,) = findings[0].boards
    assert board.givens == (1, 1, 1, 1)
    assert (board.layout.n, board.layout.units) == (2, ())


def test_a_fault_that_needs_a_named_variant_is_shrunk_to_a_small_one() -> None:
    findings = hunted(["norvig", mutant("KnowsNoClassic")], 32, until=any_finding)
    (board,) = findings[0].boards
    assert (board.layout.name, board.layout.n) == ("classic", 4)
    assert not any(board.givens)


def test_a_backend_that_never_promised_to_keep_its_limit_has_not_overrun_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    survive(monkeypatch)
    label = mutant("OverrunsWithoutGivens")
    solver = solvers_of([label])[label]
    lax = replace(solver.spec, capabilities=replace(solver.spec.capabilities, honours=frozenset()))
    hunt = Hunt({label: replace(solver, spec=lax)}, guarded([label]), HuntSettings(images=1))
    assert {type(event) for event in hunt.run(0, 32)} == {TrialsDone}


def test_a_hunt_counts_the_boards_that_a_backend_does_not_support() -> None:
    function = "function:tests.helpers.wrong.misconfigured:solves_no_variant"
    report = fuzz(["norvig", function], boards=12, seconds=None, workers=1, sizes=range(2, 5))
    refused = report.state.refused
    assert set(refused) == {function}
    each = report.state.runs // 2
    assert 0 < refused[function] <= each
    assert f"  {function}: did not support {refused[function]} of {each} runs" in str(report)


def test_the_deadline_leaves_a_chunk_undone() -> None:
    hunt = Hunt(solvers_of(["norvig"]), guarded(["norvig"]), HuntSettings())
    assert not list(hunt.run(0, 100, Deadline(1e-9)))


BOARDS = any_boards() | any_boards(ruled_layouts())


@given(st.lists(BOARDS, min_size=1, max_size=3), st.text(), st.none() | st.integers(1, 9))
def test_a_finding_is_read_back_as_it_was_written(
    asked: list[Board], evidence: str, solutions: int | None
) -> None:
    finding = Finding(
        kind="wrong grid", backend='cp-sat[a="\\"b]"]', witnesses=("norvig", evidence),
        evidence=evidence, boards=tuple(asked), solutions=solutions, time_limit=0.5, images=2,
        digest="0123", seed=3, number=7, original=asked[-1].digest,
        versions={"norvig": evidence, "cp-sat[a=1]": "1"},
    )  # fmt: skip
    assert finding_from_toml(toml_of_finding(finding)) == finding


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("seed = ", "sead = "), "unknown field 'sead'; did you mean 'seed'"),
        (("seed = ", 'seed = "x" #'), "field 'seed': expected a whole number, got 'x'"),
        (("[request]", "[other]"), "unknown field 'other'"),
        (("time_limit = ", "time_limit = -"), "field 'time_limit': expected a finite number above"),
        (("\nn = ", "\nn = 1000 #"), "field 'n': expected a whole number from 1 to"),
        (("[[boards]]", "[boards]"), "field 'boards': expected a list of tables"),
        (("kind = ", "= "), "expected a finding of the fuzzer: "),
    ],
)
def test_what_no_finding_says_is_named(change: tuple[str, str], message: str) -> None:
    text = toml_of_finding(a_finding())
    assert change[0] in text
    with pytest.raises(FormatError, match=re.escape(message)):
        finding_from_toml(text.replace(*change, 1))


def test_a_board_with_a_rule_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    findings = hunted(["norvig", mutant("IgnoresARule")], 32, until=any_finding)
    path = Folder(tmp_path).add(findings[0])
    assert findings[0].boards[0].layout.rules
    assert read_finding(path) == findings[0]
    assert Folder(tmp_path).findings() == findings


@pytest.mark.parametrize("kind", ["crashed", "timeout", "memory", "wrong grid"])
def test_a_written_test_imports_what_every_system_has(kind: str) -> None:
    module = pytest_of_finding(a_finding(kind=kind))
    imported = set(re.findall(r"^(?:import|from) (\w+)", module, re.MULTILINE))
    assert imported <= {"os", "subprocess", "sys", "time", "unidoku"}


@pytest.mark.parametrize("text", ["", "kind = 1", "[request]\nboards = 1", "boards = []\nx ="])
def test_a_file_that_is_no_finding_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "finding.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=r"finding\.toml"):
        read_finding(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_finding(tmp_path / "none.toml")


@pytest.mark.thorough
def test_the_pytest_files_fail_with_the_mutants_and_pass_with_a_sound_backend(
    tmp_path: Path, root: Path
) -> None:
    findings = []
    for name in ("DropsAUnit", "LosesTheLastSolution", "StaleAfterUnsatisfiable"):
        findings += hunted(["norvig", mutant(name)], 64, until=any_finding)
    findings += hunted(
        ["norvig", "tests.helpers.wrong.rules:Forgets"], 600, until=any_finding, sizes=range(2, 6)
    )
    (rule,) = findings[-1].boards[-1].layout.rules
    assert (rule.kind, len(rule.cells) <= 2) == ("killer", True)
    findings += hunted([mutant("LosesTheLastSolution")], 32, until=any_finding, images=2)
    board = (Board.empty(layout("latin", 2)),)
    bare = (Board.empty(Layout.from_units(2, [])),)
    for kind, name in [("crashed", "CrashesWithoutUnits"), ("timeout", "OverrunsWithoutGivens")]:
        small = replace(
            findings[0], kind=kind, backend=mutant(name), witnesses=(),
            time_limit=0.01,
            boards=board if kind == "timeout" else bare,
        )  # fmt: skip
        findings.append(small)
    for finding in findings:
        Folder(tmp_path / "mutant").add(finding)
        Folder(tmp_path / "sound").add(replace(finding, backend=mutant("Sound")))
    faulty, sound = (_pytest(tmp_path / name, root) for name in ("mutant", "sound"))
    assert f"{len({finding.slug for finding in findings})} failed" in faulty
    assert "passed" not in faulty
    assert "error" not in faulty.splitlines()[-1]
    assert f"{len({replace(finding, backend='').slug for finding in findings})} passed" in sound


def _pytest(folder: Path, root: Path) -> str:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder]
    return subprocess.run(
        [*map(str, command), str(folder)],
        cwd=root, capture_output=True, text=True, check=False, timeout=100,
    ).stdout  # fmt: skip


def test_a_hunt_goes_on_where_it_was(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "new")
    progress = folder.open(begun())
    assert progress == begun()
    progress.next, progress.shown = 64, {"failed: norvig": 2}
    folder.save(progress)
    assert folder.open(begun()) == progress
    assert sorted(path.name for path in folder.path.iterdir()) == ["progress.json"]


@pytest.mark.parametrize(
    ("name", "value"), [("seed", 2), ("backends", ["sat"]), ("options", {"sizes": "2-4"})]
)
def test_a_folder_with_another_hunt_is_refused(name: str, value: object, tmp_path: Path) -> None:
    Folder(tmp_path).save(begun())
    with pytest.raises(InputError, match=f"another folder|with {name}"):
        Folder(tmp_path).open(begun(**{name: value}))


@pytest.mark.parametrize("text", ["{", "[]", "[" * 99_999, '{"seed": 1}', '{"other": 1}'])
def test_a_folder_with_some_other_progress_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "progress.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="progress of a hunt"):
        Folder(tmp_path).open(begun())


def test_a_folder_has_one_hunt_at_a_time(tmp_path: Path) -> None:
    with (
        FuzzRun(["norvig"], folder=tmp_path) as first,
        pytest.raises(OutputError, match=r"another process writes .*progress\.json"),
    ):
        fuzz(["norvig"], boards=1, folder=tmp_path)
    assert first.state.next == 0
    assert fuzz(["norvig"], boards=1, sizes=range(2, 17), folder=tmp_path).state.next == 1
    assert [path.name for path in tmp_path.iterdir()] == ["progress.json"]


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    with pytest.raises(OutputError, match="cannot be"):
        Folder(path).open(begun())
    with pytest.raises(OutputError, match="cannot be written"):
        Folder(path).save(begun())


@pytest.mark.thorough
def test_any_number_of_workers_and_a_cluster_find_what_one_worker_finds(tmp_path: Path) -> None:
    label = mutant("DropsAUnit")
    ways: list[dict[str, Any]] = [{"workers": 1}, {"workers": 2}, {"scheduler": "local:1"}]
    reports = [
        fuzz(["norvig", label], boards=12, seconds=None, sizes=range(2, 5), **way, folder=folder)
        for way, folder in zip(ways, (None, tmp_path / "a", tmp_path / "b"), strict=True)
    ]
    first, *others = ([replace(finding, versions={}) for finding in r.findings] for r in reports)
    assert [finding.backend for finding in first] == [label]
    assert others == [first, first]
    assert {report.state.next for report in reports} == {12}
    for report, name in zip(reports[1:], "ab", strict=True):
        assert list(report.findings) == Folder(tmp_path / name).findings()
        assert f"findings: 1, in {tmp_path / name}" in str(report)


def test_what_cannot_be_fuzzed_is_refused() -> None:
    with pytest.raises(InputError, match="expected labels of backends"):
        fuzz([])
    with pytest.raises(InputError, match="sizes from 1 to 25"):
        fuzz(["norvig"], sizes=range(20, 30))
    with pytest.raises(InputError, match="a search may never end"):
        fuzz(["norvig"], time_limit=float("inf"))
