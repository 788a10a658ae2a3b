"""What all tests share: the browser, and where tests that use it stand."""

import os
import shutil
from typing import Any

import pytest
from hypothesis import settings

# How long one example takes depends on what else the machine is doing.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

CHROMIUM_ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put browser tests last: Playwright leaves its event loop behind in the thread.

    Asyncio tests that came after one in the same process would find a loop running. Workers that
    take tests from each other need more than the order: `make test` runs the two kinds apart.
    """
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


# Playwright's launch options are a dictionary of anything.
@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Start the system's Chromium; without one skip, but fail where CI is set."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sentence = "Chromium isn't installed, so the web page wasn't tried"
        if os.environ.get("CI"):
            pytest.fail(sentence)
        pytest.skip(sentence)
    return {"executable_path": chromium, "args": list(CHROMIUM_ARGS), "headless": True}
