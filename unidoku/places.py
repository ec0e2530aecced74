r"""Where a user's files are on this system: settings, trust, and what may be thrown away.

| | settings | cache |
| --- | --- | --- |
| Linux | `~/.config/unidoku/unidoku.toml` | `~/.cache/unidoku` |
| macOS | `~/Library/Application Support/unidoku/unidoku.toml` | `~/Library/Caches/unidoku` |
| Windows | `%LOCALAPPDATA%\unidoku\unidoku.toml` | `%LOCALAPPDATA%\unidoku\Cache` |

The list of trusted folders, ``trusted.json``, is beside the settings.
Linux has them below `XDG_CONFIG_HOME` and `XDG_CACHE_HOME` where those are set.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

__all__ = [
    "CACHE_VARIABLE",
    "SETTINGS_VARIABLE",
    "TRUST_VARIABLE",
    "cache_folder",
    "settings_file",
    "trust_file",
]

CACHE_VARIABLE = "UNIDOKU_CACHE"
"""The environment variable that names another folder for the cache; empty for none."""

SETTINGS_VARIABLE = "UNIDOKU_SETTINGS"
"""The environment variable that names another file of settings; empty for none."""

TRUST_VARIABLE = "UNIDOKU_TRUSTED"
"""The environment variable that names another list of trusted folders; empty for none."""


def cache_folder() -> Path | None:
    """Return the folder of the cache, None for no cache."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen is None:
        return _of_this_user()[1]
    return Path(chosen) if chosen else None


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
