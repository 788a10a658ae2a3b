"""Threads: on messages, alone, in forums; archived, locked, brought back, left alone."""

import discord

from playground.server import Playground
from playground.state.model import Channel, MessageType
from tests.playground.support import Bot, Http, channel_of, guild_of, person, until


def post(channel: Channel) -> str:
    return f"/channels/{channel.id}/messages"


async def start(playground: Playground, http: Http) -> Channel:
    body = {"name": "table 1", "type": 11}
    place = channel_of(playground.world)
    made = await http("POST", f"/channels/{place.id}/threads", body)
    assert made.status == 201, made.body
    return playground.world.channels[int(made.body["id"])]


async def test_a_thread_on_a_message_has_its_id_and_there_is_only_one(
    playground: Playground, http: Http
) -> None:
    place = channel_of(playground.world)
    made = (await http("POST", post(place), {"content": "table"})).body
    path = f"{post(place)}/{made['id']}/threads"
    thread = await http("POST", path, {"name": "table 1"})
    assert (thread.status, thread.body["id"]) == (201, made["id"])
    again = await http("POST", path, {"name": "table 1"})
    assert (again.status, again.code) == (400, 160004)
    shown = (await http("GET", f"{post(place)}/{made['id']}")).body
    assert shown["thread"]["name"] == "table 1"
    assert shown["flags"] & 32


async def test_a_thread_alone_leaves_a_notice_in_its_channel(
    playground: Playground, http: Http
) -> None:
    thread = await start(playground, http)
    place = channel_of(playground.world)
    notice = next(iter(place.messages.values()))
    assert (notice.type, notice.content) == (MessageType.THREAD_CREATED, "table 1")
    assert notice.reference is not None
    assert notice.reference["channel_id"] == str(thread.id)
    assert thread.owner_id == playground.world.bot.id


async def test_starting_a_thread_needs_the_permission(playground: Playground, http: Http) -> None:
    world, place = playground.world, channel_of(playground.world)
    playground.faults.permission(world.bot, place, "CREATE_PUBLIC_THREADS", False)
    answer = await http("POST", f"/channels/{place.id}/threads", {"name": "x", "type": 11})
    assert answer.code == 50013


async def test_writing_in_a_thread_needs_its_own_permission(
    playground: Playground, http: Http
) -> None:
    world, thread = playground.world, await start(playground, http)
    playground.faults.permission(world.bot, thread, "SEND_MESSAGES", False)
    assert (await http("POST", post(thread), {"content": "x"})).status == 200
    playground.faults.permission(world.bot, thread, "SEND_MESSAGES_IN_THREADS", False)
    assert (await http("POST", post(thread), {"content": "x"})).code == 50013


async def test_a_message_brings_an_archived_thread_back_but_an_edit_does_not(
    playground: Playground, http: Http
) -> None:
    thread = await start(playground, http)
    made = (await http("POST", post(thread), {"content": "table"})).body
    playground.faults.archive(thread)
    edit = await http("PATCH", f"{post(thread)}/{made['id']}", {"content": "changed"})
    assert (edit.status, edit.code) == (400, 50083)
    assert thread.archived
    assert (await http("POST", post(thread), {"content": "again"})).status == 200
    assert not thread.archived


async def test_a_locked_thread_takes_nothing_from_who_may_not_moderate(
    playground: Playground, http: Http
) -> None:
    world, thread = playground.world, await start(playground, http)
    playground.faults.permission(world.bot, thread, "MANAGE_THREADS", False)
    playground.faults.lock(thread)
    assert (await http("POST", post(thread), {"content": "x"})).code == 50083
    unlock = await http("PATCH", f"/channels/{thread.id}", {"archived": False})
    assert unlock.code == 50083
    playground.faults.archive(thread, archived=False)
    assert (await http("POST", post(thread), {"content": "x"})).code == 160005
    playground.faults.permission(world.bot, thread, "MANAGE_THREADS", True)
    assert (await http("POST", post(thread), {"content": "x"})).status == 200


async def test_an_archived_thread_is_unarchived_before_it_is_changed(
    playground: Playground, http: Http
) -> None:
    thread = await start(playground, http)
    playground.faults.archive(thread)
    path = f"/channels/{thread.id}"
    assert (await http("PATCH", path, {"name": "new"})).code == 50083
    assert (await http("PATCH", path, {"archived": False})).status == 200
    changed = await http("PATCH", path, {"name": "new", "locked": True})
    assert changed.body["name"] == "new"
    assert changed.body["thread_metadata"]["locked"] is True


async def test_an_idle_thread_archives_itself_when_time_passes(
    playground: Playground, http: Http
) -> None:
    thread = await start(playground, http)
    playground.faults.move_clock(23 * 3600)
    assert not thread.archived
    await http("POST", post(thread), {"content": "still here"})
    playground.faults.move_clock(23 * 3600)
    assert not thread.archived
    playground.faults.move_clock(2 * 3600)
    assert thread.archived


async def test_joining_leaving_and_listing_threads(playground: Playground, http: Http) -> None:
    world, ben = playground.world, person(playground.world, "ben")
    thread = await start(playground, http)
    members = f"/channels/{thread.id}/thread-members"
    assert (await http("PUT", f"{members}/{ben.id}")).status == 204
    listed = (await http("GET", members)).body
    assert {item["user_id"] for item in listed} == {str(world.bot.id), str(ben.id)}
    assert (await http("DELETE", f"{members}/{ben.id}")).status == 204
    assert (await http("GET", f"{members}/{ben.id}")).code == 10007
    active = (await http("GET", f"/guilds/{guild_of(world).id}/threads/active")).body
    assert [item["id"] for item in active["threads"]] == [str(thread.id)]
    playground.faults.archive(thread)
    assert (await http("PUT", f"{members}/@me")).code == 50083
    place = channel_of(world)
    old = (await http("GET", f"/channels/{place.id}/threads/archived/public")).body
    assert [item["id"] for item in old["threads"]] == [str(thread.id)]


async def test_a_private_thread_is_seen_by_its_members_and_moderators(
    playground: Playground,
) -> None:
    world, place = playground.world, channel_of(playground.world)
    ben, cleo = person(world, "ben"), person(world, "cleo")
    thread = world.create_thread(ben, place, "whispers", private=True)
    assert thread in world.channels_for(ben, guild_of(world))
    assert thread not in world.channels_for(cleo, guild_of(world))
    assert thread in world.channels_for(person(world), guild_of(world))  # the owner
    world.threads.join(thread, cleo)
    assert thread in world.channels_for(cleo, guild_of(world))


async def test_a_forum_post_starts_with_a_message_of_its_own_id(
    playground: Playground, http: Http, bot: Bot
) -> None:
    world, forum = playground.world, channel_of(playground.world, "strategy")
    told: list[str] = []
    world.subscribe(
        lambda event: told.append(event.data["id"]) if event.name == "MESSAGE_CREATE" else None
    )
    mine = world.create_thread(person(world), forum, "a hand", content="What would you do?")
    assert told == [str(mine.id)]
    assert next(iter(mine.messages)) == mine.id
    place = bot.get_channel(forum.id)
    assert isinstance(place, discord.ForumChannel)
    made = await place.create_thread(name="another", content="And here?")
    assert made.message.id == made.thread.id
    await made.thread.send("more")
    assert len(world.channels[made.thread.id].messages) == 2


async def test_a_command_in_a_locked_archived_thread_cannot_be_answered(
    playground: Playground, bot: Bot
) -> None:
    world, place = playground.world, channel_of(playground.world)
    thread = world.create_thread(person(world), place, "table 1")
    playground.faults.permission(world.bot, thread, "MANAGE_THREADS", False)
    playground.faults.lock(thread)
    used = world.interactions.create_command(person(world), thread, "gin table")
    await until(lambda: playground.sent.failed())
    assert playground.sent.failed()[0].code == 50083
    assert used.messages == []


async def test_deleting_a_channel_takes_its_threads_along(
    playground: Playground, http: Http
) -> None:
    thread = await start(playground, http)
    playground.faults.delete_channel(channel_of(playground.world))
    assert (await http("POST", post(thread), {"content": "x"})).code == 10003
