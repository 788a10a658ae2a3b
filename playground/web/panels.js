/** What lies beside the log: side, members, faults. Beside it where there is room, else as drawers over it. */

import { byId } from "./dom.js";

/** @typedef {"side"|"members"|"faults"} PanelName */

const NARROW = matchMedia("(max-width: 780px)");
const MIDDLE = matchMedia("(max-width: 1100px)");

export class Panels {
  /** The drawer that lies over the log on a narrow window. @type {PanelName|null} */ #drawer =
    null;
  /** What is shown at the right on a wide one. @type {"members"|"faults"|null} */ #right =
    MIDDLE.matches ? null : "members";
  /** @type {(() => void)[]} */ #listeners = [];
  /** @type {HTMLElement|null} */ #cameFrom = null;

  constructor() {
    NARROW.addEventListener("change", () => this.#apply());
    byId("backdrop").addEventListener("click", () => this.closeDrawers());
    document.addEventListener("keydown", (event) => {
      if (
        event.key !== "Escape" ||
        event.defaultPrevented ||
        document.querySelector("dialog[open]")
      )
        return;
      if (this.#drawer) this.closeDrawers();
      else if (this.#right === "faults" && byId("faults").contains(document.activeElement))
        this.toggle("faults");
    });
    this.#apply();
  }

  /** @param {() => void} listener */
  onChange(listener) {
    this.#listeners.push(listener);
  }

  /** @param {PanelName} panel */
  isOpen(panel) {
    if (NARROW.matches) return this.#drawer === panel;
    return panel === "side" || this.#right === panel;
  }

  /** @param {PanelName} panel */
  toggle(panel) {
    const opening = !this.isOpen(panel);
    if (NARROW.matches) {
      if (opening) this.#cameFrom = /** @type {HTMLElement|null} */ (document.activeElement);
      this.#drawer = opening ? panel : null;
    } else if (panel !== "side")
      this.#right = opening ? panel : panel === "faults" && !MIDDLE.matches ? "members" : null;
    this.#apply();
    if (opening && (NARROW.matches || panel === "faults")) {
      const first = byId(panel).querySelector("a[aria-current], button, a, input");
      /** @type {HTMLElement|null} */ (first)?.focus();
    }
  }

  closeDrawers() {
    if (!this.#drawer) return;
    this.#drawer = null;
    this.#apply();
    this.#cameFrom?.focus();
  }

  /** Say on the buttons which panels are open. */
  mark() {
    for (const button of document.querySelectorAll("[data-tool][aria-expanded]")) {
      const panel = /** @type {PanelName} */ (/** @type {HTMLElement} */ (button).dataset.tool);
      button.setAttribute("aria-expanded", this.isOpen(panel) ? "true" : "false");
    }
  }

  #apply() {
    for (const panel of /** @type {PanelName[]} */ (["side", "members", "faults"])) {
      const open = this.isOpen(panel);
      const element = byId(panel);
      element.hidden = !open && panel === "faults" && !NARROW.matches;
      element.classList.toggle("open", open);
      element.inert = !open;
    }
    byId("room").inert = this.#drawer !== null;
    byId("backdrop").hidden = this.#drawer === null;
    for (const listener of this.#listeners) listener();
  }
}
