"""Whatever is sent to whichever route, the playground answers and doesn't stumble."""

import random
from typing import Any

from playground.doors.routing import ROUTES
from playground.server import Playground
from tests.playground.support import PNG, Bot, Http, channel_of, guild_of, person

SCALARS: tuple[Any, ...] = (None, True, -1, 0, 7, 2**70, 1.5, "", "x", "7", "x" * 5000, [], {}, "ж")
FIELDS = (
    *("content", "components", "embeds", "flags", "attachments", "allowed_mentions", "nonce"),
    *("message_reference", "type", "data", "choices", "title", "custom_id", "name", "description"),
    *("options", "recipient_id", "archived", "locked", "auto_archive_duration", "message"),
    *("image", "allow", "deny", "topic", "messages", "id", "url", "media", "items", "accessory"),
    *("label", "style", "value", "parse", "users", "enforce_nonce", "message_id", "filename"),
)


def nonsense(chance: random.Random, depth: int = 0) -> object:
    if depth > 3 or chance.random() < 0.3:
        return chance.choice(SCALARS)
    if chance.random() < 0.3:
        return [nonsense(chance, depth + 1) for _ in range(chance.randrange(4))]
    names = chance.sample(FIELDS, chance.randrange(1, 9))
    made = {name: nonsense(chance, depth + 1) for name in names}
    if chance.random() < 0.5:
        made["type"] = chance.randrange(24)
    return made


async def test_nonsense_is_answered_by_every_route(
    playground: Playground, http: Http, bot: Bot
) -> None:
    playground.rates.enabled = False
    world, place = playground.world, channel_of(playground.world)
    for permission in ("MANAGE_MESSAGES", "MANAGE_ROLES", "PIN_MESSAGES", "MANAGE_CHANNELS"):
        playground.faults.permission(world.bot, place, permission, True)
    chance = random.Random(7)
    used = world.interactions.create_command(person(world), place, "gin table")
    await used.done.wait()
    first = used.messages[0]
    unanswered = [
        world.interactions.create_command(person(world), place, "gin silent") for _ in range(8)
    ]
    destructive = {"/users/@me/guilds/{guild_id}", "/channels/{channel_id}"}
    stumbled = []
    for route in sorted(ROUTES, key=lambda item: (item.template, item.method)):
        if route.method == "DELETE" and route.template in destructive:
            continue
        for silent in unanswered:
            callback = route.template.startswith("/interactions")
            values = {
                "channel_id": place.id,
                "message_id": first.id if not first.deleted else 1,
                "guild_id": guild_of(world).id,
                "user_id": person(world, "ben").id,
                "application_id": world.application.id,
                "webhook_id": world.application.id,
                "webhook_token": used.token,
                "interaction_id": silent.id,
                "interaction_token": silent.token if callback else "x",
                "command_id": next(iter(world.application.commands), 1),
                "emoji_id": 1,
                "role_id": guild_of(world).id,
                "overwrite_id": person(world, "cleo").id,
                "emoji": "x:1",
            }
            path = route.template.format_map(values)
            files = {"files[0]": ("a.png", PNG)} if chance.random() < 0.2 else None
            body = None if route.method == "GET" else nonsense(chance)
            answer = await http(route.method, path, body, files=files)
            if answer.status >= 500:
                stumbled.append((route.method, route.template, body))
    assert stumbled == []
