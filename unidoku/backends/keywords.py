"""What was probably meant by an unknown keyword of a call that takes limits of a search."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

from unidoku.support.schema import shown

_SYNONYMS: Mapping[str, str] = {
    "time_limit": "timeout time timelimit max_time time_out seconds maxtime max_seconds",
    "solutions": "limit solution solutions_limit solution_limit max_solutions maxsolutions "
    "n_solutions num_solutions number_of_solutions nsolutions max_count",
    "solutions=None": "all all_solutions find_all enumerate",
    "solutions=2": "unique check_unique uniqueness",
    "limit": "solutions solution max maximum up_to max_solutions solutions_limit",
    "node_limit": "nodes max_nodes nodelimit",
    "threads": "workers num_workers n_workers jobs n_jobs cores processes num_threads "
    "n_threads parallel",
    "seed": "random_seed random_state rng",
    "keep": "max_grids grids",
    "backend": "solver engine method algorithm backends",
    "variant": "layout variants rules kind type",
    "layout": "variant variants rules kind type",
}
"""Keywords that other libraries have, by those that they stand for here."""

_SIZES = frozenset({"n", "size", "order", "dimension", "shape"})


def advice(
    name: str, value: object, limits: Sequence[str], others: Sequence[str] = ()
) -> tuple[str, str]:
    """Return what was probably meant by an unknown keyword, empty if unknown, and the limits.

    >>> advice("timeout", 5, ["solutions", "time_limit"])
    ("did you mean 'time_limit'?", 'limits: solutions, time_limit')
    >>> advice("n", 16, ["solutions"], ["variant"])[0]
    "the layout has the size: variant=unidoku.layout('classic', 16)."

    Args:
        name: the unknown keyword.
        value: its value.
        limits: the limits that the call takes.
        others: the other keywords of the call.
    """
    return _meant(name, value, [*others, *limits]), f"limits: {', '.join(limits)}"


def _meant(name: str, value: object, known: Sequence[str]) -> str:
    if name in _SIZES:
        argument = next((f"{word}=" for word in ("variant", "layout") if word in known), "")
        return f"the layout has the size: {argument}unidoku.layout('classic', {shown(value)})."
    for words, synonyms in _SYNONYMS.items():
        if name in synonyms.split() and words.partition("=")[0] in known:
            return f"did you mean {words!r}?"
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
    return f"did you mean {close[0]!r}?" if close else ""
