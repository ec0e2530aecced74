"""The environment of a comparison: everything besides the backends that affects its times."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from unidoku.backends.base import Request
from unidoku.backends.solving.solver import Solver
from unidoku.comparison.run.limits import PEAK_OF, MemoryGroup
from unidoku.errors import UnsupportedError
from unidoku.support.memory_limit import KEEPS_MEMORY_LIMITS
from unidoku.support.schema import PLAIN, TABLE, Kind, table_of, whole
from unidoku.support.text import plural
from unidoku.version import __version__

_STEAL = 0.05
"""Share of the processor's time; virtual machines usually lose less than this."""

_CPU = Path("/sys/devices/system/cpu")


def environment(
    solvers: Mapping[str, Solver], request: Request, cores_a_worker: int, **settings: Any
) -> dict[str, Any]:
    """Return the facts about this machine, Python, the backends, and the settings.

    For each backend, this includes its version and the parameters in force for the request.
    """
    return {
        "unidoku": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "flags": {
            name: value
            for name in ("debug", "optimize", "dev_mode", "hash_randomization")
            if (value := getattr(sys.flags, name))
        },
        "system": platform.platform(),
        "host": platform.node(),
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "usable_cores": len(usable_cores()),
        "memory_bytes": _memory(),
        "governor": _read(_CPU / "cpu0/cpufreq/scaling_governor") or None,
        "turbo": _turbo(),
        "garbage_collector": "off while a run is timed",
        "memory_limit_by": _limiters(),
        "peak_memory_of": PEAK_OF,
        "cores_pinned": hasattr(os, "sched_setaffinity"),
        "backends": {label: solver.version for label, solver in solvers.items()},
        "problems": {label: why for label, solver in solvers.items() if (why := _problem(solver))},
        "parameters": {label: _in_force(solver, request) for label, solver in solvers.items()},
        "threads": {label: solver.threads(request) for label, solver in solvers.items()},
        "cores_a_worker": cores_a_worker,
        "moment": moment(),
        **settings,
    }


BY_BACKEND = ("backends", "problems", "parameters", "threads")
"""The tables of an environment whose keys are labels of backends."""

COMPUTED_WITH: Mapping[str, Kind] = {
    "parameters": table_of(TABLE),
    "threads": table_of(whole(0)),
    "cores_a_worker": whole(0),
}
"""Kinds of those fields of an environment that are evaluated, not only shown."""


def _problem(solver: Solver) -> str | None:
    """Return what a backend of ours lacks here; only workers import the libraries of others."""
    return solver.spec.problem if solver.spec.distributions == ("unidoku",) else None


def _in_force(solver: Solver, request: Request) -> dict[str, Any]:
    try:
        parameters = solver.parameters(request)
        return {
            str(name): value if PLAIN.holds(value) else repr(value)
            for name, value in parameters.items()
        }
    except UnsupportedError as error:
        return {"refused": str(error)}
    except Exception as error:  # noqa: BLE001 - its runs will report the same error
        return {"not known": repr(error)}


def lacking(environment: Mapping[str, Any]) -> Iterator[str]:
    """Yield the backends that searched without all that they can use, and why."""
    problems = environment.get("problems")
    if isinstance(problems, dict):
        for label, problem in problems.items():
            yield f"{label} searched {problem}"


def crowded(environment: Mapping[str, Any]) -> Iterator[str]:
    """Yield the backends with more threads than their worker has cores, and the option to set."""
    cores = environment.get("cores_a_worker")
    if not isinstance(cores, int) or "threads" not in environment:
        return
    in_force = environment.get("parameters", {})
    for label, threads in environment["threads"].items():
        if threads > cores and "refused" not in in_force.get(label, ()):
            yield (
                f"{label} uses {plural(threads, 'thread')} and its worker has "
                f"{plural(cores, 'core')}: they wait for each other; set --cores {threads}"
            )


def moment() -> dict[str, Any]:
    """Return the state of the machine now; `disturbances` compares two of them."""
    with contextlib.suppress(OSError, AttributeError):
        load = list(os.getloadavg())
        return {"time": time.time(), "load": load, **dict(_ticks()), **dict(_swapped())}
    return {"time": time.time()}


def disturbances(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """Yield in words the events between two moments that make the times doubtful."""
    passed = sum(after.get(key, 0) - before.get(key, 0) for key in ("busy", "idle", "steal"))
    steal = after.get("steal", 0) - before.get("steal", 0)
    if passed > 0 and steal > _STEAL * passed:
        yield f"the host took {steal / passed:.0%} of the processor's time (steal)"
    pages = after.get("swapped_pages", 0) - before.get("swapped_pages", 0)
    if pages > 0:
        yield f"{pages} pages of memory were swapped"
    cores = os.cpu_count() or 1
    load = before.get("load", [0])[0]
    if load > cores:
        yield f"at the start {load:.1f} processes were running or waiting, on {cores} cores"


_IDENTITY = ("unidoku", "python", "system", "host", "cpu", "backends")
"""Fields of the environment that should be equal in two parts of a journal."""


def environment_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return in words the changes of machine and versions."""
    return [
        f"{name} {before[name]!r}, now {after[name]!r}"
        for name in _IDENTITY
        if name in before and name in after and before[name] != after[name]
    ]


def _limiters() -> str:
    """Return the mechanisms that enforce memory limits on this machine."""
    if not KEEPS_MEMORY_LIMITS:
        return "nothing"
    group = MemoryGroup.make()
    if group is None:
        return "RLIMIT_DATA"
    group.remove()
    return "RLIMIT_DATA and a cgroup"


def usable_cores() -> list[int]:
    """Return the numbers of the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def _cpu_model() -> str:
    cpu = Path("/proc/cpuinfo")
    if match := re.search(r"^model name\s*:\s*(.+)$", _read(cpu), re.MULTILINE):
        return match[1]
    return platform.processor() or platform.machine()


def _memory() -> int | None:
    match = re.search(r"^MemTotal:\s+(\d+) kB", _read(Path("/proc/meminfo")), re.MULTILINE)
    return int(match[1]) * 1024 if match else None


def _turbo() -> bool | None:
    if off := _read(_CPU / "intel_pstate/no_turbo"):
        return off == "0"
    if boost := _read(_CPU / "cpufreq/boost"):
        return boost == "1"
    return None


def _ticks() -> Iterator[tuple[str, int]]:
    """Yield the processor's ticks since the start: busy, idle, and stolen by the host."""
    line = _read(Path("/proc/stat")).partition("\n")[0].split()
    if len(line) >= 9 and line[0] == "cpu":
        user, nice, system, idle, waiting, irq, softirq, steal = map(int, line[1:9])
        yield "busy", user + nice + system + irq + softirq
        yield "idle", idle + waiting
        yield "steal", steal


def _swapped() -> Iterator[tuple[str, int]]:
    if counts := re.findall(r"^pswp(?:in|out) (\d+)$", _read(Path("/proc/vmstat")), re.MULTILINE):
        yield "swapped_pages", sum(map(int, counts))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
