"""Ctrl-C, from the first moments of a command to its last.

Python raises KeyboardInterrupt between any two instructions of the main thread, so also in a
destructor or in a callback of a compiled library, where exceptions are dropped: the command
would go on. LLVM calls back while it compiles. Here an interrupt that is dropped comes again.
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

__all__ = ["finish", "listen"]

_AGAIN = 0.01
"""Seconds until an interrupt that was dropped comes again."""

_interrupted = False


class Interrupt(KeyboardInterrupt):
    """Ctrl-C, which comes again if it is dropped before the command has heard of it.

    A class of its own, for where exactly KeyboardInterrupt leaves an ``exec``, as in
    `collections.namedtuple`, Python ends the process by the signal, even if it was caught.
    """

    def __del__(self) -> None:
        """Come again: nobody holds the exception any more, and the command goes on."""
        if signal.getsignal(signal.SIGINT) is _raise:
            start_new_thread(_come_again, ())


def listen() -> None:
    """Raise Ctrl-C in the main thread until `finish`; not where it is ignored, as after nohup."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    signal.signal(signal.SIGINT, _raise)
    atexit.register(_end)  # the first to be registered is the last to be called


def finish(*, interrupted: bool = False) -> None:
    """End the process at the next Ctrl-C: all is said, and what is left is to clean up.

    Args:
        interrupted: whether that is because an interrupt was heard. Modules are not torn down
            then: compiled libraries may hold what was made by half, and crash.
    """
    global _interrupted  # noqa: PLW0603 - of this process
    if signal.getsignal(signal.SIGINT) is _raise:
        _interrupted = interrupted
        signal.signal(signal.SIGINT, _leave)


def _raise(_signal: int, _frame: FrameType | None) -> NoReturn:
    # What is dropped from now on is this, or follows from it, such as objects made by half.
    sys.unraisablehook = lambda _: None
    raise Interrupt


def _end() -> None:
    """Do the last of what is done at exit."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # nobody is left to hear of it
    if _interrupted:
        os._exit(INTERRUPTED)


def _leave(_signal: int, _frame: FrameType | None) -> NoReturn:
    os._exit(INTERRUPTED)


def _come_again() -> None:
    time.sleep(_AGAIN)  # by then the main thread has left what dropped it
    if signal.getsignal(signal.SIGINT) is not _raise:
        return
    if sys.platform == "win32":
        interrupt_main()
    else:  # a signal, as that ends a wait of the main thread, which may have begun by now
        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
