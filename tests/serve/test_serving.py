"""The server: who is let in, what is saved, what happens at once and what is cancelled."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.helpers.pestering import broken, message
from tests.helpers.serving import PATIENCE, at_desk, client, process, served
from tests.helpers.volume import volume
from unidoku.cli.program import run
from unidoku.comparison.config import read_plan
from unidoku.errors import OutputError
from unidoku.serve.document import LONGEST, State, content_of, new_text
from unidoku.serve.files import opened
from unidoku.serve.history import History
from unidoku.serve.notes import UNSAVED
from unidoku.serve.protocol import LARGEST
from unidoku.serve.workbench import Connection, Workbench
from unidoku.support.atomic_write import write_text

pytestmark = pytest.mark.processes

FOUR = """\
version = 1  # ours
size = 4
mine = "kept"
rules = [
    { kind = "killer", cage = "A1-A2", total = 3 },  # small
]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "four.toml").write_text(FOUR)
    return tmp_path


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    with served(folder / "four.toml") as printed:
        yield printed


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose board is left alone, or is new in each test."""
    folder = tmp_path_factory.mktemp("shared")
    (folder / "four.toml").write_text(FOUR)
    with served(folder / "four.toml") as printed:
        yield printed


def until(happens: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.02)


def fetch(address: str, body: bytes | None = None, **headers: str) -> tuple[int, str, Any]:
    try:
        request = urllib.request.Request(address, body, headers=headers)
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read().decode(), answer.headers
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode(), error.headers


def test_only_the_address_with_the_token_opens_the_page(shared: str) -> None:
    address = shared
    base, _, token = address.partition("?token=")
    assert base.startswith("http://127.0.0.1:")
    assert len(token) >= 32
    status, page, headers = fetch(address)
    assert status == 200
    assert "Unidoku workbench" in page
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    for wrong in (base, f"{base}?token=", f"{base}?token={token}x", f"{base}?token={token[:-1]}é"):
        assert fetch(wrong.replace("é", "%C3%A9"))[0] == 403
    assert fetch(address, Host="evil.example")[0] == 403
    assert fetch(f"{base}page/main.js")[0] == 200
    for path in ("page/__init__.py", "page/../app.py", "page/%2e%2e%2fapp.py", "four.toml"):
        assert fetch(f"{base}{path}")[0] == 404
    assert fetch(f"{base}report/x")[0] == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", ""])
def test_a_foreign_origin_is_refused(shared: str, origin: str) -> None:
    with (
        pytest.raises(InvalidStatus, match="403"),
        client(shared, additional_headers={"Origin": origin}),
    ):
        pass
    ours = shared.partition("/?")[0]
    with client(shared, origin=ours) as page:
        assert page.ask("lamp")["digest"] == page.state["digest"]


def test_a_wrong_token_and_another_host_are_refused(shared: str) -> None:
    with pytest.raises(InvalidStatus, match="403"), client(f"{shared}x"):
        pass
    with (
        pytest.raises(InvalidStatus, match="400"),  # two hosts
        client(shared, additional_headers={"Host": "evil.example"}),
    ):
        pass


def test_an_edit_is_saved_at_once_and_the_rest_of_the_file_stays(
    address: str, folder: Path
) -> None:
    with client(address) as page:
        before = page.state["digest"]
        answer = page.ask("digits", cells=[5], value=4, layer="given")
        assert answer["digest"] == page.state["digest"] != before
        page.until(lambda: page.state["file"]["saved"])
    text = (folder / "four.toml").read_text()
    assert content_of(text).puzzle.board.givens[5] == 4
    assert text.startswith(FOUR)


def test_undo_and_redo_go_through_all_states_in_all_pages(address: str) -> None:
    with client(address) as first, client(address) as other:
        texts = [first.state["board"]["text"]]
        for total in range(4, 8):
            rule = {"kind": "killer", "cage": "A1 A2", "total": total}
            first.ask("rule-set", index=0, rule=rule)
            texts.append(first.state["board"]["text"])
        for text in reversed(texts[:-1]):
            other.ask("undo")
            assert other.state["board"]["text"] == text
        assert (other.state["undo"], other.state["redo"]) == (0, 4)
        first.ask("redo")
        first.ask("title", name="branch")
        assert (first.state["undo"], first.state["redo"]) == (2, 0)


def test_changes_on_disk_are_taken_and_can_be_undone(address: str, folder: Path) -> None:
    with client(address) as page:
        changed = FOUR.replace("total = 3", "total = 5")
        (folder / "four.toml").write_text(changed)
        page.until(lambda: page.state["board"]["text"] == changed)
        page.ask("undo")
        until(lambda: (folder / "four.toml").read_text() == FOUR)


def test_a_wrong_file_on_disk_is_told_and_not_overwritten(address: str, folder: Path) -> None:
    with client(address) as page:
        (folder / "four.toml").write_text(FOUR + "rules = 3")
        page.until(lambda: page.state["file"]["error"])
        assert "four.toml on disk" in page.state["file"]["error"]
        page.ask("title", name="mine")
        time.sleep(0.4)
        assert (folder / "four.toml").read_text() == FOUR + "rules = 3"
        (folder / "four.toml").write_text(FOUR + 'name = "x"')
        page.until(lambda: (page.state["file"]["conflict"] or "").endswith('"x"'))


@pytest.mark.parametrize("keep", ["page", "disk"])
def test_of_a_conflict_nothing_is_lost(folder: Path, keep: str) -> None:
    theirs = FOUR.replace("ours", "theirs")

    async def scene() -> None:
        path = folder / "four.toml"
        state, _, file = opened(path)
        assert file is not None
        workbench = Workbench(state, file, folder, {})
        do = at_desk(workbench)
        await do("title", name="mine")  # before anything is saved
        mine = workbench.state.text
        path.write_text(theirs)
        await workbench._write()
        assert path.read_text() == theirs
        assert file.other == theirs
        await do("resolve", keep=keep)
        await workbench._write()
        assert path.read_text() == (mine if keep == "page" else theirs)
        await do("undo")
        assert workbench.state.text == (theirs if keep == "page" else mine)

    asyncio.run(scene())


def test_a_file_that_cannot_be_written_is_told_and_written_later(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OutputError("four.toml cannot be written: no space left on device")

    async def scene() -> None:
        path = folder / "four.toml"
        state, _, file = opened(path)
        assert file is not None
        workbench = Workbench(state, file, folder, {})
        workbench.push(workbench.state.with_text(FOUR + 'name = "x"\n'))
        with monkeypatch.context() as patched:
            patched.setattr("unidoku.serve.files.write_text", full)
            assert not await workbench._write()
        assert "no space left" in file.error
        assert path.read_text() == FOUR
        assert await workbench._write()
        assert path.read_text().endswith('"x"\n')
        assert not file.error

    asyncio.run(scene())


@pytest.mark.parametrize("is_changed", [False, True])
def test_what_cannot_be_saved_at_the_end_is_there_at_the_next_start(
    folder: Path, monkeypatch: pytest.MonkeyPatch, is_changed: bool
) -> None:
    path = folder / "four.toml"

    def full(target: Path, text: str, **options: Any) -> None:
        if target == path:
            raise OutputError(f"{target} cannot be written: no space left on device")
        write_text(target, text, **options)

    async def scene() -> str:
        state, versions, file = opened(path)
        workbench = Workbench(state, file, folder, {}, versions)
        workbench.start()
        workbench.push(state.with_text(FOUR + 'name = "x"\n'))
        end = time.monotonic() + PATIENCE
        while not [*folder.glob("cache/workbench/*.json")]:  # at once: it may be killed
            assert time.monotonic() < end
            await asyncio.sleep(0.01)
        with pytest.raises(OutputError) as error:
            await workbench.stop()
        return str(error.value)

    monkeypatch.setenv("UNIDOKU_CACHE", str(folder / "cache"))
    monkeypatch.setattr("unidoku.serve.files.write_text", full)
    monkeypatch.setattr("unidoku.serve.workbench._AGAIN", 1000)
    message = asyncio.run(scene())
    assert "is not saved" in message
    assert "no space left on device" in message
    assert message.endswith("has it at the next start")
    assert path.read_text() == FOUR
    if is_changed:  # by somebody else meanwhile
        path.write_text(FOUR + "# theirs\n")
    state, versions, file = opened(path)
    assert file is not None
    if is_changed:
        assert state.text == file.text == FOUR + "# theirs\n"
        assert [(v.name, v.state.text) for v in versions] == [(UNSAVED, FOUR + 'name = "x"\n')]
    else:
        assert state.text == FOUR + 'name = "x"\n'
        assert file.text == FOUR


@pytest.mark.parametrize("content", [b"\xff", b"#" * (5 * LONGEST)])
def test_a_file_that_somebody_else_made_unreadable_is_not_overwritten(
    folder: Path, content: bytes
) -> None:
    async def scene() -> None:
        path = folder / "four.toml"
        state, _, file = opened(path)
        assert file is not None
        workbench = Workbench(state, file, folder, {})
        path.write_bytes(content)
        workbench._look(file)
        assert "cannot be read" in file.error
        workbench.push(state.with_text(FOUR + 'name = "x"\n'))
        assert not await workbench._write()
        assert path.read_bytes() == content
        path.write_text(FOUR)
        assert await workbench._write()
        assert path.read_text() == FOUR + 'name = "x"\n'

    asyncio.run(scene())


def test_a_new_name_is_in_the_same_folder_and_replaces_nothing(address: str, folder: Path) -> None:
    (folder / "taken.toml").write_text("other")
    with client(address) as page:
        for name in ("../out", "/tmp/out", "a/b", ".hidden", "", "a\\b", "x" * 200, "a\0b"):
            assert "error" in page.ask("save", name=name), name
        assert "exists" in page.ask("save", name="taken")["error"]
        assert "error" not in page.ask("save", name="copy")
        page.ask("title", name="second")
        page.until(lambda: page.state["file"]["saved"] and page.state["file"]["name"])
        assert page.state["file"]["name"] == "copy.toml"
    assert sorted(p.name for p in folder.glob("*.toml")) == ["copy.toml", "four.toml", "taken.toml"]
    assert (folder / "four.toml").read_text() == FOUR
    assert 'name = "second"' in (folder / "copy.toml").read_text()


def test_a_killed_server_loses_nothing(folder: Path) -> None:
    with process("four.toml", folder=folder) as (running, address):
        with client(address) as page:
            page.ask("digits", cells=[0], value=1, layer="given")
            page.ask("digits", cells=[1], value=2, layer="entry")
            page.until(lambda: page.state["file"]["saved"])
            until(lambda: [*folder.glob(".cache/workbench/*.json")])
            time.sleep(0.1)
        running.kill()
    with process("four.toml", folder=folder) as (_, address), client(address) as page:
        assert page.state["board"]["givens"][0] == 1
        assert page.state["marks"]["entries"] == {"1": 2}


def test_without_a_file_the_board_is_there_at_the_next_start(folder: Path) -> None:
    with process(folder=folder) as (_, address), client(address) as page:
        page.ask("new", size=6)
        page.ask("title", name="six")
    with process(folder=folder) as (_, address), client(address) as page:
        assert page.state["board"]["name"] == "six"
        assert page.state["board"]["n"] == 6


def test_ctrl_c_ends_it_with_code_0_and_everything_saved(folder: Path) -> None:
    with process("new.toml", folder=folder) as (running, address):
        assert not (folder / "new.toml").exists()
        with client(address) as page:
            page.send("count", time_limit=60)
            page.ask("title", name="last words")
            running.send_signal(signal.SIGINT)
            assert running.wait(PATIENCE) == 0
        assert "last words" in (folder / "new.toml").read_text()
        assert running.stderr is not None
        assert running.stderr.read() == ""


ENDLESS = """
import time
from unidoku.cli import main
from unidoku.serve import workbench
workbench.QUESTIONS = {**workbench.QUESTIONS, "count": lambda *_: time.sleep(1000)}
main()
"""


def test_questions_that_never_end_keep_neither_edits_nor_ctrl_c_waiting(folder: Path) -> None:
    with process("four.toml", folder=folder, program=("-c", ENDLESS)) as (running, address):
        with ExitStack() as stack:
            pages = [stack.enter_context(client(address)) for _ in range(8)]
            for page in pages:
                page.send("count")
            assert "error" not in pages[0].ask("title", name="last words")
            running.send_signal(signal.SIGINT)
            assert running.wait(PATIENCE) == 0
        assert running.stderr is not None
        assert running.stderr.read() == ""
    assert "last words" in (folder / "four.toml").read_text()


def test_a_board_that_nobody_touched_leaves_no_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(path: Path | None) -> None:
        state, versions, file = opened(path)
        workbench = Workbench(state, file, folder, {}, versions)
        workbench.start()
        await workbench.stop()

    monkeypatch.setenv("UNIDOKU_CACHE", str(folder / "cache"))
    monkeypatch.chdir(folder)
    for path in (None, folder / "new.toml", folder / "four.toml"):
        asyncio.run(scene(path))
    assert [entry.name for entry in folder.iterdir()] == ["four.toml"]


def test_a_client_that_does_not_read_is_dropped() -> None:
    async def scene() -> None:
        page = Connection()
        dropped = []
        page.drop = lambda: dropped.append(page)
        while not dropped:
            page.post({"text": "x" * (1 << 20)})
        assert await page.next_message() is None
        page.post({})
        assert page.outgoing.empty()
        other = Connection()
        for _ in range(100):
            other.post({"text": "x" * (1 << 20)})
            assert await other.next_message() is not None
        assert not other.is_dropped

    asyncio.run(scene())


def test_a_taken_port_and_other_files_are_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run(["serve", "--port", str(port), "--no-browser"]) == 2
        printed = capsys.readouterr().err
        assert printed.startswith(f"unidoku: --port: expected port {port} to be free")
        assert printed.count("\n") == 1
    wrong = folder / "wrong.toml"
    wrong.write_text("version = 1\nsize = 4\nsizes = ")
    for path in (folder / "x.json", wrong, folder / "none" / "x.toml"):
        assert run(["serve", str(path), "--no-browser"]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("unidoku.cli.commands.serve.is_installed", lambda name: name != "uvicorn")
    assert run(["serve", "--no-browser"]) == 2
    printed = capsys.readouterr().err
    assert "unidoku serve needs uvicorn" in printed
    assert "pip install 'unidoku[serve]'" in printed


def test_the_newest_question_of_a_kind_cancels_the_older(shared: str) -> None:
    with client(shared) as page:
        page.ask("new", size=9)
        first = page.send("count", time_limit=100)
        second = page.send("count", time_limit=100)
        assert page.wait(first)["cancelled"]
        assert page.ask("lamp")["solutions"] == 2  # nothing waits for it
        page.ask("cancel", kind="count")
        assert page.wait(second)["cancelled"]


def test_every_answer_names_the_board_that_it_is_about(shared: str) -> None:
    with client(shared) as page:
        page.ask("new", size=4)
        lamp = page.ask("lamp")
        assert lamp["digest"] == page.state["digest"]
        page.ask("digits", cells=[0], value=1, layer="entry")
        assert page.ask("candidates")["digest"] == page.state["digest"] != lamp["digest"]


def test_a_pasted_puzzle_is_read_with_its_losses(address: str, folder: Path) -> None:
    link = "https://f-puzzles.com/?load=" + _fpuzzles()
    with client(address) as page:
        answer = page.ask("paste", text=link)
        assert any("pictures: 1 of line" in line for line in answer["losses"])
        assert page.state["board"]["givens"][0] == 7
        assert "expected" in page.ask("paste", text="no puzzle at all")["error"]
        assert "error" in page.ask("paste", text=str(folder / "four.toml"))
        page.ask("undo")
        assert page.state["board"]["text"] == FOUR


def _fpuzzles() -> str:
    from unidoku.formats.lzstring import compressed

    grid: list[list[dict[str, Any]]] = [[{} for _ in range(9)] for _ in range(9)]
    grid[0][0] = {"value": 7, "given": True}
    lines = [{"lines": [["R1C1", "R1C2"]], "outlineC": "#000"}]
    return compressed(json.dumps({"size": 9, "grid": grid, "line": lines, "fogofwar": ["R1C1"]}))


def test_a_comparison_runs_in_processes_and_its_page_can_be_fetched(
    address: str, folder: Path
) -> None:
    fields = {"backends": ["native", "norvig"], "repeats": 1, "boards": "this", "seconds": 20}
    with client(address) as page:
        known = {row["name"] for row in page.ask("backends")["backends"]}
        assert {"native", "norvig", "logic"} <= known
        answer = page.ask("compare", **fields, save="ours")
        assert (answer["done"], answer["total"], answer["tone"]) == (2, 2, "good")
        assert answer["sentence"] == "All answers agree on the one case."
        plan = read_plan(folder / "ours.toml")
        assert plan.backends == ("native", "norvig")
        assert [case.board.layout.n for case in plan.cases()] == [4]
        base, _, token = address.partition("?token=")
        status, text, headers = fetch(f"{base}report/{answer['page']}?token={token}")
        assert status == 200
        assert "All answers agree" in text
        assert headers["Content-Security-Policy"] == "frame-ancestors 'self'"
        for label in ("os:system", "module.py:Class", "nothing", "portfolio[backends=os:x]"):
            assert "error" in page.ask("compare", **fields | {"backends": [label]}), label
        text = "1... ..2. .3.. ...4\n12.. .... .... 21.."
        pasted = page.ask("compare", **fields | {"boards": "text"}, text=text, save="pasted")
        assert pasted["done"] == 4
        assert len(read_plan(folder / "pasted.toml").cases()) == 2
        generated = page.ask("compare", **fields | {"boards": "generated"}, count=2)
        assert generated["done"] == 4


def test_a_journal_is_opened_and_anything_else_refused(address: str, folder: Path) -> None:
    boards = folder / "boards.txt"
    boards.write_text("1... ..2. .3.. ...4")
    options = "--backends norvig --repeats 1 --engine inline --output"
    assert run(["compare", str(boards), *options.split(), str(folder / "runs.jsonl")]) == 0
    base, _, token = address.partition("?token=")
    journal = (folder / "runs.jsonl").read_bytes()
    status, key, _ = fetch(f"{base}journal?token={token}", journal)
    assert status == 200
    assert "norvig" in fetch(f"{base}report/{key}?token={token}")[1]
    assert fetch(f"{base}journal?token={token}", b"no journal")[0] == 422
    assert fetch(f"{base}journal?token=x", journal)[0] == 403
    assert fetch(f"{base}journal?token={token}", journal, Origin="http://evil.example")[0] == 403


def test_a_comparison_is_cancelled(address: str) -> None:
    with client(address) as page:
        nonce = page.send("compare", backends=["norvig"], boards="generated", count=100, repeats=9)
        page.until(lambda: any(part.get("done") for part in page.parts))
        page.ask("cancel", kind="compare")
        assert page.wait(nonce)["cancelled"]
        assert page.parts[-1]["page"]
        assert page.ask("lamp")["solutions"] == 2


def test_large_messages_end_their_connection_only(address: str) -> None:
    with client(address) as page:
        page.socket.send("x" * (LARGEST + 1))
        with pytest.raises(ConnectionClosed, match="1009"):
            page.take()
    with client(address) as page:
        page.socket.send(b"bytes")
        with pytest.raises(ConnectionClosed):
            page.take()
    with client(address) as page:
        for text, words in (
            (f"{FOUR}# {'x' * LONGEST}", "expected a file of up to 262,144 characters"),
            (f"version = 1\nsize = 4\nrules = [{'{},' * 2001}]", "expected up to 2,000 rules"),
        ):
            assert words in page.ask("text", text=text)["error"]
        assert page.ask("lamp")["solutions"] == 2


def test_a_broken_request_is_answered_and_is_no_error_of_the_server(
    shared: str, caplog: pytest.LogCaptureFixture
) -> None:
    host, port = shared.removeprefix("http://").partition("/")[0].split(":")
    request = f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
    log = logging.getLogger("uvicorn.error")
    log.addHandler(caplog.handler)
    try:
        with socket.create_connection((host, int(port)), PATIENCE) as connection:
            connection.sendall(request.encode())
            assert connection.recv(1000).startswith(b"HTTP/1.1 400 ")
        with client(shared):  # it goes on, and what it logs of the request is there
            assert not caplog.records
    finally:
        log.removeHandler(caplog.handler)


@pytest.mark.volume
def test_random_messages_are_answered_and_change_nothing_else() -> None:
    async def scene() -> None:
        rng = random.Random(38)
        workbench = Workbench(State.of(new_text(4, "classic")), None, Path("/nowhere"), {})
        page = Connection()
        workbench.join(page)
        for number in range(1, volume(500)):
            await workbench.receive(page, broken(rng))
            await workbench.receive(page, message(rng, number))
            await asyncio.gather(*page.running.values())
            parsed = [
                json.loads(page.outgoing.get_nowait() or "") for _ in range(page.outgoing.qsize())
            ]
            replies = [a for a in parsed if "event" not in a and "partial" not in a]
            assert [reply["nonce"] for reply in replies if reply["nonce"]] == [number]
            assert not [a for a in replies if "failed:" in a.get("error", "")]
            assert content_of(workbench.state.text)
        workbench.leave(page)

    asyncio.run(scene())


def test_the_present_state_can_be_read_while_another_thread_edits() -> None:
    states = [replace(State.of(FOUR), ignored=frozenset({number})) for number in range(500)]
    history = History(states[0])
    seen = []

    def edit() -> None:
        for _ in range(4):
            for state in states:
                history.push(state)
            for _ in states:
                history.undo()

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    editing = Thread(target=edit)
    try:
        editing.start()
        while editing.is_alive():
            seen.append(history.present)
    finally:
        editing.join()
        sys.setswitchinterval(before)
    assert {*seen} <= {*states}


def test_the_states_of_a_long_text_take_little_memory() -> None:
    rng = random.Random(1)
    state = State.of(FOUR)
    text = FOUR + "# " + "".join(rng.choices("abcdefgh", k=100_000))
    history = History(state)
    for number in range(300):
        history.push(replace(state, text=f"{text}{number}"))
    for _ in range(300):
        history.undo()
    assert history.present == state
    packed = [*history._before, *history._after]
    assert len(packed) * 64 + len(history._near) == 301
    assert sum(map(len, packed)) < 200_000


def test_undo_and_redo_return_through_thousands_of_packed_states() -> None:
    states = [State.of(FOUR)]
    history = History(states[0])
    for number in range(1, 1000):
        text = FOUR.replace("small", f"{number}")
        states.append(states[-1].with_text(text))
        history.push(states[-1])
    for state in reversed(states[:-1]):
        history.undo()
        assert history.present == state
    for state in states[1:]:
        history.redo()
        assert history.present == state
    for _ in range(500):
        history.undo()
    history.push(states[0])
    assert (history.undoable, history.redoable) == (500, 0)
    history.undo()
    assert history.present == states[499]


def test_random_edits_and_undos_end_where_they_began() -> None:
    async def scene() -> None:
        rng = random.Random(5)
        start = State.of(FOUR)
        workbench = Workbench(start, None, Path("/nowhere"), {})
        do = at_desk(workbench)
        for _ in range(200):
            cells = rng.sample(range(16), 2)
            layer = rng.choice(["given", "entry"])
            await do("digits", cells=cells, value=rng.randint(0, 4), layer=layer)
        for _ in range(200):
            await do("undo")
        assert workbench.state == start

    asyncio.run(scene())


if sys.platform == "win32":  # where a process is not sent Ctrl-C in this way
    del test_ctrl_c_ends_it_with_code_0_and_everything_saved
    del test_questions_that_never_end_keep_neither_edits_nor_ctrl_c_waiting
