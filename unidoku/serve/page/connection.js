// @ts-check
// The connection to the server: messages with numbers, answers, events.

/** @typedef {Record<string, any>} Json */

/** @type {WebSocket | null} */
let socket = null;
/** Whether the page is a frame in a notebook, whose kernel is the server. */
export const isInFrame = location.protocol === "about:";
let nonce = 0;
/** @type {Map<number, { done: (answer: Json) => void, part: (answer: Json) => void }>} */
const open = new Map();
/** @type {(event: Json) => void} */
let onEvent = () => {};
/** @type {(isOpen: boolean) => void} */
let onChange = () => {};

const token = new URLSearchParams(location.search).get("token") ?? "";

/**
 * Connect, and connect again whenever the connection is lost.
 * @param {(event: Json) => void} event
 * @param {(isOpen: boolean) => void} change
 */
export function connect(event, change) {
  onEvent = event;
  onChange = change;
  start();
}

function start() {
  if (isInFrame) {
    addEventListener("message", (event) => event.source === parent && receive(JSON.parse(event.data)));
    onChange(true);
    return;
  }
  socket = new WebSocket(`ws://${location.host}/socket?token=${encodeURIComponent(token)}`);
  socket.addEventListener("open", () => onChange(true));
  socket.addEventListener("message", (message) => receive(JSON.parse(message.data)));
  socket.addEventListener("close", () => {
    for (const { done } of open.values()) done({ cancelled: true });
    open.clear();
    onChange(false);
    setTimeout(start, 500);
  });
}

/** @param {Json} message */
function receive(message) {
  if (message.event) {
    onEvent(message);
    return;
  }
  const waiting = open.get(message.nonce);
  if (!waiting) return;
  if (message.partial) waiting.part(message);
  else {
    open.delete(message.nonce);
    waiting.done(message);
  }
}

/**
 * Send a request; the answer has `error` if it was refused, `cancelled` if it was given up.
 * @param {string} command
 * @param {Json} [fields]
 * @param {(part: Json) => void} [part] called with parts of the answer
 * @returns {Promise<Json>}
 */
export function ask(command, fields = {}, part = () => {}) {
  if (!isInFrame && socket?.readyState !== WebSocket.OPEN) return Promise.resolve({ cancelled: true });
  nonce += 1;
  const number = nonce;
  const text = JSON.stringify({ nonce: number, command, ...fields });
  if (isInFrame) parent.postMessage(text, "*");
  else socket?.send(text);
  return new Promise((done) => open.set(number, { done, part }));
}

/**
 * Return a frame with a page that the server keeps.
 * @param {string} key
 * @param {string} title
 */
export function frameOf(key, title) {
  const frame = document.createElement("iframe");
  Object.assign(frame, { title, className: "report" });
  if (isInFrame) ask("report", { key }).then((answer) => { frame.srcdoc = answer.page ?? ""; });
  else frame.src = address(`/report/${key}`);
  return frame;
}

/**
 * Return the address of a page of the server, with the token.
 * @param {string} path
 */
export function address(path) {
  return `${path}?token=${encodeURIComponent(token)}`;
}
