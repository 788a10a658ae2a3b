"""The gateway as the real client and a bare one meet it: login, shards, resume, closes."""

import asyncio
import json
import zlib
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord
import pytest

from playground.doors.intents import Intent
from playground.server import Playground
from playground.state.model import ChannelType
from tests.playground.support import Bot, channel_of, guild_of, person, running, until

INTENTS = (Intent.GUILDS | Intent.GUILD_MESSAGES | Intent.DIRECT_MESSAGES).value


class Wire:
    """A bare gateway client."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self._inflate = zlib.decompressobj()

    async def receive(self) -> dict[str, Any]:
        message = await self.socket.receive(timeout=5)
        if message.type is aiohttp.WSMsgType.BINARY:
            return json.loads(self._inflate.decompress(message.data))  # type: ignore[no-any-return]
        if message.type is aiohttp.WSMsgType.TEXT:
            return json.loads(message.data)  # type: ignore[no-any-return]
        return {"closed": self.socket.close_code}

    async def until(self, name: str) -> dict[str, Any]:
        while True:
            frame = await self.receive()
            if frame.get("t") == name or "closed" in frame:
                return frame

    async def send(self, op: int, data: object) -> None:
        await self.socket.send_str(json.dumps({"op": op, "d": data}))

    async def identify(
        self, playground: Playground, shard: tuple[int, int] = (0, 1), intents: int = INTENTS
    ) -> dict[str, Any]:
        token = playground.world.token
        await self.send(2, {"token": token, "intents": intents, "shard": shard})
        return await self.until("READY")


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as opened:
        yield opened


async def connect(
    playground: Playground, session: aiohttp.ClientSession, query: str = "?v=10&encoding=json"
) -> Wire:
    wire = Wire(await session.ws_connect(playground.gateway_url + query))
    hello = await wire.receive()
    assert hello["op"] == 10
    assert hello["d"]["heartbeat_interval"] == 41250
    return wire


async def at_once(*_: object, **__: object) -> None:
    """Stands in for discord.py's five seconds before it logs in anew."""


async def test_a_real_bot_logs_in_and_knows_its_server(playground: Playground, bot: Bot) -> None:
    guild = bot.get_guild(guild_of(playground.world).id)
    assert guild is not None
    assert guild.name == "The Card Room"
    assert {channel.name for channel in guild.text_channels} >= {"general", "gin-rummy"}
    assert guild.me.guild_permissions.send_messages
    assert [command["name"] for command in playground.world.application.commands.values()] == [
        "gin"
    ]
    assert playground.world.bot_online


async def test_a_wrong_token_is_refused_by_http_and_gateway(
    playground: Playground, session: aiohttp.ClientSession
) -> None:
    bot = Bot()
    async with running(playground, bot):
        await bot.close()
        with pytest.raises(discord.LoginFailure):
            await Bot().login("wrong")
    wire = await connect(playground, session)
    await wire.send(2, {"token": "wrong", "intents": INTENTS})
    assert await wire.receive() == {"closed": 4004}


async def test_each_mistake_closes_the_connection_with_its_code(
    playground: Playground, session: aiohttp.ClientSession
) -> None:
    token = playground.world.token
    for frames, code in (
        (["{"], 4002),
        (["x" * 4097], 4002),
        (['{"op": 3, "d": {}}'], 4003),
        (['{"op": 77, "d": {}}'], 4001),
        ([json.dumps({"op": 2, "d": {"token": token, "intents": "all"}})], 4013),
        ([json.dumps({"op": 2, "d": {"token": token, "intents": 1 << 15}})], 4014),
        (
            [json.dumps({"op": 2, "d": {"token": token, "intents": 1, "shard": [2, 2]}})],
            4010,
        ),
        ([json.dumps({"op": 2, "d": {"token": token, "intents": 1}})] * 2, 4005),
        (['{"op": 1, "d": null}'] * 121, 4008),
    ):
        wire = await connect(playground, session)
        for frame in frames:
            await wire.socket.send_str(frame)
        assert await wire.until("CLOSED") == {"closed": code}, frames[0]


async def test_a_compressed_stream_is_one_deflate_stream_of_many_messages(
    playground: Playground, session: aiohttp.ClientSession
) -> None:
    wire = await connect(playground, session, "?v=10&encoding=json&compress=zlib-stream")
    ready = await wire.identify(playground)
    assert ready["s"] == 1
    assert ready["d"]["resume_gateway_url"] == playground.gateway_url
    guild = await wire.receive()
    assert (guild["t"], guild["s"]) == ("GUILD_CREATE", 2)
    assert guild["d"]["member_count"] == 6
    await wire.send(1, 2)
    assert (await wire.receive())["op"] == 11


async def test_a_resume_brings_what_was_missed_in_order(
    playground: Playground, session: aiohttp.ClientSession
) -> None:
    world, place = playground.world, channel_of(playground.world)
    wire = await connect(playground, session)
    ready = await wire.identify(playground)
    seq = (await wire.receive())["s"]
    await wire.socket.close()
    await until(lambda: not playground.gateway.connections)
    assert not world.bot_online
    for text in ("one", "two"):
        world.send_message(person(world), place, f"{text} <@{world.bot.id}>")
    again = await connect(playground, session)
    await again.send(6, {"token": world.token, "session_id": ready["d"]["session_id"], "seq": seq})
    frames = [await again.receive() for _ in range(3)]
    assert [frame["t"] for frame in frames] == ["MESSAGE_CREATE", "MESSAGE_CREATE", "RESUMED"]
    assert [frame["s"] for frame in frames] == [seq + 1, seq + 2, seq + 3]
    assert frames[1]["d"]["content"] == f"two <@{world.bot.id}>"
    assert world.bot_online


async def test_an_unknown_or_outlived_session_cannot_be_resumed(
    playground: Playground, session: aiohttp.ClientSession
) -> None:
    wire = await connect(playground, session)
    ready = await wire.identify(playground)
    await wire.socket.close()
    await until(lambda: not playground.gateway.connections)
    playground.gateway.resumable_seconds = 0
    for number in ("unknown", ready["d"]["session_id"]):
        again = await connect(playground, session)
        token = playground.world.token
        await again.send(6, {"token": token, "session_id": number, "seq": 1})
        frame = await again.receive()
        assert (frame["op"], frame["d"]) == (9, False)


async def test_a_resume_from_the_future_is_refused(
    playground: Playground, session: aiohttp.ClientSession
) -> None:
    wire = await connect(playground, session)
    ready = await wire.identify(playground)
    again = await connect(playground, session)
    token = playground.world.token
    await again.send(6, {"token": token, "session_id": ready["d"]["session_id"], "seq": 999})
    assert await again.receive() == {"closed": 4007}


async def test_servers_go_to_their_shards_and_direct_messages_to_shard_0(
    playground: Playground, session: aiohttp.ClientSession
) -> None:
    world = playground.world
    guild = guild_of(world)
    home = (guild.id >> 22) % 2
    wires = []
    for number in (0, 1):
        wire = await connect(playground, session)
        ready = await wire.identify(playground, (number, 2))
        assert len(ready["d"]["guilds"]) == (1 if number == home else 0)
        wires.append(wire)
    ada = person(world)
    world.send_message(ada, world.dm(ada), "hello")
    direct = await wires[0].until("MESSAGE_CREATE")
    assert direct["d"]["content"] == "hello"
    assert "guild_id" not in direct["d"]
    world.send_message(ada, channel_of(world), f"hello <@{world.bot.id}>")
    if home == 0:
        message = await wires[0].until("MESSAGE_CREATE")
    else:
        message = await wires[1].until("MESSAGE_CREATE")
    assert message["d"]["guild_id"] == str(guild.id)


async def test_without_the_content_intent_only_what_concerns_the_bot_has_content(
    playground: Playground, session: aiohttp.ClientSession
) -> None:
    world, place = playground.world, channel_of(playground.world)
    wire = await connect(playground, session)
    await wire.identify(playground)
    ada = person(world)
    world.send_message(ada, place, "a secret")
    world.send_message(ada, place, f"for <@{world.bot.id}>")
    world.send_message(ada, world.dm(ada), "between us")
    contents = [(await wire.until("MESSAGE_CREATE"))["d"]["content"] for _ in range(3)]
    assert contents == ["", f"for <@{world.bot.id}>", "between us"]


async def test_nothing_is_heard_from_a_channel_that_the_bot_does_not_see(
    playground: Playground, session: aiohttp.ClientSession
) -> None:
    world = playground.world
    hidden, open_place = channel_of(world), channel_of(world, "gin-rummy")
    playground.faults.permission(world.bot, hidden, "VIEW_CHANNEL", False)
    wire = await connect(playground, session)
    await wire.identify(playground)
    mention = f"<@{world.bot.id}>"
    world.send_message(person(world), hidden, f"hidden {mention}")
    world.send_message(person(world), open_place, f"open {mention}")
    assert (await wire.until("MESSAGE_CREATE"))["d"]["content"] == f"open {mention}"


async def test_intents_choose_the_events(
    playground: Playground, session: aiohttp.ClientSession
) -> None:
    world = playground.world
    wire = await connect(playground, session)
    await wire.identify(playground, intents=Intent.GUILDS.value)
    world.send_message(person(world), channel_of(world), f"<@{world.bot.id}>")
    world.add_channel(guild_of(world), "new")
    assert (await wire.receive())["t"] == "GUILD_CREATE"
    assert (await wire.receive())["t"] == "CHANNEL_CREATE"


async def test_a_client_that_stops_its_heartbeats_is_closed(
    playground: Playground, session: aiohttp.ClientSession
) -> None:
    playground.gateway.heartbeat_seconds = 0.05
    wire = Wire(await session.ws_connect(playground.gateway_url))
    await wire.receive()
    assert await wire.until("CLOSED") == {"closed": 4009}


async def test_the_real_client_resumes_after_a_cut_and_hears_what_it_missed(
    playground: Playground, bot: Bot
) -> None:
    world = playground.world
    playground.faults.cut_gateway()
    used = world.interactions.create_command(person(world), channel_of(world), "gin table")
    await until(lambda: "RESUMED" in bot.heard, "the resume")
    await used.done.wait()
    assert used.messages[0].is_v2
    assert bot.heard.count("READY") == 1


async def test_the_real_client_comes_back_when_the_gateway_was_shut_for_a_while(
    playground: Playground, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot, "before_identify_hook", at_once)
    playground.faults.cut_gateway(seconds=0.2)
    await until(lambda: not playground.gateway.connections, "the cut")
    # After a failed attempt discord.py doesn't resume: it logs in anew.
    await until(lambda: bot.heard.count("READY") == 2, "the return")
    assert playground.world.bot_online


async def test_the_real_client_follows_a_request_to_reconnect(
    playground: Playground, bot: Bot
) -> None:
    playground.faults.reconnect()
    await until(lambda: "RESUMED" in bot.heard, "the resume")


async def test_the_real_client_identifies_anew_after_an_invalid_session(
    playground: Playground, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot, "before_identify_hook", at_once)
    playground.faults.invalid_session()
    await until(lambda: bot.heard.count("READY") == 2, "the second login")
    assert len(playground.gateway.sessions) == 1
    used = playground.world.interactions.create_command(
        person(playground.world), channel_of(playground.world), "gin table"
    )
    await used.done.wait()
    assert used.messages


async def test_a_heartbeat_is_answered_no_sooner_than_over_a_network(
    playground: Playground, session: aiohttp.ClientSession
) -> None:
    """Or the real client measures from the heartbeat before: 41 seconds, and warns of it."""
    assert playground.gateway.heartbeat_answer_seconds > 0
    playground.gateway.heartbeat_answer_seconds = 0.5
    wire = await connect(playground, session)
    await wire.send(1, None)
    await wire.send(2, {"token": playground.world.token, "intents": INTENTS, "shard": (0, 1)})
    assert (await wire.receive())["t"] == "READY"
    while (frame := await wire.receive())["op"] == 0:
        pass
    assert frame["op"] == 11


async def test_the_real_client_leaves_a_connection_that_answers_no_heartbeat(
    playground: Playground,
) -> None:
    playground.gateway.heartbeat_seconds = 0.1
    async with running(playground, Bot(heartbeat_timeout=0.3)) as bot:
        playground.faults.ignore_heartbeats()
        await until(lambda: "RESUMED" in bot.heard, "the resume")
        playground.faults.clear()


async def test_a_bot_thrown_out_and_invited_again_hears_of_both(
    playground: Playground, bot: Bot
) -> None:
    guild = guild_of(playground.world)
    playground.faults.kick_bot(guild)
    await until(lambda: bot.get_guild(guild.id) is None, "the removal")
    playground.faults.invite_bot(guild)
    await until(lambda: bot.get_guild(guild.id) is not None, "the return")
    again = bot.get_guild(guild.id)
    assert again is not None
    assert again.me.guild_permissions.send_messages


async def test_an_outage_is_no_removal(playground: Playground, bot: Bot) -> None:
    guild = guild_of(playground.world)
    known = bot.get_guild(guild.id)
    assert known is not None
    playground.faults.outage(guild)
    await until(lambda: known.unavailable, "the outage")
    playground.faults.outage(guild, on=False)
    await until(lambda: not known.unavailable, "the end of the outage")


async def test_the_real_client_follows_channels_and_threads(
    playground: Playground, bot: Bot
) -> None:
    world, guild = playground.world, guild_of(playground.world)
    made = world.add_channel(guild, "late", ChannelType.TEXT)
    thread = world.create_thread(person(world), made, "table 1")
    client = bot.get_guild(guild.id)
    assert client is not None
    await until(lambda: client.get_thread(thread.id), "the thread")
    playground.faults.archive(thread)
    await until(lambda: client.get_thread(thread.id) is None, "the archiving")
    world.remove_channel(made)
    await until(lambda: client.get_channel(made.id) is None, "the deletion")


async def test_two_copies_of_a_bot_both_hear_an_interaction(
    playground: Playground, session: aiohttp.ClientSession, bot: Bot
) -> None:
    wire = await connect(playground, session)
    await wire.identify(playground)
    world = playground.world
    used = world.interactions.create_command(person(world), channel_of(world), "gin table")
    heard = await wire.until("INTERACTION_CREATE")
    await used.done.wait()
    assert heard["d"]["id"] == str(used.id)
    assert heard["d"]["token"] == used.token


async def test_members_can_be_asked_for_by_id(
    playground: Playground, session: aiohttp.ClientSession
) -> None:
    world = playground.world
    wire = await connect(playground, session)
    await wire.identify(playground)
    ada = person(world)
    wanted = {"guild_id": str(guild_of(world).id), "user_ids": [str(ada.id), "1"], "limit": 0}
    await wire.send(8, {**wanted, "nonce": "n"})
    chunk = (await wire.until("GUILD_MEMBERS_CHUNK"))["d"]
    assert [member["user"]["id"] for member in chunk["members"]] == [str(ada.id)]
    assert (chunk["not_found"], chunk["nonce"]) == (["1"], "n")


async def test_a_session_lost_for_good_is_forgotten(
    playground: Playground, session: aiohttp.ClientSession
) -> None:
    wire = await connect(playground, session)
    await wire.identify(playground)
    playground.gateway.resumable_seconds = 0
    await wire.socket.close()
    await until(lambda: not playground.gateway.connections)
    await asyncio.sleep(0.01)
    playground.world.send_message(person(playground.world), channel_of(playground.world), "hi")
    assert playground.gateway.sessions == {}
