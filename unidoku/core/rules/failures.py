"""Failures of code that users wrote for a rule, as errors that name the kind of the rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from unidoku.errors import InputError, UnidokuError, is_out_of_memory
from unidoku.support.deadline import EndOfWork


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
