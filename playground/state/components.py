"""Components and embeds as Discord keeps them: ids given out, defaults filled in, files found."""

from collections.abc import Callable, Iterator

from playground.state.model import Attachment
from playground.wire import Json, as_object, as_objects

ACTION_ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = 5, 6, 7, 8
SECTION, TEXT_DISPLAY, THUMBNAIL, MEDIA_GALLERY, FILE, SEPARATOR = 9, 10, 11, 12, 13, 14
CONTAINER, LABEL = 17, 18
FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX = 19, 21, 22, 23
SELECTS = frozenset({STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT})

_SCHEME = "attachment://"
_COPIED = {
    BUTTON: ("style", "custom_id", "label", "disabled", "emoji", "url", "sku_id"),
    STRING_SELECT: ("custom_id", "placeholder", "disabled", "options"),
    USER_SELECT: ("custom_id", "placeholder", "disabled", "default_values"),
    ROLE_SELECT: ("custom_id", "placeholder", "disabled", "default_values"),
    MENTIONABLE_SELECT: ("custom_id", "placeholder", "disabled", "default_values"),
    CHANNEL_SELECT: ("custom_id", "placeholder", "disabled", "default_values", "channel_types"),
    TEXT_DISPLAY: ("content",),
}


def walk(components: object) -> Iterator[Json]:
    """Visit every component of a tree, parents before children."""
    for component in as_objects(components):
        yield component
        yield from walk(component.get("components"))
        for key in ("accessory", "component"):
            inner = component.get(key)
            if isinstance(inner, dict):
                yield from walk([inner])


def find(components: object, custom_id: str) -> Json | None:
    """Find the component with this custom id."""
    for component in walk(components):
        if component.get("custom_id") == custom_id:
            return component
    return None


def texts(components: object) -> Iterator[str]:
    """Read the text displays of a tree, in order."""
    for component in walk(components):
        content = component.get("content")
        if component.get("type") == TEXT_DISPLAY and isinstance(content, str):
            yield content


class Settling:
    """Turns what a bot sent into what Discord stores and answers with."""

    def __init__(self, attachments: list[Attachment], new_id: Callable[[], int]) -> None:
        self._files = {attachment.filename: attachment for attachment in attachments}
        self._new_id = new_id
        self._used: set[int] = set()
        self._last = 0

    def components(self, sent: object) -> list[Json]:
        """Settle a message's components."""
        self._used = {
            component["id"]
            for component in walk(sent)
            if isinstance(component.get("id"), int) and component["id"]
        }
        return [self._one(component) for component in as_objects(sent)]

    def embeds(self, sent: object) -> list[Json]:
        """Settle a message's embeds."""
        return [self._embed(embed) for embed in as_objects(sent)]

    def _number(self, component: Json) -> int:
        given = component.get("id")
        if isinstance(given, int) and given:
            return given
        while True:
            self._last += 1
            if self._last not in self._used:
                return self._last

    def numbered(self, sent: Json) -> Json:
        """Give a component and all in it an id, leaving everything else as it was sent."""
        kept: Json = {**sent, "id": self._number(sent)}
        if isinstance(sent.get("components"), list):
            kept["components"] = [self.numbered(inner) for inner in as_objects(sent["components"])]
        if isinstance(sent.get("component"), dict):
            kept["component"] = self.numbered(sent["component"])
        return kept

    def _one(self, sent: Json) -> Json:
        kind = sent.get("type")
        kept: Json = {"type": kind, "id": self._number(sent)}
        if kind in _COPIED:
            kept.update((key, sent[key]) for key in _COPIED[kind] if sent.get(key) is not None)
        if kind in SELECTS:
            kept["min_values"] = 1 if sent.get("min_values") is None else sent["min_values"]
            kept["max_values"] = 1 if sent.get("max_values") is None else sent["max_values"]
        elif kind == THUMBNAIL:
            kept.update(self._media_item(sent))
        elif kind == MEDIA_GALLERY:
            kept["items"] = [self._media_item(item) for item in as_objects(sent.get("items"))]
        elif kind == FILE:
            file = self._media(as_object(sent.get("file")))
            found = self._named(as_object(sent.get("file")))
            kept.update(file=file, spoiler=bool(sent.get("spoiler")))
            kept["name"] = found.filename if found else None
            kept["size"] = len(found.content) if found else None
        elif kind == SEPARATOR:
            kept.update(divider=sent.get("divider") is not False, spacing=sent.get("spacing") or 1)
        elif kind == CONTAINER:
            kept.update(accent_color=sent.get("accent_color"), spoiler=bool(sent.get("spoiler")))
        if kind in {ACTION_ROW, SECTION, CONTAINER}:
            kept["components"] = [self._one(inner) for inner in as_objects(sent.get("components"))]
        if kind == SECTION:
            kept["accessory"] = self._one(as_object(sent.get("accessory")))
        return kept

    def _media_item(self, sent: Json) -> Json:
        return {
            "media": self._media(as_object(sent.get("media"))),
            "description": sent.get("description"),
            "spoiler": bool(sent.get("spoiler")),
        }

    def _named(self, media: Json) -> Attachment | None:
        url = str(media.get("url", ""))
        if url.startswith(_SCHEME):
            return self._files.get(url.removeprefix(_SCHEME))
        return next((file for file in self._files.values() if file.url == url), None)

    def _media(self, sent: Json) -> Json:
        file = self._named(sent)
        media: Json = {
            "id": str(self._new_id()),
            "url": sent.get("url"),
            "proxy_url": sent.get("url"),
            "width": None,
            "height": None,
            "content_type": None,
            "loading_state": 2,
            "flags": 0,
        }
        if file is not None:
            media.update(
                url=file.url,
                proxy_url=file.url,
                width=file.width,
                height=file.height,
                content_type=file.content_type,
                attachment_id=str(file.id),
            )
        return media

    def _embed(self, sent: Json) -> Json:
        kept: Json = {"type": "rich", **{key: sent[key] for key in sent if sent[key] is not None}}
        kept["type"] = "rich"
        for key in ("image", "thumbnail"):
            if isinstance(sent.get(key), dict):
                kept[key] = self._picture(sent[key])
        for key in ("footer", "author"):
            inner = sent.get(key)
            if isinstance(inner, dict) and inner.get("icon_url"):
                file = self._named({"url": inner["icon_url"]})
                kept[key] = dict(inner)
                if file is not None:
                    file.in_embed = True
                    kept[key]["icon_url"] = file.url
                kept[key]["proxy_icon_url"] = kept[key]["icon_url"]
        return kept

    def _picture(self, sent: Json) -> Json:
        file = self._named(sent)
        if file is None:
            return {"url": sent.get("url"), "proxy_url": sent.get("url")}
        file.in_embed = True
        picture: Json = {
            "url": file.url,
            "proxy_url": file.url,
            "content_type": file.content_type,
        }
        if file.width is not None and file.height is not None:
            picture.update(width=file.width, height=file.height)
        return picture
