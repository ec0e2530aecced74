// @ts-check
// Second opinion: other backends on this board or others, live, and the page of the comparison.
import { h } from "./signals.js";

/** @param {HTMLElement} panel */
export function start(panel) {
  panel.append(h("h2", {}, "Compare"));
}
