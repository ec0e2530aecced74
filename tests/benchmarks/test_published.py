"""benchmarks/published.py, run as its users run it, on small collections of our own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.python_process import run_python

pytestmark = pytest.mark.bench

PICTURE = """\
data;
param m := 2;
param n := 2;
param row : 1 :=
 1 1
 2 1
;
param col : 1 :=
 1 2
 2 .
;
end;
"""

LINES = """\
X = 2;
Y = 2;
maxlen = 2;
rows = [|1, -1 |1, -1 |];
cols = [|1, 1 |-1, -1 |];
"""

SQUARE = "N = 3;\nstart = [| 1, 0, 0 | 0, 0, 0 | 0, 0, 0 |];\n"

BOARDS = """\
53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
534678912672195348198342567859761423426853791713924856961537284287419635345286179
"""

INSTANCE = """\
<instance format="XCSP3" type="CSP">
  <variables><array id="x" size="[2]"> 1..2 </array></variables>
  <constraints><allDifferent> x[] </allDifferent></constraints>
</instance>
"""

SPEEDS = """\
                puzzles0  puzzles2  puzzles3  puzzles4  puzzles7
----------------------------------------------------------------
norvig              10.0      20.0      20.0      20.0      20.0
tdoku              100.0     100.0     100.0     100.0     100.0
minisat_minimal      1.0       2.0       2.0       2.0       2.0
fast_solv_9r2        5.0       4.0       4.0       4.0       4.0
"""


@pytest.fixture
def collections(tmp_path: Path) -> Path:
    """A folder of collections; one published grid and one published count are false."""
    folder = tmp_path / "collections"
    files = {
        "glpk/two.dat": PICTURE,
        "glpk/perf.csv": "ID,name,width,height,Wu\n1,T-wo,2,2,+\n2,Other,2,2,0.5\n",
        "nonogram-minizinc/non_own_1.dzn": LINES,
        "nonogram-minizinc/non_own_1.out": "A = array2d(1..2, 1..2, [1, 2, 2, 1]);\n",
        "qwh/qwh-o30-h374-01.dzn": SQUARE,
        "qwh/bad.dzn": "N = [;\n",
        "xcsp3/pair.xml": INSTANCE,
        "xcsp3/ace.csv": "file,solutions,complete\npair.xml,3,yes\n",
        "tdoku/easy_kaggle.txt": BOARDS,
        "tdoku/published/machine.txt": SPEEDS,
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_the_page_has_each_set_beside_what_was_published_and_continues_its_journals(
    root: Path, tmp_path: Path, collections: Path
) -> None:
    programs = tmp_path / "benchmarks"
    shutil.copytree(root / "benchmarks", programs)
    page = tmp_path / "docs" / "published.md"
    page.parent.mkdir()
    page.write_text("Before.\n\n<!-- measured -->\n\n<!-- end of what is measured -->\n\nAfter.\n")

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        command = [str(programs / "published.py"), str(collections), *options]
        return run_python(*command, "--journals", tmp_path / "journals", cwd=root)

    sets = ["--sets", "webpbn,minizinc-nonograms,qwh,qcp,xcsp3,tdoku"]
    done = run(*sets, "--budget", "0.1", "--write")
    assert done.returncode == 0, done.stderr
    text = page.read_text()
    assert text.startswith("Before.\n\n<!-- measured -->\n\nMeasured on ")
    assert text.endswith("<!-- end of what is measured -->\n\nAfter.\n")
    assert "| native | webpbn | 1 of 1 | 1 |" in text
    assert "and\n1 of these are confirmed: two backends or more solve them" in text
    assert "| T-wo (1) | + |" in text
    assert "| solved, of 1 that are here | 0 | 1 |" in text
    assert "| Other (2) | 0.5 | no board |" in text
    assert "- non_own_1: the published grid breaks " in text
    assert "- pair: known count: " in text
    assert "Files that are not read:\n\n" in text
    assert ": bad.dzn\n" in text
    assert "Not run: the folder does not have this collection." in text
    assert "| easy_kaggle | 10.0 to 10.0 | " in text
    assert "on 2 of 2" in text

    again = run(*sets, "--budget", "0")
    assert again.returncode == 0, again.stderr
    assert again.stdout.strip() in text
    limited = run("--sets", "webpbn", "--time-limit", "1")
    assert limited.returncode == 2, limited.stderr


def test_the_most_telling_board_of_each_pair_has_the_command_that_makes_it_again(
    root: Path, tmp_path: Path
) -> None:
    programs = tmp_path / "benchmarks"
    shutil.copytree(root / "benchmarks", programs)
    table = programs / "published.toml"
    head, _, rest = table.read_text().partition("[[telling.requests]]")
    words = {
        '["native", "choco", "clingo", "cp-sat", "sat"]': '["norvig", "native"]',
        "= 50": "= 4",
    }
    for old, new in words.items():
        assert old in head
        head = head.replace(old, new)
    request = '[[telling.requests]]\nname = "s"\ntitle = "small"\narguments = "--size 4"\n'
    table.write_text(f"{head}{request}{rest[rest.index('[[sets]]') :]}")
    command = [sys.executable, str(programs / "published.py"), str(tmp_path), "--sets", "telling"]
    journals = ["--journals", str(tmp_path / "journals")]

    def run(budget: str) -> subprocess.CompletedProcess[str]:
        words = [*command, *journals, "--budget", budget]
        return subprocess.run(words, cwd=root, capture_output=True, text=True, check=True)

    assert "| norvig | native | not run |" in run("0").stdout
    text = run("0.1").stdout
    shown = "unidoku generate --discriminate norvig,native --size 4 --budget 4 --seed 1"
    assert f" | `{shown}` |" in text
    [row] = [line for line in text.splitlines() if line.startswith("| norvig | native | small |")]
    figures = row.split(" | ")[3]
    again = run_python("-m", *shown.split(), cwd=root, check=True)
    assert again.stderr.startswith(f"{figures}: ratio ")


def test_a_folder_that_does_not_exist_is_one_line(root: Path, tmp_path: Path) -> None:
    done = run_python("benchmarks/published.py", tmp_path / "nowhere", cwd=root)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "expected a folder of collections" in done.stderr
