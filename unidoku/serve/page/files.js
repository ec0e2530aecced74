// @ts-check
// The file: its text, what is pasted, new puzzles, links to other programs.
import { ask } from "./connection.js";
import { effect, h, show, signal } from "./signals.js";
import * as store from "./store.js";
import * as versions from "./versions.js";
import { t } from "./words.js";

/** @typedef {Record<string, any>} Json */

const losses = signal(/** @type {Json | null} */ (null));
const links = signal(/** @type {Json | null} */ (null));
const FIRST = 5;
let lastPasted = "";
let guess = false;

/** @param {HTMLElement} panel */
export function start(panel) {
  const paste = h("textarea", { rows: 3, "aria-label": "A puzzle to read", placeholder: "A link, JSON, a string of Interactive Sudoku Solver, 81 characters …" });
  const guessing = h("input", { id: "guess", type: "checkbox", onchange: () => { guess = guessing.checked; } });
  const read = h("div", {});
  const out = h("div", {});
  const kept = h("div", {});
  versions.start(kept);
  const source = h("textarea", { rows: 16, spellcheck: "false", class: "source", "aria-label": "Text of the puzzle file" });
  const name = h("input", { type: "text", "aria-label": "Name of the new file", placeholder: "my-puzzle.toml" });
  const size = h("input", { type: "number", min: 1, max: 16, value: 9, "aria-label": "Size" });
  const variant = h("input", { type: "text", value: "classic", "aria-label": "Variant", list: "variants" });
  panel.append(
    h("h2", {}, "Links and other formats"),
    h("div", { class: "row" }, h("button", { class: "main", onclick: findLinks }, "Make links")),
    out,
    kept,
    h("h2", {}, "Read a puzzle"),
    paste,
    h(
      "div",
      { class: "row" },
      h("button", { onclick: () => pasted(paste.value) }, "Read"),
      h("label", { for: "guess" }, guessing, " guess rules from pictures and words"),
    ),
    h("p", { class: "fine" }, "Ctrl+V on the board does the same."),
    read,
    h("h2", {}, "New"),
    h(
      "div",
      { class: "row" },
      size,
      variant,
      h("datalist", { id: "variants" }, ["classic", "latin", "x", "windoku", "x+windoku", "anti-knight", "anti-king", "disjoint", "classic:2x3"].map((value) => h("option", { value }))),
      h("button", { onclick: () => store.edit("new", { size: Number(size.value), variant: variant.value }) }, "Empty board"),
    ),
    h("h2", {}, "Save under another name"),
    h("div", { class: "row" }, name, h("button", { onclick: () => save(name.value) }, "Save")),
    h("h2", {}, "Text of the file"),
    source,
    h("div", { class: "row" }, h("button", { onclick: () => store.edit("text", { text: source.value }) }, "Take this text")),
  );
  effect(() => {
    const text = store.board()?.text ?? "";
    if (document.activeElement !== source) source.value = text;
  });
  effect(() => {
    store.digest();
    links.set(null);
  });
  effect(() => drawLosses(read));
  effect(() => drawLinks(out));
}

/** @param {string} name */
async function save(name) {
  const answer = await store.edit("save", { name });
  if (!answer.error) store.tell(t`saved as ${store.file.peek().name}`, "good");
}

/**
 * Replace the puzzle by one that was pasted.
 * @param {string} text
 * @param {number} [number]
 */
export async function pasted(text, number = 0) {
  if (!text.trim()) return;
  lastPasted = text;
  store.tell("reading …");
  const answer = await ask("paste", { text, guess, number });
  if (answer.error) {
    store.tell(t`not read: ${answer.error}`, "bad");
    return;
  }
  if (answer.cancelled) return;
  losses.set(answer);
  if (answer.losses.length || answer.names.length > 1) store.tab.set("file");
  const lost = answer.losses.length;
  store.tell(lost ? t`read, with ${lost} remarks: see the tab File` : "read, nothing lost", lost ? "" : "good");
}

/** @param {HTMLElement} place */
function drawLosses(place) {
  const answer = losses();
  if (!answer) {
    show(place);
    return;
  }
  const choice = h(
    "select",
    { "aria-label": "Puzzle", onchange: () => pasted(lastPasted, Number(choice.value)) },
    answer.names.map((/** @type {string} */ name, /** @type {number} */ at) => h("option", { value: at, selected: at === answer.number }, name)),
  );
  show(
    place,
    answer.names.length > 1 && h("div", { class: "row" }, t`${answer.names.length} puzzles:`, choice),
    answer.losses.length
      ? h("ul", { class: "losses" }, answer.losses.map((/** @type {string} */ line) => h("li", {}, line)))
      : h("p", { class: "good" }, "Nothing was lost."),
  );
}

async function findLinks() {
  links.set({ links: [], words: "writing …" });
  const answer = await store.find("links");
  if (answer) links.set(answer);
}

/** @param {HTMLElement} place */
function drawLinks(place) {
  const answer = links();
  if (!answer) {
    show(place);
    return;
  }
  const able = answer.links.filter((/** @type {Json} */ link) => !link.error);
  const unable = answer.links.filter((/** @type {Json} */ link) => link.error);
  show(
    place,
    answer.words && h("p", { class: "fine" }, answer.words),
    answer.unique === true && h("p", { class: "good" }, "One solution, which the links contain where they can."),
    answer.unique === false && h("p", { class: "bad" }, "Not one solution: the links contain none."),
    able.slice(0, FIRST).map(drawLink),
    h("details", {}, h("summary", {}, t`${able.length - FIRST} more formats`), able.slice(FIRST).map(drawLink)),
    unable.length > 0 &&
      h("details", {}, h("summary", {}, t`${unable.length} that cannot hold it`), unable.map((/** @type {Json} */ link) => h("p", { class: "fine" }, h("b", {}, link.format), ` ${link.error}`))),
  );
}

/** @param {Json} link */
function drawLink(link) {
  const isLink = link.text.startsWith("http");
  const preview = h("div", { class: "preview" });
  return h(
    "div",
    { class: "card link" },
    h(
      "div",
      { class: "row head" },
      h("h3", {}, link.format),
      h("button", { class: "small", "aria-label": t`Preview ${link.format}`, onclick: () => look(link.format, preview) }, "Preview"),
      h("button", { class: "small", onclick: () => copy(link.format, link.text) }, "Copy"),
      isLink && h("a", { href: link.text, target: "_blank", rel: "noopener noreferrer" }, "Open"),
    ),
    h("input", { type: "text", readonly: true, value: link.text, "aria-label": t`${link.format}: text` }),
    link.losses.length
      ? h("ul", { class: "losses" }, link.losses.map((/** @type {string} */ line) => h("li", {}, line)))
      : h("p", { class: "fine good" }, "Nothing is lost."),
    preview,
  );
}

/**
 * Show the puzzle as a format will show it.
 * @param {string} format
 * @param {HTMLElement} place
 */
async function look(format, place) {
  if (place.childNodes.length) {
    show(place);
    return;
  }
  const answer = await ask("picture", { format });
  if (answer.cancelled) return;
  if (answer.error) {
    show(place, h("p", { class: "bad" }, answer.error));
    return;
  }
  const picture = h("div", { role: "img", "aria-label": t`The puzzle as ${format} has it` });
  picture.innerHTML = answer.picture;
  show(place, picture, answer.rules && h("p", { class: "fine words" }, answer.rules));
}

/**
 * @param {string} format
 * @param {string} text
 */
async function copy(format, text) {
  try {
    await navigator.clipboard.writeText(text);
    store.tell(t`copied: ${format}`, "good");
  } catch {
    store.tell("the browser did not allow to copy: mark the text and copy it", "bad");
  }
}
