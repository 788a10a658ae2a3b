/** People, roles and channels as things to choose from. */

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { avatar } from "./render/avatar.js";
import { ComponentType as T, ChannelType } from "./types.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./picker.js").PickerOption} PickerOption
 * @typedef {import("./types.js").Channel} Channel
 */

/**
 * The options of a select over people, roles, both, or channels.
 * @param {App} app
 * @param {any} component
 * @param {string} channelId where it is shown
 * @param {?string} guildId
 * @returns {PickerOption[]}
 */
export function entityOptions(app, component, channelId, guildId) {
  const chosen = new Set(
    (component.default_values ?? []).map((/** @type {any} */ value) => value.id),
  );
  /** @type {PickerOption[]} */
  const options = [];
  if ([T.USER_SELECT, T.MENTIONABLE_SELECT].includes(component.type)) {
    options.push(...people(app, channelId, guildId));
  }
  if ([T.ROLE_SELECT, T.MENTIONABLE_SELECT].includes(component.type))
    options.push(...roles(app, guildId));
  if (component.type === T.CHANNEL_SELECT)
    options.push(...channels(app, guildId, component.channel_types));
  return options.map((option) => ({ ...option, chosen: chosen.has(option.value) }));
}

/** @param {App} app @param {string} channelId @param {?string} guildId @returns {PickerOption[]} */
function people(app, channelId, guildId) {
  return app.store.peopleIn(app.store.channels.get(channelId)).map((user) => {
    const name = app.store.nameOf(user, guildId);
    return {
      value: user.id,
      label: name,
      detail: user.username,
      picture: avatar(user, name, "tiny"),
    };
  });
}

/** @param {App} app @param {?string} guildId @returns {PickerOption[]} */
function roles(app, guildId) {
  return (app.store.guilds.get(guildId ?? "")?.roles ?? []).map((role) => ({
    value: role.id,
    label: role.name,
  }));
}

/** @param {App} app @param {?string} guildId @param {number[]|undefined} types @returns {PickerOption[]} */
function channels(app, guildId, types) {
  return [...app.store.channels.values()]
    .filter(
      (channel) => channel.guild_id === guildId && (!types?.length || types.includes(channel.type)),
    )
    .map((channel) => ({
      value: channel.id,
      label: app.store.titleOf(channel),
      picture: h("span", { class: "place-icon" }, icon(placeIcon(channel))),
    }));
}

/** The sign before a channel's name. @param {Channel} channel @returns {import("./icons.js").IconName} */
export function placeIcon(channel) {
  switch (channel.type) {
    case ChannelType.DM:
      return "at";
    case ChannelType.VOICE:
    case ChannelType.STAGE:
      return "speaker";
    case ChannelType.NEWS_THREAD:
    case ChannelType.PUBLIC_THREAD:
    case ChannelType.PRIVATE_THREAD:
      return "thread";
    case ChannelType.FORUM:
      return "bubble";
    default:
      return "hash";
  }
}
