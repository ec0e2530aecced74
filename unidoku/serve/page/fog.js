// @ts-check
// Fog: lights and triggers by selecting cells, and a play-test in which right digits lift it.
import { effect, h, show, signal } from "./signals.js";
import * as store from "./store.js";
import { t } from "./words.js";

/** The solution that a play-test compares with; null if there is not exactly one. */
const solution = signal(/** @type {number[] | null} */ (null));
/** The cells that a trigger being made waits for. */
const waiting = signal(/** @type {number[]} */ ([]));

/** @param {HTMLElement} panel */
export function start(panel) {
  const place = h("div", {});
  panel.append(h("details", {}, h("summary", {}, "Fog"), place));
  effect(() => draw(place));
  effect(() => {
    const answer = store.lamp(); // null while it is asked again: what was known is kept
    if (answer) solution.set(answer.solutions === 1 ? answer.grids[0] : null);
  });
  effect(() => store.veiled.set(new Set(store.isPlaying() ? inFog() : [])));
}

/** Return the cells in the fog: it is lifted as SudokuPad lifts it. */
function inFog() {
  const board = store.board();
  if (!board?.fog) return [];
  const { lights, triggers } = board.fog;
  const entries = store.marks().entries;
  const right = solution();
  const isRight = (/** @type {number} */ cell) => right !== null && entries[cell] === right[cell];
  const lit = new Set(lights);
  for (const [when, cells] of triggers) {
    if (when.every((cell) => isRight(cell) || Boolean(board.givens[cell]))) cells.forEach((cell) => lit.add(cell));
  }
  board.positions.forEach(([row, column], cell) => {
    if (triggers.length || !isRight(cell)) return;
    board.positions.forEach(([r, c], other) => Math.abs(r - row) < 2 && Math.abs(c - column) < 2 && lit.add(other));
  });
  return board.positions.map((_, cell) => cell).filter((cell) => !lit.has(cell));
}

/** @param {HTMLElement} place */
function draw(place) {
  const board = store.board();
  if (!board) return;
  const { lights, triggers } = board.fog ?? { lights: [], triggers: [] };
  const chosen = () => store.selection.peek();
  const set = (/** @type {number[]} */ next, /** @type {number[][][]} */ all) => store.edit("fog", { lights: next, triggers: all });
  const button = (/** @type {string} */ words, /** @type {() => void} */ act) => h("button", { class: "small", onclick: act }, words);
  const names = (/** @type {number[]} */ cells) => cells.map((cell) => board.names[cell]).join(" ");
  show(
    place,
    h("p", { class: "fine" }, board.fog ? t`Fog everywhere but on ${lights.length} cells; a right digit lifts it ${triggers.length ? "where a trigger says so" : "around its cell"}. Try it with P.` : "No fog."),
    h(
      "div",
      { class: "row" },
      button("Light the selected cells", () => set([...new Set([...lights, ...chosen()])].sort((a, b) => a - b), triggers)),
      button("Cover them", () => set(lights.filter((cell) => !chosen().includes(cell)), triggers)),
      board.fog && button("No fog", () => store.edit("fog", { gone: true })),
    ),
    h(
      "div",
      { class: "row" },
      waiting().length
        ? button(t`… light the selected cells once ${names(waiting())} are right`, () => {
            set(lights, [...triggers, [waiting.peek(), chosen()]]);
            waiting.set([]);
          })
        : button("Once the selected cells are right …", () => waiting.set([...chosen()])),
    ),
    h("ul", { class: "losses" }, triggers.map(([when, cells], at) => h("li", {}, `${names(when)} → ${names(cells)} `, button("Remove", () => set(lights, triggers.filter((_, other) => other !== at)))))),
  );
}
