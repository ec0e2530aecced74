const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const state = { family: 0, stage: "first", setting: "", axis: 0, off: new Set() };
const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 960, HEIGHT = 380, LEFT = 64, RIGHT = 936, TOP = 16, BOTTOM = 340;

function node(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function drawn(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

function seconds(value) {
  if (value === null || Number.isNaN(value)) return "-";
  if (value >= 0.9995) return `${Number(value.toPrecision(3))} s`;
  if (value >= 0.9995e-3) return `${Number((value * 1e3).toPrecision(3))} ms`;
  return `${Number((value * 1e6).toPrecision(3))} µs`;
}

const percent = (value) => (value === null ? "-" : `${Number(value.toPrecision(2))} %`);
const ratio = (value) => (value === null ? "-" : value >= 100 ? value.toFixed(0) : value.toFixed(2));

function within(estimate, write) {
  if (!estimate) return "";
  const [value, low, high] = estimate;
  return low === null || high === null ? write(value) : `${write(value)} [${write(low)}–${write(high)}]`;
}

const family = () => data.families[state.family];
const stage = () => family().stages[state.stage];
const axis = () => stage().axes[state.axis] ?? null;

function colour(label) {
  const place = stage().backends.indexOf(label);
  return `hsl(${(place * 137.5) % 360} 62% 52%)`;
}

const settingOf = (board) => [board[2], board[3]].filter((part) => part !== "").join(", ");

function chosenBoards() {
  return stage().boards.flatMap((board, place) =>
    state.setting === "" || settingOf(board) === state.setting ? [place] : []);
}

const chosenLabels = () => stage().backends.filter((label) => !state.off.has(label));

function axes(svg, low, high, ticks, label) {
  const y = (value) => BOTTOM - ((BOTTOM - TOP) * Math.log(Math.max(value, low) / low)) / Math.log(high / low);
  for (let power = Math.round(Math.log10(low)); power <= Math.log10(high) + 1e-9; power++) {
    const where = y(10 ** power);
    svg.append(drawn("path", { d: `M${LEFT} ${where}H${RIGHT}`, stroke: "var(--line)" }));
    svg.append(drawn("text", { x: LEFT - 8, y: where + 4, "text-anchor": "end" }, seconds(10 ** power)));
  }
  for (const [x, text] of ticks) svg.append(drawn("text", { x, y: BOTTOM + 18, "text-anchor": "middle" }, text));
  svg.append(drawn("text", { x: RIGHT, y: BOTTOM + 34, "text-anchor": "end" }, label));
  return y;
}

function ends() {
  const held = stage();
  const all = held.seconds.flat().filter((value) => value !== null).map(Math.abs);
  return [10 ** Math.floor(Math.log10(Math.min(...all))), 2 * held.limit];
}

function canvas(label) {
  return drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
}

function drawGrowth() {
  const held = stage(), [low, high] = ends(), boards = chosenBoards(), over = axis();
  const keyOf = (place) => (over ? over.values[place] : settingOf(held.boards[place]));
  const keys = [...new Set(held.boards.map((_, place) => keyOf(place)))].filter((key) => key !== null);
  const numbers = over !== null, first = Math.min(...keys), last = Math.max(...keys);
  const x = (key) => numbers
    ? LEFT + 30 + ((RIGHT - LEFT - 60) * (key - first)) / Math.max(last - first, 1)
    : LEFT + ((RIGHT - LEFT) * (keys.indexOf(key) + 0.5)) / keys.length;
  const svg = canvas("time over size");
  const y = axes(svg, low, high, keys.map((key) => [x(key), String(key)]), numbers ? over.name : "kind of board");
  svg.append(drawn("path", { d: `M${LEFT} ${y(held.limit)}H${RIGHT}`, stroke: "var(--soft)", "stroke-dasharray": "4 4" }));
  const fits = new Map(state.axis === 0 ? (held.growth ?? []).map((one) => [one[0], one]) : []);
  for (const label of chosenLabels()) {
    const fit = fits.get(label);
    if (fit) {
      const [, , from, to, [start, slope]] = fit;
      const end = (size) => `${x(size)} ${y(Math.exp(start + slope * size))}`;
      svg.append(drawn("path", { class: "fit", d: `M${end(from)}L${end(to)}`, stroke: colour(label), "stroke-dasharray": "3 4", opacity: 0.7 }));
    }
    const row = held.seconds[held.backends.indexOf(label)], byKey = new Map();
    for (const place of boards) {
      const key = keyOf(place);
      if (key === null || row[place] === null) continue;
      byKey.set(key, [...(byKey.get(key) ?? []), row[place]]);
    }
    const points = keys.filter((key) => byKey.has(key)).map((key) => {
      const logs = byKey.get(key).map((value) => Math.log(Math.abs(value)));
      return [x(key), y(Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length))];
    });
    const path = drawn("path", { d: `M${points.map((point) => point.join(" ")).join("L")}`, fill: "none", stroke: colour(label), "stroke-width": 2 });
    if (points.length > 1) svg.append(path);
    for (const [key, values] of byKey) {
      for (const value of values) {
        const look = value < 0 ? { fill: "none", stroke: colour(label) } : { fill: colour(label) };
        const dot = drawn("circle", { cx: x(key), cy: y(Math.abs(value)), r: 3, ...look });
        dot.append(drawn("title", {}, `${label}, ${key}: ${value < 0 ? "not solved" : seconds(value)}`));
        svg.append(dot);
      }
    }
  }
  at("growth").replaceChildren(svg);
  at("growth-title").textContent = numbers ? `Time over ${over.name}, logarithmic: means and fitted growth; rings were not solved` : "Time by kind of board; rings were not solved";
}

function drawCurves() {
  const held = stage(), [low, high] = ends(), boards = chosenBoards();
  const svg = canvas("share of the boards solved within a time");
  const x = (value) => LEFT + ((RIGHT - LEFT) * Math.log(Math.max(value, low) / low)) / Math.log(high / low);
  const y = (part) => BOTTOM - (BOTTOM - TOP) * part;
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    svg.append(drawn("path", { d: `M${LEFT} ${y(part)}H${RIGHT}`, stroke: "var(--line)" }));
    svg.append(drawn("text", { x: LEFT - 8, y: y(part) + 4, "text-anchor": "end" }, `${100 * part} %`));
  }
  for (let power = Math.round(Math.log10(low)); power <= Math.log10(high); power++) {
    svg.append(drawn("text", { x: x(10 ** power), y: BOTTOM + 18, "text-anchor": "middle" }, seconds(10 ** power)));
  }
  for (const label of chosenLabels()) {
    const row = held.seconds[held.backends.indexOf(label)];
    const there = boards.filter((place) => row[place] !== null);
    const solved = there.map((place) => row[place]).filter((value) => value > 0).sort((a, b) => a - b);
    if (!solved.length) continue;
    const steps = solved.map((value, place) => `H${x(value)}V${y((place + 1) / there.length)}`).join("");
    svg.append(drawn("path", { d: `M${x(solved[0])} ${y(0)}${steps}H${x(held.limit)}`, fill: "none", stroke: colour(label), "stroke-width": 2 }));
  }
  at("curves").replaceChildren(svg);
}

function drawTable() {
  const held = stage(), rates = new Map((held.growth ?? []).map((one) => [one[0], one]));
  const sized = held.axes[0], unit = sized ? `growth for ${sized.unit} ${sized.name}` : "";
  const head = ["backend", "solved", "time", "PAR2", "× first", "fastest on", "missed", ...(unit ? [unit] : [])];
  const rows = held.backends.flatMap((label, place) => {
    if (state.off.has(label)) return [];
    const rate = rates.get(label);
    const cells = [held.solved[place].join(" of "), within(held.typical[place], seconds), within(held.par2[place], seconds), within(held.ratio[place], ratio), String(held.fastest[place] || ""), held.missed[place][0] ? within(held.missed[place], percent) : ""];
    if (unit) cells.push(rate ? `${within(rate[1], ratio)}, ${rate[2]}–${rate[3]}` : "");
    return [node("tr", {}, node("th", {}, label), ...cells.map((text) => node("td", {}, text)))];
  });
  const titles = node("tr", {}, ...head.map((text) => node("th", {}, text)));
  at("table").replaceChildren(node("table", {}, node("thead", {}, titles), node("tbody", {}, ...rows)));
  at("note").textContent = `The table is of all boards of the family, limit ${seconds(held.limit)}; brackets hold 95 % intervals over boards. `
    + (family().models ? "Times include building the model, because each board has its own. " : "Models are built once for all boards of a size, and not counted. ")
    + `Time is the geometric mean, PAR2 the plain one, both with twice the limit for a board that is not solved; of the fastest for each board the former is ${seconds(held.together)}. × first: times over those of the first row on boards that both solved. `
    + "Missed: the percentage by which the PAR2 of the fastest backend for each board rises without this backend.";
  const crossings = (held.crossings ?? []).filter(([below, above]) => !state.off.has(below) && !state.off.has(above));
  const lines = crossings.map(([below, above, where]) =>
    node("li", {}, `${below} is faster below ${sized.name} ${within(where, (value) => value.toFixed(1))}, ${above} above.`));
  at("crossings").replaceChildren(...(lines.length ? [node("h3", {}, "Cross-overs"), node("ul", {}, ...lines)] : []));
}

function drawBoards() {
  const held = stage(), labels = chosenLabels();
  const rows = chosenBoards().map((place) => node("tr", {}, node("th", { title: held.boards[place][1] }, held.boards[place][0]),
    ...labels.map((label) => {
      const value = held.seconds[held.backends.indexOf(label)][place];
      return value !== null && value > 0 ? node("td", {}, seconds(value)) : node("td", { class: "lost" }, value === null ? "" : "not solved");
    })));
  const titles = node("tr", {}, node("th", {}, "board"), ...labels.map((label) => node("th", {}, label)));
  at("boards").replaceChildren(node("table", {}, node("thead", {}, titles), node("tbody", {}, ...rows)));
}

function drawChips() {
  at("chips").replaceChildren(...stage().backends.map((label) => {
    const mark = node("i");
    mark.style.background = colour(label);
    const chip = node("button", { class: "chip", "aria-pressed": String(!state.off.has(label)) }, mark, label);
    chip.addEventListener("click", () => {
      if (!state.off.delete(label)) state.off.add(label);
      draw();
    });
    return chip;
  }));
}

function fill(select, values, chosen) {
  select.replaceChildren(...values.map(([value, text]) => {
    const option = node("option", { value }, text);
    option.selected = value === chosen;
    return option;
  }));
}

const STAGES = { first: "all backends", second: "the best, with more time" };

function draw() {
  at("title").textContent = family().title;
  fill(at("families"), data.families.map((one, place) => [String(place), one.title]), String(state.family));
  fill(at("stages"), Object.keys(family().stages).map((name) => [name, STAGES[name]]), state.stage);
  const settings = [...new Set(stage().boards.map(settingOf))];
  fill(at("settings"), [["", "all"], ...settings.map((one) => [one, one])], state.setting);
  fill(at("axes"), stage().axes.map((one, place) => [String(place), one.name]), String(state.axis));
  at("axes").parentElement.hidden = stage().axes.length < 2;
  drawChips();
  drawGrowth();
  drawCurves();
  drawTable();
  drawBoards();
}

function choose(place, name = "first") {
  state.family = place;
  state.stage = name in family().stages ? name : "first";
  state.setting = "";
  state.axis = 0;
  state.off = new Set(stage().backends.slice(6));
  draw();
}

at("families").addEventListener("change", (event) => choose(Number(event.target.value), state.stage));
at("stages").addEventListener("change", (event) => choose(state.family, event.target.value));
at("settings").addEventListener("change", (event) => {
  state.setting = event.target.value;
  draw();
});
at("axes").addEventListener("change", (event) => {
  state.axis = Number(event.target.value);
  draw();
});
at("all").addEventListener("click", () => {
  state.off = new Set();
  draw();
});
at("six").addEventListener("click", () => {
  state.off = new Set(stage().backends.slice(6));
  draw();
});
for (const button of document.querySelectorAll("[data-family]")) {
  button.addEventListener("click", () => {
    choose(data.families.findIndex((one) => one.name === button.dataset.family));
    at("family").scrollIntoView();
  });
}
at("family").hidden = false;
choose(0);
document.documentElement.dataset.ready = "";
