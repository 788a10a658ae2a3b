/** The fields of a modal: each draws itself, says what is wrong with it, and gives its answer. */

import { entityOptions } from "./entities.js";
import { freshId, h } from "./dom.js";
import { picker } from "./picker.js";
import { textOptions } from "./render/controls.js";
import { marked } from "./render/marks.js";
import { ComponentType as T } from "./types.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./types.js").Component} Component
 *
 * @typedef {Object} Field
 * @property {HTMLElement} element
 * @property {() => any} answer the component of the submission
 * @property {() => string|null} problem a sentence, or null when it may be sent
 * @property {(sentence: string|null) => void} complain
 * @property {() => void} focus
 *
 * @typedef {{element: HTMLElement, answer: () => any, problem: () => string|null, focus: () => void}} Inner
 * @typedef {{app: App, channelId: string, labelId: string, hintId: string}} Around
 */

/**
 * The field for a component at the top of a modal.
 * @param {App} app
 * @param {any} component
 * @param {string} channelId where the modal was opened
 * @returns {Field}
 */
export function modalField(app, component, channelId) {
  if (component.type === T.TEXT_DISPLAY) return words(app, component);
  const inRow = component.type === T.ACTION_ROW;
  const inner = inRow ? component.components[0] : component.component;
  const around = { app, channelId, labelId: freshId("label"), hintId: freshId("hint") };
  const made = (MAKERS[inner.type] ?? unknown)(inner, around);
  const problem = h("div", { class: "field-problem", role: "alert", hidden: true });
  const element = h(
    "div",
    { class: "field" },
    h(
      "div",
      { class: "field-label", id: around.labelId },
      component.label ?? inner.label ?? "",
      isRequired(inner) && star(),
    ),
    h("div", { class: "field-hint", id: around.hintId }, component.description ?? ""),
    made.element,
    problem,
  );
  return {
    element,
    answer: () => ({
      ...(component.id === undefined ? {} : { id: component.id }),
      type: component.type,
      ...(inRow ? { components: [made.answer()] } : { component: made.answer() }),
    }),
    problem: made.problem,
    complain: (sentence) => {
      problem.textContent = sentence ?? "";
      problem.hidden = sentence === null;
      element.classList.toggle("wrong", sentence !== null);
    },
    focus: made.focus,
  };
}

/** @param {any} inner */
const isRequired = (inner) => inner.type !== T.CHECKBOX && inner.required !== false;

const star = () => h("span", { class: "star", title: "required" }, " *");

/** @param {App} app @param {any} component @returns {Field} */
function words(app, component) {
  return {
    element: marked(app, component.content ?? ""),
    answer: () => ({ type: component.type, id: component.id }),
    problem: () => null,
    complain: () => {},
    focus: () => {},
  };
}

/** @type {Record<number, (inner: any, around: Around) => Inner>} */
const MAKERS = {
  [T.TEXT_INPUT]: textInput,
  [T.STRING_SELECT]: selection,
  [T.USER_SELECT]: selection,
  [T.ROLE_SELECT]: selection,
  [T.MENTIONABLE_SELECT]: selection,
  [T.CHANNEL_SELECT]: selection,
  [T.RADIO_GROUP]: radios,
  [T.CHECKBOX_GROUP]: checks,
  [T.CHECKBOX]: check,
};

/** What stands in every answer. @param {any} inner */
const base = (inner) => ({
  type: inner.type,
  custom_id: inner.custom_id,
  ...(inner.id === undefined ? {} : { id: inner.id }),
});

/** @param {any} inner @param {Around} around @returns {Inner} */
function textInput(inner, around) {
  const long = inner.style === 2;
  const input = h(long ? "textarea" : "input", {
    class: "text-input",
    type: long ? false : "text",
    rows: long ? 4 : false,
    placeholder: inner.placeholder ?? false,
    maxlength: inner.max_length ?? 4000,
    autocomplete: "off",
    "aria-labelledby": around.labelId,
    "aria-describedby": around.hintId,
    "aria-required": isRequired(inner) ? "true" : false,
    data: { customId: inner.custom_id },
  });
  input.value = inner.value ?? "";
  const least = inner.min_length ?? 0;
  return {
    element: input,
    answer: () => ({ ...base(inner), value: input.value }),
    problem: () => {
      if (!input.value.trim()) return isRequired(inner) ? "This field is required" : null;
      if (input.value.length < least)
        return `At least ${least} characters; there are ${input.value.length}`;
      return null;
    },
    focus: () => input.focus(),
  };
}

/** @param {any} inner @param {Around} around @returns {Inner} */
function selection(inner, { app, channelId, labelId }) {
  const guildId = app.store.channels.get(channelId)?.guild_id ?? null;
  const isText = inner.type === T.STRING_SELECT;
  const min = inner.min_values ?? 1;
  const { element, values } = picker({
    options: isText
      ? textOptions(app, inner.options)
      : entityOptions(app, inner, channelId, guildId),
    placeholder: inner.placeholder || "Make a selection",
    min: isRequired(inner) ? min : 0,
    max: inner.max_values ?? 1,
    searchable: !isText,
    key: inner.custom_id,
    labelledBy: labelId,
  });
  return {
    element,
    answer: () => ({ ...base(inner), values: values() }),
    problem: () => tooFew(values().length, min, isRequired(inner)),
    focus: () => element.querySelector("button")?.focus(),
  };
}

/** @param {number} count @param {number} min @param {boolean} required */
function tooFew(count, min, required) {
  if (count === 0) return required && min > 0 ? "This field is required" : null;
  return count < min ? `Choose at least ${min}` : null;
}

/** @param {any} inner @param {Around} around @param {"radio"|"checkbox"} type */
function options(inner, around, type) {
  const name = freshId("group");
  const inputs = inner.options.map((/** @type {any} */ option) => {
    const input = h("input", { type, name, value: option.value });
    input.checked = option.default === true;
    return input;
  });
  const element = h(
    "div",
    {
      class: "option-group",
      role: type === "radio" ? "radiogroup" : "group",
      "aria-labelledby": around.labelId,
      "aria-describedby": around.hintId,
      data: { customId: inner.custom_id },
    },
    inner.options.map((/** @type {any} */ option, /** @type {number} */ at) =>
      h(
        "label",
        { class: "option" },
        inputs[at],
        h("span", {}, option.label, option.description && h("small", {}, option.description)),
      ),
    ),
  );
  const chosen = () =>
    /** @type {HTMLInputElement[]} */ (inputs)
      .filter((input) => input.checked)
      .map((input) => input.value);
  return { element, chosen, focus: () => inputs[0]?.focus() };
}

/** @param {any} inner @param {Around} around @returns {Inner} */
function radios(inner, around) {
  const { element, chosen, focus } = options(inner, around, "radio");
  return {
    element,
    answer: () => ({ ...base(inner), value: chosen()[0] ?? null }),
    problem: () => (isRequired(inner) && !chosen().length ? "This field is required" : null),
    focus,
  };
}

/** @param {any} inner @param {Around} around @returns {Inner} */
function checks(inner, around) {
  const { element, chosen, focus } = options(inner, around, "checkbox");
  const max = inner.max_values ?? inner.options.length;
  return {
    element,
    answer: () => ({ ...base(inner), values: chosen() }),
    problem: () => {
      if (chosen().length > max) return `Choose at most ${max}`;
      return tooFew(chosen().length, inner.min_values ?? 1, isRequired(inner));
    },
    focus,
  };
}

/** @param {any} inner @param {Around} around @returns {Inner} */
function check(inner, { labelId, hintId }) {
  const input = h("input", {
    type: "checkbox",
    "aria-labelledby": labelId,
    "aria-describedby": hintId,
    data: { customId: inner.custom_id },
  });
  input.checked = inner.default === true;
  return {
    element: h("div", { class: "option" }, input),
    answer: () => ({ ...base(inner), value: input.checked }),
    problem: () => null,
    focus: () => input.focus(),
  };
}

/** @param {any} inner @returns {Inner} */
function unknown(inner) {
  return {
    element: h(
      "div",
      { class: "unknown-part" },
      `A field that this page can't show (type ${inner.type}).`,
    ),
    answer: () => ({ ...base(inner), values: [] }),
    problem: () => (inner.required ? "This field can't be filled in here" : null),
    focus: () => {},
  };
}
