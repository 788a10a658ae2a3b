/** One person's seat: the store, the socket and the views, and what can be done from any of them. */

import { Composer } from "./composer.js";
import { byId } from "./dom.js";
import { Faults } from "./faults.js";
import { Interactions } from "./interactions.js";
import { bindKeys } from "./keyboard.js";
import { Live } from "./live.js";
import { LogView } from "./log.js";
import { Members } from "./members.js";
import { openModal } from "./modal.js";
import { confirmed, showLost, toast } from "./notices.js";
import { Panels } from "./panels.js";
import { Sidebar } from "./sidebar.js";
import { Store } from "./store.js";
import { Top } from "./top.js";
import { ChannelType } from "./types.js";

/** @typedef {import("./types.js").Message} Message */

export class App {
  channelId = "";
  toast = toast;

  /** @param {string} userId who sits here */
  constructor(userId) {
    this.userId = userId;
    this.store = new Store();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.live = new Live(
      `${scheme}://${location.host}/page/live?user=${encodeURIComponent(userId)}`,
      (frame) => this.store.take(frame),
      (state) => this.#connection(state),
    );
    this.interactions = new Interactions(this.store, this.live, (sentence) =>
      toast(sentence, "bad"),
    );
    this.panels = new Panels();
    this.log = new LogView(this);
    this.composer = new Composer(this);
    this.sidebar = new Sidebar(this);
    this.members = new Members(this);
    this.top = new Top(this);
    this.faults = new Faults(this);
    bindKeys(this);
    this.store.on("ready places", () => this.#stayOrMove());
    this.store.on("unread places ready", () => this.#title());
    this.store.on("modal", (asked) => openModal(this, asked));
    window.addEventListener("hashchange", () => this.#followHash());
  }

  /** Sit down: show the page and connect. */
  start() {
    byId("app").hidden = false;
    this.live.connect();
  }

  /** Show a channel, and in it a message. @param {string} channelId @param {string} [messageId] */
  open(channelId, messageId) {
    if (!this.store.channels.has(channelId)) {
      toast("That channel isn't there, or it isn't for you.", "bad");
      return;
    }
    const moved = channelId !== this.channelId;
    this.channelId = channelId;
    const hash = `#${channelId}`;
    if (location.hash !== hash) history.pushState(null, "", hash);
    if (moved) this.composer.show(channelId);
    this.panels.closeDrawers();
    this.store.emit("moved");
    this.log.show(channelId, messageId);
    this.#title();
    if (moved && !messageId && matchMedia("(hover: hover)").matches) this.composer.focus();
  }

  /** Begin writing something for the person. @param {string} text */
  write(text) {
    this.composer.write(text);
  }

  focusLastMessage() {
    this.log.focusLast();
  }

  /** @param {Message} message only this person sees it */
  dismiss(message) {
    this.live.send("dismiss", { channel_id: message.channel_id, message_id: message.id });
    this.store.dropMessage(message.channel_id, message.id);
  }

  /** One's own message goes as it came; another's as a moderator might take it. @param {Message} message */
  async deleteMessage(message) {
    if (!(await confirmed("Delete this message?", "Delete"))) return;
    const place = { channel_id: message.channel_id, message_id: message.id };
    const own = message.author.id === this.store.me.id;
    const sent = own
      ? this.live.send("delete", place)
      : this.live.send("fault", { name: "delete_message", value: place });
    if (!sent) toast("Not connected. Nothing was deleted.", "bad");
  }

  /** @param {string} text */
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      toast("Copied.", "good");
    } catch {
      toast("The browser doesn't let this page copy.", "bad");
    }
  }

  /** Where the picture of a custom emoji is. @param {string} id @param {boolean} animated */
  emojiAddress(id, animated) {
    return `/emojis/${encodeURIComponent(id)}.${animated ? "gif" : "png"}`;
  }

  /** @param {"open"|"lost"} state */
  #connection(state) {
    showLost(state === "lost");
    if (state !== "lost") return;
    this.interactions.connectionLost();
    if (!this.channelId) this.#leaveUnknownSeat();
  }

  /** Back to the question who sits down, if nobody of this number is in the house. */
  async #leaveUnknownSeat() {
    const answer = await fetch("/page/people").catch(() => null);
    const people = answer?.ok ? await answer.json() : null;
    if (people && !people.some((/** @type {any} */ user) => user.id === this.userId))
      location.replace("/");
  }

  /** Keep the channel if it is still there; else go to the one in the address, or the first. */
  #stayOrMove() {
    if (this.store.channels.has(this.channelId)) return;
    const wished = location.hash.slice(1);
    const channels = [...this.store.channels.values()];
    const text = channels
      .filter(
        ({ guild_id, type }) =>
          guild_id && (type === ChannelType.TEXT || type === ChannelType.NEWS),
      )
      .sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
    const next = this.store.channels.get(wished) ?? text[0] ?? channels[0];
    if (next) this.open(next.id);
  }

  #followHash() {
    const id = location.hash.slice(1);
    if (id !== this.channelId && this.store.channels.has(id)) this.open(id);
  }

  #title() {
    const channel = this.store.channels.get(this.channelId);
    const calls = this.store.unread.allCalls;
    const place = channel
      ? `${channel.guild_id ? "#" : "@"}${this.store.titleOf(channel)}`
      : "Playground";
    document.title = `${calls ? `(${calls}) ` : ""}${place} · ${this.store.nameOf(this.store.me)}`;
  }
}
