// @ts-check
// Puts the page together: the bar, the pad, the tabs, notices.
import { ask, connect, isInFrame } from "./connection.js";
import { byId, effect, h, show } from "./signals.js";
import * as board from "./board.js";
import * as compare from "./compare.js";
import * as files from "./files.js";
import * as keys from "./keys.js";
import * as legend from "./legend.js";
import * as making from "./making.js";
import * as playing from "./playing.js";
import * as rules from "./rules.js";
import * as solving from "./solving.js";
import * as store from "./store.js";
import { t } from "./words.js";

const TABS = { rules: "Rules", solve: "Solve", compare: "Compare", print: "Print", file: "File" };

function startBar() {
  const name = h("input", {
    type: "text",
    class: "title",
    "aria-label": "Name of the puzzle",
    placeholder: "Untitled puzzle",
    onchange: () => store.edit("title", { name: name.value }),
    onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && name.blur(),
  });
  const author = h("input", {
    type: "text",
    class: "author",
    "aria-label": "Author",
    placeholder: "author",
    onchange: () => store.edit("title", { author: author.value }),
  });
  const saved = h("span", { class: "fine saved" });
  const lamp = h("div", { class: "lamp", role: "status", "aria-label": "Solutions" });
  const undo = h("button", { class: "icon", title: "Undo (Ctrl+Z)", "aria-label": "Undo", onclick: () => store.edit("undo") }, "↶");
  const redo = h("button", { class: "icon", title: "Redo (Ctrl+Y)", "aria-label": "Redo", onclick: () => store.edit("redo") }, "↷");
  const help = h("button", { class: "icon", title: "Keys (?)", "aria-label": "Keys", onclick: () => dialog.showModal() }, "?");
  const play = h("button", { class: "icon", title: "Play-test (P)", "aria-label": "Play-test", onclick: playing.turn }, "▷");
  byId("bar").append(h("div", { class: "names" }, name, author, saved), lamp, h("div", { class: "row" }, undo, redo, play, help));
  const dialog = keyList();
  document.body.append(dialog);
  effect(() => {
    const now = store.board();
    if (!now) return;
    if (document.activeElement !== name) name.value = now.name;
    if (document.activeElement !== author) author.value = now.author;
    document.title = `${now.name || t`Untitled`} · Unidoku`;
  });
  effect(() => {
    undo.disabled = store.undoable() === 0;
    redo.disabled = store.redoable() === 0;
  });
  effect(() => {
    const { name: file, saved: isSaved } = store.file();
    const words = !store.isOpen() ? "not connected" : !file ? (isInFrame ? "in the notebook" : "no file yet") : isSaved ? t`${file}, saved` : `${file} …`;
    show(saved, words);
  });
  effect(() => drawLamp(lamp));
}

/** @param {HTMLElement} place */
function drawLamp(place) {
  const answer = store.lamp();
  const count = answer?.solutions;
  const kind = !answer ? "wait" : answer.error ? "bad" : count === 1 ? "good" : count === 0 ? "bad" : "open";
  const sign = { wait: "…", good: "1", bad: "0", open: "2+" }[kind];
  const words = !answer
    ? "looking"
    : answer.error
      ? answer.error
      : count === 1
        ? "one solution"
        : count === 0
          ? "no solution"
          : count === null
            ? "not decided in time"
            : store.count() ? t`${store.count()} solutions` : "several solutions";
  const shown = answer?.error || count === null ? "?" : sign;
  const entered = answer?.entered;
  const shownAt = (answer?.grids ?? []).findIndex((/** @type {number[]} */ grid) => grid === store.solution());
  place.dataset.kind = kind;
  place.dataset.digest = answer?.digest ?? "";
  show(
    place,
    h("b", {}, shown),
    h("span", {}, words, answer?.reasons?.length ? `: ${answer.reasons[0]}` : ""),
    entered === 0 && count !== 0 && h("span", { class: "bad" }, "none with the entries"),
    answer?.grids?.length > 0 &&
      h("button", { class: "small", onclick: keys.flip, title: "Show a solution (N)" }, shownAt < 0 ? "show" : shownAt + 1 < answer?.grids.length ? "next" : "hide"),
  );
}

function startPad() {
  const pad = byId("pad");
  const layers = h("div", { class: "switch", role: "group", "aria-label": "What digits are" });
  const modes = h("div", { class: "switch", role: "group", "aria-label": "Mode" });
  const digits = h("div", { class: "digits", role: "group", "aria-label": "Values" });
  const shown = h("div", { class: "switch", role: "group", "aria-label": "Candidates" });
  const pen = h("div", { class: "switch", role: "group", "aria-label": "Lines" });
  pad.append(layers, modes, digits, pen, h("div", {}, h("p", { class: "fine" }, "Candidates"), shown));
  const choice = (/** @type {string} */ words, /** @type {boolean} */ isOn, /** @type {() => void} */ act, /** @type {string} */ key) =>
    h("button", { "aria-pressed": String(isOn), onclick: act, title: key }, words);
  effect(() => {
    const layer = store.layer();
    show(
      layers,
      choice("Set", layer === "given", () => layer === "entry" && keys.turnLayer(), "Digits are givens (G)"),
      choice("Solve", layer === "entry", () => layer === "given" && keys.turnLayer(), "Digits are entries (G)"),
    );
  });
  effect(() => {
    const words = { digit: "Digit", corner: "Corner", centre: "Centre", colours: "Colour" };
    const letters = { digit: "Z", corner: "X", centre: "C", colours: "V" };
    show(modes, keys.MODES.map((mode) => choice(words[mode], store.mode() === mode, () => keys.setMode(mode), letters[mode])));
  });
  effect(() => {
    const now = store.board();
    if (!now) return;
    const mode = store.mode();
    const names = mode === "colours" ? [..."123456789"] : now.values;
    show(
      digits,
      names.map((name, at) =>
        h("button", { class: mode === "colours" ? `paint paint-${at + 1}` : mode, "aria-label": mode === "colours" ? t`colour ${name}` : name, onclick: () => keys.write(at + 1, mode) }, name),
      ),
      h("button", { "aria-label": "Clear", onclick: keys.clear }, "⌫"),
    );
  });
  effect(() => {
    show(
      pen,
      choice("Pen", store.isPen(), keys.turnPen, "Drag over cells, or along their sides (B)"),
      store.marks().pen.length > 0 && h("button", { title: "Shift+B", onclick: () => store.edit("pen", { lines: [] }) }, "Remove the lines"),
    );
  });
  effect(() => {
    const form = store.form();
    const to = (/** @type {"off" | "logical" | "true"} */ next) => () => {
      store.form.set(next);
      store.lookForCandidates();
    };
    show(
      shown,
      choice("None", form === "off", to("off"), "T"),
      choice("True", form === "true", to("true"), "Candidates that occur in a solution (T)"),
      choice("By logic", form === "logical", to("logical"), "Candidates that propagation leaves (T)"),
    );
  });
  const key = h("p", { class: "fine legend" });
  pad.append(key);
  effect(() => {
    show(
      key,
      store.form() === "true" && [
        h("span", { class: "one" }, "in 1 solution"), " ",
        h("span", { class: "few" }, "in 2 to 9"), " ",
        h("span", { class: "many" }, "in 10 or more"),
        store.candidates() && Object.keys(store.candidates()?.open ?? {}).length > 0 ? " – still looking" : "",
      ],
    );
  });
}

function startTabs() {
  const list = h("div", { role: "tablist", "aria-label": "Tools" });
  const panel = byId("panel");
  panel.append(list);
  const starts = { rules: rules.start, solve: solving.start, compare: compare.start, print: making.start, file: files.start };
  const names = /** @type {(keyof typeof TABS)[]} */ (Object.keys(TABS));
  for (const name of names) {
    const button = h("button", { role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: () => store.tab.set(name) }, TABS[name]);
    list.append(button);
    const place = h("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: -1 });
    panel.append(place);
    starts[name](place);
    effect(() => {
      const isShown = store.tab() === name;
      place.hidden = !isShown;
      button.setAttribute("aria-selected", String(isShown));
      button.tabIndex = isShown ? 0 : -1;
    });
  }
  list.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    const next = names[(names.indexOf(/** @type {keyof typeof TABS} */ (store.tab.peek())) + way + names.length) % names.length];
    store.tab.set(next);
    byId(`tab-${next}`).focus();
  });
}

function startNotices() {
  effect(() => {
    const { error, conflict, name } = store.file();
    const notice = store.notice();
    const unknown = store.board()?.unknown ?? [];
    const isLost = store.board() && !store.isOpen();
    show(
      byId("notices"),
      isLost &&
        h("div", { class: "notice bad" }, "The server does not answer: nothing can be changed. What was done is saved; start unidoku serve again, and open the address that it prints."),
      conflict &&
        h(
          "div",
          { class: "notice open" },
          h("span", {}, t`${name} was changed by another program, and here too. Nothing is overwritten; undo brings the other back.`),
          h("button", { class: "small", onclick: () => store.edit("resolve", { keep: "disk" }) }, "Take the file's"),
          h("button", { class: "small", onclick: () => store.edit("resolve", { keep: "page" }) }, "Keep this one"),
        ),
      error && h("div", { class: "notice bad" }, error),
      unknown.length > 0 && h("div", { class: "notice" }, t`Kept in the file, but without a meaning here: ${unknown.join(", ")}`),
      notice &&
        h("div", { class: `notice toast ${notice.tone}` }, h("span", {}, notice.text), h("button", { class: "icon", "aria-label": "Close", onclick: () => store.tell("") }, "✕")),
    );
  });
}

function keyList() {
  const rows = [
    ["1 … 9", "write in the mode; Shift corner, Ctrl centre, Ctrl+Shift colour"],
    ["Z X C V, Space", "digit, corner, centre, colour; next mode"],
    ["G", "set givens, or solve with entries"],
    ["Arrows", "move; with Shift or Ctrl add to the selection"],
    ["Ctrl+A, Ctrl+Shift+A, Ctrl+I", "select all, none, the others"],
    ["Double click", "select what is alike"],
    ["Delete", "clear the value, then the marks, then the colours"],
    ["Ctrl+Z, Ctrl+Y", "undo, redo"],
    ["Ctrl+V", "read a link or a text"],
    ["/", "add a rule: its name, Enter, then drag over its cells; digits are its total"],
    ["M, Alt+click", "pick the rule on a cell; then drag it, its ends or its cells"],
    ["Alt+arrows", "move the rule that is picked; with Shift it grows or shrinks"],
    ["R, Ctrl+D, Delete", "turn it around, copy it, remove it; Alt+Page up and down: its place in the list"],
    ["Alt+drag", "with a tool for lines: a branch of the line that is there"],
    ["T", "candidates: true, by logic, none"],
    ["N", "show the solutions that are known"],
    ["H, Enter", "hint: where, the technique, the step; apply it"],
    ["Ctrl+H", "is something wrong?"],
    ["P", "play-test: with a clock, without candidates"],
    ["B, Shift+B", "pen: dragging draws lines, once more removes them; remove all"],
    ["L", "names of rows and columns"],
    ["K", "what is drawn means: a legend"],
    ["E", "links and files"],
    ["Esc", "give up a rule, a step, the selection"],
  ];
  const names = h("div", { class: "switch", role: "group", "aria-label": "Names of cells" });
  effect(() => {
    show(
      names,
      ["A1", "r1c1"].map((form) =>
        h("button", { "aria-pressed": String(store.naming() === form), onclick: () => store.edit("notation", { names: form }) }, form),
      ),
    );
  });
  const numbers = h("input", { type: "checkbox", onchange: () => store.edit("view", { numbers: numbers.checked }) });
  const palette = h("div", { class: "switch", role: "group", "aria-label": "Colours" });
  effect(() => {
    const now = store.view();
    numbers.checked = now.numbers;
    document.documentElement.dataset.palette = now.palette;
    show(
      palette,
      Object.entries({ usual: "usual colours", safe: "for the colour-blind" }).map(([name, words]) =>
        h("button", { "aria-pressed": String(now.palette === name), onclick: () => store.edit("view", { palette: name }) }, words),
      ),
    );
  });
  const dialog = h(
    "dialog",
    { id: "keys", "aria-label": "Keys" },
    h("h2", { tabindex: "-1", autofocus: true }, "Keys"),
    h("table", {}, h("tbody", {}, rows.map(([key, words]) => h("tr", {}, h("th", { scope: "row" }, key), h("td", {}, words))))),
    h("h2", {}, "View"),
    h("div", { class: "row" }, names, palette, h("label", { class: "named" }, numbers, "numbers on colours")),
    h("form", { method: "dialog", class: "row" }, h("button", { type: "submit", class: "main" }, "Close"), h("button", { type: "submit", onclick: legend.open }, "Legend")),
  );
  return dialog;
}

startBar();
startPad();
startTabs();
startNotices();
board.start();
keys.start();
playing.start();
legend.start();
byId("grid").addEventListener("pointerdown", rules.forgetTotal, { capture: true });
connect(store.take, async (isOpen) => {
  store.isOpen.set(isOpen);
  if (!isOpen) {
    store.digest.set(""); // what was asked is asked again
    return;
  }
  await ask("open");
  if (!store.kinds.peek().length) store.kinds.set((await ask("kinds")).kinds ?? []);
  document.documentElement.dataset.ready = "";
});
