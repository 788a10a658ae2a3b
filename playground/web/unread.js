/** What a person has not read yet, and how often he was called: marks, counts, the page's title. */

import { isNewer } from "./ids.js";

export class Unread {
  /** @type {Map<string, string>} newest message that was read, by channel */ #read = new Map();
  /** @type {Map<string, string>} newest message that there is, by channel */ #last = new Map();
  /** @type {Map<string, Set<string>>} unread messages that call this person, by channel */ #calls =
    new Map();

  /**
   * Start from what the server remembers.
   * @param {Record<string, string>} read
   * @param {Record<string, string>} last
   * @param {string[]} dms channels in which every message calls
   */
  restart(read, last, dms) {
    this.#read = new Map(Object.entries(read));
    this.#last = new Map(Object.entries(last));
    for (const channelId of [...this.#calls.keys()]) {
      if (!this.isUnread(channelId)) this.#calls.delete(channelId);
    }
    for (const channelId of dms) {
      const last = this.#last.get(channelId);
      if (last && this.isUnread(channelId) && !this.#calls.get(channelId)?.size)
        this.#call(channelId, last);
    }
  }

  /** @param {string} channelId @param {string} messageId @param {boolean} calls */
  arrived(channelId, messageId, calls) {
    if (isNewer(messageId, this.#last.get(channelId) ?? null)) this.#last.set(channelId, messageId);
    if (calls) this.#call(channelId, messageId);
  }

  /** A message is gone, so it can't be unread. @param {string} channelId @param {string} messageId @param {?string} newest left */
  vanished(channelId, messageId, newest) {
    this.#calls.get(channelId)?.delete(messageId);
    if (this.#last.get(channelId) !== messageId) return;
    const left = newest ?? this.#read.get(channelId);
    if (left) this.#last.set(channelId, left);
    else this.#last.delete(channelId);
  }

  /**
   * Everything in the channel has been seen.
   * @param {string} channelId
   * @returns {?string} the newest message, when that was news
   */
  seen(channelId) {
    if (!this.isUnread(channelId) && !this.calls(channelId)) return null;
    const last = this.#last.get(channelId) ?? null;
    if (last) this.#read.set(channelId, last);
    this.#calls.delete(channelId);
    return last;
  }

  /** @param {string} channelId */
  isUnread(channelId) {
    return isNewer(this.#last.get(channelId) ?? null, this.#read.get(channelId) ?? null);
  }

  /** How many unread messages call this person there. @param {string} channelId */
  calls(channelId) {
    return this.#calls.get(channelId)?.size ?? 0;
  }

  /** @param {string} channelId @returns {?string} */
  readUpTo(channelId) {
    return this.#read.get(channelId) ?? null;
  }

  /** @param {string} channelId */
  forget(channelId) {
    for (const map of [this.#read, this.#last, this.#calls]) map.delete(channelId);
  }

  get allCalls() {
    return [...this.#calls.values()].reduce((sum, calls) => sum + calls.size, 0);
  }

  /** @param {string} channelId @param {string} messageId */
  #call(channelId, messageId) {
    const calls = this.#calls.get(channelId) ?? new Set();
    this.#calls.set(channelId, calls.add(messageId));
  }
}
