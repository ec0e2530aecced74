"""The file on disk: read, watched, and written whole; never over what somebody else wrote."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeAlias

from unidoku.errors import InputError, UnidokuError, reason
from unidoku.serve.document import LAYERS, Marks, State, Version, content_of, new_text
from unidoku.serve.edits import COLOURS
from unidoku.support.atomic_write import make_folder, write_text
from unidoku.support.user_dirs import cache_folder

Signature: TypeAlias = tuple[int, int, int] | None
"""The time of change, the size and the number of a file; None if there is none."""

ENDING = ".toml"

_LONGEST_NAME = 100


class FileOnDisk:
    """A puzzle file, and what of it is known.

    Args:
        path: the file, which need not exist.

    Attributes:
        text: the content that was read or written last.
        other: a content that somebody else wrote since; empty if there is none.
        error: why the file could not be read or written; empty if it could.
    """

    def __init__(self, path: Path) -> None:
        """Know nothing of the file yet."""
        self.path = path
        self.text = ""
        self.other = ""
        self.error = ""
        self._signature: Signature = None

    def look(self) -> bool:
        """Return whether somebody else changed the file since it was read or written.

        If so, ``other`` is its new content.
        """
        signature = signature_of(self.path)
        if signature == self._signature:
            return False
        self._signature = signature
        if signature is None:
            self.error = f"{self.path.name} was removed; the next edit writes it again"
            self.text = ""
            return True
        text = read(self.path)
        if text == self.text and not self.other:
            return False
        self.other, self.error = ("", "") if text == self.text else (text, "")
        return True

    def take(self) -> str:
        """Accept what somebody else wrote, and return it."""
        self.text, self.other, self.error = self.other, "", ""
        return self.text

    def write(self, text: str) -> None:
        """Write the file, if nobody else changed it.

        Raises:
            OutputError: it cannot be written; the old content stays.
        """
        self.look()
        if self.other:
            return
        write_text(self.path, text, force=True)
        signature = signature_of(self.path)
        if read(self.path) == text:  # if not, the next look finds the other content
            self._signature = signature
        self.text, self.error = text, ""


def signature_of(path: Path) -> Signature:
    """Return what changes when a file is written."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def read(path: Path) -> str:
    """Return the content of a file.

    Raises:
        InputError: it cannot be read, or is not text.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {reason(error)}") from error


def opened(path: Path | None) -> tuple[State, list[Version], FileOnDisk | None]:
    """Return the state of a file, or an empty board if there is none, its versions, and the file.

    Raises:
        InputError: it is not a puzzle file.
    """
    if path is None:
        return *_recalled(State.of(new_text(9, "classic")), None), None
    if path.suffix.lower() != ENDING:
        raise InputError(
            f"expected a puzzle file that ends in {ENDING}, got {str(path)!r}; make one with: "
            "unidoku convert FILE --to toml -o NAME.toml"
        )
    file = FileOnDisk(path)
    if path.exists():
        file.look()
        try:
            state = State.of(file.take())
        except UnidokuError as error:
            raise InputError(f"{path}: {error}") from error
    else:
        if not path.parent.is_dir():
            raise InputError(f"expected a file in a folder that exists, got {str(path)!r}")
        state = State.of(new_text(9, "classic"))
    return *_recalled(state, path), file


def checked_name(name: str) -> str:
    """Return the name of a new file, with its ending.

    Raises:
        InputError: it is not the plain name of a file.
    """
    name = name if name.lower().endswith(ENDING) else f"{name}{ENDING}"
    plain = name.isprintable() and not {*name} & {*'/\\:*?"<>|'} and not name.startswith(".")
    if not plain or name == ENDING or len(name) > _LONGEST_NAME:
        raise InputError(f"name: expected the name of a file without a folder, got {name!r}")
    return name


def _notes_of(path: Path | None) -> Path | None:
    """Return the file in the cache with what is written on a board; None without a cache."""
    folder = cache_folder()
    if folder is None:
        return None
    name = str(Path.cwd() if path is None else path.resolve())
    digest = hashlib.sha256(name.encode(errors="replace")).hexdigest()[:16]
    return folder / "workbench" / f"{'new-' if path is None else ''}{digest}.json"


def remember(state: State, path: Path | None, versions: Iterable[Version] = ()) -> None:
    """Keep what a player wrote, and versions; without a file, the puzzle too."""
    file = _notes_of(path)
    if file is None:
        return
    table = _notes(state) | {
        "text": state.text if path is None else "",
        "versions": [{"name": v.name, **_notes(v.state), "text": v.state.text} for v in versions],
    }
    with suppress(UnidokuError, OSError):  # it is only a convenience
        make_folder(file.parent, 0o700)
        write_text(file, json.dumps(table), force=True)


def _notes(state: State) -> dict[str, Any]:
    switched = {"ignored": sorted(state.ignored), "hidden": sorted(state.hidden)}
    return asdict(state.marks) | switched


_MISFITS = (OSError, ValueError, TypeError, KeyError, AttributeError, UnidokuError)
"""What notes raise that are not ours."""


def _recalled(state: State, path: Path | None) -> tuple[State, list[Version]]:
    """Return a state with what a player wrote before, where it fits, and the versions."""
    file = _notes_of(path)
    versions: list[Version] = []
    with suppress(*_MISFITS):
        if file is not None:
            table = json.loads(file.read_text(encoding="utf-8"))
            state = _with_notes(state, table, str(table["text"]) if path is None else "")
            for entry in table.get("versions", ()):
                with suppress(*_MISFITS):
                    version = _with_notes(state, entry, str(entry["text"]))
                    versions.append(Version(str(entry["name"]), version))
    return state, versions


def _with_notes(state: State, table: dict[str, Any], text: str) -> State:
    if text:
        state = State.of(text)
    layout = content_of(state.text).layout
    layers = {name: tuple(table[name]) for name in LAYERS}
    for values in layers.values():
        if len(values) != len(layout) or not all(type(v) is int and v >= 0 for v in values):
            return state
    if max(layers["entries"], default=0) > layout.n:
        return state
    sizes = {"corner": layout.n, "centre": layout.n, "colours": COLOURS}
    if any(max(layers[name], default=0).bit_length() > size for name, size in sizes.items()):
        return state
    rules = range(len(state.content.parts))
    ignored, hidden = (
        frozenset(index for index in table[name] if index in rules)
        for name in ("ignored", "hidden")
    )
    return replace(state, marks=Marks(**layers), ignored=ignored, hidden=hidden)
