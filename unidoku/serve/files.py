"""The file on disk: read, watched, and written whole; never over what somebody else wrote."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeAlias

from unidoku.errors import InputError, UnidokuError, reason
from unidoku.serve.document import LAYERS, LONGEST, Marks, State, Version, content_of, new_text
from unidoku.serve.edits import COLOURS
from unidoku.serve.pen import lines_of
from unidoku.support.atomic_write import make_folder, write_text
from unidoku.support.user_dirs import cache_folder

Signature: TypeAlias = tuple[int, int, int] | None
"""The time of change, the size and the number of a file; None if there is none."""

ENDING = ".toml"

_LONGEST_NAME = 100

_LARGEST = 4 * LONGEST
"""The most bytes of a file that is read: a character has up to four."""

UNSAVED = "not saved"
"""The name of the version that could not be written before the file was changed on disk."""


class FileOnDisk:
    """A puzzle file, and what of it is known.

    Args:
        path: the file, which need not exist.

    Attributes:
        text: the content that was read or written last.
        other: a content that somebody else wrote since; empty if there is none.
        error: why the file could not be read or written; empty if it could.
        unread: why what somebody else wrote cannot be read; empty if it can.
    """

    def __init__(self, path: Path) -> None:
        """Know nothing of the file yet."""
        self.path = path
        self.text = ""
        self.other = ""
        self.error = ""
        self.unread = ""
        self._signature: Signature = None

    def look(self) -> bool:
        """Return whether somebody else changed the file since it was read or written.

        If so, ``other`` is its new content.

        Raises:
            InputError: it was changed, and cannot be read.
        """
        signature = signature_of(self.path)
        if signature == self._signature:
            return False
        self._signature = signature
        self.unread = ""
        if signature is None:
            self.error = f"{self.path.name} was removed; the next edit writes it again"
            self.text = ""
            return True
        try:
            text = read(self.path)
        except InputError as error:
            self.unread = str(error)
            raise
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
            InputError: somebody else changed it, and it cannot be read; it stays as it is.
            OutputError: it cannot be written; the old content stays.
        """
        self.look()
        if self.unread:
            raise InputError(self.unread)
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
        InputError: it cannot be read, is too large for a puzzle file, or is not text.
    """
    try:
        if (size := path.stat().st_size) > _LARGEST:
            raise InputError(
                f"{path} cannot be read: expected a file of up to {_LARGEST:,} bytes, got {size:,}"
            )
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
    return folder / "workbench" / f"{'new-' if path is None else ''}{_digest(name)}.json"


def _view_file() -> Path | None:
    """Return the file in the cache with how the page looks; None without a cache."""
    folder = cache_folder()
    return None if folder is None else folder / "workbench" / "view.json"


VIEW: Mapping[str, str | bool] = {"palette": "usual", "numbers": False, "coordinates": False}
"""How the page looks where nothing else was chosen."""


def remember_view(view: Mapping[str, Any]) -> None:
    """Keep how the page looks, for all puzzles."""
    if (file := _view_file()) is not None:
        with suppress(UnidokuError, OSError):  # it is only a convenience
            make_folder(file.parent, 0o700)
            write_text(file, json.dumps(dict(view)), force=True)


def remembered_view() -> dict[str, Any]:
    """Return how the page looked last, as far as it is a look of ours."""
    view = dict(VIEW)
    with suppress(*_MISFITS):
        if (file := _view_file()) is not None:
            table = json.loads(file.read_text(encoding="utf-8"))
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
    file = _notes_of(path)
    if file is None:
        return None
    is_saved = path is not None and saved in (None, state.text)
    table = _notes(state) | {
        "text": "" if is_saved else state.text,
        "instead_of": _digest(saved or ""),
        "versions": [{"name": v.name, **_notes(v.state), "text": v.state.text} for v in versions],
    }
    with suppress(UnidokuError, OSError):
        make_folder(file.parent, 0o700)
        write_text(file, json.dumps(table), force=True)
        return file
    return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16]


def _notes(state: State) -> dict[str, Any]:
    switched = {"ignored": sorted(state.ignored), "hidden": sorted(state.hidden)}
    return asdict(state.marks) | switched


_MISFITS = (OSError, ValueError, TypeError, KeyError, AttributeError, UnidokuError)
"""What notes raise that are not ours."""


def _recalled(state: State, path: Path | None) -> tuple[State, list[Version]]:
    """Return a state with what a player wrote before, where it fits, and the versions.

    A puzzle that could not be saved is taken up again if its file is as it was; it is the newest
    version if somebody else has changed the file since.
    """
    file = _notes_of(path)
    versions: list[Version] = []
    with suppress(*_MISFITS):
        if file is not None:
            table = json.loads(file.read_text(encoding="utf-8"))
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
