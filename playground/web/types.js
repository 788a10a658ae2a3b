/**
 * The shapes that travel between the server and this page. Only names for the reader and the editor:
 * nothing here runs.
 *
 * @typedef {{id: string, username: string, global_name?: string|null, avatar_color?: string|number|null,
 *            bot?: boolean}} User
 * @typedef {{user: User, nick?: string|null}} Member
 * @typedef {{id: string, name: string, color?: number}} Role
 * @typedef {{id: string, name?: string, type: number, guild_id?: string|null, parent_id?: string|null, owner_id?: string,
 *            topic?: string|null, position?: number, archived?: boolean, locked?: boolean,
 *            recipients?: User[], thread_metadata?: {archived: boolean, locked: boolean}}} Channel
 * @typedef {{id: string, name: string, channels: Channel[], members: Member[], roles?: Role[]}} Guild
 * @typedef {{id: string, filename: string, url: string, description?: string|null, content_type?: string,
 *            width?: number|null, height?: number|null, size?: number, title?: string}} Attachment
 * @typedef {{id?: string|null, name?: string|null, animated?: boolean}} Emoji
 * @typedef {Object} Message One message as Discord writes it, plus `mention_me`.
 * @property {string} id
 * @property {string} channel_id
 * @property {string} content
 * @property {User} author
 * @property {string} timestamp
 * @property {string|null} [edited_timestamp]
 * @property {number} [flags]
 * @property {number} [type]
 * @property {User[]} [mentions]
 * @property {boolean} [mention_everyone]
 * @property {boolean} [mention_me]
 * @property {Object[]} [embeds]
 * @property {Attachment[]} [attachments]
 * @property {Component[]} [components]
 * @property {Message|null} [referenced_message]
 * @property {{channel_id?: string, message_id?: string}} [message_reference]
 * @property {{id: string, type: number, user: User, name?: string}} [interaction_metadata]
 * @property {{name: string, user: User}} [interaction]
 *
 * @typedef {Object} Component Any node of a message's or a modal's component tree.
 * @property {number} type One of `ComponentType`.
 * @property {string} [custom_id]
 * @property {Component[]} [components]
 * @property {Component} [component]
 * @property {Component} [accessory]
 *
 * @typedef {{name: string, value: string|number}} Choice
 * @typedef {Object} CommandOption
 * @property {number} type One of `OptionType`.
 * @property {string} name
 * @property {string} description
 * @property {boolean} [required]
 * @property {Choice[]} [choices]
 * @property {boolean} [autocomplete]
 * @property {number} [min_value]
 * @property {number} [max_value]
 * @property {number} [min_length]
 * @property {number} [max_length]
 * @property {number[]} [channel_types]
 * @property {CommandOption[]} [options]
 *
 * @typedef {{t: string, d: any}} Frame One message from the server.
 */

/** Component types of Discord's API. */
export const ComponentType = Object.freeze({
  ACTION_ROW: 1,
  BUTTON: 2,
  STRING_SELECT: 3,
  TEXT_INPUT: 4,
  USER_SELECT: 5,
  ROLE_SELECT: 6,
  MENTIONABLE_SELECT: 7,
  CHANNEL_SELECT: 8,
  SECTION: 9,
  TEXT_DISPLAY: 10,
  THUMBNAIL: 11,
  MEDIA_GALLERY: 12,
  FILE: 13,
  SEPARATOR: 14,
  CONTAINER: 17,
  LABEL: 18,
  FILE_UPLOAD: 19,
  RADIO_GROUP: 21,
  CHECKBOX_GROUP: 22,
  CHECKBOX: 23,
});

/** Types of a slash command's options. */
export const OptionType = Object.freeze({
  SUBCOMMAND: 1,
  GROUP: 2,
  STRING: 3,
  INTEGER: 4,
  BOOLEAN: 5,
  USER: 6,
  CHANNEL: 7,
  ROLE: 8,
  MENTIONABLE: 9,
  NUMBER: 10,
  ATTACHMENT: 11,
});

/** Channel types that this page tells apart. */
export const ChannelType = Object.freeze({
  TEXT: 0,
  DM: 1,
  VOICE: 2,
  CATEGORY: 4,
  NEWS: 5,
  NEWS_THREAD: 10,
  PUBLIC_THREAD: 11,
  PRIVATE_THREAD: 12,
  STAGE: 13,
  FORUM: 15,
});

/** Bits of a message's `flags`. */
export const MessageFlag = Object.freeze({
  SUPPRESS_EMBEDS: 1 << 2,
  EPHEMERAL: 1 << 6,
  LOADING: 1 << 7,
  COMPONENTS_V2: 1 << 15,
});

/** @param {Message} message @param {number} flag */
export const hasFlag = (message, flag) => ((message.flags ?? 0) & flag) !== 0;

/** @param {Channel|undefined} channel */
export const isThread = (channel) =>
  channel !== undefined &&
  channel.type >= ChannelType.NEWS_THREAD &&
  channel.type <= ChannelType.PRIVATE_THREAD;
