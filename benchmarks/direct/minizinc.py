"""MiniZinc without Unidoku: as fast as it goes, and as it is taught."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from unidoku import Board, Layout
from unidoku.core.bits import values_of
from unidoku.core.rules import NonConsecutive

MODEL = """
include "{file}.mzn";
int: n;
int: cells;
array[int] of set of 1..cells: units;
array[int, 1..2] of 1..cells: apart;
array[1..cells] of set of int: candidates;
array[1..cells] of var {values}: x;
constraint forall(unit in units)({file}([x[cell] | cell in unit]) {annotation});
constraint forall(pair in index_set_1of2(apart))(abs(x[apart[pair, 1]] - x[apart[pair, 2]]) != 1);
constraint forall(cell in 1..cells)({given});
solve satisfy;
"""


def _set(values: tuple[int, ...]) -> str:
    return f"{{{','.join(map(str, values))}}}"


def _data(layout: Layout, candidates: str) -> str:
    units = ",".join(_set(tuple(cell + 1 for cell in unit.cells)) for unit in layout.maximal_units)
    rules = [rule for rule in layout.rules if isinstance(rule, NonConsecutive)]
    apart = [cell + 1 for rule in rules for pair in rule.pairs for cell in pair]
    return (
        f"n = {layout.n}; cells = {len(layout)}; units = [{units}]; candidates = [{candidates}];"
        f"apart = array2d(1..{len(apart) // 2}, 1..2, {apart});"
    )


def _minizinc(layout: Layout, candidates: str, *arguments: str, **parts: str) -> str:
    with TemporaryDirectory() as folder:
        model, data = Path(folder, "model.mzn"), Path(folder, "data.dzn")
        model.write_text(MODEL.format(**parts))
        data.write_text(_data(layout, candidates))
        command = ["minizinc", "--solver", "gecode", *arguments, str(model), str(data)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def best(layout: Layout) -> Callable[[Board], int]:
    """Compile once, with the name of all_different that reaches Gecode; run Gecode for each board.

    The board is written into the FlatZinc, which Gecode reads from its standard input.
    """
    flat = _minizinc(
        layout,
        ",".join([_set(tuple(range(1, layout.n + 1)))] * len(layout)),
        *("-c", "--no-output-ozn", "--output-to-stdout"),
        file="all_different_int",
        annotation=":: domain_propagation",
        values="1..n + 1",
        given="true",
    )
    pieces = re.split(rf"^var 1\.\.{layout.n + 1}:", flat, flags=re.MULTILINE)
    assert len(pieces) == 1 + len(layout), "the variables are the cells, in order"
    domains: dict[int, str] = {}

    def domain(mask: int) -> str:
        if mask not in domains:
            values = values_of(mask)
            domains[mask] = f"{values[0]}..{values[0]}" if len(values) == 1 else _set(values)
        return domains[mask]

    def count(board: Board) -> int:
        written = [
            f"var {domain(mask)}:{piece}"
            for mask, piece in zip(board.candidates, pieces[1:], strict=True)
        ]
        said = subprocess.run(
            ["fzn-gecode", "-n", "2", "-"],
            input=(pieces[0] + "".join(written)).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        return len(re.findall(rb"^-----", said.stdout, re.MULTILINE))

    return count


def naive(board: Board) -> int:
    """Give the model of the tutorials, and the board as data, to MiniZinc for each board."""
    candidates = ",".join(_set(values_of(mask)) for mask in board.candidates)
    said = _minizinc(
        board.layout,
        candidates,
        *("-n", "2"),
        file="alldifferent",
        annotation="",
        values="1..n",
        given="x[cell] in candidates[cell]",
    )
    return said.count("----------")
