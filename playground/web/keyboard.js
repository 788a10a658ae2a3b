/** Keys that work anywhere on the page, and the card that lists them. */

import { byId, h } from "./dom.js";

/** @typedef {import("./app.js").App} App */

/** @type {[string, string][]} */
const KEYS = [
  ["/", "begin a command; ↑ ↓ choose, Tab or Enter takes"],
  ["Tab", "to the next option of a command"],
  ["Enter", "take what is marked in a list, else send; Shift+Enter begins a new line"],
  ["Esc", "leave a command, a list, a form; else back to writing"],
  ["↑ in an empty line", "to the messages; ↑ ↓ from one to another, Enter to its controls"],
  ["Alt+↑ Alt+↓", "previous, next channel; with Shift only unread ones"],
  ["F6", "from one part of the page to the next"],
  ["Ctrl+/", "this card"],
];

const REGIONS = ["places", "log", "composer", "members", "faults"];

/** @param {App} app */
export function bindKeys(app) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]"))
      return;
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      const next = app.sidebar.neighbour(event.key === "ArrowDown" ? 1 : -1, event.shiftKey);
      if (next) app.open(next);
    } else if (event.key === "F6") goToRegion(event.shiftKey ? -1 : 1);
    else if (event.key === "/" && event.ctrlKey) showHelp();
    else if (event.key === "Escape" && !document.querySelector(":popover-open")) escape(app);
    else if (isForWriting(event)) {
      app.composer.focus();
      return;
    } else return;
    event.preventDefault();
  });
  byId("log").addEventListener("keydown", (event) => alongMessages(app, event));
}

/** Back to the newest message and to writing. @param {App} app */
function escape(app) {
  app.log.toBottom();
  app.composer.focus();
}

/** Letters typed where nothing takes them go to the composer. @param {KeyboardEvent} event */
function isForWriting(event) {
  const { activeElement } = document;
  const taken = activeElement?.closest("input, textarea, select, [role=listbox], [popover]");
  return (
    event.key.length === 1 &&
    event.key !== " " &&
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey &&
    !taken
  );
}

/**
 * Up and down move from message to message; Enter goes to a message's first control.
 * @param {App} app
 * @param {KeyboardEvent} event
 */
function alongMessages(app, event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.defaultPrevented || event.altKey || target.closest("[popover]")) return;
  const rows = /** @type {HTMLElement[]} */ ([...byId("rows").querySelectorAll(".message")]);
  const row = /** @type {HTMLElement|null} */ (target.closest(".message"));
  const at = row ? rows.indexOf(row) : rows.length;
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to !== undefined) {
    if (to >= rows.length) app.composer.focus();
    else rows[Math.max(to, 0)]?.focus();
  } else if (event.key === "Enter" && row === target) {
    const control = /** @type {HTMLElement|null} */ (
      row.querySelector(".body button:not(:disabled), .body a")
    );
    control?.focus();
  } else if (event.key === "Delete" && row === target) {
    /** @type {HTMLElement|null} */ (
      row.querySelector(".message-tools button:last-child")
    )?.click();
  } else return;
  event.preventDefault();
}

/** @param {number} by */
function goToRegion(by) {
  const open = REGIONS.map(byId).filter(
    (region) => !region.hidden && !region.inert && region.offsetParent !== null,
  );
  const at = open.findIndex((region) => region.contains(document.activeElement));
  const region = open[(at + by + open.length) % open.length];
  const inside = region.querySelector(
    "[aria-current=page], textarea:not([hidden]), input, a, button",
  );
  const target = region.id === "log" ? region : inside;
  /** @type {HTMLElement|null} */ (target)?.focus();
}

/** Show the keys. */
export function showHelp() {
  const dialog = h(
    "dialog",
    { class: "modal", "aria-label": "Keys and hints" },
    h("h2", {}, "Keys"),
    h(
      "dl",
      { class: "keys" },
      KEYS.map(([key, does]) => [h("dt", {}, key), h("dd", {}, does)]),
    ),
    h(
      "p",
      {},
      "A whole command can also be typed: ",
      h("code", {}, "/gin discard card:7h"),
      ", then Enter.",
    ),
    h(
      "div",
      { class: "modal-bar" },
      h(
        "button",
        { type: "button", class: "button primary", on: { click: () => dialog.close() } },
        "Close",
      ),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
