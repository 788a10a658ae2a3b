/** The round picture of a person: initials on the person's colour; a bot shows two cards. */

import { h } from "../dom.js";

/** @typedef {import("../types.js").User} User */

const COLOURS = [
  "#3f8f72",
  "#b0653c",
  "#5b74b8",
  "#a3527f",
  "#7d7a2f",
  "#3d8aa0",
  "#8a5fb0",
  "#b24a4a",
];

/** @param {User} user @returns {string} a CSS colour */
export function colourOf(user) {
  const given = user.avatar_color;
  if (typeof given === "number") return `#${given.toString(16).padStart(6, "0")}`;
  if (typeof given === "string" && /^#?[0-9a-f]{6}$/i.test(given))
    return `#${given.replace("#", "")}`;
  return COLOURS[Number(BigInt(user.id) % BigInt(COLOURS.length))];
}

/** Black or white, whichever reads better on a colour. @param {string} colour #rrggbb */
export function inkOn(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const light = [r, g, b].map((part) =>
    part <= 0.04 ? part / 12.9 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2] > 0.36 ? "#14201c" : "#ffffff";
}

/** @param {User} user @param {string} name @param {"tiny"|"small"|"large"} [size] */
export function avatar(user, name, size = "large") {
  const colour = colourOf(user);
  return h(
    "span",
    {
      class: `avatar ${size}${user.bot ? " bot" : ""}`,
      "aria-hidden": "true",
      style: { background: colour, color: inkOn(colour) },
    },
    user.bot ? h("img", { src: "/web/icon.svg", alt: "", draggable: "false" }) : initials(name),
  );
}

/** @param {string} name */
function initials(name) {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? ["?"];
  const first = [...words[0]][0];
  const second = words.length > 1 ? [...words[words.length - 1]][0] : "";
  return (first + second).toLocaleUpperCase();
}
