"""``unidoku trust``: allows the files of a folder to start programs and import modules."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from unidoku.cli.codes import answer
from unidoku.cli.printing import example, say
from unidoku.comparison import read_plan
from unidoku.comparison.config import starts_in_journal
from unidoku.comparison.journal import read_header
from unidoku.errors import InputError, UnidokuError
from unidoku.settings import read_settings
from unidoku.support.trust import Launch, add, distrust, trusted_folders

_SETTINGS = ("unidoku.toml", "pyproject.toml")


@click.command("trust", epilog=example("trust ."))
@click.argument("paths", nargs=-1, metavar="[FOLDER | FILE]…", type=click.Path(path_type=Path))
@click.option("--list", "listing", is_flag=True, help="List what is trusted, and change nothing.")
@click.option("--remove", is_flag=True, help="Trust nothing in these folders any more.")
def command(paths: tuple[Path, ...], listing: bool, remove: bool) -> int:
    """Trust what the files of a folder would start.

    These are programs, modules and commands; one FILE can be trusted instead of all of a FOLDER.
    Settings (unidoku.toml, [tool.unidoku] in pyproject.toml), comparisons and journals may name
    programs, Python modules, and options with commands or files. They are ignored or refused until
    you trust them here, agree on a terminal, or add --trust to the command. What is trusted is
    remembered by the folder and a digest of what the file says about it: if that changes, it must
    be trusted again. The programs and modules themselves may change.

    The exit code of --remove is 1 if nothing was trusted there.
    """
    if listing:
        if remove or paths:
            raise click.UsageError("--list: expected no other argument")
        folders = sorted(trusted_folders().items())
        for folder, launches in folders:
            _print(Path(folder), launches.values())
        if not folders:
            say("nothing is trusted")
        return answer(True)
    if not paths:
        raise click.UsageError("expected a folder or a file, as in: unidoku trust .")
    if remove:
        return answer(min([_distrust(path) for path in paths]))
    for path in paths:
        _trust(path)
    return answer(True)


def _trust(path: Path) -> None:
    """Trust the files of a folder, or a file, and print what they would start."""
    if path.is_dir():
        folder = path
        starts = [start for file in sorted(path.iterdir()) for start in _starts_if_known(file)]
    else:
        folder, starts = path.parent, [*_starts(path)]
    if not starts:
        say(f"{path}: it would start nothing that is not trusted")
        return
    add(folder, starts)
    _print(folder.resolve(), (start.words for start in dict.fromkeys(starts)))


def _distrust(path: Path) -> bool:
    """Trust nothing in a folder, or that of a file, and print whether something was trusted."""
    folder = path if path.is_dir() else path.parent
    removed = distrust(folder)
    say(f"{'no longer' if removed else 'nothing was'} trusted in {folder.resolve()}")
    return removed


def _starts_if_known(file: Path) -> Iterable[Launch]:
    """Return what a file of a folder would start; nothing if it is of another kind.

    Raises:
        SettingsError: it is a file of settings that cannot be read.
    """
    if not file.is_file():
        return ()
    if file.name in _SETTINGS:
        return _starts(file)
    try:
        return _starts(file)
    except UnidokuError:  # a puzzle in TOML, a journal of a hunt, what cannot be read
        return ()


def _starts(file: Path) -> Iterable[Launch]:
    """Return what a file would start.

    Raises:
        InputError: it is not of a kind that starts anything, or cannot be read.
    """
    if file.name in _SETTINGS:
        ignored = read_settings(file.parent).ignored
        return [
            start for entry in ignored if entry.file == file.absolute() for start in entry.starts
        ]
    if file.suffix == ".toml":
        return read_plan(file).starts
    if file.suffix == ".jsonl":
        return starts_in_journal(read_header(file).plan)
    raise InputError(
        f"expected a folder, settings, a comparison (.toml) or a journal (.jsonl), got {file}"
    )


def _print(folder: Path, launches: Iterable[str]) -> None:
    say(f"trusted in {folder}:")
    for words in launches:
        say(f"  {words}")
