/** What the faults panel is built from; each control carries its name, to find it again after a redraw. */

import { h } from "./dom.js";

/** @param {string} title @param {...import("./dom.js").Child} rows */
export function section(title, ...rows) {
  return h("section", { "aria-label": title }, h("h3", {}, title), ...rows);
}

/**
 * @param {string} label its name, which no other control of the panel has
 * @param {() => void} act
 * @param {string} [style]
 * @param {string} [short] what is written on it, when that is less than its name
 */
export function button(label, act, style = "secondary", short = label) {
  return h(
    "button",
    {
      type: "button",
      class: `button ${style}`,
      "aria-label": short === label ? false : label,
      data: { fault: label },
      on: { click: act },
    },
    short,
  );
}

/** @param {string} label @param {boolean} on @param {(on: boolean) => void} act */
export function toggle(label, on, act) {
  return h(
    "button",
    {
      type: "button",
      class: "switch",
      role: "switch",
      "aria-checked": on ? "true" : "false",
      data: { fault: label },
      on: { click: () => act(!on) },
    },
    h("span", {}, label),
    h("span", { class: "switch-track", "aria-hidden": "true" }),
  );
}

/**
 * A field whose text is kept in `typed`.
 * @param {Record<string, string>} typed
 * @param {string} key
 * @param {string} label
 * @param {string} [hint]
 */
export function entry(typed, key, label, hint = "") {
  const input = h("input", {
    type: "text",
    class: "text-input",
    placeholder: hint,
    autocomplete: "off",
    spellcheck: "false",
  });
  input.value = typed[key];
  input.addEventListener("input", () => (typed[key] = input.value));
  return h("label", { class: "fault-input" }, h("span", {}, label), input);
}
