"use strict";

// Searches classic boards by WebAssembly: `await Unidoku.load(UNIDOKU_DATA)`, then `solve(text)`.
// The data are made by `python -m building.wasm`.

class Unidoku {
  static async load(data) {
    const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const { instance } = await WebAssembly.instantiate(bytes(data.search), {});
    return new Unidoku(instance.exports, bytes(data.memory), data);
  }

  constructor(exports, image, data) {
    const missing = data.end - exports.memory.buffer.byteLength;
    if (missing > 0) exports.memory.grow(Math.ceil(missing / 65536));
    new Uint8Array(exports.memory.buffer).set(image, data.base);
    this.search = exports.search;
    this.data = data;
    this.bytes = new Uint8Array(exports.memory.buffer);
    this.numbers = new BigInt64Array(exports.memory.buffer);
    this.registers = data.registers / 8;
    this.cells = Number(this.numbers[this.registers + data.CELLS]);
    this.values = Number(this.numbers[this.registers + data.VALUES]);
  }

  // Returns {count, nodes, solutions, decided} of a board of 81 characters; other characters than
  // digits are empty cells. The search stops after `limit` solutions, or undecided after
  // `nodes` nodes.
  solve(text, { limit = 2, nodes = 1000000 } = {}) {
    const { data, numbers, registers } = this;
    const characters = [...text].filter((character) => !/\s/.test(character));
    if (characters.length !== this.cells)
      throw new RangeError(`expected ${this.cells} cells, got ${characters.length}`);
    const all = (1n << BigInt(this.values)) - 1n;
    characters.forEach((character, cell) => {
      const value = /[1-9]/.test(character) ? BigInt(character) : 0n;
      numbers[data.candidates / 8 + cell] = value ? 1n << (value - 1n) : all;
    });
    numbers.fill(0n, registers + data.LIMIT, registers + data.size);
    const asked = { LIMIT: limit, NODE_LIMIT: nodes, FAILURE_LIMIT: 2 ** 53, TO_KEEP: limit };
    Object.assign(asked, { RUN: 200, LEVEL: -1, UNTIL: 2 ** 40 });
    for (const [name, number] of Object.entries(asked))
      numbers[registers + data[name]] = BigInt(number);
    // The result goes to the first register.
    this.search(data.registers, data.registers + 8, BigInt(data.registers));
    const of = (name) => Number(numbers[registers + data[name]]);
    const solutions = [];
    for (let index = 0; index < of("GRID_COUNT"); index++) {
      const first = of("GRIDS_AT") + index * this.cells;
      solutions.push([...this.bytes.subarray(first, first + this.cells)]);
    }
    const count = of("COUNT");
    return { count, nodes: of("NODES"), solutions, decided: count >= limit || of("NODES") < nodes };
  }
}

if (typeof module !== "undefined") module.exports = { Unidoku };
