"""The example at the end of a command's help."""

from __future__ import annotations


def example(arguments: str) -> str:
    """Return the end of a help text: a command line, on a line of its own."""
    return f"\b\nExample:\n  unidoku {arguments}"
