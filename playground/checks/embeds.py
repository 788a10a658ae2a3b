"""What an embed may hold."""

import re

from playground.checks.fields import (
    Body,
    Tree,
    at,
    boolean,
    fault,
    integer,
    listing,
    merged,
    objects,
    record,
    required,
    string,
    text,
    timestamp,
    url,
)

ALL_CHARACTERS = 6_000

_PICTURE = ("http", "https", "attachment")


def _shows_something(field: Body) -> Tree | None:
    blank = [key for key in ("name", "value") if not string(field, key).strip()]
    return {key: required() for key in blank} or None


_FIELD = record({"name": text(256), "value": text(1024)}, {"inline": boolean}, _shows_something)
_LINK = {"url": url(2048)}
_IMAGE = record(
    {},
    {
        "url": url(2048, *_PICTURE),
        "width": integer(),
        "height": integer(),
        "description": text(4096),
    },
)
_EMBED = record(
    {},
    {
        "type": text(152_133),
        "url": url(2048, "http", "https"),
        "title": text(256),
        "color": integer(0, 0xFFFFFF),
        "timestamp": timestamp,
        "description": text(4096),
        "author": record({}, {"name": text(256), "icon_url": url(2048, *_PICTURE), **_LINK}),
        "footer": record({}, {"text": text(2048), "icon_url": url(2048, *_PICTURE)}),
        "image": _IMAGE,
        "thumbnail": _IMAGE,
        "provider": record({}, {"name": text(256), **_LINK}),
        "video": record({}, {"width": integer(), "height": integer(), **_LINK}),
        "fields": listing(_FIELD, 25),
    },
)

EMBEDS = listing(_EMBED, 10)
_PARTS = ("title", "description", "fields", "image", "thumbnail", "footer", "author", "video")


def is_blank(embed: Body) -> bool:
    """Tell whether an embed would show nothing."""
    return not any(embed.get(part) for part in _PARTS)


def _trimmed(body: object, name: str) -> int:
    return len(string(body, name).strip()) if isinstance(body, dict) else 0


def _characters(embed: Body) -> int:
    total = _trimmed(embed, "title") + _trimmed(embed, "description")
    total += _trimmed(embed.get("footer"), "text") + _trimmed(embed.get("author"), "name")
    for field in objects(embed.get("fields")):
        total += _trimmed(field, "name") + _trimmed(field, "value")
    return total


def embeds_together(embeds: object, names: frozenset[str]) -> Tree | None:
    """Check embeds that have passed one by one: their size in all, and the files they show.

    `names` are the attachments that the message will have.
    """
    shown = objects(embeds)
    if sum(map(_characters, shown)) > ALL_CHARACTERS:
        return fault(
            "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {ALL_CHARACTERS}"
        )
    faults: list[Tree | None] = []
    for place, embed in enumerate(shown):
        for part, key in (
            ("image", "url"),
            ("thumbnail", "url"),
            ("footer", "icon_url"),
            ("author", "icon_url"),
        ):
            holder = embed.get(part)
            if isinstance(holder, dict):
                wrong = reference(string(holder, key), names)
                faults.append(at((place, part, key), wrong) if wrong else None)
    return merged(*faults)


def reference(address: str, names: frozenset[str]) -> Tree | None:
    """Check that an `attachment://` address names a file of the message, well spelt."""
    if not address.startswith("attachment://"):
        return None
    name = address.removeprefix("attachment://")
    if name in names and re.fullmatch(r"[A-Za-z0-9_.-]+", name):
        return None
    return fault(
        "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
        f'The referenced attachment ("{address}") was not found',
    )
