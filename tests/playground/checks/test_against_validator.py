"""The playground's verdicts beside those of the validator that lies outside the project.

The validator knows Discord's OpenAPI description and the documented limits by other means than
ours. Where the folder is present, each generated body (most of them good ones with something
broken) gets the same verdict from both, but for the differences that are listed here.
"""

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
from tests.playground.checks.strategies import choices, command, flags, message, modal, mutated

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
