"""Bodies for the tests of what Discord refuses, and what a refusal says."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from playground import checks
from playground.errors import Refused

V2 = 1 << 15
EPHEMERAL = 1 << 6

Json = dict[str, Any]  # bodies under test are deliberately of any shape


def button(**fields: object) -> Json:
    return {"type": 2, "style": 1, "label": "Draw", "custom_id": "draw", **fields}


def select(many: int = 3, **fields: object) -> Json:
    made = [{"label": f"Card {n}", "value": str(n)} for n in range(many)]
    return {"type": 3, "custom_id": "card", "options": made, **fields}


def row(*components: Json) -> Json:
    return {"type": 1, "components": list(components)}


def words(content: str = "Your turn") -> Json:
    return {"type": 10, "content": content}


def container(*components: Json) -> Json:
    return {"type": 17, "components": list(components)}


def gallery(*addresses: str) -> Json:
    return {"type": 12, "items": [{"media": {"url": address}} for address in addresses]}


def layout(*components: Json, **fields: object) -> Json:
    return {"flags": V2, "components": list(components), **fields}


def rows(*components: Json) -> Json:
    return {"content": "x", "components": list(components)}


def with_buttons(**fields: object) -> Json:
    return rows(row(button(**fields)))


def typed_input(**fields: object) -> Json:
    return {"type": 4, "custom_id": "text", "style": 1, **fields}


def label(component: Json, **fields: object) -> Json:
    return {"type": 18, "label": "Melds", "component": component, **fields}


def modal(*components: Json, **fields: object) -> Json:
    return {"custom_id": "knock", "title": "Knock", "components": list(components), **fields}


def option(name: str = "card", kind: int = 3, **fields: object) -> Json:
    return {"type": kind, "name": name, "description": "A card", **fields}


def command(*options: Json, **fields: object) -> Json:
    return {"name": "gin", "description": "Gin Rummy", "options": list(options), **fields}


def codes(tree: object) -> dict[str, list[str]]:
    """Flatten a tree of errors: `components.0.custom_id` to the codes there."""
    found: dict[str, list[str]] = {}

    def gather(node: Mapping[str, Any], path: str) -> None:
        for key, below in node.items():
            if key == "_errors":
                found[path] = [error["code"] for error in below]
            else:
                gather(below, f"{path}.{key}" if path else key)

    assert isinstance(tree, Mapping)
    gather(tree, "")
    return found


def refusal(check: Callable[[], None]) -> Refused:
    with pytest.raises(Refused) as caught:
        check()
    return caught.value


def complaints(check: Callable[[], None]) -> dict[str, list[str]]:
    """What is refused and where; empty where all is taken."""
    try:
        check()
    except Refused as refused:
        return {"": [str(refused.code)]} | codes(refused.errors or {})
    return {}


def faults_of(body: Json, **facts: Any) -> dict[str, list[str]]:  # noqa: ANN401 - many kinds
    refused = refusal(lambda: checks.check_message(body, **facts))
    assert (refused.status, refused.code) == (400, 50035)
    return codes(refused.errors)
