// @ts-check
// The rules: their list, the form of each kind from the catalogue, and drawing them on the board.
import { ask } from "./connection.js";
import { byId, effect, h, show, signal } from "./signals.js";
import * as fog from "./fog.js";
import * as own from "./own.js";
import * as pictures from "./pictures.js";
import * as regions from "./regions.js";
import * as shaping from "./shaping.js";
import * as store from "./store.js";
import * as wording from "./wording.js";
import { t, words } from "./words.js";

/** @typedef {import("./store.js").Kind} Kind */
/** @typedef {import("./store.js").Field} Field */
/** @typedef {Record<string, any>} Json */

const USUAL = [
  "killer", "thermo", "arrow", "whisper", "renban", "palindrome", "difference", "ratio",
  "pair-sum", "between", "sandwich", "contains",
];
/** What people call the kinds, for the search. */
const CALLED = {
  killer: "cage sum no-sum",
  thermo: "thermometer",
  "slow-thermo": "slow thermometer",
  whisper: "german whispers dutch whispers",
  difference: "kropki white dot negative",
  ratio: "kropki black dot",
  "pair-sum": "xv x v sum",
  contains: "quadruple quad",
  greater: "inequality less",
  "same-sum": "equal sum",
  "ambiguous-arrow": "headless arrow either end any bulb unknown circle",
  battlefield: "armies overlap gap first last outside sum",
  doubler: "doublers multipliers tripler negator value",
  taxicab: "anti-taxicab self-taxicab negative",
  index: "159 row column box indexer",
  "sum-line": "ten line 10-line",
  sum: "little killer",
  "non-consecutive": "neighbours",
};

/** The kind whose form is open. */
const chosen = signal(/** @type {Kind | null} */ (null));
/** What is in the form, by field. */
const entered = signal(/** @type {Record<string, string>} */ ({}));
/** The rule that the form changes; -1 for a new one. */
const changing = signal(-1);
const search = signal("");
const fault = signal("");
/** Answers about what is needed, and about totals. */
const without = signal(/** @type {Json | null} */ (null));
const totals = signal(/** @type {Json | null} */ (null));
/** The rule that was drawn last and whose number digits are typed into. */
let pending = /** @type {{ index: number, field: string, text: string } | null} */ (null);

/** @param {HTMLElement} panel */
export function start(panel) {
  const form = h("div", { class: "form" });
  const list = h("div", {});
  const input = h("input", {
    id: "search",
    type: "search",
    placeholder: "Add a rule:  /  then its name",
    "aria-label": "Kind of rule",
    autocomplete: "off",
    oninput: () => search.set(input.value),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter") {
        const first = matches()[0];
        if (first) choose(first);
        event.preventDefault();
      } else if (event.key === "Escape") {
        input.value = "";
        search.set("");
        input.blur();
      }
    },
  });
  const found = h("div", { class: "chips", role: "group", "aria-label": "Kinds of rules" });
  panel.append(input, found, form);
  own.start(panel, choose);
  pictures.start(panel);
  regions.start(panel);
  fog.start(panel);
  wording.start(panel);
  panel.append(list);
  effect(() => {
    show(
      found,
      matches().map((kind) =>
        h(
          "button",
          {
            class: "chip",
            "aria-pressed": String(chosen()?.kind === kind.kind),
            title: kind.about,
            onclick: () => choose(kind),
          },
          kind.kind,
        ),
      ),
    );
  });
  effect(() => drawForm(form));
  effect(() => {
    const index = store.picked();
    if (index < 0) return;
    chosen.set(null);
    changing.set(-1);
    typeInto(index);
    showBoard();
  });
  effect(() => drawList(list));
  effect(() => {
    store.digest();
    without.set(null);
    totals.set(null);
  });
}

function matches() {
  const kinds = store.allKinds();
  const wanted = search().trim().toLowerCase();
  if (!wanted) return [...(store.board()?.own ?? []), ...USUAL.flatMap((name) => kinds.filter((kind) => kind.kind === name))];
  const rank = (/** @type {Kind} */ kind) => {
    if (kind.kind.startsWith(wanted)) return 0;
    const names = /** @type {Record<string, string>} */ (CALLED)[kind.kind] ?? "";
    if (names.includes(wanted)) return 1;
    return kind.kind.includes(wanted) ? 2 : kind.about.toLowerCase().includes(wanted) ? 3 : 9;
  };
  return kinds
    .filter((kind) => rank(kind) < 9)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, 16);
}

/** Put the focus into the search for kinds. */
export function openSearch() {
  store.tab.set("rules");
  queueMicrotask(() => byId("search").focus());
}

/** @param {Kind} kind */
function choose(kind) {
  const input = /** @type {HTMLInputElement} */ (byId("search"));
  input.value = "";
  search.set("");
  if (chosen.peek() === kind && changing.peek() < 0) {
    close();
    return;
  }
  pending = null;
  changing.set(-1);
  fault.set("");
  entered.set({});
  chosen.set(kind);
  shaping.letGo();
  store.brush.set("");
  store.tool.set(kind);
  const cells = store.selection.peek();
  if (cells.length > 1) {
    entered.set(filledFrom(kind, cells));
    queueMicrotask(() => {
      const missing = kind.fields.find((field) => !entered.peek()[field.name] && field.holds !== "yes");
      const next = missing && byId(`field-${missing.name}`);
      (next ?? /** @type {HTMLElement | null} */ (document.querySelector(".form .main")))?.focus();
    });
  } else {
    input.blur();
    showBoard();
  }
  store.say(t`${kind.kind}: drag over its cells, or fill in the form`);
}

/** Whether the panel is below the board. */
function isNarrow() {
  return matchMedia("(max-width: 820px)").matches;
}

/** Have the board in view, to draw on it. */
function showBoard() {
  if (isNarrow()) byId("board").scrollIntoView({ block: "start" });
}

function close() {
  chosen.set(null);
  changing.set(-1);
  store.tool.set(null);
  fault.set("");
}

/** Give up what is being drawn; return whether anything was. */
export function abandon() {
  const was = pending !== null || chosen.peek() !== null || store.brush.peek() !== "";
  pending = null;
  close();
  store.brush.set("");
  return shaping.letGo() || was;
}

/** @param {Kind} kind */
function fieldsOfCells(kind) {
  return kind.fields.filter((field) => ["cells", "line", "pairs"].includes(field.holds));
}

/** @param {number[]} cells */
function namesOf(cells) {
  const names = store.board.peek()?.names ?? [];
  return cells.map((cell) => names[cell]).join(" ");
}

/**
 * Return the texts of the fields of cells that a path over the board fills.
 * @param {Kind} kind
 * @param {number[]} path
 * @returns {Record<string, string>}
 */
function filledFrom(kind, path) {
  const fields = fieldsOfCells(kind);
  if (!fields.length) return {};
  const [first] = fields;
  if (first.holds === "pairs") {
    const pairs = path.slice(1).map((cell, at) => namesOf([path[at], cell]));
    return { [first.name]: pairs.join(", ") };
  }
  if (fields.length === 1) return { [first.name]: namesOf(path) };
  const isOne = first.single || first.about.startsWith("the cell ");
  if (fields.length === 2 && isOne) {
    return { [first.name]: namesOf(path.slice(0, 1)), [fields[1].name]: namesOf(path.slice(1)) };
  }
  const now = entered.peek();
  const empty = fields.find((field) => !now[field.name]) ?? fields[fields.length - 1];
  return { ...now, [empty.name]: namesOf(path) };
}

/**
 * Take a path that was drawn on the board as the cells of the kind that is chosen.
 * @param {number[]} path
 * @param {boolean} branches whether it begins on a rule of the kind, whose beginning it shares
 */
export function strokeEnded(path, branches = false) {
  const kind = chosen.peek();
  if (!kind) return;
  const stem = branches && store.board.peek()?.rules.find((rule) => rule.kind === kind.kind && rule.shape?.line?.includes(path[0]))?.shape?.line;
  if (stem) path = [...stem.slice(0, stem.indexOf(path[0])), ...path];
  if (path.length < 2 && fieldsOfCells(kind).some((field) => field.holds !== "cells")) return;
  entered.set({ ...entered.peek(), ...filledFrom(kind, path) });
  if (changing.peek() >= 0) return;
  const missing = kind.fields.filter((field) => field.required && !entered.peek()[field.name]);
  if (!missing.length) add();
  else {
    const next = missing.find((field) => !["cells", "line", "pairs"].includes(field.holds));
    if (next) byId(`field-${next.name}`)?.focus();
  }
}

/**
 * Return what a text in the form means in a file; undefined if the field is empty.
 * @param {Field} field
 * @param {string} text
 */
function meaning(field, text) {
  const plain = text.trim();
  if (!plain) return undefined;
  switch (field.holds) {
    case "yes":
      return plain === "true";
    case "number":
      return /^-?\d+$/.test(plain) ? Number(plain) : plain;
    case "list":
    case "rules":
      if (/^[[{]/.test(plain)) {
        try {
          return JSON.parse(plain);
        } catch {
          return plain;
        }
      }
      return /^[-\d\s,]+$/.test(plain) ? plain.split(/[\s,]+/).map(Number) : plain;
    case "pairs":
      return plain.includes(",") || plain.split(/\s+/).length === 2 ? plain.split(/\s*,\s*/) : plain;
    default:
      return plain;
  }
}

/**
 * What stays in the form for the next rule: choices, but no cells and no numbers without a default.
 * @param {Kind} kind
 * @param {Record<string, string>} texts
 */
function optionalOf(kind, texts) {
  const cells = fieldsOfCells(kind);
  const stays = kind.fields.filter(
    (f) => !cells.includes(f) && f.required === false && (f.holds !== "number" || f.default !== null),
  );
  return Object.fromEntries(stays.map((f) => [f.name, texts[f.name] ?? ""]));
}

/** Add the rule in the form, or change the one that it is about. */
async function add() {
  const kind = chosen.peek();
  if (!kind) return;
  /** @type {Json} */
  const rule = { kind: kind.kind };
  for (const field of kind.fields) {
    const value = meaning(field, entered.peek()[field.name] ?? "");
    if (value !== undefined && value !== field.default) rule[field.name] = value;
  }
  const index = changing.peek();
  const number = kind.fields.find((field) => field.holds === "number");
  const typing =
    index < 0 && number && !number.required && rule[number.name] === undefined
      ? { index: -1, field: number.name, text: "" }
      : null;
  pending = typing; // its digits may come before the answer
  const sent = entered.peek();
  const empty = index < 0 ? optionalOf(kind, sent) : sent;
  entered.set(empty); // what is typed before the answer is for the next rule
  const answer =
    index < 0 ? await ask("rule-add", { rule }) : await ask("rule-set", { rule, index });
  if (answer.error) {
    pending = null;
    if (entered.peek() === empty) entered.set(sent);
    fault.set(answer.error);
    store.say(answer.error);
    return;
  }
  fault.set("");
  store.say(index < 0 ? t`${kind.kind} added` : t`${kind.kind} changed`);
  if (index >= 0) {
    close();
    return;
  }
  if (typing) { // its total may be complete already
    typing.index = (store.board.peek()?.rules.length ?? 0) - 1;
    sendTotal(typing);
  }
}

/**
 * Take a key as part of the number of the rule that was drawn last; return whether it was.
 * @param {string} key
 */
export function typedTotal(key) {
  if (!pending) return false;
  if (key === "Enter") {
    pending = null;
    return true;
  }
  const text = key === "Backspace" ? pending.text.slice(0, -1) : pending.text + key;
  if (text.length > 4) return true;
  pending.text = text;
  sendTotal(pending);
  return true;
}

/** @param {{ index: number, field: string, text: string }} typing */
function sendTotal({ index, field, text }) {
  const rule = store.board.peek()?.rules[index];
  if (!rule || String(rule.table[field] ?? "") === text) return;
  const table = { ...rule.table };
  if (text) table[field] = Number(text);
  else delete table[field];
  store.edit("rule-set", { index, rule: table });
}

/** Digits are for cells again. */
export function forgetTotal() {
  pending = null;
}

/** @param {HTMLElement} place */
function drawForm(place) {
  const kind = chosen();
  const index = changing();
  if (!kind) {
    show(place);
    return;
  }
  const now = entered.peek();
  const inputs = kind.fields.map((field) => {
    const id = `field-${field.name}`;
    const set = (/** @type {string} */ text) => entered.set({ ...entered.peek(), [field.name]: text });
    const isCells = ["cells", "line", "pairs"].includes(field.holds);
    const input =
      field.holds === "yes"
        ? h("input", {
            id,
            type: "checkbox",
            onchange: (/** @type {any} */ e) => set(String(e.target.checked)),
          })
        : h("input", {
            id,
            type: "text",
            value: now[field.name] ?? "",
            inputmode: field.holds === "number" ? "numeric" : "text",
            placeholder: field.default === null || field.required ? "" : String(field.default),
            autocomplete: "off",
            oninput: (/** @type {any} */ e) => set(e.target.value),
          });
    if (input.type === "checkbox") input.checked = now[field.name] === "true";
    else {
      effect(() => {
        const text = entered()[field.name] ?? "";
        if (input.value !== text) input.value = text;
      });
    }
    return h(
      "div",
      { class: "field" },
      h("label", { for: id }, field.name, field.required ? "" : h("span", { class: "fine" }, " optional")),
      input,
      isCells &&
        h(
          "button",
          {
            class: "small",
            title: "Take the selected cells, in the order of their selection",
            onclick: () => {
              const cells = store.selection.peek();
              const text =
                field.holds === "pairs"
                  ? filledFrom({ ...kind, fields: [field] }, cells)[field.name]
                  : namesOf(cells);
              set(text);
            },
          },
          "selected",
        ),
      h("p", { class: "fine" }, field.about),
    );
  });
  const message = h("p", { class: "fault", role: "alert" });
  effect(() => show(message, fault()));
  show(
    place,
    h(
      "form",
      {
        class: "card",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          add();
        },
      },
      h("h2", {}, index < 0 ? t`Draw: ${kind.kind}` : t`Change rule ${index + 1}: ${kind.kind}`),
      h("p", { class: "fine" }, kind.about),
      inputs,
      message,
      h(
        "div",
        { class: "row" },
        h("button", { type: "submit", class: "main" }, index < 0 ? "Add" : "Change"),
        h("button", { onclick: close }, "Close"),
      ),
    ),
  );
}

/**
 * @param {number} index
 * @param {import("./store.js").Rule} rule
 */
function change(index, rule) {
  const kind = store.allKinds().find((one) => one.kind === rule.kind);
  if (!kind) return;
  const plain = (/** @type {any} */ value) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : Array.isArray(value) && value.every((one) => typeof one === "number")
        ? value.join(" ")
        : Array.isArray(value) && value.every((one) => typeof one === "string")
          ? value.join(", ")
          : JSON.stringify(value);
  const { kind: _, ...fields } = rule.table;
  if (Object.keys(fields).some((name) => !kind.fields.some((field) => field.name === name))) {
    store.tell(t`Rule ${index + 1} is shorthand for several: change it in the text of the file.`);
    return;
  }
  entered.set(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plain(value)])));
  fault.set("");
  pending = null;
  chosen.set(null);
  changing.set(index);
  chosen.set(kind);
  shaping.letGo();
  store.tool.set(kind);
}

/**
 * Let digits be typed into the number of a rule.
 * @param {number} index
 */
function typeInto(index) {
  const rule = store.board.peek()?.rules[index];
  const number = store.allKinds().find((kind) => kind.kind === rule?.kind)?.fields.find((field) => field.holds === "number");
  pending = number ? { index, field: number.name, text: "" } : null;
}

/** The button of the list that gets the focus when it is drawn anew. */
let focused = "";

/** @param {HTMLElement} place */
function drawList(place) {
  const board = store.board();
  if (!board) return;
  const conflict = store.conflict();
  const needed = without();
  const here = new Set(store.selection());
  const picked = store.picked();
  const active = document.activeElement;
  if (!focused && active instanceof HTMLElement && place.contains(active)) focused = active.dataset.act ?? "";
  const rows = board.rules.map((rule, index) => {
    const count = needed?.without[index];
    const badge =
      needed === null
        ? null
        : count === undefined
          ? h("span", { class: "badge" }, "…")
          : count === 1
            ? h("span", { class: "badge good", title: "Without it there is still one solution" }, "not needed")
            : h(
                "span",
                { class: "badge", title: "Solutions without it" },
                count === null ? "open" : count >= (needed?.most ?? 100) ? t`${count}+ without` : t`${count} without`,
              );
    const isGuilty = conflict?.rules.includes(index);
    const touches = rule.cells.some((cell) => here.has(cell)) && rule.cells.length < board.positions.length;
    const point = () => store.pointed.set(rule.cells);
    const button = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ act, /** @type {Json} */ more = {}) =>
      h("button", { class: "icon", title: name, "aria-label": t`${name}: ${rule.words}`, "data-act": `${name} ${index}`, onclick: act, ...more }, sign);
    const order = (/** @type {number} */ by) => {
      focused = `${by < 0 ? "Earlier" : "Later"} ${index + by}`;
      shaping.reorder(by);
    };
    const small = (/** @type {string} */ words, /** @type {() => void} */ act, disabled = false) =>
      h("button", { class: "small", "data-act": `${words} ${index}`, disabled, onclick: act }, words);
    return h(
      "li",
      {
        class: ["rule", isGuilty && "guilty", rule.ignored && "ignored", touches && "touched", index === picked && "picked"].filter(Boolean).join(" "),
        draggable: "true",
        ondragstart: (/** @type {DragEvent} */ event) => event.dataTransfer?.setData("application/x-rule", String(index)),
        ondragover: (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("application/x-rule") && event.preventDefault(),
        ondrop: (/** @type {DragEvent} */ event) => {
          event.preventDefault();
          shaping.place(Number(event.dataTransfer?.getData("application/x-rule")), index);
        },
        onpointerenter: point,
        onpointerleave: () => store.pointed.set([]),
        onfocusin: point,
        onfocusout: () => store.pointed.set([]),
      },
      h(
        "button",
        { class: "words", title: "Select its cells", "data-act": `words ${index}`, onclick: () => store.selection.set(rule.cells) },
        h("b", {}, rule.kind),
        " ",
        rule.words,
      ),
      isGuilty ? h("span", { class: "badge bad" }, "conflict") : badge,
      h(
        "span",
        { class: "acts" },
        button(rule.hidden ? "◌" : "◉", rule.hidden ? "Show" : "Hide", () =>
          store.edit("rule-switch", { index, hidden: !rule.hidden }), { "aria-pressed": String(rule.hidden) }),
        button(rule.ignored ? "○" : "●", rule.ignored ? "Switch on" : "Switch off", () =>
          store.edit("rule-switch", { index, ignored: !rule.ignored }), { "aria-pressed": String(rule.ignored) }),
        rule.shape && button("✥", "Move and reshape", () => (index === picked ? shaping.letGo() : shaping.pick(index)), { "aria-pressed": String(index === picked) }),
        button("✎", "Change", () => change(index, rule)),
        "total" in rule.table && button("Σ", "Which totals keep one solution", () => findTotals(index)),
        button("✕", "Remove", () => store.edit("rule-remove", { index })),
      ),
      index === picked &&
        h(
          "div",
          { class: "totals" },
          h("p", { class: "fine" }, "Drag an end of a line to reshape it, any other cell to move all; click a cell to take it out, or beside a cage to add one. Keys: Alt+arrows, Alt+Shift+arrows, R, Ctrl+D, Delete, Esc."),
          small("Copy", shaping.copy),
          "line" in (rule.shape ?? {}) && small("Reverse", shaping.reverse),
          small("Earlier", () => order(-1), index === 0),
          small("Later", () => order(1), index + 1 === board.rules.length),
          small("Done", shaping.letGo),
        ),
      totals()?.index === index && drawTotals(index, rule),
    );
  });
  show(
    place,
    h(
      "div",
      { class: "row head" },
      h("h2", {}, t`Rules (${rows.length})`),
      rows.length > 0 &&
        h("button", { class: "small", onclick: findNeeded }, "Which are needed?"),
    ),
    board.others.length > 0 && h("p", { class: "fine" }, t`By the variant: ${board.others.join(words("; "))}`),
    rows.length
      ? h("ol", { class: "rules" }, rows)
      : h("p", { class: "fine" }, "No rules besides the units. Choose a kind above and drag over its cells."),
    conflict?.found &&
      h(
        "div",
        { class: "card bad" },
        h("b", {}, "These cannot hold together; each of them is needed for the conflict:"),
        h("ul", {}, conflict.words.map((/** @type {string} */ words) => h("li", {}, words))),
      ),
  );
  if (!isNarrow()) place.querySelector(".picked")?.scrollIntoView({ block: "nearest" });
  if (focused) /** @type {HTMLElement | null} */ (place.querySelector(`[data-act="${focused}"]`))?.focus();
  focused = "";
}


async function findNeeded() {
  without.set({ without: {} });
  const take = (/** @type {Json} */ answer) => {
    if (answer.digest === store.digest.peek() && answer.without) without.set(answer);
  };
  take(await ask("needed", { time_limit: 60 }, take));
}

/** @param {number} index */
async function findTotals(index) {
  if (totals.peek()?.index === index) {
    totals.set(null);
    return;
  }
  totals.set({ index, counts: {} });
  const take = (/** @type {Json} */ answer) => {
    if (answer.counts && totals.peek()?.index === index) totals.set({ ...answer, index });
  };
  const answer = await ask("totals", { index, time_limit: 30 }, take);
  if (answer.error) store.tell(answer.error, "bad");
  take(answer);
}

/**
 * @param {number} index
 * @param {import("./store.js").Rule} rule
 */
function drawTotals(index, rule) {
  const { counts, field, most } = totals() ?? {};
  return h(
    "div",
    { class: "totals" },
    Object.entries(counts).map(([number, count]) =>
      h(
        "button",
        {
          class: count === 1 ? "chip good" : "chip",
          "aria-pressed": String(String(rule.table[field]) === number),
          title: count === 1 ? "one solution" : t`${count}${count >= most ? " or more" : ""} solutions`,
          onclick: () =>
            store.edit("rule-set", { index, rule: { ...rule.table, [field]: Number(number) } }),
        },
        `${number}: ${count === null ? "?" : count >= most ? `${most}+` : count}`,
      ),
    ),
  );
}
