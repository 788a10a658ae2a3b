/** The list above the composer: commands, options, people, choices. Driven by whichever input has focus. */

import { byId, h, refill } from "./dom.js";

/**
 * @typedef {{title: string, detail?: string, aside?: string, picture?: Node, take: () => void}} Suggestion
 */

const box = () => byId("suggestions");

let /** @type {Suggestion[]} */ shown = [];
let active = -1;
let explicit = false;
let /** @type {HTMLElement|null} */ owner = null;

export const suggest = {
  /**
   * Show suggestions for an input; an empty list with no note hides the box.
   * @param {HTMLElement} input
   * @param {string} label what the list is about
   * @param {Suggestion[]} list
   * @param {{note?: string, select?: boolean}} [options] note: shown when the list is empty;
   *   select: mark the first at once
   */
  show(input, label, list, { note, select = true } = {}) {
    release();
    owner = input;
    shown = list.slice(0, 60);
    active = select && shown.length ? 0 : -1;
    explicit = false;
    if (!shown.length && !note) {
      box().hidden = true;
      return;
    }
    refill(
      box(),
      h("div", { class: "suggest-label", "aria-hidden": "true" }, label),
      h(
        "div",
        { id: "suggest-list", role: "listbox", "aria-label": label },
        shown.map(row),
        shown.length === 0 && h("div", { class: "suggest-note" }, note),
      ),
    );
    box().hidden = false;
    if (input.getAttribute("role") === "combobox") input.setAttribute("aria-expanded", "true");
    input.setAttribute("aria-controls", "suggest-list");
    mark();
  },

  hide() {
    release();
    shown = [];
    active = -1;
    box().hidden = true;
  },

  get open() {
    return !box().hidden && shown.length > 0;
  },

  /** Did the person move to an entry, rather than only see it marked? */
  get chosenByHand() {
    return this.open && explicit && active >= 0;
  },

  get count() {
    return shown.length;
  },

  /** Take the marked suggestion, or else the first. @returns {boolean} whether there was one */
  take() {
    const one = this.open ? shown[Math.max(active, 0)] : undefined;
    one?.take();
    return one !== undefined;
  },

  /** @param {number} by */
  move(by) {
    if (!this.open) return;
    active = (active + by + shown.length + (active < 0 && by < 0 ? 1 : 0)) % shown.length;
    explicit = true;
    mark();
  },
};

/** @param {Suggestion} one @param {number} at */
function row(one, at) {
  return h(
    "div",
    {
      id: `suggestion-${at}`,
      class: "suggestion",
      role: "option",
      "aria-selected": "false",
      on: {
        // Before the input loses its focus.
        pointerdown: (/** @type {Event} */ event) => event.preventDefault(),
        click: () => one.take(),
      },
    },
    one.picture,
    h(
      "span",
      { class: "suggest-words" },
      h("b", {}, one.title),
      one.detail && h("span", {}, one.detail),
    ),
    one.aside && h("span", { class: "suggest-aside" }, one.aside),
  );
}

function mark() {
  document.querySelectorAll("#suggest-list [role=option]").forEach((element, at) => {
    element.classList.toggle("active", at === active);
    element.setAttribute("aria-selected", at === active ? "true" : "false");
    if (at === active) element.scrollIntoView({ block: "nearest" });
  });
  if (active >= 0) owner?.setAttribute("aria-activedescendant", `suggestion-${active}`);
  else owner?.removeAttribute("aria-activedescendant");
}

function release() {
  if (owner?.hasAttribute("aria-expanded")) owner.setAttribute("aria-expanded", "false");
  owner?.removeAttribute("aria-activedescendant");
  owner = null;
}
