/** Markdown as elements: the tree of `markdown.js`, with names of people and channels filled in. */

import { fill, h, safeAddress } from "../dom.js";
import { icon } from "../icons.js";
import { emojiNode } from "./emoji.js";
import { parse } from "./markdown.js";
import { timeMark } from "./time.js";

/**
 * @typedef {import("../app.js").App} App
 * @typedef {import("./markdown.js").Mark} Mark
 */

/**
 * A text with its marks.
 * @param {App} app
 * @param {string} text
 * @param {{blocks?: boolean, class?: string, guildId?: string|null}} [options]
 */
export function marked(app, text, options = {}) {
  const marks = parse(text, options);
  const jumbo =
    marks.length <= 12 && marks.every(isEmojiOnly) && marks.some((mark) => mark.kind === "emoji");
  const element = h("div", {
    class: `marked ${options.class ?? ""}${jumbo ? " jumbo" : ""}`.trim(),
  });
  return fill(element, nodes(app, marks, options.guildId ?? null));
}

/** @param {Mark} mark */
const isEmojiOnly = (mark) => mark.kind === "emoji" || (mark.kind === "text" && !mark.text?.trim());

/** @param {App} app @param {Mark[]} marks @param {?string} guildId @returns {Node[]} */
function nodes(app, marks, guildId) {
  return marks.map((mark) => node(app, mark, guildId));
}

/** Marks that only wrap what is in them. @type {Record<string, keyof HTMLElementTagNameMap>} */
const WRAPPERS = {
  strong: "strong",
  em: "em",
  under: "u",
  strike: "s",
  quote: "blockquote",
  subtext: "small",
};

/** @param {App} app @param {Mark} mark @param {?string} guildId @returns {Node} */
function node(app, mark, guildId) {
  const children = () => nodes(app, mark.children ?? [], guildId);
  if (mark.kind in WRAPPERS) {
    return h(
      WRAPPERS[mark.kind],
      { class: mark.kind === "subtext" ? "subtext" : false },
      children(),
    );
  }
  switch (mark.kind) {
    case "heading":
      return h(
        "div",
        { class: `heading h${mark.level}`, role: "heading", "aria-level": (mark.level ?? 1) + 2 },
        children(),
      );
    case "code":
      return h("code", {}, mark.text);
    case "pre":
      return h("pre", { tabindex: "0" }, h("code", { data: { lang: mark.lang ?? "" } }, mark.text));
    case "list": {
      const items = (mark.items ?? []).map((item) => h("li", {}, nodes(app, item, guildId)));
      return mark.ordered ? h("ol", { start: mark.start }, items) : h("ul", {}, items);
    }
    case "spoiler":
      return spoiler(children());
    case "link":
      return link(app, mark.href ?? "", children(), mark.title);
    case "user":
    case "role":
    case "channel":
    case "everyone":
      return mention(app, mark, guildId);
    case "command":
      return commandMark(app, mark.name ?? "");
    case "emoji":
      return emojiNode(app, mark);
    case "time":
      return timeMark(mark.unix ?? 0, mark.style ?? "f");
    default:
      return document.createTextNode(mark.text ?? "");
  }
}

/** Words that stay covered until somebody wants to see them. @param {Node[]} children */
export function spoiler(children) {
  const cover = h("span", {
    class: "spoiler",
    role: "button",
    tabindex: "0",
    "aria-label": "Spoiler, press to show",
  });
  const inside = fill(h("span", { class: "spoiler-inside", "aria-hidden": "true" }), children);
  const show = () => {
    cover.classList.add("open");
    for (const name of ["role", "tabindex", "aria-label"]) cover.removeAttribute(name);
    inside.removeAttribute("aria-hidden");
  };
  cover.addEventListener("click", show, { once: true });
  cover.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    show();
  });
  return fill(cover, inside);
}

/** @param {App} app @param {Mark} mark @param {?string} guildId */
function mention(app, mark, guildId) {
  if (mark.kind === "everyone") return h("span", { class: "mention" }, mark.text);
  if (mark.kind === "channel") return channelMention(app, mark.id ?? "");
  if (mark.kind === "role") {
    const role = app.store.guilds.get(guildId ?? "")?.roles?.find((one) => one.id === mark.id);
    return h("span", { class: "mention" }, `@${role?.name ?? "unknown role"}`);
  }
  const user = app.store.users.get(mark.id ?? "");
  const mine = mark.id === app.store.me.id;
  const name = user ? app.store.nameOf(user, guildId) : "unknown person";
  return h(
    "span",
    { class: mine ? "mention mine" : "mention", data: { user: mark.id } },
    `@${name}`,
  );
}

/** A channel's name that leads there. @param {App} app @param {string} id @param {string} [messageId] */
export function channelMention(app, id, messageId) {
  const channel = app.store.channels.get(id);
  if (!channel) return h("span", { class: "mention" }, "#no-access");
  const go = () => app.open(id, messageId);
  return h(
    "button",
    { type: "button", class: "mention", on: { click: go } },
    channel.type === 1 ? "@" : "#",
    app.store.titleOf(channel),
    messageId && [" › ", icon("bubble")],
  );
}

/** A command's name that starts writing it. @param {App} app @param {string} name */
function commandMark(app, name) {
  const write = () => app.write(`/${name} `);
  return h("button", { type: "button", class: "mention", on: { click: write } }, `/${name}`);
}

/**
 * A link. Addresses of channels and messages of this house stay within the page.
 * @param {App} app
 * @param {string} href
 * @param {Node[]} children
 * @param {string} [title]
 */
export function link(app, href, children, title) {
  const safe = safeAddress(href);
  if (!safe) return h("span", {}, children);
  const place = placeOf(safe);
  if (place && app.store.channels.has(place.channelId)) {
    if (children.length === 1 && children[0].textContent === href) {
      return channelMention(app, place.channelId, place.messageId);
    }
    const go = (/** @type {Event} */ event) => {
      event.preventDefault();
      app.open(place.channelId, place.messageId);
    };
    return h("a", { href: safe, title: title || false, on: { click: go } }, children);
  }
  return h(
    "a",
    { href: safe, title: title || href, target: "_blank", rel: "noopener noreferrer" },
    children,
  );
}

/**
 * The channel, and perhaps the message, that an address of Discord's or of this page leads to.
 * @param {string} href
 * @returns {{channelId: string, messageId?: string}|null}
 */
export function placeOf(href) {
  const url = new URL(href, location.href);
  if (url.origin !== location.origin && !/(^|\.)discord(app)?\.com$/.test(url.hostname))
    return null;
  const match = /^\/channels\/(?:@me|\d+)\/(\d+)(?:\/(\d+))?\/?$/.exec(url.pathname);
  return match ? { channelId: match[1], messageId: match[2] } : null;
}
