// @ts-check
// Values that tell who uses them when they change, and elements of the page.
import { words } from "./words.js";

/**
 * @template T
 * @typedef {{ (): T, set: (value: T) => void, peek: () => T }} Signal
 */

/** @typedef {{ run: () => void, sources: Set<Set<Effect>> }} Effect */

/** @type {Effect | null} */
let current = null;
/** @type {Set<Effect>} */
const waiting = new Set();
let isScheduled = false;

/**
 * Return a value that can be read, in an effect so that the effect runs again, and set.
 * @template T
 * @param {T} value
 * @returns {Signal<T>}
 */
export function signal(value) {
  /** @type {Set<Effect>} */
  const users = new Set();
  const read = () => {
    if (current) {
      users.add(current);
      current.sources.add(users);
    }
    return value;
  };
  return Object.assign(read, {
    set: (/** @type {T} */ next) => {
      if (Object.is(value, next)) return;
      value = next;
      for (const effect of users) waiting.add(effect);
      if (!isScheduled && waiting.size) {
        isScheduled = true;
        queueMicrotask(flush);
      }
    },
    peek: () => value,
  });
}

/** Run the effects whose signals changed. */
export function flush() {
  isScheduled = false;
  const effects = [...waiting];
  waiting.clear();
  for (const effect of effects) effect.run();
}

/**
 * Run a function, and again whenever a signal that it reads has changed.
 * @param {() => void} body
 */
export function effect(body) {
  /** @type {Effect} */
  const self = {
    sources: new Set(),
    run: () => {
      for (const users of self.sources) users.delete(self);
      self.sources.clear();
      const before = current;
      current = self;
      try {
        body();
      } finally {
        current = before;
      }
    },
  };
  self.run();
}

/** @typedef {string | number | Node | null | undefined | false} Child */

/** The attributes that people read or hear. */
const READ = new Set(["aria-label", "placeholder", "title"]);

/**
 * @param {Element} element
 * @param {Record<string, any>} attributes
 * @param {(Child | Child[])[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") /** @type {HTMLInputElement} */ (element).value = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, READ.has(name) ? words(String(value)) : String(value));
    }
  }
  append(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {(Child | Child[])[]} children
 */
export function append(element, children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : words(String(child)));
    }
  }
}

/**
 * Return an element of HTML; attributes that begin with "on" are listeners.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  if (element instanceof HTMLButtonElement) element.type = "button"; // a form is sent where it says so
  filled(element, attributes, children);
  return element;
}

/**
 * Return an element of SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  filled(element, attributes, children);
  return element;
}

/**
 * Replace the children of an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function show(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/**
 * Return the element with an id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
