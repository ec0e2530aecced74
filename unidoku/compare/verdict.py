"""The verdict: do the answers agree?

There is no vote, and no backend is the oracle of another. Facts refute claims: a solution that
the checker accepts refutes "unsatisfiable"; two of them refute "exactly one"; two complete
searches must find the same solutions; what is known of a case binds everyone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from unidoku.compare.cases import Case
from unidoku.compare.record import Outcome, Record
from unidoku.core.layout import Grid
from unidoku.core.verify import is_solution

__all__ = ["Disagreement", "judge"]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Answers to one case that cannot all be right, or one that cannot be right at all.

    Args:
        case: the board.
        backends: who is involved; the first is the one refuted, where that is clear.
        evidence: what was claimed and what refutes it.
    """

    case: Case
    backends: tuple[str, ...]
    evidence: str


def judge(cases: Iterable[Case], records: Iterable[Record]) -> list[Disagreement]:
    """Return every disagreement among the records of these cases, each said once."""
    by_case: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records:
        by_case[record.case].append(record)
    found: dict[Disagreement, None] = {}
    for case in cases:
        for disagreement in _judge_case(case, by_case[case.id]):
            found[disagreement] = None
    return list(found)


def _judge_case(case: Case, records: Sequence[Record]) -> Iterator[Disagreement]:
    for record in records:
        if record.outcome is Outcome.WRONG:
            for reason in record.evidence:
                yield Disagreement(case, (record.backend,), f"{record.backend}: {reason}")
    answers = [record for record in records if record.stop is not None]
    verified = _verified(case, answers)
    for record in answers:
        yield from _against_solutions(case, record, verified)
        yield from _against_known(case, record)
    complete = [record for record in answers if record.complete]
    for record in complete[1:]:
        yield from _against_complete(case, complete[0], record)


def _verified(case: Case, records: Iterable[Record]) -> dict[Grid, str]:
    """Return the grids that the checker accepts, each with a backend that found it."""
    verified: dict[Grid, str] = {}
    for record in records:
        for grid in record.solutions:
            if grid not in verified and is_solution(case.board, grid):
                verified[grid] = record.backend
    return verified


def _against_solutions(
    case: Case, record: Record, verified: dict[Grid, str]
) -> Iterator[Disagreement]:
    """A complete search must have found every solution that anyone has."""
    if record.complete and record.count < len(verified):
        witness = next(
            (other for grid, other in verified.items() if grid not in record.solutions),
            record.backend,
        )
        yield Disagreement(
            case,
            (record.backend, witness),
            f"{record.backend} says that there are {_solutions(record.count)} in all; "
            f"{len(verified)} different ones, by {', '.join(sorted(set(verified.values())))}, "
            "pass the checker",
        )


def _against_known(case: Case, record: Record) -> Iterator[Disagreement]:
    known = case.solutions
    if known is None:
        return
    if record.count > known or (record.complete and record.count != known):
        claim = "in all" if record.complete else "or more"
        yield Disagreement(
            case,
            (record.backend,),
            f"{record.backend} says {_solutions(record.count)} {claim}; {known} are known",
        )


def _against_complete(case: Case, first: Record, other: Record) -> Iterator[Disagreement]:
    backends = (first.backend, other.backend)
    if first.count != other.count:
        yield Disagreement(
            case,
            backends,
            f"{first.backend} says {_solutions(first.count)} in all, "
            f"{other.backend} says {_solutions(other.count)}",
        )
    elif set(first.solutions) != set(other.solutions):
        lone = len(set(first.solutions) ^ set(other.solutions))
        yield Disagreement(
            case,
            backends,
            f"{first.backend} and {other.backend} both say {_solutions(first.count)} in all, "
            f"but {lone} of their grids only one of them found",
        )


def _solutions(count: int) -> str:
    return "no solutions" if not count else "1 solution" if count == 1 else f"{count} solutions"
