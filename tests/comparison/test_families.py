"""A comparison groups boards that differ in the positions of their rules only."""

from __future__ import annotations

from unidoku import Layout, layout
from unidoku.comparison import Case, Results
from unidoku.comparison.report.html.data import embedded
from unidoku.comparison.verdict import judge
from unidoku.core.board import Board
from unidoku.core.rules import Killer, Rule, Thermo
from unidoku.formats.toml.table import with_rules


def layouts(*rules: tuple[Rule, ...], first_value: int = 1) -> list[dict[str, object]]:
    """Return the layouts of a page about one board for each of some tuples of rules."""
    results = Results(plan={})
    for number, some in enumerate(rules):
        square = layout("latin", 4)
        item = Layout(4, square.units, square.positions, (), "latin", first_value)
        board = Board.empty(with_rules(item, some))
        results.add_case(Case(board=board, name=f"{number}", source="made"))
    data = embedded(results, judge(results.cases, []), [], None)
    assert data["cases"]["length"] == len(rules)
    texts: list[dict[str, object]] = data["cases"]["layouts"]
    return texts


def test_boards_of_one_base_and_the_same_kinds_of_rules_are_one_layout_of_a_page() -> None:
    """Thousands of killers are one table of cells, and one choice of a reader."""
    cages = [(Killer((cell, cell + 1), 5),) for cell in range(12)]
    (first,) = layouts(*cages)
    assert first["label"] == "latin with killer, n = 4"
    both = (Thermo((0, 1)), Killer((2, 3), 5))
    assert [first["label"] for first in layouts((), both, both[::-1], cages[0])] == [
        "latin, n = 4",
        "latin with killer and thermo, n = 4",
        "latin with killer, n = 4",
    ]


def test_values_from_0_are_shown_as_such_on_a_page() -> None:
    (first,) = layouts((Killer((0, 1), 3),), first_value=0)
    assert first["first_value"] == 0
