/** Rows of a log that are no messages: the beginning of a channel, commands that wait for their answer. */

import { h } from "./dom.js";
import { placeIcon } from "./entities.js";
import { icon } from "./icons.js";
import { avatar } from "./render/avatar.js";
import { thinking } from "./render/message.js";
import { ChannelType } from "./types.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./interactions.js").Pending} Pending
 * @typedef {import("./store.js").Store} Store
 * @typedef {import("./types.js").Channel} Channel
 */

/**
 * The top of a channel that has been read back to its beginning.
 * @param {Store} store
 * @param {Channel} channel
 */
export function beginning(store, channel) {
  const title = store.titleOf(channel);
  return h(
    "div",
    { class: "beginning" },
    h("div", { class: "beginning-icon" }, icon(placeIcon(channel))),
    h("h2", {}, channel.type === ChannelType.DM ? title : `Welcome to #${title}`),
    h("p", {}, purpose(channel, title)),
  );
}

/** @param {Channel} channel @param {string} title */
function purpose(channel, title) {
  if (channel.type === ChannelType.DM) return `Only you and ${title} read this.`;
  if (channel.type === ChannelType.FORUM) {
    return "A forum holds posts: each is a thread, listed under the forum's name.";
  }
  return channel.topic || "This is where the channel begins.";
}

/**
 * A command that was sent and isn't answered yet, or never was.
 * @param {App} app
 * @param {Pending} one
 */
export function pendingRow(app, one) {
  const { store } = app;
  const name = store.nameOf(store.me, store.channels.get(one.channelId)?.guild_id);
  const bot = store.nameOf(store.app.bot);
  return h(
    "article",
    { class: "message pending", tabindex: "-1", "aria-label": `${bot}, in answer to ${one.title}` },
    h(
      "div",
      { class: "answering" },
      avatar(store.me, name, "tiny"),
      h("span", { class: "name" }, name),
      " used ",
      h("span", { class: "mention" }, one.title),
    ),
    avatar(store.app.bot, bot),
    h(
      "div",
      { class: "body" },
      h(
        "div",
        { class: "message-head" },
        h("span", { class: "name" }, bot),
        h("span", { class: "badge" }, "App"),
      ),
      state(app, one, bot),
    ),
  );
}

/** @param {App} app @param {Pending} one @param {string} bot */
function state(app, one, bot) {
  if (one.state === "thinking") return thinking(bot);
  if (one.state === "sending") return h("div", { class: "thinking" }, "Sending the command…");
  const forget = () => app.interactions.forget(one.nonce);
  return [
    h("div", { class: "failure", role: "alert" }, icon("warning"), one.why),
    h(
      "div",
      { class: "only-you" },
      icon("eye"),
      "Only you can see this · ",
      h(
        "button",
        { type: "button", class: "text-button", on: { click: forget } },
        "Dismiss message",
      ),
    ),
  ];
}
