"""The library of machine code: what it exports, and that all its levels search alike."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from building.emit import level_here
from building.library import build, why_not
from building.systems import SYSTEMS, this_system
from tests.helpers.python_process import run_python
from tests.helpers.volume import SOAK
from unidoku.backends.native import library
from unidoku.backends.native.compiler.processor import LEVELS
from unidoku.backends.native.lanes.plan import plan_of
from unidoku.backends.native.lanes.shape import FUNCTIONS, kernel_name, shape_of
from unidoku.core.variants import layout
from unidoku.support import logs

pytestmark = pytest.mark.thorough

LINUX = SYSTEMS["linux-x86_64"]
LAYOUTS = (("classic", 4), ("classic", 9))
BUILT = [v for v in LINUX.levels if SOAK or v in {LINUX.levels[-1], level_here(LINUX)}]
"""Levels that are compiled: in ``make test`` the lowest and that of this machine."""
NUMBERS = {name: number for number, name in library.LEVELS.items()}

needs_linux = pytest.mark.skipif(
    this_system() != "linux-x86_64" or why_not(this_system()) is not None,
    reason="needs Linux on x86-64, llvmlite and ziglang",
)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, testrun_uid: str) -> Path:
    """The library of Linux on x86-64, with two layouts, built once for all workers."""
    folder = tmp_path_factory.getbasetemp().parent / f"library-{testrun_uid}"
    path = folder / LINUX.file
    folder.mkdir(exist_ok=True)
    with FileLock(folder / "lock"):
        if not path.exists():
            build(LINUX, path, levels=BUILT, layouts=LAYOUTS)
    return path


def symbols(path: Path, *options: str) -> set[str]:
    """Names of the dynamic symbols of a library."""
    command = ["nm", "--dynamic", "--format=posix", *options, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {line.split()[0] for line in done.stdout.splitlines()}


@needs_linux
@pytest.mark.skipif(shutil.which("nm") is None, reason="needs nm")
def test_it_exports_each_function_for_each_level_and_layout_and_needs_only_memory(
    built: Path,
) -> None:
    expected = {"unidoku_level", "unidoku_sources"}
    for level in BUILT:
        expected |= {f"{level}_{name}" for name in ("search", "advance_16", "advance_32")}
        expected.add(f"{level}_advance_64")
        for variant, n in LAYOUTS:
            prefix = kernel_name(plan_of(layout(variant, n)), shape_of(LEVELS[level], n))
            expected |= {f"{level}_{prefix}_{name}" for name in FUNCTIONS}
    assert symbols(built, "--defined-only") == expected
    assert symbols(built, "--undefined-only") <= {"memcpy", "memmove", "memset"}


PROGRAM = """
import json, sys
from unidoku.backends.native import library
library.FILE = sys.argv[1]
import unidoku
hard = [
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "1.......5.9.2...4...3...7...8.9.6.......5.......84..9...5...3...6...4.2.7.......1",
    "." * 81,
]
lanes, single = (unidoku.load(f"native[engine={name}]") for name in ("lanes", "single"))
found = [library.level()]
for solver in (lanes, single):
    result = solver.solve_many(hard, solutions=20)
    found += [result.counts.tolist(), result.grids.tolist()]
found.append(result.statistics["nodes"])  # of single: those of the lanes depend on their number
for grid in lanes.solve(hard[2], solutions=30).solutions:
    found.append(grid)
for name in sys.argv[2:]:
    result = single.solve(unidoku.read(name)[0].board, solutions=3)
    found.append([name, result.count, result.solutions, result.statistics["nodes"]])
found.append(sorted({"llvmlite"} & {*sys.modules}))
print(json.dumps(found))
"""


def searched(path: Path, level: int, rules: list[Path]) -> list[Any]:
    """What is found with the library at a level."""
    command = ["-c", PROGRAM, str(path), *map(str, rules)]
    environment = {"UNIDOKU_LEVEL": str(level)}
    done = run_python(*command, env=os.environ | environment)
    assert done.returncode == 0, done.stderr
    answer: list[Any] = json.loads(done.stdout)
    return answer


@needs_linux
def test_all_levels_of_this_machine_find_the_same(built: Path, root: Path) -> None:
    rules = [root / "examples" / "rules" / f"{name}.toml" for name in ("killer", "thermo", "arrow")]
    highest = NUMBERS[level_here(LINUX) or "v2"]
    _, *expected = searched(built, 0, rules)
    assert expected.pop() == ["llvmlite"]
    for number in (NUMBERS[level] for level in BUILT if NUMBERS[level] <= highest):
        level, *answer = searched(built, number, rules)
        assert level == library.LEVELS[number]
        assert answer.pop() == []
        assert answer == expected, level


@needs_linux
def test_the_level_is_that_which_the_system_names() -> None:
    flags = Path("/proc/cpuinfo").read_text(encoding="ascii").split("flags", 1)[1].split("\n")[0]
    flags_of = {
        "v3": {"avx2", "bmi2", "fma", "movbe"},
        "v4": {"avx512bw", "avx512vl"},
        "v5": {"avx512_vpopcntdq", "avx512vbmi"},
    }
    expected = "v2"
    for level, needed in flags_of.items():
        if not needed <= set(flags.split()):
            break
        expected = level
    assert level_here(LINUX) == expected


def forget() -> None:
    """As in a process that has not looked for the library."""
    for cached in (library.library, library.level):
        cached.cache_clear()


@pytest.fixture
def _afresh() -> Iterator[None]:
    forget()
    logs.warn_once.cache_clear()
    yield
    forget()


@needs_linux
@pytest.mark.usefixtures("_afresh")
@pytest.mark.parametrize(
    "message", ["file too short", "its sources have changed", "no such symbol"]
)
def test_a_library_that_cannot_be_used_is_ignored_with_one_warning(
    message: str,
    built: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    content = built.read_bytes()
    if message == "file too short":
        content = content[:10]
    elif message == "its sources have changed":
        content = content.replace(library.fingerprint().encode(), b"0" * 32)
    else:
        message = "unidoku_sources"
        content = content.replace(b"unidoku_sources", b"unidoku_another")
    (tmp_path / "changed.so").write_bytes(content)
    monkeypatch.setattr(library, "FILE", str(tmp_path / "changed.so"))
    for _ in range(3):
        forget()
        assert library.level() is None
        assert library.address_of("search") is None
    (record,) = caplog.records
    assert "changed.so is not used" in record.message
    assert message in record.message


@needs_linux
@pytest.mark.usefixtures("_afresh")
def test_the_variable_lowers_the_level(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "FILE", str(built))
    best = level_here(LINUX)
    for number, level in {"0": None, "2": "v2", "": best}.items():
        monkeypatch.setenv("UNIDOKU_LEVEL", number)
        library.level.cache_clear()
        assert library.level() == level
    for number in ("1", "99", "v3"):
        monkeypatch.setenv("UNIDOKU_LEVEL", number)
        library.level.cache_clear()
        with pytest.warns(UserWarning, match=f"expected 0 or a number from 2 to 5, got '{number}'"):
            assert library.level() == best
