/** Short sentences that come and go: toasts, and the banner while the connection is lost. */

import { byId, h } from "./dom.js";

const STAYS = 6000;

/**
 * Say something for a while.
 * @param {string} sentence
 * @param {"plain"|"good"|"bad"} [tone]
 */
export function toast(sentence, tone = "plain") {
  const shown = h("div", { class: `toast ${tone}` }, sentence);
  const box = byId("toasts");
  box.append(shown);
  while (box.childElementCount > 3) box.firstElementChild?.remove();
  setTimeout(() => shown.remove(), STAYS);
}

/** Show or hide the banner of a lost connection. @param {boolean} lost */
export function showLost(lost) {
  byId("lost").hidden = !lost;
}

/**
 * Ask before something is done that can't be taken back.
 * @param {string} question
 * @param {string} act what the button says
 * @returns {Promise<boolean>}
 */
export function confirmed(question, act) {
  return new Promise((resolve) => {
    const close = (/** @type {boolean} */ yes) => {
      resolve(yes);
      dialog.close();
    };
    const dialog = h(
      "dialog",
      { class: "modal small", "aria-label": question },
      h("p", {}, question),
      h(
        "div",
        { class: "modal-bar" },
        h(
          "button",
          { type: "button", class: "button secondary", on: { click: () => close(false) } },
          "Cancel",
        ),
        h(
          "button",
          {
            type: "button",
            class: "button danger",
            autofocus: true,
            on: { click: () => close(true) },
          },
          act,
        ),
      ),
    );
    dialog.addEventListener("close", () => {
      resolve(false);
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Ask for a line of text.
 * @param {string} question
 * @param {string} act what the button says
 * @returns {Promise<string|null>}
 */
export function asked(question, act) {
  return new Promise((resolve) => {
    const input = h("input", {
      type: "text",
      class: "text-input",
      maxlength: "100",
      "aria-label": question,
    });
    const form = h(
      "form",
      { class: "modal-form" },
      h("label", { class: "field" }, h("span", { class: "field-label" }, question), input),
      h(
        "div",
        { class: "modal-bar" },
        h(
          "button",
          { type: "button", class: "button secondary", on: { click: () => dialog.close() } },
          "Cancel",
        ),
        h("button", { type: "submit", class: "button primary" }, act),
      ),
    );
    const dialog = h("dialog", { class: "modal small", "aria-label": question }, form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      resolve(input.value.trim() || null);
      dialog.close();
    });
    dialog.addEventListener("close", () => {
      resolve(null);
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
