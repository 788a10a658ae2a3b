"""A world that is saved and loaded is the same world."""

import json
from pathlib import Path

import pytest

from playground import shapes
from playground.acting.people import Person
from playground.cardroom import open_card_room
from playground.server import Playground
from playground.state.files import Upload
from playground.state.model import Channel, Emoji, Message
from playground.state.posts import Draft, Origin
from playground.state.saving import MESSAGES_A_CHANNEL, CannotLoad, Shelf, dump, files, load
from playground.state.world import World
from playground.wire import Json, dumps
from tests.playground.support import PNG

COMPONENTS: list[Json] = [
    {"type": 12, "items": [{"media": {"url": "attachment://hand.png"}, "description": "4♥"}]},
    {"type": 1, "components": [{"type": 2, "style": 1, "label": "Draw", "custom_id": "draw"}]},
]


def lived_in() -> Playground:
    """Make a playground in which everything that is kept has happened once."""
    playground = Playground(furnished=False)
    world = playground.world
    world.base_url = "http://127.0.0.1:8017"
    open_card_room(world)
    ada, ben = Person.of(playground, "Ada"), Person.of(playground, "Ben")
    lounge = ada.channel("lounge")
    hello = ada.write(lounge, f"hello <@{ben.id}>")
    ben.write(lounge, "good evening", reply_to=hello)
    world.react(ben.user, hello, "♥")
    world.posts.pin(hello, pinned=True)
    thread = world.create_thread(ada.user, lounge, "Ada v Ben", message=hello)
    world.threads.set_state(thread, archived=True, locked=True)
    world.create_thread(ada.user, ada.channel("post-mortems"), "A hand", content="look")
    draft = Draft(
        components=COMPONENTS,
        uploads=(Upload("files[0]", "hand.png", PNG),),
        listed=[{"id": 0, "description": "Your hand"}],
        flags=1 << 15,
    )
    world.posts.create(world.bot, ada.dm(), draft)
    metadata: Json = {"id": "5", "type": 2, "user": shapes.user(ada.user), "name": "gin hand"}
    origin = Origin(metadata, "gin hand")
    world.posts.create(world.bot, lounge, Draft(content="dealt"), origin=origin)
    world.close_dms(ben.user)
    playground.faults.permission(ben.user, ada.channel("gin-table"), "SEND_MESSAGES", False)
    world.application.commands[7] = {"id": "7", "name": "gin", "type": 1, "options": []}
    world.application.emojis[8] = Emoji(8, "spade", PNG, "image/png")
    world.clock.move(3600)
    for channel in world.channels.values():
        for message in channel.messages.values():
            message.nonce = None  # told once, to the sender
    return playground


def again(saved: Json, contents: dict[int, bytes], address: str) -> Playground:
    playground = Playground(furnished=False)
    playground.world.base_url = address
    load(playground.world, json.loads(dumps(saved)), contents)
    return playground


def shown(world: World) -> Json:
    """Show all that the bot or a person could see of a world."""
    messages = [
        [world.posts.show(message) for message in channel.messages.values()]
        for channel in world.channels.values()
    ]
    return {
        "users": [shapes.user(user) for user in world.users.values()],
        "closed": [user.dms_closed for user in world.users.values()],
        "guilds": [shapes.guild(guild) for guild in world.guilds.values()],
        "members": [
            shapes.member(member) for g in world.guilds.values() for member in g.members.values()
        ],
        "channels": [shapes.channel(channel) for channel in world.channels.values()],
        "messages": messages,
        "commands": world.application.commands,
        "application": shapes.application(world.application, 1),
    }


def test_what_was_saved_is_what_is_loaded() -> None:
    playground = lived_in()
    world = playground.world
    loaded = again(dump(world), files(world), world.base_url).world
    assert shown(loaded) == shown(world)
    assert loaded.clock.offset == pytest.approx(3600)
    assert loaded.application.emojis[8].content == PNG
    assert {number: file.content for number, file in loaded.files.items()} == {
        number: file.content for number, file in world.files.items()
    }


def test_a_loaded_world_can_be_lived_in() -> None:
    old = lived_in()
    newest = max(m.id for c in old.world.channels.values() for m in c.messages.values())
    playground = again(dump(old.world), files(old.world), "http://127.0.0.1:8018")
    ada, ben = Person.of(playground, "Ada"), Person.of(playground, "Ben")
    assert ada.dm().id == Person.of(old, "Ada").dm().id
    assert ada.write("lounge", "again").id > newest
    hello = next(m for m in ben.messages("lounge") if m.content.startswith("hello"))
    assert hello.reactions == {"♥": {ben.id}}
    assert hello.thread is playground.world.channels[hello.thread.id]  # type: ignore[union-attr]
    assert hello in ben.pings("lounge")
    panel = ada.last(ada)
    assert playground.world.component(panel, "draw") is not None


def test_files_are_found_at_the_address_of_the_new_start() -> None:
    old = lived_in()
    playground = again(dump(old.world), files(old.world), "http://127.0.0.1:8099")
    panel = Person.of(playground, "Ada").last(Person.of(playground, "Ada"))
    assert panel.attachments[0].url.startswith("http://127.0.0.1:8099/attachments/")
    media = panel.components[0]["items"][0]["media"]
    assert media["url"] == panel.attachments[0].url


def test_what_is_of_the_moment_is_not_kept() -> None:
    playground = lived_in()
    world = playground.world
    ada = Person.of(playground, "Ada")
    lounge = ada.channel("lounge")
    metadata: Json = {"id": "5", "type": 2, "user": shapes.user(ada.user), "name": "gin hand"}
    private = Origin(metadata, "gin hand", ada.id)
    world.posts.create(world.bot, lounge, Draft(content="only you"), origin=private)
    world.posts.create(world.bot, lounge, Draft(), origin=Origin(metadata), loading=True)
    loaded = again(dump(world), files(world), world.base_url)
    said = Person.of(loaded, "Ada").text("lounge")
    assert "only you" not in said
    assert not any(m.loading for m in Person.of(loaded, "Ada").messages("lounge"))


def test_of_a_long_channel_the_newest_messages_are_kept() -> None:
    playground = Playground()
    ada = Person.of(playground, "Ada")
    said = [ada.write("general", f"line {n}") for n in range(MESSAGES_A_CHANNEL + 5)]
    loaded = again(dump(playground.world), {}, playground.world.base_url)
    kept = Person.of(loaded, "Ada").messages("general")
    assert [message.id for message in kept] == [message.id for message in said[5:]]


@pytest.mark.parametrize(
    "damage",
    [
        lambda saved: saved.pop("users"),
        lambda saved: saved.update(version=99),
        lambda saved: saved["messages"][0].update(author=1),
        lambda saved: saved["channels"][0].update(type=99),
        lambda saved: saved.update(guilds=None),
    ],
)
def test_a_damaged_world_is_told_from_a_good_one(damage: object) -> None:
    saved = json.loads(dumps(dump(lived_in().world)))
    assert callable(damage)
    damage(saved)
    with pytest.raises(CannotLoad):
        load(Playground(furnished=False).world, saved, {})


def test_the_shelf_gives_back_what_was_put_on_it(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    assert shelf.get() is None
    shelf.put('{"version": 1}', {1: b"one", 2: b"two"})
    shelf.put('{"version": 1, "n": 2}', {2: b"two", 3: b"three"})
    assert shelf.get() == ({"version": 1, "n": 2}, {2: b"two", 3: b"three"})
    shelf.file.write_text("{")
    with pytest.raises(CannotLoad):
        shelf.get()
    assert shelf.set_aside().read_text() == "{"
    assert shelf.get() is None


def test_a_message_says_which_channel_and_message_it_belongs_to() -> None:
    loaded = again(dump(lived_in().world), {}, "http://127.0.0.1").world
    for channel in loaded.channels.values():
        assert isinstance(channel, Channel)
        for message in channel.messages.values():
            assert isinstance(message, Message)
            assert message.channel is channel
            assert message.author is loaded.users[message.author.id]
