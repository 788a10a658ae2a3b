/** The faults panel: everything that can go wrong on Discord, made to go wrong here at the press of a button. */

import { clock } from "./clock.js";
import { byId, h, refill } from "./dom.js";
import { button, section, toggle } from "./faultparts.js";
import { interactionRules, requestRules } from "./faultrules.js";
import { icon } from "./icons.js";
import { confirmed } from "./notices.js";
import { inWords } from "./render/time.js";
import { isThread } from "./types.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./types.js").User} User
 */

/** Permissions that a bot like ours lives from. */
const PERMISSIONS = {
  VIEW_CHANNEL: "View the channel",
  SEND_MESSAGES: "Send messages",
  SEND_MESSAGES_IN_THREADS: "Send messages in threads",
  CREATE_PUBLIC_THREADS: "Create threads",
  EMBED_LINKS: "Embed links",
  ATTACH_FILES: "Attach files",
  READ_MESSAGE_HISTORY: "Read older messages",
  MANAGE_MESSAGES: "Manage messages",
  MANAGE_THREADS: "Manage threads",
};

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The server says only when it refuses; silence for so long is consent. */
const REFUSED_WITHIN = 250;

export class Faults {
  /** @type {Map<string, number>} nonce → the timer that says "done" */ #asked = new Map();

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** What was typed into the panel's inputs, kept over redraws. @type {Record<string, string>} */
    this.typed = {
      slow: "4",
      slowAt: "",
      errors: "30",
      status: "503",
      errorsAt: "",
      limit: "5",
      limitAt: "",
      late: "4",
    };
    this.permission = "SEND_MESSAGES";
    app.store.on("ready places people faults moved", () => this.draw());
    app.store.on("complaint", ({ nonce }) => {
      clearTimeout(this.#asked.get(nonce));
      this.#asked.delete(nonce);
    });
    setInterval(() => this.#tick(), 1000);
  }

  /** The switches that are on now. @returns {string[]} */
  get active() {
    const { faults } = this.app.store;
    return ["slow", "errors", "rate_limit", "late", "twice", "lost"].filter((name) =>
      Boolean(faults[name]),
    );
  }

  /**
   * Make something go wrong.
   * @param {string} name of the fault
   * @param {unknown} value what it needs to know
   * @param {string} done what is said when it is asked for
   */
  cause(name, value, done) {
    const nonce = this.app.live.send("fault", { name, value });
    if (!nonce) {
      this.app.toast("Not connected. Nothing was done.", "bad");
      return;
    }
    this.#asked.set(
      nonce,
      setTimeout(() => this.#asked.delete(nonce) && this.app.toast(done, "good"), REFUSED_WITHIN),
    );
  }

  /** Somebody leaves the server, or is put out of it. @param {User} user @param {string} guildId */
  async leave(user, guildId) {
    const { store } = this.app;
    const name = store.nameOf(user, guildId);
    if (user.id === store.app.bot.id)
      this.cause("kick_bot", { guild_id: guildId }, `${name} was put out of the server.`);
    else if (await confirmed(`${name} leaves the server?`, "Leave")) {
      this.cause("leave", { guild_id: guildId, user_id: user.id }, `${name} left the server.`);
    }
  }

  draw() {
    const panel = byId("faults");
    if (
      panel.contains(document.activeElement) &&
      document.activeElement instanceof HTMLInputElement
    )
      return;
    const focused = /** @type {HTMLElement|null} */ (document.activeElement)?.dataset.fault;
    refill(
      panel,
      h(
        "header",
        {},
        h("h2", {}, "Faults"),
        h(
          "button",
          {
            type: "button",
            class: "tool",
            "aria-label": "Close the faults",
            on: { click: () => this.app.panels.toggle("faults") },
          },
          icon("close"),
        ),
      ),
      h(
        "p",
        { class: "faults-lead" },
        "What goes wrong on Discord, on demand. The bot must live with all of it.",
      ),
      this.#you(),
      this.#channel(),
      this.#gateway(),
      requestRules(this),
      interactionRules(this),
      this.#clock(),
      this.#bot(),
      this.active.length > 0 &&
        section(
          "All",
          button("Make everything work again", () =>
            this.cause("clear", {}, "Everything works again."),
          ),
        ),
    );
    if (focused)
      /** @type {HTMLElement|null} */ (
        panel.querySelector(`[data-fault="${CSS.escape(focused)}"]`)
      )?.focus();
  }

  /** The server that one is in, or else the first: what the panel does to "the server" it does there. */
  get #guild() {
    const { store } = this.app;
    const here = store.channels.get(this.app.channelId)?.guild_id ?? "";
    return store.guilds.get(here) ?? [...store.guilds.values()][0];
  }

  #you() {
    const { store, live } = this.app;
    const guild = this.#guild;
    return section(
      "You",
      toggle("Close my direct messages", store.dmClosed, (closed) => {
        if (live.send("dm_closed", { closed })) store.setDmClosed(closed);
      }),
      guild && button("Leave the server", () => this.leave(store.me, guild.id)),
      store.guilds.size === 0 &&
        button("Join the server again", () =>
          this.cause("join", { user_id: store.me.id }, "You are back."),
        ),
    );
  }

  #channel() {
    const { store } = this.app;
    const channel = store.channels.get(this.app.channelId);
    if (!channel?.guild_id) return null;
    const title = `#${store.titleOf(channel)}`;
    const id = { channel_id: channel.id };
    return section(
      `This channel: ${title}`,
      isThread(channel) && [
        toggle("Archived", channel.archived === true, (archived) =>
          this.cause(
            "archive",
            { ...id, archived },
            `${title} is ${archived ? "archived" : "open again"}.`,
          ),
        ),
        toggle("Locked", channel.locked === true, (locked) =>
          this.cause("lock", { ...id, locked }, `${title} is ${locked ? "locked" : "unlocked"}.`),
        ),
      ],
      this.#permissions(channel.id, title),
      button(
        isThread(channel) ? "Delete this thread" : "Delete this channel",
        async () => {
          const sure = await confirmed(`Delete ${title} with all its messages?`, "Delete");
          if (sure) this.cause("delete_channel", id, `${title} was deleted.`);
        },
        "danger",
      ),
      h("p", { class: "hint" }, "A message is deleted with the button that appears beside it."),
    );
  }

  /** @param {string} channelId @param {string} title */
  #permissions(channelId, title) {
    const select = h(
      "select",
      { class: "text-input", "aria-label": "Permission of the bot", data: { fault: "permission" } },
      Object.entries(PERMISSIONS).map(([name, words]) =>
        h("option", { value: name, selected: name === this.permission }, words),
      ),
    );
    select.addEventListener("change", () => (this.permission = select.value));
    const set = (/** @type {boolean} */ allowed) => {
      const value = { channel_id: channelId, name: this.permission, allowed };
      const words =
        Object.entries(PERMISSIONS).find(([name]) => name === this.permission)?.[1] ?? "";
      this.cause(
        "permission",
        value,
        `The bot ${allowed ? "may again" : "may no longer"}: ${words.toLowerCase()} (${title}).`,
      );
    };
    return h(
      "div",
      { class: "fault-group" },
      h("span", { class: "fault-title" }, "The bot's permission here"),
      select,
      h(
        "div",
        { class: "fault-row" },
        button("Take away", () => set(false)),
        button("Give back", () => set(true)),
      ),
    );
  }

  #gateway() {
    return section(
      "Gateway",
      h(
        "div",
        { class: "fault-row" },
        button("Cut the connection", () =>
          this.cause("cut_gateway", { seconds: 0 }, "The bot's gateway was cut."),
        ),
        button("Invalid session", () =>
          this.cause(
            "invalid_session",
            { resumable: false },
            "The bot was told that its session is invalid.",
          ),
        ),
      ),
    );
  }

  #clock() {
    const move = (/** @type {number} */ seconds, /** @type {string} */ words) =>
      button(`+${words}`, () =>
        this.cause("move_clock", { seconds }, `The clock was moved ${words} ahead.`),
      );
    return section(
      "Clock",
      h(
        "p",
        { class: "hint" },
        "It is now ",
        h("time", { id: "house-time" }, inWords(clock.now(), "F", 0)),
        " here. This is Discord's clock; the bot goes by its own.",
      ),
      h(
        "div",
        { class: "fault-row" },
        move(15 * MINUTE, "15 min"),
        move(HOUR, "1 h"),
        move(DAY, "1 day"),
        button("Real time", () =>
          this.cause("reset_clock", {}, "The clock tells the real time again."),
        ),
      ),
    );
  }

  #bot() {
    const { store } = this.app;
    const guild = this.#guild;
    const inside = guild?.members.some((member) => member.user.id === store.app.bot.id) ?? false;
    const value = { guild_id: guild?.id };
    return section(
      "Bot",
      h("p", { class: "hint" }, store.botOnline ? "It is connected." : "It isn't connected."),
      h(
        "div",
        { class: "fault-row" },
        guild &&
          inside &&
          button("Kick it from the server", () =>
            this.cause("kick_bot", value, "The bot was put out of the server."),
          ),
        guild &&
          !inside &&
          button("Invite it again", () =>
            this.cause("invite_bot", value, "The bot was invited again."),
          ),
        button("Restart the bot", () =>
          this.cause("restart_bot", {}, "The bot is being restarted."),
        ),
      ),
    );
  }

  #tick() {
    const shown = document.getElementById("house-time");
    if (shown) shown.textContent = inWords(clock.now(), "F", 0);
  }
}
