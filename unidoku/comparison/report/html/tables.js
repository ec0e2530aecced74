// The summary table, the pair in words, the matrix, and the disagreements.

function badges(byOutcome) {
  return outcomes.map((name, code) => [name, byOutcome.get(code) ?? 0])
    .filter(([name, count]) => count && name !== "solved")
    .map(([name, count]) =>
      make("span", { class: `badge ${name}` }, `${OUTCOME_WORDS[name][0]} ${count} ${name}`));
}

// Heading, what to sort by, whether ascending is first, and a title that explains it.
const RATIO = "ratio"; // its heading names what it refers to
const COLUMNS = [
  ["backend", (row) => backends[row.backend], "The label of the configuration"],
  ["solved", (row) => -row.solved, "Cases answered, of all cases"],
  ["median", (row) => row.median, "Median of the cases' times, each the median of its rounds"],
  ["mean", (row) => row.mean, "Mean of the cases' times"],
  ["max", (row) => row.maximum, "The slowest case"],
  ["PAR2", (row) => row.par2, "Mean over all cases; one not solved counts twice the time limit"],
  ["shifted mean", (row) => row.shifted, `Geometric mean, shifted by ${seconds(raw.shift)}`],
  [RATIO, (row) => row.pair?.ratio ?? NaN, "Time over that of the backend it names, where both solved"],
];

function summaryTable(rows, best) {
  const backwards = state.sort.startsWith("-");
  const asked = backwards ? state.sort.slice(1) : state.sort;
  const by = COLUMNS.find(([heading]) => heading === asked);
  const sorted = by ? [...rows].sort((p, q) => compare(by[1](p), by[1](q), backwards)) : rows;
  const base = rows[0]?.pair?.first;
  const words = `× ${base === reference ? backends[base] : "first"}`;
  const heads = COLUMNS.map(([heading, , title]) => {
    const order = heading === asked ? (backwards ? "descending" : "ascending") : null;
    const next = heading !== asked ? heading : backwards ? "" : `-${heading}`;
    const sort = () => update({ sort: next });
    return make("th", { scope: "col", "aria-sort": order },
      make("button", { title, onclick: sort }, heading === RATIO ? words : heading));
  });
  return make("table", { class: "summary" },
    make("thead", {}, make("tr", {}, ...heads)),
    make("tbody", {}, ...sorted.map(summaryRow)),
    rows.length > 1 ? make("tfoot", {}, bestRow(best)) : null);
}

function solvedCell({ solved, cases: all }, ...more) {
  return make("td", { class: "number" }, make("b", {}, solved.toLocaleString("en")),
    make("span", { class: "of" }, ` of ${all.toLocaleString("en")}`), ...more);
}

function bestRow(best) {
  const title = "On each case as good as the best backend there";
  return make("tr", { title },
    make("th", { scope: "row" }, "virtual best"),
    solvedCell(best),
    make("td", { colspan: 3 }),
    make("td", { class: "number" }, seconds(best.par2)),
    make("td", { colspan: 2 }));
}

// Ascending, or descending; what is not known comes last in both.
function compare(a, b, backwards = false) {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
  const order = a < b ? -1 : a > b ? 1 : 0;
  return backwards ? -order : order;
}

function summaryRow(row) {
  const times = [row.median, row.mean, row.maximum, row.par2, row.shifted];
  return make("tr", {
    onpointerenter: () => emphasise(row.backend),
    onpointerleave: () => emphasise(-1),
  },
    make("th", { scope: "row" }, ...key(row.backend)),
    solvedCell(row, ...badges(row.outcomes).flatMap((badge) => [" ", badge])),
    ...times.map((time) => make("td", { class: "number" }, seconds(time))), ratioCell(row.pair));
}

function ratioCell(pair) {
  if (!pair || !Number.isFinite(pair.ratio)) return make("td", { class: "number" }, NOTHING);
  const first = pair.first === pair.second;
  const marks = `${pair.resolved && pair.alone ? " (~)" : ""}${pair.across ? " †" : ""}`;
  return make("td", {
    class: pair.resolved ? "number" : "number below",
    title: pair.resolved ? null : "No more than chance, or less than this run can resolve",
  }, first ? "1×" : times(pair.ratio), first ? null : interval(pair), marks || null);
}

function interval({ low, high }) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return null;
  return make("span", { class: "of" }, ` ${ratio(low)} – ${ratio(high)}`);
}

function pairWords(pair) {
  const [one, other] = [backends[pair.first], backends[pair.second]];
  const counts = [["both solved", pair.both], [`only ${one}`, pair.onlyFirst],
    [`only ${other}`, pair.onlySecond], ["neither", pair.neither]];
  const known = Number.isFinite(pair.ratio);
  const span = interval(pair);
  const words = known ? `${other} over ${one}, geometric mean` : "No case that both solved.";
  const chance = "No more than chance, or less than this run can resolve.";
  return [
    make("p", { class: pair.resolved ? "big" : "big below" }, known ? times(pair.ratio) : NOTHING),
    make("p", {}, words, span && ", 95 %:", span),
    pair.resolved || !known ? null : make("p", { class: "quiet" }, chance),
    make("dl", {}, ...counts.flatMap(([name, count]) =>
      [make("dt", {}, name), make("dd", { class: "number" }, count.toLocaleString("en"))])),
  ].filter(Boolean);
}

const EXTREMES = 4;

// The cases on which each of two backends is ahead of the other by most.
function extremes({ first, second, items }) {
  if (first === second) return [];
  const ahead = (backend, mine, theirs) => {
    const won = items.filter((item) => item[mine] < item[theirs]);
    const factor = (item) => item[theirs] / item[mine];
    won.sort((p, q) => compare(factor(p), factor(q), true));
    const words = (item) => (item[theirs] < Infinity ? times(factor(item)) : "alone");
    const lines = won.slice(0, EXTREMES).map((item) => make("li", {},
      caseButton(item.case), make("span", { class: "of number" }, words(item))));
    return lines.length ? make("div", {},
      make("h3", {}, `${backends[backend]} is furthest ahead`),
      make("ol", { class: "plain" }, ...lines)) : null;
  };
  return [ahead(first, "a", "b"), ahead(second, "b", "a")].filter(Boolean);
}

function table(kind, headings, body) {
  const head = headings.map((text) => (text ? make("th", { scope: "col" }, text) : make("td", {})));
  return make("table", { class: kind },
    make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
}

const MOST_LISTED = 200;

function matrixTable(numbers) {
  const allowed = new Set(numbers);
  const pairs = raw.matrix
    .map(([refuted, by, found]) => [refuted, by, found.filter((number) => allowed.has(number))])
    .filter(([, , found]) => found.length);
  if (!pairs.length) return make("p", { class: "quiet" }, "No backend contradicts another.");
  const inOrder = (names) => {
    const left = new Set(names);
    return [...backends.filter((who) => left.delete(who)), ...[...left].sort()];
  };
  const witnesses = inOrder(pairs.map(([, who]) => who));
  const list = make("div", { class: "chips", "aria-live": "polite" });
  const cellFor = (row, column) => {
    const found = pairs.find(([refuted, by]) => refuted === row && by === column)?.[2] ?? [];
    if (!found.length) return make("td", {}, make("span", { class: "quiet" }, NOTHING));
    const title = `${row} is contradicted by ${column} on ${plural(found.length, "case")}`;
    const show = () => list.replaceChildren(
      make("p", {}, `${title}:`), ...found.slice(0, MOST_LISTED).map(caseButton));
    const named = { class: "count", "aria-label": title, onclick: show };
    return make("td", {}, make("button", named, String(found.length)));
  };
  const body = inOrder(pairs.map(([who]) => who)).map((row) =>
    make("tr", {}, make("th", { scope: "row" }, row),
      ...witnesses.map((column) => cellFor(row, column))));
  const shown = table("matrix", ["refuted ↓ by →", ...witnesses], body);
  return make("div", {}, make("div", { class: "scroll" }, shown), list);
}

function caseButton(number) {
  const open = (event) => openCase(number, event.currentTarget);
  return make("button", { class: "chip", onclick: open }, cases.name[number]);
}

const FIRST_SHOWN = 6;

function disagreementCards(numbers) {
  const allowed = new Set(numbers);
  const found = raw.disagreements.filter(([number]) => allowed.has(number));
  if (!found.length) return make("p", { class: "quiet" }, "None.");
  const card = ([number, who, kind, evidence]) => make("article", { class: "case" },
    make("button", { class: "picture", "aria-label": `Open ${cases.name[number]}`,
      onclick: (event) => openCase(number, event.currentTarget) }, boardSvg(number)),
    make("div", {},
      make("h3", {}, cases.name[number]),
      make("p", {},
        make("span", { class: "badge wrong" }, `≠ ${kind}`), ` ${who.join(" against ")}`),
      make("p", { class: "evidence" }, evidence)));
  const box = make("div", { class: "cards" }, ...found.slice(0, FIRST_SHOWN).map(card));
  if (found.length <= FIRST_SHOWN) return box;
  let shown = FIRST_SHOWN;
  const more = make("button", { class: "more", onclick: () => {
    box.append(...found.slice(shown, shown + 24).map(card));
    shown += 24;
    more.hidden = shown >= found.length;
  } }, `Show more of ${found.length}`);
  return make("div", {}, box, more);
}
