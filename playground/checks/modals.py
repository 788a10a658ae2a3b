"""What a modal may hold."""

from playground.checks.components import (
    CUSTOM_ID,
    TEXT_DISPLAY,
    components_together,
    flatten,
    repeated,
    select_rules,
    selects,
)
from playground.checks.fields import (
    Body,
    Check,
    Tree,
    boolean,
    fault,
    integer,
    listing,
    objects,
    record,
    string,
    text,
    typed,
    whole,
)

_ID: dict[str, Check] = {"id": integer(0)}
_INPUT: dict[str, Check] = {"custom_id": CUSTOM_ID}


def _input_rules(field: Body) -> Tree | None:
    low, high = whole(field, "min_length", 0), whole(field, "max_length", 4_000)
    if low > high:
        wrong = fault(
            "TEXT_INPUT_COMPONENT_MIN_GREATER_THAN_MAX",
            f"min_length must be equal to or less than {high}",
        )
        return {"min_length": wrong}
    value = string(field, "value")
    if value and not low <= len(value) <= high:
        return {
            "value": fault("BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
        }
    return None


def _input(labelled: Body) -> Tree | None:
    """Check a text input in a row of its own, the older way, where it bears its own label."""
    if labelled.get("label"):
        return _input_rules(labelled)
    return {"label": fault("BASE_TYPE_REQUIRED", "This field is required")}


def _bare_input(field: Body) -> Tree | None:
    """Check a text input inside a label, which then has none of its own."""
    if field.get("label"):
        return {
            "label": fault(
                "TEXT_INPUT_COMPONENT_LABEL_IN_LABEL",
                "A text input inside a label component cannot have a label",
            )
        }
    return _input_rules(field)


_INPUT_FIELDS: dict[str, Check] = {
    **_ID,
    "label": text(45, 1),
    "value": text(4_000),
    "placeholder": text(100),
    "required": boolean,
    "min_length": integer(0, 4_000),
    "max_length": integer(1, 4_000),
}
_STYLED: dict[str, Check] = {**_INPUT, "style": integer(1, 2)}


def _needed(field: Body) -> Tree | None:
    """Check that a choice of nothing is allowed only where an answer isn't required."""
    if field.get("min_values") == 0 and field.get("required") is not False:
        return {
            "min_values": fault(
                "COMPONENT_MIN_VALUES_REQUIRED", "min_values of 0 needs required to be false"
            )
        }
    return None


def _select_in_modal(select: Body) -> Tree | None:
    if select.get("disabled"):
        return {"disabled": fault("SELECT_COMPONENT_DISABLED_IN_MODAL", "Not allowed in a modal")}
    return _needed(select) or select_rules(select)


def _one_default(group: Body) -> Tree | None:
    options = objects(group["options"])
    wrong = repeated(
        options,
        "value",
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
        "The specified option value is already used",
    )
    if wrong:
        return {"options": wrong}
    if sum(bool(option.get("default")) for option in options) > 1:
        return {"options": fault("RADIO_GROUP_MANY_DEFAULTS", "Only one option may be the default")}
    return None


def _boxes(group: Body) -> Tree | None:
    options = objects(group["options"])
    most = len(options)
    return _needed(group) or select_rules({"max_values": most, **_given(group)})


def _given(body: Body) -> dict[str, object]:
    return {key: value for key, value in body.items() if value is not None}


def _uploads(field: Body) -> Tree | None:
    return _needed(field) or select_rules(field)


_CHOICE = record(
    {"label": text(100, 1), "value": text(100, 1)},
    {"description": text(100), "default": boolean},
)
_COUNTS: dict[str, Check] = {
    **_ID,
    "min_values": integer(0, 10),
    "max_values": integer(1, 10),
    "required": boolean,
}
_COMPONENT: dict[int, Check] = {
    **selects(_select_in_modal),
    4: record(_STYLED, _INPUT_FIELDS, _bare_input),
    19: record(_INPUT, _COUNTS, _uploads),
    21: record(
        {**_INPUT, "options": listing(_CHOICE, 10, 2)}, {**_ID, "required": boolean}, _one_default
    ),
    22: record({**_INPUT, "options": listing(_CHOICE, 10, 1)}, _COUNTS, _boxes),
    23: record(_INPUT, {**_ID, "default": boolean}),
}
_LABEL = record(
    {"label": text(45, 1), "component": typed(_COMPONENT)}, {**_ID, "description": text(100, 1)}
)
_ROW = record(
    {"components": listing(typed({4: record(_STYLED, _INPUT_FIELDS, _input)}), 1, 1)}, _ID
)
_MODAL = record(
    {
        "custom_id": CUSTOM_ID,
        "title": text(45, 1),
        "components": listing(typed({1: _ROW, 10: TEXT_DISPLAY, 18: _LABEL}), 5, 1),
    },
    {},
)


def modal_faults(modal: object) -> Tree | None:
    """Find what is wrong with a modal: its title, ids, and up to five components."""
    faults = _MODAL(modal)
    if faults or not isinstance(modal, dict):
        return faults
    together = components_together(flatten(modal["components"]), frozenset())
    return {"components": together} if together else None
