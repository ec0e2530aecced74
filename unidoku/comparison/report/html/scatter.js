// Two backends, case by case, on logarithmic axes; what was not solved is on rails outside.

const RAIL = 30;

class Scatter extends Plot {
  heightFor(width) {
    return Math.min(width, 580);
  }

  set(first, second, numbers) {
    Object.assign(this, { first, second });
    this.items = [];
    for (const number of numbers) {
      const [a, b] = [cellOf(first, number), cellOf(second, number)];
      if (cells.outcome[a] < 0 || cells.outcome[b] < 0) continue;
      this.items.push({ case: number, a: timeOf(a), b: timeOf(b) });
    }
    this.draw();
  }

  paint(width, height) {
    const frame = { left: 64, right: width - 12 - RAIL, top: 14 + RAIL, bottom: height - 48 };
    const { left, right, top, bottom } = frame;
    const solved = this.items.flatMap(({ a, b }) => [a, b]).filter(Number.isFinite);
    const { low, high } = timeRange(solved);
    this.across = logScale(low, high, left, right);
    this.up = logScale(low, high, bottom, top);
    this.rails(frame);
    this.timeAxis(this.across, frame, true, false);
    this.timeAxis(this.up, frame, false, false);
    this.guides(frame, low, high);
    for (const item of this.items) {
      item.x = item.a < Infinity ? this.across(item.a) : right + RAIL / 2 + 2;
      item.y = item.b < Infinity ? this.up(item.b) : top - RAIL / 2 - 2;
    }
    this.dots();
    this.label(`${backends[this.first]} →`, right, bottom + 34, "right", this.ink.text);
    this.upright(`${backends[this.second]} →`, 12, top, "right", this.ink.text);
    this.canvas.setAttribute("aria-label", this.summary());
    this.canvas.dataset.points = this.items.length;
  }

  rails({ left, right, top, bottom }) {
    this.pen.fillStyle = this.ink.faint;
    this.pen.fillRect(right + 4, top - RAIL - 4, RAIL - 4, bottom - top + RAIL + 4);
    this.pen.fillRect(left, top - RAIL - 4, right - left + 4, RAIL - 4);
    this.label("not solved", left + 8, top - RAIL / 2 - 6, "left");
    this.upright("not solved", right + RAIL / 2 + 2, bottom - 8, "left");
  }

  upright(text, x, y, align, shade) {
    this.pen.save();
    this.pen.translate(x, y);
    this.pen.rotate(-Math.PI / 2);
    this.label(text, 0, 0, align, shade);
    this.pen.restore();
  }

  guides({ left, right, top, bottom }, low, high) {
    this.pen.save();
    this.pen.beginPath();
    this.pen.rect(left, top, right - left, bottom - top);
    this.pen.clip();
    for (const factor of [0.1, 0.5, 1, 2, 10]) {
      const diagonal = factor === 1;
      const shade = diagonal ? this.ink.soft : this.ink.line;
      const dash = diagonal ? [] : [5, 4];
      const ends = [low, high].flatMap((time) => [this.across(time), this.up(time * factor)]);
      this.line(...ends, shade, dash, 1.3);
      if (diagonal) continue;
      const above = factor > 1;
      const x = above ? this.across(high / factor) : right;
      const y = above ? top : this.up(high * factor);
      this.label(`${above ? factor : 1 / factor}×`, x - 6, y + (above ? 9 : -8), "right");
    }
    const [above, below] = this.sides();
    const ink = this.ink.text;
    this.label(`${backends[this.first]} faster: ${above}`, left + 10, top + 14, "left", ink);
    this.label(`${backends[this.second]} faster: ${below}`, right - 10, bottom - 14, "right", ink);
    this.pen.restore();
  }

  sides() {
    const count = (wins) => this.items.filter(wins).length.toLocaleString("en");
    return [count(({ a, b }) => a < b), count(({ a, b }) => a > b)];
  }

  dots() {
    const many = this.items.length > 2000;
    this.pen.globalAlpha = many ? 0.35 : 0.6;
    const groups = [[this.first, ({ a, b }) => a < b], [this.second, ({ a, b }) => a >= b]];
    for (const [backend, wins] of groups) {
      this.pen.fillStyle = colourOf(backend);
      for (const item of this.items) {
        if (!wins(item)) continue;
        if (many) {
          this.pen.fillRect(item.x - 1.5, item.y - 1.5, 3, 3);
          continue;
        }
        // One by one, so that many on a heap are darker than one.
        this.pen.fill(markers(backend, [[item.x, item.y]], 4));
      }
    }
    this.pen.globalAlpha = 1;
  }

  nearest(x, y) {
    return nearestOf(this.items ?? [], x, y);
  }

  points() {
    return [...this.items].sort((p, q) => p.x - q.x);
  }

  describe(item) {
    const time = (backend, value) => {
      const outcome = outcomes[cells.outcome[cellOf(backend, item.case)]];
      const words = value < Infinity ? seconds(value) : OUTCOME_WORDS[outcome][1];
      return `${backends[backend]}: ${words}`;
    };
    return [cases.name[item.case], time(this.first, item.a), time(this.second, item.b)];
  }

  summary() {
    const [above, below] = this.sides();
    const [one, other] = [backends[this.first], backends[this.second]];
    return `Times of ${one} against ${other} on ${plural(this.items.length, "case")}: `
      + `${one} is faster on ${above}, ${other} on ${below}. `
      + "Arrow keys step through the cases, Enter opens one.";
  }
}
