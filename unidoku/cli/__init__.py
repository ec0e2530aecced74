"""The command line: one module a command, imported when it is called.

Nothing that takes time is imported here: from the first milliseconds on, Ctrl-C ends a command
with one line.
"""

from __future__ import annotations

import sys

from unidoku.cli.codes import ERROR, INTERRUPTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Be the command ``unidoku`` of this process, and return its exit code.

    The process's standard streams, and what it does at Ctrl-C, stay changed.

    Args:
        arguments: arguments of the command line; None for those of this process.
    """
    try:
        from unidoku.cli import interrupt, streams

        interrupt.listen()
        streams.prepare()
        from unidoku.cli.program import run

        code = run(arguments)
    except KeyboardInterrupt:  # before `run` could hear of it
        from unidoku.cli import interrupt

        interrupt.finish(interrupted=True)
        if sys.stderr is not None:
            sys.stderr.write("unidoku: interrupted\n")
        return INTERRUPTED
    except Exception:  # noqa: BLE001 - our own mistake, which must not look like the answer "no"
        sys.excepthook(*sys.exc_info())
        code = ERROR
    interrupt.finish()
    return code
