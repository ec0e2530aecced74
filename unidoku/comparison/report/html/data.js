// The data of the page, decoded once: typed columns of runs, and one cell a backend and case.

const raw = JSON.parse(document.getElementById("data").textContent);
const ARRAYS = {
  u1: Uint8Array, i1: Int8Array, u2: Uint16Array, i2: Int16Array, u4: Uint32Array, i4: Int32Array,
  f4: Float32Array, f8: Float64Array,
};

function column({ type, data, value, length }) {
  if (type === "same") return new Float64Array(length).fill(value);
  const characters = atob(data);
  const bytes = new Uint8Array(characters.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = characters.charCodeAt(k);
  return new ARRAYS[type](bytes.buffer);
}

const { backends, outcomes, timeLimit } = raw;
const SOLVED = outcomes.indexOf("solved");
const FIRST = raw.measures.indexOf("first"); // times that include what a layout costs
const [twinOf, twin] = raw.twin ? raw.twin.map((label) => backends.indexOf(label)) : [-1, -1];
const reference = backends.indexOf(raw.reference); // of ratios; -1 for the first row
const { length, ...packedRuns } = raw.runs;
const runs = { length };
for (const [name, packed] of Object.entries(packedRuns)) runs[name] = column(packed);

const { layouts, sources } = raw.cases;
const cases = {
  ...raw.cases, layout: column(raw.cases.layout), source: column(raw.cases.source),
};

function median(values) {
  if (!values.length) return NaN;
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// The worst of a cell's rounds is its outcome: the later in this order, the worse.
const WORSE = [
  "solved", "late", "unknown", "timeout", "memory", "unsupported", "crashed", "failed", "refuted",
  "wrong",
].map((name) => outcomes.indexOf(name));
const badness = new Uint8Array(outcomes.length);
WORSE.forEach((code, index) => { badness[code] = index; });
const COUNTED = new Set(WORSE.slice(0, 5)); // those whose time counts

const PHASES = ["init", "solve", "decode"];

// Cells: backend * cases.length + case. NaN and -1 where there is no run.
const size = backends.length * cases.length;
const cells = {
  first: new Int32Array(size).fill(-1), // the first row of its runs
  rows: new Int32Array(size), // how many, those of images too
  rounds: new Int32Array(size), // how many of these are of the board itself; they come first
  outcome: new Int8Array(size).fill(-1),
  wall: new Float64Array(size).fill(NaN), // NaN too where the time says nothing of solving
  init: new Float64Array(size).fill(NaN),
  solve: new Float64Array(size).fill(NaN),
  decode: new Float64Array(size).fill(NaN),
  oneOff: new Float64Array(size).fill(NaN), // what the first search of the layout took beyond
  machines: new Array(size).fill(""), // their shares of the rounds, if there are several
  whole: new Uint8Array(size), // whether its time includes what the layout costs
};

const cellOf = (backend, number) => backend * cases.length + number;
const cellOfRun = (row) => cellOf(runs.backend[row], runs.case[row]);

// The share of each machine in the rounds of a cell, as text: equal texts are equal shares.
function sharesOf(machines) {
  const counts = [];
  for (const machine of machines) counts[machine] = (counts[machine] ?? 0) + 1;
  const divisor = (a, b) => (b ? divisor(b, a % b) : a);
  const common = counts.reduce((a, b) => divisor(a, b), 0);
  return Array.from(counts, (count) => (count ?? 0) / common).join();
}

function fillCells() {
  const { wall, init, solve } = runs;
  const [wallOf, initOf, solveOf] = [wall, init, solve].map((values) => (row) => values[row]);
  const decode = (row) => Math.max(0, wall[row] - init[row] - solve[row]);
  // One and two rounds are the most common, and need no array: a hundred thousand runs count.
  const over = (from, count, figure) => {
    if (count === 1) return figure(from);
    if (count === 2) return (figure(from) + figure(from + 1)) / 2;
    return median(Array.from({ length: count }, (_, k) => figure(from + k)));
  };
  const several = runs.machine.some((machine) => machine !== 0);
  let start = 0;
  while (start < runs.length) {
    const cell = cellOfRun(start);
    let end = start;
    let rounds = 0;
    let worst = runs.outcome[start];
    for (; end < runs.length && cellOfRun(end) === cell; end++) {
      if (runs.image[end] !== 0) continue;
      rounds++;
      if (badness[runs.outcome[end]] > badness[worst]) worst = runs.outcome[end];
    }
    cells.first[cell] = start;
    cells.whole[cell] = runs.measure[start] === FIRST ? 1 : 0;
    cells.rows[cell] = end - start;
    cells.rounds[cell] = rounds;
    if (rounds) cells.outcome[cell] = worst;
    if (several) cells.machines[cell] = sharesOf(runs.machine.subarray(start, start + rounds));
    if (rounds && COUNTED.has(worst)) {
      cells.wall[cell] = over(start, rounds, wallOf);
      cells.init[cell] = over(start, rounds, initOf);
      cells.solve[cell] = over(start, rounds, solveOf);
      cells.decode[cell] = over(start, rounds, decode);
    }
    start = end;
  }
  const firsts = new Map();
  runs.firstAt.forEach((row, k) => {
    const cell = cellOfRun(row);
    if (runs.measure[row] === FIRST) return; // it is part of the time
    if (runs.image[row] === 0 && COUNTED.has(cells.outcome[cell])) {
      // The first search was of the board that came before, or by older versions of this one.
      const other = runs.warm[row] < 0 ? cell : cellOf(runs.backend[row], runs.warm[row]);
      if (!firsts.has(cell)) firsts.set(cell, []);
      firsts.get(cell).push(runs.first[k] - cells.wall[other]);
    }
  });
  for (const [cell, values] of firsts) {
    cells.oneOff[cell] = median(values.filter((value) => !Number.isNaN(value)));
  }
}

const isSolved = (cell) => cells.outcome[cell] === SOLVED;
const timeOf = (cell) => (isSolved(cell) ? cells.wall[cell] : Infinity);
const peakOf = (cell) => {
  const first = cells.first[cell];
  return 1024 * Math.max(0, ...runs.peak.subarray(first, first + cells.rounds[cell]));
};
fillCells();
