/** Embeds: the framed boxes of classic messages. */

import { h, safeAddress } from "../dom.js";
import { link, marked } from "./marks.js";
import { picture, resolveMedia } from "./media.js";
import { stamp } from "./time.js";

/**
 * @typedef {import("../app.js").App} App
 * @typedef {import("../types.js").Message} Message
 */

/** @param {number|null|undefined} colour */
export const cssColour = (colour) =>
  typeof colour === "number" ? `#${colour.toString(16).padStart(6, "0")}` : null;

/**
 * @param {App} app
 * @param {any} embed
 * @param {Message} message whose attachments it may show
 * @param {?string} guildId
 */
export function embedBox(app, embed, message, guildId) {
  const colour = cssColour(embed.color);
  const heading = embed.title && marked(app, embed.title, { blocks: false, guildId });
  return h(
    "div",
    { class: "embed", style: colour ? { "--accent": colour } : {} },
    embed.thumbnail && picture(resolveMedia(embed.thumbnail, message), "", { class: "thumbnail" }),
    embed.author &&
      h("div", { class: "embed-author" }, small(embed.author.icon_url), named(app, embed.author)),
    heading &&
      h("div", { class: "embed-title" }, embed.url ? link(app, embed.url, [heading]) : heading),
    embed.description && marked(app, embed.description, { guildId }),
    embed.fields?.length > 0 &&
      h(
        "div",
        { class: "embed-fields" },
        embed.fields.map((/** @type {any} */ field) =>
          h(
            "div",
            { class: field.inline ? "embed-field inline" : "embed-field" },
            marked(app, field.name, { blocks: false, guildId, class: "embed-name" }),
            marked(app, field.value, { guildId }),
          ),
        ),
      ),
    embed.image && picture(resolveMedia(embed.image, message), embed.image.description ?? ""),
    (embed.footer || embed.timestamp) &&
      h(
        "div",
        { class: "embed-footer" },
        small(embed.footer?.icon_url),
        [embed.footer?.text, embed.timestamp && stamp(Date.parse(embed.timestamp))]
          .filter(Boolean)
          .join(" · "),
      ),
  );
}

/** @param {unknown} address */
function small(address) {
  const safe = safeAddress(address);
  return safe && h("img", { class: "embed-icon", src: safe, alt: "" });
}

/** @param {App} app @param {{name: string, url?: string}} author */
function named(app, author) {
  const name = document.createTextNode(author.name);
  return author.url ? link(app, author.url, [name]) : name;
}
