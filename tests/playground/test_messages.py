"""Messages as Discord keeps them: files, nonces, mentions and pings, replies, history."""

import aiohttp
import discord

from playground.server import Playground
from playground.state.files import picture_size
from playground.state.model import MessageFlag
from tests.playground.support import (
    PNG,
    Bot,
    Http,
    TableView,
    channel_of,
    guild_of,
    person,
    picture,
    until,
)


def post(channel_id: int) -> str:
    return f"/channels/{channel_id}/messages"


async def test_a_file_is_stored_measured_and_served(
    playground: Playground, http: Http, bot: Bot
) -> None:
    place = bot.get_channel(channel_of(playground.world).id)
    assert isinstance(place, discord.TextChannel)
    sent = await place.send("look", file=picture("a hand!.png"))
    attachment = sent.attachments[0]
    assert attachment.filename == "a_hand_.png"
    assert (attachment.size, attachment.width, attachment.height) == (len(PNG), 3, 2)
    assert (attachment.content_type, attachment.description) == ("image/png", "A hand")
    assert await attachment.read() == PNG


async def test_an_edit_keeps_the_listed_files_and_adds_new_ones(
    playground: Playground, http: Http
) -> None:
    world, place = playground.world, channel_of(playground.world)
    files = {"files[0]": ("a.png", PNG), "files[1]": ("b.png", PNG)}
    made = (await http("POST", post(place.id), {"content": "x"}, files=files)).body
    path = f"{post(place.id)}/{made['id']}"
    first, second = (item["id"] for item in made["attachments"])
    kept = (await http("PATCH", path, {"content": "y"})).body
    assert [item["filename"] for item in kept["attachments"]] == ["a.png", "b.png"]
    listed = {"attachments": [{"id": second}, {"id": "0", "filename": "c.png"}]}
    changed = (await http("PATCH", path, listed, files={"files[0]": ("x.png", PNG)})).body
    assert [item["filename"] for item in changed["attachments"]] == ["b.png", "c.png"]
    async with aiohttp.ClientSession() as session:
        gone = await session.get(made["attachments"][0]["url"])
        assert gone.status == 404
    assert int(first) not in world.files


async def test_a_layout_finds_its_pictures_and_an_embed_hides_its_own(
    playground: Playground, http: Http, bot: Bot
) -> None:
    place = bot.get_channel(channel_of(playground.world).id)
    assert isinstance(place, discord.TextChannel)
    table = await place.send(view=TableView(), file=picture())
    gallery = table.components[0].children[1]  # type: ignore[union-attr]
    assert isinstance(gallery, discord.MediaGalleryComponent)
    assert gallery.items[0].media.url == table.attachments[0].url
    assert gallery.items[0].media.width == 3
    embed = discord.Embed(title="Hand").set_image(url="attachment://hand.png")
    shown = await place.send(embed=embed, file=picture())
    assert shown.attachments == []
    assert shown.embeds[0].image.width == 3


async def test_a_nonce_that_is_enforced_posts_once(playground: Playground, http: Http) -> None:
    place = channel_of(playground.world)
    body = {"content": "x", "nonce": "abc", "enforce_nonce": True}
    first = (await http("POST", post(place.id), body)).body
    again = (await http("POST", post(place.id), body)).body
    assert again["id"] == first["id"]
    assert len(place.messages) == 1
    loose = {"content": "x", "nonce": "abc"}
    assert (await http("POST", post(place.id), loose)).body["id"] != first["id"]


async def test_mentions_ping_as_far_as_they_are_allowed(playground: Playground, http: Http) -> None:
    playground.rates.enabled = False
    world, place = playground.world, channel_of(playground.world)
    ada, ben = person(world), person(world, "ben")
    text = f"<@{ada.id}> and <@{ben.id}> and @everyone"
    for allowed, pinged in (
        (None, {ada.id, ben.id}),
        ({"parse": []}, set()),
        ({"parse": ["users"]}, {ada.id, ben.id}),
        ({"parse": [], "users": [str(ben.id)]}, {ben.id}),
        ({"parse": ["everyone"]}, set()),  # the bot may not mention everyone
    ):
        body: dict[str, object] = {"content": text}
        if allowed is not None:
            body["allowed_mentions"] = allowed
        made = (await http("POST", post(place.id), body)).body
        message = place.messages[int(made["id"])]
        assert message.pinged == pinged, allowed
        assert {item["id"] for item in made["mentions"]} == {str(item) for item in pinged}
        assert made["mention_everyone"] is False
    playground.faults.permission(world.bot, place, "MENTION_EVERYONE", True)
    made = (await http("POST", post(place.id), {"content": "@everyone"})).body
    assert made["mention_everyone"] is True
    assert place.messages[int(made["id"])].pinged == set(guild_of(world).members) - {world.bot.id}


async def test_text_of_a_layout_pings_but_no_edit_and_no_silent_message_does(
    playground: Playground, http: Http
) -> None:
    world, place = playground.world, channel_of(playground.world)
    ada, ben = person(world), person(world, "ben")
    pings: list[frozenset[int]] = []
    world.subscribe(lambda event: pings.append(event.pings) if "MESSAGE_" in event.name else None)
    layout = {"flags": 1 << 15, "components": [{"type": 10, "content": f"<@{ada.id}>"}]}
    made = (await http("POST", post(place.id), layout)).body
    changed = {"components": [{"type": 10, "content": f"<@{ben.id}>"}]}
    edited = (await http("PATCH", f"{post(place.id)}/{made['id']}", changed)).body
    assert [item["username"] for item in edited["mentions"]] == ["ben"]
    quiet = {"content": f"<@{ada.id}>", "flags": MessageFlag.SUPPRESS_NOTIFICATIONS.value}
    await http("POST", post(place.id), quiet)
    assert pings == [{ada.id}, frozenset(), frozenset()]


async def test_who_does_not_see_the_channel_is_not_pinged(
    playground: Playground, http: Http
) -> None:
    world, place = playground.world, channel_of(playground.world)
    ben = person(world, "ben")
    playground.faults.permission(ben, place, "VIEW_CHANNEL", False)
    made = (await http("POST", post(place.id), {"content": f"<@{ben.id}>"})).body
    assert place.messages[int(made["id"])].pinged == frozenset()


async def test_every_direct_message_notifies_its_receiver(playground: Playground, bot: Bot) -> None:
    world, ada = playground.world, person(playground.world)
    user = await bot.fetch_user(ada.id)
    await user.send("your turn")
    message = next(iter(world.dm(ada).messages.values()))
    assert message.pinged == {ada.id}
    answered: list[discord.Message] = []

    async def on_message(received: discord.Message) -> None:
        answered.append(received)

    bot.add_listener(on_message)
    world.send_message(ada, world.dm(ada), "thanks")
    await until(lambda: answered)
    assert answered[-1].content == "thanks"
    assert isinstance(answered[-1].channel, discord.DMChannel)


async def test_a_reply_shows_what_it_replies_to_and_mentions_its_author(
    playground: Playground, http: Http
) -> None:
    world, place = playground.world, channel_of(playground.world)
    theirs = world.send_message(person(world), place, "question")
    body = {"content": "answer", "message_reference": {"message_id": str(theirs.id)}}
    made = (await http("POST", post(place.id), body)).body
    assert made["type"] == 19
    assert made["referenced_message"]["content"] == "question"
    assert [item["username"] for item in made["mentions"]] == ["ada"]
    world.delete_message(theirs)
    again = (await http("GET", f"{post(place.id)}/{made['id']}")).body
    assert again["referenced_message"] is None


async def test_history_is_read_newest_first_and_from_a_point(
    playground: Playground, http: Http
) -> None:
    world, place = playground.world, channel_of(playground.world)
    numbers = [str(world.send_message(person(world), place, str(n)).id) for n in range(5)]

    async def read(query: str) -> list[str]:
        return [item["content"] for item in (await http("GET", post(place.id) + query)).body]

    assert await read("") == ["4", "3", "2", "1", "0"]
    assert await read("?limit=2") == ["4", "3"]
    assert await read(f"?before={numbers[2]}") == ["1", "0"]
    assert await read(f"?after={numbers[2]}&limit=1") == ["3"]
    assert await read(f"?around={numbers[2]}&limit=3") == ["3", "2", "1"]
    assert await read(f"?around={numbers[2]}&limit=1") == ["2"]
    playground.faults.permission(world.bot, place, "READ_MESSAGE_HISTORY", False)
    assert await read("") == []


async def test_reactions_come_and_go(playground: Playground, http: Http) -> None:
    playground.rates.enabled = False
    world, place = playground.world, channel_of(playground.world)
    message = world.send_message(person(world), place, "well played")
    path = f"{post(place.id)}/{message.id}/reactions/%F0%9F%91%8F"
    assert (await http("PUT", path + "/@me")).status == 204
    world.react(person(world, "ben"), message, "👏")
    shown = (await http("GET", f"{post(place.id)}/{message.id}")).body
    assert (shown["reactions"][0]["count"], shown["reactions"][0]["me"]) == (2, True)
    names = {item["username"] for item in (await http("GET", path)).body}
    assert names == {"ben", "Ginhouse"}
    assert (await http("DELETE", path + "/@me")).status == 204
    world.unreact(person(world, "ben"), message, "👏")
    assert message.reactions == {}


async def test_messages_are_deleted_one_by_one_and_in_bulk(
    playground: Playground, http: Http
) -> None:
    world, place = playground.world, channel_of(playground.world)
    playground.faults.permission(world.bot, place, "MANAGE_MESSAGES", True)
    messages = [world.send_message(person(world), place, str(n)) for n in range(3)]
    body = {"messages": [str(message.id) for message in messages[:2]]}
    assert (await http("POST", post(place.id) + "/bulk-delete", body)).status == 204
    assert list(place.messages.values()) == messages[2:]


def test_pictures_are_measured_by_their_first_bytes() -> None:
    gif = b"GIF89a\x05\x00\x07\x00"
    jpeg = b"\xff\xd8\xff\xe0\x00\x04\x00\x00\xff\xc0\x00\x11\x08\x00\x02\x00\x09\x03" + bytes(12)
    assert picture_size(PNG) == (3, 2)
    assert picture_size(gif) == (5, 7)
    assert picture_size(jpeg) == (9, 2)
    assert picture_size(b"hello") is None


async def test_a_dismissed_message_is_gone_for_its_reader(playground: Playground, bot: Bot) -> None:
    world, place = playground.world, channel_of(playground.world)
    ada = person(world)
    used = world.interactions.create_command(ada, place, "gin hand")
    await used.done.wait()
    world.dismiss(ada, used.messages[0])
    assert world.visible_messages(ada, place) == []
