"""Discord's limits on a message, counted by ourselves, and by the official description if near."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from bot.ui.page import Form, Page

VALIDATOR = Path(__file__).resolve().parents[4] / "shared" / "discord" / "validate.py"
V2 = 1 << 15

Node = Mapping[str, Any]  # Any: the JSON of Discord's components


def check_page(page: Page) -> None:
    """Fail on anything in the page that Discord would refuse."""
    components = page.layout.to_components()
    flat = list(_walk(components))
    assert 0 < len(flat) <= 40, f"{len(flat)} components"
    texts = [node["content"] for node in flat if node["type"] == 10]
    assert all(text.strip() for text in texts)
    assert sum(map(len, texts)) <= 4000, f"{sum(map(len, texts))} characters"
    ids = [node["custom_id"] for node in flat if node.get("custom_id")]
    assert len(set(ids)) == len(ids), ids
    assert all(1 <= len(custom_id) <= 100 for custom_id in ids)
    for node in flat:
        _check_node(node)
    names = [picture.name for picture in page.pictures]
    assert len(set(names)) == len(names)
    shown = [item["media"]["url"] for node in flat for item in node.get("items", ())]
    shown += [node["file"]["url"] for node in flat if node["type"] == 13]
    assert shown == [f"attachment://{name}" for name in names]
    for picture in page.pictures:
        assert re.fullmatch(r"[A-Za-z0-9_.-]+", picture.name)
        assert 0 < len(picture.alt) <= 1024


def check_form(form: Form) -> None:
    """Fail on anything in the modal that Discord would refuse."""
    data = form.to_dict()
    assert 1 <= len(data["title"]) <= 45
    assert 1 <= len(data["custom_id"]) <= 100
    assert 1 <= len(data["components"]) <= 5
    for node in _walk(data["components"]):
        if node["type"] == 18:
            assert 1 <= len(node["label"]) <= 45
            assert len(node.get("description") or "") <= 100
        if node["type"] == 4:
            assert len(node.get("value") or "") <= node["max_length"] <= 4000


def _check_node(node: Node) -> None:
    if node["type"] == 1:
        kinds = [child["type"] for child in node["components"]]
        assert kinds in ([3], [5]) or (set(kinds) == {2} and len(kinds) <= 5), kinds
    if node["type"] == 2:
        assert 1 <= len(node["label"]) <= 80
        assert bool(node.get("url")) != bool(node.get("custom_id"))
    if node["type"] == 5:  # people
        assert len(node.get("placeholder") or "") <= 150
    if node["type"] == 3:
        options = node["options"]
        assert 1 <= len(options) <= 25
        assert len({option["value"] for option in options}) == len(options)
        assert sum(option.get("default", False) for option in options) <= 1
        assert len(node.get("placeholder") or "") <= 150
        for option in options:
            assert 1 <= len(option["label"]) <= 100
            assert 1 <= len(option["value"]) <= 100
            assert len(option.get("description") or "") <= 100


def _walk(components: Iterable[Node]) -> Iterator[Node]:
    for node in components:
        yield node
        yield from _walk(node.get("components", ()))
        for key in ("accessory", "component"):
            if key in node:
                yield from _walk([node[key]])


@cache
def official() -> ModuleType | None:
    """The validator made from Discord's own description; None where it isn't at hand."""
    if not VALIDATOR.exists():
        return None
    spec = importlib.util.spec_from_file_location("discord_validate", VALIDATOR)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def official_errors(page: Page) -> list[str]:
    """What the official description has against sending this page."""
    validator = official()
    assert validator is not None
    files = {f"files[{n}]": (picture.name, 1) for n, picture in enumerate(page.pictures)}
    body = {"components": page.layout.to_components(), "flags": V2}
    return list(validator.validate("POST", "/channels/1/messages", body, files=files))


def official_form_errors(form: Form) -> list[str]:
    """What the official description has against opening this modal."""
    validator = official()
    assert validator is not None
    body = {"type": 9, "data": form.to_dict()}
    context = validator.Context(interaction_type=3)
    return list(validator.validate("POST", "/interactions/1/token/callback", body, ctx=context))
