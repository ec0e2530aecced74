"""Handles Ctrl-C, from the start of a command to its end.

Python raises KeyboardInterrupt between any two instructions of the main thread, and therefore also
in a destructor or in a callback of a compiled library, where exceptions are dropped and the command
would continue. LLVM calls back while it compiles. This module raises a dropped interrupt again.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import time
from _thread import interrupt_main, start_new_thread
from threading import main_thread
from types import FrameType
from typing import NoReturn

from unidoku.cli.codes import INTERRUPTED

_AGAIN = 0.01
"""Seconds until an interrupt that was dropped is raised again."""

_interrupted = False


class Interrupt(KeyboardInterrupt):
    """Ctrl-C; it is raised again if it is dropped before the command has handled it.

    It is a subclass because Python ends the process with the signal if KeyboardInterrupt itself
    leaves an ``exec``, as in `collections.namedtuple`, even if it is caught later.
    """

    def __del__(self) -> None:
        """Raise the interrupt again: the exception was dropped, and the command still runs."""
        if signal.getsignal(signal.SIGINT) is _raise:
            start_new_thread(_come_again, ())


def listen() -> None:
    """Raise Ctrl-C in the main thread until `finish`, unless it is ignored, as after nohup."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    signal.signal(signal.SIGINT, _raise)
    atexit.register(_end)  # the function registered first is called last


def finish(*, interrupted: bool = False) -> None:
    """Let the next Ctrl-C end the process: the output is complete, only clean-up remains.

    Args:
        interrupted: whether an interrupt was handled. Modules are then not torn down, because
            compiled libraries may hold objects that are half made, and crash.
    """
    global _interrupted  # noqa: PLW0603 - of this process
    if signal.getsignal(signal.SIGINT) is _raise:
        _interrupted = interrupted
        signal.signal(signal.SIGINT, _leave)


def _raise(_signal: int, _frame: FrameType | None) -> NoReturn:
    # Exceptions dropped from now on are this one, or follow from it, as half-made objects do.
    sys.unraisablehook = lambda _: None
    raise Interrupt


def _end() -> None:
    """Run the last exit handler."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # nothing is left that could handle it
    if _interrupted:
        os._exit(INTERRUPTED)


def _leave(_signal: int, _frame: FrameType | None) -> NoReturn:
    os._exit(INTERRUPTED)


def _come_again() -> None:
    time.sleep(_AGAIN)  # the main thread has left the code that dropped it by then
    if signal.getsignal(signal.SIGINT) is not _raise:
        return
    if sys.platform == "win32":
        interrupt_main()
    else:  # a signal, because it also ends a wait of the main thread
        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
