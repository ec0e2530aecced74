"""The systems that wheels are built for: how LLVM, the linker and pip name them."""

from __future__ import annotations

import platform
from dataclasses import dataclass

from unidoku.backends.native.library import ARM, LEVELS


@dataclass(frozen=True, slots=True)
class System:
    """A system.

    Args:
        triple: LLVM's name of the system.
        zig: name of the system for ``zig cc``.
        file: name of the library.
        tag: platforms that a wheel with the library is for.
        levels: levels of processors that the library has code for, the best first.
    """

    triple: str
    zig: str
    file: str
    tag: str
    levels: tuple[str, ...]


X86_64 = tuple(LEVELS.values())

SYSTEMS = {
    "linux-x86_64": System(
        "x86_64-unknown-linux-gnu",
        "x86_64-linux-gnu",
        "libunidoku.so",
        "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
        X86_64,
    ),
    "linux-aarch64": System(
        "aarch64-unknown-linux-gnu",
        "aarch64-linux-gnu",
        "libunidoku.so",
        "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
        (ARM,),
    ),
    "macos-arm64": System(
        "arm64-apple-macosx11.0",
        "aarch64-macos.11.0",
        "libunidoku.dylib",
        "macosx_11_0_arm64",
        (ARM,),
    ),
    "windows-x86_64": System(
        "x86_64-pc-windows-gnu", "x86_64-windows-gnu", "unidoku.dll", "win_amd64", X86_64
    ),
}
"""The systems by name."""

_NAMES = {
    ("Linux", "x86_64"): "linux-x86_64",
    ("Linux", "aarch64"): "linux-aarch64",
    ("Darwin", "arm64"): "macos-arm64",
    ("Windows", "AMD64"): "windows-x86_64",
}


def this_system() -> str | None:
    """Return the name of the system that this is, None if no library is made for it."""
    return _NAMES.get((platform.system(), platform.machine()))
