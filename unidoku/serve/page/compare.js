// @ts-check
// Second opinion: other backends on this board or others, live, and the page of the comparison.
import { address, ask, frameOf, isInFrame } from "./connection.js";
import { effect, h, show, signal } from "./signals.js";
import * as store from "./store.js";
import { t } from "./words.js";

/** @typedef {Record<string, any>} Json */

const backends = signal(/** @type {Json[]} */ ([]));
const chosen = signal(new Set(["native", "sat", "cp-sat", "clingo"]));
const found = signal(/** @type {Json | null} */ (null));
const isRunning = signal(false);

/** @param {HTMLElement} panel */
export function start(panel) {
  const list = h("div", { class: "chips", role: "group", "aria-label": "Backends" });
  const own = h("input", { type: "text", "aria-label": "Further labels", placeholder: "further labels: cp-sat[num_workers=1], …" });
  const boards = h(
    "select",
    { "aria-label": "Boards", onchange: () => { text.hidden = boards.value !== "text"; count.hidden = boards.value !== "generated"; } },
    h("option", { value: "this" }, "this board"),
    h("option", { value: "text" }, "boards that I paste"),
    h("option", { value: "generated" }, "generated boards"),
  );
  const text = h("textarea", { rows: 4, hidden: true, "aria-label": "Boards to compare on", placeholder: "a board on each line, a link, the text of a file …" });
  const number = (/** @type {string} */ name, /** @type {number} */ value, /** @type {number} */ max) =>
    h("input", { type: "number", min: 1, max, value, "aria-label": name });
  const count = number("Number of boards", 10, 127);
  count.hidden = true;
  const repeats = number("Repeats", 3, 15);
  const seconds = number("Seconds a run", 5, 600);
  const solutions = number("Solutions asked", 2, 1000);
  const memory = number("Mebibytes a run", 2048, 65535);
  const save = h("input", { type: "text", "aria-label": "Write the comparison as", placeholder: "also write as: compare.toml" });
  const begin = h("button", { class: "main", onclick: () => run() }, "Compare");
  const out = h("div", {});
  const chooser = h("input", { type: "file", accept: ".jsonl,.gz", "aria-label": "Journal to open", onchange: () => open(chooser.files?.[0]) });
  const drop = h(
    "div",
    {
      class: "card drop",
      ondragover: (/** @type {DragEvent} */ event) => event.preventDefault(),
      ondrop: (/** @type {DragEvent} */ event) => {
        event.preventDefault();
        open(event.dataTransfer?.files[0]);
      },
    },
    h("p", {}, "Drop a journal of unidoku compare here, or choose it:"),
    chooser,
  );
  const labelled = (/** @type {string} */ words, /** @type {HTMLElement} */ input) => h("label", { class: "named" }, words, input);
  panel.append(
    h("h2", {}, "Second opinion"),
    h("p", { class: "fine" }, "Each run is in a process of its own, with limits; every answer is checked. The board is never blocked."),
    list,
    own,
    h("div", { class: "row" }, labelled("Boards", boards), count),
    text,
    h("div", { class: "row" }, labelled("repeats", repeats), labelled("seconds a run", seconds), labelled("solutions", solutions), labelled("MiB", memory)),
    h("div", { class: "row" }, save, begin),
    out,
  );
  if (!isInFrame) panel.append(drop);
  effect(() => {
    show(
      list,
      backends().map(({ name, about, missing }) =>
        h("button", {
          class: "chip", title: missing.length ? t`${about}; not installed: ${missing.join(", ")}` : about,
          disabled: missing.length > 0, "aria-pressed": String(chosen().has(name)),
          onclick: () => {
            const next = new Set(chosen.peek());
            if (!next.delete(name)) next.add(name);
            chosen.set(next);
          },
        }, name)),
    );
  });
  effect(() => {
    if (store.tab() === "compare" && store.isOpen() && !backends.peek().length) {
      ask("backends").then((answer) => backends.set(answer.backends ?? []));
    }
  });
  effect(() => show(begin, isRunning() ? "Stop" : "Compare"));
  effect(() => drawFound(out));

  async function run() {
    if (isRunning.peek()) {
      ask("cancel", { kind: "compare" });
      return;
    }
    const known = new Set(backends.peek().filter(({ missing }) => !missing.length).map(({ name }) => name));
    const labels = [...chosen.peek()].filter((name) => known.has(name));
    labels.push(...own.value.split(/,(?![^[]*\])/).map((label) => label.trim()).filter(Boolean));
    isRunning.set(true);
    found.set({ done: 0, total: 0, sentence: "starting the processes …", tone: "wait", tables: [], blame: [] });
    /** @type {Json} */
    const fields = {
      backends: labels, boards: boards.value, repeats: Number(repeats.value), seconds: Number(seconds.value),
      solutions: Number(solutions.value), memory: Number(memory.value),
    };
    if (boards.value === "text") fields.text = text.value;
    if (boards.value === "generated") fields.count = Number(count.value);
    if (save.value.trim()) fields.save = save.value.trim();
    const answer = await ask("compare", fields, (part) => found.set(part));
    isRunning.set(false);
    if (answer.error) {
      found.set(null);
      store.tell(answer.error, "bad");
    } else if (!answer.cancelled) {
      found.set(answer);
      store.say(answer.sentence);
    }
  }
}

/**
 * Show the page of a journal.
 * @param {File | undefined} file
 */
async function open(file) {
  if (!file) return;
  const answer = await fetch(address("/journal"), { method: "POST", body: file });
  const text = await answer.text();
  if (!answer.ok) store.tell(`${file.name}: ${text}`, "bad");
  else found.set({ done: 0, total: 0, sentence: file.name, tone: "", tables: [], blame: [], page: text });
}

/** @param {HTMLElement} place */
function drawFound(place) {
  const answer = found();
  if (!answer) {
    show(place);
    return;
  }
  const tables = h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Figures" });
  tables.innerHTML = answer.tables.join("");
  show(
    place,
    h("div", { class: "card" },
      h("p", { class: answer.tone === "wait" ? "" : answer.tone, role: "status" }, h("b", {}, answer.sentence)),
      answer.broken && h("p", { class: "bad" }, answer.broken),
      answer.blame.length > 0 && h("ul", { class: "losses" }, answer.blame.map((/** @type {string} */ line) => h("li", {}, line))),
      answer.total > 0 && h("progress", { max: answer.total, value: answer.done, "aria-label": "Runs" }),
      answer.total > 0 && h("p", { class: "fine" }, t`${answer.done} of ${answer.total} runs`),
    ),
    tables,
    answer.page && h("div", {},
      h("div", { class: "row head" }, h("h2", {}, "The page of the comparison"), !isInFrame && h("a", { href: address(`/report/${answer.page}`), target: "_blank" }, "Open in a tab")),
      frameOf(answer.page, "The page of the comparison")),
  );
}
