"""Discord's bad days: slow, failing, limiting, silent; on time for those that deserve it."""

import asyncio

import aiohttp
import discord
import pytest

from playground.doors.ratelimits import Bucket
from playground.errors import Code
from playground.server import Playground
from playground.state.interactions import State
from tests.playground.support import Bot, Http, channel_of, guild_of, person, until


def post(channel_id: int) -> str:
    return f"/channels/{channel_id}/messages"


async def test_a_slow_answer_comes_after_the_deadline(playground: Playground, bot: Bot) -> None:
    world = playground.world
    world.limits.answer_seconds = 0.1
    playground.faults.slow(0.2, "POST /interactions/*")
    used = world.interactions.create_command(person(world), channel_of(world), "gin table")
    await used.done.wait()
    assert used.state is State.FAILED
    await until(lambda: playground.sent.failed())
    assert playground.sent.failed()[0].code == 10062


async def test_slow_after_the_work_leaves_the_work_done(playground: Playground, http: Http) -> None:
    place = channel_of(playground.world)
    playground.faults.slow(0.1, "POST /channels/*", after=True)
    waiting = asyncio.create_task(http("POST", post(place.id), {"content": "x"}))
    await until(lambda: place.messages)
    assert not waiting.done()
    assert (await waiting).status == 200


async def test_an_error_before_does_nothing_and_an_error_after_did_it(
    playground: Playground, http: Http
) -> None:
    place = channel_of(playground.world)
    playground.faults.http_errors(502, "POST /channels/*/messages", times=1)
    assert (await http("POST", post(place.id), {"content": "x"})).status == 502
    assert place.messages == {}
    playground.faults.http_errors(500, "POST /channels/*/messages", after=True, times=1)
    assert (await http("POST", post(place.id), {"content": "x"})).status == 500
    assert len(place.messages) == 1
    assert (await http("POST", post(place.id), {"content": "x"})).status == 200
    assert playground.faults.rules == []


async def test_errors_at_a_rate_strike_about_that_share(playground: Playground, http: Http) -> None:
    playground.rates.enabled = False
    playground.faults.http_errors(503, rate=0.5)
    statuses = [(await http("GET", "/users/@me")).status for _ in range(60)]
    assert 15 <= statuses.count(503) <= 45


async def test_a_dropped_answer_breaks_the_connection_after_the_work(
    playground: Playground, http: Http
) -> None:
    place = channel_of(playground.world)
    playground.faults.drop_answers("POST /channels/*", times=1)
    with pytest.raises(aiohttp.ClientError):
        await http("POST", post(place.id), {"content": "x"})
    assert len(place.messages) == 1
    playground.faults.drop_answers("POST /channels/*", after=False, times=1)
    with pytest.raises(aiohttp.ClientError):
        await http("POST", post(place.id), {"content": "y"})
    assert len(place.messages) == 1
    assert [item.status for item in playground.sent.of("POST /channels/*")] == [200, 0]


async def test_any_refusal_can_be_asked_for(playground: Playground, http: Http) -> None:
    playground.faults.refuse("POST /users/@me/channels", Code.OPENING_DMS_TOO_FAST)
    body = {"recipient_id": str(person(playground.world).id)}
    assert (await http("POST", "/users/@me/channels", body)).code == 40003


async def test_a_429_waits_as_long_as_it_says_and_the_real_client_obeys(
    playground: Playground, bot: Bot
) -> None:
    place = bot.get_channel(channel_of(playground.world).id)
    assert isinstance(place, discord.TextChannel)
    playground.faults.rate_limit("POST /channels/*", 0.05, times=2)
    await place.send("patience")
    statuses = [item.status for item in playground.sent.of("POST /channels/*/messages")]
    assert statuses == [429, 429, 200]


async def test_a_bucket_runs_empty_and_says_so_in_its_headers(
    playground: Playground, http: Http
) -> None:
    place, other = channel_of(playground.world), channel_of(playground.world, "gin-rummy")
    left = []
    for _ in range(5):
        answer = await http("POST", post(place.id), {"content": "x"})
        left.append(answer.headers["X-RateLimit-Remaining"])
    assert left == ["4", "3", "2", "1", "0"]
    refused = await http("POST", post(place.id), {"content": "x"})
    assert refused.status == 429
    assert refused.body["global"] is False
    assert 0 < refused.body["retry_after"] <= 5
    assert refused.headers["Via"]
    assert refused.headers["Retry-After"] in {"1", "2", "3", "4", "5"}
    assert refused.headers["X-RateLimit-Scope"] == "user"
    elsewhere = await http("POST", post(other.id), {"content": "x"})
    assert elsewhere.status == 200
    assert elsewhere.headers["X-RateLimit-Bucket"] == refused.headers["X-RateLimit-Bucket"]


async def test_fifty_requests_a_second_are_enough(playground: Playground, http: Http) -> None:
    playground.rates.default = Bucket(1000, 1.0)
    answers = await asyncio.gather(*(http("GET", "/users/@me") for _ in range(120)))
    refused = [item for item in answers if item.status == 429]
    assert refused
    assert refused[0].body["global"] is True
    assert refused[0].headers["X-RateLimit-Global"] == "true"
    playground.rates.enabled = False
    answers = await asyncio.gather(*(http("GET", "/users/@me") for _ in range(60)))
    assert {item.status for item in answers} == {200}


async def test_answers_to_interactions_do_not_count_against_the_fifty(
    playground: Playground, bot: Bot
) -> None:
    world = playground.world
    playground.sent.clear()
    counted = playground.sent.counted
    for _ in range(3):
        used = world.interactions.create_command(person(world), channel_of(world), "gin table")
        await used.done.wait()
    assert len(playground.sent) == 3
    assert playground.sent.counted == counted


async def test_interactions_come_late_twice_or_never(playground: Playground, bot: Bot) -> None:
    world, place = playground.world, channel_of(playground.world)
    faults = playground.faults
    faults.late_seconds = 0.05
    used = world.interactions.create_command(person(world), place, "gin table")
    await used.done.wait()
    faults.late_seconds, faults.twice_rate = 0.0, 1.0
    twice = world.interactions.create_command(person(world), place, "gin table")
    await until(lambda: len(bot.seen) == 3)
    assert [item.id for item in bot.seen] == [used.id, twice.id, twice.id]
    faults.twice_rate, faults.lost_rate = 0.0, 1.0
    lost = world.interactions.create_command(person(world), place, "gin table")
    faults.move_clock(4)
    assert lost.state is State.FAILED
    faults.clear()
    assert faults.lost_rate == 0.0


async def test_everything_the_bot_sent_is_recorded(playground: Playground, bot: Bot) -> None:
    world = playground.world
    used = world.interactions.create_command(person(world), channel_of(world), "gin table")
    await used.done.wait()
    request = playground.sent.of("POST /interactions/*/callback")[0]
    assert request.template == "/interactions/{interaction_id}/{interaction_token}/callback"
    assert request.data["components"][0]["type"] == 17
    assert request.files[0].filename == "hand.png"
    assert request.facts.interaction_type == 2
    assert (request.status, request.code) == (200, 0)
    assert dict(request.query) == {"with_response": "1"}
    assert request.answer is None


async def test_a_watcher_sees_every_request_whole_even_when_nothing_is_kept(
    playground: Playground, http: Http
) -> None:
    seen: list[object] = []
    playground.sent.on = False
    stop = playground.sent.watch(lambda request: seen.append(request.answer))
    await http("GET", "/users/@me")
    stop()
    await http("GET", "/users/@me")
    assert len(seen) == 1
    assert len(playground.sent) == 0
    assert playground.sent.total == 2


async def test_the_panel_turns_the_same_switches_by_name(
    playground: Playground, http: Http
) -> None:
    world, faults = playground.world, playground.faults
    place, ben, guild = channel_of(world), person(world, "ben"), guild_of(world)
    told: list[object] = []
    world.subscribe(lambda event: told.append(event.data) if event.name == "FAULTS" else None)
    faults.set("slow", {"seconds": 0.5, "pattern": "POST *"})
    assert faults.state()["slow"] == 0.5
    faults.set("slow", 0)
    faults.set("http_errors", {"rate": 1, "status": 503})
    assert (await http("GET", "/users/@me")).status == 503
    faults.set("http_errors", {"rate": 0})
    faults.set("rate_limit", {"seconds": 2})
    assert (await http("GET", "/users/@me")).status == 429
    faults.set("clear")
    faults.set("dms_closed", {"user_id": str(ben.id), "closed": True})
    assert ben.dms_closed
    faults.set(
        "permission", {"channel_id": str(place.id), "name": "VIEW_CHANNEL", "allowed": False}
    )
    assert (await http("GET", f"/channels/{place.id}")).code == 50001
    faults.set("late", {"seconds": 1})
    faults.set("twice", {"rate": 0.1})
    faults.set("lost", {"rate": 0.2})
    assert (faults.late_seconds, faults.twice_rate, faults.lost_rate) == (1.0, 0.1, 0.2)
    faults.set("kick_bot", {})
    assert world.bot.id not in guild.members
    faults.set("invite_bot", {"guild_id": str(guild.id)})
    faults.set("leave", {"user_id": str(ben.id)})
    assert ben.id not in guild.members
    faults.set("join", {"user_id": str(ben.id)})
    thread = world.create_thread(ben, channel_of(world, "gin-rummy"), "table")
    faults.set("archive", {"channel_id": str(thread.id), "archived": True})
    faults.set("lock", {"channel_id": str(thread.id)})
    assert (thread.archived, thread.locked) == (True, True)
    message = world.send_message(ben, channel_of(world, "gin-rummy"), "x")
    faults.set("delete_message", str(message.id))
    assert message.deleted
    faults.set("delete_channel", str(thread.id))
    assert thread.deleted
    faults.set("move_clock", 10)
    assert faults.state()["clock"] == 10
    for name, value in (
        ("cut_gateway", 0),
        ("reconnect", None),
        ("invalid_session", {"resumable": True}),
        ("expire_tokens", None),
        ("outage", {"on": True}),
    ):
        faults.set(name, value)
    with pytest.raises(KeyError):
        faults.set("earthquake", 9)
    with pytest.raises(KeyError):
        faults.set("delete_message", "1")
    assert told


async def test_a_gateway_shut_for_a_while_turns_new_connections_away(
    playground: Playground,
) -> None:
    playground.faults.cut_gateway(seconds=60)
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError, match="503"):
            await session.ws_connect(playground.gateway_url)
        playground.faults.clear()
        async with session.ws_connect(playground.gateway_url) as socket:
            assert (await socket.receive_json())["op"] == 10
