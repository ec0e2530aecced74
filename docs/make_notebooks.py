"""Makes the notebooks of docs/notebooks/ from their sources, by running them.

A source is a Python file in cells, as editors and Jupytext read them (``# %%``), so that a change
is seen in a diff. Its notebook has the same cells with what they print and show. They are run by
IPython in this process, in a folder of their own: what shows a board in Jupyter shows it here, and
no kernel need be started. A cell tagged ``varies`` prints times.

Usage: python docs/make_notebooks.py [--into FOLDER] [NAME]...
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

FOLDER = Path(__file__).parent / "notebooks"
MARK = re.compile(r"^# %%(?P<kind> \[markdown\])?(?P<rest>.*)$", re.MULTILINE)
VARIES = "varies"
STYLE = {"svg.hashsalt": "unidoku", "svg.fonttype": "none"}

Cell = dict[str, Any]


def names() -> list[str]:
    """Return the names of the notebooks."""
    return sorted(path.stem for path in FOLDER.glob("*.py"))


def notebook(name: str) -> dict[str, Any]:
    """Run a notebook, and return it as the format of Jupyter has it.

    Raises:
        SystemExit: a cell raises; says which.
    """
    source = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    cells = list(_cells(source))
    with _shell() as shell:
        number = 0
        for cell in cells:
            if cell["cell_type"] == "code":
                number += 1
                cell["execution_count"] = number
                cell["outputs"] = _outputs(shell, "".join(cell["source"]), number)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    about = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}


def text(contents: dict[str, Any]) -> str:
    """Return the text of a notebook's file."""
    return json.dumps(contents, ensure_ascii=False, indent=1) + "\n"


def _cells(source: str) -> Iterator[Cell]:
    marks = list(MARK.finditer(source))
    ends = [mark.start() for mark in marks[1:]] + [len(source)]
    for number, (mark, end) in enumerate(zip(marks, ends, strict=True)):
        body = source[mark.end() : end].strip("\n")
        tags = [VARIES] if VARIES in mark["rest"] else []
        about = {"id": f"cell-{number}", "metadata": {"tags": tags} if tags else {}}
        if mark["kind"]:
            body = re.sub(r"^# ?", "", body, flags=re.MULTILINE)
            yield {"cell_type": "markdown", **about, "source": body.splitlines(keepends=True)}
        else:
            yield {"cell_type": "code", **about, "source": body.splitlines(keepends=True)}


@contextlib.contextmanager
def _shell() -> Iterator[Any]:
    """Open a shell that shows what Jupyter would show, in a folder of its own."""
    import matplotlib as mpl
    from IPython.core.displayhook import DisplayHook
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.core.pylabtools import select_figure_formats
    from traitlets.config import Config

    class KeepingHook(DisplayHook):
        """Keeps what the last expression of a cell shows."""

        outputs: list[dict[str, str]]

        def start_displayhook(self) -> None:
            self.outputs = []

        def write_output_prompt(self) -> None:
            pass

        def write_format_data(self, format_dict: dict[str, str], md_dict: object = None) -> None:
            self.outputs = [format_dict]

        def finish_displayhook(self) -> None:
            pass

    mpl.use("agg")
    mpl.rcParams.update(STYLE)  # type: ignore[arg-type]  # their names are known to Matplotlib
    settings = Config()
    settings.HistoryManager.enabled = False
    before = Path.cwd()
    shell = InteractiveShell.instance(config=settings, displayhook_class=KeepingHook)
    select_figure_formats(shell, {"svg"}, metadata={"Date": None})  # type: ignore[no-untyped-call]  # nor is it there
    try:
        with TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                yield shell
            finally:
                os.chdir(before)
    finally:
        InteractiveShell.clear_instance()


def _outputs(shell: Any, source: str, number: int) -> list[Cell]:
    """Run a cell, and return what it prints and shows."""
    from IPython.utils.capture import capture_output

    shell.execution_count = number
    shell.displayhook.outputs = []
    with capture_output() as captured:
        result = shell.run_cell(source, store_history=False)
    if not result.success:
        error = result.error_before_exec or result.error_in_exec
        raise SystemExit(f"cell {number}: {type(error).__name__}: {error}\n{source}")
    outputs: list[Cell] = []
    if captured.stdout:
        lines = captured.stdout.splitlines(keepends=True)
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines})
    for shown in shell.displayhook.outputs:
        data = {kind: _lines(value) for kind, value in shown.items()}
        about = {"metadata": {}, "execution_count": number}
        outputs.append({"output_type": "execute_result", "data": data, **about})
    return outputs


def _lines(value: str) -> list[str]:
    return value.splitlines(keepends=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the notebooks."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", default=names(), metavar="NAME")
    parser.add_argument("--into", type=Path, default=FOLDER, metavar="FOLDER")
    options = parser.parse_args(arguments)
    for name in options.names:
        (options.into / f"{name}.ipynb").write_text(text(notebook(name)), encoding="utf-8")
        print(f"wrote {name}.ipynb")
    return 0


if __name__ == "__main__":
    sys.exit(main())
