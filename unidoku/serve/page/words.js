// @ts-check
// The words of the page in the language of the server, by those in English.

/** @type {Record<string, string>} */
const known = JSON.parse(document.getElementById("words")?.textContent || "{}");

/**
 * Return a text in the language of the server; in English if it has no translation.
 * @param {string} text
 */
export const words = (text) => known[text] ?? text;

/**
 * Return a text with values in it; its translation has their numbers in braces: `{0}, saved`.
 * @param {TemplateStringsArray} parts
 * @param {...(string | number | undefined)} values
 */
export function t(parts, ...values) {
  const key = parts.reduce((text, part, at) => `${text}{${at - 1}}${part}`);
  return words(key).replace(/\{(\d+)\}/g, (_, at) => words(String(values[Number(at)])));
}
