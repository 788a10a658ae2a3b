"""What Discord refuses, the playground refuses, with the same status and code."""

import pytest

from playground.errors import Code, Refused
from playground.server import Playground
from playground.state.model import ChannelType, Message
from playground.state.permissions import Permission
from tests.playground.support import PNG, Bot, Http, channel_of, guild_of, person

EMBED = {"embeds": [{"title": "Hand"}]}
CARD = {"files[0]": ("hand.png", PNG)}


def post(channel_id: int) -> str:
    return f"/channels/{channel_id}/messages"


async def say(http: Http, channel_id: int, text: str = "hello") -> str:
    answer = await http("POST", post(channel_id), {"content": text})
    assert answer.status == 200, answer.body
    return str(answer.body["id"])


async def test_a_wrong_token_is_unauthorized(http: Http) -> None:
    answer = await http("GET", "/users/@me", token="wrong")
    assert (answer.status, answer.body) == (401, {"message": "401: Unauthorized", "code": 0})


async def test_a_route_that_is_not_there_is_not_found_but_noted(
    playground: Playground, http: Http
) -> None:
    answer = await http("GET", "/casino")
    assert (answer.status, answer.code) == (404, 0)
    assert [request.path for request in playground.sent.failed()] == ["/casino"]


async def test_a_method_that_a_route_has_not_is_not_allowed(http: Http) -> None:
    answer = await http("DELETE", "/users/@me")
    assert (answer.status, answer.code) == (405, 0)


async def test_broken_json_is_refused(playground: Playground, http: Http) -> None:
    place = channel_of(playground.world)
    answer = await http("POST", post(place.id), raw=b"{")
    assert (answer.status, answer.code) == (400, 50109)


async def test_what_is_not_there_has_a_code_of_its_own(playground: Playground, http: Http) -> None:
    world = playground.world
    place, guild = channel_of(world), guild_of(world)
    stranger = world.add_user("stranger")
    for path, code in (
        ("/channels/1", 10003),
        (f"/channels/{place.id}/messages/1", 10008),
        ("/guilds/1", 10004),
        (f"/guilds/{guild.id}/members/{stranger.id}", 10007),
        (f"/guilds/{guild.id}/members/1", 10013),
        ("/users/1", 10013),
        (f"/webhooks/{world.application.id}/unknown/messages/@original", 10015),
        (f"/applications/{world.application.id}/commands/1", 10063),
        (f"/applications/{world.application.id}/emojis/1", 10014),
        ("/applications/1/commands", 10002),
    ):
        answer = await http("GET", path)
        assert (answer.status, answer.code) == (404, code), path


async def test_an_empty_message_is_refused(playground: Playground, http: Http) -> None:
    place = channel_of(playground.world)
    answer = await http("POST", post(place.id), {"content": " "})
    assert (answer.status, answer.code) == (400, 50006)


async def test_a_field_at_fault_is_named_in_a_tree(playground: Playground, http: Http) -> None:
    place = channel_of(playground.world)
    answer = await http("POST", post(place.id), {"content": "x" * 2001})
    assert (answer.status, answer.code) == (400, 50035)
    assert answer.body["errors"]["content"]["_errors"][0]["code"] == "BASE_TYPE_MAX_LENGTH"


@pytest.mark.parametrize(
    ("permission", "code", "body", "files"),
    [
        ("VIEW_CHANNEL", 50001, {"content": "x"}, None),
        ("SEND_MESSAGES", 50013, {"content": "x"}, None),
        ("EMBED_LINKS", 50013, EMBED, None),
        ("ATTACH_FILES", 50013, {"content": "x"}, CARD),
    ],
)
async def test_a_missing_permission_refuses_a_message(
    playground: Playground,
    http: Http,
    permission: str,
    code: int,
    body: dict[str, object],
    files: dict[str, tuple[str, bytes]] | None,
) -> None:
    world, place = playground.world, channel_of(playground.world)
    playground.faults.permission(world.bot, place, permission, False)
    answer = await http("POST", post(place.id), body, files=files)
    assert (answer.status, answer.code) == (403, code)
    playground.faults.permission(world.bot, place, permission, None)
    assert (await http("POST", post(place.id), body, files=files)).status == 200


async def test_a_role_takes_and_a_member_gives_a_permission(
    playground: Playground, http: Http
) -> None:
    world, place = playground.world, channel_of(playground.world)
    everyone = guild_of(world).roles[guild_of(world).id]
    playground.faults.permission(everyone, place, "SEND_MESSAGES", False)
    assert (await http("POST", post(place.id), {"content": "x"})).code == 50013
    playground.faults.permission(world.bot, place, "SEND_MESSAGES", True)
    assert (await http("POST", post(place.id), {"content": "x"})).status == 200


async def test_an_administrator_may_everything(playground: Playground, http: Http) -> None:
    world, place = playground.world, channel_of(playground.world)
    playground.faults.permission(world.bot, place, "VIEW_CHANNEL", False)
    role = world.add_role(guild_of(world), "boss", Permission.ADMINISTRATOR)
    world.give_role(guild_of(world), world.bot, role)
    assert (await http("POST", post(place.id), {"content": "x"})).status == 200


async def test_a_bot_thrown_out_has_no_access(playground: Playground, http: Http) -> None:
    world, place = playground.world, channel_of(playground.world)
    playground.faults.kick_bot(guild_of(world))
    assert (await http("POST", post(place.id), {"content": "x"})).code == 50001
    assert (await http("GET", f"/guilds/{guild_of(world).id}")).code == 10004


async def test_closed_direct_messages_refuse_the_message_not_the_channel(
    playground: Playground, http: Http
) -> None:
    ada = person(playground.world)
    playground.faults.close_dms(ada)
    opened = await http("POST", "/users/@me/channels", {"recipient_id": str(ada.id)})
    assert opened.status == 200
    answer = await http("POST", post(int(opened.body["id"])), {"content": "x"})
    assert (answer.status, answer.code) == (403, 50007)
    playground.faults.close_dms(ada, closed=False)
    assert (await http("POST", post(int(opened.body["id"])), {"content": "x"})).status == 200


async def test_who_shares_no_server_with_the_bot_cannot_be_written_to(
    playground: Playground, http: Http
) -> None:
    world = playground.world
    stranger = world.add_user("stranger")
    answer = await http("POST", post(world.dm(stranger).id), {"content": "x"})
    assert (answer.status, answer.code) == (403, 50278)


async def test_bots_and_nobody_cannot_be_written_to(playground: Playground, http: Http) -> None:
    world = playground.world
    for user_id, code in ((person(world, "jukebox").id, 50007), (world.bot.id, 50007), (1, 50033)):
        answer = await http("POST", "/users/@me/channels", {"recipient_id": str(user_id)})
        assert answer.code == code


async def test_a_deleted_account_is_unknown(playground: Playground, http: Http) -> None:
    world, ben = playground.world, person(playground.world, "ben")
    playground.faults.delete_user(ben)
    answer = await http("POST", "/users/@me/channels", {"recipient_id": str(ben.id)})
    assert answer.code == 10013
    answer = await http("GET", f"/guilds/{guild_of(world).id}/members/{ben.id}")
    assert answer.code == 10013


async def test_a_member_who_left_is_no_member(playground: Playground, http: Http) -> None:
    world, ben = playground.world, person(playground.world, "ben")
    playground.faults.leave(guild_of(world), ben)
    answer = await http("GET", f"/guilds/{guild_of(world).id}/members/{ben.id}")
    assert (answer.status, answer.code) == (404, 10007)


async def test_anothers_message_cannot_be_edited_and_deleted_only_by_moderators(
    playground: Playground, http: Http
) -> None:
    world, place = playground.world, channel_of(playground.world)
    theirs = world.send_message(person(world), place, "mine")
    path = f"{post(place.id)}/{theirs.id}"
    answer = await http("PATCH", path, {"content": "x"})
    assert (answer.status, answer.code) == (403, 50005)
    assert (await http("DELETE", path)).code == 50013
    playground.faults.permission(world.bot, place, "MANAGE_MESSAGES", True)
    assert (await http("DELETE", path)).status == 204
    assert (await http("DELETE", path)).code == 10008


async def test_anothers_direct_message_cannot_be_deleted(
    playground: Playground, http: Http
) -> None:
    world, ada = playground.world, person(playground.world)
    theirs = world.send_message(ada, world.dm(ada), "mine")
    answer = await http("DELETE", f"{post(world.dm(ada).id)}/{theirs.id}")
    assert (answer.status, answer.code) == (403, 50003)


async def test_a_deleted_message_and_a_deleted_channel_are_unknown(
    playground: Playground, http: Http
) -> None:
    world, place = playground.world, channel_of(playground.world)
    number = await say(http, place.id)
    playground.faults.delete_message(place.messages[int(number)])
    path = f"{post(place.id)}/{number}"
    assert (await http("PATCH", path, {"content": "x"})).code == 10008
    playground.faults.delete_channel(place)
    assert (await http("PATCH", path, {"content": "x"})).code == 10003
    assert (await http("POST", post(place.id), {"content": "x"})).code == 10003
    assert place.id not in world.channels


async def test_an_old_message_takes_few_edits_a_young_one_many(
    playground: Playground, http: Http
) -> None:
    playground.rates.enabled = False
    place = channel_of(playground.world)
    path = f"{post(place.id)}/{await say(http, place.id)}"
    for turn in range(8):
        assert (await http("PATCH", path, {"content": str(turn)})).status == 200
    playground.faults.move_clock(3601)
    for turn in range(playground.world.limits.old_edits):
        assert (await http("PATCH", path, {"content": f"old {turn}"})).status == 200
    answer = await http("PATCH", path, {"content": "one too many"})
    assert (answer.status, answer.code) == (429, 30046)
    assert answer.headers["Via"]
    assert 0 < answer.body["retry_after"] <= 60
    playground.faults.move_clock(61)
    assert (await http("PATCH", path, {"content": "later"})).status == 200


async def test_a_message_goes_only_where_messages_go(playground: Playground, http: Http) -> None:
    world = playground.world
    forum, category = channel_of(world, "strategy"), channel_of(world, "Tables")
    for place in (forum, category):
        assert (await http("POST", post(place.id), {"content": "x"})).code == 50008
    voice = channel_of(world, "parlour")
    assert (await http("POST", post(voice.id), {"content": "x"})).status == 200
    answer = await http("POST", f"/channels/{voice.id}/threads", {"name": "x", "type": 11})
    assert (answer.status, answer.code) == (400, 50024)


async def test_a_file_that_is_too_large_is_refused(playground: Playground, http: Http) -> None:
    place = channel_of(playground.world)
    files = {"files[0]": ("hand.png", bytes(10 * 1024 * 1024 + 1))}
    answer = await http("POST", post(place.id), {"content": "x"}, files=files)
    assert (answer.status, answer.code) == (413, 40005)


async def test_a_reply_needs_its_message_and_the_right_to_read(
    playground: Playground, http: Http
) -> None:
    world, place = playground.world, channel_of(playground.world)
    body = {"content": "x", "message_reference": {"message_id": "1"}}
    assert (await http("POST", post(place.id), body)).code == 50035
    body["message_reference"] = {"message_id": "1", "fail_if_not_exists": False}
    assert (await http("POST", post(place.id), body)).status == 200
    playground.faults.permission(world.bot, place, "READ_MESSAGE_HISTORY", False)
    assert (await http("POST", post(place.id), body)).code == 160002


async def test_interactions_refuse_late_second_and_early_answers(
    playground: Playground, http: Http, bot: Bot
) -> None:
    world = playground.world
    used = world.interactions.create_command(person(world), channel_of(world), "gin silent")
    path = f"/interactions/{used.id}/{used.token}/callback"
    webhook = f"/webhooks/{world.application.id}/{used.token}"
    reply = {"type": 4, "data": {"content": "x"}}
    assert (await http("POST", f"/interactions/{used.id}/wrong/callback", reply)).code == 10062
    assert (await http("POST", webhook, {"content": "early"})).code == 10015
    assert (await http("PATCH", webhook + "/messages/@original", {"content": "x"})).code == 10015
    wrong = await http("POST", path, {"type": 7, "data": {"content": "x"}})
    assert (wrong.status, wrong.code) == (400, 50035)
    assert (await http("POST", path, reply)).status == 204
    second = await http("POST", path, reply)
    assert (second.status, second.code) == (400, 40060)
    late = world.interactions.create_command(person(world), channel_of(world), "gin silent")
    playground.faults.move_clock(3.1)
    answer = await http("POST", f"/interactions/{late.id}/{late.token}/callback", reply)
    assert (answer.status, answer.code) == (404, 10062)


async def test_a_token_dies_after_fifteen_minutes(
    playground: Playground, http: Http, bot: Bot
) -> None:
    world = playground.world
    used = world.interactions.create_command(person(world), channel_of(world), "gin table")
    await used.done.wait()
    webhook = f"/webhooks/{world.application.id}/{used.token}"
    playground.faults.move_clock(899)
    assert (await http("GET", webhook + "/messages/@original")).status == 200
    playground.faults.move_clock(2)
    for method, path in (
        ("POST", webhook),
        ("GET", webhook + "/messages/@original"),
        ("PATCH", webhook + "/messages/@original"),
        ("DELETE", webhook + "/messages/@original"),
    ):
        answer = await http(method, path, {"content": "x"} if method[0] == "P" else None)
        assert (answer.status, answer.code) == (401, 50027), method


async def test_tokens_can_be_let_expire_at_once(
    playground: Playground, http: Http, bot: Bot
) -> None:
    world = playground.world
    used = world.interactions.create_command(person(world), channel_of(world), "gin table")
    await used.done.wait()
    playground.faults.expire_tokens()
    webhook = f"/webhooks/{world.application.id}/{used.token}"
    assert (await http("POST", webhook, {"content": "x"})).code == 50027


async def test_an_ephemeral_message_is_not_there_for_channel_routes(
    playground: Playground, http: Http, bot: Bot
) -> None:
    world, place = playground.world, channel_of(playground.world)
    used = world.interactions.create_command(person(world), place, "gin hand")
    await used.done.wait()
    path = f"{post(place.id)}/{used.messages[0].id}"
    for method in ("GET", "PATCH", "DELETE"):
        answer = await http(method, path, {"content": "x"} if method == "PATCH" else None)
        assert answer.code == 10008
    webhook = f"/webhooks/{world.application.id}/{used.token}/messages"
    assert (await http("GET", f"{webhook}/@original")).body["flags"] & 64
    assert (await http("GET", f"{webhook}/{used.messages[0].id}")).status == 200
    assert (await http("GET", f"{webhook}/1")).code == 10008


async def test_an_edit_may_not_leave_nothing_or_mix_old_and_new(
    playground: Playground, http: Http
) -> None:
    place = channel_of(playground.world)
    path = f"{post(place.id)}/{await say(http, place.id)}"
    layout = [{"type": 10, "content": "text"}]
    assert (await http("PATCH", path, {"content": ""})).code == 50006
    mixed = await http("PATCH", path, {"flags": 1 << 15, "components": layout})
    assert (mixed.code, "content" in mixed.body["errors"]) == (50035, True)
    turned = {"flags": 1 << 15, "components": layout, "content": None}
    assert (await http("PATCH", path, turned)).status == 200
    assert (await http("PATCH", path, {"content": "back"})).code == 50035


async def test_pins_end_somewhere(playground: Playground, http: Http) -> None:
    playground.rates.enabled = False
    world, place = playground.world, channel_of(playground.world)
    world.limits.pins = 2
    playground.faults.permission(world.bot, place, "PIN_MESSAGES", True)
    numbers = [await say(http, place.id, str(turn)) for turn in range(3)]
    codes = [
        (await http("PUT", f"{post(place.id)}/pins/{number}")).status for number in numbers[:2]
    ]
    assert codes == [204, 204]
    assert (await http("PUT", f"{post(place.id)}/pins/{numbers[2]}")).code == 30003
    pins = await http("GET", f"{post(place.id)}/pins")
    assert [item["message"]["id"] for item in pins.body["items"]] == numbers[1::-1]


async def test_people_are_refused_like_bots(playground: Playground) -> None:
    world, place = playground.world, channel_of(playground.world)
    ben = person(world, "ben")
    playground.faults.permission(ben, place, "SEND_MESSAGES", False)
    with pytest.raises(Refused) as refused:
        world.send_message(ben, place, "hello")
    assert refused.value.code == Code.MISSING_PERMISSIONS.number
    theirs: Message = world.send_message(person(world), place, "hello")
    with pytest.raises(Refused):
        world.edit_message_as(ben, theirs, "changed")
    closed = world.add_channel(guild_of(world), "closed", ChannelType.TEXT)
    playground.faults.permission(ben, closed, "VIEW_CHANNEL", False)
    assert closed not in world.channels_for(ben, guild_of(world))
    assert world.visible_messages(ben, closed) == []
