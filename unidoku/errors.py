"""Every exception that Unidoku raises on purpose.

UnidokuError
├── InputError (ValueError)                 what was given cannot be used
│   ├── FormatError                         a text is not a board; has line and column
│   ├── LayoutError                         units, regions or a variant do not make a layout
│   ├── OptionError                         an option of a backend is unknown or of the wrong type
│   ├── SettingsError                       a settings or comparison file is not valid
│   └── UnsupportedError                    a backend does not support this board or this limit
├── OutputError (OSError)                   a file cannot be written
├── UnknownBackendError (LookupError)       no backend has that name
├── NotInstalledError (ImportError)         a library that is needed is not installed
│   └── BackendNotInstalledError            the backend is known, its library is not installed
├── BackendError (RuntimeError)             the underlying solver failed
├── TimeLimitError (TimeoutError)           a question of several searches was not decided in time
├── MemoryLimitError (MemoryError)          a call needed more memory than it may have
├── Cancelled (RuntimeError)                the token of the call was cancelled
└── WrongAnswerError (RuntimeError)         the checker refuses what a backend returned

Each is also a builtin exception, so ``except ValueError`` does what its reader expects.
A board without solutions is not an error: it is a board, and it has no solutions.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from contextlib import suppress


class UnidokuError(Exception):
    """The base class: catch it to catch all of them."""


class InputError(UnidokuError, ValueError):
    """An input cannot be used; the message states what was expected."""


class FormatError(InputError):
    """A text or file is not in the expected format, such as that of a board, puzzle or journal.

    Attributes:
        message: what was expected and what was got, without the place.
        line: line of the text, from 1; 0 for the text as a whole.
        column: column in that line, from 1; 0 for the line as a whole.
        source: name of the file of the text; empty if it is not from a file.
    """

    def __init__(self, message: str, line: int = 0, column: int = 0, source: str = "") -> None:
        """Put the place in front of the message."""
        parts = [source, f"line {line}" if line else "", f"column {column}" if column else ""]
        prefix = ", ".join(filter(None, parts))
        super().__init__(f"{prefix}: {message}" if prefix else message)
        self.message = message
        self.line = line
        self.column = column
        self.source = source

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, int, int, str]]:
        """Rebuild from the parts, so that the place is not written twice."""
        return type(self), (self.message, self.line, self.column, self.source)

    def of(self, source: str) -> FormatError:
        """Return the same error with the file that the text is from."""
        return FormatError(self.message, self.line, self.column, source)


class LayoutError(InputError):
    """Units, regions or a variant that do not make a layout."""


class OptionError(InputError):
    """An option of a backend that does not exist, or has the wrong type.

    Attributes:
        unknown: the option that does not exist; empty if it has the wrong type.
    """

    def __init__(self, message: str, unknown: str = "") -> None:
        """Keep the option beside the message."""
        super().__init__(message)
        self.unknown = unknown


class SettingsError(InputError):
    """A settings or comparison file contains something that is not understood."""


class UnsupportedError(InputError):
    """A backend does not support this board, or cannot honour this limit.

    Attributes:
        reasons: the reasons without the rest of the message; may be empty.
    """

    def __init__(self, message: str, reasons: tuple[str, ...] = ()) -> None:
        """Keep the reasons beside the message."""
        super().__init__(message)
        self.reasons = reasons


class OutputError(UnidokuError, OSError):
    """A file exists or cannot be written; the message states what is kept, and what to do."""


class UnknownBackendError(UnidokuError, LookupError):
    """No backend has that name."""


class NotInstalledError(UnidokuError, ImportError):
    """A library that is needed is not installed; the message states what to type."""


class BackendNotInstalledError(NotInstalledError):
    """The backend is known, but the library it adapts is not installed."""


class BackendError(UnidokuError, RuntimeError):
    """The underlying solver failed; its exception is the cause."""


class TimeLimitError(UnidokuError, TimeoutError):
    """A question that takes several searches was not decided within its time limit."""


class MemoryLimitError(UnidokuError, MemoryError):
    """A call on untrusted input needed more memory than its limit."""


class Cancelled(UnidokuError, RuntimeError):  # noqa: N818 - a stop, not an error
    """The call's token, a `unidoku.Cancel`, was cancelled; what it had found is lost."""


class WrongAnswerError(UnidokuError, RuntimeError):
    """The checker refuses what a backend returned; the message is the evidence."""


OUT_OF_MEMORY = "out of memory; raise its limit, or ask for less: fewer boards, threads or workers"
"""The message of a command that does not get the memory that it needs."""

_UNMAPPED = ("failed to map", "cannot allocate memory", "can't start new thread")
"""What loaders of libraries and of threads say where there is no memory left."""


def is_out_of_memory(error: BaseException | None) -> bool:
    """Return whether an error is, or came from, a lack of memory."""
    while error is not None:
        if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
            return True
        if isinstance(error, SystemError) and "without" in str(error):  # a MemoryError that is lost
            return True
        if isinstance(error, ImportError | OSError | RuntimeError):
            message = ""
            with suppress(Exception):  # a user's class may fail to tell
                message = str(error).casefold()
            if any(words in message for words in _UNMAPPED):
                return True
        context = None if error.__suppress_context__ else error.__context__
        error = error.__cause__ or context
    return False


def reason(error: Exception) -> str:
    """Return what went wrong with a file, without the error's number and the file's name.

    >>> reason(FileNotFoundError(2, "No such file or directory", "mine.toml"))
    'No such file or directory'
    """
    return getattr(error, "strerror", None) or str(error)


def nearest(word: str, known: Iterable[str], otherwise: str | None = None) -> str:
    """Return a hint at the known word that was probably meant, as the end of an error message.

    If none is near, return another text, by default the list of all that are known.

    >>> nearest("cp_sat", ["norvig", "cp-sat"])
    "did you mean 'cp-sat'?"
    >>> nearest("zzz", ["norvig", "cp-sat"])
    'known: cp-sat, norvig'

    Capitals, dashes and blanks do not count:

    >>> nearest("xwing", ["X-wing", "Y-wing"])
    "did you mean 'X-wing'?"
    """
    import difflib  # few commands need it

    words = sorted(known)
    letters = _letters(word)
    same = [known for known in words if letters and _letters(known) == letters]
    if near := same or difflib.get_close_matches(word, words, n=9):
        meant = max(
            near, key=lambda name: difflib.SequenceMatcher(None, letters, _letters(name)).ratio()
        )
        return f"did you mean {meant!r}?"
    return "known: " + (", ".join(words) or "none") if otherwise is None else otherwise


def _letters(word: str) -> str:
    return "".join(filter(str.isalnum, word)).casefold()
