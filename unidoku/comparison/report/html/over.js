// Times over a number of the boards: a dot for each case, a line through the means of each backend.

const over = raw.over && Object.fromEntries(
  Object.entries(raw.over.numbers).map(([name, packed]) => [name, column(packed)]));
const overName = () => (over[state.over] ? state.over : raw.over.name);

class Over extends Plot {
  set(chosen, numbers) {
    const values = over[overName()];
    this.lines = chosen.map((backend) => {
      const items = [];
      for (const number of numbers) {
        const cell = cellOf(backend, number);
        const solved = isSolved(cell);
        if (Number.isNaN(values[number]) || cells.outcome[cell] < 0) continue;
        if (!solved && timeLimit === null) continue;
        const time = solved ? Math.exp(logOf(cell)) : 2 * timeLimit;
        items.push({ backend, case: number, value: values[number], time, solved });
      }
      return { backend, items, means: meansOf(items) };
    });
    this.emphasis = -1;
    this.draw();
  }

  paint(width, height) {
    const frame = { left: 64, right: width - 24, top: 22, bottom: height - 48 };
    const { left, right, top, bottom } = frame;
    const items = this.points();
    const values = [...new Set(items.map((item) => item.value))].sort((a, b) => a - b);
    const { low, high, limit } = timeRange(items.map((item) => item.time));
    const reach = limit ? Math.max(high, 2.2 * timeLimit) : high;
    this.across = linearScale(values[0] ?? 0, values.at(-1) ?? 1, left + 24, right - 24);
    this.up = logScale(low, reach, bottom, top);
    this.timeAxis(this.up, frame, false, false);
    let last = -Infinity;
    for (const value of values) {
      const x = this.across(value);
      if (x - last < 30) continue;
      last = x;
      this.label(short(value, 4), x, bottom + 14);
    }
    this.label(overName(), right, bottom + 34, "right");
    if (limit) this.limitLine(this.up, frame, false);
    for (const line of this.lines) this.backend(line);
    this.canvas.setAttribute("aria-label", this.summary());
    this.canvas.dataset.points = items.length;
  }

  backend({ backend, items, means }) {
    const pen = this.begin(backend, 0.15);
    for (const [value, time] of means) pen.lineTo(this.across(value), this.up(time));
    pen.stroke();
    pen.setLineDash([]);
    for (const item of items) [item.x, item.y] = [this.across(item.value), this.up(item.time)];
    const places = (solved) => items.filter((item) => item.solved === solved)
      .map((item) => [item.x, item.y]);
    pen.globalAlpha = this.isFaded(backend) ? 0.1 : 0.65;
    pen.fill(markers(backend, places(true), 3));
    pen.lineWidth = 1;
    pen.stroke(markers(backend, places(false), 3));
    pen.globalAlpha = 1;
  }

  nearest(x, y) {
    return nearestOf(this.lines ? this.points() : [], x, y);
  }

  points() {
    return this.lines.flatMap((line) => line.items);
  }

  describe({ backend, case: number, value, time, solved }) {
    const words = solved ? seconds(time) : "not solved";
    return [backends[backend], `${overName()} ${short(value, 4)}: ${words}`, cases.name[number]];
  }

  summary() {
    return `Time over ${overName()} of ${plural(this.lines.length, "backend")}. `
      + "Arrow keys step through the cases, Enter opens one.";
  }
}

// The geometric mean of the times of each value, by ascending value.
function meansOf(items) {
  const logs = new Map();
  for (const { value, time } of items) {
    if (!logs.has(value)) logs.set(value, []);
    logs.get(value).push(Math.log(time));
  }
  return [...logs].sort(([a], [b]) => a - b).map(([value, found]) => [value, Math.exp(mean(found))]);
}
