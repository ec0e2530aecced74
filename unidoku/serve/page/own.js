// @ts-check
// Rules of a puzzle's own: a relation in one line of text, with a name and a colour, for many lines.
import { ask } from "./connection.js";
import { effect, h, show, signal } from "./signals.js";
import * as store from "./store.js";
import { t } from "./words.js";

const COLOURS = ["red", "indigo", "green", "black", "magenta"];
const verdict = signal(/** @type {{ words: string, isGood: boolean } | null} */ (null));

/**
 * @param {HTMLElement} panel
 * @param {(kind: import("./store.js").Kind) => void} draw
 */
export function start(panel, draw) {
  const name = h("input", { id: "own-name", type: "text", autocomplete: "off", placeholder: "far" });
  const text = h("input", { id: "own-text", type: "text", autocomplete: "off", spellcheck: "false", placeholder: "a, b: abs(a - b) >= 3", oninput: check });
  const colour = h("select", { id: "own-colour" }, COLOURS.map((word) => h("option", {}, word)));
  const said = h("p", { role: "status" });
  const list = h("ul", { class: "losses" });
  async function check() {
    if (!text.value.trim()) {
      verdict.set(null);
      return;
    }
    const answer = await ask("relation", { text: text.value });
    if (!answer.cancelled) verdict.set({ words: answer.error ?? answer.words, isGood: !answer.error });
  }
  async function save(/** @type {Event} */ event) {
    event.preventDefault();
    const wanted = name.value.trim();
    const rule = { kind: "pairs", related: text.value.trim(), colour: colour.value };
    const answer = await ask("define", { name: wanted, rule });
    if (answer.cancelled) return;
    verdict.set(answer.error ? { words: answer.error, isGood: false } : null);
    if (answer.error) return;
    name.value = text.value = "";
    const kind = store.board.peek()?.own.find((one) => one.kind === wanted);
    if (kind) draw(kind);
  }
  const field = (/** @type {HTMLElement} */ input, /** @type {string} */ words, /** @type {string} */ about) =>
    h("div", { class: "field" }, h("label", { for: input.id }, words), input, h("p", { class: "fine" }, about));
  panel.append(
    h(
      "details",
      {},
      h("summary", {}, "Rules of your own"),
      h(
        "form",
        { class: "card", onsubmit: save },
        field(name, "name", "under which it is drawn, on as many lines as you like"),
        field(text, "relation", "two names, then what must hold of two cells that follow each other: + - * // %, comparisons, and, or, not, in, if, abs, min, max, gcd"),
        said,
        field(colour, "colour", "of its lines, which begin with a dot"),
        h("div", { class: "row" }, h("button", { type: "submit", class: "main" }, "Define and draw")),
      ),
      list,
    ),
  );
  effect(() => {
    const found = verdict();
    said.className = `fine ${found ? (found.isGood ? "good" : "bad") : ""}`;
    show(said, found?.words);
  });
  effect(() => {
    const own = store.board()?.own ?? [];
    const change = (/** @type {import("./store.js").Own} */ kind) => {
      name.value = kind.kind;
      text.value = kind.table.related ?? "";
      colour.value = kind.table.colour ?? COLOURS[0];
      check();
      text.focus();
    };
    show(
      list,
      own.map((kind) =>
        h(
          "li",
          {},
          h("b", {}, kind.kind),
          ` ${kind.about} `,
          h("button", { class: "small", "aria-label": t`Draw ${kind.kind}`, onclick: () => draw(kind) }, "Draw"),
          kind.table.related && h("button", { class: "small", "aria-label": t`Change ${kind.kind}`, onclick: () => change(kind) }, "Change"),
          h("button", { class: "small", "aria-label": t`Forget ${kind.kind}`, onclick: () => store.edit("define", { name: kind.kind }) }, "Forget"),
        ),
      ),
    );
  });
}
