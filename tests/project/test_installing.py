"""What installs where: the markers of dependencies, the page of wheels, and messages."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.helpers.command_runner import Runner
from unidoku.backends import BackendSpec, find
from unidoku.support.extras import advice, command, has_wheel

DARWIN = "Darwin Kernel Version {}.1.0: root:xnu"

PLACES = {
    "Linux x86_64": ("linux", "x86_64", "#1 SMP"),
    "Linux aarch64": ("linux", "aarch64", "#1 SMP"),
    "macOS arm64": ("darwin", "arm64", DARWIN.format(24)),
    "macOS 14 arm64": ("darwin", "arm64", DARWIN.format(23)),
    "macOS x86_64": ("darwin", "x86_64", DARWIN.format(24)),
    "Windows x86_64": ("win32", "AMD64", "10.0.26100"),
    "Windows arm64": ("win32", "ARM64", "10.0.26100"),
}
"""Systems as markers name them: the platform, its processor, its version."""


@pytest.fixture
def make_wheels(root: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(root / "docs"))
    return __import__("make_wheels")


def is_asked_for(requirement: Requirement, platform_name: str, python: str) -> bool:
    """Return whether pip installs a requirement on a system."""
    system, machine, version = PLACES[platform_name]
    environment = {
        "sys_platform": system,
        "platform_machine": machine,
        "platform_version": version,
        "python_version": python,
    }
    return requirement.marker is None or requirement.marker.evaluate(environment)


def rows(make_wheels: Any) -> list[dict[str, str]]:
    """Return what the page's tables say of each distribution, by heading."""
    tables: dict[str, dict[str, str]] = {}
    heading: list[str] = []
    for line in make_wheels.PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip("` ") for cell in line.strip("|").split("|")]
        if "distribution" in cells:
            heading = cells
        elif heading and line.startswith("| ") and cells[0] != "---":
            line = dict(zip(heading, cells, strict=True))
            tables.setdefault(line["distribution"], {"extra": ""}).update(line)
    return list(tables.values())


def test_the_page_has_every_dependency_as_it_is_tested_now(make_wheels: Any) -> None:
    listed = [(row["extra"], row["distribution"]) for row in rows(make_wheels)]
    needed = make_wheels.dependencies()
    assert listed == [(item.extra, f"{item.name} {item.tested}") for item in needed], (
        "dependencies have changed: python docs/make_wheels.py"
    )
    assert make_wheels.PAGE.read_text(encoding="utf-8").startswith(make_wheels.INTRODUCTION)


@pytest.mark.parametrize("system", PLACES)
def test_the_metadata_ask_for_a_library_where_it_has_a_wheel_and_nowhere_else(
    system: str, make_wheels: Any
) -> None:
    table = {row["distribution"].split()[0]: row for row in rows(make_wheels)}
    needed = {"cpmpy": "ortools"}
    for dependency in make_wheels.dependencies():
        for python in ("3.11", "3.12", "3.13", "3.14"):
            asked = any(is_asked_for(first, system, python) for first in dependency.requirements)
            names = {dependency.name, needed.get(dependency.name, dependency.name)}
            cells = [table[name][system.replace(" 14", "")] for name in names]
            has_wheels = all(has(cell, python, is_older="14" in system) for cell in cells)
            assert asked == has_wheels, (dependency.name, python, cells)


def has(cell: str, python: str, *, is_older: bool) -> bool:
    """Return whether a cell has a version of Python, on the newest macOS or an older one."""
    if is_older and cell.endswith("from macOS 15"):
        return False
    minor = int(python.partition(".")[2])
    ranges = re.findall(r"3\.(\d+)(?:–3\.(\d+))?(?=[, ]|$)", cell.partition(" (")[0])
    return cell.startswith("all") or any(
        int(first) <= minor <= int(last or first) for first, last in ranges
    )


@pytest.mark.parametrize(
    ("wheel", "pythons"),
    [
        ("x-1-cp312-cp312-manylinux_2_28_x86_64.whl", "3.12"),
        ("x-1-cp314-cp314t-manylinux2014_x86_64.whl", "3.14t"),
        ("x-1-cp312-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl", "3.12–3.14"),
        ("x-1-py3-none-any.whl", "all"),
        ("x-1-py2.py3-none-manylinux1_x86_64.whl", "all"),
        ("x-1-cp311-cp311-manylinux_2_34_x86_64.whl", "3.11 from glibc 2.34"),
        ("x-0.9-cp311-cp311-manylinux_2_17_x86_64.whl", "3.11 (0.9)"),
        ("x-1-cp311-cp311-macosx_15_0_arm64.whl", ""),
        ("x-1.tar.gz", ""),
        ("x-1.linux-x86_64.tar.gz", None),
    ],
)
def test_a_wheel_is_for_the_pythons_and_systems_that_its_name_says(
    wheel: str, pythons: str | None, make_wheels: Any
) -> None:
    file = make_wheels.file_of({"filename": wheel})
    assert (file is None) == (pythons is None)
    if file:
        assert make_wheels.cell([file], "Linux x86_64", make_wheels.Version("1")) == pythons


@pytest.mark.parametrize("platform_name", PLACES)
def test_where_an_extra_is_left_out_it_is_said_that_there_is_no_wheel(
    platform_name: str, make_wheels: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    extras = {item.extra: item.requirements[0] for item in make_wheels.dependencies() if item.extra}
    required = [
        f'x>=1; ({item.marker or "True"}) and extra == "{extra}"' for extra, item in extras.items()
    ]
    monkeypatch.setattr("importlib.metadata.requires", lambda _: ["click>=8.1", *required])
    system, machine, version = PLACES[platform_name]
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr("platform.version", lambda: version)
    monkeypatch.setattr(sys, "platform", system)
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    for extra, requirement in extras.items():
        is_there = is_asked_for(requirement, platform_name, python)
        assert has_wheel(command(extra)) == is_there, extra
        assert ("there is no wheel for this system" in advice(command(extra))) != is_there
    has_choco = {"Linux x86_64", "macOS arm64", "Windows x86_64"}
    assert has_wheel(command("choco")) == (platform_name in has_choco)


def test_a_backend_without_a_wheel_is_listed_as_such(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    required = ["pychoco>=0.4; sys_platform == 'nowhere' and extra == 'choco'"]
    monkeypatch.setattr("importlib.metadata.requires", lambda _: required)
    monkeypatch.setattr(BackendSpec, "missing", property(lambda spec: spec.requires))
    run = Runner(capfd, monkeypatch)
    assert re.search(r"^choco +no wheel for this system ", run("backends").out, re.MULTILINE)
    assert find("choco").record()["install"] is None
    assert run("solve", "1" + 15 * ".", "--backend", "choco").err.endswith(
        "which is not installed; there is no wheel for this system, see docs/installing.md\n"
    )
