"""Journals for publishing: without the names of machines, people and folders.

Figures, answers, boards and dates stay. All texts are searched, including those of fields that
later versions may add. Private text is recognised by its field (the host of a worker), by its form
(a path), or because it occurs in such a field elsewhere (the owner of a home folder).
"""

from __future__ import annotations

import contextlib
import getpass
import platform
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from unidoku.comparison.cases import Case
from unidoku.comparison.journal import merged
from unidoku.comparison.lines import (
    Entry,
    Header,
    entry_of,
    line_of,
    table_of_header,
    table_of_line,
    tables_of,
)

_PUBLIC = frozenset({"type", "key", "case", "id", "board", "outcome", "stop", "solutions"})
"""Fields of a line that contain nothing private; some are long."""

_COMMON = frozenset({"", "root", "user", "localhost", "inline"})
"""Names that identify nobody."""

_HOME = re.compile(r"(?:/home|/Users|\\Users)[/\\]([^/\\\s\"':]+)")

_ROOT = r"(?:~[\w.-]*[/\\]|[/\\]|[A-Za-z]:[/\\])"
"""The beginning of an absolute path."""

_QUOTED = re.compile(rf"([\"'`]){_ROOT}(?:[^\"'`\n]*[/\\])?([^\"'`/\\\n]*)\1")

_PART = r"[^\s\"'`:;,<>()\[\]{}|/\\]+"
"""One part of a path inside a sentence."""

_BARE = re.compile(rf"(?<![\w/\\:.~]){_ROOT}(?:{_PART}[/\\]+)*({_PART})")

_ADDRESS = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}(?=:\d)")


def anonymous(paths: Sequence[Path]) -> tuple[Header, Iterator[Entry]]:
    """Return journals as `merged` does, without names of machines, people and folders.

    The journals are read twice, because names are collected from all of them first. Names become
    ``host-1``, ``user-1`` and so on; only the last part of a path stays.

    Raises:
        InputError, FormatError: as `merged`.
    """
    header, entries = merged(paths)
    names = _Names(header, tables_of(entries))
    header, entries = merged(paths)
    table = names.without(table_of_header(header))
    plain = Header(plan=table["plan"], environment=table["environment"])
    return plain, _entries(map(names.without, tables_of(entries)))


def _entries(tables: Iterable[dict[str, Any]]) -> Iterator[Entry]:
    sizes: dict[str, int] = {}
    for table in tables:
        if (entry := entry_of(table_of_line(line_of(table)), sizes)) is not None:
            if isinstance(entry, Case):
                sizes[entry.id] = entry.board.layout.n
            yield entry


class _Names:
    """The names that occur in journals, and the replacement of each."""

    def __init__(self, header: Header, tables: Iterable[Mapping[str, Any]]) -> None:
        """Collect the names of this machine and its user, and those in the journals."""
        self._hosts: dict[str, str] = {}
        self._users: dict[str, str] = {}
        labels = dict.fromkeys(header.plan["backends"])
        self._find_all(header.environment)
        for table in tables:
            self._find_all(table)
            if "backend" in table:
                labels[table["backend"]] = None
        self._host(platform.node())
        with contextlib.suppress(Exception):  # the system may not know
            self._user(getpass.getuser())
        self._home = str(Path.home())
        self._user(Path(self._home).name)
        for label in labels:  # a backend may be named after its author
            for table_of_names in (self._hosts, self._users):
                table_of_names.pop(re.split(r"[\[: ]", label)[0].lower(), None)
        names = self._hosts | self._users
        words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        self._word = re.compile(
            rf"(?<![A-Za-z0-9])(?:{words or '(?!)'})(?![A-Za-z0-9])", re.IGNORECASE
        )
        self._names = names
        self._labels: dict[str, str] = {}
        self._labels = self._different(labels)

    def without(self, table: Mapping[str, Any]) -> dict[str, Any]:
        """Return the table of a line without the names."""
        kept_fields = {
            name: value if name in _PUBLIC else self._in_value(value)
            for name, value in table.items()
        }
        if "source" in kept_fields:
            kept_fields["source"] = re.split(r"[/\\]", table["source"])[-1]
            kept_fields["source"] = self._in_text(kept_fields["source"])
        return kept_fields

    def _find_all(self, value: object, name: str = "") -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key not in _PUBLIC:
                    self._find_all(inner, key)
        elif isinstance(value, list):
            for inner in value:
                self._find_all(inner, name)
        elif isinstance(value, str):
            if name in ("host", "machines"):
                self._host(value)
            elif name == "worker":
                self._host(value.rpartition("/")[0].partition(":")[0])
            for user in _HOME.findall(value):
                self._user(user)

    def _host(self, name: str) -> None:
        """Add a name, with and without its domain."""
        for host in dict.fromkeys((name, name.partition(".")[0])):
            if host.lower() not in _COMMON:
                self._hosts.setdefault(host.lower(), f"host-{len(self._hosts) + 1}")

    def _user(self, name: str) -> None:
        if name.lower() not in _COMMON:
            self._users.setdefault(name.lower(), f"user-{len(self._users) + 1}")

    def _different(self, labels: Iterable[str]) -> dict[str, str]:
        """Return the replacement of each label; different labels get different ones."""
        names: dict[str, str] = {}
        for label in labels:
            plain = new = self._in_text(label)
            suffix = 1
            while new in names.values():
                suffix += 1
                new = f"{plain} #{suffix}"
            names[label] = new
        return names

    def _in_value(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {self._in_text(key): self._in_value(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self._in_value(inner) for inner in value]
        return self._in_text(value) if isinstance(value, str) else value

    def _in_text(self, text: str) -> str:
        if text in self._labels:
            return self._labels[text]
        if len(self._home) > 1:
            text = text.replace(self._home, "~")
        text = _QUOTED.sub(r"\1\2\1", text)
        text = _BARE.sub(r"\1", text)
        text = _ADDRESS.sub("address", text)
        return self._word.sub(lambda match: self._names[match[0].lower()], text)
