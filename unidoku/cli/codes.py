"""What the exit codes of all commands are; docs/command-line.md says what each command means."""

YES = 0
"""The answer is yes, or what was asked for is done."""

NO = 1
"""The answer is no, or it was not known within the limits: never that something failed."""

ERROR = 2
"""There is no answer: bad input or usage, a solver that fails, a file that cannot be written."""

INTERRUPTED = 130
"""Ctrl-C, as shells say it: 128 and the number of the signal."""


def answer(yes: object) -> int:
    """Return the exit code of an answer."""
    return YES if yes else NO
