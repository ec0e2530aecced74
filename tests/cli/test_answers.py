"""`unidoku export` and `read-answer`: a second solution is asked for, and its absence proved."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.helpers.command_runner import Runner
from tests.helpers.programs import needs
from unidoku.cli import codes


@needs("cadical")
def test_the_absence_of_a_second_solution_is_proved_and_the_proof_checked(
    run: Runner, root: Path, tmp_path: Path
) -> None:
    puzzle = str(root / "examples" / "setting.toml")
    clauses, proof, answer = (tmp_path / name for name in ("it.cnf", "it.drat", "answer.txt"))
    run("export", puzzle, "--to", "dimacs", "--not-the-solution", "-o", str(clauses))
    command = ["cadical", "--no-binary", str(clauses), str(proof)]
    answer.write_bytes(subprocess.run(command, capture_output=True, check=False).stdout)
    read = ["read-answer", puzzle, "--answer", str(answer), "--language", "dimacs"]
    ran = run(*read, "--proof", str(proof), "--not-the-solution")
    assert (ran.code, ran.out) == (codes.YES, "no solution, and the proof of that is valid\n")
    ran = run(*read, "--proof", str(proof), "--not-the-solution", "--json")
    assert json.loads(ran.out)["proved"] is True
    ran = run(*read, "--proof", str(proof))
    assert ran.code == codes.NO
    assert ran.out.startswith("the proof does not hold: ")
    proof.write_bytes(b"a\x02\x94\x00")
    ran = run(*read, "--proof", str(proof))
    assert ran.code == codes.ERROR
    assert "expected a proof as text, got bytes; have the solver write text, as cad" in ran.err
    ran = run(*read)
    assert (ran.code, ran.out) == (
        codes.NO,
        "the solver states that there is no solution; this was not checked\n",
    )
    ran = run(*read[:1], "1... ..2. .3.. ...4", *read[2:], "--not-the-solution")
    assert ran.code == codes.ERROR
    assert "expected a file with the solution of its puzzle" in ran.err
