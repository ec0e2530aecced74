"""How far do techniques lead, family by family, and is every step of theirs true?

For each collection: how many puzzles are solved by the first families, by one more, and so on;
each step is compared with the solution, which an exact backend found and proved unique. One more
family goes on where those before it stalled.

The collections are files (``--data FOLDER`` with minimal.txt in it; without it, as many puzzles
of our generator) and generated X, windoku and jigsaw puzzles, minimal.

Usage: python benchmarks/logic.py [--data FOLDER] [--puzzles N] [--write]
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from measuring.machine import machine, say
from measuring.table import table

from unidoku import Board, load
from unidoku.generation import generate
from unidoku.logic import TECHNIQUES, State, Technique, steps_from, usual

RESULTS = Path(__file__).parent / "results" / "logic.md"

STAGES = (
    ("singles", {"singles"}),
    ("+ locked", {"intersections"}),
    ("+ subsets", {"subsets"}),
    ("+ leftovers", {"leftovers"}),
    ("+ fish", {"fish", "mutant"}),
    ("+ wings", {"turbot", "wings"}),
    ("+ chains", {"colouring", "chains"}),
    ("+ forcing", {"forcing"}),
)
"""Families in the order in which people learn them."""

SEED, GENERATED = 1, 200
"""Of the generated puzzles, and how many of each variant."""


@dataclass
class Study:
    """What came of a collection.

    Args:
        puzzles: looked at.
        solved: puzzles that each stage was the first to solve.
        steps: uses of each technique.
        wrong: steps that removed what is true, in words.
        seconds: for all.
    """

    puzzles: int = 0
    solved: Counter[str] = field(default_factory=Counter)
    steps: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0


EVERY = 100
"""Puzzles between two lines that say how far the study is."""


def stages() -> Iterator[tuple[str, Sequence[Technique]]]:
    """Yield each stage with its techniques and those of all before it, in order of difficulty."""
    known: set[str] = set()
    for name, families in STAGES:
        known |= families
        yield name, [row for row in usual() if row.family in known]
    assert known >= {row.family for row in usual()}, "a family is in no stage"
    yield "+ uniqueness", TECHNIQUES


def study(boards: Sequence[Board]) -> Study:
    """Solve boards stage by stage, and compare each step with the only solution."""
    solver = load("native")
    found = Study()
    started = time.perf_counter()
    for number, board in enumerate(boards, start=1):
        if number % EVERY == 0:
            say(f"{number} of {len(boards)} puzzles")
        result = solver.solve(board, solutions=2)
        assert result.unique, "a puzzle has one solution"
        (grid,) = result.solutions
        found.puzzles += 1
        state = State.start(board)
        for stage, techniques in stages():
            fit = [row for row in techniques if not row.refuses(board.layout)]
            for step, after in steps_from(state, fit):
                found.steps[step.technique] += 1
                state = after
                if any(
                    not mask >> v - 1 & 1 for mask, v in zip(after.candidates, grid, strict=True)
                ):
                    found.wrong.append(f"{board.text('line')}: {step}")
                    break
            if state.is_solved:
                found.solved[stage] += 1
                break
    found.seconds = time.perf_counter() - started
    return found


def collections(data: Path | None, count: int | None) -> Iterator[tuple[str, list[Board]]]:
    """Yield the name and the boards of each collection."""
    if data is not None:
        lines = (data / "minimal.txt").read_text().split()[:count]
        yield "minimal.txt", [Board.parse(line) for line in lines]
    for variant in ("classic", "x", "windoku", "jigsaw"):
        if data is None or variant != "classic":
            made = generate(
                variant, count=min(count or GENERATED, GENERATED), minimal=True, seed=SEED
            )
            yield f"{variant}, generated", list(made)


def report(studies: dict[str, Study]) -> str:
    """Return the report in Markdown."""
    names = [name for name, _ in stages()]
    rows = []
    for title, found in studies.items():
        total = 0
        shares = []
        for name in names:
            total += found.solved[name]
            shares.append(f"{total:,}")
        each = f"{1e3 * found.seconds / found.puzzles:.1f} ms"
        rows.append([title, f"{found.puzzles:,}", *shares, str(len(found.wrong)), each])
    techniques = [
        [row.name, *(f"{found.steps[row.name]:,}" for found in studies.values())]
        for row in TECHNIQUES
    ]
    wrong = [f"- {text}\n" for found in studies.values() for text in found.wrong]
    return "\n".join(
        [
            "# How far techniques lead",
            "",
            machine(),
            "",
            "## Puzzles solved",
            "",
            *table(["puzzles", "number", *names, "wrong steps", "a puzzle"], rows),
            "## Steps",
            "",
            *table(["technique", *studies], techniques),
            *(["## Wrong steps", "", *wrong] if wrong else []),
        ]
    )


def main() -> None:
    """Study all collections."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, help="folder with minimal.txt")
    parser.add_argument("--puzzles", type=int, help="most of each collection")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    options = parser.parse_args()
    text = report(
        {title: study(boards) for title, boards in collections(options.data, options.puzzles)}
    )
    print(text)
    if options.write:
        RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
