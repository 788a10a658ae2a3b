"""Would Discord take what the bot sent? Asked of its API description, where that is at hand."""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from types import ModuleType

import jsonschema_rs

from playground.doors.recording import SentRequest

WHERE = Path(__file__).resolve().parents[2] / "shared" / "discord" / "validate.py"


def refused_by_discord(sent: Iterable[SentRequest]) -> list[str]:
    """Every request that the description or the documented limits refuse, with the reasons."""
    validator = quick_validator()
    if validator is None:
        warnings.warn(
            "SKIPPED: ../shared/discord is absent, so what the bot sent was not checked "
            "against Discord's API description",
            stacklevel=2,
        )
        return []
    found: list[str] = []
    for request in sent:
        context = validator.Context(**asdict(request.facts))
        errors = validator.validate(
            request.method,
            request.path,
            request.body,
            files=request.parts or None,
            ctx=context,
        )
        found += [f"{request.method} {request.path}: {error}" for error in errors]
    return found


@cache
def quick_validator() -> ModuleType | None:
    """The validator with a quick first look; it keeps what it has compiled of the description.

    Most bodies are valid, which the compiled description sees some hundred times sooner. Whatever
    it doubts is looked at by the validator itself, whose word is the last, and gives the reasons.
    """
    validator = plain_validator()
    if validator is None:
        return None
    looks = Looks(validator)
    thorough: Callable[[str, str, object], list[str]] = validator.spec_errors

    def spec_errors(method: str, path: str, body: object) -> list[str]:
        return [] if looks.good(method, path, body) else thorough(method, path, body)

    validator.spec_errors = spec_errors  # type: ignore[attr-defined]
    return validator


def plain_validator() -> ModuleType | None:
    """The validator as it is, or None where it is absent."""
    if not WHERE.is_file():
        return None
    spec = importlib.util.spec_from_file_location("discord_validate", WHERE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


class Looks:
    """The bodies of all routes, compiled from the same description with the same formats."""

    def __init__(self, validator: ModuleType) -> None:
        self._validator = validator
        description, _registry, _routes = validator._spec()
        self._registry = jsonschema_rs.Registry([(validator.URI, description)])
        self._formats = {name: check for name, (check, _) in validator._FC.checkers.items()}
        self._compiled: dict[tuple[str, str], jsonschema_rs.Draft202012Validator | None] = {}

    def good(self, method: str, path: str, body: object) -> bool:
        """Whether the description certainly takes this body; False means: look closer."""
        template = self._validator.template_for(path)
        if template is None or body is None:
            return False
        route = (template, method.lower())
        if route not in self._compiled:
            self._compiled[route] = self._compile(*route)
        compiled = self._compiled[route]
        return compiled is not None and compiled.is_valid(body)

    def _compile(self, template: str, method: str) -> jsonschema_rs.Draft202012Validator | None:
        if method not in self._validator._spec()[0]["paths"][template]:
            return None
        plain = self._validator._validator(template, method)
        if plain is None:
            return None
        pointer = plain.schema["$ref"].replace("{", "%7B").replace("}", "%7D")
        return jsonschema_rs.Draft202012Validator(
            {"$ref": pointer},
            registry=self._registry,
            formats=self._formats,
            validate_formats=True,
        )
