"""Each language is read by programs that know nothing of us, and they answer as we do."""

from __future__ import annotations

import random
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from tests.programs import needs
from tests.volume import SOAK, volume
from unidoku import Automaton, Board, Layout, check, export, layout, load, read, read_answer
from unidoku.backends.languages import LANGUAGES
from unidoku.backends.programs.rows import known_programs
from unidoku.core.machine import machine_of
from unidoku.core.verify import verify
from unidoku.errors import FormatError, InputError, NotInstalledError
from unidoku.testing.rules import with_rules
from unidoku.testing.truth import Told


def jar(solver: str) -> Path:
    """Return the file of a solver that PyCSP3 brings; it is not imported, for that has effects."""
    found = find_spec("pycsp3")
    assert found is not None
    assert found.origin is not None
    (path,) = (Path(found.origin).parent / "solvers" / solver).glob("*.jar")
    return path


PROGRAMS = {
    "cadical": ("dimacs", "cadical -q {file}"),
    "minisat": ("dimacs", "minisat -verb=0 {file} {answer}"),
    "picosat": ("dimacs", "picosat {file}"),
    "cryptominisat5": ("dimacs", "cryptominisat5 --verb 0 {file}"),
    "clasp": ("dimacs", "clasp {file}"),
    "clasp, opb": ("opb", "clasp {file}"),
    "cvc5": ("smtlib", "cvc5 --produce-models {file}"),
    "cvc5, bv": ("smtlib-bv", "cvc5 --dump-models {file}"),
    "boolector": ("smtlib-bv", "boolector --smt2 -m {file}"),
    "glpsol": ("lp", "glpsol --lp {file} -o {answer}"),
    "glpsol, mps": ("mps", "glpsol --freemps {file} -o {answer}"),
    "cbc": ("lp", "cbc {file} solve solution {answer}"),
    "cbc, mps": ("mps", "cbc {file} solve solution {answer}"),
    "lp_solve": ("mps", "lp_solve -fmps {file} -S4"),
    "gringo": ("asp", "gringo {file} | clasp"),
    "minizinc": ("minizinc", "minizinc --solver gecode {file}"),
    "fzn-gecode": ("flatzinc", "fzn-gecode {file}"),
    "toulbar2": ("cfn", "toulbar2 {file} -s=3"),
    "java, ACE": ("xcsp3", f"java -jar {jar('ace')} {{file}}"),
    "java, Choco": ("xcsp3", f"java -jar {jar('choco')} {{file}}"),
}
"""Each program by its name, with the language and the command."""


def every(*in_soak: str) -> list[ParameterSet]:
    """Return the programs, marked with what they need, and those that only make soak runs."""
    return [
        pytest.param(
            name,
            marks=[
                needs(*{name.partition(",")[0]} | ({"clasp"} if name == "gringo" else set())),
                *([pytest.mark.soak] if name in in_soak else []),
            ],
        )
        for name in PROGRAMS
    ]


BOARDS = max(200, volume(4)) if SOAK else 4
"""Boards with random rules for each program."""


def answered(board: Board, name: str, folder: Path, **asked: object) -> tuple[str, str]:
    """Return what a program says of a board, and the language."""
    language, command = PROGRAMS[name]
    file, answer = folder / f"board{LANGUAGES[language].ending}", folder / "answer"
    answer.unlink(missing_ok=True)
    file.write_text(export(board, language, **asked), encoding="utf-8")  # type: ignore[arg-type]
    ran = subprocess.run(
        command.format(file=file, answer=answer),
        shell=True,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    written = answer.read_text(encoding="utf-8") if answer.exists() else ""
    return f"{ran.stdout}\n{written}", language


def random_boards(seed: int, count: int) -> list[Board]:
    """Return boards with random rules, which some grid keeps or may not."""
    rng = random.Random(seed)
    made: list[Board] = []
    while len(made) < count:
        one = layout(rng.choice(["classic", "latin", "x"]), 4)
        grid = load("native").solve(Board.empty(one)).solutions[0]
        ruled = with_rules(rng, one, grid if rng.random() < 0.6 else None)
        values = [value if rng.random() < 0.2 else 0 for value in grid]
        board = Board.from_values(ruled, values)
        if not board.problems():
            made.append(board)
    return made


def test_every_language_is_read_by_a_program_here() -> None:
    assert {language for language, _ in PROGRAMS.values()} == LANGUAGES.keys()


@pytest.mark.volume
@pytest.mark.parametrize("name", every("java, ACE", "java, Choco"))
def test_programs_agree_on_boards_with_random_rules(name: str, tmp_path: Path) -> None:
    for board in random_boards(seed=1, count=BOARDS):
        text, language = answered(board, name, tmp_path)
        found = read_answer(board, text, language)
        possible = load("native").solve(board).count > 0
        assert found.verdict == ("satisfiable" if possible else "unsatisfiable"), board.digest
        assert found.holds is possible


@pytest.mark.parametrize("name", every("java, ACE"))
def test_programs_find_the_solution_of_a_puzzle_and_no_other(
    name: str, root: Path, tmp_path: Path
) -> None:
    (puzzle,) = read(root / "examples" / "setting.toml")
    assert puzzle.solution
    text, language = answered(puzzle.board, name, tmp_path)
    assert read_answer(puzzle.board, text, language).grid == puzzle.solution
    text, _ = answered(puzzle.board, name, tmp_path, other_than=[puzzle.solution])
    assert read_answer(puzzle.board, text, language).verdict == "unsatisfiable"


ODD = machine_of(3, [0], [1], [(at, v, 1 - at) for at in (0, 1) for v in (1, 2, 3)])
"""Cells are odd in number."""


@pytest.mark.parametrize("name", every("java, ACE"))
def test_programs_know_that_what_nothing_keeps_has_no_solution(name: str, tmp_path: Path) -> None:
    row = Layout.from_units(
        3,
        [(0, 1, 2)],
        shape=(1, 6),
        rules=[Told(tuple(range(6)), (Automaton((0, 3, 4, 5), ODD),))],
    )
    text, language = answered(Board.empty(row), name, tmp_path)
    assert read_answer(Board.empty(row), text, language).verdict == "unsatisfiable"


def test_a_grid_that_is_no_solution_is_found_out(root: Path) -> None:
    (puzzle,) = read(root / "examples" / "setting.toml")
    (other,) = load("native").solve(Board.empty(layout("classic", 4))).solutions
    assert verify(puzzle.board, other)
    candidates = (cell * 4 + value for cell, value in enumerate(other))
    found = read_answer(
        puzzle.board, f"s SATISFIABLE\nv {' '.join(map(str, candidates))} 0", "dimacs"
    )
    assert (found.verdict, found.holds) == ("satisfiable", False)
    assert found.faults


@pytest.mark.parametrize(
    ("text", "language", "message"),
    [
        ("s SATISFIABLE\nv 1 2 0", "dimacs", "A1: expected one value, got two"),
        ("s SATISFIABLE\n", "opb", "expected a value for each cell beside 'satisfiable'"),
        ("sat\n(define-fun c0 () Int 1)", "smtlib", "expected a value for each cell"),
        ("Answer: 1\nholds(0,1)\n", "asp", "expected a value for each cell"),
        ("Optimal\n x1 1\n", "lp", "expected a value for each cell"),
    ],
)
def test_an_answer_that_names_no_grid_is_refused(text: str, language: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_answer(Board.empty(layout("classic", 4)), text, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", ["", "Segmentation fault", "\x00" * 100, "9" * 10_000])
def test_what_is_no_answer_is_unknown(text: str, language: str) -> None:
    assert read_answer(Board.empty(layout("classic", 4)), text, language).verdict == "unknown"


def test_a_language_or_a_grid_that_is_none_is_refused() -> None:
    board = Board.empty(layout("classic", 4))
    with pytest.raises(InputError, match="did you mean 'dimacs'"):
        export(board, "dimcs")
    with pytest.raises(InputError, match="other_than: expected a solution of the board"):
        export(board, "dimacs", other_than=[(1,) * 16])


def test_flatzinc_without_minizinc_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NotInstalledError, match="expected MiniZinc, which compiles it"):
        export("1... ..2. .3.. ...4", "flatzinc")


HARD = "98.7..6..5..8...4...3.5...86......8..4....9....5.2...1..7..5......2.1..7....7..3."


@needs("cadical")
def test_a_proof_that_there_is_no_other_solution_is_checked(tmp_path: Path) -> None:
    board = Board.parse(HARD)
    solutions = load("native").solve(board).solutions
    (tmp_path / "it.cnf").write_text(export(board, "dimacs", other_than=solutions))
    command = ["cadical", "-q", "--no-binary", "it.cnf", "it.drat"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    proof = (tmp_path / "it.drat").read_text()
    found = read_answer(board, ran.stdout, "dimacs", proof=proof, other_than=solutions)
    assert (found.verdict, found.proved, found.holds) == ("unsatisfiable", True, True)
    for wrong in (proof, "", "1 0\n0\n"):  # the first shows that there is no other solution
        found = read_answer(board, ran.stdout, "dimacs", proof=wrong)
        assert (found.verdict, found.holds) == ("unsatisfiable", False)
        assert "the proof does not hold" in found.faults[0]
    assert not read_answer(board, "s UNKNOWN", "dimacs", proof=proof).proved


@pytest.mark.parametrize(
    ("proof", "language", "message"),
    [
        ("0", "opb", "expected the language dimacs for a DRAT proof, got opb"),
        ("a\0\1", "dimacs", "as cadical does with --no-binary"),
        ("not a proof", "dimacs", "expected a DRAT proof: proof line 1"),
        ("1 2", "dimacs", "expected a DRAT proof: proof line 1: clause not terminated"),
    ],
)
def test_what_is_no_proof_is_refused(proof: str, language: str, message: str) -> None:
    board = Board.parse("11.. .... .... ....")
    with pytest.raises(InputError, match=message):
        read_answer(board, "s UNSATISFIABLE", language, proof=proof)


def test_dimacs_says_which_variable_is_which(root: Path) -> None:
    lines = export("1... ..2. .3.. ...4", "dimacs").splitlines()
    assert "c 5 to 8: A2 is 1 to 4" in lines
    assert "1 0" in lines
    assert check("1... ..2. .3.. ...4").proper


def test_the_page_has_a_row_for_each_language(root: Path) -> None:
    page = (root / "docs" / "languages.md").read_text(encoding="utf-8")
    for row in LANGUAGES.values():
        assert f"| `{row.name}` |" in page
        assert f"| `{row.ending}` |" in page


def test_the_page_has_a_row_for_each_program(root: Path) -> None:
    page = (root / "docs" / "languages.md").read_text(encoding="utf-8")
    for row in known_programs().values():
        if row.language:
            more = sorted(row.capabilities.honours - {"time_limit"})
            limits = ", ".join(f"`{limit}`" for limit in more) or "–"
            told = f"| `{row.language}` | `{row.command}` | {limits} |"
            assert f"| [`{row.name}`]({row.homepage}) {told}" in page
