/** The right side: who is in the server, the application apart, and what can be done with each. */

import { byId, freshId, h, refill } from "./dom.js";
import { icon } from "./icons.js";
import { avatar } from "./render/avatar.js";
import { seatAddress } from "./seats.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./types.js").Member} Member
 */

export class Members {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    app.store.on("ready places people moved", () => this.draw());
  }

  draw() {
    const { store } = this.app;
    const guild = store.guilds.get(store.channels.get(this.app.channelId)?.guild_id ?? "");
    const members = [...(guild?.members ?? [])].sort((a, b) =>
      this.#name(a).localeCompare(this.#name(b)),
    );
    byId("members").classList.toggle("empty", !guild);
    refill(
      byId("members"),
      this.#group(
        "People",
        members.filter((member) => !member.user.bot),
        guild?.id,
      ),
      this.#group(
        "Apps",
        members.filter((member) => member.user.bot),
        guild?.id,
      ),
    );
  }

  /** @param {Member} member */
  #name(member) {
    return member.nick || member.user.global_name || member.user.username;
  }

  /** @param {string} title @param {Member[]} members @param {string} [guildId] */
  #group(title, members, guildId) {
    if (!members.length) return null;
    return h(
      "section",
      { class: "member-group", "aria-label": title },
      h("h2", {}, `${title} — ${members.length}`),
      h(
        "ul",
        {},
        members.map((member) => h("li", {}, this.#member(member, guildId ?? ""))),
      ),
    );
  }

  /** @param {Member} member @param {string} guildId */
  #member(member, guildId) {
    const { store } = this.app;
    const { user } = member;
    const name = this.#name(member);
    const off = user.id === store.app.bot.id && !store.botOnline;
    const menuId = freshId("member");
    return [
      h(
        "button",
        {
          type: "button",
          class: off ? "member off" : "member",
          popovertarget: menuId,
          "aria-label": `${name}${user.id === store.me.id ? ", you" : ""}${off ? ", offline" : ""}`,
        },
        avatar(user, name, "small"),
        h("span", { class: "member-name" }, name),
        user.id === store.me.id && h("span", { class: "badge quiet" }, "you"),
        user.bot && h("span", { class: off ? "badge quiet" : "badge" }, off ? "offline" : "App"),
      ),
      this.#menu(menuId, member, name, guildId),
    ];
  }

  /** @param {string} id @param {Member} member @param {string} name @param {string} guildId */
  #menu(id, { user }, name, guildId) {
    const menu = h(
      "div",
      { id, class: "menu", popover: "auto" },
      h("p", {}, h("b", {}, name), ` @${user.username}`),
      !user.bot &&
        user.id !== this.app.store.me.id &&
        h(
          "a",
          { href: seatAddress(user.id), target: "_blank", rel: "noopener" },
          icon("external"),
          "Sit down here in a new tab",
        ),
      h(
        "button",
        { type: "button", on: { click: () => this.#do(menu, () => this.app.copy(user.id)) } },
        icon("copy"),
        "Copy the id",
      ),
      h(
        "button",
        {
          type: "button",
          class: "grave",
          on: { click: () => this.#do(menu, () => this.app.faults.leave(user, guildId)) },
        },
        icon("close"),
        user.bot ? "Kick from the server" : "Leave the server",
      ),
    );
    return menu;
  }

  /** @param {HTMLElement} menu @param {() => void} act */
  #do(menu, act) {
    menu.hidePopover();
    act();
  }
}
