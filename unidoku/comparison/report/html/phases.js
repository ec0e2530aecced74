// Where the time goes, and what a board costs once the one-off cost is spread over many.

const BOARDS = [1, 2, 5].flatMap((digit) => [0, 1, 2, 3, 4, 5].map((power) => digit * 10 ** power))
  .concat(1e6).sort((a, b) => a - b);

function phasesOf(backend, numbers) {
  const solved = numbers.map((number) => cellOf(backend, number)).filter(isSolved);
  const there = (value) => !Number.isNaN(value);
  const over = (name) => median(solved.map((cell) => cells[name][cell]).filter(there));
  const phases = Object.fromEntries(PHASES.map((name) => [name, over(name)]));
  return { backend, ...phases, oneOff: Math.max(0, over("oneOff") || 0), solved: solved.length };
}

// The cheapest first; a board costs the mean over the cases that all solved, so that nobody
// gains by leaving hard ones out, and its share of the one-off. Boards whose time includes what
// their layout costs are left out.
function phaseRows(chosen, numbers, boards) {
  const rows = chosen.filter((backend) => backend !== twin || chosen.length === 1)
    .map((backend) => phasesOf(backend, numbers)).filter((row) => row.solved);
  const shared = numbers.filter((number) =>
    rows.every(({ backend }) => isSolved(cellOf(backend, number))
      && !cells.whole[cellOf(backend, number)]));
  for (const row of rows) {
    row.share = row.oneOff / boards;
    row.cost = mean(shared.map((number) => cells.wall[cellOf(row.backend, number)])) + row.share;
  }
  return rows.sort((p, q) => compare(p.cost, q.cost));
}

function phaseTable(rows) {
  if (!rows.length) return make("p", { class: "quiet" }, "Nothing was solved.");
  const costs = rows.map((row) => row.cost);
  if (Number.isNaN(costs[0])) costs.fill(1); // no case that all solved: no ranks, but phases
  const low = floorNice(Math.min(...costs)) / 2;
  const high = Math.max(...costs) * 1.05;
  const along = (value) => (100 * Math.log(value / low)) / Math.log(high / low);
  const track = (row) =>
    `width: ${along(row.cost) || 0}%; background: var(--b${row.backend % COLOURS})`;
  const body = rows.map((row, rank) => make("tr", {},
    make("td", { class: "rank" }, String(rank + 1)),
    make("th", { scope: "row" }, ...key(row.backend)),
    make("td", { class: "number" }, make("b", {}, seconds(row.cost))),
    make("td", { class: "track" }, make("div", { style: track(row) })),
    make("td", { class: "number" }, seconds(row.oneOff)),
    make("td", { class: "wide" }, shareBar(row))));
  const headings = ["", "backend", "a board", "", "one-off", "where the time goes"];
  return table("phases", headings, body);
}

function shareBar(row) {
  const parts = [["one-off", row.share], ...PHASES.map((name) => [name, row[name]])];
  const words = parts.map(([name, value]) => `${name} ${seconds(value)}`).join(", ");
  return make("div", { class: "shares", role: "img", "aria-label": words, title: words },
    ...shares(parts));
}

function shares(parts) {
  const whole = sum(parts.map(([, value]) => value || 0)) || 1;
  return parts.map(([name, value]) =>
    make("i", { class: name, style: `width: ${(100 * (value || 0)) / whole}%` }));
}

// Symmetry spread: how far the times of the symmetric images of a board lie apart.
function spreadOf(backend, numbers) {
  const lows = [];
  const highs = [];
  for (const number of numbers) {
    const logs = imageTimes(cellOf(backend, number)).map(Math.log);
    if (logs.length < 2) continue;
    const middle = median(logs);
    lows.push(Math.min(...logs) - middle);
    highs.push(Math.max(...logs) - middle);
  }
  if (!lows.length) return null;
  return { backend, low: Math.exp(mean(lows)), high: Math.exp(mean(highs)), cases: lows.length };
}

function imageTimes(cell) {
  const found = [];
  let anySolved = false;
  const end = cells.first[cell] + cells.rows[cell];
  for (let row = cells.first[cell]; row < end;) {
    const image = runs.image[row];
    const walls = [];
    let worst = SOLVED;
    for (; row < end && runs.image[row] === image; row++) {
      walls.push(Math.max(runs.wall[row], 1e-9));
      if (badness[runs.outcome[row]] > badness[worst]) worst = runs.outcome[row];
    }
    if (COUNTED.has(worst)) found.push(median(walls));
    anySolved ||= worst === SOLVED;
  }
  return anySolved ? found : [];
}

function spreadTable(chosen, numbers) {
  const rows = chosen.map((backend) => spreadOf(backend, numbers)).filter(Boolean);
  if (!rows.length) return make("p", { class: "quiet" }, "No symmetric images were solved here.");
  const reach = Math.max(...rows.map((row) => Math.max(row.high, 1 / row.low))) * 1.1;
  const along = (value) => 50 + (50 * Math.log(value)) / Math.log(reach);
  const bar = ({ backend, low, high }) =>
    `left: ${along(low)}%; right: ${100 - along(high)}%; background: var(--b${backend % COLOURS})`;
  const body = rows.map((row) => make("tr", {},
    make("th", { scope: "row" }, ...key(row.backend)),
    make("td", { class: "number" }, times(row.low)),
    make("td", { class: "wide spread" }, make("div", { style: bar(row) })),
    make("td", { class: "number" }, times(row.high)),
    make("td", { class: "number of" }, plural(row.cases, "case"))));
  return table("spreads", ["backend", "fastest", "of the median", "slowest", ""], body);
}
