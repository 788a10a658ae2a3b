"""What is read from a press or a submitted form, whatever stands in it."""

from __future__ import annotations

from collections.abc import Mapping
from unittest.mock import NonCallableMagicMock, create_autospec

import discord
import pytest

from bot.front import router
from bot.front.visit import Visit
from bot.house import House
from bot.refusals import OldControl
from bot.ui.controls import Control, Verb

HALF = "\ud800"
"""Half a character, as JSON can write it; nothing can be written down with it."""


SUBMITS = {"knock-typed", "layoff-typed", "accept-typed", "word-typed"}
"""What only a form of ours asks for when it is submitted."""


@pytest.mark.parametrize("verb", Verb)
def test_a_control_counts_only_as_what_was_sent_a_form_or_a_press(verb: Verb) -> None:
    counts_as = {
        kind: router.read(_sent(kind, {"custom_id": Control(verb, 1).encode()})) is not None
        for kind in (discord.InteractionType.component, discord.InteractionType.modal_submit)
    }
    assert counts_as == {
        discord.InteractionType.component: verb not in SUBMITS,
        discord.InteractionType.modal_submit: verb in SUBMITS,
    }


def test_half_a_character_is_replaced_wherever_it_is_typed_or_chosen() -> None:
    field = {"type": 4, "custom_id": "word", "value": f"a{HALF}b\0"}
    form = {
        "custom_id": "gin:word-typed:1:0",
        "values": [HALF],
        "components": [{"type": 18, "component": field}],
    }
    press = router.read(_sent(discord.InteractionType.modal_submit, form))
    assert press is not None
    assert press.fields == {"word": "a?b"}
    assert press.values == ("?",)


@pytest.mark.parametrize(
    ("custom_id", "generation", "version"),
    [
        ("gin:draw:4:7:stock", 0, 7),
        ("gin:draw:4:7.2a:stock", 0x2A, 7),
        ("gin:draw:4:7:stock", 0x2A, router.NEVER),
        ("gin:draw:4:7.29:stock", 0x2A, router.NEVER),
        ("gin:draw:4:7.2a:stock", 0, router.NEVER),
        ("gin:accept:5:0", 0x2A, 0),
    ],
)
def test_a_version_counts_only_until_the_database_is_set_back(
    custom_id: str, generation: int, version: int
) -> None:
    pressed = _sent(discord.InteractionType.component, {"custom_id": custom_id})
    press = router.read(pressed, generation)
    assert press is not None
    assert press.version == version


@pytest.mark.parametrize(
    ("custom_id", "counts"),
    [("gin:which:0:0.2a:draw:stock", True), ("gin:which:0:0:draw:stock", False)],
)
def test_a_choice_of_matches_counts_only_until_the_database_is_set_back(
    custom_id: str, counts: bool
) -> None:
    chosen = {"custom_id": custom_id, "values": ["4"]}
    press = router.read(_sent(discord.InteractionType.component, chosen), 0x2A)
    assert press is not None
    assert press.is_set_back is not counts


async def test_a_match_chosen_from_before_a_restore_is_none_of_now() -> None:
    chosen = {"custom_id": "gin:which:0:0:draw:stock", "values": ["4"]}
    press = router.read(_sent(discord.InteractionType.component, chosen), 0x2A)
    assert press is not None
    house, visit = create_autospec(House, instance=True), create_autospec(Visit, instance=True)
    with pytest.raises(OldControl, match="from another time"):
        await router.ROUTES[Verb.WHICH](house, visit, press)


def test_half_a_character_is_no_id() -> None:
    pressed = {"custom_id": f"gin:hand:1:0{HALF}"}
    assert router.read(_sent(discord.InteractionType.component, pressed)) is None


def _sent(kind: discord.InteractionType, data: Mapping[str, object]) -> discord.Interaction:
    sent = NonCallableMagicMock(spec=discord.Interaction)
    sent.type, sent.data = kind, data
    assert isinstance(sent, discord.Interaction)
    return sent
