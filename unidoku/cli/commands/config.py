"""``unidoku config``: the settings in force, the source of each, and their effect on `auto`."""

from __future__ import annotations

import click

from unidoku.api import configured
from unidoku.backends.options import parse_label
from unidoku.cli.common import DEFAULT_TIME_LIMIT, print_notes, print_table
from unidoku.cli.consent import with_trust
from unidoku.cli.printing import example, say
from unidoku.settings import Setting, read_settings
from unidoku.support.text import plural


@click.command("config", epilog=example("config"))
@with_trust
def command() -> None:
    r"""Show the settings in force here, and the source of each.

    The first of these that has a setting decides: an option of the command; the environment
    (UNIDOKU_BACKEND); unidoku.toml in this folder or a parent; [tool.unidoku] in pyproject.toml
    there; your own unidoku.toml, which is in ~/.config/unidoku on Linux, in ~/Library/Application
    Support/unidoku on macOS, in %LOCALAPPDATA%\unidoku on Windows, or the file that
    UNIDOKU_SETTINGS names.

    If the backend is auto, a second table shows how long native searches alone, and with which
    installed backend it takes turns after that.
    """
    settings = read_settings()
    print_notes(map(str, settings.ignored))
    rows = []
    for name, setting in settings.rows():
        if name == "time_limit" and setting.value is None:
            setting = Setting(f"{DEFAULT_TIME_LIMIT:g}", "default of the commands")
        rows.append([name, str(setting.value), setting.source])
    print_table(["setting", "value", "from"], rows)
    if parse_label(settings.backend.value)[0] == "auto":
        say()
        parameters = configured(settings.backend.value, settings).parameters()
        alone = plural(int(parameters["budget"]), "propagation")
        then = str(parameters["then"]) or "no backend"
        print_table(["native alone for", "then in turns with"], [[alone, then]])
