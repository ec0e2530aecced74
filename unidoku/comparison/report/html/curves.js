// The CDF (part of all cases solved within a time) and its transpose, the cactus plot.

class Curves extends Plot {
  set(chosen, numbers) {
    this.total = numbers.length;
    this.lines = chosen.map((backend) => {
      const order = numbers.filter((number) => isSolved(cellOf(backend, number)));
      const walls = cells.wall.subarray(cellOf(backend, 0), cellOf(backend + 1, 0));
      order.sort((a, b) => walls[a] - walls[b]);
      const ran = numbers.filter((number) => cells.outcome[cellOf(backend, number)] >= 0).length;
      return { backend, order, ran, times: Float64Array.from(order, (number) => walls[number]) };
    });
    this.emphasis = -1;
    this.draw();
  }

  paint(width, height) {
    const cactus = state.plot === "cactus";
    const named = width > 760 ? Math.min(160, this.widestName() + 30) : 16;
    const frame = { left: cactus ? 64 : 52, right: width - named, top: 32, bottom: height - 44 };
    const { left, right, top, bottom } = frame;
    const ends = this.lines.filter((curve) => curve.times.length)
      .flatMap(({ times: t }) => [t[0], t[t.length - 1]]);
    const range = timeRange(ends);
    this.edge = range.limit ? timeLimit : range.high;
    const [across, up] = [[left, right], [bottom, top]];
    this.time = logScale(range.low, range.high, ...(cactus ? up : across));
    this.part = cactus ? linearScale(0, Math.max(1, this.total), ...across)
      : linearScale(0, 1, ...up);
    this.cactus = cactus;
    this.timeAxis(this.time, frame, !cactus);
    this.partAxis(frame);
    if (range.limit) this.limitLine(this.time, frame, !cactus);
    else if (timeLimit !== null && !cactus) {
      this.label(`time limit ${seconds(timeLimit)} →`, right, top - 10, "right");
    }
    for (const curve of this.lines) this.curve(curve, frame);
    if (named > 16) this.names(frame);
    this.canvas.setAttribute("aria-label", this.summary());
    this.canvas.dataset.curves = this.lines.length;
    this.canvas.dataset.points = this.lines.reduce((sum, curve) => sum + curve.times.length, 0);
  }

  partAxis({ left, right, top, bottom }) {
    if (this.cactus) {
      const step = Math.max(1, ceilNice((this.total || 1) / Math.max(3, (right - left) / 110)));
      for (let count = 0; count <= this.total; count += step) {
        const x = Math.round(this.part(count)) + 0.5;
        this.line(x, top, x, bottom, this.ink.faint);
        this.label(count.toLocaleString("en"), x, bottom + 14);
      }
      this.label("cases solved", right, bottom + 34, "right");
      this.label("time a case", left - 56, top - 18, "left");
      return;
    }
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
      const y = Math.round(this.part(part)) + 0.5;
      this.line(left, y, right, y);
      this.label(`${100 * part} %`, left - 8, y, "right");
    }
    this.label("time a case", right, bottom + 34, "right");
    this.label("solved", left - 44, top - 18, "left");
  }

  widestName() {
    const widths = this.lines.map(({ backend }) => this.pen.measureText(backends[backend]).width);
    return Math.max(...widths);
  }

  // The backends' names beside the ends of their curves, moved apart where they would overlap.
  names({ right, top, bottom }) {
    const ends = this.lines.filter((curve) => curve.times.length).map((curve) => {
      const [x, y] = this.place(curve, curve.times.length - 1);
      return { curve, x, y, at: y };
    });
    ends.sort((p, q) => p.y - q.y || this.cactus * (q.x - p.x) || p.x - q.x);
    const gap = Math.min(15, (bottom - top) / Math.max(1, ends.length - 1));
    ends.forEach((end, k) => {
      if (k) end.at = Math.max(end.at, ends[k - 1].at + gap);
    });
    ends.reverse().forEach((end, k) => {
      end.at = Math.min(end.at, k ? ends[k - 1].at - gap : bottom);
    });
    for (const { curve, x, y, at } of ends) {
      this.pen.globalAlpha = this.isFaded(curve.backend) ? 0.25 : 1;
      this.line(this.cactus ? x : right - 2, y, right + 8, at, this.ink.line);
      this.pen.fillStyle = colourOf(curve.backend);
      this.pen.fill(markers(curve.backend, [[right + 14, at]], 3.2));
      this.label(fitted(backends[curve.backend], 20), right + 23, at, "left", this.ink.text);
    }
    this.pen.globalAlpha = 1;
  }

  place(curve, k) {
    const along = this.time(curve.times[k]);
    const part = this.part(this.cactus ? k + 1 : (k + 1) / curve.ran);
    return this.cactus ? [part, along] : [along, part];
  }

  curve(curve, { left, bottom }) {
    const count = curve.times.length;
    if (!count) return;
    const pen = this.begin(curve.backend, 0.18);
    let [lastX, lastY] = this.place(curve, 0);
    pen.moveTo(this.cactus ? left : lastX, this.cactus ? lastY : bottom);
    pen.lineTo(lastX, lastY);
    for (let k = 1; k < count; k++) {
      const [x, y] = this.place(curve, k);
      // Steps finer than half a pixel are not seen; skipping them makes large plots fast.
      if (Math.abs(x - lastX) + Math.abs(y - lastY) < 0.6 && k < count - 1) continue;
      pen.lineTo(x, this.cactus ? y : lastY);
      pen.lineTo(x, y);
      [lastX, lastY] = [x, y];
    }
    if (!this.cactus) {
      pen.lineTo(Math.max(lastX, this.time(this.edge)), lastY); // nothing more was solved
    }
    pen.stroke();
    pen.setLineDash([]);
    const marks = Array.from({ length: count <= 40 ? count : 9 }, (_, mark) =>
      (count <= 40 ? mark : Math.round(((mark + 0.5) / 9) * (count - 1))));
    const places = marks.map((k) => this.place(curve, k));
    pen.fill(markers(curve.backend, places, count <= 40 ? 3.2 : 4));
    pen.globalAlpha = 1;
  }

  nearest(x, y) {
    let best = null;
    let least = 24 ** 2;
    for (const curve of this.lines ?? []) {
      const count = curve.times.length;
      const time = this.time.invert(this.cactus ? y : x);
      const asked = this.cactus ? this.part.invert(x) : this.part.invert(y) * curve.ran;
      const part = Math.round(asked) - 1;
      const found = lowerBound(curve.times, time);
      for (const k of [found - 1, found, part - 1, part, part + 1]) {
        if (k < 0 || k >= count) continue;
        const [px, py] = this.place(curve, k);
        const far = (px - x) ** 2 + (py - y) ** 2;
        if (far < least) [least, best] = [far, this.point(curve, k)];
      }
    }
    return best;
  }

  point(curve, k) {
    const [x, y] = this.place(curve, k);
    return { x, y, k, curve, case: curve.order[k] };
  }

  points() {
    return this.lines.flatMap((curve) => Array.from(curve.order, (_, k) => this.point(curve, k)));
  }

  describe({ curve, k }) {
    const part = percent((100 * (k + 1)) / curve.ran);
    return [
      backends[curve.backend],
      `${part} (${k + 1} of ${curve.ran}) within ${seconds(curve.times[k])}`,
      cases.name[curve.order[k]],
    ];
  }

  summary() {
    const parts = this.lines.map(({ backend, ran, times: t }) => {
      const last = t.length ? `, the slowest in ${seconds(t[t.length - 1])}` : "";
      return `${backends[backend]}: ${t.length} of ${ran} solved${last}`;
    });
    const kind = this.cactus ? "Cactus plot" : "Cumulative distribution";
    return `${kind} of the times. ${parts.join("; ")}. `
      + "Arrow keys step through the cases, Enter opens one.";
  }
}

const fitted = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function lowerBound(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
