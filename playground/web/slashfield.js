/** One option of a slash command while it is being filled in: its input, what may be chosen, what is wrong. */

import { namesLike, resolve } from "./commands.js";
import { h, quietly } from "./dom.js";
import { suggest } from "./suggest.js";
import { OptionType as T } from "./types.js";

/**
 * @typedef {import("./commands.js").Value} Value
 * @typedef {import("./slash.js").SlashForm} SlashForm
 * @typedef {import("./suggest.js").Suggestion} Suggestion
 * @typedef {import("./types.js").CommandOption} CommandOption
 */

const PAUSE = 180;

export class SlashField {
  /** @type {Value|null} chosen from a list; otherwise the text speaks */ #chosen = null;
  /** @type {import("./types.js").Choice[]} */ #choices = [];
  /** @type {?string} the text that `#choices` answer */ #choicesFor = null;
  #asked = 0;
  #askLater = quietly(() => this.#ask(), PAUSE);

  /**
   * @param {SlashForm} form
   * @param {CommandOption} option
   * @param {string} text
   */
  constructor(form, option, text) {
    this.form = form;
    this.option = option;
    this.input = h("input", {
      type: "text",
      class: "slash-input",
      role: "combobox",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      inputmode:
        option.type === T.INTEGER ? "numeric" : option.type === T.NUMBER ? "decimal" : false,
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-label": `${option.name}: ${option.description}`,
      "aria-required": option.required ? "true" : false,
      "aria-describedby": "composer-hint",
      data: { option: option.name },
    });
    this.element = h(
      "label",
      { class: option.required ? "slash-field required" : "slash-field" },
      h("span", { class: "slash-option" }, option.name),
      this.input,
    );
    this.setText(text);
    this.input.addEventListener("input", () => this.#typed());
    this.input.addEventListener("focus", () => this.#focused());
    this.input.addEventListener("keydown", (event) => this.#key(event));
  }

  get text() {
    return this.input.value.trim();
  }

  /** @param {string} text */
  setText(text) {
    this.input.value = text;
    this.#fit();
  }

  /** What will be sent. @returns {import("./commands.js").Resolved} */
  resolved() {
    if (this.#chosen) return { value: this.#chosen };
    const low = this.text.toLowerCase();
    const same = this.#choices.filter((one) =>
      [one.name, String(one.value)].some((text) => text.toLowerCase() === low),
    );
    const only = this.#choicesFor === this.text && this.#choices.length === 1 ? this.#choices : [];
    const [choice] = same.length === 1 ? same : this.text ? only : [];
    if (choice) return { value: { value: choice.value, label: choice.name } };
    return resolve(this.option, this.text, this.form.around);
  }

  /** @param {string|null} sentence */
  complain(sentence) {
    this.element.classList.toggle("wrong", sentence !== null);
    if (sentence === null) this.input.removeAttribute("aria-invalid");
    else this.input.setAttribute("aria-invalid", "true");
  }

  focus() {
    this.input.focus();
    this.input.setSelectionRange(this.input.value.length, this.input.value.length);
  }

  /** Show what may be put here. */
  refresh() {
    if (document.activeElement !== this.input) return;
    if (this.option.autocomplete) {
      this.#show(
        this.#choices.map((choice) =>
          this.#suggestion({ value: choice.value, label: choice.name }),
        ),
        "…",
      );
      this.#askLater();
    } else this.#show(this.#known());
  }

  #fit() {
    this.input.size = Math.max(6, Math.min(this.input.value.length + 1, 60));
  }

  #focused() {
    this.form.entered(this);
    this.refresh();
  }

  #typed() {
    this.#chosen = null;
    this.complain(null);
    this.#fit();
    if (this.form.spread(this)) return;
    this.form.entered(this);
    this.refresh();
  }

  /** Fixed lists: choices, true and false, people, channels, roles. @returns {Suggestion[]} */
  #known() {
    const { option } = this;
    const typed = this.#chosen ? "" : this.text;
    const fits = (/** @type {string} */ name) => name.toLowerCase().includes(typed.toLowerCase());
    if (option.choices?.length) {
      return option.choices
        .filter((one) => fits(one.name))
        .map((one) => this.#suggestion({ value: one.value, label: one.name }));
    }
    if (option.type === T.BOOLEAN) {
      return [true, false]
        .filter((value) => fits(String(value)))
        .map((value) => this.#suggestion({ value, label: value ? "True" : "False" }));
    }
    const sign = option.type === T.CHANNEL ? "#" : "@";
    return namesLike(this.form.entities(option), typed.replace(/^[@#]/, "")).map((one) =>
      this.#suggestion({ value: one.id, label: sign + one.name }, one.aliases[0], one.picture),
    );
  }

  /** @param {Value} value @param {string} [detail] @param {Node} [picture] @returns {Suggestion} */
  #suggestion(value, detail, picture) {
    const take = () => {
      this.#chosen = value;
      this.setText(value.label);
      this.complain(null);
      this.form.next(this);
    };
    return { title: value.label, detail, picture, take };
  }

  /** @param {Suggestion[]} list @param {string} [note] */
  #show(list, note) {
    const { name, description } = this.option;
    suggest.show(this.input, `${name} · ${description}`, list, { note, select: this.text !== "" });
  }

  async #ask() {
    const turn = ++this.#asked;
    const text = this.text;
    const choices = await this.form.choicesFor(this);
    if (turn !== this.#asked || !this.input.isConnected) return;
    this.#choices = choices ?? [];
    this.#choicesFor = text;
    if (document.activeElement !== this.input) return;
    const none = text ? "Nothing fits what you typed" : "There is nothing to choose from now";
    const note = choices ? none : "The choices didn't load";
    this.#show(
      this.#choices.map((choice) => this.#suggestion({ value: choice.value, label: choice.name })),
      note,
    );
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { selectionStart, selectionEnd, value } = this.input;
    const atStart = selectionStart === 0 && selectionEnd === 0;
    if (event.isComposing) return;
    if (event.key === "Enter") this.#enter();
    else if (
      event.key === "Tab" &&
      !event.shiftKey &&
      suggest.open &&
      !this.#chosen &&
      (this.text || suggest.chosenByHand)
    ) {
      suggest.take();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp")
      suggest.move(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Escape") this.form.leave("");
    else if (event.key === "Backspace" && value === "") this.form.removeBefore(this);
    else if (event.key === "ArrowLeft" && atStart) this.form.step(this, -1);
    else if (event.key === "ArrowRight" && selectionStart === value.length) this.form.step(this, 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Take what is marked in the list, so that more options can be added; send what was taken. */
  #enter() {
    const marked = this.text !== "" && suggest.open && !this.#chosen;
    // A list that answers an earlier text would give something else than what was typed.
    const answers = !this.option.autocomplete || this.#choicesFor === this.text;
    if (suggest.chosenByHand || (marked && (answers || "error" in this.resolved()))) suggest.take();
    else this.form.send();
  }
}
