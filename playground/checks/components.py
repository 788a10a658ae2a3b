"""Buttons, selects and the layouts of Components V2 as messages may hold them."""

from collections.abc import Callable, Container, Iterator

from playground.checks.embeds import reference
from playground.checks.emoji import EMOJI
from playground.checks.fields import (
    Body,
    Check,
    Tree,
    at,
    boolean,
    fault,
    integer,
    listing,
    merged,
    objects,
    one_of,
    record,
    snowflake,
    string,
    text,
    typed,
    url,
    whole,
    words,
)

ALL_COMPONENTS = 40
ALL_TEXT = 4_000
SELECTS = (3, 5, 6, 7, 8)
TEXT = 10
_SHOW_FILES = (11, 12, 13)

CUSTOM_ID = text(100, 1)
_ID: dict[str, Check] = {"id": integer(0)}
CHANNEL_TYPES = listing(one_of(0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15), 25, unique=True)


def _button_rules(button: Body) -> Tree | None:
    style = button["style"]
    if style == 5:
        if button.get("custom_id"):
            return fault(
                "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                "A custom id and url cannot both be specified",
            )
        if not button.get("url"):
            return fault("BUTTON_COMPONENT_URL_REQUIRED", "A url is required")
    elif style == 6:
        if not button.get("sku_id"):
            return fault("BUTTON_COMPONENT_SKU_ID_REQUIRED", "A sku id is required")
        return None
    else:
        if not button.get("custom_id"):
            return fault("BUTTON_COMPONENT_CUSTOM_ID_REQUIRED", "A custom id is required")
        if button.get("url"):
            return fault(
                "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                "A custom id and url cannot both be specified",
            )
    if not button.get("label") and not button.get("emoji"):
        return fault("BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A label or an emoji is required")
    return None


BUTTON = record(
    {"style": integer(1, 6)},
    {
        **_ID,
        "custom_id": CUSTOM_ID,
        "label": text(80),
        "disabled": boolean,
        "url": url(512, "http", "https", "discord"),
        "sku_id": snowflake,
        "emoji": EMOJI,
    },
    _button_rules,
)


def select_rules(select: Body) -> Tree | None:
    """Check what the fields of a select say of each other."""
    low, high = whole(select, "min_values", 1), whole(select, "max_values", 1)
    if low > high:
        return {
            "min_values": fault(
                "SELECT_COMPONENT_MIN_VALUES_GREATER_THAN_MAX",
                f"min_values must be equal to or less than {high}",
            )
        }
    options = objects(select.get("options"))
    if options and high > len(options):
        return {
            "max_values": fault(
                "SELECT_COMPONENT_MAX_VALUES_GREATER_THAN_OPTIONS",
                f"max_values must be equal to or less than {len(options)}",
            )
        }
    wrong = repeated(
        options,
        "value",
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
        "The specified option value is already used",
    )
    if wrong:
        return {"options": wrong}
    if sum(bool(option.get("default")) for option in options) > high:
        return {
            "options": fault(
                "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES",
                f"At most {high} options may be selected by default",
            )
        }
    chosen = objects(select.get("default_values"))
    if chosen and not low <= len(chosen) <= high:
        return {
            "default_values": fault(
                "SELECT_COMPONENT_BAD_DEFAULT_VALUES",
                f"Must be between {low} and {high} in length.",
            )
        }
    return None


def repeated(items: list[Body], key: str, code: str, message: str) -> Tree | None:
    """Name the items whose value under `key` an earlier one has already."""
    seen: set[str] = set()
    faults: Tree = {}
    for place, item in enumerate(items):
        value = str(item.get(key))
        if value in seen:
            faults[str(place)] = fault(code, message)
        seen.add(value)
    return faults or None


OPTION = record(
    {"label": text(100, 1), "value": text(100, 1)},
    {"description": text(100), "default": boolean, "emoji": EMOJI},
)


def default_values(*kinds: str) -> Check:
    """Check the people, roles or channels that a select shows as chosen."""
    return listing(record({"type": one_of(*kinds), "id": snowflake}, {}), 25)


_SELECT_FIELDS: dict[str, Check] = {
    **_ID,
    "placeholder": text(150),
    "min_values": integer(0, 25),
    "max_values": integer(1, 25),
    "disabled": boolean,
    "required": boolean,
}


def selects(rules: Callable[[Body], Tree | None]) -> dict[int, Check]:
    """Give the five selects by their type, checked as a whole by `rules`."""
    named: dict[str, Check] = {"custom_id": CUSTOM_ID}
    people: Check = default_values("user")
    return {
        3: record({**named, "options": listing(OPTION, 25, 1)}, _SELECT_FIELDS, rules),
        5: record(named, {**_SELECT_FIELDS, "default_values": people}, rules),
        6: record(named, {**_SELECT_FIELDS, "default_values": default_values("role")}, rules),
        7: record(
            named, {**_SELECT_FIELDS, "default_values": default_values("user", "role")}, rules
        ),
        8: record(
            named,
            {
                **_SELECT_FIELDS,
                "default_values": default_values("channel"),
                "channel_types": CHANNEL_TYPES,
            },
            rules,
        ),
    }


def _row_rules(row: Body) -> Tree | None:
    children = objects(row["components"])
    if len(children) > 1 and any(child.get("type") in SELECTS for child in children):
        wide = fault(
            "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
            "The specified component exceeds the maximum width",
        )
        return {"components": {str(place): wide for place in range(1, len(children))}}
    return None


ROW = record(
    {"components": listing(typed({2: BUTTON, **selects(select_rules)}), 5, 1)},
    _ID,
    _row_rules,
)
TEXT_DISPLAY = record({"content": words(4_000)}, _ID)
_MEDIA = record({"url": url(2048, "http", "https", "attachment")}, {})
_DESCRIBED: dict[str, Check] = {"description": text(1024, 1), "spoiler": boolean}
_THUMBNAIL = record({"media": _MEDIA}, {**_ID, **_DESCRIBED})
_SECTION = record(
    {
        "components": listing(typed({10: TEXT_DISPLAY}), 3, 1),
        "accessory": typed({2: BUTTON, 11: _THUMBNAIL}),
    },
    _ID,
)
_GALLERY = record({"items": listing(record({"media": _MEDIA}, _DESCRIBED), 10, 1)}, _ID)
_FILE = record({"file": record({"url": url(2048, "attachment")}, {})}, {**_ID, "spoiler": boolean})
_SEPARATOR = record({}, {**_ID, "spacing": one_of(1, 2), "divider": boolean})
_INSIDE: dict[int, Check] = {
    1: ROW,
    9: _SECTION,
    10: TEXT_DISPLAY,
    12: _GALLERY,
    13: _FILE,
    14: _SEPARATOR,
}
_CONTAINER = record(
    {"components": listing(typed(_INSIDE), 40, 1)},
    {**_ID, "accent_color": integer(0, 0xFFFFFF), "spoiler": boolean},
)

ROWS = listing(typed({1: ROW}), 5)
LAYOUT = listing(typed({**_INSIDE, 17: _CONTAINER}), ALL_COMPONENTS)

Path = tuple[str | int, ...]


Flat = list[tuple[Path, Body]]


def flatten(components: object) -> Flat:
    """List components, outer ones first, each with its path from the list."""
    found: Flat = []
    _gather(components, (), found)
    return found


def _gather(components: object, path: Path, found: Flat) -> None:
    if not isinstance(components, list):
        return
    for place, component in enumerate(components):
        here = (*path, place)
        found.append((here, component))
        if "components" in component:
            _gather(component["components"], (*here, "components"), found)
        for key in ("accessory", "component"):
            if component.get(key) is not None:
                found.append(((*here, key), component[key]))


def components_together(
    flat: Flat, names: frozenset[str], emojis: Container[str] | None = None
) -> Tree | None:
    """Check components that have passed one by one: counts, sums, ids used twice, files shown.

    `names` are the attachments that the message will have; `emojis` the ids of the custom
    emoji that the bot may use, None when that isn't known.
    """
    faults: list[Tree | None] = [_twice(flat, "custom_id"), _twice(flat, "id")]
    characters = 0
    for path, component in flat:
        kind = component["type"]
        if kind == TEXT:
            characters += len(string(component, "content"))
        elif kind in _SHOW_FILES:
            faults.extend(_files_shown(path, component, names))
        elif emojis is not None:
            faults.extend(_emojis_used(path, component, emojis))
    if len(flat) > ALL_COMPONENTS:
        faults.append(
            fault(
                "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
                f"Number of components exceeds the maximum of {ALL_COMPONENTS}",
            )
        )
    if characters > ALL_TEXT:
        faults.append(
            fault(
                "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                f"Components displayable text size exceeds maximum size of {ALL_TEXT}",
            )
        )
    return merged(*faults)


def _twice(flat: Flat, key: str) -> Tree | None:
    """Name the components whose id of one sort an earlier one has already."""
    seen: set[object] = set()
    faults: list[Tree] = []
    for path, component in flat:
        value = component.get(key)
        if not value:
            continue
        if value in seen:
            code = f"COMPONENT_{key.upper()}_DUPLICATED"
            message = f"Component {key.replace('_', ' ')} cannot be duplicated"
            faults.append(at((*path, key), fault(code, message)))
        seen.add(value)
    return merged(*faults) if faults else None


def text_bytes(components: object) -> int:
    """Count the UTF-8 bytes of all text displays as Discord's storage does, 12 more for each."""
    shown = [string(c, "content") for _, c in flatten(components) if c.get("type") == TEXT]
    return sum(len(content.encode()) + 12 for content in shown)


def _files_shown(path: Path, component: Body, names: frozenset[str]) -> Iterator[Tree]:
    kind = component["type"]
    if kind == 12:
        for place, item in enumerate(objects(component.get("items"))):
            yield from _file(item.get("media"), (*path, "items", place, "media", "url"), names)
    elif kind == 11:
        yield from _file(component.get("media"), (*path, "media", "url"), names)
    elif kind == 13:
        yield from _file(component.get("file"), (*path, "file", "url"), names)


def _file(media: object, path: Path, names: frozenset[str]) -> Iterator[Tree]:
    wrong = reference(string(media, "url"), names) if isinstance(media, dict) else None
    if wrong:
        yield at(path, wrong)


def _emojis_used(path: Path, component: Body, emojis: Container[str]) -> Iterator[Tree]:
    holders: list[tuple[Path, Body]] = [(path, component)]
    options = objects(component.get("options"))
    holders += [((*path, "options", place), option) for place, option in enumerate(options)]
    for where, holder in holders:
        emoji = holder.get("emoji")
        if isinstance(emoji, dict) and emoji.get("id") and str(emoji["id"]) not in emojis:
            yield at((*where, "emoji", "id"), fault("COMPONENT_INVALID_EMOJI", "Invalid emoji"))
