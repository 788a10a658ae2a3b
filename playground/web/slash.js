/** A slash command being written: its name, then a prompt for each option, until it is sent or left. */

import { nest, readValues } from "./commands.js";
import { byId, h, refill } from "./dom.js";
import { icon } from "./icons.js";
import { avatar } from "./render/avatar.js";
import { SlashField } from "./slashfield.js";
import { suggest } from "./suggest.js";
import { OptionType as T } from "./types.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./commands.js").Entry} Entry
 * @typedef {import("./commands.js").Named & {picture?: Node}} Pictured
 * @typedef {import("./types.js").CommandOption} CommandOption
 */

export class SlashForm {
  /** @type {Entry|null} */ entry = null;
  /** @type {SlashField[]} */ fields = [];
  channelId = "";

  /**
   * @param {App} app
   * @param {HTMLElement} element where it is drawn
   * @param {(text: string) => void} onLeave back to plain writing, with this text
   */
  constructor(app, element, onLeave) {
    this.app = app;
    this.element = element;
    this.onLeave = onLeave;
    this.more = this.#makeMore();
    this.button = byId("leave");
    this.button.append(icon("close"));
    this.button.addEventListener("click", () => this.leave(""));
  }

  /**
   * Begin a command.
   * @param {Entry} entry
   * @param {string} channelId
   * @param {string} [rest] what was typed behind its name
   */
  start(entry, channelId, rest = "") {
    this.entry = entry;
    this.channelId = channelId;
    const { values, loose } = readValues(entry, rest);
    this.fields = entry.options
      .filter((option) => option.required || values.has(option.name))
      .map((option) => new SlashField(this, option, values.get(option.name) ?? ""));
    this.more.value = loose;
    this.#draw();
    this.element.hidden = false;
    this.button.hidden = false;
    const empty = this.fields.find((field) => !field.text);
    if (empty) empty.focus();
    else if (this.fields.length && rest) this.fields[this.fields.length - 1].focus();
    else this.more.focus();
  }

  /** Stop writing the command. @param {string} text what plain writing goes on with */
  leave(text) {
    this.entry = null;
    this.fields = [];
    this.element.hidden = true;
    this.button.hidden = true;
    this.hint("");
    suggest.hide();
    this.onLeave(text);
  }

  /** Send it, unless an option is missing or wrong: then say so and go there. */
  send() {
    const { entry } = this;
    if (!entry) return;
    const found = this.fields.map((field) => ({ field, resolved: field.resolved() }));
    const wrong = found.filter(
      (one) => "error" in one.resolved && (one.field.option.required || one.field.text),
    );
    for (const { field } of found) field.complain(null);
    if (wrong.length || this.more.value.trim()) {
      this.#complain(wrong);
      return;
    }
    const values = found.flatMap(({ field, resolved }) =>
      "value" in resolved ? [{ option: field.option, value: resolved.value.value }] : [],
    );
    if (this.app.interactions.command(this.channelId, entry.title, nest(entry, values)))
      this.leave("");
  }

  /** @param {{field: SlashField, resolved: import("./commands.js").Resolved}[]} wrong */
  #complain(wrong) {
    for (const { field, resolved } of wrong)
      if ("error" in resolved) field.complain(resolved.error);
    const first = wrong[0];
    if (!first) {
      this.more.focus();
      this.hint(`“${this.more.value.trim()}” is none of the options`, true);
      return;
    }
    first.field.focus();
    if ("error" in first.resolved)
      this.hint(`${first.field.option.name}: ${first.resolved.error}`, true);
  }

  /** A field got the focus. @param {SlashField} field */
  entered(field) {
    if (!field.element.classList.contains("wrong")) this.hint(field.option.description);
  }

  /** Go on behind a field that is filled: to the next required one, else to the optional ones. @param {SlashField} field */
  next(field) {
    const after = this.fields.slice(this.fields.indexOf(field) + 1);
    const empty = [...after, ...this.fields].find((other) => other.option.required && !other.text);
    if (empty) empty.focus();
    else this.more.focus();
  }

  /** @param {SlashField|null} field null: the place for more options @param {number} by */
  step(field, by) {
    const stops = [...this.fields.map((one) => one.input), this.more];
    const at = field ? this.fields.indexOf(field) : stops.length - 1;
    const stop = stops[at + by];
    stop?.focus();
    if (stop)
      stop.setSelectionRange(by < 0 ? stop.value.length : 0, by < 0 ? stop.value.length : 0);
  }

  /** Backspace in an empty field: an optional one goes away, else the command becomes text again. @param {SlashField} field */
  removeBefore(field) {
    if (field.option.required) {
      if (this.fields.indexOf(field) > 0) this.step(field, -1);
      else this.leave(this.entry?.title ?? "");
      return;
    }
    const at = this.fields.indexOf(field);
    this.fields.splice(at, 1);
    this.#draw();
    if (at > 0) this.fields[at - 1].focus();
    else this.more.focus();
  }

  /**
   * Give `name:` within a field's text to the option of that name.
   * @param {SlashField} field
   * @returns {boolean} whether the focus moved
   */
  spread(field) {
    const own = new RegExp(`^\\s*${field.option.name}:\\s*`, "i");
    const text = field.input.value;
    if (own.test(text)) field.setText(text.replace(own, ""));
    for (const option of this.entry?.options ?? []) {
      if (option === field.option) continue;
      const match = new RegExp(`^(.*?)(?:^|\\s)${option.name}:\\s*(.*)$`, "i").exec(
        field.input.value,
      );
      if (!match) continue;
      field.setText(match[1].trim());
      const other = this.#open(option);
      other.setText(match[2]);
      other.focus();
      if (!this.spread(other)) other.refresh();
      return true;
    }
    return false;
  }

  /** What an option of people, roles or channels may name. @param {CommandOption} option @returns {Pictured[]} */
  entities(option) {
    const { people, roles, channels } = this.around;
    if (option.type === T.USER) return people;
    if (option.type === T.ROLE) return roles;
    if (option.type === T.MENTIONABLE) return [...people, ...roles];
    if (option.type !== T.CHANNEL) return [];
    const types = option.channel_types;
    return channels.filter((channel) => !types?.length || types.includes(channel.type));
  }

  /** Everybody and everything that can be named here. */
  get around() {
    const { store } = this.app;
    const channel = store.channels.get(this.channelId);
    const guildId = channel?.guild_id ?? null;
    const people = store.peopleIn(channel).map((user) => {
      const name = store.nameOf(user, guildId);
      return { id: user.id, name, aliases: [user.username], picture: avatar(user, name, "tiny") };
    });
    const roles = store.guilds.get(guildId ?? "")?.roles ?? [];
    const channels = [...store.channels.values()].filter((one) => one.guild_id === guildId);
    return {
      people,
      roles: roles.map((role) => ({ id: role.id, name: role.name, aliases: [] })),
      channels: channels.map((one) => ({
        id: one.id,
        name: store.titleOf(one),
        aliases: [],
        type: one.type,
      })),
    };
  }

  /**
   * Ask the application what may be put into a field.
   * @param {SlashField} focused
   * @returns {Promise<import("./types.js").Choice[]|null>} null when it gave no answer
   */
  async choicesFor(focused) {
    // A field asks a moment after the last key; by then another command may be being written.
    if (!this.entry || !this.fields.includes(focused)) return [];
    const values = this.fields.flatMap((field) => {
      if (field === focused) return [{ option: field.option, value: field.text, focused: true }];
      const resolved = field.resolved();
      return "value" in resolved ? [{ option: field.option, value: resolved.value.value }] : [];
    });
    const data = nest(this.entry, values);
    return this.app.live.ask("autocomplete", { channel_id: this.channelId, ...data }).then(
      (answer) => answer.choices ?? [],
      () => null,
    );
  }

  /** Say something about the option at hand. @param {string} sentence @param {boolean} [wrong] */
  hint(sentence, wrong = false) {
    const hint = byId("composer-hint");
    hint.textContent = sentence;
    hint.hidden = sentence === "";
    hint.classList.toggle("wrong", wrong);
    hint.setAttribute("role", wrong ? "alert" : "note");
  }

  /** The field of an option, opened if it isn't there yet. @param {CommandOption} option */
  #open(option) {
    const there = this.fields.find((field) => field.option === option);
    if (there) return there;
    const field = new SlashField(this, option, "");
    this.fields.push(field);
    this.#draw();
    return field;
  }

  #draw() {
    const { entry } = this;
    if (!entry) return;
    const left = this.#unused().length;
    this.more.placeholder = left ? `+${left} optional` : "";
    this.more.classList.toggle("nothing", left === 0);
    this.element.setAttribute("aria-label", `Command ${entry.title}`);
    refill(
      this.element,
      h("span", { class: "slash-name", title: entry.description }, entry.title),
      this.fields.map((field) => field.element),
      this.more,
    );
  }

  #unused() {
    return (this.entry?.options ?? []).filter(
      (option) => !this.fields.some((field) => field.option === option),
    );
  }

  /** The place behind the last field, where optional ones are added. */
  #makeMore() {
    const input = h("input", {
      type: "text",
      class: "slash-more",
      role: "combobox",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-label": "Add an option, or press Enter to send",
      "aria-describedby": "composer-hint",
    });
    input.addEventListener("focus", () => this.#offer());
    input.addEventListener("input", () => {
      const match = /^\s*([-_\p{L}\p{N}]+):(.*)$/u.exec(input.value);
      const option = match && this.#unused().find((one) => one.name === match[1].toLowerCase());
      if (option) this.#add(option, match[2]);
      else this.#offer();
    });
    input.addEventListener("keydown", (event) => this.#moreKey(event));
    return input;
  }

  /** @param {CommandOption} option @param {string} [text] */
  #add(option, text = "") {
    this.more.value = "";
    const field = this.#open(option);
    if (text) field.setText(text.trim());
    field.focus();
  }

  #offer() {
    const typed = this.more.value.trim().toLowerCase();
    const list = this.#unused()
      .filter((option) => option.name.includes(typed))
      .map((option) => ({
        title: option.name,
        detail: option.description,
        take: () => this.#add(option),
      }));
    this.hint(this.entry?.description ?? "");
    suggest.show(this.more, "Options · Enter sends", list, { select: typed !== "" });
  }

  /** @param {KeyboardEvent} event */
  #moreKey(event) {
    const empty = this.more.value === "";
    if (event.isComposing) return;
    if (event.key === "Enter") {
      if (suggest.chosenByHand || (!empty && suggest.open)) suggest.take();
      else this.send();
    } else if (
      event.key === "Tab" &&
      !event.shiftKey &&
      suggest.open &&
      (!empty || suggest.chosenByHand)
    )
      suggest.take();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp")
      suggest.move(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Escape") this.leave("");
    else if (event.key === "Backspace" && empty) {
      if (this.fields.length) this.step(null, -1);
      else this.leave(this.entry?.title ?? "");
    } else if (event.key === "ArrowLeft" && this.more.selectionStart === 0) this.step(null, -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
