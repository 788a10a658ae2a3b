/** The faults that have settings of their own: what happens to which requests, and to interactions. */

import { button, entry, section, toggle } from "./faultparts.js";
import { h } from "./dom.js";

/** @typedef {import("./faults.js").Faults} Faults */

/** Trouble for the requests that the bot makes. @param {Faults} faults */
export function requestRules(faults) {
  const { typed } = faults;
  return section(
    "Answers to the bot's requests",
    rule(
      faults,
      "slow",
      "Slow answers",
      [entry(typed, "slow", "Seconds"), entry(typed, "slowAt", "Requests", "all")],
      [
        "slow",
        () => ({ seconds: number(typed.slow, 4), pattern: typed.slowAt || "*" }),
        { seconds: 0 },
      ],
    ),
    rule(
      faults,
      "errors",
      "Server errors",
      [
        entry(typed, "errors", "Percent"),
        entry(typed, "status", "Status"),
        entry(typed, "errorsAt", "Requests", "all"),
      ],
      [
        "http_errors",
        () => ({
          rate: number(typed.errors, 30) / 100,
          status: number(typed.status, 503),
          pattern: typed.errorsAt || "*",
        }),
        { rate: 0 },
      ],
    ),
    rule(
      faults,
      "rate_limit",
      "Too many requests (429)",
      [entry(typed, "limit", "Seconds"), entry(typed, "limitAt", "Requests", "all")],
      [
        "rate_limit",
        () => ({ seconds: number(typed.limit, 5), pattern: typed.limitAt || "*" }),
        { seconds: 0 },
      ],
    ),
    h(
      "p",
      { class: "hint" },
      "Requests are named like ",
      h("code", {}, "POST /channels/*/messages"),
      ".",
    ),
  );
}

/** Trouble for interactions on their way to the bot. @param {Faults} faults */
export function interactionRules(faults) {
  const now = faults.app.store.faults;
  return section(
    "Interactions",
    button("Expire all tokens", () =>
      faults.cause("expire_tokens", {}, "All interaction tokens have expired."),
    ),
    rule(
      faults,
      "late",
      "Late at the bot",
      [entry(faults.typed, "late", "Seconds")],
      ["late", () => number(faults.typed.late, 4), 0],
    ),
    toggle("Delivered twice", Boolean(now.twice), (on) =>
      faults.cause(
        "twice",
        on ? 1 : 0,
        on ? "Interactions reach the bot twice." : "Interactions reach the bot once.",
      ),
    ),
    toggle("Lost on the way", Boolean(now.lost), (on) =>
      faults.cause(
        "lost",
        on ? 1 : 0,
        on ? "Interactions no longer reach the bot." : "Interactions reach the bot again.",
      ),
    ),
  );
}

/**
 * A fault with settings of its own, to turn on and off.
 * @param {Faults} faults
 * @param {string} state its name in the server's report
 * @param {string} title
 * @param {Node[]} inputs
 * @param {[string, () => unknown, unknown]} sends its name, what turns it on, what turns it off
 */
function rule(faults, state, title, inputs, [name, on, off]) {
  const isOn = faults.active.includes(state);
  return h(
    "div",
    { class: isOn ? "fault-group on" : "fault-group", role: "group", "aria-label": title },
    h("span", { class: "fault-title" }, title),
    h("div", { class: "fault-row" }, inputs),
    h(
      "div",
      { class: "fault-row" },
      button(
        `Turn on: ${title}`,
        () => faults.cause(name, on(), `${title}: on.`),
        "secondary",
        isOn ? "Set anew" : "Turn on",
      ),
      isOn &&
        button(
          `Turn off: ${title}`,
          () => faults.cause(name, off, `${title}: off.`),
          "secondary",
          "Turn off",
        ),
    ),
  );
}

/** @param {string} text @param {number} otherwise */
function number(text, otherwise) {
  const value = Number.parseFloat(text);
  return Number.isFinite(value) ? value : otherwise;
}
