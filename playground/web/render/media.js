/** Pictures and files: galleries, thumbnails, attachments, and the large view of a picture. */

import { h, safeAddress } from "../dom.js";
import { icon } from "../icons.js";

/**
 * @typedef {import("../types.js").Attachment} Attachment
 * @typedef {import("../types.js").Message} Message
 * @typedef {{url: string, width?: number|null, height?: number|null, content_type?: string|null}} Media
 */

const PICTURE = /\.(png|jpe?g|gif|webp|svg|avif)$/i;

/** Is an attachment a picture? @param {Attachment} attachment */
export const isPicture = (attachment) =>
  attachment.content_type?.startsWith("image/") ?? PICTURE.test(attachment.filename);

/**
 * Find what a component's media means: an address, or the attachment that `attachment://name` names.
 * @param {Media|undefined} media
 * @param {Message|undefined} message
 * @returns {Media|null}
 */
export function resolveMedia(media, message) {
  if (!media?.url) return null;
  const named = /^attachment:\/\/(.+)$/.exec(media.url);
  if (!named) return media;
  return message?.attachments?.find((attachment) => attachment.filename === named[1]) ?? null;
}

/**
 * A picture that opens large when pressed.
 * @param {Media|null} media
 * @param {string|null|undefined} description what it shows, for those who don't see it
 * @param {{class?: string, spoiler?: boolean}} [options]
 */
export function picture(media, description, options = {}) {
  const address = safeAddress(media?.url);
  if (!media || !address)
    return h("span", { class: "picture missing" }, description || "This picture is gone.");
  const image = h("img", {
    src: address,
    alt: description ?? "",
    width: media.width ?? false,
    height: media.height ?? false,
    decoding: "async",
    draggable: "false",
  });
  const frame = h(
    "button",
    {
      type: "button",
      class: `picture ${options.class ?? ""}${options.spoiler ? " covered" : ""}`.trim(),
      "aria-label": options.spoiler
        ? "Spoiler, press to show"
        : `Enlarge picture: ${description || "no description"}`,
      on: {
        click: () =>
          frame.classList.contains("covered") ? uncover() : enlarge(address, description ?? ""),
      },
    },
    image,
  );
  const uncover = () => {
    frame.classList.remove("covered");
    frame.setAttribute("aria-label", `Enlarge picture: ${description || "no description"}`);
  };
  image.addEventListener(
    "error",
    () =>
      frame.replaceWith(
        h("span", { class: "picture missing" }, description || "This picture is gone."),
      ),
    { once: true },
  );
  return frame;
}

/** Show a picture over everything, with its description under it. @param {string} address @param {string} description */
function enlarge(address, description) {
  const dialog = h(
    "dialog",
    { class: "lightbox", "aria-label": "Picture" },
    h("img", { src: address, alt: description }),
    description && h("p", { "aria-hidden": "true" }, description),
    h(
      "div",
      { class: "lightbox-bar" },
      h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, "Open in a new tab"),
      h(
        "button",
        { type: "button", class: "button secondary", on: { click: () => dialog.close() } },
        "Close",
      ),
    ),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Several pictures in a grid, as a media gallery shows them.
 * @param {{media: Media|null, description?: string|null, spoiler?: boolean}[]} items
 */
export function gallery(items) {
  return h(
    "div",
    { class: `gallery of-${Math.min(items.length, 4)}` },
    items.map((item) => picture(item.media, item.description, { spoiler: item.spoiler })),
  );
}

/**
 * A file to take away.
 * @param {string} name
 * @param {string|undefined} address
 * @param {number|null|undefined} size bytes
 */
export function fileBox(name, address, size) {
  const safe = safeAddress(address);
  return h(
    "div",
    { class: "file-box" },
    icon("file"),
    h(
      "span",
      { class: "file-words" },
      safe
        ? h("a", { href: safe, target: "_blank", rel: "noopener noreferrer", download: name }, name)
        : name,
      typeof size === "number" && h("small", {}, bytes(size)),
    ),
  );
}

/** @param {number} size */
function bytes(size) {
  if (size < 1024) return `${size} bytes`;
  if (size < 1024 ** 2) return `${(size / 1024).toFixed(1)} KiB`;
  return `${(size / 1024 ** 2).toFixed(1)} MiB`;
}

/** Everything attached to a message that its components don't show already. @param {Message} message */
export function attachments(message) {
  const list = message.attachments ?? [];
  const pictures = list.filter(isPicture);
  const files = list.filter((attachment) => !isPicture(attachment));
  return [
    pictures.length > 0 &&
      gallery(
        pictures.map((one) => ({
          media: one,
          description: one.description || one.filename,
          spoiler: one.filename.startsWith("SPOILER_"),
        })),
      ),
    files.map((one) => fileBox(one.title ?? one.filename, one.url, one.size)),
  ];
}
