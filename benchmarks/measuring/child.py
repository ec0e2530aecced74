"""Run a command; print its exit code, its seconds and its peak memory in bytes.

In a process of its own, because a process's peak memory begins with that of the one that started
it. Usage: python child.py COMMAND...
"""

from __future__ import annotations

import os
import sys
import time


def main(command: list[str]) -> None:
    """Run it, and print the three figures."""
    begun = time.perf_counter()
    child = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - begun
    unit = 1 if sys.platform == "darwin" else 1024
    print(os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss * unit)


if __name__ == "__main__":
    main(sys.argv[1:])
