// @ts-check
// Play-test: the puzzle as a solver meets it, with a clock; afterwards, where it took long.
import { ask } from "./connection.js";
import { byId, effect, h, show, signal } from "./signals.js";
import * as store from "./store.js";
import { t } from "./words.js";

/** @typedef {{ at: number, entries: Record<string, number>, words: string }} Moment */

const LONGEST = 5;

const result = signal(/** @type {{ words: string, tone: string } | null} */ (null));
/** @type {Moment[]} */
let moments = [];
let began = 0;
let ended = 0;
let before = "off";

/** Put the bar of the play-test into the page. */
export function start() {
  const bar = h("section", { id: "play", hidden: true, "aria-label": "Play-test" });
  const clock = h("span", { class: "clock", role: "timer", "aria-label": "Time" });
  byId("bar").after(bar);
  effect(() => {
    const isOn = store.isPlaying();
    bar.hidden = !isOn;
    document.body.classList.toggle("playing", isOn);
    if (!isOn) return;
    show(
      bar,
      clock,
      h("button", { class: "main", onclick: check }, "Check"),
      h("button", { onclick: stop }, "End"),
      h("span", { class: result()?.tone ?? "", role: "status" }, result()?.words ?? ""),
      h("div", { class: "row" }, result() ? waits() : []),
    );
    tick(clock);
  });
  effect(() => {
    const entries = store.marks().entries;
    if (!store.isPlaying() || ended) return;
    const last = moments[moments.length - 1];
    const changed = Object.keys(entries).find((cell) => entries[cell] !== last?.entries[cell]);
    if (last && changed === undefined && Object.keys(last.entries).length === Object.keys(entries).length) return;
    const words = changed === undefined ? "a value was removed" : t`${store.nameOf(Number(changed))} became ${store.board()?.values[entries[changed] - 1] ?? ""}`;
    moments.push({ at: performance.now(), entries: { ...entries }, words: last ? words : "the beginning" });
    const board = store.board();
    if (board && board.positions.every((_, cell) => board.givens[cell] || entries[cell])) check();
  });
}

/** @param {HTMLElement} clock */
function tick(clock) {
  if (!store.isPlaying.peek()) return;
  clock.textContent = time((ended || performance.now()) - began);
  if (!ended) setTimeout(() => tick(clock), 1000);
}

/** @param {number} milliseconds */
function time(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Begin a play-test, or end it. */
export function turn() {
  if (store.isPlaying.peek()) stop();
  else begin();
}

function begin() {
  before = store.form.peek();
  store.form.set("off");
  store.lookForCandidates();
  store.layer.set("entry");
  store.tool.set(null);
  store.solution.set(null);
  store.step.set(null);
  moments = [];
  began = performance.now();
  ended = 0;
  result.set(null);
  store.isPlaying.set(true);
  store.say("play-test: the clock runs");
}

function stop() {
  store.isPlaying.set(false);
  store.isPen.set(false);
  store.solution.set(null);
  store.form.set(/** @type {"off" | "logical" | "true"} */ (before));
  store.layer.set("given");
  store.lookForCandidates();
  store.say("play-test ended");
}

async function check() {
  const answer = await ask("wrong");
  if (answer.cancelled) return;
  const board = store.board.peek();
  const entries = store.marks.peek().entries;
  const isFull = board?.positions.every((_, cell) => board.givens[cell] || entries[cell]);
  if (isFull && answer.wrong === false) ended = ended || performance.now();
  result.set(
    answer.error
      ? { words: answer.error, tone: "bad" }
      : answer.wrong
        ? { words: "Something is wrong.", tone: "bad" }
        : isFull
          ? { words: t`Solved in ${time(ended - began)}.`, tone: "good" }
          : { words: "Nothing is wrong so far.", tone: "good" },
  );
  store.say(result.peek()?.words ?? "");
}

/** Return buttons that show where it took longest. */
function waits() {
  const steps = moments.slice(1).map((moment, at) => ({ ...moment, waited: moment.at - moments[at].at, from: moments[at].entries }));
  const longest = [...steps].sort((a, b) => b.waited - a.waited).slice(0, LONGEST);
  return longest
    .sort((a, b) => a.at - b.at)
    .map((step) => h("button", { class: "small", title: "Show the board as it was", onclick: () => replay(step.from) }, t`${time(step.waited)} before ${step.words}`));
}

/** @param {Record<string, number>} entries */
function replay(entries) {
  const board = store.board.peek();
  if (board) store.solution.set(board.positions.map((_, cell) => entries[cell] ?? 0));
}
