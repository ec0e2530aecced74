"""Ctrl-C that a program may catch in the middle of a search."""

from __future__ import annotations


def forget_interrupted_exec() -> None:
    """Let the process end with its own exit code if it catches the present KeyboardInterrupt.

    Once KeyboardInterrupt has left an ``exec`` or ``eval`` of a text, Python ends the process with
    the signal, even if the exception is caught and the program returns normally. Dataclasses and
    named tuples are made by such an ``exec``, so this can happen in any import. The next ``exec``
    that succeeds clears the mark (``unhandled_keyboard_interrupt`` in pythonrun.c of CPython).
    """
    exec("")
