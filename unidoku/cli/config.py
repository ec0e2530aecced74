"""``unidoku config``: the settings in force, and the source of each."""

from __future__ import annotations

import click

from unidoku.cli.common import DEFAULT_TIME_LIMIT, print_table
from unidoku.config import Setting, read_settings


@click.command("config")
def command() -> None:
    r"""Show the settings in force here, and the source of each.

    A setting is taken from the command, else the environment (UNIDOKU_BACKEND), else
    unidoku.toml in this folder or a parent, else [tool.unidoku] in pyproject.toml there, else your
    own unidoku.toml: on Linux in ~/.config/unidoku, on macOS in ~/Library/Application
    Support/unidoku, on Windows in %LOCALAPPDATA%\unidoku, or the file that UNIDOKU_SETTINGS names.
    """
    rows = []
    for name, setting in read_settings().rows():
        if name == "time_limit" and setting.value is None:
            setting = Setting(f"{DEFAULT_TIME_LIMIT:g}", "default of the commands")
        rows.append([name, str(setting.value), setting.source])
    print_table(["setting", "value", "from"], rows)
