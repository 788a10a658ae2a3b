/** The bar above the log: where one is, and the buttons for what lies beside it. */

import { byId, h, refill } from "./dom.js";
import { placeIcon } from "./entities.js";
import { icon } from "./icons.js";
import { showHelp } from "./keyboard.js";
import { asked } from "./notices.js";
import { ChannelType, isThread } from "./types.js";

/** @typedef {import("./app.js").App} App */

export class Top {
  /** @type {{channelId: string, known: Set<string>}|null} a thread that was started, and what was there before */
  #awaited = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    app.store.on("ready places people unread moved faults", () => this.draw());
    app.store.on("places", () => this.#awaited && this.#openNewThread());
    app.panels.onChange(() => this.draw());
    byId("send").append(icon("send"));
  }

  draw() {
    const { store, panels } = this.app;
    const channel = store.channels.get(this.app.channelId);
    if (!channel) return;
    const parent = isThread(channel) ? store.channels.get(channel.parent_id ?? "") : undefined;
    const calls = store.unread.allCalls - store.unread.calls(channel.id);
    const state = [channel.archived && "archived", channel.locked && "locked"]
      .filter(Boolean)
      .join(", ");
    const focused = /** @type {HTMLElement|null} */ (document.activeElement)?.dataset.tool;
    refill(
      byId("top"),
      this.#tool("menu", `Channels${calls ? `, ${calls} new for you` : ""}`, "side", calls),
      h("span", { class: "place-icon" }, icon(placeIcon(channel))),
      h(
        "h1",
        {},
        parent && [
          h(
            "button",
            { type: "button", class: "text-button", on: { click: () => this.app.open(parent.id) } },
            store.titleOf(parent),
          ),
          " › ",
        ],
        store.titleOf(channel),
      ),
      state && h("span", { class: "badge quiet" }, state),
      !store.botOnline &&
        h("span", { class: "badge off" }, `${store.nameOf(store.app.bot)} is offline`),
      h("span", { class: "topic" }, channel.topic ?? ""),
      channel.guild_id &&
        !isThread(channel) &&
        this.#button("thread", this.#isForum(channel.id) ? "New post" : "New thread", () =>
          this.#newThread(channel.id),
        ),
      channel.guild_id && this.#tool("people", "Members", "members"),
      this.#tool("bolt", "Faults", "faults", 0, this.app.faults.active.length > 0),
      this.#button("help", "Keys and hints", showHelp),
    );
    if (focused)
      /** @type {HTMLElement|null} */ (
        byId("top").querySelector(`[data-tool="${focused}"]`)
      )?.focus();
    panels.mark();
  }

  /**
   * A button that opens or closes a panel.
   * @param {import("./icons.js").IconName} sign
   * @param {string} label
   * @param {import("./panels.js").PanelName} panel
   * @param {number} [count]
   * @param {boolean} [alert]
   */
  #tool(sign, label, panel, count = 0, alert = false) {
    return h(
      "button",
      {
        type: "button",
        class: `tool for-${panel}${alert ? " alert" : ""}`,
        "aria-label": label,
        title: label,
        "aria-controls": panel,
        "aria-expanded": this.app.panels.isOpen(panel) ? "true" : "false",
        data: { tool: panel },
        on: { click: () => this.app.panels.toggle(panel) },
      },
      icon(sign),
      count > 0 && h("span", { class: "count", "aria-hidden": "true" }, count),
    );
  }

  /** @param {import("./icons.js").IconName} sign @param {string} label @param {() => void} act */
  #button(sign, label, act) {
    return h(
      "button",
      {
        type: "button",
        class: "tool",
        "aria-label": label,
        title: label,
        data: { tool: label },
        on: { click: act },
      },
      icon(sign),
    );
  }

  /** @param {string} channelId */
  async #newThread(channelId) {
    const { live, store } = this.app;
    const name = this.#isForum(channelId)
      ? await asked("What is the post called?", "Post it")
      : await asked("What is the thread called?", "Start the thread");
    if (!name) return;
    const known = new Set(store.channels.keys());
    if (live.send("create_thread", { channel_id: channelId, name }))
      this.#awaited = { channelId, known };
  }

  /** Go into the thread that was started here, as soon as it is there. */
  #openNewThread() {
    const { store } = this.app;
    const found = [...store.channels.values()].find(
      (one) =>
        one.parent_id === this.#awaited?.channelId &&
        !this.#awaited.known.has(one.id) &&
        (one.owner_id ?? store.me.id) === store.me.id,
    );
    if (!found) return;
    this.#awaited = null;
    this.app.open(found.id);
  }

  /** @param {string} channelId */
  #isForum(channelId) {
    return this.app.store.channels.get(channelId)?.type === ChannelType.FORUM;
  }
}
