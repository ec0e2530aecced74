// What all plots share: colours, scales, axes, and points that mouse and keys can pick.
// They are drawn on canvas, which takes a hundred thousand points without a pause.

// Markers of radius 1, as paths of SVG.
const SHAPES = [
  "M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z", // circle
  "M-.9 -.9h1.8v1.8h-1.8Z", // square
  "M0 -1.2L1.1 1L-1.1 1Z", // triangle
  "M0 -1.3L1.3 0L0 1.3L-1.3 0Z", // diamond
  "M0 1.2L1.1 -1L-1.1 -1Z", // triangle, pointing down
  "M-1.4 -.45h2.8v.9h-2.8ZM-.45 -1.4h.9v2.8h-.9Z", // plus
];
const DASHES = [[], [7, 4], [2, 3]];
const COLOURS = 6;

// Colour, dash and marker of a backend: by its place in the plan, so filters do not change it.
const shapeOf = (backend) => SHAPES[(backend + Math.floor(backend / COLOURS)) % COLOURS];
const dashOf = (backend) => DASHES[Math.floor(backend / COLOURS) % DASHES.length];

// A path with the backend's marker, of a radius, at each of some points.
function markers(backend, points, radius) {
  const shape = new Path2D(shapeOf(backend));
  const path = new Path2D();
  for (const [x, y] of points) path.addPath(shape, new DOMMatrix([radius, 0, 0, radius, x, y]));
  return path;
}

function colour(name) {
  // A probe, because a custom property itself is not resolved for the theme.
  const probe = $("#probe");
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}
const colourOf = (backend) => colour(`b${backend % COLOURS}`);

function swatch(backend) {
  const style = `color: var(--b${backend % COLOURS})`;
  const dash = dashOf(backend).map((length) => length * 0.7).join(" ");
  const frame = { class: "swatch", viewBox: "0 0 26 12", style, "aria-hidden": "true" };
  const stroke = { stroke: "currentColor", "stroke-width": 2, "stroke-dasharray": dash };
  const marker = { transform: "translate(13 6) scale(3.6)", fill: "currentColor" };
  return makeSvg("svg", frame, makeSvg("path", { d: "M1 6H25", ...stroke }),
    makeSvg("path", { d: shapeOf(backend), ...marker }));
}

// How a backend stands in a table: its swatch and its label.
const key = (backend) => [swatch(backend), backends[backend]];

function logScale(low, high, from, to) {
  const start = Math.log(low);
  const slope = (to - from) / (Math.log(high) - start);
  const scale = (value) => from + (Math.log(value) - start) * slope;
  scale.invert = (place) => Math.exp((place - from) / slope + start);
  scale.ticks = [];
  const narrow = high / low < 30;
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high) + 1e-9; power++) {
    for (let digit = 1; digit < 10; digit++) {
      const value = digit * 10 ** power;
      const labelled = digit === 1 || (narrow && (digit === 2 || digit === 5));
      if (value >= low * 0.999 && value <= high * 1.001) scale.ticks.push({ value, labelled });
    }
  }
  return scale;
}

function linearScale(low, high, from, to) {
  const slope = (to - from) / (high - low || 1);
  const scale = (value) => from + (value - low) * slope;
  scale.invert = (place) => low + (place - from) / slope;
  return scale;
}

const powerBelow = (value) => 10 ** Math.floor(Math.log10(value));
const niceNear = (value) => [1, 2, 5, 10].map((digit) => digit * powerBelow(value));
const floorNice = (value) => niceNear(value).findLast((nice) => nice <= value * 1.0001);
const ceilNice = (value) => niceNear(value).find((nice) => nice >= value * 0.9999);

// The range of the times shown. A limit that nobody came near would leave the plot empty.
function timeRange(values) {
  let low = Infinity;
  let high = 0;
  for (const value of values) {
    if (value > 0 && value < low) low = value;
    if (value > high) high = value;
  }
  if (!high) [low, high] = [1e-3, timeLimit ?? 1];
  low = floorNice(low);
  high = Math.max(ceilNice(high), low * 10);
  const near = timeLimit !== null && timeLimit <= high * 30;
  return { low, high: near ? Math.max(timeLimit * 1.15, low * 10) : high, limit: near };
}

// The item whose point is the nearest to a place, if it is near.
function nearestOf(items, x, y) {
  let best = null;
  let least = 18 ** 2;
  for (const item of items) {
    const far = (item.x - x) ** 2 + (item.y - y) ** 2;
    if (far < least) [least, best] = [far, item];
  }
  return best;
}

class Plot {
  // A canvas in a figure, its tooltip and its ring. Subclasses have paint(), nearest(x, y),
  // points() in the order the arrow keys take, and describe(point); some have lines of backends,
  // of which one is emphasised.
  constructor(figure) {
    this.canvas = make("canvas", { tabindex: 0, role: "img" });
    this.ring = make("div", { class: "ring", hidden: true });
    this.tip = make("div", { class: "tip", role: "status", hidden: true });
    this.box = make("div", { class: "plot" }, this.canvas, this.ring, this.tip);
    figure.replaceChildren(this.box);
    this.at = -1;
    this.canvas.addEventListener("pointermove", (event) => {
      const point = this.nearest(event.offsetX, event.offsetY);
      this.show(point);
      this.canvas.style.cursor = point ? "pointer" : "";
    });
    this.canvas.addEventListener("pointerleave", () => this.show(null));
    this.canvas.addEventListener("blur", () => this.show(null));
    this.canvas.addEventListener("click", (event) => {
      const point = this.nearest(event.offsetX, event.offsetY);
      if (point) openCase(point.case, this.canvas);
    });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.width = 0;
    new ResizeObserver(() => {
      if (this.box.clientWidth && this.box.clientWidth !== this.width) this.draw();
    }).observe(this.box);
  }

  heightFor(width) {
    return Math.max(300, Math.min(440, width * 0.5));
  }

  emphasise(backend) {
    this.emphasis = backend;
    if (this.lines) this.draw();
  }

  isFaded(backend) {
    return this.emphasis >= 0 && this.emphasis !== backend;
  }

  // Begin the line of a backend in its colour and dash, as pale as this if another is emphasised.
  begin(backend, pale) {
    const shade = colourOf(backend);
    Object.assign(this.pen, {
      strokeStyle: shade, fillStyle: shade, lineJoin: "round",
      globalAlpha: this.isFaded(backend) ? pale : 1, lineWidth: this.emphasis === backend ? 3 : 2,
    });
    this.pen.setLineDash(dashOf(backend));
    this.pen.beginPath();
    return this.pen;
  }

  key(event) {
    const points = this.points();
    const steps = { ArrowRight: 1, ArrowLeft: -1, PageDown: 20, PageUp: -20 };
    if (event.key === "Enter" && points[this.at]) {
      openCase(points[this.at].case, this.canvas);
    } else if (event.key in steps && points.length) {
      event.preventDefault();
      this.at = Math.min(points.length - 1, Math.max(0, this.at + steps[event.key]));
      this.show(points[this.at]);
    }
  }

  draw() {
    this.show(null);
    this.at = -1;
    const width = this.box.clientWidth;
    if (!width) return;
    this.width = width;
    const height = this.heightFor(width);
    const ratio = window.devicePixelRatio || 1;
    Object.assign(this.canvas, { width: width * ratio, height: height * ratio });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    this.pen = this.canvas.getContext("2d");
    this.pen.scale(ratio, ratio);
    this.pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const inks = ["text", "soft", "line", "faint"];
    this.ink = Object.fromEntries(inks.map((name) => [name, colour(name)]));
    this.paint(width, height);
  }

  show(point) {
    this.ring.hidden = this.tip.hidden = !point;
    if (!point) return;
    this.ring.style.transform = `translate(${point.x}px, ${point.y}px)`;
    const lines = this.describe(point).map((text, k) => make(k ? "span" : "b", {}, text));
    this.tip.replaceChildren(...lines);
    const left = point.x > this.width / 2;
    this.tip.style.left = left ? "" : `${point.x + 14}px`;
    this.tip.style.right = left ? `${this.width - point.x + 14}px` : "";
    this.tip.style.top = `${Math.max(0, point.y - 20)}px`;
  }

  label(text, x, y, align = "center", shade = this.ink.soft) {
    Object.assign(this.pen, { textAlign: align, textBaseline: "middle", fillStyle: shade });
    this.pen.fillText(text, x, y);
  }

  line(x1, y1, x2, y2, shade = this.ink.line, dash = [], width = 1) {
    this.pen.beginPath();
    this.pen.setLineDash(dash);
    Object.assign(this.pen, { strokeStyle: shade, lineWidth: width });
    this.pen.moveTo(x1, y1);
    this.pen.lineTo(x2, y2);
    this.pen.stroke();
    this.pen.setLineDash([]);
  }

  // The time limit, across an axis of times along the bottom or the left.
  limitLine(scale, { left, right, top, bottom }, across) {
    const place = scale(timeLimit);
    const ends = across ? [place, top, place, bottom] : [left, place, right, place];
    this.line(...ends, this.ink.soft, [4, 4]);
    const words = `time limit ${seconds(timeLimit)}`;
    if (across) this.label(words, place, top - 10, "right");
    else this.label(words, right, place - 8, "right");
  }

  // Grid lines and labels of a logarithmic axis of seconds, along the bottom or the left.
  timeAxis(scale, { left, right, top, bottom }, across, minor = true) {
    let last = -Infinity;
    for (const { value, labelled } of scale.ticks) {
      if (!labelled && !minor) continue;
      const place = Math.round(scale(value)) + 0.5;
      const shade = labelled ? this.ink.line : this.ink.faint;
      if (across) this.line(place, top, place, bottom, shade);
      else this.line(left, place, right, place, shade);
      if (!labelled || Math.abs(place - last) < (across ? 44 : 16)) continue;
      last = place;
      if (across) this.label(seconds(value), place, bottom + 14);
      else this.label(seconds(value), left - 8, place, "right");
    }
  }
}
