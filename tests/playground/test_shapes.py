"""The playground's answers have the shapes that Discord's own description gives them."""

import base64
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from playground.server import Playground
from tests.playground.support import PNG, Bot, Http, channel_of, guild_of, person

VALIDATOR = Path(__file__).parents[3] / "shared" / "discord" / "validate.py"


@pytest.fixture(scope="module")
def discords_description() -> ModuleType:
    if not VALIDATOR.is_file():
        pytest.skip(f"Discord's description isn't here ({VALIDATOR.name} in shared/discord)")
    spec = importlib.util.spec_from_file_location("discord_description", VALIDATOR)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def kept_answers(playground: Playground) -> None:
    playground.sent.keep_answers = True


def disagreements(playground: Playground, description: ModuleType) -> list[str]:
    found = []
    for request in playground.sent:
        if request.status >= 400:
            continue
        errors = description.response_errors(
            request.method, request.path, request.status, request.answer
        )
        found += [f"{request.method} {request.template}: {error}" for error in errors]
    return found


async def test_what_the_real_client_gets_has_discords_shapes(
    playground: Playground, bot: Bot, discords_description: ModuleType
) -> None:
    world, place = playground.world, channel_of(playground.world)
    ada, ben = person(world), person(world, "ben")
    for name, options in (
        ("gin challenge", {"opponent": ben}),
        ("gin hand", {}),
        ("gin table", {}),
        ("gin think", {}),
        ("gin discard", {"card": "7H"}),
    ):
        used = world.interactions.create_command(ada, place, name, options)
        await used.done.wait()
        if name == "gin table":
            press = world.interactions.create_component(ada, used.messages[0], "draw")
            await press.done.wait()
    asked = world.interactions.create_autocomplete(
        ada, place, "gin discard", [{"name": "card", "value": "", "focused": True}]
    )
    await asked.done.wait()
    opened = world.interactions.create_command(ada, place, "gin knock")
    await opened.done.wait()
    sent = world.interactions.create_modal_submit(ada, opened, {"melds": "7h 8h 9h"})
    await sent.done.wait()
    assert playground.sent.failed() == []
    assert disagreements(playground, discords_description) == []


async def test_every_route_answers_in_discords_shapes(
    playground: Playground, http: Http, discords_description: ModuleType
) -> None:
    playground.rates.enabled = False
    world = playground.world
    guild, place, voice = guild_of(world), channel_of(world), channel_of(world, "parlour")
    ada, app = person(world), world.application.id
    for permission in ("MANAGE_CHANNELS", "PIN_MESSAGES", "MANAGE_MESSAGES"):
        playground.faults.permission(world.bot, place, permission, True)
    theirs = world.send_message(ada, place, "hello")
    world.react(ada, theirs, "👏")
    messages = f"/channels/{place.id}/messages"
    embed = {
        "title": "Hand",
        "image": {"url": "attachment://a.png"},
        "footer": {"text": "x", "icon_url": "attachment://a.png"},
    }
    reply = {"content": "x", "message_reference": {"message_id": str(theirs.id)}}
    layout = {
        "flags": 1 << 15,
        "components": [
            {
                "type": 17,
                "components": [
                    {
                        "type": 9,
                        "components": [{"type": 10, "content": "hand"}],
                        "accessory": {"type": 11, "media": {"url": "attachment://a.png"}},
                    },
                    {"type": 14},
                    {"type": 13, "file": {"url": "attachment://a.png"}},
                    {"type": 1, "components": [{"type": 5, "custom_id": "who"}]},
                    {
                        "type": 1,
                        "components": [{"type": 2, "style": 5, "label": "x", "url": "https://a.b"}],
                    },
                ],
            }
        ],
    }
    files = {"files[0]": ("a.png", PNG)}
    made = (await http("POST", messages, {"embeds": [embed]}, files=files)).body
    await http("POST", messages, layout, files=files)
    await http("POST", messages, reply)
    await http("PATCH", f"{messages}/{made['id']}", {"content": "y"})
    await http("PUT", f"{messages}/pins/{made['id']}")
    started = await http("POST", f"{messages}/{made['id']}/threads", {"name": "table"})
    private = await http("POST", f"/channels/{place.id}/threads", {"name": "p", "type": 12})
    image = "data:image/png;base64," + base64.b64encode(PNG).decode()
    emoji = await http("POST", f"/applications/{app}/emojis", {"name": "spade", "image": image})
    option = {"type": 3, "name": "card", "description": "A card", "autocomplete": True}
    command = {"name": "gin", "description": "Gin", "options": [option]}
    entered = await http("POST", f"/applications/{app}/commands", command)
    for path in (
        "/users/@me",
        f"/users/{ada.id}",
        "/users/@me/guilds",
        "/gateway/bot",
        "/applications/@me",
        "/oauth2/applications/@me",
        f"/guilds/{guild.id}",
        f"/guilds/{guild.id}/channels",
        f"/guilds/{guild.id}/roles",
        f"/guilds/{guild.id}/members/{ada.id}",
        f"/guilds/{guild.id}/threads/active",
        f"/channels/{place.id}",
        f"/channels/{voice.id}",
        f"/channels/{started.body['id']}",
        f"/channels/{private.body['id']}/thread-members",
        f"/channels/{place.id}/threads/archived/public",
        messages,
        f"{messages}/{theirs.id}",
        f"{messages}/pins",
        f"{messages}/{theirs.id}/reactions/%F0%9F%91%8F",
        f"/applications/{app}/emojis",
        f"/applications/{app}/emojis/{emoji.body['id']}",
        f"/applications/{app}/commands",
        f"/applications/{app}/commands/{entered.body['id']}",
    ):
        answer = await http("GET", path)
        assert answer.status == 200, path
    await http("POST", "/users/@me/channels", {"recipient_id": str(ada.id)})
    await http("GET", f"/channels/{world.dm(ada).id}")
    await http("PATCH", f"/channels/{place.id}", {"topic": "x"})
    await http("POST", f"/channels/{place.id}/typing")
    assert playground.sent.failed() == []
    assert disagreements(playground, discords_description) == []
