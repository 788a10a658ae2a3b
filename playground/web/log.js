/** The log of a channel: its messages in order, kept in step with the store, with the reader's place kept. */

import { clock } from "./clock.js";
import { byId, h } from "./dom.js";
import { isNewer } from "./ids.js";
import { beginning, pendingRow } from "./logrows.js";
import { messageRow } from "./render/message.js";
import { inWords } from "./render/time.js";
import { hasFlag, MessageFlag } from "./types.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./types.js").Message} Message
 */

const PAGE = 50;
const TOGETHER_WITHIN = 7 * 60_000;
const NEAR = 80;

export class LogView {
  /** @type {Map<string, {element: HTMLElement, message: Message, compact: boolean}>} */ #rows =
    new Map();
  /** @type {Map<string, HTMLElement>} what stands between messages */ #between = new Map();
  /** @type {?string} the newest message that had been read when the channel was opened */ #readUpTo =
    null;
  /** @type {?string} the message from which on all was new to the reader */ #newFrom = null;
  #atBottom = true;
  #loading = false;
  channelId = "";

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.root = byId("log");
    this.rows = byId("rows");
    this.jump = byId("jump");
    this.root.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.jump.addEventListener("click", () => this.toBottom());
    new ResizeObserver(() => this.#settle()).observe(this.rows);
    new ResizeObserver(() => this.#settle()).observe(this.root);
    app.store.on("log", ({ channelId, created }) => {
      if (channelId !== this.channelId) return;
      if (created) this.#arrived(created);
      this.draw();
    });
    app.store.on("ready", () => this.#load());
    app.store.on("people", () => this.redraw());
    app.store.on("pending", ({ channelId, messageId }) => {
      if (channelId !== this.channelId) return;
      if (messageId) this.#rows.delete(messageId);
      this.draw();
    });
    document.addEventListener("visibilitychange", () => this.#markRead());
    window.addEventListener("focus", () => this.#markRead());
  }

  /** Show a channel. @param {string} channelId @param {string} [messageId] the message to go to */
  async show(channelId, messageId) {
    if (channelId !== this.channelId) {
      this.channelId = channelId;
      this.#readUpTo = this.app.store.unread.readUpTo(channelId);
      this.#newFrom = null;
      this.#rows.clear();
      this.#between.clear();
      this.#atBottom = true;
      this.rows.replaceChildren();
    }
    this.draw();
    await this.#load();
    if (messageId) this.#goTo(messageId);
  }

  /** Draw every message anew, as names may have changed. */
  redraw() {
    this.#rows.clear();
    this.draw();
  }

  toBottom() {
    this.#atBottom = true;
    this.root.scrollTop = this.root.scrollHeight;
    this.#scrolled();
  }

  /** Move the focus to the newest message. */
  focusLast() {
    const rows = this.rows.querySelectorAll(".message");
    /** @type {HTMLElement|undefined} */ (rows[rows.length - 1])?.focus();
  }

  /** Bring the rows in step with the store, keeping those that haven't changed. */
  draw() {
    const { store } = this.app;
    const channel = store.channels.get(this.channelId);
    if (!channel) return;
    const log = store.log(this.channelId);
    const keyed = this.#focusedKey();
    /** @type {Node[]} */
    const wanted = log.complete
      ? [
          this.#kept(`top ${store.titleOf(channel)} ${channel.topic}`, () =>
            beginning(store, channel),
          ),
        ]
      : [];
    const kept = new Map();
    let last = /** @type {Message|null} */ (null);
    if (this.#readUpTo && log.loaded) {
      this.#newFrom ??= log.messages.find((message) => this.#isNews(message))?.id ?? null;
      this.#readUpTo = null;
    }
    for (const message of log.messages) {
      const day = dayOf(message);
      if (!last || dayOf(last) !== day) wanted.push(this.#line("day", day));
      if (message.id === this.#newFrom) wanted.push(this.#line("new-from-here", "New"));
      const follows = last !== null && goesWith(message, last) && message.id !== this.#newFrom;
      const row = this.#rowFor(message, follows);
      kept.set(message.id, row);
      wanted.push(row.element);
      last = message;
    }
    this.#rows = kept;
    wanted.push(
      ...this.app.interactions.commandsIn(this.channelId).map((one) => pendingRow(this.app, one)),
    );
    place(this.rows, wanted);
    this.#refocus(keyed);
    this.#settle();
    this.#markRead();
  }

  /** @param {Message} message @param {boolean} compact */
  #rowFor(message, compact) {
    const old = this.#rows.get(message.id);
    if (old && old.message === message && old.compact === compact) return old;
    return { element: messageRow(this.app, message, { compact }), message, compact };
  }

  /** Was it written by somebody else after the reader was here last? @param {Message} message */
  #isNews(message) {
    const mine = message.author.id === this.app.store.me.id;
    return !mine && !hasFlag(message, MessageFlag.EPHEMERAL) && isNewer(message.id, this.#readUpTo);
  }

  /** What comes while nobody looks is new; who writes has seen everything. @param {Message} message */
  #arrived(message) {
    const away = document.hidden || !this.#atBottom;
    if (message.author.id === this.app.store.me.id) this.#newFrom = null;
    else if (away && this.#newFrom === null && this.#isNews(message)) this.#newFrom = message.id;
  }

  /** A line across the log. @param {string} kind @param {string} words */
  #line(kind, words) {
    return this.#kept(words, () => h("div", { class: kind, role: "separator" }, words));
  }

  /** The same element for the same key, so that nothing is read out anew. @param {string} key @param {() => HTMLElement} make */
  #kept(key, make) {
    const element = this.#between.get(key) ?? make();
    this.#between.set(key, element);
    return element;
  }

  /** Ask for messages that aren't here yet: the newest, or those before the oldest. */
  async #load(older = false) {
    const { store, live } = this.app;
    const channelId = this.channelId;
    if (this.#loading || !store.channels.has(channelId) || !live.open) return;
    const log = store.log(channelId);
    if (older ? log.complete : log.loaded) return;
    this.#loading = true;
    try {
      const before = older ? log.messages[0]?.id : undefined;
      const { messages } = await live.ask("history", {
        channel_id: channelId,
        limit: PAGE,
        ...(before && { before }),
      });
      const height = this.root.scrollHeight;
      const top = this.root.scrollTop;
      store.addHistory(channelId, messages, messages.length < PAGE);
      if (older && channelId === this.channelId)
        this.root.scrollTop = top + this.root.scrollHeight - height;
    } catch (error) {
      if (live.open)
        this.app.toast(`The messages didn't load: ${/** @type {Error} */ (error).message}`, "bad");
    } finally {
      this.#loading = false;
      if (channelId !== this.channelId) this.#load();
    }
  }

  #scrolled() {
    const left = this.root.scrollHeight - this.root.scrollTop - this.root.clientHeight;
    this.#atBottom = left < NEAR;
    this.jump.hidden = this.#atBottom;
    if (this.root.scrollTop < 200 && this.app.store.log(this.channelId).loaded) this.#load(true);
    this.#markRead();
  }

  /** After something has grown: stay at the end, if that is where the reader was. */
  #settle() {
    if (this.#atBottom) this.root.scrollTop = this.root.scrollHeight;
  }

  #markRead() {
    const { store, live } = this.app;
    if (!this.#atBottom || document.hidden || !live.open || !store.log(this.channelId).loaded)
      return;
    const messageId = store.unread.seen(this.channelId);
    if (!messageId) return;
    live.send("read", { channel_id: this.channelId, message_id: messageId });
    store.emit("unread");
  }

  /** @param {string} messageId */
  #goTo(messageId) {
    const row = this.#rows.get(messageId)?.element;
    if (!row) return;
    this.#atBottom = false;
    row.scrollIntoView({ block: "center" });
    row.focus({ preventScroll: true });
    row.classList.add("flash");
    setTimeout(() => row.classList.remove("flash"), 1600);
  }

  /** What has the focus within the log, so that it can be given back after a redraw. */
  #focusedKey() {
    const focused = /** @type {HTMLElement|null} */ (document.activeElement);
    const row = /** @type {HTMLElement|null|undefined} */ (focused?.closest("#rows .message"));
    return row ? { id: row.dataset.id, key: focused?.dataset.key } : null;
  }

  /** @param {{id?: string, key?: string}|null} keyed */
  #refocus(keyed) {
    if (!keyed?.id || this.rows.contains(document.activeElement)) return;
    const row = this.#rows.get(keyed.id)?.element;
    const controls = /** @type {NodeListOf<HTMLElement>} */ (
      row?.querySelectorAll("[data-key]") ?? []
    );
    const same = [...controls].find(
      (control) => control.dataset.key === keyed.key && !control.hasAttribute("disabled"),
    );
    (same ?? row ?? byId("message-input")).focus({ preventScroll: true });
  }
}

/** Put exactly these nodes into a parent, moving as few as can be. @param {HTMLElement} parent @param {Node[]} wanted */
function place(parent, wanted) {
  const keep = new Set(wanted);
  for (const child of [...parent.childNodes]) if (!keep.has(child)) child.remove();
  let at = parent.firstChild;
  for (const node of wanted) {
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
}

/** Does a message stand under the name of the one before it? @param {Message} message @param {Message} last */
function goesWith(message, last) {
  return (
    message.author.id === last.author.id &&
    Date.parse(message.timestamp) - Date.parse(last.timestamp) < TOGETHER_WITHIN &&
    !message.interaction_metadata?.user &&
    !message.referenced_message &&
    message.type !== 19 &&
    hasFlag(message, MessageFlag.EPHEMERAL) === hasFlag(last, MessageFlag.EPHEMERAL) &&
    dayOf(message) === dayOf(last)
  );
}

/** @param {Message} message */
function dayOf(message) {
  const ms = Date.parse(message.timestamp);
  return inWords(Number.isNaN(ms) ? clock.now() : ms, "D", 0);
}
