/** Snowflakes: ids that sort by age. They exceed what a number holds, so they stay strings. */

/** Negative when `a` is older than `b`. @param {string} a @param {string} b */
export function compareIds(a, b) {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Is `a` newer than `b`? Nothing is older than any id. @param {?string} a @param {?string} b */
export function isNewer(a, b) {
  if (!a) return false;
  return !b || compareIds(a, b) > 0;
}
