/** A list that opens under its button: how selects look and work, in messages and in modals. */

import { freshId, h, refill } from "./dom.js";
import { icon } from "./icons.js";

/**
 * @typedef {{value: string, label: string, detail?: string, chosen?: boolean, picture?: Node,
 *            disabled?: boolean}} PickerOption
 * @typedef {Object} PickerSettings
 * @property {PickerOption[]} options
 * @property {string} placeholder
 * @property {number} [min] how many must be chosen (1)
 * @property {number} [max] how many may be chosen (1)
 * @property {boolean} [disabled]
 * @property {boolean} [busy]
 * @property {boolean} [searchable] with a field that narrows the list
 * @property {string} [key] the custom id that it stands for
 * @property {string} [labelledBy] id of the element that names it
 * @property {(values: string[]) => void} [onChosen] called when a choice is complete
 */

/**
 * Build a picker. One of a kind is chosen at once; several are chosen when the list closes.
 * @param {PickerSettings} settings
 * @returns {{element: HTMLElement, values: () => string[]}}
 */
export function picker(settings) {
  const built = new Picker(settings);
  return { element: built.element, values: () => [...built.chosen] };
}

class Picker {
  /** @param {PickerSettings} settings */
  constructor(settings) {
    this.settings = { min: 1, max: 1, ...settings };
    this.many = this.settings.max > 1;
    /** @type {Set<string>} */
    this.chosen = new Set(
      settings.options.filter((option) => option.chosen).map((option) => option.value),
    );
    this.before = [...this.chosen];
    this.active = -1;
    this.typed = "";
    this.listId = freshId("list");
    this.button = this.#makeButton();
    this.list = h("div", {
      id: this.listId,
      class: "picker-list",
      role: "listbox",
      tabindex: settings.searchable ? "-1" : "0",
      "aria-label": settings.placeholder,
      "aria-multiselectable": this.many ? "true" : false,
    });
    this.search = settings.searchable ? this.#makeSearch() : null;
    this.popover = h("div", { class: "picker-popover", popover: "auto" }, this.search, this.list);
    this.element = h("div", { class: "picker" }, this.button, this.popover);
    this.#listen();
    this.#sayChosen();
  }

  #makeButton() {
    const { disabled, busy, key, labelledBy, placeholder } = this.settings;
    const button = h("button", {
      type: "button",
      class: busy ? "picker-button busy" : "picker-button",
      disabled: disabled === true,
      "aria-busy": busy ? "true" : false,
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      "aria-controls": this.listId,
      "aria-labelledby": labelledBy ?? false,
      "aria-label": labelledBy ? false : placeholder,
      data: { customId: key ?? "", key: key ?? "" },
    });
    return button;
  }

  #makeSearch() {
    return h("input", {
      type: "text",
      class: "picker-search",
      placeholder: "Search",
      autocomplete: "off",
      role: "combobox",
      "aria-expanded": "true",
      "aria-controls": this.listId,
      "aria-label": `Search: ${this.settings.placeholder}`,
    });
  }

  #listen() {
    this.button.popoverTargetElement = this.popover;
    this.button.addEventListener("keydown", (event) => {
      // The list takes the focus a moment after it has opened; keys of a fast hand come here until then.
      if (this.popover.matches(":popover-open")) this.#key(event);
      else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        event.stopPropagation();
        this.popover.showPopover();
      }
    });
    this.popover.addEventListener("beforetoggle", (event) => {
      if (/** @type {ToggleEvent} */ (event).newState === "open") this.#opening();
    });
    this.popover.addEventListener("toggle", (event) => {
      if (/** @type {ToggleEvent} */ (event).newState === "open") this.#opened();
      else this.#closed();
    });
    const keys = (/** @type {KeyboardEvent} */ event) => this.#key(event);
    this.list.addEventListener("keydown", keys);
    this.search?.addEventListener("keydown", keys);
    this.search?.addEventListener("input", () => {
      this.active = 0;
      this.#draw();
    });
  }

  get shown() {
    const words = this.search?.value.trim().toLocaleLowerCase() ?? "";
    return this.settings.options.filter((option) =>
      option.label.toLocaleLowerCase().includes(words),
    );
  }

  #opening() {
    if (this.search) this.search.value = "";
    this.before = [...this.chosen];
    this.active = Math.max(
      0,
      this.shown.findIndex((option) => this.chosen.has(option.value)),
    );
    this.#draw();
  }

  #opened() {
    this.button.setAttribute("aria-expanded", "true");
    this.#place();
    (this.search ?? this.list).focus();
    this.#showActive();
  }

  #closed() {
    this.button.setAttribute("aria-expanded", "false");
    const after = [...this.chosen];
    const same =
      after.length === this.before.length && after.every((value) => this.before.includes(value));
    if (this.many && !same) this.settings.onChosen?.(this.#inOrder());
  }

  /** Below the button, above it where there is more room; never past the window's edge. */
  #place() {
    const box = this.button.getBoundingClientRect();
    const below = window.innerHeight - box.bottom - 12;
    const above = box.top - 12;
    const up = below < Math.min(this.popover.scrollHeight, 220) && above > below;
    const { style } = this.popover;
    style.setProperty("max-height", `${Math.max(120, Math.min(up ? above : below, 380))}px`);
    style.setProperty("width", `${Math.max(box.width, 220)}px`);
    style.setProperty(
      "left",
      `${Math.max(8, Math.min(box.left, window.innerWidth - Math.max(box.width, 220) - 8))}px`,
    );
    style.setProperty("top", up ? "auto" : `${box.bottom + 4}px`);
    style.setProperty("bottom", up ? `${window.innerHeight - box.top + 4}px` : "auto");
  }

  #draw() {
    const shown = this.shown;
    refill(
      this.list,
      shown.map((option, at) => this.#row(option, at)),
      shown.length === 0 && h("div", { class: "picker-none" }, "Nothing like that here"),
    );
    this.#showActive();
  }

  /** @param {PickerOption} option @param {number} at */
  #row(option, at) {
    const chosen = this.chosen.has(option.value);
    return h(
      "div",
      {
        id: `${this.listId}-${at}`,
        class: "picker-option",
        role: "option",
        "aria-selected": chosen ? "true" : "false",
        data: { value: option.value },
        on: { click: () => this.#take(option), pointermove: () => this.#activate(at) },
      },
      option.picture?.cloneNode(true),
      h(
        "span",
        { class: "picker-words" },
        option.label,
        option.detail && h("small", {}, option.detail),
      ),
      h("span", { class: this.many ? "tick box" : "tick" }, chosen && icon("check")),
    );
  }

  /** @param {number} at */
  #activate(at) {
    if (this.active === at) return;
    this.active = at;
    this.#showActive();
  }

  #showActive() {
    [...this.list.children].forEach((row, at) =>
      row.classList.toggle("active", at === this.active),
    );
    const row = this.list.children[this.active];
    const target = this.search ?? this.list;
    if (row?.id) target.setAttribute("aria-activedescendant", row.id);
    else target.removeAttribute("aria-activedescendant");
    if (this.popover.matches(":popover-open")) row?.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const last = this.shown.length - 1;
    const moves = /** @type {Record<string, number>} */ ({
      ArrowDown: Math.min(this.active + 1, last),
      ArrowUp: Math.max(this.active - 1, 0),
      PageDown: Math.min(this.active + 8, last),
      PageUp: Math.max(this.active - 8, 0),
      ...(this.search ? {} : { Home: 0, End: last }),
    });
    if (event.key in moves) this.#activate(moves[event.key]);
    else if (event.key === "Enter" || (event.key === " " && !this.search)) {
      const option = this.shown[this.active];
      if (option) this.#take(option);
    } else if (event.key === "Tab") {
      this.popover.hidePopover();
      return;
    } else if (!this.search && event.key.length === 1 && !event.ctrlKey && !event.metaKey)
      this.#typeAhead(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Jump to the next option that begins with what is typed. @param {string} letter */
  #typeAhead(letter) {
    clearTimeout(this.forget);
    this.typed += letter.toLocaleLowerCase();
    this.forget = setTimeout(() => (this.typed = ""), 700);
    const at = this.shown.findIndex((option) =>
      option.label.toLocaleLowerCase().startsWith(this.typed),
    );
    if (at >= 0) this.#activate(at);
  }

  /** @param {PickerOption} option */
  #take(option) {
    const { min = 1, max = 1 } = this.settings;
    if (this.many) {
      if (this.chosen.has(option.value)) this.chosen.delete(option.value);
      else if (this.chosen.size < max) this.chosen.add(option.value);
      this.#draw();
      this.#sayChosen();
      return;
    }
    if (this.chosen.has(option.value) && min === 0) this.chosen.clear();
    else this.chosen = new Set([option.value]);
    this.#sayChosen();
    this.popover.hidePopover();
    this.settings.onChosen?.(this.#inOrder());
  }

  /** What is chosen, in the order in which it is listed. */
  #inOrder() {
    return this.settings.options
      .map((option) => option.value)
      .filter((value) => this.chosen.has(value));
  }

  #sayChosen() {
    const options = this.settings.options.filter((option) => this.chosen.has(option.value));
    const words = options.length
      ? options.map((option) =>
          h("span", { class: "picked" }, option.picture?.cloneNode(true), option.label),
        )
      : h("span", { class: "placeholder" }, this.settings.placeholder);
    refill(this.button, h("span", { class: "picker-chosen" }, words), icon("chevron"));
    const chosen = options.map((option) => option.label).join(", ");
    if (!this.settings.labelledBy) {
      this.button.setAttribute(
        "aria-label",
        chosen ? `${this.settings.placeholder}: ${chosen}` : this.settings.placeholder,
      );
    }
  }
}
