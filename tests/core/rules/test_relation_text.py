"""A relation in one line of text is parsed, and nothing else in it is known."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

import unidoku
from unidoku import Board, Layout, LayoutError, Pairs
from unidoku.core.rules.relation_text import relation_of
from unidoku.formats.toml.file import read_toml

LINES: dict[str, Callable[[int, int], object]] = {
    "a, b: abs(a - b) >= 3": lambda a, b: abs(a - b) >= 3,
    "x,y: x in (1, 3) or y % x == 0": lambda x, y: x in (1, 3) or y % x == 0,
    "a, b: a < b < 2 * a + 1": lambda a, b: a < b < 2 * a + 1,
    "a, b: not (a + b) % 2 and min(a, b) > 1": lambda a, b: not (a + b) % 2 and min(a, b) > 1,
    "p, q: (p if p > q else -q) != p // q": lambda p, q: (p if p > q else -q) != p // q,
    "a, b: gcd(a, b) == 1": lambda a, b: all(a % d or b % d for d in range(2, 10)),
}

WRONG = (
    "a, b: a ** b",
    "a, b: __import__('os').getcwd()",
    "a, b: a.real > b",
    "a, b: (lambda: a)()",
    "a, b: [a for a in b]",
    "a, b: open('x')",
    "a, b: a / b",
    "a, b: c > a",
    "a, b: 10 ** 9",
    "a, b: 1000001 > a",
    "a, b: 999999 * 999999 > a",
    "a, b: (" + "a, " * 90 + ") * 1000000",  # which is not made: it would take a gigabyte
    "a, b: 'x' < a",
    "a, b: f'{a}'",
    "a, b: abs(a, b)",
    "a, b: (c := a)",
    "a, b: a + ",
    "a, a: a > 1",
    "a: a > 1",
    "a, b",
    "a, b: " + "(" * 400 + "a" + ")" * 400,
)


@pytest.mark.parametrize("text", LINES)
def test_a_text_means_what_python_says(text: str) -> None:
    relation = relation_of(text)
    for a, b in product(range(1, 10), repeat=2):
        assert relation(a, b) == bool(LINES[text](a, b)), (a, b)


@pytest.mark.parametrize("text", WRONG)
def test_what_is_not_a_relation_is_refused_by_its_text(text: str) -> None:
    with pytest.raises(LayoutError, match="expected"):
        relation_of(text)


def test_a_division_by_zero_relates_nothing() -> None:
    assert not relation_of("a, b: a % b < 5")(3, 0)


def test_a_rule_takes_a_text_in_python_and_in_files_once_for_many_lines() -> None:
    far = Pairs(((0, 1), (1, 2)), "a, b: abs(a - b) >= 3")
    row = Layout.from_units(4, [], shape=(1, 3), rules=[far])
    assert unidoku.count(Board.empty(row)).count == 2
    (puzzle,) = read_toml(FILE)
    first, second, other = puzzle.board.layout.rules
    assert isinstance(first, Pairs)
    assert isinstance(second, Pairs)
    assert (first.pairs, first.name, first.colour) == (((0, 1), (1, 2)), "far", "magenta")
    assert (second.related, second.name) == (first.related, "far")
    written = unidoku.write(puzzle, "toml").text
    assert written.count("abs(a - b) >= 3") == 1
    (back,) = read_toml(written)
    assert back.board == puzzle.board
    assert other.words(puzzle.board.layout.names).endswith("x, y: (x + y) % 3 == 0")
    link = unidoku.write(puzzle, "scl").text
    assert (
        "Along a magenta line, from its dot: any digit a and the next b: abs(a - b) >= 3." in link
    )


FILE = """
version = 1
size = 4
givens = "1... .... .... ...."
rules = [
    { kind = "far", line = "A1-A3" },
    { kind = "far", line = "D1-D3" },
    { kind = "pairs", pairs = ["B1 B2"], related = "x, y: (x + y) % 3 == 0" },
]

[define.far]
kind = "pairs"
related = "a, b: abs(a - b) >= 3"
colour = "magenta"
"""


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (
            'kind = "pairs"\n',
            'kind = "par"\n',
            "define far: kind: expected a kind of rule",
        ),
        ("[define.far]", "[define.killer]", "define killer: expected another name"),
        ('kind = "far", line = "A1-A3"', 'kind = "farr", line = "A1-A3"', "'farr'"),
        ("magenta", "mauve", "colour: expected red, indigo, green, black or magenta, got 'mauve'"),
        ('line = "A1-A3"', 'line = "A1"', "expected at least 2 cells"),
        ('line = "A1-A3"', 'line = "A1-A3", pairs = ["A1 A2"]', "expected pairs or a line"),
        (">= 3", ">= c", "related: expected a relation of a, b"),
    ],
)
def test_what_is_wrong_in_a_definition_is_told_with_its_place(
    before: str, after: str, message: str
) -> None:
    with pytest.raises(unidoku.FormatError, match=message):
        list(read_toml(FILE.replace(before, after)))
