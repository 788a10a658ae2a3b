/** Interactions under way: what was pressed, chosen or typed, and how its answer stands. */

/**
 * @typedef {import("./live.js").Live} Live
 * @typedef {import("./store.js").Store} Store
 * @typedef {import("./types.js").Message} Message
 *
 * @typedef {Object} Pending
 * @property {string} nonce
 * @property {"command"|"press"|"submit"} kind
 * @property {"sending"|"thinking"|"failed"} state
 * @property {string} channelId
 * @property {string} [messageId]
 * @property {string} [customId]
 * @property {string} [title] of a command: its name
 * @property {string} [why] in words, when it failed
 * @property {string} [interactionId]
 * @property {boolean} [ephemeral]
 * @property {(outcome: "answered"|"failed", why?: string) => void} [settle]
 */

const GIVE_UP_AFTER = 20_000;
const NO_ANSWER = "The application did not respond";

export class Interactions {
  /** @type {Map<string, Pending>} */ #pending = new Map();

  /**
   * @param {Store} store tells of frames; is told (topic `pending`) when something here has changed
   * @param {Live} live
   * @param {(sentence: string) => void} complain
   */
  constructor(store, live, complain) {
    this.store = store;
    this.live = live;
    this.complain = complain;
    store.on("interaction", (d) => this.#told(d));
    store.on("complaint", (d) => this.#refused(d));
    store.on("modal", (d) => this.#end(d.nonce));
    store.on("log", ({ created }) => {
      if (created?.author.id === store.me.id) this.#goOn(created.channel_id);
      if (created) this.#answeredBy(created);
    });
  }

  /** @param {Message} message @param {string} customId */
  press(message, customId) {
    this.#touch("press", message, { custom_id: customId });
  }

  /** @param {Message} message @param {string} customId @param {string[]} values */
  select(message, customId, values) {
    this.#touch("select", message, { custom_id: customId, values });
  }

  /**
   * Send a slash command.
   * @param {string} channelId
   * @param {string} title what it is called, as `/gin draw`
   * @param {{name: string, options: any[]}} data
   * @returns {boolean} false when there is no connection
   */
  command(channelId, title, data) {
    this.#goOn(channelId);
    return this.#start({ kind: "command", channelId, title }, "command", {
      channel_id: channelId,
      ...data,
    });
  }

  /**
   * Send a modal.
   * @param {string} channelId
   * @param {Record<string, unknown>} fields
   * @param {(outcome: "answered"|"failed", why?: string) => void} settle
   */
  submit(channelId, fields, settle) {
    return this.#start({ kind: "submit", channelId, settle }, "submit", fields);
  }

  /** The person does something else: a command that failed before needn't stand below it. @param {string} channelId */
  #goOn(channelId) {
    for (const one of this.commandsIn(channelId)) if (one.state === "failed") this.#end(one.nonce);
  }

  /** Is the answer to this control awaited? @param {string} messageId @param {string} customId */
  isBusy(messageId, customId) {
    return this.#some(
      (one) => one.messageId === messageId && one.customId === customId && one.state !== "failed",
    );
  }

  /** Did the last press on this message fail? @param {string} messageId */
  hasFailed(messageId) {
    return this.#some((one) => one.messageId === messageId && one.state === "failed");
  }

  /** Commands whose answer isn't there yet, or never came. @param {string} channelId @returns {Pending[]} */
  commandsIn(channelId) {
    return [...this.#pending.values()].filter(
      (one) => one.kind === "command" && one.channelId === channelId,
    );
  }

  /** Take away what is shown of a failure. @param {string} nonce */
  forget(nonce) {
    this.#end(nonce);
  }

  /** Nothing that was under way will be answered on this connection. */
  connectionLost() {
    for (const one of [...this.#pending.values()])
      if (one.state !== "failed") this.#fail(one, "The connection was lost");
  }

  /** @param {"press"|"select"} op @param {Message} message @param {Record<string, unknown>} fields */
  #touch(op, message, fields) {
    for (const one of [...this.#pending.values()]) {
      if (one.messageId === message.id && one.state === "failed") this.#pending.delete(one.nonce);
    }
    const place = { channel_id: message.channel_id, message_id: message.id };
    const customId = String(fields.custom_id);
    this.#start(
      { kind: "press", channelId: message.channel_id, messageId: message.id, customId },
      op,
      {
        ...place,
        ...fields,
      },
    );
  }

  /** @param {Omit<Pending, "nonce"|"state">} what @param {string} op @param {Record<string, unknown>} fields */
  #start(what, op, fields) {
    const nonce = this.live.send(op, fields);
    if (!nonce) {
      this.complain("Not connected. Nothing was sent.");
      return false;
    }
    /** @type {Pending} */
    const one = { ...what, nonce, state: "sending" };
    this.#pending.set(nonce, one);
    setTimeout(
      () => one.state === "sending" && this.#pending.has(nonce) && this.#fail(one),
      GIVE_UP_AFTER,
    );
    this.#changed(one);
    return true;
  }

  /** @param {{nonce: string, id?: string, state: string, ephemeral?: boolean}} d */
  #told(d) {
    const one = this.#pending.get(d.nonce);
    if (!one) return;
    one.interactionId = d.id ?? one.interactionId;
    one.ephemeral = d.ephemeral ?? false;
    if (d.state === "failed") this.#fail(one);
    else if (d.state === "thinking" && one.kind === "command" && !this.#isShown(one)) {
      one.state = "thinking";
      this.#changed(one);
    } else {
      one.settle?.("answered");
      this.#end(one.nonce);
    }
  }

  /** @param {{nonce?: string, message: string}} d */
  #refused(d) {
    const one = this.#pending.get(d.nonce ?? "");
    if (one) this.#fail(one, d.message);
    else this.complain(d.message);
  }

  /** A message that answers a command ends the wait for it. @param {Message} message */
  #answeredBy(message) {
    const id = message.interaction_metadata?.id;
    const one = id
      ? [...this.#pending.values()].find((other) => other.interactionId === id)
      : undefined;
    if (one?.kind === "command") this.#end(one.nonce);
  }

  /** Has the message that says "thinking" arrived already? @param {Pending} one */
  #isShown(one) {
    const log = this.store.log(one.channelId).messages;
    return log.some((message) => message.interaction_metadata?.id === one.interactionId);
  }

  /** @param {Pending} one @param {string} [why] */
  #fail(one, why = NO_ANSWER) {
    one.state = "failed";
    one.why = why;
    one.settle?.("failed", why);
    if (one.kind === "submit") this.#pending.delete(one.nonce);
    this.#changed(one);
  }

  /** @param {string} nonce */
  #end(nonce) {
    const one = this.#pending.get(nonce);
    if (!one) return;
    this.#pending.delete(nonce);
    this.#changed(one);
  }

  /** @param {Pending} one */
  #changed(one) {
    this.store.emit("pending", { channelId: one.channelId, messageId: one.messageId });
  }

  /** @param {(one: Pending) => boolean} test */
  #some(test) {
    return [...this.#pending.values()].some(test);
  }
}
