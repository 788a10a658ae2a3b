"""What an application may register as its commands."""

import re
import unicodedata

from playground.checks.components import CHANNEL_TYPES, repeated
from playground.checks.fields import (
    Body,
    Check,
    Tree,
    at,
    boolean,
    fault,
    integer,
    listing,
    mapping,
    merged,
    nothing_or,
    number,
    objects,
    one_of,
    record,
    required,
    snowflake,
    string,
    text,
    typed,
)

OF_ONE_KIND = {1: 100, 2: 15, 3: 15, 4: 1}
ALL_CHARACTERS = 8_000
INT53 = 2**53 - 1

# fmt: off
LOCALES = (
    "ar", "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "he",
    "hi", "hr", "hu", "id", "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru",
    "sv-SE", "th", "tr", "uk", "vi", "zh-CN", "zh-TW",
)
# fmt: on
_locale = one_of(*LOCALES)


def _name_shape(name: str) -> bool:
    return name == name.lower() and all(
        sign in "-_'"
        or unicodedata.category(sign)[0] in "LN"
        or "\u0900" <= sign <= "\u097f"  # Devanagari and Thai, with their marks
        or "\u0e00" <= sign <= "\u0e7f"
        for sign in name
    )


def _slash_name(value: object) -> Tree | None:
    wrong = text(32, 1)(value)
    if wrong is None and isinstance(value, str) and not _name_shape(value):
        return fault("APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    return wrong


_SLASH_NAMES = mapping(_slash_name, 34, _locale)
_DESCRIPTIONS = mapping(text(100, 1), 34, _locale)
_CHOICE_NAMES: dict[str, Check] = {"name_localizations": mapping(text(100, 1), 34, _locale)}


def _choice(value: Check) -> Check:
    return listing(record({"name": text(100, 1), "value": value}, _CHOICE_NAMES), 25)


def _option_rules(option: Body) -> Tree | None:
    choices = objects(option.get("choices"))
    if option.get("autocomplete") and choices:
        return {
            "autocomplete": fault(
                "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_WITH_CHOICES",
                "Autocomplete and choices are mutually exclusive",
            )
        }
    wrong = repeated(
        choices,
        "name",
        "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS",
        "Option choice name already exists",
    )
    if wrong:
        return {"choices": wrong}
    for least, most in (("min_value", "max_value"), ("min_length", "max_length")):
        low, high = option.get(least), option.get(most)
        if isinstance(low, int | float) and isinstance(high, int | float) and low > high:
            return {
                least: fault(
                    "APPLICATION_COMMAND_OPTIONS_MIN_GREATER_THAN_MAX",
                    f"{least} must be less than or equal to {most}",
                )
            }
    return None


_NAMED: dict[str, Check] = {"name": _slash_name, "description": text(100, 1)}
_COMMON: dict[str, Check] = {
    "name_localizations": _SLASH_NAMES,
    "description_localizations": _DESCRIPTIONS,
    "required": boolean,
}


def _parameter(**fields: Check) -> Check:
    return record(_NAMED, {**_COMMON, **fields}, _option_rules)


_INT = integer(-INT53, INT53)
_PARAMETERS: dict[int, Check] = {
    3: _parameter(
        autocomplete=boolean,
        min_length=integer(0, 6_000),
        max_length=integer(1, 6_000),
        choices=_choice(text(100)),
    ),
    4: _parameter(autocomplete=boolean, choices=_choice(_INT), min_value=_INT, max_value=_INT),
    5: _parameter(),
    6: _parameter(),
    7: _parameter(channel_types=CHANNEL_TYPES),
    8: _parameter(),
    9: _parameter(),
    10: _parameter(
        autocomplete=boolean, choices=_choice(number()), min_value=number(), max_value=number()
    ),
    11: _parameter(),
}


def _list_rules(holder: Body) -> Tree | None:
    """Check a list of options as a whole: names, order, and no mixing with subcommands."""
    options = objects(holder.get("options"))
    below = repeated(
        options,
        "name",
        "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
        "Option name already exists",
    )
    faults = below or {}
    nested = [option.get("type") in (1, 2) for option in options]
    if any(nested) and not all(nested):
        mixed = fault(
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            "Sub-command and sub-command group option types are mutually exclusive to all"
            " other types",
        )
        return {"options": merged(faults, mixed) or {}}
    optional = False
    for place, option in enumerate(options):
        if any(nested):
            break
        if option.get("required") and optional:
            late = fault(
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
            faults = merged(faults, at((place,), late)) or {}
        optional = optional or not option.get("required")
    return {"options": faults} if faults else None


_SUBCOMMAND = record(_NAMED, {**_COMMON, "options": listing(typed(_PARAMETERS), 25)}, _list_rules)
_GROUP = record(_NAMED, {**_COMMON, "options": listing(typed({1: _SUBCOMMAND}), 25)}, _list_rules)
_OPTIONS = listing(typed({1: _SUBCOMMAND, 2: _GROUP, **_PARAMETERS}), 25)


def _permissions(value: object) -> Tree | None:
    """Check a set of permission bits: the documentation says a string, clients send numbers."""
    if isinstance(value, str) and re.fullmatch(r"\d{1,20}", value):
        value = int(value)
    return integer(0, 2**54 - 1)(value)


_ANY: dict[str, Check] = {
    "id": snowflake,
    "type": one_of(1, 2, 3, 4),
    "default_member_permissions": nothing_or(_permissions),
    "dm_permission": boolean,
    "contexts": listing(one_of(0, 1, 2), 3, 1, unique=True),
    "integration_types": listing(one_of(0, 1), 2, 1, unique=True),
    "handler": one_of(1, 2),
    "nsfw": boolean,
}
_SLASH = record(
    _NAMED,
    {
        **_ANY,
        "name_localizations": _SLASH_NAMES,
        "description_localizations": _DESCRIPTIONS,
        "options": _OPTIONS,
    },
    _list_rules,
)


def _bare(command: Body) -> Tree | None:
    wrong = fault("APPLICATION_COMMAND_CONTEXT_MENU_FIELD", "Context menu commands have none")
    return {key: wrong for key in ("description", "options") if command.get(key)} or None


_MENU = record(
    {"name": text(32, 1)},
    {
        **_ANY,
        "name_localizations": mapping(text(32, 1), 34, _locale),
        "description": text(100),
        "description_localizations": _DESCRIPTIONS,
    },
    _bare,
)


def characters(part: Body) -> int:
    """Count a command or option as the limit of 8,000 does, longest localisations taken."""
    total = _longest(part, "name") + _longest(part, "description")
    total += sum(map(characters, objects(part.get("options"))))
    for choice in objects(part.get("choices")):
        total += _longest(choice, "name") + len(str(choice.get("value", "")))
    return total


def _longest(part: Body, key: str) -> int:
    others = part.get(f"{key}_localizations")
    found = (
        [value for value in others.values() if isinstance(value, str)]
        if isinstance(others, dict)
        else []
    )
    return max(map(len, [string(part, key), *found]))


def command_faults(command: object) -> Tree | None:
    """Find what is wrong with one top-level command."""
    if not isinstance(command, dict):
        return fault("MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
    if command.get("type") not in (None, 1):
        return _MENU(command)
    faults = _SLASH(command)
    if faults is None and characters(command) > ALL_CHARACTERS:
        return fault(
            "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({ALL_CHARACTERS})"
        )
    return faults


def commands_faults(commands: object) -> Tree | None:
    """Find what is wrong with the whole list of an application's commands."""
    if not isinstance(commands, list):
        return fault("LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
    faults: Tree = {}
    seen: set[tuple[object, object]] = set()
    counts: dict[object, int] = {}
    for place, command in enumerate(commands):
        wrong = command_faults(command)
        if wrong is None and isinstance(command, dict):
            kind = command.get("type") or 1
            counts[kind] = counts.get(kind, 0) + 1
            if (kind, command["name"]) in seen:
                wrong = {
                    "name": fault(
                        "APPLICATION_COMMANDS_DUPLICATE_NAME",
                        "Application command names must be unique",
                    )
                }
            seen.add((kind, command["name"]))
        if wrong:
            faults[str(place)] = wrong
    for kind, most in OF_ONE_KIND.items():
        if counts.get(kind, 0) > most:
            return merged(
                faults, fault("BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
            )
    return faults or None


def choices_faults(data: object, option_type: int | None = None) -> Tree | None:
    """Find what is wrong with the suggestions for an option being typed.

    `option_type` is the option's type (3 string, 4 integer, 10 number) if it is known; without
    it the values need only be all of one kind.
    """
    if not isinstance(data, dict):
        return required()
    if option_type is not None:
        return _SUGGESTIONS[option_type](data)
    first = next((c["value"] for c in objects(data.get("choices")) if "value" in c), "")
    return _SUGGESTIONS[3 if isinstance(first, str) else 10](data)


def _shown(choice: Body) -> Tree | None:
    return None if string(choice, "name").strip() else {"name": required()}


def _suggestions(value: Check) -> Check:
    choice = record({"name": text(100, 1), "value": value}, _CHOICE_NAMES, _shown)
    return record({}, {"choices": listing(nothing_or(choice), 25)})


_SUGGESTIONS: dict[int, Check] = {
    3: _suggestions(text(100)),
    4: _suggestions(_INT),
    10: _suggestions(number()),
}
