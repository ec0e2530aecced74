"""Every command and every program of the README is run, and does what the README shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
CONSOLE = "".join(re.findall(r"```console\n(.*?)```", README, re.DOTALL))
RED_HANDED = "unidoku compare examples/red-handed.toml"
SHOWN = dict(re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", CONSOLE, re.MULTILINE))
COMMANDS = [(command, shown) for command, shown in SHOWN.items() if command != RED_HANDED]
PROGRAMS = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", README, re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, root: Path) -> Path:
    """A folder with what the commands name, where they may write."""
    shutil.copytree(root / "examples", tmp_path / "examples")
    shutil.copy(root / "compare.py", tmp_path)
    return tmp_path


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        command,
        shell=True,
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        check=False,
    )


def steady(text: str) -> list[str]:
    """Leave out what differs from run to run: durations, ratios, the rows' order and widths."""
    text = re.sub(r"[\d.]+ (µs|ms|s)\b", "TIME", text)
    text = re.sub(r"^(The times are doubtful|boards: \d+, \d+/s).*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"(?<=seconds: )\d+", "TIME", text)
    lines = [re.sub(r"\s+", " ", line).strip() for line in text.splitlines()]
    rows = sorted(line.split(" │ ")[0] for line in lines if line.startswith("│"))
    return [line for line in lines if line and line[0] not in "┏┡└┃│"] + rows


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_every_command_prints_what_the_readme_shows(command: str, shown: str, folder: Path) -> None:
    ran = shell(command, folder)
    assert steady(ran.stdout + ran.stderr) == steady(shown)
    assert ran.returncode in ((1,) if "not proper" in shown else (0,))


def test_cp_sat_with_two_workers_is_caught_red_handed(folder: Path) -> None:
    """It loses a hundred and twenty grids and says that it has all, or returns one twice."""
    ran = shell(RED_HANDED, folder)
    assert ran.returncode == 1
    liar = r"examples\.textbook_cp_sat:CpSat\[num_workers=2\]"
    lies = rf"{liar}( says that there are \d+ solutions in all; 288 different|: the same grid is)"
    for text in (ran.stdout, SHOWN[RED_HANDED]):
        assert re.search(r"^\d disagreements?:$", text, re.MULTILINE)
        assert re.search(lies, text)
        for honest in ("native", "clingo", "cp-sat", "CpSat[num_workers=1]"):
            assert honest in text


@pytest.mark.parametrize(("program", "shown"), PROGRAMS)
def test_every_program_prints_what_the_readme_shows(program: str, shown: str, folder: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=folder, check=False
    )
    assert ran.stderr == ""
    assert ran.stdout == shown


def test_the_comparison_that_the_readme_shows_is_the_one_of_make_compare(root: Path) -> None:
    shown = re.search(r"evidence:\n\n```text\n(.*?)```", README, re.DOTALL)
    assert shown
    ran = shell("unidoku compare --repeats 1 --sample-ms 0 --time-limit 0.3", root)
    printed, expected = steady(ran.stdout), steady(shown[1].replace("repeats: 3", "repeats: 1"))
    assert printed[0] == expected[0]
    assert [row for row in printed if row[0] == "│"] == [row for row in expected if row[0] == "│"]
    assert re.search(r"No disagreement: \d+ of 21 cases were decided by several", ran.stdout)
    assert ran.returncode == 0


def test_ci_runs_both_set_up_commands_on_a_clean_clone(root: Path) -> None:
    setup = re.search(r"## Set up.*?```\n(.*?)```", README, re.DOTALL)
    assert setup
    commands = [line.split("#")[0].strip() for line in setup[1].splitlines()]
    assert commands == ["make compare", "make test"]
    script = (root / ".ci" / "run").read_text()
    check = re.search(r"^check: (.*?) ##", (root / "Makefile").read_text(), re.MULTILINE)
    assert check
    assert "\nmake compare\nmake check\n" in script
    assert "test" in check[1].split()


def test_links_lead_somewhere(root: Path) -> None:
    for page in [root / "README.md", *(root / "docs").glob("*.md")]:
        for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if not link.startswith("https://"):
                assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_the_settings_of_the_readme_are_understood(tmp_path: Path) -> None:
    from unidoku.config import read_settings

    shown = re.search(r"```toml\n(.*?)```", README, re.DOTALL)
    assert shown
    (tmp_path / "unidoku.toml").write_text(shown[1])
    assert read_settings(tmp_path).backend.value == "cp-sat"


@pytest.mark.parametrize(
    ("image", "program"),
    [
        ("boards.svg", "import make_images; print(make_images.boards(), end='')"),
        ("lanes.svg", "import lanes_image; print(lanes_image.lanes(), end='')"),
    ],
)
def test_the_pictures_are_what_is_drawn_and_searched(image: str, program: str, root: Path) -> None:
    before = (root / "docs" / "images" / image).read_text(encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root / "docs")},
        check=True,
    )
    assert ran.stdout == before
