/** What can be pressed or chosen in a message: buttons and selects, busy while their answer is awaited. */

import { h, safeAddress } from "../dom.js";
import { icon } from "../icons.js";
import { entityOptions } from "../entities.js";
import { picker } from "../picker.js";
import { ComponentType as T } from "../types.js";
import { emojiNode } from "./emoji.js";
import { placeOf } from "./marks.js";

/**
 * @typedef {import("../app.js").App} App
 * @typedef {import("../types.js").Message} Message
 */

/** @type {Record<number, string>} */
const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "primary" };

/** @param {App} app @param {Message} message @param {any} component @returns {Node} */
export function button(app, message, component) {
  const style = STYLES[component.style] ?? "secondary";
  const words = [
    component.emoji && emojiNode(app, component.emoji),
    component.label && h("span", { class: "button-words" }, component.label),
  ];
  if (component.style === 5) return linkButton(app, component, words);
  const busy = app.interactions.isBusy(message.id, component.custom_id);
  return h(
    "button",
    {
      type: "button",
      class: `button ${style}${busy ? " busy" : ""}`,
      disabled: component.disabled === true,
      "aria-busy": busy ? "true" : false,
      "aria-label": component.label ? false : component.emoji?.name,
      data: { customId: component.custom_id, key: component.custom_id },
      on: { click: () => app.interactions.press(message, component.custom_id) },
    },
    words,
    busy && h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
  );
}

/** @param {App} app @param {any} component @param {any[]} words */
function linkButton(app, component, words) {
  const address = safeAddress(component.url);
  if (!address || component.disabled) {
    return h("button", { type: "button", class: "button link", disabled: true }, words);
  }
  const place = placeOf(address);
  const inside = place && app.store.channels.has(place.channelId) ? place : null;
  const go = (/** @type {Event} */ event) => {
    if (!inside) return;
    event.preventDefault();
    app.open(inside.channelId, inside.messageId);
  };
  return h(
    "a",
    {
      class: "button link",
      href: address,
      target: inside ? false : "_blank",
      rel: "noopener noreferrer",
      data: { key: address },
      on: { click: go },
    },
    words,
    icon("external"),
  );
}

/** @param {App} app @param {Message} message @param {any} component @returns {Node} */
export function select(app, message, component) {
  const guildId = app.store.channels.get(message.channel_id)?.guild_id ?? null;
  const isText = component.type === T.STRING_SELECT;
  const { element } = picker({
    options: isText
      ? textOptions(app, component.options)
      : entityOptions(app, component, message.channel_id, guildId),
    placeholder: component.placeholder || (isText ? "Make a selection" : "Choose"),
    min: component.min_values ?? 1,
    max: component.max_values ?? 1,
    disabled: component.disabled === true,
    busy: app.interactions.isBusy(message.id, component.custom_id),
    searchable: !isText,
    key: component.custom_id,
    onChosen: (values) => app.interactions.select(message, component.custom_id, values),
  });
  return element;
}

/** @param {App} app @param {any[]} options @returns {import("../picker.js").PickerOption[]} */
export function textOptions(app, options) {
  return (options ?? []).map((option) => ({
    value: option.value,
    label: option.label,
    detail: option.description ?? "",
    chosen: option.default === true,
    picture: option.emoji ? emojiNode(app, option.emoji) : undefined,
  }));
}
