"""Commands, emojis and threads that Discord refuses: at the limit and past it."""

import base64
import copy

import pytest

from playground import checks
from tests.playground.checks.bodies import (
    Json,
    codes,
    command,
    complaints,
    container,
    gallery,
    layout,
    option,
    refusal,
    row,
    select,
    words,
)


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
    assert complaints(lambda: checks.check_command(body)) == {}
    assert complaints(lambda: checks.check_commands([body])) == {}


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
