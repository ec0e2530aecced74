// Figures and claims in words. Numbers are written by the rules of unidoku/support/text.py.

const NOTHING = "-";

function short(value, digits = 3) {
  const number = Number(value.toPrecision(digits));
  if (number === 0 || number >= 1e-4) return String(number);
  return number.toExponential().replace(/e-(\d)$/, "e-0$1"); // as Python writes it
}

function seconds(value) {
  if (value === null || Number.isNaN(value)) return NOTHING;
  if (value >= 999.5) return `${Math.round(value)} s`;
  if (value >= 0.9995) return `${short(value)} s`;
  if (value >= 0.9995e-3) return `${short(value * 1e3)} ms`;
  return `${short(value * 1e6)} µs`;
}

function ratio(value) {
  if (Number.isNaN(value)) return NOTHING;
  if (!Number.isFinite(value)) return "∞";
  if (value >= 99.995) return String(Math.round(value));
  return value >= 0.0995 ? value.toFixed(2) : short(value);
}

function percent(value) {
  if (Number.isNaN(value)) return NOTHING;
  if (!Number.isFinite(value)) return "∞ %";
  return `${value >= 9.95 ? Math.round(value) : short(value, 2)} %`;
}

const times = (value) => (Number.isFinite(value) ? `${ratio(value)}×` : NOTHING);

function bytes(value) {
  if (!value) return NOTHING;
  const power = value >= 2 ** 30 ? 30 : value >= 2 ** 20 ? 20 : 10;
  return `${short(value / 2 ** power)} ${{ 30: "GiB", 20: "MiB", 10: "KiB" }[power]}`;
}

const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

// Outcomes as the page writes them; a symbol goes with each, so that colour is not alone.
const OUTCOME_WORDS = {
  solved: ["✓", "solved"],
  late: ["◷", "late: answered after the limit"],
  refuted: ["≠", "refuted: the answer is not right"],
  unknown: ["◷", "unknown: a limit came first"],
  timeout: ["◷", "time-out: did not stop, was ended"],
  memory: ["▣", "out of memory"],
  crashed: ["✕", "crashed"],
  failed: ["✕", "failed"],
  wrong: ["≠", "wrong"],
  unsupported: ["–", "not supported"],
};

function claim(row) {
  const stop = raw.stops[runs.stop[row]];
  const count = runs.count[row];
  const found = count ? plural(count, "solution") : "no solution";
  if (stop === "exhausted") {
    return count === 0 ? "no solutions" : count === 1 ? "exactly one solution" : `all ${found}`;
  }
  if (stop === "solutions") return `${found}, asked for no more`;
  if (stop === "time") return `${found} until the time limit`;
  if (stop === "nodes") return `${found} until the node limit`;
  return "no answer";
}

// Make an element. All text goes through textContent: names come from files of others.
const make = (tag, attributes = {}, ...children) =>
  filled(document.createElement(tag), attributes, children);
const makeSvg = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const $ = (selector, within = document) => within.querySelector(selector);
