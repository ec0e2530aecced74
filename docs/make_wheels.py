"""Write the page of what installs where, from the wheels that the package index lists.

For each dependency in pyproject.toml it takes the versions that its bounds allow, up to the one
in constraints.txt, and for each system and Python the newest of them that has a wheel. The index
is the one that pip is set to.

Usage: python docs/make_wheels.py
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from make_backends import table
from packaging.requirements import Requirement
from packaging.tags import Tag
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import Version

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "installing.md"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.13t", "3.14t")
"""Versions of Python; those with a t are free-threaded."""

SYSTEMS = {
    "Linux x86_64": r"manylinux.*_x86_64",
    "Linux aarch64": r"manylinux.*_aarch64",
    "Alpine x86_64": r"musllinux.*_x86_64",
    "Alpine aarch64": r"musllinux.*_aarch64",
    "macOS arm64": r"macosx_.*_(?:arm64|universal2)",
    "macOS x86_64": r"macosx_.*_(?:x86_64|universal2)",
    "Windows x86_64": r"win_amd64",
    "Windows arm64": r"win_arm64",
}
"""The systems, and the platforms in the names of wheels that they accept."""

USUAL = {"manylinux": Version("2.28"), "macosx": Version("11")}
"""The glibc and the macOS that go without saying."""

INTRODUCTION = """\
# What installs where

<!-- Made by `python docs/make_wheels.py` from pyproject.toml and the package index: change it. -->

```sh
pip install --prefer-binary ".[solvers]"
```

installs every solver that has a wheel for your system. A *wheel* is ready to use; what has none
must be compiled. With `--prefer-binary`, pip takes an older version that has a wheel rather than a
newer one that has none. Where no version has a wheel, the metadata leave the library out, so that
the rest installs, and its backend says that there is no wheel. You can still try `pip install` with
the name of the distribution, which compiles it if there is a source and you have the compilers.

Metadata can name systems, processors, and versions of Python and macOS. They cannot tell Alpine
(musl), an old glibc or free-threaded Python from the usual. There, if the table has a dash for an
extra, name the extras that you want, such as `".[z3]"`; and if it has one for python-sat, leave it
out:

```sh
pip install click filelock numpy platformdirs psutil rich
pip install --no-deps .
```

## The machine code of `native`

A wheel has the machine code of `native` in it: the search of single boards, and the lanes of the
layouts that people use, for four levels of x86-64 (v2, v3, v4, and v4 with the vectors of Ice Lake)
or for 64-bit ARM. It names no C library, so that one wheel for Linux serves glibc and musl. The
best level of the processor is chosen when it is first used. Nothing is compiled, and no cache is
needed.

| | has the code |
| --- | --- |
| a wheel | for its system, all levels |
| `pip install .` | for this machine, built in half a minute by llvmlite and ziglang |
| `make compare`, `make library` | for this machine, in the checkout |
| Macs with Intel processors, Windows on ARM, other processors | no |

Without it, and for batches of other layouts such as jigsaws, `pip install ".[jit]"` brings
llvmlite, which compiles into the cache once on a machine; `unidoku warm VARIANT` does that
beforehand. Without both, the search of single boards runs as Python, a hundred times slower, and a
warning says so once.

`make wheels` builds the wheels of Linux on x86-64 and aarch64, macOS on arm64 and Windows on
x86-64, on any of these systems, into build/wheels. `UNIDOKU_SYSTEM=none pip wheel .` builds one
without machine code.

## Wheels of the libraries

The tables show the versions of Python for which there is a wheel, among 3.11 to 3.14 and the
free-threaded 3.13t and 3.14t; *all* means all six. The wheels are those of the version in the
column *distribution*, which is tested, or else of the version in brackets. Wheels for Linux need
glibc 2.28 (Debian 10, Ubuntu 20.04) and those for macOS version 11, unless the table says more.
*MB* is the size of the wheel for Linux x86_64, and *source* says whether there is one to compile.
Libraries that these need in turn are not listed.
"""


@dataclass(frozen=True, slots=True)
class File:
    """A file of a distribution: a wheel with its tags, or a source, which has none."""

    version: Version
    tags: frozenset[Tag]
    size: int


@dataclass(frozen=True, slots=True)
class Dependency:
    """A dependency, the extra that it belongs to, and the version that it is tested with.

    It has several requirements if its bounds are not the same everywhere.
    """

    name: str
    extra: str
    requirements: tuple[Requirement, ...]
    tested: Version


def dependencies() -> list[Dependency]:
    """Return the dependencies in pyproject.toml, those of the default install first."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").split()
    pinned = dict(line.split("==") for line in lines if "==" in line)
    tested = {canonicalize_name(name): Version(version) for name, version in pinned.items()}
    extras = {"": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}
    requirements_of: dict[tuple[str, str], list[Requirement]] = {}
    for extra, requirements in extras.items():
        for requirement in map(Requirement, requirements):
            if requirement.name != "unidoku":
                requirements_of.setdefault((canonicalize_name(requirement.name), extra), []).append(
                    requirement
                )
    return [
        Dependency(name, extra, tuple(requirements), tested[canonicalize_name(name)])
        for (name, extra), requirements in requirements_of.items()
    ]


def index() -> str:
    """Return the address of the package index that pip is set to."""
    from pip._internal.models.index import PyPI

    asked = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    address = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return address or PyPI.simple_url


def files_of(dependency: Dependency, address: str) -> list[File]:
    """Ask the index for the files of a dependency, in the versions that are allowed."""
    form = {"Accept": "application/vnd.pypi.simple.v1+json"}
    request = Request(f"{address.rstrip('/')}/{dependency.name}/", headers=form)
    with urlopen(request, timeout=60) as answer:
        listed = json.load(answer)["files"]
    files = [file for file in map(file_of, listed) if file and file.version <= dependency.tested]
    versions = {file.version for file in files}
    bounds = (requirement.specifier for requirement in dependency.requirements)
    allowed = set().union(*(bound.filter(versions) for bound in bounds))
    return [file for file in files if file.version in allowed]


def file_of(entry: Mapping[str, Any]) -> File | None:
    """Return a file that the index lists; None if it is of no use."""
    name, size = entry["filename"], entry.get("size") or 0
    if entry.get("yanked"):
        return None
    try:
        if name.endswith(".whl"):
            _, version, _, tags = parse_wheel_filename(name)
            return File(version, tags, size)
        return File(parse_sdist_filename(name)[1], frozenset(), size)
    except (InvalidWheelFilename, InvalidSdistFilename):  # what distutils built long ago
        return None


def fits(tag: Tag, python: str) -> bool:
    """Return whether a wheel with a tag is for a version of Python."""
    minor, threaded = int(python.split(".")[1].rstrip("t")), python.endswith("t")
    if tag.interpreter.startswith("py"):
        return tag.interpreter == "py3" and tag.abi == "none"
    if (of := re.fullmatch(r"cp3(\d+)", tag.interpreter)) is None:
        return False
    if tag.abi == "abi3":
        return int(of[1]) <= minor and not threaded
    return int(of[1]) == minor and tag.abi in (f"cp3{minor}{'t' * threaded}", "none")


def needs(platform: str) -> Version:
    """Return the glibc, musl or macOS that a wheel needs."""
    older = {"manylinux1": "2.5", "manylinux2010": "2.12", "manylinux2014": "2.17"}
    kind, _, rest = platform.partition("_")
    match = re.match(r"(\d+)_(\d+)_", rest)
    return Version(older.get(kind) or (f"{match[1]}.{match[2]}" if match else "0"))


def cell(files: Iterable[File], system: str, tested: Version) -> str:
    """Return the versions of Python for which there is a wheel, and what it needs."""
    newest: dict[str, tuple[Version, str]] = {}
    for file in sorted(files, key=lambda file: file.version, reverse=True):
        for python in PYTHONS:
            platforms = [
                tag.platform
                for tag in file.tags
                if fits(tag, python)
                and (tag.platform == "any" or re.fullmatch(SYSTEMS[system], tag.platform))
            ]
            if platforms and python not in newest:
                newest[python] = file.version, unusual(min(platforms, key=needs))
    groups: dict[tuple[Version, str], list[str]] = {}
    for python in filter(newest.get, PYTHONS):
        groups.setdefault(newest[python], []).append(python)
    return ", ".join(
        " ".join(filter(None, (ranges(pythons), "" if version == tested else f"({version})", need)))
        for (version, need), pythons in groups.items()
    )


def unusual(platform: str) -> str:
    """Return what a wheel needs that does not go without saying."""
    kind = re.split(r"\d|_", platform)[0]
    if kind not in USUAL or needs(platform) <= USUAL[kind]:
        return ""
    name = "macOS" if kind == "macosx" else "glibc"
    return f"from {name} {str(needs(platform)).removesuffix('.0')}"


def ranges(pythons: list[str]) -> str:
    """Write versions of Python as ranges.

    >>> ranges(["3.11", "3.12", "3.13", "3.14t"]), ranges([*PYTHONS])
    ('3.11–3.13, 3.14t', 'all')
    """
    if pythons == list(PYTHONS):
        return "all"
    runs = [
        [python for _, python in run]
        for _, run in groupby(
            enumerate(pythons),
            lambda item: (PYTHONS.index(item[1]) - item[0], item[1].endswith("t")),
        )
    ]
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


def rows(address: str) -> Iterator[dict[str, str]]:
    """Yield the line of each dependency, by heading."""
    for dependency in dependencies():
        files = files_of(dependency, address)
        wheels = [file for file in files if file.version == dependency.tested and file.tags]
        has_source = any(file.version == dependency.tested and not file.tags for file in files)
        sizes = [f.size for f in wheels if cell([f], "Linux x86_64", dependency.tested)]
        yield {
            "extra": f"`{dependency.extra}`" if dependency.extra else "",
            "distribution": f"{dependency.name} {dependency.tested}",
            **{system: cell(files, system, dependency.tested) for system in SYSTEMS},
            "MB": f"{max(sizes, default=0) / 1e6:.1f}",
            "source": "yes" if has_source else "no",
        }


def page(lines: Iterable[dict[str, str]]) -> str:
    """Return the page: two tables for the default install, and two for extras."""
    lines = list(lines)
    default = [line for line in lines if not line["extra"]]
    extras = [line for line in lines if line["extra"]]
    return "\n".join(
        [
            f"{INTRODUCTION}\n## The default install\n",
            *tables(["distribution"], default),
            "## Extras\n",
            *tables(["extra", "distribution"], extras),
        ]
    )


def tables(first: list[str], lines: list[dict[str, str]]) -> Iterator[str]:
    """Yield a table for Linux and one for other systems, each narrow enough for a page."""
    systems = list(SYSTEMS)
    for headings in ([*first, *systems[:4], "MB", "source"], [*first, *systems[4:]]):
        yield table(headings, ([line[heading] for heading in headings] for line in lines))


if __name__ == "__main__":
    PAGE.write_text(page(rows(index())), encoding="utf-8")
