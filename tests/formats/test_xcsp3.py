"""Instances of XCSP3: a constraint has the solutions of its definition; another solver agrees."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable
from itertools import pairwise, product
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given, settings

import unidoku
from tests.backends.languages.test_languages import jar
from tests.helpers.family_boards import kakuros, keens, nonograms
from tests.helpers.programs import needs
from tests.helpers.volume import SOAK, volume
from unidoku import Board, FormatError, layout
from unidoku.backends.languages import export
from unidoku.cli import main
from unidoku.formats.xcsp3.format import read

SUDOKU = """<?xml version="1.0" encoding="UTF-8"?>
<instance format="XCSP3" type="CSP">
  <variables>
    <array id="x" size="[4][4]" note="the grid"> 1..4 </array>
  </variables>
  <constraints>
    <allDifferent> <matrix> x[][] </matrix> </allDifferent>
    <group class="boxes">
      <allDifferent> %... </allDifferent>
      <args> x[0..1][0..1] </args>
      <args> x[0..1][2..3] </args>
      <args> x[2..3][0..1] </args>
      <args> x[2..3][2..3] </args>
    </group>
    <instantiation>
      <list> x[0][0] x[1][2] x[2][1] x[3][3] </list>
      <values> 1 2 3 4 </values>
    </instantiation>
  </constraints>
</instance>
"""

VARIABLES = """
<array id="x" size="[4]"> 0..3 </array>
<array id="y" size="[2]"> <domain for="y[0]"> -1..1 </domain> <domain for="others"> 1 3 </domain>
</array>
"""


def instance(constraints: str, variables: str = VARIABLES) -> str:
    """Return an instance: by default of x[0] to x[3] and y[0] to y[1]."""
    return (
        f'<instance format="XCSP3" type="CSP">\n<variables>{variables}</variables>\n'
        f"<constraints>\n{constraints}\n</constraints>\n</instance>"
    )


def board_of(text: str) -> Board:
    (puzzle,) = read(text)
    return puzzle.board


def number_of_solutions(text: str) -> int:
    return unidoku.count(board_of(text), limit=None).count


DOMAINS = [range(4)] * 4 + [range(-1, 2), (1, 3)]

Values: TypeAlias = tuple[int, ...]

CASES: list[tuple[str, Callable[[Values], object]]] = [
    ("", lambda v: True),
    ("<allDifferent> x[] </allDifferent>", lambda v: len({*v[:4]}) == 4),
    (
        "<allDifferent> <list> x[] y[1] </list> <except> 0 1 </except> </allDifferent>",
        lambda v: all(a in (0, 1) or [*v[:4], v[5]].count(a) == 1 for a in [*v[:4], v[5]]),
    ),
    (
        "<allDifferent> x[0] add(x[1],1) add(x[2],2) add(x[3],3) </allDifferent>",
        lambda v: len({v[0], v[1] + 1, v[2] + 2, v[3] + 3}) == 4,
    ),
    (
        "<allDifferent> <list> x[0..1] </list> <list> x[2] y[1] </list> </allDifferent>",
        lambda v: (v[0], v[1]) != (v[2], v[5]),
    ),
    ("<allDifferent> x[] y[] </allDifferent>", lambda v: len({*v}) == 6),
    ("<allEqual> x[0] x[2] y[1] </allEqual>", lambda v: v[0] == v[2] == v[5]),
    (
        "<sum> <list> x[] </list> <condition> (eq,7) </condition> </sum>",
        lambda v: sum(v[:4]) == 7,
    ),
    (
        "<sum> <list> x[] y[] </list> <coeffs> 2 -1x3 3 1 </coeffs>"
        "<condition> (lt,-2) </condition> </sum>",
        lambda v: 2 * v[0] - v[1] - v[2] - v[3] + 3 * v[4] + v[5] < -2,
    ),
    (
        "<sum> <list> x[0..2] </list> <condition> (ne,x[3]) </condition> </sum>",
        lambda v: sum(v[:3]) != v[3],
    ),
    (
        "<sum> <list> x[0..2] </list> <coeffs> 1 y[0] 2 </coeffs>"
        "<condition> (in,3..5) </condition> </sum>",
        lambda v: 3 <= v[0] + v[1] * v[4] + 2 * v[2] <= 5,
    ),
    (
        "<sum> <list> x[] </list> <condition> (in,{2,11}) </condition> </sum>",
        lambda v: sum(v[:4]) in (2, 11),
    ),
    (
        "<sum> <list> eq(x[0],1) eq(x[1],2) lt(x[2],x[3]) </list>"
        "<condition> (ge,2) </condition> </sum>",
        lambda v: (v[0] == 1) + (v[1] == 2) + (v[2] < v[3]) >= 2,
    ),
    ("<intension> eq(x[0],add(x[1],x[2])) </intension>", lambda v: v[0] == v[1] + v[2]),
    ("<intension> gt(mul(x[0],x[1]),x[2]) </intension>", lambda v: v[0] * v[1] > v[2]),
    ("<intension> eq(dist(x[0],x[1]),2) </intension>", lambda v: abs(v[0] - v[1]) == 2),
    ("<intension> eq(mod(x[0],2),y[0]) </intension>", lambda v: v[0] % 2 == v[4]),
    (
        "<intension> imp(lt(x[0],2),and(eq(x[1],0),ne(x[2],x[3]))) </intension>",
        lambda v: v[0] >= 2 or (v[1] == 0 and v[2] != v[3]),
    ),
    (
        "<intension> or(eq(x[0],1),ne(x[1],2),eq(x[2],3),not(lt(x[3],2))) </intension>",
        lambda v: v[0] == 1 or v[1] != 2 or v[2] == 3 or v[3] >= 2,
    ),
    (
        "<intension> iff(in(x[0],set(1,3)),notin(x[1],set(0))) </intension>",
        lambda v: (v[0] in (1, 3)) == (v[1] != 0),
    ),
    (
        "<intension> eq(if(gt(x[0],1),x[1],x[2]),max(x[3],min(2,x[0]))) </intension>",
        lambda v: (v[1] if v[0] > 1 else v[2]) == max(v[3], min(2, v[0])),
    ),
    (
        "<intension> xor(eq(x[0],0),eq(x[1],0),eq(x[2],0)) </intension>",
        lambda v: sum(a == 0 for a in v[:3]) % 2,
    ),
    ("<intension> eq(sqr(y[0]),pow(x[0],2)) </intension>", lambda v: v[4] ** 2 == v[0] ** 2),
    ("<intension> le(div(x[0],2),abs(y[0])) </intension>", lambda v: v[0] // 2 <= abs(v[4])),
    (
        "<extension> <list> x[0] y[0] </list> <supports> (1,-1)(2,0)(3,1)(7,0) </supports>"
        "</extension>",
        lambda v: (v[0], v[4]) in ((1, -1), (2, 0), (3, 1)),
    ),
    (
        "<extension> <list> x[0..2] </list> <conflicts> (0,0,0)(1,2,3) </conflicts> </extension>",
        lambda v: tuple(v[:3]) not in ((0, 0, 0), (1, 2, 3)),
    ),
    (
        "<extension> <list> x[0..2] </list> <supports> (0,*,1)(1,2,*)(0,3,1) </supports>"
        "</extension>",
        lambda v: (v[0] == 0 and v[2] == 1) or v[:2] == (1, 2),
    ),
    (
        "<extension> <list> x[0] </list> <supports> 0 2..3 </supports> </extension>",
        lambda v: v[0] != 1,
    ),
    (
        "<extension> <list> x[1] </list> <conflicts> 0 2 </conflicts> </extension>",
        lambda v: v[1] not in (0, 2),
    ),
    (
        "<regular> <list> x[] </list> <transitions> (a,0,a)(a,1,b)(b,1,b)(b,0,c)(c,0,c)"
        "</transitions> <start> a </start> <final> b c </final> </regular>",
        lambda v: re.fullmatch("0*1+0*", "".join(map(str, v[:4]))),
    ),
    (
        "<mdd> <list> x[0..1] </list> <transitions> (r,0,a)(r,1,b)(a,2,t)(b,3,t)(b,0,t)"
        "</transitions> </mdd>",
        lambda v: v[:2] in ((0, 2), (1, 3), (1, 0)),
    ),
    (
        "<count> <list> x[] </list> <values> 1 2 </values> <condition> (eq,y[1]) </condition>"
        "</count>",
        lambda v: sum(a in (1, 2) for a in v[:4]) == v[5],
    ),
    (
        "<count> <list> x[] </list> <values> y[1] </values> <condition> (ge,2) </condition>"
        "</count>",
        lambda v: sum(a == v[5] for a in v[:4]) >= 2,
    ),
    (
        "<nValues> <list> x[] </list> <condition> (le,2) </condition> </nValues>",
        lambda v: len({*v[:4]}) <= 2,
    ),
    (
        "<nValues> <list> x[] </list> <except> 0 </except> <condition> (eq,y[1]) </condition>"
        "</nValues>",
        lambda v: len({*v[:4]} - {0}) == v[5],
    ),
    (
        '<cardinality> <list> x[] </list> <values closed="true"> 0 1 3 </values>'
        "<occurs> 0..2 1 y[1] </occurs> </cardinality>",
        lambda v: (
            v[:4].count(0) <= 2
            and v[:4].count(1) == 1
            and v[:4].count(3) == v[5]
            and 2 not in v[:4]
        ),
    ),
    (
        "<minimum> <list> x[] </list> <condition> (eq,y[1]) </condition> </minimum>",
        lambda v: min(v[:4]) == v[5],
    ),
    (
        "<maximum> <list> x[0] add(x[1],1) x[2] </list> <condition> (lt,x[3]) </condition>"
        "</maximum>",
        lambda v: max(v[0], v[1] + 1, v[2]) < v[3],
    ),
    (
        "<element> <list> x[0..2] </list> <index> x[3] </index> <value> y[1] </value> </element>",
        lambda v: v[3] < 3 and v[v[3]] == v[5],
    ),
    (
        '<element> <list startIndex="1"> 3 x[0] 1 </list> <index> x[3] </index>'
        "<condition> (gt,x[1]) </condition> </element>",
        lambda v: 1 <= v[3] <= 3 and (3, v[0], 1)[v[3] - 1] > v[1],
    ),
    (
        "<element> <matrix> (0,1)(2,3) </matrix> <index> x[0] x[1] </index> <value> x[2] </value>"
        "</element>",
        lambda v: v[0] < 2 and v[1] < 2 and 2 * v[0] + v[1] == v[2],
    ),
    (
        "<element> <list> x[] </list> <value> y[1] </value> </element>",
        lambda v: v[5] in v[:4],
    ),
    (
        "<ordered> <list> x[] </list> <operator> lt </operator> </ordered>",
        lambda v: all(a < b for a, b in pairwise(v[:4])),
    ),
    (
        "<ordered> <list> x[0..2] </list> <lengths> 1 y[0] </lengths> <operator> ge </operator>"
        "</ordered>",
        lambda v: v[0] + 1 >= v[1] and v[1] + v[4] >= v[2],
    ),
    (
        "<lex> <list> x[0..1] </list> <list> x[2..3] </list> <operator> le </operator> </lex>",
        lambda v: v[:2] <= v[2:4],
    ),
    (
        "<lex> <matrix> (x[0],x[1])(x[2],x[3]) </matrix> <operator> gt </operator> </lex>",
        lambda v: v[:2] > v[2:4] and v[0:3:2] > v[1:4:2],
    ),
    (
        "<channel> x[] </channel>",
        lambda v: all(v[v[a]] == a for a in range(4)),
    ),
    (
        '<channel> <list> y[1] x[0] </list> <list startIndex="0"> x[0..3] </list> </channel>',
        lambda v: v[v[5]] == 0 and v[v[0]] == 1,
    ),
    (
        "<instantiation> <list> x[] </list> <values> 3 * 0 1 </values> </instantiation>",
        lambda v: (v[0], v[2], v[3]) == (3, 0, 1),
    ),
    (
        "<clause> not(x[0]) x[1] x[2] </clause>",
        lambda v: v[0] == 0 or v[1] == 1 or v[2] == 1,
    ),
    (
        "<precedence> <list> x[] </list> <values> 1 0 3 </values> </precedence>",
        lambda v: [a for a in dict.fromkeys(v[:4]) if a != 2] == [1, 0, 3][: len({*v[:4]} - {2})],
    ),
    (
        '<slide circular="true"> <list> x[] </list> <intension> ne(%0,%1) </intension> </slide>',
        lambda v: all(v[a] != v[(a + 1) % 4] for a in range(4)),
    ),
    (
        '<slide> <list offset="2" collect="2"> x[] </list> <intension> ne(%0,%1) </intension>'
        "</slide>",
        lambda v: v[0] != v[1] and v[2] != v[3],
    ),
    (
        "<block> <group> <intension> le(%0,%1) </intension> <args> x[0] x[1] </args>"
        "<args> x[2..3] </args> </group> </block>",
        lambda v: v[0] <= v[1] and v[2] <= v[3],
    ),
]
"""A constraint and its definition, of the values of x and then of y."""


EVERY = "<sum> <list> x[] y[] </list> <condition> (ge,1) </condition> </sum>"
"""A constraint on all variables, because those in none are left out."""


def defined(holds: Callable[[Values], object]) -> int:
    """Return how many values fulfil a definition, and the constraint on all variables."""
    return sum(bool(sum(values) >= 1 and holds(values)) for values in product(*DOMAINS))


@pytest.mark.parametrize("number", range(len(CASES)))
def test_a_constraint_has_the_solutions_of_its_definition(number: int) -> None:
    constraint, holds = CASES[number]
    assert number_of_solutions(instance(constraint + EVERY)) == defined(holds)


def by_ace(file: Path, text: str) -> int:
    """Return the number of solutions that ACE finds."""
    file.write_text(text)
    command = ["java", "-jar", str(jar("ace")), str(file), "-s=all"]
    out = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    out = re.sub(r"\x1b\[\d+m", "", out)
    if "s UNSATISFIABLE" in out:
        return 0
    match = re.search(r"FOUND SOLUTIONS\s+([\d,]+)", out)
    assert match, out
    return int(match[1].replace(",", ""))


NOT_OF_ACE = {0, 10, 14, 16, 35, 38, 39, 41, 43, 47, 48, 49}
"""Cases that ACE 2.6 refuses, and one (a member of a list) that it counts otherwise."""


@needs("java")
@pytest.mark.thorough  # in ``make test`` such a solver reads what `languages` writes
@pytest.mark.volume
def test_a_solver_of_competitions_finds_as_many_solutions(tmp_path: Path) -> None:
    known = [text for number, (text, _) in enumerate(CASES) if number not in NOT_OF_ACE]
    chosen = random.Random(SOAK).sample(known, min(len(known), volume(6)))
    for text in (SUDOKU, *(instance(constraint + EVERY) for constraint in chosen)):
        assert by_ace(tmp_path / "board.xml", text) == number_of_solutions(text), text


def test_a_latin_square_with_boxes_is_the_layout_of_sudoku() -> None:
    board = board_of(SUDOKU)
    assert board == Board.parse("1... ..2. .3.. ...4")
    assert board.layout is layout("classic", 4)


@pytest.mark.parametrize(
    "text", ["1... ..2. .3.. ...4", "1... ..2. .3.. ....", "11.. .... .... ...."]
)
def test_what_is_exported_is_read_back(text: str) -> None:
    board = Board.parse(text)
    back = board_of(export(board, "xcsp3"))
    assert back.layout.base == board.layout.base
    assert unidoku.count(back, limit=None).count == unidoku.count(board, limit=None).count


@settings(max_examples=volume(15), deadline=None)
@given(kakuros() | nonograms() | keens())
def test_exported_boards_with_rules_have_as_many_solutions(board: Board) -> None:
    text = export(board, "xcsp3")
    back = board_of(text)
    counts = [unidoku.count(each, limit=3).count for each in (back, board)]
    if '<var id="b' in text:  # one solution may have several values of such variables
        counts = [min(count, 1) for count in counts]
    assert counts[0] == counts[1]


def test_variables_are_cells_in_blocks() -> None:
    (puzzle,) = read(
        instance(
            "<intension> eq(x[1][2],add(k,1)) </intension>",
            '<array id="x" size="[2][3]"> 5..7 </array> <var id="k"> 1..9 </var>'
            '<var id="v1"> 2 </var> <var id="v2" as="k"/>',
        )
    )
    board = puzzle.board
    assert (board.layout.first_value, board.layout.n) == (1, 9)
    assert board.layout.positions == ((1, 2), (2, 0), (3, 0), (3, 1))  # with one of the array
    assert puzzle.losses.reading == (
        "x[][] is in rows 1 to 2; k is in row 3; v1 to v2 are in row 4",
        "variables of arrays in no constraint are left out: 5",
    )
    assert board.givens == (0, 0, 2, 0)


def test_long_texts_are_read_in_one_piece() -> None:
    """The parser passes on a text of more than 8 KiB in parts."""
    domain = '<array id="x" size="[3]"> 10..40 </array>'
    rows = [(a, b, a + 20) for a in range(10, 21) for b in range(10, 41) for _ in range(6)]
    text = "".join(f"({a},{b},{c})" for a, b, c in rows)
    table = f"<extension> <list> x[] </list> <supports> {text} </supports> </extension>"
    assert number_of_solutions(instance(table, domain)) == 11 * 31
    domain = '<array id="x" size="[8]"> 0..1 </array>'
    steps = "".join(f"(state{position},1,state{position + 1})" for position in range(3000))
    chain = (
        f"<regular> <list> x[] </list> <transitions> {steps} </transitions> "
        "<start> state0 </start> <final> state8 </final> </regular>"
    )
    assert number_of_solutions(instance(chain, domain)) == 1


def test_parts_of_an_array_have_domains_of_their_own() -> None:
    board = board_of(
        instance(
            "<sum> <list> x[] </list> <condition> (ge,0) </condition> </sum>",
            '<array id="x" size="[6]"> <domain for="x[0] x[4]"> 2 </domain>'
            '<domain for="x[1..3]"> 1..3 </domain> </array>',
        )
    )
    assert board.layout.positions == ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4))  # x[5] has none
    assert board.candidates == (2, 7, 7, 7, 2)


def test_what_no_variable_can_fulfil_is_not_left_out_with_the_variables() -> None:
    assert number_of_solutions(instance("<allDifferent> x[1] x[1] </allDifferent>")) == 0


def test_values_below_zero_are_shown_from_zero() -> None:
    (puzzle,) = read(instance("<intension> eq(y[0],-1) </intension>" + EVERY))
    assert puzzle.losses.reading[1:] == ("values are shown +1: -1 as 0",)
    assert puzzle.board.layout.first_value == 0
    assert puzzle.board.givens[4] == 1


WRONG = [
    ("<instance>", "XCSP3: expected XML: no element found"),
    ("<!DOCTYPE instance><instance/>", "line 1: XCSP3: expected XML without a document type"),
    ("<model/>", 'expected <instance format="XCSP3" type="CSP">'),
    ('<instance format="XCSP3"/>', "expected <variables>, got none"),
    (instance("", "<var id='x'> 0..62 </var>"), "domain of 'x': expected at most 62 values"),
    (instance("", "<var id='x'> 0..999999999 </var>"), "expected at most 62 values"),
    (instance("", "<var id='x'> 0 </var> <var id='y'> 70 </var>"), "got 0 to 70"),
    (instance("", "<var id='x'> </var>"), "expected a domain such as 1..9, got none"),
    (instance("", "<var id='x'> a </var>"), "expected whole numbers and ranges such as 1..9"),
    (instance("", "<var id='x' type='symbolic'> a b </var>"), "got 'x' of type 'symbolic'"),
    (instance("", "<var id='x'> 1 </var> <var id='x'> 1 </var>"), "expected a new name"),
    (instance("", "<array id='x' size='[99999][99999]'> 1 </array>"), "at most 10,000 variables"),
    (instance("", "<array id='x' size='[0]'> 1 </array>"), "expected a size such as [9][9]"),
    (instance("", "<var id='x' as='z'/>"), "expected a variable above of this size, got as='z'"),
    (instance("<circuit> x[] </circuit>"), "line 8: XCSP3: constraint <circuit> is not supported"),
    (instance("<sum> x[] </sum>"), "expected <condition> in <sum>, got none"),
    (instance("<allDifferent> x[7] </allDifferent>"), "expected indices from 0 to 3, got 'x[7]'"),
    (instance("<allDifferent> z </allDifferent>"), "got 'z', which is not declared"),
    (
        instance('<allDifferent reifiedBy="y[1]"> x[] </allDifferent>'),
        '<allDifferent> with reifiedBy="y[1]" is not supported',
    ),
    (instance("<intension> eq(x[0] </intension>"), "expected ) after the arguments of eq"),
    (instance("<intension> sin(x[0]) </intension>"), "operator 'sin' is not supported"),
    (instance("<intension> eq(x[0],1) 2 </intension>"), "expected one expression, got '2'"),
    (instance("<intension> sub(x[0]) </intension>"), "expected 2 arguments of sub, got 1"),
    (instance(f"<intension> {'neg(' * 70} </intension>"), "nested up to 60 deep"),
    (
        instance("<extension> <list> x[0..1] </list> <supports> (1,2,3) </supports> </extension>"),
        "expected tuples of 2 values, got one of 3",
    ),
    (
        instance("<sum> <list> x[] </list> <condition> (about,3) </condition> </sum>"),
        "expected a condition such as (le,5), got '(about,3)'",
    ),
    (
        instance("<group> <intension> eq(%0,%1) </intension> <args> x[0] </args> </group>"),
        "expected an argument for %1, got too few",
    ),
    (
        instance("").replace(
            "</instance>", "<objectives> <minimize> x[0] </minimize> </objectives></instance>"
        ),
        "objectives are not supported: a board has none",
    ),
    (
        instance(
            "<intension> eq(mul(v0,v1,v2,v3),mul(v4,v5)) </intension>",
            "".join(f'<var id="v{position}"> 0..60 </var>' for position in range(6)),
        ),
        "expected an expression of at most 300,000 assignments, got 51,520,374,361",
    ),
    ("<a>" * 50, "nested up to 40 deep"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=range(len(WRONG)))
def test_what_cannot_be_said_is_refused_and_named(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        [*read(text)]
    assert message in str(caught.value)


def test_expressions_without_a_value_are_false() -> None:
    text = instance("<intension> eq(div(x[1],x[0]),0) </intension>" + EVERY)
    expected = defined(lambda v: v[0] and v[1] // v[0] == 0)
    assert number_of_solutions(text) == expected
    huge = instance("<intension> gt(pow(mul(x[0],99999),mul(x[1],50)),0) </intension>" + EVERY)
    assert number_of_solutions(huge) == defined(lambda v: v[1] == 0)


def test_files_of_instances_are_recognised_and_solved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "board.xml"
    file.write_text(SUDOKU)
    assert main(["solve", str(file)]) == 0
    assert "1243342143122134" in re.sub(r"[^\d]", "", capsys.readouterr().out)
    file.write_text(instance("<circuit> x[] </circuit>"))
    assert main(["solve", str(file)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "board.xml, line 8: XCSP3: constraint <circuit> is not supported" in line
