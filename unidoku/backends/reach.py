"""What a label reaches beyond the solvers of the catalogue: modules, commands and files.

A user who types a label may reach anything with it. Text from elsewhere may not, such as a file in
a folder or the request of a service's client: it may choose solvers that come with Unidoku, and no
file or command.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from unidoku.backends import BUILT_IN, find
from unidoku.backends.options import parse_label, written
from unidoku.errors import OptionError, UnknownBackendError, nearest
from unidoku.support.trust import Launch


def reaches(name: str, options: Mapping[str, Any], programs: Container[str] = ()) -> Iterator[str]:
    """Yield in words what a backend with these options would import, start, read or write.

    Nothing is imported but rows of the catalogue. Nothing is yielded for a solver of the catalogue
    whose options are values.

    >>> list(reaches("sat", {"solver": "cadical195"}))
    []
    >>> list(reaches("students.anna:Solver", {}))
    ['module students.anna:Solver']

    Args:
        name: name of the backend, as in a label.
        options: options of the backend.
        programs: names of programs that the same text declares.

    Raises:
        UnknownBackendError: no backend has that name.
        OptionError: an option that is a label cannot be read.
    """
    if ":" in name:
        yield f"module {name}"
        return
    if name in programs:
        yield f"program {name}"
        return
    row = find(name)
    for option in row.guarded:
        if option in options:
            yield f"{name}[{option}={written(options[option])}]"
    for option in row.nests:
        if isinstance(label := options.get(option), str):
            yield from reaches(*parse_label(label), programs)


def starts_of(
    named: Iterable[tuple[str, Mapping[str, Any]]], programs: Mapping[str, Any]
) -> tuple[Launch, ...]:
    """Return what a file's backends would start, each once.

    Args:
        named: names of the backends with their options.
        programs: the file's tables of programs by name.

    Raises:
        UnknownBackendError, OptionError: as `reaches`.
    """
    launches = []
    for name, options in named:
        for words in reaches(name, options, programs):
            kind, _, program = words.partition(" ")
            if kind == "program":
                launches.append(
                    Launch.of(_described(program, programs[program]), programs[program])
                )
            else:
                launches.append(Launch.of(words))
    return tuple(dict.fromkeys(launches))


def _described(name: str, table: Mapping[str, Any]) -> str:
    """Return the commands of a program in words."""
    version = f", and {table['version']}" if table.get("version") else ""
    return f"program {name}: {table.get('command', 'no command')}{version}"


def refuse_beyond_catalogue(label: str, options: Mapping[str, Any] | None = None) -> None:
    """Raise if a label, or an option, reaches beyond the solvers that come with Unidoku.

    Installed distributions and programs are not among them. Nothing is imported for the answer but
    the rows of these solvers.

    >>> refuse_beyond_catalogue("cp-sat[num_workers=1]")

    Raises:
        UnknownBackendError: the backend is another one.
        OptionError: an option names a file, or a backend that is another one.
    """
    name, given = parse_label(label)
    chosen = given | dict(options or {})
    if name not in BUILT_IN:
        raise UnknownBackendError(
            f"untrusted: expected a backend that comes with Unidoku, got {name!r}; "
            f"{nearest(name, BUILT_IN)}"
        )
    row = find(name)
    for option in row.nests:
        if isinstance(nested := chosen.get(option), str):
            refuse_beyond_catalogue(nested)
    for reached in reaches(name, chosen):
        raise OptionError(f"untrusted: expected no option with a file or a command, got {reached}")
