// Interactive Sudoku Solver (https://github.com/sigh/Interactive-Sudoku-Solver), for
// benchmarks/beside.py, and as a backend: node iss.mjs FOLDER, where FOLDER is a checkout of it.
//
// Answers the questions of docs/languages.md, a line of JSON each. A puzzle is a text in the
// solver's own language, or in the neutral form, which is written in that language here, if all its
// rules are known below. Beside the latter there may be a field `iss` with such a text.

import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const folder = process.argv[2];
if (!folder) {
  console.error('expected the folder of a checkout of Interactive-Sudoku-Solver: node iss.mjs FOLDER');
  process.exit(2);
}
globalThis.self ??= globalThis;
globalThis.VERSION_PARAM ??= '';
const load = (file) => import(pathToFileURL(path.resolve(folder, 'js', file)));
const { SudokuParser } = await load('sudoku_parser.js');
const { SudokuBuilder } = await load('solver/sudoku_builder.js');
const { SudokuConstraint } = await load('sudoku_constraint.js');

// ---------------------------------------------------------------- the puzzle in its language

class Unknown extends Error {}

/** What writing a rule needs to know of its puzzle. */
class Frame {
  constructor(puzzle) {
    [this.rows, this.columns] = puzzle.shape;
    [this.low, this.high] = puzzle.values;
    this.n = this.high - this.low + 1;
    this.size = this.rows * this.columns;
    this.hidden = puzzle.hidden ?? 0;
  }

  name(cell) {
    const place = (number) => (number + 1).toString(17);
    if (cell < this.size) {
      return `R${place(Math.floor(cell / this.columns))}C${place(cell % this.columns)}`;
    }
    return this.hidden === 1 ? 'VH' : `VH${cell - this.size + 1}`;
  }

  names(cells) {
    return cells.map((cell) => this.name(cell)).join('~');
  }

  /** Cells that hold one of some values. */
  held(cells, values) {
    return `.~${cells.map((cell) => [this.name(cell), ...values].join('_')).join('~')}`;
  }

  values(fits) {
    return Array.from({ length: this.n }, (_, k) => this.low + k).filter(fits);
  }

  /** Each pair of neighbours in a list of cells fits. */
  pairs(cells, fits) {
    const key = SudokuConstraint.Pair.fnToKey(fits, this.n, this.low - 1);
    return `.Pair~${key}~_~${this.names(cells)}`;
  }

  /** What reads the values of cells in order: a state is any value that JSON has. */
  read(cells, start, step, accepts) {
    const program = {
      startState: { now: start },
      transition: (state, value) => {
        const next = step(state.now, value);
        return next === undefined ? undefined : { now: next };
      },
      accept: (state) => accepts(state.now),
    };
    const encoded = SudokuConstraint.NFA.encodeSpec(program, this.n, { valueOffset: this.low - 1 });
    return `.NFA~${encoded}~_~${this.names(cells)}`;
  }
}

const or = (branches) => `.Or${branches.join('')}.End`;
const and = (parts) => `.And${parts.join('')}.End`;
const each = (items, write) => items.map(write).join('');

/** How rules are written: of the rule and the frame. */
const RULES = {
  killer: (rule, f) => `.Cage~${rule.sum ?? 0}~${f.names(rule.cells)}`,
  sum: (rule, f) => {
    if (rule.op && rule.op !== '==') throw new Unknown(`sum ${rule.op}`);
    const weights = rule.coeffs?.some((weight) => weight !== 1) ? `_=_${rule.coeffs.join('_')}` : '';
    return `.Sum~${rule.sum}${weights}~${f.names(rule.cells)}`;
  },
  little_killer: (rule, f) => `.Sum~${rule.sum}~${f.names(rule.cells)}`,
  arrow: (rule, f) => {
    const cells = [...rule.circle, ...rule.cells];
    if (rule.circle.length === 1) return `.Arrow~${f.names(cells)}`;
    const weights = rule.circle.map((_, place) => -(10 ** (rule.circle.length - 1 - place)));
    return `.Sum~0_=_${[...weights, ...rule.cells.map(() => 1)].join('_')}~${f.names(cells)}`;
  },
  thermo: (rule, f) => `.Thermo~${f.names(rule.cells)}`,
  whisper: (rule, f) => `.Whisper~${rule.difference}~${f.names(rule.cells)}`,
  renban: (rule, f) => `.Renban~${f.names(rule.cells)}`,
  between: (rule, f) => `.Between~${f.names(rule.cells)}`,
  zipper: (rule, f) => `.Zipper~${f.names(rule.cells)}`,
  region_sum_line: (rule, f) => `.EqualSum~${rule.segments.map((cells) => f.names(cells)).join('~-~')}`,
  quadruple: (rule, f) => `.ContainAtLeast~${rule.values.join('_')}~${f.names(rule.cells)}`,
  entropic: (rule, f) => {
    if (f.n !== 9 || f.low !== 1) throw new Unknown('entropic of other values than 1 to 9');
    return `.Entropic~${f.names(rule.cells)}`;
  },
  greater: (rule, f) => f.pairs(rule.cells, (a, b) => a > b),
  difference: (rule, f) => f.pairs(rule.cells, (a, b) => Math.abs(a - b) === rule.value),
  ratio: (rule, f) => f.pairs(rule.cells, (a, b) => a === rule.value * b || b === rule.value * a),
  pair_sum: (rule, f) => `.Sum~${rule.value}~${f.names(rule.cells)}`,
  not_ratio: (rule, f) =>
    each(rule.pairs, (pair) => f.pairs(pair, (a, b) => a !== rule.value * b && b !== rule.value * a)),
  clone: (rule, f) => each(rule.pairs, (pair) => f.pairs(pair, (a, b) => a === b)),
  different_pairs: (rule, f) => each(rule.pairs, (pair) => `.AllDifferent~${f.names(pair)}`),
  relation: (rule, f) => {
    const fit = new Set(rule.table.map(String));
    return each(rule.pairs, (pair) => f.pairs(pair, (a, b) => fit.has(`${a},${b}`)));
  },
  odd: (rule, f) => f.held(rule.cells, f.values((value) => value % 2 === 1)),
  even: (rule, f) => f.held(rule.cells, f.values((value) => value % 2 === 0)),
  minimum: (rule, f) => each(rule.neighbours, (cell) => f.pairs([rule.cell, cell], (a, b) => a < b)),
  maximum: (rule, f) => each(rule.neighbours, (cell) => f.pairs([rule.cell, cell], (a, b) => a > b)),
  x_sum: (rule, f) => {
    const branches = [];
    for (const size of f.values((value) => value >= 1 && value <= rule.cells.length)) {
      const first = f.held(rule.cells.slice(0, 1), [size]);
      const rest = rule.cells.slice(1, size);
      if (rest.length && rule.sum >= size) {
        branches.push(and([first, `.Sum~${rule.sum - size}~${f.names(rest)}`]));
      } else if (!rest.length && rule.sum === size) {
        branches.push(first);
      }
    }
    return or(branches);
  },
  skyscraper: (rule, f) =>
    f.read(
      rule.cells,
      [0, 0],
      ([highest, seen], value) => {
        if (value <= highest) return [highest, seen];
        return seen < rule.value ? [value, seen + 1] : undefined;
      },
      ([, seen]) => seen === rule.value,
    ),
  nonogram_line: (rule, f) =>
    f.read(
      rule.cells,
      [0, 0], // runs that are over, and the length of the one that goes on
      ([run, length], value) => {
        if (value) return length < rule.clue[run] ? [run, length + 1] : undefined;
        if (length === 0) return [run, 0];
        return length === rule.clue[run] ? [run + 1, 0] : undefined;
      },
      ([run, length]) => run + (length && length === rule.clue[run] ? 1 : 0) === rule.clue.length
        && (length === 0 || length === rule.clue[run]),
    ),
  no_three_equal: (rule, f) =>
    f.read(
      rule.cells,
      [-1, 0],
      ([last, times], value) => {
        if (value !== last) return [value, 1];
        return times < 2 ? [value, times + 1] : undefined;
      },
      () => true,
    ),
  lines_differ: (rule, f) => {
    const written = [];
    for (const [number, one] of rule.lines.entries()) {
      for (const other of rule.lines.slice(0, number)) {
        written.push(or(one.map((cell, place) => f.pairs([cell, other[place]], (a, b) => a !== b))));
      }
    }
    return written.join('');
  },
  cage_op: (rule, f) => {
    const { cells, target } = rule;
    if (cells.length === 1) return f.held(cells, [target]);
    switch (rule.op) {
      case '+':
      case '=':
        return `.Sum~${target}~${f.names(cells)}`;
      case '-':
        return f.pairs(cells, (a, b) => Math.abs(a - b) === target);
      case '/':
        return f.pairs(cells, (a, b) => a === target * b || b === target * a);
      default:
        return f.read(
          cells,
          1,
          (product, value) => (target % (product * value) === 0 ? product * value : undefined),
          (product) => product === target,
        );
    }
  },
};

/** Writes the units: boxes by a map of regions, all others but rows and columns as they are. */
const unitsOf = (puzzle, f) => {
  const key = (cells) => [...cells].sort((a, b) => a - b).join();
  const units = new Map(puzzle.units.map((cells) => [key(cells), cells]));
  const line = (length, cell) => Array.from({ length }, (_, place) => cell(place));
  const lines = [
    ...line(f.rows, (row) => line(f.columns, (column) => row * f.columns + column)),
    ...line(f.columns, (column) => line(f.rows, (row) => row * f.columns + column)),
  ].map(key);
  const isLatin = f.n >= Math.max(f.rows, f.columns) && lines.every((name) => units.has(name));
  const values = f.low === 0 ? `0-${f.high}` : f.n;
  const written = [`.Shape~${f.rows}x${f.columns}~${values}${isLatin ? '' : '~Raw'}`];
  if (f.hidden) written.push(`.Var~H~H~${f.hidden}`);
  if (isLatin) {
    for (const name of lines) units.delete(name);
    written.push('.NoBoxes');
    const regions = puzzle.regions ?? [];
    const areUnits = regions.every((cells) => cells.length === f.n && units.has(key(cells)));
    if (regions.length && areUnits && regions.flat().length === f.size) {
      const map = new Array(f.size);
      for (const [number, cells] of regions.entries()) {
        for (const cell of cells) map[cell] = (number + 10).toString(36).toUpperCase();
        units.delete(key(cells));
      }
      written.push(`.Jigsaw~${map.join('')}`);
    }
  }
  for (const cells of units.values()) {
    if (cells.length > 1) written.push(`.AllDifferent~${f.names(cells)}`);
  }
  return written.join('');
};

const written = (puzzle) => {
  const f = new Frame(puzzle);
  if (f.low !== 0 && f.low !== 1) throw new Unknown(`values from ${f.low}`);
  const parts = [unitsOf(puzzle, f)];
  for (const [cell, symbol] of [...(puzzle.givens ?? '')].entries()) {
    const value = typeof symbol === 'number' ? symbol : parseInt(symbol, 36);
    if (!Number.isNaN(value) && symbol !== null) parts.push(f.held([cell], [value]));
  }
  for (const [cell, values] of Object.entries(puzzle.candidates ?? {})) {
    parts.push(f.held([Number(cell)], values));
  }
  if (puzzle.blocked?.length) parts.push(f.held(puzzle.blocked, [f.low]));
  for (const rule of puzzle.rules ?? []) {
    if (!RULES[rule.kind]) throw new Unknown(`rule ${rule.kind}`);
    parts.push(RULES[rule.kind](rule, f));
  }
  return parts.join('');
};

// ---------------------------------------------------------------- questions and answers

const LATE = new Error('the time is over');

/** Searches what is built; returns what was found and the seconds. */
const searched = (solver, solutions, seconds) => {
  const begun = performance.now();
  solver.setProgressCallback(() => {
    if (performance.now() - begun > 1000 * (seconds ?? Infinity)) throw LATE;
  }, 10);
  const search = solver._internalSolver;
  let decided = true;
  try {
    search.reset();
    search.run({ maxSolutions: solutions ?? Infinity }, () => {});
  } catch (error) {
    if (error !== LATE) throw error;
    decided = false;
  }
  const { solutions: count, nodesSearched: nodes } = search.counters;
  return { count, decided, nodes, seconds: (performance.now() - begun) / 1000 };
};

/** Builds and searches several times; a search that is repeated must find what the first found. */
const answer = ({ puzzle, also, solutions, seconds, repeats }) => {
  const text = also?.iss ?? (typeof puzzle === 'string' ? puzzle : written(puzzle));
  const build = [];
  const search = [];
  let first;
  let spent = 0;
  const look = (solver) => {
    const found = searched(solver, solutions, seconds);
    first ??= found;
    spent += found.seconds;
    if (found.count === first.count && found.nodes === first.nodes) search.push(found.seconds);
  };
  while (build.length < repeats) {
    const constraint = SudokuBuilder.resolveConstraint(SudokuParser.parseText(text));
    const begun = performance.now();
    const solver = SudokuBuilder.build(constraint);
    build.push((performance.now() - begun) / 1000);
    // Some handlers keep a state that another search of the same solver should not find.
    for (let time = 0; time < Math.min(2, repeats) && spent < (seconds ?? Infinity); time += 1) {
      look(solver);
    }
  }
  const { count, decided, nodes } = first;
  return { count, decided, nodes, build, search };
};

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

say({ ready: `Interactive Sudoku Solver in node ${process.versions.node}` });
for await (const line of readline.createInterface({ input: process.stdin })) {
  try {
    say(answer(JSON.parse(line)));
  } catch (error) {
    say({ refused: error.message || String(error) });
  }
}
