"""Answers that Discord refuses: to what they answer, modals, suggestions."""

from typing import Any

import pytest

from playground import checks
from tests.playground.checks.bodies import (
    EPHEMERAL,
    V2,
    Json,
    button,
    codes,
    complaints,
    gallery,
    label,
    modal,
    refusal,
    row,
    rows,
    select,
    typed_input,
    words,
)

ANSWERS = {
    (2, False): {4, 5, 9},
    (3, True): {4, 5, 6, 7, 9},
    (4, False): {8},
    (5, False): {4, 5},
    (5, True): {4, 5, 6, 7},
}


@pytest.mark.parametrize(("asked", "allowed"), ANSWERS.items(), ids=map(str, ANSWERS))
def test_each_interaction_takes_only_its_own_answers(
    asked: tuple[int, bool], allowed: set[int]
) -> None:
    data: dict[int, Json] = {4: {"content": "x"}, 8: {"choices": []}, 9: modal(words())}
    for kind in range(1, 14):
        body = {"type": kind, "data": data.get(kind)}
        if kind in allowed:
            checks.check_callback(body, interaction_type=asked[0], from_message=asked[1])
        else:
            faults = callback_faults(body, asked[0], from_message=asked[1])
            assert faults == {"type": ["BASE_TYPE_CHOICES"]}


def callback_faults(
    body: Json,
    kind: int,
    **facts: Any,  # noqa: ANN401 - many kinds
) -> dict[str, list[str]]:
    return codes(
        refusal(lambda: checks.check_callback(body, interaction_type=kind, **facts)).errors
    )


def test_an_answer_is_checked_like_a_message_under_data() -> None:
    body = {"type": 4, "data": rows(row(button(), button()))}
    assert list(callback_faults(body, 2)) == ["data.components.0.components.1.custom_id"]
    refused = refusal(lambda: checks.check_callback({"type": 4}, interaction_type=2))
    assert refused.code == 50006


def test_an_update_keeps_the_layout_and_files_of_the_message() -> None:
    body = {"type": 7, "data": {"components": [words(), gallery("attachment://hand.png")]}}
    facts: Json = {"from_message": True, "v2": True, "attachments_kept": {"9": "hand.png"}}
    checks.check_callback(body, interaction_type=3, **facts)
    assert callback_faults(body, 3, **{**facts, "v2": False})
    assert callback_faults(body, 3, **{**facts, "attachments_kept": {}})


def test_a_thinking_answer_may_only_be_ephemeral() -> None:
    checks.check_callback({"type": 5, "data": {"flags": EPHEMERAL}}, interaction_type=2)
    assert "data.flags" in callback_faults({"type": 5, "data": {"flags": V2}}, 2)


GOOD_MODALS: dict[str, Json] = {
    "five labels": modal(*[label(typed_input(custom_id=str(n))) for n in range(5)]),
    "the older way": modal(row(typed_input(label="Melds"))),
    "text beside": modal(words(), label(typed_input(value="7h", min_length=2, max_length=2))),
    "a select": modal(label(select(3, min_values=0, required=False))),
    "a radio group": modal(label(select(2) | {"type": 21})),
    "check boxes": modal(label(select(10) | {"type": 22})),
    "a check box": modal(label({"type": 23, "custom_id": "sure", "default": True})),
}


@pytest.mark.parametrize("body", GOOD_MODALS.values(), ids=GOOD_MODALS.keys())
def test_a_modal_within_the_limits_is_taken(body: Json) -> None:
    assert complaints(lambda: checks.check_modal(body)) == {}


BAD_MODALS: dict[str, tuple[Json, str]] = {
    "six components": (
        modal(*[label(typed_input(custom_id=str(n))) for n in range(6)]),
        "components",
    ),
    "a long title": (modal(words(), title="t" * 46), "title"),
    "a long id": (modal(words(), custom_id="x" * 101), "custom_id"),
    "nothing in it": (modal(), "components"),
    "a button": (modal(row(button())), "components.0.components.0"),
    "an input without a label": (modal(row(typed_input())), "components.0.components.0.label"),
    "an input labelled twice": (
        modal(label(typed_input(label="again"))),
        "components.0.component.label",
    ),
    "a bare input": (modal(typed_input()), "components.0"),
    "a value that is too short": (
        modal(label(typed_input(value="7", min_length=2))),
        "components.0.component.value",
    ),
    "one id twice": (
        modal(label(typed_input()), label(typed_input())),
        "components.1.component.custom_id",
    ),
    "a radio group of one": (
        modal(label(select(1) | {"type": 21})),
        "components.0.component.options",
    ),
    "eleven check boxes": (
        modal(label(select(11) | {"type": 22})),
        "components.0.component.options",
    ),
    "nothing chosen though required": (
        modal(label(select(3, min_values=0))),
        "components.0.component.min_values",
    ),
    "a disabled select": (
        modal(label(select(3, disabled=True))),
        "components.0.component.disabled",
    ),
}


@pytest.mark.parametrize(("body", "field"), BAD_MODALS.values(), ids=BAD_MODALS.keys())
def test_a_modal_past_a_limit_is_refused_with_the_field(body: Json, field: str) -> None:
    refused = refusal(lambda: checks.check_modal(body))
    assert list(codes(refused.errors)) == [field]


def test_suggestions_are_at_most_25_of_at_most_100_characters() -> None:
    choices = [{"name": "n" * 100, "value": "v" * 100} for _ in range(25)]
    checks.check_choices({"choices": choices})
    checks.check_choices({"choices": [{"name": "7♥", "value": 7}]})
    for bad in (
        [*choices, choices[0]],
        [{"name": "n" * 101, "value": "v"}],
        [{"name": "n", "value": "v" * 101}],
        [{"name": " ", "value": "v"}],
        [{"name": "a", "value": "a"}, {"name": "b", "value": 2}],
    ):
        assert refusal(lambda bad=bad: checks.check_choices({"choices": bad})).code == 50035  # type: ignore[misc]


def test_suggestions_are_of_the_options_own_type() -> None:
    choices = {"choices": [{"name": "7", "value": 7}]}
    checks.check_choices(choices, option_type=4)
    assert refusal(lambda: checks.check_choices(choices, option_type=3)).code == 50035
