"""The web page's protocol: what tabs are told, what they may ask for, and whom it turns away."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from yarl import URL

from playground.acting.people import Person
from playground.server import Playground
from playground.state.model import Channel
from playground.tabs.page import Page, is_loopback
from tests.playground.support import Bot, running

Json = dict[str, Any]  # frames of the page, of many shapes


class Seat:
    """A tab, as the page's script would hold it."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, person: Person) -> None:
        self.socket = socket
        self.person = person
        self.frames: list[Json] = []
        self.sent = 0

    async def send(self, op: str, **fields: object) -> str:
        self.sent += 1
        nonce = f"{self.person.name}-{id(self)}-{self.sent}"
        await self.socket.send_json({"op": op, "nonce": nonce, **fields})
        return nonce

    async def next(self, kind: str, fits: Callable[[Json], bool] = lambda _: True) -> Json:
        """Read on until a frame of this kind comes; the ones before it are kept in `frames`."""
        while True:
            frame = await self.socket.receive_json(timeout=5)
            self.frames.append(frame)
            data: Json = frame["d"]
            if frame["t"] == kind and fits(data):
                return data

    async def ask(self, op: str, kind: str, **fields: object) -> Json:
        nonce = await self.send(op, **fields)
        return await self.next(kind, lambda data: data.get("nonce") == nonce)

    async def quiet(self) -> list[str]:
        """Ask for something known and give the kinds of all frames that came before it."""
        self.frames.clear()
        place = self.person.channel("general")
        await self.ask("history", "HISTORY", channel_id=str(place.id), limit=1)
        return [frame["t"] for frame in self.frames[:-1]]


@pytest.fixture
def served() -> Page:
    return Page()


@pytest.fixture
async def playground(served: Page) -> AsyncIterator[Playground]:
    async with Playground(extensions=[served]) as started:
        yield started


@pytest.fixture
async def web(playground: Playground) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(playground.url) as session:
        yield session


@asynccontextmanager
async def seat(
    web: aiohttp.ClientSession, playground: Playground, name: str
) -> AsyncIterator[tuple[Seat, Json]]:
    person = Person.of(playground, name)
    async with web.ws_connect(f"/page/live?user={person.id}") as socket:
        tab = Seat(socket, person)
        yield tab, await tab.next("READY")


def place(playground: Playground, name: str = "general") -> Channel:
    return Person.of(playground, "Ada").channel(name)


async def test_the_page_and_its_files_are_served(web: aiohttp.ClientSession) -> None:
    async with web.get("/") as answer:
        assert answer.status == 200
        assert answer.content_type == "text/html"
        assert answer.headers["Cache-Control"] == "no-cache"
    async with web.get("/web/main.js") as answer:
        assert answer.status == 200
        assert "javascript" in answer.content_type


async def test_no_file_outside_the_pages_folder_is_served(web: aiohttp.ClientSession) -> None:
    for path in ("/web/../page.py", "/web/%2e%2e/page.py", "/web/nothing.js", "/web/css"):
        async with web.get(URL(path, encoded=True)) as answer:
            assert answer.status == 404


@pytest.mark.parametrize(
    ("host", "verdict"),
    [
        ("127.0.0.1:8017", True),
        ("localhost:8017", True),
        ("[::1]:8017", True),
        ("127.9.9.9", True),
        ("192.168.1.5:8017", False),
        ("evil.example:8017", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
    ],
)
def test_only_names_of_this_machine_are_taken(host: str, verdict: bool) -> None:
    assert is_loopback(host) is verdict


async def test_a_name_elsewhere_that_points_here_is_turned_away(
    web: aiohttp.ClientSession, playground: Playground
) -> None:
    ada = Person.of(playground, "Ada")
    elsewhere = {"Host": "rebound.example"}
    for path in ("/", "/web/main.js", "/page/people", f"/page/live?user={ada.id}"):
        async with web.get(path, headers=elsewhere) as answer:
            assert answer.status == 403


async def test_another_sites_page_is_turned_away(
    web: aiohttp.ClientSession, playground: Playground
) -> None:
    ada = Person.of(playground, "Ada")
    before = len(playground.world.users)
    other = {"Origin": "https://evil.example"}
    with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
        await web.ws_connect(f"/page/live?user={ada.id}", headers=other)
    async with web.post("/page/people", json={"name": "Eve"}, headers=other) as answer:
        assert answer.status == 403
    async with web.post("/page/people", data={"name": "Eve"}) as answer:
        assert answer.status == 415
    assert len(playground.world.users) == before
    own = {"Origin": playground.url}
    async with web.ws_connect(f"/page/live?user={ada.id}", headers=own) as socket:
        assert (await socket.receive_json())["t"] == "READY"


async def test_nobody_sits_on_the_bots_seat_or_one_that_isnt_there(
    web: aiohttp.ClientSession, playground: Playground
) -> None:
    for user in (playground.world.bot.id, 12345, "x"):
        with pytest.raises(aiohttp.WSServerHandshakeError, match="404"):
            await web.ws_connect(f"/page/live?user={user}")


async def test_ready_shows_what_the_person_sees(
    web: aiohttp.ClientSession, playground: Playground
) -> None:
    ada = Person.of(playground, "Ada")
    said = Person.of(playground, "Ben").write("general", "hello")
    secret = playground.world.add_channel(ada.channel("general").guild, "staff")  # type: ignore[arg-type]
    playground.faults.permission(Person.of(playground, "Ben").user, secret, "VIEW_CHANNEL", False)
    async with seat(web, playground, "Ada") as (_, ready), seat(web, playground, "Ben") as (_, b):
        assert ready["me"]["global_name"] == "Ada"
        assert ready["me"]["avatar_color"].startswith("#")
        assert ready["app"]["bot"]["bot"] is True
        guild = ready["guilds"][0]
        names = {channel["name"] for channel in guild["channels"]}
        assert {"general", "staff"} <= names
        assert "staff" not in {channel["name"] for channel in b["guilds"][0]["channels"]}
        assert {"Ada", "Ben"} <= {member["user"]["global_name"] for member in guild["members"]}
        assert ready["last"] == {str(place(playground).id): str(said.id)}
        assert ready["read"] == {}
        assert [dm["recipients"][0]["username"] for dm in ready["dms"]] == ["Ginhouse"]
        assert ready["bot_online"] is False
        assert ready["dm_closed"] is False
        assert abs(ready["now"] - playground.world.clock.now() * 1000) < 60_000


async def test_a_message_reaches_everybody_who_sees_the_channel_and_calls_whom_it_names(
    web: aiohttp.ClientSession, playground: Playground
) -> None:
    channel = str(place(playground).id)
    async with (
        seat(web, playground, "Ada") as (ada, _),
        seat(web, playground, "Ben") as (ben, _),
        seat(web, playground, "Ben") as (again, _),
    ):
        await ada.send("message", channel_id=channel, content=f"<@{ben.person.id}> your turn")
        for tab, calls in ((ada, False), (ben, True), (again, True)):
            message = await tab.next("MESSAGE_CREATE")
            assert message["content"].endswith("your turn")
            assert message["author"]["avatar_color"]
            assert message["mention_me"] is calls
            assert message["mentions"][0]["username"] == "ben"


async def test_what_was_read_is_remembered_for_the_next_tab(
    web: aiohttp.ClientSession, playground: Playground
) -> None:
    channel = place(playground)
    said = Person.of(playground, "Ada").write(channel, "hello")
    async with seat(web, playground, "Ben") as (ben, _):
        await ben.send("read", channel_id=str(channel.id), message_id=str(said.id))
        await ben.quiet()
    async with seat(web, playground, "Ben") as (_, ready), seat(web, playground, "Ada") as (_, a):
        assert ready["read"] == {str(channel.id): str(said.id)}
        assert a["read"] == {}


async def test_history_comes_in_pages_backwards(
    web: aiohttp.ClientSession, playground: Playground
) -> None:
    channel = place(playground)
    said = [Person.of(playground, "Ada").write(channel, f"line {n}") for n in range(5)]
    async with seat(web, playground, "Ben") as (ben, _):
        where = {"channel_id": str(channel.id), "limit": 2}
        newest = await ben.ask("history", "HISTORY", **where)
        assert [item["content"] for item in newest["messages"]] == ["line 3", "line 4"]
        older = await ben.ask("history", "HISTORY", **where, before=str(said[3].id))
        assert [item["content"] for item in older["messages"]] == ["line 1", "line 2"]


async def test_what_cannot_be_done_is_said_in_a_sentence(
    web: aiohttp.ClientSession, playground: Playground
) -> None:
    channel = str(place(playground).id)
    async with seat(web, playground, "Ben") as (ben, _):
        for op, fields in (
            ("message", {"channel_id": channel, "content": "  "}),
            ("message", {"channel_id": "1", "content": "x"}),
            ("command", {"channel_id": channel, "name": "poker", "options": []}),
            ("press", {"channel_id": channel, "message_id": "1", "custom_id": "x"}),
            ("submit", {"interaction_id": "1", "custom_id": "x", "components": []}),
            ("create_thread", {"channel_id": channel, "name": " "}),
            ("fault", {"name": "earthquake", "value": 1}),
            ("fault", {"name": "restart_bot"}),
            ("history", {"channel_id": channel, "limit": "many"}),
            ("dance", {}),
        ):
            assert (await ben.ask(op, "ERROR", **fields))["message"]
        for nonsense in ("no json", '{"op": "message", "content": "\\ud800"}'):
            await ben.socket.send_str(nonsense)
            assert (await ben.next("ERROR"))["message"]


async def test_a_command_and_its_answer_travel_by_the_page(
    web: aiohttp.ClientSession, playground: Playground
) -> None:
    async with running(playground, Bot()), seat(web, playground, "Ada") as (ada, ready):
        assert ready["commands"][0]["name"] == "gin"
        assert ready["bot_online"] is True
        channel = str(place(playground).id)
        think = {"name": "think", "type": 1, "options": [{"name": "private", "value": True}]}
        nonce = await ada.send("command", channel_id=channel, name="gin", options=[think])
        message = await ada.next("MESSAGE_CREATE")
        assert message["flags"] & 64
        told = await ada.next("INTERACTION")
        assert told["nonce"] == nonce
        assert (told["state"], told["ephemeral"]) == ("thinking", True)
        assert told["id"] == message["interaction_metadata"]["id"]
        assert "thought" in (await ada.next("MESSAGE_UPDATE"))["content"]
        discard = [{"name": "card", "value": "7", "focused": True}]
        typed = {"name": "discard", "type": 1, "options": discard}
        found = await ada.ask(
            "autocomplete", "CHOICES", channel_id=channel, name="gin", options=[typed]
        )
        assert found["choices"] == [{"name": "7H", "value": "7H"}]


async def test_controls_and_modals_travel_by_the_page_to_the_tab_that_used_them(
    web: aiohttp.ClientSession, playground: Playground
) -> None:
    async with (
        running(playground, Bot()),
        seat(web, playground, "Ada") as (ada, _),
        seat(web, playground, "Ada") as (other, _),
        seat(web, playground, "Ben") as (ben, _),
    ):
        channel = str(place(playground).id)
        command = {"channel_id": channel, "name": "gin"}
        await ada.send("command", **command, options=[{"name": "table", "type": 1}])
        table = await ben.next("MESSAGE_CREATE")
        assert table["attachments"] or table["components"]
        control = {"channel_id": channel, "message_id": table["id"]}
        told = await ada.ask("press", "INTERACTION", **control, custom_id="draw")
        assert told["state"] == "answered"
        changed = await ben.next("MESSAGE_UPDATE")
        assert changed["id"] == table["id"]
        await ada.send("select", **control, custom_id="discard", values=["7H"])
        private = await ada.next("MESSAGE_CREATE", lambda data: "chose" in data["content"])
        assert private["flags"] & 64
        opened = await ada.ask(
            "command", "MODAL", **command, options=[{"name": "knock", "type": 1}]
        )
        assert opened["modal"]["title"] == "Knock"
        field = {"type": 4, "custom_id": "melds", "value": "7h 8h 9h"}
        told = await ada.ask(
            "submit",
            "INTERACTION",
            interaction_id=opened["interaction_id"],
            custom_id=opened["modal"]["custom_id"],
            components=[{"type": 18, "component": field}],
        )
        assert told["state"] == "answered"
        assert "MODAL" not in await other.quiet()
        assert "INTERACTION" not in [frame["t"] for frame in other.frames]
        assert all("chose" not in str(frame) for frame in ben.frames)
        assert "MESSAGE_CREATE" not in await ben.quiet()
        await ada.send("dismiss", channel_id=channel, message_id=private["id"])
        await ada.quiet()
        assert "chose" not in ada.person.text("general")


async def test_an_interaction_that_nobody_answers_fails_on_the_page(
    web: aiohttp.ClientSession, playground: Playground
) -> None:
    bot = Bot()
    async with running(playground, bot), seat(web, playground, "Ada") as (ada, _):
        channel = str(place(playground).id)
        silent = [{"name": "silent", "type": 1}]
        nonce = await ada.send("command", channel_id=channel, name="gin", options=silent)
        await ada.person.until(lambda: "silent" in bot.heard)
        playground.world.clock.move(3)
        told = await ada.next("INTERACTION")
        assert (told["nonce"], told["state"]) == (nonce, "failed")


async def test_channels_come_and_go_with_the_right_to_see_them(
    web: aiohttp.ClientSession, playground: Playground
) -> None:
    channel = place(playground)
    async with seat(web, playground, "Ben") as (ben, _):
        playground.faults.permission(ben.person.user, channel, "VIEW_CHANNEL", False)
        assert (await ben.next("CHANNEL_DELETE"))["id"] == str(channel.id)
        playground.faults.permission(ben.person.user, channel, "VIEW_CHANNEL", None)
        assert (await ben.next("CHANNEL_UPDATE"))["name"] == "general"
        await ben.send("create_thread", channel_id=str(channel.id), name="Ada v Ben")
        thread = await ben.next("THREAD_CREATE")
        assert (thread["name"], thread["archived"]) == ("Ada v Ben", False)
        playground.faults.lock(ben.person.channel("Ada v Ben"))
        assert (await ben.next("THREAD_UPDATE", lambda data: data["locked"]))["archived"]
        playground.faults.delete_channel(channel)
        assert (await ben.next("CHANNEL_DELETE"))["id"] == str(channel.id)


async def test_people_are_made_join_and_leave(
    web: aiohttp.ClientSession, playground: Playground
) -> None:
    Person.of(playground, "Ada").write("general", "before you came")
    async with seat(web, playground, "Ada") as (ada, _):
        async with web.post("/page/people", json={"name": "  Zoë   Q "}) as answer:
            zoe = await answer.json()
        assert (zoe["global_name"], zoe["username"]) == ("Zoë Q", "zo_q")
        joined = await ada.next("MEMBER_ADD")
        assert joined["user"]["id"] == zoe["id"]
        async with web.get("/page/people") as answer:
            names = [user["username"] for user in await answer.json()]
        assert "zo_q" in names
        assert "developer" not in names
        async with seat(web, playground, "Zoë Q") as (seated, ready):
            assert ready["read"] == ready["last"] != {}
            playground.faults.leave(
                playground.world.guilds_of(ada.person.user)[0], seated.person.user
            )
            assert (await seated.next("READY"))["guilds"] == []
        assert (await ada.next("MEMBER_REMOVE"))["user"]["id"] == zoe["id"]
        wrong: list[object] = [{"name": " "}, {"name": "x" * 33}, {}, [], {"name": 5}]
        for bad in wrong:
            async with web.post("/page/people", json=bad) as answer:
                assert answer.status == 400
                assert await answer.text()


async def test_faults_are_switched_from_the_page_and_shown_to_everybody(
    web: aiohttp.ClientSession, playground: Playground, served: Page
) -> None:
    restarted = asyncio.Event()
    served.restart_bot = restarted.set
    async with seat(web, playground, "Ada") as (ada, _), seat(web, playground, "Ben") as (ben, _):
        await ada.send("fault", name="slow", value={"seconds": 2, "pattern": "POST /channels/*"})
        await ben.next("FAULTS", lambda data: data["slow"] == 2)
        await ada.send("fault", name="move_clock", value={"seconds": 3600})
        state = await ben.next("FAULTS", lambda data: data["clock"] > 0)
        assert state["now"] == pytest.approx(playground.world.clock.now() * 1000, abs=60_000)
        await ada.send("fault", name="reset_clock", value={})
        await ben.next("FAULTS", lambda data: data["clock"] == 0)
        await ada.send("dm_closed", closed=True)
        await ada.send("fault", name="restart_bot", value={})
        await ada.quiet()
        assert ada.person.user.dms_closed
        assert restarted.is_set()


async def test_only_the_author_or_a_moderator_deletes_a_message(
    web: aiohttp.ClientSession, playground: Playground
) -> None:
    cleo = Person.of(playground, "Cleo")
    said = cleo.write("general", "mine")
    message = {"channel_id": str(said.channel.id), "message_id": str(said.id)}
    async with seat(web, playground, "Ben") as (ben, _), seat(web, playground, "Ada") as (ada, _):
        await ben.ask("delete", "ERROR", **message)
        assert not said.deleted
        await ada.send("delete", **message)  # Ada owns the server
        assert (await ben.next("MESSAGE_DELETE"))["id"] == str(said.id)
