// Boards as SVG, drawn as unidoku.draw draws them.

const CELL = 36;
const PAD = 2; // between pencil marks and the sides of a cell
const MARGIN = 3;
const DROP = 0.36; // from the middle of a digit down to its baseline, as a part of its size

// What each cell shows: a list of symbols, null where all values are possible.
function boardCells(number) {
  const layout = layouts[cases.layout[number]];
  const text = cases.board[number];
  const count = layout.areas.length;
  const words = text.length === count ? [...text] : text.split(" ");
  return words.map((word) => {
    if (word === ".") return null;
    if (word === "-") return [];
    if (!layout.symbols) return word.split(",").map(Number);
    return [...word].map((symbol) => layout.symbols.indexOf(symbol) + 1);
  });
}

function boardSvg(number) {
  const layout = layouts[cases.layout[number]];
  const positions = layout.positions
    ?? layout.areas.map((_, cell) => [Math.floor(cell / layout.columns), cell % layout.columns]);
  const shaded = new Set(layout.shade);
  const clashing = new Set(raw.cases.clashes[number] ?? []);
  const width = layout.columns * CELL + 2 * MARGIN;
  const height = layout.rows * CELL + 2 * MARGIN;
  const shown = boardCells(number);
  const givens = shown.filter((values) => values?.length === 1).length;
  const svg = makeSvg("svg", {
    class: "unidoku board", role: "img", viewBox: `0 0 ${width} ${height}`,
    "aria-label": `${layout.label}, ${plural(givens, "given")}`,
  });
  const corner = ([row, right]) => [right * CELL + MARGIN, row * CELL + MARGIN];
  svg.append(makeSvg("rect", { class: "paper", x: 0, y: 0, width, height }));
  positions.forEach((position, cell) => {
    const [x, y] = corner(position);
    const kind = clashing.has(cell) ? "clash" : shaded.has(cell) ? "shade" : "";
    if (kind) svg.append(makeSvg("rect", { class: kind, x, y, width: CELL, height: CELL }));
  });
  svg.append(...boardLines(layout, positions, corner));
  shown.forEach((values, cell) => {
    svg.append(...cellTexts(values, corner(positions[cell]), layout));
  });
  return svg;
}

// Each side of each cell once, thin lines first so that thick ones cover them.
function boardLines(layout, positions, corner) {
  const areaAt = new Map(positions.map((position, cell) => [position.join(), layout.areas[cell]]));
  const sides = new Map();
  positions.forEach(([row, right], cell) => {
    const [x, y] = corner([row, right]);
    const around = [
      [[x, y, x + CELL, y], [row - 1, right]],
      [[x, y + CELL, x + CELL, y + CELL], [row + 1, right]],
      [[x, y, x, y + CELL], [row, right - 1]],
      [[x + CELL, y, x + CELL, y + CELL], [row, right + 1]],
    ];
    for (const [side, beside] of around) {
      sides.set(side.join(), areaAt.get(beside.join()) === layout.areas[cell] ? "thin" : "thick");
    }
  });
  return ["thin", "thick"].map((kind) => {
    const drawn = [...sides].filter(([, found]) => found === kind).map(([side]) => {
      const [x1, y1, x2, y2] = side.split(",");
      return `M${x1} ${y1}` + (y1 === y2 ? `h${x2 - x1}` : `v${y2 - y1}`);
    });
    return makeSvg("path", { class: kind, d: drawn.join("") });
  });
}

function cellTexts(values, [x, y], { n, first_value: first = 1 }) {
  const short = (number) => Math.round(number * 10) / 10;
  const text = (kind, left, top, size, value) => {
    const baseline = short(top + DROP * size);
    const element = makeSvg("text", { class: kind, x: short(left), y: baseline, "font-size": short(size) });
    element.textContent = value + first - 1; // what people see
    return element;
  };
  if (!values) return [];
  if (values.length === 1) return [text("given", x + CELL / 2, y + CELL / 2, 20, values[0])];
  const side = Math.ceil(Math.sqrt(n));
  const step = (CELL - 2 * PAD) / side;
  const size = Math.min(step * 0.92, (step * 1.5) / String(n + first - 1).length, 14);
  return values.map((value) => {
    const down = Math.floor((value - 1) / side);
    const right = (value - 1) % side;
    return text("mark", x + PAD + (right + 0.5) * step, y + PAD + (down + 0.5) * step, size, value);
  });
}
