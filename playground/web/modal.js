/** Modals: a form over the page that an application asked for, answered or left. */

import { freshId, h } from "./dom.js";
import { modalField } from "./fields.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {{interaction_id: string, channel_id?: string, modal: {custom_id: string, title: string, components: any[]}}} Asked
 */

/**
 * Open a modal.
 * @param {App} app
 * @param {Asked} asked
 */
export function openModal(app, asked) {
  const { modal } = asked;
  const channelId = asked.channel_id ?? app.channelId;
  const fields = modal.components.map((component) => modalField(app, component, channelId));
  const titleId = freshId("title");
  const problem = h("div", { class: "modal-problem", role: "alert", hidden: true });
  const send = h("button", { type: "submit", class: "button primary" }, "Submit");
  const bot = app.store.nameOf(app.store.app.bot);
  const form = h(
    "form",
    { class: "modal-form", novalidate: true },
    h("h2", { id: titleId }, modal.title),
    h(
      "div",
      { class: "modal-fields" },
      fields.map((field) => field.element),
    ),
    h("p", { class: "modal-note" }, `What you enter here goes to ${bot}.`),
    h(
      "div",
      { class: "modal-bar" },
      problem,
      h(
        "button",
        { type: "button", class: "button secondary", on: { click: () => dialog.close() } },
        "Cancel",
      ),
      send,
    ),
  );
  const dialog = h("dialog", { class: "modal", "aria-labelledby": titleId }, form);

  const say = (/** @type {string|null} */ sentence) => {
    problem.textContent = sentence ?? "";
    problem.hidden = sentence === null;
  };
  const wait = (/** @type {boolean} */ waiting) => {
    send.disabled = waiting;
    send.classList.toggle("busy", waiting);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wrong = fields.filter((field) => {
      field.complain(field.problem());
      return field.problem() !== null;
    });
    if (wrong.length) {
      wrong[0].focus();
      return;
    }
    say(null);
    const fieldsSent = {
      interaction_id: asked.interaction_id,
      custom_id: modal.custom_id,
      components: fields.map((field) => field.answer()),
    };
    const sent = app.interactions.submit(channelId, fieldsSent, (outcome, why) => {
      wait(false);
      if (outcome === "answered") dialog.close();
      else say(failure(why));
    });
    if (sent) wait(true);
  });
  form.addEventListener("input", () => say(null));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  const first = modal.components.findIndex((component) => component.type !== 10);
  fields[Math.max(first, 0)]?.focus();
}

/**
 * What a failed form says: a refusal is a sentence of its own and knows what to do; the rest is
 * worth another try.
 * @param {string} [why]
 */
function failure(why) {
  if (!why) return "Something went wrong. Try again.";
  return /[.!?]$/.test(why) ? why : `Something went wrong: ${why}. Try again.`;
}
