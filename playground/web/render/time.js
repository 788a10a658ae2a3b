/** Moments in words: `<t:…>` marks that keep themselves up to date, and the times beside messages. */

import { clock } from "../clock.js";
import { h } from "../dom.js";

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const STYLES = {
  t: { hour: "2-digit", minute: "2-digit" },
  T: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
  d: { day: "2-digit", month: "2-digit", year: "numeric" },
  D: { day: "numeric", month: "long", year: "numeric" },
  f: { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" },
  F: {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  },
  s: { day: "2-digit", month: "2-digit", year: "numeric", hour: "2-digit", minute: "2-digit" },
  S: {
    day: "2-digit",
    month: "2-digit",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  },
};

/** Seconds of each unit, largest first. @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

const DAY = 86_400_000;
const spans = new Intl.RelativeTimeFormat(undefined, { numeric: "always" });

/**
 * How far a moment is from now, in its largest whole unit: "in 5 minutes".
 * @param {number} unixMs
 * @param {number} nowMs
 */
export function span(unixMs, nowMs) {
  const seconds = Math.round((unixMs - nowMs) / 1000);
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return spans.format(Math.trunc(seconds / size), unit);
}

/** @param {number} unixMs @param {string} style one of `STYLES`, or R @param {number} nowMs */
export function inWords(unixMs, style, nowMs) {
  if (style === "R") return span(unixMs, nowMs);
  return new Intl.DateTimeFormat(undefined, STYLES[style] ?? STYLES.f).format(unixMs);
}

/** The element of a `<t:unix:style>` mark. @param {number} unix seconds @param {string} style */
export function timeMark(unix, style) {
  const ms = unix * 1000;
  if (Math.abs(ms) > 8.64e15) return h("span", {}, `<t:${unix}>`);
  return h(
    "time",
    {
      class: "time-mark",
      datetime: new Date(ms).toISOString(),
      title: inWords(ms, "F", clock.now()),
      data: { style, ms: String(ms) },
    },
    inWords(ms, style, clock.now()),
  );
}

/** Hour and minute, for where there is little room. @param {number} unixMs */
export function short(unixMs) {
  const parts = new Intl.DateTimeFormat(undefined, STYLES.t).formatToParts(unixMs);
  return parts
    .filter((part) => part.type !== "dayPeriod")
    .map((part) => part.value)
    .join("")
    .trim();
}

/** When a message was written, as short as the day allows. @param {number} unixMs */
export function stamp(unixMs) {
  const today = new Date(clock.now()).setHours(0, 0, 0, 0);
  const time = inWords(unixMs, "t", 0);
  if (unixMs >= today && unixMs < today + DAY) return time;
  if (unixMs >= today - DAY && unixMs < today) return `Yesterday ${time}`;
  return inWords(unixMs, "s", 0);
}

/** Rewrite every relative time whose words have changed. */
export function refreshSpans() {
  for (const mark of document.querySelectorAll('time[data-style="R"]')) {
    const words = span(Number(/** @type {HTMLElement} */ (mark).dataset.ms), clock.now());
    if (mark.textContent !== words) mark.textContent = words;
  }
}

/** Keep relative times right for as long as the page is open. */
export function startTicking() {
  setInterval(refreshSpans, 1000);
}
