"""What is published says nothing of who ran it, where, and on which machine."""

from __future__ import annotations

import platform
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.command_runner import Runner
from tests.helpers.made_runs import CASES, PLAN, records_in
from tests.helpers.made_runs import run as made
from unidoku.comparison import read_comparison
from unidoku.comparison.anonymous import anonymous
from unidoku.comparison.cases import Case
from unidoku.comparison.journal import Journal
from unidoku.comparison.lines import Header
from unidoku.comparison.record import COLUMNS, Outcome, Record

SECRETS = ("ripley", "nostromo", "weyland", "/home", "Users", "lv426", "10.1.2.3", "hicks", "burke")
"""User, host and domain, folders, host and address of a node, other users."""

LABELS = ["sat[proof=/home/ripley/a/x.cnf]", "sat[proof=/home/ripley/b/x.cnf]", "native"]

EVIDENCE = (
    'Traceback\n  File "/home/ripley/my solver/solve.py", line 3, in search\nKeyError: 1 / 2',
    "cannot open C:\\Users\\burke\\boards.txt, /opt/weyland/lib/solver.so:12: no such file",
    "killed in /sys/fs/cgroup/user.slice/ripley.scope by hicks@nostromo; ~hicks/notes and/or ~/x",
    "tcp://10.1.2.3:8786 lost LV426; Ripley was told",
)


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journal that says whatever a journal may say of its origin."""
    monkeypatch.setenv("HOME", "/home/ripley")
    monkeypatch.setenv("USERPROFILE", "/home/ripley")
    monkeypatch.setenv("LOGNAME", "ripley")
    monkeypatch.setattr(platform, "node", lambda: "nostromo.weyland.example")
    environment = {
        "host": "nostromo.weyland.example",
        "cores": 2,
        "backends": {LABELS[0]: "1.2.3 in /home/ripley/venv", "native": "9.15.6755"},
        "parameters": {LABELS[0]: {"proof": "/home/ripley/a/x.cnf"}},
        "merged_with": [{"host": "lv426", "moment": {"time": 1.5, "load": [0.5]}}],
        "machines": ["nostromo.weyland.example", "lv426"],
    }
    path = tmp_path / "j.jsonl"
    header = Header(plan=PLAN | {"backends": LABELS}, environment=environment)
    sources = ("/home/ripley/my boards/x.txt", "C:\\Users\\hicks\\x.txt", "../weyland/y.txt")
    with Journal(path, header) as written:
        for number, source in enumerate(sources):
            board = CASES[number].board
            case = Case(board=board, name=f"board {number} of ripley", source=source)
            for label in LABELS:
                run = made(
                    label,
                    number,
                    0.5 + number,
                    Outcome.FAILED if number else Outcome.SOLVED,
                    worker=("nostromo.weyland.example/0", "lv426:4711/1", "inline")[number],
                    evidence=EVIDENCE if number else (),
                    traceback=EVIDENCE[0] if number else "",
                    printed="ripley at /opt/weyland/bin/solver" if number else "",
                    disturbed=("busy with /home/hicks/x",),
                    statistics={"nodes": 7.0},
                    started=1700000000.5,
                )
                written.add(case, run)
        written.end({"host": "nostromo"})
    return path


@pytest.mark.filterwarnings("default:9 runs of .* were left out:UserWarning")
@pytest.mark.parametrize("times", [1, 2])
def test_no_host_user_or_folder_is_left_and_every_figure_is_the_same(
    journal: Path, tmp_path: Path, run: Runner, times: int
) -> None:
    page, runs, plain = tmp_path / "p.html", tmp_path / "r.csv", tmp_path / "plain.jsonl"
    arguments = ["report", *map(str, [journal] * times), "--anonymise"]
    arguments += ["--output", str(plain), "--report", str(page), "--runs", str(runs)]
    ran = run(*arguments)
    assert ran.code == run("report", str(journal)).code
    messages = [path.read_text("utf-8").lower() for path in (plain, page, runs)]
    for text in (*messages, ran.out.lower()):
        assert [secret for secret in SECRETS if secret.lower() in text] == []
    before, after = (read_comparison([path]) for path in (journal, plain))
    for name in (column.name for column in COLUMNS if column.array):
        assert np.array_equal(before.results.column(name), after.results.column(name)), name
    assert before.verdict().cases == after.verdict().cases
    for first, other in zip(records_in(journal), records_in(plain), strict=True):
        assert (first.key, first.timing, first.statistics) == (
            other.key,
            other.timing,
            other.statistics,
        )
        assert (first.case, first.started) == (other.case, other.started)


def test_what_remains_can_still_be_told_apart(journal: Path) -> None:
    header, entries = anonymous([journal])
    assert header.plan["backends"] == ["sat[proof=x.cnf]", "sat[proof=x.cnf] #2", "native"]
    assert header.environment["backends"] == {"sat[proof=x.cnf]": "1.2.3 in venv"} | {
        "native": "9.15.6755"
    }
    contained = list(entries)
    assert [case.source for case in contained if isinstance(case, Case)] == [
        "x.txt",
        "x.txt",
        "y.txt",
    ]
    runs = [record for record in contained if isinstance(record, Record)]
    assert len({record.worker for record in runs}) == 3
    assert runs[3].evidence[0] == (
        'Traceback\n  File "solve.py", line 3, in search\nKeyError: 1 / 2'
    )
    assert runs[3].evidence[1] == "cannot open boards.txt, solver.so:12: no such file"
    assert "and/or x" in runs[3].evidence[2]


def test_a_user_who_is_called_like_a_backend_does_not_rename_it(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "native")
    header, _ = anonymous([journal])
    assert header.plan["backends"][2] == "native"
