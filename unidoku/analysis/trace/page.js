// The tree: nodes are made when their branch is first opened, so that 100,000 of them are no burden.

const { nodes, names, shown, places, givens } = JSON.parse(document.getElementById("data").textContent);
const [DEPTH, GUESS, FILLED, REMOVED, END, WHERE] = [0, 1, 2, 3, 4, 5];
const SIGNS = { solution: "✓", contradiction: "✗", limit: "…", "": "" };
const FIRST_SHOWN = 150;
const MOST_SHOWN = 5000;

const $ = (selector) => document.querySelector(selector);

// All text goes through textContent.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const parents = [];
const children = nodes.map(() => []);
const roots = [];
nodes.forEach(([depth], index) => {
  parents.length = index;
  let parent = index - 1;
  while (parent >= 0 && nodes[parent][DEPTH] >= depth) parent = parents[parent];
  parents[index] = parent;
  (parent < 0 ? roots : children[parent]).push(index);
});

// A guess is [cell, value, whether it holds], or words in a list; a step is words, as is a root.
const isGuess = (guess) => Array.isArray(guess) && guess.length === 3;
const isStep = (index) => parents[index] >= 0 && !Array.isArray(nodes[index][GUESS]);
const candidate = ([cell, value]) => `${names[cell]}=${shown[value]}`;
function titleOf([, guess]) {
  return isGuess(guess) ? `${names[guess[0]]}${guess[2] ? "=" : "≠"}${shown[guess[1]]}` : String(guess);
}
const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

// A node and its only children, up to the next branch: they are below each other.
function chainFrom(head) {
  const chain = [head];
  while (children[chain.at(-1)].length === 1) chain.push(children[chain.at(-1)][0]);
  return chain;
}
const isHead = (index) => parents[index] < 0 || children[parents[index]].length > 1;

const rows = new Map(); // rows that were made, by node
const items = new Map(); // list items, by the first node of their chain
let selected = -1;

function rowOf(index, folds) {
  const [, guess, filled, removed, end, where] = nodes[index];
  const words = [];
  if (filled.length) words.push(filled.map(candidate).join(" "));
  if (removed.length) words.push(`${plural(removed.reduce((sum, [, values]) => sum + values.length, 0), "other candidate")} removed`);
  const sign = end ? make("span", { class: "sign" }, `${SIGNS[end]} ${end}${where ? `: ${where}` : ""}`) : "";
  const step = isStep(index);
  const row = make("button", {
    class: `row${step ? " step" : ""}${end ? ` end-${end}` : ""}`,
    tabindex: "-1", "aria-expanded": folds ? "false" : null,
    onclick: () => { if (folds && selected === index) toggle(index); else select(index); },
  },
    make("span", { class: "mark", "aria-hidden": "true", ...(folds ? { onclick: (event) => { event.stopPropagation(); select(index); toggle(index); } } : {}) }, folds ? "▸" : ""),
    make("b", {}, titleOf(nodes[index])));
  row.append(step && !end ? "" : make("span", { class: "what" }, sign, sign && words.length ? " · " : "", words.join("; ")));
  rows.set(index, row);
  return row;
}

function itemOf(head) {
  const folds = children[head].length > 0;
  const item = make("li", {}, rowOf(head, folds));
  items.set(head, item);
  return item;
}

const isOpen = (head) => rows.get(head)?.getAttribute("aria-expanded") === "true";

function open(head) {
  if (isOpen(head) || !children[head].length) return;
  const item = items.get(head);
  if (item.children.length === 1) {
    const chain = chainFrom(head);
    const rest = make("div", {}, ...chain.slice(1).map((index) => rowOf(index, false)));
    const last = children[chain.at(-1)];
    if (last.length) rest.append(make("ul", {}, ...last.map(itemOf)));
    item.append(rest);
  }
  item.children[1].hidden = false;
  rows.get(head).setAttribute("aria-expanded", "true");
  rows.get(head).firstChild.textContent = "▾";
}

function fold(head) {
  if (!isOpen(head)) return;
  items.get(head).children[1].hidden = true;
  rows.get(head).setAttribute("aria-expanded", "false");
  rows.get(head).firstChild.textContent = "▸";
}

const toggle = (head) => (isOpen(head) ? fold(head) : open(head));

function pathTo(index) {
  const path = [];
  for (let node = index; node >= 0; node = parents[node]) path.unshift(node);
  return path;
}

function select(index, focus = true) {
  for (const node of pathTo(index)) {
    if (node !== index && isHead(node)) open(node);
  }
  const before = rows.get(selected);
  before?.removeAttribute("aria-current");
  before?.setAttribute("tabindex", "-1");
  selected = index;
  const row = rows.get(index);
  row.setAttribute("aria-current", "true");
  row.setAttribute("tabindex", "0");
  if (focus) {
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }
  showBoard(index);
}

// The board with all that is filled on the way to a node.
function showBoard(index) {
  const svg = $(".board svg");
  for (const text of svg.querySelectorAll(".added")) text.remove();
  const values = new Map();
  const add = (node) => {
    const [, guess, filled] = nodes[node];
    if (isGuess(guess) && guess[2]) values.set(guess[0], [guess[1], node]);
    for (const [cell, value] of filled) values.set(cell, [value, node]);
  };
  for (const node of pathTo(index)) {
    // Steps are siblings: what they filled holds for those after them.
    for (const step of children[parents[node]] ?? []) {
      if (step >= node || !isStep(step)) break;
      add(step);
    }
    add(node);
  }
  for (const [cell, [value, node]] of values) {
    if (givens[cell] || !places[cell]) continue;
    const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
    const [x, y] = places[cell];
    const size = shown[value].length > 1 ? 15 : 20;
    const guessed = isGuess(nodes[node][GUESS]) && nodes[node][GUESS][0] === cell;
    for (const [name, set] of Object.entries({
      class: `added found${node === index ? " new" : ""}`, x, y: y + 0.36 * size, "font-size": size,
      ...(guessed ? { "text-decoration": "underline" } : {}),
    })) text.setAttribute(name, set);
    text.textContent = shown[value];
    svg.append(text);
  }
  const [, , filled, removed, end, where] = nodes[index];
  const line = (name, words) => make("p", {}, make("b", {}, name), words);
  const gone = removed.map(([cell, some]) => `${names[cell]}≠${some.map((value) => shown[value]).join(",")}`);
  $("#caption").replaceChildren(...[
    line(titleOf(nodes[index]), ` · node ${(index + 1).toLocaleString("en")} of ${nodes.length.toLocaleString("en")}`),
    end && line(`${SIGNS[end]} ${end}`, where ? `: ${where}` : ""),
    filled.length && line("Filled: ", filled.map(candidate).join(" ")),
    gone.length && line("Removed: ", gone.join(" ")),
  ].filter(Boolean));
}

function openMany(most) {
  const waiting = [...roots];
  let count = rows.size;
  while (waiting.length && count < most) {
    const head = waiting.shift();
    open(head);
    const chain = chainFrom(head);
    count += chain.length - 1;
    waiting.push(...children[chain.at(-1)]);
    count += children[chain.at(-1)].length;
  }
  $("#note").textContent = waiting.some((head) => children[head].length)
    && most === MOST_SHOWN ? `The first ${MOST_SHOWN.toLocaleString("en")} nodes are open; open others one by one.` : "";
}

function next(end) {
  for (let step = 1; step <= nodes.length; step++) {
    const index = (selected + step) % nodes.length;
    if (nodes[index][END] === end) {
      select(index);
      return;
    }
  }
  $("#note").textContent = `No ${end}.`;
}

function visible() {
  return [...document.querySelectorAll("#tree .row")].filter((row) => row.offsetParent !== null);
}

document.getElementById("tree").addEventListener("keydown", (event) => {
  const index = selected;
  const move = (row) => { if (row) select([...rows].find(([, made]) => made === row)[0]); };
  const every = visible();
  const at = every.indexOf(rows.get(index));
  const actions = {
    ArrowDown: () => move(every[at + 1]),
    ArrowUp: () => move(every[at - 1]),
    Home: () => move(every[0]),
    End: () => move(every.at(-1)),
    ArrowRight: () => (isHead(index) && children[index].length && !isOpen(index) ? open(index) : move(every[at + 1])),
    ArrowLeft: () => {
      if (isHead(index) && isOpen(index)) fold(index);
      else if (parents[index] >= 0) select(parents[index]);
    },
  };
  if (!actions[event.key]) return;
  event.preventDefault();
  actions[event.key]();
});

for (const part of document.querySelectorAll("[data-script]")) part.hidden = false;
$("#tree").append(make("ul", {}, ...roots.map(itemOf)));
openMany(FIRST_SHOWN);
select(0, false);
$("#open").addEventListener("click", () => openMany(MOST_SHOWN));
$("#fold").addEventListener("click", () => {
  for (const head of items.keys()) fold(head);
  select(0);
});
$("#solution").addEventListener("click", () => next("solution"));
$("#contradiction").addEventListener("click", () => next("contradiction"));
document.documentElement.dataset.ready = "yes";
