"""Whom a message mentions and whom it pings, as `allowed_mentions` lets it."""

import re
from dataclasses import dataclass

from playground.state.components import texts
from playground.state.model import Channel, Member, User
from playground.state.permissions import Permission, can_view, in_channel
from playground.wire import Json, snowflake

_USER = re.compile(r"<@!?(\d{15,20})>")
_ROLE = re.compile(r"<@&(\d{15,20})>")
_EVERYONE = re.compile(r"@(everyone|here)\b")


@dataclass(frozen=True, slots=True)
class Mentions:
    """What a message's text mentions, after `allowed_mentions` had its say."""

    users: tuple[User, ...] = ()
    roles: tuple[int, ...] = ()
    everyone: bool = False

    def pinged(self, channel: Channel, author: User) -> frozenset[int]:
        """Tell whom a new message with these mentions notifies.

        In a direct message that is everybody but its author, mentioned or not.
        """
        if channel.is_dm:
            return frozenset(person.id for person in channel.recipients if person is not author)
        ids = {person.id for person in self.users}
        if channel.guild is not None and (self.roles or self.everyone):
            for member in channel.guild.members.values():
                if self.everyone or member.roles.intersection(self.roles):
                    ids.add(member.user.id)
        ids.discard(author.id)
        guild = channel.guild
        return frozenset(
            user_id
            for user_id in ids
            if guild is not None
            and user_id in guild.members
            and can_view(channel, guild.members[user_id])
        )


def _ids(value: object) -> set[int]:
    found = {snowflake(item) for item in value} if isinstance(value, list) else set()
    return {item for item in found if item is not None}


def find_mentions(
    content: str,
    components: list[Json],
    allowed: object,
    channel: Channel,
    users: dict[int, User],
    author: Member | None,
) -> Mentions:
    """Find the mentions in a message's content and text displays.

    `allowed` is the body's `allowed_mentions`; without one everything counts. Everyone and roles
    that not everybody may mention need the author's permission in a server.
    """
    text = content if not components else "\n".join((content, *texts(components)))
    if "@" not in text:
        return Mentions()
    rules = allowed if isinstance(allowed, dict) else {"parse": ["users", "roles", "everyone"]}
    parse = rules.get("parse") or []
    some_users, some_roles = _ids(rules.get("users")), _ids(rules.get("roles"))
    may_all = author is None or bool(in_channel(channel, author) & Permission.MENTION_EVERYONE)
    people = [users[user_id] for user_id in _numbers(_USER, text) if user_id in users]
    roles = channel.guild.roles if channel.guild is not None else {}
    return Mentions(
        users=tuple(person for person in people if "users" in parse or person.id in some_users),
        roles=tuple(
            role_id
            for role_id in _numbers(_ROLE, text)
            if role_id in roles
            and (may_all or roles[role_id].mentionable)
            and ("roles" in parse or role_id in some_roles)
        ),
        everyone="everyone" in parse and may_all and bool(_EVERYONE.search(text)),
    )


def _numbers(pattern: re.Pattern[str], text: str) -> list[int]:
    return list(dict.fromkeys(int(number) for number in pattern.findall(text)))
