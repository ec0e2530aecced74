// @ts-check
// The legend: each kind of line and shape of the puzzle with its colour, its pattern and its meaning.
import { ask } from "./connection.js";
import { h, s, show } from "./signals.js";
import * as store from "./store.js";

/** @typedef {Record<string, any>} Json */

const list = h("ul", { class: "swatches" });
const words = h("p", { class: "fine words" });
const dialog = h(
  "dialog",
  { id: "legend", "aria-label": "Legend" },
  h("h2", {}, "Legend"),
  list,
  words,
  h("form", { method: "dialog" }, h("button", { type: "submit", class: "main" }, "Close")),
);

/** Put the dialog into the page. */
export function start() {
  document.body.append(dialog);
}

/** Show what the drawings of the puzzle mean. */
export async function open() {
  const answer = await store.find("legend");
  if (!answer) return;
  const text = store.board.peek()?.rules_text || (await ask("sentences")).text || "";
  const isAbove = (/** @type {string} */ line) => answer.kinds.some((/** @type {Json} */ kind) => kind.words.includes(line));
  show(list, answer.kinds.map(row));
  show(words, text.split("\n").filter((/** @type {string} */ line) => !isAbove(line)).join("\n"));
  dialog.showModal();
}

/** @param {Json} kind */
function row(kind) {
  const [x, y, width, height] = kind.box;
  const size = Math.min(1.1, 150 / width, 66 / height);
  const picture = s("svg", { "aria-hidden": "true", viewBox: `${x - 2} ${y - 2} ${width + 4} ${height + 4}`, width: (width + 4) * size, height: (height + 4) * size });
  picture.innerHTML = kind.picture;
  return h("li", {}, h("span", { class: "swatch" }, picture), h("span", {}, h("b", {}, kind.kind), ` ${kind.words}`));
}
