/** One message of a log: who, when, in answer to what, all its parts, and what can be done with it. */

import { clock } from "../clock.js";
import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { ComponentType, hasFlag, MessageFlag } from "../types.js";
import { avatar } from "./avatar.js";
import { components } from "./components.js";
import { embedBox } from "./embeds.js";
import { parse, plain } from "./markdown.js";
import { channelMention, marked } from "./marks.js";
import { attachments } from "./media.js";
import { inWords, short, stamp } from "./time.js";

/**
 * @typedef {import("../app.js").App} App
 * @typedef {import("../types.js").Message} Message
 */

/** Messages that Discord writes itself. @type {Record<number, ((name: string, message: Message) => string)|undefined>} */
const SYSTEM = {
  6: (name) => `${name} pinned a message.`,
  7: (name) => `${name} joined the server.`,
  18: (name) => `${name} started a thread.`,
  21: () => "The thread starts here.",
};

/**
 * @param {App} app
 * @param {Message} message
 * @param {{compact: boolean}} how compact: it follows another of the same person
 * @returns {HTMLElement}
 */
export function messageRow(app, message, { compact }) {
  const channel = app.store.channels.get(message.channel_id);
  const guildId = channel?.guild_id ?? null;
  const name = app.store.nameOf(message.author, guildId);
  const ephemeral = hasFlag(message, MessageFlag.EPHEMERAL);
  const system = SYSTEM[message.type ?? 0];
  const called = app.store.callsMe(message) && guildId !== null;
  const row = h("article", {
    class: [
      "message",
      compact && "compact",
      ephemeral && "ephemeral",
      called && "calls",
      system && "system",
    ]
      .filter(Boolean)
      .join(" "),
    tabindex: "-1",
    "aria-label": `${name}, ${stamp(Date.parse(message.timestamp))}`,
    data: { id: message.id, author: message.author.id },
  });
  if (system) {
    const started = message.type === 18 && message.message_reference?.channel_id;
    const words = marked(app, system(name, message), { blocks: false, guildId });
    return fill(row, h("div", { class: "body" }, words, started && channelMention(app, started)));
  }
  return fill(
    row,
    !compact && [answering(app, message, guildId), avatar(message.author, name)],
    compact &&
      h(
        "time",
        { class: "side-time", "aria-hidden": "true" },
        short(Date.parse(message.timestamp)),
      ),
    h(
      "div",
      { class: "body" },
      !compact && header(message, name),
      content(app, message, guildId),
      failure(app, message),
      ephemeral && onlyYou(app, message),
    ),
    tools(app, message),
  );
}

/** @param {Message} message @param {string} name */
function header(message, name) {
  return h(
    "div",
    { class: "message-head" },
    h("span", { class: "name" }, name),
    message.author.bot && h("span", { class: "badge" }, "App"),
    h("time", { class: "when", datetime: message.timestamp }, stamp(Date.parse(message.timestamp))),
  );
}

/** "Ada used /gin draw", or the message that is replied to. @param {App} app @param {Message} message @param {?string} guildId */
function answering(app, message, guildId) {
  const used = message.interaction_metadata ?? message.interaction;
  if (used && (message.type === 20 || used.name || message.interaction)) {
    const name = message.interaction?.name ?? used.name;
    const user = app.store.users.get(used.user.id) ?? used.user; // with the colour of the picture
    return h(
      "div",
      { class: "answering" },
      avatar(user, app.store.nameOf(user, guildId), "tiny"),
      h("span", { class: "name" }, app.store.nameOf(user, guildId)),
      " used ",
      h("span", { class: "mention" }, name ? `/${name}` : "a command"),
    );
  }
  if (message.type !== 19 && !message.referenced_message) return false;
  const log = app.store.logs.get(message.message_reference?.channel_id ?? message.channel_id);
  // The answer to a button only names the message that it stands under.
  const named = log?.messages.find((one) => one.id === message.message_reference?.message_id);
  const to = message.referenced_message ?? named;
  if (!to) {
    const lost = message.referenced_message === null || log?.complete;
    const words = lost ? "a message that was deleted" : "an earlier message";
    return h("div", { class: "answering" }, icon("reply"), words);
  }
  return h(
    "button",
    { type: "button", class: "answering", on: { click: () => app.open(to.channel_id, to.id) } },
    icon("reply"),
    h("span", { class: "name" }, app.store.nameOf(to.author, guildId)),
    " ",
    h("span", { class: "excerpt" }, excerpt(app, to, guildId) || "a message"),
  );
}

/** The first words of a message, without marks. @param {App} app @param {Message} message @param {?string} guildId */
function excerpt(app, message, guildId) {
  const texts = message.content ? [message.content] : textsOf(message.components ?? []);
  return plain(parse(texts.join("\n")), (mark) => read(app, mark, guildId))
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 140);
}

/** A mention or a moment as a word. @param {App} app @param {import("./markdown.js").Mark} mark @param {?string} guildId */
function read(app, mark, guildId) {
  if (mark.kind === "time") return inWords((mark.unix ?? 0) * 1000, mark.style ?? "f", clock.now());
  if (mark.kind === "channel") return `#${app.store.channels.get(mark.id ?? "")?.name ?? ""}`;
  const user = mark.kind === "user" ? app.store.users.get(mark.id ?? "") : undefined;
  return user ? `@${app.store.nameOf(user, guildId)}` : "";
}

/** @param {any[]} list @returns {string[]} */
function textsOf(list) {
  return list.flatMap((part) =>
    part.type === ComponentType.TEXT_DISPLAY ? [part.content] : textsOf(part.components ?? []),
  );
}

/** @param {App} app @param {Message} message @param {?string} guildId */
function content(app, message, guildId) {
  if (hasFlag(message, MessageFlag.LOADING))
    return thinking(app.store.nameOf(message.author, guildId));
  const edited = message.edited_timestamp && h("span", { class: "edited" }, "(edited)");
  const parts = h("div", { class: "parts" }, components(app, message, guildId));
  if (hasFlag(message, MessageFlag.COMPONENTS_V2)) return [parts, edited];
  const words = message.content ? marked(app, message.content, { guildId }) : null;
  const embeds = hasFlag(message, MessageFlag.SUPPRESS_EMBEDS) ? [] : (message.embeds ?? []);
  return [
    words ? fill(words, edited && [" ", edited]) : edited,
    attachments(message),
    embeds.map((embed) => embedBox(app, embed, message, guildId)),
    (message.components?.length ?? 0) > 0 && parts,
  ];
}

/** @param {string} name */
export function thinking(name) {
  return h(
    "div",
    { class: "thinking", role: "status" },
    h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
    `${name} is thinking…`,
  );
}

/** @param {App} app @param {Message} message */
function failure(app, message) {
  return (
    app.interactions.hasFailed(message.id) &&
    h("div", { class: "failure", role: "alert" }, icon("warning"), "This interaction failed")
  );
}

/** @param {App} app @param {Message} message */
function onlyYou(app, message) {
  return h(
    "div",
    { class: "only-you" },
    icon("eye"),
    "Only you can see this · ",
    h(
      "button",
      { type: "button", class: "text-button", on: { click: () => app.dismiss(message) } },
      "Dismiss message",
    ),
  );
}

/** @param {App} app @param {Message} message */
function tools(app, message) {
  const ephemeral = hasFlag(message, MessageFlag.EPHEMERAL);
  const tool = (
    /** @type {string} */ label,
    /** @type {any} */ name,
    /** @type {() => void} */ act,
  ) =>
    h(
      "button",
      { type: "button", class: "tool", "aria-label": label, title: label, on: { click: act } },
      icon(name),
    );
  return h(
    "div",
    { class: "message-tools", role: "group", "aria-label": "What to do with this message" },
    tool("Copy the text", "copy", () =>
      app.copy(message.content || textsOf(message.components ?? []).join("\n")),
    ),
    ephemeral
      ? tool("Dismiss", "close", () => app.dismiss(message))
      : tool("Delete message", "trash", () => app.deleteMessage(message)),
  );
}
