// The side panel: one case, its board, and what each backend said of it.

const panel = $("#panel");
let returnTo = null;

function openCase(number, from = null) {
  if (from) returnTo = from;
  update({ case: cases.id[number] });
}

function closePanel() {
  if (panel.hidden) return;
  update({ case: "" });
  returnTo?.focus({ preventScroll: true });
  returnTo = null;
}

function showPanel() {
  const number = cases.id.indexOf(state.case);
  const wasHidden = panel.hidden;
  panel.hidden = number < 0;
  if (panel.hidden) return;
  const layout = layouts[cases.layout[number]];
  const known = raw.cases.solutions[number];
  const facts = [
    layout.label,
    `from ${sources[cases.source[number]]}`,
    known === undefined ? null : `${known ? plural(known, "solution") : "no solution"} known`,
    raw.undecided.includes(number) ? "undecided" : null,
  ].filter(Boolean);
  const named = { class: "close", "aria-label": "Close", onclick: closePanel };
  const close = make("button", named, "×");
  const title = make("h2", { id: "panel-title", tabindex: "-1" }, cases.name[number]);
  panel.replaceChildren(
    make("header", {}, title, close),
    make("p", { class: "facts" }, facts.join(" · ")),
    boardSvg(number),
    make("p", { class: "digest" }, make("code", {}, state.case)),
    ...contradictions(number),
    ...chosenOrder(number).map((backend) => answerCard(backend, number)),
  );
  panel.scrollTop = 0;
  panel.dataset.case = state.case;
  if (wasHidden) title.focus({ preventScroll: true });
}

// All backends, the fastest first; those that did not solve it last.
function chosenOrder(number) {
  const time = (backend) => timeOf(cellOf(backend, number));
  return backends.map((_, backend) => backend)
    .sort((a, b) => compare(time(a), time(b)) || a - b);
}

function contradictions(number) {
  return raw.disagreements.filter(([index]) => index === number).map(([, , kind, evidence]) =>
    make("p", { class: "evidence bad" }, make("b", {}, `≠ ${kind}: `), evidence));
}

function answerCard(backend, number) {
  const cell = cellOf(backend, number);
  const heading = make("h3", {}, ...key(backend));
  const rounds = cells.rounds[cell];
  if (!rounds) return make("article", { class: "answer" }, heading, make("p", {}, "not run"));
  const first = cells.first[cell];
  const outcome = outcomes[cells.outcome[cell]];
  const rows = Array.from({ length: rounds }, (_, k) => first + k);
  const shown = rows.find((row) => runs.outcome[row] === cells.outcome[cell]);
  const [sign, word] = OUTCOME_WORDS[outcome];
  const evidence = [...new Set(rows.map((row) => raw.evidence[row]).filter(Boolean))];
  const each = rows.map((row) => seconds(runs.wall[row])).join(", ");
  const disturbed = rows.filter((row) => runs.disturbed[row]).length;
  return make("article", { class: "answer" },
    make("div", { class: "line" }, heading,
      make("strong", { class: "number" }, seconds(cells.wall[cell]))),
    make("p", {},
      make("span", { class: `badge ${outcome}` }, `${sign} ${word}`), ` ${claim(shown)}`),
    phaseBar(cell),
    rounds > 1 ? make("p", { class: "fine" }, `${rounds} rounds: ${each}`) : null,
    disturbed ? make("p", { class: "fine" }, `${disturbed} of them disturbed`) : null,
    ...evidence.map((text) => make("p", { class: "evidence" }, text)),
  );
}

function phaseBar(cell) {
  const parts = PHASES.map((name) => [name, cells[name][cell]]);
  const words = parts.map(([name, value]) => `${name} ${seconds(value)}`);
  const bar = make("div", { class: "shares", "aria-hidden": "true" }, ...shares(parts));
  const memory = `memory ${bytes(peakOf(cell))}`;
  return make("div", {}, bar, make("p", { class: "fine" }, [...words, memory].join(" · ")));
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closePanel();
});
