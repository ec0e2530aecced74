"""Measure in the page how soon the workbench answers: keys, the lamp, true candidates, hints.

Usage: python benchmarks/serve.py [--edits N] [--puzzles FILE.jsonl]

Ten puzzles are edited in Chromium with the keyboard: a value is typed into a cell, or cleared. The
page's own clock measures until the digit is drawn, until the lamp shows the new board, until the
first true candidates are drawn, and until all of them are known. All times are ratios to an empty
round trip on the same connection between the edits, so that they say something about another
machine too. FILE has a JSON object with a text ``iss`` on each line; without it, the puzzles are
those of examples/rules.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

PUZZLES = (
    *("killer", "thermo", "arrow", "whisper", "renban", "kropki", "sandwich", "xv", "kenken"),
    "little-killer",
)

MOST = 10
"""Puzzles of a file."""

EDIT = """async ({ puzzle, edits, seed }) => {
  const store = await import("/page/store.js");
  const { ask } = await import("/page/connection.js");
  const { effect } = await import("/page/signals.js");
  let state = seed;
  const random = most => {
    state = (state * 48271) % 2147483647;
    return state % most;
  };
  const until = test => new Promise(done => {
    let isDone = false;
    effect(() => {
      if (!isDone && test()) {
        isDone = true;
        done(performance.now());
      }
    });
  });
  const press = key => document.dispatchEvent(
    new KeyboardEvent("keydown", { key, code: /\\d/.test(key) ? `Digit${key}` : key }));
  if ((await ask("paste", { text: puzzle })).error) return null;
  store.layer.set("entry");
  store.form.set("true");
  store.lookForCandidates();
  const isOf = answer => answer && answer.digest === store.digest();
  const isFinal = () => isOf(store.candidates()) && !Object.keys(store.candidates().open).length;
  await until(isFinal);
  const rows = [];
  for (let number = 0; number < edits; number += 1) {
    const { n, givens } = store.board.peek();
    const entries = store.marks.peek().entries;
    const free = givens.map((given, cell) => (given ? -1 : cell)).filter(cell => cell >= 0);
    const cell = free[random(free.length)];
    const counts = store.candidates.peek().counts[cell];
    const good = counts.flatMap((count, at) => (count ? [at + 1] : []));
    const value = good.length && random(4) ? good[random(good.length)] : 1 + random(Math.min(n, 9));
    const row = {};
    let began = performance.now();
    await ask("cancel", { kind: "none" });
    row["empty round trip"] = performance.now() - began;
    store.selection.set([cell]);
    await Promise.resolve();
    const before = store.digest.peek();
    const shown = document.querySelector(`[data-cell="${cell}"]`);
    began = performance.now();
    press(entries[cell] ? "Delete" : String(value));
    await Promise.resolve();
    shown.getBoundingClientRect();
    row["key until it is drawn"] = performance.now() - began;
    const isNew = () => store.digest() !== before;
    const since = time => time - began;
    const [lamp, first, all] = await Promise.all([
      until(() => isNew() && isOf(store.lamp()) && (
        "entered" in store.lamp() || !Object.keys(store.marks().entries).length)),
      until(() => isNew() && isOf(store.candidates())),
      until(() => isNew() && isFinal()),
    ]);
    row["lamp"] = since(lamp);
    row["first true candidates"] = since(first);
    row["all true candidates"] = since(all);
    began = performance.now();
    await ask("hint");
    row["hint"] = performance.now() - began;
    rows.push(row);
  }
  return rows;
}"""


def texts_of(path: str | None) -> list[str]:
    """Return the texts of ten puzzles."""
    if path:
        with Path(path).open(encoding="utf-8") as lines:
            return [json.loads(line)["iss"] for line in lines]
    rules = Path(__file__).parents[1] / "examples" / "rules"
    return [(rules / f"{name}.toml").read_text(encoding="utf-8") for name in PUZZLES]


def measure(
    folder: Path, texts: Sequence[str], edits: int, latencies: dict[str, list[float]]
) -> int:
    """Edit ten puzzles in the page, add what it took, and return how many they were."""
    command = [sys.executable, "-m", "unidoku", "serve", "it.toml", "--no-browser"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder)
    assert server.stdout is not None
    address = server.stdout.readline().strip()
    done = 0
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("html[data-ready]", state="attached")
        measured = (
            rows
            for seed, puzzle in enumerate(texts, start=1)
            if (rows := page.evaluate(EDIT, {"puzzle": puzzle, "edits": edits, "seed": seed}))
        )
        for rows in islice(measured, MOST):
            done += 1
            for row in rows:
                for name, milliseconds in row.items():
                    latencies[name].append(milliseconds)
        browser.close()
    server.terminate()
    server.wait()
    return done


def main(arguments: Sequence[str]) -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--edits", type=int, default=200, help="edits of all puzzles together")
    parser.add_argument("--puzzles", help="a file of puzzles")
    options = parser.parse_args(arguments)
    latencies: dict[str, list[float]] = defaultdict(list)
    with TemporaryDirectory() as folder:
        edits = max(1, options.edits // MOST)
        done = measure(Path(folder), texts_of(options.puzzles), edits, latencies)
    base = statistics.median(latencies["empty round trip"])
    print("| | median | 95 % | ms | ms, 95 % |\n| --- | --- | --- | --- | --- |")
    for name, times in latencies.items():
        ordered = sorted(times)
        middle = statistics.median(times)
        high = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
        ratios = f"{middle / base:.1f} | {high / base:.1f}"
        print(f"| {name} | {ratios} | {middle:.1f} | {high:.1f} |")
    print(f"\n{len(times)} edits of {done} puzzles.")


if __name__ == "__main__":
    main(sys.argv[1:])
