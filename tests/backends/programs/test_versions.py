"""Versions of programs: printed, guessed with care, or told apart by the digests of their files."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

import unidoku
from tests.helpers.engines import all_gone
from tests.helpers.programs import needs
from unidoku.backends.base import Request
from unidoku.backends.programs.spec import ProgramSpec
from unidoku.backends.solving.solver import solver_of_row
from unidoku.comparison.environment import environment


def spec_of(folder: Path, script: str, command: str = "./mine {file}") -> ProgramSpec:
    """Return the row of a program that a folder has, in a shell's words."""
    path = folder / "mine"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return ProgramSpec.of("mine", "dimacs", command, folder=str(folder))


def version(spec: ProgramSpec) -> str:
    return solver_of_row(spec, {}).version


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


@needs("minizinc")
def test_the_environment_has_the_versions_of_minizinc_and_of_the_solver_that_it_runs() -> None:
    labels = ("minizinc", "minizinc-gecode")
    solvers = {label: unidoku.load(label) for label in labels}
    versions = environment(solvers, Request(), 1)["backends"]
    for label in labels:
        assert versions[label].startswith("minizinc 2.")
        assert ", Gecode 6." in versions[label]


@needs("fzn-gecode", "minizinc")
def test_flatzinc_has_the_versions_of_its_reader_and_of_its_compiler() -> None:
    reader, compiler = unidoku.load("gecode").version.split(", ")
    assert reader.startswith("fzn-gecode 6.")
    assert compiler.startswith("minizinc 2.")


@needs("minisat")
def test_a_known_program_without_a_version_is_told_by_its_digest() -> None:
    name, _, shown = unidoku.load("minisat").version.partition(" unknown, sha256 ")
    assert name == "minisat"
    assert len(shown) == 12
    assert int(shown, 16) >= 0


def test_a_version_that_nobody_declared_is_asked_for(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, 'test "$*" = --version && echo mine 1.4')
    assert version(spec) == "mine 1.4"


@pytest.mark.processes
@pytest.mark.parametrize(
    "script",
    [
        "echo 'cannot open --version, see section 1.4'; exit 1",
        "exit 0",
        "echo 1.4; sleep 600",
        "yes 1.4",
        "cat; echo ended > here; sleep 600 &",
    ],
)
def test_a_program_that_may_not_have_understood_is_told_by_its_digest(
    script: str, tmp_path: Path, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unidoku.backends.program_version._GUESS_SECONDS", 0.3)
    spec = spec_of(tmp_path, script)
    assert version(spec) == f"mine unknown, sha256 {digest(tmp_path / 'mine')}"
    assert not (tmp_path / "here").exists()
    assert all_gone(mark)


def test_a_script_counts_as_well_as_its_interpreter_whose_version_is_not_its_own(
    tmp_path: Path,
) -> None:
    (tmp_path / "python").symlink_to(sys.executable)
    spec = spec_of(tmp_path, "exit 0", "./python mine {file}")
    of_python = f"python unknown, sha256 {digest(tmp_path / 'python')}"
    assert version(spec) == f"{of_python}; mine unknown, sha256 {digest(tmp_path / 'mine')}"


def test_two_builds_of_a_program_differ(tmp_path: Path) -> None:
    before = version(spec_of(tmp_path, "exit 1"))
    assert version(spec_of(tmp_path, "exit 1 # again")) != before


def test_a_command_in_a_label_has_no_version_of_another_program(tmp_path: Path) -> None:
    spec_of(tmp_path, "exit 1")
    label = f'program[language=dimacs,command="{tmp_path}/mine {{file}}"]'
    assert unidoku.load(label).version == f"mine unknown, sha256 {digest(tmp_path / 'mine')}"
