/** Where a person writes: plain messages, mentions, and the beginning of slash commands. */

import { layOut, matching, namesLike, split } from "./commands.js";
import { byId } from "./dom.js";
import { avatar } from "./render/avatar.js";
import { SlashForm } from "./slash.js";
import { suggest } from "./suggest.js";
import { ChannelType } from "./types.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./commands.js").Entry} Entry
 */

const TYPING_EVERY = 8000;
const LONGEST = 2000;

export class Composer {
  /** @type {Map<string, string>} unsent text, by channel */ #drafts = new Map();
  /** @type {Map<string, string>} "@Name" as chosen from the list → id */ #mentions = new Map();
  #typingAt = 0;
  channelId = "";

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.input = /** @type {HTMLTextAreaElement} */ (byId("message-input"));
    this.form = new SlashForm(app, byId("slash"), (text) => this.#plain(text));
    this.input.addEventListener("input", () => this.#typed());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.input.addEventListener("blur", () => setTimeout(() => this.#left(), 0));
    byId("send").addEventListener("click", () =>
      this.form.entry ? this.form.send() : this.#send(),
    );
    app.store.on("places ready", () => this.#label());
  }

  /** Write in another channel; what was begun here stays as a draft. @param {string} channelId */
  show(channelId) {
    if (this.channelId) this.#drafts.set(this.channelId, this.form.entry ? "" : this.input.value);
    this.channelId = channelId;
    if (this.form.entry) this.form.leave("");
    suggest.hide();
    this.#setText(this.#drafts.get(channelId) ?? "");
    this.#label();
  }

  focus() {
    if (!this.form.entry) this.input.focus();
    else this.form.more.focus();
  }

  /** Put text here and go on as if it had been typed. @param {string} text */
  write(text) {
    if (this.form.entry) this.form.leave("");
    this.#setText(text);
    this.input.focus();
    this.#typed();
  }

  /** All commands that can be used in this channel. @returns {Entry[]} */
  get entries() {
    const { store } = this.app;
    const channel = store.channels.get(this.channelId);
    const withBot = channel?.recipients?.some((user) => user.id === store.app.bot.id) ?? false;
    if (!channel || (!channel.guild_id && !withBot)) return [];
    return layOut(store.commands, { inServer: Boolean(channel.guild_id) });
  }

  #label() {
    const channel = this.app.store.channels.get(this.channelId);
    if (!channel) return;
    byId("write").hidden = channel.type === ChannelType.FORUM;
    const sign = channel.guild_id ? "#" : "@";
    const words = `Message ${sign}${this.app.store.titleOf(channel)}`;
    this.input.placeholder = words;
    this.input.setAttribute("aria-label", `${words}. A slash begins a command.`);
  }

  /** Back from a command to plain text. @param {string} text */
  #plain(text) {
    this.input.hidden = false;
    this.#setText(text);
    this.input.focus();
    if (text) this.#typed();
  }

  /** @param {string} text */
  #setText(text) {
    this.input.value = text;
    this.#grow();
  }

  #grow() {
    this.input.style.setProperty("height", "auto");
    this.input.style.setProperty("height", `${Math.min(this.input.scrollHeight, 220)}px`);
  }

  #typed() {
    this.#grow();
    this.form.hint("");
    const text = this.input.value;
    if (text.startsWith("/") && !text.includes("\n")) this.#typedCommand(text);
    else if (!this.#offerPeople()) suggest.hide();
    if (!text.startsWith("/") && text && Date.now() - this.#typingAt > TYPING_EVERY) {
      this.#typingAt = Date.now();
      this.app.live.send("typing", { channel_id: this.channelId });
    }
  }

  /** @param {string} text */
  #typedCommand(text) {
    const found = split(this.entries, text);
    if (found && !found.rest && text.endsWith(" ")) {
      this.#begin(found.entry);
      return;
    }
    if (found?.rest) {
      suggest.hide();
      this.form.hint(`${found.entry.description} · Enter sends`);
      return;
    }
    const list = matching(this.entries, text).map((entry) => ({
      title: entry.title,
      detail: entry.description,
      aside: entry.options
        .filter((option) => option.required)
        .map((option) => option.name)
        .join(" "),
      take: () => this.#begin(entry),
    }));
    suggest.show(this.input, `Commands of ${this.app.store.app.bot.username}`, list, {
      note: "No command begins so",
    });
  }

  /** @param {Entry} entry @param {string} [rest] */
  #begin(entry, rest) {
    suggest.hide();
    this.#setText("");
    this.input.hidden = true;
    this.form.start(entry, this.channelId, rest);
  }

  /** Offer people for an @ that is being typed. @returns {boolean} */
  #offerPeople() {
    const before = this.input.value.slice(0, this.input.selectionStart);
    const match = /(?:^|\s)@([\p{L}\p{N}_.-]*)$/u.exec(before);
    if (!match) return false;
    const { store } = this.app;
    const channel = store.channels.get(this.channelId);
    const people = store.peopleIn(channel).map((user) => {
      const name = store.nameOf(user, channel?.guild_id);
      return { id: user.id, name, aliases: [user.username], user };
    });
    const from = before.length - match[1].length - 1;
    const list = namesLike(people, match[1]).map(({ id, name, aliases, user }) => ({
      title: name,
      detail: aliases[0],
      picture: avatar(user, name, "tiny"),
      take: () => {
        this.#mentions.set(`@${name}`, id);
        this.input.setRangeText(`@${name} `, from, this.input.selectionStart, "end");
        suggest.hide();
      },
    }));
    suggest.show(this.input, "People here", list);
    return list.length > 0;
  }

  #left() {
    const inside = byId("composer").contains(document.activeElement);
    if (!inside && !this.form.entry) suggest.hide();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) this.#enter();
    else if (event.key === "Tab" && !event.shiftKey && suggest.open) suggest.take();
    else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && suggest.open) {
      suggest.move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "ArrowUp" && this.input.value === "") this.app.focusLastMessage();
    else if (event.key === "Escape" && (suggest.open || this.input.value.startsWith("/"))) {
      suggest.hide();
      if (this.input.value.startsWith("/")) this.#setText("");
      this.form.hint("");
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Take what is marked in a list, or the command whose whole name was typed; otherwise send. */
  #enter() {
    const whole = this.input.value.startsWith("/") && split(this.entries, this.input.value);
    if (!suggest.open) this.#send();
    else if (whole && !suggest.chosenByHand) this.#begin(whole.entry, whole.rest);
    else suggest.take();
  }

  #send() {
    const text = this.input.value.trim();
    if (!text) return;
    if (text.startsWith("/") && !text.includes("\n")) {
      this.#sendTyped(text);
      return;
    }
    if (text.length > LONGEST) {
      this.form.hint(`A message holds ${LONGEST} characters; this one has ${text.length}.`, true);
      return;
    }
    let content = text;
    for (const [name, id] of this.#mentions) content = content.replaceAll(name, `<@${id}>`);
    if (!this.app.live.send("message", { channel_id: this.channelId, content })) {
      this.form.hint("Not connected. Your text stays here.", true);
      return;
    }
    this.#mentions.clear();
    this.#setText("");
    suggest.hide();
  }

  /** A whole command in one line. @param {string} text */
  #sendTyped(text) {
    const found = split(this.entries, text);
    if (!found) {
      this.form.hint("There is no such command here. Type / to see all.", true);
      return;
    }
    const { entry, rest } = found;
    this.#begin(entry, rest);
    if (rest || !entry.options.some((option) => option.required)) this.form.send();
  }
}
