"""A person acts in the playground, a real discord.py bot answers, over real sockets."""

import asyncio

import discord
import pytest

from playground.server import Playground
from playground.state.components import find, texts
from playground.state.interactions import CallbackType, State
from playground.state.invoking import CannotInvoke
from playground.state.model import MessageFlag, MessageType
from tests.playground.support import PNG, Bot, channel_of, guild_of, person, until


async def test_a_slash_command_is_answered_with_a_message_that_pings_whom_it_may(
    playground: Playground, bot: Bot
) -> None:
    world = playground.world
    ada, ben = person(world), person(world, "ben")
    used = world.interactions.create_command(
        ada, channel_of(world), "gin challenge", {"opponent": ben}
    )
    await used.done.wait()
    message = used.messages[0]
    assert used.state is State.ANSWERED
    assert message.content == f"<@{ben.id}> is challenged"
    assert message.type is MessageType.CHAT_INPUT_COMMAND
    assert message.mentions == [ben]
    assert message.pinged == {ben.id}
    assert message.metadata is not None
    assert message.metadata["name"] == "gin challenge"
    seen = bot.seen[0]
    assert isinstance(seen.user, discord.Member)
    assert (seen.user.id, seen.guild_id, seen.context.guild) == (
        ada.id,
        guild_of(world).id,
        True,
    )
    assert seen.app_permissions.send_messages
    assert seen.app_permissions.manage_threads
    assert not seen.app_permissions.administrator


async def test_a_slash_command_works_in_direct_messages(playground: Playground, bot: Bot) -> None:
    world = playground.world
    ada = person(world)
    used = world.interactions.create_command(ada, world.dm(ada), "gin table")
    await used.done.wait()
    assert used.state is State.ANSWERED
    assert used.messages[0].channel is world.dm(ada)
    assert isinstance(bot.seen[0].user, discord.User)
    assert bot.seen[0].context.dm_channel
    assert isinstance(bot.seen[0].channel, discord.DMChannel)


async def test_an_ephemeral_layout_with_a_picture_is_seen_by_one_person_only(
    playground: Playground, bot: Bot
) -> None:
    world, place = playground.world, channel_of(playground.world)
    ada, ben = person(world), person(world, "ben")
    used = world.interactions.create_command(ada, place, "gin hand")
    await used.done.wait()
    message = used.messages[0]
    assert message.flags & MessageFlag.EPHEMERAL
    assert message.is_v2
    assert world.visible_messages(ada, place) == [message]
    assert world.visible_messages(ben, place) == []
    assert place.messages == {}
    gallery = message.components[0]["components"][1]
    media = gallery["items"][0]["media"]
    assert (media["width"], media["height"]) == (3, 2)
    assert media["url"] == message.attachments[0].url
    assert message.attachments[0].content == PNG


async def test_a_press_updates_the_message_in_place_with_a_new_picture(
    playground: Playground, bot: Bot
) -> None:
    world = playground.world
    ada, ben = person(world), person(world, "ben")
    shown = world.interactions.create_command(ada, channel_of(world), "gin table")
    await shown.done.wait()
    table = shown.messages[0]
    old_picture = table.attachments[0]
    press = world.interactions.create_component(ben, table, "draw")
    await press.done.wait()
    assert press.callback_type is CallbackType.UPDATE
    assert press.original is table
    assert press.messages == []
    assert [item.filename for item in table.attachments] == ["next.png"]
    assert old_picture.id not in world.files
    assert table.edited_at is not None
    seen = bot.seen[-1]
    assert seen.message is not None
    assert seen.message.id == table.id


async def test_a_select_is_answered_privately_with_what_was_chosen(
    playground: Playground, bot: Bot
) -> None:
    world = playground.world
    ada = person(world)
    shown = world.interactions.create_command(ada, channel_of(world), "gin table")
    await shown.done.wait()
    choice = world.interactions.create_component(ada, shown.messages[0], "discard", ["8H"])
    await choice.done.wait()
    assert choice.messages[0].content == "chose ['8H']"
    assert choice.messages[0].ephemeral_for == ada.id
    assert choice.messages[0].reference is not None
    assert choice.messages[0].reference["message_id"] == str(shown.messages[0].id)


async def test_a_control_that_is_disabled_absent_or_private_cannot_be_used(
    playground: Playground, bot: Bot
) -> None:
    world = playground.world
    ada, ben = person(world), person(world, "ben")
    shown = world.interactions.create_command(ada, channel_of(world), "gin hand")
    await shown.done.wait()
    hand = shown.messages[0]
    for who, custom_id, values in (
        (ada, "gone", None),
        (ada, "no such control", None),
        (ada, "discard", ["AS"]),
        (ada, "discard", []),
        (ben, "draw", None),
    ):
        with pytest.raises(CannotInvoke):
            world.interactions.create_component(who, hand, custom_id, values)


async def test_autocomplete_brings_suggestions_for_the_focused_option(
    playground: Playground, bot: Bot
) -> None:
    world = playground.world
    asked = world.interactions.create_autocomplete(
        person(world),
        channel_of(world),
        "gin discard",
        [{"name": "card", "value": "h", "focused": True}],
    )
    await asked.done.wait()
    assert asked.choices is not None
    assert [choice["value"] for choice in asked.choices] == ["7H", "8H"]


async def test_a_modal_opens_and_its_submit_reaches_the_bot_with_resolved_people(
    playground: Playground, bot: Bot
) -> None:
    world = playground.world
    ada, ben = person(world), person(world, "ben")
    opened = world.interactions.create_command(ada, channel_of(world), "gin knock")
    await opened.answered.wait()
    assert opened.modal is not None
    assert opened.modal["title"] == "Knock"
    sent = world.interactions.create_modal_submit(
        ada, opened, {"melds": "7h 8h 9h", "who": [ben.id]}
    )
    await sent.done.wait()
    assert sent.state is State.ANSWERED
    assert "7h 8h 9h" in sent.messages[0].content
    assert sent.data["resolved"]["users"][str(ben.id)]["username"] == "ben"
    assert bot.seen[-1].type is discord.InteractionType.modal_submit


async def test_a_required_field_of_a_modal_cannot_be_left_empty(
    playground: Playground, bot: Bot
) -> None:
    world = playground.world
    opened = world.interactions.create_command(person(world), channel_of(world), "gin knock")
    await opened.answered.wait()
    for values in ({}, {"melds": ""}, {"melds": "x" * 4001}, {"melds": "ok", "other": "x"}):
        with pytest.raises(CannotInvoke):
            world.interactions.create_modal_submit(person(world), opened, values)


async def test_thinking_is_filled_by_the_first_follow_up_without_a_ping(
    playground: Playground, bot: Bot
) -> None:
    world, place = playground.world, channel_of(playground.world)
    ada = person(world)
    used = world.interactions.create_command(ada, place, "gin think")
    await used.answered.wait()
    assert used.state is State.THINKING
    assert used.original is not None
    assert used.original.loading
    await used.done.wait()
    await until(lambda: len(used.messages) == 2, "the second follow-up")
    first, second = used.messages
    assert first is used.original
    assert first.content == "<@1> thought"
    assert first.pinged == frozenset()
    assert first.edited_at is None
    assert not first.loading
    assert second.ephemeral_for == ada.id
    assert list(place.messages.values()) == [first]


async def test_private_thinking_stays_private_when_it_is_filled(
    playground: Playground, bot: Bot
) -> None:
    world = playground.world
    used = world.interactions.create_command(
        person(world), channel_of(world), "gin think", {"private": True}
    )
    await used.done.wait()
    assert used.messages[0].ephemeral
    assert used.messages[0].content == "<@1> thought"


async def test_a_command_without_an_answer_fails_after_three_seconds(
    playground: Playground, bot: Bot
) -> None:
    world = playground.world
    failures: list[object] = []
    world.subscribe(
        lambda event: failures.append(event.subject) if "FAILURE" in event.name else None
    )
    used = world.interactions.create_command(person(world), channel_of(world), "gin silent")
    await until(lambda: "silent" in bot.heard)
    world.clock.move(2.5)
    assert failures == []
    world.clock.move(0.6)
    assert failures == [used]
    assert used.state is State.FAILED


async def test_a_command_that_no_bot_hears_fails_by_itself(playground: Playground) -> None:
    world = playground.world
    world.limits.answer_seconds = 0.05
    world.application.commands[1] = {"id": "1", "name": "gin", "type": 1, "options": []}
    used = world.interactions.create_command(person(world), channel_of(world), "gin")
    await asyncio.wait_for(used.done.wait(), 5)
    assert used.state is State.FAILED


async def test_what_discords_client_would_not_send_is_not_sent(
    playground: Playground, bot: Bot
) -> None:
    world, place = playground.world, channel_of(playground.world)
    ada = person(world)
    for name, options in (
        ("chess", {}),
        ("gin", {}),
        ("gin play", {}),
        ("gin challenge", {}),
        ("gin challenge", {"opponent": 12345}),
        ("gin discard", {"card": 7}),
        ("gin discard", {"card": ""}),
        ("gin discard", {"card": "x" * 6001}),
        ("gin think", {"private": "yes"}),
        ("gin hand", {"card": "7H"}),
    ):
        with pytest.raises(CannotInvoke):
            world.interactions.create_command(ada, place, name, options)


async def test_commands_are_offered_by_context_and_permission(
    playground: Playground, bot: Bot
) -> None:
    world, place = playground.world, channel_of(playground.world)
    ada, ben = person(world), person(world, "ben")
    extra = {"id": "7", "type": 1, "description": "x", "options": []}
    world.application.commands[7] = {
        **extra,
        "name": "gin-admin",
        "contexts": [0],
        "default_member_permissions": "32",
    }

    def names(user: object, where: object) -> set[str]:
        return {item["name"] for item in world.interactions.commands_for(user, where)}  # type: ignore[arg-type]

    assert names(ada, place) == {"gin", "gin-admin"}  # Ada owns the server
    assert names(ben, place) == {"gin"}
    assert names(ada, world.dm(ada)) == {"gin"}
    playground.faults.permission(ben, place, "USE_APPLICATION_COMMANDS", False)
    assert names(ben, place) == set()
    playground.faults.kick_bot(guild_of(world))
    assert names(ada, place) == set()


async def test_a_silent_defer_acknowledges_and_the_message_is_edited_later(
    playground: Playground, bot: Bot
) -> None:
    world = playground.world
    ada = person(world)
    place = bot.get_channel(channel_of(world).id)
    assert isinstance(place, discord.TextChannel)
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="Quiet", custom_id="silent"))
    view.stop()
    sent = await place.send("press", view=view)
    message = world.find_message(sent.id)
    assert message is not None
    press = world.interactions.create_component(ada, message, "silent")
    await press.done.wait()
    assert press.callback_type is CallbackType.DEFERRED_UPDATE
    await until(lambda: message.content == "edited after a silent defer")


async def test_a_modal_opened_from_a_control_may_belong_to_its_message(
    playground: Playground, bot: Bot
) -> None:
    world = playground.world
    ada = person(world)
    place = bot.get_channel(channel_of(world).id)
    assert isinstance(place, discord.TextChannel)
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="Knock", custom_id="form"))
    view.stop()
    message = world.find_message((await place.send("press", view=view)).id)
    assert message is not None
    press = world.interactions.create_component(ada, message, "form")
    await press.answered.wait()
    sent = world.interactions.create_modal_submit(ada, press, {"melds": "kc kd ks"})
    await sent.done.wait()
    assert sent.message is message
    assert bot.seen[-1].message is not None
    metadata = sent.messages[0].metadata
    assert metadata is not None
    assert metadata["triggering_interaction_metadata"]["interacted_message_id"] == str(message.id)


async def test_the_bot_is_told_of_its_ephemeral_messages_as_if_they_were_direct(
    playground: Playground, bot: Bot
) -> None:
    world = playground.world
    told: list[discord.Message] = []

    async def on_message(message: discord.Message) -> None:
        told.append(message)

    bot.add_listener(on_message)
    used = world.interactions.create_command(person(world), channel_of(world), "gin hand")
    await used.done.wait()
    await until(lambda: told)
    assert told[0].flags.ephemeral
    assert told[0].guild is None


async def test_a_redelivered_interaction_has_the_same_id_and_its_second_answer_is_refused(
    playground: Playground, bot: Bot
) -> None:
    world = playground.world
    used = world.interactions.create_command(person(world), channel_of(world), "gin table")
    await used.done.wait()
    playground.faults.redeliver(used)
    await until(lambda: playground.sent.failed(), "the second answer")
    assert [item.id for item in bot.seen] == [used.id, used.id]
    assert playground.sent.failed()[0].code == 40060
    assert len(used.messages) == 1


async def test_components_get_ids_and_keep_their_text(playground: Playground, bot: Bot) -> None:
    world = playground.world
    used = world.interactions.create_command(person(world), channel_of(world), "gin table")
    await used.done.wait()
    components = used.messages[0].components
    assert list(texts(components)) == ["It is <@0>'s turn"]
    draw = find(components, "draw")
    assert draw is not None
    assert draw["label"] == "Draw"
    ids = [components[0]["id"], *(item["id"] for item in components[0]["components"])]
    assert len(set(ids)) == len(ids)
