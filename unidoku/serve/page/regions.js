// @ts-check
// Regions: painted cell by cell with the keys 1 to 9, and taken when every one has its size.
import { effect, h, show, signal } from "./signals.js";
import * as store from "./store.js";
import { t } from "./words.js";

const MOST = 9;

/** @param {HTMLElement} panel */
export function start(panel) {
  const place = h("div", {});
  panel.append(h("details", { ontoggle: (/** @type {Event} */ event) => toggle(/** @type {HTMLDetailsElement} */ (event.target).open) }, h("summary", {}, "Regions"), place));
  effect(() => draw(place));
  effect(() => {
    const board = store.board();
    if (board && !isPainting.peek()) store.painted.set(null);
  });
}

const isPainting = signal(false);

/** @param {boolean} isOpen */
function toggle(isOpen) {
  const board = store.board.peek();
  isPainting.set(isOpen);
  store.painted.set(isOpen && board ? [...board.regions] : null);
}

/**
 * Paint the selected cells with a region, 0 for none; return whether regions are painted.
 * @param {number} value
 */
export function paint(value) {
  const now = store.painted.peek();
  const board = store.board.peek();
  if (!now || !board || value > board.n) return false;
  const next = [...now];
  for (const cell of store.selection.peek()) next[cell] = value;
  store.painted.set(next);
  return true;
}

/**
 * Return how many pieces the cells with a number make.
 * @param {number[][]} positions
 * @param {Set<number>} cells
 */
function pieces(positions, cells) {
  const left = new Set(cells);
  const at = new Map([...cells].map((cell) => [positions[cell].join(), cell]));
  let count = 0;
  for (const first of cells) {
    if (!left.delete(first)) continue;
    count += 1;
    const queue = [first];
    while (queue.length) {
      const [row, column] = positions[queue.pop() ?? 0];
      for (const [down, right] of [[0, 1], [1, 0], [0, -1], [-1, 0]]) {
        const next = at.get([row + down, column + right].join());
        if (next !== undefined && left.delete(next)) queue.push(next);
      }
    }
  }
  return count;
}

/** @param {HTMLElement} place */
function draw(place) {
  const board = store.board();
  const now = store.painted();
  if (!board || !now) {
    show(place);
    return;
  }
  const free = now.filter((value) => !value).length;
  const problems = free ? [t`${free} cells are in no region`] : [];
  const counters = Array.from({ length: board.n }, (_, at) => {
    const cells = new Set(now.flatMap((value, cell) => (value === at + 1 ? [cell] : [])));
    const count = pieces(board.positions, cells);
    if (cells.size !== board.n) problems.push(t`region ${at + 1} has ${cells.size} of ${board.n} cells`);
    if (count > 1) problems.push(t`region ${at + 1} is in ${count} pieces`);
    const isRight = cells.size === board.n && count === 1;
    return h("button", { class: isRight ? "chip good" : "chip", "aria-label": t`Region ${at + 1}, ${cells.size} cells`, onclick: () => paint(at + 1) }, `${at + 1}: ${cells.size}`);
  });
  const isWhole = !problems.some((words) => !words.includes("pieces"));
  const take = () => store.edit("regions", { map: now });
  show(
    place,
    h("p", { class: "fine" }, t`Select cells and press ${board.n > MOST ? "a number below" : t`1 to ${board.n}`}; 0 or Delete takes them out.`),
    h("div", { class: "chips" }, counters),
    problems.length ? h("ul", { class: "losses bad" }, problems.slice(0, 6).map((words) => h("li", {}, words))) : h("p", { class: "good" }, "Each region has its size and is in one piece."),
    h("div", { class: "row" }, h("button", { class: "main", disabled: !isWhole, onclick: take }, "Use these regions"), h("button", { onclick: () => store.painted.set([...board.regions]) }, "Begin again")),
  );
}
