/** Emoji: the system's own, and the custom ones that an application or a server brought along. */

import { h } from "../dom.js";

/**
 * @typedef {import("../app.js").App} App
 * @typedef {import("../types.js").Emoji} Emoji
 */

/**
 * @param {App} app
 * @param {Emoji} emoji with an id: a picture of the house; without: a character
 * @returns {Node}
 */
export function emojiNode(app, emoji) {
  if (!emoji.id) return h("span", { class: "emoji", "aria-hidden": "true" }, emoji.name ?? "");
  const name = `:${emoji.name ?? "emoji"}:`;
  const picture = h("img", {
    class: "emoji",
    src: app.emojiAddress(emoji.id, emoji.animated === true),
    alt: name,
    title: name,
    draggable: "false",
  });
  picture.addEventListener("error", () => picture.replaceWith(document.createTextNode(name)), {
    once: true,
  });
  return picture;
}
