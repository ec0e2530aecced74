"""Messages below the logger ``unidoku``, which nobody sees until a program configures `logging`.

WARNING says what could not be used; INFO which solver or engine took over, what was compiled, how
long something waited, and what was ignored; DEBUG what happens often. Easy searches log nothing.
"""

from __future__ import annotations

import logging
import warnings
from functools import cache

logging.getLogger("unidoku").addHandler(logging.NullHandler())


def logger(name: str) -> logging.Logger:
    """Return the logger of a module, as `logging.getLogger` does."""
    return logging.getLogger(name)


@cache
def warn_once(name: str, message: str) -> None:
    """Log a warning of a module, the same one only once in this process."""
    logger(name).warning(message)


@cache
def tell_once(name: str, message: str) -> None:
    """Log a warning of a module and issue it as a `UserWarning`, the same one only once."""
    logger(name).warning(message)
    warnings.warn(message, UserWarning, stacklevel=2)
