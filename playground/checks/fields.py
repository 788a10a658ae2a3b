"""Small checks of JSON values, which compose into Discord's nested trees of errors.

A check takes a value and answers None when Discord would take it, else the tree of what is
wrong with it, shaped as in the `errors` of a 50035: `{"title": {"_errors": [{...}]}}`.
The codes and sentences are Discord's own.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import TypeAlias, Union

# Union, because the name it holds exists only once the line is done.
Tree: TypeAlias = dict[str, Union["Tree", list[dict[str, str]]]]
Check = Callable[[object], Tree | None]
Body = Mapping[str, object]

_URI = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:\S+")
_SNOWFLAKE = re.compile(r"0|[1-9][0-9]*")


def fault(code: str, message: str) -> Tree:
    """Give the tree of one error of the value itself."""
    return {"_errors": [{"code": code, "message": message}]}


def required() -> Tree:
    """Give the tree for a field that is missing or blank."""
    return fault("BASE_TYPE_REQUIRED", "This field is required")


def not_one_of(values: Iterable[object]) -> Tree:
    """Give the tree for a value outside a closed set."""
    listed = ", ".join(repr(value) for value in values)
    return fault("BASE_TYPE_CHOICES", f"Value must be one of {{{listed}}}.")


def at(path: Iterable[object], tree: Tree) -> Tree:
    """Hang a tree under a path of field names and positions, outermost first."""
    for step in reversed(tuple(path)):
        tree = {str(step): tree}
    return tree


def merged(*trees: Tree | None) -> Tree | None:
    """Lay several trees over each other; None when all are None."""
    out: Tree = {}
    for tree in trees:
        for key, below in (tree or {}).items():
            standing = out.get(key)
            if isinstance(standing, dict) and isinstance(below, dict):
                out[key] = merged(standing, below) or {}
            elif isinstance(standing, list) and isinstance(below, list):
                out[key] = [*standing, *below]
            else:
                out[key] = below
    return out or None


def text(most: int, least: int = 0) -> Check:
    """Check a string of at most `most` code points; with `least` it must not be empty either."""

    def check(value: object) -> Tree | None:
        if type(value) is str and least <= len(value) <= most:
            return None
        if not isinstance(value, str):
            return fault("STRING_TYPE_COERCE", f'Could not interpret "{value}" as string.')
        if least and not value:
            return required()
        if len(value) < least:
            return fault("BASE_TYPE_MIN_LENGTH", f"Must be {least} or more in length.")
        return fault("BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")

    return check


def words(most: int) -> Check:
    """Check a string that must show something: blanks alone are refused, as Discord trims them."""
    plain = text(most, 1)

    def check(value: object) -> Tree | None:
        wrong = plain(value)
        if wrong is None and isinstance(value, str) and not value.strip():
            return required()
        return wrong

    return check


def integer(low: int | None = None, high: int | None = None) -> Check:
    """Check a whole number between two bounds, both included."""

    def check(value: object) -> Tree | None:
        if not isinstance(value, int) or isinstance(value, bool):
            return fault("NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
        return _bounds("int", value, low, high)

    return check


def number(low: float | None = None, high: float | None = None) -> Check:
    """Check a number between two bounds, both included."""

    def check(value: object) -> Tree | None:
        if not isinstance(value, int | float) or isinstance(value, bool):
            return fault("NUMBER_TYPE_COERCE", f'Value "{value}" is not float.')
        return _bounds("float", value, low, high)

    return check


def _bounds(kind: str, value: float, low: float | None, high: float | None) -> Tree | None:
    if low is not None and value < low:
        return fault("NUMBER_TYPE_MIN", f"{kind} value should be greater than or equal to {low}.")
    if high is not None and value > high:
        return fault("NUMBER_TYPE_MAX", f"{kind} value should be less than or equal to {high}.")
    return None


def boolean(value: object) -> Tree | None:
    """Check a boolean."""
    if isinstance(value, bool):
        return None
    return fault("BOOLEAN_TYPE_CONVERT", "Must be either true or false.")


def one_of(*values: object) -> Check:
    """Check membership of a closed set; true and 1 are different values."""

    def check(value: object) -> Tree | None:
        if any(value == known and type(value) is type(known) for known in values):
            return None
        return not_one_of(values)

    return check


def snowflake(value: object) -> Tree | None:
    """Check an id: digits in a string, or (Discord takes both) a number."""
    if isinstance(value, str) and _SNOWFLAKE.fullmatch(value):
        return None
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return None
    return fault("NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')


def timestamp(value: object) -> Tree | None:
    """Check an ISO 8601 date and time."""
    if isinstance(value, str):
        try:
            datetime.fromisoformat(value)
        except ValueError:
            pass
        else:
            return None
    return fault("DATE_TIME_TYPE_PARSE", f"Could not parse {value}. Should be ISO8601.")


def url(most: int, *schemes: str) -> Check:
    """Check an address of at most `most` characters, with one of the schemes if any are given."""
    length = text(most)
    starts = tuple(f"{scheme}://" for scheme in schemes)

    def check(value: object) -> Tree | None:
        wrong = length(value)
        if wrong or not isinstance(value, str):
            return wrong
        if not _URI.fullmatch(value):
            return fault("URL_TYPE_INVALID_URL", "Not a well formed URL.")
        if starts and not value.startswith(starts):
            scheme = value.partition(":")[0]
            return fault(
                "URL_TYPE_INVALID_SCHEME",
                f'Scheme "{scheme}" is not supported. Scheme must be one of {schemes}.',
            )
        return None

    return check


def listing(each: Check, most: int, least: int = 0, *, unique: bool = False) -> Check:
    """Check a list: its length, each of its items, and that none comes twice if `unique`."""

    def check(value: object) -> Tree | None:
        if not isinstance(value, list):
            return fault("LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
        if not least <= len(value) <= most:
            if least:
                return fault(
                    "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length."
                )
            return fault("BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
        faults: Tree = {}
        for place, item in enumerate(value):
            wrong = each(item)
            if wrong:
                faults[str(place)] = wrong
        if unique and not faults and len({(type(item), item) for item in value}) < len(value):
            return fault("SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")
        return faults or None

    return check


def nothing_or(check: Check) -> Check:
    """Let null pass besides what the check takes."""
    return lambda value: None if value is None else check(value)


def mapping(each: Check, most: int, key: Check | None = None) -> Check:
    """Check a dictionary of at most `most` entries, by its values and perhaps its keys."""

    def check(value: object) -> Tree | None:
        if not isinstance(value, dict):
            return fault("DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
        if len(value) > most:
            return fault("BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
        faults: Tree = {}
        for name, entry in value.items():
            wrong = (key(name) if key else None) or each(entry)
            if wrong:
                faults[str(name)] = wrong
        return faults or None

    return check


def record(
    needed: Mapping[str, Check],
    optional: Mapping[str, Check],
    also: Callable[[Body], Tree | None] | None = None,
) -> Check:
    """Check an object: fields that must be there, fields that may be absent or null.

    Fields that Discord does not know are ignored, as it does. `also` looks at the object as a
    whole, only after each field has passed for itself.
    """
    rules = {**optional, **needed}
    names = frozenset(needed)

    def check(value: object) -> Tree | None:
        if not isinstance(value, dict):
            return fault("MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
        faults: Tree = {}
        for name, entry in value.items():
            if entry is None:
                if name in names:
                    faults[name] = required()
            elif name in rules:
                wrong = rules[name](entry)
                if wrong:
                    faults[name] = wrong
        if not names <= value.keys():
            faults.update((name, required()) for name in needed if name not in value)
        if not faults and also:
            return also(value)
        return faults or None

    return check


def typed(kinds: Mapping[int, Check]) -> Check:
    """Check an object by the one of several shapes that its `type` names."""
    listed = f"({', '.join(map(str, kinds))}{',' if len(kinds) == 1 else ''})"

    def check(value: object) -> Tree | None:
        if not isinstance(value, dict):
            return fault("MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
        kind = value.get("type")
        shape = kinds.get(kind) if type(kind) is int else None
        if shape is None:
            return fault("UNION_TYPE_CHOICES", f'Value of field "type" must be one of {listed}.')
        return shape(value)

    return check


def objects(value: object) -> list[Body]:
    """Give the dictionaries of a list; nothing for any other value."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def whole(body: Body, name: str, default: int) -> int:
    """Read an integer of an object that has passed its field checks; the default if absent."""
    value = body.get(name)
    return value if isinstance(value, int) else default


def string(body: Body, name: str) -> str:
    """Read a string of an object that has passed its field checks; empty if absent."""
    value = body.get(name)
    return value if isinstance(value, str) else ""
