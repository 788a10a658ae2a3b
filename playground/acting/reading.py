"""What can be read on a message or in a modal, and which controls it has: for tests and people."""

from collections.abc import Iterator

from playground.state.components import SELECTS, walk
from playground.state.model import Message
from playground.wire import Json, as_object, as_objects

BUTTON, TEXT_INPUT, LINK = 2, 4, 5


def text_of(shown: Message | Json | None) -> str:
    """Read everything on a message (or in a modal's JSON), top to bottom, one line a part.

    Content, embeds, text displays, descriptions of pictures, labels of buttons, what selects
    hold: all that a person could read or hear there. To the eye a no-break space is a space.
    """
    return "\n".join(part for part in _parts(shown) if part).replace("\u00a0", " ")


def _parts(shown: Message | Json | None) -> Iterator[str]:
    if shown is None:
        return
    if isinstance(shown, Message):
        yield shown.content
        for embed in shown.embeds:
            yield from _embed(embed)
        yield from _components(shown.components)
        if not shown.is_v2:  # a layout shows its files itself, with their descriptions
            for attachment in shown.attachments:
                yield attachment.description or ""
        return
    yield str(shown.get("title") or "")
    yield str(shown.get("content") or "")
    yield from _components(as_objects(shown.get("components")))


def _embed(embed: Json) -> Iterator[str]:
    yield str(as_object(embed.get("author")).get("name") or "")
    yield str(embed.get("title") or "")
    yield str(embed.get("description") or "")
    for field in as_objects(embed.get("fields")):
        yield f"{field.get('name')}: {field.get('value')}"
    yield str(as_object(embed.get("footer")).get("text") or "")


def _components(components: list[Json]) -> Iterator[str]:
    for component in walk(components):
        for key in ("content", "label", "description", "placeholder", "value"):
            said = component.get(key)
            if isinstance(said, str):
                yield said
        for item in as_objects(component.get("items")):
            yield str(item.get("description") or "")
        for option in as_objects(component.get("options")):
            said = option.get("description")
            yield f"{option.get('label')} ({said})" if said else str(option.get("label"))


def label_of(button: Json) -> str:
    """Read what stands on a button: its label, or its emoji where it has none."""
    return str(button.get("label") or as_object(button.get("emoji")).get("name") or "")


def all_buttons(message: Message) -> list[Json]:
    """List the buttons of a message as JSON, links among them."""
    return [item for item in walk(message.components) if item.get("type") == BUTTON]


def buttons(message: Message, *, enabled: bool | None = None) -> list[str]:
    """List what stands on a message's buttons; only those that can (or can't) be pressed."""
    return [
        label_of(button)
        for button in all_buttons(message)
        if enabled is None or enabled is not bool(button.get("disabled"))
    ]


def selects(message: Message) -> list[Json]:
    """List the selects of a message as JSON."""
    return [item for item in walk(message.components) if item.get("type") in SELECTS]


def select_options(message: Message, *, custom_id: str | None = None) -> dict[str, str]:
    """List what a message's select offers, label to value; `custom_id` says which of several."""
    for select in selects(message):
        if custom_id in {None, select["custom_id"]}:
            return {
                str(option["label"]): str(option["value"])
                for option in as_objects(select.get("options"))
            }
    return {}


def fields(modal: Json) -> dict[str, Json]:
    """List the fields of a modal by custom id, each with the `label` that stands over it."""
    found: dict[str, Json] = {}
    for part in as_objects(modal.get("components")):
        for component in walk([part]):
            if "custom_id" in component:
                label = component.get("label") or part.get("label")
                found[str(component["custom_id"])] = {**component, "label": label}
    return found
