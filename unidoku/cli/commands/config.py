"""``unidoku config``: the settings in force, the source of each, and their effect on `auto`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from unidoku.api import configured
from unidoku.backends.auto import KINDS, table
from unidoku.backends.options import parse_label
from unidoku.cli.common import DEFAULT_TIME_LIMIT, print_notes, print_table
from unidoku.cli.consent import with_trust
from unidoku.cli.printing import example, say
from unidoku.settings import Setting, Settings, read_settings
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

    If the backend is auto, a second table shows for each kind of board how many failures end the
    first search, which installed backend then continues, and on which machine that was measured.
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
        print_table(["boards", "handed over after", "to"], list(_handed_over(settings)))
        say(f"measured: {table().machine}")


def _handed_over(settings: Settings) -> Iterator[list[str]]:
    """Yield for each kind of board when and to which backend `auto` hands it over."""
    parameters = configured(settings.backend.value, settings).parameters()
    for kind, words in KINDS.items():
        failures = plural(int(parameters[f"failures_{kind}"]), "failure")
        yield [words, f"{failures} in a row", str(parameters[f"then_{kind}"]) or "no backend"]
