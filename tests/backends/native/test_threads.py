"""Threads of a new process, in which the first searches load the compiled engines."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from tests.backends.native.boards import in_a_process
from tests.helpers.volume import volume

PREPARE = "import unidoku; unidoku.load('auto').prepare(unidoku.layout('classic'))"

ALIKE = """
from concurrent.futures import ThreadPoolExecutor
import unidoku

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"

with ThreadPoolExecutor({threads}) as threads:
    results = list(threads.map(lambda _: unidoku.solve(PUZZLE, solutions=2), range({searches})))
assert all(result.unique for result in results)
"""

MIXED = """
import random
from concurrent.futures import ThreadPoolExecutor
import unidoku

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
COUNTS = {{"classic": 288, "x": 48, "disjoint": 168, "latin": 576}}
BACKENDS = {backends}
random.seed({seed})

def count(variant, backend):
    assert unidoku.count("." * 16, variant=variant, backend=backend).count == COUNTS[variant]

def solve(variant, backend):
    assert unidoku.solve(PUZZLE, solutions=2, backend=backend).unique

def check(variant, backend):
    assert unidoku.check("1... ..2. .3.. ...4").proper

def solve_many(variant, backend):
    found = unidoku.solve_many([PUZZLE, "." * 81], solutions=2, backend=backend)
    assert found.counts.tolist() == [1, 2]

def true_candidates(variant, backend):
    found = unidoku.true_candidates("12.. .... .... 21..", backend=backend)
    assert found.values("A3") == (3, 4)

CALLS = [count, solve, check, solve_many, true_candidates]
with ThreadPoolExecutor({threads}) as threads:
    calls = [
        threads.submit(random.choice(CALLS), random.choice({variants}), random.choice(BACKENDS))
        for _ in range({searches})
    ]
for call in calls:
    call.result()
"""

OF_EACH_KIND = ["auto", "native", "native[engine=single]", "norvig", "sat", "exact-cover"]


@pytest.mark.processes
@pytest.mark.parametrize("threads", [2, 8, 200])
def test_the_first_call_of_a_process_may_be_a_search_in_many_threads(threads: int) -> None:
    in_a_process(ALIKE.format(threads=threads, searches=threads))


@pytest.mark.processes
def test_many_threads_that_begin_at_once_all_get_their_answers() -> None:
    mixed = {"variants": ["classic", "x", "disjoint", "latin"], "backends": OF_EACH_KIND}
    in_a_process(MIXED.format(seed=0, threads=200, searches=220, **mixed))


@pytest.mark.soak
@pytest.mark.processes
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("cache", ["empty", "warm"])
def test_threads_of_many_new_processes_all_get_their_answers(cache: str, tmp_path: Path) -> None:
    folders = map(str, count())

    def run(program: str) -> None:
        folder = tmp_path / (next(folders) if cache == "empty" else cache)
        in_a_process(program, UNIDOKU_CACHE=str(folder))

    if cache == "warm":
        run(PREPARE)
    for seed in range(volume(1)):
        run(ALIKE.format(threads=8, searches=2000))
        for variants in (["classic"], ["classic", "x", "disjoint", "latin"]):
            for backends in (["auto"], [*OF_EACH_KIND, "clingo", "cp-sat"]):
                shares = {"variants": variants, "backends": backends, "seed": seed}
                run(MIXED.format(threads=200, searches=1100, **shares))


SERVER = """
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import unidoku

COUNTS = {"classic": 288, "x": 48, "disjoint": 168, "latin": 576}

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        found = unidoku.count("." * 16, variant=self.path[1:])
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(found.count).encode())

    def log_message(self, *_):
        pass

class Server(ThreadingHTTPServer):
    request_queue_size = 64

def answer(variant):
    with urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/{variant}") as reply:
        assert int(reply.read()) == COUNTS[variant]

with Server(("127.0.0.1", 0), Handler) as server:
    threading.Thread(target=server.serve_forever).start()
    with ThreadPoolExecutor(16) as clients:
        answers = [clients.submit(answer, variant) for variant in [*COUNTS] * 100]
    server.shutdown()
for one in answers:
    one.result()
"""


@pytest.mark.processes
def test_a_server_answers_its_first_requests() -> None:
    in_a_process(SERVER)
