/** Who wants to hear of what: the thread that ties the store to what is on screen. */

export class Topics {
  /** @type {Map<string, Set<(detail: any) => void>>} */ #listeners = new Map();

  /**
   * Listen to one or several topics, separated by spaces.
   * @param {string} topics
   * @param {(detail: any) => void} listener
   */
  on(topics, listener) {
    for (const topic of topics.split(" ")) {
      const listeners = this.#listeners.get(topic) ?? new Set();
      this.#listeners.set(topic, listeners.add(listener));
    }
  }

  /** @param {string} topic @param {any} [detail] */
  emit(topic, detail) {
    for (const listener of this.#listeners.get(topic) ?? []) listener(detail);
  }
}
