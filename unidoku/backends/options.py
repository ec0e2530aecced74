"""Options of backends: labels such as ``cp-sat[num_workers=1]``, and how options are checked."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from inspect import Parameter, signature
from operator import attrgetter
from types import FunctionType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from unidoku.errors import OptionError, nearest
from unidoku.support.schema import shown
from unidoku.support.toml import parse_toml

PREFIX = "function:"
"""The prefix of the label of a function."""

Value: TypeAlias = bool | int | float | str
"""Value of an option, or of a parameter of a solver."""


def label_of(backend: object) -> str:
    """Return the label of a backend: a text itself, or the name of an importable class or function.

    >>> from unidoku.backends.adapters.norvig import Norvig
    >>> label_of("sat"), label_of(Norvig)
    ('sat', 'unidoku.backends.adapters.norvig:Norvig')

    Raises:
        OptionError: it has no label; the message states what that could be.
    """
    if isinstance(backend, str):
        return backend
    named: Any = backend if isinstance(backend, type | FunctionType) else type(backend)
    module, name = str(named.__module__), named.__qualname__.rpartition("<locals>.")[2]
    label = f"{'' if isinstance(named, type) else PREFIX}{module}:{name}"
    if _at_top(module, named.__qualname__) is backend:
        return label
    has_name = name.isidentifier() and module != "builtins"
    raise OptionError(
        f"expected a backend as a label or a Solver, got {shown(backend)}; a class or a function "
        "at the top of a module has a label, such as "
        + (repr(label) if has_name else "'module:Class' or 'function:module:name'")
    )


def _at_top(module: str, name: str) -> object:
    """Return what a module has under a name; None if it has nothing of that name."""
    try:
        return attrgetter(name)(sys.modules[module])
    except (KeyError, AttributeError):
        return None


def split_name(label: str) -> tuple[str, str]:
    """Split a short name from the label that follows it; the name is empty if there is none.

    >>> split_name("mine=function:students.anna:solve"), split_name("cp-sat[num_workers=1]")
    (('mine', 'function:students.anna:solve'), ('', 'cp-sat[num_workers=1]'))
    """
    match = re.match(r"\s*([\w.+-]+)\s*=\s*(?=\S)", label)
    return (match[1], label[match.end() :]) if match else ("", label)


def is_label(backend: object) -> bool:
    """Return whether a backend is a label, or a class or function that has one."""
    try:
        label_of(backend)
    except OptionError:
        return False
    return True


def parse_label(label: str | Callable[..., object]) -> tuple[str, dict[str, Any]]:
    """Split a label, or that of a class or function, into a backend's name and its options.

    Values are read as TOML; a value that TOML cannot read is a text.

    >>> parse_label("python-constraint[solver=recursive,forwardcheck=false]")
    ('python-constraint', {'solver': 'recursive', 'forwardcheck': False})

    Raises:
        OptionError: the brackets or an option in them are malformed.
    """
    label = label_of(label)
    match = re.fullmatch(r"\s*([^\[\]\s]+)\s*(?:\[(.*)\]\s*)?", label, re.DOTALL)
    if not match:
        raise OptionError(f"expected a backend such as cp-sat[num_workers=1], got {label!r}")
    name, inside = match.groups()
    options: dict[str, Any] = {}
    for part in split_labels(inside or ""):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or key in options:
            raise OptionError(f"expected option=value, each once, got {part!r} in {label!r}")
        options[key] = _read_value(value)
    return name, options


def _read_value(text: str) -> Any:
    try:
        table = parse_toml(f"value = {text}")
    except ValueError:
        return text
    # A text with a line break could contain more than one value.
    return table["value"] if len(table) == 1 and "\n" not in text else text


def format_label(name: str, options: Mapping[str, Any]) -> str:
    """Return the label of a backend with options, which `parse_label` reads back."""
    if not options:
        return name
    inside = ",".join(f"{key}={written(options[key])}" for key in sorted(options))
    return f"{name}[{inside}]"


def written(value: Any) -> str:
    """Return a value as it is written in a label."""
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    plain = re.fullmatch(r"[\w.+-]+", text) is not None and _read_value(text) == value
    # TOML's quoted strings equal JSON's, except for one control character that JSON does not
    # escape.
    return text if plain else json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def split_labels(text: str) -> list[str]:
    """Split labels, or options, at commas outside brackets and quotation marks.

    >>> split_labels("norvig,cp-sat[num_workers=1,linearization_level=0]")
    ['norvig', 'cp-sat[num_workers=1,linearization_level=0]']
    """
    parts = re.findall(r'(?:\[(?:"(?:\\.|[^"\\])*"|[^\]"])*\]|"(?:\\.|[^"\\])*"|[^,])+', text)
    return [part.strip() for part in parts if part.strip()]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredOption:
    """An option that an adapter declares.

    Args:
        name: name of the option.
        type: ``bool``, ``int``, ``float`` or ``str``, several joined by ``|``.
        choices: the allowed values, in order; empty if any value of the type is allowed.
        default: default value; None to leave it to the solver.
    """

    name: str
    type: str
    choices: tuple[Any, ...]
    default: Any

    @property
    def values(self) -> tuple[Value, ...]:
        """All allowed values if they can be listed, otherwise none."""
        return (True, False) if self.type == "bool" else self.choices

    def record(self) -> dict[str, Any]:
        """Return the option as a table for JSON."""
        return {
            "name": self.name,
            "type": self.type,
            "choices": list(self.choices) or None,
            "default": self.default,
        }


def declared_options(factory: Callable[..., object]) -> tuple[DeclaredOption, ...]:
    """Return the options of a backend's class: its parameters, except ``**`` for any others."""
    hints = get_type_hints(factory)
    if isinstance(factory, type) and not is_dataclass(factory):
        hints |= get_type_hints(factory.__init__)  # type: ignore[misc]  # of this very class
    declared = []
    for name, parameter in signature(factory).parameters.items():
        if parameter.kind in (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL):
            continue
        parts = list(_parts(hints.get(name, str)))
        choices = tuple(v for part in parts if get_origin(part) is Literal for v in get_args(part))
        kinds = [type(value) for value in choices] or parts
        declared.append(
            DeclaredOption(
                name=name,
                type=" | ".join(dict.fromkeys(kind.__name__ for kind in kinds)),
                choices=choices,
                default=None if parameter.default is Parameter.empty else parameter.default,
            )
        )
    return tuple(declared)


def options_of(backend: object) -> dict[str, Value]:
    """Return the options of a backend that is a dataclass of them, without those that are None."""
    if not is_dataclass(backend):
        return {}
    values = {field.name: getattr(backend, field.name) for field in fields(backend)}
    return {name: value for name, value in values.items() if isinstance(value, Value)}


def plain(value: object) -> Value:
    """Return a value of a type that can be serialized; other values become text."""
    return value if isinstance(value, Value) else str(value)


def _parts(hint: Any) -> Iterator[Any]:
    """Yield the types of a union, except None."""
    if get_origin(hint) in (Union, UnionType):
        for part in get_args(hint):
            yield from _parts(part)
    elif hint is not type(None):
        yield hint


def unknown_option_error(backend: str, option: str, known: Iterable[str]) -> OptionError:
    """Return the error for an option that a backend does not have."""
    message = f"{backend} has no option {option!r}; {nearest(option, known)}"
    return OptionError(message, unknown=option)


def option_type_error(backend: str, option: str, expected: str, got: object) -> OptionError:
    """Return the error for an option value of the wrong type."""
    return OptionError(f"{backend}: option {option!r}: expected {expected}, got {got!r}")


def checked(backend: str, instance: object) -> None:
    """Check a dataclass's fields against their types: Literal, bool, int, float, str, or None.

    Raises:
        OptionError: a field's value is not of its type.
    """
    for option, hint in get_type_hints(type(instance)).items():
        value = getattr(instance, option)
        if not _fits(value, hint):
            raise option_type_error(backend, option, _describe(hint), value)


def _fits(value: object, hint: Any) -> bool:
    if get_origin(hint) is Literal:
        return any(type(value) is type(choice) and value == choice for choice in get_args(hint))
    if get_origin(hint) is Union or isinstance(hint, type(int | None)):
        return any(_fits(value, part) for part in get_args(hint))
    if hint is float:
        return type(value) in (int, float)
    return type(value) is hint


def _describe(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " | ".join(map(str, get_args(hint)))
    parts = [part for part in get_args(hint) if part is not type(None)]  # None cannot be written
    return " | ".join(map(_describe, parts)) or hint.__name__
