"""The metadata of wheels and sdists: addresses and README, for a public repository and without."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest

from hatch_build import linked

REPOSITORY = "https://forge.example/unidoku"

LINKS = re.compile(r"\]\(([^)\s]+)\)")


def built(root: Path, folder: Path, repository: str) -> tuple[Message, Message]:
    """Return the metadata of a wheel and of an sdist, built from the files that these read."""
    for name in ("README.md", "LICENSE", "hatch_build.py"):
        shutil.copy(root / name, folder)
    for package in ("unidoku/version.py", "unidoku/__init__.py"):
        (folder / package).parent.mkdir(exist_ok=True)
        shutil.copy(root / package, folder / package)
    (folder / "examples").mkdir()
    (folder / "examples" / "empty.txt").touch()
    project = (root / "pyproject.toml").read_text(encoding="utf-8")
    assert project.count('\nrepository = "') == 1
    asked = re.sub(r'(?m)^repository = ".*"', f'repository = "{repository}"', project)
    (folder / "pyproject.toml").write_text(asked, encoding="utf-8")
    build = [sys.executable, "-m", "hatchling", "build"]
    without_code = os.environ | {"UNIDOKU_SYSTEM": "none"}
    subprocess.run(build, cwd=folder, env=without_code, check=True, capture_output=True)
    (wheel,), (sdist,) = (folder / "dist").glob("*.whl"), (folder / "dist").glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as files:
        (name,) = (name for name in files.namelist() if name.endswith("/METADATA"))
        of_wheel = files.read(name).decode()
    with tarfile.open(sdist) as archive:
        names = {Path(name).name: name for name in archive.getnames()}
        assert "hatch_build.py" in names
        member = archive.extractfile(names["PKG-INFO"])
        assert member
        of_sdist = member.read().decode()
    return message_from_string(of_wheel), message_from_string(of_sdist)


def readme_of(metadata: Message) -> str:
    text = metadata.get_payload()
    assert isinstance(text, str)
    return text


def test_with_an_address_every_link_of_the_readme_is_whole_and_leads_to_a_file(
    root: Path, tmp_path: Path
) -> None:
    for metadata in built(root, tmp_path, REPOSITORY + "/"):
        text = readme_of(metadata)
        links = LINKS.findall(text)
        ours = [link for link in links if link.startswith(REPOSITORY)]
        assert all(link.startswith("https://") for link in links)
        assert len(ours) > 30
        for link in ours:
            path = re.sub("#.*", "", link.removeprefix(f"{REPOSITORY}/").partition("/HEAD/")[2])
            assert (root / path).is_file(), link
        pictures = re.findall(
            rf"!\[[^]]*\]\({REPOSITORY}/raw/HEAD/docs/images/[\w-]+\.(?:svg|png)\)", text
        )
        assert len(pictures) == text.count("![")
        addresses = dict(each.split(", ") for each in metadata.get_all("Project-URL", []))
        assert addresses["Source"] == REPOSITORY
        assert {"Documentation", "Changelog", "Issues"} <= addresses.keys()


def test_without_an_address_the_readme_has_no_link_that_leads_nowhere(
    root: Path, tmp_path: Path
) -> None:
    for metadata in built(root, tmp_path, ""):
        readme = readme_of(metadata)
        assert all(link.startswith("https://") for link in LINKS.findall(readme))
        assert "images/" not in readme
        assert "The bugs and limits that we found" in readme
        assert metadata.get_all("Project-URL") is None
        assert metadata["Description-Content-Type"] == "text/markdown"


@pytest.mark.parametrize(
    ("text", "with_address", "without"),
    [
        ("a [b](c.md#d) e", "a [b](R/blob/HEAD/c.md#d) e", "a b e"),
        ("[`b`](c.md), [d](e.md)", "[`b`](R/blob/HEAD/c.md), [d](R/blob/HEAD/e.md)", "`b`, d"),
        ("![b](c.svg)\n\nd", "![b](R/raw/HEAD/c.svg)\n\nd", "d"),
        ("[![b](c.svg)](d.md)\n\ne", "[![b](R/raw/HEAD/c.svg)](R/blob/HEAD/d.md)\n\ne", "e"),
        ("[b](https://c) [d](#e)", "[b](https://c) [d](#e)", "[b](https://c) [d](#e)"),
        ("`[b](c)` [2, 3] (x)", "`[b](c)` [2, 3] (x)", "`[b](c)` [2, 3] (x)"),
        ("```sh\n[b](c)\n```\n", "```sh\n[b](c)\n```\n", "```sh\n[b](c)\n```\n"),
    ],
)
def test_links_are_changed_in_prose_only(text: str, with_address: str, without: str) -> None:
    assert linked(text, REPOSITORY) == with_address.replace("R/", f"{REPOSITORY}/")
    assert linked(text, "") == without
