// @ts-check
// What the page knows: the state of the server, and what is shown of it.
import { ask } from "./connection.js";
import { signal } from "./signals.js";
import { words } from "./words.js";

/** @typedef {Record<string, any>} Json */
/**
 * @typedef {{ kind: string, words: string, cells: number[], table: Json, ignored: boolean, hidden: boolean,
 *   shape: Record<string, number[]> | null }} Rule
 */
/**
 * @typedef {{ key: string, text: string, name: string, author: string, label: string, n: number,
 *   values: string[], positions: number[][], names: string[], units: string[][], box: number[],
 *   cell: number, margin: number, picture: string, marks: number[][], givens: number[],
 *   candidates: Record<string, number[]>, rules: Rule[], others: string[], unknown: string[],
 *   own: Own[], cosmetics: { table: Json, at: [number, number][], words: string }[],
 *   solution: number[] | null, rules_text: string, regions: number[],
 *   fog: { lights: number[], triggers: number[][][] } | null }} Board
 */
/**
 * @typedef {{ entries: Record<string, number>, corner: Record<string, number[]>,
 *   centre: Record<string, number[]>, colours: Record<string, number[]>,
 *   pen: number[][], clashes: number[] }} Marks
 */
/** @typedef {{ name: string, holds: string, single: boolean, required: boolean, default: any, about: string }} Field */
/** @typedef {{ kind: string, about: string, fields: Field[] }} Kind */
/** @typedef {Kind & { table: Json }} Own a rule that the puzzle defines */
/** @typedef {"digit" | "corner" | "centre" | "colours"} Mode */

/** @type {import("./signals.js").Signal<Board | null>} */
export const board = signal(/** @type {Board | null} */ (null));
export const marks = signal(
  /** @type {Marks} */ ({ entries: {}, corner: {}, centre: {}, colours: {}, pen: [], clashes: [] }),
);
export const digest = signal("");
export const undoable = signal(0);
export const redoable = signal(0);
export const file = signal({ name: "", saved: false, error: "", conflict: "" });
export const isOpen = signal(false);
export const kinds = signal(/** @type {Kind[]} */ ([]));

/** The selected cells in the order of their selection; the last has the focus. */
export const selection = signal(/** @type {number[]} */ ([]));
export const mode = signal(/** @type {Mode} */ ("digit"));
/** Names of the versions that were kept. */
export const versions = signal(/** @type {string[]} */ ([]));
/** How cells are named in messages: A1 or r1c1. */
export const naming = signal("A1");
/** Whether the puzzle is play-tested. */
export const isPlaying = signal(false);
/** The regions that are painted, by cell; null if none are. */
export const painted = signal(/** @type {number[] | null} */ (null));
/** The cells that are in the fog of a play-test. */
export const veiled = signal(/** @type {Set<number>} */ (new Set()));
/** How the page looks, for all puzzles. */
export const view = signal({ palette: "usual", numbers: false, coordinates: false });
/** Whether digits are givens of the puzzle, or entries of who solves it. */
export const layer = signal(/** @type {"given" | "entry"} */ ("given"));
export const form = signal(/** @type {"off" | "logical" | "true"} */ ("off"));
export const candidates = signal(/** @type {Json | null} */ (null));
export const lamp = signal(/** @type {Json | null} */ (null));
export const count = signal("");
export const conflict = signal(/** @type {Json | null} */ (null));
/** A step of logic that is shown on the board, and how much of it. */
export const step = signal(/** @type {Json | null} */ (null));
/** A solution that is shown instead of marks; null for none. */
export const solution = signal(/** @type {number[] | null} */ (null));
/** The kind of rule that dragging draws; null to select cells. */
export const tool = signal(/** @type {Kind | null} */ (null));
/** The rule that dragging moves; -1 for none. */
export const picked = signal(-1);
/** The cells that it would have. */
export const ghost = signal(/** @type {number[]} */ ([]));
/** The shape that dragging draws as a picture; empty for none. */
export const brush = signal("");
/** Whether dragging draws lines of the pen. */
export const isPen = signal(false);
/** Cells that are outlined, such as those of a rule in the list. */
export const pointed = signal(/** @type {number[]} */ ([]));
export const notice = signal(/** @type {{ text: string, tone: string } | null} */ (null));
export const tab = signal("rules");

/** Return the step that the board shows: none while another tab is in view, where it would hide the plain board. */
export function shownStep() {
  return tab() === "solve" ? step() : null;
}

/**
 * Take an event of the server.
 * @param {Json} event
 */
export function take(event) {
  if (event.event !== "state") return;
  const before = digest.peek();
  if (event.board) {
    const old = board.peek();
    if (!old || old.positions.length !== event.board.positions.length) selection.set([0]);
    board.set(event.board);
    if (!event.board.rules[picked.peek()]?.shape) picked.set(-1);
  }
  marks.set(event.marks);
  if (versions.peek().join("\n") !== event.versions.join("\n")) versions.set(event.versions);
  naming.set(event.names);
  if (JSON.stringify(view.peek()) !== JSON.stringify(event.view)) view.set(event.view);
  undoable.set(event.undo);
  redoable.set(event.redo);
  file.set({ ...event.file, conflict: event.file.conflict ?? "" });
  digest.set(event.digest);
  step.set(null);
  if (before !== event.digest) {
    if (notice.peek()?.tone === "bad") notice.set(null);
    solution.set(null);
    lamp.set(null);
    count.set("");
    conflict.set(null);
    look();
  }
}

/** Ask what is always in view: the lamp, the candidates where they are shown, then the count. */
export async function look() {
  const asked = digest.peek();
  const isOld = () => asked !== digest.peek();
  const light = (/** @type {Json} */ answer) => {
    if (!answer.cancelled && !isOld()) lamp.set(answer);
  };
  const looking = lookForCandidates();
  const answer = await ask("lamp", {}, light);
  light(answer);
  if (answer.cancelled || answer.error || isOld()) return;
  if (answer.solutions === 0) {
    const found = await ask("conflict");
    if (!found.cancelled && !found.error && !isOld()) conflict.set(found);
  } else if (answer.solutions > 1) {
    await looking;
    const climb = (/** @type {Json} */ part) => {
      if (!part.cancelled && !part.error && !isOld()) count.set(part.words);
    };
    if (!isOld()) climb(await ask("count", {}, climb));
  }
}

/** Ask for the candidates, if they are shown. */
export async function lookForCandidates() {
  if (form.peek() === "off") {
    candidates.set(null);
    return;
  }
  const asked = digest.peek();
  const chosen = form.peek();
  const take_ = (/** @type {Json} */ answer) => {
    if (answer.cancelled || asked !== digest.peek() || chosen !== form.peek()) return;
    if (answer.error) tell(answer.error, "bad");
    else candidates.set(answer);
  };
  take_(await ask("candidates", { form: chosen }, take_));
}

/**
 * Send an edit, and tell why if it is refused.
 * @param {string} command
 * @param {Json} [fields]
 */
export async function edit(command, fields = {}) {
  if (!isOpen.peek()) return { error: "not connected" }; // as the notice says
  const answer = await ask(command, fields);
  if (answer.error) tell(answer.error, "bad");
  return answer;
}

/**
 * Ask a question; null if it was cancelled or refused, which is told.
 * @param {string} command
 * @param {Json} [fields]
 * @param {(part: Json) => void} [part] called with parts of the answer
 * @returns {Promise<Json | null>}
 */
export async function find(command, fields, part) {
  const answer = await ask(command, fields, part);
  if (answer.error) tell(answer.error, "bad");
  return answer.error || answer.cancelled ? null : answer;
}

/** Milliseconds that good news stay. */
const GOOD_NEWS = 6000;

/**
 * Show a message until the next one.
 * @param {string} text
 * @param {string} [tone]
 */
export function tell(text, tone = "") {
  const shown = text ? { text: words(text), tone } : null;
  notice.set(shown);
  if (tone === "good") setTimeout(() => notice.peek() === shown && notice.set(null), GOOD_NEWS);
}

/**
 * Say something to readers of the screen.
 * @param {string} text
 */
export function say(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = words(text);
}

/** The kinds of rules, those of the puzzle's own first. */
export function allKinds() {
  return [...(board()?.own ?? []), ...kinds()];
}

/**
 * Return the value that is written in a cell, 0 for none.
 * @param {number} cell
 */
export function valueOf(cell) {
  return board()?.givens[cell] || marks().entries[cell] || 0;
}

/**
 * Return the name of a cell for people: r1c1.
 * @param {number} cell
 */
export function nameOf(cell) {
  const [row, column] = board.peek()?.positions[cell] ?? [0, 0];
  return `r${row + 1}c${column + 1}`;
}
