/** The tree of a message's components: containers, sections, texts, galleries, rows of controls. */

import { h } from "../dom.js";
import { ComponentType as T } from "../types.js";
import { button, select } from "./controls.js";
import { cssColour } from "./embeds.js";
import { marked } from "./marks.js";
import { fileBox, gallery, picture, resolveMedia } from "./media.js";

/**
 * @typedef {import("../app.js").App} App
 * @typedef {import("../types.js").Component} Component
 * @typedef {import("../types.js").Message} Message
 * @typedef {{app: App, message: Message, guildId: string|null}} Around
 */

/** @type {Record<number, (around: Around, component: any) => Node>} */
const DRAWN = {
  [T.ACTION_ROW]: (around, row) =>
    h("div", { class: "control-row" }, children(around, row.components)),
  [T.BUTTON]: (around, component) => button(around.app, around.message, component),
  [T.STRING_SELECT]: (around, component) => select(around.app, around.message, component),
  [T.USER_SELECT]: (around, component) => select(around.app, around.message, component),
  [T.ROLE_SELECT]: (around, component) => select(around.app, around.message, component),
  [T.MENTIONABLE_SELECT]: (around, component) => select(around.app, around.message, component),
  [T.CHANNEL_SELECT]: (around, component) => select(around.app, around.message, component),
  [T.SECTION]: (around, section) =>
    h(
      "div",
      { class: "section" },
      h("div", { class: "section-words" }, children(around, section.components)),
      section.accessory &&
        h("div", { class: "section-side" }, children(around, [section.accessory])),
    ),
  [T.TEXT_DISPLAY]: ({ app, guildId }, text) => marked(app, text.content ?? "", { guildId }),
  [T.THUMBNAIL]: ({ message }, thumbnail) =>
    picture(resolveMedia(thumbnail.media, message), thumbnail.description, {
      class: "thumbnail",
      spoiler: thumbnail.spoiler,
    }),
  [T.MEDIA_GALLERY]: ({ message }, { items }) =>
    gallery(
      (items ?? []).map((/** @type {any} */ item) => ({
        ...item,
        media: resolveMedia(item.media, message),
      })),
    ),
  [T.FILE]: ({ message }, { file, name, size }) => {
    const media = /** @type {any} */ (resolveMedia(file, message));
    const title = name ?? media?.filename ?? file?.url?.split("/").pop() ?? "file";
    return fileBox(title, media?.url, size ?? media?.size);
  },
  [T.SEPARATOR]: (_, { spacing, divider }) =>
    h("div", {
      class: `separator${spacing === 2 ? " wide" : ""}${divider === false ? " blank" : ""}`,
      role: divider === false ? "presentation" : "separator",
    }),
  [T.CONTAINER]: (around, container) => {
    const accent = cssColour(container.accent_color);
    const box = h(
      "div",
      {
        class: accent ? "container accented" : "container",
        style: accent ? { "--accent": accent } : {},
      },
      children(around, container.components),
    );
    return container.spoiler ? covered(box) : box;
  },
};

/**
 * Draw the components of a message.
 * @param {App} app
 * @param {Message} message
 * @param {?string} guildId
 */
export function components(app, message, guildId) {
  return children({ app, message, guildId }, message.components ?? []);
}

/** @param {Around} around @param {Component[]|undefined} list @returns {Node[]} */
function children(around, list) {
  return (list ?? []).map((component) => {
    const draw = DRAWN[component.type];
    return draw
      ? draw(around, component)
      : h(
          "div",
          { class: "unknown-part" },
          `A part that this page can't show (type ${component.type}).`,
        );
  });
}

/** A container that hides what is in it until it is pressed. @param {HTMLElement} box */
function covered(box) {
  box.inert = true;
  const cover = h(
    "div",
    { class: "container-cover" },
    box,
    h(
      "button",
      {
        type: "button",
        class: "button secondary",
        on: {
          click: (/** @type {Event} */ event) => {
            box.inert = false;
            /** @type {HTMLElement} */ (event.currentTarget).remove();
            cover.classList.add("open");
          },
        },
      },
      "Spoiler: show",
    ),
  );
  return cover;
}
