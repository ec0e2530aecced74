"""The file on disk: read, watched, and written whole; never over what somebody else wrote."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from unidoku.errors import InputError, UnidokuError, reason
from unidoku.serve.document import LONGEST, State, Version, new_text
from unidoku.serve.notes import recalled
from unidoku.support.atomic_write import write_text

Signature: TypeAlias = tuple[int, int, int] | None
"""The time of change, the size and the number of a file; None if there is none."""

ENDING = ".toml"

_LONGEST_NAME = 100

_LARGEST = 4 * LONGEST
"""The most bytes of a file that is read: a character has up to four."""


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
    """Return time, size and inode of a file, which change when it is written; None without it."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


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
        return *recalled(State.of(new_text(9, "classic")), None), None
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
    return *recalled(state, path), file


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
