"""The solver on the front page of the site: the search of `native` as WebAssembly."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("solver.js")
TOOLS = ("llvmlite", "ziglang")

BLOCK = """
```{raw} html
<form id="solver">
<label for="solver-board">Solve a board here, in this page:</label>
<textarea id="solver-board" rows="9" cols="9" spellcheck="false" autocomplete="off">
53..7....
6..195...
.98....6.
8...6...3
4..8.3..1
7...2...6
.6....28.
...419..5
....8..79
</textarea>
<button type="submit">Solve</button>
<output id="solver-answer" for="solver-board"></output>
</form>
<script src="unidoku-data.js"></script>
<script src="unidoku.js"></script>
<script src="solver.js"></script>
```
"""
"""What the front page has where the search can be built."""


def with_solver(text: str, folder: Path) -> str:
    """Return the front page with a solver, whose files are written into a folder.

    Without llvmlite or ziglang, which build it, the page is as it was.
    """
    if not all(map(find_spec, TOOLS)):
        return text
    command = [sys.executable, "-m", "building.wasm", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    for name in ("search.wasm", "classic-9.memory"):  # the scripts have them in them
        (folder / name).unlink()
    shutil.copy(SCRIPT, folder)
    front, mark, rest = text.partition("In a checkout, with Python")
    assert mark, "the page begins as docs/index.md does"
    return f"{front}{BLOCK}\n{mark}{rest}"
