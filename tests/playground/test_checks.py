"""What Discord refuses, the playground refuses: each documented limit at the limit and past it."""

import base64
import copy
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from playground import checks
from playground.checks.emoji import is_unicode_emoji
from playground.errors import Refused

V2 = 1 << 15
EPHEMERAL = 1 << 6

Json = dict[str, Any]  # bodies under test are deliberately of any shape


def button(**fields: object) -> Json:
    return {"type": 2, "style": 1, "label": "Draw", "custom_id": "draw", **fields}


def select(many: int = 3, **fields: object) -> Json:
    made = [{"label": f"Card {n}", "value": str(n)} for n in range(many)]
    return {"type": 3, "custom_id": "card", "options": made, **fields}


def row(*components: Json) -> Json:
    return {"type": 1, "components": list(components)}


def words(content: str = "Your turn") -> Json:
    return {"type": 10, "content": content}


def container(*components: Json) -> Json:
    return {"type": 17, "components": list(components)}


def gallery(*addresses: str) -> Json:
    return {"type": 12, "items": [{"media": {"url": address}} for address in addresses]}


def layout(*components: Json, **fields: object) -> Json:
    return {"flags": V2, "components": list(components), **fields}


def rows(*components: Json) -> Json:
    return {"content": "x", "components": list(components)}


def with_buttons(**fields: object) -> Json:
    return rows(row(button(**fields)))


def typed_input(**fields: object) -> Json:
    return {"type": 4, "custom_id": "text", "style": 1, **fields}


def label(component: Json, **fields: object) -> Json:
    return {"type": 18, "label": "Melds", "component": component, **fields}


def modal(*components: Json, **fields: object) -> Json:
    return {"custom_id": "knock", "title": "Knock", "components": list(components), **fields}


def option(name: str = "card", kind: int = 3, **fields: object) -> Json:
    return {"type": kind, "name": name, "description": "A card", **fields}


def command(*options: Json, **fields: object) -> Json:
    return {"name": "gin", "description": "Gin Rummy", "options": list(options), **fields}


def codes(tree: object) -> dict[str, list[str]]:
    """Flatten a tree of errors: `components.0.custom_id` to the codes there."""
    found: dict[str, list[str]] = {}

    def gather(node: Mapping[str, Any], path: str) -> None:
        for key, below in node.items():
            if key == "_errors":
                found[path] = [error["code"] for error in below]
            else:
                gather(below, f"{path}.{key}" if path else key)

    assert isinstance(tree, Mapping)
    gather(tree, "")
    return found


def refusal(check: Callable[[], None]) -> Refused:
    with pytest.raises(Refused) as caught:
        check()
    return caught.value


def faults_of(body: Json, **facts: Any) -> dict[str, list[str]]:  # noqa: ANN401 - many kinds
    refused = refusal(lambda: checks.check_message(body, **facts))
    assert (refused.status, refused.code) == (400, 50035)
    return codes(refused.errors)


def test_a_fault_is_named_by_a_nested_tree_with_discords_own_words() -> None:
    body = layout(row(button(), button(custom_id="x" * 101)))
    refused = refusal(lambda: checks.check_message(body))
    assert refused.body() == {
        "message": "Invalid Form Body",
        "code": 50035,
        "errors": {
            "components": {
                "0": {
                    "components": {
                        "1": {
                            "custom_id": {
                                "_errors": [
                                    {
                                        "code": "BASE_TYPE_MAX_LENGTH",
                                        "message": "Must be 100 or fewer in length.",
                                    }
                                ]
                            }
                        }
                    }
                }
            }
        },
    }


GOOD: dict[str, Json] = {
    "2,000 characters": {"content": "x" * 2000},
    "an embed": {"embeds": [{"title": "t" * 256, "description": "d" * 4096}]},
    "embeds of 6,000 characters": {
        "embeds": [{"description": "d" * 4000}, {"description": "d" * 2000}]
    },
    "five rows of five buttons": rows(
        *[row(*[button(custom_id=f"{r}{c}") for c in range(5)]) for r in range(5)]
    ),
    "an id of 100 characters": with_buttons(custom_id="x" * 100),
    "a label of 80 characters": with_buttons(label="x" * 80),
    "a button with a suit only": with_buttons(label=None, emoji={"name": "♥"}),
    "a link": rows(row({"type": 2, "style": 5, "label": "Table", "url": "https://x.example/1"})),
    "a select of 25": rows(row(select(25, max_values=25))),
    "40 components": layout(*[words(str(n)) for n in range(40)]),
    "4,000 characters of text": layout(words("x" * 2000), words("y" * 2000)),
    "a layout in a container": layout(
        container(words(), {"type": 14, "spacing": 2, "divider": True}, row(button()))
    ),
    "a section": layout({"type": 9, "components": [words()], "accessory": button()}),
    "closed mentions": {"content": "x", "allowed_mentions": {"parse": []}},
    "one mentioned": {"content": "x", "allowed_mentions": {"parse": [], "users": ["1"]}},
    "a silent message": {"content": "x", "flags": 1 << 12},
    "fields that nobody knows": {"content": "x", "colour_of_the_cat": 9},
}


@pytest.mark.parametrize("body", GOOD.values(), ids=GOOD.keys())
def test_what_lies_within_the_limits_is_taken(body: Json) -> None:
    checks.check_message(body)


BAD: dict[str, tuple[Json, str, str]] = {
    "2,001 characters": ({"content": "x" * 2001}, "content", "BASE_TYPE_MAX_LENGTH"),
    "11 embeds": ({"embeds": [{"title": "t"}] * 11}, "embeds", "BASE_TYPE_MAX_LENGTH"),
    "a long embed title": (
        {"embeds": [{"title": "t" * 257}]},
        "embeds.0.title",
        "BASE_TYPE_MAX_LENGTH",
    ),
    "embeds of 6,001 characters": (
        {"embeds": [{"description": "d" * 4000}, {"description": "d" * 2001}]},
        "embeds",
        "MAX_EMBED_SIZE_EXCEEDED",
    ),
    "26 fields": (
        {"embeds": [{"fields": [{"name": "n", "value": "v"}] * 26}]},
        "embeds.0.fields",
        "BASE_TYPE_MAX_LENGTH",
    ),
    "a blank field": (
        {"embeds": [{"fields": [{"name": " ", "value": "v"}]}]},
        "embeds.0.fields.0.name",
        "BASE_TYPE_REQUIRED",
    ),
    "a picture that was not sent": (
        {"embeds": [{"image": {"url": "attachment://hand.png"}}]},
        "embeds.0.image.url",
        "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
    ),
    "six rows": (
        rows(*[row(button(custom_id=str(n))) for n in range(6)]),
        "components",
        "BASE_TYPE_MAX_LENGTH",
    ),
    "six buttons": (
        rows(row(*[button(custom_id=str(n)) for n in range(6)])),
        "components.0.components",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "an empty row": (rows(row()), "components.0.components", "BASE_TYPE_BAD_LENGTH"),
    "a layout without the flag": (
        {"content": "x", "components": [words()]},
        "components.0",
        "UNION_TYPE_CHOICES",
    ),
    "41 components": (
        layout(*[container(words(str(n))) for n in range(20)], words()),
        "components",
        "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
    ),
    "4,001 characters of text": (
        layout(words("x" * 2000), container(words("y" * 2001))),
        "components",
        "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
    ),
    "content beside a layout": (
        layout(words(), content="x"),
        "content",
        "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ),
    "embeds beside a layout": (
        layout(words(), embeds=[{"title": "t"}]),
        "embeds",
        "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ),
    "an id used twice": (
        rows(row(button(), button())),
        "components.0.components.1.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "an id used twice across a section": (
        layout({"type": 9, "components": [words()], "accessory": button()}, row(button())),
        "components.1.components.0.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "a long label": (
        with_buttons(label="x" * 81),
        "components.0.components.0.label",
        "BASE_TYPE_MAX_LENGTH",
    ),
    "a button that shows nothing": (
        with_buttons(label=None),
        "components.0.components.0",
        "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED",
    ),
    "a button that does nothing": (
        with_buttons(custom_id=None),
        "components.0.components.0",
        "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED",
    ),
    "a link with an id": (
        with_buttons(style=5, url="https://x.example"),
        "components.0.components.0",
        "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
    ),
    "a letter for an emoji": (
        with_buttons(emoji={"name": "K"}),
        "components.0.components.0.emoji.name",
        "COMPONENT_INVALID_EMOJI",
    ),
    "a select beside a button": (
        rows(row(select(), button())),
        "components.0.components.1",
        "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
    ),
    "26 options": (
        rows(row(select(26))),
        "components.0.components.0.options",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "no options": (
        rows(row(select(0))),
        "components.0.components.0.options",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "two options of one value": (
        rows(row(select(1, options=[{"label": "a", "value": "1"}, {"label": "b", "value": "1"}]))),
        "components.0.components.0.options.1",
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ),
    "more values than options": (
        rows(row(select(2, max_values=3))),
        "components.0.components.0.max_values",
        "SELECT_COMPONENT_MAX_VALUES_GREATER_THAN_OPTIONS",
    ),
    "more at least than at most": (
        rows(row(select(3, min_values=2))),
        "components.0.components.0.min_values",
        "SELECT_COMPONENT_MIN_VALUES_GREATER_THAN_MAX",
    ),
    "a text input in a message": (
        rows(row(typed_input())),
        "components.0.components.0",
        "UNION_TYPE_CHOICES",
    ),
    "a row in a section": (
        layout({"type": 9, "components": [row(button())], "accessory": button(custom_id="b")}),
        "components.0.components.0",
        "UNION_TYPE_CHOICES",
    ),
    "a section without its accessory": (
        layout({"type": 9, "components": [words()]}),
        "components.0.accessory",
        "BASE_TYPE_REQUIRED",
    ),
    "a container in a container": (
        layout(container(container(words()))),
        "components.0.components.0",
        "UNION_TYPE_CHOICES",
    ),
    "a blank text display": (layout(words("  ")), "components.0.content", "BASE_TYPE_REQUIRED"),
    "an address of a local file": (
        layout(gallery("file:///etc/passwd")),
        "components.0.items.0.media.url",
        "URL_TYPE_INVALID_SCHEME",
    ),
    "an ephemeral channel message": (
        {"content": "x", "flags": EPHEMERAL},
        "flags",
        "BASE_TYPE_CHOICES",
    ),
    "people both parsed and listed": (
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions",
        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
    ),
    "101 people mentioned": (
        {"content": "x", "allowed_mentions": {"users": [str(n) for n in range(101)]}},
        "allowed_mentions.users",
        "BASE_TYPE_MAX_LENGTH",
    ),
    "a number for the content": ({"content": 7}, "content", "STRING_TYPE_COERCE"),
    "a truth for a colour": (
        {"embeds": [{"title": "t", "color": True}]},
        "embeds.0.color",
        "NUMBER_TYPE_COERCE",
    ),
    "a word for the rows": (
        {"content": "x", "components": "none"},
        "components",
        "LIST_TYPE_CONVERT",
    ),
}


@pytest.mark.parametrize(("body", "field", "code"), BAD.values(), ids=BAD.keys())
def test_what_lies_past_a_limit_is_refused_with_the_field(
    body: Json, field: str, code: str
) -> None:
    assert faults_of(body) == {field: [code]}


@pytest.mark.parametrize(
    "body", [{}, {"content": "  "}, {"embeds": [{}]}, {"content": None, "components": []}]
)
def test_a_message_that_shows_nothing_is_refused_as_empty(body: Json) -> None:
    refused = refusal(lambda: checks.check_message(body))
    assert (refused.status, refused.code) == (400, 50006)
    assert refused.errors is None


def test_a_file_alone_is_a_message() -> None:
    checks.check_message({}, files={"files[0]": ("hand.png", 10)})


def test_an_edit_may_say_nothing_of_what_stays() -> None:
    checks.check_message({}, edit=True)
    checks.check_message({"content": ""}, edit=True, standing={"content", "components"})


def test_an_edit_that_leaves_nothing_is_refused_as_empty() -> None:
    for body, facts in (
        ({"content": ""}, {"standing": {"content"}}),
        ({"components": []}, {"v2": True}),
    ):
        refused = refusal(lambda b=body, f=facts: checks.check_message(b, edit=True, **f))  # type: ignore[misc]
        assert refused.code == 50006


def test_an_edit_never_takes_components_v2_back() -> None:
    faults = faults_of({"content": "plain again", "flags": 0}, edit=True, v2=True)
    assert faults == {"content": ["MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"]}


def test_an_edit_to_a_layout_must_clear_what_the_message_said() -> None:
    body = layout(words())
    assert "content" in faults_of(body, edit=True, standing={"content"})
    checks.check_message({**body, "content": None}, edit=True, standing={"content"})


def test_text_that_is_short_in_characters_but_long_in_bytes_breaks_discord_itself() -> None:
    checks.check_message(layout(words("♥" * 3386)))  # 10,158 bytes and 12
    refused = refusal(lambda: checks.check_message(layout(words("♥" * 3387))))
    assert refused.status == 500


def test_a_picture_may_be_shown_when_it_is_sent_or_stands_on_the_message() -> None:
    body = layout(gallery("attachment://hand.png"))
    sent = {"files[0]": ("hand.png", 10)}
    checks.check_message(body, files=sent)
    checks.check_message(body, edit=True, v2=True, attachments_kept={"77": "hand.png"})
    assert "components.0.items.0.media.url" in faults_of(body)
    assert faults_of(body, edit=True, v2=True, attachments_kept={"77": "old.png"})


def test_a_list_of_attachments_drops_the_files_that_it_does_not_name() -> None:
    kept = {"77": "hand.png"}
    body = layout(gallery("attachment://hand.png"))
    checks.check_message({**body, "attachments": [{"id": 77}]}, edit=True, attachments_kept=kept)
    faults = faults_of({**body, "attachments": []}, edit=True, attachments_kept=kept)
    assert list(faults) == ["components.0.items.0.media.url"]
    faults = faults_of({"attachments": [{"id": "78"}]}, edit=True, attachments_kept=kept)
    assert faults == {"attachments.0.id": ["ATTACHMENT_NOT_FOUND"]}


def test_a_name_given_in_the_list_of_attachments_is_the_one_that_counts() -> None:
    sent = {"files[0]": ("tmp.png", 10)}
    listed = {"attachments": [{"id": "0", "filename": "hand.png", "description": "Your hand"}]}
    checks.check_message({**layout(gallery("attachment://hand.png")), **listed}, files=sent)
    assert faults_of({**layout(gallery("attachment://tmp.png")), **listed}, files=sent)


def test_an_uploaded_file_must_be_listed_where_there_is_a_list() -> None:
    sent = {"files[0]": ("a.png", 1), "files[1]": ("b.png", 1)}
    faults = faults_of({"content": "x", "attachments": [{"id": "0"}]}, files=sent)
    assert faults == {"attachments": ["ATTACHMENT_NOT_LISTED"]}


def test_files_are_counted_and_weighed() -> None:
    mib = 1024 * 1024
    checks.check_message({}, files={"files[0]": ("a.png", 10 * mib)})
    ten = {f"files[{n}]": (f"{n}.png", 1) for n in range(10)}
    checks.check_message({}, files=ten)
    assert "files" in faults_of({}, files={**ten, "files[10]": ("10.png", 1)})
    for sizes in ([10 * mib + 1], [9 * mib] * 3):
        sent = {f"files[{n}]": (f"{n}.png", size) for n, size in enumerate(sizes)}
        refused = refusal(lambda sent=sent: checks.check_message({}, files=sent))  # type: ignore[misc]
        assert (refused.status, refused.code) == (413, 40005)


def test_a_followup_may_be_ephemeral_but_has_no_name_of_its_own() -> None:
    checks.check_message({"content": "x", "flags": EPHEMERAL}, allow_ephemeral=True, followup=True)
    body = {"content": "x", "username": "Dealer"}
    assert "username" in faults_of(body, allow_ephemeral=True, followup=True)


def test_a_custom_emoji_must_be_one_that_the_bot_has() -> None:
    body = with_buttons(emoji={"id": "5", "name": "spade"})
    checks.check_message(body, emojis={"5"})
    assert "components.0.components.0.emoji.id" in faults_of(body, emojis={"6"})


@pytest.mark.parametrize("name", ["♠", "♥️", "🃏", "👍🏽", "👩‍🚀", "3️⃣", "🇦🇹", "ℹ️", "✅", "🫡"])
def test_an_emoji_of_unicode_is_one(name: str) -> None:
    assert is_unicode_emoji(name)


@pytest.mark.parametrize("name", ["", "3", "K", "é", "🂡", "🂠", "♤", ":spades:", "♠x", "→"])
def test_a_sign_that_discord_does_not_show_as_emoji_is_none(name: str) -> None:
    assert not is_unicode_emoji(name)


REPLY: Json = {"type": 4, "data": {"content": "ok"}}
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
    checks.check_modal(body)


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


def nested(depth_first: list[Json]) -> Json:
    group = {"type": 2, "name": "more", "description": "d", "options": depth_first}
    return command(group)


GOOD_COMMANDS: dict[str, Json] = {
    "25 options": command(*[option(f"o{n}") for n in range(25)]),
    "a group of subcommands": nested([option("sub", 1, options=[option()])]),
    "permission bits as text": command(default_member_permissions="32"),
    "permission bits as a number": command(default_member_permissions=32),
    "contexts": command(contexts=[0, 1], integration_types=[0]),
    "other scripts": command(name="карты", name_localizations={"ru": "карты"}),
    "a context menu": {"type": 2, "name": "Challenge to Gin"},
}
BAD_COMMANDS: dict[str, tuple[Json, str]] = {
    "26 options": (command(*[option(f"o{n}") for n in range(26)]), "options"),
    "capitals": (command(name="Gin"), "name"),
    "a space": (command(option("my card")), "options.0.name"),
    "no description": (command(description=""), "description"),
    "a long description": (command(description="d" * 101), "description"),
    "required after optional": (command(option("a"), option("b", required=True)), "options.1"),
    "one name twice": (command(option("a"), option("a")), "options.1"),
    "subcommands mixed in": (command(option("sub", 1), option("a")), "options"),
    "a group in a group": (
        nested([{"type": 2, "name": "g", "description": "d"}]),
        "options.0.options.0",
    ),
    "choices and autocomplete": (
        command(option(autocomplete=True, choices=[{"name": "a", "value": "a"}])),
        "options.0.autocomplete",
    ),
    "26 choices": (
        command(option(choices=[{"name": str(n), "value": "v"} for n in range(26)])),
        "options.0.choices",
    ),
    "a number among texts": (
        command(option(choices=[{"name": "a", "value": 1}])),
        "options.0.choices.0.value",
    ),
    "an unknown language": (
        command(name_localizations={"de-AT": "gin"}),
        "name_localizations.de-AT",
    ),
    "least above most": (command(option("n", 4, min_value=3, max_value=2)), "options.0.min_value"),
    "a context menu with a description": (
        {"type": 2, "name": "Challenge", "description": "d"},
        "description",
    ),
    "an unknown context": (command(contexts=[0, 3]), "contexts.1"),
}


@pytest.mark.parametrize("body", GOOD_COMMANDS.values(), ids=GOOD_COMMANDS.keys())
def test_a_command_within_the_limits_is_taken(body: Json) -> None:
    checks.check_command(body)
    checks.check_commands([body])


@pytest.mark.parametrize(("body", "field"), BAD_COMMANDS.values(), ids=BAD_COMMANDS.keys())
def test_a_command_past_a_limit_is_refused_with_the_field(body: Json, field: str) -> None:
    assert list(codes(refusal(lambda: checks.check_command(body)).errors)) == [field]
    listed = codes(refusal(lambda: checks.check_commands([body])).errors)
    assert list(listed) == [f"0.{field}"]


def test_a_command_holds_8000_characters_counted_in_its_longest_language() -> None:
    def sized(filler: int) -> Json:
        groups = [
            {
                "type": 2,
                "name": f"g{g}",
                "description": "d" * 100,
                "options": [option(f"s{n:02}", 1, description="d" * 97) for n in range(25)],
            }
            for g in range(3)
        ]
        return command(*groups, description="d" * filler)

    # 3 + filler, and three times 2 + 100 + 25 * (3 + 97): 3 + filler + 7,806.
    filled = sized(100)
    checks.check_command(filled)
    filled["options"][0]["description_localizations"] = {"de": "d" * 100}
    checks.check_command(filled)
    filled["options"][0]["options"][0]["options"] = [option("x" * 32, description="d" * 58)]
    filled["description"] = "d" * 100  # 3 + 100 + 7,806 + 90 = 7,999
    checks.check_command(filled)
    filled["name_localizations"] = {"de": "karten"}  # 3 more than in English
    assert codes(refusal(lambda: checks.check_command(filled)).errors) == {
        "": ["APPLICATION_COMMAND_TOO_LARGE"]
    }


def test_the_list_of_commands_is_counted_and_its_names_are_unique() -> None:
    def many(count: int) -> list[Json]:
        return [command(name=f"c{n}") for n in range(count)]

    checks.check_commands(many(100))
    assert codes(refusal(lambda: checks.check_commands(many(101))).errors) == {
        "": ["BASE_TYPE_MAX_LENGTH"]
    }
    twice = [command(), {"type": 2, "name": "gin"}, command()]
    assert list(codes(refusal(lambda: checks.check_commands(twice)).errors)) == ["2.name"]


def emoji(size: int, **fields: object) -> Json:
    image = base64.b64encode(b"\x89PNG" + b"x" * (size - 4)).decode()
    return {"name": "spade_ace", "image": f"data:image/png;base64,{image}", **fields}


def test_an_application_emoji_is_at_most_256_kib() -> None:
    checks.check_emoji(emoji(256 * 1024))
    refused = refusal(lambda: checks.check_emoji(emoji(256 * 1024 + 1)))
    assert codes(refused.errors) == {"image": ["BINARY_TYPE_MAX_SIZE"]}
    for bad in (emoji(9, name="a"), emoji(9, name="my emoji"), emoji(9, image="nonsense")):
        assert refusal(lambda bad=bad: checks.check_emoji(bad)).code == 50035  # type: ignore[misc]
    checks.check_emoji({"name": "renamed"}, edit=True)
    assert refusal(lambda: checks.check_emoji(emoji(9), count=2000)).code == 30008


def test_a_thread_has_a_name_of_at_most_100_characters_and_a_known_time_to_sleep() -> None:
    checks.check_thread({"name": "n" * 100, "type": 11, "auto_archive_duration": 1440})
    checks.check_thread({"name": "Ada v Ben"}, from_message=True)
    checks.check_thread_edit({"archived": False, "locked": False})
    for bad in ({}, {"name": "n" * 101}, {"name": "n", "auto_archive_duration": 61}, {"name": " "}):
        assert refusal(lambda bad=bad: checks.check_thread(bad)).code == 50035  # type: ignore[misc]
    post = {"name": "Ada v Ben", "message": {"content": "x" * 2001}}
    assert "content" in str(refusal(lambda: checks.check_thread(post, forum=True)).errors)


def test_a_check_leaves_the_body_as_it_was() -> None:
    body = layout(container(words(), row(select(3))), gallery("https://x.example/a.png"))
    before = copy.deepcopy(body)
    checks.check_message(body)
    assert body == before
