// @ts-check
// The board: the picture of the server, what is written over it, and a grid for the keyboard.
import { effect, h, s, show, byId } from "./signals.js";
import * as store from "./store.js";
import * as pictures from "./pictures.js";
import { strokeEnded } from "./rules.js";
import * as shaping from "./shaping.js";
import { t } from "./words.js";

/** @typedef {import("./store.js").Board} Board */

const LABELS = 16;
/** @type {Record<string, string>} */
const SPOKEN = { killer: "cage", thermo: "thermometer", contains: "quadruple" };

const layers = {
  paper: s("g", { class: "unidoku" }),
  colours: s("g", { class: "colours" }),
  tints: s("g", {}),
  stepUnder: s("g", { class: "unidoku-path" }),
  rules: s("g", {}),
  found: s("g", {}),
  chosen: s("g", {}),
  digits: s("g", { class: "unidoku digits" }),
  stepOver: s("g", { class: "unidoku-path" }),
  names: s("g", { class: "names" }),
  fog: s("g", {}),
  pen: s("g", {}),
  stroke: s("g", {}),
};
const picture = s("svg", { "aria-hidden": "true", focusable: "false" }, Object.values(layers));
const grid = h("div", { id: "grid", role: "grid", "aria-multiselectable": "true" });
/** @type {HTMLElement[]} */
let cells = [];

/** Put the board into the page. */
export function start() {
  byId("board").append(picture, grid);
  effect(drawBoard);
  effect(drawSelection);
  effect(drawWritten);
  effect(drawTints);
  effect(drawStep);
  effect(drawFog);
  effect(drawPen);
  effect(label);
  grid.addEventListener("pointerdown", pressed);
  grid.addEventListener("pointermove", dragged);
  grid.addEventListener("pointerup", released);
  grid.addEventListener("pointercancel", released);
  grid.addEventListener("dblclick", selectAlike);
}

/** Move the focus to the cell that was selected last. */
export function focusCell() {
  const chosen = store.selection.peek();
  cells[chosen[chosen.length - 1] ?? 0]?.focus({ preventScroll: true });
}

/**
 * @param {Board} board
 * @param {number} cell
 */
function corner(board, cell) {
  const [row, column] = board.positions[cell];
  return [column * board.cell + board.margin, row * board.cell + board.margin];
}

function drawBoard() {
  const board = store.board();
  if (!board) return;
  const room = store.view().coordinates ? LABELS : 0;
  const around = store.brush() ? board.cell : 0; // for pictures beside the grid
  const [left, top, width, height] = board.box;
  const box = [left - room - around, top - room - around, width + room + 2 * around, height + room + 2 * around];
  picture.setAttribute("viewBox", box.join(" "));
  byId("board").style.setProperty("--ratio", String(box[2] / box[3]));
  layers.rules.innerHTML = board.picture;
  const paper = layers.rules.querySelector(".paper");
  show(layers.paper, paper);
  drawNames(board, room);
  if (cells.length !== board.positions.length || grid.dataset.shape !== shape(board)) {
    makeCells(board);
  }
  const percent = (/** @type {number} */ part, /** @type {number} */ whole) =>
    `${(100 * part) / whole}%`;
  board.positions.forEach((_, cell) => {
    const [x, y] = corner(board, cell);
    const { style } = cells[cell];
    style.left = percent(x - box[0], box[2]);
    style.top = percent(y - box[1], box[3]);
    style.width = percent(board.cell, box[2]);
    style.height = percent(board.cell, box[3]);
  });
}

/** @param {Board} board */
function shape(board) {
  return board.positions.join(";");
}

/**
 * @param {Board} board
 * @param {number} room
 */
function drawNames(board, room) {
  show(layers.names);
  if (!room) return;
  const middle = board.margin + board.cell / 2;
  const [left, top] = board.box;
  const rows = new Set(board.positions.map(([row]) => row));
  const columns = new Set(board.positions.map(([, column]) => column));
  for (const row of rows) {
    const y = row * board.cell + middle + 3.5;
    layers.names.append(s("text", { x: left - room / 2, y, "font-size": 10 }, `r${row + 1}`));
  }
  for (const column of columns) {
    const x = column * board.cell + middle;
    layers.names.append(s("text", { x, y: top - 4, "font-size": 10 }, `c${column + 1}`));
  }
}

/** @param {Board} board */
function makeCells(board) {
  grid.dataset.shape = shape(board);
  cells = board.positions.map((_, cell) =>
    h("div", {
      role: "gridcell",
      "aria-colindex": board.positions[cell][1] + 1,
      tabindex: cell ? -1 : 0,
      "data-cell": cell,
      onfocus: () => {
        if (!store.selection.peek().includes(cell)) store.selection.set([cell]);
      },
    }),
  );
  /** @type {Map<number, HTMLElement>} */
  const rows = new Map();
  board.positions.forEach(([row], cell) => {
    if (!rows.has(row)) rows.set(row, h("div", { role: "row", "aria-rowindex": row + 1 }));
    rows.get(row)?.append(cells[cell]);
  });
  grid.setAttribute("aria-rowcount", String(1 + Math.max(...rows.keys())));
  grid.setAttribute("aria-colcount", String(1 + Math.max(...board.positions.map(([, column]) => column))));
  show(grid, [...rows.keys()].sort((a, b) => a - b).map((row) => rows.get(row)));
}

/**
 * Return the path around cells, inside their sides.
 * @param {Board} board
 * @param {Iterable<number>} chosen
 * @param {number} inset
 */
function outline(board, chosen, inset) {
  const places = new Set([...chosen].map((cell) => board.positions[cell].join()));
  const size = board.cell;
  let path = "";
  for (const cell of chosen) {
    const [row, column] = board.positions[cell];
    const [x, y] = corner(board, cell);
    const has = (/** @type {number} */ down, /** @type {number} */ right) =>
      places.has([row + down, column + right].join());
    for (const [down, right] of [[-1, 0], [1, 0], [0, -1], [0, 1]]) {
      if (has(down, right)) continue;
      const ends = [-1, 1].map((turn) => {
        const [a, b] = right ? [turn, 0] : [0, turn];
        const out = !has(a, b) ? -1 : has(a + down, b + right) ? 1 : 0;
        return turn * (size / 2 + out * inset);
      });
      const middle = [x + size / 2, y + size / 2];
      const away = size / 2 - inset;
      path += right
        ? `M${middle[0] + right * away} ${middle[1] + ends[0]}V${middle[1] + ends[1]}`
        : `M${middle[0] + ends[0]} ${middle[1] + down * away}H${middle[0] + ends[1]}`;
    }
  }
  return path;
}

/**
 * Return squares that fill cells.
 * @param {Board} board
 * @param {Iterable<number>} chosen
 * @param {string} kind
 */
function squares(board, chosen, kind) {
  return [...chosen].map((cell) => {
    const [x, y] = corner(board, cell);
    return s("rect", { class: kind, x, y, width: board.cell, height: board.cell });
  });
}

function drawSelection() {
  const board = store.board();
  const chosen = store.selection().filter((cell) => board && cell < board.positions.length);
  if (!board) return;
  const isOn = (/** @type {number} */ cell) => cell < board.positions.length;
  const pointed = store.pointed().filter(isOn);
  const ghost = store.ghost().filter(isOn);
  const picked = ghost.length ? [] : (board.rules[store.picked()]?.cells ?? []).filter(isOn);
  show(
    layers.chosen,
    chosen.length && s("path", { class: "chosen", d: outline(board, chosen, 2.2) }),
    pointed.length && s("path", { class: "pointed", d: outline(board, pointed, 4.4) }),
    picked.length && s("path", { class: "picked", d: outline(board, picked, 4.4) }),
    squares(board, ghost, "ghost"),
    ghost.length && s("path", { class: "picked", d: outline(board, ghost, 4.4) }),
  );
  const focused = chosen[chosen.length - 1] ?? 0;
  cells.forEach((element, cell) => {
    element.setAttribute("aria-selected", String(chosen.includes(cell)));
    element.tabIndex = cell === focused ? 0 : -1;
  });
}

function drawTints() {
  const board = store.board();
  if (!board) return;
  const colours = store.marks().colours;
  show(layers.colours);
  for (const [cell, found] of Object.entries(colours)) {
    const [x, y] = corner(board, Number(cell));
    const width = board.cell / found.length;
    found.forEach((colour, index) => {
      const place = { x: x + index * width, y, width, height: board.cell };
      layers.colours.append(s("rect", { class: `colour-${colour}`, ...place }));
      if (store.view().numbers) {
        const spot = { x: x + (index + 0.5) * width, y: y + board.cell - 3, "font-size": 8 };
        layers.colours.append(s("text", { class: "number", ...spot }, String(colour)));
      }
    });
  }
  drawRegions(board);
  drawFound(board);
  const lamp = store.lamp();
  const conflict = store.conflict();
  const guilty = conflict?.rules.flatMap((/** @type {number} */ at) => board.rules[at]?.cells);
  const glowing = new Set([...(guilty ?? []), ...(conflict?.cells ?? [])]);
  const differ = lamp?.solutions > 1 && !store.solution() ? lamp?.differ : [];
  show(
    layers.tints,
    squares(board, store.solution() ? [] : store.marks().clashes, "clashing"),
    squares(board, glowing, "glowing"),
    squares(board, store.form() === "off" && differ.length * 2 > board.positions.length ? [] : differ.slice(0, 40), "differs"),
  );
}

/**
 * Draw the regions that are being painted, with their numbers.
 * @param {Board} board
 */
function drawRegions(board) {
  store.painted()?.forEach((number, cell) => {
    if (!number || cell >= board.positions.length) return;
    const [x, y] = corner(board, cell);
    const place = { x, y, width: board.cell, height: board.cell };
    const spot = { x: x + board.cell / 2, y: y + board.cell / 2 + 4, "font-size": 12 };
    layers.colours.append(s("rect", { class: `colour-${((number - 1) % 9) + 1}`, ...place }), s("text", { class: "number", ...spot }, board.values[number - 1]));
  });
}

/**
 * Return the regions of the solution that is shown where they are to be found; null for others.
 * @param {Board} board
 */
function regionsOf(board) {
  const shown = store.solution();
  const answer = store.lamp();
  const found = shown && answer?.regions?.[answer.grids.indexOf(shown)];
  if (!found) return null;
  const numbers = Object.fromEntries([...found.entries()].filter(([, number]) => number));
  const sides = Object.keys(numbers).flatMap((cell) => {
    const [row, column] = board.positions[Number(cell)];
    const near = [[row, column + 1], [row + 1, column]].map((place) => board.positions.findIndex((position) => position.join() === place.join()));
    return near.filter((other) => other >= 0 && numbers[other] && numbers[other] !== numbers[cell]).map((other) => [Number(cell), other]);
  });
  return { numbers, sides };
}

/**
 * Draw the regions that a step or a solution has found: tints, and lines between two of them.
 * @param {Board} board
 */
function drawFound(board) {
  const found = store.shownStep()?.regions ?? regionsOf(board);
  show(layers.found);
  if (!found) return;
  for (const [cell, number] of Object.entries(found.numbers)) {
    layers.colours.append(...squares(board, [Number(cell)], `colour-${((number + 2) % 9) + 1}`)); // greys last
  }
  for (const [first, second] of found.sides) {
    const [x, y] = corner(board, second);
    const isBelow = corner(board, first)[1] < y;
    layers.found.append(s("path", { class: "border", d: `M${x} ${y}${isBelow ? "h" : "v"}${board.cell}` }));
  }
}

function drawWritten() {
  const board = store.board();
  if (!board) return;
  const marks = store.marks();
  const found = store.candidates();
  const isStale = Boolean(found) && found?.digest !== store.digest();
  const step = store.shownStep();
  const solution = store.solution();
  const values = step?.grid ?? solution;
  show(layers.digits);
  const half = board.cell / 2;
  board.positions.forEach((_, cell) => {
    const [x, y] = corner(board, cell);
    const given = board.givens[cell];
    const value = given || (values ? values[cell] : marks.entries[cell]);
    if (value) {
      const text = board.values[value - 1];
      const size = text.length > 1 ? 18 : 23;
      const kind = given ? "given" : solution ? "mark shown" : "found";
      const place = { x: x + half, y: y + half + size * 0.36, "font-size": size };
      layers.digits.append(s("text", { class: kind, ...place }, text));
    } else if (step?.marks) {
      return;
    } else if (found && !solution) {
      layers.digits.append(candidatesOf(board, cell, found, isStale));
    } else {
      layers.digits.append(...pencilled(board, cell, marks));
    }
  });
}

/**
 * @param {Board} board
 * @param {number} cell
 * @param {Record<string, any>} found
 * @param {boolean} isStale
 */
function candidatesOf(board, cell, found, isStale) {
  const [x, y] = corner(board, cell);
  const group = s("g", { class: isStale ? "candidates stale" : "candidates" });
  const open = found.open[cell] ?? [];
  found.counts[cell].forEach((/** @type {number} */ count, /** @type {number} */ at) => {
    const isOpen = open.includes(at + 1);
    if (!count && !isOpen) return;
    const kind =
      found.form === "logical"
        ? "logical"
        : !isOpen || count >= found.most
          ? tint(count, found.most)
          : count
            ? "seen"
            : "open";
    const [right, down, size] = board.marks[at];
    const place = { x: x + right, y: y + down + size * 0.36, "font-size": size };
    group.append(s("text", { class: kind, ...place }, board.values[at]));
  });
  return group;
}

/**
 * Return in how many solutions each candidate of a cell occurs, in words.
 * @param {Board} board
 * @param {Record<string, any>} found
 * @param {number} cell
 */
function countsOf(board, found, cell) {
  const open = found.open[cell] ?? [];
  const words = found.counts[cell].map((/** @type {number} */ count, /** @type {number} */ at) => {
    const isOpen = open.includes(at + 1);
    return count || isOpen ? `${board.values[at]}: ${count}${isOpen || count >= found.most ? "+" : ""}` : "";
  });
  return words.filter(Boolean).join(", ");
}

/**
 * @param {number} count
 * @param {number} most
 */
function tint(count, most) {
  return count >= most ? "many" : count > 1 ? "few" : "one";
}

const PLACES = [[0, 0], [1, 0], [0, 1], [1, 1], [0.5, 0], [0.5, 1], [0, 0.5], [1, 0.5], [0.25, 0]];

/**
 * @param {Board} board
 * @param {number} cell
 * @param {import("./store.js").Marks} marks
 */
function pencilled(board, cell, marks) {
  const [x, y] = corner(board, cell);
  const drawn = [];
  const beside = board.rules.length ? 8.5 : 7;
  (marks.corner[cell] ?? []).forEach((value, at) => {
    const [right, down] = PLACES[at % PLACES.length];
    const place = {
      x: x + beside + right * (board.cell - 2 * beside),
      y: y + beside + down * (board.cell - 2 * beside) + 3.3,
      "font-size": 9,
    };
    drawn.push(s("text", { class: "pencil", ...place }, board.values[value - 1]));
  });
  const centre = marks.centre[cell] ?? board.candidates[cell] ?? [];
  if (centre.length) {
    const separator = board.n > 9 ? " " : "";
    const text = centre.map((value) => board.values[value - 1]).join(separator);
    const size = Math.min(11, (board.cell - 7) / (text.length * 0.56));
    const place = { x: x + board.cell / 2, y: y + board.cell / 2 + size * 0.36, "font-size": size };
    const kind = marks.centre[cell] ? "pencil" : "pencil stated";
    drawn.push(s("text", { class: kind, ...place }, text));
  }
  return drawn;
}

function drawFog() {
  const board = store.board();
  if (board) show(layers.fog, squares(board, store.veiled(), "veil"));
}

/**
 * Return where a row and a column, from 1, are in the picture.
 * @param {Board} board
 * @param {number} at
 */
const placed = (board, at) => (at - 0.5) * board.cell + board.margin;

function drawPen() {
  const board = store.board();
  const lines = store.marks().pen.map((line) => line.map((half) => board && placed(board, half / 2)));
  show(layers.pen, lines.map(([y, x, down, right]) => s("path", { class: "pen", d: `M${x} ${y}L${right} ${down}` })));
}

function drawStep() {
  const step = store.shownStep();
  layers.stepUnder.innerHTML = step?.marks ? step.under : "";
  layers.stepOver.innerHTML = step?.marks ? step.over : "";
}

/** Give each cell its words for readers of the screen. */
function label() {
  const board = store.board();
  if (!board) return;
  grid.setAttribute("aria-label", t`Board, ${board.label}`);
  const marks = store.marks();
  const found = store.candidates();
  /** @type {string[][]} */
  const rules = board.positions.map(() => []);
  for (const rule of board.rules) {
    if (rule.ignored) continue;
    const number = rule.table.total ?? rule.table.seen ?? rule.table.value ?? rule.table.by ?? "";
    const isLine = "line" in rule.table;
    rule.cells.forEach((cell, at) => {
      const place = isLine ? t` cell ${at + 1} of ${rule.cells.length}` : "";
      rules[cell].push(t`${SPOKEN[rule.kind] ?? rule.kind} ${number}${place}`.trim().replace("  ", " "));
    });
  }
  board.positions.forEach((_, cell) => {
    const words = [store.nameOf(cell)];
    if (store.veiled().has(cell)) words.push(t`in fog`);
    const given = board.givens[cell];
    const value = given || marks.entries[cell];
    if (value) words.push(t`${given ? "given " : ""}${board.values[value - 1]}`);
    else {
      words.push(t`empty`);
      const shown = found
        ? found.counts[cell].flatMap((/** @type {number} */ n, /** @type {number} */ at) =>
            n ? [at + 1] : [],
          )
        : marks.centre[cell] ?? board.candidates[cell];
      const name = found ? "candidates" : "marks";
      if (shown) words.push(t`${name} ${shown.map((/** @type {number} */ v) => board.values[v - 1]).join(" ")}`);
      const corners = marks.corner[cell];
      if (corners) words.push(t`corner ${corners.map((v) => board.values[v - 1]).join(" ")}`);
    }
    cells[cell].title = value || found?.form !== "true" ? "" : countsOf(board, found, cell);
    if (marks.colours[cell]) words.push(t`colour ${marks.colours[cell].join(" ")}`);
    if (marks.clashes.includes(cell)) words.push(t`clashes`);
    cells[cell].setAttribute("aria-label", [...words, ...(store.veiled().has(cell) ? [] : rules[cell])].join(", "));
  });
}

// Pointers: to select cells, or to draw a rule.

/**
 * @typedef {{ path: number[], adds: boolean, last: number[], draws: boolean, branches: boolean,
 *   shapes: boolean, wasPicked: boolean, places: [number, number][] | null, isPen?: boolean }} Stroke
 */
/** @type {Stroke | null} */
let stroke = null;

/**
 * Return the board, and where a place of the screen is on it, in cells from its corner.
 * @param {number} clientX
 * @param {number} clientY
 */
function onBoard(clientX, clientY) {
  const board = store.board.peek();
  const matrix = picture.getScreenCTM();
  if (!board || !matrix) return null;
  const point = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  const [row, column] = [point.y, point.x].map((at) => (at - board.margin) / board.cell);
  return { board, row, column };
}

/**
 * Return the cell at a place of the screen; null if it is too far from the middle of any.
 * @param {number} clientX
 * @param {number} clientY
 * @param {number} reach share of the cell's width from its middle
 */
function cellAt(clientX, clientY, reach) {
  const spot = onBoard(clientX, clientY);
  if (!spot) return null;
  const [row, column] = [Math.floor(spot.row), Math.floor(spot.column)];
  const cell = spot.board.positions.findIndex(([r, c]) => r === row && c === column);
  const far = Math.hypot(spot.row - row - 0.5, spot.column - column - 0.5);
  return cell >= 0 && far <= reach ? cell : null;
}

/**
 * Return the row and the column, from 1, at a place of the screen: the nearest middle of a cell, or
 * for shapes and texts also the nearest side or corner.
 * @param {number} clientX
 * @param {number} clientY
 * @returns {[number, number] | null}
 */
function placeAt(clientX, clientY) {
  const spot = onBoard(clientX, clientY);
  if (!spot) return null;
  const step = ["circle", "square", "text"].includes(store.brush.peek()) ? 2 : 1;
  const near = (/** @type {number} */ at) => Math.round((at + 0.5) * step) / step;
  return [near(spot.row), near(spot.column)];
}

/** How near to a side or a corner the pen draws along the sides, as a share of a cell. */
const BESIDE = 0.2;

/**
 * Return the middle of a cell, or the corner, that the pen reaches: corners if it began at a side.
 * @param {PointerEvent | { clientX: number, clientY: number }} spot
 * @param {boolean} [alongSides] by default as the place is
 * @returns {[number, number] | null}
 */
function penAt({ clientX, clientY }, alongSides) {
  const spot = onBoard(clientX, clientY);
  if (!spot) return null;
  const [row, column] = [spot.row + 0.5, spot.column + 0.5];
  const isBeside = [row, column].some((at) => Math.abs(at - Math.floor(at) - 0.5) < BESIDE);
  const by = alongSides ?? isBeside ? 0.5 : 0;
  const near = [row, column].map((at) => Math.round(at - by) + by);
  const far = Math.hypot(row - near[0], column - near[1]);
  return alongSides === undefined || far <= 0.42 ? [near[0], near[1]] : null;
}

/**
 * Add a neighbour to the line that the pen draws.
 * @param {[number, number][]} places
 * @param {[number, number] | null} place
 */
function penReaches(places, place) {
  const last = places[places.length - 1];
  if (!place) return;
  const far = [0, 1].map((at) => Math.abs(place[at] - last[at]));
  const isAlong = !Number.isInteger(last[0]);
  if (Math.max(...far) === 1 && !(isAlong && far[0] && far[1])) reachPlace(place);
}

const LONG = 550;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let held;

/**
 * Offer what can be done with a cell, after a finger rested on it.
 * @param {number} cell
 * @param {number} x
 * @param {number} y
 */
function openMenu(cell, x, y) {
  stroke = null;
  document.getElementById("menu")?.remove();
  const close = () => menu.remove();
  const item = (/** @type {string} */ words, /** @type {() => void} */ act) =>
    h("button", { role: "menuitem", onclick: () => { close(); act(); } }, words);
  const menu = h(
    "div",
    { id: "menu", role: "menu", "aria-label": store.nameOf(cell), onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && close() },
    item("Clear", () => store.edit("clear", { cells: [cell], given: store.layer.peek() === "given" })),
    item("Select what is alike", () => alike(cell)),
    item("Why this value?", () => {
      store.tab.set("solve");
      document.getElementById("why")?.focus();
    }),
    item("Close", () => {}),
  );
  menu.style.left = `${Math.min(x, innerWidth - 200)}px`;
  menu.style.top = `${Math.min(y, innerHeight - 190)}px`;
  document.body.append(menu);
  /** @type {HTMLElement | null} */ (menu.firstElementChild)?.focus();
}

/** @param {PointerEvent} event */
function pressed(event) {
  if (event.button) return;
  clearTimeout(held);
  document.getElementById("menu")?.remove();
  if (store.brush.peek()) {
    pressedWithBrush(event);
    return;
  }
  const cell = cellAt(event.clientX, event.clientY, 1);
  if (cell === null) return;
  event.preventDefault();
  const draws = store.tool.peek() !== null;
  const wasPicked = store.picked.peek() >= 0;
  const shapes = !draws && (event.altKey || wasPicked) && shaping.begin(cell);
  const adds = (event.ctrlKey || event.metaKey || event.shiftKey) && !draws && !shapes;
  const before = adds ? store.selection.peek() : [];
  if (adds && before.includes(cell)) store.selection.set(before.filter((c) => c !== cell));
  else store.selection.set([...before, cell]);
  const last = [event.clientX, event.clientY];
  stroke = { path: [cell], adds, last, draws, branches: event.altKey, shapes, wasPicked, places: null };
  const begun = store.isPen.peek() && !draws && !shapes && !adds && !event.altKey ? penAt(event) : null;
  if (begun) stroke = { ...stroke, places: [begun], isPen: true };
  grid.setPointerCapture(event.pointerId);
  if (event.pointerType === "touch" && !draws && !shapes && !begun) {
    held = setTimeout(() => stroke?.path.length === 1 && openMenu(cell, event.clientX, event.clientY), LONG);
  }
  focusCell();
  drawStroke();
}

/** @param {PointerEvent} event */
function pressedWithBrush(event) {
  const place = placeAt(event.clientX, event.clientY);
  event.preventDefault();
  if (!place) return;
  if (event.altKey) {
    pictures.erase(place);
    return;
  }
  const last = [event.clientX, event.clientY];
  stroke = { path: [], adds: false, last, draws: false, branches: false, shapes: false, wasPicked: false, places: [place] };
  grid.setPointerCapture(event.pointerId);
  drawStroke();
}

/** @param {PointerEvent} event */
function dragged(event) {
  if (!stroke) return;
  const [fromX, fromY] = stroke.last;
  const length = Math.hypot(event.clientX - fromX, event.clientY - fromY);
  const steps = Math.max(1, Math.ceil(length / 6));
  for (let at = 1; at <= steps; at += 1) {
    const x = fromX + ((event.clientX - fromX) * at) / steps;
    const y = fromY + ((event.clientY - fromY) * at) / steps;
    if (stroke.isPen && stroke.places) penReaches(stroke.places, penAt({ clientX: x, clientY: y }, !Number.isInteger(stroke.places[0][0])));
    else if (stroke.places) reachPlace(placeAt(x, y));
    else reach(cellAt(x, y, 0.42));
  }
  stroke.last = [event.clientX, event.clientY];
}

/** @param {[number, number] | null} place */
function reachPlace(place) {
  const places = stroke?.places;
  if (!places || !place || places[places.length - 1].join() === place.join()) return;
  const isLine = stroke?.isPen || ["line", "arrow"].includes(store.brush.peek());
  if (isLine && places[places.length - 2]?.join() === place.join()) places.pop();
  else if (isLine || !places.some((other) => other.join() === place.join())) places.push(place);
  drawStroke();
}

/** @param {number | null} cell */
function reach(cell) {
  if (!stroke || cell === null || stroke.path[stroke.path.length - 1] === cell) return;
  if (stroke.shapes) {
    stroke.path.push(cell);
    shaping.to(cell);
    return;
  }
  if (stroke.draws && stroke.path[stroke.path.length - 2] === cell) stroke.path.pop();
  else if (stroke.path.includes(cell) && !stroke.draws) return;
  else stroke.path.push(cell);
  const before = stroke.draws ? [] : store.selection.peek().filter((c) => c !== cell);
  store.selection.set(stroke.draws ? [...new Set(stroke.path)] : [...before, cell]);
  drawStroke();
}

/** Take the last cell of what is being drawn back; return whether anything is. */
export function takeBack() {
  if (!stroke?.draws && !stroke?.places) return false;
  if (stroke.path.length > 1) stroke.path.pop();
  if (stroke.places && stroke.places.length > 1) stroke.places.pop();
  if (stroke.draws) store.selection.set([...new Set(stroke.path)]);
  drawStroke();
  return true;
}

function drawStroke() {
  const board = store.board.peek();
  const path = stroke?.draws ? stroke.path : [];
  if (!board) return;
  const points = path.map((cell) => corner(board, cell).map((at) => at + board.cell / 2).join(" "));
  const places = (stroke?.places ?? []).map(([row, column]) => [placed(board, column), placed(board, row)]);
  const isLine = stroke?.isPen || ["line", "arrow"].includes(store.brush.peek());
  const lines = isLine ? places.map((place) => place.join(" ")) : points;
  const dots = isLine ? [] : places;
  show(
    layers.stroke,
    lines.length > 1 && s("path", { class: "stroke", d: `M${lines.join("L")}` }),
    dots.map(([cx, cy]) => s("circle", { class: "spot", cx, cy, r: board.cell / 5 })),
  );
}

/** @param {PointerEvent} event */
function released(event) {
  clearTimeout(held);
  const done = event.type === "pointerup" ? stroke : null;
  const path = done?.draws ? done.path : null;
  if (done?.shapes) shaping.end(done.wasPicked);
  if (done?.isPen) penDrew(done.places ?? []);
  else if (done?.places) pictures.drawn(done.places);
  stroke = null;
  drawStroke();
  focusCell();
  if (path) strokeEnded(path, done?.branches);
}

/** @param {[number, number][]} places */
function penDrew(places) {
  const lines = places.slice(1).map((place, at) => [...places[at], ...place].map((part) => 2 * part));
  if (lines.length) store.edit("pen", { lines });
}

/** @param {MouseEvent} event */
function selectAlike(event) {
  const cell = cellAt(event.clientX, event.clientY, 1);
  if (cell !== null && !store.tool.peek() && store.picked.peek() < 0 && !store.brush.peek()) alike(cell);
}

/**
 * Select the cells in which the same is written.
 * @param {number} cell
 */
function alike(cell) {
  const board = store.board.peek();
  if (!board) return;
  const look = (/** @type {number} */ at) => {
    const value = store.valueOf(at);
    const { corner: corners, centre, colours } = store.marks.peek();
    return value ? `v${value}` : `${corners[at] ?? ""}/${centre[at] ?? ""}/${colours[at] ?? ""}`;
  };
  const wanted = look(cell);
  if (wanted === "//") return;
  const others = board.positions.map((_, at) => at).filter((at) => at !== cell && look(at) === wanted);
  store.selection.set([...others, cell]);
}
