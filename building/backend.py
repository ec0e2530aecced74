"""Hatchling, which asks for the tools that make machine code where they exist.

``UNIDOKU_SYSTEM`` names the system of a wheel, with code for all its levels; ``none`` is a wheel
without machine code. By default a wheel has code for this machine alone.
"""

from __future__ import annotations

import os
import platform
from typing import Any

from hatchling import build
from hatchling.build import build_editable as build_editable
from hatchling.build import build_sdist as build_sdist
from hatchling.build import build_wheel as build_wheel
from hatchling.build import get_requires_for_build_editable as get_requires_for_build_editable
from hatchling.build import get_requires_for_build_sdist as get_requires_for_build_sdist

TOOLS = ["llvmlite>=0.44", "ziglang>=0.13"]

WITH_TOOLS = {("Linux", "x86_64"), ("Linux", "aarch64"), ("Darwin", "arm64"), ("Windows", "AMD64")}
"""Systems for which there are wheels of the tools; with glibc, on Linux."""


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Return what a wheel needs to be built."""
    has_tools = (platform.system(), platform.machine()) in WITH_TOOLS
    musl = platform.system() == "Linux" and platform.libc_ver()[0] != "glibc"
    wanted = os.environ.get("UNIDOKU_SYSTEM") != "none" and has_tools and not musl
    return [*build.get_requires_for_build_wheel(config_settings), *(TOOLS if wanted else ())]
