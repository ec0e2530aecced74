// @ts-check
// Pictures that are no rules: lines, shapes, texts and coloured cells, drawn by hand.
import { byId, effect, h, show, signal } from "./signals.js";
import * as store from "./store.js";
import { t } from "./words.js";

/** @typedef {Record<string, any>} Json */
/** @typedef {[number, number]} Place a row and a column from 1, in halves */

const SHAPES = { line: "line", arrow: "arrow", circle: "circle", square: "square", cells: "cells", text: "text" };
/** The picture that the form changes; -1 for a new one. */
const changing = signal(-1);
/** @type {() => Json} */
let look = () => ({});
/** @type {(text: string) => void} */
let setPlaces = () => {};

/** @param {HTMLElement} panel */
export function start(panel) {
  const shape = h("select", { id: "picture-shape", onchange: () => brush() }, Object.keys(SHAPES).map((name) => h("option", {}, name)));
  const colour = h("input", { id: "picture-colour", type: "color", value: "#4a90d9" });
  const opacity = h("input", { id: "picture-opacity", type: "number", min: 5, max: 100, step: 5, value: 100 });
  const size = h("input", { id: "picture-size", type: "text", inputmode: "decimal", placeholder: "usual" });
  const text = h("input", { id: "picture-text", type: "text", autocomplete: "off" });
  const outline = h("input", { id: "picture-outline", type: "checkbox" });
  const over = h("input", { id: "picture-over", type: "checkbox" });
  const at = h("input", { id: "picture-at", type: "text", autocomplete: "off", placeholder: "drag on the board, or A1 r1.5c2" });
  const submit = h("button", { type: "submit", class: "main" });
  const draws = h("button", { onclick: () => {
    store.brush.set(store.brush.peek() ? "" : shape.value);
    if (store.brush.peek() && matchMedia("(max-width: 820px)").matches) byId("board").scrollIntoView({ block: "start" });
  } }, "Draw on the board");
  const list = h("ol", { class: "rules" });
  const brush = () => store.brush.peek() && store.brush.set(shape.value);
  const close = () => {
    changing.set(-1);
    at.value = "";
  };
  look = () => {
    const isForm = ["circle", "square"].includes(shape.value);
    const share = Math.round((255 * Math.min(100, Math.max(0, Number(opacity.value) || 100))) / 100);
    const paint = colour.value + (share < 255 ? share.toString(16).padStart(2, "0") : "");
    return {
      shape: shape.value,
      colour: paint,
      ...(isForm && outline.checked && { border: "#000000" }),
      ...(Number(size.value) > 0 && { size: Number(size.value) }),
      ...((isForm || shape.value === "text") && text.value && { text: text.value }),
      ...(over.checked && { over: true }),
    };
  };
  setPlaces = (places) => { at.value = places; };
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!(await save(at.value)).error) close();
  };
  const field = (/** @type {HTMLElement} */ input, /** @type {string} */ words, /** @type {any} */ more = null) =>
    h("div", { class: "field" }, h("label", { for: input.id }, words), input, more);
  const chosen = () => {
    const board = store.board.peek();
    at.value = store.selection.peek().map((cell) => board?.names[cell]).join(" ");
  };
  panel.append(
    h(
      "details",
      { ontoggle: (/** @type {Event} */ event) => /** @type {HTMLDetailsElement} */ (event.target).open || store.brush.set("") },
      h("summary", {}, "Pictures without a meaning"),
      h(
        "form",
        { class: "card", onsubmit: send },
        h("p", { class: "fine" }, "Lines, shapes, texts and coloured cells that no solver sees. Drag over the board: shapes and texts also fit on sides and corners, and around the grid. Alt+click takes a picture away."),
        field(shape, "shape", draws),
        field(colour, "colour"),
        field(opacity, "opacity, %"),
        field(size, "size"),
        field(text, "text"),
        h("div", { class: "row" }, h("label", { class: "named" }, outline, "outline"), h("label", { class: "named" }, over, "over the digits")),
        field(at, "places", h("button", { class: "small", onclick: chosen }, "selected")),
        h("div", { class: "row" }, submit, h("button", { onclick: close }, "Clear")),
      ),
      list,
    ),
  );
  effect(() => {
    draws.setAttribute("aria-pressed", String(Boolean(store.brush())));
    draws.className = store.brush() ? "small main" : "small";
  });
  effect(() => show(submit, changing() < 0 ? "Add" : t`Change picture ${changing() + 1}`));
  effect(() => {
    const pictures = store.board()?.cosmetics ?? [];
    const count = pictures.length;
    if (changing.peek() >= count) changing.set(-1);
    const change = (/** @type {number} */ index) => {
      const { table } = pictures[index];
      shape.value = table.shape;
      colour.value = /^#[0-9a-f]{6}/i.test(table.colour ?? "") ? table.colour.slice(0, 7) : "#4a90d9";
      opacity.value = table.colour?.length === 9 ? String(Math.round(parseInt(table.colour.slice(7), 16) / 2.55)) : "100";
      size.value = table.size ?? "";
      text.value = table.text ?? "";
      outline.checked = Boolean(table.border);
      over.checked = Boolean(table.over);
      at.value = Array.isArray(table.at) ? table.at.join(" ") : table.at;
      changing.set(index);
      at.focus();
    };
    show(list, pictures.map(({ words, at: places }, index) => {
      const button = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ act, disabled = false) =>
        h("button", { class: "icon", title: name, "aria-label": t`${name}: picture ${index + 1}`, disabled, onclick: act }, sign);
      const point = () => store.pointed.set(cellsOf(places));
      return h(
        "li",
        { class: "rule", onpointerenter: point, onpointerleave: () => store.pointed.set([]), onfocusin: point, onfocusout: () => store.pointed.set([]) },
        h("span", { class: "words" }, `${index + 1}. ${words}`),
        h(
          "span",
          { class: "acts" },
          button("✎", "Change", () => change(index)),
          button("↑", "Draw earlier", () => store.edit("cosmetic-move", { index, to: index - 1 }), !index),
          button("↓", "Draw later", () => store.edit("cosmetic-move", { index, to: index + 1 }), index + 1 === count),
          button("✕", "Remove", () => store.edit("cosmetic-remove", { index })),
        ),
      );
    }));
  });
}

/** @param {Place[]} places */
function cellsOf(places) {
  const board = store.board.peek();
  const near = places.map(([row, column]) => [Math.round(row) - 1, Math.round(column) - 1].join());
  return (board?.positions ?? []).map((_, cell) => cell).filter((cell) => near.includes(board?.positions[cell].join() ?? ""));
}

/** @param {string} places */
function save(places) {
  const index = changing.peek();
  const old = index < 0 ? {} : store.board.peek()?.cosmetics[index]?.table ?? {};
  const kept = Object.fromEntries(["height", "angle", "text_colour"].filter((key) => key in old).map((key) => [key, old[key]]));
  const cosmetic = { ...look(), ...kept, at: places };
  return index < 0 ? store.edit("cosmetic-add", { cosmetic }) : store.edit("cosmetic-set", { cosmetic, index });
}

/**
 * Add a picture at the places that were drawn.
 * @param {Place[]} path
 */
export function drawn(path) {
  const isLine = ["line", "arrow"].includes(store.brush.peek());
  if (isLine && path.length < 2) return;
  const board = store.board.peek();
  const cells = path.map(([row, column]) => board?.positions.findIndex(([r, c]) => r === row - 1 && c === column - 1) ?? -1);
  const places = (cells.includes(-1) ? path.map(([row, column]) => `r${row}c${column}`) : cells.map((cell) => board?.names[cell])).join(" ");
  if (changing.peek() < 0) save(places);
  else setPlaces(places);
}

/**
 * Remove the picture that is drawn last at a place.
 * @param {Place} place
 */
export function erase(place) {
  const pictures = store.board.peek()?.cosmetics ?? [];
  const index = pictures.map(({ at }) => at.some(([row, column]) => Math.hypot(row - place[0], column - place[1]) < 0.4)).lastIndexOf(true);
  if (index >= 0) store.edit("cosmetic-remove", { index });
}
