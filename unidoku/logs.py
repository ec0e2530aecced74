"""Messages below the logger ``unidoku``, which nobody sees until a program configures `logging`."""

from __future__ import annotations

import logging
from functools import cache

__all__ = ["logger", "warn_once"]

logging.getLogger("unidoku").addHandler(logging.NullHandler())


def logger(name: str) -> logging.Logger:
    """Return the logger of a module, as `logging.getLogger` does."""
    return logging.getLogger(name)


@cache
def warn_once(name: str, message: str) -> None:
    """Log a warning of a module, the same one only once in this process."""
    logger(name).warning(message)
