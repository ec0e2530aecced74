"""Proofs that a board has no solution are checked, and what proves nothing is found out."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.helpers.boards import HARDER
from tests.helpers.programs import needs
from unidoku import Board, export, load, read_answer
from unidoku.errors import InputError


@needs("cadical")
def test_a_proof_that_there_is_no_other_solution_is_checked(tmp_path: Path) -> None:
    board = Board.parse(HARDER)
    solutions = load("native").solve(board).solutions
    (tmp_path / "it.cnf").write_text(export(board, "dimacs", other_than=solutions))
    command = ["cadical", "-q", "--no-binary", "it.cnf", "it.drat"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    proof = (tmp_path / "it.drat").read_text()
    answer = read_answer(board, ran.stdout, "dimacs", proof=proof, other_than=solutions)
    assert (answer.verdict, answer.proved, answer.holds) == ("unsatisfiable", True, True)
    for wrong in (proof, "", "1 0\n0\n"):  # the first shows that there is no other solution
        answer = read_answer(board, ran.stdout, "dimacs", proof=wrong)
        assert (answer.verdict, answer.holds) == ("unsatisfiable", False)
        assert "the proof does not hold" in answer.faults[0]
    assert not read_answer(board, "s UNKNOWN", "dimacs", proof=proof).proved


@pytest.mark.parametrize(
    ("proof", "language", "message"),
    [
        ("0", "opb", "expected the language dimacs for a proof, got opb"),
        ("a\0\1", "dimacs", "as cadical does with --no-binary"),
        ("not a proof", "dimacs", "expected a proof in DRAT: proof line 1"),
        ("1 2", "dimacs", "expected a proof in DRAT: proof line 1: clause not terminated"),
        (f"{'9' * 5000} 1 0 2 0", "dimacs", "expected a proof in DRAT: "),
        (
            "9999 1 0 2 0\n9999 d x 0",
            "dimacs",
            "expected a proof in LRAT, got line 2: '9999 d x 0'",
        ),
        (
            "9999 1 0 2 0\n10000",
            "dimacs",
            "expected a proof in LRAT, got line 2: '10000'; a line is",
        ),
        ("1 d 9999 0", "dimacs", "got line 1, which deletes the clause 9999: there is no such"),
    ],
)
def test_what_is_no_proof_is_refused(proof: str, language: str, message: str) -> None:
    board = Board.parse("11.. .... .... ....")
    with pytest.raises(InputError, match=message) as raised:
        read_answer(board, "s UNSATISFIABLE", language, proof=proof)
    assert len(str(raised.value)) < 300


def reasons(clauses: dict[int, list[int]], clause: list[int]) -> list[int]:
    """Return the numbers of the clauses that show a clause, in the order of unit propagation."""
    true, units = {-literal for literal in clause}, list[int]()
    while True:
        for number, literals in clauses.items():
            left = [literal for literal in literals if -literal not in true]
            if not left:
                return [*units, number]
            if len(left) == 1 and left[0] not in true:
                true.add(left[0])
                units.append(number)
                break
        else:
            raise AssertionError(f"the clause {clause} does not follow")


def in_lrat(formula: str, proof: str) -> str:
    """Return a proof in DRAT as one in LRAT, with numbers and reasons, as newer solvers write."""
    clauses = (line for line in formula.splitlines() if line[0] not in "cp")
    numbered = {
        number: [int(word) for word in line.split()[:-1]]
        for number, line in enumerate(clauses, start=1)
    }
    lines, last = ["c a comment"], len(numbered)
    for line in proof.splitlines():
        literals = [int(word) for word in line.removeprefix("d ").split()[:-1]]
        if line.startswith("d"):
            gone = next(number for number, item in numbered.items() if {*item} == {*literals})
            lines.append(f"{last} d {gone} 0")
            del numbered[gone]
        else:
            last += 1
            shown = " ".join(map(str, reasons(numbered, literals)))
            lines.append(f"{last} {' '.join(map(str, [*literals, 0]))} {shown} 0")
            numbered[last] = literals
    return "\n".join(lines)


@needs("cadical")
def test_a_proof_in_lrat_is_checked_as_one_in_drat(tmp_path: Path) -> None:
    board = Board.parse("1... .... .... ...2")
    solutions = load("native").solve(board, solutions=None).solutions
    formula = export(board, "dimacs", other_than=solutions)
    (tmp_path / "it.cnf").write_text(formula)
    command = ["cadical", "-q", "--no-binary", "it.cnf", "it.drat"]
    subprocess.run(command, capture_output=True, cwd=tmp_path, check=False)
    proof = in_lrat(formula, (tmp_path / "it.drat").read_text())
    _, *steps = proof.splitlines()
    for message, proved in ((proof, True), ("\n".join(steps[:-1]), False), (steps[-1], False)):
        answer = read_answer(
            board, "s UNSATISFIABLE", "dimacs", proof=message, other_than=solutions
        )
        assert (answer.proved, answer.holds) == (proved, proved)
        assert [fault.partition(":")[0] for fault in answer.faults] == (
            [] if proved else ["the proof does not hold"]
        )
