"""Shows Unidoku another system: what Windows or macOS lacks is not there for its modules.

Python imports this module at its start in every process that has its folder on the path, so in
spawned workers too. The environment variable UNIDOKU_TEST_SYSTEM names the system, as
`sys.platform` would. Python's own library and others keep the system that there is: how they work
on another one is for their own tests.
"""

from __future__ import annotations

import builtins
import ctypes
import multiprocessing.connection
import os
import select
import selectors
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

SYSTEM = os.environ.get("UNIDOKU_TEST_SYSTEM", sys.platform)

OURS = "unidoku"

MODULES = {
    "win32": "_posixsubprocess crypt curses fcntl grp nis posix pty pwd readline resource syslog "
    "termios tty",
    "darwin": "",
}
"""Modules that are not there."""

ATTRIBUTES = {
    "win32": {
        os: "CLD_EXITED O_CLOEXEC O_DIRECTORY O_DSYNC O_NOFOLLOW O_NONBLOCK O_SYNC P_ALL P_PGID "
        "P_PID WEXITED WNOHANG WNOWAIT chown chroot confstr fchown fdatasync fork forkpty "
        "fpathconf fstatvfs getegid geteuid getgid getgroups getloadavg getpgid getpgrp getppgid "
        "getpriority getsid getuid initgroups killpg lchown lockf memfd_create mkfifo mknod nice "
        "openpty pathconf pidfd_open pipe2 posix_fadvise posix_fallocate posix_spawn pread preadv "
        "pwrite pwritev readv register_at_fork sched_getaffinity sched_getparam "
        "sched_setaffinity sched_yield sendfile setegid seteuid setgid setgroups setpgid setpgrp "
        "setpriority setsid setuid splice statvfs sync sysconf tcgetpgrp tcsetpgrp ttyname uname "
        "wait wait3 wait4 waitid writev",
        signal: "ITIMER_REAL SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP "
        "SIGTSTP SIGUSR1 SIGUSR2 SIGXCPU SIGXFSZ alarm getitimer pause pidfd_send_signal "
        "pthread_kill pthread_sigmask setitimer siginterrupt sigpending sigtimedwait sigwait "
        "sigwaitinfo",
        socket: "AF_NETLINK AF_PACKET AF_UNIX SOCK_CLOEXEC SOCK_NONBLOCK SOCK_SEQPACKET "
        "SO_PEERCRED recv_fds send_fds",
        select: "epoll poll",
        selectors: "EpollSelector PollSelector",
        sys: "abiflags",
        time: "CLOCK_MONOTONIC clock_gettime clock_gettime_ns tzset",
    },
    "darwin": {
        os: "O_TMPFILE memfd_create pidfd_open sched_getaffinity sched_getparam "
        "sched_setaffinity splice waitid",
        signal: "pidfd_send_signal sigtimedwait sigwaitinfo",
        socket: "AF_NETLINK AF_PACKET SOCK_CLOEXEC SOCK_NONBLOCK SO_PEERCRED",
        select: "epoll",
        selectors: "EpollSelector",
    },
}
"""Names of modules that are not there."""


class Startup:
    """The handles that a process inherits on Windows."""

    def __init__(self, *, lpAttributeList: dict[str, list[int]]) -> None:  # noqa: N803 - its name
        self.handles = tuple(lpAttributeList["handle_list"])


class Popen(subprocess.Popen[Any]):
    """A process, started by what Windows has for it."""

    def __init__(self, args: Any, **settings: Any) -> None:
        for name in ("pass_fds", "start_new_session", "process_group", "preexec_fn", "user"):
            if settings.get(name):
                raise ValueError(f"{name} is not supported on Windows platforms")
        apart = settings.pop("creationflags", 0) == 0x200
        startup = settings.pop("startupinfo", None)
        settings["pass_fds"] = startup.handles if startup else ()
        super().__init__(args, start_new_session=apart, **settings)


class Selector(selectors.DefaultSelector):
    """Waits for sockets only."""

    def register(self, fileobj: Any, *rest: Any) -> Any:
        number = fileobj if isinstance(fileobj, int) else fileobj.fileno()
        if not stat.S_ISSOCK(os.fstat(number).st_mode):
            raise OSError(10038, "an operation was attempted on something that is not a socket")
        return super().register(fileobj, *rest)


def library(name: str | None, *rest: Any) -> ctypes.CDLL:
    """Load a library; the system's own has no prctl."""
    if name is None:
        raise OSError("there is no such library")
    return ctypes.CDLL(name, *rest)


CHANGES: dict[str, dict[str, dict[str, Any]]] = {
    "win32": {
        "os": {
            "name": "nt",
            "set_handle_inheritable": os.set_inheritable,
            "get_handle_inheritable": os.get_inheritable,
        },
        "subprocess": {
            "CREATE_NEW_PROCESS_GROUP": 0x200,
            "STARTUPINFO": Startup,
            "Popen": Popen,
        },
        "selectors": {"DefaultSelector": Selector},
        "multiprocessing.connection": {"PipeConnection": multiprocessing.connection.Connection},
    },
    "darwin": {},
}
"""What is there, and different."""


class Elsewhere(ModuleType):
    """A module as the other system has it."""

    def __init__(self, real: ModuleType, absent: str, changes: dict[str, Any]) -> None:
        vars(self).update(
            changes, __name__=real.__name__, real=real, absent=frozenset(absent.split())
        )

    def __getattr__(self, name: str) -> Any:
        if name in vars(self)["absent"]:
            raise AttributeError(f"module {self.__name__!r} has no {name!r} on {SYSTEM}")
        return getattr(vars(self)["real"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(vars(self)["real"], name, value)


def keep_from_the_files_of_linux(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse Unidoku what Linux has below /proc and /sys."""
    if event == "open" and str(arguments[0]).startswith(("/proc/", "/sys/")):
        frame = sys._getframe(1)
        while frame.f_back and frame.f_globals["__name__"].partition(".")[0] in ("pathlib", "io"):
            frame = frame.f_back
        if frame.f_globals["__name__"].partition(".")[0] == OURS:
            raise FileNotFoundError(2, "no such file", str(arguments[0]))


def show(system: str) -> None:
    """Have all modules of Unidoku that are imported from now on see another system."""
    attributes, changes = ATTRIBUTES[system], CHANGES[system]
    changes = changes | {"sys": {"platform": system}, "ctypes": {"CDLL": library}}
    shown = {
        name: Elsewhere(
            sys.modules[name], attributes.get(sys.modules[name], ""), changes.get(name, {})
        )
        for name in {module.__name__ for module in attributes} | changes.keys()
    }
    absent = frozenset(MODULES[system].split())
    importing = builtins.__import__

    def imported(
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        names = globals or {}
        if str(names.get("__package__") or names.get("__name__")).partition(".")[0] == OURS:
            if name in absent:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)
            if name in shown:
                return shown[name]
        return importing(name, globals, locals, fromlist, level)

    builtins.__import__ = imported
    sys.addaudithook(keep_from_the_files_of_linux)


if SYSTEM in ATTRIBUTES:
    show(SYSTEM)
