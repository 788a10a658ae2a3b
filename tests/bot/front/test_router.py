"""What is read from a press or a submitted form, whatever stands in it."""

from __future__ import annotations

from unittest.mock import NonCallableMagicMock

import discord

from bot.front import router

HALF = "\ud800"
"""Half a character, as JSON can write it; nothing can be written down with it."""


def test_half_a_character_is_replaced_wherever_it_is_typed_or_chosen() -> None:
    form = NonCallableMagicMock(spec=discord.Interaction)
    field = {"type": 4, "custom_id": "word", "value": f"a{HALF}b\0"}
    form.data = {
        "custom_id": "gin:word-typed:1:0",
        "values": [HALF],
        "components": [{"type": 18, "component": field}],
    }
    press = router.read(form)
    assert press is not None
    assert press.fields == {"word": "a?b"}
    assert press.values == ("?",)


def test_half_a_character_is_no_id() -> None:
    pressed = NonCallableMagicMock(spec=discord.Interaction)
    pressed.data = {"custom_id": f"gin:hand:1:0{HALF}"}
    assert router.read(pressed) is None
