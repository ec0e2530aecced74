// @ts-check
// The keyboard, with the keys of SudokuPad.
import { focusCell, takeBack } from "./board.js";
import { say } from "./store.js";
import * as store from "./store.js";
import { abandon, openSearch, typedTotal } from "./rules.js";
import { applyHint, isHinting, nextHint, somethingWrong } from "./solving.js";
import { pasted } from "./files.js";
import * as legend from "./legend.js";
import * as playing from "./playing.js";
import { paint } from "./regions.js";
import * as shaping from "./shaping.js";
import { t } from "./words.js";

/** @typedef {import("./store.js").Mode} Mode */

/** @type {Mode[]} */
export const MODES = ["digit", "corner", "centre", "colours"];
const WORDS = { digit: "digits", corner: "corner marks", centre: "centre marks", colours: "colours" };
/** @type {Record<string, Mode>} */
const LETTERS = { z: "digit", y: "digit", x: "corner", c: "centre", v: "colours" };
/** @type {Record<string, number[]>} */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const PAUSE = 700;

/** Listen to keys and to what is pasted. */
export function start() {
  document.addEventListener("keydown", pressed);
  document.addEventListener("paste", (event) => {
    if (isTyping(event.target)) return;
    event.preventDefault();
    pasted(event.clipboardData?.getData("text/plain") ?? "");
  });
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement && Boolean(target.closest("input, textarea, select, dialog"));
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
  const isOnControl =
    event.target instanceof HTMLElement && Boolean(event.target.closest("button, a, summary"));
  if (isOnControl && [" ", "Enter"].includes(event.key)) return;
  const inTabs = event.target instanceof HTMLElement && Boolean(event.target.closest("[role=tab]"));
  if (inTabs && event.key.startsWith("Arrow")) return;
  if (handled(event)) event.preventDefault();
}

/**
 * Do what a key asks for; return whether it asks for anything.
 * @param {KeyboardEvent} event
 */
function handled(event) {
  const control = event.ctrlKey || event.metaKey;
  const digit = digitOf(event);
  if (digit !== null && !event.altKey) {
    if (!control && !event.shiftKey && typedTotal(String(digit))) return true;
    const mode =
      control && event.shiftKey ? "colours" : control ? "centre" : event.shiftKey ? "corner" : null;
    typed(digit, mode ?? store.mode.peek());
    return true;
  }
  if (store.picked.peek() >= 0 && shaped(event)) return true;
  if (event.key in ARROWS) return moved(ARROWS[event.key], control || event.shiftKey);
  if (control) return withControl(event);
  if (event.altKey) return false;
  if (event.shiftKey && event.key.toLowerCase() === "b") {
    store.edit("pen", { lines: [] });
    return true;
  }
  switch (event.key) {
    case "Backspace":
    case "Delete":
      if (event.key === "Backspace" && (takeBack() || typedTotal("Backspace"))) return true;
      clear();
      return true;
    case " ":
    case "PageDown":
      turnMode(1);
      return true;
    case "PageUp":
      turnMode(-1);
      return true;
    case "Escape":
      if (!abandon()) store.shownStep() ? store.step.set(null) : store.selection.set([]);
      return true;
    case "Enter":
      if (typedTotal("Enter")) return true;
      if (isHinting()) applyHint();
      return isHinting();
    case "/":
      openSearch();
      return true;
  }
  return lettered(event.key.toLowerCase());
}

/**
 * Do what a key asks for about the rule that is picked; return whether it asks for anything.
 * @param {KeyboardEvent} event
 */
function shaped(event) {
  const { key, altKey, shiftKey } = event;
  if (altKey && key in ARROWS) (shiftKey ? shaping.grow : shaping.nudge)(ARROWS[key]);
  else if (altKey && key === "PageUp") shaping.reorder(-1);
  else if (altKey && key === "PageDown") shaping.reorder(1);
  else if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "d") shaping.copy();
  else if (key === "Delete") shaping.remove();
  else if (key === "r" && !altKey && !event.ctrlKey && !event.metaKey) shaping.reverse();
  else return false;
  return true;
}

/** @param {KeyboardEvent} event */
function withControl(event) {
  switch (event.key.toLowerCase()) {
    case "z":
      store.edit(event.shiftKey ? "redo" : "undo");
      return true;
    case "y":
      store.edit("redo");
      return true;
    case "a":
      store.selection.set(event.shiftKey ? [] : all());
      return true;
    case "i": {
      const chosen = new Set(store.selection.peek());
      store.selection.set(all().filter((cell) => !chosen.has(cell)));
      return true;
    }
    case "h":
      somethingWrong();
      return true;
    case " ":
      turnMode(-1);
      return true;
  }
  return false;
}

/** @param {string} key */
function lettered(key) {
  if (key in LETTERS) {
    setMode(LETTERS[key]);
    return true;
  }
  switch (key) {
    case "t":
      turnCandidates();
      return true;
    case "g":
      turnLayer();
      return true;
    case "b":
      turnPen();
      return true;
    case "h":
      nextHint();
      return true;
    case "n":
      flip();
      return true;
    case "p":
      playing.turn();
      return true;
    case "l":
      store.edit("view", { coordinates: !store.view.peek().coordinates });
      return true;
    case "m":
      if (!store.isPlaying.peek()) shaping.pickOn(store.selection.peek()[store.selection.peek().length - 1] ?? 0);
      return true;
    case "k":
      legend.open();
      return true;
    case "e":
      store.tab.set("file");
      return true;
    case "?":
      /** @type {HTMLDialogElement | null} */ (document.querySelector("#keys"))?.showModal();
      return true;
  }
  return false;
}

function all() {
  return (store.board.peek()?.positions ?? []).map((_, cell) => cell);
}

/** @param {KeyboardEvent} event */
function digitOf(event) {
  const code = /^(?:Digit|Numpad)(\d)$/.exec(event.code);
  if (code) return Number(code[1]);
  return /^\d$/.test(event.key) ? Number(event.key) : null;
}

let buffered = 0;
let bufferedAt = 0;

/**
 * Write a digit; on boards with more than nine values two digits soon after each other are one.
 * @param {number} digit
 * @param {Mode} mode
 */
function typed(digit, mode) {
  const board = store.board.peek();
  if (!board) return;
  const first = Number(board.values[0]);
  let number = digit;
  if (mode !== "colours" && Number(board.values[board.n - 1]) > 9) {
    const joined = buffered * 10 + digit;
    const isSoon = performance.now() - bufferedAt < PAUSE;
    if (isSoon && joined <= Number(board.values[board.n - 1])) number = joined;
    bufferedAt = performance.now();
    buffered = number;
  }
  const value = mode === "colours" ? number : number - first + 1;
  const most = mode === "colours" ? 9 : board.n;
  if (value >= 1 && value <= most) write(value, mode);
  else if (digit === 0) clear();
}

/**
 * Write a value into the selected cells: at once here, and then at the server.
 * @param {number} value
 * @param {Mode} mode
 */
export function write(value, mode) {
  const cells = store.selection.peek();
  const board = store.board.peek();
  if (!cells.length || !board || !store.isOpen.peek()) return;
  if (paint(value)) return;
  if (mode !== "digit") {
    store.edit("mark", { cells, value, layer: mode });
    return;
  }
  const layer = store.layer.peek();
  if (layer === "given") {
    const isSame = cells.every((cell) => board.givens[cell] === value);
    const givens = [...board.givens];
    for (const cell of cells) givens[cell] = isSame ? 0 : value;
    store.board.set({ ...board, givens });
    store.edit("digits", { cells, value: isSame ? 0 : value, layer });
    return;
  }
  const marks = store.marks.peek();
  const free = cells.filter((cell) => !board.givens[cell]);
  const isSame = free.every((cell) => marks.entries[cell] === value);
  const entries = { ...marks.entries };
  for (const cell of free) {
    if (isSame) delete entries[cell];
    else entries[cell] = value;
  }
  store.marks.set({ ...marks, entries });
  store.edit("digits", { cells, value: isSame ? 0 : value, layer });
}

/** Clear the selected cells. */
export function clear() {
  const cells = store.selection.peek();
  if (paint(0)) return;
  if (cells.length) store.edit("clear", { cells, given: store.layer.peek() === "given" });
}

/** @param {Mode} mode */
export function setMode(mode) {
  store.mode.set(mode);
  say(WORDS[mode]);
}

/** @param {number} by */
function turnMode(by) {
  const at = MODES.indexOf(store.mode.peek()) + by + MODES.length;
  setMode(MODES[at % MODES.length]);
}

/** Show candidates in the next form: none, by logic, the true ones. */
export function turnCandidates() {
  if (store.isPlaying.peek()) return;
  const next = { off: "true", true: "logical", logical: "off" }[store.form.peek()];
  store.form.set(/** @type {"off" | "logical" | "true"} */ (next));
  store.lookForCandidates();
  say(next === "off" ? "candidates off" : t`${next} candidates`);
}

/** Let digits be givens, or entries. */
export function turnLayer() {
  if (store.isPlaying.peek()) return;
  store.layer.set(store.layer.peek() === "given" ? "entry" : "given");
  store.isPen.set(false);
  say(store.layer.peek() === "given" ? "setting: digits are givens" : "solving: digits are entries");
}

/** Take up the pen, which is for solving, or put it down. */
export function turnPen() {
  store.isPen.set(!store.isPen.peek());
  if (store.isPen.peek()) store.layer.set("entry");
  say(store.isPen.peek() ? "pen: drag over cells, or along their sides" : "pen put down");
}

/** Show the next of the solutions that are known, then none. */
export function flip() {
  /** @type {number[][]} */
  const grids = store.lamp.peek()?.grids ?? [];
  const at = grids.findIndex((grid) => grid === store.solution.peek());
  store.solution.set(grids[at + 1] ?? null);
  say(store.solution.peek() ? t`solution ${at + 2}` : "no solution shown");
}

/**
 * Move the selection to the next cell in a direction, over holes and around the edge.
 * @param {number[]} way
 * @param {boolean} adds
 */
function moved([down, right], adds) {
  const board = store.board.peek();
  if (!board) return false;
  const chosen = store.selection.peek();
  const from = chosen[chosen.length - 1];
  if (from === undefined) {
    store.selection.set([0]);
    focusCell();
    return true;
  }
  const rows = 1 + Math.max(...board.positions.map(([row]) => row));
  const columns = 1 + Math.max(...board.positions.map(([, column]) => column));
  let [row, column] = board.positions[from];
  let cell = -1;
  for (let steps = 0; cell < 0 && steps < Math.max(rows, columns); steps += 1) {
    row = (row + down + rows) % rows;
    column = (column + right + columns) % columns;
    cell = board.positions.findIndex(([r, c]) => r === row && c === column);
  }
  if (cell < 0) return true;
  store.selection.set(adds ? [...chosen.filter((c) => c !== cell), cell] : [cell]);
  focusCell();
  return true;
}
