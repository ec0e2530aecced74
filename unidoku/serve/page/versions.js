// @ts-check
// Versions: puzzles that were kept under a name, what they look like and how they differ.
import { effect, h, show, signal } from "./signals.js";
import * as store from "./store.js";
import { t } from "./words.js";

/** @typedef {Record<string, any>} Json */

const looked = signal(/** @type {Json[]} */ ([]));

/** @param {HTMLElement} panel */
export function start(panel) {
  const name = h("input", { type: "text", "aria-label": "Name of the version", placeholder: "name of this version" });
  const list = h("ol", { class: "versions" });
  const keep = () => {
    const words = name.value.trim() || t`version ${store.versions.peek().length + 1}`;
    store.edit("version-keep", { name: words });
    name.value = "";
  };
  panel.append(
    h("h2", {}, "Versions"),
    h(
      "div",
      { class: "row" },
      name,
      h("button", { onclick: keep }, "Keep"),
      h("button", { onclick: look }, "Compare with this one"),
    ),
    h("p", { class: "fine" }, "Undo to any point and keep it: a version is a branch that nothing else forgets."),
    list,
  );
  effect(() => {
    store.digest();
    store.versions();
    looked.set([]);
  });
  effect(() => {
    const about = looked();
    show(list, store.versions().map((version, index) => drawVersion(version, index, about[index])));
  });
}

async function look() {
  const answer = await store.find("versions", {}, (part) => looked.set(part.versions));
  if (answer) looked.set(answer.versions);
}

/**
 * @param {string} name
 * @param {number} index
 * @param {Json | undefined} about
 */
function drawVersion(name, index, about) {
  const thumbnail = h("div", { class: "thumbnail", "aria-hidden": "true" });
  if (about) thumbnail.innerHTML = about.picture;
  const count = about?.solutions;
  return h(
    "li",
    { class: "card version" },
    thumbnail,
    h(
      "div",
      {},
      h(
        "div",
        { class: "row head" },
        h("h3", {}, name),
        h("button", { class: "small", "aria-label": t`Take ${name}`, onclick: () => store.edit("version-take", { index }) }, "Take"),
        h("button", { class: "small", "aria-label": t`Forget ${name}`, onclick: () => store.edit("version-remove", { index }) }, "Forget"),
      ),
      about && h("p", { class: "fine" }, count === null ? "solutions: open" : count === 1 ? "one solution" : t`${count >= 100 ? "100 or more" : count} solutions`, about.level && t`; hardest: ${about.level}`),
      about && h("ul", { class: "losses" }, about.differs.length ? about.differs.map((/** @type {string} */ line) => h("li", {}, line)) : h("li", {}, "the same puzzle")),
    ),
  );
}
