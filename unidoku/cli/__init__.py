"""The command line: one module for each command, imported when the command is called.

This module imports nothing that takes time, so that Ctrl-C ends a command with one line from the
first milliseconds on.
"""

from __future__ import annotations

import signal
import sys

from unidoku.cli.codes import ERROR, INTERRUPTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command ``unidoku`` in this process, and return its exit code.

    The standard streams of the process and its handling of Ctrl-C stay changed afterwards.

    Args:
        arguments: arguments of the command line; None for those of this process.
    """
    try:
        held = _hold_ctrl_c()
        from unidoku.cli import interrupt, streams

        interrupt.listen()
        if held is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)
        streams.prepare()
        from unidoku.cli.program import run

        code = run(arguments)
    except KeyboardInterrupt:  # before `run` handles it
        from unidoku.cli import interrupt

        interrupt.finish(interrupted=True)
        if sys.stderr is not None:
            sys.stderr.write("unidoku: interrupted\n")
        return INTERRUPTED
    except Exception:  # noqa: BLE001 - a bug of ours must not look like the answer "no"
        sys.excepthook(*sys.exc_info())
        code = ERROR
    interrupt.finish()
    return code


def _hold_ctrl_c() -> set[int] | None:
    """Hold Ctrl-C back until it is listened to: an import may drop the exception that it raises.

    Returns:
        The signals that were held back before; None where the system cannot hold one back.
    """
    if hasattr(signal, "pthread_sigmask"):
        return signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    return None
