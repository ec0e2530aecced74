"""The project's own files agree with each other: workflow, metadata, citation."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import unidoku

ROOT = Path(__file__).parents[2]
METADATA = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = METADATA["project"]
TEMPLATES = ROOT / ".github" / "ISSUE_TEMPLATE"
WORKFLOW: dict[str, Any] = yaml.safe_load(
    (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
)
JOBS = WORKFLOW["jobs"]
COMMANDS = [step["run"] for job in JOBS.values() for step in job["steps"] if "run" in step]


def test_the_workflow_has_every_system_and_python_that_the_metadata_claim() -> None:
    matrix = JOBS["tests"]["strategy"]["matrix"]
    claimed = [name.rpartition(" :: ")[2] for name in PROJECT["classifiers"]]
    assert matrix["python"] == [name for name in claimed if re.fullmatch(r"3\.\d+", name)]
    assert PROJECT["requires-python"] == f">={matrix['python'][0]}"
    systems = {"ubuntu-latest": "Linux", "macos-latest": "MacOS", "windows-latest": "Windows"}
    assert [systems[name] for name in matrix["os"]] == ["Linux", "MacOS", "Windows"]
    assert {"Linux", "MacOS", "Windows"} <= set(claimed)


def test_the_workflow_installs_existing_groups_and_runs_existing_tasks() -> None:
    text = "\n".join([*COMMANDS, *WORKFLOW["env"].values()])
    marks = {
        mark.partition(":")[0] for mark in METADATA["tool"]["pytest"]["ini_options"]["markers"]
    }
    assert set(re.findall(r"not (\w+)", WORKFLOW["env"]["ANYWHERE"])) <= marks
    assert set(re.findall(r"--group (\w+)", text)) <= METADATA["dependency-groups"].keys()
    extras = set(re.findall(r"'\.\[(\w+)\]'", text))
    assert extras
    assert extras <= PROJECT["optional-dependencies"].keys()
    for path in re.findall(r"(?:tests|\.ci)/[\w/.]+|constraints\.txt", text):
        assert (ROOT / path).exists(), path


def test_make_and_the_shell_are_needed_on_debian_only() -> None:
    for name, job in JOBS.items():
        for step in job["steps"]:
            needs_posix = re.search(r"\bmake\b|\bbash\b|\.venv/bin", step.get("run", ""))
            on_debian = name in {"complete", "wheels"} and job["runs-on"] == "ubuntu-latest"
            assert not needs_posix or on_debian


def test_contributors_are_told_the_marks_of_the_workflow_and_that_it_is_unrun() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert WORKFLOW["env"]["ANYWHERE"] in page
    assert "has not been run" in page


@pytest.mark.parametrize(("key", "value"), [("version", unidoku.__version__), ("license", "MIT")])
def test_the_citation_is_of_this_version(key: str, value: str) -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation[key] == value
    assert citation["authors"] == PROJECT["authors"]


@pytest.mark.parametrize("form", ["bug", "wrong-answer"])
def test_a_report_is_asked_for_its_settings_versions_and_journal(form: str) -> None:
    read = yaml.safe_load((TEMPLATES / f"{form}.yml").read_text("utf-8"))
    assert {"name", "description", "body"} <= read.keys()
    fields = {field["id"]: field for field in read["body"]}
    message = " ".join(field["attributes"]["description"] for field in fields.values())
    for wanted in ("`unidoku config`", "`unidoku --version --verbose`", "runs.jsonl", "--output"):
        assert wanted in message
    assert {"journal", "settings"} <= fields.keys()
    assert fields["settings"]["validations"]["required"]
    for field in fields.values():
        assert field["type"] == "textarea"
        assert field["attributes"]["label"]


def test_the_commands_that_the_forms_name_exist() -> None:
    from unidoku.cli.program import COMMANDS

    for form in sorted(TEMPLATES.glob("*.yml")):
        for command in re.findall(r"`unidoku ([a-z][a-z-]*)", form.read_text("utf-8")):
            assert command in COMMANDS, form.name


def test_the_version_stands_in_one_place() -> None:
    assert "version" in PROJECT["dynamic"]
    assert METADATA["tool"]["hatch"]["version"]["path"] == "unidoku/version.py"
    holders = [
        path.name
        for path in sorted((ROOT / "unidoku").rglob("*.py"))
        if f'"{unidoku.__version__}"' in path.read_text("utf-8")
    ]
    assert holders == ["version.py"]


def test_what_is_built_is_checked_as_an_index_would() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    recipe = makefile.partition("\ntest-wheel:")[2].partition("\n\n")[0]
    for check in ("twine check --strict", "check-wheel-contents", "build --sdist"):
        assert check in recipe
    names = {re.split(r"[>=]", item)[0] for item in METADATA["dependency-groups"]["release"]}
    pinned = {
        line.partition("==")[0] for line in (ROOT / "constraints.txt").read_text("utf-8").split()
    }
    assert names == {"build", "check-wheel-contents", "twine"}
    assert names <= pinned


def test_no_file_has_the_marks_of_a_conflict() -> None:
    marks = re.compile(r"^(<{7} |>{7} )", re.MULTILINE)
    folders = ("unidoku", "tests", "docs", "benchmarks", "examples", ".github")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*")] + [*ROOT.glob("*")]
    kinds = {".py", ".md", ".toml", ".txt", ".yml", ".mzn"}
    texts = {path: path.read_text("utf-8") for path in files if path.suffix in kinds}
    assert [path.name for path, text in texts.items() if marks.search(text)] == []
