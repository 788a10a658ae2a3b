"""`python -m playground.start` from outside: one line, a bot, a world that is there again."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from playground.start import TOKEN, House, Plan, setting
from tests.playground.support import until

ROOT = Path(__file__).resolve().parents[2]

# As much of a bot as is needed, quick to start: it registers a command, connects, and stays.
BOT = """
import json, os, pathlib, socket, sys, urllib.parse, urllib.request

here = pathlib.Path(__file__).parent
(here / "pid").write_text(str(os.getpid()))
(here / "environment").write_text("\\n".join(f"{k}={v}" for k, v in os.environ.items()))
api, token = os.environ["DISCORD_API_URL"], os.environ["DISCORD_TOKEN"]

def ask(method, path, body=None):
    headers = {"Authorization": f"Bot {token}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(api + path, data, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

me = ask("GET", "/users/@me")["id"]
ask("PUT", f"/applications/{me}/commands", [{"name": "gin", "description": "Gin Rummy"}])
address = urllib.parse.urlsplit(os.environ["DISCORD_GATEWAY_URL"])
gateway = socket.create_connection((address.hostname, address.port))
gateway.sendall(
    f"GET {address.path} HTTP/1.1\\r\\nHost: {address.netloc}\\r\\nUpgrade: websocket\\r\\n"
    "Connection: Upgrade\\r\\nSec-WebSocket-Version: 13\\r\\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\\r\\n\\r\\n".encode()
)
gateway.recv(65536)
hello = json.dumps({"op": 2, "d": {"token": token, "intents": 0}}).encode()
gateway.sendall(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
print("a line of the bot's", flush=True)
while gateway.recv(65536):
    if (here / "die").exists():
        print("the last words", file=sys.stderr, flush=True)
        os._exit(7)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bot.py").write_text(BOT)
    return tmp_path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Opened:
    """A house that runs here; its bot is a process."""

    def __init__(self, house: House, running: "asyncio.Task[int]", address: str) -> None:
        self.house = house
        self.running = running
        self.address = address

    async def close(self) -> int:
        self.house.close()
        return await asyncio.wait_for(self.running, 20)


@asynccontextmanager
async def opened(
    folder: Path, said: pytest.CaptureFixture[str], port: int = 0
) -> AsyncIterator[Opened]:
    """Open a house with a bot of our own and wait for its line; it is closed in the end."""
    command = (sys.executable, str(folder / "bot.py"))
    house = House(Plan(folder / "data", port, command, pause=0.001))
    running = asyncio.create_task(house.run())
    printed = ""
    try:
        while not running.done():
            printed += said.readouterr().out
            if printed:
                break
            await asyncio.sleep(0.005)
        assert printed.startswith("Ginhouse is open: http://127.0.0.1:")
        yield Opened(house, running, printed.removeprefix("Ginhouse is open: ").strip())
    finally:
        house.close()
        await asyncio.wait({running}, timeout=20)


def outside(
    folder: Path, *arguments: str, environment: Mapping[str, str] | None = None
) -> "subprocess.Popen[str]":
    """Start the program itself in a folder of its own, with a bot of our own."""
    bot = [sys.executable, str(folder / "bot.py")]
    code = f"import sys; from playground.start import main; sys.exit(main(bot={bot!r}))"
    clean = {key: said for key, said in os.environ.items() if not key.startswith("DISCORD_")}
    clean.pop("DATABASE_URL", None)
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        env={**clean, "PYTHONPATH": str(ROOT), **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


async def sit_down(web: aiohttp.ClientSession, name: str) -> aiohttp.ClientWebSocketResponse:
    async with web.get("/page/people") as answer:
        people = {user["global_name"]: user["id"] for user in await answer.json()}
    return await web.ws_connect(f"/page/live?user={people[name]}")


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or ") Z " not in stat.read_text()  # dead, but not yet buried


def environment_of_the_bot(folder: Path) -> dict[str, str]:
    lines = (folder / "environment").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def test_one_line_is_printed_and_both_stop_on_sigterm(folder: Path) -> None:
    own_token = {"DISCORD_TOKEN": TOKEN}  # no reason to call Discord
    with outside(folder, "--port", "0", environment=own_token) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("Ginhouse is open: http://127.0.0.1:")
        pid = int((folder / "pid").read_text())
        assert alive(pid)
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=30) == ("", "")
        assert process.returncode == 0
    assert not alive(pid)
    assert (folder / "data" / "playground.json").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends children with their parent")
async def test_a_playground_that_is_killed_leaves_no_bot_behind(folder: Path) -> None:
    with outside(folder, "--port", "0") as process:
        assert process.stdout is not None
        process.stdout.readline()
        pid = int((folder / "pid").read_text())
        process.kill()
    await until(lambda: not alive(pid), "the bot's end")


@pytest.mark.parametrize("where", ["environment", "file"])
def test_with_a_token_the_bot_itself_is_started_for_discord(folder: Path, where: str) -> None:
    said = "import os, sys; print(sorted(k for k in os.environ if 'DISCORD' in k)); sys.exit(5)"
    (folder / "bot.py").write_text(said)
    environment = {"DISCORD_TOKEN": "a.real.one"} if where == "environment" else {}
    if where == "file":
        (folder / ".env").write_text("# mine\nDISCORD_TOKEN='a.real.one'\n")
    with outside(folder, environment=environment) as process:
        printed, complaints = process.communicate(timeout=30)
    assert process.returncode == 5
    assert printed.strip() == ("['DISCORD_TOKEN']" if where == "environment" else "[]")
    assert complaints == ""
    assert not (folder / "data").exists()


async def test_the_card_room_is_open_and_the_bot_is_in_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with opened(folder, capsys) as house:
        async with aiohttp.ClientSession(house.address) as web:
            seat = await sit_down(web, "Ada")
            ready = (await seat.receive_json())["d"]
        assert ready["bot_online"] is True
        assert [command["name"] for command in ready["commands"]] == ["gin"]
        guild = ready["guilds"][0]
        assert guild["name"] == "The Card Room"
        channels = {channel["name"] for channel in guild["channels"]}
        assert {"lounge", "gin-table"} <= channels
        people = {member["user"]["global_name"] or "bot" for member in guild["members"]}
        assert people == {"Ada", "Ben", "Cleo", "Dev", "Mia", "bot"}
        assert await house.close() == 0
    given = environment_of_the_bot(folder)
    assert given["DISCORD_TOKEN"] == TOKEN
    assert given["DISCORD_API_URL"] == f"{house.address}api/v10"
    assert given["DISCORD_GATEWAY_URL"] == f"ws{house.address.removeprefix('http')}gateway"
    assert given["DATABASE_URL"] == f"sqlite+aiosqlite:///{folder}/data/playground.db"
    assert "a line of the bot's" in (folder / "data" / "bot.log").read_text()
    assert capsys.readouterr() == ("", "")


async def test_the_world_is_there_again_after_a_stop(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with opened(folder, capsys) as house, aiohttp.ClientSession(house.address) as web:
        seat = await sit_down(web, "Ada")
        before = (await seat.receive_json())["d"]
        channel = before["guilds"][0]["channels"][0]["id"]
        frame = {"op": "message", "nonce": "1", "channel_id": channel, "content": "still here"}
        await seat.send_json(frame)
        said = (await seat.receive_json())["d"]
    async with opened(folder, capsys) as house, aiohttp.ClientSession(house.address) as web:
        seat = await sit_down(web, "Ada")
        after = (await seat.receive_json())["d"]
        assert after["me"]["id"] == before["me"]["id"]
        assert after["guilds"][0]["id"] == before["guilds"][0]["id"]
        assert after["app"]["id"] == before["app"]["id"]
        assert after["read"] == {channel: said["id"]}
        await seat.send_json({"op": "history", "nonce": "2", "channel_id": channel})
        history = (await seat.receive_json())["d"]["messages"]
        assert [message["content"] for message in history] == ["still here"]


async def test_what_changes_is_saved_while_the_house_is_open(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("playground.start.SAVE_EVERY", 0.02)
    saved = folder / "data" / "playground.json"
    async with opened(folder, capsys) as house, aiohttp.ClientSession(house.address) as web:
        async with web.post("/page/people", json={"name": "Zoe"}) as answer:
            zoe = (await answer.json())["id"]
        await until(lambda: saved.exists() and zoe in saved.read_text(), "the saving")


async def test_a_second_playground_with_the_same_data_gives_the_address_of_the_first(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = (sys.executable, str(folder / "bot.py"))
    async with opened(folder, capsys) as house:
        first = (folder / "pid").read_text()
        assert await asyncio.wait_for(House(Plan(folder / "data", 0, bot)).run(), 20) == 1
        said = capsys.readouterr().err
        assert said.strip().endswith(f"is open already with {folder / 'data'}: {house.address}")
        assert (folder / "pid").read_text() == first, "no second bot"
    (folder / "data" / "playground.address").write_text(house.address)  # as after a power cut
    async with opened(folder, capsys) as again:
        assert await again.close() == 0


async def test_a_busy_port_is_passed_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        async with opened(folder, capsys, port) as house:
            assert house.address != f"http://127.0.0.1:{port}/"


async def test_a_bot_that_dies_is_reported_with_its_last_lines_and_its_status(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "die").touch()
    bot = (sys.executable, str(folder / "bot.py"))
    house = House(Plan(folder / "data", 0, bot, pause=0.001))
    assert await asyncio.wait_for(house.run(), 20) == 7
    complaints = capsys.readouterr().err
    assert "The bot has stopped by itself (status 7)" in complaints
    assert "the last words" in complaints


async def test_a_bot_that_dies_is_started_again_and_the_page_stays_open(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with opened(folder, capsys) as house:
        first = (folder / "pid").read_text()
        os.kill(int(first), signal.SIGKILL)
        await until(lambda: (folder / "pid").read_text() not in (first, ""), "another bot")
        async with aiohttp.ClientSession(house.address) as web:
            await sit_down(web, "Ada")
        assert await house.close() == 0
    said = capsys.readouterr().err
    assert "The bot has stopped by itself (status 137). It is started again in 0.001 s." in said


async def test_the_bot_is_killed_and_started_again_from_the_page(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with opened(folder, capsys) as house, aiohttp.ClientSession(house.address) as web:
        first = int((folder / "pid").read_text())
        seat = await sit_down(web, "Ada")
        await seat.receive_json()
        frame = {"op": "fault", "nonce": "1", "name": "restart_bot", "value": {}}
        await seat.send_json(frame)
        online = [False, True]
        while online:
            told = await seat.receive_json(timeout=20)
            if told["t"] == "BOT":
                assert told["d"]["online"] is online.pop(0)
        second = int((folder / "pid").read_text())
        assert first != second
        assert not alive(first)
        assert await house.close() == 0
        assert not alive(second)
    assert capsys.readouterr().out == ""


async def test_a_saved_world_that_is_of_no_use_is_set_aside(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "data").mkdir()
    (folder / "data" / "playground.json").write_text('{"version": 1, "users": 7}')
    with pytest.MonkeyPatch.context() as patch:
        said: list[str] = []
        patch.setattr("playground.start._say", said.append)
        async with opened(folder, capsys):
            pass
    assert "is of no use" in said[0]
    assert (folder / "data" / "playground.broken.json").exists()


async def test_the_environment_alone_moves_the_playgrounds_database(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    (folder / ".env").write_text("DATABASE_URL=sqlite+aiosqlite:///data/ginhouse.db\n")
    async with opened(folder, capsys):
        assert environment_of_the_bot(folder)["DATABASE_URL"].endswith("/playground.db")
    monkeypatch.setenv("DATABASE_URL", "sqlite+aiosqlite:///other.db")
    async with opened(folder, capsys):
        assert environment_of_the_bot(folder)["DATABASE_URL"] == "sqlite+aiosqlite:///other.db"


@pytest.mark.parametrize(
    ("environment", "file", "token"),
    [
        ({}, "", ""),
        ({}, "DISCORD_TOKEN=", ""),
        ({}, "DISCORD_TOKEN=  # none yet", ""),
        ({}, "DISCORD_TOKEN=a.b.c", "a.b.c"),
        ({}, "export DISCORD_TOKEN = a.b.c  # mine", "a.b.c"),
        ({}, 'discord_token="a.b.c"', "a.b.c"),
        ({}, "#DISCORD_TOKEN=a.b.c", ""),
        ({}, "DISCORD_TOKEN=old\nDISCORD_TOKEN=new", "new"),
        ({"DISCORD_TOKEN": "e.n.v"}, "DISCORD_TOKEN=a.b.c", "e.n.v"),
        ({"discord_token": "e.n.v"}, "", "e.n.v"),
        ({"DISCORD_TOKEN": ""}, "DISCORD_TOKEN=a.b.c", "a.b.c"),
    ],
)
def test_a_setting_is_read_as_the_bot_reads_it(
    tmp_path: Path, environment: dict[str, str], file: str, token: str
) -> None:
    (tmp_path / ".env").write_text(file)
    assert setting("DISCORD_TOKEN", environment, tmp_path / ".env") == token
