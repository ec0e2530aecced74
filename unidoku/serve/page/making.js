// @ts-check
// For a class: puzzles of a level, made one by one, and pages to print.
import { address, ask, frameOf, isInFrame } from "./connection.js";
import { effect, h, show, signal } from "./signals.js";
import * as store from "./store.js";
import { t } from "./words.js";

/** @typedef {{ text: string, picture: string, level: string }} Made */

const made = signal(/** @type {Made[]} */ ([]));
const isMaking = signal(false);
const page = signal("");
const problem = signal("");

/** Milliseconds without a change after which the pages are made again. */
const PAUSE = 400;
let waiting = 0;

/**
 * @param {string} words
 * @param {HTMLElement} input
 */
const labelled = (words, input) => h("label", { class: "named" }, words, input);

/**
 * @param {string} name
 * @param {string[]} values
 */
const choice = (name, values) => h("select", { "aria-label": name }, values.map((value) => h("option", { value }, value)));

/** @param {HTMLElement} panel */
export function start(panel) {
  const size = choice("Size", ["9", "6", "4"]);
  const level = choice("Level", ["easy", "medium", "hard", "any"]);
  const symmetry = choice("Symmetry", ["none", "rotational", "vertical", "diagonal", "full"]);
  const count = h("input", { type: "number", min: 1, max: 60, value: 6, "aria-label": "Number of puzzles" });
  const begin = h("button", { class: "main", onclick: () => make(Number(count.value)) }, "Make");
  const list = h("ol", { class: "made" });
  const heading = h("input", { type: "text", "aria-label": "Heading", placeholder: "heading of each page" });
  const symbols = h("input", { type: "text", "aria-label": "Symbols for the digits", placeholder: "symbols for 1, 2, 3 …: ★ ● ▲ ■" });
  const each = choice("Puzzles on a page", ["1", "2", "4", "6", "9", "12"]);
  each.value = "4";
  const boxes = Object.fromEntries(
    Object.entries({ name_line: "line for a name", rules: "rules", level: "level", answers: "solutions" }).map(([key, words]) => [key, { words, input: h("input", { type: "checkbox", id: `print-${key}` }) }]),
  );
  const out = h("div", {});
  const wrong = h("p", { class: "bad", role: "status" });
  const wanted = h(
    "div",
    { oninput: soon },
    heading,
    h("div", { class: "row" }, labelled("on a page", each), Object.values(boxes).map(({ words, input }) => labelled(words, input))),
    symbols,
  );
  panel.append(
    h("h2", {}, "Make puzzles"),
    h("div", { class: "row" }, labelled("size", size), labelled("level", level), labelled("symmetry", symmetry), labelled("number", count), begin),
    list,
    h("h2", {}, "Print"),
    wanted,
    h("p", { class: "fine" }, "The puzzles above, or if there are none, this board."),
    wrong,
    out,
  );
  effect(() => {
    const isThere = made().length > 0 || store.digest() !== "";
    if (store.tab() === "print" && isThere && !isMaking()) soon();
  });
  effect(() => show(wrong, problem()));
  effect(() => show(begin, isMaking() ? "Stop" : "Make"));
  effect(() => show(list, made().map(drawMade)));
  effect(() => {
    const key = page();
    const frame = key && frameOf(key, "Pages to print");
    show(
      out,
      frame &&
        h(
          "div",
          { class: "row" },
          h("button", { onclick: () => frame.contentWindow?.print() }, "Print"),
          !isInFrame && h("a", { href: address(`/report/${key}`), target: "_blank" }, "Open in a tab"),
        ),
      frame,
    );
  });

  /**
   * Make puzzles; one of them may take the place of another.
   * @param {number} number
   * @param {number} [place]
   */
  async function make(number, place = -1) {
    if (isMaking.peek()) {
      ask("cancel", { kind: "make" });
      return;
    }
    isMaking.set(true);
    const take = (/** @type {Record<string, any>} */ part) => {
      const next = [...made.peek()];
      if (place >= 0) next.splice(place, 1, ...part.made);
      else next.push(...part.made);
      made.set(next);
    };
    const fields = { size: Number(size.value), level: level.value, symmetry: symmetry.value, count: number };
    const answer = await ask("make", fields, take);
    isMaking.set(false);
    if (answer.error) store.tell(answer.error, "bad");
    else store.say(t`${made.peek().length} puzzles`);
  }

  /**
   * @param {Made} puzzle
   * @param {number} index
   */
  function drawMade(puzzle, index) {
    const picture = h("div", { class: "thumbnail", "aria-hidden": "true" });
    picture.innerHTML = puzzle.picture;
    const drop = () => made.set(made.peek().filter((other) => other !== puzzle));
    const button = (/** @type {string} */ sign, /** @type {string} */ words, /** @type {() => void} */ act) =>
      h("button", { class: "icon", title: words, "aria-label": t`${words}: puzzle ${index + 1}`, onclick: act }, sign);
    return h("li", {}, picture, h("span", { class: "acts" }, button("↻", "Another in its place", () => make(1, index)), button("✎", "Edit", () => store.edit("text", { text: puzzle.text })), button("✕", "Throw away", drop)));
  }

  /** Make the pages once nothing has changed for a moment. */
  function soon() {
    clearTimeout(waiting);
    waiting = setTimeout(print, PAUSE);
  }

  async function print() {
    /** @type {Record<string, any>} */
    const fields = { heading: heading.value, per_page: Number(each.value), symbols: symbols.value, instead: page.peek() };
    for (const [key, { input }] of Object.entries(boxes)) fields[key] = input.checked;
    if (made.peek().length) fields.texts = made.peek().map(({ text }) => text);
    const answer = await ask("print", fields);
    if (answer.cancelled) return;
    problem.set(answer.error ?? (answer.unsolved.length ? t`no solution found in time for puzzle ${answer.unsolved.join(", ")}` : ""));
    if (answer.page) page.set(answer.page);
  }
}
