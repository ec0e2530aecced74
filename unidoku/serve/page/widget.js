// @ts-check
// What a notebook loads: a frame with the page, and its messages to and from the kernel.

/** @typedef {Record<string, any>} Json */
/**
 * @typedef {{ send: (content: Json) => void, on: (name: string, call: (content: Json) => void) => void,
 *   off: (name: string, call: (content: Json) => void) => void }} Model
 */

/** @param {{ model: Model, el: HTMLElement }} place */
function render({ model, el }) {
  const view = Math.random().toString(36);
  const frame = document.createElement("iframe");
  frame.title = "Unidoku";
  frame.style.cssText = "width: 100%; height: 720px; border: 0; color-scheme: normal;";
  const fromKernel = (/** @type {Json} */ content) => {
    if (content.view !== view) return;
    if (content.page) frame.srcdoc = content.page;
    else frame.contentWindow?.postMessage(content.text, "*");
  };
  const fromPage = (/** @type {MessageEvent} */ event) => {
    if (event.source === frame.contentWindow && typeof event.data === "string") model.send({ view, text: event.data });
  };
  model.on("msg:custom", fromKernel);
  addEventListener("message", fromPage);
  el.append(frame);
  model.send({ view });
  return () => {
    model.off("msg:custom", fromKernel);
    removeEventListener("message", fromPage);
  };
}

export default { render };
