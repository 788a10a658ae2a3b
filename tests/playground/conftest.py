from collections.abc import AsyncIterator

import aiohttp
import pytest

from playground.server import Playground
from tests.playground.support import Bot, Http, running


@pytest.fixture
async def playground() -> AsyncIterator[Playground]:
    async with Playground() as started:
        yield started


@pytest.fixture
async def bot(playground: Playground) -> AsyncIterator[Bot]:
    async with running(playground, Bot()) as client:
        yield client


@pytest.fixture
async def http(playground: Playground) -> AsyncIterator[Http]:
    async with aiohttp.ClientSession() as session:
        yield Http(playground, session)
