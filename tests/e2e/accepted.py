"""Would Discord take what the bot sent? Asked of its API description, where that is at hand."""

from __future__ import annotations

import importlib.util
import sys
import warnings
from dataclasses import asdict
from functools import cache
from pathlib import Path
from types import ModuleType

from playground.doors.recording import Recording

WHERE = Path(__file__).resolve().parents[3] / "shared" / "discord" / "validate.py"


def refused_by_discord(sent: Recording) -> list[str]:
    """Every request that the description or the documented limits refuse, with the reasons."""
    validator = _validator()
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
def _validator() -> ModuleType | None:
    """The validator, loaded once a process: it keeps what it has compiled of the description."""
    if not WHERE.is_file():
        return None
    spec = importlib.util.spec_from_file_location("discord_validate", WHERE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault("discord_validate", module)
    spec.loader.exec_module(module)
    return module
