// Interactive Sudoku Solver (https://github.com/sigh/Interactive-Sudoku-Solver), for
// benchmarks/beside.py, and as a backend: node iss.mjs FOLDER, where FOLDER is a checkout of it.
//
// Answers the questions of docs/languages.md, a line of JSON each. A puzzle is a constraint string,
// which is the format `iss` of Unidoku.

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
const answer = ({ puzzle, solutions, seconds, repeats }) => {
  if (typeof puzzle !== 'string') throw new Error('it reads the format iss');
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
    const constraint = SudokuBuilder.resolveConstraint(SudokuParser.parseText(puzzle));
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
