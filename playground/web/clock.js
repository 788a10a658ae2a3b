/** The playground's own time, which the faults panel can move ahead of this machine's. */

let ahead = 0;

export const clock = {
  /** Milliseconds since 1970 by the playground's clock. */
  now: () => Date.now() + ahead,

  /** Take over what the server says the time is. @param {number|undefined} unixMs */
  set(unixMs) {
    if (typeof unixMs === "number") ahead = unixMs - Date.now();
  },
};
