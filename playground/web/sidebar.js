/** The left side: servers, channels with their threads, direct messages, and who sits here. */

import { byId, h, refill } from "./dom.js";
import { placeIcon } from "./entities.js";
import { icon } from "./icons.js";
import { compareIds } from "./ids.js";
import { avatar } from "./render/avatar.js";
import { seatAddress } from "./seats.js";
import { ChannelType, isThread } from "./types.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./types.js").Channel} Channel
 */

export class Sidebar {
  /** The server whose channels are listed. */ #guildId = "";

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    app.store.on("ready places people unread moved", () => this.draw());
    app.store.on("ready places people faults", () => this.#drawMe());
    byId("skip").addEventListener("click", () => app.composer.focus());
    byId("side").addEventListener("keydown", (event) => this.#arrows(event));
  }

  draw() {
    const { store } = this.app;
    const here = store.channels.get(this.app.channelId)?.guild_id;
    this.#guildId =
      here ??
      (store.guilds.has(this.#guildId) ? this.#guildId : ([...store.guilds.keys()][0] ?? ""));
    const focused = /** @type {HTMLElement|null} */ (document.activeElement)?.dataset.place;
    this.#drawRail();
    refill(byId("side-title"), h("h1", {}, store.guilds.get(this.#guildId)?.name ?? "No server"));
    refill(byId("places"), this.#channels(), this.#dms());
    if (focused)
      this.#links()
        .find((link) => link.dataset.place === focused)
        ?.focus();
  }

  #drawRail() {
    const { store } = this.app;
    const tiles = [...store.guilds.values()].map((guild) => {
      const inside = guild.id === this.#guildId;
      const channels = [...store.channels.values()].filter(
        (channel) => channel.guild_id === guild.id,
      );
      const calls = channels.reduce((sum, channel) => sum + store.unread.calls(channel.id), 0);
      const unread = channels.some((channel) => store.unread.isUnread(channel.id));
      const first = channels
        .filter((channel) => channel.type === ChannelType.TEXT)
        .sort(byPosition)[0];
      return h(
        "button",
        {
          type: "button",
          class: `tile${inside ? " here" : ""}${unread ? " unread" : ""}`,
          "aria-label": `${guild.name}${calls ? `, ${calls} mentions` : unread ? ", unread" : ""}`,
          "aria-current": inside ? "true" : false,
          title: guild.name,
          on: { click: () => first && this.app.open(first.id) },
        },
        initials(guild.name),
        calls > 0 && h("span", { class: "count", "aria-hidden": "true" }, calls),
      );
    });
    refill(byId("rail"), tiles);
  }

  /** @returns {Node[]} */
  #channels() {
    const all = [...this.app.store.channels.values()].filter(
      (channel) => channel.guild_id === this.#guildId,
    );
    const categories = all
      .filter((channel) => channel.type === ChannelType.CATEGORY)
      .sort(byPosition);
    const places = all.filter(
      (channel) => channel.type !== ChannelType.CATEGORY && !isThread(channel),
    );
    const threads = all.filter(isThread);
    const known = new Set(categories.map((category) => category.id));
    const free = places.filter((channel) => !known.has(channel.parent_id ?? ""));
    return [
      this.#group(categories.length ? "" : "Channels", free, threads),
      ...categories.map((category) =>
        this.#group(
          category.name ?? "",
          places.filter((channel) => channel.parent_id === category.id),
          threads,
        ),
      ),
    ];
  }

  /** @param {string} title @param {Channel[]} channels @param {Channel[]} threads */
  #group(title, channels, threads) {
    if (!channels.length) return h("span", { hidden: true });
    return h(
      "section",
      { class: "place-group", "aria-label": title || "Channels" },
      title && h("h2", {}, title),
      h(
        "ul",
        {},
        channels.sort(byPosition).map((channel) => {
          const own = threads
            .filter((thread) => thread.parent_id === channel.id)
            .filter((thread) => !thread.archived || thread.id === this.app.channelId)
            .sort((a, b) => compareIds(a.id, b.id));
          return h(
            "li",
            {},
            this.#place(channel),
            own.length > 0 &&
              h(
                "ul",
                { class: "threads" },
                own.map((thread) => h("li", {}, this.#place(thread))),
              ),
          );
        }),
      ),
    );
  }

  #dms() {
    const { store } = this.app;
    const places = store.dms.map((channel) => h("li", {}, this.#place(channel)));
    return h(
      "section",
      { class: "place-group", "aria-label": "Direct messages" },
      h("h2", {}, "Direct messages"),
      places.length ? h("ul", {}, places) : h("p", { class: "none-yet" }, "None yet."),
    );
  }

  /** @param {Channel} channel */
  #place(channel) {
    const { store } = this.app;
    const here = channel.id === this.app.channelId;
    const title = store.titleOf(channel);
    const calls = store.unread.calls(channel.id);
    const unread = store.unread.isUnread(channel.id) || calls > 0;
    const other =
      channel.type === ChannelType.DM
        ? channel.recipients?.find((user) => user.id !== store.me.id)
        : undefined;
    const spoken = [
      title,
      channel.archived && "archived",
      calls ? `${calls} new for you` : unread && "unread",
    ];
    return h(
      "a",
      {
        class: `place${here ? " here" : ""}${unread ? " unread" : ""}${isThread(channel) ? " thread" : ""}`,
        href: `#${channel.id}`,
        "aria-label": spoken.filter(Boolean).join(", "),
        "aria-current": here ? "page" : false,
        data: { place: channel.id },
        on: {
          click: (/** @type {MouseEvent} */ event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            this.app.open(channel.id);
          },
        },
      },
      other
        ? avatar(other, title, "small")
        : h("span", { class: "place-icon" }, icon(placeIcon(channel))),
      h("span", { class: "place-name" }, title),
      (channel.locked || channel.archived) &&
        h("span", { class: "place-icon" }, icon(channel.locked ? "lock" : "archive")),
      calls > 0 && h("span", { class: "count", "aria-hidden": "true" }, calls),
    );
  }

  #drawMe() {
    const { store } = this.app;
    const name = store.nameOf(store.me, this.#guildId);
    const others = [...(store.guilds.get(this.#guildId)?.members ?? [])].filter(
      (member) => !member.user.bot && member.user.id !== store.me.id,
    );
    const menu = h(
      "div",
      { id: "seat-menu", class: "menu", popover: "auto" },
      h("p", {}, "Open another seat in a new tab"),
      others.map(({ user, nick }) => {
        const called = nick || user.global_name || user.username;
        return h(
          "a",
          { href: seatAddress(user.id), target: "_blank", rel: "noopener" },
          avatar(user, called, "tiny"),
          called,
          icon("external"),
        );
      }),
      h("a", { href: "/" }, icon("swap"), "Leave this seat"),
    );
    const button = h(
      "button",
      {
        type: "button",
        class: "tool",
        "aria-label": "Seats",
        title: "Seats",
        popovertarget: "seat-menu",
      },
      icon("swap"),
    );
    refill(
      byId("me"),
      avatar(store.me, name, "small"),
      h(
        "span",
        { class: "me-words" },
        h("b", {}, name),
        h("span", {}, store.dmClosed ? "Direct messages closed" : `@${store.me.username}`),
      ),
      button,
      menu,
    );
  }

  /** @returns {HTMLElement[]} */
  #links() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (byId("places").querySelectorAll(".place"))];
  }

  /** Up and down go from place to place. @param {KeyboardEvent} event */
  #arrows(event) {
    const links = this.#links();
    const at = links.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (at < 0 || event.altKey) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    links[to]?.focus();
  }

  /**
   * The place before or behind the present one, as listed.
   * @param {number} by
   * @param {boolean} unreadOnly
   */
  neighbour(by, unreadOnly) {
    const links = this.#links();
    const at = links.findIndex((link) => link.dataset.place === this.app.channelId);
    for (let step = 1; step <= links.length; step += 1) {
      const link = links[(at + by * step + links.length * 2) % links.length];
      if (!unreadOnly || link.classList.contains("unread")) return link.dataset.place;
    }
    return undefined;
  }
}

/** @param {Channel} a @param {Channel} b */
function byPosition(a, b) {
  return (a.position ?? 0) - (b.position ?? 0) || compareIds(a.id, b.id);
}

/** @param {string} name */
function initials(name) {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? ["?"];
  return words
    .slice(0, 2)
    .map((word) => [...word][0])
    .join("");
}
