"""Users and the bot itself: who it is, whom it may write to, where it is, how it connects."""

from playground import checks, shapes
from playground.doors.routing import NOTHING, ROUTES, Call, Reply
from playground.errors import Code, Refused
from playground.state.permissions import in_guild
from playground.wire import snowflake


@ROUTES.on("GET", "/gateway")
def get_gateway(call: Call) -> Reply:
    """Tell the gateway's address."""
    return Reply({"url": call.world.gateway_url})


@ROUTES.on("GET", "/gateway/bot")
def get_gateway_bot(call: Call) -> Reply:
    """Tell the gateway's address, and how many shards to connect."""
    limit = {"total": 1000, "remaining": 999, "reset_after": 14_400_000, "max_concurrency": 1}
    return Reply(
        {"url": call.world.gateway_url, "shards": call.world.shards, "session_start_limit": limit}
    )


@ROUTES.on("GET", "/users/@me")
def get_me(call: Call) -> Reply:
    """Show the bot's own account."""
    own = {"mfa_enabled": False, "locale": "en-US", "verified": True, "email": None}
    return Reply({**shapes.user(call.bot), **own})


@ROUTES.on("GET", "/users/{user_id}")
def get_user(call: Call) -> Reply:
    """Show an account (10013)."""
    user = call.world.users.get(call.id("user_id") or 0)
    if user is None:
        raise Refused.because(Code.UNKNOWN_USER)
    return Reply(shapes.user(user))


@ROUTES.on("GET", "/users/@me/guilds")
def get_my_guilds(call: Call) -> Reply:
    """List the servers that the bot is in."""
    return Reply(
        [
            {
                "id": str(guild.id),
                "name": guild.name,
                "icon": None,
                "banner": None,
                "owner": guild.owner_id == call.bot.id,
                "permissions": str(in_guild(guild, guild.members[call.bot.id]).value),
                "features": [],
                "approximate_member_count": len(guild.members),
            }
            for guild in call.world.guilds_of(call.bot)
        ]
    )


@ROUTES.on("DELETE", "/users/@me/guilds/{guild_id}")
def leave_guild(call: Call) -> Reply:
    """Let the bot leave a server."""
    call.world.leave(call.guild(), call.bot)
    return NOTHING


@ROUTES.on("POST", "/users/@me/channels")
def open_dm(call: Call) -> Reply:
    """Open (or find) the direct messages with a user; it may still be impossible to write there."""
    checks.check_dm(call.body)
    user = call.world.users.get(snowflake(call.json.get("recipient_id")) or 0)
    if user is None or user.deleted:
        raise Refused.because(Code.UNKNOWN_USER if user else Code.INVALID_RECIPIENTS)
    if user is call.bot or user.bot:
        raise Refused.because(Code.CANNOT_MESSAGE_USER)
    return Reply(shapes.channel(call.world.dm(user), seen_by=call.bot))
