"""The playground's verdicts beside those of the validator that lies outside the project.

The validator knows Discord's OpenAPI description and the documented limits by other means than
ours. Where the folder is present, each generated body (most of them good ones with something
broken) gets the same verdict from both, but for the differences that are listed here.
"""

import copy
import re
from collections.abc import Callable, Mapping
from functools import cache
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playground import checks
from playground.errors import Refused
from tests.accepted import Looks, plain_validator

Json = dict[str, Any]  # bodies under test are deliberately of any shape
Files = dict[str, tuple[str, int]]

V2 = 1 << 15

# What we refuse and the validator takes: our code -> why we are right to.
STRICTER = {
    "COMPONENT_INVALID_EMOJI": "it takes any sign outside ASCII for an emoji, and none in modals",
    "ATTACHMENT_NOT_FOUND": "it doesn't ask whether a listed attachment exists",
    "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND": "nor whether an edit drops it, nor"
    " that a name in the list replaces the uploaded one",
    "COMPONENT_ID_DUPLICATED": "in modals it looks at custom ids only",
    "SELECT_COMPONENT_MIN_VALUES_GREATER_THAN_MAX": "not looked at in modals",
    "SELECT_COMPONENT_MAX_VALUES_GREATER_THAN_OPTIONS": "not looked at for check boxes",
    "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES": "not looked at in modals",
    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED": "not looked at for radio groups and check boxes",
    "SELECT_COMPONENT_BAD_DEFAULT_VALUES": "not looked at in modals",
    "RADIO_GROUP_MANY_DEFAULTS": "not looked at",
    "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED": "not looked at in modals",
}
# The same, where our code alone doesn't tell: field (as a pattern) and code.
STRICTER_AT = [
    (r".*\.content", "BASE_TYPE_REQUIRED", "a text display of blanks"),
    (r".*\.file\.url", "URL_TYPE_INVALID_SCHEME", "a file component shows attachments only"),
    (r"", "50006", "an edit that leaves a layout without components shows nothing"),
    (r"tts", "BOOLEAN_TYPE_CONVERT", "for a follow-up it takes the body of an edit as well"),
    (r"type", "BASE_TYPE_CHOICES", "callbacks 1, 12 and 13 answer nothing that a gateway brings"),
    (r".*name_localizations\.[^.]+", "APPLICATION_COMMAND_INVALID_NAME", "translated names"),
    (r".*_localizations\.[^.]+", "BASE_TYPE_CHOICES", "languages that Discord has not"),
    (r".*choices\.\d+\.value", "BASE_TYPE_MAX_LENGTH", "100 characters, the file says 6,000"),
]
# What the validator refuses and we take: its sentence.
LAXER = [
    re.compile(r"default_member_permissions: '\d+' is not of type"),  # documented as a string
]


@pytest.fixture(scope="module")
def validator() -> ModuleType:
    module = plain_validator()
    if module is None:
        pytest.skip("the validator's folder (../shared/discord) is not here")
    return module


@cache
def looks(validator: ModuleType) -> Looks:
    return Looks(validator)


def faults(check: Callable[[], None]) -> dict[str, list[str]] | None:
    """Give our faults as field to codes; None when the body is taken."""
    found: dict[str, list[str]] = {}

    def gather(node: Mapping[str, Any], path: str) -> None:
        for key, below in node.items():
            if key == "_errors":
                found[path] = [error["code"] for error in below]
            else:
                gather(below, f"{path}.{key}" if path else key)

    try:
        check()
    except Refused as refused:
        gather(refused.errors or {"_errors": [{"code": str(refused.code)}]}, "")
        return found
    return None


def is_known(field: str, code: str) -> bool:
    return code in STRICTER or any(
        re.fullmatch(place, field) and code == known for place, known, _ in STRICTER_AT
    )


def agree(ours: dict[str, list[str]] | None, theirs: list[str], body: object) -> None:
    if ours is None:
        assert not theirs, f"we take what the validator refuses: {theirs}\n{body}"
    elif not theirs:
        unknown = [(f, c) for f, found in ours.items() for c in found if not is_known(f, c)]
        assert not unknown, f"we refuse what the validator takes: {ours}\n{body}"


def verdict(
    validator: ModuleType,
    method: str,
    path: str,
    body: object,
    files: Files | None = None,
    **context: object,
) -> list[str]:
    """Ask the validator; its second layer counts on the first one having passed."""
    refused = validator.spec_errors(method, path, body)
    if looks(validator).good(method, path, body):
        assert not refused, "the quick look of the end-to-end tests takes what it refuses"
    found = [sentence for sentence in refused if not any(known.search(sentence) for known in LAXER)]
    facts = validator.Context(**context)
    return found or list(validator.extra_errors(method, path, body, files, facts))


# ------------------------------------------------------------------------------ good bodies

ids = st.integers(0, 10**18).map(str)
short = st.sampled_from(["Draw", "7♥", "x", "It is your turn.", "Ada’s hand", "é"])
flags = st.booleans()
serial = st.integers(0, 10**9).map(lambda n: f"gin:draw:{n}")
emoji = st.one_of(
    st.sampled_from(["♥", "♠", "🃏", "✅"]).map(lambda name: {"name": name}),
    ids.map(lambda i: {"id": i, "name": "spade"}),
)
button = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just(2), "style": st.integers(1, 4), "custom_id": serial, "label": short},
        optional={"emoji": emoji, "disabled": flags, "id": st.integers(0, 10**6)},
    ),
    st.fixed_dictionaries(
        {"type": st.just(2), "style": st.just(5), "label": short, "url": st.just("https://x.y/z")}
    ),
)


@st.composite
def options(draw: st.DrawFn, least: int = 1, most: int = 25) -> list[Json]:
    count = draw(st.sampled_from([least, least + 1, most]))
    made: list[Json] = [{"label": f"{n}♣", "value": str(n)} for n in range(count)]
    if draw(flags):
        made[0]["description"] = draw(short)
    return made


@st.composite
def select(draw: st.DrawFn) -> Json:
    kind = draw(st.sampled_from([3, 3, 3, 5, 6, 7, 8]))
    made: Json = {"type": kind, "custom_id": draw(serial)}
    if kind == 3:
        made["options"] = draw(options())
        if draw(flags):
            made["max_values"] = len(made["options"])
            made["min_values"] = draw(st.integers(0, len(made["options"])))
    elif kind == 5 and draw(flags):
        made["default_values"] = [{"type": "user", "id": draw(ids)}]
    if draw(flags):
        made["placeholder"] = draw(short)
    return made


row = st.one_of(st.lists(button, min_size=1, max_size=5), select().map(lambda made: [made])).map(
    lambda children: {"type": 1, "components": children}
)
text = short.map(lambda content: {"type": 10, "content": content})
address = st.sampled_from(["https://x.example/a.png", "attachment://hand.png"])
media = address.map(lambda url: {"url": url})
thumbnail = media.map(lambda shown: {"type": 11, "media": shown})
gallery = st.lists(
    st.fixed_dictionaries({"media": media}, optional={"description": short, "spoiler": flags}),
    min_size=1,
    max_size=3,
).map(lambda items: {"type": 12, "items": items})
section = st.fixed_dictionaries(
    {
        "type": st.just(9),
        "components": st.lists(text, min_size=1, max_size=3),
        "accessory": st.one_of(button, thumbnail),
    }
)
separator = st.fixed_dictionaries(
    {"type": st.just(14)}, optional={"divider": flags, "spacing": st.integers(1, 2)}
)
file = st.just({"type": 13, "file": {"url": "attachment://hand.png"}})
inside = st.one_of(row, text, text, gallery, section, separator, file)
container = st.fixed_dictionaries(
    {"type": st.just(17), "components": st.lists(inside, min_size=1, max_size=4)},
    optional={"accent_color": st.integers(0, 0xFFFFFF), "spoiler": flags},
)
embed = st.fixed_dictionaries(
    {"title": short},
    optional={
        "description": short,
        "color": st.integers(0, 0xFFFFFF),
        "timestamp": st.just("2026-01-01T12:00:00+00:00"),
        "footer": st.fixed_dictionaries({"text": short}),
        "image": media,
        "fields": st.lists(
            st.fixed_dictionaries({"name": short, "value": short}, optional={"inline": flags}),
            max_size=3,
        ),
    },
)
mentions = st.fixed_dictionaries(
    {},
    optional={
        "parse": st.lists(st.sampled_from(["users", "roles", "everyone"]), unique=True),
        "users": st.lists(ids, unique=True, max_size=3),
        "replied_user": flags,
    },
)
legacy = st.fixed_dictionaries(
    {"content": short},
    optional={
        "embeds": st.lists(embed, max_size=2),
        "components": st.lists(row, max_size=5),
        "allowed_mentions": mentions,
        "flags": st.sampled_from([0, 1 << 2]),
        "tts": flags,
        "nonce": st.integers(0, 10**9),
    },
)
layout = st.fixed_dictionaries(
    {
        "flags": st.just(V2),
        "components": st.lists(st.one_of(inside, container), min_size=1, max_size=4),
    },
    optional={"allowed_mentions": mentions},
)
message = st.one_of(legacy, layout, layout)
typed_input = st.fixed_dictionaries(
    {"type": st.just(4), "custom_id": serial, "style": st.integers(1, 2)},
    optional={
        "value": st.just("7h 8h"),
        "min_length": st.integers(0, 5),
        "max_length": st.integers(5, 4000),
        "required": flags,
        "placeholder": short,
    },
)
chosen = st.one_of(
    typed_input,
    select(),
    st.fixed_dictionaries({"type": st.just(21), "custom_id": serial, "options": options(2, 10)}),
    st.fixed_dictionaries({"type": st.just(22), "custom_id": serial, "options": options(1, 10)}),
    st.fixed_dictionaries({"type": st.just(23), "custom_id": serial}, optional={"default": flags}),
    st.fixed_dictionaries({"type": st.just(19), "custom_id": serial}),
)
label = st.fixed_dictionaries(
    {"type": st.just(18), "label": short, "component": chosen}, optional={"description": short}
)
old_row = typed_input.map(lambda made: {"type": 1, "components": [{**made, "label": "Melds"}]})
modal = st.fixed_dictionaries(
    {
        "custom_id": serial,
        "title": short,
        "components": st.lists(st.one_of(label, label, text, old_row), min_size=1, max_size=5),
    }
)
name = st.sampled_from(["card", "match", "melds", "my-card", "карта", "o1", "o2"])
languages = st.dictionaries(st.sampled_from(["de", "fr", "es-419"]), st.just("karte"), max_size=2)
choice_list = st.lists(st.integers(0, 99), unique=True, min_size=1, max_size=3)
parameter = st.one_of(
    st.fixed_dictionaries(
        {"type": st.integers(3, 11), "name": name, "description": short},
        optional={"required": flags, "name_localizations": languages},
    ),
    st.fixed_dictionaries(
        {"type": st.just(3), "name": name, "description": short, "autocomplete": flags},
        optional={"min_length": st.integers(0, 9), "max_length": st.integers(9, 6000)},
    ),
    st.fixed_dictionaries(
        {
            "type": st.just(4),
            "name": name,
            "description": short,
            "choices": choice_list.map(lambda ns: [{"name": f"{n}", "value": n} for n in ns]),
        },
        optional={"min_value": st.integers(-5, 5), "max_value": st.integers(5, 9)},
    ),
)


def in_order(made: list[Json]) -> list[Json]:
    return sorted(made, key=lambda option: not option.get("required"))


parameters = st.lists(parameter, max_size=4, unique_by=lambda option: option["name"]).map(in_order)
sub = st.fixed_dictionaries(
    {"type": st.just(1), "name": name, "description": short, "options": parameters}
)
subs = st.lists(sub, min_size=1, max_size=3, unique_by=lambda option: option["name"])
group = st.fixed_dictionaries(
    {"type": st.just(2), "name": name, "description": short, "options": subs}
)
nested = st.lists(st.one_of(sub, group), max_size=3, unique_by=lambda option: option["name"])
command = st.fixed_dictionaries(
    {"name": name, "description": short, "options": st.one_of(parameters, nested)},
    optional={
        "name_localizations": languages,
        "default_member_permissions": st.integers(0, 64),
        "contexts": st.just([0, 1]),
        "integration_types": st.just([0]),
        "type": st.just(1),
    },
)
choices = st.fixed_dictionaries(
    {
        "choices": st.one_of(
            choice_list.map(lambda ns: [{"name": f"{n}♥", "value": str(n)} for n in ns]),
            choice_list.map(lambda ns: [{"name": f"{n}♥", "value": n} for n in ns]),
        )
    }
)

# ------------------------------------------------------------------------------ breaking them

broken: st.SearchStrategy[object] = st.sampled_from(
    [
        None, "", " ", "x", "X", "x" * 26, "x" * 46, "x" * 81, "x" * 101, "x" * 257, "x" * 2001,
        "x" * 4001, -1, 0, 1, 2, 3, 5, 6, 11, 26, 41, 1 << 6, 1 << 12, 1 << 15, 1 << 24, True,
        False, [], {}, [None], ["users"], "attachment://other.png", "attachment://bad name.png",
        "ftp://x.example", "https://x.example", "not a url", "123", "007", "A", "🂡",
    ]
)  # fmt: skip


Steps = tuple[Any, ...]  # keys and positions


def places(value: object, path: Steps = ()) -> list[Steps]:
    found = [path] if path else []
    if isinstance(value, dict):
        for key, below in value.items():
            found += places(below, (*path, key))
    elif isinstance(value, list):
        for place, below in enumerate(value):
            found += places(below, (*path, place))
    return found


def holder(body: Any, path: Steps) -> Any:  # noqa: ANN401 - JSON of any kind
    for step in path:
        body = body[step]
    return body


@st.composite
def mutated(draw: st.DrawFn, good: st.SearchStrategy[Json]) -> Json:
    """Give a good body, in which up to two places are dropped, replaced, repeated or copied."""
    body: Json = copy.deepcopy(draw(good))
    for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2]))):
        found = places(body)
        if not found:
            break
        path = draw(st.sampled_from(found))
        above, last = holder(body, path[:-1]), path[-1]
        act = draw(st.sampled_from(["drop", "replace", "replace", "repeat", "copy"]))
        if act == "drop":
            del above[last]
        elif act == "replace":
            above[last] = copy.deepcopy(draw(broken))
        elif act == "repeat" and isinstance(above, list):
            above.extend(copy.deepcopy(above[last]) for _ in range(draw(st.integers(1, 26))))
        elif act == "copy":
            above[last] = copy.deepcopy(holder(body, draw(st.sampled_from(found))))
    return body


sent = st.sampled_from([{}, {"files[0]": ("hand.png", 900)}, {"files[0]": ("other.png", 900)}])
quick = settings(
    max_examples=80,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
thorough = settings(quick, max_examples=3000, derandomize=False)
KEPT = {"900": "hand.png"}


def compare_message(validator: ModuleType, body: Json, files: Files, *, edit: bool) -> None:
    path = "/channels/1/messages/2" if edit else "/channels/1/messages"
    kept = KEPT if edit else {}
    method = "PATCH" if edit else "POST"
    theirs = verdict(validator, method, path, body, files, attachments=tuple(kept.values()))
    ours = faults(lambda: checks.check_message(body, edit=edit, files=files, attachments_kept=kept))
    agree(ours, theirs, body)


def compare_followup(validator: ModuleType, body: Json, files: Files) -> None:
    theirs = verdict(validator, "POST", "/webhooks/1/token", body, files)
    ours = faults(
        lambda: checks.check_message(body, files=files, allow_ephemeral=True, followup=True)
    )
    agree(ours, theirs, body)


def compare_callback(
    validator: ModuleType, body: Json, kind: int, files: Files, *, v2: bool
) -> None:
    theirs = verdict(
        validator,
        "POST",
        "/interactions/1/token/callback",
        body,
        files,
        interaction_type=kind,
        is_v2=v2,
        from_message=True,
        attachments=tuple(KEPT.values()),
    )
    ours = faults(
        lambda: checks.check_callback(
            body,
            interaction_type=kind,
            from_message=True,
            files=files,
            v2=v2,
            attachments_kept=KEPT,
        )
    )
    agree(ours, theirs, body)


def compare_commands(validator: ModuleType, body: list[Json]) -> None:
    theirs = verdict(validator, "PUT", "/applications/1/commands", body)
    agree(faults(lambda: checks.check_commands(body)), theirs, body)


callback = st.one_of(
    st.fixed_dictionaries({"type": st.just(4), "data": message}),
    st.fixed_dictionaries({"type": st.just(5)}, optional={"data": st.just({"flags": 64})}),
    st.fixed_dictionaries({"type": st.just(6)}),
    st.fixed_dictionaries({"type": st.just(7), "data": message}),
    st.fixed_dictionaries({"type": st.just(8), "data": choices}),
    st.fixed_dictionaries({"type": st.just(9), "data": modal}),
    st.fixed_dictionaries({"type": st.just(9), "data": modal}),
)


@quick
@given(body=mutated(message), files=sent, edit=flags)
def test_messages_get_the_validators_verdict(
    validator: ModuleType, body: Json, files: Files, edit: bool
) -> None:
    compare_message(validator, body, files, edit=edit)


@quick
@given(body=mutated(message), files=sent)
def test_followups_get_the_validators_verdict(
    validator: ModuleType, body: Json, files: Files
) -> None:
    compare_followup(validator, body, files)


@quick
@given(body=mutated(callback), kind=st.sampled_from([2, 3, 3, 4, 5]), files=sent, v2=flags)
def test_callbacks_get_the_validators_verdict(
    validator: ModuleType, body: Json, kind: int, files: Files, v2: bool
) -> None:
    compare_callback(validator, body, kind, files, v2=v2)


@quick
@given(body=mutated(command))
def test_commands_get_the_validators_verdict(validator: ModuleType, body: Json) -> None:
    compare_commands(validator, [body])


@pytest.mark.long
@pytest.mark.timeout(1200)
@thorough
@given(body=mutated(message), files=sent, edit=flags)
def test_many_messages_get_the_validators_verdict(
    validator: ModuleType, body: Json, files: Files, edit: bool
) -> None:
    compare_message(validator, body, files, edit=edit)


@pytest.mark.long
@pytest.mark.timeout(1200)
@thorough
@given(body=mutated(callback), kind=st.sampled_from([2, 3, 3, 4, 5]), files=sent, v2=flags)
def test_many_callbacks_get_the_validators_verdict(
    validator: ModuleType, body: Json, kind: int, files: Files, v2: bool
) -> None:
    compare_callback(validator, body, kind, files, v2=v2)


@pytest.mark.long
@pytest.mark.timeout(1200)
@thorough
@given(body=mutated(command))
def test_many_commands_get_the_validators_verdict(validator: ModuleType, body: Json) -> None:
    compare_commands(validator, [body])
