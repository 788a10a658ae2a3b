"""Servers: shown with their channels, roles and members."""

from playground import shapes
from playground.doors.intents import Intent
from playground.doors.routing import ROUTES, Call, Reply
from playground.errors import Code, Refused
from playground.wire import snowflake

GUILD = "/guilds/{guild_id}"


@ROUTES.on("GET", GUILD)
def get_guild(call: Call) -> Reply:
    """Show a server."""
    guild = call.guild()
    shown = shapes.guild(guild)
    if call.query.get("with_counts") in {"1", "true", "True"}:
        count = len(guild.members)
        shown.update(approximate_member_count=count, approximate_presence_count=count)
    return Reply(shown)


@ROUTES.on("GET", GUILD + "/channels")
def get_channels(call: Call) -> Reply:
    """List a server's channels, without threads."""
    channels = call.guild().channels.values()
    return Reply([shapes.channel(item) for item in channels if not item.is_thread])


@ROUTES.on("GET", GUILD + "/roles")
def get_roles(call: Call) -> Reply:
    """List a server's roles."""
    return Reply([shapes.role(item) for item in call.guild().roles.values()])


@ROUTES.on("GET", GUILD + "/roles/{role_id}")
def get_role(call: Call) -> Reply:
    """Show one role."""
    role = call.guild().roles.get(call.id("role_id") or 0)
    if role is None:
        raise Refused.because(Code.UNKNOWN_ROLE)
    return Reply(shapes.role(role))


@ROUTES.on("GET", GUILD + "/members/{user_id}")
def get_member(call: Call) -> Reply:
    """Show a member (10007 who isn't one, 10013 who isn't anybody)."""
    guild, user_id = call.guild(), call.id("user_id") or 0
    user = call.world.users.get(user_id)
    if user is None or user.deleted:
        raise Refused.because(Code.UNKNOWN_USER)
    if user_id not in guild.members:
        raise Refused.because(Code.UNKNOWN_MEMBER)
    return Reply(shapes.member(guild.members[user_id]))


@ROUTES.on("GET", GUILD + "/members")
def get_members(call: Call) -> Reply:
    """List members; only with the privileged intent for that."""
    guild = call.guild()
    if not call.world.application.privileged_intents & Intent.GUILD_MEMBERS:
        raise Refused.because(Code.MISSING_ACCESS)
    after = snowflake(call.query.get("after")) or 0
    ids = sorted(item for item in guild.members if item > after)[: call.limit(1, 1000)]
    return Reply([shapes.member(guild.members[item]) for item in ids])


@ROUTES.on("GET", GUILD + "/members/search")
def search_members(call: Call) -> Reply:
    """Find members by the beginning of their names."""
    query = call.query.get("query", "").lower()
    found = [
        shapes.member(member)
        for member in call.guild().members.values()
        if member.name.lower().startswith(query) or member.user.username.startswith(query)
    ]
    return Reply(found[: call.limit(1, 1000)])
