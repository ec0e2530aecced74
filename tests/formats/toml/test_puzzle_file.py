"""Puzzle files of our own: what is written comes back, what is wrong is told with its place."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unidoku
from unidoku import Board, FormatError, InputError, Layout, Unit, layout
from unidoku.core import rules
from unidoku.core.cells import neighbours
from unidoku.core.rules.pairs import PairRule
from unidoku.formats import Puzzle
from unidoku.formats.cosmetics import Cosmetic, Fog
from unidoku.formats.toml.file import read_json, read_toml, write_json, write_toml
from unidoku.testing.strategies import boards, named_layouts, ruled_layouts

LINES = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]))

NUMBERS = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    board = draw(boards() | boards(named_layouts()) | boards(ruled_layouts()))
    values = st.integers(1, board.layout.n)
    grid = st.tuples(*[values] * len(board.layout))
    return Puzzle(
        board,
        draw(LINES),
        1,
        author=draw(LINES),
        solution=draw(st.none() | grid),
        solutions=draw(st.none() | st.integers(0, 9)),
        numbers=draw(st.dictionaries(LINES, NUMBERS, max_size=3)),
    )


@given(puzzles())
def test_any_puzzle_comes_back_from_toml_and_from_json(puzzle: Puzzle) -> None:
    (again,) = read_toml(write_toml([puzzle]).text)
    assert again == puzzle
    assert again.board.digest == puzzle.board.digest
    assert list(read_json(write_json([puzzle]).text)) == [puzzle]


@given(st.lists(puzzles(), min_size=2, max_size=3))
def test_several_puzzles_come_back_from_one_file(several: list[Puzzle]) -> None:
    text = write_toml(several).text
    again = list(read_toml(text))
    assert [puzzle.board for puzzle in again] == [puzzle.board for puzzle in several]
    assert list(tomllib.loads(text)) == ["version", "puzzles"]
    read = read_json(write_json(several).text)
    assert [puzzle.board for puzzle in read] == [puzzle.board for puzzle in several]


def only(text: str) -> Puzzle:
    (puzzle,) = read_toml(f"version = 1\n{text}")
    return puzzle


def test_a_killer_is_read_as_a_person_writes_it() -> None:
    puzzle = only(
        """
        name = "cages"
        author = "Ada"
        givens = '''
        1 2 | . .
        . . | . .
        ----+----
        . . | . .
        . . | . .'''
        rules = [
            { kind = "killer", cage = "A3-A4", total = 7 },
            { kind = "killer", cage = ["r2c1", "B2 C2"] },
            { kind = "thermo", line = "column 1 bottom" },
            { kind = "non-consecutive", pairs = [["A1", "B1"], "C1 C2"] },
        ]
        """
    )
    square = layout("classic", 4)
    layout_rules = (
        rules.Killer((2, 3), 7),
        rules.Killer((4, 5, 9)),
        rules.Thermo((12, 8, 4, 0)),
        rules.NonConsecutive(((0, 4), (8, 9))),
    )
    result = Layout(4, square.units, square.positions, layout_rules)
    assert puzzle.board == Board.from_values(result, [1, 2, *[0] * 14])
    assert (puzzle.name, puzzle.author) == ("cages", "Ada")
    assert puzzle.board.layout.name == "classic with killer, non-consecutive and thermo"


def test_unmarked_pairs_are_those_side_by_side_that_no_rule_lists() -> None:
    puzzle = only(
        """
        variant = "latin"
        size = 2
        rules = [
            { kind = "ratio", pairs = "unmarked", never = true },
            { kind = "difference", pairs = ["A2 A1"] },
            { kind = "greater", pairs = [["A1", "B2"], "B1 B2"] },
            { kind = "pair-sum", pairs = "neighbours", total = 3 },
        ]
        """
    )
    layout_rules = puzzle.board.layout.rules
    assert layout_rules[0] == rules.Ratio(((0, 2), (1, 3)), never=True)
    assert [rule.kind for rule in layout_rules] == ["ratio", "difference", "greater", "pair-sum"]
    assert len(layout_rules[3].cells) == 4


def test_what_holds_between_cells_without_a_mark_is_written_so() -> None:
    square = layout("classic", 4)
    marks = rules.DiffersBy(((0, 1), (4, 5)))
    others = neighbours(square, marks.pairs)
    layout_rules = (marks, rules.DiffersBy(others, never=True), rules.Ratio(others, never=True))
    board = Board.empty(Layout(4, square.units, square.positions, layout_rules))
    text = write_toml([Puzzle(board, "", 1)]).text
    assert text.count('pairs = "unmarked"') == 2
    assert [puzzle.board for puzzle in read_toml(text)] == [board]


def test_a_variant_takes_further_units_and_its_size_from_the_givens() -> None:
    small = only('variant = "latin"\nunits = ["A1 B2"]\ngivens = "1..2....."').board.layout
    latin = layout("latin", 3)
    assert small.units == (*latin.units, Unit((0, 4)))
    assert only('variant = "x"\nsize = 9').board == Board.empty(layout("x", 9))
    assert only("size = 4").board == Board.empty(layout("classic", 4))


def test_a_jigsaw_has_its_map() -> None:
    text = "0001 0111 2223 2333"
    named = layout(f"jigsaw:{text}", 4)
    assert only(f'regions = "{text}"\nsize = 4').board.layout == named
    written = write_toml([Puzzle(Board.empty(named), "", 1)]).text
    assert 'variant = "jigsaw"\nsize = 4\nregions = """\n0001\n0111\n2223\n2333"""' in written
    diagonals = only(f'variant = "jigsaw+x"\nregions = "{text}"\nsize = 4').board.layout
    assert diagonals == layout(f"jigsaw:{text}+x", 4)


def test_a_layout_of_its_own_has_the_units_that_it_names() -> None:
    small = only('size = 3\nshape = [1, 4]\nunits = ["A1-A3"]').board.layout
    assert small == Layout.from_units(3, ["A1 A2 A3"], shape=(1, 4))
    words = only('size = 2\nunits = ["rows", "columns"]').board.layout
    assert words == layout("latin", 2)
    holes = only(
        'size = 3\npositions = "A1-A3 C1"\nunits = [{kind = "row", name = "top", cells = "A1-A3"}]'
        '\nregions = "aa.b"\ngivens = "1..2"'
    ).board
    assert holes.layout.positions == ((0, 0), (0, 1), (0, 2), (2, 0))
    assert holes.layout.units == (
        Unit((0, 1, 2), "row"), Unit((0, 1), "region"), Unit((3,), "region"),
    )  # fmt: skip
    assert list(map(str, holes.layout.units)) == ["top", "region a", "region b"]
    assert holes.givens == (1, 0, 0, 2)
    listed = only('size = 2\nunits = []\nregions = ["A1 B1", "A2"]').board.layout
    assert [unit.cells for unit in listed.units] == [(0, 2), (1,)]


def test_candidates_and_a_solution_are_read() -> None:
    puzzle = only(
        'size = 4\ncandidates = { A1 = [1, 2], "B1-B4" = [1, 2, 3, 4], D4 = [] }\n'
        'solution = "1234341221434321"\nsolutions = 7'
    )
    assert puzzle.board.values("A1") == (1, 2)
    assert puzzle.board.values("D4") == ()
    assert puzzle.solution == (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
    assert puzzle.solutions == 7


def test_json_has_the_keys_of_toml() -> None:
    table = {"size": 4, "rules": [{"kind": "thermo", "line": "A1-A4"}], "givens": "." * 16}
    (puzzle,) = read_json(json.dumps({"version": 1, "puzzles": [table]}))
    assert puzzle.board.layout.rules == (rules.Thermo((0, 1, 2, 3)),)


def test_each_puzzle_has_the_line_where_it_begins() -> None:
    text = "version = 1\n\n[[puzzles]]\nsize = 4\n\n  [[ puzzles ]]\nsize = 9\n"
    assert [puzzle.line for puzzle in read_toml(text)] == [3, 6]


def test_a_branch_is_a_rule_or_a_list_of_rules() -> None:
    text = """
    size = 4
    [[rules]]
    kind = "any-of"
    [[rules.branches]]
    kind = "killer"
    cage = "A1 A2"
    total = 3
    [[rules.branches]]
    kind = "thermo"
    line = "B1-B3"
    [[rules]]
    kind = "any-of"
    branches = [
        [
            { kind = "holds", held = "A1 A2", values = [1, 2] },
            { kind = "greater", pairs = ["B2 C2"] },
        ],
        { kind = "any-of", branches = [{ kind = "holds", held = "C3", values = [4] }] },
    ]
    """
    puzzle = only(text)
    first = rules.AnyOf(((rules.Killer((0, 1), 3),), (rules.Thermo((4, 5, 6)),)))
    inner = rules.AnyOf(((rules.Holds((10,), (4,)),),))
    second = rules.AnyOf(((rules.Holds((0, 1), (1, 2)), rules.Greater(((5, 9),))), (inner,)))
    assert puzzle.board.layout.rules == (first, second)
    (again,) = read_toml(write_toml([puzzle]).text)
    assert again.board == puzzle.board


RULE = "size = 4\nrules = [{ kind = 'thermo', line = 'A1-A4' }, %s]"

EITHER = RULE % "{ kind = 'any-of', branches = [%s] }"


HOLDS = "{ kind = 'holds', held = 'A1', values = [1] }"


def nested(levels: int, rule: str) -> str:
    """Return a rule in as many rules of rules."""
    return "{ kind = 'any-of', branches = [" * levels + rule + "] }" * levels


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sise = 4", "unknown field 'sise'; did you mean 'size'?"),
        ("size = '4'", "field 'size': expected a whole number from 1 to 2^8 - 1, got '4'"),
        ("name = 'nothing'", "expected givens or a size, got neither"),
        (
            "size = 4\nauthor = 'a\\u001bb'".replace("'", '"'),
            "field 'author': expected a text in one",
        ),
        ("size = 4\nvariant = 'clasic'", "variant: expected a variant, got 'clasic'; did you mean"),
        ("givens = '1...'\nvariant = 'clasic'", "variant: expected a variant, got 'clasic'; did"),
        ("size = 5", "variant: 5 cells make no box"),
        ("size = 4\ngivens = '1234'", "givens: line 1: expected the 16 cells"),
        ("givens = '12'", "givens: "),
        ("size = 4\nvariant = 'x'\nshape = [4, 4]", "expected a variant or shape, got both"),
        ("shape = [4, 4]", "expected a size beside shape, positions or units"),
        ("size = 4\nshape = [4]", "field 'shape': expected a list of rows and columns"),
        ("size = 4\nshape = [999, 999]", "shape: expected at most 100,000 cells"),
        ("size = 200", "expected a size from 1 to 144"),
        ("size = 4\nunits = ['A1-A9']", "unit 1: expected a cell from A1 to D4, got 'A9'"),
        ("size = 4\nunits = [{kind = 'row'}]", "unit 1: field 'cells': expected cells"),
        ("size = 2\nunits = ['A1 A2 B1']", "units: unit: 3 cells cannot differ with only 2"),
        ("size = 4\nregions = 3", "regions: expected a map with one symbol for each cell, got 3"),
        ("size = 4\nregions = '0011'", "variant: expected a region map of 16 symbols"),
        ("size = 4\nvariant = 'x'\nregions = '00'", "expected the variant 'jigsaw', got 'x'"),
        ("size = 2\nunits = []\nregions = 'abc'", "regions: expected a map of 4 symbols"),
        ("size = 2\nunits = []\npositions = 'A1-A3'", "positions: expected a cell from A1 to B2"),
        ("size = 4\ncandidates = { Z1 = [1] }", "candidates of Z1: expected a cell"),
        ("size = 4\ncandidates = { A1 = [5] }", "candidates of A1: expected a list of values from"),
        ("size = 4\nsolution = '1234'", "solution: line 1: expected the 16 cells"),
        (
            "size = 4\nsolution = '123434122143432.'",
            "expected a value in each cell, got none in D4",
        ),
        (RULE % "{}", "rule 2: kind: expected a kind of rule, got None"),
        (RULE % "{ kind = 'kiler' }", "got 'kiler'; did you mean 'killer'?"),
        (RULE % "{ kind = 'killer' }", "rule 2, killer: cage: expected cells, got nothing"),
        (RULE % "{ kind = 'killer', cage = 'A9' }", "rule 2, killer: cage: expected a cell from"),
        (
            RULE % "{ kind = 'killer', cage = 'A1 A2', sum = 3 }",
            "rule 2, killer: unknown key 'sum'; known: cage, total",
        ),
        (
            RULE % "{ kind = 'killer', cage = 'A1 A2', total = '3' }",
            "rule 2, killer: field 'total': expected a whole number from -2^200 to 2^200 - 1, got",
        ),
        (
            RULE % "{ kind = 'thermo', line = 'A1' }",
            "rule 2, thermo: line: expected at least 2 cells",
        ),
        (EITHER % "", "branches: expected at least one, got none"),
        (EITHER % "[]", "any-of: branch 1: expected rules, got ()"),
        (EITHER % "3", "rule 2, any-of: branches: expected rules, or lists of rules, got [3]"),
        (RULE % "{ kind = 'any-of' }", "field 'branches': expected a list of lists of tables"),
        (EITHER % "{ kind = 'x' }", "rule 2, any-of: branch 1: kind: expected a kind of rule"),
        (
            EITHER % "{ kind = 'killer', cage = 'A1' }, [{ kind = 'sum', summed = 'Z1' },"
            "{ kind = 'killer', cage = 'A1' }]",
            "rule 2, any-of: branch 2, rule 1, sum: summed: expected a cell from A1 to D4",
        ),
        (
            EITHER % "{ kind = 'ratio', pairs = 'unmarked' }",
            "branch 1, ratio: pairs: expected pairs of cells, got 'unmarked', which a branch",
        ),
        (
            f"size = 4\nrules = [{nested(30, HOLDS)}]",
            "rule 1, any-of: branches: expected rules, or lists of rules, got",
        ),
        (RULE % "{ kind = 'sum', summed = 'A1' }", "field 'total': expected a whole number"),
        (
            RULE % "{ kind = 'pairs', pairs = ['A1 A2'], related = [1, 99, 1, 1] }",
            "related: expected a set of values each",
        ),
    ],
)
def test_what_is_wrong_is_told_by_its_key(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=re.escape(message)) as caught:
        only(text)
    assert "\n" not in str(caught.value)
    with pytest.raises(FormatError, match=re.escape(message)) as caught:
        list(
            read_toml(
                f"version = 1\n[[puzzles]]\nname = 'p'\n{text}".replace("name = 'p'\nname", "name")
            )
        )
    assert str(caught.value).startswith("line 2: puzzle 1 (")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a puzzle file with version = 1, got none; begin it with that line"),
        ("version = 2", "expected a puzzle file with version = 1, got 2"),
        ("version = true", "expected a puzzle file with version = 1, got True"),
        ("version = 1\npuzzles = []", "expected a puzzle, got a file without any"),
        ("version = 1\nsize = 4\npuzzles = [{}]", "unknown field 'size'"),
        ("version = 1\npuzzles = [3]", "expected a list of tables"),
        ("version = ", "expected a puzzle file in TOML: Invalid value"),
    ],
)
def test_what_is_no_puzzle_file_is_told(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        list(read_toml(text))


def test_what_is_no_json_is_told() -> None:
    for text in ("{", "[" * 100_000, "NaN", "[]"):
        with pytest.raises(FormatError, match="expected a"):
            list(read_json(text))


def test_a_rule_of_your_own_class_cannot_be_written() -> None:
    class Own(rules.Thermo):
        kind = "own"

    small = Layout.from_units(4, [], rules=[Own((0, 1))])
    with pytest.raises(InputError, match="the rule 'own' has no written form"):
        write_toml([Puzzle(Board.empty(small), "", 1)])


def test_a_name_of_several_lines_cannot_be_written() -> None:
    board = Board.empty(layout("classic", 4))
    with pytest.raises(InputError, match="field 'name': expected a text in one line"):
        write_toml([Puzzle(board, "one\ntwo", 1)])


def test_a_relation_of_your_own_is_written_as_its_table() -> None:
    rule: rules.Rule = rules.Pairs(((0, 1),), lambda a, b: a < b, "rising")
    board = Board.empty(Layout.from_units(3, [], shape=(1, 2), rules=[rule]))
    text = write_toml([Puzzle(board, "", 1)]).text
    assert '{ kind = "pairs", pairs = ["A1 A2"], related = [6, 4, 0], name = "rising" }' in text
    contained: list[Any] = [puzzle.board for puzzle in read_toml(text)]
    assert contained == [board]


def test_numbers_are_read_and_written_as_they_are() -> None:
    puzzle = only('givens = "1... ..2. .3.. ...4"\nnumbers = { holes = 12, "share, %" = 7.5e1 }')
    assert puzzle.numbers == {"holes": 12, "share, %": 75.0}
    assert isinstance(puzzle.numbers["holes"], int)
    table = tomllib.loads(write_toml([puzzle]).text)
    assert table["numbers"] == {"holes": 12, "share, %": 75.0}
    assert "numbers" not in tomllib.loads(write_toml([Puzzle(puzzle.board, "", 1)]).text)


@pytest.mark.parametrize("numbers", ["3", "{ holes = 'many' }", "{ holes = inf }", "{ a = true }"])
def test_numbers_that_are_none_are_refused(numbers: str) -> None:
    wanted = "field 'numbers': expected a table of finite numbers, got"
    with pytest.raises(FormatError, match=wanted):
        only(f"size = 4\nnumbers = {numbers}")


COSMETICS = """
version = 1
size = 4
fog = { lights = "A1-A2", triggers = [{ when = "A2", lights = "row 2" }] }
cosmetics = [
    { shape = "line", at = "A1-A3 B3", colour = "#67f067", size = 0.2 },
    { shape = "text", at = "r0c1 r1.5c2", text = "7" },
]
"""


def test_cosmetics_and_fog_are_written_as_they_are_read() -> None:
    (puzzle,) = read_toml(COSMETICS)
    assert puzzle.fog == Fog(lights=(0, 1), triggers=(((1,), (4, 5, 6, 7)),))
    assert puzzle.cosmetics == (
        Cosmetic(shape="line", at=((1, 1), (1, 2), (1, 3), (2, 3)), colour="#67f067", size=0.2),
        Cosmetic(shape="text", at=((0, 1), (1.5, 2)), text="7"),
    )
    for form in ("toml", "json"):
        (back,) = unidoku.read(unidoku.write(puzzle, form).text)
        assert (back.cosmetics, back.fog) == (puzzle.cosmetics, puzzle.fog)
    (puzzle,) = read_toml('version = 1\nsize = 4\n[[cosmetics]]\nshape = "cells"\nat = "A1"')
    assert puzzle.cosmetics == (Cosmetic(shape="cells", at=((1, 1),)),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('cosmetics = [{ shape = "blob", at = "A1" }]', "cosmetic 1: shape: expected one of line"),
        ('cosmetics = [{ shape = "line", at = "A1" }]', "the places of a line, got one"),
        ('cosmetics = [{ shape = "cells", at = "Z9" }]', "cosmetic 1: at: "),
        ('cosmetics = [{ shape = "cells", at = 3 }]', "at: expected places such as"),
        ('cosmetics = [{ shape = "cells" }]', "at"),
        (
            'cosmetics = [{ shape = "cells", at = "A1", colour = "red" }]',
            "colour: expected a colour",
        ),
        ('cosmetics = [{ shape = "cells", at = "A1", size = 1e9 }]', "numbers up to 100"),
        ('cosmetics = [{ shape = "text", at = "A1" }]', "text: expected what is written"),
        ('cosmetics = [{ shape = "cells", at = "A1", wild = 1 }]', "wild"),
        ('fog = { light = "A1" }', "fog: "),
        ('fog = { triggers = [{ when = "A1" }] }', "fog: trigger 1"),
        ('fog = { lights = "E1" }', "fog: lights"),
    ],
)
def test_wrong_cosmetics_and_fog_are_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        [*read_toml(f"version = 1\nsize = 4\n{text}")]


@pytest.mark.parametrize(
    ("names", "kinds"),
    [
        ('["xv"]', [("pair-sum", 10), ("pair-sum", 5)]),
        ('["v"]', [("pair-sum", 5)]),
        ('["x", "white"]', [("pair-sum", 10), ("difference", 1)]),
        ('["kropki", "black"]', [("difference", 1), ("ratio", 2)]),
    ],
)
def test_one_key_says_which_marks_are_all_given(names: str, kinds: list[tuple[str, int]]) -> None:
    text = f"""version = 1
variant = "latin"
size = 4
negative = {names}
givens = "1... .... .... ...."
rules = [
    {{ kind = "pair-sum", pairs = ["A2 A3"], total = 5 }},
    {{ kind = "difference", pairs = ["B1 B2"] }},
]
"""
    (puzzle,) = unidoku.read(text, format="toml")
    *negative, _, _ = puzzle.board.layout.rules
    shown = [
        (rule.kind, getattr(rule, {"pair-sum": "total", "ratio": "times"}.get(rule.kind, "by")))
        for rule in negative
    ]
    assert shown == kinds
    for rule in negative:
        assert isinstance(rule, PairRule)
        assert len(rule.pairs) == 22
    written = unidoku.write(puzzle, "toml").text
    assert "never" not in written
    (again,) = unidoku.read(written, format="toml")
    assert again.board == puzzle.board


def test_marks_that_do_not_exist_are_refused() -> None:
    text = 'version = 1\nsize = 4\nnegative = ["dots"]\n'
    with pytest.raises(FormatError, match=r"negative: expected marks, got 'dots'"):
        unidoku.read(text, format="toml")
