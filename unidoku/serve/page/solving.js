// @ts-check
// Hints in stages, what is wrong, and the path of steps at the side.
import { ask } from "./connection.js";
import { effect, h, show, signal } from "./signals.js";
import * as store from "./store.js";
import { t, words } from "./words.js";

/** @typedef {Record<string, any>} Json */

/** The hint, and how much of it is told: where, the technique, the step. */
const hint = signal(/** @type {{ answer: Json, stage: number } | null} */ (null));
const wrong = signal(/** @type {{ answer: Json, stage: number } | null} */ (null));
const reason = signal(/** @type {Json | null} */ (null));
const path = signal(/** @type {Json | null} */ (null));
const at = signal(-1);
const openings = signal("");
const pinned = signal(/** @type {Json | null} */ (null));
/** Techniques that hints and paths do without. */
const off = signal(/** @type {string[]} */ ([]));

/** @param {HTMLElement} panel */
export function start(panel) {
  const help = h("div", { class: "card" });
  const why = h("div", { class: "card" });
  const steps = h("div", {});
  panel.append(help, why, steps);
  drawWhy(why);
  startTechniques(panel);
  effect(() => {
    const isThere = store.digest() !== "";
    const isWatched = path.peek() !== null && store.tab.peek() === "solve";
    hint.set(null);
    wrong.set(null);
    reason.set(null);
    path.set(null);
    at.set(-1);
    if (isThere && isWatched) findPath();
  });
  effect(() => drawHelp(help));
  effect(() => drawPath(steps));
}

/**
 * Let techniques be switched off.
 * @param {HTMLElement} panel
 */
function startTechniques(panel) {
  const list = h("ul", { class: "techniques" });
  const words = h("summary", {}, "Techniques");
  async function fill() {
    if (list.childElementCount) return;
    const { techniques = [] } = await ask("techniques");
    show(list, techniques.map(drawTechnique));
  }
  panel.append(h("details", { ontoggle: fill }, words, h("p", { class: "fine" }, "Hints and paths use those that are ticked, easiest first."), list));
  effect(() => {
    const count = off().length;
    show(words, count ? t`Techniques (${count} off)` : "Techniques");
    hint.set(null);
    path.set(null);
    at.set(-1);
    store.step.set(null);
  });
}

/** @param {Json} technique */
function drawTechnique({ name, words, rating }) {
  const input = h("input", { type: "checkbox", onchange: () => off.set(input.checked ? off.peek().filter((other) => other !== name) : [...off.peek(), name]) });
  input.checked = true;
  return h("li", {}, h("label", { class: "named" }, input, `${words} `, h("span", { class: "fine" }, rating.toFixed(1))));
}

/** Tell the next stage of the hint. */
export async function nextHint() {
  store.tab.set("solve");
  wrong.set(null);
  const before = hint.peek();
  if (before?.answer.found) {
    tellHint({ answer: before.answer, stage: Math.min(before.stage + 1, 2) });
    return;
  }
  const answer = await store.find("hint", { without: off.peek() });
  if (answer) tellHint({ answer, stage: 0 });
}

/** @param {{ answer: Json, stage: number }} told */
function tellHint(told) {
  hint.set(told);
  const { answer, stage } = told;
  if (!answer.found) store.say(answer.words);
  else {
    store.say([t`Look at ${answer.where.join(", ")}`, answer.technique, answer.sentence][stage]);
    store.step.set(stage === 2 ? { ...answer, marks: true } : null);
  }
}

/** Whether a step is told that Enter applies. */
export function isHinting() {
  return Boolean(hint.peek()?.answer.found);
}

/** Write what the step of the hint says. */
export function applyHint() {
  const answer = hint.peek()?.answer;
  if (!answer) return;
  hint.set(null);
  store.step.set(null);
  store.edit("fill", { entries: answer.entries, centre: answer.centre });
  store.say(t`applied: ${answer.sentence}`);
}

/** Answer whether something is wrong, then where, then what. */
export async function somethingWrong() {
  store.tab.set("solve");
  hint.set(null);
  const before = wrong.peek();
  if (before?.answer.wrong) {
    wrong.set({ answer: before.answer, stage: Math.min(before.stage + 1, 2) });
  } else {
    const answer = await store.find("wrong");
    if (!answer) return;
    wrong.set({ answer, stage: 0 });
  }
  const now = wrong.peek();
  if (now) {
    store.say(wrongWords(now.answer, now.stage));
    if (now.stage === 2) store.selection.set(now.answer.cells);
  }
}

/**
 * @param {Json} answer
 * @param {number} stage
 */
function wrongWords(answer, stage) {
  if (!answer.wrong) return answer.words;
  return ["Something is wrong.", t`Look again at ${answer.where}.`, answer.words][stage];
}

/**
 * Ask why a value is in the selected cell, or cannot be.
 * @param {string} name the value as it is shown
 */
async function askWhy(name) {
  const values = store.board.peek()?.values ?? [];
  const value = values.indexOf(name.trim()) + 1;
  const chosen = store.selection.peek();
  const cell = chosen[chosen.length - 1];
  if (!value || cell === undefined) {
    store.tell(value ? "Select a cell first." : t`Type a value of the board: ${values.join(" ")}`, "bad");
    return;
  }
  store.tell("");
  reason.set({ words: "looking …", parts: [], grids: [] });
  const answer = await ask("why", { cell, value });
  if (answer.cancelled) return;
  if (answer.error) {
    reason.set(null);
    store.tell(answer.error, "bad");
    return;
  }
  reason.set(answer);
  store.step.set(answer.over ? { ...answer, marks: true } : null);
  store.say(answer.words);
}

/** @param {HTMLElement} place */
function drawWhy(place) {
  const input = h("input", { id: "why", type: "text", "aria-label": "Value to explain", placeholder: "value", size: 4 });
  const out = h("div", {});
  show(
    place,
    h("h2", {}, "Why?"),
    h(
      "form",
      {
        class: "row",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          askWhy(input.value);
        },
      },
      input,
      h("button", { type: "submit" }, "Must, can or cannot the selected cell hold it?"),
    ),
    out,
  );
  effect(() => {
    const answer = reason();
    show(
      out,
      answer && h("p", {}, answer.words),
      answer && answer.parts.length > 1 && h("ul", {}, answer.parts.map((/** @type {string} */ part) => h("li", {}, part))),
      answer &&
        answer.grids.length > 0 &&
        h(
          "div",
          { class: "row" },
          answer.grids.map((/** @type {number[]} */ grid, /** @type {number} */ number) =>
            h("button", { class: "small", onclick: () => store.solution.set(store.solution.peek() === grid ? null : grid) }, t`solution ${number ? "without" : "with"} it`),
          ),
        ),
    );
  });
}

/** @param {HTMLElement} place */
function drawHelp(place) {
  const told = hint();
  const error = wrong();
  const lines = [];
  if (told && !told.answer.found) lines.push(h("p", { class: told.answer.wrong ? "bad" : "" }, told.answer.words));
  if (told?.answer.found) {
    const { answer, stage } = told;
    lines.push(h("p", {}, h("b", {}, "Where: "), answer.where.join(words("; "))));
    if (stage > 0) lines.push(h("p", {}, h("b", {}, "Technique: "), `${answer.technique} (${answer.rating.toFixed(1)})`));
    if (stage > 1) {
      const { earlier } = answer;
      if (earlier.length) lines.push(h("details", {}, h("summary", {}, t`After ${earlier.length} steps about what is not written`), h("ol", {}, earlier.map((/** @type {string} */ words) => h("li", {}, words)))));
      lines.push(h("p", {}, h("b", {}, "Step: "), answer.sentence));
    }
  }
  if (error) {
    lines.push(h("p", { class: error.answer.wrong ? "bad" : "good" }, wrongWords(error.answer, error.stage)));
  }
  show(
    place,
    h("h2", {}, "Help"),
    h(
      "div",
      { class: "row" },
      h("button", { class: "main", onclick: nextHint }, told?.answer.found && told.stage < 2 ? "Tell more" : "Hint", h("kbd", {}, "H")),
      told?.answer.found && h("button", { onclick: applyHint }, "Apply", h("kbd", {}, "Enter")),
      h("button", { onclick: somethingWrong }, error?.answer.wrong && error.stage < 2 ? "Where is it wrong?" : "Is something wrong?"),
    ),
    lines,
  );
}

async function findPath() {
  path.set({ steps: [], words: "looking …", outcome: "" });
  const fields = { time_limit: 30, without: off.peek() };
  const answer = await store.find("path", fields, (part) => path.set({ ...part, outcome: "" }));
  if (answer) path.set(answer);
}

/** @param {number} number */
async function showStep(number) {
  const count = path.peek()?.steps.length ?? 0;
  if (number < 0 || number >= count) {
    at.set(-1);
    store.step.set(null);
    return;
  }
  at.set(number);
  openings.set("");
  const answer = await store.find("step", { number, without: off.peek() });
  if (answer && at.peek() === number) {
    store.step.set({ ...answer, marks: true });
    store.say(t`step ${number + 1}: ${answer.sentence}`);
    const others = await ask("openings", { number, without: off.peek() });
    if (others.openings && at.peek() === number) {
      openings.set(!others.exact ? t`${others.openings} or more openings` : others.openings === 1 ? "the only opening" : t`${others.openings} openings`);
    }
  }
}

/** @param {HTMLElement} place */
function drawPath(place) {
  const found = path();
  const now = at();
  const old = pinned();
  const other = old && found?.outcome && old !== found ? old : null;
  const sentences = (/** @type {Json | null} */ one) => new Set((one?.steps ?? []).map((/** @type {Json} */ step) => step.sentence));
  const before = sentences(other);
  const after = sentences(found);
  const gone = (other?.steps ?? []).filter((/** @type {Json} */ step) => !after.has(step.sentence));
  const rows = (found?.steps ?? []).map((/** @type {Json} */ step, /** @type {number} */ number) =>
    h(
      "li",
      { class: ["step", number === now && "now", step.key && "key"].filter(Boolean).join(" ") },
      h(
        "button",
        { class: "words", "aria-current": number === now ? "step" : false, onclick: () => showStep(number === now ? -1 : number) },
        number === now && openings() && h("span", { class: "badge", title: "Different steps that are no harder" }, openings()),
        other && !before.has(step.sentence) && h("span", { class: "badge good", title: "Not in the path that is pinned" }, "new"),
        number === found?.hardest && h("span", { class: "badge bad" }, t`hardest ${step.rating.toFixed(1)}`),
        step.sentence,
      ),
    ),
  );
  show(
    place,
    h(
      "div",
      { class: "row head" },
      h("h2", {}, "Path"),
      h("button", { class: "small", onclick: findPath }, found ? "Again" : "Find the path"),
      rows.length > 0 && h("button", { class: "small", "aria-label": "Step before", onclick: () => showStep(now - 1) }, "‹"),
      rows.length > 0 && h("button", { class: "small", "aria-label": "Next step", onclick: () => showStep(now + 1) }, "›"),
      now >= 0 && h("button", { class: "small", onclick: startHere }, "Start here"),
      rows.length > 0 && h("button", { class: "small", title: "Keep it to compare with the path after an edit", onclick: () => pinned.set(found) }, "Pin"),
      old && h("button", { class: "small", onclick: () => pinned.set(null) }, "Unpin"),
    ),
    h("p", { class: "fine" }, found ? found.words : "All steps of a solution by logic, from what is on the board."),
    old && old === found && h("p", { class: "fine" }, "Pinned. Change the puzzle, and find the path again."),
    old && old !== found && h("p", { class: "fine" }, t`Pinned: ${old.words}`),
    h("ol", { class: "steps" }, rows),
    gone.length > 0 &&
      h("details", {}, h("summary", {}, t`${gone.length} steps of the pinned path are gone`), h("ul", { class: "losses" }, gone.map((/** @type {Json} */ step) => h("li", {}, step.sentence)))),
  );
  place.querySelector(".now")?.scrollIntoView({ block: "nearest" });
}

async function startHere() {
  const start = store.step.peek()?.start;
  if (start) store.edit("fill", start);
}
