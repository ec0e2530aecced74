"""The data of a page: the columns of all runs, packed so that the file can be sent by mail."""

from __future__ import annotations

import base64
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from unidoku.comparison.record import COLUMNS
from unidoku.comparison.report.findings import Findings
from unidoku.comparison.results import MEASURES, OUTCOMES, STOPS, Results
from unidoku.comparison.statistics.curves import known_numbers, number_of
from unidoku.comparison.statistics.pairs import LEAST_PERCENT
from unidoku.comparison.statistics.summary import SHIFT
from unidoku.comparison.verdict import Verdict
from unidoku.core.bits import all_values, is_single, values_of
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.text.symbols import alphabets
from unidoku.draw.board import layout_label, shaded

Json = dict[str, Any]

_ENDLESS = 1e9
"""Percentage that represents infinity, which JSON does not have."""

_MOST_CLASHES = 200
"""The most unsatisfiable boards whose clashes are determined; each takes a millisecond."""


def embedded(findings: Findings, verdict: Verdict) -> Json:
    """Return the data that the page's script reads, ready for JSON.

    Runs are sorted by case, backend, image and round, so that the rounds of a case are adjacent.
    Times are seconds in 32 bits: seven digits, more than any clock gives. The pairs consist of the
    reference and each of the others.
    """
    results, noise_floor = findings.results, findings.noise_floor
    order = np.lexsort([results.column(name) for name in ("round", "image", "backend", "case")])
    places = {case.id: index for index, case in enumerate(results.cases)}
    return {
        "backends": results.backends,
        "outcomes": [outcome.value for outcome in OUTCOMES],
        "stops": [stop.value for stop in STOPS],
        "measures": [measure.value for measure in MEASURES],
        "timeLimit": results.time_limit,
        "cases": _cases(results),
        "runs": _runs(results, order),
        "evidence": _evidence(results, order),
        "disagreements": [
            [places[d.case.id], list(d.backends), d.kind, d.evidence] for d in verdict.disagreements
        ],
        "matrix": [
            [refuted, witness, [places[case.id] for case in cases]]
            for (refuted, witness), cases in verdict.matrix.items()
        ],
        "undecided": [places[case.id] for case in verdict.undecided],
        "pairs": [
            [p.first, p.second, _finite(p.ratio, p.low, p.high), int(p.jointly_different)]
            for p in findings.pairs.values()
        ],
        "resolution": None if noise_floor is None else min(noise_floor.percent, _ENDLESS),
        "twin": results.plan.get("twin"),
        "shift": SHIFT,
        "least": LEAST_PERCENT,
    }


def viewed(findings: Findings) -> Json:
    """Return what the view of the reader adds to the data."""
    results, view = findings.results, findings.view
    added: Json = {"reference": view.reference, "scatter": view.scatter}
    if not len(results):
        return added
    if view.by is not None:
        group_of = np.zeros(len(results.cases), dtype=np.int64)
        for index, (_, part) in enumerate(findings.parts):
            group_of[part.columns] = index
        added["groups"] = {
            "by": view.by,
            "names": [name for name, _ in findings.parts],
            "of": _packed(group_of),
        }
    if view.x is not None:
        numbers = {
            name: np.array([number_of(case, name) for case in results.cases], dtype="<f4")
            for name in known_numbers(results.cases)
        }
        added["over"] = {
            "name": view.x,
            "numbers": {name: _packed(values) for name, values in numbers.items()},
        }
    return added


def _finite(*values: float) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in values]


def _runs(results: Results, order: NDArray[np.int64]) -> Json:
    """Return the columns that the fields of a record declare for a page."""
    columns: Json = {"length": len(results)}
    for column in COLUMNS:
        name = column.name.partition("_")[0]
        if column.page is None:
            continue
        values = results.column(column.name)[order]
        if column.page == "kibibytes":
            values >>= 10
        elif column.page == "some seconds":
            rows = np.flatnonzero(values >= 0)
            columns[f"{name}At"] = _packed(rows)
            values = values[rows]
        in_seconds = column.page in ("seconds", "some seconds")
        columns[name] = _packed((values / 1e9).astype("<f4") if in_seconds else values)
    columns["machine"] = _packed(results.column("machine")[order])
    return columns


def _packed(values: NDArray[Any]) -> Json:
    """Return a column in the smallest type that holds it, or its value if all values are equal."""
    if len(values) and (values == values[0]).all():
        return {"type": "same", "value": values[0].item(), "length": len(values)}
    if values.dtype.kind != "f":
        low, high = values.min(initial=0), values.max(initial=0)
        codes = ("u1", "i1", "u2", "i2", "u4", "i4")
        fitting = (
            code for code in codes if np.iinfo(code).min <= low and high <= np.iinfo(code).max
        )
        values = values.astype(f"<{next(fitting, 'f8')}")
    data = base64.b64encode(values.tobytes()).decode("ascii")
    return {"type": f"{values.dtype.kind}{values.dtype.itemsize}", "data": data}


def _cases(results: Results) -> Json:
    layouts: dict[_Family, int] = {}
    sources: dict[str, int] = {}
    layout_of = [layouts.setdefault(_family(c.board.layout), len(layouts)) for c in results.cases]
    source_of = [sources.setdefault(case.source, len(sources)) for case in results.cases]
    solutions = {
        str(k): c.solutions for k, c in enumerate(results.cases) if c.solutions is not None
    }
    return {
        "length": len(results.cases),
        "name": [case.name for case in results.cases],
        "board": [_board_text(case.board) for case in results.cases],
        "id": [case.id for case in results.cases],
        "layout": _packed(np.array(layout_of, dtype=np.int64)),
        "layouts": [_layout(base, label, first_value) for base, label, first_value in layouts],
        "source": _packed(np.array(source_of, dtype=np.int64)),
        "sources": list(sources),
        "solutions": solutions,
        "clashes": _clashes(results),
    }


_Family: TypeAlias = tuple[Layout, str, int]
"""The common parts of layouts that differ only in the cells of their rules."""


def _family(layout: Layout) -> _Family:
    return layout.base, layout_label(layout), layout.first_value


def _layout(layout: Layout, label: str, first_value: int) -> Json:
    areas: dict[frozenset[tuple[int, ...]], int] = {}
    area_of = []
    for units in layout.units_of:
        area = frozenset(unit.cells for unit in units if unit.kind in ("box", "region"))
        area_of.append(areas.setdefault(area, len(areas)))
    table: Json = {
        "label": label,
        "n": layout.n,
        "rows": layout.rows,
        "columns": layout.columns,
        "areas": area_of,
        "shade": sorted(shaded(layout)),
        "symbols": _symbols(layout.n),
    }
    if first_value != 1:
        table["first_value"] = first_value
    if len(layout) < layout.rows * layout.columns:
        table["positions"] = [list(position) for position in layout.positions]
    return table


def _symbols(n: int) -> str:
    alphabet = alphabets(n)
    return alphabet[0] if alphabet else ""


def _board_text(board: Board) -> str:
    """Return a board with one symbol for each cell, or one word if it has pencil marks.

    A dot is a cell with all candidates, a dash is a cell with none.
    """
    symbols = _symbols(board.layout.n)
    if symbols and not board.has_pencil_marks and 0 not in board.candidates:
        return "".join(map(("." + symbols).__getitem__, board.givens))
    everything = all_values(board.layout.n)

    def word(mask: int) -> str:
        if mask == everything and not is_single(mask):
            return "."
        if not mask:
            return "-"
        names = [symbols[value - 1] if symbols else str(value) for value in values_of(mask)]
        return ("" if symbols else ",").join(names)

    return " ".join(map(word, board.candidates))


def _clashes(results: Results) -> dict[str, list[int]]:
    """Return the clashing cells of the boards that a backend reports as unsatisfiable."""
    unsatisfiable = (results.column("count") == 0) & (results.column("stop") == 0)
    clashes = {}
    for case in np.unique(results.column("case")[unsatisfiable])[:_MOST_CLASHES]:
        board = results.cases[case].board
        cells = {cell for problem in board.problems() for cell in problem.cells}
        if cells:
            clashes[str(case)] = sorted(cells)
    return clashes


def _evidence(results: Results, order: NDArray[np.int64]) -> dict[str, str]:
    """Return the evidence of each failed run, by its index in the sorted columns."""
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return {str(rank[run]): "; ".join(texts) for run, texts in results.evidence.items()}
