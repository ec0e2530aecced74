"""Programs that a backend may be made of and that do wrong, as scripts of a shell.

Each gets the file of a board in DIMACS as its first argument.
"""

from __future__ import annotations

import sys
from pathlib import Path

SOUND = f"""#!{sys.executable}
import re, sys
from pysat.formula import CNF
from pysat.solvers import Minisat22
with Minisat22(bootstrap_with=CNF(from_file=sys.argv[1])) as solver:
    print("s SATISFIABLE" if solver.solve() else "s UNSATISFIABLE")
    print("v", *(solver.get_model() or ()), 0)
    print("c conflicts: 3")
"""
"""A program that nobody has heard of, and that is right."""


FAULTS = {
    "liar": "echo s SATISFIABLE; echo v 1 5 9 13 17 21 25 29 33 37 41 45 49 53 57 61 0",
    "denier": "echo s UNSATISFIABLE",
    "repeater": "echo s SATISFIABLE; echo v {grid} 0",
    "half": "echo s SATISFIABLE; echo v 1 6",
    "twofold": "echo s SATISFIABLE; echo v 1 2 3 0",
    "garbage": "head -c 100000 /bin/sh; echo 'not a word of it' >&2; exit 7",
    "mute": "exit 0",
    "crasher": "echo s UNSATISFIABLE; kill -SEGV $$",
    "hanger": "mktemp; sleep 600",
    "parent": "sleep 600 & sleep 600",
    "left behind": "sleep 600 & echo s UNSATISFIABLE",
    "endless": "yes s SATISFIABLE",
    "endless log": "yes >&2",
    "disk filler": "yes > filler",
    "deep filler": "mkdir -p a/b; yes > a/b/filler",
    "file maker": "i=0; while :; do i=$((i+1)); : > $i; done",
    "blank": "yes '' | head -c 1000000",
    "painter": r"printf '\033[31mno\033[0m \033]0;title\007' >&2; exit 3",
    "folder": 'mkdir "$2"; echo',
    "pipe": 'mkfifo "$2"; echo',
    "endless link": 'ln -s /dev/zero "$2"; echo',
}
"""What is wrong, in a shell's words; ``{grid}`` stands for the literals of a solution."""


def write_program(folder: Path, script: str) -> Path:
    """Write a program, and return its path."""
    path = folder / "newsat"
    path.write_text(script if script.startswith("#!") else f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path
