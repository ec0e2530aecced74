"""``unidoku completion``: a script that lets a shell complete commands, options and values."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from unidoku.cli.printing import example, put

VARIABLE = "_UNIDOKU_COMPLETE"
"""The environment variable that requests completions; see `unidoku.cli.program`."""


@click.command("completion", epilog=example("completion bash"))
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script by which a shell completes commands.

    It completes options and their values too. Values are installed backends, variants, formats,
    languages, techniques, rules and families.

    \b
    bash, in ~/.bashrc:                   eval "$(unidoku completion bash)"
    zsh, in ~/.zshrc, after compinit:     eval "$(unidoku completion zsh)"
    fish, in ~/.config/fish/config.fish:  unidoku completion fish | source
    """  # noqa: D301 - click keeps the lines after a backspace as they are
    kind = get_completion_class(shell)
    assert kind is not None, "click has all three"
    complete = kind(context.find_root().command, {}, "unidoku", VARIABLE)
    put(complete.source_template % complete.source_vars())
