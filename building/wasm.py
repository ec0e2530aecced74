"""Build the search of single boards as WebAssembly, for pages and for node; no part of wheels.

It reads a layout as Python builds it: the memory of a search, with the addresses that it has in the
page. Writes four files into a folder: the search, the memory of classic boards, both as a script
that a page opened from a disk can load, and the loader.

Usage: python -m building.wasm [FOLDER]
"""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import sys
import tempfile
from array import array
from pathlib import Path

from building.emit import machine_of
from unidoku.backends.native.compiler.object_code import of_function
from unidoku.backends.native.compiler.processor import Processor, emitting_for
from unidoku.backends.native.single.boards import Memory
from unidoku.backends.native.single.build.layout_tables import tables_of
from unidoku.backends.native.single.function import INTERPRETED
from unidoku.backends.native.single.search.engine import search
from unidoku.backends.native.single.search.registers import Register
from unidoku.core.layout import Layout
from unidoku.core.variants import layout

TRIPLE = "wasm32-unknown-unknown"
PROCESSOR = Processor("generic", "+simd128,+bulk-memory", 128, ternary=False)

BASE = 1 << 20
"""Address where the memory of a layout begins; below is the stack of the search."""

LOADER = Path(__file__).with_name("unidoku.js")

REGISTERS = (
    *(Register.LIMIT, Register.NODE_LIMIT, Register.FAILURE_LIMIT, Register.TO_KEEP),
    *(Register.RUN, Register.LEVEL, Register.UNTIL, Register.TICKS),
    *(Register.PAUSE, Register.COUNT, Register.NODES, Register.GRID_COUNT),
    *(Register.GRIDS_AT, Register.CELLS, Register.VALUES),
)
"""Registers that the loader writes and reads."""


def program() -> bytes:
    """Return the search as a module of WebAssembly."""
    with tempfile.TemporaryDirectory() as folder, emitting_for(PROCESSOR):
        code = of_function(search, "search", machine_of(TRIPLE, PROCESSOR, 2))
        Path(folder, "search.o").write_bytes(code)
        command = [sys.executable, "-m", "ziglang", "build-exe", "search.o"]
        command += ["-target", "wasm32-freestanding", "-fno-entry", "--export=search"]
        command += ["-O", "ReleaseSmall", "--initial-memory=4194304", "-femit-bin=search.wasm"]
        subprocess.run(command, cwd=folder, check=True)
        return Path(folder, "search.wasm").read_bytes()


def memory_of(chosen: Layout) -> tuple[bytes, dict[str, int]]:
    """Return the memory of a search of a layout, and where the loader finds what in it."""
    tables = tables_of(chosen, INTERPRETED)
    memory = Memory(tables)
    while memory.registers[Register.DEPTH] <= len(chosen):  # no search guesses more than each cell
        memory._grow()
    registers, image = array("q", memory.registers), bytearray()

    def add(numbers: bytes) -> int:
        image.extend(bytes(-len(image) % 64))
        image.extend(numbers)
        return BASE + len(image) - len(numbers)

    layout_arrays = range(Register.KINDS_AT, Register.ROOT_DOMAINS_AT + 1)
    for register, numbers in zip(layout_arrays, tables.arrays, strict=True):
        registers[register] = add(numbers.tobytes())
    first = registers[Register.CANDIDATES_AT]
    candidates = add(memory._numbers.tobytes())
    for register in range(Register.CANDIDATES_AT, Register.STACK_AT):
        registers[register] += candidates - first
    places = {"base": BASE, "candidates": candidates, "size": len(Register)}
    places["registers"] = end = add(registers.tobytes())
    end += 8 * len(Register)
    areas = {
        Register.STACK_AT: memory._stack,
        Register.GUESSES_AT: memory._guesses,
        Register.GRIDS_AT: memory._grids,
    }
    for register, zeros in areas.items():  # behind what is written into the file
        registers[register] = end
        end += len(zeros.tobytes())
    image[places["registers"] - BASE :] = registers.tobytes()
    places |= {register.name: int(register) for register in REGISTERS}
    return bytes(image), places | {"end": end}


def main() -> None:
    """Write the files."""
    folder = Path(*sys.argv[1:2] or ["build/wasm"])
    folder.mkdir(parents=True, exist_ok=True)
    code, (memory, places) = program(), memory_of(layout("classic", 9))
    (folder / "search.wasm").write_bytes(code)
    (folder / "classic-9.memory").write_bytes(memory)
    texts = {
        "search": base64.b64encode(code).decode(),
        "memory": base64.b64encode(memory).decode(),
    }
    data = json.dumps(texts | places)
    (folder / "unidoku-data.js").write_text(f"globalThis.UNIDOKU_DATA = {data};\n", "utf-8")
    shutil.copy(LOADER, folder)
    sys.stdout.write(f"{folder}: {len(code)} bytes of code, {len(memory)} of classic boards\n")


if __name__ == "__main__":
    main()
