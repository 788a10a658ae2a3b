"""Persons that tests drive: what they can do, what they see, what they can't do."""

import asyncio

import pytest

from playground.acting.people import (
    CannotInvoke,
    Kind,
    NotSeen,
    Person,
    buttons,
    people,
    select_options,
    text_of,
)
from playground.server import Playground
from playground.state.posts import Draft
from tests.playground.support import Bot


@pytest.fixture
def ada(playground: Playground) -> Person:
    return Person.of(playground, "Ada")


@pytest.fixture
def ben(playground: Playground) -> Person:
    return Person.of(playground, "ben")


async def test_a_command_gives_the_message_that_answers_it(
    ada: Person, ben: Person, bot: Bot
) -> None:
    answer = await ada.slash("general", "gin challenge", opponent=ben)
    assert answer.kind is Kind.MESSAGE
    assert answer.text == f"<@{ben.id}> is challenged"
    assert not answer.ephemeral
    assert ben.pings("general") == [answer.message]
    assert ada.pings("general") == []


async def test_a_command_needs_its_options_and_takes_no_others(
    ada: Person, ben: Person, bot: Bot
) -> None:
    for command, options in (
        ("gin challenge", {}),
        ("gin challenge", {"opponent": ben, "stake": 5}),
        ("gin challenge", {"opponent": "ben"}),
        ("gin think", {"private": "yes"}),
        ("gin shuffle", {}),
        ("gin", {}),
        ("poker", {}),
    ):
        with pytest.raises(CannotInvoke):
            await ada.slash("general", command, **options)
    assert bot.seen == []


async def test_thinking_is_waited_for_unless_the_first_answer_is_wanted(
    ada: Person, bot: Bot
) -> None:
    answer = await ada.slash("general", "gin think", private=True)
    assert answer.kind is Kind.MESSAGE
    assert answer.deferred
    assert answer.ephemeral
    assert "thought" in answer.text
    answer = await ada.slash("general", "gin think", first=True)
    assert answer.deferred
    await ada.until(lambda: "thought" in answer.text)
    assert answer.kind is Kind.MESSAGE


async def test_silence_is_told_after_three_seconds_of_the_worlds_clock(
    ada: Person, bot: Bot
) -> None:
    waiting = asyncio.create_task(ada.slash("general", "gin silent"))
    await ada.until(lambda: "silent" in bot.heard)
    ada.world.clock.move(3)
    answer = await waiting
    assert answer.failed
    assert answer.kind is Kind.NONE
    assert answer.message is None
    assert answer.text == ""


async def test_suggestions_come_for_what_is_typed(ada: Person, bot: Bot) -> None:
    found = await ada.autocomplete("general", "gin discard", focused="card", value="h")
    assert [choice.value for choice in found] == ["7H", "8H"]
    assert await ada.autocomplete("general", "gin discard", focused="card", value="Q") == []


async def test_buttons_are_pressed_by_what_stands_on_them(ada: Person, bot: Bot) -> None:
    shown = await ada.slash("general", "gin table")
    assert shown.message is not None
    assert buttons(shown.message) == ["Draw", "Gone"]
    assert buttons(shown.message, enabled=True) == ["Draw"]
    for wrong in ("Gone", "Knock", None):
        with pytest.raises(CannotInvoke):
            await ada.press(shown, wrong)
    drawn = await ada.press(shown, "dra")
    assert drawn.kind is Kind.UPDATE
    assert drawn.message is shown.message
    assert drawn.message.attachments[0].filename == "next.png"


async def test_selects_are_chosen_from_by_label_or_value(ada: Person, bot: Bot) -> None:
    shown = await ada.slash("general", "gin table")
    assert shown.message is not None
    assert select_options(shown.message) == {"7H": "7H", "8H": "8H", "9H": "9H"}
    assert "chose ['8H']" in (await ada.choose(shown, "8H")).text
    for wrong in (["2C"], ["7H", "8H"], []):
        with pytest.raises(CannotInvoke):
            await ada.choose(shown, *wrong)


async def test_a_modal_is_filled_in_by_custom_id_or_label(
    ada: Person, ben: Person, bot: Bot
) -> None:
    form = await ada.slash("general", "gin knock")
    assert form.kind is Kind.MODAL
    assert form.message is None
    assert "Melds" in form.text
    answer = await ada.submit(form, {"Melds": "7h 8h 9h", "who": [ben]})
    assert "7h 8h 9h" in answer.text
    assert str(ben.id) in answer.text
    assert answer.ephemeral
    with pytest.raises(CannotInvoke):
        await ada.submit(form, {"nothing": "of the kind"})
    with pytest.raises(CannotInvoke):
        await ada.submit(answer, {"melds": "none is open"})
    with pytest.raises(CannotInvoke):
        await ben.submit(form, {"melds": "that is Ada's"})


async def test_what_only_ada_sees_is_out_of_bens_reach_but_for_forgery(
    ada: Person, ben: Person, bot: Bot
) -> None:
    hand = await ada.slash("general", "gin hand")
    assert hand.ephemeral
    assert hand.message in ada.messages("general")
    assert hand.message not in ben.messages("general")
    with pytest.raises(CannotInvoke):
        await ben.press(hand, "Draw")
    assert hand.message is not None
    forged = await ben.forge(hand, "discard", ["2C"])
    assert "chose ['2C']" in forged.text
    assert forged.interaction.user is ben.user


async def test_half_a_character_is_refused_before_it_stops_anything(ada: Person, bot: Bot) -> None:
    """A lone surrogate is no text: Discord's own JSON can't hold it."""
    with pytest.raises(CannotInvoke, match="half a character"):
        await ada.forge_submit("general", "stale:form", {"melds": "\ud800"})
    with pytest.raises(CannotInvoke, match="half a character"):
        await ada.forge(None, "\udfff", where="general")
    answer = await ada.forge_submit("general", "stale:form", {"melds": "7h 🂡"})
    assert "7h 🂡" in answer.text


async def test_a_submit_without_a_modal_can_be_forged(ada: Person, bot: Bot) -> None:
    answer = await ada.forge_submit("general", "stale:form", {"melds": "7h 8h 9h"})
    assert "stale:form" in answer.text
    assert "7h 8h 9h" in answer.text


async def test_two_presses_at_once_are_two_interactions(ada: Person, bot: Bot) -> None:
    shown = await ada.slash("general", "gin table")
    first, second = await asyncio.gather(ada.press(shown, "Draw"), ada.press(shown, "Draw"))
    assert first.interaction is not second.interaction
    assert not first.failed
    assert not second.failed


async def test_a_person_waits_for_what_will_come(ada: Person, ben: Person) -> None:
    waiting = asyncio.create_task(ada.sees("general", "good evening"))
    await asyncio.sleep(0)
    ben.write("general", "hello")
    said = ben.write("general", "good evening all")
    assert await waiting is said
    assert ada.last("general") is said
    assert "hello" in ada.text("general")


async def test_waiting_in_vain_tells_what_was_there_instead(ada: Person, ben: Person) -> None:
    ben.write("general", "good morning")
    with pytest.raises(NotSeen, match="good morning"):
        await ada.sees("general", "good evening", within=0.01)


async def test_the_newest_message_with_a_live_button_is_the_panel(
    ada: Person, ben: Person, bot: Bot
) -> None:
    older = await ada.slash("general", "gin table")
    newer = await ada.slash(ada, "gin table")
    assert await ada.panel("Draw") is newer.message
    assert await ada.panel("Draw", "general") is older.message
    assert await ben.panel("Draw") is older.message
    with pytest.raises(NotSeen):
        await ada.panel("Gone", within=0.01)


async def test_people_are_found_by_name_or_made(playground: Playground) -> None:
    ada, zoe = people(playground, "ADA", "Zoe")
    assert ada.name == "Ada"
    assert zoe.name == "Zoe"
    assert zoe.messages("general") == []
    with pytest.raises(LookupError, match="Ada"):
        Person.of(playground, "Nobody")
    stranger = Person.new(playground, "Stranger", joins=False)
    with pytest.raises(LookupError):
        stranger.channel("general")


def test_everything_on_a_message_can_be_read() -> None:
    playground = Playground()
    world = playground.world
    ada = Person.of(playground, "Ada")
    components = [
        {
            "type": 17,
            "components": [
                {"type": 10, "content": "Your hand"},
                {"type": 12, "items": [{"media": {"url": "x"}, "description": "4♥ 5♥ 6♥"}]},
                {
                    "type": 9,
                    "components": [{"type": 10, "content": "Deadwood 5"}],
                    "accessory": {"type": 2, "style": 1, "custom_id": "k", "emoji": {"name": "✊"}},
                },
                {
                    "type": 1,
                    "components": [
                        {
                            "type": 3,
                            "custom_id": "d",
                            "placeholder": "Discard",
                            "options": [{"label": "7♥", "value": "7H", "description": "seven"}],
                        }
                    ],
                },
            ],
        }
    ]
    embeds = [{"title": "Sheet", "fields": [{"name": "Ada", "value": "25"}]}]
    draft = Draft(content="Hello", components=components, embeds=embeds)
    message = world.posts.create(world.bot, ada.channel("general"), draft)
    assert text_of(message).split("\n") == [
        "Hello",
        "Sheet",
        "Ada: 25",
        "Your hand",
        "4♥ 5♥ 6♥",
        "Deadwood 5",
        "Discard",
        "7♥ (seven)",
    ]
    assert buttons(message) == ["✊"]
