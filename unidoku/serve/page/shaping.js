// @ts-check
// Rules that are drawn: picked, moved, reshaped, copied and put in another order.
import { edit, say } from "./store.js";
import * as store from "./store.js";
import { t } from "./words.js";

/** @typedef {Record<string, number[]>} Shape */
/** @typedef {{ index: number, from: number, way: "move" | "last" | "first" | "add", field: string, shape: Shape }} Drag */

const PATHS = ["line", "shaft"];
/** @type {Drag | null} */
let drag = null;

/** @param {number} index */
function ruleAt(index) {
  return store.board.peek()?.rules[index];
}

/**
 * Return the rules that are drawn on a cell and can be moved, the one drawn last first.
 * @param {number} cell
 */
function rulesOn(cell) {
  const rules = store.board.peek()?.rules ?? [];
  const found = rules.map((_, index) => index).filter((index) => rules[index].shape && !rules[index].hidden && rules[index].cells.includes(cell));
  return found.reverse();
}

/**
 * Pick a rule, whose cells dragging moves then; -1 for none.
 * @param {number} index
 */
export function pick(index) {
  const rule = ruleAt(index);
  store.tool.set(null);
  store.picked.set(rule?.shape ? index : -1);
  store.ghost.set([]);
  drag = null;
  if (rule) say(rule.shape ? t`picked: ${rule.words}` : "This rule stands for several: change it with its form, or in the text of the file.");
}

/**
 * Pick the rule on a cell, or if one of them is picked, the next.
 * @param {number} cell
 */
export function pickOn(cell) {
  const found = rulesOn(cell);
  if (!found.length) return;
  store.tab.set("rules");
  pick(found[(found.indexOf(store.picked.peek()) + 1) % found.length]);
}

/** Pick no rule; return whether one was. */
export function letGo() {
  const was = store.picked.peek() >= 0;
  store.picked.set(-1);
  store.ghost.set([]);
  drag = null;
  return was;
}

/**
 * Begin to drag from a cell: from an end of a line it is reshaped, from another cell of the rule
 * all of it is moved, from elsewhere cells are added.
 * @param {number} cell
 */
export function begin(cell) {
  if (!ruleAt(store.picked.peek())?.cells.includes(cell) && rulesOn(cell).length) pickOn(cell);
  const index = store.picked.peek();
  const shape = shapeOf(index);
  drag = null;
  if (!shape) return false;
  const fields = Object.keys(shape).filter((name) => name !== "pairs");
  const paths = fields.filter((name) => PATHS.includes(name));
  const last = paths.find((name) => shape[name][shape[name].length - 1] === cell);
  const first = last ? undefined : paths.find((name) => name === "line" && shape[name][0] === cell);
  const isInside = Object.values(shape).some((cells) => cells.includes(cell));
  const field = last ?? first ?? fields[fields.length - 1];
  const way = last ? "last" : first ? "first" : isInside ? "move" : "add";
  if (way === "add" && !field) return true;
  drag = { index, from: cell, way, field, shape: { ...shape } };
  if (way === "add") to(cell);
  return true;
}

/**
 * Drag to a cell.
 * @param {number} cell
 */
export function to(cell) {
  const board = store.board.peek();
  const old = shapeOf(drag?.index ?? -1);
  if (!drag || !board || !old) return;
  const { way, field } = drag;
  if (way === "move") {
    const [[r, c], [row, column]] = [board.positions[drag.from], board.positions[cell]];
    drag.shape = shifted(old, row - r, column - c) ?? drag.shape;
  } else {
    const cells = [...drag.shape[field]];
    if (way === "first") cells.reverse();
    if (way !== "add" && cells[cells.length - 2] === cell) cells.pop();
    else if (!cells.includes(cell)) cells.push(cell);
    drag.shape = { ...drag.shape, [field]: way === "first" ? cells.reverse() : cells };
  }
  store.ghost.set([...new Set(Object.values(drag.shape).flat())]);
}

/**
 * Return a shape so many rows and columns further; null if it does not fit on the board.
 * @param {Shape} shape
 * @param {number} down
 * @param {number} right
 */
function shifted(shape, down, right) {
  const positions = store.board.peek()?.positions ?? [];
  const at = new Map(positions.map((position, cell) => [position.join(), cell]));
  /** @type {Shape} */
  const moved = {};
  for (const [field, cells] of Object.entries(shape)) {
    const found = cells.map((cell) => at.get([positions[cell][0] + down, positions[cell][1] + right].join()));
    if (found.includes(undefined)) return null;
    moved[field] = /** @type {number[]} */ (found);
  }
  return moved;
}

/**
 * End dragging; a click takes a cell out of a group of cells.
 * @param {boolean} wasPicked whether the rule was picked before
 */
export function end(wasPicked) {
  const now = drag;
  drag = null;
  store.ghost.set([]);
  const old = shapeOf(now?.index ?? -1);
  if (!now || !old) return;
  let shape = now.shape;
  const isClick = JSON.stringify(shape) === JSON.stringify(old);
  if (isClick && wasPicked && now.way !== "add" && now.field) {
    const cells = old[now.field];
    const isPath = PATHS.includes(now.field);
    if (cells.length < 2 || !cells.includes(now.from) || (isPath && now.way === "move")) return;
    shape = { ...old, [now.field]: cells.filter((cell) => cell !== now.from) };
  } else if (isClick) return;
  send(now.index, shape);
}

/** The cells of a rule as edits will make them that are not answered yet: the next key is about these. */
let ahead = { index: -1, shape: /** @type {Shape} */ ({}), edits: 0 };

/** @param {number} index */
function shapeOf(index) {
  return ahead.edits && ahead.index === index ? ahead.shape : ruleAt(index)?.shape;
}

/**
 * Give a rule other cells.
 * @param {number} index
 * @param {Shape} shape
 */
async function send(index, shape) {
  ahead = { index, shape: { ...shapeOf(index), ...shape }, edits: ahead.edits + 1 };
  await edit("rule-shape", { index, shape });
  ahead.edits -= 1;
}

/**
 * Show rules as an edit will make them, until the server answers.
 * @param {import("./store.js").Rule[]} rules
 * @param {string} command
 * @param {Record<string, any>} fields
 */
async function withRules(rules, command, fields) {
  const before = store.board.peek();
  if (!before) return;
  const now = { ...before, rules };
  store.board.set(now);
  const answer = await edit(command, fields);
  if (answer.error && store.board.peek() === now) store.board.set(before);
}

/**
 * Move the rule that is picked.
 * @param {number[]} way
 */
export function nudge([down, right]) {
  const index = store.picked.peek();
  const shape = shifted(shapeOf(index) ?? {}, down, right);
  if (shape && index >= 0) send(index, shape);
  else say("It does not fit there.");
}

/**
 * Let the rule that is picked grow by the cell next to its last one, or shrink if that is its own.
 * @param {number[]} way
 */
export function grow([down, right]) {
  const index = store.picked.peek();
  const shape = shapeOf(index);
  const field = Object.keys(shape ?? {}).filter((name) => name !== "pairs").pop();
  if (!shape || !field) return;
  const cells = shape[field];
  const next = shifted({ end: cells.slice(-1) }, down, right)?.end[0];
  if (next === undefined) return;
  const isBack = cells.includes(next);
  if (isBack && cells.length < 2) return;
  send(index, { ...shape, [field]: isBack ? cells.slice(0, -1) : [...cells, next] });
  say(`${isBack ? "without" : "with"} ${store.nameOf(isBack ? cells[cells.length - 1] : next)}`);
}

/** Turn the line that is picked around. */
export function reverse() {
  const index = store.picked.peek();
  const line = shapeOf(index)?.line;
  if (line) send(index, { line: [...line].reverse() });
}

/** Add a copy of the rule that is picked beside it, and pick the copy. */
export async function copy() {
  const board = store.board.peek();
  const index = store.picked.peek();
  const shape = shapeOf(index);
  if (!shape || !board) return;
  const beside = [[1, 0], [0, 1], [-1, 0], [0, -1]].map(([down, right]) => shifted(shape, down, right)).find(Boolean);
  const answer = await edit("rule-shape", { index, shape: beside ?? shape, copy: true });
  if (!answer.error) pick((store.board.peek()?.rules.length ?? 0) - 1);
}

/**
 * Move the rule that is picked in the list.
 * @param {number} by
 */
export function reorder(by) {
  return place(store.picked.peek(), store.picked.peek() + by);
}

/**
 * Move a rule to another place of the list; the one that is picked stays picked.
 * @param {number} index
 * @param {number} target
 */
export function place(index, target) {
  if (index === target || !ruleAt(index) || !ruleAt(target)) return;
  const rules = [...(store.board.peek()?.rules ?? [])];
  const picked = rules[store.picked.peek()];
  rules.splice(target, 0, ...rules.splice(index, 1));
  store.picked.set(rules.indexOf(picked));
  withRules(rules, "rule-move", { index, to: target });
}

/** Remove the rule that is picked. */
export function remove() {
  const index = store.picked.peek();
  letGo();
  edit("rule-remove", { index });
}
