r"""Where a user's files are on this system: settings, trust, and what may be thrown away.

| | settings | cache |
| --- | --- | --- |
| Linux | `~/.config/unidoku/unidoku.toml` | `~/.cache/unidoku` |
| macOS | `~/Library/Application Support/unidoku/unidoku.toml` | `~/Library/Caches/unidoku` |
| Windows | `%LOCALAPPDATA%\unidoku\unidoku.toml` | `%LOCALAPPDATA%\unidoku\Cache` |

The list of trusted folders, ``trusted.json``, is beside the settings.
Linux has them below `XDG_CONFIG_HOME` and `XDG_CACHE_HOME` where those are set.

The cache holds machine code, which is run. So its folder and its files have to belong to the user
who runs it, and nobody else may be allowed to write to them; on Windows the folders of a user are
so by default, which is not checked.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

from unidoku.support.logs import warn_once

CACHE_VARIABLE = "UNIDOKU_CACHE"
"""The environment variable that names another folder for the cache; empty for none."""

SETTINGS_VARIABLE = "UNIDOKU_SETTINGS"
"""The environment variable that names another file of settings; empty for none."""

TRUST_VARIABLE = "UNIDOKU_TRUSTED"
"""The environment variable that names another list of trusted folders; empty for none."""


def cache_folder() -> Path | None:
    """Return the folder of the cache, which may have to be made; None for no cache.

    A folder that is not the user's own is not used, which is logged once.
    """
    chosen = os.environ.get(CACHE_VARIABLE)
    folder = _of_this_user()[1] if chosen is None else Path(chosen) if chosen else None
    why = ""
    if folder is not None:
        with suppress(OSError):  # it is made, or it is an error, when something is written
            why = why_not_own(folder.stat())
    if why:
        todo = f"make it yours alone, or name another folder in {CACHE_VARIABLE}"
        warn_once(__name__, f"the cache in {folder} is not used: {why}; {todo}")
    return None if why else folder


def why_not_own(file: os.stat_result) -> str:
    """Return why others can change a file or a folder; empty if only this user can."""
    if sys.platform == "win32":
        return ""
    if file.st_uid != os.geteuid():
        return f"it belongs to another user (id {file.st_uid}, not {os.geteuid()})"
    others = file.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return "other users may write to it" if others else ""


def settings_file() -> Path | None:
    """Return the user's file of settings; None if there is none.

    One that the environment names may be missing; reading it raises the error.
    """
    chosen = os.environ.get(SETTINGS_VARIABLE)
    if chosen is None:
        file = _of_this_user()[0]
        return file if file.is_file() else None
    return Path(chosen) if chosen else None


def trust_file() -> Path | None:
    """Return the list of trusted folders, which may not exist yet; None if nothing is trusted."""
    chosen = os.environ.get(TRUST_VARIABLE)
    if chosen is None:
        return _of_this_user()[0].with_name("trusted.json")
    return Path(chosen) if chosen else None


@cache
def _of_this_user() -> tuple[Path, Path]:
    """Return the file of settings and the folder of the cache."""
    from platformdirs import PlatformDirs  # 3 ms

    dirs = PlatformDirs("unidoku", appauthor=False)
    return dirs.user_config_path / "unidoku.toml", dirs.user_cache_path
