"""How things look as JSON: the objects of HTTP API v10, as answers and in events."""

from collections.abc import Iterable

from playground.state.clock import created_at
from playground.state.model import (
    Application,
    Attachment,
    Channel,
    Emoji,
    Guild,
    Member,
    Message,
    MessageFlag,
    Role,
    User,
)
from playground.state.permissions import Permission
from playground.wire import Json, iso


def user(person: User) -> Json:
    """Show a user."""
    shown: Json = {
        "id": str(person.id),
        "username": person.username,
        "discriminator": f"{person.id % 10000:04}" if person.bot else "0",
        "global_name": None if person.bot else person.global_name,
        "avatar": None,
        "avatar_decoration_data": None,
        "banner": None,
        "accent_color": int(person.avatar_color[1:], 16),
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }
    if person.bot:
        shown["bot"] = True
    return shown


def member(of: Member, *, with_user: bool = True) -> Json:
    """Show a member; events of messages leave out the user, who is the author."""
    shown: Json = {
        "avatar": None,
        "banner": None,
        "communication_disabled_until": None,
        "flags": 0,
        "joined_at": iso(of.joined_at),
        "nick": of.nick,
        "pending": False,
        "premium_since": None,
        "roles": [str(role_id) for role_id in sorted(of.roles)],
        "mute": False,
        "deaf": False,
    }
    if with_user:
        shown["user"] = user(of.user)
    return shown


def role(of: Role) -> Json:
    """Show a role."""
    shown: Json = {
        "id": str(of.id),
        "name": of.name,
        "description": None,
        "permissions": str(of.permissions.value),
        "position": of.position,
        "color": of.color,
        "colors": {"primary_color": of.color, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": of.managed_by is not None,
        "mentionable": of.mentionable,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }
    if of.managed_by is not None:
        shown["tags"] = {"bot_id": str(of.managed_by)}
    return shown


def _id(value: int | None) -> str | None:
    return None if value is None else str(value)


def channel(
    of: Channel, *, seen_by: User | None = None, permissions: Permission | None = None
) -> Json:
    """Show a channel, thread or direct message.

    `seen_by` is whose thread membership is told, and who is left out of a DM's recipients;
    `permissions` are told where an interaction's channel is shown.
    """
    shown: Json = {
        "id": str(of.id),
        "type": of.type.value,
        "flags": 0,
        "last_message_id": _id(of.last_message_id),
        "last_pin_timestamp": None,
    }
    if permissions is not None:
        shown["permissions"] = str(permissions.value)
    if of.is_dm:
        shown["recipients"] = [user(person) for person in of.recipients if person is not seen_by]
        return shown
    shown["guild_id"] = _id(of.guild.id if of.guild else None)
    shown["name"] = of.name
    shown["parent_id"] = _id(of.parent.id if of.parent else None)
    shown["rate_limit_per_user"] = 0
    shown["position"] = of.position
    shown["nsfw"] = False
    if of.is_thread:
        shown.update(_thread_parts(of, seen_by))
        return shown
    shown["topic"] = of.topic
    shown["permission_overwrites"] = [
        {
            "id": str(overwrite.id),
            "type": overwrite.kind,
            "allow": str(overwrite.allow.value),
            "deny": str(overwrite.deny.value),
        }
        for overwrite in of.overwrites.values()
    ]
    if of.type.name in {"VOICE", "STAGE"}:
        shown.update(bitrate=64000, user_limit=0, rtc_region=None)
    if of.type.name == "FORUM":
        shown.update(
            available_tags=[],
            default_reaction_emoji=None,
            default_sort_order=None,
            default_forum_layout=0,
        )
    return shown


def _thread_parts(of: Channel, seen_by: User | None) -> Json:
    metadata: Json = {
        "archived": of.archived,
        "archive_timestamp": iso(of.archive_changed_at),
        "auto_archive_duration": of.auto_archive_minutes,
        "locked": of.locked,
        "create_timestamp": iso(created_at(of.id)),
    }
    if of.is_private_thread:
        metadata["invitable"] = of.invitable
    parts: Json = {
        "owner_id": str(of.owner_id),
        "thread_metadata": metadata,
        "message_count": len(of.messages),
        "member_count": min(len(of.thread_members), 50),
        "total_message_sent": of.total_message_sent,
        "applied_tags": [],
    }
    if seen_by is not None and seen_by.id in of.thread_members:
        parts["member"] = thread_member(of, seen_by.id)
    return parts


def thread_member(of: Channel, user_id: int) -> Json:
    """Show one person's membership in a thread."""
    return {
        "id": str(of.id),
        "user_id": str(user_id),
        "join_timestamp": iso(of.thread_members[user_id]),
        "flags": 0,
    }


def guild(of: Guild) -> Json:
    """Show a server, without members and channels."""
    return {
        "id": str(of.id),
        "name": of.name,
        "icon": None,
        "description": None,
        "home_header": None,
        "splash": None,
        "discovery_splash": None,
        "features": ["COMMUNITY"],
        "banner": None,
        "owner_id": str(of.owner_id),
        "application_id": None,
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "widget_enabled": False,
        "widget_channel_id": None,
        "verification_level": 1,
        "roles": [role(item) for item in of.roles.values()],
        "default_message_notifications": 1,
        "mfa_level": 0,
        "explicit_content_filter": 2,
        "max_presences": None,
        "max_members": 500000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": of.locale,
        "rules_channel_id": None,
        "safety_alerts_channel_id": None,
        "public_updates_channel_id": None,
        "premium_progress_bar_enabled": False,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
        "incidents_data": None,
    }


def guild_for_gateway(of: Guild, bot: User, threads: Iterable[Channel]) -> Json:
    """Show a server as GUILD_CREATE does: with channels, active threads and the bot's member."""
    shown = guild(of)
    own = of.members.get(bot.id)
    shown.update(
        joined_at=iso(own.joined_at) if own else None,
        large=len(of.members) > 250,
        unavailable=False,
        member_count=len(of.members),
        members=[member(own)] if own else [],
        channels=[channel(item) for item in of.channels.values() if not item.is_thread],
        threads=[channel(item, seen_by=bot) for item in threads],
        presences=[],
        voice_states=[],
        stage_instances=[],
        guild_scheduled_events=[],
        soundboard_sounds=[],
    )
    return shown


def attachment(of: Attachment) -> Json:
    """Show a file on a message."""
    shown: Json = {
        "id": str(of.id),
        "filename": of.filename,
        "size": len(of.content),
        "url": of.url,
        "proxy_url": of.url,
        "content_type": of.content_type,
    }
    if of.width is not None and of.height is not None:
        shown["width"], shown["height"] = of.width, of.height
    if of.description is not None:
        shown["description"] = of.description
    if of.ephemeral:
        shown["ephemeral"] = True
    return shown


def message(of: Message, *, application_id: int, bot: User, nested: bool = False) -> Json:
    """Show a message; `nested` leaves out the message that it replies to."""
    shown: Json = {
        "id": str(of.id),
        "channel_id": str(of.channel.id),
        "type": of.type.value,
        "author": user(of.author),
        "content": of.content,
        "timestamp": iso(of.created_at),
        "edited_timestamp": iso(of.edited_at),
        "tts": of.tts,
        "mention_everyone": of.mention_everyone,
        "mentions": [user(person) for person in of.mentions],
        "mention_roles": [str(role_id) for role_id in of.mention_roles],
        "attachments": [attachment(item) for item in of.attachments if not item.in_embed],
        "embeds": of.embeds,
        "components": of.components,
        "flags": of.flags,
        "pinned": of.pinned,
    }
    if of.by_interaction:
        shown["application_id"] = shown["webhook_id"] = str(application_id)
        if of.metadata is not None:
            shown["interaction_metadata"] = of.metadata
            if of.command_name is not None and of.metadata["type"] == 2:
                shown["interaction"] = {
                    "id": of.metadata["id"],
                    "type": 2,
                    "name": of.command_name,
                    "user": of.metadata["user"],
                }
    if of.nonce is not None:
        shown["nonce"] = of.nonce
    if of.reference is not None:
        shown["message_reference"] = of.reference
        if of.type is of.type.REPLY and not nested and not of.by_interaction:
            to = of.referenced
            shown["referenced_message"] = (
                None
                if to is None or to.deleted
                else message(to, application_id=application_id, bot=bot, nested=True)
            )
    if of.thread is not None and of.flags & MessageFlag.HAS_THREAD:
        shown["thread"] = channel(of.thread)
    if of.reactions:
        shown["reactions"] = [_reaction(emoji, who, bot) for emoji, who in of.reactions.items()]
    return shown


def emoji_key(text: str) -> Json:
    """Show the emoji that a reaction's key (`🂡` or `name:id`) means."""
    name, _, emoji_id = text.rpartition(":")
    return {"id": emoji_id, "name": name} if name else {"id": None, "name": text}


def _reaction(emoji_text: str, who: set[int], bot: User) -> Json:
    return {
        "emoji": emoji_key(emoji_text),
        "count": len(who),
        "count_details": {"burst": 0, "normal": len(who)},
        "burst_colors": [],
        "me_burst": False,
        "me": bot.id in who,
    }


def emoji(of: Emoji, bot: User) -> Json:
    """Show an emoji of the application."""
    return {
        "id": str(of.id),
        "name": of.name,
        "roles": [],
        "user": user(bot),
        "require_colons": True,
        "managed": False,
        "animated": of.animated,
        "available": True,
    }


def application(of: Application, guild_count: int) -> Json:
    """Show the application to its own bot."""
    return {
        "id": str(of.id),
        "name": of.name,
        "icon": None,
        "description": "",
        "summary": "",
        "type": None,
        "bot": user(of.bot),
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": user(of.owner),
        "approximate_guild_count": guild_count,
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": [],
        "integration_types_config": {"0": {}},
    }
