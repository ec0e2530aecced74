"use strict";

// The front page's solver: reads the board, writes the answer below it.

const form = document.getElementById("solver");
const board = document.getElementById("solver-board");
const answer = document.getElementById("solver-answer");
const loading = Unidoku.load(UNIDOKU_DATA);

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const solver = await loading;
    const begin = performance.now();
    const { count, nodes, solutions, decided } = solver.solve(board.value);
    const milliseconds = (performance.now() - begin).toFixed(1);
    const words = ["no solution", "exactly 1 solution", "at least 2 solutions"][count];
    const lines = solutions.length
      ? solutions[0].join("").match(/.{9}/g).map((row) => row.match(/.{3}/g).join(" "))
      : [];
    answer.textContent = [
      `${decided ? words : "undecided"}, ${nodes} nodes, ${milliseconds} ms`,
      ...lines,
    ].join("\n");
  } catch (error) {
    answer.textContent = error.message;
  }
});
