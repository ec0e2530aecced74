"""The verdict: whether the answers agree.

There is no vote, and no backend is trusted more than another. Facts refute claims: a solution that
the checker accepts refutes "unsatisfiable"; two of them refute "exactly one"; two complete searches
must find equally many; a known number of solutions applies to all backends. A case that no backend
proved is undecided. Answers to a symmetric image of a board, mapped back, are answers to the board.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations

from unidoku.comparison.cases import Case
from unidoku.comparison.record import RENAMED, Outcome, Record
from unidoku.core.layout import Grid
from unidoku.core.verify.boards import is_solution
from unidoku.support.text import listed, plural

CHECKER = "checker"
"""The witness against a grid that is not a solution."""

KNOWN = "known"
"""The witness against a count that differs from the known one."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Answers to one case that cannot all be right, or one that cannot be right at all.

    Args:
        case: the board.
        backends: the backends involved; the first is the refuted one, if that is clear, the others
            are all that refute it. A backend that contradicts itself is listed twice.
        kind: ``wrong grid``, ``unsatisfiable``, ``uniqueness``, ``count``, ``known count``: the
            claim that is refuted; or ``symmetry``: different answers to the board with renamed
            values.
        evidence: the claim, and what refutes it.
        is_clear: whether it is the first backend that is refuted; else one of them is.
    """

    case: Case
    backends: tuple[str, ...]
    kind: str
    evidence: str
    is_clear: bool = True


@dataclass(frozen=True)
class Verdict:
    """Whether all answers agree.

    Args:
        cases: number of cases.
        shared: number of cases that several backends decided.
        disagreements: contradictions, each listed once.
        undecided: cases that no backend decided.
    """

    cases: int
    shared: int
    disagreements: tuple[Disagreement, ...] = ()
    undecided: tuple[Case, ...] = ()

    @cached_property
    def refuted(self) -> frozenset[tuple[str, str]]:
        """The backends that are refuted, each with the id of a case; not where it is unclear."""
        return frozenset((d.backends[0], d.case.id) for d in self.disagreements if d.is_clear)

    @cached_property
    def matrix(self) -> Mapping[tuple[str, str], tuple[Case, ...]]:
        """The contradiction matrix: the cases for each refuted backend and witness.

        The witness against a single backend is `CHECKER` or `KNOWN`.
        """
        cells: defaultdict[tuple[str, str], dict[str, Case]] = defaultdict(dict)
        for clash in self.disagreements:
            refuted, *others = clash.backends
            for witness in others or [KNOWN if clash.kind == "known count" else CHECKER]:
                cells[refuted, witness][clash.case.id] = clash.case
        return {pair: tuple(cases.values()) for pair, cases in cells.items()}


@dataclass(frozen=True, slots=True)
class _Claim:
    """The claim that an answer makes."""

    count: int
    complete: bool
    grids: frozenset[Grid]

    def __str__(self) -> str:
        text = plural(self.count, "solution") if self.count else "no solutions"
        return f"{text} in total" if self.complete else f"at least {text}"


@dataclass(slots=True)
class _Answers:
    """The answers to one case: each different claim once, with the backends that made it."""

    case: Case
    claims: dict[_Claim, dict[str, None]] = field(default_factory=dict)
    wrong: dict[tuple[str, str], None] = field(default_factory=dict)
    deciders: set[str] = field(default_factory=set)


class Judge:
    """Takes records one by one and returns the verdict; it stores claims, not records."""

    def __init__(self) -> None:
        """Start without cases."""
        self._answers_of: dict[str, _Answers] = {}

    def add_case(self, case: Case) -> None:
        """Add a case."""
        self._answers_of.setdefault(case.id, _Answers(case))

    def add(self, record: Record) -> None:
        """Add the record of a run; its case must have been added."""
        answers = self._answers_of[record.case]
        if record.outcome is Outcome.WRONG:
            answers.wrong.update({(record.backend, reason): None for reason in record.evidence})
        if record.stop is None or record.outcome is Outcome.WRONG:
            return
        if record.outcome is Outcome.SOLVED:
            answers.deciders.add(record.backend)
        claim = _Claim(record.count, record.complete, frozenset(record.solutions))
        answers.claims.setdefault(claim, {})[record.backend] = None

    def verdict(self) -> Verdict:
        """Return the verdict on all records so far."""
        every = self._answers_of.values()
        clashes = chain.from_iterable(map(_judge, every))
        return Verdict(
            cases=len(every),
            shared=sum(len(answers.deciders) > 1 for answers in every),
            disagreements=tuple(dict.fromkeys(clashes)),
            undecided=tuple(answers.case for answers in every if not answers.deciders),
        )


def judge(cases: Iterable[Case], records: Iterable[Record]) -> Verdict:
    """Return the verdict on the records of these cases."""
    record_judge = Judge()
    for case in cases:
        record_judge.add_case(case)
    for record in records:
        record_judge.add(record)
    return record_judge.verdict()


def _judge(answers: _Answers) -> Iterator[Disagreement]:
    case = answers.case
    for backend, reason in answers.wrong:
        kind = "symmetry" if reason.startswith(RENAMED) else "wrong grid"
        yield Disagreement(case, (backend,), kind, f"{backend}: {reason}")
    verified = _verified(answers)
    for claim, backends in answers.claims.items():
        for backend in backends:
            yield from _against_known(case, backend, claim)
            if claim.complete and claim.count < len(verified):
                yield _against_solutions(case, backend, claim, verified)
    for first, second in combinations([c for c in answers.claims if c.complete], 2):
        # If the grids show who is wrong, that is reported above.
        if first.count != second.count and len(verified) <= min(first.count, second.count):
            yield from _against_each_other(answers, first, second)


def _verified(answers: _Answers) -> dict[Grid, dict[str, None]]:
    """Return the grids that the checker accepts, each with the backends that found it."""
    verified: dict[Grid, dict[str, None]] = {}
    for claim, backends in answers.claims.items():
        for grid in claim.grids:
            if grid in verified or is_solution(answers.case.board, grid):
                verified.setdefault(grid, {}).update(backends)
    return verified


def _against_solutions(
    case: Case, backend: str, claim: _Claim, verified: Mapping[Grid, Iterable[str]]
) -> Disagreement:
    """Return the disagreement: a complete search must have found all that anyone found."""
    finders = (others for grid, others in verified.items() if grid not in claim.grids)
    witnesses = sorted(set(chain.from_iterable(finders)) - {backend}) or [backend]
    kinds = {0: "unsatisfiable", 1: "uniqueness"}
    were = "was" if len(verified) == 1 else "were"
    return Disagreement(
        case,
        (backend, *witnesses),
        kinds.get(claim.count, "count"),
        f"{backend} claims {claim}, but {plural(len(verified), 'verified solution')} {were} "
        f"found by {listed(sorted(set(chain.from_iterable(verified.values()))))}",
    )


def _against_known(case: Case, backend: str, claim: _Claim) -> Iterator[Disagreement]:
    known = case.solutions
    if known is not None and (claim.count > known or (claim.complete and claim.count != known)):
        are = "is" if known == 1 else "are"
        evidence = f"{backend} claims {claim}, but {known} {are} known"
        yield Disagreement(case, (backend,), "known count", evidence)


def _against_each_other(answers: _Answers, claim: _Claim, other: _Claim) -> Iterator[Disagreement]:
    """Yield disagreements: two complete searches must find equally many solutions."""
    for first in answers.claims[claim]:
        for second in answers.claims[other]:
            evidence = f"{first} claims {claim}, {second} claims {other}"
            yield Disagreement(answers.case, (first, second), "count", evidence, is_clear=False)
