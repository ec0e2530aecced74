"""Failures of code that users wrote for a rule, as errors that name the kind of the rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from unidoku.core.constraints.operations import cells_of, parts_of
from unidoku.core.constraints.primitives import Automaton, Constraint, Or, Relation, Sum
from unidoku.errors import InputError, UnidokuError, is_out_of_memory
from unidoku.support.deadline import EndOfWork
from unidoku.support.schema import shown


@contextmanager
def named_failures(rule: object, function: str) -> Iterator[None]:
    """Have an exception of a user's function become an error that names the rule's kind."""
    try:
        yield
    except Exception as error:
        if isinstance(error, UnidokuError | EndOfWork) or is_out_of_memory(error):
            raise
        name = getattr(rule, "kind", type(rule).__name__)
        fault = f"{function}() raised {type(error).__name__}: {error}"
        raise InputError(f"rule {name!r}: {fault}") from error


def with_named_failures(method: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a method of a rule, which returns a text or yields, to name what it raises."""

    @wraps(method)
    def checked(rule: object, *args: Any, **keywords: Any) -> Any:
        with named_failures(rule, method.__name__):
            returned = method(rule, *args, **keywords)
        return returned if isinstance(returned, str) else steps(rule, returned)

    def steps(rule: object, returned: Iterable[Any]) -> Iterator[Any]:
        with named_failures(rule, method.__name__):
            yield from returned

    return checked


def with_readable_constraints(method: Callable[..., Iterable[Any]]) -> Callable[..., Iterator[Any]]:
    """Decorate the constraints of a user's rule: searches, in machine code too, rely on them."""

    @wraps(method)
    def checked(rule: Any, facts: Any) -> Iterator[Any]:
        known = range(len(facts.positions) + len(getattr(facts, "hidden", ())))
        for constraint in method(rule, facts):
            if expected := _unreadable(constraint, facts.n, known):
                raise InputError(f"rule {rule.kind!r}: constraints(): expected {expected}")
            yield constraint.in_one_form() if isinstance(constraint, Sum) else constraint

    return checked


def _unreadable(constraint: object, n: int, known: range) -> str:
    """Return what was expected of a constraint on some cells of n values, empty if it is one."""
    if not isinstance(constraint, Constraint):
        return f"constraints such as unidoku.Relation, got {shown(constraint)}"
    if strange := [cell for cell in cells_of(constraint) if cell not in known]:
        return f"cells 0 to {known[-1]}, got {shown(strange[0])}"
    match constraint:
        case Relation(table) if len(table) != n:
            return f"a relation of {n} sets of values, got {len(table)}"
        case Relation(table) if min(table) < 0:
            return f"a relation of sets of values, got {min(table)}"
        case Automaton(_, machine) if (least := min(map(len, machine.steps), default=n)) < n:
            return f"a machine that reads {n} values, got one of {least}"
        case Or():
            faults = (_unreadable(part, n, known) for part in parts_of(constraint))
            return next(filter(None, faults), "")
    return ""
