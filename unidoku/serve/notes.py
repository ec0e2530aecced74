"""Notes in the cache: what is in no puzzle file, which the next start takes up again.

These are what a player wrote on a board, the versions that were kept, a puzzle that could not be
saved, and how the page looks. Without a cache nothing is kept.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from unidoku.errors import UnidokuError
from unidoku.serve.document import LAYERS, Marks, State, Version, content_of
from unidoku.serve.edits import COLOURS, lines_of
from unidoku.support.atomic_write import make_folder, write_text
from unidoku.support.user_dirs import cache_folder

UNSAVED = "not saved"
"""The name of the version that could not be written before the file was changed on disk."""


_MISFITS = (OSError, ValueError, TypeError, KeyError, AttributeError, UnidokuError)
"""What notes raise that are not ours, or are not there."""


def _file(name: str) -> Path | None:
    """Return the file of a note; None without a cache."""
    folder = cache_folder()
    return None if folder is None else folder / "workbench" / f"{name}.json"


def _keep(name: str, table: Mapping[str, Any]) -> Path | None:
    """Write a note; return where it is, None if that is impossible: it is only a convenience."""
    if (file := _file(name)) is not None:
        with suppress(UnidokuError, OSError):
            make_folder(file.parent, 0o700)
            write_text(file, json.dumps(table), force=True)
            return file
    return None


def _table_of(name: str) -> dict[str, Any]:
    """Return what a note says, an empty table without a cache; it may raise any of `_MISFITS`."""
    file = _file(name)
    table: dict[str, Any] = {} if file is None else json.loads(file.read_text(encoding="utf-8"))
    return table


def _name_of(path: Path | None) -> str:
    """Return the name of the note about a puzzle."""
    name = str(Path.cwd() if path is None else path.resolve())
    return f"{'new-' if path is None else ''}{_digest(name)}"


VIEW: Mapping[str, str | bool] = {"palette": "usual", "numbers": False, "coordinates": False}
"""How the page looks where nothing else was chosen."""


def remember_view(view: Mapping[str, Any]) -> None:
    """Keep how the page looks, for all puzzles."""
    _keep("view", dict(view))


def remembered_view() -> dict[str, Any]:
    """Return how the page looked last, as far as it is a look of ours."""
    view = dict(VIEW)
    with suppress(*_MISFITS):
        table = _table_of("view")
        view |= {k: table[k] for k in VIEW if type(table.get(k)) is type(VIEW[k])}
    return view


def remember(
    state: State, path: Path | None, versions: Iterable[Version] = (), saved: str | None = None
) -> Path | None:
    """Keep what a player wrote, and versions; and the puzzle if it is in no file.

    Args:
        state: the present state.
        path: the file of the puzzle; None if it has none.
        versions: the versions that are kept.
        saved: what the file holds; None if it holds the puzzle.

    Returns:
        Where it is kept; None if it cannot be.
    """
    is_saved = path is not None and saved in (None, state.text)
    table = _notes(state) | {
        "text": "" if is_saved else state.text,
        "instead_of": _digest(saved or ""),
        "versions": [{"name": v.name, **_notes(v.state), "text": v.state.text} for v in versions],
    }
    return _keep(_name_of(path), table)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16]


def _notes(state: State) -> dict[str, Any]:
    switched = {"ignored": sorted(state.ignored), "hidden": sorted(state.hidden)}
    return asdict(state.marks) | switched


def recalled(state: State, path: Path | None) -> tuple[State, list[Version]]:
    """Return a state with what a player wrote before, where it fits, and the versions.

    A puzzle that could not be saved is taken up again if its file is as it was; it is the newest
    version if somebody else has changed the file since.
    """
    versions: list[Version] = []
    with suppress(*_MISFITS):
        table = _table_of(_name_of(path))
        unsaved = str(table["text"])
        is_ours = path is None or table.get("instead_of") == _digest(state.text)
        state = _with_notes(state, table, unsaved if is_ours else "")
        for entry in table.get("versions", ()):
            with suppress(*_MISFITS):
                version = _with_notes(state, entry, str(entry["text"]))
                versions.append(Version(str(entry["name"]), version))
        if unsaved and not is_ours:
            versions.append(Version(UNSAVED, State.of(unsaved)))
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
    drawn = tuple(sorted(lines_of(layout, table.get("pen", ()))))
    rules = range(len(state.content.parts))
    ignored, hidden = (
        frozenset(index for index in table[name] if index in rules)
        for name in ("ignored", "hidden")
    )
    return replace(state, marks=Marks(**layers, pen=drawn), ignored=ignored, hidden=hidden)
