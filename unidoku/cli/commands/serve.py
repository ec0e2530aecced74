"""``unidoku serve``: the workbench in the browser."""

from __future__ import annotations

from pathlib import Path

import click

from unidoku.cli import codes
from unidoku.cli.printing import example, say
from unidoku.errors import OutputError
from unidoku.settings import read_settings
from unidoku.support.extras import command as install
from unidoku.support.extras import is_installed, not_installed
from unidoku.support.language import LANGUAGES, in_language


@click.command("serve", epilog=example("serve killer.toml"))
@click.argument("file", required=False, metavar="[FILE]", type=click.Path(path_type=Path))
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    show_default=False,
    metavar="N",
    help="Port of this machine; any free one by default.",
)
@click.option("--no-browser", is_flag=True, help="Only print the address of the page.")
@click.option(
    "--f-puzzles",
    is_flag=True,
    help="Also answer f-puzzles with Rangsk's userscript, on port 4545.",
)
@click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    help="Language of the page, its hints and rules; en by default.",
)
def command(
    file: Path | None, port: int, no_browser: bool, f_puzzles: bool, lang: str | None
) -> int:
    """Edit and solve the puzzle FILE in the browser.

    The first line of the output is the address of the page, with a token that the page needs. FILE
    is saved after each edit, and may be changed by other programs at the same time; if it does not
    exist, the first edit makes it. Only this machine can reach the page. Ctrl-C ends it.
    """
    for library in ("starlette", "uvicorn", "websockets"):
        if not is_installed(library):
            raise not_installed(f"unidoku serve needs {library}", install("serve"))
    from unidoku.serve.run import end_despite_threads, serve

    code = codes.YES
    try:
        with in_language(lang or read_settings().language.value):
            serve(file, port=port, browser=not no_browser, f_puzzles=f_puzzles, ready=say)
    except OutputError as error:
        say(f"unidoku: {error}", err=True)
        code = codes.ERROR
    end_despite_threads(code)
    return code
