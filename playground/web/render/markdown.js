/**
 * Reading the dialect of markdown that people write in messages. Text in, a tree of plain values out;
 * `marks.js` turns the tree into elements.
 *
 * @typedef {Object} Mark A node of the tree.
 * @property {string} kind text strong em under strike spoiler code pre quote heading subtext list link
 *   user role channel everyone command emoji time
 * @property {string} [text]
 * @property {Mark[]} [children]
 * @property {Mark[][]} [items]
 * @property {number} [level]
 * @property {boolean} [ordered]
 * @property {number} [start]
 * @property {string} [lang]
 * @property {string} [href]
 * @property {string} [title]
 * @property {string} [id]
 * @property {string} [name]
 * @property {boolean} [animated]
 * @property {number} [unix] seconds since 1970
 * @property {string} [style]
 *
 * @typedef {{blocks: boolean, quoted: boolean, linked: boolean}} Where what may begin here
 * @typedef {{mark: Mark, length: number}|null} Found
 */

const LIST_LINE = /^( *)([*-]|\d{1,9}\.) +(\S.*)$/;

/**
 * Read a text.
 * @param {string} source
 * @param {{blocks?: boolean}} [options] `blocks: false` leaves headings, quotes and lists as they are
 * @returns {Mark[]}
 */
export function parse(source, { blocks = true } = {}) {
  return read(source.replace(/\r\n?/g, "\n"), { blocks, quoted: false, linked: false });
}

const WHOLE_LINES = new Set(["heading", "subtext", "quote", "list"]);

/**
 * All the words of a text without its marks.
 * @param {Mark[]} marks
 * @param {(mark: Mark) => string} named what is read for a mention or a time
 * @returns {string}
 */
export function plain(marks, named = () => "") {
  return marks
    .map((mark) => {
      if (mark.children)
        return plain(mark.children, named) + (WHOLE_LINES.has(mark.kind) ? "\n" : "");
      if (mark.items) return `${mark.items.map((item) => plain(item, named)).join(" ")}\n`;
      return mark.text ?? mark.name ?? named(mark);
    })
    .join("");
}

/** @param {string} source @param {Where} where @returns {Mark[]} */
function read(source, where) {
  /** @type {Mark[]} */
  const marks = [];
  let plainText = "";
  let at = 0;
  const flush = () => {
    if (plainText) marks.push({ kind: "text", text: plainText });
    plainText = "";
  };
  while (at < source.length) {
    const rest = source.slice(at);
    const lineStart = at === 0 || source[at - 1] === "\n";
    const found =
      (where.blocks && lineStart && block(rest, where)) ||
      inline(rest, source[at - 1] ?? "", where);
    if (!found) {
      const word = /^[A-Za-z0-9 ]+/.exec(rest)?.[0].replace(/https?$/, "") || rest[0];
      plainText += word;
      at += word.length;
    } else if (found.mark.kind === "text") {
      plainText += found.mark.text;
      at += found.length;
    } else {
      flush();
      marks.push(found.mark);
      at += found.length;
    }
  }
  flush();
  return marks;
}

/** What takes whole lines. @param {string} rest @param {Where} where @returns {Found} */
function block(rest, where) {
  const heading = /^(#{1,3}) +([^\n]+)(?:\n|$)/.exec(rest);
  if (heading) {
    const children = read(heading[2].trim(), { ...where, blocks: false });
    return {
      mark: { kind: "heading", level: heading[1].length, children },
      length: heading[0].length,
    };
  }
  const subtext = /^-# +([^\n]+)(?:\n|$)/.exec(rest);
  if (subtext) {
    const children = read(subtext[1], { ...where, blocks: false });
    return { mark: { kind: "subtext", children }, length: subtext[0].length };
  }
  return quote(rest, where) ?? list(rest, where);
}

/** @param {string} rest @param {Where} where @returns {Found} */
function quote(rest, where) {
  if (where.quoted) return null;
  const inside = { ...where, quoted: true };
  const toTheEnd = /^ *>>> ([^]*)$/.exec(rest);
  if (toTheEnd) {
    return { mark: { kind: "quote", children: read(toTheEnd[1], inside) }, length: rest.length };
  }
  const lines = /^(?: *> [^\n]*(?:\n|$))+/.exec(rest);
  if (!lines) return null;
  const text = lines[0].replace(/\n$/, "").replace(/^ *> /gm, "");
  return { mark: { kind: "quote", children: read(text, inside) }, length: lines[0].length };
}

/** @param {string} rest @param {Where} where @returns {Found} */
function list(rest, where) {
  const first = LIST_LINE.exec(rest.split("\n", 1)[0]);
  if (!first) return null;
  const lines = [];
  for (const line of rest.split("\n")) {
    const marked = LIST_LINE.exec(line);
    if (!marked && !(lines.length && /^ {2,}\S/.test(line))) break;
    lines.push(line);
  }
  const text = lines.join("\n");
  const length = Math.min(text.length + 1, rest.length);
  return { mark: nest(lines, where), length };
}

/**
 * One level of a list; lines that stand further in than the first are lists within its items.
 * @param {string[]} lines
 * @param {Where} where
 * @returns {Mark}
 */
function nest(lines, where) {
  const [, indent, bullet] = /** @type {RegExpExecArray} */ (LIST_LINE.exec(lines[0]));
  const ordered = /\d/.test(bullet);
  /** @type {{text: string, inner: string[]}[]} */
  const items = [];
  for (const line of lines) {
    const marked = LIST_LINE.exec(line);
    const item = items[items.length - 1];
    if (marked && marked[1].length <= indent.length) items.push({ text: marked[3], inner: [] });
    else if (marked || item.inner.length) item.inner.push(line);
    else item.text += `\n${line.trim()}`;
  }
  return {
    kind: "list",
    ordered,
    start: ordered ? Number.parseInt(bullet, 10) : 1,
    items: items.map(({ text, inner }) => [
      ...read(text, { ...where, blocks: false }),
      ...(inner.length ? [nest(inner, where)] : []),
    ]),
  };
}

/** Pairs of signs around text that may hold further marks. @type {[string, RegExp][]} */
const PAIRS = [
  ["strong", /^\*\*((?:\\[^]|[^\\])+?)\*\*(?!\*)/],
  ["under", /^__((?:\\[^]|[^\\])+?)__(?!_)/],
  ["em", /^\*(?=\S)((?:\*\*|\\[^]|\s+(?:[^*\s\\]|\*\*|\\[^])|[^\s*\\])+?)\*(?!\*)/],
  ["em", /^_((?:__|\\[^]|[^\\_])+?)_(?![A-Za-z0-9_])/],
  ["strike", /^~~([^]+?)~~(?!~)/],
  ["spoiler", /^\|\|([^]+?)\|\|/],
];

/** What stands within a line. @param {string} rest @param {string} before @param {Where} where @returns {Found} */
function inline(rest, before, where) {
  switch (rest[0]) {
    case "\\":
      return /^\\[^A-Za-z0-9\s]/.test(rest)
        ? { mark: { kind: "text", text: rest[1] }, length: 2 }
        : null;
    case "`":
      return code(rest, where);
    case "<":
      return angled(rest, where);
    case "[":
      return masked(rest, where);
    case "h":
      return where.linked ? null : bare(rest);
    case "@": {
      const all = /^@(everyone|here)\b/.exec(rest);
      return all && { mark: { kind: "everyone", text: all[0] }, length: all[0].length };
    }
    default:
      return pair(rest, before, where);
  }
}

/** @param {string} rest @param {string} before @param {Where} where @returns {Found} */
function pair(rest, before, where) {
  if (!"*_~|".includes(rest[0])) return null;
  for (const [kind, pattern] of PAIRS) {
    const match = pattern.exec(rest);
    if (!match || !match[1].trim()) continue;
    if (kind === "em" && rest[0] === "_" && /[A-Za-z0-9]/.test(before)) continue;
    const blocks = kind === "spoiler" && where.blocks;
    return {
      mark: { kind, children: read(match[1], { ...where, blocks }) },
      length: match[0].length,
    };
  }
  return null;
}

/** @param {string} rest @param {Where} where @returns {Found} */
function code(rest, where) {
  const fence = /^```(?:([a-z0-9_+\-.#]+)\n)?\n*([^]*?)\n*```(?:\n|$)?/i.exec(rest);
  if (fence && fence[2].trim()) {
    return { mark: { kind: "pre", lang: fence[1] ?? "", text: fence[2] }, length: fence[0].length };
  }
  const match = /^(`+)([^]*?[^`])\1(?!`)/.exec(rest);
  if (!match) return null;
  const text = match[2].replace(/^ (?=`)|(?<=`) $/g, "");
  return { mark: { kind: "code", text }, length: match[0].length };
}

/** Mentions, emoji, times, links in angle brackets. @param {string} rest @param {Where} where @returns {Found} */
function angled(rest, where) {
  const match = /^<([^<>\n]{2,300})>/.exec(rest);
  if (!match) return null;
  const mark = mention(match[1]) ?? (where.linked ? null : address(match[1]));
  return mark && { mark, length: match[0].length };
}

/** @param {string} inner @returns {Mark|null} */
function mention(inner) {
  let match = /^@!?(\d{1,20})$/.exec(inner);
  if (match) return { kind: "user", id: match[1] };
  match = /^@&(\d{1,20})$/.exec(inner);
  if (match) return { kind: "role", id: match[1] };
  match = /^#(\d{1,20})$/.exec(inner);
  if (match) return { kind: "channel", id: match[1] };
  match = /^\/([-_'\p{L}\p{N} ]{1,100}):(\d{1,20})$/u.exec(inner);
  if (match) return { kind: "command", name: match[1], id: match[2] };
  match = /^(a?):(\w{2,32}):(\d{1,20})$/.exec(inner);
  if (match) return { kind: "emoji", name: match[2], id: match[3], animated: match[1] === "a" };
  match = /^t:(-?\d{1,13})(?::([tTdDfFRsS]))?$/.exec(inner);
  if (match) return { kind: "time", unix: Number(match[1]), style: match[2] ?? "f" };
  return null;
}

/** @param {string} text @returns {Mark|null} */
function address(text) {
  return /^https?:\/\/\S+$/.test(text)
    ? { kind: "link", href: text, children: [{ kind: "text", text }] }
    : null;
}

/** [words](address "title") @param {string} rest @param {Where} where @returns {Found} */
function masked(rest, where) {
  if (where.linked) return null;
  const match =
    /^\[((?:\\.|[^[\]\\\n]|\[[^[\]\n]*\])+)\]\(<?(https?:\/\/(?:\([^\s()]*\)|[^\s<>()])+)>?(?:\s+["']([^"'\n]*)["'])?\)/.exec(
      rest,
    );
  if (!match) return null;
  const children = read(match[1], { ...where, blocks: false, linked: true });
  const title = match[3] ? { title: match[3] } : {};
  return { mark: { kind: "link", href: match[2], ...title, children }, length: match[0].length };
}

/** An address that stands by itself. @param {string} rest @returns {Found} */
function bare(rest) {
  const match = /^https?:\/\/[^\s<]+[^<.,:;"'\]\s]/.exec(rest);
  if (!match) return null;
  let text = match[0];
  while (text.endsWith(")") && text.split(")").length > text.split("(").length)
    text = text.slice(0, -1);
  return {
    mark: { kind: "link", href: text, children: [{ kind: "text", text }] },
    length: text.length,
  };
}
