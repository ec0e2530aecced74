"""Wrong arguments of public calls: an exception that one caused becomes an error that names it.

Calls check their arguments where they use them. Where they do not, Python raises something about a
method that an object lacks; only then are the arguments compared with their annotations, so that a
right call costs nothing. Numbers are compared before: half a worker raises nothing.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, wraps
from numbers import Integral, Real
from pathlib import Path
from types import GeneratorType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    ParamSpec,
    TypeVar,
    Union,
    Unpack,
    cast,
    get_args,
    get_origin,
)

from unidoku.errors import InputError, UnidokuError
from unidoku.support.schema import FEW_DIGITS, shown

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


def named_arguments(call: Callable[P, R]) -> Callable[P, R]:
    """Decorate a public call: an exception that a wrong argument caused names the argument."""
    annotations = call.__annotations__
    numbers = {name: _NUMBERS[text] for name, text in annotations.items() if text in _NUMBERS}
    code = inspect.unwrap(call).__code__
    names = code.co_varnames[: code.co_argcount]  # with that of a method's object

    @wraps(call)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        if numbers:
            given = (*zip(names, args, strict=False), *kwargs.items())
            odd = {k: v for k, v in given if k in numbers and type(v) not in numbers[k]}
            if odd:
                plain = {name: plain_number(value) for name, value in odd.items()}
                _refuse(call, plain)
                args, kwargs = _replaced(plain, names, args, kwargs)
        try:
            result = call(*args, **kwargs)
        except UnidokuError:
            raise
        except Exception as error:
            _refuse(call, _bound(call, args, kwargs), error)
            raise
        if isinstance(result, GeneratorType):
            return cast(R, _named_steps(result, call, _bound(call, args, kwargs)))
        return result

    return checked


def named_fields(check: Callable[[T], None]) -> Callable[[T], None]:
    """Decorate ``__post_init__`` of a dataclass: an exception names the field that caused it."""

    @wraps(check)
    def checked(self: T) -> None:
        try:
            check(self)
        except UnidokuError:
            raise
        except Exception as error:
            kind = type(self)
            names = [name for name in kind.__annotations__ if hasattr(self, name)]
            values = {name: getattr(self, name) for name in names}
            _refuse(kind, values, error)
            raise

    return checked


def plain_number(value: object) -> object:
    """Return a number or a switch of numpy as one of Python, and other things as they are."""
    item = getattr(value, "item", None)
    return item() if item is not None and getattr(value, "shape", None) == () else value


def _replaced(
    plain: Mapping[str, object], names: Sequence[str], args: Any, kwargs: Any
) -> tuple[Any, Any]:
    """Return the arguments of a call with some of them replaced, by name."""
    rest = args[len(names) :]
    first = [plain.get(name, value) for name, value in zip(names, args, strict=False)]
    return (*first, *rest), {name: plain.get(name, value) for name, value in kwargs.items()}


def _named_steps(
    steps: Iterator[T], call: Callable[..., object], given: Mapping[str, object]
) -> Iterator[T]:
    """Yield what a call that is a generator yields."""
    try:
        yield from steps
    except UnidokuError:
        raise
    except Exception as error:
        _refuse(call, given, error)
        raise


def _bound(
    call: Callable[..., object], args: Sequence[object], kwargs: Mapping[str, object]
) -> Mapping[str, object]:
    """Return the arguments of a call by name; none if they do not fit its signature."""
    try:
        return inspect.signature(call).bind(*args, **kwargs).arguments
    except TypeError:
        return {}


def _refuse(annotated: Any, given: Mapping[str, object], error: Exception | None = None) -> None:
    """Raise an error that names an argument that is not of its type, if there is one."""
    for argument, annotation, hint, value in _typed(annotated, given):
        if not fits(value, hint):
            fault = f"{argument}: expected {annotation}, got {shown(value)}"
            raise InputError(f"{_name_of(annotated)}: {fault}") from error
    if isinstance(error, ValueError) and "integer string conversion" in str(error):
        raise InputError(f"{_name_of(annotated)}: expected {FEW_DIGITS}, got more") from error


def _name_of(annotated: Any) -> str:
    name: str = annotated.__qualname__
    return name.removesuffix(".__init__")


def _typed(
    annotated: Any, given: Mapping[str, object]
) -> Iterator[tuple[str, str, object, object]]:
    """Yield the name, the annotation, the type and the value of each argument that has a type."""
    for name, annotation in annotated.__annotations__.items():
        annotation = hint = getattr(annotation, "__forward_arg__", annotation)
        if isinstance(annotation, str):
            try:
                hint = eval(annotation, vars(sys.modules[annotated.__module__]))
            except NameError:  # only type checkers know it
                continue
        else:  # the module has no ``from __future__ import annotations``
            annotation = inspect.formatannotation(annotation)
        if get_origin(hint) is Unpack:
            keywords = given.get(name, {})
            if isinstance(keywords, dict):
                yield from _typed(get_args(hint)[0], keywords)
        elif name in given:
            yield name, annotation, hint, given[name]


def whole_numbers(contents: Iterable[object]) -> tuple[int, ...]:
    """Return whole numbers of any type, such as numpy's, as numbers of Python.

    Raises:
        TypeError: there is something else, which `named_fields` names.
    """
    numbers = tuple(contents)
    if {*map(type, numbers)} <= {int}:
        return cast("tuple[int, ...]", numbers)
    if not all(fits(number, int) for number in numbers):
        raise TypeError
    return tuple(map(int, cast("tuple[int, ...]", numbers)))


def fits(value: object, hint: Any) -> bool:
    """Return whether a value is of a type; True for types that cannot be tested."""
    if type(value) is hint:
        return True
    origin, parts = _origin_and_parts(hint)
    if origin is Annotated:
        return fits(value, parts[0])
    if origin in (Union, UnionType):
        return any(fits(value, part) for part in parts)
    if origin is Literal:
        return isinstance(value, (*map(type, parts),)) and value in parts
    if hint is None:
        return value is None
    if isinstance(value, bool) and hint in (int, float):
        return False
    kind = _WIDER.get(hint, origin or hint)
    try:
        if not isinstance(value, kind):
            return False
    except TypeError:
        return True
    if not parts or not isinstance(value, _CONTAINERS):
        return True
    types = (*map(type, value),)
    if origin is tuple and parts[-1] is not ...:
        return types == parts or (len(types) == len(parts) and all(map(fits, value, parts)))
    return types.count(parts[0]) == len(types) or all(fits(item, parts[0]) for item in value)


def _origin_and_parts(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the generic type of a hint and its arguments, which take long to look up."""
    try:
        return _looked_up(hint)
    except TypeError:  # an annotation may have parts that cannot be hashed
        return get_origin(hint), get_args(hint)


@lru_cache(maxsize=256)
def _looked_up(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(hint), get_args(hint)


_NUMBERS: Mapping[str, tuple[type, ...]] = {
    "int": (int,),
    "int | None": (int, type(None)),
    "float": (int, float),
    "float | None": (int, float, type(None)),
    "bool": (bool,),
}
"""The types of numbers and switches by annotations; others, such as numpy's, are compared with more
care."""

_WIDER: Mapping[Any, Any] = {int: Integral, float: Real, Path: (str, os.PathLike)}
"""What is accepted for a type."""

_CONTAINERS = (list, tuple, str, bytes, set, frozenset, range, dict)
"""The types whose items are looked at."""
