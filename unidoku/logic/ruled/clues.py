"""What a clue outside the grid excludes, as a person says it: ``9 cannot be first``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from unidoku.core.bits import values_of
from unidoku.core.rules import Skyscraper, XSum
from unidoku.logic.local_problem import Remaining
from unidoku.logic.statement import Statement
from unidoku.support.text import listed

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def excluded_in_words(
    statement: Statement, before: Sequence[int], remaining: Remaining, shown: Sequence[str]
) -> str:
    """Return which values cannot stand where on the line of a clue; empty for other rules.

    Args:
        statement: the statement.
        before: the candidates of its cells.
        remaining: those that are left of them.
        shown: the values as people see them.
    """
    match statement.rule:
        case Skyscraper(line=line, seen=seen):
            where = f"where {seen} {'is' if seen == 1 else 'are'} visible"
        case XSum(line=line, total=total):
            where = f"where the first X sum to {total}"
        case _:
            return ""
    if remaining is None or len(line) > len(_ORDINALS):
        return ""
    gone = []
    for ordinal, cell in zip(_ORDINALS, line, strict=False):
        index = statement.cells.index(cell)
        if values := values_of(before[index] & ~remaining[index]):
            gone.append((values, ordinal))
    texts = [
        f"{listed((shown[value] for value in values), 'or')} {_cannot(number)} "
        f"{listed((ordinal for _, ordinal in group), 'or')}"
        for number, (values, group) in enumerate(groupby(gone, key=lambda item: item[0]))
    ]
    return f"{', '.join(texts)} {where}" if texts else ""


def _cannot(number: int) -> str:
    return "cannot be" if number == 0 else "not"
