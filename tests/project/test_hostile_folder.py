"""Files of the working folder that have names of the standard library are run by no command."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.helpers.python_process import run_python

BOARDS = "1... ..2. .3.. ...4\n12.. .... .... 21..\n"

COMMAND = """\
import sys
from unidoku.cli import main

if __name__ == "__main__":
    sys.exit(main())
"""

HOSTILE = "open('owned', 'a').write(__name__ + ' ')\nraise ImportError('hostile')\n"


@pytest.mark.parametrize(
    "words",
    [
        "generate --size 4 --count 2 --scheduler local:1",
        *(
            pytest.param(words, marks=pytest.mark.soak)
            for words in (
                "solve boards.txt --scheduler local:2 -o answers.txt",
                "count boards.txt --scheduler local:2 -o counts.txt",
                "solve boards.txt --backend cpmpy[solver=z3] -o answers.txt",
                "compare boards.txt --backends native,norvig --repeats 1",
                "compare boards.txt --backends native,norvig --repeats 1 --engine spawn",
                "fuzz --backends norvig,exact-cover --boards 2 --output hunt",
            )
        ),
    ],
)
def test_a_module_of_the_working_folder_hides_none_of_the_standard_library(
    words: str, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in sys.stdlib_module_names:
        (folder / f"{name}.py").write_text(HOSTILE, encoding="utf-8")
    (folder / "boards.txt").write_text(BOARDS, encoding="utf-8")
    command = tmp_path / "unidoku-command.py"  # like a console script, not in the working folder
    command.write_text(COMMAND, encoding="utf-8")
    ran = run_python(
        command,
        *words.split(),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert (ran.returncode, ran.stderr.count("hostile")) == (0, 0), ran.stderr
    assert not (folder / "owned").exists(), (folder / "owned").read_text(encoding="utf-8")
