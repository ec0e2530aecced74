"""What files may start and import: what the user trusted in their folder, and nothing else.

A file of settings, a comparison or a journal may come from anybody: with a clone, an archive, a
download. What it names beyond solvers of the catalogue (`unidoku.backends.reach`) has an effect
only if the user trusted exactly this in this folder (``unidoku trust``). What the user types, the
arguments of calls, and the user's own settings need no trust.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from unidoku.errors import SettingsError, reason
from unidoku.support.atomic_write import make_folder, write_text
from unidoku.support.lock import locked
from unidoku.support.setting import in_context
from unidoku.support.user_dirs import trust_file


@dataclass(frozen=True, slots=True)
class Launch:
    """Something that a file would import, start, read or write.

    Args:
        words: what it is, such as ``program newsat: ./newsat {file}``.
        digest: digest of all that the file says about it.
        declared: whether a file describes it in a table, so that a label is a mere name of it.
    """

    words: str
    digest: str
    declared: bool

    @classmethod
    def of(cls, words: str, table: object = None) -> Launch:
        """Return the start that a file describes, in a table or by a label alone."""
        text = json.dumps([words, table], sort_keys=True, default=str)
        digest = hashlib.sha256(text.encode()).hexdigest()[:32]
        return cls(words, digest, declared=table is not None)


Consent: TypeAlias = Callable[[str, Path, Sequence[Launch], bool], bool]
"""Returns whether the user agrees: of a file, its folder, what it would start, and whether it is
the time to ask."""

_consent: ContextVar[Consent] = ContextVar("consent", default=lambda *_: False)


def consenting(consent: Consent) -> AbstractContextManager[None]:
    """Ask this function about what is not trusted while the block runs; else the answer is no."""
    return in_context(_consent, consent)


def is_trusted(where: str, folder: Path, starts: Sequence[Launch], *, asking: bool = False) -> bool:
    """Return whether a file may start all of these.

    Args:
        where: name of the file.
        folder: its folder.
        starts: what it would start.
        asking: whether it is about to be started, so that the user may be asked; see `consenting`.

    Raises:
        SettingsError: the list of trusted folders cannot be read.
    """
    if not starts:
        return True
    known = trusted_folders().get(str(folder.resolve()), {})
    untrusted = [start for start in starts if start.digest not in known]
    return not untrusted or _consent.get()(where, folder, untrusted, asking)


def require(where: str, folder: Path, starts: Sequence[Launch]) -> None:
    """Refuse a file that would start what is not trusted; the arguments are those of `is_trusted`.

    Raises:
        SettingsError: the message names what is not trusted, and what to type.
    """
    if not is_trusted(where, folder, starts, asking=True):
        raise SettingsError(f"{to_type(where, folder, starts)}, or add --trust")


def to_type(where: str, folder: Path, starts: Sequence[Launch]) -> str:
    """Return what is not trusted, in words, and what to type if the user trusts it."""
    named = ", ".join(start.words for start in starts)
    return f"{where} is not trusted: {named}; if you trust it, type: unidoku trust {folder}"


def trusted_folders() -> dict[str, dict[str, str]]:
    """Return what is trusted in each folder: by its digest, in words.

    Raises:
        SettingsError: the file cannot be read.
    """
    path = trust_file()
    if path is None:
        return {}
    try:
        folders = json.loads(path.read_text(encoding="utf-8"))
        return {folder: dict(starts) for folder, starts in folders.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise SettingsError(
            f"{path}, the list of folders that you trust, cannot be read: {reason(error)}; "
            "remove it, and trust your folders again"
        ) from error


def add(folder: Path, starts: Iterable[Launch]) -> None:
    """Trust what a folder's files would start, in addition to what is trusted there.

    Raises:
        SettingsError: there is no list, or it cannot be read.
        OutputError: it cannot be written.
    """
    new = {start.digest: start.words for start in starts}
    _change(lambda folders: folders.setdefault(str(folder.resolve()), {}).update(new))


def distrust(folder: Path) -> bool:
    """Trust nothing in a folder any more; return whether something was trusted.

    Raises:
        SettingsError, OutputError: as for `add`.
    """
    name = str(folder.resolve())
    if name not in trusted_folders():
        return False
    _change(lambda folders: folders.pop(name, None))
    return True


def _change(change: Callable[[dict[str, dict[str, str]]], object]) -> None:
    path = trust_file()
    if path is None:
        raise SettingsError(
            "UNIDOKU_TRUSTED is empty, so nothing is kept; leave it out, or name a file"
        )
    make_folder(path.parent)
    with locked(path, wait=10):
        folders = trusted_folders()
        change(folders)
        write_text(path, json.dumps(folders, indent=2) + "\n", force=True)
