"""Results of runs that never were: real boards, plausible times, for tests of what reads them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from unidoku.backends.base import Stop
from unidoku.comparison.cases import Case
from unidoku.comparison.record import Outcome, Record, Timing, Usage
from unidoku.comparison.results import Results
from unidoku.comparison.verdict import CHECKER, KNOWN, Disagreement, Verdict
from unidoku.core.bits import all_values, bit
from unidoku.core.board import Board
from unidoku.files.examples import examples

TIME_LIMIT = 2.0


@cache
def _patterns() -> tuple[tuple[str, Board], ...]:
    """The boards that all others are made from, none of them large."""
    return tuple(
        (example.name, puzzle.board)
        for example in examples()
        if example.name not in ("samurai", "sixteen", "twenty-five")
        for puzzle in example.puzzles()
    )


def invented_cases(count: int, seed: int) -> Iterator[Case]:
    """Yield different boards: patterns with their values swapped and some of the givens gone."""
    chance = random.Random(seed)
    patterns = _patterns()
    seen: set[Board] = set()
    while len(seen) < count:
        number = len(seen)
        source, board = patterns[chance.randrange(len(patterns))]
        n = board.layout.n
        swapped = [0, *chance.sample(range(1, n + 1), n)]
        values = [swapped[value] * (chance.random() > 0.05) for value in board.givens]
        board = Board.from_values(board.layout, values)
        if number % 7 == 3:
            masks = list(board.candidates)
            masks[0] = bit(1) | bit(2)
            masks[1] &= all_values(n) & ~bit(n) or bit(1)
            board = Board(board.layout, tuple(masks))
        if board in seen:
            continue
        seen.add(board)
        yield Case(board=board, name=f"{source}:{number + 1}", source=f"puzzles/{source}.txt")


def invented_results(
    backends: Sequence[str],
    cases: int,
    rounds: int,
    seed: int,
    *,
    images: int = 0,
    self_test_twin: bool = False,
    own_cases: Sequence[Case] = (),
) -> Results:
    """Return results of runs as they might have been.

    Args:
        backends: labels; each is 3 times slower than the one before it.
        cases: how many boards.
        rounds: repeats of each.
        seed: seed of the random numbers.
        images: symmetric images of each board, run once a round too.
        self_test_twin: whether the first backend is entered a second time.
        own_cases: cases to use in place of boards of our own.
    """
    labels = [*backends, f"{backends[0]} (twin)"] if self_test_twin else list(backends)
    plan: dict[str, Any] = {
        "backends": labels,
        "repeats": rounds,
        "solutions": 2,
        "time_limit": TIME_LIMIT,
        "memory_limit": 1 << 30,
        "seed": seed,
        "symmetries": images,
        "sample_ms": 5,
    }
    if self_test_twin:
        plan["twin"] = [labels[0], labels[-1]]
    environment = {"host": "bench", "cpu": "8-core test processor", "python": "3.11.9"}
    results = Results(labels, plan, environment)
    chance = random.Random(seed)
    for case in own_cases or invented_cases(cases, seed):
        results.add_case(case)
        hardness = chance.gauss(0, 1.2)
        for index, label in enumerate(labels):
            # A twin differs by nothing but the noise of each run.
            same = index % len(backends)
            swing = random.Random(f"{case.id}{same}").gauss(0, 0.3)
            base = 2e-4 * 3**same * math.exp(hardness * (0.5 + 0.2 * same) + swing)
            for image in range(images + 1):
                luck = math.exp(chance.gauss(0, 0.4)) if image else 1.0
                for number in range(1, rounds + 1):
                    seconds = base * luck * math.exp(chance.gauss(0, 0.03))
                    results.add(_record(case, label, index, number, image, seconds, chance))
    return results


def _record(
    case: Case,
    label: str,
    index: int,
    number: int,
    image: int,
    seconds: float,
    chance: random.Random,
) -> Record:
    outcome, count = Outcome.SOLVED, 1
    stop: Stop | None = Stop.EXHAUSTED
    evidence: tuple[str, ...] = ()
    draw = chance.random()
    if seconds >= TIME_LIMIT:
        seconds, count = TIME_LIMIT, 0
        outcome, stop = Outcome.UNKNOWN, Stop.TIME
    elif index == 2 and draw < 0.01:
        outcome, stop, count = Outcome.CRASHED, None, 0
        evidence = ("the process ended by signal 11",)
    elif index == 1 and draw < 0.01:
        outcome, stop, count = Outcome.WRONG, Stop.SOLUTIONS, 1
        evidence = ("A1 and A4 are both 7 in row A",)
    wall = max(1, int(seconds * 1e9))
    init = min(wall * (1 + index) // 12, wall // 3)
    solve = wall * 7 // 12
    return Record(
        key=f"{case.id}{label}{number}{image}",
        case=case.id,
        backend=label,
        round=number,
        image=image,
        outcome=outcome,
        stop=stop,
        count=count,
        timing=Timing(
            wall_ns=wall,
            cpu_ns=wall,
            init_ns=init,
            solve_ns=solve,
            decode_ns=wall - solve - init,
            first_ns=wall * 3 + 40_000_000 * index if number == 1 and image == 0 else None,
        ),
        usage=Usage(peak_bytes=(index + 1) * 3_000_000 + chance.randrange(500_000)),
        evidence=evidence,
    )


def invented_verdict(results: Results, *, disagreements: int = 0, undecided: int = 0) -> Verdict:
    """Return a verdict on the results, with as many disagreements and undecided cases."""
    kinds = ("uniqueness", "unsatisfiable", "wrong grid", "known count")
    witnesses = (results.backends[0], results.backends[0], CHECKER, KNOWN)
    contradicting = []
    for number in range(disagreements):
        refuted = results.backends[1 + number % (len(results.backends) - 1)]
        witness = witnesses[number % len(witnesses)]
        backends = (refuted,) if witness in (CHECKER, KNOWN) else (refuted, witness)
        contradicting.append(
            Disagreement(
                case=results.cases[number % len(results.cases)],
                backends=backends,
                kind=kinds[number % len(kinds)],
                evidence=f"{refuted} claims 1 solution in total, but 2 were found",
            )
        )
    cases = len(results.cases)
    return Verdict(
        cases=cases,
        shared=cases - undecided,
        disagreements=tuple(contradicting),
        undecided=tuple(results.cases[-undecided:]) if undecided else (),
    )
