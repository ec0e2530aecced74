// The figures of a view: the definitions of unidoku.comparison.statistics, on the cases chosen.

const sum = (values) => values.reduce((total, value) => total + value, 0);
const mean = (values) => sum(values) / values.length;
const maximum = (values) => (values.length ? values.reduce((a, b) => Math.max(a, b)) : NaN);

function summaryOf(backend, numbers) {
  const counted = [];
  const byOutcome = new Map();
  let spent = 0;
  let ran = 0;
  for (const number of numbers) {
    const cell = cellOf(backend, number);
    const outcome = cells.outcome[cell];
    if (outcome < 0) continue;
    ran++;
    byOutcome.set(outcome, (byOutcome.get(outcome) ?? 0) + 1);
    if (COUNTED.has(outcome)) counted.push(cells.wall[cell]);
    if (outcome === SOLVED) spent += cells.wall[cell];
  }
  const logs = counted.map((value) => Math.log(value + raw.shift));
  const solved = byOutcome.get(SOLVED) ?? 0;
  const penalty = 2 * (timeLimit ?? NaN) * (ran - solved);
  return {
    backend, cases: ran, outcomes: byOutcome, solved, spent,
    median: median(counted), mean: mean(counted), maximum: maximum(counted),
    par2: (spent + penalty) / ran, shifted: Math.exp(mean(logs)) - raw.shift,
  };
}

const REFUTED = ["wrong", "refuted"].map((name) => outcomes.indexOf(name));

// Ranked: those without a refuted answer first, then most solved, then least time on them; each
// with its ratio to the first. The twin stands right below the backend that it is.
function summaries(chosen, numbers) {
  const rows = chosen.map((backend) => summaryOf(backend, numbers));
  for (const row of rows) row.refuted = REFUTED.some((code) => row.outcomes.has(code));
  rows.sort((p, q) => p.refuted - q.refuted || q.solved - p.solved || p.spent - q.spent
    || (backends[p.backend] < backends[q.backend] ? -1 : 1));
  const itself = rows.findIndex((row) => row.backend === twin);
  if (itself >= 0) {
    const [row] = rows.splice(itself, 1);
    const below = rows.findIndex((other) => other.backend === twinOf);
    rows.splice(below < 0 ? rows.length : below + 1, 0, row);
  }
  const base = chosen.includes(reference) ? reference
    : rows.find((row) => !row.refuted)?.backend;
  for (const row of rows) {
    row.pair = base === undefined ? null : pairOf(base, row.backend, numbers);
  }
  return rows;
}

// A backend that is on each case as good as the best there.
function virtualBest(chosen, numbers) {
  const times = [];
  for (const number of numbers) {
    const found = chosen.map((backend) => cellOf(backend, number)).filter(isSolved);
    if (found.length) times.push(Math.min(...found.map((cell) => cells.wall[cell])));
  }
  const missing = numbers.length - times.length;
  const penalty = missing && 2 * missing * (timeLimit ?? NaN);
  const par2 = (sum(times) + penalty) / numbers.length;
  return { solved: times.length, cases: numbers.length, par2 };
}

// What took no tick of the clock took less than one.
const logOf = (cell) => Math.log(Math.max(cells.wall[cell], 1e-9));

function pairOf(first, second, numbers) {
  const logs = [];
  const pair = { first, second, onlyFirst: 0, onlySecond: 0, neither: 0 };
  for (const number of numbers) {
    const [a, b] = [cellOf(first, number), cellOf(second, number)];
    if (cells.outcome[a] < 0 || cells.outcome[b] < 0) continue;
    const [solvedA, solvedB] = [isSolved(a), isSolved(b)];
    if (solvedA && solvedB) {
      logs.push(logOf(b) - logOf(a));
      if (cells.machines[a] !== cells.machines[b]) pair.across = true;
    } else if (solvedA) pair.onlyFirst++;
    else if (solvedB) pair.onlySecond++;
    else pair.neither++;
  }
  const centre = mean(logs);
  pair.both = logs.length;
  pair.ratio = Math.exp(centre);
  const known = isFiltered() ? null
    : raw.pairs.find(([a, b]) => a === backends[first] && b === backends[second]);
  if (known) {
    [pair.low, pair.high] = known[2].slice(1).map((value) => value ?? NaN);
    pair.alone = !known[3];
  } else if (logs.length > 2) {
    const variance = sum(logs.map((value) => (value - centre) ** 2)) / (logs.length - 1);
    const half = student(logs.length - 1) * Math.sqrt(variance / logs.length);
    [pair.low, pair.high] = [Math.exp(centre - half), Math.exp(centre + half)];
  }
  pair.resolved = first === second || isResolved(pair);
  return pair;
}

// Whether a ratio is more than chance, than this run can resolve, and than is worth a word.
function isResolved({ ratio, low, high }) {
  const different = low > 1 || high < 1;
  const percent = 100 * (Math.max(ratio, 1 / ratio) - 1);
  return different && percent >= Math.max(raw.least, raw.resolution ?? 0);
}

// The 97.5 % point of Student's t, by the expansion of Abramowitz and Stegun, 26.7.5.
function student(freedom) {
  if (freedom < 5) return [NaN, 12.706, 4.3027, 3.1824, 2.7764][freedom];
  const z = 1.959964;
  const second = 5 * z ** 5 + 16 * z ** 3 + 3 * z;
  return z + (z ** 3 + z) / (4 * freedom) + second / (96 * freedom ** 2);
}

const intervalMethod = () => (isFiltered()
  ? "Intervals of a selection are Student's t over the logarithms of the cases' ratios." : "");
