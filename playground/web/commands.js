/**
 * Slash commands as people type them: which there are, what a typed line means, and what is wrong
 * with it. Values only; `slash.js` shows them.
 */

import { OptionType as T } from "./types.js";

/**
 * @typedef {import("./types.js").CommandOption} CommandOption
 * @typedef {{path: string[], title: string, description: string, options: CommandOption[]}} Entry
 *   A command that can be sent; `title` is "/gin draw".
 * @typedef {{id: string, name: string, aliases: string[]}} Named
 * @typedef {{people: Named[], channels: (Named & {type: number})[], roles: Named[]}} Surroundings
 * @typedef {{value: string|number|boolean, label: string}} Value
 * @typedef {{value: Value} | {error: string}} Resolved
 */

/**
 * Lay out all commands that may be used in a place, subcommands one by one.
 * @param {any[]} commands as the application registered them
 * @param {{inServer: boolean}} place
 * @returns {Entry[]}
 */
export function layOut(commands, { inServer }) {
  const usable = commands.filter(
    (command) => (command.type ?? 1) === 1 && mayUse(command, inServer),
  );
  return usable
    .flatMap((command) => branch(command, [command.name]))
    .sort((a, b) => (a.title < b.title ? -1 : 1));
}

/** @param {any} command @param {boolean} inServer */
function mayUse(command, inServer) {
  if (Array.isArray(command.contexts)) return command.contexts.includes(inServer ? 0 : 1);
  return inServer || command.dm_permission !== false;
}

/** @param {any} node @param {string[]} path @returns {Entry[]} */
function branch(node, path) {
  const options = node.options ?? [];
  const inner = options.filter(
    (/** @type {any} */ one) => one.type === T.SUBCOMMAND || one.type === T.GROUP,
  );
  if (inner.length)
    return inner.flatMap((/** @type {any} */ one) => branch(one, [...path, one.name]));
  return [{ path, title: `/${path.join(" ")}`, description: node.description ?? "", options }];
}

/**
 * Find what a typed beginning may become, the likeliest first.
 * @param {Entry[]} entries
 * @param {string} typed with its slash
 */
export function matching(entries, typed) {
  const words = typed
    .replace(/^\/\s*/, "")
    .toLowerCase()
    .trim();
  if (!words) return entries;
  /** @param {Entry} entry */
  const rank = (entry) => {
    const name = entry.title.slice(1);
    if (name.startsWith(words)) return 0;
    if (entry.path.some((part) => part.startsWith(words))) return 1;
    if (words.split(/\s+/).every((word) => name.includes(word))) return 2;
    return entry.description.toLowerCase().includes(words) ? 3 : 9;
  };
  return entries
    .map((entry) => ({ entry, rank: rank(entry) }))
    .filter((one) => one.rank < 9)
    .sort((a, b) => a.rank - b.rank)
    .map((one) => one.entry);
}

/**
 * Split a typed line into the command and what follows it.
 * @param {Entry[]} entries
 * @param {string} line
 * @returns {{entry: Entry, rest: string}|null} null when no whole command stands at its beginning
 */
export function split(entries, line) {
  const tidy = line
    .replace(/^\/\s*/, "/")
    .replace(/^(\S+(?:[ \t]+[^\s:]+){0,2})/, (head) => head.replace(/[ \t]+/g, " "));
  const found = entries
    .filter(
      (entry) =>
        tidy.toLowerCase() === entry.title || tidy.toLowerCase().startsWith(`${entry.title} `),
    )
    .sort((a, b) => b.title.length - a.title.length)[0];
  return found ? { entry: found, rest: tidy.slice(found.title.length).trim() } : null;
}

/**
 * Read `name:value name:value`. Words before the first name belong to the first option.
 * @param {Entry} entry
 * @param {string} rest
 * @returns {{values: Map<string, string>, loose: string}} loose: words that no option takes
 */
export function readValues(entry, rest) {
  /** @type {Map<string, string>} */
  const values = new Map();
  const names = entry.options.map((option) => option.name);
  /** @type {{name: string, from: number, to: number}[]} */
  const marks = [];
  for (const match of rest.matchAll(/(?:^|\s)([-_\p{L}\p{N}]+):/gu)) {
    const name = match[1].toLowerCase();
    if (names.includes(name) && !marks.some((mark) => mark.name === name)) {
      marks.push({ name, from: match.index, to: match.index + match[0].length });
    }
  }
  const loose = rest.slice(0, marks[0]?.from ?? rest.length).trim();
  marks.forEach((mark, at) =>
    values.set(mark.name, rest.slice(mark.to, marks[at + 1]?.from).trim()),
  );
  const first = entry.options[0];
  if (!loose || !first || values.has(first.name)) return { values, loose };
  return { values: new Map([[first.name, loose], ...values]), loose: "" };
}

/**
 * Make a typed text the value of an option.
 * @param {CommandOption} option
 * @param {string} text
 * @param {Surroundings} around
 * @returns {Resolved}
 */
export function resolve(option, text, around) {
  const typed = text.trim();
  if (!typed) return { error: "This option is required" };
  if (option.choices?.length) return fromChoices(option, typed);
  switch (option.type) {
    case T.INTEGER:
    case T.NUMBER:
      return number(option, typed);
    case T.BOOLEAN:
      return truth(typed);
    case T.USER:
      return named(around.people, typed, "@", "Nobody here is called");
    case T.CHANNEL: {
      const types = option.channel_types;
      const channels = around.channels.filter(
        (channel) => !types?.length || types.includes(channel.type),
      );
      return named(channels, typed, "#", "No channel here is called");
    }
    case T.ROLE:
      return named(around.roles, typed, "@", "No role here is called");
    case T.MENTIONABLE:
      return named([...around.people, ...around.roles], typed, "@", "Nobody here is called");
    case T.ATTACHMENT:
      return { error: "Files can't be sent from this page" };
    default:
      return string(option, typed);
  }
}

/** @param {CommandOption} option @param {string} typed @returns {Resolved} */
function fromChoices(option, typed) {
  const low = typed.toLowerCase();
  const choices = option.choices ?? [];
  const exact = choices.find(
    (one) => one.name.toLowerCase() === low || String(one.value).toLowerCase() === low,
  );
  const close = choices.filter((one) => one.name.toLowerCase().startsWith(low));
  const choice = exact ?? (close.length === 1 ? close[0] : undefined);
  if (choice) return { value: { value: choice.value, label: choice.name } };
  return { error: `Choose one of: ${choices.map((one) => one.name).join(", ")}` };
}

/** @param {CommandOption} option @param {string} typed @returns {Resolved} */
function number(option, typed) {
  const whole = option.type === T.INTEGER;
  const value = Number(typed.replace(/(?<=\d)[ _](?=\d)/g, ""));
  if (!Number.isFinite(value)) return { error: whole ? "Enter a whole number" : "Enter a number" };
  if (whole && !Number.isInteger(value)) return { error: "Enter a whole number" };
  if (option.min_value !== undefined && value < option.min_value)
    return { error: `At least ${option.min_value}` };
  if (option.max_value !== undefined && value > option.max_value)
    return { error: `At most ${option.max_value}` };
  return { value: { value, label: String(value) } };
}

/** @param {string} typed @returns {Resolved} */
function truth(typed) {
  if (/^(true|yes|on|1)$/i.test(typed)) return { value: { value: true, label: "True" } };
  if (/^(false|no|off|0)$/i.test(typed)) return { value: { value: false, label: "False" } };
  return { error: "Enter true or false" };
}

/** @param {CommandOption} option @param {string} typed @returns {Resolved} */
function string(option, typed) {
  if (option.min_length && typed.length < option.min_length)
    return { error: `At least ${option.min_length} characters` };
  if (option.max_length && typed.length > option.max_length)
    return { error: `At most ${option.max_length} characters` };
  return { value: { value: typed, label: typed } };
}

/**
 * Find by mention, id, full name or the only name that begins so.
 * @param {Named[]} list
 * @param {string} typed
 * @param {string} sign
 * @param {string} nobody
 * @returns {Resolved}
 */
function named(list, typed, sign, nobody) {
  const bare = typed
    .replace(/^<[@#][!&]?(\d+)>$/, "$1")
    .replace(new RegExp(`^${sign}`), "")
    .trim();
  const found = namesLike(list, bare);
  const exact = found.filter((one) => isCalled(one, bare));
  const one = exact.length === 1 ? exact[0] : found.length === 1 ? found[0] : undefined;
  if (one) return { value: { value: one.id, label: sign + one.name } };
  if (found.length > 1)
    return { error: `Which one: ${found.map((other) => other.name).join(", ")}?` };
  return { error: `${nobody} “${bare}”` };
}

/** @param {Named} one @param {string} bare */
const isCalled = (one, bare) =>
  one.id === bare ||
  [one.name, ...one.aliases].some((name) => name.toLowerCase() === bare.toLowerCase());

/**
 * Those whose name, or a word of it, begins with what is typed.
 * @template {Named} N
 * @param {N[]} list
 * @param {string} typed without its sign
 * @returns {N[]}
 */
export function namesLike(list, typed) {
  const low = typed.toLowerCase();
  const begins = (/** @type {string} */ name) => name.toLowerCase().startsWith(low);
  return list.filter(
    (one) =>
      one.id === typed ||
      [one.name, ...one.aliases].some((name) => begins(name) || name.split(/\s+/).some(begins)),
  );
}

/**
 * The data of an interaction, nested as Discord nests it.
 * @param {Entry} entry
 * @param {{option: CommandOption, value: string|number|boolean, focused?: boolean}[]} values
 * @returns {{name: string, options: any[]}}
 */
export function nest(entry, values) {
  let options = values.map(({ option, value, focused }) => ({
    type: option.type,
    name: option.name,
    value,
    ...(focused ? { focused: true } : {}),
  }));
  for (let depth = entry.path.length - 1; depth > 0; depth -= 1) {
    const type = depth === entry.path.length - 1 ? T.SUBCOMMAND : T.GROUP;
    options = /** @type {any[]} */ ([{ type, name: entry.path[depth], options }]);
  }
  return { name: entry.path[0], options };
}
