"""Cancellation: a token that ends calls from another thread.

The tokens of a call are in force while it runs, in a context variable: code that looks at a clock
(`unidoku.support.deadline`) looks at them too, so that no function has to pass them on. Code that
waits where no clock is looked at is told by a listener.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import ParamSpec, TypeVar

from unidoku.errors import Cancelled, InputError
from unidoku.support.schema import shown
from unidoku.support.setting import in_context

P = ParamSpec("P")
T = TypeVar("T")


class Cancel:
    """A token that ends the calls that have it, from any thread.

    Any number of calls may have the same token, at the same time or later. A call whose token is
    cancelled raises `Cancelled`, also one that begins afterwards.

    >>> cancel = Cancel()
    >>> cancel.cancel()
    >>> cancel
    <Cancel: cancelled>
    """

    __slots__ = ("_is_cancelled", "_listeners")

    def __init__(self) -> None:
        """Make a token that is not cancelled."""
        self._is_cancelled = False
        # Appended to, removed from and copied in one step of the interpreter each: no lock, which
        # a signal handler that cancels could find taken by the code that it interrupts.
        self._listeners: list[Callable[[], object]] = []

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` has been called."""
        return self._is_cancelled

    def cancel(self) -> None:
        """End the calls that have this token, soon; there is no way back.

        It returns at once and may be called several times, from a signal handler too.
        """
        self._is_cancelled = True
        for listener in tuple(self._listeners):
            listener()

    def listen(self, listener: Callable[[], object]) -> None:
        """Have `cancel` call a function, in its thread, once for each time that this is called."""
        self._listeners.append(listener)

    def forget(self, listener: Callable[[], object]) -> None:
        """Take back one call of `listen`."""
        self._listeners.remove(listener)

    def __repr__(self) -> str:
        """Return whether it is cancelled, in words."""
        return f"<Cancel: {'' if self.cancelled else 'not '}cancelled>"


_in_force: ContextVar[tuple[Cancel, ...]] = ContextVar("cancel", default=())

in_force: Callable[[], tuple[Cancel, ...]] = _in_force.get
"""Return the tokens of the calls that run in this context."""


def raise_if_cancelled(tokens: tuple[Cancel, ...]) -> None:
    """Raise Cancelled if one of some tokens is cancelled."""
    for token in tokens:
        if token.cancelled:
            raise Cancelled("the call was cancelled")


@contextmanager
def _under(token: Cancel) -> Iterator[None]:
    """Have a token in force while the block runs."""
    with in_context(_in_force, (*in_force(), token)):
        raise_if_cancelled((token,))
        yield


def _token(given: object) -> Cancel | None:
    """Return the token of a call, None if it has none.

    Raises:
        InputError: it is something else, such as the method of a token.
    """
    if given is None or isinstance(given, Cancel):
        return given
    raise InputError(f"cancel: expected Cancel | None, got {shown(given)}")


def cancellable(call: Callable[P, T]) -> Callable[P, T]:
    """Have the token that a function gets as ``cancel``, if any, in force while it runs."""

    @wraps(call)
    def under(*arguments: P.args, **keywords: P.kwargs) -> T:
        token = _token(keywords.get("cancel"))
        if token is None:
            return call(*arguments, **keywords)
        with _under(token):
            return call(*arguments, **keywords)

    return under


def each_step(iterator: Iterator[T], token: Cancel | None) -> Iterator[T]:
    """Return an iterator that the token cancels while it works, not while its caller does."""
    token = _token(token)
    return iterator if token is None else _steps(iterator, token)


def _steps(iterator: Iterator[T], token: Cancel) -> Iterator[T]:
    while True:
        with _under(token):
            try:
                item = next(iterator)
            except StopIteration:
                return
        yield item


async def in_thread(call: Callable[P, T], /, *arguments: P.args, **keywords: P.kwargs) -> T:
    """Run a call in a thread, and cancel it when the task that awaits it is cancelled.

    The task then waits until the call has ended, so that nothing goes on behind its back. The call
    may be any function; every search that it makes is cancelled. The threads are those of
    `asyncio.to_thread`.

    >>> import asyncio, unidoku
    >>> puzzle = "1... ..2. .3.. ...4"
    >>> asyncio.run(unidoku.in_thread(unidoku.solve, puzzle, solutions=2)).unique
    True

    Raises:
        asyncio.CancelledError: the task was cancelled.
        Exception: whatever the call raises.
    """
    import asyncio  # slow to import, and not always needed

    token = Cancel()
    has_begun = False

    def run() -> T:
        nonlocal has_begun
        has_begun = True
        with _under(token):
            return call(*arguments, **keywords)

    running = asyncio.ensure_future(asyncio.to_thread(run))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        token.cancel()
        if not has_begun:  # it may wait for a thread
            running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        raise
