"""The exit codes of all commands; docs/command-line.md lists their meaning for each command."""

YES = 0
"""The answer is yes, or the command did what it was asked to do."""

NO = 1
"""The answer is no, or it was not found within the limits; never used for failures."""

ERROR = 2
"""There is no answer: bad input or usage, a solver that fails, a file that cannot be written."""

INTERRUPTED = 130
"""Ctrl-C, by the convention of shells: 128 plus the number of the signal."""


def answer(yes: object) -> int:
    """Return the exit code of an answer."""
    return YES if yes else NO
