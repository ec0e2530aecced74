// @ts-check
// The rules in words: what setters write below a puzzle, made from the rules or their own.
import { effect, h } from "./signals.js";
import * as store from "./store.js";

/** @param {HTMLElement} panel */
export function start(panel) {
  const text = h("textarea", { rows: 6, "aria-label": "Rules in words", placeholder: "Links write the rules in the sentences of setters; yours take their place.", onchange: () => save(text.value) });
  panel.append(
    h(
      "details",
      {},
      h("summary", {}, "Rules in words"),
      text,
      h("div", { class: "row" }, h("button", { onclick: write }, "Write them from the rules"), h("button", { onclick: () => save("") }, "Leave them to the links")),
    ),
  );
  effect(() => {
    const words = store.board()?.rules_text ?? "";
    if (document.activeElement !== text) text.value = words;
  });
}

async function write() {
  const answer = await store.find("sentences");
  if (answer) save(answer.text);
}

/** @param {string} words */
function save(words) {
  store.edit("title", { rules_text: words });
}
