"""The application: its commands, its emojis, its channels and roles."""

import base64

import discord

from playground.server import Playground
from tests.playground.support import PNG, Bot, Http, channel_of, guild_of, person

GIN = {"name": "gin", "description": "Gin Rummy", "type": 1}


async def test_a_bulk_overwrite_keeps_the_ids_of_commands_that_stay(
    playground: Playground, http: Http
) -> None:
    path = f"/applications/{playground.world.application.id}/commands"
    first = (await http("PUT", path, [GIN, {**GIN, "name": "chess"}])).body
    again = (await http("PUT", path, [{**GIN, "description": "Cards"}])).body
    assert [item["name"] for item in again] == ["gin"]
    assert again[0]["id"] == first[0]["id"]
    assert again[0]["version"] != first[0]["version"]
    assert (await http("GET", path)).body == again


async def test_a_command_is_created_once_and_then_replaced(
    playground: Playground, http: Http
) -> None:
    path = f"/applications/{playground.world.application.id}/commands"
    made = await http("POST", path, GIN)
    assert made.status == 201
    assert (await http("POST", path, GIN)).status == 200
    one = f"{path}/{made.body['id']}"
    changed = await http("PATCH", one, {"description": "Cards"})
    assert changed.body["description"] == "Cards"
    assert (await http("DELETE", one)).status == 204
    assert (await http("GET", one)).code == 10063


async def test_a_bad_command_is_refused_with_its_field(playground: Playground, http: Http) -> None:
    path = f"/applications/{playground.world.application.id}/commands"
    answer = await http("PUT", path, [{**GIN, "name": "Gin Rummy"}])
    assert (answer.status, answer.code) == (400, 50035)
    assert "name" in answer.body["errors"]["0"]


async def test_a_servers_own_commands_are_offered_only_there(
    playground: Playground, http: Http
) -> None:
    world, guild = playground.world, guild_of(playground.world)
    path = f"/applications/{world.application.id}/guilds/{guild.id}/commands"
    made = (await http("PUT", path, [GIN])).body
    assert made[0]["guild_id"] == str(guild.id)
    ada = person(world)
    offered = world.interactions.commands_for(ada, channel_of(world))
    assert [item["name"] for item in offered] == ["gin"]
    assert world.interactions.commands_for(ada, world.dm(ada)) == []
    used = world.interactions.create_command(ada, channel_of(world), "gin")
    assert used.data["guild_id"] == str(guild.id)


async def test_application_emojis_are_uploaded_renamed_served_and_deleted(
    playground: Playground, http: Http, bot: Bot
) -> None:
    emoji = await bot.create_application_emoji(name="spade", image=PNG)
    assert [item.name for item in await bot.fetch_application_emojis()] == ["spade"]
    path = f"/applications/{playground.world.application.id}/emojis"
    image = "data:image/png;base64," + base64.b64encode(PNG).decode()
    taken = await http("POST", path, {"name": "spade", "image": image})
    assert (taken.status, taken.code) == (400, 50035)
    renamed = await http("PATCH", f"{path}/{emoji.id}", {"name": "heart"})
    assert renamed.body["name"] == "heart"
    await emoji.delete()
    assert (await http("GET", f"{path}/{emoji.id}")).code == 10014


async def test_an_emoji_that_is_too_large_is_refused(playground: Playground, http: Http) -> None:
    path = f"/applications/{playground.world.application.id}/emojis"
    image = "data:image/png;base64," + base64.b64encode(bytes(256 * 1024 + 1)).decode()
    answer = await http("POST", path, {"name": "spade", "image": image})
    assert (answer.status, answer.code) == (400, 50035)


async def test_the_real_client_reads_servers_channels_roles_and_members(
    playground: Playground, bot: Bot
) -> None:
    world = playground.world
    guild = await bot.fetch_guild(guild_of(world).id, with_counts=True)
    assert guild.approximate_member_count == 6
    assert {role.name for role in await guild.fetch_roles()} == {"@everyone", "Ginhouse"}
    assert len(await guild.fetch_channels()) == 6
    member = await guild.fetch_member(person(world).id)
    assert member.global_name == "Ada"
    info = await bot.application_info()
    assert info.name == "Ginhouse"
    assert [item.name async for item in bot.fetch_guilds()] == ["The Card Room"]


async def test_a_channel_is_changed_with_the_right_to_do_so(
    playground: Playground, http: Http
) -> None:
    world, place = playground.world, channel_of(playground.world)
    path = f"/channels/{place.id}"
    assert (await http("PATCH", path, {"topic": "Cards"})).code == 50013
    playground.faults.permission(world.bot, place, "MANAGE_CHANNELS", True)
    changed = (await http("PATCH", path, {"topic": "Cards", "name": "cards"})).body
    assert (changed["topic"], changed["name"]) == ("Cards", "cards")
    assert (await http("PATCH", path, {"name": ""})).code == 50035
    playground.faults.permission(world.bot, place, "MANAGE_ROLES", True)
    ben = person(world, "ben")
    overwrite = {"type": 1, "allow": "0", "deny": "1024"}
    assert (await http("PUT", f"{path}/permissions/{ben.id}", overwrite)).status == 204
    assert place not in world.channels_for(ben, guild_of(world))
    assert (await http("DELETE", f"{path}/permissions/{ben.id}")).status == 204
    assert place in world.channels_for(ben, guild_of(world))
    assert (await http("DELETE", path)).status == 200
    assert place.id not in world.channels


async def test_the_bot_can_leave_a_server(playground: Playground, bot: Bot) -> None:
    guild = bot.get_guild(guild_of(playground.world).id)
    assert isinstance(guild, discord.Guild)
    await guild.leave()
    assert playground.world.bot.id not in guild_of(playground.world).members
