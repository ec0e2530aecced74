"""The check of the conformance suite about options: each has an effect or is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache

from unidoku.backends.base import Request
from unidoku.backends.options import Value, format_label, parse_label
from unidoku.backends.solving.solver import Solver
from unidoku.core.board import Board
from unidoku.errors import OptionError
from unidoku.testing.effects import Seen, questions, seen
from unidoku.testing.limits import NotClaimed


def honours_its_options(solver: Solver) -> None:
    """Each declared option has a value that changes something or is refused.

    The check tries all values of options of bool and Literal, and the options that the solver was
    made with. Where neither answers nor statistics differ, it is enough that the backend's other
    `parameters` differ. The check leaves out Unidoku's own options, which no backend has to heed.
    """
    if not solver.spec.target:
        raise NotClaimed(f"{solver.label} has no target that declares its options")
    shared = {option.name for option in solver.spec.shared_options}
    tried = [(name, value) for name, value in alternatives(solver) if name not in shared]
    if not tried:
        raise NotClaimed(f"{solver.label} declares no option whose values are known")
    silent = set(without_effect(solver)).intersection(tried)
    alive = {name for name, value in tried if (name, value) not in silent}
    alive |= {name for name, value in silent if _changes_parameters(solver, name, value)}
    dead = sorted({name for name, _ in tried} - alive)
    assert not dead, (
        f"{solver.label}: {', '.join(dead)}: expected an effect on the answers, the statistics "
        "or the parameters, or an OptionError or UnsupportedError; got none"
    )


def alternatives(solver: Solver) -> Iterator[tuple[str, Value]]:
    """Yield each option with each of its values except the default."""
    for option in solver.spec.options():
        values = [*option.values]
        if (given := solver.options.get(option.name)) is not None and given not in values:
            values.append(given)
        yield from ((option.name, value) for value in values if value != option.default)


def without_effect(solver: Solver) -> Iterator[tuple[str, Value]]:
    """Yield the options and values that change no answer and no statistic and are not refused.

    Each search has a new layout, so that state which a backend keeps between searches makes no
    difference.
    """

    @cache
    def asked(name: str) -> list[tuple[Board, Request]]:
        return list(questions(solver, name))

    @cache
    def usually(label: str, board: Board, request: Request) -> set[Seen]:
        usual = _solver_with(solver, parse_label(label)[1])
        return {seen(usual, board, request) for _ in range(2)}

    for name, value in alternatives(solver):
        others = _without(solver, name)
        label = format_label(solver.spec.name, others)
        with suppress(OptionError):
            other = _solver_with(solver, others | {name: value})
            if all(seen(other, *question) in usually(label, *question) for question in asked(name)):
                yield name, value


def _solver_with(solver: Solver, options: Mapping[str, Value]) -> Solver:
    return Solver(solver.spec, solver.spec.create(options), options)


def _without(solver: Solver, name: str) -> dict[str, Value]:
    """Return the options of a solver except one."""
    return {key: given for key, given in solver.options.items() if key != name}


def _changes_parameters(solver: Solver, name: str, value: Value) -> bool:
    """Return whether a value of an option changes the other parameters of the solver."""
    others = _without(solver, name)
    solvers = (_solver_with(solver, options) for options in (others, others | {name: value}))
    usual, other = (variant.parameters(Request()) | {name: value} for variant in solvers)
    return usual != other
