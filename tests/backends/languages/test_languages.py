"""Each language is read by programs that know nothing of us, and they answer as we do."""

from __future__ import annotations

import os
import random
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from tests.helpers.programs import needs
from tests.helpers.volume import SOAK, thorough, volume
from unidoku import Automaton, Board, Layout, check, export, layout, load, read, read_answer
from unidoku.backends.languages import LANGUAGES
from unidoku.backends.languages.answers import read_grids
from unidoku.backends.programs.rows import known_programs
from unidoku.core import rules
from unidoku.core.constraints.automaton import machine_of
from unidoku.core.layout import Grid
from unidoku.core.verify.boards import verify
from unidoku.errors import FormatError, InputError, NotInstalledError
from unidoku.parallel.temporary import variables_for
from unidoku.testing.rules import with_rules
from unidoku.testing.truth import ConstraintRule


def jar(solver: str) -> Path:
    """Return the file of a solver that PyCSP3 brings; it is not imported, for that has effects."""
    spec = find_spec("pycsp3")
    assert spec is not None
    assert spec.origin is not None
    (path,) = (Path(spec.origin).parent / "solvers" / solver).glob("*.jar")
    return path


def by_cvc5(file: Path) -> str:
    """Return what cvc5 for Python says of a file, which is newer than Debian's program."""
    cvc5 = pytest.importorskip("cvc5", reason="cvc5 for Python is not installed")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("produce-models", "true")
    parser = cvc5.InputParser(solver)
    parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, str(file))
    messages = []
    while not (command := parser.nextCommand()).isNull():
        messages.append(command.invoke(solver, parser.getSymbolManager()))
    return "".join(messages)


def by_bitwuzla(file: Path) -> str:
    """Return what Bitwuzla for Python says of a file, with the values that it finds."""
    bitwuzla = pytest.importorskip("bitwuzla", reason="Bitwuzla for Python is not installed")
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(str(file), True)
    solver = parser.bitwuzla()
    message = solver.check_sat()
    terms = parser.get_declared_funs() if message == bitwuzla.Result.SAT else []
    return "\n".join([str(message), *(f"({term} {solver.get_value(term)})" for term in terms)])


PROGRAMS: dict[str, tuple[str, str | Callable[[Path], str]]] = {
    "cadical": ("dimacs", "cadical -q {file}"),
    "kissat": ("dimacs", "kissat {file}"),
    "minisat": ("dimacs", "minisat -verb=0 {file} {answer}"),
    "picosat": ("dimacs", "picosat {file}"),
    "cryptominisat5": ("dimacs", "cryptominisat5 --verb 0 {file}"),
    "clasp": ("dimacs", "clasp {file}"),
    "clasp, opb": ("opb", "clasp {file}"),
    "cvc5": ("smtlib", "cvc5 --produce-models {file}"),
    "cvc5, bv": ("smtlib-bv", "cvc5 --dump-models {file}"),
    "cvc5, library": ("smtlib", by_cvc5),
    "z3": ("smtlib", "z3 -smt2 {file}"),
    "bitwuzla, library": ("smtlib-bv", by_bitwuzla),
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
    "swipl": ("prolog", "swipl {file}"),
    "gprolog": ("gnu-prolog", "gprolog --consult-file {file}"),
    "java, ACE": ("xcsp3", f"java -jar {jar('ace')} {{file}}"),
    "java, Choco": ("xcsp3", f"java -jar {jar('choco')} {{file}}"),
}
"""Each program by its name, with the language and the command; a library with its function."""


QUICK = {"kissat", "clasp, opb", "gringo", "bitwuzla, library"}
"""Programs that take seconds for all examples; linear solvers take minutes for some."""


def needed(name: str) -> set[str]:
    """Return the programs that a command runs."""
    if callable(PROGRAMS[name][1]):
        return set()
    return {name.partition(",")[0]} | ({"clasp"} if name == "gringo" else set())


FIRST = {language: name for name, (language, _) in reversed(PROGRAMS.items())} | {
    "smtlib": "z3",
    "xcsp3": "java, Choco",
}
"""The program that reads a language in ``make test``; others of it are a second proof."""


def every(*in_soak: str, later: str = "") -> list[ParameterSet]:
    """Return the programs, marked with what they need, and with what runs them."""
    marks = {name: [pytest.mark.soak] if name in in_soak else [] for name in PROGRAMS}
    for name in PROGRAMS.keys() - {*FIRST.values()} | {later} - {""}:
        marks[name].append(pytest.mark.thorough)
    return [pytest.param(name, marks=[needs(*needed(name)), *marks[name]]) for name in PROGRAMS]


BOARDS = max(200, volume(2)) if SOAK else 2
"""Boards with random rules for each program."""

HIDDEN = Board.from_values(
    replace(layout("classic", 4), rules=(rules.CountingCircles((14,)),)), [0] * 8 + [3] + [0] * 7
)
"""A board with hidden cells and several solutions."""


def answered(board: Board, name: str, folder: Path, **asked: object) -> tuple[str, str]:
    """Return what a program says of a board, and the language."""
    language, command = PROGRAMS[name]
    file, answer = folder / f"board{LANGUAGES[language].ending}", folder / "answer"
    answer.unlink(missing_ok=True)
    file.write_text(export(board, language, **asked), encoding="utf-8")  # type: ignore[arg-type]
    if callable(command):
        return command(file), language
    ran = subprocess.run(
        command.format(file=file, answer=answer),
        shell=True,
        env=os.environ | variables_for(folder),  # GNU Prolog leaves a file
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
    boards: list[Board] = []
    while len(boards) < count:
        small = layout(rng.choice(["classic", "latin", "x"]), 4)
        grid = load("native").solve(Board.empty(small)).solutions[0]
        ruled = with_rules(rng, small, grid if rng.random() < 0.6 else None)
        values = [value if rng.random() < 0.2 else 0 for value in grid]
        board = Board.from_values(ruled, values)
        if not board.problems():
            boards.append(board)
    return boards


def test_every_language_is_read_by_a_program_here() -> None:
    assert {language for language, _ in PROGRAMS.values()} == LANGUAGES.keys()


@pytest.mark.volume
@pytest.mark.parametrize("name", every("java, ACE", "java, Choco"))
def test_programs_agree_on_boards_with_random_rules(name: str, tmp_path: Path) -> None:
    for board in [*random_boards(seed=1, count=BOARDS), HIDDEN]:
        known = load("native").solve(board, solutions=2).solutions
        asked: list[Grid] = []
        for possible in (len(known) > 0, len(known) > 1):
            text, language = answered(board, name, tmp_path, other_than=asked)
            answer = read_answer(board, text, language)
            assert answer.verdict == ("satisfiable" if possible else "unsatisfiable"), board.digest
            assert answer.holds is possible
            if answer.grid is None:
                break
            assert answer.grid not in asked
            asked.append(answer.grid)


@pytest.mark.parametrize("fast", [True, *thorough(False)])
@pytest.mark.parametrize("name", every("java, ACE"))
def test_programs_find_the_solution_of_a_puzzle_and_no_other(
    name: str, root: Path, tmp_path: Path, *, fast: bool
) -> None:
    (puzzle,) = read(root / "examples" / "setting.toml")
    assert puzzle.solution
    text, language = answered(puzzle.board, name, tmp_path, fast=fast)
    assert read_answer(puzzle.board, text, language).grid == puzzle.solution
    text, _ = answered(puzzle.board, name, tmp_path, other_than=[puzzle.solution], fast=fast)
    assert read_answer(puzzle.board, text, language).verdict == "unsatisfiable"


LINES = Board.from_values(
    replace(
        layout("classic", 4),
        rules=(
            rules.Killer((0, 1, 4), 7),
            rules.Thermo((10, 11)),
            rules.Skyscraper((3, 7, 11, 15), 2),
            rules.Whispers((12, 13), 2),
            rules.Arrow((8,), (9, 13)),
        ),
    ),
    [0] * 16,
)
"""A board whose rules are sums, comparisons and automata."""


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("name", every("java, ACE", "cbc", "glpsol", later="java, Choco"))
def test_both_forms_have_exactly_the_solutions_of_the_board(
    name: str, tmp_path: Path, *, fast: bool
) -> None:
    board = Board.from_values(LINES.layout, [0] * 9 + [1] + [0] * 6)
    known = {*load("native").solve(board, solutions=None).solutions}
    assert len(known) == 2
    asked: list[Grid] = []
    while len(asked) <= len(known):
        text, language = answered(board, name, tmp_path, other_than=asked, fast=fast)
        answer = read_answer(board, text, language)
        if answer.grid is None:
            assert answer.verdict == "unsatisfiable"
            break
        asked.append(answer.grid)
    assert len(asked) == len(known)
    assert {*asked} == known


@pytest.mark.parametrize("language", sorted(LANGUAGES.keys() - {"cfn", "flatzinc"}))
def test_a_comment_says_each_unit_and_each_rule_in_words(language: str) -> None:
    text = export(LINES, language)
    for rule in LINES.layout.rules:
        assert rule.words(LINES.layout.names) in text
    for unit in LINES.layout.units:
        assert f"{unit}: each value once" in text
    fast = export(LINES, language, fast=True)
    assert "each value once" not in fast


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "minizinc",
            [
                "var 1..4: A1;",
                "constraint all_different([A1, A2, B1]);",
                "constraint A1 + A2 + B1 = 7;",
                "constraint C3 < C4;",
                "constraint abs(D1 - D2) >= 2;",
            ],
        ),
        (
            "smtlib",
            [
                "(declare-fun A1 () Int)",
                "(assert (distinct A1 A2 B1))",
                "(assert (= (+ A1 A2 B1) 7))",
                "(assert (< C3 C4))",
                "(assert (>= (abs (- D1 D2)) 2))",
            ],
        ),
        ("smtlib-bv", ["(assert (distinct A1 A2 B1))", "(assert (bvult C3 C4))"]),
        (
            "asp",
            [
                "in((a1;a2;b1),12).",
                ":- not #sum { V,a1 : holds(a1,V); V,a2 : holds(a2,V); V,b1 : holds(b1,V) } = 7.",
                ":- holds(c3,V), holds(c4,W), V >= W.",
                ":- holds(d1,V), holds(d2,W), |V - W| < 2.",
            ],
        ),
        (
            "xcsp3",
            [
                '<var id="A1"> 1..4 </var>',
                "<allDifferent> A1 A2 B1 </allDifferent>",
                "<sum> <list> A1 A2 B1 </list> <condition> (eq,7) </condition> </sum>",
                "<intension> lt(C3,C4) </intension>",
                "<intension> ge(dist(D1,D2),2) </intension>",
            ],
        ),
        (
            "prolog",
            [
                "    Cells ins 1..4,",
                "    all_distinct([A1, A2, B1]),",
                "    A1 + A2 + B1 #= 7,",
                "    C3 #< C4,",
                "    abs(D1 - D2) #>= 2,",
            ],
        ),
        (
            "gnu-prolog",
            [
                "    fd_domain(Cells, 1, 4),",
                "    fd_all_different([A1, A2, B1]),",
                "    A1 + A2 + B1 #= 7,",
                "    C3 #< C4,",
                "    dist(D1, D2) #>= 2,",
            ],
        ),
        ("lp", [" c17: +1 xA1_1 +1 xA2_1 +1 xA3_1 +1 xA4_1"]),
        ("opb", ["* x1 to x4: A1 is 1 to 4", "+1 x1 +1 x5 +1 x9 +1 x13 = 1 ;"]),
        ("dimacs", ["c 5 to 8: A2 is 1 to 4", "c row A: each value once", "1 5 9 13 0"]),
    ],
)
def test_rules_are_written_as_the_language_has_them(language: str, lines: list[str]) -> None:
    written = export(LINES, language).splitlines()
    assert [line for line in lines if line not in written] == []


@needs("minizinc")
def test_minizinc_knows_no_newer_name_for_what_is_exported(tmp_path: Path) -> None:
    file = tmp_path / "board.mzn"
    file.write_text(export(LINES, "minizinc"), encoding="utf-8")
    ran = subprocess.run(
        ["minizinc", "--solver", "gecode", file], capture_output=True, text=True, check=True
    )
    assert "was deprecated" not in ran.stderr


@pytest.mark.volume
@pytest.mark.soak
@pytest.mark.parametrize("name", [row for row in every() if row.values[0] in QUICK])
def test_programs_find_the_solution_of_each_example_with_rules(
    name: str, root: Path, tmp_path: Path
) -> None:
    for file in sorted((root / "examples" / "rules").glob("*.toml")):
        for puzzle in read(file):
            text, language = answered(puzzle.board, name, tmp_path)
            assert read_answer(puzzle.board, text, language).grid == puzzle.solution, file.name


ODD = machine_of(3, [0], [1], [(at, v, 1 - at) for at in (0, 1) for v in (1, 2, 3)])
"""Cells are odd in number."""

IMPOSSIBLE = Layout.from_units(
    3,
    [(0, 1, 2)],
    shape=(1, 6),
    rules=[ConstraintRule(tuple(range(6)), (Automaton((0, 3, 4, 5), ODD),))],
)


@pytest.mark.parametrize("name", every("java, ACE"))
def test_programs_know_that_what_nothing_keeps_has_no_solution(name: str, tmp_path: Path) -> None:
    board = Board.empty(IMPOSSIBLE)
    text, language = answered(board, name, tmp_path)
    assert read_answer(board, text, language).verdict == "unsatisfiable"


def test_a_grid_that_is_no_solution_is_found_out(root: Path) -> None:
    (puzzle,) = read(root / "examples" / "setting.toml")
    (other,) = load("native").solve(Board.empty(layout("classic", 4))).solutions
    assert verify(puzzle.board, other)
    candidates = (cell * 4 + value for cell, value in enumerate(other))
    answer = read_answer(
        puzzle.board, f"s SATISFIABLE\nv {' '.join(map(str, candidates))} 0", "dimacs"
    )
    assert (answer.verdict, answer.holds) == ("satisfiable", False)
    assert answer.faults


@pytest.mark.parametrize(
    ("cells", "values"), [("c0 c1", "2 1"), ("c0 c1 c2", "2 1 *"), ("c0 c1 c2", "2 1 3")]
)
def test_a_cell_in_no_constraint_holds_any_value_in_xml(cells: str, values: str) -> None:
    board = Board.empty(Layout.from_units(3, [(0, 1)], shape=(1, 3)))
    lists = f"<list> {cells} </list> <values> {values} </values>"
    answer = read_answer(board, f"v <instantiation> {lists}\ns SATISFIABLE", "xcsp3")
    assert answer.holds
    assert answer.grid == (2, 1, 3 if values == "2 1 3" else 1)


@pytest.mark.parametrize(
    ("values", "grid"),
    [("2x2 1x2", (2, 2, 1, 1)), ("1 2x3", (1, 2, 2, 2)), ("*x3 2", (1, 1, 1, 2))],
)
def test_lists_in_xml_say_a_value_and_how_often_it_comes(values: str, grid: Grid) -> None:
    board = Board.empty(Layout.from_units(2, [], shape=(1, 4)))
    lists = f"<list> A1 A2 A3 A4 </list> <values> {values} </values>"
    answer = read_answer(board, f"s SATISFIABLE\nv <instantiation> {lists}", "xcsp3")
    assert answer.grid == grid


def test_a_solution_may_be_the_values_alone_in_xml() -> None:
    board = Board.empty(Layout.from_units(3, [(0, 1, 2)], shape=(1, 3)))
    printed = "v 2 1 3 0 1\nv 3 1 2 0 0\n"
    assert read_answer(board, printed, "xcsp3").grid == (3, 1, 2)
    assert read_grids(board, printed, "xcsp3").grids == ((2, 1, 3), (3, 1, 2))
    assert not read_grids(board, printed, "xcsp3").complete
    assert read_grids(board, f"{printed}d COMPLETE EXPLORATION\n", "xcsp3").complete


def test_variables_in_no_constraint_get_one_in_xml() -> None:
    free = Board.empty(Layout.from_units(2, [], shape=(1, 2)))
    assert "<intension> ge(c1,1) </intension>" in export(free, "xcsp3", fast=True)
    assert "ge(" not in export(LINES, "xcsp3", fast=True)
    (variable,) = re.findall("<var id.*>", export(Board.empty(layout("latin", 1)), "xcsp3"))
    assert variable == '<var id="A1"> 1 </var>'


DIGITS = "9" * 5000


@pytest.mark.parametrize(
    ("text", "language", "message"),
    [
        ("s SATISFIABLE\nv 1 2 0", "dimacs", "A1: expected one value, got two"),
        ("s SATISFIABLE\n", "opb", "expected a value for each cell beside 'satisfiable'"),
        ("sat\n(define-fun c0 () Int 1)", "smtlib", "expected a value for each cell"),
        ("Answer: 1\nholds(0,1)\n", "asp", "expected a value for each cell"),
        ("Optimal\n x1 1\n", "lp", "expected a value for each cell"),
        (
            f"s SATISFIABLE\nv {DIGITS}",
            "dimacs",
            "expected numbers, got one of thousands of digits",
        ),
        (f"sat\n((c0 {DIGITS}))", "smtlib", "expected numbers, got one of thousands of digits"),
        (f"x = [{DIGITS}];", "minizinc", "expected numbers, got one of thousands of digits"),
    ],
)
def test_an_answer_that_names_no_grid_is_refused(text: str, language: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_answer(Board.empty(layout("classic", 4)), text, language)


LONG = ["\n" * 80_000, ".\n" * 50_000, "x = 1\n" * 25_000, "x1 " * 25_000, "( " * 50_000]
"""Texts that a search which goes back and forth reads for minutes."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", ["", "Segmentation fault", "\x00" * 100, "9" * 10_000, *LONG])
def test_what_is_no_answer_is_unknown(text: str, language: str) -> None:
    assert read_answer(Board.empty(layout("classic", 4)), text, language).verdict == "unknown"


def test_an_unknown_language_and_an_invalid_grid_are_refused() -> None:
    board = Board.empty(layout("classic", 4))
    with pytest.raises(InputError, match="did you mean 'dimacs'"):
        export(board, "dimcs")
    with pytest.raises(InputError, match="other_than: expected a solution of the board"):
        export(board, "dimacs", other_than=[(1,) * 16])


def test_flatzinc_without_minizinc_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NotInstalledError, match="expected MiniZinc, which compiles it"):
        export("1... ..2. .3.. ...4", "flatzinc")


@pytest.mark.parametrize("language", ["smtlib", "smtlib-bv"])
def test_operators_of_smtlib_have_at_least_two_arguments(language: str) -> None:
    for item in (IMPOSSIBLE, layout("latin", 1)):
        lines = export(Board.empty(item), language).splitlines()
        assert not [line for line in lines if re.search(r"\((or|and|distinct|\+) \S+\)", line)]


def test_dimacs_says_which_variable_is_which(root: Path) -> None:
    lines = export("1... ..2. .3.. ...4", "dimacs").splitlines()
    assert "c 5 to 8: A2 is 1 to 4" in lines
    assert "1 0" in lines
    assert check("1... ..2. .3.. ...4").proper


def test_the_page_has_a_row_for_each_language(root: Path) -> None:
    page = (root / "docs" / "languages.md").read_text(encoding="utf-8")
    run = page.partition("## What the tests run")[2]
    for row in LANGUAGES.values():
        assert f"| `{row.name}` |" in page
        assert f"| `{row.name}` |" in run
        assert f"| `{row.ending}` |" in page


def test_the_page_has_a_row_for_each_program(root: Path) -> None:
    page = (root / "docs" / "languages.md").read_text(encoding="utf-8")
    for row in known_programs().values():
        if row.language:
            honoured = sorted(row.capabilities.honours - {"time_limit"})
            limits = ", ".join(f"`{limit}`" for limit in honoured) or "–"
            message = f"| `{row.language}` | `{row.command}` | {limits} |"
            assert f"| [`{row.name}`]({row.homepage}) {message}" in page


@pytest.mark.parametrize("language", ["smtlib", "asp", "minizinc", "xcsp3", "prolog", "gnu-prolog"])
def test_rules_of_a_model_share_no_further_variables(language: str) -> None:
    either = [
        rules.AnyOf(((rules.Killer(a, 3),), (rules.Killer(b, 4),)))
        for a, b in (((0, 1), (2, 3)), ((4, 5), (6, 7)))
    ]
    text = export(Board.empty(layout("classic", 4).with_rules(*either)), language)
    declared = re.findall(
        r"declare-fun b(\d+)|\{ b\((\d+)\.\.|var bool: b(\d+)|var id=.b(\d+)|"
        r"Bool(\d+) in 0|bool\(Bool(\d+)",
        text,
    )
    assert len(declared) == len({*declared}) > 1
