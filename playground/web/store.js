/** All that this tab knows of the house, kept up to date from the server's frames. */

import { clock } from "./clock.js";
import { compareIds } from "./ids.js";
import { Topics } from "./topics.js";
import { ChannelType, hasFlag, isThread, MessageFlag } from "./types.js";
import { Unread } from "./unread.js";

/**
 * @typedef {import("./types.js").Channel} Channel
 * @typedef {import("./types.js").Frame} Frame
 * @typedef {import("./types.js").Guild} Guild
 * @typedef {import("./types.js").Message} Message
 * @typedef {import("./types.js").User} User
 * @typedef {{messages: Message[], loaded: boolean, complete: boolean}} Log
 */

/** @type {User} */
const NOBODY = { id: "0", username: "nobody" };

/**
 * Topics that it tells of: `ready`, `places` (servers, channels, threads), `people` (members, the bot),
 * `log` ({channelId}), `unread`, `commands`, `faults`, `interaction`, `modal`, `complaint` (a sentence).
 */
export class Store extends Topics {
  me = NOBODY;
  /** @type {{id: string, bot: User}} */ app = { id: "0", bot: NOBODY };
  /** @type {Map<string, Guild>} */ guilds = new Map();
  /** @type {Map<string, Channel>} */ channels = new Map();
  /** @type {Map<string, User>} */ users = new Map();
  /** @type {Map<string, Log>} */ logs = new Map();
  /** @type {any[]} */ commands = [];
  /** @type {Record<string, any>} */ faults = {};
  unread = new Unread();
  botOnline = false;
  dmClosed = false;

  /** Take in one frame. @param {Frame} frame */
  take({ t, d }) {
    switch (t) {
      case "READY":
        return this.#ready(d);
      case "MESSAGE_CREATE":
        return this.#message(d, true);
      case "MESSAGE_UPDATE":
        return this.#message(d, false);
      case "MESSAGE_DELETE":
        return this.#messageGone(d.channel_id, d.id);
      case "CHANNEL_CREATE":
      case "CHANNEL_UPDATE":
      case "THREAD_CREATE":
      case "THREAD_UPDATE":
        this.#channel(d, d.guild_id ?? this.channels.get(d.id)?.guild_id ?? null);
        return this.emit("places");
      case "CHANNEL_DELETE":
      case "THREAD_DELETE":
        return this.#channelGone(d.id);
      case "MEMBER_ADD":
        return this.#memberAdded(d);
      case "MEMBER_REMOVE":
        return this.#memberGone(d);
      case "COMMANDS":
        this.commands = d.commands;
        return this.emit("commands");
      case "BOT":
        this.botOnline = d.online;
        return this.emit("people");
      case "FAULTS":
        return this.#faults(d);
      case "INTERACTION":
        return this.emit("interaction", d);
      case "MODAL":
        return this.emit("modal", d);
      case "ERROR":
        return this.emit("complaint", d);
      default:
        return undefined;
    }
  }

  /** The log of a channel, made when it is first asked for. @param {string} channelId @returns {Log} */
  log(channelId) {
    let log = this.logs.get(channelId);
    if (!log) {
      log = { messages: [], loaded: false, complete: false };
      this.logs.set(channelId, log);
    }
    return log;
  }

  /** Add older messages. @param {string} channelId @param {Message[]} messages @param {boolean} complete */
  addHistory(channelId, messages, complete) {
    const log = this.log(channelId);
    for (const message of messages) {
      this.#knowPeopleOf(message);
      put(log.messages, message);
    }
    log.loaded = true;
    log.complete = complete;
    this.emit("log", { channelId });
  }

  /** @param {string} channelId @param {string} messageId */
  message(channelId, messageId) {
    return this.logs.get(channelId)?.messages.find((message) => message.id === messageId);
  }

  /** Take a message away on this screen only. @param {string} channelId @param {string} messageId */
  dropMessage(channelId, messageId) {
    this.#messageGone(channelId, messageId);
  }

  /** @param {string|null|undefined} guildId @param {User} user */
  nameOf(user, guildId = null) {
    const member = guildId
      ? this.guilds.get(guildId)?.members.find((one) => one.user.id === user.id)
      : undefined;
    return member?.nick || user.global_name || user.username;
  }

  /** What a channel is called here. @param {Channel} channel */
  titleOf(channel) {
    if (channel.type !== ChannelType.DM) return channel.name ?? "unnamed";
    const others = (channel.recipients ?? []).filter((user) => user.id !== this.me.id);
    return others.map((user) => this.nameOf(user)).join(", ") || "Direct message";
  }

  /** Direct messages, the latest used first as far as known. */
  get dms() {
    return [...this.channels.values()].filter((channel) => channel.type === ChannelType.DM);
  }

  /** Who can be seen from a channel. @param {Channel|undefined} channel @returns {User[]} */
  peopleIn(channel) {
    if (channel?.guild_id) {
      return (this.guilds.get(channel.guild_id)?.members ?? []).map((member) => member.user);
    }
    const others = (channel?.recipients ?? []).filter((user) => user.id !== this.me.id);
    return channel ? [...others, this.me] : [];
  }

  /** Every message of a direct message calls, elsewhere only those that mention. @param {Message} message */
  callsMe(message) {
    if (message.author.id === this.me.id || hasFlag(message, MessageFlag.EPHEMERAL)) return false;
    return (
      message.mention_me === true || this.channels.get(message.channel_id)?.type === ChannelType.DM
    );
  }

  /** @param {any} d */
  #ready(d) {
    this.me = d.me;
    this.app = { id: d.app?.id ?? "0", bot: d.app?.bot ?? d.app?.user ?? NOBODY };
    this.guilds.clear();
    this.channels.clear();
    for (const user of [this.me, this.app.bot]) this.users.set(user.id, user);
    for (const guild of d.guilds) {
      this.guilds.set(guild.id, guild);
      for (const channel of guild.channels) this.#channel(channel, guild.id);
      for (const member of guild.members) this.users.set(member.user.id, member.user);
    }
    for (const dm of d.dms) this.#channel({ type: ChannelType.DM, ...dm }, null);
    this.commands = d.commands ?? [];
    this.botOnline = d.bot_online ?? false;
    this.dmClosed = d.dm_closed ?? false;
    clock.set(d.now);
    if (d.faults) this.faults = d.faults;
    this.unread.restart(
      d.read ?? {},
      d.last ?? {},
      this.dms.map((channel) => channel.id),
    );
    for (const log of this.logs.values()) {
      log.messages = log.messages.filter((message) => hasFlag(message, MessageFlag.EPHEMERAL));
      log.loaded = false;
      log.complete = false;
    }
    for (const topic of ["ready", "places", "people", "commands", "faults", "unread"])
      this.emit(topic);
  }

  /** @param {Channel} channel @param {?string} guildId */
  #channel(channel, guildId) {
    const known = this.channels.get(channel.id);
    this.channels.set(channel.id, {
      ...known,
      ...channel.thread_metadata,
      ...channel,
      guild_id: guildId,
    });
    for (const user of channel.recipients ?? []) this.users.set(user.id, user);
  }

  /** @param {string} channelId */
  #channelGone(channelId) {
    for (const channel of [...this.channels.values()]) {
      if (channel.id !== channelId && !(isThread(channel) && channel.parent_id === channelId))
        continue;
      this.channels.delete(channel.id);
      this.logs.delete(channel.id);
      this.unread.forget(channel.id);
    }
    this.emit("places");
    this.emit("unread");
  }

  /** @param {Message} message @param {boolean} created */
  #message(message, created) {
    this.#knowPeopleOf(message);
    const channelId = message.channel_id;
    if (!this.channels.has(channelId)) {
      this.#channel({ id: channelId, type: ChannelType.DM, recipients: [message.author] }, null);
      this.emit("places");
    }
    const log = this.log(channelId);
    const old = log.messages.find((one) => one.id === message.id);
    if (created || old) put(log.messages, old ? { ...old, ...message } : message);
    if (created && !hasFlag(message, MessageFlag.EPHEMERAL)) {
      this.unread.arrived(channelId, message.id, this.callsMe(message));
      if (message.author.id === this.me.id) this.unread.seen(channelId);
    }
    this.emit("log", { channelId, created: created ? message : undefined });
    this.emit("unread");
  }

  /** @param {string} channelId @param {string} messageId */
  #messageGone(channelId, messageId) {
    const log = this.logs.get(channelId);
    if (log) log.messages = log.messages.filter((message) => message.id !== messageId);
    const kept = log?.messages.filter((message) => !hasFlag(message, MessageFlag.EPHEMERAL)) ?? [];
    this.unread.vanished(channelId, messageId, kept.at(-1)?.id ?? null);
    this.emit("log", { channelId });
    this.emit("unread");
  }

  /** @param {{guild_id: string, user: User, nick?: string|null}} d */
  #memberAdded(d) {
    const guild = this.guilds.get(d.guild_id);
    if (!guild) return;
    this.users.set(d.user.id, d.user);
    guild.members = guild.members.filter((member) => member.user.id !== d.user.id);
    guild.members.push({ user: d.user, nick: d.nick });
    this.emit("people");
  }

  /** @param {{guild_id: string, user?: User, user_id?: string}} d */
  #memberGone(d) {
    const guild = this.guilds.get(d.guild_id);
    const goneId = d.user?.id ?? d.user_id;
    if (guild) guild.members = guild.members.filter((member) => member.user.id !== goneId);
    this.emit("people");
  }

  /** @param {any} d */
  #faults(d) {
    this.faults = d;
    clock.set(d.now ?? (typeof d.clock === "number" ? Date.now() + d.clock * 1000 : undefined));
    this.emit("faults");
  }

  /** This person's direct messages were closed or opened. @param {boolean} closed */
  setDmClosed(closed) {
    this.dmClosed = closed;
    this.emit("faults");
  }

  /** @param {Message} message */
  #knowPeopleOf(message) {
    const people = [
      message.author,
      ...(message.mentions ?? []),
      message.interaction_metadata?.user,
    ];
    for (const user of people) {
      if (user && !this.users.has(user.id)) this.users.set(user.id, user);
    }
  }
}

/** Put a message where its age says, in the place of its older self. @param {Message[]} messages @param {Message} message */
function put(messages, message) {
  let place = messages.length;
  while (place > 0 && compareIds(messages[place - 1].id, message.id) > 0) place -= 1;
  if (place > 0 && messages[place - 1].id === message.id) messages[place - 1] = message;
  else messages.splice(place, 0, message);
}
