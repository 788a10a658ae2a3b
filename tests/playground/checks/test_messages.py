"""Messages that Discord refuses: each documented limit at the limit and past it."""

import pytest

from playground import checks
from playground.checks.emoji import is_unicode_emoji
from tests.playground.checks.bodies import (
    EPHEMERAL,
    Json,
    button,
    complaints,
    container,
    faults_of,
    gallery,
    layout,
    refusal,
    row,
    rows,
    select,
    typed_input,
    with_buttons,
    words,
)


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
    assert complaints(lambda: checks.check_message(body)) == {}


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
    files = {"files[0]": ("hand.png", 10)}
    assert complaints(lambda: checks.check_message({}, files=files)) == {}


def test_an_edit_may_say_nothing_of_what_stays() -> None:
    assert complaints(lambda: checks.check_message({}, edit=True)) == {}
    standing = {"content", "components"}
    emptied = {"content": ""}
    assert complaints(lambda: checks.check_message(emptied, edit=True, standing=standing)) == {}


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
