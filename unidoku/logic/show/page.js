// Shows one step at a time. View 0 is the board as given, view k the board before step k with
// what that step does, and the last view where the path leads.

const $ = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];
const data = JSON.parse($("#data").textContent);
const board = $(".board > svg");
const label = board.getAttribute("aria-label");
const found = all(".board .found > text");
const marks = all(".board .mark > text");
const links = all(".list a");
const list = $(".list ol");
const slider = $("#slider");
const last = links.length - 1;
const words = (text, fields = {}) => (data.words[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => fields[name]);
let view = -1;

const hashes = links.map((link) => link.hash);
const asked = () => Math.max(0, hashes.indexOf(location.hash));

function drawBoard() {
  found.forEach((text, k) => text.classList.toggle("off", data.found[k] >= view));
  marks.forEach((text, k) => text.classList.toggle("off", data.marks[k] > 0 && data.marks[k] < view));
  all(".board [id]").forEach((part) => {
    part.classList.toggle("off", Number(part.id.split("-")[1]) !== view);
  });
}

function around(shapes) {
  const boxes = shapes.map((shape) => shape.getBoundingClientRect());
  return {
    left: Math.min(...boxes.map((box) => box.left)),
    right: Math.max(...boxes.map((box) => box.right)),
    top: Math.min(...boxes.map((box) => box.top)),
    bottom: Math.max(...boxes.map((box) => box.bottom)),
  };
}

// A board larger than its frame is moved to the step, at least to what it removes or places.
function bring() {
  const shapes = all(`#over-${view} > :not(.base-line, .cover-line, .rule-line, .thick)`);
  if (!shapes.length) return;
  const frame = $(".board");
  const room = frame.getBoundingClientRect();
  let part = around(shapes);
  if (part.right - part.left > frame.clientWidth || part.bottom - part.top > frame.clientHeight) {
    part = around([$(`#over-${view} > :is(.strike, .ring)`)]);
  }
  const outside = part.left < room.left || part.right > room.left + frame.clientWidth
    || part.top < room.top || part.bottom > room.top + frame.clientHeight;
  if (!outside) return;
  frame.scrollLeft += (part.left + part.right - room.left - room.right) / 2;
  frame.scrollTop += (part.top + part.bottom - room.top - room.bottom) / 2;
}

function describe() {
  const item = links[view].querySelector(".sentence").cloneNode(true);
  const sentence = item.textContent;
  const rating = links[view].querySelector(".rating")?.textContent;
  const inside = view > 0 && view < last;
  const count = inside ? words("Step {number} of {count} · rating {rating}", { number: view, count: last - 1, rating }) : words(view ? "End" : "Start");
  const small = document.createElement("span");
  small.className = "count";
  small.textContent = count;
  $("#caption").replaceChildren(small, ...item.childNodes);
  board.setAttribute("aria-label", inside ? words("{board}; step {number}: {sentence}", { board: label, number: view, sentence }) : `${label}; ${sentence}`);
}

function mark() {
  links.forEach((link, number) => {
    if (number === view) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  });
  // The list's own scrolling only: on a phone the page must stay at the board.
  const item = links[view].parentElement;
  const above = item.offsetTop - list.scrollTop;
  const below = above + item.offsetHeight - list.clientHeight;
  if (above < 0) list.scrollTop += above - list.clientHeight / 3;
  else if (below > 0) list.scrollTop += below + list.clientHeight / 3;
}

function show(number) {
  const next = Math.min(last, Math.max(0, number));
  if (next === view) return;
  view = next;
  drawBoard();
  bring();
  describe();
  mark();
  slider.value = view;
  slider.setAttribute("aria-valuetext", $("#caption").textContent);
  for (const id of ["first", "previous"]) $(`#${id}`).disabled = view === 0;
  for (const id of ["next", "last"]) $(`#${id}`).disabled = view === last;
}

function go(number) {
  show(number);
  history.replaceState(null, "", hashes[view]);
}

const KEYS = {
  ArrowLeft: () => view - 1,
  ArrowRight: () => view + 1,
  Home: () => 0,
  End: () => last,
};

$("#first").addEventListener("click", () => go(0));
$("#previous").addEventListener("click", () => go(view - 1));
$("#next").addEventListener("click", () => go(view + 1));
$("#last").addEventListener("click", () => go(last));
slider.addEventListener("input", () => go(Number(slider.value)));
list.addEventListener("click", (event) => {
  const number = links.indexOf(event.target.closest("a"));
  if (number < 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(number);
});
addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const frame = $(".board");
  const scrolls = event.target === frame && frame.scrollWidth > frame.clientWidth;
  if (scrolls || !(event.key in KEYS)) return;
  event.preventDefault();
  go(KEYS[event.key]());
});
addEventListener("hashchange", () => show(asked()));

for (const part of all("[data-script]")) part.hidden = false;
// Every value has its own switch from here on.
found.forEach((text) => text.classList.add("off"));
$(".board .found")?.classList.remove("off");
// The address names a step; without a target in the page the browser stays at the board.
for (const link of links) link.parentElement.removeAttribute("id");
scrollTo(0, 0);
show(asked());
document.documentElement.dataset.ready = "yes";
