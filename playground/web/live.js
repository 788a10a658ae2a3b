/** The socket to the playground: frames out, frames in, and coming back by itself when it drops. */

/** @typedef {import("./types.js").Frame} Frame */

const FIRST_WAIT = 400;
const LONGEST_WAIT = 5000;
const ANSWER_WITHIN = 10_000;

export class Live {
  /** @type {WebSocket|null} */ #socket = null;
  /** @type {Map<string, {resolve: (data: any) => void, reject: (why: Error) => void}>} */
  #asked = new Map();
  #wait = FIRST_WAIT;
  #retry = 0;
  #count = 0;
  #prefix = Math.random().toString(36).slice(2, 8);

  /**
   * @param {string} address of the socket
   * @param {(frame: Frame) => void} onFrame called for every frame that no one asked for
   * @param {(state: "open"|"lost") => void} onState
   */
  constructor(address, onFrame, onState) {
    this.address = address;
    this.onFrame = onFrame;
    this.onState = onState;
  }

  get open() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Connect now, and again whenever the connection is lost. */
  connect() {
    clearTimeout(this.#retry);
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#wait = FIRST_WAIT;
      this.onState("open");
    });
    socket.addEventListener("message", (event) => this.#receive(event.data));
    socket.addEventListener("close", () => {
      if (this.#socket === socket) this.#lost();
    });
  }

  /**
   * Send a frame without waiting for an answer.
   * @param {string} op
   * @param {Record<string, unknown>} fields
   * @returns {string|null} its nonce, or null when there is no connection
   */
  send(op, fields = {}) {
    if (!this.open) return null;
    this.#count += 1;
    const nonce = `${this.#prefix}-${this.#count}`;
    this.#socket?.send(JSON.stringify({ op, nonce, ...fields }));
    return nonce;
  }

  /**
   * Send a frame and wait for the frame with the same nonce.
   * @param {string} op
   * @param {Record<string, unknown>} fields
   * @returns {Promise<any>} the answer's data; rejects on ERROR, on a lost connection, after 10 s
   */
  ask(op, fields = {}) {
    const nonce = this.send(op, fields);
    if (!nonce) return Promise.reject(new Error("not connected"));
    return new Promise((resolve, reject) => {
      this.#asked.set(nonce, { resolve, reject });
      setTimeout(() => {
        if (this.#asked.delete(nonce)) reject(new Error("no answer"));
      }, ANSWER_WITHIN);
    });
  }

  /** @param {string} text */
  #receive(text) {
    /** @type {Frame} */
    const frame = JSON.parse(text);
    const nonce = frame.d?.nonce;
    const asked = nonce ? this.#asked.get(nonce) : undefined;
    if (!asked) {
      this.onFrame(frame);
      return;
    }
    this.#asked.delete(nonce);
    if (frame.t === "ERROR") asked.reject(new Error(frame.d.message));
    else asked.resolve(frame.d);
  }

  #lost() {
    this.#socket = null;
    for (const { reject } of this.#asked.values()) reject(new Error("not connected"));
    this.#asked.clear();
    this.onState("lost");
    this.#retry = setTimeout(() => this.connect(), this.#wait * (0.8 + Math.random() * 0.4));
    this.#wait = Math.min(this.#wait * 1.7, LONGEST_WAIT);
  }
}
