// The page: controls, and which parts are drawn again when the view changes.

// Where there are no runs, the parts that scripts draw stay hidden.
const curves = runs.length ? new Curves($("#curves")) : null;
const scatter = runs.length ? new Scatter($("#scatter")) : null;
const overPlot = runs.length && over ? new Over($("#over")) : null;
let view = { chosen: [], numbers: [], rows: [] };

function select(name, label, options) {
  const change = () => update({ [name]: input.value });
  const input = make("select", { "data-filter": name, onchange: change },
    ...options.map(([code, text]) => make("option", { value: code }, text)));
  input.value = state[name];
  return make("label", { class: "field" }, make("span", {}, label), input);
}

function buildFilters() {
  const labels = [...new Set(layouts.map((layout) => layout.label))];
  const seen = new Set(cells.outcome);
  const found = outcomes.filter((name, code) => seen.has(code) && name !== "solved");
  const all = (text, names) => [["", text], ...names.map((name) => [name, name])];
  const fields = [];
  if (labels.length > 1) fields.push(select("layout", "Layout", all("all layouts", labels)));
  if (groups) fields.push(select("group", groups.by, all("all", groups.names)));
  if (sources.length > 1 && groups?.by !== "source") fields.push(select("source", "Source", all("all sources", sources)));
  fields.push(select("outcome", "Outcome", [
    ["", "any outcome"], ["all-solved", "solved by all"], ["not-all-solved", "not solved by all"],
    ["nobody", "solved by nobody"], ...found.map((name) => [name, `some: ${name}`]),
  ]));
  const chips = backends.map((label, backend) => make("button", {
    class: "chip backend", "data-backend": label, onclick: () => toggleBackend(label),
    onpointerenter: () => emphasise(backend), onpointerleave: () => emphasise(-1),
  }, swatch(backend), label));
  const reset = make("button", { class: "reset", onclick: () =>
    update({ layout: "", source: "", group: "", outcome: "", off: "" }) }, "Show all");
  $("#filters").replaceChildren(
    make("div", { class: "fields" }, ...fields, make("p", { id: "shown", role: "status" }), reset),
    make("div", { class: "chips", role: "group", "aria-label": "Backends" }, ...chips));
  $("#filters").hidden = false;
}

function syncControls() {
  for (const input of document.querySelectorAll("[data-filter]")) {
    input.value = state[input.dataset.filter];
  }
  const chosen = new Set(view.chosen.map((backend) => backends[backend]));
  for (const chip of document.querySelectorAll("[data-backend]")) {
    chip.setAttribute("aria-pressed", chosen.has(chip.dataset.backend));
  }
  $("#filters .reset").hidden = !isFiltered() && chosen.size === backends.length;
  const all = cases.length.toLocaleString("en");
  $("#shown").textContent = view.numbers.length === cases.length ? plural(cases.length, "case")
    : `${view.numbers.length.toLocaleString("en")} of ${all} cases`;
  const shown = state.plot === "cactus" ? "cactus" : "cdf";
  for (const button of document.querySelectorAll("[data-plot]")) {
    button.setAttribute("aria-pressed", button.dataset.plot === shown);
  }
}

function pairChosen() {
  const ranked = view.rows.map((row) => row.backend);
  const named = (label, others) => {
    const backend = backends.indexOf(label);
    return backend >= 0 ? backend : others.find((other) => other !== undefined);
  };
  const [across, up] = (raw.scatter ?? []).map((label) => backends.indexOf(label));
  const first = named(state.x, [across, ranked[0], 0]);
  const other = up === first ? undefined : up;
  const next = other ?? ranked.find((backend) => backend !== first && backend !== twin);
  return [first, named(state.y, [next, first])];
}

function drawScatter() {
  const [first, second] = pairChosen();
  $("#pair-x").value = backends[first];
  $("#pair-y").value = backends[second];
  scatter.set(first, second, view.numbers);
  $("#pair").replaceChildren(...pairWords(pairOf(first, second, view.numbers)));
  $("#extremes").replaceChildren(...extremes(scatter));
}

function emphasise(backend) {
  curves.emphasise(backend);
  overPlot?.emphasise(backend);
}

function drawOver() {
  $("#over-title").textContent = `Over ${overName()}`;
  $("#over-name").value = overName();
  overPlot.set(view.chosen, view.numbers);
}

const drawSummary = () => $("#summary").replaceChildren(summaryTable(view.rows, view.best));

function drawPhases() {
  const boards = Number(state.boards) || 1;
  $("#phases").replaceChildren(phaseTable(phaseRows(view.chosen, view.numbers, boards)));
  $("#boards").value = Math.max(0, BOARDS.findIndex((count) => count >= boards));
  $("#boards-text").textContent = plural(boards, "board");
}

const MOST_UNDECIDED = 300;

function drawAll() {
  const chosen = chosenBackends();
  const numbers = chosenCases(chosen);
  view = { chosen, numbers, rows: summaries(chosen, numbers), best: virtualBest(chosen, numbers) };
  drawSummary();
  $("#method").textContent = intervalMethod();
  curves.set(chosen, numbers);
  drawScatter();
  drawPhases();
  if (groups) $("#groups").replaceChildren(groupsTable(view.rows));
  if (overPlot) drawOver();
  $("#matrix").replaceChildren(matrixTable(numbers));
  const undecided = raw.undecided.slice(0, MOST_UNDECIDED).map(caseButton);
  if ($("#undecided")) $("#undecided").replaceChildren(...undecided);
  $("#disagreements").replaceChildren(disagreementCards(numbers));
  if ($("#spread")) $("#spread").replaceChildren(spreadTable(chosen, numbers));
  syncControls();
}

const FILTERS = ["layout", "source", "group", "outcome", "off"];

function changed(names) {
  if (names.some((name) => FILTERS.includes(name))) drawAll();
  if (names.includes("plot")) {
    curves.draw();
    syncControls();
  }
  if (names.includes("x") || names.includes("y")) drawScatter();
  if (names.includes("boards")) drawPhases();
  if (names.includes("over") && overPlot) drawOver();
  if (names.includes("sort")) drawSummary();
  if (names.includes("case")) showPanel();
}

function buildControls() {
  for (const id of ["pair-x", "pair-y"]) {
    const input = $(`#${id}`);
    input.replaceChildren(...backends.map((label) => make("option", { value: label }, label)));
    input.addEventListener("change", () => update({ [id.at(-1)]: input.value }));
  }
  for (const button of document.querySelectorAll("[data-plot]")) {
    button.addEventListener("click", () => update({ plot: button.dataset.plot }));
  }
  if (overPlot) {
    const names = Object.keys(over).map((name) => make("option", { value: name }, name));
    $("#over-name").replaceChildren(...names);
    $("#over-name").addEventListener("change", (event) => update({ over: event.target.value }));
  }
  const slider = $("#boards");
  slider.max = BOARDS.length - 1;
  slider.addEventListener("input", () => update({ boards: String(BOARDS[slider.value]) }));
}

// Light, dark, or as the system is; a choice is kept for the next page.
function buildTheme() {
  const button = $("#theme");
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const write = () => { button.textContent = isDark() ? "☀ Light" : "☾ Dark"; };
  const show = () => {
    write();
    for (const plot of [curves, scatter, overPlot]) plot?.draw();
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("unidoku-theme", root.dataset.theme);
    } catch {
      // the choice holds for this page
    }
    show();
  });
  dark.addEventListener("change", show);
  write();
}

function start() {
  for (const part of document.querySelectorAll("[data-script]")) part.hidden = false;
  readAddress();
  buildFilters();
  buildControls();
  addEventListener("hashchange", () => {
    if (location.hash === "#main-content") return; // the link that skips to the results
    readAddress();
    drawAll();
    showPanel();
  });
  drawAll();
  showPanel();
}

buildTheme();
if (runs.length) start();
document.documentElement.dataset.ready = "yes";
