/** Line icons, 24 units square, drawn with the colour of the text around them. */

const NS = "http://www.w3.org/2000/svg";

const PATHS = {
  archive: "M4 5h16v4H4zM6 9v10h12V9M10 13h4",
  arrowDown: "M12 5v14M6 13l6 6 6-6",
  at: "M15.5 12a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zM15.5 8.5V13a2.4 2.4 0 0 0 4.8 0v-1a8.3 8.3 0 1 0-3.3 6.6",
  bolt: "M13 3 5 14h6l-1 7 8-11h-6z",
  bubble: "M4 5h16v11h-9l-4.5 4v-4H4z",
  check: "M5 12.5l4.5 4.5L19 7.5",
  chevron: "M7 10l5 5 5-5",
  clock: "M12 7v5l3.5 2M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0z",
  close: "M6 6l12 12M18 6 6 18",
  copy: "M9 9h10v11H9zM5 15V4h10",
  external: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM14.7 12a2.7 2.7 0 1 1-5.4 0 2.7 2.7 0 0 1 5.4 0z",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  hash: "M9.5 4 7.5 20M16.5 4l-2 16M4.5 9h16M3.5 15h16",
  help: "M9 9.3a3 3 0 1 1 4.6 2.5c-1 .7-1.6 1.3-1.6 2.7M12 17.5v.4",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  menu: "M4 6.5h16M4 12h16M4 17.5h16",
  people:
    "M12.5 8.5a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zM2.5 19c.5-3.5 3-5.5 6.5-5.5s6 2 6.5 5.5M16 5.3a3.3 3.3 0 0 1 0 6.4M18 14c2 .8 3.2 2.5 3.5 5",
  plus: "M12 5v14M5 12h14",
  reply: "M10 6 4 11.5 10 17v-3.5c5 0 8 1.5 10 5-.5-6-4-9-10-9z",
  swap: "M4 8.5h14l-3.5-3.5M20 15.5H6l3.5 3.5",
  send: "M4 4l17 8-17 8 3-8zM7 12h7",
  slash: "M15 5 9 19",
  speaker: "M4 9.5h4l5-4.5v14l-5-4.5H4zM16.5 9a4 4 0 0 1 0 6",
  thread: "M5 5h14v10h-7.5L7 19v-4H5zM9 9h6M9 11.8h4",
  trash: "M5 7h14M9.5 7V4.5h5V7M7 7l1 13h8l1-13M10.5 11v5.5M13.5 11v5.5",
  warning: "M12 4 2.8 20h18.4zM12 10v4.5M12 17.2v.3",
};

/** @typedef {keyof typeof PATHS} IconName */

/**
 * Draw an icon. It is decoration: what it stands for must also be said in words.
 * @param {IconName} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  const path = document.createElementNS(NS, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
