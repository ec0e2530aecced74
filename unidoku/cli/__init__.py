"""The command line: one module for each command, imported when the command is called.

This module imports nothing that takes time, so that Ctrl-C ends a command with one line from the
first milliseconds on.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

from unidoku.cli.codes import ERROR, INTERRUPTED
from unidoku.errors import OUT_OF_MEMORY, is_out_of_memory

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
    _forget_script_folder()
    try:
        mask = _hold_ctrl_c()
        from unidoku.cli import headroom, interrupt, streams
        from unidoku.errors import NotInstalledError
        from unidoku.support.extras import needing

        headroom.keep_headroom()
        interrupt.listen()
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        streams.prepare()
        try:
            with needing("unidoku"):
                from unidoku.cli.program import run
        except NotInstalledError as error:
            sys.stderr.write(f"unidoku: {error}\n")
            return ERROR
        code = run(arguments)
    except KeyboardInterrupt:  # before `run` handles it
        return _stop()
    except Exception as error:  # noqa: BLE001 - a bug of ours must not look like the answer "no"
        if isinstance(error.__cause__, KeyboardInterrupt):
            # Python before 3.12 raises a RuntimeError in its place where a class was being made.
            return _stop()
        if isinstance(error, MemoryError) or is_out_of_memory(error):
            return _starve(is_own=arguments is None)
        try:
            sys.excepthook(*sys.exc_info())
        except Exception:  # noqa: BLE001 - there may be no memory for the message
            return _starve(is_own=arguments is None)
        return ERROR
    interrupt.finish()
    return code


def _stop() -> int:
    """Say that Ctrl-C has ended the command."""
    from unidoku.cli import interrupt

    interrupt.finish(interrupted=True)
    if sys.stderr is not None:
        sys.stderr.write("unidoku: interrupted\n")
    return INTERRUPTED


def _forget_script_folder() -> None:
    """Do not search the folder of the script ``unidoku`` for modules.

    Python puts the folder of a script first, and packages put programs there that look like
    modules.
    """
    folder, name = os.path.split(os.path.realpath(sys.argv[0] if sys.argv else ""))
    if name.partition(".")[0] == "unidoku" and sys.path[:1] == [folder]:
        del sys.path[0]


_STARVED = f"unidoku: {OUT_OF_MEMORY}\n".encode()
"""Made now, as there may be no memory for it later."""


def _starve(*, is_own: bool) -> int:
    """Say that there is no memory; end the process if it is the command's own.

    It ends at once: Python may not even get the memory that it takes to exit with a code, and then
    exits with 1, which means "no".
    """
    with suppress(Exception):
        sys.stdout.flush()
    os.write(2, _STARVED)
    if is_own:
        os._exit(ERROR)
    return ERROR


def _hold_ctrl_c() -> set[int] | None:
    """Hold Ctrl-C back until it is listened to: an import may drop the exception that it raises.

    Returns:
        The signals that were held back before; None where the system cannot hold one back.
    """
    if hasattr(signal, "pthread_sigmask"):
        return signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    return None
